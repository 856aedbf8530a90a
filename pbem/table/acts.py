"""What players and the umpire agree on or declare: resigning, draws, takebacks, rulings, new keys, newer rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypedDict

from pbem.engine.registry import package
from pbem.fairplay.begin import open_escrow
from pbem.fairplay.chance import chain_value
from pbem.protocol.canonical import Packable
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Join, substitute_of
from pbem.protocol.keys import Keys
from pbem.protocol.kinds import AGREEING
from pbem.protocol.record import UMPIRE, Record, make_record, parse_record
from pbem.protocol.ruling import rekey_proof
from pbem.table import claims, letter, offers, summary, takebacks
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.hellos import recipients
from pbem.table.parcel import unwrap
from pbem.table.players import number_of
from pbem.table.postbox import file_of
from pbem.table.sealing import former_keys, my_join, my_place, player_of, seal, sender, signing_keys
from pbem.table.settle import post, settle
from pbem.table.tableerror import TableError
from pbem.table.values import Posted, Undone

Data = Mapping[str, Packable]


class Ruled(TypedDict, total=False):
    """What a ruling says, as far as its kind needs it."""

    why: str
    seats: Sequence[str]
    player: str | None
    seconds: int
    keep: str | None
    drop: str | None
    raw: bytes | None
    winner: str | None
    """A side, or a seat of it; None: a draw."""
    scores: Mapping[str, int] | None


def resign(context: Context, name: str, seats: tuple[str, ...] = ()) -> Posted | None:
    """Gives up, for all of one's seats or for some."""
    with context.writing():
        game = context.load(name)
        return _sealed(context, game, "resign", {"seats": list(seats or game.offer.seats_of(my_place(game).by))})


def tie(context: Context, name: str) -> Posted | None:
    with context.writing():
        return _sealed(context, context.load(name), "tie", {})


def takeback(context: Context, name: str, target: str | None = None) -> Posted | None:
    """Proposes to go back to before a record: one's own last orders, or `player:number` as the log shows it."""
    with context.writing():
        game = context.load(name)
        return _sealed(context, game, "takeback", {"to": [list(each) for each in _before(game, target)]})


def takeback_preview(context: Context, name: str, target: str | None = None) -> Undone:
    """What that would undo."""
    game = context.load(name)
    return takebacks.undone(game, _before(game, target))


def takeback_proposed(context: Context, name: str) -> Undone:
    """What the takeback that waits for an answer would undo."""
    game = context.load(name)
    game.match  # noqa: B018 (E-NOT-NOW)
    found = takebacks.open_proposal(game)
    if found is None:
        raise TableError("E-NO-NEED", f"Nobody in {game.name} waits for your answer to a takeback.")
    return found[1]


def _before(game: GameFile, target: str | None) -> list[tuple[int, int]]:
    by, seq = _place(game, target) if target is not None else _last_orders(game)
    return list(zip(game.log.authors, game.log.past_at(by, seq), strict=True))


_ASKED = {"tie": "tie", "takeback": "takeback", "migrate": "change of rules"}


def answer(context: Context, name: str, what: str, yes: bool) -> Posted | None:
    """Yes or no to another player's tie, takeback or migration."""
    with context.writing():
        game = context.load(name)
        me = my_place(game)
        proposals = game.match.position.proposals
        waiting = [key for key, each in proposals.items() if each.what == what and me.by in each.waiting]
        if not waiting:
            raise TableError("E-NO-NEED", f"Nobody in {game.name} waits for your answer to a {_ASKED[what]}.")
        return _sealed(context, game, "answer", {"to": waiting[0], "yes": yes})


def migrate(context: Context, name: str) -> Posted | None:
    """Proposes to go on under the rules that are installed here."""
    with context.writing():
        game = context.load(name)
        match = game.match
        rules, newest = game.newest()
        held = match.setup
        target = (rules.behaviour, newest.digest)
        if target == (held.behaviour, held.data.digest):
            raise TableError("E-NO-NEED", f"{game.name} is played under the installed rules already.")
        needs = package(rules.name)
        after = match.migrated(*target, needs)[3]
        data: dict[str, Packable] = {
            "from": {"behaviour": held.behaviour, "data": held.data.digest},
            "to": {"behaviour": target[0], "data": target[1], "needs": needs},
            "before": match.state_hash(),
            "after": after,
        }
        return _sealed(context, game, "migrate", data)


def claim(context: Context, name: str) -> Posted | None:
    """Says what the game waits for: a forfeit without an umpire must cite that, after the silence agreed on."""
    with context.writing():
        game = context.load(name)
        return _sealed(context, game, "claim", {"owed": claims.owed_by_others(game, my_place(game).by)})


def rekey(context: Context, name: str, identity: str, *, lost: bool = False) -> Posted | None:
    """Another identity of this home takes over. With the old key lost, only a request for a ruling can be made."""
    with context.writing():
        game = context.load(name)
        me = my_place(game)
        person = context.people.me(identity)
        new = context.people.keys(person.identity)
        if person.identity == game.log.card_of(me.by).identity:
            raise TableError("E-NO-NEED", f"{person.card.name} signs for you in {game.name} already.")
        if not lost:
            proof = rekey_proof(new, game.game_id, me.by, game.log.count(me.by), person.card)
            return _sealed(context, game, "rekey", {"card": person.card.raw, "proof": proof})
        offers.check_replaceable(game.offer)
        _has_seed(context, game)
        proof = rekey_proof(new, game.game_id, me.by, 0, person.card)
        request = make_record(
            new,
            at=context.clock(),
            by=me.by,
            data={"card": person.card.raw, "proof": proof},
            game=game.game_id,
            heads=(),
            kind="rekey",
            pin=0,
            prev=game.log.last(me.by),
            seq=game.log.count(me.by),
        )
        raw = file_of([Item(ItemType.RECORD, request.raw)])
        to = recipients(context, game)
        return context.outbox.put(f"{game.name}-newkey", raw, to, sender(game), automatic=False)


def _has_seed(context: Context, game: GameFile) -> None:
    """A ruling brings a new signature, not the secrets: those follow from the seed that the player joined with."""
    identity = my_join(game, my_place(game)).identity
    if identity not in {person.identity for person in context.people.identities()}:
        raise TableError(
            "E-NO-IDENTITY",
            f"Your dice and cards of {game.name} follow from the key that you joined with, and this home has lost it. "
            "Bring it back with its phrase: pbem restore. Without the phrase, take over your own place from a new "
            "home, with an opponent's archive: pbem join ARCHIVE --instead-of YOUR-NAME",
        )


def rule(
    context: Context,
    name: str,
    what: str,
    *,
    why: str = "",
    seats: Sequence[str] = (),
    player: str | None = None,
    seconds: int = 0,
    keep: str | None = None,
    drop: str | None = None,
    raw: bytes | None = None,
    winner: str | None = None,
    scores: Mapping[str, int] | None = None,
) -> Posted | None:
    """A ruling: by the umpire, or by each of the other players in the same words."""
    with context.writing():
        game = context.load(name)
        data: dict[str, Packable] = {"what": what, "why": why}
        if what not in ("branch", "rekey") and not any(fork.keep is None for fork in game.log.forks):
            data["state"] = game.match.state_hash()  # while a fork is undecided there is no one position (MEA-7)
        if what == "branch":
            data |= _branch(game, keep or "", drop or "")
        elif what == "forfeit":
            data["seats"] = list(seats)
            if game.offer.umpire is None and game.offer.silence:
                data["claim"] = claims.to_cite(game, seats, why, context.clock())
        elif what == "adjudge":
            data |= {"winner": _side(game, winner) if winner is not None else None, "scores": dict(scores or {})}
        elif what == "extension":
            data |= {"player": number_of(game, player or ""), "seconds": seconds}
        elif what == "substitute":
            join = _only_record(raw, "join")
            data |= {"player": number_of(game, player or ""), "join": join.raw}
            _check_newcomer(context, game, join)
        elif what == "rekey":
            request = _only_record(raw, "rekey").data
            data |= {"player": number_of(game, player or ""), "card": request["card"], "proof": request["proof"]}
        elif what == "escrow":
            data |= _escrow(context, game)
        return _sealed(context, game, "ruling", data)


def _side(game: GameFile, winner: str) -> str:
    """A side, or that of a seat."""
    return next((seat.side for seat in game.offer.seats if seat.name == winner), winner)


def _sealed(context: Context, game: GameFile, kind: str, data: Data) -> Posted | None:
    """The file for it; None in a game for oneself alone."""
    if game.log.genesis is None:
        raise TableError("E-NOT-NOW", f"{game.name} has not started yet.")
    if kind in AGREEING:
        data = {**data, **player_of(context, game).chance(game.match)}
    seal(context, game, kind, data)
    posted = settle(context, game)
    last = posted[-1] if posted else post(context, game, again=True)
    summary.refresh(context, game)
    return last


def _place(game: GameFile, target: str) -> tuple[int, int]:
    """`2:14`, `bob:14`, `red:14`, or the beginning of a record's id."""
    who, mark, number = target.rpartition(":")
    log = game.log
    if mark and number.isascii() and number.isdigit():
        by, seq = number_of(game, who), int(number)
        if seq < log.count(by):
            return by, seq
    elif not mark:
        return _by_id(game, target)
    raise TableError("E-UNKNOWN", f"There is no record {target!r} in {game.name}. See: pbem log {game.name}")


def _by_id(game: GameFile, prefix: str) -> tuple[int, int]:
    wanted = prefix.strip().casefold()
    log = game.log
    found = [
        (by, seq)
        for by in log.authors
        for seq in range(log.count(by))
        if len(wanted) >= 4 and (log.id_at(by, seq) or b"").hex().startswith(wanted)
    ]
    if len(found) != 1:
        raise TableError("E-UNKNOWN", f"{prefix!r} is not the beginning of one record's id in {game.name}.")
    return found[0]


def _last_orders(game: GameFile) -> tuple[int, int]:
    me = my_place(game)
    for seq in range(game.log.count(me.by) - 1, 0, -1):
        if parse_record(game.raw_of(me.by, seq)).kind == "orders":
            return me.by, seq
    raise TableError("E-UNKNOWN", f"You have not ordered anything in {game.name} yet.")


def _only_record(raw: bytes | None, kind: str) -> Record:
    """The one record of this kind in a file that was sent for a ruling."""
    for block in letter.blocks(raw or b""):
        for record in unwrap(block).records:
            if record.kind == kind:
                return record
    raise Refusal("E-NOTHING", f"There is no {kind} in this file.")


def _branch(game: GameFile, keep: str, drop: str) -> dict[str, Packable]:
    """The two records of a fork, by the beginnings of their ids; whole, the one that does not stand in the chain."""
    rivals = {record.id: record for record in map(parse_record, game.store.all_loose("rivals"))}
    forks = [fork for fork in game.log.forks if fork.keep is None]
    for fork in forks:
        first, second = game.log.id_at(fork.by, fork.seq), fork.first
        if first is None:
            continue
        for chosen, other in ((first, second), (second, first)):
            if chosen.hex().startswith(keep.casefold()) and other.hex().startswith(drop.casefold()) and keep and drop:
                loose = rivals.get(second)
                whole = loose.raw if loose is not None else game.raw_by_id(second)
                return {"keep": chosen, "drop": other, "other": whole}
    raise TableError("E-UNKNOWN", f"There is no undecided fork between {keep!r} and {drop!r} in {game.name}.")


def _escrow(context: Context, game: GameFile) -> dict[str, Packable]:
    """What a witness withholds, from the escrow that the umpire has checked (CHA-9)."""
    if my_place(game).by != UMPIRE:
        raise TableError("E-NOT-YOURS", "Only the umpire can open an escrow.")
    keys = [signing_keys(context, game), *former_keys(context, game)]
    for item, witness in game.match.position.barrier.due.items():
        if item[0] != "dice":
            continue
        orders = item[1]
        assert isinstance(orders, bytes)
        place = game.log.find(orders)
        mark = game.match.ledger.marks.get(orders)
        if place is None or mark is None:
            continue
        # The dice of orders are those of who was their witness then, though somebody may have his place since (CHA-4).
        joins = (game.match.ledger.join(witness), game.match.genesis.join(witness))
        join = next((each for each in joins if each.chain_id(place[0]) == mark.cid), None)
        if join is None or join.escrow is None:
            continue
        top = _tops(keys, join).get(place[0])
        if top is not None:
            x = chain_value(top, join.chain_id(place[0]), place[1])
            return {"orders": orders, "witness": witness, "x": x}
    raise TableError("E-NO-NEED", f"No dice that an escrow could open are owed in {game.name}.")


def _check_newcomer(context: Context, game: GameFile, record: Record) -> None:
    """An umpire lets nobody in whose dice he could not show, if they were withheld (GEN-4)."""
    if my_place(game).by != UMPIRE or game.log.genesis is None:
        return
    join = substitute_of(game.log.genesis, record.by, record)
    if join.escrow is not None:
        _tops([signing_keys(context, game), *former_keys(context, game)], join)


def _tops(keys: Sequence[Keys], join: Join) -> dict[int, bytes]:
    """The escrow is sealed to the key that the umpire had when the game began."""
    for each in keys[:-1]:
        with suppress(Refusal):
            return open_escrow(each, join)
    return open_escrow(keys[-1], join)
