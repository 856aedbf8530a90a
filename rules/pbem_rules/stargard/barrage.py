"""SG-8.5: a barrage that a random event grants: a die for the attempts, then a target and a die for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, Ask, Auto, Draw, Goto, Known, Next, Out, Roll, Violation
from pbem.kit import describe_places, hex_name
from pbem_rules.stargard.chart import DIE
from pbem_rules.stargard.command import note_struck
from pbem_rules.stargard.events import Barraged
from pbem_rules.stargard.frames import Barrage
from pbem_rules.stargard.losses import lose_step
from pbem_rules.stargard.odds import defence_shares, total
from pbem_rules.stargard.orders import Fire
from pbem_rules.stargard.state import State, other

ATTEMPTS, RESULT = 0, 1  # columns of the table


def targets(s: State, f: Barrage) -> tuple[int, ...]:
    """SG-8.5.1c: the top combat unit of each enemy stack beside a combat unit of the side, fired at once."""
    enemy = other(f.seat)
    found = []
    for place in s.chart.board.in_mask(s.ground.occupied[enemy]):
        near = s.chart.board.near[place]
        there = s.combat_units(place, enemy)
        if there and any(s.combat_units(each, f.seat) for each in near):
            top = s.top_of(place)
            found.append(top if top in there else there[0])
    return tuple(unit for unit in found if unit not in f.targets)


class RollAttempts(Roll[State, Barrage]):
    """SG-8.5.1a."""

    name = "barrage_attempts"
    rule = "SG-8.5.1"

    def draws(self, s: State, f: Barrage) -> Iterable[Draw]:
        return (Draw(f"{f.label}/attempts", DIE),)

    def run(self, s: State, f: Barrage, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((die,),) = got.values()
        result = s.chart.barrage.result(die, ATTEMPTS)
        f.attempts = int(result)
        out.add(Barraged(side=f.seat, die=die, result=result, rule=self.rule))
        return DONE


class Aim(Ask[State, Barrage, Fire]):
    """SG-8.5.1b: the target of an attempt."""

    name = "barrage"
    rule = "SG-8.5.1"
    default = "then best"
    preset = True
    answer_names = ("best",)

    def by(self, s: State, f: Barrage) -> Sequence[str]:
        return (f.seat,) if len(f.targets) < f.attempts and targets(s, f) else ()

    def prompt(self, s: State, f: Barrage, seat: str) -> str:
        return f"Attempt {len(f.targets) + 1} of {f.attempts}: `fire UNIT`."

    def options(self, s: State, f: Barrage, seat: str) -> Iterator[Fire]:
        return map(Fire, targets(s, f))

    def why(self, s: State, f: Barrage, seat: str, order: Fire) -> Violation:
        if order.unit in f.targets:
            return Violation("SG-8.5.1c", f"{s.code(order.unit)} has been fired at")
        said = "A target is the top combat unit of an enemy stack beside a combat unit of yours"
        return Violation("SG-8.5.1c", f"{said}: {describe_places(targets(s, f), s.code)}")

    def do(self, s: State, f: Barrage, seat: str, order: Fire, out: Out) -> Next:
        """SG-12.1b: in the first turn it counts as an attack."""
        f.targets = (*f.targets, order.unit)
        note_struck(s, (order.unit,))
        return DONE

    def answers(self, s: State, f: Barrage, seat: str, own: Known) -> Mapping[str, Fire]:
        """DP-08: nobody who stands with a pinned unit, settlements first, then the best odds of an attack there."""

        def price(unit: int) -> tuple[bool, bool, int, int]:
            place = s.at(unit)
            pinned = any(s.pieces[each].pinned for each in s.combat_units(place))
            near = (each for around in s.chart.board.near[place] for each in s.combat_units(around, seat))
            attack = sum(s.face(each).attack for each in near)
            odds = 100 * attack // max(total(defence_shares(s, place)), 1)
            return pinned, place not in s.chart.settled, -odds, unit

        return {"best": Fire(min(targets(s, f), key=price))}


class Shell(Roll[State, Barrage]):
    """SG-8.5.1b: the Barrage column of the results. A city cancels the step loss (SG-8.7)."""

    name = "barrage_die"
    rule = "SG-8.5.1"

    def when(self, s: State, f: Barrage) -> bool:
        return bool(f.targets)

    def draws(self, s: State, f: Barrage) -> Iterable[Draw]:
        return (Draw(f"{f.label}/{len(f.targets)}/{hex_name(s.at(f.targets[-1]))}", DIE),)

    def run(self, s: State, f: Barrage, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((die,),) = got.values()
        unit = f.targets[-1]
        place = s.at(unit)
        result = s.chart.barrage.result(die, RESULT)
        ground = s.chart.settlements.get(s.chart.settled.get(place, ""))
        if result == "D1" and ground is not None and ground.first_loss:
            result = "-"
        out.add(Barraged(side=f.seat, unit=s.code(unit), hex=place, die=die, result=result, rule=self.rule))
        if result == "P":
            s.pin(unit)
        elif result == "D1":
            lose_step(s, unit, "SG-8.5.1", out)
        return DONE


class MoreAttempts(Auto[State, Barrage]):
    """SG-8.5.1: until all attempts are made, or nobody is left to fire at."""

    name = "barrage_more"
    rule = "SG-8.5.1"

    def run(self, s: State, f: Barrage, out: Out) -> Next:
        return Goto(Aim) if Aim().by(s, f) else DONE


__all__ = ["Aim", "MoreAttempts", "RollAttempts", "Shell", "targets"]
