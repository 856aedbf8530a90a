"""S42-33: the Soviet Winter Offensive: when it may begin, and what it brings at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

from pbem.game import STAY, Choice, Known, Next, Out, Violation
from pbem.kit import all_of
from pbem_rules.stalingrad42.chart import ARMY, GAL, SOVIET, VASILEVSKY
from pbem_rules.stalingrad42.combat.offensives import MOST_PLANS, laid, lay
from pbem_rules.stalingrad42.events import OffensiveBegan
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.orders import Offensive
from pbem_rules.stalingrad42.state import PLANNED, POOL, State
from pbem_rules.stalingrad42.supply.lines import lines

GIFTS = 2  # S42-33.2.1b: supply points


def may_begin(s: State, side: str) -> bool:
    """S42-33.1: in a Soviet Initial Phase from turn 25 on, once."""
    first = s.chart.track.marked(VASILEVSKY)
    return side == SOVIET and not s.offensive and any(turn <= s.turn for turn in first)


def posts(s: State) -> tuple[int, ...]:
    """S42-33.2.1b: the headquarters in supply, of fronts and armies."""
    reached, bit = lines(s, SOVIET).reached, s.chart.board.bit
    heads = (unit for unit in s.ground.standing(SOVIET) if s.chart.is_headquarters(unit) or s.has(unit, ARMY))
    return tuple(unit for unit in heads if s.in_area(unit) or bit[s.at(unit)] & reached)


def gifts(s: State) -> tuple[int, ...]:
    """The supply points that are not on the map, two of them if there are as many."""
    return s.of(SOVIET, POOL)[:GIFTS]


def fronts(s: State) -> tuple[int, ...]:
    """S42-33.2.1b: where Planned Offensives may be laid."""
    return tuple(unit for unit in posts(s) if s.chart.is_headquarters(unit))


def missing(s: State) -> int:
    """S42-26.2e: how many Planned Offensives there is room for, if that rule is played."""
    return max(0, MOST_PLANS - laid(s, SOVIET)) if PLANNED in s.options and fronts(s) else 0


class Offensives(Choice[State, PlayerTurn, Offensive]):
    """S42-33.2: the Romanian air unit leaves, supply points are placed ready, and the Soviets will go first."""

    rule = "S42-33.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Offensive]:
        if may_begin(s, seat):
            many = len(gifts(s)) if posts(s) else 0
            plans = [(head,) * missing(s) for head in fronts(s)] if missing(s) else [()]
            for heads, at in product(combinations_with_replacement(posts(s), many), plans):
                yield Offensive(heads, at)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Offensive, proof: Known) -> Violation | None:
        if not may_begin(s, seat):
            begun = f"It began in turn {s.offensive}" if s.offensive else "It cannot begin yet"
            return Violation(self.rule, f"The Soviets begin their Winter Offensive once, from turn 25 on. {begun}")
        can, many = posts(s), len(gifts(s)) if posts(s) else 0
        wrong = next((unit for unit in order.posts if unit not in can), None)
        if wrong is not None:
            return Violation(
                "S42-33.2.1b", f"{s.code(wrong)} is not a headquarters in supply; {all_of(map(s.code, can))} are"
            )
        if len(order.posts) != many:
            return Violation(
                "S42-33.2.1b", f"Name the headquarters for {many} supply points, the same twice if you like"
            )
        if len(order.plans) != missing(s) or not {*order.plans} <= {*fronts(s)}:
            heads = f": {all_of(map(s.code, fronts(s)))}" if missing(s) else ""
            sentence = f"Planned Offensives to be laid with headquarters of fronts in supply: {missing(s)}{heads}"
            return Violation("S42-33.2.1b", sentence)
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Offensive, out: Out) -> Next:
        s.offensive = s.turn
        if GAL in s.wings:
            del s.wings[GAL]
        for unit, head in zip(gifts(s), order.posts, strict=True):
            fixed = s.mobile(seat) >= s.chart.limits["mobile"][seat]  # S42-18.6.8a
            s.put(unit, s.at(head))
            if fixed:
                s.fixed.add(unit)
            s.alter(unit, replace(s.pieces[unit], ready=True))
        for head in order.plans:
            lay(s, head, ready=True)
        supplies, plans = (tuple(map(s.code, heads)) for heads in (order.posts, order.plans))
        out.add(OffensiveBegan(posts=supplies, plans=plans, rule=self.rule))
        return STAY
