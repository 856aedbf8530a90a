"""AA-9 Mobilise, AA-10 Income."""

from __future__ import annotations

from itertools import product

import pytest
from axis_positions import assert_exact, happened, position, refused, standing, unit_in, where
from hypothesis import example, given
from hypothesis import strategies as st

from pbem_rules.axis1941.events import Collected, Destroyed, Returned
from pbem_rules.axis1941.mobilise import complexes, matched
from pbem_rules.axis1941.orders import Put, Return
from pbem_rules.axis1941.units import AWAITS, NONE, Kind, Power

FOES = " | germany: infantry Germany | japan: infantry Japan"
UK = "uk: infantry United Kingdom" + FOES


def test_aa_9_1_no_mobilisation_without_the_capital():
    driver = position("mobilise", "uk", UK, control={"United Kingdom": "germany"}, bought={"infantry": 1})
    assert driver.need.kind != "mobilise"
    assert standing(driver, "India") == []


def test_aa_9_2_usable_complexes():
    driver = position(
        "mobilise", "uk", UK, control={"Caucasus": "uk", "Australia": "uk"}, was={"Caucasus": "germany"},
        bought={"infantry": 1},
    )  # fmt: skip
    assert refused(driver, "uk", "place infantry Caucasus") == "AA-9.2"  # taken this turn
    assert refused(driver, "uk", "place infantry Russia") == "AA-9.2"  # an ally's
    assert refused(driver, "uk", "place infantry Egypt") == "AA-9.2"  # none
    assert refused(driver, "uk", "place infantry Australia") == ""
    assert "Caucasus" not in driver.machine.decision.prompt(driver.state, driver.machine.frame, "uk")


def test_aa_9_2_a_captured_complex_works_from_the_next_turn():
    driver = position("mobilise", "uk", UK, control={"Caucasus": "uk"}, bought={"infantry": 1})
    assert refused(driver, "uk", "place infantry Caucasus") == ""


def test_aa_9_3_room_is_there_anew_in_every_turn():
    driver = position("mobilise", "germany", "germany: infantry Germany | uk: infantry London", bought={"infantry": 4})
    driver.order("germany", "place 4 infantry Germany")
    while driver.asked != ("germany",):
        driver.order(driver.asked[0], "done")
    assert "Germany 4" in driver.machine.decision.prompt(driver.state, driver.machine.frame, "germany")
    driver.order("germany", "buy 3 infantry")


def test_aa_9_3_room():
    driver = position(
        "mobilise", "germany", "germany: infantry Germany | uk: infantry United Kingdom",
        control={"Caucasus": "germany"}, bought={"infantry": 3, "submarine": 2},
    )  # fmt: skip
    driver.order("germany", "place 2 submarine sz5", "place 2 infantry Germany")
    assert refused(driver, "germany", "place infantry Germany") == "AA-9.3"
    driver.order("germany", "place infantry Caucasus")
    assert standing(driver, "SZ5") == ["submarine", "submarine"]
    assert standing(driver, "Germany") == ["infantry"] * 3


def test_aa_9_4_all_must_find_a_place():
    # Two ships and three infantry: the ships need both places of Caucasus.
    driver = position("mobilise", "ussr", "ussr: infantry Russia" + FOES, bought={"infantry": 3, "submarine": 2})
    assert refused(driver, "ussr", "place infantry Caucasus") == "AA-9.4"
    assert Put(Kind.INFANTRY, where("Caucasus"), where("Caucasus")) not in driver.legal("ussr")
    driver.order("ussr", "place 3 infantry Russia; place 2 sub sz18")
    assert driver.need.kind != "mobilise"


def test_aa_9_5_land_units_and_bombers():
    driver = position("mobilise", "uk", UK + "", bought={"infantry": 1, "bomber": 1, "tank": 1})
    for kind in ("infantry", "tank", "bomber"):
        assert refused(driver, "uk", f"place {kind} SZ8 by United Kingdom") == "AA-9.5"


def test_aa_9_6_ships():
    driver = position(
        "mobilise", "uk", "uk: infantry India | germany: battleship SZ8 | japan: tank Japan", bought={"destroyer": 2}
    )
    assert refused(driver, "uk", "place destroyer London") == "AA-9.6"
    assert refused(driver, "uk", "place destroyer SZ9 by London") == "AA-9.6"
    driver.order("uk", "place destroyer SZ8", "place destroyer SZ7")  # hostile or not
    assert standing(driver, "SZ8", "uk") == ["destroyer"]


def test_aa_9_7_fighters_on_carriers():
    driver = position(
        "mobilise", "uk",
        "uk: carrier SZ8; fighter SZ8 | usa: carrier SZ7 | germany: infantry Germany | japan: tank Japan",
        bought={"fighter": 3},
    )  # fmt: skip
    assert refused(driver, "uk", "place fighter SZ7 by London") == "AA-9.7"  # never an ally's
    driver.order("uk", "place fighter SZ8")
    ship = next(driver.state.here(where("SZ8"), kind=Kind.CARRIER))
    assert len(driver.state.cargo(ship)) == 2
    assert refused(driver, "uk", "place fighter SZ8") == "AA-9.7"  # full
    driver.order("uk", "place 2 fighter London")
    assert standing(driver, "London") == ["fighter", "fighter"]


def test_aa_9_7_a_new_carrier():
    driver = position("mobilise", "uk", UK, bought={"carrier": 1, "fighter": 1})
    assert refused(driver, "uk", "place fighter SZ8 by London") == "AA-9.7"
    driver.order("uk", "place carrier SZ8", "place fighter SZ8")
    assert driver.state.units[unit_in(driver, "SZ8", "fighter").aboard].kind is Kind.CARRIER
    driver = position("mobilise", "uk", "uk: carrier SZ8" + FOES, bought={"destroyer": 1, "infantry": 1})
    driver.order("uk", "place destroyer SZ8")
    assert unit_in(driver, "SZ8", "destroyer").aboard == NONE, "decks are for fighters"


def waiting(bought: dict[str, int], zone: str = "SZ8"):
    driver = position("purchase", "uk", f"uk: carrier {zone}; 2 fighter {zone} | germany: infantry Germany")
    driver = position(
        "mobilise", "uk", f"uk: carrier {zone}; 2 fighter {zone} | germany: infantry Germany | japan: tank Japan",
        bought=bought,
    )  # fmt: skip
    state = driver.state
    for number in list(state.here(where(zone), kind=Kind.FIGHTER)):
        state.change(number, aboard=NONE, did=AWAITS)
    state.remove(next(state.here(where(zone), kind=Kind.CARRIER)))
    return driver


def test_aa_9_9_waiting_fighters_board_first():
    driver = waiting({"carrier": 1, "fighter": 1})
    driver.order("uk", "place carrier SZ8")
    ship = next(driver.state.here(where("SZ8"), kind=Kind.CARRIER))
    assert len(driver.state.cargo(ship)) == 2
    assert all(not driver.state.units[n].did & AWAITS for n in driver.state.cargo(ship))
    assert refused(driver, "uk", "place fighter SZ8") == "AA-9.7"


def test_aa_9_10_a_promised_carrier_goes_where_it_is_awaited():
    driver = waiting({"carrier": 1})
    assert refused(driver, "uk", "place carrier SZ7") == "AA-9.10"
    assert refused(driver, "uk", "place carrier SZ29") == "AA-9.10"
    assert refused(driver, "uk", "place carrier SZ8") == ""


def test_aa_9_10_free_again_when_nobody_waits():
    driver = position("mobilise", "uk", UK, bought={"carrier": 1})
    assert refused(driver, "uk", "place carrier SZ7") == ""


def test_aa_9_11_surplus_is_refunded():
    driver = position(
        "mobilise", "germany", "germany: infantry Germany" + FOES, bought={"infantry": 4, "tank": 1}, ipc={"germany": 1}
    )
    assert set(driver.legal("germany")) == {Return(Kind.INFANTRY), Return(Kind.TANK)}
    assert refused(driver, "germany", "place infantry Germany") == "AA-9.11"
    driver.order("germany", "return tank")
    assert driver.state.ipc["germany"] == 7
    (event,) = happened(driver, Returned)
    assert event.ipc == 6
    assert refused(driver, "germany", "return infantry") == "AA-9.11"


def test_aa_8_11_fighters_that_no_carrier_took_are_lost():
    driver = waiting({"infantry": 1})
    driver.order("uk", "place infantry India")
    assert standing(driver, "SZ8") == []
    assert len(happened(driver, Destroyed)) == 2


def test_aa_10_1_income_of_what_is_held_now():
    driver = position(
        "mobilise", "germany", "germany: infantry Germany | uk: infantry United Kingdom",
        control={"Karelia": "germany", "Western Europe": "uk"}, was={"Karelia": "ussr", "Western Europe": "germany"},
        ipc={"germany": 5}, bought={"infantry": 1},
    )  # fmt: skip
    driver.order("germany", "place infantry Germany")
    (event,) = happened(driver, Collected)
    assert (event.power, event.income, event.ipc) == ("germany", 12 + 1 - 3, 15)


def test_aa_10_2_no_income_without_the_capital():
    driver = position("mobilise", "germany", "germany: infantry Ukraine", control={"Germany": "uk"}, ipc={"germany": 5})
    assert happened(driver, Collected) == ()
    assert driver.state.ipc["germany"] == 5


def test_aa_10_3_no_order_gives_money_away():
    driver = position("purchase", "germany", "germany: infantry Germany")
    assert not any("ipc" in type(order).__slots__ for order in driver.legal("germany"))
    before = {str(p): driver.state.ipc[p] for p in Power}
    driver.order("germany", "buy infantry")
    changed = {p for p in before if driver.state.ipc[p] != before[p]}
    assert changed == {"germany"}


def test_aa_10_4_collecting_is_compulsory():
    driver = position(
        "mobilise",
        "germany",
        "germany: infantry Germany | uk: infantry United Kingdom",
        bought={"infantry": 1},
        ipc={"germany": 0},
    )
    driver.order("germany", "place infantry Germany")
    assert [event.power for event in happened(driver, Collected)] == ["germany"]
    assert driver.need.kind == "purchase"
    assert driver.asked == ("uk",)


@pytest.mark.parametrize(
    "fleet", ["carrier SZ8; fighter SZ8; carrier SZ29", "destroyer SZ7", "carrier SZ8; 2 fighter SZ8"]
)
@pytest.mark.parametrize(
    "bought",
    [
        {"infantry": 2, "tank": 1, "fighter": 2, "carrier": 1, "transport": 1},
        {"fighter": 2, "bomber": 1, "submarine": 4},
        {"destroyer": 1, "infantry": 8},
        {"battleship": 6, "infantry": 5},
        {"carrier": 2, "fighter": 3},
    ],
)
def test_aa_9_4_9_11_what_may_be_placed_or_returned_is_listed_and_all_of_it_finds_a_place(fleet, bought):
    units = f"uk: {fleet} | germany: infantry Germany | japan: tank Japan | usa: infantry Alaska; carrier SZ7"
    for choice in (0, -1, 3):
        d = position("mobilise", "uk", units, bought=bought, ipc={"uk": 0})
        before, placed, returned = len(d.state.units), 0, 0
        while d.asked == ("uk",):
            texts = assert_exact(d)
            order = d.game.notation.read(texts[choice % len(texts)])
            placed += isinstance(order, Put)
            returned += d.state.chart.stats[order.unit].cost * isinstance(order, Return)
            d.order("uk", order)
        # All the room of London (4) and India (1) is used, and only the surplus is given back.
        assert len(d.state.units) - before == placed == min(5, sum(bought.values()))
        (income,) = happened(d, Collected)
        assert d.state.ipc["uk"] == returned + income.income


@pytest.mark.parametrize(
    ("bought", "zones", "legal"),
    [
        ({"carrier": 1, "infantry": 1}, ("SZ8",), {"SZ8"}),
        ({"carrier": 2}, ("SZ8",), {"SZ7", "SZ8", "SZ29"}),
        ({"carrier": 2}, ("SZ8", "SZ29"), {"SZ8", "SZ29"}),
    ],
)
def test_aa_9_10_as_many_carriers_as_are_awaited_go_there(bought, zones, legal):
    units = "; ".join(f"carrier {zone}; 2 fighter {zone}" for zone in zones)
    d = position("mobilise", "uk", f"uk: {units} | germany: infantry Germany | japan: tank Japan", bought=bought)
    for zone in zones:
        for number in list(d.state.here(where(zone), kind=Kind.FIGHTER)):
            d.state.change(number, aboard=NONE, did=AWAITS)
        d.state.remove(next(d.state.here(where(zone), kind=Kind.CARRIER)))
    carriers = {text.split()[2] for text in assert_exact(d) if text.startswith("place carrier")}
    assert carriers >= legal
    for zone in ("SZ7", "SZ8", "SZ29"):
        assert refused(d, "uk", f"place carrier {zone}") == ("" if zone in legal else "AA-9.10")
    while d.asked == ("uk",):
        d.order("uk", d.legal("uk")[0])
    assert not happened(d, Destroyed)
    for zone in zones:
        assert [d.state.units[n].did for n in d.state.here(where(zone), kind=Kind.FIGHTER)] == [0, 0]


def test_aa_9_9_a_free_place_is_kept_for_who_waits():
    d = position(
        "mobilise",
        "uk",
        "uk: carrier SZ8; 2 fighter SZ8 | germany: tank Germany | japan: tank Japan",
        bought={"fighter": 1},
    )
    first, second = d.state.here(where("SZ8"), kind=Kind.FIGHTER)
    d.state.change(first, aboard=NONE, did=AWAITS)
    assert refused(d, "uk", "place fighter SZ8") == "AA-9.7"  # one place, and one who waits for it
    d.state.change(first, did=0)
    d.state.remove(first)
    assert refused(d, "uk", "place fighter SZ8") == ""
    d.order("uk", "place fighter SZ8")
    assert len(d.state.cargo(d.state.units[second].aboard)) == 2
    d = position("mobilise", "uk", "uk: carrier SZ8; fighter SZ8" + FOES, bought={"fighter": 1})
    d.state.change(next(d.state.here(where("SZ8"), kind=Kind.FIGHTER)), aboard=NONE, did=AWAITS)
    assert refused(d, "uk", "place fighter SZ8") == "", "two places, and one who waits"


@pytest.mark.parametrize(
    ("bought", "refused_", "returned"),
    [
        # Caucasus takes two units and has a coast, Russia takes three.
        ({"carrier": 1, "submarine": 1, "infantry": 3}, {"place infantry Caucasus": "AA-9.4"}, 0),
        ({"carrier": 1, "infantry": 4}, {"place infantry Caucasus": "", "place infantry Russia": ""}, 0),
        ({"carrier": 1, "submarine": 2, "infantry": 2}, {"place carrier SZ18": "AA-9.11"}, 1),
        ({"carrier": 2, "infantry": 3}, {"place carrier SZ18": "", "place tank Russia": "AA-9.4"}, 0),
        ({"carrier": 1, "submarine": 1, "tank": 4}, {"place tank Russia": "AA-9.11"}, 1),
        ({"carrier": 1, "battleship": 1}, {"place battleship SZ18": "", "return battleship": "AA-9.11"}, 0),
        ({"submarine": 2, "bomber": 1}, {"place bomber Caucasus": "AA-9.4", "place submarine SZ18": ""}, 0),
    ],
)
@pytest.mark.parametrize("waiting", [0, 1, 2])
def test_aa_9_10_9_11_ships_need_the_coast_and_who_waits_a_carrier(bought, refused_, returned, waiting):
    units = f"ussr: carrier SZ18; {max(1, waiting)} fighter SZ18; infantry Russia | germany: tank Germany"
    for choice in (0, -1):
        d = position("mobilise", "ussr", units, bought=bought)
        fighters = list(d.state.here(where("SZ18"), kind=Kind.FIGHTER))
        for number in fighters:
            d.state.change(number, aboard=NONE, did=AWAITS)
        d.state.remove(next(d.state.here(where("SZ18"), kind=Kind.CARRIER)))
        if not waiting or "carrier" not in bought:
            d.state.remove(fighters[0])
            for number in fighters[1:]:
                d.state.remove(number)
        for line, rule in refused_.items():
            assert refused(d, "ussr", line) == rule, line
        given_back = 0
        while d.asked == ("ussr",):
            texts = assert_exact(d)
            texts = [text for text in texts if text not in ("return carrier", "return infantry")]
            order = d.game.notation.read(texts[choice])
            given_back += isinstance(order, Return)
            d.order("ussr", order)
        assert given_back == returned
        assert not happened(d, Destroyed)


def test_aa_9_2_a_complex_that_was_handed_back_is_no_longer_one_s_own():
    held = {"control": {"Caucasus": "ussr"}, "was": {"Caucasus": "uk"}}
    units = "uk: infantry London | germany: tank Germany | japan: tank Japan"
    d = position("mobilise", "uk", units, bought={"infantry": 6}, **held)
    assert refused(d, "uk", "place infantry Caucasus") in ("AA-9.2", "AA-9.11")
    assert set(d.legal("uk")) == {Return(Kind.INFANTRY)}
    d.order("uk", "return infantry")
    assert refused(d, "uk", "place infantry Caucasus") == "AA-9.2"
    while d.asked == ("uk",):
        d.order("uk", d.legal("uk")[0])
    assert len(standing(d, "Caucasus")) == 0


def test_aa_9_10_no_more_carriers_than_are_awaited_are_bound():
    bought = {"carrier": 3, "infantry": 2}
    d = position(
        "mobilise", "uk", "uk: carrier, 2 fighter SZ8 | germany: tank Germany | japan: tank Japan", bought=bought
    )
    for number in list(d.state.here(where("SZ8"), kind=Kind.FIGHTER)):
        d.state.change(number, aboard=NONE, did=AWAITS)
    d.state.remove(next(d.state.here(where("SZ8"), kind=Kind.CARRIER)))
    first = next(d.state.here(where("SZ8"), kind=Kind.FIGHTER))
    lone = "uk: carrier, 2 fighter SZ8 | germany: tank Germany | japan: tank Japan"
    one = position("mobilise", "uk", lone, bought={"carrier": 1})
    for number in list(one.state.here(where("SZ8"), kind=Kind.FIGHTER)):
        one.state.change(number, aboard=NONE, did=AWAITS)
    one.state.remove(first)
    one.state.remove(next(one.state.here(where("SZ8"), kind=Kind.CARRIER)))
    assert refused(one, "uk", "place carrier SZ7") == "AA-9.10", "one is enough"
    d.order("uk", "place infantry London", "place infantry London")
    assert refused(d, "uk", "place carrier SZ7") == "AA-9.4", "the last place is for the carrier that is awaited"
    d.order("uk", "place carrier SZ29", "place carrier SZ33", "place carrier SZ8")
    assert standing(d, "SZ8") == ["carrier", "fighter", "fighter"]


def test_aa_9_9_who_is_aboard_another_carrier_stays_there():
    d = position(
        "mobilise", "uk", "uk: 2 carrier SZ8; 4 fighter SZ8 | germany: tank Germany | japan: tank Japan",
        bought={"carrier": 1, "infantry": 1},
    )  # fmt: skip
    old, gone = list(d.state.here(where("SZ8"), kind=Kind.CARRIER))
    waiting = d.state.cargo(gone)
    for number in waiting:
        d.state.change(number, aboard=NONE, did=AWAITS)
    d.state.remove(gone)
    d.order("uk", "place carrier SZ8")
    (new,) = set(d.state.here(where("SZ8"), kind=Kind.CARRIER)) - {old}
    assert d.state.cargo(new) == waiting
    assert len(d.state.cargo(old)) == 2
    assert [d.state.units[number].did for number in waiting] == [0, 0]


def test_aa_9_4_9_10_by_standing_orders_units_come_where_they_are_needed_and_else_at_home():
    d = position(
        "mobilise", "uk", "uk: carrier SZ7; 2 fighter SZ7; 4 destroyer SZ8 | germany: tank Germany | japan: tank Japan",
        bought={"carrier": 1, "infantry": 1, "submarine": 1, "fighter": 1},
    )  # fmt: skip
    for number in list(d.state.here(where("SZ7"), kind=Kind.FIGHTER)):
        d.state.change(number, aboard=NONE, did=AWAITS)
    d.state.remove(next(d.state.here(where("SZ7"), kind=Kind.CARRIER)))
    d.stand("uk", "mobilise", "then capital")
    d.order("uk", "place infantry India")
    assert d.asked != ("uk",)
    assert standing(d, "SZ7") == ["carrier", "fighter", "fighter"]  # where it is awaited
    assert standing(d, "SZ8") == ["destroyer"] * 4 + ["submarine"]  # where most ships are
    assert standing(d, "London") == ["fighter"]


def test_aa_8_11_who_is_on_land_or_aboard_is_not_lost():
    units = "uk: carrier SZ8; fighter SZ8; fighter London; bomber London | germany: tank Germany | japan: tank Japan"
    d = position("mobilise", "uk", units, bought={"infantry": 1})
    lone = d.state.raise_unit(Power.UK, Kind.FIGHTER, where("SZ9"), did=AWAITS)
    d.order("uk", "place infantry London")
    assert [(event.unit, event.place) for event in happened(d, Destroyed)] == [("fighter", where("SZ9"))]
    assert lone not in d.state.units
    assert standing(d, "London") == ["bomber", "fighter", "infantry"]
    assert standing(d, "SZ8") == ["carrier", "fighter"]


OVERSEAS = (
    "uk: infantry London; carrier, fighter SZ8; 2 carrier SZ29; 4 fighter SZ29; carrier SZ9 | usa: carrier SZ7"
    " | germany: infantry Germany | japan: infantry Japan"
)


def test_aa_9_2_9_3_9_5_9_6_9_7_what_is_placed_where():
    """Each kind, by each complex and by places that have none, in each place next to it."""
    bought = {"infantry": 2, "bomber": 1, "fighter": 2, "destroyer": 1, "carrier": 1}
    held = {"Caucasus": "uk", "Germany": "uk", "Japan": "usa"}
    driver = position("mobilise", "uk", OVERSEAS, control=held, was={"Caucasus": "ussr"}, bought=bought)
    ashore = [(each, each) for each in ("Australia", "Germany", "India", "United Kingdom")]
    for power in (Power.UK, Power.USSR, Power.UK):  # each its own, whoever was asked before
        own = [driver.state.where(each) for each in complexes(driver.state, power)]
        assert own == (["Russia"] if power is Power.USSR else [each for each, _ in ashore])
    afloat = [("Australia", "SZ33"), ("Germany", "SZ5"), ("India", "SZ29")]
    afloat += [("United Kingdom", f"SZ{n}") for n in (6, 7, 8)]
    deck = [("United Kingdom", "SZ8")]
    name, near = driver.state.chart.name, driver.state.chart.near
    expected = {"infantry": ashore, "bomber": ashore, "fighter": ashore + deck, "destroyer": afloat, "carrier": afloat}
    for text, legal in expected.items():
        kind, passed = Kind(text), []
        for by in (*driver.state.chart.complexes, where("Iceland"), where("SZ8")):
            for at in (by, *near[by]):
                found = driver.check("uk", Put(kind, at, by))
                row = name(by), name(at)
                if found is None:
                    passed.append(row)
                elif row[0] not in dict(ashore):
                    assert found.rule == "AA-9.2", row
                elif row not in ashore + afloat or text in ("destroyer", "carrier"):
                    assert found.rule == "AA-9.6", row
                else:
                    assert found.rule == ("AA-9.7" if text == "fighter" else "AA-9.5"), row
        assert passed == legal, text
    listed = [f"place {kind} {at} {by}" for kind, rows in expected.items() for by, at in rows]
    assert assert_exact(driver) == sorted(each.replace("United Kingdom", "United-Kingdom") for each in listed)
    assert driver.check("uk", Put(Kind.TANK, where("India"), where("India"))).rule == "AA-9.4"
    assert driver.check("uk", Return(Kind.TANK)).rule == "AA-9.4"
    assert driver.check("uk", Return(Kind.BOMBER)).rule == "AA-9.11"
    # One place at India is used up; the deck in zone 8 is full.
    driver.order("uk", "place carrier SZ29 by India", "place fighter SZ8 by London")
    assert refused(driver, "uk", "place infantry India") == "AA-9.3"
    assert refused(driver, "uk", "place fighter SZ29 by India") == "AA-9.3"
    assert refused(driver, "uk", "place fighter SZ8 by London") == "AA-9.7"
    driver.order("uk", "place 2 infantry London")
    assert refused(driver, "uk", "place bomber London") == "AA-9.3"
    assert driver.state.placed == {where("India"): 1, where("London"): 3}
    assert dict(driver.state.bought) == {"bomber": 1, "fighter": 1, "destroyer": 1}


def test_aa_9_9_a_new_carrier_takes_two_of_those_that_wait():
    driver = position("mobilise", "uk", "uk: 3 fighter SZ8" + FOES, bought={"carrier": 2})
    for number in range(3):
        driver.state.change(number, did=AWAITS)
    driver.order("uk", "place carrier SZ8")
    assert [driver.state.units[n].aboard for n in range(3)] == [5, 5, NONE]
    assert [driver.state.units[n].did for n in range(3)] == [0, 0, AWAITS]
    driver.order("uk", "place carrier SZ8")
    assert driver.state.cargo(6) == (2,)


@given(
    st.lists(st.sets(st.integers(0, 2), min_size=0).map(sorted), max_size=5),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
@example([[0, 1, 2], [0], [0, 1]], [1, 1, 1])
@example([[0, 1], [0, 2], [0], [1]], [1, 1, 1])
@example([[0, 1], [0, 1], [0, 1, 2], [0], [1]], [2, 2, 1])
def test_aa_9_4_every_unit_finds_a_complex_if_there_is_a_way(wants, rooms):
    """Held against trying everything."""
    left = dict(enumerate(rooms))
    possible = any(all(chosen.count(each) <= left[each] for each in left) for chosen in product(*wants))
    assert matched(wants, left) is possible


def test_aa_9_7_9_9_a_new_fighter_boards_the_carrier_that_has_room():
    units = "uk: carrier, 2 fighter SZ8; carrier SZ8 | germany: tank Germany | japan: tank Japan"
    d = position("mobilise", "uk", units, bought={"fighter": 2, "infantry": 1})
    full, empty = d.state.here(where("SZ8"), kind=Kind.CARRIER)
    assert [len(d.state.cargo(each)) for each in (full, empty)] == [2, 0]
    d.order("uk", "place 2 fighter SZ8 by London")
    assert [len(d.state.cargo(each)) for each in (full, empty)] == [2, 2]


def test_aa_9_4_9_10_by_standing_orders_fighters_come_ashore_and_carriers_are_early_only_where_awaited():
    units = "uk: carrier SZ8 | germany: tank Germany | japan: tank Japan"
    d = position("mobilise", "uk", units, bought={"fighter": 1, "infantry": 1})
    d.stand("uk", "mobilise", "then capital")
    d.order("uk", "place infantry India")
    assert standing(d, "London") == ["fighter"], "there would be room on the deck"
    # Nobody waits for the carrier: land units have the room of the capital first.
    d = position("mobilise", "uk", UK, bought={"carrier": 1, "infantry": 3})
    d.stand("uk", "mobilise", "then capital")
    d.order("uk", "place infantry London")
    assert (standing(d, "London"), standing(d, "SZ29")) == (["infantry"] * 4, ["carrier"])
