"""The object that a game exports, and its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from importlib import import_module
from itertools import groupby
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pbem.engine.bots import Bot
from pbem.engine.event import Event, GivenBack, PlanEnded, Skipped, Taken
from pbem.engine.need import Result
from pbem.engine.notation import Names, Notation, NotationError
from pbem.engine.order import Order, OrderKinds
from pbem.engine.policy import Explanation, Policy, parse, wrong
from pbem.engine.step import Decide, Frame, Sequence
from pbem.engine.view import View
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.characters import printable
from pbem.protocol.digest import tagged, tagged_list
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.plain import TRANSIENT

__all__ = ["DataSet", "Game", "Option", "OptionValue", "Reckoning", "Result", "Scenario", "Seat", "Setup", "Versioned"]

S = TypeVar("S")
C = TypeVar("C")
OptionValue = str | int | bool
MAX_SENTENCE = 1_000
MAX_CHARTS = 16
_ANSWERED = {
    "forced": ", as the only choice",
    "standing": ", by a standing order",
    "default": ", by the usual answer",
    "passed": "",
}
_NOT_SAID: Any = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A side's or power's place at the table. Seats of one `side` are allies; by default each seat is a side."""

    name: str
    side: str = ""
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "side", self.side or self.name)
        object.__setattr__(self, "title", self.title or self.name.replace("_", " ").capitalize())


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that the players may switch before the game; the first value is the default.

    `alone`: the default in a game of one player, where being asked costs no mail; None: the same.
    """

    name: str
    title: str
    values: tuple[OptionValue, ...]
    alone: OptionValue | None = None

    @property
    def default(self) -> OptionValue:
        return self.values[0]

    @property
    def words(self) -> dict[str, OptionValue]:
        """The values by what a player types for them."""
        return {("yes" if each else "no") if isinstance(each, bool) else str(each): each for each in self.values}


@dataclass(frozen=True, slots=True)
class Preset:
    """Standing orders for all kinds of decision, which a player chooses by one name.

    `text` says in one line when the player is asked. `policies` gives them by kind of decision, as a player types them;
    for all other kinds they are those of `ask-what-matters`.
    """

    text: str
    policies: Mapping[str, str]


class DataSet:
    """The named data files of a game as canonical values (maps, counters, tables), pinned by digest (STA-7)."""

    def __init__(self, files: Mapping[str, Plain] | Callable[[], Mapping[str, Plain]]) -> None:
        self._source = files

    @cached_property
    def files(self) -> Mapping[str, Plain]:
        """Read at the first use if a function was given."""
        return self._source() if callable(self._source) else self._source

    def __getitem__(self, name: str) -> Any:
        return self.files[name]

    @cached_property
    def digest(self) -> bytes:
        return tagged(
            "pbem1/data",
            tagged_list([tagged("pbem1/file", name, self.file_digest(name)) for name in sorted(self.files)]),
        )

    def file_digest(self, name: str) -> bytes:
        """What an offer names when a player brings their own file in place of this one."""
        try:
            return tagged("pbem1/value", pack(self.files[name]))
        except (ValueError, TypeError, OverflowError) as error:
            sentence = f"The game's data file {name!r} holds what rules data cannot hold: {error}."
            raise Refusal("E-MODULE", sentence, step="STA-7") from error

    def replaced(self, files: Mapping[str, Plain]) -> DataSet:
        """The same with some files of the players' own; these have been checked against their schemas before."""
        unknown = sorted(set(files) - set(self.files))
        if unknown:
            raise Refusal("E-SETUP", f"This game has no data file named {unknown[0]!r}.", step="STA-7")
        return DataSet({**self.files, **files})


def bad_data(sentence: str) -> Refusal:
    """The refusal of a data file. The sentence may quote the file: what cannot be printed is left out of it."""
    return Refusal("E-DATA", printable(sentence[:MAX_SENTENCE]), step="STA-7")


@dataclass(frozen=True, slots=True)
class Setup:
    """The data from which a game is set up; all of it is fixed by the offer.

    `players` has the number of each seat's player, so that the rules can ask which seats one player holds (STA-8). It
    stays the same when somebody takes over a player's place.
    """

    scenario: str
    options: Mapping[str, OptionValue]
    data: DataSet
    behaviour: int
    players: Mapping[str, int]
    charts: Callable[[DataSet], Any] | None = field(default=None, repr=False, compare=False)

    @property
    def chart(self) -> Any:
        """The chart that the game's `chart` makes from the data."""
        if self.charts is None:
            raise TypeError("a game has a chart only if it is given `chart=`")
        return self.charts(self.data)


def charted(make: Callable[[DataSet], C]) -> Callable[[DataSet], C]:
    """A function that makes the chart of each data set once, since every game loaded asks for it.

    Only the last few are kept: any offer can bring data of the players' own.
    """
    kept: dict[bytes, C] = {}

    @wraps(make)
    def chart_of(data: DataSet) -> C:
        chart = kept.get(data.digest)
        if chart is None:
            chart = kept[data.digest] = make(data)
            if len(kept) > MAX_CHARTS:
                del kept[next(iter(kept))]
        return chart

    return chart_of


@dataclass(kw_only=True)
class Versioned:
    """Base of states whose rules have changed: a fix asks `s.since(2)`, so that older games go on as they began."""

    behaviour: int = field(default=1, repr=False, compare=False, metadata=TRANSIENT)

    def since(self, behaviour: int) -> bool:
        return self.behaviour >= behaviour


class Taker(NamedTuple):
    """Units that could take part in a fight: their word, how many there are, and how many the odds count."""

    word: str
    title: str
    most: int = 1
    taken: int = 1


class Party(NamedTuple):
    """Units that could fight. To ask for the odds with others, type `head` and the words of those chosen."""

    head: str
    takers: tuple[Taker, ...]


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A game's answer to a question: as text for the player, and as figures for programs. Nothing replayed uses it.

    A board in the browser shows the rest, in words of the notation. `places`: notes on places (`1308` -> `2, stops`).
    `ways`: lines of supply, bonds, retreats, from place to place. `party`: units that could take part in the fight.
    """

    text: str
    figures: Mapping[str, object] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    ways: tuple[tuple[str, ...], ...] = ()
    party: Party | None = None


@dataclass(frozen=True, slots=True)
class Game(Generic[S]):
    """The module object. `setup` makes the first state and the frame of the outermost sequence.

    `orders` are collected from the steps, and `notation` from the texts of these orders, together with the verbs and
    groups of a `notation` that you give. `forfeit` gives the result of a resignation (default: the side that is left
    has won).
    `chart` turns the data set into the printed components: map, counters, cards. `setup` finds them as `setup.chart`,
    steps as `s.chart` if the state declares `chart: Chart = transient()`, and functions marked with `by_chart` get them
    as their first argument. `attach` puts other things that are not saved into the state, after set-up and after
    loading.
    `decks` names each shared deck, with all card numbers that are ever in it. Raise `behaviour` with every change that
    makes the same orders lead to another state. `earlier` keeps the data of former versions, to which games that began
    with them are pinned for ever. `shorthand` reads the game's own words for standing orders of a decision
    (`infantry tank, keep 1 tank in Ukraine`) and returns the policy in full; None: the text is not shorthand.
    `presets` are further named presets: every game has `ask-what-matters`, `ask-nothing` and `ask-everything`.
    `explains` says, by kind of decision, what it asks and what its answers mean, for players who answer in advance.
    `thrown_by` says from the label of a draw which seats may have thrown it, for statistics only; none: that is not
    known, or the label is not one of the game's. `look` answers a player's questions about the position (`reach tank
    Ukraine`). `odds` tells the chances of a fight; without a text, of the one in the middle of which a seat of the view
    is asked: a `Reckoning`, or else how to ask. `report` makes a line from one event, `story` fewer lines from many.
    `left_undone` warns before a turn is sealed: it says what a seat leaves undone if it gives this order here (one that
    ends a phase: money unspent, units that could still be placed), or if it seals without another order (None). `facts`
    are public knowledge of the position, as numbers by name, from the seat's point of view (`holds/berlin` is 1 if it
    holds Berlin); lines of a plan may test them. `named` makes from the chart (None without one) names for the numbers
    of facts in standing orders: `named=lambda chart: {"hex": PlaceNames(chart.board)}`. Their `value` must also read
    the numbers themselves, as digits; after `=`, `!=` and `in` only values that it reads are accepted.
    """

    name: str
    title: str
    seats: tuple[Seat, ...]
    state: type[S]
    setup: Callable[[Setup], tuple[S, Frame]]
    sequences: tuple[Sequence[S, Any], ...]
    scenarios: tuple[Scenario, ...] = (Scenario("standard", "Standard"),)
    orders: OrderKinds = field(init=False)
    notation: Notation[S] = field(default_factory=Notation)
    forfeit: Callable[[S, tuple[str, ...]], Result] = _NOT_SAID
    behaviour: int = 1
    rules: str = "1"
    data: DataSet = field(default_factory=lambda: DataSet({}))
    chart: Callable[[DataSet], Any] | None = None
    earlier: tuple[DataSet, ...] = ()
    options: tuple[Option, ...] = ()
    decks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    board: Callable[[View[S]], str] = str
    report: Callable[[Event], str] = str
    story: Callable[[tuple[Event, ...]], Iterable[str]] | None = None
    bots: Mapping[str, Bot[S]] = field(default_factory=dict)
    attach: Callable[[S, Setup], None] | None = None
    odds: Callable[[View[S], str], str | Reckoning] | None = None
    look: Callable[[View[S], str], str | Reckoning] | None = None
    left_undone: Callable[[View[S], str, Order | None], Iterable[str]] | None = None
    facts: Callable[[S, str], Mapping[str, int]] | None = None
    named: Callable[[Any], Mapping[str, Names]] | None = None
    shorthand: Callable[[str, str], str | None] | None = None
    presets: Mapping[str, Preset] = field(default_factory=dict)
    explains: Callable[[], Mapping[str, Explanation]] | None = None
    thrown_by: Callable[[str], tuple[str, ...]] | None = None
    pictures: Callable[[], Any] | None = None  # gives the kit.scene.Pictures; called when something is to be drawn
    check_data: Callable[[DataSet], None] | None = None  # raises: it cannot be played with; None: nobody brings data

    _OWN: ClassVar = (GivenBack, PlanEnded, Skipped, Taken)  # events that a game need not tell

    __eq__ = object.__eq__  # there is one of each
    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", OrderKinds(self._taken()))
        object.__setattr__(self, "notation", self._with_texts(self.notation))
        if self.forfeit is None:
            object.__setattr__(self, "forfeit", self._left)
        if self.chart is not None and not hasattr(self.chart, "__wrapped__"):
            object.__setattr__(self, "chart", charted(self.chart))
        for name in ("report", "story", "shorthand"):
            if isinstance(said := getattr(self, name), ByChart):
                object.__setattr__(self, name, said.of(self._chart))

    def _with_texts(self, notation: Any) -> Any:
        """Add the orders that carry their own text; a notation that is loaded later gets them when it is loaded."""
        if isinstance(notation, _Later):
            return ByChart(lambda _: notation.with_texts(self.orders.orders), lambda: None)
        if isinstance(notation, ByChart):
            made = notation.given
            chart = self._chart if self.chart is not None else lambda: None
            return ByChart(lambda printed: made(printed).with_texts(self.orders.orders), chart)
        return notation.with_texts(self.orders.orders)

    def _taken(self) -> tuple[type[Order], ...]:
        steps = (step for sequence in self.sequences for step in sequence.steps if isinstance(step, Decide))
        return tuple(dict.fromkeys(order for step in steps for order in step.takes))

    def _left(self, _: S, seats: tuple[str, ...]) -> Result:
        sides = {seat.side for seat in self.seats} - {seat.side for seat in self.seats if seat.name in seats}
        return Result(min(sides) if len(sides) == 1 else None, "forfeit")

    def _chart(self) -> Any:
        if self.chart is None:
            raise TypeError(f"{self.name} says by_chart, and has no chart")
        return self.chart(self.data)

    @property
    def best_bot(self) -> str:
        """The bot to learn against: `sensible`, else the first it has; empty if it has none."""
        return "sensible" if "sensible" in self.bots else next(iter(self.bots), "")

    def on(self, data: DataSet) -> Game[S]:
        """The game with this data set, whose chart it then reads and writes by."""
        if data is self.data or self.chart is None or data.digest == self.data.digest:
            return self
        found = _ON.get((self, data.digest))
        if found is None:
            found = _ON[self, data.digest] = replace(self, data=data, earlier=(self.data, *self.earlier))
            if len(_ON) > MAX_CHARTS:
                del _ON[next(iter(_ON))]
        return found

    def setup_of(
        self,
        scenario: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        data: DataSet | None = None,
        players: Mapping[str, int] | None = None,
    ) -> Setup:
        """Check and complete a choice of scenario and options (E-SETUP); by default each seat has its own player."""
        name = scenario or self.scenarios[0].name
        if name not in {each.name for each in self.scenarios}:
            known = ", ".join(each.name for each in self.scenarios)
            raise Refusal("E-SETUP", f"{self.title} has no scenario {name!r}; it has {known}.", step="STA-6")
        chosen = dict(options or {})
        complete: dict[str, OptionValue] = {}
        for option in self.options:
            value = chosen.pop(option.name, option.default)
            if not any(type(value) is type(each) and value == each for each in option.values):
                values = ", ".join(option.words)
                raise Refusal(
                    "E-SETUP", f"{value!r} is not a value of the option {option.name!r}; choose {values}.", step="STA-6"
                )
            complete[option.name] = value
        if chosen:
            known = ", ".join(each.name for each in self.options) or "none"
            raise Refusal("E-SETUP", f"{self.title} has no option {min(chosen)!r}; it has {known}.", step="STA-6")
        if players is None:
            players = {seat.name: number for number, seat in enumerate(self.seats)}
        return Setup(name, complete, data or self.data, self.behaviour, players, self.chart)

    def data_of(self, digest: bytes) -> DataSet | None:
        """The data set with this digest, of this version or a former one."""
        return next((data for data in (self.data, *self.earlier) if data.digest == digest), None)

    def data_with(self, files: Mapping[str, Plain]) -> DataSet:
        """The data set with files of the players' own in it, if the game can be played with them (E-DATA).

        Whatever `check_data` raises is the fault of the data. A game without it takes none.
        """
        if self.check_data is None:
            raise bad_data(f"{self.title} takes no data files of the players' own: its rules do not check them.")
        data = self.data.replaced(files)
        try:
            self.check_data(data)
        except (PbemError, MemoryError):
            raise
        except Exception as error:
            raise bad_data(f"{self.title} cannot be played with this data: {error}.") from error
        return data

    def tell(self, events: Iterable[Event]) -> tuple[str, ...]:
        """What happened, in lines for a player."""
        lines: list[str] = []
        for kind, some in groupby(events, key=lambda event: type(event) if isinstance(event, self._OWN) else None):
            found = tuple(some)
            if kind is not None:
                told = (line for event in found for line in self._ended(event))
                lines += (line for line, _ in groupby(told))  # several windows passed alike are one line
            else:
                lines += map(self.report, found) if self.story is None else self.story(found)
        return tuple(line for line in lines if line)

    def _ended(self, plan: Event) -> Iterator[str]:
        """By whose answer something was chosen, what became of a plan's lines, why an entry was passed over."""
        if isinstance(plan, Taken):
            yield f"{self.seat(plan.seat).title}{_ANSWERED[plan.how]}: {plan.said}"
            return
        if isinstance(plan, Skipped):
            by = f" ({plan.rule})" if plan.rule else ""
            entry = f"entry {plan.number}, {self.notation.show(plan.order)},"
            yield f"{self.seat(plan.seat).title}: {entry} is skipped: {plan.why}{by}."
            return
        if isinstance(plan, GivenBack):
            waiting = "; ".join(f"{number} {self.notation.show(order)}" for number, order in plan.waiting)
            yield f"The list goes back to {self.seat(plan.seat).title}. Still on it: {waiting or 'nothing'}."
            return
        assert isinstance(plan, PlanEnded)
        yield f"Plan of {self.seat(plan.seat).title}, carried out: {self.texts(plan.done) or 'nothing'}."
        whys: dict[str, list[Order]] = {}
        for order, why in plan.skipped:
            whys.setdefault(why.rstrip("."), []).append(order)
        for why, orders in whys.items():
            yield f"Skipped: {self.texts(orders)}. {why}."
        if plan.left:
            yield f"It stopped: {plan.stopped}. Not reached: {self.texts(plan.left)}."

    def texts(self, orders: Iterable[Order]) -> str:
        """Orders as a player would type them, equal ones counted."""
        counts = Counter(map(self.notation.show, orders))
        return "; ".join(f"{count} x {text}" if count > 1 else text for text, count in counts.items())

    def policy(self, decision: str, text: str) -> Policy:
        """Standing orders as a player types them: in the game's shorthand if it has one, or in full (E-POLICY)."""
        try:
            full = self.shorthand(decision, text) if self.shorthand is not None else None
        except NotationError as error:
            raise wrong(error.sentence.rstrip(".?")) from None
        return parse(text if full is None else full, {fact: names.value for fact, names in self._names().items()})

    def policy_text(self, policy: Policy) -> str:
        """Standing orders as a player reads them, and may type them again."""
        return policy.text({fact: names.word for fact, names in self._names().items()})

    def explained(self, decision: str) -> Explanation:
        """What the decision asks; empty if the game does not explain it."""
        return (self.explains() if self.explains is not None else {}).get(decision, Explanation("", {}))

    def policy_sentences(self, decision: str, policy: Policy) -> tuple[str, ...]:
        """Standing orders in sentences."""
        return policy.sentences(self.explained(decision), {fact: names.word for fact, names in self._names().items()})

    def _names(self) -> Mapping[str, Names]:
        if self.named is None:
            return {}
        return self.named(None if self.chart is None else self.chart(self.data))

    def seat(self, name: str) -> Seat:
        for seat in self.seats:
            if seat.name == name:
                return seat
        raise Refusal("E-SETUP", f"{self.title} has no seat {name!r}.", step="STA-6")

    def prepare(self, state: S, setup: Setup) -> None:
        """Put into a state what is not saved with it."""
        if isinstance(state, Versioned):
            state.behaviour = setup.behaviour
        if self.chart is not None and "chart" in getattr(self.state, "__dataclass_fields__", {}):
            setattr(state, "chart", setup.chart)  # noqa: B010 - the state has declared it
        if self.attach is not None:
            self.attach(state, setup)


_ON: dict[tuple[Game[Any], bytes], Game[Any]] = {}
"""The last few games with data of the players' own."""


class _Later:
    """Stands for a function or an object of another module until it is called or asked for an attribute."""

    __slots__ = ("_found", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: Any = None

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._load()(*args, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def __repr__(self) -> str:
        return f"later({self._name!r})"

    def _load(self) -> Any:
        if self._found is None:
            self._found = loader(self._name)()
        return self._found


class ByChart:
    """A function given to `by_chart`, in a game: it is called with the chart of that game's data."""

    __slots__ = ("_chart", "_made", "given")

    def __init__(self, given: Callable[..., Any], chart: Callable[[], Any] | None = None) -> None:
        self.given = given
        self._chart = chart
        self._made: Any = None

    def of(self, chart: Callable[[], Any]) -> ByChart:
        """A copy for another game, or for other data."""
        return ByChart(self.given, chart)

    def __call__(self, *args: Any) -> Any:
        if self._chart is None:
            raise TypeError("by_chart works only inside a Game")
        return self.given(self._chart(), *args)

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self()
        return getattr(self._made, name)


def later(name: str) -> Any:
    """`package.module:name`, not loaded yet: for what a game shows and says, from its notation to its odds.

    Not for bots, which are asked what they can do: a bot loads the modules that it needs in its own methods.
    """
    return _Later(name)


def by_chart(given: str | Callable[..., Any]) -> Any:
    """A function whose first argument is the chart of the game's data; it can be named as `package.module:name`.

    For a game's `notation` (`notation_of(chart)` makes it, once), `report`, `story` and `shorthand`
    (`report(chart, event)`): so maps and cards that the players have brought are read and named correctly.
    """
    return ByChart(_Later(given) if isinstance(given, str) else given)


def loader(name: str) -> Callable[[], Any]:
    """A function that gives `package.module:name` itself: for a game's pictures."""

    def load() -> Any:
        module, _, found = name.partition(":")
        return getattr(import_module(module), found)

    return load
