"""Nobody's address is published, wherever it stands: in a name, in a reason, in a remark."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

HIDDEN: Final = "(address)"
_LIKE: Final = re.compile(r"[\w.+%=~-]*\w@\w[\w-]*(?:\.[\w-]+)*\.\w{2,}")
"""What looks like an address, whoever's it is."""


class Hide:
    """Takes out the addresses that are known, in any case, and whatever looks like one. A word without @ is none."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._known = sorted({each.casefold() for each in addresses if "@" in each}, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        if "@" not in text:
            return text
        at = text.find("@")
        while at >= 0:
            for known in self._known:
                begin = at - known.rindex("@")
                if begin >= 0 and text[begin : begin + len(known)].casefold() == known:
                    text = f"{text[:begin]}{HIDDEN}{text[begin + len(known) :]}"
                    at = begin + len(HIDDEN) - 1
                    break
            at = text.find("@", at + 1)
        return _LIKE.sub(HIDDEN, text)

    def all(self, value: Any) -> Any:
        """In every text of plain data; keys stay."""
        match value:
            case str():
                return self(value)
            case list() | tuple():
                return [self.all(each) for each in value]
            case dict():
                return {key: self.all(each) for key, each in value.items()}
        return value
