"""What `pbem mail` tells: news, rounds, and the page that goes beside a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.out import say
from pbem.cli.run import refused
from pbem.cli.text import clean, plural

if TYPE_CHECKING:
    from pbem.mail.account import Round
    from pbem.mail.compose import Page
    from pbem.mail.state import News
    from pbem.table.desk import Desk


def turn_page(desk: Desk, game: str, drawn: bool) -> Sequence[Page]:
    """The report of the turn as everybody saw it, or the board as text. A game that has neither goes without."""
    from pbem.cli.turnpage import mailed_report
    from pbem.mail.compose import Page, standing
    from pbem.protocol.errors import PbemError

    try:
        row = desk.row(game)
        if row.stage not in ("playing", "ending", "over"):
            return ()
        report = mailed_report(desk, game) if drawn else None
        if report is not None:
            return (Page(f"{game}-report.html", report, "html"),)
        text = "\n".join((*standing(row, "the sender"), "", desk.board(game, public=True)))
    except PbemError:
        return ()
    return (Page(f"{game}-board.txt", text + "\n"),)


def say_news(news: News) -> None:
    if news.code:
        refused(news.code, news.what)
    else:
        say(clean(news.what))
    for line in news.lines:
        say(f"  {clean(line)}")
    for line in news.notes:
        say(f"! {clean(line)}", style="wait")
    for line in news.todo:
        say(clean(line), style="good")


def news_text(news: Sequence[News]) -> str:
    parts = []
    for each in news:
        parts += [each.what, *(f"  {line}" for line in (*each.lines, *each.notes)), *each.todo]
    return "\n".join(clean(part) for part in parts) + "\n"


def news_json(news: News) -> dict[str, Any]:
    return {
        "code": news.code or None,
        "game": news.game or None,
        "happened": list(news.lines),
        "notes": list(news.notes),
        "todo": list(news.todo),
        "what": news.what,
    }


def say_round(done: Round, news: Sequence[News], *, quiet: bool) -> None:
    for each in news:
        say_news(each)
    for entry in done.sent:
        what = "Answer by your program" if entry.automatic else "Mail"
        say(f"{what} sent to {clean(', '.join(entry.to))}: {clean(entry.letter or 'a reminder')}.")
    for fault in done.faults:
        refused(fault.code, fault.sentence)
    if done.aside and not quiet:
        count = plural(len(done.aside), "mail is", "mails are")
        say(f"{count} set aside, since pbem was ended twice while it opened them. See: pbem mail status", style="wait")
    if not quiet and not (news or done.sent or done.faults):
        say(f"Nothing new. {plural(done.looked_at, 'mail')} looked at.")
    if done.waiting and (not quiet or done.sent or done.faults):
        say(f"{plural(done.waiting, 'mail waits', 'mails wait')} to be sent.", style="wait")
