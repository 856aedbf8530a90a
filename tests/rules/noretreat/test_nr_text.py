"""What players write and read: notation, board, report, odds, data files of their own."""

from __future__ import annotations

import copy
from dataclasses import replace
from importlib.resources import files

import pytest
from noretreat_positions import CHART, CODES, battle, declaring, fight, game, place, position, rule_of, table, where

from pbem.engine.notation import NotationError
from pbem.engine.rows import Rows
from pbem.engine.testing import Driver, IllegalOrderError
from pbem.protocol.errors import Refusal
from pbem_rules.noretreat import events
from pbem_rules.noretreat import game as printed_game
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.cards.frames import Spying
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET, chart_of
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.orders import (
    UNIT,
    Attack,
    Choose,
    Clear,
    Counter,
    Discard,
    Drop,
    Event,
    Load,
    Marker,
    Move,
    Purpose,
    Recall,
    Upgrade,
    card_of,
    held_number,
    held_of,
)
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.reckon import USAGE
from pbem_rules.noretreat.report import MEANINGS
from pbem_rules.noretreat.results import plan_of


def read(driver, text, seat=None):
    (order,) = game.notation.parse(text, driver.context(seat or driver.asked[0]))
    return order


def test_moves_by_number_name_and_way():
    d = table({"3Pz": "2109"})
    assert read(d, "move 3Pz 2110") == Move(CODES["3Pz"], (2110,))
    assert read(d, "move 3pz saratov") == Move(CODES["3Pz"], (2311,))
    assert rule_of(d, "move 3Pz 2109-2110-2210") == ""
    assert where(table({"3Pz": "2109"}).order("axis", "move 3Pz 2109-2110"), "3Pz") == "2110"
    assert read(d, "move 3Pz vorone") == Move(CODES["3Pz"], (1912,))


def test_attacks_with_units_in_any_order():
    frame = PlayerTurn(AXIS)
    d = table({"2Pz": "2109", "3Pz": "2208", "4": "2210", "NW": "2209"}, ListBattles, targets=("2209",), frame=frame)
    units = tuple(sorted(CODES[code] for code in ("2Pz", "3Pz", "4")))
    assert read(d, "attack 2209 with 4 2Pz 3Pz") == Attack(2209, units)
    assert read(d, "attack 2209 with 2Pz,3Pz,4") == Attack(2209, units)
    assert read(d, "attack 2209 with 4 2Pz 3Pz blitz") == Attack(2209, units, Marker.BLITZ)


def test_cards_by_number():
    d = table({"4": "0210", "6": "0410"}, axis=(7, 22))
    order = read(d, "discard 7 for rail 4")
    assert isinstance(order, Discard)
    assert [card_of(number) for number in order.cards] == [7]
    assert game.notation.write(order) == "discard 7#1/0 for rail 4"
    with pytest.raises(NotationError, match="do not hold card 9"):
        read(d, "discard 9 for rail 4")
    with pytest.raises(NotationError, match="pay for"):
        read(d, "discard 7 for glory 4")


@pytest.mark.parametrize(
    ("order", "shown"),
    [
        (Event(held_number("events/1/0", 33)), "event 33"),
        (Event(held_number("events/2/6", 38), (UNIT + CODES["4"], UNIT + CODES["SW"])), "event 38 on 4 SW"),
        (Discard((held_number("events/2/6", 4), 43), Purpose.RETURN, (UNIT + CODES["4"], 1716)),
         "discard 4 43 for return 4 1716"),
        (Drop((held_number("events/1/5", 7),)), "drop 7"),
        (Attack(1507, (CODES["3Pz"], CODES["4"])), "attack 1507 with 3Pz 4"),
        (Attack(1507, (CODES["4"],), Marker.BLITZ), "attack 1507 with 4 blitz"),
        (Counter(), "counter"),
        (Counter(Marker.SHOCK), "counter shock"),
        (Move(CODES["3Pz"], (1408, 1409)), "move 3Pz 1408-1409"),
    ],
)  # fmt: skip
def test_orders_are_shown_as_a_player_would_write_them(order, shown):
    assert game.notation.show(order) == shown
    assert game.notation.read(game.notation.write(order)) == order


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mov 3Pz berlin", "NR-8.1"),
        ("move 3Pz bre", "'bre' may be Breslau (0412), Brest (0811)."),
        ("move 3Pz sraatov", "Did you mean Saratov?"),
        ("move 3Pz xyzzy", "Places are written by number or name"),
        ("move 3Pz 14", "Hexes have four digits"),
        ("move 3Pz 9999", "There is no 9999 on the map"),
        ("move 3Pz 2109", "3Pz is already in 2109"),
        ("move 3Pzz 2110", "Did you mean 3Pz"),
        ("move ?? 2110", "Units are written by the codes on the board"),
        ("event 7", "You do not hold card 7 (NR-5.8); you hold 12, 22."),
        ("discard 22 for reorganize 3Pz", "In the Movement phase you pay for `rail`"),
        ("conquer moscow", "Orders now begin with: done, "),
        ("attack with 3Pz", "attack HEX with UNITS"),
    ],
)
def test_bad_orders_say_what_was_meant(text, says):
    d = table({"3Pz": "2109"}, axis=(12, 22))
    with pytest.raises((NotationError, IllegalOrderError)) as caught:
        d.order("axis", text)
    assert says in str(caught.value)


def test_held_cards_and_their_numbers():
    for held, card in (("events/1/0", 1), ("events/3/40", 54), (17, 17)):
        number = held_number(held, card)
        assert (held_of(number), card_of(number)) == (held, card)


def test_every_order_has_a_text():
    assert {verb.order for verb in game.notation.verbs} == set(printed_game.orders.orders)
    assert len({kind.kind for kind in printed_game.orders.orders}) == len(printed_game.orders.orders)
    told = [each for each in vars(events).values() if isinstance(each, type) and hasattr(each, "kind")]
    assert len({kind.kind for kind in told}) == len(told)


@pytest.mark.parametrize(
    "text", ["move", "move 99 2110", "move 3Pz nowhere", "attack 2209", "event x", "fly 3Pz 2110", "move 3Pz 21,10"]
)
def test_what_is_no_order(text):
    with pytest.raises(NotationError):
        read(table({"3Pz": "2109"}), text)


def test_refusals_name_the_rule_and_what_is_possible():
    d = table({"4": "2109", "NW": "2208", "SW": "2210"})
    violation = d.why_not("axis", "move 4 2209")
    assert violation.rule == "NR-8.4"
    assert "from one enemy zone straight into another" in violation.reason
    assert "It can reach" in violation.reason
    assert rule_of(declaring({"4": "2109", "NW": "2209"}), "target 2410") == "NR-9.1"


def test_the_board_shows_places_units_and_the_own_hand():
    d = table(
        {"1Pz": ("2109", "-"), "4": "2109", "West": ("2209", "+"), "KG1": "Available Cadres"}, axis=(1,), cut=("4",)
    )
    page = game.board(d.view("axis"))
    assert "1Pz 5-6-, 4 4-4*" in page
    assert "West 8-2+" in page
    assert "Available Cadres: KG1" in page
    assert "Axis's hand:\n   1 Manstein. In your Combat phase" in page
    assert "Axis holds 1 card." in game.board(d.view("soviet"))
    assert "before the first turn" not in page
    assert game.board(Driver(printed_game, "berlin").view())


def test_battles_in_words():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3)
    (told,) = [game.report(event) for event in d.events() if event.kind == "fought"]
    assert told == "Axis attack on 2209 with 4: 4 to 3, column 1:1, die 3: no effect."


def test_every_event_has_a_sentence():
    d = Driver(printed_game, "barbarossa")
    assert all(game.tell((event,)) for event in d.happened)


def test_odds_explain_every_shift():
    d = declaring({"1Pz": "2109", "4": "2208", "NW": "2209"})
    found = game.odds(d.view("axis"), "2209")
    told = found.text
    assert [(each.word, each.taken) for each in found.party.takers] == [("1Pz", True), ("4", True)]
    assert told.startswith("11 to 3 = 3:1, armour +1 (NR-1.9): column 4:1 of the Axis table. ")
    assert "exchange 17%" in told
    assert "%" in game.odds(d.view("axis"), "2209 with 4 blitz").text
    assert game.odds(d.view("axis"), "nowhere") == USAGE
    assert game.odds(d.view("axis"), "2210") == "No unit stands in 2210."
    assert game.odds(d.view("axis"), "2209 with KG1").startswith("These can attack")
    low = declaring({"2Hun": "2109", "4": "2208", "West": ("2209", "+")})
    assert "The defender counterattacks, without a die (NR-9.20)" in game.odds(low.view(), "2209 with 2Hun").text


def test_how_far_a_unit_goes():
    d = table({"4": "2109", "NW": "2309"})
    told = game.odds(d.view("axis"), "4").text
    assert told.startswith("4 4-4 at 2109, in supply, 4 points: reaches ")
    assert "2208 (1)," in told
    assert "2308 (2, stops)" in told  # beside the enemy
    assert game.odds(d.view("axis"), "KG1").text == "KG1 is not on the map."


def test_data_of_the_players_own():
    units = copy.deepcopy(DATA["units"])
    units["units"][0]["strong"]["strength"] = 8
    assert printed_game.data_with({"units": units}).digest != DATA.digest
    units["units"][0]["code"] = "X"
    with pytest.raises(Refusal) as refused:
        printed_game.data_with({"units": units})
    assert refused.value.code == "E-DATA"
    places = copy.deepcopy(DATA["places"])
    places["places"][0]["at"] = "Atlantis"
    with pytest.raises(Refusal):
        printed_game.data_with({"places": places})


def test_example_of_a_pocket():
    """A unit that is cut off is beaten more easily, and is taken instead of retreating."""
    units = {"1Pz": "2109", "2Pz": "2310", "NW": "2209", "4": "2308"}
    d = battle(units, "1Pz 4", "2209", 1, cut=("NW",))
    assert where(d, "NW") == "Captured"
    assert d.state.event_vp == 1


def test_example_of_a_winter_battle():
    """Snow, Long Winter, a city and an objective: four columns to the left."""
    s = position({"4": "1606", "6": "1706", "Mos": "Moscow"}, turn=5, flipped=())
    from pbem_rules.noretreat.weather import begin

    begin(s)
    from noretreat_positions import shifts

    assert shifts(s, "4 6", "Moscow") == {"snow": -2, "city": -1, "objective": -1}
    assert s.long_winter


def test_example_of_a_paid_turn():
    """Two cards turn a panzer army over, one brings an army back, and one card is left."""
    units = {"1Pz": ("0210", "-"), "6": ("Destroyed", "-")}
    d = table(units, Organise, turn=6, axis=(2, 3, 4, 5))
    d.order("axis", "discard 2 3 for upgrade 1Pz", "discard 4 for return 6 Breslau")
    assert (where(d, "1Pz"), where(d, "6"), len(d.state.hand(AXIS))) == ("0210", "0412-", 1)
    assert d.state.hand(SOVIET) == ()


def test_units_in_any_case_and_places_by_name_in_every_order():
    d = table({"4Pz": "0210", "Kal": "2410"})
    assert read(d, "rail 4pz") == Load(CODES["4Pz"])
    assert read(d, "upgrade KAL") == Upgrade(CODES["Kal"])
    assert read(d, "recall sspz Berlin") == Recall(CODES["SSPz"], place("Berlin"))
    assert read(d, "clear Smolensk") == Clear(place("Smolensk"))


def test_refusals_say_what_is_asked_and_when_events_are_played():
    d = table({"4": "2109", "NW": "2209"}, axis=(38, 7))
    assert d.why_not("axis", "target 2209").reason == (
        "`target` is not possible now. Turn 8, Axis movement: 1 unit can move. End with `done`"
    )
    late = d.check("axis", read(d, "event 38"))
    assert late is not None
    assert "in a battle before the die in the enemy's turn, not now" in late.reason
    assert "NW is not a unit of yours on the map" in d.why_not("axis", "move NW 2210").reason


def test_the_board_shows_all_markers():
    d = table(
        {"Kal": "Rail", "4": "0210"}, turn=13, high_tide=21, skip_sudden=True, scorched=(place("Kiev"),),
        works=(2109,), reserve=CODES["Kal"], helped=Rows({AXIS: CODES["4"]}), joker=AXIS,
    )  # fmt: skip
    page = game.board(d.view())
    for line in (
        "High tide: 21.", "Sudden death: the next check is left out.", "Scorched Earth: Kiev (1314).",
        "Defence works: 2109.", "Strategic Reserve: Kal.", "Support: 4.", "The Joker: Axis.",
    ):  # fmt: skip
        assert line in page
    assert "Weather to come: turn 15 mud, turn 16 snow, turn 18 mud." in page
    assert "Berlin (0210)" in page


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda turns: turns.pop(), "there are 28"),
        (lambda turns: turns[3].update(weather=["rain"]), "weather of turn 4"),
        (lambda turns: turns[3].update(weather=["snow", "mud", "clear"]), "weather of turn 4"),
        (lambda turns: turns[3].pop("weather"), "weather of turn 4"),
        (lambda turns: turns[3]["values"].update(shock=21), "blitz, shock and targets of turn 4"),
        (lambda turns: turns[3]["values"].pop("targets"), "blitz, shock and targets of turn 4"),
    ],
)
def test_a_turn_track_that_cannot_be_played(change, why):
    track = copy.deepcopy(DATA["turns"])
    change(track["turns"])
    with pytest.raises(Refusal, match=why) as refused:
        printed_game.data_with({"turns": track})
    assert refused.value.code == "E-DATA"


def test_a_turn_track_of_the_players_own():
    track = copy.deepcopy(DATA["turns"])
    track["turns"][4]["values"]["sudden_axis"] = 30
    data = printed_game.data_with({"turns": track})
    assert chart_of(data).track.value(5, "sudden_axis") == 30


def test_the_sentence_of_an_order_says_what_its_text_only_codes():
    d = table({"3Pz": "2009", "NW": "2209"}, Organise, axis=(5, 6), soviet=(2, 18))

    def beside(text, side=AXIS):
        return game.notation.sentence(game.notation.parse(text, d.context(side))[0], d.view(side))

    veterans, other_card = "card 5 (Veteran commanders)", f"card 6 ({CHART.card_title(AXIS, 6)})"
    assert beside("drop 5") == f"Throw away {veterans}."
    assert (
        beside("discard 5 6 for rail 3Pz")
        == f"Discard {veterans} and {other_card}, to pay for the rail transport of 3Pz."
    )
    assert beside("discard 6 for return SW 2010").startswith(f"Discard {other_card}, to pay for the return of SW to ")
    assert beside("drop 18", SOVIET) == f"Throw away card 18 ({CHART.card_title(SOVIET, 18)})."
    assert beside("target 9001") == "Mark Finland, to be attacked in this turn."
    assert beside("move 3Pz 2010-Smolensk") == "Move 3Pz to Tambov (2010), then Smolensk (1408)."
    assert beside("unload 3Pz Smolensk") == "Unload 3Pz in Smolensk (1408)."
    assert beside("move 3Pz 2109") == "Move 3Pz to 2109."
    assert beside("attack 2009 with 3Pz blitz at 2:1 ask") == (
        "Attack 2009 with 3Pz, with a Blitz marker, at 2:1 or better, and ask me in the middle of it."
    )


def test_what_the_number_of_a_choice_stands_for():
    d = table({"3Pz": "2009"}, Organise)
    spying, view = Spying(SOVIET), d.view(AXIS)
    assert game.notation.sentence(Choose(5), replace(view, frame=spying)) == "Choose 5, Veteran commanders."
    assert game.notation.sentence(Choose(5), view) == "Choose 5."
    verb = game.notation.verb_of[Choose]
    assert verb.called(Choose(5), replace(view, frame=spying)) == {"w:5": "5, Veteran commanders"}


@pytest.mark.parametrize(
    ("held", "text", "said", "called"),
    [
        ({SOVIET: (25,), "turn": 5}, "event 25 =2", "For the Motherland!) on two cards.", {"w:=2": "two cards"}),
        ({AXIS: (45,)}, "event 45 =1", "on one Blitz marker.", {"w:=1": "one Blitz marker"}),
        (
            {AXIS: (21,), "discards": (14,)},
            "event 21 c14",
            "on card 14 (Raw officers).",
            {"w:c14": "card 14 (Raw officers)"},
        ),
        (
            {AXIS: (2,), "discards": (14, 45)},
            "event 2 c45 =2",
            "on card 45 (A desperate attack) and two Blitz markers.",
            {"w:c45": "card 45 (A desperate attack)", "w:=2": "two Blitz markers"},
        ),
    ],
)
def test_what_an_event_is_played_on_is_said_in_the_words_of_its_card(held, text, said, called):
    side = SOVIET if SOVIET in held else AXIS
    d = table({"4": "2109", "NW": "2409"}, Organise, side=side, **held)
    order, view = game.notation.parse(text, d.context(side))[0], d.view(side)
    assert game.notation.sentence(order, view).endswith(said), game.notation.sentence(order, view)
    assert game.notation.verb_of[Event].called(order, view).items() >= called.items()
    (played,) = d.order(side, text).events(events.Played)
    assert set(called.values()) <= set(played.targets)


def test_standing_orders_name_places():
    policy = game.policy("counterattack", "when hex in Smolensk, 1507 then counter; then default")
    assert str(policy) == "when hex in 1408, 1507 then counter; then default"
    assert game.policy_text(policy) == "when hex in Smolensk, Vyazma then counter; then default"


def test_the_rules_print_the_tables_of_the_data():
    text = (files("pbem_rules.noretreat") / "RULES.md").read_text(encoding="utf-8")
    printed = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
        for part in text.split("\n\n")
        if part.startswith("|")
    ]
    tables = {table["name"]: table for table in DATA["tables"]["tables"]}
    for name, (head, _, *rows) in zip(("movement", "terrain", "axis", "soviet"), printed[-4:], strict=True):
        table = tables[name]
        labels = table.get("labels") or [str(die) for die in range(1, 7)]
        assert [row[0].casefold() for row in rows] == labels
        assert [row[1:] for row in rows] == [list(row) for row in table["rows"]]
        assert len(head) == len(table["columns"]) + 1
        assert name == "terrain" or head[1:] == list(table["columns"])


def test_nr_9_37_the_rules_the_explanation_and_the_battle_agree_about_dd():
    text = " ".join((files("pbem_rules.noretreat") / "RULES.md").read_text(encoding="utf-8").split())
    assert "**NR-9.37** DD: as DR, and each defending unit loses a step first." in text
    assert MEANINGS["DD"].startswith("each defending unit loses a step and must retreat")
    s = position({"4": "2109", "6": "2109", "NW": "2209", "Len": "2209"}, turn=24)
    work = plan_of(s, fight(s, "4 6", "2209", result="DD"), SOVIET)
    assert work == (*(f"step:{unit}" for unit in s.ground.stacks[2209]), "back:2209")
