"""Claims, forfeits, and places that a ruling gave away: how players are put out of a game, and by whom (MEA-10)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.protocol.canonical import Packable
from pbem.protocol.kinds import PLAY
from pbem.protocol.limits import MAX_REVEALS
from pbem.protocol.record import parse_record
from pbem.protocol.ruling import rulers, subject_of
from pbem.table.gamefile import GameFile
from pbem.table.tableerror import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable

DAY = 86_400
_CROSSED = 8


def owed_by_others(game: GameFile, me: int) -> list[Packable]:
    """What a claim of this player names: everything that the game waits for."""
    barrier = game.match.position.barrier
    if barrier.owed_by(me):
        raise TableError("E-OWES", f"You owe something yourself in {game.name}. Send that first, then claim the rest.")
    items = list(barrier.due)[:MAX_REVEALS]
    owed: list[Packable] = [list(item) for item in items]
    if not owed:
        raise TableError("E-NO-NEED", f"Nobody owes anything in {game.name} that you could claim.")
    for key, claim in barrier.claims.items():
        if claim.by == me and set(items) <= set(claim.owed):
            raise TableError(
                "E-CLAIM",
                f"You have claimed this in {game.name} already; a claim made anew would begin from its own day. "
                f"A forfeit may follow from {moment(_ripe(game, key))} UTC on.",
            )
    return owed


def to_cite(game: GameFile, seats: Sequence[str], why: str, now: int) -> bytes:
    """The claim that a forfeit of these seats cites: one that the others have cited, or the first. E-CLAIM: too soon.

    The silence that the offer asks for is kept here, by this home's clock, and nowhere else.
    """
    match = game.match
    concerned = {seat.player for seat in game.offer.seats if seat.name in seats}
    standing = [key for key in match.position.barrier.claims if concerned <= match.position.barrier.silent(key)]
    if not standing:
        raise TableError(
            "E-CLAIM",
            f"A forfeit needs a claim that nobody has answered. First say what is owed: pbem claim {game.name}",
        )
    said = {"what": "forfeit", "why": why, "seats": list(seats)}
    cited = next((k for k in standing if match.ledger.agreed.get(subject_of({**said, "claim": k}))), standing[0])
    ripe = _ripe(game, cited)
    if now < ripe:
        raise TableError(
            "E-CLAIM",
            f"The players of {game.name} have agreed on {game.offer.silence} days of silence between a claim and a "
            f"forfeit. By this computer's clock they end at {moment(ripe)} UTC.",
        )
    return cited


def notice(game: GameFile) -> str:
    """The claims that stand, what they are about, and what can be done; later, on what a forfeit stands."""
    if game.log.genesis is None or game.offer.umpire is not None:
        return ""
    if game.match.position.put_out:
        return _account(game)
    barrier, me = game.match.position.barrier, game.me
    lines = []
    for key, claim in barrier.claims.items():
        silent = barrier.silent(key)
        if not silent:
            continue
        owing = _names(game, silent)
        verb = "owe" if me is not None and (me.by in silent or len(silent) > 1) else "owes"
        line = upper(f"{_names(game, (claim.by,))} claimed what {owing} {verb} ({_dates(game, key)}).")
        if me is not None and me.by in silent:
            line += f" If you do not send it, you may be put out from {moment(_ripe(game, key))} UTC on."
        elif me is not None:
            seats = " ".join(f"--seat {seat}" for player in sorted(silent) for seat in game.offer.seats_of(player))
            line += f" From {moment(_ripe(game, key))} UTC on: pbem rule {game.name} forfeit {seats}"
        lines.append(line)
    return " ".join(lines)


def _account(game: GameFile) -> str:
    """The dates of a forfeit and of its claim, and what crossed it (MEA-10)."""
    log, out = game.log, game.match.position.put_out
    ruling = next(iter(out.values()))
    by, seq = log.find(ruling) or (0, 0)
    cited = parse_record(game.raw_of(by, seq)).data.get("claim")
    line = f"The forfeit is {_dates(game, ruling)}"
    line += f"; its claim is {_dates(game, cited)}." if cited is not None else "."
    seen = log.past_at(by, seq)
    for player in out:
        for number in range(seen[log.column(player)], log.count(player))[:_CROSSED]:
            record = parse_record(game.raw_of(player, number))
            if record.kind in PLAY and log.past_at(player, number)[log.column(by)] <= seq:
                dates = _dates(game, record.id)
                line += f" {upper(_names(game, (player,)))} sent {record.kind} without sight of it ({dates})."
    return line


def _dates(game: GameFile, record_id: bytes) -> str:
    """When a record was made, as its author says, and when it came here."""
    by, seq = game.log.find(record_id) or (0, 0)
    at, here = parse_record(game.raw_of(by, seq)).at, game.store.arrived(by, seq)
    return f"dated {moment(at)} UTC, here since {moment(here)} UTC"


def forfeited(game: GameFile) -> str:
    """`you were put out by Bob Silva`; empty if nobody was by a ruling that ended the game."""
    genesis, out = game.log.genesis, game.match.position.put_out
    if genesis is None or not out:
        return ""
    were = "were" if len(out) > 1 or (game.me is not None and game.me.by in out) else "was"
    return f"{_names(game, out)} {were} put out by {_names(game, rulers(genesis, frozenset(out)))}"


def replaced(game: GameFile) -> str:
    """The name of the player in place of this home's player, and whose ruling that was; empty if no ruling did that."""
    genesis, me = game.log.genesis, game.me
    if genesis is None or me is None:
        return ""
    taken = game.log.ruled_on(me.by)
    held = {genesis.card(me.by).identity, *(each.card.identity for each in taken if each.card is not None)}
    if not taken or me.identity not in held:
        return ""
    who = _names(game, taken[-1].needed)
    return f"{who} ruled that {game.player_name(me.by)} plays in your place"


def awaited(game: GameFile) -> str:
    """Whose ruling would give this home's player the place that they offer to take."""
    genesis, me = game.log.genesis, game.me
    assert genesis is not None
    assert me is not None
    whose = " and ".join(f"{game.player_name(by)}'s" for by in rulers(genesis, frozenset((me.by,))))
    return f"you offer to play in place of {game.player_name(me.by)}, and wait for {whose} ruling"


def moment(at: int) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M")


def _ripe(game: GameFile, claim: bytes) -> int:
    """From when on this home rules a forfeit by this claim."""
    by, seq = game.log.find(claim) or (0, 0)
    return game.store.arrived(by, seq) + game.offer.silence * DAY


def _names(game: GameFile, numbers: Iterable[int]) -> str:
    me = game.me.by if game.me is not None else -1
    return " and ".join("you" if by == me else game.player_name(by) for by in sorted(numbers))


def upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
