"""What is printed: map, counters, cards and tables, made once from the files in `data`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pbem.game import DataSet, Words
from pbem.kit import Zones, cards_of, folder, hexmap_of, odds_of, table_of

DATA = folder(__file__)
TITLES = {"blue": "Blue", "red": "Red"}
OTHER = {"blue": "red", "red": "blue"}
RESULTS = ("AR", "NE", "DR", "DE")


class Unit(NamedTuple):
    side: str
    strength: int
    move: int
    hex: str


class Chart:
    def __init__(self, data: DataSet) -> None:
        terrain, combat = data["tables"]["tables"]
        rows = dict(zip(terrain["labels"], terrain["rows"], strict=True))
        costs = {name: int(cost) for name, (cost, _) in rows.items()}
        self.map = hexmap_of(data["map"])
        self.board = self.map.board
        assert self.board.grid is not None  # the map is made of hexes
        self.grid = self.board.grid
        self.units = {code: Unit(**unit) for code, unit in data["units"].items()}
        self.cards = cards_of(data["cards"])
        self.odds, self.combat = odds_of(combat), table_of(combat, RESULTS)
        self.shifts = {name: int(shift) for name, (_, shift) in rows.items()}
        # SK-2.2: what each step costs. SK-2.3: a zone of control does not reach across a river without a bridge.
        self.links = self.board.links(
            lambda a, b, side: costs[b.terrain] + (costs["river"] if "river" in side and "bridge" not in side else 0)
        )
        self.zones = Zones(self.board, lambda a, b, side: "river" not in side or "bridge" in side)


PRINTED = Chart(DATA)

# How fields of orders are typed, and what a sentence calls them.
Hex = Annotated[int, Words({cell: f"{cell:04}" for cell in PRINTED.board.places}, noun="hex")]
Code = Annotated[str, Words({code: code for code in PRINTED.units}, noun="unit")]
