"""The tour in README.md is run as it stands there, by a shell, with the real program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def commands(page):
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for line in block.splitlines():
            assert line.startswith("$ "), line
            yield line.removeprefix("$ ")


def test_the_tour_works(tmp_path):
    lines = list(commands((ROOT / "README.md").read_text(encoding="utf-8")))
    assert len(lines) > 20
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PBEM")}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}"
    done = subprocess.run(
        ["sh", "-eux", "-c", "\n".join(lines)],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "all signatures, orders, dice and cards are correct" in done.stdout
    assert "Bob Silva joins" in done.stdout


def test_every_command_in_the_guides_exists(tmp_path):
    from pbem.cli.run import SECTIONS

    known = {name for section in SECTIONS.values() for name in section}
    for page in (ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").glob("*.md")):
        for name in re.findall(r"`pbem ([a-z][a-z-]*)", page.read_text(encoding="utf-8")):
            assert name in known, (page.name, name)
