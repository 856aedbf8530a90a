"""The words of orders: one for each place, kind, ship and piece; and what a player may type for them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from pbem.game import NotationError
from pbem_rules.axis1941.chart import CHART, FIRST_ZONE, ZONES, Chart, zone
from pbem_rules.axis1941.orders import number_of
from pbem_rules.axis1941.units import KINDS, NUMBERED, POWERS, Kind, Power, ship_code

_PLURALS = {Kind.INFANTRY: ("infantries",)}
_POWERS = {
    Power.USSR: ("ussr", "soviet", "soviets"),
    Power.GERMANY: ("germany", "german", "germans"),
    Power.UK: ("uk", "british"),
    Power.JAPAN: ("japan", "japanese"),
    Power.USA: ("usa", "us", "american"),
}


class Typed:
    """What players type: prefixes, abbreviations, names of several words."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._exact: dict[str, int] = {}
        self._names: dict[str, int] = {}
        for each in chart.territories:
            name = each.name.casefold()
            self._names[name.replace("-", " ")] = each.place
            if each.capital:
                self._names[each.capital.casefold()] = each.place
            for word in (name, each.word.casefold(), *each.short, each.capital.casefold()):
                if word:
                    self._exact[word.replace("-", " ")] = each.place
        self._exact["uk"] = chart.capital[Power.UK]  # which would else begin Ukraine
        self._kinds: dict[str, Kind] = {}
        for kind in KINDS:
            for word in (str(kind), f"{kind}s", *_PLURALS.get(kind, ()), *chart.short[kind]):
                self._kinds[word] = kind
            for word in chart.short[kind]:
                self._kinds.setdefault(f"{word}s", kind)
        self._powers = {word: power for power, words in _POWERS.items() for word in words}

    # Places

    def place(self, words: Iterable[str]) -> int | None:
        """The place that these words name; None: none. NotationError: several, or nearly one."""
        text = " ".join(words).casefold().replace("-", " ").replace("_", " ").strip()
        if not text:
            return None
        found = self._zone(text)
        if found is not None:
            return found
        if text in self._exact:
            return self._exact[text]
        parts = text.split()
        likely = sorted({place for name, place in self._names.items() if _begins(parts, name.split())})
        if not likely:  # `wr`, `eus`: the first letters of all words of a name
            likely = sorted({place for name, place in self._names.items() if text == _initials(name)})
        if len(likely) == 1:
            return likely[0]
        if likely:
            texts = tuple(self._chart.words[place] for place in likely[:8])
            raise NotationError("ambiguous", f"{text!r} may be {_or(texts)}.", texts)
        return None

    def need_place(self, words: Iterable[str]) -> int:
        words = list(words)
        found = self.place(words)
        if found is None:
            raise self.no_place(" ".join(words))
        return found

    def no_place(self, text: str) -> NotationError:
        if not text:
            return NotationError("invalid", "A place is missing. Territories and zones are written Ukraine, SZ5.")
        near = get_close_matches(text.casefold().replace("-", " "), [*self._names], 3)
        texts = tuple(dict.fromkeys(self._chart.words[self._names[name]] for name in near))
        hint = f" Did you mean {_or(texts)}?" if texts else " Zones are written SZ5, territories by name."
        return NotationError("unknown", f"There is no place {text!r} on the map.{hint}", texts)

    @staticmethod
    def _zone(text: str) -> int | None:
        for start in ("sea zone", "seazone", "zone", "sz", "z"):
            if text.startswith(start):
                number = number_of(text[len(start) :].strip())
                return zone(number) if number is not None and 1 <= number <= ZONES else None
        return None

    def two_places(self, words: list[str]) -> tuple[int, int] | None:
        """`Ukraine Caucasus`, `west russia ukraine`: the one way to cut the words into two places."""
        found = []
        for cut in range(1, len(words)):
            try:
                first, second = self.place(words[:cut]), self.place(words[cut:])
            except NotationError:
                continue
            if first is not None and second is not None:
                found.append((first, second))
        return found[0] if len(set(found)) == 1 else None

    # Units

    def kind(self, word: str) -> Kind | None:
        text = word.casefold().strip(",")
        if text in self._kinds:
            return self._kinds[text]
        likely = {kind for name, kind in self._kinds.items() if len(text) >= 3 and name.startswith(text)}
        return likely.pop() if len(likely) == 1 else None

    def power(self, word: str) -> Power | None:
        return self._powers.get(word.casefold())

    def ship(self, words: list[str], own: Power) -> int | None:
        """`transport 2`, `uk transport 2`, `uk-transport-2`, `tra2`: a ship by its number."""
        parts = " ".join(words).replace("-", " ").replace("#", " ").casefold().split()
        power = self.power(parts[0]) if parts else None
        rest = parts[1:] if power is not None else parts
        if len(rest) == 1:
            letters = rest[0].rstrip("0123456789")
            rest = [letters, rest[0][len(letters) :]]
        if len(rest) != 2:
            return None
        kind, number = self.kind(rest[0]), number_of(rest[1])
        if kind not in NUMBERED or number is None or number < 1:
            return None
        return ship_code(power or own, kind, number)

    def counted(self, words: list[str]) -> tuple[list[tuple[int, Kind, int]], list[str]]:
        """`2 infantry transport 2 Ukraine > ...`: counts, kinds, numbers of ships, and the words behind them."""
        words = [part for word in words for part in _apart(word)]
        found: list[tuple[int, Kind, int]] = []
        at = 0
        while at < len(words):
            word = words[at].strip(",")
            if word.casefold() in ("and", "+", "") and found:
                at += 1
                continue
            count = number_of(word)
            step = 1
            if count is None:
                count, step = 1, 0
            if at + step >= len(words):
                break
            name = words[at + step].strip(",")
            number = 0
            kind, dash, tail = self.kind(name), "", ""
            if kind is None:
                letters = name.rstrip("0123456789")
                name, tail = letters.rstrip("-#"), name[len(letters) :]  # `transport-2`, `tra2`
                dash, kind, given = "-", self.kind(name), number_of(tail)
                if kind not in NUMBERED or given is None:
                    break
                number = given
            at += step + 1
            if kind in NUMBERED and not dash and not step and at < len(words):
                given = number_of(words[at].strip(","))
                if given is not None and not (at + 1 < len(words) and self.kind(words[at + 1])):
                    number, at = given, at + 1
            found.append((count, kind, number))
        return found, words[at:]

    def list_kinds(self) -> str:
        return ", ".join(map(str, KINDS))


def _apart(word: str) -> list[str]:
    """`2inf`, `2xinf` as two words."""
    name = word.lstrip("0123456789")
    count = word[: len(word) - len(name)]
    if name[:1] in ("x", "*"):
        name = name[1:]
    return [count, name] if count and name[:1].isalpha() else [word]


def _begins(typed: list[str], words: list[str]) -> bool:
    return len(typed) <= len(words) and all(word.startswith(start) for start, word in zip(typed, words, strict=False))


def _initials(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _or(texts: tuple[str, ...]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


TYPED = Typed(CHART)

__all__ = ["CHART", "FIRST_ZONE", "POWERS", "TYPED", "Typed"]
