"""NR-4 Victory: control, points, sudden death, initiative, 1945."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import DONE, Auto, End, Next, Out, Result
from pbem.kit import held_by, take
from pbem_rules.noretreat.chart import AXIS, NAMES, SIDES, SOVIET, YEAR_45, other
from pbem_rules.noretreat.events import Finished, Note, Taken
from pbem_rules.noretreat.frames import Campaign, GameTurn
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.scoring import points
from pbem_rules.noretreat.state import OUT, Effect, State
from pbem_rules.noretreat.supply import supplied_places

TOTAL = 34  # NR-4.10
SHIFT = 12  # the turn in which the initiative changes sides


def enter(s: State, side: str, places: Iterable[int], out: Out) -> None:
    """NR-2.7, NR-2.8: a unit of the side has come into places, be it only to pass through; NR-13.41A."""
    chart = s.chart
    for place in take(s.holders, side, places):
        if side == SOVIET:
            s.works = tuple(each for each in s.works if each != place)
            _trigger(s, place, out)
        if place in chart.points or place in chart.cities or place in chart.balkans:
            s.taken = (*s.taken, place)
            out.add(Taken(side=side, place=chart.place_text(place), rule="NR-2.7"))


def _trigger(s: State, place: int, out: Out) -> None:
    """NR-11.37: the turn in which something happens for the first time; its consequences come one turn later."""
    chart = s.chart
    happened = []
    if not chart.ussr & chart.board.bit[place] and place != chart.finland:
        happened.append(("gg", "Soviet troops have crossed the border", "NR-11.30"))
    if place == chart.named["Ploesti"]:
        romania_leaves(s, out)
        happened.append(("ploesti", "The Romanian oil fields have fallen", "NR-11.31"))
    if place == chart.named["Warsaw"]:
        happened.append(("warsaw", "Warsaw is taken", "NR-11.36"))
    for key, text, rule in happened:
        if key not in s.triggers:
            s.triggers[key] = s.turn
            out.add(Note(text=f"{text}.", rule=rule))


def romania_leaves(s: State, out: Out) -> None:
    """NR-11.15: from turn 15, as soon as the oil fields are lost."""
    if s.turn >= 15 and s.holders[s.chart.named["Ploesti"]] == SOVIET:
        for unit in s.chart.own[AXIS]:
            if s.unit(unit).nation == "romanian" and s.at(unit) != OUT:
                send(s, unit, OUT, "Romania leaves the war", "NR-11.15", out)


def objectives(s: State, side: str) -> int:
    """The objectives that a side holds and that lines of supply reach (NR-4.6, NR-4.7)."""
    reached, bit = supplied_places(s, side), s.chart.board.bit
    return sum(1 for place in held_by(s.holders, side, s.chart.objectives[side]) if reached & bit[place])


def needed(s: State, side: str) -> int:
    """NR-4.6, NR-4.7."""
    return 3 if side == SOVIET or s.initiative == AXIS else 4


def finish(s: State, winner: str | None, how: str, rule: str, out: Out) -> End:
    out.add(Finished(winner=winner or "", how=how, points=points(s), rule=rule))
    return End(Result(winner, how, tuple((side, points(s, side)) for side in SIDES)))


def berlin(s: State, out: Out) -> End | None:
    """NR-4.7: the game is over as soon as Berlin falls; asked after every battle and phase in which it can."""
    fallen = s.holders[s.chart.named["Berlin"]] == SOVIET
    return finish(s, SOVIET, "Berlin", "NR-4.7", out) if fallen else None


def by_objectives(s: State) -> tuple[str, str, str] | None:
    if s.holders[s.chart.named["Berlin"]] == SOVIET:
        return SOVIET, "Berlin", "NR-4.7"
    for side, rule in ((AXIS, "NR-4.6"), (SOVIET, "NR-4.7")):
        if objectives(s, side) >= needed(s, side):
            return side, "objectives", rule
    return None


def skull_number(s: State) -> int | None:
    """The number beside the skull of the turn, for the side with the initiative; None: there is no skull for it."""
    return s.chart.track[s.turn].values.get(f"sudden_{s.initiative}")


def sudden(s: State) -> str | None:
    """NR-4.8: the side that wins by the number beside the skull."""
    limit = skull_number(s)
    return s.initiative if limit is not None and points(s) > limit else None


def no_surrender(s: State, f: GameTurn, out: Out) -> None:
    """NR-14.8: what sudden death is when the players have agreed to fight on."""
    limit = skull_number(s)
    if limit is None or points(s) < limit:
        return
    loser, over = other(s.initiative), points(s) - limit
    less = min(over, 2)
    if less:
        s.put_effect(Effect("draw_less", loser, 0, less, "round"))
    f.surrender = loser
    more = f", and draws {less} fewer in the next turn" if less else ""
    out.add(Note(text=f"{NAMES[loser]} loses a card{more}.", rule="NR-14.8"))


def skull(s: State, f: GameTurn, out: Out) -> Next | None:
    """One sudden-death check, if the turn has one for the side with the initiative (NR-4.8)."""
    if skull_number(s) is None:
        return None
    if s.skip_sudden:
        s.skip_sudden = False
        out.add(Note(text="No Sudden Death: the check does not take place.", rule="NR-4.8"))
        return None
    if "no_surrender" in s.options:
        no_surrender(s, f, out)
        return None
    winner = sudden(s)
    return None if winner is None else finish(s, winner, "sudden death", "NR-4.8", out)


class VictoryPhase(Auto[State, GameTurn]):
    """Phase C (NR-4.6 to NR-4.15)."""

    name = "victory"
    rule = "NR-3.4"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        decided = by_objectives(s)
        if decided is not None:
            return finish(s, *decided, out)
        over = skull(s, f, out)
        if over is not None:
            return over
        if s.turn == SHIFT and s.initiative == AXIS:
            self._shift(s, out)
            over = skull(s, f, out)
            if over is not None:
                return over
        if s.initiative == SOVIET and SHIFT <= s.turn <= YEAR_45:
            # In turn 23 the places still count as they did until then.
            total = len(held_by(s.holders, SOVIET, s.chart.points)) + s.event_vp
            if total >= TOTAL:
                return finish(s, SOVIET, "total victory", "NR-4.10", out)
            if s.turn == YEAR_45:
                if s.high_tide > total:
                    return finish(s, AXIS, "operational victory", "NR-4.9", out)
                s.event_vp = 0
                out.add(Note(text="1945: only places in Greater Germany count now.", rule="NR-4.14"))
        return DONE

    @staticmethod
    def _shift(s: State, out: Out) -> None:
        """NR-4.13."""
        s.high_tide = points(s)
        s.event_vp = 0
        s.initiative = SOVIET
        out.add(Note(text=f"The initiative passes to the Soviets. High tide: {s.high_tide}.", rule="NR-4.13"))


class LastCount(Auto[State, Campaign]):
    """NR-4.11, and the ends of shorter scenarios (NR-14.12)."""

    rule = "NR-4.11"

    def run(self, s: State, f: Campaign, out: Out) -> Next:
        decided = by_objectives(s)
        if decided is not None:
            return finish(s, *decided, out)
        if s.plan.win:
            moscow = s.holders[s.chart.named["Moscow"]] == AXIS and objectives(s, AXIS) >= 2
            winner = AXIS if moscow or points(s) >= s.plan.win else SOVIET
            return finish(s, winner, "points", "NR-14.12", out)
        return finish(s, AXIS, "the Reich holds out", self.rule, out)


def forfeit(s: State, seats: tuple[str, ...]) -> Result:
    left = [side for side in SIDES if side not in seats]
    return Result(left[0] if len(left) == 1 else None, "forfeit", tuple((side, points(s, side)) for side in SIDES))
