"""Files that go once more: those that seem to be lost, and reminders.

A file counts as lost when a player shows no trace of the record that it was made for, and either something old from
them comes again (a reminder, a copy: `again`), or nothing comes for longer than one would wait (`silent`). Everything
about it is bounded, so that two programs never keep writing to each other: a file goes at most once in `resend` days,
at most MOST times, and no record is ever made because of it. The keys in the queue say how often it went, so a crash
neither repeats nor forgets one.

Reminders are chosen by the player: they are reminded that others wait for them, and a player they wait for gets the
last file once more. The intervals count from when the record that caused the duty came here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from pbem.home import Home, HomeError, resync, summary
from pbem.home.outbox import Letter
from pbem.home.resync import Unheard
from pbem.home.summary import GameRow
from pbem.mail.account import Account
from pbem.mail.compose import again_key, days, reminder_key
from pbem.mail.incoming import todo
from pbem.mail.mailstate import MailState, News
from pbem.mail.post import Post

MOST: Final = 6
"""How often one file goes once more."""
_PERSON: Final = 7
"""How many times longer a person is waited for than a program."""
_LOOK: Final = 6 * 3600
"""Seconds between two looks at all games."""
_DAY: Final = 86_400


class Again:
    """Lost files, in one round of mail."""

    def __init__(self, home: Home, state: MailState, post: Post, now: int) -> None:
        self._home = home
        self._state = state
        self._post = post
        self._now = now

    def again(self, games: Iterable[str]) -> None:
        """Something came for these games that was known here already."""
        for game in games:
            self._send(self._unheard(game), waits=1, growing=False)

    def silent(self) -> None:
        """Nothing has come from players who owe something. Looked at a few times a day."""
        notes = self._state.notes()
        looked = notes.get("silent", 0)
        if isinstance(looked, int) and 0 <= self._now - looked < _LOOK:
            return
        self._state.set_notes({**notes, "silent": self._now})
        for row in summary.rows(self._home):
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
            return resync.unheard(self._home, game)
        except HomeError:
            return ()

    def _send(self, unheard: Sequence[Unheard], *, waits: int, growing: bool) -> None:
        outbox = self._home.outbox
        for name in dict.fromkeys(each.letter for each in unheard):
            people = [each for each in unheard if each.letter == name]
            letter = outbox.of(name)
            account = self._post.account_of(letter.identity) if letter is not None else None
            if letter is None or account is None or letter.of != people[0].key or not account.settings.resend:
                continue
            if waits == _PERSON and account.settings.remind_others:
                continue  # they are reminded with the same file
            last = outbox.last(name)
            keys = [again_key(letter.identity, name, count) for count in range(MOST)]
            count = sum(outbox.by_key(key) is not None for key in keys)
            wait = account.settings.resend * _DAY * (waits << count if growing else waits)
            if last is not None and count < MOST and self._now - last >= wait:
                self._put(account, letter, people, keys[count])

    def _put(self, account: Account, letter: Letter, people: Sequence[Unheard], key: str) -> None:
        whole = max((each.whole for each in people if each.whole is not None), key=len, default=None)
        raw = self._home.outbox.file(letter.name) if whole is None else whole
        if raw is None:
            return
        to = tuple(each.to for each in people)
        mailed, mail = self._post.made(account, replace(letter, to=to), raw, key, again=True)
        if mailed.left:
            self._home.outbox.add(mailed, mail)
            who = " and ".join(each.partition(" <")[0] for each in to)
            what = f"Nothing shows that {letter.name} reached {who}. It will be sent again automatically."
            self._state.add_news([News(letter.game, what)])


def remind_me(state: MailState, rows: Sequence[GameRow], every: int, now: int) -> None:
    held = state.notes().get("reminded")
    reminded = held if isinstance(held, dict) else {}
    fresh: dict[str, int] = {}
    news: list[News] = []
    for row in rows:
        for owed in row.owed:
            passed = _passed(now, owed.since, every)
            if not owed.mine or owed.automatic or not passed:
                continue
            mark = f"{row.name}/{owed.what}/{owed.since}"
            before = reminded.get(mark, 0)
            fresh[mark] = passed
            if isinstance(before, int) and passed > before:
                waited = days((now - owed.since) // _DAY)
                what = f"{row.name}: the others have been waiting for you for {waited}."
                news.append(News(row.name, what, todo=(todo(row.name, owed),)))
    if fresh != reminded:
        state.add_news(news)
        state.set_notes({**state.notes(), "reminded": fresh})


def remind_others(home: Home, state: MailState, account: Account, post: Post, now: int) -> None:
    every = account.settings.remind_others
    for letter in home.outbox.newest(account.person.identity).values() if every else ():
        game = letter.game
        row = post.row(game)
        if row is None or row.stage != "playing" or row.restored or any(owed.mine for owed in row.owed):
            continue
        late = [owed for owed in row.owed if _passed(now, owed.since, every)]
        raw = home.outbox.file(letter.name)
        if not late or raw is None:
            continue
        since = min(owed.since for owed in late)
        key = reminder_key(account.person.identity, letter.of, since, _passed(now, since, every))
        if home.outbox.by_key(key) is not None:
            continue
        names = sorted({owed.name for owed in late})
        waited = (now - since) // _DAY
        to = tuple(each for each in letter.to if any(each.startswith(name) for name in names)) or letter.to
        if _put(home, account, post, replace(letter, to=to), raw, key, waited):
            what = (
                f"{game}: you have been waiting for {' and '.join(names)} for {days(waited)}. A reminder will be sent."
            )
            state.add_news([News(game, what)])


def remind(home: Home, account: Account, post: Post, letter: Letter, to: Sequence[str], since: int, count: int) -> bool:
    """Queues the reminder `count` about a debt since then, to `Name <address>` each; False when it cannot be written.

    Asked for again, it is the same mail, and goes once.
    """
    raw = home.outbox.file(letter.name)
    if raw is None:
        return False
    who = sha256("\0".join(sorted(to)).encode()).digest()
    key = reminder_key(account.person.identity, letter.of + who, since, count)
    if home.outbox.by_key(key) is not None:
        return True
    waited = max(1, (home.clock() - since) // _DAY)
    return _put(home, account, post, replace(letter, to=tuple(to)), raw, key, waited)


def _put(home: Home, account: Account, post: Post, letter: Letter, raw: bytes, key: str, waited: int) -> bool:
    mailed, mail = post.made(account, letter, raw, key, reminder=waited)
    if mailed.left:
        home.outbox.add(replace(mailed, name=""), mail)
    return bool(mailed.left)


def _passed(now: int, since: int, every: int) -> int:
    """How many of the intervals have passed; 0 when none is chosen or the beginning is unknown."""
    return max(0, now - since) // (every * _DAY) if every and since else 0
