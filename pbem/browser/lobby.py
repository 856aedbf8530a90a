"""All of pbem for a player, as plain dicts: games and who owes what, files that came, people, offers, a backup.

What must not pass through a browser, passphrases and the phrase of a backup, is entered and shown at the terminal only.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.browser.gameboard import GameBoard, in_words
from pbem.engine import registry
from pbem.engine.counts import DAY, many
from pbem.engine.definition import Seat
from pbem.engine.obligation import ORDERS
from pbem.home import Home, HomeError, backup, intake, offers, orders, resync, sending, summary
from pbem.home.outbox import Posted
from pbem.home.summary import GameRow, Owed
from pbem.protocol.container import Item, ItemType, write

Data = dict[str, Any]
PRACTICE = "Against the bot"
"""The title of a game for oneself alone, in which a bot plays, if it has no other."""
BOT, ME = "the bot", "me"  # who takes a seat, beside `anyone` and people


class Terminal(NamedTuple):
    """What the commands do for the lobby."""

    new_passphrase: Callable[[], str]
    tell: Callable[[str], None]
    mail: Callable[[], Sequence[str]] | None = None
    """A round of mail, and what came of it; None: no mailbox is set up."""


class Lobby:
    def __init__(self, home: Home, terminal: Terminal) -> None:
        self._home = home
        self._terminal = terminal
        self._boards: dict[str, GameBoard] = {}

    def board(self, name: str) -> GameBoard:
        """Of a game that is here."""
        if name not in self._boards:
            found = summary.find(self._home, name)
            sending.let_bots(self._home, found)
            self._boards[name] = GameBoard(self._home, found)
        return self._boards[name]

    def home(self, said: Sequence[str] = ()) -> Data:
        """Everything that the first page shows."""
        people = self._home.people
        me = next((each for each in people.identities() if each.default), None)
        rows = summary.rows(self._home)
        offered = {row.name for row in rows if row.stage == "offered"}
        return {
            "me": me and {"name": me.card.name, "email": me.card.email, "fingerprint": me.fingerprint},
            "games": [_row(self._home, row) for row in rows],
            "contacts": [
                {
                    "name": each.card.name,
                    "email": each.card.email,
                    "fingerprint": each.fingerprint,
                    "sure": each.confirmed,
                }
                for each in people.contacts()
            ],
            "outbox": [
                {"file": each.path.name, "to": each.to or [summary.ANYONE]}
                for each in resync.outgoing(self._home)
                if each.silent or (not each.to and each.game in offered)
            ],
            "mail": self._terminal.mail is not None,
            "said": list(said),
        }

    def catalogue(self) -> list[Data]:
        """The installed games, and what may be chosen of each; apart, since all of them have to be loaded."""
        return [_installed(name) for name in registry.names()]

    def open(self, raw: bytes) -> Data:
        """A file that came: its bytes."""
        said: list[str] = []
        for each in intake.open_bytes(self._home, raw):
            said += [each.what, *each.happened, *each.notes]
            if each.refused is not None:
                said.append(each.refused.sentence)
            said += [f"Your program has answered: {posted.path.name}." for posted in each.posted]
        return self.home(said)

    def sync(self) -> Data:
        """A round of mail."""
        if self._terminal.mail is None:
            raise HomeError("E-LACKS", "No mailbox is set up. At the terminal: pbem mail setup")
        return self.home(self._terminal.mail())

    # People

    def identity(self, name: str, email: str) -> Data:
        """The player's own, with a passphrase that is asked for at the terminal."""
        self._home.new_identity(name, email, self._terminal.new_passphrase())
        return self.home([f"Welcome, {name}."])

    def confirm(self, who: str) -> Data:
        """Its owner has been asked for the fingerprint."""
        with self._home.writing():
            person = self._home.people.confirm(who)
        return self.home([f"{person.card.name}: compared."])

    def card(self) -> Data:
        """One's own card, as a file."""
        person = self._home.people.me()
        return _file(f"{person.card.name.replace(' ', '-')}.pbem", write([Item(ItemType.CARD, person.card.raw)]))

    def backup(self) -> Data:
        """As a file; the phrase that opens it is told at the terminal."""
        person = self._home.people.me()
        self._terminal.tell("The phrase that opens your backup. Write it on paper, and show it to nobody:")
        self._terminal.tell(backup.phrase(self._home, person))
        return _file("pbem-backup.pbem", backup.backup(self._home, person))

    # Games

    def practice(self, game: str, scenario: str = "", side: str = "") -> Data:
        """A game against the bot. `side`: which one, or one seat of it, the player takes; by default the first seat."""
        seats = registry.find(game).seats
        mine = side or seats[0].name
        return self.offer(game, scenario, {seat.name: ME if mine in (seat.name, seat.side) else BOT for seat in seats})

    def offer(
        self,
        game: str,
        scenario: str,
        seats: Mapping[str, str],
        title: str = "",
        options: Mapping[str, str] | None = None,
        clock: Mapping[str, int] | None = None,
    ) -> Data:
        """A new game with others, or with the bot alone. `clock`: `days` for a move, `bank` days beyond that, `off`."""
        rules = registry.find(game)
        bots = [seat for seat, who in seats.items() if who == BOT]
        others = [who for who in seats.values() if who not in (ME, BOT)]
        if bots and (others or ME not in seats.values()):
            raise HomeError(
                "E-OFFER", "In a game against the bot, take at least one seat yourself; the bot takes the others."
            )
        said, times = options or {}, clock or {}
        chosen = {
            each.name: each.words.get(said[each.name], said[each.name]) for each in rules.options if each.name in said
        }
        name, posted = offers.offer(
            self._home,
            game,
            scenario=scenario or None,
            seats={seat: ME if who == BOT else who for seat, who in seats.items()},
            title=title or (PRACTICE if bots else ""),
            mode="strict" if others else "open",
            options=chosen,
            move_seconds=times.get("days", 0) * DAY,
            bank_seconds=times.get("bank", 0) * DAY,
            days_off=times.get("off", 0),
        )
        if bots:
            orders.set_bots(self._home, name, bots)
            sending.let_bots(self._home, name)
        told = [f"{name} is offered.", *_posted(posted)] if others else [f"{name} has begun."]
        return self.home(told) | {"begun": "" if others else name}

    def join(self, game: str) -> Data:
        return self.home(["You have joined.", *_posted(offers.join(self._home, game))])

    def decline(self, game: str, why: str) -> Data:
        """Somebody else's offer; one's own is taken back."""
        own = summary.row(self._home, game).stage == "offered"
        posted = offers.decline(self._home, game, why)
        return self.home(["You have withdrawn the offer." if own else "Declined.", *_posted(posted)])

    def file(self, name: str) -> Data:
        """One of the outbox, to be attached to a mail."""
        path = next((each.path for each in resync.outgoing(self._home) if each.path.name == name), None)
        if path is None:
            raise HomeError("E-UNKNOWN", f"There is no file {name!r} in the outbox.")
        return _file(name, path.read_bytes())


def _posted(posted: Posted | None) -> list[str]:
    if posted is None:
        return []
    if not posted.to:
        return [f"Give the file {posted.path.name}, which is under Mail, to anyone who may want to join."]
    return [f"The file {posted.path.name} goes to {', '.join(posted.to)}."]


def _file(name: str, raw: bytes) -> Data:
    return {"name": name, "data": b64encode(raw).decode("ascii")}


def _row(home: Home, row: GameRow) -> Data:
    drafted = len(orders.saved(home.find(row.name)).lines)
    owed = [_owes(each) for each in row.owed]
    notices = [each for each in (row.fault, row.proposed, row.notice, row.stuck) if each]
    return {
        "name": row.name,
        "game": row.game,
        "title": row.title,
        "scenario": row.scenario,
        "others": row.others,
        "offered": row.offered,
        "stage": row.stage,
        "moment": row.result or in_words(row.moment),
        "mine": row.my_move,
        "draft": f"Your draft holds {many(drafted, 'order', 'orders')}, not yet sealed." if drafted else "",
        "owed": owed,
        "notices": notices,
        "open": row.stage in ("playing", "ending", "over"),
    }


def _owes(owed: Owed) -> str:
    """From the player's point of view: for whom the game waits."""
    if owed.what != ORDERS:
        return owed.sentence
    return "It is your move." if owed.mine else f"{owed.name} is to move."


def _installed(name: str) -> Data:
    game = registry.find(name)
    return {
        "name": name,
        "title": game.title,
        "scenarios": [{"name": each.name, "title": each.title, "about": each.about} for each in game.scenarios],
        "options": [{"name": each.name, "title": each.title, "words": list(each.words)} for each in game.options],
        "seats": [{"name": each.name, "title": each.title} for each in game.seats],
        "sides": list(_sides(game.seats)),
        "bot": bool(game.bots),
    }


def _sides(seats: Sequence[Seat]) -> Iterator[Data]:
    """What one player can take against the bot: a whole side, or one seat of it."""
    for side in dict.fromkeys(seat.side for seat in seats):
        held = [seat for seat in seats if seat.side == side]
        yield {"name": side, "title": ", ".join(seat.title for seat in held)}
        if len(held) > 1:
            yield from ({"name": seat.name, "title": f"{seat.title} only"} for seat in held)
