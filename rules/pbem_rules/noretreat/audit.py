"""What nobody could see while the game was played, and the audit holds against the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem_rules.noretreat.chart import NAMES
from pbem_rules.noretreat.hands import Reveal, to_show
from pbem_rules.noretreat.orders import Done, card_of


def audit(moments: Iterable[Any]) -> str | None:
    """NR-5.15: a card that happens when it is drawn was kept back."""
    for moment in moments:
        if moment.need.kind != Reveal.name or not isinstance(moment.order, Done):
            continue
        kept = to_show(moment.state, moment.seat, moment.own)
        if kept:
            return f"{NAMES[moment.seat]} kept card {card_of(kept[0])}, which happens when it is drawn (NR-5.15)."
    return None
