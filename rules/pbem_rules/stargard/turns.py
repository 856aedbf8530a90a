"""SG-2 The sequence of play apart from its commands: the cup, air units, random events (SG-19), the end of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.game import DONE, Auto, Call, Draw, Next, Out, Roll
from pbem.kit import hex_name
from pbem_rules.stargard.aside import fresh
from pbem_rules.stargard.chart import DIE, GERMAN, SIDES, SOVIET
from pbem_rules.stargard.events import AirMoved, EventHappened, MarkerFlipped, TurnBegan, UnitsLeft
from pbem_rules.stargard.frames import Barrage, GameTurn, War
from pbem_rules.stargard.state import GROUNDED, HOLD_BACK, READY, REFIT, WITHDRAWN, State
from pbem_rules.stargard.victory import end_of_game, lift_siege

BARRAGES = {"19.1.2": SOVIET, "19.1.3": GERMAN}  # SG-8.5
NOTHING, RELIEF_FORCES, WITHDRAWAL = "19.1.1", "19.1.5", "19.1.6"
TETTAU = "Tettau"  # its chit
PANZER_CORPS = "pz39"
LEAVING = ("div_fg", "div_fb")  # divisions that leave with it
HOLD_FROM = 5  # the first turn that counts for SG-16.4


class NextTurn(Auto[State, War]):
    rule = "SG-2.0"

    def run(self, s: State, f: War, out: Out) -> Next:
        return Call(GameTurn(), again=True)


class BeginTurn(Auto[State, GameTurn]):
    """SG-2.6.2, SG-7.2: the cup of the turn. SG-16.4: half a point while the 39th Panzer Corps stays."""

    rule = "SG-2.0"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        chits = {code: None for side in SIDES for code in (*s.chart.cup(s.turn, side), *self._coming(s, side))}
        s.cup = tuple(code for code in chits if code not in s.gone)
        if HOLD_BACK in s.options and s.turn >= HOLD_FROM and WITHDRAWAL not in s.happened:
            s.halves += 1
        name = s.chart.track[s.turn].name
        out.add(TurnBegan(turn=s.turn, date=name, german=s.number(GERMAN), soviet=s.number(SOVIET), rule=self.rule))
        return DONE

    @staticmethod
    def _coming(s: State, side: str) -> tuple[str, ...]:
        return tuple(code for code in s.coming if s.chart.chits[code].side == side)


# Air units


class AirPhase(Auto[State, GameTurn]):
    """SG-2.1: what was refitted comes back first, then what was grounded is refitted."""

    rule = "SG-2.1"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        """SG-2.1.1, SG-2.1.2."""
        for start, goal in ((REFIT, READY), (GROUNDED, REFIT)):
            moved = tuple(code for code, at in s.planes.items() if at == start)
            for code in moved:
                s.planes[code] = goal
            if moved:
                out.add(AirMoved(units=moved, to=goal, rule=self.rule))
        return DONE


# Random events


class RandomEvent(Roll[State, GameTurn]):
    """SG-2.2.1, SG-19.0."""

    rule = "SG-2.2"

    def draws(self, s: State, f: GameTurn) -> Iterable[Draw]:
        yield Draw(f"t{s.turn}/event", DIE)

    def rolled(self, s: State, f: GameTurn) -> str:
        return f"The random event of turn {s.turn} is rolled."

    def run(self, s: State, f: GameTurn, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((die,),) = got.values()
        event = s.chart.event(die, s.turn)
        f.event = event.otherwise if event.otherwise and event.key in s.happened else event.key
        out.add(EventHappened(die=die, text=TEXTS[f.event], rule=f"SG-{f.event}"))
        return DONE


TEXTS = {
    NOTHING: "Nothing happens.",
    "19.1.2": "Soviet barrage.",
    "19.1.3": "German barrage.",
    "19.1.4": "Low cloud: all air units in their boxes are grounded.",
    "19.1.5": "Corps Tettau and the 2nd Guards Cavalry Corps arrive.",
    "19.1.6": "The 39th Panzer Corps is withdrawn, with the divisions FG and FB.",
    "19.1.7": "Effort of the Luftwaffe: a German air unit comes back to its box.",
    "19.1.8": "Soviet airfields are flooded: Soviet air units in their box are grounded.",
    "19.1.9": "Thaw: off the roads each hex costs mechanised units a point more, and trains go ten hexes at most.",
    "19.1.10": "German fuel is short: one chit less in this turn.",
    "19.1.11": "Two German replacement points for units that are not mechanised.",
    "19.1.12": "Priority of the Stavka: one Soviet chit more in this turn.",
    "19.1.13": "Two German replacement points.",
}


def _grounded(s: State, side: str, rule: str, out: Out) -> None:
    """SG-13.2, SG-19.1.4, SG-19.1.8: the air units of a side, or of both, go from their boxes to the Grounded part."""
    found = tuple(code for each in SIDES if each in (side or each) for code in s.air_ready(each))
    for code in found:
        s.planes[code] = GROUNDED
    if found:
        out.add(AirMoved(units=found, to=GROUNDED, rule=rule))


def _effort(s: State, out: Out) -> None:
    """SG-19.1.7: one that is grounded before one that is refitted, which would be back a turn earlier anyway."""
    for part in (GROUNDED, REFIT):
        own = [code for code, at in s.planes.items() if at == part and s.chart.planes[code].side == GERMAN]
        if own:
            s.planes[own[0]] = READY
            out.add(AirMoved(units=(own[0],), to=READY, rule="SG-19.1.7"))
            return


def _withdraw(s: State, out: Out) -> None:
    """SG-19.1.6, SG-12.2.5: the headquarters, its chit, the units of the corps and both divisions leave the game."""
    units = [unit for unit, piece in s.pieces.items() if piece.steps and leaves(s, unit)]
    for unit in units:
        s.put(unit, WITHDRAWN)
    chit = s.chart.short(PANZER_CORPS)
    s.gone = (*s.gone, chit)
    s.cup = tuple(code for code in s.cup if code != chit)
    out.add(UnitsLeft(units=tuple(map(s.code, units)), why="withdrawn", rule="SG-19.1.6"))


def leaves(s: State, unit: int) -> bool:
    """SG-19.1.6: does it belong to what is withdrawn? No independent unit is of the corps."""
    return s.formation(unit) == PANZER_CORPS or any(mark in s.chart.units[unit].marks for mark in LEAVING)


class EventEffect(Auto[State, GameTurn]):
    """SG-19: what happens at once."""

    rule = "SG-19.0"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        if f.event not in s.happened:
            s.happened = (*s.happened, f.event)
        rule = f"SG-{f.event}"
        if f.event in BARRAGES:
            return Call(Barrage(BARRAGES[f.event], label=f"t{s.turn}/barrage"))
        if f.event == "19.1.4":
            _grounded(s, "", rule, out)
        elif f.event == RELIEF_FORCES:
            s.coming = (*s.coming, TETTAU)  # in the cup from the next turn on; its units follow
        elif f.event == WITHDRAWAL:
            _withdraw(s, out)
        elif f.event == "19.1.7":
            _effort(s, out)
        elif f.event == "19.1.8":
            _grounded(s, SOVIET, rule, out)
        elif f.event == "19.1.9":
            s.thaw = True
        elif f.event == "19.1.10":
            s.more[GERMAN] = s.more.get(GERMAN, 0) - 1
        elif f.event == "19.1.12":
            s.more[SOVIET] = s.more.get(SOVIET, 0) + 1
        return DONE


# The end of a turn


class EndOfTurn(Auto[State, GameTurn]):
    """SG-2.6: markers are flipped, the next turn begins, units are no longer pinned, chits go back to the cup."""

    rule = "SG-2.6"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        """SG-2.6.1, SG-2.6.2; SG-5.4.2, SG-12.6b, SG-19.1.9: what lasted for a turn is over. SG-14.2.1."""
        flipped = [place for place, prize in s.chart.prizes.items() if prize.flips == s.turn and place not in s.prizes]
        if flipped:
            out.add(MarkerFlipped(places=tuple(map(hex_name, flipped)), rule="SG-2.6.1"))
        if end := end_of_game(s, out):
            return end
        lift_siege(s, out)
        for unit, piece in s.pieces.items():
            if piece.pinned:
                s.pin(unit, pinned=False)
        s.turn += 1
        s.short, s.fuel, s.thaw = s.fuel, False, False  # SG-5.4.2
        s.drawn, s.idle, s.struck, s.early, s.shown = (), (), (), (), ()
        s.chits = fresh(s)
        for side in SIDES:
            s.played[side] = s.more[side] = s.air_spent[side] = 0
        return DONE
