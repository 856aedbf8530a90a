"""What a stranger sees of an archive: verify, dice, replay."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest
from homes import pbem
from shapes import fits

from pbem.protocol.container import Item, ItemType, read, write_stream
from pbem.protocol.record import parse_record


def stranger(tmp_path, *arguments, **more):
    return pbem(*map(str, arguments), home=tmp_path / "nobody", **more)


def archive_of(finished):
    return finished[1]["archive"]


def test_an_archive_is_verified_without_a_home(finished, tmp_path):
    done = stranger(tmp_path, "verify", archive_of(finished))
    assert done.code == 0
    assert "Everything hidden has been revealed and checked." in done.out
    assert "wins" in done.out or "a draw" in done.out
    assert not (tmp_path / "nobody").exists()
    for level in ("1", "2", "3"):
        verdict = fits("verify", stranger(tmp_path, "verify", "--level", level, "--json", archive_of(finished)).json)
        assert verdict["ok"]
        assert verdict["level"] == int(level)
        assert verdict["records"] > 50


def test_many_archives_in_several_processes_come_in_order(finished, tmp_path):
    names = []
    for number in range(4):
        path = tmp_path / f"{number}.pbem"
        shutil.copy(archive_of(finished), path)
        names.append(str(path))
    broken = tmp_path / "broken.pbem"
    broken.write_bytes((tmp_path / "0.pbem").read_bytes()[:-9])
    names.insert(2, str(broken))
    done = stranger(tmp_path, "verify", "--json", "--jobs", "2", *names)
    assert done.code == 1
    files = fits("verify", done.json)["files"]
    assert [each["file"] for each in files] == names
    assert [each["ok"] for each in files] == [True, True, False, True, True]
    assert files[2]["first_bad"]["code"] == "E-CUT"


def test_a_changed_archive_names_the_first_bad_record(finished, tmp_path):
    items = list(read(Path(archive_of(finished)).read_bytes()))
    at = next(n for n, item in enumerate(items) if n > 30 and item.type is ItemType.RECORD)
    raw = bytearray(items[at].raw)
    raw[-5] ^= 4
    items[at] = Item(ItemType.RECORD, bytes(raw))
    path = tmp_path / "changed.pbem"
    path.write_bytes(b"".join(write_stream(items)))
    done = stranger(tmp_path, "verify", str(path), "--json")
    assert done.code == 1
    bad = fits("verify", done.json)["first_bad"]
    assert (bad["code"], bad["step"]) == ("E-SIGNATURE", "KEY-2")
    assert bad["record"]
    text = stranger(tmp_path, "verify", str(path))
    assert text.code == 1
    assert "Not verified: " in text.out
    assert f"[{bad['code']}" in text.out


def test_armoured_archives_and_standard_input(finished, tmp_path):
    from pbem.protocol.armour import wrap

    raw = Path(archive_of(finished)).read_bytes()
    text = tmp_path / "game.txt"
    text.write_text("Here it is.\n\n" + wrap(raw))
    assert stranger(tmp_path, "verify", str(text)).code == 0
    assert stranger(tmp_path, "verify", "-", stdin=raw).code == 0


def mail_with(*files, text="Your turn.\n"):
    message = EmailMessage()
    message["Subject"] = "pbem"
    message.set_content(text)
    for number, raw in enumerate(files):
        message.add_attachment(raw, maintype="application", subtype="octet-stream", filename=f"{number}.pbem")
    return message.as_bytes()


def test_a_whole_mail_is_looked_through_as_open_does(finished, tmp_path):
    raw = Path(archive_of(finished)).read_bytes()
    (tmp_path / "one.eml").write_bytes(mail_with(raw))
    verdict = fits("verify", stranger(tmp_path, "verify", "--json", tmp_path / "one.eml").json)
    assert (verdict["ok"], verdict["file"], verdict["holds"]) == (True, str(tmp_path / "one.eml"), "")
    assert stranger(tmp_path, "dice", "--summary", tmp_path / "one.eml").code == 0
    (tmp_path / "two.eml").write_bytes(mail_with(raw, raw[:-3]))
    done = stranger(tmp_path, "verify", "--json", tmp_path / "two.eml")
    assert done.code == 1
    files = fits("verify", done.json)["files"]
    assert [(each["file"].rpartition(" (")[2], each["ok"]) for each in files] == [("1 of 2)", True), ("2 of 2)", False)]
    assert files[1]["first_bad"]["code"] == "E-CUT"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"Dear Bob, here is my turn.\n", "E-NOTHING"),
        (mail_with(text="I forgot the file.\n"), "E-NOTHING"),
        (b"-----BEGIN PBEM FILE-----\nAAAA\n", "E-CUT"),
        (b"\x7fELF\x00\x00\x01", "E-NOTHING"),
        (b"", "E-CUT"),
        (b"a" * (16 << 20) + b"a", "E-LARGE"),
    ],
)
def test_what_holds_no_file_is_told_precisely(tmp_path, raw, code):
    path = tmp_path / "what.txt"
    path.write_bytes(raw)
    done = stranger(tmp_path, "verify", "--json", path)
    assert done.code == 1
    assert fits("verify", done.json)["first_bad"]["code"] == code


def test_what_is_no_whole_game_is_named_with_the_command_that_reads_it(finished, tmp_path):
    items = list(read(Path(archive_of(finished)).read_bytes()))
    records = [(item, parse_record(item.raw)) for item in items if item.type is ItemType.RECORD]
    opening = [item for item, record in records if record.kind in ("offer", "join")]
    turn = next(item for item, record in records if record.kind == "orders")
    card = Item(ItemType.CARD, records[0][1].data["card"])
    for parts, ok, said, command in (
        ([card], True, "The card of ", "pbem open"),
        (opening[:1], True, "An offer of bridgehead", "pbem open"),
        (opening, True, "with 1 join", "pbem open"),
        ([turn], False, "1 record from the middle of a game (orders)", "pbem archive GAME"),
        ([*opening, turn], False, "", ""),
    ):
        path = tmp_path / "part.pbem"
        path.write_bytes(b"".join(write_stream(parts)))
        done = stranger(tmp_path, "verify", "--json", path)
        verdict = fits("verify", done.json)
        assert verdict["ok"] is ok
        assert done.code == (0 if ok else 1)
        assert said in verdict["holds"]
        assert command in verdict["holds"]
        assert bool(verdict["holds"]) is bool(said)
        text = stranger(tmp_path, "verify", path).out
        assert ("are correct" in text, "Not verified" in text) == (False, not said)
    assert "E-INCOMPLETE" in text


def test_a_card_that_was_changed_is_not_said_to_hold(finished, tmp_path):
    items = list(read(Path(archive_of(finished)).read_bytes()))
    raw = bytearray(next(parse_record(item.raw) for item in items if item.type is ItemType.RECORD).data["card"])
    raw[-1] ^= 1
    path = tmp_path / "card.pbem"
    path.write_bytes(b"".join(write_stream([Item(ItemType.CARD, bytes(raw))])))
    verdict = fits("verify", stranger(tmp_path, "verify", "--json", path).json)
    assert (verdict["holds"], verdict["first_bad"]["code"]) == ("", "E-SIGNATURE")


def test_a_backup_is_only_its_owners(tmp_path):
    home = tmp_path / "owner"
    pbem("id", "new", "Alice Kern", "--email", "a@example.org", home=home)
    pbem("backup", "-o", str(tmp_path / "backup.pbem"), home=home)
    done = stranger(tmp_path, "verify", tmp_path / "backup.pbem")
    assert done.code == 1
    assert "pbem restore FILE" in done.out
    assert "Not verified" not in done.out
    assert stranger(tmp_path, "verify", "-", stdin=b"").code == 1
    assert stranger(tmp_path, "verify", "-", stdin=b"\xff" * 100).code == 1


def test_every_die_is_listed_and_checked(finished, tmp_path):
    document = fits("dice", stranger(tmp_path, "dice", archive_of(finished), "--json").json)
    verdict = stranger(tmp_path, "verify", archive_of(finished), "--json").json
    assert len(document["draws"]) == verdict["draws"]
    assert sum(len(draw["results"]) for draw in document["draws"]) == verdict["dice"]
    text = stranger(tmp_path, "dice", archive_of(finished))
    for draw in document["draws"]:
        assert draw["label"] in text.out
        assert draw["key"][:16] in text.out
    assert "all correct, calculated again from their keys" in text.out
    assert {test["name"] for test in document["fairness"]} <= {"Alice Kern", "Bob Silva"}
    assert not json.loads(stranger(tmp_path, "dice", archive_of(finished), "--json", "--summary").out)["draws"]


def test_a_replay_steps_both_ways(finished, tmp_path):
    whole = fits("replay", stranger(tmp_path, "replay", archive_of(finished), "--json").json)["records"]
    assert [each["number"] for each in whole] == list(range(1, len(whole) + 1))
    assert whole[0]["kind"] == "offer"
    last = fits("replay", stranger(tmp_path, "replay", archive_of(finished), "--at", "last", "--json").json)
    assert last["moment"] == "the game is over"
    middle = len(whole) // 2
    at = stranger(tmp_path, "replay", archive_of(finished), "--at", str(middle))
    script = f"n {middle}\nb\np 5\nn 4\nb\nfirst\nlast\n{middle}\nb\no\nwhat\n99999\nq\n"
    stepped = stranger(tmp_path, "replay", archive_of(finished), stdin=script)
    assert stepped.code == 0
    board = at.out.split("\n", 1)[1]
    assert stepped.out.count(board.strip().splitlines()[-1]) >= 1
    assert stepped.out.count(f"\n{middle}/{len(whole)}") + stepped.out.startswith(f"{middle}/") >= 2
    assert "before the start" not in at.out
    everything = stranger(tmp_path, "replay", archive_of(finished), "--all")
    assert all(line in everything.out for each in whole for line in each["happened"])
    assert "opening of all secrets" in everything.out
    assert "open_all" not in everything.out
    for wrong in ("0", "99999", "-1", "x"):
        assert stranger(tmp_path, "replay", archive_of(finished), "--at", wrong).code == 2


def test_a_proof_of_a_fork_is_verified(finished, tmp_path):
    proof = next(finished[0].glob("*fork*.pbem"))
    done = stranger(tmp_path, "verify", str(proof))
    assert done.code == 0
    assert "Proof of a fork, and it is valid. Bob Silva has signed two different records" in done.out
    raw = bytearray(proof.read_bytes())
    raw[len(raw) // 2] ^= 1
    proof_changed = tmp_path / "changed.pbem"
    proof_changed.write_bytes(bytes(raw))
    assert stranger(tmp_path, "verify", str(proof_changed)).code == 1


def test_what_is_no_archive_is_refused(two, tmp_path):
    alice, _, _ = two
    card = tmp_path / "card.pbem"
    alice("id", "export", "-o", str(card))
    assert "There is no game in this file." in stranger(tmp_path, "verify", str(card)).out
    assert stranger(tmp_path, "replay", str(card)).reason == "E-ARCHIVE"
    assert stranger(tmp_path, "dice", str(card)).reason == "E-INCOMPLETE"


def test_verifying_loads_neither_schemas_nor_the_home(finished):
    code = (
        "import sys; from pbem.cli.run import run; code = run(['verify', sys.argv[1]]); "
        "print(code, [m for m in sys.modules if m.startswith(('jsonschema', 'pbem.home'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, archive_of(finished)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"
