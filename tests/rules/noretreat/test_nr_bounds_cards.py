"""NR-13: on what each event can be played, all of it at a look, and when it just cannot."""

from __future__ import annotations

import pytest
from noretreat_cards import attack, defend, fought, through, until
from noretreat_positions import CHART, CODES, asked, battle, cities, fight, position, prompt_of, rule_of, table, where

from pbem.engine.event import Out
from pbem.engine.rows import Rows
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.cards.base import EVENTS, At, Moment, target_text
from pbem_rules.noretreat.cards.combat import within_march
from pbem_rules.noretreat.cards.moves import EndOfRoom
from pbem_rules.noretreat.cards.shifts import near
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Fought, Moved, Repeated, Scored
from pbem_rules.noretreat.frames import Action, DrawCards, PlayerTurn
from pbem_rules.noretreat.orders import Attack
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.supply import land_supplied
from pbem_rules.noretreat.windows import OpenAfterCombat, OpenDealt, OpenMoved, can_play

FEW = {
    "4": "2109", "6": "2109", "1Pz": ("2210", "-"), "KG1": "2011", "2Hun": "2010", "NW": "2209", "Res": "2208",
    "Len": ("2310", "+"), "Ost": "2309", "Cau": ("2410", "+"), "Bry": "Shattered", "Cen": "Destroyed",
    "Kal": "Captured", "9": ("Destroyed", "-"),
}  # fmt: skip


def choices(s, side, card, moment):
    """On what the event can be played, as it is typed; the rule that forbids it now, if one does."""
    held, at = EVENTS[side, card], At(side, Moment(moment))
    wrong = held.ready(s, at)
    if wrong is not None:
        return wrong.rule
    found = list(held.choices(s, at))
    assert all(held.check(s, at, targets) is None for targets in found)
    return [" ".join(target_text(s, target).split(" (")[-1].strip(")") for target in targets) for targets in found]


@pytest.mark.parametrize(
    ("side", "card", "moment", "found"),
    [
        (SOVIET, 1, "any", ["card 5"]),
        (AXIS, 21, "any", ["card 5", "card 22", "card 30", "card 35"]),
        (SOVIET, 2, "any", ["Cen", "Cen Bry", "Cen Kal", "Bry", "Bry Kal", "Kal"]),
        (SOVIET, 5, "before", ["4", "6", "KG1", "2Hun"]),
        (AXIS, 10, "supply", ["Res"]),
        (SOVIET, 38, "any", ["Ost Cen", "Ost Kal"]),
        (AXIS, 17, "move", ["2010", "2011", "2109"]),
        (AXIS, 6, "removal", ["2210"]),
        (SOVIET, 7, "cards", ["2105", "2311"]),
        (AXIS, 3, "organise", [f"9 {to}" for to in ("0113", "0210", "0316", "0410", "0412", "0611", "0708")]),
        (AXIS, 45, "any", ["=1", "=2"]),
        (SOVIET, 25, "any", ["=1", "=2"]),
    ],
)
def test_nr_13_01s_13_21a_13_02s_13_05s_13_10a_13_38s_13_17a_13_06a_13_03a_targets(side, card, moment, found):
    held = cities(SOVIET, "Gorki", "Saratov")
    s = position(FEW, turn=8, cut=("1Pz", "Res"), discards=(30, 22, 35, 5), held=held)
    assert choices(s, side, card, moment) == found


def test_nr_13_04s_13_09a_on_what_targets_allow():
    units = {"NW": "Voronezh", "4": "1911", "9": "2012", "Res": "Rail", "6": "2109", "Mos": ("2108", "+")}
    s = position(units, targets=("Voronezh", "2108"))
    beside = ("1811", "1812", "1813", "1913", "2007", "2008", "2009", "2107", "2208")
    assert choices(s, SOVIET, 4, "targeted") == [f"Res {cell}" for cell in beside]
    assert choices(s, AXIS, 9, "targeted") == ["2108"]
    full = position({**units, "Kal": "2208", "Bry": "2009"}, targets=("2108",))
    assert choices(full, SOVIET, 4, "targeted") == ["Res 2007", "Res 2008", "Res 2107"]
    assert choices(position(units), SOVIET, 4, "targeted") == "NR-13.04S"  # no target
    assert choices(position({**units, "Res": "2410"}, targets=("2108",)), SOVIET, 4, "targeted") == "NR-13.04S"


def test_nr_13_26a_13_32s_13_01a_13_34a_markers_for_a_card():
    units = {"4": "2109", "6": "2111", "9": "2413", "NW": "2209", "Res": "2211", "Cen": "2412"}
    own = ["2209", "2209 2211", "2209 2412", "2211", "2211 2412", "2412"]
    assert choices(position(units), SOVIET, 32, "blows") == own
    theirs = position(units, active=SOVIET)
    assert choices(theirs, AXIS, 26, "blows") == ["2109", "2109 2111", "2109 2413", "2111", "2111 2413", "2413"]
    assert choices(theirs, AXIS, 1, "blows") == ["2109", "2109 2111", "2111", "2413"]  # at most two hexes apart
    assert choices(position(units), AXIS, 1, "blows") == "NR-13.01A"
    four = {"4": "2109", "NW": "2209", "Res": "2208", "Cen": "2210"}
    marked = {"2209": AXIS, "2208": AXIS, "2210": AXIS, "2109": SOVIET}
    s = position(four, blows=marked)
    found = ["2208", "2208 2209", "2208 2210", "2209", "2209 2210", "2210"]
    assert choices(s, AXIS, 34, "targeted") == choices(s, AXIS, 34, "turn_end") == found


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        (2209, 2209, True), (2209, 2309, True), (2209, 2211, True), (2209, 2509, False), (9001, 1302, True),
        (9001, 1402, True), (9001, 1502, False), (9002, 9003, True), (9002, 418, True), (9001, 9002, False),
        (117, 521, False),  # both touch 9002, and lie far apart
    ],
)  # fmt: skip
def test_nr_13_01a_13_22s_what_is_near(a, b, found):
    s = position({})
    assert near(s, a, b) == near(s, b, a) == found


EAST = {f"{city:04d}": SOVIET for city in CHART.cities if city > 700}  # all cities but those of the Reich

BATTLE = {"4": "2109", "6": "2110", "2Hun": "2109", "NW": "2209", "Res": "2208", "Don": "2209"}


def fought_by(by, target, *, units=None, cut=(), more=None, **kept):
    s = position(units or BATTLE, cut=cut, **kept)
    s.fight = fight(s, by, target, **(more or {}))
    return s


@pytest.mark.parametrize(
    ("side", "card", "moment", "found"),
    [
        (AXIS, 29, "rolled", ["4"]),  # German, in supply
        (SOVIET, 23, "battle", ["NW", "Res"]),
        (SOVIET, 22, "battle", ["", "2110"]),
        (SOVIET, 17, "battle", ["4", "2Hun"]),
        (SOVIET, 54, "battle", "NR-13.54S"),
        (SOVIET, 46, "battle", "NR-13.46S"),
        (AXIS, 8, "battle", "NR-13.08A"),
        (SOVIET, 39, "battle", [""]),
        (AXIS, 27, "battle", "NR-13.27A"),
        (AXIS, 1, "battle", "NR-13.01A"),
        (SOVIET, 28, "battle", [""]),
        (AXIS, 28, "battle", [""]),
        (SOVIET, 47, "battle", "NR-13.47S"),
        (SOVIET, 50, "battle", "NR-13.50S"),
        (SOVIET, 3, "battle", "NR-13.03S"),
        (AXIS, 19, "aftermath", "NR-13.19A"),
        (AXIS, 4, "battle", [""]),
        (SOVIET, 42, "battle", "NR-13.42S"),
    ],
)
def test_nr_13_29a_13_23s_13_22s_13_17s_13_54s_13_39s_13_28a_13_19a_13_42s_in_an_attack(side, card, moment, found):
    s = fought_by("NW Res", "2109", turn=14, active=SOVIET, cut=("6",), targets=("2110", "2413"))
    assert choices(s, side, card, moment) == found


def test_nr_13_22s_the_other_attack_may_be_a_forced_one():
    s = fought_by("NW Res", "2109", turn=14, active=SOVIET, blows={"2110": SOVIET, "2209": AXIS})
    assert choices(s, SOVIET, 22, "battle") == ["", "2110"]  # 2209 the Axis must attack


def test_nr_13_46s_13_54s_13_08a_13_47s_13_50s_13_03s_what_a_battle_must_be():
    tanks = {"4": "2109", "Cau": ("2209", "+"), "NW": "2208"}
    s = fought_by("Cau NW", "2109", units=tanks, turn=24, active=SOVIET)
    assert choices(s, SOVIET, 46, "battle") == [""]
    assert choices(fought_by("Cau", "2109", units=tanks, turn=24, active=SOVIET), SOVIET, 46, "battle") == "NR-13.46S"
    assert choices(fought_by("NW", "2109", units=tanks, turn=24, active=SOVIET), SOVIET, 46, "battle") == "NR-13.46S"
    for cut in ("Cau", "NW"):
        one = fought_by("Cau NW", "2109", units=tanks, turn=24, active=SOVIET, cut=(cut,))
        assert choices(one, SOVIET, 46, "battle") == "NR-13.46S"
    mech = fought_by("Cau Don", "2109", units={**tanks, "Don": "2208"}, turn=24, active=SOVIET)
    assert mech.has(CODES["Don"], "mech")
    assert choices(mech, SOVIET, 46, "battle") == "NR-13.46S"  # no infantry
    clear = fought_by("Cau", "2109", units=tanks, turn=27, active=SOVIET)
    assert choices(clear, SOVIET, 54, "battle") == [""]
    assert choices(clear, AXIS, 8, "battle") == [""]  # it takes the shift away
    own = fought_by("1Pz", "2209", units={"1Pz": "2109", "Don": "2209"}, active=AXIS)
    assert choices(own, AXIS, 8, "battle") == [""]  # it gives one
    has = fought_by("1Pz", "2209", units={"1Pz": "2109", "NW": "2209"}, active=AXIS)
    assert choices(has, AXIS, 8, "battle") == "NR-13.08A"
    wood = fought_by("1Pz", "2108", units={"1Pz": "2109", "Don": "2108"}, active=AXIS)
    assert choices(wood, AXIS, 8, "battle") == "NR-13.08A"
    again = fought_by("1Pz", "2209", units={"1Pz": "2109", "Don": "2209"}, active=AXIS, more={"counter": True})
    assert choices(again, AXIS, 8, "battle") == "NR-13.08A"
    fort = {"Fest1": "2109", "NW": "2209", "4": "2110"}
    assert choices(fought_by("NW", "2109", units=fort, turn=24, active=SOVIET), SOVIET, 47, "battle") == [""]
    works = fought_by("NW", "2110", units=fort, turn=24, active=SOVIET, works=(2110,))
    assert choices(works, SOVIET, 47, "battle") == [""]
    bare = fought_by("NW", "2110", units=fort, turn=24, active=SOVIET, works=(2109,))
    assert choices(bare, SOVIET, 47, "battle") == "NR-13.47S"
    posen = {"4": "Posen", "NW": "0411", "6": "0611", "Cen": "0711"}
    assert choices(fought_by("NW", "Posen", units=posen, turn=24, active=SOVIET), SOVIET, 50, "battle") == [""]
    warsaw = fought_by("Cen", "Warsaw", units=posen, turn=24, active=SOVIET)
    assert choices(warsaw, SOVIET, 50, "battle") == "NR-13.50S"
    sea = {"4": "Odessa", "NW": "1320", "6": "1318"}
    assert choices(fought_by("NW", "Odessa", units=sea, active=SOVIET), SOVIET, 3, "battle") == [""]
    assert choices(fought_by("NW", "1318", units=sea, active=SOVIET), SOVIET, 3, "battle") == "NR-13.03S"
    ours = {"NW": "Odessa", "4": "1320"}
    assert choices(fought_by("4", "Odessa", units=ours, active=AXIS), SOVIET, 3, "battle") == [""]


def test_nr_13_27a_13_39s_13_16a_rivers_and_dice_rolled_again():
    units = {"4": "2209", "NW": "2309", "6": "2308"}
    across = fought_by("4", "2309", units=units, active=AXIS)
    assert choices(across, AXIS, 27, "battle") == ["=1", "=2"]
    for by, more, kept in (
        ("4 6", {}, {}), ("4", {"counter": True}, {}), ("4", {"forced": True}, {}), ("4", {}, {"turn": 10}),
    ):  # fmt: skip
        s = fought_by(by, "2309", units=units, active=AXIS, more=more, **kept)
        assert choices(s, AXIS, 27, "battle") == "NR-13.27A"
    rolled = fought_by("4", "2309", units=units, active=AXIS, more={"die": 4})
    assert choices(rolled, AXIS, 27, "rolled") == [""]
    other = fought_by("4", "2309", units=units, active=AXIS, more={"die": 1})
    assert choices(other, AXIS, 27, "rolled") == "NR-13.27A"
    assert choices(rolled, AXIS, 44, "rolled") == [""]
    assert choices(other, AXIS, 44, "rolled") == "NR-13.44A"


def test_nr_13_25a_13_48a_13_49a_13_51a_what_comes_back_to_the_reich():
    units = {
        "KG1": "Available Cadres", "KG2": "Available Cadres", "4": "Warsaw", "VPos": "Volkssturm out",
        "VVie": "Volkssturm out", "VKoe": "Volkssturm out", "VBre": "Volkssturm out", "NW": "2410",
        "2Hun": "Budapest", "VBer": "0210",
    }  # fmt: skip
    held = cities(AXIS, "Warsaw", "Berlin", "Posen", "Vienna", "Koenigsberg", "Budapest")
    s = position(units, turn=24, held=held, triggers=Rows({"gg": 20}))
    reich = ("0210", "0316", "0410", "0708")
    assert choices(s, AXIS, 48, "organise") == [
        "BerG 0210", *(f"Fest1 {cell}" for cell in reich), *(f"Fest2 {cell}" for cell in reich),
    ]  # fmt: skip
    assert choices(position(units, turn=24, held=held, triggers=Rows({"gg": 24})), AXIS, 48, "organise") == [
        "BerG 0210"
    ]
    assert choices(position(units, turn=28, held=held), AXIS, 48, "organise") == []
    there = position({**units, "BerG": "0210", "Fest1": "0410"}, turn=24, held=held, triggers=Rows({"gg": 20}))
    assert choices(there, AXIS, 48, "organise") == [f"Fest2 {cell}" for cell in reich[1:]]  # Berlin is full
    assert choices(s, AXIS, 49, "organise") == [
        "VKoe", "VKoe VVie", "VKoe VVie VPos", "VKoe VPos", "VVie", "VVie VPos", "VPos",
    ]  # fmt: skip
    assert choices(s, AXIS, 51, "drawn") == ["", "4"]
    found = choices(position(units, turn=14, held=held), AXIS, 25, "organise")
    cells = ("0210", "0316", "0410", "0417", "0611", "0708")
    assert {text for text in found if len(text.split()) == 2} == {
        f"{code} {cell}" for code in ("KG1", "KG2") for cell in cells
    }  # fmt: skip
    pairs = {text for text in found if len(text.split()) == 4}
    assert pairs == {
        f"KG1 {a} KG2 {b}" for a in cells for b in cells if a != b or a not in ("0210", "0417", "0611")
    }  # fmt: skip - where one stands already there is room for one


def test_nr_13_14s_three_hexes_that_touch():
    units = {"NW": "2209", "Res": "2210", "4": "2109", "Cen": "2412"}
    s = position(units, turn=14, active=SOVIET)
    assert choices(s, SOVIET, 14, "move") == ["2209 2210 2310", "2209", "2210", "2412"]
    event, at = EVENTS[SOVIET, 14], At(SOVIET, Moment.MOVE)

    def ok(*cells):
        return event.check(s, at, cells) is None

    assert ok(2310)
    assert ok(2209, 2310)
    assert ok(2310, 2210, 2209)
    assert not ok()
    assert not ok(2209, 2209)
    assert not ok(2209, 2310, 2210, 2311)
    assert not ok(2209, 2310, 2210, 2209)
    assert not ok(2209, 2311)
    assert not ok(2109)
    assert not ok(9999)
    assert not ok(2209, 2210, 2211)
    assert not ok(1419, 1420) or s.chart.land & s.chart.board.bit[1419]


def test_nr_13_36a_where_a_stack_can_strike():
    units = {"4": "2008", "6": "2008", "Fin": "Finland", "NW": "2210", "Res": "2412"}
    s = position(units, active=SOVIET)
    assert choices(s, AXIS, 36, "moved") == ["2008 2109", "2008 2110"]
    mud = position(units, turn=9, weather="mud", active=SOVIET)
    assert choices(mud, AXIS, 36, "moved") == ["2008 2109", "2008 2110"]
    full = position({**units, "9": "2109"}, active=SOVIET)
    assert "2008 2109" not in choices(full, AXIS, 36, "moved")
    d = table(units, OpenMoved, side=SOVIET, axis=(36,)).order(AXIS, "event 36 2008 2110")
    assert (where(d, "4"), where(d, "6"), d.state.blows) == ("2110", "2110", {2110: SOVIET})


def test_nr_13_24s_13_41a_13_07s_units_that_come_and_markers_that_are_laid():
    lost = tuple(Effect("lost", side, CODES[code], until="phase") for side, code in ((SOVIET, "Kal"), (AXIS, "6")))
    units = {"4": "2109", "Kal": "Destroyed", "Bry": "Destroyed", "NW": "2410", "6": "Destroyed"}
    d = table(units, OpenAfterCombat, side=AXIS, soviet=(24,), effects=lost)
    assert rule_of(d, "event 24 Bry Gorki") == "NR-13.24S"
    d.order(SOVIET, "event 24 Kal Gorki")
    assert where(d, "Kal") == "2105"
    assert not d.state.is_tired(CODES["Kal"])
    back = position({**units, "Kal": "2409"}, effects=lost)
    assert choices(back, SOVIET, 24, "after_combat") == []
    s = position({"4": "2109", "6": "0611", "Fin": "Finland"}, turn=20, works=(611,),
                 held={**cities(AXIS, "Warsaw", "Berlin"), "2009": AXIS})  # fmt: skip
    assert choices(s, AXIS, 41, "organise") == ["0210", "2109"]
    event, at = EVENTS[AXIS, 41], At(AXIS, Moment.ORGANISE)
    assert event.check(s, at, (2009,)) is None
    assert [event.check(s, at, targets) is None for targets in ((611,), (2209,), (9001,), (2009, 2109), ())] == [
        False, False, False, False, False,
    ]  # fmt: skip
    burnt = position({"4": "2109"}, scorched=(2105,), held=cities(SOVIET, "Gorki", "Saratov"))
    assert choices(burnt, SOVIET, 7, "cards") == ["2311"]
    EVENTS[SOVIET, 7].play(burnt, At(SOVIET, Moment.CARDS), (2311,), Out())
    assert [burnt.is_city(cell) for cell in (2105, 2311, 1707)] == [False, False, True]


def test_nr_13_44s_13_13a_13_20s_boundaries_of_dates_and_weather():
    units = {"4": "2109", "3Rum": "1117", "NW": "2409"}
    for turn, hand, rule in ((10, (1,), []), (10, (), "NR-13.44S"), (11, (), []), (11, (1,), [])):
        found = choices(position(units, turn=turn, axis=hand), SOVIET, 44, "after_cards")
        assert (found == "NR-13.44S") == (rule == "NR-13.44S"), (turn, hand)
    ten = table(units, OpenDealt, turn=10, soviet=(44,), axis=(1, 30))
    while asked(ten) != "cards_window soviet":
        ten.order(ten.asked[0], "pass")
    through(ten.order(SOVIET, "event 44"))
    assert asked(ten) == "tribute axis"
    assert rule_of(ten, "drop 1") == ""
    assert rule_of(ten, "lose 3Rum") == "NR-13.44S"
    for card, side, weather, rule in (
        (13, AXIS, "clear", True), (13, AXIS, "mud", False), (20, SOVIET, "mud", False), (20, SOVIET, "clear", True),
    ):  # fmt: skip
        s = position(units, turn=9, weather=weather, active=side)
        assert (choices(s, side, card, "cards") == [""]) == rule
    assert choices(position(units, turn=10, active=SOVIET), SOVIET, 20, "cards") == [""]
    assert choices(position(units, turn=10, active=AXIS), AXIS, 13, "cards") == "NR-13.13A"


@pytest.mark.parametrize(("turn", "bonus", "columns"), [(12, 4, 1), (16, 4, 1), (17, 6, 2), (20, 6, 2)])
def test_nr_13_23s_13_28s_1944_begins_with_turn_17(turn, bonus, columns):
    kept = {"turn": turn} if turn != 12 else {"turn": 12, "weather": "mud"}
    assert fought(defend(23, soviet=True, **kept).order(SOVIET, "event 23 NW")).attack == 7 + bonus
    told = fought(defend(28, soviet=True, **kept).order(SOVIET, "event 28")).shifts
    assert f"+{columns}" in {text.rpartition(" ")[2] for text in told}


def test_nr_13_18s_13_24a_the_whole_phase():
    units = {"4": "2109", "6": "2109", "9": "2111", "11": "2111", "NW": "2209", "Bry": "2211"}
    dice = {"t8/axis/2209/crt": 4, "t8/axis/2211/crt": 4}
    d = table(units, ListBattles, targets=("2209", "2211"), frame=PlayerTurn(AXIS), dice=dice, soviet=(18, 43))
    d.order(AXIS, "attack 2209 with 4 6", "done")
    until(d, "battle_window soviet").order(SOVIET, "event 18")
    through(d)
    assert d.events(Fought)[0].result == "EX"
    while asked(d) != "battles axis":
        d.order(d.asked[0], next(iter(d.legal(d.asked[0]))))
    d.order(AXIS, "attack 2211 with 9 11 ask")
    through(d)
    assert d.events(Fought)[0].result == "EX"  # in the next battle too
    while asked(d).split()[0] in ("loss", "cadre"):
        d.order(d.asked[0], next(iter(d.legal(d.asked[0]))))
    through(d)
    assert not d.state.effect("retreat_is_exchange")  # the phase is over


def test_nr_5_22_5_12_who_is_asked_by_what_everybody_knows():
    s = position({"4": "2109", "NW": "2209"}, turn=8, axis=(5,), soviet=(6,))
    assert can_play(s, SOVIET, (Moment.CARDS,))
    empty = position({"4": "2109", "NW": "2209"}, turn=8, axis=(5,))
    assert not can_play(empty, SOVIET, (Moment.CARDS,))  # no card
    gone = position({"4": "2109", "NW": "2209"}, turn=8, soviet=(6,), discards=(43, 18, 36, 39, 12))
    assert not can_play(gone, AXIS, (Moment.MOVED,))
    out = position({"4": "0210", "NW": "2410"}, turn=8, active=SOVIET, axis=(6,), discards=(43, 18, 36, 39, 12))
    assert not can_play(out, AXIS, (Moment.MOVED,))  # all that fits lies open
    one = position({"4": "0210", "NW": "2410"}, turn=8, active=SOVIET, axis=(6,), discards=(43, 36, 39, 12))
    assert can_play(one, AXIS, (Moment.MOVED,))


def test_nr_5_20_13_31a_13_36s_of_a_chain_an_odd_number_cancels():
    units = {"4": "2109", "6": "0611", "NW": "2409", "Res": "2410"}

    def played(*answers):
        d = table(units, Organise, side=SOVIET, soviet=(6, 15, 36), axis=(14, 31, 33)).order(SOVIET, "event 6")
        for number in answers:
            d.order(d.asked[0], f"event {number}")
        while asked(d).startswith("answer"):
            d.order(d.asked[0], "pass")
        return asked(d) == "loss axis", d

    assert played()[0]
    assert not played(14)[0]
    assert played(14, 15)[0]
    assert played(14, 36)[0]
    lost, d = played(14, 15, 31)
    assert not lost
    assert 15 in d.state.hand(AXIS)  # card 31 takes the card that it cancels
    kept, e = played(31)
    assert not kept
    assert 6 in e.state.hand(AXIS)
    took, second = played(31, 15, 14)  # 14 cancels 15, so that 31 stands and takes card 6
    assert not took
    assert 6 in second.state.hand(AXIS)
    cancelled, third = played(14, 15, 31, 36)
    assert cancelled
    assert 31 in third.state.hand(SOVIET)
    again, f = played(31, 15)
    assert again
    assert 6 in f.state.deck.discards
    d = table(units, Organise, side=SOVIET, soviet=(6, 15), axis=(14, 7)).order(SOVIET, "event 6")
    assert asked(d) == "answer axis"
    texts = {str(o.card).split("#")[0] for o in d.legal(AXIS) if o.kind == "event"}
    assert len(texts) == 1  # card 7 answers upgrades and returns only
    assert rule_of(d, "event 7") == "NR-13.07A"


def test_nr_13_07a_13_31s_13_14a_what_they_answer():
    def answered(side, card, action):
        s = position({"4": "2109", "NW": "2209"}, turn=14 if card == 31 and side == SOVIET else 8)
        wrong = EVENTS[side, card].unfit(s, At(side, Moment.ANSWER, action))
        return wrong is None

    def action(side, *cards, purpose="", targets=(), chain=()):
        return Action(side, "organise", cards, targets, purpose, chain)

    for side, made, ok in (
        (SOVIET, action(SOVIET, 5, purpose="upgrade"), True),
        (SOVIET, action(SOVIET, purpose="upgrade"), True),  # a free one
        (SOVIET, action(SOVIET, 5, purpose="return"), True),
        (SOVIET, action(SOVIET, 5, purpose="rail"), False),
        (SOVIET, action(SOVIET, 33), True),
        (SOVIET, action(SOVIET, 38), True),
        (SOVIET, action(SOVIET, 34), False),
        (SOVIET, action(SOVIET, 8, targets=(20001,)), True),
        (SOVIET, action(SOVIET, 8, targets=(30001,)), False),
        (SOVIET, action(SOVIET, 5, purpose="upgrade", chain=(14,)), False),
        (AXIS, action(AXIS, 5, purpose="upgrade"), False),
    ):
        assert answered(AXIS, 7, made) == ok, made
        assert side in (AXIS, SOVIET)
    for made, ok in (
        (action(AXIS, 5, purpose="return"), True),
        (action(AXIS, 5, purpose="upgrade"), False),
        (action(AXIS, 3), True),
        (action(AXIS, 30), True),
        (action(AXIS, 31), False),
        (action(AXIS, 3, chain=(15,)), False),
        (action(SOVIET, 5, purpose="return"), False),
    ):
        assert answered(SOVIET, 31, made) == ok, made
    for card, made, ok in (
        (14, action(SOVIET, 5, purpose="rail"), True),
        (14, action(SOVIET, 5), True),
        (14, action(SOVIET, purpose="upgrade"), False),  # no card
        (14, action(SOVIET, purpose="upgrade", chain=(7, 15)), True),
        (31, action(SOVIET, 5, purpose="return"), False),
        (31, action(SOVIET, 5, purpose="upgrade"), True),
        (31, action(SOVIET, 5, purpose="return", chain=(7, 15)), True),
    ):
        assert answered(AXIS, card, made) == ok, (card, made)
    assert not answered(AXIS, 14, None)


def test_nr_13_45s_13_46a_13_47a_13_48s_13_49s_13_50a_13_52s_points_of_the_last_year():
    """A point and so many cards if it holds; a point less and so many if not."""
    for side, card, units, held, vp, cards in (
        (SOVIET, 45, {}, {"Budapest": SOVIET}, 1, 1), (SOVIET, 45, {}, {}, -1, 1),
        (AXIS, 46, {"BerG": "Berlin"}, {}, -1, 2), (AXIS, 46, {"BerG": "Posen"}, {}, 0, 0), (AXIS, 46, {}, {}, 0, 0),
        (AXIS, 47, {"4": "2109", "6": "0210"}, {}, -1, 1), (AXIS, 47, {"6": "0210", "2Hun": "2109"}, {}, 1, 1),
        (SOVIET, 48, {}, {"Finland": SOVIET}, 1, 0), (SOVIET, 48, {}, {}, -1, 0),
        (SOVIET, 49, {}, {"Ploesti": SOVIET}, 1, 0), (SOVIET, 49, {}, {}, -1, 0),
        (AXIS, 50, {}, {}, -1, 2), (AXIS, 50, {}, {"Koenigsberg": SOVIET}, 1, 1),
        (SOVIET, 52, {}, {"Belgrade": SOVIET, "9002": SOVIET, "9003": SOVIET}, 1, 1),
        (SOVIET, 52, {}, {"Belgrade": SOVIET, "9002": SOVIET}, -1, 1),
        (SOVIET, 52, {}, {"9003": SOVIET, "9002": SOVIET}, -1, 1),
    ):  # fmt: skip
        s = position({"NW": "2410", **units}, turn=24, held=held)
        out = Out()
        frame = EVENTS[side, card].play(s, At(side, Moment.DRAWN), (), out)
        assert s.event_vp == vp, (side, card)  # as the Soviets count
        assert (frame.count if isinstance(frame, DrawCards) else 0) == cards, (side, card)
        assert len([x for x in out.events if isinstance(x, Scored)]) == (1 if vp else 0)


def test_nr_13_10s_who_goes_by_rail_at_once_and_how_many():
    units = {
        "4": "2109", "NW": "2209", "Res": "2412", "Cen": "2411", "Mos": ("Moscow", "+"), "Bry": "2410", "Kal": "Rail",
    }  # fmt: skip
    d = table(units, OpenDealt, side=SOVIET, soviet=(10,), turn=1, cut=("Bry",)).order(SOVIET, "event 10")
    codes = {text.split()[1] for text in map(str, _texts(d)) if text.startswith("unload")}
    assert codes == {"NW", "Res", "Cen"}  # in supply, mobile, on the map
    d.order(SOVIET, "unload NW Gorki")
    assert {text.split()[1] for text in _texts(d) if text.startswith("unload")} == {"Res", "Cen"}
    assert [rule_of(d, f"unload {text}") for text in ("NW Saratov", "Kal Saratov", "Bry Saratov", "Res 9999")] == [
        "NR-13.10S", "NR-13.10S", "NR-13.10S", "NR-8.21",
    ]  # fmt: skip
    d.order(SOVIET, "unload Cen Saratov")
    assert asked(d) != "surprise soviet"
    assert (where(d, "NW"), where(d, "Cen"), where(d, "Res")) == ("2105", "2311", "2412")
    none = table(units, OpenDealt, side=SOVIET, soviet=(10,), turn=1).order(SOVIET, "event 10", "done")
    assert asked(none) != "surprise soviet"


def _texts(driver):
    from noretreat_positions import offered

    return offered(driver)


def test_nr_13_37s_13_44s_what_a_tribute_can_be():
    units = {"4": "2109", "6": "0611", "3Rum": "1117", "NW": "2409"}
    d = table(units, Organise, side=SOVIET, soviet=(37,), axis=(5, 30, 12), turn=14).order(SOVIET, "event 37")
    through(d)
    assert _texts(d) == {"drop 5", "drop 12", "drop 30", "drop 5,12", "drop 5,30", "drop 12,30"}
    assert rule_of(d, "drop 5 5") == "NR-5.2"
    assert rule_of(d, "lose 4") != ""
    late = table(units, OpenDealt, turn=11, soviet=(44,), axis=(5,))
    while asked(late) != "cards_window soviet":
        late.order(late.asked[0], "pass")
    through(late.order(SOVIET, "event 44"))
    assert where(late, "3Rum") == "Destroyed" or _texts(late) == {"lose 3Rum"}


def test_nr_13_04s_not_where_no_supply_path_leads():
    units = {"4": "1206", "NW": "1207", "Res": "Rail"}
    far = position(units, targets=("1207",), held=cities(SOVIET, "Gorki"))
    assert choices(far, SOVIET, 4, "targeted") == []  # though it could march there
    near_by = position(units, targets=("1207",), held={**cities(SOVIET, "Gorki", "Minsk", "Smolensk", "Moscow")})
    assert choices(near_by, SOVIET, 4, "targeted")


def test_nr_13_04s_6_4_8_4_where_a_supply_path_leads_and_no_march():
    # Supply crosses the lake into 1104; units do not, and over land they would go from one enemy zone into the next.
    lake = position({"1Pz": "1005", "2Pz": "0903", "Res": "Rail"}, targets=("1005",), held=EAST)
    assert land_supplied(lake, SOVIET, 3) & CHART.board.mask((1103, 1204))
    assert choices(lake, SOVIET, 4, "targeted") == ["Res 0905", "Res 1006", "Res 1105", "Res 1106"]
    # A target beside the lake: the hex beyond it is none beside it.
    shore = position({"4": "1204", "NW": "1303", "Res": "Rail"}, targets=("1204",), held=EAST)
    assert land_supplied(shore, SOVIET, 3) & CHART.board.bit[1104]
    assert 1104 in within_march(shore, SOVIET)
    assert "Res 1104" not in choices(shore, SOVIET, 4, "targeted")
    cut = position({"4": "2209"}, cut=("4",))
    assert 2209 not in within_march(cut, SOVIET)  # nor through an enemy without a zone
    # A friend in 0806 lets supply through; a march ends there, in the enemy zone, and does not go round to 0805.
    belt = position({"1Pz": "0906", "NW": "0806", "Res": "Rail"}, targets=("0906",), held=EAST)
    assert within_march(belt, SOVIET) & {806, 705, 805} == {806}
    assert choices(belt, SOVIET, 4, "targeted") == ["Res 0807", "Res 0907", "Res 1006"]


def test_nr_13_36a_13_14s_by_the_shortest_way_and_out_of_every_hex():
    units = {"4": "2009", "NW": "2210", "Res": "2412"}
    d = table(units, OpenMoved, side=SOVIET, axis=(36,)).order(AXIS, "event 36 2009 2109")
    assert [x.path for x in d.events() if isinstance(x, Moved)] == [(2009, 2109)]
    full = {"NW": "2209", "Res": "2209", "Cen": "2211", "Bry": "2211", "4": "0611"}
    effects = (Effect("room", SOVIET, 2209, 1, "phase"), Effect("room", SOVIET, 2211, 1, "phase"))
    e = table(full, EndOfRoom, side=SOVIET, turn=14, effects=effects)
    left = []
    while asked(e) in ("disperse soviet", "retreat soviet"):
        order = next(iter(e.legal(SOVIET)))
        left += [e.state.at(order.unit)] if order.kind == "leave" else []
        e.order(SOVIET, order)
    assert left == [2209, 2211]
    assert [len(e.state.ground.stacks[cell]) for cell in (2209, 2211)] == [1, 1]


def test_nr_13_50s_13_16s_13_38a_13_43s_of_cities_duels_and_dice():
    country = {"4": "0411", "NW": "0511"}
    assert choices(fought_by("NW", "0411", units=country, turn=24, active=SOVIET), SOVIET, 50, "battle") == "NR-13.50S"
    duel = attack(16, soviet=True)
    duel.chance.rolls["t8/axis/2209/crt/duel"] = (2, 5)
    duel.order(SOVIET, "event 16")
    through(duel)
    assert [line.text for line in duel.lines if line.what == "dice"] == ["t8/axis/2209/crt/duel d6: 2 5"]
    sure = attack(42, soviet=True, spare=(43,)).order(SOVIET, "event 42")
    assert asked(through(sure)) == "counterattack soviet"
    assert not any(line.what == "dice" for line in sure.lines)


def test_nr_13_31a_13_36s_of_two_cards_the_higher():
    units = {"9": ("Captured", "-"), "4": "0611", "NW": "2409"}
    d = table(units, Organise, axis=(22, 3), soviet=(36,)).order(AXIS, "discard 22 3 for return 9 Berlin")
    d.order(SOVIET, "event 36")
    assert d.state.hand(SOVIET) == (22,)


def test_nr_13_08s_13_35a_13_02a_5_12_5_22_first_turns_and_whose_turn():
    units = {"4": "0611", "NW": "2409"}
    for turn, rule in ((5, "NR-13.08S"), (6, ["=1", "NW"])):
        assert choices(position(units, turn=turn, active=SOVIET), SOVIET, 8, "organise") == rule
    for turn, rule in ((16, "NR-13.35A"), (17, [""])):
        assert choices(position(units, turn=turn), AXIS, 35, "organise") == rule
    for side, rule in ((AXIS, "NR-13.08S"), (SOVIET, ["=1", "NW"])):
        assert choices(position(units, turn=8, active=side), SOVIET, 8, "organise") == rule
    for side, rule in ((AXIS, [""]), (SOVIET, "NR-13.44S")):
        allies = position({**units, "3Rum": "1117"}, turn=11, active=side)
        assert choices(allies, SOVIET, 44, "after_cards") == rule


def test_nr_9_2_13_29s_raw_orders_name_units_once_and_in_order():
    units = {"NW": "2209", "Bry": "2208", "4": "2109"}
    d = table(units, OpenAfterCombat, side=SOVIET, turn=14, soviet=(29,)).order(SOVIET, "event 29")
    assert asked(through(d)) == "wave soviet"
    one, two = sorted((CODES["NW"], CODES["Bry"]))
    found = [d.check(SOVIET, Attack(2109, chosen)) for chosen in ((one, two), (two, one), (one, one), (), (one,))]
    assert [wrong.rule if wrong else "" for wrong in found] == ["", "NR-9.4", "NR-9.4", "NR-9.4", ""]
    assert d.check(SOVIET, Attack(2110, (one,))).rule == "NR-13.29S"
    assert d.check(SOVIET, Attack(2109, (CODES["4"],))).rule == "NR-9.2"
    b = table(units, ListBattles, side=SOVIET, targets=("2109",), frame=PlayerTurn(SOVIET))
    found = [b.check(SOVIET, Attack(2109, chosen)) for chosen in ((one, two), (two, one), (one, one), (), (one,))]
    assert [wrong.rule if wrong else "" for wrong in found] == ["", "NR-9.4", "NR-9.4", "NR-9.4", ""]


def test_nr_14_9_5_19_the_joker_and_nobody_else():
    kept = {"options": {"joker": True}}
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), axis=(16, 18), soviet=(43,), **kept)
    until(d, "rolled_window axis")
    assert "joker" in {order.kind for order in d.legal(AXIS)}
    assert any(order.kind == "event" for order in d.legal(AXIS))
    assert rule_of(d, "event 18 4") == "NR-13.18A"  # it is for another moment
    d.order(AXIS, "pass")
    assert asked(d) == "rolled_window soviet"
    assert rule_of(d, "joker") == "NR-14.9"
    assert "joker" not in {order.kind for order in d.legal(SOVIET)}
    bare = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), **kept)
    assert asked(bare) == "rolled_window axis"
    sealed = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3)
    assert not asked(sealed).startswith("rolled")


def test_nr_13_09a_13_45a_13_29s_forts_blitz_markers_and_waves():
    forts = position({"Fort1": "2209", "4": "2109", "Len": ("2208", "+")}, targets=("2209", "2208"))
    assert choices(forts, AXIS, 9, "targeted") == ["2208"]  # the other has no regional side
    d = table({"4": "0611"}, Organise, turn=25, axis=(45,), support={AXIS: 1}).order(AXIS, "event 45 =2")
    assert d.state.support[AXIS] == 3
    units = {"NW": "2209", "4": "2109", "6": "2310"}
    wave = table(units, OpenAfterCombat, side=SOVIET, turn=14, soviet=(29,), support={SOVIET: 1})
    through(wave.order(SOVIET, "event 29"))
    more = table({**units, "Bry": "2208"}, OpenAfterCombat, side=SOVIET, turn=14, soviet=(29,))
    through(more.order(SOVIET, "event 29"))
    assert {text for text in _texts(more) if " 2109 " in text} == {
        "attack 2109 with NW", "attack 2109 with Bry", "attack 2109 with NW,Bry",
    }  # fmt: skip
    assert set(_texts(wave)) == {
        f"attack {cell} with NW{marker}" for cell in (2109, 2310) for marker in ("", " shock")
    }  # fmt: skip


def test_nr_13_14s_enemies_and_stacks_that_may_stay():
    barred = position({"NW": "2209", "Res": "2210", "4": "2310", "6": "2109"}, turn=14, active=SOVIET)
    assert choices(barred, SOVIET, 14, "move") == ["2209", "2210"]
    effects = (
        Effect("room", SOVIET, 2209, 1, "phase"), Effect("room", SOVIET, 2211, 1, "phase"),
        Effect("crt", SOVIET, 2209, 1, "turn"),
    )  # fmt: skip
    units = {"Cau": ("2211", "+"), "Bry": "2211", "NW": "2209", "Res": "2209", "4": "0611"}
    d = table(units, EndOfRoom, side=SOVIET, turn=14, effects=effects)
    assert asked(d) == "disperse soviet"
    assert _texts(d) == {"leave NW", "leave Res"}  # tanks and infantry may stay together
    d.order(SOVIET, "leave NW")
    assert [effect.at for effect in d.state.effect("crt")] == [2209]
    d.order(SOVIET, d.legal(SOVIET)[0])
    assert asked(d) != "disperse soviet"
    # One unit of each hex retreats by the event; who is still too many is a matter of stacking.
    three = {**dict.fromkeys(("NW", "Res", "Cen"), "2209"), "4": "0611"}
    e = table(three, EndOfRoom, side=SOVIET, turn=14, effects=effects[:1]).order(SOVIET, "leave NW")
    e.order(SOVIET, e.legal(SOVIET)[0])
    assert (where(e, "Res"), where(e, "Cen"), asked(e)) == ("2209", "2209", "excess_end soviet")


def test_nr_13_16s_13_05a_9_57_5_18_duels_have_no_other_die_and_repeats_are_told():
    s = fought_by("4", "2209", units={"4": "2109", "NW": "2209"}, active=AXIS, more={"duel": "NR-13.16S"})
    assert choices(s, AXIS, 5, "battle") == "NR-13.05A"
    plain = fought_by("4", "2209", units={"4": "2109", "NW": "2209"}, active=AXIS)
    assert choices(plain, AXIS, 5, "battle") == [""]
    d = attack(16, (3, 5))
    until(d, "rolled_window axis").order(AXIS, "event 16")
    through(d)
    assert [x.dice for x in d.events() if isinstance(x, Repeated)] == [(3,)]
    once = attack(16, 3)
    until(once, "rolled_window axis").order(AXIS, "pass")
    through(once)
    assert not [x for x in once.events() if isinstance(x, Repeated)]
    phase = attack(18, 3, soviet=True, spare=(34, 39)).order(SOVIET, "event 18")
    assert phase.state.fight is not None
    assert phase.state.fight.played == ()  # it holds for the phase, and is not the event of this battle


def test_nr_14_9_the_joker_has_a_die_rolled_and_then_it_is_the_others():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), options={"joker": True})
    d.order(AXIS, "joker")
    assert asked(d) == "rolled_window soviet"
    assert (d.state.fight.rolls, d.state.fight.die) == (2, 5)


def test_who_is_asked_in_a_battle_reads_its_column_and_its_die():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), options={"joker": True})
    assert "at Penza (2209), column 1:1, die 3 (no effect): " in prompt_of(d)
