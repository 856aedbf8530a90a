"""One game as the log tells it: records folded into a machine and a ledger (docs/spec/meaning.md).

`Match.accept` takes records in the canonical order, which `Replay` sees to. It judges as it goes: after a Refusal with
`broken` set the match must be rebuilt from a checkpoint, which is cheaper than copying the game before every record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from pbem.engine.definition import DataSet, Game, Setup
from pbem.engine.event import Event, Out, PlanEnded
from pbem.engine.machine import Batch, Machine, illegal
from pbem.engine.need import Cards, Dice, Give, Known, Need, Openings, Orders, Over, Result, Shuffle
from pbem.engine.obligation import ANSWER, END, KIND_OF_ITEM, OPEN_ALL, Item, Obligation
from pbem.engine.order import Order, PlainLine, PlainOrder, PlanLine, Sealed, Violation, bare
from pbem.engine.policy import SealedPolicy, read_standing
from pbem.engine.policy import unpack as unpack_policy
from pbem.engine.position import (
    ANSWERS,
    CARDS,
    DICE,
    NONCES,
    OPENINGS,
    ORDERS,
    OVER,
    UNSEALING,
    Barrier,
    Change,
    Claim,
    Plans,
    Position,
    Proposal,
    shown_key,
)
from pbem.engine.step import GameError, last_line
from pbem.fairplay.chance import roll
from pbem.fairplay.commitments import NONCE, commitment, standing_slot, unpad
from pbem.fairplay.deckledger import DEALT, SHUFFLED
from pbem.fairplay.ledger import Ledger
from pbem.protocol.canonical import Plain
from pbem.protocol.digest import be32, tagged
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import OPEN, STRICT, Genesis, Offer
from pbem.protocol.kinds import AGREEING, is_sealed
from pbem.protocol.listing import Drawn
from pbem.protocol.plain import dump, load, unfit
from pbem.protocol.record import UMPIRE, Record
from pbem.protocol.ruling import concerned_by

if TYPE_CHECKING:
    from pbem.engine.rulesaudit import RulesAudit

TIE, TAKEBACK, MIGRATE = "tie", "takeback", "migrate"
S = TypeVar("S")
Upgrade = Callable[[int, bytes], "tuple[Game[Any], DataSet] | None"]
"""The game of this behaviour number and data digest, if this program has it (MEA-9)."""
History = Callable[[tuple[tuple[int, int], ...]], "Match[Any]"]
"""The match as it stood at a vector; refuses one that cannot be returned to."""
Look = Callable[["Match[Any]", Out], None]
"""Called whenever the machine has come to rest inside a record, with what has happened in the record so far."""


@dataclass(frozen=True, slots=True)
class Around:
    """The functions that a match is given from outside. `decided`: does a ruling `branch` hold in the past of this
    record?

    `watch` audits each choice by what its author knew, `look` sees the match inside a record. `heard` False: nobody
    wants the events.
    """

    upgrade: Upgrade | None = None
    history: History | None = None
    decided: Callable[[Record], bool] | None = None
    watch: RulesAudit | None = None
    look: Look | None = None
    heard: bool = True


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The rest of a plan that stopped: whose it was, in which turn it was made, and what stopped it."""

    by: int
    seat: str
    turn: int
    orders: tuple[PlainLine, ...]
    stopped: str


class Accepted(NamedTuple):
    """The effect of a record that was taken."""

    events: tuple[Event, ...] = ()
    draws: tuple[Drawn, ...] = ()
    moot: bool = False
    lapsed: Lapsed | None = None


_NOTHING = Accepted()
_AGAIN = "that was given before, and is not owed again"


@dataclass(slots=True)
class Doing:
    """The effects so far of the record that is being taken.

    `given` are the items of a reveal or release not yet used, `hides` the sealed choices of orders, seat by slot.
    `batch`: its orders, as long as they have to be legal; `asked`: the label of what the first of them answers.
    `public`: the public cards before a deal, which makes the ledger forget those that it takes in.
    `judged`: it is judged by its own past.
    """

    record: Record | None = None
    by: int = -1
    judged: bool = True
    partial: bool = False
    out: Out = field(default_factory=Out)
    draws: list[Drawn] = field(default_factory=list)
    given: dict[Item, list[Any]] = field(default_factory=dict)
    hides: dict[str, str] = field(default_factory=dict)
    batch: Batch | None = None
    asked: str = ""
    public: dict[str, int] = field(default_factory=dict)
    lapsed: Lapsed | None = None

    def done(self) -> Accepted:
        if self.draws or self.out.events or self.lapsed is not None:
            return Accepted(tuple(self.out.events), tuple(self.draws), lapsed=self.lapsed)
        return _NOTHING


def setup_of(offer: Offer, game: Game[Any], data: DataSet | None = None) -> Setup:
    """What the offer fixes, checked against the game at hand."""
    held = data or game.data
    check_pins(offer, game, held)
    if tuple((s.name, s.side) for s in offer.seats) != tuple((s.name, s.side) for s in game.seats):
        raise Refusal("E-SETUP", f"The seats of this game are not those of {game.title}.", step="GEN-1")
    if offer.decks != tuple(sorted(game.decks)):
        raise Refusal("E-SETUP", f"The decks of this game are not those of {game.title}.", step="GEN-1")
    return chosen_setup(offer, game, held, offer.rules.behaviour)


def check_pins(offer: Offer, game: Game[Any], data: DataSet) -> None:
    """Whether these are the rules and data that the offer pins (E-PINS, E-BEHAVIOUR)."""
    rules = offer.rules
    if rules.module != game.name:
        raise Refusal("E-PINS", f"This is a game of {rules.module}, not of {game.name}.", step="GEN-1")
    if rules.behaviour > game.behaviour:
        raise newer_rules(game, rules.behaviour, rules.needs, "GEN-1")
    if rules.data != data.digest:
        sentence = (
            f"This game is played with data of {game.title} that are not installed here. Install {game.title} "
            f"{rules.version} as it was when the game was offered, or bring back the data file that has changed."
        )
        raise Refusal("E-PINS", sentence, step="GEN-1")


def newer_rules(game: Game[Any], behaviour: int, needs: str, step: str) -> Refusal:
    """The refusal for a player whose program is older than the game's rules."""
    sentence = (
        f"This game needs {needs} or newer: its rules of {game.title} have behaviour {behaviour}, and those installed "
        f"here have {game.behaviour}. Update, then open the file again."
    )
    return Refusal("E-BEHAVIOUR", sentence, step=step)


def chosen_setup(offer: Offer, game: Game[Any], data: DataSet, behaviour: int) -> Setup:
    """What the offer chose, with the data and the behaviour that are in force (STA-6, STA-8)."""
    players = {seat.name: seat.player for seat in offer.seats}
    return replace(game.setup_of(offer.scenario, offer.options, data, players), behaviour=behaviour)


class Match(Generic[S]):
    """The fold. Everybody may read `machine`, `ledger` and `position`; only the modules of the fold change them."""

    def __init__(self, genesis: Genesis, game: Game[S], setup: Setup, machine: Machine[S], ledger: Ledger) -> None:
        self.genesis = genesis
        self.game = game.on(setup.data)
        self.setup = setup
        self.machine = machine
        self.ledger = ledger
        self.position = Position(Barrier(NONCES), behaviour=setup.behaviour, data=setup.data.digest)
        self.broken = False
        self.around = Around()
        self.begun: tuple[Event, ...] = ()  # what the start brought about, where nothing else has to come first

    @classmethod
    def start(cls, genesis: Genesis, game: Game[S], data: DataSet | None = None) -> Match[S]:
        """The match right after the start record."""
        setup = setup_of(genesis.offer, game, data)
        match = cls(genesis, game, setup, Machine.start(game, setup), Ledger(genesis))
        if genesis.mode == OPEN:
            doing = Doing()
            match._advance(doing)
            match.begun = tuple(doing.out.events)
        else:
            match.position.barrier.due = {("nonce", by): by for by in genesis.players}
        return match

    # What anybody may ask

    @property
    def result(self) -> Result | None:
        """How the game ended; provisional until the audit (MEA-12)."""
        return self.position.result

    @property
    def finished(self) -> bool:
        """Everything has been opened; only the audit remains."""
        return self.position.barrier.phase == OVER and not self.pending()

    def state_hash(self) -> bytes:
        """MEA-14."""
        barrier = self.position.barrier
        if barrier.state is None:
            barrier.state = tagged("pbem1/state", be32(self.position.pin), self.machine.digest())
        return barrier.state

    def asked(self, player: int) -> tuple[str, ...]:
        """The player's seats that must order now."""
        due = self.position.barrier.due
        return tuple([str(item[1]) for item, by in due.items() if by == player and item[0] == "orders"])

    def pending(self) -> tuple[Obligation, ...]:
        """Who owes what, by player; proposals that wait for an answer come last."""
        position = self.position
        out: list[Obligation] = []
        if position.result is None and not position.spoiled:
            for by in self.genesis.authors:
                out += self._owed(by)
            for key, proposal in position.proposals.items():
                out += [
                    Obligation(by, ANSWER, label=proposal.what, items=((proposal.what, key),), automatic=False)
                    for by in sorted(proposal.waiting)
                ]
            return tuple(out)
        waiting = [by for by in self.genesis.players if by not in position.ended]
        if waiting and not position.spoiled:
            return tuple(Obligation(by, END) for by in waiting)
        # The umpire too: as witness, dealer, or keeper of escrows.
        return tuple(Obligation(by, OPEN_ALL) for by in self.genesis.authors if by not in position.opened)

    def _owed(self, by: int) -> list[Obligation]:
        groups: dict[str, list[Item]] = {}
        for item in self.position.barrier.owed_by(by):
            groups.setdefault(KIND_OF_ITEM[str(item[0])], []).append(item)
        need = self.machine.need
        label = need.label if isinstance(need, Orders) else ""
        out = []
        for what, items in groups.items():
            if what == "orders":
                out.append(
                    Obligation(by, what, tuple(str(item[1]) for item in items), label, tuple(items), automatic=False)
                )
            else:
                out.append(Obligation(by, what, items=tuple(items)))
        return out

    # Taking records

    def accept(self, record: Record, *, partial: bool = False, judged: bool = True) -> Accepted:
        """Take a record whose form, chain and signature are good.

        `partial`: some records of the barrier are not in its past, so that it may answer this barrier only. `judged`:
        it is judged by its own past; otherwise it was good there, and a Refusal here means that it is moot (MEA-4).
        """
        self.broken = False
        doing = Doing(record, record.by, judged, partial, Out(wanted=self.around.heard))
        try:
            self._judge(record, doing)
        except Refusal as refusal:
            raise refusal.of(record.by, record.id) from None
        except (PbemError, MemoryError):
            raise
        except Exception as fault:  # whatever a game's rules do with a record that was made to confuse them
            self.broken = True
            step = self.machine.step.name
            package = self.game.state.__module__.rpartition(".")[0] or self.game.state.__module__
            line = last_line(fault, lambda module: f"{module}.".startswith(f"{package}."))
            why = str(fault) if isinstance(fault, GameError) else f"{type(fault).__name__} in the step {step}{line}."
            sentence = f"The rules of {self.game.title} fail at this record, which is a fault in them: {why}"
            raise Refusal("E-RULES", sentence, step="MEA-6", author=record.by, record=record.id) from fault
        return doing.done()

    def _judge(self, record: Record, doing: Doing) -> None:
        """The pages of docs/spec/meaning.md, one after another."""
        if doing.judged:
            if record.pin != self.position.pin:
                sentence = "This record names other rules than those in force when it was made."
                raise Refusal("E-PINS", sentence, step="LOG-8")
            self._check_dues(record)  # MEA-5: what its author owes comes first
        match record.kind:
            case "orders":
                self._take_orders(record, doing)  # MEA-6, MEA-7, MEA-13: what a player chooses
            case "reveal" | "release":
                self._take_items(record, doing)  # MEA-2, MEA-15: what programs supply
            case "resign":
                self._resign(record, doing)  # MEA-8
            case "tie" | "takeback" | "migrate":
                self.ledger.apply(record)
                self._propose(record, self._proposal(record), doing)  # MEA-8, MEA-9
            case "answer":
                self.ledger.apply(record)
                self._answer(record, doing)  # MEA-8
            case "claim":
                self._claim(record)  # MEA-10
            case "ruling":
                self._ruling(record, doing)  # MEA-10
            case "rekey":
                self.ledger.apply(record)  # LOG-7
            case "end":
                self._sign(record)  # MEA-11
            case "open_all":
                self._open_all(record, doing)  # MEA-11, HID-14

    # What comes first: LOG-8, MEA-5, MEA-7

    def _check_dues(self, record: Record) -> None:
        if record.kind in ("orders", "reveal", "release", "resign", "rekey", "ruling"):
            return
        if record.kind == "open_all" and self._stops_shuffle(record.by):
            return
        if record.kind in AGREEING:
            self._check_shown(record)
        elif any(item[0] != "orders" for item in self.position.barrier.owed_by(record.by)):
            sentence = "Its author owed a reveal or a card, which comes before anything else."
            raise Refusal("E-OWES", sentence, step="MEA-5")

    def _check_shown(self, record: Record) -> None:
        """A player who owes chance shows it with a proposal or answer: nobody agrees to undo what they alone know."""
        owed = self.position.barrier.owed_by(record.by)
        given = [item_of(record.by, row) for row in record.data.get("items", ())]
        if len(set(given)) < len(given) or not set(given) <= set(owed):
            raise Refusal("E-UNASKED", "The record shows something that its author does not owe.", step="MEA-5")
        if any(item not in given and self._can_show(item) for item in owed):
            sentence = "Its author owed dice or a nonce, which a proposal or an answer must show."
            raise Refusal("E-OWES", sentence, step="MEA-5")

    def _can_show(self, item: Item) -> bool:
        """A nonce, or dice of a chain of the player's own: nobody can give what their predecessor owed."""
        if item[0] != "dice":
            return item[0] == "nonce"
        mark = self.ledger.marks.get(cast(bytes, item[1]))
        witness = self.position.barrier.due[item]
        return mark is not None and mark.cid == self.ledger.join(witness).chain_id(mark.by)

    def _check_state(self, record: Record) -> None:
        """MEA-7."""
        if record.data["state"] != self.state_hash():
            raise Refusal(
                "E-DESYNC",
                "The author's program sees another position: its rules or its data differ. Nobody need have cheated.",
                step="MEA-7",
            )

    def _apply(self, record: Record) -> None:
        """The ledger's part, which changes nothing if it refuses; from here on a Refusal leaves the match broken."""
        self.ledger.apply(record)
        self.broken = True

    # Orders and plans: what a player chooses (MEA-6, MEA-13, CHA-6)

    def _take_orders(self, record: Record, doing: Doing) -> None:
        """A record of kind `orders`."""
        position, by, data = self.position, record.by, record.data
        barrier = position.barrier
        seats = self.asked(by)
        if not seats:
            raise Refusal("E-TURN", "Orders came from a player who was not asked for any.", step="MEA-2")
        self._check_state(record)
        orders = self.game.orders.read_all(data["orders"])
        self._apply(record)
        if self.ledger.spoiled is not None:
            self._stop(doing)
            return
        hidden = data.get("hide", ())
        doing.hides = {slot: seat for slot, seat, *_ in hidden}
        if len(doing.hides) < len(hidden):
            raise Refusal("E-SEALED", "The record seals two choices in one slot.", step="MEA-6")
        need = cast(Orders, self.machine.need)
        alone = barrier.alone
        changes = self._changes(record) if "standing" in data else []
        if position.proposals:
            position.proposals.clear()  # MEA-8: nobody keeps one back until they have seen what their orders bring
        member = (by, record.id, record.seq)
        if not (need.sealed or need.secret) and len(orders) < len(seats):
            raise Refusal("E-ORDER", "The record holds no order for a seat that was asked.", step="MEA-6")
        at_once = alone and not (need.sealed or need.secret or barrier.answers)
        if not at_once:
            orders = self._take_beside(need, orders, seats, doing)
        barrier.standing += changes
        barrier.live.append(member)
        if alone:
            doing.batch = Batch(orders, self.genesis.seats_of(by), self._opened, seats[-1])
        if at_once:
            doing.asked = need.label
            self._pass_barrier()
            self._advance(doing)
        else:
            barrier.records.append(member)
            for seat in seats:
                del barrier.due["orders", seat]
            if barrier.due:
                return
            self._complete(doing)
        if doing.hides:
            raise Refusal("E-SEALED", "The record holds a sealed choice for which nobody asked.", step="MEA-6")
        if changes and alone and self.genesis.mode != OPEN and self.asked(by):
            sentence = "Standing orders change only when their owner has finished ordering; more orders are due first."
            raise Refusal("E-POLICY", sentence, step="MEA-13")

    def _take_beside(self, need: Orders, orders: list[Order], seats: tuple[str, ...], doing: Doing) -> list[Order]:
        """The answer of each seat that is asked, kept until all are in; what follows in the record."""
        barrier, hidden = self.position.barrier, need.sealed or need.secret
        for at, seat in enumerate(seats):
            order = self._take_hidden(need, seat, doing) if hidden else self._checked(seat, orders[at])
            barrier.answers[seat] = None if hidden else self.game.orders.write(order)
        rest = orders if hidden else orders[len(seats) :]
        if not barrier.alone and (rest or doing.hides):
            raise Refusal(
                "E-ORDER", "When others choose as well, nothing may follow the author's own choice.", step="MEA-6"
            )
        return rest

    def _changes(self, record: Record) -> list[Change]:
        out: list[Change] = []
        for seat, decision, policy in record.data.get("standing", ()):
            if seat not in self.genesis.seats_of(record.by):
                raise Refusal("E-SEAT", "Standing orders are given for another player's seat.", step="MEA-13")
            held = policy[0] if is_sealed(policy) else policy
            self.machine.check_standing(seat, decision, read_standing(held))
            if not self.machine.may_change(seat, decision):
                sentence = f"Standing orders for {decision} cannot change now: they are given in the player's own turn."
                raise Refusal("E-POLICY", sentence, step="POL-11")
            out.append((seat, decision, held))
        if len({(seat, decision) for seat, decision, _ in out}) < len(out):
            raise Refusal("E-POLICY", "The record changes the same standing orders twice.", step="MEA-13")
        return out

    def _checked(self, seat: str, order: Order) -> Order:
        """The order, which is legal for the seat now, and what it must open is open; else E-ORDER."""
        fault = self._fault(seat, order)
        if fault is not None:
            raise fault if isinstance(fault, Refusal) else illegal(seat, fault)
        if self.around.watch is not None:
            self.around.watch.chose(self, seat, order)
        return order

    def _fault(self, seat: str, order: Order) -> Refusal | Violation | None:
        try:
            proof = self._opened(self.machine.opens(seat, order))
        except Refusal as refusal:
            return refusal
        return self.machine.check(seat, order, proof)

    def _opened(self, slots: tuple[str, ...]) -> Known:
        """The values of slots that an order uses; all must be open (E-ORDER)."""
        proof = self.known(slots)
        for slot in slots:
            if slot not in proof:
                raise Refusal("E-ORDER", f"The order uses {slot} and does not open it.", step="MEA-6")
        return proof

    def _take_hidden(self, need: Orders, seat: str, doing: Doing) -> Sealed:
        if doing.hides.pop(need.slot(seat), None) != seat:
            sentence = f"The choice of {seat} has to be sealed, and the record does not seal it."
            raise Refusal("E-SEALED", sentence, step="MEA-6")
        if self.around.watch is not None:
            self.around.watch.chose(self, seat, None)
        return Sealed(need.slot(seat))

    # From one barrier to the next (MEA-2)

    def _complete(self, doing: Doing) -> None:
        """Everything that the barrier asked for is in."""
        barrier, need = self.position.barrier, self.machine.need
        if barrier.phase == ORDERS:
            self._pass_barrier()
        if barrier.phase == ORDERS and isinstance(need, Orders) and need.sealed:
            due: dict[Item, int] = {("open", need.slot(seat)): self.genesis.player_of(seat) for seat in need.seats}
            self._loosen(doing)
            self.position.barrier = Barrier(UNSEALING, due, barrier.asked, barrier.alone)
            return
        if isinstance(need, Orders):
            if set(barrier.answers) != set(need.seats):  # sealed standing orders have left the choice to their owner
                self._lapse(doing)
                self.position.barrier = self._orders_barrier(need, barrier.answers)
                return
            self._hand_over(need, barrier.answers, doing)
        elif isinstance(need, Dice):
            self._feed(need, doing)  # all that is wanted is there
        self._advance(doing)

    def _pass_barrier(self) -> None:
        """The choices of a barrier are in: new standing orders hold, and a new key is due (MEA-13, CHA-6)."""
        position = self.position
        barrier = position.barrier
        for seat, decision, held in sorted(barrier.standing, key=lambda each: each[:2]):
            self.machine.set_standing(seat, decision, read_standing(held))
        if barrier.live:
            position.group = tuple(sorted(barrier.live))
            if self.genesis.mode != OPEN:
                position.key = None
                position.drawn.clear()

    def _hand_over(self, need: Orders, answers: dict[str, PlainOrder | None], doing: Doing) -> None:
        """The answers of all seats to the machine."""
        orders: dict[str, Order] = {}
        for seat in need.seats:
            orders[seat] = Sealed(need.slot(seat)) if need.secret else self.read(answers[seat])
        self.machine.answer(orders, doing.out)

    def _advance(self, doing: Doing) -> None:
        """On to the next barrier (MEA-2)."""
        alone = self.around.look is None and self.around.watch is None  # an onlooker is shown each order
        fast = doing.batch if alone else None
        self.machine.advance(lambda need: self._meet(need, doing), doing.out, fast)

    def _meet(self, need: Need, doing: Doing) -> bool:
        """Supply what the machine waits for, if it is at hand; else make the next barrier of it."""
        if self.around.look is not None:
            self.around.look(self, doing.out)
        if isinstance(need, Orders):
            return self._meet_orders(need, doing)
        if isinstance(need, Over):
            self._end(need.result, doing)
            return False
        phase, due = self._due(need, doing)
        if due or phase != OPENINGS:
            self._loosen(doing)  # chance lies between, whether somebody has to be waited for or not
        if due:
            if phase == OPENINGS:
                self._lapse(doing, "a secret choice had to be opened")
            self.position.barrier = Barrier(phase, due)
            return False
        self._feed(need, doing)
        return True

    def _meet_orders(self, need: Orders, doing: Doing) -> bool:
        if need.own and self._take_own(need, doing):
            return True
        if need.committed:
            self._loosen(doing)
            owners = {seat: self.genesis.player_of(seat) for seat in need.committed}
            self.position.barrier = Barrier(ANSWERS, {("answer", need.label, seat): owners[seat] for seat in owners})
            return False
        if self._go_on(need, doing):
            return True
        self._lapse(doing)
        self.position.barrier = self._orders_barrier(need, {})
        return False

    def _take_own(self, need: Orders, doing: Doing) -> bool:
        """MEA-17: the mover's next order, if it is one for this; else what goes without one. False: they are asked."""
        (seat,), decision = need.seats, self.machine.decision
        batch, plans = doing.batch, self.position.plans
        unmet, order = None, None
        if batch is not None and batch.fits(need.seats):
            order = batch.orders[batch.at]
        elif plans and plans.seat == seat:
            line = self.read(plans.next())
            unmet, order = line.unmet(self.machine.facts(seat)) if isinstance(line, PlanLine) else None, bare(line)
        if not isinstance(order, decision.takes) or unmet is not None or self._fault(seat, order) is not None:
            if need.label == doing.asked:  # their standing orders have had their say
                return self.machine.pass_own(doing.out)
            return self.machine.answer_own(doing.out, left=order is not None)
        if batch is None:
            self._take_planned(cast(Plans, plans), order, doing)
            return True
        if self.around.watch is not None:
            self.around.watch.chose(self, seat, order)
        batch.at += 1
        batch.seat = seat
        self.machine.answer({seat: order}, doing.out)
        return True

    def _take_planned(self, plans: Plans, order: Order, doing: Doing) -> None:
        """The plan's next order, which is legal now."""
        if self.around.watch is not None:
            self.around.watch.chose(self, plans.seat, order)
        after = plans.taken()
        self.position.plans = after if after or after.skipped else None
        self.machine.answer({plans.seat: order}, doing.out)

    def _loosen(self, doing: Doing) -> None:
        """What follows in the record is a plan from here on (MEA-6)."""
        batch, doing.batch = doing.batch, None
        if batch is not None and batch.left:
            if doing.asked and not batch.at:
                raise Refusal(
                    "E-ORDER", "The record passes a window and orders nothing that is asked then.", step="MEA-17"
                )
            left = tuple(map(self.game.orders.write, batch.left))
            self.position.plans = Plans(doing.by, batch.seat, left, turn=self.machine.turn)
            batch.at = len(batch.orders)  # the machine has it, too

    def _go_on(self, need: Orders, doing: Doing) -> bool:
        """Take what the record still holds, if it is for this; False: nothing was taken."""
        if doing.batch is not None:
            return self._take_batch(need, doing.batch, doing)
        plans = self.position.plans
        return plans is not None and self._follow_plan(need, plans, doing)

    def _take_batch(self, need: Orders, batch: Batch, doing: Doing) -> bool:
        """No chance lay between: the next choice of each seat that is asked, which must be legal."""
        hidden = need.secret and bool(doing.hides)
        if not set(need.seats) <= set(batch.seats) or (
            not hidden and (need.sealed or need.secret or len(batch.left) < len(need.seats))
        ):
            return False
        orders: dict[str, Order] = {}
        for seat in need.seats:
            if hidden:
                orders[seat] = self._take_hidden(need, seat, doing)
            else:
                orders[seat] = self._checked(seat, batch.orders[batch.at])
                batch.at += 1
                batch.seat = seat
        self.machine.answer(orders, doing.out)
        return True

    def _follow_plan(self, need: Orders, plans: Plans, doing: Doing) -> bool:
        """The first planned order that is legal, of a kind that the decision takes; those before it are skipped."""
        decision = self.machine.decision
        if need.seats != (plans.seat,) or not decision.is_planned:
            return False
        while plans:
            line = self.read(plans.next())
            order = bare(line)
            if not isinstance(order, decision.takes):
                break
            unmet = line.unmet(self.machine.facts(plans.seat)) if isinstance(line, PlanLine) else None
            fault = unmet or self._fault(plans.seat, order)
            if fault is not None and unmet is None and isinstance(line, PlanLine) and line.must:
                self.position.plans = plans
                self._lapse(doing, f"{self.game.notation.show(line)} was not legal: {fault}")
                return False
            if fault is None:
                self._take_planned(plans, order, doing)
                return True
            plans = plans.skip(fault.sentence if isinstance(fault, Refusal) else str(fault))
        self.position.plans = plans
        return False

    def _orders_barrier(self, need: Orders, answers: dict[str, PlainOrder | None]) -> Barrier:
        """The barrier at which those seats of the need order that have not answered."""
        asked = tuple([seat for seat in need.seats if seat not in answers]) if answers else need.seats
        due: dict[Item, int] = {("orders", seat): self.genesis.player_of(seat) for seat in asked}
        alone = len(set(due.values())) == 1
        return Barrier(ORDERS, due, asked, alone, dict(answers))

    def _lapse(self, doing: Doing, stopped: str = "") -> None:
        """The plan is at its end (MEA-6): what is left of it comes to nothing. Without `stopped`: by what is asked."""
        self._loosen(doing)
        plans, self.position.plans = self.position.plans, None
        if plans is None:
            return
        if not stopped and plans:
            stopped = self.machine.prompt(cast(Orders, self.machine.need).seats[0]).rstrip(".")
        if plans:
            doing.lapsed = Lapsed(plans.by, plans.seat, plans.turn, plans.left, stopped)
        if doing.out.wanted and (plans or plans.skipped):
            done, left = (tuple(map(self.read, each)) for each in (plans.done, plans.left))
            skipped = tuple((self.read(plans.orders[at]), why) for at, why in plans.skipped)
            doing.out.add(PlanEnded(plans.seat, done, skipped, left, stopped if left else ""))

    # What is due before the machine can be fed, and feeding it

    def _due(self, need: Need, doing: Doing) -> tuple[str, dict[Item, int]]:
        """What must come before the machine can be fed. Items of the record being taken count as not yet there."""
        if isinstance(need, Dice):
            return DICE, self._dice_due(doing)
        if isinstance(need, Cards):
            return CARDS, self._cards_due(need, doing)
        assert isinstance(need, Openings)
        out: dict[Item, int] = {}
        for slot in need.slots:
            choice = self.ledger.sealed.get(slot)
            if choice is not None:
                out["open", slot] = choice.author
            elif ("open", slot) in doing.given:
                out["open", slot] = doing.by
            elif self.ledger.value(slot) is None:
                raise RuntimeError(f"the rules ask to open {slot}, in which nothing was sealed")
        return OPENINGS, out

    def _dice_due(self, doing: Doing) -> dict[Item, int]:
        position = self.position
        if position.key is not None or self.genesis.mode == OPEN:
            return {}
        out: dict[Item, int] = {}
        for by, orders, _ in position.group:
            mark = self.ledger.marks.get(orders)
            if mark is None or mark.x is None or ("dice", orders) in doing.given:
                out["dice", orders] = cast(int, self.genesis.witness(by))
        return out

    def _cards_due(self, need: Cards, doing: Doing) -> dict[Item, int]:
        ledger, given = self.ledger, doing.given
        kind = ledger.decks.kind
        for shuffle in need.requests:
            if isinstance(shuffle, Shuffle):
                item = self._shuffle_due(shuffle, given)
                if item is not None:
                    return item
        out: dict[Item, int] = {}
        for request in need.requests:
            if isinstance(request, Shuffle):
                continue
            slot = request.slot
            if kind == SHUFFLED:
                holder = self.genesis.player_of(request.seat) if isinstance(request, Give) else None
                done = ledger.released(slot) if ledger.value(slot) is None else ledger.decks.pair
                for player in ledger.decks.pair:
                    if player != holder and (player not in done or ("slot", slot, player) in given):
                        out["slot", slot, player] = player
            elif kind == DEALT and isinstance(request, Give):
                known = ledger.value(slot) is not None or self.genesis.player_of(request.seat) in ledger.holders(slot)
                if not known or ("give", slot, request.seat) in given:
                    out["give", slot, request.seat] = UMPIRE
            elif kind == DEALT and (ledger.value(slot) is None or ("show", slot) in given):
                out["show", slot] = UMPIRE
        return out

    def _shuffle_due(self, request: Shuffle, given: dict[Item, list[Any]]) -> dict[Item, int] | None:
        """The one pass or deal that comes next for this deck; None: it is shuffled."""
        decks, deck = self.ledger.decks, request.deck
        epoch = self.position.epochs.get(deck, 0) + 1
        last, due = decks.last.get(deck, 0), decks.due(deck)
        if decks.kind == DEALT:
            if last < epoch or ("deal", deck, epoch) in given:
                return {("deal", deck, epoch): UMPIRE}
        elif decks.kind == SHUFFLED:
            for stage in range(1, 5):
                if ("pass", deck, epoch, stage) in given:
                    author = decks.author(decks.epoch(deck, epoch).plan, stage)  # type: ignore[union-attr]
                    return {("pass", deck, epoch, stage): author}
            if last < epoch:
                asked = self.wanted(deck)
                return {("pass", deck, epoch, 1): decks.author(decks.plan(deck, asked.cards, asked.back).plan, 1)}
            if due is not None:
                return {("pass", deck, epoch, due[0]): due[1]}
        return None

    def wanted(self, deck: str, doing: Doing | None = None) -> Shuffle:
        """The shuffle of this deck that the rules ask for, in the terms of the ledger (HID-17).

        The rules do not know which of the slots that they return are public: a card that was stolen, or that was shown
        and then taken back. The ledger knows, and those cards go in openly. `doing`: the record being taken, if it
        holds the deal that has made the ledger forget them (HID-20).
        """
        need = cast(Cards, self.machine.need)
        request = next(each for each in need.requests if isinstance(each, Shuffle) and each.deck == deck)
        if self.genesis.mode == OPEN:
            return request  # where all cards are open (HID-50)
        public = doing.public if doing is not None and doing.public else self.known(request.back)
        cards = [cast(int, public[slot]) for slot in request.back if slot in public]
        back = tuple([slot for slot in request.back if slot not in public])
        return Shuffle(deck, tuple(sorted([*request.cards, *cards])), back)

    def _feed(self, need: Need, doing: Doing) -> None:
        """Give the machine what it waits for; everything is at hand."""
        if isinstance(need, Dice):
            got: Mapping[str, Any] = self.roll(need, doing)
        elif isinstance(need, Cards):
            got = self._dealt(need)
        else:
            got = {slot: self.ledger.value(slot) for slot in cast(Openings, need).slots}
        self.machine.feed(got, doing.out)

    def roll(self, need: Dice, doing: Doing) -> dict[str, tuple[int, ...]]:
        position = self.position
        open_mode = self.genesis.mode == OPEN
        group = () if open_mode else tuple([orders for _, orders, _ in position.group])
        if position.key is None:
            position.key = self.ledger.key(group)
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

    def _dealt(self, need: Cards) -> dict[str, int]:
        position, ledger = self.position, self.ledger
        open_mode, shuffled = self.genesis.mode == OPEN, False
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
            if self.genesis.mode != STRICT:
                position.hands[request.slot] = request.seat if isinstance(request, Give) else ""
            if not isinstance(request, Give):
                shown[request.slot] = cast(int, ledger.value(request.slot))
        if shuffled:  # which retires the slots of cards that have gone back into the deck
            gone = [slot for slot in position.hands if ledger.value(slot) is None]
            for slot in gone if open_mode else [slot for slot in gone if not ledger.holders(slot)]:
                del position.hands[slot]
        return shown

    # Reveals and releases: what programs supply (MEA-2, MEA-15)

    def _take_items(self, record: Record, doing: Doing) -> None:
        """A record of kind `reveal` or `release`: items that are owed now, or become owed by those before them."""
        position, by, given, shuffles = self.position, record.by, doing.given, 0
        again: set[Item] = set()
        for payload in record.data["items"]:
            item = item_of(by, payload)
            if item in given and item[0] != "answer":
                raise Refusal("E-UNASKED", "The record shows one thing twice.", step="MEA-2")
            given.setdefault(item, []).append(payload)
            if item[0] == "dice":
                if (mark := self.ledger.marks.get(payload[1])) is not None and mark.x is not None:
                    again.add(item)
            elif item[0] == "deal":
                doing.public = self.ledger.decks.public()
                shuffles += 1
            elif item[0] == "pass":
                shuffles += item[3] == 1
        self._apply(record)
        position.shuffles += shuffles
        if self.ledger.spoiled is not None:
            self._stop(doing)
            return
        taken = False
        while True:
            barrier = position.barrier
            mine = [item for item in barrier.owed_by(by) if _key(item) in given]
            if not mine:
                break
            for item in mine:
                key = _key(item)
                payload = given[key].pop(0)
                if not given[key]:
                    del given[key]
                self._take_item(item, payload, doing)
                del barrier.due[item]
                self._shown(item)
            if not taken or not doing.partial:
                barrier.records.append((by, record.id, record.seq))
            taken = True
            if barrier.due or (doing.partial and given):
                break
            self._complete(doing)
            if doing.partial:
                break
        if given or not taken:
            item = next(iter(given), ())
            raise self._unowed(record, item, taken, again=item in again)

    def _shown(self, item: Item) -> None:
        """Who agreed to a proposal before these dice were known has to agree again (MEA-8)."""
        if self.position.proposals and item[0] in ("nonce", "dice"):
            for proposal in self.position.proposals.values():
                proposal.show(item, self.genesis.players)

    def _take_item(self, item: Item, payload: list[Any], doing: Doing) -> None:
        """What the rules have to say about one item; the ledger has checked it against what was promised."""
        what, phase = item[0], self.position.barrier.phase
        if what == "open" and phase == UNSEALING:
            self._take_opened(str(item[1]))
        elif what == "open":
            violation = self.machine.check_opened(str(item[1]), cast(bytes, self.ledger.value(str(item[1]))))
            if violation is not None:
                raise Refusal("E-ORDER", f"What was sealed in {item[1]!s} was not allowed: {violation}.", step="MEA-6")
        elif what == "answer":
            self._take_answer(str(item[2]), payload, doing)
        elif (what == "pass" and item[3] == 1) or what == "deal":
            asked = self.wanted(str(item[1]), doing)
            if payload[-2] != list(asked.cards) or payload[-1] != list(asked.back):
                raise Refusal("E-DECK", "Other cards are shuffled than the rules say.", step="HID-17")

    def _take_opened(self, slot: str) -> None:
        need = cast(Orders, self.machine.need)
        seat = next(each for each in need.seats if need.slot(each) == slot)
        order = self._checked(seat, self.game.orders.unpack(cast(bytes, self.ledger.value(slot))))
        self.position.barrier.answers[seat] = self.game.orders.write(order)

    def _take_answer(self, seat: str, payload: list[Any], doing: Doing) -> None:
        """MEA-15. A pass is believed until the audit; anything else must follow from the standing orders it opens."""
        machine, position = self.machine, self.position
        need = cast(Orders, machine.need)
        _, _, answer, proof = payload
        if self.around.watch is not None:
            self.around.watch.answered(self, seat, answer)
        passing = machine.passing(seat)
        if answer is not None and proof is None:
            if passing is None or self.read(answer) != passing:
                raise Refusal("E-ANSWER", "A prepared answer other than passing needs a proof.", step="MEA-15")
            position.barrier.answers[seat] = answer
            return
        if proof is None:
            sentence = "The record must prove that the standing orders leave the choice to their owner."
            raise Refusal("E-ANSWER", sentence, step="MEA-15")
        choice = self.ledger.standing.get((seat, need.kind))
        nonce, padded = proof[:NONCE], proof[NONCE:]
        slot = standing_slot(seat, need.kind)
        if choice is None or commitment(self.genesis.game_id, seat, slot, nonce, padded) != choice.commitment:
            raise Refusal("E-ANSWER", "The proof opens other standing orders than those in force.", step="MEA-15")
        policy = unpack_policy(cast(bytes, unpad(padded)))  # the ledger has looked at the padding
        if answer is None:
            if machine.standing_answer(seat, policy) is not None:
                raise Refusal("E-ANSWER", "The standing orders give an answer; they do not ask.", step="MEA-15")
            machine.opened_standing(seat, policy)
            machine.ask(seat)
            return
        order = self.read(answer)
        self._checked(seat, order)
        slots = machine.opens(seat, order)
        for each in slots:
            doing.given.pop(("open", each), None)
        if machine.standing_answer(seat, policy, self.known(slots)) != order:
            raise Refusal("E-ANSWER", "The standing orders that were opened give another answer.", step="MEA-15")
        machine.opened_standing(seat, policy)
        position.barrier.answers[seat] = answer
        if order != passing and not machine.decision.stance:
            title, text = self.game.seat(seat).title, self.game.notation.show(order)
            self._lapse(doing, f"{title} answered by standing orders: {text}")

    def _unowed(self, record: Record, item: Item, taken: bool, *, again: bool) -> Refusal:
        kind = str(item[0]) if item else record.kind
        early = not taken and self.position.barrier.phase not in (ORDERS, OVER)
        why = "before it is owed" if early else "that nobody asked for"
        return Refusal("E-UNASKED", f"The record gives a {kind} {_AGAIN if again else why}.", step="MEA-2")

    # Giving up, and agreeing (MEA-8, MEA-9)

    def _running(self, step: str) -> None:
        if self.result is not None or self.position.spoiled:
            raise _act("The game is over.", step)

    def _resign(self, record: Record, doing: Doing) -> None:
        self._running("MEA-8")
        seats = tuple(record.data["seats"])
        if not set(seats) <= set(self.genesis.seats_of(record.by) if record.by != UMPIRE else ()):
            raise Refusal("E-SEAT", "A player can only resign for seats of their own.", step="MEA-8")
        self._end(self._forfeit(seats), doing)
        self.position.ended.add(record.by)

    def _forfeit(self, seats: tuple[str, ...]) -> Result:
        self.broken = True
        in_order = tuple(seat.name for seat in self.genesis.seats if seat.name in seats)
        return self.game.forfeit(self.machine.state, in_order)

    def _proposal(self, record: Record) -> Proposal:
        """What a tie, a takeback or a migration proposes, if it may be proposed here."""
        what, data, barrier = record.kind, record.data, self.position.barrier
        step = "MEA-8" if what == TIE else "MEA-9"
        self._running(step)
        _player(record, step)
        proposal = Proposal(what, record.by, self._others(record.by))
        if what == TAKEBACK:
            proposal.to = tuple((by, count) for by, count in data["to"])
            self.earlier(proposal.to)
        elif what == MIGRATE:
            if data["before"] != self.state_hash():
                raise Refusal("E-DESYNC", "The migration starts from another position than this one.", step="MEA-7")
            if data["from"] != {"behaviour": self.setup.behaviour, "data": self.setup.data.digest}:
                raise _act("The migration starts from other rules than those in force.", "MEA-9")
            if barrier.phase != ORDERS or barrier.live or barrier.answers:
                raise _act("A migration waits until nothing but orders is owed.", "MEA-9")
            to = data["to"]
            proposal.behaviour, proposal.data, proposal.needs = to["behaviour"], to["data"], to["needs"]
            proposal.before, proposal.after = data["before"], data["after"]
            self._migrated(proposal)
        return proposal

    def _propose(self, record: Record, proposal: Proposal, doing: Doing) -> None:
        """One stands at a time: else its author could let it lapse later, by one that had not seen the answer."""
        if self.position.proposals:
            raise _act("Another proposal has not been answered yet. A new one can be made only after that.", "MEA-8")
        self.broken = True
        self.position.proposals[record.id] = proposal
        self._show(record, proposal)
        if not doing.judged:  # its author has not seen all that came before it: dice, perhaps
            proposal.waiting.add(record.by)
        if not proposal.waiting:
            self._agreed(record, record.id, doing)

    def _show(self, record: Record, proposal: Proposal) -> None:
        for row in record.data.get("items", ()):
            proposal.show(item_of(record.by, row), self._others(record.by))

    def _others(self, by: int) -> set[int]:
        return {player for player in self.genesis.players if player != by}

    def earlier(self, to: tuple[tuple[int, int], ...]) -> Match[Any]:
        """The match as it stood at that vector: at a choice, under the same rules, and nothing was shuffled since."""
        if self.around.history is None:
            raise RuntimeError("a match without a history")
        earlier = self.around.history(to)
        if earlier.position.barrier.phase != ORDERS or earlier.position.barrier.live:
            raise _act("You can only go back to a point where a player was choosing.", "MEA-9")
        if earlier.position.pin != self.position.pin or earlier.position.shuffles != self.position.shuffles:
            raise _act("A takeback cannot go back past a shuffle, nor past a change of rules.", "MEA-9")
        return earlier

    def _unbound(self, by: int, earlier: Match[Any]) -> set[int]:
        """The players who could still undo this takeback when they have seen what it brings, and so have to agree last.

        They owe something here, so a record of theirs that had not seen the last yes would come before it; and the game
        could go on without them from where it leads. Chance that is due has been shown by now and moves nobody.
        """
        barrier = self.position.barrier
        owing = {player for item, player in barrier.due.items() if item[0] not in ("nonce", "dice")}
        return owing.intersection(self.genesis.players) - {by} - set(earlier.position.barrier.due.values())

    def migrated(self, behaviour: int, data: bytes, needs: str) -> tuple[Game[Any], Any, Machine[Any], bytes]:
        """Game, setup and machine under other rules, and the state hash they make."""
        found = self.around.upgrade(behaviour, data) if self.around.upgrade is not None else None
        if found is None:
            if behaviour > self.game.behaviour:
                raise newer_rules(self.game, behaviour, needs, "MEA-9")
            sentence = f"The migration leads to data of {self.game.title} that are not installed here."
            raise Refusal("E-PINS", sentence, step="MEA-9")
        game, held = found
        offer = self.genesis.offer
        setup = replace(game.setup_of(offer.scenario, offer.options, held, self.setup.players), behaviour=behaviour)
        machine = Machine.load(game, setup, self.machine.dump())
        return machine.game, setup, machine, tagged("pbem1/state", be32(self.position.pin + 1), machine.digest())

    def _migrated(self, proposal: Proposal) -> tuple[Game[Any], Any, Machine[Any], bytes]:
        found = self.migrated(proposal.behaviour, proposal.data, proposal.needs)
        if found[3] != proposal.after:
            sentence = "Under the new rules this position has another hash than was agreed."
            raise Refusal("E-DESYNC", sentence, step="MEA-9")
        return found

    def _answer(self, record: Record, doing: Doing) -> None:
        key = record.data["to"]
        proposal = self.position.proposals.get(key)
        if proposal is None or record.by not in proposal.waiting:
            raise _act("There is no proposal that waits for this answer.", "MEA-8")
        self.broken = True
        if not record.data["yes"]:
            del self.position.proposals[key]
            return
        proposal.waiting.discard(record.by)
        self._show(record, proposal)
        if not proposal.waiting:
            self._agreed(record, key, doing)

    def _agreed(self, record: Record, key: bytes, doing: Doing) -> None:
        """All have said yes, the author of this record last."""
        proposal = self.position.proposals[key]
        unseen = [item for item in self.position.barrier.chance() if shown_key(item) not in proposal.shown]
        if any(map(self._can_show, unseen)):
            raise _act("Dice or a nonce are still due; they must be shown before this agreement.", "MEA-8")
        earlier = self.earlier(proposal.to) if proposal.what == TAKEBACK else None
        if earlier is not None:
            proposal.waiting = self._unbound(record.by, earlier)
            if proposal.waiting:
                return
        del self.position.proposals[key]
        if earlier is not None:
            self._restore(earlier, doing)
        elif proposal.what == TIE:
            self._end(Result(None, "tie"), doing)
        else:
            if proposal.before != self.state_hash():
                raise _act("The position has changed since the migration was proposed.", "MEA-9")
            self._lapse(doing, "the rules of the game were exchanged")
            self.game, self.setup, self.machine, _ = self._migrated(proposal)
            position = self.position
            position.pin += 1
            position.behaviour, position.data = proposal.behaviour, proposal.data
            position.proposals.clear()
            position.barrier.state = None

    # Claims and rulings: MEA-10

    def _claim(self, record: Record) -> None:
        """What the game waits for, named: a forfeit without an umpire cites it (MEA-10)."""
        self._running("MEA-10")
        if not self.genesis.offer.silence:
            raise _act(
                "In this game nobody can claim a forfeit: its offer excludes forfeits, or it has an umpire.", "MEA-10"
            )
        barrier, owed = self.position.barrier, tuple(map(tuple, record.data["owed"]))
        if barrier.owed_by(record.by):
            raise Refusal("E-OWES", "Its author owes something, which comes before a claim on others.", step="MEA-10")
        if not set(owed) <= barrier.due.keys():
            raise _act("This claim names something that nobody owes.", "MEA-10")
        self.broken = True
        for key in [key for key, claim in barrier.claims.items() if claim.by == record.by]:
            del barrier.claims[key]
        barrier.claims[record.id] = Claim(record.by, owed)

    def _ruling(self, record: Record, doing: Doing) -> None:
        data = record.data
        what = data["what"]
        if "state" in data and doing.judged:  # MEA-4: nobody undoes a ruling by what they send without having seen it
            self._check_state(record)
        by_players = self.genesis.umpire is None
        if what == "forfeit":
            # An answer that crossed the forfeit does not undo it, not even one that ended the game by the rules.
            by_rules = isinstance(self.machine.need, Over) and not self.position.put_out
            if doing.judged or not by_players or not by_rules:
                self._running("MEA-10")
        elif what == "adjudge":
            self._running("MEA-10")
        concerned = frozenset(concerned_by(self.genesis, data))
        if doing.judged and by_players:
            self._check_silent(data, concerned)
        given_again = list(self.ledger.decks.held(data["player"])) if what == "substitute" else []
        joins = dict(self.ledger.joins)
        self._apply(record)
        if what == "branch":
            self.position.forkers.update(concerned)
        if not self.ledger.holds(record) or (what == "substitute" and joins == self.ledger.joins):
            return  # once a substitute has come in, ruling so again changes nothing
        self.position.claimed = by_players
        if what == "forfeit":
            result = self._forfeit(tuple(data["seats"]))
            self._end(result if by_players else replace(result, how=f"{result.how}, ruled by the umpire"), doing)
            self.position.ended.update(self.genesis.players)
            self.position.put_out = dict.fromkeys(sorted(concerned), record.id)
        elif what == "adjudge":
            scores = tuple(sorted(data["scores"].items()))
            by = "the umpire" if record.by == UMPIRE else "all players"
            self._end(Result(data["winner"], f"adjudged, ruled by {by}", scores), doing)
            self.position.ended.update(self.genesis.players)
        elif what == "escrow":
            self._shown_by_umpire(data["orders"], doing)
        elif what == "substitute":
            self._hand_on(data["player"], given_again, doing)

    def _check_silent(self, data: Mapping[str, Any], concerned: frozenset[int]) -> None:
        """Without an umpire nobody is put out while the game does not wait for them, or has not since the claim."""
        barrier = self.position.barrier
        if data["what"] == "forfeit" and not concerned <= barrier.silent(data["claim"]):
            sentence = (
                "A player removed by this ruling has given what the claim names, or never owed it: make a new claim."
            )
            raise Refusal("E-RULING", sentence, step="MEA-10")
        suspect = self.position.forkers.union(barrier.due.values())
        if data["what"] in ("substitute", "rekey") and not concerned <= suspect:
            sentence = "Without an umpire, the others can rule a player out only while the game waits for that player."
            raise Refusal("E-RULING", sentence, step="MEA-10")

    def _hand_on(self, player: int, given_again: list[str], doing: Doing) -> None:
        """A new player has the seats: their hand is dealt again, and they are asked what the old one had sealed.

        What was claimed of the old one is not claimed of them.
        """
        barrier, machine = self.position.barrier, self.machine
        for key, claim in barrier.claims.items():
            kept = tuple(item for item in claim.owed if barrier.due.get(item) != player)
            barrier.claims[key] = replace(claim, owed=kept)
        seats = self.genesis.seats_of(player)
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
            self._complete(doing)

    def _shown_by_umpire(self, orders: bytes, doing: Doing) -> None:
        """The escrow opens what a witness withheld (MEA-10)."""
        barrier = self.position.barrier
        if barrier.due.pop(("dice", orders), None) is None:
            raise _act("Nobody waits for these dice.", "MEA-10")
        if not barrier.due:
            self._complete(doing)

    # How a game is closed (MEA-11)

    def _sign(self, record: Record) -> None:
        _player(record, "MEA-11")
        position = self.position
        if position.result is None:
            raise _act("The game is not over.", "MEA-11")
        if record.by in position.ended:
            raise _act("This player has signed the result before.", "MEA-11")
        self._check_state(record)
        if record.data["result"] != position.result.plain():
            raise Refusal("E-ACT", "The result signed is not the one that the rules give.", step="MEA-11")
        self.broken = True
        position.ended.add(record.by)
        position.barrier.records.append((record.by, record.id, record.seq))

    def _stops_shuffle(self, by: int) -> bool:
        """May this player open everything in place of their pass, because the one before it is foul (HID-14)?"""
        return any(item[0] == "pass" and item[3] != 1 for item in self.position.barrier.owed_by(by))

    def _open_all(self, record: Record, doing: Doing) -> None:
        position = self.position
        stops = self._stops_shuffle(record.by)
        due = position.spoiled or (position.result is not None and position.ended >= set(self.genesis.players))
        if not (due or stops) or record.by in position.opened:
            raise _act("Not everybody has signed the result, or this was opened before.", "MEA-11")
        self._apply(record)
        if stops:
            position.stopped = (record.by, record.id, record.seq)
            self._stop(doing)
        else:
            if not position.opened:
                position.barrier.records.clear()
            position.barrier.records.append((record.by, record.id, record.seq))
        position.opened.add(record.by)

    def _end(self, result: Result, doing: Doing) -> None:
        self._lapse(doing, "the game was over")
        decided = self.around.decided
        chosen = doing.record is not None and decided is not None and decided(doing.record)
        if self.position.claimed or (chosen and self.genesis.umpire is None):
            result = replace(result, how=f"{result.how}, claimed by the others")
        self.position.result = result
        self.position.proposals.clear()
        self.position.barrier = Barrier(OVER)

    def _stop(self, doing: Doing) -> None:
        """Somebody cheated in a shuffle: no result, and everything is opened (HID-18)."""
        self._lapse(doing, "a shuffle was found foul")
        self.position.spoiled = True
        self.position.proposals.clear()
        self.position.barrier = Barrier(OVER)

    def _restore(self, other: Match[S], doing: Doing) -> None:
        """Go back to where `other` stands; what was shown stays shown (MEA-9)."""
        mine, old = self.position, other.position
        self.machine = other.machine
        self.position = replace(mine, barrier=old.barrier, group=old.group, drawn=old.drawn, proposals={}, plans=None)
        self.position.barrier.records.clear()
        self.position.barrier.claims.clear()

    def known(self, slots: Iterable[str]) -> dict[str, int | Order]:
        """Those of the slots whose values are public (E-ORDER: a choice that is not an order of the game)."""
        found = {slot: self.ledger.value(slot) for slot in slots}
        read = self.game.orders.unpack
        return {
            slot: read(value) if isinstance(value, bytes) else value
            for slot, value in found.items()
            if value is not None
        }

    def seen_by(self, player: int) -> dict[str, int | Order]:
        """The public cards; in mode `open` what the player was given, too."""
        if self.genesis.mode != OPEN:
            return {**self.ledger.decks.public()}
        seats = ("", *self.genesis.seats_of(player))
        return self.known(slot for slot, seat in self.position.hands.items() if seat in seats)

    def known_to(self, seats: Sequence[str], own: Known) -> Known:
        """Of what their player knows, what these seats may see: nothing of other sides, in a game against oneself."""
        if self.genesis.mode == STRICT:  # nobody holds seats of two sides (GEN-6)
            return own
        sides = {self.game.seat(seat).side for seat in seats}

        def owner(slot: str) -> str:
            return slot.split("/")[1] if self.ledger.sealed.get(slot) is not None else self.position.hands.get(slot, "")

        return {
            slot: value
            for slot, value in own.items()
            if not (seat := owner(slot)) or self.game.seat(seat).side in sides
        }

    def read(self, plain: Plain) -> Order:
        """An order as it stands in a record, or a line of a plan."""
        return self.game.orders.read_line(plain)

    # Saving

    def dump(self) -> dict[str, Plain]:
        return {"ledger": self.ledger.dump(), "machine": self.machine.dump(), "position": dump(self.position)}

    @classmethod
    def load(cls, genesis: Genesis, game: Game[S], plain: Plain, data: DataSet | None = None) -> Match[S]:
        """From one's own dump. `game` and `data` are those in force at that point."""
        if not isinstance(plain, Mapping) or set(plain) != {"ledger", "machine", "position"}:
            raise unfit("a match expected")
        position = load(Position, plain["position"])
        setup = chosen_setup(genesis.offer, game, data or game.data, position.behaviour)
        machine = Machine.load(game, setup, plain["machine"])
        match = cls(genesis, game, setup, machine, Ledger.load(genesis, plain["ledger"]))
        match.position = position
        return match

    def copy(self) -> Match[S]:
        """Another match that stands at the same point."""
        other = Match.load(self.genesis, self.game, self.dump(), self.setup.data)
        other.around = self.around
        return other


def item_of(by: int, payload: list[Any]) -> Item:
    """What a row of a reveal or release gives."""
    named = tuple(payload[: _NAMED[payload[0]]])
    return (*named, by) if payload[0] in ("nonce", "slot") else named


_NAMED = {"nonce": 1, "answer": 2, "dice": 2, "open": 2, "show": 2, "slot": 2, "give": 3, "deal": 3, "pass": 4}
"""How many fields of a row say what it gives; a nonce, and the key of a slot, are their author's besides."""


def _key(item: Item) -> Item:
    """Under which an item that is due is found among those given: an answer does not name its seat."""
    return item[:2] if item[0] == "answer" else item


def _act(sentence: str, step: str) -> Refusal:
    return Refusal("E-ACT", sentence, step=step)


def _player(record: Record, step: str) -> None:
    if record.by == UMPIRE:
        raise _act("An umpire does not play.", step)
