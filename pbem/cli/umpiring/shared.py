"""What the commands of the umpire share: the group they add themselves to, the desk, tables and JSON.

The database is opened only when a command runs. Addresses are in no JSON but the umpire's own list of entrants."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import Group
from pbem.cli.out import note, say_json, say_table
from pbem.home import HomeError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from pbem.home import Home
    from pbem.umpire.db.database import Store
    from pbem.umpire.db.deskrows import (
        ActRow,
        AnomalyRow,
        EntrantRow,
        MoveRow,
        PairingRow,
        RoundRow,
        TournamentRow,
    )
    from pbem.umpire.standings import Row
    from pbem.umpire.umpiredesk import UmpireDesk


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


NEEDED = ("sqlalchemy", "jinja2", "networkx")
tournament_argument = click.argument("tournament", metavar="TOURNAMENT")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print a CSV table instead of text.")


def want_extra() -> None:
    """The desk's own dependencies are not part of what every player installs."""
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise HomeError("E-EXTRA", f"The umpire's desk needs {', '.join(missing)}: pip install 'pbem[umpire]'")


def open_home() -> Home:
    from pbem.cli.common import open_desk

    return open_desk()


def default_database(home: Home) -> Path:
    folder = home.root / "umpire"
    home.disk.folder(folder)
    return folder / "desk.db"


def open_store(home: Home | None = None) -> Store:
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


def open_umpire(home: Home | None = None) -> UmpireDesk:
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


def points(half_points: int | None) -> str:
    """As they are written in tables; nothing while there is no result."""
    from pbem.umpire.sentences import half

    return "" if half_points is None else half(half_points)


def tournament_json(row: TournamentRow) -> dict[str, Any]:
    terms = row.terms.plain()
    if row.terms.data:
        terms["data"] = {**row.terms.pins}
    return {
        "created": row.created,
        "id": row.id,
        "key": row.key.hex(),
        "name": row.name,
        "state": row.state,
        "terms": terms,
        "umpire": row.umpire.hex(),
    }


def entrant_json(row: EntrantRow) -> dict[str, Any]:
    return {
        "deviation": row.deviation,
        "identity": row.identity.hex(),
        "name": row.name,
        "number": row.number,
        "out": row.out,
        "rating": row.rating,
        "why": row.why,
    }


def pairing_json(row: PairingRow, names: dict[int, str]) -> dict[str, Any]:
    return {
        "board": row.board,
        "decided_at": row.decided_at,
        "expires": row.expires,
        "first": row.first,
        "first_name": names[row.first],
        "first_points": row.first_points,
        "game": row.game,
        "how": row.how,
        "id": row.id,
        "label": row.label,
        "mirror": row.mirror,
        "offer": None if row.offer is None else row.offer.hex(),
        "round": row.round,
        "second": row.second,
        "second_name": None if row.second is None else names[row.second],
        "second_points": row.second_points,
        "state": row.state,
        "text": row.text,
        "why": list(row.why),
    }


def round_json(row: RoundRow, names: dict[int, str]) -> dict[str, Any]:
    return {
        "notes": list(row.notes),
        "number": row.number,
        "paired_at": row.paired_at,
        "pairings": [pairing_json(each, names) for each in row.pairings],
        "state": row.state,
    }


def standing_json(row: Row, order: Sequence[str]) -> dict[str, Any]:
    return {
        "drawn": row.drawn,
        "figures": {
            name: None if figure is None else float(figure) for name, figure in zip(order, row.figures, strict=False)
        },
        "lost": row.lost,
        "name": row.name,
        "number": row.number,
        "out": row.out,
        "place": row.place,
        "played": row.played,
        "points": row.points,
        "won": row.won,
    }


def figure(value: Fraction | None) -> str:
    """`12.5`: figures of tie-breaks are halves and quarters."""
    return "" if value is None else f"{float(value):g}"


def move_json(row: MoveRow, label: str, name: str) -> dict[str, Any]:
    return {
        "answered_at": row.answered_at,
        "asked_at": row.asked_at,
        "charged": row.charged,
        "entrant": row.entrant,
        "name": name,
        "number": row.number,
        "pairing": label,
        "record": row.record.hex(),
        "signed_at": row.signed_at,
        "what": row.what,
    }


def act_json(row: ActRow) -> dict[str, Any]:
    return {
        "done_at": row.done_at,
        "id": row.id,
        "kind": row.kind,
        "outcome": row.outcome,
        "pairing": row.pairing,
        "state": row.state,
        "wanted_at": row.wanted_at,
        "wanted_by": row.wanted_by,
    }


def anomaly_json(row: AnomalyRow, label: str, name: str) -> dict[str, Any]:
    return {
        "at": row.at,
        "entrant": row.entrant,
        "kind": row.kind,
        "name": name,
        "pairing": label,
        "text": row.text,
        "weight": row.weight,
    }
