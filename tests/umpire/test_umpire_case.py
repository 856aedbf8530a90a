"""The evidence of a game in one file: what is in it, who can check it, and what is never in it."""

from __future__ import annotations

import shutil
import sys
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from halls import Hall, duel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent.parent / "cli"))

from homes import settle
from shapes import fits

from pbem.cli.verdict import CaseShown
from pbem.engine.archive import verify_archive
from pbem.home import Home, archives, intake, offers, orders, sending, summary
from pbem.protocol import canonical, envelope
from pbem.protocol.container import Item, ItemType, read_stream, write
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.record import UMPIRE, parse_record
from pbem.umpire import UmpireError
from pbem.umpire.case import archive_part, check_case
from pbem.umpire.casemaking import gather

TWO = ("Alice Kern", "Bob Silva")


def gathered(hall, label="1.1"):
    """The items of the file as a party reads them."""
    raw = b"".join(gather(hall.desk, hall.umpire, hall.name, label).parts())
    return list(read_stream(BytesIO(raw)))


def verdict(items):
    return verify_archive(list(archive_part(items)), lambda _: duel())


def body_of(items):
    return canonical.unpack(envelope.split(items[0].raw, 1 << 21, "case", "CAS-1")[0], 1 << 21)


def begun(folder, **more):
    hall = Hall(folder, TWO)
    hall.begin(**more)
    hall.kept()
    hall.carry()
    hall.answer()
    hall.carry()
    hall.kept()
    return hall


def moved(hall, count):
    for _ in range(count):
        hall.move()
        hall.carry()
        hall.kept()


@pytest.fixture(scope="module")
def _running(tmp_path_factory):
    """A game in which both have moved, with an extension; its items."""
    hall = begun(tmp_path_factory.mktemp("running") / "hall")
    moved(hall, 2)
    hall.desk.rule(hall.name, "1.1", "extension", who="2", seconds=3_600, why="His cat, cat@example.org, was ill.")
    hall.kept()
    hall.carry()
    hall.kept()
    return hall, gathered(hall)


@pytest.fixture
def running(_running):
    return _running[0]


@pytest.fixture
def items(_running):
    return list(_running[1])


def test_a_game_that_was_only_offered(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    with pytest.raises(UmpireError, match="has not been offered yet"):
        gather(hall.desk, hall.umpire, hall.name, "1.1")
    hall.kept()
    hall.carry()
    offers.decline(hall.homes["Bob Silva"], summary.rows(hall.homes["Bob Silva"])[0].name, "No time")
    hall.carry()
    hall.kept()
    items = gathered(hall)
    found = check_case(items)
    assert (found.records, found.offer.id) == (1, hall.game().offer)
    said = found.case.said
    assert (said.result.state, said.game, said.offer) == ("offered", None, found.offer.id)
    assert any("declines the offer: No time" in each.text for each in said.journal)


def test_a_game_that_runs(running, items):
    found = check_case(items)
    said = found.case.said
    row = running.game()
    assert verdict(items).ok
    assert (said.offer, said.twins) == (row.offer, ())
    assert said.game == verdict(items).game.game_id
    assert said.umpire == running.umpire.people.me().identity
    assert [each.name for each in said.players] == list(TWO)
    ledger = running.desk.moves(running.name, "1.1")
    assert [each.record for each in said.answered] == [each.record for each in ledger]
    assert len(ledger) >= 3
    assert [(each.by, each.seconds) for each in said.extensions] == [(1, 3_600)]
    assert [each.what for each in said.rulings] == ["extension"]
    assert "was ill" in found.reasons[said.rulings[0].record]
    assert [each.left for each in said.clocks] == [86_400, 90_000]
    assert said.owed
    kinds = [each.kind for each in said.journal]
    assert {"offered", "read", "wanted", "done"} <= set(kinds)
    hashes = {each.seq: each.hash for each in running.desk.journal()}
    assert all(hashes[each.seq] == each.hash for each in said.journal)
    assert said.head == (max(hashes), hashes[max(hashes)])


def test_a_game_that_is_over_and_a_home_that_was_lost(tmp_path):
    hall = begun(tmp_path / "hall")
    hall.play_on()
    items = gathered(hall)
    found = check_case(items)
    row = hall.game()
    assert row.state == "decided"
    assert (found.case.said.result.first, found.case.said.result.second) == (row.first_points, row.second_points)
    assert verdict(items).result is not None
    shutil.rmtree(hall.umpire.paths.games)
    kept = gathered(hall)
    assert [each for each in kept if each.type is ItemType.RECORD] == [
        each for each in items if each.type is ItemType.RECORD
    ]
    assert check_case(kept).case.said.offer == row.offer
    assert verdict(kept).ok


def test_it_is_signed_by_the_umpire_only(running):
    with pytest.raises(UmpireError, match="this home is not theirs"):
        gather(running.desk, running.homes["Bob Silva"], running.name, "1.1")


def test_a_fork_is_proved(tmp_path):
    hall = begun(tmp_path / "hall")
    name = next(each.name for each in hall.desk.status(hall.name) if not each.automatic)
    home = hall.homes[name]
    copy = tmp_path / "copy"
    shutil.copytree(home.root, copy)
    twin = Home(copy, ask=lambda _: "", clock=hall.clock, disk=hall.make_disk(), find_game=lambda _: duel())
    game = next(row.name for row in summary.rows(home) if row.my_move)
    for desk, at in ((home, 0), (twin, 1)):
        while (move := orders.move(desk, game)).asked():
            legal = list(islice(move.legal(), 8))
            orders.order(desk, game, [legal[min(at, len(legal) - 1)]])
        posted = sending.send(desk, game).posted
        intake.open_bytes(hall.umpire, posted.path.read_bytes())
    hall.kept()
    items = gathered(hall)
    found = check_case(items)
    assert len(found.forks) == 1
    assert name in found.forks[0]
    assert "fork" in [each.kind for each in found.case.said.odd]
    assert verdict(items).ok
    (proof,) = [each for each in items if each.type is ItemType.FORK]
    with pytest.raises(PbemError, match="removed, added or changed"):
        check_case([each for each in items if each != proof])


def test_a_game_that_cannot_be_read_here(running):
    """Without its rules, or stuck: the records as far as they fit together, and the same as an archive has them."""
    home = running.umpire
    other = Home(
        home.root, ask=lambda _: "", clock=running.clock, disk=running.make_disk(),
        find_game=lambda _: (_ for _ in ()).throw(Refusal("E-GAME", "Not here.", step="STA-5")),
    )  # fmt: skip
    offer = running.game().offer
    records = [each for each in archives.evidence(other, offer) if each.type is ItemType.RECORD]
    assert records == [each for each in archives.evidence(home, offer) if each.type is ItemType.RECORD]
    assert verify_archive(records, lambda _: duel()).ok


def test_whatever_is_changed_is_found(items):
    case, rest = items[0], items[1:]
    raw = bytearray(case.raw)
    raw[-1] ^= 1
    faults = {
        "signature": [Item(ItemType.CASE, bytes(raw)), *rest],
        "no case": rest,
        "swapped": [case, *rest[:-2], rest[-1], rest[-2]],
        "twice": [case, *rest, rest[-1]],
        "message": [case, *rest, Item(ItemType.MESSAGE, b"\x93")],
    }
    faults |= {f"without {n}": [case, *rest[:n], *rest[n + 1 :]] for n in range(len(rest))}
    for name, changed in faults.items():
        with pytest.raises(Refusal) as refused:
            check_case(changed)
        assert refused.value.code in ("E-SIGNATURE", "E-CASE", "E-OFFER",
                                      "E-FORM"), name  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_bit_anywhere(items, data):
    n = data.draw(st.integers(0, len(items) - 1))
    raw = bytearray(items[n].raw)
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(PbemError):
        check_case([*items[:n], Item(items[n].type, bytes(raw)), *items[n + 1 :]])


def texts(value):
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from texts(each)
        case dict():
            for each in value.values():
                yield from texts(each)


def hashes(value):
    match value:
        case bytes():
            yield value
        case list():
            for each in value:
                yield from hashes(each)
        case dict():
            for each in value.values():
                yield from hashes(each)


def test_it_states_nobodys_address(running, items):
    said = list(texts(body_of(items)))
    assert any("(address)" in text for text in said), "the reason that the umpire gave"
    assert not any("@" in text for text in said)
    addresses = [home.people.me().card.email.encode() for home in running.homes.values()]
    assert not any(address in items[0].raw for address in addresses)


@pytest.mark.parametrize("moves", range(4))
def test_it_holds_nothing_but_what_both_players_have(tmp_path, moves):
    """At any moment of a game with secret choices: records that are in the opponent's home, and hashes of them."""
    hall = begun(tmp_path / "hall")
    moved(hall, moves)
    items = gathered(hall)
    offer = hall.game().offer
    public = {each.raw for home in hall.players.values() for each in archives.evidence(home, offer)}
    both = [{each.raw for each in archives.evidence(home, offer)} for home in hall.players.values()]
    types = {each.type for each in items}
    assert types <= {ItemType.CASE, ItemType.RECORD, ItemType.DRAWS}
    for each in items:
        if each.type is ItemType.RECORD:
            assert each.raw in public or parse_record(each.raw).by == UMPIRE
    records = {parse_record(each.raw).id for each in items if each.type is ItemType.RECORD}
    assert len(both) == 2
    body = body_of(items)
    known = records | {entry.hash for entry in hall.desk.journal()}
    known |= {home.people.me().identity for home in hall.homes.values()}
    known |= {body["offer"], body["game"], body["evidence"], body["tournament"]["key"]}
    assert set(hashes(body)) <= known
    for home in hall.homes.values():
        seed = home.people.seed(home.people.me().identity)
        assert not any(seed in each.raw for each in items)


def test_opened_at_a_desk_it_is_refused_with_what_to_do(running, items):
    (opened,) = intake.open_bytes(running.homes["Bob Silva"], write(items))
    assert "pbem verify FILE" in str(opened)


def test_the_commands(tmp_path):
    una, bob = settle(tmp_path, "Una Umpire"), settle(tmp_path, "Bob Silva")
    alice = settle(tmp_path, "Alice Kern")
    (tmp_path / "cards").mkdir()
    for player in (alice, bob):
        player("id", "export", "-o", str(tmp_path / "cards" / f"{player.home.name}.pbem"))
    (tmp_path / "cup.toml").write_text(
        'v = 1\ntitle = "Cup"\ngame = "bridgehead"\nmode = "umpire"\nformat = "round_robin"\n[clock]\nmove = "3d"\n'
    )
    una("umpire", "new", str(tmp_path / "cup.toml"), "--cards", str(tmp_path / "cards"))
    una("umpire", "pair", "cup")
    una("umpire", "offer", "cup")
    una("umpire", "sync", "--by-hand")
    file = tmp_path / "offered.pbem"
    made = fits("umpire-case", una("umpire", "case", "cup", "1.1", "-o", str(file), "--json").json)
    assert (made["records"], made["game"]) == (1, None)
    told = fits("verify", una("verify", "--json", str(file)).json)
    assert told["ok"]
    assert told["case"]["id"] == made["case"]
    assert "none, the game is offered" in una("verify", str(file)).out
    assert told["case"]["label"] == "1.1"
    raw = file.read_bytes()
    bad = tmp_path / "bad.pbem"
    bad.write_bytes(write([*list(read_stream(BytesIO(raw)))[:1]]))
    told = fits("verify", una("verify", "--json", str(bad), code=1).json)
    assert told["first_bad"]["code"] == "E-CASE"
    assert (
        "this home is not theirs"
        in bob("umpire", "--db", str(una.home / "umpire" / "desk.db"), "case", "cup", "1.1", code=1).err
    )


def test_a_running_game_as_it_is_shown(running, items):
    shown = CaseShown.of(check_case(items))
    assert shown.reasons[shown.said.rulings[0].record.hex()].startswith("His cat")
    assert shown.said.answered[0].by in (0, 1)
    assert shown.said.owed
