"""What a fork among three or more players asks of them (MEA-10)."""

from __future__ import annotations

from pbem.protocol.lineage import Fork
from pbem.protocol.ruling import rulers
from pbem.table.gamefile import GameFile

_SHOWN = 8


def notice(game: GameFile) -> str:
    """The first fork on which no ruling holds yet, and what can be done about it; nothing if there is none."""
    genesis = game.log.genesis
    if genesis is None:
        return ""
    for fork in game.log.forks:
        if fork.keep is None:
            needed = rulers(genesis, frozenset((fork.by,)))
            kept = {by: keep for by, keep in game.log.chosen(fork).items() if by in needed}
            return _split(game, fork, kept) if len(set(kept.values())) > 1 else _open(game, fork, needed, kept)
    return ""


def _open(game: GameFile, fork: Fork, needed: tuple[int, ...], kept: dict[int, bytes]) -> str:
    first = game.log.id_at(fork.by, fork.seq) or b""
    waiting = ", ".join(game.player_name(by) for by in needed if by not in kept)
    said = "".join(f" {game.player_name(by)} keeps {keep.hex()[:_SHOWN]}." for by, keep in sorted(kept.items()))
    agree = " Agree on it first: nobody can rule on it twice." if len(needed) > 1 else ""
    return (
        f"{game.player_name(fork.by)} signed two records {fork.seq}, {first.hex()[:_SHOWN]} and "
        f"{fork.first.hex()[:_SHOWN]}. The game waits for a ruling by {waiting}: "
        f"pbem rule {game.name} branch --keep RECORD --drop RECORD.{said}{agree}"
    )


def _split(game: GameFile, fork: Fork, kept: dict[int, bytes]) -> str:
    who = " and ".join(game.player_name(by) for by in sorted(kept))
    return (
        f"{who} have ruled differently on the two records {fork.seq} of {game.player_name(fork.by)}, and nobody rules "
        "on one fork twice: this game cannot go on, and nothing signed in it from here on, a resignation included, "
        f"counts for all. The proof of the fork stands against {game.player_name(fork.by)}. Begin a new game: pbem new"
    )
