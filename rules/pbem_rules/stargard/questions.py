"""Explains each question to a player who gives standing orders for it."""

from __future__ import annotations

from functools import partial

from pbem.game import Explanation

_FACTS = {
    "hex": "the hex of the battle",
    "attacks": "whether the attack is yours",
    "units": "the number of units concerned",
    "length": "the length of the retreat in hexes",
    "gone": "the number of units that have already advanced",
    "prize": "whether the hex is a settlement",
    "zones": "the number of enemy zones of control on the hex",
    "turn": "the turn",
    "placing": "whether the option of the game says that players place free units and Volkssturm themselves",
}
_FORMATION = "the formation with that code, in small letters"

_explained = partial(Explanation.of, _FACTS)

QUESTIONS = {
    "advance": _explained(
        "Your attack has emptied a hex, and its order says nothing of an advance: who advances?",
        strongest="the strongest attacker left enters the hex (the question comes again for the next)",
        deep="the strongest attacker goes as far as it gets",
        done="no other unit advances",
    ),
    "arrivals": _explained(
        "Units arrive for you: where do they enter, and where do they move?",
        best="near their entry and on towards their headquarters, away from enemy zones",
    ),
    "barrage": _explained(
        "Your artillery fires before the attacks: at which unit?",
        best="at settlements first, then where your odds are best; no unit beside a pinned one",
    ),
    "german_set_up": _explained(
        "The game begins: do you place some German units elsewhere?", suggested="all stand as the scenario suggests"
    ),
    "loss": _explained(
        "Units of yours lose a step in a battle: which one takes it?",
        cheapest="the unit for which it costs least",
        strongest="the strongest unit",
        weakest="the weakest unit",
        UNIT="the unit with that code, in small letters",
    ),
    "pick_post": _explained(
        "A special chit of yours was drawn: which formation does it activate?",
        first="the first one of those that it can activate",
        FORMATION=_FORMATION,
    ),
    "pick_reaction": _explained(
        "One battle has hit several of your armies: which one reacts first?",
        first="the first one of them",
        FORMATION=_FORMATION,
    ),
    "reform": _explained(
        "A headquarters of yours reforms, and several hexes are equally near: where?",
        best="on a road, away from the front, near its units",
    ),
    "replacements": _explained(
        "You have replacement points (the Germans only by a random event): on which units do you spend them?",
        best="mechanised units first, those on the map before those that are lost, the strongest first",
    ),
    "report": _explained(
        "You may lay one of your chits aside for this turn, for a point: do you?",
        report="lay a chit aside",
        decline="keep all your chits in the cup",
    ),
    "retreat": _explained(
        "Units of yours must retreat: which way do they go?",
        safest="where they lose the fewest steps, together if they can, into cover",
        nearest="together, nearest to a source of supply",
        apart="one by one, each the safest way",
    ),
    "soviet_set_up": _explained(
        "The game begins: do you place some Soviet units elsewhere?", suggested="all stand as the scenario suggests"
    ),
    "volkssturm": _explained(
        "Volkssturm units wait in their box: where are they called up?",
        best="where most points lie, otherwise on a road near the Soviets",
        none="nowhere in this turn",
    ),
}
