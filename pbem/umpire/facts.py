"""A running game as its umpire needs it: what was asked of whom and when it was answered, what is owed, what was ruled,
how it ended. From the records and the times at which they came here; nothing that only one player may know.

What was found is kept beside the game, with the match after the last record looked at: what comes later is looked at
from there, so that opening a mail takes as long in the last turn as in the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgpack

from pbem.engine.obligation import ANSWER, ORDERS
from pbem.engine.replay import Checkpoint
from pbem.home import describe, resync, summary
from pbem.home.gamefile import GameFile, GameStore
from pbem.home.root import Home
from pbem.protocol.record import UMPIRE, Record

SLOW: Final = 3_600
"""Seconds from which on an answer that a program gives by itself is reported."""
_CACHED: Final = "facts"
_VERSION: Final = 5


class Question(NamedTuple):
    """Something that a player has to do. `what` as in `Obligation`."""

    by: int
    what: str
    arose_at: int
    """When the last of the records that brought it about came here."""
    position: tuple[int, ...]
    """So many records of each author brought it about; empty before the start."""
    cited_at: int = 0
    """When the first record of this player's that cites this position came here; 0: none has."""
    automatic: bool = False
    """The player's program answers it without them."""


class Answered(NamedTuple):
    """A question that was answered; of what programs answer by themselves only what took long."""

    question: Question
    answered_at: int
    signed_at: int
    record: bytes


class Ruled(NamedTuple):
    """A ruling that counts."""

    what: str
    player: int | None
    seconds: int
    at: int
    why: str
    record: bytes


class Answer(NamedTuple):
    """A player's answer to the offer, while the game has not begun."""

    by: int
    yes: bool
    why: str


class Facts(NamedTuple):
    name: str
    key: bytes
    """The id of the offer."""
    stage: str
    began_at: int
    """When the start came here; 0 before."""
    played: bool
    """There are orders of either side."""
    players: tuple[bytes, ...]
    """Who holds each number now."""
    sides: tuple[str, ...]
    """What each number plays."""
    answered: tuple[Answered, ...]
    due: tuple[Question, ...]
    """What is owed now."""
    ruled: tuple[Ruled, ...]
    over: bool
    winner: str | None
    """A side; None with `over`: a draw."""
    how: str
    ended_by: str
    """What ended it: the kind of a record (orders, reveal, resign, answer), or forfeit, adjudge for such a ruling."""
    audited: str | None
    """None: not yet; empty: everything is correct; else what was found."""
    forked: tuple[int, ...]
    """Whose forks were seen."""
    notice: str
    answers: tuple[Answer, ...] = ()


class _Story:
    """What the records tell so far, in the canonical order."""

    def __init__(self) -> None:
        self.point: Checkpoint | None = None
        self.asks: dict[tuple[int, str], Question] = {}
        self.answered: list[Answered] = []
        self.ruled: list[Ruled] = []
        self.played = False
        self.began = 0
        self.late = 0
        self.ending = ""

    def go_on(self, game: GameFile) -> None:
        """Take in the records that were not looked at yet."""
        log, store, since = game.log, game.store, self.point
        counts = dict(zip(log.authors, since.past if since is not None else (0,) * len(log.authors), strict=True))
        last = None
        for record, accepted, match in game.replay.retold(since=since):
            if log.id_at(record.by, record.seq) == record.id:
                counts[record.by] = record.seq + 1
            if match is None:
                continue
            last = match
            # The log's order is not that of arrival: nothing was asked before all that the question follows from was
            # here.
            here = store.arrived(record.by, record.seq)
            came = self.late = max(self.late, here)
            self.began = self.began or came
            pending = {
                (each.by, each.what): each.automatic
                for each in match.pending()
                if each.what != ANSWER and each.by != UMPIRE
            }
            self._cite(record, game, here or came)
            if not accepted.moot:
                for key in [key for key in self.asks if key[0] == record.by]:
                    if key not in pending or key[1] == record.kind:
                        self._answer(self.asks.pop(key), record, here or came)
                self.played = self.played or record.kind == ORDERS
                if record.kind == "ruling":
                    self.ruled.append(_ruling(record, came))
            position = tuple(counts.values())
            self.asks = {
                key: self.asks.get(key) or Question(*key, came, position, automatic=pending[key])
                for key in sorted(pending)
            }
            if match.result is None:
                self.ending = ""
            elif not self.ending:
                self.ending = str(record.data["what"]) if record.kind == "ruling" else record.kind
        if last is not None:
            self.point = game.replay.checkpoint(last, tuple(counts.values()))

    def _cite(self, record: Record, game: GameFile, here: int) -> None:
        if game.log.id_at(record.by, record.seq) != record.id:
            return
        past = game.log.past_at(record.by, record.seq)
        for key, each in self.asks.items():
            if key[0] == record.by and not each.cited_at and covers(past, each.position):
                self.asks[key] = each._replace(cited_at=here)

    def _answer(self, question: Question, record: Record, here: int) -> None:
        if question.what == ORDERS or here - question.arose_at >= SLOW:
            self.answered.append(Answered(question, max(question.arose_at, here), record.at, record.id))

    def dump(self) -> list[Any]:
        point = self.point
        return [
            None if point is None else [point.at, point.past, point.raw],
            list(self.asks.values()), self.answered, self.ruled, self.played, self.began, self.late, self.ending,
        ]  # fmt: skip

    @classmethod
    def load(cls, plain: list[Any]) -> _Story:
        story = cls()
        point, asks, answered, ruled, story.played, story.began, story.late, story.ending = plain
        if point is not None:
            story.point = Checkpoint(point[0], tuple(point[1]), point[2])
        story.asks = {(each.by, each.what): each for each in map(_question, asks)}
        story.answered = _answers(answered)
        story.ruled = [Ruled(*each) for each in ruled]
        return story


def covers(held: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """A player who holds so many records of each author has all of a position; before the start there is none."""
    return not wanted or (len(held) == len(wanted) and all(map(int.__ge__, held, wanted)))


def _question(plain: list[Any]) -> Question:
    by, what, arose_at, position, *rest = plain
    return Question(by, what, arose_at, tuple(position), *rest)


def _answers(plain: Iterable[list[Any]]) -> list[Answered]:
    return [Answered(_question(question), *rest) for question, *rest in plain]


def facts(home: Home, key: bytes) -> Facts | None:
    """Of the game of this offer; None when it is not here. Kept beside the game until a record comes.

    Raises PbemError when the game cannot be read.
    """
    store = home.store(key)
    if not store.name:
        return None
    stamp = store.stamp() + b"/" + repr(store.state.audit).encode()
    held, kept, story = _kept(store)
    if kept is not None and held == stamp:
        return kept
    game = GameFile.load(store, home.find_game)
    if story is None or story.point is None or not game.replay.goes_on(story.point):
        story = _Story()
    story.go_on(game)
    made = _made(home, game, story)
    store.set_cached(_CACHED, msgpack.packb([_VERSION, stamp, made, story.dump()]))
    return made


def forward(home: Home, key: bytes, by: int) -> bool:
    """Put into the outbox what a player of this game has not shown to hold; False when they have no address."""
    with home.writing():
        game = GameFile.load(home.store(key), home.find_game)
        return bool(resync.forward(home, game, by, resync.shown_by(game, by)).to)


def _kept(store: GameStore) -> tuple[bytes, Facts | None, _Story | None]:
    """What was kept, with the stamp that it is valid for."""
    raw = store.cached(_CACHED)
    if raw is None:
        return b"", None, None
    try:
        version, stamp, fields, story = msgpack.unpackb(raw, strict_map_key=True)
        if version != _VERSION:
            return b"", None, None
        plain = dict(zip(Facts._fields, fields, strict=True))
        for key in ("players", "sides", "forked"):
            plain[key] = tuple(plain[key])
        plain["answered"] = tuple(_answers(plain["answered"]))
        plain["due"] = tuple(map(_question, plain["due"]))
        plain["answers"] = tuple(Answer(*each) for each in plain["answers"])
        plain["ruled"] = tuple(Ruled(*each) for each in plain["ruled"])
        return stamp, Facts(**plain), _Story.load(story)
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException):
        return b"", None, None


def _made(home: Home, game: GameFile, story: _Story) -> Facts:
    offer, log, store = game.offer, game.log, game.store
    started = log.genesis is not None
    row = summary.row_of(home, store)
    due = tuple(
        story.asks.get((each.by, each.what)) or Question(each.by, each.what, each.since, (), automatic=each.automatic)
        for each in row.owed
        if each.by >= 0
    )
    result = game.match.result if started and game.replay.match is not None else None
    cards = [game.card_of(n) for n in offer.numbers]
    return Facts(
        name=game.name,
        key=offer.id,
        stage=row.stage,
        began_at=story.began,
        played=story.played,
        players=tuple(card.identity if card is not None else offer.players[n] or b"" for n, card in enumerate(cards)),
        sides=tuple(next(iter(sorted(offer.sides_of(n))), "") for n in offer.numbers),
        answered=tuple(story.answered),
        due=due,
        ruled=tuple(story.ruled),
        over=result is not None,
        winner=_side(game, result.winner) if result is not None else None,
        how=result.how if result is not None else "",
        ended_by=story.ending if result is not None else "",
        audited=store.state.audit,
        forked=tuple(sorted({fork.by for fork in log.forks})) if started else (),
        notice=describe.fork_notice(game),
        answers=() if started else _answers_of(game),
    )


def _answers_of(game: GameFile) -> tuple[Answer, ...]:
    said = [record for record in game.log.opening if record.seq == 0 and record.kind in ("join", "decline")]
    return tuple(Answer(each.by, each.kind == "join", str(each.data.get("why", ""))) for each in said)


def _ruling(record: Record, came: int) -> Ruled:
    data = record.data
    player, seconds = data.get("player"), data.get("seconds")
    return Ruled(
        what=str(data["what"]),
        player=player if isinstance(player, int) and player != UMPIRE else None,
        seconds=seconds if isinstance(seconds, int) else 0,
        at=came,
        why=str(data.get("why", "")),
        record=record.id,
    )


def _side(game: GameFile, winner: str | None) -> str | None:
    """The winner's side, if the game names a seat."""
    for seat in game.offer.seats:
        if winner == seat.name:
            return seat.side
    return winner
