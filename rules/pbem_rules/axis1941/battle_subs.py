"""AA-6.17..6.20: step 2, submarines strike or submerge: the attacker's first, then the defender's, before any die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Decide, Known, Next, Out, Sealed, Violation
from pbem_rules.axis1941.battle_board import destroyers, owners, subs, without
from pbem_rules.axis1941.battle_facts import battle_facts
from pbem_rules.axis1941.events import Submerged
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.orders import Strike, Submerge
from pbem_rules.axis1941.standing import FACTS, SUBMARINES_DEFAULT
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import TITLES, Power


def to_decide(s: State, f: Battle) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """AA-6.17: the submarines of the attacker and of the defenders that may strike or submerge in this round."""
    attacker, defender = destroyers(s, f)
    return (
        () if defender else tuple(subs(s, f.attackers)),
        () if attacker else tuple(subs(s, f.defenders)),
    )


class Submarines(Decide[State, Battle, Strike | Submerge]):
    rule = "AA-6.18"
    preset = True
    default = SUBMARINES_DEFAULT
    fact_names = FACTS
    answer_names = ("strike", "submerge")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return owners(s, f.undecided)

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        left = sum(s.units[each].power == seat for each in f.undecided)
        head = f"{TITLES[Power(seat)]}, the battle for {s.where(f.place)}, round {f.round}"
        return f"{head}: `strike` or `submerge` with the next submarine, {left} to decide."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Strike | Submerge]:
        yield Strike()
        yield Submerge()

    def check(self, s: State, f: Battle, seat: str, order: Strike | Submerge, proof: Known) -> Violation | None:
        return None  # asked only of submarines that may do either

    def apply(self, s: State, f: Battle, answers: Mapping[str, Strike | Submerge | Sealed], out: Out) -> Next:
        attacking = f.power in answers
        for seat, answer in answers.items():
            each = next(each for each in f.undecided if s.units[each].power == seat)
            f.undecided = without(f.undecided, each)
            if isinstance(answer, Strike):
                f.struck = (*f.struck, each)
                continue
            f.attackers, f.defenders = without(f.attackers, each), without(f.defenders, each)
            out.add(Submerged(place=f.place, power=seat, rule="AA-6.20"))
        if f.undecided:
            return STAY
        if attacking:
            f.undecided = to_decide(s, f)[1]
        return STAY if f.undecided else DONE

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return battle_facts(s, f, attacking=seat == f.power)

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Strike | Submerge]:
        return {"strike": Strike(), "submerge": Submerge()}
