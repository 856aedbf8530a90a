"""How the tables follow from the journal: one function for each kind of entry, and nothing else writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pbem.protocol.canonical import pack
from pbem.protocol.card import parse_card
from pbem.umpire.db import models
from pbem.umpire.db.journal import Entry
from pbem.umpire.umpireerror import UmpireError

Data = Mapping[str, Any]


def apply(session: Session, entry: Entry) -> None:
    """The tables after this entry."""
    change = CHANGES.get(entry.kind)
    if change is None:
        raise UmpireError(
            "E-UMPIRE-JOURNAL", f"Entry {entry.seq} of the journal is of a kind that this pbem does not know."
        )
    try:
        change(session, entry, entry.data)
        session.flush()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UmpireError(
            "E-UMPIRE-JOURNAL", f"Entry {entry.seq} of the journal cannot be carried out: {type(error).__name__}."
        ) from error


def _created(session: Session, entry: Entry, data: Data) -> None:
    session.add(
        models.Tournament(
            id=data["id"], name=data["name"], key=data["key"], umpire=data["umpire"], terms=pack(data["terms"]),
            state="open", created=entry.at,
        )
    )  # fmt: skip


def _entered(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    for number, raw, rating, deviation in data["entrants"]:
        card = parse_card(raw)
        session.add(
            models.Entrant(
                tournament=data["tournament"], number=number, identity=card.identity, name=card.name, card=raw,
                rating=rating, deviation=deviation, out=0, why="",
            )
        )  # fmt: skip


def _withdrawn(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    entrant = _get(session, models.Entrant, (data["tournament"], data["entrant"]))
    entrant.out, entrant.why = 1, data["why"]


def _returned(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    entrant = _get(session, models.Entrant, (data["tournament"], data["entrant"]))
    entrant.out, entrant.why = 0, data["why"]


def _replaced(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    """Somebody else goes on in an entrant's place, or the same person with another key."""
    entrant = _get(session, models.Entrant, (data["tournament"], data["entrant"]))
    card = parse_card(data["card"])
    entrant.identity, entrant.name, entrant.card = card.identity, card.name, data["card"]


def _paired(session: Session, entry: Entry, data: Data) -> None:
    session.add(
        models.Round(
            tournament=data["tournament"], number=data["round"], state="paired", notes=data["notes"],
            paired_at=entry.at,
        )
    )  # fmt: skip
    session.flush()
    _pairs(session, entry, data)
    _get(session, models.Tournament, data["tournament"]).state = "playing"


def _adjusted(session: Session, entry: Entry, data: Data) -> None:
    """By hand, before the round is offered."""
    found = _get(session, models.Round, (data["tournament"], data["round"]))
    session.execute(
        delete(models.Pairing).where(
            models.Pairing.tournament == data["tournament"], models.Pairing.round == data["round"]
        )
    )
    found.notes = data["notes"]
    _pairs(session, entry, data)


def _pairs(session: Session, entry: Entry, data: Data) -> None:
    for pair in data["pairs"]:
        bye = pair["second"] is None
        session.add(
            models.Pairing(
                id=pair["id"], tournament=data["tournament"], round=data["round"], board=pair["board"],
                mirror=pair["mirror"], first=pair["first"], second=pair["second"], why=pair["why"],
                state="decided" if bye else "paired", offered_at=0, expires=0, offer=None, game="",
                began_at=0, first_points=pair["points"] if bye else None, second_points=None, how="bye" if bye else "",
                text="a bye" if bye else "", decided_at=entry.at if bye else 0,
            )
        )  # fmt: skip


def _published(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    _get(session, models.Round, (data["tournament"], data["round"])).state = "offered"


def _completed(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    _get(session, models.Round, (data["tournament"], data["round"])).state = "complete"


def _ended(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    _get(session, models.Tournament, data["tournament"]).state = "over"


def _wanted(session: Session, entry: Entry, data: Data) -> None:
    session.add(
        models.Act(
            id=data["id"], tournament=data["tournament"], pairing=data["pairing"], kind=data["kind"],
            mark=data["mark"], data=pack(data["data"]), wanted_at=entry.at, wanted_by=entry.actor, state="wanted",
            done_at=0, outcome="",
        )
    )  # fmt: skip


def _act(state: str) -> Callable[[Session, Entry, Data], None]:
    def change(session: Session, entry: Entry, data: Data) -> None:
        act = _get(session, models.Act, data["act"])
        act.state, act.done_at, act.outcome = state, entry.at, data["outcome"]

    return change


def _offered(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    pairing = _get(session, models.Pairing, data["pairing"])
    pairing.offer, pairing.game = data["offer"], data["game"]
    pairing.offered_at, pairing.expires = data["at"], data["expires"]
    pairing.state = "offered"
    if "instead" in data:  # of what was said to the offer before, nothing stands
        session.execute(delete(models.Answer).where(models.Answer.pairing == pairing.id))
        session.execute(delete(models.Owed).where(models.Owed.pairing == pairing.id))


def _answered(session: Session, entry: Entry, data: Data) -> None:
    session.merge(
        models.Answer(
            pairing=data["pairing"], entrant=data["entrant"], yes=int(data["yes"]), why=data["why"], at=entry.at
        )
    )


def _read(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    """What a game's records showed: its beginning, answers from a number on, and what is owed now."""
    of = data["pairing"]
    pairing = _get(session, models.Pairing, of)
    pairing.began_at = data["began_at"]
    if pairing.began_at and pairing.state == "offered":
        pairing.state = "playing"
    session.execute(delete(models.Move).where(models.Move.pairing == of, models.Move.number >= data["since"]))
    session.execute(delete(models.Owed).where(models.Owed.pairing == of))
    for number, move in enumerate(data["moves"], start=data["since"]):
        entrant, what, asked_at, answered_at, signed_at, charged, record, said = move
        session.add(
            models.Move(
                pairing=of, number=number, entrant=entrant, what=what, asked_at=asked_at, answered_at=answered_at,
                signed_at=signed_at, charged=charged, record=record, said=said,
            )
        )  # fmt: skip
    for entrant, what, arose, since, automatic, said in data["owed"]:
        session.add(
            models.Owed(
                pairing=of, entrant=entrant, what=what, arose=arose, since=since, automatic=int(automatic), said=said
            )
        )
    for record, entrant, seconds, at in data["extensions"]:
        session.merge(models.Extension(pairing=of, record=record, entrant=entrant, seconds=seconds, at=at))


def _flagged(session: Session, entry: Entry, data: Data) -> None:
    session.add(
        models.Flag(pairing=data["pairing"], entrant=data["entrant"], fell_at=data["fell_at"], seen_at=entry.at)
    )


def _result(session: Session, entry: Entry, data: Data) -> None:
    pairing = _get(session, models.Pairing, data["pairing"])
    pairing.first_points, pairing.second_points = data["first_points"], data["second_points"]
    pairing.how, pairing.text = data["how"], data["text"]
    pairing.state, pairing.decided_at = "decided" if data["decided"] else "over", entry.at
    if data["decided"]:
        session.execute(delete(models.Owed).where(models.Owed.pairing == pairing.id))


def _reopened(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    """A result that was taken back."""
    pairing = _get(session, models.Pairing, data["pairing"])
    pairing.first_points = pairing.second_points = None
    pairing.how = pairing.text = ""
    pairing.decided_at = 0
    pairing.state = "playing" if pairing.began_at else "offered" if pairing.offer is not None else "paired"
    found = _get(session, models.Round, (pairing.tournament, pairing.round))
    if found.state == "complete":
        found.state = "offered"


def _archived(session: Session, entry: Entry, data: Data) -> None:
    session.merge(
        models.Archive(
            pairing=data["pairing"],
            sha256=data["sha256"],
            size=data["size"],
            whole=int(data["whole"]),
            kept_at=entry.at,
        )
    )


def _audited(session: Session, entry: Entry, data: Data) -> None:
    session.merge(
        models.Audit(
            pairing=data["pairing"], sha256=data["sha256"], ok=int(data["ok"]), verdict=pack(data["verdict"]),
            at=entry.at,
        )
    )  # fmt: skip


def _anomaly(session: Session, entry: Entry, data: Data) -> None:
    session.add(
        models.Anomaly(
            pairing=data["pairing"], mark=data["mark"], entrant=data["entrant"], kind=data["kind"], text=data["text"],
            weight=data["weight"], at=entry.at,
        )
    )  # fmt: skip


def _rated(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    session.execute(
        delete(models.Rating).where(
            models.Rating.tournament == data["tournament"], models.Rating.round == data["round"]
        )
    )
    for entrant, rating, deviation, volatility in data["ratings"]:
        session.add(
            models.Rating(
                tournament=data["tournament"], round=data["round"], entrant=entrant, rating=rating,
                deviation=deviation, volatility=volatility,
            )
        )  # fmt: skip


def _held(session: Session, entry: Entry, data: Data) -> None:  # noqa: ARG001
    session.merge(models.Held(id=1, count=data["count"], since=data["since"], why=data["why"]))


def _noted(session: Session, entry: Entry, data: Data) -> None:
    """A remark, or what the umpire's home has done; no table follows from it."""


CHANGES: Final[Mapping[str, Callable[[Session, Entry, Data], None]]] = {
    "created": _created,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "returned": _returned,
    "replaced": _replaced,
    "paired": _paired,
    "adjusted": _adjusted,
    "published": _published,
    "completed": _completed,
    "ended": _ended,
    "wanted": _wanted,
    "taken": _act("taken"),
    "released": _act("wanted"),
    "done": _act("done"),
    "failed": _act("failed"),
    "dropped": _act("dropped"),
    "answered": _answered,
    "offered": _offered,
    "read": _read,
    "flagged": _flagged,
    "result": _result,
    "reopened": _reopened,
    "archived": _archived,
    "audited": _audited,
    "anomaly": _anomaly,
    "rated": _rated,
    "held": _held,
    "noted": _noted,
    "closed": _noted,
}


def _get(session: Session, model: Any, key: Any) -> Any:
    found = session.get(model, key)
    if found is None:
        raise KeyError(key)
    return found


def next_id(session: Session, model: type[models.Act | models.Pairing | models.Tournament]) -> int:
    """For a new entry, in a transaction that holds the head."""
    highest: int | None = session.scalar(select(func.max(model.id)))
    return (highest or 0) + 1
