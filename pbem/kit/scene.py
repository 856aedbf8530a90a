"""Scenes: what a game shows, as plain values made from a view and from events.

A game's `pictures.py` makes scenes, `pbem.pictures` draws them; neither needs the other. Nothing here knows a
coordinate: places are the board's, and what something looks like is named by a word (`armour`, `river`, `retreat`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.engine.event import Event, Taken
from pbem.engine.view import View
from pbem.kit.hexmap import HexMap

COLOURS = ("blue", "red", "grey", "sand", "violet", "green")


class Side(NamedTuple):
    """A side that owns counters and places. `short` stands where there is little room; `colour` is one of COLOURS."""

    key: str
    name: str
    short: str
    colour: str


class Piece(NamedTuple):
    """A counter, or several alike.

    `symbol`: what stands in its box (pictures/pieces.py); `values`: its strengths as printed; `steps` of `full`;
    `marks`: words for its state, the first of which is drawn largest; a number is shown as it is.
    `key`: what is clicked for it, as orders have it (`u:3Pz`); "": nothing is. `able`: how many of them may still get
    orders; None: that is not known. `brief`: the strengths that matter most, where there is little room.
    """

    side: str
    symbol: str
    code: str = ""
    values: str = ""
    size: str = ""
    name: str = ""
    steps: int = 1
    full: int = 1
    many: int = 1
    marks: tuple[str, ...] = ()
    key: str = ""
    able: int | None = None
    brief: str = ""


class Mark(NamedTuple):
    """Something that lies on a place: `kind` is a word (target, works, burnt, attack), `text` explains it."""

    place: int
    kind: str
    text: str = ""
    side: str = ""


class Arrow(NamedTuple):
    """`kind`: move, flight, retreat, advance, attack. `many`: how many went that way."""

    kind: str
    side: str
    path: tuple[int, ...]
    many: int = 1
    text: str = ""


class Throw(NamedTuple):
    """Dice that one side has thrown together in a fight. `hits`: which of them have hit; `text`: who threw."""

    side: str
    dice: tuple[int, ...]
    hits: tuple[bool, ...]
    text: str = ""


class Battle(NamedTuple):
    """A fight at a place, in short: the odds, the dice that decided, the result in the game's own letters.

    `throws`: where many dice are thrown and each hits or not, all of them in order.
    """

    place: int
    side: str
    odds: str = ""
    dice: tuple[int, ...] = ()
    result: str = ""
    text: str = ""
    throws: tuple[Throw, ...] = ()


class Row(NamedTuple):
    """A line of a panel: words, then counters. `key`: what is clicked for the line itself (`c:22`).

    `about`: more of it where there is room, on a board: what a card does, and whether it can be played now.
    `able`: how many of what it stands for may still be ordered about; None: it is not counted.
    """

    text: str
    pieces: tuple[Piece, ...] = ()
    key: str = ""
    about: str = ""
    able: int | None = None


class Panel(NamedTuple):
    """A panel beside the map: boxes, hands, treasuries."""

    title: str
    rows: tuple[Row, ...]
    side: str = ""


class Explained(NamedTuple):
    """A word of this scene, explained in the legend."""

    word: str
    text: str


@dataclass(frozen=True, slots=True)
class HexGround:
    """A hex map. Words for terrain, sides and ways are the map's own, unless `words` gives the known word for one.

    `areas`: places that are not hexes, and the cells of the grid, on the map or not, that they are drawn over.
    `outside`: others, drawn beyond the edge of the map, and the hexes that they lie beside.
    `levels`: the map is so large that pages draw it in three levels (pictures/levels.py).
    """

    map: HexMap
    words: Mapping[str, str] = field(default_factory=dict)
    areas: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    goals: Mapping[int, str] = field(default_factory=dict)  # places that count for victory, and what they count
    outside: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    levels: bool = False


class Spot(NamedTuple):
    """The texts printed on a place of an area map."""

    name: str
    sea: bool = False
    worth: str = ""
    capital: str = ""
    works: bool = False
    neutral: bool = False


@dataclass(frozen=True, slots=True)
class AreaGround:
    """A map of areas: outlines (pictures/outlines.py reads them), what is printed on each place, and its neighbours."""

    outlines: Mapping[str, Any]
    spots: Mapping[int, Spot]
    near: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def apart(self, start: int, goal: int, *, sea: bool | None = None) -> int | None:
        """How many spaces lie between two places, none of them neutral; `sea`: over sea or over land alone."""
        steps, edge, seen = 0, {start}, {start}
        while edge and goal not in edge:
            near = {each for place in edge for each in self.near.get(place, ())} - seen
            edge = {p for p in near if not self.spots[p].neutral and sea in (None, self.spots[p].sea)}
            seen |= edge
            steps += 1
        return steps if edge else None


@dataclass(frozen=True, slots=True)
class Scene:
    title: str
    ground: HexGround | AreaGround
    sides: tuple[Side, ...]
    lines: tuple[str, ...] = ()  # beneath the title: whose turn, points
    stacks: Mapping[int, tuple[Piece, ...]] = field(default_factory=dict)
    control: Mapping[int, str] = field(default_factory=dict)
    front: Mapping[int, str] = field(default_factory=dict)  # whose side of the front a hex is; if none: `control`
    gauges: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)  # side -> its pieces of railway
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    battles: tuple[Battle, ...] = ()
    panels: tuple[Panel, ...] = ()
    explained: tuple[Explained, ...] = ()
    credits: tuple[str, ...] = ()
    keys: Mapping[int, str] = field(default_factory=dict)  # of places: what is clicked for them (`p:1408`)

    def covered(self, eyes: Collection[str]) -> Scene:
        """With only the top unit, the first, of each stack of a side that is not one of these."""
        stacks = {place: stack if stack[0].side in eyes else stack[:1] for place, stack in self.stacks.items() if stack}
        return replace(self, stacks=stacks)


class Part(NamedTuple):
    """A piece of the game between two beginnings: a side's turn. `turn`: the game turn; -1: before the first."""

    turn: int
    first: int  # where its events are among all
    after: int


class Luck(NamedTuple):
    """Dice of one side in one event: what they gave, and what fair dice give, with its variance. More is better."""

    side: str
    got: int
    mean: Fraction
    variance: Fraction


class Course(NamedTuple):
    """A number for each of these sides over the course of a game. `what`: what is counted."""

    what: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Dice:
    """How the luck of dice is shown: `luck` of an event, in units of `course.what`."""

    course: Course
    luck: Callable[[Event], tuple[Luck, ...]]


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong each side is, in units of `course.what`."""

    course: Course
    strength: Callable[[View[Any]], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """A turn as the same seats saw it before and after; `parts`: what each side's turn brought, in lines."""

    title: str
    before: Scene | None
    after: Scene
    parts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """The value of `Game.pictures`. `begins`: events with which a part begins, so that earlier ones are not shown."""

    scene: Callable[[View[Any], tuple[Event, ...]], Scene]
    begins: tuple[type[Event], ...] = ()
    shown: tuple[type[Event], ...] = ()  # that are drawn; a part without any gives way to the one before it
    turn: str = "turn"  # the field of `begins` that holds the number of the game turn
    name: Callable[[Event], str] | None = None  # of a part, by the event it begins with, where its line is too long
    fights: tuple[type[Event], ...] = ()  # with which a battle has been decided, one for each of the scene's battles
    follows: Callable[[Event], bool] = lambda _: False  # may it come of the battle before it: a loss, a retreat?
    news: Callable[[Event], bool] = lambda _: False  # outside battles, does it change what a player counts on?
    spends: tuple[str, ...] = ()  # decisions in it, such as support: its card says by whose answer they were made
    inside: tuple[type[Event], ...] = ()  # of battles: told with their dice, so that prose needs not repeat them
    dice: Dice | None = None
    strength: Strength | None = None  # where there is none, steps on the map are counted
    chapter: Callable[[View[Any]], str] | None = None  # of a long game, of which each has a replay page of its own
    covering: bool = False  # the first unit of a stack lies on top of the others: `pbem board --covered`

    def parts(self, events: Sequence[Event]) -> tuple[Part, ...]:
        """All of the game so far, cut at the beginnings."""
        starts = [n for n, event in enumerate(events) if isinstance(event, self.begins)]
        turns = [-1, *(int(getattr(events[n], self.turn)) for n in starts)]
        return tuple(map(Part, turns, [0, *starts], [*starts, len(events)]))

    def latest(self, events: Sequence[Event]) -> Part:
        """The last part in which something can be drawn, or the last of all."""
        parts = self.parts(events)
        drawn = (p for p in reversed(parts) if any(isinstance(e, self.shown) for e in events[p.first : p.after]))
        return next(drawn, parts[-1])

    def ends(self, events: Sequence[Event]) -> tuple[list[list[Event]], list[Event]]:
        """What came of each battle, and the news that none of them brought.

        A battle ends where something else begins, is drawn, or is news.
        """
        ends: list[list[Event]] = []
        news: list[Event] = []
        fighting = False
        for event in events:
            if isinstance(event, self.fights):
                ends.append([])
                fighting = True
            elif fighting and (self.follows(event) or (isinstance(event, Taken) and event.decision in self.spends)):
                ends[-1].append(event)
            elif isinstance(event, (*self.begins, *self.shown)) or self.news(event):
                fighting = False
                news += [event] if self.news(event) else []
        return ends, news

    def prose(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """What is left to say beside the pictures of battles that have been decided."""
        fought = max((n for n, event in enumerate(events) if isinstance(event, self.fights)), default=-1)
        return tuple(e for n, e in enumerate(events) if n > fought or not isinstance(e, self.inside))

    def last(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """The events of the latest part."""
        part = self.latest(events)
        return tuple(events[part.first : part.after])
