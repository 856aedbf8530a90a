"""The state of a game in one row that is kept beside it, so that a list of fifty games replays none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Literal

import msgpack

from pbem.engine.obligation import JOIN, ORDERS, doer
from pbem.home import describe, gamefile
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, GameStore, speaks
from pbem.home.root import Home, only
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board
from pbem.protocol.record import UMPIRE

Stage = Literal[
    "offered", "invited", "waiting", "playing", "ending", "over", "out", "standin", "declined", "cancelled", "expired"
]
"""offered: by me, joins are missing; invited: I may join; expired: I could have; waiting: joined, no start yet;
cancelled: its author has withdrawn the offer; ending: over, not audited;
out: a ruling gave my place to somebody else; standin: I offer to take a place, and no ruling has given it to me."""


@dataclass(frozen=True, slots=True)
class Owed:
    """Something that a player owes before the game can go on."""

    by: int
    """The player's number; 7 the umpire; -1 a player who can join."""
    name: str
    what: str
    """orders, reveal, release, join, start, end, open_all, answer."""
    text: str
    """As a sentence without its subject: "has to give march orders for blue"."""
    since: int
    """When the record that caused it came here (0: unknown)."""
    automatic: bool
    """Whether the player's program does this automatically."""
    mine: bool

    @property
    def sentence(self) -> str:
        """With its subject, for the player: "You have to give march orders for blue"."""
        if self.mine and not self.automatic:
            return f"You {self.text.replace('has ', 'have ', 1)}"
        return f"{'Your program' if self.mine else doer(self.name, automatic=self.automatic)} {self.text}"


@dataclass(frozen=True, slots=True)
class GameRow:
    """One line of the list."""

    name: str
    game: str
    """The module's title."""
    scenario: str
    title: str
    stage: Stage
    moment: str
    """What is asked: "Turn 3, Blue moves"; of others with their names: "Bob Silva is asked: Turn 3, Red moves"."""
    my_move: bool
    owed: tuple[Owed, ...]
    result: str
    restored: bool
    """Restored from a backup and not yet caught up: nothing is signed."""
    fault: str = ""
    """Why the game cannot be shown: its rules are not installed, its files are damaged."""
    proposed: str = ""
    """Who asks to go back, and what that would undo, as long as it waits for an answer."""
    notice: str = ""
    """What stops the game, and what to do about it: a fork that waits for a ruling, a fork that no ruling can decide
    any more, or a claim. After a forfeit it gives the dates of forfeit and claim, and the records that crossed it."""
    stuck: str = ""
    """Why this player's program cannot do what it owes, and what the players can do."""
    umpire: str = ""
    """Name of the umpire; empty if there is none."""
    tournament: Board | None = None
    expires: int = 0
    """Time until which the offer can be joined (0: no limit)."""
    others: tuple[str, ...] = ()
    """Names of the other players; `anyone` for a place that is open to everybody."""
    offered: int = 0
    """When it was offered."""


ANYONE = "anyone"
"""Whoever joins first."""
_ROW = "row"
_VERSION = 7


def refresh(home: Home, game: GameFile) -> GameRow:
    """The row of a loaded game, kept with its snapshot for the next time."""
    row = make_row(home, game, _kept(game.store))
    if game.log.genesis is not None:
        game.save_snapshot()
        game.store.set_game_id(game.game_id)
    keep_row(game.store, row)
    return row


def keep_row(store: GameStore, row: GameRow) -> None:
    stamp = store.stamp()
    store.set_cached(_ROW, msgpack.packb([_VERSION, stamp, asdict(row)]))


def rows(home: Home) -> list[GameRow]:
    return [row_of(home, store) for store in home.stores()]


def row(home: Home, name: str) -> GameRow:
    return row_of(home, home.find(name))


def find(home: Home, query: str) -> str:
    """The whole name of a game: by its beginning, or by that of its title."""
    try:
        return home.find(query).name
    except HomeError as error:
        wanted = query.strip().casefold()
        found = [row.name for row in rows(home) if wanted and row.title.casefold().startswith(wanted)]
        if error.code != "E-UNKNOWN" or not found:
            raise
        return only(query, [home.find(name) for name in found]).name


def row_of(home: Home, store: GameStore) -> GameRow:
    """From the cache if it fits the records; else by loading the game. A game that does not load says why."""
    kept = _kept(store)
    if kept is not None and kept[0] == store.stamp():
        return _today(home, kept[1])
    try:
        return _today(home, make_row(home, GameFile.load(store, home.find_game), kept))
    except PbemError as error:
        return GameRow(
            store.name, "", "", "", "playing", "", my_move=False, owed=(), result="", restored=False,
            fault=str(error),
        )  # fmt: skip


def _today(home: Home, row: GameRow) -> GameRow:
    """An offer that can be joined no more waits for nobody."""
    if row.stage == "invited" and 0 < row.expires < home.clock():
        return replace(row, stage="expired", owed=())
    return row


def index(home: Home) -> dict[bytes, bytes]:
    """Game ids and offer ids, to the offer id that names the folder."""
    found: dict[bytes, bytes] = {}
    for offer_id, (_, held) in home.games().items():
        found[offer_id], game_id = offer_id, held
        store = home.store(offer_id)
        if game_id is None and any(store.record(by, 1) is not None for by in (0, UMPIRE)):
            try:
                game_id = GameFile.load(store, home.find_game).game_id
            except PbemError:
                continue
        if game_id is not None:
            found[game_id] = offer_id
    return found


def _kept(store: GameStore) -> tuple[bytes, GameRow] | None:
    raw = store.cached(_ROW)
    if raw is None:
        return None
    try:
        version, stamp, fields = msgpack.unpackb(raw, strict_map_key=True)
        if version != _VERSION:
            return None
        owed = tuple(Owed(**each) for each in fields.pop("owed"))
        place, others = fields.pop("tournament"), tuple(fields.pop("others"))
        board = Board(*place) if place is not None else None
        return stamp, GameRow(**fields, owed=owed, tournament=board, others=others)
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException):
        return None


def make_row(home: Home, game: GameFile, kept: tuple[bytes, GameRow] | None) -> GameRow:
    offer = game.offer
    stage = _stage(home, game)
    owed = _owed(home, game, stage, kept)
    result = ""
    if stage in ("ending", "over"):
        result = said(game)
    elif stage == "out":
        result = gamefile.replaced(game)
    elif stage == "standin":
        result = describe.awaited(game)
    return GameRow(
        name=game.name,
        game=game.title,
        scenario=offer.scenario,
        title=offer.title,
        stage=stage,
        moment=_moment(game, stage),
        my_move=any(each.mine and each.what == ORDERS for each in owed),
        owed=owed,
        result=result,
        restored=game.store.state.is_restored,
        proposed=describe.proposed(game) if stage == "playing" else "",
        notice=" ".join(filter(None, (describe.fork_notice(game), describe.claim_notice(game), _twins(home, game)))),
        stuck=str(stuck(game, owed) or ""),
        umpire=offer.umpire.name if offer.umpire is not None else "",
        tournament=offer.tournament,
        expires=offer.expires,
        others=tuple(_others(home, game)),
        offered=game.log.opening[0].at,
    )


def _others(home: Home, game: GameFile) -> Iterator[str]:
    me = {person.identity for person in home.people.identities()} if game.me is None else set[bytes]()
    for by in game.offer.numbers:
        named = game.offer.players[by]
        if named not in me and (game.me is None or by != game.me.by):
            yield ANYONE if named is None and game.card_of(by) is None else _name(home, game, by)


def _twins(home: Home, game: GameFile) -> str:
    """An umpire starts one game for a board; what a second one counts for, they have to say."""
    place = game.offer.tournament
    if place is None or game.log.genesis is None:
        return ""
    twins = [each.name for each in home.twins(game.offer)]
    if not twins:
        return ""
    return (
        f"{game.offer.join.card.name} has started more than one game for round {place.round}, board {place.board} of "
        f"{place.title}: {', '.join(sorted([game.name, *twins]))}. Ask which of them counts."
    )


def stuck(game: GameFile, owed: Iterable[Owed]) -> HomeError | None:
    """Why this home's program cannot do what it owes, and what its player can do; None: it can."""
    if not game.store.state.stuck or not any(each.mine and each.automatic for each in owed):
        return None
    code, why = game.store.state.stuck
    if game.me is not None and game.me.by == UMPIRE:
        agree = f"rule on the result (pbem rule {game.name} adjudge), or the players agree on a takeback or a draw"
    else:
        agree = f"agree on a takeback (pbem takeback {game.name}) or a draw (pbem tie {game.name})"
    return HomeError(
        code,
        f"{why} Your program cannot continue, and the game waits for it. The others see only that you have not "
        f"answered, so tell them. First update pbem in every home, then: pbem send {game.name}. "
        f"If that does not help, {agree}.",
    )


def said(game: GameFile) -> str:
    """The result as a sentence."""
    result = game.match.result
    if result is None:
        how = "no result: the cards of the game were tampered with"
    else:
        who = f"{result.winner} wins" if result.winner is not None else "a draw"
        how = f"{who} ({result.how})" if result.how else who
        how += f"; {out}" if game.offer.umpire is None and (out := describe.forfeited(game)) else ""
    found = game.store.state.audit
    if found is None:
        return f"{how} (provisional until the audit)"
    return f"{how}. The audit found a fault: {found}" if found else how


def _stage(home: Home, game: GameFile) -> Stage:
    log, me = game.log, game.me
    if log.genesis is not None:
        if game.replay.match is None or (me is not None and not speaks(home, game)):
            if gamefile.replaced(game):
                return "out"
            return "standin" if game.store.state.substitute else "declined"
        if game.match.result is None and not game.match.position.spoiled:
            return "playing"
        return "over" if game.store.state.audit is not None else "ending"
    if game.store.state.declined:
        return "declined"
    if log.withdrawn is not None:
        return "cancelled"
    if me is None:
        return "invited"
    if me.by != game.offer.starter:
        return "waiting"
    return "declined" if declined(game) else "offered"


def declined(game: GameFile) -> list[str]:
    """The players who declined a place that was kept for them."""
    return [
        game.name_of(record)
        for record in game.log.opening
        if record.kind == "decline" and record.seq == 0 and game.identity_of(record) in game.offer.players
    ]


def missing(game: GameFile) -> tuple[int, ...]:
    """The players who have not joined."""
    joined = {join.by for join in game.log.candidates.values()}
    return tuple(n for n in game.offer.joiners if n not in joined)


def _moment(game: GameFile, stage: Stage) -> str:
    return describe.stands_at(game.match, game.player_name, game.seats) if stage == "playing" else ""


def _owed(home: Home, game: GameFile, stage: Stage, kept: tuple[bytes, GameRow] | None) -> tuple[Owed, ...]:
    before = {(each.by, each.what, each.text): each.since for each in (kept[1].owed if kept else ())}
    me = game.me
    by_me = me.by if me is not None else None
    found: list[Owed] = []

    def add(by: int, what: str, text: str, *, automatic: bool, mine: bool) -> None:
        name = _name(home, game, by)
        since = before.get((by, what, text)) or _latest(home, game)
        found.append(Owed(by, name, what, text, since, automatic, mine))

    if stage == "invited":
        add(-1, JOIN, "can accept or decline the offer", automatic=False, mine=True)
    elif stage in ("offered", "waiting"):
        for by in missing(game):
            add(by, JOIN, "has not answered the offer", automatic=False, mine=by == by_me)
        if not missing(game):
            add(game.offer.starter, "start", "has to start the game", automatic=True, mine=by_me == game.offer.starter)
    elif stage in ("playing", "ending"):
        for each in game.match.pending():
            played = tuple(seat for seat in each.seats if seat not in game.bots)
            add(
                each.by,
                each.what,
                replace(each, seats=played or each.seats).text,
                automatic=each.automatic,
                mine=each.by == by_me,
            )
    return tuple(found)


def _name(home: Home, game: GameFile, by: int) -> str:
    """A player's name, also of one who has been invited and has not answered."""
    if by < 0:
        return next((person.card.name for person in home.people.identities()), "You")
    identity = game.offer.players[by] if by in game.offer.numbers else None
    if game.card_of(by) is None and identity is not None:
        person = home.people.known(identity)
        if person is not None:
            return person.card.name
    return game.player_name(by)


def _latest(home: Home, game: GameFile) -> int:
    """When the last record came: what is owed now is owed since then."""
    log = game.log
    opening = [(record.by, record.seq) for record in log.opening]
    last = [(by, log.count(by) - 1) for by in log.authors] if log.genesis is not None else opening
    return max((game.store.arrived(*place) for place in last), default=home.clock())
