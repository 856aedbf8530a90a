"""`pbem demo` shows what it promises, and a seed repeats it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from homes import pbem
from shapes import fits

from pbem.cli.demo import Demo, run
from pbem.home import summary


def test_the_demonstration_shows_what_it_promises(finished):
    folder, report = finished
    fits("demo", report)
    assert report["ok"]
    assert [cheat["code"] for cheat in report["cheats"]] == ["E-SIGNATURE", "E-PREV", "E-FORK", "E-ORDER"]
    assert all(cheat["unchanged"] for cheat in report["cheats"])
    assert report["verdict"]["audited"]
    assert report["verdict"]["result"]
    assert report["mails"]["human"]["count"] > 20
    assert report["mails"]["automatic"]["count"] > 10
    mails = sorted((folder / "mail").iterdir())
    assert len(mails) == report["mails"]["human"]["count"] + report["mails"]["automatic"]["count"]
    assert all("-----BEGIN PBEM FILE-----" in mail.read_text() for mail in mails)
    assert {"alice", "bob"} <= {path.name for path in folder.iterdir()}


def test_a_seed_repeats_it_to_the_byte_in_another_process(finished, tmp_path):
    _, report = finished
    environ = {**os.environ, "PYTHONHASHSEED": "77", "PBEM_HOME": str(tmp_path / "unused")}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "demo", "--seed", "5", "--dir", str(tmp_path / "again")],
        capture_output=True,
        text=True,
        check=True,
        env=environ,
        timeout=120,
    )
    assert report["archive_sha256"] in done.stdout
    assert "4 of 4 frauds refused." in done.stdout
    assert not (tmp_path / "unused").exists()
    left = {path.name for path in (tmp_path / "again").iterdir()}
    assert any("archive" in name for name in left)
    assert not left & {"alice", "bob", "mail"}


def test_it_does_not_work_in_a_folder_with_something_in_it(tmp_path):
    (tmp_path / "mine").write_text("precious")
    done = pbem("demo", "--dir", str(tmp_path), home=tmp_path / "home")
    assert done.code == 2
    assert (tmp_path / "mine").read_text() == "precious"


@pytest.mark.slow
def test_a_game_ends_in_which_everybody_has_seen_a_card_that_goes_back(tmp_path, some):
    """Stolen and then thrown away face down: the deck takes it in as an open card."""
    for chosen in some([14, 17, 20], 3):
        folder = tmp_path / str(chosen)
        folder.mkdir()
        demo = Demo(folder, chosen, lambda *_, **__: None)
        demo.introduce()
        name = demo.found("bridgehead", {"blue": "alice", "red": "bob"})
        demo.play(name, lambda _: True)
        assert {summary.row(desk, name).stage for desk in demo.homes.values()} == {"over"}


def test_it_says_its_seed_before_anything_can_fail(tmp_path, monkeypatch, capsys):
    def fails(*_):
        raise RuntimeError("stuck")

    monkeypatch.setattr(Demo, "introduce", fails)
    with pytest.raises(RuntimeError):
        run(tmp_path, 33)
    assert "pbem demo --seed 33" in capsys.readouterr().out
