"""What each player owes before a game can go on, with one plain sentence for the status line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    JOIN: "{who} has to join",
    NONCE: "{who} owes the number that the first dice need (automatic)",
    REVEAL: "{who} owes a reveal: {things} (automatic)",
    RELEASE: "{who} owes cards: {things} (automatic)",
    END: "{who} has to sign the result (automatic)",
    OPEN_ALL: "{who} has to open everything for the audit (automatic)",
}
THINGS = {
    "nonce": "a first number for the dice",
    "dice": "dice",
    "open": "a sealed choice",
    "answer": "a prepared answer",
    "pass": "a shuffle",
    "deal": "a deal",
    "slot": "a card's lock",
    "give": "a card",
    "show": "a card to show",
}


@dataclass(frozen=True, slots=True)
class Obligation:
    """What player `by` owes. `what` is one of join, nonce, orders, reveal, release, answer, end, open_all.

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
        who = name(self.by)
        if self.what == ORDERS:
            return f"{who} has to order for {_all(self.seats)} ({self.label.partition('/')[0]})"
        if self.what == ANSWER:
            return f"{who} has to answer: {self.label}"
        kinds = sorted({THINGS[str(item[0])] for item in self.items if item[0] in THINGS})
        return _SENTENCES[self.what].format(who=who, things=_all(kinds))


def _all(words: tuple[str, ...] | list[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)
