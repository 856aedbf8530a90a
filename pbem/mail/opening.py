"""One mail that came: looked through for files of pbem, opened at the desk, and put into words.

Nobody is answered here. What a mail makes due, the desk puts into the outbox, addressed to players of the game it
belongs to; whoever the mail says it is from, a stranger, a bounce or oneself, hears nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Any, Final

from pbem.engine.registry import fault
from pbem.mail.arrived import Head, diagnosis, head_of, is_failure, returned_key, undelivered
from pbem.mail.queue import Queue
from pbem.mail.state import MailState, News
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board, offer_of
from pbem.table import letter
from pbem.table.desk import Desk
from pbem.table.parcel import Parcel, unwrap
from pbem.table.tableerror import TableError
from pbem.table.values import Opened, Owed

MAX_STRANGERS: Final = 20
"""Cards and offers of people who are not known here, and proofs of forks, that mails may bring in a day; more are
opened by hand."""
MAX_OFFERS: Final = 100
"""The same for offers of people who are known."""
MAX_QUESTIONS: Final = 200
MAX_SAME_QUESTION: Final = 5
"""Questions for what somebody lacks that get an answer in a day: in all, and in one player's name for one game. Nobody
signs them."""
_MOST_REFUSED: Final = 3
"""Refused files of one mail that are told one by one."""
_MOST_BEGUN: Final = 2
"""Times that the opening of a mail is begun before it is set aside."""
_SMALL: Final = 64 << 10
"""A smaller mail costs nothing before one of its files is opened."""
_DAY: Final = 86_400
_DAMAGED: Final = frozenset({"E-FILE", "E-CUT"})
_SUFFIX: Final = re.compile(r"-((asks|for)-)?[^-]+\Z")
"""Of a file of the outbox, behind the name of its game."""
_NOT_TAKEN: Final = frozenset({"E-LOCKED", "E-NO-WRITE", "E-DISK"})


class TooLongError(Exception):
    """The opening of a mail has taken as long as others may have to wait for it. Nothing of it was lost."""


class BegunTwiceError(Exception):
    """The opening of this mail was begun twice, and pbem did not survive it."""


class Opener:
    """Opens the mails of one round."""

    def __init__(self, desk: Desk, state: MailState, now: int) -> None:
        self._desk = desk
        self._state = state
        self._now = now
        self.known: set[str] = set()
        """Games of which something came that was here already."""

    def open(self, raw: bytes, queue: Queue, mark: str, *, seconds: float = inf) -> list[News]:
        """What it was, for the person; nothing when it has nothing to do with pbem, or nothing new.

        What a stop kept from being told is told when the mail is looked at again.

        Raises TableError when this home cannot take anything in now, and TooLongError after so many seconds: then the
        mail is looked at again; BegunTwiceError when it should not be.
        """
        self._until = monotonic() + seconds
        try:
            news = self._open(raw, queue, mark)
        except (TableError, TooLongError, OSError, KeyboardInterrupt):
            self._state.stopped(mark)
            raise
        self._state.finish(mark)
        return news

    def _begin(self, mark: str) -> bool:
        """Whether pbem was stopped while it opened this mail."""
        times = self._state.begin(mark)
        if times > _MOST_BEGUN:
            raise BegunTwiceError
        return times > 1

    def _beat(self) -> None:
        if monotonic() > self._until:
            raise TooLongError

    def _open(self, raw: bytes, queue: Queue, mark: str) -> list[News]:
        head = head_of(raw)
        if head.returned:
            news = _returned(raw, queue, self._now)
            if news:
                return news
        stopped = len(raw) > _SMALL and self._begin(mark)
        try:
            blocks = letter.blocks(raw)
        except PbemError as error:
            if error.code not in ("E-NOTHING", "E-MAIL", "E-LARGE"):
                return [_refused("", error, (_where(head),))]
            return self._without_file(raw, head)
        except Exception as error:  # noqa: BLE001 - as below
            return [_fault(error)]
        news, refused = [], 0
        if len(raw) <= _SMALL:
            stopped = self._begin(mark)
        opened = [self._block(block, head, stopped=stopped) for block in blocks]
        whole = any(not each.code for found in opened for each in found) or not all(opened)
        for found in opened:
            for each in found:
                if whole and each.code in _DAMAGED and not each.game:
                    continue  # the same file stands in the mail once more, whole
                refused += bool(each.code) and not each.game
                if refused <= _MOST_REFUSED or each.game:
                    news.append(each)
        if refused > _MOST_REFUSED:
            news.append(News("", f"{refused - _MOST_REFUSED} more files in this mail were refused."))
        return news

    def _without_file(self, raw: bytes, head: Head) -> list[News]:
        """A mail that should hold a file is told of; all others have nothing to do with pbem."""
        if not head.should_hold_a_file(raw) or not self._room_for(1, "empty", MAX_STRANGERS):
            return []
        what = f"No file of pbem can be read in {head.called}: it was lost or altered on the way."
        again = "Its sender's program sends it once more by itself, if it has not come otherwise; or ask for it again."
        return [News("", what, notes=(again,))]

    def _block(self, block: bytes, head: Head, *, stopped: bool) -> list[News]:
        people = self._desk.people
        try:
            parcel = unwrap(block, self._beat)
            known = {
                card.id for card in parcel.cards if (held := people.known(card.identity)) and held.card.id == card.id
            }
            for what, kind, most in self._asked_by_nobody(parcel):
                if not self._room_for(len(what), kind, most):
                    first = f"{what[0]} Too many {kind} wrote today"
                    return [News("", f"{first}: save the mail and open it with: pbem open FILE")]
            cards, questions = len(parcel.cards), not head.automatic and self._may_ask(parcel)
            del parcel  # the desk makes its own, and one may be large
            found = self._desk.open(block, questions=questions, beat=self._beat)
        except PbemError as error:
            if error.code in _NOT_TAKEN:
                raise
            return [_refused("", error, (_where(head),))]
        except (OSError, TooLongError):
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours at one file must not keep all later mail away
            return [_fault(error)]
        news = []
        for opened in found:
            if opened.game is not None:
                self._state.add_to_thread(self._desk.key(opened.game), head.message_id)
                if not (opened.new or opened.posted or opened.refused):
                    self.known.add(opened.game)
            if opened.kind == "card" and len(known) == cards:
                continue
            if told := told_of(opened, stopped=stopped):
                news.append(replace(told, notes=(*told.notes, _where(head))) if told.code and not told.game else told)
        return news

    def _asked_by_nobody(self, parcel: Parcel) -> list[tuple[list[str], str, int]]:
        """What would add somebody or something that nobody here has asked for, said one by one."""
        people = self._desk.people
        strange = ["A card of somebody unknown came." for card in parcel.cards if people.known(card.identity) is None]
        strange += ["A proof of a fork came." for proof in parcel.proofs if not self._desk.keeps(proof.raw)]
        offers, awaited = [], set[Board | None]()
        for record in parcel.records:
            if record.kind == "offer" and not self._desk.holds(record.id):
                offer = offer_of(record)
                place = offer.tournament
                if place not in awaited and self._desk.awaits(offer):
                    awaited.add(place)
                elif people.known(offer.join.identity) is None:
                    strange.append("An offer of somebody unknown came.")
                else:
                    offers.append(f"An offer of {offer.join.card.name} came.")
        return [each for each in ((strange, "strangers", MAX_STRANGERS), (offers, "offerers", MAX_OFFERS)) if each[0]]

    def _may_ask(self, parcel: Parcel) -> bool:
        asked = Counter(f"{hello.game.hex()[:16]}/{hello.by}" for hello in parcel.hellos if hello.want)
        if not asked:
            return True
        notes = self._today()
        held = Counter(notes["asked"])
        held.update(asked)
        if held.total() > MAX_QUESTIONS or any(held[key] > MAX_SAME_QUESTION for key in asked):
            return False
        self._state.set_notes({**notes, "asked": dict(held)})
        return True

    def _today(self) -> dict[str, Any]:
        """What is remembered, with the counts of this day."""
        notes, today = self._state.notes(), self._now // _DAY
        if notes.get("day") != today or not isinstance(notes.get("asked"), dict):
            notes = {**notes, "asked": {}, "day": today, "empty": 0, "offerers": 0, "strangers": 0}
        return notes

    def _room_for(self, count: int, kind: str, most: int) -> bool:
        notes = self._today()
        before = notes.get(kind, 0)
        if before + count > most:
            return False
        self._state.set_notes({**notes, kind: before + count})
        return True


def told_of(opened: Opened, *, stopped: bool = False) -> News | None:
    """In words; nothing for a file that brought nothing new, unless pbem was `stopped` before it could tell."""
    if opened.refused is not None:
        return _refused(opened.game or "", opened.refused, opened.notes)
    silent = not (opened.new or opened.happened or opened.notes or opened.posted)
    if silent and opened.game is not None and opened.kind != "hello" and not stopped:
        return None
    seen = " pbem was stopped while it opened this" if stopped and opened.game is not None and not opened.new else ""
    return News(
        opened.game or "",
        f"{opened.what}{seen}{f'; what happened: pbem log {opened.game}' if seen else ''}",
        lines=opened.happened,
        notes=opened.notes,
        todo=tuple(todo(opened.game or "", each) for each in opened.owed if each.mine and not each.automatic),
    )


def todo(game: str, owed: Owed) -> str:
    """`You have to order for Blue (advance): pbem play bridgehead-7f3a`."""
    command = {"orders": f"pbem play {game}", "join": f"pbem join {game}, or: pbem decline {game}"}.get(owed.what)
    return f"You {owed.text}{f': {command}' if command else f'. See: pbem status {game}'}"


def _refused(game: str, error: PbemError, notes: tuple[str, ...] = ()) -> News:
    step = getattr(error, "step", "")
    return News(game, error.sentence + (f" [{step}]" if step else ""), notes=notes, code=error.code)


def _where(head: Head) -> str:
    return f"It was in {head.called}."


def _fault(error: Exception) -> News:
    what = f"A mail meets {fault(error)[0]}, and was passed over."
    return News("", f"{what} Save the mail, and see: pbem open FILE", code=PbemError.code)


def _returned(raw: bytes, queue: Queue, now: int) -> list[News]:
    """A mail of ours that came back. The report may be forged: it is shown, and the mail no longer counts as delivered.
    So a forger gains that an umpire looks at it, and nothing else."""
    key = returned_key(raw)
    sent = queue.sent.get(key)
    if sent is None:
        return []
    said = diagnosis(raw)
    if is_failure(raw):
        handed = {each.to.casefold(): each.to for each in sent.handed}
        named = [handed[each.casefold()] for each in undelivered(raw) if each.casefold() in handed]
        queue.came_back(key, now, said, named)
    game = _SUFFIX.sub("", sent.letter)
    again = f"It carried {sent.letter}. When the address works again, mail it once more: pbem send {game}"
    return [
        News(
            "",
            f"A mail of yours came back{f': {said}' if said else ''}.",
            notes=(again if sent.letter else "It was a reminder.",),
        )
    ]
