"""What the commands of the umpire share: the database is opened only when one of them runs."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import Command, json_option
from pbem.cli.out import note, say_json, say_table
from pbem.table.tableerror import TableError

if TYPE_CHECKING:
    from pbem.table.desk import Desk
    from pbem.umpire.db.database import Store
    from pbem.umpire.umpiredesk import UmpireDesk

NEEDED = ("sqlalchemy", "alembic", "networkx")
tournament_argument = click.argument("tournament", metavar="TOURNAMENT")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print a CSV table instead of text.")
__all__ = [
    "Command",
    "default_database",
    "json_option",
    "open_home",
    "open_store",
    "open_umpire",
    "show_rows",
    "tournament_argument",
    "want_extra",
]


def want_extra() -> None:
    """The desk's own dependencies are not part of what every player installs."""
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise TableError("E-EXTRA", f"The umpire's desk needs {', '.join(missing)}: pip install 'pbem[umpire]'")


def open_home() -> Desk:
    from pbem.cli.common import open_desk

    return open_desk()


def default_database(home: Desk) -> Path:
    folder = home.home.root / "umpire"
    home.disk.folder(folder)
    return folder / "desk.db"


def open_store(home: Desk | None = None) -> Store:
    """The database that `--db` or PBEM_UMPIRE_DB names, else a file in the home."""
    want_extra()
    from pbem.umpire.db.database import Store

    root = click.get_current_context().find_root().obj or {}
    url = root.get("db") or os.environ.get("PBEM_UMPIRE_DB")
    return Store.open(url or default_database(home or open_home()), tell=lambda text: note(text, style="dim"))


def actor() -> str:
    """Who sits at the desk, for the journal."""
    root = click.get_current_context().find_root().obj or {}
    named = root.get("actor") or os.environ.get("PBEM_UMPIRE_ACTOR")
    if named:
        return str(named)[:80]
    import getpass

    try:
        return getpass.getuser()[:80]
    except (OSError, KeyError, ImportError):
        return "umpire"


def open_umpire(home: Desk | None = None) -> UmpireDesk:
    store = open_store(home)
    from pbem.umpire.umpiredesk import UmpireDesk

    return UmpireDesk(store, actor=actor())


def show_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    key: str,
    values: Callable[[], Any],
    as_json: bool,
    as_csv: bool = False,
    empty: str = "",
) -> None:
    """A table: aligned for people, CSV for spreadsheets, or JSON under one key."""
    if as_json:
        say_json({key: values()})
    elif as_csv:
        from pbem.umpire.site.exports import safe_cell

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([["" if cell is None else safe_cell(cell) for cell in row] for row in rows])
    elif rows:
        say_table([tuple(columns), *(tuple("" if cell is None else str(cell) for cell in row) for row in rows)])
    elif empty:
        note(empty)
