"""When the questions of a game were delivered.

A debt counts from when the umpire's own mail that asks for it was accepted by the way out (a server's 250, a command's
exit 0, a file that was written), or from when a record of the player's came that cites the position, if that was
earlier. A mail that came back was not delivered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.mail.queue import Delivery, Entry
from pbem.protocol.card import Card
from pbem.table.facts import Question, covers
from pbem.table.naming import full_name
from pbem.umpire.mailing import Mail

Known = tuple[tuple[Delivery, ...], tuple[str, ...]]


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

    def known(self) -> Known:
        """Changes when another mail was delivered, waits or came back."""
        return tuple(self._deliveries), tuple(self._why_not(card) for card in self.cards.values())

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
        said = self.mail.came_back(self.of, card)
        return f"the mail came back: {said}" if said else ""

    def _waiting(self, card: Card) -> Entry | None:
        return self.mail.waiting_for(self.of, card)

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
