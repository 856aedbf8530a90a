"""The group that the commands of the umpire add themselves to."""

from __future__ import annotations

import click

from pbem.cli.common import Group


@click.group("umpire", cls=Group)
@click.option(
    "--db",
    metavar="URL",
    help="The database: a file, or postgresql://... (default: PBEM_UMPIRE_DB, else a file in your home).",
)
@click.option(
    "--actor", metavar="WHO", help="Who sits at the desk, for the journal (default: PBEM_UMPIRE_ACTOR or your login)."
)
@click.pass_context
def umpire_command(ctx: click.Context, db: str | None, actor: str | None) -> None:
    """Run tournaments: pair rounds, offer games, keep clocks and standings, rule.

    Needs `pip install 'pbem[umpire]'`. Begin with `pbem umpire demo`, or `pbem umpire new`.
    """
    ctx.find_root().obj = {"actor": actor, "db": db}
