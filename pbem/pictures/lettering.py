"""The width of text, for fonts that we do not know: a little too wide for most, so that nothing ever overlaps."""

from __future__ import annotations

_NARROW = frozenset("ijlI.,:;'|!()[]/ ")
_WIDE = frozenset("mwMW@%")

# Thousandths of the font size.
_ADVANCE = {chr(code): 620 for code in range(32, 127)}
_ADVANCE.update(dict.fromkeys(_NARROW, 350))
_ADVANCE.update(dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 700))
_ADVANCE.update(dict.fromkeys(_WIDE, 940))


BOLDER = 108  # hundredths


def width(text: str, size: int, *, bold: bool = False) -> int:
    wide = sum(_ADVANCE.get(c, 700) for c in text) * size // 1000
    return wide * BOLDER // 100 if bold else wide


def fit(text: str, size: int, room: int, least: int = 6) -> int:
    """The largest size up to `size` at which the text fits."""
    wide = width(text, size)
    return size if wide <= room else max(least, size * room // wide)


def wrap(text: str, size: int, room: int) -> list[str]:
    """Lines of whole words; a word that is too long stands alone."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def cut(text: str, size: int, room: int) -> str:
    """As much as fits, with an ellipsis."""
    if width(text, size) <= room:
        return text
    while text and width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
