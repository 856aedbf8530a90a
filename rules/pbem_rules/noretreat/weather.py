"""NR-10 Weather: what it does, its markers, Long Winter."""

from __future__ import annotations

from pbem.game import Out
from pbem_rules.noretreat.chart import LAST_TURN
from pbem_rules.noretreat.events import Note
from pbem_rules.noretreat.state import State

CAPS = {"mud": 3, "snow": 4}  # NR-10.5, NR-10.6


def begin(s: State) -> None:
    """Once a game turn: the first Snow turn, and Long Winter (NR-10.7 to NR-10.9)."""
    winter(s)
    first_snow(s)


def winter(s: State) -> None:
    """Long Winter, from the second Snow turn in a row; a marker turned in a phase counts from the next (NR-10.10)."""
    s.long_winter = s.snow and s.weather_of(s.turn - 1) == "snow"


def first_snow(s: State) -> None:
    if s.snow and not s.snow_turn:
        s.snow_turn = s.turn
    elif s.snow_turn == s.turn and not s.snow:
        s.snow_turn = 0


def markers(s: State) -> tuple[int, ...]:
    """NR-10.1: the variable turns on which the three markers lie: this one, if it is, and the next."""
    coming = [turn for turn in range(max(s.turn, 1), LAST_TURN + 1) if s.chart.track[turn].variable]
    return tuple(coming[:3])


def can_flip(s: State, turn: int) -> bool:
    return turn in markers(s)


def flip(s: State, turn: int, rule: str, out: Out) -> None:
    """Turn the marker of a turn to its other side (NR-10.3)."""
    s.flipped = (
        tuple(each for each in s.flipped if each != turn) if turn in s.flipped else tuple(sorted((*s.flipped, turn)))
    )
    if turn == s.turn:
        first_snow(s)
    out.add(Note(text=f"The weather of turn {turn} is {s.weather_of(turn)} now.", rule=rule))


def set_to(s: State, turn: int, weather: str, rule: str, out: Out) -> bool:
    """Turn the marker so that this weather shows, if it has such a side; False: it has not, or is no marker."""
    if not can_flip(s, turn) or weather not in s.chart.track[turn].weather:
        return False
    if s.weather_of(turn) != weather:
        flip(s, turn, rule, out)
    return True


def cap(s: State, points: int) -> int:
    """NR-8.2."""
    return min(points, CAPS.get(s.weather, points))


def managed(s: State) -> bool:
    """NR-14.6: do weather events count? If not, they are discarded and replaced."""
    return not ("plain_weather_always" in s.options or ("plain_weather_1941" in s.options and s.turn <= 4))


def text(s: State) -> str:
    return f"{s.weather}{', Long Winter' if s.long_winter else ''}"
