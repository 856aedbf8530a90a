"""AA-5.1 to 5.12: the combat move in general, land units, blitzes."""

from __future__ import annotations

from axis_positions import happened, position, refused, standing, unit_in, where

from pbem_rules.axis1941.events import Captured
from pbem_rules.axis1941.orders import Finish, Land, Load, Move, Promise, Recall, piece
from pbem_rules.axis1941.units import KINDS, SIDE, Kind, Power


def test_aa_5_1_units_move_up_to_their_move_value_and_once():
    d = position("combat", "ussr", "ussr: 2 infantry Karelia; tank Russia | germany: infantry West-Russia")
    assert refused(d, "ussr", "move infantry Karelia > Archangel > West-Russia") == "AA-5.11"
    d.order("ussr", "move infantry Karelia > Eastern-Europe", "move infantry Karelia > West-Russia")
    assert refused(d, "ussr", "move infantry Karelia > West-Russia") == "AA-5.1"
    assert refused(d, "ussr", "move infantry Eastern-Europe > Ukraine") == "AA-5.1", "nobody moves twice"
    assert refused(d, "ussr", "move infantry West-Russia > Ukraine") == "AA-5.1"


def test_aa_5_2_several_spaces_attack_one_target():
    d = position("combat", "ussr", "ussr: infantry Karelia; tank Caucasus; fighter Russia | germany: tank West-Russia")
    d.order("ussr", "move infantry Karelia > West-Russia", "move tank Caucasus > Russia > West-Russia")
    d.order("ussr", "sortie fighter Russia > West-Russia")
    assert standing(d, "West-Russia", "ussr") == ["fighter", "infantry", "tank"]
    origins = {str(u.kind): u.origin for u in d.state.units.values() if u.power == "ussr"}
    assert origins == {"infantry": where("Karelia"), "tank": where("Russia"), "fighter": -1}


def test_aa_5_3_nobody_ends_the_combat_move_in_a_friendly_space():
    d = position(
        "combat", "uk", "uk: tank Eastern-Canada; destroyer SZ8; fighter United-Kingdom | germany: tank Germany"
    )
    assert refused(d, "uk", "move tank Eastern-Canada > Western-Canada") == "AA-5.3"
    assert refused(d, "uk", "move destroyer SZ8 > SZ7") == "AA-5.3"
    assert refused(d, "uk", "move fighter United-Kingdom > Iceland") == "AA-5.3"


def test_aa_5_4_entering_a_hostile_space_ends_the_move():
    d = position("combat", "ussr", "ussr: tank Russia; destroyer SZ3 | germany: infantry West-Russia; destroyer SZ6")
    assert refused(d, "ussr", "move tank Russia > West-Russia > Ukraine") == "AA-5.10"
    assert refused(d, "ussr", "move destroyer SZ3 > SZ6 > SZ7") == "AA-5.13"


def test_aa_5_5_nobody_joins_a_battle_later():
    place = {"r1/ussr/west-russia/1/att": (1,), "r1/ussr/west-russia/1/def": (6, 6)}
    d = position(
        "combat", "ussr", "ussr: infantry Karelia; infantry Caucasus | germany: 2 infantry West-Russia", dice=place
    )
    d.stand("ussr", "retreat", None)
    d.order("ussr", "move infantry Karelia > West-Russia", "done")
    assert d.need.kind == "retreat", "the battle goes on"
    move = d.game.notation.read("move infantry Caucasus > West-Russia")
    assert move not in d.legal("ussr")
    assert d.check("ussr", move) is not None
    # Nor in the non-combat move, where what was not taken is still hostile.
    d = position("noncombat", "ussr", "ussr: infantry Caucasus | germany: infantry West-Russia")
    assert refused(d, "ussr", "move infantry Caucasus > West-Russia") == "AA-8.2"


def test_aa_5_6_what_moved_or_fought_moves_no_more():
    d = position("combat", "ussr", "ussr: tank Russia; infantry Caucasus | germany: submarine SZ16", keep=False)
    d.order("ussr", "move tank Russia > West-Russia", "done")
    assert refused(d, "ussr", "move tank West-Russia > Russia") == "AA-5.6"
    assert refused(d, "ussr", "move infantry Caucasus > West-Russia") == "", "it was taken and is friendly"
    # Who fought where it stood, a ship beside a submarine, stays too.
    dice = {"r1/uk/sz8/1/att": [1], "r1/uk/sz8/1/def": [6]}
    d = position("combat", "uk", "uk: destroyer SZ8 | germany: submarine SZ8; infantry Germany", dice=dice)
    d.order("uk", "attack SZ8", "done")
    assert refused(d, "uk", "move destroyer SZ8 > SZ9") == "AA-5.6"


def test_aa_5_7_leaving_a_territory_keeps_it():
    d = position("combat", "ussr", "ussr: infantry Karelia | germany: infantry Norway-Finland")
    d.order("ussr", "move infantry Karelia > Eastern-Europe")
    assert d.state.control[where("Karelia")] == "ussr"


def test_aa_5_8_a_tank_blitzes():
    start = "ussr: tank Russia; infantry Russia | germany: infantry Ukraine"
    for goal in ("Ukraine", "Eastern-Europe", "Karelia", "Russia"):  # occupied, empty, friendly, and back
        d = position("combat", "ussr", start)
        d.order("ussr", f"move tank Russia > West-Russia > {goal}")
        assert standing(d, goal, "ussr").count("tank") == 1
        assert refused(d, "ussr", "done") == ""
    d = position("combat", "ussr", start)
    assert refused(d, "ussr", "move tank Russia > Caucasus > Urals") == "AA-5.3", "no blitz, no friendly end"


def test_aa_5_9_a_blitzed_territory_changes_hands_before_any_battle():
    d = position("combat", "ussr", "ussr: tank Russia; infantry Russia")
    d.order("ussr", "move tank Russia > West-Russia > Russia")
    d.happened.clear()
    d.order("ussr", "done")
    (taken,) = happened(d, Captured)
    assert (taken.place, taken.owner) == (where("West-Russia"), "ussr")
    assert d.state.control[where("West-Russia")] == "ussr"
    # What was taken from an ally is liberated (AA-6.66).
    d = position("combat", "ussr", "ussr: tank Caucasus", control={"Northwestern-China": "japan"})
    d.order("ussr", "move tank Caucasus > Northwestern-China > Caucasus", "done")
    assert d.state.control[where("Northwestern-China")] == "usa"


def test_aa_5_10_a_complex_or_any_unit_stops_a_blitz():
    held = {"Caucasus": "germany"}
    d = position("combat", "ussr", "ussr: tank Urals | germany: infantry Ukraine", control=held)
    assert refused(d, "ussr", "move tank Urals > Caucasus > Ukraine") == "AA-5.10"
    d.order("ussr", "move tank Urals > Caucasus", "done")
    assert d.state.control[where("Caucasus")] == "ussr", "it is taken without a fight"
    d = position("combat", "ussr", "ussr: tank Russia | germany: fighter West-Russia")
    assert refused(d, "ussr", "move tank Russia > West-Russia > Ukraine") == "AA-5.10"


def test_aa_5_11_infantry_one_tanks_two_and_no_blitz_later():
    d = position("combat", "ussr", "ussr: tank Caucasus; infantry Caucasus | germany: infantry West-Russia")
    assert refused(d, "ussr", "move tank Caucasus > Russia > West-Russia") == ""
    assert refused(d, "ussr", "move tank Caucasus > West-Russia") == ""
    assert refused(d, "ussr", "move infantry Caucasus > Russia > West-Russia") == "AA-5.11"
    d = position("noncombat", "ussr", "ussr: tank Russia")
    assert refused(d, "ussr", "move tank Russia > West-Russia > Karelia") == "AA-8.2"


def test_aa_5_12_no_unit_opens_a_path_for_another():
    d = position("combat", "ussr", "ussr: 2 tank, infantry Russia; fighter Russia | germany: infantry West-Russia")
    d.order("ussr", "move infantry Russia > West-Russia", "sortie fighter Russia > West-Russia")
    assert refused(d, "ussr", "move tank Russia > West-Russia > Ukraine") == "AA-5.10"
    # What one tank blitzes is hostile still for an infantry that would pass.
    d = position("combat", "ussr", "ussr: 2 tank Russia")
    d.order("ussr", "move tank Russia > West-Russia > Ukraine")
    assert refused(d, "ussr", "move tank Russia > West-Russia > Archangel") == ""


def test_aa_5_8_who_names_no_way_does_not_blitz_if_there_is_another():
    d = position("combat", "ussr", "ussr: tank Russia | germany: infantry Ukraine")
    d.order("ussr", "move tank Russia > Ukraine")
    assert unit_in(d, "Ukraine", "tank").origin == where("Caucasus")
    for start, taken, goal in (("Archangel", "Karelia", "Eastern-Europe"), ("Karelia", "Archangel", "Russia")):
        held = {taken: "germany", goal: "germany", start: "ussr", "West-Russia": "ussr"}
        d = position("combat", "ussr", f"ussr: tank {start} | germany: infantry {goal}", control=held)
        d.order("ussr", f"move tank {start} > {goal}")
        assert unit_in(d, goal, "tank").origin == where("West-Russia")


def test_aa_5_1_moves_of_the_phase_are_taken_back_when_it_cannot_end():
    d = position("combat", "uk", "uk: transport SZ8; infantry United-Kingdom; destroyer SZ8 | germany: destroyer SZ7")
    assert refused(d, "uk", "recall") == "AA-5.1", "there is nothing to take back"
    d.order("uk", "load infantry United-Kingdom > transport 1", "move transport 1 SZ8 > SZ7")
    assert Recall() in d.legal("uk")
    assert Finish() not in d.legal("uk")
    d.order("uk", "recall")
    assert standing(d, "SZ8") == ["destroyer", "transport"]
    assert standing(d, "United-Kingdom") == ["infantry"]
    assert Finish() in d.legal("uk")
    assert Recall() not in d.legal("uk")
    assert len(d.state.units) == 4
    assert {u.did for u in d.state.units.values()} == {0}


def test_aa_5_14_the_third_recall_ends_the_combat_move():
    d = position("combat", "uk", "uk: transport SZ8; infantry United-Kingdom | germany: infantry Western-Europe")
    for _ in range(2):
        d.order("uk", "load infantry United-Kingdom > transport 1", "recall")
        assert d.need.kind == "combat"
    d.order("uk", "load infantry United-Kingdom > transport 1", "recall")
    assert d.need.kind == "noncombat"
    # In the next phase it is counted anew.
    assert d.machine.frame.recalls == 0
    d.order("uk", "load infantry United-Kingdom > transport 1")


def test_aa_5_14_the_third_recall_sends_lone_transports_out_of_hostile_zones():
    d = position(
        "combat",
        "uk",
        "uk: transport SZ8; infantry in transport 1 SZ8; tank London; transport SZ6 | germany: destroyer SZ8",
    )
    for _ in range(3):
        d.order("uk", "load tank London > transport 2", "recall")
    assert d.need.kind == "noncombat"
    assert standing(d, "SZ8") == ["destroyer"]
    ship = next(u for u in d.state.units.values() if u.kind is Kind.TRANSPORT and u.number == 1)
    assert ship.place in d.state.chart.near[where("SZ8")]
    assert not d.state.hostile(ship.place, SIDE[Power.UK])
    assert standing(d, "London") == ["tank"]


def test_aa_8_1_8_5_the_third_recall_ends_the_noncombat_move_and_aircraft_land():
    d = position("noncombat", "uk", "uk: fighter SZ8; carrier SZ6; infantry London")
    for _ in range(2):
        d.order("uk", "move carrier 1 SZ6 > SZ7")
        d.order("uk", "recall")
        assert d.need.kind == "noncombat"
        assert refused(d, "uk", "home") == ""
    d.order("uk", "move carrier 1 SZ6 > SZ7", "recall")
    assert d.need.kind != "noncombat"
    assert [u.kind for u in d.state.units.values() if u.kind is Kind.FIGHTER] == [Kind.FIGHTER]


def test_aa_5_1_hostile_paths_are_judged_without_an_error():
    d = position("combat", "ussr", "ussr: tank Russia; fighter Russia")
    for numbered in (piece(Kind.TANK, 1), piece(Kind.FIGHTER, 2), piece(Kind.TRANSPORT, 0), piece(Kind.CARRIER, 0)):
        found = d.check("ussr", Move(numbered, (where("Russia"), where("West-Russia"))))
        assert found is not None
        assert found.rule == "AA-5.1", "transports and carriers have numbers, others have none"
    wild = (-(2**63), -1, 0, 70, 71, 119, 120, 2**63 - 1)
    for code in (*wild, 1, 2, 5, 7, 14):
        for a in wild:
            for path in ((), (a,), (a, a), (56, a), (a, 56), (56, a, 56), (56, 69, a), (a, a, a, a)):
                assert d.check("ussr", Move(code, path)) is None or d.check("ussr", Move(code, path)).reason
    for ship in wild:
        for place in wild:
            for kind in KINDS:
                for order in (Load(kind, place, ship), Land(kind, ship, place)):
                    assert d.check("ussr", order).rule
            assert d.check("ussr", Promise(ship, place)).rule


def test_aa_5_8_5_9_only_what_was_blitzed_is_taken_on_the_way():
    dice = {"r1/ussr/ukraine/1/att": [1], "r1/ussr/ukraine/1/def": [6]}
    d = position("combat", "ussr", "ussr: tank Russia | germany: infantry Ukraine", dice=dice)
    d.order("ussr", "move tank Russia > Caucasus > Ukraine", "done")
    assert [event.place for event in happened(d, Captured)] == [where("Ukraine")]
    d = position("combat", "ussr", "ussr: tank Russia | germany: infantry Ukraine", dice=dice)
    ways = [order.path for order in d.legal("ussr") if isinstance(order, Move) and order.path[-1] == where("Ukraine")]
    assert [path[1] for path in ways] == [where("Caucasus"), where("West-Russia")], "a blitz is listed last"
    d.order("ussr", "move tank Russia > West-Russia > Ukraine", "done")
    assert [event.place for event in happened(d, Captured)] == [where("West-Russia"), where("Ukraine")]
    d = position("combat", "ussr", "ussr: tank, infantry Russia")
    d.order("ussr", "move infantry Russia > West-Russia", "done")
    assert [event.place for event in happened(d, Captured)] == [where("West-Russia")]


def test_aa_5_1_what_is_taken_back_leaves_no_declarations():
    units = "usa: carrier, fighter SZ40; destroyer SZ39 | japan: infantry Philippine-Islands; submarine SZ39"
    far = dict.fromkeys(("Philippine-Islands", "Borneo", "New-Guinea", "Szechwan"), "japan")
    d = position("combat", "usa", units + "; transport SZ40", control=far)
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands", "attack SZ39", "attack SZ40", "ignore SZ40")
    d.order("usa", "first SZ39", "promise carrier 1 SZ38")
    s = d.state
    assert refused(d, "usa", "recall") == "AA-5.1", "the phase can end"
    d.order("usa", "move carrier 1 SZ40 > SZ39", "recall")
    assert (s.attacked, s.ignored, s.order, s.promises) == ((), (), (), ())
    assert not len(d.machine.frame.before)
    assert not len(d.machine.frame.held)
    assert unit_in(d, "SZ40", "fighter").aboard == 0


def test_aa_5_8_5_9_who_attacks_next_door_has_taken_nothing_yet():
    for way, held in (("Ukraine", []), ("West-Russia > Ukraine", ["West Russia"]), ("Russia > West-Russia", [])):
        d = position("combat", "ussr", "ussr: tank Caucasus | germany: infantry Ukraine")
        d.order("ussr", f"move tank Caucasus > {way}")
        assert list(map(d.state.where, d.machine.frame.held)) == held
