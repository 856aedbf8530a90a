"""NR-8.8 to NR-8.13 Stacking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import STAY, Ask, Frame, Known, Next, Out
from pbem_rules.noretreat.chart import AXIS, SIDES, SOVIET
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.orders import Leave
from pbem_rules.noretreat.state import DESTROYED, SHATTERED, State


def too_many(s: State, side: str, units: Sequence[int], place: int) -> bool:
    """Would these units be more than may rest in one place (NR-8.8, NR-8.10, NR-8.12)?"""
    counted = [unit for unit in units if "reserves" not in s.face(unit).traits]  # NR-14.10
    count = len(counted)
    if count <= 1:
        return False
    room = sum(effect.amount for effect in s.effect("room", side) if effect.at == place)
    if count > 2 + room:
        return True
    if side == AXIS:
        return False
    tanks = any(s.has(unit, "armour") for unit in counted)
    forts = [unit for unit in counted if s.has(unit, "fortified")]
    if tanks and any(s.unit(unit).by == "option" for unit in forts):
        return True  # NR-14.4
    if s.turn >= 23 or count <= 1 + room:
        return False
    # NR-8.9: a tank unit with one other that is not fortified.
    return s.turn < 11 or not tanks or bool(forts)


def fits(s: State, unit: int, place: int) -> bool:
    """NR-8.8: may the unit rest there beside its friends?"""
    side = s.unit(unit).side
    there = s.ground.stacks[place]
    if there and s.unit(there[0]).side != side:
        return False
    return unit in there or not too_many(s, side, (*there, unit), place)


def room_for(s: State, unit: int) -> int:
    """NR-8.8: the mask of places in which the unit may rest."""
    board, ground = s.chart.board, s.ground
    taken = board.in_mask(ground.occupied[AXIS] | ground.occupied[SOVIET])
    return ~board.mask(place for place in taken if not fits(s, unit, place))


def crowded(s: State) -> int:
    """The first place with too many units, 0 if there is none."""
    for place in s.ground.stacks:
        if 0 < place < 9900:
            there = s.ground.stacks[place]
            if too_many(s, s.unit(there[0]).side, there, place):
                return place
    return 0


class Thin(Ask[State, Frame, Leave]):
    """NR-8.11: who must leave a stack that is too large."""

    name = "excess"
    rule = "NR-8.11"
    no = "One of the units of the full stack must leave"
    forced = True
    default = "then weakest"
    answer_names = ("weakest",)
    preset = True

    def by(self, s: State, f: Frame) -> Sequence[str]:
        place = crowded(s)
        return (s.unit(s.ground.stacks[place][0]).side,) if place else ()

    def prompt(self, s: State, f: Frame, seat: str) -> str:
        place = crowded(s)
        codes = ", ".join(s.name(unit) for unit in s.ground.stacks[place])
        return f"Too many units in {s.chart.place_text(place)}: `leave UNIT` of {codes}."

    def options(self, s: State, f: Frame, seat: str) -> Iterator[Leave]:
        return map(Leave, s.ground.stacks[crowded(s)])

    def do(self, s: State, f: Frame, seat: str, order: Leave, out: Out) -> Next:
        send(s, order.unit, SHATTERED if s.supplied(order.unit) else DESTROYED, "overstacking", self.rule, out)
        return STAY

    def answers(self, s: State, f: Frame, seat: str, own: Known) -> Mapping[str, Leave]:
        units = s.ground.stacks[crowded(s)]
        return {"weakest": Leave(min(units, key=lambda u: (s.has(u, "armour"), s.face(u).strength, u)))}


class ThinMoved(Thin):
    name = "excess_moved"


class ThinFought(Thin):
    name = "excess_fought"


class ThinEnd(Thin):
    name = "excess_end"


class ThinUnloaded(Thin):
    name = "excess_unloaded"


class ThinPlaced(Thin):
    name = "excess_placed"


__all__ = ["SIDES", "Thin", "crowded", "fits", "too_many"]
