"""Round robin by Berger's tables: everybody meets everybody, and sides alternate as far as they can."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import Entrant, Pair, Pairing


def table(places: int, round: int) -> tuple[tuple[int, int], ...]:
    """Round `round` of the table for an even number of places, first sides first. The last place stands still."""
    turning = places - 1
    still = (round - 1) * (places // 2) % turning + 1
    pairs = [(still, places) if round % 2 else (places, still)]
    for step in range(1, places // 2):
        pairs.append(((still - 1 + step) % turning + 1, (still - 1 - step) % turning + 1))
    return tuple(pairs)


def cycle_rounds(entrants: int) -> int:
    """Rounds until everybody has met everybody."""
    return max(1, entrants - 1 + entrants % 2) if entrants > 1 else 0


def pair(entrants: Sequence[Entrant], round: int, rounds: int) -> Pairing:
    """Those who have withdrawn keep their place in the table; who would meet them has no game."""
    places = len(entrants) + len(entrants) % 2
    length = cycle_rounds(len(entrants))
    if not length:
        raise UmpireError("E-UMPIRE-PAIRING", "A round robin needs at least two entrants.")
    cycle, turn = divmod(round - 1, length)
    row = turn + 1
    if cycle == 0 and rounds > length > 2 and turn >= length - 2:
        row = 2 * length - 2 - turn  # the last two exchanged, so that nobody holds a side three times on end
    pairs: list[Pair] = []
    notes: list[str] = []
    for board in table(places, row):
        one, other = board if cycle % 2 == 0 else board[::-1]
        sides = [entrants[place - 1] if place <= len(entrants) else None for place in (one, other)]
        here = [entrant for entrant in sides if entrant is not None and not entrant.out]
        if len(here) == 2:
            why = f"Berger's table for {places}, round {row}: place {one} has the first side against place {other}."
            if cycle % 2:
                why += " The table is gone through again with the sides changed."
            pairs.append(Pair(here[0].number, here[1].number, (why,)))
        elif here:
            gone = next((entrant for entrant in sides if entrant is not None and entrant.out), None)
            because = "the number of entrants is odd" if gone is None else f"{gone.name} has withdrawn"
            pairs.append(Pair(here[0].number, None, (f"No game in this round: {because}.",)))
    if cycle == 0 and row != turn + 1:
        notes.append(f"Rounds {length - 1} and {length} of the table are exchanged, so that sides alternate better.")
    pairs.sort(key=lambda each: each.second is None)
    return Pairing(round, tuple(pairs), tuple(notes))
