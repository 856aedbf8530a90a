"""An archive as the commands read it: a stream that can be read again, from a file, a text or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import click

from pbem.protocol import armour
from pbem.protocol.container import Item, is_container, read_stream
from pbem.protocol.limits import MAX_TEXT

_HEAD = 8


class ArchiveFile:
    """The items of a file. Each pass reads it anew; no more than one container is held in memory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._path = Path(name)
        self._held: bytes | None = None
        if name == "-":
            self._held = _unwrapped(sys.stdin.buffer.read())
            return
        if self._path.is_dir():
            raise click.UsageError(f"{name!r} is a folder, not a file.")
        if not self._path.exists():
            raise click.UsageError(f"There is no file {name!r}.")
        with self._path.open("rb") as file:
            if not is_container(file.read(_HEAD)):
                file.seek(0)
                self._held = _unwrapped(file.read(MAX_TEXT + 1))

    def __iter__(self) -> Iterator[Item]:
        if self._held is not None:
            yield from read_stream(BytesIO(self._held))
            return
        with self._path.open("rb") as file:
            yield from read_stream(file)


def _unwrapped(raw: bytes) -> bytes:
    """The file in an armoured text; bytes that hold none stay what they are, for the reader to refuse."""
    if is_container(raw[:_HEAD]) or len(raw) > MAX_TEXT:
        return raw
    return armour.find(raw.decode("utf-8", "replace")) or raw
