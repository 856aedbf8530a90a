"""`pbem demo`: two homes, a whole game by mail, four attempts to cheat that are caught, and an audit. Each attempt is
signed with the cheater's own key and opened in a copy of the opponent's home.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import command, new_folder
from pbem.cli.terminal import clean, say, say_table, size_of
from pbem.cli.verdict import Verified, say_verdict
from pbem.cli.verifying import judge
from pbem.engine.counts import many
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.fairplay.items import card_opening
from pbem.home import Home, archives, intake, offers, orders, sending, summary
from pbem.home.gamefile import my_place, player_of, signing_keys
from pbem.home.root import Stream, Ticks
from pbem.protocol.armour import wrap
from pbem.protocol.canonical import pack
from pbem.protocol.container import Item, ItemType, read, write
from pbem.protocol.errors import with_code
from pbem.protocol.record import Record, make_record, parse_record

if TYPE_CHECKING:
    from pbem.engine.definition import Game
    from pbem.home.outbox import Posted
    from pbem.schema import Count, Hash

GAME = "bridgehead"
MOST_MAILS = 2_000
FRAUDS = 4
PEOPLE = {"alice": "Alice Kern", "bob": "Bob Silva", "carla": "Carla Umm", "dora": "Dora Lind", "emil": "Emil Falk"}


class MailCount(NamedTuple):
    """Number of mails, and their total size."""

    bytes: Count = 0
    count_: Count = 0

    def and_one(self, size: int) -> MailCount:
        return MailCount(self.bytes + size, self.count_ + 1)


class MailsCounted(NamedTuple):
    """The mails of a game: those that a person sent, and the answers of programs."""

    automatic: MailCount = MailCount()
    human: MailCount = MailCount()


@dataclass
class Demo:
    """The players, each with a home, and the folder between them."""

    folder: Path
    seed: int | str
    tell: Callable[..., None]
    names: tuple[str, ...] = ("alice", "bob")
    game: Game[Any] | None = None  # to be played, if it need not be installed
    tally: MailsCounted = field(default_factory=MailsCounted)
    mails: deque[tuple[str, Path]] = field(default_factory=deque)
    sent: int = 0

    def __post_init__(self) -> None:
        self.clock = Ticks(60)
        self.homes: dict[str, Home] = {name: self.home(self.folder / name, name) for name in self.names}
        (self.folder / "mail").mkdir()

    def home(self, place: Path, name: str) -> Home:
        from pbem.engine.registry import find

        game, stream = self.game, Stream(f"pbem demo/{self.seed}/{name}")
        finder = find if game is None else lambda _: game
        return Home(place, ask=lambda _: "", find_game=finder, clock=self.clock, random=stream)

    def post(self, sender: str, posted: Posted | None) -> None:
        """Writes the armoured text into the folder between the homes."""
        if posted is None:
            return
        text = f"Hello, here is my file.\n\n{wrap(posted.raw)}\n-- \n{sender}\n"
        self.sent += 1
        path = self.folder / "mail" / f"{self.sent:03}-from-{sender}.txt"
        path.write_text(text, encoding="utf-8")
        kind = "automatic" if posted.automatic else "human"
        self.tally = self.tally._replace(**{kind: getattr(self.tally, kind).and_one(len(text))})
        self.mails += [(name, path) for name in self.names if name != sender]

    def deliver(self) -> None:
        """Every mail that waits is opened, and what the programs answer by themselves, until nothing is under way."""
        while self.mails:
            receiver, path = self.mails.popleft()
            for opened in intake.open_bytes(self.homes[receiver], path.read_bytes()):
                if opened.refused is not None:
                    raise opened.refused
                for line in opened.notes:
                    self.tell(f"  ! {receiver.capitalize()}: {clean(line)}", style="wait")
                for posted in opened.posted:
                    self.post(receiver, posted)

    def introduce(self) -> None:
        """Identities, and each other's cards."""
        for name in self.names:
            person = self.homes[name].new_identity(PEOPLE[name], f"{name}@example.org", "")
            self.tell(f"  {PEOPLE[name]}, fingerprint {person.fingerprint}")
        for name in self.names:
            card = self.folder / f"{name}-card.pbem"
            card.write_bytes(write([Item(ItemType.CARD, self.homes[name].people.me().card.raw)]))
            for other in self.names:
                if other != name:
                    intake.open_bytes(self.homes[other], card.read_bytes())

    def found(self, game: str, seats: Mapping[str, str]) -> str:
        """Offer and joins; the decks are shuffled by the programs. `seats`: by whom each is held."""
        first, *others = self.names
        named = {seat: "me" if who == first else who for seat, who in seats.items()}
        name, posted = offers.offer(self.homes[first], game, seats=named, mode="strict", title="A demonstration")
        self.post(first, posted)
        self.deliver()
        for other in others:
            self.post(other, offers.join(self.homes[other], name))
            self.deliver()
        return name

    def mover(self, name: str) -> str | None:
        """Somebody who is to move."""
        return next((who for who, home in self.homes.items() if summary.row(home, name).my_move), None)

    def play(self, name: str, interlude: Callable[[str], bool]) -> None:
        """Bots order for both. `interlude` is called before each move until it says that it is done."""
        done, shown = False, ""
        while self.sent < MOST_MAILS:
            mover = self.mover(name)
            if mover is None:
                return
            home = self.homes[mover]
            turn = re.search(r"(?i)turn \d+", summary.row(home, name).moment)
            if turn is not None and turn[0] != shown:
                shown = turn[0]
                self.tell(f"  {shown}: {many(self.sent, 'mail')} so far")
            done = done or interlude(mover)
            orders.bot(home, name, "sensible")
            self.post(mover, sending.send(home, name).posted)
            self.deliver()
        raise RuntimeError("the game does not end")


_TRIES = 50
DeskAt = Callable[[Path, str], Home]


class FraudTried(NamedTuple):
    """A fraud, and the refusal that it met. `code` is empty if it was not refused."""

    what: str
    code: str
    sentence: str
    unchanged: bool
    """The victim's games, records and answers are byte for byte what they were."""
    proof: Path | None
    """The proof of the fraud that a stranger can check, if there is one."""


class Cheater:
    """A player who is to move. They work on copies: the two homes themselves are never touched."""

    def __init__(self, folder: Path, victim: Path, cheater: Path, name: str, home_at: DeskAt) -> None:
        self._folder = folder
        self._victim = victim
        self._home = cheater
        self._name = name
        self._home_at = home_at
        self._context = Home(self._copy(cheater), ask=lambda _: "")
        self._game = self._context.load(name)
        self._me = my_place(self._game)
        self._keys = signing_keys(self._context, self._game)
        self._player = player_of(self._context, self._game)

    def can_try_all(self) -> bool:
        """He has a real choice, has moved before, and there is a card that he would like to hold."""
        match = self._game.match
        need = match.machine.need
        if not isinstance(need, Orders) or need.window or self._game.log.count(self._me.by) < 3:
            return False
        own = self._player.own_values(match)
        choices = [len(list(islice(match.machine.legal(seat, own), 3))) for seat in match.asked(self._me.by)]
        return max(choices, default=0) == 3 and self._wish() is not None

    def attempts(self) -> Iterator[FraudTried]:
        honest = self._sealed("sensible")
        rival = self._sealed("random", unlike=honest)
        before_last = self._game.log.id_at(self._me.by, self._game.log.count(self._me.by) - 2)
        early = self._signed(dict(honest.data), prev=before_last)
        yield self._try("edits one bit of an order in a sealed turn", self._edited(honest))
        yield self._try("signs a new turn as if it came before his last one", early.raw)
        yield self._try("sends a second, different turn with the same number", rival.raw, first=honest.raw)
        yield self._try("plays a card that he does not hold", self._unheld().raw)

    def _edited(self, honest: Record) -> bytes:
        order = pack(honest.data["orders"][0])
        at = honest.raw.rindex(order) + len(order) - 1
        return honest.raw[:at] + bytes((honest.raw[at] ^ 1,)) + honest.raw[at + 1 :]

    def _wish(self) -> tuple[Order, str] | None:
        """An order that would be legal if a card in his hand were another one, and that card's slot."""
        match = self._game.match
        machine, own = match.machine, self._player.own_values(match)
        if not isinstance(machine.need, Orders):
            return None
        held = [slot for slot in match.ledger.decks.held(self._me.by) if isinstance(own.get(slot), int)]
        cards = [card for deck in match.game.decks.values() for card in deck if card not in own.values()]
        for seat in match.asked(self._me.by):
            for slot in held:
                for card in cards:
                    for order in machine.legal(seat, {**own, slot: card}):
                        if slot in machine.opens(seat, order):
                            return order, slot
        return None

    def _unheld(self) -> Record:
        """The card is opened honestly, since he cannot do otherwise, and called another."""
        wish = self._wish()
        assert wish is not None
        order, slot = wish
        match, player = self._game.match, self._player
        opening = card_opening(match.ledger, player.secrets, self._me.by, slot, self._keys.seal_private)
        return self._signed(
            {
                "open": [[slot, opening]],
                "orders": match.game.orders.write_all([order]),
                "salt": player.secrets.salt(self._game.log.count(self._me.by)),
                "state": match.state_hash(),
            }
        )

    def _signed(self, data: dict[str, Any], prev: bytes | None = None) -> Record:
        """His next record, with whatever he likes in it."""
        log, me = self._game.log, self._me.by
        return make_record(
            self._keys,
            at=self._game.store.arrived(self._game.offer.starter, 0),
            by=me,
            data=data,
            game=self._game.game_id,
            heads=log.heads(me),
            kind="orders",
            pin=self._game.match.position.pin,
            prev=prev or log.last(me),
            seq=log.count(me),
        )

    def _sealed(self, bot: str, unlike: Record | None = None) -> Record:
        """What an honest program seals now; or another turn that it might have sealed instead."""
        for _ in range(_TRIES):
            place = self._copy(self._home)
            home = self._home_at(place, place.name)
            orders.bot(home, self._name, bot)
            posted = sending.send(home, self._name).posted
            assert posted is not None
            records = [parse_record(item.raw) for item in read(posted.raw) if item.type is ItemType.RECORD]
            record = [each for each in records if each.by == self._me.by and each.kind == "orders"][-1]
            if unlike is None or record.data["orders"] != unlike.data["orders"]:
                return record
        raise RuntimeError("the bots always order the same")

    def _try(self, what: str, raw: bytes, first: bytes | None = None) -> FraudTried:
        """Opens the record at a fresh copy of the victim's table, after `first` if that is given."""
        place = self._copy(self._victim)
        home = self._home_at(place, "victim")
        if first is not None:
            intake.open_bytes(home, write([Item(ItemType.RECORD, first)]))
        before = picture(place)
        file = write([Item(ItemType.RECORD, raw)])
        refused = next((opened.refused for opened in intake.open_bytes(home, file) if opened.refused is not None), None)
        unchanged = picture(place) == before
        proof = next((place / "proofs").glob("*.pbem"), None) if (place / "proofs").is_dir() else None
        if refused is None:
            return FraudTried(what, "", "It was accepted.", unchanged, proof)
        return FraudTried(what, refused.code, refused.sentence, unchanged, proof)

    def _copy(self, place: Path) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / f"{len(list(self._folder.iterdir())):02}-{place.name}"
        shutil.copytree(place, target, ignore=shutil.ignore_patterns("lock"))
        return target


def picture(place: Path) -> dict[str, bytes]:
    """Everything that a refusal must leave alone: all files but proofs, which it may add, and caches."""
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.name != "lock" and not {"proofs", "cache"} & set(path.relative_to(place).parts)
    }


class DemoShown(NamedTuple):
    """The outcome of the demo. `ok`: the game ended, verifies, is the same in both homes, and every cheat was
    caught."""

    archive: Path
    archive_bytes: Count
    archive_sha256: Hash
    cheats: tuple[FraudTried, ...]
    game: str
    mails: MailsCounted
    ok: bool
    same_at_both: bool
    seed: Count
    verdict: Verified

    @property
    def failed(self) -> bool:
        return not self.ok

    @property
    def refused(self) -> int:
        return sum(1 for each in self.cheats if each.code and each.unchanged)


def run(place: Path, seed: int) -> DemoShown:
    """The whole demonstration."""
    demo = Demo(place, seed, say)
    say(f"To see the same again: pbem demo --seed {seed}")
    say("1. Two homes, two identities, cards exchanged", style="bold")
    demo.introduce()
    say("2. Alice offers a game of Bridgehead, strict dice; Bob joins; both programs shuffle the deck", style="bold")
    name = demo.found(GAME, {"blue": "alice", "red": "bob"})
    say(f"  {name}: {many(demo.sent, 'mail')} so far")
    say("3. The game, by armoured files carried between two folders", style="bold")
    attempts: list[FraudTried] = []

    def cheat(mover: str) -> bool:
        if mover != "bob":
            return False
        folder = place / "cheats"
        cheater = Cheater(folder, place / "alice", place / "bob", name, demo.home)
        if not cheater.can_try_all():
            shutil.rmtree(folder)
            return False
        say("  Before his move Bob tries to cheat, at a copy of Alice's home:")
        for each in cheater.attempts():
            kept = each.proof and Path(shutil.copy(each.proof, place / each.proof.name))
            attempts.append(each._replace(proof=kept))
            say_attempt(attempts[-1])
        return True

    demo.play(name, cheat)
    for home in demo.homes.values():
        if stuck := summary.row(home, name).stuck:
            say(f"  ! {home.people.me().card.name}: {clean(stuck)}", style="bad")
    say("4. The archive, audited as a stranger would", style="bold")
    archive = place / f"{name}-archive.pbem"
    raw, other = (b"".join(archives.archive(demo.homes[each], name)) for each in ("alice", "bob"))
    archive.write_bytes(raw)
    (verdict,) = judge(str(archive), 3)
    shown = DemoShown(
        archive,
        len(raw),
        hashlib.sha256(raw).digest(),
        tuple(attempts),
        name,
        demo.tally,
        bool(verdict.ok and verdict.audited and verdict.result),
        raw == other,
        seed,
        verdict,
    )
    return shown._replace(ok=shown.ok and shown.same_at_both and shown.refused == len(attempts) == FRAUDS)


def say_attempt(attempt: FraudTried) -> None:
    say(f"    He {attempt.what}.")
    if attempt.code:
        say(f"      Refused: {with_code(attempt.sentence, attempt.code)}", style="good")
    else:
        say("      NOT REFUSED.", style="bad")
    if not attempt.unchanged:
        say("      THE GAME HAS CHANGED.", style="bad")
    if attempt.proof is not None:
        for sentence in judge(str(attempt.proof), 3)[0].forks:
            say(f"      pbem verify {attempt.proof.name}: the proof holds. {sentence}")


def finish(shown: DemoShown, place: Path, keep: bool, seconds: float) -> None:
    """The last lines: result, mails, and where the archive lies."""
    say_verdict(shown.verdict, named=False)
    if not shown.same_at_both:
        say("The archives of the two players differ.", style="bad")
    say_table(
        (f"  {kind}:", many(mails.count_, "mail"), size_of(mails.bytes))
        for kind, mails in (("sent by a person", shown.mails.human), ("answered by a program", shown.mails.automatic))
    )
    say(f"Archive: {clean(str(shown.archive))} ({size_of(shown.archive_bytes)})")
    say(f"  SHA-256 {shown.archive_sha256.hex()}; the same again with: pbem demo --seed {shown.seed}")
    say(f"  Look at it: pbem verify, pbem dice, pbem replay {clean(str(shown.archive))}")
    if keep:
        say(f"  Both homes and all mails: {clean(str(place))}")
    say(f"{shown.refused} of {FRAUDS} frauds refused. {seconds:.0f} seconds.", style="good" if shown.ok else "bad")


@command(
    "demo",
    short_help="Watch bots play a whole game by mail; four attempts to cheat are caught.",
    examples=("pbem demo", "pbem demo --seed 7", "pbem demo --dir ./demo-1 --keep"),
)
@click.option("--seed", type=click.IntRange(0), help="Repeat a run: the same seed gives the same archive.")
@click.option(
    "--dir", "folder", metavar="DIR", help="The folder for everything, new or empty (default: a temporary one)."
)
@click.option("--keep", is_flag=True, help="Keep both homes and all mails, not only the archive.")
def demo_command(seed: int | None, folder: str | None, keep: bool) -> DemoShown:
    """Watch two players with separate homes play Bridgehead in mode strict, by files carried between two folders.

    Bots play for both. During the game one of them tries to cheat in four ways. At the end the archive is audited.
    """
    place = new_folder(folder, "pbem-demo-")
    started = time.monotonic()
    shown = run(place, secrets.randbelow(1_000_000) if seed is None else seed)
    if not keep:
        for name in ("alice", "bob", "mail", "cheats"):
            shutil.rmtree(place / name, ignore_errors=True)
        for name in ("alice", "bob"):
            (place / f"{name}-card.pbem").unlink(missing_ok=True)
    finish(shown, place, keep, time.monotonic() - started)
    return shown
