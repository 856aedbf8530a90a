"""Mail that comes late, twice, out of order, or mangled: the game goes on all the same."""

import random

import pytest
from desks import carry, desk_at, duel, introduce, start, took, umpired

from pbem.home import backup, describe, intake, offers, orders, sending, summary
from pbem.protocol.armour import wrap


def find_game(_):
    return duel()


def three(_):
    return duel(3)


def homes(tmp_path, names, find_game):
    desks = [desk_at(tmp_path / name, name, find_game=find_game) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


def mangle(raw, rng):
    """As mail programs do: quoted, re-wrapped, with other line ends and words around it."""
    how = rng.randrange(5)
    if how == 0:
        return raw
    text = wrap(raw)
    if how == 1:
        text = "Here is my turn.\n" + "".join(f"> {line}\n" for line in text.splitlines())
    elif how == 2:
        text = text.replace("\n", "\r\n")
    elif how == 3:
        text = f"Subject: turn\nFrom: x <x@example.org>\n\nHello,\n\n{text}\nbye"
    return text.encode()


def post_office(desks, name, seed, losses=0):
    """Plays with a bot's patience; every file goes to everybody else, some day, perhaps twice, perhaps never."""
    rng = random.Random(seed)
    bag = []

    def send(sender, posted):
        for desk in desks:
            if desk is not sender:
                bag.append((desk, posted.raw))
                if rng.random() < 0.3:
                    bag.append((desk, posted.raw))

    for _ in range(3000):
        rows = [summary.row(desk, name) for desk in desks]
        if all(row.stage == "over" for row in rows):
            return rows
        if bag and (rng.random() < 0.7 or not any(row.my_move for row in rows)):
            desk, raw = bag.pop(rng.randrange(len(bag)))
            if losses and rng.random() < 0.15:
                losses -= 1
                continue
            for opened in took(intake.open_bytes(desk, mangle(raw, rng))):
                for posted in opened.posted:
                    send(desk, posted)
            continue
        movers = [desk for desk, row in zip(desks, rows, strict=True) if row.my_move]
        if movers:
            mover = rng.choice(movers)
            legal = list(orders.move(mover, name).legal())
            orders.order(mover, name, [rng.choice(legal)])
            send(mover, sending.send(mover, name).posted)
        else:
            # What was lost goes again when somebody asks what became of it.
            for desk in desks:
                send(desk, sending.resend(desk, name))
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", range(4))
def test_two_homes(tmp_path, seed):
    alice, bob = homes(tmp_path, ("alice", "bob"), find_game)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    rows = post_office((alice, bob), name, seed)
    assert rows[0].result == rows[1].result


def test_two_homes_and_losses(tmp_path):
    alice, bob = homes(tmp_path, ("alice", "bob"), find_game)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    rows = post_office((alice, bob), name, 77, losses=6)
    assert rows[0].result == rows[1].result


@pytest.mark.parametrize("umpire", [None, "dora"])
@pytest.mark.parametrize("seed", [1, 2])
def test_three_homes_and_an_umpire(tmp_path, seed, umpire):
    names = ("alice", "bob", "carla", *((umpire,) if umpire else ()))
    desks = homes(tmp_path, names, three)
    seats = {"ann": "alice", "bob": "bob", "cid": "carla"}
    if umpire:
        name = umpired(desks[-1], desks[:-1], "duel", seats, options={"turns": 1})
    else:
        name, posted = offers.offer(desks[0], "duel", seats=seats | {"ann": "me"}, options={"turns": 1})
        letters = []
        for desk in desks[1:]:
            took(intake.open_bytes(desk, posted.raw))
            letters.append((desk, offers.join(desk, name)))
        carry(*desks, letters)
    assert {summary.row(desk, name).stage for desk in desks} == {"playing"}
    rows = post_office(desks, name, seed)
    assert len({row.result for row in rows}) == 1
    assert len({tuple(line.id for line in describe.log(desk, name)) for desk in desks}) == 1


def test_umpires_dice(tmp_path):
    desks = homes(tmp_path, ("alice", "bob", "dora"), find_game)
    seats = {"ann": "alice", "bob": "bob"}
    name = umpired(desks[2], desks[:2], "duel", seats, options={"turns": 1}, mode="umpire")
    rows = post_office(desks, name, 5)
    assert len({row.result for row in rows}) == 1


def test_a_whole_game_opened_backwards(tmp_path):
    """Files that come before all that they build on wait, and find their places."""
    alice, bob = homes(tmp_path, ("alice", "bob"), find_game)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    files = []
    for _ in range(60):
        mover = next((desk for desk in (alice, bob) if summary.row(desk, name).my_move), None)
        if mover is None:
            break
        orders.order(mover, name, [next(orders.move(mover, name).legal())])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    files = [path.read_bytes() for path in sorted((tmp_path / "alice" / "outbox").iterdir())]
    files += [path.read_bytes() for path in sorted((tmp_path / "bob" / "outbox").iterdir())]
    log = [line.id for line in describe.log(alice, name)]
    carla = desk_at(tmp_path / "carla", "carla", find_game=find_game)
    backup.restore(carla, backup.phrase(bob, bob.people.me()), [], "", "Bob", "")
    for raw in reversed(files):
        took(intake.open_bytes(carla, raw))
    assert [line.id for line in describe.log(carla, name)] == log
    assert summary.row(carla, name).restored
    for raw in files:
        assert all(opened.new == 0 for opened in took(intake.open_bytes(carla, raw)))
