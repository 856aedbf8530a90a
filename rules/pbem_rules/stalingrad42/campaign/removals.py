"""S42-31, S42-32: who leaves for other fronts, who is upgraded, and which reserve armies may move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbem.game import STAY, Choice, Known, Next, Out, Violation
from pbem.kit import ISOLATED, SUPPLIED, all_of
from pbem_rules.stalingrad42.campaign.plan import BRIGADES, Removal
from pbem_rules.stalingrad42.chart import AXIS, GRENADIER, REGIMENT, REMNANT
from pbem_rules.stalingrad42.combat.losses import lose_step
from pbem_rules.stalingrad42.events import Freed, Recalled, Refilled, Upgraded
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.orders import Recall, Refill, Release, Weaken
from pbem_rules.stalingrad42.state import BOXES, ELIMINATED, REMOVED, State
from pbem_rules.stalingrad42.supply.lines import status

# What happens by itself


def begin(s: State, f: PlayerTurn, out: Out) -> None:
    """Who leaves by name (S42-32.3), with the others that are due (S42-32.1a), who is upgraded (S42-32.4, S42-32.5)."""
    named = s.chart.course.removal(s.turn, f.seat, named=True)
    if named is not None:
        for unit in named.units:
            whole = s.pieces[unit].steps == s.whole(unit)  # none is left of one in the box
            s.fined |= named.fine and not whole
            _take(s, unit, "S42-32.3", out)
    chosen = due(s, f)
    if chosen is not None:
        for unit in chosen.always:
            f.gone += _take(s, unit, "S42-32.1", out)
    if f.seat == AXIS:
        _raise(s, f, out)
        _succeed(s, out)


def _take(s: State, unit: int, rule: str, out: Out) -> int:
    """Off the map, or out of the Eliminated Box, for good: the steps that go with the unit."""
    place = s.at(unit)
    if place == REMOVED:
        return 0
    steps = s.pieces[unit].steps if s.on_map(unit) or place in BOXES else 0
    s.put(unit, REMOVED)
    for rows in (s.missing, s.returns):
        if unit in rows:
            del rows[unit]
    out.add(Recalled(unit=s.code(unit), place=place, rule=rule))
    return steps


def _raise(s: State, f: PlayerTurn, out: Out) -> None:
    """S42-32.4: a step more; a Remnant, or a unit in the box, gets it as a replacement."""
    for unit, turn in s.chart.course.raised.items():
        if turn == s.turn:
            if s.on_map(unit) and REMNANT not in s.face(unit).traits:
                s.set_steps(unit, s.pieces[unit].steps + 1)
                out.add(Upgraded(unit=s.code(unit), by="", place=s.at(unit), rule="S42-32.4"))
            if s.at(unit) != ELIMINATED and not (s.on_map(unit) and REMNANT in s.face(unit).traits):
                f.spare.pop(REGIMENT, None)


def _succeed(s: State, out: Out) -> None:
    """S42-32.5: another unit takes its place; if it is in the box, that one comes reduced, in the Area of its own."""
    for unit, (turn, by) in s.chart.course.succeeded.items():
        place = s.at(unit)
        if turn != s.turn or not (s.on_map(unit) or place == ELIMINATED):
            continue
        lost = place == ELIMINATED
        if lost:
            came = next(each for each in s.chart.track.arrivals if s.chart.unit(each.unit).number == unit)
            place = s.chart.areas[came.where]
        before = s.pieces[unit]
        s.put(unit, REMOVED)
        s.set_steps(by, s.counter(by).steps - lost)
        s.put(by, place)
        if not lost:
            s.alter(by, replace(s.pieces[by], order=before.order, supply=before.supply))
        out.add(Upgraded(unit=s.code(unit), by=s.code(by), place=place, rule="S42-32.5"))


# What the owner chooses


def due(s: State, f: PlayerTurn) -> Removal | None:
    return s.chart.course.removal(s.turn, f.seat, named=False)


def recallable(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """S42-32.1a, S42-32.2a, S42-32.3b: who can be taken off now.

    Infantry must be whole, and in supply if such a division is there; isolated panzer divisions leave only if no others
    can; those of the Eliminated Box leave the game (S42-32.1b). A corps in the box of a reserve army is in play.
    """
    removal = due(s, f)
    if removal is None or len(f.recalled) >= len(removal.units):
        return ()
    kind = s.chart.course.kinds[removal.kind]
    if not removal.steps:
        whole = tuple(u for u in kind if s.on_map(u) and s.pieces[u].steps == s.whole(u))
        return tuple(u for u in whole if status(s, u) == SUPPLIED) or whole
    there = tuple(u for u in kind if s.on_map(u) or s.at(u) in (ELIMINATED, *BOXES))
    if f.seat != AXIS:
        return there
    return tuple(u for u in there if not (s.on_map(u) and s.pieces[u].supply == ISOLATED)) or there


def lacking(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """S42-32.1b, S42-32.2b: who can be weakened, since too few steps have gone; those with several steps first."""
    removal = due(s, f)
    if removal is None or recallable(s, f) or f.gone >= removal.steps:
        return ()
    there = tuple(u for u in s.chart.course.kinds[removal.kind] if s.on_map(u))
    return tuple(u for u in there if s.pieces[u].steps > 1) or there


def fillable(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """S42-32.1c, S42-32.2c: who can get a step that has gone beyond what must."""
    removal = due(s, f)
    if removal is None or not removal.steps or recallable(s, f) or f.gone <= removal.steps:
        return ()
    kinds = s.chart.course.kinds
    fits = {*kinds[removal.kind]}
    back: tuple[int, ...] = ()
    if f.seat == AXIS:
        fits |= {u for u in s.chart.own[AXIS] if s.has(u, GRENADIER)}
    elif f.vacated in s.chart.board.places:
        back = tuple(u for u in kinds[BRIGADES] if s.at(u) == ELIMINATED)
    weak = (u for u in sorted(fits) if s.on_map(u) and s.pieces[u].steps < s.whole(u))
    return tuple(u for u in weak if status(s, u) == SUPPLIED) + back


def _another(s: State, rule: str, unit: int, wrong: str, units: Iterable[int]) -> Violation:
    return Violation(rule, f"{s.code(unit)} {wrong}; it can be {all_of(map(s.code, units)) or 'no unit'}")


class Recalls(Choice[State, PlayerTurn, Recall]):
    """S42-32.1, S42-32.2, S42-32.3b."""

    rule = "S42-32"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Recall]:
        return (Recall(unit) for unit in recallable(s, f))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Recall) -> Violation:
        return _another(s, self.rule, order.unit, "does not leave now", recallable(s, f))

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Recall, out: Out) -> Next:
        f.recalled, f.vacated = (*f.recalled, order.unit), s.at(order.unit)
        f.gone += _take(s, order.unit, self.rule, out)
        return STAY


class Weakens(Choice[State, PlayerTurn, Weaken]):
    """S42-32.1b, S42-32.2b."""

    rule = "S42-32.1b"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Weaken]:
        return (Weaken(unit) for unit in lacking(s, f))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Weaken) -> Violation:
        return _another(s, self.rule, order.unit, "gives up no step now", lacking(s, f))

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Weaken, out: Out) -> Next:
        f.gone += 1
        lose_step(s, order.unit, self.rule, out)
        return STAY


class Refills(Choice[State, PlayerTurn, Refill]):
    """S42-32.1c, S42-32.2c: without a marker, and several to one unit if it has room; what is left is lost."""

    rule = "S42-32.1c"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Refill]:
        return (Refill(unit) for unit in fillable(s, f))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Refill) -> Violation:
        return _another(s, self.rule, order.unit, "gets no step of those left over", fillable(s, f))

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Refill, out: Out) -> Next:
        unit, back = order.unit, not s.on_map(order.unit)
        f.gone -= 1
        s.set_steps(unit, 1 if back else s.pieces[unit].steps + 1)
        if back:
            s.put(unit, f.vacated)
            if unit in s.missing:
                del s.missing[unit]
        out.add(Refilled(unit=s.code(unit), place=s.at(unit), rule=self.rule))
        return STAY


def waiting_armies(s: State, f: PlayerTurn) -> tuple[str, ...]:
    """S42-31.0: the reserve armies of which the owner may let one go in this turn; the others go by themselves."""
    armies = s.chart.course.armies
    ripe = [name for name, army in armies.items() if army.turn <= s.turn]
    if f.released or not any(s.side(unit) == f.seat for unit, why in s.frozen.items() if why in ripe):
        return ()
    there = {*s.frozen.values()}
    return tuple(name for name in ripe if name in there)


class Releases(Choice[State, PlayerTurn, Release]):
    """S42-31.0."""

    rule = "S42-31.0"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Release]:
        return (Release(army) for army in waiting_armies(s, f))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Release) -> Violation:
        if f.released:
            return Violation(self.rule, "One reserve army is released in a turn")
        can = all_of(waiting_armies(s, f))
        return Violation(self.rule, f"{order.army} is not released now; it can be {can or 'none'}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Release, out: Out) -> Next:
        f.released = True
        units = tuple(unit for unit, why in s.frozen.items() if why == order.army)
        for unit in units:
            del s.frozen[unit]
        out.add(Freed(units=tuple(map(s.code, units)), rule=self.rule))
        return STAY
