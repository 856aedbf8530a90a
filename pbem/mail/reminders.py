"""At intervals that the player has chosen: he is told who waits for him, and whoever he waits for gets the last file
once more. The intervals count from when the record that caused the duty came here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from pbem.mail.account import Account
from pbem.mail.compose import days, reminder_key
from pbem.mail.opening import todo
from pbem.mail.posting import Post
from pbem.mail.state import MailState, News
from pbem.table.addressed import Letter
from pbem.table.desk import Desk
from pbem.table.values import GameRow

_DAY: Final = 86_400


def remind_me(state: MailState, rows: Sequence[GameRow], every: int, now: int) -> None:
    held = state.notes().get("reminded")
    told = held if isinstance(held, dict) else {}
    fresh: dict[str, int] = {}
    news: list[News] = []
    for row in rows:
        for owed in row.owed:
            passed = _passed(now, owed.since, every)
            if not owed.mine or owed.automatic or not passed:
                continue
            mark = f"{row.name}/{owed.what}/{owed.since}"
            before = told.get(mark, 0)
            fresh[mark] = passed
            if isinstance(before, int) and passed > before:
                waited = days((now - owed.since) // _DAY)
                what = f"{row.name}: the others have waited for you for {waited}."
                news.append(News(row.name, what, todo=(todo(row.name, owed),)))
    if fresh != told:
        state.add_news(news)
        state.set_notes({**state.notes(), "reminded": fresh})


def remind_others(desk: Desk, state: MailState, account: Account, post: Post, now: int) -> None:
    every = account.settings.remind_others
    for letter in last_letters(desk, account).values() if every else ():
        game = letter.sender.game
        row = post.row(game)
        if row is None or row.stage != "playing" or row.restored or any(owed.mine for owed in row.owed):
            continue
        late = [owed for owed in row.owed if _passed(now, owed.since, every)]
        raw = post.file(letter.name)
        if not late or raw is None:
            continue
        since = min(owed.since for owed in late)
        key = reminder_key(account.person.identity, letter.sender.key, since, _passed(now, since, every))
        if post.queue(account).holds(key):
            continue
        names = sorted({owed.name for owed in late})
        waited = (now - since) // _DAY
        to = tuple(each for each in letter.to if any(each.startswith(name) for name in names)) or letter.to
        if _put(account, post, replace(letter, to=to), raw, key, waited):
            what = f"{game}: you have waited for {' and '.join(names)} for {days(waited)}. A reminder goes out."
            state.add_news([News(game, what)])


def remind(account: Account, post: Post, letter: Letter, to: Sequence[str], since: int, count: int, now: int) -> bool:
    """The reminder `count` about what is owed since then, to `Name <address>` each; False when it cannot be written.

    Asked for again, it is the same mail, and goes once.
    """
    raw = post.file(letter.name)
    if raw is None:
        return False
    who = sha256("\0".join(sorted(to)).encode()).digest()
    key = reminder_key(account.person.identity, letter.sender.key + who, since, count)
    if post.queue(account).holds(key):
        return True
    return _put(account, post, replace(letter, to=tuple(to)), raw, key, max(1, (now - since) // _DAY))


def _put(account: Account, post: Post, letter: Letter, raw: bytes, key: str, waited: int) -> bool:
    entry = post.made(account, letter, raw, key, reminder=waited)
    if entry.to:
        post.queue(account).put(replace(entry, letter=""))
    return bool(entry.to)


def last_letters(desk: Desk, account: Account) -> dict[bytes, Letter]:
    """The newest file of each game, by the id of its offer: it holds all that the others have not acknowledged."""
    book = desk.outbox.addresses
    found: dict[bytes, Letter] = {}
    for _, name in sorted((book.stamp(name), name) for name in book.names()):
        letter = book.of(name)
        if letter is not None and letter.sender.identity == account.person.identity and letter.to:
            found[letter.sender.key] = letter
    return found


def _passed(now: int, since: int, every: int) -> int:
    """How many of the intervals have passed; 0 when none is chosen or the beginning is unknown."""
    return max(0, now - since) // (every * _DAY) if every and since else 0
