"""NR-7, NR-12: what may be organised, all of it at a look, and what just may not."""

from __future__ import annotations

import pytest
from noretreat_cards import through
from noretreat_positions import CODES, asked, cities, offered, position, rule_of, table, where

from pbem.engine.rows import Rows
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.orders import UNIT, Discard, Purpose, Recall, Upgrade
from pbem_rules.noretreat.organise import Organise, free_upgrades
from pbem_rules.noretreat.payments import payments, worth
from pbem_rules.noretreat.turns import TurnEvents
from pbem_rules.noretreat.windows import OpenMoved

EAST = cities(SOVIET, "Gorki", "Saratov")
WEST = cities(AXIS, "Berlin", "Vienna")


def organising(units, side=SOVIET, **kept):
    kept.setdefault("turn", 8)
    kept.setdefault("held", EAST if side == SOVIET else WEST)
    return table(units, Organise, side=side, **kept)


def test_nr_3_7_7_4_7_8_7_10_7_20_everything_that_the_soviets_can_organise():
    units = {
        "Kal": "2410", "Len": ("2411", "+"), "West": "2412", "NW": "2413", "Bry": "Shattered", "Res": "Destroyed",
        "Cen": "Captured", "Mos": "2408", "Vor": ("2407", "+"), "4": "0210",
    }  # fmt: skip
    d = organising(units, soviet=(14, 16), cut=("NW",), tired=("Kal", "4"))
    paid = {"discard 14 for", "discard 16 for"}
    first = {"done", "flip Len", "upgrade Kal"}
    first |= {f"{card} upgrade {code}" for card in paid for code in ("Kal", "NW", "Mos")}
    both = {"discard 14,16 for", "discard 16,14 for"}
    first |= {f"{cards} upgrade West" for cards in both}
    second = {f"place Bry {to}" for to in ("2105", "2311")}
    second |= {f"{card} return Res,{to}" for card in paid for to in ("2105", "2311")}
    second |= {f"{cards} return Cen,{to}" for cards in both for to in ("2105", "2311")}
    third = {f"{card} reorganise Kal" for card in paid}
    assert offered(d) == first | second | third
    d.order(SOVIET, "place Bry 2105")
    second -= {f"place Bry {to}" for to in ("2105", "2311")}
    second -= {text for text in second if "2105" in text}
    third |= {f"{card} reorganise Bry" for card in paid}
    assert offered(d) == {"done"} | second | third
    d.order(SOVIET, "discard 14 for reorganise Kal")
    assert offered(through(d)) == {"done", "discard 16 for reorganise Bry"}
    assert rule_of(d, "upgrade Kal") == rule_of(d, "discard 16 for return Res Saratov") == "NR-3.7"


def test_nr_3_7_each_phase_begins_with_its_first_step():
    d = organising({"Kal": "2410", "Bry": "Shattered"}, turn=24)
    d.order(SOVIET, "place Bry Gorki", "done")
    assert asked(d) == "march soviet"
    assert any(text.startswith("move Kal") for text in offered(d))  # NR-8.25 has not closed the phase


def test_nr_7_2_7_12_everything_that_the_axis_can_organise():
    units = {
        "1Pz": ("0610", "-"), "SSPz": ("0510", "-"), "4": ("0511", "-"), "6": "Shattered", "9": ("Destroyed", "-"),
        "2": "reinforcements", "11": ("Captured", "-"), "3Rum": "0611", "Fin": ("0410", "-"), "NW": "2410",
    }  # fmt: skip
    d = organising(units, AXIS, turn=13, axis=(4, 5))
    both, one = ("discard 4,5 for", "discard 5,4 for"), ("discard 4 for", "discard 5 for")
    found = offered(d)
    assert {text for text in found if "upgrade" in text} == {
        *(f"{cards} upgrade {code}" for cards in both for code in ("1Pz", "4", "Fin")),
        *(f"{card} upgrade SSPz" for card in one),
    }  # fmt: skip
    assert {text for text in found if text.startswith("place 6")} == {"place 6 0210", "place 6 0316"}
    assert {"place 2 0210", "place 2 0316"} <= found
    assert {f"{card} return 9,0210" for card in one} <= found
    assert {f"{cards} return 11,0210" for cards in both} <= found
    assert not any(f"{card} return 11,0210" in found for card in one)
    assert not any("flip" in text or text.startswith("upgrade") for text in found)


@pytest.mark.parametrize(
    ("turn", "side", "order", "rule"),
    [
        (4, AXIS, "discard 4 5 for upgrade 1Pz", "NR-11.2"),
        (5, AXIS, "discard 4 5 for upgrade 1Pz", ""),
        (4, AXIS, "discard 4 for return 9 Berlin", "NR-11.2"),
        (5, AXIS, "discard 4 for return 9 Berlin", ""),
        (23, AXIS, "discard 4 for return 9 Berlin", ""),
        (24, AXIS, "discard 4 for return 9 Berlin", "NR-7.15"),
        (5, SOVIET, "discard 4 for upgrade Kal", "NR-7.3"),
        (6, SOVIET, "discard 4 for upgrade Kal", ""),
        (2, SOVIET, "discard 4 for upgrade Mos", "NR-7.3"),
        (3, SOVIET, "discard 4 for upgrade Mos", ""),
        (3, SOVIET, "discard 4 for return Res Gorki", ""),
        (24, SOVIET, "discard 4 for return Res Gorki", ""),
        (8, SOVIET, "discard 4 for upgrade NW", ""),  # out of supply, once a turn
        (8, SOVIET, "upgrade NW", "NR-7.1"),
        (8, AXIS, "discard 4 5 for upgrade 4", "NR-7.1"),  # out of supply
        (8, SOVIET, "discard 4 for upgrade West", "NR-5.9"),
        (8, SOVIET, "discard 4 5 for upgrade West", ""),
        (8, SOVIET, "discard 4 5 for upgrade Kal", "NR-5.9"),  # more than it costs
        (8, SOVIET, "discard 4 for upgrade 1Pz", "NR-7.1"),
        (8, SOVIET, "discard 4 for upgrade Ost", "NR-7.1"),  # it has one side
        (8, SOVIET, "discard 4 for return Kal Gorki", "NR-7.10"),
        (8, SOVIET, "discard 4 for return 9 Gorki", "NR-7.10"),
        (8, SOVIET, "discard 4 for return Res Moscow", "NR-7.13"),
        (8, SOVIET, "discard 4 for return Res 9999", "NR-7.8"),
        (8, AXIS, "upgrade 1Pz", "NR-7.4"),  # the Axis has no free ones
        (8, SOVIET, "place Kal Gorki", "NR-7.8"),
        (8, SOVIET, "place 6 Gorki", "NR-7.8"),
        (8, SOVIET, "discard 4 for rail Kal", "NR-5.8"),
        (8, SOVIET, "discard 4 for reorganise Kal", "NR-7.20"),
        (8, SOVIET, "discard 4 for reorganise Bry", ""),
        (8, SOVIET, "discard 4 for reorganise 6", "NR-7.20"),
    ],
)  # fmt: skip
def test_nr_7_1_7_3_7_6_7_13_7_14_7_15_11_2_what_may_just_be_done(turn, side, order, rule):
    units = {
        "1Pz": ("0610", "-"), "4": ("0511", "-"), "6": "0612", "9": ("Destroyed", "-"), "Kal": "2410", "Mos": "2408",
        "NW": "2413", "West": "2412", "Res": "Destroyed", "Bry": "2407", "Ost": "2411",
    }  # fmt: skip
    cards = {"axis" if side == AXIS else "soviet": (4, 5)}
    d = organising(units, side, turn=turn, cut=("NW", "4"), tired=("Bry", "6"), **cards)
    assert rule_of(d, order) == rule


@pytest.mark.parametrize(("turn", "free"), [(1, 0), (5, 0), (6, 1), (12, 1), (13, 2), (17, 2), (18, 1), (28, 1)])
def test_nr_7_4_7_5_11_7_11_13_11_19_free_upgrades_are_used_up(turn, free):
    assert free_upgrades(position({}, turn=turn)) == free
    units = {"Kal": "2410", "Bry": "2411", "Res": "2409"}
    d = organising(units, turn=turn)
    for code in list(units)[:free]:
        assert rule_of(d, f"upgrade {code}") == ""
        through(d.order(SOVIET, f"upgrade {code}"))
    assert rule_of(d, "upgrade Res") == ("NR-7.3" if turn < 6 else "NR-7.4")


def test_nr_7_6_an_upgrade_out_of_supply_once_a_turn_and_never_free():
    d = organising({"Kal": "2410", "NW": "2413", "Bry": "2412"}, soviet=(4, 5), cut=("NW", "Bry"))
    through(d.order(SOVIET, "discard 4 for upgrade NW"))
    assert where(d, "NW") == "2413+"
    assert rule_of(d, "discard 5 for upgrade Bry") == "NR-7.1"
    assert rule_of(d, "discard 5 for upgrade Kal") == ""  # in supply
    assert where(d.order(SOVIET, "upgrade Kal"), "Kal") == "2410+"
    assert rule_of(d, "discard 5 for upgrade Bry") == "NR-7.1"


@pytest.mark.parametrize(
    ("turn", "gone", "rule"), [(22, True, "NR-7.18"), (23, True, ""), (24, True, ""), (23, False, "NR-7.18")]
)
def test_nr_7_18_11_25_the_recall_of_the_ss(turn, gone, rule):
    triggers = Rows({"ss": 18}) if gone else Rows({})
    d = organising({"4": "0511"}, AXIS, turn=turn, triggers=triggers, event_vp=0)
    assert rule_of(d, "recall SSPz Berlin") == rule
    assert ("recall SSPz 0210" in offered(d)) == (not rule)
    assert rule_of(d, "recall 4 Berlin") == "NR-7.18"
    assert rule_of(d, "recall Kal Berlin") == "NR-7.18"
    if not rule:
        assert rule_of(d, "recall SSPz Prague") == "NR-7.12"
        d.order(AXIS, "recall SSPz Berlin")
        assert (where(d, "SSPz"), d.state.event_vp) == ("0210", 1)
        assert not d.state.is_tired(CODES["SSPz"])
        assert rule_of(d, "recall SSPz Berlin") == "NR-7.18"
    there = organising({"SSPz": "0511"}, AXIS, turn=24, triggers=Rows({"ss": 18}))
    assert rule_of(there, "recall SSPz Berlin") == "NR-7.18"


def test_nr_1_18_1_23_7_7_7_17_who_turns_over():
    units = {"Len": ("2411", "+"), "Mos": "2408", "Kal": ("2410", "+"), "1Yug": "Western Balkans", "2Yug": "2412"}
    d = organising(units, turn=20, soviet=(4,))
    assert {text for text in offered(d) if text.startswith("flip")} == {"flip Len", "flip 1Yug"}
    assert [rule_of(d, f"flip {code}") for code in ("Mos", "Kal", "2Yug", "Fin")] == [
        "NR-1.18", "NR-1.18", "NR-1.23", "NR-7.17",
    ]  # fmt: skip
    assert rule_of(d, "upgrade 1Yug") == rule_of(d, "discard 4 for upgrade 1Yug") == "NR-1.23"
    d.order(SOVIET, "flip 1Yug", "flip Len")
    assert (where(d, "1Yug"), where(d, "Len")) == ("9002+", "2411")
    d.order(SOVIET, "flip 1Yug")
    assert where(d, "1Yug") == "9002"


def test_nr_7_17_sevastopol_is_fortified_in_sevastopol_and_nowhere_else():
    held = cities(SOVIET, "Gorki", "Sevastopol")
    units = {"Sev": "reinforcements", "Mos": "reinforcements"}
    d = organising(units, turn=3, held=held)
    assert {text for text in offered(d) if "Sev" in text} == {"place Sev 1521"}  # NR-12.4
    d.order(SOVIET, "place Sev Sevastopol", "place Mos Gorki")
    assert (where(d, "Sev"), where(d, "Mos")) == ("1521+", "2105")
    lost = organising(units, turn=3).order(SOVIET, "place Sev Gorki")
    assert where(lost, "Sev") == "2105"
    back = organising({"Sev": "Shattered"}, turn=3, held=held).order(SOVIET, "place Sev Sevastopol")
    assert where(back, "Sev") == "1521"


def test_nr_7_9_7_11_who_is_disorganised_when_it_comes():
    units = {"Kal": ("Shattered", "+"), "Bry": "reinforcements", "Res": "Destroyed", "Cen": "Captured"}
    held = cities(SOVIET, "Gorki", "Saratov", "Moscow", "Kalinin")
    d = organising(units, held=held, soviet=(4, 5, 6))
    d.order(SOVIET, "place Kal Gorki", "place Bry Saratov", "discard 4 for return Res Moscow")
    d.order(SOVIET, "discard 5 6 for return Cen Kalinin")
    assert [where(d, code) for code in ("Kal", "Bry", "Res", "Cen")] == ["2105+", "2311", "1707", "1605"]
    assert {code for code in units if d.state.is_tired(CODES[code])} == {"Kal", "Res", "Cen"}
    assert d.state.event_vp == 0  # NR-4.3: who comes back gives no point back


def test_nr_5_11_card_12_as_one_of_two_and_card_53_as_two():
    units = {"9": ("Captured", "-"), "6": ("Destroyed", "-"), "1Pz": ("0610", "-"), "4": "0511"}
    for order, left in (
        ("discard 30 12 for return 9 Berlin", 1),  # card 12 second: it brings a card all the same
        ("discard 12 30 for return 9 Berlin", 1),
        ("discard 30 12 for upgrade 1Pz", 0),
    ):
        d = organising(units, AXIS, axis=(12, 30)).order(AXIS, order)
        assert len(through(d).state.hand(AXIS)) == left, order
    late = organising(units, AXIS, turn=23, axis=(53, 30), tired=("4", "1Pz"))
    found = offered(late)
    assert "discard 53 for return 9,0210" in found
    assert not any(text.startswith(("discard 30,53", "discard 53,30")) for text in found)
    assert "discard 53 for upgrade 1Pz" in found
    assert rule_of(late, "discard 53 30 for return 9 Berlin") == "NR-5.9"
    assert rule_of(late, "discard 53 for return 6 Berlin") == ""
    assert rule_of(late, "discard 53 for reorganise 4 1Pz") == ""
    assert rule_of(late, "discard 53 for reorganise 4") == ""
    three = organising({**units, "16": "0410"}, AXIS, turn=23, axis=(53,), tired=("4", "1Pz", "16"))
    assert rule_of(three, "discard 53 for reorganise 4 1Pz 16") == "NR-7.20"
    assert rule_of(late, "discard 30 for reorganise 4 1Pz") == "NR-7.20"
    assert worth(53, AXIS, Purpose.RAIL) == worth(53, AXIS, Purpose.COUNTERBLOW) == 1
    assert worth(52, AXIS, Purpose.RETURN) == worth(53, SOVIET, Purpose.RETURN) == 1


def test_nr_5_9_5_10_prices_and_the_ways_to_pay_them():
    s = position({}, soviet=(4, 5, 6))
    own = dict(zip(s.hand(SOVIET), (4, 5, 6), strict=True))
    ways = {price: len(list(payments(s, SOVIET, Purpose.RETURN, price, own))) for price in (1, 2, 3)}
    assert ways == {1: 3, 2: 6, 3: 6}  # whichever is named last lies on top of the discards
    units = {"Cen": "Captured", "Res": "Destroyed", "West": "Destroyed"}
    d = organising(units, soviet=(4, 5, 6))
    for order, rule in (
        ("discard 4 for return Cen Gorki", "NR-5.9"),
        ("discard 4 5 for return Cen Gorki", ""),
        ("discard 4 5 6 for return Cen Gorki", "NR-5.9"),
        ("discard 4 5 for return Res Gorki", "NR-5.9"),
        ("discard 4 for return West Gorki", "NR-5.9"),
        ("discard 4 5 for return West Gorki", ""),
        ("discard 5 4 for return West Gorki", ""),
    ):
        assert rule_of(d, order) == rule, order
        (meant,) = d.game.notation.parse(order, d.context(SOVIET))
        assert (meant in d.legal(SOVIET)) == (not rule), order
    early = organising({"6": ("Destroyed", "-"), "1Pz": ("0610", "-")}, AXIS, turn=4, axis=(3, 5))
    assert rule_of(early, "discard 5 for return 6 Berlin") == "NR-11.2"
    assert rule_of(early, "event 3 6 Berlin") == ""  # events may


def test_nr_14_7_two_markers_for_a_card_of_the_initiative():
    on = {"fast_reorganisation": True}
    both = ("Kal", "Bry")
    units = {"Kal": "2410", "Bry": "2411", "4": "0511", "6": "0512"}

    def two(side, card, turn, options=on):
        codes = "Kal Bry" if side == SOVIET else "4 6"
        cards = {"axis" if side == AXIS else "soviet": (card,)}
        d = organising(units, side, turn=turn, options=options, tired=(*both, "4", "6"), **cards)
        return rule_of(d, f"discard {card} for reorganise {codes}")

    assert two(SOVIET, 35, 8) == ""  # its Soviet event shows the cross of the Axis, which has the initiative
    assert two(SOVIET, 35, 14) == "NR-7.20"
    assert two(SOVIET, 29, 14) == ""
    assert two(SOVIET, 29, 8) == "NR-7.20"
    assert two(SOVIET, 30, 8) == "NR-7.20"  # no symbol
    assert two(AXIS, 30, 14) == ""  # its Axis event shows the star
    assert two(SOVIET, 35, 8, {}) == "NR-7.20"
    assert two(AXIS, 12, 8) == "NR-7.20"  # no event of its own
    d = organising(units, tired=both, options=on, soviet=(35,))
    assert rule_of(d, "discard 35 for reorganise Kal Kal") == "NR-7.20"
    through(d.order(SOVIET, "discard 35 for reorganise Kal Bry"))
    assert not d.state.tired


def test_nr_11_37_11_36_12_3_a_turn_after_and_not_two():
    for key, code in (("warsaw", "Pol"), ("gg", "Fest1"), ("ploesti", "AGE")):
        for since, box in ((19, "out of the game"), (20, "reinforcements"), (21, "out of the game")):
            d = table(
                {"Fin": "Finland"}, TurnEvents, turn=21, frame=events_frame(), triggers=Rows({key: since}),
                skip_sudden=True,
            )  # fmt: skip
            assert where(d, code).rstrip("-") == box, (key, since)
    here = table(
        {"Fin": "Finland", "Pol": "2410"}, TurnEvents, turn=21, frame=events_frame(), triggers=Rows({"warsaw": 20}),
        skip_sudden=True,
    )  # fmt: skip
    assert where(here, "Pol") == "2410"


def events_frame():
    from pbem_rules.noretreat.frames import GameTurn

    return GameTurn()


def test_nr_12_5_1_25_cadres_go_to_their_box_in_their_turn_and_not_to_the_map():
    for turn, box in ((11, "turn track"), (12, "Available Cadres"), (13, "Available Cadres")):
        d = table(
            {"Fin": "Finland", "KG1": "turn track", "Luft": "turn track"}, TurnEvents, turn=turn,
            frame=events_frame(), skip_sudden=True, due={"KG1": 12, "Luft": 12},
        )  # fmt: skip
        assert where(d, "KG1") == box
        assert where(d, "Luft") == ("turn track" if turn < 12 else "reinforcements")


def test_nr_7_18_1_18_13_08s_13_25a_raw_numbers_and_units_in_boxes():
    d = organising({"4": "0511"}, AXIS, turn=23, triggers=Rows({"ss": 18}))
    assert d.check(AXIS, Recall(999, 210)).rule == "NR-7.18"
    assert d.check(AXIS, Upgrade(999)).rule == "NR-7.1"
    boxed = organising({"Len": ("Destroyed", "+"), "Mos": ("2410", "+")})
    assert [rule_of(boxed, f"flip {code}") for code in ("Len", "Mos")] == ["NR-1.18", ""]
    lease = organising({"1Pz": "0511", "Kal": "2410"}, soviet=(8,))
    assert [rule_of(lease, f"event 8 {text}") for text in ("1Pz", "Kal", "=1", "=2", "Kal 1Pz")] == [
        "NR-7.1", "", "", "NR-13.08S", "NR-13.08S",
    ]  # fmt: skip
    cadres = {"KG1": "Available Cadres", "KG2": "Available Cadres", "4": "0511"}
    two = organising(cadres, AXIS, turn=14, axis=(25,))
    assert [rule_of(two, f"event 25 {text}") for text in (
        "KG1 Berlin KG2 Vienna", "KG2 Berlin KG1 Vienna", "KG1 Berlin KG1 Vienna", "4 Berlin", "KG1 Posen",
    )] == ["", "", "NR-13.25A", "NR-13.25A", "NR-13.25A"]  # fmt: skip


def test_nr_5_23_5_19_an_event_at_the_wrong_moment_names_its_own_rule():
    d = organising({"4": "0511", "NW": "2410"}, AXIS, axis=(38, 18, 21), discards=(5,))
    assert [rule_of(d, f"event {text}") for text in ("38", "18 4", "21 c5", "21 c6")] == [
        "NR-13.38A", "NR-13.18A", "", "NR-13.21A",
    ]  # fmt: skip
    late = organising({"4": "0511", "NW": "2410"}, AXIS, axis=(21, 35), discards=(5,), turn=14)
    assert rule_of(late, "event 21 c5") == "NR-5.12"  # at the right moment, but without the initiative
    quiet = table({"4": "0611", "NW": "2412"}, OpenMoved, side=SOVIET)
    assert not asked(quiet).startswith("moved_window")  # nobody holds a card


def test_nr_7_18_5_9_at_full_strength_and_cards_in_number():
    d = organising({"SSPz": ("out of the game", "-")}, AXIS, turn=24, triggers=Rows({"ss": 18}))
    assert where(d.order(AXIS, "recall SSPz Berlin"), "SSPz") == "0210"
    e = organising({"Kal": "2410"}, soviet=(4, 5))
    assert e.check(SOVIET, Discard((), Purpose.UPGRADE, (UNIT + CODES["Kal"],))).rule == "NR-5.9"


def test_nr_7_20_who_rides_is_not_reorganised():
    d = organising({"Kal": "Rail", "Bry": "2410"}, tired=("Kal", "Bry"), soviet=(4,))
    assert {text for text in offered(d) if "reorganise" in text} == {"discard 4 for reorganise Bry"}
    assert rule_of(d, "discard 4 for reorganise Kal") == "NR-7.20"
