"""`pbem app` and `pbem play --browser` as processes: an address, an answer, and an end by SIGTERM.

Not by Ctrl-C: what a shell has started with `&` never gets that.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boards import against_bot, alone
from desks import desk_at

from pbem.home import orders


@contextmanager
def running(home: Path, *command: str, **more: str) -> Iterator[tuple[str, str]]:
    """Host and key that the command prints."""
    environ = {**os.environ, "PBEM_HOME": str(home), "PYTHONUNBUFFERED": "1", **more}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *command],
        env=environ,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = next(line.strip() for line in process.stdout if line.startswith("http://"))
            host, _, rest = address.removeprefix("http://").partition("/")
            yield host, rest.partition("#")[2]
            process.terminate()
            assert process.wait(20) == 0
        finally:
            process.kill()


def call(host: str, token: str, what: str, **asked: str) -> Any:
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.request(
        "POST", f"/{what}", json.dumps(asked), {"Content-Type": "application/json", "X-Pbem-Token": token}
    )
    return json.loads(connection.getresponse().read())


def test_the_app_begins_in_a_home_that_is_not_there_yet(tmp_path: Path) -> None:
    home = tmp_path / "nowhere" / "yet"
    with running(home, "app", "--no-open") as (host, token):
        doors = list(home.glob("board-*.html"))
        assert len(doors) == 1
        assert call(host, token, "home")["me"] is None
        assert not doors[0].exists()
        refused = call(host, token, "identity", name="Alice", email="")
        assert refused["code"] == "E-PASSPHRASE"
        assert "PBEM_PASSPHRASE" in refused["sentence"]
    with running(home, "app", "--no-open", PBEM_PASSPHRASE="secret") as (host, token):
        assert call(host, token, "identity", name="Alice", email="")["me"]["name"] == "Alice"
    assert desk_at(home, "alice", passphrase="secret").people.identities()[0].protected


def test_at_the_prompt_a_bot_plays_its_seats_too(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    environ = {**os.environ, "PBEM_HOME": str(tmp_path), "PBEM_PASSPHRASE": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "play", name],
        env=environ,
        input="reserve 0101\nsend\ny\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert orders.move(desk, name).asked() == ("blue",)
    assert orders.verbs(desk, name) >= {"posture"}
    assert next(orders.move(desk, name).legal()).startswith("posture")
    assert "0904" not in done.stdout  # where red's reserve may come


def test_the_board_of_a_game_is_served(tmp_path: Path) -> None:
    _, name = alone(tmp_path, "bridgehead")
    with running(tmp_path, "play", name, "--browser", "--no-open", PBEM_PASSPHRASE="") as (host, token):
        assert call(host, token, "state")["seat"] == "Blue"
        assert call(host, "wrong", "state")["code"] == "E-HTTP"
    assert list(tmp_path.glob("board-*.html")) == []
