"""How players write orders: places by name, units in any case, several units that go the same way in one line.

`move 22/10ss 21/10ss Stargard`, `attack pyritz with klein rein/den at 2:1 air 1jg`, `activate 61`. What is typed is
turned into the exact texts, and the verbs read these: so they say what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from pbem.game import Context, Group, Notation, NotationError, Order, Verb, View
from pbem.kit import (
    PlaceFinder,
    Strike,
    Struck,
    UnitFinder,
    clauses,
    hex_name,
    listed,
    stops_of,
    typed,
    units_first,
)
from pbem_rules.stargard import orders as o
from pbem_rules.stargard.chart import DATA, chart_of
from pbem_rules.stargard.state import State

UNITS = UnitFinder(o.CODES, "23/11SS, Voigt")
_CHART = chart_of(DATA)
# What a word of the text is: p a place, w a way, u a unit, g one unit or several, each of which has an order of its
# own, l a list of units, f a formation; = as it is.
READ: dict[type[Order], str] = {
    o.SetUp: "up", o.Activate: "f", o.Move: "gw", o.Drive: "gp", o.Entrain: "gp", o.Exit: "g",
    o.Top: "u", o.Enter: "gp", o.Restore: "g", o.Rebuild: "up=", o.Lose: "u", o.GoBack: "lw", o.Follow: "uw",
    o.SetPost: "up", o.Fire: "u",
}  # fmt: skip
LISTS = ("with", "air", "power", "advance")  # of an attack: several words may follow
PARTS = (*LISTS, "at", "after", "unless", "ask")


def _folded(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {word.casefold(): key for word, key in names if word}


@cache
def _formations() -> dict[str, str]:
    """By key, headquarters, chit and name."""
    held = [(f.key, f) for f in _CHART.formations.values()]
    words = [(key, key) for key, _ in held] + [(f.name.replace(" ", "_"), key) for key, f in held]
    words += [(_CHART.units[f.hq].code, key) for key, f in held if f.hq >= 0]
    words += [(code, chit.formation) for code, chit in _CHART.chits.items() if chit.formation]
    return _folded(words)


CHITS = _folded((code, code) for code in _CHART.chits)
CHIT_CODES = tuple(_CHART.chits)
PLANES = _folded((code, code) for code in _CHART.planes)


def activated(text: str) -> str:
    verb, key = text.split(" ")
    return f"{verb} {_CHART.short(key)}"


def place_of(s: State, word: str) -> int | None:
    return places(s).find(word)


def places(s: State) -> PlaceFinder:
    return PlaceFinder(s.chart.board, "1714, Stargard")


def chit_name(order: Order, view: View[State]) -> str:
    """To its owner by its code, the chit that is laid aside."""
    assert isinstance(order, o.LayAside)
    deck = view.state.chits
    card = view.card(f"{deck.name}/{deck.epoch}/{order.place}")
    return f"lay {f'chit {order.place}' if card is None else CHIT_CODES[card]} aside for this turn"


STRUCK = Struck(lambda view, entry: f"the attack on {view.state.chart.board[entry.target]}")


class Named(Group[State]):
    """The exact texts of what was typed."""

    about = "places by name, units in any case: `move 22/10ss 21/10ss Stargard`, `attack pyritz with klein rein`"

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        word, *rest = words
        order = _ORDERS.get(word.casefold())
        if order is None or not rest:
            return None
        if order is o.LayAside:
            return (self._aside(rest[0], context),)
        if order is o.Attack:
            return (self._attack(rest, context.state),)
        texts = self._texts(READ[order], rest, context.state) if order in READ else []
        return tuple(NOTATION.verb_of[order].read([word.casefold(), *text]) for text in texts) or None

    def _texts(self, kinds: str, rest: list[str], s: State) -> Iterator[list[str]]:
        """For each order the words after the first."""
        board = places(s)
        first, more = kinds[0], list(kinds[1:])
        if first == "f":
            yield [_known("_".join(rest), _formations(), "formation", _CHART.short)]
        elif first == "u":
            yield [o.UNITS.word(UNITS.named(rest[0])), *self._ends(more, rest[1:], board)]
        else:
            named, behind = units_first(rest, lambda word: unit_of(s, word)) if more else (listed(rest), [])
            units = [o.UNITS.word(UNITS.named(word)) for word in named]
            ends = self._ends(more, behind, board)
            yield from [[",".join(units), *ends]] if first == "l" else [[unit, *ends] for unit in units]

    def _ends(self, kinds: list[str], rest: list[str], board: PlaceFinder) -> list[str]:
        """What stands behind the units."""
        if not kinds or not rest:
            return rest
        raw = rest[len(rest) - kinds.count("=") :] if "=" in kinds else []
        if len(raw) == len(rest):
            return rest
        words = rest[: len(rest) - len(raw)]
        if kinds[0] == "p":
            return [hex_name(board.named("_".join(words))), *raw]
        return ["-".join(hex_name(board.named(stop)) for stop in stops_of(words, board))]

    @staticmethod
    def _aside(word: str, context: Context[State]) -> Order:
        """A chit by its code, as its owner sees it; others see the place in which it lies."""
        if word.startswith("#"):
            return NOTATION.verb_of[o.LayAside].read(["aside", word])
        code = _known(word, CHITS, "chit")
        held = (number for number, _ in context.state.chits.cards(context.seat, context.own))
        place = next((at for at, number in enumerate(held) if CHIT_CODES[number] == code), None)
        if place is None:
            raise NotationError("unknown", f"{code} is not among the chits of which you can lay one aside.")
        return o.LayAside(place)

    def _attack(self, rest: list[str], s: State) -> Order:
        (_, target), *more = clauses(rest, PARTS)
        found = ["attack", hex_name(places(s).named("_".join(target)))]
        values: dict[str, Callable[[str], str]] = {
            "with": lambda word: o.UNITS.word(UNITS.named(word)),
            "air": lambda word: _known(word, PLANES, "air unit"),
            "power": lambda word: _known(word, PLANES, "air unit"),
            "advance": lambda word: _stop(word, s),
            "at": lambda word: word.removesuffix("+"),
        }
        for part, words in more:
            given = [values.get(part, str)(word) for word in listed(words)]
            if part == "with":
                given = sorted(set(given), key=o.UNITS.value)
            found += [part, ",".join(given)] if part in LISTS and given else [part, *given]
        return NOTATION.verb_of[o.Attack].read(found)


def unit_of(s: State, word: str) -> int | None:
    """The unit that a word means; not the beginning of its code if a place is called so."""
    return None if s.chart.board.place_named(word.replace("_", " ")) else UNITS.find(word)


def _stop(word: str, s: State) -> str:
    """Of an advance: a unit, or a hex."""
    unit = unit_of(s, word)
    return o.UNITS.word(unit) if unit is not None else hex_name(places(s).named(word))


def _known(word: str, known: dict[str, str], noun: str, name: Callable[[str], str] = str) -> str:
    found = known.get(word.casefold())
    if found is None:
        there = tuple(sorted({name(key) for key in known.values()}))
        kind = f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"
        raise NotationError("invalid", f"Not understood: {word!r} is not {kind}. There are {', '.join(there)}.", there)
    return found


def _notation() -> Notation[State]:
    lead = (o.SetUp, o.Move, o.Drive, o.Entrain, o.Enter, o.Rebuild, o.GoBack, o.Follow, o.SetPost)
    return Notation(
        *(Verb(order, shown=typed) for order in (*lead, o.Attack)),
        Verb(o.Activate, shown=activated),
        Verb(o.LayAside, says=chit_name),
        Verb(Strike, names={"number": STRUCK}, about="strike a waiting attack off the list", says=STRUCK.says),
        groups=(Named(),),
    )


NOTATION = _notation()
_ORDERS: dict[str, type[Order]] = {NOTATION.verb_of[order].word: order for order in [*READ, o.LayAside, o.Attack]}
