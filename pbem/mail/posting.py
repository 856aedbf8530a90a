"""From the outbox to the ways out: a mail for every file that has none yet, offered until somebody takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pbem.mail.account import Account, Fault, Round
from pbem.mail.compose import Draft, Page, addresses, body, compose, key_of, message_id, root_of, subject
from pbem.mail.mailerror import MailError
from pbem.mail.queue import Entry, Queue
from pbem.mail.state import MailState, News
from pbem.protocol.errors import PbemError
from pbem.protocol.limits import MIB
from pbem.table.addressed import Letter
from pbem.table.desk import Desk
from pbem.table.disk import read
from pbem.table.tableerror import TableError
from pbem.table.values import GameRow, Gist

Pages = Callable[[Desk, str, bool], Sequence[Page]]
"""What is attached to a turn of this game for people to read; whether it may be drawn, or is text."""

_HOUR: Final = 3_600
_DAY: Final = 86_400
_MOST_REFUSALS: Final = 3
_MOST_SAID: Final = 200
_MAX_FILE: Final = 64 * MIB


class Post:
    """Sends for the accounts of one home. `most`: automatic mails an hour; None: as each account's settings say."""

    def __init__(
        self, desk: Desk, state: MailState, accounts: Sequence[Account], pages: Pages, most: int | None = None
    ) -> None:
        self._desk = desk
        self._most = most
        self._state = state
        self._accounts = accounts
        self._pages = pages
        self._queues: dict[bytes, Queue] = {}
        self._rows: dict[str, GameRow | None] = {}

    def queue(self, account: Account) -> Queue:
        identity = account.person.identity
        if identity not in self._queues:
            self._queues[identity] = self._state.queue(identity)
        return self._queues[identity]

    def row(self, game: str) -> GameRow | None:
        """How a game stands, as far as this round is concerned; None for one that is here no more."""
        if game not in self._rows:
            try:
                self._rows[game] = self._desk.row(game)
            except TableError:
                self._rows[game] = None
        return self._rows[game]

    def _gist(self, game: str, *, brief: bool, automatic: bool) -> Gist | None:
        """What the last file of a game is about; None if the game is not here or cannot be loaded."""
        row = self.row(game)
        return (
            None
            if row is None or row.fault or row.stage in ("out", "standin")
            else self._desk.gist(row.name, brief=brief, automatic=automatic)
        )

    def file(self, name: str) -> bytes | None:
        return read(self._desk.home.outbox / f"{name}.pbem", _MAX_FILE)

    # Into the queue

    def enqueue(self, done: Round) -> None:
        """Oldest first, so that a game's mails leave in their order."""
        self._rows.clear()
        book = self._desk.outbox.addresses
        stamped = [(book.stamp(name), name) for name in book.names()]
        queues = [self.queue(account) for account in self._accounts]
        for stamp, name in sorted(stamped):
            if any(queue.dealt_with(name, stamp) for queue in queues):
                continue
            letter = book.of(name)
            account = self.account_of(letter.sender.identity) if letter is not None else None
            if letter is None or account is None:
                continue
            try:
                self._take(account, letter, stamp)
            except PbemError as error:
                done.faults.append(Fault(account.settings.address, error.code, f"{name}: {error.sentence}"))

    def account_of(self, identity: bytes) -> Account | None:
        """The sender's own account, else the first: a key that was changed in a game has perhaps none of its own."""
        own = next((account for account in self._accounts if account.person.identity == identity), None)
        if own is not None or self._state.has_settings(identity):
            return own
        return self._accounts[0] if self._accounts else None

    def _take(self, account: Account, letter: Letter, stamp: int) -> None:
        raw = self.file(letter.name)
        if raw is None:
            return  # addressed, and then the machine stopped; the file comes when its game is settled
        queue, now = self.queue(account), self._desk.clock()
        key = key_of(letter.sender.identity, letter.name, raw, letter.asked)
        if key in queue.sent:
            queue.done([queue.passed_over(letter.name, stamp, now, key)], now)
            return
        if not queue.holds(key):
            entry = replace(self.made(account, letter, raw, key), stamp=stamp)
            if entry.to:
                queue.put(entry)
                self._state.add_to_thread(letter.sender.key, message_id(key, account.settings.address))
            else:
                path = self._desk.home.outbox / f"{letter.name}.pbem"
                what = f"{letter.name} is for nobody whose mail address is known here. Mail it yourself: {path}"
                self._state.add_news([News(letter.sender.game, what)])
                queue.done([entry], now)

    def made(
        self, account: Account, letter: Letter, raw: bytes, key: str, reminder: int = 0, again: bool = False
    ) -> Entry:
        """The mail, whole; without receivers when none of them has an address."""
        game, settings, now = letter.sender.game, account.settings, self._desk.clock()
        people, lacking = addresses(letter.to)
        entry = Entry(
            key=key,
            game=game,
            sender=settings.address,
            to=tuple(dict.fromkeys(each.addr_spec for each in people)),
            raw=b"",
            automatic=letter.automatic or again or reminder > 0,
            at=now,
            letter=letter.name,
            of=letter.sender.key,
            holds=letter.holds,
        )
        if not entry.to:
            return entry
        if lacking:
            what = f"No mail address is known of {', '.join(lacking)}: hand on {letter.name}."
            self._state.add_news([News(game, what)])
        name = account.person.card.name
        gist = self._gist(game, brief=entry.automatic, automatic=letter.automatic)
        draft = Draft(
            key=key,
            sender_name=name,
            sender=settings.address,
            to=tuple(each for each in letter.to if each not in lacking),
            game=game,
            root=root_of(letter.sender.key),
            references=self._state.thread(letter.sender.key),
            file_name=f"{letter.name}.pbem",
            raw=raw,
            automatic=entry.automatic,
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
            pages=tuple(self._pages(self._desk, game, settings.report)) if not (letter.automatic or again) else (),
        )
        return replace(entry, raw=compose(draft))

    # Out of the queue

    def send(self, account: Account, done: Round) -> None:
        """Offers every mail whose time has come to the ways out, in their order."""
        queue, settings, now = self.queue(account), account.settings, self._desk.clock()
        most = settings.answers_per_hour if self._most is None else self._most
        answers = queue.answers_since(now - _HOUR)
        broken: set[str] = set()
        for entry in queue.waiting():
            late = entry.automatic and answers >= most
            if entry.next > now or entry.given_up or late:
                continue
            if len(broken) == len(account.outs):
                break
            left = self._offer(account, entry, now, broken, done)
            if not left.to:
                queue.done([left], self._desk.clock())
                answers += entry.automatic
                done.sent.append(entry)
            elif left != entry:
                queue.put(left)
        if not account.outs and queue.waiting():
            what = "Mails wait, and no way out is set up. See: pbem mail setup"
            done.faults.append(Fault(settings.address, "E-MAIL-SETTINGS", what, lasting=True))

    def _offer(self, account: Account, entry: Entry, now: int, broken: set[str], done: Round) -> Entry:
        """What is left of the mail: without receivers when everybody has been handed it."""
        for way in account.outs:
            if way.name in broken:
                continue
            try:
                offered = way.send(entry.key, entry.sender, entry.to, entry.raw)
            except MailError as error:
                broken.add(way.name)
                done.faults.append(Fault(way.name, error.code, error.sentence, error.lasting))
                entry = replace(entry, why=error.sentence)
                if error.code == "E-MAIL-LINE" and len(account.outs) > 1:
                    # It may have been taken before the line was cut: another way could only double it.
                    return entry.failed(now, error.sentence)
                continue
            refused = [each.address for each in offered.refused]
            taken = [each for each in entry.to if each not in refused]
            left = entry.accepted(taken, self._desk.clock(), offered.said[:_MOST_SAID])
            if not refused:
                return left
            why = "; ".join(f"{each.address}: {each.said}" for each in offered.refused)
            left = left.failed(now, why)
            if all(each.for_good for each in offered.refused):
                # A full mailbox is emptied, an address mended: once a day is enough to notice.
                left = replace(left, next=now + _DAY, given_up=left.given_up or entry.tries >= _MOST_REFUSALS)
            done.faults.append(Fault(way.name, "E-MAIL-REFUSED", f"{entry.letter}: {why}."))
            if entry.tries == 0 or left.given_up:
                self._state.add_news([News(entry.game, _refusal(left, why))])
            return left
        return entry


def _refusal(entry: Entry, why: str) -> str:
    again = "It is not tried again." if entry.given_up else "It is tried again by itself."
    what = f"The mail with {entry.letter or 'a reminder'} was refused ({why})."
    return f"{what} {again} To mail it anew: pbem send {entry.game}"
