"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blob",
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_blob")),
    )
    op.create_table(
        "head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_head")),
    )
    op.create_table(
        "journal",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("previous", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_journal")),
        sa.UniqueConstraint("hash", name=op.f("uq_journal_hash")),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("umpire", sa.LargeBinary(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
        sa.UniqueConstraint("name", name=op.f("uq_tournament_name")),
    )
    op.create_table(
        "entrant",
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("identity", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("card", sa.LargeBinary(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("deviation", sa.Integer(), nullable=False),
        sa.Column("out", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_entrant_tournament")),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_entrant")),
        sa.UniqueConstraint("tournament", "identity", name=op.f("uq_entrant_tournament_identity")),
    )
    op.create_table(
        "rating",
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entrant", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rating", sa.BigInteger(), nullable=False),
        sa.Column("deviation", sa.BigInteger(), nullable=False),
        sa.Column("volatility", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_rating_tournament")),
        sa.PrimaryKeyConstraint("tournament", "round", "entrant", name=op.f("pk_rating")),
    )
    op.create_table(
        "round",
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("paired_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_round_tournament")),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_round")),
    )
    op.create_table(
        "pairing",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("mirror", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("offered_at", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("offer", sa.LargeBinary(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("first_points", sa.Integer(), nullable=True),
        sa.Column("second_points", sa.Integer(), nullable=True),
        sa.Column("how", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament", "round"], ["round.tournament", "round.number"], name=op.f("fk_pairing_tournament_round")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pairing")),
        sa.UniqueConstraint("offer", name=op.f("uq_pairing_offer")),
        sa.UniqueConstraint(
            "tournament", "round", "board", "mirror", name=op.f("uq_pairing_tournament_round_board_mirror")
        ),
    )
    op.create_index(op.f("ix_pairing_tournament"), "pairing", ["tournament"], unique=False)
    op.create_table(
        "act",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("mark", sa.String(length=120), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("wanted_at", sa.BigInteger(), nullable=False),
        sa.Column("wanted_by", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_act_pairing")),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_act_tournament")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act")),
        sa.UniqueConstraint("mark", name=op.f("uq_act_mark")),
    )
    op.create_index(op.f("ix_act_state"), "act", ["state"], unique=False)
    op.create_index(op.f("ix_act_tournament"), "act", ["tournament"], unique=False)
    op.create_table(
        "anomaly",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=120), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("weight", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_anomaly_pairing")),
        sa.PrimaryKeyConstraint("pairing", "mark", name=op.f("pk_anomaly")),
    )
    op.create_table(
        "answer",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("yes", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_answer_pairing")),
        sa.PrimaryKeyConstraint("pairing", "entrant", name=op.f("pk_answer")),
    )
    op.create_table(
        "archive",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("whole", sa.Integer(), nullable=False),
        sa.Column("kept_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_archive_pairing")),
        sa.PrimaryKeyConstraint("pairing", name=op.f("pk_archive")),
    )
    op.create_table(
        "audit",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("ok", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_audit_pairing")),
        sa.PrimaryKeyConstraint("pairing", name=op.f("pk_audit")),
    )
    op.create_table(
        "extension",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_extension_pairing")),
        sa.PrimaryKeyConstraint("pairing", "record", name=op.f("pk_extension")),
    )
    op.create_table(
        "flag",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fell_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_flag_pairing")),
        sa.PrimaryKeyConstraint("pairing", "entrant", "fell_at", name=op.f("pk_flag")),
    )
    op.create_table(
        "held",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held")),
    )
    op.create_table(
        "move",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.Column("signed_at", sa.BigInteger(), nullable=False),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_move_pairing")),
        sa.PrimaryKeyConstraint("pairing", "number", name=op.f("pk_move")),
    )
    op.create_table(
        "owed",
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("arose", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("automatic", sa.Integer(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pairing"], ["pairing.id"], name=op.f("fk_owed_pairing")),
        sa.PrimaryKeyConstraint("pairing", "entrant", "what", name=op.f("pk_owed")),
    )
    op.bulk_insert(
        sa.table("head", sa.column("id", sa.Integer), sa.column("seq", sa.Integer), sa.column("hash", sa.LargeBinary)),
        [{"id": 1, "seq": 0, "hash": bytes(32)}],
    )
