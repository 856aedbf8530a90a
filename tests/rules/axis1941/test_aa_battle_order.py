"""AA-6.1 to 6.12: the order of battles, and amphibious assaults."""

from __future__ import annotations

from axis_battles import asked, board, ended, fought, texts
from axis_positions import happened, position, standing, where

from pbem_rules.axis1941.battles import next_place
from pbem_rules.axis1941.events import BattleBegan, BattleEnded, Captured, Landed
from pbem_rules.axis1941.orders import First
from pbem_rules.axis1941.units import FOUGHT, NONE, UNLOADED, Kind

ASSAULT = "germany: transport SZ6 from SZ5; 2 infantry in transport 1 SZ6 > United Kingdom; {} | uk: {}"


def places(driver) -> list[int]:
    return [event.place for event in happened(driver, BattleBegan)]


def holder(driver, name: str) -> str:
    return str(driver.state.control[where(name)])


def test_aa_6_1_assaults_come_before_all_other_battles() -> None:
    driver = fought(
        "germany",
        ASSAULT.format(
            "battleship SZ6 from SZ5; 2 infantry Karelia from Norway Finland", "destroyer SZ6; infantry United Kingdom"
        )
        + " | ussr: infantry Karelia",
        dice={
            "sz6/1/att": [1], "sz6/1/def": [6],
            "united-kingdom/1/att": [1, 6], "united-kingdom/1/def": [6],
            "karelia/1/att": [1, 6], "karelia/1/def": [6],
        },
        order=["Karelia"],
    )  # fmt: skip
    # Even though the attacker would have Karelia first.
    assert places(driver) == [where("SZ6"), where("United Kingdom"), where("Karelia")]
    assert holder(driver, "United Kingdom") == "germany"


def test_aa_6_2_the_attacker_orders_the_battles_and_each_is_finished_before_the_next() -> None:
    units = (
        "germany: infantry Karelia from Norway Finland; infantry Caucasus from Ukraine;"
        " infantry Russia from West Russia"
        " | ussr: infantry Karelia; infantry Caucasus; infantry Russia"
    )
    dice = {f"{place}/1/{side}": [6] for place in ("karelia", "caucasus", "russia") for side in ("att", "def")}
    driver = fought(
        "germany",
        units,
        dice=dice,
        order=["Russia", "Karelia"],
        orders={("germany", "retreat"): "then retreat"},
    )
    assert places(driver) == [where("Russia"), where("Karelia"), where("Caucasus")]
    attack = position("combat", "germany", "germany: infantry Norway-Finland | ussr: infantry Karelia")
    attack.order("germany", "move infantry Norway-Finland > Karelia")
    there, nowhere = First(where("Karelia")), First(where("Ukraine"))
    assert attack.check("germany", there) is None
    assert "There is no battle in Ukraine" in attack.check("germany", nowhere).reason
    attack.order("germany", "first Karelia")
    assert "has its place in the order" in attack.check("germany", there).reason
    kinds = [event.kind for event in driver.happened if isinstance(event, BattleBegan | BattleEnded)]
    assert kinds == ["battle", "battle_ended"] * 3


def test_aa_6_2_6_6_a_zone_that_serves_two_landings_is_fought_for_once_and_first() -> None:
    driver = fought(
        "japan",
        "japan: destroyer SZ38 from SZ45; 2 transport SZ38 from SZ45;"
        " infantry in transport 1 > Philippine Islands; infantry in transport 2 > Caroline Islands"
        " | usa: destroyer SZ38; infantry Philippine Islands",
        control={"Caroline Islands": "usa"},
        dice={
            "sz38/1/att": [1], "sz38/1/def": [6],
            "philippine-islands/1/att": [1], "philippine-islands/1/def": [6],
        },
        order=["Philippine Islands"],
    )  # fmt: skip
    assert places(driver) == [where("SZ38"), where("Philippine Islands")]
    assert holder(driver, "Philippine Islands") == holder(driver, "Caroline Islands") == "japan"


def test_aa_6_3_an_empty_territory_is_taken_without_dice() -> None:
    for beside in ("", "; fighter Karelia"):
        driver = fought("germany", f"germany: infantry Karelia from Norway Finland{beside}", battles=["Karelia"])
        assert not places(driver)
        assert holder(driver, "Karelia") == "germany"
        assert happened(driver, Captured)[0].before == "ussr"


def test_aa_6_3_aircraft_alone_do_not_take_it() -> None:
    driver = fought("germany", "germany: fighter Karelia", battles=["Karelia"])
    assert holder(driver, "Karelia") == "ussr"


def test_aa_6_4_all_own_ships_in_the_zone_fight_for_the_landing() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("battleship SZ6; submarine SZ6 from SZ5", "destroyer SZ6; infantry United Kingdom"),
        dice={
            "sz6/1/att": [6, 1], "sz6/1/def": [6],
            "united-kingdom/1/att": [1, 6], "united-kingdom/1/def": [6],
        },
    )  # fmt: skip
    assert happened(driver, BattleBegan)[0].attackers == ("submarine", "transport", "battleship")


def test_aa_6_4_submarines_and_transports_only_are_fought_if_attacked() -> None:
    # The zone is not among the battles, so it was ignored: the landing goes ahead at once.
    driver = fought(
        "germany",
        ASSAULT.format("destroyer SZ6 from SZ5", "submarine SZ6; infantry United Kingdom"),
        battles=["United Kingdom"],
        dice={"united-kingdom/1/att": [1, 6], "united-kingdom/1/def": [6]},
    )
    assert places(driver) == [where("United Kingdom")]
    assert standing(driver, "SZ6", "uk") == ["submarine"]


def test_aa_6_5_no_landing_without_a_won_battle_at_sea() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("destroyer SZ6 from SZ5", "destroyer SZ6; infantry United Kingdom"),
        live=["germany"],
        battles=["SZ6", "United Kingdom"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6]},
    )
    assert driver.state.battles == (where("United Kingdom"),)
    driver.order("germany", "retreat SZ5")
    assert places(driver) == [where("SZ6")]
    assert not happened(driver, Landed)
    s = driver.state
    assert [s.units[n].target for n in s.here(where("SZ5"), kind=Kind.INFANTRY)] == [NONE, NONE]


def test_aa_6_5_6_42_transports_left_with_transports_have_not_won() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("destroyer SZ6 from SZ5", "destroyer SZ6; transport SZ6"),
        battles=["SZ6", "United Kingdom"],
        dice={"sz6/1/att": [1], "sz6/1/def": [2]},
    )
    assert [event.result for event in happened(driver, BattleEnded)] == ["bare"]
    assert not happened(driver, Landed)
    assert holder(driver, "United Kingdom") == "uk"


def test_aa_7_8_nobody_lands_where_aircraft_and_submarines_could_not_harm_each_other() -> None:
    driver = fought(
        "uk",
        "usa: transport SZ5 | uk: bomber SZ5; infantry in transport 1 SZ5 > Germany | germany: submarine SZ5",
    )
    assert [event.result for event in happened(driver, BattleEnded)] == ["stuck"]
    assert holder(driver, "Germany") == "germany"
    assert standing(driver, "SZ5", "uk") == ["bomber", "infantry"]


def test_aa_6_5_submarines_that_submerged_do_not_stop_the_landing() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("battleship SZ6 from SZ5", "submarine SZ6; infantry United Kingdom"),
        orders={("uk", "submarines"): "then submerge"},
        dice={"united-kingdom/1/att": [1, 6], "united-kingdom/1/def": [6]},
    )
    assert [event.result for event in happened(driver, BattleEnded)] == ["won", "won"]
    assert holder(driver, "United Kingdom") == "germany"
    assert standing(driver, "SZ6", "uk") == ["submarine"]


def test_aa_6_6_landed_overland_and_air_units_fight_together() -> None:
    driver = fought(
        "germany",
        "germany: transport SZ4 from SZ3; tank in transport 1 SZ4 > Karelia; infantry Karelia from Norway Finland;"
        " fighter Karelia | ussr: 2 infantry Karelia",
        battles=["Karelia"],
        dice={"karelia/1/att": [1, 1, 6], "karelia/1/def": [6, 6]},
    )
    assert happened(driver, BattleBegan)[0].attackers == ("infantry", "tank", "fighter")
    assert holder(driver, "Karelia") == "germany"
    s = driver.state
    ship = s.units[next(s.here(where("SZ4"), kind=Kind.TRANSPORT))]
    assert ship.did & UNLOADED


def test_aa_6_7_the_others_fight_one_round_although_the_ships_went_home() -> None:
    driver = fought(
        "germany",
        "germany: transport SZ4 from SZ3; destroyer SZ4 from SZ3; tank in transport 1 SZ4 > Karelia;"
        " infantry Karelia from Norway Finland | ussr: destroyer SZ4; 3 infantry Karelia",
        live=["germany"],
        dice={"sz4/1/att": [6], "sz4/1/def": [6], "karelia/1/att": [6], "karelia/1/def": [6, 6, 6]},
    )
    driver.order("germany", "retreat SZ3")
    # The round has been fought before the infantry is asked.
    assert asked(driver) == ("retreat", ("germany",))
    assert (board(driver).place, board(driver).round) == (where("Karelia"), 1)
    driver.order("germany", "retreat Norway-Finland")
    assert standing(driver, "Norway Finland") == ["infantry"]
    assert standing(driver, "SZ3") == ["destroyer", "tank", "transport"]


def test_aa_6_7_the_others_fight_one_round_although_no_cargo_survived() -> None:
    driver = fought(
        "germany",
        "germany: transport SZ4 from SZ3; destroyer SZ4 from SZ3; tank in transport 1 SZ4 > Karelia;"
        " infantry Karelia from Norway Finland; bomber Karelia | ussr: battleship SZ4; 3 infantry Karelia",
        live=["germany"],
        dice={"sz4/1/att": [6], "sz4/1/def": [1], "karelia/1/att": [6, 6], "karelia/1/def": [6, 6, 6]},
        control={"Norway Finland": "germany"},
        seas=["SZ3"],  # so that the transport, left alone, has no way out
    )
    assert standing(driver, "SZ4") == ["battleship"]
    assert (board(driver).place, board(driver).round) == (where("Karelia"), 1)
    assert texts(driver, "germany") == ["press", "retreat Norway-Finland"]


def test_aa_6_8_nobody_left_for_the_land_battle() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("destroyer SZ6 from SZ5", "battleship SZ6; infantry United Kingdom"),
        dice={"sz6/1/att": [6], "sz6/1/def": [4]},
    )
    # The transport is alone and goes; nobody comes to the land battle.
    assert standing(driver, "SZ5") == ["infantry", "infantry", "transport"]
    assert places(driver) == [where("SZ6")]
    assert holder(driver, "United Kingdom") == "uk"


def test_aa_6_9_who_came_by_sea_does_not_retreat() -> None:
    driver = fought(
        "germany",
        "germany: transport SZ4 from SZ3; tank in transport 1 SZ4 > Karelia | ussr: 2 infantry Karelia",
        live=["germany"],
        battles=["Karelia"],
        dice={
            "karelia/1/att": [6], "karelia/1/def": [6, 6],
            "karelia/2/att": [6], "karelia/2/def": [6, 1],
        },
    )  # fmt: skip
    assert ended(driver)  # nobody was asked
    assert holder(driver, "Karelia") == "ussr"
    assert standing(driver, "Karelia") == ["infantry", "infantry"]


def test_aa_6_10_overland_and_air_units_retreat_together_and_the_others_fight_on() -> None:
    driver = fought(
        "germany",
        "germany: transport SZ4 from SZ3; tank in transport 1 SZ4 > Karelia; 2 infantry Karelia from Norway Finland;"
        " infantry Karelia from West Russia; fighter Karelia | ussr: 2 infantry Karelia",
        live=["germany"],
        battles=["Karelia"],
        dice={
            "karelia/1/att": [6, 6, 6, 6, 6], "karelia/1/def": [6, 6],
            "karelia/2/att": [3], "karelia/2/def": [6, 6],
            "karelia/3/att": [3], "karelia/3/def": [6],
        },
    )  # fmt: skip
    assert texts(driver, "germany") == ["press", "retreat Norway-Finland", "retreat West-Russia"]
    assert str(driver.why_not("germany", "retreat Karelia")).endswith("(AA-6.47)")
    driver.order("germany", "retreat West-Russia")
    assert standing(driver, "West Russia") == ["infantry"] * 3
    # The tank goes on alone, is asked nothing more, and takes the territory; the fighter has broken off.
    assert ended(driver)
    assert [event.attackers for event in happened(driver, BattleEnded)] == [("tank",)]
    assert holder(driver, "Karelia") == "germany"


def test_aa_6_11_a_transport_that_retreated_does_not_unload() -> None:
    driver = fought(
        "germany",
        ASSAULT.replace("SZ5", "SZ7").format("destroyer SZ6 from SZ7", "destroyer SZ6"),
        live=["germany"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6]},
        battles=["SZ6", "United Kingdom"],
    )
    driver.order("germany", "retreat SZ7")  # which is next to United Kingdom too
    assert holder(driver, "United Kingdom") == "uk"
    s = driver.state
    ship = next(s.here(where("SZ7"), kind=Kind.TRANSPORT))
    assert len(s.cargo(ship)) == 2
    assert s.units[ship].did & FOUGHT


def test_aa_6_12_aircraft_of_the_territory_stay_out_of_the_sea_battle() -> None:
    driver = fought(
        "germany",
        ASSAULT.format("battleship SZ6 from SZ5", "destroyer SZ6; fighter United Kingdom"),
        dice={
            "sz6/1/att": [1], "sz6/1/def": [6],
            "united-kingdom/1/att": [1, 6], "united-kingdom/1/def": [6],
        },
    )  # fmt: skip
    assert [event.defenders for event in happened(driver, BattleBegan)] == [("destroyer",), ("fighter",)]


def test_aa_7_8_cargo_lands_from_an_ally_s_transport_that_does_not_fight() -> None:
    driver = fought(
        "uk",
        "usa: transport SZ5 | uk: destroyer SZ5 from SZ6; infantry in transport 1 SZ5 > Germany"
        " | germany: destroyer SZ5; infantry Germany",
        dice={"sz5/1/att": [1], "sz5/1/def": [2], "germany/1/att": [1], "germany/1/def": [6]},
        orders={("germany", "losses"): "then destroyer, infantry"},
    )
    # Both destroyers are gone; the American transport was no part of it, and the infantry goes ashore.
    assert happened(driver, BattleBegan)[0].attackers == ("destroyer",)
    assert holder(driver, "Germany") == "uk"
    assert standing(driver, "SZ5") == ["transport"]


def test_aa_7_8_it_stays_aboard_where_the_zone_was_not_won() -> None:
    driver = fought(
        "uk",
        "usa: transport SZ5 | uk: destroyer SZ5 from SZ6; infantry in transport 1 SZ5 > Germany"
        " | germany: destroyer SZ5; infantry Germany",
        live=["uk"],
        dice={"sz5/1/att": [6], "sz5/1/def": [6]},
    )
    driver.order("uk", "retreat SZ6")
    assert places(driver) == [where("SZ5")]
    assert standing(driver, "SZ5", "uk") == ["infantry"]


def test_aa_6_1_6_2_which_battle_is_next() -> None:
    """Assaults first, each after the battles for its zones; else as the attacker ordered, and then as they are."""
    state = position("combat", "uk", "uk: infantry London").state
    west, ukraine, north, south = map(where, ("Western-Europe", "Ukraine", "SZ7", "SZ14"))
    everything = (west, ukraine, north, south)
    for battles, order, landings, expected in (
        (everything, (), {}, west),
        (everything, (ukraine,), {}, ukraine),
        (everything, (south, ukraine), {}, south),
        (everything, (), {west: {north}}, north),
        (everything, (south,), {west: {north}}, north),
        (everything, (south,), {west: {north, south}}, south),
        (everything, (), {west: {south}}, south),
        (everything, (), {west: {south, north}}, north),
        ((west, south, north), (), {west: {south, north}}, south),
        (everything, (), {ukraine: {north}}, north),
        (everything, (south,), {west: {north}, ukraine: {south}}, south),
        (everything, (ukraine, west), {west: set(), ukraine: {north}}, north),
        ((west, ukraine, south), (ukraine,), {west: {north}}, west),
        ((west, ukraine), (), {ukraine: {north}}, ukraine),
        ((ukraine, west), (west, ukraine), {ukraine: {north}, west: {north}}, west),
        ((ukraine,), (west,), {west: {north}}, ukraine),
    ):
        state.battles, state.order = battles, order
        assert next_place(state, landings) == expected, (battles, order, landings)
