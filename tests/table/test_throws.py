from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from pbem.protocol.chance import roll
from pbem.protocol.container import read_stream
from pbem.protocol.errors import Refusal
from pbem.table import throws
from pbem.table.throws import owners, read
from pbem.umpire.luck import luck, throws_of

ARCHIVE = Path(__file__).parents[1] / "rules/bridgehead/archives/behaviour-1.pbem"


@pytest.fixture(scope="module")
def game():
    return read(read_stream(BytesIO(ARCHIVE.read_bytes())))


def test_every_draw_is_what_its_key_gives(game):
    _, draws = game
    assert len(draws) > 5
    for each in draws:
        drawn = each.drawn
        assert roll(each.key, drawn.label, drawn.occurrence, drawn.sides, len(drawn.results)) == drawn.results
        assert len(each.by) == len(each.records)


def test_dice_are_of_the_seat_in_their_label_else_of_who_chose(game):
    genesis, draws = game
    seats = {seat.name: seat.player for seat in genesis.offer.seats}
    for each in draws:
        named = [seats[part] for part in each.drawn.label.split("/") if part in seats]
        assert owners(genesis, each) == (tuple(named[:1]) or each.by)


def test_the_dice_of_a_player_are_counted_once(game):
    genesis, draws = game
    names = {number: genesis.card(number).name for number in genesis.players}
    thrown = throws_of("g", genesis, draws, names)
    lone = [each for each in draws if len(owners(genesis, each)) == 1 and each.drawn.sides <= 20]
    assert sum(len(each.results) for each in thrown) == sum(len(each.drawn.results) for each in lone) > 0
    report = luck(thrown)
    by_test = {(names[by], test.sides): test.count for by, test in throws.tested(genesis, lone)}
    assert {(row.player, row.sides): row.test.count for row in report.rows} == by_test


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Refusal):
        read([])
