"""A desk full of finished games, for benchmarks and tests: real archives, kept as the keeper keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.protocol.canonical import Plain
from pbem.protocol.card import Card, make_card
from pbem.protocol.container import write
from pbem.protocol.keys import Keys
from pbem.umpire import progress
from pbem.umpire.db import queries
from pbem.umpire.db.database import Store
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk

BEGAN = 1_760_000_000
TERMS = """v = 1
title = "{title}"
game = "{game}"
mode = "{mode}"
format = "round_robin"
seeding = "given"
{more}
"""
UNHURRIED = '[clock]\nmove = "30d"\nbank = "30d"\n[keeper]\nremind = 0'


def played(count: int, *, whole: bool = True) -> list[bytes]:
    """Archives of different games of Bridgehead by bots that play anything legal; not `whole`: the first turns."""
    made = []
    for seed in range(count):
        table = Table(find("bridgehead"), umpire=True, mode="umpire", seed=f"full desk {seed}")
        if whole:
            table.play()
        else:
            for _ in range(60):
                table.step()
            table.settle()
        made.append(write(table.archive()))
    return made


def card_of(number: int) -> Card:
    keys = Keys(sha256(b"full desk %d" % number).digest())
    return make_card(keys, f"Player {number:04}", f"player{number}@example.org", BEGAN)


def paired(
    desk: UmpireDesk,
    umpire: Card,
    players: Sequence[Card],
    title: str = "Cup",
    *,
    game: str = "bridgehead",
    mode: str = "umpire",
    more: str = "",
) -> str:
    """A tournament whose first round is paired; its name. `more`: further lines of its terms."""
    terms = parse(TERMS.format(title=title, game=game, mode=mode, more=more).encode())
    name = desk.create(terms, umpire, [NewEntrant(card) for card in players]).name
    desk.pair(name)
    return name


def full_desk(store: Store, archives: Sequence[bytes], count: int, title: str = "Cup") -> UmpireDesk:
    """One round of so many games, all won by who was first, each with one of the archives in turn."""
    desk = UmpireDesk(store, actor="una", clock=lambda: BEGAN)
    name = paired(desk, card_of(0), [card_of(number) for number in range(1, 2 * count + 1)], title)
    with desk.writing(name) as (writing, tournament):
        for number, row in enumerate(queries.pairings(writing.db, tournament.id)):
            progress.archived(writing, row, archives[number % len(archives)], whole=True)
            result: dict[str, Plain] = {"decided": True, "first_points": 2, "how": "played", "pairing": row.id}
            writing.record("result", {**result, "second_points": 0, "text": "Played."})
    return desk
