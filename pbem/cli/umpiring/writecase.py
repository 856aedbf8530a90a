"""`pbem umpire case`: the evidence of a game in one file, for a dispute."""

from __future__ import annotations

import click

from pbem.cli.common import write_output
from pbem.cli.out import say, say_json
from pbem.cli.text import clean, plural, size_of
from pbem.cli.umpiring.group import umpire_command
from pbem.cli.umpiring.shared import json_option, open_home, open_umpire, tournament_argument


@umpire_command.command(
    "case",
    short_help="Gather the evidence of a game in one file, signed.",
    examples=("pbem umpire case cup 2.14", "pbem umpire case cup 2.14 -o silva-kern.pbem"),
)
@tournament_argument
@click.argument("game", metavar="GAME")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write (default: case-GAME.pbem here); - for standard output."
)
@json_option
def case_command(tournament: str, game: str, output: str | None, as_json: bool) -> None:
    """Write all that you have of a game into one file: records, proofs of forks, and, signed
    with your key, who answered when, clocks, rulings, result, what was odd, and what the desk's journal says of it.

    Whoever has the file checks and reads it with `pbem verify FILE`. The game may be running, or stuck. Messages
    between the players are not in it; their cards are, with their addresses, which are part of what they signed.
    """
    home = open_home()
    desk = open_umpire(home)
    from pbem.umpire.casemaking import gather

    found = gather(desk, home, tournament, game)
    said = found.case.said
    label = desk.pairing(tournament, game).label
    target = output or f"case-{label}.pbem"
    size = write_output(target, found.parts())
    records = sum(item.type.name == "RECORD" for item in found.items)
    if as_json and target != "-":
        say_json(
            {
                "bytes": size, "case": found.case.id.hex(), "game": said.game.hex() if said.game else None,
                "label": label, "path": target, "records": records,
            }
        )  # fmt: skip
    elif target != "-":
        say(
            f"Case of game {label}: {clean(target)} ({size_of(size)}, {plural(records, 'record')}). "
            f"Send it to whom it concerns; they check it with: pbem verify {clean(target)}"
        )
