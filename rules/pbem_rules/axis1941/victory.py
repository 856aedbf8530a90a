"""AA-1.10 to 1.15 Victory; and what a resignation comes to."""

from __future__ import annotations

from pbem.game import DONE, Auto, End, Next, Out, Result
from pbem_rules.axis1941.events import Finished
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import OTHER, POWERS, SIDE, TITLES, Power, Side

# At the end of whose turn a side wins, and which capitals count in the standard and in the short game.
TEST = {Power.JAPAN: Side.ALLIES, Power.USA: Side.AXIS}  # AA-1.11, AA-1.12
SHORT = {Side.ALLIES: (Power.GERMANY, Power.JAPAN), Side.AXIS: (Power.UK, Power.USA)}  # AA-1.13: not Moscow
NEEDED = 2


def taken(s: State, side: Side) -> list[Power]:
    """The enemy powers whose capitals the side holds (AA-1.15: whichever of its powers)."""
    return [power for power in POWERS if SIDE[power] is not side and s.capital_lost(power)]


def won(s: State, side: Side) -> bool:
    held = taken(s, side)
    return any(power in SHORT[side] for power in held) if s.short else len(held) >= NEEDED


def goal_lines(s: State) -> list[str]:
    """AA-1.11 to 1.14: what each side needs, when that is looked at, and what it has of it."""
    lines = []
    for turn, side in TEST.items():
        goals = SHORT[side] if s.short else [power for power in POWERS if SIDE[power] is not side]
        named = [s.chart.territories[s.chart.capital[power]].capital for power in goals]
        held = [name for power, name in zip(goals, named, strict=True) if s.capital_lost(power)]
        needed = 1 if s.short else NEEDED
        lines.append(
            f"The {'Axis wins' if side is Side.AXIS else 'Allies win'} with "
            f"{needed} of {', '.join(named)} at the end of {TITLES[turn]}'s turn (now {len(held)})."
        )
    return lines


def result(s: State, winner: Side, how: str) -> Result:
    scores = tuple((side.value, sum(s.production(p) for p in POWERS if SIDE[p] is side)) for side in Side)
    return Result(winner.value, how, scores)


class Victory(Auto[State, Turn]):
    rule = "AA-1.14"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        side = TEST.get(f.power)
        if side is None or not won(s, side):
            return DONE
        names = tuple(s.chart.territories[s.chart.capital[power]].capital for power in taken(s, side))
        out.add(Finished(winner=side, capitals=names, round=s.round, rule=self.rule))
        return End(result(s, side, "capitals"))


def forfeit(s: State, seats: tuple[str, ...]) -> Result:
    """A side whose player gives up loses."""
    return result(s, OTHER[SIDE[Power(seats[0])]], "forfeit")
