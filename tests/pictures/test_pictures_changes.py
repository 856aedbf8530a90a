"""What a report calls changes, and how a game is cut into parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.event import Event
from pbem.kit.scene import Panel, Pictures, Row, TurnSeen
from pbem.pictures.differences import Change, changes
from pbem.pictures.page import report_page
from tests.pictures.scenes import scene


def test_nothing_is_different_from_itself() -> None:
    for name in ("axis1941", "bridgehead", "noretreat"):
        made = scene(name, 12)
        assert changes(made, made) == ()


def test_losses_steps_and_places() -> None:
    before = scene("bridgehead", 0)
    place, pieces = next((place, pieces) for place, pieces in before.stacks.items() if len(pieces) == 2)
    lost, worn = pieces
    town = next(iter(before.control))
    after = replace(
        before,
        stacks={**before.stacks, place: (worn._replace(steps=worn.steps - 1),)},
        control={**before.control, town: "blue" if before.control[town] == "red" else "red"},
    )
    told = changes(before, after)
    side = next(each.name for each in before.sides if each.key == lost.side)
    assert Change(side, f"off the map: {lost.name[:-1]}, {lost.code})") in told
    assert Change(side, f"weaker: {worn.name[:-1]}, {worn.code})") in told
    assert any(each.what.startswith("takes ") for each in told)
    assert len(told) == 3


def test_a_code_with_which_a_name_begins_is_said_once() -> None:
    before = scene("bridgehead", 0)
    place, (first, *rest) = next(each for each in before.stacks.items())
    named = first._replace(name="11 GdT (tank brigade)", code="11GdT")
    full = replace(before, stacks={**before.stacks, place: (named, *rest)})
    gone = replace(before, stacks={**before.stacks, place: tuple(rest)})
    assert [each.what for each in changes(full, gone)] == ["off the map: 11 GdT (tank brigade)"]


def test_units_without_names_are_counted() -> None:
    before = scene("axis1941", 0)
    place = next(place for place, pieces in before.stacks.items() if pieces[0].many > 2)
    first, *rest = before.stacks[place]
    after = replace(before, stacks={**before.stacks, place: (first._replace(many=first.many - 2), *rest)})
    assert [each.what for each in changes(before, after)] == [f"off the map: 2 {first.symbol}"]


def test_cards_that_leave_a_hand_are_named() -> None:
    before = scene("bridgehead", 0)
    hand = Panel("Blue's hand", (Row("Mud: Two zones.", key="c:mud1"), Row("Mud: Two zones.", key="c:mud2")))
    after = replace(before, panels=(hand._replace(rows=hand.rows[:1]),))
    assert changes(replace(before, panels=(hand,)), after) == (Change("Blue's hand", "no longer there: Mud"),)
    assert changes(after, replace(before, panels=(hand,))) == (Change("Blue's hand", "new: Mud"),)


def test_a_report_says_what_is_owed_and_escapes_it() -> None:
    made = scene("bridgehead", 12)
    page = report_page(TurnSeen("A <turn>", made, made, (("He said <b>.",),)), ("You owe <i>",))
    assert "<b>" not in page
    assert "<i>" not in page
    assert "You owe &lt;i&gt;" in page


@dataclass(frozen=True, slots=True, kw_only=True)
class Bell(Event):
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Event):
    pass


PICTURES = Pictures(lambda view, events: scene("bridgehead", 0), begins=(Bell,), shown=(Step,))


@given(st.lists(st.one_of(st.builds(Bell, turn=st.integers(1, 9)), st.builds(Step), st.builds(Event)), max_size=30))
def test_parts_are_the_whole(events: list[Event]) -> None:
    parts = PICTURES.parts(events)
    assert [n for part in parts for n in range(part.first, part.after)] == list(range(len(events)))
    assert all(isinstance(events[part.first], Bell) for part in parts[1:])
    last = PICTURES.last(events)
    assert any(isinstance(each, Step) for each in last) == any(isinstance(each, Step) for each in events)
