"""Text for a terminal: escaping of what came from outside, alignment by display width, wrapping."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

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


def plural(count: int, one: str, many: str = "") -> str:
    """`1 record`, `1,204 records`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def size_of(count: int) -> str:
    """A number of bytes for people."""
    if count < 10_000:
        return f"{count:,} bytes"
    if count < 10_000_000:
        return f"{count / 1024:,.1f} KiB"
    return f"{count / 1024 / 1024:,.1f} MiB"
