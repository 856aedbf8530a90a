"""Calls and answers that come: refused, kept, or taken back by their umpire (docs/spec/call.md)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.protocol.call import Call, CallAnswer, check_answer
from pbem.protocol.canonical import pack
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.record import UMPIRE
from pbem.table import calling, calls, naming, summary
from pbem.table.callbook import MAX_WAITING, HeldCall, Said
from pbem.table.context import Context
from pbem.table.errors import TableError
from pbem.table.gamefile import GameFile
from pbem.table.postbox import file_of
from pbem.table.values import Opened, Posted

Data = list[tuple[str, bytes]]


def check(context: Context, called: Sequence[Call], answers: Sequence[CallAnswer], data: Data) -> None:
    """Refuses what has no place here (CAL-6), before anything of the file is written."""
    own = calls.own_identities(context)
    fresh = [call for call in called if context.calls.of(call.id) is None]
    for call in fresh:
        if not any(card.identity in own for card in call.players):
            who = "names nobody of this home"
            if call.umpire.identity in own:
                who = "was made with your key, and not in this home"
            raise Refusal("E-NOT-YOURS", f"This call of {call.umpire.name} {who}. Nothing was kept.", step="CAL-6")
        if call.expires < context.clock():
            raise calls.expired(call)
        naming.replaced_files(data, call.terms.sketch(call.players[0]))
    _check_room(context, fresh)
    came = {call.id: call for call in called}
    for answer in answers:
        held = context.calls.of(answer.call)
        if answer.by == UMPIRE and (held is not None or answer.call in came):
            check_answer(held.call if held is not None else came[answer.call], answer)
            continue
        if held is None or held.call.umpire.identity not in own:
            raise Refusal("E-CALL", "This answers a call that this home has not made.", step="CAL-5")
        check_answer(held.call, answer)


def _check_room(context: Context, fresh: Sequence[Call]) -> None:
    """Every umpire who is known here has his own room, strangers have one for all of them."""
    waiting = [held.call for held in context.calls.all() if calls.waits(context, held)] if fresh else []
    places: dict[bytes | None, int] = {}
    for call in (*waiting, *fresh):
        umpire = call.umpire.identity
        place = umpire if context.people.known(umpire) is not None else None
        places[place] = places.get(place, 0) + 1
    if any(count > MAX_WAITING for count in places.values()):
        raise Refusal(
            "E-LARGE",
            f"{len(waiting)} calls wait for your answer: see pbem list. Answer some of them first.",
            step="CAL-6",
        )


def take(context: Context, call: Call, data: Data) -> Opened:
    """A call that `check` has passed: kept, and accepted at once if its tournament was."""
    known = context.calls.of(call.id)
    held = _kept(context, call, data)
    notes = [
        naming.clash(card, other)
        for card in (call.umpire, *call.players)
        if context.people.known(card.identity) is None
        for other in context.people.clashes(card)
    ]
    posted: list[Posted] = []
    try:
        posted = calls.go_on(context, held)
    except (TableError, Refusal) as error:
        notes.append(f"{error.code}: {error.sentence}")
    if posted:
        notes.append("You have accepted this tournament: your program answers by itself.")
    return Opened(
        "call",
        held.name,
        f"{naming.full_name(call.umpire)} calls you: {naming.call(call)}."
        if known is None
        else f"{held.name}: you had this call already, {naming.call(call)}.",
        happened=tuple(naming.call_terms(call)) if known is None else (),
        owed=calls.owed(context, held),
        notes=tuple(notes),
        posted=tuple(posted),
        new=int(known is None),
    )


def _kept(context: Context, call: Call, data: Data) -> HeldCall:
    """On the disk, with the data files that it names. A game of this home that answers it already is its game."""
    fresh = context.calls.of(call.id) is None
    wanted = dict(call.terms.replaced)
    files = {kind: packed for kind, packed in data if wanted.get(kind) == tagged("pbem1/value", packed)}
    items = [Item(ItemType.REPLACED, pack([kind, packed])) for kind, packed in files.items()]
    held = calling.kept(context, file_of([*items, Item(ItemType.CALL, call.raw)]))
    store = context.game_of_call(call) if fresh else None
    if store is not None:
        me = GameFile.load(store, context.find_game).me
        if me is not None and me.by != UMPIRE and store.record(me.by, 0) is not None:
            held.bind(bytes.fromhex(store.folder.name))
            held.say(me.by, Said(yes=True, answer=b""))
            held.set_sent(me.by)
    return held


def taken_back(context: Context, call: Call, answer: CallAnswer, data: Data) -> Opened:
    """The umpire's word that nothing shall come of his call (CAL-8), which `check` has passed."""
    known = context.calls.of(call.id)
    if call.umpire.identity in calls.own_identities(context):
        return Opened("call", known.name if known is not None else None, "You have taken this call back yourself.")
    what = f"{call.umpire.name} takes back the call: {naming.call(call)}{f'. {answer.why}' if answer.why else ''}"
    what += "" if what.endswith((".", "!", "?")) else "."
    if known is None and context.people.known(call.umpire.identity) is None and not expects(context, call):
        return Opened("call", None, what, notes=("That call has not come here. Nothing was kept.",))
    held = known or _kept(context, call, data)
    fresh = held.hear(answer)
    notes = []
    for store in calls.offers_for(context, {call.id}):
        game = GameFile.load(store, context.find_game)
        if context.calls.asked_for(game.offer) is not None and store.private("cancelled") is None:
            store.set_private("cancelled", b"yes")
            summary.refresh(context, game)
            notes.append(f"The game {store.name} does not begin.")
    return Opened("call", held.name, what, notes=tuple(notes), new=int(fresh))


def expects(context: Context, call: Call) -> bool:
    """It is here, or somebody of this home has accepted its tournament."""
    return context.calls.of(call.id) is not None or any(
        context.consents.holds(call, card.identity) for card in call.players
    )
