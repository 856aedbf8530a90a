"""Servers for the tests that are marked `servers`: one pair per module, with mailboxes of its own."""

from __future__ import annotations

import shutil

import pytest
from served import BEYOND_ASCII, Served

from tools.mailservers import MailServers


@pytest.fixture(scope="module")
def servers():
    made = MailServers({"alice": 0, "bob": 0, "carla": 0, "emil": 0, "full": 40_000})
    users = made.folder / "users"
    users.write_text(users.read_text().replace(f"{{PLAIN}}{made.password('emil')}", f"{{PLAIN}}{BEYOND_ASCII}"))
    try:
        made.start()
        yield made
    finally:
        made.remove()


@pytest.fixture
def served(servers, tmp_path):
    """The servers with empty mailboxes, and homes that use them."""
    for user in servers.users:
        box = servers.box(user)
        if box.exists():
            shutil.rmtree(box)
    return Served(servers, tmp_path)
