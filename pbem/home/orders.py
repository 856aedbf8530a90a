"""A player's move before it is sealed: the draft, plans, standing orders and the message that goes with it; what is
legal, and the board as they see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice, takewhile, zip_longest
from typing import Any, NamedTuple

from pbem.engine import policy as policies
from pbem.engine.bots import Planner, Provident, Randomness
from pbem.engine.compiled import MATTERS, preset_texts, program
from pbem.engine.counts import all_of, upper
from pbem.engine.definition import Game, Reckoning
from pbem.engine.draft import Draft, Entry, Line
from pbem.engine.event import Event
from pbem.engine.legal import Legal
from pbem.engine.match import Accepted, Match
from pbem.engine.need import Orders
from pbem.engine.notation import Context as Reading
from pbem.engine.notation import NotationError
from pbem.engine.obligation import ORDERS, Obligation
from pbem.engine.order import Order, PlainLine, PlanLine, Violation
from pbem.engine.player import NewStanding, Player
from pbem.engine.policy import ASK, DEFAULT, LEAVE, Policy, SealedPolicy, parse_conditions
from pbem.engine.step import Decide
from pbem.home import describe, summary
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, GameStore, my_place, player_of
from pbem.home.root import Home
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.characters import check_lines, plain_signs
from pbem.protocol.digest import tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_NOTE
from pbem.protocol.record import parse_record


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line of a draft as its player typed it, and the texts of the orders that it stands for."""

    typed: str
    orders: tuple[str, ...]
    said: tuple[str, ...]
    """A sentence for each of these orders."""
    left: bool = False
    """This line was left over when a plan stopped, and nobody has typed it again."""


class Skipped(NamedTuple):
    """An order of a plan that was not legal when it came up, and why."""

    order: str
    why: str


@dataclass(frozen=True, slots=True)
class LeftOver:
    """The rest of a plan that stopped."""

    stopped: str
    """Why the plan stopped."""
    waiting: tuple[str, ...]
    """Orders not tried yet, because other orders are asked for first."""
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class LegalGroup:
    """Legal orders of one verb about one thing: the unit, place or card that their first word names."""

    key: str
    """Key of that thing (`u:B1`), or `v:` and the verb if the orders have none (`v:done`)."""
    verb: str
    begins: str
    """The words that they have in common."""
    orders: tuple[tuple[str, str], ...]
    """Their texts, each with a sentence that says the same."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """Orders that are not sealed: up to the point where chance or somebody else is needed, and the plan for after
    chance."""

    lines: tuple[DraftLine, ...]
    plan: tuple[DraftLine, ...]
    left: LeftOver | None = None
    asks: str = ""
    """What the player is asked after it; empty when that is all that can be ordered now."""

    @property
    def orders(self) -> list[str]:
        """The texts of the orders, without the plan."""
        return [order for line in self.lines for order in line.orders]

    @property
    def planned(self) -> list[str]:
        """The texts of the orders that are to follow chance."""
        return [order for line in self.plan for order in line.orders]


class StandingRow(NamedTuple):
    """The standing order of one seat for one kind of decision; an empty policy asks the player."""

    seat: str
    kind: str
    policy: str
    state: str


class Explained(NamedTuple):
    """A kind of decision that takes standing orders, in words."""

    asks: str
    answers: Mapping[str, str]
    """By what is typed for it, what each answer does."""
    facts: Mapping[str, str]
    """By name, what conditions compare."""
    usual: tuple[str, ...]
    """What the game answers where nothing else is said."""


class PresetStanding(NamedTuple):
    """A preset's standing orders for one kind of decision; an empty policy asks the player."""

    kind: str
    policy: str


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A preset of standing orders: what it is for, and what it sets."""

    name: str
    text: str
    seats: tuple[str, ...]
    """Your seats that use this preset unchanged."""
    standing: tuple[PresetStanding, ...]


def check_kind(kind: str, known: Sequence[str]) -> None:
    """`known`: the decisions for which the seat may give standing orders."""
    if kind not in known:
        there = f"There are {', '.join(known)}." if known else "None in this game does."
        raise Refusal(
            "E-POLICY",
            f"There is no decision {kind!r} that takes standing orders{_meant(kind, known)} {there}",
            step="POL-6",
        )


def check_words(step: Decide[Any, Any, Any], state: Any, policy: Policy, has_default: bool) -> None:
    """Every fact and answer is one that this decision can have (E-POLICY)."""
    for clause in policy.clauses:
        for test in clause.tests:
            if test.fact not in step.fact_names:
                raise _unknown(test.fact, "a fact", step.name, step.fact_names)
        for answer in clause.answers:
            if answer not in (ASK, DEFAULT) and not step.is_answer(state, answer):
                known = (*step.answer_names, ASK, *((DEFAULT,) if has_default else ()))
                raise _unknown(answer, "an answer", step.name, known)


def _unknown(word: str, what: str, kind: str, known: Sequence[str]) -> Refusal:
    there = f"There are {', '.join(known)}." if known else "There are none."
    return Refusal(
        "E-POLICY", f"{word!r} is not {what} of the decision {kind!r}{_meant(word, known)} {there}", step="POL-6"
    )


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"; did you mean {near[0]}?" if near else "."


_PRIVATE_NOTE = "private_note"
MAX_PRIVATE = 100_000


def waiting_note(store: GameStore) -> str:
    """The message that waits; one whose record is on the disk is spent."""
    state = store.state
    return "" if state.note_with and store.record(*state.note_with) is not None else state.note


def keep_note(store: GameStore, text: str, sealing: tuple[int, ...] = ()) -> None:
    """`sealing`: the record that it is about to travel with."""
    text = plain_signs(text)
    check_lines(text, MAX_NOTE, "The message", "FIL-8")
    store.change(note=text, note_with=sealing)


def note(home: Home, name: str) -> str:
    """The message that waits for one's next record."""
    return waiting_note(home.find(name))


def set_note(home: Home, name: str, text: str) -> None:
    with home.writing():
        keep_note(home.find(name), text)


def private_note(home: Home, name: str) -> str:
    """Notes for oneself, never mailed."""
    raw = home.find(name).private(_PRIVATE_NOTE)
    return raw.decode() if raw else ""


def set_private_note(home: Home, name: str, text: str) -> None:
    with home.writing():
        check_lines(text, MAX_PRIVATE, "The note", "FIL-8")
        home.find(name).set_private(_PRIVATE_NOTE, text.encode() if text else None)


NOTE = "Note: "
"""Begins what an order leaves undone, among the lines that say what it brought about."""
TRIED = 12  # further orders of a line that is refused, to see which of them could be given
_DRAFT = "draft"
_LIMIT = 4 << 20
_CHANCE = {
    "answers": "Answers from sealed standing orders are revealed.",
    "cards": "Cards are dealt.",
    "dice": "Dice are rolled.",
    "openings": "Secret choices are revealed.",
    "others": "The other players give their orders.",
    "over": "The game is over.",
}
_UNKNOWN = bytes(32)  # what commits to standing orders that are not sealed yet
WAITING = ("with your next orders", "sealed with your next orders")  # states of new standing orders
UNCHANGED = "unchanged"  # what a preset does to a stance
PRESET = "preset"  # in place of a kind of decision: the usual standing orders for all of them


@dataclass(frozen=True, slots=True)
class Left:
    """The rest of a plan of this seat that stopped in this turn; some of it may be in the draft by now.

    `skipped`: what was not legal when the draft came to it, and why.
    """

    seat: str
    turn: int
    stopped: str
    orders: tuple[PlainLine, ...]
    skipped: tuple[tuple[PlainLine, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """A draft as the vault keeps it: lines as typed, standing orders that wait to be sealed, what is left of a plan."""

    lines: tuple[Line, ...] = ()
    standing: tuple[NewStanding, ...] = ()
    left: Left | None = None
    sealing: tuple[int, int] | None = None
    """Set right before it is sealed: once that record is on the disk, the draft is spent."""


def saved(store: GameStore) -> Saved:
    raw = store.private(_DRAFT)
    if raw is None:
        return Saved()
    value: Any = unpack(raw, _LIMIT)
    left = value.get("left")
    over = None
    if left is not None:
        seat, turn, stopped, orders, skipped = left
        over = Left(seat, turn, stopped, tuple(orders), tuple((order, why) for order, why in skipped))
    standing = [
        NewStanding(seat, decision, None if rule is None else policies.unpack(rule), sealed)
        for seat, decision, rule, sealed in value["standing"]
    ]
    spent = store.record(*value["sealing"]) if value["sealing"] is not None else None
    if spent is not None:
        gone = [(seat, decision) for seat, decision, _ in parse_record(spent).data.get("standing", ())]
        return Saved(standing=tuple(each for each in standing if (each.seat, each.decision) not in gone), left=over)
    lines: Any = value["lines"]
    return Saved(tuple(Line(typed, tuple(orders), left) for typed, orders, left in lines), tuple(standing), over)


def save(store: GameStore, draft: Saved) -> None:
    if draft == Saved():
        store.set_private(_DRAFT, None)
        return
    lines: list[Plain] = [[line.typed, list(line.orders), line.left] for line in draft.lines]
    standing: list[Plain] = [
        [each.seat, each.decision, None if each.policy is None else each.policy.pack(), each.sealed]
        for each in draft.standing
    ]
    sealing: Plain = None if draft.sealing is None else list(draft.sealing)
    left: Plain = None
    if draft.left is not None:
        over = draft.left
        left = [over.seat, over.turn, over.stopped, list(over.orders), [[order, why] for order, why in over.skipped]]
    store.set_private(_DRAFT, pack({"left": left, "lines": lines, "sealing": sealing, "standing": standing}))


def bring_back(game: GameFile, accepted: Accepted) -> None:
    """What is left of one's own plan that stopped with this record (MEA-6) waits beside the draft. A bot makes a new
    plan instead, and its old one is shown to nobody.
    """
    me, lapsed = game.me, accepted.lapsed
    if me is None or lapsed is None or lapsed.by != me.by or lapsed.seat in game.bots:
        return
    kept = saved(game.store)
    more = kept.left.orders if kept.left is not None and kept.left.turn == lapsed.turn else ()
    left = Left(lapsed.seat, lapsed.turn, lapsed.stopped, (*lapsed.orders, *more))
    save(game.store, replace(kept, left=left))


def mind_left(game: GameFile) -> list[str]:
    """What is left of a plan is dropped when its turn has passed; a sentence about it, if there is any."""
    kept = saved(game.store)
    left, match = kept.left, game.replay.match
    if left is None or match is None:
        return []
    if left.turn == match.machine.turn:
        note = f"What is left of your plan is in your draft, and only you can send it: pbem draft {game.name}"
        return [note] if left.orders else []
    save(game.store, replace(kept, left=None))
    whose = match.game.seat(left.seat).title
    texts = match.game.texts(map(match.read, left.orders))
    return [f"The turn of {whose} has passed. Dropped from the rest of your plan: {texts}."] if texts else []


def find_preset(game: Game[Any], name: str) -> Mapping[str, Policy | None]:
    """The standing orders of this preset by kind of decision."""
    presets = program(game).presets
    if name not in presets:
        raise HomeError("E-UNKNOWN", f"{game.title} has no preset {name!r}. It has: {', '.join(presets)}.")
    return presets[name]


def begin_standing(home: Home, game: GameFile) -> None:
    """The preset that was chosen before the start, or the usual one, waits for the first orders."""
    state = game.store.state
    if not state.begun:
        Move(home, game).set_preset(None, state.preset or MATTERS)
        game.store.change(begun=True)


class Move:
    """One player's seat at a loaded game."""

    def __init__(self, home: Home, game: GameFile) -> None:
        self.game = game
        self.match: Match[Any] = game.match
        self.me = my_place(game)
        self.bots = game.bots
        self.alone = len(game.offer.authors) < 2
        self.player: Player = player_of(home, game)
        self._home = home
        own = self.player.own_values(self.match)
        kept = saved(game.store)
        self.standing = kept.standing
        carried = [
            (each.seat, each.decision, SealedPolicy(_UNKNOWN) if each.sealed else each.policy)
            for each in kept.standing
            if self.match.machine.may_change(each.seat, each.decision)
        ]
        self.draft, self.dropped = Draft.load(self.match, self.me.by, own, kept.lines, carried)
        self.left = kept.left if kept.left is not None and kept.left.turn == self.match.machine.turn else None
        self.resumed = self._resume()

    # Orders

    @property
    def seat(self) -> str | None:
        """The seat for which a person is asked next."""
        return None if self.draft.seat in self.bots else self.draft.seat

    def order(self, texts: Sequence[str]) -> list[str]:
        """Adds what was typed, all of it or nothing; what it brings about, in words."""
        if self.draft.seat in self.bots:
            raise HomeError("E-NOT-NOW", "A bot orders next, once what you have ordered is sealed.")
        lines = self._add(texts)
        self._save()
        return lines

    def change(self, number: int, text: str) -> list[str]:
        """Another order in the place of this line of the draft; the rest is tried again: all of it or nothing."""
        drafted = self.drafted()
        if not 0 <= number < len(drafted.lines):
            raise HomeError("E-UNKNOWN", f"The draft has no line {number + 1}.")
        texts = [line.typed for line in drafted.lines]
        self.draft.undo(len(texts) - number + len(drafted.plan))
        lines = self._add((text, *texts[number + 1 :]))
        self._add_plan([line.typed for line in drafted.plan])
        self._save()
        return lines

    def forced(self, after: str = "") -> Order | None:
        """Against bots alone, where the speed of an answer tells nobody what a hand holds: the only order that is legal
        for a person in a window or in another's turn, or where a phase begins in which nothing can be ordered.

        `after`: the decision that was answered last, if this is to follow in the same line of the draft.
        """
        machine, seat = self.draft.machine, self.seat
        need = machine.need
        if not (self.bots and self.alone) or seat is None or not isinstance(need, Orders):
            return None
        interrupts = need.window or machine.mover not in ("", seat)
        if need.sealed or need.secret or need.seats != (seat,) or not (interrupts or after not in ("", need.kind)):
            return None
        first, *more = islice(self.draft.legal(), 2)
        return None if more or not (interrupts or self._is_over_with(first)) else first

    def _is_over_with(self, order: Order) -> bool:
        """Does this order do nothing but end the phase, with nothing left undone?"""
        tried, before = self.draft.tried(order), self.kind()
        if isinstance(tried, Violation) or tried.entries[-1].undone:
            return False
        return not isinstance(tried.machine.need, Orders) or tried.machine.need.kind != before

    def _follow(self, after: str) -> list[str]:
        """Takes what is forced into the line before it; what that is, in words."""
        lines: list[str] = []
        while (order := self.forced(after)) is not None:
            after = self.kind()
            events = self._take(order, "", more=True)
            lines += self.game.told(events) or [f"Nothing else is possible: {self.draft.entries[-1].said}"]
        return lines

    def _add(self, texts: Sequence[str]) -> list[str]:
        lines: list[str] = []
        if self.resumed:
            lines.append(f"Before this, left over from your plan: {self._texts(self.draft.entries[-self.resumed :])}.")
        events: list[Event] = []
        before = len(self.draft.entries)
        for text in texts:
            orders, after = self.meant(text), ""
            for place, order in enumerate(orders):
                after = self.kind() if self.draft.seat is not None else ""
                if self.draft.seat is None and self.draft.entries:
                    chance = Refusal(
                        "E-PLAN",
                        "What comes next depends on dice, cards or somebody else. To seal what is ordered: pbem send; "
                        "to take it back: pbem undo; to order for afterwards: pbem plan.",
                    )
                    raise self._of_several(chance, orders, place)
                try:
                    found = self._take(order, text, more=place > 0)
                except Refusal as refusal:
                    raise self._of_several(refusal, orders, place) from None
                events += found
                if not self.game.told(found):  # nothing to see; else told together, as the story of the game joins it
                    lines += (
                        *self.game.told(tuple(events)),
                        f"{self.draft.entries[-1].said.rstrip('.')} ({self.show(order)}).",
                    )
                    events.clear()
            forced = self._follow(after)
            lines += (*self.game.told(tuple(events)), *forced) if forced else ()
            events = [] if forced else events
        lines += self.game.told(tuple(events))
        undone = dict.fromkeys(line for entry in self.draft.entries[before:] for line in entry.undone)
        lines += [f"{NOTE}{line}" for line in undone]
        if more := self._resume():
            texts_left = self._texts(self.draft.entries[-more:])
            lines.append(f"Your plan goes on from here with what was left of it: {texts_left}.")
        return lines

    def _of_several(self, refusal: Refusal, orders: Sequence[Order], place: int) -> Refusal:
        """A line stands for several orders, all or none: which of them could be given together."""
        draft, fit = self.draft, list(orders[:place])
        for each in orders[place + 1 : place + 1 + TRIED] if draft.seat is not None else ():
            found = draft.tried(each)
            if not isinstance(found, Violation):
                draft = found
                fit.append(each)
        if not fit:
            return refusal
        texts = Counter(f"`{self.show(each)}`" for each in fit)
        named = all_of(f"{count} x {text}" if count > 1 else text for text, count in texts.items())
        more = f"Of the {len(orders)} orders in this line, {named} would be legal; none was given."
        return Refusal(refusal.code, f"{refusal.sentence} {more}", step=refusal.step)

    def _resume(self) -> int:
        """What is left of a plan comes into the draft as far as it can (MEA-6), for a person to seal; the number."""
        left, before = self.left, len(self.draft.entries)
        if left is None or not left.orders:
            return 0
        waiting, skipped = self.draft.resume(left.seat, left.orders)
        write = self.match.game.orders.write
        new = tuple((write(order), why) for order, why in skipped)
        self.left = replace(left, orders=waiting, skipped=(*left.skipped, *new))
        return len(self.draft.entries) - before

    def plan(self, texts: Sequence[str]) -> None:
        """Adds orders that are carried out after chance, each if it is legal then."""
        if self.draft.seat is not None:
            raise Refusal("E-PLAN", "First finish the orders of this phase; a plan is for what comes after the dice.")
        self._add_plan(texts)
        self._save()

    def _add_plan(self, texts: Sequence[str]) -> None:
        for text, orders in [(text, self._read(text)) for text in texts]:
            for place, order in enumerate(orders):
                self._take(order, text, more=place > 0)

    def undo(self, count: int | None, *, units: bool = False) -> tuple[DraftLine, ...]:
        """Takes back so many lines as typed, or with `units` orders; None: all. What was taken back, as it stood."""
        if count is None:
            self.left = None
        own = self.own()
        most = sum(map(len, own)) if units else len(own)
        gone = self.draft.undo(most if count is None else min(count, most), units=units) if most else []
        self._save()
        return self._lines(gone)

    def clear_plan(self) -> None:
        planned = sum(entry.plan for entry in self.draft.entries)
        if planned:
            self.draft.undo(planned, units=True)
        self.left = None
        self._save()

    def drafted(self) -> Drafted:
        entries, left = [entry for line in self.own() for entry in line], self.left
        read = self.match.read
        return Drafted(
            self._lines([entry for entry in entries if not entry.plan]),
            self._lines([entry for entry in entries if entry.plan]),
            None
            if left is None
            else LeftOver(
                left.stopped,
                tuple(self.show(read(order)) for order in left.orders),
                tuple(Skipped(self.show(read(order)), why) for order, why in left.skipped),
            ),
            self.asks(),
        )

    def _lines(self, entries: Iterable[Entry]) -> tuple[DraftLine, ...]:
        """Lines as typed, each with the texts of its orders, as far as these are among the entries."""
        found: list[tuple[str, list[str], list[str], bool]] = []
        for entry in entries:
            text = self.show(entry.order)
            if not entry.more or not found:
                found.append((text if entry.more else entry.typed or text, [], [], entry.left))
            if entry.plan or entry.seat not in self.bots:
                found[-1][1].append(text)
                found[-1][2].append(entry.said)
        return tuple(DraftLine(typed, tuple(orders), tuple(said), left) for typed, orders, said, left in found)

    def forecast(self) -> list[str]:
        """Sentences about what follows when the draft is sealed: the dice, the next player, what others will have
        read."""
        return self._forecast(self.draft)

    def _forecast(self, draft: Draft) -> list[str]:
        lines = [*self._chances(draft)]
        lines += [self._owed_next(draft, each) for each in draft.forecast()]
        lines += draft.ahead()
        if draft.seat in self.bots:
            lines.append(f"A bot orders next, for {self._titles((draft.seat,))}.")
        elif draft.seat is not None:
            lines.append(f"You are asked next, for {self._titles((draft.seat,))}: {draft.machine.prompt(draft.seat)}")
        return lines or [_CHANCE[draft.stop]]

    def _owed_next(self, draft: Draft, each: Obligation) -> str:
        """What a player, or a player's program, has to do next; the player themselves are `you`."""
        mine, name = each.by == self.me.by, self.game.player_name(each.by)
        if each.what == ORDERS:
            return f"{'You order' if mine else f'{name} orders'} next, for {self._titles(each.seats)}."
        program = "Your program" if mine else f"{name}'s program"
        asked = [item for item in each.items if item[0] == "answer"]
        if not asked:
            return f"{program} {each.text}{', which needs nothing from you' if mine else ''}."
        kinds = all_of(sorted({str(item[1]).partition("/")[0].replace("_", " ") for item in asked}))
        others = [str(item[2]) for item in asked if item[2] not in self.game.played]
        whose = f"the standing order of {self._titles(others)}" if others else "your standing order"
        acts = f"{self._titles(others)} may act now ({kinds}), and" if others else f"You are asked now ({kinds}), and"
        when = "at once" if mine else "on receiving your file"
        goes_on = "; then your turn goes on" if draft.machine.mover in self.game.played else ""
        return (
            f"{acts} {whose} is still hidden: it can be opened only when your orders so far are sealed. "
            f"{program} opens it {when}{goes_on}."
        )

    def _chances(self, draft: Draft) -> Iterator[str]:
        """What dice decide that come next, and whether the turn goes on after them."""
        found = draft.outlook()
        if found is None:
            return
        yield found.rolled
        if found.rolls > 1:
            yield "More rolls may follow before anybody is asked."
        asked = (*found.own, *found.others)
        again = any(seat in self.game.played and seat not in self.bots for seat in found.following)
        if draft.machine.turn and not found.ends:
            what = f". Next to choose: {self._titles(asked)}" if asked else ""
            yield f"The turn goes on after that{what}."
        elif draft.machine.turn and again and found.sure and not asked:
            yield "After that it is your move again, whatever the dice show."
        elif draft.machine.turn:
            unless = f"there is then a choice to make for {self._titles(asked)}"
            cases = (unless,) * bool(asked) + ("the roll or draw makes it your move again",) * again
            sure = f"unless {' or '.join(cases)}" if cases else "whatever the dice show"
            yield f"After that you have nothing more to order for now, {sure}."
        if found.following and found.sure and not again:
            yield f"Next to order: {self._titles(found.following)}."

    def _titles(self, seats: Iterable[str]) -> str:
        return all_of([self.match.game.seat(seat).title for seat in dict.fromkeys(seats)])

    def follows(self, order: Order) -> tuple[list[str], list[str]]:
        """What an order that may be given now leaves undone, and what comes after it, in sentences."""
        tried = self.draft.tried(order)
        if isinstance(tried, Violation):
            return [], []
        return list(tried.entries[-1].undone), self._forecast(tried)

    def carried(self) -> tuple[list[NewStanding], tuple[NewStanding, ...]]:
        """Standing orders that go with the draft, stances sealed anew among them (POL-11); and those that wait."""
        now = [each for each in self.standing if self.match.machine.may_change(each.seat, each.decision)]
        waiting = tuple(each for each in self.standing if each not in now)
        if self.draft.seat is None:
            said = {(each.seat, each.decision) for each in self.standing}
            now += [each for each in self.player.renewed(self.match) if (each.seat, each.decision) not in said]
        return now, waiting

    def left_undone(self) -> list[str]:
        """What a player might not want to leave as it is: a phase that is not over, and what the game knows."""
        stopped = [] if self.seat is None else [f"{self._titles((self.seat,))} can still order in this phase."]
        return [*stopped, *self.draft.left_undone()]

    def kind(self) -> str:
        """The decision that the draft is at."""
        need = self.draft.machine.need
        assert isinstance(need, Orders)
        return need.kind

    def asks(self) -> str:
        """What the player is asked after the draft; empty when that is all that can be ordered now."""
        return "" if self.draft.seat is None else self.draft.machine.prompt(self.draft.seat)

    def offered(self) -> list[str]:
        """The words with which orders can begin now."""
        kinds, verb_of = self.may_order().kinds, self.match.game.notation.verb_of
        takes = self.draft.machine.decision.takes if kinds else ()
        return [verb_of[each].word for each in takes if each in kinds]

    def barred(self, text: str) -> str:
        """Why this cannot be ordered, or nothing that begins with this unit or place."""
        if self.seat is None:
            return ""
        wrong: Violation | None = None
        with suppress(NotationError):
            wrong = next(filter(None, map(self.draft.why, self.meant(text))), None)
        return f"{wrong or self.draft.barred(text.split(' ')[-1])}."

    def may_order(self) -> Legal:
        """What a person may order."""
        if self.seat is None:
            return Legal(self.match.game.notation, self.draft.machine.view, tuple)
        return self.draft.legal()

    def first(self) -> tuple[str, ...]:
        """The first steps of what may be ordered now, as keys."""
        return self.may_order().first

    def picked(self, key: str) -> Iterator[str]:
        """The texts of what may be ordered that begins with one of them."""
        return map(self.show, self.may_order().picked(key))

    def legal(self, prefix: str = "") -> Iterator[str]:
        """The texts of what may be ordered now, lazily."""
        return (text for text, _ in self.may_order().beginning(prefix, self.show))

    def grouped(self, prefix: str = "") -> list[LegalGroup]:
        """What may be ordered now: all of it, or what begins with a text, or else with a thing (`B1`)."""
        if self.seat is None:
            return []
        notation, legal, seat = self.match.game.notation, self.draft.legal(), self.seat
        view = self.draft.view((seat,))
        orders = list(legal.beginning(prefix, self.show))
        if not orders:
            named = dict.fromkeys(order for key in legal.named(prefix.strip()) for order in legal.picked(key))
            orders = [(self.show(order), order) for order in named]
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for text, order in orders:
            verb = notation.verb_of[type(order)].word
            key = notation.begins(order, view)[0]
            found.setdefault((verb, key), []).append((text, self.draft.sentence(seat, order)))
        return [
            LegalGroup(key, verb, _common([text for text, _ in of]), tuple(of)) for (verb, key), of in found.items()
        ]

    def completions(self, text: str) -> Iterator[str]:
        """How a line that begins so may go on: with a verb, then with a first thing, then to its end."""
        if self.seat is None:
            return
        verb, space, rest = text.partition(" ")
        legal, takes = self.draft.legal(), self.draft.machine.decision.takes
        known = [self.match.game.notation.verb_of[each] for each in takes if each in legal.kinds]
        verbs = [each for each in known if each.word.startswith(verb)]
        words: dict[str, None] = {}
        if not space:
            words = {f"{each.word} " if each.fields else each.word: None for each in verbs}
        elif " " not in rest and verbs:
            things = [each.thing for each in verbs]
            keys = [key.partition(":") for key in (legal.first if all(things) else ())]
            words = {f"{verb} {word} ": None for thing, _, word in keys if thing in things and word.startswith(rest)}
        yield from words or (shown for shown, _ in legal.beginning(text, self.show))

    def bot(self, name: str | None, seats: Sequence[str]) -> list[str]:
        """Lets a bot of the game answer for these of one's seats (none: all), as far as the draft can go; what a person
        is asked between, and can answer in one way only, is answered so.

        In a game for oneself alone that is to the end of the turn: without dice the draft would go on for ever.
        """
        bots = self.match.game.bots
        bot = bots.get(self.match.game.best_bot if name is None else name)
        if bot is None:
            raise HomeError("E-UNKNOWN", f"{self.match.game.title} has the bots: {', '.join(sorted(bots)) or 'none'}.")
        if self.draft.seat is None and not self.draft.entries:
            raise self._not_asked()
        # What a person planned is for a person to send.
        left = len(list(takewhile(lambda entry: entry.left, reversed(self.draft.entries))))
        if left:
            self.draft.undo(left, units=True)
        self.left = None
        rng, lines = Below(self._home.random), list[str]()
        turn = self.draft.machine.turn
        while (seat := self.draft.seat) is not None:
            machine = self.draft.machine
            if self.alone and machine.turn != turn:
                break
            if seats and seat not in seats:
                if (only := self.forced()) is None:
                    break
                self._take(only, self.show(only))
                continue
            need = machine.need
            assert isinstance(need, Orders)
            view = self.draft.view((seat,))
            order = bot.choose(view, need, seat, self.draft.legal(), rng)
            lines.append(self.show(order))
            self._take(order, lines[-1])
        if isinstance(bot, Planner) and not any(entry.plan for entry in self.draft.entries):
            lines += self._planned_by(bot, rng, seats)
        ordered = [entry.seat for entry in self.draft.entries if not entry.plan and (not seats or entry.seat in seats)]
        seat = ordered[-1] if ordered else None
        if isinstance(bot, Provident) and seat is not None:
            self._stand_by(bot, seat)
        self._save()
        return lines

    def _planned_by(self, bot: Planner[Any], rng: Randomness, seats: Sequence[str]) -> list[str]:
        """What the bot orders for after chance, if one of its seats (none: all) has ordered last."""
        if self.draft.seat is not None or not self.draft.can_plan or not self.draft.entries:
            return []
        seat = self.draft.entries[-1].seat
        if seats and seat not in seats:
            return []
        orders = bot.plan(self.draft.view((seat,)), seat, rng)
        for order in orders:
            self._take(order, self.show(order))
        return [f"if legal: {self.show(order)}" for order in orders]

    def _stand_by(self, bot: Provident[Any], seat: str) -> None:
        """The bot's standing orders, as far as they differ from those in force."""
        held = {kind: text for _, kind, text, _ in self.standing_rows((seat,))}
        for kind, text, sealed in bot.standing(self.draft.view((seat,)), seat):
            if kind in held and held[kind] != self._text(self.match.game.policy(kind, text)):
                self.set_standing(seat, kind, text, sealed=sealed)

    def _take(self, order: Order, typed: str, *, more: bool = False) -> tuple[Event, ...]:
        """Where the order is taken for a window of a bot whose turn it is (MEA-17), it is given once more."""
        asked, found = self.seat, self.draft.add(order, typed, more=more)
        if isinstance(found, Violation):
            rule = f" ({found.rule})" if found.rule else ""
            raise Refusal("E-ORDER", f"Not legal{rule}: {found.reason}.")
        again = asked is not None and self.seat == asked and self.draft.entries[-1].seat in self.bots
        return (*found, *self._take(order, "", more=True)) if again else found

    def meant(self, text: str) -> tuple[Order, ...]:
        """The orders that a line means; they may still be illegal."""
        if self.draft.seat is None:
            if not self.draft.entries:
                raise self._not_asked()
            return self._read(text)
        machine, seat = self.draft.machine, self.draft.seat
        own, rng = self.draft.known((seat,)), Below(self._home.random)
        reading = Reading(machine.state, machine.need, seat, self.draft.legal, own, rng=rng)
        return self.match.game.notation.parse(text, reading)

    def _read(self, text: str) -> tuple[Order, ...]:
        """What is typed for after chance: groups are read, but what will be legal then cannot be guessed."""
        seat = self.last_seat()
        own = self.draft.known((seat,)) if seat is not None else {}
        reading = Reading(self.draft.machine.state, None, seat or "", self.draft.legal, own, planning=True)
        found: list[Order] = []
        for piece in text.split(";"):
            tests, must, rest = parse_conditions(piece)
            orders = self.match.game.notation.parse(rest, reading)
            found += [PlanLine(order, tests, must) for order in orders] if tests or must else orders
        return tuple(found)

    def _not_asked(self) -> HomeError:
        if self.match.result is not None:
            out = describe.forfeited(self.game)
            why = f" {upper(out)}." if out else ""
            return HomeError("E-NOT-NOW", f"{self.game.name} is over.{why}")
        waiting = [self.game.player_name(each.by) for each in self.match.pending() if each.by != self.me.by]
        whom = f" {waiting[0]} is to act." if waiting else ""
        return HomeError("E-NOT-NOW", f"You are not asked for orders in {self.game.name} now.{whom}")

    def show(self, order: Order) -> str:
        return self.match.game.notation.show(order)

    def _texts(self, entries: Iterable[Entry]) -> str:
        return self.match.game.texts(entry.order for entry in entries)

    def unanswered(self) -> str | None:
        """A seat of one's own that is asked beside another that has answered in the draft."""
        need = self.draft.machine.need
        if self.draft.seat is None or not isinstance(need, Orders):
            return None
        mine = [seat for seat in need.seats if seat in self.game.seats]
        return None if self.draft.seat == mine[0] else self.draft.seat

    def own(self) -> list[list[Entry]]:
        """The lines at the end of the draft that a person has typed: what a bot has ordered and planned stays."""
        lines = self.draft.lines()
        bots = {*self.bots}
        theirs = max((n for n, line in enumerate(lines, start=1) if {e.seat for e in line} <= bots), default=0)
        return [] if theirs and all(line[0].plan for line in lines[theirs:]) else lines[theirs:]

    def seals(self) -> bool:
        """Is there something to seal? Standing orders alone wait for the next orders."""
        return bool(self.draft.entries)

    def asked(self) -> tuple[str, ...]:
        return (self.seat,) if self.seat is not None else ()

    # Looking

    def eyes(self) -> tuple[str, ...]:
        """The seats that the player looks from."""
        return self.game.eyes(self.draft.seat or self.last_seat())

    def last_seat(self) -> str | None:
        """The seat that gave the last order of the draft."""
        return next((entry.seat for entry in reversed(self.draft.entries) if not entry.plan), None)

    def board(self) -> str:
        """As the player sees it, with their draft."""
        return self.match.game.board(self.draft.view(self.eyes()))

    def odds(self, text: str) -> Reckoning:
        game = self.match.game
        if game.odds is None:
            raise HomeError("E-LACKS", f"{game.title} cannot show odds.")
        told = game.odds(self.draft.view(self.eyes()), text)
        return Reckoning(told) if isinstance(told, str) else told

    def look(self, text: str = "") -> Reckoning:
        game = self.match.game
        if game.look is None:
            raise HomeError("E-LACKS", f"{game.title} answers no questions; use `legal` and `board` instead.")
        told = game.look(self.draft.view(self.eyes()), text)
        return Reckoning(told) if isinstance(told, str) else told

    # Standing orders

    def set_standing(self, seat: str | None, decision: str, text: str | None, *, sealed: bool | None) -> None:
        """They wait for the next orders; a text of None asks the player again. Without a seat they are for all seats of
        the player's that take the decision, if these are allies. `sealed` None: as the decision has it."""
        chosen = self._seats(seat, decision)
        check_kind(decision, self._decisions(chosen[0]))
        rule = None if text is None else self.match.game.policy(decision, text)
        made = program(self.match.game)
        if rule is not None:
            check_words(made.decisions[decision], self.draft.machine.state, rule, decision in made.defaults)
        waiting = [each for each in self.standing if each.seat not in chosen or each.decision != decision]
        for each in chosen:
            self.match.machine.check_standing(each, decision, rule)
            if rule is not None or decision in self.match.machine.standing(each):
                hidden = self._seals(decision) if sealed is None else sealed
                waiting.append(NewStanding(each, decision, rule, hidden and rule is not None))
        self.standing = tuple(waiting)
        self._save()

    def _seals(self, decision: str) -> bool:
        """Are standing orders for it sealed unless their owner says otherwise?"""
        step = program(self.match.game).decisions[decision]
        return step.stance or step.shows

    def set_preset(self, seat: str | None, name: str) -> None:
        """The standing orders of a preset, as far as they differ from those in force, wait for the next orders."""
        chosen = find_preset(self.match.game, name)
        if seat is not None and seat not in self.game.played:
            raise HomeError("E-SEAT", f"{seat!r} is not one of your seats: {', '.join(self.game.played)}.")
        waiting = []
        seats = self.game.played if seat is None else (seat,)
        for each in seats:
            held = self._held(each)
            for decision in self._decisions(each):
                if decision in chosen and held.get(decision) != chosen[decision]:
                    policy = chosen[decision]
                    waiting.append(NewStanding(each, decision, policy, policy is not None and self._seals(decision)))
        self.standing = (
            *(new for new in self.standing if new.seat not in seats or new.decision not in chosen),
            *waiting,
        )
        self._save()

    def ask_in_windows(self) -> None:
        """In place of the usual answer, wherever that is to pass (POL-9)."""
        made = program(self.match.game)
        for seat in self.game.played:
            held = self._held(seat) | {new.decision: new.policy for new in self.standing if new.seat == seat}
            for kind in self._decisions(seat):
                step = made.decisions[kind]
                if step.window and not step.shows and kind in made.preset and held.get(kind) == made.preset[kind]:
                    self.set_standing(seat, kind, f"then {ASK}", sealed=None)

    def presets(self) -> list[PresetRow]:
        """The presets of the game, and for which of the player's seats each is chosen, new ones included."""
        game, rows = self.match.game, []
        texts = preset_texts(game)
        chosen: dict[str, dict[str, Policy | None]] = {}
        for seat in self.game.played:
            chosen[seat] = {**self._held(seat), **{n.decision: n.policy for n in self.standing if n.seat == seat}}
        for name, rules in program(game).presets.items():
            taken = sorted(self._decisions_of_all() & set(rules))
            seats = [
                seat
                for seat, held in chosen.items()
                if all(held.get(kind) == rules[kind] for kind in self._decisions(seat) if kind in rules)
            ]
            stances = sorted(kind for kind in self._decisions_of_all() if kind not in rules)
            standing = [PresetStanding(kind, self._text(rules[kind]) or self._left(kind)[0]) for kind in taken]
            standing += [PresetStanding(kind, UNCHANGED) for kind in stances]
            rows.append(PresetRow(name, texts[name], tuple(seats), tuple(standing)))
        return rows

    def _held(self, seat: str) -> dict[str, Policy | None]:
        """The seat's standing orders now, sealed ones as only their owner knows them."""
        held = self.match.machine.standing(seat).items()
        return {
            kind: self.player.standing(self.match, seat, kind) if isinstance(rule, SealedPolicy) else rule
            for kind, rule in held
        }

    def new_standing(self) -> tuple[StandingRow, ...]:
        """The rows of standing orders that wait to be sealed; one row where they are those of a preset."""
        found: list[StandingRow] = []
        presets = self.presets()
        for seat in self.game.played:
            rows = [row for row in self.standing_rows((seat,)) if row.state in WAITING]
            same = [
                each.name
                for each in presets
                if (each.name == MATTERS or seat in each.seats)
                and all((row.kind, row.policy) in each.standing for row in rows)
            ]
            found += [StandingRow(seat, PRESET, same[0], rows[0].state)] if rows and same else rows
        return tuple(found)

    def standing_rows(self, seats: Sequence[str] = ()) -> list[StandingRow]:
        """For every decision that takes standing orders; of the seats that a person plays, or of these."""
        waiting = {(each.seat, each.decision): each for each in self.standing}
        rows = []
        for seat in seats or self.game.played:
            held = self.match.machine.standing(seat)
            for decision in self._decisions(seat):
                new = waiting.get((seat, decision))
                if new is not None:
                    text = self._text(new.policy)
                    state = WAITING[new.sealed]
                else:
                    text, state = self._in_force(seat, decision, held.get(decision))
                rows.append(StandingRow(seat, decision, text, state))
        return rows

    def standing_of(self, decision: str, seat: str | None = None) -> list[StandingRow]:
        """The rows of one kind of decision."""
        check_kind(decision, sorted(self._decisions_of_all()))
        return [row for row in self.standing_rows() if row.kind == decision and row.seat == (seat or row.seat)]

    def explained(self, decision: str) -> Explained:
        """For a player who answers it in advance."""
        made, game = program(self.match.game), self.match.game
        step, told, default = made.decisions[decision], game.explained(decision), made.defaults.get(decision)
        return Explained(
            told.asks,
            {name: told.answers.get(name, "") for name in (*(step.answer_names or told.answers),)},
            {name: told.facts.get(name, "") for name in step.fact_names},
            () if default is None else game.policy_sentences(decision, default),
        )

    def sentences(self, decision: str, text: str) -> tuple[str, ...]:
        """What is set for a decision: `text` as a row of `standing_rows` has it."""
        game, usual = self.match.game, program(self.match.game).defaults.get(decision)
        limit = self.when_asked(decision)
        if limit and usual is not None and text in ("", f"then {ASK}"):
            return (limit, *game.policy_sentences(decision, usual))
        if not text:
            return ("You are asked.",)
        policy = game.policy(decision, text)
        said = game.policy_sentences(decision, usual if policy == LEAVE and usual is not None else policy)
        return (*said, limit) if limit and ASK in policy.answers() else said

    def begins(self, decision: str) -> str:
        """The standing order with which everybody begins (POL-9), as it is typed; empty: none."""
        return self._text(program(self.match.game).preset.get(decision))

    def when_asked(self, decision: str) -> str:
        """A sentence for a decision about which this game asks only at times or never (POL-10); empty: always."""
        how, _, limit = program(self.match.game).decisions[decision].unasked(self.match.machine.state).partition("; ")
        never = "In this game you are not asked: the usual answer holds."
        return "" if not how else f"{upper(limit)}; otherwise the usual answer holds." if limit else never

    def _in_force(self, seat: str, decision: str, rule: Policy | SealedPolicy | None) -> tuple[str, str]:
        if isinstance(rule, SealedPolicy):
            return self._text(self.player.standing(self.match, seat, decision)), "sealed"
        return self._left(decision) if rule is None else (self._text(rule), "public")

    def _left(self, decision: str) -> tuple[str, str]:
        """What happens without standing orders: policy and state, empty where the player is asked."""
        made = program(self.match.game)
        how = made.decisions[decision].unasked(self.match.machine.state)
        default = made.defaults.get(decision)
        return (self._text(default), how) if how and default is not None else ("", "")

    def _text(self, rule: Policy | None) -> str:
        return "" if rule is None else self.match.game.policy_text(rule)

    def _decisions_of_all(self) -> set[str]:
        return {kind for seat in self.game.played for kind in self._decisions(seat)}

    def _decisions(self, seat: str) -> list[str]:
        found = []
        for decision in program(self.match.game).decisions:
            try:
                self.match.machine.check_standing(seat, decision, None)
            except Refusal:
                continue
            if self.match.machine.is_stance(decision) or self.match.machine.may_change(seat, decision):
                found.append(decision)
        return sorted(found)

    def _seats(self, seat: str | None, decision: str) -> Sequence[str]:
        """Whose standing orders are meant. Enemies that one player holds, in a solo game, are named one by one."""
        seats = self.game.played
        if seat in self.game.seats:
            return (seat,)
        if seat is None and len({self.match.game.seat(each).side for each in seats}) == 1:
            return [each for each in seats if decision in self._decisions(each)] or seats[:1]
        wrong = "" if seat is None else f"{seat!r} is not one of your seats. "
        raise HomeError(
            "E-SEAT",
            f"{wrong}Say for which of your seats: {', '.join(seats)}. (`--seat {seats[0]}`; at the prompt: "
            f"`standing {seats[0]} ...`)",
        )

    def _save(self) -> None:
        save(self.game.store, Saved(self.draft.dump(), self.standing, self.left))


def _common(texts: Sequence[str]) -> str:
    """The words with which all of these begin."""
    words = [text.split(" ") for text in texts]
    same = takewhile(lambda each: len(set(each)) == 1, zip_longest(*words))
    return " ".join(each[0] for each in same)


class Below:
    """The desk's randomness, for bots."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random

    def below(self, n: int) -> int:
        """Uniform over 0..n-1, up to a bias of 2^-64."""
        return int.from_bytes(self._random(16), "big") % n


# What a player does to the draft of a game.


def move(home: Home, name: str) -> Move:
    """The player's move as it stands, to be looked at."""
    return Move(home, home.load(name))


def rev(home: Home, name: str) -> str:
    """Another one whenever records, draft, standing orders or note have changed."""
    store = home.find(name)
    parts = (store.stamp(), store.private(_DRAFT) or b"", store.state.note.encode())
    return tagged_list(parts).hex()[:16]


def verbs(home: Home, name: str) -> frozenset[str]:
    """The words with which orders of the game begin."""
    return frozenset(verb.word for verb in home.load(name).match.game.notation.verbs)


def order(home: Home, name: str, texts: Sequence[str]) -> list[str]:
    """Adds orders, all or none; what they bring about, in words."""
    with home.writing():
        return move(home, name).order(texts)


def bot(home: Home, name: str, bot: str | None = None, seats: Sequence[str] = ()) -> list[str]:
    """A bot of the game writes the draft, for these seats or for all of one's own; its orders."""
    with home.writing():
        return move(home, name).bot(bot, seats)


def set_bots(home: Home, name: str, seats: Sequence[str]) -> None:
    """A bot plays these seats of one's own from now on, and what it knows is not shown. In a game with nobody else, the
    player is asked in windows, too: there that costs no mail."""
    with home.writing():
        game = home.load(name)
        game.store.change(bots=tuple(seats))
        if game.replay.match is not None and len(game.offer.authors) < 2:
            Move(home, game).ask_in_windows()
        summary.refresh(home, game)


def undo(home: Home, name: str, count: int | None = 1, *, units: bool = False) -> tuple[DraftLine, ...]:
    """Takes back the last lines as typed, or with `units` the last orders; None: all. What was taken back."""
    with home.writing():
        return move(home, name).undo(count, units=units)


def plan(home: Home, name: str, texts: Sequence[str]) -> None:
    with home.writing():
        move(home, name).plan(texts)


def clear_plan(home: Home, name: str) -> None:
    with home.writing():
        move(home, name).clear_plan()


def set_standing(
    home: Home, name: str, seat: str | None, kind: str, policy: str | None, *, sealed: bool | None = None
) -> None:
    with home.writing():
        move(home, name).set_standing(seat, kind, policy, sealed=sealed)


def set_preset(home: Home, name: str, seat: str | None, preset: str) -> None:
    """The standing orders of a preset wait for the next orders; before the start, for the first."""
    with home.writing():
        game = home.load(name)
        if game.replay.match is not None:
            Move(home, game).set_preset(seat, preset)
        else:
            find_preset(home.find_game(game.offer.rules.module), preset)
            game.store.change(preset=preset)
