"""Values of battles, and the choice among them: the part of the sensible bot that attacks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from pbem.kit import Foray, forays, gather
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.chart import AXIS, other
from pbem_rules.noretreat.odds import BELOW, Odds, reckon
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import able, willing

# What a result is worth to the attacker, apart from what is lost and won by it, in tenths of a step.
WORTH = {"-": 0, "CA": -6, "CB": -2, "EX": 0, "DR": 8, "DS": 14, "DD": 10}
SHARE = 6  # worths are sums over the faces of the die
Post = tuple[int, int]  # a unit and the hex that it would attack from
Assault = Foray[Post]


def step_price(s: State, unit: int) -> int:
    """What a step of the unit is worth, in tenths of a plain one."""
    kind, strength = s.unit(unit), s.face(unit).strength
    price = 4 + 2 * strength
    if s.steps(unit) == 1 and not kind.cadre:
        price += 3
    if kind.side == AXIS and not kind.ally:
        price += 4  # its steps are dear to restore
    return price


def cheapest_price(s: State, units: Iterable[int]) -> int:
    return min((step_price(s, unit) for unit in units), default=0)


def ground_price(mind: Mind, place: int) -> int:
    """What it is worth to throw the enemy out of a place."""
    s = mind.s
    if place in s.chart.points:
        return 10 + 14 * mind.value(place)
    return min(mind.pull.get(place, 0), 40) // 4


def result_worth(mind: Mind, fight: Fight, result: str, trapped: bool) -> int:
    """To the attacker of the fight, who need not be the side that thinks."""
    s = mind.s
    worth = WORTH[result]
    ours, theirs = cheapest_price(s, fight.units), sum(step_price(s, u) for u in fight.defenders)
    fort = not fight.unfortified and any(s.has(u, "fortified") for u in fight.defenders)
    if result == "EX" or (result == "DS" and fort):
        return worth + cheapest_price(s, fight.defenders) - ours
    if result == "DR":
        if fort:
            return 0
        cut = not any(s.supplied(u) for u in fight.defenders)
        worth += theirs + 10 * len(fight.defenders) if trapped or cut else 0
    elif result == "DS":
        worth += theirs // 3
        worth += theirs if trapped else 0
    elif result == "DD":
        worth += theirs
        if fort:
            return worth
    if result in ("DR", "DS", "DD") and not fight.counter:
        worth += sum(ground_price(mind, place) for place in fight.target)
    return worth


def column_worth(mind: Mind, fight: Fight, reckoned: Odds, trapped: bool = False) -> int:
    """Expected worth to the attacker, times six."""

    def worth(result: str) -> int:
        found = "EX" if result == "-" and fight.none_is_exchange else result
        return result_worth(mind, fight, found, trapped)

    more = SHARE * (cheapest_price(mind.s, fight.defenders) - cheapest_price(mind.s, fight.units))
    total = fight.steps_after * more
    if fight.duel:
        return total + more // 3
    if fight.result in WORTH:
        return total + SHARE * worth(fight.result)
    if reckoned.column == BELOW:
        return total + SHARE * worth("CA")
    if fight.at_least >= 0 and reckoned.column >= fight.at_least:
        return total + SHARE * worth("DR")
    faces = [worth(row[reckoned.column]) for row in mind.chart.results[reckoned.table].cells]
    if fight.die:
        return total + SHARE * faces[fight.die - 1]
    if fight.dice == 2 and fight.chooser:
        choose = max if fight.chooser == fight.side else min
        return total + sum(choose(a, b) for a in faces for b in faces) // SHARE
    return total + sum(faces)


def is_trapped(mind: Mind, target: int, posts: Collection[int]) -> bool:
    """Would who stands there find no hex to go back to, if the posts were held?"""
    s, chart = mind.s, mind.chart
    side = s.side_at(target)
    if side is None:
        return False
    against = other(side)
    zone, own = s.zone(against) | chart.zones.of(sorted(posts)), s.ground.occupied[against]
    for near in chart.board.near[target]:
        bit = chart.board.bit[near]
        if near in posts or own & bit or not chart.passable(target, near):
            continue
        if not zone & bit or s.of(side, near):
            return False
    return True


def assault_worth(mind: Mind, target: int, posts: Sequence[Post], *, marker: bool = False, forced: bool = False) -> int:
    """What an attack from these posts is worth, wherever the units are now."""
    s, memory = mind.s, mind.memory
    trapped = is_trapped(mind, target, {cell for _, cell in posts})
    strong = tuple(s.pieces[unit].strong for unit, _ in posts)
    key = (target, tuple(posts), strong, marker, forced, trapped, s.helped.get(mind.side))
    found = memory.worth.get(key)
    if found is None:
        units = tuple(sorted(unit for unit, _ in posts))
        defenders = s.ground.stacks[target]
        fight = Fight("", mind.side, (target,), units, defenders, forced=forced, marker=marker, no_river=True)
        reckoned = reckon(s, fight)
        edges = s.chart.board.edges
        if not s.snow and not forced and all("river" in edges.get((cell, target), ()) for _, cell in posts):
            shift = s.chart.terrain["river"][0]
            reckoned = reckoned._replace(column=max(reckoned.column + shift, BELOW))
        found = column_worth(mind, fight, reckoned, trapped) - 6 * len(posts)
        memory.worth[key] = found
    return found


def posts_now(mind: Mind, target: int, fought: Collection[int], forced: bool = False) -> list[Post]:
    s = mind.s
    units = (able if forced else willing)(s, mind.side, target, fought)
    return [(unit, s.at(unit)) for unit in units]


def posts_after_moves(mind: Mind, target: int, movers: Sequence[int]) -> list[Post]:
    """Who could stand beside the target when the march is over, each with its best hex first."""
    s, chart = mind.s, mind.chart
    found = []
    for cell in chart.board.near[target]:
        if not chart.passable(cell, target) or s.side_at(cell) == mind.foe:
            continue
        for unit in movers:
            if s.at(unit) != cell and cell in mind.reach(unit):
                found.append((unit, cell))
    return found


def brought_together(mind: Mind, target: int, ready: Sequence[Post], movers: Sequence[int]) -> Assault | None:
    """The best attack on a target that can be brought together, one unit after another."""
    s, open_to, bit = mind.s, mind.lies_open, mind.board.bit

    def joins(chosen: Sequence[Post], post: Post) -> bool:
        unit, cell = post
        if any(unit == each for each, _ in chosen) or not s.face(unit).strength:
            return False
        if s.at(unit) == cell:
            return True
        going = dict(chosen)
        there = [u for u in s.ground.stacks[cell] if u not in going]
        coming = [each for each, to in chosen if to == cell and s.at(each) != cell]
        return bool(open_to & bit[cell]) and not too_many(s, mind.side, (*there, *coming, unit), cell)

    pool = sorted(
        [*ready, *posts_after_moves(mind, target, movers)],
        key=lambda post: (post not in ready, -s.face(post[0]).strength, post),
    )
    return gather(target, pool, lambda posts: assault_worth(mind, target, posts), joins)


def assaults(
    mind: Mind, targets: Iterable[int], movers: Sequence[int], fought: Collection[int], most: int
) -> list[Assault]:
    """Attacks that do not need the same units, the best first."""

    def best_on(target: int, used: Collection[int]) -> Assault | None:
        free = [unit for unit in movers if unit not in used]
        return brought_together(mind, target, posts_now(mind, target, used), free)

    return forays(targets, best_on, fought, most)


def marker_gain(mind: Mind, assault: Assault) -> int:
    return assault_worth(mind, assault.target, assault.posts, marker=True) - assault.worth


def subsets(units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Some ways to choose from many: each alone, the strongest few, all."""
    yield from ((unit,) for unit in units)
    for size in range(2, len(units) + 1):
        yield tuple(sorted(units[:size]))


def trial(mind: Mind, fight: Fight) -> int:
    """What the battle is worth to this side as it stands, times six."""
    s = mind.s
    trapped = any(is_trapped(mind, place, {s.at(unit) for unit in fight.units}) for place in fight.target)
    worth = column_worth(mind, fight, reckon(s, fight), trapped)
    return worth if fight.side == mind.side else -worth
