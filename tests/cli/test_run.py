"""One run of the program: what it imports, its help, and every outcome as an exit code and a sentence."""

from __future__ import annotations

import errno
import subprocess
import sys

import click
import pytest
from homes import pbem

from pbem import __version__
from pbem.cli.run import SECTIONS, cli
from pbem.engine.step import GameError
from pbem.protocol.errors import Incomplete, Refusal


@pytest.fixture
def failing(monkeypatch):
    """Makes `pbem list` raise what a test wants."""

    def arm(error):
        def fail():
            raise error

        monkeypatch.setattr("pbem.cli.gamelist.open_home", fail)

    return arm


def python(*arguments, **kw):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **kw)


def test_version_is_told_without_importing_click():
    code = (
        "import sys; sys.argv = ['pbem', '--version']; "
        "from pbem.__main__ import main; main(); print('click' in sys.modules)"
    )
    assert python("-c", code).stdout.splitlines() == [f"pbem {__version__}", "False"]


def test_verify_imports_neither_schemas_nor_the_home():
    code = (
        "import sys; import pbem.cli.verifying, pbem.cli.run; "
        "print([m for m in sys.modules if m.startswith(('jsonschema', 'pbem.home', 'email'))])"
    )
    assert python("-c", code).stdout.strip() == "[]"


def test_the_real_program_starts():
    done = python("-m", "pbem", "nonsense")
    assert done.returncode == 2
    assert "no command" in done.stderr
    assert python("-m", "pbem").stdout.startswith("Usage: pbem")


def test_every_command_has_help_and_examples():
    ctx = click.Context(cli, info_name="pbem")
    for section in SECTIONS.values():
        for name in section:
            stack = [cli.get_command(ctx, name)]
            while stack:
                command = stack.pop()
                if isinstance(command, click.Group):
                    stack.extend(command.commands.values())
                    continue
                text = command.get_help(click.Context(command, info_name=name))
                assert "Examples:" in text, name
                assert f"pbem {name}" in text, name


def test_help_lists_every_command(tmp_path):
    text = pbem("--help", home=tmp_path).out
    for section in SECTIONS.values():
        for name in section:
            assert f"\n  {name} " in text
    codes = " ".join(text.partition("Exit codes")[2].split())
    assert codes == (
        "of all commands: 0 done; 1 refused, not verified, or not all of it worked; 2 wrong usage; 70 a fault in pbem "
        "or in a game; 130 interrupted."
    )


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("stats",), "pbem status"),
        (("verify",), "FILE"),
        (("send",), "GAME"),
        (("verify", "--jobs", "0", "x"), "--jobs"),
        (("open", "no-such-file.pbem"), "no file"),
        (("open", "."), "folder"),
        (("new", "bridgehead", "--seat", "blue"), "SEAT=WHO"),
        (("rule", "x", "forfeit", "--yes"), "--seat"),
    ],
)
def test_wrong_usage_is_told_apart(tmp_path, arguments, hint):
    done = pbem(*arguments, home=tmp_path / "home")
    assert done.code == 2
    assert hint in done.err


def test_a_refusal_is_one_calm_escaped_line(tmp_path, failing):
    failing(Refusal("E-DECK", "By \x1b[31mBob\nRefused: E-FAKE. No", step="LOG-1"))
    done = pbem("list", home=tmp_path)
    assert done.code == 1
    assert done.err == "Refused: By \\x1b[31mBob\\nRefused: E-FAKE. No [E-DECK, LOG-1]\n"
    assert done.out == ""


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (Incomplete("A record is missing.", (b"x",)), 1, "E-INCOMPLETE"),
        (OSError(errno.ENOSPC, "No space left"), 1, "E-NO-WRITE"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), 1, "E-NO-WRITE"),
        (OSError(errno.EIO, "Input/output error"), 1, "E-DISK"),
        (KeyError("surprise"), 70, "E-INTERNAL"),
        (RecursionError(), 70, "E-INTERNAL"),
        (MemoryError(), 70, "E-INTERNAL"),
    ],
)
def test_no_outcome_is_a_traceback(tmp_path, failing, error, code, reason):
    failing(error)
    done = pbem("list", home=tmp_path)
    assert (done.code, done.reason) == (code, reason)


def test_a_fault_in_a_game_is_not_called_one_in_pbem(tmp_path, failing):
    failing(GameError("ferry", "loading", "apply returned None"))
    done = pbem("list", home=tmp_path)
    assert (done.code, done.reason) == (70, "E-INTERNAL")
    assert "This is a fault in the game ferry (step loading: apply returned None); nothing was sealed" in done.err
    assert done.err.endswith("send the report to the author of the game. [E-INTERNAL]\n")


def test_interruption_has_its_own_exit_code(tmp_path, failing):
    failing(KeyboardInterrupt())
    assert pbem("list", home=tmp_path).code == 130
