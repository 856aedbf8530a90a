"""Orders that a player has not sealed yet: tried on a machine of their own, undone at will.

The draft is carried out until something from outside is needed. Windows whose owners have sealed standing orders are
passed for the time being; after dice, cards or other things that are not known yet, orders can only be planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

from pbem.engine.counts import all_of
from pbem.engine.event import Event, Out
from pbem.engine.legal import Legal
from pbem.engine.machine import Machine
from pbem.engine.match import Match
from pbem.engine.need import Cards, Dice, Known, Need, Openings, Orders, Over
from pbem.engine.obligation import Item, Obligation
from pbem.engine.order import Order, PlainLine, PlanLine, Sealed, Violation, bare
from pbem.engine.policy import Policy, SealedPolicy
from pbem.engine.position import ORDERS
from pbem.engine.step import Roll
from pbem.engine.view import View
from pbem.protocol.canonical import Plain

ASKED = ""
"""`stop` while the player is asked."""


Changed = tuple[str, str, Policy | SealedPolicy | None]
"""New standing orders that go with the record: seat, decision, policy."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as its player typed it, and the orders that it stands for, as in a record. `left`: see `Entry`."""

    typed: str
    orders: tuple[PlainLine, ...]
    left: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One order. `slot`: it will be sealed there; `opens`: cards that it shows; `plan`: it waits for chance.

    `typed`: the line that it came from. `more`: it is not the first order of that line. `said`: the order in words.
    `undone`: what it leaves undone, as the game says it. `left`: it was left over when a plan stopped.
    """

    order: Order
    seat: str
    slot: str | None = None
    opens: tuple[str, ...] = ()
    plan: bool = False
    events: tuple[Event, ...] = ()
    typed: str = ""
    more: bool = False
    said: str = ""
    undone: tuple[str, ...] = ()
    left: bool = False


@dataclass(frozen=True, slots=True)
class Outlook:
    """The positions to which the next dice may lead. `rolled`: what they decide, in a sentence. `rolls`: how many rolls
    may follow one another.

    It is found by trial, once with low dice throughout, once with higher ones, and so on. `own`: the player's seats
    that have a choice in this turn after some of the trials; `others`: the seats of others that have one. `ends`: after
    some trials the turn is over; `following`: the seats that are asked then after some trials; `sure`: whether they are
    the same after all of these.
    """

    rolled: str
    rolls: int
    ends: bool
    own: tuple[str, ...]
    others: tuple[str, ...]
    following: tuple[str, ...]
    sure: bool


MOST_LEVELS = 20  # of results that are tried
MOST_ROLLS = 20  # one after another


class Draft:
    """The orders of one player on top of a match, which is not changed. `own` are the hidden values that they know."""

    def __init__(self, match: Match[Any], player: int, own: Known, standing: Sequence[Changed] = ()) -> None:
        self._match = match
        self._standing = standing
        self._player = player
        self._own = own
        self._base = match.machine.dump()
        self.entries: list[Entry] = []
        self.passed: list[tuple[str, str]] = []
        self.stop = ASKED
        self._answers: dict[str, Order] = {}
        self._seats: list[str] = []
        self._alone = True
        self._answered: list[tuple[Plain, str, int]] = []
        """The player's own decisions that standing orders have answered since their last order, to come back to."""
        self._begin()

    # What there is

    @property
    def machine(self) -> Machine[Any]:
        """Where the game would stand if all went as tried."""
        return self._machine

    @property
    def seat(self) -> str | None:
        """The player's seat that is asked next; None: nothing more can be tried."""
        return self._seats[0] if self._seats else None

    @property
    def can_plan(self) -> bool:
        """Is it chance, or a window that others' programs answer, that the next order would have to wait for?"""
        return self.stop in ("dice", "cards", "answers")

    def events(self) -> tuple[Event, ...]:
        return tuple(event for entry in self.entries for event in entry.events)

    def lines(self) -> list[list[Entry]]:
        """The entries, those of one typed line together."""
        found: list[list[Entry]] = []
        for entry in self.entries:
            if entry.more and found:
                found[-1].append(entry)
            else:
                found.append([entry])
        return found

    def legal(self) -> Legal:
        """What the seat that is asked may order; nothing where only plans are possible."""
        if not self._seats:
            return Legal(self._match.game.notation, self._machine.view, tuple)
        seat, drafted = self._seats[0], {slot for slot, _, _ in self.hidden()}
        listed = self._machine.legal(seat, self.known((seat,)))
        # What the same record seals, it cannot open.
        if not drafted:
            return listed
        free = tuple(each for each in listed if drafted.isdisjoint(self._machine.opens(seat, each)))
        return Legal(self._match.game.notation, lambda: self.view((seat,)), lambda: free)

    def known(self, seats: Sequence[str]) -> Known:
        """The hidden values that these seats know, with those of the draft."""
        drafted = {entry.slot: entry.order for entry in self.entries if entry.slot is not None and entry.seat in seats}
        known = self._match.known_to(seats, self._own)
        return {**known, **drafted} if drafted else known

    def view(self, seats: Sequence[str]) -> View[Any]:
        """What these seats of the player's would see."""
        return self._machine.view(seats, self.known(seats))

    def open_orders(self) -> tuple[Order, ...]:
        """The orders that stand openly in the record."""
        return tuple(entry.order for entry in self.entries if entry.slot is None)

    def hidden(self) -> list[tuple[str, str, bytes]]:
        """Slot, seat and packed order of what is sealed."""
        pack = self._match.game.orders.pack
        return [(entry.slot, entry.seat, pack(entry.order)) for entry in self.entries if entry.slot is not None]

    def opens(self) -> tuple[str, ...]:
        """The slots that the record must open."""
        needed = dict.fromkeys(slot for entry in self.entries if entry.slot is None for slot in entry.opens)
        return tuple(slot for slot in needed if self._match.ledger.value(slot) is None)

    # Trying

    def add(
        self, order: Order, typed: str = "", *, more: bool = False, left: bool = False
    ) -> tuple[Event, ...] | Violation:
        """Try one more order: what it brings about, or why it is not allowed. `typed`, `more`, `left`: see `Entry`."""
        if not self._match.game.orders.fits(order):
            return Violation("", "This game has no such order")
        if isinstance(order, PlanLine) and (self._seats or not self.can_plan):
            return Violation("", "Only a line of a plan has conditions")
        self._go_back(order)
        if not self._seats:
            return self._plan(Entry(order, "", plan=True, typed=typed, more=more, left=left))
        need = self._machine.need
        assert isinstance(need, Orders)
        seat = self._seats[0]
        slots, violation = self._judge(self._machine, seat, order)
        if violation is not None:
            passed = self._pass_own(seat, order, typed, more=more, left=left) if need.own else None
            return violation if passed is None else passed
        said, undone = self.sentence(seat, order), self._undone(seat, order)
        hidden = need.slot(seat) if need.sealed or need.secret else None
        self._answers[seat] = Sealed(need.slot(seat)) if need.secret else order
        del self._seats[0]
        out = Out()
        if not self._seats and self._alone and not need.sealed:
            self._machine.answer({**self._answers}, out)
            self._go(out)
        elif not self._seats:
            self.stop = "others" if not self._alone else "openings"
        events = out.take()
        self.entries.append(
            Entry(
                order,
                seat,
                hidden,
                slots,
                events=events,
                typed=typed,
                more=more,
                said=said,
                undone=undone,
                left=left,
            )
        )
        return events

    def sentence(self, seat: str, order: Order) -> str:
        """An order of the seat in words, as things stand now."""
        return self._machine.sentence(seat, order, self.known((seat,)))

    def barred(self, thing: str, kind: type[Order] | None = None, called: str = "") -> Violation:
        """Why no legal order of the seat that is asked, or none of this kind, begins with this unit or place."""
        return self._machine.barred(self._seats[0], thing, kind, called)

    def bars(self, thing: str, kind: type[Order] | None = None) -> Violation | None:
        """The game's own reason for that, if it gives one."""
        return self._machine.bars(self._seats[0], thing, kind)

    def why(self, order: Order) -> Violation | None:
        """Why the seat that is asked may not give this order now."""
        assert self._seats
        return self._judge(self._machine, self._seats[0], order)[1]

    def _judge(self, machine: Machine[Any], seat: str, order: Order) -> tuple[tuple[str, ...], Violation | None]:
        """What the order opens, and why it is not allowed."""
        slots = machine.opens(seat, order)
        own = self._match.known_to((seat,), self._own)
        proof = {slot: own[slot] for slot in slots if slot in own}
        if len(proof) < len(slots):
            return slots, Violation("", f"You do not hold {next(slot for slot in slots if slot not in proof)}")
        return slots, machine.check(seat, order, proof) or machine.duty(seat, order, self.known((seat,)))

    def _go_back(self, order: Order) -> None:
        """Go back to a decision that standing orders have answered, if the order is for it (MEA-17)."""
        if any(entry.plan for entry in self.entries[-1:]):
            return
        for saved, seat, passed in self._answered:
            machine = Machine.load(self._match.game, self._match.setup, saved)
            if self._judge(machine, seat, order)[1] is None:
                self._machine, self._seats, self._alone = machine, [seat], True
                self.stop, self._answered, self.passed = ASKED, [], self.passed[:passed]
                return

    def _pass_own(
        self, seat: str, order: Order, typed: str, *, more: bool, left: bool
    ) -> tuple[Event, ...] | Violation | None:
        """Pass the player's own window, which the order is not for, as MEA-17 does. None: no window asks."""
        out, saved = Out(), self._machine.dump()
        if not self._machine.pass_own(out):
            return None
        self._seats = []
        self._go(out)
        found = self.add(order, typed, more=more, left=left)
        if isinstance(found, Violation):
            self._machine = Machine.load(self._match.game, self._match.setup, saved)
            self._seats, self.stop, self._answered = [seat], ASKED, []
            return found
        events = (*out.take(), *found)
        self.entries[-1] = replace(self.entries[-1], events=events)
        return events

    def resume(self, seat: str, orders: Sequence[PlainLine]) -> tuple[tuple[PlainLine, ...], list[tuple[Order, str]]]:
        """Go on with what was left of a plan of this seat, as a plan does (MEA-6).

        What has still to wait, and what was skipped and why.
        """
        skipped: list[tuple[Order, str]] = []
        for at, plain in enumerate(orders):
            line = self._match.read(plain)
            order = bare(line) if self._seats else line  # what is asked for now has no conditions any more
            if self._seats:
                decision = self._machine.decision
                if self._seats != [seat] or not decision.is_planned or not isinstance(order, decision.takes):
                    return tuple(orders[at:]), skipped
            elif not self.entries or not self.can_plan:
                return tuple(orders[at:]), skipped
            unmet = line.unmet(self._machine.facts(seat)) if self._seats and isinstance(line, PlanLine) else None
            found = unmet or self.add(order, left=True)
            if isinstance(found, Violation):
                if unmet is None and isinstance(line, PlanLine) and line.must:
                    return tuple(orders[at:]), skipped
                skipped.append((line, str(found)))
        return (), skipped

    def undo(self, count: int = 1, *, units: bool = False) -> list[Entry]:
        """Take back the last lines, plans too, or with `units` the last orders; what was taken back, as it stood."""
        starts = [at for at, entry in enumerate(self.entries) if units or not entry.more]
        cut = starts[-count] if count < len(starts) else 0
        kept, dropped = self.entries[:cut], self.entries[cut:]
        self._begin()
        self.entries = []
        for entry in kept:
            if isinstance(self._again(entry), Violation):
                raise RuntimeError("orders that were legal are not")  # noqa: TRY004
        return dropped

    def rebase(self, match: Match[Any], own: Known) -> tuple[Order, ...]:
        """The match has moved on: try again what was here. Returns what is no longer legal, and all behind it."""
        tried = self.entries
        self._match, self._own, self._base, self.entries = match, own, match.machine.dump(), []
        self._begin()
        for at, entry in enumerate(tried):
            if isinstance(self._again(entry), Violation):
                return tuple(each.order for each in tried[at:])
        return ()

    def _again(self, entry: Entry) -> tuple[Event, ...] | Violation:
        return self.add(entry.order, entry.typed, more=entry.more, left=entry.left)

    # What comes next

    def forecast(self) -> tuple[Obligation, ...]:
        """Who will owe what once this is sealed, as far as it can be known."""
        match, need = self._match, self._machine.need
        items: dict[tuple[int, str], list[Item]] = {}
        answers = list(self.passed)
        if self.stop == "answers" and isinstance(need, Orders):
            answers += [(need.label, seat) for seat in need.committed]
        for label, seat in answers:
            items.setdefault((match.genesis.player_of(seat), "reveal"), []).append(("answer", label, seat))
        witness = match.genesis.witness(self._player)
        if isinstance(need, Dice) and witness is not None:
            items.setdefault((witness, "reveal"), []).append(("dice", b""))
        found = [Obligation(by, what, items=tuple(owed)) for (by, what), owed in items.items()]
        if self.stop == "others" and isinstance(need, Orders):
            players = dict.fromkeys(match.genesis.player_of(seat) for seat in need.seats)
            for by in players:
                seats = tuple(seat for seat in need.seats if match.genesis.player_of(seat) == by)
                waiting = seats if by != self._player else tuple(seat for seat in seats if seat not in self._answers)
                if waiting:
                    found.append(Obligation(by, "orders", waiting, need.label, automatic=False))
        return tuple(found)

    def tried(self, order: Order) -> Draft | Violation:
        """A copy with one more order, to see what would come then; this draft stays as it is."""
        other = self._copy()
        found = other.add(order)
        return found if isinstance(found, Violation) else other

    def tried_together(self, orders: Iterable[Order]) -> tuple[int, Violation | None]:
        """How many of these orders can be given one after another, and why the first of the others cannot."""
        other = self._copy()
        found = [other.add(each) for each in orders]
        whys = [each for each in found if isinstance(each, Violation)]
        return len(found) - len(whys), next(iter(whys), None)

    def outlook(self) -> Outlook | None:
        """What the dice that come next decide, and whether the turn goes on after them; None: none come next."""
        need, step, frame = self._machine.need, self._machine.step, self._machine.frame
        if not isinstance(need, Dice) or not isinstance(step, Roll):
            return None
        dice = sum(draw.count for draw in need.draws)
        usual = "A die is rolled." if dice == 1 else f"{dice} dice are rolled."
        rolled = step.rolled(self._machine.state, frame) or usual
        own, others, ends, most = dict[str, None](), dict[str, None](), False, 0
        following = dict[tuple[str, ...], None]()
        for then, rolls in self._outcomes(need):
            most = max(most, rolls)
            asked = then._machine.need
            seats = asked.seats if isinstance(asked, Orders) else ()
            if then._machine.turn != self._machine.turn or then.stop == "over":
                ends = True
                following[seats] = None
            else:
                mine = [seat for seat in seats if self._match.genesis.player_of(seat) == self._player]
                own |= dict.fromkeys(mine)
                others |= dict.fromkeys(seat for seat in seats if seat not in mine)
        after = tuple(dict.fromkeys(seat for seats in following for seat in seats))
        return Outlook(rolled, most, ends, tuple(own), tuple(others), after, len(following) == 1)

    def _outcomes(self, need: Dice) -> Iterator[tuple[Draft, int]]:
        """This draft after low and high results, each as far as dice alone lead, and after how many rolls.

        So many results are tried as the largest die has that is thrown on the way.
        """
        most, level = max(draw.sides for draw in need.draws), 1
        while level <= most:
            then, rolls = self._copy(), 0
            while isinstance(due := then._machine.need, Dice) and rolls < MOST_ROLLS:
                out = Out(wanted=False)
                most = max(most, *(draw.sides for draw in due.draws))
                then._machine.feed({each.label: (min(level, each.sides),) * each.count for each in due.draws}, out)
                then._go(out)
                rolls += 1
            yield then, rolls
            level += -(-most // MOST_LEVELS)

    def _copy(self) -> Draft:
        other = copy(self)
        other.entries, other.passed, other._seats = [*self.entries], [*self.passed], [*self._seats]
        other._answers, other._answered = {**self._answers}, [*self._answered]
        other._machine = Machine.load(self._match.game, self._match.setup, self._machine.dump())
        return other

    def ahead(self) -> tuple[str, ...]:
        """What the players who are asked next will have read about later effects of this draft, a sentence each."""
        return self._machine.read_ahead() if self._seats == [] and self.entries else ()

    def left_undone(self) -> tuple[str, ...]:
        """What these orders leave undone, in the game's words: at each order, and where they stop."""
        orders = [entry for entry in self.entries if not entry.plan]
        if not orders:
            return ()
        lines = [line for entry in orders for line in entry.undone]
        return tuple(dict.fromkeys([*lines, *self._undone(orders[-1].seat, None)]))

    def _undone(self, seat: str, order: Order | None) -> tuple[str, ...]:
        tell = self._match.game.left_undone
        return () if tell is None else tuple(tell(self.view((seat,)), seat, order))

    # Keeping

    def dump(self) -> tuple[Line, ...]:
        write = self._match.game.orders.write
        return tuple(
            Line(line[0].typed, tuple(write(entry.order) for entry in line), line[0].left) for line in self.lines()
        )

    @classmethod
    def load(
        cls, match: Match[Any], player: int, own: Known, lines: Iterable[Line], standing: Sequence[Changed] = ()
    ) -> tuple[Draft, tuple[Order, ...]]:
        """The draft again, and the orders of it that are no longer legal. `standing` goes with the same record."""
        draft = cls(match, player, own, standing)
        draft.entries = [
            Entry(match.read(plain), "", typed=line.typed, more=at > 0, left=line.left)
            for line in lines
            for at, plain in enumerate(line.orders)
        ]
        return draft, draft.rebase(match, own)

    # Inside

    def _begin(self) -> None:
        match = self._match
        self._machine = Machine.load(match.game, match.setup, self._base)
        for seat, decision, policy in self._standing:  # MEA-13: in force from the first order of the record
            self._machine.set_standing(seat, decision, policy)
        self._answers, self.passed, self.stop, self._alone, self._answered = {}, [], ASKED, True, []
        barrier = match.position.barrier
        self._seats = list(match.asked(self._player))
        if self._seats:
            self._alone = barrier.alone
            self._answers = {
                seat: match.read(plain)
                for seat, plain in barrier.answers.items()
                if plain and seat not in barrier.asked
            }
        else:
            self.stop = "others" if barrier.phase == ORDERS else barrier.phase

    def _go(self, out: Out) -> None:
        """On to where the player is asked again, or to where something from outside is needed."""
        self._answers = {}
        self.stop, self._answered = ASKED, []
        need = self._machine.advance(lambda need: self._pass(need, out), out)
        if not isinstance(need, Orders):
            self.stop = _phase(need)
        elif need.committed:
            self.stop = "answers"
        elif any(self._match.genesis.player_of(seat) != self._player for seat in need.seats):
            self.stop = "others"
        elif need.sealed:
            # A sealed choice begins its own record: nobody can plan what others will have chosen beside it.
            self.stop = "openings"
        else:
            self._seats = list(need.seats)
            self._alone = True

    def _pass(self, need: Need, out: Out) -> bool:
        """Take it that others' sealed standing orders pass a window; the mover's own answer what they can (MEA-17)."""
        if isinstance(need, Orders) and need.own:
            before = self._machine.dump(), need.seats[0], len(self.passed)
            if not self._machine.answer_own(out, left=False):
                return False
            if self._match.genesis.player_of(need.seats[0]) == self._player:
                self._answered.append(before)
            return True
        owners = need.committed if isinstance(need, Orders) else ()
        if not isinstance(need, Orders) or set(owners) != set(need.seats):
            return False
        passing = {seat: self._machine.passing(seat) for seat in owners}
        if any(self._match.genesis.player_of(seat) == self._player for seat in owners) or None in passing.values():
            return False
        self.passed += [(need.label, seat) for seat in owners]
        self._machine.answer(cast("dict[str, Order]", passing), out)
        return True

    def _plan(self, entry: Entry) -> tuple[Event, ...] | Violation:
        if not self.entries:
            return Violation("", "You are not asked for orders now")
        need = self._machine.need
        if not self.can_plan and isinstance(need, Orders):
            who = all_of(self._match.game.seat(seat).title for seat in need.seats)
            return Violation(
                "",
                f"Nothing can be planned past a choice of {who} ({need.kind}), unless their standing orders make it",
            )
        if not self.can_plan:
            return Violation("", "Nothing can be planned past a secret choice or the end of the game")
        order, seat = bare(entry.order), next(each.seat for each in reversed(self.entries) if not each.plan)
        if type(order) not in self._machine.ahead():
            return Violation(
                "", f"A plan cannot hold this order: nothing in the rest of this turn asks for {order.kind}"
            )
        if isinstance(entry.order, PlanLine):
            facts = self._machine.facts(seat)
            unknown = [test.fact for test in entry.order.tests if test.fact not in facts]
            if unknown:
                known = ", ".join(facts) or "none"
                return Violation("", f"{unknown[0]!r} is not a fact that a plan can test; there are: {known}")
        said = self._match.game.notation.sentence(entry.order, self.view((seat,)))
        self.entries.append(replace(entry, said=said))
        return ()


def _phase(need: Dice | Cards | Openings | Over) -> str:
    if isinstance(need, Dice):
        return "dice"
    if isinstance(need, Cards):
        return "cards"
    return "openings" if isinstance(need, Openings) else "over"
