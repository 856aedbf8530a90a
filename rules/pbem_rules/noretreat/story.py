"""A turn told in few lines: names for units and towns, what is alike in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem.game import Event
from pbem.kit import all_of, hex_name, many
from pbem_rules.noretreat import events as e
from pbem_rules.noretreat.cards.base import EVENTS, Moment
from pbem_rules.noretreat.chart import AXIS, NAMES, Chart
from pbem_rules.noretreat.report import RESULTS, report

END = "its last step is lost"  # why a unit is put into a box
PLAIN = frozenset({"arrives", "by rail", "shattered"})  # reasons that go without saying
STEP = {"NR-9.45": " because its retreat enters an enemy zone of control"}  # why a step is lost, by the rule


class Words:
    """The names that the chart in play has for places, units and cards."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart

    def where(self, place: int) -> str:
        board = self._chart.board
        return str(board[place]) if place in board else hex_name(place)

    def who(self, code: str) -> str:
        """`4th Panzer Army (4Pz)`, as its counter says."""
        if code not in self._chart.by_code:
            return code
        unit = self._chart.units[self._chart.by_code[code]]
        return f"{unit.faces[0].name} ({code})"

    def way(self, path: tuple[int, ...]) -> str:
        by = f" by {', '.join(map(self.where, path[1:-1]))}" if len(path) > 2 else ""
        return f"from {self.where(path[0])} to {self.where(path[-1])}{by}"

    def cards(self, side: str, cards: Sequence[int]) -> str:
        return all_of([f"{card} {self._chart.card_title(side, card)}" for card in cards])

    def plays(self, side: str, card: int) -> str:
        """`The Axis plays card 5`; NR-5.15: cards that happen when they are drawn are shown."""
        held = EVENTS.get((side, card))
        return f"{does(side, 'show' if held and Moment.DRAWN in held.moments else 'play')} card {card}"

    def says(self, side: str, card: int) -> str:
        """What the event does, as the card has it."""
        return self._chart.card_event(side, card).text


def does(side: str, verb: str) -> str:
    """`The Axis draws`, `The Soviets draw`."""
    return f"The Axis {verb}s" if side == AXIS else f"The Soviets {verb}"


def _boxed(x: e.Boxed) -> str:
    return x.box if x.why in PLAIN else f"{x.box} ({x.why})"


def _fought(w: Words, x: e.Fought) -> str:
    how = "counterattack on" if x.counter else "forced attack on" if x.forced else "attack on"
    shifts = f", {', '.join(x.shifts)}" if x.shifts else ""
    dice = f", die {' and '.join(map(str, x.dice))}" if x.dice else ""
    return (
        f"{NAMES[x.side]} {how} {all_of(map(w.where, x.hexes))} with {all_of(map(w.who, x.units))}: "
        f"{x.attack} to {x.defence}{shifts}, column {x.column}{dice}: {RESULTS[x.result]}."
    )


def _told(w: Words, event: Event) -> str:
    match event:
        case e.SideBegan():
            return f"Turn {event.turn}: {'Axis' if event.side == AXIS else 'Soviets'}."
        case e.Played():
            on = f" ({', '.join(event.targets)})" if event.targets else ""
            return f"{w.plays(event.side, event.card)}, {event.title}{on}: “{w.says(event.side, event.card)}”"
        case e.Taken():
            return f"{does(event.side, 'take')} {event.place}."
        case e.Moved():
            return (
                f"{w.who(event.unit)} moves {w.way(event.path)}{', stopped by an enemy zone' if event.stopped else ''}."
            )
        case e.Retreated():
            return f"{w.who(event.unit)} retreats {w.way(event.path)}."
        case e.Pursued():
            return f"{w.who(event.unit)} pursues {w.way(event.path)}."
        case e.Placed():
            return f"{w.who(event.unit)} comes from {event.origin} to {w.where(event.hex)}."
        case e.Boxed():
            return f"{w.who(event.unit)}: {_boxed(event)}."
        case e.StepLost():
            return f"{w.who(event.unit)} loses {'a step' if event.left else 'its last step'}{STEP.get(event.rule, '')}."
        case e.Upgraded():
            return f"{w.who(event.unit)} is turned to its {'stronger' if event.strong else 'weaker'} side."
        case e.Reorganised():
            return f"{w.who(event.unit)} is reorganised."
        case e.OutOfSupply():
            return f"Out of supply: {all_of(map(w.who, event.units))}."
        case e.Counterblow():
            whose = "Axis" if event.side == AXIS else "Soviets"
            return f"The {whose} will have to attack {all_of(map(w.who, event.units))} in {w.where(event.hex)}."
        case e.Paid():
            of = f": {', '.join(event.targets)}" if event.targets else ""
            return f"{does(event.side, 'pay')} {w.cards(event.side, event.cards)} for {event.purpose}{of}."
        case e.CounterAttack():
            return f"{does(event.side, 'counterattack')} {all_of(map(w.where, event.hexes))}."
        case e.Fought():
            return _fought(w, event)
        case e.Finished():
            return f"The game is over: {does(event.winner, 'win') if event.winner else 'nobody wins'} by {event.how}."
    return report(event)


def _alike(event: Event) -> object:
    """Events in a row that are told together have the same value."""
    match event:
        case e.Dropped():
            return ("dropped", event.side)
        case e.Drew():
            return ("drew", event.side)
        case e.Targeted():
            return ("targeted", event.side)
        case e.Boxed():
            return ("boxed", event.box, event.why)
    return id(event)


def _together(w: Words, found: Sequence[Event]) -> str:
    first = found[0]
    if isinstance(first, e.Dropped):
        cards = [card for each in found if isinstance(each, e.Dropped) for card in each.cards]
        return f"{does(first.side, 'discard')} {w.cards(first.side, cards)}."
    if isinstance(first, e.Drew):
        count = sum(each.count for each in found if isinstance(each, e.Drew))
        return f"{does(first.side, 'draw')} {many(count, 'card')}."
    if isinstance(first, e.Targeted):
        marked = [w.where(each.hex) for each in found if isinstance(each, e.Targeted)]
        return f"{does(first.side, 'mark')} {all_of(marked)} as {'a target' if len(marked) == 1 else 'targets'}."
    if isinstance(first, e.Boxed) and len(found) > 1:
        units = [w.who(each.unit) for each in found if isinstance(each, e.Boxed)]
        return f"{all_of(units)}: {_boxed(first)}."
    return _told(w, first)


def _lines(w: Words, events: Sequence[Event]) -> Iterator[str]:
    lost = why = ""  # the unit whose last step was lost just before, and why
    for _, run in groupby(events, key=_alike):
        found = list(run)
        first = found[0]
        if lost and isinstance(first, e.Boxed) and first.unit == lost and first.why == END:
            yield f"{w.who(lost)} loses its last step{why}: {first.box}."
            lost, found = "", found[1:]
        elif lost:
            yield f"{w.who(lost)} loses its last step{why}."
            lost = ""
        if len(found) == 1 and isinstance(first, e.StepLost) and not first.left:
            lost, why = first.unit, STEP.get(first.rule, "")
        elif found:
            yield _together(w, found)
    if lost:
        yield f"{w.who(lost)} loses its last step{why}."


def story(chart: Chart, events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(line for line in _lines(Words(chart), events) if line)
