"""What a game shows and says, loaded when it is first wanted: nothing that is replayed needs it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


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


def later(name: str) -> Any:
    """`package.module:name`, not loaded yet: for what a game shows and says, from its notation to its audit.

    Not for bots, which are asked what they can do: a bot loads what it thinks with in its own methods.
    """
    return _Later(name)


def loader(name: str) -> Callable[[], Any]:
    """A function that gives `package.module:name` itself: for a game's pictures."""

    def load() -> Any:
        module, _, found = name.partition(":")
        return getattr(import_module(module), found)

    return load
