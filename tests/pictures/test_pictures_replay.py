"""The page of a whole game: its steps, its table of elements, its curves, and what it may not show."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.kit.scene import Luck, Side
from pbem.pictures import theme
from pbem.pictures.picture import ground
from pbem.pictures.replayhtml import (
    BOTTOM,
    COUNTER,
    HIGH,
    LEFT,
    LINED,
    PANELS,
    TOP,
    UNIT,
    WIDE,
    Facts,
    Film,
    changed,
    lines_of,
    luck_chart,
    replay_page,
    strength_chart,
)
from pbem.pictures.replaysteps import Step, nothing_known, steps
from pbem.pictures.svg import Canvas
from tests.bounded import attempts
from tests.pictures.scenes import GAMES, LENGTHS, scene

ROOT = Path(__file__).resolve().parents[2]
FACTS = Facts("A game", "Verified", sound=True, rows=(("Final hash", "ab" * 32),))
BLUE, RED = Side("blue", "Blue", "B", "blue"), Side("red", "Red", "R", "red")


@lru_cache(maxsize=2)
def played(most: int = 160) -> Table:
    table = Table(find("bridgehead"), seed="replay page")
    bots = dict.fromkeys(range(2), find("bridgehead").bots["sensible"])
    for _ in range(most):
        table.step(bots)
    table.deliver()
    return table


@lru_cache(maxsize=8)
def some(name: str, mode: str) -> Table:
    """A game of bots, some turns long."""
    seats = {seat.name: int(seat.side == "axis") for seat in find(name).seats} if name == "axis1941" else None
    table = Table(find(name), 2, mode=mode, seed="looking", seats=seats)
    bots = {number: find(name).bots[find(name).best_bot] for number in (0, 1)}
    for _ in range(40):
        table.step(bots)
    table.deliver()
    return table


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="game">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def markup_of(data: dict[str, Any], number: int) -> str:
    """What the page's script makes of an element."""

    def counter(found: re.Match[str]) -> str:
        return str(data["counters"][int(found[1])].replace("\ue000", found[2]))

    return re.sub("\ue000(\\d+) ([^\ue001]*)\ue001", counter, data["elements"][number])


def held_after(data: dict[str, Any]) -> list[list[list[int]]]:
    """What the page's script makes of the changes: for each step, what each layer holds."""
    now: list[list[int]] = [[] for _ in data["layers"]]
    found = []
    for changes in data["changes"]:
        for layer, gone, come in changes:
            now[layer] = [each for place, each in enumerate(now[layer]) if place not in gone]
            for place, number in zip(come[::2], come[1::2], strict=True):
                now[layer].insert(place, number)
        found.append([list(each) for each in now])
    return found


# Steps


def test_steps_tell_everything_once_and_end_where_the_game_stands() -> None:
    table = played()
    replay = table.peers[0].replay
    made = list(steps(replay))
    pictures = find("bridgehead").pictures()  # type: ignore[misc]
    events = [event for _, accepted in replay.history() for event in accepted.events if event.seen_by(())]
    fought = [event for event in events if isinstance(event, pictures.fights)]
    assert [event for step in made for event in step.fights] == fought
    assert len(fought) > 3
    assert all(len(step.fights) <= 1 for step in made)
    assert made[0].lines == ("The opening position.",)
    told = [line for step in made[1:] for line in step.lines]
    assert told == list(find("bridgehead").tell(events))[: len(told)]
    match = table.peers[0].match
    last = made[-1].scene
    assert last is not None
    assert last.stacks == pictures.scene(match.machine.view(()), ()).stacks


@pytest.mark.parametrize("name", GAMES)
def test_looking_changes_nothing(name: str, seed: str) -> None:
    """Watched, records of many orders are taken one by one: with the same states and events."""
    mode = Random(seed).choice(("strict", "open"))
    replay = some(name, mode).peers[0].replay
    looked: list[int] = []
    plain = [(record.id, accepted.events) for record, accepted in replay.history()]
    watched, states = [], []
    for record, accepted, match in replay.retold(lambda _, out: looked.append(len(out.events))):
        watched.append((record.id, accepted.events))
        states.append(match.state_hash() if match is not None else b"")
    assert watched == plain
    assert states == [match.state_hash() if match is not None else b"" for *_, match in replay.retold()]
    assert len(looked) > len(plain)


@pytest.mark.parametrize("name", ["axis1941", "noretreat"])
def test_what_the_start_brings_about_is_told(name: str) -> None:
    """In mode `open` the first turn begins with the start itself."""
    made = list(steps(some(name, "open").peers[0].replay))
    assert made[0].turn == made[1].turn == 1
    assert made[0].part == made[1].part != ""
    assert made[0].lines == ("The opening position.",)
    assert made[1].lines[0].startswith(made[1].part)


def test_a_seat_is_asked_and_its_steps_are_its_own() -> None:
    made = list(steps(played().peers[0].replay))
    assert {step.side for step in made} == {"", "blue", "red"}
    turns = [step.turn for step in made]
    assert turns == sorted(turns)
    assert turns[0] <= 1 < turns[-1]


def test_a_game_without_pictures_has_text_boards() -> None:
    table = played()
    bare = Replay(lambda _: replace(find("bridgehead"), pictures=None))
    for record in table.peers[0].replay.records():
        bare.accept(record)
    made = list(steps(bare))
    assert all(step.scene is None for step in made)
    assert made[-1].board == find("bridgehead").board(table.peers[0].match.machine.view(()))
    page = replay_page(made, FACTS)
    data = data_of(page)
    assert data["layers"] == ["board"]
    assert '<pre id="board"' in page


def test_what_was_taken_back_is_no_longer_drawn() -> None:
    """The board is as it was, and the arrows of what did not happen are gone."""
    table = Table(find("bridgehead"), seed="taken back 0")
    for _ in attempts(2_000, "nobody is asked"):
        if len(table.records) > 60 and table.peers[0].match.asked(0) and not table.on_the_way:
            break
        table.step()
    peer = table.peers[0]
    before = list(steps(peer.replay))[-1].scene
    vector = [[by, count] for by, count in zip(peer.replay.log.authors, peer.replay.log.vector, strict=True)]
    table.order(0, table.choose(0, find("bridgehead").bots["sensible"], 1))
    table.settle()
    assert list(steps(peer.replay))[-1].scene.arrows  # type: ignore[union-attr]
    asker = 0 if peer.match.asked(0) else 1
    asked = table.send(asker, "takeback", {"to": vector})
    table.deliver()
    table.send(1 - asker, "answer", {"to": asked.id, "yes": True})
    table.settle()
    told = list(steps(peer.replay, told=lambda record: [record.kind] if record.kind == "answer" else []))
    last = told[-1]
    assert last.lines == ("answer",)
    assert last.scene is not None
    assert before is not None
    assert (last.scene.stacks, last.scene.arrows, last.scene.battles) == (before.stacks, before.arrows, before.battles)


# The table of elements


LISTS = st.lists(st.integers(0, 30), unique=True, max_size=20)


@given(LISTS, LISTS)
def test_a_change_leads_from_one_list_to_the_other(before: list[int], after: list[int]) -> None:
    change = changed(0, before, after)
    if change is None:
        assert before == after
        return
    _, gone, come = change
    now = [each for place, each in enumerate(before) if place not in gone]  # type: ignore[operator]
    for place, number in zip(come[::2], come[1::2], strict=True):  # type: ignore[index]
        now.insert(place, number)
    assert now == after


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_are_the_picture(name: str) -> None:
    """Put together again, the layers of every step are what is drawn of its scene."""
    scenes = [scene(name, orders) for orders in (*LENGTHS, *LENGTHS[::-1])]
    page = replay_page([Step(each, "", (), "", "") for each in scenes], FACTS)
    data = data_of(page)
    assert data["changes"][1]
    for made, held in zip(scenes, held_after(data), strict=True):
        canvas = Canvas()
        ground(canvas, made, apart=True)
        drawn = dict(canvas.layers())
        for layer, numbers in zip(data["layers"], held, strict=True):
            if layer != PANELS:
                made_again = [markup_of(data, number) for number in numbers]
                parts = (
                    drawn[layer] if layer not in LINED else [part for each in drawn[layer] for part in lines_of(each)]
                )
                assert made_again == list(dict.fromkeys(parts))
        assert canvas.used <= used_in(page)
    assert set(re.findall(r'href=\\?"#([^"\\]+)', page)) - {"play"} <= set(re.findall(r' id=\\?"([^"\\]+)', page))


def used_in(page: str) -> set[str]:
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    return set(re.findall(r"\.([a-z][\w-]*)\{", style[1]))


def test_lines_of_a_path_are_all_of_it() -> None:
    whole = '<path d="M1 2L3 4M5 6L7 8L9 9" class="h-red"/>'
    assert lines_of(whole) == ['<path d="M1 2L3 4" class="h-red"/>', '<path d="M5 6L7 8L9 9" class="h-red"/>']


@pytest.mark.parametrize("name", GAMES)
def test_a_counter_is_kept_once_wherever_it_stands(name: str) -> None:
    data = data_of(replay_page([Step(scene(name, orders), "", (), "", "") for orders in LENGTHS], FACTS))
    assert len(data["counters"]) == len(set(data["counters"])) > 5
    assert all(each.count("translate(\ue000)") == 1 for each in data["counters"])
    assert not any(COUNTER.search(each) for each in data["elements"])
    assert sum(each.count("\ue000") for each in data["elements"]) > len(data["counters"])


def test_what_stays_is_kept_once() -> None:
    film = Film()
    for _ in range(5):
        film.scene(scene("noretreat", LENGTHS[-1]))
    assert film.changes[1:] == [[]] * 4
    assert len(film.elements) == len(set(film.elements))


def test_classes_of_the_page_are_none_of_the_pictures() -> None:
    folder = ROOT / "pbem" / "pictures"
    markup = (folder / "replay.html").read_text(encoding="utf-8")
    own = {name for names in re.findall(r'class="([^"{]+)"', markup) for name in names.split()}
    assert own
    assert not own & set(theme.LOOK)


# The whole page


def test_the_page_stands_alone() -> None:
    for look in ("auto", "light", "dark"):
        page = replay_page(steps(played().peers[0].replay), FACTS, look)
        assert not re.search(r"(?:src|href)=\\?\"(?!#)|url\((?!#)|@import|https?://", page)
        assert page.count("<script") == 2
        assert "unsafe" not in page
        assert not re.search(r"<[^>]* style=| on[a-z]+=", page)
        assert ("prefers-color-scheme" in page) == (look == "auto")


MAKE = """
import sys
from hashlib import sha256
from tests.pictures.test_pictures_replay import FACTS, played, replay_page, steps
print(sha256(replay_page(steps(played(90).peers[0].replay), FACTS).encode()).hexdigest())
"""


def test_the_same_bytes_under_another_hash_seed() -> None:
    def run(seed: str) -> str:
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
        return subprocess.run(
            [sys.executable, "-c", MAKE], cwd=ROOT, env=environ, check=True, capture_output=True, text=True
        ).stdout

    assert run("3") == run("91")


def secrets_of(choices: tuple[int, int]) -> dict[str, str]:
    """The pages of a game up to where both have chosen in secret; `choices` says which, of all that they may."""
    table = Table(find("bridgehead"), seed="secret")
    table.settle()
    for number, pick in enumerate(choices):
        while table.peers[number].match.asked(number):
            peer = table.peers[number]
            draft = peer.player.draft(peer.match)
            legal = list(draft.legal())
            table.order(number, [legal[pick % len(legal)]])
            table.deliver()
    pages = {"": replay_page(steps(table.peers[0].replay), FACTS)}
    for number, seat in enumerate(("blue", "red")):
        peer = table.peers[number]
        told = steps(peer.replay, eyes=(seat,), known=peer.player.own_values)
        pages[seat] = replay_page(told, FACTS)
    return pages


@settings(max_examples=8, deadline=None)
@given(mine=st.integers(0, 9), one=st.integers(0, 9), other=st.integers(0, 9))
def test_what_others_hide_changes_no_byte(mine: int, one: int, other: int) -> None:
    """Whatever red sealed, blue's page and everybody's are the same."""
    first, second = secrets_of((mine, one)), secrets_of((mine, other))
    assert first["blue"] == second["blue"]
    assert first[""] == second[""]
    assert first["blue"] != first[""]


def test_ones_own_hand_is_on_ones_own_page_only() -> None:
    table = played()
    peer = table.peers[0]
    own = replay_page(steps(peer.replay, eyes=("blue",), known=peer.player.own_values), FACTS)
    public = replay_page(steps(peer.replay, known=nothing_known), FACTS)
    assert "Blue&#39;s hand" in own.replace("\\u0026", "&") or "Blue's hand" in own
    assert "'s hand" not in public
    assert "&#39;s hand" not in public


# Curves


def luck(side: str, got: int, dice: int) -> Luck:
    return Luck(side, got, Fraction(7 * dice, 2), Fraction(35 * dice, 12))


def test_luck_is_told_with_the_width_that_fair_dice_have() -> None:
    made = luck_chart(
        [(), (luck("blue", 6, 1),), (luck("blue", 6, 1), luck("red", 2, 1))], (BLUE, RED), "pips", [1, 1, 2]
    )
    assert made is not None
    _, svg, text = made
    assert (
        "Blue: 12 pips. Fair dice give 7.0 on average, and 2.3 to 11.7 in 95 of 100 games; this is outside them."
        in text
    )
    assert "Red: 2 pips. Fair dice give 3.5 on average, and 0.2 to 6.8 in 95 of 100 games; this is among them." in text
    assert isqrt(int(Fraction(35, 6) * Fraction(196, 100) ** 2 * UNIT**2)) == 473
    assert not re.search(r"\d\.\d", svg.partition("<path")[2])
    assert svg.count('class="curve"') == svg.count('class="band"') == 2


def test_no_dice_no_curve_of_luck() -> None:
    assert luck_chart([(), ()], (BLUE, RED), "pips", [0, 1]) is None


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=1, max_size=40))
def test_curves_stay_in_their_frame(course: list[tuple[int, int]]) -> None:
    numbers = [{"blue": a, "red": b} for a, b in course]
    _, svg, text = strength_chart(numbers, (BLUE, RED), "steps", list(range(len(course))))
    for data in re.findall(r'<path d="M([^"]+)" class="curve"', svg):
        points = [tuple(map(int, point.split())) for point in data.split("L")]
        assert all(LEFT <= x < WIDE and TOP <= y <= HIGH - BOTTOM for x, y in points)
    assert text.startswith(f"Blue from {course[0][0]} to {course[-1][0]}; Red from {course[0][1]} to {course[-1][1]}")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_counts_strength_and_luck(name: str) -> None:
    pictures = find(name).pictures()  # type: ignore[misc]
    assert pictures.fights
    assert pictures.dice is not None
    assert {side.colour for side in pictures.dice.course.sides} <= set(theme.SIDES)
