"""What a person is invited to: offers, and calls whose offer has yet to be made. They have one kind of name."""

from __future__ import annotations

from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Offer
from pbem.protocol.record import UMPIRE
from pbem.table import calling, calls, naming, offers, summary
from pbem.table.callbook import HeldCall
from pbem.table.context import Context
from pbem.table.errors import TableError
from pbem.table.gamefile import GameFile
from pbem.table.values import CallRow, CallSaid, CallStage, Posted


def find(context: Context, query: str) -> str:
    """As for games; a call goes by its name while its game is not here."""
    wanted = query.strip().casefold()
    named = [held.name for held in context.calls.all()]
    if wanted in named:
        return wanted
    games = [name for name, _ in context.games().values()]
    near = {
        name
        for name in (*games, *named)
        if wanted and (name.startswith(wanted) or name.rpartition("-")[2].startswith(wanted))
    }
    if wanted not in games and len(near) == 1:
        return near.pop()
    if len(near) > 1 and wanted not in games:
        which = ", ".join(sorted(near)[:8])
        raise TableError("E-AMBIGUOUS", f"{query!r} may be {which}. Give more of the name.")
    return context.find(query).name


def key(context: Context, name: str) -> bytes:
    offer_id = next((key for key, (held, _) in context.games().items() if held == name), None)
    if offer_id is not None:
        return offer_id
    call = context.calls.named(name)
    return call.id if call is not None else bytes.fromhex(context.find(name).folder.name)


def join(context: Context, name: str, identity: str | None = None, *, once: bool = False) -> Posted | None:
    with context.writing():
        held = _unanswered(context, name)
        if held is not None:
            return calls.accept(context, held, identity, once=once)
    return offers.join(context, name, identity)


def decline(
    context: Context, name: str, why: str = "", identity: str | None = None, *, tournament: bool = False
) -> Posted | None:
    with context.writing():
        held = _call_of(context, name)
        if held is not None and held.call.umpire.identity not in calls.own_identities(context):
            return calls.decline(context, held, why, identity, tournament=tournament)
        if held is not None and not tournament and calls.bound(context, held) is None:
            return calling.close(context, held.name, why)
    if tournament:
        raise TableError("E-NO-NEED", f"{name} belongs to no tournament.")
    return offers.decline(context, name, why, identity)


def awaits(context: Context, offer: Offer) -> bool:
    held = context.calls.asked_for(offer)
    if held is None or held.offer not in (None, offer.id):
        return False
    own = held.call.umpire.identity in calls.own_identities(context)
    return own or any(said.yes for said in held.said.values())


def is_plain_offer(context: Context, name: str) -> bool:
    return _call_of(context, name) is None and summary.row_of(context, context.find(name)).stage == "offered"


def _call_of(context: Context, name: str) -> HeldCall | None:
    """The call of this name, or the one that the offer of this game answers."""
    held = context.calls.named(name)
    if held is not None:
        return held
    try:
        store = context.find(name)
    except TableError:
        return None
    return context.calls.asked_for(GameFile.load(store, context.find_game).offer)


def _unanswered(context: Context, name: str) -> HeldCall | None:
    """The call that a person accepts by this name: nobody has said yes to it, or all that is here is the call."""
    held = _call_of(context, name)
    if held is None or held.call.umpire.identity in calls.own_identities(context):
        return None
    if held.taken_back is not None:
        return held
    if any(said.yes for said in held.said.values()) and held.offer is not None:
        return None
    return held


# How calls stand


def rows(context: Context, *, waiting: bool = False) -> list[CallRow]:
    """`waiting`: only those to which nobody of this home has said anything."""
    return [_row(context, held) for held in context.calls.all() if held.waits or not waiting]


def row(context: Context, call_id: bytes) -> CallRow | None:
    held = context.calls.of(call_id)
    return None if held is None else _row(context, held)


def row_of(context: Context, name: str) -> CallRow | None:
    held = _call_of(context, name)
    if held is None or held.call.umpire.identity in calls.own_identities(context):
        return None
    return _row(context, held)


def _row(context: Context, held: HeldCall) -> CallRow:
    call, own = held.call, calls.own_identities(context)
    mine = tuple(by for by, card in enumerate(call.players) if card.identity in own)
    umpire = call.umpire.identity in own
    heard = [held.heard(by) for by in range(len(call.players))] if umpire else []
    bound = calls.bound(context, held)
    try:
        title = context.find_game(call.terms.rules.module).title
    except PbemError:
        title = call.terms.rules.module
    return CallRow(
        name=held.name,
        id=held.id,
        stage=_stage(context, held, umpire=umpire),
        tournament=call.tournament,
        title=call.name,
        round=call.round,
        board=call.board,
        game=title,
        scenario=call.terms.scenario,
        umpire=call.umpire.name,
        players=tuple(card.name for card in call.players),
        seats=tuple((seat.name, seat.player) for seat in call.terms.seats),
        mine=(*mine, UMPIRE) if umpire else mine,
        at=call.at,
        arrived=held.arrived,
        expires=call.expires,
        answers=tuple(
            CallSaid(each.by, naming.of_call(call, each.by).name, each.yes, each.why, each.at)
            for each in (*heard, held.taken_back)
            if each is not None
        ),
        offer=held.offer if bound is not None else None,
        played_as=bound.name if bound is not None else None,
        owed=calls.owed(context, held),
    )


def _stage(context: Context, held: HeldCall, *, umpire: bool) -> CallStage:
    said = held.said.values()
    if held.closed if umpire else held.taken_back is not None:
        return "closed"
    if said and not any(each.yes for each in said):
        return "declined"
    if calls.bound(context, held) is not None:
        return "offered"
    if said:
        return "accepted"
    if held.call.expires < context.clock():
        return "expired"
    return "sent" if umpire else "called"
