"""The `pbem` command: which commands there are, how one is run, and the exit code of one that could not be.

A command's module is imported only when that command runs, or when help is shown. Every outcome becomes an exit code
and one sentence without a traceback; `pbem --help` lists the codes.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from pbem.cli.terminal import clean, note
from pbem.protocol.errors import Incomplete, PbemError, with_code

DONE, REFUSED, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130

_from = dict.fromkeys
SECTIONS: dict[str, dict[str, str]] = {
    "Start here": {"app": "prompt", "demo": "demo", "games": "offering"},
    "People": _from(("id", "contact", "backup", "restore"), "identity"),
    "Games and mail": {
        **_from(("new", "join", "decline"), "offering"),
        "open": "turnfiles",
        **_from(("list", "status"), "gamelist"),
        **_from(("send", "outbox", "log", "note"), "turnfiles"),
        "mail": "mailbox",
    },
    "Your move": {
        **_from(("board", "report"), "drawing"),
        **_from(("legal", "order"), "move"),
        "play": "prompt",
        **_from(("odds", "look", "draft", "undo", "standing", "plan", "bot"), "move"),
    },
    "Agreements": _from(("resign", "tie", "takeback", "claim", "rule", "rekey", "migrate"), "agreements"),
    "Tournaments": {"umpire": "umpiring"},
    "Checking": {"verify": "verifying", "replay": "replaying", "dice": "verifying", "archive": "verifying"},
    "Shell": _from(("completions", "manual"), "manual"),
    "Writing games": _from(("new-game", "check-game"), "authoring"),
}
"""The commands in the order in which help lists them, each with the module of pbem.cli that holds it."""


class Commands(click.Group):
    """A group that knows its commands by name and module."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        for section in SECTIONS.values():
            if cmd_name in section:
                module = import_module(f"pbem.cli.{section[cmd_name]}")
                command: Any = getattr(module, f"{cmd_name.replace('-', '_')}_command")
                assert isinstance(command, click.Command)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args == ["help"]:
            return super().resolve_command(ctx, ["--help"])
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f" Did you mean `pbem {near[0]}`?" if near else " `pbem --help` lists the commands."
            ctx.fail(f"There is no command {clean(args[0], 40)!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in SECTIONS.items():
            rows = []
            for name in section:
                command = self.get_command(ctx, name)
                assert command is not None
                rows.append((name, command.get_short_help_str(80)))
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes of all commands: 0 done; 1 refused, not verified, or not all of it worked; 2 wrong usage; 70 a "
    "fault in pbem or in a game; 130 interrupted.",
)
@click.version_option(package_name="pbem", message="pbem %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play board wargames by email, even with people you have no reason to trust.

    To begin, run `pbem app`, which opens pbem in your browser, or `pbem demo`. At the command line, begin with
    `pbem id new`, then `pbem games` and `pbem new`. `pbem COMMAND --help` explains a command.

    Your keys, contacts and games are kept in the folder PBEM_HOME (default: your system's folder for application data).
    Scripts can pass the passphrase in PBEM_PASSPHRASE. Set NO_COLOR to switch colours off.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


_DISK = {
    errno.ENOSPC: ("E-NO-WRITE", "The disk is full. Nothing was lost; free some space and repeat the command."),
    errno.EDQUOT: (
        "E-NO-WRITE",
        "Your disk quota is used up. Nothing was lost; free some space and repeat the command.",
    ),
    errno.EROFS: ("E-NO-WRITE", "This disk is read-only. Nothing was changed; choose another folder with PBEM_HOME."),
    errno.EACCES: ("E-NO-WRITE", "You do not have permission. Nothing was changed; check who owns the folder."),
    errno.EPERM: ("E-NO-WRITE", "You do not have permission. Nothing was changed; check who owns the folder."),
}


def refused(code: str, sentence: str, step: str = "") -> None:
    """The one form of a refusal, on standard error."""
    note(f"Refused: {with_code(clean(sentence), code, step)}", style="bad")


@contextmanager
def until_terminated() -> Iterator[Callable[[], bool]]:
    """While a command stays: SIGTERM only makes what is given here true, so that the step in hand ends first."""
    import signal

    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGTERM, before)


def run(arguments: Sequence[str]) -> int:
    """Runs a command; never raises."""
    try:
        code = cli.main(list(arguments), prog_name="pbem", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        error.show()
        return USAGE
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt, EOFError):
        note("Stopped. Nothing more was changed.")
        return INTERRUPTED
    except click.ClickException as error:
        refused("E-DISK", error.format_message())
        return REFUSED
    except Incomplete as error:
        refused(error.code, f"{error.sentence} Open the file that contains it; the order does not matter.")
        return REFUSED
    except PbemError as error:
        refused(error.code, error.sentence, error.step)
        return REFUSED
    except BrokenPipeError:
        # The reader of a pipe has gone: what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        code_, sentence = _DISK.get(error.errno or 0, ("E-DISK", f"{error.strerror or error}."))
        name = f" ({os.fspath(error.filename)!s})" if isinstance(error.filename, str) else ""
        refused(code_, sentence + name)
        return REFUSED
    except Exception as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        from pbem.engine.registry import fault

        what, whom = fault(error)
        refused(
            "E-INTERNAL",
            f"This is {what}; nothing was sealed by it. Repeat with PBEM_DEBUG=1 and send the report to {whom}.",
        )
        return BUG
    return code if isinstance(code, int) else DONE
