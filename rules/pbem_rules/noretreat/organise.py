"""NR-7 Organisation and NR-12 reinforcements: upgrades, arrivals, returns, reorganisation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pbem.game import STAY, Call, Choice, Decide, Frame, Known, Next, Order, Out, Violation
from pbem.kit import many
from pbem_rules.noretreat.cards.base import EVENTS, Moment, unit_in
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET
from pbem_rules.noretreat.entries import bring, check_entry, entries, waiting
from pbem_rules.noretreat.events import Reorganised, Upgraded
from pbem_rules.noretreat.frames import Action, DrawCards, PlayerTurn
from pbem_rules.noretreat.hands import slots
from pbem_rules.noretreat.options import check_detach, detach, detachments
from pbem_rules.noretreat.orders import (
    UNIT,
    Detach,
    Discard,
    Flip,
    Place,
    Purpose,
    Recall,
    Upgrade,
    card_of,
)
from pbem_rules.noretreat.payments import check_cards, pay, payments, worth
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.state import (
    BOX_NAMES,
    CAPTURED,
    DESTROYED,
    OUT,
    READY,
    SHATTERED,
    Effect,
    Piece,
    State,
)  # fmt: skip
from pbem_rules.noretreat.windows import EndPhase, PlayEvent

O = TypeVar("O", bound=Order)  # noqa: E741 - orders

MOMENTS = (Moment.ORGANISE, Moment.ANY)
FLIP, PLACE, REORGANISE = range(3)


def free_upgrades(s: State) -> int:
    """NR-7.4, NR-7.5."""
    if s.turn < 6:
        return 0
    return 2 if 13 <= s.turn <= 17 else 1


def own_unit(s: State, side: str, unit: int, rule: str) -> Violation | None:
    if not 0 <= unit < len(s.chart.units) or s.unit(unit).side != side:
        return Violation(rule, f"{s.code(unit)} is not a unit of yours")
    return None


def upgrade_price(s: State, side: str, unit: int) -> int:
    """NR-7.2, NR-7.3."""
    better = s.unit(unit).better.traits
    if side == AXIS:
        return 1 if {"ss_panzer", "ss_grenadier"} & better else 2
    return 2 if "shock" in better else 1


def check_upgrade(s: State, f: PlayerTurn, unit: int, *, free: bool) -> Violation | None:
    """NR-7.1 to NR-7.6."""
    side = f.side
    wrong = own_unit(s, side, unit, "NR-7.1")
    if wrong is not None:
        return wrong
    kind, code = s.unit(unit), s.name(unit)
    better = kind.better.traits
    if not s.on_map(unit) or not kind.two_faced or s.pieces[unit].strong:
        return Violation("NR-7.1", f"{code} is not on the map with its weaker side up")
    if kind.nation == "yugoslav":
        return Violation("NR-1.23", f"{code} is turned over in the Balkans, free of charge: `flip`")
    if side == AXIS and s.turn < 5:
        return Violation("NR-11.2", "The Axis cannot pay for upgrades before turn 5")
    if side == SOVIET and s.turn < (3 if "fortified" in better else 6):
        return Violation("NR-7.3", f"{code} can be upgraded from turn {3 if 'fortified' in better else 6} on")
    if not s.supplied(unit) and (side == AXIS or free or s.effect("upgraded_cut", side)):
        return Violation("NR-7.1", f"{code} is out of supply")
    if free:
        if side == AXIS or f.free >= free_upgrades(s):
            return Violation("NR-7.4", "There is no free upgrade left")
        if {"fortified", "shock"} & better:
            return Violation("NR-7.5", f"{code} cannot be upgraded free of charge")
    return None


def return_price(s: State, unit: int) -> int:
    """NR-7.10."""
    if s.at(unit) == CAPTURED:
        return 2
    return 2 if "shock" in s.unit(unit).better.traits else 1


def check_return(s: State, side: str, unit: int) -> Violation | None:
    wrong = own_unit(s, side, unit, "NR-7.10")
    if wrong is not None:
        return wrong
    if s.at(unit) not in (DESTROYED, CAPTURED):
        return Violation("NR-7.10", f"{s.name(unit)} is neither destroyed nor captured")
    if side == AXIS and s.turn < 5:
        return Violation("NR-11.2", "The Axis cannot pay for returns before turn 5")
    if side == AXIS and s.turn >= 24:
        return Violation("NR-7.15", "The Axis cannot restore units any more")
    return None


def take_upgrade(s: State, f: Action, out: Out) -> Frame | None:
    unit = unit_in(f.targets[0])
    if not s.supplied(unit):
        s.put_effect(Effect("upgraded_cut", f.side, unit))  # NR-7.6, once a turn
    s.turn_over(unit, strong=True)
    out.add(Upgraded(unit=s.name(unit), strong=True, rule="NR-7.3" if f.side == SOVIET else "NR-7.2"))
    return None


def take_return(s: State, f: Action, out: Out) -> Frame | None:
    """NR-7.10, NR-7.11."""
    unit, place = unit_in(f.targets[0]), f.targets[1]
    bring(s, unit, place, BOX_NAMES[s.at(unit)], "NR-7.10", out, tired=True)
    return DrawCards(f.side, 1) if 12 in f.cards and f.side == AXIS else None  # NR-13.12A


def take_reorganise(s: State, f: Action, out: Out) -> Frame | None:
    for target in f.targets:
        unit = unit_in(target)
        s.rest(unit)
        out.add(Reorganised(unit=s.name(unit), rule="NR-7.20"))
    return None


EFFECTS: dict[str, Callable[[State, Action, Out], Frame | None]] = {
    Purpose.UPGRADE.value: take_upgrade,
    Purpose.RETURN.value: take_return,
    Purpose.REORGANISE.value: take_reorganise,
}


def restful(s: State, seat: str) -> tuple[int, ...]:
    return tuple(unit for unit in s.chart.own[seat] if s.is_tired(unit) and s.on_map(unit))


TITLES = ("upgrades and fortified sides", "placement", "reorganisation")


def stage_of(order: Order) -> int:
    """NR-3.7: the step to which an order belongs."""
    if isinstance(order, Upgrade | Flip) or (isinstance(order, Discard) and order.purpose == Purpose.UPGRADE):
        return FLIP
    return REORGANISE if isinstance(order, Discard) and order.purpose == Purpose.REORGANISE else PLACE


class Staged(Choice[State, PlayerTurn, O]):
    """What belongs to one of the three steps: it closes those before it (NR-3.7)."""

    def check(self, s: State, f: PlayerTurn, seat: str, order: O, proof: Known) -> Violation | None:
        if stage_of(order) < f.stage:
            return Violation("NR-3.7", f"It is too late for that: the current step is {TITLES[f.stage]}")
        return self.judge(s, f, seat, order, proof)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: O, out: Out) -> Next:
        f.stage = max(f.stage, stage_of(order))
        return self.act(s, f, seat, order, out)

    @abstractmethod
    def judge(self, s: State, f: PlayerTurn, seat: str, order: O, proof: Known) -> Violation | None: ...

    @abstractmethod
    def act(self, s: State, f: PlayerTurn, seat: str, order: O, out: Out) -> Next: ...


class OrganiseEvents(PlayEvent):
    moments = MOMENTS


class Flips(Staged[Flip]):
    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Flip]:
        return (order for order in map(Flip, s.chart.own[seat]) if self.check(s, f, seat, order, own) is None)

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Flip, proof: Known) -> Violation | None:
        """NR-1.18, NR-1.23, NR-7.17."""
        wrong = own_unit(s, f.side, order.unit, "NR-7.17")
        if wrong is not None:
            return wrong
        kind, unit = s.unit(order.unit), order.unit
        if s.on_map(unit) and kind.two_faced and "fortified" in kind.better.traits:
            if kind.nation == "yugoslav":
                if s.at(unit) in s.chart.balkans:
                    return None
                return Violation("NR-1.23", f"{kind.code} is turned over only in the Balkans")
            if kind.side == SOVIET and s.pieces[unit].strong:
                return None
        return Violation("NR-1.18", f"{kind.code} has no fortified side to turn back")

    def act(self, s: State, f: PlayerTurn, seat: str, order: Flip, out: Out) -> Next:
        strong = not s.pieces[order.unit].strong
        s.turn_over(order.unit, strong=strong)
        out.add(Upgraded(unit=s.name(order.unit), strong=strong, rule="NR-1.18"))
        return STAY


class Upgrades(Staged[Upgrade]):
    """NR-7.4: those that cost nothing."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Upgrade]:
        return (order for order in map(Upgrade, s.chart.own[seat]) if self.check(s, f, seat, order, own) is None)

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Upgrade, proof: Known) -> Violation | None:
        return check_upgrade(s, f, order.unit, free=True)

    def act(self, s: State, f: PlayerTurn, seat: str, order: Upgrade, out: Out) -> Next:
        f.free += 1
        return Call(Action(f.side, Moment.ORGANISE, (), (UNIT + order.unit,), "upgrade"), again=True)


class Placements(Staged[Place]):
    """NR-7.8, NR-7.9."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Place]:
        for unit in waiting(s, seat) if f.stage <= PLACE else ():
            yield from (Place(unit, place) for place in entries(s, unit, s.at(unit)))

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Place, proof: Known) -> Violation | None:
        if order.unit not in waiting(s, seat):
            return Violation("NR-7.8", f"{s.code(order.unit)} does not wait to be placed in this phase")
        return check_entry(s, order.unit, s.at(order.unit), order.to)

    def act(self, s: State, f: PlayerTurn, seat: str, order: Place, out: Out) -> Next:
        unit, origin = order.unit, s.at(order.unit)
        # NR-7.17: Sevastopol in Sevastopol is fortified at once, NR-11.35: so are the Yugoslavs.
        if origin == READY and (s.unit(unit).code == "Sev" and order.to == s.chart.named["Sevastopol"]):
            s.turn_over(unit, strong=True)
        bring(s, unit, order.to, BOX_NAMES[origin], "NR-7.8", out, tired=origin == SHATTERED)
        return STAY


class Payments(Staged[Discard]):
    """Cards for upgrades (NR-7.2, NR-7.3), returns (NR-7.10) and reorganisation (NR-7.20)."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Discard]:
        for unit in s.chart.own[seat] if f.stage == FLIP else ():
            if check_upgrade(s, f, unit, free=False) is None:
                for cards in payments(s, seat, Purpose.UPGRADE, upgrade_price(s, seat, unit), own):
                    yield Discard(cards, Purpose.UPGRADE, (UNIT + unit,))
        for unit in (*s.of(seat, DESTROYED), *s.of(seat, CAPTURED)) if f.stage <= PLACE else ():
            if check_return(s, seat, unit) is None and s.hand(seat):
                places = entries(s, unit, s.at(unit))
                for cards in payments(s, seat, Purpose.RETURN, return_price(s, unit), own):
                    for place in places:
                        yield Discard(cards, Purpose.RETURN, (UNIT + unit, place))
        for unit in restful(s, seat):
            for cards in payments(s, seat, Purpose.REORGANISE, 1, own):
                yield Discard(cards, Purpose.REORGANISE, (UNIT + unit,))

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Discard) -> tuple[str, ...]:
        return slots(*order.cards)

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Discard, proof: Known) -> Violation | None:
        """NR-7.2, NR-7.3, NR-7.10, NR-7.13, NR-7.15, NR-7.20."""
        units = [unit_in(target) for target in order.targets]
        if order.purpose == Purpose.UPGRADE and len(units) == 1:
            wrong = check_upgrade(s, f, units[0], free=False)
            return wrong or check_cards(s, seat, order, upgrade_price(s, seat, units[0]), proof)
        if order.purpose == Purpose.RETURN and len(units) == 2:
            wrong = check_return(s, seat, units[0])
            wrong = wrong or check_entry(s, units[0], s.at(units[0]), order.targets[1])
            return wrong or check_cards(s, seat, order, return_price(s, units[0]), proof)
        if order.purpose == Purpose.REORGANISE and units:
            if len(set(units)) != len(units) or any(unit not in restful(s, seat) for unit in units):
                return Violation("NR-7.20", "Only your Disorganised units on the map are reorganised")
            wrong = check_cards(s, seat, order, 1, proof)
            if wrong is None and len(units) > markers_off(s, seat, order.cards):
                return Violation("NR-7.20", "One card removes one marker")
            return wrong
        return Violation("NR-5.8", "In the Organisation phase you pay for `upgrade`, `return` or `reorganise`")

    def act(self, s: State, f: PlayerTurn, seat: str, order: Discard, out: Out) -> Next:
        return Call(pay(s, f.side, Moment.ORGANISE, order, out), again=True)


class Recalls(Staged[Recall]):
    """NR-7.18."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Recall]:
        for unit in s.chart.own[seat] if f.stage <= PLACE else ():
            if recallable(s, unit):
                yield from (Recall(unit, place) for place in entries(s, unit, OUT))

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Recall, proof: Known) -> Violation | None:
        wrong = own_unit(s, seat, order.unit, "NR-7.18")
        if wrong is not None or not recallable(s, order.unit):
            return wrong or Violation("NR-7.18", "Only the SS Panzer Army comes back, from turn 23 on")
        return check_entry(s, order.unit, OUT, order.to)

    def act(self, s: State, f: PlayerTurn, seat: str, order: Recall, out: Out) -> Next:
        s.pieces[order.unit] = Piece(OUT, strong=True)
        bring(s, order.unit, order.to, BOX_NAMES[OUT], "NR-7.18", out)
        score(s, AXIS, -1, "the SS Panzer Army is recalled", "NR-7.18", out)
        return STAY


class Detachments(Staged[Detach]):
    """NR-14.1."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Detach]:
        if f.stage <= PLACE:
            yield from detachments(s, seat)

    def judge(self, s: State, f: PlayerTurn, seat: str, order: Detach, proof: Known) -> Violation | None:
        return check_detach(s, seat, order)

    def act(self, s: State, f: PlayerTurn, seat: str, order: Detach, out: Out) -> Next:
        detach(s, order, out)
        return STAY


class Organise(Decide[State, PlayerTurn, Order]):
    """Phase F: three steps in order; what belongs to a later one closes those before it (NR-3.7)."""

    rule = "NR-3.7"
    choices = (EndPhase, OrganiseEvents, Flips, Upgrades, Placements, Payments, Recalls, Detachments)
    ends = "End your Organisation phase; your movement comes next"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        free = free_upgrades(s) - f.free if seat == SOVIET and f.stage == FLIP else 0
        more = f" {many(free, 'free upgrade')}." if free > 0 else ""
        held = waiting(s, seat)
        come = f" To place: {', '.join(s.name(unit) for unit in held)}." if held else ""
        return f"Turn {s.turn}, {NAMES[seat]} organisation: {TITLES[f.stage]}.{more}{come} End with `done`."


def recallable(s: State, unit: int) -> bool:
    """NR-7.18."""
    return "ss_panzer" in s.unit(unit).better.traits and s.turn >= 23 and s.at(unit) == OUT and "ss" in s.triggers


def markers_off(s: State, seat: str, cards: Sequence[int]) -> int:
    """NR-5.11: two for card 53; NR-14.7: two for a card that shows the symbol of the initiative."""
    if worth(card_of(cards[0]), seat, Purpose.REORGANISE) > 1:
        return 2
    if "fast_reorganisation" not in s.options:
        return 1
    held = EVENTS.get((seat, card_of(cards[0])))
    return 2 if held is not None and held.symbol == s.initiative else 1
