"""Killed while a call is made, accepted and answered: nothing is lost, nothing is doubled, no call gets two games."""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from desks import desk_at
from test_calls import Ring, terms_of
from test_kill import WAYS, Failing, Stop, note, posted_by

from pbem.protocol.container import ItemType, read_stream
from pbem.protocol.record import parse_record


@dataclass(frozen=True)
class Step:
    who: str
    before: Path
    act: tuple
    after: object


def outcome(desk):
    """Times, salts and what follows from them aside."""
    rows = {row.round: (row.stage, row.offer is not None, row.played_as in (None, row.name)) for row in desk.calls()}
    heard = {row.round: [(said.by, said.yes) for said in row.answers] for row in desk.calls()}
    assert len(rows) == len(desk.calls())
    games = {
        row.title: (row.stage, [(owed.by, owed.what) for owed in row.owed], [line.kind for line in desk.log(row.name)])
        for row in desk.games()
    }
    return rows, heard, games


def do(desk, act):
    """As person and program do it, again too."""
    what, given = act
    if what == "call":
        desk.call(given)
    elif what == "open":
        for opened in desk.open(given):
            assert opened.refused is None
    else:
        desk.settle()
        if next(row.stage for row in desk.calls() if row.name == given) == "called":
            desk.join(given)
    assert desk.settle() == {}


def files_out(home):
    """Records that may have left, by place; every offer by the call that it answers; other items as they are."""
    found, others = {}, set()
    for name, raw in posted_by(home).items():
        for item in read_stream(BytesIO(raw)):
            if item.type is not ItemType.RECORD:
                others.add((name, item.raw))
            elif parse_record(item.raw).kind == "offer":
                call = parse_record(item.raw).data["call"]
                assert found.setdefault(call, item.raw) == item.raw, "two offers for one call"
            else:
                note(found, item.raw)
    return found, others


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """Two rounds: in the first everybody says yes, in the second nobody is asked."""
    folder = tmp_path_factory.mktemp("calls")
    ring = Ring(folder, "alice", "bob", "carla")
    steps, carried = [], set()

    def step(who, act):
        before = folder / f"before-{len(steps)}"
        shutil.copytree(folder / who, before)
        do(ring[who], act)
        steps.append(Step(who, before, act, outcome(ring[who])))

    def carry():
        while True:
            fresh = [
                (name, each, letter)
                for name in ring.desks
                for each, letter in ring.letters(name).items()
                if (name, each, (folder / name / "outbox" / f"{each}.pbem").read_bytes()) not in carried
            ]
            for name, each, letter in fresh:
                raw = (folder / name / "outbox" / f"{each}.pbem").read_bytes()
                carried.add((name, each, raw))
                for other in ring.desks:
                    if any(f"<{other}@" in to for to in letter.to):
                        step(other, ("open", raw))
            if not fresh:
                return

    for number, players in ((1, ("alice", "bob")), (2, ("bob", "alice"))):
        step("carla", ("call", terms_of(ring, players=players, round=number)))
        carry()
        for who in ("bob", "alice") if number == 1 else ():
            (row,) = ring[who].calls()
            step(who, ("join", row.name))
            carry()
    assert [row.stage for row in ring["alice"].games()] == ["playing"] * 2
    return steps


def stops(step, folder, way, places):
    for at in places:
        home = folder / f"{step.who}-{way}-{at}"
        shutil.copytree(step.before, home)
        failing = Failing(at, way)
        with suppress(Stop):
            do(desk_at(home, f"first-{step.who}", disk=failing), step.act)
        stopped = failing.count == at
        (left, items), kept = files_out(home), on_disk_named(home)
        again = desk_at(home, f"second-{step.who}", start=1_900_000_000)
        do(again, step.act)
        assert outcome(again) == step.after, (step.act[0], at)
        (out, after), final = files_out(home), on_disk_named(home)
        assert items <= after, "what may have left is not what leaves again"
        for found in (left, kept):
            for place, raw in found.items():
                assert final.get(place, out.get(place)) == raw, f"{place} was signed again"
        shutil.rmtree(home)
        if not stopped:
            return


def on_disk_named(home):
    """Of games that have a name: what stands in a folder without one has never been shown to anybody."""
    found = {}
    for folder in home.glob("games/*/name"):
        for path in sorted(folder.parent.glob("records/?-??????")):
            record = parse_record(path.read_bytes())
            place = record.data["call"] if record.kind == "offer" else (record.game, record.by, record.seq)
            assert found.setdefault(place, record.raw) == record.raw
    return found


@pytest.mark.parametrize("way", WAYS)
def test_stopped_at_some_places_of_every_step(tournament, tmp_path, way):
    for number, step in enumerate(tournament):
        stops(step, tmp_path, way, range((7 * number + 16 * WAYS.index(way)) % 64, 600, 64))


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_stopped_at_every_place_of_every_step(tournament, tmp_path, way):
    for step in tournament:
        stops(step, tmp_path, way, range(600))
