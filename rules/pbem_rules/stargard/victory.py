"""SG-14 Victory: the Soviet score, its levels, both sudden victories, forfeit."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import End, Out, Result
from pbem_rules.stargard.chart import GERMAN, LAST_TURN, SOVIET
from pbem_rules.stargard.events import Finished, Note, PlaceTaken
from pbem_rules.stargard.state import EXITED, LONG_GAME, SUPPLIED, State
from pbem_rules.stargard.supply import joined

ARNSWALDE = 2608
GATES = (2101, 3401)  # the Soviet sources south of it (SG-14.2.1)
SIEGE = 3  # the last turn in which units leave the map (SG-14.2.1)
EXITS = 3
RELIEF = 3  # points for them in a game of ten turns at least (SG-16.2)
STETTIN = "stettin"

LEVEL_NAMES = {
    "german_decisive": "a decisive German victory",
    "german_marginal": "a marginal German victory",
    "draw": "a draw",
    "soviet_marginal": "a marginal Soviet victory",
    "soviet_decisive": "a decisive Soviet victory",
}


def markers(s: State) -> int:
    """SG-14.3.1: the points of the markers that the Soviets hold, as each was when they took it."""
    return sum(s.prizes.values())


def score(s: State) -> int:
    """SG-14.3.1, SG-12.6d, SG-16: the Soviet score; half points are rounded down at the end."""
    return markers(s) - s.reports - RELIEF * s.relieved + s.halves // 2


def take_along(s: State, unit: int, way: Iterable[int], out: Out) -> None:
    """SG-1.5.5, SG-14.3.1: a combat unit takes the settlements on its way; what that is worth."""
    side, before = s.side(unit), markers(s)
    for place in () if s.is_hq(unit) else way:
        if s.holders.get(place, side) != side:
            s.take(side, place)
            after = markers(s)
            out.add(PlaceTaken(side=side, place=str(s.chart.board[place]), points=after - before, rule="SG-1.5.5"))
            before = after


def held(s: State) -> int:
    """What the markers in German hands would give to the Soviets now."""
    return sum(prize.worth(s.turn) for place, prize in s.chart.prizes.items() if place not in s.prizes)


def scores(s: State) -> tuple[tuple[str, int], ...]:
    return (GERMAN, held(s)), (SOVIET, score(s))


def winner(level: str) -> str | None:
    return next((side for side in (GERMAN, SOVIET) if level.startswith(side)), None)


def finish(s: State, side: str | None, how: str, text: str, rule: str, out: Out) -> End:
    out.add(Finished(how=how, score=score(s), text=text, rule=rule))
    return End(Result(side, how, scores(s)))


def last_count(s: State, out: Out) -> End:
    """SG-14.1: after turn 10."""
    level = s.chart.level(score(s))
    return finish(s, winner(level), level, f"The game ends with {LEVEL_NAMES[level]}.", "SG-14.1", out)


def lift_siege(s: State, out: Out) -> None:
    """SG-14.2.1: at the end of turns 1 and 2: does a path lead from Arnswalde to Stettin? In turn 3 it is too late.

    The supply that the fortress gives does not count. A siege that is closed again by then is not lifted any more.
    """
    was = s.lifted
    path = joined(s, "sspz3") & s.chart.board.bit[ARNSWALDE]
    s.lifted = s.turn < SIEGE and s.holders[ARNSWALDE] == GERMAN and bool(path)
    if s.lifted:
        text = f"Arnswalde is relieved: in turn {s.turn + 1} German units may leave the map."
        out.add(Note(text=text, rule="SG-14.2.1"))
    elif was and s.turn < SIEGE:
        out.add(Note(text="Arnswalde is besieged again.", rule="SG-14.2.1"))


def may_leave(s: State) -> bool:
    """SG-14.2.1, SG-16.2: may German combat units leave the map now?"""
    return s.lifted and s.turn <= SIEGE and s.holders[ARNSWALDE] == GERMAN and not s.relieved


def after_exit(s: State, out: Out) -> End | None:
    """SG-14.2.1, SG-16.2: the third unit that leaves the map ends the game, or costs the Soviets three points."""
    if sum(s.at(unit) == EXITED for unit in s.chart.own[GERMAN]) < EXITS:
        return None
    if LONG_GAME in s.options:
        s.relieved = True
        out.add(Note(text=f"Three units have left the map: the Soviets lose {RELIEF} points.", rule="SG-16.2"))
        return None
    text = "Arnswalde is relieved and three units have left the map: the Germans win."
    return finish(s, GERMAN, "relief of Arnswalde", text, "SG-14.2.1", out)


def stettin_falls(s: State, out: Out) -> End | None:
    """SG-14.2.2: a supplied Soviet combat unit in Stettin at the end of a turn; not in a game of ten turns."""
    if LONG_GAME in s.options:
        return None
    for place in s.chart.map.regions[STETTIN].places:
        if any(s.pieces[unit].supply == SUPPLIED for unit in s.combat_units(place, SOVIET)):
            return finish(s, SOVIET, "Stettin", "Soviet troops hold Stettin: the Soviets win.", "SG-14.2.2", out)
    return None


def end_of_game(s: State, out: Out) -> End | None:
    """SG-14.0, SG-14.1, SG-14.2.2: what ends the game at the end of a turn."""
    return stettin_falls(s, out) or (last_count(s, out) if s.turn == LAST_TURN else None)


def forfeit(s: State, seats: tuple[str, ...]) -> Result:
    left = {GERMAN, SOVIET} - set(seats)
    return Result(next(iter(left)) if len(left) == 1 else None, "forfeit", scores(s))
