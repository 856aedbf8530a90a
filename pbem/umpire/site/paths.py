"""The places of the pages. Names are made of numbers alone: no name that a person chose becomes a file's name."""

from __future__ import annotations

from pbem.umpire.db.deskrows import PairingRow

INDEX = "index.html"
STANDINGS = "standings.html"
PLAYERS = "players.html"
GAMES = "games.html"
DICE = "dice.html"
GAME_SCHEMA = "data/game.schema.json"


def player(number: int) -> str:
    return f"players/{number}.html"


def round_(number: int) -> str:
    return f"rounds/{number}.html"


def slug(row: PairingRow) -> str:
    """`2-14b`."""
    return row.label.replace(".", "-")


def game(row: PairingRow) -> str:
    return f"games/{slug(row)}.html"


def replay(row: PairingRow) -> str:
    return f"games/{slug(row)}-replay.html"


def told(row: PairingRow) -> str:
    return f"games/{slug(row)}-log.html"


def facts(row: PairingRow) -> str:
    return f"games/{slug(row)}.json"


def archive(row: PairingRow) -> str:
    return f"games/{slug(row)}.pbem"


def data(name: str) -> str:
    return f"data/{name}"
