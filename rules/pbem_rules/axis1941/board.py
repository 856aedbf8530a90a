"""The board as text: the powers with income and treasury, then the territories by region and the zones with ships."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.game import Orders, View
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES, TERRITORIES
from pbem_rules.axis1941.mobilise import complexes, room, waiting_units
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import (
    FOUGHT,
    KINDS,
    LOADED,
    MOVED,
    NONE,
    NUMBERED,
    POWERS,
    SHIFTED,
    SHIPPED,
    SIDE,
    TITLES,
    UNLOADED,
    Kind,
    Power,
    Side,
    amounts,
)

ACTED = MOVED | FOUGHT | LOADED | SHIPPED | UNLOADED | SHIFTED
REGIONS = ("Europe", "Soviet Union", "Africa and Middle East", "Asia", "Pacific", "America")
SIGN = {Power.USSR: "USSR", Power.GERMANY: "Ger", Power.UK: "UK", Power.JAPAN: "Jap", Power.USA: "USA"}


def counted(kinds: Iterable[str]) -> str:
    count = Counter(kinds)
    return ", ".join(f"{count[kind]} {kind}" for kind in KINDS if count[kind])


def force(s: State, place: int, power: Power) -> str:
    """`2 infantry, 1 fighter, transport 1 (1 infantry)`: the power's units, cargo with its ship."""
    plain, ships = [], []
    for number in s.here(place, power=power):
        unit = s.units[number]
        if unit.kind in NUMBERED:
            aboard = [s.units[each] for each in s.cargo(number)]
            own = counted(each.kind for each in aboard if each.power is power)
            allied = [f"{each.kind} of {SIGN[each.power]}" for each in aboard if each.power is not power]
            held = ", ".join(filter(None, [own, *allied]))
            ships.append(f"{unit.kind} {unit.number}{f' ({held})' if held else ''}")
        elif unit.aboard == NONE:
            plain.append(str(unit.kind))
    return ", ".join(filter(None, [counted(plain), *ships]))


def forces(s: State, place: int) -> str:
    found = [(power, force(s, place, power)) for power in POWERS]
    return "; ".join(f"{SIGN[power]}: {text}" for power, text in found if text)


def power_line(s: State, power: Power) -> str:
    units = Counter(unit.kind for unit in s.units.values() if unit.power is power)
    lost = "  capital lost" if s.capital_lost(power) else ""
    total = sum(units.values())
    return f"  {TITLES[power]:15}{s.production(power):>4} a round {s.ipc[power]:>4} in hand {total:>4} units{lost}"


def territory_line(s: State, place: int) -> str:
    printed = s.chart.territories[place]
    marks = f"{printed.value}{'*' if printed.complex else ' '}{'!' if printed.capital else ' '}"
    owner = SIGN[s.control[place]]
    was = "" if printed.owner is s.control[place] or printed.owner is None else f" ({SIGN[printed.owner]})"
    return f"  {printed.name:26}{marks:4}{owner + was:12}{forces(s, place)}".rstrip()


def head(s: State) -> str:
    if not s.round:
        return "Before the first round."
    bought = waiting_units(s)
    waits = f" Waiting to be mobilised: {amounts(bought)}." if bought else ""
    return f"Round {s.round}, {TITLES[s.active]}'s turn.{waits}"


def unit_text(s: State, kind: Kind) -> str:
    """`3 IPC: attack 1, defence 2, move 1` (AA-11.1)."""
    row = s.chart.stats[kind]
    hits = f", takes {row.hits} hits" if row.hits > 1 else ""
    return f"{row.cost} IPC: attack {row.attack}, defence {row.defence}, move {row.move}{hits}"


def turn_lines(s: State, kind: str) -> list[str]:
    """What the power whose turn it is has to know: its complexes, hostile zones, who has not moved."""
    power = s.active
    rooms = ", ".join(
        f"{s.where(place)} {room(s, place)} of {s.chart.territories[place].value}" for place in complexes(s, power)
    )
    seas = ", ".join(s.where(place) for place in range(FIRST_ZONE, PLACES) if s.hostile(place, SIDE[power]))
    lines = [f"Complexes of {TITLES[power]}: {rooms or 'none'}.", f"Zones hostile to it: {seas or 'none'}."]
    if kind in ("combat", "noncombat"):
        lines.append("Can still move:")
        for place in range(PLACES):
            still = [s.units[n] for n in s.here(place, power=power) if not s.units[n].did & ACTED]
            names = counted(unit.kind for unit in still)
            if names:
                lines.append(f"  {s.where(place):26}{names}")
    return lines


def text_board(view: View[State]) -> str:
    """The whole board; nothing on it is hidden."""
    s = view.state
    lines = [head(s)]
    if s.round and isinstance(view.need, Orders):
        lines += turn_lines(s, view.need.kind)
    lines.append("")
    for side in (Side.ALLIES, Side.AXIS):
        lines += [f"{str(side).capitalize()}:", *(power_line(s, power) for power in POWERS if SIDE[power] is side)]
    for region in REGIONS:
        places = [p for p in range(TERRITORIES) if s.chart.territories[p].region == region and p in s.control]
        lines += ["", f"{region}:", *(territory_line(s, place) for place in places)]
    lines += ["", "Sea zones:"]
    for place in range(FIRST_ZONE, PLACES):
        if s.at(place):
            lines.append(f"  {s.chart.name(place):6}{forces(s, place)}")
    lines += ["", "value, * industrial complex, ! capital; in brackets whose a territory was at the start"]
    return "\n".join(lines)
