"""NR-14 Optional rules that need orders of their own; those that only change a rule stand with that rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pbem.game import Out, Violation
from pbem_rules.noretreat.chart import AXIS, SOVIET, other
from pbem_rules.noretreat.entries import bring
from pbem_rules.noretreat.events import Note
from pbem_rules.noretreat.losses import lose_step, send
from pbem_rules.noretreat.orders import Detach, Infiltrate
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import DESTROYED, OUT, Piece, State

KINDS = {  # what is exchanged -> the option, the units that come, the first turn, the rule
    "infantry": ("detachments", ("DetA", "DetB"), 8, "NR-14.1"),
    "armour": ("detachments", ("DetM",), 8, "NR-14.2"),
    "front": ("fortified_fronts", ("Fort1", "Fort2"), 5, "NR-14.3"),
}
PARTISANS = 4  # the turn in which they come, and the turns until they are back (NR-14.11)


def kind_of(s: State, unit: int) -> str:
    """Which exchange the unit could serve, empty for none."""
    face, kind = s.face(unit), s.unit(unit)
    if kind.side == SOVIET and (face.strength, face.move, face.traits) == (4, 3, frozenset()):
        return "front"
    if not kind.german:
        return ""
    if s.has(unit, "armour"):
        return "armour"
    plain = (face.strength, face.move, face.traits) == (4, 4, frozenset())
    return "infantry" if plain and s.pieces[unit].strong else ""


def spots(s: State, unit: int) -> tuple[int, ...]:
    """The unit's own place and those beside it that lie in no enemy zone."""
    place, enemy = s.at(unit), other(s.unit(unit).side)
    chart = s.chart
    near = (
        p
        for p in chart.board.near[place]
        if chart.passable(place, p) and not s.in_zone(p, enemy) and s.side_at(p) != enemy
    )
    return (place, *near)


def check_detach(s: State, side: str, order: Detach) -> Violation | None:
    """NR-14.1 to NR-14.4."""
    if not s.has_on_map(side, order.unit):
        return Violation("NR-14.1", f"{s.code(order.unit)} is not a unit of yours on the map")
    kind = kind_of(s, order.unit)
    if not kind:
        return Violation("NR-14.1", f"{s.name(order.unit)} cannot be exchanged")
    option, codes, since, rule = KINDS[kind]
    if option not in s.options:
        return Violation(rule, "That is an optional rule")
    if s.turn < since:
        return Violation(rule, f"That can be done from turn {since} on")
    if kind in s.exchanged:
        return Violation(rule, "That is done once in a game")
    units = tuple(s.chart.by_code[code] for code in codes)
    if order.units != units:
        return Violation(rule, f"{s.name(order.unit)} is exchanged for {' and '.join(codes)}")
    alone = len(s.ground.stacks[s.at(order.unit)]) == 1
    if not s.supplied(order.unit) or (kind != "armour" and not alone):
        return Violation(rule, f"{s.name(order.unit)} must be in supply and alone in its hex")
    if len(order.hexes) != len(units) or any(place not in spots(s, order.unit) for place in order.hexes):
        return Violation(rule, "They come into its hex, or one beside it outside enemy zones")
    return None if _room(s, kind, order) else Violation("NR-8.8", "There is no room for them there")


def _room(s: State, kind: str, order: Detach) -> bool:
    """Held against a copy of what will stand there."""
    side = s.unit(order.unit).side
    gone = kind != "armour" or s.steps(order.unit) == 1
    for place in set(order.hexes):
        stay = [u for u in s.of(side, place) if not (gone and u == order.unit)]
        come = [u for u, p in zip(order.units, order.hexes, strict=True) if p == place]
        if too_many(s, side, (*stay, *come), place):
            return False
    return True


def detachments(s: State, side: str) -> Iterator[Detach]:
    if not {"detachments", "fortified_fronts"} & set(s.options):
        return
    for unit in s.chart.own[side]:
        kind = kind_of(s, unit) if s.on_map(unit) else ""
        if kind:
            units = tuple(s.chart.by_code[code] for code in KINDS[kind][1])
            for hexes in product(spots(s, unit), repeat=len(units)):
                order = Detach(unit, units, hexes)
                if check_detach(s, side, order) is None:
                    yield order


def detach(s: State, order: Detach, out: Out) -> None:
    kind = kind_of(s, order.unit)
    s.exchanged = (*s.exchanged, kind)
    rule = KINDS[kind][3]
    if kind == "armour":
        lose_step(s, order.unit, rule, out)
    else:
        send(s, order.unit, OUT, "exchanged", rule, out)
    for unit, place in zip(order.units, order.hexes, strict=True):
        bring(s, unit, place, "the exchange", rule, out)


def reserves_arrive(s: State) -> None:
    """NR-14.10."""
    if "reserves" in s.options and s.turn == 5:
        unit = s.chart.by_code["Rsv"]
        s.pieces[unit] = Piece(DESTROYED, strong=False)
        s.ground.move(unit, DESTROYED)


def partisan_targets(s: State) -> tuple[int, ...]:
    """NR-14.11."""
    if "partisans" not in s.options or s.turn < max(s.partisans_due, PARTISANS) or s.weather == "clear":
        return ()
    chart = s.chart
    return tuple(unit for unit in chart.own[AXIS] if s.on_map(unit) and _near_soviets(s, s.at(unit)))


def _near_soviets(s: State, place: int) -> bool:
    """NR-14.11."""
    chart = s.chart
    if not chart.ussr & chart.board.bit[place]:
        return False
    return any(s.supplied(u) for p in chart.board.near[place] for u in s.of(SOVIET, p))


def check_partisans(s: State, order: Infiltrate) -> Violation | None:
    if order.unit in partisan_targets(s):
        return None
    return Violation(
        "NR-14.11", "The marker goes on an Axis unit in the USSR beside a supplied Soviet one, not in Clear"
    )


def infiltrate(s: State, order: Infiltrate, out: Out) -> None:
    s.tire(order.unit)
    s.partisans_due = s.turn + PARTISANS
    out.add(Note(text=f"Partisans: {s.name(order.unit)} is Disorganised.", rule="NR-14.11"))
