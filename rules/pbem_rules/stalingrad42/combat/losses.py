"""S42-10.2, S42-10.3: who can be chosen to lose a step, whom one chooses, and what becomes of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Goto, Known, Next, Order, Out, Violation
from pbem.kit import ISOLATED, InMiddle, StepLost, TakeSteps, all_of, victims
from pbem_rules.stalingrad42.chart import ASU
from pbem_rules.stalingrad42.combat.odds import adding
from pbem_rules.stalingrad42.combat.retreat import Routes, routes
from pbem_rules.stalingrad42.frames import Losses
from pbem_rules.stalingrad42.orders import AS_REMNANT, IN_BOX, Keep, Lose, place_name
from pbem_rules.stalingrad42.state import ROUTED, State, other


def lose_step(s: State, unit: int, rule: str, out: Out, *, remnant: bool = True) -> None:
    place = s.at(unit)
    s.lose_step(unit, remnant=remnant)
    out.add(StepLost(unit=s.code(unit), hex=place, left=s.pieces[unit].steps, rule=rule))


def may_lose(s: State, units: Iterable[int]) -> tuple[int, ...]:
    """S42-10.2.1: the defenders that can be chosen; nobody in Full Retreat."""
    return choosable(s, [unit for unit in adding(s, units) if s.pieces[unit].order != ROUTED])


def choosable(s: State, units: Sequence[int]) -> tuple[int, ...]:
    """S42-10.2.3, S42-20.5.2: support only if nobody else is left; a reduced ally not while a whole German is there."""
    line = [unit for unit in units if not s.has(unit, ASU)] or units
    whole = any(_german(s, unit) and s.pieces[unit].steps == s.whole(unit) for unit in line)
    spared = [unit for unit in line if whole and not _german(s, unit) and s.pieces[unit].steps == 1 < s.whole(unit)]
    return tuple(unit for unit in line if unit not in spared)


def _german(s: State, unit: int) -> bool:
    return s.chart.nation(unit) == "german"


def worth(s: State, unit: int) -> int:
    """Of the face that shows: attack and defence, more for tanks."""
    face = s.face(unit)
    return face.attack + face.defence + (3 if s.has(unit, "red") else 1 if s.has(unit, "black") else 0)


def drop(s: State, unit: int) -> int:
    """What a step loss costs: the worth that it takes, all of a unit that is destroyed, more if one step is left."""
    steps = s.pieces[unit].steps
    if steps == 1:
        return worth(s, unit)
    now, then = s.face(unit), s.counter(unit).face(steps - 1)
    return now.attack + now.defence - then.attack - then.defence + 2 * (steps == 2)


def dearest(s: State, units: Sequence[int]) -> int:
    """S42-10.2.2, the opponent's choice: a unit that dies, else elite tanks, else whom it costs most."""
    return max(units, key=lambda u: (s.pieces[u].steps == 1, s.has(u, "red"), drop(s, u), -u))


def cheapest(s: State, units: Sequence[int]) -> int:
    """S42-10.2.2, one's own choice: no last step, no tanks, whom it costs least."""
    return min(units, key=lambda u: (s.pieces[u].steps == 1, s.has(u, "tank"), drop(s, u), u))


class TakeLoss(InMiddle, TakeSteps[State, Losses, Lose]):
    """S42-10.2.2: by the owner or the opponent."""

    name = "loss"
    rule = "S42-10.2"
    default = "when own = 1 then cheapest; then dearest"
    fact_names = ("own", "attacks", "hex", "units")
    answer_names = ("cheapest", "dearest")

    def picks(self, s: State, f: Losses) -> str:
        return f.chooser

    def prompt(self, s: State, f: Losses, seat: str) -> str:
        codes = all_of(map(s.code, victims(s, f)))
        return f"{codes} in {place_name(s.at(victims(s, f)[0]))}: who loses a step? `lose UNIT`."

    def says(self, s: State, f: Losses, seat: str, order: Order) -> str:
        if isinstance(order, Lose) and s.pieces[order.unit].steps == 1:
            return f"Lose the last step of {s.code(order.unit)}: it is destroyed"
        return super().says(s, f, seat, order)

    def order(self, unit: int) -> Lose:
        return Lose(unit)

    def why(self, s: State, f: Losses, seat: str, order: Lose) -> Violation:
        can = all_of(map(s.code, victims(s, f)))
        return Violation(f.rule, f"{s.code(order.unit)} cannot take this loss; it can be {can}")

    def take(self, s: State, f: Losses, order: Lose, out: Out) -> Next:
        if s.may_be_remnant(order.unit):
            f.dying = order.unit
            return DONE
        lose_step(s, order.unit, f.rule, out)
        return STAY

    def facts(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, int]:
        can = victims(s, f)
        return {"own": int(seat == f.side), "attacks": int(seat == f.attacker), "hex": s.at(can[0]), "units": len(can)}

    def answers(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, Lose]:
        can = victims(s, f)
        return {"cheapest": Lose(cheapest(s, can)), "dearest": Lose(dearest(s, can))}


class Remains(InMiddle, Ask[State, Losses, Keep]):
    """S42-10.4: a Remnant of the unit, or the unit in the Eliminated Box, where a replacement brings it back.

    By standing order the box if it is isolated, in desperate defence, or a Remnant would retreat beside the enemy.
    """

    name = "remnant"
    rule = "S42-10.4"
    default = "when isolated = 1 then box; when desperate = 1 then box; when beset = 1 then box; then keep"
    fact_names = ("isolated", "desperate", "beset", "hex")
    answer_names = ("keep", "box")

    def by(self, s: State, f: Losses) -> Sequence[str]:
        return () if f.dying is None else (f.side,)

    def prompt(self, s: State, f: Losses, seat: str) -> str:
        assert f.dying is not None
        where = "does a Remnant stay on the map, or does all of it go to the Eliminated Box, to come back later?"
        return f"{s.code(f.dying)} loses its second step: {where} `keep remnant`, or `keep box`."

    def options(self, s: State, f: Losses, seat: str) -> Iterator[Keep]:
        return map(Keep, (AS_REMNANT, IN_BOX))

    def do(self, s: State, f: Losses, seat: str, order: Keep, out: Out) -> Next:
        assert f.dying is not None
        lose_step(s, f.dying, f.rule, out, remnant=order.what == AS_REMNANT)
        f.dying = None
        return Goto(TakeLoss)

    def facts(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, int]:
        """`beset`: each way back leads through an enemy zone, or none is left."""
        assert f.dying is not None
        zone, mask = s.zone(other(f.side)), s.chart.board.mask
        found = routes(s, f.dying, f.retreat) if f.retreat else Routes(0, ())
        ways = () if found.steps else found.ways  # it will have no step to spare
        return {
            "isolated": int(s.pieces[f.dying].supply == ISOLATED),
            "desperate": int(f.desperate),
            "beset": int(bool(f.retreat) and all(zone & mask(way.path) for way in ways)),
            "hex": s.at(f.dying),
        }

    def answers(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, Keep]:
        return {"keep": Keep(AS_REMNANT), "box": Keep(IN_BOX)}
