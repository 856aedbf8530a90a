"""SG-8.1, SG-8.2b: the die of an attack, and its result step by step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbem.game import DONE, Auto, Call, Draw, Next, Out, Roll
from pbem.kit import all_of, hex_name
from pbem_rules.stargard.chart import DIE, FORTRESS
from pbem_rules.stargard.events import Fought, PostLeft, Spared
from pbem_rules.stargard.frames import Battle, Losses, Reform, Retreat
from pbem_rules.stargard.losses import strongest
from pbem_rules.stargard.odds import column_name, explain, reckon_attack
from pbem_rules.stargard.state import REFORMING, State, other

_PART = re.compile(r"([AD])(\d*)(?:(r)(\d*))?")
ATTACKER_FIRST = ("A1/Dr", "Ar/D1")  # SG-8.1.1a
ATTACKER, DEFENDER = "attacker", "defender"


def parts(result: str) -> dict[str, tuple[int, int]]:
    """SG-8.1a: steps and hexes by side. A retreat without a number is one hex long."""
    found = {}
    for part in result.split("/"):
        match = _PART.fullmatch(part)
        assert match is not None, result
        letter, steps, back, hexes = match.groups()
        found[ATTACKER if letter == "A" else DEFENDER] = int(steps or 0), int(hexes or 1) if back else 0
    return found


def plan_of(result: str, *, spared_step: bool, spared_hex: bool) -> tuple[str, ...]:
    """What is to be done of a result, in order (SG-8.1a).

    `spared`: what the defenders' settlement lets them ignore (SG-8.7, SG-9.5), after SG-8.1.1b in double results, too.
    """
    found = parts(result)
    if DEFENDER in found:
        steps, hexes = found[DEFENDER]
        found[DEFENDER] = max(steps - spared_step, 0), max(hexes - spared_hex, 0)
    sides = (ATTACKER, DEFENDER) if result in ATTACKER_FIRST else (DEFENDER, ATTACKER)  # SG-8.1b
    work = []
    for who in sides:
        steps, hexes = found.get(who, (0, 0))
        work += [f"lose {who} {steps}"] * (steps > 0) + [f"back {who} {hexes}"] * (hexes > 0)
    return tuple(work)


def work_of(s: State, target: int, result: str) -> tuple[str, ...]:
    """The same for an attack on this hex."""
    ground = s.chart.settlements.get(s.chart.settled.get(target, ""))
    return plan_of(
        result,
        spared_step=ground is not None and ground.first_loss,  # SG-8.7
        spared_hex=ground is not None and ground.first_retreat,  # SG-9.5
    )


def _spared(result: str, *, step: bool, back: bool) -> str:
    """What of a result a settlement lets the defenders ignore, in words."""
    steps, hexes = parts(result).get(DEFENDER, (0, 0))
    return all_of(("a step",) * (step and steps > 0) + ("a hex of the retreat",) * (back and hexes > 0))


class Fire(Roll[State, Battle]):
    """SG-8.2b: strengths, column, die."""

    name = "fire"
    rule = "SG-8.2"

    def when(self, s: State, f: Battle) -> bool:
        return not f.result

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        return (Draw(f"t{s.turn}/{f.seat}/a{s.activations}/{hex_name(f.target)}", DIE),)

    def rolled(self, s: State, f: Battle) -> str:
        return f"The attack on {s.chart.board[f.target]} is fought."

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((f.die,),) = got.values()
        reckoned = reckon_attack(s, f.units, f.target, f.shift)
        f.result = s.chart.crt.result(f.die, reckoned.column)
        f.work = work_of(s, f.target, f.result)
        out.add(
            Fought(
                side=f.seat,
                hex=f.target,
                units=tuple(map(s.code, f.units)),
                defenders=tuple(map(s.code, f.defenders)),
                odds=explain(s, reckoned),
                column=column_name(s, reckoned.column),
                die=f.die,
                result=f.result,
                rule=self.rule,
            )
        )
        ground = s.chart.settlements.get(s.chart.settled.get(f.target, ""))
        if ground is not None and (spared := _spared(f.result, step=ground.first_loss, back=ground.first_retreat)):
            out.add(Spared(by=s.chart.settled[f.target], what=spared, rule="SG-9.5"))
        return DONE


class Work(Auto[State, Battle]):
    """SG-8.1: losses and retreats, one side after the other; each of them ends before the next begins."""

    name = "work"
    rule = "SG-8.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        """SG-8.6.1: the first step from the strongest, by attack or by defence. SG-12.3b: nobody may have to go."""
        while f.work:
            what, who, count = f.work[0].split()
            side = f.seat if who == ATTACKER else other(f.seat)
            units = tuple(unit for unit in (f.units if who == ATTACKER else f.defenders) if s.on_map(unit))
            if what == "lose":
                f.work = f.work[1:]
                first = strongest(s, units, attacks=who == ATTACKER)
                return Call(Losses(side, units, int(count), first, attacker=f.seat, ask=f.ask), again=True)
            called = self._retreat(s, f, side, units, int(count))
            if called is not None:
                return Call(called, again=True)
            f.work = f.work[1:]
        return DONE

    @staticmethod
    def _retreat(s: State, f: Battle, side: str, units: tuple[int, ...], length: int) -> Retreat | None:
        """The units of one hex, with the headquarters that stands there (SG-9.3.1); attackers hex by hex."""
        still = [unit for unit in units if unit not in f.retreated and not s.has(unit, FORTRESS)]  # SG-12.3b
        if not still:
            return None
        start = s.at(still[0])
        group = [unit for unit in still if s.at(unit) == start]
        posts = [post for post in f.posts if s.at(post) == start]
        f.retreated = (*f.retreated, *group)
        return Retreat(side, start, (*group, *posts), length, f.seat, f.ask)

    def back(self, s: State, f: Battle, done: Losses | Retreat, out: Out) -> None:
        """SG-10.3a: a unit that had to stay (SG-9.4) has not retreated. Attackers go back hex by hex (SG-9.3.1)."""
        if isinstance(done, Retreat) and done.seat != f.seat:
            stayed = [unit for unit in f.defenders if unit not in done.gone]
            f.retreated = tuple(unit for unit in f.retreated if unit not in stayed)
            f.work = f.work[1:]  # defenders stand in one hex


class Widowed(Auto[State, Battle]):
    """SG-12.2.1b: headquarters whose combat units have all been destroyed through this battle reform."""

    name = "widowed"
    rule = "SG-12.2.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        """SG-12.2.1b."""
        for post, mates in zip(f.posts, f.mates, strict=True):
            if s.on_map(post) and not any(map(s.on_map, mates)):
                f.fled = (*f.fled, (post, leave(s, post, "its units are destroyed", self.rule, out)))
        return DONE


def leave(s: State, post: int, why: str, rule: str, out: Out) -> int:
    """SG-12.2.2a, SG-12.2.2c: a headquarters is taken off the map to reform; the hex that it left."""
    place = s.at(post)
    out.add(PostLeft(unit=s.code(post), hex=place, why=why, rule=rule))
    s.put(post, REFORMING)
    return place


def reforming(fled: tuple[tuple[int, int], ...]) -> Reform:
    """SG-12.2.1b, SG-12.2.6: those that have left their hexes already."""
    return Reform(tuple(post for post, _ in fled), tuple(place for _, place in fled), taken=True)


class Settle(Auto[State, Battle]):
    """SG-10.0a: has the battle emptied the defenders' hex? SG-12.2.1b: headquarters that lost their units reform."""

    name = "settle"
    rule = "SG-10.0"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        f.won = s.side_at(f.target) is None
        if not f.fled:
            return DONE
        fled, f.fled = f.fled, ()
        return Call(reforming(fled))
