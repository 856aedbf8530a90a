"""Counters, places, turn track and starts as printed, and how they are read from their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.kit import Board, Features, TurnTrack, text_of, turns_of

AXIS, SOVIET = "axis", "soviet"
SIDES = (AXIS, SOVIET)
LAST_TURN = 28


class Face(NamedTuple):
    """One side of a counter."""

    name: str
    strength: int
    move: int
    traits: Features

    @property
    def zone(self) -> bool:
        """Has it a zone of control: is its strength without brackets? (NR-1.1)"""
        return "fortified" not in self.traits and self.strength > 0

    @property
    def white(self) -> bool:
        """May it not attack of its own accord? (NR-1.1)"""
        return "white" in self.traits


class Unit(NamedTuple):
    number: int
    code: str
    side: str
    nation: str
    faces: tuple[Face, Face]  # weak, strong; the same one twice if it has only one
    two_faced: bool
    by: str  # how it comes: start, turn, gg, ploesti, warsaw, option
    turn: int
    leaves: int  # the turn in which it is withdrawn
    home: str  # the city that it belongs to

    @property
    def key(self) -> str:
        """Its key for clicks, in orders and on the board."""
        return f"u:{self.code}"

    def face(self, strong: bool) -> Face:
        return self.faces[strong]

    @property
    def better(self) -> Face:
        return self.faces[1]

    @property
    def german(self) -> bool:
        return self.nation == "german"

    @property
    def cadre(self) -> bool:
        return "cadre" in self.faces[0].traits

    @property
    def volkssturm(self) -> bool:
        return "volkssturm" in self.faces[0].traits

    @property
    def ally(self) -> bool:
        """Of a minor ally of the Axis (NR-1.2)."""
        return self.side == AXIS and self.nation != "german"


class Point(NamedTuple):
    """A place that counts for victory."""

    place: int
    name: str
    kind: str
    objective: str  # the side whose objective it is
    reich: bool  # in Greater Germany
    held: str


class Start(NamedTuple):
    place: int
    strong: bool


class Plan(NamedTuple):
    """One scenario."""

    key: str
    title: str
    text: str
    first: int  # the turn it begins with
    last: int
    pieces: Mapping[int, Start]  # units on the map and in boxes
    holders: Mapping[int, str]  # places that are not held by whose country they are in
    event_vp: int
    high_tide: int
    hands: Mapping[str, int]  # cards dealt before the first turn
    border_only: bool  # in its first turn the Axis may attack only hexes at the border (NR-3.13)
    triggers: Mapping[str, int]  # what has happened before -> the turn in which it did
    win: int  # VP with which the Axis wins at the end; 0: as in the campaign


def _face(item: Mapping[str, Any], name: str) -> Face:
    strength, move = int(item["strength"]), int(item["move"])
    if not (0 <= strength <= 20 and 0 <= move <= 12):
        raise ValueError(f"units: strength or movement of {name} is out of bounds")
    return Face(name, strength, move, frozenset(str(trait) for trait in item["traits"]))


def units_of(data: Mapping[str, Any]) -> tuple[Unit, ...]:
    units = []
    for number, item in enumerate(data["units"]):
        name, entry = text_of(item["name"]), item["entry"]
        strong = _face(item["strong"], text_of(item.get("strong_name", name))) if "strong" in item else None
        weak = _face(item["weak"], name) if "weak" in item else None
        if strong is None and weak is None:
            raise ValueError(f"units: {name} has no side")
        first, second = weak or strong, strong or weak
        assert first is not None
        assert second is not None
        units.append(
            Unit(
                number=number,
                code=text_of(item["code"]),
                side=str(item["side"]),
                nation=str(item["nation"]),
                faces=(first, second),
                two_faced=strong is not None and weak is not None,
                by=str(entry["by"]),
                turn=int(entry.get("turn", 0)),
                leaves=int(entry.get("leaves", 0)),
                home=str(entry.get("home", "")),
            )
        )
    return tuple(units)


def place_named(board: Board, name: str) -> int:
    place = board.place_named(name)
    if place is None:
        raise ValueError(f"map: there is no {name}")
    return place


def points_of(data: Mapping[str, Any], board: Board) -> dict[int, Point]:
    found = {}
    for item in data["places"]:
        name = text_of(item["name"])
        place = place_named(board, str(item.get("at", name)))
        found[place] = Point(
            place, name, str(item["kind"]), str(item.get("objective", "")), bool(item.get("reich")), str(item["held"])
        )
    return found


def track_of(data: Mapping[str, Any]) -> TurnTrack:
    """The turn track: weather and its other side, the mark `red`, and as values markers and the numbers of skulls."""
    track = turns_of(data)
    if [turn.number for turn in track] != list(range(1, LAST_TURN + 1)):
        raise ValueError(f"turns: there are {LAST_TURN}, from 1 on")
    for turn in track:
        if not 1 <= len(turn.weather) <= 2 or not set(turn.weather) <= {"clear", "mud", "snow"}:
            raise ValueError(f"turns: the weather of turn {turn.number} is clear, mud or snow, or one of two of them")
        if any(not 0 <= turn.values.get(key, -1) <= 20 for key in ("blitz", "shock", "targets")):
            raise ValueError(f"turns: blitz, shock and targets of turn {turn.number} are 0 to 20")
    return track


BOXES = {"shattered": 9901, "destroyed": 9902, "captured": 9903, "cadres": 9905, "ready": 9907, "out": 0}


def _where(board: Board, text: str) -> int:
    return BOXES[text] if text in BOXES else place_named(board, text.replace("_", " "))


def plan_of(item: Mapping[str, Any], board: Board, units: tuple[Unit, ...], by_code: Mapping[str, int]) -> Plan:
    pieces: dict[int, Start] = {}
    try:
        for where, codes in item["setup"].items():
            place = _where(board, str(where))
            for code in codes:
                bare = str(code).rstrip("+-")
                unit = units[by_code[bare]]
                # An Axis unit begins with its front up, a Soviet one with its brown side, unless it is said.
                strong = code.endswith("+") or (unit.side == AXIS and not code.endswith("-"))
                if unit.number in pieces:
                    raise ValueError(f"starts: {bare} stands twice in {item['key']}")
                pieces[unit.number] = Start(place, strong)
        holders = {place_named(board, str(name)): str(side) for side, names in item["held"].items() for name in names}
    except KeyError as missing:
        raise ValueError(f"starts: there is no {missing} in {item['key']}") from None
    return Plan(
        key=str(item["key"]),
        title=text_of(item["title"]),
        text=text_of(item["text"]),
        first=int(item["first"]),
        last=int(item["last"]),
        pieces=pieces,
        holders=holders,
        event_vp=int(item.get("event_vp", 0)),
        high_tide=int(item.get("high_tide", 0)),
        hands={str(side): int(count) for side, count in item["hands"].items()},
        border_only=bool(item.get("border_only")),
        triggers={str(key): int(turn) for key, turn in item.get("triggers", {}).items()},
        win=int(item.get("win", 0)),
    )
