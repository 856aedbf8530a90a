"""S42-34: Maskirovka: reserve armies on the map, boxes whose units all can see, and the pairing, which one side knows.

What an army may do by its pairing (how slow its box is, whether it is in supply) is `forbids`: the duty of the owner's
own program, which the final audit asks again.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Generic, TypeVar

from pbem.game import DONE, STAY, Ask, Choice, Decide, Goto, Known, Next, Open, Order, Out, Secret, Violation
from pbem.kit import COMBATS, March, all_of, many
from pbem_rules.stalingrad42.campaign.boxes import box_of, content, disband, unpaired
from pbem_rules.stalingrad42.chart import SLOW, SOVIET, TRANSIT
from pbem_rules.stalingrad42.events import ORDER_NAMES, Assigned, Paired, Remasked, Unmasked
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.marching import EXTENDED, NORMAL, allowance
from pbem_rules.stalingrad42.movement.phase import (
    ALL,
    ExtendedMoves,
    GroundMoves,
    Moves,
    Rails,
    TacticalMoves,
    Transfers,
    find_way,
)
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import (
    Assign,
    Done,
    Entrain,
    Extended,
    Move,
    Pair,
    Remask,
    Reveal,
    Sally,
    Show,
    Tactical,
    Transfer,
    place_name,
)
from pbem_rules.stalingrad42.state import BOX, BOX_ROOM, BOXES, GOOD, State
from pbem_rules.stalingrad42.supply.lines import lines_from

DEFENDERS = 3  # S42-34.6.2a
NEAR_AREAS, FAR_AREAS = tuple("abcd"), tuple("abcde")  # S42-34.4.1
G = TypeVar("G", bound=Order)
M = TypeVar("M", bound=Move | Extended | Tactical)
NOT_YOURS = Violation("S42-34.2", "That is not a reserve army of yours on the map")


def army_of(s: State, box: int, own: Known) -> int | None:
    return next((army for army in s.armies() if box_of(s, army, own) == box), None)


def joined(s: State, army: int, areas: Sequence[str] = FAR_AREAS) -> bool:
    """S42-34.4.1: is it in one of these Areas, or in supply through them?"""
    return in_supply(s, s.at(army), areas)


def in_supply(s: State, place: int, areas: Sequence[str]) -> bool:
    return place in areas_of(s, areas) or bool(s.chart.board.bit[place] & lines_from(s, SOVIET, tuple(areas)))


def areas_of(s: State, keys: Iterable[str]) -> tuple[int, ...]:
    return tuple(s.chart.areas[key] for key in keys)


# Pairing


class Pairing(Secret[State, PlayerTurn, Pair]):
    """S42-34.1.1, S42-34.1.2b: one army after another is paired with a box, unseen."""

    name = "pairing"
    rule = "S42-34.1"
    seats = (SOVIET,)

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (SOVIET,) if unpaired(s) else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        code = s.code(unpaired(s)[0])
        return f"With which box is {code} paired? `pair {code.lower()} BOX`, or `pair random` for all at random."

    @staticmethod
    def _free(s: State, f: PlayerTurn, own: Known) -> tuple[int, ...]:
        """Of armies that began together their own boxes, else those that no army has."""
        taken = {box_of(s, army, own) for army in s.masks}
        mixed = {pair.box for slot in f.regrouped.values() if isinstance(pair := own.get(slot), Pair)}
        return tuple(sorted((mixed or {*range(1, len(BOXES) + 1)}) - taken))

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pair]:
        return (Pair(unpaired(s)[0], box) for box in self._free(s, f, own))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Pair, proof: Known) -> Violation | None:
        if order.army != unpaired(s)[0]:
            return Violation(self.rule, f"{s.code(unpaired(s)[0])} is paired now")
        return wrong_box(s, order)

    def duty(self, s: State, f: PlayerTurn, seat: str, order: Pair, own: Known) -> Violation | None:
        if order.box in self._free(s, f, own):
            return None
        return Violation("S42-34.1.2b", f"Box {order.box} belongs to another army")

    def hide(self, s: State, f: PlayerTurn, slots: Mapping[str, str], out: Out) -> Next:
        army = unpaired(s)[0]
        s.masks[army] = slots[SOVIET]
        out.add(Paired(unit=s.code(army), rule=self.rule))
        if not unpaired(s):
            f.regrouped.clear()
        return STAY


def wrong_box(s: State, order: Pair) -> Violation | None:
    """What everybody can see: a box that there is, and that no other army has shown."""
    if not 1 <= order.box <= len(BOXES):
        return Violation("S42-34.1.1", f"There are {len(BOXES)} boxes")
    if any(box == order.box and army != order.army for army, box in s.shown.items()):
        return Violation("S42-34.1.1", f"Box {order.box} has been shown for another army")
    return None


# What armies do


class OfArmies(Choice[State, PlayerTurn, G], Generic[G]):
    """An order that an army, or a unit that goes into a box, is given."""

    @abstractmethod
    def forbids(self, s: State, f: PlayerTurn, order: G, own: Known) -> Violation | None:
        """The owner's duty."""


class Marching(OfArmies[M], GroundMoves[M]):
    """S42-34.3.1: on foot, before units are put into the box, as fast as the slowest unit in it."""

    def units(self, s: State, f: PlayerTurn) -> Iterable[int]:
        return s.armies()

    def may_start(self, s: State, f: PlayerTurn, unit: int) -> Violation | None:
        return super().may_start(s, f, unit) if unit in s.armies() else NOT_YOURS

    def tight(self, s: State, f: PlayerTurn, army: int, own: Known) -> March:
        """S42-34.3.1a: with what is in its box."""
        found, box = self.march(s, f, army), box_of(s, army, own)
        units = content(s, box) if box is not None else ()
        budget = min((found.terms.budget, *(self._pace(s, unit) for unit in units)))
        stops = ALL if any(unit in s.renewed for unit in units) else found.terms.stops
        return March(found.links, found.terms._replace(budget=budget, stops=stops))

    def _pace(self, s: State, unit: int) -> int:
        """S42-2.3.2c: some never use extended movement."""
        slow = self.mode == EXTENDED and s.has(unit, SLOW)
        return allowance(s, unit, NORMAL if slow else self.mode)

    def picked(self, s: State, f: PlayerTurn, seat: str, own: Known, pick: int) -> Iterator[M]:
        if self._filled(s, f, pick, own):
            return
        ends = self.tight(s, f, pick, own).ends(s.chart.board, s.at(pick))
        yield from (self.to(pick, place) for place in ends)

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[M]:
        for pick in self.first(s, f, seat, own):
            yield from self.picked(s, f, seat, own, pick.value)

    @staticmethod
    def _filled(s: State, f: PlayerTurn, army: int, own: Known) -> bool:
        return box_of(s, army, own) in f.filled

    def forbids(self, s: State, f: PlayerTurn, order: M, own: Known) -> Violation | None:
        if self._filled(s, f, order.unit, own):
            return Violation("S42-34.3.1b", f"{s.code(order.unit)} cannot move any more: units have gone into its box")
        way = find_way(s, order.unit, self.mode, self.tight(s, f, order.unit, own), order.path)
        if isinstance(way, Violation):
            return Violation("S42-34.3.1a", f"The slowest unit in its box keeps {s.code(order.unit)}: {way.reason}")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: M, out: Out) -> Next:
        super().apply(s, f, seat, order, out)
        return STAY


class ArmyMoves(Marching[Move], Moves):
    """S42-34.3.1a."""


class ArmyExtended(Marching[Extended], ExtendedMoves):
    """S42-34.3.1a."""


class ArmyTactical(Marching[Tactical], TacticalMoves):
    """S42-34.3.1a."""


class ArmyRails(OfArmies[Entrain], Rails):
    """S42-34.3.2: with an empty box, which has been shown."""

    rule = "S42-34.3.2"

    def units(self, s: State, f: PlayerTurn) -> Iterable[int]:
        return (army for army in s.armies() if self._wrong(s, army) is None)

    def _wrong(self, s: State, army: int) -> Violation | None:
        if army not in s.armies():
            return NOT_YOURS
        if army not in s.shown or content(s, s.shown[army]):
            return Violation(self.rule, f"{s.code(army)} goes by rail with an empty box that has been shown: `show`")
        return None

    def check(self, s: State, f: PlayerTurn, seat: str, order: Entrain, proof: Known) -> Violation | None:
        return self._wrong(s, order.unit) or super().check(s, f, seat, order, proof)

    def forbids(self, s: State, f: PlayerTurn, order: Entrain, own: Known) -> Violation | None:
        return None  # all can see it

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Entrain, out: Out) -> Next:
        super().apply(s, f, seat, order, out)
        return STAY


class ArmyTransfers(OfArmies[Transfer], Transfers):
    """S42-34.3.3: round by Areas, with nobody in the box who is disrupted or has received a replacement."""

    rule = "S42-34.3.3"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Transfer]:
        for army in s.armies():
            if army not in f.moved:  # out of a hex nothing leads round
                orders = (Transfer(army, to) for to in self.ends(s, army))
                yield from (order for order in orders if self.forbids(s, f, order, own) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Transfer, proof: Known) -> Violation | None:
        return NOT_YOURS if order.unit not in s.armies() else super().check(s, f, seat, order, proof)

    def forbids(self, s: State, f: PlayerTurn, order: Transfer, own: Known) -> Violation | None:
        box = box_of(s, order.unit, own)
        if box in f.filled:
            return Violation("S42-34.3.1b", f"{s.code(order.unit)} cannot move any more: units have gone into its box")
        units = content(s, box) if box is not None else ()
        if any(unit in s.renewed or s.pieces[unit].order != GOOD for unit in units):
            return Violation(self.rule, "A unit in its box is disrupted, or has received a replacement")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Transfer, out: Out) -> Next:
        super().apply(s, f, seat, order, out)
        return STAY


class Assigns(OfArmies[Assign]):
    """S42-34.4.1, S42-34.4.2a: combat units into a box, for their whole move; one a turn out of one."""

    rule = "S42-34.4.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Assign]:
        for unit in s.chart.own[SOVIET]:
            if self._unfit(s, f, unit) is None:
                orders = (Assign(unit, to) for to in (*BOXES, *areas_of(s, FAR_AREAS)))
                good = (order for order in orders if self.check(s, f, seat, order, own) is None)
                yield from (order for order in good if self.forbids(s, f, order, own) is None)

    def _unfit(self, s: State, f: PlayerTurn, unit: int) -> Violation | None:
        """Why it goes neither into a box nor out of one, whichever it is."""
        code = s.code(unit)
        if unit not in s.chart.own[SOVIET] or not s.fights(unit):
            return Violation("S42-34.2b", f"{code} is not a combat unit of yours")
        if unit in f.moved or unit in s.frozen:
            return Violation("S42-34.4.1a", f"{code} has moved, or may not move yet")
        if unit in s.renewed:
            return Violation("S42-21.4a", f"{code} has a replacement: it moves one hex on the ground, and no further")
        if s.pieces[unit].order != GOOD:
            return Violation("S42-34.4.1a", f"{code} is {ORDER_NAMES[s.pieces[unit].order]}, and has no whole move")
        if s.at(unit) in BOXES:
            return Violation("S42-34.4.2a", "A unit has left a box in this turn") if f.unboxed else None
        if not s.on_map(unit):
            return Violation("S42-34.4.1", f"{code} is not in play")
        if s.in_area(unit):
            no_way = Violation("S42-34.4.1c", f"Units in {place_name(s.at(unit))} cannot go into boxes")
            return no_way if self._ways(s, unit) is None else None
        if f.boxed_by_rail:
            return Violation("S42-34.4.1e", "A unit has gone from a railway into a box in this turn")
        if not s.chart.board.bit[s.at(unit)] & connected(s, SOVIET) or not in_supply(s, s.at(unit), FAR_AREAS):
            return Violation("S42-34.4.1e", f"{code} is not on a railway that is in supply through A to E")
        return None

    def check(self, s: State, f: PlayerTurn, seat: str, order: Assign, proof: Known) -> Violation | None:
        wrong = self._unfit(s, f, order.unit)
        if wrong is not None:
            return wrong
        here, to, code = s.at(order.unit), order.to, s.code(order.unit)
        if to == here or (here not in BOXES and to not in BOXES):
            return Violation(self.rule, f"{code} goes into a box, or out of one into another or an Area from A to E")
        if to not in BOXES:
            wrong = Violation("S42-34.4.2a", "Units can leave boxes only for the Areas A to E")
            return None if to in areas_of(s, FAR_AREAS) else wrong
        if len(s.of(SOVIET, to)) >= BOX_ROOM:
            return Violation("S42-34.2b", f"A box holds {BOX_ROOM} units")
        if not any(joined(s, army) for army in s.armies()):
            return Violation("S42-34.4.1", "No reserve army is in supply through the Areas A to E")
        return None

    @staticmethod
    def _ways(s: State, unit: int) -> Sequence[str] | None:
        """S42-34.4.1b, S42-34.4.1c: through which Areas the army must be in supply; None: nobody goes from there."""
        if s.at(unit) in areas_of(s, (*FAR_AREAS, TRANSIT)):
            return FAR_AREAS
        new = any(s.chart.unit(each.unit).number == unit and each.turn == s.turn for each in s.chart.track.arrivals)
        return NEAR_AREAS if new else None

    def forbids(self, s: State, f: PlayerTurn, order: Assign, own: Known) -> Violation | None:
        """The armies of the boxes must be in supply, and one that has moved lets nobody out."""
        places = [place for place in (s.at(order.unit), order.to) if place in BOXES]
        areas = (self._ways(s, order.unit) if s.in_area(order.unit) else None) or FAR_AREAS
        for place in places:
            army = army_of(s, place - BOX, own)
            if army is None or not joined(s, army, areas):
                sentence = f"The army of box {place - BOX} is not in supply through the Areas {areas[0].upper()} to "
                return Violation(self.rule, f"{sentence}{areas[-1].upper()}")
            if place == s.at(order.unit) and army in f.moved:
                return Violation("S42-34.4.2", f"The army of box {place - BOX} has moved: units leave it before")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Assign, out: Out) -> Next:
        unit = order.unit
        f.unboxed |= s.at(unit) in BOXES
        f.boxed_by_rail |= s.on_map(unit) and not s.in_area(unit)
        if order.to in BOXES:
            f.filled.add(order.to - BOX)
        f.moved.add(unit)
        out.add(Assigned(unit=s.code(unit), start=s.at(unit), to=order.to, rule=self.rule))
        s.put(unit, order.to)
        return STAY


class Shows(OfArmies[Show]):
    """S42-34.3.2: an empty box is shown, so that the army may go by rail."""

    rule = "S42-34.3.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Show]:
        for army in s.armies():
            box = box_of(s, army, own)
            if box is not None and army not in s.shown and not content(s, box):
                yield Show(army, box)

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Show) -> tuple[str, ...]:
        return (s.masks[order.army],) if order.army in s.masks else ()

    def check(self, s: State, f: PlayerTurn, seat: str, order: Show, proof: Known) -> Violation | None:
        if order.army not in s.masks or order.army in s.shown:
            return NOT_YOURS
        wrong = wrong_proof(s, order.army, order.box, proof)
        if wrong is None and content(s, order.box):
            return Violation(self.rule, f"Units are in box {order.box}: its army does not go by rail")
        return wrong

    def forbids(self, s: State, f: PlayerTurn, order: Show, own: Known) -> Violation | None:
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Show, out: Out) -> Next:
        s.shown[order.army] = order.box
        out.add(Unmasked(unit=s.code(order.army), box=order.box, rule=self.rule))
        return STAY


class Reveals(OfArmies[Reveal]):
    """S42-34.4.2b: the units of a box are placed where its army is, which is gone then (S42-34.7)."""

    rule = "S42-34.4.2b"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Reveal]:
        for army in s.armies():
            box = box_of(s, army, own)
            if box is not None and army not in f.moved and content(s, box):
                yield Reveal(army, box)

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Reveal) -> tuple[str, ...]:
        return (s.masks[order.army],) if order.army in s.masks and order.army not in s.shown else ()

    def check(self, s: State, f: PlayerTurn, seat: str, order: Reveal, proof: Known) -> Violation | None:
        if order.army not in s.masks:
            return NOT_YOURS
        if order.army in f.moved:
            return Violation("S42-34.4.2", f"{s.code(order.army)} has moved: units leave its box before")
        wrong = wrong_proof(s, order.army, order.box, proof)
        if wrong is None and not content(s, order.box):
            return Violation(self.rule, f"No unit is in box {order.box}")
        return wrong

    def forbids(self, s: State, f: PlayerTurn, order: Reveal, own: Known) -> Violation | None:
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Reveal, out: Out) -> Next:
        out.add(Unmasked(unit=s.code(order.army), box=order.box, rule=self.rule))
        s.shown[order.army] = order.box
        disband(s, order.army, out)
        return STAY


def wrong_proof(s: State, army: int, box: int, proof: Known) -> Violation | None:
    """Does what is opened say that the army is paired with this box?"""
    if army in s.shown:
        known: object = Pair(army, s.shown[army])
    else:
        known = proof.get(s.masks.get(army, ""))
    if known != Pair(army, box):
        return Violation("S42-34.1", f"That does not show that box {box} is that of {s.code(army)}")
    return wrong_box(s, Pair(army, box))


class Remasks(OfArmies[Remask]):
    """S42-34.1.2b: armies that have begun the phase together may be paired anew, or pretend to be."""

    rule = "S42-34.1.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Remask]:
        places = dict.fromkeys(s.at(army) for army in s.armies())
        yield from (Remask(place) for place in places if self.check(s, f, seat, Remask(place), own) is None)

    @staticmethod
    def _there(s: State, f: PlayerTurn, place: int) -> tuple[int, ...]:
        return tuple(army for army in s.armies() if s.at(army) == place and army not in f.moved)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Remask, proof: Known) -> Violation | None:
        if len(self._there(s, f, order.place)) < 2:
            return Violation(self.rule, "Two reserve armies that have begun there, and not moved, can be paired anew")
        if f.filled or f.unboxed or order.place in f.mixed:
            return Violation(self.rule, "Armies are paired anew before units go into boxes, and once")
        return None

    def forbids(self, s: State, f: PlayerTurn, order: Remask, own: Known) -> Violation | None:
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Remask, out: Out) -> Next:
        there = self._there(s, f, order.place)
        f.mixed.add(order.place)
        for army in there:
            f.regrouped[army] = s.masks[army]
            del s.masks[army]
            if army in s.shown:
                del s.shown[army]
        out.add(Remasked(units=tuple(map(s.code, there)), rule=self.rule))
        return Goto(Pairing)


class ArmiesEnd(Choice[State, PlayerTurn, Done]):
    """Then other units move."""

    rule = "S42-34.3"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        yield Done()

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Done, out: Out) -> Next:
        f.marshalled = True
        return DONE


class Armies(Decide[State, PlayerTurn, Order]):
    """S42-34.3, S42-34.4: what reserve armies and their boxes do, before others move."""

    name = "armies"
    rule = "S42-34.3"
    private = True
    seats = (SOVIET,)
    choices: ClassVar[tuple[type[Choice[State, PlayerTurn, Any]], ...]] = (
        ArmiesEnd, ArmyMoves, ArmyExtended, ArmyTactical, ArmyRails, ArmyTransfers, Assigns, Shows, Reveals, Remasks,
    )  # fmt: skip
    goes_back = (Pairing,)

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (SOVIET,) if f.seat == SOVIET and s.masks and not f.marshalled else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        armies = many(len(s.armies()), "reserve army", "reserve armies")
        return f"Turn {s.turn}, {armies}: move them, change their boxes, show or reveal them. Then `done`."

    ends = "End the turn of your reserve armies; your other units move next"

    def duty(self, s: State, f: PlayerTurn, seat: str, order: Order, own: Known) -> Violation | None:
        choice = self.choice_of[type(order)]
        return choice.forbids(s, f, order, own) if isinstance(choice, OfArmies) else None


# Attacked


class Unmask(Open[State, PlayerTurn]):
    """S42-34.6.2, S42-34.7: a reserve army that is attacked shows its box; each is opened by itself."""

    name = "unmask"
    rule = "S42-34.6.2"

    @staticmethod
    def hidden(s: State, place: int | None) -> tuple[int, ...]:
        return tuple(army for army in s.masks if s.at(army) == place and army not in s.shown)

    @staticmethod
    def known(s: State, place: int) -> tuple[int, ...]:
        """Those whose boxes all know from before, with units in them: nothing is opened, but they come out."""
        there = (army for army in s.shown if s.at(army) == place and army not in s.exposed)
        return tuple(army for army in there if content(s, s.shown[army]))

    def when(self, s: State, f: PlayerTurn) -> bool:
        return bool(self.hidden(s, f.attacking))

    def slots(self, s: State, f: PlayerTurn) -> Iterable[str]:
        return (s.masks[self.hidden(s, f.attacking)[0]],)

    def check(self, s: State, f: PlayerTurn, slot: str, order: Order) -> Violation | None:
        return wrong_opening(s, s.masks, slot, order)

    def run(self, s: State, f: PlayerTurn, opened: Mapping[str, Order], out: Out) -> Next:
        (order,) = opened.values()
        assert isinstance(order, Pair)
        s.shown[order.army] = order.box
        s.exposed.add(order.army)
        out.add(Unmasked(unit=s.code(order.army), box=order.box, rule=self.rule))
        return STAY


def wrong_opening(s: State, masks: Mapping[int, str], slot: str, order: Order) -> Violation | None:
    """S42-34.6.2: why that cannot be what was committed for one of these armies."""
    if not isinstance(order, Pair) or masks.get(order.army) != slot:
        return Violation("S42-34.1", "That is not the box of this reserve army")
    return wrong_box(s, order)


class ChooseDefenders(Ask[State, PlayerTurn, Sally]):
    """S42-34.6.2a: up to three units come out and defend, within stacking."""

    name = "sally"
    rule = "S42-34.6.2a"
    forced = True
    seats = (SOVIET,)
    default = "then best"
    fact_names = ("hex",)
    answer_names = ("best",)

    @staticmethod
    def _inside(s: State, f: PlayerTurn) -> tuple[int, ...]:
        there = (army for army in s.exposed if s.at(army) == f.attacking)
        return tuple(unit for army in sorted(there) for unit in content(s, s.shown[army]))

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        if not self._inside(s, f) or f.attacking in f.sprung:
            return ()
        return (SOVIET,) if next(iter(self.options(s, f, SOVIET)), None) is not None else ()

    def asks(self, s: State, f: PlayerTurn, seat: str) -> bool:
        return s.asked == COMBATS

    def unasked(self, s: State) -> str:
        return "" if s.asked == COMBATS else "default"

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        assert f.attacking is not None
        codes = all_of(map(s.code, self._inside(s, f)))
        return f"{place_name(f.attacking)} is attacked: {DEFENDERS} of these may defend it, `sally UNITS`: {codes}."

    def options(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Sally]:
        assert f.attacking is not None
        for size in range(DEFENDERS, 0, -1):
            for units in combinations(self._inside(s, f), size):
                if not s.overfull(f.attacking, SOVIET, units):
                    yield Sally(units)

    def do(self, s: State, f: PlayerTurn, seat: str, order: Sally, out: Out) -> None:
        assert f.attacking is not None
        for unit in order.units:
            s.put(unit, f.attacking)
        f.sprung.add(f.attacking)
        out.add(Assigned(unit=all_of(map(s.code, order.units)), start=-1, to=f.attacking, rule=self.rule))

    def facts(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, int]:
        assert f.attacking is not None
        return {"hex": f.attacking}

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Sally]:
        """`best`: most of those in good order, then the best defence; as many as may stand there."""

        def worth(order: Sally) -> tuple[int, int]:
            good = sum(s.pieces[unit].order == GOOD for unit in order.units)
            return good, sum(s.face(unit).defence for unit in order.units)

        return {"best": max(self.options(s, f, seat), key=worth)}


class Fallen(Open[State, PlayerTurn]):
    """S42-34.6.2b: with an army that is removed unseen all units of its box are lost; its box is shown for that."""

    name = "fallen"
    rule = "S42-34.6.2b"

    def when(self, s: State, f: PlayerTurn) -> bool:
        return bool(s.fallen)

    def slots(self, s: State, f: PlayerTurn) -> Iterable[str]:
        return (next(iter(s.fallen.values())),)

    def check(self, s: State, f: PlayerTurn, slot: str, order: Order) -> Violation | None:
        return wrong_opening(s, s.fallen, slot, order)

    def run(self, s: State, f: PlayerTurn, opened: Mapping[str, Order], out: Out) -> Next:
        (order,) = opened.values()
        assert isinstance(order, Pair)
        del s.fallen[order.army]
        units = content(s, order.box)
        for unit in units:
            s.destroy(unit)
        out.add(Unmasked(unit=s.code(order.army), box=order.box, lost=tuple(map(s.code, units)), rule=self.rule))
        return STAY
