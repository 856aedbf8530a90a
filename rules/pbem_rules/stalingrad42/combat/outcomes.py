"""The outcomes of an attack, with exact chances: every die, losses, determined defence in all its rolls.

The steps of the battle themselves are run, on a copy of its frame and of the units in it. Standing orders that the
players have not given are the game's own. Where units are in the end is not followed: that takes no die.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from pbem.game import Goto, Out, Rows
from pbem_rules.stalingrad42.chart import DIE
from pbem_rules.stalingrad42.combat.battle import ChooseCover, Fire, Score, best_die, next_loss, ways_out
from pbem_rules.stalingrad42.combat.battle import is_desperate as desperate
from pbem_rules.stalingrad42.combat.defence import Outcome, Weigh, best_lead, helper, wants
from pbem_rules.stalingrad42.combat.flight import NEAR
from pbem_rules.stalingrad42.combat.leaders import RerollAttack, RerollStand, RollAgain
from pbem_rules.stalingrad42.combat.losses import Remains, cheapest, dearest
from pbem_rules.stalingrad42.frames import Battle
from pbem_rules.stalingrad42.orders import Help
from pbem_rules.stalingrad42.state import ROUTED, State

HOLDS, RETREATS, DELAYS, GONE, SIEGE = "held", "retreat", "delay", "destroyed", "City Battle"


class End(NamedTuple):
    """What is left of a battle: steps lost, and what the defender does."""

    attacker: int
    defender: int
    what: str
    hexes: int = 0  # of the retreat


class Branch(NamedTuple):
    chance: Fraction
    s: State
    f: Battle
    lost: tuple[int, int] = (0, 0)  # steps, of the attacker and the defender


def outcomes(s: State, f: Battle) -> dict[End, Fraction]:
    """The chance of each end of a battle whose defender has a stance."""
    s, f, cover = _twin(s), replace(f), ChooseCover()
    for seat in cover.by(s, f):
        cover.do(s, f, seat, cover.answers(s, f, seat, {})["needed"], Out())
    found: dict[End, Fraction] = {}
    for (die, leader), part in _fired(s, f).items():
        branch = Branch(part, _used(_twin(s), leader), replace(f, die=die, dice=(die,) if die else ()))
        Score().run(branch.s, branch.f, Out())
        branch = _suffer(branch)
        branch.f.desperate = bool(branch.f.retreat) and desperate(branch.s, branch.f)
        for chance, end in _ends(branch):
            found[end] = found.get(end, Fraction(0)) + chance
    return found


def _fired(s: State, f: Battle) -> dict[tuple[int, int | None], Fraction]:
    """S42-26.2f, S42-28.1: which die counts in the end, and which leader has had the dice rolled again."""
    draw = next(iter(Fire().draws(s, f)), None)
    if draw is None:
        return {(0, None): Fraction(1)}
    rolls = list(product(range(1, DIE + 1), repeat=draw.count))
    plain: dict[int, Fraction] = {}
    kept: dict[int, Fraction] = {}
    leader = None
    for dice in rolls:
        f.dice = dice
        best, again = best_die(s, f), _again(RerollAttack(), s, f)
        plain[best] = plain.get(best, Fraction(0)) + Fraction(1, len(rolls))
        if again is None:
            kept[best] = kept.get(best, Fraction(0)) + Fraction(1, len(rolls))
        leader = again if leader is None else leader
    found: dict[tuple[int, int | None], Fraction] = {(die, None): chance for die, chance in kept.items()}
    if leader is not None:
        taken = 1 - sum(kept.values())
        found |= {(die, leader): chance * taken for die, chance in plain.items()}
    return found


def _again(step: RollAgain[Any], s: State, f: Battle) -> int | None:
    """The leader who has it rolled again."""
    leader = step.leader(s, f)
    return leader if leader is not None and step.needed(s, f) else None


def _used(twin: State, leader: int | None) -> State:
    if leader is not None:
        twin.pieces[leader] = replace(twin.pieces[leader], ready=False)
    return twin


def _twin(s: State) -> State:
    """The state with units, air units and City Battles of its own; who stands where stays the same."""
    twin = copy(s)
    twin.pieces, twin.sieges, twin.wings = Rows(s.pieces), Rows(s.sieges), Rows(s.wings)
    return twin


def _suffer(branch: Branch) -> Branch:
    """Steps are lost by whom the standing orders of the game pick."""
    s, f, (attacker, defender) = branch.s, branch.f, branch.lost
    while (loss := next_loss(s, f)) is not None:
        unit = loss.dying = cheapest(s, loss.units) if loss.chooser == loss.side else dearest(s, loss.units)
        small = s.may_be_remnant(unit)
        facts = Remains().facts(s, loss, loss.side, {}) if small else {}
        left = s.left_with(unit, remnant=small and not (facts["isolated"] or facts["desperate"] or facts["beset"]))
        piece = replace(s.pieces[unit], steps=left)
        s.pieces[unit] = piece if left else replace(piece, order=ROUTED, ready=False)  # it supports nobody
        if not left:  # out of the battle, though the index of the map still has it
            f.units = tuple(each for each in f.units if each != unit)
            f.defenders = tuple(each for each in f.defenders if each != unit)
            if unit == f.lead:
                f.losing = tuple(side for side in f.losing if side == f.seat)
        attacker, defender = attacker + (loss.side == f.seat), defender + (loss.side != f.seat)
    return branch._replace(lost=(attacker, defender))


def _ends(branch: Branch) -> Iterator[tuple[Fraction, End]]:
    """Determined defence, roll after roll."""
    chance, s, f, lost = branch
    if not f.defenders:
        yield chance, End(*lost, GONE)
    elif not f.retreat:
        yield chance, End(*lost, HOLDS)
    elif f.delayed or not wants(s, f):
        yield from _retreat(branch)
    else:
        for face, leader, part in _stood(s, f):
            twin, frame = _used(_twin(s), leader), _led(s, f)
            frame.stood = face
            Weigh().run(twin, frame, Out())
            rolled = _suffer(Branch(chance * part, twin, frame, lost))
            again = isinstance(Outcome().run(twin, frame, Out()), Goto)
            if again:
                yield from _ends(rolled)
            elif not frame.defenders:
                yield rolled.chance, End(*rolled.lost, GONE)
            elif frame.retreat:
                yield from _retreat(rolled)
            else:
                siege = twin.sieges.get(f.target) != s.sieges.get(f.target)
                yield rolled.chance, End(*rolled.lost, SIEGE if siege else HOLDS)


def _led(s: State, f: Battle) -> Battle:
    """With the lead and the support that the defender would choose."""
    frame = replace(f)
    frame.lead = best_lead(s, frame)
    if not frame.rolls:
        frame.supported = helper(s, frame, frame.lead) != Help()
    return frame


def _stood(s: State, f: Battle) -> Iterator[tuple[int, int | None, Fraction]]:
    """S42-28.1: the faces of a roll of determined defence, after a leader has had one rolled again, and which."""
    frame, faces = _led(s, f), range(1, DIE + 1)
    for frame.stood in faces:
        leader = _again(RerollStand(), s, frame)
        if leader is None:
            yield frame.stood, None, Fraction(1, DIE)
        else:
            yield from ((face, leader, Fraction(1, DIE * DIE)) for face in faces)


def _retreat(branch: Branch) -> Iterator[tuple[Fraction, End]]:
    """S42-12.1: those who have a way go, the others are destroyed."""
    chance, s, f, lost = branch
    length = NEAR if f.delayed else f.retreat
    found = list(ways_out(s, f, length))
    if not any(each.ways for each in found):
        yield chance, End(*lost, GONE)
    elif f.delayed:
        yield chance, End(*lost, DELAYS)
    else:
        yield chance, End(*lost, RETREATS, length)
