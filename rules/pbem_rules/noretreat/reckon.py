"""What a battle would bring: the odds with every shift by rule id, and the exact distribution of results."""

from __future__ import annotations

from pbem.engine.view import View
from pbem.kit.tables import percentages
from pbem_rules.noretreat.chart import other
from pbem_rules.noretreat.notation import place_of, unit_of
from pbem_rules.noretreat.odds import BELOW, explain, reckon
from pbem_rules.noretreat.report import RESULTS
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import able, willing

USAGE = "Write a place with enemies in it, and the units if not all: 1507 with 2Pz 3Pz, and `blitz` or `shock`."


def reckon_text(view: View[State], text: str) -> str:
    """The odds of an attack on a place, by the units named or by all that may."""
    s = view.state
    words = [word for word in text.replace(",", " ").split() if word not in ("attack", "with")]
    marker = bool({"blitz", "shock"} & set(words))
    words = [word for word in words if word not in ("blitz", "shock", "alone")]
    place = place_of(s.chart, words[0]) if words else None
    defender = s.side_at(place) if place is not None else None
    if place is None or defender is None:
        return USAGE
    units = [unit_of(word) for word in words[1:]]
    side, forced = other(defender), place in s.blows
    near = (able if forced else willing)(s, side, place)
    if any(unit is None or unit not in near for unit in units):
        return f"These can attack {s.chart.place_text(place)}: {', '.join(s.name(unit) for unit in near) or 'nobody'}."
    chosen = tuple(sorted(unit for unit in units if unit is not None)) or near
    if not chosen:
        return f"Nobody can attack {s.chart.place_text(place)}."
    fight = Fight("", side, (place,), chosen, s.ground.stacks[place], forced=forced, marker=marker)
    reckoned = reckon(s, fight)
    if reckoned.column == BELOW:
        return f"{explain(s, reckoned)}. Automatic counterattack (NR-9.20)."
    column = [row[reckoned.column] for row in s.chart.results[reckoned.table].cells]
    chances = ", ".join(f"{RESULTS[result]} {share}%" for result, share in percentages(column).items())
    return f"{explain(s, reckoned)}. {chances}."
