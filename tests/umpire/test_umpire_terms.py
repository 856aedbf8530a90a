"""`tournament.toml` is read strictly and completed from the game."""

import re
import sys
import textwrap
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "engine"))

from games.duel import duel

from pbem.engine.registry import find
from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.keys import Keys
from pbem.umpire import UmpireError
from pbem.umpire.entrants import read_entrants
from pbem.umpire.terms import MAX_TERMS, ClockTerms, Terms, completed, parse, parse_plain, seconds

LEAST = b'v = 1\ntitle = "Cup"\ngame = "bridgehead"\nformat = "swiss"\n'


def refusal(raw):
    with pytest.raises(UmpireError) as caught:
        parse(raw)
    assert caught.value.code == "E-UMPIRE-TERMS"
    return caught.value.sentence


def test_the_least_terms_are_completed_from_the_game():
    terms = completed(parse(LEAST), find("bridgehead"))
    assert terms.sides == ("blue", "red")
    assert terms.scenario == "crossing"
    assert terms.options
    assert terms.standings[0] == "points"


def test_the_file_in_the_guide_is_one():
    page = (Path(__file__).resolve().parents[2] / "docs" / "umpire.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    terms = completed(parse(textwrap.dedent(example).encode()), find("bridgehead"))
    assert (terms.name, terms.rounds, terms.mode) == ("cup", 5, "umpire")


def test_terms_survive_being_kept():
    raw = (
        LEAST
        + b"""
rounds = 5
mirrored = true
sides = ["red", "blue"]
standings = ["points", "wins"]
seed = "abc"
[clock]
move = "1d12h"
bank = 90
days_off = ["sat", "sun"]
[keeper]
on_flag = "forfeit"
auto = true
remind = 0
[rating]
start = 1200
"""
    )
    terms = completed(parse(raw), find("bridgehead"))
    assert parse_plain(terms.plain()) == terms
    assert terms.clock == ClockTerms(move=129_600, bank=90, days_off=0b110_0000, accept=7 * 86_400)


@pytest.mark.parametrize(
    ("text", "value"), [(0, 0), (90, 90), ("90", None), ("3d", 259_200), ("1w", 604_800), ("2h5m1s", 7_501)]
)
def test_times(text, value):
    if value is None:
        with pytest.raises(UmpireError):
            seconds(text)
    else:
        assert seconds(text) == value


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"v = 2", "v"),
        (b"nonsense", "not TOML"),
        (b"\xff", "not TOML"),
        (LEAST + b'surprise = "x"\n', "surprise"),
        (LEAST.replace(b"swiss", b"lottery"), "lottery"),
        (LEAST.replace(b'"Cup"', b'"a\\u202eb"'), "U+202E"),
        (LEAST.replace(b'"Cup"', b'"' + b"x" * 61 + b'"'), "title"),
        (LEAST + b"rounds = 0\n", "rounds"),
        (LEAST + b'[clock]\nmove = "soon"\n', "clock/move"),
        (LEAST + b'[clock]\nmove = "400d"\n', "a year at most"),
        (LEAST + b'[clock]\ndays_off = ["mon","tue","wed","thu","fri","sat","sun"]\n', "days_off"),
        (b"x = 1\n" * MAX_TERMS, "larger"),
        (b"a = " + b"[" * 5_000, "not TOML"),
    ],
)
def test_terms_that_are_refused_say_where(raw, says):
    assert says in refusal(raw)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sides": ("blue", "green")}, "The sides of"),
        ({"standings": ("points", "beauty")}, "beauty"),
        ({"scenario": "moon"}, "moon"),
        ({"clock": ClockTerms(bank=5)}, "bank"),
    ],
)
def test_terms_are_held_against_the_game(change, says):
    with pytest.raises(UmpireError, match=says):
        completed(Terms(title="Cup", game="bridgehead", format="swiss", **change), find("bridgehead"))


def test_a_game_of_three_sides_is_no_pairing():
    with pytest.raises(UmpireError, match="3 sides"):
        completed(Terms(title="Cup", game="duel", format="swiss"), duel(3))


# Cards


def card_file(tmp_path, name):
    from pbem.protocol.card import make_card
    from pbem.protocol.container import Item, ItemType, write
    from pbem.protocol.keys import Keys

    card = make_card(Keys(name.encode().ljust(32, b".")), name, f"{name}@example.org", 5)
    path = tmp_path / f"{name}.pbem"
    path.write_bytes(write([Item(ItemType.CARD, card.raw)]))
    return path


def test_cards_of_a_folder_in_the_order_of_their_names(tmp_path):
    for name in ("bob", "alice"):
        card_file(tmp_path, name)
    (tmp_path / ".hidden").write_bytes(b"x")
    assert [each.card.name for each in read_entrants(tmp_path)] == ["alice", "bob"]


def test_cards_that_a_table_names(tmp_path):
    for name in ("bob", "alice"):
        card_file(tmp_path, name)
    table = tmp_path / "players.csv"
    table.write_text("card,rating\nbob.pbem,1700\nalice.pbem,\n", encoding="utf-8")
    assert [(each.card.name, each.rating, each.deviation) for each in read_entrants(table)] == [
        ("bob", 1700, None),
        ("alice", None, None),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name\nbob\n", "columns are"),
        ("card\nbob.pbem\nbob.pbem\n", "twice"),
        ("card\nnobody.pbem\n", "no card"),
        ("card,rating\nbob.pbem,good\n", "whole number"),
        ("card,rating\nbob.pbem,99999999999999999999\n", "whole number"),
        ("card\n", "no card in"),
        ('card\n"bob', "CSV"),
    ],
)
def test_tables_that_are_refused(tmp_path, text, says):
    card_file(tmp_path, "bob")
    table = tmp_path / "players.csv"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(UmpireError, match=says) as caught:
        read_entrants(table)
    assert caught.value.code == "E-UMPIRE-ENTRANTS"


def test_a_folder_with_something_else_in_it_says_what(tmp_path):
    card_file(tmp_path, "bob")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(UmpireError, match=r"notes\.txt"):
        read_entrants(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "options" + ".a" * 10_000 + " = 1",
        "options.a = " + "[" * 300 + "]" * 300,
        "rounds = 0x" + "f" * 20_000,
        "[clock]\nmove = 0x" + "f" * 20_000,
        "rounds = " + "9" * 5_000,
    ],
)
def test_no_value_is_too_odd_to_be_refused(line):
    with pytest.raises(UmpireError) as caught:
        parse(f'v = 1\ntitle = "Cup"\ngame = "bridgehead"\nformat = "swiss"\n{line}\n'.encode())
    assert caught.value.code == "E-UMPIRE-TERMS"


@pytest.mark.parametrize("row", ["0000000009999", "0" * 9 + "9" * 5_000, "1" * 5_000, "-1", "1.5", "\u0661"])
def test_a_rating_of_any_length_is_judged_whole(tmp_path, row):
    (tmp_path / "players.csv").write_text(f"card,rating\na.pbem,{row}\n", encoding="utf-8")
    (tmp_path / "a.pbem").write_bytes(write([Item(ItemType.CARD, make_card(Keys(bytes(32)), "Ann", "", 1).raw)]))
    with pytest.raises(UmpireError) as caught:
        read_entrants(tmp_path / "players.csv")
    assert "rating is a whole number" in caught.value.sentence


def test_the_lines_of_a_list_are_counted_before_their_cards_are_read(tmp_path):
    (tmp_path / "players.csv").write_bytes(b"card\n" + b"/dev/null\n" * 5_000 + b"\0\n")
    with pytest.raises(UmpireError, match="more than a tournament takes"):
        read_entrants(tmp_path / "players.csv")


def test_no_name_of_a_card_makes_a_traceback(tmp_path):
    (tmp_path / "players.csv").write_bytes(b"card\n\0\n")
    with pytest.raises(UmpireError):
        read_entrants(tmp_path / "players.csv")
