"""How players write orders: places by name, units in any case, several units that go the same way in one line.

`move 23pz 3pz voronezh`, `rail 45rd b`, `storm svoboda with 9pz 3pz lose 62rd`. What is typed is turned into the exact
texts, and the verbs read these: so they say what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import Context, Group, Notation, NotationError, Order, Verb, View
from pbem.kit import (
    NOWHERE,
    Board,
    PlaceFinder,
    PlaceNames,
    Strike,
    Struck,
    UnitFinder,
    all_of,
    clauses,
    listed,
    stops_of,
    typed,
    units_first,
)
from pbem_rules.stalingrad42 import orders as o
from pbem_rules.stalingrad42.campaign.boxes import unpaired
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.combat.fights import entry_name
from pbem_rules.stalingrad42.combat.pursuit import foreseen
from pbem_rules.stalingrad42.frames import Battle
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, chart_for
from pbem_rules.stalingrad42.state import REMOVED, State

UNITS = UnitFinder(o.CODES, "23Pz, 45RD, 6A-HQ")
# Orders of one unit, with what stands behind it: a way, a place, or nothing. Several units make several orders.
SINGLE: dict[type[Order], str] = {
    o.Move: "way", o.Extended: "way", o.Tactical: "way", o.Withdraw: "way", o.Entrain: "place", o.Sail: "place",
    o.Transfer: "place", o.Exit: "place", o.Remove: "", o.Arrive: "place", o.Refit: "", o.Follow: "way", o.Lose: "",
    o.Lead: "", o.Enlist: "place", o.Plan: "", o.Recall: "", o.Weaken: "", o.Refill: "", o.Assign: "place",
}  # fmt: skip
OTHERS = (
    o.Renew,
    o.Storm,
    o.Attack,
    o.Break,
    o.Spare,
    o.Reserve,
    o.Commit,
    o.Activate,
    o.Disengage,
    o.Help,
    o.Turn,
    o.Ready,
    o.Dig,
    o.Raze,
    o.Bring,
    o.Patrol,
    o.Evacuate,
    o.Release,
    o.Offensive,
    o.Pair,
    o.Show,
    o.Reveal,
    o.Remask,
    o.Sally,
)
TO = "to"
WITH, ADVANCE, BREAK, VIA, AT, ODDS, WING = "with", "advance", "break", "via", "at", "odds", "air"
BACK = "back"
UNIT_PARTS = (WITH, "lose", "guns", BREAK)
CONDITIONS = ("after", "unless", "ask")
PARTS = (*UNIT_PARTS, WING, VIA, ODDS, ADVANCE, AT, *CONDITIONS)
IN, BY = "in", "by"
FULL_RETREAT = "(Full", "Retreat)"  # behind a withdrawal that is shown; nobody need type it
RANDOM = "random"
SUPPLIES, PLANS = "supplies", "plans"


def places(s: State) -> PlaceFinder:
    return PlaceFinder(s.chart.board, "2503, Voronezh, or an Area by its letter")


class Places:
    """How hexes are called in standing orders: on map A, or else on all maps together."""

    def __init__(self, board: Board) -> None:
        self._first, self._board = PlaceNames(board), board

    def word(self, value: int) -> str:
        return (self._first if value in self._board else self._others()).word(value)

    def value(self, word: str) -> int:
        try:
            return self._first.value(word)
        except ValueError:
            return self._others().value(word)

    @staticmethod
    def _others() -> PlaceNames:
        return PlaceNames(chart_for(DATA, CAMPAIGN).board)


def place_of(s: State, word: str) -> int | None:
    """The hex that a word means, or the Area."""
    return s.chart.areas.get(word.casefold()) or places(s).find(word)


def unit_of(s: State, word: str) -> int | None:
    """The unit that a word means; not the beginning of its code if a place is called so."""
    known = word.casefold() in s.chart.areas or s.chart.board.place_named(word.replace("_", " "))
    return None if known else UNITS.find(word)


def unit_here(s: State, word: str) -> int | None:
    """The same, if the unit is in the scenario."""
    unit = unit_of(s, word)
    return unit if unit in s.pieces else None


def shown(text: str) -> str:
    """As players type it: in a breakthrough, too, `at` stands before the odds."""
    return typed(text).replace(f" {ODDS} ", f" {AT} ")


def shown_retreat(text: str) -> str:
    """With what it does to the unit, since lists show it beside plain moves."""
    return " ".join((shown(text), *FULL_RETREAT))


def _spot(words: list[str], s: State) -> str:
    """A place: a hex, a name of one or several words, or the letter of an Area."""
    word = "_".join(words)
    if word.casefold() in s.chart.areas or word.casefold() in o.BOX_PLACES:
        return word.casefold()
    return o.PlaceWords().word(places(s).named(word))


def _named(word: str, s: State) -> int:
    """The unit that a word means; those that are out of the game are not proposed."""
    return UNITS.named(word, lambda unit: unit in s.pieces and s.at(unit) not in (NOWHERE, REMOVED))


def _codes(words: Iterable[str], s: State) -> list[str]:
    return [o.UNITS.word(_named(word, s)) for word in listed(words)]


def pairs_by_chance(codes: list[str], context: Context[State]) -> tuple[Order, ...]:
    """S42-34.1.1: the armies that wait for a box, or those of them that are named, by the program's chance.

    What it draws goes into the draft, as if the player had typed it.
    """
    s = context.state
    boxes = [] if context.planning else [order.box for order in context.legal() if isinstance(order, o.Pair)]
    armies = [army for army in unpaired(s) if not codes or o.UNITS.word(army) in codes]
    if not boxes or len(armies) < len(codes) or context.rng is None:
        raise NotationError("invalid", "Only armies that wait for a box now can be paired at random: `pair random`.")
    return tuple(o.Pair(army, boxes.pop(context.rng.below(len(boxes)))) for army in armies)


class Named(Group[State]):
    """The exact texts of what was typed."""

    about = (
        "places by name, units in any case: `move 23pz 3pz voronezh`, `storm svoboda with 9pz 3pz`; "
        "`pair random` pairs all reserve armies at random"
    )

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        word, *rest = words
        order = _ORDERS.get(word.casefold())
        if order is None or not rest:
            return None
        s = context.state
        if order is o.Withdraw:
            rest = [each for each in rest if each not in FULL_RETREAT]
        if order is o.Pair and rest[-1].casefold() == RANDOM:
            return pairs_by_chance(_codes(rest[:-1], s), context)
        if order in SINGLE:
            texts = self._each(order, rest, s)
        elif order is o.Renew:
            texts = self._renewals(rest, s)
        elif order in (o.Storm, o.Attack):
            (_, target), *parts = clauses(rest, PARTS)
            texts = [[_spot(target, s), *self._parts(parts, s)]]
        elif order is o.Break:
            texts = [self._parts(clauses([BREAK, *rest], PARTS), s)[1:]]
        elif order in (o.Pair, o.Show, o.Reveal):
            texts = [[*_codes(rest[:-1], s), rest[-1].casefold()]]
        elif order in (o.Spare, o.Reserve, o.Sally):
            texts = [[",".join(_codes(rest, s))]]
        elif order in (o.Commit, o.Disengage):
            (_, units), *parts = clauses(rest, (TO, BACK, VIA, *CONDITIONS))
            texts = [[",".join(_codes(units, s)), *self._parts(parts, s)]]
        elif order is o.Activate:
            texts = [self._parts(clauses([ADVANCE, *rest], (ADVANCE, *CONDITIONS)), s)[1:]]
        elif order is o.Help:
            by, *names = rest
            texts = [
                [by.casefold(), *([name.upper() for name in names] if by.casefold() == WING else _codes(names, s))]
            ]
        elif order is o.Release:
            texts = [[rest[0].casefold()]]
        elif order is o.Offensive:
            (_, _), *parts = clauses(rest, (SUPPLIES, PLANS))
            named = ((part, ",".join(o.UNITS.word(_named(word, s)) for word in listed(words))) for part, words in parts)
            texts = [[each for pair in named for each in pair]]
        elif order is o.Turn:
            texts = [[code, rest[-1].casefold()] for code in _codes(rest[:-1], s)]
        elif order is o.Ready:
            texts = [[each if each == WITH else o.UNITS.word(_named(each, s)) for each in rest]]
        else:
            texts = [[_spot(rest, s)]]
        return tuple(NOTATION.verb_of[order].read([word.casefold(), *text]) for text in texts)

    @staticmethod
    def _each(order: type[Order], rest: list[str], s: State) -> list[list[str]]:
        units, behind = units_first(rest, lambda word: unit_of(s, word))
        ends = behind[1:] if behind[:1] == [TO] else behind
        stands: list[str] = []
        if SINGLE[order] == "place" and ends:
            stands = [_spot(ends, s)]
        elif SINGLE[order] and ends:
            stands = ["-".join(_spot([stop], s) for stop in stops_of(ends, places(s)))]
        if order is o.Withdraw and stands:
            stands = [TO, *stands]
        return [[code, *stands] for code in _codes(units, s)]

    @staticmethod
    def _renewals(rest: list[str], s: State) -> list[list[str]]:
        (_, units), *more = clauses(rest, (IN, BY))
        texts = {IN: lambda words: _spot(words, s), BY: lambda words: "_".join(words).casefold()}
        ends = [text for part, words in more for text in (part, texts[part](words))]
        return [[code, *ends] for code in _codes(units, s)]

    @staticmethod
    def _parts(parts: Iterable[tuple[str, list[str]]], s: State) -> list[str]:
        found: list[str] = []
        for keyword, given in parts:
            words = listed(given)
            part = ODDS if keyword == AT and (BREAK in found or VIA in found) else keyword
            if part == TO:
                words = [_spot(given, s)]
            elif part == VIA:
                words = ["-".join(_spot([stop], s) for stop in stops_of(words, places(s)))]
            elif part == WING:
                words = [word.upper() for word in words]
            elif part in UNIT_PARTS:
                words = [o.UNITS.word(unit) for unit in sorted({_named(word, s) for word in words})]
            elif part == ADVANCE:
                known = [(word, unit_of(s, word)) for word in words]
                words = [_spot([word], s) if unit is None else o.UNITS.word(unit) for word, unit in known]
            if part:
                found += [part, ",".join(words)] if words else [part]
        return found


def said_help(order: o.Cover | o.Help, view: View[State]) -> str:
    """Of an air unit or another that helps the defence, or of none; to a roll of determined defence S42-11.3 adds."""
    unit = o.UNITS.word(order.unit) if isinstance(order, o.Help) and order.unit is not None else order.air
    more = f" ({view.state.chart.stand_drm['support']:+})" if isinstance(order, o.Help) else ""
    return f"support the defence with {unit}{more}" if unit else "do not support the defence"


STRUCK = Struck(lambda view, entry: entry_name(view.state, entry))


def said_break(order: o.Break, view: View[State]) -> str:
    """With the odds of the first attack on its way, as far as they can be foreseen."""
    way = ", then ".join(map(o.place_name, order.via))
    said = f"break through with {all_of(map(view.state.code, order.units))} by {way}"
    if order.odds is not None:
        said += f", attacking on the way at {o.COLUMNS.word(order.odds)} or better"
    ahead = foreseen(view.state, view.frame, order) if isinstance(view.frame, Battle) else ""
    return f"{said}; {ahead}" if ahead else said


def _notation() -> Notation[State]:
    helps = (Verb(order, says=said_help) for order in (o.Cover, o.Help))
    lead = (o.Move, o.Extended, o.Tactical, o.Withdraw, o.Entrain, o.Sail, o.Transfer, o.Exit, o.Storm, o.Attack)
    leading = (Verb(order, shown=shown_retreat if order is o.Withdraw else shown) for order in lead)
    through = Verb(o.Break, says=said_break)
    strike = Verb(Strike, names={"number": STRUCK}, about="strike a waiting entry off the list", says=STRUCK.says)
    return Notation(*leading, *helps, strike, through, groups=(Named(),))


NOTATION = _notation().with_texts([*SINGLE, *OTHERS])
_ORDERS: dict[str, type[Order]] = {NOTATION.verb_of[order].word: order for order in [*SINGLE, *OTHERS]}
