"""NR-1.4 to NR-1.7, NR-1.13 to NR-1.28: steps lost, where units go that leave the map, cadres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.game import DONE, STAY, Auto, Decide, Goto, Known, Next, Out, Violation
from pbem.kit import COMBATS, TakeSteps, foremost, many, victims
from pbem_rules.noretreat.chart import NAMES, other
from pbem_rules.noretreat.events import Boxed, Placed, StepLost
from pbem_rules.noretreat.frames import Losses
from pbem_rules.noretreat.orders import Cadre, Decline, Lose
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.state import (
    BOX_NAMES,
    CADRES,
    CAPTURED,
    DESTROYED,
    OUT,
    TRACK,
    VOLKSSTURM,
    Effect,
    Piece,
    State,
)  # fmt: skip

OUTSIDE = "when fight = 0 then default; then ask"  # preset for what events bring about outside battles, too


class InBattle:
    """A choice in the middle of a battle, which standing orders make, else the default.

    The active side is asked if its list says so, the enemy if the offer does. Outside battles, where only events bring
    such choices about, standing orders that ask are always heeded; those that are preset (`OUTSIDE`) do not ask there.
    """

    def asks(self, s: State, f: Any, seat: str) -> bool:
        if s.fight is None:
            return True
        return s.fight.ask if seat == s.active else s.asked == COMBATS

    def unasked(self, s: State) -> str:
        return "" if s.asked == COMBATS else "default; in battles you are asked only in attacks of yours with “ask”"


def _free_turn(s: State, side: str) -> int:
    """NR-1.27: the next turn whose space holds no cadre of the side."""
    taken = {s.pieces[u].due for u in s.of(side, TRACK) if s.unit(u).cadre}
    turn = s.turn + 1
    while turn in taken:
        turn += 1
    return turn


def send(s: State, unit: int, box: int, why: str, rule: str, out: Out) -> None:
    """A unit leaves the map for a box, or for where its kind goes instead (NR-1.21, NR-1.27 to NR-1.29)."""
    kind = s.unit(unit)
    place, due, strong = s.at(unit), 0, s.pieces[unit].strong
    if kind.cadre:
        box, due = TRACK, _free_turn(s, kind.side)
    elif "luftwaffe" in kind.face(strong).traits and box in (DESTROYED, CAPTURED):
        box, due = TRACK, s.turn + 1
    elif kind.volkssturm and box != OUT:
        box = VOLKSSTURM
    elif kind.german and s.has(unit, "fortified"):
        box = OUT
    elif "reserves" in kind.face(strong).traits and box != OUT:
        box = DESTROYED
    elif kind.by == "option":
        box = OUT
    if box == DESTROYED and s.fight is not None and s.supplied(unit):
        s.put_effect(Effect("lost", kind.side, unit, until="phase"))  # NR-13.24S
    if box in (DESTROYED, CAPTURED):
        strong = not kind.two_faced and strong  # NR-7.10: it comes back on its weaker side
    s.pieces[unit] = Piece(box, strong, due)
    s.ground.move(unit, box)
    s.mark_cut(unit, cut=False)
    s.rest(unit)
    s.blown.discard(unit)  # NR-9.12
    if s.reserve == unit:
        s.reserve = -1
    if s.helped.get(kind.side) == unit:
        del s.helped[kind.side]
    out.add(Boxed(unit=kind.code, hex=place, box=BOX_NAMES[box], why=why, rule=rule))
    if box == CAPTURED:
        # Booked here since whatever sends a unit to that box books it.
        score(s, other(kind.side), 1, f"{kind.code} is captured", "NR-4.3", out)


def lose_step(s: State, unit: int, rule: str, out: Out) -> bool:
    """One step less; the last one sends the unit away (NR-1.4 to NR-1.6). True: it is gone."""
    place, left = s.at(unit), s.steps(unit) - 1
    out.add(StepLost(unit=s.name(unit), hex=place, left=left, rule=rule))
    if left:
        s.turn_over(unit, strong=False)
        return False
    send(s, unit, DESTROYED if s.supplied(unit) else CAPTURED, "its last step is lost", rule, out)
    return True


def takers(s: State, units: Sequence[int], *, attacks: bool) -> tuple[int, ...]:
    """NR-1.13, NR-1.15, NR-1.17: those that must take a loss before the others."""
    return foremost(
        units,
        lambda unit: attacks and s.has(unit, "ss_panzer"),
        lambda unit: s.has(unit, "ss_grenadier"),
        lambda unit: attacks and s.has(unit, "shock"),
    )


def cheapest(s: State, units: Sequence[int]) -> int:
    """Allies first, then full strength that is no armour, then the weakest (DP-25)."""

    def price(unit: int) -> tuple[int, int, int, int]:
        kind = s.unit(unit)
        last = int(s.steps(unit) == 1 and not kind.ally and not kind.cadre)
        return int(not (kind.ally or kind.cadre)), last, int(s.has(unit, "armour")), s.face(unit).strength

    return min(units, key=lambda unit: (price(unit), unit))


class TakeLoss(InBattle, TakeSteps[State, Losses, Lose]):
    name = "loss"
    rule = "NR-1.7"
    default, preset = "then cheapest", OUTSIDE
    fact_names = ("fight", "mine", "units")
    answer_names = ("cheapest", "UNIT")

    def prompt(self, s: State, f: Losses, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in victims(s, f))
        return f"{NAMES[seat]} loses {many(f.count, 'step')}: `lose UNIT` of {codes}."

    def order(self, unit: int) -> Lose:
        return Lose(unit)

    def why(self, s: State, f: Losses, seat: str, order: Lose) -> Violation:
        rule = "NR-1.13" if f.first and order.unit in f.units else "NR-1.7"
        can = ", ".join(s.name(unit) for unit in victims(s, f))
        return Violation(rule, f"The step is lost by one of {can}")

    def take(self, s: State, f: Losses, order: Lose, out: Out) -> Next:
        unit, place = order.unit, s.at(order.unit)
        leaves_room = f.cadre and not s.unit(unit).cadre and s.supplied(unit)  # not for a prisoner
        if lose_step(s, unit, self.rule, out) and leaves_room:
            f.vacancy = place
            return DONE
        return STAY

    def facts(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, int]:
        mine = int(s.fight is not None and s.fight.side == seat)
        return {"fight": int(s.fight is not None), "mine": mine, "units": len(victims(s, f))}

    def answers(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, Lose]:
        can = victims(s, f)
        named = {s.name(unit).lower(): Lose(unit) for unit in can}
        return {**named, "cheapest": Lose(cheapest(s, can))}

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or any(name == unit.code.lower() for unit in s.chart.units)


class PlaceCadre(InBattle, Decide[State, Losses, Cadre | Decline]):
    name = "cadre"
    rule = "NR-1.26"
    takes = (Cadre, Decline)
    default, preset = "then cadre", OUTSIDE
    fact_names = ("fight",)
    answer_names = ("cadre", "decline")
    ends = "Bring no cadre"

    def when(self, s: State, f: Losses) -> bool:
        return f.vacancy != 0

    def by(self, s: State, f: Losses) -> Sequence[str]:
        return (f.side,) if s.of(f.side, CADRES) else ()

    def prompt(self, s: State, f: Losses, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in s.of(f.side, CADRES))
        return f"A cadre ({codes}) may take the place in {s.chart.place_text(f.vacancy)}: `cadre UNIT` or `decline`."

    def legal(self, s: State, f: Losses, seat: str, own: Known) -> Iterator[Cadre | Decline]:
        yield Decline()
        yield from map(Cadre, s.of(f.side, CADRES))

    def check(self, s: State, f: Losses, seat: str, order: Cadre | Decline, proof: Known) -> Violation | None:
        if isinstance(order, Cadre) and order.unit not in s.of(f.side, CADRES):
            return Violation(self.rule, "That is not a cadre in your box of available ones")
        return None

    def apply(self, s: State, f: Losses, answers: Mapping[str, Cadre | Decline], out: Out) -> Next:
        order = answers[f.side]
        if isinstance(order, Cadre):
            s.put(order.unit, f.vacancy)
            out.add(Placed(unit=s.name(order.unit), hex=f.vacancy, origin=BOX_NAMES[CADRES], rule=self.rule))
        return DONE

    def facts(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, int]:
        return {"fight": int(s.fight is not None)}

    def answers(self, s: State, f: Losses, seat: str, own: Known) -> Mapping[str, Cadre | Decline]:
        return {"cadre": Cadre(s.of(f.side, CADRES)[0]), "decline": Decline()}


class MoreLosses(Auto[State, Losses]):
    name = "more_losses"
    rule = "NR-1.7"

    def run(self, s: State, f: Losses, out: Out) -> Next:
        f.vacancy = 0
        return Goto(TakeLoss) if victims(s, f) else DONE
