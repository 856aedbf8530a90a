"""Explains each question to a player who gives standing orders for it."""

from __future__ import annotations

from functools import partial

from pbem.game import Explanation

_FACTS = {
    "hex": "the hex that is fought for",
    "steps": "the number of steps among the defenders there",
    "town": "whether the hex is a town",
    "units": "the number of units that must retreat",
    "advanced": "the number of units that have already advanced",
    "column": "the best column of the counterattack (0 stands for 1:2)",
}
_CARD = "play the card with that name (only your program knows whether you hold it)"

_explained = partial(Explanation.of, _FACTS)

QUESTIONS = {
    "advance": _explained(
        "Your attack has emptied the enemy's hex: do your units move in?",
        strongest="the strongest attacker left advances into the hex (the question comes again for the next)",
        halt="no other unit advances",
    ),
    "answer": _explained(
        "The enemy has played a card in a battle: do you cancel it with a card of yours?",
        **{"pass": "let the card take effect", "CARD": _CARD},
    ),
    "counter": _explained(
        "The enemy's attack on your hex has the result CA: do your units there counterattack?",
        counter="counterattack the hex where the odds are best",
        decline="do not counterattack",
    ),
    "react": _explained(
        "The enemy attacks one of your hexes: do you play a card before the die is rolled?",
        **{"pass": "play no card", "CARD": _CARD},
    ),
    "retreat": _explained(
        "Units of yours that have lost a battle must leave their hex: do they go, or pay a step to stay?",
        retreat="they retreat",
        stand="they stay, and each of them loses a step",
    ),
}
