"""An archive as the commands read it: a stream that can be read again, from a file, a text or standard input."""

# Importing pathlib would cost `pbem verify` a fifth of its start.
# ruff: noqa: PTH110, PTH112, PTH113, PTH123

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import BytesIO

import click

from pbem.cli.out import Progress
from pbem.protocol.container import Item, bounded, is_container, read_stream
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_MAIL, MIB

_HEAD = 8
_SAMPLE = 1_000
MAX_PIPED = 256 * MIB


class ArchiveFile:
    """The items of a file. Each pass reads it anew; no more than one container is held in memory."""

    def __init__(self, name: str, path: str | None = None, held: bytes = b"") -> None:
        self.name = name
        self._path = path
        self._held = held

    def __iter__(self) -> Iterator[Item]:
        with (
            Progress("items read") as beat,
            BytesIO(self._held) if self._path is None else open(self._path, "rb") as file,
        ):
            for item in bounded(read_stream(file)):
                beat()
                yield item


def check_file(name: str) -> None:
    """Refuses, as wrong usage, a name that is no file."""
    if name == "-":
        return
    if os.path.isdir(name):
        raise click.UsageError(f"{name!r} is a folder, not a file.")
    if os.path.exists(name) and not os.path.isfile(name):
        raise click.UsageError(f"{name!r} is a pipe or a device, not a file. - is standard input.")
    if not os.path.exists(name):
        raise click.UsageError(f"There is no file {name!r}. A game at your table becomes one with: pbem archive GAME")


def first_in(name: str) -> ArchiveFile:
    return files_in(name)[0]


def files_in(name: str) -> list[ArchiveFile]:
    """The file itself, or those that a text or a mail carries, found as `pbem open` finds them."""
    check_file(name)
    if name == "-":
        raw = sys.stdin.buffer.read(MAX_PIPED + 1)
        if len(raw) > MAX_PIPED:
            raise Refusal("E-LARGE", f"More than {MAX_PIPED // MIB} MiB came by the pipe: give a file.", step="FIL-4")
    else:
        with open(name, "rb") as file:
            if is_container(file.read(_HEAD)):
                return [ArchiveFile(name, path=name)]
            file.seek(0)
            raw = file.read(MAX_MAIL + 1)
    blocks = _carried(raw)
    if len(blocks) == 1:
        return [ArchiveFile(name, held=blocks[0])]
    return [ArchiveFile(f"{name} ({n} of {len(blocks)})", held=raw) for n, raw in enumerate(blocks, 1)]


def _carried(raw: bytes) -> tuple[bytes, ...]:
    if is_container(raw[:_HEAD]) or not raw or b"\0" in raw[:_SAMPLE]:
        return (raw,)  # no text: the reader says what is wrong with it
    from pbem.table import letter

    return letter.blocks(raw)
