"""Words for what happened: people, records and events as sentences. Text from files is passed on as it is; whoever
shows it escapes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.engine.event import Event
from pbem.engine.match import Match
from pbem.engine.obligation import ORDERS, THINGS
from pbem.protocol.canonical import unpack
from pbem.protocol.card import Card
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Offer
from pbem.protocol.limits import MAX_ITEM
from pbem.protocol.record import Record, parse_message
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.owndata import check_files
from pbem.table.parcel import Kind
from pbem.table.people import Person

_KINDS = {
    "offer": "offers the game",
    "join": "joins",
    "decline": "declines",
    "start": "starts the game",
    "reveal": "revealed what was owed",
    "release": "gave out cards",
    "resign": "resigns",
    "tie": "offers a draw",
    "takeback": "asks to go back",
    "answer": "answers",
    "claim": "claims what the game waits for",
    "ruling": "rules",
    "rekey": "changes the key",
    "migrate": "asks to go on under newer rules",
    "end": "signs the result",
    "open_all": "opens everything for the audit",
}


_MODES = {"strict": "strict dice", "umpire": "the umpire's dice", "open": "open dice (anyone can look ahead)"}
_SEALED = (("hide", "secret choice"), ("standing", "standing order"))


def how_many(count: int, one: str) -> str:
    return f"{count} {one}{'' if count == 1 else 's'}"


def full_name(card: Card) -> str:
    return f"{card.name} <{card.email}>" if card.email else card.name


def clash(card: Card, other: Person) -> str:
    """Two keys under one name or address."""
    return (
        f"Take care: {full_name(card)} is not the {full_name(other.card)} whom you know, whose fingerprint is "
        f"{other.fingerprint}. Two different keys: compare fingerprints before you play."
    )


def proof_path(context: Context, raw: bytes) -> Path:
    return context.home.proofs / f"proof-{sha256(raw).hexdigest()[:16]}.pbem"


def replaced_files(found: Iterable[tuple[str, bytes]], offer: Offer) -> dict[bytes, bytes]:
    """The data files that the offer names, by digest; E-FORM when one did not come with it.

    Each is of the schema of its kind (E-DATA).
    """
    by_digest = {tagged("pbem1/value", raw): raw for _, raw in found}
    for name, digest in offer.replaced:
        if digest not in by_digest:
            raise Refusal(
                "E-FORM", f"The offer replaces the data file {name!r} by one that did not come with it.", step="STA-7"
            )
    check_files((name, unpack(by_digest[digest], MAX_ITEM)) for name, digest in offer.replaced)
    return {digest: by_digest[digest] for _, digest in offer.replaced}


def act(record: Record) -> str:
    """What one record does, without its author's name."""
    data = record.data
    if record.kind == "orders":
        orders = len(data["orders"])
        parts = [how_many(orders, "order")] if orders else []
        parts += [how_many(len(data[key]), one) for key, one in _SEALED if data.get(key)]
        return f"sealed {_all(parts)}"
    if record.kind == "resign":
        return f"resigns for {', '.join(data['seats'])}"
    if record.kind == "answer":
        return f"answers {'yes' if data['yes'] else 'no'}"
    if record.kind == "claim":
        return f"claims {_all(_claimed(data['owed']))}"
    if record.kind == "ruling":
        why = f": {data['why']}" if data["why"] else ""
        return f"rules {data['what']}{_extent(data)}{why}"
    if record.kind == "decline":
        what = "takes the offer back" if record.seq else "declines"
        what += " and leaves the tournament" if data.get("leave") else ""
        return f"{what}{': ' + data['why'] if data['why'] else ''}"
    if record.kind == "end":
        return "signs the result"
    return _KINDS[record.kind]


def _claimed(owed: Sequence[Sequence[Any]]) -> list[str]:
    """What a claim names: the seats whose orders are missing, and what else programs owe, by kind."""
    seats = [str(item[1]) for item in owed if item[0] == "orders"]
    others = {THINGS[str(item[0])] for item in owed if item[0] != "orders"}
    return [*([f"orders for {_all(seats)}"] if seats else []), *sorted(others)]


def _extent(ruling: Mapping[str, Any]) -> str:
    """For which seats, or for how long, a ruling is."""
    if ruling["what"] == "forfeit":
        return f" for {', '.join(ruling['seats'])}"
    if ruling["what"] == "adjudge":
        return f": {ruling['winner']} wins" if ruling["winner"] is not None else ": a draw"
    if ruling["what"] == "extension":
        hours = max(1, ruling["seconds"] // 3_600)
        return f" by {how_many(hours // 24, 'day') if hours % 24 == 0 else how_many(hours, 'hour')}"
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
        return "dice and cards"
    for seat in (seat for each in asked for seat in each.seats if seat in own):
        return short(match.machine.prompt(seat))
    names = _all([name(each.by) for each in asked])
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
    return f"{game.name}: {how_many(len(taken), 'new record')} by {_all(names)}.{later}"


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
    """What somebody should know of an offer before he joins, beyond its first sentence."""
    offer = game.offer
    lines = []
    for by in offer.numbers:
        card = game.card_of(by)
        who = card.name if card is not None else "whoever joins" if offer.players[by] is None else "invited"
        lines.append(f"{_all(offer.seats_of(by))}: {who}.")
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
        lines.append(f"The clocks stand still on {_all(off)} (UTC).")
    if offer.expires:
        day = datetime.fromtimestamp(offer.expires, tz=UTC).strftime("%Y-%m-%d %H:%M")
        lines.append(f"It can be joined until {day} UTC.")
    if offer.silence:
        lines.append(
            f"No umpire: the others may put out a player who has not answered a claim for {offer.silence} days."
        )
    elif offer.umpire is None and len(offer.players) > 1:
        lines.append("No umpire, and no forfeits: nobody is put out for silence.")
    if offer.replaced:
        files = _all([name for name, _ in offer.replaced])
        lines.append(f"Take care: played with data of {offer.join.card.name}'s own in place of the game's: {files}.")
    return lines


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def span(seconds: int) -> str:
    """`3 days`, `1 day and 12 hours`, `1 minute and 30 seconds`: nothing is cut, for a clock is kept by it."""
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(how_many(count, unit))
    return _all(parts) or how_many(0, "second")


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
    return f"{dice}, private hands {'dealt by the umpire' if offer.umpire else 'without a dealer'}"


def _all(words: Sequence[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)
