"""`pbem umpire sync`, `run`, `status`, `acts`: the keeper at work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import open_home, shown
from pbem.cli.phrases import when
from pbem.cli.run import refused, until_terminated
from pbem.cli.terminal import clean, note, say
from pbem.cli.umpiring.entering import span
from pbem.cli.umpiring.shared import (
    ActShown,
    open_umpire,
    show_rows,
    tournament_argument,
    umpire_command,
    want_extra,
)
from pbem.engine.counts import many, upper
from pbem.schema import Count

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.mail.account import MailFault
    from pbem.mail.mailstate import News
    from pbem.umpire.db.deskrows import Entry
    from pbem.umpire.keeper import Keeper, Report
    from pbem.umpire.mailing import Mail
    from pbem.umpire.status import Waiting
    from pbem.umpire.umpiredesk import UmpireDesk

by_hand_option = click.option(
    "--by-hand", is_flag=True, help="Do not use a mailbox: you mail the files in the outbox and open what arrives."
)


@contextmanager
def keeper(by_hand: bool) -> Iterator[tuple[Keeper, UmpireDesk]]:
    """The keeper of this home, with its mail if that is set up."""
    want_extra()
    from pbem.umpire.keeper import Keeper
    from pbem.umpire.mailing import ByHand

    home = open_home()
    desk = open_umpire(home)
    with _mail(home) if not by_hand else _none(ByHand(home)) as mail:
        made = Keeper(desk, home, mail)
        with made.keeping():
            yield made, desk
    desk.store.close()


@contextmanager
def _none(mail: Mail) -> Iterator[Mail]:
    yield mail


@contextmanager
def _mail(home: Home) -> Iterator[Mail]:
    from pbem.cli.mailbox import opened, state_of, turn_page
    from pbem.mail.connect import MailError
    from pbem.umpire.mailing import ByHand, Mailbox

    state = state_of(home)
    try:
        accounts = opened(home, state, None)
    except MailError as error:
        if error.code != "E-MAIL-NONE":
            raise
        note("No mail is set up here (pbem mail setup): mail the files in the outbox yourself.", style="wait")
        yield ByHand(home)
        return
    with state.handling():
        mail = Mailbox(home, state, accounts, turn_page)
        try:
            yield mail
        finally:
            mail.close()


def say_report(desk: UmpireDesk, report: Report, *, quiet: bool) -> None:
    from pbem.cli.mailbox import say_news

    for each in report.news:
        if each.code or not each.game:  # what happened in a game, the journal says
            say_news(each)
    for text in sentences(desk, done(report)):
        say(clean(text))
    for fault in report.faults:
        refused(fault.code, f"{fault.where}: {fault.sentence}")
    if report.mail.sent:
        say(f"{many(len(report.mail.sent), 'mail')} sent.")
    if not quiet and not (report.entries or report.faults or report.mail.sent):
        say("Nothing new.")


def done(report: Report) -> list[Entry]:
    """The entries of a pass that are news: not that it set about something."""
    return [entry for entry in report.entries if entry.kind != "taken"]


def sentences(desk: UmpireDesk, entries: Sequence[Entry]) -> list[str]:
    """Journal entries in words."""
    from pbem.umpire.journaltext import sentence

    if not entries:
        return []
    names, labels = desk.names()
    games = {number: label for number, (_, label) in labels.items()}
    found = []
    for entry in entries:
        data: Mapping[str, Any] = entry.data
        of = data.get("tournament") or labels.get(data.get("pairing", 0), (0, ""))[0]
        text = sentence(entry, names.get(of, {}), games)
        found.append(upper(text))
    return found


class Pass(NamedTuple):
    """The outcome of one pass of the keeper."""

    faults: tuple[MailFault, ...]
    looked_at: Count
    """Mails that were opened."""
    mail: tuple[News, ...]
    news: tuple[str, ...]
    """Entries of the journal, in words."""
    ok: bool
    sent: Count
    waiting: Count

    @property
    def failed(self) -> bool:
        return not self.ok


class WaitingShown(NamedTuple):
    waiting: tuple[Waiting, ...]


class ActsShown(NamedTuple):
    acts: tuple[ActShown, ...]


@umpire_command.command(
    "sync",
    short_help="Do the routine work once: mail, results, clocks, offers, rulings.",
    examples=("pbem umpire sync", "pbem umpire sync --json", "*/10 * * * * pbem umpire sync        (in a crontab)"),
)
@by_hand_option
def sync_command(by_hand: bool) -> Iterator[Pass]:
    """Fetch the mail, record results, check the clocks, make the offers and rulings that are due, and send.

    It may be repeated, stopped at any point, and run from cron.
    """
    with keeper(by_hand) as (made, desk):
        report = made.round()
        say_report(desk, report, quiet=False)
        yield Pass(
            tuple(report.faults), report.mail.looked_at, report.news, tuple(sentences(desk, done(report))),
            not report.faults, len(report.mail.sent), report.mail.waiting,
        )  # fmt: skip
        made.told()


@umpire_command.command(
    "run",
    short_help="Keep running, and sync at intervals.",
    examples=("pbem umpire run", "pbem umpire run --every 120"),
)
@click.option(
    "--every",
    type=click.IntRange(5, 86_400),
    default=300,
    show_default=True,
    help="Seconds between rounds of work.",
)
@by_hand_option
def run_command(every: int, by_hand: bool) -> None:
    """Keep running: do what `pbem umpire sync` does every few minutes, whenever mail arrives, and soon after somebody
    has changed something at the desk. Ctrl-C or SIGTERM stops it.

    Give the passphrase in PBEM_PASSPHRASE if nobody is there to type it.
    """
    from pbem.protocol.errors import PbemError

    with until_terminated() as stopped, keeper(by_hand) as (made, desk):
        say("The keeper is running. Ctrl-C stops it.")
        while not stopped():
            try:
                report = made.round()
                say_report(desk, report, quiet=True)
                sys.stdout.flush()
                made.told()
                made.rest(every, stopped, idle=not report.faults)
            except PbemError as error:  # a database that is away for a while: the next pass does it
                refused(error.code, error.sentence)
                _sleep(every, stopped)
    say("Stopped.")


def _sleep(seconds: float, stopped: Callable[[], bool]) -> None:
    import time

    until = time.monotonic() + seconds
    while not stopped() and time.monotonic() < until:
        time.sleep(0.5)


@umpire_command.command(
    "status",
    short_help="Show who is waiting for whom, and what is waiting for you.",
    examples=("pbem umpire status cup", "pbem umpire status cup --json", "pbem umpire status cup --csv"),
    rows=True,
)
@tournament_argument
def status_command(tournament: str) -> WaitingShown:
    """Show for each undecided game who has to act, since when, the clocks, and what you have to decide."""
    desk = open_umpire()
    rows = desk.status(tournament)
    show_rows(
        ("game", "state", "who", "owes", "since", "left", "flag"),
        [
            (
                row.label, row.state, clean(row.name), row.what,
                when(row.since) if row.since else f"{when(row.arose)}, not delivered",
                span(row.left) if row.left is not None else "", "fallen" if row.flagged else when(row.flag_at or 0),
            )
            for row in rows
        ],
        empty="No game waits for anybody.",
    )  # fmt: skip
    for text in desk.todo(tournament):
        say(f"! {clean(text)}", style="wait")
    if wanted := len(desk.acts(tournament, ("wanted",))):
        note(
            f"Not done yet, by `pbem umpire sync` or `run`: {many(wanted, 'task')}. See: pbem umpire acts {tournament}"
        )
    return WaitingShown(tuple(rows))


@umpire_command.command(
    "acts",
    short_help="List the tasks of `sync` and `run`: to do, done and failed.",
    examples=("pbem umpire acts cup", "pbem umpire acts cup --all", "pbem umpire acts cup --drop 17 --why 'A mistake'"),
    rows=True,
)
@tournament_argument
@click.option("--all", "everything", is_flag=True, help="Also list tasks that are done.")
@click.option("--drop", type=click.IntRange(1), help="Cancel this task.")
@click.option("--why", default="", help="Why the task is cancelled.")
@click.option(
    "--release",
    type=click.IntRange(1),
    help="Try this task again. Only if the keeper that began it is gone for good.",
)
def acts_command(tournament: str, everything: bool, drop: int | None, why: str, release: int | None) -> ActsShown:
    """List the tasks that `pbem umpire sync` has to carry out (offers, rulings, reminders), and those that failed, with
    the reason."""
    desk = open_umpire()
    if drop is not None:
        desk.drop_act(drop, why or "by hand")
    if release is not None:
        desk.release_act(release)
    labels = desk.names()[1]
    rows = desk.acts(tournament, () if everything else ("wanted", "taken", "failed"))
    show_rows(
        ("act", "kind", "game", "state", "wanted", "by", "outcome"),
        [
            (
                row.id,
                row.kind,
                labels[row.pairing][1] if row.pairing else "",
                row.state,
                when(row.wanted_at),
                clean(row.wanted_by),
                clean(row.outcome),
            )
            for row in rows
        ],
        empty="Nothing waits to be done.",
    )
    return ActsShown(tuple(shown(ActShown, row) for row in rows))
