"""What a file is that `pbem verify` finds no started game in, what of it can be checked, and which command reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.cli.text import plural
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import PbemError
from pbem.protocol.record import Record, parse_record

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
        f"{'The card' if one else 'Cards'} of {who}. {'Its signature holds' if one else 'Their signatures hold'}; "
        f"whose the key is, only the fingerprint read by the person can tell. There is no game in it. "
        f"Add it to your contacts with: {OPEN}"
    )


def _offer(record: Record, kinds: Counter[str]) -> str:
    from pbem.protocol.genesis import offer_of

    offer = offer_of(record)
    answers = "".join(f", with {plural(kinds[kind], kind)}" for kind in ("join", "decline") if kinds[kind])
    who = f"{'the umpire ' if offer.umpire is not None else ''}{offer.join.card.name}"
    return (
        f"An offer of {offer.rules.module}, {offer.scenario}, by {who}{answers}. The game has not "
        f"started: only signatures and terms can be checked, and there are no orders, dice or cards yet. "
        f"Read it, and answer it, with: {OPEN}"
    )


def _part(kinds: Counter[str]) -> str:
    return (
        f"{plural(kinds.total(), 'record')} from the middle of a game ({', '.join(sorted(kinds))}), without its "
        "beginning. "
        f"Alone, only the form can be checked; signatures, dice and rules are, where the rest is, by: {OPEN}. "
        "A whole game is made for `pbem verify` by: pbem archive GAME"
    )
