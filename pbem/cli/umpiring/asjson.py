"""The desk's values as JSON. Addresses are in none of them but the umpire's own list of entrants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from pbem.umpire.deskrows import (
        ActRow,
        AnomalyRow,
        EntrantRow,
        MoveRow,
        PairingRow,
        RoundRow,
        TournamentRow,
    )
    from pbem.umpire.standings import Row


def points(half_points: int | None) -> str:
    """As they are written in tables; nothing while there is no result."""
    from pbem.umpire.told import half

    return "" if half_points is None else half(half_points)


def tournament_json(row: TournamentRow) -> dict[str, Any]:
    terms = row.terms.plain()
    if row.terms.data:
        terms["data"] = {**row.terms.pins}
    return {
        "created": row.created,
        "id": row.id,
        "key": row.key.hex(),
        "name": row.name,
        "state": row.state,
        "terms": terms,
        "umpire": row.umpire.hex(),
    }


def entrant_json(row: EntrantRow) -> dict[str, Any]:
    return {
        "deviation": row.deviation,
        "identity": row.identity.hex(),
        "name": row.name,
        "number": row.number,
        "out": row.out,
        "rating": row.rating,
        "why": row.why,
    }


def pairing_json(row: PairingRow, names: dict[int, str]) -> dict[str, Any]:
    return {
        "board": row.board,
        "decided_at": row.decided_at,
        "expires": row.expires,
        "first": row.first,
        "first_name": names[row.first],
        "first_points": row.first_points,
        "game": row.game,
        "how": row.how,
        "id": row.id,
        "label": row.label,
        "mirror": row.mirror,
        "offer": None if row.offer is None else row.offer.hex(),
        "round": row.round,
        "second": row.second,
        "second_name": None if row.second is None else names[row.second],
        "second_points": row.second_points,
        "state": row.state,
        "text": row.text,
        "why": list(row.why),
    }


def round_json(row: RoundRow, names: dict[int, str]) -> dict[str, Any]:
    return {
        "notes": list(row.notes),
        "number": row.number,
        "paired_at": row.paired_at,
        "pairings": [pairing_json(each, names) for each in row.pairings],
        "state": row.state,
    }


def standing_json(row: Row, order: Sequence[str]) -> dict[str, Any]:
    return {
        "drawn": row.drawn,
        "figures": {
            name: None if figure is None else float(figure) for name, figure in zip(order, row.figures, strict=False)
        },
        "lost": row.lost,
        "name": row.name,
        "number": row.number,
        "out": row.out,
        "place": row.place,
        "played": row.played,
        "points": row.points,
        "won": row.won,
    }


def figure(value: Fraction | None) -> str:
    """`12.5`: figures of tie-breaks are halves and quarters."""
    return "" if value is None else f"{float(value):g}"


def move_json(row: MoveRow, label: str, name: str) -> dict[str, Any]:
    return {
        "answered_at": row.answered_at,
        "asked_at": row.asked_at,
        "charged": row.charged,
        "entrant": row.entrant,
        "name": name,
        "number": row.number,
        "pairing": label,
        "record": row.record.hex(),
        "signed_at": row.signed_at,
        "what": row.what,
    }


def act_json(row: ActRow) -> dict[str, Any]:
    return {
        "done_at": row.done_at,
        "id": row.id,
        "kind": row.kind,
        "outcome": row.outcome,
        "pairing": row.pairing,
        "state": row.state,
        "wanted_at": row.wanted_at,
        "wanted_by": row.wanted_by,
    }


def anomaly_json(row: AnomalyRow, label: str, name: str) -> dict[str, Any]:
    return {
        "at": row.at,
        "entrant": row.entrant,
        "kind": row.kind,
        "name": name,
        "pairing": label,
        "text": row.text,
        "weight": row.weight,
    }
