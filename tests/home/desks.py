"""Two or more homes for tests: repeatable clock and randomness, cheap keys, and files carried by hand."""

import itertools
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "engine"))

from games.duel import duel

from pbem.engine.registry import find
from pbem.home import Home, intake, offers, orders, sending, summary
from pbem.home.disk import Disk
from pbem.home.people import Cost
from pbem.home.root import Stream

__all__ = [
    "CHEAP", "Quick", "Stream", "carry", "desk_at", "duel", "introduce", "play", "start", "took", "two", "umpired"
]  # fmt: skip

CHEAP = Cost(log_n=4)


class Quick(Disk):
    """Flushes nothing: the tests that pull plugs say themselves what is lost."""

    synchronous = "OFF"

    def fsync(self, fd):
        pass

    def fsync_folder(self, folder):
        pass


def desk_at(folder, name, *, passphrase="", start=1_800_000_000, find_game=find, disk=None, **more):
    ticks = itertools.count(start, 60)
    return Home(
        folder,
        ask=lambda _: passphrase,
        clock=lambda: next(ticks),
        random=Stream(name),
        cost=CHEAP,
        find_game=find_game,
        disk=disk or Quick(),
        **more,
    )


def introduce(*desks):
    """Everybody has everybody's card."""
    for desk in desks:
        for other in desks:
            if other is not desk:
                with desk.writing():
                    desk.people.meet(other.people.me().card)


def two(tmp_path, find_game=find):
    alice = desk_at(tmp_path / "alice", "alice", find_game=find_game)
    bob = desk_at(tmp_path / "bob", "bob", find_game=find_game)
    alice.new_identity("Alice Kern", "alice@example.org", "")
    bob.new_identity("Bob Silva", "bob@example.org", "")
    introduce(alice, bob)
    return alice, bob


def start(alice, bob, game="bridgehead", seats=None, **terms):
    """Offers a game and carries files until it runs; its name, which is the same at both."""
    name, posted = offers.offer(alice, game, seats=seats or {"blue": "me", "red": "bob"}, **terms)
    took(intake.open_bytes(bob, posted.raw))
    carry(alice, bob, [(bob, offers.join(bob, name))])
    return name


def umpired(umpire, players, game, seats, **terms):
    """An umpire offers a game, its players join, and it runs; its name."""
    name, posted = offers.offer(umpire, game, seats=seats, umpire=True, **terms)
    letters = []
    for desk in players:
        took(intake.open_bytes(desk, posted.raw))
        letters.append((desk, offers.join(desk, name)))
    carry(umpire, *players, letters)
    return name


def took(found):
    """None of what was opened was refused."""
    for opened in found:
        if opened.refused is not None:
            raise opened.refused
    return found


def carry(*args):
    """Delivers files to all others until nobody's program answers any more; how many automatic files that took."""
    *desks, letters = args
    letters = [(desk, posted) for desk, posted in letters if posted is not None]
    automatic = 0
    while letters:
        sender, posted = letters.pop(0)
        for desk in desks:
            if desk is not sender:
                for opened in took(intake.open_bytes(desk, posted.raw)):
                    letters += [(desk, answer) for answer in opened.posted]
                    automatic += len(opened.posted)
    return automatic


def play(desks, name, bot="random", limit=400):
    """Bots play it to the end, by mail."""
    for _ in range(limit):
        mover = next((desk for desk in desks if summary.row(desk, name).my_move), None)
        if mover is None:
            return
        orders.bot(mover, name, bot)
        carry(*desks, [(mover, sending.send(mover, name).posted)])
    raise AssertionError("the game does not end")
