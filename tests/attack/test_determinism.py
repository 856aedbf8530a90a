"""One archive, other circumstances: the same states, draws, verdict and bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from victim import archive

from pbem.protocol.container import write

HERE = Path(__file__).parent
CIRCUMSTANCES = {
    "hash seed 0": {"PYTHONHASHSEED": "0"},
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed 4242": {"PYTHONHASHSEED": "4242"},
    "msgpack in Python": {"PYTHONHASHSEED": "7", "MSGPACK_PUREPYTHON": "1"},
    "Turkish, Chatham": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Chatham", "PYTHONUTF8": "0"},
    "C, optimised": {"LC_ALL": "C", "TZ": "UTC", "PYTHONOPTIMIZE": "2", "COLUMNS": "40"},
}


def told(path: Path, changes: dict[str, str], folder: Path) -> dict[str, object]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, HERE / "retell.py", path],
        env={**environment, **changes},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_same_whatever_the_circumstances(tmp_path):
    path = tmp_path / "game.pbem"
    path.write_bytes(write(archive()))
    with ThreadPoolExecutor(2) as pool:
        stories = dict(
            zip(CIRCUMSTANCES, pool.map(lambda each: told(path, each, tmp_path), CIRCUMSTANCES.values()), strict=True)
        )
    packers = {name: story.pop("packer") for name, story in stories.items()}
    assert packers["msgpack in Python"] == "msgpack.fallback"
    assert packers["hash seed 0"] != "msgpack.fallback"
    first = stories["hash seed 0"]
    assert first["made"]
    assert first["again"]
    for name, story in stories.items():
        assert story == first, name
