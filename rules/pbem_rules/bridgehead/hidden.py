"""BH-3 Hidden choices: where the reserve comes, and the posture at dawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, Auto, Decide, Known, Next, Open, Order, Out, Sealed, Violation
from pbem.kit import Shift, hex_name
from pbem_rules.bridgehead.chart import BLUE, BOX, NAMES, RED, SEATS
from pbem_rules.bridgehead.events import Arrived, Postures, ReserveShown, Waits
from pbem_rules.bridgehead.frames import Half, Turn, War
from pbem_rules.bridgehead.orders import POSTURES, Choose, Enter, Posture
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import enter

DAWNS = (1, 4, 7)


def entry_violation(s: State, side: str, order: Order) -> Violation | None:
    """BH-3.1; and what was sealed is judged by it when it is opened (BH-3.2)."""
    entries = s.plan.reserves[side].entries
    if isinstance(order, Enter) and order.hex in entries:
        return None
    names = ", ".join(hex_name(entry) for entry in entries)
    return Violation("BH-3.1", f"The reserve enters at one of {names}")


class SecretEntry(Decide[State, War, Enter]):
    name = "reserve"
    rule = "BH-3.1"
    secret = True

    def by(self, s: State, f: War) -> Sequence[str]:
        return SEATS

    def prompt(self, s: State, f: War, seat: str) -> str:
        return f"{NAMES[seat]} chooses in secret where its reserve will enter."

    def legal(self, s: State, f: War, seat: str, own: Known) -> Iterator[Enter]:
        return (Enter(entry) for entry in s.plan.reserves[seat].entries)

    def check(self, s: State, f: War, seat: str, order: Enter, proof: Known) -> Violation | None:
        return entry_violation(s, seat, order)

    def apply(self, s: State, f: War, answers: Mapping[str, Enter | Sealed], out: Out) -> Next:
        for seat, answer in answers.items():
            assert isinstance(answer, Sealed)
            s.reserves[seat] = answer.slot
        return DONE


class ShowEntry(Open[State, Half]):
    name = "entry"
    rule = "BH-3.2"

    def when(self, s: State, f: Half) -> bool:
        return f.side not in s.entries and s.turn >= s.plan.reserves[f.side].arrives

    def slots(self, s: State, f: Half) -> Iterable[str]:
        return (s.reserves[f.side],)

    def check(self, s: State, f: Half, slot: str, order: Order) -> Violation | None:
        return entry_violation(s, f.side, order)

    def run(self, s: State, f: Half, opened: Mapping[str, Order], out: Out) -> Next:
        order = opened[s.reserves[f.side]]
        assert isinstance(order, Enter)
        s.entries[f.side] = order.hex
        out.add(ReserveShown(side=f.side, hex=order.hex, rule=self.rule))
        return DONE


class ArriveReserve(Auto[State, Half]):
    """Arrivals take towns, too (BH-10.1)."""

    name = "arrive"
    rule = "BH-3.3"

    def when(self, s: State, f: Half) -> bool:
        return f.side in s.entries

    def run(self, s: State, f: Half, out: Out) -> Next:
        entries = s.plan.reserves[f.side].entries
        first = entries.index(s.entries[f.side])
        for unit in s.ground.stacks[BOX[f.side]]:
            code = s.chart.units[unit].code
            for entry in entries[first:] + entries[:first]:
                if s.room(entry) and s.side_at(entry) in (None, f.side):
                    out.add(Arrived(unit=code, hex=entry, rule="BH-3.2"))
                    s.put(unit, entry)
                    enter(s, f.side, (entry,), out)
                    break
            else:
                out.add(Waits(unit=code, rule=self.rule))
        return DONE


class Dawn(Decide[State, Turn, Choose]):
    name = "posture"
    rule = "BH-3.4"
    sealed = True

    def when(self, s: State, f: Turn) -> bool:
        return s.turn in DAWNS

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        postures = ", ".join(f"{posture} ({does})" for posture, does in POSTURES.items())
        return f"Dawn of turn {s.turn}. {NAMES[seat]} chooses its posture for three turns: {postures}."

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Choose]:
        return (Choose(posture) for posture in Posture)

    def check(self, s: State, f: Turn, seat: str, order: Choose, proof: Known) -> Violation | None:
        return None

    def apply(self, s: State, f: Turn, answers: Mapping[str, Choose], out: Out) -> Next:
        for seat, answer in answers.items():
            s.postures[seat] = answer.posture.value
        out.add(Postures(blue=s.postures[BLUE], red=s.postures[RED], rule=self.rule))
        return DONE


def posture_shift(s: State) -> Iterator[Shift]:
    """BH-3.5, BH-3.6: what both postures do to any battle."""
    for side in SEATS:
        posture = s.postures.get(side)
        if posture == Posture.ATTACK:
            yield Shift(1, "BH-3.5", f"{NAMES[side]}'s posture attack")
        elif posture == Posture.HOLD:
            yield Shift(-1, "BH-3.6", f"{NAMES[side]}'s posture hold")
