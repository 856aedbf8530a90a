"""Builds the wheel, installs it into a fresh environment and tries it from outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

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


def main() -> None:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PBEM_HOME", "PYTHONHOME")}
    with tempfile.TemporaryDirectory(prefix="pbem-wheel-") as folder:
        place = Path(folder)
        call(
            [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place / "dist"), str(ROOT)], place, env
        )
        (wheel,) = (place / "dist").glob("pbem-*.whl")
        venv.create(place / "env", with_pip=True)
        python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        call([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)], place, env)
        call([str(python), "-I", "-c", INSIDE, str(ROOT)], place, env)
        pbem = str(python.parent / "pbem")
        version = call([pbem, "--version"], place, env).strip()
        games = json.loads(call([pbem, "games", "--json"], place, env))
        assert {"axis1941", "bridgehead"} <= {game["name"] for game in games["games"]}, games
        # What is installed on request is not here, and says so.
        desk = subprocess.run([pbem, "umpire", "list"], cwd=place, env=env, capture_output=True, text=True, check=False)
        assert desk.returncode == 1, desk
        assert "E-EXTRA" in desk.stderr, desk
        call([pbem, "demo", "--seed", "1", "--keep", "--dir", str(place / "demo")], place, env)
        archive = next((place / "demo").glob("*archive*.pbem"))
        verdict = json.loads(call([pbem, "verify", "--json", str(archive)], place, env))
        assert verdict["ok"], verdict
        call([pbem, "replay", str(archive), "--html", "-o", str(place / "game.html")], place, env)
        call([pbem, "new-game", "fords"], place, env)
        assert (place / "fords" / "fords" / "data" / "map.toml").exists(), "the wheel carries no new game"
        print(f"{wheel.name}: {version}, games and schemas found, a demo game played, verified and shown.")


if __name__ == "__main__":
    main()
