"""The players' side of a call (docs/spec/call.md): accepted once for a whole tournament, and what follows from that by
itself: player 0's program makes the offer, the others' join it; the umpire's joins when all have."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.obligation import JOIN
from pbem.protocol.call import Call, make_answer, matches, parse_answer
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import offer_of
from pbem.protocol.limits import MAX_ITEM
from pbem.protocol.record import UMPIRE, parse_record
from pbem.table import calling, founding, naming, offers, summary
from pbem.table.addressed import Sender
from pbem.table.callbook import HeldCall, Said
from pbem.table.context import Context
from pbem.table.errors import TableError
from pbem.table.gamefile import GameFile, Me
from pbem.table.hellos import restored
from pbem.table.postbox import file_of
from pbem.table.settle import BY_ITSELF, CONSENT, post, settle
from pbem.table.store import GameStore
from pbem.table.values import Owed, Posted

Data = list[tuple[str, bytes]]


def arrived(context: Context, game: GameFile) -> list[str]:
    """An offer that answers a call is here: whoever of this home has said yes to that joins it. What else is to be
    told."""
    offer = game.offer
    held = context.calls.of(offer.call) if game.log.genesis is None else None
    if held is None or restored(game.store) is not None:
        return []
    me = game.me
    if me is not None and (me.by in (0, UMPIRE) or game.store.record(me.by, 0) is not None):
        return []
    differs = matches(held.call, offer)
    if differs is not None:
        return [f"{differs.sentence} Nothing is answered by itself."]
    if held.taken_back is not None and held.call.umpire.identity not in own_identities(context):
        game.store.set_private("cancelled", b"yes")
        return [f"{held.call.umpire.name} has taken back the call that it answers. The game does not begin."]
    own = own_identities(context)
    if held.call.umpire.identity in own:
        if not held.closed:
            if held.offer is None:
                held.bind(offer.id)
            game.store.set_private(CONSENT, b"yes")
            game.set_me(Me(held.call.umpire.identity, UMPIRE))
        return []
    for by, card in enumerate(held.call.players):
        said = held.said.get(by)
        if by and card.identity in own and said is not None and said.yes:
            game.store.set_private(BY_ITSELF, b"yes")
            try:
                offers.put_in(context, game, context.people.me(card.identity.hex()), by)
            except TableError as error:
                if error.code != "E-ANSWERED":
                    raise
                return [f"{error.sentence} This offer is not accepted by itself."]
            break
    return []


def owed(context: Context, held: HeldCall) -> tuple[Owed, ...]:
    """The person's answer, while nobody has given it."""
    if not waits(context, held):
        return ()
    own = own_identities(context)
    name = next((card.name for card in held.call.players if card.identity in own), "You")
    return (Owed(-1, name, JOIN, "may accept or decline", held.arrived, automatic=False, mine=True),)


def waits(context: Context, held: HeldCall) -> bool:
    return (
        held.waits and held.call.expires >= context.clock() and held.call.umpire.identity not in own_identities(context)
    )


# What is said


def accept(context: Context, held: HeldCall, identity: str | None = None, *, once: bool = False) -> Posted | None:
    """Accepts the call, and, unless `once`, all later ones of its tournament. What is to be mailed first."""
    by = number(context, held, identity)
    posted = _accept(context, held, by, once=once, asked=True)
    return posted[0] if posted else None


def _accept(context: Context, held: HeldCall, by: int, *, once: bool, asked: bool) -> list[Posted]:
    call = held.call
    if held.taken_back is not None:
        raise TableError("E-CALL-CLOSED", f"{call.umpire.name} has taken this call back: {naming.call(call)}.")
    said = held.said.get(by)
    if any(other != by and each.yes for other, each in held.said.items()):
        raise TableError("E-ANSWERED", f"Somebody else of this home plays {held.name}: one home plays one place.")
    if said is None or not said.yes:
        if call.expires < context.clock():
            raise expired(call)
        _can_play(context, held)
        keys = context.people.keys(call.players[by].identity)
        before = parse_answer(said.answer).at + 1 if said is not None else 0
        at = max(context.clock(), call.at, before)
        answer = make_answer(keys, call, by, yes=True, why="", at=at).raw if by else b""
        for card in (call.umpire, *call.players):
            context.people.meet(card)
        if not once:
            taken = context.consents.of(call).get(call.players[by].identity, 0)
            context.consents.set(call, call.players[by].identity, 1 if asked else taken + 1)
        held.say(by, Said(yes=True, answer=answer, by_itself=not asked))
    return _follow(context, held, by, asked=asked)


def decline(
    context: Context, held: HeldCall, why: str = "", identity: str | None = None, *, tournament: bool = False
) -> Posted | None:
    """Declines the call. `tournament`: from now on every call of this tournament waits for the person again."""
    call, by = held.call, number(context, held, identity)
    card = call.players[by]
    if tournament:
        context.consents.set(call, card.identity, None)
    store = bound(context, held)
    if store is not None:
        game = GameFile.load(store, context.find_game)
        if game.log.genesis is not None or by:
            if tournament:
                return None
            raise TableError(
                "E-ANSWERED", f"You have accepted {held.name}. To give the game up: pbem resign {store.name}"
            )
        store.set_private("cancelled", b"yes")
        summary.refresh(context, game)
    said = held.said.get(by)
    if said is None or said.yes:
        keys = context.people.keys(card.identity)
        before = parse_answer(said.answer).at + 1 if said is not None and said.answer else 0
        at = max(context.clock(), call.at, before)
        held.say(by, Said(yes=False, answer=make_answer(keys, call, by, yes=False, why=why, at=at).raw))
    elif why not in ("", parse_answer(said.answer).why):
        raise TableError("E-ANSWERED", f"You have declined {held.name} before; what is signed is not changed.")
    return _answer(context, held, by)


def number(context: Context, held: HeldCall, identity: str | None) -> int:
    """Who of this home is called: the identity named, or the first."""
    own = [context.people.me(identity)] if identity is not None else context.people.identities()
    numbers = [by for by in (held.call.number_of(person.identity) for person in own) if by is not None]
    if not numbers:
        raise TableError("E-NOT-YOURS", f"The call {held.name} is not for you.")
    return numbers[0]


def _can_play(context: Context, held: HeldCall) -> founding.Wanted:
    """What the call asks for, as the installed game makes it."""
    call = held.call
    terms = call.terms
    game = context.find_game(terms.rules.module)
    files = held.files
    if terms.replaced:
        data = game.data_with({kind: unpack(files[digest], MAX_ITEM) for kind, digest in terms.replaced})
    else:
        data = game.data_of(terms.rules.data) or game.data
    setup = game.setup_of(terms.scenario, terms.options, data)
    if (setup.behaviour, setup.data.digest) != (terms.rules.behaviour, terms.rules.data):
        raise TableError(
            "E-PINS",
            f"{call.umpire.name} calls for other rules of {game.title} than those installed here "
            f"(behaviour {terms.rules.behaviour}; here {setup.behaviour}). Install the version that the umpire uses.",
        )
    seats = tuple((seat.name, seat.side) for seat in game.seats)
    asked = tuple((seat.name, seat.side) for seat in terms.seats)
    same = asked == seats and pack(setup.options) == pack(terms.options) and terms.decks == tuple(sorted(game.decks))
    if not same:
        raise TableError(
            "E-PINS", f"{call.umpire.name} calls for other seats, options or decks than {game.title} has here."
        )
    return founding.Wanted(
        game=game,
        setup=setup,
        players=terms.players,
        seats=tuple((seat.name, seat.player) for seat in terms.seats),
        mode=terms.mode,
        umpire=call.umpire,
        clock=terms.clock,
        replaced=terms.replaced,
        title=terms.title,
        call=call.id,
    )


# What follows


def go_on(context: Context, held: HeldCall) -> list[Posted]:
    """What can be done without the person: a yes that was given beforehand, and what follows from what was said."""
    posted: list[Posted] = []
    if held.taken_back is not None:
        return posted
    if held.waits and held.call.expires >= context.clock():
        own = own_identities(context)
        for by, card in enumerate(held.call.players):
            if card.identity in own and context.consents.holds(held.call, card.identity):
                return _accept(context, held, by, once=False, asked=False)
        return posted
    for by, said in held.said.items():
        if not held.was_sent(by):
            posted += _follow(context, held, by, asked=False) if said.yes else [_answer(context, held, by)]
    return posted


def _follow(context: Context, held: HeldCall, by: int, *, asked: bool) -> list[Posted]:
    """All that a yes brings about and that is not done yet: done again, it finds everything in its place."""
    if by == 0:
        posted = _offer(context, held, asked=asked)
    else:
        posted = [each for store in offers_for(context, {held.id}) for each in _join(context, store)]
        if not has_joined(context, held):
            posted.append(_answer(context, held, by))
    held.set_sent(by)
    return posted


def _offer(context: Context, held: HeldCall, *, asked: bool) -> list[Posted]:
    store = bound(context, held)
    if store is not None:
        posted = post(context, GameFile.load(store, context.find_game))
        return [posted] if posted is not None else []
    if held.call.expires < context.clock():
        raise expired(held.call)
    wanted = _can_play(context, held)
    person = context.people.me(held.call.players[0].identity.hex())
    keys = context.people.keys(person.identity)
    record = founding.make_offer(keys, person.card, wanted, context.random(32), context.clock())
    offer = offer_of(record)
    differs = matches(held.call, offer)
    if differs is not None:
        raise differs
    held.bind(offer.id)
    file = GameFile(context.store(offer.id), context.find_game)
    file.replaced = held.files
    _, posted = offers.keep(context, file, Me(person.identity, 0), record, by_itself=not asked)
    return [posted] if posted is not None else []


def _answer(context: Context, held: HeldCall, by: int) -> Posted:
    """The signed answer, to the umpire."""
    call, said = held.call, held.said[by]
    sender = Sender(held.name, call.id, call.players[by].identity)
    name = f"{held.name}-{'yes' if said.yes else 'no'}"
    file = file_of([Item(ItemType.CALL_ANSWER, said.answer)])
    posted = context.outbox.put(name, file, (naming.full_name(call.umpire),), sender, automatic=said.by_itself)
    held.set_sent(by)
    return posted


def _join(context: Context, store: GameStore) -> list[Posted]:
    game = GameFile.load(store, context.find_game)
    arrived(context, game)
    posted = settle(context, game)
    summary.refresh(context, game)
    return posted


def settle_all(context: Context) -> dict[str, str]:
    """Does what a stop, or a missing passphrase, has held up. Calls for which it still cannot be done, and why."""
    faults: dict[str, str] = {}
    wanting: set[bytes] = set()
    found = context.calls.all()
    if not found:
        return faults
    with context.writing():
        own = own_identities(context)
        for held in found:
            try:
                if held.call.umpire.identity in own:
                    if held.waits:
                        calling.send(context, held)
                    if held.closed and not held.told:
                        calling.tell_closed(context, held)
                else:
                    go_on(context, held)
                if held.taken_back is not None:
                    continue
                if any(by and said.yes for by, said in held.said.items()) and not has_joined(context, held):
                    wanting.add(held.id)
            except PbemError as error:
                faults[held.name] = f"{error.code}: {error.sentence}"
        for store in offers_for(context, wanting) if wanting else ():
            try:
                _join(context, store)
            except PbemError as error:
                faults[store.name] = f"{error.code}: {error.sentence}"
    return faults


def has_joined(context: Context, held: HeldCall) -> bool:
    store = bound(context, held)
    return store is not None and (store.game_id is not None or any(by for by, _ in store.numbers()))


def offers_for(context: Context, calls: set[bytes]) -> Iterable[GameStore]:
    """Games here that have not started and that answer one of these calls."""
    for store in context.stores():
        raw = store.record(0, 0) if store.game_id is None else None
        if raw is not None and parse_record(raw).data.get("call") in calls:
            yield store


def bound(context: Context, held: HeldCall) -> GameStore | None:
    """The game of this call, if it is here."""
    offer = held.offer
    store = context.store(offer) if offer is not None else None
    return store if store is not None and store.name else None


def own_identities(context: Context) -> set[bytes]:
    return {person.identity for person in context.people.identities()}


def expired(call: Call) -> Refusal:
    return Refusal(
        "E-EXPIRED", f"This call has expired: {naming.call(call)}. Ask the umpire for another.", step="CAL-6"
    )
