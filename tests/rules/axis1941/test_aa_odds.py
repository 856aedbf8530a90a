"""Odds: exact, against hand reckoning and against the combat code itself."""

from __future__ import annotations

import time
from math import sqrt

import pytest
from axis_battles import ended, fought
from axis_positions import happened, position, where
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.definition import Reckoning
from pbem.engine.policy import parse
from pbem.engine.testing import Chance, Driver
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import DATA, chart_of
from pbem_rules.axis1941.events import BattleEnded
from pbem_rules.axis1941.hits import DEFENCELESS, KIND_OF, SIZE, STUCK, WON, counted, guns_of
from pbem_rules.axis1941.odds import Conduct, Fight, Odds, odds
from pbem_rules.axis1941.standing import RETREAT_DEFAULT
from pbem_rules.axis1941.units import Kind

VIEW = Driver(game).view("ussr")
GUNS = guns_of(tuple(chart_of(DATA).stats.values()))


def force(text: str) -> tuple[int, ...]:
    words = text.split()
    return tuple(counted(Kind(kind) for n, kind in zip(words[::2], words[1::2], strict=True) for _ in range(int(n))))


def total(found: Odds) -> float:
    return found.win + found.loss + found.tie + found.retreat


def test_one_against_one_by_hand() -> None:
    # Each round: attacker hits 1/6, defender 1/3, together at once.
    found = odds(Fight(force("1 infantry"), force("1 infantry"), GUNS))
    again = (5 / 6) * (4 / 6)
    assert found.win == pytest.approx((1 / 6) * (4 / 6) / (1 - again), abs=1e-12)
    assert found.tie == pytest.approx((1 / 6) * (2 / 6) / (1 - again), abs=1e-12)
    assert found.loss == pytest.approx((5 / 6) * (2 / 6) / (1 - again), abs=1e-12)
    assert found.capture == found.win
    assert found.swing == pytest.approx(3 * (found.win + found.tie) - 3 * (found.loss + found.tie), abs=1e-12)


def test_a_surprise_strike_by_hand() -> None:
    # The submarine sinks the transport's guard before it fires: no destroyer, so 1/3 a round unanswered.
    found = odds(Fight(force("1 submarine"), force("1 carrier"), GUNS, sea=True))
    again = (4 / 6) * (4 / 6)
    assert found.win == pytest.approx((2 / 6) / (1 - again), abs=1e-12)
    assert found.tie == 0


def test_defenceless_transports_cost_no_dice() -> None:
    found = odds(Fight(force("1 fighter"), force("3 transport"), GUNS, sea=True))
    assert (found.win, found.attackers[2], found.defenders[5], found.swing) == (1.0, 1.0, 0.0, 21.0)


def test_aircraft_and_submarines_are_stuck() -> None:
    found = odds(Fight(force("2 fighter"), force("1 submarine"), GUNS, sea=True))
    assert (found.tie, found.attackers[2], found.defenders[4]) == (1.0, 2.0, 1.0)


def test_twenty_against_twenty_in_a_moment() -> None:
    ours = force("8 infantry 6 tank 4 fighter 2 bomber")
    theirs = force("12 infantry 4 tank 3 fighter 1 bomber")
    odds(Fight(force("1 infantry"), force("1 infantry"), GUNS))
    begun = time.process_time()
    found = odds(Fight(ours, theirs, GUNS))
    assert time.process_time() - begun < 1
    assert total(found) == pytest.approx(1, abs=1e-12)
    assert 0.3 < found.win < 0.9


def test_order_of_losses_and_retreat_matter() -> None:
    fight = Fight(force("3 infantry 2 tank"), force("3 infantry 1 tank"), GUNS)
    dear = Conduct(losses=parse("then tank, infantry"))
    assert odds(Fight(fight.attackers, fight.defenders, GUNS, attack=dear)).win < odds(fight).win
    assert odds(Fight(fight.attackers, fight.defenders, GUNS, defence=dear)).win > odds(fight).win
    once = Conduct(retreat=parse("when round >= 1 then retreat; then press"))
    short = odds(Fight(fight.attackers, fight.defenders, GUNS, attack=once))
    assert short.retreat > 0.5
    assert total(short) == pytest.approx(1, abs=1e-12)


CASES = {
    "land": ("3 infantry 1 tank 1 fighter", "3 infantry 1 tank 1 bomber", None),
    "land-retreat": ("4 infantry 2 tank", "5 infantry", RETREAT_DEFAULT),
    "rounds": ("4 infantry 1 bomber", "3 infantry 1 fighter", "when round >= 2 then retreat; then press"),
    "subs": ("3 submarine 1 fighter", "2 submarine 1 carrier 1 fighter 1 transport", None),
    "fleet": (
        "1 submarine 1 destroyer 1 bomber 1 battleship",
        "2 submarine 1 destroyer 1 battleship 1 transport",
        None,
    ),
    "no-destroyer": ("1 submarine 2 fighter 1 carrier", "2 submarine 1 battleship 1 transport", None),
    "diving": ("1 destroyer 1 fighter", "1 submarine 2 transport", RETREAT_DEFAULT),
}


@pytest.mark.parametrize("case", CASES)
def test_odds_agree_with_the_combat_code(case: str) -> None:
    simulate(case, 250)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_odds_agree_with_the_combat_code_more_closely(case: str) -> None:
    simulate(case, 2000)


def simulate(case: str, runs: int) -> None:
    """Shares of the ends and survivors within five standard deviations of what was reckoned."""
    ours, theirs, retreat = CASES[case]
    sea = "submarine" in theirs
    conduct = Conduct(retreat=parse(retreat)) if retreat else Conduct()
    found = odds(Fight(force(ours), force(theirs), GUNS, sea=sea, place=76 if sea else 61, attack=conduct))
    assert total(found) == pytest.approx(1, abs=1e-12)
    counts = {"win": 0, "loss": 0, "tie": 0, "retreat": 0}
    left = [0.0] * SIZE, [0.0] * SIZE
    for seed in range(runs):
        end, survivors = once(ours, theirs, retreat or "then press, default", sea, f"{case}/{seed}")
        counts[end] += 1
        for side, kinds in zip(left, survivors, strict=True):
            for kind in kinds:
                side[KIND_OF.index(Kind(kind))] += 1 / runs
    for end, count in counts.items():
        expected = getattr(found, end)
        assert abs(count / runs - expected) <= 5 * sqrt(expected * (1 - expected) / runs) + 1e-9, (end, counts, found)
    for side, reckoned, at_first in (
        (left[0], found.attackers, force(ours)),
        (left[1], found.defenders, force(theirs)),
    ):
        merged = [*reckoned[:8], reckoned[8] + reckoned[9], 0.0]
        for place in range(SIZE):
            most = max(1, at_first[place])
            assert abs(side[place] - merged[place]) <= 2.5 * most / sqrt(runs), (place, side, merged)


def once(ours: str, theirs: str, retreat: str, sea: bool, seed: str) -> tuple[str, tuple[list[str], list[str]]]:
    place = "SZ6" if sea else "Ukraine"
    origin = "SZ5" if sea else "Caucasus"
    driver = fought(
        "ussr",
        f"ussr: {ours} {place} from {origin} | germany: {theirs} {place}",
        orders={("ussr", "retreat"): retreat},
        chance=Chance(seed),
    )
    assert ended(driver)
    (end,) = happened(driver, BattleEnded)
    return _end(end.result), _left(driver)


def _end(result: str) -> str:
    if result in (WON, DEFENCELESS):
        return "win"
    return {"lost": "loss", "alone": "loss", "retreat": "retreat", "gone": "tie", "bare": "tie", STUCK: "tie"}[result]


def _left(driver: Driver) -> tuple[list[str], list[str]]:
    s = driver.state
    ours = [str(unit.kind) for unit in s.units.values() if unit.power == "ussr"]
    theirs = [str(unit.kind) for unit in s.units.values() if unit.power == "germany"]
    return ours, theirs


def test_the_odds_of_a_player_s_words() -> None:
    view = Driver(game).view("ussr")
    assert game.odds is not None
    told = game.odds(view, "3 infantry 2 tanks > Ukraine")
    assert not isinstance(told, str)
    assert told.text.startswith("Ukraine: 3 infantry and 2 tanks against 3 infantry and 2 tanks. win 32.7%")
    assert told.figures["win"] == pytest.approx(
        odds(Fight(force("3 infantry 2 tank"), force("3 infantry 2 tank"), GUNS)).win
    )
    assert told.figures["attackers"]["tank"] == 2
    closer = game.odds(view, "3 inf 2 arm v 3 inf 2 arm; retreat after 1; defence losses tank infantry")
    assert not isinstance(closer, str)
    assert "retreat" in closer.text
    fleet = game.odds(view, "2 sub dd v bb sub; defence submarines submerge")
    assert not isinstance(fleet, str)
    assert fleet.figures["sea"] is True


def test_who_defends_is_who_holds_the_place() -> None:
    assert game.odds is not None
    driver = Driver(game)  # the USSR plays
    for seat, place, force_there in (
        ("ussr", "Ukraine", "against 3 infantry and 2 tanks"),
        ("germany", "Karelia", "against 3 infantry"),
        ("germany", "Ukraine", "against 3 infantry and 2 tanks"),
    ):
        told = game.odds(driver.view(seat), f"5 infantry > {place}")
        assert not isinstance(told, str)
        assert force_there in told.text
    fleet = game.odds(driver.view("germany"), "2 submarines > SZ8")
    assert not isinstance(fleet, str)
    assert "2 submarines against" in fleet.text


def test_the_odds_of_all_battles() -> None:
    assert game.odds is not None
    driver = Driver(game)
    assert isinstance(game.odds(driver.view("ussr"), "all"), str)
    driver.order("ussr", "done", "move 3 infantry 1 tank Caucasus > Ukraine", "move 3 infantry Karelia > West Russia")
    told = game.odds(driver.view("ussr"), "all")
    assert not isinstance(told, str)
    assert [line.split(":")[0] for line in told.text.splitlines()[::2]] == ["Ukraine", "West Russia"]
    assert set(told.figures["battles"]) == {"Ukraine", "West-Russia"}


WORDS = [
    "infantry",
    "tank",
    "fighter",
    "sub",
    "dd",
    "bb",
    "1",
    "2",
    "3",
    "0",
    "99",
    ">",
    "v",
    "with",
    "Ukraine",
    "SZ5",
    ";",
    ",",
    "retreat",
    "losses",
    "defence",
    "below",
    "after",
    "never",
    "70",
    "keep",
    "in",
    "nowhere",
    "-",
    "\x00",
    "ä",
]


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_words_get_an_answer(words: list[str]) -> None:
    assert game.odds is not None
    told = game.odds(VIEW, " ".join(words))
    assert isinstance(told, str | Reckoning)


@pytest.mark.parametrize(
    "text",
    ["", "nowhere", "Sweden", "3 inf", "3 inf v", "v 3 inf", "3 inf v 2 sub", "999 inf v 2 inf", "40 dd v 2 dd",
     "3 inf v 2 inf; what", "3 inf v 2 inf;", "3 inf v 2 inf; losses foo", "3 inf v 2 inf; defence retreat never",
     "inf > nowhere", "3 inf x > Ukraine"],
)  # fmt: skip
def test_what_cannot_be_reckoned_is_said(text: str) -> None:
    assert game.odds is not None
    assert isinstance(game.odds(Driver(game).view("ussr"), text), str)


def test_a_place_where_nobody_has_moved_yet_is_reckoned_with_all_who_can_come() -> None:
    assert game.odds is not None
    driver = position(
        "combat", "germany", "germany: 2 infantry 1 tank Ukraine; bomber Germany | ussr: 2 infantry Caucasus"
    )
    told = game.odds(driver.view("germany"), "Caucasus")
    assert isinstance(told, Reckoning)
    assert told.party is not None
    assert {(each.title, each.most, each.taken) for each in told.party.takers} == {
        ("infantry from Ukraine", 2, 2),
        ("tank from Ukraine", 1, 1),
        ("bomber from Germany", 1, 1),
    }
    chosen = " ".join(f"{each.taken} {each.word}" for each in told.party.takers)
    again = game.odds(driver.view("germany"), f"{told.party.head} {chosen}")
    assert isinstance(again, Reckoning)
    assert again.figures == told.figures["threats"]["germany"]  # type: ignore[index]
    driver.order("germany", "move tank Ukraine > Caucasus")
    moved = game.odds(driver.view("germany"), "Caucasus")
    assert isinstance(moved, Reckoning)
    assert moved.party is not None
    assert [each.taken for each in moved.party.takers if each.title == "tank, there already"] == [1]
    assert {each.taken for each in moved.party.takers if "from" in each.title} == {0}


def test_a_place_of_ones_own_is_reckoned_against_each_enemy_that_can_come() -> None:
    assert game.odds is not None
    driver = position("combat", "ussr", "germany: 2 infantry Ukraine | ussr: infantry Caucasus; infantry Urals")
    told = game.odds(driver.view("ussr"), "Caucasus")
    assert isinstance(told, Reckoning)
    assert set(told.figures["threats"]) == {"germany"}  # type: ignore[call-overload]
    assert told.figures["threats"]["germany"]["attackers"]["infantry"] == 2  # type: ignore[index]
    assert game.odds(driver.view("ussr"), "Urals") == "Urals: no enemy of theirs can come."


def test_what_the_defence_cannot_do_is_said() -> None:
    assert game.odds is not None
    told = game.odds(VIEW, "3 inf v 2 inf; defence retreat never")
    assert isinstance(told, str)
    assert told.startswith("The defence never retreats (AA-6.46).")
    told = game.odds(VIEW, "3 inf v 2 inf; losses")
    assert isinstance(told, str)
    assert told.startswith("Something must follow 'losses'.")


def test_once_a_battle_is_fought_nobody_else_can_come() -> None:
    assert game.odds is not None
    driver = fought(
        "germany",
        "germany: 2 infantry Karelia from Norway Finland; fighter Finland | ussr: infantry Karelia",
        dice={"karelia/1/att": [6, 6], "karelia/1/def": [6]},
        live=["germany"],
    )
    told = game.odds(driver.view("germany"), "Karelia")
    assert isinstance(told, Reckoning)
    assert told.party is not None
    assert [(each.title, each.most, each.taken) for each in told.party.takers] == [("infantry, there already", 2, 2)]


def _going_on(live: str, dice: dict[str, list[int]]) -> Driver:
    return fought(
        "germany",
        "germany: 2 infantry, 2 tank Karelia from Norway Finland; bomber Karelia | ussr: 2 infantry, tank Karelia",
        dice=dice,
        live=[live],
    )


def test_the_odds_of_a_question_are_those_of_the_battle_as_it_stands() -> None:
    assert game.odds is not None
    driver = _going_on("germany", {"karelia/1/att": [1, 6, 6, 6, 6], "karelia/1/def": [1, 6, 6]})
    assert driver.need.kind == "losses"
    assert isinstance(game.odds(driver.view("germany"), ""), str)  # what is left depends on the answer
    assert isinstance(game.odds(driver.view("germany"), "Karelia"), str)
    driver.order("germany", "lose infantry")
    assert driver.need.kind == "retreat"
    for text in ("", "Karelia"):
        told = game.odds(driver.view("germany"), text)
        assert isinstance(told, Reckoning)
        left = Fight(force("1 infantry 2 tank 1 bomber"), force("1 infantry 1 tank"), GUNS, place=where("Karelia"))
        assert told.figures["win"] == pytest.approx(odds(left).win)
        assert told.text.startswith("Karelia: an infantry, 2 tanks and a bomber against an infantry and a tank. win ")


def test_who_defends_is_given_the_odds_from_their_own_side() -> None:
    assert game.odds is not None
    driver = _going_on("germany", {"karelia/1/att": [6, 6, 6, 6, 6], "karelia/1/def": [6, 6, 6]})
    assert driver.need.kind == "retreat"
    attack, defence = (game.odds(driver.view(seat), "") for seat in ("germany", "ussr"))
    assert isinstance(attack, Reckoning)
    assert isinstance(defence, Reckoning)
    assert f"win {attack.figures['loss']:.1%}, loss {attack.figures['win']:.1%}" in defence.text
    assert defence.text.startswith("Karelia, where you defend: 2 infantry and a tank against ")


def test_no_battle_is_reckoned_when_all_are_over() -> None:
    assert game.odds is not None
    driver = position("noncombat", "germany", "germany: 2 fighter SZ8 | uk: submarine SZ8")
    assert str(game.odds(driver.view("germany"), "")).startswith("There are no battles.")
    declared = position("combat", "germany", "germany: 2 fighter SZ8 | uk: submarine SZ8")
    assert isinstance(game.odds(declared.view("germany"), ""), Reckoning)
