"""AA-6.10, AA-6.40..6.52: step 6, press on or retreat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.game import Ask, Known, Out, Violation
from pbem_rules.axis1941.battle_board import kinds, refuges
from pbem_rules.axis1941.battle_facts import battle_facts
from pbem_rules.axis1941.events import FellBack
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import ALONE, BARE
from pbem_rules.axis1941.orders import Press, Retreat
from pbem_rules.axis1941.standing import FACTS, RETREAT_DEFAULT
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, DAMAGED, NONE, SEATS, SIDE, TITLES, amounts

RETREAT = "retreat"  # a result, beside the verdicts


def ways_out(s: State, f: Battle) -> tuple[int, ...]:
    """Where `retreat` may lead (AA-6.46..6.51), the best known first. Transports alone may stay (AA-6.42)."""
    found = refuges(s, f)
    return (f.place, *found) if f.result == BARE else found


class Withdraw(Ask[State, Battle, Press | Retreat]):
    name = "retreat"
    rule = "AA-6.46"
    preset = True
    default = RETREAT_DEFAULT
    fact_names = FACTS
    answer_names = ("press", "retreat", "retreat-PLACE", "stay")

    def when(self, s: State, f: Battle) -> bool:
        return f.result in ("", ALONE, BARE)

    def by(self, s: State, f: Battle) -> Sequence[str]:
        ways = ways_out(s, f)
        return SEATS[f.power] if ways and (f.result != BARE or len(ways) > 1) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        ways = ", ".join(f"`retreat {s.chart.words[place]}`" for place in ways_out(s, f))
        press = "Retreat: " if f.result else "Fight on or retreat: `press`, "
        mine, theirs = (amounts(Counter(s.units[each].kind for each in units)) for units in (f.attackers, f.defenders))
        head = f"{TITLES[f.power]}, the battle for {s.where(f.place)} after round {f.round}"
        return f"{head}: {mine} against {theirs or 'no units'}. {press}{ways}."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Press | Retreat]:
        if not f.result:
            yield Press()
        for place in ways_out(s, f):
            yield Retreat(place)

    def why(self, s: State, f: Battle, seat: str, order: Press | Retreat) -> Violation:
        can = " or ".join(s.where(place) for place in ways_out(s, f))
        if isinstance(order, Press):
            if f.result == ALONE:
                return Violation("AA-6.40", f"Nothing but transports is left to fight with: retreat to {can}")
            return Violation("AA-6.42", f"No unit is left that could fight: the transports may stay, or go to {can}")
        return self._why_not(s, f, order.to, can)

    @staticmethod
    def _why_not(s: State, f: Battle, to: int, can: str) -> Violation:
        name, side = s.where(to), SIDE[f.power]
        if to == f.place:
            return Violation(
                "AA-6.47",
                f"Only a force of nothing but aircraft stays in {name} when it retreats. This one can go to {can}",
            )
        if ways_out(s, f) == (f.place,):
            return Violation(
                "AA-6.51", f"Aircraft retreat where they are, and land later: `retreat {s.chart.words[f.place]}`"
            )
        if to not in f.origins:
            return Violation(
                "AA-6.47", f"None of your units came to the battle from {name}. The retreat can go to {can}"
            )
        if to in s.seas:
            return Violation("AA-6.49", f"{name} was hostile when the turn began. The retreat can go to {can}")
        assert s.hostile(to, side)
        return Violation("AA-6.47", f"{name} is hostile. The retreat can go to {can}")

    def do(self, s: State, f: Battle, seat: str, order: Press | Retreat, out: Out) -> None:
        if isinstance(order, Retreat):
            fall_back(s, f, order.to, out)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return battle_facts(s, f, attacking=True)

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Press | Retreat]:
        """`retreat` goes where most of the attackers came from; `retreat-SZ5` there or nowhere, in lower case."""
        ways = ways_out(s, f)
        found: dict[str, Press | Retreat] = {
            f"retreat-{s.chart.words[place].lower()}": Retreat(place) for place in ways
        }
        if not f.result:
            found["press"] = Press()
        if f.result == BARE:
            found["stay"] = Retreat(f.place)
            ways = ways[1:]
        found["retreat"] = Retreat(ways[0])
        return found

    def is_answer(self, s: State, name: str) -> bool:
        goal = name.removeprefix("retreat-")
        return super().is_answer(s, name) or (goal != name and goal in map(str.lower, s.chart.words))


def fall_back(s: State, f: Battle, to: int, out: Out) -> None:
    """AA-6.47: all together; aircraft stay where they are, and so do those that came by sea (AA-6.9, AA-6.10,
    AA-6.51).

    Transports alone may stay (AA-6.42).
    """
    if f.result == BARE and to == f.place:
        return
    movers = tuple(each for each in f.attackers if each not in f.landed and s.units[each].kind not in AIR)
    out.add(FellBack(place=f.place, power=f.power, to=to, units=kinds(s, movers), rule="AA-6.47"))
    for each in movers:
        unit = s.units[each]
        s.change(each, place=to, did=unit.did & ~DAMAGED, target=NONE)  # AA-6.34
        for cargo in s.cargo(each):
            s.change(cargo, target=NONE)  # AA-6.11, AA-6.52
    f.attackers = tuple(each for each in f.attackers if each in f.landed)
    if not f.attackers:
        f.result = RETREAT
