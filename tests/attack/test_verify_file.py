"""`pbem verify` on what a cheat hands to a stranger: always one document, never a traceback."""

from __future__ import annotations

import json

import msgpack
import pytest
from click.testing import CliRunner
from victim import archive

from pbem.cli.verifying import verify_command
from pbem.fairplay.verify import verify
from pbem.protocol import container, reading
from pbem.protocol.armour import wrap
from pbem.protocol.card import make_card, parse_card
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.envelope import join
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ASIDE
from pbem.protocol.record import record_id
from tools.vectors.play import KEYS, Play


def verified(*arguments: str):
    done = CliRunner().invoke(verify_command, ["--json", *arguments], standalone_mode=False)
    assert done.exception is None
    return done.return_value, json.loads(done.output)


@pytest.fixture
def damaged(tmp_path):
    text = wrap(write(archive()[:4]))
    path = tmp_path / "damaged.txt"
    path.write_text(text[:200] + "*!" + text[202:])
    return path


def test_a_result_that_is_no_text_is_printed_all_the_same(tmp_path):
    play = Play(2)
    for by in (0, 1):
        play.add(by, "end", {"state": bytes(32), "result": {"winner": b"\x00\xff", "list": [b"x", 1, None]}})
    path = tmp_path / "odd.pbem"
    path.write_bytes(play.archive())
    code, document = verified("--level", "2", str(path))
    assert code == 0
    assert document["result"] == {"list": ["78", 1, None], "winner": "00ff"}


def test_damaged_armour_is_a_verdict(damaged):
    code, document = verified(str(damaged))
    assert code == 1
    assert document["first_bad"]["code"] == "E-FILE"


def test_one_damaged_file_does_not_hide_the_others(damaged, tmp_path):
    good = tmp_path / "good.pbem"
    good.write_bytes(write(archive()))
    code, document = verified("--jobs", "1", str(damaged), str(good))
    assert code == 1
    assert [each["ok"] for each in document["files"]] == [False, True]


def test_copies_of_a_card_or_a_proof_are_judged_once_and_bounded(tmp_path, monkeypatch):
    """Each judgement costs signatures, and a few bytes hold thousands of copies."""
    judged = []
    monkeypatch.setattr(reading, "parse_card", lambda raw: judged.append(raw) or parse_card(raw))
    card, path = Item(ItemType.CARD, make_card(Keys(bytes(32)), "Mallory", "", 1).raw), tmp_path / "cards.pbem"
    path.write_bytes(write([card] * MAX_ASIDE))
    verified("--level", "2", str(path))
    assert len(judged) == 1
    path.write_bytes(write([card] * (MAX_ASIDE // 2)) * 3)
    code, document = verified("--level", "2", str(path))
    assert (code, document["first_bad"]["code"], document["first_bad"]["step"]) == (1, "E-LARGE", "FIL-4")


def test_a_file_unpacks_to_no_more_than_the_bound(monkeypatch):
    monkeypatch.setattr(container, "MAX_UNPACKED", 10_000)
    found = verify(archive())
    assert found.first_bad
    assert (found.first_bad.code, found.first_bad.step) == ("E-LARGE", "FIL-4")


@pytest.mark.parametrize(
    ("change", "wanted"),
    [({"kind": "bribe"}, "E-FORM"), ({"v": 2}, "E-VERSION"), ({"at": 2**50}, "E-FORM"), ({"seq": 0.5}, "E-CANON")],
)
@pytest.mark.parametrize("level", [1, 2])
def test_a_record_that_is_bad_in_form_is_laid_at_the_door_of_whoever_signed_it(tmp_path, change, wanted, level):
    play = Play(2)
    play.add(1, "tie", {})
    play.add(0, "tie", {})
    body = msgpack.packb(msgpack.unpackb(msgpack.unpackb(play.items[-1].raw)[0]) | change)
    signed = Item(ItemType.RECORD, join(body, KEYS[1].sign(record_id(body))))
    path = tmp_path / "odd.pbem"
    path.write_bytes(play.archive(signed))
    code, document = verified("--level", str(level), str(path))
    bad = document["first_bad"]
    assert (code, bad["code"], bad["author"], bad["name"]) == (1, wanted, 1, "Bob Silva")
    assert bad["record"] == record_id(body).hex()
    shown = CliRunner().invoke(verify_command, ["--level", str(level), str(path)]).output
    assert f"Record {bad['record'][:16]} by Bob Silva." in shown
