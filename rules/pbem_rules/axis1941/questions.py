"""Explains each question to a player who gives standing orders for it."""

from __future__ import annotations

from pbem.game import Explanation
from pbem_rules.axis1941.standing import COUNTED, PLAIN

_SUMS = {
    "damaged": "damaged battleships",
    "land": "land units",
    "air": "aircraft",
    "ships": "ships",
    "units": "units, without transports,",
    "strength": "hits that can be taken, without transports,",
    "pips": "pips (chances to hit, in sixths)",
    "cost": "IPC in units",
}
_UNITS = {name: f"{name}s" for name in COUNTED} | {"infantry": "infantry"} | _SUMS
_FACTS = {
    **{name: f"the number of {_UNITS[name]} on your side" for name in PLAIN},
    **{f"enemy_{name}": f"the number of {_UNITS[name]} on the enemy's side" for name in PLAIN},
    "attacking": "whether the attack is yours",
    "hits": "the number of hits still to be taken",
    "landing": "whether a landing is part of the attack",
    "others": "the number of units on your side besides submarines and transports",
    "place": "the place",
    "ratio": "your strength as a percentage of the enemy's (pips and units)",
    "pips_percent": "your pips as a percentage of the enemy's",
    "cost_percent": "the cost of your units as a percentage of the enemy's",
    "strength_percent": "the hits that you can take, as a percentage of the enemy's",
    "round": "the round of the battle",
    "sea": "whether the battle is at sea",
    "struck": "the number of your submarines that strike in this round",
    "threat": "the number of enemy units that can hit submarines",
    "turn": "the round of the game",
}
_LOSE = {
    **{name: _UNITS[name] for name in COUNTED},
    "damage": "damage to battleships",
    "KIND-POWER": "one of that kind of that power",
    "KIND-NUMBER": "that kind, as long as more than so many are left",
    "KIND-POWER-NUMBER": "that kind of that power, as long as more than so many are left",
}
_HAVENS = {
    "deck": "another carrier of yours in the same sea zone",
    "ally_deck": "a carrier of an ally in the same sea zone",
    "home": "land of your own",
    "ally": "land of an ally",
    "other": "a carrier in another sea zone",
}

QUESTIONS = {
    "divert": Explanation(
        "The carrier of your fighter was sunk: where does the fighter land?",
        _HAVENS,
        {
            **{name: f"whether it can reach {where}" for name, where in _HAVENS.items()},
            "round": "the round of the game",
            "place": "the sea zone",
        },
    ),
    "losses": Explanation(
        "Your side is hit in a battle: which of your units are lost first?",
        {**_LOSE, "defer": "your allies choose"},
        _FACTS,
    ),
    "mobilise": Explanation(
        "You place what you have bought: where?",
        {"capital": "in your capital, as far as there is room"},
        {"round": "the round of the game", "units": "the number of units still to be placed"},
    ),
    "purchase": Explanation(
        "You buy units: which?",
        {"nothing": "nothing more", **{name: _UNITS[name] for name in COUNTED}},
        {"ipc": "the number of your IPC", "room": "the number of units that can be placed", "round": "the round"},
    ),
    "retreat": Explanation(
        "A round of your attack is over: do you fight on?",
        {
            "press": "fight on",
            "retreat": "retreat",
            "retreat-PLACE": "retreat to that place",
            "stay": "your transports stay where they are",
        },
        _FACTS,
    ),
    "settle": Explanation(
        "Your attack hits several powers that do not agree on their losses: which of their units are lost first?",
        _LOSE,
        _FACTS,
    ),
    "submarines": Explanation(
        "A round of a sea battle with submarines of yours begins: what do they do?",
        {"strike": "they strike", "submerge": "they submerge and leave the battle"},
        _FACTS,
    ),
}
