"""A season by mail: bots, an umpire whose desk runs by itself, and a post office that delays, loses, mangles.

Some players go silent, one signs two turns for one move, one brings back an old backup, one withholds what his program
owes. The post office and the people are all that is played here; homes, mail, keeper and database are the real ones.
"""

from __future__ import annotations

import base64
import re
import shutil
import sys
from collections import Counter
from email.message import EmailMessage
from heapq import heappop, heappush
from itertools import islice
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent.parent / "mail"))
sys.path.append(str(Path(__file__).parent.parent / "home"))

from desks import Stream, duel
from mailhomes import Homed, at_home, desk_at, local_settings, parsed

from pbem.engine.registry import find
from pbem.home import HomeError, backup, offers, orders, resync, sending, summary
from pbem.home.gamefile import player_of
from pbem.mail.account import account_of
from pbem.mail.connect import Secrets
from pbem.mail.sync import Sync
from pbem.protocol.armour import find_all, wrap
from pbem.umpire import facts as home_facts
from pbem.umpire.db.database import Store
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.keeper import Keeper
from pbem.umpire.mailing import Mailbox
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk

DAY = 86_400
TICK = DAY // 4
BEGIN = 1_800_000_000
TERMS = """
v = 1
title = "Season"
name = "season"
game = "{game}"
mode = "umpire"
format = "swiss"
seeding = "given"
rounds = {rounds}
seed = "{seed}"
{options}[clock]
move = "3d"
bank = "6d"
accept = "8d"
[keeper]
remind = "2d"
grace = "1d"
on_flag = "forfeit"
no_show = "forfeit"
auto = true
"""
GAME = re.compile(r"[a-z0-9]+-[0-9a-f]{4,}")


class Calendar:
    def __init__(self):
        self.now = BEGIN

    def __call__(self):
        self.now += 1
        return self.now


class PostOffice:
    """What happens to a mail between two mailboxes. The same seed does the same."""

    def __init__(self, seed, clock):
        self._rng = Random(f"post {seed}")
        self._clock = clock
        self._under_way = []
        self._sent = set()
        self.count = Counter()
        self.withholds = {}
        """Who lets through nothing more of a game once his program owes something by itself: address -> games."""

    def collect(self, home, homes):
        for path in sorted((home.folder / "out").glob("*.eml")) if (home.folder / "out").exists() else ():
            raw = path.read_bytes()
            if (home.address, path.name) in self._sent:
                continue
            self._sent.add((home.address, path.name))
            mail = parsed(raw)
            if self._withheld(home.address, mail):
                self.count["withheld"] += 1
                continue
            for other in homes.values():
                if other.address in str(mail["To"]):
                    self._send(other, raw)

    def _withheld(self, address, mail):
        games = self.withholds.get(address)
        name = next((found for part in mail.iter_attachments() if (found := GAME.search(part.get_filename("")))), None)
        if games is None or name is None:
            return False
        if mail["Auto-Submitted"] is not None:
            games.add(name[0])
        return name[0] in games

    def _send(self, home, raw):
        luck = self._rng.random()
        if luck < 0.04:
            self.count["lost"] += 1
            return
        copies = 2 if luck < 0.14 else 1
        self.count["doubled"] += copies - 1
        for _ in range(copies):
            changed = raw
            if self._rng.random() < 0.15:
                how = self._rng.choice(WAYS)
                self.count[how.__name__] += 1
                changed = how(raw, self._rng)
            due = self._clock.now + int(self._rng.choice((0.01, 0.1, 0.4, 0.9)) * DAY)
            self.count["mails"] += 1
            heappush(self._under_way, (due, self.count["mails"], home.name, changed))

    def deliver(self, homes):
        """Who has got something."""
        got = set()
        while self._under_way and self._under_way[0][0] <= self._clock.now:
            _, number, name, raw = heappop(self._under_way)
            homes[name].receive(f"{number:08}.post", raw)
            got.add(name)
        return got

    @property
    def idle(self):
        return not self._under_way


def forwarded(raw, _):
    """Sent on as an attachment by a friendly program."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "list@example.org", "you@example.org", "Fwd: a turn"
    mail.set_content("See below.")
    mail.add_attachment(parsed(raw))
    return bytes(mail)


def quoted(raw, _):
    """Answered above, with the text below behind marks; the attachment is gone."""
    blocks = [wrap(block) for block in _blocks(raw)]
    text = "\n".join(f"> {line}" for block in blocks for line in block.splitlines())
    return f"From: x@example.org\nSubject: Re: a turn\n\nGood one!\n\n{text}\n".encode()


def recoded(raw, _):
    """The whole of it as one text in base64."""
    text = base64.encodebytes("\n".join(wrap(block) for block in _blocks(raw)).encode()).decode()
    head = "From: x@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n{text}".encode()


def truncated(raw, rng):
    return raw[: rng.randrange(len(raw) // 2, len(raw) - 1)]


def damaged(raw, rng):
    changed = bytearray(raw)
    for _ in range(20):
        changed[rng.randrange(len(raw))] ^= rng.randrange(1, 256)
    return bytes(changed)


def _blocks(raw):
    """The files in a mail of pbem."""
    mail = parsed(raw)
    found = [part.get_payload(decode=True) for part in mail.walk() if str(part.get_filename()).endswith(".pbem")]
    return [each for each in found if each] or list(find_all(raw.decode("utf-8", "replace")))


WAYS = (forwarded, quoted, recoded, truncated, damaged)


class Season:
    def __init__(self, folder, players, rounds, *, seed=1, silent=3, game="duel"):
        self.folder, self.seed = folder, seed
        self.find_game = find if game != "duel" else lambda _: duel()
        self.clock = Calendar()
        self.office = PostOffice(seed, self.clock)
        self.rng = Random(f"people {seed}")
        names = [f"P{number:02} Player" for number in range(1, players + 1)]
        self.homes = {name: self._home(name) for name in ("Una Umpire", *names)}
        self.una = self.homes["Una Umpire"]
        self.names = names
        chosen = self.rng.sample(names, silent + 3)
        self.silent_later = set(chosen[:silent])
        self.silent = set()
        self.forker, self.restorer, self.withholder = chosen[silent:]
        self.backup = b""
        self.happened = Counter()
        self.told = {}
        """What each player's own home says of how a game ended: (player, offer id) -> winner's side or None."""
        self.store = Store.open(folder / "desk.db")
        self.desk = UmpireDesk(
            self.store, actor="Una", clock=self.clock, random=Stream(f"desk {seed}"), find_game=self.find_game
        )
        options = "[options]\nturns = 1\n" if game == "duel" else ""
        terms = parse(TERMS.format(game=game, rounds=rounds, seed=seed, options=options).encode())
        self.desk.create(terms, self.una.person.card, [NewEntrant(self.homes[name].person.card) for name in names])
        self.desk.pair("season")
        self.desk.offer("season")
        self.refused = Counter()
        self.hidden = 0
        """How many hidden things were looked for where they must not be."""
        self._woken = set(self.homes)

    def _home(self, name, folder=None):
        home = at_home(folder or self.folder, name, find_game=self.find_game)
        home.desk.clock = self.clock
        return home

    def peek(self):
        """Who knows what is hidden from him: nobody does. How many hidden things there are in games that run."""
        count = 0
        for name in self.names:
            desk = self.homes[name].desk
            for row in summary.rows(desk):
                if row.stage != "playing":
                    continue
                game = desk.load(row.name)
                match = game.match
                known = player_of(desk, game).own_values(match)
                for by in game.offer.authors:
                    ledger = match.ledger
                    slots = [*ledger.choices(by), *ledger.decks.held(by)] if by != game.me.by else []
                    hidden = [slot for slot in slots if ledger.value(slot) is None]
                    assert not set(hidden) & set(known), (name, row.name, hidden)
                    count += len(hidden)
        return count

    @property
    def over(self):
        return self.desk.tournament("season").state == "over"

    def pairings(self):
        return [row for each in self.desk.rounds("season") for row in each.pairings]

    # A quarter of a day

    def play(self, most):
        """Quarters of days until the tournament is over and no mail is under way."""
        for number in range(most):
            self.tick(number)
            if self.over and self.office.idle:
                return
        raise AssertionError(f"not over after {most} ticks: {self.desk.status('season')[:5]}")

    def tick(self, number):
        self.clock.now += TICK
        self._woken |= self.office.deliver(self.homes)
        self._misfortunes(number)
        for name in self.names:
            if name not in self.silent and (name in self._woken or number % 8 == 0):
                self._sync(self.homes[name])
        self._woken = set()
        for name in self.names:
            if name not in self.silent and self.rng.random() < 0.8:
                self._person(name, number)
        self._umpire()
        for home in self.homes.values():
            self.office.collect(home, self.homes)
        if number % 5 == 0:
            self.hidden += self.peek()

    def _sync(self, home):
        state = home.state()
        account = account_of(home.person, home.settings, Secrets(lambda _: None), home.desk.disk, home.desk.clock())
        with state.handling():
            done = Sync(home.desk, state, [account]).round()
            for news in state.news():
                if news.code:
                    self.refused[news.code] += 1
            state.clear_news()
        account.close()
        assert not done.faults, (home.name, done.faults)

    def _umpire(self):
        state = self.una.state()
        with state.handling():
            mail = Mailbox(self.una.desk, state, [self.una.account()])
            done = Keeper(self.desk, self.una.desk, mail).round()
            for news in mail.news():
                if news.code:
                    self.refused[news.code] += 1
            mail.told()
            mail.close()
        assert not done.faults, done.faults
        for entry in done.entries:
            self.happened[entry.kind] += 1
        self._judge()

    def _judge(self):
        """What the umpire does by hand: whoever signed two turns for one move loses."""
        rows = {row.id: row for row in self.pairings()}
        for odd in self.desk.anomalies("season"):
            row = rows[odd.pairing]
            if odd.kind == "fork" and row.state == "playing" and odd.mark not in self.happened:
                self.happened[odd.mark] += 1
                who = str(odd.entrant)
                self.desk.rule("season", row.label, "forfeit", who=who, why="Two turns were signed for one move.")

    # People

    def _person(self, name, number):
        desk = self.homes[name].desk
        for row in summary.rows(desk):
            if row.stage == "invited":
                offers.join(desk, row.name)
        wrote = False
        for row in summary.rows(desk):
            if row.restored:
                wrote |= self._catch_up(desk, row, number)
            elif row.my_move:
                if name == self.forker and not self.happened["forked"] and row.stage == "playing" and number > 6:
                    self._fork(name, row.name)
                self._order(desk, row.name)
                wrote = True
            elif row.stage not in ("over", "declined", "cancelled") and number % 6 == 5:
                self._again(desk, row.name)  # nothing has come for days
                wrote = True
            if row.stage == "over" or row.result:
                self._ended(name, desk, row.name)
        if wrote or number % 8 == 4:
            self._sync(self.homes[name])

    def _order(self, desk, game):
        if self.find_game is find:
            orders.bot(desk, game, None)
        else:
            while orders.move(desk, game).asked():
                orders.order(desk, game, [self.rng.choice(list(islice(orders.move(desk, game).legal(), 6)))])
        sending.send(desk, game)

    def _again(self, desk, game):
        try:
            sending.resend(desk, game)
        except HomeError as error:
            self.happened[f"not again {error.code}"] += 1

    def _ended(self, name, desk, game):
        facts = home_facts.facts(desk, desk.key(game))
        if facts is not None and facts.over:
            self.told[name, desk.key(game)] = facts.winner

    def _catch_up(self, desk, row, number):
        try:
            resync.confirm(desk, row.name)
            self.happened["caught up"] += 1
        except HomeError:
            if number % 6 == 0:
                resync.hello(desk, row.name)
                return True
        return False

    # Misfortunes

    def _misfortunes(self, number):
        if number == 9:
            self.silent |= self.silent_later
        if number == 8:
            self.office.withholds[self.homes[self.withholder].address] = set()
        if number == 11:
            desk = self.homes[self.restorer].desk
            self.backup, self.phrase = backup.backup(desk, desk.people.me()), backup.phrase(desk, desk.people.me())
        if number == 15:
            self._restore()

    def _restore(self):
        """A disk dies: what is left is the phrase and a backup of yesterday."""
        old = self.homes[self.restorer]
        shutil.rmtree(old.folder / "home")
        again = self._home_without(self.restorer)
        backup.restore(again.desk, self.phrase, [self.backup], "")
        self.homes[self.restorer] = again
        self.happened["restored"] = len(summary.rows(again.desk))
        for row in summary.rows(again.desk):
            if row.restored:
                resync.hello(again.desk, row.name)

    def _home_without(self, name):
        first = name.casefold().split()[0]
        place = self.folder / first
        desk = desk_at(place / "home", f"{first} again", find_game=self.find_game)
        desk.clock = self.clock
        return Homed(name, place, desk, local_settings(place, f"{first}@example.org"))

    def _fork(self, name, game):
        """The same move from a copy of the home, otherwise; both turns are mailed."""
        copy = self.folder / "fork"
        shutil.copytree(self.homes[name].folder, copy / name.casefold().split()[0])
        other = self._home(name, copy)
        desk = other.desk
        while orders.move(desk, game).asked():
            orders.order(desk, game, [self.rng.choice(list(islice(orders.move(desk, game).legal(), 3)))])
        if sending.send(desk, game).posted is None:
            return
        self._sync(other)
        self.office.collect(other, self.homes)
        self.happened["forked"] += 1
        self.forked = game
