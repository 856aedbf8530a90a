"""Servers of a tool's own that end with it, however it is stopped."""

from __future__ import annotations

import signal
import time
from typing import Protocol


class Server(Protocol):
    def start(self) -> None: ...

    def remove(self) -> None:
        """Ends it and takes away its folder."""


class Serving:
    """Runs a server until Ctrl-C, SIGTERM or SIGHUP, then removes it. A signal that comes while the server is being
    started or removed waits until that is done: a half-started server would be left behind."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._stopping = False

    def __enter__(self) -> Serving:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            self._server.start()
        except BaseException:
            self._server.remove()
            raise
        return self

    def wait(self) -> None:
        while not self._stopping:
            time.sleep(0.2)

    def __exit__(self, *_: object) -> None:
        self._server.remove()

    def _stop(self, *_: object) -> None:
        self._stopping = True
