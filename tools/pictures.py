"""Draws what the documents show: `make pictures`. Boards come of games between bots, and change with these; the report
is of the first turn of Germany in examples/axis1941, the replay of a battle later in it, as a browser shows them; the
board is the one that is clicked."""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from hashlib import shake_256
from io import BytesIO
from pathlib import Path
from threading import Thread

from pbem.browser.gameboard import GameBoard
from pbem.browser.server import Server
from pbem.engine.registry import find
from pbem.engine.testing.play import random_game
from pbem.home import Home, intake, offers, orders, seen, sending, summary
from pbem.home.people import Cost
from pbem.kit.scene import HexGround
from pbem.pictures.page import report_page
from pbem.pictures.picture import board_svg
from pbem.protocol.container import read_stream, write
from tools.browser import Browser, lacking

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
MOMENTS = {
    "axis1941": 60,
    "bridgehead": 90,
    "noretreat": 400,
    "stalingrad42": 330,
    "stargard": 250,
}  # after so many orders
ARCHIVE, RECORDS = ROOT / "examples" / "axis1941" / "game.pbem", 8  # up to the dice for Germany
REPORT, SIZE, TINTS = "report.png", (1280, 1560), 256
REPLAY, WINDOW, STEP = "replay.png", (1280, 800), 33
BOARD, DESK, PANZER = "board.png", (1280, 800), "u:2Pz"


def draw(name: str, orders: int) -> str:
    game = find(name)
    assert game.pictures is not None
    pictures = game.pictures()
    bots = {seat.name: game.bots[game.best_bot] for seat in game.seats}
    driver = random_game(game, "documents", bots=bots, orders=orders, every=1_000_000)
    events = tuple(event for event in driver.happened if event.seen_by(()))
    scene = pictures.scene(driver.view(), pictures.last(events))
    large = isinstance(scene.ground, HexGround) and scene.ground.levels
    return board_svg(scene, level="sheet" if large else "close")


def report() -> str:
    """The page, as a spectator gets it who holds only the beginning of the game."""
    with tempfile.TemporaryDirectory() as folder, ARCHIVE.open("rb") as file:
        items = list(read_stream(file))[:RECORDS]
        desk = Home(Path(folder), ask=lambda _: "", clock=lambda: 0, random=bytes)
        intake.open_bytes(desk, write(items))
        return report_page(seen.turn_seen(desk, summary.rows(desk)[0].name, seats=()), look="light")


def replay() -> str:
    """The whole of that game, as `pbem replay --html` makes it."""
    from pbem.cli.replaying import Playback
    from pbem.cli.replaying import page_of as replay_page_of
    from pbem.cli.verifying import ArchiveFile, judge_items

    archive = ArchiveFile(ARCHIVE.name, path=str(ARCHIVE))
    return replay_page_of(Playback(archive), archive, judge_items(archive), (), "light")[0]


def board(path: Path) -> None:
    """No Retreat! in the browser, with a unit that has been clicked."""
    with tempfile.TemporaryDirectory() as folder:
        count = itertools.count()
        desk = Home(
            Path(folder), ask=lambda _: "", clock=lambda: 0,
            random=lambda size: shake_256(f"board/{next(count)}".encode()).digest(size), cost=Cost(log_n=4),
        )  # fmt: skip
        desk.new_identity("Alice", "", "")
        name, _ = offers.offer(
            desk, "noretreat", seats={seat.name: "me" for seat in find("noretreat").seats}, mode="open"
        )
        made = GameBoard(desk, name)
        while PANZER not in made.state()["first"]:
            if orders.move(desk, name).asked():
                orders.order(
                    desk,
                    name,
                    (next(orders.move(desk, name).legal("done"), "") or next(orders.move(desk, name).legal()),),
                )
            else:
                sending.send(desk, name)
        browser = Browser()
        try:
            with Server(made) as server:
                Thread(target=server.serve_forever, daemon=True).start()
                browser.size(*DESK)
                browser.driver.get(server.address)
                time.sleep(2)
                browser.run("document.querySelector('#list').open = true")
                time.sleep(1)
                browser.run("document.querySelector(`#list [data-k='${arguments[0]}']`).click()", PANZER)
                time.sleep(1)
                browser.run("document.querySelector('#list').open = false; document.activeElement.blur()")
                time.sleep(1)
                keep(browser.driver.get_screenshot_as_png(), path)
                server.shutdown()
        finally:
            browser.close()


def photograph(page: str, path: Path, size: tuple[int, int], script: str = "", part: str = "") -> None:
    """The top of a page."""
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            shown = Path(folder) / "page.html"
            shown.write_text(page, encoding="utf-8")
            browser.size(*size)
            browser.open(shown, part)
            browser.run(script)
            keep(browser.driver.get_screenshot_as_png(), path)
    finally:
        browser.close()


def keep(taken: bytes, path: Path) -> None:
    """In few colours, so that the file stays small."""
    from PIL import Image

    Image.open(BytesIO(taken)).convert("RGB").quantize(TINTS, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, lines in MOMENTS.items():
        path = FOLDER / f"{name}.svg"
        path.write_text(draw(name, lines), encoding="utf-8", newline="\n")
        told(path)
    if why := lacking():
        sys.stdout.write(f"{REPORT}, {REPLAY} AND {BOARD} ARE LEFT AS THEY WERE: {why}.\n")
        return
    photograph(report(), FOLDER / REPORT, SIZE, "document.getElementById('size-whole').click()")
    told(FOLDER / REPORT)
    photograph(replay(), FOLDER / REPLAY, WINDOW, part=str(STEP))
    told(FOLDER / REPLAY)
    board(FOLDER / BOARD)
    told(FOLDER / BOARD)


def told(path: Path) -> None:
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
