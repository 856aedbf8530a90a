"""Games of tournaments: what a player's program does by itself once they have entered one, and the games that an umpire
has started twice."""

from __future__ import annotations

from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board, Offer
from pbem.table import offers, summary
from pbem.table.boards import LEFT, MAX_BY_ITSELF
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, me_of
from pbem.table.hellos import restored
from pbem.table.settle import BY_ITSELF, settle
from pbem.table.store import GameStore


def awaits(context: Context, offer: Offer) -> bool:
    """Somebody of this home has entered the tournament of this offer, and it is the first for its board."""
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or context.tournaments.offers(umpire.identity, place):
        return False
    return any(taken >= 0 for taken in context.tournaments.entered(umpire.identity, place.key).values())


def arrived(context: Context, game: GameFile) -> list[str]:
    """Records of a game came: whoever of this home has entered its tournament joins by themselves. What is to be told.

    Once an offer is taken back, another one for its board may be joined.
    """
    place, umpire = game.offer.tournament, game.offer.umpire
    if place is None or umpire is None:
        return []
    context.tournaments.add(umpire.identity, place, game.offer.id)
    me = game.me
    if me is not None and me.identity == umpire.identity:
        _hear(context, game, place)
    if game.log.genesis is not None:
        for other in context.rivals(game.offer):
            summary.refresh(context, other)
    if game.log.withdrawn is not None:
        for other in context.rivals(game.offer):
            if go_on(context, other):
                settle(context, other)
                summary.refresh(context, other)
    elif go_on(context, game) is False:
        return ["You play another game for its board: this offer is not joined by itself."]
    return []


def go_on(context: Context, game: GameFile) -> bool | None:
    """Joins an offer whose tournament was entered, or declines it where it was left. False: another for its board is
    played here; None: it is not answered by itself for another reason."""
    offer = game.offer
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or not offers.is_open(context, game):
        return None
    if _answered(game.store) or restored(game.store) is not None:
        return None
    own = {person.identity: person for person in context.people.identities()}
    for identity, taken in context.tournaments.entered(umpire.identity, place.key).items():
        if identity not in own or identity not in offer.players or not LEFT <= taken < MAX_BY_ITSELF:
            continue
        by = offer.players.index(identity)
        if taken == LEFT:
            game.store.set_private(BY_ITSELF, b"yes")
            offers.leave(context, game, own[identity], by, "")
            return True
        if any(_plays(other) for other in context.rivals(offer)):
            return False
        context.people.keys(identity)  # who has no passphrase has changed nothing
        context.tournaments.enter(umpire.identity, place.key, identity, taken + 1)
        game.store.set_private(BY_ITSELF, b"yes")
        offers.put_in(context, game, own[identity], by)
        return True
    return None


def settle_all(context: Context) -> dict[str, str]:
    """Answers what a missing passphrase, or a stop, has held up. Games for which it still cannot be done, and why."""
    faults: dict[str, str] = {}
    for row in summary.rows(context):
        open_to_me = row.stage in ("invited", "waiting", "declined") and row.tournament is not None
        if not open_to_me or _answered(context.find(row.name)):
            continue
        try:
            with context.writing():
                game = context.load(row.name)
                if go_on(context, game):
                    settle(context, game)
                    summary.refresh(context, game)
        except PbemError as error:
            faults[row.name] = f"{error.code}: {error.sentence}"
    return faults


def _answered(store: GameStore) -> bool:
    me = me_of(store)
    return me is not None and store.record(me.by, 0) is not None


def _plays(game: GameFile) -> bool:
    """This home's player has joined it, and it was not taken back."""
    return game.me is not None and game.log.withdrawn is None and game.store.private("declined") is None


def _hear(context: Context, game: GameFile, place: Board) -> None:
    """At the umpire's: who declines and leaves the tournament, whether the offer still lives or not."""
    for record in game.log.opening:
        if record.kind == "decline" and record.data.get("leave") and record.seq == 0:
            identity = game.identity_of(record)
            mark = f"left-{record.id.hex()[:16]}"
            if game.store.private(mark) is None:
                context.tournaments.set_left(game.offer.join.identity, place.key, identity, record.data["why"])
                game.store.set_private(mark, b"yes")
