"""Values: what `dataclass(frozen=True, slots=True)` makes, in a tenth of the time.

A start of pbem makes some hundred and fifty of these classes, and most never get an object. For each, dataclasses
compiles eight functions; here only `__init__` is compiled, when the first object is made, and the others are the same
code for all classes. To `dataclasses.fields`, `replace` and `is_dataclass` a value is a dataclass; a dataclass may
derive from a value, and a value from a frozen dataclass. Of `field(...)` it knows `default`, `default_factory`, `init`,
`repr`, `compare` and `metadata`. `mutable` is the same for `dataclass(slots=True)`, and `light` is for values that a
replay makes by the thousand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@dataclass(frozen=True, init=False, repr=False, eq=False, match_args=False)
class _Model:
    """What `dataclasses` itself makes of a field."""

    field: int


@dataclass(init=False, repr=False, eq=False, match_args=False)
class _MutableModel:
    """The same of objects that change."""


_FIELD: Any = fields(_Model)[0]
_PARAMS: dict[bool, Any] = {
    frozen: getattr(model, "__dataclass_params__")  # noqa: B009 - typeshed does not know it
    for frozen, model in ((True, _Model), (False, _MutableModel))
}


@overload
def value(cls: type[T], /) -> type[T]: ...
@overload
def value(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Decorates a class whose annotations are its fields."""
    return _made(cls, kw_only) if cls is not None else lambda cls: _made(cls, kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def light(cls: type[T], /) -> type[T]:
    """A value that the type checker alone keeps from being changed.

    An object that refuses at run time to be changed has to be filled around its own refusal, which takes ten times as
    long: in a replay of units and orders that was a large part of everything.
    """
    made: type[T] = _made(cls, kw_only=False, guarded=False)
    return made


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[T], /) -> type[T]:
    """The same for objects that change."""
    made: type[T] = _made(cls, kw_only=False, frozen=False, guarded=False)
    return made


def _made(cls: Any, kw_only: bool, frozen: bool = True, guarded: bool = True) -> Any:
    body = {name: each for name, each in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    known: dict[str, Field[Any]] = {}
    for base in cls.__mro__[:0:-1]:
        known.update(getattr(base, "__dataclass_fields__", {}))
    own = [name for name, hint in cls.__annotations__.items() if not str(hint).startswith("ClassVar")]
    for name in own:
        given = body.pop(name, MISSING)
        each: Any = given if isinstance(given, Field) else field(default=given)
        each.name, each.type, each.kw_only = name, cls.__annotations__[name], kw_only
        each._field_type = _FIELD._field_type
        known[name] = each
        if getattr(each.default, "__hash__", None) is None:
            raise TypeError(f"the default of {cls.__name__}.{name} could be changed")
    body["__slots__"] = tuple(own)
    body["__dataclass_fields__"] = known
    body["__dataclass_params__"] = _PARAMS[frozen]
    body["__signature__"] = _SIGNATURE
    body["__match_args__"] = tuple([name for name, each in known.items() if each.init and not each.kw_only])
    if guarded:
        body["__setattr__"] = _set
        body["__delattr__"] = _delete
    for name, shared in _shared(known.values(), frozen).items():
        if name not in body or (name == "__hash__" and body[name] is None):
            body[name] = shared
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__

    def first(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _init(made, known, guarded)
        made.__init__(self, *args, **named)

    made.__init__ = first
    return made


class _Signature:
    """What `help` shows of a value: its fields, though nothing is compiled yet."""

    def __get__(self, _: Any, cls: Any) -> Any:
        from inspect import Parameter, Signature

        owner = next(base for base in cls.__mro__ if "__init__" in base.__dict__)
        if "__dataclass_fields__" not in owner.__dict__:
            raise AttributeError("a class with an __init__ of its own has that signature")
        parameters = []
        for each in owner.__dataclass_fields__.values():
            if each.init and each._field_type is _FIELD._field_type:
                default = Parameter.empty if each.default is MISSING else each.default
                if each.default_factory is not MISSING:
                    default = getattr(dataclasses, "_HAS_DEFAULT_FACTORY")  # noqa: B009 - as above
                kind = Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD
                parameters.append(Parameter(each.name, kind, default=default, annotation=each.type))
        return Signature(sorted(parameters, key=lambda parameter: parameter.kind))


_SIGNATURE = _Signature()


def _init(cls: Any, known: dict[str, Field[Any]], guarded: bool) -> Any:
    """The only function that is written for the class: its fields are its parameters."""
    space: dict[str, Any] = {}
    plain: list[str] = []
    by_name: list[str] = []
    lines = ["pass"]
    for name, each in known.items():
        if not each.init:
            continue
        parameter, given = name, name
        if each.default_factory is not MISSING:
            space[f"default_{name}"], space[f"make_{name}"] = MISSING, each.default_factory
            parameter, given = f"{name}=default_{name}", f"make_{name}() if {name} is default_{name} else {name}"
        elif each.default is not MISSING:
            space[f"default_{name}"] = each.default
            parameter = f"{name}=default_{name}"
        if guarded:
            space[f"set_{name}"] = getattr(cls, name).__set__
        lines.append(f"set_{name}(self, {given})" if guarded else f"self.{name} = {given}")
        (by_name if each.kw_only else plain).append(parameter)
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *plain, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines), space)  # noqa: S102 - names of fields only
    init = space["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _set(_: Any, name: str, __: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shared(known: Iterable[Field[Any]], frozen: bool) -> dict[str, Any]:
    """Equality, hash, text and, where nothing can be set, copies of a class with these fields."""
    names = [each.name for each in known]
    told = [each.name for each in known if each.repr]
    compared = [each.name for each in known if each.compare]
    get = attrgetter(*compared) if compared else _nothing

    def equal(self: Any, other: Any) -> Any:
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(get(self))

    def shown(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in told)})"

    def kept(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restored(self: Any, state: list[Any]) -> None:
        for name, each in zip(names, state, strict=True):
            object.__setattr__(self, name, each)

    if not frozen:
        return {"__eq__": equal, "__hash__": None, "__repr__": shown}
    return {"__eq__": equal, "__hash__": hashed, "__repr__": shown, "__getstate__": kept, "__setstate__": restored}


def _nothing(_: Any) -> tuple[()]:
    return ()
