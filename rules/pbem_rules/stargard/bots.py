"""Players made of code: `quick` looks at little, `sensible` at more; the engine's `random` knows nothing.

They keep their units in command and supply, guard and take what counts for victory, attack where the table favours
it, and leave to the game's defaults what is asked in the middle of battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pbem.game import Order, Orders, Randomness, View
from pbem.kit import UNIT, default_answer
from pbem_rules.stargard.arriving import still_to_do
from pbem_rules.stargard.bot_fight import Assault, Eye, step_price
from pbem_rules.stargard.bot_mind import REAR, Level, Memory, Mind
from pbem_rules.stargard.chart import FORTRESS, GERMAN, SIDES, SOVIET
from pbem_rules.stargard.command import CAVALRY_CORPS, posts
from pbem_rules.stargard.fights import air_left, spare_independents, targets
from pbem_rules.stargard.frames import Activation, Arriving, Command
from pbem_rules.stargard.movement import Drives, Exits, Moves, may_go, movers
from pbem_rules.stargard.odds import points
from pbem_rules.stargard.orders import (
    Activate,
    Attack,
    Decline,
    Done,
    Drive,
    Enter,
    Entrain,
    Exit,
    Move,
    Rebuild,
    Restore,
)
from pbem_rules.stargard.sequence import SEQUENCES
from pbem_rules.stargard.state import EXITED, State

QUICK = Level(posts=8, joined=3, fields=12, drives=False)
SENSIBLE = Level(posts=20, joined=6, fields=40, drives=True)
ENOUGH = 4  # by how much another hex must be better
AIR_COST, POWER_COST = 15, 45  # what air units must add to an attack
LISTED = 400
Planes = tuple[tuple[str, ...], tuple[str, ...]]  # at normal strength, at power


class StargardBot:
    """Deterministic, and the same whatever `rng` says."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._memory = {side: Memory() for side in SIDES}

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterable[Order], rng: Randomness) -> Order:
        mind = Mind(view.state, seat, self._memory[seat], self._level)
        answer = _ANSWERS.get(need.kind)
        order = (answer and answer(mind, view)) or default_answer(_STEPS[need.kind], view, seat)
        return listed(mind, list(islice(legal, LISTED))) if order is None else order


def listed(mind: Mind, orders: Sequence[Order]) -> Order:
    """Where there is no plan: units to their best places, steps to those who are worth most, else nothing."""

    def worth(order: Order) -> int:
        if isinstance(order, Enter):
            return 500 + mind.place(order.unit, order.to)
        if isinstance(order, Restore):
            return 300 + step_price(mind, order.unit)
        if isinstance(order, Rebuild):
            return 200 + mind.place(order.unit, order.to) + order.steps
        if isinstance(order, Move | Drive):
            end = order.path[-1] if isinstance(order, Move) else order.to
            return mind.place(order.unit, end) - mind.place(order.unit, mind.at(order.unit)) - ENOUGH
        return 0 if isinstance(order, Done | Decline) else -50

    return max(orders, key=worth)


# Chits


def pick_post(mind: Mind, view: View[State]) -> Order | None:
    """The formation that has most strength near the enemy; half as much if its own chit has been played."""
    frame, s = view.frame, mind.s
    assert isinstance(frame, Command)
    found = posts(s, mind.side)
    played = {s.chart.chits[code].formation for code in s.drawn}

    def strength(formation: str) -> int:
        units = [unit for unit in s.chart.formations[formation].units if s.on_map(unit)]
        near = sum(s.face(unit).attack for unit in units if mind.memory.near[s.at(unit)] <= 6)
        return near * (1 if formation in played else 2)

    return Activate(max(found, key=lambda each: (strength(each), each))) if found else Activate(CAVALRY_CORPS)


# Movement


def movement(mind: Mind, view: View[State]) -> Order:
    """The next order of the activation's plan that can still be carried out."""
    frame = view.frame
    assert isinstance(frame, Activation)
    if mind.memory.plan is None:
        mind.memory.plan = tuple(plan(mind, frame))
    for order in mind.memory.plan:
        if order.unit not in frame.moved and _CHOICES[type(order)].check(mind.s, frame, mind.side, order, {}) is None:
            return order
    return Done()


def plan(mind: Mind, f: Activation) -> Iterator[Move | Drive | Exit]:
    """First whoever is needed for an attack, then everybody to the best hex, then the headquarters behind them."""
    s = mind.s
    units = [
        unit for unit in movers(s, f) if s.on_map(unit) and not s.has(unit, FORTRESS) and not s.pieces[unit].pinned
    ]
    units = [unit for unit in units if unit in f.able]
    chosen = independents(mind, f, units)
    fighters = [u for u in units if not s.is_hq(u) and (not s.chart.independent(u) or u in chosen)]
    yield from exits(mind, f)
    fortresses = [unit for unit in f.able if s.on_map(unit) and s.has(unit, FORTRESS)]
    eye = Eye(mind, air_points(mind, f))
    busy = set()
    ahead = [at for at in mind.board.in_mask(s.ground.occupied[mind.foe]) if s.combat_units(at, mind.foe)]
    cells = {cell for unit in fighters for cell in (s.at(unit), *mind.reach(unit))}
    close = [at for at in ahead if not cells.isdisjoint(mind.board.near[at])]
    for assault in eye.assaults(close, fighters, (*fighters, *fortresses), 2):
        for unit, cell in assault.posts:
            if mind.at(unit) != cell and mind.has_room(unit, cell):
                yield Move(unit, (cell,))
                mind.go(unit, cell)
            busy.add(unit)
    for unit in fighters:
        if unit not in busy:
            yield from settle(mind, f, unit)
    for unit in units:
        if s.is_hq(unit):
            yield from lead(mind, f, unit)


def independents(mind: Mind, f: Activation, units: Iterable[int]) -> list[int]:
    """SG-3.3.2b: the two independent units that the activation uses: the strongest of those near the enemy."""
    s = mind.s
    free = [unit for unit in units if s.chart.independent(unit) and unit not in f.used]
    free.sort(key=lambda unit: (mind.memory.near[s.at(unit)] > REAR, -s.face(unit).attack, unit))
    return [*f.used, *free[: 2 - len(f.used)]]


def exits(mind: Mind, f: Activation) -> Iterator[Exit]:
    """SG-14.2.1: off the map, if that makes three."""
    s = mind.s
    if not s.lifted:
        return
    able = list(Exits().legal(s, f, mind.side, {}))
    if sum(s.at(unit) == EXITED for unit in s.chart.own[mind.side]) + len(able) >= 3:
        yield from able


def settle(mind: Mind, f: Activation, unit: int) -> Iterator[Move | Drive]:
    """To the best hex in reach; the Soviets by road from far behind."""
    s = mind.s
    here = s.at(unit)
    field = mind.reach(unit)
    if way := mind.raid(unit):
        yield Move(unit, way)
        mind.go(unit, *way)
        return
    rear = mind.side == SOVIET and mind.level.drives and s.turn > 1 and mind.memory.near[here] > REAR
    roads = mind.lines(unit) if rear and may_go(s, f, unit, Drive) is None else {}
    goal = mind.best_place(unit, sorted({**roads, **field}), ENOUGH)
    if goal is not None:
        yield Move(unit, (goal,)) if goal in field else Drive(unit, goal)
        mind.go(unit, goal)


def lead(mind: Mind, f: Activation, post: int) -> Iterator[Move]:
    """The headquarters follows its units."""
    s = mind.s
    if may_go(s, f, post, Move) is None:
        best = post_place(mind, post, mind.reach(post))
        if best >= 0:
            yield Move(post, (best,))


def post_place(mind: Mind, post: int, cells: Iterable[int]) -> int:
    """Where it reaches its units, behind the front, in supply, best in company; -1: no hex is better."""
    s, grid = mind.s, mind.board.grid
    assert grid is not None
    far = s.counter(post).faces[0].value("range")
    mates = [mind.at(unit) for unit in s.chart.formations[s.formation(post)].units if s.on_map(unit)]

    def worth(cell: int) -> int:
        bit = mind.board.bit[cell]
        away = [grid.distance(cell, mate) for mate in mates]
        score = -12 * sum(each > far for each in away) - sum(away) // max(len(away), 1)
        score -= 6 * max(0, 4 - mind.memory.near[cell]) + 20 * bool(bit & mind.hostile)
        score += 12 * bool(mind.stack(cell)) - 60 * (not bit & mind.open_to(post))
        return score

    free = [cell for cell in sorted(cells) if not any(map(s.is_hq, s.of(mind.side, cell)))]
    best = max(free, key=lambda cell: (worth(cell), cell), default=-1)
    return best if best >= 0 and worth(best) > worth(s.at(post)) + 1 else -1


# Arrivals


def arrivals(mind: Mind, view: View[State]) -> Order | None:
    """Each goes on to its best hex, by road and rail too; who must still enter or make room, as the game says."""
    s, f = mind.s, view.frame
    assert isinstance(f, Arriving)
    if f.units:
        return None
    for unit in f.placed:
        field = mind.reach(unit)
        rails = {} if f.event else mind.lines(unit, rail=True)
        roads = {} if f.event or mind.side == GERMAN or Drives().may_start(s, f, unit) else mind.lines(unit)
        cells = sorted({*field, *rails, *roads})
        if s.is_hq(unit):
            goal = post_place(mind, unit, cells)
        else:
            found = mind.best_place(unit, cells, ENOUGH)
            goal = -1 if found is None else found
        if goal >= 0:
            return Move(unit, (goal,)) if goal in field else Entrain(unit, goal) if goal in rails else Drive(unit, goal)
    return Done() if still_to_do(s, f) is None else None


_CHOICES: Mapping[type[Order], Any] = {Move: Moves(), Drive: Drives(), Exit: Exits()}


# Attacks


def attacks(mind: Mind, view: View[State]) -> Order:
    """The attack that gains most, one after another, until none gains anything."""
    f, s = view.frame, mind.s
    assert isinstance(f, Activation)
    eye, found = Eye(mind, air_points(mind, f)), targets(s, f)
    _, spare = spare_independents(s, f)
    best: tuple[int, Assault, Planes] | None = None
    for place, units in found.items():
        assault = eye.best_on(place, (), units, spare)
        if assault is not None:
            net, with_it = planes(mind, f, eye, assault)
            if net > (best[0] if best else 0):
                best = net, assault, with_it
    if best is None:
        return Done()
    _, assault, (air, power) = best
    target, posts = assault.target, assault.posts
    columns = range(eye.column(target, posts, points(s, air, power)) + 1)
    least = next(column for column in columns if eye.worth_in(column, target, posts) > 0)
    return Attack(target, assault.units, least=least, air=air, power=power, advance=pursuit(mind, assault))


def air_points(mind: Mind, f: Activation) -> int:
    """SG-13.1c: the most that air units could add to one attack."""
    ready, left = air_left(mind.s, f)
    return min(left, sum(sorted(mind.chart.planes[code].power for code in ready)[-2:]))


def planes(mind: Mind, f: Activation, eye: Eye, assault: Assault) -> tuple[int, Planes]:
    """SG-13: the air units that bring most to an attack, and what it is worth with them, less what they cost."""
    ready, left = air_left(mind.s, f)
    found = []
    for air, power in ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)):
        chosen = ready[:air], ready[air : air + power]
        spent = points(mind.s, *chosen)
        if air + power <= len(ready) and spent <= left:
            worth = eye.worth(assault.target, assault.posts, spent)
            found.append((worth - AIR_COST * air - POWER_COST * power, chosen))
    return max(found, key=lambda each: each[0])


def pursuit(mind: Mind, assault: Assault) -> tuple[int, ...]:
    """Who advances into the hex: the two strongest into what counts, else as the game's default says."""
    s = mind.s
    if assault.target not in s.chart.prizes:
        return ()
    units = sorted(assault.units, key=lambda unit: (-s.face(unit).defence, unit))[:2]
    return tuple(word for unit in units for word in (UNIT + unit, assault.target))


_STEPS: Mapping[str, Any] = {step.name: step for sequence in SEQUENCES for step in sequence.steps}
_ANSWERS: Mapping[str, Callable[[Mind, View[State]], Order | None]] = {
    "arrivals": arrivals,
    "attacks": attacks,
    "movement": movement,
    "pick_post": pick_post,
}

__all__ = ["QUICK", "SENSIBLE", "StargardBot"]
