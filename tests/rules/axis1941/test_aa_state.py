"""What is known of units and places: whose they are, were when the turn began, and who is where (AA-2.3, AA-3.6)."""

from __future__ import annotations

from axis_positions import position, where

from pbem.engine.rows import Rows
from pbem_rules.axis1941.chart import zone
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.units import (
    CARRIER,
    FIGHTER,
    FOUGHT,
    MOVED,
    NONE,
    TRANSPORT,
    UNLOADED,
    Kind,
    Power,
    Side,
    Unit,
)

FLEET = (
    "uk: carrier, fighter SZ8; 2 transport SZ8; infantry in transport 1; infantry London | usa: fighter SZ8;"
    " destroyer SZ8 | germany: submarine SZ8; transport SZ7; destroyer SZ6; infantry Germany"
)


def test_aa_2_3_3_6_who_is_where_and_whose_it_is() -> None:
    s = position("combat", "uk", FLEET).state
    names = {n: f"{unit.power} {unit.kind}" for n, unit in s.units.items()}

    def here(**wanted) -> list[str]:
        return [names[n] for n in s.here(zone(8), **wanted)]

    british = ["uk carrier", "uk fighter", "uk transport", "uk transport", "uk infantry"]
    american = ["usa fighter", "usa destroyer"]
    assert here() == [*british, *american, "germany submarine"]
    assert here(power=Power.UK) == british
    assert here(side=Side.ALLIES) == british + american
    assert here(side=Side.AXIS) == ["germany submarine"]
    assert here(kind=FIGHTER) == ["uk fighter", "usa fighter"]
    assert here(kind=FIGHTER, power=Power.USA) == ["usa fighter"]
    assert here(cargo=False) == ["uk carrier", "uk transport", "uk transport", "usa destroyer", "germany submarine"]
    assert [names[n] for n in s.of_power(Power.GERMANY)] == [
        "germany submarine",
        "germany transport",
        "germany destroyer",
        "germany infantry",
    ]
    assert list(s.of_power(Power.UK, TRANSPORT)) == [2, 3]
    assert [s.ship(Power.UK, TRANSPORT, n) for n in (1, 2, 3)] == [2, 3, NONE]
    assert s.ship(Power.GERMANY, TRANSPORT, 1) != s.ship(Power.UK, TRANSPORT, 1)
    assert [s.ship(Power.UK, CARRIER, n) for n in (1, 2)] == [0, NONE]
    assert s.cargo(2) == (4,)
    assert [names[n] for n in s.cargo(0)] == ["uk fighter", "usa fighter"]
    allies, axis = Side.ALLIES, Side.AXIS
    sea = [(zone(n), s.hostile(zone(n), allies), s.enemies(zone(n), allies)) for n in (6, 7, 8, 9)]
    assert [row[1:] for row in sea] == [(True, True), (False, True), (False, True), (False, False)]
    assert [s.hostile(zone(n), axis) for n in (6, 7, 8)] == [False, False, True]
    assert [s.enemies(zone(n), axis) for n in (6, 8)] == [False, True]
    london, germany, turkey = map(where, ("London", "Germany", "Turkey"))
    assert [s.side_of(p) for p in (london, germany, turkey)] == [allies, axis, None]
    assert [s.friendly(p, allies) for p in (london, germany, turkey)] == [True, False, False]
    assert [s.hostile(p, allies) for p in (london, germany, turkey)] == [False, True, False]


def test_aa_2_24_3_6_what_changes_hands_and_what_is_remembered() -> None:
    s = position("combat", "uk", FLEET).state
    west, london, allies, axis = where("Western-Europe"), where("London"), Side.ALLIES, Side.AXIS
    income = s.production(Power.UK), s.production(Power.GERMANY), s.production(Power.USA)
    value = s.chart.territories[west].value
    assert not s.capital_lost(Power.UK)
    before = s.realm(allies), s.realm(axis)
    s.give(west, Power.GERMANY)
    assert dict(s.was) == {}
    s.give(west, Power.UK)
    assert dict(s.was) == {west: Power.GERMANY}
    assert (s.realm(allies), s.realm(axis)) == (before[0] | 1 << west, before[1] & ~(1 << west))
    assert (s.realm_at_start(allies), s.realm_at_start(axis)) == before
    assert (s.production(Power.UK), s.production(Power.GERMANY)) == (income[0] + value, income[1] - value)
    assert s.held_at_start(west) is Power.GERMANY
    assert s.held_at_start(london) is Power.UK
    assert (s.friendly_at_start(west, allies), s.friendly_at_start(london, allies)) == (False, True)
    s.give(west, Power.USA)
    assert dict(s.was) == {west: Power.GERMANY}
    assert s.production(Power.USA) == income[2] + value
    s.give(west, Power.GERMANY)
    assert dict(s.was) == {}
    assert (s.realm(allies), s.realm(axis)) == before
    s.give(london, Power.GERMANY)
    assert s.capital_lost(Power.UK)
    assert not s.capital_lost(Power.USA)
    s.denied = ("uk/deck/usa",)
    allowed = [
        (owner, user, what)
        for owner, user in (("uk", "usa"), ("usa", "uk"), ("uk", "germany"), ("germany", "japan"))
        for what in ("deck", "hold")
        if s.allows(Power(owner), Power(user), what)
    ]
    assert allowed == [
        ("uk", "usa", "hold"),
        ("usa", "uk", "deck"),
        ("usa", "uk", "hold"),
        ("germany", "japan", "deck"),
        ("germany", "japan", "hold"),
    ]


def test_aa_3_2_3_6_units_come_go_and_bear_the_marks_of_one_turn() -> None:
    s = position("combat", "uk", FLEET).state
    s.mark(2, MOVED)
    s.mark(2, UNLOADED)
    assert s.units[2].did == MOVED | UNLOADED
    assert s.units[3].did == 0
    new = s.change(2, place=zone(9), used=2, did=FOUGHT, origin=zone(8), target=where("London"))
    assert new == s.units[2] == Unit(Power.UK, TRANSPORT, zone(9), 1, NONE, 2, FOUGHT, zone(8), where("London"))
    assert s.units[4].place == zone(9), "who is aboard goes with it"
    assert list(s.at(zone(9))) == [2, 4]
    s.forget()
    assert s.units[2] == Unit(Power.UK, TRANSPORT, zone(9), 1)
    assert s.units[4] == Unit(Power.UK, Kind.INFANTRY, zone(9), 0, 2)
    s.mark(3, MOVED)
    s.forget()
    assert s.units[3].did == 0
    # What was taken in the turn is a place to land from the next one on.
    west = where("Western-Europe")
    s.give(west, Power.UK)
    assert not look(s).landing >> west & 1
    s.forget()
    s.was = Rows()
    assert look(s).landing >> west & 1
    born = s.born
    third = s.raise_unit(Power.UK, TRANSPORT, zone(8))
    assert (third, s.born, s.units[third].number) == (born, born + 1, 3)
    assert s.remove(2) == (2, 4)
    assert 2 not in s.units
    assert 4 not in s.units
    assert list(s.at(zone(9))) == []
    again = s.raise_unit(Power.UK, TRANSPORT, zone(8), did=FOUGHT)
    assert (s.units[again].number, s.units[again].did) == (1, FOUGHT), "the number is free again"
    troops = s.raise_unit(Power.UK, Kind.INFANTRY, zone(8), aboard=again)
    assert s.cargo(again) == (troops,)
    assert s.units[troops].number == 0
    old = s.units[again]
    s.put(again, Unit(Power.UK, TRANSPORT, zone(7), 1))
    assert (s.units[again].place, s.units[troops].place) == (zone(7), zone(8)), "it alone"
    assert (again in s.at(zone(7)), again in s.at(zone(8))) == (True, False)
    s.put(again, old)
    s.remove(troops)
    s.put(troops, Unit(Power.UK, Kind.INFANTRY, zone(8), 0, again))
    assert s.cargo(again) == (troops,)
