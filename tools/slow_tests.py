"""Writes tests/slow.txt, which `make quick` leaves out, from what the tests cost: `make slow-tests`.

A test that takes a tenth of a second of CPU time or more is slow. Where the setup takes that long, all tests of its
module are, since the next one would have to pay for what they share.
"""

from __future__ import annotations

import sys
from pathlib import Path

LIST = Path(__file__).resolve().parent.parent / "tests" / "slow.txt"
SLOW = 0.1


def slow(lines: list[str]) -> set[str]:
    """Names of tests, and of whole modules."""
    found = set()
    for line in lines:
        setup, whole, name = line.split("\t")
        if float(setup) >= SLOW:
            found.add(name.partition("::")[0])
        elif float(whole) >= SLOW:
            found.add(name.partition("[")[0])
    return {name for name in found if "::" not in name or name.partition("::")[0] not in found}


def main() -> None:
    LIST.write_text("".join(f"{name}\n" for name in sorted(slow(Path(sys.argv[1]).read_text().splitlines()))))


if __name__ == "__main__":
    main()
