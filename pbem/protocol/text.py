"""Which characters a text from outside may hold (ENC-9).

Fixed ranges instead of Unicode properties: those differ between versions of Python.
"""

from __future__ import annotations

import re

from pbem.protocol.errors import Refusal

# Controls, bidirectional marks and overrides, invisible or line-breaking characters, non-characters, tags.
_BAD = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)


def check_line(text: str, low: int, high: int, what: str, step: str) -> None:
    """One visible line of `low` to `high` characters."""
    if not low <= len(text) <= high:
        raise Refusal("E-TEXT", f"{what} has {len(text)} characters; {low} to {high} are allowed.", step=step)
    if text.strip(" ") != text:
        raise Refusal("E-TEXT", f"{what} begins or ends with a space.", step=step)
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
