"""One writer at a time, told apart by process."""

import os
import subprocess
import sys

import pytest

from pbem.home import HomeError
from pbem.home.disk import Lock

HOLD = "import sys; from pathlib import Path; from pbem.home.disk import Lock\n"
HOLD += "with Lock(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()\n"


def test_the_second_process_is_told_who_holds_the_home(tmp_path):
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(HomeError) as caught, Lock(path, patience=0.1):
            pass
        assert caught.value.code == "E-LOCKED"
        assert f"process {other.pid}" in caught.value.sentence
        other.kill()
        other.wait()
    with Lock(path, patience=1.0):  # the system took the lock from the dead
        assert path.read_text() == str(os.getpid())


def test_reentrant_within_one_object_and_free_afterwards(tmp_path):
    lock = Lock(tmp_path / "lock")
    with lock, lock:
        pass
    with Lock(tmp_path / "lock", patience=0.1):
        pass


def test_hostile_contents_of_the_lock_file_are_not_shown(tmp_path):
    path = tmp_path / "lock"
    lock = Lock(path)
    with lock:
        path.write_bytes(b"\x1b[2Jnonsense")
        with pytest.raises(HomeError) as caught, Lock(path, patience=0.0):
            pass
    assert "nonsense" not in caught.value.sentence
