"""Games by mail in which one player seals this or that: what the other is shown has the same bytes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.home import Home, intake, offers, orders, seen, sending, summary
from pbem.pictures.page import page, report_page
from pbem.pictures.picture import board_svg
from tools.bot_games import Post

SEATS = {
    "bridgehead": {"blue": "me", "red": "bob"},
    "noretreat": {"axis": "bob", "soviet": "me"},
    "axis1941": {"ussr": "me", "uk": "me", "usa": "me", "germany": "bob", "japan": "bob"},
}
STANDING = {  # what Bob seals in advance
    "bridgehead": ("red", "react", ("then pass", "when hex = 304 then mud; then pass")),
    "noretreat": ("axis", "turn_window", ("then pass", "then 18, pass")),
    "axis1941": ("germany", "retreat", ("after 2", "never")),
}


def begun(folder: Path, game: str) -> tuple[Post, str]:
    """A game in which Bob is to order; an umpire is the witness of all dice, so that nothing is settled at once."""
    post = Post(folder, ("alice", "bob", "umpire"), "sealed")
    seats = {seat: "alice" if who == "me" else who for seat, who in SEATS[game].items()}
    name, posted = offers.offer(post.desks["umpire"], game, seats=seats, mode="umpire", umpire=True)
    post.post("umpire", posted)
    for other in ("alice", "bob"):
        post.post(other, offers.join(post.desks[other], name))
    for _ in range(12):
        if summary.row(post.desks["bob"], name).my_move:
            break
        orders.bot(post.desks["alice"], name, "random")
        post.post("alice", sending.send(post.desks["alice"], name).posted)
    return post, name


def sealed(folder: Path, to: Path, name: str, what: Callable[[Home], None]) -> tuple[str, bytes]:
    """What Alice is shown when Bob has sealed that, and what Bob has mailed; the umpire has not answered yet."""
    shutil.copytree(folder, to)
    count = 0

    def stream(size: int) -> bytes:
        nonlocal count
        count += 1
        return bytes(index * count % 251 for index in range(size))

    alice, bob = (
        Home(to / who, ask=lambda _: "", clock=lambda: 1_800_000_000, random=stream) for who in ("alice", "bob")
    )
    what(bob)
    posted = sending.send(bob, name).posted
    assert posted is not None
    assert all(opened.refused is None for opened in intake.open_bytes(alice, posted.raw))
    return shown(alice, name), posted.raw


def shown(desk: Home, name: str) -> str:
    """Board and report as Alice sees them, and as everybody may."""
    found = []
    for seats in (None, ()):
        scene = seen.seen(desk, name, seats=seats).scene()
        turn = seen.turn_seen(desk, name, seats=seats)
        found += [board_svg(scene), page(scene), report_page(turn)]
    return "\n".join(found)


def ordered(desk: Home, name: str) -> list[str]:
    """The same orders every time, without what is planned behind them."""
    given = orders.bot(desk, name, "sensible")
    orders.clear_plan(desk, name)
    return given


@pytest.mark.parametrize("game", SEATS)
def test_sealed_standing_orders_show_nothing(tmp_path: Path, game: str) -> None:
    _, name = begun(tmp_path / "homes", game)
    seat, kind, texts = STANDING[game]
    results = []
    for number, text in enumerate(texts):

        def seal(bob: Home, text: str = text) -> None:
            ordered(bob, name)
            orders.set_standing(bob, name, seat, kind, text, sealed=True)

        results.append(sealed(tmp_path / "homes", tmp_path / str(number), name, seal))
    assert results[0][1] != results[1][1]
    assert results[0][0] == results[1][0]


def test_secret_choices_show_nothing(tmp_path: Path) -> None:
    """Where the reserve will come and how the side will fight."""
    _, name = begun(tmp_path / "homes", "bridgehead")
    results = []
    for number in range(2):

        def choose(bob: Home, number: int = number) -> None:
            orders.order(bob, name, [list(orders.move(bob, name).legal())[number]])

        results.append(sealed(tmp_path / "homes", tmp_path / str(number), name, choose))
    assert results[0][1] != results[1][1]
    assert results[0][0] == results[1][0]


def test_plans_show_nothing_before_the_dice(tmp_path: Path) -> None:
    """What Germany does behind its attacks lies in the record; nobody is shown it before the battles are fought."""
    _, name = begun(tmp_path / "homes", "axis1941")
    planned = []

    def with_plan(bob: Home) -> None:
        orders.bot(bob, name, "sensible")
        planned.extend(orders.move(bob, name).drafted().planned)

    def without(bob: Home) -> None:
        ordered(bob, name)

    one, other = (
        sealed(tmp_path / "homes", tmp_path / str(number), name, what)
        for number, what in enumerate((with_plan, without))
    )
    assert planned
    assert one[1] != other[1]
    assert one[0] == other[0]


def test_ones_own_draft_is_nobody_elses(tmp_path: Path) -> None:
    """A draft shows to its owner, and to nobody in a public picture."""
    post, name = begun(tmp_path / "homes", "axis1941")
    bob = post.desks["bob"]
    public, own = (board_svg(seen.seen(bob, name, seats=seats).scene()) for seats in ((), None))
    ordered(bob, name)
    assert board_svg(seen.seen(bob, name, seats=()).scene()) == public
    assert board_svg(seen.seen(bob, name).scene()) != own
