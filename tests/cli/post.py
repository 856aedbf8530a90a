"""A post office between homes: it delays, repeats, reorders and mangles what it carries, repeatably."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

Mangler = Callable[[str], str]


def quoted(text: str) -> str:
    """A reply that quotes the mail, twice."""
    return "On Monday somebody wrote:\n" + "\n".join(f"> > {line}" for line in text.splitlines()) + "\nSee you!\n"


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def rewrapped(text: str) -> str:
    """The lines broken anew at another width, as mail programs do."""
    begin, end = "-----BEGIN PBEM FILE-----", "-----END PBEM FILE-----"
    head, _, rest = text.partition(begin)
    body, _, tail = rest.partition(end)
    narrow = "\n".join(textwrap.wrap("".join(body.split()), 41))
    return f"{head}{begin}\n{narrow}\n{end}{tail}"


def blank_lines(text: str) -> str:
    return "\n\n".join(text.splitlines()) + "\n"


def indented(text: str) -> str:
    return "Hello,\n\nhere is my turn.\n\n" + textwrap.indent(text, "    ") + "\n-- \nsent from a telephone\n"


def quoted_printable(text: str) -> str:
    """As a mail program that encodes what it should not: soft breaks and =3D."""
    import quopri

    return quopri.encodestring(text.encode()).decode("ascii")


MANGLERS: tuple[Mangler, ...] = (str, quoted, crlf, rewrapped, blank_lines, indented, quoted_printable)


@dataclass
class PostOffice:
    """Mails wait here until `deliver` hands some of them over."""

    seed: int
    delay: float = 0.3
    repeat: float = 0.2
    mangle: bool = True
    waiting: list[tuple[str, str]] = field(default_factory=list)
    old: list[tuple[str, str]] = field(default_factory=list)
    carried: int = 0

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)

    def post(self, to: str, text: str) -> None:
        self.waiting.append((to, text))

    def deliver(self) -> list[tuple[str, str]]:
        """Some of the mails, in any order, some twice, some again that came long ago; never none when some wait."""
        self.dice.shuffle(self.waiting)
        now = [mail for mail in self.waiting if self.dice.random() >= self.delay] or self.waiting[:1]
        for mail in now:
            self.waiting.remove(mail)
        again = [mail for mail in now if self.dice.random() < self.repeat]
        stale = [self.dice.choice(self.old)] if self.old and self.dice.random() < self.repeat else []
        self.old.extend(now)
        carried = [*now, *again, *stale]
        self.dice.shuffle(carried)
        self.carried += len(carried)
        return [(to, self._mangled(text)) for to, text in carried]

    def _mangled(self, text: str) -> str:
        return self.dice.choice(MANGLERS)(text) if self.mangle else text
