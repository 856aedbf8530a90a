"""Standings with tie-breaks in any order.

Points are counted in half points, figures are exact. Unplayed rounds count as in the rules of chess (FIDE) of 2009 to
2023. For the player's own tie-breaks, the opponent in such a round is a virtual player who had the same points before
it, gets the complementary result in it, and draws every later round. In the tie-breaks of the player's opponents, an
unplayed round of the player counts as a draw. `unplayed="plain"` counts everything as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import WIN, Entrant, Played
from pbem.umpire.pairing.tally import check_entrants, place

DEFAULT_ORDER: Final = ("points", "direct", "buchholz", "sonneborn", "wins", "balance")
CRITERIA: Final[dict[str, str]] = {
    "points": "points",
    "direct": "points of the games among those who are still level, if all of them have met",
    "buchholz": "points of all opponents",
    "cut1": "points of all opponents but the weakest",
    "median": "points of all opponents but the weakest and the strongest",
    "sonneborn": "points of the opponents, each times what was scored against them",
    "wins": "games won by play",
    "balance": "the difference between the games played with each side; less is better",
    "seconds": "games played with the second side",
    "progress": "sum of the points after each round",
}
Unplayed = Literal["virtual", "plain"]


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant. Those whom no criterion parts share a place. `figures` stand in the order of the criteria; None:
    the criterion was not asked, or does not apply."""

    place: int
    number: int
    name: str
    out: bool
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    figures: tuple[Fraction | None, ...]


@dataclass(slots=True)
class _Sum:
    """What an entrant's games add up to."""

    entrant: Entrant
    points: int = 0
    adjusted: int = 0  # what they bring to those who met them
    won: int = 0
    drawn: int = 0
    lost: int = 0
    firsts: int = 0
    seconds: int = 0
    met: list[tuple[int, int]] = field(default_factory=list)  # opponent, points against them; of games that count
    unplayed: list[tuple[int, int, int]] = field(default_factory=list)  # round, points in it, games it stands for
    by_round: dict[int, int] = field(default_factory=dict)
    against: dict[int, int] = field(default_factory=dict)  # opponent -> points against them in all games


def standings(
    entrants: Sequence[Entrant],
    played: Iterable[Played],
    order: Sequence[str] = DEFAULT_ORDER,
    *,
    lead: Mapping[int, int] | None = None,
    unplayed: Unplayed = "virtual",
    mirrored: bool = False,
) -> tuple[Row, ...]:
    """Best first. `lead` ranks before every criterion (the stage of a knockout, the rung of a ladder)."""
    check_order(order)
    ordered = check_entrants(entrants)
    games = sorted(played, key=place)
    table = _Table(ordered, games, 2 if mirrored else 1, unplayed)
    ranks = lead or {}
    groups = _split([each.number for each in ordered], lambda number: Fraction(ranks.get(number, 0)))
    figures: dict[int, list[Fraction | None]] = {each.number: [] for each in ordered}
    for criterion in order:
        parted: list[list[int]] = []
        for group in groups:
            parted += table.direct(group, figures) if criterion == "direct" else table.part(criterion, group, figures)
        groups = parted
    rows: list[Row] = []
    for group in groups:
        at = len(rows) + 1
        for number in group:
            one = table.sums[number]
            count = one.won + one.drawn + one.lost
            rows.append(
                Row(
                    at,
                    number,
                    one.entrant.name,
                    one.entrant.out,
                    one.points,
                    count,
                    one.won,
                    one.drawn,
                    one.lost,
                    tuple(figures[number]),
                )
            )
    return tuple(rows)


def check_order(order: Sequence[str]) -> None:
    unknown = [criterion for criterion in order if criterion not in CRITERIA]
    if unknown:
        raise UmpireError("E-UMPIRE-TERMS", f"There is no tie-break {unknown[0]!r}; there are {', '.join(CRITERIA)}.")
    if not order or order[0] != "points" or len(set(order)) != len(order):
        raise UmpireError("E-UMPIRE-TERMS", "The order of standings begins with points and names nothing twice.")


def annulled(entrants: Sequence[Entrant], played: Iterable[Played], rounds: int) -> tuple[Played, ...]:
    """Without the games of those who withdrew before they had played in half of `rounds`: so that in a round robin
    nobody gains by having met them."""
    games = sorted(played, key=place)
    active: dict[int, set[int]] = {entrant.number: set() for entrant in entrants}
    for game in games:
        if game.second is not None and not game.forfeit:
            for number in {game.first, game.second} & active.keys():
                active[number].add(game.round)
    void = {entrant.number for entrant in entrants if entrant.out and 2 * len(active[entrant.number]) < rounds}
    return tuple(game for game in games if game.first not in void and game.second not in void)


class _Table:
    def __init__(self, entrants: Sequence[Entrant], games: Sequence[Played], width: int, unplayed: Unplayed) -> None:
        self.sums = {entrant.number: _Sum(entrant) for entrant in entrants}
        self.rounds = max((game.round for game in games), default=0)
        self.width = width
        self.plain = unplayed == "plain"
        for game in games:
            self._take(game)

    def _take(self, game: Played) -> None:
        first = self._sum(game, game.first)
        if game.second is None:
            self._score(first, game, game.first_points)
            if not self.plain:
                first.unplayed.append((game.round, game.first_points, self.width))
            first.adjusted += game.first_points if self.plain else self.width
            return
        second = self._sum(game, game.second)
        for one, other, points, side in (
            (first, second, game.first_points, 1),
            (second, first, game.second_points, -1),
        ):
            self._score(one, game, points)
            one.against[other.entrant.number] = one.against.get(other.entrant.number, 0) + points
            if game.forfeit and not self.plain:
                one.unplayed.append((game.round, points, 1))
                one.adjusted += 1
            else:
                one.met.append((other.entrant.number, points))
                one.adjusted += points
            if not game.forfeit:
                one.firsts += side > 0
                one.seconds += side < 0
                one.won += points >= WIN
                one.drawn += points == 1
                one.lost += points <= 0

    def _sum(self, game: Played, number: int) -> _Sum:
        if number not in self.sums:
            raise UmpireError(
                "E-UMPIRE-TERMS", f"Round {game.round} has a game of entrant {number}, who is not listed."
            )
        return self.sums[number]

    @staticmethod
    def _score(one: _Sum, game: Played, points: int) -> None:
        one.points += points
        one.by_round[game.round] = one.by_round.get(game.round, 0) + points

    def part(self, criterion: str, group: list[int], figures: dict[int, list[Fraction | None]]) -> list[list[int]]:
        for number in group:
            figures[number].append(self.figure(criterion, self.sums[number]))
        sign = -1 if criterion == "balance" else 1
        return _split(group, lambda number: sign * (figures[number][-1] or Fraction(0)))

    def figure(self, criterion: str, one: _Sum) -> Fraction:
        if criterion == "points":
            return Fraction(one.points, 2)
        if criterion == "wins":
            return Fraction(one.won)
        if criterion == "balance":
            return Fraction(abs(one.firsts - one.seconds))
        if criterion == "seconds":
            return Fraction(one.seconds)
        if criterion == "progress":
            return Fraction(sum((self.rounds + 1 - at) * points for at, points in one.by_round.items()), 2)
        strengths = sorted(self.strengths(one))
        if criterion == "sonneborn":
            return Fraction(sum(strength * points for strength, points in strengths), 4)
        kept = [strength for strength, _ in strengths]
        if criterion != "buchholz":
            kept = kept[1:]
        if criterion == "median":
            kept = kept[:-1]
        return Fraction(sum(kept), 2)

    def strengths(self, one: _Sum) -> list[tuple[int, int]]:
        """Half points of every opponent, virtual ones too, with the half points scored against them, game by game."""
        found = [(self.sums[other].adjusted, points) for other, points in one.met]
        for at, points, games in one.unplayed:
            before = sum(scored for round, scored in one.by_round.items() if round < at)
            virtual = before + 2 * self.width - one.by_round[at] + self.width * (self.rounds - at)
            found += [(virtual, points // games + (game < points % games)) for game in range(games)]
        return found

    def direct(self, group: list[int], figures: dict[int, list[Fraction | None]]) -> list[list[int]]:
        """Those who are level, by their games among each other; who is still level then, once more among themselves."""
        scores = self._among(group)
        for number in group:
            figures[number].append(None if scores is None else scores[number])
        if scores is None:
            return [group]
        parted = _split(group, scores.__getitem__)
        return [part for each in parted for part in (self._again(each) if len(parted) > 1 else [each])]

    def _again(self, group: list[int]) -> list[list[int]]:
        scores = self._among(group)
        parted = [group] if scores is None else _split(group, scores.__getitem__)
        return [group] if len(parted) == 1 else [part for each in parted for part in self._again(each)]

    def _among(self, group: list[int]) -> dict[int, Fraction] | None:
        if len(group) < 2:
            return None
        sums = self.sums
        if any(other not in sums[one].against for one in group for other in group if one != other):
            return None
        return {one: Fraction(sum(sums[one].against[other] for other in group if other != one), 2) for one in group}


def _split(group: Sequence[int], figure: Callable[[int], Fraction]) -> list[list[int]]:
    """Into those who are level, best first, each in the order of numbers."""
    by_figure: dict[Fraction, list[int]] = {}
    for number in sorted(group):
        by_figure.setdefault(figure(number), []).append(number)
    return [by_figure[key] for key in sorted(by_figure, reverse=True)]
