"""The characters that a text from outside may hold (ENC-9).

Fixed ranges instead of Unicode properties: those differ between versions of Python.
"""

from __future__ import annotations

import re

from pbem.protocol.errors import Refusal

# Whatever cannot be seen, moves what can, or breaks a line: the list of ENC-9, in its order.
_UNSEEN = (
    "0000-001F 007F-009F 00AD 034F 061C 070F 115F-1160 17B4-17B5 180B-180F 200B 200E-200F 2028-202E 2060-206F 2800 "
    "3164 FDD0-FDEF FE00-FE0F FEFF FFA0 FFF0-FFFF 13430-13455 16FE4 1BCA0-1BCA3 1D159 1D173-1D17A "
    "1FFFE-1FFFF 2FFFE-2FFFF 3FFFE-3FFFF 4FFFE-4FFFF 5FFFE-5FFFF 6FFFE-6FFFF 7FFFE-7FFFF 8FFFE-8FFFF 9FFFE-9FFFF "
    "AFFFE-AFFFF BFFFE-BFFFF CFFFE-CFFFF DFFFE-DFFFF E0000-E0FFF EFFFE-EFFFF FFFFE-FFFFF 10FFFE-10FFFF"
)
# What may stand between words or letters, and would not be seen at an end.
_BLANK = "0020 00A0 1680 2000-200A 200C-200D 202F 205F 3000"


def _any_of(ranges: str) -> str:
    """A class of a regular expression."""
    pairs = (each.partition("-") for each in ranges.split())
    return "".join(f"\\U{int(low, 16):08x}-\\U{int(high or low, 16):08x}" for low, _, high in pairs)


_BAD = re.compile(f"[{_any_of(_UNSEEN)}]")
_ENDS = re.compile(f"^[{_any_of(_BLANK)}]|[{_any_of(_BLANK)}]$")
_OUTER = re.compile(f"^[{_any_of(_BLANK)}]+|[{_any_of(_BLANK)}]+$")
_SELECTORS = re.compile("[\ufe00-\ufe0f]")


def plain_signs(text: str) -> str:
    """Without what keyboards put behind a sign to have it drawn in colours: one's own text, before it is sealed."""
    return _SELECTORS.sub("", text)


def printable(text: str) -> str:
    """With a question mark for each character that cannot be printed: text of others in our own sentences."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "?" for sign in text)


def fit_line(text: str, most: int) -> str:
    """At most so many characters, as `check_line` takes them; empty when nothing is left."""
    return _OUTER.sub("", _OUTER.sub("", _BAD.sub(" ", text))[:most])


def fit_lines(text: str, most: int) -> str:
    """At most so many characters, as `check_lines` takes them."""
    return "\n".join(_BAD.sub(" ", line) for line in text.split("\n"))[:most]


def check_line(text: str, low: int, high: int, what: str, step: str) -> None:
    """One visible line of `low` to `high` characters."""
    if not low <= len(text) <= high:
        raise Refusal("E-TEXT", f"{what} has {len(text)} characters; {low} to {high} are allowed.", step=step)
    if _ENDS.search(text):
        raise Refusal("E-TEXT", f"{what} begins or ends with a space, or with a sign that joins letters.", step=step)
    _check(text, what, step)


def check_lines(text: str, high: int, what: str, step: str) -> None:
    """Several visible lines, at most `high` characters in all; line ends are U+000A."""
    if len(text) > high:
        raise Refusal("E-TEXT", f"{what} has {len(text)} characters; at most {high} are allowed.", step=step)
    _check(text.replace("\n", ""), what, step)


def _check(text: str, what: str, step: str) -> None:
    bad = _BAD.search(text)
    if bad:
        raise Refusal("E-TEXT", f"{what} holds the invisible or control character U+{ord(bad[0]):04X}.", step=step)
