"""Runs one command and turns every outcome into an exit code and a calm sentence.

Exit codes: 0 done; 1 refused, or a verification failed; 2 wrong usage; 70 a fault in pbem or in a game; 130
interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pbem.cli.out import note
from pbem.cli.text import clean
from pbem.protocol.errors import Incomplete, PbemError, Refusal

DONE, REFUSED, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130

_DISK = {
    errno.ENOSPC: ("E-NO-WRITE", "The disk is full. Nothing was lost; free some space and repeat the command."),
    errno.EDQUOT: (
        "E-NO-WRITE",
        "The disk quota is used up. Nothing was lost; free some space and repeat it.",
    ),
    errno.EROFS: ("E-NO-WRITE", "The place cannot be written to. Nothing was changed; choose another with PBEM_HOME."),
    errno.EACCES: ("E-NO-WRITE", "Permission is missing. Nothing was changed; check who owns the folder."),
    errno.EPERM: ("E-NO-WRITE", "Permission is missing. Nothing was changed; check who owns the folder."),
}


def refused(code: str, sentence: str) -> None:
    """The one form of a refusal, on standard error."""
    note(f"Refused: {code}. {clean(sentence)}", style="bad")


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
    import click

    from pbem.cli.commands import cli

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
        refused(error.code, f"{error.sentence} Open the file that brings it, in any order.")
        return REFUSED
    except Refusal as refusal:
        step = f" [{refusal.step}]" if refusal.step else ""
        refused(refusal.code, refusal.sentence + step)
        return REFUSED
    except PbemError as error:
        refused(error.code, error.sentence)
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
