"""What the program does by itself: the start, nonces, reveals, releases, results, the opening at
the end. Then the file with it goes to the outbox."""

from __future__ import annotations

from pbem.engine.obligation import ORDERS
from pbem.fairplay.begin import check_escrow
from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import Join
from pbem.protocol.record import UMPIRE, Record, parse_record
from pbem.table import archiving, founding, moves, summary
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, Me, me_of
from pbem.table.hellos import recipients, restored
from pbem.table.postbox import file_of, lacking, record_items, with_own
from pbem.table.sealing import player_of, seal, sender, speaks
from pbem.table.store import GameStore, Stored
from pbem.table.summary import declined, missing
from pbem.table.values import GameRow, Posted

_AUTOMATIC = frozenset({"start", "reveal", "release", "end", "open_all"})
_POSTED = "posted"
_KEPT = "kept"
"""The number of one's own records when the last of them was kept back to travel with orders."""
_FIRST = 2
"""The start, and the nonce that goes with it."""
BY_ITSELF = "byitself"
"""Set when the program has answered an offer, because its player had entered the tournament, or left it, before."""


def settle(context: Context, game: GameFile) -> list[Posted]:
    """Everything that this player's program owes, until nothing automatic is left; what was made is in the outbox.

    If it cannot, the reason is kept as a notice; what was made before it is sent all the same.
    """
    me = game.me
    if me is None or restored(game.store) is not None:
        return []
    if game.log.genesis is not None and not speaks(context, game):
        return []
    if game.log.genesis is None:
        _begin(context, game, me)
    before = own_count(game, me)
    if game.replay.match is not None and speaks(context, game):
        try:
            _answer(context, game, me)
            why = ""
        except Refusal as refusal:
            why = f"{refusal.code}: {refusal.sentence}"
        summary.set_stuck(game.store, why)
        if me.by != UMPIRE and game.match.result is None:
            moves.begin(context, game)
    kept = own_count(game, me) > before and _can_wait(game, me)
    if kept:
        game.store.set_private(_KEPT, pack(own_count(game, me)))
    posted = None if kept else post(context, game)
    if game.replay.match is not None and game.match.finished:
        archiving.audit(game, context.find_game)
    return [posted] if posted is not None else []


def _can_wait(game: GameFile, me: Me) -> bool:
    """What the program has made may travel with the orders for which the game now waits, and for nothing else."""
    if game.replay.match is None or game.offer.umpire is not None or len(game.offer.authors) < 2:
        return False
    owed = game.match.pending()
    mine = bool(owed) and all(each.by == me.by and each.what == ORDERS for each in owed)
    return mine and set(_unposted(game, me)) <= {"reveal", "release"}


def _begin(context: Context, game: GameFile, me: Me) -> None:
    """Whoever offered the game starts it when everybody has joined; an umpire has opened the escrows then."""
    if me.by != game.offer.starter or game.log.withdrawn is not None or missing(game) or declined(game):
        return
    keys, joins = context.people.keys(me.identity), _joins(game)
    for join in joins if me.by == UMPIRE else ():
        check_escrow(keys, join)
    add_opening(game, founding.make_start(keys, game.offer, joins, context.clock()))


def _joins(game: GameFile) -> list[Join]:
    """One join for every number; where several people want an open place, any."""
    by_number: dict[int, Join] = {}
    for join in game.log.candidates.values():
        by_number.setdefault(join.by, join)
    return [by_number[by] for by in sorted(by_number)]


def add_opening(game: GameFile, record: Record) -> None:
    """An own record before or at the start: judged, then on the disk for good, then it may leave."""
    game.replay.accept(record)
    if record.kind == "start":
        game.write((), but=record)  # the joins that it cites take their places first
    game.store.add_own(Stored(record.by, record.seq, record.raw), {})


def _answer(context: Context, game: GameFile, me: Me) -> None:
    """Each answer may make others due; the game itself bounds how many."""
    due = any(each.by == me.by and each.automatic for each in game.match.pending())
    if not due and not game.match.ledger.decks.in_use():
        return  # and the passphrase is not asked for
    player = player_of(context, game)
    while made := player.owed(game.match):
        for kind, data in made:
            _, accepted = seal(context, game, kind, data, automatic=True)
            moves.bring_back(game, accepted)


def post(context: Context, game: GameFile, *, again: bool = False, anew: bool = False) -> Posted | None:
    """Puts the file for this player's last record into the outbox, unless that was done before or nobody is there.

    `again`: also if it was; `anew`: it is to be mailed once more.
    """
    me = game.me
    if me is None:
        return None
    count = own_count(game, me)
    done = _posted(game.store)
    if count == 0 or len(game.offer.authors) < 2 or (done >= count and not again):
        return None
    to = recipients(context, game)
    kinds = _unposted(game, me)
    unasked = game.store.private(BY_ITSELF) is not None and kinds in (["join"], ["decline"])
    automatic = bool(kinds) and (set(kinds) <= _AUTOMATIC or unasked)
    name, raw = file_name(game, me, count - 1), turn_file(game, me, count - 1)
    holds = with_own(game.log, me.by, count - 1, game.log.past_at(me.by, count - 1)) if game.log.genesis else ()
    posted = context.outbox.put(name, raw, to, sender(game), automatic=automatic, anew=anew, holds=holds)
    if done < count:
        game.store.set_private(_POSTED, pack(count))
    return posted


def _unposted(game: GameFile, me: Me) -> list[str]:
    """The kinds of one's own records that have not been in the outbox."""
    raws = (game.store.record(me.by, seq) for seq in range(_posted(game.store), own_count(game, me)))
    return [parse_record(raw).kind for raw in raws if raw]


def settle_all(context: Context) -> dict[str, str]:
    """Settles the games in which something waits; which of them still wait, and why."""
    faults: dict[str, str] = {}
    for store in context.stores():
        row = summary.row_of(context, store)
        if row.fault or not waits(store, row):
            continue
        try:
            with context.writing():
                game = GameFile.load(store, context.find_game)
                settle(context, game)
                if why := summary.refresh(context, game).stuck:
                    faults[row.name] = why
        except PbemError as error:
            faults[row.name] = f"{error.code}: {error.sentence}"
    return faults


def waits(store: GameStore, row: GameRow) -> bool:
    """The program may owe something, or a file for the outbox, that a stop or a missing passphrase has held up."""
    me = me_of(store)
    if me is None or row.restored or row.stage in ("over", "out", "standin"):
        return False
    if any(each.mine and each.automatic for each in row.owed):
        return True
    return store.record(me.by, max(_posted(store), _posted(store, _KEPT))) is not None


def _posted(store: GameStore, key: str = _POSTED) -> int:
    done = unpack(store.private(key) or pack(0))
    assert isinstance(done, int)
    return done


def was_posted(game: GameFile) -> bool:
    """A file of one's own has been in the outbox."""
    return game.store.private(_POSTED) is not None


def own_count(game: GameFile, me: Me) -> int:
    """How many records of one's own there are."""
    if game.log.genesis is not None:
        return game.log.count(me.by)
    return next(seq for seq in range(3) if game.store.record(me.by, seq) is None)


def file_name(game: GameFile, me: Me, seq: int) -> str:
    """What the file for one's own record `seq` is called in the outbox."""
    raw = game.store.record(me.by, seq) if seq < _FIRST else None  # nobody signs more before the game has begun
    kind = parse_record(raw).kind if raw is not None else ""
    tag = kind if kind in ("offer", "join", "decline", "start") else str(seq)
    return f"{game.name}-{tag}"


def turn_file(game: GameFile, me: Me, seq: int) -> bytes:
    """The file for one's own record `seq`: a function of the log up to it."""
    log, store = game.log, game.store
    raws: list[tuple[bytes, bytes | None]] = []
    if log.genesis is None:
        mine = store.record(me.by, seq)
        own = parse_record(mine).id if mine is not None else b""
        everything = me.by == game.offer.starter
        raws += [(r.raw, None) for r in log.opening if everything or r.kind == "offer" or r.id == own]
        with_offer = True
    else:
        places = lacking(log, me.by, seq, [by for by in log.authors if by != me.by])
        if me.by == game.offer.starter and seq <= _FIRST and None in game.offer.players:
            # Whoever wanted an open place learns from the start who got it.
            raws += [(record.raw, None) for record in log.opening]
            places = [(by, max(first, 2 if by == me.by else 1), end) for by, first, end in places]
        raws += [
            (game.raw_of(by, n), store.loose("messages", log.id_at(by, n) or b""))
            for by, first, end in places
            for n in range(first, end)
        ]
        raws += [(raw, None) for raw in store.all_loose("rivals")]
        with_offer = any(raw == log.opening[0].raw for raw, _ in raws)
    data = replaced_items(game) if with_offer else []
    return file_of([*data, *record_items(raws)])


def replaced_items(game: GameFile) -> list[Item]:
    """The data files that came with the offer."""
    found: list[Item] = []
    for name, digest in game.offer.replaced:
        raw = game.store.loose("replaced", digest)
        if raw is not None:
            value: list[Packable] = [name, raw]
            found.append(Item(ItemType.REPLACED, pack(value)))
    return found
