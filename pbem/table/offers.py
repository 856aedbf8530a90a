"""Offering a game, and answering an offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.engine.definition import OptionValue, Seat
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.card import Card
from pbem.protocol.genesis import BY_UMPIRE, Board, Offer, offer_of
from pbem.protocol.record import Record, parse_record
from pbem.table import founding, summary
from pbem.table.boards import LEFT
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, Me, me_of
from pbem.table.owndata import check_files
from pbem.table.people import Person
from pbem.table.sealing import may_sign
from pbem.table.settle import add_opening, post, settle, was_posted
from pbem.table.tableerror import TableError
from pbem.table.values import Posted

ANYONE = "anyone"
ME = "me"
SILENCE = 30
NO_UMPIRE = (
    "A game with an umpire is offered by its umpire. Ask them for it: they run `pbem umpire new`, and you and the "
    "other players join. Without an umpire: --mode strict"
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered. `seats` name who plays each: `me`, `anyone`, or a contact."""

    game: str
    seats: Mapping[str, str]
    scenario: str | None = None
    mode: str = "strict"
    options: Mapping[str, OptionValue] | None = None
    title: str = ""
    move_seconds: int = 0
    bank_seconds: int = 0
    days_off: int = 0
    """Bit 0 Monday: days on which no clock runs."""
    identity: str | None = None
    replaced: Mapping[str, Plain] | None = None
    silence: int | None = None
    """Days between a claim and a forfeit, 0: no forfeits; None: the usual, where there may be forfeits."""
    umpire: bool = False
    """It is offered by its umpire, who has no seat."""
    players: Sequence[Card] = ()
    """Of an umpire's offer, in the order of their numbers, where that is not the order of the seats."""
    tournament: Board | None = None
    expires: int = 0


def offer(context: Context, terms: Terms) -> tuple[str, Posted | None]:
    """Makes the offer; a game for one player alone starts at once, and nothing is to be mailed."""
    with context.writing():
        me = context.people.me(terms.identity)
        if terms.mode == BY_UMPIRE and not terms.umpire:
            raise TableError("E-OFFER", NO_UMPIRE)
        if terms.tournament is not None and (made := _made(context, me, terms.tournament)) is not None:
            return made.name, post(context, made, again=True)
        for card in terms.players:
            context.people.meet(card)
        game = context.find_game(terms.game)
        check_files(sorted((terms.replaced or {}).items()))
        data = game.data_with(terms.replaced) if terms.replaced else game.data
        first = [card.identity for card in terms.players] if terms.umpire else [me.identity]
        players, seats = _places(context, game.seats, terms.seats, me, first)
        files = {data.file_digest(name): pack(value) for name, value in (terms.replaced or {}).items()}
        wanted = founding.Wanted(
            game=game,
            setup=game.setup_of(terms.scenario, terms.options, data),
            players=players,
            seats=seats,
            mode=terms.mode,
            umpired=terms.umpire,
            clock={"bank": terms.bank_seconds, "days_off": terms.days_off, "move": terms.move_seconds},
            replaced=tuple((name, data.file_digest(name)) for name in sorted(terms.replaced or {})),
            title=terms.title,
            silence=_silence(terms, len(players)),
            tournament=terms.tournament,
            expires=terms.expires,
        )
        record = founding.make_offer(
            context.people.keys(me.identity), me.card, wanted, context.random(32), context.clock()
        )
        made_offer = offer_of(record)
        file = GameFile(context.store(made_offer.id), context.find_game)
        file.replaced = files
        if terms.tournament is not None:  # durable before the offer is: there is one for a board
            context.tournaments.add(me.identity, terms.tournament, made_offer.id)
        return _kept(context, file, Me(me.identity, made_offer.starter), record)


def _made(context: Context, me: Person, place: Board) -> GameFile | None:
    """The offer for this board that was made here and not taken back."""
    for key in context.tournaments.offers(me.identity, place):
        store = context.store(key)
        game = GameFile.load(store, context.find_game) if store.name else None
        if game is not None and game.me is not None and game.log.withdrawn is None:
            return game
    return None


def _silence(terms: Terms, players: int) -> int:
    if terms.silence is not None:
        return terms.silence
    return SILENCE if not terms.umpire and players > 1 else 0


def check_replaceable(offer: Offer) -> None:
    """Between two players without an umpire nobody can rule on anybody's place or key (MEA-10)."""
    if offer.umpire is None and len(offer.players) == 2:
        raise TableError(
            "E-RULING",
            "Between two players without an umpire nobody can give a place or a new key to a player who has lost "
            "theirs. If the phrase is lost too, only the opponent can end the game: pbem claim, then pbem rule",
        )


def first(context: Context, name: str) -> Offer | None:
    """The offer of this game, if it is the first in this home that is played with others."""
    found = None
    for store in context.stores():
        raw = store.offer()
        if raw is not None and me_of(store) is not None and len((offer := offer_of(parse_record(raw))).players) > 1:
            if store.name != name:
                return None
            found = offer
    return found


def _kept(context: Context, file: GameFile, me: Me, record: Record) -> tuple[str, Posted | None]:
    """An offer of one's own: to the disk, and to the outbox."""
    try:
        return _keep(context, file, me, record)
    except Exception:
        # Nobody has seen the offer: it goes as if it had never been made, and the command can be given again.
        context.outbox.drop(file.name)
        file.store.discard()
        raise


def _keep(context: Context, file: GameFile, me: Me, record: Record) -> tuple[str, Posted | None]:
    file.store.prepare()
    for digest, raw in file.replaced.items():
        file.store.add_loose("replaced", digest, raw)
    file.set_me(me)
    add_opening(file, record)
    context.name_game(file.store, file.offer)
    posted = post(context, file)
    settle(context, file)
    summary.refresh(context, file)
    return file.name, posted


def _places(
    context: Context, seats: tuple[Seat, ...], who: Mapping[str, str], me: Person, first: Sequence[bytes]
) -> tuple[tuple[bytes | None, ...], tuple[tuple[str, int], ...]]:
    """The players by number, from these on, and the player of every seat. Each `anyone` is a player of their own."""
    unknown = sorted(set(who) - {seat.name for seat in seats})
    lacking = [seat.name for seat in seats if seat.name not in who]
    if unknown or lacking:
        wrong = f"There is no seat {unknown[0]!r}. " if unknown else ""
        names = ", ".join(seat.name for seat in seats)
        raise TableError(
            "E-SEAT", f"{wrong}Say who plays each of the seats: {names}. Write SEAT=me, a contact, or anyone."
        )
    players: list[bytes | None] = list(first)
    placed = []
    for seat in seats:
        name = who[seat.name]
        if name == ANYONE:
            players.append(None)
            placed.append((seat.name, len(players) - 1))
            continue
        if name == ME and me.identity not in first:
            raise TableError("E-SEAT", "The umpire of a game has no seat in it: name the players, or anyone.")
        identity = me.identity if name == ME else context.people.find(name).identity
        if identity not in players:
            players.append(identity)
        placed.append((seat.name, players.index(identity)))
    held = {(number, seat.side) for (_, number), seat in zip(placed, seats, strict=True)}
    if 1 < len(players) < len(held):
        raise TableError("E-SEAT", "Nobody plays against himself in a game with others: keep each player to one side.")
    return tuple(players), tuple(placed)


def join(context: Context, name: str, identity: str | None = None, *, once: bool = False) -> Posted | None:
    """Accepts an offer: once, by one identity; and with it, unless `once`, the later ones of its tournament."""
    with context.writing():
        game = context.load(name)
        person, by = _invitation(context, game, "join", identity)
        context.people.keys(person.identity)  # who has no passphrase has changed nothing
        if game.me is None or game.store.record(by, 0) is None:
            if not is_open(context, game):
                raise TableError("E-EXPIRED", _closed(game))
            place = game.offer.tournament
            if place is not None and not once and person.identity in game.offer.players:
                context.tournaments.enter(game.offer.join.identity, place.key, person.identity, 1)
            put_in(context, game, person, by)
        posted = settle(context, game)
        summary.refresh(context, game)
        return posted[-1] if posted else None


def is_open(context: Context, game: GameFile) -> bool:
    """It can be joined: it has not started, was not taken back and has not expired, by this home's clock (GEN-3)."""
    expires = game.offer.expires
    return game.log.genesis is None and game.log.withdrawn is None and not 0 < expires < context.clock()


def _closed(game: GameFile) -> str:
    who = game.offer.join.card.name
    what = f"{who} has taken it back" if game.log.withdrawn is not None else "it has expired"
    return f"{game.name} can be joined no more: {what}. Ask {who} for another offer."


def put_in(context: Context, game: GameFile, person: Person, by: int) -> None:
    """Makes the join of one of this home as player `by`."""
    keys = context.people.keys(person.identity)
    record = founding.make_join(keys, person.card, game.offer, by, context.random(32), context.clock())
    game.set_me(Me(person.identity, by))
    add_opening(game, record)


def decline(
    context: Context, name: str, why: str = "", identity: str | None = None, *, tournament: bool = False
) -> Posted | None:
    """Declines an offer, for good; an offer of one's own is taken back.

    `tournament`: leaves its tournament. The umpire is told with this answer, or, where the offer was answered before,
    with that to the next one.
    """
    with context.writing():
        game = context.load(name)
        place, me = game.offer.tournament, game.me
        if tournament and place is None:
            raise TableError("E-UNKNOWN", f"{game.name} belongs to no tournament.")
        if me is not None and me.by == game.offer.starter:
            return _take_back(context, game, me, why)
        if tournament and place is not None and game.log.genesis is None and me is None:
            person, by = _invitation(context, game, "decline", identity)
            leave(context, game, person, by, why)
        elif tournament and place is not None:
            own = context.people.me(identity) if me is None else context.people.me(me.identity.hex())
            context.tournaments.enter(game.offer.join.identity, place.key, own.identity, LEFT)
            return None
        else:
            person, by = _invitation(context, game, "decline", identity)
            raw = game.store.record(by, 0)
            if game.me is None or raw is None:
                _say_no(context, game, person, by, why)
            elif why not in ("", parse_record(raw).data["why"]):
                raise TableError("E-ANSWERED", _declined(game, raw))
        posted = post(context, game)
        summary.refresh(context, game)
        return posted


def leave(context: Context, game: GameFile, person: Person, by: int, why: str) -> None:
    """Declines, and tells the umpire that this player leaves the tournament."""
    place = game.offer.tournament
    assert place is not None
    _say_no(context, game, person, by, why, leave=True)
    context.tournaments.enter(game.offer.join.identity, place.key, person.identity, None)


def _say_no(context: Context, game: GameFile, person: Person, by: int, why: str, *, leave: bool = False) -> None:
    keys = context.people.keys(person.identity)
    record = founding.make_decline(keys, person.card, game.offer, by, why, context.clock(), leave=leave)
    game.set_me(Me(person.identity, by))
    game.store.set_private("declined", b"yes")
    add_opening(game, record)


def _take_back(context: Context, game: GameFile, me: Me, why: str) -> Posted | None:
    """A decline in the start's place: no start can follow it (GEN-5)."""
    may_sign(game)
    if game.log.genesis is not None:
        raise TableError("E-START", f"{game.name} has started. To give it up: pbem resign {game.name}")
    if game.log.withdrawn is None:
        keys, card = context.people.keys(me.identity), game.offer.join.card
        add_opening(game, founding.make_decline(keys, card, game.offer, me.by, why, context.clock()))
    posted = post(context, game, again=True)
    summary.refresh(context, game)
    return posted


def _invitation(
    context: Context, game: GameFile, answer: Literal["join", "decline"], identity: str | None
) -> tuple[Person, int]:
    """Who of this home may answer the offer, and for which number.

    An answer that a crash or a full disk kept from the outbox is given again, the same one.
    """
    may_sign(game)
    me = game.me
    again = me is not None and me.by != game.offer.starter and game.log.genesis is None and not was_posted(game)
    if game.store.private("declined") is not None and not (again and answer == "decline"):
        raise TableError("E-ANSWERED", _declined(game, game.store.record(me.by, 0) if me is not None else None))
    if me is not None and again and (answer == _answered(game, me) or game.store.record(me.by, 0) is None):
        return context.people.me(me.identity.hex()), me.by
    if me is not None or game.log.genesis is not None:
        raise TableError(
            "E-ANSWERED",
            f"You have answered the offer of {game.name} before, or it has started without you. The file of your "
            f"answer again: pbem send {game.name}",
        )
    people = [context.people.me(identity)]
    if identity is None:
        people += [person for person in context.people.identities() if person.identity != people[0].identity]
    for person in people:
        by = place_for(game, person.card)
        if by is not None:
            return person, by
    raise TableError("E-NOT-YOURS", f"The offer of {game.name} has no place for you.")


def _declined(game: GameFile, raw: bytes | None) -> str:
    """What was signed stands, its reason too."""
    why = str(parse_record(raw).data["why"]) if raw is not None else ""
    said = f'with the reason "{why}"' if why else "without a reason"
    return (
        f"You have declined {game.name}, {said}; what is signed is not changed. The file again: pbem send {game.name}"
    )


def _answered(game: GameFile, me: Me) -> str:
    raw = game.store.record(me.by, 0)
    return parse_record(raw).kind if raw is not None else ""


def place_for(game: GameFile, card: Card) -> int | None:
    """The number kept for this person, or an open one; None when there is none, or they made the offer."""
    offer = game.offer
    if offer.join.identity == card.identity:
        return None
    if card.identity in offer.players:
        return offer.players.index(card.identity)
    taken = {join.by for join in game.log.candidates.values()}
    return next((n for n in offer.numbers if offer.players[n] is None and n not in taken), None)
