"""Whatever arrives: its own reason code, a sentence for the player, no traceback, and nothing changed on disk."""

from __future__ import annotations

import os
import random
import shutil
import zlib
from hashlib import sha256

import pytest
from forge import Forger, file_with
from homes import copied, exchange, newest, pbem, settle

from pbem.fairplay.secret import GameSecrets
from pbem.protocol.armour import wrap
from pbem.protocol.container import HEAD, Item, ItemType, read, write


@pytest.fixture(scope="module")
def _table(tmp_path_factory, _two_at_the_table):
    folder = tmp_path_factory.mktemp("table") / "two"
    alice, bob, name = copied(_two_at_the_table, folder)
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    bob("order", name, "posture hold")
    bob("send", name, "--yes")
    return folder, name


@pytest.fixture
def table(tmp_path, _table):
    """Alice's table, Bob's real keys, and a file of Bob's that Alice has not opened."""
    return copied(_table, tmp_path / "two")


def refused(player, raw, code, words=""):
    """Opening `raw` is refused with this code, in words, and the home stays byte for byte what it was."""
    before = player.picture()
    done = player("open", "-", stdin=raw, code=1)
    assert done.reason == code, done.err
    sentence = done.err.removeprefix("Refused: ").partition(f"[{code}")[0]
    assert len(sentence.split()) > 4
    assert words in sentence
    assert player.picture() == before
    assert player("open", "--json", "-", stdin=raw, code=1).json["ok"] is False
    assert player.picture() == before
    return done


def container(payload, *, count=1, length=None, flags=1, stored=None):
    """A file whose head says what it likes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = (packer.compress(payload) + packer.flush()) if stored is None else stored
    size = len(payload) if length is None else length
    head = b"pbem\x01" + bytes((flags,)) + count.to_bytes(2, "big") + size.to_bytes(4, "big")
    return head + len(packed).to_bytes(4, "big") + sha256(packed).digest()[:4] + packed


def test_truncated(table):
    alice, bob, _ = table
    raw = newest(bob).read_bytes()
    for size in (5, HEAD - 1, HEAD, len(raw) // 2, len(raw) - 1):
        refused(alice, raw[:size], "E-CUT", "cut off")


def test_damaged_and_followed_by_something(table):
    alice, bob, _ = table
    raw = newest(bob).read_bytes()
    refused(alice, raw + b"x", "E-FILE")
    refused(alice, raw[:16] + bytes((raw[16] ^ 1,)) + raw[17:], "E-FILE", "Ask for it again")


def test_oversized(table):
    alice, _, _ = table
    refused(alice, container(b"x", length=(4 << 20) + 1), "E-LARGE")
    refused(alice, b"x" * ((16 << 20) + 1), "E-LARGE")


def test_bomb_compressed(table):
    alice, _, _ = table
    refused(alice, container(bytes(50 << 20), length=100_000), "E-FILE", "more than")


def test_mis_armoured(table):
    alice, bob, _ = table
    text = wrap(newest(bob).read_bytes())
    lines = text.splitlines()
    refused(alice, "\n".join([*lines[:2], lines[2][:-1] + "!", *lines[3:]]), "E-FILE")
    refused(alice, "\n".join(lines[:-1]), "E-CUT")
    refused(alice, "Nothing but a friendly letter.\n", "E-NOTHING")
    refused(alice, b"", "E-NOTHING")
    refused(alice, random.Random(1).randbytes(3000), "E-NOTHING")


def test_rewrapped_quoted_and_recoded_text_is_taken(table, tmp_path):
    import post

    alice, bob, _ = table
    text = wrap(newest(bob).read_bytes())
    for number, mangle in enumerate(post.MANGLERS):
        copy = tmp_path / str(number)
        shutil.copytree(alice.home, copy)
        done = pbem("open", "-", home=copy, stdin=mangle(f"Hello,\n\n{text}\nBob\n"))
        assert done.code == 0, (mangle, done)
        assert "1 new record" in done.out


def test_duplicated_and_stale_files_do_nothing(table):
    alice, bob, _ = table
    alice("open", str(newest(bob)))
    before = alice.picture()
    for path in bob.outbox():
        done = alice("open", str(path), str(path))
        assert "all of this already" in done.out
    assert alice.picture() == before


def test_a_later_file_waits_for_an_earlier_one(table):
    alice, bob, name = table
    forger = Forger(bob.home, name)
    last = forger.record(1, forger.game.log.count(1) - 1)
    done = alice("open", "-", stdin=file_with(last.raw))
    assert "1 new record" in done.out
    far = forger.sign("tie", {}, prev=bytes(32), seq=forger.game.log.count(1) + 3)
    assert "wait" in alice("open", "-", stdin=file_with(far.raw)).out


def test_wrong_game(table, tmp_path):
    alice, bob, name = table
    alice("open", str(newest(bob)))
    forger = Forger(bob.home, name)
    refused(alice, file_with(forger.sign("tie", {}, game=forger.game.offer.id).raw), "E-START")
    unknown = alice("open", "-", stdin=file_with(forger.sign("tie", {}, game=bytes(32)).raw))
    assert "beginning has not arrived" in unknown.out
    alice("archive", name, "-o", str(tmp_path / "game.pbem"))
    stray = Item(ItemType.RECORD, forger.sign("tie", {}, game=bytes(32)).raw)
    mixed = write([*read((tmp_path / "game.pbem").read_bytes()), stray])
    assert pbem("verify", "-", "--json", home=alice.home, stdin=mixed).json["first_bad"]["code"] == "E-GAME"


def test_a_turn_spliced_into_another_game(table):
    alice, bob, name = table
    alice("open", str(newest(bob)))
    other = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--json").json["game"]
    bob("open", str(newest(alice)))
    bob("join", other)
    exchange(alice, bob)
    forger, second = Forger(bob.home, name), Forger(bob.home, other)
    last = forger.record(1, forger.game.log.count(1) - 1)
    refused(alice, file_with(second.sign("orders", last.data).raw), "E-DESYNC")


def test_wrong_version(table):
    alice, bob, name = table
    raw = newest(bob).read_bytes()
    refused(alice, raw[:4] + b"\x02" + raw[5:], "E-VERSION", "newer pbem")
    forger = Forger(bob.home, name)
    last = forger.record(1, forger.game.log.count(1) - 1)
    refused(alice, file_with(forger.resign(last.raw, lambda body: body.update(v=2))), "E-VERSION")


def offered(bob, change):
    """An offer by Bob, changed and signed by him."""
    name = bob("new", "bridgehead", "--seat", "blue=me", "--seat", "red=anyone", "--json").json["game"]
    forger = Forger(bob.home, name)
    return file_with(forger.resign(forger.game.log.opening[0].raw, lambda body: change(body["data"])))


def test_newer_rules_and_other_data(table):
    alice, bob, _ = table
    newer = offered(bob, lambda data: data["rules"].update(behaviour=99, needs="pbem 9.1"))
    refused(alice, newer, "E-BEHAVIOUR", "needs pbem 9.1 or newer")
    refused(
        alice,
        offered(bob, lambda data: data["rules"].update(data=bytes(32))),
        "E-PINS",
        "data of Bridgehead that are not installed",
    )
    refused(alice, offered(bob, lambda data: data["rules"].update(module="chess")), "E-MODULE")
    refused(alice, offered(bob, lambda data: data.update(scenario="nowhere")), "E-SETUP")


def test_unknown_author(table):
    alice, bob, name = table
    refused(alice, file_with(Forger(bob.home, name).sign("tie", {}, by=4).raw), "E-GAME", "Nobody")


def test_another_key(table, tmp_path):
    alice, bob, name = table
    alice("open", str(newest(bob)))
    forger = Forger(bob.home, name)
    stranger = settle(tmp_path, "Mallory")
    forger.keys = Forger(stranger.home, stranger_game(stranger)).keys
    refused(alice, file_with(forger.sign("tie", {}).raw), "E-SIGNATURE")


def stranger_game(player):
    return player("new", "bridgehead", "--mode", "open", "--seat", "blue=me", "--seat", "red=me", "--json").json["game"]


def test_out_of_turn(table):
    alice, bob, name = table
    alice("open", str(newest(bob)))
    forger = Forger(bob.home, name)
    last = forger.record(1, forger.game.log.count(1) - 1)
    data = {**last.data, "salt": forger.program.secrets.salt(forger.game.log.count(1))}
    refused(alice, file_with(forger.sign("orders", data).raw), "E-TURN")


@pytest.fixture
def marching(table):
    """It is Alice's march; Bob is the one who opens."""
    alice, bob, name = table
    alice("order", name, "posture hold")
    alice("send", name, "--yes")
    exchange(alice, bob)
    assert alice("legal", name, "move").out
    return alice, bob, name


def test_illegal_order(marching):
    alice, bob, name = marching
    forger = Forger(alice.home, name)
    game = forger.game.match.game
    move, done = game.orders.by_kind["move"], game.orders.by_kind["done"]
    data = forger.honest(done())
    data["orders"] = game.orders.write_all([move(unit=1, to=907), done()])
    refusal = refused(bob, file_with(forger.sign("orders", data).raw), "E-ORDER", "Not legal")
    assert "BH-" in refusal.err
    data["orders"] = [["fly"]]
    refused(bob, file_with(forger.sign("orders", data).raw), "E-ORDER-FORM")


def test_another_position_is_called_desync(marching):
    alice, bob, name = marching
    forger = Forger(alice.home, name)
    data = {**forger.honest(forger.game.match.game.orders.by_kind["done"]()), "state": bytes(32)}
    refused(bob, file_with(forger.sign("orders", data).raw), "E-DESYNC")


def test_bad_proof(marching):
    alice, bob, name = marching
    forger = Forger(alice.home, name)
    slot = next(iter(forger.game.match.ledger.decks.held(0)))
    data = forger.honest(forger.game.match.game.orders.by_kind["done"]())
    data["open"] = [[slot, bytes(31) + b"\x40"]]
    before = bob.picture()
    done = bob("open", "-", stdin=file_with(forger.sign("orders", data).raw), code=1)
    assert done.reason == "E-PROMISE", done.err
    assert bob.picture() == before


def test_a_reveal_that_nobody_asked_for(marching):
    alice, bob, name = marching
    forger = Forger(bob.home, name)
    orders = forger.game.log.last(0)
    refused(alice, file_with(forger.sign("reveal", {"items": [["dice", orders, bytes(32)]]}).raw), "E-PROMISE")


def test_a_reveal_of_another_chain(marching):
    """Bob must show dice for Alice's battle, and shows a value that is not of his chain."""
    alice, bob, name = marching
    alice("order", name, "move B7 0404", "move B6 0403", "done")
    alice("send", name, "--yes")
    exchange(alice, bob)
    alice("order", name, "attack 0504 from 0403,0404", "done")
    alice("send", name, "--yes")
    false = b""
    for _ in range(240):  # Red may answer before the dice, so that there are none in this battle
        known = Forger(alice.home, name).game.log.count(1)
        bob("open", str(newest(alice)))
        cheat = Forger(bob.home, name)
        before = []
        for seq in range(known, cheat.game.log.count(1)):
            honest = cheat.record(1, seq)
            if honest.kind == "reveal" and honest.data["items"][0][0] == "dice":
                items = [["dice", honest.data["items"][0][1], bytes(32)]]
                changed = cheat.sign("reveal", {"items": items}, prev=honest.prev, seq=seq, heads=honest.heads)
                false = file_with(*before, changed.raw)
                break
            before.append(honest.raw)
        if false:
            break
        exchange(alice, bob)
        for player in (bob, alice):
            if player("status", name, "--json").json["games"][0]["my_move"]:
                player("bot", name, "--send")
                break
    refused(alice, false, "E-PROMISE")


def test_fork(table):
    alice, bob, name = table
    forger = Forger(bob.home, name)
    last = forger.record(1, forger.game.log.count(1) - 1)
    alice("open", str(newest(bob)))
    rival = forger.sign("orders", last.data, seq=last.seq, prev=last.prev, heads=last.heads)
    before = alice.picture()
    done = alice("open", "-", stdin=file_with(rival.raw), code=1)
    assert done.reason == "E-FORK"
    after = alice.picture()
    (proof,) = set(after) - set(before)
    assert {key: after[key] for key in before} == before
    assert pbem("verify", str(alice.home / proof), home=alice.home).code == 0


def test_names_and_texts_from_files_are_never_paths_nor_escapes(table, tmp_path):
    alice, bob, _ = table
    name = bob(
        "new", "bridgehead", "--seat", "blue=me", "--seat", "red=anyone", "--title", "../../etc/passwd", "--json"
    ).json["game"]
    alice("open", str(newest(bob)))
    assert "../../etc/passwd" in alice("status", name).out
    assert not [path for path in tmp_path.rglob("*") if "passwd" in path.name]
    for evil in ("\x1b[2J", "\u202etxt", "a\nb", "\x00"):
        refused(alice, offered(bob, lambda data, evil=evil: data.update(title=evil)), "E-TEXT")


def test_hostile_mails_of_every_kind_leave_no_traceback(table):
    alice, bob, _ = table
    raw = newest(bob).read_bytes()
    text = wrap(raw)
    source = random.Random(9)
    before = alice.picture()
    hostile = [
        b"\x00" * 5000,
        b"From: a\n" * 20000,
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n" * 500,
        b"Content-Type: text/plain; charset=nonsense\nContent-Transfer-Encoding: base64\n\n!!!!",
        ("-----BEGIN PBEM FILE-----\n" * 200).encode(),
        text.encode("utf-16"),
        b"pbem",
        b"pbem\x01",
        os.urandom(64),
    ]
    for _ in range(60):
        changed = bytearray(raw)
        for _ in range(source.randint(1, 6)):
            changed[source.randrange(len(changed))] ^= source.randrange(1, 256)
        if changed != raw:
            hostile.append(bytes(changed))
    for each in hostile:
        done = pbem("open", "-", home=alice.home, stdin=each)
        assert done.code in (0, 1)
        assert done.reason != "E-INTERNAL", (each[:60], done.err)
        verdict = pbem("verify", "-", home=alice.home, stdin=each)
        assert verdict.code == 1
    assert alice.picture() == before


def test_a_full_disk_loses_nothing(table, monkeypatch):
    import errno

    alice, bob, _name = table
    before = alice.picture()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.home.disk.Disk.write", full)
        done = alice("open", str(newest(bob)), code=1)
        assert done.reason == "E-NO-WRITE"
        assert "Nothing was lost" in done.err
    assert {key: value for key, value in alice.picture().items() if key in before} == before
    assert "1 new record" in alice("open", str(newest(bob))).out


def test_a_home_that_cannot_be_written(table, monkeypatch):
    import errno

    alice, bob, _ = table
    before = alice.picture()

    def denied(*_):
        raise PermissionError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.home.disk.Disk.create", denied)
        assert alice("open", str(newest(bob)), code=1).reason == "E-NO-WRITE"
        assert alice("list").out
    assert alice.picture() == before


def test_a_missing_passphrase_keeps_the_file(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    bob("id", "export", "-o", str(tmp_path / "bob.pbem"))
    alice("open", str(tmp_path / "bob.pbem"))
    alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob")
    assert pbem("id", "passphrase", home=bob.home, PBEM_NEW_PASSPHRASE="drum").code == 0
    opened = pbem("open", str(newest(alice)), home=bob.home)
    assert opened.code == 0
    name = bob("list", "--json").json["games"][0]["name"]
    assert bob("join", name, code=1).reason == "E-PASSPHRASE"
    assert pbem("join", name, home=bob.home, PBEM_PASSPHRASE="drums").reason == "E-PASSPHRASE"
    assert pbem("join", name, home=bob.home, PBEM_PASSPHRASE="drum").code == 0


def test_two_processes_do_not_write_at_once(table):
    from pbem.home.disk import Lock

    alice, bob, _ = table
    before = alice.picture()
    with Lock(alice.home / "lock"):
        done = alice("open", str(newest(bob)), code=1)
    assert done.reason == "E-LOCKED"
    assert alice.picture() == before


def test_secrets_never_show(table):
    alice, _, name = table
    forger = Forger(alice.home, name)
    secrets = forger.program.secrets
    assert isinstance(secrets, GameSecrets)
    for thing in (secrets, forger.keys, forger.program):
        assert secrets.gs.hex() not in repr(thing)
        assert "hidden" in repr(thing) or "..." in repr(thing) or len(repr(thing)) < 120
