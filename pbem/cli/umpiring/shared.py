"""The parts that the umpire's commands share: the group that they join, the desk, tables and JSON.

The database is opened only when a command runs. Addresses are in no JSON but the umpire's own list of entrants."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from pbem.cli.common import Group, open_home, shown
from pbem.cli.terminal import note, say_table
from pbem.home import HomeError

if TYPE_CHECKING:
    from fractions import Fraction

    from pbem.home import Home
    from pbem.schema import Count, Hash
    from pbem.umpire.db.database import Store
    from pbem.umpire.db.deskrows import (
        ActState,
        EntrantRow,
        How,
        PairingRow,
        PairingState,
        RoundRow,
        TournamentRow,
    )
    from pbem.umpire.standings import Row
    from pbem.umpire.umpiredesk import UmpireDesk


@click.group("umpire", cls=Group)
@click.option(
    "--db",
    metavar="URL",
    help="The database: a file, or postgresql://... (default: PBEM_UMPIRE_DB, or else a file in your home).",
)
@click.option("--actor", metavar="WHO", help="Your name in the journal (default: PBEM_UMPIRE_ACTOR or your login).")
@click.pass_context
def umpire_command(ctx: click.Context, db: str | None, actor: str | None) -> None:
    """Run tournaments: pair rounds, offer games, keep clocks and standings, rule.

    Needs `pip install 'pbem[umpire]'`. Begin with `pbem umpire demo`, or `pbem umpire new`.
    """
    ctx.find_root().obj = {"actor": actor, "db": db}


NEEDED = ("sqlalchemy", "jinja2", "networkx")
tournament_argument = click.argument("tournament", metavar="TOURNAMENT")


def want_extra() -> None:
    """The desk's own dependencies are not part of what every player installs."""
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise HomeError("E-EXTRA", f"The umpire's desk needs {', '.join(missing)}: pip install 'pbem[umpire]'")


def _asked(name: str) -> str | None:
    """An option of the group, or the environment variable that stands in for it."""
    options = click.get_current_context().find_root().obj or {}
    return options.get(name) or os.environ.get(f"PBEM_UMPIRE_{name.upper()}")


def _file() -> Path:
    """The database in the home, which is opened without the home if it is there: that is quicker."""
    from pbem.home.disk import default_root

    return default_root(os.environ) / "umpire" / "desk.db"


def has_store() -> bool:
    """False if the database would be a file in the home, and is not there yet."""
    return bool(_asked("db")) or _file().is_file()


def open_store(home: Home | None = None) -> Store:
    """The database that `--db` or PBEM_UMPIRE_DB names, else a file in the home."""
    want_extra()
    from pbem.umpire.db.database import Store

    url: str | Path = _asked("db") or _file()
    if isinstance(url, Path) and (home is not None or not url.is_file()):
        made = home or open_home()
        url = made.root / "umpire" / "desk.db"
        made.disk.folder(url.parent)
    return Store.open(url, tell=lambda text: note(text, style="dim"))


def actor() -> str:
    """The name in the journal of the person at the desk."""
    if named := _asked("actor"):
        return named[:80]
    import getpass

    try:
        return getpass.getuser()[:80]
    except (OSError, KeyError, ImportError):
        return "umpire"


def open_umpire(home: Home | None = None) -> UmpireDesk:
    store = open_store(home)
    from pbem.umpire.umpiredesk import UmpireDesk

    return UmpireDesk(store, actor=actor())


def show_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]], empty: str = "") -> None:
    """A table under its titles, or a sentence in place of an empty one."""
    made = [["" if cell is None else str(cell) for cell in row] for row in rows]
    if made:
        say_table([columns, *made])
    elif empty:
        note(empty)


def say_csv(answer: Any) -> None:
    """The rows of an answer for a spreadsheet: its `rows`, or its first field. What a row nests becomes columns."""
    from pbem.schema import plain
    from pbem.umpire.site.exports import cell

    rows = []
    for each in getattr(answer, "rows", answer[0]):
        nested = [value if isinstance(value, dict) else {name: value} for name, value in plain(each).items()]
        rows.append({title: cell(value) for columns in nested for title, value in columns.items()})
    titles = dict.fromkeys(title for row in rows for title in row)
    writer = csv.DictWriter(sys.stdout, list(titles), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def points(half_points: int | None) -> str:
    """As they are written in tables; nothing while there is no result."""
    from pbem.umpire.pairing.pairs import half

    return "" if half_points is None else half(half_points)


def figure(value: float | Fraction | None) -> str:
    """`12.5`: figures of tie-breaks are halves and quarters."""
    return "" if value is None else f"{float(value):g}"


# Answers


class TournamentShown(NamedTuple):
    created: Count
    id: Count
    key: bytes
    name: str
    state: Literal["open", "playing", "over"]
    terms: Mapping[str, Any]
    """As in tournament.toml; data files of the umpire's own by their digests."""
    umpire: Hash


class EntrantShown(NamedTuple):
    address: str | None
    """Only in `entrants --addresses`."""
    deviation: Count
    identity: Hash
    name: str
    number: Count
    out: bool
    """Withdrawn."""
    rating: Count
    why: str


class EntrantsShown(NamedTuple):
    entrants: tuple[EntrantShown, ...]


class PairingShown(NamedTuple):
    """Points are half points: 2 for a win."""

    board: Count
    decided_at: Count
    expires: Count
    first: Count
    first_name: str
    first_points: Count | None
    game: str
    how: How
    id: Count
    label: str
    mirror: Count
    offer: Hash | None
    round: Count
    second: Count | None
    second_name: str | None
    second_points: Count | None
    state: PairingState
    text: str
    why: tuple[str, ...]


class RoundShown(NamedTuple):
    notes: tuple[str, ...]
    number: Count
    paired_at: Count
    pairings: tuple[PairingShown, ...]
    state: Literal["paired", "offered", "complete"]


class StandingShown(NamedTuple):
    drawn: Count
    figures: Mapping[str, float | None]
    """Tie-break values by criterion; null: not needed, or does not apply."""
    lost: Count
    name: str
    number: Count
    out: bool
    place: Count
    played: Count
    points: Count
    """Half points."""
    won: Count


class ActShown(NamedTuple):
    done_at: Count
    id: Count
    kind: str
    outcome: str
    pairing: Count | None
    state: ActState
    wanted_at: Count
    wanted_by: str


def tournament_shown(row: TournamentRow) -> TournamentShown:
    terms = row.terms.plain()
    return shown(TournamentShown, row, terms={**terms, "data": row.terms.pins} if row.terms.data else terms)


def entrant_shown(row: EntrantRow, address: str | None = None) -> EntrantShown:
    return shown(EntrantShown, row, address=address)


def pairing_shown(row: PairingRow, names: Mapping[int, str]) -> PairingShown:
    second = None if row.second is None else names[row.second]
    return shown(PairingShown, row, first_name=names[row.first], second_name=second)


def round_shown(row: RoundRow, names: Mapping[int, str]) -> RoundShown:
    return shown(RoundShown, row, pairings=tuple(pairing_shown(each, names) for each in row.pairings))


def standing_shown(row: Row, order: Sequence[str]) -> StandingShown:
    figures = [None if each is None else float(each) for each in row.figures]
    return shown(StandingShown, row, figures=dict(zip(order, figures, strict=False)))
