"""S42-8.3, S42-10, S42-12: the die of an attack, losses and retreats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pbem.game import DONE, Ask, Auto, Call, Draw, Known, Next, Out, Roll, Violation
from pbem.kit import InFight, Shift, hex_name
from pbem_rules.stalingrad42.chart import AXIS, DIE, LADDER, PORT
from pbem_rules.stalingrad42.combat.air import COVER, STRIKE, fit, spend
from pbem_rules.stalingrad42.combat.determined import favoured, result_of
from pbem_rules.stalingrad42.combat.flight import driven_off
from pbem_rules.stalingrad42.combat.guns import columns
from pbem_rules.stalingrad42.combat.losses import choosable, may_lose
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, NO_ATTACK, Attack, attack, beyond, describe
from pbem_rules.stalingrad42.combat.retreat import Routes, routes
from pbem_rules.stalingrad42.events import Flew, Fought, Trapped
from pbem_rules.stalingrad42.frames import HOLD, Battle, Losses, Retreat
from pbem_rules.stalingrad42.movement.passing import abandon
from pbem_rules.stalingrad42.orders import Choose, Cover, Spare, place_name
from pbem_rules.stalingrad42.state import ROUTED, TO_THE_LAST, State, other
from pbem_rules.stalingrad42.supply.lines import lines_without

AUTOMATIC_RESULT = "DS"  # S42-8.4.1
WORTH = 2, 1  # odds that must be left for an air unit to be worth its column


def shifts_of(guns: Sequence[int], *, air: bool) -> tuple[Shift, ...]:
    """S42-8.3b: what the attacker adds to what ground and units give."""
    return (STRIKE,) * air + columns(guns)


def die_of(s: State, f: Battle) -> str:
    """The label of an attack's dice."""
    return f"t{s.turn}/{f.seat}/{hex_name(f.target)}{f'/break{f.number}' if f.number else ''}"


class NameSpare(Ask[State, Battle, Spare], InFight[State, Battle, Spare]):
    """S42-15.3b: where too many stand, the defender says who of them does not help."""

    name = "spare"
    rule = "S42-15.3"
    attacks = False
    default = "then weakest"
    answer_names = ("weakest",)
    forced = True

    @staticmethod
    def _many(s: State, f: Battle) -> int:
        """How many of them stand there beyond the limit."""
        return 0 if f.cell or f.spared else len(beyond(s, other(f.seat), f.defenders))

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (other(f.seat),) if self._many(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        where = place_name(f.target)
        return f"{where} is attacked; {self._many(s, f)} of its units cannot help: which do not? `spare UNITS`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Spare]:
        for units in combinations(f.defenders, self._many(s, f)):
            if not beyond(s, seat, [unit for unit in f.defenders if unit not in units]):
                yield Spare(units)

    def do(self, s: State, f: Battle, seat: str, order: Spare, out: Out) -> None:
        f.spared = order.units

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Spare]:
        return {"weakest": Spare(tuple(sorted(beyond(s, seat, f.defenders))))}


def helping(f: Battle) -> tuple[int, ...]:
    """The defenders that are not beyond the limit of stacking (S42-15.3b)."""
    return tuple(unit for unit in f.defenders if unit not in f.spared)


class ChooseCover(Ask[State, Battle, Cover], InFight[State, Battle, Cover]):
    """S42-9.3.4: after all that the attacker adds, the Axis may take a column off it with an air unit."""

    name = "cover"
    rule = "S42-9.3.4"
    attacks = False
    seats = (AXIS,)
    default = "then needed"
    fact_names = ("hex", "ready")
    answer_names = ("needed", "none", "any")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        unasked = not (f.cell or f.asked) and f.seat != AXIS
        return (AXIS,) if unasked and fit(s, f.target, defends=True) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        wings = " or ".join(fit(s, f.target, defends=True))
        flies = f"does {wings} take a column off the attack?"
        return f"{place_name(f.target)} is attacked: {flies} `cover air NAME`, or `cover` for none."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Cover]:
        yield Cover()
        yield from map(Cover, fit(s, f.target, defends=True))

    def do(self, s: State, f: Battle, seat: str, order: Cover, out: Out) -> None:
        f.asked, f.cover = True, order.air
        if f.cover is not None:
            fly_for_defence(s, f, f.cover, out)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        """`ready`: how many could come."""
        return {"hex": f.target, "ready": len(fit(s, f.target, defends=True))}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Cover]:
        """`needed`: where the stance is to hold, if that makes the column worse, and 2:1 or better is left."""
        wing = fit(s, f.target, defends=True)[0]
        more = shifts_of(f.guns, air=False)
        plain, less = (
            attack(s, f.units, f.target, seat, each, holding=helping(f)).column for each in (more, (*more, COVER))
        )
        pays = less != plain and less >= s.chart.odds.column(*WORTH)
        return {"needed": Cover(wing if f.stance == HOLD and pays else None), "none": Cover(), "any": Cover(wing)}


def fly_for_defence(s: State, f: Battle, wing: str, out: Out) -> None:
    """S42-9.3.6."""
    spend(s, wing)
    out.add(Flew(air=wing, hex=f.target, defends=True, rule="S42-9.3.6"))


def reckon_fight(s: State, f: Battle) -> Attack:
    """S42-8.3b: with all shifts. What the defender adds (S42-9.3.4, S42-34.6.2) makes no attack unlawful."""
    more = shifts_of(f.guns, air=f.air is not None)
    cover = (COVER,) if f.cover is not None else ()
    found = attack(s, f.units, f.target, other(f.seat), (*more, *cover), holding=helping(f))
    return found._replace(column=0) if found.column == NO_ATTACK else found


class Fire(Roll[State, Battle]):
    """S42-8.3, S42-8.4.1: the die, none at ten to one; S42-26.2f: one more for each planned offensive."""

    name = "fire"
    rule = "S42-8.3"

    def when(self, s: State, f: Battle) -> bool:
        return not f.cell

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        if reckon_fight(s, f).column != AUTOMATIC:
            yield Draw(die_of(s, f), DIE, 1 + len(f.plans))

    def rolled(self, s: State, f: Battle) -> str:
        column = s.chart.odds.name(reckon_fight(s, f).column)
        return f"The attack on {s.chart.board[f.target]} is fought, column {column}."

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        f.dice = next(iter(got.values()), ())
        return DONE


def cell_of(s: State, f: Battle, die: int) -> str:
    """The result that a die would bring."""
    return s.chart.crt.result(die, reckon_fight(s, f).column)


def best_die(s: State, f: Battle) -> int:
    """S42-26.2f: of the dice rolled the one that is best for the attacker."""
    return max(sorted(f.dice), key=lambda die: LADDER.index(cell_of(s, f, die)))


class ChooseDie(Ask[State, Battle, Choose], InFight[State, Battle, Choose]):
    """S42-26.2f: of the dice of a Planned Offensive the attacker picks one."""

    name = "die"
    rule = "S42-26.2f"
    forced = True
    default = "then best"
    fact_names = ("hex", "dice")
    answer_names = ("best", "cheapest")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.seat,) if len(set(f.dice)) > 1 else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        told = ", ".join(f"{die} ({cell_of(s, f, die)})" for die in sorted(set(f.dice)))
        return f"The attack on {place_name(f.target)} rolls {told}: which one counts? `die NUMBER`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Choose]:
        return map(Choose, sorted(set(f.dice)))

    def why(self, s: State, f: Battle, seat: str, order: Choose) -> Violation:
        return Violation(self.rule, f"{order.face} has not been rolled")

    def do(self, s: State, f: Battle, seat: str, order: Choose, out: Out) -> None:
        f.die = order.face

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target, "dice": len(f.dice)}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Choose]:
        """`best`; `cheapest`: the best of those that cost the attacker fewest steps."""

        def cost(die: int) -> tuple[int, int]:
            cell = cell_of(s, f, die)
            return -result_of(s, cell).attacker, LADDER.index(cell)

        return {"best": Choose(best_die(s, f)), "cheapest": Choose(max(sorted(f.dice), key=cost))}


class Score(Auto[State, Battle]):
    """S42-8.3, S42-10.1, S42-26.2f: the result of the die that counts."""

    name = "score"
    rule = "S42-8.3"

    def when(self, s: State, f: Battle) -> bool:
        return not f.cell

    def run(self, s: State, f: Battle, out: Out) -> Next:
        found = reckon_fight(s, f)
        f.die = f.die or next(iter(f.dice), 0)
        f.cell = s.chart.crt.result(f.die, found.column) if f.die else AUTOMATIC_RESULT
        result = result_of(s, f.cell)
        f.losing = (f.seat,) * result.attacker + (other(f.seat),) * result.defender
        f.retreat = result.retreat
        f.favoured = favoured(found)
        out.add(
            Fought(
                side=f.seat,
                hex=f.target,
                units=tuple(map(s.code, f.units)),
                defenders=tuple(map(s.code, f.defenders)),
                odds=describe(s, found),
                die=f.die,
                dice=f.dice if len(f.dice) > 1 else (),
                result=f.cell,
                rule=self.rule,
            )
        )
        return DONE


def next_loss(s: State, f: Battle) -> Losses | None:
    """S42-10.2: the next step that somebody is to lose, if anybody can; in determined defence the lead does."""
    picks = f.star or (result_of(s, f.cell).opponent_picks and not f.rolls)
    while f.losing:
        side, f.losing = f.losing[0], f.losing[1:]
        if side == f.seat:
            units = choosable(s, [unit for unit in f.units if s.on_map(unit)])
        elif f.lead is not None:
            units = (f.lead,) if s.on_map(f.lead) else ()
        else:
            units = may_lose(s, [unit for unit in helping(f) if s.on_map(unit)])
        if units:
            return Losses(
                side,
                units,
                1,
                chooser=other(side) if picks else side,
                attacker=f.seat,
                ask=f.ask,
                desperate=f.desperate and side != f.seat,
                retreat=f.retreat * (side != f.seat),
            )
    return None


def ways_out(s: State, f: Battle, length: int) -> Iterator[Routes]:
    """Where each of the defenders could retreat to."""
    left = tuple(unit for unit in f.defenders if s.on_map(unit))
    return (routes(s, unit, length) for unit in left)


def is_desperate(s: State, f: Battle) -> bool:
    """S42-11.5.1: every retreat destroys every unit; or all ways out of a port end without supply.

    By option a stack that holds is desperate, too, if each of its units could only go a shorter way, for steps.
    """
    out = list(ways_out(s, f, f.retreat))
    found = [way for each in out for way in each.ways]
    if not found:
        return True
    if TO_THE_LAST in s.options and f.stance == HOLD and all(each.steps or not each.ways for each in out):
        return True
    if f.target not in s.chart.board.marked(PORT):
        return False
    home = lines_without(s, other(f.seat), s.chart.board.bit[f.target]).reached
    return not any(home & s.chart.board.bit[way.end] for way in found)


class Suffer(Auto[State, Battle]):
    """S42-10.1: the losses of the result come before the retreat."""

    name = "suffer"
    rule = "S42-10.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        called = next_loss(s, f)
        if called is not None:
            return Call(called, again=True)
        f.desperate = bool(f.retreat) and is_desperate(s, f)
        return DONE


class BackOff(Auto[State, Battle]):
    """S42-10.1: the retreat; then units in Full Retreat that are left alone (S42-13.3.3b); who may advance, how far."""

    name = "back_off"
    rule = "S42-10.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        enemy, result = other(f.seat), result_of(s, f.cell)
        if f.retreat:
            length, f.retreat = f.retreat, 0
            self._end_guests(s, f, out)  # S42-12.4
            left = tuple(unit for unit in f.defenders if s.on_map(unit))
            if left and (len(left) == len(f.defenders) or any(s.pieces[unit].order != ROUTED for unit in left)):
                return Call(Retreat(enemy, f.target, left, length, f.seat, chooser=enemy), again=True)
        driven = driven_off(s, f.seat, ask=f.ask)
        if driven is not None:
            return Call(driven, again=True)
        abandon(s, enemy, f.target, out, fought=bool(f.defenders))  # S42-19.3b
        f.won = not s.chart.board.bit[f.target] & s.fighters(enemy)
        f.limited = f.held or not result.retreat
        f.hexes = (1 if f.limited or f.delayed else result.advance) * f.won
        return DONE

    @staticmethod
    def _end_guests(s: State, f: Battle, out: Out) -> None:
        """S42-12.4: a unit that has retreated there before is destroyed if the hex must retreat."""
        there = tuple(unit for unit in f.guests if s.on_map(unit))
        if there:
            out.add(Trapped(units=tuple(map(s.code, there)), hex=f.target, rule="S42-12.4"))
            for unit in there:
                s.destroy(unit)
