"""A case as `pbem verify` shows it: what the umpire states about a game, as a value and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.out import say, say_table
from pbem.cli.show import when
from pbem.cli.text import clean, plural
from pbem.cli.verdict import short
from pbem.home.describe import span
from pbem.protocol.record import UMPIRE
from pbem.protocol.words import fingerprint

if TYPE_CHECKING:
    from pbem.schema import Count, Hash
    from pbem.umpire.case import Judged, Noted, Party, Result


class ClockShown(NamedTuple):
    """A player's clock at the time of the statement."""

    by: Count
    used: Count
    left: Count
    flag_at: int | None
    """When it falls if nothing more is answered."""
    fell_at: int | None
    name: str


class ExtensionShown(NamedTuple):
    """More time for a player."""

    by: Count
    seconds: Count
    at: Count
    record: Hash
    name: str


class FlagShown(NamedTuple):
    """A clock that has run out, and when the umpire saw it."""

    by: Count
    fell_at: Count
    seen_at: Count
    name: str


class AnswerShown(NamedTuple):
    """A question and its answer, as they came through the umpire's hands; signed as the record says."""

    by: Count
    what: str
    asked_at: Count
    answered_at: Count
    signed_at: Count
    charged: Count
    record: Hash
    name: str


class OddShown(NamedTuple):
    """Something that the umpire should look at, with its weight."""

    by: int | None
    kind: str
    weight: Count
    at: Count
    text: str
    name: str


class OwedShown(NamedTuple):
    """What a player owed at the time of the statement."""

    by: Count
    what: str
    since: Count
    automatic: bool
    name: str


class RulingShown(NamedTuple):
    """A ruling of the umpire, and the reason that stands in its record."""

    what: str
    at: Count
    record: Hash
    why: str


class Head(NamedTuple):
    """The last entry of the desk's journal that the statement rests on."""

    seq: Count
    hash: Hash


class CaseShown(NamedTuple):
    """What an umpire states about a game, held against the records with it."""

    at: Count
    clock: dict[str, int]
    clocks: tuple[ClockShown, ...]
    extensions: tuple[ExtensionShown, ...]
    flags: tuple[FlagShown, ...]
    game: Hash | None
    head: Head
    id: Hash
    journal: tuple[Noted, ...]
    label: str
    """Round and board, and a or b of a mirrored pair."""
    ledger: tuple[AnswerShown, ...]
    odd: tuple[OddShown, ...]
    offer: Hash
    owed: tuple[OwedShown, ...]
    players: tuple[Party, ...]
    records: Count
    result: Result
    rulings: tuple[RulingShown, ...]
    title: str
    tournament: bytes
    twins: tuple[Hash, ...]
    """Other games that the umpire has started for this board."""
    umpire: Hash

    @classmethod
    def of(cls, found: Judged) -> CaseShown:
        said = found.case.said
        place, mirror = said.label[1:]
        board = (place + 2 - mirror) // 2 if mirror else place  # the two games of a mirrored pair have a number each
        names = {each.by: each.name for each in said.players} | {UMPIRE: "the umpire"}
        return cls(
            at=said.at,
            clock=dict(said.clock),
            clocks=tuple(ClockShown(*each, names.get(each.by, "")) for each in said.clocks),
            extensions=tuple(ExtensionShown(*each, names.get(each.by, "")) for each in said.extensions),
            flags=tuple(FlagShown(*each, names.get(each.by, "")) for each in said.flags),
            game=said.game or None,
            head=Head(*said.head),
            id=found.case.id,
            journal=said.journal,
            label=f"{said.label[0]}.{board}{('', 'a', 'b')[mirror]}",
            ledger=tuple(AnswerShown(*each, names.get(each.by, "")) for each in said.answered),
            odd=tuple(OddShown(*each, "" if each.by is None else names.get(each.by, "")) for each in said.odd),
            offer=said.offer,
            owed=tuple(OwedShown(*each, names.get(each.by, "")) for each in said.owed),
            players=said.players,
            records=found.records,
            result=said.result,
            rulings=tuple(RulingShown(*each, found.reasons[each.record]) for each in said.rulings),
            title=said.title,
            tournament=said.tournament,
            twins=said.twins,
            umpire=said.umpire,
        )


def say_case(case: CaseShown) -> None:
    """What the umpire states, before the verdict on the records."""
    names = " v ".join(clean(each.name) for each in case.players)
    say(f"Case of game {case.label} of {clean(case.title)}: {names}.", style="bold")
    say(
        f"Signed on {when(case.at)} by the game's umpire, fingerprint {fingerprint(case.umpire)}. "
        f"Every row names a record in this file. For the times of questions and answers you have the umpire's word.",
        style="good",
    )
    say(f"Result according to the umpire: {_result(case.result)}.")
    if case.ledger:
        say_table(
            [
                ("who", "what", "asked", "answered", "signed", "charged", "record"),
                *(
                    (
                        clean(each.name), each.what, when(each.asked_at), when(each.answered_at),
                        when(each.signed_at), f"{each.charged} s", short(each.record),
                    )
                    for each in case.ledger
                ),
            ]
        )  # fmt: skip
    for owed in case.owed:
        since = f" since {when(owed.since)}" if owed.since else ""
        say(f"Owed: {clean(owed.name)}, {owed.what}{since}.")
    for clock in case.clocks:
        fell = f", flag fell on {when(clock.fell_at)}" if clock.fell_at is not None else ""
        say(f"Clock of {clean(clock.name)}: {span(clock.used)} of the bank used, {span(clock.left)} left{fell}.")
    for extension in case.extensions:
        say(f"Extension: {span(extension.seconds)} for {clean(extension.name)}, record {short(extension.record)}.")
    for flag in case.flags:
        say(f"Flag: {clean(flag.name)}, fell on {when(flag.fell_at)}, seen on {when(flag.seen_at)}.")
    for ruling in case.rulings:
        why = f" Reason: {clean(ruling.why)}." if ruling.why else ""
        say(f"Ruling: {ruling.what} on {when(ruling.at)}, record {short(ruling.record)}.{why}")
    for odd in case.odd:
        say(f"Odd (weight {odd.weight}): {clean(odd.text)}")
    for entry in case.journal:
        say(f"Journal {entry.seq}, {when(entry.at)}, {clean(entry.actor)}: {clean(entry.text)}", style="dim")
    for twin in case.twins:
        say(f"The umpire has started another game for this board: {short(twin)}.", style="bad")
    say(f"With it: {plural(case.records, 'record')} of the game.")


def _result(result: Result) -> str:
    if result.first is None and result.second is None:
        return f"none, the game is {result.state}"
    first, second = (_half(points) for points in (result.first, result.second))
    stands = "" if result.state == "decided" else ", which may still change"
    return f"{first}-{second} ({clean(result.how)}){stands}: {clean(result.text)}"


def _half(points: int | None) -> str:
    return "-" if points is None else {0: "0", 1: "½", 2: "1"}[points]
