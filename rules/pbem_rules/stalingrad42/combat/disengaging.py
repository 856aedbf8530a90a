"""S42-27: disengagement: units that do not attack try to retreat in their own Combat Phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.game import DONE, Ask, Auto, Call, Draw, Frame, Goto, Known, Next, Out, Roll, Violation
from pbem.kit import EntryKind, InFight, all_of, hex_name
from pbem_rules.stalingrad42.chart import AXIS, CAVALRY, DIE, MECH
from pbem_rules.stalingrad42.combat.flight import NEAR, ways_of
from pbem_rules.stalingrad42.combat.leaders import RollAgain, at_hand
from pbem_rules.stalingrad42.combat.losses import choosable
from pbem_rules.stalingrad42.events import Disengaged
from pbem_rules.stalingrad42.frames import Leaving, Losses, PlayerTurn, Retreat
from pbem_rules.stalingrad42.orders import Disengage, FallBack, place_name
from pbem_rules.stalingrad42.state import DISENGAGING, DISRUPTED, State

STAYS, AT_COST = 2, 3  # S42-27.2: a modified die up to which they stay; that which costs a step
FRESH = "no", "cost", "yes"
UNPLAYED = Violation("S42-27.2", "Disengagement is an option that this game is played without")


def modifier(s: State, units: Iterable[int]) -> int:
    """S42-27.2.2: one more if all are cavalry or vehicles, one less if one is Disrupted."""
    units = tuple(units)
    quick = all(s.has(unit, MECH) or s.has(unit, CAVALRY) for unit in units)
    return quick - any(s.pieces[unit].order == DISRUPTED for unit in units)


def result(die: int, more: int) -> str:
    """S42-27.2: beyond the table its first and last rows count."""
    return FRESH[(die + more > STAYS) + (die + more > AT_COST)]


def chances(s: State, units: Sequence[int]) -> dict[str, Fraction]:
    """Of each result."""
    more = modifier(s, units)
    found = [result(die, more) for die in range(1, DIE + 1)]
    return {what: Fraction(found.count(what), DIE) for what in FRESH}


def retreat_of(
    s: State, seat: str, units: tuple[int, ...], hexes: int, via: tuple[int, ...] = (), *, ask: bool = False
) -> Retreat:
    return Retreat(seat, s.at(units[0]), units, hexes, seat, chooser=seat, ask=ask, willing=True, via=via)


def goers(s: State, seat: str, units: Iterable[int], hexes: int) -> tuple[int, ...]:
    """S42-27.2.3, S42-12.2: who of them has a way that costs no step."""
    units = tuple(unit for unit in units if s.on_map(unit))
    if not units:
        return ()
    plan = retreat_of(s, seat, units, hexes)
    return tuple(unit for unit in units if ways_of(s, plan, unit).ways)


def unfit(s: State, f: PlayerTurn, unit: int) -> Violation | None:
    """S42-27.2.1a: why the unit cannot try, whatever its way."""
    code = s.code(unit)
    if not s.has_on_map(f.seat, unit) or not s.fights(unit) or s.in_area(unit):
        return Violation("S42-27.2.1", f"{code} is not a combat unit of yours in a hex of the map")
    if unit in f.fought or any(unit in storm.units for storm in f.storms):
        return Violation("S42-27.2.1", f"{code} attacks in this phase, and cannot disengage")
    if any(unit in entry.units for entry in f.attacks()):
        return Violation("S42-27.2.1", f"{code} is listed to attack, and cannot disengage")
    if unit in f.tried | f.leaving():
        return Violation("S42-27.2.1b", f"{code} can try to disengage only once in a phase")
    if unit in s.frozen:
        return Violation("S42-20.4", f"{code} may not move yet")
    if unit in s.renewed:
        return Violation("S42-21.4b", f"{code} has received a replacement, and cannot disengage")
    if s.pieces[unit].train:
        return Violation("S42-5.6.5a", f"{code} is on a train until your next turn begins")
    return None


class Disengages(EntryKind[State, PlayerTurn, Disengage]):
    """S42-27.2.1: one unit, or all of a hex by one roll."""

    rule = "S42-27.2"

    def legal(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Disengage]:
        """Of those whom an enemy is beside."""
        if DISENGAGING not in s.options:
            return
        for place in s.chart.board.in_mask(s.fighters(seat) & s.beside(seat)):
            units = tuple(unit for unit in s.of(seat, place) if unfit(s, f, unit) is None)
            groups: list[tuple[int, ...]] = [(unit,) for unit in units]
            groups += [units] if len(units) > 1 and not self._part(s, units) else []
            for group in groups:
                if goers(s, seat, group, NEAR):
                    yield Disengage(group)
                elif goers(s, seat, group, 1):
                    yield Disengage(group, 1)

    @staticmethod
    def _part(s: State, units: Sequence[int]) -> bool:
        """Are they only some of the units of their hex?"""
        one = next(iter(units))
        return set(units) != {unit for unit in s.of(s.side(one), s.at(one)) if s.fights(unit)}

    def form(self, s: State, f: PlayerTurn, entry: Disengage, proof: Known) -> Violation | None:
        if DISENGAGING not in s.options:
            return UNPLAYED
        if not entry.units or len(set(entry.units)) < len(entry.units):
            return Violation(self.rule, "Name a unit, or those of one hex, each once")
        if any(unit not in s.chart.own[f.seat] for unit in entry.units):
            return Violation(self.rule, "Name units of yours")
        if not 1 <= entry.hexes <= NEAR or len(entry.via) not in (0, entry.hexes):
            return Violation("S42-27.2.3", "Units disengage by one hex or two; `via` names each of them")
        return None

    def now(self, s: State, f: PlayerTurn, entry: Disengage) -> Violation | None:
        wrong = next(filter(None, (unfit(s, f, unit) for unit in entry.units)), None)
        if wrong is not None:
            return wrong
        if len(entry.units) > 1 and self._part(s, entry.units):
            return Violation("S42-27.2.1b", "One unit rolls for itself, or all combat units of a hex together")
        if not goers(s, f.seat, entry.units, entry.hexes):
            return Violation("S42-27.2.3", f"No way of {entry.hexes} leads out for {all_of(map(s.code, entry.units))}")
        return None

    def start(self, s: State, f: PlayerTurn, entry: Disengage, out: Out) -> Frame:
        units = tuple(sorted(entry.units))
        f.tried.update(units)
        return Leaving(seat=f.seat, ask=entry.ask, start=s.at(units[0]), units=units, hexes=entry.hexes, via=entry.via)

    def won(self, s: State, f: PlayerTurn, entry: Disengage, done: Leaving) -> bool:
        return any(unit in s.fled for unit in done.units)


class Attempt(Roll[State, Leaving]):
    """S42-27.2."""

    name = "attempt"
    rule = "S42-27.2"

    def draws(self, s: State, f: Leaving) -> Iterable[Draw]:
        yield Draw(f"t{s.turn}/{f.seat}/{hex_name(f.start)}/leave", DIE)

    def rolled(self, s: State, f: Leaving) -> str:
        return f"A die is rolled: can {all_of(map(s.code, f.units))} disengage from {s.chart.board[f.start]}?"

    def run(self, s: State, f: Leaving, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((f.die,),) = got.values()
        return DONE


class RerollAttempt(RollAgain[Leaving]):
    """S42-28.1.4: Manstein, of his own side."""

    name = "retry"
    rule = "S42-28.1.4"
    seats = (AXIS,)
    goes_back = (Attempt,)

    def leader(self, s: State, f: Leaving) -> int | None:
        return at_hand(s, AXIS, s.chart.board.bit[f.start]) if f.seat == AXIS and not f.again else None

    def needed(self, s: State, f: Leaving) -> bool:
        return result(f.die, modifier(s, f.units)) == FRESH[0]

    def place(self, s: State, f: Leaving) -> int:
        return f.start

    def told(self, s: State, f: Leaving) -> str:
        return (
            f"{all_of(map(s.code, f.units))} in {place_name(f.start)}: {f.die} ({result(f.die, modifier(s, f.units))})"
        )

    def again(self, s: State, f: Leaving) -> Next:
        f.die, f.again = 0, True
        return Goto(Attempt)


class GetAway(Auto[State, Leaving]):
    """S42-27.2.3: they stay, or they go, for a step perhaps."""

    name = "get_away"
    rule = "S42-27.2.3"

    def run(self, s: State, f: Leaving, out: Out) -> Next:
        if f.die:
            more = modifier(s, f.units)
            what, die, f.die = result(f.die, more), f.die, 0
            f.goes, f.losing = what != FRESH[0], what == FRESH[1]
            codes = tuple(map(s.code, f.units))
            out.add(Disengaged(units=codes, hex=f.start, die=die, more=more, result=what, rule=self.rule))
        if f.losing:
            f.losing = False
            units = choosable(s, f.units)
            steps = Losses(f.seat, units, 1, chooser=f.seat, attacker=f.seat, ask=f.ask, retreat=f.hexes)
            return Call(replace(steps, rule=self.rule))
        return DONE


class ChooseHexes(Ask[State, Leaving, FallBack], InFight[State, Leaving, FallBack]):
    """S42-27.2.3a: one hex or two, or none after all; as the entry says if nobody is asked."""

    name = "leaving"
    rule = "S42-27.2.3"
    forced = True
    default = "then listed"
    fact_names = ("hex",)
    answer_names = ("listed", "stay")

    def by(self, s: State, f: Leaving) -> Sequence[str]:
        return (f.seat,) if f.goes and len(list(self.options(s, f, f.seat))) > 1 else ()

    def prompt(self, s: State, f: Leaving, seat: str) -> str:
        codes, ways = all_of(map(s.code, f.units)), "`fall back 1` or `2`, or `fall back 0` to stay"
        return f"{codes} can leave {place_name(f.start)}: how many hexes do they go? {ways}."

    def options(self, s: State, f: Leaving, seat: str) -> Iterator[FallBack]:
        yield FallBack(0)
        yield from (FallBack(hexes) for hexes in range(1, NEAR + 1) if goers(s, seat, f.units, hexes))

    def do(self, s: State, f: Leaving, seat: str, order: FallBack, out: Out) -> None:
        f.hexes, f.goes = order.hexes, order.hexes > 0

    def facts(self, s: State, f: Leaving, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.start}

    def answers(self, s: State, f: Leaving, seat: str, own: Known) -> Mapping[str, FallBack]:
        """`listed`: as far as the entry says, if a way of that length is open."""
        listed = FallBack(f.hexes)
        return {"listed": listed if listed in self.options(s, f, seat) else FallBack(0), "stay": FallBack(0)}


class Go(Auto[State, Leaving]):
    """S42-27.2.3, S42-12: by the rules of retreats; who has no way stays."""

    name = "go"
    rule = "S42-27.2.3"

    def when(self, s: State, f: Leaving) -> bool:
        return f.goes

    def run(self, s: State, f: Leaving, out: Out) -> Next:
        units = goers(s, f.seat, f.units, f.hexes)
        if not units:
            return DONE
        return Call(retreat_of(s, f.seat, units, f.hexes, f.via, ask=f.ask))
