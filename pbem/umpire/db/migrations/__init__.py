"""Alembic's folder: how the tables became what they are."""
