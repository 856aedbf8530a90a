"""What is published: pages that are sound, tables that say the same, and nothing that nobody should read."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from base64 import b64encode
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import pytest
from halls import DAY, TERMS, Hall, duel
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.cli.umpiring.website import show
from pbem.home.disk import HomeError, Lock
from pbem.protocol.card import make_card, parse_card
from pbem.protocol.characters import check_line
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.words import fingerprint
from pbem.umpire import UmpireError
from pbem.umpire.addresses import HIDDEN, Hide
from pbem.umpire.db.database import Store
from pbem.umpire.db.deskrows import ArchiveRow, BlobRow, find, update
from pbem.umpire.entrants import NewEntrant, read_entrants
from pbem.umpire.site.pages import environment
from pbem.umpire.site.publish import LIST, publish
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk

NAMES = ("Alice <b>Kern</b>", "Bob bob@example.org", "=Carla Diaz", 'Dan "Ek"', "Eve Fox & Söhne")
SECRET = "Ill since Tuesday"
ODD = "Somebody answers faster than anybody could"
VOID = {"meta", "link", "br", "img", "input", "hr"}
OURS = (".pbem-site.json", ".pbem-lock")


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """Five players: a round that is over, with a change by hand and a bye, and one that is played, with a ruling."""
    module = ModuleType("pbem_rules.duel")
    module.game = duel()
    sys.modules["pbem_rules.duel"] = module
    made = Hall(tmp_path_factory.mktemp("hall"), NAMES)
    made.found(format="swiss", more="rounds = 3\nseed = 'site'")
    desk, name = made.desk, made.name
    desk.pair(name)
    one, other = (each.first for each in desk.rounds(name)[0].pairings[:2])
    desk.adjust(name, "swap", str(one), str(other), "<i>Brothers</i>, says DAN@example.org")
    desk.offer(name)
    for _ in range(20):
        made.kept()
        if all(each.state == "decided" for each in desk.rounds(name)[0].pairings):
            break
        made.settle()
    made.kept()
    desk.pair(name)
    desk.offer(name)
    made.kept()
    made.carry()
    made.answer()
    made.carry()
    made.kept()
    running = next(each for each in desk.rounds(name)[1].pairings if each.state == "playing")
    desk.rule(name, running.label, "extension", who=str(running.first), why="Mail was down", seconds=DAY)
    made.kept()
    desk.withdraw(name, str(desk.rounds(name)[1].pairings[-1].first), SECRET)
    with desk.store.writing("test", made.clock()) as writing:
        data = {"entrant": 1, "kind": "timing", "mark": "fast", "pairing": running.id, "text": ODD, "weight": 5}
        writing.record("anomaly", data)
    yield made
    made.store.close()
    del sys.modules["pbem_rules.duel"]


AT = 1_767_900_000
KEEPER = make_card(Keys(b"k" * 32), "Una", "", AT)


@pytest.fixture
def empty(tmp_path):
    """New databases and folders, as many as are asked for."""

    class Empty:
        def __init__(self):
            self.count = 0

        def __call__(self):
            self.count += 1
            return Store.open(tmp_path / f"{self.count}.db")

        def folder(self):
            return tmp_path / f"site{self.count}"

    return Empty()


@pytest.fixture(scope="module")
def site(hall, tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    done = publish(hall.desk, root, [hall.name], at=AT, show=show)
    assert not done.faults
    assert done.checked == 2
    return root


def files(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def pages(root):
    return {name: raw.decode() for name, raw in files(root).items() if name.endswith(".html")}


class Page(HTMLParser):
    """Every element is closed where it should be, and nothing is where no parser would expect it."""

    def __init__(self, raw):
        super().__init__(convert_charrefs=True)
        self.open, self.links, self.ids, self.tags, self.faults, self.tables, self.words = [], [], set(), [], [], [], []
        self.feed(raw)
        self.close()
        if self.open:
            self.faults.append(f"open at the end: {self.open}")

    def handle_starttag(self, name, attributes):
        words = dict(attributes)
        if len(words) != len(attributes):
            self.faults.append(f"an attribute twice in {name}")
        self.tags.append((name, words))
        for key in ("href", "src"):
            if key in words:
                self.links.append(words[key])
        if "id" in words:
            if words["id"] in self.ids:
                self.faults.append(f"id {words['id']} twice")
            self.ids.add(words["id"])
        if name == "table":
            self.tables.append({"caption": False, "heads": 0, "widths": set(), "row": 0})
        if self.tables and self.open.count("table"):
            table = self.tables[-1]
            table["caption"] |= name == "caption"
            table["heads"] += name == "th" and words.get("scope") in ("col", "row")
            table["row"] = 0 if name == "tr" else table["row"] + (name in ("td", "th"))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        if name in VOID:
            return
        if not self.open or self.open[-1] != name:
            self.faults.append(f"</{name}> within {self.open[-3:]}")
            return
        self.open.pop()
        if name == "tr":
            self.tables[-1]["widths"].add(self.tables[-1]["row"])

    def handle_data(self, words):
        if not {"style", "script"} & set(self.open):
            self.words.append(words)


def test_every_page_is_well_formed_and_its_tables_can_be_heard(site):
    found = pages(site)
    assert {"index.html", "standings.html", "players.html", "games.html", "dice.html"} <= found.keys()
    assert {"rounds/1.html", "rounds/2.html", "players/5.html", "games/1-1.html", "games/1-1-log.html"} <= found.keys()
    for name, raw in found.items():
        page = Page(raw)
        assert not page.faults, (name, page.faults)
        if name.endswith("-replay.html"):
            continue
        assert raw.startswith('<!doctype html>\n<html lang="en">')
        assert [each for each, _ in page.tags].count("h1") == 1, name
        for table in page.tables:
            assert table["caption"], name
            assert table["heads"], name
            assert len(table["widths"]) == 1, (name, table)


def test_no_link_leads_nowhere(site):
    there = files(site)
    for name, raw in pages(site).items():
        for target in Page(raw).links:
            path, mark = urldefrag(target)
            assert "://" not in path
            whole = os.path.normpath(Path(name).parent / unquote(path)) if path else name
            assert whole in there, (name, target)
            if mark:
                assert mark in Page(there[whole].decode()).ids, (name, target)


def test_every_page_can_be_reached_from_the_first(site):
    seen, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.endswith(".html"):
            for target in Page((site / name).read_text()).links:
                path = urldefrag(target)[0]
                if path:
                    waiting.append(os.path.normpath(Path(name).parent / path))
    assert files(site).keys() - set(OURS) == seen


def test_pages_have_no_script_and_admit_their_own_style_only(site):
    for name, raw in pages(site).items():
        tags = Page(raw).tags
        (policy,) = [w["content"] for t, w in tags if w.get("http-equiv") == "Content-Security-Policy"]
        assert policy.startswith("default-src 'none';style-src 'sha256-")
        assert not any(key.startswith("on") or key == "style" for _, words in tags for key in words) or "replay" in name
        if not name.endswith("-replay.html"):
            assert "script" not in [each for each, _ in tags], name
            (style,) = re.findall(r"<style>(.*?)</style>", raw, re.DOTALL)
            assert b64encode(sha256(style.encode()).digest()).decode() in policy
            assert "url(" not in style
            assert "@import" not in style
            assert len(raw) < 40_000, name


def test_nobodys_address_or_key_is_in_any_byte(hall, site):
    cards = [parse_card(each.card) for each in hall.desk.entrants(hall.name)]
    umpire = hall.umpire.people.me().card
    whole = b"\n".join(files(site).values())
    for card in [*cards, umpire]:
        assert card.email.encode() not in whole.lower()
        for key in (card.identity, card.sign, card.seal, card.raw, card.id):
            assert key not in whole
            assert key.hex().encode() not in whole.lower()
            assert b64encode(key) not in whole
        assert fingerprint(card.identity).encode() in whole
    assert HIDDEN.encode() in page_of(hall, site, "Bob")
    assert HIDDEN.encode() in (site / "rounds/1.html").read_bytes()


def test_what_only_the_umpire_knows_is_not_published(site):
    whole = b"\n".join(files(site).values())
    assert ODD.encode() not in whole
    assert b"anomal" not in whole.lower()
    assert SECRET.encode() not in whole


def page_of(hall, site, name):
    number = next(each.number for each in hall.desk.entrants(hall.name) if name in each.name)
    return (site / f"players/{number}.html").read_bytes()


def test_names_are_text_and_never_markup(hall, site):
    for name, raw in pages(site).items():
        assert "<b>Kern" not in raw, name
        assert "<i>Brothers" not in raw, name
    assert "Alice <b>Kern</b>" in Page(page_of(hall, site, "Alice").decode()).words
    assert 'Dan "Ek"' in Page(page_of(hall, site, "Dan").decode()).words
    assert all(re.fullmatch(r"[a-z0-9./-]+", each) for each in files(site))


def test_a_game_tells_its_reasons_rulings_and_clocks(hall, site):
    running = next(each for each in hall.desk.rounds(hall.name)[1].pairings if each.state == "playing")
    words = " ".join(Page((site / f"games/{running.label.replace('.', '-')}.html").read_text()).words)
    assert "extension" in words
    assert "Mail was down" in words
    assert "owes orders" in words
    hide = Hide(())
    assert [why for why in running.why if hide(why) not in words] == []
    assert "Bank left" in words
    assert "the reason" not in words
    round_words = " ".join(Page((site / "rounds/1.html").read_text()).words)
    assert "<i>Brothers</i>, says (address)" in round_words


def test_a_running_game_shows_no_board(hall, site):
    """Only who answered when."""
    for each in hall.desk.rounds(hall.name)[1].pairings:
        made = {name for name in files(site) if name.startswith(f"games/{each.label.replace('.', '-')}")}
        assert made <= {f"games/{each.label.replace('.', '-')}.html"}


def test_a_finished_game_is_told_and_drawn_once_it_is_verified(site):
    words = " ".join(Page((site / "games/1-1.html").read_text()).words)
    assert "verified" in words
    assert "All secrets have been revealed and checked." in words
    facts = json.loads((site / "games/1-1.json").read_bytes())
    assert facts["shown"]["ok"]
    assert facts["shown"]["whole"]
    told = [" ".join(Page((site / f"games/1-{board}-log.html").read_text()).words) for board in (1, 2)]
    assert any("Every draw" in words for words in told)
    words = (site / "standings.html").read_text()
    for label, seen in re.findall(r'<a [^>]*aria-label="([^"]*)"[^>]*>([^<]*)</a>', words):
        assert seen in label  # whoever speaks to his device says what he sees
    replay = (site / "games/1-1-replay.html").read_text()
    assert "<script>" in replay
    up = re.search(r'<nav class="up" aria-label="Site">(.*?)</nav>', replay)[1]
    targets = re.findall(r'href="([^"]+)"', up)
    assert targets == ["../index.html", "1-1.html"]
    assert all((site / "games" / to).resolve().is_file() for to in targets)


def test_the_tables_are_what_their_schemas_say_and_csv_says_the_same(hall, site):
    names = sorted(path.name.removesuffix(".csv") for path in (site / "data").glob("*.csv"))
    assert names == ["dice", "games", "moves", "pairings", "players", "ratings", "standings"]
    for name in names:
        value = json.loads((site / f"data/{name}.json").read_bytes())
        schema = json.loads((site / f"data/{name}.schema.json").read_bytes())
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(value)
        rows = list(csv.DictReader(io.StringIO((site / f"data/{name}.csv").read_text())))
        assert len(rows) == len(value["rows"]) > 0
        for row, held in zip(rows, value["rows"], strict=True):
            assert row.keys() == held.keys()
            for key, cell in row.items():
                kept = held[key]
                if isinstance(kept, list):
                    kept = " ".join(kept)
                if isinstance(kept, bool):
                    kept = int(kept)
                assert cell.removeprefix("'") == ("" if kept is None else str(kept)), (name, key)
                assert not cell.startswith(("=", "+", "@"))
    schema = json.loads((site / "data/game.schema.json").read_bytes())
    games = sorted((site / "games").glob("*.json"))
    assert len(games) == 2
    for path in games:
        Draft202012Validator(schema).validate(json.loads(path.read_bytes()))
    standings = json.loads((site / "data/standings.json").read_bytes())["rows"]
    for row, held in zip(hall.desk.standings(hall.name), standings, strict=True):
        assert (row.place, row.number, float(row.figures[0])) == (held["place"], held["number"], held["points"])
    moves = json.loads((site / "data/moves.json").read_bytes())["rows"]
    assert len(moves) == len(hall.desk.moves(hall.name))


def test_the_same_database_at_the_same_time_gives_the_same_bytes(hall, site, tmp_path):
    publish(hall.desk, tmp_path / "again", [hall.name], at=AT, show=show)
    one, other = files(site), files(tmp_path / "again")
    del one[".pbem-lock"], other[".pbem-lock"]
    assert one == other


def never(raw, hide, links):
    raise AssertionError("an archive was checked a second time")


@pytest.fixture
def copy(hall, site, tmp_path):
    """The site again, in a folder that may be spoilt."""
    root = tmp_path / "copy"
    publish(hall.desk, root, [hall.name], at=AT, show=show)
    return root


def test_what_has_not_changed_is_not_written(hall, copy):
    stamps = {name: (copy / name).stat().st_mtime_ns for name in files(copy)}
    done = publish(hall.desk, copy, [hall.name], at=AT, show=never)
    assert (done.written.written, done.written.removed, done.checked) == (0, 0, 0)
    assert {name: (copy / name).stat().st_mtime_ns for name in stamps if name != OURS[1]} == {
        name: stamp for name, stamp in stamps.items() if name != OURS[1]
    }
    later = publish(hall.desk, copy, [hall.name], at=AT + DAY, show=never)
    running = sum(each.state == "playing" for each in hall.desk.rounds(hall.name)[1].pairings)
    assert 1 <= later.written.written <= 1 + running


def test_a_page_that_was_changed_or_lost_is_written_again(hall, copy):
    good = files(copy)
    (copy / "index.html").write_text("<h1>Bob has won</h1>")
    (copy / "games/1-1-replay.html").write_text("<h1>Bob has won</h1>")
    (copy / "players/1.html").unlink()
    publish(hall.desk, copy, [hall.name], at=AT, show=show)
    assert {k: v for k, v in files(copy).items() if k != OURS[1]} == {k: v for k, v in good.items() if k != OURS[1]}


def test_only_what_was_written_here_is_taken_away(hall, copy):
    (copy / "notes.txt").write_text("mine")
    (copy / "players/mine.html").write_text("mine")
    (copy / "dice.html").write_text("changed by hand")
    publish(hall.desk, copy, [], at=AT, show=show)
    left = {name for name in files(copy) if not name.startswith(f"{hall.name}/")} - set(OURS)
    assert left == {"index.html", "notes.txt", "players/mine.html", "dice.html"}
    assert (copy / "dice.html").read_text() == "changed by hand"
    assert hall.name in (copy / "index.html").read_text()
    assert (copy / hall.name / "games/1-1.html").is_file()


@pytest.mark.parametrize("name", ["index.html", "games", "data", "players/1.html"])
def test_a_file_of_somebody_else_is_never_overwritten(hall, tmp_path, name):
    root, other = tmp_path / "root", tmp_path / "other"
    other.mkdir()
    root.mkdir()
    path = root / name
    path.parent.mkdir(exist_ok=True)
    if name in ("games", "data"):
        path.symlink_to(other)
    else:
        path.write_text("mine")
    before = files(root)
    with pytest.raises(UmpireError, match="E-UMPIRE-SITE"):
        publish(hall.desk, root, [hall.name], at=AT, show=show)
    assert {k: v for k, v in files(root).items() if k != OURS[1]} == before
    assert not list(other.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"files": {"../victim": "DIGEST"}, "made": {}, "v": 1}',
        '{"files": {"/etc/passwd": "DIGEST"}, "made": {}, "v": 1}',
        '{"files": {"a/../../b": "DIGEST"}, "made": {}, "v": 1}',
        '{"files": {".pbem-lock": "DIGEST"}, "made": {}, "v": 1}',
        '{"files": {"a": 1}, "made": {}, "v": 1}',
        "[" * 50_000,
    ],
)
def test_a_list_that_was_tampered_with_removes_nothing(hall, tmp_path, text):
    root, victim = tmp_path / "root", tmp_path / "victim"
    root.mkdir()
    victim.write_text("mine")
    (root / LIST).write_text(text.replace("DIGEST", sha256(b"mine").hexdigest()))
    with pytest.raises(UmpireError, match="E-UMPIRE-SITE"):
        publish(hall.desk, root, [hall.name], at=AT, show=never)
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("steps", [0, 1, 5, 20])
def test_a_publishing_that_dies_is_completed_by_the_next(hall, site, tmp_path, monkeypatch, steps):
    root, real, left = tmp_path / "root", os.replace, [steps]

    def dying(one, other):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(one, other)

    monkeypatch.setattr("pbem.umpire.site.publish.os.replace", dying)
    with pytest.raises(KeyboardInterrupt):
        publish(hall.desk, root, [hall.name], at=AT, show=show)
    monkeypatch.undo()
    publish(hall.desk, root, [hall.name], at=AT, show=show)
    good = files(site)
    assert {k: v for k, v in files(root).items() if k != OURS[1]} == {k: v for k, v in good.items() if k != OURS[1]}


def test_nothing_is_shown_of_an_archive_that_does_not_check(hall, tmp_path):
    """Its bytes were changed in the database."""
    label = next(each for each in hall.desk.rounds(hall.name)[0].pairings if each.second is not None).label
    with hall.store.reading() as db:
        pairing = hall.desk.pairing(hall.name, label)
        digest = find(db, ArchiveRow, pairing=pairing.id).sha256
        raw = find(db, BlobRow, sha256=digest).raw
    _set_blob(hall, digest, raw[:-40] + bytes(40))
    try:
        done = publish(hall.desk, tmp_path / "bad", [hall.name], at=AT, show=show)
    finally:
        _set_blob(hall, digest, raw)
    assert [each.partition(":")[0] for each in done.faults] == [label]
    slug = label.replace(".", "-")
    assert not (tmp_path / f"bad/games/{slug}-replay.html").exists()
    assert "not checked" in (tmp_path / f"bad/games/{slug}.html").read_text()


def _set_blob(hall, digest, raw):
    with hall.store.writing("test", hall.clock()) as writing:
        update(writing.db, BlobRow, {"sha256": digest}, raw=raw)


def test_archives_are_published_only_if_the_terms_say_so(hall, tmp_path, monkeypatch):
    from dataclasses import replace

    from pbem.umpire.db import queries
    from pbem.umpire.terms import SiteTerms

    found = queries.tournament

    def agreed(db, name):
        row = found(db, name)
        return replace(row, terms=replace(row.terms, site=SiteTerms(archives=True)))

    monkeypatch.setattr(queries, "tournament", agreed)
    done = publish(hall.desk, tmp_path / "all", [hall.name], at=AT, show=show)
    archives = {name: raw for name, raw in files(tmp_path / "all").items() if name.endswith(".pbem")}
    assert len(archives) == done.archives == 2
    for name, raw in archives.items():
        facts = json.loads((tmp_path / "all" / name.replace(".pbem", ".json")).read_bytes())
        assert facts["archive"] == sha256(raw).hexdigest()
        page = (tmp_path / "all" / name.replace(".pbem", ".html")).read_text()
        assert "contains the players' cards with their mail addresses" in page
    rest = b"\n".join(raw for name, raw in files(tmp_path / "all").items() if not name.endswith(".pbem"))
    assert b"@example.org" not in rest


@pytest.mark.parametrize("names", [(), ("Alice Kern",), ("Alice Kern", "Bob Silva")])
@pytest.mark.parametrize("format", ["swiss", "knockout", "round_robin", "ladder"])
def test_a_tournament_can_be_published_before_anything_is_paired(tmp_path, names, format):
    hall = Hall(tmp_path / "hall", names)
    terms = parse(TERMS.format(format=format, more="rounds = 3" if format != "knockout" else "", keeper="").encode())
    entrants = read_entrants(hall.cards()) if names else ()
    name = hall.desk.create(terms, hall.umpire.people.me().card, entrants).name
    publish(hall.desk, tmp_path / "site", [], at=AT, show=never)
    found = pages(tmp_path / "site")
    assert {"index.html", f"{name}/index.html", f"{name}/standings.html"} <= found.keys()
    assert not [page.faults for page in map(Page, found.values()) if page.faults]
    assert f"{name}/rounds/1.html" not in found
    hall.store.close()


def test_mirrored_games_have_pages_of_their_own(tmp_path):
    hall = Hall(tmp_path / "hall", ("Alice Kern", "Bob Silva"))
    hall.found(more="mirrored = true")
    hall.desk.pair(hall.name)
    publish(hall.desk, tmp_path / "site", [hall.name], at=AT, show=never)
    assert {path.name for path in (tmp_path / "site/games").iterdir()} == {"1-1a.html", "1-1b.html"}
    hall.store.close()


def test_two_do_not_publish_into_one_folder_at_once(hall, copy):
    before = files(copy)
    with Lock(copy / OURS[1]), pytest.raises(HomeError, match=r"Somebody else.*E-LOCKED"):
        publish(hall.desk, copy, [hall.name], at=AT, show=never)
    assert files(copy) == before


LOCAL = st.text("abcXYZ019._+-'\"", min_size=1, max_size=12)
DOMAIN = st.from_regex(r"[a-z][a-z0-9-]{0,8}(\.[a-z]{2,5}){0,2}", fullmatch=True)
ADDRESS = st.builds("{}@{}".format, LOCAL, DOMAIN)


WORD = st.one_of(st.text(max_size=12), st.sampled_from(["<b>", "</td>", "&lt;", "'\"", "=1+1", "../..", "\u202e"]))


def line(draw, address, most):
    """A name or a reason that a card or the journal takes, with an address in it now and then."""
    words = draw(st.lists(st.one_of(WORD, st.just(address), st.just(address.upper())), min_size=1, max_size=4))
    made = "".join(sign for sign in " ".join(words) if sign.isprintable()).strip(" ")[:most].strip(" ") or "x"
    try:
        check_line(made, 1, most, "The name", "")
    except Refusal:
        return "x"
    return made


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_whatever_people_are_called_pages_stay_sound_and_addresses_stay_here(empty, data):
    emails = data.draw(st.lists(ADDRESS, min_size=3, max_size=3, unique_by=str.casefold))
    cards = [make_card(Keys(bytes([n]) * 32), line(data.draw, email, 40), email, AT) for n, email in enumerate(emails)]
    desk, root = UmpireDesk(empty(), actor="Una", clock=lambda: AT, find_game=lambda _: duel()), empty.folder()
    terms = TERMS.format(format="swiss", more="rounds = 3", keeper="").encode()
    name = desk.create(parse(terms), KEEPER, [NewEntrant(card, 1_500, 200) for card in cards]).name
    desk.pair(name)
    desk.adjust(name, "swap", "1", "3", line(data.draw, emails[0], 100))
    publish(desk, root, [name], at=AT, show=never)
    desk.store.close()
    for page in map(Page, pages(root).values()):
        assert not page.faults
    for path, raw in files(root).items():
        shown = raw.decode().casefold()
        for form in (lambda each: each, escape, json.dumps):
            assert not [each for each in emails if form(each.casefold()) in shown], path


@given(st.lists(ADDRESS, min_size=1, max_size=4), st.lists(st.text(max_size=20), min_size=1, max_size=5), st.data())
def test_no_known_address_stays_in_a_text(addresses, words, data):
    hide = Hide(addresses)
    parts = [each for word in words for each in (word, data.draw(st.sampled_from(addresses)).upper())]
    shown = hide("".join(parts))
    assert not any(each.casefold() in shown.casefold() for each in addresses)


@given(st.lists(ADDRESS, min_size=1, max_size=4), st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_no_known_address_stays_in_markup(addresses, words):
    parts = [each for at, word in enumerate(words) for each in (word, addresses[at % len(addresses)])]
    shown = Hide(addresses)(escape(" ".join(parts)))
    assert not any(escape(each).casefold() in shown.casefold() for each in addresses)


@given(st.text(alphabet=st.characters(exclude_characters="@")))
def test_a_text_without_an_address_stays_as_it_is(words):
    assert Hide(["a@b.org", "alice"])(words) == words


@pytest.mark.parametrize("address", ["una@example.org", "x.y+z@a-b.example.co.uk", "ünal@exämple.org"])
def test_what_looks_like_an_address_goes_whosever_it_is(address):
    assert Hide([])(f"Write to <{address}>, please.") == f"Write to <{HIDDEN}>, please."


TEXTS = environment().from_string('<p title="{{ words }}">{{ words }}</p>')


@given(st.text())
def test_text_is_text_between_tags_and_in_attributes(words):
    page = Page(TEXTS.render(words=words, hide=str))
    assert [name for name, _ in page.tags] == ["p"]
    shown = "".join(sign if sign.isprintable() else "?" for sign in words)
    assert "".join(page.words) == shown
    assert page.tags[0][1]["title"] == shown
