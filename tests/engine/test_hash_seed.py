"""The same games, whatever Python's hash seed and msgpack's implementation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.engine.testing import random_game
from tests.engine.games import crowns, magpie

ROOT = Path(__file__).parents[2]
PLAY = """
from pbem.engine.testing import random_game
from tests.engine.games import crowns, magpie
for game in (crowns.GAME, magpie.GAME):
    print(random_game(game, "hash", every=10**6).machine.digest().hex())
"""


@pytest.mark.parametrize("env", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}, {"MSGPACK_PUREPYTHON": "1"}])
def test_digests_do_not_depend_on_the_process(env: dict[str, str]) -> None:
    path = os.pathsep.join((str(ROOT), *filter(None, sys.path)))
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, **env},
        check=True,
        capture_output=True,
        text=True,
    )
    here = [random_game(game, "hash", every=10**6).machine.digest().hex() for game in (crowns.GAME, magpie.GAME)]
    assert done.stdout.split() == here
