"""Run by Alembic, on the connection that `migrate.upgrade` gives it, in its transaction."""

from __future__ import annotations

from alembic import context

from pbem.umpire.db.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=Base.metadata, render_as_batch=connection.dialect.name == "sqlite"
)
context.run_migrations()
