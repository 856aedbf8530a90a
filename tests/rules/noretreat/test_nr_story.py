"""A turn told in few lines."""

from __future__ import annotations

import copy

from pbem.engine.event import Event
from pbem.engine.registry import find
from pbem.engine.testing.play import random_game
from pbem_rules.noretreat import events as e
from pbem_rules.noretreat import story as told
from pbem_rules.noretreat.chart import DATA, chart_of


def story(events: list[Event]) -> tuple[str, ...]:
    return told.story(chart_of(DATA), events)


def moved(unit: str, *path: int, stopped: bool = False) -> e.Moved:
    return e.Moved(unit=unit, path=path, cost=len(path), stopped=stopped)


def test_units_and_towns_have_names() -> None:
    assert story([moved("4Pz", 807, 907, 1007, stopped=True)]) == (
        "4th Panzer Army (4Pz) moves from Shavli (0807) to Dvinsk (1007) by 0907, stopped by an enemy zone.",
    )
    assert story([e.Retreated(unit="NW", path=(905, 1005))]) == (
        "Northwest Front (NW) retreats from Riga (0905) to 1005.",
    )


def test_what_is_alike_is_told_together() -> None:
    drops = [e.Dropped(side="axis", cards=(card,)) for card in (13, 39)]
    draws = [e.Drew(side="soviet", count=1), e.Drew(side="soviet", count=3)]
    marks = [e.Targeted(side="axis", hex=place) for place in (905, 1009)]
    assert story([*drops, *draws, *marks]) == (
        "The Axis discards 13 Summer campaign and 39 Operational manoeuvre.",
        "The Soviets draw 4 cards.",
        "The Axis marks Riga (0905) and 1009 as targets.",
    )
    assert story([drops[0], draws[0], drops[1]]) == (
        "The Axis discards 13 Summer campaign.",
        "The Soviets draw 1 card.",
        "The Axis discards 39 Operational manoeuvre.",
    )


def test_a_card_is_told_with_what_it_does() -> None:
    drawn, played = (e.Played(side="axis", card=card, title=title, targets=on) for card, title, on in (
        (20, "Crusade", ()), (17, "Recon in force", ("2209",)),
    ))  # fmt: skip
    (shown,), (told_of,) = story([drawn]), story([played])
    assert shown == (
        "The Axis shows card 20, Crusade: “Happens when drawn; no other card is drawn. Deck and discards are shuffled "
        "together.”"
    )
    text = chart_of(DATA).card_event("axis", 17).text
    assert told_of == f"The Axis plays card 17, Recon in force (2209): “{text}”"


def test_a_last_step_and_where_it_goes() -> None:
    lost = e.StepLost(unit="NW", hex=905, left=0)
    gone = e.Boxed(unit="NW", hex=905, box="Destroyed", why="its last step is lost")
    assert story([lost, gone]) == ("Northwest Front (NW) loses its last step: Destroyed.",)
    assert story([lost]) == ("Northwest Front (NW) loses its last step.",)
    assert story([lost, moved("4Pz", 807, 907)])[0] == "Northwest Front (NW) loses its last step."
    assert story([e.StepLost(unit="NW", hex=905, left=1)]) == ("Northwest Front (NW) loses a step.",)
    zone, gone_back = (
        "because its retreat enters an enemy zone of control",
        e.StepLost(unit="NW", hex=905, left=0, rule="NR-9.45"),
    )
    assert story([gone_back, gone]) == (f"Northwest Front (NW) loses its last step {zone}: Destroyed.",)
    left = e.StepLost(unit="NW", hex=905, left=1, rule="NR-9.45")
    assert story([left]) == (f"Northwest Front (NW) loses a step {zone}.",)


def test_everything_that_happens_can_be_told() -> None:
    """No line is empty, and nothing that `report` tells is left out but what is told together."""
    game = find("noretreat")
    driver = random_game(game, "story", orders=120, every=1_000_000)
    told = story(driver.happened)
    assert all(told)
    assert len(told) > 20
    each = [line for event in driver.happened for line in story([event])]
    assert len(each) >= len(told)
    assert {line for event in driver.happened if isinstance(event, e.Fought) for line in story([event])} <= set(told)


def test_places_and_cards_of_the_players_own_are_told_by_their_names() -> None:
    game = find("noretreat")
    files = {name: copy.deepcopy(DATA[name]) for name in ("places", "cards", "map")}
    for place in files["map"]["hexes"]:
        if place.get("name") == "Shavli":
            place["name"] = "Schaulen"
    for point in files["places"]["places"]:
        if point["name"] == "Shavli":
            point["name"] = "Schaulen"
    files["cards"]["cards"][12]["events"]["axis"]["name"] = "Sommer"
    own = game.on(game.data_with(files))
    told = e.Retreated(unit="NW", path=(807, 907)), e.Dropped(side="axis", cards=(13,))
    assert own.tell(told) == (
        "Northwest Front (NW) retreats from Schaulen (0807) to 0907.",
        "The Axis discards 13 Sommer.",
    )
    assert "Shavli (0807)" in game.tell(told)[0]
