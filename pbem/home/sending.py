"""From the draft to a file in the outbox. A record is judged first and durable before it leaves, and no two are signed
with one number. Also makes everything that a program owes without its player: the start, nonces, reveals, releases,
results, the opening at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple

from pbem.engine.event import Event
from pbem.engine.match import Accepted
from pbem.engine.need import Orders
from pbem.engine.obligation import ORDERS
from pbem.fairplay.begin import check_escrow, first_record, game_secrets, start_data
from pbem.fairplay.commitments import deck_slot
from pbem.home import archives, orders, resync, summary
from pbem.home.disk import HomeError
from pbem.home.gamefile import (
    GameFile,
    GameStore,
    Me,
    Stored,
    may_sign,
    me_of,
    my_place,
    own_count,
    player_of,
    signing_keys,
    speaks,
)
from pbem.home.orders import Drafted, StandingRow, keep_note, waiting_note
from pbem.home.outbox import Posted, file_name, file_of, record_items, replaced_items, turn_file, with_own
from pbem.home.resync import recipients
from pbem.home.root import Home
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
    if me is None or game.store.state.is_restored:
        return []
    if game.log.genesis is not None and not speaks(home, game):
        return []
    if game.log.genesis is None:
        _begin(home, game, me)
    before = own_count(game, me)
    if game.replay.match is not None and speaks(home, game):
        try:
            _answer(home, game, me)
            game.store.change(stuck=())
        except Refusal as refusal:
            game.store.change(stuck=(refusal.code, refusal.sentence))
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
    """The author of the offer starts the game when everybody has joined; an umpire has opened the escrows then."""
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


def pay_all(home: Home) -> dict[str, PbemError]:
    """Makes what is owed in the games in which something waits; the games that still wait, and why."""
    faults: dict[str, PbemError] = {}
    for store in home.stores():
        row = summary.row_of(home, store)
        if row.fault or not waits(store, row):
            continue
        try:
            with home.writing():
                game = GameFile.load(store, home.find_game)
                pay(home, game)
                if (why := summary.stuck(game, summary.refresh(home, game).owed)) is not None:
                    faults[row.name] = why
        except PbemError as error:
            faults[row.name] = error
    return faults


def waits(store: GameStore, row: GameRow) -> bool:
    """The program may owe something, or a file for the outbox, that a stop or a missing passphrase has held up."""
    me, state = me_of(store), store.state
    if me is None or row.restored or row.stage in ("over", "out", "standin"):
        return False
    if any(each.mine and each.automatic for each in row.owed):
        return True
    return store.record(me.by, max(state.posted, state.kept)) is not None


# What a person sends


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of sealing the draft, which the player sees before they agree."""

    drafted: Drafted
    standing: tuple[StandingRow, ...]
    """New standing orders; if they are those of the usual preset, it stands for all."""
    note: str
    """The message that travels with it."""
    left_undone: tuple[str, ...]
    after: tuple[str, ...]
    """The players who are then asked, or owe something, in sentences."""


class Sent(NamedTuple):
    """The file that was written, and what came of what was sealed: in words, and as the player may see it."""

    posted: Posted | None
    """None when a game for oneself alone went on."""
    happened: tuple[str, ...]
    events: tuple[Event, ...] = ()


def send(home: Home, name: str) -> Sent:
    """Seals the draft once and writes its file. With nothing to seal: the last file again, byte for byte. In a restored
    game: a hello."""
    with home.writing():
        game = home.load(name)
        my_place(game)
        if game.store.state.is_restored:
            return Sent(resync.ask(home, game), ())
        sealed = (
            game.replay.match is not None and orders.saved(game.store) != orders.Saved() and _seal_draft(home, game)
        )
        posted = pay(home, game)
        notes = orders.mind_left(game)
        last = posted[-1] if posted else post(home, game, again=True, anew=not sealed)
        summary.refresh(home, game)
        if last is None and not sealed:
            raise HomeError("E-NO-NEED", _why(game))
        seen = tuple(event for event in game.heard if event.seen_by(game.played))
        return Sent(last, (*game.told(game.heard), *notes), seen)


def preview(home: Home, name: str) -> Preview | None:
    """What `send` would seal; None where it seals nothing, or says why it cannot."""
    game = home.load(name)
    my_place(game)
    if game.store.state.is_restored or game.replay.match is None or orders.saved(game.store) == orders.Saved():
        return None
    move = orders.Move(home, game)
    if move.dropped or move.unanswered() not in (None, *move.bots) or not move.seals():
        return None
    return Preview(
        drafted=move.drafted(),
        standing=move.new_standing(),
        note=waiting_note(game.store),
        left_undone=tuple(move.left_undone()),
        after=tuple(move.forecast()),
    )


def _seal_draft(home: Home, game: GameFile) -> bool:
    """False when the draft is empty."""
    may_sign(game)
    move = orders.Move(home, game)
    if move.dropped:
        # The position has moved on since: what is left of the draft is not what the player decided on.
        orders.save(game.store, orders.Saved(move.draft.dump(), move.standing, move.left))
        lost = "; ".join(move.show(order) for order in move.dropped)
        raise HomeError(
            "E-DRAFT-CHANGED",
            f"The position has changed, and not all of your draft is legal any more. Taken out: {lost}. Look at the "
            f"board and at what is left, order what you want instead, and send again.",
        )
    if not move.seals():
        return False
    if move.unanswered() in move.bots:
        move.bot(None, move.bots)
    if (seat := move.unanswered()) is not None:
        raise HomeError("E-UNFINISHED", f"{seat} has to choose as well, before anything can be sealed.")
    standing, waiting = move.carried()
    data = move.player.orders_data(move.match, move.draft, game.log.count(move.me.by), standing)
    left = replace(move.left, skipped=()) if move.left is not None and move.left.orders else None
    number = (move.me.by, game.log.count(move.me.by))
    orders.save(game.store, orders.Saved(move.draft.dump(), move.standing, left, number))
    machine = game.match.machine
    ordered = any(entry.seat not in move.bots for entry in move.draft.entries)
    if ordered and isinstance(machine.need, Orders) and not machine.need.window and machine.turn_of in game.played:
        game.keep_own_turn()
    _, accepted = seal(home, game, "orders", data)
    orders.save(game.store, orders.Saved(standing=waiting, left=left))
    orders.bring_back(game, accepted)
    return True


def _why(game: GameFile) -> str:
    if len(game.offer.authors) < 2:
        return f"{game.name} is a game for you alone: there is nobody to write to."
    return f"There is nothing to send in {game.name} yet: your draft is empty."


def resend(home: Home, name: str) -> Posted:
    """The whole game in one file, for somebody who has lost much."""
    with home.writing():
        game = home.load(name)
        log, store = game.log, game.store
        if log.genesis is None:
            raws: list[tuple[bytes, bytes | None]] = [(record.raw, None) for record in log.opening]
        else:  # in the order of an archive, so that it can be verified
            raws = [
                (record.raw, store.loose("messages", record.id) if record.note is not None else None)
                for record in game.replay.records()
            ]
            raws += [(raw, None) for raw in store.all_loose("rivals")]
        raw, to = file_of([*replaced_items(game), *record_items(raws)]), recipients(home, game)
        holds = log.vector if log.genesis is not None else ()
        return home.outbox.put(game, f"{game.name}-all", raw, to, automatic=False, anew=True, holds=holds)


def let_bots(home: Home, name: str) -> list[Sent]:
    """The bots order for their seats and seal it, with what a person can answer in one way only; what came of each
    record.

    They wait until what a person has ordered is sealed: nobody takes back what a bot has answered.
    """
    sent: list[Sent] = []
    while home.load(name).bots and not summary.row(home, name).result:
        move = orders.move(home, name)
        if move.own():
            break
        orders_next = move.draft.seat in move.bots or move.forced() is not None
        if orders_next:
            orders.bot(home, name, None, move.bots)
            move = orders.move(home, name)
        if move.seals() and move.unanswered() is None:
            sent.append(send(home, name))
        elif not orders_next:
            break
    return sent
