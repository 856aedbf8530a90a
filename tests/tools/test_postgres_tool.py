"""The tests' own PostgreSQL: left out aloud, or the run fails; and a server that nobody else can reach."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tools import postgres


class Item:
    def get_closest_marker(self, mark):
        return mark if mark == "postgres" else None


@pytest.fixture
def without(monkeypatch):
    monkeypatch.setattr(postgres, "binaries", lambda: None)
    monkeypatch.delenv("PBEM_POSTGRES", raising=False)


def config(left):
    return SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: left.extend(items)), getoption=lambda _: False
    )


def test_without_a_server_its_tests_are_left_out_and_that_is_said(without):
    items, left, said = [Item()], [], []
    conftest.pytest_collection_modifyitems(config(left), items)
    assert (len(items), len(left)) == (0, 1)
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=lambda text, **style: said.append(text)))
    (text,) = (each for each in said if "PostgreSQL" in each)
    assert text.startswith("NOT TESTED: ")
    assert "make postgres" in text


def test_where_it_is_required_the_run_fails(without, monkeypatch):
    monkeypatch.setenv("PBEM_POSTGRES", "required")
    with pytest.raises(pytest.UsageError, match="PostgreSQL"):
        conftest.pytest_collection_modifyitems(config([]), [Item()])


@pytest.mark.postgres
def test_the_server_is_on_a_socket_of_its_own_and_leaves_nothing():
    import psycopg

    server = postgres.Postgres()
    try:
        server.start()
        with psycopg.connect(server.fresh()) as connection:
            shown = connection.execute("SHOW listen_addresses").fetchone()
            data = connection.execute("SHOW data_directory").fetchone()
        assert shown == ("",)
        assert data == (str(server.data),)
        pid = int((server.data / "postmaster.pid").read_text().split()[0])
        assert Path(f"/proc/{pid}").stat().st_uid != 0
    finally:
        server.remove()
    assert not server.folder.exists()
