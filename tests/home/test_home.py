"""Where a home lies on each system."""

from pathlib import Path

import pytest
from desks import start, two

from pbem.home import Home, HomeError, orders, sending, summary
from pbem.home.disk import Disk, Paths, default_root
from pbem.home.people import Cost

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


@pytest.mark.parametrize("folder", ["Dropbox", "OneDrive - Club", "iCloud Drive"])
def test_a_home_in_a_synced_folder_is_refused_until_its_owner_says_that_it_is_theirs_alone(tmp_path, folder):
    home = Home(tmp_path / folder / "pbem", ask=lambda _: "", cost=Cost(2, 8, 1))
    with pytest.raises(HomeError, match="several computers") as caught:
        home.new_identity("Alice", "", "")
    assert not home.root.exists()
    mark = caught.value.sentence.split(" make an empty file ")[1].removesuffix(" and go on.")
    home.root.mkdir(parents=True)
    Path(mark).touch()
    assert home.new_identity("Alice", "", "").card.name == "Alice"


def test_a_home_on_a_file_system_of_the_network_is_refused():
    mounts = "/dev/sda1 / ext4 rw 0 0\nserver:/x /home nfs4 rw 0 0\n/dev/sdb /home/ann/my\\040disk ext4 rw 0 0\n"
    with pytest.raises(HomeError, match="nfs4"):
        Paths(Path("/home/ann/pbem")).check_place(mounts)
    Paths(Path("/home/ann/my disk/pbem")).check_place(mounts)
    Paths(Path("/homely/pbem")).check_place(mounts)
    Paths(Path("/home/ann/pbem")).check_place("")


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
