"""How orders are written: `move infantry Ukraine > Caucasus`, `load tank Germany uk-transport-1`, `place tank Germany`.

A player types less: see `notation_groups`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.game import Click, Notation, Order, Verb, View
from pbem.kit import all_of
from pbem_rules.axis1941.chart import CHART, Chart
from pbem_rules.axis1941.notation_groups import GROUPS
from pbem_rules.axis1941.orders import (
    NO_SHIP,
    PIECES,
    SHIP_WORDS,
    Divert,
    Land,
    Load,
    Move,
    Promise,
    Put,
    Share,
    Shared,
    piece_of,
)
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, TITLES, chip_key

BETWEEN, GAP = " > ", " >> "


def _key(chart: Chart, place: int) -> Click:
    return Click((f"p:{chart.words[place]}",))


def clicked_move(order: Move, view: View[State]) -> Iterator[Click]:
    """The units, then the way: only its end is needed."""
    s = view.state
    kind, number = piece_of(order.piece)
    yield Click((chip_key(s.active, kind, s.chart.words[order.path[0]], number),))
    for place in order.path[1:-1]:
        yield _key(s.chart, place)._replace(optional=True)
    yield _key(s.chart, order.path[-1])


def clicked_load(order: Load, view: View[State]) -> Iterator[Click]:
    """The troops, then the ship."""
    s = view.state
    yield Click((chip_key(s.active, order.unit, s.chart.words[order.start]),))
    yield Click((f"u:{SHIP_WORDS.word(order.ship)}",))


def clicked_land(order: Land, view: View[State]) -> Iterator[Click]:
    """The troops aboard, then the coast."""
    s = view.state
    yield Click((chip_key(s.active, order.unit, SHIP_WORDS.word(order.ship)),))
    yield _key(s.chart, order.to)


def clicked_place(order: Put, view: View[State]) -> Iterator[Click]:
    """What was bought, then where to. The complex beside a zone need not be said: the others are offered afterwards."""
    chart = view.state.chart
    yield Click((f"w:{order.unit}",))
    yield _key(chart, order.at)
    if order.by != order.at:
        yield _key(chart, order.by)._replace(optional=True)


class PathVerb(Verb):
    """A path is written with spaces: `Ukraine > Caucasus`. A gap in it, which no legal order has, is written `>>`: so a
    way that a player leaves open is no exact text, and `notation_groups` finds it.
    """

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        self._near = near
        super().__init__(Move, clicks=clicked_move, says=said_move)

    def write(self, order: Order) -> str:
        assert isinstance(order, Move)
        head, *places = super().write(order).split(">")
        counted = piece_of(order.piece)[0] in AIR
        steps = zip(pairwise(order.path), places, strict=False)
        return head + "".join(f"{BETWEEN if counted or b in self._near[a] else GAP}{place}" for (a, b), place in steps)

    def read(self, words: list[str]) -> Order:
        return super().read(" ".join(words).replace(GAP, ">").replace(BETWEEN, ">").split(" "))


def typed(text: str) -> str:
    """An order's text as a player would write it."""
    match text.split(" "):
        case ["share", what, ally, yes]:
            return f"{'allow' if yes == 'yes' else 'forbid'} {ally} {what}"
        case ["load", unit, start, ship]:
            return f"load {unit} {start} > {ship}"
        case ["land", unit, ship, to]:
            return f"land {unit} {ship} > {to}"
        case ["promise", "-", zone]:
            return f"promise new carrier {zone}"
        case ["divert", to, "-"]:
            return f"divert {to}"
        case ["place", unit, at, by]:
            return f"place {unit} {at}" if at == by else f"place {unit} {at} by {by}"
    return text


def said_move(order: Move, view: View[State]) -> str:
    """From where to where; the way, where it is longer."""
    unit, (start, *way, goal) = PIECES.said(order.piece, view), map(view.state.where, order.path)
    return f"move {unit} from {start} to {goal}{f' by way of {all_of(way)}' if way else ''}"


def said_share(order: Share, _: View[State]) -> str:
    what = "land on your carriers" if order.what is Shared.DECK else "use your transports"
    return f"{TITLES[order.ally]} {'may' if order.yes else 'may not'} {what}"


def said_promise(order: Promise, view: View[State]) -> str:
    ship = "a carrier that was bought" if order.ship == NO_SHIP else SHIP_WORDS.said(order.ship, view)
    return f"promise that {ship} will be in {view.state.where(order.zone)} for fighters to land on"


def said_divert(order: Divert, view: View[State]) -> str:
    ship = "" if order.deck == NO_SHIP else f", on {SHIP_WORDS.said(order.deck, view)}"
    return f"land the fighter in {view.state.where(order.to)}{ship}"


def said_place(order: Put, view: View[State]) -> str:
    by = "" if order.by == order.at else f", by the complex in {view.state.where(order.by)}"
    return f"place 1 {order.unit} in {view.state.where(order.at)}{by}"


def notation_of(chart: Chart) -> Notation[State]:
    return Notation(
        PathVerb(chart.near),
        Verb(Load, shown=typed, clicks=clicked_load),
        Verb(Land, shown=typed, clicks=clicked_land),
        Verb(Put, shown=typed, clicks=clicked_place, says=said_place),
        Verb(Share, shown=typed, says=said_share),
        Verb(Promise, shown=typed, says=said_promise),
        Verb(Divert, shown=typed, says=said_divert),
        groups=GROUPS,
    )


NOTATION = notation_of(CHART)
