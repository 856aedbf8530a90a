"""S42-34: what is in the boxes of reserve armies, whose they are, and what becomes of both when an army is shown."""

from __future__ import annotations

from pbem.game import Known, Out
from pbem_rules.stalingrad42.chart import SOVIET
from pbem_rules.stalingrad42.events import Disbanded
from pbem_rules.stalingrad42.orders import Pair
from pbem_rules.stalingrad42.state import BOX, State


def content(s: State, box: int) -> tuple[int, ...]:
    return s.of(SOVIET, BOX + box)


def box_of(s: State, army: int, own: Known) -> int | None:
    """As far as it is known: to all once it has been shown, else to its owner."""
    if army in s.shown:
        return s.shown[army]
    pair = own.get(s.masks.get(army, ""))
    return pair.box if isinstance(pair, Pair) else None


def unpaired(s: State) -> tuple[int, ...]:
    return tuple(army for army in s.armies() if army not in s.masks)


def place_rest(s: State, army: int) -> tuple[int, ...]:
    """S42-34.7: the units that are still in the box of an army that has been shown stand where it is."""
    place, units = s.at(army), content(s, s.shown[army])
    for unit in units:
        s.put(unit, place)
    if units:
        s.spread[place] = s.turn
    return units


def disband(s: State, army: int, out: Out) -> None:
    """S42-34.7, S42-34.2a: the army is gone, and comes back with its marker two turns later."""
    place, units = s.at(army), place_rest(s, army)
    s.dispel(army)
    out.add(Disbanded(unit=s.code(army), units=tuple(map(s.code, units)), place=place, rule="S42-34.7"))


def disband_exposed(s: State, out: Out) -> None:
    """S42-34.7: those that were attacked are gone by the end of the Soviet turn that follows; here as it begins."""
    for army in sorted(s.exposed):
        disband(s, army, out)
