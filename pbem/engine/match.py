"""One game as the log tells it: records folded into a machine and a ledger (docs/spec/meaning.md).

`Match.accept` takes records in an order that `Replay` has made canonical. It judges as it goes: after a Refusal with
`spoiled` set the match must be rebuilt from a checkpoint, which is cheaper than copying the game before every record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pbem.engine import acts, house, turn
from pbem.engine.barrier import ANSWERS, NONCES, OPENINGS, ORDERS, OVER, Barrier, Plans, Position
from pbem.engine.event import Event, Out, PlanEnded
from pbem.engine.game import DataSet, Game, Setup
from pbem.engine.machine import Batch, Machine
from pbem.engine.need import Need, Orders, Over, Result
from pbem.engine.obligation import ANSWER, END, KIND_OF_ITEM, OPEN_ALL, Item, Obligation
from pbem.engine.order import Order
from pbem.engine.plain import dump, load, unfit
from pbem.engine.step import GameError
from pbem.protocol.canonical import Plain
from pbem.protocol.digest import be32, tagged
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import OPEN, Genesis, Offer
from pbem.protocol.kinds import AGREEING
from pbem.protocol.ledger import Ledger
from pbem.protocol.listing import Drawn
from pbem.protocol.record import Record

if TYPE_CHECKING:
    from pbem.engine.oracle import Oracle

S = TypeVar("S")
Upgrade = Callable[[int, bytes], "tuple[Game[Any], DataSet] | None"]
"""The game of this behaviour number and data digest, if this program has it (MEA-9)."""
History = Callable[[tuple[tuple[int, int], ...]], "Match[Any]"]
"""The match as it stood at a vector; refuses one that cannot be returned to."""
Look = Callable[["Match[Any]", Out], None]
"""Told whenever the machine has come to rest inside a record, with what has happened in the record so far."""


@dataclass(frozen=True, slots=True)
class Lapsed:
    """What was left of a plan when it stopped: whose it was, made in which turn, packed, and what stopped it."""

    by: int
    seat: str
    turn: int
    orders: tuple[bytes, ...]
    stopped: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """What taking a record did."""

    events: tuple[Event, ...] = ()
    draws: tuple[Drawn, ...] = ()
    moot: bool = False
    lapsed: Lapsed | None = None


_NOTHING = Accepted()


@dataclass(slots=True)
class Doing:
    """What the record that is being taken brings about.

    `given` are the items of a reveal or release not yet used, `hides` the sealed choices of orders, seat by slot.
    `batch`: its orders, as long as they have to be legal. `public`: the public cards before a deal, which makes the
    ledger forget those that it takes in.
    `judged`: it is judged by its own past.
    """

    record: Record | None = None
    by: int = -1
    judged: bool = True
    out: Out = field(default_factory=Out)
    draws: list[Drawn] = field(default_factory=list)
    given: dict[Item, list[Any]] = field(default_factory=dict)
    hides: dict[str, str] = field(default_factory=dict)
    batch: Batch | None = None
    public: dict[str, int] = field(default_factory=dict)
    lapsed: Lapsed | None = None

    def done(self) -> Accepted:
        if self.draws or self.out.events or self.lapsed is not None:
            return Accepted(tuple(self.out.events), tuple(self.draws), lapsed=self.lapsed)
        return _NOTHING


def setup_of(offer: Offer, game: Game[Any], data: DataSet | None = None) -> Setup:
    """What the offer fixes, checked against the game at hand (E-PINS, E-BEHAVIOUR)."""
    rules = offer.rules
    if rules.module != game.name:
        raise Refusal("E-PINS", f"This is a game of {rules.module}, not of {game.name}.", step="GEN-1")
    if rules.behaviour > game.behaviour:
        sentence = f"This game needs newer rules of {game.title} (behaviour {rules.behaviour}); update pbem."
        raise Refusal("E-BEHAVIOUR", sentence, step="GEN-1")
    held = data or game.data
    if rules.data != held.digest:
        raise Refusal("E-PINS", f"This game is played with other data of {game.title} than yours.", step="GEN-1")
    if tuple((s.name, s.side) for s in offer.seats) != tuple((s.name, s.side) for s in game.seats):
        raise Refusal("E-SETUP", f"The seats of this game are not those of {game.title}.", step="GEN-1")
    if offer.decks != tuple(sorted(game.decks)):
        raise Refusal("E-SETUP", f"The decks of this game are not those of {game.title}.", step="GEN-1")
    return chosen_setup(offer, game, held, rules.behaviour)


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
        self.spoiled = False
        self.upgrade: Upgrade | None = None
        self.history: History | None = None
        self.decided: Callable[[Record], bool] | None = None  # a ruling `branch` holds in this record's past
        self.watch: Oracle | None = None
        self.look: Look | None = None
        self.begun: tuple[Event, ...] = ()  # what the start brought about, where nothing else has to come first
        self.told = True  # events are wanted

    @classmethod
    def start(cls, genesis: Genesis, game: Game[S], data: DataSet | None = None) -> Match[S]:
        """The match right after the start record."""
        setup = setup_of(genesis.offer, game, data)
        match = cls(genesis, game, setup, Machine.start(game, setup), Ledger(genesis))
        if genesis.mode == OPEN:
            doing = Doing()
            match.advance(doing)
            match.begun = tuple(doing.out.events)
        else:
            match.position.barrier.due = {("nonce", by): by for by in genesis.authors}
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
        return tuple(Obligation(by, OPEN_ALL) for by in self.openers() if by not in position.opened)

    def openers(self) -> tuple[int, ...]:
        """Who opens everything at the end: the players, and an umpire who was witness, dealer or keeper of escrows."""
        return self.genesis.authors

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
        self.spoiled = False
        doing = Doing(record, record.by, judged, Out(wanted=self.told))
        try:
            if judged:
                self._check_manners(record)
            if record.kind == "orders":
                turn.take(self, record, doing)
            elif record.kind in ("reveal", "release"):
                house.take(self, record, doing, partial)
            else:
                acts.take(self, record, doing)
        except Refusal as refusal:
            raise refusal.of(record.by, record.id) from None
        except (PbemError, MemoryError):
            raise
        except Exception as fault:  # whatever a game's rules do with a record that was made to confuse them
            self.spoiled = True
            step = self.machine.step.name
            why = str(fault) if isinstance(fault, GameError) else f"{type(fault).__name__} in the step {step}."
            sentence = f"The rules of {self.game.title} fail at this record, which is a fault in them: {why}"
            raise Refusal("E-RULES", sentence, step="MEA-6", author=record.by, record=record.id) from fault
        return doing.done()

    def _check_manners(self, record: Record) -> None:
        if record.pin != self.position.pin:
            raise Refusal("E-PINS", "This record names other rules than those in force when it was made.", step="LOG-8")
        if record.kind in ("orders", "reveal", "release", "resign", "rekey", "ruling"):
            return
        if record.kind == "open_all" and acts.stops_shuffle(self, record.by):
            return
        if record.kind in AGREEING:
            self._check_shown(record)
        elif any(item[0] != "orders" for item in self.position.barrier.owed_by(record.by)):
            raise Refusal(
                "E-OWES", "Its author owed a reveal or a card, which comes before anything else.", step="MEA-5"
            )

    def _check_shown(self, record: Record) -> None:
        """Whoever owes chance shows it in what they offer or answer: nobody agrees to undo what they alone know."""
        owed = self.position.barrier.owed_by(record.by)
        given = [house.item_of(record.by, row) for row in record.data.get("items", ())]
        if len(set(given)) < len(given) or not set(given) <= set(owed):
            raise Refusal("E-UNASKED", "The record shows something that its author does not owe.", step="MEA-5")
        if any(item not in given and self.can_show(item) for item in owed):
            raise Refusal(
                "E-OWES", "Its author owed dice or a nonce; whoever offers or answers shows them with it.", step="MEA-5"
            )

    def can_show(self, item: Item) -> bool:
        """A nonce, or dice of a chain of the player's own: nobody can give what their predecessor owed."""
        if item[0] != "dice":
            return item[0] == "nonce"
        mark = self.ledger.mark(cast(bytes, item[1]))
        witness = self.position.barrier.due[item]
        return mark is not None and mark.cid == self.ledger.join(witness).chain_id(mark.by)

    # The fold's own: called by turn, house and acts

    def complete(self, doing: Doing) -> None:
        """Everything that the barrier asked for is in."""
        if self.position.barrier.phase == ORDERS:
            turn.complete(self, doing)
        else:
            house.complete(self, doing)

    def advance(self, doing: Doing) -> None:
        """On to the next barrier (MEA-2)."""
        fast = doing.batch if self.look is None and self.watch is None else None  # who looks on is shown each order
        self.machine.advance(lambda need: self._meet(need, doing), doing.out, fast)

    def _meet(self, need: Need, doing: Doing) -> bool:
        """Supply what the machine waits for, if it is at hand; else make the next barrier of it."""
        if self.look is not None:
            self.look(self, doing.out)
        if isinstance(need, Orders):
            return self._meet_orders(need, doing)
        if isinstance(need, Over):
            self.end(need.result, doing)
            return False
        phase, due = house.due(self, need, doing)
        if due or phase != OPENINGS:
            self.loosen(doing)  # chance lies between, whether somebody has to be waited for or not
        if due:
            if phase == OPENINGS:
                self.lapse(doing, "a secret choice had to be opened")
            self.position.barrier = Barrier(phase, due)
            return False
        house.feed(self, need, doing)
        return True

    def _meet_orders(self, need: Orders, doing: Doing) -> bool:
        owners = committed(need)
        if owners:
            self.loosen(doing)
            due: dict[Item, int] = {("answer", need.label, seat): self.genesis.player_of(seat) for seat in owners}
            self.position.barrier = Barrier(ANSWERS, due)
            return False
        if turn.go_on(self, need, doing):
            return True
        self.lapse(doing)
        self.position.barrier = turn.orders_barrier(self, need, {})
        return False

    def loosen(self, doing: Doing) -> None:
        """What follows in the record is a plan from here on (MEA-6)."""
        batch, doing.batch = doing.batch, None
        if batch is not None and batch.left:
            packed = tuple(map(self.game.orders.pack, batch.left))
            self.position.plans = Plans(doing.by, batch.seat, packed, turn=self.machine.turn)
            batch.at = len(batch.orders)  # the machine has it, too

    def lapse(self, doing: Doing, stopped: str = "") -> None:
        """The plan is at its end (MEA-6): what is left of it comes to nothing. Without `stopped`: by what is asked."""
        self.loosen(doing)
        plans, self.position.plans = self.position.plans, None
        if plans is None:
            return
        if not stopped and plans:
            stopped = self.machine.prompt(cast(Orders, self.machine.need).seats[0]).rstrip(".")
        if plans:
            doing.lapsed = Lapsed(plans.by, plans.seat, plans.turn, plans.left, stopped)
        if doing.out.wanted and (plans or plans.skipped):
            done, left = (tuple(map(self.unpack, raws)) for raws in (plans.done, plans.left))
            skipped = tuple((self.unpack(plans.orders[at]), why) for at, why in plans.skipped)
            doing.out.add(PlanEnded(plans.seat, done, skipped, left, stopped if left else ""))

    def end(self, result: Result, doing: Doing) -> None:
        self.lapse(doing, "the game was over")
        chosen = doing.record is not None and self.decided is not None and self.decided(doing.record)
        if self.position.claimed or (chosen and self.genesis.umpire is None):
            result = replace(result, how=f"{result.how}, claimed by the others")
        self.position.result = result
        self.position.proposals.clear()
        self.position.barrier = Barrier(OVER)

    def stop(self, doing: Doing) -> None:
        """Somebody cheated in a shuffle: no result, and everything is opened (HID-18)."""
        self.lapse(doing, "a shuffle was found foul")
        self.position.spoiled = True
        self.position.proposals.clear()
        self.position.barrier = Barrier(OVER)

    def restore(self, other: Match[S], doing: Doing) -> None:
        """Go back to where `other` stands; what was shown stays shown (MEA-9)."""
        mine, old = self.position, other.position
        self.machine = other.machine
        self.position = replace(mine, barrier=old.barrier, group=old.group, drawn=old.drawn, proposals={}, plans=None)
        self.position.barrier.records.clear()
        self.position.barrier.claims.clear()

    def known(self, slots: tuple[str, ...]) -> dict[str, int | bytes]:
        """Those of the slots whose values are public."""
        found = {slot: self.ledger.value(slot) for slot in slots}
        return {slot: value for slot, value in found.items() if value is not None}

    def unpack(self, raw: bytes) -> Order:
        return self.game.orders.unpack(raw)

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
        other.upgrade, other.history, other.watch, other.look = self.upgrade, self.history, self.watch, self.look
        other.decided, other.told = self.decided, self.told
        return other


def committed(need: Orders) -> tuple[str, ...]:
    """Whose sealed standing orders are asked first. Simultaneous decisions are answered live (MEA-15)."""
    return () if need.sealed or need.secret else need.committed
