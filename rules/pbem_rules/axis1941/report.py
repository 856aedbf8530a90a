"""Reports of events, in sentences: one for each event, and a turn told as a report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from itertools import groupby

from pbem.game import Event
from pbem.kit import all_of, many
from pbem_rules.axis1941 import events as e
from pbem_rules.axis1941.names import CHART
from pbem_rules.axis1941.orders import NO_SHIP, SHIP_WORDS
from pbem_rules.axis1941.units import KINDS, NUMBERED, TITLES, Power, ship_of

_PLURAL = {"infantry": "infantry"}


def who(power: str) -> str:
    return TITLES[Power(power)]


def where(place: int) -> str:
    return CHART.name(place)


def some(kind: str, count: int, number: int = 0) -> str:
    """`3 infantry`, `a tank`, `transport 2`."""
    if number:
        return f"{kind} {number}"
    if count == 1:
        return "an infantry" if kind == "infantry" else f"a {kind}"
    return f"{count} {_PLURAL.get(kind, kind + 's')}"


def several(kinds: Iterable[str]) -> str:
    """`2 infantry and a tank`, in the order of the table of units."""
    kinds = list(kinds)
    parts = [some(kind, kinds.count(kind)) for kind in KINDS if kind in kinds]
    return all_of(parts) or "nothing"


def ship(code: int) -> str:
    power, kind, number = ship_of(code)
    return f"{who(power)}'s {kind} {number}"


def _way(path: tuple[int, ...]) -> str:
    by = f" by {', '.join(map(where, path[1:-1]))}" if len(path) > 2 else ""
    return f"from {where(path[0])} to {where(path[-1])}{by}"


@singledispatch
def report(event: Event) -> str:
    """One sentence for one event."""
    raise TypeError(f"no sentence for {type(event).__name__}")


@report.register
def _(event: e.TurnBegan) -> str:
    lost = "" if event.capital else " Its capital is in enemy hands: it buys nothing, and has no income."
    return f"Round {event.round}, {who(event.power)}: {event.ipc} IPC in hand.{lost}"


@report.register
def _(event: e.Bought) -> str:
    if not event.units:
        return f"{who(event.power)} buys nothing and keeps {event.left} IPC."
    return f"{who(event.power)} buys {several(event.units)} for {event.cost} IPC and keeps {event.left}."


@report.register
def _(event: e.SharedSet) -> str:
    may = "may" if event.yes else "may not"
    does = f"land on {who(event.power)}'s carriers" if event.what == "deck" else f"use {who(event.power)}'s transports"
    return f"{who(event.ally)} {may} {does}."


@report.register
def _(event: e.Moved) -> str:
    return f"{who(event.power)} moves {some(event.unit, 1, event.number)} {_way(event.path)}."


@report.register
def _(event: e.Loaded) -> str:
    return (
        f"{who(event.power)} loads {some(event.unit, 1)} in {where(event.start)} onto {ship(event.ship)} "
        f"in {where(event.zone)}."
    )


@report.register
def _(event: e.Landed) -> str:
    does = "is to assault" if event.assault else "lands in"
    return f"{_capital(some(event.unit, 1))} from {ship(event.ship)} {does} {where(event.to)}."


@report.register
def _(event: e.Declared) -> str:
    does = "attacks" if event.attack else "ignores"
    return f"{who(event.power)} {does} the submarines and transports in {where(event.zone)}."


@report.register
def _(event: e.Promised) -> str:
    what = "a new carrier" if event.ship == NO_SHIP else SHIP_WORDS.word(event.ship).split("-", 1)[1].replace("-", " ")
    return f"{who(event.power)} promises {what} in {where(event.zone)} for fighters to land on."


@report.register
def _(event: e.Recalled) -> str:
    return f"{who(event.power)} takes back the moves of this phase."


@report.register
def _(event: e.Captured) -> str:
    if event.liberated:
        return f"{who(event.by)} liberates {where(event.place)} for {who(event.owner)}."
    return f"{who(event.owner)} takes {where(event.place)} from {who(event.before)}."


@report.register
def _(event: e.HandedBack) -> str:
    return f"{who(event.before)} hands {where(event.place)} back to {who(event.owner)}."


@report.register
def _(event: e.Looted) -> str:
    return f"{who(event.by)} takes {event.ipc} IPC from the treasury of {who(event.loser)}."


@report.register
def _(event: e.Destroyed) -> str:
    return f"{who(event.power)} loses {some(event.unit, 1)} in {where(event.place)}."


@report.register
def _(event: e.Mobilised) -> str:
    by = "" if event.place == event.by else f" from {where(event.by)}"
    return f"{who(event.power)} mobilises {some(event.unit, 1)} in {where(event.place)}{by}."


@report.register
def _(event: e.Returned) -> str:
    return f"{who(event.power)} gives {some(event.unit, 1)} back for {event.ipc} IPC."


@report.register
def _(event: e.Collected) -> str:
    return f"{who(event.power)} collects {event.income} IPC and has {event.ipc}."


@report.register
def _(event: e.Finished) -> str:
    side = "The Axis" if event.winner == "axis" else "The Allies"
    verb = "wins" if event.winner == "axis" else "win"
    return f"{side} {verb} in round {event.round}, holding {all_of(event.capitals)}."


@report.register
def _(event: e.BattleBegan) -> str:
    powers = dict.fromkeys(event.powers)
    sides = [
        f"{several(unit for unit, owner in zip(event.defenders, event.powers, strict=True) if owner == power)} "
        f"of {who(power)}"
        for power in powers
    ]
    against = all_of(sides) or "no units"
    return f"Battle of {where(event.place)}: {who(event.power)} with {several(event.attackers)} against {against}."


@report.register
def _(event: e.Volley) -> str:
    who_fires = "attack" if event.attack else "defence"
    what = f"surprise strikes of the {who_fires}" if event.strike else f"the {who_fires} fires"
    groups, at = [], 0
    for unit, value, count in zip(event.units, event.values, event.counts, strict=True):
        dice = " ".join(map(str, event.dice[at : at + count]))
        groups.append(f"{unit} {value}: {dice}")
        at += count
    hits = many(event.hits, "hit")
    return f"{where(event.place)}, round {event.round}, {what} ({'; '.join(groups)}): {hits}."


@report.register
def _(event: e.Lost) -> str:
    if event.damaged:
        return f"A battleship of {who(event.power)} is damaged in {where(event.place)}."
    number = event.number if event.unit in NUMBERED else 0
    return f"{who(event.power)} loses {some(event.unit, 1, number)} in {where(event.place)}."


@report.register
def _(event: e.Missed) -> str:
    return _missed(event.place, event.hits)


def _missed(place: int, hits: int) -> str:
    return f"{many(hits, 'hit')} in {where(place)} {'finds' if hits == 1 else 'find'} nothing that could be lost."


@report.register
def _(event: e.Submerged) -> str:
    return f"A submarine of {who(event.power)} submerges in {where(event.place)}."


@report.register
def _(event: e.FellBack) -> str:
    if event.to == event.place:
        return f"{who(event.power)} breaks off the battle of {where(event.place)}; its aircraft land later."
    return f"{who(event.power)} retreats with {several(event.units)} from {where(event.place)} to {where(event.to)}."


@report.register
def _(event: e.BattleEnded) -> str:
    sides = ((who(event.power), event.attackers), ("the defence", event.defenders))
    left = [f"{side} has {several(units)} left" for side, units in sides if units]
    kept = f" {_capital(all_of(left))}." if left else ""
    rounds = f"After {many(event.rounds, 'round')}, " if event.rounds else ""
    attack = f"{rounds}{who(event.power)}'s attack in {where(event.place)}"
    return f"{e.ENDINGS[event.result].format(attack)}.{kept}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# A report of many events: what is alike stands in one sentence.


def _alike(event: Event) -> object:
    """Events in a row that can be told together have the same value."""
    if isinstance(event, e.Moved) and not event.number:
        return ("moved", event.power, event.path, event.combat)
    if isinstance(event, e.Loaded):
        return ("loaded", event.power, event.start, event.ship, event.zone)
    if isinstance(event, e.Landed):
        return ("landed", event.ship, event.to, event.assault)
    if isinstance(event, e.Lost) and not event.damaged:
        return ("lost", event.power, event.place)
    if isinstance(event, e.Destroyed):
        return ("destroyed", event.power, event.place)
    if isinstance(event, e.Missed):
        return ("missed", event.place)
    if isinstance(event, e.Mobilised):
        return ("mobilised", event.power, event.place, event.by)
    return id(event)


def _together(found: list[Event]) -> str:
    first = found[0]
    if len(found) == 1:
        return report(first)
    if isinstance(first, e.Missed):
        return _missed(first.place, sum(event.hits for event in found if isinstance(event, e.Missed)))
    units = several(str(getattr(event, "unit", "")) for event in found)
    if isinstance(first, e.Moved):
        return f"{who(first.power)} moves {units} {_way(first.path)}."
    if isinstance(first, e.Loaded):
        return (
            f"{who(first.power)} loads {units} in {where(first.start)} onto {ship(first.ship)} in {where(first.zone)}."
        )
    if isinstance(first, e.Landed):
        does = "are to assault" if first.assault else "land in"
        return f"{_capital(units)} from {ship(first.ship)} {does} {where(first.to)}."
    if isinstance(first, e.Mobilised):
        by = "" if first.place == first.by else f" from {where(first.by)}"
        return f"{who(first.power)} mobilises {units} in {where(first.place)}{by}."
    assert isinstance(first, e.Lost | e.Destroyed)
    return f"{who(first.power)} loses {units} in {where(first.place)}."


def story(events: Iterable[Event]) -> tuple[str, ...]:
    """A report of all that happened, a line for each thing that matters."""
    lines = (_together(list(found)) for _, found in groupby(events, key=_alike))
    return tuple(line for line in lines if line)
