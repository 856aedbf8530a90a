"""Writes docs/spec/reasons.md from the tables of pbem.protocol.reasons and from the steps that name each code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.protocol.reasons import OWN, VERIFIER

SPEC = Path(__file__).resolve().parent.parent / "docs" / "spec"
PAGE = SPEC / "reasons.md"
HEAD = """# Reasons

Made from `pbem/protocol/reasons.py` by `make docs`. A refusal has a code, a sentence for a player,
the step that failed and, where it is known, the author and the record. Codes are for programs;
sentences may change. A refusal has changed nothing.
"""
OWN_HEAD = """## In a player's or umpire's own program

No verifier raises these codes. With them a program tells its own user what it cannot do at the
moment.
"""


def named() -> dict[str, list[str]]:
    """The steps whose text names a code, by code."""
    found: dict[str, list[str]] = {}
    for path in sorted(SPEC.glob("*.md")):
        if path != PAGE:
            for step, text in re.findall(
                r"^- \*\*([A-Z]{3}-\d+)\*\*(.*?)(?=^- \*\*|^#|\Z)", path.read_text(encoding="utf-8"), re.M | re.S
            ):
                for code in dict.fromkeys(re.findall(r"`(E-[A-Z-]+)`", text)):
                    found.setdefault(code, []).append(step)
    return found


def rows(table: Mapping[str, str], steps: Mapping[str, list[str]]) -> Iterator[str]:
    yield "| code | meaning | steps that name it |\n|---|---|---|"
    for code, meaning in table.items():
        yield f"| `{code}` | {meaning} | {', '.join(sorted(steps.get(code, ()), key=_by_number))} |"


def _by_number(step: str) -> tuple[str, int]:
    page, _, number = step.partition("-")
    return page, int(number)


def page() -> str:
    steps = named()
    return "\n".join([HEAD, *rows(VERIFIER, steps), "", OWN_HEAD, *rows(OWN, steps), ""])
