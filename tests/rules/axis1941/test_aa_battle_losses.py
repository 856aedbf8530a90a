"""AA-6.29 to 6.36, AA-7.6: who is chosen for a hit."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from axis_battles import asked, board, ended, fought, texts
from axis_positions import happened, standing, where
from hypothesis import example, given
from hypothesis import strategies as st

from pbem_rules.axis1941 import game
from pbem_rules.axis1941.battle_board import hits, take_hit, unpaid
from pbem_rules.axis1941.battle_losses import Losses, Settle
from pbem_rules.axis1941.chart import DATA, chart_of
from pbem_rules.axis1941.events import Destroyed, Lost, Missed, Volley
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import (
    ALONE,
    BARE,
    BATTLESHIP,
    BOTH_GONE,
    BY_AIR,
    BY_OTHER,
    BY_SUB,
    CLASS_OF,
    DEFENCELESS,
    DESTROYER,
    FIGHTER,
    LOST,
    SIZE,
    STUCK,
    SUBMARINE,
    TRANSPORT,
    WON,
    Guns,
    after,
    can_hit,
    choices,
    effective,
    eligible,
    next_hit,
    payable,
    verdict,
)
from pbem_rules.axis1941.orders import Defer
from pbem_rules.axis1941.tolls import Toll, Tolls, toll_of
from pbem_rules.axis1941.units import DISPLACED, NONE, Kind, Power


def lost(driver) -> list[str]:
    return [f"{event.power} {event.unit}" for event in happened(driver, Lost)]


def test_aa_6_29_the_owner_chooses_one_unit_for_each_hit() -> None:
    driver = fought(
        "germany",
        "germany: 3 tank Karelia from Norway Finland | ussr: 2 infantry Karelia; tank Karelia; fighter Karelia",
        live=["ussr", "germany"],
        dice={"karelia/1/att": [3, 3, 6], "karelia/1/def": [6, 6, 6, 6]},
    )
    assert asked(driver) == ("losses", ("ussr",))
    assert texts(driver, "ussr") == ["lose infantry", "lose tank", "lose fighter"]
    assert str(driver.why_not("ussr", "lose bomber")).endswith("(AA-6.29)")
    driver.order("ussr", "lose fighter", "lose tank")
    assert lost(driver) == ["ussr fighter", "ussr tank"]
    assert asked(driver) == ("retreat", ("germany",))
    # Of several alike aircraft the one with the least range left goes.
    driver = fought(
        "germany",
        "germany: 2 fighter Karelia; tank Karelia from Norway Finland | ussr: 2 infantry Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6, 6, 6], "karelia/1/def": [2, 6]},
    )
    fighters = [number for number, unit in driver.state.units.items() if unit.kind is Kind.FIGHTER]
    for number, used in zip(fighters, (1, 3), strict=True):
        driver.state.change(number, used=used)
    driver.order("germany", "lose fighter")
    assert [number in driver.state.units for number in fighters] == [True, False]


def test_aa_6_30_submarines_never_hit_aircraft() -> None:
    # In step 3 too, where the enemy's destroyer lets them fire with the others.
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: destroyer SZ6; carrier SZ6; fighter SZ6",
        live=["uk", "germany"],
        dice={"sz6/1/att": [2], "sz6/1/def": [6, 6, 6]},
    )
    assert texts(driver, "uk") == ["lose destroyer", "lose carrier"]
    assert str(driver.why_not("uk", "lose fighter")).endswith("(AA-6.30)")


def test_aa_6_31_aircraft_hit_submarines_only_beside_a_destroyer() -> None:
    few = ["lose damage", "lose destroyer"]
    for destroyer, options in ((False, few), (True, [*few, "lose submarine"])):
        more = "; destroyer SZ6 from SZ5" if destroyer else ""
        driver = fought(
            "germany",
            f"germany: bomber SZ6{more} | uk: submarine SZ6; destroyer SZ6; battleship SZ6",
            live=["uk"],
            orders={("uk", "submarines"): "then strike"},
            dice={"sz6/1/att": [4, 6][: 1 + destroyer], "sz6/1/def-strike": [6]},
        )
        assert sorted(texts(driver, "uk")) == options
        if not destroyer:
            assert str(driver.why_not("uk", "lose submarine")).endswith("(AA-6.31)")


def test_aa_6_31_an_ally_s_destroyer_on_the_defence_lets_every_fighter_hit() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; bomber SZ6 | uk: carrier SZ6; fighter SZ6 | usa: destroyer SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [4, 6, 6]},
    )
    assert texts(driver, "germany") == ["lose bomber", "lose submarine"]


def test_aa_6_32_transports_are_chosen_last_for_each_hit() -> None:
    driver = fought(
        "uk",
        "uk: fighter SZ6; submarine SZ6 from SZ3 | germany: transport SZ6; submarine SZ6",
        live=["uk"],
        orders={("germany", "submarines"): "then strike"},
        dice={"sz6/1/att-strike": [6], "sz6/1/def-strike": [6], "sz6/1/att": [3]},
    )
    driver.order("uk", "strike")
    # The fighter's hit cannot fall on the submarine, so it sinks the transport.
    assert lost(driver) == ["germany transport"]


def test_aa_6_32_a_submarine_s_hit_on_aircraft_and_a_transport_sinks_the_transport() -> None:
    driver = fought(
        "uk",
        "uk: 2 bomber SZ6; transport SZ6 from SZ3 | germany: submarine SZ6",
        orders={("germany", "submarines"): "then strike"},
        dice={"sz6/1/def-strike": [1], "sz6/1/att": [6, 6]},
    )
    assert lost(driver) == ["uk transport"]


def test_aa_6_32_a_warship_goes_before_a_transport() -> None:
    driver = fought(
        "uk",
        "uk: battleship SZ6 from SZ3 | germany: transport SZ6; destroyer SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att": [1], "sz6/1/def": [6]},
    )
    assert lost(driver) == ["germany destroyer"]
    assert [event.unit for event in happened(driver, Destroyed)] == ["transport"]  # then defenceless


def test_aa_6_33_a_battleship_takes_two_hits() -> None:
    driver = fought(
        "germany",
        "germany: battleship SZ6 from SZ5; destroyer SZ6 from SZ5 | uk: battleship SZ6; destroyer SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att": [4, 2], "sz6/1/def": [4, 6]},
    )
    driver.order("uk", "lose damage")
    assert texts(driver, "uk") == ["lose destroyer", "lose battleship"]
    assert str(driver.why_not("uk", "lose damage")).endswith("(AA-6.29)")
    driver.order("uk", "lose battleship")  # behind the line, from where it fires
    assert str(driver.why_not("germany", "lose battleship")).endswith("(AA-6.33)")
    driver.order("germany", "lose damage")
    assert [event.counts for event in happened(driver, Volley)][1] == (1, 1)
    assert standing(driver, "SZ6", "uk") == ["destroyer"]


def test_aa_6_34_a_damaged_battleship_is_repaired_when_the_battle_is_over() -> None:
    for end in ("press", "retreat SZ5"):
        driver = fought(
            "germany",
            "germany: battleship SZ6 from SZ5; destroyer SZ6 from SZ5 | uk: battleship SZ6",
            live=["germany"],
            orders={("germany", "losses"): "then damage"},
            dice={"sz6/1/att": [4, 6], "sz6/1/def": [4], "sz6/2/att": [4, 6], "sz6/2/def": [6]},
        )
        s = driver.state
        assert {unit.did & 64 for unit in s.units.values() if unit.kind is Kind.BATTLESHIP} == {64}
        driver.order("germany", end)
        assert ended(driver)
        assert {unit.did & 64 for unit in s.units.values()} == {0}


def test_aa_6_35_fighters_may_go_before_their_carrier_and_fight_on_without_it() -> None:
    driver = fought(
        "japan",
        "japan: 2 bomber SZ40 | usa: carrier SZ40; 2 fighter SZ40",
        live=["usa", "japan"],
        dice={"sz40/1/att": [4, 6], "sz40/1/def": [6, 6, 6], "sz40/2/att": [6, 6], "sz40/2/def": [6, 6]},
    )
    assert texts(driver, "usa") == ["lose fighter", "lose carrier"]
    driver.order("usa", "lose carrier")
    s = driver.state
    fighters = [unit for unit in s.units.values() if unit.kind is Kind.FIGHTER]
    assert [(unit.aboard, unit.did) for unit in fighters] == [(NONE, DISPLACED)] * 2
    driver.order("japan", "press")
    assert [event.units for event in happened(driver, Volley)][3] == ("fighter",)
    driver.order("japan", "retreat SZ40")
    s = driver.state
    assert [unit.kind for unit in s.units.values() if unit.power == "usa"] == ["fighter", "fighter"]


def test_aa_6_36_restricted_hits_are_assigned_first_and_none_is_wasted() -> None:
    # A submarine's hit and an aircraft's: the destroyer may not be given to the submarine, or the aircraft would find
    # nobody but a submarine that it cannot hit.
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5; bomber SZ6 | uk: submarine SZ6; destroyer SZ6",
        live=["uk"],
        orders={("uk", "submarines"): "then strike"},
        dice={"sz6/1/att": [2, 4], "sz6/1/def-strike": [6], "sz6/1/def": [6]},
    )
    assert sorted(lost(driver)) == ["uk destroyer", "uk submarine"]
    assert not happened(driver, Missed)


def test_aa_6_36_two_hits_that_can_be_taken_in_one_way() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5; bomber SZ6 | uk: 2 submarine SZ6; destroyer SZ6",
        live=["uk", "germany"],
        orders={("uk", "submarines"): "then strike"},
        dice={"sz6/1/att": [2, 6, 4], "sz6/1/def-strike": [6, 6], "sz6/1/def": [6]},
    )
    # A hit by a submarine and one by the bomber: only a submarine may pay the first.
    assert lost(driver) == ["uk submarine", "uk destroyer"]


def test_aa_6_36_hits_that_nobody_can_take_are_lost() -> None:
    driver = fought(
        "germany",
        "germany: 2 submarine SZ6 from SZ5 | uk: carrier SZ6; fighter SZ6",
        orders={("germany", "submarines"): "then strike"},
        dice={"sz6/1/att-strike": [1, 1], "sz6/1/def": [6]},
    )
    (missed,) = happened(driver, Missed)
    assert (missed.hits, missed.power) == (1, "uk")
    assert game.tell((missed, missed)) == ("2 hits in SZ6 find nothing that could be lost.",)


forces = st.tuples(*[st.integers(0, 3)] * SIZE)
volleys = st.tuples(*[st.integers(0, 4)] * 3)


def best(force, hits, destroyer) -> int:
    """By trying everything: the most hits that can be assigned, class by class, transports last for each."""
    if not any(hits):
        return 0
    hit = next_hit(hits)
    left = tuple(count - (place == hit) for place, count in enumerate(hits))
    found = eligible(force, hit, destroyer)
    if not found:
        return best(force, tuple(0 if place == hit else count for place, count in enumerate(hits)), destroyer)
    return max(1 + best(after(force, loss), left, destroyer) for loss in found)


@given(st.tuples(*[st.integers(0, 1)] * SIZE), st.tuples(*[st.integers(0, 2)] * 3), st.booleans())
@example(force=tuple(int(place == SUBMARINE) for place in range(SIZE)), hits=(1, 0, 1), destroyer=False)
@example(
    force=(0, 0, 0, 0, 1, 0, 1, 1, 0, 0), hits=(0, 2, 0), destroyer=False
)  # aircraft at two ships beside a submarine
def test_aa_6_36_as_many_hits_as_possible(force, hits, destroyer) -> None:
    most = best(force, hits, destroyer)
    assert payable(force, hits, destroyer) == most
    if any(hits):
        left = tuple(count - (place == next_hit(hits)) for place, count in enumerate(hits))
        for loss in eligible(force, next_hit(hits), destroyer):
            wastes = 1 + best(after(force, loss), left, destroyer) < most
            assert (loss in choices(force, hits, destroyer)) is not wastes


@given(forces, st.sampled_from([BY_SUB, BY_AIR, BY_OTHER]), st.booleans())
def test_aa_6_30_to_6_32_who_is_eligible(force, hit, destroyer) -> None:
    found = eligible(force, hit, destroyer)
    assert all(force[place] for place in found)
    if TRANSPORT in found:
        assert found == (TRANSPORT,)
    if hit == BY_SUB:
        assert all(place >= SUBMARINE for place in found)
    if hit == BY_AIR and not destroyer:
        assert SUBMARINE not in found


def test_aa_7_6_joint_defenders_agree_on_a_loss() -> None:
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus"
        " | uk: infantry Caucasus; tank Caucasus",
        live=["ussr", "uk"],
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6, 6]},
    )
    assert asked(driver) == ("losses", ("ussr", "uk"))
    listed = ["lose infantry", "lose infantry-ussr", "lose infantry-uk", "lose tank", "defer"]
    assert texts(driver, "uk") == listed
    # What standing orders name is the very order that is written with the same word.
    named = driver.machine.decision.answers(driver.state, board(driver), "uk", {})
    for text in listed:
        assert game.notation.write(named[text.removeprefix("lose ")]) == text
    assert set(named) == {"infantry", "infantry-ussr", "infantry-uk", "tank", "tank-uk", "defer"}
    driver.order("ussr", "lose infantry-uk").order("uk", "lose infantry-uk")
    assert lost(driver) == ["uk infantry"]


@pytest.mark.parametrize("orders", [{}, {("ussr", "losses"): "then infantry-uk", ("uk", "losses"): "then infantry"}])
def test_aa_7_6_two_names_for_the_same_loss_agree(orders: Mapping[tuple[str, str], str]) -> None:
    # `infantry` alone is the infantry of whoever has most of them.
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: infantry Caucasus"
        " | uk: 2 infantry Caucasus; tank Caucasus",
        live=["germany"],
        orders=orders,
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6, 6]},
    )
    assert lost(driver) == ["uk infantry"]
    assert asked(driver) == ("retreat", ("germany",))


def test_aa_7_6_who_defers_leaves_it_to_the_others() -> None:
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus | uk: tank Caucasus",
        live=["germany"],
        orders={("uk", "losses"): "then defer", ("ussr", "losses"): "then tank, infantry"},
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6]},
    )
    assert lost(driver) == ["uk tank"]
    # Without an ally there is nobody to leave it to: the next name counts.
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus; tank Caucasus",
        live=["germany"],
        orders={("ussr", "losses"): "then defer, tank"},
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6]},
    )
    assert lost(driver) == ["ussr tank"]
    for word, may_answer in (("defer", True), ("infantry-uk", True), ("tank", True), ("KIND-POWER", False)):
        assert Losses().is_answer(driver.state, word) is may_answer
        assert Settle().is_answer(driver.state, word) is (may_answer and word != "defer")


@pytest.mark.parametrize("uk", ["then tank", "then defer"])
def test_aa_7_6_without_agreement_the_attacker_chooses(uk: str) -> None:
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus | uk: tank Caucasus",
        live=["germany"],
        orders={("uk", "losses"): uk, ("ussr", "losses"): "then infantry" if "tank" in uk else "then defer"},
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6]},
    )
    assert asked(driver) == ("settle", ("germany",))
    assert texts(driver, "germany") == ["lose infantry", "lose tank"]
    driver.order("germany", "lose infantry")
    assert lost(driver) == ["ussr infantry"]
    assert asked(driver) == ("retreat", ("germany",)), "the dispute is over"
    # The attacker's standing orders see the battle from their own side.
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus | uk: tank Caucasus",
        live=["germany"],
        orders={
            ("uk", "losses"): uk,
            ("ussr", "losses"): "then infantry" if "tank" in uk else "then defer",
            ("germany", "settle"): "when attacking = 1 and bomber = 1 and enemy_tank = 1 then tank; then infantry",
        },
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6]},
    )
    assert lost(driver) == ["uk tank"]


def test_aa_7_6_only_those_are_asked_whom_the_hit_could_fall_on() -> None:
    driver = fought(
        "germany",
        "germany: submarine SZ6 from SZ5 | uk: destroyer SZ6; transport SZ6 | usa: carrier SZ6 | ussr: transport SZ6",
        live=["uk", "usa", "ussr"],
        dice={"sz6/1/att": [1], "sz6/1/def": [6, 6]},
    )
    assert asked(driver) == ("losses", ("uk", "usa"))
    assert str(driver.why_not("uk", "lose transport")).endswith("(AA-6.32)")


@pytest.mark.parametrize("ussr", ["live", "then infantry"])
def test_aa_7_6_one_player_with_several_powers_chooses_alone(ussr: str) -> None:
    players = {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus | uk: tank Caucasus",
        live=["germany", *(["ussr"] if ussr == "live" else [])],
        # Whatever the other power's list says: nobody disagrees with themself.
        orders={("uk", "losses"): "then tank"} | ({} if ussr == "live" else {("ussr", "losses"): ussr}),
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6, 6, 6]},
        players=players,
    )
    if ussr == "live":
        assert asked(driver) == ("losses", ("ussr",))
        assert texts(driver, "ussr") == ["lose infantry", "lose tank"]
        assert str(driver.why_not("ussr", "defer")).endswith("(AA-7.6)")
        driver.order("ussr", "lose infantry")
    assert lost(driver) == ["ussr infantry"]
    assert asked(driver) == ("retreat", ("germany",))


def test_aa_7_6_of_three_powers_of_two_players_two_are_asked() -> None:
    driver = fought(
        "germany",
        "germany: 2 bomber Caucasus | uk: infantry Caucasus | usa: tank Caucasus | ussr: 2 infantry Caucasus",
        live=["germany", "ussr", "uk", "usa"],
        dice={"caucasus/1/att": [4, 6], "caucasus/1/def": [6] * 4},
        players={"ussr": 0, "uk": 2, "usa": 2, "germany": 1, "japan": 1},
    )
    assert asked(driver) == ("losses", ("ussr", "uk"))
    assert "defer" in texts(driver, "ussr")
    assert [driver.check(seat, Defer()) for seat in ("ussr", "uk")] == [None, None]
    for step in (Losses(), Settle()):  # what standing orders may say
        for name in ("infantry", "infantry-uk", "transport-2", "transport-uk-2"):
            assert step.is_answer(driver.state, name)
        assert not step.is_answer(driver.state, "infantry-mars")
    driver.order("ussr", "lose infantry").order("uk", "lose tank")
    assert asked(driver) == ("settle", ("germany",))
    driver.order("germany", "lose tank")
    assert lost(driver) == ["usa tank"]


def test_defer_is_for_those_who_have_allies_there() -> None:
    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus; tank Caucasus",
        live=["ussr"],
        dice={"caucasus/1/att": [4, 6]},
    )
    assert str(driver.why_not("ussr", "defer")).endswith("(AA-7.6)")


def test_aa_6_29_units_that_differ_are_told_apart() -> None:
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland; transport SZ4 from SZ3; infantry in transport 1 SZ4 > Karelia"
        " | ussr: 2 infantry Karelia",
        live=["germany"],
        battles=["Karelia"],
        dice={"karelia/1/att": [6, 6, 6], "karelia/1/def": [2, 6]},
    )
    assert texts(driver, "germany") == ["lose infantry", "lose infantry-sea"]
    saved = driver.save()
    driver.order("germany", "lose infantry")
    assert standing(driver, "Karelia", "germany") == ["infantry", "infantry"]
    assert [each in driver.state.units for each in board(driver).landed] == [True]  # the greater lot pays
    driver.restore(saved)
    driver.order("germany", "lose infantry-sea")
    assert [each in driver.state.units for each in board(driver).landed] == [False]
    # A kind alone means those that came by land.
    driver = fought(
        "germany",
        "germany: tank Karelia from Norway Finland; transport SZ4 from SZ3; tank in transport 1 SZ4 > Karelia"
        " | ussr: 2 infantry Karelia",
        orders={("germany", "losses"): "when round = 1 then tank-sea; then tank"},
        live=["germany"],
        battles=["Karelia"],
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [2, 6]},
    )
    assert [each in driver.state.units for each in board(driver).landed] == [False]
    assert texts(driver, "germany") == ["press", "retreat Norway-Finland"]


def test_aa_6_29_transports_with_cargo_are_told_apart() -> None:
    driver = fought(
        "germany",
        "germany: 3 transport SZ6 from SZ5; destroyer SZ6 from SZ5; tank in transport 1; infantry in transport 2"
        " | uk: 3 submarine SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6], "sz6/1/def": [1, 1, 6]},
    )
    # The destroyer first, then a transport: `transport` is the one whose loss costs least.
    assert texts(driver, "germany") == ["lose transport", "lose transport-2", "lose transport-1"]
    saved = driver.save()
    driver.order("germany", "lose transport")
    assert not happened(driver, Destroyed), "the empty one"
    driver.restore(saved)
    driver.order("germany", "lose transport-1")
    assert [event.unit for event in happened(driver, Destroyed)] == ["tank"]
    # One power's carriers need no power's name, whoever else is there.
    driver = fought(
        "japan",
        "japan: 2 bomber SZ40 | uk: carrier, fighter SZ40; carrier SZ40 | usa: destroyer SZ40",
        live=["uk", "usa"],
        dice={"sz40/1/att": [4, 6]},
    )
    assert texts(driver, "uk") == ["lose fighter", "lose destroyer", "lose carrier", "lose carrier-1", "defer"]


@given(st.integers(-5, 70_000))
def test_aa_6_29_tolls_read_back(code: int) -> None:
    toll = toll_of(code)
    if toll is not None:
        assert toll.code == code
        assert Tolls().value(toll.word) == code


def test_aa_6_29_a_toll_that_is_none_is_refused() -> None:
    from pbem_rules.axis1941.orders import Lose

    driver = fought(
        "germany",
        "germany: bomber Caucasus; infantry Caucasus from Ukraine | ussr: 2 infantry Caucasus; tank Caucasus",
        live=["ussr"],
        dice={"caucasus/1/att": [4, 6]},
    )
    assert [toll_of(Toll(loss, None, 1).code) for loss in (FIGHTER, DESTROYER)] == [None, None]
    for code in (-1, 10**9, Toll(DESTROYER).code, Toll(0, None, 1).code, 2**63 - 1):
        assert driver.check("ussr", Lose(code)) is not None


def test_aa_6_36_where_all_die_battleships_take_both_hits() -> None:
    driver = fought(
        "germany",
        "germany: 3 battleship SZ6 from SZ5 | uk: battleship SZ6; destroyer SZ6; 2 transport SZ6",
        live=["uk", "germany"],
        dice={"sz6/1/att": [4, 4, 4], "sz6/1/def": [6, 6]},
    )
    assert asked(driver) == ("losses", ("uk",))  # not all: transports would be left
    driver = fought(
        "germany",
        "germany: 3 battleship SZ6 from SZ5 | uk: battleship SZ6; destroyer SZ6",
        live=["uk", "germany"],
        dice={"sz6/1/att": [4, 4, 4], "sz6/1/def": [4, 2]},
        orders={("germany", "losses"): "then damage"},
    )
    assert sorted((event.unit, event.damaged) for event in happened(driver, Lost) if event.power == "uk") == [
        ("battleship", False),
        ("battleship", True),
        ("destroyer", False),
    ]
    assert not happened(driver, Missed)
    assert standing(driver, "SZ6") == ["battleship"] * 3
    # As many hits as there are units: nobody has a choice.
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland | ussr: infantry Karelia; tank Karelia",
        live=["ussr", "germany"],
        dice={"karelia/1/att": [1, 1], "karelia/1/def": [6, 6]},
    )
    assert sorted(lost(driver)) == ["ussr infantry", "ussr tank"]


@given(forces, forces, st.booleans())
def test_aa_6_30_6_31_6_44_who_can_hit_anybody(force, enemy, attack) -> None:
    guns = guns_of_chart()
    values = guns.attack if attack else guns.defence
    firing = [p for p in range(SIZE) if force[p] and values[p] and eligible(enemy, CLASS_OF[p], force[DESTROYER] > 0)]
    assert can_hit(force, values, enemy) == bool(firing)
    assert effective(force, values, enemy) == sum(force[p] * values[p] for p in firing)


def guns_of_chart() -> Guns:
    return chart_of(DATA).guns


@given(forces, forces)
def test_aa_6_44_6_37_how_a_battle_stands(attackers, defenders) -> None:
    guns = guns_of_chart()
    found = verdict(attackers, defenders, guns)
    able = any(n and v for n, v in zip(attackers, guns.attack, strict=True))
    armed = any(n and v for n, v in zip(defenders, guns.defence, strict=True))
    hits_, hurt = can_hit(attackers, guns.attack, defenders), can_hit(defenders, guns.defence, attackers)
    if not any(attackers) or not any(defenders):
        assert found == (WON if any(attackers) else LOST if any(defenders) else BOTH_GONE)
    elif not able:  # transports alone
        assert found == (ALONE if armed else BARE)
    elif not armed:
        assert found == DEFENCELESS
    else:
        assert found == ("" if hits_ or hurt else STUCK)


def test_aa_6_44_aircraft_against_submarines_goes_on_only_while_somebody_can_be_hit() -> None:
    guns = guns_of_chart()

    def force(**counts: int) -> tuple[int, ...]:
        return (*(counts.get(str(kind), 0) for kind in Kind), 0)

    assert verdict(force(fighter=1), force(submarine=1), guns) == STUCK
    assert verdict(force(fighter=1, transport=1), force(submarine=1), guns) == ""
    assert verdict(force(fighter=1), force(submarine=1, transport=1), guns) == ""
    assert verdict(force(fighter=1, destroyer=1), force(submarine=1), guns) == ""
    assert verdict(force(submarine=1), force(fighter=1), guns) == STUCK
    assert effective(force(fighter=1, destroyer=1), guns.attack, force(submarine=1)) == 5
    assert effective(force(fighter=1, carrier=1), guns.attack, force(submarine=1)) == 1
    assert effective(force(submarine=2), guns.attack, force(fighter=1)) == 0
    assert not can_hit(force(transport=2), guns.attack, force(destroyer=1))
    assert not can_hit(force(transport=2), guns.defence, force(infantry=1))
    assert can_hit(force(transport=1, bomber=1), guns.defence, force(destroyer=1))


def test_aa_6_36_hits_of_each_class_by_hand() -> None:
    none = (0,) * SIZE

    def force(**counts: int) -> tuple[int, ...]:
        return (*(counts.get(str(kind), 0) for kind in Kind), 0)

    air = force(fighter=2)
    assert payable(air, (1, 0, 0), destroyer=False) == 0  # submarines hit no aircraft
    assert payable(air, (0, 1, 1), destroyer=False) == 2
    subs = force(submarine=2)
    assert [payable(subs, (0, 2, 0), destroyer=beside) for beside in (False, True)] == [0, 2]
    assert payable(subs, (1, 1, 1), destroyer=False) == 2
    ships = force(battleship=1, transport=1)
    assert payable(ships, (1, 1, 1), destroyer=False) == 3  # two for the battleship, then the transport
    assert payable(ships, (2, 2, 2), destroyer=True) == 3
    assert payable(none, (1, 1, 1), destroyer=True) == 0
    assert payable(force(destroyer=1, carrier=1, transport=2), (2, 1, 2), destroyer=False) == 4
    assert payable(force(infantry=1, tank=1), (0, 1, 2), destroyer=False) == 2
    assert after(force(battleship=2, tank=3), BATTLESHIP)[BATTLESHIP:] == (1, 1)
    assert after(force(infantry=2, tank=3), 1) == force(infantry=2, tank=2)
    # One class after the other is done with.
    f = Battle(where("SZ6"), Power.GERMANY, hits_sub=1, hits_air=2, hits_other=1)
    seen = []
    while unpaid(f):
        take_hit(f)
        seen.append(hits(f))
    assert seen == [(0, 2, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
