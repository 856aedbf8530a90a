"""Homes for tests that go through the real command line."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def reason(self) -> str:
        """The code of the last refusal."""
        lines = [line for line in self.err.splitlines() if line.startswith("Refused: ")]
        found = re.search(r"\[(E-[A-Z0-9-]+)(, [A-Z]+-[0-9]+)?\]$", lines[-1]) if lines else None
        return found[1] if found else ""


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


class _Captured(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="")

    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


def pbem(*arguments: str, home: Path, stdin: str | bytes = "", **environ: str) -> Done:
    """Runs one command in this process, through the same door as the real program."""
    from pbem.cli.run import run

    raw = stdin.encode() if isinstance(stdin, str) else stdin
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = _Captured(), _Captured()
    sys.stdin = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8", newline="")
    sys.stdout, sys.stderr = out, err
    try:
        with _environment({"PBEM_HOME": str(home), "PBEM_PASSPHRASE": "", **environ}):
            code = run(arguments)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    done = Done(code, out.text(), err.text())
    assert "Traceback" not in done.err, done.err
    return done


@dataclass(frozen=True)
class Player:
    """A person with a home."""

    name: str
    home: Path
    opened: set[bytes] = field(default_factory=set, compare=False, repr=False)
    """The files of others that `exchange` has brought."""

    def __call__(self, *arguments: str, stdin: str | bytes = "", code: int = 0) -> Done:
        done = pbem(*arguments, home=self.home, stdin=stdin)
        assert done.code == code, (self.name, arguments, done)
        return done

    def outbox(self) -> list[Path]:
        return sorted(path for path in (self.home / "outbox").rglob("*.pbem") if path.is_file())

    def picture(self) -> dict[str, bytes]:
        """Every file of the home with its bytes, but for what may be deleted at any time."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and path.name != "lock" and "cache" not in path.parts
        }


def settle(folder: Path, name: str, email: str = "") -> Player:
    """A new player with a fresh home and identity."""
    player = Player(name, folder / name.casefold().split()[0])
    player("id", "new", name, "--email", email or f"{name.casefold().split()[0]}@example.org", "--no-passphrase")
    return player


def copied(made: tuple[Path, str], place: Path) -> tuple[Player, Player, str]:
    """Alice, Bob, and the name of their game, in copies of homes that were made before."""
    folder, name = made
    shutil.copytree(folder, place)
    return Player("Alice Kern", place / "alice"), Player("Bob Silva", place / "bob"), name


def meet(*players: Player) -> None:
    """Everybody has everybody's card."""
    for player in players:
        card = player.home.parent / f"{player.home.name}-card.pbem"
        player("id", "export", "-o", str(card))
        for other in players:
            if other is not player:
                other("open", str(card))


def newest(player: Player) -> Path:
    """The file that was written last into the outbox."""
    return max(player.outbox(), key=lambda path: path.stat().st_mtime_ns)


def exchange(*players: Player) -> None:
    """Everybody opens what is new in everybody's outbox, until nobody's program answers any more."""
    while True:
        fresh = [
            (reader, path)
            for writer in players
            for path in writer.outbox()
            for reader in players
            if reader is not writer and path.read_bytes() not in reader.opened
        ]
        if not fresh:
            return
        for reader, path in fresh:
            reader.opened.add(path.read_bytes())
            reader("open", str(path))


def begin(first: Player, *others: Player | str, game: str = "bridgehead") -> str:
    """Offers a game, as its umpire where `me` has no seat; the others join; the name, when the programs have done what
    they owe."""
    players = [each for each in others if isinstance(each, Player)]
    options = [each for each in others if isinstance(each, str)]
    umpired = "umpire" if "me" not in " ".join(options) else ""
    name: str = first(*filter(None, (umpired, "new")), game, *options, "--json").json["game"]
    for player in players:
        player("open", str(newest(first)))
        player("join", name)
    exchange(first, *players)
    return name
