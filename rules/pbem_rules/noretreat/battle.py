"""NR-9 Combat: which battle is fought next, the die, counterattacks, counterblow markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations, pairwise
from typing import NamedTuple

from pbem.game import (
    DONE,
    RETURN,
    STAY,
    Auto,
    Decide,
    Draw,
    Frame,
    Goto,
    Known,
    Next,
    Order,
    Out,
    Pick,
    Roll,
    Violation,
)
from pbem.kit import EntryKind, FightList, NextFight, all_of, begin_with_target, many, place_key
from pbem_rules.noretreat.cards.base import Moment
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET, other
from pbem_rules.noretreat.events import Duelled, Fought, Repeated
from pbem_rules.noretreat.frames import Battle, PlayerTurn
from pbem_rules.noretreat.losses import InBattle
from pbem_rules.noretreat.odds import (
    column_name,
    fight_of,
    marker_name,
    marker_worth,
    outcome_text,
    reckon,
    result_now,
    result_of,
)
from pbem_rules.noretreat.orders import CODES, UNIT, Attack, Choose, Done, Marker
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import able, matched, willing
from pbem_rules.noretreat.victory import berlin
from pbem_rules.noretreat.windows import Moments, OpenBattle, PlayEvent

OWN_MARKER = {AXIS: Marker.BLITZ, SOVIET: Marker.SHOCK}


class Left(NamedTuple):
    """What a side has still to fight in its Combat phase: targets, units under markers; who has fought; its markers."""

    side: str
    targets: Sequence[int]
    due: Sequence[int]
    fought: Set[int]
    markers: int = 0  # Blitz or Shock


def to_fight(s: State, f: PlayerTurn) -> Left:
    return Left(f.side, s.targets, f.due, f.fought, s.support.get(f.side) or 0)


def unlisted(s: State, f: PlayerTurn) -> Left:
    """The same when the entries have been carried out that wait for the outcome of no other."""
    listed = (f.entries[number - 1] for number in f.waiting())
    return behind(s, to_fight(s, f), [entry for entry in listed if not (entry.after or entry.unless)])


def behind(s: State, phase: Left, attacks: Sequence[Attack]) -> Left:
    """What is still to be fought when these attacks have been carried out."""
    hexes = {attack.target for attack in attacks}
    due = [unit for unit in phase.due if s.at(unit) not in hexes]
    fought = {*phase.fought, *(unit for attack in attacks for unit in attack.units)}
    markers = phase.markers - sum(attack.marker != Marker.NONE for attack in attacks)
    return Left(phase.side, [place for place in phase.targets if place not in hexes], due, fought, markers)


def due_targets(s: State, phase: Left) -> tuple[int, ...]:
    """Voluntary targets that somebody may still attack; the others have lapsed (NR-9.4, NR-9.11)."""
    side, fought = phase.side, phase.fought
    forced = due_blows(s, phase)
    most = matched(s, side, forced, fought)

    def spare(unit: int) -> bool:
        return matched(s, side, forced, {*fought, unit}) == most

    return tuple(
        p
        for p in phase.targets
        if s.side_at(p) == other(side) and any(spare(unit) for unit in willing(s, side, p, fought))
    )


def due_blows(s: State, phase: Left) -> tuple[int, ...]:
    """NR-9.11, NR-9.12: where units under a marker stand that somebody can still attack."""
    places = dict.fromkeys(s.at(unit) for unit in phase.due if unit in s.blown)
    return tuple(place for place in sorted(places) if able(s, phase.side, place, phase.fought))


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


def check_attack(s: State, phase: Left, target: int, units: Sequence[int], marker: Marker) -> Violation | None:
    side, fought = phase.side, phase.fought
    voluntary, forced = due_targets(s, phase), due_blows(s, phase)
    text = s.chart.place_text(target)
    if target not in voluntary and target not in forced:
        return Violation("NR-9.1", f"{text} is not a target that is still to be attacked")
    if voluntary and target not in voluntary:
        return Violation("NR-9.11", "The voluntary attacks come first")
    may = willing(s, side, target, fought) if voluntary else able(s, side, target, fought)
    for unit in units:
        if unit not in may:
            can = ", ".join(s.name(each) for each in may)
            return Violation("NR-9.2", f"{s.code(unit)} cannot attack {text} now. These can: {can}")
    rest = [place for place in forced if place != target]
    if matched(s, side, rest, {*fought, *units}) < matched(s, side, forced, fought) - (target in forced):
        return Violation("NR-9.11", "Then no unit would be left for a counterblow hex")
    if marker != Marker.NONE and phase.markers < 1:
        return Violation("NR-9.21", "You have listed all your markers of this turn")
    return marker_ok(s, side, units, marker)


class Attacks(EntryKind[State, PlayerTurn, Attack]):
    """NR-9.3, NR-9.4: an attack. Units that can no longer fight when its time comes stay behind."""

    rule = "NR-9.3"

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        if thing not in CODES:
            return None
        phase, unit = unlisted(s, f), CODES[thing]
        places = due_targets(s, phase) or due_blows(s, phase)
        joins = willing if due_targets(s, phase) else able
        begin = begin_with_target(unit, s.name(unit), {place: joins(s, seat, place, phase.fought) for place in places})
        return Violation("NR-9.2", begin or f"{s.name(unit)} can join none of the attacks that are still to be listed")

    def first(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Pick]:
        phase = unlisted(s, f)
        return (Pick(place_key(place), place) for place in due_targets(s, phase) or due_blows(s, phase))

    def picked(self, s: State, f: PlayerTurn, seat: str, pick: int) -> Iterator[Attack]:
        phase = unlisted(s, f)
        may = (willing if due_targets(s, phase) else able)(s, seat, pick, phase.fought)
        for size in range(len(may), 0, -1):
            for units in combinations(may, size):
                for marker in (Marker.NONE, OWN_MARKER[seat]):
                    if check_attack(s, phase, pick, units, marker) is None:
                        yield Attack(pick, units, marker)

    def form(self, s: State, f: PlayerTurn, entry: Attack, proof: Known) -> Violation | None:
        if not entry.units or any(a >= b for a, b in pairwise(entry.units)):
            return Violation("NR-9.4", "An attack names its units, each once, in the order of the list of units")
        if any(unit not in s.chart.own[f.side] for unit in entry.units):
            return Violation("NR-9.2", "An attack names units of your own")
        if any(place >= UNIT and place - UNIT not in entry.units for place in entry.pursue):
            return Violation("NR-9.49", "Only units that attack may pursue")
        if entry.pursue and entry.pursue[0] < UNIT:
            return Violation("NR-9.48", "A pursuit names the unit before its way")
        return None

    def now(self, s: State, f: PlayerTurn, entry: Attack) -> Violation | None:
        if f.open:
            return check_attack(s, unlisted(s, f), entry.target, entry.units, entry.marker)
        return check_attack(s, to_fight(s, f), entry.target, self._ready(s, f, entry) or entry.units, entry.marker)

    @staticmethod
    def _ready(s: State, f: PlayerTurn, entry: Attack) -> tuple[int, ...]:
        may = (willing if entry.target in s.targets else able)(s, f.side, entry.target, f.fought)
        return tuple(unit for unit in entry.units if unit in may)

    def column(self, s: State, f: PlayerTurn, entry: Attack) -> int:
        units, forced = self._ready(s, f, entry), entry.target not in s.targets
        return reckon(s, fight_for(s, f.side, entry.target, units, forced=forced, marker=entry.marker)).column

    def column_name(self, s: State, column: int) -> str:
        return column_name(s, column)

    def start(self, s: State, f: PlayerTurn, entry: Attack, out: Out) -> Frame:
        forced, units = entry.target not in s.targets, self._ready(s, f, entry)
        f.fought.update(units)
        if forced:
            s.forced += 1
            f.due = tuple(unit for unit in f.due if s.at(unit) != entry.target)
            s.lift_blow(entry.target)
        else:
            s.attacks += 1
            s.targets = tuple(place for place in s.targets if place != entry.target)
        fight = begin(s, f.side, entry.target, units, forced=forced, marker=entry.marker)
        fight.ask, fight.pursue = entry.ask, entry.pursue
        return Battle(f.side)

    def won(self, s: State, f: PlayerTurn, entry: Attack, done: Battle) -> bool:
        return s.side_at(entry.target) != other(f.side)


class PhaseEvents(PlayEvent):
    """NR-13.09A, NR-13.34A: what is played when targets have been marked is played before the first battle."""

    moments = (Moment.COMBAT, Moment.ANY)

    def at(self, f: PlayerTurn) -> Moments:
        return self.moments if f.fought else (Moment.TARGETED, *self.moments)


class ListBattles(FightList[State, PlayerTurn]):
    """The voluntary battles in any order, then the forced ones (NR-9.3, NR-9.11), all or some of them at once."""

    name = "battles"
    rule = "NR-9.3"
    kinds = (Attacks,)
    choices = (PhaseEvents,)
    done = Done
    closes = True
    ends = "Begin the battles of your list; what else is marked can be listed when they have been fought"

    def owner(self, s: State, f: PlayerTurn) -> str:
        return f.side

    def may_end(self, s: State, f: PlayerTurn) -> Violation | None:
        """NR-9.4: what is marked is fought; the rest may be listed when these battles have been fought."""
        return None if f.waiting() else Violation("NR-9.4", "List an attack: what is marked must be attacked")

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        phase = unlisted(s, f)
        voluntary = due_targets(s, phase)
        places = ", ".join(s.chart.place_text(place) for place in voluntary or due_blows(s, phase))
        must = "list an attack on each of" if voluntary else "you must attack"
        asked = ""
        if f.current in f.waiting():
            where = s.chart.place_text(f.entries[f.current - 1].target)
            asked = f"The attack on {where} would be next: `done` lets it go on, `strike {f.current}` strikes it off. "
        shift = f"{marker_name(seat)} marker shifts its attack by {many(marker_worth(s, seat), 'column')}"
        worth = f" A {shift} (NR-9.21); markers left: {phase.markers}." if phase.markers > 0 and places else ""
        left = len(voluntary) + len(due_blows(s, phase))
        last = f"The battles begin when all {left} are listed." if left > 1 else "The battles begin when it is listed."
        listing = f"{must} {places}: `attack HEX with UNITS`. {last}" if places else "your list is complete."
        return f"Turn {s.turn}, {NAMES[seat]} attacks: {asked}{listing}{worth}"


class Fighting(NextFight[State, PlayerTurn]):
    """One battle of the list after another."""

    name = "fights"
    rule = "NR-9.3"
    listing = ListBattles

    def more(self, s: State, f: PlayerTurn) -> bool:
        return ListBattles().has_something(s, f)

    def ahead(self, s: State, f: PlayerTurn) -> str:
        ends = f"When your battles have been fought, your turn ends; the {NAMES[other(f.side)]} turn is next."
        return " ".join(filter(None, (super().ahead(s, f), ends)))


def fight_for(
    s: State, side: str, target: int, units: tuple[int, ...], *, forced: bool = False, marker: Marker = Marker.NONE
) -> Fight:
    """The battle as it would begin (NR-9.3)."""
    there = s.ground.stacks[target]
    fought = {effect.at - UNIT for effect in s.effect("alone", side)}  # NR-13.17S
    return Fight(
        label=f"t{s.turn}/{s.active}/{target:04d}",
        side=side,
        target=(target,),
        units=units,
        defenders=tuple(unit for unit in there if unit not in fought) or there,
        forced=forced,
        marker=marker != Marker.NONE,
    )


def begin(
    s: State, side: str, target: int, units: tuple[int, ...], *, forced: bool = False, marker: Marker = Marker.NONE
) -> Fight:
    """Put a battle into the state (NR-9.3, NR-9.21)."""
    use_marker(s, side, marker)
    s.fight = fight_for(s, side, target, units, forced=forced, marker=marker)
    return s.fight


def use_marker(s: State, side: str, marker: Marker) -> None:
    """NR-9.21: it is used up."""
    if marker != Marker.NONE:
        s.support[side] -= 1


def present(s: State, units: Iterable[int]) -> tuple[int, ...]:
    return tuple(unit for unit in units if s.on_map(unit))


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

    def rolled(self, s: State, f: Battle) -> str:
        fight = fight_of(s)
        place = all_of([s.chart.place_text(each) for each in fight.target])
        return f"The battle for {place} is fought, column {column_name(s, reckon(s, fight).column)}."

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


class PickDie(InBattle, Decide[State, Battle, Choose]):
    """NR-13.05A: of several dice one counts."""

    name = "pick_die"
    rule = "NR-13.05A"
    takes = (Choose,)
    default = "then best"
    answer_names = ("best", "highest", "lowest")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        fight = fight_of(s)
        return (fight.chooser,) if len(fight.thrown) > 1 and not fight.die else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        fight = fight_of(s)
        where, reckoned = all_of([s.chart.place_text(each) for each in fight.target]), reckon(s, fight)
        gives = "; ".join(f"{die} gives {self._gives(s, die)}" for die in sorted(set(fight.thrown)))
        return (
            f"The {'counterattack' if fight.counter else 'attack'} on {where} by the {NAMES[fight.side]} side, column "
            f"{column_name(s, reckoned.column)} of the {NAMES[reckoned.table]} table, has the dice "
            f"{' and '.join(map(str, fight.thrown))}: {gives}. Which one counts? `choose NUMBER`."
        )

    @staticmethod
    def _gives(s: State, die: int) -> str:
        fight = replace(fight_of(s), die=die)
        return outcome_text(s, fight, result_of(s, fight))

    def says(self, s: State, f: Battle, seat: str, order: Order) -> str:
        assert isinstance(order, Choose)
        return f"Choose {order.option}: {self._gives(s, order.option)}"

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
        best = max if seat == fight_of(s).side else min
        return {"best": Choose(best(dice)), "highest": Choose(max(dice)), "lowest": Choose(min(dice))}


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
            s.fight = Fight(
                fight.label, fight.side, hexes, units, defenders, fight.forced, fight.counter, ask=fight.ask
            )
            return Goto(OpenBattle)
        s.fight = None
        return berlin(s, out) or RETURN
