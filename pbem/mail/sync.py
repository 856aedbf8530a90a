"""One round of mail: fetch and open, answer, send what is owed, remind, and report; or one round after another until
stopped (`Watch`).

Nothing is held in memory that a crash could lose. A mail counts as looked at only when all that it brought is on the
disk: records, answers in the outbox, news. What lies in the outbox is sent because it lies there, not because a mail
came; so an answer that a crash held up goes with the next round.

A way that breaks is tried again after a wait that doubles. One that a person has to mend (a refused password) is tried
rarely, since providers lock accounts that knock too often.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from pbem.home import Home, HomeError, intake, resync, summary
from pbem.mail.account import Account, MailFault, Round
from pbem.mail.compose import Page
from pbem.mail.connect import MailError
from pbem.mail.incoming import BegunTwiceError, Opener, TooLongError, head_of
from pbem.mail.mailstate import MailState, News
from pbem.mail.post import Again, Pages, Post, remind_me, remind_others
from pbem.mail.ways import Inbox

_PATIENCE: Final = 10.0
"""Seconds that one mail may keep the others waiting."""
_SLICE: Final = 1.0
"""Seconds between two looks at the outbox and at the wish to stop."""
_FIRST_WAIT: Final = 5.0
_LONGEST_WAIT: Final = 900.0
_LASTING_WAIT: Final = 900.0


def no_pages(home: Home, game: str, drawn: bool) -> Sequence[Page]:  # noqa: ARG001 - the form of `Pages`
    return ()


class Sync:
    """Rounds of mail for a home, under `state.handling()`."""

    def __init__(
        self,
        home: Home,
        state: MailState,
        accounts: Sequence[Account],
        pages: Pages = no_pages,
        most: int | None = None,
    ) -> None:
        self._home = home
        self._state = state
        self._accounts = tuple(accounts)
        self.post = Post(home, state, self._accounts, pages, most)

    def round(self, *, fetch: bool = True) -> Round:
        """A way that does not work hinders no other. Without `fetch`, mails are only sent."""
        done, now = Round(), self._home.clock()
        known: set[str] = set()
        for account in self._accounts if fetch else ():
            for inbox in account.inboxes:
                known |= self._fetch(account, inbox, now, done)
        for account in self._accounts if fetch else ():
            known |= self._finish(account, now, done)
            done.aside += [str(path) for path in self._state.aside(account.person.identity).held(".eml")]
        with done.noting():
            for game, why in intake.settle_all(self._home).items():
                done.faults.append(MailFault(game, why.code, why.sentence))
        self.post.enqueue(done)
        if fetch:
            self._resend(known, now, done)
        for account in self._accounts:
            self.post.send(account, done)
            done.waiting += len(self._home.outbox.queued(account.person.identity))
        games = {mail.game for mail in done.sent if (row := self.post.row(mail.game)) is not None and not row.fault}
        with done.noting():
            resync.clear(self._home, sorted(games))
        self._remember(now, done)
        return done

    def _resend(self, known: set[str], now: int, done: Round) -> None:
        """Files that were lost, those of the `known` games at once, and reminders."""
        with done.noting():
            again = Again(self._home, self._state, self.post, now)
            again.again(sorted(known))
            if self._accounts:
                again.silent()
        with done.noting():
            if self._accounts:
                remind_me(self._state, summary.rows(self._home), self._accounts[0].settings.remind_me, now)
            for account in self._accounts:
                remind_others(self._home, self._state, account, self.post, now)

    def close(self) -> None:
        for account in self._accounts:
            account.close()

    def _fetch(self, account: Account, inbox: Inbox, now: int, done: Round) -> set[str]:
        """The games for which something came that was here already."""
        seen = self._state.seen(account.person.identity, inbox.name)
        opener = Opener(self._home, self._state, now)
        try:
            for found in inbox.fresh(seen):
                news = [News(None, f"{inbox.name}: {found.why}")] if found.why else []
                if found.raw is not None:
                    done.looked_at += 1
                    news += self._opened(opener, account, found.raw, f"{inbox.name}/{found.mark}", done)
                self._state.add_news(news)
                seen.add(found.mark)
                if news:
                    seen.flush()
        except MailError as error:
            done.faults.append(MailFault(inbox.name, error.code, error.sentence, error.lasting))
        except HomeError as error:
            # This home cannot take anything in at the moment; the mail stays where it is, and is not marked.
            done.faults.append(MailFault("home", error.code, error.sentence))
        finally:
            seen.flush()
        return opener.known

    def _opened(
        self, opener: Opener, account: Account, raw: bytes, mark: str, done: Round, *, seconds: float = _PATIENCE
    ) -> list[News]:
        """News of this mail. One that keeps others waiting, or that ended the process twice, is kept here."""
        aside = self._state.aside(account.person.identity)
        try:
            return opener.open(raw, mark, seconds=seconds)
        except TooLongError:
            aside.put(raw, ".later")
            return []
        except BegunTwiceError:
            path = aside.put(raw, ".eml")
            what = f"pbem was stopped twice while opening {head_of(raw).called}, which was set aside"
            done.faults.append(MailFault("home", "E-MAIL-ASIDE", f"{what}, as {path}. To try again: pbem mail retry"))
            return []

    def _finish(self, account: Account, now: int, done: Round) -> set[str]:
        """Mails that were put off, each for as long as it takes."""
        aside = self._state.aside(account.person.identity)
        opener = Opener(self._home, self._state, now)
        with done.noting():
            for path in aside.held(".later"):
                self._state.add_news(self._opened(opener, account, aside.read(path), path.name, done, seconds=inf))
                aside.remove(path)
        return opener.known

    def retry(self, account: Account) -> int:
        """Opens mails that were set aside, when a person asks; how many. If pbem ends again, they are still here."""
        aside, opener = self._state.aside(account.person.identity), Opener(self._home, self._state, self._home.clock())
        paths = aside.held(".eml")
        for path in paths:
            mark = path.name
            self._state.stopped(mark)
            self._state.add_news(opener.open(aside.read(path), mark))
            aside.remove(path)
        return len(paths)

    def _remember(self, now: int, done: Round) -> None:
        for account in self._accounts:
            mine = {account.settings.address, "home", *(way.name for way in account.ways)}
            faults = [fault._asdict() for fault in done.faults if fault.where in mine]
            self._state.set_last(account.person.identity, {"at": now, "faults": faults})


class Watch:
    """Rounds whenever mail has come, something new lies in the outbox, or the time has come, until `stop` says so.

    `stop` is asked often and may be set by a signal; `tell` gets every round that did or found something.
    """

    def __init__(
        self,
        home: Home,
        sync: Sync,
        accounts: Sequence[Account],
        *,
        tell: Callable[[Round], None],
        stop: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self._sync = sync
        self._accounts = tuple(accounts)
        self._tell = tell
        self._stop = stop
        self._sleep = sleep
        self._monotonic = monotonic

    def run(self) -> None:
        wait = _FIRST_WAIT
        fetch = True
        while not self._stop():
            written = self._home.outbox.stamp()
            done = self._sync.round(fetch=fetch)
            self._tell(done)
            if done.faults:
                lasting = any(fault.lasting for fault in done.faults)
                pause = max(wait, _LASTING_WAIT) if lasting else wait
                wait = min(2 * wait, _LONGEST_WAIT)
            else:
                pause, wait = (
                    float(min((account.settings.poll for account in self._accounts), default=300)),
                    _FIRST_WAIT,
                )
            fetch = self._rest(pause, written, idle=not done.faults)
        self._sync.close()

    def _rest(self, pause: float, written: int, *, idle: bool) -> bool:
        """Until there is something to do; False when that is only to send."""
        until = self._monotonic() + pause
        while not self._stop() and (left := until - self._monotonic()) > 0:
            if self._home.outbox.stamp() != written:
                return False
            if idle and came(self._accounts, min(_SLICE, left), self._sleep, self._monotonic):
                return True
            if not idle:
                self._sleep(min(_SLICE, left))
        return True


def came(
    accounts: Sequence[Account],
    seconds: float,
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> bool:
    """Waits a little: at the inboxes that announce mail (IMAP IDLE), or asleep."""
    began = monotonic()
    inboxes = [inbox for account in accounts for inbox in account.inboxes]
    for inbox in inboxes:
        if inbox.wait(seconds / len(inboxes)):
            return True
    sleep(max(0.0, seconds - (monotonic() - began)))
    return False
