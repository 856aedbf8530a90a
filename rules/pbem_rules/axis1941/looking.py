"""What a player asks of the position: who reaches what, zones, who can still move, complexes, incomes.

look reach Ukraine            where the units there can attack, and where they can go in the non-combat move
look reach tank Ukraine       only those of one kind
look to Caucasus              who can come there
look zones, look left, look rooms, look income; look alone tells all four
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.game import NotationError, Order, Orders, Reckoning, View
from pbem_rules.axis1941.board import ACTED, counted
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES
from pbem_rules.axis1941.combat_move import moves
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.mobilise import complexes, room, waiting_units
from pbem_rules.axis1941.moving import label
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.noncombat import QuietLoads
from pbem_rules.axis1941.orders import Finish, piece_of
from pbem_rules.axis1941.purchase import refusal
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import ZONES, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.transports import Loads
from pbem_rules.axis1941.units import KINDS, NONE, POWERS, SEATS, SIDE, TITLES, Kind, ship_of

USAGE = "Ask `reach PLACE`, `reach UNIT PLACE`, `to PLACE`, `zones`, `left`, `rooms`, `income`; nothing: the last four."
COMBAT, QUIET, BOARDS = "combat", "noncombat", "boards"
SAID = {COMBAT: "in the combat move", QUIET: "in the non-combat move", BOARDS: "boards ships in"}
Told = tuple[list[str], Mapping[str, object]]


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or what is wrong with the question."""
    words = text.split()
    try:
        lines, figures = _answer(view, words[0].casefold() if words else "", words[1:])
    except NotationError as error:
        return f"{error} {USAGE}"
    return Reckoning("\n".join(lines), figures)


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """Money that could still buy something (AA-4.2), and units that are bought and not placed (AA-9.4)."""
    s, f = view.state, view.frame
    if not isinstance(f, Turn) or not isinstance(view.need, Orders) or seat not in SEATS[f.power]:
        return
    kind, ends = view.need.kind, order is None or isinstance(order, Finish)
    if kind == "purchase" and ends and any(refusal(s, f.power, each) is None for each in KINDS):
        yield f"{s.ipc[f.power]} IPC are not spent."
    if kind in ("noncombat", "mobilise") and order is None and (units := waiting_units(s)):
        yield f"Bought and not placed: {counted(each for each, count in units.items() for _ in range(count))}."


def _answer(view: View[State], word: str, rest: list[str]) -> Told:
    s = view.state
    if word in ("reach", "to") and rest:
        found, rest = TYPED.counted(rest) if word == "reach" else ([], rest)
        place = TYPED.need_place(rest)
        return _reach(view, place, [kind for _, kind, _ in found]) if word == "reach" else _to(view, place)
    every = {"zones": _zones, "left": _left, "rooms": _rooms, "income": _income}
    if rest or word not in ("", *every):
        raise NotationError("invalid", "That cannot be looked up.")
    told = [every[name](s) for name in every if word in ("", name)]
    figures: dict[str, object] = {}
    for _, more in told:
        figures.update(more)
    return [line for lines, _ in told for line in lines], figures


# Movement


def _found(view: View[State]) -> dict[tuple[int, str], dict[str, dict[int, int]]]:
    """By start and unit: what it can do where, in how many spaces; for the power whose turn it is."""
    s = view.state
    frame = view.frame if isinstance(view.frame, Turn) else Turn(s.active)
    late = isinstance(view.need, Orders) and view.need.kind in ("noncombat", "mobilise")
    found: dict[tuple[int, str], dict[str, dict[int, int]]] = {}
    for combat in (False,) if late else (True, False):
        sight = look(s)
        for move in moves(s, frame, sight, combat=combat):
            start, goal = move.path[0], move.path[-1]
            kind, number = piece_of(move.piece)
            spaces = s.chart.air[start][goal] if len(move.path) == 2 else len(move.path) - 1
            goals = found.setdefault((start, label(kind, number)), {}).setdefault(COMBAT if combat else QUIET, {})
            goals[goal] = min(spaces, goals.get(goal, spaces))
        for order in (Loads() if combat else QuietLoads()).legal(s, frame, s.active, {}):
            ship = s.ship(*ship_of(order.ship))
            goals = found.setdefault((order.start, str(order.unit)), {}).setdefault(BOARDS, {})
            goals[s.units[ship].place] = 1
    return found


def _reach(view: View[State], place: int, kinds: list[Kind]) -> Told:
    s = view.state
    lines, figures = [], {}
    for (start, unit), doing in sorted(_found(view).items()):
        if start != place or (kinds and unit.split()[0] not in kinds):
            continue
        parts = [f"{SAID[what]} {_goals(s, goals)}" for what, goals in doing.items()]
        lines.append(f"{unit.capitalize()} in {s.where(place)}: {'; '.join(parts)}.")
        figures[unit] = {
            what: {s.chart.words[goal]: far for goal, far in goals.items()} for what, goals in doing.items()
        }
    if not lines:
        lines.append(f"Nobody of {TITLES[s.active]} in {s.where(place)} can move now.")
    return lines, {"place": s.chart.words[place], "reach": figures}


def _goals(s: State, goals: Mapping[int, int]) -> str:
    return ", ".join(
        f"{s.where(goal)} ({far})" for goal, far in sorted(goals.items(), key=lambda row: (row[1], row[0]))
    )


def _to(view: View[State], place: int) -> Told:
    s = view.state
    lines, rows = [], []
    for (start, unit), doing in sorted(_found(view).items()):
        for what, goals in doing.items():
            if place in goals and what != BOARDS:
                away = f"{goals[place]} {'space' if goals[place] == 1 else 'spaces'}"
                lines.append(f"{unit.capitalize()} in {s.where(start)}: {away}, {SAID[what]}.")
                rows.append({"from": s.chart.words[start], "spaces": goals[place], "unit": unit, "what": what})
    if not lines:
        lines.append(f"Nobody of {TITLES[s.active]} can come to {s.where(place)} now.")
    return lines, {"place": s.chart.words[place], "to": rows}


# The board


def _zones(s: State) -> Told:
    """AA-2.5, AA-2.13: hostile zones, those with submarines and transports only, canals."""
    view = look(s)
    hostile = list(places(view.armed & ZONES))
    prowled = list(places(view.foes & ZONES & ~view.armed))
    friendly = [place for place in range(FIRST_ZONE, PLACES) if s.at(place) and place not in (*hostile, *prowled)]
    ways = [(canal.name, s.open_gate(*canal.zones, view.side)) for canal in s.chart.canals]
    ways.append(("Turkish straits", s.open_gate(*s.chart.straits, view.side)))
    rows = {"hostile": hostile, "prowled": prowled, "friendly": friendly}
    named = {name: [s.chart.words[place] for place in found] for name, found in rows.items()}
    title = TITLES[s.active]
    lines = [
        f"Zones hostile to {title}: {', '.join(named['hostile']) or 'none'}.",
        f"With enemy submarines or transports only: {', '.join(named['prowled']) or 'none'}.",
        f"Others with ships: {', '.join(named['friendly']) or 'none'}.",
        f"For its ships: {', '.join(f'{name} {_open(is_open)}' for name, is_open in ways)}.",
    ]
    return lines, {"zones": {**named, "ways": dict(ways)}}


def _open(is_open: bool) -> str:
    return "open" if is_open else "closed"


def _left(s: State) -> Told:
    """Who has not moved, loaded or fought."""
    rows = {}
    for place in range(PLACES):
        still = [s.units[n] for n in s.here(place, power=s.active) if not s.units[n].did & ACTED]
        names = counted(unit.kind for unit in still if unit.aboard == NONE or unit.kind is Kind.FIGHTER)
        if names:
            rows[s.chart.words[place]] = names
    lines = [f"{TITLES[s.active]} has not moved:", *(f"  {place:26}{names}" for place, names in rows.items())]
    return lines if rows else [f"{TITLES[s.active]} has nobody left to move."], {"left": rows}


def _rooms(s: State) -> Told:
    """AA-9.3: what each complex can still mobilise, and what waits."""
    rows = {
        s.chart.words[place]: {"left": room(s, place), "limit": s.chart.territories[place].value}
        for place in complexes(s, s.active)
    }
    waits = {str(kind): count for kind, count in waiting_units(s).items()}
    told = ", ".join(f"{place} {row['left']} of {row['limit']}" for place, row in rows.items())
    bought = ", ".join(f"{count} {kind}" for kind, count in waits.items())
    line = f"Complexes of {TITLES[s.active]}: {told or 'none'}. Bought: {bought or 'nothing'}."
    return [line], {"rooms": rows, "bought": waits}


def _income(s: State) -> Told:
    rows = {str(power): {"income": s.production(power), "ipc": s.ipc[power]} for power in POWERS}
    lines = ["Income a round, and IPC in hand:"]
    for power in POWERS:
        lost = "  (none while its capital is lost)" if s.capital_lost(power) else ""
        row = rows[str(power)]
        lines.append(f"  {TITLES[power]:15}{row['income']:>4} {row['ipc']:>4}{lost}")
    for side in dict.fromkeys(SIDE[power] for power in POWERS):
        total = sum(s.production(power) for power in POWERS if SIDE[power] is side)
        lines.append(f"  {str(side).capitalize():15}{total:>4}")
    return lines, {"income": rows}
