"""`odds`: strengths, what halves them, each shift with its rule, the chance of each result."""

from __future__ import annotations

import pytest

from pbem.game import Reckoning, View
from pbem.kit import Fate
from pbem_rules.stargard.frames import Activation
from pbem_rules.stargard.orders import Attack
from pbem_rules.stargard.reckon import MEANING, reckon_text
from pbem_rules.stargard.state import OUT_OF_SUPPLY, READY, REFIT, State
from pbem_rules.stargard.thrown import thrown_by
from tests.rules.stargard.sg_positions import CHART, number, position


def told(s: State, text: str, frame: Activation | None = None) -> str:
    found = reckon_text(View(s, ("soviet",), frame=frame), text)
    return found.text if isinstance(found, Reckoning) else found


def siege() -> State:
    """Pyritz, a city, with 33G/9GT beside it and 47GT/9GT over the Ploene."""
    return position(("Voigt", 1307), ("33G/9GT", 1306), ("47GT/9GT", 1407), ("48GT/12GT", 1609))


def test_sg_8_4_the_whole_reckoning_of_an_attack():
    s = siege()
    s.mark_supply(number("33G/9GT"), OUT_OF_SUPPLY)
    assert told(s, "pyritz with 33g").splitlines() == [
        "Pyritz (1307). Attack: 33G/9GT 5, halved out of supply (SG-8.4.1a), counts 2 1/2, rounded down to 2 "
        "(SG-1.1.3a).",
        "Defence: Voigt 3.",
        "2 to 3 = 1:2, city -2 (SG-8.4.2): column 1:4, below 1:2, so that the attack is cancelled (SG-1.1.3c).",
    ]
    assert told(s, "attack 1307 with 33g,47gt power 6GA").splitlines()[2:] == [
        "7 to 3 = 2:1, city -2 (SG-8.4.2), air units +2 (SG-13.1b): column 2:1.",
        "A1 1/6, Ar 1/6, A1/D1 1/6, Ar/D1 1/6, A1/Dr 1/6, Dr1 1/6.",
        *(f"  {result}: {MEANING[result]}." for result in ("A1", "Ar", "A1/D1", "Ar/D1", "A1/Dr", "Dr1")),
        "The loss of one step destroys Voigt.",
        "The city spares the defender the first step lost and the first hex of a retreat (SG-8.7, SG-9.5).",
        "If the attacker retreats 1 hex, by the usual answer: 33G/9GT 1306 > 1305; 47GT/9GT 1407 > 1506.",
        "No result empties the hex.",
    ]


def test_sg_13_0b_air_units_that_cannot_be_paid_are_not_counted():
    s = siege()
    f = Activation("soviet", "61", "army61", able=(number("33G/9GT"), number("47GT/9GT")))
    s.planes["6GA"] = s.planes["9GA"] = READY
    assert "air units +4 (SG-13.1b)" in told(s, "pyritz power 6GA 9GA", f)
    f.entries.append(Attack(1307, (number("33G/9GT"),), power=("6GA", "9GA")))
    f.fates.append(Fate.WAITING)
    assert "air units +4 (SG-13.1b)" in told(s, "pyritz power 6GA 9GA", f)  # the attack that is listed itself
    f.entries.clear()
    f.fates.clear()
    s.air_spent["soviet"] = 2
    left = "Of the 4 points of air attack in a turn 2 are left (SG-13.0b)."
    text = told(s, "pyritz power 6GA 9GA", f)
    assert "air units +2 (SG-13.1b)" in text
    assert text.splitlines()[-1] == f"9GA at power is not counted: {left}"
    assert "air units +2 (SG-13.1b)" in told(s, "pyritz air 6GA 9GA", f)
    assert "not counted" not in told(s, "pyritz air 6GA 9GA", f)
    s.planes["6GA"] = REFIT
    text = told(s, "pyritz air 6GA power 9GA", f)
    assert text.splitlines()[-1] == "6GA is not counted: 6GA cannot take part: it is being refitted (SG-13.1a)."
    assert "air units +2 (SG-13.1b)" in text
    assert "air units +3 (SG-13.1b)" in told(s, "pyritz air 6GA power 9GA")  # of an attack at some other time


def test_sg_4_4_9_2_what_a_retreat_costs_is_known_before_the_attack():
    s = position(("Voigt", 2608), ("85T", 2609), ("79GT", 2407), ("212/80", 2707))
    attacker, defender = told(s, "2609").splitlines()[-3:-1]
    assert attacker == (
        "If the attacker retreats 1 hex, by the usual answer: Voigt 2608 > 2507, into an enemy zone of control in 2507 "
        "(SG-4.4), since no way back enters fewer, which destroys it."
    )
    assert defender == (
        "If the defender retreats 1 hex, by the usual answer: 85T 2609 > 2508, into an enemy zone of control in 2508 "
        "(SG-4.4), since no way nearer to the source of supply 2101 (Soviet rear: the nearest of 0601, 2101, 3401 and "
        "4806) avoids it (SG-9.2.1), which destroys it."
    )
    s = position(("23/11SS", 2608), ("85T", 2609), ("79GT", 2407), ("212/80", 2707))
    costs = "since no way back enters fewer, which costs 1 step"
    assert f"23/11SS 2608 > 2507, into an enemy zone of control in 2507 (SG-4.4), {costs}" in told(s, "2609")
    s = position(("Voigt", 2608), ("85T", 2609))
    assert "If the attacker retreats 1 hex, by the usual answer: Voigt 2608 > 2507." in told(s, "2609")


BOTH = ("150/79", 3619), ("212/80", 3619)
BEATEN = "3620 with 150/79 212/80"


def test_sg_6_2b_a_retreat_that_goes_a_hex_further_says_why():
    full = ("Voigt", 3519), ("Suelberg", 3519), ("Oehms/27SS", 3520), ("Rehman/27SS", 3520)
    why = "Schaefer 3620 > 3520 > 3420, a hex more, since there is no room in 3520 (SG-6.2)."
    found = reckon_text(View(position(*BOTH, ("Schaefer", 3620), *full), ("soviet",)), BEATEN)
    assert isinstance(found, Reckoning)
    assert why in found.text
    assert ("3620", "3520", "3420") in found.ways  # which are drawn on the map


@pytest.mark.parametrize(
    ("defenders", "ends"),
    [
        (["Voigt"], "Every result empties the hex."),
        (["Oehms/27SS"], "Chance that the hex is emptied: 1/3."),  # A1/Dr and Dr1: it has two steps
        (["Voigt", "F-Arnswalde"], "No result empties the hex."),  # SG-12.3b
    ],
)
def test_sg_10_0a_the_chance_that_the_hex_is_emptied_ends_the_odds(defenders, ends):
    found = reckon_text(View(position(*BOTH, *((code, 3620) for code in defenders)), ("soviet",)), BEATEN)
    assert isinstance(found, Reckoning)
    assert found.text.splitlines()[-1] == ends
    assert found.figures["emptied"] == {"E": "1", "C": "1/3", "N": "0"}[ends[0]]


def test_sg_9_4_a_hex_is_not_emptied_by_those_that_cannot_go():
    around = zip(("171/79", "33/12G", "52G/12G", "23/89", "356/80"), (3519, 3520, 3621, 3719, 3720), strict=True)
    s = position(*BOTH, ("Oehms/27SS", 3620), *around)
    assert told(s, BEATEN).splitlines()[-1] == "No result empties the hex."


def test_sg_12_1b_odds_of_the_first_turn_say_which_army_reacts():
    units = ("24/11SS", 2608), ("11A/11SS", 2608), ("212/80", 2609), ("61-HQ", 2508)
    army = "After this activation 61st Army (2 units in command) reacts: it moves and attacks at once"
    assert army in told(position(*units, turn=1), "2609")
    assert "reacts" not in told(position(*units, turn=2), "2609")
    assert "reacts" not in told(position(*units[:3], turn=1), "2609")  # SG-12.1f
    s = position(*units, turn=1)
    s.acted = ("army61",)
    assert "reacts" not in told(s, "2609")  # SG-12.1c


def test_sg_9_4_a_retreat_that_finds_no_way_is_known_before_the_attack():
    around = [place for place in CHART.board.near[2608] if place != 2609]
    ring = zip(("212/80", "356/80", "150/79", "171/79", "33/12G"), around, strict=True)
    s = position(("Voigt", 2608), ("85T", 2609), *ring)
    assert "by the usual answer: Voigt cannot leave 2608 (SG-9.4), which destroys it." in told(s, "2609 with voigt")


def test_sg_12_3b_a_fortress_never_retreats():
    s = position(("Voigt", 2608), ("85T", 2609), ("F-Arnswalde", 2608))
    (line,) = (line for line in told(s, "2609").splitlines() if line.startswith("If the attacker retreats"))
    assert "usual answer: Voigt 2608 > 2507." in line


def test_sg_8_4_the_figures_for_programs():
    found = reckon_text(View(siege(), ("soviet",)), "pyritz with 47gt")
    assert isinstance(found, Reckoning)
    assert found.figures["attack"] == "5"
    assert found.figures["units"] == ["47GT/9GT"]
    assert found.figures["shifts"] == [{"by": -2, "rule": "SG-8.4.2", "why": "city"}]
    assert found.figures["column"] == "1:3"
    assert found.figures["chances"] == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write a hex with enemies"),
        ("stargard", "No unit stands in Stargard (1714)."),
        ("nowhere", "Write a hex with enemies"),
        ("pyritz with 48gt/12gt", "These can attack Pyritz (1307): 33G/9GT, 47GT/9GT."),
        ("pyritz air 1jg", "At most 2 air units take part (SG-13.1c): 6GA, 9GA."),
    ],
)
def test_what_cannot_be_reckoned_says_why(text, says):
    assert says in told(siege(), text)


def test_sg_12_2_6_a_headquarters_alone_is_captured_and_not_attacked():
    s = siege()
    s.put(number("61-HQ"), 2109)
    assert told(s, "2109") == "Only a headquarters stands there: it is captured by moving in (SG-12.2.6)."


def test_sg_3_0_in_an_activation_those_that_it_activates_attack():
    s = siege()
    f = Activation("soviet", "2GT", "gt2", able=(number("47GT/9GT"),))
    assert "Attack: 47GT/9GT 5." in told(s, "pyritz", f)
    s.pin(number("47GT/9GT"))
    assert "Attack: 33G/9GT 5." in told(s, "pyritz")


def test_sg_8_1a_every_result_has_its_meaning():
    assert MEANING["A2"] == "the attacker loses 2 steps"
    assert MEANING["Ar/D1"] == "the attacker retreats 1 hex, the defender loses 1 step"
    assert MEANING["D2r3"] == "the defender loses 2 steps and retreats 3 hexes"


def test_dice_belong_to_the_attacker():
    assert thrown_by("t3/german/a12/1307") == ("german",)
    assert thrown_by("t3/chit2") == thrown_by("t3/event") == thrown_by("german") == ()
