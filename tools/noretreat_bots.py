"""Tournaments of No Retreat! between bots.

python -m tools.noretreat_bots beat                 sensible against random, 200 games, sides in turn
python -m tools.noretreat_bots balance              two sensible bots, 200 campaigns: who wins how, points by turn
python -m tools.noretreat_bots balance --games 20 --jobs 1 --first 1000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from pbem.engine.bots import Bot
from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver
from pbem_rules.noretreat import game
from pbem_rules.noretreat.chart import AXIS, NAMES, SIDES, SOVIET, other
from pbem_rules.noretreat.scoring import places_of
from pbem_rules.noretreat.state import State

WANTED = 0.85  # the lower bound of the share of games that the sensible bot wins against the random one
MOST = 0.65  # that a side may win between equals
LAST = 28


@dataclass(frozen=True, slots=True)
class Played:
    """One game. `places`: how many places that count each side held as each turn began."""

    winner: str
    how: str
    turn: int
    orders: int
    seconds: float
    places: tuple[tuple[int, int], ...]


def play(seed: str, bots: dict[str, Bot[State]], scenario: str = "campaign") -> Played:
    began = time.process_time()
    driver = Driver(game, scenario, chance=Chance(seed))
    choices = Chance(f"{seed}/choices")
    places: list[tuple[int, int]] = []
    while isinstance(driver.need, Orders):
        seat = driver.asked[0]
        if len(places) < driver.state.turn - driver.state.plan.first + 1:
            places.append((places_of(driver.state, AXIS), places_of(driver.state, SOVIET)))
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, bots[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    assert isinstance(driver.need, Over)
    result = driver.need.result
    seconds = time.process_time() - began
    return Played(result.winner or "", result.how, driver.state.turn, len(driver.orders), seconds, tuple(places))


def against_random(number: int) -> tuple[str, Played]:
    """The sensible bot has the Axis in even games."""
    mine = SIDES[number % 2]
    bots = {mine: game.bots["sensible"], other(mine): game.bots["random"]}
    return mine, play(f"beat/{number}", bots)


def between_equals(number: int) -> Played:
    return play(f"balance/{number}", dict.fromkeys(SIDES, game.bots["sensible"]))


def lower_bound(won: int, games: int) -> float:
    """Of the share won, at 95%: Wilson's."""
    z = 1.96
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    return float((middle - spread) / (1 + z * z / games))


def beat(games: int, first: int, jobs: int) -> bool:
    with ProcessPoolExecutor(jobs) as pool:
        results = list(pool.map(against_random, range(first, first + games)))
    good = True
    for side in SIDES:
        mine = [played for who, played in results if who == side]
        won = sum(played.winner == side for played in mine)
        if not mine:
            continue
        bound = lower_bound(won, len(mine))
        good = good and bound >= WANTED
        slowest = max(played.seconds for played in mine)
        say(f"{NAMES[side]}: {won} of {len(mine)} won, lower bound {bound:.2f}; slowest game {slowest:.1f} s")
    return good


def balance(games: int, first: int, jobs: int) -> bool:
    began = time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        results = list(pool.map(between_equals, range(first, first + games)))
    say(report(results))
    say(f"\n{time.monotonic() - began:.0f} s, {sum(each.seconds for each in results):.0f} s of CPU time.")
    return all(sum(each.winner == side for each in results) <= MOST * games for side in SIDES)


def report(results: Sequence[Played]) -> str:
    """Who won how, and the points by turn, as tables."""
    lines = [f"{len(results)} campaigns, {sum(each.orders for each in results) // len(results)} orders each.", ""]
    lines += ["| winner | how | games | turns |", "|---|---|---|---|"]
    hows = Counter((each.winner, each.how) for each in results)
    for (winner, how), count in sorted(hows.items(), key=lambda item: (item[0][0], -item[1])):
        turns = sorted(each.turn for each in results if (each.winner, each.how) == (winner, how))
        lines.append(f"| {NAMES[winner]} | {how} | {count} | {turns[0]} to {turns[-1]} |")
    for side in SIDES:
        won = sum(each.winner == side for each in results)
        lines.append(f"| {NAMES[side]} | **all** | **{won}** ({100 * won // len(results)}%) | |")
    lines += ["", "| turn | games | Axis places: least, quarter, half, three quarters, most | Soviet, half |"]
    lines.append("|---|---|---|---|")
    for turn in range(LAST):
        rows = sorted(each.places[turn] for each in results if len(each.places) > turn)
        if rows:
            axis, soviet = [row[0] for row in rows], sorted(row[1] for row in rows)
            parts = [axis[min(len(axis) - 1, len(axis) * part // 4)] for part in range(5)]
            lines.append(f"| {turn + 1} | {len(rows)} | {', '.join(map(str, parts))} | {soviet[len(soviet) // 2]} |")
    return "\n".join(lines)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="noretreat_bots", description=__doc__)
    parser.add_argument("what", choices=("beat", "balance"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args(arguments)
    work = beat if chosen.what == "beat" else balance
    return 0 if work(chosen.games, chosen.first, chosen.jobs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
