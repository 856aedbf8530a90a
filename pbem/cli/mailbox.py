"""`pbem mail`: turns travel through a mailbox by themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import Group, json_option, open_desk, read_input
from pbem.cli.mailtold import news_json, news_text, say_news, say_round, turn_page
from pbem.cli.out import note, say, say_json
from pbem.cli.run import REFUSED, refused, until_terminated
from pbem.cli.show import when
from pbem.cli.text import clean, plural

if TYPE_CHECKING:
    from pbem.mail.account import Account, Round
    from pbem.mail.settings import Settings
    from pbem.mail.setup import Tried
    from pbem.mail.state import MailState, News
    from pbem.table.desk import Desk
    from pbem.table.people import Person

as_option = click.option("--as", "who", metavar="WHO", help="Only the mail of this identity of yours.")


@click.group("mail", cls=Group)
def mail_command() -> None:
    """Fetch, open, answer and send automatically, over your own mail account.

    Set it up once with `pbem mail setup`; then `pbem mail sync` from time to time, or `pbem mail watch` all the time.
    """


def ask_secret(prompt: str) -> str | None:
    """A password at the terminal; None when nobody is there."""
    if not sys.stdin.isatty():
        return None
    answer: str = click.prompt(prompt, hide_input=True, default="", show_default=False, err=True)
    return answer


def mailed_at(desk: Desk) -> dict[str, int]:
    """When `pbem mail` handed over each file of the outbox."""
    state, found = state_of(desk), dict[str, int]()
    for person in desk.people.identities():
        if state.has_settings(person.identity):
            queue = state.queue(person.identity)
            found |= {each.letter: each.at for each in queue.sent.values() if each.letter and each.handed}
    return found


def state_of(desk: Desk) -> MailState:
    from pbem.mail.state import MailState

    return MailState(desk.home.mail, desk.disk)


def opened(desk: Desk, state: MailState, who: str | None) -> list[Account]:
    """The accounts that are set up, or the one asked for. No line is opened yet."""
    from pbem.mail.account import account_of
    from pbem.mail.mailerror import MailError
    from pbem.mail.secrets import Secrets
    from pbem.mail.state import accounts

    people = [desk.people.me(who)] if who is not None else desk.people.identities()
    found = accounts(state, people)
    if not found:
        desk.people.me(who)
        raise MailError("E-MAIL-NONE", "No mail is set up for you here yet. Do that with: pbem mail setup")
    secrets = Secrets(ask_secret)
    made = []
    for person in found:
        settings = state.settings(person.identity)
        assert settings is not None
        made.append(account_of(person, settings, secrets, desk.disk, desk.clock()))
    return made


# Rounds


def tell(accounts: Sequence[Account], state: MailState) -> tuple[News, ...]:
    """News for whoever chose a command to hear them by; the caller shows them, then says `told`."""
    news = state.news()
    commands = dict.fromkeys(account.settings.tell for account in accounts if account.settings.tell)
    for command in commands if news else ():
        import subprocess

        try:
            subprocess.run(command, input=news_text(news), text=True, timeout=60, check=False)  # noqa: S603 - the player's own
        except (OSError, subprocess.TimeoutExpired) as error:
            note(f"The command {clean(command[0])} could not be told: {clean(str(error))}", style="wait")
    return news


@contextmanager
def handling(who: str | None) -> Iterator[tuple[Desk, MailState, list[Account]]]:
    desk = open_desk()
    state = state_of(desk)
    accounts = opened(desk, state, who)
    with state.handling():
        try:
            yield desk, state, accounts
        finally:
            for account in accounts:
                account.close()


def rounds(desk: Desk) -> Callable[[], Sequence[str]] | None:
    """A round of mail for whoever shows its report elsewhere; None if no mail is set up."""
    state = state_of(desk)
    if not any(state.has_settings(person.identity) for person in desk.people.identities()):
        return None

    def once() -> Sequence[str]:
        from pbem.mail.sync import Sync

        with handling(None) as (own, held, accounts):
            done = Sync(own, held, accounts, turn_page).round()
            news = tell(accounts, held)
            held.told()
        sent = [f"Sent to {', '.join(each.to)}: {each.letter or 'a reminder'}." for each in done.sent]
        faults = [fault.sentence for fault in done.faults]
        return [*(news_text(news).splitlines() if news else ()), *sent, *faults] or ["Nothing new."]

    return once


@mail_command.command(
    "sync",
    short_help="Do one round: fetch, open, answer, send, report.",
    examples=("pbem mail sync", "pbem mail sync --json", "*/10 * * * * pbem mail sync        (in a crontab)"),
    exits="0 all of it worked, 1 some mail could not be fetched, opened or sent, 2 wrong usage.",
)
@as_option
@json_option
@click.pass_context
def sync_command(ctx: click.Context, who: str | None, as_json: bool) -> None:
    """Fetch what came, open it, answer what your program owes, send what lies in the outbox, and say what happened.

    May be repeated, stopped and run from cron: no mail is lost, and none is made twice.
    """
    from pbem.mail.sync import Sync

    with handling(who) as (desk, state, accounts):
        done = Sync(desk, state, accounts, turn_page).round()
        news = tell(accounts, state)
        if as_json:
            say_json(
                {
                    "aside": done.aside,
                    "faults": [{"code": f.code, "sentence": f.sentence, "where": f.where} for f in done.faults],
                    "looked_at": done.looked_at,
                    "news": [news_json(each) for each in news],
                    "ok": not done.faults,
                    "sent": [
                        {"automatic": e.automatic, "game": e.game, "letter": e.letter, "to": list(e.to)}
                        for e in done.sent
                    ],
                    "waiting": done.waiting,
                }
            )
        else:
            say_round(done, news, quiet=False)
        sys.stdout.flush()
        state.told()
    if done.faults:
        ctx.exit(REFUSED)


@mail_command.command(
    "watch",
    short_help="Keep running: do a round whenever mail arrives or you send.",
    examples=("pbem mail watch", "pbem mail watch --as 'Alice Kern'"),
    exits="0 stopped by SIGTERM, 1 refused, 2 wrong usage, 130 interrupted.",
)
@as_option
def watch_command(who: str | None) -> None:
    """Stay, and do what `pbem mail sync` does whenever mail comes, whenever you send, and now and then.

    A line that breaks is taken up again, after waits that grow. Stops cleanly at SIGTERM or Ctrl-C. Give the
    passphrase in PBEM_PASSPHRASE if nobody is there to type it.
    """
    from pbem.mail.sync import Sync
    from pbem.mail.watch import Watch

    with until_terminated() as stopped, handling(who) as (desk, state, accounts):

        def show(done: Round) -> None:
            say_round(done, tell(accounts, state), quiet=True)
            sys.stdout.flush()
            state.told()

        say(f"Watching the mail of {', '.join(clean(a.settings.address) for a in accounts)}. Ctrl-C stops it.")
        sys.stdout.flush()
        Watch(desk, Sync(desk, state, accounts, turn_page), accounts, tell=show, stop=stopped).run()
    say("Stopped.")


@mail_command.command(
    "status",
    short_help="Show how the mail is set up and what is waiting.",
    examples=("pbem mail status", "pbem mail status --json"),
)
@as_option
@json_option
def status_command(who: str | None, as_json: bool) -> None:
    """Show how your mail is set up, when it was last looked at, what was wrong then, and which mails wait.

    Opens no line; shows no secret.
    """
    desk = open_desk()
    state = state_of(desk)
    rows = [_status(state, account) for account in opened(desk, state, who)]
    if as_json:
        say_json({"accounts": rows})
        return
    for row in rows:
        say(f"{clean(row['name'])} <{clean(row['address'])}>", style="bold")
        say(f"  Settings   {clean(row['settings'])}")
        for notice in row["notices"]:
            note(clean(notice), style="wait")
        for title, key in (("In", "in"), ("Out", "out")):
            for way in row[key] or ["nothing: pbem mail setup"]:
                say(f"  {title:<9}  {clean(way)}")
        say(f"  Last look  {when(row['last']) or 'never'}")
        for fault in row["faults"]:
            refused(fault["code"], fault["sentence"])
        say(f"  Sent       {row['sent']:,}")
        for path in row["aside"]:
            say(
                f"  Set aside  {clean(path)}: pbem was ended twice while it opened it. Try: pbem mail retry",
                style="wait",
            )
        for mail in row["waiting"]:
            why = f": {clean(mail['why'])}" if mail["why"] else ""
            after = " (given up)" if mail["given_up"] else f", next try {when(mail['next'])}" if mail["next"] else ""
            say(
                f"  Waits      {clean(mail['letter'] or 'reminder')} to {clean(', '.join(mail['to']))}{after}{why}",
                style="wait",
            )


def _status(state: MailState, account: Account) -> dict[str, Any]:
    from pbem.mail.setup import notices

    identity = account.person.identity
    queue = state.queue(identity)
    last = state.last(identity)
    return {
        "address": account.settings.address,
        "aside": [str(path) for path in state.aside(identity).held(".eml")],
        "faults": last.get("faults", []),
        "in": [way.name for way in account.inboxes],
        "last": last.get("at", 0),
        "name": account.person.card.name,
        "notices": notices(account),
        "out": [way.name for way in account.outs],
        "sent": len(queue.sent),
        "settings": str(state.place(identity) / "mail.toml"),
        "waiting": [
            {
                "given_up": entry.given_up,
                "letter": entry.letter,
                "next": entry.next,
                "to": list(entry.to),
                "tries": entry.tries,
                "why": entry.why,
            }
            for entry in queue.peek()
        ],
    }


@mail_command.command(
    "retry",
    short_help="Open mails that were set aside.",
    examples=("pbem mail retry", "pbem mail retry --json"),
    exits="0 opened, or nothing was set aside; 1 refused, 2 wrong usage.",
)
@as_option
@json_option
def retry_command(who: str | None, as_json: bool) -> None:
    """Open the mails that `pbem mail sync` has set aside, since pbem was ended twice while it opened them.

    A mail that cannot be opened now, too, stays where it is: nothing is dropped. What your program owes because of
    them goes with the next `pbem mail sync`.
    """
    from pbem.mail.sync import Sync

    with handling(who) as (desk, state, accounts):
        sync = Sync(desk, state, accounts, turn_page)
        count = sum(map(sync.retry, accounts))
        news = tell(accounts, state)
        if as_json:
            say_json({"news": [news_json(each) for each in news], "opened": count})
        else:
            for each in news:
                say_news(each)
            say(f"{plural(count, 'mail')} opened." if count else "No mail is set aside.")
        sys.stdout.flush()
        state.told()


# Setting up


@mail_command.command(
    "test",
    short_help="Try every way in and every way out.",
    examples=("pbem mail test", "pbem mail test --json"),
    exits="0 every way works, 1 one does not, 2 wrong usage.",
)
@as_option
@json_option
@click.pass_context
def test_command(ctx: click.Context, who: str | None, as_json: bool) -> None:
    """Log in at every way in and out, and say what does not work. Nothing is sent, and no mail is opened."""
    desk = open_desk()
    accounts = opened(desk, state_of(desk), who)
    tried = [each for account in accounts for each in _try(account, quiet=as_json)]
    if as_json:
        from pbem.mail.setup import notices

        say_json(
            {
                "notices": [notice for account in accounts for notice in notices(account)],
                "ok": not any(each.fault for each in tried),
                "ways": [
                    {
                        "code": each.fault[0] if each.fault else None,
                        "direction": "out" if each.out else "in",
                        "sentence": each.fault[1] if each.fault else None,
                        "way": each.way,
                    }
                    for each in tried
                ],
            }
        )
    if any(each.fault for each in tried):
        ctx.exit(REFUSED)


def _try(account: Account, *, quiet: bool) -> list[Tried]:
    from pbem.mail.setup import notices, try_ways

    tried = []
    for notice in () if quiet else notices(account):
        note(clean(notice), style="wait")
    for each in try_ways(account):
        tried.append(each)
        if quiet:
            continue
        if each.fault is None:
            say(f"Works: {'out' if each.out else 'in'} by {clean(each.way)}", style="good")
        else:
            refused(*each.fault)
    return tried


@mail_command.command(
    "setup",
    short_help="Set up your mail account by answering questions.",
    examples=("pbem mail setup", "pbem mail setup --as 'Alice Kern'", "pbem mail setup --from mail.toml"),
    exits="0 set up and works, 1 written but a way does not work, 2 wrong usage.",
)
@as_option
@click.option(
    "--from", "source", metavar="FILE", help="Ask nothing: take these settings (docs/mail.md). - is standard input."
)
@click.option("--no-test", is_flag=True, help="Write the settings without trying them.")
@click.pass_context
def setup_command(ctx: click.Context, who: str | None, source: str | None, no_test: bool) -> None:
    """Ask how your mail comes and goes, write mail.toml, and try it.

    No secret is written into that file: a password is typed each time, kept in the system's keyring, or comes from a
    command of yours.
    """
    from pbem.cli.mailsetup import ask_settings
    from pbem.mail.settings import MAX_SETTINGS, parse
    from pbem.mail.setup import notices, pass_over_old

    desk = open_desk()
    state = state_of(desk)
    person = desk.people.me(who)
    if source is None and not sys.stdin.isatty():
        raise click.UsageError("Nobody is at the terminal to answer. Give the settings in a file: --from FILE")
    settings: Settings = parse(read_input(source, MAX_SETTINGS)) if source is not None else ask_settings(person)
    with state.handling():
        first = not state.has_settings(person.identity)
        path = state.set_settings(person, settings)
        old = pass_over_old(desk, state.queue(person.identity), person.identity) if first else 0
    say(f"Written to {clean(str(path))}.")
    if old:
        say(
            f"{plural(old, 'older file', 'older files')} in the outbox count as mailed by hand; "
            "the newest of each game goes."
        )
    account = _account(desk, state, person)
    if no_test:
        for notice in notices(account):
            note(clean(notice), style="wait")
        return
    if any(each.fault for each in _try(account, quiet=False)):
        say("Change the settings there, or answer again; then: pbem mail test")
        ctx.exit(REFUSED)
    say("From now on: pbem mail sync, or pbem mail watch")


def _account(desk: Desk, state: MailState, person: Person) -> Account:
    return opened(desk, state, person.identity.hex())[0]
