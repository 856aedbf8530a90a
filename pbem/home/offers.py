"""Records that begin a game (docs/spec/genesis.md): offering, joining, declining, taking over a player's place. Offers
of a tournament that somebody has entered are answered without asking."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pbem.engine.definition import Game, OptionValue, Seat, Setup, bad_data
from pbem.engine.registry import package
from pbem.fairplay.begin import first_record, join_data, offer_data
from pbem.fairplay.secret import GameSecrets
from pbem.home import resync, summary, unpacking
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, GameStore, Me, may_sign, me_of, number_of
from pbem.home.outbox import Posted, file_of
from pbem.home.people import LEFT, MAX_BY_ITSELF, Person
from pbem.home.root import Home
from pbem.home.sending import add_opening, pay, post
from pbem.home.unpacking import unwrap
from pbem.protocol.canonical import Packable, Plain, pack, unpack
from pbem.protocol.card import Card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import tagged, tagged_list
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import BY_UMPIRE, Board, Offer, Rules, Terms, offer_of
from pbem.protocol.genesis import Seat as OfferedSeat
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ITEM
from pbem.protocol.record import Record, make_record, parse_record


def replaced_files(found: Iterable[tuple[str, bytes]], offer: Offer) -> dict[bytes, bytes]:
    """The data files that the offer names, by digest; E-FORM when one did not come with it.

    Each is of the schema of its kind (E-DATA).
    """
    by_digest = {tagged("pbem1/value", raw): raw for _, raw in found}
    for name, digest in offer.replaced:
        if digest not in by_digest:
            raise Refusal(
                "E-FORM", f"The offer replaces the data file {name!r} with one that did not come with it.", step="STA-7"
            )
    check_files((name, unpack(by_digest[digest], MAX_ITEM)) for name, digest in offer.replaced)
    return {digest: by_digest[digest] for _, digest in offer.replaced}


def terms_of(game: Game[Any], setup: Setup, seats: Iterable[tuple[str, int]], **others: Any) -> Terms:
    """What is offered of this game; `seats` with their players, in the game's order."""
    return Terms(
        rules=Rules(setup.behaviour, code_digest(game), setup.data.digest, game.name, game.rules, package(game.name)),
        scenario=setup.scenario,
        seats=tuple(OfferedSeat(name, game.seat(name).side, player) for name, player in seats),
        decks=tuple(sorted(game.decks)),
        options=setup.options,
        **others,
    )


def make_offer(keys: Keys, card: Card, terms: Terms, nonce: bytes, at: int) -> Record:
    """GEN-1. What does not fit together is refused by the same words as an offer from outside."""
    data = offer_data(card, GameSecrets(keys.seed, nonce), terms)
    record = first_record(keys, by=terms.starter, kind="offer", data=data, offer=None, at=at)
    offer_of(record)
    return record


def make_join(keys: Keys, card: Card, offer: Offer, by: int, nonce: bytes, at: int) -> Record:
    """GEN-2."""
    data = join_data(card, GameSecrets(keys.seed, nonce), offer, by)
    return first_record(keys, by=by, kind="join", data=data, offer=offer, at=at)


def make_decline(keys: Keys, card: Card, offer: Offer, by: int, why: str, at: int, *, leave: bool = False) -> Record:
    """GEN-5. By the author of the offer, it withdraws the offer."""
    data: dict[str, Packable] = {"card": card.raw, "why": why, **({"leave": True} if leave else {})}
    return first_record(keys, by=by, kind="decline", data=data, offer=offer, at=at)


def code_digest(game: Game[Any]) -> bytes:
    """Over the sources of the game's package: different code is pointed out, it does not hinder a game."""
    file = getattr(sys.modules.get(game.setup.__module__), "__file__", None)
    if file is None:
        return bytes(32)
    folder = Path(file).parent
    sources = sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix())
    return tagged(
        "pbem1/code",
        tagged_list([tagged("pbem1/file", p.relative_to(folder).as_posix(), p.read_bytes()) for p in sources]),
    )


def check_files(files: Iterable[tuple[str, Plain]]) -> None:
    """E-DATA, with the place of the bad value. A file of a kind that has no schema is the game's own matter."""
    for name, value in files:
        # Imported for who brings a file only.
        from pbem.kit.datafile import kinds, problems

        if name in kinds():
            found = problems(name, value)
            if found:
                raise bad_data(f"The data file {name!r} does not match its schema: {'; '.join(found)}.")


ME = "me"
SILENCE = 30
NO_UMPIRE = (
    "A game with an umpire is offered by its umpire. Ask them for it: they run `pbem umpire new`, and you and the "
    "other players join. Without an umpire: --mode strict"
)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as somebody asks for it. `seats` name who plays each: `me`, `anyone`, or a contact."""

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


def offer(home: Home, game: str, **given: Any) -> tuple[str, Posted | None]:
    """Makes an offer of this `NewGame`; the name of the new game, and the file to mail. A game for one player alone
    starts at once, and nothing is to be mailed."""
    asked = NewGame(game, **given)
    with home.writing():
        me = home.people.me(asked.identity)
        if asked.mode == BY_UMPIRE and not asked.umpire:
            raise HomeError("E-OFFER", NO_UMPIRE)
        if asked.tournament is not None and (made := _made(home, me, asked.tournament)) is not None:
            return made.name, post(home, made, again=True)
        for card in asked.players:
            home.people.meet(card)
        rules = home.find_game(asked.game)
        check_files(sorted((asked.replaced or {}).items()))
        data = rules.data_with(asked.replaced) if asked.replaced else rules.data
        first = [card.identity for card in asked.players] if asked.umpire else [me.identity]
        players, seats = _places(home, rules.seats, asked.seats, me, first)
        files = {data.file_digest(name): pack(value) for name, value in (asked.replaced or {}).items()}
        alone = {each.name: each.alone for each in rules.options if each.alone is not None and len(players) == 1}
        terms = terms_of(
            rules,
            rules.setup_of(asked.scenario, {**alone, **(asked.options or {})}, data),
            seats,
            players=players,
            mode=asked.mode,
            umpired=asked.umpire,
            clock={"bank": asked.bank_seconds, "days_off": asked.days_off, "move": asked.move_seconds},
            replaced=tuple((name, data.file_digest(name)) for name in sorted(asked.replaced or {})),
            title=asked.title,
            silence=_silence(asked, len(players)),
            tournament=asked.tournament,
            expires=asked.expires,
        )
        record = make_offer(home.people.keys(me.identity), me.card, terms, home.random(32), home.clock())
        made_offer = offer_of(record)
        file = GameFile(home.store(made_offer.id), home.find_game)
        file.replaced = files
        if asked.tournament is not None:  # durable before the offer is: there is one for a board
            home.add_boards((me.identity, asked.tournament, made_offer.id))
        return _kept(home, file, Me(me.identity, made_offer.starter), record)


def _made(home: Home, me: Person, place: Board) -> GameFile | None:
    """The offer for this board that was made here and not taken back."""
    for key in home.offers_for(me.identity, place):
        store = home.store(key)
        game = GameFile.load(store, home.find_game) if store.name else None
        if game is not None and game.me is not None and game.log.withdrawn is None:
            return game
    return None


def _silence(asked: NewGame, players: int) -> int:
    if asked.silence is not None:
        return asked.silence
    return SILENCE if not asked.umpire and players > 1 else 0


def check_replaceable(offer: Offer) -> None:
    """Between two players without an umpire nobody can rule on anybody's place or key (MEA-10)."""
    if offer.umpire is None and len(offer.players) == 2:
        raise HomeError(
            "E-RULING",
            "Between two players without an umpire, nobody can give a place or a new key to a player who has lost "
            "theirs. If the phrase is lost too, only the opponent can end the game: pbem claim, then pbem rule",
        )


def first(home: Home, name: str) -> Offer | None:
    """The offer of this game, if it is the first in this home that is played with others."""
    found = None
    for store in home.stores():
        raw = store.offer()
        if raw is not None and me_of(store) is not None and len((offer := offer_of(parse_record(raw))).players) > 1:
            if store.name != name:
                return None
            found = offer
    return found


def _kept(home: Home, file: GameFile, me: Me, record: Record) -> tuple[str, Posted | None]:
    """An offer of one's own: to the disk, and to the outbox."""
    try:
        return _keep(home, file, me, record)
    except Exception:
        # Nobody has seen the offer: it goes as if it had never been made, and the command can be given again.
        name = file.name
        file.store.discard()
        home.outbox.drop(name)
        raise


def _keep(home: Home, file: GameFile, me: Me, record: Record) -> tuple[str, Posted | None]:
    file.store.prepare()
    for digest, raw in file.replaced.items():
        file.store.add_loose("replaced", digest, raw)
    file.set_me(me)
    add_opening(file, record)
    home.name_game(file.store, file.offer)
    posted = post(home, file)
    pay(home, file)
    summary.refresh(home, file)
    return file.name, posted


def _places(
    home: Home, seats: tuple[Seat, ...], who: Mapping[str, str], me: Person, first: Sequence[bytes]
) -> tuple[tuple[bytes | None, ...], tuple[tuple[str, int], ...]]:
    """The players by number, from these on, and the player of every seat. Each `anyone` is a player of their own."""
    unknown = sorted(set(who) - {seat.name for seat in seats})
    lacking = [seat.name for seat in seats if seat.name not in who]
    if unknown or lacking:
        wrong = f"There is no seat {unknown[0]!r}. " if unknown else ""
        names = ", ".join(seat.name for seat in seats)
        raise HomeError(
            "E-SEAT",
            f"{wrong}Say who plays each of the seats ({names}), for example: --seat {seats[0].name}=me. Other values "
            "are the name of a contact, and anyone.",
        )
    players: list[bytes | None] = list(first)
    placed = []
    for seat in seats:
        name = who[seat.name]
        if name == summary.ANYONE:
            players.append(None)
            placed.append((seat.name, len(players) - 1))
            continue
        if name == ME and me.identity not in first:
            raise HomeError("E-SEAT", "The umpire of a game has no seat in it: name the players, or anyone.")
        identity = me.identity if name == ME else home.people.find(name).identity
        if identity not in players:
            players.append(identity)
        placed.append((seat.name, players.index(identity)))
    held = {(number, seat.side) for (_, number), seat in zip(placed, seats, strict=True)}
    if 1 < len(players) < len(held):
        raise HomeError(
            "E-SEAT", "Nobody can play against themselves in a game with others: give each player one side."
        )
    return tuple(players), tuple(placed)


def join(home: Home, name: str, identity: str | None = None, *, once: bool = False) -> Posted | None:
    """Accepts an offer: once, by one identity; and with it, unless `once`, the later ones of its tournament."""
    with home.writing():
        game = home.load(name)
        person, by = _invitation(home, game, "join", identity)
        home.people.keys(person.identity)  # who has no passphrase has changed nothing
        if game.me is None or game.store.record(by, 0) is None:
            if not is_open(home, game):
                raise HomeError("E-EXPIRED", _closed(game))
            place = game.offer.tournament
            if place is not None and not once and person.identity in game.offer.players:
                home.people.enter(game.offer.join.identity, place.key, person.identity, 1)
            put_in(home, game, person, by)
        posted = pay(home, game)
        summary.refresh(home, game)
        return posted[-1] if posted else None


def is_open(home: Home, game: GameFile) -> bool:
    """It can be joined: it has not started, was not taken back and has not expired, by this home's clock (GEN-3)."""
    expires = game.offer.expires
    return game.log.genesis is None and game.log.withdrawn is None and not 0 < expires < home.clock()


def _closed(game: GameFile) -> str:
    who = game.offer.join.card.name
    what = f"{who} has withdrawn it" if game.log.withdrawn is not None else "it has expired"
    return f"You can no longer join {game.name}: {what}. Ask {who} for another offer."


def put_in(home: Home, game: GameFile, person: Person, by: int) -> None:
    """Makes the join of one of this home as player `by`."""
    keys = home.people.keys(person.identity)
    record = make_join(keys, person.card, game.offer, by, home.random(32), home.clock())
    game.set_me(Me(person.identity, by))
    add_opening(game, record)


def decline(
    home: Home, name: str, why: str = "", identity: str | None = None, *, tournament: bool = False
) -> Posted | None:
    """Declines an offer, for good; an offer of one's own is taken back.

    `tournament`: leaves its tournament. The umpire is told with this answer, or, where the offer was answered before,
    with that to the next one.
    """
    with home.writing():
        game = home.load(name)
        place, me = game.offer.tournament, game.me
        if tournament and place is None:
            raise HomeError("E-UNKNOWN", f"{game.name} belongs to no tournament.")
        if me is not None and me.by == game.offer.starter:
            return _take_back(home, game, me, why)
        if tournament and place is not None and game.log.genesis is None and me is None:
            person, by = _invitation(home, game, "decline", identity)
            leave(home, game, person, by, why)
        elif tournament and place is not None:
            own = home.people.me(identity) if me is None else home.people.me(me.identity.hex())
            home.people.enter(game.offer.join.identity, place.key, own.identity, LEFT)
            return None
        else:
            person, by = _invitation(home, game, "decline", identity)
            raw = game.store.record(by, 0)
            if game.me is None or raw is None:
                _say_no(home, game, person, by, why)
            elif why not in ("", parse_record(raw).data["why"]):
                raise HomeError("E-ANSWERED", _declined(game, raw))
        posted = post(home, game)
        summary.refresh(home, game)
        return posted


def leave(home: Home, game: GameFile, person: Person, by: int, why: str) -> None:
    """Declines, and tells the umpire that this player leaves the tournament."""
    place = game.offer.tournament
    assert place is not None
    _say_no(home, game, person, by, why, leave=True)
    home.people.enter(game.offer.join.identity, place.key, person.identity, None)


def _say_no(home: Home, game: GameFile, person: Person, by: int, why: str, *, leave: bool = False) -> None:
    keys = home.people.keys(person.identity)
    record = make_decline(keys, person.card, game.offer, by, why, home.clock(), leave=leave)
    game.store.change(identity=person.identity, by=by, declined=True)
    add_opening(game, record)


def _take_back(home: Home, game: GameFile, me: Me, why: str) -> Posted | None:
    """A decline in the start's place: no start can follow it (GEN-5)."""
    may_sign(game)
    if game.log.genesis is not None:
        raise HomeError("E-START", f"{game.name} has started. To give it up: pbem resign {game.name}")
    if game.log.withdrawn is None:
        keys, card = home.people.keys(me.identity), game.offer.join.card
        add_opening(game, make_decline(keys, card, game.offer, me.by, why, home.clock()))
    posted = post(home, game, again=True)
    summary.refresh(home, game)
    return posted


def _invitation(
    home: Home, game: GameFile, answer: Literal["join", "decline"], identity: str | None
) -> tuple[Person, int]:
    """Who of this home may answer the offer, and for which number.

    An answer that a crash or a full disk kept from the outbox is given again, the same one.
    """
    may_sign(game)
    me = game.me
    again = me is not None and me.by != game.offer.starter and game.log.genesis is None and not game.store.state.posted
    if game.store.state.declined and not (again and answer == "decline"):
        raise HomeError("E-ANSWERED", _declined(game, game.store.record(me.by, 0) if me is not None else None))
    if me is not None and again and (answer == _answered(game, me) or game.store.record(me.by, 0) is None):
        return home.people.me(me.identity.hex()), me.by
    if me is not None or game.log.genesis is not None:
        raise HomeError(
            "E-ANSWERED",
            f"You have answered the offer of {game.name} before, or it has started without you. To write your "
            f"answer's file again: pbem send {game.name}",
        )
    people = [home.people.me(identity)]
    if identity is None:
        people += [person for person in home.people.identities() if person.identity != people[0].identity]
    for person in people:
        by = place_for(game, person.card)
        if by is not None:
            return person, by
    raise HomeError("E-NOT-YOURS", f"The offer of {game.name} has no place for you.")


def _declined(game: GameFile, raw: bytes | None) -> str:
    """What was signed stands, its reason too."""
    why = str(parse_record(raw).data["why"]) if raw is not None else ""
    said = f'with the reason "{why}"' if why else "without a reason"
    return (
        f"You have declined {game.name}, {said}; a signed answer cannot be changed. "
        f"To write its file again: pbem send {game.name}"
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


def stand_in(home: Home, raw: bytes, player: str, identity: str | None = None) -> tuple[str, Posted]:
    """Offers to take a player's place in the game of this file, which must hold the whole of it.

    The file goes to the players or the umpire who rule. Until the ruling has come, nothing can be signed in the game.
    """
    with home.writing():
        person = home.people.me(identity)
        game = _whole_game(home, raw)
        by = number_of(game, player)
        check_replaceable(game.offer)
        if game.name:
            join = _made_before(game, person.identity, by)
        else:
            keys = home.people.keys(person.identity)
            secrets = GameSecrets(keys.seed, home.random(32))
            join = make_record(
                keys,
                at=home.clock(),
                by=by,
                data=join_data(person.card, secrets, game.offer, by),
                game=game.game_id,
                heads=(),
                kind="join",
                pin=0,
                prev=None,
                seq=0,
            )
            game.store.prepare()
            for digest, data in game.replaced.items():
                game.store.add_loose("replaced", digest, data)
            game.store.change(identity=person.identity, by=by, substitute=join.raw)
            game.write(game.replay.records())
            home.name_game(game.store, game.offer)
        summary.refresh(home, game)
        item = Item(ItemType.RECORD, join.raw)
        to = resync.recipients(home, game)
        posted = home.outbox.put(game, f"{game.name}-standin", file_of([item]), to, automatic=False)
        return game.name, posted


def _whole_game(home: Home, raw: bytes) -> GameFile:
    parcel = unwrap(unpacking.blocks(raw)[0])
    first = next((record for record in parcel.records if record.kind == "offer"), None)
    if first is None:
        raise Refusal("E-NOTHING", "This file does not hold a whole game. Ask its players for: pbem archive")
    offer = offer_of(first)
    store = home.store(offer.id)
    if store.name:
        return GameFile.load(store, home.find_game)
    game = GameFile(store, home.find_game)
    game.replaced = replaced_files(parcel.replaced, offer)
    left = game.take(parcel.records)
    if left or game.log.genesis is None:
        raise Refusal("E-NOTHING", "This file does not hold a whole game. Ask its players for: pbem archive")
    return game


def _made_before(game: GameFile, identity: bytes, by: int) -> Record:
    """The same join as before: a second one would be a fork."""
    raw = game.store.state.substitute
    if not raw or game.me != Me(identity, by):
        raise HomeError("E-ANSWERED", f"You already have a place in {game.name}.")
    return parse_record(raw)


# Tournaments


def awaits(home: Home, offer: Offer) -> bool:
    """Somebody of this home has entered the tournament of this offer, and it is the first for its board."""
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or home.offers_for(umpire.identity, place):
        return False
    return any(taken >= 0 for taken in home.people.entered(umpire.identity, place.key).values())


def arrived(home: Home, game: GameFile) -> list[str]:
    """Records of a game came: identities of this home that have entered its tournament join it. Returns the news.

    Once an offer is taken back, another one for its board may be joined.
    """
    place, umpire = game.offer.tournament, game.offer.umpire
    if place is None or umpire is None:
        return []
    home.add_boards((umpire.identity, place, game.offer.id))
    me = game.me
    if me is not None and me.identity == umpire.identity:
        _hear(home, game, place)
    if game.log.genesis is not None:
        for other in home.rivals(game.offer):
            summary.refresh(home, other)
    if game.log.withdrawn is not None:
        for other in home.rivals(game.offer):
            if answer_entered(home, other):
                pay(home, other)
                summary.refresh(home, other)
    elif answer_entered(home, game) is False:
        return ["This offer is not joined automatically: you play another game for its board."]
    return []


def answer_entered(home: Home, game: GameFile) -> bool | None:
    """Joins an offer whose tournament was entered, or declines it where it was left. False: another for its board is
    played here; None: it is not answered by itself for another reason."""
    offer = game.offer
    place, umpire = offer.tournament, offer.umpire
    if place is None or umpire is None or not is_open(home, game):
        return None
    if _has_answered(game.store) or game.store.state.is_restored:
        return None
    own = {person.identity: person for person in home.people.identities()}
    for identity, taken in home.people.entered(umpire.identity, place.key).items():
        if identity not in own or identity not in offer.players or not LEFT <= taken < MAX_BY_ITSELF:
            continue
        by = offer.players.index(identity)
        if taken == LEFT:
            game.store.change(automatic=True)
            leave(home, game, own[identity], by, "")
            return True
        if any(_plays(other) for other in home.rivals(offer)):
            return False
        home.people.keys(identity)  # who has no passphrase has changed nothing
        home.people.enter(umpire.identity, place.key, identity, taken + 1)
        game.store.change(automatic=True)
        put_in(home, game, own[identity], by)
        return True
    return None


def answer_all(home: Home) -> dict[str, PbemError]:
    """Answers what a missing passphrase, or a stop, has held up. Games for which it still cannot be done, and why."""
    faults: dict[str, PbemError] = {}
    for row in summary.rows(home):
        open_to_me = row.stage in ("invited", "waiting", "declined") and row.tournament is not None
        if not open_to_me or _has_answered(home.find(row.name)):
            continue
        try:
            with home.writing():
                game = home.load(row.name)
                if answer_entered(home, game):
                    pay(home, game)
                    summary.refresh(home, game)
        except PbemError as error:
            faults[row.name] = error
    return faults


def _has_answered(store: GameStore) -> bool:
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
                home.people.set_left(game.offer.join.identity, place.key, identity, record.data["why"])
                game.store.change(left=(*heard, record.id))
