"""SG-8.6: who takes a step loss, and what becomes of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.game import STAY, Known, Next, Out, Violation
from pbem.kit import InMiddle, StepLost, TakeSteps, many, victims
from pbem_rules.stargard.chart import VOLKSSTURM
from pbem_rules.stargard.events import SIDE_NAMES
from pbem_rules.stargard.frames import Losses
from pbem_rules.stargard.orders import Lose
from pbem_rules.stargard.state import State

WHY = {
    "SG-4.4": "it has entered an enemy zone of control",
    "SG-6.2": "there is no room where its retreat ends",
    "SG-6.2.1": "too many units stand in the hex",
    "SG-7.1.3": "it cannot enter the map",
    "SG-8.5.1": "the barrage has hit it",
    "SG-9.4": "it cannot retreat the whole way",
}
"""What costs a step, by its rule; SG-8.6 is the result of a battle, which the report has told."""


def tell_loss(s: State, unit: int, place: int, left: int, rule: str, out: Out) -> None:
    out.add(StepLost(unit=s.code(unit), hex=place, left=left, why=WHY.get(rule, ""), rule=rule))


def lose_step(s: State, unit: int, rule: str, out: Out, *, in_combat: bool = True) -> None:
    """SG-8.6a, SG-8.6.4: in combat, also by a retreat; not for want of room (SG-12.4a)."""
    tell_loss(s, unit, s.at(unit), s.pieces[unit].steps - 1, rule, out)
    s.lose_step(unit, in_combat=in_combat)


def strongest(s: State, units: Iterable[int], *, attacks: bool) -> tuple[int, ...]:
    """SG-8.6.1: those of the highest printed attack or defence, of the side that shows."""
    values = {unit: s.face(unit).attack if attacks else s.face(unit).defence for unit in units}
    most = max(values.values())
    return tuple(unit for unit, value in values.items() if value == most)


def cheapest(s: State, units: Sequence[int]) -> int:
    """DP-13: Volkssturm first, one-step units last in a settlement and first elsewhere, never the last zone."""

    def price(unit: int) -> tuple[bool, bool, bool, int, int]:
        face, place, last = s.face(unit), s.at(unit), s.pieces[unit].steps == 1
        zones = [each for each in s.combat_units(place) if s.controls(each)]
        only = last and zones == [unit]
        settled = place in s.chart.settled
        return not s.has(unit, VOLKSSTURM), only, last == settled, face.attack + face.defence, unit

    return min(units, key=price)


class TakeLoss(InMiddle, TakeSteps[State, Losses, Lose]):
    """SG-8.6.1, SG-8.6.2: the first step from the strongest, the others as the owner likes."""

    name = "loss"
    rule = "SG-8.6"
    default = "then cheapest"
    fact_names = ("attacks", "hex", "units")
    answer_names = ("cheapest", "strongest", "weakest", "UNIT")

    def prompt(self, s: State, f: Losses, seat: str) -> str:
        codes = " or ".join(map(s.code, victims(s, f)))
        return f"{SIDE_NAMES[seat]} lose {many(f.count, 'step')}: `lose UNIT`; it can be {codes}."

    def order(self, unit: int) -> Lose:
        return Lose(unit)

    def why(self, s: State, f: Losses, seat: str, order: Lose) -> Violation:
        rule = "SG-8.6.1" if f.first and order.unit in f.units else f.rule
        can = " or ".join(map(s.code, victims(s, f)))
        return Violation(rule, f"{s.code(order.unit)} cannot take this step loss; it can be {can}")

    def take(self, s: State, f: Losses, order: Lose, out: Out) -> Next:
        f.first = ()  # one of those that tie has taken it
        lose_step(s, order.unit, f.rule, out)
        return STAY

    def facts(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, int]:
        can = victims(s, f)
        return {"attacks": int(seat == f.attacker), "hex": s.at(can[0]), "units": len(can)}

    def answers(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, Lose]:
        can = victims(s, f)
        by_strength = sorted(can, key=lambda unit: (s.face(unit).attack + s.face(unit).defence, unit))
        return {
            **{s.code(unit).lower(): Lose(unit) for unit in can},
            "cheapest": Lose(cheapest(s, can)),
            "strongest": Lose(by_strength[-1]),
            "weakest": Lose(by_strength[0]),
        }

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or any(name == unit.code.lower() for unit in s.chart.units)
