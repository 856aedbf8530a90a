"""NR-9.3, NR-9.4, NR-9.11, NR-9.27, NR-9.48: the list of battles, and who is asked in the middle of it."""

from __future__ import annotations

import pytest
from noretreat_positions import CODES, asked, game, offered, owing, position, prompt_of, rule_of, table, where

from pbem.engine.compiled import program
from pbem.game import NotationError, Skipped
from pbem.kit import COMBATS, Fate, Strike
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Fought, Note, Pursued
from pbem_rules.noretreat.frames import Losses, PlayerTurn
from pbem_rules.noretreat.looking import left_undone
from pbem_rules.noretreat.losses import TakeLoss
from pbem_rules.noretreat.orders import UNIT, Attack, Done, Lose, Marker
from pbem_rules.noretreat.pursuit import why_stopped

UNITS = {"1Pz": "2109", "4": "2208", "6": "2210", "NW": "2209", "Bry": "2108"}
CRT = "t8/axis/{}/crt"


def combat(dice=None, units=UNITS, targets=("2209", "2108"), **kept):
    d = table(
        units, ListBattles, targets=targets, frame=kept.pop("frame", None) or PlayerTurn(AXIS),
        dice={CRT.format(place): die for place, die in (dice or {}).items()}, **kept,
    )  # fmt: skip
    d.state.asked = "no"
    return d


def fought(d):
    return [(event.hexes[0], event.units) for event in d.events(Fought)]


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("attack 2209 with 1Pz 4", Attack(2209, tuple(sorted((CODES["4"], CODES["1Pz"]))))),
        ("attack 2209 with 1Pz blitz at 2:1", Attack(2209, (CODES["1Pz"],), Marker.BLITZ, least=4)),
        ("attack 2209 with 1Pz after 1 ask", Attack(2209, (CODES["1Pz"],), after=1, ask=True)),
        (
            "attack Voronezh with 1Pz pursue 1pz-1912-2209 unless 2",
            Attack(1912, (CODES["1Pz"],), pursue=(UNIT + CODES["1Pz"], 1912, 2209), unless=2),
        ),
    ],
)
def test_entries_are_typed_and_shown(typed, order):
    d = combat()
    assert game.notation.parse(typed, d.context(AXIS)) == (order,)
    shown = game.notation.show(order)
    assert game.notation.parse(shown, d.context(AXIS)) == (order,)
    assert game.notation.read(game.notation.write(order)) == order


def test_what_is_wrong_behind_the_units_is_said():
    for typed, says in (("at 9:1", "'9:1' is not one of the odds"), ("pursue", "is not understood"), ("soon", "soon")):
        with pytest.raises(NotationError) as caught:
            game.notation.parse(f"attack 2209 with 1Pz {typed}", combat().context(AXIS))
        assert says in str(caught.value)


def test_nr_9_3_9_4_a_list_is_fought_in_its_order_and_ends_by_itself():
    d = combat({"2108": 3, "2209": 3})
    d.order(AXIS, "attack 2108 with 4")
    assert asked(d) == "battles axis"  # 2209 is still to be listed
    d.order(AXIS, "attack 2209 with 1Pz 6")
    assert [each[0] for each in fought(d)] == [2108, 2209]
    assert asked(d) != "battles axis"


def test_nr_9_4_what_is_not_listed_is_asked_for_when_the_list_is_through():
    d = combat({"2108": 3, "2209": 3})
    assert rule_of(d, "done") == "NR-9.4"
    d.order(AXIS, "attack 2108 with 4", "done")
    assert [each[0] for each in fought(d)] == [2108]
    assert asked(d) == "battles axis"
    assert rule_of(d, "attack 2209 with 4") == "NR-9.2"  # it has fought
    assert rule_of(d, "done") == "NR-9.4"
    d.order(AXIS, "attack 2209 with 6")
    assert [each[0] for each in fought(d)] == [2209]


def test_nr_9_3_least_odds_and_a_battle_that_waits_for_them():
    d = combat({"2209": 3, "2108": 3}, support={AXIS: 1})
    d.order(AXIS, "attack 2108 with 4 at 4:1", "attack 2108 with 4 unless 1", "attack 2209 with 6 after 1",
            "attack 2209 with 1Pz 6 unless 1")  # fmt: skip
    d.order(AXIS, "done")
    events = d.events()
    assert [(event.number, event.why, event.rule) for event in events if isinstance(event, Skipped)] == [
        (1, "the odds are 1:2, less than 4:1", "NR-9.3"),
        (3, "entry 1 was not won", "NR-9.3"),
    ]
    assert [event.hexes[0] for event in events if isinstance(event, Fought)] == [2108, 2209]


def test_nr_9_4_9_2_those_who_can_no_longer_fight_stay_behind():
    d = combat({"2209": 3, "2108": 3})
    d.order(AXIS, "attack 2108 with 4", "attack 2209 with 1Pz 6 ask")
    assert asked(d) == "battles axis"
    assert "The attack on Penza (2209) would be next: `done` lets it go on, `strike 2` strikes it off" in prompt_of(d)
    assert d.machine.sentence(AXIS, Strike(2)) == "Strike the attack on Penza (2209) off your list."
    d.state.tire(CODES["6"])
    d.order(AXIS, "done")
    assert fought(d)[-1] == (2209, ("1Pz",))


def test_nr_9_11_forced_battles_are_listed_behind_the_voluntary_ones():
    d = combat({"2209": 3, "2108": 3}, targets=("2209",), blows={"2108": AXIS}, frame=owing(AXIS, "Bry"))
    assert rule_of(d, "attack 2108 with 4") == "NR-9.11"
    d.order(AXIS, "attack 2209 with 1Pz")
    assert offered(d) >= {"attack 2108 with 4"}
    assert rule_of(d, "attack 2108 with 1Pz") == "NR-9.2"  # it is listed elsewhere
    d.order(AXIS, "attack 2108 with 4")
    assert [event.forced for event in d.events(Fought)] == [False, True]


def test_nr_9_21_markers_are_counted_while_they_are_listed():
    d = combat(support={AXIS: 1})
    d.order(AXIS, "attack 2209 with 1Pz blitz")
    assert rule_of(d, "attack 2108 with 4 blitz") == "NR-9.21"
    assert rule_of(d, "attack 2108 with 4") == ""


def test_an_entry_that_asks_can_be_struck_off_and_what_is_marked_is_listed_anew():
    d = combat({"2108": 3, "2209": 3})
    d.order(AXIS, "attack 2108 with 4", "attack 2209 with 1Pz 6 ask", "strike 2")
    assert rule_of(d, "done") == "NR-9.4"
    d.order(AXIS, "attack 2209 with 1Pz")
    assert [each[1] for each in fought(d)] == [("4",), ("1Pz",)]


def test_nr_9_48_9_52_a_listed_pursuit_goes_as_far_as_it_can():
    units = {"1Pz": "2109", "NW": "2209", "Bry": "2311"}
    for way, end in (("2209-2210", "2210"), ("2209", "2209"), ("2209-2208-2109", "2208")):
        d = combat({"2209": 6}, units, targets=("2209",))
        d.order(AXIS, f"attack 2209 with 1Pz pursue 1Pz-{way}")
        assert d.events(Pursued)[0].path[-1] == int(end)
        assert where(d, "1Pz") == end
    assert str(
        combat({}, units, targets=("2209",)).why_not(AXIS, "attack 2209 with 1Pz alone pursue 4-2209")
    ).startswith("Only units that attack may pursue")


def test_nobody_is_asked_in_the_middle_unless_the_offer_or_the_entry_says_so():
    units = {"4": "2109", "NW": "2209", "Bry": "2410"}
    for option, ask, kinds in (("no", "", []), (COMBATS, "", ["retreat soviet"]), ("no", " ask", ["pursuit axis"])):
        d = combat({"2209": 6}, units, targets=("2209",))
        d.state.asked = option
        d.order(AXIS, f"attack 2209 with 4{ask}")
        (first,) = [asked(d)]
        assert ([first] if first in ("retreat soviet", "pursuit axis") else []) == kinds, (option, ask, first)


def with_usual(d):
    """The standing orders with which everybody begins."""
    for kind, policy in program(game).preset.items():
        for seat in (AXIS, SOVIET):
            d.stand(seat, kind, str(policy))


@pytest.mark.parametrize(("ask", "own", "question"), [("", "", ""), (" ask", "", "loss"), (" ask", "cheapest", "")])
def test_usual_answers_settle_nothing_in_an_attack_that_asks(ask, own, question):
    """An attack that asks is asked about all that its own standing orders leave open."""
    units = {"1Pz": "2109", "4": "2208", "Len": ("2209", "+")}
    d = combat({"2209": 5}, units, targets=("2209",))
    with_usual(d)
    if own:
        d.stand(AXIS, "loss", f"then {own}")
    d.order(AXIS, f"attack 2209 with 1Pz 4{ask}")
    assert asked(d).startswith("loss axis") == bool(question)
    assert where(d, "4") == ("2208" if question else "2208-")
    assert where(d, "Len") == "2209" + ("+" if question else "")  # the enemy is asked nothing


def test_who_follows_is_asked_in_an_attack_that_asks():
    for ask, question in (("", False), (" ask", True)):
        d = combat({"2209": 6}, {"4": "2109", "NW": "2209", "Bry": "2410"}, targets=("2209",))
        with_usual(d)
        d.order(AXIS, f"attack 2209 with 4{ask}")
        assert (asked(d) == "pursuit axis", bool(d.events(Pursued))) == (question, not question)


def test_an_attack_asks_on_after_a_counterattack():
    """NR-9.28: the roles change, and what the attacker loses is still theirs to choose."""
    for ask in ("", " ask"):
        d = combat(units={"4": "2109", "6": "2109", "NW": "2209", "SW": "2209"}, targets=("2209",))
        d.chance.rolls |= {CRT.format(2209): (1,), "t8/axis/2209/counter": (5,)}
        with_usual(d)
        d.stand(SOVIET, "counterattack", "then counter")
        d.order(AXIS, f"attack 2209 with 4 6{ask}")
        assert [each.counter for each in d.events(Fought)] == [False, True]
        assert (asked(d) == "loss axis") == bool(ask), asked(d)


def test_the_usual_answer_settles_what_events_bring_about_outside_battles():
    d = table({"4": "2109", "6": "2110", "NW": "2309"}, TakeLoss, frame=Losses(AXIS, (CODES["4"], CODES["6"]), 1))
    assert asked(d) == "loss axis"
    assert d.machine.standing_answer(AXIS, program(game).preset["loss"]) == Lose(CODES["4"])
    assert d.machine.standing_answer(AXIS, game.policy("loss", "then ask")) is None


def test_nr_9_27_whether_to_counterattack_is_a_stance():
    step = ListBattles  # the game's own
    assert step.closes
    d = combat({"2209": 1}, {"4": "2109", "NW": "2209", "SW": "2209"}, targets=("2209",))
    d.state.asked = COMBATS
    d.stand(SOVIET, "counterattack", "when hex in 2209 then decline; then counter", sealed=True)
    assert game.policy_text(game.policy("counterattack", "when hex in 1408 then decline")) == (
        "when hex in Smolensk then decline"
    )
    d.order(AXIS, "attack 2209 with 4")
    assert not asked(d).startswith("counterattack")
    machine = d.machine
    assert str(machine.standing(SOVIET)["counterattack"]) == "when hex in 2209 then decline; then counter"
    assert machine.is_stance("counterattack")


def test_fates_are_told():
    d = combat({"2108": 3, "2209": 3})
    d.order(AXIS, "attack 2108 with 4", "attack 2209 with 1Pz 6 after 1", "done")
    assert "Axis: entry 2, attack 2209 with 1Pz 6 after 1, is skipped: entry 1 was not won (NR-9.3)." in [
        line.text for line in d.lines
    ]
    assert set(Fate) > {Fate.SKIPPED}


def test_nr_9_53_a_pursuit_that_the_rules_cut_is_reported_when_it_is_ordered_and_when_it_happens():
    d = combat({"2208": 6}, {"1Pz": "2109", "4": "2109", "NW": "2208"}, targets=("2208",))
    typed = "attack 2208 with 1Pz 4 pursue 1Pz-2208-2207-2206-4-2208-2308"
    (order,) = game.notation.parse(typed, d.context(AXIS))
    assert ", pursue with 1Pz to 2208 > 2207 > 2206 and 4 to 2208 > 2308." in d.machine.sentence(AXIS, order)
    cut = "1Pz will end its pursuit in 2207 and not reach 2206: 2207 is swamp, which ends a pursuit (NR-9.53)."
    assert [*left_undone(d.view(AXIS), AXIS, order)] == [cut]
    assert cut in game.odds(d.view(AXIS), typed).text
    d.order(AXIS, typed)
    assert (where(d, "1Pz"), where(d, "4")) == ("2207", "2308")
    assert [event.text for event in d.events(Note) if "pursuit" in event.text] == [
        "1Pz ends its pursuit in 2207 and does not reach 2206: 2207 is swamp, which ends a pursuit (NR-9.53)."
    ]


@pytest.mark.parametrize(
    ("way", "others", "kept", "told"),
    [
        ("2208-2209", {"South": "2308"}, {}, "an enemy zone of control ends its pursuit in 2208 (NR-9.54)"),
        ("2208-2209-2210-2310", {}, {}, "it can pursue 3 hexes (NR-9.51)"),
        ("2208-2209", {}, {"turn": 9}, "it can pursue 1 hex (NR-9.51)"),
        ("2208-2410", {}, {}, "it cannot enter 2410, or not stay there (NR-9.50)"),
        ("2208-2209", {"South": "2209", "Bry": "2108"}, {}, "an enemy zone of control ends its pursuit in 2208"),
    ],
)
def test_why_a_pursuit_goes_no_further(way, others, kept, told):
    turn = kept.get("turn", 8)
    d = combat(None, {"1Pz": "2109", "NW": "2208", **others}, targets=("2208",), **kept)
    d.chance.rolls[f"t{turn}/axis/2208/crt"] = (6,)
    d.order(AXIS, f"attack 2208 with 1Pz pursue 1Pz-{way}")
    notes = [event.text for event in d.events(Note) if "pursu" in event.text]
    assert len(notes) == 1
    assert told in notes[0]


def test_a_listed_pursuit_off_the_map_is_cut_and_nothing_breaks():
    s = position({"1Pz": "2109"})
    for way in ((2208, 5555, 5556), (5555, 2208), (2208, 5555)):
        assert why_stopped(s, CODES["1Pz"], way, min(1, way.index(5555)))


def test_the_usual_answer_to_a_pursuit_is_reported_before_the_battles():
    units = {"1Pz": "2109", "4": "2109", "6": "2210", "9": "2410", "NW": "2209", "Bry": "2310"}
    told = "No pursuit is ordered, and the usual answer sends one unit after an enemy that leaves its hex"
    choose = " To choose which units follow and how far, an attack needs “who follows” or “ask me”."
    second = "To send a second unit into the hex each time: `standing pursuit when gone < 2 then strongest; then done`."
    for typed, said in (
        ("attack 2209 with 1Pz 4", [f"{told}, one hex far: 1Pz into Penza (2209).{choose}", second]),
        ("attack 2209 with 6", [f"{told}, one hex far: 6 into Penza (2209).{choose}"]),
        ("attack 2209 with 1Pz 4 ask", []),
        ("attack 2209 with 1Pz 4 pursue 4-2209", []),
    ):
        d = combat(None, units, ("2209", "2310"), axis=(16,))
        d.order(AXIS, typed)
        lines = [line for line in left_undone(d.view(AXIS), AXIS, Done()) if line[:2] in ("No", "To")]
        assert lines == said
        d.stand(AXIS, "battle_window", "then ask")
        d.order(AXIS, "done")
        assert asked(d).startswith("battle_window")  # before the die
        lines = [line for line in left_undone(d.view(AXIS), AXIS, None) if line[:2] in ("No", "To")]
        assert lines == said
    d = combat(None, units, ("2209", "2310"))
    d.order(AXIS, "attack 2209 with 1Pz 4")
    d.stand(AXIS, "pursuit", "then deep")
    assert not [line for line in left_undone(d.view(AXIS), AXIS, Done()) if "pursuit" in line]


def test_the_odds_say_what_each_result_does_and_who_follows():
    d = combat(None, {"1Pz": "2109", "4": "2109", "NW": "2209"}, targets=("2209",))
    told = game.odds(d.view(AXIS), "2209 with 1Pz 4").text
    assert "defender destroyed 33% (each defending unit loses a step and must retreat, and attackers may follow" in told
    assert told.endswith(
        "If the hex is emptied, the usual answer sends 1Pz alone after the enemy, one hex, although it could go 3. To "
        "choose, set “who follows” or “ask me”."
    )
    d.stand(AXIS, "pursuit", "then deep")
    assert "usual answer" not in game.odds(d.view(AXIS), "2209 with 1Pz 4").text
    fort = combat(None, {"1Pz": "2109", "4": "2109", "Len": ("2209", "+")}, targets=("2209",))
    assert "(the fortified unit holds the hex: no unit retreats)" in game.odds(fort.view(AXIS), "2209").text


def test_nr_9_21_the_prompt_says_what_a_marker_does():
    assert prompt_of(combat(support={AXIS: 2})).endswith(
        "A Blitz marker shifts its attack by 1 column (NR-9.21); markers left: 2."
    )
    assert "marker" not in prompt_of(combat())
