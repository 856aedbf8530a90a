"""The scene of a position: the world, who holds what, the units, and what the last power did in its turn."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.game import Event, Orders, View
from pbem.kit import (
    AreaGround,
    Arrow,
    Battle,
    Course,
    Dice,
    Explained,
    Luck,
    Mark,
    Panel,
    Pictures,
    Piece,
    Row,
    Scene,
    Side,
    Spot,
    Strength,
    Throw,
    all_of,
    many,
)
from pbem_rules.axis1941.board import SIGN, head, unit_text
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES, Chart, zone_number
from pbem_rules.axis1941.events import (
    ENDINGS,
    BattleBegan,
    BattleEnded,
    Destroyed,
    FellBack,
    Landed,
    Loaded,
    Lost,
    Missed,
    Moved,
    Submerged,
    TurnBegan,
    Volley,
)
from pbem_rules.axis1941.mobilise import waiting_units
from pbem_rules.axis1941.moving import free
from pbem_rules.axis1941.report import report, several, who
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import (
    AIR,
    DAMAGED,
    KINDS,
    LAND,
    NONE,
    NUMBERED,
    POWERS,
    SIDE,
    TITLES,
    Kind,
    Power,
    Unit,
    ship_of,
)
from pbem_rules.axis1941.victory import goal_lines

COLOURS = {
    Power.USSR: "red",
    Power.GERMANY: "grey",
    Power.UK: "sand",
    Power.JAPAN: "violet",
    Power.USA: "green",
}
SIDES = tuple(Side(str(power), TITLES[power], SIGN[power], COLOURS[power]) for power in POWERS)
ALLIANCES = (Side("axis", "Axis", "A", "grey"), Side("allies", "Allies", "L", "green"))
PHASES = {"combat": True, "noncombat": False}
RESULTS = {  # on the map, where it is not said who attacked
    **{ending: ending for ending in ENDINGS},
    "won": "attack won",
    "lost": "attack beaten",
    "gone": "none left",
    "retreat": "attack broken off",
    "stuck": "no decision",
}


@lru_cache(maxsize=1)
def outlines() -> Mapping[str, Any]:
    """Drawn by tools/worldmap; no part of the rules, and in no digest."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("outlines.json").read_text(encoding="utf-8"))
    return found


def _spots(chart: Chart) -> Mapping[int, Spot]:
    spots = {
        each.place: Spot(
            each.name,
            worth=str(each.value) if each.value else "",
            capital=each.capital,
            works=each.complex,
            neutral=each.owner is None,
        )
        for each in chart.territories
    }
    spots.update({place: Spot(str(zone_number(place)), sea=True) for place in range(FIRST_ZONE, PLACES)})
    return spots


def pieces_at(s: State, place: int, combat: bool | None = None) -> tuple[Piece, ...]:
    """The chips of a place: units that orders do not tell apart are one, troops lie behind their transport.

    `combat`: which phase of movement it is; None: none, so that nobody is told apart by whether they may still move.
    """
    found: list[Piece] = []
    for power in POWERS:
        for kind in KINDS:
            groups: dict[tuple[int, bool], list[Unit]] = {}
            for number in s.here(place, power=power, kind=kind):
                unit = s.units[number]
                if not (kind in LAND and unit.aboard != NONE):
                    groups.setdefault((number if kind in NUMBERED else 0, bool(unit.did & DAMAGED)), []).append(unit)
            for (ship, hurt), units in sorted(groups.items()):
                marks = (*((str(units[0].number),) if ship else ()), *(("damaged",) if hurt else ()))
                # Orders do not say whether the ship that they mean is damaged: the whole ones hold the key.
                found.append(_chip(s, units, marks, combat, keyed=not hurt or (0, False) not in groups))
                cargo: dict[str, list[Unit]] = {}
                for each in s.cargo(ship) if kind is Kind.TRANSPORT else ():
                    cargo.setdefault(s.key(s.units[each]), []).append(s.units[each])
                found += [_chip(s, troops, ("aboard",), combat) for troops in cargo.values()]
    return tuple(found)


def _chip(s: State, units: list[Unit], marks: tuple[str, ...], combat: bool | None, *, keyed: bool = True) -> Piece:
    first, able = units[0], None
    if combat is not None:
        laden = first.kind in LAND and first.aboard != NONE
        able = sum(unit.target == NONE if laden else free(unit, combat) for unit in units if unit.power is s.active)
    return Piece(
        str(first.power),
        str(first.kind),
        name=str(first.kind),
        many=len(units),
        marks=marks,
        key=s.key(first) if keyed else "",
        able=able,
    )


def _arrows(s: State, events: tuple[Event, ...]) -> tuple[Arrow, ...]:
    ways: Counter[tuple[str, str, tuple[int, ...]]] = Counter()
    units: dict[tuple[str, str, tuple[int, ...]], Counter[str]] = {}
    for event in events:
        if isinstance(event, Moved):
            flies = event.unit in AIR
            way, what = (
                ("flight" if flies else "move", event.power, _flown(event.path) if flies else event.path),
                event.unit,
            )
        elif isinstance(event, Loaded):
            way, what = ("move", event.power, (event.start, event.zone)), event.unit
        elif isinstance(event, Landed):
            start = _beside(s, event.to, event.ship)
            way, what = ("advance" if event.assault else "move", event.power, (start, event.to)), event.unit
        elif isinstance(event, FellBack) and event.to != event.place:
            way, what = ("retreat", event.power, (event.place, event.to)), "units"
        else:
            continue
        ways[way] += 1
        units.setdefault(way, Counter())[what] += 1
    name = s.chart.name
    found = []
    for (kind, power, path), count in ways.items():
        what = ", ".join(f"{n} {unit}" for unit, n in units[kind, power, path].items())
        found.append(Arrow(kind, power, path, count, f"{what}: {name(path[0])} to {name(path[-1])}"))
    return tuple(found)


def _flown(path: tuple[int, ...]) -> tuple[int, ...]:
    """Aircraft are drawn as the crow flies."""
    return (path[0], path[-1])


def _beside(s: State, land: int, code: int) -> int:
    """The zone of the ship that put somebody ashore; one that was sunk since lay in one beside it."""
    power, kind, number = ship_of(code)
    near = [place for place in s.chart.near[land] if place >= FIRST_ZONE]
    ships = (unit for unit in s.units.values() if unit.kind is kind and unit.number == number and unit.power is power)
    return next((unit.place for unit in ships if unit.place in near), near[0])


@dataclass
class _Course:
    """What has happened in a battle so far. `start` is None where only its later rounds are known."""

    start: BattleBegan | None = None
    volleys: list[Volley] = field(default_factory=list)
    lost: dict[str, list[str]] = field(default_factory=dict)
    hurt: Counter[str] = field(default_factory=Counter)  # battleships that took a first hit, by power
    taken: Counter[bool] = field(
        default_factory=Counter
    )  # hits of the attack (True) and of the defence that are done with
    missed: int = 0
    dived: Counter[str] = field(default_factory=Counter)  # submarines, by power
    fled: FellBack | None = None

    def add(self, event: Event) -> None:
        """Anything that happens in its place."""
        if isinstance(event, Volley):
            self.volleys.append(event)
        elif isinstance(event, Lost):
            self.taken[event.power != self.power] += 1
            if event.damaged:
                self.hurt[event.power] += 1
            else:
                self.lost.setdefault(event.power, []).append(event.unit)
        elif isinstance(event, Missed):
            self.taken[event.power != self.power] += event.hits
            self.missed += event.hits
        elif isinstance(event, Destroyed):
            self.lost.setdefault(event.power, []).append(event.unit)
        elif isinstance(event, Submerged):
            self.dived[event.power] += 1
        elif isinstance(event, FellBack):
            self.fled = event

    @property
    def power(self) -> str:
        """The attacker."""
        return self.start.power if self.start else self.volleys[0].power if self.volleys else ""

    def losses(self, over: bool) -> Iterator[str]:
        """What each side paid for its hits; a battleship is repaired when the battle is over (AA-6.34)."""
        for power, units in self.lost.items():
            sunk = units.count(Kind.BATTLESHIP)
            yield f"{who(power)} loses {several(units)}{' (2 hits for each battleship)' if sunk else ''}."
        for power, count in self.hurt.items():
            whole = count - self.lost.get(power, []).count(Kind.BATTLESHIP)
            if whole:
                is_ = "is" if whole == 1 else "are"
                now = f"was damaged, and {is_} repaired now" if whole == 1 else f"were damaged, and {is_} repaired now"
                ships = several([Kind.BATTLESHIP] * whole)
                yield f"{ships[0].upper()}{ships[1:]} of {who(power)} {now if over else f'{is_} damaged'}."
        for power, count in self.dived.items():
            yield f"{who(power)} submerges {several([Kind.SUBMARINE] * count)}."
        if self.missed:
            yield f"{many(self.missed, 'hit')} found nothing that could be lost."

    def stands(self) -> Iterator[str]:
        """How a battle stands that goes on."""
        left = self._left()
        for attack in (True, False):
            open_ = sum(each.hits for each in self.volleys if each.attack is attack) - self.taken[attack]
            due = min(open_, self._strength(left[not attack], own=not attack)) if left else open_
            if due > 0:
                stays = "" if attack else ": what is hit stays on the map until the round is over"
                yield f"{'The defence' if attack else who(self.power)} still has to take {many(due, 'hit')}{stays}."
            if open_ > due:
                yield f"{many(open_ - due, 'hit')} found nothing that could be lost."
        if left:
            yield f"Left: {several(left[True].elements())} against {several(left[False].elements())}."

    def _left(self) -> dict[bool, Counter[str]]:
        """What is left of the attacker (True) and of the defence; nothing where the beginning is not known."""
        if not self.start:
            return {}
        gone = {own: Counter[str]() for own in (True, False)}
        for power, units in self.lost.items():
            gone[power == self.power].update(units)
        for power, count in self.dived.items():
            gone[power == self.power][Kind.SUBMARINE] += count
        if self.fled:
            gone[True].update(self.fled.units)
        return {
            True: Counter(self.start.attackers) - gone[True],
            False: Counter(self.start.defenders) - gone[False],
        }

    def _strength(self, units: Counter[str], *, own: bool) -> int:
        """The hits that these can still take: two for a battleship without damage (AA-6.33)."""
        hurt = sum(
            count - self.lost.get(power, []).count(Kind.BATTLESHIP)
            for power, count in self.hurt.items()
            if (power == self.power) is own
        )
        return units.total() + units[Kind.BATTLESHIP] - hurt


def _battles(s: State, events: tuple[Event, ...]) -> tuple[Battle, ...]:
    going_on: dict[int, _Course] = {}
    found: list[Battle] = []
    for event in events:
        if isinstance(event, BattleBegan):
            going_on[event.place] = _Course(event)
        elif isinstance(event, BattleEnded):
            found.append(_battle(s, event, going_on.pop(event.place, _Course())))
        elif isinstance(event, Volley):
            going_on.setdefault(event.place, _Course()).add(event)
        elif isinstance(event, Lost | Missed | Destroyed | Submerged | FellBack) and event.place in going_on:
            going_on[event.place].add(event)
    return (*found, *(_battle(s, None, each) for each in going_on.values() if each.volleys))


def _battle(s: State, ended: BattleEnded | None, course: _Course) -> Battle:
    """A battle that has ended, or one that goes on, in a few sentences."""
    start, volleys = course.start, course.volleys
    place, power = next((each.place, each.power) for each in (ended, start, *volleys) if each)
    against = f" against {several(start.defenders)} of {all_of(_powers(start))}" if start else ""
    by = f" with {several(start.attackers)}" if start else ""
    parts = [f"{s.chart.name(place)}: {who(power)} attacks{by}{against}."]
    throws = tuple(_throw(each, start) for each in volleys)
    if volleys:
        mine, theirs = (sum(sum(t.hits) for t in throws if (t.side == power) == own) for own in (True, False))
        parts.append(f"{_rounds(ended, start, volleys)}, hits {mine} to {theirs}.")
    parts += course.losses(over=ended is not None)
    parts += [_end(ended, course.fled)] if ended else course.stands()
    odds = f"{len(start.attackers)} v {len(start.defenders)}" if start else ""
    result = RESULTS.get(ended.result, ended.result) if ended else ""
    return Battle(place, power, odds, (), result, " ".join(parts), throws)


def _end(ended: BattleEnded, fled: FellBack | None) -> str:
    """How it ended, and who is left."""
    left = [f"{who(ended.power)} has {several(ended.attackers)} left"] if ended.attackers else []
    left += [f"the defence has {several(ended.defenders)} left"] if ended.defenders else []
    back = f" {report(fled)}" if fled else ""
    return f"{ENDINGS[ended.result].format('The attack')}{f': {all_of(left)}' if left else ''}.{back}"


def _rounds(ended: BattleEnded | None, start: BattleBegan | None, volleys: Sequence[Volley]) -> str:
    first, last = 1 if start else volleys[0].round, volleys[-1].round
    if start and ended:
        return many(ended.rounds, "round")
    return f"Round {first}" if first == last else f"Rounds {first} to {last}"


def _powers(start: BattleBegan) -> list[str]:
    return [who(power) for power in dict.fromkeys(start.powers)] or ["nobody"]


def _throw(event: Volley, began: BattleBegan | None) -> Throw:
    """The dice of a volley, each with whether it has hit."""
    limits = [value for value, count in zip(event.values, event.counts, strict=True) for _ in range(count)]
    shots = (
        f"{count} {unit if count == 1 or unit == 'infantry' else f'{unit}s'} at {value}"
        for unit, value, count in zip(event.units, event.values, event.counts, strict=True)
    )
    side = event.power if event.attack else next(iter(began.powers), "") if began else ""
    hits = tuple(die <= limit for die, limit in zip(event.dice, limits, strict=True))
    who = "attack" if event.attack else "defence"
    strike = ", surprise strike" if event.strike else ""
    return Throw(side, event.dice, hits, f"Round {event.round}, {who}{strike}: {', '.join(shots)}")


def _panels(s: State, *, placing: bool) -> tuple[Panel, ...]:
    """`placing`: what was bought is placed now, and costs nothing any more."""
    rows = []
    for power in POWERS:
        lost = ", capital lost" if s.capital_lost(power) else ""
        units = Counter(unit.kind for unit in s.units.values() if unit.power is power)
        pieces = tuple(Piece(str(power), str(kind), many=units[kind], name=str(kind)) for kind in KINDS if units[kind])
        rows.append(
            Panel(
                TITLES[power],
                (Row(f"IPC: {s.production(power)} a round, {s.ipc[power]} in hand{lost}"), Row("", pieces)),
                str(power),
            )
        )
    waiting = waiting_units(s) if placing else {}
    kinds = tuple(
        Row(
            f"{kind}, {f'{waiting[kind]} to be placed' if kind in waiting else unit_text(s, kind)}",
            key=f"w:{kind}",
            able=waiting.get(kind),
        )
        for kind in KINDS
    )
    return (*rows, Panel("Units", kinds))


def scene(view: View[State], events: tuple[Event, ...]) -> Scene:
    s = view.state
    battles = _battles(s, events)
    combat = PHASES.get(view.need.kind) if isinstance(view.need, Orders) else None
    return Scene(
        title="Axis & Allies 1941",
        ground=AreaGround(outlines(), _spots(s.chart), dict(enumerate(s.chart.near))),
        sides=SIDES,
        lines=(head(s), *goal_lines(s)),
        stacks={place: pieces for place in range(PLACES) if (pieces := pieces_at(s, place, combat))},
        control={place: str(power) for place, power in s.control.items()},
        marks=tuple(Mark(each.place, "battle", each.text) for each in battles),
        arrows=_arrows(s, events),
        battles=battles,
        panels=_panels(s, placing=isinstance(view.need, Orders) and view.need.kind == "mobilise"),
        explained=(
            Explained("advance", "landing"),
            Explained("retreat", "fell back"),
            Explained("aboard", "aboard the transport before it"),
            Explained("number", "number of the ship in orders"),
            Explained("odds", "units of the attack and of the defence"),
            *(Explained(word, ENDINGS[ending].format("The attack")) for ending, word in RESULTS.items()),
        ),
        credits=tuple(outlines()["credits"]),
        keys={place: f"p:{word}" for place, word in enumerate(s.chart.words)},
    )


def name(event: Event) -> str:
    return f"Round {event.round}, {TITLES[Power(event.power)]}" if isinstance(event, TurnBegan) else ""


def luck(event: Event) -> tuple[Luck, ...]:
    """Hits, and those that the units' values promise."""
    if not isinstance(event, Volley):
        return ()
    shots = list(zip(event.values, event.counts, strict=True))
    mean = sum((Fraction(value * many, 6) for value, many in shots), Fraction(0))
    variance = sum((Fraction(value * (6 - value) * many, 36) for value, many in shots), Fraction(0))
    attacker = str(SIDE[Power(event.power)])
    side = attacker if event.attack else next(each.key for each in ALLIANCES if each.key != attacker)
    return (Luck(side, event.hits, mean, variance),)


def strength(view: View[State]) -> Mapping[str, int]:
    """What the units of each power are worth."""
    found = {str(power): 0 for power in POWERS}
    for unit in view.state.units.values():
        found[str(unit.power)] += view.state.chart.stats[unit.kind].cost
    return found


pictures = Pictures(
    scene,
    begins=(TurnBegan,),
    shown=(Moved, BattleEnded),
    turn="round",
    name=name,
    fights=(BattleEnded,),
    inside=(Volley, Lost, Missed),
    dice=Dice(Course("hits", ALLIANCES), luck),
    strength=Strength(Course("IPC in units", SIDES), strength),
)
