"""Explains each question to a player who gives standing orders for it."""

from __future__ import annotations

from functools import partial

from pbem.game import Explanation

_FACTS = {
    "hex": "the hex where it happens",
    "key": "whether the hex is a victory hex or a city",
    "own": "whether the lost step is yours",
    "attacks": "whether the attack is yours",
    "driven": "whether the units leave in Full Retreat because an enemy has come",
    "isolated": "whether the unit is isolated",
    "desperate": "whether it is a desperate defence",
    "beset": "whether every route of retreat leads through an enemy zone",
    "units": "the number of units concerned",
    "length": "the length of the retreat in hexes",
    "roll": "the roll of determined defence, counted from 1",
    "ready": "the number of air units that can come",
    "dice": "the number of dice that were rolled",
    "gone": "the number of units that have already advanced",
    "needed": "whether the result is bad enough for the usual answer to roll again",
}

_explained = partial(Explanation.of, _FACTS)


def _again(roll: str, needed: str) -> Explanation:
    told = _explained(
        f"A leader of yours can have {roll} rolled again, once a turn: do you use it?",
        needed=f"only {needed}",
        none="never",
        any="always",
    )
    return told._replace(facts={**_FACTS, "own": "whether the player turn is yours"})


QUESTIONS = {
    "advance": _explained(
        "Your attack has emptied a hex, and its order says nothing of an advance: who advances?",
        strongest="the strongest attacker enters the hex and goes no farther, and no other unit advances; you are "
        "not asked, even in attacks with “ask”",
        done="no other unit advances",
    ),
    "cover": _explained(
        "The Soviets attack your hex, and an air unit of yours can take a column off the attack: does it fly?",
        needed="only where your stance is to hold and the column makes a difference",
        none="never",
        any="always",
    ),
    "defence": _explained(
        "The enemy attacks a hex of yours and the result is a retreat: do your units try determined defence?",
        hold="wherever the rules allow it",
        flexible="only if it is likely enough to succeed, or there is no good way to retreat",
        give="never: they retreat",
    ),
    "delay": _explained(
        "Your units delay the enemy: how far do they fall back?",
        needed="one hex if they are in supply there, otherwise two",
        one="one hex",
        two="two hexes",
    ),
    "die": _explained(
        "Your Planned Offensive has rolled several dice: which one counts?",
        best="the one with the best result",
        cheapest="the best of those that cost you fewest steps",
    ),
    "enter": _explained(
        "A City Battle begins, and at least one of your attackers enters the city: who?",
        one="one unit, infantry with most steps first",
        listed="the units whose advance your order leads into the city",
        most="as many as may stand there",
    ),
    "evacuate": _explained(
        "The Axis has come into the Area of Baku: where do your units there go?", h="to Area H", j="to Area J"
    ),
    "lead": _explained(
        "Your units try determined defence: which one leads them?",
        best="the one of the best quality, with steps to spare",
        least="the one for which a loss costs least",
    ),
    "leaving": _explained(
        "Your units can disengage: do they go, and how far?",
        listed="as far as your order says, if that way is open",
        stay="they stay",
    ),
    "loss": _explained(
        "Units in a battle lose a step, yours or enemies that you choose among: which one takes it?",
        cheapest="the unit for which it costs least",
        dearest="the unit for which it costs most",
    ),
    "railheads": _explained(
        "At the end of your turn railheads can move on: which ones?",
        farthest="those farthest east, as far as they can",
        done="no more of them",
    ),
    "remnant": _explained(
        "A unit of yours loses its second step: does a Remnant stay on the map, or can the unit come back later?",
        keep="a Remnant stays on the map",
        box="the unit goes to the Eliminated Box, from where replacements bring it back",
    ),
    "reroll": _again(
        "the dice of an attack",
        "if your attack at 3:1 or better brings less than DR2, or DS or DR4 hits two German units",
    ),
    "restand": _again(
        "a determined defence", "if it fails in a city or victory hex of the Soviets, or where the Axis is to hold"
    ),
    "resupply": _explained(
        "Your supply points can make artillery and air support ready again: which?",
        needed="support with an enemy in its reach",
        done="no more of it",
    ),
    "retreat": _explained(
        "Units must retreat, yours or enemies that you drive off: which way do they go?",
        safest="the safest way, together",
        nearest="together, the way that ends nearest to their supply",
        apart="one by one, each the safest way",
        astray="the way that ends farthest from their supply, for enemies that you drive off",
    ),
    "retry": _again("a disengagement", "if no unit gets away"),
    "sally": _explained(
        "The Axis attacks a hidden reserve army of yours: which units come out of its box to defend?",
        best="those in good order with the best defence, as many as may stand there",
    ),
    "spare": _explained(
        "More of your units stand in an attacked hex than can help to defend it: which ones do not?",
        weakest="the weakest",
    ),
    "support": _explained(
        "Your units try determined defence, and headquarters or air units can support them: do they?",
        needed="where it makes a difference",
        none="never",
        any="always",
    ),
    "winter": _explained("Winter closes Area K: where do your units there go?", j="to Area J", l="to Area L"),
}
