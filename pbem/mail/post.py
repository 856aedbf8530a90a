"""From the outbox through the queue to the ways out: a mail for every file without one, offered until it is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pbem.home import Home, HomeError, seen, summary
from pbem.home.outbox import Letter
from pbem.home.seen import Gist
from pbem.home.summary import GameRow
from pbem.mail.account import Account, Fault, Round
from pbem.mail.compose import Draft, Page, addresses, body, compose, key_of, message_id, root_of, subject
from pbem.mail.connect import MailError
from pbem.mail.mailstate import MailState, News
from pbem.protocol.errors import PbemError

Pages = Callable[[Home, str, bool], Sequence[Page]]
"""Pages about a turn of this game for people to read, attached to the mail; drawn, or as text only."""

_HOUR: Final = 3_600
_DAY: Final = 86_400
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
                done.faults.append(Fault(address, error.code, f"{letter.name}: {error.sentence}"))

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
            what = "Mails are waiting, but no way out is set up. See: pbem mail setup"
            done.faults.append(Fault(settings.address, "E-MAIL-SETTINGS", what, lasting=True))

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
                done.faults.append(Fault(way.name, error.code, error.sentence, error.lasting))
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
                after = replace(after, next=now + _DAY, given_up=after.given_up or letter.tries >= _MOST_REFUSALS)
            done.faults.append(Fault(way.name, "E-MAIL-REFUSED", f"{letter.name}: {why}."))
            if letter.tries == 0 or after.given_up:
                self._state.add_news([News(letter.game, _refusal(after, why))])
            return after
        return letter


def _refusal(letter: Letter, why: str) -> str:
    again = "It will not be sent again." if letter.given_up else "It will be tried again automatically."
    what = f"The mail with {letter.name or 'a reminder'} was refused ({why})."
    return f"{what} {again} To send a new mail: pbem send {letter.game}"
