"""What the umpire decides about a game: rulings that are signed in it, results of games that cannot be ruled in."""

from __future__ import annotations

from typing import Literal

from pbem.protocol.canonical import Packable
from pbem.protocol.limits import MAX_SECONDS, MAX_WHY
from pbem.umpire.db import queries
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import ActRow, EntrantRow, PairingRow, TournamentRow
from pbem.umpire.pairing import DRAW, LOSS, WIN
from pbem.umpire.umpireerror import UmpireError

What = Literal["forfeit", "extension", "adjudge", "substitute", "escrow", "branch"]
WHATS: tuple[What, ...] = ("forfeit", "extension", "adjudge", "substitute", "escrow", "branch")
_ROOM = 40  # of the reason, for the number of the act


def rule(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    what: What,
    *,
    why: str,
    entrant: EntrantRow | None = None,
    draw: bool = False,
    seconds: int = 0,
    raw: bytes | None = None,
    keep: str = "",
    drop: str = "",
) -> ActRow:
    """Wants a ruling; the keeper signs it in the game. Each is a decision of its own, but none ends a game twice."""
    check_why(why)
    if pairing.second is None:
        raise UmpireError("E-UNKNOWN", f"{pairing.label} is a bye.")
    if pairing.state == "decided":
        raise UmpireError("E-NOT-NOW", f"Game {pairing.label} has its result: {pairing.text}.")
    if pairing.offer is None or not pairing.began_at:
        raise UmpireError(
            "E-NOT-NOW",
            f"Game {pairing.label} has not begun: nothing can be signed in it. By hand: pbem umpire decide",
        )
    if entrant is not None and entrant.number not in pairing.entrants:
        raise UmpireError("E-UNKNOWN", f"{entrant.name} does not play in game {pairing.label}.")
    if entrant is None and (what in ("forfeit", "extension", "substitute") or (what == "adjudge" and not draw)):
        raise UmpireError("E-UNKNOWN", "Say whom the ruling is about.")
    data: dict[str, Packable] = {"what": what, "why": why}
    if entrant is not None and not draw:
        data["entrant"] = entrant.number
    if what == "extension":
        if not 1 <= seconds <= MAX_SECONDS:
            raise UmpireError("E-UMPIRE-RULING", "An extension is of a second at least and a year at most.")
        data["seconds"] = seconds
    elif what == "substitute":
        if raw is None:
            raise UmpireError("E-UMPIRE-RULING", "A substitution needs the file of whoever goes on in the place.")
        data["raw"] = raw
    elif what == "branch":
        data |= {"drop": drop, "keep": keep}
    about = "end" if what in ("forfeit", "adjudge") else f"{what}.{_count(writing, pairing, what)}"
    return writing.want(tournament.id, pairing.id, "rule", data, about)


def _count(writing: Writing, pairing: PairingRow, what: str) -> int:
    acts = [act for act in queries.acts(writing.db) if act.pairing == pairing.id and act.kind == "rule"]
    return sum(act.data.get("what") == what for act in acts)


def decide(
    writing: Writing,
    pairing: PairingRow,
    points: tuple[int, int],
    *,
    forfeit: bool,
    why: str,
) -> PairingRow:
    """A result by the umpire's word alone: of a game that never began, or that cannot be played on or ruled in."""
    check_why(why)
    if pairing.second is None or pairing.state == "paired":
        raise UmpireError("E-UNKNOWN", f"{pairing.label} is a bye, or has not been called yet.")
    total = sum(points)
    if any(each not in (LOSS, DRAW, WIN) for each in points) or total > WIN or (total == DRAW):
        raise UmpireError("E-UMPIRE-RULING", "A result is 1-0, 0-1, ½-½, or 0-0 when neither has come.")
    writing.record(
        "result",
        {
            "decided": True,
            "first_points": points[0],
            "how": "adjudged"
            if not forfeit
            else "forfeit"
            if queries.has_orders(writing.db, pairing.id)
            else "no-show",
            "pairing": pairing.id,
            "second_points": points[1],
            "text": why,
        },
    )
    return queries.pairing(writing.db, pairing.id)


def check_why(why: str) -> None:
    if not why.strip():
        raise UmpireError("E-UMPIRE-RULING", "A decision needs a reason, which is kept and shown to the players.")
    if len(why) > MAX_WHY - _ROOM:
        raise UmpireError("E-UMPIRE-RULING", f"A reason has at most {MAX_WHY - _ROOM} characters.")
