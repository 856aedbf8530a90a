"""The parts that commands share: the layout of help, answers and their exit codes, opening a home, reading files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import GeneratorType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.run import DONE, REFUSED
from pbem.cli.terminal import say_json, speaking
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MIB

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.home import Home

T = TypeVar("T")
asked: list[str] = []
"""What is being asked for at the terminal, for a page that waits for it."""
MAX_OPEN = 64 * MIB  # bytes of one file; a longer archive is checked with `pbem verify`, which reads it as a stream


class Command(click.Command):
    """A command whose help ends with examples.

    It prints its text and returns its answer: a typed value, whose type is the return annotation of the function. So it
    has the option --json, which prints the value in place of the text. If the value has `failed`, and that is
    true, the command ends with exit code 1. A command that goes on once its answer has been printed yields it.
    `rows`: the answer is a table, and has the option --csv as well.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), rows: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.answers = getattr(self.callback, "__annotations__", {}).get("return", "None") != "None"
        for option in self.params:
            if isinstance(option.type, click.IntRange | click.FloatRange) and option.metavar is None:
                option.metavar = "N"
        if self.answers:
            self.params.append(
                click.Option(("--json", "as_json"), is_flag=True, help="Print one JSON document instead of text.")
            )
        if rows:
            self.params.append(click.Option(("--csv", "as_csv"), is_flag=True, help="Print the rows of --json as CSV."))

    def invoke(self, ctx: click.Context) -> Any:
        to_stdout = ctx.params.get("output") == "-"
        as_json, as_csv = self.answers and ctx.params.pop("as_json"), ctx.params.pop("as_csv", False)
        if as_json and to_stdout:
            raise click.UsageError("--json and `-o -` both write to standard output: use one of them.")
        code = DONE
        with speaking("nowhere" if as_json or as_csv else "aside" if to_stdout else "out"):
            given = super().invoke(ctx)
            if not self.answers:
                return given
            for answer in given if isinstance(given, GeneratorType) else (given,):
                if as_json:
                    from pbem.schema import plain

                    say_json(plain(answer))
                elif as_csv:
                    from pbem.cli.umpiring.shared import say_csv

                    say_csv(answer)
                sys.stdout.flush()
                code = REFUSED if getattr(answer, "failed", False) else DONE
        return code

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def shown(kind: type[T], value: Any, **more: Any) -> T:
    """An answer of this kind: more, and for its other fields what the value has under the same names."""
    return kind(**more, **{name: getattr(value, name) for name in kind.__annotations__ if name not in more})


class Group(click.Group):
    command_class = Command


command: Callable[..., Callable[..., Command]] = partial(click.command, cls=Command)


def games_here(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001 - what click gives
    """The names of the games in the home that begin so, for the shell."""
    from pbem.home import Home
    from pbem.home.disk import default_root

    root = default_root(os.environ)
    stores = Home(root, ask=lambda _: None).stores() if root.is_dir() else ()
    return [store.name for store in stores if store.name.startswith(typed)]


def games_installed(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001
    """The names of the installed games that begin so, for the shell."""
    from pbem.engine.registry import names

    return [name for name in names() if name.startswith(typed)]


game_argument = click.argument("game", metavar="GAME", shell_complete=games_here)


def ask_secret(prompt: str, *, twice: bool = False) -> str | None:
    """What is typed unseen at the terminal; None when nobody is there to answer."""
    if not sys.stdin.isatty():
        return None
    asked.append(prompt)
    try:
        answer: str = click.prompt(
            prompt, hide_input=True, default="", show_default=False, confirmation_prompt=twice, err=True
        )
    finally:
        asked.remove(prompt)
    return answer


def passphrase(prompt: str) -> str | None:
    """PBEM_PASSPHRASE, or asked for at the terminal; None when nobody is there to answer."""
    given = os.environ.get("PBEM_PASSPHRASE")
    return ask_secret(prompt) if given is None else given


def new_passphrase(
    none: bool, *, variable: str = "PBEM_PASSPHRASE", prompt: str = "Passphrase (empty for none)"
) -> str:
    """A new passphrase from the environment, or typed twice at the terminal; the empty one is the explicit none."""
    given = "" if none else os.environ.get(variable)
    if given is None:
        given = ask_secret(prompt, twice=True)
    if given is None:
        option = "--no-passphrase" if variable == "PBEM_PASSPHRASE" else "--none"
        raise click.UsageError(f"There is no terminal to type a passphrase at: set {variable}, or add {option}.")
    return given


yes_option = click.option("--yes", "sure", is_flag=True, help="Do not ask for confirmation.")


def make_sure(question: str, sure: bool) -> None:
    """Asks at a terminal; a script must have said --yes."""
    if sure:
        return
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"Nothing was done: there is no terminal to answer at. {question} To say yes, add --yes."
        )
    click.confirm(question, abort=True, err=True)


_ADDRESS = r"[^\s@<>,;:\"()\[\]\\]{1,64}@[^\s@<>,;:\"()\[\]\\.]+(\.[^\s@<>,;:\"()\[\]\\.]+)*"


def mail_address(ctx: click.Context, param: click.Parameter, text: str) -> str:  # noqa: ARG001 - what click gives
    """An option's value: looks like a mail address, or is empty. Asked of new cards only, since KEY-4 allows more."""
    import re

    if text and not re.fullmatch(_ADDRESS, text):
        raise click.BadParameter(f"{text!r} is not a mail address. It looks like: alice@example.org")
    return text


def open_home() -> Home:
    """The home at PBEM_HOME."""
    from pbem.home import Home
    from pbem.home.disk import default_root

    return Home(default_root(os.environ), ask=passphrase)


def open_game(query: str) -> tuple[Home, str]:
    """The home, and the whole name of the game in it that is meant."""
    from pbem.home import summary

    home = open_home()
    return home, summary.find(home, query)


def check_readable(name: str, hint: str = "") -> None:
    """Refuses, as wrong usage, a name that is no file; `-` is standard input. `hint`: what to do if there is none."""
    # Importing pathlib would cost `pbem verify` a fifth of its start.
    if name == "-":
        return
    if os.path.isdir(name):  # noqa: PTH112
        raise click.UsageError(f"{name!r} is a folder, not a file.")
    if not os.path.exists(name):  # noqa: PTH110
        raise click.UsageError(f"There is no file {name!r}.{hint}")
    if not os.path.isfile(name):  # noqa: PTH113
        raise click.UsageError(f"{name!r} is a pipe or a device, not a file. - is standard input.")


def new_folder(name: str | None, prefix: str) -> Path:
    """A folder that is new or empty; if none is named, a temporary one."""
    from pathlib import Path
    from tempfile import mkdtemp

    if name is None:
        return Path(mkdtemp(prefix=prefix))
    place = Path(name).absolute()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise click.UsageError(f"{name!r} is not an empty folder. Name a new one.")
    place.mkdir(parents=True, exist_ok=True)
    return place


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_input(name: str, limit: int) -> bytes:
    """The bytes of a file, or of standard input for `-`; at most `limit`."""
    if name == "-":
        raw = sys.stdin.buffer.read(limit + 1)
    else:
        from pathlib import Path

        check_readable(name)
        with Path(name).open("rb") as file:
            raw = file.read(limit + 1)
    if len(raw) > limit:
        raise Refusal(
            "E-LARGE", f"This is larger than {limit:,} bytes, which is more than any pbem file.", step="FIL-3"
        )
    return raw


def write_output(name: str, raw: bytes | Iterable[bytes]) -> int:
    """Writes a file that the player named, or standard output for `-`; its size. Nothing is overwritten."""
    parts = (raw,) if isinstance(raw, bytes) else raw
    if name == "-":
        sys.stdout.flush()
        size = sum(sys.stdout.buffer.write(part) for part in parts)
        sys.stdout.buffer.flush()
        return size
    from pathlib import Path

    path = Path(name)
    if not path.parent.is_dir():
        raise click.UsageError(f"There is no folder {str(path.parent)!r}.")
    whole = b"".join(parts)
    try:
        with path.open("xb") as file:
            file.write(whole)
    except FileExistsError:
        if path.is_file() and path.read_bytes() == whole:
            return len(whole)
        raise Refusal("E-EXISTS", f"{name} exists and holds something else. Choose another name.") from None
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return len(whole)
