"""Explains each question to a player who gives standing orders for it."""

from __future__ import annotations

from functools import partial

from pbem.game import Explanation

_FACTS = {
    "hex": "the hex of the battle",
    "units": "the number of units concerned",
    "fight": "whether a battle is being fought",
    "turn": "the turn",
    "column": "the column of the battle (0 stands for 1:3, 2 for 1:1, 4 for 2:1)",
    "mine": "whether the attack, or between battles the turn, is yours",
    "own": "whether the turn is yours",
    "card": "the number of the card that was played last",
    "over": "the number of cards beyond the two that you keep",
    "targets": "the number of hexes that must already be attacked",
    "city": "whether the hex that is empty is a city",
    "gone": "the number of units that have already followed",
}
_CARD = "play the card with that number"
_BETWEEN = {
    "moment": "the moment (0: the turn begins, 1: before the Organisation phase, 2: after Movement, 3: after the "
    "targets, 4: after Combat, 5: in Removal, 6: the turn ends)"
}
_BATTLE = {
    "moment": "the moment of the battle (0: before the die, 1: after it, 2: before retreat and pursuit, 3: after the "
    "battle)"
}
_explained = partial(Explanation.of, _FACTS)


def _crowded(when: str) -> Explanation:
    return _explained(
        f"More of your units stand in a hex {when} than may stay there: which one leaves?",
        weakest="the weakest unit leaves the map, armour last",
    )


_OLDEST = {"oldest": "throw away the card that you have held longest", "CARD": "throw away the card with that number"}

QUESTIONS = {
    "answer": _explained(
        "The enemy has played a card, or paid with one: do you cancel that with an event of yours?",
        **{"pass": "let it happen", "CARD": _CARD},
    ),
    "battle_window": Explanation.of(
        _FACTS | _BATTLE,
        "A battle is being fought, yours or the enemy's: do you play an event in it?",
        **{"pass": "play nothing", "joker": "use the Joker once the die has been rolled", "CARD": _CARD},
    ),
    "cadre": _explained(
        "One of your units is destroyed and may leave a cadre: does it?",
        cadre="place the cadre",
        decline="place none",
    ),
    "cards": _explained(
        "In your Card phase you keep at most two cards before you draw: which ones do you throw away?",
        done="keep the rest, and draw",
        **_OLDEST,
    ),
    "clear_markers": _explained(
        "Your Scorched Earth markers lie on the map: do you take any of them off?", done="leave them"
    ),
    "counterattack": _explained(
        "The enemy's attack has the result CA: do your units counterattack?",
        counter="counterattack",
        decline="do not counterattack",
        marker="counterattack with your marker (a Blitz or a Shock)",
    ),
    "counterblows": _explained(
        "Before the enemy's battles you may force attacks on hexes of yours, at the price of cards: do you?",
        **{
            "pass": "force no attack",
            "CARD": "play the event of the card with that number",
            "CARD/HEX": "pay with that card to force an attack on that hex",
        },
    ),
    "dealt_window": Explanation.of(
        _FACTS | {"moment": "the moment (0: after the draw)"},
        "You have drawn cards: do you play an event at once?",
        **{"pass": "play nothing", "joker": "play the Joker", "CARD": _CARD},
    ),
    "excess_end": _crowded("at the end of the turn"),
    "excess_fought": _crowded("after a battle"),
    "excess_moved": _crowded("after Movement"),
    "excess_placed": _crowded("after units were placed"),
    "excess_unloaded": _crowded("after units left the railway"),
    "loss": _explained(
        "Units of your side lose a step in a battle: which one takes it?",
        cheapest="the unit for which it costs least",
        UNIT="the unit with that code, in small letters",
    ),
    "mark": _explained(
        "Your attack has the result CB: which of your attackers must the enemy attack in their turn?",
        strongest="the strongest unit of the strongest stack",
    ),
    "penalty": _explained("A rule costs you a card: which one do you throw away?", **_OLDEST),
    "pick_die": _explained(
        "Several dice were rolled for a battle: which one counts?",
        best="the one that is best for you",
        highest="the highest",
        lowest="the lowest",
    ),
    "pursuit": _explained(
        "Your attack has emptied a hex: do your units follow?",
        strongest="the strongest unit left enters the hex (the question comes again for the next)",
        deep="the strongest unit goes as far as it gets",
        done="no other unit follows",
    ),
    "retreat": _explained(
        "A unit of yours must retreat: which way does it go?",
        safest="to where fewest enemies are near, a city first, then towards your edge of the map",
    ),
    "reveal": _explained(
        "You have drawn a card whose event happens at once: show it?",
        show="show it, and its event happens",
        done="show nothing",
    ),
    "surrender": _explained("A surrender costs you cards: which one do you throw away?", **_OLDEST),
    "phase_window": Explanation.of(
        _FACTS | _BETWEEN,
        "A phase of either side's turn ends (movement, targets, Combat, Removal), or the turn: do you play an event?",
        **{"pass": "play nothing", "joker": "play the Joker", "CARD": _CARD},
    ),
    "turn_window": Explanation.of(
        _FACTS | _BETWEEN,
        "A turn of either side begins, or its cards have been drawn: do you play an event?",
        **{"pass": "play nothing", "joker": "play the Joker", "CARD": _CARD},
    ),
    "unload": _explained(
        "At the end of your turn, units on the railway can get off: do they?", done="they stay on the railway"
    ),
    "unload_reserve": _explained(
        "The reserve unit on the railway can get off: does it?", done="it stays on the railway"
    ),
}
