"""Tables of a tournament for programs and spreadsheets: JSON and CSV of the same rows, and the schema of each.

Everything in them may be read by everybody: no addresses, no keys, no anomalies."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from statistics import median
from typing import Any, Final, NamedTuple

from pbem.umpire.db.deskrows import ArchiveRow, PairingRow
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
        """One row on each line: a change shows as one line, and the file is half the size of an indented one."""
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
        writer.writerows([[cell(value) for value in row] for row in self.rows])
        return out.getvalue()


def cell(value: Any) -> Any:
    """A value in a spreadsheet. No text from outside becomes a formula there."""
    match value:
        case None:
            return ""
        case bool():
            return int(value)
        case list() if all(isinstance(each, str) for each in value):
            value = " ".join(value)
        case list() | dict():
            return _compact(value)
    return f"'{value}" if isinstance(value, str) and (value[:1].isspace() or value[:1] in _FORMULAS) else value


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


# The tables. A column is its field, and what a row of the picture has in it.

_Column = tuple[Field, Callable[[Any], Value]]


def column(name: str, kind: str, about: str, of: Callable[[Any], Value] | None = None) -> _Column:
    """Of the field of that name, unless it says otherwise."""
    return Field(name, kind, about), of or attrgetter(name)


def table(name: str, title: str, rows: Iterable[Any], *columns: _Column) -> Table:
    return Table(name, title, tuple(each for each, _ in columns), [tuple(of(row) for _, of in columns) for row in rows])


def points(half_points: int | None) -> float | None:
    return None if half_points is None else half_points / 2


def charged(picture: Picture) -> dict[int, list[int]]:
    """What every entrant's answers took, in seconds without days off."""
    found: dict[int, list[int]] = {number: [] for number in picture.players}
    for rows in picture.moves.values():
        for row in rows:
            found.setdefault(row.entrant, []).append(row.charged)
    return found


def tables(picture: Picture, shown: Mapping[int, Shown], lucks: Iterable[tuple[int, Luck]]) -> list[Table]:
    """`shown`: what the archives of finished games showed, by pairing."""

    def entrant(of: Callable[[Any], int]) -> tuple[_Column, _Column]:
        return (
            column("number", "int", "number of the entrant", of),
            column("name", "text", "name of the entrant", lambda row: picture.name(of(row))),
        )

    game = column(
        "game",
        "text",
        "round and board, such as 2.14, or 2.14b for the second game of a mirrored pair",
        attrgetter("label"),
    )
    sides = (
        column("first", "int", "number of the entrant with the first side"),
        column("first_name", "text", "name of the entrant with the first side", lambda row: picture.name(row.first)),
        column("second", "int?", "number of the entrant with the second side; null: a bye"),
        column(
            "second_name", "text", "name of the entrant with the second side; empty: a bye",
            lambda row: "" if row.second is None else picture.name(row.second),
        ),
    )  # fmt: skip
    scores = (
        column(
            "first_points", "number?", "points of the first; null: no result yet", lambda row: points(row.first_points)
        ),
        column(
            "second_points",
            "number?",
            "points of the second; null: no result yet, or a bye",
            lambda row: points(row.second_points),
        ),
    )
    order = picture.tournament.terms.standings
    games = {each.id: each for each in picture.games}
    times = charged(picture)
    last = {number: rows[-1] for number, rows in picture.ratings.items() if rows}
    none = Shown(ok=False, whole=False, fault="", state="", records=0, orders=0, dice=0, cards=0)

    def seen(name: str, kind: str, about: str, of: str) -> _Column:
        return column(name, kind, about, lambda row: getattr(shown.get(row.id, none), of))

    def kept(row: PairingRow) -> ArchiveRow | None:
        return picture.archives.get(row.id)

    def now(name: str, about: str, of: str) -> _Column:
        return column(
            name, "number?", about,
            lambda row: round(getattr(last[row.number], of), 2) if row.number in last else None,
        )  # fmt: skip

    def spent(name: str, about: str, of: Callable[[list[int]], float]) -> _Column:
        return column(name, "int?", about, lambda row: round(of(times[row.number])) if times[row.number] else None)

    def placed(at: int, name: str) -> _Column:
        return column(
            name, "number?", CRITERIA[name], lambda row: None if row.figures[at] is None else float(row.figures[at])
        )

    def figure(name: str, about: str, of: Callable[[Luck], float]) -> _Column:
        return column(name, "number", about, lambda row: round(of(row[1]), 6))

    return [
        table(
            "standings", "Standings", picture.standings,
            column("place", "int", "place; entrants who are level by all criteria share one"),
            *entrant(attrgetter("number")),
            column("withdrawn", "flag", "is no longer paired", attrgetter("out")),
            column("games", "int", "games that were played", attrgetter("played")),
            column("won", "int", "games won, of these"),
            column("drawn", "int", "games drawn, of these"),
            column("lost", "int", "games lost, of these"),
            *(placed(at, name) for at, name in enumerate(order)),
        ),
        table(
            "pairings", "Pairings", [each for row in picture.rounds for each in row.pairings],
            column("round", "int", "number of the round"),
            game,
            column("board", "int", "number of the board"),
            column("mirror", "int", "1 and 2: the games of a mirrored pair; 0: a game by itself"),
            *sides,
            *scores,
            column("how", "text", "played, forfeit, adjudged, no-show (nobody played), bye; empty: no result yet"),
            column("why", "texts", "reasons for the pairing", lambda row: [picture.hide(why) for why in row.why]),
        ),
        table(
            "games", "Games", picture.games,
            game,
            *sides,
            *scores,
            column("state", "text", "paired, offered (not begun), playing, over (the result may change), decided"),
            column("how", "text", "played, forfeit, adjudged, no-show (nobody played); empty: no result yet"),
            column("result", "text", "result in words", lambda row: picture.hide(row.text)),
            column("began_at", "int", "when the start came to the umpire, seconds since 1970; 0: not yet"),
            column("decided_at", "int", "when the result became final, seconds since 1970; 0: not yet"),
            column("moves", "int", "number of answers in the ledger", lambda row: len(picture.moves.get(row.id, ()))),
            column("offer", "text", "id of its offer in hex; empty: none yet", lambda row: (row.offer or b"").hex()),
            column(
                "archive_sha256", "text", "SHA-256 of the archive that the umpire keeps; empty: none",
                lambda row: "" if (held := kept(row)) is None else held.sha256.hex(),
            ),
            column(
                "archive_bytes", "int", "size of this archive",
                lambda row: 0 if (held := kept(row)) is None else held.size,
            ),
            seen("verified", "flag", "every signature, order, die and card of the archive is valid", "ok"),
            seen("audited", "flag", "all its secrets are open, and are valid", "whole"),
            seen("state_hash", "text", "hash of the last state", "state"),
            seen("records", "int", "number of records in the archive", "records"),
            seen("orders", "int", "number of orders in the archive", "orders"),
            seen("dice", "int", "number of dice in the archive", "dice"),
        ),
        table(
            "players", "Players", picture.players.values(),
            *entrant(attrgetter("number")),
            column("fingerprint", "text", "fingerprint of the entrant's key, in words"),
            column("withdrawn", "flag", "is no longer paired", attrgetter("out")),
            column("rating", "int", "rating at entry"),
            column("deviation", "int", "deviation of the rating at entry"),
            now("rating_now", "rating after the last complete round", "rating"),
            now("deviation_now", "deviation of that rating", "deviation"),
            column("answers", "int", "number of answers in the ledger", lambda row: len(times[row.number])),
            spent("median_seconds", "median time of an answer, without days off", median),
            spent("longest_seconds", "longest time of an answer, without days off", max),
            column(
                "page", "text", "the player's page, as a path in the tournament's folder",
                lambda row: paths.player(row.number),
            ),
        ),
        table(
            "moves", "The ledger of response times",
            [each for row in picture.games for each in picture.moves.get(row.id, ())],
            (game[0], lambda row: games[row.pairing].label),
            column("move", "int", "number of the answer in this game, from 1", attrgetter("number")),
            *entrant(attrgetter("entrant")),
            column("what", "text", "what was asked: orders, a reveal, and so on"),
            column("asked_at", "int", "when the question was delivered, by the umpire's statement"),
            column("answered_at", "int", "when the answer arrived"),
            column("signed_at", "int", "time stated in the answer itself"),
            column("charged", "int", "time that the answer took, in seconds without days off"),
            column("record", "text", "id of the answer's record, in hex", lambda row: row.record.hex()),
        ),
        table(
            "ratings", "Ratings", [each for number in sorted(picture.ratings) for each in picture.ratings[number]],
            column("round", "int", "the round after which this is the rating"),
            *entrant(attrgetter("entrant")),
            column("rating", "number", "Glicko-2", lambda row: round(row.rating, 2)),
            column(
                "deviation", "number", "in 95 of 100 cases the strength lies within 1.96 deviations of the rating",
                lambda row: round(row.deviation, 2),
            ),
            column("volatility", "number", "volatility (Glicko-2)", lambda row: round(row.volatility, 6)),
        ),
        table(
            "dice", "Dice", lucks,
            *entrant(itemgetter(0)),
            column("sides", "int", "sides of the die", lambda row: row[1].sides),
            column("games", "int", "number of games in which the player rolled it", lambda row: row[1].games),
            column("dice", "int", "number of rolls", lambda row: row[1].test.count),
            figure("mean", "mean of the rolls", lambda each: each.test.mean),
            figure("expected", "mean of fair dice", lambda each: each.test.expected),
            figure(
                "low", "lower end of the range in which 95 of 100 means of so many fair dice lie",
                lambda each: each.test.low,
            ),
            figure("high", "upper end of that range", lambda each: each.test.high),
            column("tested", "flag", "there are enough rolls for a test", lambda row: enough(row[1].test)),
            figure("p_mean", "chance that the mean of fair dice is at least this far off", lambda each: each.mean_p),
            figure("p_faces", "chance that fair dice are at least this uneven", lambda each: each.test.p),
            figure("p_corrected", "the smaller of the two, corrected for the number of tests", attrgetter("corrected")),
        ),
    ]  # fmt: skip
