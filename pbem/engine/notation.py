"""Notation: one short text for every order, written and read by the same pattern (docs/spec/notation.md, NOT-5..7).

    Notation(
        Verb(Move, "move {unit} {path}", names={"unit": UNITS}, joined={"path": ">"}, about="move a unit along a path"),
        Verb(Done, "done"),
    )

`write` and `read` are inverse. `parse` is for what a player types: abbreviations of what is legal, and *groups*: input
that stands for several orders.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from pbem.engine.counts import all_of
from pbem.engine.need import Known, Need
from pbem.engine.order import Order, OrderPart, PlanLine
from pbem.engine.step import GameError
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.engine.bots import Randomness
    from pbem.engine.legal import Legal
    from pbem.engine.view import View

S = TypeVar("S")
MAX_INPUT = 1_000  # characters of one line typed by a player
MAX_TIMES = 99  # of one order in a line
MAX_COMPARED = 20_000  # legal orders compared with an abbreviation
MAX_CANDIDATES = 12
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})", re.ASCII)
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}", re.ASCII)
_BRACKETS = re.compile(r"\[([a-z]+(?: \{[a-z_][a-z0-9_]*\})?)\]", re.ASCII)
_GIVEN = re.compile(r"\[([^\]]*\{([a-z_][a-z0-9_]*)\}[^\]]*)\]", re.ASCII)  # in a sentence
_UNEXPLAINED = OrderPart("", "", "")
_EMPTY = "-"


class NotationError(PbemError):
    """The text that was typed is not an order.


    `invalid`: it is not in the notation; `unknown`: nothing like it can be ordered now; `ambiguous`: more than one
    order is like it. `candidates` are texts that may have been meant.
    """

    code = "E-NOTATION"

    def __init__(
        self, what: Literal["invalid", "unknown", "ambiguous"], sentence: str, candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(sentence)
        self.what = what
        self.candidates = candidates


class Click(NamedTuple):
    """One step of clicking an order: all these keys, in any order. A key is a kind of thing and its word: `u:3Pz`.

    `optional`: it may be left out, like the stops on a way.
    """

    keys: tuple[str, ...]
    optional: bool = False


def coming(clicks: Iterable[Click]) -> Iterator[Click]:
    """The steps that may come next: all up to the first that is not optional."""
    for step in clicks:
        yield step
        if not step.optional:
            return


def begins(clicks: Iterable[Click]) -> tuple[str, ...]:
    """The keys that may be clicked first."""
    return tuple(dict.fromkeys(key for step in coming(clicks) for key in step.keys))


class Names(Protocol):
    """How the values of one field are written: one word each, and back. `value` raises ValueError for other words.

    An attribute `thing` says for keys what the words name: `u` a unit, `p` a place, `c` a card; without it they are
    mere words (`w`). A method `key(value)` makes the whole key, or "" for a value that is not clicked. A method
    `said(value, view)` puts the value into words for the sentence of an order: the title of a card, the name of a
    place; a method `said_of(order, value, view)` does so where the words depend on the order; a method
    `together(values)` does so for all values of a field that holds several.
    """

    def word(self, value: Any) -> str: ...

    def value(self, word: str) -> Any: ...


@runtime_checkable
class Existing(Names, Protocol):
    """Names that can be well formed and still name nothing: a hex off the map, the seventh ship of three."""

    def exists(self, value: Any, context: Context[Any]) -> bool: ...


class Words:
    """Names from a list of values and their words, both distinct.

    `noun` is used in sentences ("unit"), `thing` in keys (`u`, `p`, `c`).
    """

    def __init__(self, words: Mapping[Any, str], noun: str = "", thing: str = "w") -> None:
        self.noun = noun
        self.thing = thing
        self._words = dict(words)
        self._values = {word: value for value, word in words.items()}
        if len(self._values) != len(self._words) or any(len(word.split()) != 1 for word in self._values):
            raise ValueError("the words must be distinct and without spaces")

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._values)

    def word(self, value: Any) -> str:
        return self._words.get(value) or f"?{value}"

    def value(self, word: str) -> Any:
        try:
            return self._values[word]
        except KeyError:
            raise ValueError(word) from None


class Numbers:
    """Whole numbers as they are. A class of a game that says what they stand for begins with this one."""

    def word(self, value: int) -> str:
        return str(value)

    def value(self, word: str) -> int:
        if not _NUMBER.fullmatch(word):
            raise ValueError(word)
        return int(word)


@dataclass(frozen=True, slots=True)
class _Plain:
    """Single words (none: a hyphen), yes or no, enumerations."""

    hint: Any

    def word(self, value: Any) -> str:
        if self.hint is bool:
            return "yes" if value else "no"
        return str(value) or _EMPTY

    def value(self, word: str) -> Any:
        if self.hint is bool:
            if word not in ("yes", "no"):
                raise ValueError(word)
            return word == "yes"
        return self.hint("" if word == _EMPTY else word)


@dataclass(frozen=True, slots=True)
class _Joined:
    """A tuple as one word: members with a separator between; none: a hyphen."""

    member: Names
    separator: str

    def word(self, value: tuple[Any, ...]) -> str:
        return self.separator.join(map(self.member.word, value)) or _EMPTY

    def value(self, word: str) -> tuple[Any, ...]:
        return () if word == _EMPTY else tuple(map(self.member.value, word.split(self.separator)))


def key_of(names: Names, value: Any) -> str:
    """The key that a player clicks to name the value; "" for a hyphen, which names nothing."""
    made = getattr(names, "key", None)
    if made is not None:
        return str(made(value))
    word = names.word(value)
    return "" if word == _EMPTY else f"{getattr(names, 'thing', 'w')}:{word}"


def _values(names: Names, keys: Sequence[str]) -> list[Any]:
    """The values that the first of these keys name, up to a key that names something of another kind."""
    found: list[Any] = []
    for key in keys:
        try:
            value = names.value(key.partition(":")[2])
        except ValueError:
            break
        if key_of(names, value) != key:
            break
        found.append(value)
    return found


def _key_with(before: str, names: Names, value: Any) -> str:
    """For a word in part of a pattern, the key also says which part."""
    key = key_of(names, value)
    return f"w:{before}{key[2:]}" if before and key.startswith("w:") else key


Said: TypeAlias = "Callable[[Any, View[Any]], str]"
Clicks: TypeAlias = "Callable[[Any, View[Any]], Iterable[Click]]"
Shown: TypeAlias = "Callable[[str], str]"


class Verb:
    """One kind of order: a pattern of words, in which `{field}` stands for the field's value.

    A part in brackets is left out if the field has its default: `[at {least}]`; for a bool it is just the field's name:
    `[ask]`.

    `names` names a field's values (for a tuple: its members), `joined` is the separator between the members of a tuple
    (default: a comma); both may be in the annotation of the field instead: `Annotated[int, Words(UNITS)]`,
    `Annotated[tuple[Hex, ...], ">"]`. `says` is the order's sentence: a pattern like that of `Order`, or a function of
    the order and the player's view. In the pattern each field is put into words: by the method `said` of its names, for
    a player who may see the view (the title of a card, the name of a place), by `said_of` where that depends on the
    order, too, or else by its word; a part in brackets is left out if its field is empty or has its default. `shown`
    turns the text into what players see in lists, which is what they would type. `clicks` says how the order is clicked
    on a board, if not field by field.
    """

    def __init__(
        self,
        order: type[Order],
        pattern: str = "",
        *,
        names: Mapping[str, Names] | None = None,
        joined: Mapping[str, str] | None = None,
        about: str = "",
        says: str | Said = "",
        shown: Shown | None = None,
        clicks: Clicks | None = None,
    ) -> None:
        self.order = order
        self.pattern = pattern = pattern or order.written
        pattern, self._parts = _parts(pattern)
        self.about = about or _about(order)
        self._says = says or order.sentence or self.about or self.pattern
        self.shown = shown
        self._clicks = clicks
        # Each word with the field that it stands for, None for a word that stands for itself.
        self._words = [(word, _field_of(word)) for word in pattern.split()]
        self._fields = tuple(name for _, name in self._words if name)
        plain, hints = get_type_hints(order), get_type_hints(order, include_extras=True)
        known = {field.name: hints[field.name] for field in fields(order)}  # type: ignore[arg-type]
        used = [*(name for _, name in self._words if name), *(part.field for part in self._parts)]
        self._defaults = {field.name: field.default for field in fields(order)}  # type: ignore[arg-type]
        if len({part.word for part in self._parts}) < len(self._parts) or any(
            self._defaults.get(part.field, MISSING) is MISSING or not (part.valued or plain[part.field] is bool)
            for part in self._parts
        ):
            raise TypeError(f"{self.pattern!r}: each part in brackets has a word of its own and a field with a default")
        if not self._words or self._words[0][1] or sorted(used) != sorted(known):
            raise TypeError(f"{pattern!r} is not a verb that names each field of {order.__name__} once")
        names, joined = names or {}, joined or {}
        for name in (*names, *joined):
            if name not in known:
                raise TypeError(f"the Verb {pattern!r}: {name!r} is not a field of {order.__name__}")
        self._names = {name: _names_of(hint, names.get(name), joined.get(name, "")) for name, hint in known.items()}
        self._explained = {name: part for name, hint in known.items() if (part := _explained(hint)) is not None}

    @property
    def word(self) -> str:
        return self._words[0][0]

    @property
    def fields(self) -> bool:
        """Does anything follow the first word?"""
        return len(self._words) > 1 or bool(self._parts)

    @property
    def thing(self) -> str:
        """The kind of thing (`u`, `p`, `c`) that the second word of the text names, if that is clicked first."""
        name = self._words[1][1] if len(self._words) > 1 and self._clicks is None else None
        names = self._names[name] if name else None
        alone = names is not None and not isinstance(names, _Joined) and not hasattr(names, "key")
        thing = str(getattr(names, "thing", "w")) if alone else "w"
        return "" if thing == "w" else thing

    @property
    def gathers(self) -> bool:
        """Does it name a goal, and then all units that take part: `attack {target} with {units}`?"""
        second = self._names[self._fields[1]] if self.thing == "p" and len(self._fields) > 1 else None
        return isinstance(second, _Joined) and second.separator == ","

    @property
    def _shown(self) -> str:
        """The pattern for a player: `move UNIT TO [by WAY]`."""
        words = [name.upper() if name else word for word, name in self._words]
        return " ".join(
            [*words, *(f"[{part.word}{' ' + part.field.upper() if part.valued else ''}]" for part in self._parts)]
        )

    @property
    def parts(self) -> Iterator[tuple[str, Names | None, str, OrderPart]]:
        """What an order may have besides: the word, and the names of what follows it, None if nothing does; of a list,
        those of its members and what stands between them; and what explains it to a player.
        """
        for part in self._parts:
            names, told = (
                self._names[part.field] if part.valued else None,
                self._explained.get(part.field, _UNEXPLAINED),
            )
            joined = names.separator if isinstance(names, _Joined) else ""
            yield part.word, names.member if isinstance(names, _Joined) else names, joined, told

    def sentence(self, order: Order, view: View[Any]) -> str:
        """The order in words, for a player who may see the view."""
        if not isinstance(self._says, str):
            said = self._says(order, view)
        else:
            given = _GIVEN.sub(lambda found: found.group(1) if self._has(order, found.group(2)) else "", self._says)
            said = _PLACEHOLDER.sub(lambda found: self._in_words(order, found.group(1), view), given)
            for part in self._parts:
                told = self._explained.get(part.field)
                if told is not None and getattr(order, part.field) != self._defaults[part.field]:
                    said += f", {told.words.format(self._in_words(order, part.field, view))}"
        return as_sentence(said)

    def _has(self, order: Order, name: str) -> bool:
        return getattr(order, name) not in (self._defaults[name], ())

    def _in_words(self, order: Order, name: str, view: View[Any]) -> str:
        names, value = self._names[name], getattr(order, name)
        if not isinstance(names, _Joined):
            return _said(names, value, view, order)
        if (together := getattr(names.member, "together", None)) is not None:
            return str(together(value))
        each = [_said(names.member, one, view, order) for one in value]
        if names.separator != ",":
            return ", then ".join(each)
        return all_of(each)

    def spelled(self, keys: Sequence[str], like: Order | None = None) -> Order | None:
        """The order that these clicks make, one after another, listed or not; None if they make none.

        A verb whose clicks differ from its text cannot know that. All clicks but the first are then taken as the way
        of an order `like` this one, which begins with the same click.
        """
        if self._clicks is not None:
            return None if like is None else self._redirected(like, keys[1:])
        left, values = list(keys), dict[str, Any]()
        for name in self._fields:
            names = self._names[name]
            found = _values(names.member if isinstance(names, _Joined) else names, left)
            if isinstance(names, _Joined):
                taken = tuple(found)
                left = left[len(taken) :]
                if taken:
                    values[name] = tuple(sorted(taken)) if names.separator == "," else taken
            elif found:
                values[name], left = found[0], left[1:]
        missing = any(default is MISSING and name not in values for name, default in self._defaults.items())
        return None if left or missing else self.order(**values)

    def _redirected(self, like: Order, keys: Sequence[str]) -> Order | None:
        """The order with its last field leading through these, or its way; where it begins was clicked first."""
        for name in reversed(self._fields):
            names, value = self._names[name], getattr(like, name)
            found = _values(names.member if isinstance(names, _Joined) else names, keys)
            if found and len(found) == len(keys):
                values = {each: getattr(like, each) for each in self._names}
                if isinstance(names, _Joined):
                    return self.order(**values | {name: (*value[:1], *found)})  # a way begins where the unit stands
                last = name == self._fields[-1]
                return self.order(**values | {name: found[0]}) if last and len(found) == 1 else None
        return None

    def unknown(self, order: Order, context: Context[Any]) -> str | None:
        """The first name in an order that means nothing."""
        for name, names in self._names.items():
            value = getattr(order, name)
            member, values = (names.member, value) if isinstance(names, _Joined) else (names, (value,))
            if isinstance(member, Existing):
                for each in values:
                    if not member.exists(each, context):
                        return member.word(each)
        return None

    def clicks(self, order: Order, view: View[Any]) -> Iterator[Click]:
        """The order as things to click: a list is clicked in any order, and of a way only the goal is needed.

        A part in brackets is clicked as what it names, or else as its words: `w:ask`, `w:at 3-1`.
        """
        yield from self.picked(order, view)
        for part in self._parts if self._clicks is None else ():
            if getattr(order, part.field) != self._defaults[part.field]:
                alone = (Click((f"w:{part.word}",)),)
                yield from self._click(order, part.field, f"{part.word} ") if part.valued else alone

    def picked(self, order: Order, view: View[Any]) -> Iterator[Click]:
        """The same without its parts in brackets."""
        if self._clicks is not None:
            yield from self._clicks(order, view)
            return
        for name in self._fields:
            yield from self._click(order, name)

    def called(self, order: Order, view: View[Any]) -> dict[str, str]:
        """The names in words of the things that are clicked for the order, by their keys."""
        found: dict[str, str] = {}
        for name in self._fields if self._clicks is None else ():
            names, value = self._names[name], getattr(order, name)
            member, values = (names.member, value) if isinstance(names, _Joined) else (names, (value,))
            found |= {_key_with("", member, each): _said(member, each, view, order) for each in values}
        return found

    def said(self, order: Order) -> dict[str, str | bool]:
        """The parts in brackets that the order has, by their words."""
        given = [part for part in self._parts if getattr(order, part.field) != self._defaults[part.field]]
        words = {part.word: self._names[part.field].word(getattr(order, part.field)) for part in given if part.valued}
        return {part.word: words.get(part.word, True) for part in given}

    def _click(self, order: Order, name: str, before: str = "") -> Iterable[Click]:
        names, value = self._names[name], getattr(order, name)
        if not isinstance(names, _Joined):
            key = _key_with(before, names, value)
            return (Click((key,)),) if key else ()
        keys = [key for each in value if (key := _key_with(before, names.member, each))]
        if keys and names.separator == ",":
            return (Click(tuple(keys)),)
        return [Click((key,), optional=at < len(keys) - 1) for at, key in enumerate(keys)]

    def write(self, order: Order) -> str:
        words = [self._names[name].word(getattr(order, name)) if name else word for word, name in self._words]
        for part in self._parts:
            value = getattr(order, part.field)
            if value != self._defaults[part.field]:
                words += (part.word, self._names[part.field].word(value)) if part.valued else (part.word,)
        return " ".join(words)

    def read(self, words: list[str]) -> Order:
        """The order, or NotationError that says which word is wrong."""
        if len(words) != len(self._words) and (not self._parts or len(words) < len(self._words)):
            raise self._wrong(f"write it as: {self._shown}")
        values: dict[str, Any] = {}
        for word, (part, name) in zip(words, self._words, strict=False):
            if name is not None:
                values[name] = self._value(name, word)
            elif word != part:
                raise self._wrong(f"{word!r} stands where {part!r} is expected")
        rest = iter(words[len(self._words) :])
        for word in rest:
            found = next((part for part in self._parts if part.word == word and part.field not in values), None)
            following = next(rest, "") if found is not None and found.valued else "yes"
            if found is None or not following:
                raise self._wrong(f"{word!r} is not understood; write it as: {self._shown}")
            values[found.field] = self._value(found.field, following)
        return self.order(**values)

    def _value(self, name: str, word: str) -> Any:
        try:
            return self._names[name].value(word)
        except ValueError:
            names = self._names[name]
            noun = _noun(names) or name
            known = names.words if isinstance(names, Words) else ()
            there = f": there are {', '.join(known)}" if 0 < len(known) <= MAX_CANDIDATES else ""
            kind = f"one of the {noun}" if noun.endswith("s") else f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"
            raise self._wrong(f"{word!r} is not {kind}{there}; write it as: {self._shown}") from None

    def _wrong(self, sentence: str) -> NotationError:
        return NotationError("invalid", f"Not understood: {sentence}.", (self.pattern,))


@dataclass(frozen=True, slots=True)
class _Part:
    """What may be left out: the word that it begins with, its field, and whether the field's value follows."""

    word: str
    field: str
    valued: bool


def _parts(pattern: str) -> tuple[str, tuple[_Part, ...]]:
    """A pattern without its bracketed parts, and those parts."""
    parts = []
    for inner in _BRACKETS.findall(pattern):
        word, _, rest = inner.partition(" ")
        parts.append(_Part(word, _field_of(rest) or word, bool(rest)))
    return _BRACKETS.sub("", pattern), tuple(parts)


def _field_of(word: str) -> str | None:
    match = _PLACEHOLDER.fullmatch(word)
    return match.group(1) if match else None


def _about(order: type[Order]) -> str:
    """The first line of its docstring; empty if it has none, or only the one that dataclasses writes."""
    said = (order.__doc__ or "").partition("\n")[0].rstrip(".")
    own = said.startswith(f"{order.__name__}(") or order.__doc__ == Order.__doc__
    return "" if own or not said else said[0].lower() + said[1:]


def as_sentence(said: str) -> str:
    """With a capital letter and a full stop."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if said else ""


def _said(names: Names, value: Any, view: View[Any], order: Order) -> str:
    said_of, said = getattr(names, "said_of", None), getattr(names, "said", None)
    if said_of is not None:
        return str(said_of(order, value, view))
    return str(said(value, view)) if said is not None else names.word(value)


def _explained(hint: Any) -> OrderPart | None:
    """The part that is annotated to a field."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((note for note in notes if isinstance(note, OrderPart)), None)


def _noun(names: Names) -> str:
    return _noun(names.member) if isinstance(names, _Joined) else str(getattr(names, "noun", ""))


def _names_of(hint: Any, names: Names | None, separator: str) -> Names:
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        for note in notes:
            if isinstance(note, str):
                separator = separator or note
            elif hasattr(note, "word") and hasattr(note, "value"):
                names = names or note
    if get_origin(hint) is tuple:
        args = get_args(hint)
        if len(args) != 2 or args[1] is not Ellipsis:
            return names or _missing(hint)
        return _Joined(_names_of(args[0], names, ""), separator or ",")
    if names is not None:
        return names
    if hint is int:
        return Numbers()
    if hint in (str, bool) or (isinstance(hint, type) and issubclass(hint, StrEnum)):
        return _Plain(hint)
    return _missing(hint)


def _missing(hint: Any) -> Names:
    raise TypeError(f"a field of type {hint} needs names of its own")


@dataclass(frozen=True, slots=True)
class Context(Generic[S]):
    """The context of a player's input: the public state, the seat, its legal orders, the hidden values that it knows.

    `planning`: the orders are for after chance, and nothing is known to be legal yet. `rng`: for input that leaves a
    choice to chance (`pair random`); what it draws is written into the orders, and never drawn again.
    """

    state: S
    need: Need | None
    seat: str
    legal: Callable[[], Legal]
    own: Known = field(default_factory=dict, repr=False)
    planning: bool = False
    rng: Randomness | None = field(default=None, repr=False)


class Group(ABC, Generic[S]):
    """Input that stands for several orders (`2 infantry 1 tank berlin > poland`); all of them or none are taken."""

    about: str = ""

    @abstractmethod
    def expand(self, words: list[str], context: Context[S]) -> tuple[Order, ...] | None:
        """The orders; None if the words are not of this group. NotationError: they are, but contain a mistake."""


class _Verbs(dict[type[Order], Verb]):
    def __missing__(self, order: type[Order]) -> Verb:
        if not order.written:
            raise GameError(order.__module__, "", without_text(order))
        found = self[order] = Verb(order)
        return found


def without_text(order: type[Order]) -> str:
    """The error for an author whose order has no verb."""
    return (
        f"the order {order.__name__} has no text; add Verb({order.__name__}, ...) to Game.notation, or text=... to the "
        "class"
    )


class Notation(Generic[S]):
    """The texts of all orders of a game."""

    def __init__(self, *verbs: Verb, groups: Iterable[Group[S]] = ()) -> None:
        self.verbs = verbs
        self.groups = tuple(groups)
        self.verb_of = _Verbs({verb.order: verb for verb in verbs})
        if len(self.verb_of) != len(verbs):
            raise TypeError("an order has one notation")

    def with_texts(self, orders: Iterable[type[Order]]) -> Notation[S]:
        """This notation, with a verb added for each of these orders that carries its own text."""
        own = {verb.order for verb in self.verbs}
        more = [Verb(order) for order in orders if order.written and order not in own]
        return Notation(*self.verbs, *more, groups=self.groups) if more else self

    def write(self, order: Order) -> str:
        """The one text of an order."""
        return self.verb_of[type(order)].write(order)

    def show(self, order: Order) -> str:
        """How a list shows it to a player: `parse` reads it as the same order, where that can be given."""
        if isinstance(order, PlanLine):
            return f"{order}{self.show(order.order)}"
        verb = self.verb_of[type(order)]
        text = verb.write(order)
        return verb.shown(text) if verb.shown is not None else text

    def sentence(self, order: Order, view: View[S]) -> str:
        """The order in words, which stand beside its text. They are never read back."""
        if isinstance(order, PlanLine):
            return f"{order}{self.sentence(order.order, view)}"
        return self.verb_of[type(order)].sentence(order, view)

    def clicks(self, order: Order, view: View[S]) -> tuple[Click, ...]:
        """The order as things to click, one step after another, for a player who may see the view."""
        return tuple(self.verb_of[type(order)].clicks(order, view))

    def begins(self, order: Order, view: View[S]) -> tuple[str, ...]:
        """What may be clicked first for the order; its verb, where nothing is clicked for it (`v:done`)."""
        verb = self.verb_of[type(order)]
        return begins(verb.clicks(order, view)) or (f"v:{verb.word}",)

    def read(self, text: str) -> Order:
        """The order of which this is the text, exactly."""
        words = text.split(" ")
        error: NotationError | None = None
        for verb in self.verbs:
            if words[0] != verb.word:
                continue
            try:
                order = verb.read(words)
            except NotationError as wrong:
                error = wrong
                continue
            if verb.write(order) == text:
                return order
            error = NotationError("invalid", f"Not understood: write it as: {verb.write(order)}.", (verb.write(order),))
        if error is not None:
            raise error
        verbs = tuple(verb.pattern for verb in self.verbs)
        raise NotationError("invalid", f"{words[0]!r} is not an order of this game.", verbs)

    def parse(self, text: str, context: Context[S]) -> tuple[Order, ...]:
        """The orders that a player means by one line; `;` stands between several. They may still be illegal.

        For a plan nothing is known to be legal yet, but the things that are named must exist.
        """
        if len(text) > MAX_INPUT:
            raise NotationError("invalid", f"That line is too long: at most {MAX_INPUT} characters are allowed.")
        parts = [part.split() for part in text.split(";")]
        if not any(parts):
            raise NotationError("invalid", "Nothing was ordered.")
        orders = tuple(order for words in parts if words for order in self._times(words, context))
        for order in orders if context.planning else ():
            unknown = self.verb_of[type(order)].unknown(order, context)
            if unknown is not None:
                raise NotationError("invalid", f"There is no {unknown} for: {self.show(order)}.")
        return orders

    def _times(self, words: list[str], context: Context[S]) -> tuple[Order, ...]:
        """`3 x place tank Germany` is the same order three times."""
        many = words[0]
        if words[1:2] != ["x"] or len(words) < 3 or not (many.isascii() and many.isdigit()):
            return self._part(words, context)
        if not 0 < int(many[:4]) <= MAX_TIMES:
            raise NotationError("invalid", f"You can give an order at most {MAX_TIMES} times in one line.")
        return self._part(words[2:], context) * int(many)

    def _part(self, words: list[str], context: Context[S]) -> tuple[Order, ...]:
        try:
            return (self.read(" ".join(words)),)
        except NotationError as wrong:
            exact = wrong
        for group in self.groups:
            orders = group.expand(words, context)
            if orders is not None:
                return orders
        try:
            return (self._abbreviated(words, context, exact),)
        except NotationError as wrong:
            begun = {verb.word for verb in self.verbs if verb.word.startswith(words[0].casefold())} - {words[0]}
            if wrong.what == "ambiguous" or len(begun) != 1 or (wrong is exact and not context.planning):
                raise
            return self._part([*begun, *words[1:]], context)  # `mov 3Pz 1408`: the rules say what is wrong with it

    def _abbreviated(self, words: list[str], context: Context[S], exact: NotationError) -> Order:
        """The legal order that begins, word by word, as was typed; the closest one, if only one is that close."""
        if context.planning:
            raise exact
        legal = context.legal()
        verbs: dict[str, None] = {}
        found = self._closest(words, legal.like(words), {}) or self._closest(words, legal, verbs)
        if len(found) == 1:
            return found[0]
        if found:
            texts = tuple(self.show(order) for order in found[:MAX_CANDIDATES])
            more = f"; and {len(found) - len(texts)} more" if len(found) > len(texts) else ""
            raise NotationError("ambiguous", f"{' '.join(words)!r} may mean: {'; '.join(texts)}{more}.", texts)
        if exact.candidates and words[0] in {verb.word for verb in self.verbs}:
            raise exact
        meant = get_close_matches(words[0], verbs, 1)
        near = f" Did you mean {meant[0]!r}?" if meant else ""
        now = f" Orders now begin with: {', '.join(verbs)}." if verbs else ""
        raise NotationError("unknown", f"You cannot order {' '.join(words)!r} now.{near}{now}", tuple(verbs))

    def _closest(self, words: list[str], orders: Iterable[Order], verbs: dict[str, None]) -> list[Order]:
        """Those of the orders that are closest to what was typed; `verbs` gets all their first words."""
        typed = [word.casefold() for word in words]
        closest: tuple[bool, int] | None = None
        found: list[Order] = []
        for order in islice(orders, MAX_COMPARED):
            text = self.write(order)
            verbs[text.partition(" ")[0]] = None
            distance = _distance(typed, text.casefold().split())
            if distance is None or (closest is not None and distance > closest):
                continue
            if distance != closest:
                closest, found = distance, []
            found.append(order)
        return found


def _distance(typed: list[str], words: list[str]) -> tuple[bool, int] | None:
    """Are words left out at the end, and how many are not written in full. None: something else was typed."""
    if len(typed) > len(words) or not all(word.startswith(start) for start, word in zip(typed, words, strict=False)):
        return None
    return len(typed) < len(words), sum(start != word for start, word in zip(typed, words, strict=False))
