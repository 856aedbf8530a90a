"""Signs records: judges each first, makes it durable before it leaves, and never signs two with one number. Also makes
everything that a program owes without its player: the start, nonces, reveals, releases, results, the opening at the
end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pbem.engine.match import Accepted
from pbem.engine.obligation import ORDERS
from pbem.fairplay.begin import check_escrow, first_record, game_secrets, start_data
from pbem.fairplay.hidden import deck_slot
from pbem.home import archives, orders, summary
from pbem.home.gamefile import GameFile, Me, may_sign, me_of, my_place, own_count, player_of, signing_keys, speaks
from pbem.home.orders import keep_note, waiting_note
from pbem.home.outbox import Posted, file_name, turn_file, with_own
from pbem.home.resync import recipients, restored
from pbem.home.root import Home
from pbem.home.store import GameStore, Stored
from pbem.home.summary import GameRow, declined, missing
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import Join, Offer
from pbem.protocol.keys import Keys
from pbem.protocol.log import Log
from pbem.protocol.record import UMPIRE, Message, Record, make_record, note_hash, parse_record

_SALT = 16


def seal(
    home: Home, game: GameFile, kind: str, data: Mapping[str, Any], *, automatic: bool = False
) -> tuple[Record, Accepted]:
    """Sign the next record of this player in a running game. When this returns, it is on the disk for good.

    The message that waits goes with a record that a person makes.
    """
    may_sign(game)
    me = my_place(game)
    log = game.log
    note = "" if automatic else waiting_note(game.store)
    salt = home.random(_SALT) if note else b""
    record = make_record(
        signing_keys(home, game),
        at=home.clock(),
        by=me.by,
        data=dict(data),
        game=game.game_id,
        heads=log.heads(me.by),
        kind=kind,
        pin=game.match.position.pin,
        prev=log.last(me.by),
        seq=log.count(me.by),
        note=note_hash(salt, note) if note else None,
    )
    accepted = game.replay.accept(record)
    game.heard += accepted.events
    if note:
        keep_note(game.store, note, (record.by, record.seq))
        game.store.add_loose("messages", record.id, Message(record.id, salt, note).pack())
    game.store.add_own(Stored(record.by, record.seq, record.raw), shown(log, record))
    game.replay.stored()
    if note:
        keep_note(game.store, "")
    return record, accepted


def shown(log: Log, record: Record) -> dict[str, str]:
    """What a record reveals, for the journal: the value of a chain for one orders record, the lock of a slot."""
    found: dict[str, str] = {}
    for item in record.data.get("items", []):
        if item[0] == "dice":
            place = log.find(item[1])
            if place is None:
                raise Refusal("E-PROMISE", "This reveal names orders that are not in the game.", step="CHA-4")
            found[f"dice:{place[0]}:{place[1]}"] = item[1].hex()
        elif item[0] == "slot":
            found[f"slot:{item[1]}"] = sha256(item[2]).hexdigest()
    for slot, opening in record.data.get("open", []) if record.kind == "orders" else []:
        if deck_slot(slot) is not None:
            found[f"slot:{slot}"] = sha256(opening).hexdigest()
    return found


_AUTOMATIC = frozenset({"start", "reveal", "release", "end", "open_all"})


def pay(home: Home, game: GameFile) -> list[Posted]:
    """Everything that this player's program owes, until nothing automatic is left; what was made is in the outbox.

    If it cannot, the reason is kept as a notice; what was made before it is sent all the same.
    """
    me = game.me
    if me is None or restored(game.store) is not None:
        return []
    if game.log.genesis is not None and not speaks(home, game):
        return []
    if game.log.genesis is None:
        _begin(home, game, me)
    before = own_count(game, me)
    if game.replay.match is not None and speaks(home, game):
        try:
            _answer(home, game, me)
            why = ""
        except Refusal as refusal:
            why = f"{refusal.code}: {refusal.sentence}"
        summary.set_stuck(game.store, why)
        if me.by != UMPIRE and game.match.result is None:
            orders.begin_standing(home, game)
    kept = own_count(game, me) > before and _can_wait(game, me)
    if kept:
        game.store.change(kept=own_count(game, me))
    posted = None if kept else post(home, game)
    if game.replay.match is not None and game.match.finished:
        archives.audit(game, home.find_game)
    return [posted] if posted is not None else []


def _can_wait(game: GameFile, me: Me) -> bool:
    """What the program has made may travel with the orders for which the game now waits, and for nothing else."""
    if game.replay.match is None or game.offer.umpire is not None or len(game.offer.authors) < 2:
        return False
    owed = game.match.pending()
    mine = bool(owed) and all(each.by == me.by and each.what == ORDERS for each in owed)
    return mine and set(_unposted(game, me)) <= {"reveal", "release"}


def _begin(home: Home, game: GameFile, me: Me) -> None:
    """Whoever offered the game starts it when everybody has joined; an umpire has opened the escrows then."""
    if me.by != game.offer.starter or game.log.withdrawn is not None or missing(game) or declined(game):
        return
    keys, joins = home.people.keys(me.identity), _joins(game)
    for join in joins if me.by == UMPIRE else ():
        check_escrow(keys, join)
    add_opening(game, make_start(keys, game.offer, joins, home.clock()))


def make_start(keys: Keys, offer: Offer, joins: Sequence[Join], at: int) -> Record:
    """GEN-4. `joins` of all who had to join, by number; of an umpire's game after `check_escrow` of each."""
    nonce = game_secrets(keys.seed, offer.mode, offer.join).nonce if offer.umpire is not None else None
    return first_record(keys, by=offer.starter, kind="start", data=start_data(nonce), offer=offer, joins=joins, at=at)


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


def _answer(home: Home, game: GameFile, me: Me) -> None:
    """Each answer may make others due; the game itself bounds how many."""
    due = any(each.by == me.by and each.automatic for each in game.match.pending())
    if not due and not game.match.ledger.decks.in_use():
        return  # and the passphrase is not asked for
    player = player_of(home, game)
    while made := player.owed(game.match):
        for kind, data in made:
            _, accepted = seal(home, game, kind, data, automatic=True)
            orders.bring_back(game, accepted)


def post(home: Home, game: GameFile, *, again: bool = False, anew: bool = False) -> Posted | None:
    """Puts the file for this player's last record into the outbox, unless that was done before or nobody is there.

    `again`: also if it was; `anew`: it is to be mailed once more.
    """
    me = game.me
    if me is None:
        return None
    count = own_count(game, me)
    done = game.store.state.posted
    if count == 0 or len(game.offer.authors) < 2 or (done >= count and not again):
        return None
    to = recipients(home, game)
    kinds = _unposted(game, me)
    unasked = game.store.state.automatic and kinds in (["join"], ["decline"])
    automatic = bool(kinds) and (set(kinds) <= _AUTOMATIC or unasked)
    name, raw = file_name(game, me, count - 1), turn_file(game, me, count - 1)
    holds = with_own(game.log, me.by, count - 1, game.log.past_at(me.by, count - 1)) if game.log.genesis else ()
    posted = home.outbox.put(game, name, raw, to, automatic=automatic, anew=anew, holds=holds)
    if done < count:
        game.store.change(posted=count)
    return posted


def _unposted(game: GameFile, me: Me) -> list[str]:
    """The kinds of one's own records that have not been in the outbox."""
    raws = (game.store.record(me.by, seq) for seq in range(game.store.state.posted, own_count(game, me)))
    return [parse_record(raw).kind for raw in raws if raw]


def pay_all(home: Home) -> dict[str, str]:
    """Settles the games in which something waits; which of them still wait, and why."""
    faults: dict[str, str] = {}
    for store in home.stores():
        row = summary.row_of(home, store)
        if row.fault or not waits(store, row):
            continue
        try:
            with home.writing():
                game = GameFile.load(store, home.find_game)
                pay(home, game)
                if why := summary.refresh(home, game).stuck:
                    faults[row.name] = why
        except PbemError as error:
            faults[row.name] = f"{error.code}: {error.sentence}"
    return faults


def waits(store: GameStore, row: GameRow) -> bool:
    """The program may owe something, or a file for the outbox, that a stop or a missing passphrase has held up."""
    me, state = me_of(store), store.state
    if me is None or row.restored or row.stage in ("over", "out", "standin"):
        return False
    if any(each.mine and each.automatic for each in row.owed):
        return True
    return store.record(me.by, max(state.posted, state.kept)) is not None


def was_posted(game: GameFile) -> bool:
    """A file of one's own has been in the outbox."""
    return game.store.state.posted > 0
