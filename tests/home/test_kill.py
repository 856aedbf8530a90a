"""Killed at every write, fsync, link and rename of a whole game: the home comes back, and nothing is signed twice.

A game is played once, each step between two snapshots of the homes. Then every step is done again, stopped at each of
its disk operations in turn, in four ways: stopped before it; half written; with everything lost that was not yet
flushed, as by a power cut; with only the oldest of that lost, as disks reorder what they are given. After each stop the
home is opened again and the step repeated.
"""

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from desks import Quick, desk_at, duel, introduce, took

from pbem.home import describe, intake, offers, orders, sending, summary
from pbem.protocol.container import ItemType, read_stream
from pbem.protocol.record import parse_record

WAYS = ("stop", "torn", "power", "reorder")


class Stop(BaseException):
    pass


class Failing(Quick):
    """Stops before operation `at`. After a power cut, names and contents that were not flushed are gone."""

    def __init__(self, at=-1, way="stop"):
        self.at = at
        self.way = way
        self.count = 0
        self._unflushed = {}  # name -> what it was before, until its folder is flushed
        self._contents = {}  # descriptor -> path, until it is flushed

    def _tick(self, half=None):
        if self.count == self.at:
            if half is not None and self.way == "torn":
                half()
            if self.way in ("power", "reorder"):
                self._cut()
            raise Stop
        self.count += 1

    def _cut(self):
        for path in self._contents.values():
            if path.exists():
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        lost = list(self._unflushed.items())
        for path, before in lost[:1] if self.way == "reorder" else reversed(lost):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)

    def create(self, path):
        self._tick()
        fd = super().create(path)
        self._contents[fd] = path
        return fd

    def write(self, fd, data):
        self._tick(lambda: os.write(fd, data[: len(data) // 2]))
        super().write(fd, data)

    def fsync(self, fd):
        self._tick()
        super().fsync(fd)
        self._contents.pop(fd, None)

    def put(self, tmp, path):
        self._tick()
        super().put(tmp, path)
        self._unflushed[path] = None

    def replace(self, tmp, path):
        self._tick()
        before = path.read_bytes() if path.exists() else None
        super().replace(tmp, path)
        self._unflushed.setdefault(path, before)

    def unlink(self, path):
        self._tick()
        super().unlink(path)

    def fsync_folder(self, folder):
        self._tick()
        super().fsync_folder(folder)
        for path in [path for path in self._unflushed if path.parent == folder]:
            del self._unflushed[path]

    def mkdir(self, folder):
        self._tick()
        super().mkdir(folder)

    def commit(self, tables):
        self._tick()
        super().commit(tables)


@dataclass(frozen=True)
class Step:
    """One thing that a player does, with a copy of his home before it and how the game stood after it."""

    who: str
    before: Path
    act: tuple
    after: dict
    queue: set


def records_in(raws):
    """Record bytes by place, from files; two different ones for one place fail the test."""
    found = {}
    for raw in raws:
        for item in read_stream(BytesIO(raw)):
            if item.type is ItemType.RECORD:
                note(found, item.raw)
    return found


def note(found, raw):
    record = parse_record(raw)
    place = (record.game, record.by, record.seq)
    assert found.setdefault(place, raw) == raw, f"two different records for {place}"


def gone_out(home):
    """Every record that may have left this home: those in its outbox."""
    return records_in(posted_by(home).values())


def on_disk(home):
    found = {}
    for path in sorted(home.glob("games/*/records/?-??????")):
        note(found, path.read_bytes())
    return found


def outcome(desk, name):
    """What must be the same however often a step was interrupted; times and salts aside."""
    row = summary.row(desk, name)
    return {
        "stage": row.stage,
        "owed": [(each.by, each.what, each.text) for each in row.owed],
        "result": row.result,
        "log": [(line.by, line.seq, line.kind) for line in describe.log(desk, name)],
    }


def queued(desk):
    """Whom each file of the outbox is for: there is a row for every file, and about the very file."""
    letters = desk.outbox.letters()
    assert {f"{name}.pbem" for name in letters} == set(posted_by(desk.root))
    for name, letter in letters.items():
        assert sha256(desk.outbox.file(name)).digest() == letter.digest, name
    return {(name, letter.to, letter.state) for name, letter in letters.items()}


def do(desk, home, act, before):
    """As a player would do it, again too: what he finds done already he does not do a second time."""
    what, name, given = act
    if what == "open":
        took(intake.open_bytes(desk, given))
    elif what == "join":
        if summary.row(desk, name).stage == "invited":
            offers.join(desk, name)
        else:
            sending.send(desk, name)
    else:
        if len(on_disk(home)) == before and not orders.move(desk, name).drafted().orders:
            orders.order(desk, name, given)
        sending.send(desk, name)


def posted_by(home):
    return {path.name: path.read_bytes() for path in (home / "outbox").glob("[!.]*.pbem")}


def whole_game(folder, find_game):
    """A short duel with dice, a window and secret choices, from the offer to the audit."""
    homes = {"alice": folder / "alice", "bob": folder / "bob"}
    desks = {who: desk_at(home, who, find_game=find_game) for who, home in homes.items()}
    for who, desk in desks.items():
        desk.new_identity(who.title(), f"{who}@example.org", "")
    introduce(*desks.values())
    steps = []
    seen = {"alice": set(), "bob": set()}

    def step(who, act):
        before = folder / f"before-{len(steps)}"
        shutil.copytree(homes[who], before)
        do(desks[who], homes[who], act, len(on_disk(homes[who])))
        steps.append(Step(who, before, act, outcome(desks[who], name), queued(desks[who])))

    name, offered = offers.offer(desks["alice"], "duel", seats={"ann": "me", "bob": "bob"}, options={"turns": 1})
    seen["bob"].add(offered.path.name)
    step("bob", ("open", name, offered.raw))
    step("bob", ("join", name, None))
    fired = set()
    for _ in range(80):
        for who, other in (("alice", "bob"), ("bob", "alice")):
            for file, raw in sorted(posted_by(homes[other]).items()):
                if (other, file) not in seen[who]:
                    seen[who].add((other, file))
                    step(who, ("open", name, raw))
        if all(summary.row(desk, name).stage == "over" for desk in desks.values()):
            return steps, name
        for who, desk in desks.items():
            if summary.row(desk, name).my_move:
                legal = list(orders.move(desk, name).legal())
                order = "fire" if "fire" in legal and who not in fired else legal[0]
                if order == "fire":
                    fired.add(who)
                step(who, ("send", name, [order]))
                break
    raise AssertionError("the duel does not end")


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kill")

    def find_game(_):
        return duel()

    steps, name = whole_game(folder, find_game)
    assert {step.act[0] for step in steps} == {"open", "join", "send"}
    assert steps[-1].after["stage"] == "over"
    return steps, name, find_game


def stops(step, name, find_game, folder, way, places):
    """Does the step stopped at each of these places; how many there are."""
    for at in places:
        home = folder / f"{way}-{at}"
        shutil.copytree(step.before, home)
        before = len(on_disk(home))
        failing = Failing(at, way)
        with suppress(Stop):
            do(desk_at(home, f"first-{step.who}", find_game=find_game, disk=failing), home, step.act, before)
        stopped = failing.count == at
        left, kept = gone_out(home), on_disk(home)
        again = desk_at(home, f"second-{step.who}", start=1_900_000_000, find_game=find_game)
        do(again, home, step.act, before)
        assert outcome(again, name) == step.after
        assert queued(again) >= step.queue  # what would have travelled with later orders may go at once
        final = on_disk(home)
        for found in (left, kept, gone_out(home)):
            for place, raw in found.items():
                assert final[place] == raw, f"{place} was signed again"
        shutil.rmtree(home)
        if not stopped:
            return


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_stopped_at_every_place_of_every_step(game, tmp_path, way, some):
    steps, name, find_game = game
    for step in steps:
        stops(step, name, find_game, tmp_path, way, some(range(400), 16))


PLAYER = """
import sys
sys.path[:0] = {path!r}
from pathlib import Path
from desks import Quick, desk_at, duel
from pbem.home.disk import Disk
from test_kill import do, on_disk
home = Path(sys.argv[1])
desk = desk_at(home, sys.argv[2], start=int(sys.argv[3]), find_game=lambda _: duel(), disk=Disk())
print("ready", flush=True)
do(desk, home, eval(sys.stdin.readline()), len(on_disk(home)))
print("done", flush=True)
"""


def test_kill_9(game, tmp_path):
    """The same with the real thing: processes that are killed from outside while they write."""
    steps, name, find_game = game
    step = max((step for step in steps if step.act[0] == "open"), key=lambda step: len(step.act[2]))
    script = PLAYER.format(path=sys.path)
    killed = 0
    for number in range(8):
        home = tmp_path / f"home-{number}"
        shutil.copytree(step.before, home)
        with subprocess.Popen(
            [sys.executable, "-c", script, str(home), f"killed-{number}", str(1_850_000_000 + number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as player:
            assert player.stdout.readline() == "ready\n"
            player.stdin.write(repr(step.act) + "\n")
            player.stdin.flush()
            time.sleep(0.002 * number)
            player.kill()
            killed += player.stdout.read() != "done\n"
        left, kept = gone_out(home), on_disk(home)
        again = desk_at(home, "again", start=1_900_000_000, find_game=find_game)
        do(again, home, step.act, len(on_disk(step.before)))
        assert outcome(again, name) == step.after
        final = on_disk(home)
        assert all(final[place] == raw for found in (left, kept) for place, raw in found.items())
    assert killed
