"""The pages that the tests open: replays of whole games of every kind, boards and reports."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pbem.cli.archivefile import ArchiveFile
from pbem.cli.audit import judge_items
from pbem.cli.replay import Playback
from pbem.cli.replaypage import page_of

ROOT = Path(__file__).resolve().parents[2]
ARCHIVES = {
    "axis1941": ROOT / "examples/axis1941/game.pbem",
    "bridgehead": ROOT / "tests/rules/bridgehead/archives/behaviour-1.pbem",
    "noretreat": ROOT / "examples/noretreat/barbarossa.pbem",
}


@lru_cache(maxsize=len(ARCHIVES))
def replay(name: str, look: str = "auto") -> str:
    """As `pbem replay --html` writes it."""
    archive = ArchiveFile(name, path=str(ARCHIVES[name]))
    document = judge_items(archive)
    assert document["ok"], document
    return page_of(Playback(archive), archive, document, (), look)[0]


def written(folder: Path, name: str) -> Path:
    path = folder / f"{name}.html"
    if not path.exists():
        path.write_text(replay(name), encoding="utf-8", newline="\n")
    return path
