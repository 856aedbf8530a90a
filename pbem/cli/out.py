"""What the commands print. Every line passes through here, so nothing unescaped reaches a terminal.

A command prints its text here and returns its answer. When the answer is printed as JSON, or a file goes to standard
output, the text must go elsewhere; `speaking` decides where.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from pbem.cli.terminal import clean_lines, table

_FIRST = 2.0
"""Seconds before anything is shown of how far something has come."""
_STYLES = {"": "", "bold": "1", "dim": "2", "good": "32", "bad": "31", "wait": "33"}


Where = Literal["out", "aside", "nowhere"]
_where: list[Where] = ["out"]


@contextmanager
def speaking(where: Where) -> Iterator[None]:
    """Text goes to standard output (`out`), to standard error (`aside`), or is left out (`nowhere`)."""
    _where.append(where)
    try:
        yield
    finally:
        _where.pop()


def is_muted() -> bool:
    """The answer is printed as JSON: there is nobody to talk with."""
    return _where[-1] == "nowhere"


@contextmanager
def before_asking() -> Iterator[None]:
    """What a question is about is shown in any case."""
    with speaking("aside" if _where[-1] == "nowhere" else _where[-1]):
        yield


def _coloured(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _write(stream: TextIO, text: str, style: str) -> None:
    text = clean_lines(text)
    if style and _coloured(stream):
        text = f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def say(text: str = "", *, style: str = "") -> None:
    """A line, or lines, of what a command tells."""
    if _where[-1] != "nowhere":
        _write(sys.stdout if _where[-1] == "out" else sys.stderr, text, style)


def note(text: str, *, style: str = "") -> None:
    """A line to standard error: progress, hints and refusals, which no script reads."""
    if _where[-1] == "nowhere":
        return
    sys.stdout.flush()
    _write(sys.stderr, text, style)
    sys.stderr.flush()


class Progress:
    """Called for each step of something that may take long: a terminal is shown how many there were, once a second."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._count = 0
        self._next = time.monotonic() + _FIRST
        self._shown = False
        self._seen = sys.stderr.isatty()

    def __call__(self) -> None:
        self._count += 1
        if self._seen and self._count % 16 == 0 and (now := time.monotonic()) >= self._next:
            self._next, self._shown = now + 1, True
            sys.stderr.write(f"\r{self._count:,} {self._what} ...")
            sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def say_table(rows: Iterable[Sequence[str]], *, indent: str = "") -> None:
    for line in table(rows, indent=indent):
        say(line)


def say_json(value: Any) -> None:
    """One JSON document, keys sorted, pure ASCII: the same bytes for the same answer, on every terminal."""
    import json

    sys.stdout.write(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n")
