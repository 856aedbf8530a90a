"""Writes docs/modules.md: every module of pbem with the first paragraph of its own text."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "modules.md"
WIDTH = 100
HEAD = """# Modules

Made from the first paragraph of each module by `make docs`: for finding the file to open.
[Architecture](architecture.md) says how the packages work together.
"""


def words(path: Path) -> str:
    """What a module says of itself in its first paragraph, in one line of Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        paragraph = "".join(row.removeprefix("//") for row in text.partition("\n\n")[0].splitlines())
    else:
        paragraph = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0]
    return " ".join(paragraph.split()).replace("<", "&lt;")


def listed(package: Path) -> Iterator[str]:
    """A package, its modules and then those of its own packages, by name."""
    name = package.relative_to(ROOT / "pbem").as_posix()
    yield f"\n## {name}\n\n{textwrap.fill(words(package / '__init__.py'), WIDTH)}\n"
    for path in sorted(package.glob("*.py")):
        if path.stem != "__init__":
            yield textwrap.fill(f"- `{path.stem}`: {words(path)}", WIDTH, subsequent_indent="  ")
    for path in sorted(package.glob("*.js")):
        yield textwrap.fill(f"- `{path.name}`: {words(path)}", WIDTH, subsequent_indent="  ")
    for inner in sorted(package.glob("*/__init__.py")):
        yield from listed(inner.parent)


def page() -> str:
    packages = sorted((ROOT / "pbem").glob("*/__init__.py"))
    return "\n".join([HEAD, *(row for each in packages for row in listed(each.parent)), ""]).replace("\n\n\n", "\n\n")
