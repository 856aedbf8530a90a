"""`pbem dice`: every draw of an archive, and whether the dice were fair."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.archivefile import first_in
from pbem.cli.common import command, json_option
from pbem.cli.out import say, say_json, say_table
from pbem.cli.text import clean, plural
from pbem.protocol.genesis import Genesis
from pbem.table.fairness import Fairness
from pbem.table.throws import Thrown, read, tested

KEYS = {
    "open": "In mode open the keys do not either: everybody could have reckoned each die before ordering.",
    "strict": "The keys do: the players make each together, and none of them sees it before by himself.",
    "umpire": "The keys do: nobody alone could bias a die, and only the umpire could have seen it before.",
}


@command(
    "dice",
    short_help="List every die of an archive and test whether they were fair.",
    examples=("pbem dice game.pbem", "pbem dice --json game.pbem", "pbem dice --summary game.pbem"),
    exits="0 every draw is what its key gives, 1 the file is not verified, 2 wrong usage.",
)
@click.argument("file", metavar="FILE|-")
@click.option("--summary", is_flag=True, help="Only the tests of fairness.")
@json_option
def dice_command(file: str, summary: bool, as_json: bool) -> None:
    """List every draw with its label, its key and whose choice it follows, each made again from its key.

    Then tests of fairness for each player: the exact or approximate chance that fair dice come out at least so uneven
    (chi-square), and the mean with the interval in which 95 of 100 fair samples lie. Dice are whose the game says by
    the draw's label (those of a defence the defender's); what several players may have thrown counts for nobody.
    """
    genesis, draws = read(first_in(file))
    tests = list(tested(genesis, draws))
    if as_json:
        say_json(
            {
                "draws": [] if summary else [draw_json(each) for each in draws],
                "fairness": [fairness_json(by, names(genesis, (by,)), test) for by, test in tests],
                "file": file,
                "ok": True,
            }
        )
        return
    if not summary:
        say_table(
            [("draw", "die", "result", "after", "key")]
            + [
                (
                    each.drawn.label + (f" #{each.drawn.occurrence + 1}" if each.drawn.occurrence else ""),
                    f"{len(each.drawn.results)}d{each.drawn.sides}",
                    " ".join(map(str, each.drawn.results)),
                    " ".join(each.records) or "start",
                    each.key.hex()[:16],
                )
                for each in draws
            ]
        )
    say(f"{plural(len(draws), 'draw')}: each is what its key gives (CHA-8).", style="good")
    for by, test in tests:
        say_fairness(names(genesis, (by,)), test)
    if tests:
        say(f"No test proves fairness. {KEYS[genesis.offer.mode]}")


def names(genesis: Genesis, players: tuple[int, ...]) -> str:
    return ", ".join(genesis.card(by).name for by in players)


def draw_json(each: Thrown) -> dict[str, Any]:
    return {
        "by": list(each.by),
        "checked": True,
        "key": each.key.hex(),
        "label": each.drawn.label,
        "occurrence": each.drawn.occurrence,
        "orders": [group.hex() for group in each.drawn.group],
        "results": list(each.drawn.results),
        "sides": each.drawn.sides,
    }


def fairness_json(by: int, name: str, test: Fairness) -> dict[str, Any]:
    return {
        "by": by,
        "chi2": round(test.chi2, 6),
        "count": test.count,
        "exact": test.exact,
        "expected_mean": test.expected,
        "faces": list(test.faces),
        "mean": round(test.mean, 6),
        "mean_high": round(test.high, 6),
        "mean_low": round(test.low, 6),
        "name": name,
        "p": round(test.p, 6),
        "sides": test.sides,
        "verdict": test.verdict,
    }


def say_fairness(name: str, test: Fairness) -> None:
    say()
    say(f"{clean(name)}: {test.count} d{test.sides}", style="bold")
    say_table([("  face", *map(str, range(1, test.sides + 1))), ("  times", *map(str, test.faces))])
    say(f"  mean {test.mean:.2f}; 95 of 100 fair samples of this size lie in {test.low:.2f} to {test.high:.2f}")
    how = "exact" if test.exact else "chi-square"
    say(f"  chance of at least so uneven a sample with fair dice ({how}): {test.p:.3f}")
    say(f"  {test.verdict}")
