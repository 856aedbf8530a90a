"""The game machine: state, a stack of frames, and the one loop that advances them.

    need = machine.run(out)                                  up to what must come from outside
    machine.answer(...) / .feed(...)                         what came; then run again
    machine.advance(meet, out)                               all of that, as long as `meet` feeds the machine

What is fed to it has been checked before (`check`, `check_opened`); checked input cannot fail here. The orders of
a `Batch` are checked here, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from pbem.engine.compiled import Compiled, Program, program
from pbem.engine.definition import Game, Setup
from pbem.engine.event import Out, Taken
from pbem.engine.legal import Legal
from pbem.engine.need import NOTHING_KNOWN, Cards, Dice, Known, Need, Openings, Orders, Over, Result
from pbem.engine.notation import Context, as_sentence
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.policy import ASK, LEAVE, Policy, SealedPolicy, check_fits, read_standing
from pbem.engine.rows import Rows
from pbem.engine.step import (
    AUTO,
    DEAL,
    DECIDE,
    DONE,
    ROLL,
    STAY,
    Call,
    Decide,
    Done,
    End,
    Frame,
    GameError,
    Goto,
    Listing,
    Next,
    Return,
    Secret,
    Stay,
    Step,
    listed,
    misplaced,
)
from pbem.engine.view import View
from pbem.protocol.canonical import Plain, pack, pack_ordered
from pbem.protocol.digest import be32, tagged, tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.plain import Codec, codec, dump, load, members, unfit

Standing = dict[str, dict[str, Policy | SealedPolicy]]
ONWARDS, AGAIN = 1, 2  # after a called sequence: to the next step, or to the same one


class Place:
    """One entry of the stack: a sequence, where it stands, and its frame. `calling`: it waits for the entry above."""

    __slots__ = ("at", "calling", "frame", "seq")

    def __init__(self, seq: Compiled, frame: Frame, at: int = 0, calling: int = 0) -> None:
        self.seq = seq
        self.frame = frame
        self.at = at
        self.calling = calling

    @property
    def step(self) -> Any:
        return self.seq.steps[self.at]


S = TypeVar("S")
AnyDecide = Decide[Any, Any, Any]


class Batch:
    """Orders of one player that are at hand: each answers the next decision that asks one of `seats` alone and openly.

    `at` counts those that were taken, `seat` gave the last of them (at first: is assumed to have). `known` gives the
    values of slots that an order opens; it refuses the order if one of them is not open.
    """

    __slots__ = ("at", "known", "orders", "seat", "seats")

    def __init__(
        self, orders: Sequence[Order], seats: tuple[str, ...], known: Callable[[tuple[str, ...]], Known], seat: str = ""
    ) -> None:
        self.orders = orders
        self.seats = seats
        self.known = known
        self.seat = seat
        self.at = 0

    @property
    def left(self) -> Sequence[Order]:
        return self.orders[self.at :]

    def fits(self, asked: Sequence[str]) -> bool:
        return len(asked) == 1 and asked[0] in self.seats and type(asked) is not str and self.at < len(self.orders)


def illegal(seat: str, violation: Violation) -> Refusal:
    return Refusal("E-ORDER", f"Not legal for {seat}: {violation}.", step="MEA-6")


class Machine(Generic[S]):
    """One game in progress. `need` is what it waits for; None: it can `run`."""

    def __init__(self, game: Game[S], state: S, stack: list[Place]) -> None:
        self.game = game
        self.state = state
        self.serial = 0
        self.turn = 0  # which turn it is, by the decisions asked before it; 0: nobody's
        self.need: Need | None = None
        self.over: Result | None = None
        self._program = program(game)
        self._stack = stack
        self._standing: Standing = {}
        self._given: dict[str, Order] | None = None  # of the decision that is asked: what needs no live answer
        self._committed: tuple[str, ...] = ()  # seats of it whose sealed standing orders have not been asked
        self._opened: set[str] = set()  # seats of it that have opened the usual answers, and none of their own
        self._digests = Digests()

    @classmethod
    def start(cls, game: Game[S], setup: Setup) -> Machine[S]:
        game = game.on(setup.data)
        state, frame = game.setup(setup)
        seq = program(game).by_frame.get(type(frame))
        if seq is None:
            raise GameError(game.name, "", f"setup returned {_shown(frame)}, which is the frame of no listed sequence")
        game.prepare(state, setup)
        machine = cls(game, state, [Place(seq, frame)])
        asked = program(game).asked
        machine._standing = {
            kind: {seat.name: policy for seat in game.seats if seat.name in asked[kind]}
            for kind, policy in program(game).preset.items()
            if policy != LEAVE or not program(game).decisions[kind].shows
        }
        return machine

    # Going on

    def advance(self, meet: Callable[[Need], bool], out: Out, batch: Batch | None = None) -> Need:
        """Run to the first need that `meet` does not supply. Where it says True, it has fed the machine."""
        while meet(need := self.run(out, batch)):
            pass
        return need

    def run(self, out: Out, batch: Batch | None = None) -> Need:
        """Bookkeeping, steps passed over, forced orders and public standing orders, up to the next need.

        Open decisions that ask one seat alone are answered from the batch, as far as it goes. After a Refusal of one of
        its orders the machine stands where it has no business and must be thrown away.
        """
        state, stack = self.state, self._stack
        place, following = stack[-1], cast(Next, STAY)
        if self.need is not None:
            if batch is None or not self._suits(self.need, batch):
                return self.need
            asked, self.need, self._given = cast(Orders, self.need).seats, None, None
            following = self._take_each(batch, asked, place, out)
        while True:
            if following is DONE:  # as a rule; the others are told apart in `_follow`
                if place.at < place.seq.last:
                    place.at += 1
                else:
                    self._leave(out)
            elif following is not STAY:
                self._follow(place, following, out)
            if self.over is not None:
                break
            place = stack[-1]
            frame, seq = place.frame, place.seq
            form, conditional, step = seq.line[place.at]
            if conditional and self._given is None and not step.when(state, frame):
                following = DONE
            elif form == AUTO:
                following = step.run(state, frame, out)
            elif form == DECIDE:
                seats = step.by(state, frame)
                if not seats:
                    if seats is None or type(seats) is str:
                        raise self._wrong_seats(seats)
                    following = DONE
                elif (
                    batch is not None
                    and self._given is None
                    and seq.open[place.at]
                    and batch.fits(seats)
                    and step.name not in self._standing
                    and not (step.window and self._is_own(step, seats[0]))
                ):
                    self.serial += 1
                    following = self._take_each(batch, seats, place, out)
                else:
                    self._decide(step, place, seats, out)
                    if self.need is not None:
                        return self.need
                    following = STAY
            else:
                self.need = self._need_of(form, step, frame)
                if self.need is not None:
                    return self.need
                following = step.run(state, frame, {}, out)
        self.need = Over(self.over)
        return self.need

    def answer(self, answers: Mapping[str, Order], out: Out) -> None:
        """The checked answers of all seats of the need; of a secret decision they are `Sealed`."""
        need = self._orders()
        place = self._stack[-1]
        step: AnyDecide = place.step
        if self._given or len(answers) > 1:
            held = {**answers, **(self._given or {})}
            answers = {seat: held[seat] for seat in step.by(self.state, place.frame)}
        elif need.seats != tuple(answers):
            raise ValueError(f"{need.label} asks {need.seats}, not {tuple(answers)}")
        for seat in need.seats if out.wanted else ():
            if seat in need.committed:
                self._tell_taken(step, seat, answers[seat], "default" if seat in self._opened else "standing", out)
            elif self._may_pass_over(step, seat):
                self._tell_passed(step, seat, answers[seat], out)
        self._opened.clear()
        self._apply(step, place, answers, out)

    def feed(self, got: Mapping[str, Any], out: Out) -> None:
        """What a need for chance, cards or openings is met with, checked before.

        The results of all its draws by label, the cards of its `Show` requests by slot, or packed orders by slot.
        """
        place = self._stack[-1]
        if not isinstance(self.need, Dice | Cards | Openings):
            raise TypeError(f"the machine waits for {self.need}")
        if isinstance(self.need, Openings):
            got = {slot: self.game.orders.unpack(raw) for slot, raw in got.items()}
        self.need = None
        step: Any = place.step
        self._follow(place, step.run(self.state, place.frame, got, out), out)

    def ask(self, seat: str) -> None:
        """The seat's sealed standing orders said `ask`: it must answer by itself."""
        need = self._orders()
        self._committed = tuple(each for each in self._committed if each != seat)
        self.need = replace(need, committed=self._committed)

    # Judging

    @property
    def mover(self) -> str:
        """The seat whose turn it is; empty: nobody's."""
        return next((place.frame.mover for place in reversed(self._stack) if place.frame.turn), "")

    @property
    def turn_of(self) -> str:
        """The mover; where no frame names one, the seat that is asked alone, and in the middle of nothing."""
        need = self.need
        alone = isinstance(need, Orders) and len(need.seats) == 1 and (self.frame.turn or not self.turn)
        return self.mover or (need.seats[0] if isinstance(need, Orders) and alone else "")

    @property
    def decision(self) -> AnyDecide:
        """The step that asks."""
        self._orders()
        step: AnyDecide = self._stack[-1].step
        return step

    @property
    def step(self) -> Step[Any, Any]:
        """The step on top of the stack."""
        step: Step[Any, Any] = self._stack[-1].step
        return step

    @property
    def frame(self) -> Frame:
        """The frame on top of the stack."""
        return self._stack[-1].frame

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames of the stack, the one on top last."""
        return tuple(place.frame for place in self._stack)

    def legal(self, seat: str, own: Known = NOTHING_KNOWN) -> Legal:
        """What the seat may order now. `own`: the hidden values that it knows."""
        step, state, frame = self.decision, self.state, self._stack[-1].frame
        return Legal(
            self.game.notation,
            lambda: self.view((seat,), own),
            lambda: self._legal(step, seat, own),
            lambda: step.first(state, frame, seat, own),
            lambda pick: step.picked(state, frame, seat, own, pick),
        )

    def _legal(self, step: AnyDecide, seat: str, own: Known = NOTHING_KNOWN) -> Iterator[Order]:
        return iter(listed(step, "legal", step.legal(self.state, self._stack[-1].frame, seat, own)))

    def check(self, seat: str, order: Order, proof: Known = NOTHING_KNOWN) -> Violation | None:
        """Why the seat may not order this now; None: it may. `proof` must hold the slots that the order opens."""
        need = self._orders()
        if seat not in need.seats:
            return Violation("", f"{seat} is not asked to {need.kind}")
        place = self._stack[-1]
        step: AnyDecide = place.step
        if isinstance(order, Sealed):
            if need.secret and order.slot == need.slot(seat):
                return None
            return Violation("", f"{need.kind} does not take a sealed answer in {order.slot}")
        if not isinstance(order, step.takes):
            return misplaced(step, self.state, place.frame, seat, order)
        return self._judge(step, seat, order, proof)

    def duty(self, seat: str, order: Order, own: Known) -> Violation | None:
        """Why an order that passes `check` would be found out in the end: what nobody but the seat can see now."""
        step = self.decision
        return step.duty(self.state, self._stack[-1].frame, seat, order, own)

    def check_opened(self, slot: str, raw: bytes) -> Violation | None:
        """May these bytes have lain in a slot that is due?"""
        place = self._stack[-1]
        step: Any = place.step
        try:
            order = self.game.orders.unpack(raw)
        except Refusal as refusal:
            return Violation("", refusal.sentence)
        return cast("Violation | None", step.check(self.state, place.frame, slot, order))

    def opens(self, seat: str, order: Order) -> tuple[str, ...]:
        """The slots that must be opened with the order."""
        step = self.decision
        return step.opens(self.state, self._stack[-1].frame, seat, order) if isinstance(order, step.takes) else ()

    def facts(self, seat: str) -> Mapping[str, int]:
        """The game's public facts, by which a seat's plans may go (NOT-3)."""
        return {} if self.game.facts is None else self.game.facts(self.state, seat)

    def ahead(self) -> set[type[Order]]:
        """The kinds of order that an open decision in the rest of this turn may take; outside turns, all there are."""
        at = next((at for at, place in enumerate(self._stack) if place.frame.turn), -1)
        under = {place.seq.kind for place in self._stack[: at + 1]}
        steps = [step for kind, seq in self._program.by_kind.items() if kind not in under for step in seq.steps]
        if at >= 0:
            place = self._stack[at]
            rest = place.seq.steps[place.at :]
            steps += [*rest, *(place.seq.steps[place.seq.at[each]] for step in rest for each in step.goes_back)]
        decisions = [step for step in steps if isinstance(step, Decide) and step.is_planned]
        return {kind for step in decisions for kind in step.takes}

    def read_ahead(self) -> tuple[str, ...]:
        """What the steps that wait say others will have read before they go on."""
        told = (place.step.ahead(self.state, place.frame) for place in self._stack)
        return tuple(sentence for sentence in told if sentence)

    def passing(self, seat: str) -> Order | None:
        """In a window: the order that does nothing."""
        return cast("Order | None", self.decision.passing(self.state, self._stack[-1].frame, seat))

    def answer_own(self, out: Out, *, left: bool) -> bool:
        """Answer a decision of the mover's own for which they have given no order; False: they are asked (MEA-17).

        `left`: orders of theirs are left, so that a window passes which would ask.
        """
        (seat,), step = self._orders().seats, self.decision
        policy = self._standing.get(step.name, {}).get(seat)
        order, how = self._unasked(step, seat), "default"
        if isinstance(policy, Policy):
            order, how = self._standing_answer(step, seat, policy, NOTHING_KNOWN), self._whose(step, seat, policy)
        if order is None:
            return (left or isinstance(policy, SealedPolicy)) and self.pass_own(out)
        self._tell_taken(step, seat, order, how, out)
        self.answer({seat: order}, out)
        return True

    def pass_own(self, out: Out) -> bool:
        """Pass a window of the mover's own, for whom it asks in vain; False: it is not a window (MEA-17)."""
        (seat,) = self._orders().seats
        order = self.passing(seat) if self.decision.window else None
        if order is not None:
            self.answer({seat: order}, out)
        return order is not None

    def prompt(self, seat: str) -> str:
        return self.decision.prompt(self.state, self._stack[-1].frame, seat)

    def sentence(self, seat: str, order: Order, known: Known = NOTHING_KNOWN) -> str:
        """The order in words, as the decision that is asked or the notation says it."""
        step = self.decision if isinstance(self.need, Orders) else None
        return self._in_words(step, seat, order, known)

    def _in_words(self, step: AnyDecide | None, seat: str, order: Order, known: Known) -> str:
        said = "" if step is None else step.says(self.state, self._stack[-1].frame, seat, order)
        return as_sentence(said) or self.game.notation.sentence(order, self.view((seat,), known))

    def bars(self, seat: str, thing: str, kind: type[Order] | None = None) -> Violation | None:
        """The game's own reason why no legal order begins so, if it gives one."""
        step = self.decision
        part: Listing[Any, Any, Any] = step if kind is None else step.choice_of.get(kind, step)
        return part.barred(self.state, self._stack[-1].frame, seat, thing)

    def barred(self, seat: str, thing: str, kind: type[Order] | None = None, called: str = "") -> Violation:
        """Why no legal order of the seat, or none of this kind, begins with a unit or place as orders name it.

        `called`: its name in a sentence, where players do not see that word.
        """
        found = self.bars(seat, thing, kind)
        verb = None if kind is None else self.game.notation.verb_of[kind]
        what = "Nothing is possible" if verb is None else f"`{verb.word}` is not possible"
        nothing = f"{what} with {called or thing or 'that'} now. {self.prompt(seat)}"
        return found or Violation(self.decision.rule, nothing.rstrip("."))

    def view(self, seats: Sequence[str] = (), known: Known = NOTHING_KNOWN) -> View[S]:
        """What these seats see; `known` are the hidden values that they know."""
        who = tuple(seats)
        usual, standing = partial(self._is_usual, who), partial(self._own_standing, who)
        around = tuple(place.frame for place in reversed(self._stack[:-1]))
        return View(self.state, who, self.need, known, self.frame, around, usual, standing)

    def context(self, seat: str, own: Known = NOTHING_KNOWN) -> Context[S]:
        """In which the seat's input is read."""
        return Context(self.state, self.need, seat, lambda: self.legal(seat, own), own)

    # Standing orders

    def check_standing(self, seat: str, kind: str, policy: Policy | SealedPolicy | None) -> None:
        """Refuse standing orders for a decision that does not exist or takes none (E-POLICY)."""
        self.game.seat(seat)
        step = self._program.decisions.get(kind)
        if step is None or step.secret or type(step).answers is Decide.answers:
            raise Refusal("E-POLICY", f"There is no decision {kind!r} that takes standing orders.", step="POL-6")
        if seat not in self._program.asked[kind]:
            raise Refusal("E-POLICY", f"The decision {kind!r} never asks {seat}.", step="POL-6")
        if isinstance(policy, Policy):
            check_fits(policy, step.fact_names, kind in self._program.defaults)

    def may_change(self, seat: str, kind: str) -> bool:
        """May the seat give standing orders for this decision now (POL-11)?"""
        return self._program.decisions[kind].may_change(self.state, seat)

    def is_stance(self, kind: str) -> bool:
        return self._program.decisions[kind].stance

    def opened_standing(self, seat: str, policy: Policy) -> None:
        """Sealed standing orders for the decision that is asked have been opened: a stance is public from now on."""
        if self.decision.stance:
            self.set_standing(seat, self.decision.name, policy)
        if policy == self._program.preset.get(self.decision.name):
            self._opened.add(seat)

    def set_standing(self, seat: str, kind: str, policy: Policy | SealedPolicy | None) -> None:
        """Checked standing orders take the place of those that the seat had for this kind; None: none."""
        if policy is not None:
            self._standing.setdefault(kind, {})[seat] = policy
            return
        by_seat = self._standing.get(kind, {})
        by_seat.pop(seat, None)
        if not by_seat:
            self._standing.pop(kind, None)

    def standing(self, seat: str) -> Mapping[str, Policy | SealedPolicy]:
        """The seat's standing orders by kind of decision."""
        return {kind: by_seat[seat] for kind, by_seat in sorted(self._standing.items()) if seat in by_seat}

    def _is_usual(self, seats: Sequence[str], kind: str, facts: Mapping[str, int] | None = None) -> bool:
        """Have these seats the standing orders with which everybody begins (POL-9), or none where there are none; or do
        those that they have leave it to the default where these facts hold?
        """
        preset, held = self._program.preset.get(kind), self._standing.get(kind, {})
        return bool(seats) and all(
            rule == preset or (isinstance(rule, Policy) and facts is not None and rule.leaves(facts))
            for rule in map(held.get, seats)
        )

    def _own_standing(self, seats: Sequence[str], kind: str, facts: Mapping[str, int] | None = None) -> tuple[str, ...]:
        """What these seats answer in advance to this kind of decision, other than that with which everybody begins
        (POL-9), unless they are surely asked where these facts hold.
        """
        preset, held = self._program.preset.get(kind), self._standing.get(kind, {})
        said = list[str]()
        for rule in (held[seat] for seat in seats if seat in held and held[seat] != preset):
            if isinstance(rule, SealedPolicy):
                said.append("As you have sealed it.")
            elif not rule.asks(facts or {}):
                said += self.game.policy_sentences(kind, rule)
        return tuple(said)

    def standing_answer(self, seat: str, policy: Policy, own: Known = NOTHING_KNOWN) -> Order | None:
        """What the policy answers to the decision that is asked, if that is legal. None: it asks."""
        return self._standing_answer(self.decision, seat, policy, own)

    # Saving

    def digest(self) -> bytes:
        """STA-2: of the state, the stack, the standing orders, the serial number and the result."""
        return tagged(
            "pbem1/machine",
            self._digests.state(self.state),
            pack(dump_stack(self._stack)),
            pack(dump_standing(self._standing)),
            be32(self.serial),
            None if self.over is None else pack(self.over.plain()),
        )

    def dump(self) -> Plain:
        write, given = self.game.orders.write, self._given
        return dump(
            _Saved(
                state=codec(self.game.state).dump(self.state),
                stack=dump_stack(self._stack),
                standing=dump_standing(self._standing),
                serial=self.serial,
                turn=self.turn,
                over=self.over,
                given=None if given is None else [(seat, write(order)) for seat, order in given.items()],
                committed=self._committed,
                waiting=self.need is not None,
            )
        )

    @classmethod
    def load(cls, game: Game[S], setup: Setup, plain: Plain) -> Machine[S]:
        """The machine that was dumped, waiting for what it waited for."""
        saved = load(_Saved, plain)
        game = game.on(setup.data)
        state = codec(game.state).load(saved.state)
        game.prepare(state, setup)
        machine = cls(game, state, load_stack(program(game), saved.stack))
        machine.serial, machine.turn, machine.over = saved.serial, saved.turn, saved.over
        machine._standing = load_standing(saved.standing)
        machine._committed = saved.committed
        if saved.given is not None:
            machine._given = {seat: game.orders.read(order) for seat, order in saved.given}
        if saved.waiting:
            machine.run(Out(wanted=False))
        return machine

    # Inside

    def _suits(self, need: Need, batch: Batch) -> bool:
        """May the batch answer what was asked before it came?"""
        if not isinstance(need, Orders) or need.own or need.committed or self._given or need.kind in self._standing:
            return False
        place = self._stack[-1]
        return place.seq.open[place.at] and batch.fits(need.seats)

    def _take_each(self, batch: Batch, asked: Sequence[str], place: Place, out: Out) -> Next:
        """Orders of the batch, as long as the same step asks the same seat again; what the step said to the last.

        Most of a turn of a hundred moves is spent here: no `Need` is made, and nothing is looked up anew.
        """
        state, frame, seq = self.state, place.frame, place.seq
        step: AnyDecide = place.step
        batch.seat = seat = asked[0]
        self._committed = ()
        orders, total, known = batch.orders, len(batch.orders), batch.known
        takes, check, apply, by, opening = step.takes, step.check, step.apply, step.by, seq.opening[place.at]
        passes = out.wanted and self._may_pass_over(step, seat)
        when = step.when if seq.conditional[place.at] else None
        while True:
            order = orders[batch.at]
            if not isinstance(order, takes):
                raise illegal(seat, misplaced(step, state, frame, seat, order))
            proof = NOTHING_KNOWN
            if opening and (slots := step.opens(state, frame, seat, order)):
                proof = known(slots)
            violation = check(state, frame, seat, order, proof)
            if violation is not None:
                raise illegal(seat, violation)
            batch.at += 1
            if passes:
                self._tell_passed(step, seat, order, out)
            following = apply(state, frame, {seat: order}, out)
            if following is not STAY or batch.at == total or (when is not None and not when(state, frame)):
                return following
            if by(state, frame) != asked:
                return STAY
            self.serial += 1

    def _need_of(self, form: int, step: Any, frame: Frame) -> Need | None:
        """Dice, cards or openings that the step wants; None: it wants none now."""
        if form == ROLL:
            draws = tuple(step.draws(self.state, frame))
            return Dice(draws) if draws else None
        if form == DEAL:
            requests = tuple(step.requests(self.state, frame))
            return Cards(requests) if requests else None
        slots = tuple(step.slots(self.state, frame))
        return Openings(slots) if slots else None

    def _decide(self, step: AnyDecide, place: Place, by: Sequence[str], out: Out) -> None:
        seats = tuple(by)
        if type(by) is str or not self._program.asked[step.name].issuperset(seats):
            raise self._wrong_seats(by)
        standing = self._standing.get(step.name)
        if self._given is None:
            self.serial += 1
            self._given, self._committed = {}, ()
            if standing or place.seq.unasked[place.at]:
                self._take(step, seats, standing or {}, out)
        given = self._given
        if given:
            asked = tuple([seat for seat in seats if seat not in given])
            if not asked:
                self._apply(step, place, {seat: given[seat] for seat in seats}, out)
                return
        else:
            asked = seats
        label = f"{step.name}/{self.serial}"
        own = bool(standing or step.window) and len(seats) == 1 and self._is_own(step, seats[0])
        self.need = Orders(step.name, label, asked, step.sealed, step.secret, step.window, self._committed, own)

    def _is_own(self, step: AnyDecide, seat: str) -> bool:
        """Do the seat's orders go before its standing orders: is it asked in its own turn (MEA-17)?"""
        answered = step.window or isinstance(self._standing.get(step.name, {}).get(seat), Policy)
        return answered and step.is_planned and seat == self.mover

    def _take(
        self, step: AnyDecide, seats: tuple[str, ...], standing: Mapping[str, Policy | SealedPolicy], out: Out
    ) -> None:
        """Answers that need no player: the only legal order, what public standing orders say, what nobody is asked."""
        given = self._given
        assert given is not None
        own = len(seats) == 1 and self._is_own(step, seats[0])
        for seat in seats:
            order, how = self._only(step, seat) if step.forced else None, "forced"
            policy = standing.get(seat)
            if own and order is None:
                continue
            if order is None and isinstance(policy, Policy):
                order, how = self._standing_answer(step, seat, policy, NOTHING_KNOWN), self._whose(step, seat, policy)
            elif order is None and policy is None:
                order, how = self._unasked(step, seat), "default"
            if order is not None:
                given[seat] = order
                self._tell_taken(step, seat, order, how, out)
            elif isinstance(policy, SealedPolicy) and not step.sealed:  # simultaneous ones are answered live (MEA-15)
                self._committed += (seat,)

    def _whose(self, step: AnyDecide, seat: str, policy: Policy) -> str:
        """Standing orders that everybody begins with are the usual answers, and not the seat's own (POL-9); so is what
        the seat's own leave to the default.
        """
        if policy == self._program.preset.get(step.name):
            return "default"
        state, frame = self.state, self._stack[-1].frame
        answers = step.answers(state, frame, seat, NOTHING_KNOWN)
        left = policy.leaves(step.facts(state, frame, seat, NOTHING_KNOWN), answers)
        return "default" if left else "standing"

    def _tell_taken(self, step: AnyDecide, seat: str, order: Order, how: str, out: Out) -> None:
        if out.wanted:
            said = self._in_words(step, seat, order, NOTHING_KNOWN)
            out.add(Taken(seat, step.name, order, how, said, rule=step.rule))

    def _may_pass_over(self, step: AnyDecide, seat: str) -> bool:
        """Is it another's turn that the seat may interrupt? Of one's own nobody need hear."""
        return step.window and seat != self.mover

    def _tell_passed(self, step: AnyDecide, seat: str, order: Order, out: Out) -> None:
        if order == step.passing(self.state, self._stack[-1].frame, seat):
            self._tell_taken(step, seat, order, "passed", out)

    def _only(self, step: AnyDecide, seat: str) -> Order | None:
        orders = self._legal(step, seat)
        first = next(orders, None)
        if first is None or next(orders, None) is not None:
            return None
        return None if step.opens(self.state, self._stack[-1].frame, seat, first) else first

    def _standing_answer(self, step: AnyDecide, seat: str, policy: Policy, own: Known) -> Order | None:
        state, frame = self.state, self._stack[-1].frame
        answers = step.answers(state, frame, seat, own)
        # Facts are public even for sealed standing orders: who checks a claim sees only what it opens (MEA-15).
        facts = step.facts(state, frame, seat, NOTHING_KNOWN)
        name = policy.choose(facts, answers, self._program.defaults.get(step.name))
        order = None if name == ASK else cast(Order, answers[name])
        if order is not None and self._judge(step, seat, order, own) is None:
            return order
        return self._unasked(step, seat)

    def _unasked(self, step: AnyDecide, seat: str) -> Order | None:
        """The answer for a seat that is not asked here: the default's, else the first legal order (POL-10)."""
        state, frame = self.state, self._stack[-1].frame
        if step.asks(state, frame, seat):
            return None
        default = self._program.defaults.get(step.name)
        if default is not None:
            answers = step.answers(state, frame, seat, NOTHING_KNOWN)
            name = default.choose(step.facts(state, frame, seat, NOTHING_KNOWN), answers)
            if name != ASK and self._judge(step, seat, answers[name], NOTHING_KNOWN) is None:
                return cast(Order, answers[name])
        first = next(self._legal(step, seat), None)
        if first is None:
            raise self._wrong(f"{seat} is not asked, and legal lists nothing to do for it")
        return first

    def _judge(self, step: AnyDecide, seat: str, order: Order, proof: Known) -> Violation | None:
        """The step's own check; it sees of the proof only what the order opens, as every other replica will."""
        state, place = self.state, self._stack[-1]
        frame = place.frame
        slots = step.opens(state, frame, seat, order) if place.seq.opening[place.at] else ()
        if not slots:
            return step.check(state, frame, seat, order, NOTHING_KNOWN)
        missing = [slot for slot in slots if slot not in proof]
        if missing:
            return Violation("", f"{missing[0]} must be opened with this order")
        return step.check(state, frame, seat, order, {slot: proof[slot] for slot in slots})

    def _apply(self, step: AnyDecide, place: Place, answers: Mapping[str, Order], out: Out) -> None:
        self.need = None
        self._given = None
        # A Decide may be secret, too, and then takes the commitments as its answers.
        if step.secret and isinstance(step, Secret):
            slots = {seat: cast(Sealed, answer).slot for seat, answer in answers.items()}
            self._follow(place, step.hide(self.state, place.frame, slots, out), out)
        else:
            self._follow(place, step.apply(self.state, place.frame, answers, out), out)

    def _follow(self, place: Place, following: Next, out: Out) -> None:
        if following is STAY:
            return
        if following is DONE:
            self._onwards(place, out)
        elif type(following) is Goto:
            at = place.seq.at.get(following.step) if isinstance(following.step, type) else None
            if at is None:
                steps = ", ".join(each.__name__ for each in place.seq.at)
                raise self._wrong(
                    f"it returned Goto({_shown(following.step)}); Goto takes the class of a step in its own sequence: "
                    f"{steps}"
                )
            place.at = at
        elif type(following) is Call:
            seq = self._program.by_frame.get(type(following.frame))
            if seq is None:
                raise self._wrong(
                    f"it returned Call({_shown(following.frame)}), which is the frame of no sequence in Game.sequences"
                )
            place.calling = AGAIN if following.again else ONWARDS
            self._stack.append(Place(seq, following.frame))
            if following.frame.turn:
                self.turn = self.serial + 1
        elif type(following) is End:
            if not isinstance(following.result, Result):
                raise self._wrong(f"it returned End({_shown(following.result)}); End takes a Result")
            self.over = following.result
        elif type(following) is Return:
            self._leave(out)
        elif type(following) is Done:
            self._onwards(place, out)
        elif type(following) is not Stay:
            method = "run" if place.step.form != DECIDE else "hide" if isinstance(place.step, Secret) else "apply"
            raise self._wrong(
                f"{method} returned {_shown(following)}; it must return DONE, STAY, RETURN, Goto(Step), Call(frame) or "
                "End(result)"
            )

    def _wrong(self, sentence: str) -> GameError:
        """A mistake of the game's author in the step on top of the stack."""
        return GameError(self.game.name, self.step.name, sentence)

    def _wrong_seats(self, found: Any) -> GameError:
        can = self._program.asked[self.step.name]
        known = ", ".join(each.name for each in self.game.seats if each.name in can)
        return self._wrong(f"by returned {_shown(found)}; it must return a tuple of seats out of {known}")

    def _onwards(self, place: Place, out: Out) -> None:
        if place.at < place.seq.last:
            place.at += 1
        else:
            self._leave(out)

    def _leave(self, out: Out) -> None:
        """The sequence on top is over; those that called it as their last step are over with it."""
        while True:
            if len(self._stack) == 1:
                raise self._wrong("the outermost sequence ended without a result; return End(result) or Goto(Step)")
            done = self._stack.pop()
            if done.frame.turn:
                self.turn = 0
            place = self._stack[-1]
            calling, place.calling = place.calling, 0
            place.step.back(self.state, place.frame, done.frame, out)
            if calling == AGAIN:
                return
            if place.at < place.seq.last:
                place.at += 1
                return

    def _orders(self) -> Orders:
        if not isinstance(self.need, Orders):
            raise TypeError(f"no orders are asked for, but {self.need}")
        return self.need


def _shown(found: Any) -> str:
    """What an author returned, in a sentence: a class by its name, and no more of an object than its class."""
    if isinstance(found, type):
        return found.__name__
    plain = found is None or isinstance(found, str | tuple | list)
    return f"{found!r:.80}" if plain else f"{type(found).__name__}(...)"


# A machine as plain data and as a digest (docs/spec/state.md)

_Stack = list[tuple[str, str, Any, int]]  # of each place: sequence, step, frame, what it waits for
_Standing = list[tuple[str, str, Any]]  # kind of decision, seat, policy


@dataclass(frozen=True, slots=True)
class _Saved:
    state: Any
    stack: Any
    standing: Any
    serial: int
    turn: int
    over: Result | None
    given: list[tuple[str, Any]] | None
    committed: tuple[str, ...]
    waiting: bool


def dump_stack(stack: list[Place]) -> Plain:
    return [
        [place.seq.kind, place.step.name, codec(place.seq.frame).dump(place.frame), place.calling] for place in stack
    ]


def load_stack(program: Program, plain: Plain) -> list[Place]:
    stack = []
    for kind, name, frame, calling in codec(_Stack).load(plain):
        seq = program.by_kind.get(kind)
        at = seq.by_name.get(name) if seq else None
        if seq is None or at is None or calling not in (0, ONWARDS, AGAIN):
            raise unfit(f"this game has no step {name!r} of {kind!r}")
        stack.append(Place(seq, load(seq.frame, frame), at, calling))
    if not stack:
        raise unfit("a machine without a stack")
    return stack


def dump_standing(standing: Standing) -> Plain:
    return [
        [kind, str(seat), policy.plain() if isinstance(policy, Policy) else policy.commitment]
        for kind, by_seat in sorted(standing.items())
        for seat, policy in sorted(by_seat.items())
    ]


def load_standing(plain: Plain) -> Standing:
    standing: Standing = {}
    for kind, seat, plain_policy in codec(_Standing).load(plain):
        policy = read_standing(plain_policy)
        assert policy is not None
        standing.setdefault(kind, {})[seat] = policy
    return standing


class Digests:
    """The digests of a state's fields. Those of tables and of frozen values are kept until the value changes."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, bytes]] = {}

    def state(self, state: Any) -> bytes:
        """STA-3: the sections of all fields that differ from their default, by name."""
        sections = []
        for member in members(type(state)):
            value = getattr(state, member.name)
            kept = self._kept.get(member.name)
            if kept is not None and kept[0] is value and member.codec.fixed:
                sections.append(kept[1])
                continue
            if member.left_out(value):
                continue
            section = tagged("pbem1/section", member.name, _value(member.codec, value))
            if member.codec.fixed:
                self._kept[member.name] = (value, section)
            sections.append(section)
        return tagged_list(sections)


def _value(held: Codec[Any], value: Any) -> bytes:
    if held.rows is not None and isinstance(value, Rows):
        keys, rows = held.rows
        return value.digest(keys.dump, rows.dump)
    return tagged("pbem1/value", pack_ordered(held.dump(value)))
