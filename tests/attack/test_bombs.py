"""What files that are bad in form may cost; `make bombs` measures all of them."""

from __future__ import annotations

import random

import pytest
from victim import archive

from pbem.engine.replay import Replay
from pbem.home import Home, intake
from pbem.home.intake import WaitingRoom
from pbem.home.people import Cost
from pbem.home.unpacking import unwrap
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_QUARANTINE
from tools.bombs import BOMBS, COMMANDS, MEMORY, QUICK, SECONDS, junk_record, measure


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", QUICK)
def test_a_bomb_is_refused_within_the_bar(name, command):
    cost = measure(name, command, BOMBS[name]())
    assert cost.within, f"{cost.seconds:.1f} s of {SECONDS}, {cost.memory >> 20} MiB of {MEMORY >> 20}: {cost.said}"


@pytest.mark.parametrize("order", ["reversed", "shuffled"])
def test_records_out_of_order_are_judged_about_as_often_as_in_order(tmp_path, monkeypatch, order):
    tried = []
    accept = Replay.accept
    monkeypatch.setattr(Replay, "accept", lambda self, record: tried.append(record) or accept(self, record))
    records = [item for item in archive() if item.type is ItemType.RECORD]
    mixed = records[::-1] if order == "reversed" else random.Random(1).sample(records, len(records))
    desk = Home(tmp_path, ask=lambda _: "", cost=Cost(2, 8, 1))
    (opened,) = intake.open_bytes(desk, write(mixed))
    assert opened.refused is None
    assert len(tried) <= 6 * len(records)


def test_many_records_of_an_unknown_game_cost_little(tmp_path, monkeypatch):
    asked = []
    add = WaitingRoom.add
    monkeypatch.setattr(WaitingRoom, "add", lambda self, *more: asked.append(more) or add(self, *more))
    desk = Home(tmp_path, ask=lambda _: "", cost=Cost(2, 8, 1))
    (opened,) = intake.open_bytes(desk, write([Item(ItemType.RECORD, junk_record(n, "tie", {})) for n in range(300)]))
    assert len(asked) == MAX_QUARANTINE + 1
    assert f"{300 - MAX_QUARANTINE} of them could not be kept" in opened.notes[0]


def test_many_rows_in_small_records_are_bounded(monkeypatch):
    monkeypatch.setattr("pbem.home.unpacking.MAX_HELD", 2_000)
    rows = [["pass", "d", 1, 1, b"", b"", [], []]] * 1_000
    record = Item(ItemType.RECORD, junk_record(0, "release", {"items": rows}))
    with pytest.raises(Refusal) as caught:
        unwrap(write([record] * 2))
    assert (caught.value.code, caught.value.step) == ("E-LARGE", "FIL-4")
