"""Board, report, and the pages that come with the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axis_positions import position

import pbem_rules.axis1941 as package
from pbem.engine.event import Event, Taken
from pbem.engine.need import Orders
from pbem.engine.policy import Policy
from pbem.engine.testing import Chance, Driver
from pbem_rules.axis1941 import events as e
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.pictures import pictures
from pbem_rules.axis1941.report import report, story
from pbem_rules.axis1941.units import ship_code

README = (Path(package.__file__).parent / "README.md").read_text(encoding="utf-8")


def example() -> list[str]:
    """The turn that the README shows."""
    return next(block.split("\n") for block in re.findall(r"```\n(buy .*?)\n```", README, re.DOTALL))


def test_the_turn_of_the_readme_can_be_played():
    driver = Driver(game, chance=Chance("readme"))
    while driver.state.active != "germany":
        driver.order(driver.asked[0], "done")
    lines = example()
    for line in lines[:-3]:
        driver.order("germany", line)
    assert {event.power for event in driver.happened if isinstance(event, e.BattleBegan)} == {"germany"}
    for line in lines[-3:]:  # past the dice: what is planned is at least understood
        assert game.notation.parse(line, driver.context("germany"))


def test_the_standing_orders_of_the_readme_can_be_given():
    rows = re.findall(r"^\| `(\w+)` \| .* \| `([^`]*)` \|$", README, re.MULTILINE)
    driver = Driver(game)
    kinds = {kind for kind, _ in rows}
    assert {"losses", "submarines", "retreat", "settle", "divert"} <= kinds
    for kind, text in rows:
        policy = game.policy(kind, text)
        assert isinstance(policy, Policy)
        driver.machine.check_standing("uk", kind, policy)


def test_the_verbs_of_the_readme_exist():
    verbs = {verb.word for verb in game.notation.verbs}
    shown = {verb.word for verb in game.notation.verbs if f"`{verb.word}" in README or f"\n{verb.word} " in README}
    assert verbs - shown <= {"share", "return", "defer"}


def test_every_event_has_its_sentence():
    driver = Driver(game, chance=Chance("sentences"))
    for _ in range(400):
        if not isinstance(driver.need, Orders):
            break
        seat = driver.asked[0]
        legal = driver.legal(seat)
        driver.give(seat, legal[driver.chance.below(len(legal))])
    for event in driver.happened:
        assert isinstance(event, Taken) or report(event).strip()
    assert {type(event) for event in driver.happened} >= {e.Moved, e.Volley, e.Lost, e.Collected}


def test_a_turn_reads_like_a_report():
    driver = position(
        "combat",
        "germany",
        "germany: 3 infantry 2 tank Ukraine; infantry Germany | ussr: infantry Russia | uk: infantry London",
    )
    driver.order("germany", "move 3 infantry 2 tanks Ukraine > Caucasus", "done")
    lines = story(driver.happened)
    assert lines[0] == "Germany moves 3 infantry and 2 tanks from Ukraine to Caucasus."
    assert "Germany takes Caucasus from USSR." in lines
    assert len(lines) < len(driver.happened)


def ended(rounds, result, attackers, defenders):
    return e.BattleEnded(place=78, power="uk", rounds=rounds, result=result, attackers=attackers, defenders=defenders)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            e.Bought(power="uk", units=("infantry", "infantry", "tank"), cost=12, left=0),
            "United Kingdom buys 2 infantry and a tank for 12 IPC and keeps 0.",
        ),
        (
            e.Loaded(power="uk", unit="tank", start=63, ship=ship_code("usa", "transport", 2), zone=78),  # type: ignore[arg-type]
            "United Kingdom loads a tank in United Kingdom onto USA's transport 2 in SZ8.",
        ),
        (e.Looted(by="germany", loser="ussr", ipc=8), "Germany takes 8 IPC from the treasury of USSR."),
        (
            e.Captured(place=33, by="usa", before="germany", owner="japan"),
            "Japan takes Japan from Germany.",
        ),
        (
            ended(1, "won", ("infantry", "tank"), ()),
            "After 1 round, United Kingdom's attack in SZ8 has won. United Kingdom has an infantry and a tank left.",
        ),
        (
            ended(2, "stuck", ("fighter",), ("submarine",)),
            "After 2 rounds, United Kingdom's attack in SZ8 ends, since neither side can hit the other any more. "
            "United Kingdom has a fighter left and the defence has a submarine left.",
        ),
        (ended(0, "gone", (), ()), "United Kingdom's attack in SZ8 ends with no unit left on either side."),
        (
            e.Finished(winner="axis", capitals=("Moscow", "London"), round=7),
            "The Axis wins in round 7, holding Moscow and London.",
        ),
    ],
)
def test_sentences(event, text):
    assert report(event) == text


EVENTS = [each for each in vars(e).values() if isinstance(each, type) and issubclass(each, Event) and each is not Event]


def test_report_knows_all_events():
    known = report.registry  # type: ignore[attr-defined]
    assert all(kind in known for kind in EVENTS)


def test_every_event_happens_somewhere():
    modules = Path(package.__file__).parent.glob("*.py")
    sources = "".join(path.read_text(encoding="utf-8") for path in modules)
    assert [kind.__name__ for kind in EVENTS if not re.search(rf"add\(\s*{kind.__name__}\(", sources)] == []


def test_the_board():
    driver = Driver(game)
    text = game.board(driver.view("uk"))
    assert "Germany                   4*! Ger         Ger: 3 infantry, 1 fighter, 1 bomber" in text
    assert "SZ14  UK: carrier 1 (1 fighter)" in text
    for each in driver.state.chart.territories:
        assert (each.name in text) == (each.owner is not None)
    assert "17 a round" in text


def volley(number, *, attack, hits):
    dice = tuple(1 if at < hits else 6 for at in range(3))
    return e.Volley(
        place=78, power="uk", round=number, attack=attack, strike=False, units=("infantry",), values=(2,), counts=(3,),
        dice=dice, hits=hits,
    )  # fmt: skip


def test_a_battle_of_which_only_the_later_rounds_are_shown_names_those_rounds():
    """The player was asked after the first round, and has seen its dice."""
    view = Driver(game, chance=Chance("readme")).view()
    later = (volley(2, attack=True, hits=3), volley(2, attack=False, hits=1))
    (going_on,) = pictures.scene(view, later).battles
    assert "Round 2, hits 3 to 1." in going_on.text
    later += (volley(3, attack=True, hits=1), volley(3, attack=False, hits=2))
    (over,) = pictures.scene(view, (*later, ended(3, "stuck", (), ()))).battles
    assert "Rounds 2 to 3, hits 4 to 3." in over.text


def fought(*events):
    start = e.BattleBegan(
        place=78,
        power="uk",
        attackers=("submarine", "submarine", "battleship"),
        powers=("germany", "germany", "germany"),
        defenders=("submarine", "battleship", "battleship"),
    )
    (found,) = pictures.scene(Driver(game).view(), (start, *events)).battles
    return found.text


def test_a_battle_says_who_took_which_hit_and_how_it_stands():
    """AA-6.29, AA-6.33, AA-6.34, AA-6.36: what is told adds up to the hits; a battleship takes two."""
    volleys = (volley(1, attack=True, hits=3), volley(1, attack=False, hits=2))
    head = "SZ8: United Kingdom attacks with 2 submarines and a battleship "
    head += "against a submarine and 2 battleships of Germany."
    hit = [e.Lost(place=78, power="germany", unit="battleship", damaged=True) for _ in range(2)]
    sunk = e.Lost(place=78, power="germany", unit="battleship")
    assert fought(*volleys, *hit) == (
        f"{head} Round 1, hits 3 to 2. 2 battleships of Germany are damaged. The defence still has to take 1 hit. "
        "United Kingdom still has to take 2 hits: what is hit stays on the map until the round is over. "
        "Left: 2 submarines and a battleship against a submarine and 2 battleships."
    )
    all_hit = [e.Lost(place=78, power="germany", unit=unit) for unit in ("battleship", "battleship", "submarine")]
    beaten = fought(volley(1, attack=True, hits=6), *hit, *all_hit)
    assert beaten.endswith(
        "1 hit found nothing that could be lost. Left: 2 submarines and a battleship against nothing."
    )
    assert "still has to take" not in beaten
    own = e.Lost(place=78, power="uk", unit="battleship", damaged=True)
    events = (*volleys, *hit, sunk, own, e.Missed(place=78, power="uk", hits=1))
    events += (e.Submerged(place=78, power="germany"), e.Submerged(place=78, power="uk"))
    told = (
        f"{head} Round 1, hits 3 to 2. Germany loses a battleship (2 hits for each battleship). "
        "A battleship of Germany is damaged. A battleship of United Kingdom is damaged. "
        "Germany submerges a submarine. United Kingdom submerges a submarine. "
        "1 hit found nothing that could be lost. Left: a submarine and a battleship against a battleship."
    )
    assert fought(*events) == told
    back = e.FellBack(place=78, power="uk", to=77, units=("submarine", "battleship"))
    over = fought(*events, back, ended(1, "retreat", (), ("battleship",)))
    assert "1 round, hits 3 to 2." in over
    assert "A battleship of Germany was damaged, and is repaired now." in over
    assert over.endswith(
        "The attack is broken off: the defence has a battleship left. "
        "United Kingdom retreats with a submarine and a battleship from SZ8 to SZ7."
    )
