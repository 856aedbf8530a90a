"""What is refused changes nothing on the disk, whatever it is."""

import errno
import hashlib
import itertools
import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from desks import Quick, carry, desk_at, duel, introduce, start, took
from games.duel import Aim
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.home import HomeError, acts, describe, intake, offers, orders, seen, sending, summary
from pbem.protocol.armour import wrap
from pbem.protocol.container import Item, ItemType, read, write
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.keys import Keys
from pbem.protocol.record import make_record, parse_record

SEATS = {"ann": "me", "bob": "bob"}


def find_game(_):
    return duel()


def three(_):
    return duel(3)


def homes(tmp_path, names=("alice", "bob"), find_game=find_game):
    desks = [desk_at(tmp_path / name, name, find_game=find_game) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


def running(tmp_path):
    """A duel in which Alice has just fired; her file."""
    alice, bob = homes(tmp_path)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    for _ in range(2):
        mover = next(desk for desk in (alice, bob) if summary.row(desk, name).my_move)
        orders.order(mover, name, [next(orders.move(mover, name).legal())])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    orders.order(alice, name, ["fire"])
    return alice, bob, name, sending.send(alice, name).posted


def picture(folder):
    """Every byte of a home, but for what may be deleted at any time; of its tables, the rows about files that exist."""
    found = {}
    files = {path.stem for path in folder.glob("outbox/*.pbem")}
    for path in sorted(folder.rglob("*")):
        if path.name == "tables.db":
            with closing(sqlite3.connect(path)) as tables:
                rows = tables.execute("SELECT * FROM letters ORDER BY id").fetchall()
                found[path.name] = (
                    [row for row in rows if row[1] in files],
                    list(tables.execute("SELECT * FROM boards")),
                )
        elif path.is_file() and "cache" not in path.parts and path.name != "lock":
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusals")
    alice, bob, name, posted = running(folder)
    return folder, alice, bob, name, posted


def refusal(desk, raw):
    """How a file is refused, by raising or in the answer."""
    try:
        found = intake.open_bytes(desk, raw)
    except PbemError as error:
        return error
    bad = [opened.refused for opened in found if opened.refused is not None]
    return bad[0] if bad else None


def test_every_flipped_byte_of_a_turn(ready):
    folder, _, bob, _, posted = ready
    before = picture(folder / "bob")
    raw = bytearray(posted.raw)
    for place in range(len(raw)):
        raw[place] ^= 0x20
        assert refusal(bob, bytes(raw)) is not None, place
        raw[place] ^= 0x20
    assert picture(folder / "bob") == before


def test_every_truncation_and_anything_that_follows(ready):
    folder, _, bob, _, posted = ready
    before = picture(folder / "bob")
    for length in range(len(posted.raw)):
        assert refusal(bob, posted.raw[:length]) is not None
    assert refusal(bob, posted.raw + b"x").code == "E-FILE"
    assert picture(folder / "bob") == before


def changed(item, keys, **fields):
    """The record again with other fields, signed by somebody."""
    record = parse_record(item.raw)
    values = {
        name: getattr(record, name)
        for name in ("at", "by", "data", "game", "heads", "kind", "pin", "prev", "seq", "note")
    }
    return Item(ItemType.RECORD, make_record(keys, **{**values, **fields}).raw)


def test_records_of_somebody_else_and_out_of_turn(ready):
    folder, alice, bob, _, posted = ready
    before = picture(folder / "bob")
    (turn,) = [item for item in read(posted.raw) if parse_record(item.raw).kind == "orders"][-1:]
    data = parse_record(turn.raw).data
    own = alice.people.keys(alice.people.me().identity)
    stranger = Keys(bytes(32))
    cases = {
        "E-SIGNATURE": changed(turn, stranger),
        "E-GAME": changed(turn, own, by=3),
        "E-DESYNC": changed(turn, own, data={**data, "state": bytes(32)}),
        "E-ORDER": changed(turn, own, data={**data, "orders": duel().orders.write_all([Aim(9)])}),
        "E-ORDER-FORM": changed(turn, own, data={**data, "orders": [["fly"]]}),
        "E-PINS": changed(turn, own, pin=1),
        "E-TURN": changed(turn, own, heads=()),
    }
    for code, item in cases.items():
        found = refusal(bob, write([item]))
        assert found is not None, code
        if code != "E-TURN":
            assert found.code == code
        assert found.sentence.endswith(".")
    assert picture(folder / "bob") == before


def test_a_good_record_beside_a_bad_one_is_not_taken(ready):
    folder, alice, bob, _, posted = ready
    before = picture(folder / "bob")
    items = list(read(posted.raw))
    own = alice.people.keys(alice.people.me().identity)
    last = parse_record(items[-1].raw)
    bad = changed(items[-1], own, seq=last.seq + 1, prev=last.id)
    assert refusal(bob, write([*items, bad])) is not None
    assert picture(folder / "bob") == before


def test_a_second_offer_of_other_rules(ready, tmp_path):
    folder, _, bob, _, _ = ready
    before = picture(folder / "bob")
    other = desk_at(tmp_path / "other", "other", find_game=lambda _: duel(2, 9))
    other.new_identity("Olga", "", "")
    introduce(other, bob)
    bob.people.forget("olga")
    _, posted = offers.offer(other, "duel", seats={"ann": "me", "bob": "bob"})
    found = refusal(bob, posted.raw)
    assert found.code == "E-BEHAVIOUR"
    assert picture(folder / "bob") == before


def test_a_fork_between_two_is_refused_and_kept_as_proof(tmp_path):
    alice, bob, name, posted = running(tmp_path)
    shutil.copytree(tmp_path / "bob", tmp_path / "twin")
    twin = desk_at(tmp_path / "twin", "twin", start=1_900_000_000, find_game=find_game)
    files = []
    for desk, order in ((bob, "stand"), (twin, "dodge")):
        took(intake.open_bytes(desk, posted.raw))
        orders.order(desk, name, [order])
        files.append(sending.send(desk, name).posted.raw)
    took(intake.open_bytes(alice, files[0]))
    before = picture(tmp_path / "alice")
    found = refusal(alice, files[1])
    assert found.code == "E-FORK"
    after = picture(tmp_path / "alice")
    (proof,) = set(after) - set(before)
    assert proof.startswith("proofs")
    assert {key: after[key] for key in before} == before
    raw = (tmp_path / "alice" / proof).read_bytes()
    (item,) = read(raw)
    assert parse_fork_proof(item.raw).card.name == "Bob"
    assert refusal(alice, files[1]).code == "E-FORK"
    assert picture(tmp_path / "alice") == after
    told = took(intake.open_bytes(desk_at(tmp_path / "judge", "judge", find_game=find_game), raw))
    assert told[0].kind == "proof"


def test_a_fork_among_three_goes_on_by_ruling(tmp_path):
    alice, bob, carla = desks = homes(tmp_path, ("alice", "bob", "carla"), three)
    seats = {"ann": "me", "bob": "bob", "cid": "carla"}
    name, posted = offers.offer(alice, "duel", seats=seats, options={"turns": 1})
    letters = []
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
        letters.append((desk, offers.join(desk, name)))
    carry(*desks, letters)
    shutil.copytree(tmp_path / "bob", tmp_path / "twin")
    twin = desk_at(tmp_path / "twin", "twin", start=1_900_000_000, find_game=three)
    files = []
    for desk, order in ((bob, "talisman 1"), (twin, "talisman 2")):
        orders.order(desk, name, [order])
        files.append(sending.send(desk, name).posted.raw)
    took(intake.open_bytes(alice, files[0]))
    assert refusal(alice, files[1]).code == "E-FORK"
    took(intake.open_bytes(carla, files[1]))
    assert refusal(carla, files[0]).code == "E-FORK"
    assert len(list((tmp_path / "alice" / "proofs").iterdir())) == 1
    ids = [parse_record(item.raw) for raw in files for item in read(raw)]
    keep, drop = [record.id.hex() for record in ids if record.by == 1 and record.kind == "orders"]
    first = acts.rule(alice, name, "branch", keep=keep, drop=drop, why="The first one that came")
    second = acts.rule(carla, name, "branch", keep=keep, drop=drop, why="Agreed")
    took(intake.open_bytes(carla, first.raw))
    took(intake.open_bytes(alice, second.raw))
    assert refusal(bob, first.raw).code == "E-FORK"  # of his own making
    took(intake.open_bytes(bob, second.raw))
    assert [line.id for line in describe.log(alice, name)] == [line.id for line in describe.log(carla, name)]
    assert drop not in [line.id for line in describe.log(carla, name)]


def test_ones_own_key_elsewhere_stops_signing(tmp_path):
    alice, bob, name, posted = running(tmp_path)
    shutil.copytree(tmp_path / "bob", tmp_path / "twin")
    twin = desk_at(tmp_path / "twin", "twin", start=1_900_000_000, find_game=find_game)
    took(intake.open_bytes(twin, posted.raw))
    orders.order(twin, name, ["stand"])
    answer = sending.send(twin, name).posted
    took(intake.open_bytes(bob, posted.raw))
    opened = took(intake.open_bytes(bob, answer.raw))
    assert "your key" in opened[0].notes[0]
    assert summary.row(bob, name).restored
    with pytest.raises(HomeError) as caught:
        acts.resign(bob, name)
    assert caught.value.code == "E-RESTORED"
    assert summary.row(alice, name).restored is False


class Broken(Quick):
    """Fails like a full or read-only disk, from some operation on."""

    def __init__(self, number, after=0):
        self.number = number
        self.after = after

    def _fail(self):
        self.after -= 1
        if self.after < 0:
            raise OSError(self.number, os.strerror(self.number))

    def create(self, path):
        self._fail()
        return super().create(path)

    def write(self, fd, data):
        self._fail()
        super().write(fd, data)

    def commit(self, tables):
        self.after -= 1
        if self.after < 0:
            number = sqlite3.SQLITE_FULL if self.number == errno.ENOSPC else sqlite3.SQLITE_READONLY
            error = sqlite3.OperationalError()
            error.sqlite_errorcode = number
            raise error
        super().commit(tables)


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "E-NO-WRITE"), (errno.EROFS, "E-NO-WRITE")])
def test_a_full_or_read_only_disk_loses_nothing(tmp_path, number, code):
    _, _, name, posted = running(tmp_path)
    for after in itertools.count():
        home = tmp_path / f"bob-{after}"
        shutil.copytree(tmp_path / "bob", home)
        broken = desk_at(home, "broken", find_game=find_game, disk=Broken(number, after))
        try:
            took(intake.open_bytes(broken, posted.raw))
            break
        except HomeError as error:
            assert error.code == code  # noqa: PT017 (how often it fails is not known)
        mended = desk_at(home, "mended", find_game=find_game)
        took(intake.open_bytes(mended, posted.raw))
        assert describe.log(mended, name)[-1].id == parse_record(read(posted.raw)[-1].raw).id.hex()
        assert summary.row(mended, name).my_move
    assert after >= 6


def at_every_failure(tmp_path, source, act):
    """Does `act` in copies of a home whose disk is full sooner or later: yields each home as the refusal left it."""
    for after in itertools.count():
        home = tmp_path / f"full-{after}"
        shutil.copytree(source, home)
        broken = desk_at(home, "broken", find_game=find_game, disk=Broken(errno.ENOSPC, after))
        try:
            act(broken)
        except HomeError as error:
            assert error.code == "E-NO-WRITE"  # noqa: PT017 (how often it fails is not known)
            yield home, desk_at(home, "mended", find_game=find_game)
        else:
            assert after >= 6
            return


@pytest.mark.parametrize("terms", [{"seats": {"ann": "me", "bob": "me"}, "mode": "open"}, {"seats": SEATS}])
def test_an_offer_refused_on_a_full_disk_was_never_made(tmp_path, terms):
    homes(tmp_path)
    before = picture(tmp_path / "alice")
    for home, mended in at_every_failure(
        tmp_path, tmp_path / "alice", lambda desk: offers.offer(desk, "duel", **terms)
    ):
        assert picture(home) == before
        assert summary.rows(mended) == []
        assert list((home / "games").iterdir()) == []
        name, posted = offers.offer(mended, "duel", **terms)
        assert [row.name for row in summary.rows(mended)] == [name]
        assert (posted is None) == ("mode" in terms)


@pytest.mark.parametrize("answer", ["join", "decline"])
def test_an_answer_that_a_full_disk_kept_back_is_given_again(tmp_path, answer):
    alice, bob = homes(tmp_path)
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, posted.raw))
    other = {"join": "decline", "decline": "join"}[answer]
    signed = set()
    for home, mended in at_every_failure(tmp_path, tmp_path / "bob", lambda desk: getattr(offers, answer)(desk, name)):
        held = next((home / "games").iterdir()) / "records" / "1-000000"
        if held.exists():
            with pytest.raises(HomeError) as caught:
                getattr(offers, other)(mended, name)
            assert caught.value.code == "E-ANSWERED"
            signed.add(held.read_bytes())
            if answer == "decline":
                with pytest.raises(HomeError, match="without a reason"):
                    offers.decline(mended, name, "No time")
        if list((home / "outbox").iterdir()):
            answered = sending.send(mended, name).posted
            assert answered.again
        else:
            answered = getattr(offers, answer)(mended, name)
        assert not signed or held.read_bytes() in signed
        with pytest.raises(HomeError) as caught:
            getattr(offers, answer)(mended, name)
        assert caught.value.code == "E-ANSWERED"
        signed.clear()
        shutil.copytree(tmp_path / "alice", tmp_path / "looks")
        (opened,) = took(intake.open_bytes(desk_at(tmp_path / "looks", "looks", find_game=find_game), answered.raw))
        assert opened.kind == {"join": "turn", "decline": "decline"}[answer]
        shutil.rmtree(tmp_path / "looks")


def test_a_home_that_can_only_be_read_is_read(tmp_path):
    _, bob, name, _ = running(tmp_path)
    shutil.rmtree(next((tmp_path / "bob" / "games").iterdir()) / "cache")
    looking = desk_at(tmp_path / "bob", "looking", find_game=find_game, disk=Broken(errno.EROFS))
    assert summary.row(looking, name).stage == "playing"
    assert seen.board(looking, name) == seen.board(bob, name)
    assert describe.log(looking, name)


def test_damaged_caches_are_no_harm(tmp_path):
    _, bob, name, posted = running(tmp_path)
    cache = next((tmp_path / "bob" / "games").iterdir()) / "cache"
    row = summary.row(bob, name)
    for junk in (b"", b"\x00", b"\xc1", b"\x93\x01\x80\x80", b"\x92\x01\xc0", os.urandom(50)):
        for path in cache.iterdir():
            path.write_bytes(junk)
        assert summary.row(bob, name) == row
    took(intake.open_bytes(bob, posted.raw))


def test_a_missing_passphrase_is_told_and_nothing_is_lost(tmp_path):
    alice, bob, name, _ = running(tmp_path)
    bob.people.change_passphrase(bob.people.me().identity, "secret")
    mute = desk_at(tmp_path / "bob", "mute", passphrase=None, find_game=find_game)
    answer = acts.resign(alice, name)
    (opened,) = intake.open_bytes(mute, answer.raw)
    assert any("E-PASSPHRASE" in note for note in opened.notes)
    assert summary.row(mute, name).stage == "ending"
    with pytest.raises(HomeError) as caught:
        sending.send(mute, name)
    assert caught.value.code == "E-PASSPHRASE"
    voice = desk_at(tmp_path / "bob", "voice", passphrase="secret", find_game=find_game)
    carry(alice, voice, [(voice, sending.send(voice, name).posted)])
    assert {summary.row(alice, name).stage, summary.row(voice, name).stage} == {"over"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(list(ItemType)), st.binary(min_size=1, max_size=60)), min_size=1, max_size=4))
def test_items_of_junk(ready, items):
    folder, _, bob, _, _ = ready
    before = picture(folder / "bob")
    raw = write([Item(*item) for item in items])
    for form in (raw, wrap(raw).encode()):
        found = refusal(bob, form)
        if any(kind not in (ItemType.DRAWS, ItemType.BACKUP) for kind, _ in items):
            assert isinstance(found, Refusal)
    assert picture(folder / "bob") == before
