"""Tables of a tournament for programs and spreadsheets: JSON and CSV of the same rows, and the schema of each.

Everything in them may be read by everybody: no addresses, no keys, nothing odd."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from pbem.umpire.db.deskrows import PairingRow
from pbem.umpire.site import paths
from pbem.umpire.site.archived import Shown
from pbem.umpire.site.gather import Picture
from pbem.umpire.site.luck import Luck, enough
from pbem.umpire.standings import CRITERIA

Value = str | int | float | bool | None | list[str]

_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
}

_FORMULAS: Final = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
"""What begins a formula somewhere; so do the wide forms where one writes Japanese, and all of them after a blank."""


class Field(NamedTuple):
    """A column. `kind` is one of text, int, number, flag, texts; with ? it may be null."""

    name: str
    kind: str
    about: str

    @property
    def schema(self) -> dict[str, Any]:
        kind = _TYPES[self.kind.rstrip("?")]
        shape = {"anyOf": [kind, {"type": "null"}]} if self.kind.endswith("?") else kind
        return {"description": self.about, **shape}


class Table(NamedTuple):
    name: str
    title: str
    fields: tuple[Field, ...]
    rows: Sequence[tuple[Value, ...]]

    def json(self, tournament: str) -> bytes:
        """A row a line: a change shows as one, and it is half the size of a document that is indented."""
        names = [each.name for each in self.fields]
        rows = ",\n".join(_compact(dict(zip(names, row, strict=True))) for row in self.rows)
        name, of = _compact(self.name), _compact(tournament)
        return f'{{"rows":[\n{rows}\n],"table":{name},"tournament":{of},"v":1}}\n'.encode()

    def schema(self) -> dict[str, Any]:
        properties = {each.name: each.schema for each in self.fields}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "properties": {
                "rows": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": properties,
                        "required": list(properties),
                        "additionalProperties": False,
                    },
                },
                "table": {"const": self.name},
                "tournament": {"type": "string"},
                "v": {"const": 1},
            },
            "required": ["rows", "table", "tournament", "v"],
            "additionalProperties": False,
        }

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([each.name for each in self.fields])
        writer.writerows([[_cell(cell) for cell in row] for row in self.rows])
        return out.getvalue()


def safe_cell(cell: Any) -> Any:
    """No text from outside becomes a formula in a spreadsheet."""
    if not isinstance(cell, str) or not (cell[:1].isspace() or cell[:1] in _FORMULAS):
        return cell
    return f"'{cell}"


def _cell(cell: Value) -> Any:
    match cell:
        case None:
            return ""
        case bool():
            return int(cell)
        case list():
            return safe_cell(" ".join(cell))
    return safe_cell(cell)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"


def files(tables: Iterable[Table], tournament: str) -> Iterable[tuple[str, bytes]]:
    """Names with bytes: `standings.json`, `standings.csv`, `standings.schema.json`, and so on."""
    for each in tables:
        yield f"{each.name}.json", each.json(tournament)
        yield f"{each.name}.csv", each.csv().encode()
        yield f"{each.name}.schema.json", dumps(each.schema())


_GAME: Final = Field("game", "text", "round and board, such as 2.14, or 2.14b for the second of a mirrored pair")
_NUMBER: Final = Field("number", "int", "of the entrant")
_NAME: Final = Field("name", "text", "of the entrant")


def tables(picture: Picture, shown: Mapping[int, Shown], lucks: Iterable[tuple[int, Luck]]) -> list[Table]:
    """`shown`: what the archives of finished games showed, by pairing."""
    return [
        _standings(picture),
        _pairings(picture),
        _games(picture, shown),
        _players(picture),
        _moves(picture),
        _ratings(picture),
        _dice(picture, lucks),
    ]


def points(half_points: int | None) -> float | None:
    return None if half_points is None else half_points / 2


def _standings(picture: Picture) -> Table:
    order = picture.tournament.terms.standings
    fields = (
        Field("place", "int", "those whom nothing parts share one"),
        _NUMBER,
        _NAME,
        Field("withdrawn", "flag", "is paired no more"),
        Field("games", "int", "that were played"),
        Field("won", "int", "of these"),
        Field("drawn", "int", "of these"),
        Field("lost", "int", "of these"),
        *(Field(each, "number?", CRITERIA[each]) for each in order),
    )
    rows: list[tuple[Value, ...]] = [
        (
            row.place, row.number, picture.name(row.number), row.out, row.played, row.won, row.drawn, row.lost,
            *(None if each is None else float(each) for each in row.figures),
        )
        for row in picture.standings
    ]  # fmt: skip
    return Table("standings", "Standings", fields, rows)


_SIDES: Final = (
    Field("first", "int", "number of the entrant with the first side"),
    Field("first_name", "text", "his name"),
    Field("second", "int?", "number of the entrant with the second side; null: a bye"),
    Field("second_name", "text", "his name; empty: a bye"),
)


def _both(picture: Picture, row: PairingRow) -> tuple[Value, ...]:
    second = "" if row.second is None else picture.name(row.second)
    return row.first, picture.name(row.first), row.second, second


def _pairings(picture: Picture) -> Table:
    fields = (
        Field("round", "int", ""),
        _GAME,
        Field("board", "int", ""),
        Field("mirror", "int", "1 and 2: the games of a mirrored pair; 0: a game by itself"),
        *_SIDES,
        Field("first_points", "number?", "null: no result yet"),
        Field("second_points", "number?", "null: no result yet, or a bye"),
        Field("how", "text", "played, forfeit, adjudged, no-show (nobody played), bye; empty: no result yet"),
        Field("why", "texts", "why the pairing is so"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            each.round, each.label, each.board, each.mirror, *_both(picture, each), points(each.first_points),
            points(each.second_points), each.how, [picture.hide(why) for why in each.why],
        )
        for row in picture.rounds
        for each in row.pairings
    ]  # fmt: skip
    return Table("pairings", "Pairings", fields, rows)


def _games(picture: Picture, shown: Mapping[int, Shown]) -> Table:
    fields = (
        _GAME,
        *_SIDES,
        Field("first_points", "number?", "null: no result yet"),
        Field("second_points", "number?", "null: no result yet"),
        Field("state", "text", "paired, offered (not begun), playing, over (the result may still change), decided"),
        Field("how", "text", "played, forfeit, adjudged, no-show (nobody played); empty: no result yet"),
        Field("result", "text", "in words"),
        Field("began_at", "int", "when the start came to the umpire, seconds since 1970; 0: not yet"),
        Field("decided_at", "int", "0: not yet"),
        Field("moves", "int", "answers in the ledger"),
        Field("offer", "text", "id of the game's offer in hex; empty: none yet"),
        Field("archive_sha256", "text", "of the archive that the umpire keeps; empty: none"),
        Field("archive_bytes", "int", "its size"),
        Field("verified", "flag", "every signature, order, die and card of the archive checks"),
        Field("audited", "flag", "all secrets are open in it, and check, too"),
        Field("state_hash", "text", "of the last state"),
        Field("records", "int", "in the archive"),
        Field("orders", "int", "in the archive"),
        Field("dice", "int", "in the archive"),
    )
    rows: list[tuple[Value, ...]] = []
    for each in picture.games:
        archive, seen = picture.archives.get(each.id), shown.get(each.id)
        rows.append(
            (
                each.label, *_both(picture, each), points(each.first_points), points(each.second_points), each.state,
                each.how, picture.hide(each.text), each.began_at, each.decided_at,
                len(picture.moves.get(each.id, ())), "" if each.offer is None else each.offer.hex(),
                "" if archive is None else archive.sha256.hex(), 0 if archive is None else archive.size,
                *((False, False, "", 0, 0, 0) if seen is None else
                  (seen.ok, seen.whole, seen.state, seen.records, seen.orders, seen.dice)),
            )
        )  # fmt: skip
    return Table("games", "Games", fields, rows)


def charged(picture: Picture) -> dict[int, list[int]]:
    """What every entrant's answers took, in seconds without days off."""
    found: dict[int, list[int]] = {number: [] for number in picture.players}
    for rows in picture.moves.values():
        for row in rows:
            found.setdefault(row.entrant, []).append(row.charged)
    return found


def _players(picture: Picture) -> Table:
    fields = (
        _NUMBER,
        _NAME,
        Field("fingerprint", "text", "of his key, in words"),
        Field("withdrawn", "flag", "is paired no more"),
        Field("rating", "int", "that he entered with"),
        Field("deviation", "int", "of that"),
        Field("rating_now", "number?", "after the last round that is complete"),
        Field("deviation_now", "number?", "of that"),
        Field("answers", "int", "in the ledger"),
        Field("median_seconds", "int?", "that an answer took, without days off"),
        Field("longest_seconds", "int?", ""),
        Field("page", "text", "of his, beside the tables"),
    )
    times = charged(picture)
    rows: list[tuple[Value, ...]] = []
    for each in picture.players.values():
        last = picture.ratings.get(each.number, ())[-1:]
        spent = times[each.number]
        rows.append(
            (
                each.number, each.name, each.fingerprint, each.out, each.rating, each.deviation,
                round(last[0].rating, 2) if last else None, round(last[0].deviation, 2) if last else None, len(spent),
                round(median(spent)) if spent else None, max(spent) if spent else None, paths.player(each.number),
            )
        )  # fmt: skip
    return Table("players", "Players", fields, rows)


def _moves(picture: Picture) -> Table:
    fields = (
        _GAME,
        Field("move", "int", "in this game, from 1"),
        _NUMBER,
        _NAME,
        Field("what", "text", "that was asked: orders, a reveal, and so on"),
        Field("asked_at", "int", "when the question was delivered, by the umpire's statement"),
        Field("answered_at", "int", "when the answer did"),
        Field("signed_at", "int", "what the answer says of itself"),
        Field("charged", "int", "seconds without days off"),
        Field("record", "text", "id of the answer's record, in hex"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            each.label, row.number, row.entrant, picture.name(row.entrant), row.what, row.asked_at, row.answered_at,
            row.signed_at, row.charged, row.record.hex(),
        )
        for each in picture.games
        for row in picture.moves.get(each.id, ())
    ]  # fmt: skip
    return Table("moves", "The ledger of response times", fields, rows)


def _ratings(picture: Picture) -> Table:
    fields = (
        Field("round", "int", "after which"),
        _NUMBER,
        _NAME,
        Field("rating", "number", "Glicko-2"),
        Field("deviation", "number", "in 95 of 100 cases the strength lies within 1.96 of these"),
        Field("volatility", "number", ""),
    )
    rows: list[tuple[Value, ...]] = [
        (
            each.round, each.entrant, picture.name(each.entrant), round(each.rating, 2), round(each.deviation, 2),
            round(each.volatility, 6),
        )
        for number in sorted(picture.ratings)
        for each in picture.ratings[number]
    ]  # fmt: skip
    return Table("ratings", "Ratings", fields, rows)


def _dice(picture: Picture, lucks: Iterable[tuple[int, Luck]]) -> Table:
    fields = (
        _NUMBER,
        _NAME,
        Field("sides", "int", "of the die"),
        Field("games", "int", "in which he threw it"),
        Field("dice", "int", "how many fell"),
        Field("mean", "number", ""),
        Field("expected", "number", "of fair dice"),
        Field("low", "number", "from here"),
        Field("high", "number", "to here the means of 95 of 100 fair samples of this size lie"),
        Field("tested", "flag", "there are enough to tell anything"),
        Field("p_mean", "number", "chance that the mean of fair dice is so far off"),
        Field("p_faces", "number", "chance that fair dice are so uneven"),
        Field("p_corrected", "number", "the rarer of both, corrected for how many were tested"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            number, picture.name(number), each.sides, each.games, each.test.count, round(each.test.mean, 6),
            each.test.expected, round(each.test.low, 6), round(each.test.high, 6), enough(each.test),
            round(each.mean_p, 6), round(each.test.p, 6), round(each.corrected, 6),
        )
        for number, each in lucks
    ]  # fmt: skip
    return Table("dice", "Dice", fields, rows)
