"""The replay of a game in the browser's board: each step of the game, described once and drawn when it is shown.

Checkpoints stand a few records apart; the pictures of a step are made from the last one before it.
"""

from __future__ import annotations

import time
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import takewhile
from textwrap import shorten
from typing import Any

from pbem.engine.definition import Game
from pbem.engine.event import Event
from pbem.engine.replay import Checkpoint, Replay
from pbem.kit.scene import Arrow
from pbem.pictures.replaysteps import KnownAt, Retold, Step, Teller, retell

APART = 4  # records between checkpoints
BESIDE = 6  # steps that are drawn on each side of the one that is looked at
MOST_ARROWS = 300  # of a whole turn, in one picture
MOST_LETTERS = 60  # of a fight, in a list of them
AT_ONCE = 0.4  # seconds, before the page is told how far it is


@dataclass(frozen=True, slots=True)
class Mark:
    """From where steps can be drawn: the number of the first, and what has been told before it. None: the beginning."""

    first: int
    since: tuple[Checkpoint, Teller] | None


class Film:
    """`since`: only what came after this checkpoint, so that it is at hand at once."""

    def __init__(self, replay: Replay, eyes: tuple[str, ...], known: KnownAt, since: Checkpoint | None = None) -> None:
        self._replay, self._eyes, self._known = replay, eyes, known
        self.whole = since is None
        self.of = sum(replay.log.vector)
        """Records in all."""
        self.done = 0 if since is None else since.at
        self.steps: list[Step] = []
        """Without their pictures."""
        assert replay.match is not None
        start = None if since is None else (since, self._teller(replay.match.game))
        self._marks = [Mark(0, start)]
        self._drawn: dict[int, Step] = {}
        self.part: tuple[Event, ...] = ()
        """What has happened in the part that is being played."""
        self.latest: tuple[Event, ...] = ()
        """What happened in the last step."""
        self._coming = self._run(start)

    def _teller(self, game: Game[Any], drawn: Container[int] = ()) -> Teller:
        return Teller(game, self._eyes, self._known, drawn=drawn)

    def _run(self, since: tuple[Checkpoint, Teller] | None) -> Iterator[Retold]:
        again = since and (since[0], since[1].copy(()))
        past = list(since[0].past) if since is not None else [0] * len(self._replay.log.authors)
        for each in retell(self._replay, self._teller, since=again):
            past[self._replay.log.column(each.record.by)] += 1
            self.done += 1
            self.steps += each.steps
            if each.teller is not None:
                self.part, self.latest = tuple(each.teller.part), each.teller.latest
            if each.match is not None and each.teller is not None and not self.done % APART:
                point = self._replay.checkpoint(each.match, tuple(past))
                if self._replay.goes_on(point):
                    self._marks.append(Mark(len(self.steps), (point, each.teller.copy(()))))
            yield each

    def told(self) -> bool:
        """Goes on telling for a moment. Is all of it told?"""
        end = time.monotonic() + AT_ONCE
        return not any(time.monotonic() > end for _ in self._coming)

    def step(self, number: int, *others: int) -> Step:
        """With its picture. `others`: steps whose pictures are wanted next."""
        if not {number, *others} <= self._drawn.keys():
            near = {*range(max(number - BESIDE, 0), min(number + BESIDE, len(self.steps))), number, *others}
            mark = max((each for each in self._marks if each.first <= min(near)), key=lambda each: each.first)
            again = mark.since and (mark.since[0], mark.since[1].copy(near))
            told = retell(self._replay, lambda game: self._teller(game, near), since=again)
            steps = enumerate((step for each in told for step in each.steps), start=mark.first)
            self._drawn = {n: step for n, step in takewhile(lambda each: each[0] <= max(near), steps) if n in near}
        return self._drawn[number]

    def others_last(self) -> range:
        """The steps since the player's last turn; of a turn of theirs that goes on, those before it.

        What they were asked meanwhile is in it. Empty: it lies before what is told here, or nobody else has played.
        """
        own = [step.mover in self._eyes for step in self.steps]
        end = len(own) - len(list(takewhile(bool, reversed(own))))
        first = end - len(list(takewhile(lambda each: not each, reversed(own[:end]))))
        return range(max(first, int(self.whole)), end)  # the first step of all is the opening position

    def since_own(self) -> range:
        """In the middle of the player's turn, in a film that begins with what they ordered last: the steps since then,
        from the first fight on if there was one.
        """
        fights = (n for n, step in enumerate(self.steps) if step.fights)
        return range(0) if self.whole else range(next(fights, 0), len(self.steps))

    def closes(self, steps: range) -> tuple[int, ...]:
        """Of these steps those with which a part ends, and the one before them all: their pictures hold its arrows."""
        ends = (n for n in steps if n == steps[-1] or self.steps[n].part != self.steps[n + 1].part)
        return (*range(max(steps.start - 1, 0), steps.start), *ends)

    def arrows(self, steps: range) -> tuple[Arrow, ...]:
        """All that moved and attacked in these steps; where it is too much to be drawn, what came last."""
        drawn = {n: self.step(n, *self.closes(steps)).scene for n in self.closes(steps)}
        before = {arrow for n, scene in drawn.items() if n not in steps and scene is not None for arrow in scene.arrows}
        found = (arrow for n, scene in drawn.items() if n in steps and scene is not None for arrow in scene.arrows)
        return tuple(dict.fromkeys(arrow for arrow in found if arrow not in before))[-MOST_ARROWS:]

    def movers(self) -> tuple[str, ...]:
        """Everybody else whose turn it has been."""
        return tuple(dict.fromkeys(step.mover for step in self.steps if step.mover not in ("", *self._eyes)))

    def parts(self, at: int) -> list[tuple[str, int]]:
        """The parts of the game, and where each begins; of the part with this step, the fights too."""
        names = [step.part for step in self.steps]
        titles = {n: name for n, name in enumerate(names) if name and (n == 0 or name != names[n - 1])}
        if not self.whole:
            titles.setdefault(0, "Your last orders")
        first = max((n for n in titles if n <= at), default=0)
        alike = takewhile(lambda n: names[n] == names[at], range(first, len(names)))
        fights = {n: self._fought(self.steps[n]) for n in alike if self.steps[n].fights}
        return [(name, n) for n, name in sorted({**fights, **titles}.items())]

    def _fought(self, step: Step) -> str:
        """`– Blue attacks 0505 from 0404`: the beginning of what is told of a fight."""
        assert self._replay.match is not None
        text = next(iter(self._replay.match.game.tell(step.fights)), "").partition(": ")[0].rstrip(".")
        return f"– {shorten(text, MOST_LETTERS, placeholder=' …')}" if text else ""
