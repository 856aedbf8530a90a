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


class ByChart:
    """Stands for what `by_chart` was given, in a game: it knows the chart of that game's data."""

    __slots__ = ("_chart", "_given", "_made")

    def __init__(self, given: Callable[..., Any], chart: Callable[[], Any] | None = None) -> None:
        self._given = given
        self._chart = chart
        self._made: Any = None

    def of(self, chart: Callable[[], Any]) -> ByChart:
        """The same in another game, or with other data."""
        return ByChart(self._given, chart)

    def __call__(self, *args: Any) -> Any:
        if self._chart is None:
            raise TypeError("what is said by chart belongs into a Game")
        return self._given(self._chart(), *args)

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self()
        return getattr(self._made, name)


def later(name: str) -> Any:
    """`package.module:name`, not loaded yet: for what a game shows and says, from its notation to its odds.

    Not for bots, which are asked what they can do: a bot loads what it thinks with in its own methods.
    """
    return _Later(name)


def by_chart(given: str | Callable[..., Any]) -> Any:
    """A function that gets the chart of the game's own data before anything else, named or as `package.module:name`.

    For a game's `notation` (`notation_of(chart)` makes it, once), `report`, `story`, `shorthand` and `longhand`
    (`report(chart, event)`): so maps and cards that the players have brought are read and told rightly.
    """
    return ByChart(_Later(given) if isinstance(given, str) else given)


def loader(name: str) -> Callable[[], Any]:
    """A function that gives `package.module:name` itself: for a game's pictures."""

    def load() -> Any:
        module, _, found = name.partition(":")
        return getattr(import_module(module), found)

    return load
