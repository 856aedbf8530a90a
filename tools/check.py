"""What no linter checks: schemas are schemas, reason codes and steps of the specification are documented, pages are
in step, and their lines are short."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from pbem.protocol.reasons import OWN, VERIFIER
from tools import docs

ROOT = Path(__file__).resolve().parent.parent

COLUMNS = 100
PRIVATE = re.compile(r"""setattr\([^()\n]*["'](?:[\w.]+\.)?(_[a-z]\w*)["']""")
CODE = re.compile(r"""["'](E-[A-Z0-9-]+)["']""")
STEP = re.compile(r"\b([A-Z]{3})-(\d+)(?:\.\.(?:[A-Z]{3}-)?(\d+))?")  # MEA-5, FIL-1..4, LOG-1..LOG-9


def sources() -> list[Path]:
    return sorted(path for top in ("pbem", "rules") for path in (ROOT / top).rglob("*.py"))


def schemas() -> Iterator[str]:
    for path in sorted((ROOT / "schemas").rglob("*.json")):
        try:
            Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, SchemaError) as error:
            yield f"{path.relative_to(ROOT)} is not a JSON Schema: {error}"


def reasons() -> Iterator[str]:
    """Every code that is raised is in the table, once, and every code of the table is raised."""
    used = {
        code: path
        for path in sources()
        if path.name != "reasons.py"
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }
    for code in sorted(used.keys() - VERIFIER.keys() - OWN.keys()):
        yield f"{code} ({used[code].relative_to(ROOT)}) is missing from pbem/protocol/reasons.py"
    for code in sorted((VERIFIER.keys() | OWN.keys()) - used.keys()):
        yield f"pbem/protocol/reasons.py lists {code}, which nothing raises"
    for code in sorted(VERIFIER.keys() & OWN.keys()):
        yield f"pbem/protocol/reasons.py lists {code} twice"


def steps() -> Iterator[str]:
    """Every step of the specification that is cited exists."""
    pages = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/spec").glob("*.md"))]
    defined = {step for page in pages for step in re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", page, re.MULTILINE)}
    chapters = {step[:3] for step in defined}
    for path in (path for top in ("pbem", "rules", "tests", "tools", "docs") for path in (ROOT / top).rglob("*")):
        if path.suffix not in (".py", ".md"):
            continue
        for chapter, first, last in STEP.findall(path.read_text(encoding="utf-8")):
            for step in (f"{chapter}-{number}" for number in (first, last) if number):
                if chapter in chapters and step not in defined:
                    yield f"{path.relative_to(ROOT)} cites {step}, which docs/spec does not define"


def pages() -> Iterator[str]:
    for path, text in docs.kept().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(ROOT)} is not what the code says: run `make docs`"


def documents() -> list[Path]:
    tops = ("bench", "docs", "examples", "pbem", "rules", "tests", "tools")
    return [*ROOT.glob("*.md"), *(path for top in tops for path in sorted((ROOT / top).rglob("*.md")))]


def columns() -> Iterator[str]:
    """Prose has at most 100 columns, so that a diff can be read; tables, code and pictures may be wider."""
    for path in documents():
        code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code ^= line.lstrip().startswith("```")
            if len(line) > COLUMNS and not code and not line.startswith(("|", "![")):
                yield f"{path.relative_to(ROOT)}:{number} has more than {COLUMNS} columns"


def links() -> Iterator[str]:
    for path in documents():
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(ROOT)} points to {target}, which is not there"


def test_names() -> Iterator[str]:
    """Test modules are imported by their bare names."""
    names: dict[str, Path] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.name in names:
            yield f"{path.relative_to(ROOT)} has the name of {names[path.name].relative_to(ROOT)}"
        names[path.name] = path


def private_names() -> Iterator[str]:
    """Tests put nothing in the place of a private name; ruff sees those that are imported or reached into."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in PRIVATE.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)} replaces {name}, which is not a public name"


def module_names() -> Iterator[str]:
    """No two modules or packages in `pbem` have one name."""
    names: dict[str, Path] = {}
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        package = path.parent if path.stem == "__init__" else None
        if path.stem == "__main__" or package == ROOT / "pbem":
            continue
        name, place = (package or path).stem, (package or path).relative_to(ROOT)
        if name in names:
            yield f"{place} has the name of {names[name]}"
        names[name] = place


def main() -> None:
    faults = [
        fault
        for check in (schemas, reasons, steps, pages, columns, links, test_names, private_names, module_names)
        for fault in check()
    ]
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
