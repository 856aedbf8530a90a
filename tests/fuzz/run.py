"""`python -m tests.fuzz.run [--seconds N] [--target NAME] [--seed N]`: atheris if it is installed, else seeded changes.

What breaks a target is written to tests/fuzz/found/, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import time
import traceback
from hashlib import sha256
from pathlib import Path
from random import Random

from pbem.protocol.errors import PbemError
from tests.fuzz.mutate import mutate
from tests.fuzz.targets import TARGETS, Target

FOUND = Path(__file__).parent / "found"


def check(target: Target, raw: bytes) -> None:
    """Whatever the bytes are, a target refuses them or takes them. Anything else it raises is a finding."""
    try:
        target.run(raw)
    except PbemError:
        return


def by_changes(name: str, seconds: float, seed: int) -> bool:
    target = TARGETS[name]
    seeds, rng, count, until = target.seeds(), Random(f"{name}/{seed}"), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        raw = mutate(rng, seeds)
        count += 1
        try:
            check(target, raw)
        except Exception:  # noqa: BLE001  (a finding)
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{name}-{sha256(raw).hexdigest()[:12]}"
            path.write_bytes(raw)
            print(f"{name}: broken by {path}\n{traceback.format_exc()}")
            return False
    print(f"{name}: {count} inputs, nothing found")
    return True


def by_atheris(name: str, seconds: float, seed: int) -> bool:
    """Each target in a process of its own: the fuzzer does not come back."""
    corpus = FOUND / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    for raw in TARGETS[name].seeds():
        (corpus / sha256(raw).hexdigest()[:16]).write_bytes(raw)
    done = subprocess.run(
        (
            *(sys.executable, "-m", "tests.fuzz.run", "--inside", name, str(corpus)),
            *(f"-max_total_time={int(seconds)}", f"-seed={seed + 1}", f"-artifact_prefix={FOUND}/{name}-"),
            *("-max_len=30000", "-timeout=30", "-verbosity=0", "-print_final_stats=0"),
        ),
        check=False,
    )
    print(f"{name}: {'nothing found' if done.returncode == 0 else f'broken; see {FOUND}'}")
    return done.returncode == 0


def inside(name: str, arguments: list[str]) -> None:
    import atheris

    target = TARGETS[name]
    target.seeds()
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *arguments], lambda raw: check(target, raw))
    atheris.Fuzz()


def main() -> int:
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="for each target")
    parser.add_argument("--target", choices=sorted(TARGETS), action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    chosen = parser.parse_args()
    has_atheris = not chosen.plain and importlib.util.find_spec("atheris") is not None
    fuzz = by_atheris if has_atheris else by_changes
    sound = [fuzz(name, chosen.seconds, chosen.seed) for name in chosen.target or sorted(TARGETS)]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
