"""AA-5.13 to 5.23: ships, zones shared at the start of the turn, submarines; AA-8.12 and 8.13; AA-12.3, 12.6, 12.8."""

from __future__ import annotations

from axis_positions import happened, position, refused, standing, unit_in, where

from pbem_rules.axis1941.assault import fields
from pbem_rules.axis1941.chart import zone
from pbem_rules.axis1941.events import Declared, Destroyed, Moved
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.units import MOVED, Kind


def test_aa_5_13_a_hostile_zone_ends_the_move():
    d = position("combat", "uk", "uk: battleship SZ8 | germany: destroyer SZ6; battleship SZ5")
    assert refused(d, "uk", "move battleship SZ8 > SZ6 > SZ5") == "AA-5.13"
    assert refused(d, "uk", "move battleship SZ8 > SZ6") == ""
    # The zone in which the ship began does not count.
    d = position("combat", "uk", "uk: battleship SZ8 | germany: destroyer SZ8; battleship SZ5")
    assert refused(d, "uk", "move battleship SZ8 > SZ6 > SZ5") == ""
    # Nobody is taken to be beaten already: all moves are simultaneous.
    d = position("combat", "uk", "uk: 2 battleship SZ8 | germany: destroyer SZ6; battleship SZ5")
    d.order("uk", "move battleship SZ8 > SZ6")
    assert refused(d, "uk", "move battleship SZ8 > SZ6 > SZ5") == "AA-5.13"


def test_aa_5_13_a_transport_that_came_to_a_hostile_zone_stays_there():
    d = position("combat", "uk", "uk: transport SZ8; infantry London; destroyer SZ8 | germany: destroyer SZ6")
    d.order("uk", "load infantry London > transport 1", "move destroyer SZ8 > SZ6", "move transport 1 SZ8 > SZ6")
    assert refused(d, "uk", "move transport 1 SZ6 > SZ5") == "AA-5.13"
    assert refused(d, "uk", "move transport 1 SZ6 > SZ8") == "AA-5.13"


SHARED = "germany: destroyer SZ8; submarine SZ7; destroyer SZ14 | uk: 2 destroyer SZ8; transport SZ8"


def test_aa_5_14_ships_that_begin_in_a_hostile_zone():
    d = position("combat", "uk", SHARED + "; infantry United-Kingdom")
    d.order("uk", "move destroyer SZ8 > SZ14")  # leaves and fights elsewhere
    d.order("uk", "move destroyer SZ8 > SZ6 > SZ8")  # leaves and comes back
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.16"
    d.order("uk", "move transport 1 SZ8 > SZ7", "load infantry United-Kingdom > transport 1")
    d.order("uk", "move transport 1 SZ7 > SZ8", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == ""
    assert unit_in(d, "SZ8", "destroyer", "uk").origin == zone(6)
    # Leave and do not fight.
    d = position("combat", "uk", SHARED)
    d.order("uk", "move 2 destroyer SZ8 > SZ9", "move transport 1 SZ8 > SZ2")
    d.order("uk", "done")
    assert d.need.kind == "noncombat"


def test_aa_5_14_a_lone_transport_must_leave():
    d = position("combat", "uk", SHARED)
    d.order("uk", "move 2 destroyer SZ8 > SZ9")
    assert refused(d, "uk", "done") == "AA-5.14"
    d.order("uk", "move transport 1 SZ8 > SZ9")
    assert refused(d, "uk", "done") == ""
    # Who cannot leave at all stays: no dead end.
    d = position("combat", "ussr", "ussr: transport SZ18 | germany: destroyer SZ18")
    assert refused(d, "ussr", "done") == ""


def test_aa_5_14_the_third_recall_sends_away_the_transports_that_must_leave():
    fleet = "uk: bomber London; transport SZ8; transport, destroyer SZ7; transport SZ10; transport SZ18"
    foes = "germany: destroyer SZ8; destroyer SZ7; infantry Germany; destroyer SZ18"
    dice = {"r1/uk/sz7/1/att": [2], "r1/uk/sz7/1/def": [6]}
    d = position("combat", "uk", f"{fleet} | {foes}", dice=dice)
    for _ in range(3):
        assert d.need.kind == "combat"
        d.order("uk", "move bomber London > Germany", "recall")
    moved = {number: d.state.units[number].place for number in d.state.of_power("uk", Kind.TRANSPORT)}
    free = [each for each in d.state.chart.near_sea[zone(8)] if each != zone(7)]
    # One beside a warship, one in a friendly zone and one that has no way out stay.
    assert list(moved.values()) == [min(free), zone(7), zone(10), zone(18)]
    (event,) = happened(d, Moved)[-1:]
    assert (event.path, event.combat) == ((zone(8), min(free)), True)
    assert len([each for each in happened(d, Moved) if each.unit is Kind.TRANSPORT]) == 1
    unit = d.state.units[min(moved)]
    assert (unit.used, unit.origin, unit.did) == (1, zone(8), MOVED)
    assert d.need.kind == "noncombat"


def test_aa_5_14_coming_back_needs_both_spaces_and_a_battle():
    d = position("combat", "uk", "uk: destroyer SZ8 | germany: submarine SZ8")
    assert refused(d, "uk", "move destroyer SZ8 > SZ6 > SZ8") == "AA-5.14"


def test_aa_5_15_who_is_there_fights():
    d = position("combat", "uk", SHARED, dice={})
    d.order("uk", "move destroyer SZ8 > SZ9")
    assert fields(d.state, look(d.state)) == (zone(8),)
    assert refused(d, "uk", "attack SZ8") == "AA-5.15"


def test_aa_5_16_nobody_loads_in_a_hostile_zone():
    d = position("combat", "uk", SHARED + "; infantry United-Kingdom")
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.16"


def test_aa_5_17_who_left_moves_no_more():
    d = position("combat", "uk", SHARED + "; infantry United-Kingdom")
    d.order("uk", "move 2 destroyer SZ8 > SZ9", "move transport 1 SZ8 > SZ7", "done")
    assert refused(d, "uk", "move destroyer SZ9 > SZ10") == "AA-5.6"
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-8.19"
    assert refused(d, "uk", "move transport 1 SZ7 > SZ8") == "AA-8.19"


def test_aa_5_18_submarines_in_the_start_zone_are_attacked_or_ignored():
    units = "uk: 2 destroyer, transport SZ8 | germany: submarine, transport SZ8"
    d = position("combat", "uk", units)
    assert refused(d, "uk", "move transport 1 SZ8 > SZ9") == "AA-5.42", "there is no battle to avoid"
    assert refused(d, "uk", "done") == ""
    d.order("uk", "attack SZ8", "move transport 1 SZ8 > SZ9", "move destroyer SZ8 > SZ7")
    assert refused(d, "uk", "move destroyer SZ8 > SZ7") == "AA-5.18", "somebody stays and attacks"
    assert refused(d, "uk", "ignore SZ8") == "AA-5.18", "two ships have left because of the battle"
    assert refused(d, "uk", "done") == ""


def test_aa_12_3_leaving_a_zone_to_stay_out_of_the_battle_is_a_combat_move():
    d = position("combat", "uk", "uk: 2 destroyer, transport SZ8 | germany: submarine SZ8; destroyer SZ6")
    d.order("uk", "attack SZ8")
    assert refused(d, "uk", "move transport 1 SZ8 > SZ6 > SZ5") == "AA-5.13", "the usual limits hold"
    d.order("uk", "move transport 1 SZ8 > SZ9")
    assert unit_in(d, "SZ9", "transport").did & MOVED


def test_aa_5_19_attack_and_ignore():
    d = position("combat", "uk", "uk: destroyer SZ8; fighter United-Kingdom | germany: submarine SZ8; submarine SZ7")
    assert refused(d, "uk", "ignore SZ8") == "AA-5.19", "no attack is declared"
    assert refused(d, "uk", "attack SZ9") == "AA-5.19", "nobody is there"
    assert refused(d, "uk", "attack SZ7") == "AA-5.20", "nobody of ours is there"
    d.order("uk", "attack SZ8", "ignore SZ8")
    assert d.state.attacked == ()
    assert [(event.zone, event.attack) for event in happened(d, Declared)] == [(zone(8), True), (zone(8), False)]
    assert refused(d, "uk", "attack SZ8") == "AA-5.19", "decided once"
    d.order("uk", "sortie fighter United-Kingdom > SZ7")  # who has no other right to be there attacks
    assert d.state.attacked == (zone(7),)
    assert refused(d, "uk", "ignore SZ7") == "AA-5.19"


def test_aa_12_6_submarines_are_ignored_while_moving_only():
    d = position("combat", "uk", "uk: destroyer SZ8 | germany: submarine SZ7; destroyer SZ7; submarine SZ6")
    assert refused(d, "uk", "move destroyer SZ8 > SZ6 > SZ5") == "AA-5.3", "nobody to fight in zone 5"
    d.order("uk", "move destroyer SZ8 > SZ7")
    assert refused(d, "uk", "ignore SZ7") == "AA-5.19", "a destroyer is there too: all are attacked"


def test_aa_5_20_transports_are_not_sunk_in_passing():
    d = position("combat", "uk", "uk: destroyer SZ8; bomber United-Kingdom | germany: transport SZ6; destroyer SZ5")
    d.order("uk", "move destroyer SZ8 > SZ6 > SZ5")
    assert standing(d, "SZ6", "germany") == ["transport"]
    assert d.state.attacked == ()
    d.order("uk", "sortie bomber United-Kingdom > SZ6")
    assert d.state.attacked == (zone(6),)
    d = position("combat", "uk", "uk: destroyer SZ8; destroyer SZ9 | germany: submarine SZ8")
    assert refused(d, "uk", "move destroyer SZ9 > SZ8") == "", "going there means attacking"
    d.order("uk", "attack SZ8", "move destroyer SZ9 > SZ8")
    assert d.state.attacked == (zone(8),)
    d = position("combat", "uk", "uk: 2 destroyer SZ8; bomber United-Kingdom | germany: transport SZ6; submarine SZ6")
    d.order("uk", "move 2 destroyer SZ8 > SZ6", "sortie bomber United-Kingdom > SZ6")
    assert d.state.attacked == (zone(6),), "once"


def test_aa_12_8_sinking_a_defenceless_transport_is_a_battle():
    d = position("combat", "uk", "uk: fighter United-Kingdom | germany: transport SZ6")
    d.order("uk", "sortie fighter United-Kingdom > SZ6", "done")
    assert [(e.unit, e.place) for e in happened(d, Destroyed)] == [("transport", zone(6))]
    assert d.need.kind == "noncombat"
    assert refused(d, "uk", "done") == "AA-8.10", "the fighter has to come home"
    d.order("uk", "move fighter SZ6 > United-Kingdom", "done")


def test_aa_5_21_transports_need_somebody_who_can_attack():
    d = position("combat", "uk", "uk: transport, destroyer SZ8; infantry in transport 1 | germany: destroyer SZ7")
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == "AA-5.21"
    d.order("uk", "move destroyer SZ8 > SZ7")
    assert refused(d, "uk", "done") == ""


def test_aa_5_22_submarines_pass_where_no_destroyer_is():
    d = position("combat", "uk", "uk: submarine SZ8 | germany: battleship SZ6; destroyer SZ5")
    assert refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5") == ""
    d = position("combat", "uk", "uk: submarine SZ8 | germany: destroyer SZ6; destroyer SZ5")
    assert refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5") == "AA-5.22"
    assert refused(d, "uk", "move submarine SZ8 > SZ6") == ""
    # A destroyer where it begins does not hold it.
    d = position("combat", "uk", "uk: submarine SZ8 | germany: destroyer SZ8; destroyer SZ5")
    assert refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5") == ""


def test_aa_5_13_5_22_a_destroyer_stops_and_a_submarine_goes_on():
    """The figure to "ships stop in hostile zones": zone 39 stops a destroyer; a submarine goes on."""
    d = position("combat", "usa", "usa: destroyer, submarine SZ40 | japan: battleship SZ39; transport SZ45")
    assert refused(d, "usa", "move destroyer SZ40 > SZ39 > SZ45") == "AA-5.13"
    assert refused(d, "usa", "move submarine SZ40 > SZ39 > SZ45") == ""


def test_aa_5_23_a_submarine_that_ends_in_a_hostile_zone_attacks():
    d = position("combat", "uk", "uk: submarine SZ8 | germany: battleship SZ6")
    d.order("uk", "move submarine SZ8 > SZ6")
    assert fields(d.state, look(d.state)) == (zone(6),)
    d = position("noncombat", "uk", "uk: submarine SZ8 | germany: battleship SZ6")
    d.order("uk", "move submarine SZ8 > SZ6", "done")  # shares the zone without fighting
    assert standing(d, "SZ6") == ["battleship", "submarine"]


def test_aa_5_3_ships_that_leave_may_enter_a_zone_of_submarines_without_attacking():
    d = position("combat", "uk", SHARED)
    d.order("uk", "move 2 destroyer SZ8 > SZ7")
    assert d.state.attacked == ()
    d.order("uk", "attack SZ7")
    assert d.state.attacked == (zone(7),)


def test_aa_8_12_submarines_in_the_non_combat_move():
    d = position("noncombat", "uk", "uk: submarine SZ8 | germany: battleship SZ6; destroyer SZ5")
    assert refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5") == ""
    d = position("noncombat", "uk", "uk: submarine SZ8 | germany: destroyer SZ6")
    assert refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5") == "AA-8.12"
    assert refused(d, "uk", "move submarine SZ8 > SZ6") == ""


def test_aa_8_13_other_ships_keep_to_friendly_zones():
    d = position("noncombat", "uk", "uk: destroyer SZ8 | germany: destroyer SZ6; submarine, transport SZ7")
    assert refused(d, "uk", "move destroyer SZ8 > SZ6") == "AA-8.13"
    assert refused(d, "uk", "move destroyer SZ8 > SZ6 > SZ3") == "AA-8.13"
    d.order("uk", "move destroyer SZ8 > SZ7", "done")
    assert d.need.kind != "noncombat"
    assert standing(d, "SZ7") == ["destroyer", "submarine", "transport"]


def test_aa_11_12_destroyers_stop_submarines():
    passed = {}
    for phase in ("combat", "noncombat"):
        for kind in ("battleship", "carrier", "destroyer"):
            d = position(phase, "uk", f"uk: submarine SZ8 | germany: {kind} SZ6; destroyer SZ5")
            passed[phase, kind] = refused(d, "uk", "move submarine SZ8 > SZ6 > SZ5")
    assert passed["combat", "destroyer"] == "AA-5.22"
    assert passed["noncombat", "destroyer"] == "AA-8.12"
    assert sorted(passed.values()) == ["", "", "", "", "AA-5.22", "AA-8.12"]


def test_aa_11_17_submarines_never_block():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1 | germany: 3 submarine SZ7")
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == ""


def test_aa_11_21_transports_never_block():
    d = position("combat", "uk", "uk: destroyer SZ8 | germany: transport SZ6; destroyer SZ5")
    assert refused(d, "uk", "move destroyer SZ8 > SZ6 > SZ5") == ""


def test_aa_11_22_a_zone_of_transports_is_attacked_by_ending_there():
    d = position("combat", "uk", "uk: destroyer SZ8; transport SZ9 | germany: 2 transport SZ6")
    assert refused(d, "uk", "attack SZ6") == "AA-5.20"
    d.order("uk", "move destroyer SZ8 > SZ6", "done")
    assert len(happened(d, Destroyed)) == 2
    assert refused(d, "uk", "move destroyer SZ6 > SZ8") == "AA-5.6", "it has fought"


def test_aa_11_25_ships_move_two_zones():
    d = position("noncombat", "usa", "usa: battleship, carrier, destroyer, submarine, transport SZ40")
    for kind in ("battleship", "carrier 1", "destroyer", "submarine"):
        assert refused(d, "usa", f"move {kind} SZ40 > SZ37 > SZ33") == ""
    d.order("usa", "move transport 1 SZ40 > SZ37", "move transport 1 SZ37 > SZ33")
    assert refused(d, "usa", "move transport 1 SZ33 > SZ34") == "AA-5.13"
    assert where("SZ33") == zone(33)


LANDING = "land infantry transport 1 > Western-Europe"


def test_aa_5_19_what_came_for_the_attack_holds_the_declaration():
    enemies = "| germany: submarine SZ8; submarine SZ7; destroyer SZ6; transport SZ9; infantry Western-Europe"
    for units, moves, rule in (
        ("destroyer SZ8; destroyer SZ9", ("move destroyer SZ9 > SZ8",), "AA-5.19"),
        ("destroyer SZ8; fighter United-Kingdom", ("sortie fighter United-Kingdom > SZ8",), "AA-5.19"),
        ("destroyer SZ8; transport SZ13", (), ""),
        # A ship that fled its own battle is there by right of that.
        ("destroyer SZ8; destroyer SZ6", ("move destroyer SZ6 > SZ8",), ""),
        ("destroyer SZ8; 2 destroyer SZ7", ("attack SZ7", "move destroyer SZ7 > SZ8"), ""),
        # Those that left the battle need another reason to have moved: a battle, a landing.
        ("destroyer, submarine SZ8", ("move submarine SZ8 > SZ6",), ""),
        ("destroyer, submarine SZ8", ("move submarine SZ8 > SZ7",), "AA-5.18"),
        ("destroyer, submarine SZ8", ("move submarine SZ8 > SZ9 > SZ13",), "AA-5.18"),
        ("destroyer, transport SZ8; infantry in transport 1", ("move transport 1 SZ8 > SZ7",), "AA-5.18"),
        ("destroyer, transport SZ8; infantry in transport 1", ("move transport 1 SZ8 > SZ7", LANDING), ""),
        ("destroyer, carrier, fighter SZ8; carrier SZ13", ("move fighter SZ8 > SZ13",), "AA-5.18"),
        ("destroyer, carrier, fighter SZ8", ("sortie fighter SZ8 > Western-Europe",), ""),
        ("destroyer, submarine SZ8; destroyer SZ9", ("attack SZ9", "move submarine SZ8 > SZ9"), ""),
        # Who left another battle, or comes to put troops ashore, did not come for this one; aircraft always did.
        ("destroyer SZ8; destroyer SZ6", ("move destroyer SZ6 > SZ2",), ""),
        ("destroyer SZ8; transport SZ9; infantry in transport 1", ("move transport 1 SZ9 > SZ8",), ""),
        ("destroyer SZ8; carrier, fighter SZ6", ("sortie fighter SZ6 > SZ8",), "AA-5.19"),
        # A fighter that waits where its carrier was has not moved; those that have are found behind it.
        ("destroyer, carrier, fighter SZ8", ("move carrier 1 SZ8 > SZ6",), ""),
        (
            "destroyer, carrier, fighter SZ8; submarine SZ8",
            ("move carrier 1 SZ8 > SZ6", "move submarine SZ8 > SZ7"),
            "AA-5.18",
        ),
    ):
        d = position("combat", "uk", f"uk: {units} {enemies}")
        d.order("uk", "attack SZ8", *moves)
        assert refused(d, "uk", "ignore SZ8") == rule, moves
        if not rule:
            d.order("uk", "ignore SZ8")
            assert zone(8) not in d.state.attacked
            assert zone(8) in d.state.ignored


def test_aa_5_3_5_13_who_goes_to_submarines_attacks_them_but_for_who_flees():
    units = "uk: carrier, fighter, destroyer, transport SZ8 | germany: destroyer SZ8; submarine SZ6; destroyer SZ7"
    d = position("combat", "uk", units)
    d.order("uk", "sortie fighter SZ8 > SZ6")
    assert d.state.attacked == (zone(6),), "aircraft have no other reason"
    d = position("combat", "uk", units.replace("fighter", "2 fighter"))
    d.order("uk", "sortie 2 fighter SZ8 > SZ6")
    assert d.state.attacked == (zone(6),), "one attack"
    d = position("combat", "uk", units)
    d.order("uk", "sortie fighter SZ8 > SZ7")
    assert unit_in(d, "SZ7", "fighter").used == 1, "enemies stop no aircraft"
    d = position("combat", "uk", units)
    d.order("uk", "move destroyer SZ8 > SZ6")
    assert d.state.attacked == (), "it leaves its own battle"
    assert unit_in(d, "SZ6", "destroyer").used == 1
    d = position("combat", "uk", units.replace("destroyer SZ8;", "").replace("germany: destroyer SZ8; ", "germany: "))
    d.order("uk", "move transport 1 SZ8 > SZ7")
    assert unit_in(d, "SZ7", "transport").used == 2, "it has to stop among enemies"
    assert d.state.attacked == ()
