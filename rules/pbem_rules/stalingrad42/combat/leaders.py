"""S42-28: leaders, who have dice rolled again, each once between two of their Initial Phases."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from pbem.game import Ask, Goto, Known, Next, Out
from pbem.kit import Clash, InFight
from pbem_rules.stalingrad42.chart import AXIS, GERMAN, LEADER
from pbem_rules.stalingrad42.combat.battle import Fire, best_die, cell_of, reckon_fight
from pbem_rules.stalingrad42.combat.defence import Stand
from pbem_rules.stalingrad42.combat.determined import FAILURE, stand
from pbem_rules.stalingrad42.combat.guns import covered
from pbem_rules.stalingrad42.events import Rerolled
from pbem_rules.stalingrad42.frames import HOLD, Battle
from pbem_rules.stalingrad42.orders import NO, YES, Reroll, place_name
from pbem_rules.stalingrad42.state import State, other

C = TypeVar("C", bound=Clash)
POOR, GRAVE = ("A1", "EX", "A1/DR2", "DRX"), ("DS", "DR4")  # results that Manstein does not leave as they are
WELL = 3, 1  # odds at which they are poor
SEVERAL = 2  # German units that are worth it


def at_hand(s: State, side: str, near: int) -> int | None:
    """S42-28.1.1, S42-28.1.2: a side's leader that has not been used, with a way of support to one of the hexes."""
    for unit in s.ground.standing(side):
        if s.has(unit, LEADER) and s.pieces[unit].ready and not s.in_area(unit) and covered(s, unit) & near:
            return unit
    return None


def use_leader(s: State, leader: int) -> None:
    s.alter(leader, replace(s.pieces[leader], ready=False))


class RollAgain(Ask[State, C, Reroll], InFight[State, C, Reroll]):
    """S42-28.1.1a: the second result stands. `needed`: by standing order, if it is bad enough."""

    rule = "S42-28.1"
    default = "then needed"
    fact_names: ClassVar[tuple[str, ...]] = ("hex", "own", "needed")
    answer_names = ("needed", "none", "any")

    @abstractmethod
    def leader(self, s: State, f: C) -> int | None:
        """Who could have it rolled again now."""

    @abstractmethod
    def needed(self, s: State, f: C) -> bool: ...

    @abstractmethod
    def place(self, s: State, f: C) -> int: ...

    @abstractmethod
    def told(self, s: State, f: C) -> str:
        """What has been rolled."""

    @abstractmethod
    def again(self, s: State, f: C) -> Next:
        """Take the dice back."""

    def by(self, s: State, f: C) -> Sequence[str]:
        leader = self.leader(s, f)
        return () if leader is None else (s.side(leader),)

    def prompt(self, s: State, f: C, seat: str) -> str:
        leader = self.leader(s, f)
        assert leader is not None
        return f"{self.told(s, f)}: shall {s.code(leader)} have it rolled again? `reroll yes`, or `reroll no`."

    def options(self, s: State, f: C, seat: str) -> Iterator[Reroll]:
        return map(Reroll, (YES, NO))

    def do(self, s: State, f: C, seat: str, order: Reroll, out: Out) -> Next | None:
        if order.answer == NO:
            return None
        leader = self.leader(s, f)
        assert leader is not None
        out.add(Rerolled(unit=s.code(leader), hex=self.place(s, f), told=self.told(s, f), rule=self.rule))
        use_leader(s, leader)
        return self.again(s, f)

    def facts(self, s: State, f: C, seat: str, own: Known) -> Mapping[str, int]:
        """`own`: the leader's side has the turn; `needed`: the result is bad enough."""
        return {"hex": self.place(s, f), "own": int(seat == f.seat), "needed": int(self.needed(s, f))}

    def answers(self, s: State, f: C, seat: str, own: Known) -> Mapping[str, Reroll]:
        return {"needed": Reroll(YES if self.needed(s, f) else NO), "none": Reroll(NO), "any": Reroll(YES)}


class RerollAttack(RollAgain[Battle]):
    """S42-28.1.4: Manstein, the dice of an attack, his own or the enemy's, and those of a breakthrough.

    In range of the attackers, or of the hex that the enemy attacks. All dice of a Planned Offensive are rolled again.
    """

    name = "reroll"
    rule = "S42-28.1.4"
    seats = (AXIS,)
    goes_back = (Fire,)

    def leader(self, s: State, f: Battle) -> int | None:
        if not f.dice or f.again:
            return None
        near = map(s.at, f.units) if f.seat == AXIS else (f.target,)
        return at_hand(s, AXIS, s.chart.board.mask(near))

    def needed(self, s: State, f: Battle) -> bool:
        """An own attack at 3:1 or better that has brought less than DR2; units that would be swept away."""
        cell = cell_of(s, f, best_die(s, f))
        if f.seat == AXIS:
            return cell in POOR and reckon_fight(s, f).column >= s.chart.odds.column(*WELL)
        return cell in GRAVE and sum(s.chart.nation(unit) == GERMAN for unit in f.defenders) >= SEVERAL

    def place(self, s: State, f: Battle) -> int:
        return f.target

    def told(self, s: State, f: Battle) -> str:
        dice = ", ".join(f"{die} ({cell_of(s, f, die)})" for die in f.dice)
        return f"The attack on {place_name(f.target)} rolls {dice}"

    def again(self, s: State, f: Battle) -> Next:
        f.dice, f.again = (), True
        return Goto(Fire)


class RerollStand(RollAgain[Battle]):
    """S42-28.1.3, S42-28.1.4: Chuikov and Manstein, a roll of determined defence of their own side."""

    name = "restand"
    rule = "S42-28.1.3"
    attacks = False
    goes_back = (Stand,)

    def leader(self, s: State, f: Battle) -> int | None:
        return at_hand(s, other(f.seat), s.chart.board.bit[f.target]) if f.stood else None

    def needed(self, s: State, f: Battle) -> bool:
        """A failure, for the Soviets in a victory hex or a city, for the Axis where its stance is to hold."""
        assert f.lead is not None
        if _outcome(s, f) != FAILURE:
            return False
        return f.stance == HOLD if f.seat != AXIS else f.target in s.chart.prizes or s.chart.is_city(f.target)

    def place(self, s: State, f: Battle) -> int:
        return f.target

    def told(self, s: State, f: Battle) -> str:
        return f"Determined defence of {place_name(f.target)} rolls {f.stood} ({_outcome(s, f)})"

    def again(self, s: State, f: Battle) -> Next:
        f.stood = 0
        return Goto(Stand)


def _outcome(s: State, f: Battle) -> str:
    assert f.lead is not None
    return stand(s, f.lead, f.target, f.stood, support=f.supported, star="*" in f.cell).outcome
