"""BH-6 Declaring attacks: odds, shifts, and the step in which a side declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from pbem.game import DONE, STAY, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import Shift, hex_name
from pbem_rules.bridgehead.chart import NAMES, other
from pbem_rules.bridgehead.events import Declared
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.hidden import posture_shift
from pbem_rules.bridgehead.orders import Attack, Finish
from pbem_rules.bridgehead.state import State

MOST = 3  # BH-6.7
COVER = ("woods", "hill", "town")


class Odds(NamedTuple):
    """One battle as it would be fought now."""

    attack: int
    defence: int
    plain: int  # column before shifts, -1 below the table
    shifts: tuple[Shift, ...]
    column: int


def strength(s: State, units: Iterable[int]) -> int:
    """BH-6.4."""
    doubled = sum(s.face(unit).attack * (2 if s.supplied(unit) else 1) for unit in units)
    return doubled // 2


def resistance(s: State, units: Iterable[int]) -> int:
    return sum(s.face(unit).defence for unit in units)


def across_river(s: State, target: int, hexes: Iterable[int], units: Iterable[int]) -> bool:
    """BH-6.6."""
    if any(s.chart.bridged(cell, target) for cell in hexes):
        return False
    return not any("sappers" in s.chart.units[unit].type.traits for unit in units)


def odds(
    s: State,
    target: int,
    units: Sequence[int],
    barrage: bool = False,
    card: str = "",
    hexes: Iterable[int] | None = None,
) -> Odds:
    """The column of a battle, by BH-6.4 to 6.8 with BH-8.6, BH-8.9 and BH-8.10; `card`: the reaction card in force.

    `hexes`: where the attackers stand, if not where they stand now.
    """
    defenders = s.ground.stacks[target]
    attack, defence = strength(s, units), resistance(s, defenders)
    plain = s.chart.odds.column(attack, defence)
    terrain = s.chart.board[target].terrain
    shifts = []
    if s.chart.shift[terrain]:
        shifts.append(Shift(s.chart.shift[terrain], "BH-6.6", terrain))
    if across_river(s, target, {s.at(unit) for unit in units} if hexes is None else hexes, units):
        shifts.append(Shift(s.chart.shift["river"], "BH-6.6", "river"))
    shifts.extend(posture_shift(s))
    if barrage:
        shifts.append(Shift(1, "BH-8.6", "barrage"))
    if card == "mud":
        shifts.append(Shift(-1, "BH-8.9", "mud"))
    elif card == "ambush":
        shifts.append(Shift(-2, "BH-8.10", "ambush"))
    total = max(-MOST, min(MOST, sum(shift.by for shift in shifts)))
    return Odds(attack, defence, plain, tuple(shifts), s.chart.odds.shifted(max(plain, 0), total))


def attackers(s: State, hexes: Iterable[int]) -> tuple[int, ...]:
    """BH-6.1: all units in these hexes."""
    return tuple(unit for cell in hexes for unit in s.ground.stacks[cell])


def check_attack(s: State, f: Half, order: Attack) -> Violation | None:
    target = hex_name(order.target)
    if s.side_at(order.target) != other(f.side):
        return Violation("BH-6.1", f"There is no enemy in {target}")
    if not order.hexes or any(a >= b for a, b in zip(order.hexes, order.hexes[1:], strict=False)):
        return Violation("BH-6.1", "An attack names the hexes that it is made from, each once, in ascending order")
    for cell in order.hexes:
        if not s.chart.board.touch(cell, order.target):
            return Violation("BH-6.1", f"{hex_name(cell)} is not adjacent to {target}")
        if s.side_at(cell) != f.side:
            return Violation("BH-6.1", f"You have no unit in {hex_name(cell)}")
    for aim, hexes in f.attacks:
        if aim == order.target:
            return Violation("BH-6.2", f"{target} is already attacked")
        twice = set(hexes) & set(order.hexes)
        if twice:
            return Violation("BH-6.2", f"{hex_name(min(twice))} already attacks {hex_name(aim)}")
    reckoned = odds(s, order.target, attackers(s, order.hexes))
    if reckoned.plain < 0:
        return Violation("BH-6.5", f"{reckoned.attack} against {reckoned.defence} is below {s.chart.odds.name(0)}")
    return None


def attacks(s: State, f: Half) -> Iterator[Attack]:
    board, enemy = s.chart.board, other(f.side)
    used = {cell for _, hexes in f.attacks for cell in hexes}
    aims = {aim for aim, _ in f.attacks}
    own, bit = s.ground.occupied[f.side], board.bit
    for target in board.in_mask(s.ground.occupied[enemy]):
        if target in aims:
            continue
        near = sorted([cell for cell in board.near[target] if own & bit[cell] and cell not in used])
        for more in range(len(near)):
            for hexes in combinations(near, 1 + more):
                units = attackers(s, hexes)
                if s.chart.odds.column(strength(s, units), resistance(s, s.ground.stacks[target])) >= 0:
                    yield Attack(target, hexes)


class Attacks(Choice[State, Half, Attack]):
    """BH-6.1."""

    def legal(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Attack]:
        return attacks(s, f)

    def check(self, s: State, f: Half, seat: str, order: Attack, proof: Known) -> Violation | None:
        return check_attack(s, f, order)

    def apply(self, s: State, f: Half, seat: str, order: Attack, out: Out) -> Next:
        f.attacks = (*f.attacks, (order.target, order.hexes))
        out.add(Declared(side=f.side, target=order.target, hexes=order.hexes, rule="BH-6.1"))
        return STAY


class StopDeclaring(Choice[State, Half, Finish]):
    def legal(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Finish]:
        yield Finish()

    def apply(self, s: State, f: Half, seat: str, order: Finish, out: Out) -> Next:
        return DONE


class Declare(Decide[State, Half, Attack | Finish]):
    rule = "BH-6.3"
    choices = (StopDeclaring, Attacks)

    def says(self, s: State, f: Half, seat: str, order: Order) -> str:
        if not isinstance(order, Finish):
            return ""
        left = len(f.attacks)
        fight = f"Fight your {f'{left} attacks' if left > 1 else 'attack'}" if left else "Attack nothing"
        return f"{fight}; then your half-turn ends"

    def when(self, s: State, f: Half) -> bool:
        return bool(f.attacks) or any(True for _ in attacks(s, f))

    def by(self, s: State, f: Half) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: Half, seat: str) -> str:
        return f"Turn {s.turn}, {NAMES[f.side]} declares attacks, so far {len(f.attacks) or 'none'}. End with `done`."
