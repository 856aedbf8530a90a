"""Answers to players' questions about the position: who reaches what, zones, who can still move, complexes, incomes.

look reach Ukraine            where the units there can attack, and where they can go in the non-combat move
look reach tank Ukraine       only those of one kind; `german tank Ukraine`, `uk-transport-1`: of one power
look to Caucasus              who can come there, of every power
look borders Ukraine          what lies beside it
look units                    what each kind of unit costs and can do
look zones, look left, look rooms, look income; look alone tells these four
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.game import NotationError, Order, Orders, Reckoning, View
from pbem.kit import all_of, describe_places, many
from pbem_rules.axis1941.assault import fields, planned
from pbem_rules.axis1941.battle_losses import Losses
from pbem_rules.axis1941.battle_retreat import Withdraw
from pbem_rules.axis1941.board import ACTED, counted, unit_text
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.hits import TRANSPORT, strength
from pbem_rules.axis1941.homing import enemies_beside, guards, missing_guards
from pbem_rules.axis1941.mobilise import complexes, room, waiting_units
from pbem_rules.axis1941.moving import label, titled
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.orders import Finish, Put, Return
from pbem_rules.axis1941.purchase import refusal
from pbem_rules.axis1941.reaching import BOARDS, COMBAT, QUIET, Mover, by_turn, movers
from pbem_rules.axis1941.reckon import defenders
from pbem_rules.axis1941.routes import places as places_in
from pbem_rules.axis1941.sight import ZONES, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, KINDS, LAND, NONE, POWERS, SEA, SEATS, SIDE, TITLES, Kind, Power, ship_of

USAGE = (
    "Ask `reach PLACE`, `reach UNIT PLACE`, `to PLACE`, `borders PLACE`, `units`, `zones`, `left`, `rooms`, `income`; "
    "`look` alone answers the last four."
)
FEW, MANY = 4, 8  # battles, and places, that are named
MOST_RISKS = 6
SAID = {COMBAT: "in the combat move", QUIET: "in the non-combat move", BOARDS: "boards ships in"}
SHORT = {COMBAT: "to attack", QUIET: "in the non-combat move", BOARDS: "aboard a ship"}
Lines = tuple[list[str], Mapping[str, object]]
Told = tuple[list[str], Mapping[str, object], Mapping[str, str]]  # and notes on places


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or what is wrong with the question."""
    words = text.split()
    try:
        lines, figures, places = _answer(view, words[0].casefold() if words else "", words[1:])
    except NotationError as error:
        return f"{error.sentence} {USAGE}"
    return Reckoning("\n".join(lines), figures, places)


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """Money that could still buy something (AA-4.2), battles that nobody will ask about (AA-6.46), units that have not
    moved, and units that are bought and not placed (AA-9.4), or the last of them.
    """
    s, f = view.state, view.frame
    if not isinstance(f, Turn) or not isinstance(view.need, Orders) or seat not in SEATS[f.power]:
        return
    kind, ends = view.need.kind, order is None or isinstance(order, Finish)
    if kind == "purchase" and ends and any(refusal(s, f.power, each) is None for each in KINDS):
        yield f"{s.ipc[f.power]} IPC are not spent."
    if kind == "combat" and isinstance(order, Finish):
        fought = fields(s, look(s))
        if not fought and not len(f.held):
            yield "No battle is declared: nothing is attacked in this turn."
        places = [place for place in fought if look(s).foes >> place & 1]
        known = {place: {"place": place, "attacking": 1, "sea": int(place >= FIRST_ZONE)} for place in places}
        yield from _unchosen(s, places, [place for place in places if view.usual(Losses.name, known[place])])
        yield from _to_the_end(s, places, [place for place in places if view.usual(Withdraw.name, known[place])])
        for each in (Losses.name, Withdraw.name):
            left = [place for place in places if not view.usual(each, known[place])]
            if own := {place: said for place in left if (said := view.standing(each, known[place]))}:
                names, said = all_of([s.where(place) for place in own]), next(iter(own.values()))
                yield f"In {names} your own standing order for {each} decides: {' '.join(said)}"
        yield from _bound(s)
    if kind == "noncombat" and isinstance(order, Finish):
        yield from _staying(view)
    if kind == "mobilise" and isinstance(order, Put | Return) and sum(waiting_units(s).values()) == 1:
        follows = TITLES[POWERS[(POWERS.index(f.power) + 1) % len(POWERS)]]
        yield f"That is the last unit to place: {TITLES[f.power]}'s turn ends with it. Next: {follows}."
    if kind in ("noncombat", "mobilise") and order is None and (units := waiting_units(s)):
        yield f"Bought and not placed: {counted(each for each, count in units.items() for _ in range(count))}."


def _unchosen(s: State, places: list[int], unasked: list[int]) -> Iterator[str]:
    """AA-6.29: what the usual answer to `losses` means where units of several kinds attack, and how to be asked."""
    kinds: dict[int, set[Kind]] = {}
    for unit in s.units.values():
        if unit.power is s.active:
            kinds.setdefault(unit.place if unit.target == NONE else unit.target, set()).add(unit.kind)
    if any(len(kinds.get(place, ())) > 1 for place in unasked):
        some = "" if unasked == places else _battle_for([s.where(place) for place in unasked])
        yield (
            f"Nobody asks you which of your units are lost{some}. On land, infantry goes first, then tanks, then "
            "aircraft; but aircraft go first once only one land unit is left. At sea, battleships are damaged first, "
            "then submarines go; transports go last. "
            "To be asked at each hit, in attacks of the enemy too: `standing losses ask`."
        )


def _battle_for(names: Sequence[str]) -> str:
    return f" in the {'battle' if len(names) == 1 else 'battles'} for {all_of(names)}"


def _to_the_end(s: State, places: list[int], unasked: list[int]) -> Iterator[str]:
    """AA-6.46: what the usual answer to `retreat` means in the battles that are left to it, and how to be asked."""
    if unasked:
        names = [s.where(place) for place in unasked]
        some = "" if unasked == places else _battle_for(names)
        goes = "each battle" if unasked == places or len(unasked) > 1 else "it"
        yield (
            f"Nobody asks you whether to retreat{some}: {goes} goes on until it is decided, unless your side becomes "
            "much weaker than the enemy. To be asked after each round: `standing retreat ask`."
        )
        if len(places) > 1:
            asked = [f"in {s.where(place)}: ask" for place in places if place not in unasked]
            for name in names[:FEW]:
                policy = "; ".join([*asked, f"in {name}: ask"])
                alone = "too" if asked else "alone"
                yield f"To be asked about a retreat in the battle for {name} {alone}: `standing retreat {policy}`."


def _bound(s: State) -> Iterator[str]:
    """AA-5.37: the carriers that are promised as the combat move ends, since fighters count on them."""
    for each, ordered in planned(s):
        if not ordered:
            ship = "A new carrier" if each.carrier == NONE else titled(s.units[each.carrier]).capitalize()
            where = s.where(each.zone)
            yield (
                f"{ship} is promised for {where}, and must end the turn there if the fighters come back: "
                f"{many(len(each.fighters), 'fighter')} would have nowhere else to land (AA-5.37)."
            )


def _staying(view: View[State]) -> Iterator[str]:
    """Who stays where they are at the end of the non-combat move."""
    s = view.state
    aboard = [unit.kind for unit in s.units.values() if unit.power is s.active and unit.aboard != NONE]
    if troops := counted(kind for kind in aboard if kind in LAND):
        yield f"Still aboard transports: {troops}."
    if risky := sorted(_unsafe(view), key=lambda each: (-each[0], each[1])):
        named = []
        for _, place in risky[:MOST_RISKS]:
            own = (s.units[each] for each in s.here(place, power=s.active))
            units = counted(unit.kind for unit in own if unit.kind not in LAND or place < FIRST_ZONE)
            named.append(f"{units} in {s.where(place)}" if units else f"{s.where(place)}, which is empty")
        more = f"; and {len(risky) - len(named)} more" if len(risky) > len(named) else ""
        yield (
            f"Not safe: {'; '.join(named)}{more}. On land, more enemy land units stand next to it than yours in it, or "
            "aircraft are on an empty coast; at sea, more enemies can come in one turn than can fight there."
        )
    if rows := _unmoved(s):
        number = sum(map(len, rows.values()))
        yield f"Not moved: {many(number, 'unit')}, in {describe_places(rows, s.where, MANY)}."


def _unsafe(view: View[State]) -> Iterator[tuple[int, int]]:
    """How many units are missing, and where: on land by the rule by which `home` chooses, at sea by the ships and
    aircraft that one enemy power can bring."""
    s, side = view.state, SIDE[view.state.active]
    for place in range(FIRST_ZONE):
        kinds = {s.units[each].kind for each in s.here(place, power=s.active)}
        if kinds & AIR:
            lacks = missing_guards(s, place)
        elif kinds or s.control.get(place) is s.active:
            lacks = enemies_beside(s, place) - guards(s, place)
        else:
            continue
        if lacks > 0:
            yield lacks, place
    coming = dict.fromkeys((s.units[each].place for kind in SEA for each in s.ground.of[s.active, kind]), 0)
    for power in (each for each in POWERS if SIDE[each] is not side):
        count: Counter[int] = Counter()
        for row in movers(view, power):
            if row.kind not in LAND and row.kind is not Kind.TRANSPORT:
                count.update(dict.fromkeys(row.goals.get(COMBAT, ()), row.many))
        coming = {zone: max(most, count[zone]) for zone, most in coming.items()}
    for zone, most in coming.items():
        force = defenders(s, zone, side)
        own = strength(force) - force[TRANSPORT]
        if most > own:
            yield most - own, zone


def _answer(view: View[State], word: str, rest: list[str]) -> Told:
    s = view.state
    if word in ABOUT and rest:
        return ABOUT[word](view, rest)
    every = {"zones": _zones, "left": _left, "rooms": _rooms, "income": _income}
    more = {"units": _units, **every}
    if rest or word not in ("", *more):
        raise NotationError("invalid", "That cannot be looked up.")
    told = [more[name](s) for name in (every if not word else (word,))]
    figures: dict[str, object] = {}
    for _, found in told:
        figures.update(found)
    return [line for lines, _ in told for line in lines], figures, {}


# Movement


def _named(words: list[str]) -> tuple[Power | None, list[Kind], int, list[str]]:
    """The power, kinds and number of a ship that are asked about, and the words behind them.

    `tank Ukraine`, `german tank Ukraine`, and as chips on a board are named: `germany-tank@Ukraine`, `uk-transport-1`.
    """
    first, at, place = words[0].partition("@")
    power = TYPED.power(first.partition("-")[0])
    if at:
        return power, [Kind(kind) for kind in KINDS if first.endswith(kind)], 0, [place, *words[1:]]
    if power is not None and "-" not in first:
        words = words[1:]
    ship = TYPED.ship(words, power or Power.USSR) if power is not None else None
    if ship is not None:
        return power, [ship_of(ship)[1]], ship_of(ship)[2], []
    found, rest = TYPED.counted(words)
    return power, [kind for _, kind, _ in found], 0, rest


def _reach(view: View[State], words: list[str]) -> Told:
    s = view.state
    power, kinds, number, rest = _named(words)
    place = s.units[_ship(s, power, kinds, number)].place if number else TYPED.need_place(rest)
    there = [each for each in by_turn(s) if any(s.here(place, power=each))]
    lines: list[str] = []
    figures: dict[str, object] = {}
    shown: dict[str, list[str]] = {}
    for each in (there or [s.active]) if power is None else [power]:
        found = [row for row in movers(view, each) if row.start == place and (not kinds or row.kind in kinds)]
        for row in found:
            if number in (0, row.number):
                lines.append(
                    f"{_who(s, row)}: {'; '.join(f'{SAID[do]} {_goals(s, to)}' for do, to in row.goals.items())}."
                )
                unit = label(row.kind, row.number)
                figures[unit if each in (power, s.active) else f"{each} {unit}"] = {
                    what: {s.chart.words[goal]: far for goal, far in goals.items()} for what, goals in row.goals.items()
                }
                for what, goals in row.goals.items():
                    for goal, far in goals.items():
                        shown.setdefault(s.chart.words[goal], []).append(f"{_spaces(far)} {SHORT[what]}")
        if not found:
            when = "now" if each is s.active else "in its next turn"
            lines.append(f"No unit of {TITLES[each]} in {s.where(place)} can move {when}.")
    places = {word: ", ".join(dict.fromkeys(notes)) for word, notes in shown.items()}
    return lines, {"place": s.chart.words[place], "reach": figures}, places


def _ship(s: State, power: Power | None, kinds: list[Kind], number: int) -> int:
    ship = s.ship(power or s.active, kinds[0], number)
    if ship == NONE:
        raise NotationError("unknown", f"There is no {label(kinds[0], number)}.")
    return ship


def _who(s: State, row: Mover) -> str:
    """`Tank in Ukraine`, with its power if it is not its turn."""
    unit = f"{label(row.kind, row.number)} in {s.where(row.start)}"
    return f"{unit[0].upper()}{unit[1:]}" if row.power is s.active else f"{TITLES[row.power]}'s {unit}"


def _spaces(far: int) -> str:
    return f"{far} {'space' if far == 1 else 'spaces'}"


def _goals(s: State, goals: Mapping[int, int]) -> str:
    return ", ".join(
        f"{s.where(goal)} ({far})" for goal, far in sorted(goals.items(), key=lambda row: (row[1], row[0]))
    )


def _to(view: View[State], words: list[str]) -> Told:
    """Who can come there: the power whose turn it is, then the others, each in its next turn."""
    s, place = view.state, TYPED.need_place(words)
    lines, rows, places = [], [], {}
    for power in by_turn(s):
        coming = [
            (row, what) for row in movers(view, power) for what in (COMBAT, QUIET) if place in row.goals.get(what, ())
        ]
        for row, what in coming:
            far, start = row.goals[what][place], s.chart.words[row.start]
            lines.append(f"{_who(s, row)}: {_spaces(far)}, {SAID[what]}.")
            unit = label(row.kind, row.number)
            rows.append({"from": start, "power": str(power), "spaces": far, "unit": unit, "what": what})
            places[start] = f"{_spaces(far)} away"
        if not coming and power is s.active:
            lines.append(f"No unit of {TITLES[power]} can come to {s.where(place)} now.")
    return lines, {"place": s.chart.words[place], "to": rows}, places


# The board


def _borders(view: View[State], words: list[str]) -> Told:
    """AA-2.1: neighbours by land and by sea; where a canal or the straits bar ships, whether these are open."""
    s, place = view.state, TYPED.need_place(words)
    side = look(s).side
    named, notes = [], {}
    for each in s.chart.near[place]:
        if s.chart.neutral(each):
            continue
        gated = (place, each) in s.chart.gates or {place, each} == set(s.chart.straits)
        gate = f"{_open(s.open_gate(place, each, side))} to {TITLES[s.active]}'s ships" if gated else ""
        named.append(f"{s.where(each)}{f' ({gate})' if gate else ''}")
        notes[s.chart.words[each]] = gate or "borders it"
    line = f"{s.where(place)} borders {', '.join(named) or 'nothing'}."
    return [line], {"place": s.chart.words[place], "borders": [*notes]}, notes


def _units(s: State) -> Lines:
    lines = [f"{kind}, {unit_text(s, kind)}." for kind in KINDS]
    rows = {str(kind): s.chart.stats[kind] for kind in KINDS}
    figures = {
        kind: {"cost": row.cost, "attack": row.attack, "defence": row.defence, "move": row.move, "hits": row.hits}
        for kind, row in rows.items()
    }
    return lines, {"units": figures}


def _zones(s: State) -> Lines:
    """AA-2.5, AA-2.13: hostile zones, those with submarines and transports only, canals."""
    view = look(s)
    hostile = list(places_in(view.armed & ZONES))
    prowled = list(places_in(view.foes & ZONES & ~view.armed))
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


def _left(s: State) -> Lines:
    """Who has not moved, loaded or fought."""
    rows = {s.chart.words[place]: counted(kinds) for place, kinds in _unmoved(s).items()}
    lines = [f"{TITLES[s.active]} has not moved:", *(f"  {place:26}{names}" for place, names in rows.items())]
    return lines if rows else [f"{TITLES[s.active]} has no units left to move."], {"left": rows}


def _unmoved(s: State) -> dict[int, list[Kind]]:
    """By place; without what is aboard, but for fighters."""
    found = {}
    for place in range(PLACES):
        still = [s.units[n] for n in s.here(place, power=s.active) if not s.units[n].did & ACTED]
        if kinds := [unit.kind for unit in still if unit.aboard == NONE or unit.kind is Kind.FIGHTER]:
            found[place] = kinds
    return found


def _rooms(s: State) -> Lines:
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


def _income(s: State) -> Lines:
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


ABOUT = {"reach": _reach, "to": _to, "borders": _borders}
"""Questions about places."""
