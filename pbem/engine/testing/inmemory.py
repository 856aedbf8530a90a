"""Whole games in memory under the real protocol: players with keys, records in any order of arrival, every copy judged.

table = Table(game, players=2, mode="strict")
table.play()                      # random legal orders to the end, then signatures and opened secrets
assert table.agree()              # every copy has the same state hash
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pbem.engine.archive import archive_items, verify_archive
from pbem.engine.bots import Bot, Planner, RandomBot
from pbem.engine.definition import Game, OptionValue
from pbem.engine.match import Accepted, Match
from pbem.engine.order import Order
from pbem.engine.player import Data, NewStanding, Player
from pbem.engine.replay import Replay, Upgrade
from pbem.engine.testing.contract import check_player
from pbem.engine.testing.scripted import Chance
from pbem.fairplay.begin import first_record, join_data, offer_data, start_data
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.card import Card, make_card
from pbem.protocol.container import Item, write
from pbem.protocol.digest import tagged
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import Rules, Seat, Terms, join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ORDERS
from pbem.protocol.log import in_any_order
from pbem.protocol.record import UMPIRE, Record

AT = 1_700_000_000


@lru_cache(maxsize=64)
def person(name: str, game: str = "0") -> tuple[Keys, Card, GameSecrets]:
    """Somebody whose keys follow from the name, and whose secrets of a game from name and game, as a home draws a
    nonce for each: in mode strict nothing else decides the decks and the dice.
    """
    keys = Keys(sha256(b"seed" + name.encode()).digest())
    card = make_card(keys, name, f"{name}@example.org", AT)
    return keys, card, GameSecrets(keys.seed, tagged("pbem-test/nonce", name, game))


class Peer:
    """One player with their own copy of the game. `inbox` holds what has arrived and waits for something missing."""

    def __init__(self, player: Player, replay: Replay) -> None:
        self.player = player
        self.replay = replay
        self.inbox: list[Record] = []
        self.refused: list[PbemError] = []

    @property
    def match(self) -> Match[Any]:
        assert self.replay.match is not None
        return self.replay.match

    def take(self, record: Record) -> None:
        """A record has come; what had waited for it is judged as well."""

        def judge(record: Record) -> None:
            try:
                self.replay.accept(record)
            except Refusal as refused:
                self.refused.append(refused)

        self.inbox = in_any_order([*self.inbox, record], judge)

    def make(self, kind: str, data: Data) -> Record:
        return self.player.record(self.replay.log, self.match, kind, data, at=AT)

    def seal(self, kind: str, data: Data) -> tuple[Record, Accepted]:
        record = self.make(kind, data)
        return record, self.replay.accept(record)


class Table:
    """A game that has started. `seats` says by number who holds which; without it they are dealt out in turn."""

    def __init__(
        self,
        game: Game[Any],
        players: int = 2,
        *,
        mode: str = "strict",
        umpire: bool = False,
        seed: str = "0",
        scenario: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        seats: Mapping[str, int] | None = None,
        behaviour: int | None = None,
        upgrade: Upgrade | None = None,
        silence: int = 0,
        careful: bool = False,
    ) -> None:
        """`careful`: it is an error if a player who has made or received a record cannot go on (`check`)."""
        self.game = game
        self.careful = careful
        self.chance = Chance(seed)
        self.records: list[Record] = []
        self.on_the_way: list[tuple[int, Record]] = []
        setup = game.setup_of(scenario, options)
        held = seats or {seat.name: number % players for number, seat in enumerate(game.seats)}
        numbers = [*range(players), *([UMPIRE] if umpire else [])]
        people = {n: person(f"player {n}" if n != UMPIRE else "umpire", seed) for n in numbers}
        terms = Terms(
            mode=mode,
            players=tuple(people[number][1].identity for number in range(players)),
            rules=Rules(behaviour or game.behaviour, bytes(32), setup.data.digest, game.name, game.rules, "pbem"),
            scenario=setup.scenario,
            seats=tuple(Seat(seat.name, seat.side, held[seat.name]) for seat in game.seats),
            decks=tuple(sorted(game.decks)),
            options=setup.options,
            umpired=umpire,
            title=f"test {seed}",
            silence=silence,
        )
        opening = _open(people, terms)
        self.peers: dict[int, Peer] = {}
        for number in numbers:
            keys, _, secrets = people[number]
            peer = Peer(Player(keys, secrets, number), Replay(lambda _: game, upgrade=upgrade))
            for record in opening:
                peer.replay.accept(record)
            self.peers[number] = peer
        self.records += opening

    # Playing

    def play(self, bots: Mapping[int, Bot[Any]] | None = None, most: int = 5_000) -> None:
        """To the very end, everybody's secrets opened."""
        for _ in range(most):
            if not self.step(bots):
                return
        raise AssertionError(f"not over after {most} steps: {self.waiting()}")

    def step(self, bots: Mapping[int, Bot[Any]] | None = None) -> bool:
        """One thing at random: a record arrives, or a player does what they owe. False: there is nothing left to do."""
        active = [number for number, peer in self.peers.items() if self._owes(peer)]
        choices = len(self.on_the_way) + len(active)
        if not choices:
            return False
        pick = self.chance.below(choices)
        if pick < len(self.on_the_way):
            self._arrive(*self.on_the_way.pop(pick))
        else:
            number = active[pick - len(self.on_the_way)]
            self.act(number, (bots or {}).get(number) or RandomBot())
        return True

    def act(self, number: int, bot: Bot[Any]) -> None:
        """The player's program settles what it can, or they order."""
        peer = self.peers[number]
        owed = peer.player.owed(peer.match)
        if owed:
            self.send(number, *owed[0])
        elif peer.match.asked(number):
            self.order(number, self.choose(number, bot))

    def choose(self, number: int, bot: Bot[Any] | None = None, most: int = 40) -> list[Order]:
        """Orders for all that the player is asked, as far as they get alone; a planner ends where it has to."""
        if isinstance(bot, Planner):
            most = MAX_ORDERS
        peer = self.peers[number]
        draft = peer.player.draft(peer.match)
        while draft.seat is not None and len(draft.entries) < most:
            seat, machine = draft.seat, draft.machine
            need = machine.need
            view = draft.view((seat,))
            order = (bot or RandomBot()).choose(view, need, seat, draft.legal(), self.chance)  # type: ignore[arg-type]
            found = draft.add(order)
            if not isinstance(found, tuple):
                raise AssertionError(f"a legal order is refused: {order}: {found}")  # noqa: TRY004
        if isinstance(bot, Planner) and draft.seat is None and draft.can_plan and draft.entries:
            seat = draft.entries[-1].seat
            for order in bot.plan(draft.view((seat,)), seat, self.chance):
                draft.add(order)
        return [entry.order for entry in draft.entries]

    def order(self, number: int, orders: Sequence[Order], standing: Sequence[NewStanding] = ()) -> Record:
        """The player seals these orders and mails them."""
        peer = self.peers[number]
        seq = peer.replay.log.count(number)
        return self.send(number, "orders", peer.player.orders_data(peer.match, orders, seq, standing))

    def send(self, number: int, kind: str, data: Data) -> Record:
        """The player seals a record, and it is on its way to all others."""
        record, _ = self.peers[number].seal(kind, data)
        self.mail(record)
        if self.careful:
            self.check(number)
        return record

    def mail(self, record: Record) -> None:
        self.records.append(record)
        self.on_the_way += [(other, record) for other in self.peers if other != record.by]

    def deliver(self) -> None:
        """Everything on its way arrives, in random order."""
        while self.on_the_way:
            self._arrive(*self.on_the_way.pop(self.chance.below(len(self.on_the_way))))

    def settle(self, until: Callable[[Table], bool] | None = None) -> None:
        """Mail and programs only, until a person has to choose."""
        while True:
            self.deliver()
            if until is not None and until(self):
                return
            for number, peer in self.peers.items():
                owed = peer.player.owed(peer.match)
                if owed:
                    self.send(number, *owed[0])
                    break
            else:
                return

    def _arrive(self, to: int, record: Record) -> None:
        self.peers[to].take(record)
        if self.careful:
            self.check(to)

    def _owes(self, peer: Peer) -> bool:
        return any(each.by == peer.player.number and each.what != "answer" for each in peer.match.pending())

    # Looking

    def waiting(self) -> list[str]:
        return [each.sentence(str) for each in self.peers[0].match.pending()]

    def check(self, number: int) -> None:
        """This player can go on from where they stand."""
        peer = self.peers[number]
        if peer.refused:
            raise peer.refused[0]
        check_player(peer.player, peer.match, peer.replay.log)

    def agree(self) -> bool:
        """Everybody holds the same records and the same state, and nothing was refused or waits."""
        states = {(peer.match.state_hash(), peer.replay.log.vector) for peer in self.peers.values()}
        return len(states) == 1 and not any(peer.inbox or peer.refused for peer in self.peers.values())

    def check_end(self, game: Game[Any] | None = None) -> None:
        """The game is over for everybody, all hold the same, and strangers, by `game`, find nothing wrong with it."""
        refused = [str(each) for peer in self.peers.values() for each in peer.refused]
        if not all(peer.match.finished for peer in self.peers.values()):
            raise AssertionError(f"everybody waits: {self.waiting()} {refused}")
        if not self.agree():
            raise AssertionError(f"not everybody holds the same: {refused}")
        archives = [self.archive(number) for number in self.peers]
        if len({write(archive) for archive in archives}) > 1:
            raise AssertionError("the archives differ")
        verdict = verify_archive(archives[0], {self.game.name: game or self.game})
        if not verdict.ok or verdict.result is None or verdict.audit is None or verdict.audit.missing:
            bad = verdict.first_bad
            raise AssertionError(f"strangers do not verify it: {verdict if bad is None else bad.sentence}")

    def archive(self, number: int = 0) -> list[Item]:
        """The game as one player would archive it, draws included."""
        return list(archive_items(self.peers[number].replay))


def seating(game: Game[Any], players: int) -> dict[str, int]:
    """Seat to player: the seats of a side are shared among its players, and a side with more seats gets more."""
    if players == 1:
        return {seat.name: 0 for seat in game.seats}
    sides = list(dict.fromkeys(seat.side for seat in game.seats))
    seats = {side: [seat.name for seat in game.seats if seat.side == side] for side in sides}
    shares = dict.fromkeys(sides, 1)
    for _ in range(players - len(sides)):
        shares[max(sides, key=lambda side: len(seats[side]) - shares[side])] += 1
    found, first = {}, 0
    for side in sides:
        found.update({seat: first + n % shares[side] for n, seat in enumerate(seats[side])})
        first += shares[side]
    numbers = {number: place for place, number in enumerate(dict.fromkeys(found[seat.name] for seat in game.seats))}
    return {seat.name: numbers[found[seat.name]] for seat in game.seats}


def _open(people: Mapping[int, tuple[Keys, Card, GameSecrets]], terms: Terms) -> list[Record]:
    author = terms.starter
    keys, card, mine = people[author]
    records = [first_record(keys, by=author, kind="offer", data=offer_data(card, mine, terms), offer=None, at=AT)]
    offer = offer_of(records[0])
    joins = []
    for number in offer.joiners:
        own, card, secrets = people[number]
        data = join_data(card, secrets, offer, number)
        records.append(first_record(own, by=number, kind="join", data=data, offer=offer, at=AT))
        joins.append(join_of(offer, records[-1]))
    data = start_data(mine.nonce if terms.umpired else None)
    return [*records, first_record(keys, by=author, kind="start", data=data, offer=offer, joins=joins, at=AT)]
