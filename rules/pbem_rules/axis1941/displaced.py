"""AA-8.3, AA-8.4: defending fighters whose carrier was sunk look for a place before the non-combat move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.game import DONE, Ask, Auto, Call, Goto, Known, Next, Out, Violation
from pbem.game import Sequence as Steps
from pbem_rules.axis1941.chart import PLACES
from pbem_rules.axis1941.events import Destroyed, Moved
from pbem_rules.axis1941.frames import Displaced, Turn
from pbem_rules.axis1941.moving import listed, ship_named
from pbem_rules.axis1941.orders import NO_SHIP, Divert
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.transports import code_of
from pbem_rules.axis1941.units import (
    CARRIER,
    DECK,
    DISPLACED,
    FIGHTER,
    NONE,
    OF_SIDE,
    OTHER,
    SEATS,
    SIDE,
    TITLES,
    Unit,
)


def afloat(s: State) -> tuple[int, ...]:
    """AA-8.3: fighters of the side that was attacked that fly over the sea without a carrier."""
    enemies = OF_SIDE[OTHER[SIDE[s.active]]]
    rows, of = s.units, s.ground.of
    return tuple([number for power in enemies for number in of[power, FIGHTER] if rows[number].did & DISPLACED])


def havens(s: State, number: int) -> list[Divert]:
    """Where it may go: a carrier in its zone, or one space off a friendly territory or a carrier."""
    unit = s.units[number]
    found = [*_decks(s, unit, unit.place)]
    for place in s.chart.near[unit.place]:
        if s.friendly(place, SIDE[unit.power]):
            found.append(Divert(place, NO_SHIP))
        found += _decks(s, unit, place)
    return found


def _decks(s: State, unit: Unit, place: int) -> Iterator[Divert]:
    for power in OF_SIDE[SIDE[unit.power]]:
        if s.allows(power, unit.power, "deck"):
            for ship in s.ground.of[power, CARRIER]:
                if s.units[ship].place == place and len(s.cargo(ship)) < DECK:
                    yield Divert(place, code_of(s.units[ship]))


def _no_haven(s: State, unit: Unit, order: Divert, found: Sequence[Divert]) -> str:
    """Why it cannot go there, as a sentence."""
    can = listed(s, sorted({each.to for each in found}))
    if not 0 <= order.to < PLACES:
        return f"The fighter can land in {can}"
    where = s.where(order.to)
    if order.to != unit.place and order.to not in s.chart.near[unit.place]:
        return f"{where} is more than one space away. The fighter can land in {can}"
    return f"There is no room for the fighter in {where}. It can land in {can}"


class Scatter(Auto[State, Turn]):
    """Calls for the decisions if there are such fighters."""

    rule = "AA-8.3"

    def when(self, s: State, f: Turn) -> bool:
        return bool(afloat(s))

    def run(self, s: State, f: Turn, out: Out) -> Next:
        return Call(Displaced(afloat(s)))


class NextFighter(Auto[State, Displaced]):
    """Each by its number; who has nowhere to go is lost."""

    rule = "AA-8.4"

    def run(self, s: State, f: Displaced, out: Out) -> Next:
        while f.waiting:
            f.fighter, f.waiting = f.waiting[0], f.waiting[1:]
            if havens(s, f.fighter):
                return DONE
            unit = s.units[f.fighter]
            s.remove(f.fighter)
            out.add(Destroyed(power=unit.power, unit=unit.kind, place=unit.place, rule=self.rule))
        f.fighter = NONE
        return DONE


class ChooseHaven(Ask[State, Displaced, Divert]):
    name = "divert"
    rule = "AA-8.4"
    forced = True
    preset = True
    default = (
        "when deck > 0 then deck; when ally_deck > 0 then ally_deck; "
        "when home > 0 then home; when ally > 0 then ally; then other"
    )
    answer_names = ("deck", "ally_deck", "home", "ally", "other")
    fact_names = ("round", "place", *answer_names)

    def when(self, s: State, f: Displaced) -> bool:
        return f.fighter != NONE

    def by(self, s: State, f: Displaced) -> Sequence[str]:
        return SEATS[s.units[f.fighter].power]

    def prompt(self, s: State, f: Displaced, seat: str) -> str:
        unit = s.units[f.fighter]
        return (
            f"Round {s.round}, {TITLES[unit.power]}: the carrier of a fighter in {s.where(unit.place)} was sunk. "
            f"Where does it land? `divert PLACE`"
        )

    def options(self, s: State, f: Displaced, seat: str) -> Iterable[Divert]:
        return havens(s, f.fighter)

    def why(self, s: State, f: Displaced, seat: str, order: Divert) -> Violation:
        return Violation("AA-8.4", _no_haven(s, s.units[f.fighter], order, havens(s, f.fighter)))

    def do(self, s: State, f: Displaced, seat: str, order: Divert, out: Out) -> Next:
        number = f.fighter
        unit = s.units[number]
        deck = NONE if order.deck == NO_SHIP else ship_named(s, order.deck)
        s.change(number, place=order.to, aboard=deck, did=unit.did & ~DISPLACED)
        if order.to != unit.place:
            out.add(Moved(power=unit.power, unit=unit.kind, path=(unit.place, order.to), combat=False, rule=self.rule))
        return DONE

    def facts(self, s: State, f: Displaced, seat: str, own: Known) -> Mapping[str, int]:
        named = self.answers(s, f, seat, own)
        place = s.units[f.fighter].place
        return {"round": s.round, "place": place} | {name: int(name in named) for name in self.fact_names[2:]}

    def answers(self, s: State, f: Displaced, seat: str, own: Known) -> Mapping[str, Divert]:
        """Each kind of place by name, and of several the one nearest to the power's capital."""
        unit = s.units[f.fighter]
        home = s.chart.air[s.chart.capital[unit.power]]
        found: dict[str, Divert] = {}
        for order in sorted(havens(s, f.fighter), key=lambda each: (home[each.to], each.to, each.deck)):
            found.setdefault(_sort(s, unit, order), order)
        return found


def _sort(s: State, unit: Unit, order: Divert) -> str:
    if order.deck == NO_SHIP:
        return "home" if s.control[order.to] is unit.power else "ally"
    if order.to != unit.place:
        return "other"
    return "deck" if s.units[ship_named(s, order.deck)].power is unit.power else "ally_deck"


class MoreFighters(Auto[State, Displaced]):
    rule = "AA-8.4"

    def run(self, s: State, f: Displaced, out: Out) -> Next:
        return Goto(NextFighter) if f.waiting else DONE


STEPS = (Scatter(),)
SEQUENCES: tuple[Steps[State, Any], ...] = (Steps(Displaced, NextFighter(), ChooseHaven(), MoreFighters()),)
