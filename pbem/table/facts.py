"""A running game as its umpire needs it: who was asked when and answered when, what is owed, what was ruled, how it
ended. From the records and the times at which they came here; nothing that only one player may know."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import msgpack

from pbem.engine.obligation import ANSWER, ORDERS
from pbem.protocol.errors import PbemError
from pbem.protocol.record import UMPIRE, Record
from pbem.table import archiving, forks, summary
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.store import GameStore

SLOW = 3_600
"""Seconds from which on an answer that a program gives by itself is told of."""
_CACHED = "facts"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Answered:
    """What a player was asked, and when, and when his answer came. `what` as in `Obligation`; of what his program
    answers by itself only what took long."""

    by: int
    what: str
    asked_at: int
    answered_at: int
    signed_at: int
    record: bytes


@dataclass(frozen=True, slots=True)
class Due:
    """Something that is owed now."""

    by: int
    what: str
    since: int
    automatic: bool


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that counts."""

    what: str
    player: int | None
    seconds: int
    at: int
    why: str
    record: bytes


@dataclass(frozen=True, slots=True)
class Facts:
    name: str
    key: bytes
    """The id of the offer."""
    stage: str
    began_at: int
    """When the start came here; 0 before."""
    players: tuple[bytes, ...]
    """Who holds each number now."""
    sides: tuple[str, ...]
    """What each number plays."""
    answered: tuple[Answered, ...]
    due: tuple[Due, ...]
    ruled: tuple[Ruled, ...]
    over: bool
    winner: str | None
    """A side; None with `over`: a draw."""
    how: str
    ended_by: str
    """What ended it: the kind of a record (orders, reveal, resign, answer), or forfeit, adjudge for such a ruling."""
    audited: str | None
    """None: not yet; empty: all of it checks; else what was found."""
    forked: tuple[int, ...]
    """Whose forks were seen."""
    notice: str
    fault: str = ""
    """Why the game cannot be read."""


def facts(context: Context, key: bytes) -> Facts | None:
    """Of the game of this offer; None when it is not here. Kept beside the game until a record comes."""
    store = context.store(key)
    if not store.name:
        return None
    stamp = store.stamp() + b"/" + (store.private("audit") or b"-")
    kept = _kept(store, stamp)
    if kept is None:
        kept = _made(context, store)
        if not kept.fault:
            store.set_cached(_CACHED, msgpack.packb([_VERSION, stamp, asdict(kept)]))
    return kept


def _kept(store: GameStore, stamp: bytes) -> Facts | None:
    raw = store.cached(_CACHED)
    if raw is None:
        return None
    try:
        version, held, fields = msgpack.unpackb(raw, strict_map_key=True)
        if (version, held) != (_VERSION, stamp):
            return None
        for key in ("players", "sides", "forked"):
            fields[key] = tuple(fields[key])
        fields["answered"] = tuple(Answered(**each) for each in fields["answered"])
        fields["due"] = tuple(Due(**each) for each in fields["due"])
        fields["ruled"] = tuple(Ruled(**each) for each in fields["ruled"])
        return Facts(**fields)
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException):
        return None


def _made(context: Context, store: GameStore) -> Facts:
    try:
        return _told(context, GameFile.load(store, context.find_game))
    except PbemError as error:
        return Facts(
            store.name, bytes.fromhex(store.folder.name), "", 0, (), (), (), (), (), over=False, winner=None, how="",
            ended_by="", audited=None, forked=(), notice="", fault=f"{error.code}: {error.sentence}",
        )  # fmt: skip


def _told(context: Context, game: GameFile) -> Facts:
    offer, log, store = game.offer, game.log, game.store
    started = log.genesis is not None
    answered: list[Answered] = []
    ruled: list[Ruled] = []
    asks: dict[tuple[int, str], int] = {}
    began, late, ending = 0, 0, ""
    for record, accepted, match in game.replay.retold():
        if match is None:
            continue
        # The log's order is not that of arrival: nothing was asked before all that the question follows from was here.
        came = late = max(late, store.arrived(record.by, record.seq))
        began = began or came
        pending = {(each.by, each.what) for each in match.pending() if each.what != ANSWER and each.by != UMPIRE}
        if not accepted.moot:
            here = store.arrived(record.by, record.seq) or came
            for key in [key for key in asks if key[0] == record.by and (key not in pending or key[1] == record.kind)]:
                asked = asks.pop(key)
                if key[1] == ORDERS or here - asked >= SLOW:
                    answered.append(Answered(record.by, key[1], asked, max(here, asked), record.at, record.id))
            if record.kind == "ruling":
                ruled.append(_ruling(record, came))
        asks = {key: asks.get(key, came) for key in pending}
        if match.result is None:
            ending = ""
        elif not ending:
            ending = str(record.data["what"]) if record.kind == "ruling" else record.kind
    row = summary.row_of(context, store)
    due = tuple(
        Due(each.by, each.what, asks.get((each.by, each.what), each.since), each.automatic)
        for each in row.owed
        if each.by >= 0
    )
    result = game.match.result if started and game.replay.match is not None else None
    cards = [game.card_of(n) for n in offer.numbers]
    return Facts(
        name=game.name,
        key=offer.id,
        stage=row.stage,
        began_at=began,
        players=tuple(card.identity if card is not None else offer.players[n] or b"" for n, card in enumerate(cards)),
        sides=tuple(next(iter(sorted(offer.sides_of(n))), "") for n in offer.numbers),
        answered=tuple(answered),
        due=due,
        ruled=tuple(ruled),
        over=result is not None,
        winner=_side(game, result.winner) if result is not None else None,
        how=result.how if result is not None else "",
        ended_by=ending if result is not None else "",
        audited=archiving.audited(store),
        forked=tuple(sorted({fork.by for fork in log.forks})) if started else (),
        notice=forks.notice(game),
    )


def _ruling(record: Record, came: int) -> Ruled:
    data = record.data
    player, seconds = data.get("player"), data.get("seconds")
    return Ruled(
        what=str(data["what"]),
        player=player if isinstance(player, int) and player != UMPIRE else None,
        seconds=seconds if isinstance(seconds, int) else 0,
        at=came,
        why=str(data.get("why", "")),
        record=record.id,
    )


def _side(game: GameFile, winner: str | None) -> str | None:
    """The winner's side, if the game names a seat."""
    for seat in game.offer.seats:
        if winner == seat.name:
            return seat.side
    return winner
