"""A replay's steps: what could be seen at each moment, some moves or one battle at a time."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pbem.engine.definition import Game
from pbem.engine.event import Event, Out
from pbem.engine.match import Accepted, Match
from pbem.engine.need import NOTHING_KNOWN, Known, Orders
from pbem.engine.replay import Checkpoint, Replay
from pbem.kit.scene import Luck, Pictures, Scene
from pbem.protocol.record import Record

TOGETHER = 3  # moves that are shown in one step


@dataclass(frozen=True, slots=True)
class Step:
    """The board after something happened. `scene` is None for a game without pictures, `board` empty for one with.

    `side`: the seat that had chosen; `mover`: in whose turn it was; `part`: with what its part of the game began, in
    turn `turn` (0: before the first); `fights`: what was decided by it; `chapter`: which page of a long game it stands
    on.
    """

    scene: Scene | None
    board: str
    lines: tuple[str, ...]
    side: str
    part: str
    turn: int = 0
    mover: str = ""
    fights: tuple[Event, ...] = ()
    luck: tuple[Luck, ...] = ()
    strength: Mapping[str, int] | None = None
    chapter: str = ""


KnownAt = Callable[[Match[Any]], Known]


def nothing_known(_: Match[Any]) -> Known:
    """What a spectator knows."""
    return NOTHING_KNOWN


class Teller:
    """Cuts a history into steps as these seats may know it; memory does not grow with the game."""

    def __init__(
        self, game: Game[Any], eyes: tuple[str, ...], known: KnownAt, *, drawn: Container[int] | None = None
    ) -> None:
        self.game, self.eyes, self.known = game, eyes, known
        self.drawn = drawn
        """Which steps have scenes, by number; None: all. Without, only what happened is told, which is much quicker."""
        self.count = 0
        self.pictures: Pictures = game.pictures() if game.pictures is not None else Pictures(_undrawn)
        self.part: list[Event] = []
        """What has happened in the part that is being played."""
        self.latest: tuple[Event, ...] = ()
        """What happened in the last step."""
        self._name, self._turn = "", 0
        self._new: list[Event] = []  # not in a step yet
        self._side = ""
        self._asked = ""
        self._mover = ""
        self._serial = 0
        self._seen = 0  # events of the record that is being taken
        self._made: list[Step] = []
        self._before: tuple[Any, ...] = ()

    def copy(self, drawn: Container[int] | None) -> Teller:
        """Between two records: another one that goes on from here."""
        other = copy(self)
        other.part, other._new, other.drawn = list(self.part), list(self._new), drawn
        return other

    def begin(self) -> None:
        """A record comes."""
        self._seen = 0
        self._made = []
        parts, new = list(self.part), list(self._new)
        self._before = (parts, self._name, self._turn, new, self._side, self._asked, self._mover, self.count)

    def look(self, match: Match[Any], out: Out) -> None:
        """The machine rests."""
        self._add(match, out.events[self._seen :])
        self._seen = len(out.events)
        need = match.machine.need
        if isinstance(need, Orders):
            self._asked = need.seats[0]
        self._mover = match.machine.turn_of or self._mover

    def end(self, accepted: Accepted, match: Match[Any], told: list[str]) -> list[Step]:
        """The record has been taken: the steps that it brought. `told`: what else is to be said about it."""
        if accepted.moot:
            self.part, self._name, self._turn, self._new, *asked, self.count = self._before
            self._side, self._asked, self._mover = asked
            return []
        self._add(match, accepted.events[self._seen :])
        if match.machine.serial < self._serial:
            self.part = []  # it was taken back
        self._serial = match.machine.serial
        if told or any(not isinstance(event, self.pictures.begins) for event in self._new):
            self._cut(match, told)
        return self._made

    def opening(self, accepted: Accepted, match: Match[Any], told: list[str]) -> Step:
        """The board before anything has been done; what the start brought about is told with what comes next."""
        self._add(match, accepted.events)
        return self._step(match, (), ("The opening position.", *told))

    def _add(self, match: Match[Any], events: list[Event] | tuple[Event, ...]) -> None:
        pictures = self.pictures
        for event in events:
            if not event.seen_by(self.eyes):
                continue
            if isinstance(event, pictures.begins):
                if any(not isinstance(each, pictures.begins) for each in self._new):
                    self._cut(match, [], over=True)
                self.part = []
                self._name = self._called(event)
                self._turn = int(getattr(event, pictures.turn))
                self._mover = match.machine.turn_of or self._mover
            self.part.append(event)
            self._new.append(event)
            self._side = self._asked or self._side
        if any(isinstance(event, pictures.fights) for event in self._new) or (
            sum(isinstance(event, pictures.shown) for event in self._new) >= TOGETHER
        ):
            self._cut(match, [])

    def _called(self, event: Event) -> str:
        if self.pictures.name is not None:
            return self.pictures.name(event)
        return next(iter(self.game.tell((event,))), "").rstrip(".:")

    def _cut(self, match: Match[Any], told: list[str], *, over: bool = False) -> None:
        """`over`: the part has ended, and the game is in the next already."""
        self.latest = new = tuple(self._new)
        self._new = []
        self._made.append(self._step(match, new, (*self.game.tell(new), *told), over=over))

    def _step(self, match: Match[Any], new: tuple[Event, ...], lines: tuple[str, ...], *, over: bool = False) -> Step:
        number, self.count = self.count, self.count + 1
        pictures, drawn = self.pictures, self.game.pictures is not None
        fights = tuple(event for event in new if isinstance(event, pictures.fights))
        if self.drawn is not None and number not in self.drawn:
            return Step(None, "", lines, self._side, self._name, self._turn, self._mover, fights)
        view = match.machine.view(self.eyes, self.known(match))
        scene = pictures.scene(view, tuple(self.part)) if drawn else None
        return Step(
            scene=replace(scene, lines=()) if over and scene is not None else scene,
            board="" if drawn else self.game.board(view),
            lines=lines,
            side=self._side,
            part=self._name,
            turn=self._turn,
            mover=self._mover,
            fights=fights,
            luck=tuple(each for event in new for each in pictures.dice.luck(event)) if pictures.dice else (),
            strength=pictures.strength.strength(view) if pictures.strength else None,
            chapter=pictures.chapter(view) if pictures.chapter else "",
        )


def _undrawn(*_: Any) -> Scene:
    raise TypeError("a game without pictures has no scenes")


def _nothing_told(_: Record) -> list[str]:
    return []


def steps(
    replay: Replay,
    *,
    eyes: tuple[str, ...] = (),
    known: KnownAt = nothing_known,
    told: Callable[[Record], list[str]] = _nothing_told,
) -> Iterator[Step]:
    """All of the game. `told`: lines about a record beside its events."""
    for each in retell(replay, lambda game: Teller(game, eyes, known), told=told):
        yield from each.steps


class Retold(NamedTuple):
    """A record, and the steps that it brought. Before the start there is neither match nor teller."""

    record: Record
    match: Match[Any] | None
    teller: Teller | None
    steps: list[Step]


def retell(
    replay: Replay,
    make: Callable[[Game[Any]], Teller],
    *,
    told: Callable[[Record], list[str]] = _nothing_told,
    since: tuple[Checkpoint, Teller] | None = None,
) -> Iterator[Retold]:
    """The game record by record, or what comes after a checkpoint, up to which the teller has told it."""
    teller = None if since is None else since[1]

    def look(match: Match[Any], out: Out) -> None:
        if teller is not None:
            teller.look(match, out)

    if teller is not None:
        teller.begin()
    for record, accepted, match in replay.retold(look, since=since and since[0]):
        made: list[Step] = []
        if teller is not None and match is not None:
            made = teller.end(accepted, match, told(record))
        elif match is not None:
            teller = make(match.game)
            made = [teller.opening(accepted, match, told(record))]
        yield Retold(record, match, teller, made)
        if teller is not None:
            teller.begin()
