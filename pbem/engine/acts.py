"""Acts: resignation, ties, takebacks, migrations, rulings, and how a game is closed (MEA-8..MEA-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.engine.barrier import ORDERS, Claim, Proposal, shown_key
from pbem.engine.game import Game
from pbem.engine.house import item_of
from pbem.engine.machine import Machine
from pbem.engine.need import Over, Result
from pbem.engine.policy import SealedPolicy
from pbem.protocol.digest import be32, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import AGREEING
from pbem.protocol.record import UMPIRE, Record, parse_record
from pbem.protocol.ruling import rulers, subject_of

if TYPE_CHECKING:
    from pbem.engine.match import Doing, Match

TIE, TAKEBACK, MIGRATE = "tie", "takeback", "migrate"


def take(match: Match[Any], record: Record, doing: Doing) -> None:
    """A record of class act."""
    if record.kind in AGREEING:
        match.ledger.apply(record)
    _TAKERS[record.kind](match, record, doing)


def _act(sentence: str, step: str) -> Refusal:
    return Refusal("E-ACT", sentence, step=step)


def _running(match: Match[Any], step: str) -> None:
    if match.result is not None or match.position.spoiled:
        raise _act("The game is over.", step)


def _player(record: Record, step: str) -> None:
    if record.by == UMPIRE:
        raise _act("An umpire does not play.", step)


def _same_state(match: Match[Any], record: Record, step: str = "MEA-7") -> None:
    if record.data["state"] != match.state_hash():
        raise Refusal(
            "E-DESYNC",
            "The author's program sees another position: its rules or its data differ. Nobody need have cheated.",
            step=step,
        )


# Giving up, and agreeing


def _resign(match: Match[Any], record: Record, doing: Doing) -> None:
    _running(match, "MEA-8")
    seats = tuple(record.data["seats"])
    if not set(seats) <= set(match.genesis.seats_of(record.by) if record.by != UMPIRE else ()):
        raise Refusal("E-SEAT", "A player can only resign for seats of their own.", step="MEA-8")
    match.end(_forfeit(match, seats), doing)
    match.position.ended.add(record.by)


def _forfeit(match: Match[Any], seats: tuple[str, ...]) -> Result:
    match.spoiled = True
    in_order = tuple(seat.name for seat in match.genesis.seats if seat.name in seats)
    return match.game.forfeit(match.machine.state, in_order)


def _propose(match: Match[Any], record: Record, doing: Doing, proposal: Proposal) -> None:
    """One proposal stands at a time: else its author could let it lapse later, by one that had not seen the answer."""
    if match.position.proposals:
        raise _act("Another proposal waits for an answer, which comes first.", "MEA-8")
    match.spoiled = True
    match.position.proposals[record.id] = proposal
    _show(match, record, proposal)
    if not doing.judged:  # its author has not seen all that came before it: dice, perhaps
        proposal.waiting.add(record.by)
    if not proposal.waiting:
        _agreed(match, record, record.id, doing)


def _show(match: Match[Any], record: Record, proposal: Proposal) -> None:
    for row in record.data.get("items", ()):
        proposal.show(item_of(record.by, row), _others(match, record.by))


def _others(match: Match[Any], by: int) -> set[int]:
    return {player for player in match.genesis.players if player != by}


def _tie(match: Match[Any], record: Record, doing: Doing) -> None:
    _running(match, "MEA-8")
    _player(record, "MEA-8")
    _propose(match, record, doing, Proposal(TIE, record.by, _others(match, record.by)))


def _takeback(match: Match[Any], record: Record, doing: Doing) -> None:
    _running(match, "MEA-9")
    _player(record, "MEA-9")
    to = tuple((by, count) for by, count in record.data["to"])
    earlier_match(match, to)
    _propose(match, record, doing, Proposal(TAKEBACK, record.by, _others(match, record.by), to=to))


def earlier_match(match: Match[Any], to: tuple[tuple[int, int], ...]) -> Match[Any]:
    """The match as it stood at that vector: at a choice, under the same rules, and nothing was shuffled since."""
    if match.history is None:
        raise RuntimeError("a match without a history")
    earlier = match.history(to)
    if earlier.position.barrier.phase != ORDERS or earlier.position.barrier.live:
        raise _act("You can only go back to a point where a player was choosing.", "MEA-9")
    if earlier.position.pin != match.position.pin or earlier.position.shuffles != match.position.shuffles:
        raise _act("A takeback cannot go back past a shuffle, nor past a change of rules.", "MEA-9")
    return earlier


def _unbound(match: Match[Any], by: int, earlier: Match[Any]) -> set[int]:
    """The players who could still undo this takeback when they have seen what it brings, and so have to agree last.

    They owe something here, so a record of theirs that had not seen the last yes would come before it; and the game
    could go on without them from where it leads. Chance that is due has been shown by now and moves nobody.
    """
    barrier = match.position.barrier
    owing = {player for item, player in barrier.due.items() if item[0] not in ("nonce", "dice")}
    return owing.intersection(match.genesis.players) - {by} - set(earlier.position.barrier.due.values())


def _migrate(match: Match[Any], record: Record, doing: Doing) -> None:
    _running(match, "MEA-9")
    _player(record, "MEA-9")
    data = record.data
    if data["before"] != match.state_hash():
        raise Refusal("E-DESYNC", "The migration starts from another position than this one.", step="MEA-7")
    held = match.setup
    if data["from"] != {"behaviour": held.behaviour, "data": held.data.digest}:
        raise _act("The migration starts from other rules than those in force.", "MEA-9")
    barrier = match.position.barrier
    if barrier.phase != ORDERS or barrier.live or barrier.answers:
        raise _act("A migration waits until nothing but orders is owed.", "MEA-9")
    proposal = Proposal(
        MIGRATE,
        record.by,
        _others(match, record.by),
        behaviour=data["to"]["behaviour"],
        data=data["to"]["data"],
        before=data["before"],
        after=data["after"],
    )
    _migrated(match, proposal)
    _propose(match, record, doing, proposal)


def migrated_machine(match: Match[Any], behaviour: int, data: bytes) -> tuple[Game[Any], Any, Machine[Any], bytes]:
    """Game, setup and machine under other rules, and the state hash they make."""
    found = match.upgrade(behaviour, data) if match.upgrade is not None else None
    if found is None:
        sentence = f"The game is to go on with behaviour {behaviour} of its rules, which this pbem does not have."
        raise Refusal("E-PINS", sentence, step="MEA-9")
    game, held = found
    offer = match.genesis.offer
    setup = replace(game.setup_of(offer.scenario, offer.options, held, match.setup.players), behaviour=behaviour)
    machine = Machine.load(game, setup, match.machine.dump())
    return machine.game, setup, machine, tagged("pbem1/state", be32(match.position.pin + 1), machine.digest())


def _migrated(match: Match[Any], proposal: Proposal) -> tuple[Game[Any], Any, Machine[Any], bytes]:
    found = migrated_machine(match, proposal.behaviour, proposal.data)
    if found[3] != proposal.after:
        raise Refusal("E-DESYNC", "Under the new rules this position has another hash than was agreed.", step="MEA-9")
    return found


def _answer(match: Match[Any], record: Record, doing: Doing) -> None:
    key = record.data["to"]
    proposal = match.position.proposals.get(key)
    if proposal is None or record.by not in proposal.waiting:
        raise _act("There is no proposal that waits for this answer.", "MEA-8")
    match.spoiled = True
    if not record.data["yes"]:
        del match.position.proposals[key]
        return
    proposal.waiting.discard(record.by)
    _show(match, record, proposal)
    if not proposal.waiting:
        _agreed(match, record, key, doing)


def _agreed(match: Match[Any], record: Record, key: bytes, doing: Doing) -> None:
    """All have said yes, the author of this record last."""
    proposal = match.position.proposals[key]
    unseen = [item for item in match.position.barrier.chance() if shown_key(item) not in proposal.shown]
    if any(map(match.can_show, unseen)):
        raise _act("Dice or a nonce are due that nobody has shown; they come before this agreement.", "MEA-8")
    earlier = earlier_match(match, proposal.to) if proposal.what == TAKEBACK else None
    if earlier is not None:
        proposal.waiting = _unbound(match, record.by, earlier)
        if proposal.waiting:
            return
    del match.position.proposals[key]
    if earlier is not None:
        match.restore(earlier, doing)
    elif proposal.what == TIE:
        match.end(Result(None, "tie"), doing)
    else:
        if proposal.before != match.state_hash():
            raise _act("The position has changed since the migration was proposed.", "MEA-9")
        match.lapse(doing, "the rules of the game were exchanged")
        match.game, match.setup, match.machine, _ = _migrated(match, proposal)
        position = match.position
        position.pin += 1
        position.behaviour, position.data = proposal.behaviour, proposal.data
        position.proposals.clear()
        position.barrier.state = None


# Claims and rulings


def _claim(match: Match[Any], record: Record, doing: Doing) -> None:  # noqa: ARG001 - as all takers
    """What the game waits for, named: a forfeit without an umpire cites it (MEA-10)."""
    _running(match, "MEA-10")
    if not match.genesis.offer.silence:
        raise _act("In this game nobody can claim a forfeit: it has an umpire, or it was offered without.", "MEA-10")
    barrier, owed = match.position.barrier, tuple(map(tuple, record.data["owed"]))
    if barrier.owed_by(record.by):
        raise Refusal("E-OWES", "Its author owes something, which comes before a claim on others.", step="MEA-10")
    if not set(owed) <= barrier.due.keys():
        raise _act("This claim names something that nobody owes.", "MEA-10")
    match.spoiled = True
    for key in [key for key, claim in barrier.claims.items() if claim.by == record.by]:
        del barrier.claims[key]
    barrier.claims[record.id] = Claim(record.by, owed)


def _ruling(match: Match[Any], record: Record, doing: Doing) -> None:
    data = record.data
    what = data["what"]
    if "state" in data and doing.judged:  # MEA-4: nobody undoes a ruling by what they send without sight of it
        _same_state(match, record)
    by_players = match.genesis.umpire is None
    if what == "forfeit":
        # An answer that crossed the forfeit does not undo it, not even one that ended the game by the rules.
        by_rules = isinstance(match.machine.need, Over) and not match.position.put_out
        if doing.judged or not by_players or not by_rules:
            _running(match, "MEA-10")
        concerned = frozenset(match.genesis.player_of(seat) for seat in data["seats"])
    elif what == "adjudge":
        _running(match, "MEA-10")
        concerned = frozenset(match.genesis.players)
    elif what == "escrow":
        concerned = frozenset((data["witness"],))
    elif what in ("branch", "extension"):
        concerned = frozenset()
    else:
        concerned = frozenset((data["player"],))
    if doing.judged and by_players:
        _check_silent(match, data, concerned)
    given_again = _boxes(match, data["player"]) if what == "substitute" else []
    match.ledger.apply(record)
    match.spoiled = True
    if what == "branch":
        match.position.forkers.add(parse_record(data["other"]).by)
    if what in ("branch", "extension") or not _holds(match, record, concerned):
        return
    match.position.claimed = by_players
    if what == "forfeit":
        result = _forfeit(match, tuple(data["seats"]))
        match.end(result if by_players else replace(result, how=f"{result.how}, ruled by the umpire"), doing)
        match.position.ended.update(match.genesis.players)
        match.position.put_out = dict.fromkeys(sorted(concerned), record.id)
    elif what == "adjudge":
        match.end(Result(data["winner"], "adjudged, ruled by the umpire", tuple(sorted(data["scores"].items()))), doing)
        match.position.ended.update(match.genesis.players)
    elif what == "escrow":
        _shown_by_umpire(match, data["orders"], doing)
    elif what == "substitute":
        _hand_on(match, data["player"], given_again, doing)


def _check_silent(match: Match[Any], data: Mapping[str, Any], concerned: frozenset[int]) -> None:
    """Without an umpire nobody is put out while the game does not wait for them, or has not since the claim."""
    barrier = match.position.barrier
    if data["what"] == "forfeit" and not concerned <= barrier.silent(data["claim"]):
        sentence = "A player whom this ruling puts out has given what the claim names, or never owed it: claim anew."
        raise Refusal("E-RULING", sentence, step="MEA-10")
    if data["what"] in ("substitute", "rekey") and not concerned <= match.position.forkers.union(barrier.due.values()):
        sentence = "Without an umpire, the others can rule a player out only while the game waits for that player."
        raise Refusal("E-RULING", sentence, step="MEA-10")


def _holds(match: Match[Any], record: Record, concerned: frozenset[int]) -> bool:
    """Has everybody who must make this ruling made it (MEA-10)?"""
    needed = set(rulers(match.genesis, concerned))
    if record.by not in needed:
        raise Refusal("E-RULING", "The author of this ruling has no say in this matter.", step="MEA-10")
    subject = subject_of(record.data)
    rulings = match.position.rulings
    made = rulings.get(subject, set())
    if made >= needed and record.data["what"] == "substitute":
        return False  # once it has held, it does not again: who was put in may have been put out since
    rulings[subject] = made | {record.by}
    return rulings[subject] >= needed


def _boxes(match: Match[Any], player: int) -> list[str]:
    """The hidden cards dealt to a player: a substitute needs them sealed to his own key (HID-33)."""
    return list(match.ledger.decks.held(player))


def _hand_on(match: Match[Any], player: int, given_again: list[str], doing: Doing) -> None:
    """A new player has the seats: his hand is dealt again, and he is asked what the old one had sealed in advance.

    What was claimed of the old one is not claimed of them.
    """
    barrier, machine = match.position.barrier, match.machine
    for key, claim in barrier.claims.items():
        kept = tuple(item for item in claim.owed if barrier.due.get(item) != player)
        barrier.claims[key] = replace(claim, owed=kept)
    seats = match.genesis.seats_of(player)
    for slot in given_again:
        barrier.due["give", slot, seats[0]] = UMPIRE
    for seat in seats:
        for decision, policy in machine.standing(seat).items():
            if isinstance(policy, SealedPolicy):
                machine.set_standing(seat, decision, None)
    barrier.state = None
    asked = [item for item in barrier.owed_by(player) if item[0] == "answer"]
    for item in asked:
        machine.ask(str(item[2]))
        del barrier.due[item]
    if asked and not barrier.due:
        match.complete(doing)


def _shown_by_umpire(match: Match[Any], orders: bytes, doing: Doing) -> None:
    """The escrow opens what a witness withheld (MEA-10)."""
    barrier = match.position.barrier
    if barrier.due.pop(("dice", orders), None) is None:
        raise _act("Nobody waits for these dice.", "MEA-10")
    if not barrier.due:
        match.complete(doing)


def _rekey(match: Match[Any], record: Record, doing: Doing) -> None:  # noqa: ARG001 - as all takers
    match.ledger.apply(record)


# Closing


def _end(match: Match[Any], record: Record, doing: Doing) -> None:  # noqa: ARG001 - as all takers
    _player(record, "MEA-11")
    position = match.position
    if position.result is None:
        raise _act("The game is not over.", "MEA-11")
    if record.by in position.ended:
        raise _act("This player has signed the result before.", "MEA-11")
    _same_state(match, record)
    if record.data["result"] != position.result.plain():
        raise Refusal("E-ACT", "The result signed is not the one that the rules give.", step="MEA-11")
    match.spoiled = True
    position.ended.add(record.by)
    position.barrier.records.append((record.by, record.id, record.seq))


def stops_shuffle(match: Match[Any], by: int) -> bool:
    """May this player open everything in place of his pass, because the one before it is foul (HID-14)?"""
    return any(item[0] == "pass" and item[3] != 1 for item in match.position.barrier.owed_by(by))


def _open_all(match: Match[Any], record: Record, doing: Doing) -> None:
    position = match.position
    stops = stops_shuffle(match, record.by)
    due = position.spoiled or (position.result is not None and position.ended >= set(match.genesis.players))
    if not (due or stops) or record.by in position.opened:
        raise _act("Not everybody has signed the result, or this was opened before.", "MEA-11")
    match.ledger.apply(record)
    match.spoiled = True
    if stops:
        position.stopped = (record.by, record.id, record.seq)
        match.stop(doing)
    else:
        if not position.opened:
            position.barrier.records.clear()
        position.barrier.records.append((record.by, record.id, record.seq))
    position.opened.add(record.by)


_TAKERS: dict[str, Callable[[Any, Record, Any], None]] = {
    "resign": _resign,
    "tie": _tie,
    "takeback": _takeback,
    "migrate": _migrate,
    "answer": _answer,
    "claim": _claim,
    "ruling": _ruling,
    "rekey": _rekey,
    "end": _end,
    "open_all": _open_all,
}
