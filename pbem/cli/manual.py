"""`pbem completions` and `pbem manual`: the shell completes commands and games, and `man pbem` has a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import click
from click.shell_completion import get_completion_class

from pbem import __version__
from pbem.cli.common import Command, command
from pbem.cli.terminal import say

Path = tuple[str, ...]
ENVIRONMENT = (
    ("PBEM_HOME", "The folder of your identities, contacts and games, in place of the system's usual one."),
    ("PBEM_PASSPHRASE", "The passphrase of your key, for programs; at a terminal you are asked for it."),
    ("PBEM_PHRASE", "The recovery phrase, for `pbem restore`."),
    ("PBEM_NEW_PASSPHRASE", "The new passphrase, for `pbem id passphrase`."),
    ("PBEM_UMPIRE_DB, PBEM_UMPIRE_ACTOR", "The database of the umpire's desk, and the name for its journal."),
    ("NO_COLOR", "If it is set, nothing is coloured."),
    ("PBEM_DEBUG", "If it is set, a fault in pbem shows where it happened."),
)


@command(
    "completions",
    short_help="Print the script with which your shell completes commands, options and games.",
    examples=(
        "pbem completions bash >> ~/.bash_completion",
        "pbem completions zsh > ~/.zfunc/_pbem      (in a folder of your $fpath)",
        "pbem completions fish > ~/.config/fish/completions/pbem.fish",
    ),
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completions_command(shell: str) -> None:
    """Print the script that SHELL needs to complete `pbem` when you press Tab.

    Commands, options and their choices, installed games and the names of your own games are completed. Open a new
    shell afterwards. Needs bash 4.4 or newer.
    """
    from pbem.cli.run import cli

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(cli, {}, "pbem", "_PBEM_COMPLETE")
    click.echo(made.source_template % made.source_vars())


@command(
    "manual",
    short_help="Print the manual page, for `man`.",
    examples=(
        "pbem manual > ~/.local/share/man/man1/pbem.1",
        "pbem manual | man -l -",
    ),
)
def manual_command() -> None:
    """Print pbem(1): every command with its options and examples, in the format of `man`."""
    say(page())


def walk(group: click.Command, path: Path = ()) -> Iterator[tuple[Path, click.Command]]:
    """Every command below the group, with the words that call it."""
    if isinstance(group, click.Group):
        ctx = click.Context(group, info_name="pbem")
        for name in group.list_commands(ctx):
            inner = group.get_command(ctx, name)
            assert inner is not None
            yield (*path, name), inner
            yield from walk(inner, (*path, name))


def page() -> str:
    """The manual page in roff."""
    from pbem.cli.run import cli

    lines = [
        f'.TH PBEM 1 "" "pbem {__version__}" "User Commands"',
        ".SH NAME",
        r"pbem \- play board wargames by email with strangers, honestly",
        ".SH SYNOPSIS",
        r".B pbem",
        r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *paragraphs(cli.help or ""),
        ".SH COMMANDS",
    ]
    for path, each in walk(cli):
        lines += described(path, each)
    lines.append(".SH ENVIRONMENT")
    for names, text in ENVIRONMENT:
        lines += [".TP", f".B {roff(names)}", roff(text)]
    lines += [".SH EXIT STATUS", *paragraphs(str(cli.epilog).partition(": ")[2])]
    return "\n".join(lines)


def described(path: Path, each: click.Command) -> Iterator[str]:
    ctx = click.Context(each, info_name=f"pbem {' '.join(path)}")
    yield f".SS pbem {roff(' '.join(path))}"
    yield f"\\fB{roff(ctx.command_path)}\\fR {roff(' '.join(each.collect_usage_pieces(ctx)))}"
    yield ".PP"
    yield from paragraphs(each.help or "")
    for option in each.params:
        record = option.get_help_record(ctx)
        if record is not None and record[1]:
            yield from (".TP", f".B {roff(record[0])}", roff(record[1]))
    if isinstance(each, Command):
        yield from (".PP", ".EX", *map(roff, each.examples), ".EE")


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a help text, parted by .PP."""
    parts = [roff(" ".join(part.split())) for part in re.split(r"\n\s*\n", text.strip())]
    return [parts[0], *(line for _, part in pairwise(parts) for line in (".PP", part))]


def roff(text: str) -> str:
    """Plain text as roff reads it: hyphens that may be typed, and no line that could be taken for a request."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
