"""Obligations: everything that a player owes before a game can go on, each with a plain sentence for the status
line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.engine.counts import all_of

Item = tuple[str | int | bytes, ...]
"""One thing owed: `("nonce", player)`, `("orders", seat)`, `("dice", orders id)`, `("open", slot)`,
`("answer", label, seat)`, `("pass", deck, epoch, stage)`, `("slot", slot, player)`, `("deal", deck, epoch)`,
`("give", slot, seat)`, `("show", slot)`."""

JOIN, NONCE, ORDERS, REVEAL, RELEASE = "join", "nonce", "orders", "reveal", "release"
ANSWER, END, OPEN_ALL = "answer", "end", "open_all"

KIND_OF_ITEM = {
    "nonce": NONCE,
    "orders": ORDERS,
    "dice": REVEAL,
    "open": REVEAL,
    "answer": REVEAL,
    "pass": RELEASE,
    "slot": RELEASE,
    "deal": RELEASE,
    "give": RELEASE,
    "show": RELEASE,
}

OWES = {
    JOIN: "an answer to the offer",
    "start": "the start",
    NONCE: "the number for the first dice",
    ORDERS: "orders",
    REVEAL: "a reveal",
    RELEASE: "cards",
    ANSWER: "an answer to a proposal",
    END: "the signature of the result",
    OPEN_ALL: "the opening of all secrets",
}
"""What is owed, as verdicts, replays and umpire's pages call it."""

_SENTENCES = {
    JOIN: "has to join",
    NONCE: "has to supply its part of the first dice",
    REVEAL: "has to reveal {things}",
    RELEASE: "has to supply {things}",
    END: "has to sign the result",
    OPEN_ALL: "has to reveal all secrets for the audit",
}
ANSWERS = {
    "takeback": "has not answered the proposal to go back",
    "tie": "has not answered the offer of a draw",
    "migrate": "has not answered the proposal of newer rules",
}
"""What somebody owes who has been asked for a yes or no, by the command with which it is given."""
THINGS = {
    "nonce": "a part of the first dice",
    "dice": "dice",
    "open": "a sealed choice",
    "answer": "an answer from sealed standing orders",
    "pass": "a shuffle",
    "deal": "a deal",
    "slot": "the key to a card",
    "give": "a card",
    "show": "a card to show",
}


@dataclass(frozen=True, slots=True)
class Obligation:
    """Something that player `by` owes. `what` is one of join, nonce, orders, reveal, release, answer, end, open_all.

    `seats` are their seats that are asked, `label` the decision or what a proposal is about, `items` the single
    things, `automatic` whether their program does it without asking. `answer` is a person's yes or no to a proposal,
    of which `items` holds the id.
    """

    by: int
    what: str
    seats: tuple[str, ...] = ()
    label: str = ""
    items: tuple[Item, ...] = ()
    automatic: bool = True

    def sentence(self, name: Callable[[int], str]) -> str:
        """One plain sentence without its full stop; `name` gives a player's name by number."""
        return f"{doer(name(self.by), automatic=self.automatic)} {self.text}"

    @property
    def text(self) -> str:
        """The sentence without its subject."""
        if self.what == ORDERS:
            return f"has to give {self.label.partition('/')[0].replace('_', ' ')} orders for {all_of(self.seats)}"
        if self.what == ANSWER:
            return ANSWERS[self.label]
        kinds = sorted({THINGS[str(item[0])] for item in self.items if item[0] in THINGS})
        return _SENTENCES[self.what].format(things=all_of(kinds))


def doer(name: str, *, automatic: bool) -> str:
    """A player, or the player's program, which needs no person."""
    return f"{name}'s program" if automatic else name
