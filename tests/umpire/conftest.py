"""Databases for the tests of the desk: the same tests run in SQLite and in PostgreSQL."""

from __future__ import annotations

import pytest
from mailed_cup import mailed_cup

from pbem.umpire.db.database import Store
from tools.postgres import Postgres

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres():
    """One server for all tests; each has a database of its own."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(params=KINDS)
def url(request, tmp_path):
    """The address of a new database."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").fresh()
    return str(tmp_path / "desk.db")


@pytest.fixture
def store(url):
    made = Store.open(url)
    yield made
    made.close()


@pytest.fixture
def post(tmp_path):
    """Una, Alice and Bob, and a tournament of one game that is called."""
    yield from mailed_cup(tmp_path)
