"""`pbem umpire audit`: every archive of the desk judged again, by many processes or machines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.out import note, say, say_json
from pbem.cli.run import REFUSED
from pbem.cli.text import clean, plural
from pbem.cli.umpiring.group import umpire_command
from pbem.cli.umpiring.shared import csv_option, json_option, open_umpire, show_rows

if TYPE_CHECKING:
    from pbem.umpire.batch import Judged
    from pbem.umpire.deskrows import AuditRow
    from pbem.umpire.umpiredesk import UmpireDesk

_PARTS = 20
"""Lines of progress where standard error is no terminal."""


@umpire_command.command(
    "audit",
    short_help="Verify all archives that the desk keeps, by many processes or a Dask cluster.",
    examples=(
        "pbem umpire audit",
        "pbem umpire audit cup --jobs 8",
        "pbem umpire audit --cluster tcp://10.0.0.5:8786",
        "pbem umpire audit cup --list --csv",
    ),
    exits="0 all archives are verified, 1 some are not or the audit could not be done, 2 wrong usage.",
)
@click.argument("tournament", metavar="[TOURNAMENT]", required=False)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes (default: one for each processor).")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers have pbem and the rules.")
@click.option("--again", is_flag=True, help="Also those that this version of pbem has verified before.")
@click.option("--list", "only_list", is_flag=True, help="Only show the verdicts that are kept.")
@json_option
@csv_option
@click.pass_context
def audit_command(
    ctx: click.Context,
    tournament: str | None,
    jobs: int | None,
    cluster: str | None,
    again: bool,
    only_list: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Replay every finished game from its archive: signatures, dice, cards, rules, and the audit of the secrets.

    Verdicts are kept as they come. Stopped at any moment, the same command goes on with what is left; when nothing is
    new it ends at once. A cluster gives the same verdicts: use one that only you can reach, for Dask runs whatever it
    is sent.
    """
    if jobs is not None and cluster is not None:
        raise click.UsageError("Give --jobs or --cluster: a cluster has as many workers as it has.")
    desk = open_umpire()
    from pbem.umpire import auditing, batch

    todo, count = auditing.due(desk, tournament, again=again)
    done = 0
    if not only_list and todo:
        fetch = auditing.fetcher(desk)
        judged = batch.by_cluster(todo, fetch, cluster) if cluster else batch.by_processes(todo, fetch, jobs)
        for _ in _progress(auditing.keep(desk, judged), len(todo)):
            done += 1
    rows = auditing.audits(desk, tournament)
    good = all(row.ok for row in rows)
    found = _json(desk, rows) | {"archives": count, "done": done, "ok": good}
    if as_json:
        say_json(found)
    elif as_csv or only_list:
        _list(found, as_csv=as_csv)
    else:
        for each in found["audits"]:
            if not each["ok"]:
                say(f"{each['tournament']} {each['game']}: NOT VERIFIED. {clean(each['why'])}", style="bad")
        before = f" ({plural(count - done, 'archive')} before)" if done and count > done else ""
        say(
            f"{plural(done, 'archive')} audited{before}; {len(rows) - found['failed']} of {count} verified.",
            style="good" if good else "bad",
        )
    if not good:
        ctx.exit(REFUSED)


def _json(desk: UmpireDesk, rows: Sequence[AuditRow]) -> dict[str, Any]:
    labels = desk.names()[1]
    names = {row.id: row.name for row in desk.tournaments()}
    audits = [
        {
            "at": row.at,
            "game": labels[row.pairing][1],
            "ok": row.ok,
            "pbem": row.verdict["pbem"],
            "records": row.verdict["records"],
            "sha256": row.sha256.hex(),
            "tournament": names[labels[row.pairing][0]],
            "why": "" if row.ok else _why(row.verdict),
        }
        for row in rows
    ]
    return {"audits": audits, "failed": sum(not row.ok for row in rows)}


def _list(found: dict[str, Any], *, as_csv: bool) -> None:
    show_rows(
        ("tournament", "game", "verdict", "records", "pbem", "sha256", "why"),
        [
            (
                each["tournament"], each["game"], "verified" if each["ok"] else "NOT VERIFIED", each["records"],
                each["pbem"], each["sha256"] if as_csv else each["sha256"][:12], clean(each["why"]),
            )
            for each in found["audits"]
        ],
        key="audits", values=lambda: found, as_json=False, as_csv=as_csv, empty="No archive has been audited yet.",
    )  # fmt: skip


def _why(verdict: Any) -> str:
    from pbem.umpire.judging import why

    return why(dict(verdict))


def _progress(found: Iterator[Judged], count: int) -> Iterator[Judged]:
    if sys.stderr.isatty():
        with click.progressbar(found, length=count, label="Archives", file=sys.stderr, show_pos=True) as bar:
            yield from bar
        return
    step = max(1, count // _PARTS)
    for number, each in enumerate(found, 1):
        if number % step == 0:
            note(f"{number:,} of {count:,} archives", style="dim")
        yield each
