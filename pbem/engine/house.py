"""What programs supply: nonces, dice, cards, openings, and the answers of sealed standing orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pbem.engine import turn
from pbem.engine.barrier import ANSWERS, CARDS, DICE, OPEN, OPENINGS, ORDERS, OVER
from pbem.engine.need import Cards, Dice, Give, Need, Openings, Orders, Shuffle
from pbem.engine.obligation import Item
from pbem.engine.policy import unpack as unpack_policy
from pbem.protocol.chance import roll
from pbem.protocol.epochs import DEALT, SHUFFLED
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN as OPEN_MODE
from pbem.protocol.hidden import NONCE, commitment, standing_slot
from pbem.protocol.listing import Drawn
from pbem.protocol.record import UMPIRE, Record

if TYPE_CHECKING:
    from pbem.engine.match import Doing, Match


# What is due


def due(match: Match[Any], need: Need, doing: Doing) -> tuple[str, dict[Item, int]]:
    """What must come before the machine can be fed. Items of the record being taken count as not yet there."""
    if isinstance(need, Dice):
        return DICE, _dice_due(match, doing)
    if isinstance(need, Cards):
        return CARDS, _cards_due(match, need, doing)
    assert isinstance(need, Openings)
    out: dict[Item, int] = {}
    for slot in need.slots:
        choice = match.ledger.choice(slot)
        if choice is not None:
            out["open", slot] = choice.author
        elif ("open", slot) in doing.given:
            out["open", slot] = doing.by
        elif match.ledger.value(slot) is None:
            raise RuntimeError(f"the rules ask to open {slot}, in which nothing was sealed")
    return OPENINGS, out


def _dice_due(match: Match[Any], doing: Doing) -> dict[Item, int]:
    position = match.position
    if position.key is not None or match.genesis.mode == OPEN_MODE:
        return {}
    out: dict[Item, int] = {}
    for by, orders, _ in position.group:
        mark = match.ledger.mark(orders)
        if mark is None or mark.x is None or ("dice", orders) in doing.given:
            out["dice", orders] = cast(int, match.genesis.witness(by))
    return out


def _cards_due(match: Match[Any], need: Cards, doing: Doing) -> dict[Item, int]:
    ledger, given = match.ledger, doing.given
    kind = ledger.decks.kind
    for shuffle in need.requests:
        if isinstance(shuffle, Shuffle):
            item = _shuffle_due(match, shuffle, given)
            if item is not None:
                return item
    out: dict[Item, int] = {}
    for request in need.requests:
        if isinstance(request, Shuffle):
            continue
        slot = request.slot
        if kind == SHUFFLED:
            holder = match.genesis.player_of(request.seat) if isinstance(request, Give) else None
            done = ledger.released(slot) if ledger.value(slot) is None else ledger.decks.pair
            for player in ledger.decks.pair:
                if player != holder and (player not in done or ("slot", slot, player) in given):
                    out["slot", slot, player] = player
        elif kind == DEALT and isinstance(request, Give):
            known = ledger.value(slot) is not None or match.genesis.player_of(request.seat) in ledger.holders(slot)
            if not known or ("give", slot, request.seat) in given:
                out["give", slot, request.seat] = UMPIRE
        elif kind == DEALT and (ledger.value(slot) is None or ("show", slot) in given):
            out["show", slot] = UMPIRE
    return out


def _shuffle_due(match: Match[Any], request: Shuffle, given: dict[Item, list[Any]]) -> dict[Item, int] | None:
    """The one pass or deal that comes next for this deck; None: it is shuffled."""
    decks, deck = match.ledger.decks, request.deck
    epoch = match.position.epochs.get(deck, 0) + 1
    status = decks.status(deck)
    if decks.kind == DEALT:
        if status.epoch < epoch or ("deal", deck, epoch) in given:
            return {("deal", deck, epoch): UMPIRE}
    elif decks.kind == SHUFFLED:
        for stage in range(1, 5):
            if ("pass", deck, epoch, stage) in given:
                author = decks.author(decks.epoch(deck, epoch).plan, stage)  # type: ignore[union-attr]
                return {("pass", deck, epoch, stage): author}
        if status.epoch < epoch:
            asked = wanted(match, deck)
            return {("pass", deck, epoch, 1): decks.author(decks.plan(deck, asked.cards, asked.back).plan, 1)}
        if status.due is not None:
            return {("pass", deck, epoch, status.due[0]): status.due[1]}
    return None


def wanted(match: Match[Any], deck: str, doing: Doing | None = None) -> Shuffle:
    """The shuffle of this deck that the rules ask for, in the terms of the ledger (HID-17).

    The rules do not know which of the slots that they return are public: a card that was stolen, or that was shown and
    then taken back. The ledger knows, and those cards go in openly. `doing`: the record being taken, if it holds the
    deal that has made the ledger forget them (HID-20).
    """
    need = cast(Cards, match.machine.need)
    request = next(each for each in need.requests if isinstance(each, Shuffle) and each.deck == deck)
    if match.genesis.mode == OPEN_MODE:
        return request  # where all cards are open (HID-50)
    public = doing.public if doing is not None and doing.public else match.known(request.back)
    cards = [cast(int, public[slot]) for slot in request.back if slot in public]
    back = tuple([slot for slot in request.back if slot not in public])
    return Shuffle(deck, tuple(sorted([*request.cards, *cards])), back)


# Feeding the machine


def feed(match: Match[Any], need: Need, doing: Doing) -> None:
    """Give the machine what it waits for; everything is at hand."""
    if isinstance(need, Dice):
        match.machine.dice(_roll(match, need, doing), doing.out)
    elif isinstance(need, Cards):
        match.machine.cards(_dealt(match, need), doing.out)
    else:
        slots = cast(Openings, need).slots
        match.machine.opened({slot: cast(bytes, match.ledger.value(slot)) for slot in slots}, doing.out)


def _roll(match: Match[Any], need: Dice, doing: Doing) -> dict[str, tuple[int, ...]]:
    position = match.position
    open_mode = match.genesis.mode == OPEN_MODE
    group = () if open_mode else tuple([orders for _, orders, _ in position.group])
    if position.key is None:
        position.key = match.ledger.key(group)
        if position.key is None:
            raise RuntimeError("draws before their key")
    got = {}
    for draw in need.draws:
        occurrence = position.drawn.get(draw.label, 0)
        position.drawn[draw.label] = occurrence + 1
        results = roll(position.key, draw.label, occurrence, draw.sides, draw.count)
        doing.draws.append(Drawn(group, draw.label, occurrence, draw.sides, results))
        got[draw.label] = results
    return got


def _dealt(match: Match[Any], need: Cards) -> dict[str, int]:
    position, ledger = match.position, match.ledger
    open_mode, shuffled = match.genesis.mode == OPEN_MODE, False
    for request in need.requests:
        if isinstance(request, Shuffle):
            shuffled = True
            if open_mode:
                ledger.deal_open(request.deck, request.cards, request.back)
                position.shuffles += 1
            position.epochs[request.deck] = position.epochs.get(request.deck, 0) + 1
    shown = {}
    for request in need.requests:
        if isinstance(request, Shuffle):
            continue
        if open_mode:
            position.hands[request.slot] = match.genesis.player_of(request.seat) if isinstance(request, Give) else -1
        if not isinstance(request, Give):
            shown[request.slot] = cast(int, ledger.value(request.slot))
    if shuffled:  # which retires the slots of cards that have gone back into the deck
        for slot in [slot for slot in position.hands if ledger.value(slot) is None]:
            del position.hands[slot]
    return shown


# Reveals and releases


def take(match: Match[Any], record: Record, doing: Doing, partial: bool) -> None:
    """A record of kind `reveal` or `release`: items that are owed now, or become owed by those before them."""
    position, by, items = match.position, record.by, record.data["items"]
    if len(items) == 1 and items[0][0] == "dice" and not partial and _take_dice(match, record, items[0][1], doing):
        return
    again: set[Item] = set()
    for payload in items:
        item = item_of(by, payload)
        if item in doing.given and item[0] != "answer":
            raise Refusal("E-UNASKED", "The record shows one thing twice.", step="MEA-2")
        doing.given.setdefault(item, []).append(payload)
        if item[0] == "dice" and (mark := match.ledger.mark(payload[1])) is not None and mark.x is not None:
            again.add(item)
    if any(item[0] == "deal" for item in doing.given):
        doing.public = match.ledger.decks.public()
    complaint = match.ledger.decks.in_use() and not position.barrier.owed_by(by) and match.ledger.spoils(record)
    match.ledger.apply(record)
    match.spoiled = True
    position.shuffles += sum(item[0] == "deal" or (item[0] == "pass" and item[3] == 1) for item in doing.given)
    if match.ledger.spoiled is not None:
        match.stop(doing)
        return
    if complaint:
        raise RuntimeError("a complaint that spoils nothing")
    taken = False
    while True:
        barrier = position.barrier
        mine = [item for item in barrier.owed_by(by) if _key(item) in doing.given]
        if not mine:
            break
        for item in mine:
            key = _key(item)
            payload = doing.given[key].pop(0)
            if not doing.given[key]:
                del doing.given[key]
            _take_item(match, item, payload, doing)
            del barrier.due[item]
            _shown(match, item)
        if not taken or not partial:
            barrier.records.append((by, record.id, record.seq))
        taken = True
        if barrier.due or (partial and doing.given):
            break
        match.complete(doing)
        if partial:
            break
    if doing.given or not taken:
        item = next(iter(doing.given), ())
        raise _unowed(match, record, item, taken, again=item in again)


def _take_dice(match: Match[Any], record: Record, orders: bytes, doing: Doing) -> bool:
    """The usual reveal, in short: nothing but a chain value that its author owes. False: it is another."""
    barrier = match.position.barrier
    item = "dice", orders
    if barrier.due.get(item) != record.by:
        return False
    match.ledger.apply(record)
    match.spoiled = True
    del barrier.due[item]
    _shown(match, item)
    barrier.records.append((record.by, record.id, record.seq))
    if not barrier.due:
        match.complete(doing)
    return True


def _shown(match: Match[Any], item: Item) -> None:
    """Who agreed to a proposal before these dice were known has to agree again (MEA-8)."""
    if match.position.proposals and item[0] in ("nonce", "dice"):
        for proposal in match.position.proposals.values():
            proposal.show(item, match.genesis.players)


def item_of(by: int, payload: list[Any]) -> Item:
    match payload[0]:
        case "nonce":
            return "nonce", by
        case "answer":
            return "answer", payload[1]
        case "dice" | "open" | "show":
            return payload[0], payload[1]
        case "slot":
            return "slot", payload[1], by
        case "give":
            return "give", payload[1], payload[2]
        case "deal":
            return "deal", payload[1], payload[2]
    return "pass", payload[1], payload[2], payload[3]


def _key(item: Item) -> Item:
    """Under which an item that is due is found among those given: an answer does not name its seat."""
    return item[:2] if item[0] == "answer" else item


def _unowed(match: Match[Any], record: Record, item: Item, taken: bool, *, again: bool) -> Refusal:
    kind = str(item[0]) if item else record.kind
    waits = match.position.barrier.phase in (ORDERS, OVER)
    if not waits and not taken:
        when = "before it is owed" if not again else _AGAIN
        return Refusal("E-UNASKED", f"The record gives a {kind} {when}.", step="MEA-2")
    why = "that nobody asked for" if not again else _AGAIN
    return Refusal("E-UNASKED", f"The record gives a {kind} {why}.", step="MEA-2")


_AGAIN = "that was given before, and is not owed again"


def _take_item(match: Match[Any], item: Item, payload: list[Any], doing: Doing) -> None:
    """What the rules have to say about one item; the ledger has checked it against what was promised."""
    what, phase = item[0], match.position.barrier.phase
    if what == "open" and phase == OPEN:
        _take_opened(match, str(item[1]), payload[3])
    elif what == "open":
        violation = match.machine.check_opened(str(item[1]), payload[3])
        if violation is not None:
            raise Refusal("E-ORDER", f"What was sealed in {item[1]!s} was not allowed: {violation}.", step="MEA-6")
    elif what == "answer":
        _take_answer(match, str(item[2]), payload, doing)
    elif (what == "pass" and item[3] == 1) or what == "deal":
        asked = wanted(match, str(item[1]), doing)
        if payload[-2] != list(asked.cards) or payload[-1] != list(asked.back):
            raise Refusal("E-DECK", "Other cards are shuffled than the rules say.", step="HID-17")


def _take_opened(match: Match[Any], slot: str, raw: bytes) -> None:
    need = cast(Orders, match.machine.need)
    seat = next(each for each in need.seats if need.slot(each) == slot)
    turn.checked(match, seat, match.unpack(raw))
    match.position.barrier.answers[seat] = raw


def _take_answer(match: Match[Any], seat: str, payload: list[Any], doing: Doing) -> None:
    """MEA-15. A pass is believed until the audit; anything else must follow from the standing orders it opens."""
    machine, position = match.machine, match.position
    need = cast(Orders, machine.need)
    _, _, raw, proof = payload
    if match.watch is not None:
        match.watch.answered(match, seat, raw)
    passing = machine.passing(seat)
    if raw is not None and proof is None:
        if passing is None or match.unpack(raw) != passing:
            raise Refusal("E-ANSWER", "A prepared answer other than passing has to be proved.", step="MEA-15")
        position.barrier.answers[seat] = raw
        return
    if proof is None:
        raise Refusal(
            "E-ANSWER", "That standing orders leave the choice to their owner has to be proved.", step="MEA-15"
        )
    choice = match.ledger.standing(seat, need.kind)
    nonce, packed = proof[:NONCE], proof[NONCE:]
    slot = standing_slot(seat, need.kind)
    if choice is None or commitment(match.genesis.game_id, seat, slot, nonce, packed) != choice.commitment:
        raise Refusal("E-ANSWER", "The proof opens other standing orders than those in force.", step="MEA-15")
    policy = unpack_policy(packed)
    if raw is None:
        if machine.standing_answer(seat, policy) is not None:
            raise Refusal("E-ANSWER", "The standing orders give an answer; they do not ask.", step="MEA-15")
        machine.ask(seat)
        return
    order = match.unpack(raw)
    turn.checked(match, seat, order)
    slots = machine.opens(seat, order)
    for each in slots:
        doing.given.pop(("open", each), None)
    if machine.standing_answer(seat, policy, match.known(slots)) != order:
        raise Refusal("E-ANSWER", "The standing orders that were opened give another answer.", step="MEA-15")
    position.barrier.answers[seat] = raw
    if order != passing:
        match.lapse(
            doing, f"{match.game.seat(seat).title} answered by standing orders: {match.game.notation.show(order)}"
        )


def complete(match: Match[Any], doing: Doing) -> None:
    """Everything that the programs owed is in."""
    position = match.position
    barrier = position.barrier
    need = match.machine.need
    if barrier.phase in (ANSWERS, OPEN):
        assert isinstance(need, Orders)
        if set(barrier.answers) != set(need.seats):
            match.lapse(doing)
            position.barrier = turn.orders_barrier(match, need, barrier.answers)
            return
        turn.hand_over(match, need, barrier.answers, doing)
    elif barrier.phase == DICE:
        feed(match, cast(Dice, need), doing)  # all that is wanted is there
    match.advance(doing)
