"""What the shell and `man` know of pbem."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import click
import pytest
from homes import pbem, settle

from pbem.cli.manual import roff, walk
from pbem.cli.run import cli

REQUESTS = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".EX", ".EE"}


def completed(home, words, shell="bash"):
    """What Tab offers after these words."""
    typed = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    if shell == "fish":
        typed = {"COMP_WORDS": " ".join(words), "COMP_CWORD": words[-1]}
    environ = os.environ | {"PBEM_HOME": str(home), "_PBEM_COMPLETE": f"{shell}_complete", **typed}
    done = subprocess.run([sys.executable, "-m", "pbem"], env=environ, capture_output=True, text=True, check=True)
    return {line.split(",")[-1].split("\t")[0] for line in done.stdout.splitlines() if line}


def test_every_command_is_in_the_manual(tmp_path):
    page = pbem("manual", home=tmp_path).out
    assert page.startswith(".TH PBEM 1 ")
    for path, command in walk(cli):
        assert f"\n.SS pbem {roff(' '.join(path))}\n" in page
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert roff(option.opts[-1]) in page, (path, option)


def test_the_manual_has_no_requests_but_its_own(tmp_path):
    lines = pbem("manual", home=tmp_path).out.splitlines()
    assert {line.split(" ")[0] for line in lines if line.startswith((".", "'"))} <= REQUESTS
    assert set(re.findall(r"\\.", "\n".join(lines))) <= {r"\-", r"\e", r"\&", r"\f"}
    if groff := shutil.which("groff"):
        done = subprocess.run([groff, "-man", "-ww", "-z"], input="\n".join(lines), capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "shown"), [("--json", r"\-\-json"), (".pbem", r"\&.pbem"), ("'x'", r"\&'x'"), ("a\\b", r"a\eb")]
)
def test_text_in_the_manual_is_only_text(text, shown):
    assert roff(text) == shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(tmp_path, shell):
    script = pbem("completions", shell, home=tmp_path).out
    assert f"_PBEM_COMPLETE={shell}_complete" in script
    assert pbem("completions", "csh", home=tmp_path).code == 2


def test_tab_offers_commands_options_and_choices(tmp_path):
    assert completed(tmp_path, ["pbem", "sta"]) == {"standing", "status"}
    assert completed(tmp_path, ["pbem", "mail", "s"]) == {"setup", "status", "sync"}
    assert "--json" in completed(tmp_path, ["pbem", "status", "--j"])
    assert completed(tmp_path, ["pbem", "completions", "f"], "fish") == {"fish"}


def test_tab_offers_installed_games_and_your_own(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    name = alice("new", "bridgehead", "--mode", "open", "--seat", "blue=me", "--seat", "red=me", "--json").json["game"]
    assert completed(alice.home, ["pbem", "new", "brid"]) == {"bridgehead"}
    assert completed(alice.home, ["pbem", "status", "b"]) == {name}
    assert completed(alice.home, ["pbem", "send", "b"]) == {name}
    assert completed(tmp_path / "nobody", ["pbem", "send", "b"]) == set()
    assert not (tmp_path / "nobody").exists()


def test_bash_itself_completes(tmp_path):
    script = tmp_path / "completions"
    script.write_text(pbem("completions", "bash", home=tmp_path).out)
    shim = tmp_path / "pbem"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem "$@"\n')
    shim.chmod(0o755)
    asked = 'COMP_WORDS=(pbem takeb); COMP_CWORD=1; _pbem_completion pbem takeb; echo "${COMPREPLY[@]}"'
    environ = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PBEM_HOME": str(tmp_path)}
    done = subprocess.run(
        ["bash", "--norc", "-c", f". {script}; {asked}"], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "takeback"
