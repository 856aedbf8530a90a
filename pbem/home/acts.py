"""Agreements and declarations of players and the umpire: resigning, draws, takebacks, claims, rulings, keys, newer
rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from pbem.engine.counts import moment
from pbem.engine.registry import package
from pbem.fairplay.begin import open_escrow
from pbem.fairplay.chance import chain_value
from pbem.home import describe, offers, summary, unpacking
from pbem.home.describe import Undone, ripe
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, former_keys, my_join, my_place, number_of, player_of, signing_keys
from pbem.home.outbox import Posted, file_of
from pbem.home.resync import recipients
from pbem.home.root import Home
from pbem.home.sending import pay, post, seal
from pbem.home.unpacking import unwrap
from pbem.protocol.canonical import Packable
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Join, substitute_of
from pbem.protocol.keys import Keys
from pbem.protocol.kinds import AGREEING
from pbem.protocol.limits import MAX_REVEALS
from pbem.protocol.record import UMPIRE, Record, make_record, parse_record
from pbem.protocol.ruling import rekey_proof, subject_of


def owed_by_others(game: GameFile, me: int) -> list[Packable]:
    """What a claim of this player names: everything that the game waits for."""
    barrier = game.match.position.barrier
    if barrier.owed_by(me):
        raise HomeError("E-OWES", f"{game.name} waits for you, so nothing can be claimed now.")
    items = list(barrier.due)[:MAX_REVEALS]
    owed: list[Packable] = [list(item) for item in items]
    if not owed:
        raise HomeError("E-NO-NEED", f"{game.name} waits for nobody, so there is nothing to claim.")
    for key, claim in barrier.claims.items():
        if claim.by == me and set(items) <= set(claim.owed):
            raise HomeError(
                "E-CLAIM",
                f"You have already claimed this in {game.name}; a new claim would start the days of silence again. "
                f"You can rule a forfeit from {moment(ripe(game, key))} on.",
            )
    return owed


def to_cite(game: GameFile, seats: Sequence[str], why: str, now: int) -> bytes:
    """The claim that a forfeit of these seats cites: one that the others have cited, or the first. E-CLAIM: too soon.

    The silence that the offer asks for is kept here, by this home's clock, and nowhere else.
    """
    match = game.match
    concerned = {seat.player for seat in game.offer.seats if seat.name in seats}
    standing = [key for key in match.position.barrier.claims if concerned <= match.position.barrier.silent(key)]
    if not standing:
        raise HomeError(
            "E-CLAIM",
            f"A forfeit needs a claim that nobody has answered. First say what is owed: pbem claim {game.name}",
        )
    said = {"what": "forfeit", "why": why, "seats": list(seats)}
    cited = next((k for k in standing if match.ledger.agreed.get(subject_of({**said, "claim": k}))), standing[0])
    end = ripe(game, cited)
    if now < end:
        raise HomeError(
            "E-CLAIM",
            f"The players of {game.name} have agreed on {game.offer.silence} days of silence between a claim and a "
            f"forfeit. By this computer's clock they end at {moment(end)}.",
        )
    return cited


Data = Mapping[str, Packable]


def resign(home: Home, name: str, seats: tuple[str, ...] = ()) -> Posted | None:
    """Gives up, for all of one's seats or for some."""
    with home.writing():
        game = home.load(name)
        return _sealed(home, game, "resign", {"seats": list(seats or game.offer.seats_of(my_place(game).by))})


def tie(home: Home, name: str) -> Posted | None:
    with home.writing():
        return _sealed(home, home.load(name), "tie", {})


def takeback(home: Home, name: str, target: str | None = None) -> Posted | None:
    """Proposes to go back to before a record: one's own last orders, or `player:number` as the log shows it."""
    with home.writing():
        game = home.load(name)
        return _sealed(home, game, "takeback", {"to": [list(each) for each in _before(game, target)]})


def takeback_preview(home: Home, name: str, target: str | None = None) -> Undone:
    """What that would undo."""
    game = home.load(name)
    return describe.undone(game, _before(game, target))


def takeback_proposed(home: Home, name: str) -> Undone:
    """What the takeback that waits for an answer would undo."""
    game = home.load(name)
    game.match  # noqa: B018 (E-NOT-NOW)
    found = describe.open_proposal(game)
    if found is None:
        raise HomeError("E-NO-NEED", f"Nobody in {game.name} has {_ASKED['takeback']}.")
    return found[1]


def _before(game: GameFile, target: str | None) -> list[tuple[int, int]]:
    by, seq = _place(game, target) if target is not None else _last_orders(game)
    return list(zip(game.log.authors, game.log.past_at(by, seq), strict=True))


_ASKED = {"tie": "offered a draw", "takeback": "proposed to go back", "migrate": "proposed newer rules"}


def answer(home: Home, name: str, what: str, yes: bool) -> Posted | None:
    """Yes or no to another player's tie, takeback or migration."""
    with home.writing():
        game = home.load(name)
        me = my_place(game)
        proposals = game.match.position.proposals
        waiting = [key for key, each in proposals.items() if each.what == what and me.by in each.waiting]
        if not waiting:
            raise HomeError("E-NO-NEED", f"Nobody in {game.name} has {_ASKED[what]} and waits for your answer.")
        return _sealed(home, game, "answer", {"to": waiting[0], "yes": yes})


def migrate(home: Home, name: str) -> Posted | None:
    """Proposes to go on under the rules that are installed here."""
    with home.writing():
        game = home.load(name)
        match = game.match
        rules, newest = game.newest()
        held = match.setup
        target = (rules.behaviour, newest.digest)
        if target == (held.behaviour, held.data.digest):
            raise HomeError("E-NO-NEED", f"{game.name} is already played under the installed rules.")
        needs = package(rules.name)
        after = match.migrated(*target, needs)[3]
        data: dict[str, Packable] = {
            "from": {"behaviour": held.behaviour, "data": held.data.digest},
            "to": {"behaviour": target[0], "data": target[1], "needs": needs},
            "before": match.state_hash(),
            "after": after,
        }
        return _sealed(home, game, "migrate", data)


def claim(home: Home, name: str) -> Posted | None:
    """Says what the game waits for: a forfeit without an umpire must cite that, after the silence agreed on."""
    with home.writing():
        game = home.load(name)
        return _sealed(home, game, "claim", {"owed": owed_by_others(game, my_place(game).by)})


def rekey(home: Home, name: str, identity: str, *, lost: bool = False) -> Posted | None:
    """Another identity of this home takes over. With the old key lost, only a request for a ruling can be made."""
    with home.writing():
        game = home.load(name)
        me = my_place(game)
        person = home.people.me(identity)
        new = home.people.keys(person.identity)
        if person.identity == game.log.card_of(me.by).identity:
            raise HomeError("E-NO-NEED", f"{person.card.name} already signs for you in {game.name}.")
        if not lost:
            proof = rekey_proof(new, game.game_id, me.by, game.log.count(me.by), person.card)
            return _sealed(home, game, "rekey", {"card": person.card.raw, "proof": proof})
        offers.check_replaceable(game.offer)
        _has_seed(home, game)
        proof = rekey_proof(new, game.game_id, me.by, 0, person.card)
        request = make_record(
            new,
            at=home.clock(),
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
        to = recipients(home, game)
        return home.outbox.put(game, f"{game.name}-newkey", raw, to, automatic=False)


def _has_seed(home: Home, game: GameFile) -> None:
    """A ruling brings a new signature, not the secrets: those follow from the seed that the player joined with."""
    identity = my_join(game, my_place(game)).identity
    if identity not in {person.identity for person in home.people.identities()}:
        raise HomeError(
            "E-NO-IDENTITY",
            f"Your dice and cards of {game.name} follow from the key that you joined with, and this home has lost it. "
            "Bring it back with its phrase: pbem restore. Without the phrase, take over your own place from a new "
            "home, with an opponent's archive: pbem join ARCHIVE --instead-of YOUR-NAME",
        )


def rule(
    home: Home,
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
    with home.writing():
        game = home.load(name)
        data: dict[str, Packable] = {"what": what, "why": why}
        if what not in ("branch", "rekey") and not any(fork.keep is None for fork in game.log.forks):
            data["state"] = game.match.state_hash()  # while a fork is undecided there is no one position (MEA-7)
        if what == "branch":
            data |= _branch(game, keep or "", drop or "")
        elif what == "forfeit":
            data["seats"] = list(seats)
            if game.offer.umpire is None and game.offer.silence:
                data["claim"] = to_cite(game, seats, why, home.clock())
        elif what == "adjudge":
            data |= {"winner": _side(game, winner) if winner is not None else None, "scores": dict(scores or {})}
        elif what == "extension":
            if game.offer.umpire is None and not game.offer.clock["move"] and not game.offer.clock["bank"]:
                raise HomeError(
                    "E-NO-NEED", f"{game.name} has neither a clock nor an umpire: nobody can run out of time."
                )
            data |= {"player": number_of(game, player or ""), "seconds": seconds}
        elif what == "substitute":
            join = _only_record(raw, "join")
            data |= {"player": number_of(game, player or ""), "join": join.raw}
            _check_newcomer(home, game, join)
        elif what == "rekey":
            request = _only_record(raw, "rekey").data
            data |= {"player": number_of(game, player or ""), "card": request["card"], "proof": request["proof"]}
        elif what == "escrow":
            data |= _escrow(home, game)
        return _sealed(home, game, "ruling", data)


def _side(game: GameFile, winner: str) -> str:
    """A side, or that of a seat."""
    return next((seat.side for seat in game.offer.seats if seat.name == winner), winner)


def _sealed(home: Home, game: GameFile, kind: str, data: Data) -> Posted | None:
    """The file for it; None in a game for oneself alone."""
    if game.log.genesis is None:
        raise HomeError("E-NOT-NOW", f"{game.name} has not started yet.")
    if kind in AGREEING:
        data = {**data, **player_of(home, game).chance(game.match)}
    seal(home, game, kind, data)
    posted = pay(home, game)
    last = posted[-1] if posted else post(home, game, again=True)
    summary.refresh(home, game)
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
    raise HomeError("E-UNKNOWN", f"There is no record {target!r} in {game.name}. See: pbem log {game.name}")


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
        raise HomeError("E-UNKNOWN", f"{prefix!r} is not the beginning of one record's id in {game.name}.")
    return found[0]


def _last_orders(game: GameFile) -> tuple[int, int]:
    me = my_place(game)
    for seq in range(game.log.count(me.by) - 1, 0, -1):
        if parse_record(game.raw_of(me.by, seq)).kind == "orders":
            return me.by, seq
    raise HomeError("E-UNKNOWN", f"You have not ordered anything in {game.name} yet.")


def _only_record(raw: bytes | None, kind: str) -> Record:
    """The one record of this kind in a file that was sent for a ruling."""
    for block in unpacking.blocks(raw or b""):
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
    raise HomeError("E-UNKNOWN", f"There is no undecided fork between {keep!r} and {drop!r} in {game.name}.")


def _escrow(home: Home, game: GameFile) -> dict[str, Packable]:
    """What a witness withholds, from the escrow that the umpire has checked (CHA-9)."""
    if my_place(game).by != UMPIRE:
        raise HomeError("E-NOT-YOURS", "Only the umpire can open an escrow.")
    keys = [signing_keys(home, game), *former_keys(home, game)]
    for item, witness in game.match.position.barrier.due.items():
        if item[0] != "dice":
            continue
        orders = item[1]
        assert isinstance(orders, bytes)
        place = game.log.find(orders)
        mark = game.match.ledger.marks.get(orders)
        if place is None or mark is None:
            continue
        # The dice of orders are those of their witness then, though somebody else may have that place since (CHA-4).
        joins = (game.match.ledger.join(witness), game.match.genesis.join(witness))
        join = next((each for each in joins if each.chain_id(place[0]) == mark.cid), None)
        if join is None or join.escrow is None:
            continue
        top = _tops(keys, join).get(place[0])
        if top is not None:
            x = chain_value(top, join.chain_id(place[0]), place[1])
            return {"orders": orders, "witness": witness, "x": x}
    raise HomeError("E-NO-NEED", f"No dice are owed in {game.name} that an escrow could reveal.")


def _check_newcomer(home: Home, game: GameFile, record: Record) -> None:
    """An umpire lets nobody in whose dice they could not show, if they were withheld (GEN-4)."""
    if my_place(game).by != UMPIRE or game.log.genesis is None:
        return
    join = substitute_of(game.log.genesis, record.by, record)
    if join.escrow is not None:
        _tops([signing_keys(home, game), *former_keys(home, game)], join)


def _tops(keys: Sequence[Keys], join: Join) -> dict[int, bytes]:
    """The escrow is sealed to the key that the umpire had when the game began."""
    for each in keys[:-1]:
        with suppress(Refusal):
            return open_escrow(each, join)
    return open_escrow(keys[-1], join)
