"""Where a home lies on each system."""

from pathlib import Path

from pbem.table.disk import Disk
from pbem.table.home import Home, default_root

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
    home = Home(tmp_path / "deep" / "home")
    home.prepare(Disk())
    home.prepare(Disk())
    assert {path.name for path in home.root.iterdir()} >= {"identities", "contacts", "games", "outbox", "waiting"}
