"""Where a home lies on each system."""

from pathlib import Path

import pytest
from desks import start, two

from pbem.home import HomeError, orders, sending, summary
from pbem.home.disk import Disk, Paths, default_root

USER = Path("/u")


def test_the_platforms_folders():
    assert default_root({}, "linux", USER) == Path("/u/.local/share/pbem")
    assert default_root({"XDG_DATA_HOME": "/data"}, "linux", USER) == Path("/data/pbem")
    assert default_root({"XDG_DATA_HOME": "relative"}, "linux", USER) == Path("/u/.local/share/pbem")
    assert default_root({}, "darwin", USER) == Path("/u/Library/Application Support/pbem")
    assert default_root({"APPDATA": "/u/Roaming"}, "win32", USER) == Path("/u/Roaming/pbem")


def test_the_environment_comes_first():
    for platform in ("linux", "darwin", "win32"):
        assert default_root({"PBEM_HOME": "/here"}, platform, USER) == Path("/here")
    assert default_root({"PBEM_HOME": ""}, "linux", USER) == Path("/u/.local/share/pbem")


def test_prepare_makes_every_folder_and_may_be_repeated(tmp_path):
    home = Paths(tmp_path / "deep" / "home")
    home.prepare(Disk())
    home.prepare(Disk())
    assert {path.name for path in home.root.iterdir()} >= {"identities", "contacts", "games", "outbox", "waiting"}


def test_a_home_of_an_earlier_format_is_refused_in_one_sentence(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    (tmp_path / "alice" / "format").unlink()
    for act in (
        lambda: summary.rows(alice),
        lambda: sending.send(alice, name).posted,
        lambda: orders.order(alice, name, ["rest"]),
    ):
        with pytest.raises(HomeError) as caught:
            act()
        assert caught.value.code == "E-VERSION"
        assert "move the folder" in str(caught.value)
    (tmp_path / "alice" / "games").rename(tmp_path / "old")
    assert summary.rows(alice) == []
    alice.new_identity("Another", "", "")
    assert (tmp_path / "alice" / "format").exists()
