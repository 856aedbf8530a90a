"""How many fighters find a deck: an exact search over where the carriers go and whom they take (AA-5.34).

A carrier goes to one zone and takes at most two fighters there, so this is more than a matching of fighters to slots.
Fighters that can reach the same zones are alike; counting kinds of them keeps the search small. In the extreme, with
dozens of fighters at different places and a dozen carriers under way, it ends after `MOST` steps with the best that it
has found: the player, who has to show the way to land (AA-5.37), then narrows it by promises.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pbem_rules.axis1941.routes import places

MOST = 2_000  # steps of a search
FEW = 5  # fighters for whom no search takes as many
_KEPT = 16  # answers: at the end of a phase the same is asked several times


class Deck(NamedTuple):
    """A carrier, with the zones among which it may still choose and the places free on it.

    A carrier yet to be mobilised uses up a place of a yard (a complex): `yards` are the pairs of zone and yard.
    `ident` tells carriers apart; `here` is the zone that is taken first among equal ones.
    """

    ident: int
    room: int
    zones: int  # mask
    here: int = -1
    yards: tuple[tuple[int, int], ...] = ()


class Berth(NamedTuple):
    """In a plan: the carrier, its zone, and the fighters (by their place in the list given) that it takes."""

    ident: int
    zone: int
    fighters: tuple[int, ...]


@lru_cache(_KEPT)
def unlanded(fighters: tuple[int, ...], decks: tuple[Deck, ...], yards: tuple[int, ...] = ()) -> int:
    """How many of the fighters (masks of what each can reach) are left without a deck at best."""
    if len(fighters) == 1:
        return int(_first(fighters[0], decks, yards) is None)
    if in_turn(fighters, decks):
        return 0
    return Search(fighters, decks).best(0, yards)


@lru_cache(_KEPT)
def plan(fighters: tuple[int, ...], decks: tuple[Deck, ...], yards: tuple[int, ...] = ()) -> tuple[Berth, ...]:
    """A best use of the decks. Earlier decks are filled first, so that later ones are asked for only if needed."""
    if len(fighters) == 1:
        berth = _first(fighters[0], decks, yards)
        return () if berth is None else (berth,)
    return Search(fighters, decks).plan(yards)


def _first(fighter: int, decks: tuple[Deck, ...], yards: tuple[int, ...]) -> Berth | None:
    """Where a single fighter lands: on the first deck that can be within its reach."""
    for deck in decks:
        if deck.room < 1 or not deck.zones & fighter:
            continue
        for zone, yard in _spots(deck, fighter):
            if fighter >> zone & 1 and (yard is None or yards[yard]):
                return Berth(deck.ident, zone, (0,))
    return None


def in_turn(fighters: tuple[int, ...], decks: tuple[Deck, ...]) -> bool:
    """Is there room for a few if each goes, in turn, to the first deck that it and those before it can reach?

    As a rule there is. Of no more than a few, because what is asked is what the search finds, which may be tired.
    """
    if len(fighters) > FEW:
        return False
    zones, rooms = [deck.zones for deck in decks], [0 if deck.yards else deck.room for deck in decks]
    for fighter in fighters:
        for at, room in enumerate(rooms):
            if room > 0 and zones[at] & fighter:
                rooms[at] -= 1
                zones[at] &= fighter
                break
        else:
            return False
    return True


def _spots(deck: Deck, wanted: int) -> list[tuple[int, int | None]]:
    """The zones of a deck among those wanted, where it is first, each with the yard that it uses up, if any."""
    pairs = deck.yards or [(zone, None) for zone in places(deck.zones & wanted)]
    return sorted(pairs, key=lambda pair: pair[0] != deck.here)


Option = tuple[int, int | None, tuple[int, ...]]
"""A zone, the yard that it uses up if any, and the kinds of fighters served there."""


class Search:
    def __init__(self, fighters: tuple[int, ...], decks: tuple[Deck, ...]) -> None:
        useful = 0
        for deck in decks:
            useful |= deck.zones
        kinds: dict[int, list[int]] = {}
        for number, mask in enumerate(fighters):
            kinds.setdefault(mask & useful, []).append(number)
        self.kinds = sorted(kinds)
        self.members = [kinds[kind] for kind in self.kinds]
        self.left = tuple(map(len, self.members))
        wanted = 0
        for kind in self.kinds:
            wanted |= kind
        self.decks = [deck for deck in decks if deck.room > 0 and deck.zones & wanted]
        self.options = [self._options(deck, wanted) for deck in self.decks]
        self._known: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {}
        self._steps = 0
        self._rest = [(0, 0)]  # zones and room of the carriers from each one on
        for deck in reversed(self.decks):
            zones, room = self._rest[-1]
            self._rest.append((zones | deck.zones, room + deck.room))
        self._rest.reverse()

    def _options(self, deck: Deck, wanted: int) -> list[Option]:
        """Zone, yard and the kinds served there; of several that serve the same kinds from the same yard, the first."""
        found: dict[tuple[int | None, tuple[int, ...]], Option] = {}
        for zone, yard in _spots(deck, wanted):
            served = tuple(n for n, kind in enumerate(self.kinds) if kind >> zone & 1)
            if served:
                found.setdefault((yard, served), (zone, yard, served))
        kept = list(found.values())
        return [
            option
            for option in kept
            if not any(option[1] == other[1] and set(option[2]) < set(other[2]) for other in kept)
        ]

    def best(self, at: int, yards: tuple[int, ...], left: tuple[int, ...] | None = None) -> int:
        left = self.left if left is None else left
        lower = self.lower_bound(at, left)
        if lower == sum(left):
            return lower
        key = (at, left, yards)
        known = self._known.get(key)
        if known is None:
            self._steps += 1
            known = self.best(at + 1, yards, left) if not self._tired() else sum(left)  # the carrier takes none
            for _, rest, yards_left in self._fullest(at, left, yards):
                if known <= lower:
                    break
                known = min(known, self.best(at + 1, yards_left, rest))
                if self._tired():
                    break
            self._known[key] = known
        return known

    def _tired(self) -> bool:
        return self._steps > MOST

    def lower_bound(self, at: int, left: tuple[int, ...]) -> int:
        """At least so many are left over: those that no carrier can serve, and those for whom there is no room."""
        zones, room = self._rest[at]
        within = sum([count for kind, count in zip(self.kinds, left, strict=True) if kind & zones])
        return sum(left) - min(within, room)

    def _uses(
        self, at: int, option: Option, left: tuple[int, ...], yards: tuple[int, ...]
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """What is left when the carrier takes as many as it can there, by each choice of kinds."""
        _, yard, served = option
        if yard is not None:
            if not yards[yard]:
                return []
            yards = (*yards[:yard], yards[yard] - 1, *yards[yard + 1 :])
        rests = {left}
        for _ in range(min(self.decks[at].room, sum(left[n] for n in served))):
            rests = {(*rest[:n], rest[n] - 1, *rest[n + 1 :]) for rest in rests for n in served if rest[n]}
        return [(rest, yards) for rest in sorted(rests) if rest != left]

    def plan(self, yards: tuple[int, ...]) -> tuple[Berth, ...]:
        left, waiting, found = self.left, [list(members) for members in self.members], []
        for at, deck in enumerate(self.decks):
            goal = self.best(at, yards, left)
            for option, rest, yards_left in self._fullest(at, left, yards):
                if self.best(at + 1, yards_left, rest) == goal:
                    taken = [waiting[n].pop(0) for n in range(len(left)) for _ in range(left[n] - rest[n])]
                    found.append(Berth(deck.ident, option[0], tuple(sorted(taken))))
                    left, yards = rest, yards_left
                    break
        return tuple(found)

    def _fullest(
        self, at: int, left: tuple[int, ...], yards: tuple[int, ...]
    ) -> list[tuple[Option, tuple[int, ...], tuple[int, ...]]]:
        uses = [
            (option, rest, yards_left)
            for option in self.options[at]
            for rest, yards_left in self._uses(at, option, left, yards)
        ]
        return sorted(uses, key=lambda use: sum(use[1]))
