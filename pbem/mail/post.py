"""Outgoing mail: makes a mail for every new file, retries until a server accepts it, sends lost files again; reminders.

A file counts as lost when no record of a player cites the record that it was made for, and either something old from
them comes again (a reminder, a copy: `again`), or nothing comes for longer than one would wait (`silent`). Everything
about it is bounded, so that two programs never keep writing to each other: a file goes at most once in `resend` days,
at most `MOST` times, and no record is ever made because of it. The keys in the queue say how often it went, so a crash
neither repeats nor forgets one.

Reminders are chosen by the player: they are reminded that others wait for them, and a player they wait for gets the
last file once more. The intervals count from when the record that caused the duty came here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from pbem.engine.counts import DAY, all_of, many
from pbem.home import Home, HomeError, resync, seen, summary
from pbem.home.outbox import Letter
from pbem.home.resync import Unheard
from pbem.home.seen import Gist
from pbem.home.summary import GameRow
from pbem.mail.account import Account, MailFault, Round
from pbem.mail.compose import (
    Draft,
    Page,
    addresses,
    again_key,
    body,
    compose,
    key_of,
    message_id,
    reminder_key,
    root_of,
    subject,
)
from pbem.mail.connect import MailError
from pbem.mail.incoming import todo
from pbem.mail.mailstate import MailState, News
from pbem.protocol.errors import PbemError

Pages = Callable[[Home, str, bool], Sequence[Page]]
"""Pages about a turn of this game for people to read, attached to the mail; drawn, or as text only."""

_HOUR: Final = 3_600
_MOST_REFUSALS: Final = 3
_MOST_SAID: Final = 200


class Post:
    """Sends for the accounts of one home. `most`: automatic mails an hour; None: as each account's settings say."""

    def __init__(
        self, home: Home, state: MailState, accounts: Sequence[Account], pages: Pages, most: int | None = None
    ) -> None:
        self._home = home
        self._most = most
        self._state = state
        self._accounts = accounts
        self._pages = pages
        self._rows: dict[str, GameRow | None] = {}

    def row(self, game: str) -> GameRow | None:
        """How a game stands, once for each round; None for one that is no longer here."""
        if game not in self._rows:
            try:
                self._rows[game] = summary.row(self._home, game)
            except HomeError:
                self._rows[game] = None
        return self._rows[game]

    def _gist(self, game: str, *, brief: bool, automatic: bool) -> Gist | None:
        """What the last file of a game is about; None if the game is not here or cannot be loaded."""
        row = self.row(game)
        return (
            None
            if row is None or row.fault or row.stage in ("out", "standin")
            else seen.gist(self._home, row.name, brief=brief, automatic=automatic)
        )

    # Into the queue

    def enqueue(self, done: Round) -> None:
        """Oldest first, so that a game's mails leave in their order."""
        self._rows.clear()
        for letter in self._home.outbox.waiting():
            account = self.account_of(letter.identity)
            try:
                if account is not None:
                    self._take(account, letter)
            except PbemError as error:
                address = account.settings.address if account is not None else ""
                done.faults.append(MailFault(address, error.code, f"{letter.name}: {error.sentence}"))

    def account_of(self, identity: bytes) -> Account | None:
        """The sender's own account, else the first: the new identity of a changed key may have none of its own."""
        own = next((account for account in self._accounts if account.person.identity == identity), None)
        if own is not None or self._state.has_settings(identity):
            return own
        return self._accounts[0] if self._accounts else None

    def _take(self, account: Account, letter: Letter) -> None:
        outbox = self._home.outbox
        raw = outbox.file(letter.name)
        if raw is None:
            return  # the player has deleted it
        mailed, mail = self.made(account, letter, raw, key_of(letter.identity, letter.name, raw, letter.id))
        if mailed.left:
            outbox.queue(mailed, mail)
            self._state.add_to_thread(letter.of, message_id(mailed.key, account.settings.address))
        else:
            path = outbox.path(letter.name)
            what = f"No mail address is known for anyone who should get {letter.name}. Send it yourself: {path}"
            self._state.add_news([News(letter.game, what)])
            outbox.change(replace(mailed, state="sent", sent=mailed.made))

    def made(
        self, account: Account, letter: Letter, raw: bytes, key: str, reminder: int = 0, again: bool = False
    ) -> tuple[Letter, bytes]:
        """The letter with its mail; nobody is `left` to be handed it when none of its receivers has an address."""
        game, settings, now = letter.game, account.settings, self._home.clock()
        people, lacking = addresses(letter.to)
        mailed = replace(
            letter,
            key=key,
            account=account.person.identity,
            sender=settings.address,
            left=tuple(dict.fromkeys(each.addr_spec for each in people)),
            automatic=letter.automatic or again or reminder > 0,
            made=now,
            tries=0,
            handed=(),
            returned=(),
            sent=0,
        )
        if not mailed.left:
            return mailed, b""
        if lacking:
            what = f"No mail address is known for {', '.join(lacking)}. Give them {letter.name} some other way."
            self._state.add_news([News(game, what)])
        name = account.person.card.name
        gist = self._gist(game, brief=mailed.automatic, automatic=letter.automatic)
        draft = Draft(
            key=key,
            sender_name=name,
            sender=settings.address,
            to=tuple(each for each in letter.to if each not in lacking),
            game=game,
            root=root_of(letter.of),
            references=self._state.thread(letter.of),
            file_name=f"{letter.name}.pbem",
            raw=raw,
            automatic=mailed.automatic,
            body=body(
                name,
                self.row(game),
                game,
                gist,
                automatic=letter.automatic,
                reminder_days=reminder,
                again=again,
            ),
            at=now,
            subject="" if gist is None else subject(name, gist, automatic=letter.automatic, alone=len(letter.to) == 1),
            armour=settings.armour,
            pages=tuple(self._pages(self._home, game, settings.report)) if not (letter.automatic or again) else (),
        )
        return mailed, compose(draft)

    # Out of the queue

    def send(self, account: Account, done: Round) -> None:
        """Offers every mail whose time has come to the ways out, in their order."""
        outbox, settings, now = self._home.outbox, account.settings, self._home.clock()
        identity = account.person.identity
        most = settings.answers_per_hour if self._most is None else self._most
        answers = outbox.answers_since(identity, now - _HOUR)
        broken: set[str] = set()
        queued = outbox.queued(identity)
        for letter in queued:
            late = letter.automatic and answers >= most
            if letter.next > now or letter.given_up or late:
                continue
            if len(broken) == len(account.outs):
                break
            offered = self._offer(account, letter, now, broken, done)
            if offered != letter:
                outbox.change(offered)
            if not offered.left:
                answers += letter.automatic
                done.sent.append(letter)
        if not account.outs and queued:
            what = "Mails are waiting, but no way to send mail is set up. See: pbem mail setup"
            done.faults.append(MailFault(settings.address, "E-MAIL-SETTINGS", what, lasting=True))

    def _offer(self, account: Account, letter: Letter, now: int, broken: set[str], done: Round) -> Letter:
        """The letter afterwards: nobody is `left` when everybody has been handed it."""
        mail = self._home.outbox.mail(letter)
        for way in account.outs:
            if way.name in broken:
                continue
            try:
                offered = way.send(letter.key, letter.sender, letter.left, mail)
            except MailError as error:
                broken.add(way.name)
                done.faults.append(MailFault(way.name, error.code, error.sentence, error.lasting))
                letter = replace(letter, why=error.sentence)
                if error.code == "E-MAIL-LINE" and len(account.outs) > 1:
                    # It may have been taken before the connection broke: another way could only double it.
                    return letter.failed(now, error.sentence)
                continue
            refused = [each.address for each in offered.refused]
            taken = [each for each in letter.left if each not in refused]
            after = letter.accepted(taken, self._home.clock(), offered.said[:_MOST_SAID])
            if not refused:
                return after
            why = "; ".join(f"{each.address}: {each.said}" for each in offered.refused)
            after = after.failed(now, why)
            if all(each.for_good for each in offered.refused):
                # Mailboxes get emptied and addresses mended: once a day is enough to notice.
                after = replace(after, next=now + DAY, given_up=after.given_up or letter.tries >= _MOST_REFUSALS)
            done.faults.append(MailFault(way.name, "E-MAIL-REFUSED", f"{letter.name}: {why}."))
            if letter.tries == 0 or after.given_up:
                self._state.add_news([News(letter.game, _refusal(after, why))])
            return after
        return letter


def _refusal(letter: Letter, why: str) -> str:
    again = "It will not be sent again." if letter.given_up else "It will be tried again automatically."
    what = f"The mail with {letter.name or 'a reminder'} was refused ({why})."
    return f"{what} {again} To send a new mail: pbem send {letter.game}"


# Once more


MOST: Final = 6
"""How often one file goes once more."""
_PERSON: Final = 7
"""How many times longer a person is waited for than a program."""
_LOOK: Final = 6 * 3600
"""Seconds between two looks at all games."""


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
            late = {owed.by: owed.automatic for owed in row.owed if self._now - owed.since > DAY}
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
            wait = account.settings.resend * DAY * (waits << count if growing else waits)
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
            who = all_of(each.partition(" <")[0] for each in to)
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
                waited = many((now - owed.since) // DAY, "day")
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
        waited = (now - since) // DAY
        to = tuple(each for each in letter.to if any(each.startswith(name) for name in names)) or letter.to
        if _put(home, account, post, replace(letter, to=to), raw, key, waited):
            what = (
                f"{game}: you have been waiting for {all_of(names)} for {many(waited, 'day')}. A reminder will be sent."
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
    waited = max(1, (home.clock() - since) // DAY)
    return _put(home, account, post, replace(letter, to=tuple(to)), raw, key, waited)


def _put(home: Home, account: Account, post: Post, letter: Letter, raw: bytes, key: str, waited: int) -> bool:
    mailed, mail = post.made(account, letter, raw, key, reminder=waited)
    if mailed.left:
        home.outbox.add(replace(mailed, name=""), mail)
    return bool(mailed.left)


def _passed(now: int, since: int, every: int) -> int:
    """How many of the intervals have passed; 0 when none is chosen or the beginning is unknown."""
    return max(0, now - since) // (every * DAY) if every and since else 0
