"""The entrants of a tournament: players' cards from a folder, or a CSV file that names them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.home import unpacking
from pbem.home.disk import read
from pbem.home.unpacking import unwrap
from pbem.protocol.card import Card
from pbem.protocol.errors import Refusal
from pbem.umpire import UmpireError, wrong_file

MAX_ENTRANTS: Final = 4_096
_MAX_CSV: Final = 8 << 20
_MAX_CARD_FILE: Final = 1 << 20
_COLUMNS: Final = {"card", "rating", "deviation"}
_MOST: Final = 4_000


@dataclass(frozen=True, slots=True)
class NewEntrant:
    card: Card
    rating: int | None = None
    deviation: int | None = None


def read_entrants(path: Path) -> tuple[NewEntrant, ...]:
    """From a folder (every file in it, in the order of their names) or a CSV file; nobody twice."""
    found = list(_from_folder(path) if path.is_dir() else _from_csv(path))
    if not found:
        raise _wrong(f"There is no card in {path}.")
    if len(found) > MAX_ENTRANTS:
        raise _wrong(f"{len(found):,} entrants are more than a tournament takes ({MAX_ENTRANTS:,}).")
    seen: dict[bytes, str] = {}
    for each in found:
        if each.card.identity in seen:
            raise _wrong(f"{each.card.name} is entered twice in {path}.")
        seen[each.card.identity] = each.card.name
    return tuple(found)


def cards_in(raw: bytes, where: str) -> list[Card]:
    """The cards in a file as players export them, binary or as text."""
    try:
        return [card for block in unpacking.blocks(raw) for card in unwrap(block).cards]
    except Refusal as refusal:
        raise _wrong(f"{where} holds no card that can be read: {refusal.sentence}") from None


def _from_folder(folder: Path) -> Iterator[NewEntrant]:
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            yield from map(NewEntrant, cards_in(read(path, _MAX_CARD_FILE) or b"", path.name))


def _from_csv(path: Path) -> Iterator[NewEntrant]:
    """Columns `card` (a file, seen from the CSV file), and if wanted `rating` and `deviation`."""
    raw = read(path, _MAX_CSV)
    if raw is None:
        raise _wrong(f"There is no file {path}.")
    try:
        rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise _wrong(f"{path.name} is not a CSV file in UTF-8: {error}.") from None
    if len(rows) > MAX_ENTRANTS:
        raise _wrong(f"{len(rows):,} entrants are more than a tournament takes ({MAX_ENTRANTS:,}).")
    for number, row in enumerate(rows, start=2):
        unknown = sorted(str(key) for key in row.keys() - _COLUMNS)
        name = (row.get("card") or "").strip()
        if unknown or not name or "\0" in name:
            raise _wrong(
                f"{path.name}, line {number}: the columns are card, rating, deviation; each line needs a card."
            )
        file = path.parent / name
        cards = cards_in(read(file, _MAX_CARD_FILE) or b"", f"{path.name}, line {number}: {name}")
        if len(cards) != 1:
            raise _wrong(f"{path.name}, line {number}: {name} holds {len(cards)} cards; it must hold exactly one.")
        yield NewEntrant(
            cards[0], _number(row, "rating", path.name, number), _number(row, "deviation", path.name, number)
        )


def _number(row: dict[str, str | None], column: str, name: str, line: int) -> int | None:
    text = (row.get(column) or "").strip()
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) > _MOST:
        raise _wrong(f"{name}, line {line}: {column} is a whole number up to {_MOST:,}.")
    return int(text)


def _wrong(sentence: str) -> UmpireError:
    return wrong_file("E-UMPIRE-ENTRANTS", sentence)
