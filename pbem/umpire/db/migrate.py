"""Bringing a database up to date, by the program itself: never anything for the umpire to do by hand."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text
from sqlalchemy.engine import Connection

from pbem.umpire.umpireerror import UmpireError

_LOCK = 0x7062656D  # of PostgreSQL's advisory locks


def config(connection: Connection | None = None) -> Config:
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made


def newest() -> str:
    head = ScriptDirectory.from_config(config()).get_current_head()
    assert head is not None
    return head


def current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine) -> str:
    """What was done, as a sentence; empty when the tables are those of this pbem. One process at a time does it."""
    wanted = newest()
    with engine.connect() as connection:
        if current(connection) == wanted:
            return ""
    with engine.connect() as plain:
        connection = plain.execution_options(pbem_writing=True)
        with connection.begin():
            if engine.url.get_backend_name() == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            before = current(connection)
            if before == wanted:
                return ""
            known = {each.revision for each in ScriptDirectory.from_config(config()).walk_revisions()}
            if before is not None and before not in known:
                raise UmpireError(
                    "E-UMPIRE-DB", "This database was written by a newer pbem. Update pbem on this machine."
                )
            command.upgrade(config(connection), "head")
    return "The database was made." if before is None else "The database was brought up to date."
