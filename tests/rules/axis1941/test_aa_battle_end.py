"""AA-6.37 to 6.52: defenceless transports, the end of a battle, retreat."""

from __future__ import annotations

import pytest
from axis_battles import asked, board, ended, fought, texts
from axis_positions import happened, standing, where

from pbem.engine.event import Out
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.battle import Conclude
from pbem_rules.axis1941.battle_retreat import Withdraw
from pbem_rules.axis1941.events import BattleEnded, Destroyed, FellBack, Volley
from pbem_rules.axis1941.orders import Retreat
from pbem_rules.axis1941.units import FOUGHT, Kind


def results(driver) -> list[str]:
    return [event.result for event in happened(driver, BattleEnded)]


def destroyed(driver) -> list[str]:
    return [event.unit for event in happened(driver, Destroyed)]


def test_aa_6_37_transports_without_defence_are_destroyed_with_their_cargo() -> None:
    driver = fought(
        "germany",
        "germany: fighter SZ6 | uk: 2 transport SZ6; tank in transport 1; infantry in transport 1",
    )
    assert (results(driver), destroyed(driver).count("transport")) == (["defenceless"], 2)
    assert sorted(destroyed(driver)) == ["infantry", "tank", "transport", "transport"]
    assert not happened(driver, Volley)


def test_aa_6_38_beside_submerged_submarines_too() -> None:
    driver = fought(
        "germany",
        "germany: fighter SZ6 | uk: transport SZ6; submarine SZ6",
        orders={("uk", "submarines"): "then submerge"},
    )
    assert results(driver) == ["defenceless"]
    assert standing(driver, "SZ6", "uk") == ["submarine"]


def test_aa_6_38_submarines_that_stay_up_make_rounds_necessary() -> None:
    driver = fought(
        "germany",
        "germany: fighter SZ6 | uk: transport SZ6; submarine SZ6",
        orders={("uk", "submarines"): "then strike"},
        dice={
            "sz6/1/def-strike": [6], "sz6/1/att": [6],
            "sz6/2/def-strike": [6], "sz6/2/att": [3],
        },
    )  # fmt: skip
    # The transport is hit in the second round; then nobody can hit anybody.
    assert results(driver) == ["stuck"]
    assert standing(driver, "SZ6") == ["fighter", "submarine"]


def test_aa_6_39_it_is_looked_at_before_round_1_after_step_2_and_in_step_6() -> None:
    before = fought("germany", "germany: destroyer SZ6 from SZ5 | uk: transport SZ6")
    assert [event.rounds for event in happened(before, BattleEnded)] == [0]
    s = before.state
    assert s.units[next(s.here(where("SZ6")))].did & FOUGHT
    step_2 = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: transport SZ6; carrier SZ6",
        dice={"sz6/1/att-strike": [1]},
    )
    assert [event.strike for event in happened(step_2, Volley)] == [True]
    assert results(step_2) == ["defenceless"]
    step_6 = fought(
        "germany",
        "germany: destroyer SZ6 from SZ5 | uk: transport SZ6; carrier SZ6",
        dice={"sz6/1/att": [1], "sz6/1/def": [6]},
    )
    assert results(step_6) == ["defenceless"]


def test_aa_6_40_attacking_transports_are_not_defenceless_while_they_can_retreat() -> None:
    driver = fought(
        "uk",
        "uk: destroyer SZ6 from SZ3; transport SZ6 from SZ3; infantry in transport 1 | germany: destroyer SZ6",
        live=["uk"],
        dice={"sz6/1/att": [6], "sz6/1/def": [1]},
    )
    assert texts(driver, "uk") == ["retreat SZ3"]
    assert str(driver.why_not("uk", "press")).endswith("(AA-6.40)")
    driver.order("uk", "retreat SZ3")
    assert standing(driver, "SZ3") == ["infantry", "transport"]


def test_aa_6_40_else_they_are_destroyed() -> None:
    driver = fought(
        "uk",
        "uk: destroyer SZ6; transport SZ6; infantry in transport 1 | germany: destroyer SZ6",
        dice={"sz6/1/att": [6], "sz6/1/def": [1]},
    )
    assert results(driver) == ["alone"]
    assert sorted(destroyed(driver)) == ["infantry", "transport"]


def test_aa_6_41_the_end_comes_before_the_retreat() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [1, 6], "karelia/1/def": [6]},
    )
    assert ended(driver)  # the attacker is not asked whether he retreats
    assert results(driver) == ["won"]


def test_aa_6_41_who_has_units_left_that_fight_has_won() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland | ussr: infantry Karelia",
        dice={"karelia/1/att": [6], "karelia/1/def": [1]},
    )
    assert results(driver) == ["lost"]


@pytest.mark.parametrize(("order", "zone"), [("retreat SZ6", "SZ6"), ("retreat SZ3", "SZ3")])
def test_aa_6_42_transports_against_transports_stay_or_go(order: str, zone: str) -> None:
    driver = fought(
        "uk",
        "uk: destroyer SZ6 from SZ3; transport SZ6 from SZ3 | germany: destroyer SZ6; transport SZ6",
        live=["uk"],
        dice={"sz6/1/att": [1], "sz6/1/def": [1]},
    )
    assert texts(driver, "uk") == ["retreat SZ6", "retreat SZ3"]
    assert str(driver.why_not("uk", "press")).endswith("(AA-6.42)")
    driver.order("uk", order)
    assert standing(driver, zone, "uk") == ["transport"]
    assert standing(driver, "SZ6", "germany") == ["transport"]


def test_aa_6_42_by_default_they_stay() -> None:
    driver = fought(
        "uk",
        "uk: destroyer SZ6 from SZ3; transport SZ6 from SZ3 | germany: destroyer SZ6; transport SZ6",
        dice={"sz6/1/att": [1], "sz6/1/def": [1]},
    )
    assert standing(driver, "SZ6") == ["transport", "transport"]
    assert results(driver) == ["bare"]


def test_aa_6_43_where_nobody_is_left_the_defender_keeps_the_territory() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland | ussr: infantry Karelia",
        dice={"karelia/1/att": [1], "karelia/1/def": [1]},
    )
    assert results(driver) == ["gone"]
    assert driver.state.control[where("Karelia")] == "ussr"


def test_aa_6_44_who_cannot_hit_each_other_stop() -> None:
    driver = fought("germany", "germany: 2 fighter SZ6; bomber SZ6 | uk: 2 submarine SZ6")
    assert results(driver) == ["stuck"]
    assert not happened(driver, Volley)
    assert standing(driver, "SZ6") == ["bomber", "fighter", "fighter", "submarine", "submarine"]


def test_aa_6_44_submarines_against_fighters_without_a_carrier() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: carrier SZ6; fighter SZ6",
        orders={("germany", "submarines"): "then strike"},
        dice={"sz6/1/att-strike": [1], "sz6/1/def": [1]},
    )
    assert results(driver) == ["stuck"]
    assert standing(driver, "SZ6", "germany") == ["submarine"]


def test_aa_6_45_submarines_that_are_left_are_not_ignored() -> None:
    driver = fought(
        "germany",
        "germany: battleship SZ6 from SZ5 | uk: submarine SZ6; destroyer SZ6",
        live=["germany"],
        orders={("uk", "submarines"): "then strike", ("uk", "losses"): "then destroyer"},
        dice={"sz6/1/def-strike": [6], "sz6/1/att": [1], "sz6/1/def": [6]},
    )
    assert asked(driver) == ("retreat", ("germany",))
    assert results(driver) == []


def test_aa_6_46_after_every_round_the_attacker_chooses_and_never_the_defender() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: 2 infantry Karelia",
        live=["germany", "ussr"],
        dice={
            "karelia/1/att": [6, 6], "karelia/1/def": [6, 6],
            "karelia/2/att": [6, 6], "karelia/2/def": [6, 6],
        },
    )  # fmt: skip
    assert asked(driver) == ("retreat", ("germany",))
    driver.order("germany", "press")
    assert asked(driver) == ("retreat", ("germany",))
    driver.order("germany", "retreat Norway-Finland")
    assert results(driver) == ["retreat"]


def test_aa_6_47_all_go_together_to_one_space_from_which_somebody_came() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland; tank Karelia from West Russia | ussr: 3 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6, 6, 6], "karelia/1/def": [6, 6, 6]},
    )
    assert texts(driver, "germany") == ["press", "retreat Norway-Finland", "retreat West-Russia"]
    for place in ("Archangel", "SZ4", "Karelia"):
        assert str(driver.why_not("germany", f"retreat {place}")).endswith("(AA-6.47)")
    for number in (-1, 120, 2**62):
        violation = driver.check("germany", Retreat(number))
        assert violation is not None
        assert violation.rule == "AA-6.47"
    driver.order("germany", "retreat West-Russia")
    assert standing(driver, "West Russia") == ["infantry", "infantry", "tank"]
    assert standing(driver, "Karelia") == ["infantry"] * 3
    assert happened(driver, FellBack)[0].units == ("infantry", "infantry", "tank")
    assert results(driver) == ["retreat"]
    assert ended(driver)


def test_aa_6_47_also_where_those_that_came_from_there_are_lost() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland; tank Karelia from West Russia | ussr: 3 infantry Karelia",
        live=["germany"],
        orders={("germany", "losses"): "then infantry"},
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [6, 1, 6]},
    )
    assert texts(driver, "germany") == ["press", "retreat Norway-Finland", "retreat West-Russia"]


def test_aa_6_48_the_origin_is_the_last_space_and_may_have_been_blitzed() -> None:
    driver = fought(
        "germany",
        "germany: tank Russia from Archangel | ussr: 2 infantry Russia",
        control={"Archangel": "germany"},
        live=["germany"],
        dice={"russia/1/att": [6], "russia/1/def": [6, 6]},
    )
    assert texts(driver, "germany") == ["press", "retreat Archangel"]


def test_aa_6_49_ships_retreat_only_to_what_was_friendly_when_the_turn_began() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6 from SZ5; destroyer SZ6 from SZ3 | uk: battleship SZ6",
        live=["germany"],
        seas=["SZ6", "SZ3"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6]},
    )
    assert texts(driver, "germany") == ["press", "retreat SZ5"]
    assert str(driver.why_not("germany", "retreat SZ3")).endswith("(AA-6.49)")


def test_aa_6_49_and_is_friendly_now() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6 from SZ5; destroyer SZ6 from SZ3 | uk: battleship SZ6; destroyer SZ3",
        live=["germany"],
        seas=["SZ6"],
        battles=["SZ6"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6]},
    )
    assert texts(driver, "germany") == ["press", "retreat SZ5"]
    assert str(driver.why_not("germany", "retreat SZ3")).endswith("(AA-6.47)")


def test_aa_6_50_ships_that_began_there_cannot_retreat() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6; fighter SZ6 | uk: battleship SZ6",
        live=["germany"],
        dice={
            "sz6/1/att": [6, 6], "sz6/1/def": [6],
            "sz6/2/att": [3, 2], "sz6/2/def": [6],
        },
    )  # fmt: skip
    assert ended(driver)  # not asked in between
    assert results(driver) == ["won"]


def test_aa_6_50_aircraft_alone_always_can() -> None:
    driver = fought(
        "germany",
        "germany: 2 fighter SZ6 | uk: battleship SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6]},
    )
    assert texts(driver, "germany") == ["press", "retreat SZ6"]


def test_aa_6_51_aircraft_that_retreat_stay_until_the_non_combat_move() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland; fighter Karelia | ussr: 2 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [6, 6]},
    )
    driver.order("germany", "retreat Norway-Finland")
    assert standing(driver, "Karelia", "germany") == ["fighter"]
    (event,) = happened(driver, FellBack)
    assert game.report(event) == "Germany retreats with an infantry from Karelia to Norway Finland."
    alone = fought(
        "germany",
        "germany: fighter Karelia | ussr: 2 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6], "karelia/1/def": [6, 6]},
    )
    assert str(alone.why_not("germany", "retreat Norway-Finland")).endswith("(AA-6.51)")
    alone.order("germany", "retreat Karelia")
    assert standing(alone, "Karelia", "germany") == ["fighter"]


def test_aa_6_52_cargo_stays_aboard_in_a_retreat() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6 from SZ5; transport SZ6 from SZ5; tank in transport 1 | uk: destroyer SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6]},
    )
    driver.order("germany", "retreat SZ5")
    s = driver.state
    ship = next(s.here(where("SZ5"), kind=Kind.TRANSPORT))
    assert [s.units[n].kind for n in s.cargo(ship)] == ["tank"]
    assert s.units[s.cargo(ship)[0]].place == where("SZ5")


def test_aa_6_40_6_46_warships_without_a_way_out_fight_on() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6; transport SZ6 from SZ5 | uk: destroyer SZ6",
        control={},
        seas=["SZ5"],
        live=["germany"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6], "sz6/2/att": [2], "sz6/2/def": [6]},
    )
    # Nobody is asked whether to go on: the only space from which anybody came was hostile when the turn began.
    assert ended(driver)
    assert standing(driver, "SZ6") == ["destroyer", "transport"]


def test_aa_6_46_standing_orders_press_on_or_go() -> None:
    for policy, rounds in (("then press", 2), ("when round = 1 then retreat; then press", 1), ("then retreat-sz5", 1)):
        driver = fought(
            "germany",
            "germany: battleship SZ6 from SZ5 | uk: 2 destroyer SZ6",
            orders={("germany", "retreat"): policy},
            dice={"sz6/1/att": [1], "sz6/1/def": [6, 6], "sz6/2/att": [1], "sz6/2/def": [6]},
        )
        assert ended(driver)
        assert happened(driver, BattleEnded)[0].rounds == rounds
        assert standing(driver, "SZ5" if rounds == 1 else "SZ6", "germany") == ["battleship"]


def test_aa_6_42_6_46_transports_alone_are_asked_only_if_they_can_go() -> None:
    for origin, decisions in (("", ()), (" from SZ5", ("germany",))):
        driver = fought(
            "germany",
            f"germany: transport SZ6{origin}; submarine SZ6 | uk: transport SZ6; submarine SZ6",
            live=["germany"],
            orders={("germany", "submarines"): "then submerge", ("uk", "submarines"): "then submerge"},
        )
        assert ended(driver) is (not decisions)
        if decisions:
            assert asked(driver) == ("retreat", decisions)
            assert texts(driver, "germany") == ["retreat SZ6", "retreat SZ5"]
    step = Withdraw()
    assert [step.is_answer(driver.state, name) for name in ("retreat", "retreat-sz5", "retreat-mars", "sz5")] == [
        True,
        True,
        False,
        False,
    ]


def test_aa_6_47_who_began_there_has_no_way_back() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6 | uk: destroyer SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6], "sz6/2/att": [2], "sz6/2/def": [6]},
    )
    assert ended(driver)
    driver = fought(
        "germany",
        "germany: destroyer SZ6; battleship SZ6 from SZ5; 2 battleship SZ6 from SZ7; bomber SZ6 from Germany"
        " | uk: destroyer SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6] * 5, "sz6/1/def": [6]},
    )
    # Most of them came from SZ7, so that it is named first; where aircraft started is no way for ships.
    assert texts(driver, "germany") == ["press", "retreat SZ7", "retreat SZ5"]


def test_aa_6_53_6_41_only_land_units_take_a_territory_and_only_an_empty_one() -> None:
    for units, holder in (
        ("infantry Karelia from Norway Finland; bomber Karelia", "germany"),
        ("bomber Karelia", "ussr"),
    ):
        driver = fought(
            "germany",
            f"germany: {units} | ussr: infantry Karelia",
            dice={"karelia/1/att": [1, 1] if "infantry" in units else [1], "karelia/1/def": [6]},
        )
        assert results(driver) == ["won"]
        assert driver.state.control[where("Karelia")] == holder
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland | ussr: infantry Karelia",
        dice={"karelia/1/att": [1], "karelia/1/def": [2]},
    )
    assert results(driver) == ["gone"]
    assert driver.state.control[where("Karelia")] == "ussr"
    # Nor while a defender is left, whoever fires.
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [6]},
    )
    Conclude().run(driver.state, board(driver), Out())
    assert driver.state.control[where("Karelia")] == "ussr"


def test_aa_6_47_6_51_aircraft_leave_those_that_came_by_sea() -> None:
    """What was put ashore fights on; aircraft beside it may go, and all others if some came overland."""
    sea = "transport SZ8; infantry in transport 1 > Western-Europe"
    for units, place, ways in (
        (f"uk: {sea}; fighter Western-Europe", "western-europe", ["press", "retreat Western-Europe"]),
        (
            f"uk: {sea}; fighter Western-Europe; tank Western-Europe from Eastern-Europe",
            "western-europe",
            ["press", "retreat Eastern-Europe"],
        ),
    ):
        driver = fought(
            "uk",
            units + " | germany: 3 infantry Western-Europe",
            live=["uk"],
            control={"Eastern-Europe": "uk"},
            dice={f"{place}/1/att": [6] * (units.count(";")), f"{place}/1/def": [6, 6, 6]},
        )
        assert driver.need.kind == "retreat"
        assert texts(driver, "uk") == ways
