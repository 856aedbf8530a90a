"""The page of all commands, made from their help. It is part of the site and not kept in the repository."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.manual import walk
from pbem.cli.run import SECTIONS, cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = "# Commands\n"


def help_of(command: click.Command, path: tuple[str, ...]) -> str:
    parent = click.Context(cli, info_name="pbem", max_content_width=100, terminal_width=100)
    for name in path[:-1]:
        group = parent.command
        assert isinstance(group, click.Group)
        inner = group.get_command(parent, name)
        assert inner is not None
        parent = click.Context(inner, info_name=name, parent=parent)
    return command.get_help(click.Context(command, info_name=path[-1], parent=parent))


def page() -> str:
    titles = {next(iter(section)): title for title, section in SECTIONS.items()}
    parts = [HEAD]
    for path, command in walk(cli):
        if len(path) == 1 and path[0] in titles:
            parts.append(f"## {titles[path[0]]}\n")
        parts.append(f"{'#' * (2 + len(path))} pbem {' '.join(path)}\n\n```text\n{help_of(command, path)}\n```\n")
    return "\n".join(parts)
