"""Level 3: an archive is judged by the rules, to the last secret (FIL-6, FIL-10, MEA-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from games.duel import Act, Aim, Fire, Rest, Talisman, duel
from games.magpie import GAME as MAGPIE
from games.squads import Hide, March
from games.squads import game as SQUADS

from pbem.engine.archive import archive_items, verify_archive
from pbem.engine.definition import Game
from pbem.engine.need import Known
from pbem.engine.order import Violation
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.items import make_hide_row
from pbem.fairplay.verify import verify
from pbem.protocol import log, reading
from pbem.protocol.container import Item, ItemType
from pbem.protocol.keys import check_signature
from pbem.protocol.listing import pack_listing, parse_listing
from pbem.protocol.record import parse_record

ANN, BOB = 0, 1
GAMES = {"duel": duel(2), "magpie": MAGPIE}


def start(policy: str | None = None, game: Game[Any] | None = None) -> Table:
    table = Table(game or duel(2), 2, seed="archive", options={"turns": 1})
    table.settle()
    for number in (ANN, BOB):
        new = [NewStanding("bob", "react", parse(policy), sealed=True)] if policy and number == BOB else []
        table.order(number, [Talisman(2)], new)
    table.settle()
    return table


def played() -> Table:
    table = start("then stand")
    table.order(ANN, [Fire(), Fire(), Rest()])
    table.settle()
    table.play()
    return table


def listings(items: list[Item]) -> Iterator[int]:
    return (n for n, item in enumerate(items) if item.type == ItemType.DRAWS)


def code(items: list[Item]) -> str | None:
    verdict = verify_archive(items, GAMES)
    assert verdict.ok is (verdict.first_bad is None and verdict.desync is None and not verdict.incomplete)
    return None if verdict.first_bad is None else verdict.first_bad.code


def test_a_game_that_goes_on_says_who_is_waited_for() -> None:
    table = start("then stand")
    table.order(ANN, [Fire(), Rest()])
    table.deliver()
    verdict = verify_archive(table.archive(), GAMES)
    assert verdict.ok
    assert verdict.result is None
    assert verdict.pending == ((BOB, "reveal"),)
    assert verdict.audit is None


@pytest.mark.parametrize("fault", ["flip", "drop", "twice", "swap"])
def test_reading_ahead_changes_no_verdict(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Whatever is wrong, and wherever: the same verdict, counts and all, as when item is judged after item."""
    items = played().archive()
    for n in range(1, len(items) - 1):
        spoilt = list(items)
        raw = bytearray(spoilt[n].raw)
        raw[len(raw) // 2 if n % 2 else -1] ^= 1
        match fault:
            case "flip":
                spoilt[n] = Item(spoilt[n].type, bytes(raw))
            case "drop":
                del spoilt[n]
            case "twice":
                spoilt.insert(n + n % 3, spoilt[n])
            case _:
                spoilt[n], spoilt[n + 1] = spoilt[n + 1], spoilt[n]
        for judge in (lambda items: verify_archive(items, GAMES), verify):
            found = judge(iter(spoilt))
            with monkeypatch.context() as one_by_one:
                one_by_one.setattr(reading, "_TOGETHER", 1)
                one_by_one.setattr(reading, "_FIRST", 1)
                assert judge(iter(spoilt)) == found


def test_the_audit_checks_no_signature_again(monkeypatch: pytest.MonkeyPatch) -> None:
    items = played().archive()
    checked: list[bytes] = []

    def check(sign: bytes, digest: bytes, signature: bytes) -> None:
        checked.append(digest)
        check_signature(sign, digest, signature)

    monkeypatch.setattr(log, "check_signature", check)
    verdict = verify_archive(items, GAMES)
    assert verdict.audit is not None
    assert len(checked) == len(set(checked)) > len(items) // 2


def test_who_ends_a_game_beside_others_is_judged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a game all sign the result and open their secrets, unseen by each other: nothing is replayed."""
    items = played().archive()
    last = [parse_record(item.raw) for item in items if item.type is ItemType.RECORD][-4:]
    assert [record.kind for record in last] == ["end", "end", "open_all", "open_all"]
    for first, second in (last[:2], last[2:]):
        assert all(head != first.id for _, head in second.heads)

    def again(*_: object) -> None:
        raise AssertionError("the game is played again")

    monkeypatch.setattr(Replay, "fold", again)
    verdict = verify_archive(items, GAMES)
    assert verdict.ok
    assert verdict.audit is not None


def test_draws_are_listed_exactly() -> None:
    items = played().archive()
    (at,) = listings(items)
    listed = parse_listing(items[at].raw).draws
    assert len(listed) >= 2
    assert code(items) is None
    assert code([*items[:at], *items[at + 1 :]]) is None, "a file without any list"
    for draws in (
        (),
        listed[1:],
        listed[::-1],
        (*listed, listed[0]._replace(occurrence=1)),
        (listed[0]._replace(label="other"), *listed[1:]),
        (listed[0]._replace(results=(1 + listed[0].results[0] % 6,)), *listed[1:]),
    ):
        assert code([*items[:at], Item(ItemType.DRAWS, pack_listing(draws)), *items[at + 1 :]]) == "E-DRAW"


def test_records_without_effect_are_listed() -> None:
    table = start()
    tie = table.send(ANN, "tie", {})
    table.deliver()
    table.order(ANN, [Aim(1)])
    answer = table.send(BOB, "answer", {"to": tie.id, "yes": True})
    table.deliver()
    items = table.archive()
    (at,) = listings(items)
    assert parse_listing(items[at].raw).moot == (answer.id,)
    assert code(items) is None
    assert verify(items).ok
    assert code([*items[:at], *items[at + 1 :]]) is None, "a file without any list"
    nothing = Item(ItemType.DRAWS, pack_listing(()))
    assert code([*items[:at], nothing, *items[at + 1 :]]) == "E-DRAW"
    assert code([*items[:at], *items[at + 1 :], nothing]) == "E-DRAW"
    other = table.records[-3].id
    assert code([*items[:at], Item(ItemType.DRAWS, pack_listing((), (other, answer.id))), *items[at + 1 :]]) == "E-DRAW"


def test_an_illegal_order_that_both_players_let_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    table = start()
    with monkeypatch.context() as patch:
        patch.setattr(Act, "check", lambda *_: None)
        table.order(ANN, [Aim(1), Aim(9), Rest()])
        table.deliver()
        items = table.archive()
    assert table.agree()
    verdict = verify_archive(items, GAMES)
    assert not verdict.ok
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author) == ("E-ORDER", ANN)
    assert verdict.first_bad.record == table.records[-1].id
    assert verdict.first_bad.step == "MEA-6"
    assert verify(items).ok  # without the rules nothing is wrong


def test_other_code_is_told_apart_from_a_cheat(monkeypatch: pytest.MonkeyPatch) -> None:
    table = start()
    right = Act.apply

    def free(self: Act, s: Any, f: Any, answers: Any, out: Any) -> Any:
        s.left += 1
        return right(self, s, f, answers, out)

    with monkeypatch.context() as patch:
        patch.setattr(Act, "apply", free)
        table.order(ANN, [Aim(1), Rest()])
        table.settle()
        table.order(BOB, [Aim(1), Aim(1)])
        table.settle()
        table.order(BOB, [Aim(1), Rest()])
        table.settle()
        items = table.archive()
    verdict = verify_archive(items, GAMES)
    assert not verdict.ok
    assert verdict.first_bad is None
    assert verdict.desync is not None
    assert verdict.desync.code == "E-DESYNC"


def test_an_archive_of_an_unknown_game_or_of_newer_rules() -> None:
    table = Table(duel(2, behaviour=3), 2)
    table.settle()
    assert code(table.archive()) == "E-BEHAVIOUR"
    verdict = verify_archive(table.archive(), {})
    assert verdict.first_bad is not None
    assert verdict.first_bad.code == "E-GAME"


def test_a_pass_that_was_a_lie_is_found_in_the_audit() -> None:
    table = start("when shot = 2 then dodge; then stand")
    table.order(ANN, [Fire(), Fire(), Rest()])
    table.deliver()
    bob = table.peers[BOB]
    stand = bob.match.game.orders.write(bob.match.machine.passing("bob"))
    record = table.records[-1]
    x = bob.player.secrets.chain(BOB, ANN).value(record.seq)
    lie = {
        "items": [
            ["answer", "react/3", stand, None],
            ["dice", record.id, x],
            ["answer", "react/5", stand, None],
        ]
    }
    told = table.send(BOB, "reveal", lie)
    table.settle()
    table.play()
    assert table.agree()
    verdict = verify_archive(table.archive(), GAMES)
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author) == ("E-AUDIT", BOB)
    assert verdict.first_bad.record == told.id
    assert verify(table.archive()).ok


def test_a_secret_choice_that_was_never_allowed_is_found_in_the_audit() -> None:
    table = Table(duel(2), 2)
    table.settle()
    table.order(BOB, [Talisman(3)])
    table.deliver()
    ann = table.peers[ANN]
    raw = table.game.orders.pack(Talisman(9))
    need = ann.match.machine.need
    seq = ann.replay.log.count(ANN)
    data = ann.player.orders_data(ann.match, [Talisman(1)], seq)
    slot = need.slot("ann")  # type: ignore[union-attr]
    data["hide"] = [make_hide_row(ann.player.secrets, ann.match.genesis.game_id, "ann", slot, seq, raw)]
    sealed = table.send(ANN, "orders", data)
    table.send(BOB, "resign", {"seats": ["bob"]})
    table.play()
    verdict = verify_archive(table.archive(), GAMES)
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author) == ("E-AUDIT", ANN)
    assert verdict.first_bad.record == sealed.id


def test_duties_that_only_the_audit_can_see(monkeypatch: pytest.MonkeyPatch) -> None:
    def duty(self: Act, s: Any, f: Any, seat: str, order: Any, own: Known) -> Violation | None:
        held = [value for slot, value in own.items() if slot.startswith(f"choose/{seat}/")]
        if isinstance(order, Rest) and held == [Talisman(3)]:
            return Violation("2.2", "You hold the third talisman, and may not rest")
        return None

    for number, good in ((2, True), (3, False)):
        table = Table(duel(2), 2, options={"turns": 1})
        table.settle()
        for who in (ANN, BOB):
            table.order(who, [Talisman(number if who == BOB else 1)])
        table.settle()
        for who in (ANN, BOB):
            table.order(who, [Rest()])
            table.settle()
        with monkeypatch.context() as honest:
            honest.setattr(Act, "duty", duty)  # their programs did not ask it
            verdict = verify_archive(table.archive(), GAMES)
        assert verdict.ok is good
        if verdict.first_bad is not None:
            bad = verdict.first_bad
            assert (bad.code, bad.step, bad.author) == ("E-AUDIT", "MEA-12", BOB)
            assert "You hold the third talisman, and may not rest (2.2)" in bad.sentence


@pytest.mark.parametrize("seed", ["a", "b"])
def test_every_record_of_an_archive_is_needed(seed: str) -> None:
    table = Table(MAGPIE, 2, seed=seed)
    for _ in range(60):
        table.step()
    table.deliver()
    items = table.archive()
    assert verify_archive(items, GAMES).ok
    records = [n for n, item in enumerate(items) if item.type == ItemType.RECORD]
    for at in records[:: max(1, len(records) // 12)]:
        verdict = verify_archive([*items[:at], *items[at + 1 :]], GAMES)
        last = parse_record(items[at].raw).id == parse_record(items[records[-1]].raw).id
        assert verdict.ok is last
        assert verdict.first_bad is None


def test_messages_and_data_stand_in_the_archive_where_they_belong() -> None:
    table = start()
    extra = {table.records[-1].id: b"x"}
    items = list(archive_items(table.peers[ANN].replay, extra))
    (at,) = (n for n, item in enumerate(items) if item.type == ItemType.MESSAGE)
    assert items[at - 1].raw == table.records[-1].raw


@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_a_secret_is_an_order_to_its_owner_and_to_the_audit(mode: str) -> None:
    table = Table(SQUADS, 2, mode=mode, umpire=mode == "umpire", seed="squads", careful=True)
    table.settle()
    table.order(ANN, [Hide(3), March()])
    table.settle()
    peer = table.peers[ANN]
    own = peer.match.known_to(("north",), peer.player.own_values(peer.match))
    assert own["hiding/north/1"] == Hide(3)
    table.play()
    assert table.agree()
    assert verify_archive(table.archive(), {"squads": SQUADS}).ok
