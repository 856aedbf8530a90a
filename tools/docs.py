"""Writes what is made from the code: the pages of commands, modules and reason codes, and the schemas (`make docs`).

The page of the commands is not kept in the repository. The others are, since people read them there or rely on them
and should see when they change: `make check` compares.
"""

from __future__ import annotations

from pathlib import Path

from tools import commands_page, modules_page, reasons_page, schemas


def kept() -> dict[Path, str]:
    """The files that the repository holds."""
    return {reasons_page.PAGE: reasons_page.page(), modules_page.PAGE: modules_page.page(), **schemas.schemas()}


def main() -> None:
    for path, text in {commands_page.PAGE: commands_page.page(), **kept()}.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
