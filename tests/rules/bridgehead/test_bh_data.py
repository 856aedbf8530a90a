"""The data files: their schemas, their provenance, and files that players bring."""

from __future__ import annotations

import copy
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pbem_rules.bridgehead.chart as chart_module
from pbem.engine.definition import DataSet
from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.testing import Chance, Driver
from pbem.kit.datafile import read_data_file
from pbem.protocol.errors import Refusal
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.chart import DATA, chart_of, check_data
from pbem_rules.bridgehead.orders import Play

DATA_DIR = Path(chart_module.__file__).parent / "data"


@pytest.mark.parametrize("name", sorted(DATA.files))
def test_files_are_of_their_schema(name):
    raw = (DATA_DIR / f"{name}.toml").read_bytes()
    value = read_data_file(name, raw)
    assert value == DATA[name]
    assert value["provenance"] == "ours"


def test_the_printed_set_is_sound():
    check_data(DATA)
    assert len(DATA.digest) == 32


def changed(name: str, *path: Any, value: Any) -> Any:
    files = copy.deepcopy(dict(DATA.files))
    held = files[name]
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    return DATA.replaced({name: files[name]})


def test_a_file_of_ones_own():
    mine = changed("counters", "types", 0, "faces", 0, "attack", value=5)
    assert game.data_with(mine.files).digest == mine.digest
    assert mine.digest != DATA.digest
    machine = Machine.start(game, game.setup_of("crossing", data=mine))
    assert machine.state.face(0).attack == 5
    assert Machine.start(game, game.setup_of("crossing")).state.face(0).attack == 4


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("map", ("rows", 0), "..w..hw."),
        ("map", ("rows", 0), "..w..hwx."),
        ("map", ("grid", "columns"), 8),
        ("map", ("sides", 0, "between", 0), "0101-0301"),
        ("map", ("sides", 0, "between", 0), "9999-0301"),
        ("map", ("provenance",), "hearsay"),
        ("map", ("areas", 0, "id"), 9003),
        ("map", ("terrain", "bog"), "b"),
        ("counters", ("units", 0, "code"), "B2"),
        ("counters", ("units", 0, "code"), "X1"),
        ("counters", ("units", 0, "type"), "airship"),
        ("counters", ("units",), []),
        ("cards", ("cards", 0, "copies"), 4),
        ("cards", ("cards", 0, "play"), "reaction"),
        ("tables", ("tables", 0, "columns", 1), "1:3"),
        ("tables", ("tables", 0, "columns", 1), "many"),
        ("tables", ("tables", 0, "rows", 0, 0), "XX"),
        ("tables", ("tables", 0, "name"), "fighting"),
        ("tables", ("tables", 2, "rows", 0, 0), "x"),
        ("scenarios", ("scenarios", 0, "key"), "picnic"),
        ("scenarios", ("scenarios", 0, "first"), "green"),
        ("scenarios", ("scenarios", 0, "setup"), {}),
        ("scenarios", ("scenarios", 0, "setup", "0101"), ["B1"]),
        ("scenarios", ("scenarios", 0, "setup", "0302"), ["B1", "R1"]),
        ("scenarios", ("scenarios", 0, "setup", "0302"), ["Z1"]),
        ("scenarios", ("scenarios", 0, "reserves", "blue", "entries"), ["0101", "1010"]),
        ("scenarios", ("scenarios", 0, "reserves", "blue", "units"), ["R11"]),
        ("scenarios", ("scenarios", 0, "objectives"), []),
        ("scenarios", ("scenarios", 0, "objectives", 0, "holder"), "green"),
    ],
)
def test_data_that_contradicts_itself(name, path, value):
    data = changed(name, *path, value=value)
    if path == ("terrain", "bog"):
        data.files["map"]["rows"][0] = "b.w..hw.."
    with pytest.raises(Refusal) as refused:
        game.data_with(data.files)
    assert refused.value.code == "E-DATA"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("map", "format = 1"),
        ("map", "name = 'x'\nprovenance = 'ours'\nformat = 1.5"),
        ("cards", "format = 1\ndeck = 'events'\nprovenance = 'ours'\ncards = []"),
        ("cards", "format = 1\nformat = 1"),
        ("counters", "format = 1979-05-27"),
        ("tables", "\x00"),
        ("scenarios", "[[[["),
        ("map", "Name = 'x'"),
        ("weather", "format = 1"),
        ("coverage", "format = 1\nrules = [{id = 'BH-1', status = 'maybe'}]"),
        ("map", "x = " + "[" * 5000),
    ],
)
def test_files_that_are_not_of_their_schema(kind, text):
    with pytest.raises(Refusal) as refused:
        read_data_file(kind, text.encode())
    assert refused.value.code == "E-DATA"
    assert len(refused.value.sentence) < 2_000


def test_a_file_too_large_or_not_text():
    for raw in (b"#" * 2_000_000, b"\xff\xfe"):
        with pytest.raises(Refusal):
            read_data_file("map", raw)


def test_charts_are_made_once():
    assert chart_of(DATA) is chart_of(DATA)
    assert tomllib.loads((DATA_DIR / "map.toml").read_text()) == DATA["map"]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, held in value.items() for leaf in leaves(held, (*path, key))]
    if isinstance(value, list):
        return [leaf for place, held in enumerate(value) for leaf in leaves(held, (*path, place))]
    return [path]


def refusal_of(files: DataSet) -> Refusal | None:
    try:
        game.data_with(files.files)
    except Refusal as refused:
        return refused
    return None


ODD = (0, -1, 1, 7, 10**18, True, "", "x", "0405", "B1", "blue", "\x1b[2J", "9" * 5000, [], {}, None, b"x", ["0405"])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(DATA.files)), st.data())
def test_no_data_brings_the_game_down(name, data):
    """Whatever a stranger puts into a file: it is refused in words, or the game can be played to its end."""
    path = data.draw(st.sampled_from(leaves(DATA[name])))
    cut = data.draw(st.integers(1, len(path)))
    files = changed(name, *path[:cut], value=data.draw(st.sampled_from(ODD)))
    refused = refusal_of(files)
    if refused is not None:
        assert refused.code == "E-DATA"
        assert refused.sentence.isprintable()
        return
    setup = game.setup_of("crossing", data=files)
    driver = Driver(game, "crossing", chance=Chance("odd"), machine=Machine.start(game, setup))
    choices = Chance("odd/choices")
    for _ in range(120):
        if not driver.asked:
            break
        seat = driver.asked[0]
        orders = list(islice(driver.machine.legal(seat, driver.own(seat)), 60))
        driver.give(seat, orders[choices.below(len(orders))])
    assert game.board(driver.view("blue"))
    driver.machine.digest()


def test_a_map_and_cards_of_the_players_own_are_shown():
    files = {name: copy.deepcopy(DATA[name]) for name in ("map", "cards")}
    town = next(each for each in files["map"]["hexes"] if each.get("name"))
    was, town["name"] = town["name"], "Mitau"
    files["cards"]["cards"][0]["name"] = "Sumpf"
    own = game.data_with(files)
    machine = Machine.start(game, game.setup_of(data=own))
    machine.run(Out())
    scene = machine.game.pictures().scene(machine.view(), ())
    assert "Mitau" in {place.name for place in scene.ground.map.board.places.values()}
    assert scene.ground.map.credits == chart_of(DATA).map.credits
    card, view = next(iter(chart_of(own).cards.cards)), machine.view(("blue",))
    assert machine.game.notation.sentence(Play(0, 100), view) == f"Play {card.name}." == "Play Sumpf."
    assert was not in {place.name for place in scene.ground.map.board.places.values()}
