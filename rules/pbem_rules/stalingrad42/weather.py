"""S42-23: the weather of a turn: printed, or rolled for from turn 17 on; rain, mud and snow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.game import DONE, Draw, Next, Out, Roll
from pbem_rules.stalingrad42.chart import CLEAR_SKY, DIE, RAIN, RASPUTITSA, SNOW, WINTER
from pbem_rules.stalingrad42.events import WeatherCame
from pbem_rules.stalingrad42.frames import GameTurn
from pbem_rules.stalingrad42.state import State

LASTING = (RASPUTITSA, WINTER)  # seasons in which one bad turn makes another less likely (S42-23.1b)


class Weather(Roll[State, GameTurn]):
    """S42-3.A, S42-23.1a: nobody decides anything."""

    name = "weather"
    rule = "S42-23.1"

    def draws(self, s: State, f: GameTurn) -> Iterable[Draw]:
        return () if s.chart.track[s.turn].weather else (Draw(f"t{s.turn}/weather", DIE),)

    def run(self, s: State, f: GameTurn, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        turn, before = s.chart.track[s.turn], s.weather
        if turn.weather:
            (found,) = turn.weather
        else:
            (die,) = got[f"t{s.turn}/weather"]
            found = s.chart.weather.result(rolled(s, die), s.chart.weather.column(turn.season))
        # S42-23.3.1: mud follows rain, in its season, unless it rains again.
        mud = turn.season == RASPUTITSA and before == RAIN and found != RAIN
        s.weather, s.wet, s.rained = found, mud or found == RAIN, s.rained or found == RAIN
        if not (found == before == CLEAR_SKY and turn.weather):
            out.add(WeatherCame(weather=found, mud=mud, rule=self.rule))
        return DONE


def rolled(s: State, die: int) -> int:
    """S42-23.1b: one more after rain or snow."""
    later = s.chart.track[s.turn].season in LASTING and s.weather in (RAIN, SNOW)
    return min(DIE, die + later)
