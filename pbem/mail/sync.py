"""One round of mail: fetch and open, answer, send what is owed, remind, and say what happened.

Nothing is held in memory that a crash could lose. A mail counts as looked at only when all that it brought is on the
disk: records, answers in the outbox, news. What lies in the outbox is sent because it lies there, not because a mail
came; so an answer that a crash held up goes with the next round.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from pbem.mail import reminders
from pbem.mail.account import Account, Fault, Round
from pbem.mail.again import Again
from pbem.mail.arrived import head_of
from pbem.mail.compose import Page
from pbem.mail.inbox import Inbox
from pbem.mail.mailerror import MailError
from pbem.mail.opening import BegunTwiceError, Opener, TooLongError
from pbem.mail.posting import Pages, Post
from pbem.mail.state import MailState, News
from pbem.protocol.errors import PbemError
from pbem.table.desk import Desk
from pbem.table.tableerror import TableError

_PATIENCE: Final = 10.0
"""Seconds that one mail may keep the others waiting."""


def no_pages(desk: Desk, game: str, drawn: bool) -> Sequence[Page]:  # noqa: ARG001 - the form of `Pages`
    return ()


class Sync:
    """Rounds of mail for a home, under `state.handling()`."""

    def __init__(
        self,
        desk: Desk,
        state: MailState,
        accounts: Sequence[Account],
        pages: Pages = no_pages,
        most: int | None = None,
    ) -> None:
        self._desk = desk
        self._state = state
        self._accounts = tuple(accounts)
        self.post = Post(desk, state, self._accounts, pages, most)

    def round(self, *, fetch: bool = True) -> Round:
        """A way that does not work hinders no other. Without `fetch` only what waits here is sent."""
        done, now = Round(), self._desk.clock()
        known: set[str] = set()
        for account in self._accounts if fetch else ():
            for inbox in account.inboxes:
                known |= self._fetch(account, inbox, now, done)
        for account in self._accounts if fetch else ():
            known |= self._finish(account, now, done)
            done.aside += [str(path) for path in self._state.aside(account.person.identity).held(".eml")]
        self._settle(done)
        self.post.enqueue(done)
        if fetch:
            self._again(known, now, done)
            self._remind(now, done)
        for account in self._accounts:
            self.post.send(account, done)
            done.waiting += len(self.post.queue(account).waiting())
        self._clear(done)
        self._remember(now, done)
        return done

    def _clear(self, done: Round) -> None:
        """The outbox of each game of which something left, as far as all others hold it."""
        games = {entry.game for entry in done.sent if (row := self.post.row(entry.game)) is not None and not row.fault}
        try:
            self._desk.clear_outbox(sorted(games))
        except PbemError as error:
            done.faults.append(Fault("home", error.code, error.sentence))

    def close(self) -> None:
        for account in self._accounts:
            account.close()

    def _fetch(self, account: Account, inbox: Inbox, now: int, done: Round) -> set[str]:
        """The games of which something came that was here already."""
        seen = self._state.seen(account.person.identity, inbox.name)
        opener = Opener(self._desk, self._state, now)
        try:
            for found in inbox.fresh(seen):
                news = [News("", f"{inbox.name}: {found.why}")] if found.why else []
                if found.raw is not None:
                    done.looked_at += 1
                    news += self._opened(opener, account, found.raw, f"{inbox.name}/{found.mark}", done)
                self._state.add_news(news)
                seen.add(found.mark)
                if news:
                    seen.flush()
        except MailError as error:
            done.faults.append(Fault(inbox.name, error.code, error.sentence, error.lasting))
        except TableError as error:
            # This home takes nothing in at the moment; the mail stays where it is, and is not marked.
            done.faults.append(Fault("home", error.code, error.sentence))
        finally:
            seen.flush()
        return opener.known

    def _opened(
        self, opener: Opener, account: Account, raw: bytes, mark: str, done: Round, *, seconds: float = _PATIENCE
    ) -> list[News]:
        """News of this mail. One that keeps others waiting, or that ended the process twice, is kept here."""
        aside = self._state.aside(account.person.identity)
        try:
            return opener.open(raw, self.post.queue(account), mark, seconds=seconds)
        except TooLongError:
            aside.put(raw, ".later")
            return []
        except BegunTwiceError:
            path = aside.put(raw, ".eml")
            what = f"pbem has begun twice to open {head_of(raw).called}, and was ended each time. It is set aside"
            done.faults.append(Fault("home", "E-MAIL-ASIDE", f"{what}, as {path}. Try once more with: pbem mail retry"))
            return []

    def _finish(self, account: Account, now: int, done: Round) -> set[str]:
        """Mails that were put off, each for as long as it takes."""
        aside = self._state.aside(account.person.identity)
        opener = Opener(self._desk, self._state, now)
        try:
            for path in aside.held(".later"):
                self._state.add_news(self._opened(opener, account, aside.read(path), path.name, done, seconds=inf))
                aside.remove(path)
        except TableError as error:
            done.faults.append(Fault("home", error.code, error.sentence))
        return opener.known

    def retry(self, account: Account) -> int:
        """Opens what was set aside, at a person's wish; how many there were. If this ends, too, they are still here."""
        aside, opener = self._state.aside(account.person.identity), Opener(self._desk, self._state, self._desk.clock())
        paths = aside.held(".eml")
        for path in paths:
            mark = path.name
            self._state.stopped(mark)
            self._state.add_news(opener.open(aside.read(path), self.post.queue(account), mark))
            aside.remove(path)
        return len(paths)

    def _again(self, known: set[str], now: int, done: Round) -> None:
        try:
            again = Again(self._desk, self._state, self.post, now)
            again.again(sorted(known))
            if self._accounts:
                again.silent()
        except PbemError as error:
            done.faults.append(Fault("home", error.code, error.sentence))

    def _settle(self, done: Round) -> None:
        try:
            for game, why in self._desk.settle().items():
                code, _, sentence = why.partition(": ")
                done.faults.append(Fault(game, code, sentence))
        except PbemError as error:
            done.faults.append(Fault("home", error.code, error.sentence))

    def _remind(self, now: int, done: Round) -> None:
        try:
            if self._accounts:
                reminders.remind_me(self._state, self._desk.games(), self._accounts[0].settings.remind_me, now)
            for account in self._accounts:
                reminders.remind_others(self._desk, self._state, account, self.post, now)
        except PbemError as error:
            done.faults.append(Fault("home", error.code, error.sentence))

    def _remember(self, now: int, done: Round) -> None:
        for account in self._accounts:
            mine = account.ways | {account.settings.address, "home"}
            faults = [
                {"code": fault.code, "sentence": fault.sentence, "where": fault.where}
                for fault in done.faults
                if fault.where in mine
            ]
            self._state.set_last(account.person.identity, {"at": now, "faults": faults})
