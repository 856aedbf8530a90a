"""Pipes and devices given as files are refused at once: they would be waited for, or read, without end."""

import os
import subprocess
import sys

import pytest

from pbem.home import HomeError
from pbem.home.disk import read


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def said(tmp_path, *arguments):
    env = {**os.environ, "PBEM_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *arguments], env=env, capture_output=True, text=True, timeout=60, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify",),
        ("open",),
        ("umpire", "new"),
        ("umpire", "entrants", "add"),
        ("mail", "setup", "--from"),
        ("restore",),
        ("offer", "bridgehead", "--data"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("odd", ["pipe", "/dev/zero"])
def test_a_command_waits_for_no_pipe_and_reads_no_device(tmp_path, pipe, arguments, odd):
    code, error = said(tmp_path, *arguments, str(pipe) if odd == "pipe" else odd)
    assert code in (1, 2)
    assert error


def test_what_other_files_name_is_read_the_same(tmp_path, pipe):
    for path in (pipe, tmp_path):
        with pytest.raises(HomeError) as caught:
            read(path, 100)
        assert "not a file" in caught.value.sentence
