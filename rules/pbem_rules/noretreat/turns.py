"""NR-3 and NR-11: the turn marker, the events of each turn, and how a player-turn begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Auto, Call, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import many
from pbem_rules.noretreat.cards.base import Moment
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET, other
from pbem_rules.noretreat.events import Boxed, Dropped, Note, SideBegan, TurnBegan
from pbem_rules.noretreat.frames import Campaign, GameTurn, PlayerTurn
from pbem_rules.noretreat.hands import KEEP, check_drop, drop_answers, drop_orders, slots, spend
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.options import reserves_arrive
from pbem_rules.noretreat.orders import Clear, Done, Drop
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import BOX_NAMES, CADRES, CAPTURED, DESTROYED, OUT, READY, TRACK, Piece, State
from pbem_rules.noretreat.supply import surrender
from pbem_rules.noretreat.victory import berlin, romania_leaves
from pbem_rules.noretreat.weather import begin, text, winter
from pbem_rules.noretreat.windows import EndPhase, PlayEvent

CARD_MOMENTS = (Moment.CARDS, Moment.ANY)


class NextTurn(Auto[State, Campaign]):
    """Phase A: the turn, its weather (NR-10.1), its Blitz and Shock markers (NR-9.21)."""

    rule = "NR-3.2"

    def run(self, s: State, f: Campaign, out: Out) -> Next:
        if s.turn == s.plan.last:
            return DONE
        s.turn = s.turn + 1 if s.turn else s.plan.first
        for each in s.effect("draw_less"):  # NR-14.8
            s.draw_less[each.side] = (s.draw_less.get(each.side) or 0) + each.amount
        s.lapse("round")
        begin(s)
        printed = s.chart.track[s.turn]
        s.support[AXIS], s.support[SOVIET] = printed.values["blitz"], printed.values["shock"]
        out.add(TurnBegan(turn=s.turn, date=printed.name, weather=text(s), rule=self.rule))
        return Call(GameTurn(), again=True)


class TurnEvents(Auto[State, GameTurn]):
    """Phase B: withdrawals, arrivals, triggers, the red event (NR-11)."""

    rule = "NR-3.3"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        for unit in range(len(s.chart.units)):
            if s.unit(unit).leaves == s.turn:
                self._withdraw(s, f, unit, out)
        romania_leaves(s, out)
        arrivals(s, out)
        reserves_arrive(s)
        for key in ("gg", "ploesti", "warsaw"):
            if s.triggers.get(key) == s.turn - 1:
                self._trigger(s, key, out)
        if "red" in s.chart.track[s.turn].marks:
            score(s, SOVIET, 1, "events elsewhere", "NR-4.4", out)
            f.discards += 1
        return DONE

    @staticmethod
    def _withdraw(s: State, f: GameTurn, unit: int, out: Out) -> None:
        """NR-11.14 to NR-11.19, NR-11.28."""
        kind = s.unit(unit)
        gone = s.at(unit) in (OUT, DESTROYED, CAPTURED) or not s.supplied(unit)
        if s.at(unit) != OUT:
            send(s, unit, OUT, "withdrawn", "NR-11.16", out)
        if s.turn == 15 and gone:
            f.discards += 1
        elif gone:  # in turns 16 and 18
            s.draw_less[AXIS] = (s.draw_less.get(AXIS) or 0) + 1
        if "ss_panzer" in kind.better.traits:
            s.triggers["ss"] = s.turn

    @staticmethod
    def _trigger(s: State, key: str, out: Out) -> None:
        """NR-11.30 to NR-11.37: units that come in the turn after."""
        names = []
        for unit, piece in s.pieces.items():
            kind = s.unit(unit)
            if kind.by == key and piece.place == OUT:
                fortified = kind.nation == "yugoslav"
                s.pieces[unit] = Piece(READY, fortified or kind.side == AXIS)
                s.ground.move(unit, READY)
                names.append(kind.code)
        if names:
            out.add(Note(text=f"{', '.join(names)} can be placed.", rule="NR-11.37"))


class CrowdedOut(Auto[State, PlayerTurn]):
    """Yugoslavs for whom Axis units leave no room when they are due are lost at once."""

    rule = "NR-11.35"

    def when(self, s: State, f: PlayerTurn) -> bool:
        return f.side == SOVIET and s.triggers.get("ploesti") == s.turn - 1

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        units = [unit for unit in s.of(SOVIET, READY) if s.unit(unit).nation == "yugoslav"]
        room = 0
        for place in s.chart.balkans:
            if s.of(AXIS, place):
                continue
            there = list(s.of(SOVIET, place))
            for unit in units:
                if not too_many(s, SOVIET, (*there, unit), place):
                    there.append(unit)
                    room += 1
        for unit in units[room:]:
            send(s, unit, DESTROYED, "no room in the Balkans", self.rule, out)
        return DONE


def arrivals(s: State, out: Out) -> None:
    """NR-12.1, NR-12.2, NR-1.25: what is due on the turn track."""
    for unit, piece in list(s.pieces.items()):
        if piece.place == TRACK and piece.due <= s.turn:
            box = CADRES if s.unit(unit).cadre else READY
            s.pieces[unit] = Piece(box, piece.strong)
            s.ground.move(unit, box)
            out.add(Boxed(unit=s.name(unit), hex=TRACK, box=BOX_NAMES[box], why="arrives", rule="NR-11.3"))


class SideTurn(Auto[State, GameTurn]):
    """NR-3.1; NR-2.8, NR-5.13: what has been taken and played is counted anew."""

    side = AXIS
    name = "axis_turn"
    rule = "NR-3.1"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        s.active, s.used, s.taken, s.attacks, s.forced, s.targets = self.side, (), (), 0, 0, ()
        out.add(SideBegan(turn=s.turn, side=self.side, rule=self.rule))
        return Call(PlayerTurn(self.side))


class SovietTurn(SideTurn):
    side = SOVIET
    name = "soviet_turn"


class Keeps(EndPhase):
    def check(self, s: State, f: PlayerTurn, seat: str, order: Done, proof: Known) -> Violation | None:
        over = len(s.hand(seat)) - KEEP
        return Violation("NR-5.2", f"At most {KEEP} cards are kept: `drop` {over} more") if over > 0 else None

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        if len(s.hand(seat)) <= KEEP:
            yield Done()


class Drops(Choice[State, PlayerTurn, Drop]):
    """NR-5.2."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Drop]:
        return drop_orders(s, seat, own)

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Drop) -> tuple[str, ...]:
        return slots(*order.cards)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Drop, proof: Known) -> Violation | None:
        return check_drop(s, seat, order, proof)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Drop, out: Out) -> Next:
        out.add(Dropped(side=f.side, cards=spend(s, f.side, order.cards), rule="NR-5.2"))
        return STAY


class CardEvents(PlayEvent):
    moments = CARD_MOMENTS


class ThrowAway(Decide[State, PlayerTurn, Order]):
    """Phase D: down to two cards at most, before drawing (NR-5.2)."""

    name = "cards"
    rule = "NR-5.2"
    choices = (Keeps, Drops, CardEvents)
    default, shows = "when over > 0 then oldest; then done", True
    preset = "when over < 1 then done; then ask"
    fact_names = ("over",)
    answer_names = ("done", "oldest", "CARD")
    ends = "Keep the hand, and draw"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.side,) if s.hand(f.side) else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        over = max(0, len(s.hand(seat)) - KEEP)
        must = f"`drop` at least {many(over, 'card')}" if over else "`drop CARDS` if you like, then `done`"
        return (
            f"Turn {s.turn}, {NAMES[seat]} Card phase: {must}. You keep at most {KEEP} cards, including those that "
            "events bring you now. Events of this phase can also be played after you have drawn."
        )

    def facts(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, int]:
        return {"over": max(0, len(s.hand(seat)) - KEEP)}

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Order]:
        """`done`; the card that is thrown away, by its number or as `oldest`."""
        return {**drop_answers(s, seat, own), "done": Done()}

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or s.chart.is_card(name)


class BeginMovement(Auto[State, PlayerTurn]):
    """NR-10.10; NR-14.5: support of the last turn ends."""

    rule = "NR-3.8"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        winter(s)
        if f.side in s.helped:
            del s.helped[f.side]
        return DONE


class BeginCombat(Auto[State, PlayerTurn]):
    """NR-10.10: it is in this phase that Long Winter matters."""

    rule = "NR-10.10"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        winter(s)
        return DONE


class EndMovement(Auto[State, PlayerTurn]):
    """NR-14.10: Reserves that stand alone go back."""

    rule = "NR-14.10"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        for unit in s.chart.own[f.side]:
            if s.on_map(unit) and s.has(unit, "reserves") and len(s.ground.stacks[s.at(unit)]) == 1:
                send(s, unit, DESTROYED, "it stands alone", self.rule, out)
        return DONE


class BerlinAtEnd(Auto[State, PlayerTurn]):
    """NR-4.7: Soviets may have come into Berlin by a move, an event, or off the railway."""

    rule = "NR-4.7"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        return berlin(s, out) or DONE


class BerlinPlaced(BerlinAtEnd):
    name = "berlin_placed"


class BerlinMoved(BerlinAtEnd):
    name = "berlin_moved"


class BerlinTargeted(BerlinAtEnd):
    name = "berlin_targeted"


class EndCombat(Auto[State, PlayerTurn]):
    """What a side owed in attacks (NR-13.13A, NR-13.19S, NR-13.20S); counterblow markers that have done their duty.

    NR-9.12, NR-9.14; NR-4.7: Berlin may have fallen.
    """

    rule = "NR-9.14"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        s.blown.difference_update(f.due)
        for kind, made in (("owes", s.attacks + s.forced), ("owes_voluntary", s.attacks)):
            for each in s.effect(kind, f.side):
                if made < each.amount:
                    score(s, f.side, -each.at, "attacks that were not made", "NR-9.4", out)
        for place in s.targets:
            why = "no unit was left to attack it" if s.side_at(place) == other(f.side) else "the enemy has left it"
            out.add(Note(text=f"{s.chart.place_text(place)} was a target, and is not attacked: {why}.", rule="NR-9.4"))
        s.targets = ()
        s.lapse("phase")
        return berlin(s, out) or DONE


class ClearMarkers(Ask[State, PlayerTurn, Clear | Done]):
    """NR-13.07S: the Soviets may take their Scorched Earth marker off."""

    rule = "NR-13.07S"
    no = "No Scorched Earth marker lies there"
    seats = (SOVIET,)
    default = "then done"
    answer_names = ("done",)
    ends = "Leave the markers"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (SOVIET,) if f.side == SOVIET and s.scorched else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        places = ", ".join(s.chart.place_text(place) for place in s.scorched)
        return f"Scorched Earth lies on {places}: `clear HEX`, or `done`."

    def options(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Clear | Done]:
        yield Done()
        yield from map(Clear, s.scorched)

    def do(self, s: State, f: PlayerTurn, seat: str, order: Clear | Done, out: Out) -> Next:
        if isinstance(order, Clear):
            s.scorched = tuple(place for place in s.scorched if place != order.hex)
            return STAY
        return DONE

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Clear | Done]:
        return {"done": Done()}


class Remove(Auto[State, PlayerTurn]):
    """Phase I (NR-3.10, NR-7.21, NR-9.59, NR-10.10)."""

    name = "removal"
    rule = "NR-3.10"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        winter(s)
        surrender(s, f.side, out)
        for unit in s.chart.own[f.side]:
            s.rest(unit)
        s.support[f.side] = 0
        # A burnt city is swamp until the player-turn after its capture.
        s.scorched = tuple(p for p in s.scorched if s.holders[p] == SOVIET or p in s.taken)
        s.lapse("turn")
        return berlin(s, out) or DONE


__all__ = ["AXIS", "NextTurn", "SideTurn", "SovietTurn", "ThrowAway", "TurnEvents", "arrivals", "other"]
