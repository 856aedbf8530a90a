"""The published site of a tournament in a real browser: its style counts, it fits a phone, it asks for nothing else."""

from __future__ import annotations

from hashlib import sha256

import pytest

from pbem.cli.umpiring.website import show
from pbem.protocol.card import make_card
from pbem.protocol.keys import Keys
from pbem.umpire.db.database import Store
from pbem.umpire.db.deskrows import BlobRow, insert
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.site.publish import publish
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk
from tests.browser.pages import archived

AT = 1_800_000_000
TERMS = b"""v = 1
title = "Spring Championship of the Bridgehead Society"
name = "spring"
game = "bridgehead"
mode = "umpire"
format = "swiss"
seeding = "given"
rounds = 3
[clock]
move = "2d"
bank = "5d"
"""
NAMES = ("Ann Abel", "B" * 60, "Wolfeschlegelsteinhausen Bergerdorff the Elder", "Dan <script>alert(1)</script>", "Eve")
PAGES = (
    "index.html", "standings.html", "rounds/1.html", "players.html", "players/2.html", "games.html", "games/1-1.html",
    "games/1-2.html", "games/1-1-log.html", "dice.html",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """One game with an archive and a ledger, one that is played."""
    folder = tmp_path_factory.mktemp("site")
    cards = [
        make_card(Keys(sha256(name.encode()).digest()), name, f"{n}@example.org", AT)
        for n, name in enumerate(("Una", *NAMES))
    ]
    desk = UmpireDesk(Store.open(folder / "desk.db"), actor="Una", clock=lambda: AT)
    desk.create(parse(TERMS), cards[0], [NewEntrant(card, 1_500, 200) for card in cards[1:]])
    one, two, _ = desk.pair("spring").pairings
    raw = archived("bridgehead")
    digest = sha256(raw).digest()
    with desk.store.writing("Una", AT) as writing:
        insert(writing.db, BlobRow(digest, raw))
        writing.record("published", {"round": 1, "tournament": 1})
        for row in (one, two):
            mark = bytes([row.board]) * 32
            moves = [[row.first, "orders", AT, AT + 90_061 * n, AT, 90_061 * n, mark, "250 taken"] for n in range(12)]
            owed = [[row.second, "orders", AT, AT, False, "250 taken"]]
            writing.record("offered", {"at": AT, "expires": AT, "game": "g", "offer": mark, "pairing": row.id})
            read = {"began_at": AT, "extensions": [], "moves": moves, "owed": owed, "pairing": row.id, "since": 1}
            writing.record("read", read)
        writing.record("archived", {"pairing": one.id, "sha256": digest, "size": len(raw), "whole": True})
        result = {"decided": True, "first_points": 1, "how": "adjudged", "second_points": 1, "text": "by count"}
        writing.record("result", {"pairing": one.id, **result})
    done = publish(desk, folder / "site", ["spring"], at=AT + 86_400, show=show)
    desk.store.close()
    assert not done.faults
    return folder / "site"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_needs_nothing_but_itself(chromium, site, page, width):
    chromium.size(width, 900)
    chromium.open(site / page)
    assert chromium.complaints() == []
    assert {each.partition("/site/")[2] for each in chromium.requests()} == {page}
    wide, window = chromium.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= window == width
    least = chromium.run(
        "return Math.min(...[...document.querySelectorAll('nav a')].map(each => each.getBoundingClientRect().height))"
    )
    assert least >= 24  # the least that a finger should have to hit


@pytest.mark.parametrize("page", ["index.html", "games/1-1.html"])
def test_light_and_dark_can_both_be_read(chromium, site, page):
    """Contrast of all that is written, against the nearest ground that is not transparent: 4.5 at least."""
    measure = """
        const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => v / 255)
            .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b }
        const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor
            if (!/, 0\\)$/.test(c)) return c } return 'rgb(255, 255, 255)' }
        return [...document.querySelectorAll('main *, header *, footer')].filter(e => e.innerText && !e.children.length)
            .map(e => { const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x)
                return [(a + .05) / (b + .05), e.innerText.slice(0, 40)] }).sort((x, y) => x[0] - y[0])[0]"""
    for dark in (False, True):
        chromium.size(1280, 900, dark=dark)
        chromium.open(site / page)
        least, words = chromium.run(measure)
        assert least >= 4.5, (dark, words)


def test_the_replay_of_the_site_runs(chromium, site):
    chromium.size(1280, 900)
    chromium.open(site / "games/1-1-replay.html")
    assert chromium.complaints() == []
    assert chromium.run("return document.querySelectorAll('#board g[data-layer] *').length") > 50
