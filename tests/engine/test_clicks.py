"""Orders as things to click: in every game each legal order is reached by its clicks, and first steps lead to all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.clicks import Way, endings, index, match, needed, together
from pbem.engine.legal import Legal
from pbem.engine.notation import Click, Notation, Verb, Words, begins
from pbem.engine.order import Order
from pbem.engine.registry import find, names
from pbem.engine.testing import random_game
from pbem.engine.testing.contract import check_first
from pbem.engine.testing.driver import Driver
from pbem.engine.view import View

UNITS = Words({1: "1Pz", 2: "2Pz", 3: "3Inf"}, "unit", "u")
PLACES = Words({number: f"{number:04}" for number in range(1, 9)}, "hex", "p")
VIEW: View[Any] = View(None)


@dataclass(frozen=True, slots=True)
class March(Order, text="march {unit} {way}"):
    unit: Annotated[int, UNITS]
    way: Annotated[tuple[int, ...], PLACES, "-"]


@dataclass(frozen=True, slots=True)
class Attack(Order, text="attack {target} with {units} {shock}"):
    target: Annotated[int, PLACES]
    units: Annotated[tuple[int, ...], UNITS, ","]
    shock: str


@dataclass(frozen=True, slots=True)
class Stop(Order, text="stop"):
    pass


@dataclass(frozen=True, slots=True)
class Raid(Order, text="raid {target} [at {least}] [lead {leader}] [ask]"):
    target: Annotated[int, PLACES]
    least: int = 0
    leader: Annotated[int, UNITS] = 0
    ask: bool = False


RAID: Notation[Any] = Notation(Verb(Raid))
NOTATION: Notation[Any] = Notation(Verb(March), Verb(Attack), Verb(Stop))


def ways(*texts: str) -> tuple[Way, ...]:
    return index(map(NOTATION.read, texts), NOTATION, VIEW)


def test_fields_are_clicked_one_after_another_and_hyphens_are_not() -> None:
    (attack,) = ways("attack 0003 with 1Pz,2Pz -")
    assert attack.clicks == (Click(("p:0003",)), Click(("u:1Pz", "u:2Pz")))
    (shock,) = ways("attack 0003 with 1Pz yes")
    assert shock.clicks == (Click(("p:0003",)), Click(("u:1Pz",)), Click(("w:yes",)))
    assert ways("stop")[0].clicks == ()


def test_parts_that_may_be_left_out_are_clicked_where_they_are_not() -> None:
    (bare,) = index([Raid(2)], RAID, VIEW)
    assert bare.clicks == (Click(("p:0002",)),)
    (full,) = index([Raid(2, 3, 1, ask=True)], RAID, VIEW)
    assert full.clicks == (Click(("p:0002",)), Click(("w:at 3",)), Click(("u:1Pz",)), Click(("w:ask",)))


def test_the_units_of_an_attack_are_clicked_in_any_order() -> None:
    found = ways("attack 0003 with 1Pz,2Pz -", "attack 0003 with 2Pz -", "attack 0003 with 1Pz,2Pz yes", "stop")
    for picks in (("p:0003", "u:1Pz", "u:2Pz"), ("p:0003", "u:2Pz", "u:1Pz")):
        got = match(found, picks)
        assert [way.text for way in got.ready] == ["attack 0003 with 1Pz,2Pz -"]
        assert got.next == {"w:yes": 1}
    one = match(found, ("p:0003", "u:2Pz"))
    assert [way.text for way in one.ready] == ["attack 0003 with 2Pz -"]
    assert one.next == {"u:1Pz": 2}
    assert match(found, ()).verbs == {"attack": 3, "stop": 1}
    assert [way.text for way in match(found, (), "stop").ready] == ["stop"]
    assert match(found, ("u:1Pz",)) == ({}, (), {})


def test_of_a_way_only_the_goal_is_needed() -> None:
    found = ways("march 1Pz 0001-0002-0003", "march 1Pz 0004-0003", "march 1Pz 0003")
    straight = match(found, ("u:1Pz", "p:0003"))
    assert [way.text for way in straight.ready] == [way.text for way in found]
    by = match(found, ("u:1Pz", "p:0001"))
    assert by.next == {"p:0002": 1, "p:0003": 1}
    assert [way.text for way in match(found, ("u:1Pz", "p:0002", "p:0003")).ready] == [found[0].text]


def test_a_way_may_come_back_to_where_it_was() -> None:
    found = ways("march 1Pz 0001-0002-0001")
    assert match(found, ("u:1Pz", "p:0001")).ready == found
    assert match(found, ("u:1Pz", "p:0001")).next == {"p:0001": 1, "p:0002": 1}
    assert match(found, ("u:1Pz", "p:0001", "p:0002")).ready == ()
    assert match(found, ("u:1Pz", "p:0001", "p:0002", "p:0001")).ready == found


def test_a_click_on_a_goal_says_the_order_unless_a_longer_one_begins_so() -> None:
    found = needed(ways("march 1Pz 0001-0002-0003", "march 1Pz 0003", "march 1Pz 0002"))
    ends = endings(found, ("u:1Pz",))
    assert {key: [way.text for way in done] for key, done in ends.items()} == {
        "p:0003": ["march 1Pz 0003", "march 1Pz 0001-0002-0003"],
        "p:0002": ["march 1Pz 0002"],
    }
    attacks = needed(ways("attack 0003 with 1Pz -", "attack 0003 with 1Pz,2Pz -", "attack 0003 with 3Inf -"))
    assert [way.text for way in endings(attacks, ("p:0003",))["u:3Inf"]] == ["attack 0003 with 3Inf -"]
    assert "u:1Pz" not in endings(attacks, ("p:0003",))


def test_clicks_say_orders_that_no_list_has() -> None:
    march, attack, stop = NOTATION.verbs
    assert march.spelled(("u:1Pz", "p:0001", "p:0002")) == NOTATION.read("march 1Pz 0001-0002")
    assert attack.spelled(("p:0003", "u:2Pz", "u:1Pz")) is None, "the shock is still to be said"
    assert attack.spelled(("p:0003", "u:2Pz", "u:1Pz", "w:yes")) == NOTATION.read("attack 0003 with 1Pz,2Pz yes")
    assert march.spelled(("u:1Pz",)) is None
    assert march.spelled(("p:0001", "u:1Pz")) is None
    assert stop.spelled(()) == NOTATION.read("stop")


def test_units_chosen_together_go_where_all_of_them_can() -> None:
    found = ways("march 1Pz 0001", "march 1Pz 0002", "march 2Pz 0002", "march 2Pz 0003", "march 3Inf 0002")
    both = together({"u:1Pz": found, "u:2Pz": found})
    assert {goal: {key: way.text for key, way in each.items()} for goal, each in both.items()} == {
        "p:0002": {"u:1Pz": "march 1Pz 0002", "u:2Pz": "march 2Pz 0002"}
    }
    assert together({}) == {}


def test_legal_orders_are_grouped_by_what_is_clicked_first() -> None:
    texts = ("stop", "march 1Pz 0001", "march 1Pz 0002", "attack 0003 with 1Pz,2Pz -", "march 2Pz 0001")
    orders = [NOTATION.read(text) for text in texts]
    legal = Legal(NOTATION, lambda: VIEW, lambda: iter(orders))
    assert list(legal) == orders == list(legal)
    assert legal.first == ("v:stop", "u:1Pz", "p:0003", "u:2Pz")
    assert list(legal.picked("u:1Pz")) == orders[1:3]
    assert list(legal.picked("u:3Inf")) == []
    assert {kind: legal.keys(kind) for kind in legal.kinds} == {
        type(orders[0]): ("v:stop",),
        type(orders[1]): ("u:1Pz", "u:2Pz"),
        type(orders[3]): ("p:0003",),
    }
    assert legal.named("1p") == legal.named("1PZ") == ("u:1Pz",)
    assert legal.named("4Pz") == ()
    assert list(legal.like(["march", "1p"])) == orders[1:3]


# Bot games of every installed game


def positions(game: Any, seed: str, orders: int, every: int) -> Iterator[tuple[Driver[Any], str]]:
    """Positions of a game between the bots that play best, with somebody who is asked."""
    found: list[tuple[Any, str]] = []
    bots = {seat.name: game.bots[game.best_bot] for seat in game.seats}

    def probe(driver: Driver[Any]) -> None:
        if len(driver.orders) % every == 0:
            found.extend((driver.save(), seat) for seat in driver.asked)

    driver = random_game(game, seed, bots=bots, orders=orders, every=orders + 1, probe=probe)
    for saved, seat in found:
        driver.restore(saved)
        yield driver, seat


@pytest.mark.parametrize("name", names())
def test_every_legal_order_of_a_bot_game_is_reached_by_its_clicks(name: str, seed: str) -> None:
    game, rng = find(name), random.Random(seed)
    for driver, seat in positions(game, seed, 240, 40):
        machine, own = driver.machine, driver.own(seat)
        check_first(machine, seat, own)
        legal, view = machine.legal(seat, own), machine.view((seat,), own)
        found = index(legal, game.notation, view)
        sharing = Counter((way.verb, way.clicks) for way in found)
        assert max(sharing.values()) <= 6, sharing.most_common(1)
        assert len({way.text for way in found}) == len(found)
        for way in rng.sample(found, min(len(found), 12)):
            picks: list[str] = []
            for step in way.clicks:
                keys = list(step.keys)
                rng.shuffle(keys)
                for key in keys:
                    now = match(found, picks, way.verb)
                    assert now.more
                    assert key in now.next, (way.text, picks, key)
                    picks.append(key)
            now = match(found, picks, way.verb)
            assert way in now.ready
            assert len(now.ready) <= 6
            first = picks[0] if picks else f"v:{way.verb}"
            assert way.order in set(legal.picked(first))
            # Where the thing is typed, the other first steps are not listed: nothing gets lost by that.
            typed = " ".join(way.text.split(" ")[:2])[: rng.randint(1, 40)]
            begun = [each.order for each in found if each.text.casefold().startswith(typed.casefold())]
            assert {order for _, order in legal.beginning(typed, game.notation.show)} == set(begun)


@lru_cache
def middle(name: str) -> tuple[Way, ...]:
    """What may be ordered where most can be."""
    game = find(name)
    most: tuple[Way, ...] = ()
    for driver, seat in positions(game, "clicks", 60, 6):
        own = driver.own(seat)
        orders = islice(driver.machine.legal(seat, own), 400)
        most = max(most, index(orders, game.notation, driver.machine.view((seat,), own)), key=len)
    return most


@pytest.mark.parametrize("name", names())
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_random_clicks_never_raise_and_always_lead_somewhere(name: str, data: st.DataObject) -> None:
    found = middle(name)
    picks: list[str] = []
    for _ in range(data.draw(st.integers(0, 6))):
        now = match(found, picks)
        coming = sorted(now.next)
        if coming and data.draw(st.booleans()):
            picks.append(data.draw(st.sampled_from(coming)))
            assert match(found, picks).verbs, picks
        else:
            picks.append(data.draw(st.sampled_from(["", "u:", "p:0000", "x", *coming])))
    now = match(found, picks)
    assert bool(now.next) == now.more
    assert sum(now.verbs.values()) >= len(now.ready)
    chosen = data.draw(
        st.lists(st.sampled_from(sorted({key for way in found for key in begins(way.clicks)})), max_size=3)
    )
    for goal, orders in together(dict.fromkeys(chosen, found)).items():
        assert goal
        assert set(orders) == set(chosen)
