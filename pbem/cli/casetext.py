"""A case as `pbem verify` shows it: what the umpire states about a game, as a value and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.out import say, say_table
from pbem.cli.phrases import when
from pbem.cli.terminal import clean, plural
from pbem.cli.verdict import short
from pbem.home.describe import span
from pbem.protocol.record import UMPIRE
from pbem.protocol.words import fingerprint
from pbem.umpire.pairing.pairs import half

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.schema import Count, Hash
    from pbem.umpire.case import Judged, Result, Statement


class CaseShown(NamedTuple):
    """What an umpire states about a game, checked against the records in the same file."""

    id: Hash
    label: str
    """Round and board, and a or b of a mirrored pair."""
    reasons: Mapping[str, str]
    """The reasons of the umpire's rulings, by record; they are in the records."""
    records: Count
    said: Statement

    @classmethod
    def of(cls, found: Judged) -> CaseShown:
        said = found.case.said
        number, place, mirror = said.label
        board = (place + 2 - mirror) // 2 if mirror else place  # the two games of a mirrored pair have a number each
        reasons = {record.hex(): why for record, why in found.reasons.items()}
        return cls(found.case.id, f"{number}.{board}{('', 'a', 'b')[mirror]}", reasons, found.records, said)


def say_case(case: CaseShown) -> None:
    """What the umpire states, before the verdict on the records."""
    said = case.said
    names = {each.by: clean(each.name) for each in said.players}
    say(f"Case of game {case.label} of {clean(said.title)}: {' v '.join(names.values())}.", style="bold")
    names[UMPIRE] = "the umpire"
    say(
        f"Signed on {when(said.at)} by the game's umpire, fingerprint {fingerprint(said.umpire)}. "
        f"Every row names a record in this file. The times of questions and answers are the umpire's statement.",
        style="good",
    )
    say(f"Result according to the umpire: {_result(said.result)}.")
    if said.answered:
        say_table(
            [
                ("who", "what", "asked", "answered", "signed", "charged", "record"),
                *(
                    (
                        names.get(each.by, ""), each.what, when(each.asked_at), when(each.answered_at),
                        when(each.signed_at), f"{each.charged} s", short(each.record),
                    )
                    for each in said.answered
                ),
            ]
        )  # fmt: skip
    for owed in said.owed:
        since = f" since {when(owed.since)}" if owed.since else ""
        say(f"Owed: {names.get(owed.by, '')}, {owed.what}{since}.")
    for clock in said.clocks:
        fell = f", flag fell on {when(clock.fell_at)}" if clock.fell_at is not None else ""
        say(f"Clock of {names.get(clock.by, '')}: {span(clock.used)} of the bank used, {span(clock.left)} left{fell}.")
    for extension in said.extensions:
        say(
            f"Extension: {span(extension.seconds)} for {names.get(extension.by, '')}, record {short(extension.record)}."
        )
    for flag in said.flags:
        say(f"Flag: {names.get(flag.by, '')}, fell on {when(flag.fell_at)}, seen on {when(flag.seen_at)}.")
    for ruling in said.rulings:
        reason = clean(case.reasons[ruling.record.hex()])
        why = f" Reason: {reason}." if reason else ""
        say(f"Ruling: {ruling.what} on {when(ruling.at)}, record {short(ruling.record)}.{why}")
    for odd in said.odd:
        say(f"Odd (weight {odd.weight}): {clean(odd.text)}")
    for entry in said.journal:
        say(f"Journal {entry.seq}, {when(entry.at)}, {clean(entry.actor)}: {clean(entry.text)}", style="dim")
    for twin in said.twins:
        say(f"The umpire has started another game for this board: {short(twin)}.", style="bad")
    say(f"With it: {plural(case.records, 'record')} of the game.")


def _result(result: Result) -> str:
    if result.first is None and result.second is None:
        return f"none, the game is {result.state}"
    first, second = ("-" if points is None else half(points) for points in (result.first, result.second))
    stands = "" if result.state == "decided" else ", which may still change"
    return f"{first}-{second} ({clean(result.how)}){stands}: {clean(result.text)}"
