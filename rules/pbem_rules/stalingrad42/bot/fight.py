"""Values of attacks, and the choice among them: the part of the bots that fights.

Worths are sums over the faces of the die, of tenths of a point of strength.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from pbem.kit import AREA, SUPPLIED, Foray, forays, gather
from pbem_rules.stalingrad42.bot.mind import CUT, FALL, Mind
from pbem_rules.stalingrad42.chart import AXIS, DIE, FREE, LONGEST, MAJOR_RIVER, MECH, STAR
from pbem_rules.stalingrad42.combat.air import fit
from pbem_rules.stalingrad42.combat.determined import FAILURE, leads, refuse_stand, result_of, stand
from pbem_rules.stalingrad42.combat.guns import covered, posts
from pbem_rules.stalingrad42.combat.odds import (
    AUTOMATIC,
    MOST_ATTACK,
    MOST_DEFENCE,
    NO_ATTACK,
    adding,
    column_of,
    defence_of,
    defending,
    fort_for,
    in_frost,
    may_join,
    over_river,
)
from pbem_rules.stalingrad42.combat.pursuit import LEAST
from pbem_rules.stalingrad42.movement.marching import borders, may_cross
from pbem_rules.stalingrad42.orders import Attack
from pbem_rules.stalingrad42.state import ROUTED

Post = tuple[int, int]  # a unit and the hex that it attacks from
Assault = Foray[Post]
DS = "DS"  # what is certain at ten to one
SPEND = 5  # for each point of strength, in quarters
ROLLING, WALKING = 12, 6  # what each point costs by which a unit with vehicles, or on foot, is drawn elsewhere
OFF_THE_WAY = 50  # at most
FIRST_EVEN = 1  # from the column of 1:1 on, each is one defence more than the one before
SHAKEN = 6  # for each point of a defender who is driven back
PUSH = 6  # for each hex of advance of a unit with vehicles
THROUGH = 3  # what it costs a breakthrough to fight


class Field(NamedTuple):
    """One hex that can be attacked: what each column brings, and what it costs. The last column is ten to one."""

    target: int
    defence: tuple[int, int]  # not all attackers over rivers; all of them
    shift: int  # of ground and forts
    tanks: tuple[bool, bool, bool] | None  # theirs: any, elite ones, guns against them; None: tanks shift nothing
    exits: int  # hexes to which the defenders could retreat
    stack: int  # what they are worth together
    gains: tuple[tuple[int, ...], tuple[int, ...]]  # by column; then where they are favoured
    driven: tuple[tuple[int, ...], tuple[int, ...]]  # likewise: sixths of faces that drive somebody back who survives
    losses: tuple[int, ...]  # by column: steps of the attackers
    pushes: tuple[int, ...]  # by column: hexes of advance


def ground_price(mind: Mind, place: int) -> int:
    """What it is worth to throw the enemy out of a place."""
    price = 150 * mind.chart.prizes.get(place, 0) or (20 if mind.chart.is_city(place) else 10)
    near = min((mind.distances.to(goal)[place] for goal, _ in mind.prizes), default=9)
    road = 10 * bool(mind.board.bit[place] & mind.chart.on_roads)
    intruder = 150 * (mind.side == AXIS and bool(mind.board.bit[place] & mind.home))
    return price + 3 * max(0, 6 - near) + road + intruder


def _holding(mind: Mind, target: int, there: Sequence[int], cell: str, *, favoured: bool) -> int:
    """Of six rolls of determined defence, how many hold the hex or lose only a little ground."""
    s = mind.s
    able = [u for u in leads(s, there) if refuse_stand(s, favoured, cell, target, u, desperate=False) is None]
    if not able:
        return 0
    faces = range(1, DIE + 1)
    return max(sum(stand(s, lead, target, die, star=STAR in cell).outcome != FAILURE for die in faces) for lead in able)


def field_of(mind: Mind, target: int) -> Field:
    s, chart = mind.s, mind.chart
    there = [unit for unit in s.of(mind.foe, target) if s.fights(unit)]
    line = adding(s, defending(s, target, mind.foe))
    fort, land = fort_for(s, target, mind.foe), chart.ground_of(target, s.rained)
    strengths = [
        min(MOST_DEFENCE, sum(defence_of(s, unit, target, over=over).value for unit in line)) for over in (False, True)
    ]
    firm = [u for u in there if s.pieces[u].order != ROUTED and not s.pieces[u].train]
    tanks = tuple(any(s.has(unit, trait) for unit in firm) for trait in ("tank", "red", "white"))
    prices = sorted((mind.price(unit) for unit in line), reverse=True) or [0]
    alive = sum(s.pieces[unit].steps for unit in line)
    hold = ground_price(mind, target)
    shaken = SHAKEN * sum(s.face(unit).attack + s.face(unit).defence for unit in there)

    held: dict[tuple[bool, bool], int] = {}

    def holding(cell: str, *, favoured: bool) -> int:
        """All results that can be stood are alike, but for the star."""
        key = STAR in cell, favoured
        if key not in held:
            held[key] = _holding(mind, target, there, cell, favoured=favoured)
        return held[key]

    def brings(cell: str, *, favoured: bool) -> tuple[int, int]:
        """What a result is worth, and how many sixths of it drive somebody back."""
        result = result_of(s, cell)
        picks = prices if result.opponent_picks else prices[::-1]
        gain = sum(picks[k % len(picks)] for k in range(min(result.defender, alive)))
        if result.defender >= alive:
            return gain + hold, 0
        if not result.retreat:
            return gain, 0
        left = DIE - (holding(cell, favoured=favoured) if result.stand else 0)
        far = 2 if result.after == "routed" else 1
        return gain + left * (hold + far * shaken) // DIE, left

    rows = [(*row, DS) for row in chart.crt.cells]
    columns = range(len(chart.odds.columns) + 1)
    cells = {cell for row in rows for cell in row}
    plain, helped = ({cell: brings(cell, favoured=favoured) for cell in cells} for favoured in (False, True))
    results = {cell: result_of(s, cell) for cell in cells}

    def summed(found: dict[str, tuple[int, int]], part: int) -> tuple[int, ...]:
        return tuple(sum(found[row[column]][part] for row in rows) for column in columns)

    return Field(
        target,
        (strengths[0], strengths[1]),
        land.shift - fort,
        (tanks[0], tanks[1], tanks[2]) if land.tanks and not fort else None,
        mind.board.mask(mind.board.near[target]) & ~s.ground.occupied[mind.side],
        sum(prices),
        (summed(plain, 0), summed(helped, 0)),
        (summed(plain, 1), summed(helped, 1)),
        tuple(sum(results[row[column]].attacker for row in rows) for column in columns),
        tuple(sum(results[row[column]].advance for row in rows) for column in columns),
    )


class Eye:
    """Looks at possible attacks of one side; what it has found out of a hex is kept while it lives."""

    def __init__(self, mind: Mind, free: Collection[int] = (), listed: Iterable[Attack] = ()) -> None:
        """`free`: units that could still go elsewhere. `listed`: attacks whose air units and support are taken."""
        self.mind, self._free = mind, frozenset(free)
        self._flown: set[str | None] = set()
        self.covered = {guns: covered(mind.s, by) for guns, by in posts(mind.s, mind.side)}
        self._best: dict[int, int] = {}
        self._fields: dict[int, Field] = {}
        self._over: dict[Post, bool] = {}
        self._values: dict[tuple[int, bool, bool], int] = {}
        self._own = mind.s.zone(mind.side)
        for entry in listed:
            self.take(entry)

    def take(self, entry: Attack) -> None:
        """Its air unit and support help no other."""
        self._flown.add(entry.air)
        for guns in entry.guns:
            self.covered.pop(guns, None)

    def field(self, target: int) -> Field:
        if target not in self._fields:
            self._fields[target] = field_of(self.mind, target)
        return self._fields[target]

    def _strength(self, unit: int, cell: int, target: int) -> int:
        """S42-9.1c, S42-23.4b: halved over a major river, and out of supply; less in the cold."""
        s = self.mind.s
        cold = cell % 100 <= s.chart.figures["frost"]
        wide = cell != target and MAJOR_RIVER in s.chart.board.edges[cell, target]
        found = self._values.get((unit, wide, cold))
        if found is None:
            found = in_frost(s, unit, cell, s.face(unit).attack, 1)
            for halved in (wide, s.pieces[unit].supply != SUPPLIED):
                found = -(-found // 2) if halved else found
            self._values[unit, wide, cold] = found
        return found

    def _wet(self, cell: int, target: int) -> bool:
        found = self._over.get((cell, target))
        if found is None:
            found = self._over[cell, target] = over_river(self.mind.s, cell, target)
        return found

    def _reckoned(self, target: int, posts: Sequence[Post], more: int) -> tuple[int, int, int, bool]:
        """S42-8.3: strengths, shifts, and whether the defence is favoured, from hexes where nobody stands yet."""
        field, s = self.field(target), self.mind.s
        over = all(self._wet(cell, target) for _, cell in posts)
        ours = min(MOST_ATTACK, sum(self._strength(unit, cell, target) for unit, cell in posts))
        theirs = field.defence[over]
        shift, favoured = field.shift + more, field.shift < 0 or theirs > field.defence[0]
        if field.tanks is not None:
            any_tank, elite, guns = field.tanks
            dry = [unit for unit, cell in posts if s.has(unit, "tank") and not self._wet(cell, target)]
            if dry and not any_tank and not guns:
                shift += 1
            if any_tank and not any(s.has(unit, "tank") for unit, _ in posts):
                shift, favoured = shift - 1, True
            shift += any(s.has(unit, "red") for unit in dry) - elite
        return ours, theirs, shift, favoured

    def _column(self, ours: int, theirs: int, shift: int) -> int:
        if ours <= 0:
            return NO_ATTACK
        if theirs <= 0:
            return AUTOMATIC
        return column_of(self.mind.s.chart, self.mind.s.chart.odds.place(ours, theirs) + shift)

    def column(self, target: int, posts: Sequence[Post], more: int = 0) -> tuple[int, bool]:
        """As `attack`, and whether the defence is favoured."""
        ours, theirs, shift, favoured = self._reckoned(target, posts, more)
        return self._column(ours, theirs, shift), favoured

    def worth(self, target: int, posts: Sequence[Post], more: int = 0) -> int:
        column, favoured = self.column(target, posts, more)
        return self.worth_in(column, target, posts, favoured=favoured)

    def promise(self, target: int, posts: Sequence[Post], more: int) -> int:
        """As `worth`, with its share of the next column for each point on the way there: two weak units may be worth
        something together where the first of them adds nothing.
        """
        ours, theirs, shift, favoured = self._reckoned(target, posts, more)
        column = self._column(ours, theirs, shift)
        worth = self.worth_in(column, target, posts, favoured=favoured)
        if column == NO_ATTACK:
            return worth + 10 * ours
        if column == AUTOMATIC or ours <= 0:
            return worth
        now = self.mind.s.chart.odds.place(ours, theirs)
        low, high = now - 1, now  # in defences; below 1:1 another unit is a column at least
        part = max(0, ours - low * theirs) if now > FIRST_EVEN else 0
        above = self.worth_in(self._column(high * theirs, theirs, shift), target, posts, favoured=favoured)
        return worth + max(0, above - worth) * part // theirs

    def worth_in(self, column: int, target: int, posts: Sequence[Post], *, favoured: bool) -> int:
        if column == NO_ATTACK:
            return -1000
        field, mind = self.field(target), self.mind
        number = len(field.losses) - 1 if column == AUTOMATIC else column
        cheapest = min(mind.price(unit) for unit, _ in posts)
        worth = field.gains[favoured][number] - field.losses[number] * cheapest * mind.posture.rate // 10
        worth -= DIE * sum(mind.posture.join + SPEND * mind.s.face(unit).attack for unit, _ in posts) // 4
        if any(mind.s.has(unit, MECH) for unit, _ in posts):
            worth += PUSH * field.pushes[number]
        driven = field.driven[favoured][number]
        if driven and not field.exits & ~(self._own | mind.chart.zones.of(cell for _, cell in posts)):
            worth += driven * field.stack // (2 * DIE)
        return worth

    def wing(self, target: int) -> str | None:
        """S42-9.3.3: an air unit that could help there."""
        wings = fit(self.mind.s, target, defends=False) if self.mind.side == AXIS else ()
        return next((wing for wing in wings if wing not in self._flown), None)

    def help(self, target: int) -> int:
        """How many columns air units and support will bring, if a prize is attacked."""
        if target not in self.mind.chart.prizes:
            return 0
        near = self.mind.board.mask(self.mind.board.near[target])
        return (self.wing(target) is not None) + any(area & near for area in self.covered.values())

    # Whom to bring together

    def posts(self, target: int, movers: Iterable[int], ready: Collection[int]) -> list[Post]:
        """Who could attack the hex, and from where: those who stand there already, then those who can come."""
        mind, s = self.mind, self.mind.s
        cells = mind.board.near[target]
        found = [(unit, mind.at(unit)) for unit in ready if borders(s, unit, target)]
        for unit in movers:
            field = mind.strikes(unit)
            ends = [cell for cell in cells if cell in field and cell != mind.at(unit)]
            found += [(unit, cell) for cell in ends if may_cross(s, unit, cell, target)]
        rank = {unit: -s.face(unit).attack for unit, _ in found}
        found.sort(
            key=lambda post: (rank[post[0]] + 2 * self._wet(post[1], target) + (mind.at(post[0]) != post[1]), post)
        )
        return found[: mind.level.posts]

    def joins(self, chosen: Sequence[Post], post: Post) -> bool:
        """S42-4.1, S42-20.5.1: is there room, and do their nations attack together?"""
        mind, s = self.mind, self.mind.s
        unit, cell = post
        going = [each for each, _ in chosen]
        if unit in going or not may_join(s, (*going, unit)):
            return False
        if mind.at(unit) == cell or s.chart.stacks_free(unit):
            return True
        there = [each for each in mind.stack(cell) if each not in going and each != unit]
        there += [each for each, to in chosen if to == cell]
        return s.counted(there, mind.side, (s.has(unit, FREE),)) <= s.chart.limits["stack"][mind.side]

    def best_on(
        self,
        target: int,
        movers: Iterable[int],
        ready: Collection[int],
        worth: Callable[[Sequence[Post]], int] | None = None,
    ) -> Assault | None:
        """The best attack on a hex."""

        more = self.help(target)

        def hoped(posts: Sequence[Post]) -> int:
            return self.promise(target, posts, more) - self._left_open(posts) - self._detour(posts)

        def plain(posts: Sequence[Post]) -> int:
            return self.worth(target, posts, more) - self._left_open(posts) - self._detour(posts)

        pool = self.posts(target, movers, ready)
        if worth is not None:
            return gather(target, pool, worth, self.joins, self.mind.level.joined)
        found = gather(target, pool, hoped, self.joins, self.mind.level.joined)
        return None if found is None else self._trimmed(found, plain)

    @staticmethod
    def _trimmed(found: Assault, worth: Callable[[Sequence[Post]], int]) -> Assault | None:
        """Without those who add nothing, the last first."""
        posts, best = found.posts, worth(found.posts)
        for post in reversed(found.posts):
            fewer = tuple(each for each in posts if each != post)
            if fewer and (without := worth(fewer)) >= best:
                posts, best = fewer, without
        return Foray(found.target, posts, best) if best > 0 else None

    def _detour(self, posts: Sequence[Post]) -> int:
        """What it costs that units go elsewhere than nearer to their goals."""
        mind, cost = self.mind, 0
        for unit, cell in posts:
            if unit not in self._best:
                ends = (mind.at(unit), *mind.strikes(unit)) if unit in self._free else ()
                self._best[unit] = max((mind.pulled(unit, end) for end in ends), default=-OFF_THE_WAY)
            lost = min(self._best[unit] - mind.pulled(unit, cell), OFF_THE_WAY)
            cost += max(0, lost) * (ROLLING if mind.s.has(unit, MECH) else WALKING)
        return cost

    def _left_open(self, posts: Sequence[Post]) -> int:
        """What it costs that units leave the prizes and posts that they guard."""
        mind = self.mind
        leaving = [unit for unit, cell in posts if mind.at(unit) != cell]
        cost = 0
        for place in dict.fromkeys(mind.at(unit) for unit in leaving):
            left = mind.defence(unit for unit in mind.stack(place) if unit not in leaving)
            if mind.memory.menace.get(place) and left < mind.posture.garrison:
                cost += 200 * mind.chart.prizes.get(place, 0) + 60 * (place in mind.line)
        return cost

    def assaults(self, targets: Iterable[int], movers: Sequence[int], ready: Collection[int]) -> list[Assault]:
        """Attacks beside each other, the best first."""

        def best_on(target: int, used: Collection[int]) -> Assault | None:
            free = [unit for unit in movers if unit not in used]
            return self.best_on(target, free, [unit for unit in ready if unit not in used])

        return forays(targets, best_on, (), 30)

    def storms(self, targets: Iterable[int], movers: Sequence[int], ready: Collection[int]) -> Assault | None:
        """S42-8.6: the best automatic DS."""
        found: list[Assault] = []
        for target in targets:
            defence = min(self.field(target).defence)
            if defence * 6 > MOST_ATTACK:
                continue

            def worth(posts: Sequence[Post], target: int = target) -> int:
                column, _ = self.column(target, posts)
                if column != AUTOMATIC:
                    return -1000 + sum(self._strength(unit, cell, target) for unit, cell in posts)
                gain = self.worth_in(column, target, posts, favoured=False) // DIE
                gain -= self._detour(posts) // DIE
                return gain - 4 * sum(self.mind.s.face(unit).attack for unit, _ in posts)

            best = self.best_on(target, movers, ready, worth)
            if best is not None:
                found.append(best)
        return max(found, key=lambda each: each.worth, default=None)


def pursuit(eye: Eye, units: Sequence[int], target: int, most: int = LONGEST) -> tuple[int, ...]:
    """Into the emptied hex, and on: towards the goal of the first, or to where others are cut off who are attacked
    after this, through those whom they can throw out. An enemy zone ends it (S42-15.2.6).
    """
    mind = eye.mind
    if units[0] not in mind.sent:
        return (target,)
    goal, _ = mind.sent[units[0]]
    others, bonds = mind.enemies & ~mind.board.bit[target], mind.chart.bonds
    zone = mind.chart.zones.of_mask(others)
    wall = bonds.barrier(mind.s.ties(mind.foe) & others, mind.held, mind.chart.edge(mind.foe), moving=True)
    steps, bit, least = mind.way(units[0], goal), mind.board.bit, mind.chart.odds.column(*LEAST)
    posts = {mind.at(unit) for unit in units}
    best: tuple[int, tuple[int, ...]] = mind.closes(target) * CUT - FALL * steps[target], (target,)
    todo: list[tuple[tuple[int, ...], int]] = [(best[1], 0)]
    while todo:
        way, spent = todo.pop()
        here = way[-1]
        held = here != target and bool(bit[here] & zone) and not bit[here] & others
        for cell in mind.board.near[here] if len(way) < most else ():
            if cell in way or cell in posts or mind.board[cell].kind == AREA or steps[cell] > steps[here]:
                continue
            cost = spent
            if bit[cell] & others:
                column, _ = eye.column(cell, [(unit, here) for unit in units])
                if column != AUTOMATIC and column < least:
                    continue
                cost += THROUGH
            elif held or bit[cell] & wall.hexes or (here, cell) in wall.sides:
                continue
            score = mind.closes(cell) * CUT - FALL * steps[cell] - cost + mind.taken(cell)
            if score > best[0]:
                best = score, (*way, cell)
            todo.append(((*way, cell), cost))
    return best[1]
