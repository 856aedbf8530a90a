"""What SECURITY.md says is not promised: who holds both halves of a die chooses it, and no file shows that he did."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from games.duel import Fire, Talisman, duel

from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import AT, Table
from pbem.fairplay.begin import open_escrow
from pbem.fairplay.chance import chain_value, group_key, roll
from pbem.fairplay.verify import verify
from pbem.protocol.record import UMPIRE, Record, make_record

ANN, BOB = 0, 1
Secret = Callable[[Table, int], bytes]


def from_her_witness(table: Table, seq: int) -> bytes:
    peer = table.peers[BOB]
    assert peer.match.genesis.witness(ANN) == BOB
    return peer.player.secrets.chain(BOB, ANN).value(seq)


def from_the_escrow(table: Table, seq: int) -> bytes:
    peer = table.peers[UMPIRE]
    join = peer.match.genesis.join(BOB)
    return chain_value(open_escrow(peer.player.keys, join)[ANN], join.chain_id(ANN), seq)


def from_the_umpire(table: Table, seq: int) -> bytes:
    return table.peers[UMPIRE].player.secrets.chain(UMPIRE, ANN).value(seq)


def chosen(table: Table, die: int, secret: Secret) -> Record:
    """Ann's shot, signed at the second at which it brings this die: her orders and her salt stay as they must be."""
    peer = table.peers[ANN]
    log = peer.replay.log
    seq, genesis = log.count(ANN), peer.match.genesis
    x, witness = secret(table, seq), genesis.witness(ANN)
    assert witness is not None
    data = peer.player.orders_data(peer.match, [Fire()], seq)
    prev, heads = log.last(ANN), log.heads(ANN)
    for at in range(AT, AT + 200):
        record = make_record(
            peer.player.keys, at=at, by=ANN, data=data, game=genesis.game_id, heads=heads, kind="orders", pin=0,
            prev=prev, seq=seq,
        )  # fmt: skip
        if roll(group_key(genesis.game_id, [(record.id, witness, seq, x)]), "shot/1", 0, 6) == (die,):
            return record
    raise AssertionError("no such die")


@pytest.mark.parametrize(
    ("options", "secret"),
    [
        ({"players": 3}, from_her_witness),
        ({"players": 2, "umpire": True}, from_the_escrow),
        ({"players": 2, "umpire": True, "mode": "umpire"}, from_the_umpire),
    ],
)
@pytest.mark.parametrize("die", [1, 6])
def test_whoever_is_told_the_other_half_chooses_the_die(options: dict[str, object], secret: Secret, die: int) -> None:
    number = int(str(options["players"]))
    table = Table(duel(number), **options)  # type: ignore[arg-type]
    table.settle()
    for player, seat in enumerate(table.game.seats):
        stand = NewStanding(seat.name, "react", parse("then stand"), sealed=False)
        table.order(player, [Talisman(1)], [stand])
    table.settle()
    record = chosen(table, die, secret)
    table.peers[ANN].replay.accept(record)
    table.mail(record)
    table.settle()
    draws = [draw for _, accepted in table.peers[BOB].replay.history() for draw in accepted.draws]
    assert [(draw.label, draw.results) for draw in draws] == [("shot/1", (die,))]
    table.play()
    assert table.agree()
    verdict = verify(table.archive())
    assert verdict.ok
    assert verdict.audit is not None
    assert not verdict.audit.missing
