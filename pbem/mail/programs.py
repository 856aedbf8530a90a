"""The player's own programs: run with patience that ends, also when what they leave running keeps their output open."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Thread
from typing import Final

_LONGEST: Final = 16 << 10


def output(command: Sequence[str], patience: float) -> tuple[int, bytes]:
    """How it ended, and the beginning of what it printed, kept in memory only. Its errors go to the terminal.

    Raises OSError when it cannot be started, subprocess.TimeoutExpired when it takes too long.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as program:  # noqa: S603
        assert program.stdout is not None
        said: list[bytes] = []
        # `communicate` would wait for every child of the program. This reader may be left behind, with an end of its
        # own of the pipe.
        reader = Thread(target=_read, args=(os.dup(program.stdout.fileno()), said), daemon=True)
        reader.start()
        try:
            ended = program.wait(patience)
        except BaseException:
            program.kill()
            raise
        reader.join(1)
        return ended, b"".join(said)


def _read(fd: int, said: list[bytes]) -> None:
    with suppress(OSError), os.fdopen(fd, "rb", buffering=0) as pipe:
        while sum(map(len, said)) < _LONGEST and (part := pipe.read(_LONGEST)):
            said.append(part)


def fed(command: Sequence[str], text: bytes, patience: float) -> tuple[int, bytes]:
    """How a program ended that was given this text, and the beginning of its errors. Raises as `output` does."""
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(text)
        given.seek(0)
        done = subprocess.run(  # noqa: S603
            command, stdin=given, stdout=subprocess.DEVNULL, stderr=errors, timeout=patience, check=False
        )
        errors.seek(0)
        return done.returncode, errors.read(_LONGEST)
