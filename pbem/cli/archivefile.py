"""An archive as the commands read it: a stream that can be read again, from a file, a text or standard input."""

# Importing pathlib would cost `pbem verify` a fifth of its start.
# ruff: noqa: PTH110, PTH112, PTH123

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import BytesIO

import click

from pbem.protocol.container import Item, is_container, read_stream
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_TEXT, MIB

_HEAD = 8
MAX_PIPED = 256 * MIB


class ArchiveFile:
    """The items of a file. Each pass reads it anew; no more than one container is held in memory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._held: bytes | None = None
        if name == "-":
            raw = sys.stdin.buffer.read(MAX_PIPED + 1)
            if len(raw) > MAX_PIPED:
                raise Refusal(
                    "E-LARGE", f"More than {MAX_PIPED // MIB} MiB came by the pipe: give a file.", step="FIL-4"
                )
            self._held = _unwrapped(raw)
            return
        if os.path.isdir(name):
            raise click.UsageError(f"{name!r} is a folder, not a file.")
        if not os.path.exists(name):
            raise click.UsageError(f"There is no file {name!r}.")
        with open(name, "rb") as file:
            if not is_container(file.read(_HEAD)):
                file.seek(0)
                self._held = _unwrapped(file.read(MAX_TEXT + 1))

    def __iter__(self) -> Iterator[Item]:
        if self._held is not None:
            yield from read_stream(BytesIO(self._held))
            return
        with open(self.name, "rb") as file:
            yield from read_stream(file)


def _unwrapped(raw: bytes) -> bytes:
    """The file in an armoured text; bytes that hold none stay what they are, for the reader to refuse."""
    if is_container(raw[:_HEAD]) or len(raw) > MAX_TEXT:
        return raw
    from pbem.protocol import armour

    return armour.find(raw.decode("utf-8", "replace")) or raw
