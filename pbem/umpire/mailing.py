"""The mail of the umpire's home, as the keeper uses it, and when the questions of a game were delivered.

A debt counts from the moment when the umpire's own mail that asks for it was accepted (a server's 250, a command's exit
0, a file that was written), or when a record of the player that cites the position arrived, whichever is earlier. A
mail that came back was not delivered.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from pbem.home import Home, intake
from pbem.home.describe import full_name
from pbem.home.outbox import Delivery, Letter, Outbox
from pbem.mail.account import Account, MailFault, Round
from pbem.mail.mailstate import MailState, News
from pbem.mail.post import Pages, remind
from pbem.mail.sync import Sync, came, no_pages
from pbem.protocol.card import Card
from pbem.umpire.facts import Question, covers

MOST_AN_HOUR: Final = 20_000
"""Automatic mails of a desk. Ten thousand games that begin together need that many; a loop of two programs, which is
what a bound guards against, is stopped by the bounds of its own (pbem/mail/post.py)."""


class Mail(Protocol):
    outbox: Outbox
    """Of the umpire's home."""

    def fetch(self) -> Round:
        """What came is opened, and what the program owes is made and sent."""

    def send(self) -> Round:
        """What lies in the outbox goes."""

    def deliveries(self, of: bytes) -> Sequence[Delivery]:
        """The mails of a game, by the id of its offer, that a way out accepted and that did not come back, oldest
        first."""

    def held(self) -> tuple[int, int, str]:
        """How many mails wait that should have left, since when, and why."""

    def remind(self, by: bytes, of: bytes, to: Sequence[Card], since: int, count: int) -> str:
        """The `count`-th reminder about what waits for these people since then; how it went.

        An identity of the home sends it, with the last file of the game.
        """

    def wait(self, seconds: float) -> bool:
        """Up to so long until mail has probably come, or something new lies in the outbox."""

    def news(self) -> Sequence[News]:
        """What the mail brought and nobody has been told yet."""

    def told(self) -> None:
        """All of it has been told."""


class ByHand:
    """No mailbox: somebody carries the files of the outbox, and opens what comes."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.outbox = home.outbox

    def fetch(self) -> Round:
        done = Round()
        for game, why in intake.settle_all(self._home).items():
            done.faults.append(MailFault(game, why.code, why.sentence))
        return done

    def send(self) -> Round:
        return Round()

    def deliveries(self, of: bytes) -> Sequence[Delivery]:
        """A file in the outbox is in the hands of the person who carries it."""
        found = [
            Delivery(to, letter.at, f"put into the outbox as {letter.name}", letter.holds)
            for letter in self.outbox.of_game(of)
            for to in letter.to
        ]
        return sorted(found, key=lambda each: each.at)

    def held(self) -> tuple[int, int, str]:
        return 0, 0, ""

    def remind(self, by: bytes, of: bytes, to: Sequence[Card], since: int, count: int) -> str:  # noqa: ARG002 - of the protocol
        return "no mail is set up: remind them yourself"

    def wait(self, seconds: float) -> bool:
        time.sleep(seconds)
        return False

    def news(self) -> Sequence[News]:
        return ()

    def told(self) -> None:
        """There was none."""


@dataclass
class Mailbox:
    """The accounts of the home, under `state.handling()`."""

    home: Home
    state: MailState
    accounts: Sequence[Account]
    pages: Pages = no_pages

    def __post_init__(self) -> None:
        self.outbox = self.home.outbox
        self._sync = Sync(self.home, self.state, self.accounts, self.pages, most=MOST_AN_HOUR)
        self._letters: dict[bytes, dict[bytes, Letter]] = {}
        self._written = 0

    def fetch(self) -> Round:
        self._letters.clear()
        return self._sync.round()

    def send(self) -> Round:
        self._letters.clear()
        self._written = self.outbox.stamp()
        return self._sync.round(fetch=False)

    def remind(self, by: bytes, of: bytes, to: Sequence[Card], since: int, count: int) -> str:
        account = next((each for each in self.accounts if each.person.identity == by), None)
        account = account or next(iter(self.accounts), None)
        if account is None:
            return "no mail is set up: remind them yourself"
        if by not in self._letters:
            self._letters[by] = self.outbox.newest(account.person.identity)
        held = self._letters[by]
        letter = held.get(of)
        people = [full_name(card) for card in to if card.email]
        if letter is None or not people:
            return "there is no file to send again, or no address: remind them yourself"
        done = remind(self.home, account, self._sync.post, letter, people, since, count)
        return "written" if done else "there is no file to send again: remind them yourself"

    def deliveries(self, of: bytes) -> Sequence[Delivery]:
        return self.outbox.deliveries(of)

    def held(self) -> tuple[int, int, str]:
        waiting = self.outbox.queued()
        why = next((entry.why for entry in waiting if entry.why), "") or f"more than {MOST_AN_HOUR:,} in an hour"
        if any(not account.outs for account in self.accounts):
            why = "no way to send mail is set up (pbem mail setup)"
        return len(waiting), min((entry.made for entry in waiting), default=0), why if waiting else ""

    def wait(self, seconds: float) -> bool:
        """At the mailboxes that tell by themselves (IMAP IDLE); else asleep."""
        if came(self.accounts, seconds):
            return True
        return self.outbox.stamp() != self._written

    def news(self) -> Sequence[News]:
        return self.state.news()

    def told(self) -> None:
        self.state.clear_news()

    def close(self) -> None:
        self._sync.close()


@dataclass
class Asking:
    """The mails of one pairing: `of` is the id of its offer, `cards` those of its entrants."""

    mail: Mail
    of: bytes
    cards: Mapping[int, Card]
    _found: list[Delivery] | None = field(default=None, init=False)

    @property
    def _deliveries(self) -> list[Delivery]:
        if self._found is None:
            self._found = list(self.mail.deliveries(self.of))
        return self._found

    def marks(self) -> tuple[int, ...]:
        """Changes when another mail was delivered, waits or came back."""
        return self.mail.outbox.marks(self.of)

    def asked(self, entrant: int, question: Question) -> tuple[int, str]:
        """When and how this question was delivered; 0 and why not, where nothing shows that it was."""
        card = self.cards[entrant]
        found = [each for each in self._deliveries if _is_to(card, each.to) and covers(each.holds, question.position)]
        first = min(found, key=lambda each: each.at, default=None)
        if question.cited_at and (first is None or question.cited_at < first.at):
            return max(question.cited_at, question.arose_at), "their own record cites the position"
        if first is not None:
            return max(first.at, question.arose_at), first.said
        return 0, self._why_not(card) or ("no mail address is known" if question.position and not card.email else "")

    def _why_not(self, card: Card) -> str:
        entry = self._waiting(card)
        if entry is not None:
            return f"the mail waits{f': {entry.why}' if entry.why else ''}"
        said = self.mail.outbox.last_report(self.of, card.email)
        return f"the mail came back: {said}" if said else ""

    def _waiting(self, card: Card) -> Letter | None:
        return self.mail.outbox.waits_for(self.of, card.email)

    def brings(self, by: int, question: Question) -> bool:
        """The question was delivered, or a mail that brings it waits."""
        entrant = list(self.cards)[by]
        if question.cited_at or self.asked(entrant, question)[0]:
            return True
        entry = self._waiting(self.cards[entrant])
        return entry is not None and covers(entry.holds, question.position)

    def waits(self) -> frozenset[int]:
        """The entrants for whom a mail waits."""
        return frozenset(entrant for entrant, card in self.cards.items() if self._waiting(card) is not None)


def _is_to(card: Card, to: str) -> bool:
    return to in (card.email, full_name(card))
