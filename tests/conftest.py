"""Tests against real mail servers run where the servers are; where they are not, the run says so aloud."""

from __future__ import annotations

import os

import pytest

from tools.mailservers import lacking


def pytest_collection_modifyitems(config, items):
    why = lacking()
    if not why:
        return
    left = [item for item in items if item.get_closest_marker("servers")]
    if left and os.environ.get("PBEM_MAIL_SERVERS") == "required":
        raise pytest.UsageError(f"The tests against real mail servers are wanted and cannot run: {why}.")
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter):
    why = lacking()
    if why:
        terminalreporter.write_line(
            f"NOT TESTED: mail through real servers (tests/mail/test_mail_servers.py): {why}.", red=True, bold=True
        )
