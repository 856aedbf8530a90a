"""`pbem demo`: two homes, a whole game by mail, four frauds that fail, and an audit."""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import command, json_option
from pbem.cli.out import note, say, say_json, say_table
from pbem.cli.run import REFUSED
from pbem.cli.text import clean, plural, size_of

if TYPE_CHECKING:
    from pbem.cli.cheats import Attempt
    from pbem.engine.definition import Game
    from pbem.table.desk import Desk
    from pbem.table.values import Posted

GAME = "bridgehead"
BEGIN = 1_767_258_000  # 1 January 2026, 09:00 UTC: the demo's clock starts here
MOST_MAILS = 2_000
FRAUDS = 4
PEOPLE = {"alice": "Alice Kern", "bob": "Bob Silva", "carla": "Carla Umm", "dora": "Dora Lind", "emil": "Emil Falk"}


class Stream:
    """Randomness that a seed repeats: SHAKE-256 of seed, name and a counter."""

    def __init__(self, seed: int | str, name: str) -> None:
        self._key = f"pbem demo/{seed}/{name}"
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(f"{self._key}/{self._count}".encode()).digest(size)


class Clock:
    """A minute passes at every look."""

    def __init__(self) -> None:
        self._now = BEGIN

    def __call__(self) -> int:
        self._now += 60
        return self._now


@dataclass
class Tally:
    """The mails, counted as they leave."""

    human: int = 0
    human_bytes: int = 0
    automatic: int = 0
    automatic_bytes: int = 0

    def count(self, posted: Posted, size: int) -> None:
        if posted.automatic:
            self.automatic += 1
            self.automatic_bytes += size
        else:
            self.human += 1
            self.human_bytes += size


@dataclass
class Demo:
    """The players, each with a home, and the folder between them."""

    folder: Path
    seed: int | str
    tell: Callable[..., None]
    names: tuple[str, ...] = ("alice", "bob")
    game: Game[Any] | None = None  # to be played, if it need not be installed
    tally: Tally = field(default_factory=Tally)
    mails: deque[tuple[str, Path]] = field(default_factory=deque)
    sent: int = 0

    def __post_init__(self) -> None:
        self.clock = Clock()
        self.desks: dict[str, Desk] = {name: self.desk(self.folder / name, name) for name in self.names}
        (self.folder / "mail").mkdir()

    def desk(self, home: Path, name: str) -> Desk:
        from pbem.engine.registry import find
        from pbem.table.desk import Desk
        from pbem.table.home import Home

        game, stream = self.game, Stream(self.seed, name)
        finder = find if game is None else lambda _: game
        return Desk(Home(home), ask=lambda _: "", find_game=finder, clock=self.clock, random=stream)

    def post(self, sender: str, posted: Posted | None) -> None:
        """Writes the armoured text into the folder between the homes."""
        from pbem.protocol.armour import wrap

        if posted is None:
            return
        text = f"Hello, here is my file.\n\n{wrap(posted.raw)}\n-- \n{sender}\n"
        self.sent += 1
        path = self.folder / "mail" / f"{self.sent:03}-from-{sender}.txt"
        path.write_text(text, encoding="utf-8")
        self.tally.count(posted, len(text))
        self.mails += [(name, path) for name in self.names if name != sender]

    def deliver(self) -> None:
        """Every mail that waits is opened, and what the programs answer by themselves, until nothing is under way."""
        while self.mails:
            receiver, path = self.mails.popleft()
            for opened in self.desks[receiver].open(path.read_bytes()):
                if opened.refused is not None:
                    raise opened.refused
                for line in opened.notes:
                    self.tell(f"  ! {receiver.capitalize()}: {clean(line)}", style="wait")
                for posted in opened.posted:
                    self.post(receiver, posted)

    def introduce(self) -> None:
        """Identities, and each other's cards."""
        from pbem.protocol.container import Item, ItemType, write

        for name in self.names:
            person = self.desks[name].new_identity(PEOPLE[name], f"{name}@example.org", "")
            self.tell(f"  {PEOPLE[name]}, fingerprint {person.fingerprint}")
        for name in self.names:
            card = self.folder / f"{name}-card.pbem"
            card.write_bytes(write([Item(ItemType.CARD, self.desks[name].people.me().card.raw)]))
            for other in self.names:
                if other != name:
                    self.desks[other].open(card.read_bytes())

    def found(self, game: str, seats: Mapping[str, str]) -> str:
        """Offer and joins; the decks are shuffled by the programs. `seats`: by whom each is held."""
        first, *others = self.names
        named = {seat: "me" if who == first else who for seat, who in seats.items()}
        name, posted = self.desks[first].offer(game, seats=named, mode="strict", title="A demonstration")
        self.post(first, posted)
        self.deliver()
        for other in others:
            self.post(other, self.desks[other].join(name))
            self.deliver()
        return name

    def mover(self, name: str) -> str | None:
        """Somebody who is to move."""
        return next((who for who, desk in self.desks.items() if desk.row(name).my_move), None)

    def play(self, name: str, interlude: Callable[[str], bool]) -> None:
        """Bots order for both. `interlude` is called before each move until it says that it is done."""
        done, shown = False, ""
        while self.sent < MOST_MAILS:
            mover = self.mover(name)
            if mover is None:
                return
            desk = self.desks[mover]
            turn = re.search(r"(?i)turn \d+", desk.row(name).moment)
            if turn is not None and turn[0] != shown:
                shown = turn[0]
                self.tell(f"  {shown}: {plural(self.sent, 'mail')} so far")
            done = done or interlude(mover)
            desk.bot(name, "sensible")
            self.post(mover, desk.send(name))
            self.deliver()
        raise RuntimeError("the game does not end")


def run(place: Path, seed: int, tell: Callable[..., None]) -> dict[str, Any]:
    """The whole demonstration; what it showed, as `--json` prints it."""
    from pbem.cli.cheats import Cheater
    from pbem.cli.verifying import judge

    demo = Demo(place, seed, tell)
    tell(f"To see the same again: pbem demo --seed {seed}")
    tell("1. Two homes, two identities, cards exchanged", style="bold")
    demo.introduce()
    tell("2. Alice offers a game of Bridgehead, strict dice; Bob joins; both programs shuffle the deck", style="bold")
    name = demo.found(GAME, {"blue": "alice", "red": "bob"})
    tell(f"  {name}: {plural(demo.sent, 'mail')} so far")
    tell("3. The game, by armoured files carried between two folders", style="bold")
    attempts: list[Attempt] = []

    def cheat(mover: str) -> bool:
        if mover != "bob":
            return False
        folder = place / "cheats"
        cheater = Cheater(folder, place / "alice", place / "bob", name, demo.desk)
        if not cheater.can_try_all():
            shutil.rmtree(folder)
            return False
        tell("  Before his move Bob tries to cheat, at a copy of Alice's table:")
        for attempt in cheater.attempts():
            attempts.append(attempt)
            tell(f"    He {attempt.what}.")
            if attempt.code:
                tell(f"      Refused: {attempt.code}. {attempt.sentence}", style="good")
            else:
                tell("      NOT REFUSED.", style="bad")
            if not attempt.unchanged:
                tell("      THE GAME HAS CHANGED.", style="bad")
            if attempt.proof is not None:
                proof = place / attempt.proof.name
                shutil.copy(attempt.proof, proof)
                for sentence in judge(str(proof), 3)[0]["forks"]:
                    tell(f"      pbem verify {proof.name}: the proof holds. {sentence}")
        return True

    demo.play(name, cheat)
    for desk in demo.desks.values():
        if stuck := desk.row(name).stuck:
            tell(f"  ! {desk.people.me().card.name}: {clean(stuck)}", style="bad")
    tell("4. The archive, audited as a stranger would", style="bold")
    archive = place / f"{name}-archive.pbem"
    raw = b"".join(demo.desks["alice"].archive(name))
    archive.write_bytes(raw)
    same = b"".join(demo.desks["bob"].archive(name)) == raw
    (verdict,) = judge(str(archive), 3)
    refused = len(attempts) == FRAUDS and all(each.code and each.unchanged for each in attempts)
    return {
        "archive": str(archive),
        "archive_bytes": len(raw),
        "archive_sha256": hashlib.sha256(raw).hexdigest(),
        "cheats": [
            {"code": each.code, "sentence": each.sentence, "unchanged": each.unchanged, "what": each.what}
            for each in attempts
        ],
        "game": name,
        "mails": {
            "automatic": {"bytes": demo.tally.automatic_bytes, "count": demo.tally.automatic},
            "human": {"bytes": demo.tally.human_bytes, "count": demo.tally.human},
        },
        "ok": bool(verdict["ok"] and verdict["audited"] and verdict["result"] and same and refused),
        "same_at_both": same,
        "seed": seed,
        "verdict": verdict,
    }


def finish(report: dict[str, Any], place: Path, keep: bool, seconds: float) -> None:
    """The last lines: result, mails, and where the archive lies."""
    from pbem.cli.verdict import say_verdict

    say_verdict(report["verdict"], named=False)
    if not report["same_at_both"]:
        say("The archives of the two players differ.", style="bad")
    mails = report["mails"]
    say_table(
        [
            (f"  {kind}:", plural(mails[key]["count"], "mail"), size_of(mails[key]["bytes"]))
            for kind, key in (("sent by a person", "human"), ("answered by a program", "automatic"))
        ]
    )
    say(f"Archive: {clean(report['archive'])} ({size_of(report['archive_bytes'])})")
    say(f"  SHA-256 {report['archive_sha256']}; the same again with: pbem demo --seed {report['seed']}")
    say(f"  Look at it: pbem verify, pbem dice, pbem replay {clean(report['archive'])}")
    if keep:
        say(f"  Both homes and all mails: {clean(str(place))}")
    refused = sum(1 for each in report["cheats"] if each["code"] and each["unchanged"])
    say(f"{refused} of {FRAUDS} frauds refused. {seconds:.0f} seconds.", style="good" if report["ok"] else "bad")


@command(
    "demo",
    short_help="Watch two homes play a whole game, and four frauds fail.",
    examples=("pbem demo", "pbem demo --seed 7", "pbem demo --dir ./demo-1 --keep"),
    exits="0 the game was played, every fraud refused, the archive verified; 1 one of these failed; 2 wrong usage.",
)
@click.option("--seed", type=click.IntRange(0), help="Repeat a run: the same seed gives the same archive.")
@click.option("--dir", "folder", metavar="D", help="The folder for all of it, new or empty (default: a temporary one).")
@click.option("--keep", is_flag=True, help="Keep both homes and all mails, not only the archive.")
@json_option
@click.pass_context
def demo_command(ctx: click.Context, seed: int | None, folder: str | None, keep: bool, as_json: bool) -> None:
    """Two players with separate homes play Bridgehead in mode strict by armoured files carried between two folders.

    Bots order for both. On the way one of them tries to cheat in four ways. At the end the archive is audited.
    """
    place = _place(folder)
    started = time.monotonic()
    report = run(place, secrets.randbelow(1_000_000) if seed is None else seed, note if as_json else say)
    if not keep:
        for name in ("alice", "bob", "mail", "cheats"):
            shutil.rmtree(place / name, ignore_errors=True)
        for name in ("alice", "bob"):
            (place / f"{name}-card.pbem").unlink(missing_ok=True)
    if as_json:
        say_json(report)
    else:
        finish(report, place, keep, time.monotonic() - started)
    if not report["ok"]:
        ctx.exit(REFUSED)


def _place(folder: str | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    place = Path(folder).absolute()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise click.UsageError(f"{folder!r} is not an empty folder. Name a new one.")
    place.mkdir(parents=True, exist_ok=True)
    return place
