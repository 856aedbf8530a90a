"""Every draw of an archive, and whose dice they were."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from pbem.protocol.chance import roll
from pbem.protocol.container import read_stream
from pbem.protocol.errors import Refusal
from pbem.table.throws import owners, read

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


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Refusal):
        read([])
