"""Places and units as players type them: in any case, by the beginning of a name; and what may have been meant.

```
 Stargard, stargard, 1714, starg        one place: the beginning of a name is enough if no other begins so
  23/11ss, klein, 61                     23/11SS, Klein/Den, 61-HQ: the beginning of a unit's code is enough, too
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pbem.engine.notation import NotationError
from pbem.kit.board import Board

LEAST = 3  # letters with which the beginning of a name is one
NEAR = 3  # names that may have been meant


def _close(word: str, names: Iterable[str]) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(word, list(names), NEAR)


class PlaceFinder:
    """The places of a board by number or name, with underscores for spaces. `example`: how they may be written."""

    def __init__(self, board: Board, example: str) -> None:
        self._board, self._example = board, example

    def find(self, word: str) -> int | None:
        found = self._board.place_named(word.replace("_", " "))
        if found is not None:
            return found
        near = self._begun(word)
        return near[0] if len(near) == 1 else None

    def named(self, word: str) -> int:
        """The place, or which may have been meant."""
        found = self.find(word)
        if found is None:
            raise self._unknown(word)
        return found

    def _begun(self, word: str) -> list[int]:
        if word.isdigit() or len(word) < LEAST:
            return []
        start, places = word.replace("_", " ").casefold(), self._board.places.values()
        return [place.id for place in places if place.name and place.name.casefold().startswith(start)]

    def _unknown(self, word: str) -> NotationError:
        if word.isdigit():
            return NotationError(
                "invalid", f"Not understood: {word!r} is not a place on the map. Hexes have four digits."
            )
        several = tuple(str(self._board[place]) for place in self._begun(word))
        if several:
            return NotationError("ambiguous", f"{word!r} may be {', '.join(several)}.", several)
        names = (place.name for place in self._board.places.values() if place.name)
        near = _close(word.replace("_", " ").title(), names)
        hint = (
            f"Did you mean {' or '.join(near)}?" if near else f"Places are written by number or name: {self._example}."
        )
        return NotationError("invalid", f"Not understood: {word!r} is not a place on the map. {hint}", tuple(near))


class UnitFinder:
    """Units by their codes, which are different in any case. `example`: two of them.

    The part before a slash or a dash is enough, or three letters, if no other code begins with them.
    """

    def __init__(self, codes: Mapping[str, int], example: str) -> None:
        self._codes, self._example = codes, example
        self._folded = {code.casefold(): code for code in codes}

    def find(self, word: str) -> int | None:
        folded = word.casefold()
        if folded in self._folded:
            return self._codes[self._folded[folded]]
        begun = [code for code in self._folded if folded and code.startswith(folded)]
        near = [code for code in begun if code.startswith((f"{folded}/", f"{folded}-"))]
        near = begun if not near and len(word) >= LEAST else near
        return self._codes[self._folded[near[0]]] if len(near) == 1 else None

    def named(self, word: str, here: Callable[[int], bool] | None = None) -> int:
        """The unit, or which may have been meant. `here`: whether a unit is in the game now."""
        found = self.find(word)
        if found is None:
            names = [folded for folded, code in self._folded.items() if here is None or here(self._codes[code])]
            near = tuple(self._folded[code] for code in _close(word.casefold(), names))
            hint = (
                f"Did you mean {' or '.join(near)}?"
                if near
                else f"Units are written by the codes on the board: {self._example}."
            )
            raise NotationError("invalid", f"Not understood: {word!r} is not a unit. {hint}", near)
        return found


# Lines of orders, word by word


def typed(text: str) -> str:
    """An order's text as players write it: lists with spaces."""
    return text.replace(",", " ")


def listed(words: Iterable[str]) -> list[str]:
    """Each word of lists, which are written with commas or with spaces."""
    return [word for part in words for word in part.split(",") if word]


def units_first(words: Sequence[str], find: Callable[[str], object]) -> tuple[list[str], list[str]]:
    """The units with which a line begins, at least one, and the rest of the line, from the first other word."""
    others = (n for n, word in enumerate(words) if n and None in map(find, listed([word])))
    cut = next(others, len(words))
    return listed(words[:cut]), list(words[cut:])


def stops_of(words: Iterable[str], places: PlaceFinder) -> list[str]:
    """The places of a way, with hyphens or spaces between them; words that alone name no place form one name."""
    parts = [part.split() for part in " ".join(words).split("-")]
    return [stop for part in parts for stop in (part if all(map(places.find, part)) else ["_".join(part)])]


def clauses(words: Sequence[str], keywords: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """A line cut at its keywords: each with the words after it; first the words before any keyword, with none."""
    known, keyword, held = {*keywords}, "", list[str]()
    for word in words:
        if word.casefold() in known:
            yield keyword, held
            keyword, held = word.casefold(), []
        else:
            held.append(word)
    yield keyword, held
