"""Cases of umpires, with all that goes with them: CAS-1..6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbem.protocol import envelope
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.digest import tagged
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.keys import Keys
from pbem.protocol.record import UMPIRE, Record
from pbem.umpire.case import (
    Answered,
    Clock,
    Extension,
    Flag,
    Head,
    Noted,
    Odd,
    Owes,
    Party,
    Result,
    Ruled,
    Statement,
    evidence_of,
    make_case,
)
from tools.vectors.games import CUP
from tools.vectors.people import ALICE, AT, BOB, loose, some
from tools.vectors.play import KEYS, Play, card_of
from tools.vectors.vector import SUCCESS, Vector

DORA = KEYS[UMPIRE]


def _played() -> tuple[Play, Record, Record]:
    """A running game with an answer and a ruling in it."""
    play = Play(2, umpire=True, tournament=CUP)
    play.orders(0)
    orders = next(each for each in reversed(play.items) if isinstance(each, Record) and each.kind == "orders")
    play.add(UMPIRE, "ruling", {"what": "extension", "player": 1, "seconds": 86_400, "why": "She was ill."})
    ruling = next(each for each in reversed(play.items) if isinstance(each, Record) and each.kind == "ruling")
    return play, orders, ruling


_PLAY, _ORDERS, _RULING = _played()
_RIVAL = _PLAY.record(0, "tie", {}, seq=_ORDERS.seq, prev=_ORDERS.prev, heads=_ORDERS.heads)
_PROOF = make_fork_proof(_ORDERS, _RIVAL, card_of(0))
_GAME = [each if isinstance(each, Item) else Item(ItemType.RECORD, each.raw) for each in _PLAY.items]
_OPENED = _GAME[:2]
_ALL = [*_GAME, Item(ItemType.FORK, _PROOF.raw)]
_SAID = Statement(
    at=AT + 900,
    umpire=DORA.identity,
    tournament=CUP.key,
    title="Spring Cup",
    label=(2, 7, 0),
    players=(Party(0, 12, ALICE.identity, "Alice Kern"), Party(1, 5, BOB.identity, "Bob Silva")),
    clock={"bank": 0, "days_off": 0, "move": 0},
    result=Result("playing", "", None, None, 0, ""),
    offer=_PLAY.genesis.offer.id,
    game=_PLAY.genesis.game_id,
    twins=(some("another game"),),
    answered=(Answered(0, "orders", AT + 5, AT + 40, _ORDERS.at, 35, _ORDERS.id),),
    owed=(Owes(1, "orders", AT + 40, automatic=False), Owes(UMPIRE, "reveal", AT + 40, automatic=True)),
    clocks=(Clock(0, 35, 100, None, None), Clock(1, 200, 0, AT + 300, AT + 300)),
    extensions=(Extension(1, 86_400, AT + 60, _RULING.id),),
    flags=(Flag(1, AT + 300, AT + 310),),
    rulings=(Ruled("extension", AT + 60, _RULING.id),),
    odd=(Odd(0, "fork", 5, AT + 50, "Alice Kern signed two different records: a fork."),),
    journal=(Noted(17, AT + 61, "una", "wanted", some("entry"), "Game 2.7: wanted is an extension."),),
    head=Head(40, some("head")),
)
_BARE = replace(
    _SAID, result=Result("decided", "forfeit", 0, 2, AT, "He did not come."), game=None, twins=(), answered=(),
    owed=(), clocks=(), extensions=(), flags=(), rulings=(), odd=(),
)  # fmt: skip


def _file(said: Statement = _SAID, with_it: Sequence[Item] = _ALL, keys: Keys = DORA) -> bytes:
    return write([Item(ItemType.CASE, make_case(keys, said, with_it).raw), *with_it])


def _changed(label: str = "pbem1/case", **changes: Any) -> bytes:
    """The case with other fields, signed all the same; `...` leaves one out."""
    body, _ = envelope.split(make_case(DORA, _SAID, _ALL).raw, 1 << 20, "case", "CAS-1")
    found = unpack(body)
    assert isinstance(found, dict)
    fields: dict[str, Any] = {**found, **changes}
    packed = loose({key: fields[key] for key in sorted(fields) if fields[key] is not ...})
    raw = envelope.join(packed, DORA.sign(tagged(label, packed)))
    return write([Item(ItemType.CASE, raw), *_ALL])


def vectors() -> Iterator[Vector]:
    for name, comment, said, with_it in (
        ("running", "a game that runs, with a fork, an extension and a flag", _SAID, _ALL),
        ("offered", "a game that did not begin", _BARE, _OPENED),
    ):
        facts = {
            "id": make_case(DORA, said, with_it).id.hex(),
            "umpire": said.umpire.hex(),
            "game": said.game.hex() if said.game else "-",
            "evidence": evidence_of(with_it).hex(),
        }
        yield Vector(f"case-{name}", "case", SUCCESS, "CAS-3", comment, _file(said, with_it), facts)
    for name, code, step, comment, payload in (*_forms(), *_files(), *_games()):
        yield Vector(f"case-{name}", "case", code, step, comment, payload)


_Fault = tuple[str, str, str, str, bytes]


def _forms() -> Iterator[_Fault]:
    row = list(_SAID.answered[0])
    yield "no-head", "E-CASE", "CAS-2", "a field is missing", _changed(head=...)
    yield "extra", "E-CASE", "CAS-2", "a field too many", _changed(verdict="guilty")
    yield "kind", "E-CASE", "CAS-2", "says that it is a card", _changed(kind="card")
    yield "version", "E-VERSION", "CAS-2", "of version 2", _changed(v=2)
    yield "short-row", "E-CASE", "CAS-2", "a row of the ledger without its record", _changed(answered=[row[:-1]])
    yield "many-flags", "E-CASE", "CAS-2", "257 flags", _changed(flags=[[1, AT, AT]] * 257)
    yield "state", "E-CASE", "CAS-2", "a result of no state", _changed(result=["won", "", 2, 0, AT, ""])
    yield (
        "actor",
        "E-TEXT",
        "CAS-2",
        "an actor of 81 letters",
        _changed(journal=[[1, AT, "a" * 81, "read", some("entry"), ""]]),
    )
    yield "label", "E-SIGNATURE", "KEY-2", "signed as a card is", _changed("pbem1/card")
    shape = write([Item(ItemType.CASE, pack([b"", b""])), *_ALL])
    yield "shape", "E-FORM", "CAS-1", "no body and no signature", shape


def _files() -> Iterator[_Fault]:
    case = Item(ItemType.CASE, make_case(DORA, _SAID, _ALL).raw)
    evidence = "E-CASE", "CAS-3"
    yield "record-gone", *evidence, "a record was taken out", write([case, *_ALL[:-2], _ALL[-1]])
    yield "fork-gone", *evidence, "the proof of the fork was taken out", write([case, *_ALL[:-1]])
    tie = _PLAY.record(1, "tie", {})
    yield "record-added", *evidence, "a good record was added", write([case, *_ALL, Item(ItemType.RECORD, tie.raw)])
    file = "E-CASE", "CAS-3"
    yield "not-first", *file, "the statement stands last", write([*_ALL, case])
    yield "twice", *file, "two statements", _file(with_it=[case, *_ALL])
    yield "card", *file, "with a card in it", _file(with_it=[*_ALL, Item(ItemType.CARD, card_of(0).raw)])


def _games() -> Iterator[_Fault]:
    game = "E-CASE"
    yield (
        "by-player",
        game,
        "CAS-4",
        "signed by a player, as himself",
        _file(replace(_SAID, umpire=BOB.identity), keys=BOB),
    )
    yield "for-umpire", "E-SIGNATURE", "KEY-2", "signed by a player, for the umpire", _file(keys=BOB)
    yield "other-game", game, "CAS-5", "about another game", _file(replace(_SAID, game=some("game")))
    yield "other-round", game, "CAS-5", "another round than the offer's", _file(replace(_SAID, label=(3, 7, 0)))
    single = Play(2, umpire=True)
    lone_game = [each if isinstance(each, Item) else Item(ItemType.RECORD, each.raw) for each in single.items]
    said = replace(_BARE, offer=single.genesis.offer.id, game=single.genesis.game_id)
    yield "no-board", game, "CAS-5", "a game that was offered for no tournament", _file(said, lone_game)
    exchanged = tuple(
        one._replace(by=other.by) for one, other in zip(_SAID.players, reversed(_SAID.players), strict=True)
    )
    yield "exchanged", game, "CAS-5", "the players exchanged", _file(replace(_SAID, players=exchanged))
    other = Play(2, umpire=True)
    other.orders(0)
    lone = next(each for each in reversed(other.items) if isinstance(each, Record) and each.kind == "orders")
    proof = make_fork_proof(
        lone, other.record(0, "tie", {}, seq=lone.seq, prev=lone.prev, heads=lone.heads), card_of(0)
    )
    foreign = [*_GAME, Item(ItemType.FORK, proof.raw)]
    yield "other-fork", game, "CAS-5", "the proof of another game's fork", _file(with_it=foreign)
    row, entry = "E-CASE", _SAID.answered[0]
    for name, comment, changed in (
        ("unknown", "a row of a record that is not there", entry._replace(record=some("record"))),
        ("author", "a row by the other player", entry._replace(by=1)),
        ("signed", "signed at another time than the record says", entry._replace(signed_at=entry.signed_at + 1)),
        ("before", "answered before it was asked", entry._replace(asked_at=AT + 41, charged=0)),
        ("charged", "more charged than went by", entry._replace(charged=36)),
    ):
        yield f"row-{name}", row, "CAS-6", comment, _file(replace(_SAID, answered=(changed,)))
    ruled = replace(_SAID, rulings=(Ruled("forfeit", AT + 60, _RULING.id),))
    yield "ruling", row, "CAS-6", "an extension stated as a forfeit", _file(ruled)
    given = replace(_SAID, extensions=(Extension(1, 86_400, AT + 60, _ORDERS.id),))
    yield "extension", row, "CAS-6", "an extension by a player's orders", _file(given)
