"""An umpire calls; the players accept once; later rounds need nobody (docs/spec/call.md)."""

import pytest
from desks import desk_at, took

from pbem.protocol.errors import Refusal
from pbem.table.calling import CallTerms
from pbem.table.errors import TableError

KEY = bytes(range(16))
FAR = 4_000_000_000


class Ring:
    """Homes, and whatever their programs put into the outbox carried to everybody it is for."""

    def __init__(self, folder, *names, **more):
        self.desks = {}
        for name in names:
            desk = desk_at(folder / name, name, **more)
            desk.new_identity(f"{name.title()} Kern", f"{name}@example.org", "")
            self.desks[name] = desk
        self.carried = {}

    def __getitem__(self, name):
        return self.desks[name]

    def card(self, name):
        return self[name].people.me().card

    def letters(self, name):
        desk = self[name]
        book = desk.outbox.addresses
        return {each: book.of(each) for each in sorted(book.names(), key=book.stamp)}

    def carry(self, most=60):
        """Until nobody's program has anything new; how many files were opened."""
        count = 0
        for _ in range(most):
            fresh = 0
            for name, desk in self.desks.items():
                for each, letter in self.letters(name).items():
                    raw = (desk.home.outbox / f"{each}.pbem").read_bytes()
                    if self.carried.get((name, each)) == raw:
                        continue
                    self.carried[name, each] = raw
                    for other in self.desks:
                        if any(f"<{other}@" in to for to in letter.to):
                            took(self[other].open(raw))
                            fresh += 1
            count += fresh
            if not fresh:
                return count
        raise AssertionError("the mails do not end")

    def call(self, umpire="carla", players=("alice", "bob"), **changed):
        terms = {
            "game": "bridgehead",
            "players": [self.card(name) for name in players],
            "seats": {"blue": 0, "red": 1},
            "tournament": KEY,
            "name": "Spring Cup",
            "round": 1,
            "board": 1,
            "expires": FAR,
        }
        return self[umpire].call(CallTerms(**{**terms, **changed}))

    def row(self, name, call_id):
        return self[name].call_row(call_id)


def stages(ring, call_id):
    return {name: row.stage for name in ring.desks if (row := ring.row(name, call_id)) is not None}


def test_accepted_once_and_then_by_itself(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    assert stages(ring, first) == {"alice": "called", "bob": "called", "carla": "sent"}
    name = ring.row("bob", first).name
    ring["bob"].join(name)
    ring.carry()
    assert stages(ring, first) == {"alice": "called", "bob": "accepted", "carla": "sent"}
    assert [(said.name, said.yes) for said in ring.row("carla", first).answers] == [("Bob Kern", True)]
    ring["alice"].join(name)
    ring.carry()
    assert {each["bob"].row(name).stage for each in [ring.desks]} == {"playing"}
    assert [ring[each].row(name).stage for each in ring.desks] == ["playing"] * 3
    second, _ = ring.call(round=2, players=("bob", "alice"))
    ring.carry()
    again = ring.row("alice", second)
    assert again.stage == "offered"
    assert [ring[each].row(again.played_as).stage for each in ring.desks] == ["playing"] * 3
    assert ring["carla"].row(again.played_as).title == "Spring Cup, round 2, board 1"
