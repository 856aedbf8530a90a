"""NR-9.1 to NR-9.16 Declaring targets and counterblows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Auto, Call, Choice, Decide, Frame, Known, Next, Order, Out, Violation
from pbem.kit import all_of, many, parse_hex
from pbem_rules.noretreat.cards.base import Moment
from pbem_rules.noretreat.chart import AXIS, NAMES, other
from pbem_rules.noretreat.events import Counterblow, Targeted
from pbem_rules.noretreat.frames import Action, PlayerTurn
from pbem_rules.noretreat.hands import slots
from pbem_rules.noretreat.odds import counts
from pbem_rules.noretreat.orders import Discard, Done, Event, Purpose, Target, card_of
from pbem_rules.noretreat.payments import check_cards, pay, payments
from pbem_rules.noretreat.state import FIRST_BOX, State
from pbem_rules.noretreat.windows import EndPhase, PlayEvent, can_play

MARKERS = 5  # NR-1.35
BLOWS = (Moment.BLOWS, Moment.TARGETED, Moment.ANY)


def target_limit(s: State, side: str) -> int:
    """NR-1.35."""
    if side != AXIS:
        return MARKERS
    limit = s.chart.track.value(s.turn, "targets")
    return min(limit, 3) if s.long_winter else limit


def beside(s: State, side: str, target: int) -> tuple[int, ...]:
    """NR-9.2, NR-9.8: the side's units that could go into the hex: those that may fight it at all."""
    chart = s.chart
    found = [unit for place in chart.board.near[target] if chart.passable(place, target) for unit in s.of(side, place)]
    return tuple(sorted(found))


def willing(s: State, side: str, target: int, fought: Collection[int] = ()) -> tuple[int, ...]:
    """NR-9.2: those that may attack it voluntarily."""
    return tuple(
        unit
        for unit in beside(s, side, target)
        if unit not in fought and not s.is_tired(unit) and not s.face(unit).white and s.unit(unit).nation != "finnish"
    )


def able(s: State, side: str, target: int, fought: Collection[int] = ()) -> tuple[int, ...]:
    """NR-9.8: those that may fight a counterblow hex."""
    return tuple(unit for unit in beside(s, side, target) if unit not in fought and s.face(unit).strength)


def check_target(s: State, f: PlayerTurn, place: int) -> Violation | None:
    if s.side_at(place) != other(f.side):
        return Violation("NR-9.1", "A target is a place with enemy units")
    text = s.chart.place_text(place)
    if place in s.targets:
        return Violation("NR-9.1", f"{text} is already a target")
    if len(s.targets) >= target_limit(s, f.side):
        return Violation("NR-1.35", f"You have {target_limit(s, f.side)} target markers")
    if place in s.blows:
        return Violation("NR-9.13", f"{text} lies under a counterblow marker")
    if (
        s.plan.border_only
        and s.turn == s.plan.first
        and f.side == AXIS
        and not s.chart.border & s.chart.board.bit[place]
    ):
        return Violation("NR-3.13", "In the first turn the Axis attacks only hexes at the border")
    if not willing(s, f.side, place, f.fought):
        return Violation("NR-9.2", f"No unit stands beside {text} that may attack it")
    return None


class Marks(Choice[State, PlayerTurn, Target]):
    """NR-9.1."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Target]:
        return (Target(place) for place in _enemy_places(s, seat) if check_target(s, f, place) is None)

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        place = parse_hex(thing)
        return None if place is None else check_target(s, f, place)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Target, proof: Known) -> Violation | None:
        return check_target(s, f, order.hex)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Target, out: Out) -> Next:
        s.targets = (*s.targets, order.hex)
        out.add(Targeted(side=f.side, hex=order.hex, rule="NR-9.1"))
        return STAY


class EventsAnyTime(PlayEvent):
    moments = (Moment.ANY,)


class Declare(Decide[State, PlayerTurn, Order]):
    """The active side marks its targets."""

    name = "targets"
    rule = "NR-9.1"
    choices = (EndPhase, Marks, EventsAnyTime)

    def says(self, s: State, f: PlayerTurn, seat: str, order: Order) -> str:
        if not isinstance(order, Done):
            return ""
        places = all_of([s.chart.place_text(place) for place in s.targets])
        return f"End marking: you will attack {places}" if places else "Mark nothing: you attack nothing in this turn"

    def when(self, s: State, f: PlayerTurn) -> bool:
        return bool(s.targets) or any(check_target(s, f, p) is None for p in _enemy_places(s, f.side))

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        left = target_limit(s, seat) - len(s.targets)
        owed = max((each.amount for kind in ("owes", "owes_voluntary") for each in s.effect(kind, seat)), default=0)
        must = f" You owe {many(owed, 'attack')}." if owed else ""
        more = (
            "`target HEX`, then "
            if next(Marks().legal(s, f, seat, {}), None) is not None
            else "No other can be marked; end with "
        )
        head = f"Turn {s.turn}, {NAMES[seat]} targets: mark hexes to attack, {many(left, 'marker')} left."
        return f"{head}{must} {more}`done`."


def _enemy_places(s: State, side: str) -> tuple[int, ...]:
    return s.chart.board.in_mask(s.ground.occupied[other(side)])


def check_blow(s: State, place: int) -> Violation | None:
    """NR-9.5, NR-9.7, NR-9.16: may the side that is not active mark this place of its own?"""
    side = s.enemy
    if s.side_at(place) != side:
        return Violation("NR-9.5", "A counterblow hex holds units of yours")
    text = s.chart.place_text(place)
    if place in s.targets or place in s.blows:
        return Violation("NR-9.7", f"{text} is already marked")
    if not any(counts(s, unit) for unit in s.ground.stacks[place]):
        return Violation("NR-9.16", f"Only units of white strength stand in {text}")
    if not beside(s, s.active, place):
        return Violation("NR-9.7", f"No enemy stands beside {text}")
    return None


def blow_places(s: State) -> Iterator[int]:
    return (p for p in s.chart.board.in_mask(s.ground.occupied[s.enemy]) if check_blow(s, p) is None)


def mark_blow(s: State, units: Sequence[int], rule: str, out: Out) -> None:
    """NR-9.12: the enemy will have to attack these units of one place; the marker goes where they go."""
    s.blown.update(units)
    names = tuple(s.name(unit) for unit in units)
    out.add(Counterblow(side=other(s.unit(units[0]).side), hex=s.at(units[0]), units=names, rule=rule))


def take_blow(s: State, f: Action, out: Out) -> Frame | None:
    mark_blow(s, s.ground.stacks[f.targets[0]], "NR-9.6", out)
    return None


class PayBlows(Choice[State, PlayerTurn, Discard]):
    """NR-9.5, NR-9.6."""

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        place = parse_hex(thing)
        return None if place is None else check_blow(s, place)

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Discard]:
        for place in blow_places(s):
            for cards in payments(s, seat, Purpose.COUNTERBLOW, 1, own):
                yield Discard(cards, Purpose.COUNTERBLOW, (place,))

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Discard) -> tuple[str, ...]:
        return slots(*order.cards)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Discard, proof: Known) -> Violation | None:
        if order.purpose != Purpose.COUNTERBLOW or len(order.targets) != 1:
            return Violation("NR-5.8", "Now you pay for `counterblow`, one hex at a time")
        return check_blow(s, order.targets[0]) or check_cards(s, seat, order, 1, proof)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Discard, out: Out) -> Next:
        return Call(pay(s, seat, Moment.BLOWS, order, out), again=True)


class BlowEvents(PlayEvent):
    moments = BLOWS


class Counterblows(Decide[State, PlayerTurn, Order]):
    """The other side names hexes of its own that must be attacked."""

    name = "counterblows"
    rule = "NR-9.5"
    choices = (EndPhase, PayBlows, BlowEvents)
    window = True
    default, preset = "then pass", True
    fact_names = ("targets", "turn")
    answer_names = ("pass", "CARD", "CARD/HEX")
    ends = "Force no more attacks"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        seat = s.enemy
        if not s.hand(seat) or (next(blow_places(s), None) is None and not can_play(s, seat, BLOWS)):
            return ()
        return (seat,)

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        return f"Turn {s.turn}: {NAMES[seat]} may discard cards to force attacks on hexes of its own. End with `done`."

    def passing(self, s: State, f: PlayerTurn, seat: str) -> Order:
        return Done()

    def facts(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, int]:
        return {"targets": len(s.targets), "turn": s.turn}

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Order]:
        """`pass`; `7/1507`: card 7 for that hex; `26`: that card's event on the first hexes that it fits."""
        named: dict[str, Order] = {"pass": Done()}
        for order in self.legal(s, f, seat, own):
            if isinstance(order, Discard):
                named[f"{card_of(order.cards[0])}/{order.targets[0]:04d}"] = order
            elif isinstance(order, Event):
                named.setdefault(str(card_of(order.card)), order)
        return named

    def is_answer(self, s: State, name: str) -> bool:
        card, slash, place = name.partition("/")
        on_map = not slash or (len(place) == 4 and place.isascii() and place.isdigit() and int(place) in s.chart.board)
        return super().is_answer(s, name) or (s.chart.is_card(card) and on_map)


class Due(Auto[State, PlayerTurn]):
    """Which units under counterblow markers the active side must attack in this phase (NR-9.11, NR-9.12)."""

    name = "due"
    rule = "NR-9.11"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        f.due = tuple(unit for unit in sorted(s.blown) if s.unit(unit).side != f.side)
        return DONE


def matched(s: State, side: str, places: Iterable[int], fought: Collection[int]) -> int:
    """How many of these places can each get a unit of its own (NR-9.11)."""
    owner: dict[int, int] = {}

    def assign(place: int, seen: set[int]) -> bool:
        for unit in able(s, side, place, fought):
            if unit not in seen:
                seen.add(unit)
                if unit not in owner or assign(owner[unit], seen):
                    owner[unit] = place
                    return True
        return False

    return sum(assign(place, set()) for place in places)


__all__ = [
    "FIRST_BOX",
    "Counterblows",
    "Declare",
    "Due",
    "able",
    "beside",
    "check_blow",
    "check_target",
    "matched",
    "willing",
]
