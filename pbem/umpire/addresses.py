"""Keeps mail addresses out of everything published, wherever they stand: in a name, a reason, a remark."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any, Final

from pbem.protocol.card import parse_card
from pbem.umpire.db.deskrows import EntrantRow

HIDDEN: Final = "(address)"
_LOCAL: Final = frozenset(".+%=~-")
_DOMAIN: Final = re.compile(r"\w[\w-]*(?:\.[\w-]+)*\.\w{2,}")


def addresses(entrants: Iterable[EntrantRow]) -> list[str]:
    return [parse_card(each.card).email for each in entrants]


class Hide:
    """Takes out the addresses that are known, in any case, and whatever looks like one; from markup as well as from
    plain text. A word without @ is none."""

    def __init__(self, addresses: Iterable[str]) -> None:
        known = {each.casefold() for each in addresses if "@" in each}
        self._known = sorted(known | {escape(each) for each in known}, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        if "@" not in text:
            return text
        at = text.find("@")
        while at >= 0:
            begin, end = self._around(text, at)
            if begin < end:
                text = f"{text[:begin]}{HIDDEN}{text[end:]}"
                at = begin + len(HIDDEN) - 1
            at = text.find("@", at + 1)
        return text

    def _around(self, text: str, at: int) -> tuple[int, int]:
        """From where to where the address with this @ reaches: one that is known, or what looks like one."""
        for known in self._known:
            begin = at - known.rindex("@")
            if begin >= 0 and text[begin : begin + len(known)].casefold() == known:
                return begin, begin + len(known)
        found = _DOMAIN.match(text, at + 1)
        begin = at
        while begin and _local(text[begin - 1]):
            begin -= 1
        return (begin, found.end()) if found is not None and begin < at else (at, at)

    def all(self, value: Any) -> Any:
        """In every text of plain data, and of named tuples of such; keys stay."""
        match value:
            case str():
                return self(value)
            case tuple() if hasattr(value, "_fields"):
                return type(value)(*map(self.all, value))
            case list() | tuple():
                return [self.all(each) for each in value]
            case dict():
                return {key: self.all(each) for key, each in value.items()}
        return value


def _local(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or sign in _LOCAL
