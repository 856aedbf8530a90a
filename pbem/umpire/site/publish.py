"""Publishing: every page and table of tournaments into a folder, what has not changed left as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

import pbem
from pbem.engine.definition import Game
from pbem.kit.datafile import schema
from pbem.protocol.errors import PbemError
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import ArchiveRow, PairingRow, TournamentRow
from pbem.umpire.pairing.pairs import half
from pbem.umpire.site import exports, pages, paths
from pbem.umpire.site.archived import Show, Shown, shown_of
from pbem.umpire.site.exports import dumps, files
from pbem.umpire.site.folder import Part, Written, key_of, publishing
from pbem.umpire.site.gather import Picture, gather
from pbem.umpire.site.luck import Report, report_of
from pbem.umpire.umpiredesk import UmpireDesk
from pbem.umpire.umpireerror import UmpireError

_FORM = "3"
"""Of what is made of an archive and kept: raised when pages made before have to be made anew."""
Tell = Callable[[str, int, int], None]
"""Hears of progress: what, how many are done, of how many."""


@dataclass(slots=True)
class Published:
    """What was published. `checked`: archives that were verified now, and not an earlier time."""

    tournaments: list[str] = field(default_factory=list)
    games: int = 0
    checked: int = 0
    archives: int = 0
    faults: list[str] = field(default_factory=list)
    written: Written = field(default_factory=Written)


def publish(
    desk: UmpireDesk,
    root: Path,
    names: Sequence[str] = (),
    *,
    at: int,
    show: Show,
    tables_only: bool = False,
    tell: Tell = lambda _what, _done, _all: None,
) -> Published:
    """One tournament that is named at the top of the folder; else all, or those named, each in a folder of its name.
    The same database at the same time gives the same bytes."""
    done = Published()
    with ExitStack() as stack:
        db = stack.enter_context(desk.store.reading())
        found = [queries.tournament(db, name) for name in dict.fromkeys(names)] or queries.tournaments(db)
        folder = stack.enter_context(publishing(root))  # made only when there is something to publish
        pictures = []
        for tournament in found:
            part = Part(folder, tournament.name if len(names) != 1 else "")
            site = Site(db, tournament, part, _game(desk, tournament), at, show, done, tell, tables_only=tables_only)
            site.write()
            done.tournaments.append(tournament.name)
            pictures.append(site.picture)
        if len(names) != 1 and not tables_only:
            folder.put(paths.INDEX, pages.index(pictures, at))
        done.written = folder.finish()
    return done


def _game(desk: UmpireDesk, tournament: TournamentRow) -> Game[Any] | None:
    """None: it is not installed here; then sides have the names of the terms."""
    try:
        return desk.game_of(tournament)
    except PbemError:
        return None


class Site:
    def __init__(
        self,
        db: Connection,
        tournament: TournamentRow,
        folder: Part,
        game: Game[Any] | None,
        at: int,
        show: Show,
        done: Published,
        tell: Tell,
        *,
        tables_only: bool,
    ) -> None:
        self._session = db
        self._folder = folder
        self._show = show
        self._done = done
        self._tell = tell
        self._pages = not tables_only
        self.picture: Picture = gather(db, tournament, at, game)
        self._made = pages.Pages(self.picture)

    def write(self) -> None:
        """Pages that others link to come first: while they take their places, no link leads nowhere."""
        picture = self.picture
        shown = dict(self._archives())
        report, numbers = report_of(picture, shown)
        tables = exports.tables(picture, shown, [(numbers[each.player], each) for each in report.rows])
        if self._pages:
            self._write_pages(shown, report, numbers)
        for name, raw in files(tables, picture.tournament.name):
            self._folder.put(paths.data(name), raw)
        self._folder.put(paths.GAME_SCHEMA, dumps(schema("umpire-game")))
        if self._pages:
            self._folder.put(paths.INDEX, self._made.overview(tables))
        self._done.games += len(picture.games)

    def _write_pages(self, shown: Mapping[int, Shown], report: Report, numbers: Mapping[str, int]) -> None:
        picture, made, put = self.picture, self._made, self._folder.put
        for row in picture.games:
            found = shown.get(row.id)
            put(paths.game(row), made.game(row, found, archive=found is not None and found.ok and self._offers(row)))
        for number in picture.players:
            put(paths.player(number), made.player(number, report, numbers))
        for each in picture.rounds:
            put(paths.round_(each.number), made.round(each))
        put(paths.DICE, made.dice(report, numbers))
        put(paths.PLAYERS, made.players())
        put(paths.GAMES, made.games(shown))
        put(paths.STANDINGS, made.standings())

    def _offers(self, row: PairingRow) -> bool:
        """Whether the game's archive is there to be taken: only if the terms say so, since it holds addresses."""
        return self.picture.tournament.terms.site.archives and row.id in self.picture.archives

    def _archives(self) -> Iterator[tuple[int, Shown]]:
        """What the archives show, each checked once: what was made of it the last time stands."""
        kept = [row for row in self.picture.games if row.id in self.picture.archives]
        for number, row in enumerate(kept):
            self._tell("archives", number, len(kept))
            archive = self.picture.archives[row.id]
            try:
                found = self._shown(row, archive)
                if found.ok and self._offers(row):
                    self._folder.put(paths.archive(row), self._blob(archive))
                    self._done.archives += 1
            except PbemError as error:
                if error.code == "E-UMPIRE-SITE":
                    raise
                self._done.faults.append(f"{row.label}: {error.code}: {error.sentence}")
                continue
            if not found.ok:
                self._done.faults.append(f"{row.label}: {found.fault}")
            yield row.id, found
        self._tell("archives", len(kept), len(kept))

    def _shown(self, row: PairingRow, archive: ArchiveRow) -> Shown:
        folder, picture = self._folder, self.picture
        players = [f"{number} {picture.players[number].name}" for number in row.entrants]
        key = key_of(pbem.__version__, _FORM, archive.sha256.hex(), row.label, picture.title, pages.style(), *players)
        found = _kept(folder.read(paths.facts(row), key))
        if found is None or (
            self._pages and found.steps and not folder.keep([paths.replay(row), paths.told(row)], key)
        ):
            links = (("../index.html", picture.title), (f"{paths.slug(row)}.html", f"Game {row.label}"))
            found = self._show(self._blob(archive), picture.hide, links)
            self._done.checked += 1
            if found.steps and self._pages:
                folder.put(paths.replay(row), picture.hide(found.page).encode())
                folder.put(paths.told(row), self._made.log(row, found))
                folder.made(paths.replay(row), key)
                folder.made(paths.told(row), key)
        folder.put(paths.facts(row), dumps(self._facts(row, found)))
        folder.made(paths.facts(row), key)
        return found

    def _facts(self, row: PairingRow, found: Shown) -> dict[str, Any]:
        """A game that was verified, for programs."""
        points = (row.first_points, row.second_points)
        return {
            "archive": self.picture.archives[row.id].sha256.hex(),
            "first": row.first,
            "game": row.label,
            "result": " – ".join(half(each) for each in points if each is not None),
            "second": row.second,
            "shown": self.picture.hide.all(found.plain()),
            "v": 1,
        }

    def _blob(self, archive: ArchiveRow) -> bytes:
        raw = queries.blob(self._session, archive.sha256)
        if raw is None:
            raise UmpireError("E-UMPIRE-JOURNAL", "The bytes of its archive are missing: pbem umpire check")
        if sha256(raw).digest() != archive.sha256:
            raise UmpireError("E-UMPIRE-JOURNAL", "The bytes of its archive are damaged: pbem umpire check")
        return raw


def _kept(raw: bytes | None) -> Shown | None:
    if raw is None:
        return None
    try:
        return shown_of(json.loads(raw)["shown"])
    except (ValueError, KeyError, TypeError):
        return None
