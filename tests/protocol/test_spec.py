"""The specification and the code name the same bounds, codes and steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.protocol import limits
from pbem.protocol.digest import derive, tagged

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "docs" / "spec"
PAGES = {page.name: page.read_text() for page in sorted(SPEC.glob("*.md"))}
WIRE = [
    "armour",
    "canonical",
    "card",
    "container",
    "envelope",
    "fork",
    "keys",
    "kinds",
    "record",
    "characters",
    "words",
]
SOURCES = {name: (ROOT / "pbem" / "protocol" / f"{name}.py").read_text() for name in WIRE}
STEPS = set(re.findall(r"\*\*([A-Z]{3}-\d+)\*\*", "".join(PAGES.values())))
CODES = re.findall(r"^\| `(E-[A-Z-]+)` \|", PAGES["reasons.md"], re.MULTILINE)


def bounds():
    """Every number in the tables of limits.md, and in the pages that state the bounds of fields."""
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \|", PAGES["limits.md"], re.MULTILINE)
    fields = [
        text for page, text in PAGES.items() if page in ("record.md", "genesis.md", "files.md", "call.md", "case.md")
    ]
    numbers = set()
    for text in rows + fields:
        for found, unit in re.findall(r"(\d[\d,]*(?:\^\d+)?)( [KM]iB)?", text):
            base, _, power = found.replace(",", "").partition("^")
            numbers.add(int(base) ** int(power or 1) * {"": 1, " KiB": limits.KIB, " MiB": limits.MIB}[unit])
    return numbers


CONSTANTS = [name for name in vars(limits) if name.startswith("MAX_")]
INNER = {"MAX_ITEM", "MAX_INT", "MAX_FORK"}  # follow from others; MAX_INT is written as a range


@pytest.mark.parametrize("name", [name for name in CONSTANTS if name not in INNER])
def test_each_bound_is_in_the_specification(name):
    value = getattr(limits, name)
    known = bounds()
    assert value in known or value + 1 in known


@pytest.mark.parametrize("name", WIRE)
def test_each_step_and_code_is_in_the_specification(name):
    assert set(re.findall(r'"([A-Z]{3}-\d+)"', SOURCES[name])) <= STEPS
    assert set(re.findall(r'"(E-[A-Z-]+)"', SOURCES[name])) <= set(CODES)


def test_codes_are_listed_once():
    assert len(CODES) == len(set(CODES))


def test_pages_cite_steps_that_exist():
    for page, text in PAGES.items():
        cited = set(re.findall(r"\b((?:ENC|KEY|REC|LOG|FIL|GEN|CHA|HID|MEA)-\d+)\b", text))
        assert cited <= STEPS, page


def test_pages_name_codes_that_exist():
    for page, text in PAGES.items():
        assert set(re.findall(r"`(E-[A-Z-]+)`", text)) <= set(CODES), page


def test_values_in_the_text_are_right():
    page = PAGES["encoding.md"]
    assert tagged("pbem1/rec", b"\x00\x01\x02").hex() in page
    assert tagged("pbem1/x", None, "").hex() in page
    assert derive(bytes(32), "sign").hex() in page
    assert tagged("a", None) != tagged("a", b"")
    assert tagged("a", "bc") != tagged("ab", "c")
