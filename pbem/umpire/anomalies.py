"""What an umpire should look at. Each is a fact with a weight; none is a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Anomaly:
    """`weight` from 1 (worth knowing) to 5 (proof of a fault)."""

    kind: str
    game: str
    player: str
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class OwedFact:
    """Something a player's program or the player owes since `since`. `automatic`: no person has to act for it."""

    game: str
    player: str
    what: str
    since: int
    automatic: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A record of a player that answered something.

    `asked_at`, `answered_at`: when request and answer came through the umpire's hands; `signed_at`: the time that the
    player's program put on the record.
    """

    game: str
    player: str
    asked_at: int
    answered_at: int
    signed_at: int
    automatic: bool = False


def withheld(owed: Iterable[OwedFact], now: int, after: int = 3 * DAY) -> tuple[Anomaly, ...]:
    """Automatic items that are late: a program that runs sends them by itself, so somebody may be holding them back."""
    found = []
    for fact in owed:
        late = now - fact.since
        if fact.automatic and late >= after:
            text = f"{fact.player} owes {fact.what}, which his program sends by itself, for {late // DAY} days."
            found.append(Anomaly("withheld", fact.game, fact.player, text, 3 if late >= 3 * after else 2))
    return _sorted(found)


def fork(game: str, player: str, seq: int) -> Anomaly:
    text = f"{player} signed two different records {seq}: the two together prove it."
    return Anomaly("fork", game, player, text, 5)


def desync(game: str, player: str, seq: int) -> Anomaly:
    text = f"{player} saw another position when he signed record {seq}: other rules or other data, not a cheat."
    return Anomaly("desync", game, player, text, 2)


def refused(game: str, player: str, code: str, sentence: str) -> Anomaly:
    return Anomaly("refused", game, player, f"A record was refused, {code}: {sentence}", 3)


def restored(game: str, player: str, at_seq: int, had_seq: int) -> Anomaly:
    """A hello from a home that knows less of itself than others hold."""
    text = (
        f"{player} asked for his own records from {at_seq + 1} on; {had_seq + 1} were out already. "
        "He has brought back a backup, or runs two copies of his home."
    )
    return Anomaly("restored", game, player, text, 2)


def timing(
    answers: Sequence[Answer], *, ahead: int = 600, behind: int = 3 * DAY, apart: int = 14 * DAY
) -> tuple[Anomaly, ...]:
    """Times that do not fit each other, and answers that look made by a clock.

    What is answered may have come to the player days before it came here: mails to the umpire are late or lost, too.
    """
    found: list[Anomaly] = []
    for each in answers:
        if each.signed_at > each.answered_at + ahead:
            text = f"A record bears a time {_span(each.signed_at - each.answered_at)} after it arrived."
            found.append(Anomaly("clock_ahead", each.game, each.player, text, 2))
        elif each.signed_at < each.asked_at - behind:
            text = f"A record bears a time {_span(each.asked_at - each.signed_at)} before what it answers came here."
            found.append(Anomaly("clock_behind", each.game, each.player, text, 2))
        elif each.answered_at - each.signed_at > apart:
            text = f"A record was signed {_span(each.answered_at - each.signed_at)} before it arrived."
            found.append(Anomaly("late_mail", each.game, each.player, text, 1))
    for player in sorted({each.player for each in answers}):
        own = [each for each in answers if each.player == player and not each.automatic]
        found += _fast(player, own) + _regular(player, own)
    return _sorted(found)


def _fast(player: str, own: Sequence[Answer], *, seconds: int = 5, least: int = 5) -> list[Anomaly]:
    """Decisions of a person within seconds of the question."""
    quick = [each for each in own if 0 <= each.signed_at - each.asked_at < seconds]
    if len(quick) < least or 2 * len(quick) < len(own):
        return []
    text = f"{len(quick)} of {len(own)} decisions of {player} came within {seconds} seconds: a program may be playing."
    return [Anomaly("too_fast", quick[0].game, player, text, 2)]


def _regular(player: str, own: Sequence[Answer], *, least: int = 8) -> list[Anomaly]:
    """Always the same second of the minute: by chance that is 1 in 60 each time."""
    if len(own) < least:
        return []
    seconds = [each.signed_at % 60 for each in own]
    most = max(sorted(set(seconds)), key=seconds.count)
    if 4 * seconds.count(most) < 3 * len(own):
        return []
    text = f"{seconds.count(most)} of {len(own)} decisions of {player} were signed at second {most} of a minute."
    return [Anomaly("regular", own[0].game, player, text, 1)]


def _span(seconds: int) -> str:
    if seconds >= 2 * DAY:
        return f"{seconds // DAY} days"
    return f"{seconds // 3600} hours" if seconds >= 7200 else f"{seconds // 60} minutes"


def _sorted(found: Iterable[Anomaly]) -> tuple[Anomaly, ...]:
    return tuple(sorted(found, key=lambda each: (-each.weight, each.kind, each.game, each.player, each.text)))
