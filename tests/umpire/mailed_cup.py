"""A tournament of one game that travels through mailboxes: Una's home and desk, and two players."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "mail"))

from halls import TERMS, duel
from mailhomes import Office, at_home

from pbem.home import offers, orders, sending, summary
from pbem.umpire.db.database import Store
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.keeper import Keeper
from pbem.umpire.mailing import Mailbox
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk


class Umpire:
    """Una's home as the post office sees it: a round of mail is a pass of her keeper."""

    def __init__(self, home, desk):
        self.home = home
        self.desk = desk
        self.faults = []

    def __getattr__(self, name):
        return getattr(self.home, name)

    def round(self):
        state = self.home.state()
        with state.handling():
            mail = Mailbox(self.home.desk, state, [self.home.account()])
            done = Keeper(self.desk, self.home.desk, mail).round()
            mail.close()
        return done


def mailed_cup(tmp_path):
    """Una, Alice and Bob, and a tournament of one game that is called."""
    now = [1_800_000_000]

    def clock():
        now[0] += 60
        return now[0]

    homes = [at_home(tmp_path, name, find_game=lambda _: duel()) for name in ("Una Umpire", "Alice Kern", "Bob Silva")]
    for home in homes:
        home.desk.clock = clock
    una, alice, bob = homes
    store = Store.open(tmp_path / "desk.db")
    desk = UmpireDesk(store, actor="Una", clock=clock, find_game=lambda _: duel())
    terms = parse(TERMS.format(format="round_robin", more="", keeper="").encode())
    desk.create(terms, una.person.card, [NewEntrant(each.person.card) for each in (alice, bob)])
    desk.pair("cup")
    desk.offer("cup")
    umpire = Umpire(una, desk)
    yield umpire, alice, bob, Office(umpire, alice, bob), now
    store.close()


def accept(*players):
    for player in players:
        for row in summary.rows(player.desk):
            if row.stage == "invited":
                offers.join(player.desk, row.name)


def move(*players):
    done = 0
    for player in players:
        for row in summary.rows(player.desk):
            if row.my_move:
                while orders.move(player.desk, row.name).asked():
                    orders.order(
                        player.desk, row.name, [next(iter(islice(orders.move(player.desk, row.name).legal(), 1)))]
                    )
                sending.send(player.desk, row.name)
                done += 1
    return done
