"""AA-6.13 to 6.28: rounds of battle, submarines, fire."""

from __future__ import annotations

from axis_battles import asked, board, ended, fought, texts
from axis_positions import happened, standing

from pbem_rules.axis1941.events import BattleBegan, BattleEnded, Lost, Submerged, Volley
from pbem_rules.axis1941.units import NONE


def test_aa_6_13_rounds_go_on_until_it_is_decided() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: infantry Karelia",
        dice={
            "karelia/1/att": [6, 6], "karelia/1/def": [6],
            "karelia/2/att": [6, 6], "karelia/2/def": [6],
            "karelia/3/att": [1, 6], "karelia/3/def": [6],
        },
    )  # fmt: skip
    assert ended(driver)
    assert [(event.round, event.attack) for event in happened(driver, Volley)] == [
        (n, attack) for n in (1, 2, 3) for attack in (True, False)
    ]
    assert happened(driver, BattleEnded)[0].rounds == 3
    assert standing(driver, "Karelia") == ["infantry", "infantry"]


def test_aa_6_14_allies_of_the_attacker_stay_out() -> None:
    driver = fought(
        "uk",
        "uk: destroyer SZ6 from SZ3 | usa: battleship SZ6 | germany: submarine SZ6; transport SZ6",
        dice={"sz6/1/att": [2], "sz6/1/def": [6]},
    )
    began = happened(driver, BattleBegan)[0]
    assert began.attackers == ("destroyer",)
    assert sorted(began.defenders) == ["submarine", "transport"]
    assert standing(driver, "SZ6") == ["battleship", "destroyer"]


def test_aa_6_14_all_powers_of_the_other_side_defend() -> None:
    driver = fought(
        "japan",
        "japan: 2 fighter SZ40 | usa: destroyer SZ40 | uk: destroyer SZ40",
        dice={"sz40/1/att": [1, 1], "sz40/1/def": [6, 6]},
        battles=["SZ40"],
    )
    assert happened(driver, BattleBegan)[0].powers == ("usa", "uk")
    assert standing(driver, "SZ40") == ["fighter", "fighter"]


def test_aa_6_15_cargo_neither_fires_nor_is_hit_and_goes_down_with_its_ship() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: transport SZ6; 2 infantry in transport 1 SZ6",
    )
    assert happened(driver, BattleBegan)[0].defenders == ("transport",)
    assert standing(driver, "SZ6") == ["submarine"]


def test_aa_6_15_allied_fighters_on_an_attacking_carrier_are_cargo() -> None:
    driver = fought(
        "uk",
        "uk: carrier SZ6 from SZ3 | usa: fighter SZ6 | germany: destroyer SZ6",
        dice={"sz6/1/att": [6], "sz6/1/def": [2]},
    )
    assert happened(driver, BattleBegan)[0].attackers == ("carrier",)
    assert standing(driver, "SZ6") == ["destroyer"]


def test_aa_6_16_own_fighters_in_the_zone_fight() -> None:
    driver = fought(
        "uk",
        "uk: carrier SZ6 from SZ3; 2 fighter SZ6 | germany: destroyer SZ6",
        dice={"sz6/1/att": [3, 6, 6], "sz6/1/def": [6]},
    )
    assert happened(driver, BattleBegan)[0].attackers == ("fighter", "fighter", "carrier")
    assert standing(driver, "SZ6") == ["carrier", "fighter", "fighter"]


def test_aa_6_17_a_destroyer_of_the_enemy_takes_step_2_away() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: destroyer SZ6; submarine SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/def-strike": [6], "sz6/1/att": [6], "sz6/1/def": [6]},
    )
    # The German submarine meets a destroyer; the British one meets none.
    assert asked(driver) == ("submarines", ("uk",))
    driver.order("uk", "strike")
    labels = [line.text.split(" d6")[0] for line in driver.lines if line.what == "dice"]
    assert labels == ["r1/germany/sz6/1/def-strike", "r1/germany/sz6/1/att", "r1/germany/sz6/1/def"]


def test_aa_6_18_the_attacker_chooses_first_and_submarines_may_differ() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5 | uk: 2 submarine SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att-strike": [6], "sz6/1/def-strike": [6]},
    )
    assert asked(driver) == ("submarines", ("germany",))
    assert texts(driver, "germany") == ["strike", "submerge"]
    driver.order("germany", "strike", "submerge")
    assert asked(driver) == ("submarines", ("uk",))
    driver.order("uk", "submerge", "strike")
    assert len(happened(driver, Submerged)) == 2
    assert asked(driver) == ("retreat", ("germany",))
    assert (len(board(driver).attackers), len(board(driver).defenders)) == (1, 1)


def test_aa_6_19_who_may_strike_does_not_fire_in_step_3_or_4() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; fighter SZ6 | uk: submarine SZ6; battleship SZ6",
        live=["germany"],
        orders={("uk", "submarines"): "then strike"},
        dice={"sz6/1/att-strike": [6], "sz6/1/def-strike": [6], "sz6/1/att": [6], "sz6/1/def": [6]},
    )
    driver.order("germany", "strike")
    assert [len(event.dice) for event in happened(driver, Volley)] == [1, 1, 1, 1]
    assert not any(event.units == ("submarine",) and not event.strike for event in happened(driver, Volley))


def test_aa_6_19_without_it_submarines_fire_with_the_others() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; destroyer SZ6 from SZ5 | uk: submarine SZ6; destroyer SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6, 6]},
    )
    assert asked(driver) == ("retreat", ("germany",))
    assert [event.units for event in happened(driver, Volley)] == [("submarine", "destroyer")] * 2


def test_aa_6_20_a_submerged_submarine_is_out_and_stays_in_the_zone() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: battleship SZ6",
        live=["germany"],
    )
    driver.order("germany", "submerge")
    assert ended(driver)
    assert happened(driver, BattleEnded)[0].result == "lost"
    assert standing(driver, "SZ6") == ["battleship", "submarine"]


def test_aa_6_20_nobody_strikes_at_an_empty_board() -> None:
    for attack, defence, result in (("then strike", "then submerge", "won"), ("then submerge", "then strike", "lost")):
        driver = fought(
            "germany",
            "germany: submarine SZ6 from SZ5 | uk: submarine SZ6",
            orders={("germany", "submarines"): attack, ("uk", "submarines"): defence},
        )
        assert ended(driver)
        assert not [line for line in driver.lines if line.what == "dice"]
        assert happened(driver, BattleEnded)[0].result == result
        assert standing(driver, "SZ6") == ["submarine", "submarine"]


def test_aa_6_20_a_submerged_submarine_has_no_part_in_later_rounds() -> None:
    driver = fought(
        "uk",
        "uk: battleship SZ6 from SZ3 | germany: submarine SZ6; battleship SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6], "sz6/2/att": [4], "sz6/2/def": [6], "sz6/3/att": [4]}
        | {"sz6/3/def": [6]},
    )
    driver.order("germany", "submerge")
    driver.order("uk", "press", "press")  # nobody asks the submarine again, and every hit is the battleship's
    assert [event.units for event in happened(driver, Volley)] == [("battleship",)] * 6
    assert [event.unit for event in happened(driver, Lost)] == ["battleship", "battleship"]
    assert happened(driver, BattleEnded)[0].defenders == ()
    assert standing(driver, "SZ6") == ["battleship", "submarine"]


def test_aa_6_21_strikes_hit_ships_only_and_their_victims_do_not_fire() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5; fighter SZ6 | uk: carrier SZ6; 2 fighter SZ6; battleship SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att-strike": [2, 1], "sz6/1/att": [6], "sz6/1/def": [6, 6, 6]},
    )
    driver.order("germany", "strike", "strike")
    assert texts(driver, "uk") == ["lose carrier", "lose damage"]
    assert str(driver.why_not("uk", "lose fighter")).endswith("(AA-6.30)")
    driver.order("uk", "lose carrier")  # the second falls on the battleship, the only ship left
    # Two fighters without their carrier and the battleship fire, the carrier does not.
    assert [event.counts for event in happened(driver, Volley)][-1] == (2, 1)
    assert [(event.strike, event.attack) for event in happened(driver, Volley)] == [
        (True, True),
        (False, True),
        (False, False),
    ]
    assert asked(driver) == ("retreat", ("germany",))


def test_aa_6_22_a_submarine_that_was_hit_by_a_strike_still_strikes() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: submarine SZ6",
        orders={("uk", "submarines"): "then strike"},
        dice={"sz6/1/att-strike": [2], "sz6/1/def-strike": [1]},
    )
    assert ended(driver)
    assert happened(driver, BattleEnded)[0].result == "gone"
    assert standing(driver, "SZ6") == []


def test_aa_6_23_damage_of_step_2_lasts_for_the_battle() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; fighter SZ6 | uk: battleship SZ6",
        live=["germany"],
        dice={"sz6/1/att-strike": [1], "sz6/1/att": [3], "sz6/1/def": [6]},
    )
    driver.order("germany", "strike")
    assert [event.damaged for event in happened(driver, Lost)] == [True, False]
    assert standing(driver, "SZ6") == ["fighter", "submarine"]


def test_aa_6_24_losses_of_step_3_still_fire_in_step_4() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: 2 infantry Karelia",
        dice={"karelia/1/att": [1, 1], "karelia/1/def": [2, 6]},
    )
    assert happened(driver, Volley)[1].hits == 1
    assert standing(driver, "Karelia") == ["infantry"]


def test_aa_6_25_the_attacker_s_losses_of_step_4_are_removed_at_once() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland; tank Karelia from Norway Finland | ussr: 2 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [2, 6]},
    )
    driver.order("germany", "lose infantry")
    assert asked(driver) == ("retreat", ("germany",))
    assert standing(driver, "Karelia", "germany") == ["tank"]


def test_aa_6_26_who_struck_does_not_fire_again() -> None:
    driver = fought(
        "germany",
        "germany: 3 submarine SZ6 from SZ5 | uk: battleship SZ6",
        live=["germany"],
        dice={"sz6/1/att-strike": [6, 6, 6], "sz6/1/def": [6]},
    )
    driver.order("germany", "strike", "strike", "strike")
    assert [(event.strike, event.attack) for event in happened(driver, Volley)] == [(True, True), (False, False)]


def test_aa_6_27_a_destroyer_lost_in_step_3_counts_until_the_round_is_over() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5; bomber SZ6 | uk: destroyer SZ6; carrier SZ6; fighter SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att": [1, 6, 6], "sz6/1/def": [1, 6, 6], "sz6/2/att-strike": [6]},
    )
    driver.order("uk", "lose destroyer")
    # The fighter of the defence hits: with the destroyer behind the line a submarine may still be chosen.
    assert texts(driver, "germany") == ["lose bomber", "lose submarine"]
    driver.order("germany", "lose submarine")
    driver.order("germany", "press")
    # In the next round there is no destroyer any more.
    assert asked(driver) == ("submarines", ("germany",))


def test_aa_6_28_hits_at_sea_are_kept_in_three_classes() -> None:
    driver = fought(
        "uk",
        "uk: submarine SZ6 from SZ3; fighter SZ6; bomber SZ6; destroyer SZ6 from SZ3; battleship SZ6 from SZ3"
        " | germany: 2 destroyer SZ6",
        live=["uk"],
        dice={"sz6/1/att": [2, 4, 3, 4, 2], "sz6/1/def": [6, 6]},
    )
    volley = happened(driver, Volley)[0]
    assert volley.units == ("submarine", "bomber", "fighter", "battleship", "destroyer")
    assert volley.values == (2, 4, 3, 4, 2)
    assert volley.hits == 5


def test_aa_6_28_each_hit_is_paid_by_whom_its_class_can_fall_on() -> None:
    driver = fought(
        "uk",
        "uk: submarine SZ6 from SZ3; fighter SZ6; battleship SZ6 from SZ3"
        " | germany: submarine SZ6; destroyer SZ6; carrier SZ6; fighter SZ6",
        live=["uk", "germany"],
        dice={"sz6/1/def-strike": [6], "sz6/1/att": [2, 3, 4], "sz6/1/def": [6, 6, 6]},
    )
    driver.order("germany", "strike")
    assert texts(driver, "germany") == ["lose submarine", "lose destroyer", "lose carrier"]  # the submarine's
    driver.order("germany", "lose destroyer")
    assert texts(driver, "germany") == ["lose fighter", "lose carrier"]  # the fighter's, no destroyer beside it
    driver.order("germany", "lose fighter")
    assert texts(driver, "germany") == ["lose submarine", "lose carrier"]  # the battleship's
    driver.order("germany", "lose carrier")
    assert [event.dice for event in happened(driver, Volley)][-1] == (6, 6, 6)  # who struck does not fire again


def test_aa_6_13_sea_zone_1_is_sea() -> None:
    driver = fought(
        "usa",
        "usa: submarine SZ1 from SZ2; transport SZ1 from SZ2 | germany: submarine SZ1",
        orders={("usa", "submarines"): "then strike", ("germany", "submarines"): "then strike"},
        dice={"sz1/1/att-strike": [1], "sz1/1/def-strike": [6]},
    )
    assert [event.strike for event in happened(driver, Volley)] == [True, True]
    assert standing(driver, "SZ1") == ["submarine", "transport"]


def test_aa_6_16_6_15_own_fighters_leave_their_carrier_and_allied_ones_go_down_with_it() -> None:
    driver = fought(
        "uk",
        "uk: carrier SZ6 from SZ3; fighter SZ6; transport SZ6 from SZ3; tank in transport 1; destroyer SZ6 from SZ3"
        " | usa: fighter SZ6 | germany: battleship SZ6",
        live=["uk"],
        dice={"sz6/1/att": [6, 6, 6], "sz6/1/def": [4], "sz6/2/att": [3, 1], "sz6/2/def": [6]},
    )
    assert texts(driver, "uk") == ["lose fighter", "lose destroyer", "lose carrier"]
    driver.order("uk", "lose carrier", "press")
    assert ended(driver)
    assert standing(driver, "SZ6") == ["destroyer", "fighter", "tank", "transport"]
    aboard = {str(unit.kind): unit.aboard != NONE for unit in driver.state.units.values()}
    assert aboard == {"destroyer": False, "fighter": False, "tank": True, "transport": False}
    assert {unit.power for unit in driver.state.units.values()} == {"uk"}


def test_aa_6_24_6_25_the_defender_s_losses_still_fire_and_the_attacker_s_are_gone() -> None:
    driver = fought(
        "germany",
        "germany: 3 infantry Karelia from Norway Finland | ussr: 2 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [1, 6, 6], "karelia/1/def": [2, 2], "karelia/2/att": [1], "karelia/2/def": [6]},
    )
    # Both fired, though one had been hit; of three attackers one is left.
    assert [event.counts for event in happened(driver, Volley)] == [(3,), (2,)]
    assert standing(driver, "Karelia") == ["infantry", "infantry"]
    driver.order("germany", "press")
    assert standing(driver, "Karelia") == ["infantry"]
    assert [event.counts for event in happened(driver, Volley)] == [(3,), (2,), (1,), (1,)]


def test_aa_6_21_6_27_what_is_struck_is_gone_before_the_others_fire() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5; battleship SZ6 from SZ5 | uk: 2 submarine SZ6; battleship SZ6",
        live=["germany"],
        orders={
            ("germany", "submarines"): "then strike",
            ("uk", "submarines"): "then strike",
            ("uk", "losses"): "then submarine",
            ("germany", "losses"): "then submarine",
        },
        dice={"sz6/1/att-strike": [2, 6], "sz6/1/def-strike": [1, 6], "sz6/1/att": [6], "sz6/1/def": [6]},
    )
    # The strikes of both sides come before anybody is removed (AA-6.22), then nobody who was struck is left.
    assert [len(event.dice) for event in happened(driver, Volley)] == [2, 2, 1, 1]
    assert standing(driver, "SZ6", "germany") == ["battleship", "submarine"]
    assert standing(driver, "SZ6", "uk") == ["battleship", "submarine"]
    assert [len(event.units) for event in happened(driver, Volley)] == [1, 1, 1, 1]


def test_aa_6_18_6_20_each_defending_power_decides_for_its_own_submarines() -> None:
    driver = fought(
        "japan",
        "japan: submarine SZ40 from SZ39; battleship SZ40 from SZ39 | uk: 2 submarine SZ40 | usa: submarine SZ40",
        live=["uk", "usa", "japan"],
        dice={"sz40/1/att-strike": [6], "sz40/1/def-strike": [6, 6], "sz40/1/att": [6]},
    )
    driver.order("japan", "strike")
    assert asked(driver) == ("submarines", ("uk", "usa"))
    driver.order("uk", "strike").order("usa", "submerge")
    assert asked(driver) == ("submarines", ("uk",)), "its second one"
    driver.order("uk", "strike")
    assert [event.power for event in happened(driver, Submerged)] == ["usa"]
    assert asked(driver) == ("retreat", ("japan",))
    assert len(board(driver).defenders) == 2


def test_aa_6_13_6_26_who_struck_strikes_once_in_each_round() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: battleship SZ6",
        live=["germany"],
        dice={
            "sz6/1/att-strike": [6], "sz6/1/def": [6],
            "sz6/2/att-strike": [2], "sz6/2/def": [6],
        },
    )  # fmt: skip
    driver.order("germany", "strike", "press", "strike")
    assert [(event.round, event.strike, event.counts) for event in happened(driver, Volley)] == [
        (1, True, (1,)),
        (1, False, (1,)),
        (2, True, (1,)),
        (2, False, (1,)),
    ]
