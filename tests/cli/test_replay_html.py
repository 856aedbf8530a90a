"""`pbem replay --html`: a page for what was verified, and none for what was not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from homes import exchange, pbem
from shapes import fits

from pbem.cli import replaying
from pbem.protocol.container import Item, ItemType, read, write_stream


def replayed(tmp_path, *arguments, home="nobody", **more):
    return pbem("replay", *map(str, arguments), home=tmp_path / home, **more)


@pytest.fixture
def archive(finished):
    return Path(finished[1]["archive"])


def test_a_whole_game_becomes_a_page_without_a_home(archive, tmp_path):
    path = tmp_path / "game.html"
    done = replayed(tmp_path, archive, "--html", "-o", path, "--json")
    told = fits("replay", done.json)
    assert told["verdict"]["audited"]
    assert told["steps"] > 20
    page = path.read_text(encoding="utf-8")
    state, game = told["verdict"]["state"], told["verdict"]["game"]
    assert f"<dd>{state}</dd>" in page
    assert f"Verified: state {state[:8]}…{state[-8:]}" in page
    assert all(player["name"] in page for player in game["players"])
    assert "Everything hidden has been revealed and checked." in page
    assert "Not verified" not in page
    assert not (tmp_path / "nobody").exists()


def test_the_same_archive_gives_the_same_bytes(archive, tmp_path):
    pages = []
    for name in ("one.html", "two.html"):
        assert replayed(tmp_path, archive, "--html", "-o", tmp_path / name).code == 0
        pages.append((tmp_path / name).read_bytes())
    copy = tmp_path / "elsewhere.pbem"
    copy.write_bytes(archive.read_bytes())
    assert replayed(tmp_path, copy, "--html", "-o", tmp_path / "three.html").code == 0
    assert {*pages, (tmp_path / "three.html").read_bytes()} == {pages[0]}
    assert len(pages[0]) < 3 << 20


def test_a_page_that_nobody_named_lies_in_this_folder_and_takes_no_other_ones_place(archive, tmp_path, monkeypatch):
    here, elsewhere = tmp_path / "here", tmp_path / "archives"
    here.mkdir()
    elsewhere.mkdir()
    copy = elsewhere / "solo.pbem"
    copy.write_bytes(archive.read_bytes())
    monkeypatch.chdir(here)
    assert "Written: solo.html (" in replayed(tmp_path, copy, "--html").out
    page = (here / "solo.html").read_bytes()
    assert replayed(tmp_path, copy, "--html").code == 0  # the same again is no harm
    assert list(elsewhere.iterdir()) == [copy]
    older = page.replace(b"<html", b"<html class='older'", 1)
    (here / "solo.html").write_bytes(older)
    refused = replayed(tmp_path, copy, "--html")
    assert refused.reason == "E-EXISTS"
    assert (here / "solo.html").read_bytes() == older
    assert replayed(tmp_path, copy, "--html", "-o", "solo.html").code == 0
    assert (here / "solo.html").read_bytes() == page


def test_a_long_game_has_a_page_for_each_chapter_and_a_list_of_them(archive, tmp_path, monkeypatch):
    whole = tmp_path / "whole.html"
    steps = replayed(tmp_path, archive, "--html", "-o", whole, "--json").json["steps"]
    told = replaying.told_of
    monkeypatch.setattr(
        replaying,
        "told_of",
        lambda *given: (replace(step, chapter=f"Turn <{step.turn // 3}>") for step in told(*given)),
    )
    path = tmp_path / "game.html"
    done = replayed(tmp_path, archive, "--html", "-o", path)
    pages = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("game-*.html")}
    assert f"Written: {path} ({steps} steps" in done.out
    assert all(f"Written: {tmp_path / name} (" in done.out for name in pages)
    contents = path.read_text(encoding="utf-8")
    links = dict(re.findall(r'<li><a href="([^"]+)">([^<]+)</a>', contents))
    assert list(links) == [f"game-{number}.html" for number in range(1, len(pages) + 1)] == sorted(pages)
    assert links["game-1.html"].startswith("Turn &lt;0&gt;: ")
    assert "Verified" in contents
    assert "<script" not in contents
    held = [
        len(json.loads(re.search(r'id="game">(.*?)</script>', page, re.DOTALL)[1])["steps"]) for page in pages.values()
    ]
    assert sum(held) == steps
    assert all('<a href="game.html">All pages</a>' in page for page in pages.values())
    assert '<a href="game-1.html">Turn &lt;0&gt;</a>' in pages["game-2.html"]
    assert whole.read_text(encoding="utf-8").count('id="game"') == 1


def test_a_refused_archive_gives_the_refusal_and_no_page(archive, tmp_path):
    items = list(read(archive.read_bytes()))
    at = next(n for n, item in enumerate(items) if n > 30 and item.type is ItemType.RECORD)
    raw = bytearray(items[at].raw)
    raw[-5] ^= 4
    items[at] = Item(ItemType.RECORD, bytes(raw))
    changed, path = tmp_path / "changed.pbem", tmp_path / "page.html"
    changed.write_bytes(b"".join(write_stream(items)))
    done = replayed(tmp_path, changed, "--html", "-o", path)
    assert done.code == 1
    assert "E-SIGNATURE" in done.out
    assert "No page was written" in done.out
    refused = replayed(tmp_path, changed, "--html", "-o", path, "--json")
    assert refused.code == 1
    told = fits("replay", refused.json)
    assert (told["file"], told["steps"], told["verdict"]["first_bad"]["code"]) == (None, 0, "E-SIGNATURE")
    empty = tmp_path / "empty.pbem"
    empty.write_bytes(b"")
    assert replayed(tmp_path, empty, "--html", "-o", path).code == 1
    assert not path.exists()


@pytest.fixture
def running(moving, tmp_path):
    """A game after both players' secret choices, as Alice archives it."""
    alice, _, name = moving
    path = tmp_path / "running.pbem"
    alice("archive", name, "-o", str(path))
    return path


def test_what_is_still_sealed_is_said_to_be(running, tmp_path):
    page = tmp_path / "page.html"
    done = replayed(tmp_path, running, "--html", "-o", page)
    assert done.code == 0
    text = page.read_text(encoding="utf-8")
    assert "<dt>Not verified</dt>" in text
    assert "Verified as far as it is open" in text
    assert re.search(r"<dt>Waiting for</dt><dd>[^<]+: orders\.</dd>", text)
    assert "'s hand" not in text


def test_a_seat_of_ones_own_sees_its_hand(moving, running, tmp_path):
    alice, bob, _ = moving
    pages = {}
    for player, seat in ((alice, "blue"), (bob, "red")):
        page = tmp_path / f"{seat}.html"
        player("replay", str(running), "--html", "-o", str(page), "--seat", seat)
        pages[seat] = page.read_text(encoding="utf-8")
        other = {"blue": "red", "red": "blue"}[seat]
        assert player(
            "replay", str(running), "--html", "-o", str(tmp_path / "x.html"), "--seat", other, code=1
        ).reason == ("E-SEAT")
    assert "Blue&#39;s hand" in panels(pages["blue"])
    assert "Red&#39;s hand" not in panels(pages["blue"])
    assert "Red&#39;s hand" in panels(pages["red"])
    assert "Seen by" in pages["blue"]
    stranger = replayed(tmp_path, running, "--html", "-o", tmp_path / "x.html", "--seat", "blue")
    assert stranger.reason == "E-UNKNOWN"
    assert not (tmp_path / "x.html").exists()


def panels(page):
    found = re.search(r'id="game">(.*?)</script>', page, re.DOTALL)
    return "".join(json.loads(found[1])["elements"])


def test_messages_and_acts_are_told(two, tmp_path):
    alice, bob, name = two
    alice("note", name, "Good luck <b>Bob</b>")
    alice("resign", name, "--yes")
    exchange(alice, bob)
    path, page = tmp_path / "resigned.pbem", tmp_path / "page.html"
    alice("archive", name, "-o", str(path))
    alice("replay", str(path), "--html", "-o", str(page))
    texts = json.loads(re.search(r'id="game">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1])["texts"]
    assert "Alice Kern resigns for blue." in texts
    assert "Alice Kern writes: Good luck <b>Bob</b>" in texts


@pytest.mark.parametrize(
    "wrong", [("--html", "--all"), ("--html", "--at", "3"), ("-o", "x.html"), ("--seat", "blue", "--all")]
)
def test_wrong_usage(archive, tmp_path, wrong):
    assert replayed(tmp_path, archive, *wrong).code == 2


def test_it_is_opened_where_it_was_written(archive, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("click.launch", opened.append)
    done = replayed(tmp_path, archive, "--open", "--json")
    path = fits("replay", done.json)["file"]
    assert opened == [Path(path).resolve().as_uri()]
    assert Path(path).read_bytes().startswith(b"<!doctype html>")
    Path(path).unlink()
    assert replayed(tmp_path, archive, "--open", "--all").code == 2


def test_a_pipe_needs_a_name_for_the_page(archive, tmp_path):
    raw = archive.read_bytes()
    assert replayed(tmp_path, "-", "--html", stdin=raw).code == 2
    path = tmp_path / "piped.html"
    assert replayed(tmp_path, "-", "--html", "-o", path, stdin=raw).code == 0
    assert path.read_bytes().startswith(b"<!doctype html>")


def test_nothing_else_is_overwritten(archive, tmp_path):
    path = tmp_path / "notes.html"
    path.write_text("my notes", encoding="utf-8")
    assert replayed(tmp_path, archive, "--html", "-o", path).reason == "E-EXISTS"
    assert path.read_text(encoding="utf-8") == "my notes"
