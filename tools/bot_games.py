"""What whole games between bots over real mail files share: homes side by side, the mail, the count and the audit."""

from __future__ import annotations

import json
import tempfile
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from pbem.engine import registry
from pbem.engine.archive import verify_archive
from pbem.engine.definition import OptionValue
from pbem.home import Home, archives, intake, offers
from pbem.home.gamefile import GameFinder
from pbem.home.outbox import Posted
from pbem.home.root import Stream
from pbem.protocol.container import Item, ItemType, read_stream, write

MODES = ("strict", "umpire", "open")
FULL = {"alice": "Alice Kern", "bob": "Bob Silva", "carla": "Carla Umm", "dora": "Dora Lind", "emil": "Emil Falk"}
BEGUN = 1_767_258_000
MOST = 5_000  # moves
BEGIN, END = "<!-- mails -->", "<!-- end of mails -->"


class Result(Protocol):
    """What was made of a task: a dataclass that names it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def task(self) -> Hashable: ...


T = TypeVar("T", bound=Hashable)
R = TypeVar("R", bound=Result)


class Post:
    """Homes side by side, and the mail between them: each file to everybody else, in order."""

    def __init__(self, folder: Path, names: tuple[str, ...], seed: str, find_game: GameFinder = registry.find) -> None:
        self.now = BEGUN
        self._find_game = find_game
        self.desks = {name: self._desk(folder / name, f"{seed}/{name}") for name in names}
        self.mails: deque[tuple[str, bytes]] = deque()
        self.posted: list[Posted] = []
        for name, desk in self.desks.items():
            desk.new_identity(FULL.get(name, name.capitalize()), f"{name}@example.org", "")
        cards = {name: write([Item(ItemType.CARD, desk.people.me().card.raw)]) for name, desk in self.desks.items()}
        for name, desk in self.desks.items():
            for other, card in cards.items():
                if other != name:
                    intake.open_bytes(desk, card)

    def _desk(self, home: Path, seed: str) -> Home:
        return Home(
            home, ask=lambda _: "", clock=self._clock, random=Stream(f"axis games/{seed}"), find_game=self._find_game
        )

    def _clock(self) -> int:
        self.now += 60
        return self.now

    def post(self, sender: str, posted: Posted | None) -> None:
        if posted is not None:
            self.posted.append(posted)
            self.mails += [(name, posted.raw) for name in self.desks if name != sender]
        while self.mails:
            receiver, raw = self.mails.popleft()
            for opened in intake.open_bytes(self.desks[receiver], raw):
                if opened.refused is not None:
                    raise opened.refused
                for answer in opened.posted:
                    self.posted.append(answer)
                    self.mails += [(name, answer.raw) for name in self.desks if name != receiver]


def found(
    post: Post,
    game: str,
    mode: str,
    seats: Mapping[str, str],
    scenario: str | None,
    title: str,
    options: Mapping[str, OptionValue] | None = None,
) -> str:
    """Offer, joins, and what the programs do to begin, none of which is counted."""
    umpire = mode == "umpire"
    first = "umpire" if umpire else next(iter(post.desks))
    others = [who for who in post.desks if who != first]
    named = {seat: "me" if who == first else who for seat, who in seats.items()}
    name, posted = offers.offer(
        post.desks[first], game, seats=named, mode=mode, umpire=umpire, scenario=scenario, title=title, options=options
    )
    post.post(first, posted)
    for other in others:
        post.post(other, offers.join(post.desks[other], name))
    post.posted.clear()
    return name


def audit(archive: bytes, post: Post, name: str) -> Iterator[str]:
    for who, desk in post.desks.items():
        if b"".join(archives.archive(desk, name)) != archive:
            yield f"the archive of {who} differs"
    with tempfile.TemporaryFile() as file:
        file.write(archive)
        file.seek(0)
        items = tuple(read_stream(file))
    verdict = verify_archive(items)
    if not verdict.ok or verdict.audit is None or verdict.result is None:
        yield f"not verified: {verdict.first_bad or verdict.pending or 'no audit'}"


def resumed(
    work: Callable[[T], R], tasks: Sequence[T], read: Callable[[dict[str, Any]], R], page: Path | None, jobs: int = 1
) -> Iterator[R]:
    """What the work makes of each task, in order, and as it is done. `page` keeps it, so that a later run begins with
    what is there; `read` makes a result of a line of it.
    """
    lines = page.read_text(encoding="utf-8").splitlines() if page is not None and page.exists() else ()
    done = {each.task: each for each in map(read, map(json.loads, lines))}
    todo = [task for task in tasks if task not in done]
    yield from (done[task] for task in tasks if task in done)
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(jobs, get_context("spawn"))) if jobs > 1 else None
        for each in pool.map(work, todo) if pool is not None else map(work, todo):
            if page is not None:
                with page.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(each)) + "\n")
            yield each


def write_table(page: Path, table: str) -> None:
    """Between the two marks of a page."""
    head, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    page.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
