"""The output of commands. Every line passes through here, so nothing unescaped reaches a terminal: text from outside is
escaped, and columns are aligned by display width.

A command prints its text here and returns its answer. When the answer is printed as JSON, or a file goes to standard
output, the text must go elsewhere; `speaking` decides where.
"""

from __future__ import annotations

import os
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TextIO

# Controls, formats (bidirectional overrides, zero-width), surrogates, private use, line and paragraph separators.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def clean(text: str, limit: int = 0) -> str:
    """`text` as one harmless line: whatever could move the cursor, hide or reorder text is shown as an escape.

    `limit` > 0 cuts to that many characters, with a mark that something was cut.
    """
    if limit and len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(char: str) -> str:
    if char.isprintable() and unicodedata.category(char) not in _HIDDEN:
        return char
    point = ord(char)
    if char in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char]
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def clean_lines(text: str) -> str:
    """Like `clean`, but the line breaks of our own layout stay."""
    return "\n".join(clean(line) for line in text.split("\n"))


def width(text: str) -> int:
    """The columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))


def table(rows: Iterable[Sequence[str]], *, indent: str = "") -> list[str]:
    """Rows with aligned columns; every cell is cleaned; the last column is not padded."""
    cells = [[clean(cell) for cell in row] for row in rows]
    if not cells:
        return []
    count = max(len(row) for row in cells)
    sizes = [max((width(row[n]) for row in cells if n < len(row)), default=0) for n in range(count)]
    lines = []
    for row in cells:
        line = "  ".join(pad(cell, sizes[n]) if n < len(row) - 1 else cell for n, cell in enumerate(row))
        lines.append((indent + line).rstrip())
    return lines


def fold(text: str, columns: int = 100, *, indent: str = "") -> list[str]:
    """`text` cleaned and broken at words."""
    from textwrap import wrap

    return wrap(clean(text), columns, initial_indent=indent, subsequent_indent=indent) or [indent.rstrip()]


def size_of(count: int) -> str:
    """A number of bytes for people."""
    if count < 10_000:
        return f"{count:,} bytes"
    if count < 10_000_000:
        return f"{count / 1024:,.1f} KiB"
    return f"{count / 1024 / 1024:,.1f} MiB"


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
