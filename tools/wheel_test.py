"""Builds the sdist, and the wheel from it, and tries that outside the checkout, in a clean environment of every Python
that is to be had and that pbem supports."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
JOBS = 2

INSIDE = """
import importlib.resources, json, sys
import pbem, pbem_rules.bridgehead
assert not pbem.__file__.startswith(sys.argv[1]), pbem.__file__
schemas = importlib.resources.files("pbem") / "_schemas"
found = sorted(path.name for path in schemas.iterdir())
assert found, "the wheel carries no schemas"
from pbem_rules.stargard.chart import DATA, chart_of
chart_of(DATA)
print(json.dumps(found))
"""


def call(command: list[str], cwd: Path, env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return done.stdout


def pythons() -> Iterator[tuple[str, str]]:
    """One interpreter of each supported version: this one, others on the path, and those that pyenv keeps."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        own = [sys.executable] if version == f"{sys.version_info[0]}.{sys.version_info[1]}" else []
        found = shutil.which(f"python{version}")
        others = [found] if found else []
        others += [str(path) for path in sorted(kept.glob(f"{version}*/bin/python"), reverse=True)]
        for python in own + others:
            says = subprocess.run([python, "-c", "import sys, venv, ensurepip"], capture_output=True, check=False)
            if says.returncode == 0:
                yield version, python
                break


def build(place: Path, env: dict[str, str]) -> Path:
    """The wheel, made from the sdist, so that both are complete."""
    call([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(place / "dist")], ROOT, env)
    (sdist,) = (place / "dist").glob("pbem-*.tar.gz")
    with tarfile.open(sdist) as file:
        file.extractall(place / "source", filter="data")
    (source,) = (place / "source").iterdir()
    wheel = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place / "dist"), str(source)]
    call(wheel, place, env)
    (made,) = (place / "dist").glob("pbem-*.whl")
    return made


def attempt(wheel: Path, python: str, place: Path, env: dict[str, str]) -> str:
    """Installed alone, with what it depends on, it plays, verifies and shows a game. What `pbem --version` says."""
    place.mkdir()
    call([python, "-m", "venv", str(place / "env")], place, env)
    inside = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    call([str(inside / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)], place, env)
    call([str(inside / "python"), "-I", "-c", INSIDE, str(ROOT)], place, env)
    pbem = str(inside / "pbem")
    version = call([pbem, "--version"], place, env).strip()
    games = json.loads(call([pbem, "games", "--json"], place, env))
    assert {"axis1941", "bridgehead"} <= {game["name"] for game in games["games"]}, games
    # What is installed on request is not here, and says so.
    desk = subprocess.run(
        [pbem, "umpire", "show", "cup"], cwd=place, env=env, capture_output=True, text=True, check=False
    )
    assert desk.returncode == 1, desk
    assert "E-EXTRA" in desk.stderr, desk
    call([pbem, "demo", "--seed", "1", "--keep", "--dir", str(place / "demo")], place, env)
    archive = next((place / "demo").glob("*archive*.pbem"))
    verdict = json.loads(call([pbem, "verify", "--json", str(archive)], place, env))
    assert verdict["ok"], verdict
    call([pbem, "replay", str(archive), "--html", "-o", str(place / "game.html")], place, env)
    call([pbem, "new-game", "fords"], place, env)
    assert (place / "fords" / "fords" / "data" / "map.toml").exists(), "the wheel carries no new game"
    return version


def main() -> None:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PBEM_HOME", "PYTHONHOME")}
    with tempfile.TemporaryDirectory(prefix="pbem-wheel-") as folder:
        place = Path(folder)
        wheel, found = build(place, env), list(pythons())
        with ThreadPoolExecutor(JOBS) as pool:
            told = pool.map(lambda each: attempt(wheel, each[1], place / each[0], env), found)
            for (version, _), said in zip(found, told, strict=True):
                print(f"{wheel.name}, Python {version}: {said}; a demo game played, verified and shown.", flush=True)


if __name__ == "__main__":
    main()
