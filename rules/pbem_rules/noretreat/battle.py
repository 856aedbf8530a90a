"""NR-9 Combat: which battle is fought next, the die, counterattacks, counterblow markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pbem.game import (
    DONE,
    RETURN,
    STAY,
    Auto,
    Call,
    Decide,
    Draw,
    Goto,
    Known,
    Next,
    Order,
    Out,
    Pick,
    Roll,
    Violation,
)
from pbem.kit import place_key
from pbem_rules.noretreat.cards.base import Moment
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET, other
from pbem_rules.noretreat.events import Duelled, Fought, Repeated
from pbem_rules.noretreat.frames import Battle, PlayerTurn
from pbem_rules.noretreat.hands import slots
from pbem_rules.noretreat.odds import BELOW, column_name, marker_name, reckon
from pbem_rules.noretreat.orders import UNIT, Attack, Choose, Event, Marker
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import able, matched, willing
from pbem_rules.noretreat.victory import berlin
from pbem_rules.noretreat.windows import OpenBattle, check_event, event_orders, play_event

MOMENTS = (Moment.COMBAT, Moment.ANY)
OWN_MARKER = {AXIS: Marker.BLITZ, SOVIET: Marker.SHOCK}


def moments(f: PlayerTurn) -> tuple[Moment, ...]:
    """NR-13.09A, NR-13.34A: what is played when targets have been marked is played before the first battle."""
    return MOMENTS if f.fought else (Moment.TARGETED, *MOMENTS)


def due_targets(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """Voluntary targets that somebody may still attack; the others have lapsed (NR-9.4, NR-9.11)."""
    forced = due_blows(s, f)
    most = matched(s, f.side, forced, f.fought)

    def spare(unit: int) -> bool:
        return matched(s, f.side, forced, f.fought | {unit}) == most

    return tuple(
        p
        for p in s.targets
        if s.side_at(p) == other(f.side) and any(spare(unit) for unit in willing(s, f.side, p, f.fought))
    )


def due_blows(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """NR-9.11, NR-9.12: where units under a marker stand that somebody can still attack."""
    places = dict.fromkeys(s.at(unit) for unit in f.due if unit in s.blown)
    return tuple(place for place in sorted(places) if able(s, f.side, place, f.fought))


def marker_ok(s: State, side: str, units: Iterable[int], marker: Marker) -> Violation | None:
    """NR-9.21, NR-6.7."""
    if marker == Marker.NONE:
        return None
    name = marker_name(side)
    if marker != OWN_MARKER[side] or not s.support.get(side):
        return Violation("NR-9.21", f"You have no {marker.value.capitalize()} marker left in this turn")
    if not any(s.supplied(unit) for unit in units):
        return Violation("NR-6.7", f"A {name} marker is put on a unit that is in supply")
    return None


def check_attack(s: State, f: PlayerTurn, order: Attack) -> Violation | None:
    voluntary, forced = due_targets(s, f), due_blows(s, f)
    text = s.chart.place_text(order.target)
    if order.target not in voluntary and order.target not in forced:
        return Violation("NR-9.1", f"{text} is not a target that is still to be attacked")
    if voluntary and order.target not in voluntary:
        return Violation("NR-9.11", "The voluntary attacks come first")
    if not order.units or any(a >= b for a, b in zip(order.units, order.units[1:], strict=False)):
        return Violation("NR-9.4", "An attack names its units, each once, in the order of the list of units")
    may = willing(s, f.side, order.target, f.fought) if voluntary else able(s, f.side, order.target, f.fought)
    for unit in order.units:
        if unit not in may:
            can = ", ".join(s.name(each) for each in may)
            return Violation("NR-9.2", f"{s.code(unit)} cannot attack {text} now. These can: {can}")
    used = f.fought | set(order.units)
    rest = [place for place in forced if place != order.target]
    if matched(s, f.side, rest, used) < matched(s, f.side, forced, f.fought) - (order.target in forced):
        return Violation("NR-9.11", "Then no unit would be left for a counterblow hex")
    return marker_ok(s, f.side, order.units, order.marker)


class NextBattle(Decide[State, PlayerTurn, Order]):
    """The voluntary battles in any order, then the forced ones (NR-9.3, NR-9.11)."""

    name = "battles"
    rule = "NR-9.3"
    takes = (Attack, Event)

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.side,) if due_targets(s, f) or due_blows(s, f) else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        voluntary = due_targets(s, f)
        places = ", ".join(s.chart.place_text(place) for place in voluntary or due_blows(s, f))
        must = "attacks" if voluntary else "must attack"
        return f"Turn {s.turn}: {NAMES[seat]} {must} {places}: `attack HEX with UNITS`, `{OWN_MARKER[seat].value}`."

    def first(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pick | Order]:
        yield from event_orders(s, seat, moments(f), own)
        for place in due_targets(s, f) or due_blows(s, f):
            yield Pick(place_key(place), place)

    def picked(self, s: State, f: PlayerTurn, seat: str, own: Known, pick: int) -> Iterator[Order]:
        may = (willing if due_targets(s, f) else able)(s, seat, pick, f.fought)
        for size in range(len(may), 0, -1):
            for units in combinations(may, size):
                for marker in (Marker.NONE, OWN_MARKER[seat]):
                    order = Attack(pick, units, marker)
                    if check_attack(s, f, order) is None:
                        yield order

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Order) -> tuple[str, ...]:
        return slots(order.card) if isinstance(order, Event) else ()

    def check(self, s: State, f: PlayerTurn, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Event):
            return check_event(s, seat, moments(f), order, proof)
        assert isinstance(order, Attack)
        return check_attack(s, f, order)

    def apply(self, s: State, f: PlayerTurn, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.side]
        if isinstance(order, Event):
            return Call(play_event(s, f.side, moments(f), order, out), again=True)
        assert isinstance(order, Attack)
        forced = order.target not in s.targets
        f.fought.update(order.units)
        if forced:
            s.forced += 1
            f.due = tuple(unit for unit in f.due if s.at(unit) != order.target)
            s.lift_blow(order.target)
        else:
            s.attacks += 1
            s.targets = tuple(place for place in s.targets if place != order.target)
        begin(s, f.side, order.target, order.units, forced=forced, marker=order.marker)
        return Call(Battle(f.side), again=True)


def begin(
    s: State, side: str, target: int, units: tuple[int, ...], *, forced: bool = False, marker: Marker = Marker.NONE
) -> None:
    """Put a battle into the state (NR-9.3, NR-9.21)."""
    use_marker(s, side, marker)
    there = s.ground.stacks[target]
    fought = {effect.at - UNIT for effect in s.effect("alone", side)}  # NR-13.17S
    s.fight = Fight(
        label=f"t{s.turn}/{s.active}/{target:04d}",
        side=side,
        target=(target,),
        units=units,
        defenders=tuple(unit for unit in there if unit not in fought) or there,
        forced=forced,
        marker=marker != Marker.NONE,
    )


def use_marker(s: State, side: str, marker: Marker) -> None:
    """NR-9.21: it is used up."""
    if marker != Marker.NONE:
        s.support[side] -= 1


def fight_of(s: State) -> Fight:
    assert s.fight is not None
    return s.fight


def present(s: State, units: Iterable[int]) -> tuple[int, ...]:
    return tuple(unit for unit in units if s.on_map(unit))


def result_now(s: State) -> str:
    """The result as things stand: without a die `?` if one has to be rolled first (NR-9.20, NR-9.25).

    Events decide it (NR-13.04A, NR-13.16S, NR-13.27S, NR-13.32A, NR-13.37A), or change it (NR-13.18S, NR-13.24A,
    NR-13.39S).
    """
    fight = fight_of(s)
    if fight.result or fight.duel:
        return fight.result
    reckoned = reckon(s, fight)
    if fight.at_least >= 0 and reckoned.column >= fight.at_least:
        return "DR"  # played later than what changes every DR of the phase (NR-5.14)
    elif reckoned.column == BELOW:
        found = "CA"
    elif not fight.die:
        return "?"
    else:
        found = s.chart.results[reckoned.table].result(fight.die, reckoned.column)
    if found == "-" and fight.none_is_exchange:
        found = "EX"
    if found == "DR" and s.effect("retreat_is_exchange", fight.side):
        found = "EX"
    return found


class RollDie(Roll[State, Battle]):
    name = "roll"
    rule = "NR-9.18"

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        fight = fight_of(s)
        label = f"{fight.label}/{'counter' if fight.counter else 'crt'}"
        if fight.duel and not fight.die:
            return (Draw(f"{label}/duel", 6, 2),)
        if result_now(s) != "?":
            return ()
        return (Draw(label, 6, fight.dice),)

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        fight = fight_of(s)
        if not got:
            return DONE
        ((label, dice),) = got.items()
        if label.endswith("/duel"):
            return self._duel(s, f, dice, out)
        if fight.rolls:
            out.add(Repeated(side=fight.side, dice=fight.thrown, rule=self.rule))
        fight.rolls += 1
        fight.thrown = dice
        fight.die = dice[0] if len(dice) == 1 else 0
        return DONE

    @staticmethod
    def _duel(s: State, f: Battle, dice: tuple[int, ...], out: Out) -> Next:
        """NR-13.16S, NR-13.38A: both roll, the lower loses a step; the events differ in what a tie does."""
        fight = fight_of(s)
        axis, soviet = dice
        out.add(Duelled(axis=axis, soviet=soviet, rule=fight.duel))
        if axis == soviet:
            if fight.duel == "NR-13.16S":
                fight.duel = ""
                return STAY
            f.work = ("lose:axis", "lose:soviet", "duel")
        else:
            f.work = ("lose:axis" if axis < soviet else "lose:soviet",)
        fight.result = "duel"
        return DONE


class PickDie(Decide[State, Battle, Choose]):
    """NR-13.05A: of several dice one counts."""

    name = "pick_die"
    rule = "NR-13.05A"
    takes = (Choose,)
    default = "then highest"
    answer_names = ("highest", "lowest")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        fight = fight_of(s)
        return (fight.chooser,) if len(fight.thrown) > 1 and not fight.die else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"The dice are {' and '.join(map(str, fight_of(s).thrown))}: `choose NUMBER`."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Choose]:
        return map(Choose, sorted(set(fight_of(s).thrown)))

    def check(self, s: State, f: Battle, seat: str, order: Choose, proof: Known) -> Violation | None:
        return None if order.option in fight_of(s).thrown else Violation(self.rule, "Choose one of the dice")

    def apply(self, s: State, f: Battle, answers: Mapping[str, Choose], out: Out) -> Next:
        ((_, order),) = answers.items()
        fight_of(s).die = order.option
        return DONE

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Choose]:
        dice = fight_of(s).thrown
        return {"highest": Choose(max(dice)), "lowest": Choose(min(dice))}


class OpenRolled(OpenBattle):
    """NR-13.16A, NR-13.43S, NR-14.9: where a die has been rolled."""

    name, moment = "open_rolled", Moment.ROLLED

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).die > 0


class Settle(Auto[State, Battle]):
    """The result stands, unless an event wants the die rolled again."""

    name = "settle"
    rule = "NR-9.25"

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).result != "duel"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        found = result_now(s)
        if found == "-" and fight.reroll_none:
            fight.die, fight.dice, fight.reroll_none = 0, 1, False  # NR-13.27A
            found = "?"
        if found == "?":
            return Goto(RollDie)
        reckoned = reckon(s, fight)
        fight.result, fight.column = found, reckoned.column
        out.add(
            Fought(
                side=fight.side,
                hexes=fight.target,
                units=tuple(s.name(unit) for unit in fight.units),
                forced=fight.forced,
                counter=fight.counter,
                attack=reckoned.attack,
                defence=reckoned.defence,
                shifts=tuple(f"{shift.why} {shift.by:+d}" for shift in reckoned.shifts),
                column=column_name(s, reckoned.column),
                table=reckoned.table,
                dice=fight.thrown,
                result=found,
                rule=self.rule,
            )
        )
        return DONE


class EndBattle(Auto[State, Battle]):
    """NR-9.58; NR-13.51S: it may be fought again. NR-4.7: Berlin may have fallen."""

    name = "end_battle"
    rule = "NR-9.58"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        if fight.again:
            units, defenders = present(s, fight.units), present(s, fight.defenders)
            hexes = tuple(sorted({s.at(unit) for unit in defenders}))
            s.fight = Fight(fight.label, fight.side, hexes, units, defenders, fight.forced, fight.counter)
            return Goto(OpenBattle)
        s.fight = None
        return berlin(s, out) or RETURN
