"""The bots: what they answer to each decision.

They attack where the table favours it, take and guard what counts for victory, keep lines, bonds and supply, and leave
to the game's defaults what is asked in the middle of battles.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pbem.game import Order, Orders, Randomness, View
from pbem.kit import AREA, MOST_ENTRIES, SUPPLIED, UNIT, ListEntry, default_answer
from pbem_rules.stalingrad42.bot.fight import Assault, Eye, pursuit
from pbem_rules.stalingrad42.bot.mind import OFF, Level, Memory, Mind, Planned
from pbem_rules.stalingrad42.campaign.armies import Armies, Pairing
from pbem_rules.stalingrad42.campaign.offensive import Offensives
from pbem_rules.stalingrad42.campaign.removals import Releases, fillable, lacking, recallable
from pbem_rules.stalingrad42.chart import ASU, AXIS, FREE, FROST, KERCH, LEADER, MECH, SIDES, SUPPLY, TRANSIT
from pbem_rules.stalingrad42.combat.disengaging import goers, unfit
from pbem_rules.stalingrad42.combat.fights import targets
from pbem_rules.stalingrad42.combat.flight import NEAR
from pbem_rules.stalingrad42.combat.guns import no_guns
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, NO_ATTACK
from pbem_rules.stalingrad42.combat.offensives import Plans, left, no_plans
from pbem_rules.stalingrad42.combat.reserves import HEXES, Reserves, able
from pbem_rules.stalingrad42.frames import PlayerTurn, Prelude, Respite
from pbem_rules.stalingrad42.initial import Arrivals, Brings, Digs, Ends, Enlists, Refits
from pbem_rules.stalingrad42.movement.marching import EXTENDED, NORMAL, TACTICAL
from pbem_rules.stalingrad42.movement.phase import Sails, Transfers, crowded, may_attack, movers
from pbem_rules.stalingrad42.orders import (
    Activate,
    Attack,
    Commit,
    Dig,
    Disengage,
    Done,
    Extended,
    Move,
    Recall,
    Refill,
    Remove,
    Renew,
    Reserve,
    Storm,
    Tactical,
    Transfer,
    Weaken,
)
from pbem_rules.stalingrad42.replacements import Renewals
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.state import BOXES, DISENGAGING, GOOD, PLANNED, State

QUICK = Level(posts=10, joined=4, fields=10, storms=False, line=False)
SENSIBLE = Level(posts=24, joined=7, fields=30, storms=True, line=True)
ENOUGH = 4  # by how much another hex must be better
GUNS, AIR = 40, 80  # what artillery support, and an air unit, must add to an attack
LISTED = 400
STEADY, FIRM = 2, 8  # S42-18.2.2: the hexes after which support is of no use in this turn, and what that costs
HOPELESS = 4  # times its defence that the enemy could bring against a hex
REAR = 3  # hexes from the enemy that support keeps
_BY_MODE: Mapping[str, type[Move | Extended | Tactical]] = {NORMAL: Move, EXTENDED: Extended, TACTICAL: Tactical}


class StalingradBot:
    """Deterministic, and the same whatever `rng` says, but for the boxes of reserve armies."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._memory = {side: Memory() for side in SIDES}

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterable[Order], rng: Randomness) -> Order:
        if need.kind == Pairing.name:  # S42-34.1: by chance alone, so that nobody can work it out
            orders = list(legal)
            return orders[rng.below(len(orders))]
        answer = _ANSWERS.get(need.kind)
        order: Order | None = None
        if answer is not None:
            order = answer(Mind(view.state, seat, self._memory[seat], self._level), view)
        order = order or default_answer(_STEPS[need.kind], view, seat)
        return next(iter(islice(legal, LISTED))) if order is None else order


# The Initial Phase


def initial(mind: Mind, view: View[State]) -> Order:
    """Arrivals to the Area nearest to where they are wanted; then support, supplies, and forts for the line."""
    s, f = mind.s, view.frame
    assert isinstance(f, PlayerTurn)
    arrivals = list(Arrivals().legal(s, f, mind.side, {}))
    if arrivals:
        first = [order for order in arrivals if order.unit == arrivals[0].unit]
        return min(first, key=lambda order: _from_front(mind, order.area))
    renewed = max(Renewals().legal(s, f, mind.side, {}), key=lambda order: _renewal(mind, order), default=None)
    if renewed is not None and _renewal(mind, renewed) > 0:
        return renewed
    asked = campaign(mind, f)
    if asked is not None:
        return asked
    volunteers = next(iter(Enlists().legal(s, f, mind.side, {})), None)
    if volunteers is not None:
        return volunteers
    if f.points:
        plans = Plans().legal(s, f, mind.side, {})
        plan = min(plans, key=lambda order: _from_enemy(mind, order.unit), default=None)
        if plan is not None and _from_enemy(mind, plan.unit) > s.face(plan.unit).value("range"):
            plan = None
        refit = next(iter(Refits().legal(s, f, mind.side, {})), None)
        supplies = min(
            Brings().legal(s, f, mind.side, {}), key=lambda order: _from_front(mind, order.area), default=None
        )
        for order in (refit, plan, supplies):
            if order is not None:
                return order
        for place in sorted(mind.line, key=lambda place: (-mind.danger(place), place)):
            if mind.stack(place) and Digs().check(s, f, mind.side, Dig(place), {}) is None:
                return Dig(place)
    return next(iter(Ends().legal(s, f, mind.side, {})))


def campaign(mind: Mind, f: PlayerTurn) -> Order | None:
    """Reserve armies at once; who is worth least leaves; the Winter Offensive as late as in history."""
    s, side = mind.s, mind.side
    release = next(iter(Releases().legal(s, f, side, {})), None)
    if release is not None:
        return release

    def price(unit: int) -> int:
        return mind.price(unit) if s.on_map(unit) else 0

    leaves = min((*recallable(s, f), *lacking(s, f)), key=lambda unit: (price(unit), unit), default=None)
    if leaves is not None:
        return Recall(leaves) if recallable(s, f) else Weaken(leaves)
    fill = max(fillable(s, f), key=lambda unit: (price(unit), -unit), default=None)
    if fill is not None:
        return Refill(fill)
    late = any(s.turn >= turn for turn in s.chart.track.marked(FROST))
    return next(iter(Offensives().legal(s, f, side, {})), None) if late else None


def _renewal(mind: Mind, order: Renew) -> int:
    """What a step is worth; less near the enemy, since the unit will hardly move and not attack."""
    if order.place in BOXES or mind.s.at(order.unit) in BOXES:  # S42-34: these bots hide nobody
        return 0
    if order.place is None:
        return mind.price(order.unit) - 25 * (mind.memory.near[mind.s.at(order.unit)] <= 2)
    if mind.board[order.place].kind == AREA:
        return 15
    return 30 - min(mind.memory.near[order.place], 12)


def _from_enemy(mind: Mind, unit: int) -> int:
    return LISTED if mind.s.in_area(unit) else mind.memory.near[mind.s.at(unit)]


def _from_front(mind: Mind, area: int) -> int:
    """How far an Area lies from the enemy, but not beside them; one without hexes is far."""
    gates = mind.chart.map.entries[next(key for key, place in mind.chart.areas.items() if place == area)].places
    return min((abs(mind.memory.near[gate] - 4) for gate in gates), default=LISTED)


# Movement


def movement(mind: Mind, view: View[State]) -> Order:
    """The next order of the plan that can be carried out; what fails is tried again at the end."""
    f, memory = view.frame, mind.memory
    assert isinstance(f, PlayerTurn)
    if not f.moved:
        memory.replan()
    if memory.plan is None:
        memory.plan = tuple(storm(mind, f)) or tuple(plan(mind, f))
    order = _next(mind, f, memory.plan)
    if order is None and any(isinstance(each, Storm) for each in memory.plan):
        memory.replan()  # the automatic DS came to nothing
        memory.plan = tuple(plan(mind, f))
        order = _next(mind, f, memory.plan)
    if order is not None:
        return order
    over = crowded(mind.s, mind.side)
    if over:
        return Remove(min((u for u in mind.stack(over[0]) if not mind.s.has(u, ASU)), key=lambda u: (mind.price(u), u)))
    return (reserve(mind, f) if type(f) not in _PHASES else None) or Done()


def _next(mind: Mind, f: PlayerTurn, orders: Iterable[Planned]) -> Planned | None:
    failed, step = mind.memory.failed, _STEPS[_PHASES.get(type(f), "movement")]
    able = [order for order in orders if type(order) in step.choice_of]
    fresh = [order for order in able if isinstance(order, Storm) or order.unit not in f.moved]
    for again in (False, True):
        for order in fresh:
            if (order in failed) == again:
                if step.check(mind.s, f, mind.side, order, {}) is None:
                    return order
                failed.add(order)
    return None


def storm(mind: Mind, f: PlayerTurn) -> Iterator[Planned]:
    """S42-8.6: the moves of an automatic DS, and itself."""
    if not mind.level.storms or type(f) in _PHASES:
        return
    units = fighters(mind, f)
    eye = Eye(mind, units)
    found = eye.storms(_close(mind, units), units, standing(mind, f))
    if found is not None:
        yield from approach(mind, found)
        yield Storm(found.target, found.units, **after(eye, found)._asdict())


def approach(mind: Mind, assault: Assault) -> Iterator[Planned]:
    for unit, cell in assault.posts:
        if mind.at(unit) != cell:
            yield _BY_MODE[mind.reach(unit)[cell]](unit, (cell,))
            mind.go(unit, cell)


def fighters(mind: Mind, f: PlayerTurn) -> list[int]:
    """Who may still move, and fight."""
    s = mind.s
    stormed = {unit for storm in f.storms for unit in storm.units}
    return [unit for unit in movers(s, f) if s.fights(unit) and not s.has(unit, ASU) and unit not in stormed]


def standing(mind: Mind, f: PlayerTurn) -> list[int]:
    """Who may attack from where they stand."""
    s = mind.s
    beside = mind.chart.zones.of_mask(s.fighters(mind.foe)) & s.fighters(mind.side)
    units = (unit for place in mind.board.in_mask(beside) for unit in s.of(mind.side, place))
    return [unit for unit in units if may_attack(s, f, unit) is None]


def _close(mind: Mind, units: Iterable[int]) -> list[int]:
    """The hexes with enemies that somebody can come to."""
    cells = {cell for unit in units for cell in (mind.at(unit), *mind.strikes(unit))}
    near = mind.board.near
    return [at for at in mind.board.in_mask(mind.enemies) if not cells.isdisjoint(near[at])]


def plan(mind: Mind, f: PlayerTurn) -> Iterator[Planned]:
    """First whoever is needed for an attack, then everybody to the best hex, then support and supplies behind them."""
    s = mind.s
    yield from by_sea(mind, f)
    units = fighters(mind, f)
    busy: set[int] = set()
    assaults = Eye(mind, units).assaults(_close(mind, units), units, standing(mind, f))
    for assault in assaults:
        yield from approach(mind, assault)
        busy.update(assault.units)
    mind.shut_in(assault.target for assault in assaults)
    units.sort(key=lambda unit: (not s.has(unit, MECH), mind.memory.near[s.at(unit)], unit))
    for unit in units:
        if unit not in busy:
            goal = mind.best_place(unit, mind.reach(unit), ENOUGH)
            if goal is not None:
                yield _BY_MODE[mind.reach(unit)[goal]](unit, (goal,))
                mind.go(unit, goal)
    for unit in movers(s, f):
        if s.has(unit, ASU) or s.has(unit, SUPPLY) or s.has(unit, LEADER):
            goal = follow(mind, unit)
            if goal >= 0:
                yield _BY_MODE[mind.reach(unit)[goal]](unit, (goal,))
                mind.go(unit, goal)


def reserve(mind: Mind, f: PlayerTurn) -> Reserve | None:
    """S42-25: the strongest that can be kept back, with an enemy two hexes away whom others can attack."""
    near = mind.board.mask(targets(mind.s, f))
    fit = [
        order
        for order in Reserves().legal(mind.s, f, mind.side, {})
        if near & mind.chart.ranges.within(mind.s.at(order.units[0]), HEXES)
        and not near & mind.chart.ranges.within(mind.s.at(order.units[0]), 1)
    ]
    return max(fit, key=lambda order: sum(mind.s.face(unit).attack for unit in order.units), default=None)


def by_sea(mind: Mind, f: PlayerTurn) -> Iterator[Planned]:
    """Out of the Caspian box to the Area nearest to the enemy; over the strait of Kerch."""
    s, areas = mind.s, mind.chart.areas
    for unit in s.of(mind.side, areas[TRANSIT]) if TRANSIT in areas else ():
        ends = Transfers.ends(s, unit)
        if ends:
            yield Transfer(unit, min(ends, key=lambda area: (_from_front(mind, area), area)))
    if mind.side == AXIS and KERCH in areas:
        yield from islice(Sails().legal(s, f, AXIS, {}), 1)


def follow(mind: Mind, unit: int) -> int:
    """Where support reaches most of its side's front from behind; supplies go where it is; -1: it stays."""
    s, grid, start = mind.s, mind.board.grid, mind.s.at(unit)
    assert grid is not None
    if s.has(unit, SUPPLY):
        wanted = [
            at for at in (mind.at(each) for each in s.ground.standing(mind.side) if s.has(each, ASU)) if at in grid
        ]
        far = 0
    else:
        wanted = [cell for cell in mind.board.in_mask(mind.held) if mind.memory.near[cell] <= 2]
        far = s.face(unit).value("range") - 1

    near = any(start in grid and grid.distance(start, each) <= far for each in wanted)
    useful = unit in s.plans or (s.pieces[unit].ready and near)

    def worth(cell: int) -> int:
        if cell not in grid:
            return OFF
        away = sorted(max(0, grid.distance(cell, each) - far) for each in wanted)[:8]
        score = -sum(away) * 2 // max(len(away), 1) - 10 * max(0, REAR - mind.memory.near[cell])
        score += 6 * bool(mind.stack(cell)) - 30 * (not mind.board.bit[cell] & mind.supplied)
        score -= FIRM * (useful and grid.distance(start, cell) > STEADY)
        return score - 5 * any(s.has(each, ASU) and each != unit for each in mind.stack(cell)) * (far > 0)

    best = max(sorted(mind.reach(unit)), key=worth, default=-1)
    return best if best >= 0 and worth(best) > worth(start) + 2 else -1


# Attacks


def attacks(mind: Mind, view: View[State]) -> Order:
    """Attacks beside each other, the best first, with support where it adds enough: listed at once, told one by one."""
    f, memory = view.frame, mind.memory
    assert isinstance(f, PlayerTurn)
    number = len(f.entries)
    if number == 0 or tuple(f.entries) != memory.attacks[:number]:
        memory.attacks = (*f.entries, *advanced(mind, f, list(entries(mind, f)), number))[:MOST_ENTRIES]
    return memory.attacks[number] if number < len(memory.attacks) else Done()


def entries(mind: Mind, f: PlayerTurn) -> Iterator[Attack]:
    listed, found = f.attacks(), targets(mind.s, f)
    ready = sorted({unit for units in found.values() for unit in units})
    eye = Eye(mind, listed=listed)
    assaults = eye.assaults([target for target in found if target not in {entry.target for entry in listed}], (), ready)
    for number, assault in enumerate(assaults, 1):
        mind.shut_in(later.target for later in assaults[number:])
        entry = as_listed(mind, eye, assault)
        if entry is not None:
            eye.take(entry)
            yield entry


def advanced(mind: Mind, f: PlayerTurn, attacks: Sequence[Attack], number: int) -> Iterator[ListEntry]:
    """The attacks, with what the advanced rules add: a Planned Offensive for the first it can go into, reserves into
    what is emptied, and those who had better leave.
    """
    s = mind.s
    ready, waiting = sorted(left(s, f, mind.side).elements()), list(f.reserved)
    listed = {unit for entry in (*f.attacks(), *attacks) for unit in entry.units}
    for entry in attacks:
        plans = tuple(unit for unit in ready if no_plans(s, mind.side, (unit,), entry.units) is None)[:1]
        if plans and PLANNED in s.options:
            ready.remove(plans[0])
            number += 1
            yield Commit(plans, entry.target)
        number += 1
        yield entry
        for marker in [each for each in waiting if listed.isdisjoint(each)]:
            words = tuple(word for unit in marker if able(s, f, unit) for word in into(mind, unit, entry.target))
            if words:
                waiting.remove(marker)
                yield Activate(words, after=number)
                number += 1
                break
    if DISENGAGING in s.options:
        yield from (Disengage((unit,)) for unit in leavers(mind, f) if unit not in listed)


def into(mind: Mind, unit: int, target: int) -> tuple[int, ...]:
    """An advance of a reserve to a hex two hexes away, by the safest hex between."""
    near, start = mind.board.near, mind.s.at(unit)
    between = [place for place in near[start] if place in near[target] and not mind.board.bit[place] & mind.enemies]
    if not between:
        return ()
    way = min(between, key=lambda place: (bool(mind.board.bit[place] & mind.hostile), place))
    return UNIT + unit, way, target


def leavers(mind: Mind, f: PlayerTurn) -> Iterator[int]:
    """S42-27: who is cut off, or alone against many where nothing is to be held, and has a way out."""
    s = mind.s
    for place in mind.board.in_mask(s.fighters(mind.side) & s.beside(mind.side)):
        units = mind.stack(place)
        weak = mind.memory.menace.get(place, 0) >= HOPELESS * sum(s.face(unit).defence for unit in units)
        kept = place in mind.chart.prizes or place in mind.line or mind.chart.is_city(place)
        for unit in units:
            cut_off = s.pieces[unit].supply != SUPPLIED
            fit = s.pieces[unit].order == GOOD and unfit(s, f, unit) is None
            if fit and (cut_off or (weak and not kept)) and goers(s, mind.side, (unit,), NEAR):
                yield unit


def armies(_mind: Mind, _view: View[State]) -> Order:
    """Their boxes stay empty: these bots hide nobody."""
    return Done()


def disengagements(mind: Mind, view: View[State]) -> Order:
    """S42-33.2.3c: in the short turn."""
    f = view.frame
    assert isinstance(f, PlayerTurn)
    full = len(f.entries) == MOST_ENTRIES
    return Done() if full else next((Disengage((unit,)) for unit in leavers(mind, f)), Done())


def as_listed(mind: Mind, eye: Eye, assault: Assault) -> Attack | None:
    """None: without the support that was hoped for it is no attack."""
    s, target = mind.s, assault.target
    fit = ((guns,) for guns in eye.covered if no_guns(s, mind.side, (guns,), assault.units) is None)
    guns, air = next(fit, ()), eye.wing(target)
    if air is not None and eye.worth(target, assault.posts, 1) < eye.worth(target, assault.posts) + AIR:
        air = None
    helped = int(air is not None)
    if guns and eye.worth(target, assault.posts, 1 + helped) < (eye.worth(target, assault.posts, helped) + GUNS):
        guns = ()
    column, favoured = eye.column(target, assault.posts, helped + len(guns))
    if column == NO_ATTACK:
        return None
    columns = range(len(s.chart.odds.columns) if column == AUTOMATIC else column + 1)
    good = (c for c in columns if eye.worth_in(c, target, assault.posts, favoured=favoured) > 0)
    return Attack(target, assault.units, least=next(good, None), air=air, guns=guns, **after(eye, assault)._asdict())


class After(NamedTuple):
    """What an entry says of the time after a victory."""

    breaks: tuple[int, ...] = ()
    via: tuple[int, ...] = ()
    advance: tuple[int, ...] = ()


def garrisons(mind: Mind, units: Collection[int]) -> Iterator[int]:
    """Of those who attack out of a prize that would lie open without them, the best to defend it."""
    enough = mind.posture.garrison
    s = mind.s
    for place in {mind.at(unit) for unit in units} & {*mind.chart.prizes}:
        left = mind.defence(unit for unit in mind.stack(place) if unit not in units)
        for unit in sorted(mind.stack(place), key=lambda unit: (s.has(unit, MECH), -s.face(unit).defence, unit)):
            if mind.memory.menace.get(place) and unit in units and left < enough:
                yield unit
                left += s.face(unit).defence


def after(eye: Eye, assault: Assault) -> After:
    """Who goes after the enemy: vehicles as a group, others into the hex; of a side that holds two into what counts."""
    mind, s, target = eye.mind, eye.mind.s, assault.target
    stay = set(garrisons(mind, assault.units))
    units = sorted(set(assault.units) - stay, key=lambda unit: (-s.face(unit).attack, unit))
    if not mind.posture.advances:
        counts = target in mind.chart.prizes or target in mind.line
        return After(advance=tuple(word for unit in units[:2] for word in (UNIT + unit, target))) if counts else After()
    group: list[int] = []
    limit = s.chart.limits["stack"][mind.side]
    for unit in units:
        if s.has(unit, MECH) and s.counted(group, mind.side, (s.has(unit, FREE),)) <= limit:
            group.append(unit)
    words = tuple(word for unit in units if unit not in group for word in (UNIT + unit, target))
    if not group:
        return After(advance=words)
    via = pursuit(eye, group, target)
    if len(via) == 1:
        return After(advance=(*words, *(word for unit in group for word in (UNIT + unit, target))))
    return After(tuple(group), via, words)


# The short ways of moving: the steps in which they are ordered.
_PHASES: Mapping[type[PlayerTurn], str] = {Respite: "short_movement", Prelude: "first_moves"}
_STEPS: Mapping[str, Any] = {step.name: step for sequence in SEQUENCES for step in sequence.steps}
_ANSWERS: Mapping[str, Callable[[Mind, View[State]], Order | None]] = {
    Armies.name: armies,
    "attacks": attacks,
    "disengagements": disengagements,
    "initial": initial,
    "movement": movement,
    "short_movement": movement,
    "first_moves": movement,
}
