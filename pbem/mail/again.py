"""Files that were lost in the mail go once more by themselves, so that no person has to notice.

A file counts as lost when a player shows no trace of the record that it was made for, and either something old of his
comes again (a reminder, a copy: `again`), or nothing comes for longer than one would wait (`silent`). Everything about
it is bounded, so that two programs never keep writing to each other: a file goes at most once in `resend` days, at most
MOST times to one player, and no later record is ever made by it. Which time it is, the keys in the queue say, so a
crash neither repeats nor forgets one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pbem.mail.compose import again_key
from pbem.mail.posting import Post
from pbem.mail.state import MailState, News
from pbem.table.addressed import Letter
from pbem.table.desk import Desk
from pbem.table.errors import TableError
from pbem.table.values import GameRow, Unheard

MOST: Final = 6
"""Times that one file goes once more to one player."""
_SILENT: Final = 3
"""Of these, without anything of his having come."""
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
        """Something of these games and calls came that was known here already."""
        for game in games:
            for each in self._unheard(game):
                self._send(game, each, waits=1, most=MOST)

    def silent(self, rows: Sequence[GameRow]) -> None:
        """Nothing has come of those who owe something; looked at a few times a day."""
        notes = self._state.notes()
        looked = notes.get("silent", 0)
        if isinstance(looked, int) and 0 <= self._now - looked < _LOOK:
            return
        self._state.set_notes({**notes, "silent": self._now})
        for row in rows:
            if row.fault or row.restored or row.stage in ("over", "declined", "cancelled"):
                continue
            if any(owed.mine and not owed.automatic for owed in row.owed):
                continue  # what goes next carries what went before
            programs = {owed.by for owed in row.owed if not owed.mine and owed.automatic}
            people = {owed.by for owed in row.owed if not owed.mine} - programs
            oldest = min((owed.since for owed in row.owed if not owed.mine), default=self._now)
            if self._now - oldest < _DAY or not (programs or people):
                continue
            for each in self._unheard(row.name):
                if each.by in programs or each.by in people:
                    self._send(row.name, each, waits=1 if each.by in programs else _PERSON, most=_SILENT)

    def _unheard(self, game: str) -> tuple[Unheard, ...]:
        try:
            return self._desk.unheard(game)
        except TableError:
            return ()

    def _send(self, game: str, lost: Unheard, *, waits: int, most: int) -> None:
        letter = self._desk.outbox.addresses.of(lost.letter)
        account = self._post.account_of(letter.sender.identity) if letter is not None else None
        if letter is None or account is None or letter.sender.key != lost.key or not account.settings.resend:
            return
        if waits == _PERSON and account.settings.remind_others:
            return  # he is reminded with the same file
        queue = self._post.queue(account)
        last = queue.last(letter.name)
        if last is None:
            return
        keys = [again_key(letter.sender.identity, letter.name, lost.by, count) for count in range(most)]
        count = sum(queue.holds(key) for key in keys)
        wait = account.settings.resend * _DAY * (waits if most == MOST else waits << count)
        raw = self._post.file(letter.name) if lost.whole is None else lost.whole
        if count == most or self._now - last < wait or raw is None:
            return
        self._put(game, letter, lost, raw, keys[count])

    def _put(self, game: str, letter: Letter, lost: Unheard, raw: bytes, key: str) -> None:
        account = self._post.account_of(letter.sender.identity)
        assert account is not None
        entry = self._post.made(account, replace(letter, to=(lost.to,)), raw, key, again=True)
        if entry.to:
            stamp = self._desk.outbox.addresses.stamp(letter.name)
            self._post.queue(account).put(replace(entry, stamp=stamp))
            who = lost.to.partition(" <")[0]
            what = f"{game}: {who} has shown no trace of {letter.name}. It goes once more by itself."
            self._state.add_news([News(game, what)])
