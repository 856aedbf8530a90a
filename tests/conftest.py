"""Tests that need more than Python run where it is: mail servers, PostgreSQL, a browser. Where not, the run says so."""

from __future__ import annotations

import os

import pytest

from tools import browser, mailservers, postgres

# The mark, the variable by which they are required, what can be lacking, and what is then not tested.
OUTSIDE = (
    (
        "servers",
        "PBEM_MAIL_SERVERS",
        mailservers.lacking,
        "mail through real servers (tests/mail/test_mail_servers.py)",
    ),
    ("postgres", "PBEM_POSTGRES", postgres.lacking, "the umpire's desk in PostgreSQL (tests/umpire)"),
    ("browser", "PBEM_BROWSER", browser.lacking, "pages in a real browser (tests/browser)"),
)


def pytest_collection_modifyitems(config, items):
    for mark, variable, lacking, what in OUTSIDE:
        why = lacking()
        if not why:
            continue
        left = [item for item in items if item.get_closest_marker(mark)]
        if left and os.environ.get(variable) == "required":
            raise pytest.UsageError(f"The tests of {what} are wanted and cannot run: {why}.")
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter):
    for _, _, lacking, what in OUTSIDE:
        if why := lacking():
            terminalreporter.write_line(f"NOT TESTED: {what}: {why}.", red=True, bold=True)
