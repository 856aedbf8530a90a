"""Large maps in three levels, and the windows of reports."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.drawing import board_command
from pbem.engine.registry import find
from pbem.kit.scene import HexGround, Scene, TurnSeen
from pbem.pictures.levels import LEVELS, MOST_WINDOWS, windows
from pbem.pictures.page import page, report_page
from pbem.pictures.picture import board_svg, map_svg, window_svg
from pbem.pictures.pieces import FOUR, WIDE
from tests.pictures.scenes import position, scene

LARGE, LONG, LATELY = "stalingrad42", 400, 300
MAIL = 400 * 1024  # bytes of a report that goes with a mail
LEAST = 26  # pixels of a counter that is read


@pytest.fixture(scope="module")
def busy() -> Scene:
    """What has happened lately in a long game, as if it were one turn of one side that moves everybody."""
    driver = position(LARGE, LONG)
    made: Scene = find(LARGE).pictures().scene(driver.view(), tuple(driver.happened[-LATELY:]))  # type: ignore[misc]
    assert len(made.arrows) > 100
    assert made.battles
    return made


def test_the_whole_has_bars_and_the_close_level_has_counters(busy: Scene) -> None:
    whole, sheet, close = (map_svg(busy, level=level) for level in LEVELS)
    piece = next(pieces[0] for pieces in busy.stacks.values() if pieces[0].brief)
    assert f">{piece.code}<" not in whole + sheet
    assert f">{piece.brief}<" in sheet
    assert f">{piece.code}<" in close
    assert f">{piece.values}<" in close
    assert len(whole) < len(close) / 2
    assert all("only-" not in drawn for drawn in (whole, sheet, close))


def test_a_page_has_all_levels_of_a_large_map_and_of_others_one(busy: Scene) -> None:
    drawn = page(busy)
    assert all(f'<g class="{name}">' in drawn for name in ("only-whole", "only-sheet", "only-close", "not-whole"))
    small = page(scene("bridgehead", 12))
    assert "only-" not in small


def test_counters_can_be_read_close_up(busy: Scene) -> None:
    """Of four in a hex each is some pixels wide where the map is shown close."""
    least = int(re.search(r"--least:(\d+)px", page(busy)).group(1))  # type: ignore[union-attr]
    wide = int(re.search(r'viewBox="0 0 (\d+) \d+" role="img"', page(busy)).group(1))  # type: ignore[union-attr]
    assert WIDE * FOUR * least * 18 // (100 * 10 * wide) >= LEAST
    assert WIDE * 84 * least // (100 * wide) >= LEAST


def test_a_report_shows_where_it_happened_and_fits_a_mail(busy: Scene) -> None:
    drawn = report_page(TurnSeen("A turn", None, busy, (("Turn.", *(each.text for each in busy.arrows)),)))
    assert len(drawn.encode()) <= MAIL
    shown = drawn.count("<figure>")
    assert 3 <= shown <= MOST_WINDOWS
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(re.findall(r' id="([^"]+)"', drawn))
    assert len(set(re.findall(r' id="(battle[^"]+)"', drawn))) == len(re.findall(r' id="battle', drawn))


def test_windows_begin_where_most_happened_and_see_every_battle(busy: Scene) -> None:
    found = windows(busy)
    few = replace(busy, arrows=(), battles=busy.battles[:3])
    assert all(any(fought.place in cells for cells in windows(few)) for fought in few.battles)
    places = [fought.place for fought in busy.battles] + [each.path[-1] for each in busy.arrows]
    assert sum(place in found[0] for place in places) >= sum(place in found[-1] for place in places)
    assert windows(replace(busy, arrows=(), battles=())) == []
    assert windows(scene("axis1941", 45)) == []


def test_a_window_holds_its_hexes_only(busy: Scene) -> None:
    ground = busy.ground
    assert isinstance(ground, HexGround)
    cells = [cell for cell in ground.map.board.grid if cell in ground.map.board][:12]  # type: ignore[union-attr]
    drawn = window_svg(busy, cells)
    assert all(f">{cell:04d}<" in drawn for cell in cells)
    assert ">2503<" not in drawn
    assert len(drawn) < len(board_svg(busy)) / 8


@pytest.fixture
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A home whose only game shows the large map."""
    seen = type("Seen", (), {"scene": lambda *_, **__: scene(LARGE, 0)})()
    monkeypatch.setattr("pbem.cli.common.open_home", lambda: None)
    monkeypatch.setattr("pbem.home.summary.find", lambda _, name: name)
    monkeypatch.setattr("pbem.home.summary.row", lambda *_: type("Row", (), {"moment": "Turn 1"})())
    monkeypatch.setattr("pbem.home.seen.seen", lambda *_, **__: seen)


@pytest.mark.parametrize(
    "wrong", [["--level", "whole"], ["--svg", "{}", "--window", "4300-4400"], ["--svg", "{}", "--window", "2000"]]
)
@pytest.mark.usefixtures("one_game")
def test_the_command_says_what_a_window_is(wrong: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(board_command, ["game", *(part.format(tmp_path / "x.svg") for part in wrong)])
    assert found.exit_code == 2
    assert "--window" in found.output


@pytest.mark.usefixtures("one_game")
def test_the_command_draws_a_level_and_a_window(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    done = CliRunner().invoke(board_command, ["game", "--svg", str(path), "--level", "sheet", "--window", "1401-1603"])
    assert done.exit_code == 0, done.output
    drawn = path.read_text()
    assert ">1502<" in drawn
    assert ">1505<" not in drawn
