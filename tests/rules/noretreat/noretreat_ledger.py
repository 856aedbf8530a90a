"""The books of a game, kept from what is reported alone, and held against the state after every order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.engine.event import Event
from pbem.engine.machine import Machine
from pbem.engine.need import Orders
from pbem.engine.testing import Chance, Crash, Driver, check_position, write_crash
from pbem.engine.testing.contract import Invariant
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.limits import MAX_FILE
from pbem_rules.noretreat import events as e
from pbem_rules.noretreat import game
from pbem_rules.noretreat.chart import DATA, SIDES, SOVIET, other
from pbem_rules.noretreat.looking import looking
from pbem_rules.noretreat.scoring import points
from pbem_rules.noretreat.stacking import crowded
from pbem_rules.noretreat.state import BOX_NAMES, DESTROYED, FIRST_BOX, OUT, READY, State

BOXES = {name: box for box, name in BOX_NAMES.items()}
LEAVING = ("loss", "retreat", "cadre", "disperse")  # asked while a stack may be too large for a moment
REICH = {str(place["name"]) for place in DATA["places"]["places"] if place.get("reich")}
DECKS = {False: range(1, 45), True: range(14, 55)}


class Ledger:
    """Where every unit is, how many steps it has, who holds each place, the points of events: by the reports."""

    def __init__(self, driver: Driver[State]) -> None:
        s = driver.state
        self.place = {unit.code: s.at(unit.number) for unit in s.chart.units}
        self.steps = {unit.code: s.steps(unit.number) for unit in s.chart.units}
        self.held = dict(s.holders.items())
        self.event_vp, self.initiative, self.turn = s.event_vp, s.initiative, s.turn
        driver.events()

    def check(self, driver: Driver[State]) -> None:
        """After an order: what was reported explains what has changed."""
        s = driver.state
        for event in driver.events():
            self._book(s, event)
        self.units(s)
        self.points(s)
        at_rest(driver)
        every_card_once(driver)

    def _book(self, s: State, event: Event) -> None:
        if isinstance(event, e.TurnBegan):
            self.turn = event.turn
            if event.turn == 17:  # NR-1.5
                for unit in s.chart.own[SOVIET]:
                    self.steps[s.name(unit)] = 0
        elif isinstance(event, e.Placed):
            assert not on_map(self.place[event.unit]) or event.origin == BOX_NAMES[BOXES["Rail"]], event
            self.place[event.unit] = event.hex
            self.steps[event.unit] = 0  # on which side it came the state says
            self._enter(s, event.unit, (event.hex,))
        elif isinstance(event, e.Moved | e.Retreated | e.Pursued):
            assert self.place[event.unit] == event.path[0], event
            self.place[event.unit] = event.path[-1]
            self._enter(s, event.unit, event.path[1:])
        elif isinstance(event, e.Boxed):
            self.place[event.unit] = BOXES[event.box]
            self.steps[event.unit] = 0
        elif isinstance(event, e.StepLost):
            had = self.steps[event.unit]
            assert had in (0, event.left + 1), f"{event.unit} had {had} steps: {event}"
            self.steps[event.unit] = event.left
        elif isinstance(event, e.Upgraded):
            self.steps[event.unit] = 0
        elif isinstance(event, e.Scored):
            self.event_vp = max(-6, min(6, self.event_vp + event.points))
        elif isinstance(event, e.Note) and event.rule in ("NR-4.13", "NR-4.14"):
            self.event_vp = 0
            self.initiative = SOVIET

    def _enter(self, s: State, code: str, path: tuple[int, ...]) -> None:
        for place in path:
            self.held[place] = s.unit(s.chart.by_code[code]).side

    def units(self, s: State) -> None:
        """Every unit is where it was reported to go; no step comes or goes without a report."""
        for unit in s.chart.units:
            place, told = s.at(unit.number), self.place[unit.code]
            if told == OUT and place in (READY, DESTROYED):  # NR-11.37, NR-14.10: told in a note
                told = place
            assert place == told, f"{unit.code} is in {place}, not in {told}"
            self.place[unit.code] = place
            if on_map(place):
                steps, kept = s.steps(unit.number), self.steps[unit.code]
                assert kept in (0, steps), f"{unit.code} has {steps} steps, not {kept}"
                self.steps[unit.code] = steps

    def points(self, s: State) -> None:
        """NR-4.1 to NR-4.5, counted anew: places held by who was there last, and the points of events."""
        assert self.held == dict(s.holders.items())
        assert (self.event_vp, self.initiative) == (s.event_vp, s.initiative)
        late = self.turn >= 23
        count = sum(
            1
            for name, place in s.chart.named.items()
            if self.held[place] == self.initiative and (not late or name in REICH)
        )
        assert points(s) == count + self.event_vp


def on_map(place: int) -> bool:
    return OUT < place < FIRST_BOX


def at_rest(driver: Driver[State]) -> None:
    """NR-8.8 to NR-8.10 whenever a phase, a window or a plain order is asked for outside a battle."""
    s, need = driver.state, driver.need
    if s.fight is not None or not isinstance(need, Orders) or need.kind.startswith("excess") or need.kind in LEAVING:
        return
    place = crowded(s)
    # In the Organisation phase a unit may have been turned over that still has to find a place (NR-8.11).
    if place and need.kind not in ("organise", "answer", "ask"):
        raise AssertionError(f"{need.kind}: too many in {place}: {s.ground.stacks[place]}")
    for spot in s.ground.stacks:
        there = s.ground.stacks[spot]
        if on_map(spot):
            assert len({s.unit(unit).side for unit in there}) == 1
            assert len(there) <= 4
            assert s.chart.land & s.chart.board.bit[spot]
            assert s.holders[spot] == s.unit(there[0]).side


def every_card_once(driver: Driver[State]) -> None:
    """The cards themselves, hidden ones too: each of the deck in one place, none of the others anywhere."""
    deck, true = driver.state.deck, driver.cards
    if not deck.epoch:
        return
    held = [true[each] if isinstance(each, str) else each for side in SIDES for each in deck.hand(side)]
    rest = [true[slot] for slot in (*deck.top(deck.left), *deck.thrown)]
    count = Counter([*held, *rest, *deck.discards, *deck.removed])
    late = deck.removed or driver.state.plan.first >= 23
    everything = range(1, 55) if deck.removed else DECKS[bool(late)]
    assert count == Counter(everything), f"not once each: {count - Counter(everything)}, {Counter(everything) - count}"


# What a seat sees


def seen(driver: Driver[State], seat: str) -> dict[str, Any]:
    """All that a seat is shown: the board, what it asks, what is asked of it and what it may answer."""
    machine, view = driver.machine, driver.view(seat)
    need = driver.need
    shown: dict[str, Any] = {
        "board": game.board(view),
        "look": str(looking(view, "")),
        "need": need,
        "state": machine.digest(),
        "dump": pack(machine.dump()),
    }
    if isinstance(need, Orders):
        shown["prompt"] = machine.decision.prompt(machine.state, view.frame, need.seats[0])
        if seat in need.seats:
            shown["legal"] = [repr(order) for order in islice(machine.legal(seat, driver.own(seat)), 60)]
    return shown


def twin(driver: Driver[State], seat: str, shift: int) -> Driver[State] | None:
    """The same game with another hand for the enemy of the seat: his hidden cards change places with undrawn ones."""
    s, deck = driver.state, driver.state.deck
    theirs = [held for held in deck.hand(other(seat)) if isinstance(held, str)]
    slots = [*theirs, *deck.top(deck.left)]
    if not theirs or len(slots) < 2:
        return None
    cards = [driver.cards[slot] for slot in slots]
    shift %= len(slots)
    cards = cards[shift:] + cards[:shift]
    true = {**driver.cards, **dict(zip(slots, cards, strict=True))}
    known = {each: dict(driver.own(each)) for each in SIDES}
    known[other(seat)].update((slot, true[slot]) for slot in theirs)
    machine = Machine.load(game, driver.setup, unpack(pack(driver.machine.dump()), limit=MAX_FILE))
    again: Driver[State] = Driver(
        game,
        s.scenario,
        driver.setup.options,
        chance=Chance(driver.chance.seed),
        machine=machine,
        cards=true,
        known=known,
    )
    again.chance.load(driver.chance.dump())
    return again


def blind(driver: Driver[State], choices: Chance) -> bool:
    """NR-5.7: neither what a seat sees, nor what comes of its order, depends on the other hand. False: not tried."""
    seat = driver.asked[0]
    one, two = twin(driver, seat, 0), twin(driver, seat, 1 + choices.below(30))
    if one is None or two is None:
        return False
    assert seen(one, seat) == seen(two, seat)
    legal = list(islice(one.machine.legal(seat, one.own(seat)), 200))
    order = legal[choices.below(len(legal))]
    shown = len(one.lines)
    for each in (one, two):
        each.give(seat, order)
    if any(line.what in ("show", "shuffle") or line.text.endswith(f" to {seat}") for line in one.lines[shown:]):
        return True  # the seat has drawn, or something was opened: from here on the games differ rightly
    assert seen(one, seat) == seen(two, seat)
    return True


def play(
    seed: str,
    *,
    scenario: str,
    options: Mapping[str, Any] | None = None,
    level: str = "random",
    invariants: tuple[Invariant, ...] = (),
    crashes: Path,
) -> tuple[Driver[State], int]:
    """A game with its books kept, and with the engine's contract; how often it was played on with another hand."""
    choices, probes = Chance(f"{seed}/choices"), Chance(f"{seed}/probes")
    driver = Driver(game, scenario, options, chance=Chance(seed))
    ledger, tried = Ledger(driver), 0
    try:
        while driver.asked:
            assert len(driver.orders) < 20_000
            if len(driver.orders) % 20 == 0:
                tried += blind(driver, probes)
                check_position(driver, choices=probes, sample=60, invariants=invariants)
            seat = driver.asked[0]
            need = driver.need
            assert isinstance(need, Orders)
            legal = driver.machine.legal(seat, driver.own(seat))
            driver.give(seat, game.bots[level].choose(driver.view(seat), need, seat, legal, choices))
            ledger.check(driver)
    except Exception as error:
        path = crashes / f"ledger-{seed}.json"
        write_crash(path, driver, error)
        raise Crash(f"{type(error).__name__}: {error} (replay_crash({str(path)!r}))") from error
    return driver, tried


__all__ = ["Ledger", "blind", "play", "seen", "twin"]
