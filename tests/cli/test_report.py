"""`pbem report`, and the page that goes with a mailed turn."""

from __future__ import annotations

import re
from email import policy
from email.parser import BytesParser

import pytest
from homes import copied, exchange
from shapes import fits


@pytest.fixture(scope="session")
def _some_turns(_two_at_the_table, tmp_path_factory):
    """The game of the two, some turns on."""
    place = tmp_path_factory.mktemp("turns") / "two"
    alice, bob, name = copied(_two_at_the_table, place)
    for _ in range(9):
        for player in (alice, bob):
            if player("list", "--json").json["games"][0]["my_move"]:
                player("bot", name)
                player("send", name, "--yes")
                exchange(alice, bob)
    return place, name


@pytest.fixture
def played(tmp_path, _some_turns):
    return copied(_some_turns, tmp_path / "two")


def test_a_report_tells_the_last_part_and_what_is_owed(played, tmp_path):
    alice, _, name = played
    path = tmp_path / "report.html"
    done = fits("report", alice("report", name, "-o", str(path), "--json").json)
    page = path.read_text(encoding="utf-8")
    assert done["parts"]
    assert "What happened" in page
    assert 'class="owed"' in page
    assert not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)", page)
    first = path.read_bytes()
    alice("report", name, "-o", str(path))
    assert path.read_bytes() == first


def test_a_whole_turn_by_its_number(played, tmp_path):
    alice, bob, name = played
    pages = []
    for player in (alice, bob):
        path = tmp_path / f"{player.home.name}.html"
        done = player("report", name, "--turn", "1", "--public", "-o", str(path), "--json").json
        pages.append(path.read_bytes())
        assert done["title"].endswith("turn 1")
        assert len(done["parts"]) == 2
    assert pages[0] == pages[1]
    assert b"What happened" in pages[0]
    assert alice("report", name, "--turn", "77", "-o", str(tmp_path / "x.html"), code=1).reason == "E-UNKNOWN"
    assert not (tmp_path / "x.html").exists()


def test_a_mailed_turn_brings_a_page_that_shows_nothing_hidden(played, tmp_path):
    alice, bob, name = played
    mover, reader = (alice, bob) if alice("list", "--json").json["games"][0]["my_move"] else (bob, alice)
    mover("bot", name)
    mails = [tmp_path / "first.eml", tmp_path / "again.eml"]
    for mail in mails:
        mover("send", name, "--yes", "--eml", "-o", str(mail))
    assert mails[0].read_bytes() == mails[1].read_bytes()
    message = BytesParser(policy=policy.default).parsebytes(mails[0].read_bytes())
    page = next(part for part in message.iter_attachments() if part.get_content_type() == "text/html").get_content()
    assert "s hand</h2>" not in page
    reader("open", str(mails[0]))


def test_nothing_is_told_before_the_start(two, tmp_path):
    alice, _, name = two
    path = tmp_path / "r.html"
    alice("report", name, "-o", str(path))
    assert "<h1>" in path.read_text(encoding="utf-8")
