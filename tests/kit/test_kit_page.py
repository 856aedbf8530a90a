"""The guide to the kit: its examples run, one after another, on a small map."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pbem.kit.combat import odds_of, table_of
from pbem.kit.retreat import best

PAGE = Path(__file__).parents[2] / "docs/kit.md"
MAP = {
    "format": 1,
    "name": "Page",
    "provenance": "ours",
    "grid": {"columns": 9, "rows": 9},
    "terrain": {"clear": ".", "woods": "w"},
    "rows": ["...w....."] * 9,
    "hexes": [{"hex": "0405", "marks": ["port"], "values": {"vp": 2}}],
    "sides": [{"feature": "river", "between": ["0405-0505"], "provenance": "source"}],
    "ways": [{"feature": "road", "chains": ["0405-0505"]}, {"feature": "rail", "chains": ["0101-0201-0301"]}],
    "regions": [
        {"key": "ussr", "name": "East", "kind": "country", "hexes": ["0401..0409"]},
        {"key": "edge", "name": "West edge", "kind": "edge", "hexes": ["0101..0109"]},
    ],
    "entries": [{"key": "a", "name": "A", "hexes": ["0101"]}],
}


def test_the_examples_run(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/map.json").write_text(json.dumps(MAP))
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 8
    names = {"__file__": str(tmp_path / "game.py"), "COST": {"clear": 1, "woods": 2}}
    exec(blocks[0], names)
    board = names["board"]
    assert names["chart"].value(405, "vp") == 2
    names |= {
        "enemy": board.mask([707, 909]),
        "own": board.mask([405]),
        "hot": board.mask([708]),
        "in_good_order": board.mask([707]),
        "stations": -1,
        "sources": board.mask([101]),
        "standing": ["a", "b"],
        "coming": ["c"],
        "odds": odds_of({"columns": ["1:3", "1:2", "1:1", "2:1", "3:1"]}),
        "table": table_of(
            {"name": "t", "rule": "T-1", "provenance": "ours", "columns": list("abcde"), "rows": [["A1"] * 5] * 6}
        ),
        "die": 3,
        "modifier": 0,
        "steps_to_supply": {place: board.grid.distance(101, place) for place in board.places},
    }
    for block in blocks[1:]:
        exec(block, names)
    # What the page says comes out.
    assert names["fight"].describe(names["odds"]) == "3 to 4 = 1:2, tanks +1 (S42-9.2): column 1:1"
    assert names["along"].bit_count() == 9
    assert names["entrance"](names["gates"]).rule == "SG-7.1"
    assert 405 in names["chart"].regions["ussr"].places
    assert names["UNITS"].rule == "NR-8.8"
    assert {way.entered for way in best(names["found"], names["ranks"][1:])} == {0}
