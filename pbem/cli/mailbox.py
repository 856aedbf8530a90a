"""`pbem mail`: turns travel through a mailbox automatically."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from pbem.cli.common import Group, ask_secret, open_home, read_input
from pbem.cli.phrases import say_happened, when
from pbem.cli.run import REFUSED, refused, until_terminated
from pbem.cli.terminal import clean, note, say
from pbem.engine.counts import many
from pbem.home import seen, summary
from pbem.mail.account import MailFault, Way, notices, open_accounts, try_ways
from pbem.mail.connect import Secrets, keep
from pbem.mail.mailstate import MailState, News
from pbem.mail.settings import (
    MAX_SETTINGS,
    PORTS,
    Command,
    Local,
    Provider,
    Security,
    Server,
    Settings,
    Source,
    WayIn,
    WayOut,
    check,
    is_address,
    is_loopback,
    other_address,
    parse,
    provider_of,
)
from pbem.mail.sync import Sync, Watch

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.home import Home
    from pbem.home.people import Person
    from pbem.mail.account import Account, Round
    from pbem.mail.compose import Page
    from pbem.schema import Count

as_option = click.option("--as", "who", metavar="WHO", help="Only the mail of this identity of yours.")


@click.group("mail", cls=Group)
def mail_command() -> None:
    """Fetch, open, answer and send automatically, over your own mail account.

    Set it up once with `pbem mail setup`. Then run `pbem mail sync` from time to time, or leave `pbem mail watch`
    running.
    """


def state_of(home: Home) -> MailState:
    return MailState(home.paths.mail, home.disk)


def opened(home: Home, state: MailState, who: str | None) -> list[Account]:
    """The accounts that are set up, or the one asked for. None is connected yet."""
    return open_accounts(home, state, who, Secrets(ask_secret))


def notify(accounts: Sequence[Account], state: MailState) -> tuple[News, ...]:
    """The news, passed to the players' own commands for it; the caller shows them, then clears them."""
    news = state.news()
    commands = dict.fromkeys(account.settings.tell for account in accounts if account.settings.tell)
    for command in commands if news else ():
        import subprocess

        try:
            subprocess.run(command, input=news_text(news), text=True, timeout=60, check=False)  # noqa: S603 - the player's own
        except (OSError, subprocess.TimeoutExpired) as error:
            note(f"The command {clean(command[0])} did not get the news: {clean(str(error))}", style="wait")
    return news


@contextmanager
def handling(who: str | None) -> Iterator[tuple[Home, MailState, list[Account]]]:
    home = open_home()
    state = state_of(home)
    accounts = opened(home, state, who)
    with state.handling():
        try:
            yield home, state, accounts
        finally:
            for account in accounts:
                account.close()


def rounds(home: Home) -> Callable[[], Sequence[str]] | None:
    """A round of mail whose report is shown elsewhere; None if no mail is set up."""
    state = state_of(home)
    if not any(state.has_settings(person.identity) for person in home.people.identities()):
        return None

    def once() -> Sequence[str]:
        with handling(None) as (own, held, accounts):
            done = Sync(own, held, accounts, turn_page).round()
            news = notify(accounts, held)
            held.clear_news()
        sent = [f"Sent to {', '.join(each.left)}: {each.name or 'a reminder'}." for each in done.sent]
        faults = [fault.sentence for fault in done.faults]
        return [*(news_text(news).splitlines() if news else ()), *sent, *faults] or ["Nothing new."]

    return once


def turn_page(home: Home, game: str, drawn: bool) -> Sequence[Page]:
    """The report of the turn as everybody saw it, or the board as text; nothing for a game that has neither."""
    from pbem.cli.drawing import mailed_report
    from pbem.mail.compose import Page, standing
    from pbem.protocol.errors import PbemError

    try:
        row = summary.row(home, game)
        if row.stage not in ("playing", "ending", "over"):
            return ()
        report = mailed_report(home, game) if drawn else None
        if report is not None:
            return (Page(f"{game}-report.html", report, "html"),)
        text = "\n".join((*standing(row, "the sender"), "", seen.board(home, game, public=True)))
    except PbemError:
        return ()
    return (Page(f"{game}-board.txt", text + "\n"),)


def say_news(news: News) -> None:
    if news.code:
        refused(news.code, news.what, news.step)
    else:
        say(clean(news.what))
    say_happened(news.happened, news.notes)
    for line in news.todo:
        say(clean(line), style="good")


def news_text(news: Sequence[News]) -> str:
    parts = []
    for each in news:
        parts += [each.what, *(f"  {line}" for line in (*each.happened, *each.notes)), *each.todo]
    return "\n".join(clean(part) for part in parts) + "\n"


def say_round(done: Round, news: Sequence[News], *, quiet: bool) -> None:
    for each in news:
        say_news(each)
    for entry in done.sent:
        what = "Automatic answer" if entry.automatic else "Mail"
        say(f"{what} sent to {clean(', '.join(entry.left))}: {clean(entry.name or 'a reminder')}.")
    for fault in done.faults:
        refused(fault.code, fault.sentence)
    if done.aside and not quiet:
        count = many(len(done.aside), "mail was", "mails were")
        why = "because pbem was stopped twice while opening them"
        say(f"{count} set aside, {why}. See: pbem mail status", style="wait")
    if not quiet and not (news or done.sent or done.faults):
        say(f"Nothing new in {many(done.looked_at, 'mail')}." if done.looked_at else "Nothing new.")
    if done.waiting and (not quiet or done.sent or done.faults):
        say(f"{many(done.waiting, 'mail is', 'mails are')} waiting to be sent.", style="wait")


class MailSent(NamedTuple):
    """A mail that was handed over."""

    automatic: bool
    game: str
    letter: str
    """The file of the outbox that it carries; empty for a reminder."""
    to: tuple[str, ...]


class RoundDone(NamedTuple):
    """The outcome of one round of mail."""

    aside: tuple[str, ...]
    """Mails that are set aside: pbem was stopped twice while opening them."""
    faults: tuple[MailFault, ...]
    looked_at: Count
    news: tuple[News, ...]
    ok: bool
    sent: tuple[MailSent, ...]
    waiting: Count

    @property
    def failed(self) -> bool:
        return not self.ok

    @classmethod
    def of(cls, done: Round, news: Sequence[News]) -> RoundDone:
        return cls(
            tuple(done.aside),
            tuple(done.faults),
            done.looked_at,
            tuple(news),
            not done.faults,
            tuple(MailSent(each.automatic, each.game, each.name, each.left) for each in done.sent),
            done.waiting,
        )


@mail_command.command(
    "sync",
    short_help="Do one round: fetch, open, answer, send, report.",
    examples=("pbem mail sync", "pbem mail sync --json", "*/10 * * * * pbem mail sync        (in a crontab)"),
)
@as_option
def sync_command(who: str | None) -> Iterator[RoundDone]:
    """Fetch new mail, open it, send the answers that need no decision from you and what is in the outbox, and report
    what happened.

    You can repeat it, stop it and run it from cron: no mail is lost, and none takes effect twice.
    """
    with handling(who) as (home, state, accounts):
        done = Sync(home, state, accounts, turn_page).round()
        news = notify(accounts, state)
        say_round(done, news, quiet=False)
        yield RoundDone.of(done, news)
        state.clear_news()


@mail_command.command(
    "watch",
    short_help="Keep running: do a round whenever mail arrives or you send.",
    examples=("pbem mail watch", "pbem mail watch --as 'Alice Kern'"),
)
@as_option
def watch_command(who: str | None) -> None:
    """Keep running, and do what `pbem mail sync` does whenever mail arrives or you send, and every few minutes.

    A broken connection is tried again at longer and longer intervals. Ctrl-C or SIGTERM stops it. If nobody is there to
    type the passphrase, set PBEM_PASSPHRASE.
    """
    with until_terminated() as stopped, handling(who) as (home, state, accounts):

        def show(done: Round) -> None:
            say_round(done, notify(accounts, state), quiet=True)
            sys.stdout.flush()
            state.clear_news()

        say(f"Watching the mail of {', '.join(clean(a.settings.address) for a in accounts)}. Ctrl-C stops it.")
        sys.stdout.flush()
        Watch(home, Sync(home, state, accounts, turn_page), accounts, tell=show, stop=stopped).run()
    say("Stopped.")


class Waits(NamedTuple):
    """A mail that waits to be sent."""

    given_up: bool
    letter: str
    """The file of the outbox that it carries; empty for a reminder."""
    next: Count
    """When it is tried again (0: in the next round)."""
    to: tuple[str, ...]
    tries: Count
    why: str


class AccountShown(NamedTuple):
    """The mail of one identity: how it is set up, what was wrong in the last round, and what waits."""

    address: str
    aside: tuple[Path, ...]
    faults: tuple[MailFault, ...]
    in_: tuple[str, ...]
    last: Count
    """When the mail was last looked at (0: never)."""
    name: str
    notices: tuple[str, ...]
    out: tuple[str, ...]
    sent: Count
    settings: Path
    waiting: tuple[Waits, ...]

    @classmethod
    def of(cls, home: Home, state: MailState, account: Account) -> AccountShown:
        identity = account.person.identity
        last = state.last(identity)
        return cls(
            account.settings.address,
            tuple(state.aside(identity).held(".eml")),
            tuple(MailFault(**each) for each in last.get("faults", [])),
            tuple(way.name for way in account.inboxes),
            last.get("at", 0),
            account.person.card.name,
            tuple(notices(account)),
            tuple(way.name for way in account.outs),
            home.outbox.sent(identity),
            state.place(identity) / "mail.toml",
            tuple(Waits(e.given_up, e.name, e.next, e.left, e.tries, e.why) for e in home.outbox.queued(identity)),
        )


class Accounts(NamedTuple):
    """The mail settings and state of every identity that has any."""

    accounts: tuple[AccountShown, ...]


@mail_command.command(
    "status",
    short_help="Show how mail is set up and what is waiting.",
    examples=("pbem mail status", "pbem mail status --json"),
)
@as_option
def status_command(who: str | None) -> Accounts:
    """Show how your mail is set up, when it was last fetched, what was wrong then, and which mails are waiting.

    It connects to no server and shows no secret.
    """
    home = open_home()
    state = state_of(home)
    rows = tuple(AccountShown.of(home, state, account) for account in opened(home, state, who))
    for row in rows:
        say(f"{clean(row.name)} <{clean(row.address)}>", style="bold")
        say(f"  Settings   {clean(str(row.settings))}")
        for notice in row.notices:
            note(clean(notice), style="wait")
        for title, ways in (("In", row.in_), ("Out", row.out)):
            for way in ways or ("nothing: pbem mail setup",):
                say(f"  {title:<9}  {clean(way)}")
        say(f"  Last sync  {when(row.last) or 'never'}")
        for fault in row.faults:
            refused(fault.code, fault.sentence)
        say(f"  Sent       {row.sent:,}")
        for path in row.aside:
            why = "pbem was stopped twice while opening it. Try: pbem mail retry"
            say(f"  Set aside  {clean(str(path))}: {why}", style="wait")
        for mail in row.waiting:
            why = f": {clean(mail.why)}" if mail.why else ""
            after = " (given up)" if mail.given_up else f", next try {when(mail.next)}" if mail.next else ""
            to = clean(", ".join(mail.to))
            say(f"  Waiting    {clean(mail.letter or 'reminder')} to {to}{after}{why}", style="wait")
    return Accounts(rows)


class Retried(NamedTuple):
    """How many of the mails set aside were opened, and what they brought."""

    news: tuple[News, ...]
    opened: Count


@mail_command.command(
    "retry",
    short_help="Open mails that were set aside.",
    examples=("pbem mail retry", "pbem mail retry --json"),
)
@as_option
def retry_command(who: str | None) -> Iterator[Retried]:
    """Open the mails that `pbem mail sync` set aside because pbem crashed twice on them.

    A mail that still cannot be opened stays where it is: nothing is dropped. What your program owes because of these
    mails goes out with the next `pbem mail sync`.
    """
    with handling(who) as (home, state, accounts):
        sync = Sync(home, state, accounts, turn_page)
        count = sum(map(sync.retry, accounts))
        news = notify(accounts, state)
        for each in news:
            say_news(each)
        say(f"{many(count, 'mail')} opened." if count else "No mail is set aside.")
        yield Retried(news, count)
        state.clear_news()


class WaysTried(NamedTuple):
    """Every mailbox and server that is set up, and whether it works."""

    notices: tuple[str, ...]
    ok: bool
    ways: tuple[Way, ...]

    @property
    def failed(self) -> bool:
        return not self.ok


@mail_command.command(
    "test",
    short_help="Log in to every mailbox and server.",
    examples=("pbem mail test", "pbem mail test --json"),
)
@as_option
def test_command(who: str | None) -> WaysTried:
    """Log in to every server you fetch from or send through, and report problems. Sends nothing, opens no mail."""
    home = open_home()
    accounts = opened(home, state_of(home), who)
    tried = [each for account in accounts for each in _try(account)]
    return WaysTried(
        tuple(notice for account in accounts for notice in notices(account)),
        not any(each.code for each in tried),
        tuple(tried),
    )


def _try(account: Account) -> list[Way]:
    tried = []
    for notice in notices(account):
        note(clean(notice), style="wait")
    for each in try_ways(account):
        tried.append(each)
        if each.code is None:
            say(f"Works: {each.direction} by {clean(each.way)}", style="good")
        else:
            refused(each.code, each.sentence or "")
    return tried


@mail_command.command(
    "setup",
    short_help="Set up your mail account by answering questions.",
    examples=("pbem mail setup", "pbem mail setup --as 'Alice Kern'", "pbem mail setup --from mail.toml"),
)
@as_option
@click.option(
    "--from", "source", metavar="FILE", help="Ask nothing; read these settings (docs/mail.md). -: standard input."
)
@click.option("--no-test", is_flag=True, help="Write the settings without trying them.")
@click.pass_context
def setup_command(ctx: click.Context, who: str | None, source: str | None, no_test: bool) -> None:
    """Ask how you receive and send mail, write mail.toml, and try it.

    No secret is written to that file: a password is typed each time, kept in the system's keyring, or printed by a
    command of yours.
    """
    home = open_home()
    state = state_of(home)
    person = home.people.me(who)
    if source is None and not sys.stdin.isatty():
        raise click.UsageError("Nobody is at the terminal to answer. Pass the settings in a file: --from FILE")
    settings: Settings = parse(read_input(source, MAX_SETTINGS)) if source is not None else ask_settings(person)
    with state.handling():
        first = not state.has_settings(person.identity)
        old = home.outbox.pass_over_old(person.identity) if first else 0
        path = state.set_settings(person, settings)
    say(f"Written to {clean(str(path))}.")
    if old:
        say(
            f"{many(old, 'older file is', 'older files are')} assumed to have been mailed by hand;  "
            "only the newest file of each game will be sent."
        )
    (account,) = opened(home, state, person.identity.hex())
    if no_test:
        for notice in notices(account):
            note(clean(notice), style="wait")
        return
    if any(each.code for each in _try(account)):
        say("Edit that file, or run this command again. Then: pbem mail test")
        ctx.exit(REFUSED)
    say("From now on: pbem mail sync, or pbem mail watch")


_INS = ("imap", "maildir", "mbox", "files")
_OUTS = ("smtp", "command", "files")


def ask_settings(person: Person) -> Settings:
    address = _address(person)
    provider = provider_of(address)
    if provider is not None:
        say(f"Servers of your provider: {provider.imap} and {provider.smtp}. Press Enter to accept each.")
        if provider.hint:
            say(provider.hint)
    way_in, login = _ask_in(address, provider)
    settings = Settings(
        address=address,
        ways_in=(way_in,),
        ways_out=(_ask_out(address, provider, login),),
        remind_me=_number("Remind me when others have waited for me this many days (0: never)", 3),
        remind_others=_number("Send an opponent a reminder after this many days (0: never)", 0),
    )
    check(settings)
    return settings


def _address(person: Person) -> str:
    """As on the card, or another that the person wants anyway."""
    while True:
        address = _line("Your mail address", person.card.email)
        if not is_address(address):
            say("That is not an email address.")
            continue
        why = other_address(person.card.email, address)
        if not why:
            return address
        note(why, style="wait")
        if click.confirm("Use it anyway?", default=True):
            return address


def _line(prompt: str, default: str = "") -> str:
    answer: str = click.prompt(prompt, default=default or None, type=str)
    return answer.strip()


def _number(prompt: str, default: int) -> int:
    answer: int = click.prompt(prompt, default=default, type=click.IntRange(0, 365))
    return answer


def _choice(prompt: str, choices: tuple[str, ...], default: str) -> str:
    answer: str = click.prompt(prompt, default=default, type=click.Choice(choices))
    return answer


def _ask_in(address: str, provider: Provider | None) -> tuple[WayIn, Server | None]:
    say("How do you get mail? imap: from a server; maildir, mbox or files: another program fetches it.")
    match _choice("Mail arrives by", _INS, "imap"):
        case "imap":
            server = _server("imap", address, provider.imap if provider else "", "tls", None)
            return server, server
        case "maildir":
            return Local("maildir", _line("Maildir", "~/Maildir")), None
        case "mbox":
            return Local("mbox", _line("mbox file", f"/var/mail/{address.partition('@')[0]}")), None
        case _:
            return Local("files", _line("Folder with the mails", "~/pbem-in")), None


def _ask_out(address: str, provider: Provider | None, login: Server | None) -> WayOut:
    say("How do you send mail? smtp: to a server; command: a program like sendmail or msmtp; files: into a folder.")
    match _choice("Mail leaves by", _OUTS, "smtp"):
        case "smtp":
            security = provider.smtp_security if provider else "tls"
            return _server("smtp", address, provider.smtp if provider else "", security, login)
        case "command":
            return Command(_command("Command (the receivers are added to it)", "/usr/sbin/sendmail -i --"))
        case _:
            return Local("files", _line("Folder for the mails", "~/pbem-out"))


def _server(kind: Literal["imap", "smtp"], address: str, host: str, security: str, login: Server | None) -> Server:
    host = _line(f"{kind.upper()} server", host or f"{kind}.{address.rpartition('@')[2]}")
    choices = ("tls", "starttls", "none") if is_loopback(host) else ("tls", "starttls")
    chosen: Security
    match _choice("Encryption", choices, security):
        case "tls":
            chosen = "tls"
        case "starttls":
            chosen = "starttls"
        case _:
            chosen = "none"
    port: int = click.prompt("Port", default=PORTS[kind, chosen], type=click.IntRange(1, 65535))
    user = _line("User name", login.user if login else address)
    if login is not None and click.confirm("Same password as for incoming mail?", default=True):
        return Server(kind, host, port, chosen, user, login.auth, _kept_again(login, host, user))
    token = click.confirm("Does the server want a token (XOAUTH2) instead of a password?", default=False)
    return Server(kind, host, port, chosen, user, "xoauth2" if token else "password", _secret(host, user, token=token))


def _secret(host: str, user: str, *, token: bool) -> Source:
    if token:
        return Source("command", _command("Command that prints a fresh token"))
    say("Your password: prompt: typed each time; keyring: kept by your system; command: a program prints it.")
    match _choice("Password from", ("prompt", "keyring", "command"), "prompt"):
        case "keyring":
            _keep(host, user)
            return Source("keyring")
        case "command":
            return Source("command", _command("Command that prints it"))
        case _:
            return Source("prompt")


def _kept_again(login: Server, host: str, user: str) -> Source:
    """The keyring knows a password by user and server; a second server is a second entry."""
    if login.secret.kind == "keyring" and (host, user) != (login.host, login.user):
        _keep(host, user)
    return login.secret


def _keep(host: str, user: str) -> None:
    secret: str = click.prompt(f"Password for {user}@{host}", hide_input=True, err=True)
    keep(Server("imap", host, 1, "tls", user), secret)


def _command(prompt: str, default: str = "") -> tuple[str, ...]:
    while True:
        parts = tuple(shlex.split(_line(prompt, default)))
        if parts:
            return parts
