"""Games of tournaments: what a player's program does by itself once they have entered one, and the games that an umpire
has started twice.
"""

from __future__ import annotations

from pbem.home import offers, summary
from pbem.home.gamefile import GameFile, me_of
from pbem.home.resync import restored
from pbem.home.root import Home
from pbem.home.sending import pay
from pbem.home.store import LEFT, MAX_BY_ITSELF, GameStore
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board, Offer


def awaits(home: Home, offer: Offer) -> bool:
    """Somebody of this home has entered the tournament of this offer, and it is the first for its board."""
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or home.tournaments.offers(umpire.identity, place):
        return False
    return any(taken >= 0 for taken in home.tournaments.entered(umpire.identity, place.key).values())


def arrived(home: Home, game: GameFile) -> list[str]:
    """Records of a game came: whoever of this home has entered its tournament joins by themselves. What is to be told.

    Once an offer is taken back, another one for its board may be joined.
    """
    place, umpire = game.offer.tournament, game.offer.umpire
    if place is None or umpire is None:
        return []
    home.tournaments.add((umpire.identity, place, game.offer.id))
    me = game.me
    if me is not None and me.identity == umpire.identity:
        _hear(home, game, place)
    if game.log.genesis is not None:
        for other in home.rivals(game.offer):
            summary.refresh(home, other)
    if game.log.withdrawn is not None:
        for other in home.rivals(game.offer):
            if go_on(home, other):
                pay(home, other)
                summary.refresh(home, other)
    elif go_on(home, game) is False:
        return ["This offer is not joined automatically: you play another game for its board."]
    return []


def go_on(home: Home, game: GameFile) -> bool | None:
    """Joins an offer whose tournament was entered, or declines it where it was left. False: another for its board is
    played here; None: it is not answered by itself for another reason."""
    offer = game.offer
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or not offers.is_open(home, game):
        return None
    if _answered(game.store) or restored(game.store) is not None:
        return None
    own = {person.identity: person for person in home.people.identities()}
    for identity, taken in home.tournaments.entered(umpire.identity, place.key).items():
        if identity not in own or identity not in offer.players or not LEFT <= taken < MAX_BY_ITSELF:
            continue
        by = offer.players.index(identity)
        if taken == LEFT:
            game.store.change(automatic=True)
            offers.leave(home, game, own[identity], by, "")
            return True
        if any(_plays(other) for other in home.rivals(offer)):
            return False
        home.people.keys(identity)  # who has no passphrase has changed nothing
        home.tournaments.enter(umpire.identity, place.key, identity, taken + 1)
        game.store.change(automatic=True)
        offers.put_in(home, game, own[identity], by)
        return True
    return None


def answer_all(home: Home) -> dict[str, PbemError]:
    """Answers what a missing passphrase, or a stop, has held up. Games for which it still cannot be done, and why."""
    faults: dict[str, PbemError] = {}
    for row in summary.rows(home):
        open_to_me = row.stage in ("invited", "waiting", "declined") and row.tournament is not None
        if not open_to_me or _answered(home.find(row.name)):
            continue
        try:
            with home.writing():
                game = home.load(row.name)
                if go_on(home, game):
                    pay(home, game)
                    summary.refresh(home, game)
        except PbemError as error:
            faults[row.name] = error
    return faults


def _answered(store: GameStore) -> bool:
    me = me_of(store)
    return me is not None and store.record(me.by, 0) is not None


def _plays(game: GameFile) -> bool:
    """This home's player has joined it, and it was not taken back."""
    return game.me is not None and game.log.withdrawn is None and not game.store.state.declined


def _hear(home: Home, game: GameFile, place: Board) -> None:
    """At the umpire's: who declines and leaves the tournament, whether the offer still lives or not."""
    for record in game.log.opening:
        if record.kind == "decline" and record.data.get("leave") and record.seq == 0:
            identity = game.identity_of(record)
            heard = game.store.state.left
            if record.id not in heard:
                home.tournaments.set_left(game.offer.join.identity, place.key, identity, record.data["why"])
                game.store.change(left=(*heard, record.id))


def twins(home: Home, offer: bytes) -> tuple[bytes, ...]:
    """Other games that the umpire has started for the same board of a tournament."""
    rivals = home.rivals(home.load_folder(offer).offer)
    return tuple(each.game_id for each in rivals if each.log.genesis is not None)


def note_left(home: Home, umpire: bytes, tournament: bytes, identity: bytes) -> None:
    """The desk has written down that this player has left."""
    with home.writing():
        home.tournaments.set_left(umpire, tournament, identity, None)
