"""All events of the cards, and the sequences that they call (NR-13). Importing this registers them."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.noretreat.cards import answers, combat, drawn, hand, moves, results, shifts, twofold, units
from pbem_rules.noretreat.cards.combat import WaveBattle
from pbem_rules.noretreat.cards.frames import DrawThen, RandomLoss, ShuffleAll, Spying, Surprise, Tribute, Wave
from pbem_rules.noretreat.cards.handsteps import (
    BringAfter,
    DiscardTheirs,
    DrawFirst,
    DropAfter,
    LookAtHand,
    LoseCard,
    PayTribute,
    PickLoss,
    ShuffleTogether,
)  # fmt: skip
from pbem_rules.noretreat.cards.moves import SurpriseRide
from pbem_rules.noretreat.state import State

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(ShuffleAll,
        ShuffleTogether()),
    Sequence(DrawThen,
        DrawFirst(), DropAfter(), BringAfter()),
    Sequence(Spying,
        LookAtHand(), DiscardTheirs()),
    Sequence(RandomLoss,
        PickLoss(), LoseCard()),
    Sequence(Tribute,
        PayTribute()),
    Sequence(Surprise,
        SurpriseRide()),
    Sequence(Wave,
        WaveBattle()),
)
# fmt: on
PASSIVE = (("axis", 12), ("axis", 53))  # they count only when they are paid with (`organise`, `payments`)

__all__ = [
    "PASSIVE", "SEQUENCES", "answers", "combat", "drawn", "hand", "moves", "results", "shifts", "twofold", "units",
]  # fmt: skip
