"""BH-7 Battle: window, die, losses, counterattack, advance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Auto, Call, Draw, Known, Next, Out, Roll, Violation
from pbem.kit import hex_name
from pbem_rules.bridgehead.attacks import attackers, odds
from pbem_rules.bridgehead.chart import NAMES, other
from pbem_rules.bridgehead.events import Advanced, CounterAttack, Fought, NoCounterAttack, Stood
from pbem_rules.bridgehead.frames import Battle, Half, Retreat, Window
from pbem_rules.bridgehead.losses import lose_steps
from pbem_rules.bridgehead.orders import Advance, Counter, Decline, Halt
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import enter

# What each result costs: steps of the attackers, steps of the defenders, whether the defender must give way (BH-7.3).
RESULTS = {
    "A1": (1, 0, False),
    "A2": (2, 0, False),
    "EX": (1, 1, False),
    "DR": (0, 0, True),
    "D1": (0, 1, True),
    "D2": (0, 2, True),
    "CA": (0, 0, False),
}


class NextBattle(Auto[State, Half]):
    rule = "BH-6.3"

    def run(self, s: State, f: Half, out: Out) -> Next:
        if f.fought == len(f.attacks):
            return DONE
        target, hexes = f.attacks[f.fought]
        f.fought += 1
        label = f"t{s.turn}/{f.side}/{hex_name(target)}"
        return Call(Battle(label, f.side, target, hexes, barrage=target in s.barrages), again=True)


class Gather(Auto[State, Battle]):
    """Who is still there to fight; then the window (BH-7.1)."""

    rule = "BH-6.8"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        f.units = attackers(s, f.hexes)
        return Call(Window(f.side, f.target))

    def back(self, s: State, f: Battle, done: Window, out: Out) -> None:
        f.card = done.card


class FallBack(Auto[State, Battle]):
    rule = "BH-8.11"

    def when(self, s: State, f: Battle) -> bool:
        return f.card == "fallback"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        return Call(Retreat(other(f.side), f.target, s.ground.stacks[f.target], may_stand=False))


class Fight(Roll[State, Battle]):
    """There is no die after Fall back (BH-8.11)."""

    rule = "BH-7.2"

    def when(self, s: State, f: Battle) -> bool:
        return f.card != "fallback"

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        return (Draw(f"{f.label}/crt", s.chart.combat.sides),)

    def rolled(self, s: State, f: Battle) -> str:
        column = s.chart.odds.name(odds(s, f.target, f.units, f.barrage, f.card).column)
        card = f", with {s.chart.cards.kinds[f.card].name}" if f.card else ""
        attack = "counterattack" if f.counter else "attack"
        return f"The {attack} on {s.chart.board[f.target]} is fought, column {column}{card}."

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        die = got[f"{f.label}/crt"][0]
        reckoned = odds(s, f.target, f.units, f.barrage, f.card)
        f.result = s.chart.combat.result(die, reckoned.column)
        if out.wanted:
            out.add(
                Fought(
                    side=f.side,
                    target=f.target,
                    hexes=f.hexes,
                    counter=f.counter,
                    attack=reckoned.attack,
                    defence=reckoned.defence,
                    shifts=tuple(f"{shift.why} {shift.by:+d}" for shift in reckoned.shifts),
                    column=s.chart.odds.name(reckoned.column),
                    die=die,
                    result=f.result,
                    rule="BH-7.3",
                )
            )
        attackers_lose, defenders_lose, _ = RESULTS[f.result]
        lose_steps(s, f.units, attackers_lose, out)
        lose_steps(s, s.ground.stacks[f.target], defenders_lose, out)
        return DONE


def counter_targets(s: State, f: Battle) -> Iterator[int]:
    """BH-7.7: the hexes that the defender may counterattack."""
    defenders = s.ground.stacks[f.target]
    for cell in f.hexes:
        if odds(s, cell, defenders).plain >= 0:
            yield cell


class CounterBlow(Ask[State, Battle, Counter | Decline]):
    name = "counter"
    rule = "BH-7.7"
    default = "then decline"
    fact_names = ("column", "hex", "steps")
    answer_names = ("counter", "decline")

    def when(self, s: State, f: Battle) -> bool:
        return f.result == "CA" and not f.counter

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (other(f.side),) if any(True for _ in counter_targets(s, f)) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"{NAMES[seat]} may counterattack from {s.chart.board[f.target]}: `counter HEX` or `decline`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Counter | Decline]:
        yield Decline()
        for cell in counter_targets(s, f):
            yield Counter(cell)

    def why(self, s: State, f: Battle, seat: str, order: Counter | Decline) -> Violation:
        where = hex_name(order.target) if isinstance(order, Counter) else "Nothing"
        return Violation(self.rule, f"{where} cannot be counterattacked")

    def do(self, s: State, f: Battle, seat: str, order: Counter | Decline, out: Out) -> Next:
        if isinstance(order, Decline):
            out.add(NoCounterAttack(side=seat, hex=f.target, rule=self.rule))
            return DONE
        out.add(CounterAttack(side=seat, target=order.target, rule=self.rule))
        label = f"{f.label}/counter"
        return Call(Battle(label, seat, order.target, (f.target,), counter=True))

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        best = max(odds(s, cell, s.ground.stacks[f.target]).column for cell in counter_targets(s, f))
        return {"column": best, "hex": f.target, "steps": sum(s.pieces[u].steps for u in s.ground.stacks[f.target])}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Counter | Decline]:
        defenders = s.ground.stacks[f.target]
        best = max(counter_targets(s, f), key=lambda cell: (odds(s, cell, defenders).column, -cell))
        return {"counter": Counter(best), "decline": Decline()}


class GiveWay(Auto[State, Battle]):
    """BH-8.11: who has fallen back has given way already; BH-8.12: who stands fast does not."""

    rule = "BH-7.5"

    def when(self, s: State, f: Battle) -> bool:
        return f.card != "fallback" and RESULTS[f.result][2]

    def run(self, s: State, f: Battle, out: Out) -> Next:
        left = s.ground.stacks[f.target]
        if f.card == "standfast":
            if left:
                out.add(Stood(side=other(f.side), hex=f.target, fast=True, rule="BH-8.12"))
            return DONE
        return Call(Retreat(other(f.side), f.target, left, may_stand=True)) if left else DONE


def ready(s: State, f: Battle) -> list[int]:
    """BH-7.8: the attackers that could advance, two at most, as many as have room (BH-1.3)."""
    if s.side_at(f.target) == other(f.side) or not s.room(f.target):
        return []
    return [unit for unit in f.units if s.at(unit) in f.hexes]


class FollowUp(Ask[State, Battle, Advance | Halt]):
    """BH-7.8; whoever advances into a town takes it (BH-10.1)."""

    name = "advance"
    rule = "BH-7.8"
    default = "when advanced < 1 then strongest; then halt"
    fact_names = ("advanced", "hex", "town")
    answer_names = ("strongest", "halt")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.side,) if ready(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        place = s.chart.board[f.target]
        codes = ", ".join(s.chart.units[unit].code for unit in ready(s, f))
        if f.advanced:
            what = f"There is room for another unit in {place}; one more of these attackers may advance into it"
        else:
            what = f"{place} is empty; these attackers may advance into it, at most two, one after the other"
        return f"{what}: {codes}. `advance UNIT HEX` or `halt`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Advance | Halt]:
        yield Halt()
        for unit in ready(s, f):
            yield Advance(unit, f.target)

    def why(self, s: State, f: Battle, seat: str, order: Advance | Halt) -> Violation:
        if isinstance(order, Advance) and order.to != f.target:
            return Violation("BH-7.8", f"The advance is into {hex_name(f.target)}")
        return Violation("BH-7.8", "Only units that took part in this attack and survived may advance")

    def do(self, s: State, f: Battle, seat: str, order: Advance | Halt, out: Out) -> Next:
        if isinstance(order, Halt):
            return DONE
        s.put(order.unit, f.target)
        f.advanced += 1
        out.add(Advanced(unit=s.chart.units[order.unit].code, to=f.target, rule=self.rule))
        enter(s, f.side, (f.target,), out)
        return STAY

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        town = int(s.chart.board[f.target].terrain == "town")
        return {"advanced": f.advanced, "hex": f.target, "town": town}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Advance | Halt]:
        best = max(ready(s, f), key=lambda unit: (s.face(unit).attack, -unit))
        return {"halt": Halt(), "strongest": Advance(best, f.target)}
