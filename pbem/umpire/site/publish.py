"""Publishing: every page and table of tournaments into a folder, where what has not changed is left as it is.

Only what changed is written, only what was written here is ever taken away. A list in the folder says which files are
ours. It is written before the first of them changes, so that a publishing that died leaves nothing behind that the next
one does not know.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine import Connection

import pbem
from pbem.engine.definition import Game
from pbem.home.disk import Lock
from pbem.kit.datafile import schema
from pbem.protocol.errors import PbemError
from pbem.umpire import UmpireError
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import ArchiveRow, PairingRow, TournamentRow
from pbem.umpire.pairing.pairs import half
from pbem.umpire.site import exports, pages, paths
from pbem.umpire.site.archived import Show, Shown, shown_of
from pbem.umpire.site.exports import dumps, files
from pbem.umpire.site.gather import Picture, gather
from pbem.umpire.site.luck import Report, report_of
from pbem.umpire.umpiredesk import UmpireDesk

LIST: Final = ".pbem-site.json"
FRESH: Final = ".pbem-fresh"
LOCK: Final = ".pbem-lock"
MAX_LIST: Final = 64 << 20
_PART = r"[a-z0-9][a-z0-9_-]{0,63}(?:\.[a-z0-9]{1,8}){0,2}"
_PATH: Final = re.compile(rf"{_PART}(?:/{_PART}){{0,3}}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class Written:
    """The outcome of publishing."""

    files: int = 0
    """All that the site has now."""
    bytes: int = 0
    written: int = 0
    removed: int = 0
    kept: list[str] = field(default_factory=list)
    """Ours once, changed since by somebody else, and no longer part of the site: left alone."""


class Folder:
    """Between `open` and its end files are put aside; at its end they take their places one by one."""

    def __init__(self, root: Path, held: dict[str, str], made: dict[str, str]) -> None:
        self._root = root
        self._held = held
        """Paths with the digests of what was written."""
        self._made = made
        self._new: dict[str, str] = {}
        self._new_made: dict[str, str] = {}
        self._staged: list[str] = []
        self._bytes = 0

    def put(self, path: str, raw: bytes) -> None:
        """A file of the site; written only if what is there differs."""
        digest = sha256(raw).hexdigest()
        self._enter(path, digest, len(raw))
        if self._held.get(path) == digest and self._digest(path) == digest:
            return
        aside = self._root / FRESH / path
        aside.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(raw)
        self._staged.append(path)

    def read(self, path: str, key: str) -> bytes | None:
        """What was made from `key` the last time, if it is still as it was written."""
        if self._made.get(path) != key:
            return None
        target = self._target(path)
        raw = target.read_bytes() if target.is_file() else b""
        return raw if sha256(raw).hexdigest() == self._held.get(path) else None

    def keep(self, paths: Sequence[str], key: str) -> bool:
        """The files stay as they were made from `key` the last time; False: they have to be made."""
        if any(self._made.get(path) != key or self._digest(path) != self._held.get(path) for path in paths):
            return False
        for path in paths:
            self._enter(path, self._held[path], self._target(path).stat().st_size)
            self._new_made[path] = key
        return True

    def made(self, path: str, key: str) -> None:
        """`path` follows from `key` alone."""
        self._new_made[path] = key

    def _enter(self, path: str, digest: str, size: int) -> None:
        if not _PATH.fullmatch(path) or path in self._new:
            raise ValueError(path)
        target = self._target(path)
        if path not in self._held and target.exists():
            raise _foreign(path)
        self._new[path] = digest
        self._bytes += size

    def _target(self, path: str) -> Path:
        """Never through a link, wherever it leads, nor where a folder of ours has to be and is none."""
        target = self._root
        for part in path.split("/"):
            target = target / part
            if target.is_symlink() or (target != self._root / path and target.is_file()):
                raise _foreign(str(target.relative_to(self._root)))
        return target

    def _digest(self, path: str) -> str:
        target = self._target(path)
        return sha256(target.read_bytes()).hexdigest() if target.is_file() else ""

    def finish(self) -> Written:
        done = Written(files=len(self._new), bytes=self._bytes, written=len(self._staged))
        gone = [path for path in self._held if path not in self._new]
        if self._staged or gone or self._new_made != self._made:
            self._write_list({**self._held, **self._new}, {})
        for path in self._staged:
            target = self._target(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise _foreign(path)
            os.replace(self._root / FRESH / path, target)  # noqa: PTH105
        for path in gone:
            found = self._digest(path)
            if found == self._held[path]:
                self._target(path).unlink()
                done.removed += 1
                self._prune(path)
            elif found:
                done.kept.append(path)
        shutil.rmtree(self._root / FRESH, ignore_errors=True)
        self._write_list(self._new, self._new_made)
        return done

    def _prune(self, path: str) -> None:
        for parent in list(Path(path).parents)[:-1]:
            folder = self._root / parent
            if any(folder.iterdir()):
                return
            folder.rmdir()

    def _write_list(self, files: Mapping[str, str], made: Mapping[str, str]) -> None:
        value = {"files": dict(sorted(files.items())), "made": dict(sorted(made.items())), "v": 1}
        raw = json.dumps(value, indent=0, sort_keys=True).encode() + b"\n"
        path = self._root / LIST
        if path.is_file() and path.read_bytes() == raw:
            return
        aside = self._root / f"{LIST}.new"
        aside.unlink(missing_ok=True)  # whatever it is: a link would lead what is written elsewhere
        with aside.open("xb") as file:
            file.write(raw)
        os.replace(aside, path)  # noqa: PTH105


@contextmanager
def publishing(root: Path) -> Iterator[Folder]:
    """The folder, with everything of an earlier publishing known. Nothing has been touched when this is refused."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        root = root.resolve()
        held, made = _read_list(root / LIST)
        for name in (FRESH, LOCK):
            if (root / name).is_symlink() or ((root / name).is_file() and (root / name).stat().st_nlink > 1):
                raise _foreign(name)
        with Lock(root / LOCK, patience=0.2, busy="Somebody else ({}) is publishing into this folder. Try later."):
            shutil.rmtree(root / FRESH, ignore_errors=True)
            try:
                yield Folder(root, held, made)
            finally:
                shutil.rmtree(root / FRESH, ignore_errors=True)
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise UmpireError("E-UMPIRE-SITE", f"The folder {str(root)!r} cannot be written: {said}.") from error


def _read_list(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    if path.is_symlink():
        raise _foreign(LIST)
    if not path.is_file():
        return {}, {}
    if path.stat().st_size > MAX_LIST:
        raise _broken()
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise _broken() from None
    if not isinstance(value, dict) or value.keys() != {"files", "made", "v"} or value["v"] != 1:
        raise _broken()
    return _paths(value["files"]), _paths(value["made"])


def _paths(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(
        isinstance(digest, str) and _PATH.fullmatch(path) and _DIGEST.fullmatch(digest)
        for path, digest in value.items()
    ):
        raise _broken()
    return value


def _broken() -> UmpireError:
    return UmpireError(
        "E-UMPIRE-SITE",
        f"The list {LIST} of this folder is damaged, so it is not known which files are pbem's. "
        "Publish into a new folder.",
    )


def _foreign(path: str) -> UmpireError:
    return UmpireError(
        "E-UMPIRE-SITE",
        f"{path!r} already exists, and pbem did not write it. Nothing was changed. Publish into a folder of its own.",
    )


def key_of(*parts: str) -> str:
    """What a file was made from, as one digest."""
    return sha256("\0".join(parts).encode()).hexdigest()


_FORM = "3"
"""Of what is made of an archive and kept: raised when pages made before have to be made anew."""
Tell = Callable[[str, int, int], None]
"""Hears of progress: what, how many are done, of how many."""


@dataclass(slots=True)
class Published:
    """The outcome of publishing tournaments. `checked`: archives that were verified now, and not earlier."""

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
            place = f"{tournament.name}/" if len(names) != 1 else ""
            site = Site(
                db, tournament, folder, place, _game(desk, tournament), at, show, done, tell, tables_only=tables_only
            )
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
        folder: Folder,
        place: str,
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
        self._place = place
        self._show = show
        self._done = done
        self._tell = tell
        self._pages = not tables_only
        self.picture: Picture = gather(db, tournament, at, game)
        self._made = pages.Pages(self.picture)

    def _put(self, path: str, raw: bytes, key: str = "") -> None:
        """`key`: what the file alone follows from."""
        self._folder.put(self._place + path, raw)
        if key:
            self._folder.made(self._place + path, key)

    def write(self) -> None:
        """Pages that others link to come first: while they take their places, no link leads nowhere."""
        picture = self.picture
        shown = dict(self._archives())
        report, numbers = report_of(picture, shown)
        tables = exports.tables(picture, shown, [(numbers[each.player], each) for each in report.rows])
        if self._pages:
            self._write_pages(shown, report, numbers)
        for name, raw in files(tables, picture.tournament.name):
            self._put(paths.data(name), raw)
        self._put(paths.GAME_SCHEMA, dumps(schema("umpire-game")))
        if self._pages:
            self._put(paths.INDEX, self._made.overview(tables))
        self._done.games += len(picture.games)

    def _write_pages(self, shown: Mapping[int, Shown], report: Report, numbers: Mapping[str, int]) -> None:
        picture, made, put = self.picture, self._made, self._put
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
                    self._put(paths.archive(row), self._blob(archive))
                    self._done.archives += 1
            except PbemError as error:
                if error.code == "E-UMPIRE-SITE":
                    raise
                self._done.faults.append(f"{row.label}: {error}")
                continue
            if not found.ok:
                self._done.faults.append(f"{row.label}: {found.fault}")
            yield row.id, found
        self._tell("archives", len(kept), len(kept))

    def _shown(self, row: PairingRow, archive: ArchiveRow) -> Shown:
        picture = self.picture
        players = [f"{number} {picture.players[number].name}" for number in row.entrants]
        key = key_of(pbem.__version__, _FORM, archive.sha256.hex(), row.label, picture.title, pages.style(), *players)
        found = _kept(self._folder.read(self._place + paths.facts(row), key))
        drawn = [self._place + path for path in (paths.replay(row), paths.told(row))]
        if found is None or (self._pages and found.steps and not self._folder.keep(drawn, key)):
            links = (("../index.html", picture.title), (f"{paths.slug(row)}.html", f"Game {row.label}"))
            found = self._show(self._blob(archive), picture.hide, links)
            self._done.checked += 1
            if found.steps and self._pages:
                self._put(paths.replay(row), picture.hide(found.page).encode(), key)
                self._put(paths.told(row), self._made.log(row, found), key)
        self._put(paths.facts(row), dumps(self._facts(row, found)), key)
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
