"""The test servers' tools end their servers and take their folders away, however they are stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

COUNTING = """
import pathlib, subprocess, sys, time
from tools.serving import Serving

class Sleeper:
    folder = pathlib.Path(sys.argv[1])

    def start(self):
        print("starting", flush=True)
        time.sleep(float(sys.argv[2]))
        self.folder.mkdir()
        self.child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        print(self.child.pid, flush=True)

    def remove(self):
        self.child.kill()
        self.child.wait()
        self.folder.rmdir()

with Serving(Sleeper()) as serving:
    serving.wait()
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("slow", [0, 1])
def test_a_signal_ends_the_server_also_while_it_starts(tmp_path, number, slow):
    folder = tmp_path / "server"
    with subprocess.Popen(
        [sys.executable, "-c", COUNTING, str(folder), str(slow)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as tool:
        assert tool.stdout.readline() == "starting\n"
        if slow:
            tool.send_signal(number)
        pid = int(tool.stdout.readline())
        if not slow:
            tool.send_signal(number)
        assert tool.wait(20) == 0
    assert not alive(pid)
    assert not folder.exists()


@pytest.mark.postgres
def test_terminating_the_tool_ends_its_postgresql():
    with subprocess.Popen(
        [sys.executable, "-m", "tools.postgres", "run"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as tool:
        line = tool.stdout.readline()
        folder = Path(line.partition("host=")[2].partition("'")[0])
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        assert alive(pid)
        tool.terminate()
        assert tool.wait(60) == 0
    for _ in range(50):
        if not alive(pid):
            break
        time.sleep(0.1)
    assert not alive(pid)
    assert not folder.exists()
