"""One mail that came: its head, the files of pbem in it, what they did in the home, and the words for that.

Nobody is answered here. Whatever a mail obliges us to answer, the home puts into the outbox, addressed to players of
the game that it belongs to. The stated sender never gets a reply, be it a stranger, a bounce or ourselves. What a head
says is never believed: it decides only how much is reported about a mail and whether an unsigned question in it is
answered. What a mail does to a game depends on the signatures in its file.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.policy import compat32
from math import inf
from time import monotonic
from typing import Any, Final

from pbem.engine.counts import DAY
from pbem.engine.registry import fault
from pbem.home import Home, HomeError, intake, offers, unpacking
from pbem.home.intake import Opened
from pbem.home.outbox import Outbox
from pbem.home.summary import Owed
from pbem.home.unpacking import Parcel, unwrap
from pbem.mail.mailstate import MailState, News
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board, offer_of

MAX_STRANGERS: Final = 20
"""Cards and offers from people who are not in the contacts, and proofs of forks, that mails may bring in a day; more
are opened by hand."""
MAX_OFFERS: Final = 100
"""The same for offers from people who are in the contacts."""
MAX_QUESTIONS: Final = 200
MAX_SAME_QUESTION: Final = 5
"""Requests for missing records that are answered in a day: in all, and in one player's name for one game. Nobody signs
them."""
_MOST_REFUSED: Final = 3
"""Refused files of one mail that are reported one by one."""
_MOST_BEGUN: Final = 2
"""How often the opening of a mail is begun before it is set aside."""
_SMALL: Final = 64 << 10
"""A smaller mail costs next to nothing until one of its files is opened."""
_DAMAGED: Final = frozenset({"E-FILE", "E-CUT"})
_SUFFIX: Final = re.compile(r"-((asks|for)-)?[^-]+\Z")
"""What a file of the outbox adds to the name of its game."""
_NOT_TAKEN: Final = frozenset({"E-LOCKED", "E-NO-WRITE", "E-DISK"})
_MAX_HEAD: Final = 64 << 10
_MOST_LOOKED: Final = 256 << 10
_MOST_SHOWN: Final = 120
_ID: Final = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,200}@[\x21-\x3b\x3d\x3f-\x7e]{1,200}>")
_OURS: Final = re.compile(rb"<pbem\.([0-9a-f]{32})@")
_MACHINES: Final = re.compile(r"(mailer-daemon|postmaster|mail-daemon|mdaemon)@?", re.IGNORECASE)
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS: Final = re.compile(rb"^Status: *([245]\.\d{1,3}\.\d{1,3})", re.MULTILINE | re.IGNORECASE)
_ACTION: Final = re.compile(rb"^Action: *(delayed|delivered|relayed|expanded)", re.MULTILINE | re.IGNORECASE)
_RECEIVER: Final = re.compile(rb"^(?:Final|Original)-Recipient: *[^;\r\n]*; *<?([^>\s]{1,200})", re.MULTILINE | re.I)
_DIAGNOSIS: Final = re.compile(rb"^Diagnostic-Code: *(?:smtp; *)?([^\r\n]{1,160})", re.MULTILINE | re.IGNORECASE)


class TooLongError(Exception):
    """The opening of a mail took longer than the others may be kept waiting. Nothing was lost."""


class BegunTwiceError(Exception):
    """The opening of this mail was begun twice, and pbem was ended each time."""


class Opener:
    """Opens the mails of one round."""

    def __init__(self, home: Home, state: MailState, now: int) -> None:
        self._home = home
        self._state = state
        self._now = now
        self.known: set[str] = set()
        """Games for which something came that was here already."""

    def open(self, raw: bytes, mark: str, *, seconds: float = inf) -> list[News]:
        """The news for the person; none when the mail has nothing to do with pbem, or holds nothing new.

        News that a stop held up is reported when the mail is looked at again.

        Raises HomeError when this home cannot take anything in now, and TooLongError after so many seconds: then the
        mail is looked at again; BegunTwiceError when it should not be.
        """
        self._until = monotonic() + seconds
        try:
            news = self._open(raw, mark)
        except (HomeError, TooLongError, OSError, KeyboardInterrupt):
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

    def _open(self, raw: bytes, mark: str) -> list[News]:
        head = head_of(raw)
        if head.returned:
            news = _returned(raw, self._home.outbox, self._now)
            if news:
                return news
        stopped = len(raw) > _SMALL and self._begin(mark)
        try:
            blocks = unpacking.blocks(raw)
        except PbemError as error:
            if error.code not in ("E-NOTHING", "E-MAIL", "E-LARGE"):
                return [_refused(None, error, (_where(head),))]
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
            news.append(News(None, f"{refused - _MOST_REFUSED} more files in this mail were refused."))
        return news

    def _without_file(self, raw: bytes, head: Head) -> list[News]:
        """A mail that should hold a file is reported; all others have nothing to do with pbem."""
        if not head.should_hold_a_file(raw) or not self._room_for(1, "empty", MAX_STRANGERS):
            return []
        what = f"No pbem file could be read in {head.called}: it was lost or altered on the way."
        again = "The sender's program will send it again automatically, unless it arrives otherwise; or ask them to."
        return [News(None, what, notes=(again,))]

    def _block(self, block: bytes, head: Head, *, stopped: bool) -> list[News]:
        people = self._home.people
        try:
            parcel = unwrap(block, self._beat)
            known = {
                card.id for card in parcel.cards if (held := people.known(card.identity)) and held.card.id == card.id
            }
            for what, kind, most in self._asked_by_nobody(parcel):
                if not self._room_for(len(what), kind, most):
                    first = f"{what[0]} Too many came today, so it was not opened"
                    return [News(None, f"{first}. Save the mail and open it with: pbem open FILE")]
            questions = not head.automatic and self._may_ask(parcel)
            found = intake.open_parcel(self._home, parcel, questions=questions, beat=self._beat)
        except PbemError as error:
            if error.code in _NOT_TAKEN:
                raise
            return [_refused(None, error, (_where(head),))]
        except (OSError, TooLongError):
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours at one file must not keep all later mail away
            return [_fault(error)]
        news = []
        for opened in found:
            if opened.game is not None:
                self._state.add_to_thread(self._home.key(opened.game), head.message_id)
                if not (opened.new or opened.posted or opened.refused):
                    self.known.add(opened.game)
            if opened.kind == "card" and len(known) == len(parcel.cards):
                continue
            if said := news_of(opened, stopped=stopped):
                where = (_where(head),) if said.code and not said.game else ()
                news.append(said._replace(notes=(*said.notes, *where)))
        return news

    def _asked_by_nobody(self, parcel: Parcel) -> list[tuple[list[str], str, int]]:
        """Whatever would add somebody or something that nobody here has asked for, with a sentence each."""
        people = self._home.people
        stranger = "arrived from someone who is not in your contacts."
        strange = [f"A card {stranger}" for card in parcel.cards if people.known(card.identity) is None]
        strange += ["A proof of a fork arrived." for proof in parcel.proofs if not intake.keeps(self._home, proof.raw)]
        known, awaited = list[str](), set[Board | None]()
        for record in parcel.records:
            if record.kind == "offer" and not self._home.holds(record.id):
                offer = offer_of(record)
                place = offer.tournament
                if place not in awaited and offers.awaits(self._home, offer):
                    awaited.add(place)
                elif people.known(offer.join.identity) is None:
                    strange.append(f"An offer {stranger}")
                else:
                    known.append(f"An offer from {offer.join.card.name} arrived.")
        return [each for each in ((strange, "strangers", MAX_STRANGERS), (known, "offerers", MAX_OFFERS)) if each[0]]

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
        notes, today = self._state.notes(), self._now // DAY
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


def news_of(opened: Opened, *, stopped: bool = False) -> News | None:
    """In words; none for a file that brought nothing new, unless pbem was `stopped` before it could report it."""
    if opened.refused is not None:
        return _refused(opened.game, opened.refused, opened.notes)
    silent = not (opened.new or opened.happened or opened.notes or opened.posted)
    if silent and opened.game is not None and opened.kind != "hello" and not stopped:
        return None
    seen = " pbem was stopped while opening this" if stopped and opened.game is not None and not opened.new else ""
    return News(
        opened.game,
        f"{opened.what}{seen}{f'; what happened: pbem log {opened.game}' if seen else ''}",
        happened=opened.happened,
        notes=opened.notes,
        todo=tuple(todo(opened.game or "", each) for each in opened.owed if each.mine and not each.automatic),
    )


def todo(game: str, owed: Owed) -> str:
    """`You have to give advance orders for blue: pbem play bridgehead-7f3a`."""
    command = {"orders": f"pbem play {game}", "join": f"pbem join {game}, or: pbem decline {game}"}.get(owed.what)
    return f"{owed.sentence}{f': {command}' if command else f'. See: pbem status {game}'}"


def _refused(game: str | None, error: PbemError, notes: tuple[str, ...] = ()) -> News:
    return News(game, error.sentence, notes=notes, code=error.code, step=error.step)


def _where(head: Head) -> str:
    return f"It was in {head.called}."


def _fault(error: Exception) -> News:
    what = f"A mail was skipped because of {fault(error)[0]}."
    return News(None, f"{what} Save it and try: pbem open FILE", code=PbemError.code)


def _returned(raw: bytes, outbox: Outbox, now: int) -> list[News]:
    """A mail of ours that bounced. The report may be forged: it is shown, and the mail no longer counts as delivered,
    so all that a forger gains is that an umpire looks at it."""
    sent = outbox.by_key(returned_key(raw))
    if sent is None:
        return []
    said = diagnosis(raw)
    if is_failure(raw):
        handed = {each.to.casefold(): each.to for each in sent.handed}
        named = [handed[each.casefold()] for each in undelivered(raw) if each.casefold() in handed]
        outbox.came_back(sent, now, said, named)
    game = _SUFFIX.sub("", sent.name)
    again = f"It carried {sent.name}. When the address works again, send it again: pbem send {game}"
    return [
        News(
            None,
            f"A mail of yours bounced{f': {said}' if said else ''}.",
            notes=(again if sent.name else "It was a reminder.",),
        )
    ]


# The head


@dataclass(frozen=True, slots=True)
class Head:
    message_id: str = ""
    """With its angle brackets; empty unless it may stand in a header of ours."""
    automatic: bool = False
    """A program wrote it (RFC 3834), or a list spread it."""
    returned: bool = False
    """A bounce: a report that a mail could not be delivered."""
    subject: str = ""
    sender: str = ""
    """As the mail itself says, which proves nothing; short and printable."""

    @property
    def called(self) -> str:
        """The words by which a person finds the mail in their mail program."""
        who = f" that says it is from {self.sender}" if self.sender else ""
        return f"the mail{f' “{self.subject}”' if self.subject else ''}{who}"

    def should_hold_a_file(self, raw: bytes) -> bool:
        """pbem made it, or a person attached something to a mail from pbem."""
        if self.message_id.startswith("<pbem."):
            return True
        attached = b"content-disposition: attachment" in raw[:_MOST_LOOKED].lower()
        return attached and "[pbem]" in self.subject


def head_of(raw: bytes) -> Head:
    """Never fails: a head that makes no sense reads as an empty one."""
    end = _END.search(raw, 0, _MAX_HEAD)
    try:
        fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: end.start() if end else _MAX_HEAD] + b"\n\n")
        submitted = str(fields.get("Auto-Submitted", "no")).partition(";")[0].strip().casefold()
        precedence = str(fields.get("Precedence", "")).strip().casefold()
        path = fields.get("Return-Path")
        kind = str(fields.get("Content-Type", "")).partition(";")[0].strip().casefold()
        sender = str(fields.get("From", ""))
        found = _ID.search(str(fields.get("Message-ID", "")))
        failed = fields.get("X-Failed-Recipients") is not None
    except (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return Head()
    returned = (
        kind == "multipart/report"
        or failed
        or (path is not None and str(path).strip() == "<>")
        or _MACHINES.search(sender) is not None
    )
    automatic = returned or submitted not in ("no", "") or precedence in _BULK
    return Head(found[0] if found else "", automatic, returned, _shown(fields.get("Subject", "")), _shown(sender))


def _shown(field: object) -> str:
    text = str(field)[:_MOST_SHOWN]
    with suppress(MessageError, LookupError, ValueError, TypeError):
        text = str(make_header(decode_header(text)))
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(text.split())[:_MOST_SHOWN]


def returned_key(raw: bytes) -> str:
    """The key of our mail that a report names, if it names one."""
    found = _OURS.search(raw, 0, _MOST_LOOKED)
    return found[1].decode("ascii") if found else ""


def is_failure(raw: bytes) -> bool:
    """The report does not say that the mail is only late, or was delivered after all."""
    return _ACTION.search(raw, 0, _MOST_LOOKED) is None


def undelivered(raw: bytes) -> tuple[str, ...]:
    """The receivers that a report names, if any."""
    found = (each.decode("ascii", "replace") for each in _RECEIVER.findall(raw, 0, _MOST_LOOKED))
    return tuple(sorted(set(found)))


def diagnosis(raw: bytes) -> str:
    """The reason that the report gives, in its own words."""
    status, said = _STATUS.search(raw, 0, _MOST_LOOKED), _DIAGNOSIS.search(raw, 0, _MOST_LOOKED)
    parts = [match[1].decode("utf-8", "replace").strip() for match in (status, said) if match]
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in " ".join(parts)).split())
    return text[:200]
