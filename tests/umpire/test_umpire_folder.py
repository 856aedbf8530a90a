"""Links that somebody laid into the folder that is published lead nowhere."""

import os

import pytest

from pbem.umpire import UmpireError
from pbem.umpire.site.publish import FRESH, LIST, LOCK, publishing


def publish(root):
    with publishing(root) as folder:
        folder.put("index.html", b"page")
        folder.put("games/1.html", b"game")
        folder.finish()


@pytest.mark.parametrize("name", [FRESH, LOCK, LIST, f"{LIST}.new", "index.html", "games"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_nothing_is_written_through_a_link(tmp_path, name, link):
    root, outside = tmp_path / "site", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    theirs = outside / "theirs"
    theirs.write_text("theirs")
    folder = link is os.symlink and name in (FRESH, "games")
    link(outside if folder else theirs, root / name)
    if name == f"{LIST}.new":
        publish(root)
    else:
        with pytest.raises(UmpireError) as caught:
            publish(root)
        assert caught.value.code == "E-UMPIRE-SITE"
        assert not (root / "index.html").exists() or name == "index.html"
    assert theirs.read_text() == "theirs"
    assert [each.name for each in outside.iterdir()] == ["theirs"]


def test_it_publishes_where_nobody_meddles(tmp_path):
    publish(tmp_path)
    publish(tmp_path)
    assert (tmp_path / "games" / "1.html").read_bytes() == b"game"
