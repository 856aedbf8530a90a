"""What the commands print. Every line passes through here, so nothing unescaped reaches a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from pbem.cli.text import clean_lines, table

_STYLES = {"": "", "bold": "1", "dim": "2", "good": "32", "bad": "31", "wait": "33"}


def _coloured(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _write(stream: TextIO, text: str, style: str) -> None:
    text = clean_lines(text)
    if style and _coloured(stream):
        text = f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def say(text: str = "", *, style: str = "") -> None:
    """A line, or lines, to standard output."""
    _write(sys.stdout, text, style)


def note(text: str, *, style: str = "") -> None:
    """A line to standard error: progress, hints and refusals, which no script reads."""
    sys.stdout.flush()
    _write(sys.stderr, text, style)
    sys.stderr.flush()


def say_table(rows: Iterable[Sequence[str]], *, indent: str = "") -> None:
    for line in table(rows, indent=indent):
        say(line)


def say_json(value: Any) -> None:
    """One JSON document, keys sorted, pure ASCII: the same bytes for the same answer, on every terminal."""
    import json

    sys.stdout.write(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n")
