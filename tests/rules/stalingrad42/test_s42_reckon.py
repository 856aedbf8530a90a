"""`odds`: strengths, shifts, determined defence, and the exact chances of every end, held to the battles themselves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from s42_combat import combat
from s42_positions import AXIS, SOVIET, number, position

from pbem.game import Reckoning, View
from pbem.kit import StepLost
from pbem_rules.stalingrad42.combat.odds import beyond, holders
from pbem_rules.stalingrad42.combat.outcomes import DELAYS, GONE, HOLDS, RETREATS, outcomes
from pbem_rules.stalingrad42.events import Fought, Stood
from pbem_rules.stalingrad42.frames import Battle
from pbem_rules.stalingrad42.reckon import USAGE, reckon_text
from pbem_rules.stalingrad42.state import State

TARGET = 2115
FRONT = (("9Pz", 2114), ("23Pz", 2014), ("45RD", TARGET), ("62RD", TARGET), ("6RD", 2117))
Ends = dict[tuple[int, int, bool], Fraction]


def told(s: State, text: str) -> str:
    found = reckon_text(View(s, (AXIS,)), text)
    return found.text if isinstance(found, Reckoning) else found


def test_s42_8_1b_who_has_attacked_or_is_listed_elsewhere_is_left_out_and_named() -> None:
    table = combat(*FRONT, ("11Pz", 2014), ("14Pz", 2114), ("121RD", 2015), ("212RD", 2116))
    table.frame.fought.add(number("11Pz"))
    table.frame.advanced.add(number("14Pz"))
    view = table.machine.view((AXIS,))
    text = str(getattr(reckon_text(view, str(TARGET)), "text", ""))
    assert text.startswith(f"{TARGET}. Attack: 9Pz 10; 23Pz")
    assert text.endswith("\nLeft out, since they have attacked or are listed: 11Pz and 14Pz.")
    assert reckon_text(view, f"{TARGET} with 11pz") == (
        f"These can attack {TARGET}: 9Pz, 23Pz. Left out, since they have attacked or are listed: 11Pz and 14Pz."
    )
    named = reckon_text(view, f"{TARGET} with 9pz")
    assert isinstance(named, Reckoning)
    assert "Left out" not in named.text
    table.type("attack 2015 with 23pz")
    assert "listed: 11Pz, 23Pz and 14Pz." in str(reckon_text(view, str(TARGET)))
    assert "listed: 11Pz." in str(reckon_text(view, "2015"))


def reckoned(s: State, stance: str, units: tuple[str, ...]) -> Ends:
    """By steps lost, and whether the hex is held."""
    f = Battle(
        seat=AXIS,
        target=TARGET,
        units=tuple(sorted(map(number, units))),
        defenders=holders(s, TARGET, SOVIET),
        spared=tuple(sorted(beyond(s, SOVIET, holders(s, TARGET, SOVIET)))),
        stance=stance,
    )
    found: Counter[tuple[int, int, bool]] = Counter()
    for end, chance in outcomes(s, f).items():
        assert end.what in (HOLDS, RETREATS, DELAYS, GONE)
        found[end.attacker, end.defender, end.what == HOLDS] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def fought(stance: str, turn: int, units: tuple[str, ...], more: tuple[tuple[str, int], ...] = ()) -> Ends:
    """The same from all battles that the dice allow, each played by the machine."""
    found: Counter[tuple[int, int, bool]] = Counter()
    for die in range(1, 7):
        for stand in range(1, 7):
            table = combat(*FRONT, *more, dice={TARGET: die}, stand=(stand,), turn=turn)
            table.stand(SOVIET, "defence", f"then {stance}")
            table.type(f"attack {TARGET} with {' '.join(units)}\ndone")
            s = table.machine.state
            lost = table.seen(StepLost)
            ours = sum(each.unit in units for each in lost)
            assert len(table.seen(Fought)) == 1
            assert len(table.seen(Stood)) <= 1
            held = bool(s.chart.board.bit[TARGET] & s.fighters(SOVIET))
            found[ours, len(lost) - ours, held] += Fraction(1, 36)  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


@pytest.mark.parametrize(("stance", "turn"), [("hold", 8), ("give", 8), ("flexible", 8), ("hold", 2)])
def test_s42_11_the_chances_are_those_of_all_battles(stance: str, turn: int) -> None:
    units = ("9Pz", "23Pz")
    assert reckoned(position(*FRONT, turn=turn), stance, units) == fought(stance, turn, units)


def test_s42_15_3b_who_stands_beyond_the_limit_does_not_help() -> None:
    units, more = ("9Pz", "23Pz"), (("121RD", TARGET), ("212RD", TARGET), ("13GRD", TARGET))
    s = position(*FRONT, *more, turn=8)
    assert reckoned(s, "hold", units) == fought("hold", 8, units, more)
    assert reckoned(s, "hold", units) != reckoned(position(*FRONT, turn=8), "hold", units)


def test_s42_11_5_2a_desperate_defence_rolls_until_it_is_decided() -> None:
    ring = (("9Pz", 2114), ("23Pz", 2116), ("62ID", 2215), ("76ID", 2014), ("95ID", 2214), ("45ID", 2015))
    s = position(*ring, ("45RD", TARGET), turn=8)
    f = Battle(
        seat=AXIS,
        target=TARGET,
        units=(number("9Pz"), number("23Pz")),
        defenders=(number("45RD"),),
        stance="give",
    )
    found = outcomes(s, f)
    assert sum(found.values()) == 1
    assert not any(end.what == RETREATS for end in found), "there is no way out"
    assert any(end.what == GONE for end in found)
    assert s.pieces[number("45RD")].steps == 2, "nothing has happened"


def test_odds_tell_factors_shifts_leads_and_ways_back() -> None:
    s = position(*FRONT, turn=8)
    text = told(s, "2115 with 9pz 23pz")
    assert "9Pz 10; 23Pz 10" in text
    assert "elite tanks +1 (S42-9.2.2)" in text
    assert "Determined defence after DRX, DR2, A1/D1 and D1: 45RD leads" in text  # S42-11.2.2
    assert "No determined defence after D1*: " in text
    assert all(words in text for words in ("If they hold (", "If they are flexible (", "If they give ground ("))
    assert "A retreat of 2 hexes, disrupted: 45RD, 62RD by " in text
    assert "A retreat of 3 hexes, disrupted: 45RD, 62RD by " in text
    assert "If they are flexible" not in told(s, "2115 with 9pz 23pz hold")


def test_s42_11_1_2_why_nobody_stands() -> None:
    assert "Before turn 8, Soviet units need NKVD to lead" in told(position(*FRONT, turn=2), "2115")


def test_odds_say_who_could_attack_and_how_to_ask() -> None:
    s = position(*FRONT)
    assert told(s, "2115 with 76id") == "These can attack 2115: 9Pz, 23Pz."
    assert told(s, "") == USAGE
    assert told(s, "2113") == "No unit stands in 2113."
    assert "S42-18.2.1" in told(s, "2115 with 9pz guns 4pza")
