"""Files that were lost in the mail go once more by themselves, so that no person has to notice.

A file counts as lost when a player shows no trace of the record that it was made for, and either something old of his
comes again (a reminder, a copy: `again`), or nothing comes for longer than one would wait (`silent`). Everything about
it is bounded, so that two programs never keep writing to each other: a file goes at most once in `resend` days, at most
MOST times, and no record is ever made because of it. Which time it is, the keys in the queue say, so a crash neither
repeats nor forgets one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pbem.mail.account import Account
from pbem.mail.compose import again_key
from pbem.mail.posting import Post
from pbem.mail.state import MailState, News
from pbem.table.addressed import Letter
from pbem.table.desk import Desk
from pbem.table.tableerror import TableError
from pbem.table.values import Unheard

MOST: Final = 6
"""Times that one file goes once more."""
_PERSON: Final = 7
"""A person is waited for so many times as long as a program."""
_LOOK: Final = 6 * 3600
"""Seconds between two looks at all games."""
_DAY: Final = 86_400


class Again:
    """For one round of mail."""

    def __init__(self, desk: Desk, state: MailState, post: Post, now: int) -> None:
        self._desk = desk
        self._state = state
        self._post = post
        self._now = now

    def again(self, games: Iterable[str]) -> None:
        """Something of these games came that was known here already."""
        for game in games:
            self._send(self._unheard(game), waits=1, growing=False)

    def silent(self) -> None:
        """Nothing has come of those who owe something; looked at a few times a day."""
        notes = self._state.notes()
        looked = notes.get("silent", 0)
        if isinstance(looked, int) and 0 <= self._now - looked < _LOOK:
            return
        self._state.set_notes({**notes, "silent": self._now})
        for row in self._desk.games():
            if row.fault or row.restored or row.stage in ("over", "out", "standin", "declined", "cancelled"):
                continue
            if any(owed.mine and not owed.automatic for owed in row.owed):
                continue  # what goes next carries what went before
            late = {owed.by: owed.automatic for owed in row.owed if self._now - owed.since > _DAY}
            unheard = self._unheard(row.name) if late else ()
            programs = [late[each.by] for each in unheard if each.by in late]
            if programs:
                self._send(unheard, waits=1 if any(programs) else _PERSON, growing=True)

    def _unheard(self, game: str) -> tuple[Unheard, ...]:
        try:
            return self._desk.unheard(game)
        except TableError:
            return ()

    def _send(self, unheard: Sequence[Unheard], *, waits: int, growing: bool) -> None:
        for name in dict.fromkeys(each.letter for each in unheard):
            people = [each for each in unheard if each.letter == name]
            letter = self._desk.outbox.addresses.of(name)
            account = self._post.account_of(letter.sender.identity) if letter is not None else None
            if letter is None or account is None or letter.sender.key != people[0].key or not account.settings.resend:
                continue
            if waits == _PERSON and account.settings.remind_others:
                continue  # he is reminded with the same file
            queue = self._post.queue(account)
            last = queue.last(name)
            keys = [again_key(letter.sender.identity, name, count) for count in range(MOST)]
            count = sum(queue.holds(key) for key in keys)
            wait = account.settings.resend * _DAY * (waits << count if growing else waits)
            if last is not None and count < MOST and self._now - last >= wait:
                self._put(account, letter, people, keys[count])

    def _put(self, account: Account, letter: Letter, people: Sequence[Unheard], key: str) -> None:
        whole = max((each.whole for each in people if each.whole is not None), key=len, default=None)
        raw = self._post.file(letter.name) if whole is None else whole
        if raw is None:
            return
        to = tuple(each.to for each in people)
        entry = self._post.made(account, replace(letter, to=to), raw, key, again=True)
        if entry.to:
            stamp = self._desk.outbox.addresses.stamp(letter.name)
            self._post.queue(account).put(replace(entry, stamp=stamp))
            who = " and ".join(each.partition(" <")[0] for each in to)
            what = f"Nothing shows that {letter.name} has come to {who}. It goes once more by itself."
            self._state.add_news([News(letter.sender.game, what)])
