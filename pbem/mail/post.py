"""From the outbox through the queue to the ways out: a mail for every file without one, offered until it is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pbem.home import Home, HomeError, seen, summary
from pbem.home.disk import read
from pbem.home.outbox import Letter
from pbem.home.seen import Gist
from pbem.home.summary import GameRow
from pbem.mail.account import Account, Fault, Round
from pbem.mail.compose import Draft, Page, addresses, body, compose, key_of, message_id, root_of, subject
from pbem.mail.connect import MailError
from pbem.mail.mailstate import MailState, News
from pbem.mail.queue import Queue, QueuedMail
from pbem.protocol.errors import PbemError
from pbem.protocol.limits import MIB

Pages = Callable[[Home, str, bool], Sequence[Page]]
"""Pages about a turn of this game for people to read, attached to the mail; drawn, or as text only."""

_HOUR: Final = 3_600
_DAY: Final = 86_400
_MOST_REFUSALS: Final = 3
_MOST_SAID: Final = 200
_MAX_FILE: Final = 64 * MIB


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
        self._queues: dict[bytes, Queue] = {}
        self._rows: dict[str, GameRow | None] = {}

    def queue(self, account: Account) -> Queue:
        identity = account.person.identity
        if identity not in self._queues:
            self._queues[identity] = self._state.queue(identity)
        return self._queues[identity]

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

    def file(self, name: str) -> bytes | None:
        return read(self._home.paths.outbox / f"{name}.pbem", _MAX_FILE)

    # Into the queue

    def enqueue(self, done: Round) -> None:
        """Oldest first, so that a game's mails leave in their order."""
        self._rows.clear()
        book = self._home.outbox.addresses
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
        """The sender's own account, else the first: the new identity of a changed key may have none of its own."""
        own = next((account for account in self._accounts if account.person.identity == identity), None)
        if own is not None or self._state.has_settings(identity):
            return own
        return self._accounts[0] if self._accounts else None

    def _take(self, account: Account, letter: Letter, stamp: int) -> None:
        raw = self.file(letter.name)
        if raw is None:
            return  # addressed, and then the machine stopped; the file comes when its game pays its dues
        queue = self.queue(account)
        key = key_of(letter.sender.identity, letter.name, raw, letter.asked)
        if key in queue.sent:
            queue.done(replace(queue.sent[key], stamp=stamp))  # addressed anew, and nothing new to mail
            return
        if not queue.holds(key):
            mail = replace(self.made(account, letter, raw, key), stamp=stamp)
            if mail.to:
                queue.put(mail)
                self._state.add_to_thread(letter.sender.key, message_id(key, account.settings.address))
            else:
                path = self._home.paths.outbox / f"{letter.name}.pbem"
                what = f"No mail address is known for anyone who should get {letter.name}. Send it yourself: {path}"
                self._state.add_news([News(letter.sender.game, what)])
                queue.done(mail)

    def made(
        self, account: Account, letter: Letter, raw: bytes, key: str, reminder: int = 0, again: bool = False
    ) -> QueuedMail:
        """The whole mail; without receivers when none of them has an address."""
        game, settings, now = letter.sender.game, account.settings, self._home.clock()
        people, lacking = addresses(letter.to)
        mail = QueuedMail(
            key=key,
            game=game,
            of=letter.sender.key,
            sender=settings.address,
            to=tuple(dict.fromkeys(each.addr_spec for each in people)),
            automatic=letter.automatic or again or reminder > 0,
            at=now,
            letter=letter.name,
            holds=letter.holds,
        )
        if not mail.to:
            return mail
        if lacking:
            what = f"No mail address is known for {', '.join(lacking)}. Give them {letter.name} some other way."
            self._state.add_news([News(game, what)])
        name = account.person.card.name
        gist = self._gist(game, brief=mail.automatic, automatic=letter.automatic)
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
            automatic=mail.automatic,
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
        return replace(mail, raw=compose(draft))

    # Out of the queue

    def send(self, account: Account, done: Round) -> None:
        """Offers every mail whose time has come to the ways out, in their order."""
        queue, settings, now = self.queue(account), account.settings, self._home.clock()
        most = settings.answers_per_hour if self._most is None else self._most
        answers = queue.answers_since(now - _HOUR)
        broken: set[str] = set()
        queue.tidy()
        for mail in queue.waiting():
            late = mail.automatic and answers >= most
            if mail.next > now or mail.given_up or late:
                continue
            if len(broken) == len(account.outs):
                break
            left = self._offer(account, mail, now, broken, done)
            if not left.to:
                queue.done(left)
                answers += mail.automatic
                done.sent.append(mail)
            elif left != mail:
                queue.put(left)
        if not account.outs and queue.waiting():
            what = "Mails are waiting, but no way out is set up. See: pbem mail setup"
            done.faults.append(Fault(settings.address, "E-MAIL-SETTINGS", what, lasting=True))

    def _offer(self, account: Account, mail: QueuedMail, now: int, broken: set[str], done: Round) -> QueuedMail:
        """The mail afterwards: without receivers when everybody has been handed it."""
        for way in account.outs:
            if way.name in broken:
                continue
            try:
                offered = way.send(mail.key, mail.sender, mail.to, mail.raw)
            except MailError as error:
                broken.add(way.name)
                done.faults.append(Fault(way.name, error.code, error.sentence, error.lasting))
                mail = replace(mail, why=error.sentence)
                if error.code == "E-MAIL-LINE" and len(account.outs) > 1:
                    # It may have been taken before the connection broke: another way could only double it.
                    return mail.failed(now, error.sentence)
                continue
            refused = [each.address for each in offered.refused]
            taken = [each for each in mail.to if each not in refused]
            left = mail.accepted(taken, self._home.clock(), offered.said[:_MOST_SAID])
            if not refused:
                return left
            why = "; ".join(f"{each.address}: {each.said}" for each in offered.refused)
            left = left.failed(now, why)
            if all(each.for_good for each in offered.refused):
                # Mailboxes get emptied and addresses mended: once a day is enough to notice.
                left = replace(left, next=now + _DAY, given_up=left.given_up or mail.tries >= _MOST_REFUSALS)
            done.faults.append(Fault(way.name, "E-MAIL-REFUSED", f"{mail.letter}: {why}."))
            if mail.tries == 0 or left.given_up:
                self._state.add_news([News(mail.game, _refusal(left, why))])
            return left
        return mail


def _refusal(mail: QueuedMail, why: str) -> str:
    again = "It will not be sent again." if mail.given_up else "It will be tried again automatically."
    what = f"The mail with {mail.letter or 'a reminder'} was refused ({why})."
    return f"{what} {again} To send a new mail: pbem send {mail.game}"


def last_letters(home: Home, identity: bytes) -> dict[bytes, Letter]:
    """The newest file of each game, by the id of its offer: it holds all that the others have not acknowledged."""
    book = home.outbox.addresses
    found: dict[bytes, Letter] = {}
    for _, name in sorted((book.stamp(name), name) for name in book.names()):
        letter = book.of(name)
        if letter is not None and letter.sender.identity == identity and letter.to:
            found[letter.sender.key] = letter
    return found


def pass_over_old(home: Home, queue: Queue, identity: bytes) -> int:
    """When mail is set up, the files of the outbox count as mailed by hand, except for the newest of each game: mailing
    that twice does no harm. How many there were."""
    book = home.outbox.addresses
    newest = {letter.name for letter in last_letters(home, identity).values()}
    letters = [letter for name in book.names() if name not in newest and (letter := book.of(name)) is not None]
    old = [(each.name, book.stamp(each.name)) for each in letters if each.sender.identity == identity]
    queue.pass_over(old, home.clock())
    return len(old)
