"""S42-9.3: the air units of the Axis: which can fly, how far, with whom they stay, and when they are used up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.game import Rows, Violation
from pbem.kit import Shift
from pbem_rules.stalingrad42.chart import AXIS, CLEAR_SKY, GAL, GROUNDED, ROMANIAN_AIR, WING_LOST, WINGS
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import place_name
from pbem_rules.stalingrad42.state import READY, USED, State

STRIKE = Shift(1, "S42-9.3.3", "air support")
COVER = Shift(-1, "S42-9.3.4", "air support of the defender")


def refresh(s: State) -> None:
    """S42-3.B1b, S42-9.3.1: as many as the weather lets fly are ready in their box; the others stay out.

    S42-9.3.8: the Romanian one flies in clear weather; S42-33.2.1a: it leaves with the Soviet offensive.
    """
    track = s.chart.track
    number = 0 if GROUNDED in track[s.turn].marks else s.chart.air[s.weather]  # S42-S2.2a
    lost = sum(turn <= s.turn for turn in track.marked(WING_LOST))  # S42-9.3.9
    wings = WINGS[: min(number, len(WINGS) - lost)]
    romanian = s.weather == CLEAR_SKY and not s.offensive and any(t <= s.turn for t in track.marked(ROMANIAN_AIR))
    s.wings = Rows(dict.fromkeys((*wings, GAL) if romanian else wings, READY))


def bases(s: State) -> int:
    """S42-9.3.5: the mask of the cities, towns and landmarks on a railway that is joined to a source.

    None of them is the enemy's: such a hex would not be joined.
    """
    own = (place for place in s.chart.stops if s.holders.get(place, AXIS) == AXIS)
    return connected(s, AXIS) & s.chart.board.mask(own)


def reach(s: State) -> int:
    """S42-9.3.5: the mask of the hexes that air units of the box can fly to."""
    far = s.chart.figures["air"]
    return s.chart.ranges.of((base, far) for base in s.chart.board.in_mask(bases(s)))


def romanian(s: State, units: Sequence[int]) -> bool:
    """S42-9.3.8: are most of the attackers, or is the leader of the defence, Romanian?"""
    return 2 * sum(s.chart.nation(unit) == "romanian" for unit in units) > len(units)


def fit(s: State, target: int, *, defends: bool, units: Sequence[int] = ()) -> tuple[str, ...]:
    """The air units that can help in a combat over a hex: of the box; in defence of those beside it too.

    `units`: who attacks, or leads the defence, for the Romanian one (S42-9.3.8).

    S42-9.3.7d: one that has not flown in the Axis phase covers any hex in reach; S42-9.3.7b: one that has stayed with
    units those within a hex of them; in an Area they are beside the hexes of its edge (S42-22.7a).
    """
    board = s.chart.board
    near = bool(board.bit[target] & reach(s))

    def can(where: int) -> bool:
        if where == READY:
            return near
        return defends and where != USED and target in (s.at(where), *board.near[s.at(where)])

    wings = (*WINGS, GAL) if romanian(s, units) else WINGS
    return tuple(wing for wing in wings if wing in s.wings and can(s.wings[wing]))


def no_air(s: State, wing: str, target: int, units: Sequence[int]) -> Violation | None:
    """Why an air unit cannot help in an attack."""
    if s.wings.get(wing) != READY:
        return Violation("S42-9.3.3", f"{wing} is not ready in its box")
    if wing == GAL and not romanian(s, units):
        return Violation("S42-9.3.8", f"{wing} helps only attacks in which most units are Romanian")
    if wing not in fit(s, target, defends=False, units=units):
        far = s.chart.figures["air"]
        return Violation("S42-9.3.5", f"{place_name(target)} lies more than {far} hexes from all bases on a railway")
    return None


def stay(s: State, wing: str, units: Iterable[int]) -> None:
    """S42-9.3.7b: after an attack a German one stays with the stack that has most steps of tanks.

    `units`: those who have advanced, or if nobody has, those who have attacked. It returns if nobody is left.
    """
    if wing == GAL:  # S42-9.3.6
        s.wings[wing] = USED
        return
    left = [unit for unit in units if s.on_map(unit)]
    if not left:
        return

    def steps(unit: int) -> int:
        return sum(s.pieces[u].steps for u in s.of(AXIS, s.at(unit)) if s.has(u, "tank"))

    s.wings[wing] = max(left, key=lambda unit: (steps(unit), s.has(unit, "tank"), -unit))


def spend(s: State, wing: str) -> None:
    """S42-9.3.6: after it has helped a defence."""
    s.wings[wing] = USED
