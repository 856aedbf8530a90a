"""Converts typed values to plain data and back, strictly by their type hints (docs/spec/state.md).

A dataclass becomes a map of those fields that differ from their declared default, so that a field added with a default
leaves every older digest as it was. Fields marked `transient()` are never saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from enum import StrEnum
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pbem.protocol.canonical import Plain, is_key
from pbem.protocol.errors import Refusal

T = TypeVar("T")
_SCALARS = (int, str, bool, bytes)


TRANSIENT: Mapping[str, bool] = {"transient": True}


def unfit(sentence: str) -> Refusal:
    return Refusal("E-FORM", f"Saved data does not fit its type: {sentence}.", step="STA-1")


def transient() -> Any:
    """A field that is not part of the saved state: the game's `attach` sets it after set-up and after loading."""
    return field(default=None, repr=False, compare=False, metadata=TRANSIENT)


class Codec(NamedTuple, Generic[T]):
    """How values of one type are dumped and loaded. `fixed`: its values cannot change in place."""

    dump: Callable[[T], Plain]
    load: Callable[[Any], T]
    fixed: bool
    rows: tuple[Codec[Any], Codec[Any]] | None = None  # of a table: its keys and its rows


class Member(NamedTuple):
    """One saved field of a dataclass."""

    name: str
    codec: Codec[Any]
    default: Any  # MISSING: always written

    def left_out(self, held: Any) -> bool:
        """Is this the default? A dict only in the same order, which loading would else not bring back."""
        if self.default is MISSING or held != self.default:
            return False
        return type(held) is not dict or list(held) == list(self.default)


MAKERS: dict[Any, Callable[[tuple[Any, ...]], Codec[Any]]] = {}
"""For types that are defined elsewhere and have a form of their own, by what their parameters are."""
_CODECS: dict[Any, Codec[Any]] = {}
_MEMBERS: dict[Any, tuple[Member, ...]] = {}


def codec(hint: Any) -> Codec[Any]:
    """The codec of a type hint; made once."""
    found = _CODECS.get(hint)
    if found is None:
        found = _CODECS[hint] = _make(hint)
    return found


def _make(hint: Any) -> Codec[Any]:
    maker = MAKERS.get(get_origin(hint) or hint)
    if maker is not None:
        return maker(get_args(hint))
    if hint is None or hint is NoneType:
        return Codec(lambda _: None, _load_none, fixed=True)
    if hint is Any:  # plain data as it was dumped before, such as an order
        return Codec(lambda value: value, lambda plain: plain, fixed=False)
    if hint in _SCALARS:
        return _scalar(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple and args:
        return _tuple(args)
    if origin is list and args:
        return _list(args[0])
    if origin is dict and args:
        return _dict(args)
    if origin is set and args:
        return _set(args[0])
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _row(hint)
    raise TypeError(f"a saved field cannot be a {hint}")


def members(cls: Any) -> tuple[Member, ...]:
    """The saved fields of a dataclass by name, ascending."""
    found = _MEMBERS.get(cls)
    if found is None:
        hints = get_type_hints(cls)
        saved = [each for each in fields(cls) if not each.metadata.get("transient")]
        saved.sort(key=lambda each: each.name)
        if not all(is_key(each.name) for each in saved):
            raise TypeError(f"a saved field of {cls.__name__} is not named as a key is (ENC-5)")
        found = tuple(Member(each.name, codec(hints[each.name]), _default(each)) for each in saved)
        _MEMBERS[cls] = found
    return found


def branched(value: T) -> T:
    """Another of a mutable dataclass, whose dicts are its own; what these hold is shared, and must not change."""
    other = object.__new__(type(value))
    for name in type(value).__slots__:  # type: ignore[attr-defined]
        held = getattr(value, name)
        object.__setattr__(other, name, dict(held) if type(held) is dict else held)
    return other


def dump(value: Any) -> Plain:
    """The plain form of a dataclass."""
    return codec(type(value)).dump(value)


def load(cls: type[T], plain: Plain) -> T:
    """The dataclass whose plain form this is; refuses anything else (E-FORM)."""
    return cast(T, codec(cls).load(plain))


def _default(each: Field[Any]) -> Any:
    if each.default is not MISSING:
        return each.default
    return each.default_factory() if each.default_factory is not MISSING else MISSING


def _load_none(plain: Plain) -> None:
    if plain is not None:
        raise unfit("nil expected")


def _scalar(kind: Any) -> Codec[Any]:
    def load(plain: Plain) -> Any:
        if type(plain) is not kind:
            raise unfit(f"{kind.__name__} expected")
        return plain

    def dump(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{kind.__name__} expected, not {value!r}")
        return value

    # A member of an enumeration where a str is declared (a key of a table, say) is saved as what it is equal to.
    return Codec(str.__str__ if kind is str else dump, load, fixed=True)


def _enum(kind: type[StrEnum]) -> Codec[Any]:
    members = {member.value: member for member in kind}

    def load(plain: Plain) -> StrEnum:
        member = members.get(plain) if type(plain) is str else None
        if member is None:
            raise unfit(f"no such {kind.__name__}")
        return member

    return Codec(lambda value: value.value, load, fixed=True)


def _record(cls: type) -> Codec[Any]:
    # The members are looked up at the first use: a dataclass may hold others of its own type.
    frozen = bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]

    def dump(value: Any) -> Plain:
        if type(value) is not cls:
            raise TypeError(f"{cls.__name__} expected, not {type(value).__name__}")
        out: dict[str, Plain] = {}
        for member in members(cls):
            held = getattr(value, member.name)
            if not member.left_out(held):
                out[member.name] = member.codec.dump(held)
        return out

    def load(plain: Plain) -> Any:
        if not isinstance(plain, dict):
            raise unfit(f"a map expected for {cls.__name__}")
        known = members(cls)
        given = {}
        for member in known:
            if member.name in plain:
                given[member.name] = member.codec.load(plain[member.name])
            elif member.default is MISSING:
                raise unfit(f"{cls.__name__} lacks {member.name}")
        if len(given) != len(plain):
            raise unfit(f"{cls.__name__} has unknown fields")
        return cls(**given)

    return Codec(dump, load, fixed=frozen)


def _union(args: tuple[Any, ...]) -> Codec[Any]:
    """None and scalars stand for themselves; of several dataclasses each is written as [kind, map]."""
    plain_args = [arg for arg in args if arg is not NoneType]
    records = [arg for arg in plain_args if isinstance(arg, type) and is_dataclass(arg)]
    optional = len(plain_args) < len(args)
    if len(plain_args) == 1:
        inner = codec(plain_args[0])
        return Codec(
            lambda value: None if value is None else inner.dump(value),
            lambda plain: None if plain is None else inner.load(plain),
            fixed=inner.fixed,
        )
    if not records:
        if any(arg not in _SCALARS for arg in plain_args):
            raise TypeError(f"a saved field cannot be one of {args}")
        allowed = (*plain_args, NoneType) if optional else tuple(plain_args)

        def dump_scalar(value: Any) -> Plain:
            if type(value) not in allowed:
                raise TypeError(f"{value!r} is of another type than declared")
            return cast(Plain, value)

        def load_scalar(plain: Plain) -> Any:
            if type(plain) not in allowed:
                raise unfit("a value of another type")
            return plain

        return Codec(dump_scalar, load_scalar, fixed=True)
    by_kind: dict[Any, Any] = {getattr(arg, "kind", None): arg for arg in records}
    if len(by_kind) != len(plain_args):
        raise TypeError(f"the kinds of {args} are not distinct dataclasses")

    def dump_one(value: Any) -> Plain:
        if value is None and optional:
            return None
        return [value.kind, codec(by_kind[value.kind]).dump(value)]

    def load_one(plain: Plain) -> Any:
        if plain is None and optional:
            return None
        if not isinstance(plain, list) or len(plain) != 2 or plain[0] not in by_kind:
            raise unfit("no known kind")
        return codec(by_kind[plain[0]]).load(plain[1])

    return Codec(dump_one, load_one, fixed=all(codec(arg).fixed for arg in records))


def _tuple(args: tuple[Any, ...]) -> Codec[Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        inner, scalar = codec(args[0]), {args[0]} if args[0] in _SCALARS else set[type]()
        get = inner.load

        def load_all(plain: Plain) -> tuple[Any, ...]:
            items = array(plain)
            return tuple(items if scalar.issuperset(map(type, items)) else [get(item) for item in items])

        return Codec(_dump_each(inner), load_all, fixed=inner.fixed)
    inners = tuple(codec(arg) for arg in args)

    def dump(value: tuple[Any, ...]) -> Plain:
        return [inner.dump(item) for inner, item in zip(inners, value, strict=True)]

    def load(plain: Plain) -> tuple[Any, ...]:
        items = array(plain)
        if len(items) != len(inners):
            raise unfit("an array of another length")
        return tuple([inner.load(item) for inner, item in zip(inners, items, strict=True)])

    return Codec(dump, load, fixed=all(inner.fixed for inner in inners))


def _row(cls: Any) -> Codec[Any]:
    """A NamedTuple, as an array of its fields."""
    inner = _tuple(tuple(get_type_hints(cls).values()))
    return Codec(inner.dump, lambda plain: cls(*inner.load(plain)), fixed=inner.fixed)


def _list(arg: Any) -> Codec[Any]:
    inner = codec(arg)
    get = inner.load
    return Codec(_dump_each(inner), lambda plain: [get(item) for item in array(plain)], fixed=False)


def _set(arg: Any) -> Codec[Any]:
    inner = codec(arg)

    def load(plain: Plain) -> set[Any]:
        items = [inner.load(item) for item in array(plain)]
        ascending(items)
        return set(items)

    return Codec(lambda value: [inner.dump(item) for item in sorted(value)], load, fixed=False)


def _dict(args: tuple[Any, ...]) -> Codec[Any]:
    """Pairs in the order of insertion, which a game may rely on and which loading therefore keeps."""
    keys, values = codec(args[0]), codec(args[1])

    def load(plain: Plain) -> dict[Any, Any]:
        pairs = [pair(item) for item in array(plain)]
        out = {keys.load(key): values.load(value) for key, value in pairs}
        if len(out) != len(pairs):
            raise unfit("a key stands twice")
        return out

    return Codec(
        lambda table: [[keys.dump(key), values.dump(value)] for key, value in table.items()], load, fixed=False
    )


def _dump_each(inner: Codec[Any]) -> Callable[[Any], Plain]:
    put = inner.dump
    return lambda value: [put(item) for item in value]


def array(plain: Plain) -> list[Plain]:
    if not isinstance(plain, list):
        raise unfit("an array expected")
    return plain


def pair(plain: Plain) -> list[Plain]:
    if not isinstance(plain, list) or len(plain) != 2:
        raise unfit("a pair expected")
    return plain


def ascending(keys: list[Any]) -> None:
    if any(low >= high for low, high in pairwise(keys)):
        raise unfit("the keys are not ascending")
