"""Words for what happened, what is proposed and what stands in a game's way. Text from files is passed on as it is;
the code that shows it escapes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from pbem.engine.counts import DAY, all_of, many, moment, span, upper
from pbem.engine.event import Event
from pbem.engine.match import Match
from pbem.engine.obligation import ORDERS, THINGS
from pbem.home.gamefile import GameFile, names_of
from pbem.home.people import Person
from pbem.home.root import Home
from pbem.home.unpacking import Kind
from pbem.protocol.authorchain import Fork
from pbem.protocol.canonical import Plain
from pbem.protocol.card import Card
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN, Offer
from pbem.protocol.kinds import PLAY
from pbem.protocol.record import Record, parse_message, parse_record
from pbem.protocol.ruling import rulers

_NAMED = 4  # records that a sentence names
_DIFFERENCES = 8  # of a data file that are told
_LONGEST = 60  # characters of a value there
_DIGEST = 16  # digits of its digest


@dataclass(frozen=True, slots=True)
class Undone:
    """The effect of a takeback. Players still know what they have seen."""

    now: str
    """Where the game stands."""
    to: str
    """Where it would stand again."""
    records: tuple[str, ...]
    """Each as `0:5, orders of Alice Kern`."""
    orders: int
    """In these records."""
    dice: int
    """That were thrown since."""
    cards: int
    """That somebody has seen since."""
    happened: tuple[str, ...]
    """What happened since, as its reader may know it."""

    @property
    def way(self) -> str:
        if self.now == self.to:
            return f"to an earlier moment of this step ({self.to})"
        return f"from “{self.now.rstrip('.')}” to “{self.to.rstrip('.')}”"

    @property
    def sum(self) -> str:
        """`2 records (0:5, orders of Alice Kern; 1:4, reveal of Bob Silva), 7 orders and 14 dice`."""
        named = "; ".join(self.records[:_NAMED])
        more = f"; and {len(self.records) - _NAMED} more" if len(self.records) > _NAMED else ""
        sums = [f"{many(len(self.records), 'record')} ({named}{more})"]
        sums += [many(self.orders, "order")] if self.orders else []
        sums += [f"{self.dice} {'die' if self.dice == 1 else 'dice'}"] if self.dice else []
        sums += [f"{many(self.cards, 'card')} that somebody has seen"] if self.cards else []
        return all_of(sums)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record of a game, for `log`."""

    by: int
    name: str
    seq: int
    kind: str
    id: str
    at: int
    arrived: int
    text: str
    message: str


DOES = {
    "offer": "offers a game",
    "join": "joins",
    "decline": "declines",
    "start": "starts the game",
    "reveal": "reveals dice or choices",
    "release": "supplies cards",
    "resign": "resigns",
    "tie": "offers a draw",
    "takeback": "proposes to go back",
    "answer": "answers",
    "claim": "claims what the game waits for",
    "ruling": "rules",
    "rekey": "changes the key",
    "migrate": "proposes newer rules",
    "end": "signs the result",
    "open_all": "reveals all secrets for the audit",
}
"""What a record does by its kind, without its author."""


_MODES = {"strict": "strict dice", "umpire": "the umpire's dice", "open": "open dice (anyone can look ahead)"}
_SEALED = (("hide", "secret choice"), ("standing", "standing order"))


def full_name(card: Card) -> str:
    return f"{card.name} <{card.email}>" if card.email else card.name


def clash(card: Card, other: Person) -> str:
    """Two keys under one name or address."""
    return (
        f"Take care: {full_name(card)} is not the {full_name(other.card)} whom you know, whose fingerprint is "
        f"{other.fingerprint}. Two different keys: compare fingerprints before you play."
    )


def act(record: Record) -> str:
    """What one record does, without its author's name."""
    data = record.data
    if record.kind == "orders":
        orders = len(data["orders"])
        parts = [many(orders, "order")] if orders else []
        parts += [many(len(data[key]), one) for key, one in _SEALED if data.get(key)]
        return f"seals {all_of(parts)}"
    if record.kind == "resign":
        return f"resigns for {', '.join(data['seats'])}"
    if record.kind == "answer":
        return f"answers {'yes' if data['yes'] else 'no'}"
    if record.kind == "claim":
        return f"claims {all_of(_claimed(data['owed']))}"
    if record.kind == "ruling":
        why = f": {data['why']}" if data["why"] else ""
        return f"rules {data['what']}{_extent(data)}{why}"
    if record.kind == "decline":
        what = "takes the offer back" if record.seq else "declines"
        what += " and leaves the tournament" if data.get("leave") else ""
        return f"{what}{': ' + data['why'] if data['why'] else ''}"
    if record.kind == "end":
        return "signs the result"
    return DOES[record.kind]


def _claimed(owed: Sequence[Sequence[Any]]) -> list[str]:
    """What a claim names: the seats whose orders are missing, and what else programs owe, by kind."""
    seats = [str(item[1]) for item in owed if item[0] == "orders"]
    others = {THINGS[str(item[0])] for item in owed if item[0] != "orders"}
    return [*([f"orders for {all_of(seats)}"] if seats else []), *sorted(others)]


def _extent(ruling: Mapping[str, Any]) -> str:
    """For which seats, or for how long, a ruling is."""
    if ruling["what"] == "forfeit":
        return f" for {', '.join(ruling['seats'])}"
    if ruling["what"] == "adjudge":
        return f": {ruling['winner']} wins" if ruling["winner"] is not None else ": a draw"
    if ruling["what"] == "extension":
        hours = max(1, ruling["seconds"] // 3_600)
        return f" by {many(hours // 24, 'day') if hours % 24 == 0 else many(hours, 'hour')}"
    return ""


def line(game: GameFile, record: Record) -> str:
    return f"{game.name_of(record)} {act(record)}"


def stands_at(
    match: Match[Any], name: Callable[[int], str], own: Collection[str] = (), short: Callable[[str], str] = str
) -> str:
    """Where the game stands: what is asked. A prompt speaks to the player who is asked, so others read that name first.

    `name` gives a player's name by number, `own` are the reader's seats, `short` cuts the prompt.
    """
    asked = [each for each in match.pending() if each.what == ORDERS]
    if not asked:
        return "waiting for dice and cards"
    for seat in (seat for each in asked for seat in each.seats if seat in own):
        return short(match.machine.prompt(seat))
    names = all_of([name(each.by) for each in asked])
    return f"{names} {'is' if len(asked) == 1 else 'are'} asked: {short(match.machine.prompt(asked[0].seats[0]))}"


def what_came(game: GameFile, kind: Kind, taken: Sequence[Record], waiting: Sequence[Record], *, fresh: bool) -> str:
    """One sentence: what the file was."""
    offer = game.offer
    if fresh:
        scenario = f"{game.title}, {offer.scenario}, {_mode(offer)}"
        who = full_name(offer.join.card)
        if kind == "offer":
            return f"Offer of {scenario}, by {who}."
        named = f"{game.name}: {scenario}" if game.name else f"A game of {scenario}"  # somebody else's has no name here
        return f"{named}, offered by {who}."
    later = f" {len(waiting)} more wait for records that have not arrived." if waiting else ""
    if not taken:
        return f"{game.name}: nothing new.{later}" if waiting else f"{game.name}: you had all of this already."
    names = list(dict.fromkeys(game.name_of(record) for record in taken))
    return f"{game.name}: {many(len(taken), 'new record')} by {all_of(names)}.{later}"


def happened(game: GameFile, taken: Iterable[Record], events: Iterable[Event]) -> tuple[str, ...]:
    """Acts by name, then what the game tells of it."""
    quiet = {"orders", "reveal", "release", "end", "open_all", "offer"}
    taken = list(taken)
    lines = [f"{line(game, record)}." for record in taken if record.kind not in quiet]
    if game.log.genesis is None and any(record.kind == "offer" for record in taken):
        lines += terms(game)
    return (*lines, *game.told(events))


def option(name: str, value: object) -> str:
    """As it is typed in an offer."""
    return f"{name} = {('no', 'yes')[value] if isinstance(value, bool) else value}"


def terms(game: GameFile) -> list[str]:
    """What somebody should know of an offer before they join, beyond its first sentence."""
    offer = game.offer
    lines = []
    for by in offer.numbers:
        card = game.card_of(by)
        who = card.name if card is not None else "anyone who joins" if offer.players[by] is None else "invited"
        lines.append(f"{all_of(offer.seats_of(by))}: {who}.")
    if offer.umpire is not None:
        lines.append(f"Umpire: {full_name(offer.umpire)}.")
    place = offer.tournament
    if place is not None:
        lines.append(f"For {place.title}, round {place.round}, board {place.board}.")
    if offer.options:
        lines.append(f"Options: {', '.join(option(*each) for each in sorted(offer.options.items()))}.")
    if offer.clock["move"]:
        lines.append(f"A move should take at most {span(offer.clock['move'])}.")
    if offer.clock["bank"]:
        lines.append(f"Beyond that each player has {span(offer.clock['bank'])} in the bank.")
    if offer.clock["days_off"]:
        off = [day for bit, day in enumerate(_DAYS) if offer.clock["days_off"] >> bit & 1]
        lines.append(f"The clocks stand still on {all_of(off)} (UTC).")
    if offer.expires:
        lines.append(f"It can be joined until {moment(offer.expires)}.")
    if offer.silence:
        lines.append(
            f"No umpire: a player who has not answered for {offer.silence} days after a claim may lose by forfeit."
        )
    elif offer.umpire is None and len(offer.players) > 1:
        lines.append("No umpire, and no forfeits: nobody loses by not answering.")
    return lines + own_files(game)


def own_files(game: GameFile) -> list[str]:
    """The data files that an offer brings in place of the game's, each with its digest and how it differs."""
    offer, lines = game.offer, list[str]()
    if not offer.replaced or game.rules is None:
        return lines
    usual, (_, own) = game.rules.data, game.newest()
    for name, digest in offer.replaced:
        found = list(islice(_differing(usual[name], own[name]), _DIFFERENCES + 1))
        more = "; and more" if len(found) > _DIFFERENCES else ""
        changed = "; ".join(found[:_DIFFERENCES]) or "its contents are the same"
        lines.append(
            f"Take care: in place of the game's data file {name!r} it uses one of {offer.join.card.name}'s own, digest "
            f"{digest.hex()[:_DIGEST]}: {changed}{more}."
        )
    return lines


def _differing(usual: Plain, own: Plain, place: str = "") -> Iterator[str]:
    """Where two values differ, and how, in the order in which they are written."""
    if isinstance(usual, dict) and isinstance(own, dict):
        for key in dict.fromkeys((*usual, *own)):
            yield from _differing(usual.get(key), own.get(key), f"{place}.{key}" if place else str(key))
    elif isinstance(usual, list | tuple) and isinstance(own, list | tuple):
        for n, (one, other) in enumerate(zip_longest(usual, own), start=1):
            yield from _differing(one, other, f"{place}[{n}]")
    elif usual != own:
        yield f"{place or 'all of it'}: {_brief(own)} instead of {_brief(usual)}"


def _brief(value: Plain) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def messages(game: GameFile, taken: Iterable[Record]) -> tuple[str, ...]:
    """What the others wrote beside their records."""
    found = []
    for record in taken:
        raw = game.store.loose("messages", record.id) if record.note is not None else None
        if raw is not None:
            found.append(f"{game.name_of(record)} writes: {parse_message(raw).text}")
    return tuple(found)


def _mode(offer: Offer) -> str:
    dice = _MODES[offer.mode]
    if not offer.decks or offer.mode == "open":
        return dice
    return f"{dice}, hidden cards {'dealt by the umpire' if offer.umpire else 'shuffled by both programs'}"


def log(home: Home, name: str) -> list[LogLine]:
    """The records of a game in the order in which they took effect."""
    game = home.load(name)
    return [_log_line(game, record) for record in game.replay.records()]


def _log_line(game: GameFile, record: Record) -> LogLine:
    raw = game.store.loose("messages", record.id) if record.note is not None else None
    return LogLine(
        by=record.by,
        name=game.name_of(record),
        seq=record.seq,
        kind=record.kind,
        id=record.id.hex(),
        at=record.at,
        arrived=game.store.arrived(record.by, record.seq),
        text=act(record),
        message=parse_message(raw).text if raw is not None else "",
    )


_SHOWN = 8


def fork_notice(game: GameFile) -> str:
    """The first fork on which no ruling holds yet, and what can be done about it; nothing if there is none."""
    genesis = game.log.genesis
    if genesis is None:
        return ""
    for fork in game.log.forks:
        if fork.keep is None:
            needed = rulers(genesis, frozenset((fork.by,)))
            kept = {by: keep for by, keep in game.log.chosen(fork).items() if by in needed}
            return _split(game, fork, kept) if len(set(kept.values())) > 1 else _undecided(game, fork, needed, kept)
    return ""


def _undecided(game: GameFile, fork: Fork, needed: tuple[int, ...], kept: dict[int, bytes]) -> str:
    first = game.log.id_at(fork.by, fork.seq) or b""
    waiting = ", ".join(game.player_name(by) for by in needed if by not in kept)
    said = "".join(f" {game.player_name(by)} keeps {keep.hex()[:_SHOWN]}." for by, keep in sorted(kept.items()))
    agree = " Agree on it first: nobody can rule on it twice." if len(needed) > 1 else ""
    return (
        f"{game.player_name(fork.by)} signed two records {fork.seq}, {first.hex()[:_SHOWN]} and "
        f"{fork.first.hex()[:_SHOWN]}. The game waits for a ruling by {waiting}: "
        f"pbem rule {game.name} branch --keep RECORD --drop RECORD.{said}{agree}"
    )


def _split(game: GameFile, fork: Fork, kept: dict[int, bytes]) -> str:
    who = all_of(game.player_name(by) for by in sorted(kept))
    return (
        f"{who} have ruled differently on the two records {fork.seq} of {game.player_name(fork.by)}, and nobody can "
        "rule on one fork twice. So this game cannot go on: nothing that is signed in it from now on counts for "
        f"everybody, not even a resignation. The proof of the fork still convicts {game.player_name(fork.by)}. "
        "Start a new game: pbem new"
    )


Vector = Sequence[tuple[int, int]]


def undone(game: GameFile, to: Vector) -> Undone:
    """What lies between this vector and now; refused if nobody can go back there (MEA-9)."""
    then = dict(to)
    target = game.match.earlier(tuple(to))
    records: list[str] = []
    happened: list[str] = []
    orders = dice = 0
    for record, accepted in game.replay.history():
        if record.seq < then[record.by] or game.log.id_at(record.by, record.seq) != record.id:
            continue
        if record.kind in PLAY:
            records.append(f"{record.by}:{record.seq}, {record.kind} of {game.player_name(record.by)}")
        if record.kind == "orders":
            orders += len(record.data["orders"])
        dice += sum(len(draw.results) for draw in accepted.draws)
        happened += game.told(accepted.events)
    return Undone(
        now=_stand(game, game.match),
        to=_stand(game, target),
        records=tuple(records),
        orders=orders,
        dice=dice,
        cards=len({slot for slot, _ in _seen_cards(game.match) - _seen_cards(target)}),
        happened=tuple(happened),
    )


def open_proposal(game: GameFile) -> tuple[int, Undone] | None:
    """Who asks to go back, and what that would undo; None: nobody does."""
    match = game.replay.match
    for proposal in match.position.proposals.values() if match is not None else ():
        if proposal.what == "takeback":
            return proposal.by, undone(game, proposal.to)
    return None


def proposed(game: GameFile) -> str:
    """The same as a sentence."""
    try:
        found = open_proposal(game)
    except Refusal:
        return ""  # the game cannot be shown as it stood then; the proposal itself was judged when it came
    if found is None:
        return ""
    by, what = found
    return f"{game.player_name(by)} proposes to go back {what.way}. That would undo {what.sum}."


def _stand(game: GameFile, match: Match[Any]) -> str:
    return stands_at(match, game.player_name, short=lambda prompt: prompt.partition(". ")[0])


def _seen_cards(match: Match[Any]) -> set[tuple[str, Any]]:
    """The slots whose cards somebody has seen, each with who has: a player, or None for everybody."""
    if match.genesis.mode == OPEN:
        return set(match.position.hands.items())
    decks = match.ledger.decks
    held = {(slot, by) for by in match.genesis.players for slot in decks.held(by)}
    return held | {(slot, None) for slot in decks.public()}


_CROSSED = 8


def claim_notice(game: GameFile) -> str:
    """The claims that stand, what they are about, and what can be done; later, on what a forfeit stands."""
    if game.log.genesis is None or game.offer.umpire is not None:
        return ""
    if game.match.position.put_out:
        return _account(game)
    barrier, me = game.match.position.barrier, game.me
    lines = []
    for key, claim in barrier.claims.items():
        silent = barrier.silent(key)
        if not silent:
            continue
        owing = names_of(game, silent)
        verb = "owe" if me is not None and (me.by in silent or len(silent) > 1) else "owes"
        line = upper(f"{names_of(game, (claim.by,))} claimed what {owing} {verb} ({_dates(game, key)}).")
        if me is not None and me.by in silent:
            line += f" If you do not send it, you may be removed from the game from {moment(ripe(game, key))} on."
        elif me is not None:
            seats = " ".join(f"--seat {seat}" for player in sorted(silent) for seat in game.offer.seats_of(player))
            line += f" From {moment(ripe(game, key))} on: pbem rule {game.name} forfeit {seats}"
        lines.append(line)
    return " ".join(lines)


def _account(game: GameFile) -> str:
    """The dates of a forfeit and of its claim, and what crossed it (MEA-10)."""
    log, out = game.log, game.match.position.put_out
    ruling = next(iter(out.values()))
    by, seq = log.find(ruling) or (0, 0)
    cited = parse_record(game.raw_of(by, seq)).data.get("claim")
    line = f"The forfeit is {_dates(game, ruling)}"
    line += f"; its claim is {_dates(game, cited)}." if cited is not None else "."
    seen = log.past_at(by, seq)
    for player in out:
        for number in range(seen[log.column(player)], log.count(player))[:_CROSSED]:
            record = parse_record(game.raw_of(player, number))
            if record.kind in PLAY and log.past_at(player, number)[log.column(by)] <= seq:
                dates = _dates(game, record.id)
                line += f" {upper(names_of(game, (player,)))} sent {record.kind} without having seen it ({dates})."
    return line


def _dates(game: GameFile, record_id: bytes) -> str:
    """When a record was made, as its author says, and when it came here."""
    by, seq = game.log.find(record_id) or (0, 0)
    at, here = parse_record(game.raw_of(by, seq)).at, game.store.arrived(by, seq)
    return f"dated {moment(at)}, here since {moment(here)}"


def forfeited(game: GameFile) -> str:
    """`you were removed from the game by Bob Silva`; empty if no ruling that ended the game did that to anybody."""
    genesis, out = game.log.genesis, game.match.position.put_out
    if genesis is None or not out:
        return ""
    were = "were" if len(out) > 1 or (game.me is not None and game.me.by in out) else "was"
    return f"{names_of(game, out)} {were} removed from the game by {names_of(game, rulers(genesis, frozenset(out)))}"


def awaited(game: GameFile) -> str:
    """Whose ruling would give this home's player the place that they offer to take."""
    genesis, me = game.log.genesis, game.me
    assert genesis is not None
    assert me is not None
    whose = all_of(f"{game.player_name(by)}'s" for by in rulers(genesis, frozenset((me.by,))))
    return f"you offer to play in place of {game.player_name(me.by)}, and wait for {whose} ruling"


def ripe(game: GameFile, claim: bytes) -> int:
    """From when on this home rules a forfeit by this claim."""
    by, seq = game.log.find(claim) or (0, 0)
    return game.store.arrived(by, seq) + game.offer.silence * DAY
