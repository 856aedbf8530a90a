"""SG-8.0 to SG-8.3: which attacks can be listed, and how each of them begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from pbem.game import Frame, Known, Order, Out, Pick, Violation
from pbem.kit import EntryKind, FightList, NextFight, begin_with_target, hex_name, many, named_ways, place_key
from pbem_rules.stargard.chart import GERMAN
from pbem_rules.stargard.command import face_down, note_struck, playable, reaction_text, will_react
from pbem_rules.stargard.events import Cancelled
from pbem_rules.stargard.frames import Activation, Battle
from pbem_rules.stargard.movement import may_use
from pbem_rules.stargard.odds import (
    MOST_PLANES,
    MOST_POINTS,
    NO_ATTACK,
    column_name,
    explain,
    points,
    reckon_attack,
)
from pbem_rules.stargard.orders import CODES, Attack, Done
from pbem_rules.stargard.state import GROUNDED, REFIT, TO_COME, State, other

WHERE = {TO_COME: "has not arrived yet", GROUNDED: "is grounded", REFIT: "is being refitted"}  # SG-2.1
MOST_ADVANCE = 2  # SG-10.3a
MOST_INDEPENDENTS = 2  # SG-3.3.2b


def spare_independents(s: State, f: Activation) -> tuple[set[int], int]:
    """SG-3.3.2b: the independent units in use, and how many more may be."""
    used = set(f.used) | {unit for entry in f.firm() for unit in entry.units if s.chart.independent(unit)}
    return used, MOST_INDEPENDENTS - len(used)


def ready(s: State, f: Activation) -> Iterator[int]:
    """The activated units that can still be listed to attack (SG-3.0, SG-3.3.2b, SG-8.1.2b, SG-8.3.1c)."""
    busy = {unit for entry in f.firm() for unit in entry.units}
    used, spare = spare_independents(s, f)
    for unit in f.able:
        if unit in f.fought or unit in busy or s.is_hq(unit) or not s.on_map(unit) or s.pieces[unit].pinned:
            continue
        if spare > 0 or unit in used or not s.chart.independent(unit):
            yield unit


def can_be_target(s: State, f: Activation, place: int) -> bool:
    """SG-8.0a, SG-8.3.1c: enemy combat units stand there, and none of them has been attacked in this activation."""
    there = s.combat_units(place, other(f.seat))
    return bool(there) and not any(unit in f.attacked for unit in there)


def targets(s: State, f: Activation) -> dict[int, list[int]]:
    """The hexes that can be attacked, each with the units that can join (SG-8.0a, SG-8.3.1c, SG-4.6.1)."""
    board = s.chart.board
    listed = {entry.target for entry in f.firm()}
    enemies = board.in_mask(s.ground.occupied[other(f.seat)])
    open_to = {place for place in enemies if place not in listed and can_be_target(s, f, place)}
    found: dict[int, list[int]] = {}
    for unit in ready(s, f):
        at = s.at(unit)
        for place in board.near[at]:
            if place in open_to and s.chart.passable(at, place):
                found.setdefault(place, []).append(unit)
    return {place: sorted(found[place]) for place in sorted(found)}


def air_left(s: State, f: Activation, besides: int = 0) -> tuple[tuple[str, ...], int]:
    """SG-13.0b: the air units that could still be listed, and the points of the turn that are left.

    `besides`: as if no attack on this hex were listed.
    """
    entries = [entry for entry in f.firm() if entry.target != besides]
    taken = {code for entry in entries for code in (*entry.air, *entry.power)}
    spent = s.air_spent.get(f.seat, 0) + sum(points(s, entry.air, entry.power) for entry in entries)
    return tuple(code for code in s.air_ready(f.seat) if code not in taken), MOST_POINTS - spent


def no_air(s: State, f: Activation, air: Sequence[str], power: Sequence[str], besides: int = 0) -> Violation | None:
    """SG-13.1a, SG-13.0b: why these air units cannot take part in one attack."""
    here, left = air_left(s, f, besides)
    for code in (*air, *power):
        if code not in here:
            where = WHERE.get(s.planes[code], "is listed in another attack")
            return Violation("SG-13.1a", f"{code} cannot take part: it {where}")
    if points(s, air, power) > left:
        return Violation("SG-13.0b", f"Of the {MOST_POINTS} points of air attack in a turn {left} are left")
    return None


class Attacks(EntryKind[State, Activation, Attack]):
    """SG-8.2b: attackers and their target, the air units with them, and who advances."""

    rule = "SG-8.2"

    def barred(self, s: State, f: Activation, seat: str, thing: str) -> Violation | None:
        if thing not in CODES:
            return None
        alone = f"{thing} has attacked, is on your list, or stands beside no enemy that it could attack"
        why = begin_with_target(CODES[thing], thing, targets(s, f)) or alone
        return may_use(s, f, CODES[thing]) or Violation("SG-8.0a", why)

    def first(self, s: State, f: Activation, seat: str) -> Iterator[Pick]:
        """SG-1.1.3c: the hexes on which an attack without air units reaches 1:2."""
        found = targets(s, f)
        return (Pick(place_key(place), place) for place in found if any(self._subsets(s, f, place, found[place])))

    def picked(self, s: State, f: Activation, seat: str, pick: int) -> Iterator[Attack]:
        for units in self._subsets(s, f, pick, targets(s, f)[pick]):
            yield Attack(pick, units)

    @staticmethod
    def _subsets(s: State, f: Activation, target: int, units: list[int]) -> Iterator[tuple[int, ...]]:
        """All that can join, then each alone, then pairs (SG-8.3.1a, SG-3.3.2b).

        Only those that reach 1:2 without air units (SG-1.1.3c).
        """
        used, spare = spare_independents(s, f)
        extra = sorted((u for u in units if s.chart.independent(u) and u not in used), key=lambda u: -s.face(u).attack)
        whole = tuple(unit for unit in units if unit not in extra[spare:])
        seen = set()
        for size in (len(whole), 1, 2):
            for chosen in combinations(whole, size):
                if chosen not in seen and reckon_attack(s, chosen, target).column >= 0:
                    seen.add(chosen)
                    yield chosen

    def form(self, s: State, f: Activation, entry: Attack, proof: Known) -> Violation | None:
        """SG-3.2: combat units of one's own. SG-13.1a, SG-10.0a: its air units and its advance."""
        if not entry.units or len(set(entry.units)) < len(entry.units):
            return Violation(self.rule, "An attack names its units, each once")
        for unit in entry.units:
            if unit not in s.chart.own[f.seat]:
                return Violation("SG-3.2", f"{s.absence(f.seat, unit)}; an attack names combat units of yours")
            if s.is_hq(unit):
                return Violation("SG-3.2", f"{s.code(unit)} is a headquarters; combat units attack")
        if entry.target not in s.chart.board:
            return Violation(self.rule, "An attack names a hex of the map")
        return self._air_form(s, f, entry) or self._advance_form(s, f, entry)

    @staticmethod
    def _air_form(s: State, f: Activation, entry: Attack) -> Violation | None:
        planes = (*entry.air, *entry.power)
        if len(set(planes)) != len(planes) or len(planes) > MOST_PLANES:
            return Violation("SG-13.1c", f"At most {MOST_PLANES} air units take part in an attack, each once")
        if any(code not in s.chart.planes or s.chart.planes[code].side != f.seat for code in planes):
            ready = s.air_ready(f.seat)
            return Violation("SG-13.1a", f"An attack names air units of yours; ready are: {', '.join(ready) or 'none'}")
        return None

    @staticmethod
    def _advance_form(s: State, f: Activation, entry: Attack) -> Violation | None:
        ways = named_ways(entry.advance)
        if (entry.advance and not ways) or not all(ways.values()):
            return Violation("SG-10.0a", "An advance names each unit before the hexes that it enters")
        for unit, way in ways.items():
            if unit not in entry.units and (unit not in s.chart.own[f.seat] or not s.is_hq(unit)):
                return Violation("SG-10.0a", "Attackers advance, and headquarters that stand with them")
            if way[0] != entry.target:
                return Violation("SG-10.0b", f"An advance first enters {hex_name(entry.target)}, the hex attacked")
            if len(way) > MOST_ADVANCE or any(place not in s.chart.board for place in way):
                return Violation("SG-10.3a", "An advance is one hex long, or two, on the map")
        return None

    def now(self, s: State, f: Activation, entry: Attack) -> Violation | None:
        """SG-8.0a, SG-8.3.1c, SG-3.3.2b, SG-8.3.3, SG-13.0b."""
        where = hex_name(entry.target)
        if not s.combat_units(entry.target, other(f.seat)):
            return Violation("SG-8.0a", f"No enemy combat unit stands in {where}")
        if entry.target in {each.target for each in f.firm()}:
            return Violation("SG-8.3.1c", f"An attack on {where} is already listed")
        if not can_be_target(s, f, entry.target):
            return Violation("SG-8.3.1c", f"A unit in {where} has been attacked in this activation")
        wrong = next(filter(None, (self._unfit(s, f, unit, entry.target) for unit in entry.units)), None)
        wrong = wrong or self._too_many(s, f, entry.units) or self._no_strength(s, entry)
        return wrong or no_air(s, f, entry.air, entry.power)

    @staticmethod
    def _unfit(s: State, f: Activation, unit: int, target: int) -> Violation | None:
        if not s.on_map(unit):
            return Violation("SG-8.0a", f"{s.code(unit)} is not on the map")
        if unit not in f.able:
            return Violation("SG-3.0", f"{s.code(unit)} has not been activated")
        if s.pieces[unit].pinned:
            return Violation("SG-8.1.2b", f"{s.code(unit)} is pinned, so that it cannot attack")
        if unit in f.fought or any(unit in each.units for each in f.firm()):
            return Violation("SG-8.3.1c", f"{s.code(unit)} can attack only once in an activation")
        if target not in s.chart.board.near[s.at(unit)]:
            return Violation("SG-8.0a", f"{s.code(unit)} does not stand beside {hex_name(target)}")
        if not s.chart.passable(s.at(unit), target):
            return Violation("SG-4.6.1", f"{s.code(unit)} could not move from its hex to {hex_name(target)}")
        return None

    @staticmethod
    def _too_many(s: State, f: Activation, units: Iterable[int]) -> Violation | None:
        used, _ = spare_independents(s, f)
        if len(used.union(unit for unit in units if s.chart.independent(unit))) > MOST_INDEPENDENTS:
            return Violation("SG-3.3.2b", "An activation uses at most two independent units")
        return None

    @staticmethod
    def _no_strength(s: State, entry: Attack) -> Violation | None:
        reckoned = reckon_attack(s, entry.units, entry.target)
        return Violation("SG-8.3.3", explain(s, reckoned)) if reckoned.column == NO_ATTACK else None

    def column(self, s: State, f: Activation, entry: Attack) -> int:
        return reckon_attack(s, entry.units, entry.target, points(s, entry.air, entry.power)).column

    def column_name(self, s: State, column: int) -> str:
        return column_name(s, column)

    def start(self, s: State, f: Activation, entry: Attack, out: Out) -> Frame:
        """SG-8.3.1c: units that have attacked and been attacked. SG-3.3.2b, SG-13.1.1: what is used up.

        SG-12.1b: an attack of turn 1 is remembered. SG-12.2.1b: who stands with headquarters as the battle begins.
        """
        self._use_air(s, f, entry)
        f.fought.update(entry.units)
        new = (unit for unit in entry.units if s.chart.independent(unit) and unit not in f.used)
        f.used = (*f.used, *new)
        air = points(s, entry.air, entry.power)
        reckoned = reckon_attack(s, entry.units, entry.target, air)
        defenders = s.combat_units(entry.target)
        units = tuple(sorted(entry.units))
        fight = Battle(seat=f.seat, ask=entry.ask, target=entry.target, units=units, defenders=defenders)
        fight.shift, fight.advance = air, entry.advance
        if reckoned.column < 0:
            # SG-1.1.3c: no die. The attackers have attacked, the defenders have not been attacked.
            fight.result = "cancelled"
            codes = tuple(map(s.code, entry.units))
            out.add(Cancelled(side=f.seat, hex=entry.target, units=codes, odds=explain(s, reckoned), rule="SG-1.1.3c"))
            return fight
        f.attacked.update(defenders)
        note_struck(s, defenders)
        posts = _posts_of(s, entry)
        fight.posts = tuple(posts)
        fight.mates = tuple(s.combat_units(s.at(post)) for post in posts)
        return fight

    @staticmethod
    def _use_air(s: State, f: Activation, entry: Attack) -> None:
        """SG-13.1.1; SG-13.0b, SG-13.0c: the points count."""
        for code in entry.air:
            s.planes[code] = REFIT
        for code in entry.power:
            s.planes[code] = GROUNDED
        if entry.air or entry.power:
            s.air_spent[f.seat] = s.air_spent.get(f.seat, 0) + points(s, entry.air, entry.power)

    def won(self, s: State, f: Activation, entry: Attack, done: Battle) -> bool:
        return done.won


def _posts_of(s: State, entry: Attack) -> list[int]:
    """SG-12.2.1b, SG-9.3.1: the headquarters that stand with either side."""
    places = dict.fromkeys((entry.target, *(s.at(unit) for unit in entry.units)))
    return [unit for place in places for unit in s.ground.stacks[place] if s.is_hq(unit)]


def reacting(s: State, f: Activation) -> str:
    """SG-12.1b: which Soviet armies react after a German activation, by the attacks that it lists and has fought."""
    if f.seat != GERMAN:
        return ""
    waiting = (f.entries[number - 1] for number in f.waiting() if number not in skipped(s, f))
    fought = (entry for entry in waiting if Attacks().column(s, f, entry) >= 0)  # SG-1.1.3c
    return reaction_text(s, will_react(s, [unit for entry in fought for unit in s.combat_units(entry.target)]))


def skipped(s: State, f: Activation) -> dict[int, Violation]:
    """The attacks of the list whose odds, as things stand, are worse than their orders want, each with the reason."""
    fallen = ((number, ListAttacks().odds_fallen(s, f, f.entries[number - 1])) for number in f.waiting())
    return {number: why for number, why in fallen if why is not None}


def _comes_next(s: State, f: Activation) -> str:
    """SG-2.3.3b: no chit is drawn when none is left that may be played."""
    drawn = "the next chit is drawn" if playable(s) or face_down(s) else "no chit is left to draw: supply is judged"
    return reacting(s, f) or drawn


class ListAttacks(FightList[State, Activation]):
    """SG-2.3.3a: the attacks of an activation, listed before the first die."""

    name = "attacks"
    rule = "SG-2.3.3"
    kinds = (Attacks,)
    done = Done

    def says(self, s: State, f: Activation, seat: str, order: Order) -> str:
        if not isinstance(order, Done):
            return ""
        if asked := self._asked_about(s, f):
            return f"Let {asked} go on; then this activation ends, and {_comes_next(s, f)}"
        fallen = len(skipped(s, f))
        left = len(f.waiting()) - fallen
        fight = f"Fight the {f'{left} attacks' if left > 1 else 'attack'} of your list" if left else "Attack nothing"
        fight += f" ({many(fallen, 'attack')} skipped as the odds stand)" if fallen else ""
        return f"{fight}; then this activation ends, and {_comes_next(s, f)}"

    @staticmethod
    def _asked_about(s: State, f: Activation) -> str:
        """The attack before which its owner was given the list back, and the others that wait; empty: none."""
        if f.current not in f.waiting():
            return ""
        others = len(f.waiting()) - 1
        more = f" and the {many(others, 'attack')} behind it" if others else ""
        return f"the attack on {s.chart.board[f.entries[f.current - 1].target]}{more}"

    def prompt(self, s: State, f: Activation, seat: str) -> str:
        number = f.current if f.current in f.waiting() else 0
        place = s.chart.board[f.entries[number - 1].target] if number else ""
        asked = f"The attack on {place} would be next: `done` lets it go on, `strike {number}` strikes it off. "
        able = self.has_something(s, f)
        more = "list attacks in order, `attack HEX with UNITS`." if able else "nothing else can be attacked."
        return f"Turn {s.turn}, attacks: {asked if number else ''}{more} End with `done`."


class CarryOut(NextFight[State, Activation]):
    """SG-8.2a: one battle after another, in the attacker's order."""

    name = "carry_out"
    rule = "SG-8.2"
    listing = ListAttacks

    def ahead(self, s: State, f: Activation) -> str:
        """Before dice are thrown: the enemies that will move and attack after them (SG-12.1b)."""
        enemies = reacting(s, f)
        return " ".join(filter(None, (f"After this activation {enemies}." if enemies else "", super().ahead(s, f))))


__all__ = ["Attacks", "CarryOut", "ListAttacks", "air_left", "no_air", "ready", "targets"]
