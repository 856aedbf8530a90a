"""Anomalies: facts that an umpire should look at, each noted once, with a weight; none is a verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from pbem.engine.counts import DAY
from pbem.engine.obligation import ORDERS
from pbem.mail.mailstate import News
from pbem.protocol.canonical import Packable
from pbem.protocol.errors import with_code
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import AnomalyRow, OwedRow, PairingRow, TournamentRow, find, of_games
from pbem.umpire.facts import Answered, Facts
from pbem.umpire.progress import entrant_at

_AHEAD: Final = 600
_BEHIND: Final = 3 * DAY
_APART: Final = 14 * DAY
_LATE: Final = 3 * DAY


@dataclass(frozen=True, slots=True)
class Odd:
    """`entrant` 0: nobody in particular. `weight` from 1 (worth knowing) to 5 (proof of a fault). What has the same
    kind, entrant and `about` is noted once."""

    kind: str
    entrant: int
    text: str
    weight: int
    about: str


def note(writing: Writing, names: Mapping[int, str], pairing: PairingRow, facts: Facts) -> None:
    """What the records show: forks, times that do not fit, an audit that found something."""
    for by in facts.forked:
        entrant = entrant_at(pairing, by) or 0
        text = f"{names[entrant]} signed two different records: a fork."
        _write(writing, pairing, Odd("fork", entrant, text, 5, "fork"))
    if facts.audited:
        _write(writing, pairing, Odd("audit", 0, f"The audit found a fault: {facts.audited}"[:500], 5, "audit"))
    if facts.notice:
        _write(writing, pairing, Odd("notice", 0, facts.notice[:500], 3, "notice"))
    for by, entrant in enumerate(pairing.entrants):  # by number: players choose their names
        for odd in timing(entrant, names[entrant], [each for each in facts.answered if each.question.by == by]):
            _write(writing, pairing, odd)


def heard(
    writing: Writing,
    names: Mapping[int, str],
    pairing: PairingRow,
    facts: Facts,
    outbox: Collection[str],
    refusals: Sequence[News],
) -> None:
    """Arrivals for the game that are not records of it: requests for missing records, and records that were refused."""
    for by, entrant in enumerate(pairing.entrants):
        if f"{facts.name}-for-{by}" in outbox:  # the answer to such a question
            text = (
                f"A request came for what {names[entrant]} lacks: they have restored a backup, or lost mail; or "
                "somebody else asked, since such requests are not signed."
            )
            _write(writing, pairing, Odd("restored", entrant, text, 2, "restored"))
    for each in refusals:
        kind, weight = ("desync", 2) if each.code == "E-DESYNC" else ("refused", 3)
        text = f"A record was refused: {with_code(each.what[:450], each.code or '')}"
        _write(writing, pairing, Odd(kind, 0, text, weight, text))


def watch(writing: Writing, tournament: TournamentRow, names: Mapping[int, str], pairing: PairingRow) -> None:
    """What only time shows: automatic items that do not come."""
    owed = of_games(writing.db, OwedRow, tournament.id, pairing.id)
    for entrant in pairing.entrants:
        for odd in withheld(names[entrant], [each for each in owed if each.entrant == entrant], writing.at):
            _write(writing, pairing, odd)


def withheld(name: str, owed: Sequence[OwedRow], now: int) -> Iterator[Odd]:
    """Automatic items that one player owes for days: a program that runs sends them by itself, so somebody may be
    holding them back."""
    own = [each for each in owed if each.automatic and each.since]
    for each in own:
        late = now - each.since
        if late >= _LATE:
            what = f"{'an' if each.what[0] in 'aeiou' else 'a'} {each.what}"
            text = f"{name} has owed {what}, which a program sends automatically, for {late // DAY} days."
            weight = 3 if late >= 3 * _LATE else 2
            first = min(other.since for other in own)
            yield Odd("withheld", each.entrant, text, weight, f"withheld {first} {weight}")


def timing(entrant: int, name: str, answers: Sequence[Answered]) -> Iterator[Odd]:
    """Times of one player's records that do not fit each other, and answers that look made by a clock.

    What is answered may have come to the player days before it came here: mails to the umpire are late or lost, too.
    """
    for each in answers:
        signed, arrived, asked = each.signed_at, each.answered_at, each.question.arose_at
        if signed > arrived + _AHEAD:
            kind, text = "clock_ahead", f"A record is dated {_span(signed - arrived)} after it arrived."
        elif signed < asked - _BEHIND:
            kind = "clock_behind"
            text = f"A record is dated {_span(asked - signed)} before the records that it answers arrived."
        elif arrived - signed > _APART:
            kind, text = "late_mail", f"A record was signed {_span(arrived - signed)} before it arrived."
        else:
            continue
        yield Odd(kind, entrant, text, 1 if kind == "late_mail" else 2, f"{kind} {text}")
    own = [each for each in answers if each.question.what == ORDERS]
    # Each of these is noted once: the count in the text grows with the game.
    if text := _fast(name, own):
        yield Odd("too_fast", entrant, text, 2, "too_fast")
    if text := _regular(name, own):
        yield Odd("regular", entrant, text, 1, "regular")


def _fast(name: str, own: Sequence[Answered], *, seconds: int = 5, least: int = 5) -> str:
    """Decisions of a person within seconds of the question."""
    quick = [each for each in own if 0 <= each.signed_at - each.question.arose_at < seconds]
    if len(quick) < least or 2 * len(quick) < len(own):
        return ""
    return f"{len(quick)} of {len(own)} decisions of {name} came within {seconds} seconds: a program may be playing."


def _regular(name: str, own: Sequence[Answered], *, least: int = 8) -> str:
    """Always the same second of the minute: by chance that is 1 in 60 each time."""
    seconds = [each.signed_at % 60 for each in own]
    most = max(sorted(set(seconds)), key=seconds.count, default=0)
    if len(own) < least or 4 * seconds.count(most) < 3 * len(own):
        return ""
    return f"{seconds.count(most)} of {len(own)} decisions of {name} were signed at second {most} of a minute."


def _span(seconds: int) -> str:
    if seconds >= 2 * DAY:
        return f"{seconds // DAY} days"
    return f"{seconds // 3600} hours" if seconds >= 7200 else f"{seconds // 60} minutes"


def _write(writing: Writing, pairing: PairingRow, each: Odd) -> None:
    mark = f"{each.kind}/{each.entrant}/{sha256(each.about.encode()).hexdigest()[:16]}"
    if find(writing.db, AnomalyRow, pairing=pairing.id, mark=mark) is None:
        data: dict[str, Packable] = {"entrant": each.entrant, "text": each.text, "weight": each.weight}
        writing.record("anomaly", {**data, "kind": each.kind, "mark": mark, "pairing": pairing.id})
