"""NR-9.27 to NR-9.32 Counterattacks, and the markers that CB results leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, Decide, Goto, Known, Next, Out, Violation
from pbem_rules.noretreat.battle import OWN_MARKER, marker_ok, use_marker
from pbem_rules.noretreat.chart import NAMES, other
from pbem_rules.noretreat.events import CounterAttack, Note
from pbem_rules.noretreat.frames import Battle
from pbem_rules.noretreat.losses import InBattle
from pbem_rules.noretreat.odds import column_name, fight_of, reckon
from pbem_rules.noretreat.orders import Counter, Decline, Mark, Marker
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import mark_blow
from pbem_rules.noretreat.windows import OpenBattle


class CounterAttackStep(InBattle, Decide[State, Battle, Counter | Decline]):
    """NR-9.27, NR-9.28: roles change, and the battle is fought anew. Whether they do is a stance."""

    name = "counterattack"
    rule = "NR-9.27"
    takes = (Counter, Decline)
    stance = True
    default = "when column >= 2 then counter; then decline, counter"
    fact_names = ("column", "hex")
    answer_names = ("counter", "decline", "marker")
    ends = "Do not counterattack"

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).result == "CA" and not fight_of(s).counter

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (other(f.side),) if any(s.face(unit).strength for unit in fight_of(s).defenders) else ()

    def may_change(self, s: State, seat: str) -> bool:
        return s.active == seat or s.fight is None

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        fight = fight_of(s)
        name = reckon(s, swapped(s, fight))
        must = "must counterattack: `counter`" if fight.must_counter else "may counterattack: `counter` or `decline`"
        column = column_name(s, name.column)
        usable = marker_ok(s, seat, fight.defenders, OWN_MARKER[seat]) is None
        marker = f" `counter {OWN_MARKER[seat].value}` uses a marker." if usable else ""
        return f"{NAMES[seat]} {must}, column {column}.{marker}"

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Counter | Decline]:
        if not fight_of(s).must_counter:
            yield Decline()
        yield Counter()
        if marker_ok(s, seat, fight_of(s).defenders, OWN_MARKER[seat]) is None:
            yield Counter(OWN_MARKER[seat])

    def check(self, s: State, f: Battle, seat: str, order: Counter | Decline, proof: Known) -> Violation | None:
        fight = fight_of(s)
        if isinstance(order, Decline):
            return Violation("NR-9.27", "This counterattack must be fought") if fight.must_counter else None
        return marker_ok(s, seat, fight.defenders, order.marker)

    def apply(self, s: State, f: Battle, answers: Mapping[str, Counter | Decline], out: Out) -> Next:
        ((seat, order),) = answers.items()
        if isinstance(order, Decline):
            out.add(Note(text=f"{NAMES[seat]}: no counterattack.", rule="NR-9.27"))
            return DONE
        fight = swapped(s, fight_of(s))
        use_marker(s, seat, order.marker)
        fight.marker = order.marker != Marker.NONE
        s.fight, f.side = fight, seat
        out.add(CounterAttack(side=seat, hexes=fight.target, rule="NR-9.28"))
        return Goto(OpenBattle)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        fight = fight_of(s)
        return {"column": reckon(s, swapped(s, fight)).column, "hex": fight.target[0]}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Counter | Decline]:
        named: dict[str, Counter | Decline] = {"counter": Counter()}
        if not fight_of(s).must_counter:
            named["decline"] = Decline()
        if marker_ok(s, seat, fight_of(s).defenders, OWN_MARKER[seat]) is None:
            named["marker"] = Counter(OWN_MARKER[seat])
        return named


def swapped(s: State, fight: Fight) -> Fight:
    """The counterattack: all units of the first battle, roles reversed, events and markers gone (NR-9.28)."""
    hexes = tuple(sorted({s.at(unit) for unit in fight.units}))
    return Fight(
        label=fight.label,
        side=other(fight.side),
        target=hexes,
        units=tuple(unit for unit in fight.defenders if s.face(unit).strength),
        defenders=fight.units,
        counter=True,
        steps_after=fight.steps_after,  # NR-13.11S waits for the end of the whole battle
        ask=fight.ask,
    )


class MarkBlow(InBattle, Decide[State, Battle, Mark]):
    """NR-9.32: the attacker puts the marker on one of the units that fought."""

    name = "mark"
    rule = "NR-9.32"
    takes = (Mark,)
    forced = True
    default = "then strongest"
    answer_names = ("strongest",)

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).result == "CB"

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        units = ", ".join(s.name(unit) for unit in fight_of(s).units)
        return f"Counterblow: the enemy must attack one of your units, `mark UNIT` of {units}."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Mark]:
        return map(Mark, fight_of(s).units)

    def check(self, s: State, f: Battle, seat: str, order: Mark, proof: Known) -> Violation | None:
        return None if order.unit in fight_of(s).units else Violation(self.rule, "Mark a unit that attacked")

    def apply(self, s: State, f: Battle, answers: Mapping[str, Mark], out: Out) -> Next:
        mark_blow(s, (answers[f.side].unit,), self.rule, out)
        return DONE

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Mark]:
        return {"strongest": Mark(strongest(s, fight_of(s).units))}


def strongest(s: State, units: Sequence[int]) -> int:
    """The strongest unit of the strongest stack, the first of equals."""

    def strength(unit: int) -> tuple[int, int, int, int]:
        place = s.at(unit)
        return sum(s.face(each).strength for each in s.ground.stacks[place]), -place, s.face(unit).strength, -unit

    return max(units, key=strength)
