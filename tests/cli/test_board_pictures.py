"""`pbem board --svg`, `--html`, `--at`, `--seat`: what a player gets, and what nobody is shown."""

from __future__ import annotations

from xml.etree import ElementTree

from homes import exchange
from shapes import fits


def test_a_picture_and_a_page(moving, tmp_path):
    alice, _, name = moving
    svg, page = tmp_path / "board.svg", tmp_path / "board.html"
    done = alice("board", name, "--svg", str(svg), "--html", str(page), "--json")
    assert fits("board", done.json)["files"] == [str(svg), str(page)]
    assert ElementTree.fromstring(svg.read_text(encoding="utf-8")).tag.endswith("}svg")
    assert "prefers-color-scheme" in page.read_text(encoding="utf-8")
    first = svg.read_bytes()
    alice("board", name, "--svg", str(svg))
    assert svg.read_bytes() == first


def test_no_unit_covers_another_where_the_game_does_not_say_so(moving, tmp_path):
    alice, _, name = moving
    assert "E-LACKS" in alice("board", name, "--covered", "--svg", str(tmp_path / "b.svg"), code=1).err
    assert "--svg FILE" in alice("board", name, "--covered", code=2).err


def test_the_draft_is_in_it_but_not_for_everybody(moving, tmp_path):
    alice, _, name = moving
    public, own = tmp_path / "public.svg", tmp_path / "own.svg"
    alice("board", name, "--public", "--svg", str(public))
    before = public.read_bytes()
    alice("order", name, alice("legal", name, "move", "--json").json["orders"][0])
    alice("board", name, "--svg", str(own))
    alice("board", name, "--public", "--svg", str(public))
    assert public.read_bytes() == before
    assert b"moved" in own.read_bytes()


def test_everybody_sees_the_same_public_board_and_his_own_hand(moving, tmp_path):
    alice, bob, name = moving
    pictures = {}
    for player in (alice, bob):
        for option in ((), ("--public",)):
            path = tmp_path / f"{player.home.name}{len(option)}.svg"
            player("board", name, *option, "--theme", "light", "--svg", str(path))
            pictures[player.home.name, bool(option)] = path.read_text(encoding="utf-8")
    assert pictures["alice", True] == pictures["bob", True]
    assert len(set(pictures.values())) == 3
    hand = [line.split()[0] for line in bob("board", name).out.split("Red's hand:")[1].strip().splitlines()]
    assert hand
    assert "Red's hand" not in pictures["alice", False]


def test_an_earlier_moment(moving, tmp_path):
    alice, bob, name = moving
    records = [line.split()[0] for line in alice("log", name).out.splitlines() if line[:1].isdigit()]
    pictures = []
    for player in (alice, bob):
        path = tmp_path / f"{player.home.name}.svg"
        player("board", name, "--public", "--at", records[-3], "--svg", str(path))
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    early = alice("board", name, "--at", records[0], "--svg", str(tmp_path / "x.svg"), code=1)
    assert early.reason == "E-NOT-NOW"
    for strange in ("9:9", "first", "0:999999", "-1", "0:0:0"):
        refused = alice("board", name, "--at", strange, "--svg", str(tmp_path / "x.svg"), code=1)
        assert refused.reason == "E-UNKNOWN"
    assert not (tmp_path / "x.svg").exists()


def test_only_ones_own_seats(moving, tmp_path):
    alice, _, name = moving
    path = tmp_path / "board.svg"
    assert alice("board", name, "--seat", "red", "--svg", str(path), code=1).reason == "E-SEAT"
    assert not path.exists()
    alice("board", name, "--seat", "blue", "--svg", str(path))
    alice("board", name, "--seat", "blue", "--public", "--svg", str(path), code=2)
    alice("board", name, "--seat", "blue", code=2)


def test_nothing_else_is_overwritten(moving, tmp_path):
    alice, _, name = moving
    path = tmp_path / "notes.svg"
    path.write_text("my notes", encoding="utf-8")
    assert alice("board", name, "--svg", str(path), code=1).reason == "E-EXISTS"
    assert path.read_text(encoding="utf-8") == "my notes"
    assert alice("board", name, "--svg", str(tmp_path / "no" / "where.svg"), code=1).reason == "E-DISK"


def test_a_finished_game_is_shown_as_everybody_may_see_it(moving, tmp_path):
    alice, bob, name = moving
    alice("resign", name, "--yes")
    exchange(alice, bob)
    bob("open", str(alice.outbox()[-1]))
    paths = [tmp_path / "own.svg", tmp_path / "public.svg"]
    alice("board", name, "--svg", str(paths[0]))
    alice("board", name, "--public", "--svg", str(paths[1]))
    assert paths[0].read_bytes() == paths[1].read_bytes()
