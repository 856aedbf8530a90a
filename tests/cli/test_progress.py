"""Whoever waits at a terminal sees how far it has come; a script sees nothing."""

import io
import sys

from pbem.cli import terminal
from pbem.cli.terminal import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, stream):
    now = iter(range(1_000_000))
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(now))
    with Progress("items read") as beat:
        for _ in range(100):
            beat()
    return stream.getvalue()


def test_a_terminal_is_shown_how_far_it_has_come(monkeypatch):
    text = shown(monkeypatch, Terminal())
    assert "\r96 items read ..." in text
    assert text.endswith("\r\x1b[K")


def test_a_script_is_shown_nothing(monkeypatch):
    assert shown(monkeypatch, io.StringIO()) == ""
