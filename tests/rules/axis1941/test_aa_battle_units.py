"""Battle items of AA-7 and AA-11, and the questions of AA-12."""

from __future__ import annotations

from axis_battles import asked, board, ended, fought, texts
from axis_positions import happened, standing, where

from pbem_rules.axis1941.chart import DATA, chart_of
from pbem_rules.axis1941.events import BattleBegan, BattleEnded, Destroyed, Lost, Submerged, Volley
from pbem_rules.axis1941.units import DISPLACED, FOUGHT, Kind

STATS = chart_of(DATA).stats


def lost(driver) -> list[str]:
    return [str(event.unit) for event in happened(driver, Lost)]


def test_aa_7_1_powers_defend_together_and_attack_alone() -> None:
    driver = fought(
        "uk",
        "uk: infantry Ukraine from Caucasus | ussr: 3 tank Ukraine | germany: infantry Ukraine; infantry Ukraine",
        battles=["Ukraine"],
        dice={"ukraine/1/att": [6], "ukraine/1/def": [2, 6]},
    )
    assert happened(driver, BattleBegan)[0].attackers == ("infantry",)
    assert lost(driver) == ["infantry"]
    assert standing(driver, "Ukraine", "ussr") == ["tank", "tank", "tank"]


def test_aa_7_2_the_attacker_s_allies_do_nothing() -> None:
    driver = fought(
        "uk",
        "uk: 2 fighter SZ6 | usa: destroyer SZ6 | germany: submarine SZ6",
    )
    # The American destroyer would let the fighters hit; it is not in the battle.
    assert [event.result for event in happened(driver, BattleEnded)] == ["stuck"]
    assert standing(driver, "SZ6") == ["destroyer", "fighter", "fighter", "submarine"]


def test_aa_7_4_an_own_fighter_attacks_from_an_ally_s_carrier_that_stays_out() -> None:
    driver = fought(
        "uk",
        "usa: carrier SZ6 | uk: fighter in carrier 1 SZ6 | germany: destroyer SZ6",
        dice={"sz6/1/att": [3], "sz6/1/def": [6]},
    )
    assert happened(driver, BattleBegan)[0].attackers == ("fighter",)
    assert standing(driver, "SZ6") == ["carrier", "fighter"]


def test_aa_7_5_any_destroyer_of_the_defence_serves_all_of_it() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5 | uk: destroyer SZ6 | usa: carrier SZ6; fighter SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [4, 6, 6]},
    )
    # No step 2 for the submarines, and the American fighter hits one.
    assert [event.strike for event in happened(driver, Volley)] == [False, False]
    assert lost(driver) == ["submarine"]


def volley_of(kind: str, attack: bool) -> Volley:
    sea = kind in ("submarine", "destroyer", "carrier", "battleship")
    place, origin = ("SZ6", "SZ5") if sea else ("Karelia", "Norway Finland")
    other = "destroyer" if sea else "infantry"
    ours, theirs = (kind, other) if attack else (other, kind)
    word = place.lower()
    driver = fought(
        "germany",
        f"germany: {ours} {place} from {origin} | ussr: {theirs} {place}",
        live=["germany", "ussr"],
        dice={f"{word}/1/att": [6], f"{word}/1/def": [6]},
    )
    return next(event for event in happened(driver, Volley) if event.attack is attack)


def test_aa_11_1_every_kind_fires_with_its_own_value() -> None:
    for kind, row in STATS.items():
        if kind is Kind.TRANSPORT:
            continue
        assert volley_of(kind, attack=True).values == (row.attack,)
        assert volley_of(kind, attack=False).values == (row.defence,)
    assert [(row.cost, row.attack, row.defence, row.move, row.hits) for row in STATS.values()] == [
        (3, 1, 2, 1, 1), (6, 3, 3, 2, 1), (10, 3, 4, 4, 1), (12, 4, 1, 6, 1), (6, 2, 1, 2, 1), (7, 0, 0, 2, 1),
        (8, 2, 2, 2, 1), (12, 1, 2, 2, 1), (16, 4, 4, 2, 2),
    ]  # fmt: skip


def test_aa_11_2_infantry_fights_on_land_only() -> None:
    assert volley_of("infantry", attack=True).values == (1,)
    driver = fought("germany", "germany: fighter SZ6 | uk: transport SZ6; 2 infantry in transport 1 SZ6")
    assert happened(driver, BattleBegan)[0].defenders == ("transport",)


def test_aa_11_3_tanks_fight_on_land_only() -> None:
    assert volley_of("tank", attack=False).values == (3,)
    driver = fought("germany", "germany: fighter SZ6 | uk: transport SZ6; tank in transport 1 SZ6")
    assert happened(driver, BattleBegan)[0].defenders == ("transport",)


def test_aa_11_5_aircraft_attack_on_land_and_at_sea_and_defend_where_they_stand() -> None:
    fleet = "germany: fighter SZ6; bomber SZ6 | uk: destroyer SZ6"
    at_sea = fought("germany", fleet, dice={"sz6/1/att": [4, 6], "sz6/1/def": [6]})
    assert happened(at_sea, Volley)[0].values == (4, 3)
    on_land = fought(
        "germany",
        "germany: tank Karelia from West Russia | ussr: fighter Karelia; bomber Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6], "karelia/1/def": [6, 6]},
    )
    assert happened(on_land, Volley)[1].values == (4, 1)


def test_aa_11_6_fighters_defend_at_sea_from_a_carrier() -> None:
    driver = fought(
        "germany",
        "germany: 2 destroyer SZ6 from SZ5 | uk: carrier SZ6; fighter SZ6; fighter United Kingdom",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6, 6]},
    )
    assert [event.units for event in happened(driver, Volley)][1] == ("fighter", "carrier")


def test_aa_11_8_aircraft_on_an_island_do_not_defend_the_sea_around_it() -> None:
    driver = fought("japan", "japan: fighter SZ40 | usa: transport SZ40; 2 fighter Hawaiian Islands", battles=["SZ40"])
    assert happened(driver, BattleBegan)[0].defenders == ("transport",)


def test_aa_11_9_battleships_two_hits_repaired_and_no_bombardment() -> None:
    driver = fought(
        "germany",
        "germany: battleship SZ4 from SZ3; transport SZ4 from SZ3; infantry in transport 1 SZ4 > Karelia"
        " | ussr: submarine SZ4; infantry Karelia",
        orders={("ussr", "submarines"): "then strike"},
        dice={
            "sz4/1/def-strike": [1], "sz4/1/att": [4],
            "karelia/1/att": [6], "karelia/1/def": [1],
        },
    )  # fmt: skip
    # Only the infantry fires in Karelia.
    assert next(event.units for event in happened(driver, Volley) if event.place == where("Karelia")) == ("infantry",)
    s = driver.state
    assert not any(unit.did & 64 for unit in s.units.values())


def test_aa_11_10_own_fighters_outlive_their_carrier_and_allied_cargo_does_not() -> None:
    driver = fought(
        "uk",
        "uk: carrier SZ6 from SZ3; fighter SZ6 | usa: fighter SZ6 | germany: battleship SZ6",
        live=["uk"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [4]},
    )
    driver.order("uk", "lose carrier")
    assert [(event.power, event.unit) for event in happened(driver, Destroyed)] == [("usa", "fighter")]
    assert board(driver).attackers
    assert asked(driver) == ("retreat", ("uk",))
    assert standing(driver, "SZ6", "uk") == ["fighter"]


def test_aa_11_10_fighters_of_a_lost_defending_carrier_are_displaced() -> None:
    driver = fought(
        "germany",
        "germany: 2 battleship SZ6 from SZ5 | uk: carrier SZ6; fighter SZ6 | usa: fighter SZ6",
        live=["germany", "uk", "usa"],
        dice={"sz6/1/att": [4, 6], "sz6/1/def": [6, 6, 6]},
    )
    driver.order("uk", "lose carrier").order("usa", "lose carrier")
    s = driver.state
    fighters = [unit for unit in s.units.values() if unit.kind is Kind.FIGHTER]
    assert [(unit.aboard, bool(unit.did & DISPLACED)) for unit in fighters] == [(-1, True)] * 2


def test_aa_11_13_a_destroyer_takes_the_abilities_of_any_number_of_submarines() -> None:
    driver = fought(
        "germany",
        "germany: 5 submarine SZ6 from SZ5 | uk: destroyer SZ6; carrier SZ6; 2 fighter SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6] * 5, "sz6/1/def": [4, 6, 6, 6]},
    )
    assert [event.strike for event in happened(driver, Volley)] == [False, False]
    assert lost(driver) == ["submarine"]


def test_aa_11_14_a_destroyer_of_the_attacker_s_ally_does_nothing() -> None:
    driver = fought(
        "uk",
        "uk: battleship SZ6 from SZ3 | usa: destroyer SZ6 | germany: submarine SZ6",
        live=["germany"],
    )
    assert asked(driver) == ("submarines", ("germany",))
    driver.order("germany", "submerge")
    assert standing(driver, "SZ6", "germany") == ["submarine"]


def test_aa_11_15_surprise_strike_on_both_sides() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: carrier SZ6; submarine SZ6",
        live=["germany"],
        orders={("uk", "submarines"): "then strike", ("uk", "losses"): "then carrier"},
        dice={"sz6/1/att-strike": [2], "sz6/1/def-strike": [1]},
    )
    driver.order("germany", "strike")
    assert [(event.strike, event.values) for event in happened(driver, Volley)] == [(True, (2,)), (True, (1,))]
    assert standing(driver, "SZ6") == ["submarine"]  # neither victim fired in steps 3 and 4


def test_aa_11_16_submerging_is_chosen_anew_in_every_round() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5 | uk: battleship SZ6",
        live=["germany"],
        dice={"sz6/1/att-strike": [6, 6], "sz6/1/def": [6]},
    )
    driver.order("germany", "strike", "strike", "press")
    assert asked(driver) == ("submarines", ("germany",))
    driver.order("germany", "submerge", "submerge")
    assert len(happened(driver, Submerged)) == 2
    assert ended(driver)


def test_aa_11_18_submarines_cannot_hit_aircraft_on_either_side() -> None:
    driver = fought(
        "germany",
        "germany: fighter SZ6; destroyer SZ6 from SZ5 | uk: submarine SZ6; destroyer SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [1, 6]},
    )
    assert lost(driver) == ["destroyer"]  # the only ship
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5 | uk: carrier SZ6; 2 fighter SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att-strike": [1, 1], "sz6/1/def": [6, 6]},
    )
    driver.order("germany", "strike", "strike")
    assert lost(driver) == ["carrier"]  # nobody takes the second hit


def test_aa_11_19_aircraft_cannot_hit_submarines_without_a_destroyer() -> None:
    driver = fought(
        "germany",
        "germany: 2 bomber SZ6; battleship SZ6 from SZ5 | uk: submarine SZ6; battleship SZ6",
        live=["germany", "uk"],
        orders={("uk", "submarines"): "then strike"},
        dice={"sz6/1/def-strike": [6], "sz6/1/att": [4, 4, 6], "sz6/1/def": [6]},
    )
    assert [event.damaged for event in happened(driver, Lost)] == [True, False]
    assert standing(driver, "SZ6", "uk") == ["submarine"]


def test_aa_11_20_transports_never_roll() -> None:
    driver = fought(
        "uk",
        "uk: 3 transport SZ6 from SZ3; destroyer SZ6 from SZ3 | germany: 2 transport SZ6; destroyer SZ6",
        live=["uk"],
        dice={"sz6/1/att": [6], "sz6/1/def": [6]},
    )
    assert [len(event.dice) for event in happened(driver, Volley)] == [1, 1]


def test_aa_11_22_killing_lone_transports_is_a_battle() -> None:
    driver = fought("germany", "germany: submarine SZ6 from SZ5; fighter SZ6 | uk: 2 transport SZ6")
    s = driver.state
    assert [bool(s.units[n].did & FOUGHT) for n in s.here(where("SZ6"))] == [True, True]
    assert standing(driver, "SZ6") == ["fighter", "submarine"]


def test_aa_11_23_transports_are_chosen_last() -> None:
    driver = fought(
        "germany",
        "germany: battleship SZ6 from SZ5; destroyer SZ6 from SZ5 | uk: transport SZ6; submarine SZ6; destroyer SZ6",
        live=["uk", "germany"],
        dice={"sz6/1/att": [4, 6], "sz6/1/def": [6, 6]},
    )
    assert texts(driver, "uk") == ["lose submarine", "lose destroyer"]
    assert str(driver.why_not("uk", "lose transport")).endswith("(AA-6.32)")


def test_aa_12_4_a_submerged_submarine_is_ordinary_after_the_battle() -> None:
    driver = fought(
        "germany",
        "germany: battleship SZ6 from SZ5 | uk: submarine SZ6",
        orders={("uk", "submarines"): "then submerge"},
    )
    s = driver.state
    (boat,) = s.here(where("SZ6"), kind=Kind.SUBMARINE)
    assert s.units[boat].did == 0
    assert [event.result for event in happened(driver, BattleEnded)] == ["won"]


def test_aa_12_5_whose_destroyer_counts() -> None:
    ally = fought("usa", "usa: 2 fighter SZ6 | uk: destroyer SZ6 | germany: submarine SZ6")
    assert [event.result for event in happened(ally, BattleEnded)] == ["stuck"]
    defence = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; fighter SZ6 | uk: destroyer SZ6 | usa: carrier SZ6; fighter SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [4, 6, 6]},
    )
    assert texts(defence, "germany") == ["lose fighter", "lose submarine"]


def test_aa_12_6_once_attacked_all_are_fought() -> None:
    driver = fought(
        "germany",
        "germany: 2 battleship SZ6 from SZ5 | uk: destroyer SZ6; submarine SZ6; transport SZ6",
        live=["germany"],
        orders={("uk", "submarines"): "then strike", ("uk", "losses"): "then destroyer"},
        dice={"sz6/1/def-strike": [6], "sz6/1/att": [1, 6], "sz6/1/def": [6]},
    )
    assert asked(driver) == ("retreat", ("germany",))
    assert len(board(driver).defenders) == 2


def test_aa_12_7_transports_on_both_sides() -> None:
    driver = fought(
        "germany",
        "germany: destroyer SZ6 from SZ5; transport SZ6 from SZ5 | uk: destroyer SZ6; transport SZ6",
        live=["germany"],
        dice={"sz6/1/att": [1], "sz6/1/def": [6]},
    )
    # The defender's cannon fodder is no fodder; with nobody to roll for it, it goes down.
    assert lost(driver) == ["destroyer"]
    assert [event.unit for event in happened(driver, Destroyed)] == ["transport"]


FAQ = (
    "usa: 2 bomber SZ6; destroyer SZ6 from SZ3; 2 transport SZ6 from SZ3; 2 infantry in transport 1;"
    " infantry in transport 2; tank in transport 2 | germany: destroyer SZ6; 2 submarine SZ6"
)
FAQ_DICE = {"sz6/1/att": [4, 6, 6], "sz6/1/def": [1, 1, 6]}


def test_aa_12_9_the_example_of_the_book() -> None:
    driver = fought("usa", FAQ, live=["usa"], orders={("germany", "losses"): "then destroyer"}, dice=FAQ_DICE)
    # One hit sinks the destroyer, which fires and misses; the submarines hit twice: first the destroyer must go, then
    # one of the transports, of which the owner chooses.
    assert lost(driver) == ["destroyer", "destroyer"]
    assert texts(driver, "usa") == ["lose transport", "lose transport-1", "lose transport-2"]
    driver.order("usa", "lose transport-1")
    assert standing(driver, "SZ6", "usa") == ["bomber", "bomber", "infantry", "tank", "transport"]
    # Bombers cannot hit submarines nor be hit; the transport can be hit, and can retreat.
    assert asked(driver) == ("retreat", ("usa",))
    assert texts(driver, "usa") == ["press", "retreat SZ3"]


def test_aa_12_10_the_sensible_choice_is_the_default() -> None:
    driver = fought("usa", FAQ, orders={("germany", "losses"): "then destroyer"}, dice=FAQ_DICE)
    assert [event.result for event in happened(driver, BattleEnded)] == ["retreat"]
    assert "transport" in standing(driver, "SZ3")
