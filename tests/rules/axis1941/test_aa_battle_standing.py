"""Standing orders of battle: facts, defaults, players' words; contract of the decisions."""

from __future__ import annotations

import re

import pytest
from axis_battles import DECISIONS, asked, board, ended, fought
from axis_positions import happened, standing, where
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine.compiled import program
from pbem.engine.event import Taken
from pbem.engine.machine import Machine
from pbem.engine.policy import check_fits
from pbem.engine.testing import Chance, Driver, check_position
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_LABEL
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.battle_board import PHASES
from pbem_rules.axis1941.events import BattleEnded, Lost
from pbem_rules.axis1941.hits import DESTROYER, FIGHTER, SIZE
from pbem_rules.axis1941.names import CHART
from pbem_rules.axis1941.shorthand import shorthand
from pbem_rules.axis1941.standing import FACTS, Facts
from pbem_rules.axis1941.units import POWERS


def lost(driver: Driver) -> list[str]:
    return [str(event.unit) for event in happened(driver, Lost)]


def test_aa_6_46_every_seat_begins_with_the_defaults() -> None:
    machine = Machine.start(game, game.setup_of())
    for power in POWERS:
        held = machine.standing(power)
        assert {name: str(held[name]) for name in DECISIONS} == dict.fromkeys(DECISIONS, "then default")


def test_aa_6_46_the_facts_are_those_that_are_named() -> None:
    driver = fought(
        "germany",
        "germany: bomber SZ6; submarine SZ6 from SZ5; destroyer SZ6 from SZ5"
        " | uk: battleship SZ6; submarine SZ6; carrier SZ6",
        live=["germany", "uk"],
        dice={"sz6/1/att-strike": [6], "sz6/1/att": [4, 2], "sz6/1/def": [6, 6, 6]},
    )
    for seat, orders in (("germany", ["strike"]), ("uk", ["lose damage", "lose carrier"]), ("germany", [])):
        step = driver.machine.decision
        found = step.facts(driver.state, board(driver), seat, {})
        assert set(found) == set(FACTS) == set(step.fact_names)
        assert all(type(value) is int for value in found.values())
        for order in orders:
            driver.order(seat, order)


def test_aa_6_46_facts_count_what_is_on_the_board() -> None:
    driver = fought(
        "germany",
        "germany: 3 infantry Karelia from Norway Finland; 2 tank Karelia from West Russia; fighter Karelia"
        " | ussr: 4 infantry Karelia; tank Karelia",
        live=["germany"],
        dice={"karelia/1/att": [6] * 6, "karelia/1/def": [6] * 5},
    )
    found = driver.machine.decision.facts(driver.state, board(driver), "germany", {})
    assert (found["infantry"], found["tank"], found["fighter"], found["land"], found["air"]) == (3, 2, 1, 5, 1)
    assert (found["pips"], found["enemy_pips"]) == (3 * 1 + 2 * 3 + 3, 4 * 2 + 3)
    assert (found["cost"], found["enemy_cost"]) == (3 * 3 + 2 * 6 + 10, 4 * 3 + 6)
    assert (found["strength"], found["enemy_strength"]) == (6, 5)
    assert found["ratio"] == 100 * 12 * 6 // (11 * 5)
    assert found["pips_percent"] == 100 * 12 // 11
    told = [found[name] for name in ("place", "round", "turn", "sea", "attacking")]
    assert told == [where("Karelia"), 1, 1, 0, 1]
    # At sea transports are counted apart: they fight neither for `units` nor for `strength`; a battleship takes two.
    driver = fought(
        "germany",
        "germany: submarine, battleship, 2 transport SZ6 from SZ5 | uk: destroyer, carrier, fighter, transport SZ6",
        live=["germany"],
        dice={"sz6/1/att": [6, 6], "sz6/1/def": [6] * 3},
    )
    found = driver.machine.decision.facts(driver.state, board(driver), "germany", {})
    names = ("strength", "units", "others", "ships", "transport", "air", "sea", "enemy_strength", "enemy_units")
    assert [found[name] for name in names] == [3, 2, 1, 2, 2, 0, 1, 3, 3]
    assert [found[name] for name in ("enemy_ships", "enemy_air", "enemy_transport")] == [2, 1, 1]


def test_aa_6_18_the_threat_to_submarines_counts_aircraft_beside_a_destroyer_only() -> None:
    driver = fought("germany", "germany: 2 fighter SZ6; battleship SZ6 from SZ5 | uk: submarine SZ6", live=["uk"])
    found = driver.machine.decision.facts(driver.state, board(driver), "uk", {})
    assert (found["threat"], found["others"], found["enemy_fighter"]) == (1, 0, 2)
    none, two, all_one = (0,) * SIZE, (2,) + (0,) * (SIZE - 1), (1,) * SIZE
    beside = tuple({FIGHTER: 2, DESTROYER: 1}.get(place, 0) for place in range(SIZE))
    assert Facts(none, beside, all_one, all_one, all_one, {})["threat"] == 3
    assert Facts(none, beside, all_one, none, all_one, {})["threat"] == 0
    # A percentage of nothing is one of one.
    for enemy in (none, (0, 1) + (0,) * (SIZE - 2)):
        assert Facts(two, enemy, all_one, all_one, (3, 1) + (1,) * (SIZE - 2), {})["cost_percent"] == 100 * 6


kinds = st.sampled_from(["infantry", "tank", "fighter", "bomber"])
ships = st.sampled_from(["submarine", "transport", "destroyer", "battleship", "bomber"])


def force(found: list[str]) -> str:
    return " ".join(f"1 {kind}" for kind in found)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.booleans())
def test_with_the_defaults_nobody_is_asked_anything(data: st.DataObject, sea: bool) -> None:
    kind = ships if sea else kinds
    ours, theirs = data.draw(st.lists(kind, min_size=1, max_size=8)), data.draw(st.lists(kind, min_size=1, max_size=8))
    allied = data.draw(st.lists(kind, max_size=3))
    place, origin = ("SZ6", "SZ5") if sea else ("Karelia", "Norway Finland")
    if sea:  # no aircraft on the defence without a carrier
        theirs, allied = [[each for each in each_side if each != "bomber"] for each_side in (theirs, allied)]
    text = f"germany: {force(ours)} {place} from {origin}"
    for power, units in (("ussr", theirs), ("uk", allied)):
        if units:
            text += f" | {power}: {force(units)} {place}"
    driver = fought("germany", text, chance=Chance(str(data.draw(st.integers(0, 999)))))
    assert ended(driver)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.booleans())
def test_every_question_of_a_battle_keeps_the_contract(data: st.DataObject, sea: bool) -> None:
    """What is legal passes its check and reads back, what is wrong is refused, and saving changes nothing."""
    kind = ships if sea else kinds
    ours, theirs = data.draw(st.lists(kind, min_size=1, max_size=6)), data.draw(st.lists(kind, min_size=1, max_size=6))
    place, origin = ("SZ6", "SZ5") if sea else ("Karelia", "Norway Finland")
    theirs = [each for each in theirs if not sea or each != "bomber"] or ["battleship" if sea else "tank"]
    ally = "; uk: destroyer SZ6" if sea else "; uk: infantry Karelia; tank Karelia"
    driver = fought(
        "germany",
        f"germany: {force(ours)} {place} from {origin} | ussr: {force(theirs)} {place} {ally.replace('; uk', '| uk')}",
        live=POWERS,
        chance=Chance(str(data.draw(st.integers(0, 999)))),
    )
    choices = Chance("choices")
    for _ in range(60):
        if ended(driver):
            return
        check_position(driver, choices=choices, complete=True)
        seat = driver.asked[0]
        orders = driver.legal(seat)
        driver.give(seat, orders[data.draw(st.integers(0, len(orders) - 1))])


def test_labels_of_all_battles_are_labels() -> None:
    for word in CHART.words:
        for phase in PHASES:
            label = f"r9999/germany/{word.lower()}/999/{phase}"
            assert re.fullmatch(r"[a-z0-9/_.+-]+", label)
            assert len(label) <= MAX_LABEL


def test_aa_6_46_answers_to_retreat_are_answers() -> None:
    for word in CHART.words:
        game.policy("retreat", f"then retreat-{word.lower()}, retreat")


# In players' words


def test_keep_one_tank_in_a_place() -> None:
    units = (
        "ussr: infantry Ukraine; tank Ukraine from Caucasus; tank Ukraine from Caucasus | germany: 3 infantry Ukraine"
    )
    orders = {("ussr", "losses"): "infantry tank, keep 1 tank in Ukraine", ("ussr", "retreat"): "never"}
    dice = {"ukraine/1/att": [6, 6, 6], "ukraine/1/def": [2, 2, 6]}
    dice |= {"ukraine/2/att": [6], "ukraine/2/def": [6, 6, 2]}
    driver = fought("ussr", units, orders=orders, dice=dice)
    assert lost(driver) == ["infantry", "tank", "tank"]
    keep = {("ussr", "losses"): "tank infantry, keep 2 tanks in Ukraine", ("ussr", "retreat"): "after 1"}
    driver = fought("ussr", units, orders=keep, dice=dice)
    assert lost(driver) == ["infantry", "tank"]
    elsewhere = {("ussr", "losses"): "tank infantry, keep 2 tanks in Karelia", ("ussr", "retreat"): "after 1"}
    driver = fought("ussr", units, orders=elsewhere, dice=dice)
    assert lost(driver) == ["tank", "tank"]


def test_exceptions_come_first_wherever_they_stand() -> None:
    text = shorthand("losses", "infantry tank; defence in Ukraine: tank infantry")
    assert text is not None
    assert text.startswith(f"when attacking = 0 and place = {where('Ukraine')} then damage, tank, infantry")
    assert text.split("; ")[1].startswith("then damage, infantry, tank")


@pytest.mark.parametrize(
    ("words", "full"),
    [
        ("never", "then press, default"),
        ("always", "then retreat"),
        ("after 3 rounds", "when round >= 3 then retreat; then press, default"),
        ("below 70", "when ratio < 70 then retreat; then press, default"),
        ("below 80% cost", "when cost_percent < 80 then retreat; then press, default"),
        ("last infantry", "when infantry = 0 then retreat; then press, default"),
        ("last land", "when land = 0 then retreat; then press, default"),
        ("below 70; sea: never", "when sea = 1 then press, default; when ratio < 70 then retreat; then press, default"),
        ("in Ukraine: never", "when place = 61 then press, default; then default"),
        ("after 2; to Karelia", "when round >= 2 then retreat-karelia, retreat; then press, default"),
        ("turn 3: ask", "when turn = 3 then ask; then default"),
        ("ask", "then ask"),
        ("default", "then default"),
        ("then press", "then press"),
    ],
)
def test_retreats_in_words(words: str, full: str) -> None:
    assert str(game.policy("retreat", words)) == full


def test_a_destination_alone_keeps_the_default_s_reasons() -> None:
    text = str(game.policy("retreat", "to West Russia"))
    assert "ratio < 75 then retreat-west-russia, retreat" in text
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland; infantry Karelia from West Russia | ussr: 5 infantry Karelia",
        orders={("germany", "retreat"): "to West Russia"},
        dice={"karelia/1/att": [6, 6, 6], "karelia/1/def": [6] * 5},
    )
    assert standing(driver, "West Russia") == ["infantry"] * 3


@pytest.mark.parametrize(
    ("words", "full"),
    [
        ("strike", "then strike"),
        ("defence: submerge", "when attacking = 0 then submerge; then default"),
        ("strike 1", "when struck < 1 then strike; then submerge"),
        ("guard; attack: submerge", "when transport > 0 then strike; when attacking = 1 then submerge; then default"),
        (
            "attack: strike; defence: submerge; guard",
            "when transport > 0 then strike; when attacking = 1 then strike; when attacking = 0 then submerge; "
            "then default",
        ),
        ("auto", "then default"),
    ],
)
def test_submarines_in_words(words: str, full: str) -> None:
    assert str(game.policy("submarines", words)) == full


def test_damage_is_the_best_loss_for_its_owner_and_the_worst_for_who_settles() -> None:
    assert str(game.policy("losses", "tank")).startswith("then damage, tank, infantry")
    rest = "battleship, carrier, destroyer, tank, submarine, infantry, damage, transport"
    assert str(game.policy("settle", "bomber fighter")) == f"then bomber, fighter, {rest}"
    assert str(game.policy("settle", "tank damage tank")).startswith("then tank, damage, battleship")


def test_where_displaced_fighters_go_in_words() -> None:
    assert str(game.policy("divert", "home deck home")) == "then home, deck, default"
    assert str(game.policy("divert", "then home, deck")) == "then home, deck"


def test_whatever_is_written_in_words_fits_its_decision() -> None:
    decisions = program(game).decisions
    for decision, words in (
        (
            "losses",
            "infantry tank keep 1 tank in Ukraine keep 1 land keep 1 fighter; sea: damage sub; land round 2: tank",
        ),
        ("settle", "bomber fighter"),
        ("submarines", "attack in SZ6: strike 2; guard; submerge"),
        ("retreat", "landing: after 5; below 50 pips; below 40 units; last air; in SZ6: to SZ5; to SZ7"),
    ):
        policy = game.policy(decision, words)
        check_fits(policy, decisions[decision].fact_names, has_default=True)


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("losses", "infantry foo"), ("losses", "keep x"), ("losses", "keep 1"), ("losses", "keep 1 damage"),
        ("losses", "in nowhere: infantry"), ("losses", "sea:"), ("losses", "default now"), ("losses", "maybe: tank"),
        ("losses", "keep 1 tank keep 1 infantry keep 1 fighter keep 1 bomber"), ("submarines", "strike x"),
        ("submarines", "dive"), ("retreat", "below x"), ("retreat", "after"), ("retreat", "last dance"),
        ("retreat", "to"), ("retreat", "below 70 dogs"), ("losses", ""), ("losses", "round x: tank"),
        ("losses", "tank keep 99999999 tank"), ("divert", "gibraltar"), ("settle", "aa"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(decision: str, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        game.policy(decision, words)
    assert refusal.value.code == "E-POLICY"


@given(st.sampled_from(DECISIONS), st.text("abdeikoprstv ;:,0169%-\u00e4", max_size=40))
def test_any_words_are_read_or_refused(decision: str, words: str) -> None:
    try:
        found = str(game.policy(decision, words))
    except Refusal as refusal:
        found = refusal.code
    assert found == "E-POLICY" or found.startswith(("then ", "when "))


def test_sealed_standing_orders_answer_too() -> None:
    driver = fought(
        "germany",
        "germany: 3 infantry Karelia from Norway Finland | ussr: 2 infantry Karelia; tank Karelia",
        live=["germany", "ussr"],
        dice={
            "karelia/1/att": [1, 6, 6], "karelia/1/def": [6, 6, 6],
            "karelia/2/att": [1, 6, 6], "karelia/2/def": [6, 6, 6],
        },
    )  # fmt: skip
    assert asked(driver) == ("losses", ("ussr",))
    driver.stand("ussr", "losses", "tank infantry", sealed=True)
    driver.stand("germany", "retreat", "after 2", sealed=True)
    driver.order("ussr", "lose infantry")
    assert ended(driver)
    assert [str(event.unit) for event in happened(driver, Lost)] == ["infantry", "tank"]
    assert [event.rounds for event in happened(driver, BattleEnded)] == [2]


def test_a_player_may_decide_round_by_round() -> None:
    driver = Driver(game)
    for power in POWERS:
        for decision in DECISIONS:
            driver.stand(power, decision, "ask")
    assert {str(driver.machine.standing("uk")[decision]) for decision in DECISIONS} == {"then ask"}


def test_what_was_answered_is_told() -> None:
    driver = fought(
        "germany",
        "germany: infantry Karelia from Norway Finland; 2 tank Karelia from West Russia | ussr: infantry Karelia",
        dice={"karelia/1/att": [6, 6, 6], "karelia/1/def": [1], "karelia/2/att": [1, 1], "karelia/2/def": [6]},
    )
    taken = [event for event in driver.happened if isinstance(event, Taken)]
    assert [(event.decision, event.how) for event in taken] == [("losses", "default"), ("retreat", "default")]
    assert game.tell(taken)[0] == "Germany, by the usual answer: Take a hit with infantry."


def test_aa_6_29_6_46_facts_are_told_from_one_s_own_side() -> None:
    """`attacking`, own and enemy counts, and what came by sea, for both sides of one battle."""
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland; tank Karelia from Norway Finland; transport SZ4 from SZ3;"
        " infantry in transport 1 SZ4 > Karelia | ussr: 2 infantry Karelia; tank Karelia | uk: fighter Karelia",
        battles=["Karelia"],
        live=["germany"],
        orders={
            ("ussr", "losses"): "when attacking = 0 and tank = 1 and enemy_infantry = 3 then tank; then infantry",
            ("uk", "losses"): "then defer",
            (
                "germany",
                "losses",
            ): "when attacking = 1 and landing = 1 and infantry = 3 then tank; then infantry",
        },
        dice={"karelia/1/att": [3, 6, 6, 6], "karelia/1/def": [4, 6, 6, 6]},
    )
    assert [(event.power, event.unit) for event in happened(driver, Lost)] == [("ussr", "tank"), ("germany", "tank")]
    # Without anybody from the sea nothing lands, and for the defence nothing ever does.
    sea = "when landing = 1 then tank; then infantry"
    for landing, expected in (("", "infantry"), ("; transport SZ4; infantry in transport 1 SZ4 > Karelia", "tank")):
        driver = fought(
            "germany",
            f"germany: infantry, tank Karelia from Norway Finland{landing} | ussr: 2 infantry Karelia; tank Karelia",
            battles=["Karelia"],
            live=["germany"],
            orders={("ussr", "losses"): sea, ("germany", "losses"): sea},
            dice={"karelia/1/att": [1, 6, 6][: 3 if landing else 2], "karelia/1/def": [2, 6, 6]},
        )
        assert [(event.power, event.unit) for event in happened(driver, Lost)] == [
            ("ussr", "infantry"),
            ("germany", expected),
        ]


def test_aa_6_18_standing_orders_know_how_many_own_submarines_struck() -> None:
    driver = fought(
        "germany",
        "germany: 3 submarine SZ6 from SZ5 | uk: 2 submarine SZ6; transport SZ6",
        orders={
            ("germany", "submarines"): "when struck < 2 then strike; then submerge",
            ("uk", "submarines"): "when struck < 1 then strike; then submerge",
        },
        live=["germany"],
        dice={"sz6/1/att-strike": [6, 6], "sz6/1/def-strike": [6]},
    )
    assert asked(driver) == ("retreat", ("germany",))
    assert (len(board(driver).attackers), len(board(driver).defenders)) == (2, 2)
