"""Writes what is made from the code: the page of all commands, the reason codes, the schemas of answers (`make docs`).

Pages of the commands are not kept in the repository. Reason codes and schemas are, since others rely on them and should
see when they change: `make check` compares.
"""

from __future__ import annotations

from pathlib import Path

from tools import commands_page, reasons_page, schemas


def kept() -> dict[Path, str]:
    """The files that the repository holds."""
    return {reasons_page.PAGE: reasons_page.page(), **schemas.schemas()}


def main() -> None:
    for path, text in {commands_page.PAGE: commands_page.page(), **kept()}.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
