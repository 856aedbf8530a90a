"""The umpire's side of a call (docs/spec/call.md): making it, and hearing what its players say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from pbem.engine.game import OptionValue
from pbem.protocol import begin
from pbem.protocol.call import CallAnswer, make_answer, make_call
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.card import Card
from pbem.protocol.container import Item, ItemType, read_stream
from pbem.protocol.digest import tagged
from pbem.protocol.genesis import Rules, Seat
from pbem.protocol.limits import MAX_TITLE, MAX_WHY
from pbem.protocol.record import UMPIRE
from pbem.table import naming
from pbem.table.addressed import Sender
from pbem.table.callbook import HeldCall, call_in
from pbem.table.context import Context
from pbem.table.errors import TableError
from pbem.table.owndata import check_files
from pbem.table.people import Person
from pbem.table.postbox import file_of
from pbem.table.values import Opened, Posted


@dataclass(frozen=True, slots=True)
class CallTerms:
    """What an umpire calls for. `players` by number, `seats` with the number of the player of each."""

    game: str
    players: Sequence[Card]
    seats: Mapping[str, int]
    tournament: bytes
    name: str
    round: int
    board: int
    expires: int
    scenario: str | None = None
    mode: str = "umpire"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    clock: Mapping[str, int] = field(default_factory=dict)
    title: str | None = None
    """Of the game; unset: the tournament's, with round and board."""
    replaced: Mapping[str, Plain] = field(default_factory=dict)
    identity: str | None = None


def make(context: Context, terms: CallTerms) -> tuple[bytes, Posted]:
    """The id of the call, and the file that is to be mailed. Asked for again, it is the same call."""
    with context.writing():
        me = context.people.me(terms.identity)
        wanted, files = _wanted(context, terms, me)
        place: list[Plain] = [me.identity, terms.tournament, terms.round, terms.board, [c.raw for c in terms.players]]
        digest = tagged("pbem1/home/call", pack([*place, terms.name, _plain(wanted)]))
        raw = context.calls.made(digest)
        if raw is None or _is_past(context, raw):
            call = make_call(
                context.people.keys(me.identity),
                me.card,
                terms.players,
                wanted,
                tournament=terms.tournament,
                name=terms.name,
                round=terms.round,
                board=terms.board,
                at=context.clock(),
                expires=terms.expires,
            )
            items = [Item(ItemType.REPLACED, pack([kind, packed])) for kind, packed in files]
            raw = file_of([*items, Item(ItemType.CALL, call.raw)])
            context.calls.set_made(digest, raw)
        held = kept(context, raw)
        for card in held.call.players:
            context.people.meet(card)
        return held.id, send(context, held)


def _is_past(context: Context, raw: bytes) -> bool:
    """The call that was made for these terms has expired, or was closed: another can be made."""
    call = call_in(raw)
    held = context.calls.of(call.id)
    return call.expires < context.clock() or (held is not None and held.closed)


def kept(context: Context, raw: bytes) -> HeldCall:
    """The call of this file, on the disk and with a name."""
    call = call_in(raw)
    held = context.calls.of(call.id)
    if held is None:
        held = context.calls.keep(call.id, raw, context.name_of_call(call), context.clock())
    return held


def _wanted(context: Context, terms: CallTerms, me: Person) -> tuple[begin.Terms, list[tuple[str, bytes]]]:
    game = context.find_game(terms.game)
    check_files(sorted(terms.replaced.items()))
    data = game.data_with(terms.replaced) if terms.replaced else game.data
    setup = game.setup_of(terms.scenario, terms.options, data)
    names = [seat.name for seat in game.seats]
    if sorted(names) != sorted(terms.seats):
        raise TableError("E-SEAT", f"Say who plays each of the seats: {', '.join(names)}.")
    title = terms.title
    if title is None:
        place = f", round {terms.round}, board {terms.board}"
        title = terms.name[: MAX_TITLE - len(place)].rstrip(" ") + place
    wanted = begin.Terms(
        mode=terms.mode,
        players=tuple(card.identity for card in terms.players),
        rules=Rules(setup.behaviour, bytes(32), setup.data.digest, game.name, game.rules),
        scenario=setup.scenario,
        seats=tuple(Seat(seat.name, seat.side, terms.seats[seat.name]) for seat in game.seats),
        clock={"bank": 0, "days_off": 0, "move": 0, **terms.clock},
        decks=tuple(sorted(game.decks)),
        options=setup.options,
        replaced=tuple((kind, data.file_digest(kind)) for kind in sorted(terms.replaced)),
        title=title,
        umpire=me.card,
    )
    return wanted, [(kind, pack(terms.replaced[kind])) for kind in sorted(terms.replaced)]


def _plain(wanted: begin.Terms) -> list[Plain]:
    """What tells one call's terms from another's."""
    rules = wanted.rules
    return [
        wanted.mode,
        [rules.behaviour, rules.data, rules.module],
        wanted.scenario,
        [[seat.name, seat.side, seat.player] for seat in wanted.seats],
        dict(wanted.clock),
        dict(wanted.options),
        [[kind, digest] for kind, digest in wanted.replaced],
        wanted.title,
    ]


def send(context: Context, held: HeldCall) -> Posted:
    call = held.call
    to = tuple(naming.full_name(card) for card in call.players)
    sender = Sender(held.name, call.id, call.umpire.identity)
    posted = context.outbox.put(f"{held.name}-call", held.raw, to, sender, automatic=False)
    held.set_sent(UMPIRE)
    return posted


def close(context: Context, name: str, why: str = "") -> Posted | None:
    """The umpire's program joins no more offer that answers the call, and its players are told so (CAL-8)."""
    with context.writing():
        held = context.calls.named(name)
        own = {person.identity for person in context.people.identities()}
        if held is None or held.call.umpire.identity not in own:
            raise TableError("E-NOT-YOURS", f"{name} is not a call of yours.")
        if held.taken_back is None and held.was_sent(UMPIRE):
            keys = context.people.keys(held.call.umpire.identity)
            at = max(context.clock(), held.call.at)
            held.hear(make_answer(keys, held.call, UMPIRE, yes=False, why=why.strip()[:MAX_WHY], at=at))
        held.close()
        return tell_closed(context, held)


def tell_closed(context: Context, held: HeldCall) -> Posted | None:
    """That the umpire has taken a call back goes to its players, with the call: it may come before that did."""
    answer, call = held.taken_back, held.call
    if answer is None:
        return None
    file = file_of([*read_stream(BytesIO(held.raw)), Item(ItemType.CALL_ANSWER, answer.raw)])
    to = tuple(naming.full_name(card) for card in call.players)
    sender = Sender(held.name, call.id, call.umpire.identity)
    posted = context.outbox.put(f"{held.name}-closed", file, to, sender, automatic=False)
    held.set_told()
    return posted


def hear(context: Context, answer: CallAnswer) -> Opened:
    """A player's answer, which `check` has passed."""
    held = context.calls.of(answer.call)
    assert held is not None
    assert answer.by != UMPIRE
    card = held.call.players[answer.by]
    fresh = held.hear(answer)
    said = "accepts" if answer.yes else "declines"
    why = f": {answer.why}" if answer.why else ""
    return Opened("answer", held.name, f"{card.name} {said} {naming.call(held.call)}{why}.", new=int(fresh))
