"""An umpire offers the games of a tournament; players enter once, and later rounds need nobody (GEN-3)."""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from desks import desk_at, took
from test_kill import WAYS, Failing, Stop, note, posted_by

from pbem.home import HomeError, backup, describe, intake, offers, summary
from pbem.home.people import MAX_BY_ITSELF
from pbem.protocol.container import ItemType, read_stream
from pbem.protocol.genesis import Board
from pbem.protocol.record import parse_record

KEY = bytes(range(16))
FAR = 4_000_000_000


class Ring:
    """Homes, and whatever their programs put into the outbox carried to everybody it is for."""

    def __init__(self, folder, *names, **more):
        self.desks = {}
        for name in names or ("alice", "bob", "carla"):
            desk = desk_at(folder / name, name, **more)
            desk.new_identity(f"{name.title()} Kern", f"{name}@example.org", "")
            self.desks[name] = desk
        self.carried = {}

    def __getitem__(self, name):
        return self.desks[name]

    def letters(self, name):
        return self[name].outbox.letters()

    def carry(self, most=60, but=()):
        """Until nobody's program has anything new."""
        for _ in range(most):
            fresh = 0
            for name, desk in self.desks.items():
                for each, letter in self.letters(name).items():
                    raw = (desk.paths.outbox / f"{each}.pbem").read_bytes()
                    if self.carried.get((name, each)) == raw:
                        continue
                    self.carried[name, each] = raw
                    for other in self.desks:
                        if other not in but and any(f"<{other}@" in to for to in letter.to):
                            took(intake.open_bytes(self[other], raw))
                            fresh += 1
            if not fresh:
                return
        raise AssertionError("the mails do not end")

    def offer(self, umpire="carla", players=("alice", "bob"), number=1, board=1, **more):
        cards = [self[name].people.me().card for name in players]
        terms = {
            "players": cards,
            "seats": {"blue": cards[0].identity.hex(), "red": cards[1].identity.hex()},
            "tournament": Board(KEY, "Spring Cup", number, board),
            "expires": FAR,
        }
        return offers.offer(self[umpire], "bridgehead", umpire=True, **{**terms, **more})[0]

    def stages(self, name):
        return {who: row.stage for who, desk in self.desks.items() for row in summary.rows(desk) if row.name == name}


def entered(folder, **more):
    """A tournament that both players have entered, and its first game."""
    ring = Ring(folder, **more)
    name = ring.offer()
    ring.carry()
    for who in ("alice", "bob"):
        offers.join(ring[who], name)
    ring.carry()
    return ring, name


def code(call, *args, **kwargs):
    with pytest.raises(HomeError) as caught:
        call(*args, **kwargs)
    return caught.value.code


PLAYING = dict.fromkeys(("alice", "bob", "carla"), "playing")


def test_entered_once_and_then_by_itself(tmp_path):
    ring = Ring(tmp_path)
    name = ring.offer()
    ring.carry()
    assert ring.stages(name) == {"alice": "invited", "bob": "invited", "carla": "offered"}
    row = summary.row(ring["alice"], name)
    assert (row.tournament, row.umpire, row.expires) == (Board(KEY, "Spring Cup", 1, 1), "Carla Kern", FAR)
    for who in ("alice", "bob"):
        offers.join(ring[who], name)
    ring.carry()
    assert ring.stages(name) == PLAYING
    second = ring.offer(number=2, players=("bob", "alice"))
    ring.carry()
    assert ring.stages(second) == PLAYING
    third, other = ring.offer(number=3, tournament=Board(bytes(16), "Autumn Cup", 1, 1)), ring.offer(number=3)
    ring.carry()
    assert ring.stages(third)["alice"] == "invited", "another tournament of the same umpire"
    assert ring.stages(other) == PLAYING


def test_only_this_once(tmp_path):
    ring = Ring(tmp_path)
    first = ring.offer()
    ring.carry()
    offers.join(ring["alice"], first, once=True)
    offers.join(ring["bob"], first)
    ring.carry()
    second = ring.offer(number=2)
    ring.carry()
    assert ring.stages(second) == {"alice": "invited", "bob": "waiting", "carla": "offered"}


def test_another_umpire_with_the_same_key_asks_again(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla", "dora")
    first = ring.offer()
    ring.carry()
    offers.join(ring["bob"], first)
    ring.carry()
    other = ring.offer(umpire="dora")
    ring.carry()
    assert ring.stages(other)["bob"] == "invited"


def test_one_offer_for_a_board_until_it_is_taken_back(tmp_path):
    ring = Ring(tmp_path)
    first = ring.offer()
    assert ring.offer(expires=FAR + 1) == first
    assert ring.offer(board=2) != first
    offers.decline(ring["carla"], first, "Bob is away.")
    assert ring.offer() != first


@pytest.mark.parametrize("late", [False, True])
def test_the_next_offer_for_a_board_is_joined_once_the_first_is_taken_back(tmp_path, late):
    """In whichever order the two mails come."""
    ring = Ring(tmp_path)
    first = ring.offer()
    ring.carry()
    offers.join(ring["bob"], first)
    ring.carry()
    back = offers.decline(ring["carla"], first, "The wrong board.")
    second = ring.offer()
    raws = [back.raw, (ring["carla"].paths.outbox / f"{second}-offer.pbem").read_bytes()]
    for raw in reversed(raws) if late else raws:
        took(intake.open_bytes(ring["bob"], raw))
        if late and raw is raws[1]:
            assert ring.stages(second)["bob"] == "invited", "one game for a board"
    assert ring.stages(first)["bob"] == "cancelled"
    assert ring.stages(second)["bob"] == "waiting"


def test_a_home_whose_tables_were_deleted_still_knows_the_offers_for_each_board(tmp_path):
    ring, name = entered(tmp_path)
    for who, desk in ring.desks.items():
        before = desk.offers_for(ring["carla"].people.me().identity, desk.load(name).offer.tournament)
        (tmp_path / who / "tables.db").unlink()
        with desk.writing():
            pass
        again = desk.offers_for(ring["carla"].people.me().identity, desk.load(name).offer.tournament)
        assert again == before == [desk.key(name)]


def test_two_games_that_were_started_for_one_board_are_shown(tmp_path):
    """An umpire whose games were lost starts a board twice: both players' programs say so."""
    ring, first = entered(tmp_path / "one")
    shutil.copytree(tmp_path / "one" / "carla", tmp_path / "copy")
    copy = desk_at(tmp_path / "copy", "copy")
    shutil.rmtree(tmp_path / "copy" / "games")
    (tmp_path / "copy" / "tables.db").unlink()
    ring.desks["carla"] = copy
    second = ring.offer()
    raw = (copy.paths.outbox / f"{second}-offer.pbem").read_bytes()
    for who in ("alice", "bob"):
        (opened,) = took(intake.open_bytes(ring[who], raw))
        assert "This offer is not joined automatically: you play another game for its board." in opened.notes
        assert summary.row(ring[who], first).notice == ""
        took(intake.open_bytes(copy, offers.join(ring[who], second).raw))
    ring.carry()
    for who in ("alice", "bob"):
        for name in (first, second):
            said = summary.row(ring[who], name).notice
            assert said.startswith("Carla Kern has started more than one game for round 1, board 1 of Spring Cup")
            assert first in said
            assert second in said
        assert len(ring[who].twins(ring[who].load(first).offer)) == 1


def test_leaving_a_tournament_by_a_waiting_offer(tmp_path):
    ring, _ = entered(tmp_path)
    second = ring.offer(number=2, players=("alice", "bob"))
    raw = (ring["carla"].paths.outbox / f"{second}-offer.pbem").read_bytes()
    ring["alice"].people.enter(ring["carla"].people.me().identity, KEY, _me(ring["alice"]), None)
    took(intake.open_bytes(ring["alice"], raw))
    assert ring.stages(second)["alice"] == "invited"
    posted = offers.decline(ring["alice"], second, "I am moving.", tournament=True)
    assert posted.to == ("Carla Kern <carla@example.org>",)
    ring.carry(but=("bob",))
    umpire = ring["carla"].people.me().identity
    assert ring["carla"].people.left(umpire, KEY) == {_me(ring["alice"]): "I am moving."}
    assert "declines and leaves the tournament: I am moving." in [
        line.text for line in describe.log(ring["carla"], second)
    ]
    ring["carla"].people.set_left(umpire, KEY, _me(ring["alice"]), None)
    assert ring["carla"].people.left(umpire, KEY) == {}
    took(intake.open_bytes(ring["carla"], posted.raw))
    assert ring["carla"].people.left(umpire, KEY) == {}, "it is heard once"
    third = ring.offer(number=3)
    ring.carry()
    assert ring.stages(third)["alice"] == "invited"


def test_leaving_by_a_game_that_was_answered_reaches_the_umpire_with_the_next_offer(tmp_path):
    ring, first = entered(tmp_path)
    assert offers.decline(ring["alice"], first, tournament=True) is None
    assert ring.stages(first)["alice"] == "playing"
    second = ring.offer(number=2)
    ring.carry()
    assert ring.stages(second) == {"alice": "declined", "bob": "waiting", "carla": "declined"}
    assert ring["carla"].people.left(ring["carla"].people.me().identity, KEY) == {_me(ring["alice"]): ""}


@pytest.mark.parametrize("dead", ["taken back", "expired"])
def test_leaving_by_an_offer_that_is_dead(tmp_path, dead):
    """It reaches the umpire all the same, and nothing is joined."""
    ring = Ring(tmp_path)
    name = ring.offer(expires=1_800_000_000 + 90_000)
    ring.carry()
    if dead == "taken back":
        offers.decline(ring["carla"], name)
        ring.carry()
    else:
        ring.desks["alice"] = desk_at(tmp_path / "alice", "late", start=1_800_200_000)
    assert ring.stages(name)["alice"] == ("cancelled" if dead == "taken back" else "expired")
    offers.decline(ring["alice"], name, "Enough.", tournament=True)
    ring.carry()
    assert ring["carla"].people.left(ring["carla"].people.me().identity, KEY) == {_me(ring["alice"]): "Enough."}
    assert code(offers.join, ring["alice"], name) == "E-ANSWERED"
    second = ring.offer(number=2)
    ring.carry()
    assert ring.stages(second)["alice"] == "invited"


def test_a_single_game_has_no_tournament_to_leave(tmp_path):
    ring = Ring(tmp_path)
    name = ring.offer(tournament=None)
    ring.carry()
    assert code(offers.decline, ring["alice"], name, tournament=True) == "E-UNKNOWN"


def test_offers_joined_by_themselves_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.home.offers.MAX_BY_ITSELF", 2)
    assert MAX_BY_ITSELF == 256
    ring, _ = entered(tmp_path)
    later = [ring.offer(number=number) for number in (2, 3)]
    ring.carry()
    assert [ring.stages(name)["alice"] for name in later] == ["playing", "invited"]


def test_without_the_passphrase_the_offer_waits(tmp_path):
    ring = Ring(tmp_path)
    first = ring.offer()
    ring.carry()
    offers.join(ring["bob"], first)
    locked = desk_at(tmp_path / "dora", "dora", passphrase="secret")
    locked.new_identity("Dora Kern", "dora@example.org", "secret")
    ring.desks["dora"] = locked
    name = ring.offer(number=2, players=("dora", "bob"))
    ring.carry()
    offers.join(locked, name)
    shut = desk_at(tmp_path / "dora", "shut", passphrase="wrong", start=1_900_000_000)
    ring.desks["dora"] = shut
    later = ring.offer(number=3, players=("dora", "bob"))
    raw = (ring["carla"].paths.outbox / f"{later}-offer.pbem").read_bytes()
    (opened,) = took(intake.open_bytes(shut, raw))
    assert any("E-PASSPHRASE" in note for note in opened.notes)
    assert list(intake.settle_all(shut)) == [later]
    ring.desks["dora"] = desk_at(tmp_path / "dora", "open", passphrase="secret", start=2_000_000_000)
    assert intake.settle_all(ring["dora"]) == {}
    assert ring.stages(later)["dora"] == "waiting"


def test_a_home_that_was_brought_back_joins_nothing_by_itself(tmp_path):
    ring, first = entered(tmp_path)
    person = ring["alice"].people.me()
    raw, words = backup.backup(ring["alice"], person), backup.phrase(ring["alice"], person)
    back = desk_at(tmp_path / "back", "back", start=1_900_000_000)
    backup.restore(back, words, [raw], "")
    ring.desks["alice"] = back
    second = ring.offer(number=2)
    ring.carry()
    assert ring.stages(second) == {"alice": "invited", "bob": "waiting", "carla": "offered"}
    offers.join(back, second)
    ring.carry()
    assert ring.stages(second) == PLAYING
    assert ring.stages(first)["alice"] == "playing"


def _me(desk):
    return desk.people.me().identity


# Stopped anywhere


@dataclass(frozen=True)
class Step:
    who: str
    before: Path
    act: tuple
    after: object


def outcome(desk):
    """Times, salts and what follows from them aside. What was never named is no game."""
    return {
        (row.tournament.round, row.stage): [line.kind for line in describe.log(desk, row.name)]
        for row in summary.rows(desk)
    }


def do(ring, who, act):
    """As person and program do it, again too."""
    what, given = act
    desk = ring[who]
    if what == "offer":
        ring.offer(number=given)
    elif what == "open":
        for opened in intake.open_bytes(desk, given):
            assert opened.refused is None
    elif what == "back":
        offers.decline(desk, next(row.name for row in summary.rows(desk) if row.tournament.round == given), "Enough.")
    else:
        for row in summary.rows(desk):
            if row.stage == "invited":
                offers.join(desk, row.name)
    assert intake.settle_all(desk) == {}


def records_of(home):
    """Records that may have left or that stand in a named game, by place; an umpire's offers by their board."""
    found = {}
    raws = [
        item.raw
        for raw in posted_by(home).values()
        for item in read_stream(BytesIO(raw))
        if item.type is ItemType.RECORD
    ]
    for folder in home.glob("games/*/name"):
        raws += [path.read_bytes() for path in sorted(folder.parent.glob("records/?-??????"))]
    for raw in raws:
        record = parse_record(raw)
        if record.kind == "offer":
            place = record.data["tournament"]["round"]
            assert found.setdefault(place, raw) == raw, "two offers for one board"
        else:
            note(found, raw)
    return found


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """In the first round both say yes, in the second nobody is asked, in the third the umpire thinks better of it."""
    folder = tmp_path_factory.mktemp("season")
    ring = Ring(folder)
    steps, carried = [], set()

    def step(who, act):
        before = folder / f"before-{len(steps)}"
        shutil.copytree(folder / who, before)
        do(ring, who, act)
        steps.append(Step(who, before, act, outcome(ring[who])))

    def carry(but=()):
        while True:
            fresh = []
            for name, desk in ring.desks.items():
                for each, letter in ring.letters(name).items():
                    raw = (desk.paths.outbox / f"{each}.pbem").read_bytes()
                    if (name, each, raw) not in carried:
                        carried.add((name, each, raw))
                        fresh += [(other, raw) for other in ring.desks if any(f"<{other}@" in to for to in letter.to)]
            for other, raw in fresh:
                if other not in but:
                    step(other, ("open", raw))
            if not fresh:
                return

    for number in (1, 2):
        step("carla", ("offer", number))
        carry()
        for who in ("bob", "alice") if number == 1 else ():
            step(who, ("join", None))
            carry()
    step("carla", ("offer", 3))
    carry(but=("alice",))
    step("carla", ("back", 3))
    carry(but=("alice",))
    assert sorted(outcome(ring["bob"])) == [(1, "playing"), (2, "playing"), (3, "cancelled")]
    return ring, steps


def stops(ring, step, folder, way, places):
    people = {name: desk for name, desk in ring.desks.items() if name != step.who}
    for at in places:
        home = folder / f"{step.who}-{way}-{at}"
        shutil.copytree(step.before, home)
        failing = Failing(at, way)
        stopped = Ring.__new__(Ring)
        stopped.desks = {**people, step.who: desk_at(home, f"first-{step.who}", disk=failing)}
        with suppress(Stop):
            do(stopped, step.who, step.act)
        done, left = failing.count != at, records_of(home)
        stopped.desks[step.who] = desk_at(home, f"second-{step.who}", start=1_900_000_000)
        do(stopped, step.who, step.act)
        assert outcome(stopped[step.who]) == step.after, (step.act[0], at)
        final = records_of(home)
        for place, raw in left.items():
            assert final.get(place) == raw, f"{place} was signed again"
        shutil.rmtree(home)
        if done:
            return


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_stopped_at_every_place_of_every_step(season, tmp_path, way, some):
    ring, steps = season
    for step in steps:
        stops(ring, step, tmp_path, way, some(range(600), 120))
