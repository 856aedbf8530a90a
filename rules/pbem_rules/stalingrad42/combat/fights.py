"""S42-8.1 to S42-8.4: which attacks can be listed, and how each of them begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, ClassVar

from pbem.game import DONE, Auto, Call, Frame, Goto, Known, Next, Order, Out, Pick, Violation
from pbem.kit import NOWHERE, EntryKind, FightList, NextFight, all_of, begin_with_target, named_ways, place_key
from pbem_rules.stalingrad42.campaign.armies import Unmask
from pbem_rules.stalingrad42.chart import AXIS, FREE
from pbem_rules.stalingrad42.combat.air import fit, no_air, stay
from pbem_rules.stalingrad42.combat.battle import shifts_of
from pbem_rules.stalingrad42.combat.disengaging import Disengages
from pbem_rules.stalingrad42.combat.guns import MOST_GUNS, fire, no_guns, posts
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, NO_ATTACK, attack, column_name, holders, may_join
from pbem_rules.stalingrad42.combat.offensives import Commits, use_plans
from pbem_rules.stalingrad42.combat.pursuit import wrong_advance, wrong_break
from pbem_rules.stalingrad42.combat.reserves import Activates
from pbem_rules.stalingrad42.events import Flew
from pbem_rules.stalingrad42.frames import Battle, PlayerTurn
from pbem_rules.stalingrad42.movement.marching import beside, borders, owned_areas, veiled
from pbem_rules.stalingrad42.movement.phase import may_attack
from pbem_rules.stalingrad42.orders import CODES, Activate, Attack, Break, Commit, Done, place_name
from pbem_rules.stalingrad42.state import DISENGAGING, State, other

AROUND = 6  # hexes around a hex
STORMED = "DS"  # S42-8.6.1c


def able(s: State, f: PlayerTurn) -> Iterator[int]:
    """S42-8.1b, S42-8.1g: the units that can still be listed."""
    busy = {unit for entry in f.attacks() for unit in entry.units} | f.leaving() | f.tried
    near = s.chart.beside(s.fighters(other(f.seat)) | veiled(s, f.seat)) | owned_areas(s, f.seat) | s.shared
    for place in s.chart.board.in_mask(near & s.fighters(f.seat)):
        for unit in s.of(f.seat, place):
            if unit not in busy and unit not in f.fought | f.advanced and may_attack(s, f, unit) is None:
                yield unit


def can_be_target(s: State, f: PlayerTurn, place: int) -> bool:
    """S42-8.1b: somebody stands there who has not been attacked in this phase."""
    fresh = any(s.fights(unit) and unit not in f.attacked for unit in s.of(other(f.seat), place))
    return fresh or bool(veiled(s, f.seat) & s.chart.board.bit[place])  # S42-34.6.2


def targets(s: State, f: PlayerTurn) -> dict[int, list[int]]:
    """The hexes that can be attacked, each with the units that can join."""
    listed = {entry.target for entry in f.attacks()}
    enemies, bit = s.afield(other(f.seat)) | veiled(s, f.seat), s.chart.board.bit
    found: dict[int, list[int]] = {}
    for unit in able(s, f):
        for place in (s.at(unit), *s.chart.board.near[s.at(unit)]):
            joins = bit[place] & enemies and borders(s, unit, place)
            if joins and place not in listed and can_be_target(s, f, place):
                found.setdefault(place, []).append(unit)
    return {place: sorted(found[place]) for place in sorted(found)}


def crowds(s: State, target: int, units: Sequence[int]) -> bool:
    """S42-22.7a: are there too many out of Areas for the hexes that lie beside the target beyond the edge?"""
    out = [unit for unit in units if s.in_area(unit)]
    if not out:
        return False
    board, side = s.chart.board, s.side(out[0])
    assert board.grid is not None
    beyond = AROUND - len(board.grid.neighbours(target))
    free = min(sum(s.has(unit, FREE) for unit in out), beyond * s.chart.limits["free"][side])
    return len(out) - free > beyond * s.chart.limits["stack"][side]


def stack_mates(s: State, f: PlayerTurn, entry: Attack) -> tuple[int, ...]:
    """S42-14.1a: who stands with the attackers, and may advance too."""
    out = {unit for storm in f.storms for unit in storm.units} | f.advanced | set(entry.units)
    hexes = dict.fromkeys(s.at(unit) for unit in entry.units if s.on_map(unit) and not s.in_area(unit))
    return tuple(unit for place in hexes for unit in s.of(f.seat, place) if unit not in out)


class Attacks(EntryKind[State, PlayerTurn, Attack]):
    """S42-8.2: attackers and their target, the artillery, and who advances."""

    rule = "S42-8.2"

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        if thing not in CODES:
            return None
        alone = f"{thing} stands beside no enemy that it could attack and that is not on your list"
        why = begin_with_target(CODES[thing], thing, targets(s, f)) or alone
        return may_attack(s, f, CODES[thing]) or Violation("S42-8.2a", why)

    def first(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Pick]:
        found = targets(s, f)
        return (Pick(place_key(place), place) for place in found if any(self._subsets(s, place, found[place])))

    def picked(self, s: State, f: PlayerTurn, seat: str, pick: int) -> Iterator[Attack]:
        taken = {guns for entry in f.attacks() for guns in entry.guns}
        flying = {entry.air for entry in f.attacks()}
        for units in self._subsets(s, pick, targets(s, f)[pick]):
            yield Attack(pick, units)
            wings = fit(s, pick, defends=False, units=units) if seat == AXIS else ()
            yield from (Attack(pick, units, air=wing) for wing in wings if wing not in flying)
            ready = [guns for guns, _ in posts(s, seat) if guns not in taken]
            for guns in (*((each,) for each in ready), *combinations(ready, MOST_GUNS)):
                if no_guns(s, seat, guns, units) is None:
                    yield Attack(pick, units, guns=guns)

    @staticmethod
    def _subsets(s: State, target: int, units: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """All that can join, then each alone, then pairs."""
        seen = set()
        for size in (len(units), 1, 2):
            for chosen in combinations(units, size):
                if chosen not in seen and may_join(s, chosen):
                    seen.add(chosen)
                    found = attack(s, chosen, target, other(s.side(chosen[0]))).column
                    if found != NO_ATTACK and not crowds(s, target, chosen):
                        yield chosen

    def form(self, s: State, f: PlayerTurn, entry: Attack, proof: Known) -> Violation | None:
        if not entry.units or len(set(entry.units)) < len(entry.units):
            return Violation(self.rule, "An attack names its units, each once")
        if any(unit not in s.chart.own[f.seat] for unit in entry.units):
            return Violation("S42-8.1a", "An attack names units of yours")
        if entry.target not in s.chart.board:
            return Violation(self.rule, "An attack names a hex of the map")
        if not may_join(s, entry.units):
            return Violation("S42-20.5.1", "Allies of different nations do not attack together")
        if entry.air is not None and f.seat != AXIS:
            return Violation("S42-9.3.1a", "Only the Axis has air units")
        if len(entry.guns) > MOST_GUNS:
            return Violation("S42-18.5a", f"At most {MOST_GUNS} units support an attack")
        for guns in entry.guns:
            if guns not in s.chart.own[f.seat]:
                return Violation("S42-18.3.1", f"{s.code(guns)} is not yours")
        wrong = wrong_break(s, entry.units, Break(entry.breaks, entry.via, entry.odds), entry.target)
        able = (*entry.units, *stack_mates(s, f, entry))
        return wrong or wrong_advance(s, f.seat, entry.advance, able, entry.target)

    def now(self, s: State, f: PlayerTurn, entry: Attack) -> Violation | None:
        where, enemy = place_name(entry.target), other(f.seat)
        if not s.chart.board.bit[entry.target] & (s.afield(enemy) | veiled(s, f.seat)):
            return Violation("S42-8.1a", f"No enemy combat unit stands in {where}")
        if entry.target in {each.target for each in f.attacks()} or not can_be_target(s, f, entry.target):
            return Violation("S42-8.1b", f"{where} can be attacked only once in a phase")
        wrong = next(filter(None, (self.unfit(s, f, unit, entry.target) for unit in entry.units)), None)
        if wrong is not None:
            return wrong
        if crowds(s, entry.target, entry.units):
            return Violation("S42-22.7a", f"So many units do not fit beside {where}, beyond the edge of the map")
        if entry.air is not None:
            if any(entry.air == each.air for each in f.attacks()):
                return Violation("S42-9.3.3", f"{entry.air} is listed in another attack")
            lacks = no_air(s, entry.air, entry.target, entry.units)
            if lacks is not None:
                return lacks
        for guns in entry.guns:
            if any(guns in each.guns for each in f.attacks()):
                return Violation("S42-18.2.1", f"{s.code(guns)} is listed in another attack")
        lacks = no_guns(s, f.seat, entry.guns, entry.units)
        if lacks is not None:
            return lacks
        if self.column(s, f, entry) == NO_ATTACK and entry.target not in f.sprung:
            return Violation("S42-8.4.1", "The odds are below 1:3, so the attack is not allowed")
        return None

    @staticmethod
    def unfit(s: State, f: PlayerTurn, unit: int, target: int) -> Violation | None:
        wrong = may_attack(s, f, unit)
        if wrong is not None:
            return wrong
        if unit in f.advanced:
            return Violation("S42-14.1a", f"{s.code(unit)} has advanced after combat, and cannot attack any more")
        if unit in f.fought or any(unit in each.units for each in f.attacks()):
            return Violation("S42-8.1b", f"{s.code(unit)} can attack only once in a phase")
        if unit in f.tried | f.leaving():
            return Violation("S42-27.2.1a", f"{s.code(unit)} tries to disengage in this phase, and cannot attack")
        if not beside(s, unit, target):
            if s.shares(unit):
                return Violation("S42-29.1.3b", f"{s.code(unit)} is in a contested city, and cannot attack outside it")
            return Violation("S42-8.2a", f"{s.code(unit)} does not stand beside {place_name(target)}")
        if not borders(s, unit, target):
            return Violation("S42-8.1f", f"{s.code(unit)} cannot cross over to {place_name(target)}")
        return None

    def column(self, s: State, f: PlayerTurn, entry: Attack) -> int:
        """In order of strength: ten to one lies beyond the table."""
        more = shifts_of(entry.guns, air=entry.air is not None)
        found = attack(s, entry.units, entry.target, other(f.seat), more).column
        return len(s.chart.odds.columns) if found == AUTOMATIC else found

    def column_name(self, s: State, column: int) -> str:
        return column_name(s, AUTOMATIC if column == len(s.chart.odds.columns) else column)

    def start(self, s: State, f: PlayerTurn, entry: Attack, out: Out) -> Frame:
        """S42-8.1b: units that have attacked and been attacked. S42-12.4: units that have fled there are guests."""
        s.fighting = f.seat
        fire(s, entry.guns, out)
        if entry.air is not None:
            out.add(Flew(air=entry.air, hex=entry.target, defends=False, rule="S42-9.3.3"))
        there = [unit for unit in s.of(other(f.seat), entry.target) if s.fights(unit)]
        defenders = holders(s, entry.target, other(f.seat))
        f.fought.update(entry.units)
        f.attacked.update(there)
        return Battle(
            seat=f.seat,
            ask=entry.ask,
            target=entry.target,
            units=tuple(sorted(entry.units)),
            mates=stack_mates(s, f, entry),
            defenders=defenders,
            guests=tuple(unit for unit in there if unit not in defenders),
            guns=entry.guns,
            air=entry.air,
            plans=use_plans(s, f, entry.target, entry.units, out),
            breaks=entry.breaks,
            via=entry.via,
            odds=entry.odds,
            advance=entry.advance,
        )

    def won(self, s: State, f: PlayerTurn, entry: Attack, done: Battle) -> bool:
        """S42-9.3.7b: the air unit stays with the group that has broken through, else with those who have advanced."""
        f.advanced.update(done.advanced)
        f.emptied = entry.target if done.won else None
        if entry.air is not None:
            there = ([unit for unit in each if s.on_map(unit)] for each in (done.left, done.advanced, done.units))
            stay(s, entry.air, next(filter(None, there), []))
        return done.won


def entry_name(s: State, entry: Any) -> str:
    """What an entry of the list is: `the attack on 1403 by 9Pz`."""
    if isinstance(entry, Attack):
        return f"the attack on {place_name(entry.target)} by {all_of(map(s.code, entry.units))}"
    if isinstance(entry, Commit):
        return f"the Planned Offensive of {all_of(map(s.code, entry.units))} against {place_name(entry.target)}"
    if isinstance(entry, Activate):
        return f"the activation of the reserve {all_of(map(s.code, named_ways(entry.advance)))}"
    return f"the attempt of {all_of(map(s.code, entry.units))} to disengage"


class ListAttacks(FightList[State, PlayerTurn]):
    """S42-8.1: the attacks of a phase, listed before the first die."""

    name = "attacks"
    rule = "S42-8.1"
    kinds: ClassVar[tuple[type[EntryKind[State, PlayerTurn, Any]], ...]] = (Attacks, Commits, Activates, Disengages)
    done = Done

    def says(self, s: State, f: PlayerTurn, seat: str, order: Order) -> str:
        if not isinstance(order, Done):
            return ""
        left = len(f.waiting())
        fight = f"Carry out the {f'{left} entries' if left > 1 else 'entry'} of your list" if left else "Attack nothing"
        return f"{fight}; then your turn ends"

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        orders: dict[type[EntryKind[State, PlayerTurn, Any]], str]
        orders = {Attacks: "`attack HEX with UNITS`", Commits: "`commit`", Activates: "`activate`",
                  Disengages: "`disengage`"}  # fmt: skip
        possible = (text for kind, text in orders.items() if next(iter(kind().first(s, f, seat)), None) is not None)
        order = f" with {text}" if (text := ", ".join(possible)) else ""
        struck = [number for number in f.waiting() if number <= f.known]
        if not f.known:
            return f"Turn {s.turn}, combat: list attacks in order{order}; end with `done`."
        then = f"`strike {struck[0]}` strikes an entry off" if struck else "The list has been carried out"
        left = all_of(f"{number} ({entry_name(s, f.entries[number - 1])})" for number in f.waiting())
        more = f"; more{order}" if order else ""
        return f"Turn {s.turn}, combat. Still on the list: {left or 'nothing'}. {then}{more}; go on with `done`."


class CarryOut(NextFight[State, PlayerTurn]):
    """S42-8.1e: one after another, in the attacker's order; who asks decides on the rest when a battle is over."""

    name = "carry_out"
    rule = "S42-8.1"
    listing = ListAttacks
    after = True
    goes_back = (ListAttacks, Unmask)

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        """S42-34.6.2: before an attack on a reserve army its box is shown."""
        asks = f.current and f.entries[f.current - 1].ask
        f.open, f.attacking = False, None
        target = None if asks or not s.masks else self._masked(s, f)
        if target is not None:
            f.attacking = target
            s.exposed.update(Unmask.known(s, target))
            return Goto(Unmask)
        return super().run(s, f, out)

    def _masked(self, s: State, f: PlayerTurn) -> int | None:
        """S42-34.6.2: the hex of the next attack that would be carried out, if an army hides there."""
        for number in f.waiting():
            entry = f.entries[number - 1]
            off = self._depends(f, entry) or self.kind_of[type(entry)].now(s, f, entry) or self.odds_fallen(s, f, entry)
            if off is None:
                place = entry.target if isinstance(entry, Attack) else NOWHERE
                return place if Unmask.hidden(s, place) or Unmask.known(s, place) else None
        return None

    def odds_fallen(self, s: State, f: PlayerTurn, entry: Any) -> Violation | None:
        """S42-34.6.2: whoever has attacked a reserve army does not draw back when it is shown."""
        sprung = isinstance(entry, Attack) and entry.target in f.sprung
        return None if sprung else super().odds_fallen(s, f, entry)


class ListDisengagements(ListAttacks):
    """S42-33.2.3c: in the short turn of the Axis nobody attacks, units may disengage."""

    name = "disengagements"
    rule = "S42-33.2.3c"
    kinds = (Disengages,)

    def when(self, s: State, f: PlayerTurn) -> bool:
        return DISENGAGING in s.options

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        return f"Turn {s.turn}: list who disengages; end with `done`."


class CarryOutDisengagements(NextFight[State, PlayerTurn]):
    """S42-33.2.3c."""

    name = "carry_out_disengagements"
    rule = "S42-33.2.3c"
    listing = ListDisengagements
    after = True


class Pursue(Auto[State, PlayerTurn]):
    """S42-8.6.2: after all combat those of each automatic DS advance; S42-12.2i: units that fled cover hexes again."""

    name = "pursue"
    rule = "S42-8.6.2"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        if f.pursued == len(f.storms):
            s.fled.clear()
            f.reserved.clear()  # S42-25.2.3f
            s.fighting = ""
            return DONE
        storm = f.storms[f.pursued]
        f.pursued += 1
        fight = Battle(
            seat=f.seat,
            target=storm.target,
            units=tuple(sorted(storm.units)),
            defenders=(),
            breaks=storm.breaks,
            via=storm.via,
            odds=storm.odds,
            advance=storm.advance,
            cell=STORMED,
        )
        return Call(fight, again=True)
