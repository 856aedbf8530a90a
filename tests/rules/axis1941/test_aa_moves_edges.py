"""Each condition of the rules of movement by itself: who may, who may not, and by which rule."""

from __future__ import annotations

from axis_positions import assert_exact, happened, position, refused, where

from pbem_rules.axis1941.assault import fields
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES, zone
from pbem_rules.axis1941.events import Destroyed
from pbem_rules.axis1941.events import Promised as Carriers
from pbem_rules.axis1941.orders import NO_SHIP, Land, Load, Move, Promise, piece
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.state import Promise as Promised
from pbem_rules.axis1941.transports import nobody_lands, troops
from pbem_rules.axis1941.units import (
    AIR,
    AWAITS,
    CARRIER,
    FOUGHT,
    FRESH,
    LOADED,
    MOVED,
    NONE,
    SHIFTED,
    SHIPPED,
    TRANSPORT,
    UNLOADED,
    Kind,
    Power,
    ship_code,
)

FAR = dict.fromkeys(
    (
        "Philippine-Islands", "Wake-Island", "Borneo", "New-Guinea", "Midway", "Solomon-Islands", "Australia",
        "East-Indies", "Szechwan",
    ), "japan",
)  # fmt: skip


def why(d, text):
    """The rule by which an order is refused, and the sentence; two empty texts if it is legal."""
    seat = d.asked[0]
    (order,) = d.game.notation.parse(text, d.context(seat))
    violation = d.check(seat, order)
    return ("", "") if violation is None else (violation.rule, violation.reason)


FLEET = (
    "uk: 2 infantry London; transport SZ8; infantry in transport 1; transport SZ9; destroyer SZ8; fighter London"
    " | germany: infantry Western-Europe"
)


def test_aa_2_25_5_1_8_1_what_is_not_there_does_not_move():
    for phase, rule in (("combat", "AA-5.1"), ("noncombat", "AA-8.1")):
        d = position(phase, "uk", FLEET)
        for order, words in (
            ("move tank London > SZ8", "no tank in United Kingdom (you have none)"),
            ("move infantry India > Persia", ""),
            ("move destroyer SZ9 > SZ8", "no destroyer in SZ9 (yours: SZ8)"),
            ("move fighter SZ8 > SZ9", "no fighter in SZ8 (yours: United Kingdom)"),
            ("move transport 2 SZ8 > SZ9", "no transport 2 in SZ8 (yours: 1 in SZ8, 2 in SZ9)"),
            ("move transport 3 SZ8 > SZ9", "no transport 3 in SZ8 (yours: 1 in SZ8, 2 in SZ9)"),
            ("move carrier 1 SZ8 > SZ9", "no carrier 1 in SZ8 (you have none)"),
        ):
            if words:
                assert why(d, order)[0] == rule
                assert words in why(d, order)[1], order
    d = position("combat", "uk", FLEET)
    assert why(d, "move infantry SZ8 > London") == (
        "AA-2.25",
        "The infantry in SZ8 is aboard transport 1: `land` it",
    )
    # A fighter aboard is not cargo of its own side; it has moved, whatever it did in combat before.
    d = position("noncombat", "uk", "uk: carrier, fighter SZ8")
    d.state.change(1, did=MOVED | SHIFTED)
    assert refused(d, "uk", "move fighter SZ8 > SZ9") == "AA-8.1"


DONE = {"MOVED": MOVED, "FOUGHT": FOUGHT, "LOADED": LOADED, "SHIPPED": SHIPPED, "UNLOADED": UNLOADED}
DONE |= {"SHIFTED": SHIFTED, "FRESH": FRESH}
SPENT = {"MOVED": "AA-5.1", "LOADED": "AA-5.1", "UNLOADED": "AA-8.22", "FRESH": "AA-9.12"}
IDLE = {"MOVED": "AA-5.6", "FOUGHT": "AA-5.6", "LOADED": "AA-8.1", "SHIPPED": "AA-8.1"}
SPENT_BITS = MOVED | LOADED | UNLOADED | FRESH
IDLE |= {"UNLOADED": "AA-8.22", "SHIFTED": "AA-8.1", "FRESH": "AA-9.12"}


def test_aa_5_6_8_1_8_19_8_22_9_12_who_has_done_something_moves_no_more():
    """By phase and kind of unit: what of all that ends its moves, and by which rule."""
    for phase, kind, order, rules in (
        ("combat", "infantry", "move infantry Caucasus > Ukraine", SPENT),
        ("combat", "fighter", "move fighter London > SZ7", SPENT | {"SHIFTED": "AA-5.1"}),
        ("combat", "destroyer", "move destroyer SZ8 > SZ7", SPENT),
        ("combat", "transport", "move transport 1 SZ8 > SZ7", {"UNLOADED": "AA-5.13", "FRESH": "AA-9.12"}),
        ("noncombat", "infantry", "move infantry Caucasus > Russia", IDLE),
        ("noncombat", "fighter", "move fighter London > Iceland", {"SHIFTED": "AA-8.1", "FRESH": "AA-9.12"}),
        ("noncombat", "destroyer", "move destroyer SZ8 > SZ7", IDLE),
        (
            "noncombat",
            "transport",
            "move transport 1 SZ8 > SZ7",
            dict.fromkeys(("MOVED", "FOUGHT", "LOADED"), "AA-8.19") | {"UNLOADED": "AA-5.13", "FRESH": "AA-9.12"},
        ),
    ):
        found = {}
        for name, bit in DONE.items():
            units = "uk: infantry Caucasus; fighter London; destroyer, transport SZ8; infantry in transport 1"
            d = position(phase, "uk", units + " | germany: submarine SZ7; infantry Western-Europe")
            number = next(n for n, unit in d.state.units.items() if unit.kind == kind and unit.aboard == NONE)
            d.state.change(number, did=bit)
            found[name] = refused(d, "uk", order)
            listed = [d.game.notation.write(each) for each in d.legal("uk")]
            start = " ".join(order.replace("transport ", "transport-").split()[:2])
            assert any(each.startswith(start) for each in listed) is (not found[name]), (phase, kind, name)
        assert {name: rule for name, rule in found.items() if rule} == rules, (phase, kind)


def test_aa_5_13_5_27_how_far_a_transport_goes():
    """Two spaces in all, no more once it has a territory to put its cargo ashore in."""
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1; infantry India")
    for used, target, first, second in (
        (0, NONE, "", ""),
        (1, NONE, "", "AA-5.13"),
        (2, NONE, "AA-5.13", "AA-5.13"),
        (0, where("Western-Europe"), "AA-5.27", "AA-5.27"),
    ):
        d.state.change(0, used=used, target=target)
        assert refused(d, "uk", "move transport 1 SZ8 > SZ7") == first
        assert refused(d, "uk", "move transport 1 SZ8 > SZ14 > SZ15") == second
    assert "Western Europe" in why(d, "move transport 1 SZ8 > SZ7")[1]


def test_aa_5_1_what_a_path_is():
    """A start and an end for aircraft, two or three spaces for others, all on the map and none twice in a row."""
    d = position(
        "combat", "ussr", "ussr: tank, fighter Russia; destroyer SZ5 | germany: infantry Ukraine; infantry West-Russia"
    )
    russia, west, ukraine, caucasus = map(where, ("Russia", "West-Russia", "Ukraine", "Caucasus"))
    tank, fighter = piece(Kind.TANK), piece(Kind.FIGHTER)
    for code, path, words in (
        (tank, (russia,), "two or three spaces"),
        (tank, (russia, west, ukraine, caucasus), "two or three spaces"),
        (tank, (russia, PLACES), "two or three spaces"),
        (tank, (russia, -1), "two or three spaces"),
        (tank, (russia, russia), "twice in a row"),
        (tank, (russia, russia, west), "twice in a row"),
        (tank, (russia, west, west), "twice in a row"),
        (fighter, (russia,), "its start and its end"),
        (fighter, (russia, west, ukraine), "its start and its end"),
        (fighter, (russia, russia), "twice in a row"),
        (piece(Kind.TANK, 1), (russia, west), "have numbers"),
        (piece(Kind.TANK, -1), (russia, west), "have numbers"),
        (piece(Kind.CARRIER, 0), (russia, west), "have numbers"),
        (piece(Kind.CARRIER, -1), (russia, west), "have numbers"),
    ):
        found = d.check("ussr", Move(code, path))
        assert found.rule == "AA-5.1"
        assert words in found.reason, (code, path)
    # The first and the last place of the map are places like others.
    assert d.check("ussr", Move(tank, (caucasus, 0))).rule == "AA-5.1"
    assert d.check("ussr", Move(tank, (russia, 0))).rule == "AA-2.9"
    assert d.check("ussr", Move(tank, (russia, PLACES - 1))).rule == "AA-2.25"


def test_aa_5_1_8_1_units_that_are_alike_are_listed_once():
    d = position("combat", "ussr", "ussr: 2 tank, 2 fighter Caucasus; 2 infantry Caucasus | germany: infantry Ukraine")
    assert assert_exact(d) == [
        "done",
        "move fighter Caucasus > Ukraine",
        "move infantry Caucasus > Ukraine",
        "move infantry Caucasus > West-Russia",
        "move tank Caucasus > Northwestern-China > Coastal-China",
        "move tank Caucasus > Northwestern-China > Manchuria",
        "move tank Caucasus > Russia > West-Russia",
        "move tank Caucasus > Szechwan > Coastal-China",
        "move tank Caucasus > Szechwan > Southeast-Asia",
        "move tank Caucasus > Ukraine",
        "move tank Caucasus > West-Russia",
        "move tank Caucasus > West-Russia > Archangel",
        "move tank Caucasus > West-Russia > Caucasus",
        "move tank Caucasus > West-Russia > Eastern-Europe",
        "move tank Caucasus > West-Russia > Karelia",
        "move tank Caucasus > West-Russia > Russia",
        "move tank Caucasus > West-Russia > Ukraine",
    ]
    d = position("noncombat", "usa", "usa: 2 destroyer SZ48; 2 submarine SZ48 | japan: destroyer SZ49; destroyer SZ44")
    assert assert_exact(d) == [
        "done",
        "home",
        "move destroyer SZ48 > SZ43",
        "move destroyer SZ48 > SZ43 > SZ40",
        "move destroyer SZ48 > SZ43 > SZ42",
        "move destroyer SZ48 > SZ47",
        "move destroyer SZ48 > SZ47 > SZ45",
        "move submarine SZ48 > SZ43",
        "move submarine SZ48 > SZ43 > SZ40",
        "move submarine SZ48 > SZ43 > SZ42",
        "move submarine SZ48 > SZ43 > SZ44",
        "move submarine SZ48 > SZ43 > SZ49",
        "move submarine SZ48 > SZ44",
        "move submarine SZ48 > SZ47",
        "move submarine SZ48 > SZ47 > SZ44",
        "move submarine SZ48 > SZ47 > SZ45",
        "move submarine SZ48 > SZ49",
    ]


def test_aa_5_1_8_1_what_is_taken_back_is_as_it_was():
    """Who was aboard comes back with the ship, who flew from it is aboard again; both phases."""
    d = position("noncombat", "uk", "uk: infantry London; fighter London; transport SZ8", bought={"infantry": 1})
    d.order("uk", "move fighter London > Iceland")
    d.state.promises = (Promised(NONE, zone(8)),)
    assert len(d.machine.frame.before) == 1
    d.order("uk", "done")
    assert len(d.machine.frame.before) == 0, "the phase is over: nothing of it can be taken back"
    assert d.state.promises == ()
    units = (
        "uk: transport, carrier, 2 fighter SZ8; infantry in transport 1; infantry London; transport SZ7"
        " | usa: carrier SZ7; fighter SZ7; fighter SZ9 | germany: submarine SZ14; infantry Gibraltar; destroyer SZ2"
    )
    for phase, orders in (
        (
            "combat",
            (
                "load infantry London > transport 1",
                "move transport 1 SZ8 > SZ14",
                "move carrier 1 SZ8 > SZ14",
                "move fighter SZ8 > SZ14",
                "first SZ14",
            ),
        ),
        (
            "noncombat",
            (
                "move transport 1 SZ8 > SZ7",
                "land infantry transport 1 > United-Kingdom",
                "move carrier 1 SZ8 > SZ9",
                "move fighter SZ8 > SZ9",
                "load infantry London > transport 2",
            ),
        ),
    ):
        d = position(phase, "uk", units, control={"Gibraltar": "germany"})
        before = dict(d.state.units.items())
        for order in orders:
            d.order("uk", order)
        assert len([n for n, unit in d.state.units.items() if unit != before[n]]) > 3
        d.machine.frame.homed = True
        d.order("uk", "recall")
        assert dict(d.state.units.items()) == before
        if phase == "noncombat":
            assert refused(d, "uk", "home") == "", "it may be ordered again"


def sailings(d):
    """Where each ship that may move can go, by the numbers of the zones, the way named where it is of two spaces."""
    found = {}
    for text in assert_exact(d):
        word, ship, start, *way = (*text.split(), "", "")
        if word == "move" and start.startswith("SZ"):
            found.setdefault(f"{ship} {start}", []).append("".join(way).replace("SZ", "")[1:])
    return {ship: " ".join(ways) for ship, ways in found.items()}


TRANSPORTS = "uk: transport SZ8; transport SZ9; transport SZ10; transport SZ14"
WARSHIPS = " | germany: submarine SZ7; destroyer SZ6; submarine SZ13"


def test_aa_5_26_5_42_where_a_transport_sails_in_the_combat_move():
    """Where it can put somebody ashore or fetch somebody for that; or to a battle."""
    canada = "; infantry Eastern-Canada; infantry Greenland; tank Iceland"
    cargo = "; tank in transport 1; infantry in transport 2; infantry in transport 3; tank in transport 4"
    for units, orders, ways in (
        ("", (), ("6 7>6 9>6", "2>6 6 8>6", "2>6 9>6", "8>6 9>6")),
        (
            "; infantry London",
            (),
            ("14 6 7 7>6 9 9>6", "14 14>8 2>6 6 8 8>6 8>7", "2>6 9 9>6 9>8", "8 8>6 8>7 9 9>6 9>8"),
        ),
        (
            "; infantry London; infantry in transport 2",
            ("load infantry London > transport 1",),  # who has moved is fetched no more
            (
                "14 14>15 6 7 7>6 9 9>14 9>6",
                "13 13>14 14 14>15 14>8 2 2>3 2>6 6 8 8>14 8>6 8>7",
                "2>6 9>6",
                "8>6 9>6",
            ),
        ),
        (
            cargo,
            (),
            (
                "14 14>15 6 7 7>6 9 9>14 9>6",
                "13 13>14 14 14>15 14>8 2 2>3 2>6 6 8 8>14 8>6 8>7",
                "13 13>14 2 2>3 2>6 9 9>14 9>6 9>8",
                "13 15 15>16 23 8 8>6 8>7 9 9>6 9>8",
            ),
        ),
        # An ally's troops land in their owner's turn.
        (
            " | usa: tank in transport 1; infantry in transport 2",
            (),
            ("6 7>6 9>6", "2>6 6 8>6", "2>6 9>6", "8>6 9>6"),
        ),
        (canada, (), ("6 7>6 9>6", "2 2>3 2>6 6 8>6", "2 2>3 2>6 9>6", "8>6 9>6")),
        # From a coast that is fetched with the last space the enemy's coast must be next to the same zone.
        ("; infantry Eastern-Canada", (), ("6 7>6 9>6", "2>6 6 8>6", "2>6 9>6", "8>6 9>6")),
    ):
        d = position("combat", "uk", TRANSPORTS + units + WARSHIPS, control={"Gibraltar": "germany"})
        d.order("uk", *orders)
        names = ("transport-1 SZ8", "transport-2 SZ9", "transport-3 SZ10", "transport-4 SZ14")
        assert sailings(d) == dict(zip(names, ways, strict=True)), units
    # Who has one space left; and who is on land but has moved already.
    d = position("combat", "uk", "uk: transport SZ9; infantry London" + WARSHIPS)
    d.state.change(0, used=1)
    assert sailings(d) == {"transport-1 SZ9": "6 8"}
    d.state.change(1, did=MOVED)
    assert sailings(d) == {"transport-1 SZ9": "6"}


def test_aa_5_3_5_14_5_18_where_warships_sail_in_the_combat_move():
    """To enemies; anywhere if they leave a battle, but for the last that could fight it."""
    anywhere = "14 14>13 14>15 14>23 14>9 6 7 7>6 9 9>10 9>13 9>14 9>2 9>6"
    enemies = "10>13 13 14>13 14>8 2>6 6 8 8>6"
    out = "14 6 6>2 6>3 6>5 6>7 6>8 6>9 7 7>6 7>8 9 9>10 9>13 9>14 9>2 9>6 9>8"
    below = " | germany: submarine SZ8; destroyer SZ6; submarine SZ13"
    for units, orders, ways in (
        (
            "uk: transport, destroyer, submarine SZ8; carrier SZ9" + below,
            ("attack SZ8",),
            {
                "transport-1 SZ8": anywhere,
                "destroyer SZ8": anywhere,
                "submarine SZ8": anywhere,
                "carrier-1 SZ9": enemies,
            },
        ),
        (
            "uk: destroyer SZ8; transport SZ9" + below,
            ("attack SZ8",),
            {"transport-1 SZ9": "14>8 2>6 6 8 8>6"},
        ),
        (
            "uk: transport, destroyer SZ8; carrier SZ9" + below,
            ("attack SZ8",),
            {"transport-1 SZ8": anywhere, "carrier-1 SZ9": enemies},
        ),
        (
            "uk: destroyer, submarine, transport SZ8; carrier SZ9"
            " | germany: destroyer SZ8; submarine SZ6; destroyer SZ14",
            (),
            {
                "transport-1 SZ8": out,
                "destroyer SZ8": out,
                "submarine SZ8": out,
                "carrier-1 SZ9": "13>14 14 2>6 6 6>8 8",
            },
        ),
        (
            "uk: battleship, submarine SZ28; destroyer SZ17 | germany: battleship SZ15; destroyer SZ16",
            (),
            {"battleship SZ28": "17>16", "submarine SZ28": "17>16", "destroyer SZ17": "16"},
        ),
    ):
        d = position("combat", "uk", units)
        d.order("uk", *orders)
        assert sailings(d) == ways, units


def test_aa_8_12_8_13_where_ships_sail_in_the_non_combat_move():
    units = "uk: destroyer, submarine, transport SZ8; carrier SZ9; infantry in transport 1; transport SZ9"
    d = position("noncombat", "uk", units + " | germany: destroyer SZ8; submarine SZ6; destroyer SZ14")
    far = "10 10>1 10>11 10>13 10>2 13 13>10 13>11 13>12 13>22 13>23 2 2>1 2>10 2>3 2>6 6 6>2 6>3 6>5 6>7"
    assert sailings(d) == {
        "carrier-1 SZ9": far,
        "transport-2 SZ9": far,
        "destroyer SZ8": "6 6>2 6>3 6>5 6>7 6>9 7 7>6 9 9>10 9>13 9>2 9>6",
        "transport-1 SZ8": "6 6>2 6>3 6>5 6>7 6>9 7 7>6 9 9>10 9>13 9>2 9>6",
        "submarine SZ8": "14 6 6>2 6>3 6>5 6>7 6>9 7 7>6 9 9>10 9>13 9>14 9>2 9>6",
    }
    d.state.change(
        next(n for n, unit in d.state.units.items() if unit.kind == "transport" and unit.number == 2), used=1
    )
    assert sailings(d)["transport-2 SZ9"] == "10 13 2 6"
    d = position(
        "noncombat", "uk", "uk: battleship, submarine SZ28; destroyer SZ17 | germany: battleship SZ15; destroyer SZ16"
    )
    assert sailings(d) == {
        "battleship SZ28": "17 27 27>26 27>30 29 29>30 29>31 30 30>27 30>29 30>31 30>32 30>33",
        "submarine SZ28": "17 17>16 27 27>26 27>30 29 29>30 29>31 30 30>27 30>29 30>31 30>32 30>33",
        "destroyer SZ17": "28 28>27 28>29 28>30",
    }


def test_aa_8_11_11_26_what_the_end_of_the_non_combat_move_does_with_aircraft():
    """On land they stay, on a deck with room they land, for a new carrier they wait; all others are lost."""
    d = position(
        "noncombat",
        "usa",
        "usa: fighter, bomber Hawaiian-Islands; fighter SZ38; carrier SZ40; fighter SZ40; 2 fighter SZ11; bomber SZ39",
        control=FAR,
        bought={"carrier": 1},
        promises=(Promised(NONE, zone(42)),),
    )
    names = {n: (unit.kind, d.state.where(unit.place)) for n, unit in d.state.units.items()}
    for n, unit in list(d.state.units.items()):
        if unit.kind in AIR and unit.place >= FIRST_ZONE:
            d.state.change(n, used=6 if unit.kind is Kind.BOMBER else 4, did=FOUGHT, aboard=NONE)
    d.state.change(next(d.state.of_power(Power.USA, Kind.CARRIER)), did=FOUGHT)
    d.order("usa", "done")
    left = {name: d.state.units[n] for n, name in names.items() if n in d.state.units}
    assert set(names.values()) - set(left) == {(Kind.FIGHTER, "SZ38"), (Kind.BOMBER, "SZ39")}
    assert sorted(e.place for e in happened(d, Destroyed)) == [zone(38), zone(39)]
    assert left[Kind.FIGHTER, "SZ40"].aboard != NONE
    waiting = [unit for unit in d.state.units.values() if unit.place == zone(11)]
    assert [(unit.aboard, unit.did) for unit in waiting] == [(NONE, FOUGHT | AWAITS)] * 2
    # A bomber alone is lost as well.
    d = position("noncombat", "usa", "usa: bomber SZ39; infantry Hawaiian-Islands")
    d.state.change(0, used=6)
    d.order("usa", "done")
    assert [e.unit for e in happened(d, Destroyed)] == ["bomber"]


OCEAN = (
    "usa: 2 carrier, 2 fighter, destroyer, battleship SZ40; carrier SZ43; transport SZ40; carrier, fighter SZ42;"
    " destroyer SZ42 | uk: carrier SZ40 | japan: infantry Philippine-Islands; destroyer SZ39; submarine SZ43;"
    " destroyer SZ37; carrier SZ44; transport SZ33; submarine SZ42"
)


def promised(d, ship):
    """By rule the zones for which it cannot be promised, and under "" those for which it can."""
    found = {}
    for number in range(1, 50):
        violation = d.check("usa", Promise(ship, zone(number)))
        found.setdefault("" if violation is None else violation.rule, []).append(number)
    return found


def test_aa_5_36_for_which_zones_carriers_can_be_promised():
    """Zones in their reach once the own attacks have succeeded (AA-5.36), where a fighter needs them (AA-5.37)."""
    carriers = [ship_code(Power.USA, Kind.CARRIER, number) for number in range(5)]
    d = position("combat", "usa", OCEAN, control=FAR, bought={"carrier": 2})
    near, far = [19, 20, 35, 36, 40, 41, 42, 43, 48, 49], [19, 36, 40, 41, 42, 43, 48, 49]
    everywhere = {"AA-5.37": list(range(1, 50))}

    def others(*found):
        return [number for number in range(1, 50) if number not in [each for row in found for each in row]]

    for carrier in carriers[1:3]:
        assert promised(d, carrier) == {"AA-5.37": near, "AA-5.36": others(near)}
    assert promised(d, carriers[3])["AA-5.37"] == [36, 40, 41, 42, 43, 47, 48, 49]
    assert promised(d, carriers[4])["AA-5.37"] == far
    for nobody in (
        carriers[0],
        ship_code(Power.USA, Kind.CARRIER, 5),
        ship_code(Power.UK, Kind.CARRIER, 1),
        ship_code(Power.USA, Kind.TRANSPORT, 1),
    ):
        assert promised(d, nobody) == everywhere
    assert promised(d, NO_SHIP) == {"AA-5.37": [11, 42], "AA-8.8": others([11, 42])}
    assert (
        d.check("usa", Promise(carriers[1], where("Hawaiian-Islands"))).reason == "Carriers are promised for sea zones"
    )
    # Zone 39 is attacked, and so counts as cleared: zone 38 is in reach, where the fighter will need a deck.
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands", "move battleship SZ40 > SZ39")
    for carrier in carriers[1:3]:
        assert promised(d, carrier) == {
            "": [38],
            "AA-5.37": sorted([*near, 39, 45]),
            "AA-5.36": others(near, [38, 39, 45]),
        }
    assert [text for text in assert_exact(d) if text.startswith("promise")] == [
        "promise usa-carrier-1 SZ38",
        "promise usa-carrier-2 SZ38",
    ]
    d.order("usa", "promise carrier 1 SZ38", "attack SZ42")
    assert promised(d, carriers[1])["AA-5.37"] == sorted([*near, 38, 39, 45]), "promised already"
    assert promised(d, carriers[2])[""] == [38]
    assert promised(d, carriers[4]) == {"AA-5.36": list(range(1, 50))}, "it fights where it is"
    for did in (MOVED, FOUGHT):
        d.state.change(1, did=did)
        assert promised(d, carriers[2]) == {"AA-5.36": list(range(1, 50))}


def test_aa_5_37_8_8_each_new_carrier_is_promised_once():
    held = {"Caroline-Islands": "usa"}
    units = (
        "usa: 2 fighter Caroline-Islands; carrier, fighter SZ40 | japan: transport SZ42; infantry Philippine-Islands"
    )
    assert promised(position("combat", "usa", units, control=FAR), NO_SHIP) == {"AA-5.37": list(range(1, 50))}
    d = position("combat", "usa", units, control=FAR | held, bought={"carrier": 2})
    d.order("usa", "sortie fighter Caroline-Islands > SZ42", "sortie fighter SZ40 > Philippine-Islands")
    d.order("usa", "promise carrier 1 SZ38")
    for count in (2, 1, 0):
        found = promised(d, NO_SHIP)
        listed = [text for text in assert_exact(d) if text.startswith("promise")]
        if count:
            assert found[""] == [42]
            assert found["AA-5.37"] == [11]
            assert listed == ["promise - SZ42"]
            d.order("usa", "promise new carrier SZ42")
        else:
            assert found == {"AA-5.37": list(range(1, 50))}
            assert listed == []
    assert d.state.promises == (Promised(2, zone(38)), Promised(NONE, zone(42)), Promised(NONE, zone(42)))


def test_aa_5_38_what_the_program_promises():
    """Carriers that must come, with those for whom they come; what a player promised stays promised."""
    away = " | japan: transport SZ46; infantry Philippine-Islands; transport SZ42"
    for units, orders, promises, events in (
        ("usa: carrier, fighter SZ40", ("sortie fighter SZ40 > Philippine-Islands",), [(0, 38, (1,))], 1),
        (
            "usa: carrier, fighter SZ40",
            ("sortie fighter SZ40 > Philippine-Islands", "promise carrier 1 SZ38"),
            [(0, 38, (1,))],
            0,
        ),
        ("usa: carrier, fighter SZ38", ("sortie fighter SZ38 > SZ46",), [], 0),
        ("usa: carrier, fighter SZ38", ("sortie fighter SZ38 > SZ46", "promise carrier 1 SZ38"), [(0, 38, (1,))], 0),
        ("uk: carrier SZ38 | usa: fighter SZ38", ("sortie fighter SZ38 > SZ46",), [], 0),
        ("usa: fighter SZ40", ("sortie fighter SZ40 > SZ42",), [], 0),
        (
            "uk: carrier, fighter SZ38 | usa: fighter SZ38; carrier, fighter SZ40",
            ("sortie fighter SZ38 > SZ46", "sortie fighter SZ40 > Philippine-Islands"),
            [(3, 38, (2,))],  # the two fighters are alike
            1,
        ),
        # Zone 39 will be open.
        (
            "usa: carrier, fighter, battleship SZ40 | japan: destroyer SZ39; destroyer SZ44; destroyer SZ37",
            ("sortie fighter SZ40 > Philippine-Islands", "move battleship SZ40 > SZ39"),
            [(0, 38, (2,))],
            1,
        ),
    ):
        dice = {
            f"r1/usa/{at}/1/{who}": n for at in ("philippine-islands", "sz39") for who, n in (("att", 1), ("def", 6))
        }
        d = position("combat", "usa", units + away, control=FAR, dice=dice)
        for unit in list(d.state.of_power(Power.USA, Kind.FIGHTER)):
            if d.state.units[unit].place == zone(38):
                d.state.change(unit, used=2)
        d.order("usa", *orders)
        seen = len(happened(d, Carriers))
        d.order("usa", "done")
        assert [(each.carrier, each.zone - FIRST_ZONE + 1, each.fighters) for each in d.state.promises] == promises
        assert len(happened(d, Carriers)) - seen == events, orders
    # Who stays aboard an ally's carrier that is closed to others asks nothing of it.
    denied = ("uk/deck/usa",)
    d = position("combat", "usa", "uk: carrier SZ38 | usa: fighter SZ38" + away, control=FAR, denied=denied)
    d.state.change(1, used=4)
    d.order("usa", "done")
    assert (d.state.promises, happened(d, Carriers)) == ((), ())


def test_aa_2_24_7_10_8_9_8_16_every_deck_counts():
    """One that is full, closed or bound where it is says nothing of the next one."""
    guests = " | usa: fighter SZ8; fighter SZ8 | uk: carrier SZ9"
    for units, used, did in (
        ("uk: carrier SZ8" + guests + "; fighter SZ14", 3, 0),  # the first one is full
        ("uk: carrier SZ20; carrier SZ9; fighter SZ14", 3, FOUGHT),  # the first one stays where it is
        ("uk: carrier SZ20; carrier SZ13; fighter SZ8", 4, FOUGHT),
        ("uk: carrier SZ13; fighter SZ13", 4, 0),  # it need not move
    ):
        d = position("noncombat", "uk", units)
        d.state.change(0, did=did)
        number = max(n for n in d.state.units if d.state.units[n].power == "uk")
        d.state.change(number, used=used, aboard=NONE)
        d.order("uk", "home", "done")
        assert d.state.units[number].aboard != NONE, units
    units = "usa: carrier SZ8; carrier SZ9 | uk: fighter SZ8; fighter SZ9; fighter SZ48"
    d = position("noncombat", "uk", units, denied=("usa/deck/uk",))
    for number in (2, 3, 4):
        d.state.change(number, used=4)
    d.order("uk", "done")
    assert sorted(d.state.units) == [0, 1, 2, 3], "who is aboard stays there"
    # The number of a ship is nobody's zone.
    units = "ussr: 2 infantry Russia | usa: carrier SZ8 | uk: fighter SZ48"
    d = position("noncombat", "uk", units, denied=("usa/deck/uk",))
    d.state.change(3, used=4)
    d.order("uk", "done")
    assert 3 not in d.state.units


def test_aa_5_15_5_36_transports_and_those_aboard_fight_nobody():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1 | germany: destroyer SZ8")
    assert fields(d.state, look(d.state)) == ()
    d = position("combat", "uk", "uk: transport, submarine SZ8; infantry in transport 1 | germany: destroyer SZ8")
    assert fields(d.state, look(d.state)) == (zone(8),)
    d = position("combat", "uk", "usa: destroyer SZ8 | germany: destroyer SZ8")
    assert fields(d.state, look(d.state)) == ()


def test_aa_5_38_whom_a_promise_binds():
    """One carrier, while a fighter needs it and it can still come."""
    units = "usa: 2 carrier SZ40; fighter SZ38; fighter SZ41 | japan: infantry Caroline-Islands"
    for promises, enemies, places in (
        ((), "", (38, 41)),
        ((Promised(0, zone(38), (2,)),), "", (38, 41)),
        ((Promised(1, zone(38), (2,)),), "", (41, 38)),
        ((Promised(0, zone(41), (3,)),), "", (41, 38)),
        ((Promised(0, zone(38), (99,)), Promised(0, zone(41), (3,))), "", (41, 38)),
        # Nobody who is promised is still in the air, or the zone is closed: anything goes.
        ((Promised(0, zone(43), (99,)),), "", (38, 41)),
        ((Promised(0, zone(43), (2,)),), "; destroyer SZ43", (38, 41)),
    ):
        d = position("noncombat", "usa", units + enemies, control=FAR, promises=promises)
        for number in (2, 3):
            d.state.change(number, used=4, did=FOUGHT)
        d.order("usa", "home")
        assert tuple(d.state.units[n].place - FIRST_ZONE + 1 for n in (0, 1)) == places, promises
        assert refused(d, "usa", "done") == ""
    # The other carrier goes where it likes; this one only there, if it has not been moved.
    d = position("noncombat", "usa", units, control=FAR, promises=(Promised(0, zone(38), (2,)),))
    d.state.change(2, used=4, did=FOUGHT)
    assert refused(d, "usa", "done") == "AA-5.38"
    assert refused(d, "usa", "move carrier 2 SZ40 > SZ41") == ""
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ41") == "AA-5.38"
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ39") == "AA-5.38"
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ39 > SZ38") == ""
    for did in (MOVED, FOUGHT, SHIFTED):
        d.state.change(0, did=did)
        assert refused(d, "usa", "done") != "AA-5.38"


def test_aa_5_35_8_8_promises_bind_while_the_combat_move_is_made():
    """A promise without names binds the carrier, or the new carrier, before anybody flies."""
    for promises, rule in (
        ((), ""),
        ((Promised(0, zone(38)),), ""),
        ((Promised(0, zone(41)),), "AA-5.34"),
        ((Promised(NONE, zone(11)),), ""),
    ):
        units = "usa: carrier, fighter SZ40 | japan: infantry Philippine-Islands"
        d = position("combat", "usa", units, control=FAR, promises=promises)
        d.order("usa", "sortie fighter SZ40 > Philippine-Islands")
        assert refused(d, "usa", "done") == rule, promises
    held = FAR | {"Caroline-Islands": "usa"}
    for bought, promises, rule in (
        (1, (), ""),
        (1, (Promised(NONE, zone(42)),), ""),
        (1, (Promised(NONE, zone(11)),), "AA-5.34"),
        (2, (Promised(NONE, zone(11)),), ""),
        (2, (Promised(NONE, zone(11)), Promised(NONE, zone(11))), "AA-5.34"),
        (1, (Promised(0, zone(43)),), ""),
    ):
        units = "usa: carrier SZ43; fighter Caroline-Islands | japan: transport SZ42; destroyer SZ40"
        d = position("combat", "usa", units, control=held, bought={"carrier": bought}, promises=promises)
        d.state.change(0, did=MOVED)
        d.order("usa", "sortie fighter Caroline-Islands > SZ42")
        assert refused(d, "usa", "done") == rule, (bought, promises)


def test_aa_5_21_5_41_5_42_what_holds_the_end_of_the_combat_move_up():
    """Transports that moved for nothing or to their ruin, troops without a landing or a battle for it."""
    cargo = "uk: transport SZ9; infantry, tank in transport 1; destroyer SZ8; fighter London"
    enemies = " | germany: submarine SZ8; destroyer SZ6"
    sail, landing = "move transport 1 SZ9 > SZ8", "land infantry transport 1 > Western-Europe"
    for units, orders, rule in (
        (cargo + enemies, (), ""),
        (cargo + enemies, (sail,), "AA-5.42"),
        (cargo + enemies, (sail, landing), ""),
        (cargo + enemies, ("attack SZ8", sail), ""),
        (cargo + enemies, ("move transport 1 SZ9 > SZ6",), "AA-5.21"),
        (cargo + enemies, ("move transport 1 SZ9 > SZ6", landing), "AA-5.21"),
        (cargo + enemies, ("move transport 1 SZ9 > SZ6", landing, "move destroyer SZ8 > SZ6"), ""),
        # From an ally's ship in a hostile zone, which may stay there.
        ("usa: transport SZ8 | uk: infantry in transport 1; fighter London | germany: destroyer SZ8", (), ""),
        (
            "usa: transport SZ8 | uk: infantry in transport 1; fighter London | germany: destroyer SZ8",
            ("land infantry usa transport 1 > Western-Europe",),
            "AA-5.41",
        ),
        (
            "usa: transport SZ8 | uk: infantry in transport 1; fighter London | germany: destroyer SZ8",
            ("land infantry usa transport 1 > Western-Europe", "sortie fighter London > SZ8"),
            "",
        ),
        # A fighter without a deck holds nothing up as long as nothing was moved.
        ("uk: fighter SZ20; destroyer SZ8" + enemies, (), ""),
        ("uk: fighter SZ20; destroyer SZ8" + enemies, ("move destroyer SZ8 > SZ6",), "AA-5.34"),
    ):
        d = position("combat", "uk", units)
        if "SZ20" in units:
            d.state.change(0, used=4)
        d.order("uk", *orders)
        assert refused(d, "uk", "done") == rule, (units, orders)


HARBOUR = (
    "uk: infantry, tank, fighter London; 2 transport SZ8; transport SZ7; transport SZ6; transport SZ9;"
    " 2 infantry in transport 1; infantry in transport 2; tank in transport 3 | usa: transport SZ7; transport SZ8;"
    " transport SZ9; tank in transport 2 | ussr: transport SZ8 | germany: destroyer SZ6;"
    " infantry Western-Europe; transport SZ7"
)


def boardings(d):
    return [text for text in assert_exact(d) if text.startswith(("load", "land"))]


def test_aa_5_24_5_25_5_40_7_9_who_goes_aboard_and_ashore_in_the_combat_move():
    """Own transports alone, with room, in friendly zones; onto hostile coasts."""
    d = position("combat", "uk", HARBOUR)
    assert boardings(d) == [
        "land infantry uk-transport-1 Western-Europe",
        "land infantry uk-transport-2 Western-Europe",
        "land tank uk-transport-3 Western-Europe",
        "load infantry United-Kingdom uk-transport-2",
        "load infantry United-Kingdom uk-transport-3",
        "load tank United-Kingdom uk-transport-2",
    ]
    d.order("uk", "load tank London > transport 2", "land tank transport 2 > Western-Europe")
    assert boardings(d) == [
        "land infantry uk-transport-1 Western-Europe",
        "land infantry uk-transport-2 Western-Europe",
        "land tank uk-transport-3 Western-Europe",
        "load infantry United-Kingdom uk-transport-3",
    ]
    for order, rule in (
        ("load infantry London > transport 1", "AA-5.24"),
        ("load infantry London > transport 2", "AA-5.24"),
        ("load tank London > transport 3", "AA-5.24"),
        ("load infantry London > transport 4", "AA-5.16"),
        ("load infantry London > transport 5", "AA-5.25"),
        ("load infantry London > transport 6", "AA-5.25"),
        ("load fighter London > transport 3", "AA-11.11"),
        ("load infantry Iceland > transport 3", "AA-5.25"),
        ("load tank London > transport 3", "AA-5.24"),
        ("load infantry London > usa transport 1", "AA-7.9"),
        ("land tank transport 2 > Western-Europe", "AA-5.40"),
        ("land tank transport 1 > Western-Europe", "AA-5.40"),
        ("land infantry transport 1 > London", "AA-5.26"),
        ("land infantry transport 2 > London", "AA-5.28"),
        ("land infantry transport 1 > Iceland", "AA-5.41"),
        ("land infantry transport 5 > Western-Europe", "AA-5.41"),
        ("land infantry transport 7 > Western-Europe", "AA-5.25"),
        ("load infantry London > germany transport 1", "AA-5.25"),
        ("land infantry germany transport 1 > Western-Europe", "AA-5.25"),
        ("land tank usa transport 2 > Western-Europe", "AA-5.44"),
    ):
        assert refused(d, "uk", order) == rule, order
    for kind, words in ((Kind.TANK, "already has orders to land"), (Kind.BOMBER, "There is no bomber of yours")):
        assert words in nobody_lands(d.state, d.state.ship(Power.UK, TRANSPORT, 2), kind, combat=True).reason
    # A ship that carries no troops, and troops that stand elsewhere than fighters on a deck.
    d = position("combat", "uk", "uk: carrier, fighter SZ8; transport SZ8; infantry in transport 1; infantry London")
    carrier = ship_code(Power.UK, CARRIER, 1)
    assert d.check("uk", Load(Kind.INFANTRY, where("London"), carrier)).rule == "AA-5.25"
    assert d.check("uk", Land(Kind.INFANTRY, carrier, where("Western-Europe"))).rule == "AA-5.25"
    assert [unit.kind for unit in troops(d.state)] == [Kind.INFANTRY]
    # Who has sailed serves only what is still within reach.
    d = position("combat", "usa", "usa: transport SZ42; infantry Western-United-States", control={"Alaska": "japan"})
    assert refused(d, "usa", "load infantry Western-United-States > transport 1") == ""
    d.state.change(0, used=2)
    assert refused(d, "usa", "load infantry Western-United-States > transport 1") == "AA-5.26"


def test_aa_2_24_7_7_8_20_who_goes_aboard_and_ashore_in_the_non_combat_move():
    """Allies' transports too, if they let us; onto friendly coasts, and from allies' ships in a later turn."""
    own = [
        "land infantry uk-transport-1 United-Kingdom",
        "land infantry uk-transport-2 United-Kingdom",
        "land tank uk-transport-3 United-Kingdom",
        "load infantry United-Kingdom uk-transport-2",
        "load infantry United-Kingdom uk-transport-3",
    ]
    russian = ["load infantry United-Kingdom ussr-transport-1"]
    american = [f"load infantry United-Kingdom usa-transport-{n}" for n in (1, 2)]
    tanks = [f"load tank United-Kingdom {ship}" for ship in ("uk-transport-2", "usa-transport-1", "ussr-transport-1")]
    assert boardings(position("noncombat", "uk", HARBOUR)) == [*own, *american, *russian, *tanks]
    d = position("noncombat", "uk", HARBOUR, denied=("usa/hold/uk", "ussr/deck/uk", "uk/hold/uk"))
    assert boardings(d) == [*own, *russian, tanks[0], tanks[2]]
    d = position("noncombat", "uk", "usa: transport SZ8 | uk: infantry in transport 1; infantry London")
    assert boardings(d) == [
        "land infantry usa-transport-1 United-Kingdom",
        "load infantry United-Kingdom usa-transport-1",
    ]
    d.order("uk", "load infantry London > usa transport 1")
    assert boardings(d) == ["land infantry usa-transport-1 United-Kingdom"]
    d.order("uk", "land infantry usa transport 1 > London")
    assert boardings(d) == []
    assert refused(d, "uk", "land infantry usa transport 1 > London") == "AA-7.7"
    assert refused(d, "uk", "load infantry London > usa transport 1") == "AA-5.27"


def test_aa_5_28_8_19_8_20_9_12_what_a_transport_has_done_binds_it():
    """By what the ship has done: may somebody go aboard, may somebody go ashore?"""
    both = ("AA-8.19", "AA-8.19")
    for phase, shore, rules in (
        ("combat", "Western-Europe", {UNLOADED: ("AA-5.27", "AA-5.28"), FRESH: ("AA-9.12", "AA-9.12")}),
        (
            "noncombat",
            "London",
            dict.fromkeys((MOVED, FOUGHT, LOADED), both)
            | {UNLOADED: ("AA-5.27", "AA-5.28"), FRESH: ("AA-9.12", "AA-9.12")},
        ),
    ):
        for bits in (MOVED, FOUGHT, LOADED, SHIPPED, UNLOADED, SHIFTED, FRESH, UNLOADED | SHIFTED):
            d = position(phase, "uk", "uk: transport SZ8; infantry in transport 1; infantry London")
            d.state.change(0, did=bits)
            orders = ("load infantry London > transport 1", f"land infantry transport 1 > {shore}")
            expected = rules.get(bits, ("AA-5.27", "") if bits == UNLOADED | SHIFTED else ("", ""))
            assert tuple(refused(d, "uk", order) for order in orders) == expected, (phase, bits)
            d.state.change(0, did=0)
            d.state.change(2, did=bits)
            spent = bits & (SPENT_BITS if phase == "combat" else ~0)
            rule = "AA-5.25" if phase == "combat" else "AA-8.22"
            assert refused(d, "uk", orders[0]) == (rule if spent else ""), (phase, bits)
            assert refused(d, "uk", orders[1]) == ""


def test_aa_5_25_5_26_5_40_what_loading_and_landing_leave_behind():
    """Marks of the unit and of an own ship, who lands first, and where all of them are."""
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1; infantry London")
    west = where("Western-Europe")
    d.order("uk", "load infantry London > transport 1")
    assert [(u.place, u.aboard, u.did, u.target) for u in d.state.units.values()] == [
        (zone(8), NONE, LOADED, NONE),
        (zone(8), 0, 0, NONE),
        (zone(8), 0, LOADED, NONE),
    ]
    d.order("uk", "land infantry transport 1 > Western-Europe")
    assert [(u.place, u.aboard, u.did, u.target) for u in d.state.units.values()] == [
        (zone(8), NONE, LOADED, west),
        (zone(8), 0, 0, NONE),
        (zone(8), 0, LOADED, west),
    ]
    assert refused(d, "uk", "done") == ""
    d = position("noncombat", "uk", "uk: transport SZ8; infantry in transport 1; infantry London | usa: transport SZ7")
    d.order("uk", "load infantry London > usa transport 1", "land infantry transport 1 > London")
    assert [(u.place, u.aboard, u.did, u.target) for u in d.state.units.values()] == [
        (zone(8), NONE, UNLOADED | SHIFTED, where("London")),
        (where("London"), NONE, UNLOADED, NONE),
        (zone(7), 3, SHIPPED, NONE),
        (zone(7), NONE, 0, NONE),
    ]
    d = position("combat", "uk", "uk: transport SZ8; infantry London")
    d.order("uk", "load infantry London > transport 1", "recall")
    assert [(u.place, u.did) for u in d.state.units.values()] == [(zone(8), 0), (where("London"), 0)]
    d = position("noncombat", "uk", "uk: transport SZ8; infantry London")
    d.order("uk", "load infantry London > transport 1")
    assert [u.did for u in d.state.units.values()] == [SHIPPED, SHIPPED]


SKIES = (
    "usa: carrier, 2 fighter SZ39; carrier, fighter SZ37; fighter Hawaiian-Islands; bomber Hawaiian-Islands"
    " | uk: carrier SZ38 | japan: destroyer SZ39; submarine SZ37; infantry Philippine-Islands; infantry Iwo-Jima;"
    " transport SZ44; destroyer SZ36"
)
TAKEN = ("Philippine-Islands", "Wake-Island", "New-Guinea", "Solomon-Islands")


def flights(d, fighters=2, bombers=3):
    """Where aircraft go that have flown so far."""
    for number in d.state.of_power("usa", Kind.FIGHTER):
        d.state.change(number, used=fighters)
    for number in d.state.of_power("usa", Kind.BOMBER):
        d.state.change(number, used=bombers)
    found = {}
    for text in assert_exact(d):
        word, kind, start, *way = (*text.split(), "", "")
        if word == "move" and kind in ("fighter", "bomber"):
            found.setdefault(f"{kind} {start}", []).append(way[1])
    return {unit: " ".join(goals) for unit, goals in found.items()}


def test_aa_5_18_5_32_5_33_5_39_where_aircraft_fly_in_the_combat_move():
    """To enemies from where a landing is left, or out of the battle where their carrier is."""
    d = position("combat", "usa", SKIES, control=dict.fromkeys(TAKEN, "japan"))
    rest = {
        "bomber Hawaiian-Islands": "SZ36 SZ37 SZ39 SZ44",
        "fighter Hawaiian-Islands": "SZ36 SZ37 SZ39 SZ44",
        "fighter SZ39": "Hawaiian-Islands SZ36 SZ37 SZ38 SZ44 Siberia",
    }
    assert flights(d, 2, 2) == rest | {"fighter SZ37": "SZ36 SZ39 SZ44"}
    # If the submarine is attacked, they may keep out of that battle as well.
    d.order("usa", "attack SZ37")
    away = "Australia Borneo Hawaiian-Islands New-Zealand SZ36 SZ38 SZ39 SZ44"
    assert flights(d, 2, 2) == rest | {"fighter SZ37": away}
    # Who has no space left flies nowhere; with one space only to what is next to a landing.
    assert flights(d, 4, 6) == {}
    assert flights(d, 3, 5) == {
        "fighter SZ37": "SZ36 SZ38 SZ39",
        "fighter SZ39": "SZ37 SZ38 SZ44",
    }
    for order, rule in (
        ("move fighter SZ39 > Iwo-Jima", "AA-5.32"),
        ("move fighter SZ39 > Alaska", "AA-5.32"),
        ("move fighter SZ37 > SZ40", "AA-5.39"),
        ("move fighter Hawaiian-Islands > SZ40", "AA-5.39"),
    ):
        assert refused(d, "usa", order) == rule, order
    d.order("usa", "move fighter SZ37 > SZ38")
    assert d.state.attacked == (zone(37),), "nobody attacks where the fighter flees to"


def test_aa_8_2_8_6_8_7_8_10_where_aircraft_fly_in_the_non_combat_move():
    """Onto land that was friendly when the turn began, fighters onto decks that are there or can come."""
    d = position("noncombat", "usa", SKIES, control=dict.fromkeys(TAKEN, "japan"), was={"Midway": "japan"})
    decks = "SZ31 SZ32 SZ33 SZ34 SZ35"
    assert flights(d) == {
        "bomber Hawaiian-Islands": "Mexico Western-United-States",
        "fighter Hawaiian-Islands": "SZ37 SZ39 SZ40 SZ41 SZ42 SZ43 SZ44",
        "fighter SZ37": "Australia Borneo Hawaiian-Islands New-Zealand SZ21 SZ30 "
        + decks
        + " SZ38 SZ39 SZ40 SZ41 SZ42 SZ43 SZ44 SZ45 SZ46",
        "fighter SZ39": "Hawaiian-Islands " + decks + " SZ37 SZ38 SZ40 SZ41 SZ42 SZ43 SZ44 SZ45 SZ46 SZ47 SZ48 Siberia",
    }
    for order, rule in (
        ("move bomber Hawaiian-Islands > Midway", "AA-8.6"),
        ("move bomber Hawaiian-Islands > Wake-Island", "AA-8.2"),
        ("move bomber Hawaiian-Islands > SZ40", "AA-8.7"),
        ("move fighter Hawaiian-Islands > SZ36", "AA-8.7"),
    ):
        assert refused(d, "usa", order) == rule, order
    # Carriers that have moved are decks where they are; the ally's takes two.
    for number in d.state.of_power("usa", Kind.CARRIER):
        d.state.change(number, did=MOVED)
    assert flights(d) == {
        "bomber Hawaiian-Islands": "Mexico Western-United-States",
        "fighter Hawaiian-Islands": "SZ37 SZ39",
        "fighter SZ37": "Australia Borneo Hawaiian-Islands New-Zealand SZ38 SZ39",
        "fighter SZ39": "Hawaiian-Islands SZ37 SZ38 Siberia",
    }
