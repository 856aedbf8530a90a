"""The result of `pbem verify`, as a value and in words: the verdict on a game, an umpire's case, or a summary of any
other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pbem.cli.common import shown
from pbem.cli.terminal import clean, say, say_table
from pbem.engine.counts import many, moment, span, upper
from pbem.engine.obligation import OWES
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import PbemError, with_code
from pbem.protocol.record import UMPIRE, Record, parse_record

if TYPE_CHECKING:
    from pbem.fairplay.verify import Bad, Verdict
    from pbem.protocol.changes import Change, Said
    from pbem.protocol.genesis import Genesis
    from pbem.schema import Code, Count, Hash, Limit
    from pbem.umpire.case import Judged, Result, Statement

RULINGS = ("adjudge", "branch", "escrow", "extension", "forfeit", "rekey", "substitute")
MODES = {"open": "open dice (anyone can look ahead)", "strict": "strict dice", "umpire": "dice by the umpire"}


class Named(NamedTuple):
    """A player of the game, by number; 7 is the umpire."""

    by: Count
    name: str


class Fault(NamedTuple):
    """The first thing that is wrong, whose record it is (if it is anybody's), and the step of the specification."""

    code: Code
    step: str
    sentence: str
    author: int | None
    record: Hash | None
    name: str

    @classmethod
    def of(cls, bad: Bad | None, names: dict[int, str]) -> Fault | None:
        return None if bad is None else cls(*bad, "" if bad.author is None else names.get(bad.author, ""))

    @classmethod
    def missing(cls, records: tuple[bytes, ...]) -> Fault | None:
        """An archive that cites what it does not hold is whole nowhere; it is nobody's fault in particular."""
        if not records:
            return None
        count = f"{many(len(records), 'record')} cited in this file {'is' if len(records) == 1 else 'are'} not in it."
        return cls("E-INCOMPLETE", "LOG-5", count, None, records[0], "")


class CrossedRecord(NamedTuple):
    """A record beside a forfeit: the claim that it cites, or an answer that crossed it. `at` is stated by its
    author."""

    record: Hash
    by: Count
    seq: Count
    kind: str
    at: Count
    name: str

    @classmethod
    def of(cls, said: Said, names: dict[int, str]) -> CrossedRecord:
        return cls(*said, names.get(said.by, ""))


class ChangeShown(NamedTuple):
    """A ruling, or a player's own change of key, dated by its author."""

    at: Count
    by: Count
    claim: CrossedRecord | None
    crossed: tuple[CrossedRecord, ...]
    holds: bool
    """All players whose agreement it needs have ruled so."""
    identity: Hash | None
    name: str
    new_name: str
    players: tuple[Named, ...]
    """The players concerned."""
    record: Hash
    what: Annotated[str, Limit(enum=RULINGS)]
    why: str

    @classmethod
    def of(cls, change: Change, names: dict[int, str]) -> ChangeShown:
        return shown(
            cls,
            change,
            claim=CrossedRecord.of(change.claim, names) if change.claim is not None else None,
            crossed=tuple(CrossedRecord.of(each, names) for each in change.crossed),
            name=names.get(change.by, ""),
            new_name=change.name,
            players=tuple(Named(by, names.get(by, "")) for by in change.players),
        )


class PlayerVerified(NamedTuple):
    """A player, as the offer and the joins name them."""

    by: Count
    identity: Hash
    name: str
    seats: tuple[str, ...]


class UmpireVerified(NamedTuple):
    """The umpire of a game."""

    identity: Hash
    name: str


class GameVerified(NamedTuple):
    """The game that a file holds, as its offer states it."""

    behaviour: Count
    id: Hash
    mode: Annotated[str, Limit(enum=tuple(MODES))]
    module: str
    players: tuple[PlayerVerified, ...]
    scenario: str
    silence: Count
    title: str
    umpire: UmpireVerified | None
    version: str

    @classmethod
    def of(cls, game: Genesis) -> GameVerified:
        offer, cards = game.offer, {n: game.card(n) for n in game.players}
        return cls(
            offer.rules.behaviour,
            game.game_id,
            game.mode,
            offer.rules.module,
            tuple(PlayerVerified(n, card.identity, card.name, game.seats_of(n)) for n, card in cards.items()),
            offer.scenario,
            offer.silence,
            offer.title,
            UmpireVerified(game.umpire.identity, game.umpire.card.name) if game.umpire else None,
            offer.rules.version,
        )


class Pending(NamedTuple):
    """Something that a player, or the umpire, owes before the game can go on."""

    by: Count
    name: str
    what: str


class CaseShown(NamedTuple):
    """An umpire's statement about a game, checked against the records in the same file."""

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


class Verified(NamedTuple):
    """The verdict on one file."""

    audited: bool
    """All secrets have been opened, and their audit is complete."""
    cards: Count
    case: CaseShown | None
    """The umpire's statement about the game, if the file is a case."""
    changes: tuple[ChangeShown, ...]
    desync: Fault | None
    """In place of `first_bad`: where another program's position first differs, from other code or data."""
    dice: Count
    draws: Count
    file: str
    first_bad: Fault | None
    forks: tuple[str, ...]
    """The valid proofs of forks, in words."""
    game: GameVerified | None
    holds: str
    """What the file is, if there is no started game in it."""
    incomplete: tuple[Hash, ...]
    """Records that are cited and not in the file."""
    level: Annotated[int, Limit(enum=(1, 2, 3))]
    messages: Count
    ok: bool
    orders: Count
    pending: tuple[Pending, ...]
    records: Count
    result: Any
    state: Hash | None
    turns: Count
    unaudited: tuple[Named, ...]
    """The players whose secrets have not been opened."""

    @property
    def failed(self) -> bool:
        return not self.ok

    @property
    def fault(self) -> Fault | None:
        return self.desync or self.first_bad

    @property
    def is_game(self) -> bool:
        """A game that has been verified and can be shown."""
        return self.ok and self.game is not None

    @property
    def checked(self) -> str:
        """`12 records, 40 orders, 25 dice, 6 cards`."""
        counts = (
            many(self.records, "record"), many(self.orders, "order"), many(self.dice, "die", "dice"),
            many(self.cards, "card"),
        )  # fmt: skip
        return ", ".join(counts)

    @classmethod
    def of(cls, file: str, verdict: Verdict, case: CaseShown | None = None, holds: str = "") -> Verified:
        game, counts, audit = verdict.game, verdict.counts, verdict.audit
        names = {by: game.card(by).name for by in game.authors} if game else {}
        return shown(
            cls,
            counts,
            audited=audit is not None and not audit.missing,
            case=case,
            changes=tuple(ChangeShown.of(each, names) for each in verdict.changes),
            desync=Fault.of(verdict.desync, names),
            file=file,
            first_bad=Fault.of(verdict.first_bad, names) or Fault.missing(verdict.incomplete),
            forks=verdict.forks,
            game=None if game is None else GameVerified.of(game),
            holds=holds,
            incomplete=verdict.incomplete,
            level=verdict.level,
            ok=verdict.ok,
            pending=tuple(Pending(by, names.get(by, ""), what) for by, what in verdict.pending),
            result=verdict.result,
            state=verdict.state,
            unaudited=tuple(Named(by, names.get(by, "")) for by in (audit.missing if audit is not None else ())),
        )


def short(record: bytes) -> str:
    return record.hex()[:16]


def say_verdict(found: Verified, *, named: bool) -> None:
    """The verdict in a few lines."""
    if named:
        say(clean(found.file), style="bold")
    if found.case is not None:
        say_case(found.case)
    for sentence in found.forks:
        say(f"Proof of a fork, and it is valid. {clean(sentence)}")
    game, fault = found.game, found.fault
    if game is not None:
        say(headline(game))
    for change in found.changes:
        say(change_line(change, game.silence if game else 0), style="" if change.holds else "dim")
    if found.holds:
        say(clean(found.holds), style="" if found.ok else "wait")
        if fault is None or fault.code == "E-INCOMPLETE" or fault.record is None:
            say_pending(found)
            return
    if fault is not None:
        word = "Desync" if found.desync else "Not verified"
        author = clean(fault.name) or fault.author
        by = f" by {author}" if author is not None else ""
        whose = f" Record {short(fault.record)}{by}." if fault.record else ""
        why = with_code(clean(fault.sentence) + whose, fault.code, fault.step)
        say(f"{word}: {why}", style="bad")
        if found.records:
            say(f"Up to there: {found.checked}.")
        return
    if game is None and (found.forks or (found.ok and found.case is not None)):
        return
    if not found.ok:
        say("Not verified: there is no game in this file.", style="bad")
        return
    checked = {
        1: "all signatures and chains",
        2: "all signatures, dice and cards",
        3: "all signatures, orders, dice and cards",
    }
    audit = " Everything hidden has been revealed and checked." if found.audited else ""
    say(f"{found.checked}: {checked[found.level]} are correct.{audit}", style="good")
    if found.result is not None:
        gone = replaced_players(found)
        final = found.audited or bool(gone)
        word = "Result" if final else "Result, provisional until everything is opened and audited"
        say(f"{word}: {result_text(found.result)}.")
        for name in gone:
            say(f"{name} was replaced before the end: nobody can open what {name} had sealed or shuffled.")
    say_pending(found)
    if found.state:
        say(f"Hash of the last position: {found.state.hex()[:8]}...{found.state.hex()[-8:]}", style="dim")


def say_case(case: CaseShown) -> None:
    """What the umpire states, before the verdict on the records."""
    from pbem.cli.phrases import when
    from pbem.protocol.words import fingerprint

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
    say(f"With it: {many(case.records, 'record')} of the game.")


def _result(result: Result) -> str:
    from pbem.umpire.pairing.pairs import half

    if result.first is None and result.second is None:
        return f"none, the game is {result.state}"
    first, second = ("-" if points is None else half(points) for points in (result.first, result.second))
    stands = "" if result.state == "decided" else ", which may still change"
    text = f". {upper(clean(result.text))}" if result.text else ""
    return f"{first}-{second} ({clean(result.how)}){stands}{text}"


def replaced_players(found: Verified) -> list[str]:
    """The players whose secrets alone are missing in the audit, when nobody is left who owes any (MEA-12)."""
    gone = {each.by for c in found.changes if c.what == "substitute" and c.holds for each in c.players}
    lacking = found.unaudited
    if found.pending or not {each.by for each in lacking} <= gone:
        return []
    return [clean(each.name) or f"Player {each.by + 1}" for each in lacking]


def say_pending(found: Verified) -> None:
    for pending in found.pending:
        by = pending.by
        name = clean(pending.name) or ("the umpire" if by == UMPIRE else f"player {by + 1}")
        say(f"Waiting for {name}: {OWES.get(pending.what, pending.what)}.")


def headline(game: GameVerified) -> str:
    players = " v ".join(f"{clean(each.name)} ({', '.join(map(clean, each.seats))})" for each in game.players)
    umpire = f", umpire {clean(game.umpire.name)}" if game.umpire else ""
    title = f' "{clean(game.title)}"' if game.title else ""
    return f"{clean(game.module)}{title}, {clean(game.scenario)}: {players}, {MODES[game.mode]}{umpire}."


def speaker(said: CrossedRecord) -> str:
    return clean(said.name) or f"player {said.by + 1}"


def change_line(change: ChangeShown, silence: int) -> str:
    """`Ruling by Dora: Carla Moss plays in place of Bob Silva (...). Reason: he has moved away. Record 0a1b...`"""
    whom = ", ".join(clean(each.name) or f"player {each.by + 1}" for each in change.players)
    who = clean(change.name) or f"player {change.by + 1}"
    new = f"identity {short(change.identity)}" if change.identity else ""
    said = {
        "adjudge": "the umpire decides the game",
        "branch": f"which of two records of {whom} counts",
        "escrow": f"the umpire shows dice in place of {whom}",
        "extension": f"more time for {whom}",
        "forfeit": f"{whom} forfeits",
        "rekey": f"{whom} signs with a new key ({new})",
        "substitute": f"{clean(change.new_name)} ({new}) plays in place of {whom}",
    }[change.what]
    if change.claim is not None:
        claim = change.claim
        said += f", dated {moment(change.at)}, on the claim by {speaker(claim)} dated {moment(claim.at)}"
        said += f" (agreed on: {silence} days of silence between them)"
    for each in change.crossed:
        said += f". {speaker(each)} sent {each.kind} dated {moment(each.at)} without having seen it"
    own = change.what == "rekey" and [each.by for each in change.players] == [change.by]
    reason = f" Reason: {clean(change.why)}." if change.why else ""
    open_ = "" if change.holds else " It does not hold: not all players whose agreement it needs have ruled so."
    return f"{'New key' if own else f'Ruling by {who}'}: {said}.{reason}{open_} Record {short(change.record)}."


def result_text(result: Any) -> str:
    """`blue wins: ...; blue 7, red 4`."""
    if not isinstance(result, dict):
        return clean(str(result))
    winner = result.get("winner")
    scores = result.get("scores")
    text = f"{clean(str(winner))} wins" if winner is not None else "a draw"
    if result.get("how"):
        text += f" ({clean(str(result['how']))})"
    if isinstance(scores, dict) and scores:
        text += "; " + ", ".join(f"{clean(str(who))} {points}" for who, points in sorted(scores.items()))
    return text


BEFORE = frozenset({"offer", "join", "decline"})
OPEN = "pbem open FILE"


def held(items: Iterable[Item]) -> str:
    """In words; nothing for a file that is damaged, or holds what is judged by itself."""
    kinds: Counter[str] = Counter()
    offer: Record | None = None
    cards: dict[bytes, None] = {}
    types: set[ItemType] = set()
    try:
        for item in items:
            types.add(item.type)
            if item.type is ItemType.BACKUP:
                return (
                    "This is a backup, encrypted: only its owner can check it, and bring it back with: "
                    "pbem restore FILE"
                )
            if item.type is ItemType.RECORD:
                record = parse_record(item.raw)
                kinds[record.kind] += 1
                offer = record if offer is None and record.kind == "offer" else offer
            elif item.type is ItemType.CARD:
                cards[item.raw] = None
        if kinds:
            if offer is None:
                return _part(kinds)
            return _offer(offer, kinds) if set(kinds) <= BEFORE else ""
        if types == {ItemType.CARD}:
            return _cards(list(cards))
    except PbemError:
        return ""  # the verdict says what is wrong
    if types == {ItemType.HELLO}:
        return f"This file asks which records of a game you hold; there is no game in it. Answer it with: {OPEN}"
    return ""


def _cards(raws: list[bytes]) -> str:
    from pbem.protocol.card import parse_card
    from pbem.protocol.words import fingerprint

    cards = [parse_card(raw) for raw in raws]
    who = ", ".join(f"{card.name}, fingerprint {fingerprint(card.identity)}" for card in cards)
    one = len(cards) == 1
    return (
        f"{'The card' if one else 'Cards'} of {who}. "
        f"{'Its signature is valid' if one else 'Their signatures are valid'}; "
        f"to be sure whose key it is, compare the fingerprint with its owner. There is no game in this file. "
        f"Add it to your contacts with: {OPEN}"
    )


def _offer(record: Record, kinds: Counter[str]) -> str:
    from pbem.protocol.genesis import offer_of

    offer = offer_of(record)
    answers = "".join(f", with {many(kinds[kind], kind)}" for kind in ("join", "decline") if kinds[kind])
    who = f"{'the umpire ' if offer.umpire is not None else ''}{offer.join.card.name}"
    return (
        f"An offer of {offer.rules.module}, {offer.scenario}, by {who}{answers}. The game has not "
        f"started: only signatures and terms can be checked, and there are no orders, dice or cards yet. "
        f"Read it, and answer it, with: {OPEN}"
    )


def _part(kinds: Counter[str]) -> str:
    return (
        f"{many(kinds.total(), 'record')} from the middle of a game ({', '.join(sorted(kinds))}), without its "
        "beginning. "
        "By themselves, only their form can be checked. To check signatures, dice and rules, open the file in a home "
        f"that has the rest of the game: {OPEN}. To write a whole game for `pbem verify`: pbem archive GAME"
    )
