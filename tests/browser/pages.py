"""The pages that the tests open: replays of games that bots play, and of three scenes of each that stay as they are."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.cli.replaying import Playback, page_of
from pbem.cli.verifying import ArchiveFile, judge_items
from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.kit import scene as kit
from pbem.kit.scene import Scene
from pbem.pictures.replayhtml import Facts, replay_page
from pbem.pictures.replaysteps import Step
from pbem.protocol.container import write
from tests.pictures.scenes import scene

FOLDER = Path(__file__).with_name("screens")
GAMES = {"axis1941": 60, "bridgehead": 300, "noretreat": 260, "stargard": 60}  # and how far they are played
SEATS = {"axis1941": {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}}


@lru_cache(maxsize=len(GAMES))
def archived(name: str) -> bytes:
    table = Table(find(name), 2, seed="browser", seats=SEATS.get(name))
    bots = {number: find(name).bots[find(name).best_bot] for number in (0, 1)}
    for _ in range(GAMES[name]):
        if not table.step(bots):
            break
    table.deliver()
    return write(table.archive())


@lru_cache(maxsize=len(GAMES))
def replay(name: str) -> str:
    """As `pbem replay --html` writes it."""
    archive = ArchiveFile(name, held=archived(name))
    verdict = judge_items(archive)
    assert verdict.ok, verdict
    return page_of(Playback(archive), archive, verdict, (), "auto")[0]


def written(folder: Path, name: str) -> Path:
    path = folder / f"{name}.html"
    if not path.exists():
        path.write_text(replay(name), encoding="utf-8", newline="\n")
    return path


# Scenes that no change of the rules moves: only drawing decides what becomes of them.

_KINDS = {kind.__name__: kind for kind in vars(kit).values() if isinstance(kind, type) and hasattr(kind, "_fields")}
_KEPT = ("title", "lines", "stacks", "control", "marks", "arrows", "battles", "panels", "explained", "credits")


def freeze(made: Scene) -> dict[str, Any]:
    return {name: _plain(getattr(made, name)) for name in _KEPT}


def thaw(name: str, plain: dict[str, Any]) -> Scene:
    """On the map of the game as it is."""
    blank = scene(name, 0)
    values = {key: _value(value) for key, value in plain.items()}
    for key in ("stacks", "control"):
        values[key] = {int(place): value for place, value in values[key].items()}
    return Scene(ground=blank.ground, sides=blank.sides, **values)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        defaults = value._field_defaults
        told = value._asdict().items()
        return {"is": type(value).__name__} | {k: _plain(v) for k, v in told if k not in defaults or v != defaults[k]}
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _value(plain: Any) -> Any:
    if isinstance(plain, dict) and "is" in plain:
        kind: type[NamedTuple] = _KINDS[plain["is"]]
        return kind(**{key: _value(each) for key, each in plain.items() if key in kind._fields})
    if isinstance(plain, dict):
        return {key: _value(each) for key, each in plain.items()}
    return tuple(_value(each) for each in plain) if isinstance(plain, list) else plain


def kept_page(name: str) -> str:
    """A page with three steps: opening, middle, end."""
    scenes = [thaw(name, each) for each in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))]
    side = scenes[0].sides[0].key
    steps = [
        Step(each, "", ("What happened, in words.",), side, f"Turn {turn}", turn) for turn, each in enumerate(scenes, 1)
    ]
    facts = Facts(scenes[0].title, "Verified", sound=True, rows=(("Final hash", "5be1" * 16),))
    return replay_page(steps, facts)
