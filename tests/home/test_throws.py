"""Every draw of an archive, and whose dice they were."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.registry import find
from pbem.fairplay.chance import roll
from pbem.home import archives
from pbem.home.archives import owners, read_throws
from pbem.protocol.container import read_stream
from pbem.protocol.errors import Incomplete
from pbem.protocol.genesis import Seat

ARCHIVE = Path(__file__).parents[1] / "rules/bridgehead/archives/behaviour-1.pbem"


@pytest.fixture(scope="module")
def game():
    return read_throws(read_stream(BytesIO(ARCHIVE.read_bytes())))


def test_every_draw_is_what_its_key_gives(game):
    _, draws = game
    assert len(draws) > 5
    for each in draws:
        drawn = each.drawn
        assert roll(each.key, drawn.label, drawn.occurrence, drawn.sides, len(drawn.results)) == drawn.results
        assert len(each.by) == len(each.records)


def test_dice_are_of_whom_the_game_says_else_of_the_seat_in_their_label_else_of_who_chose(game, monkeypatch):
    genesis, draws = game
    seats = {seat.name: seat.player for seat in genesis.offer.seats}
    named = [tuple(seats[part] for part in each.drawn.label.split("/") if part in seats)[:1] for each in draws]
    counters = ["/counter/" in each.drawn.label for each in draws]
    for each, whose, counter in zip(draws, named, counters, strict=True):
        assert owners(genesis, each) == ((1 - whose[0],) if counter else whose or each.by)
    monkeypatch.setattr(archives, "thrown_by_rule", lambda _: None)
    assert [owners(genesis, each) for each in draws] == [
        whose or each.by for each, whose in zip(draws, named, strict=True)
    ]


def labelled(each, label):
    return replace(each, drawn=each.drawn._replace(label=label))


def with_seats(genesis, players):
    seats = tuple(Seat(name=power, player=player, side="") for power, player in players.items())
    rules = genesis.offer.rules._replace(module="axis1941")
    return replace(genesis, offer=replace(genesis.offer, seats=seats, rules=rules))


def test_dice_of_a_defence_are_the_defender_s(game):
    genesis, (each, *_) = game
    two = with_seats(genesis, {"germany": 0, "japan": 0, "ussr": 1, "uk": 1, "usa": 1})
    label = "r3/germany/ukraine/1/"
    for phase, player in (("att", 0), ("att-strike", 0), ("def", 1), ("def-strike", 1)):
        assert owners(two, labelled(each, label + phase)) == (player,)
    assert owners(two, labelled(each, "r3/usa/sz5/2/def")) == (0,)


def test_dice_that_several_players_may_have_thrown_are_nobody_s(game):
    genesis, (each, *_) = game
    three = with_seats(genesis, {"germany": 0, "japan": 0, "ussr": 1, "uk": 2, "usa": 2})
    assert owners(three, labelled(each, "r3/germany/ukraine/1/def")) == ()
    assert owners(three, labelled(each, "r3/uk/france/1/def")) == (0,)
    assert owners(three, labelled(each, "r3/ussr/ukraine/1/att")) == (1,)


@given(st.sampled_from(["axis1941", "bridgehead", "noretreat"]), st.text("/acdefghuntrlxsi139-", max_size=40))
def test_any_label_is_somebody_s_or_nobody_s(name, label):
    played = find(name)
    assert set(played.thrown_by(label)) <= {seat.name for seat in played.seats}


def test_the_die_of_a_counterattack_is_the_defender_s():
    assert find("noretreat").thrown_by("t1/axis/1507/crt") == ("axis",)
    assert find("noretreat").thrown_by("t1/axis/1507/counter") == ("soviet",)
    assert find("bridgehead").thrown_by("t2/red/0506/counter/crt") == ("blue",)
    assert find("bridgehead").thrown_by("shuffle/1") == ()


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Incomplete):
        read_throws([])
