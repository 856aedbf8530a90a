"""One game as this home holds it: its records as a replay, and the keys and secrets with which its player acts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgpack

from pbem.engine.definition import DataSet, Game
from pbem.engine.event import Event
from pbem.engine.match import Match
from pbem.engine.player import Player
from pbem.engine.replay import Checkpoint, Replay
from pbem.fairplay.begin import game_secrets
from pbem.fairplay.secret import GameSecrets
from pbem.home.disk import HomeError
from pbem.home.store import GameStore, Stored
from pbem.protocol.canonical import unpack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.errors import Incomplete, PbemError, Refusal
from pbem.protocol.genesis import Join, Offer
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ITEM
from pbem.protocol.log import ForkFound, Log
from pbem.protocol.record import UMPIRE, Record, parse_record

if TYPE_CHECKING:
    from pbem.home.root import Home

GameFinder = Callable[[str], Game[Any]]
_OWN_TURN = "own-turn"
_SNAPSHOT = "snapshot"
_VERSION = 2
OPENING = frozenset({"join", "decline"})


@dataclass(frozen=True, slots=True)
class Me:
    """Who plays this game from this home."""

    identity: bytes
    by: int


def me_of(store: GameStore) -> Me | None:
    state = store.state
    return Me(state.identity, state.by) if state.by is not None else None


class GameFile:
    """A loaded game. What is done to `replay` and not written is lost with the object; nothing is shared."""

    def __init__(self, store: GameStore, find: GameFinder) -> None:
        self.store = store
        self.replaced: dict[bytes, bytes] = {}
        """Data files of an offer that is not yet written."""
        self.heard: list[Event] = []
        """What the records brought about that were signed here since the game was loaded."""
        self._find = find
        self.replay = Replay(self._rules, source=self.raw_of)
        self.replay.rivals = self._rival

    # Opening

    @classmethod
    def load(cls, store: GameStore, find: GameFinder) -> GameFile:
        """The game in a folder: from the snapshot as far as that goes, and the records after it."""
        game = cls(store, find)
        snapshot = game._snapshot()
        if snapshot is not None:
            game.replay = snapshot
        game._catch_up()
        return game

    def _snapshot(self) -> Replay | None:
        """A cache that does not fit the records, or does not load for whatever reason, is no cache."""
        raw = self.store.cached(_SNAPSHOT)
        if raw is None:
            return None
        try:
            version, plain = msgpack.unpackb(raw, strict_map_key=True)
            if version != _VERSION:
                return None
            replay = Replay.load(plain, self._rules, source=self.raw_of)
            log = replay.log
            for by in log.authors if log.genesis else ():
                held = self.store.record(by, log.count(by) - 1)
                if held is None or (parse_record(held).id != log.last(by) and not log.forks):
                    return None
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, PbemError, msgpack.UnpackException):
            return None
        replay.rivals = self._rival
        return replay

    def _catch_up(self) -> None:
        """Takes in every stored record that the replay lacks."""
        log = self.log
        held = {by: log.count(by) for by in log.authors} if log.genesis is not None and not log.forks else {}
        fresh = [
            parse_record(self.store.record(by, seq) or b"")
            for by, seq in self.store.numbers()
            if seq >= held.get(by, 0)
        ]
        fresh += [parse_record(raw) for kind in ("answers", "rivals") for raw in self.store.all_loose(kind)]
        left = self.take(record for record in fresh if not log.holds(record.id))
        me = self.me
        # A power cut may lose the first of several records that were being put in place. Others' then wait here for the
        # mail to be opened again; one's own are made only when all that they cite is safe.
        if me is not None and any(record.by == me.by and record.kind not in OPENING for record in left):
            raise HomeError("E-DAMAGED", f"The records of {self.name} do not fit together any more: some are missing.")

    def take(self, records: Iterable[Record]) -> list[Record]:
        """Takes records into the replay in any order; returns those whose ancestors are missing."""
        waiting = list(records)
        while waiting:
            left = []
            for record in waiting:
                try:
                    self.replay.accept(record)
                except Incomplete:
                    left.append(record)
                except ForkFound:
                    self.replay.add_rival(record)
                except Refusal:
                    if self.log.genesis is None or record.kind not in OPENING:
                        raise
            if len(left) == len(waiting):
                return left
            waiting = left
        return []

    def write(self, records: Iterable[Record], but: Record | None = None) -> None:
        """Others' records, accepted before, to where they belong: the chain, the answers to an offer, or the other
        branch of a fork. `but` is written by somebody else."""
        log, store, me = self.log, self.store, self.me
        chain: dict[tuple[int, int], Stored] = {}

        def place(record: Record) -> None:
            held = store.record(record.by, record.seq)
            if held is None:
                chain[record.by, record.seq] = Stored(record.by, record.seq, record.raw)
            elif held != record.raw:
                # The place is taken by what came first: one's own join that was not chosen, the branch that lost.
                store.add_loose("answers" if record.kind in OPENING else "rivals", record.id, record.raw)

        if log.genesis is not None:
            for record in log.opening:
                if record != but:
                    place(record)
        for record in records:
            if (
                log.genesis is None
                and record.kind in OPENING
                and not record.seq
                and (me is None or self.identity_of(record) != me.identity)
            ):
                store.add_loose("answers", record.id, record.raw)
            elif log.genesis is None or log.id_at(record.by, record.seq) == record.id:
                place(record)
            elif record.kind not in OPENING:
                store.add_loose("rivals", record.id, record.raw)
        store.add(chain.values())
        self.replay.stored()

    def save_snapshot(self) -> None:
        self.store.set_cached(_SNAPSHOT, msgpack.packb([_VERSION, self.replay.dump()]))

    def keep_own_turn(self) -> None:
        """The player is about to seal a turn: what comes from here on will be looked at soon."""
        point = self.replay.checkpoint(self.match, self.log.vector)
        self.store.set_cached(_OWN_TURN, msgpack.packb([point.at, point.past, point.raw]))

    def own_turn(self) -> Checkpoint | None:
        """The game as it was before the player's last turn, if it can be gone on from."""
        raw = self.store.cached(_OWN_TURN)
        if raw is None:
            return None
        at, past, match = msgpack.unpackb(raw)
        point = Checkpoint(at, tuple(past), match)
        return point if self.replay.goes_on(point) else None

    # Asking

    @property
    def name(self) -> str:
        return self.store.name

    @property
    def log(self) -> Log:
        return self.replay.log

    @property
    def match(self) -> Match[Any]:
        match = self.replay.match
        if match is None:
            raise HomeError("E-NOT-NOW", f"{self.name} has not started yet.")
        return match

    @property
    def offer(self) -> Offer:
        offer = self.log.offer
        if offer is None:
            raise HomeError("E-DAMAGED", f"The offer of {self.name} is missing.")
        return offer

    @property
    def game_id(self) -> bytes:
        """The game id; before the start, the offer's id."""
        return self.log.genesis.game_id if self.log.genesis else self.offer.id

    @property
    def me(self) -> Me | None:
        """None while this home only looks at an offer."""
        return me_of(self.store)

    def set_me(self, me: Me) -> None:
        """Once: an identity and a number for the whole game."""
        self.store.change(identity=me.identity, by=me.by)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this home's player."""
        me = self.me
        return self.offer.seats_of(me.by) if me is not None else ()

    @property
    def bots(self) -> tuple[str, ...]:
        """Seats of the player's own that a bot plays for them."""
        return self.store.state.bots

    def set_bots(self, seats: Iterable[str]) -> None:
        self.store.change(bots=tuple(seats))

    @property
    def played(self) -> tuple[str, ...]:
        """The player's seats without those that a bot plays: what the bot knows is not shown."""
        bots = self.bots
        return tuple(seat for seat in self.seats if seat not in bots)

    def eyes(self, seat: str | None) -> tuple[str, ...]:
        """The seats that the player looks from while this one orders: of several sides, those of its side alone."""
        side = {each: self.match.game.seat(each).side for each in self.played}
        if len(set(side.values())) < 2:
            return self.played
        return tuple(each for each in side if seat is not None and side[each] == side.get(seat))

    def place_of(self, identities: Collection[bytes]) -> Me | None:
        """Where one of these identities has joined or offered."""
        for join in (self.offer.join, *self.log.candidates.values()):
            if join.identity in identities:
                return Me(join.identity, join.by)
        return None

    # Words

    @property
    def rules(self) -> Game[Any] | None:
        """The installed game; None when it is not installed."""
        try:
            return self._find(self.offer.rules.module)
        except PbemError:
            return None

    @property
    def title(self) -> str:
        rules = self.rules
        return rules.title if rules is not None else self.offer.rules.module

    def card_of(self, by: int) -> Card | None:
        """The card of a player now; before the start, as far as it is known."""
        if self.log.genesis is not None:
            return self.log.card_of(by)
        if by == self.offer.starter:
            return self.offer.join.card
        return next((join.card for join in self.log.candidates.values() if join.by == by), None)

    def player_name(self, by: int) -> str:
        card = self.card_of(by)
        if card is not None:
            return card.name
        return "The umpire" if by == UMPIRE else f"Player {by + 1}"

    def name_of(self, record: Record) -> str:
        """The name of a record's author; of answers to an offer each has its own card."""
        raw = record.data.get("card")
        return parse_card(raw).name if isinstance(raw, bytes) and record.seq == 0 else self.player_name(record.by)

    def identity_of(self, record: Record) -> bytes:
        """Whose answer to the offer this is."""
        return parse_card(record.data["card"]).identity

    def signed_by(self, record: Record) -> bytes:
        """The identity whose key signed a record that is held."""
        if record.seq == 0 and "card" in record.data:
            return self.identity_of(record)
        return self.log.card_of(record.by, record.seq).identity if self.log.genesis else self.offer.join.identity

    def told(self, events: Iterable[Event]) -> tuple[str, ...]:
        """What the game says of events, as far as this player may know them."""
        rules = self.rules
        if rules is None:
            return ()
        return rules.tell(event for event in events if event.seen_by(self.played))

    # Records

    def raw_of(self, by: int, seq: int) -> bytes:
        """The bytes of the record that stands at this place of the main chain."""
        raw = self.store.record(by, seq)
        record_id = self.log.id_at(by, seq)
        if raw is not None and self.log.forks and record_id is not None and parse_record(raw).id != record_id:
            raw = self.store.loose("rivals", record_id)
        if raw is None:
            raise HomeError("E-DAMAGED", f"A record of {self.name} is missing: {by}-{seq}.")
        return raw

    def _rival(self, record_id: bytes) -> bytes | None:
        """A record of the other branch of a fork: by its id, or where the branch that lost came first."""
        found = self.store.loose("rivals", record_id)
        for fork in self.log.forks:
            seq = fork.seq
            while found is None and (raw := self.store.record(fork.by, seq)) is not None:
                found, seq = (raw if parse_record(raw).id == record_id else None), seq + 1
        return found

    def raw_by_id(self, record_id: bytes) -> bytes:
        """The bytes of a record that is held, wherever it stands."""
        for record in self.log.opening:
            if record.id == record_id:
                return record.raw
        place = self.log.find(record_id)
        raw = self.raw_of(*place) if place is not None else self._rival(record_id)
        if raw is None:
            raise HomeError("E-DAMAGED", f"A record of {self.name} is missing.")
        return raw

    def signer_of(self, record: Record) -> Card:
        """The card whose key signs in a record's place: what a proof of a fork shows."""
        if record.seq == 0 and record.kind in OPENING:
            return parse_card(record.data["card"])
        return self.log.card_of(record.by, record.seq) if self.log.genesis is not None else self.offer.join.card

    def newest(self) -> tuple[Game[Any], DataSet]:
        """The installed game, with the players' own data files where they have some: what a migration leads to."""
        return self._with_own(self._find(self.offer.rules.module), self.offer)

    def _rules(self, offer: Offer) -> tuple[Game[Any], DataSet]:
        """The installed game, with the data that the offer pins."""
        game = self._find(offer.rules.module)
        if not offer.replaced:
            return game, game.data_of(offer.rules.data) or game.data
        return self._with_own(game, offer)

    def _with_own(self, game: Game[Any], offer: Offer) -> tuple[Game[Any], DataSet]:
        if not offer.replaced:
            return game, game.data
        files = {}
        for name, digest in offer.replaced:
            raw = self.replaced.get(digest) or self.store.loose("replaced", digest)
            if raw is None:
                raise Refusal(
                    "E-FORM", f"The offer names a data file {name!r} that did not come with it.", step="STA-7"
                )
            files[name] = unpack(raw, MAX_ITEM)
        return game, game.data_with(files)


def number_of(game: GameFile, who: str) -> int:
    """A player by number, seat, or beginning of their name."""
    wanted = who.strip().casefold()
    if wanted.isascii() and wanted.isdigit() and int(wanted) in game.log.authors:
        return int(wanted)
    by_seat = [seat.player for seat in game.offer.seats if seat.name == wanted]
    by_name = [by for by in game.log.authors if wanted and game.player_name(by).casefold().startswith(wanted)]
    found = list(dict.fromkeys(by_seat or by_name))
    if len(found) != 1:
        raise HomeError("E-UNKNOWN", f"{who!r} does not name exactly one player of {game.name}: give a seat or a name.")
    return found[0]


def my_place(game: GameFile) -> Me:
    me = game.me
    if me is None:
        raise HomeError("E-NOT-JOINED", f"You do not play in {game.name}. Accept its offer with: pbem join {game.name}")
    return me


def may_sign(game: GameFile) -> None:
    """A game that was restored signs nothing until a person says that it has caught up."""
    if game.store.state.answered is not None:
        raise HomeError(
            "E-RESTORED",
            f"{game.name} was brought back from a backup and may lack records of yours that others hold. Ask them "
            f"with: pbem send {game.name}. When they have answered: pbem restore --confirm {game.name}",
        )


def signing_keys(home: Home, game: GameFile) -> Keys:
    """The keys that speak for this player now: those they came with, or those of a later change of key."""
    me = my_place(game)
    if not speaks(home, game):
        said = replaced(game) or f"{game.player_name(me.by)} plays this place, not you"
        raise HomeError("E-NOT-YOURS", f"In {game.name}, {said}.")
    if game.log.genesis is None:
        return home.people.keys(me.identity)
    return home.people.keys(game.log.card_of(me.by).identity)


def secrets(home: Home, game: GameFile) -> GameSecrets:
    """What follows from the seed this player joined with and their nonce."""
    me = my_place(game)
    join = my_join(game, me)
    return game_secrets(home.people.keys(join.identity).seed, game.offer.mode, join)


def my_join(game: GameFile, me: Me) -> Join:
    if game.replay.match is not None:
        return game.match.ledger.join(me.by)
    if me.by == game.offer.starter:
        return game.offer.join
    return next(join for join in game.log.candidates.values() if join.identity == me.identity)


def speaks(home: Home, game: GameFile) -> bool:
    """A key of this home signs for the player's number: not before a ruling puts it in, nor after one puts it out."""
    me = game.me
    if me is None or game.log.genesis is None:
        return me is not None
    return game.log.card_of(me.by).identity in {person.identity for person in home.people.identities()}


def player_of(home: Home, game: GameFile) -> Player:
    """What this player's program needs: the keys they sign with now, and their secrets of this game."""
    return Player(signing_keys(home, game), secrets(home, game), my_place(game).by, former_keys(home, game))


def former_keys(home: Home, game: GameFile) -> list[Keys]:
    """Keys of this home that the player signed with earlier in the game."""
    me, log = my_place(game), game.log
    if log.genesis is None:
        return []
    held = {person.identity for person in home.people.identities()}
    *former, current = (card.identity for card in log.cards_of(me.by))
    return [home.people.keys(identity) for identity in former if identity in held and identity != current]


def replaced(game: GameFile) -> str:
    """The name of the player in place of this home's player, and whose ruling that was; empty if no ruling did that."""
    genesis, me = game.log.genesis, game.me
    if genesis is None or me is None:
        return ""
    taken = game.log.ruled_on(me.by)
    held = {genesis.card(me.by).identity, *(each.card.identity for each in taken if each.card is not None)}
    if not taken or me.identity not in held:
        return ""
    who = names_of(game, taken[-1].needed)
    return f"{who} ruled that {game.player_name(me.by)} plays in your place"


def names_of(game: GameFile, numbers: Iterable[int]) -> str:
    me = game.me.by if game.me is not None else -1
    return " and ".join("you" if by == me else game.player_name(by) for by in sorted(numbers))


def own_count(game: GameFile, me: Me) -> int:
    """How many records of one's own there are."""
    if game.log.genesis is not None:
        return game.log.count(me.by)
    return next(seq for seq in range(3) if game.store.record(me.by, seq) is None)
