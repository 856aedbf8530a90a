"""`pbem umpire` as a person types it."""

from __future__ import annotations

import csv
import io
import os
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "cli"))

from homes import Player, pbem, settle
from shapes import fits

from pbem.cli.umpiring import umpire_command
from pbem.engine.registry import find
from pbem.home.disk import Disk
from pbem.mail.mailstate import MailState

NAMES = ("Alice Kern", "Bob Silva", "Carla Diaz")
TERMS = """v = 1
title = "Autumn Cup"
name = "cup"
game = "bridgehead"
mode = "umpire"
format = "round_robin"
seeding = "given"
[clock]
move = "3d"
bank = "10d"
"""


@pytest.fixture(scope="session")
def _prepared(tmp_path_factory):
    """An umpire, three players and their cards; the tournament is there and nothing is paired."""
    folder = tmp_path_factory.mktemp("umpire")
    una = settle(folder, "Una Umpire")
    players = [settle(folder, name) for name in NAMES]
    (folder / "cards").mkdir()
    for player in players:
        player("id", "export", "-o", str(folder / "cards" / f"{player.home.name}.pbem"))
    (folder / "cup.toml").write_text(TERMS, encoding="utf-8")
    made = una("umpire", "new", str(folder / "cup.toml"), "--cards", str(folder / "cards"), "--json")
    assert [row["name"] for row in fits("umpire-new", made.json)["entrants"]] == list(NAMES)
    return folder


@pytest.fixture
def una(tmp_path, _prepared):
    shutil.copytree(_prepared, tmp_path / "u")
    return Player("Una Umpire", tmp_path / "u" / "una")


@pytest.fixture
def called(una):
    """The first round is offered."""
    una("umpire", "pair", "cup")
    una("umpire", "offer", "cup")
    una("umpire", "sync", "--by-hand")
    return una


def players_of(una):
    return [Player(name, una.home.parent / name.split()[0].casefold()) for name in NAMES]


def table(done):
    return list(csv.DictReader(io.StringIO(done.out)))


def exchange(*people):
    """Everybody opens everything; what is for somebody else is refused without harm."""
    seen = set()
    while fresh := [
        (reader, path, path.read_bytes())
        for writer in people
        for path in writer.outbox()
        for reader in people
        if reader is not writer and (reader.name, path, path.read_bytes()) not in seen
    ]:
        for reader, path, raw in fresh:
            seen.add((reader.name, path, raw))
            assert pbem("open", str(path), home=reader.home).reason in ("", "E-GAME", "E-NOT-YOURS")


def test_from_the_terms_to_the_first_round(una):
    assert "cup" in una("umpire", "list").out
    assert fits("umpire-list", una("umpire", "list", "--json").json)["tournaments"][0]["state"] == "open"
    shown = fits("umpire-show", una("umpire", "show", "cup", "--json").json)
    assert (shown["entrants"], shown["planned"]) == (3, 3)
    told = una("umpire", "show", "cup").out
    assert "3d a move, bank 10d" in told
    assert "round_robin, 3 rounds; first side blue" in told
    proposed = fits("umpire-pair", una("umpire", "pair", "cup", "--dry-run", "--json").json)
    made = fits("umpire-pair", una("umpire", "pair", "cup", "--json").json)
    assert [(each["first"], each["second"]) for each in made["pairings"]] == [
        (each["first"], each["second"]) for each in proposed["pairings"]
    ]
    changed = una("umpire", "adjust", "cup", "sides", "2", "--why", "He asked", "--json")
    assert fits("umpire-adjust", changed.json)["notes"][-1].endswith("He asked")
    before = next(each for each in changed.json["pairings"] if each["second"])
    turned = una("umpire", "adjust", "cup", "sides", before["label"], "--why", "And back", "--json").json["pairings"]
    assert (before["second"], before["first"]) in {(each["first"], each["second"]) for each in turned}
    assert una("umpire", "adjust", "cup", "sides", "7.7", "--why", "x", code=1).reason == "E-UNKNOWN"
    why = una("umpire", "rounds", "cup", "--why").out
    assert ".;" not in why
    assert "By hand: He asked." in why
    again = una("umpire", "pair", "cup", code=1)
    assert again.reason == "E-NOT-NOW"
    assert "pbem umpire offer cup" in again.err
    assert fits("umpire-offer", una("umpire", "offer", "cup", "--json").json)["state"] == "offered"
    assert una("umpire", "adjust", "cup", "sides", "2", "--why", "x", code=1).reason == "E-NO-NEED"
    assert "Not done yet, by `pbem umpire sync` or `run`: 1 task." in una("umpire", "status", "cup").err
    done = fits("umpire-sync", una("umpire", "sync", "--by-hand", "--json").json)
    assert done["ok"]
    assert "Not done yet" not in una("umpire", "status", "cup").err
    assert any("was offered to its players" in text for text in done["news"])
    assert len(una.outbox()) == 1  # two games of three players have a bye among them
    waiting = fits("umpire-status", una("umpire", "status", "cup", "--json").json)["waiting"]
    assert {row["what"] for row in waiting} == {"join"}
    assert {row["name"] for row in table(una("umpire", "standings", "cup", "--csv"))} == set(NAMES)
    assert fits("umpire-standings", una("umpire", "standings", "cup", "--json").json)["standings"][0]["place"] == 1
    assert table(una("umpire", "rounds", "cup", "--csv"))[0]["board"] == "1"
    fits("umpire-rounds", una("umpire", "rounds", "cup", "--json").json)
    assert "Round 1: offered" in una("umpire", "rounds", "cup", "--why").out


def test_what_to_type_next_is_what_works_next(una, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(TERMS.replace("cup", "late").replace("Autumn Cup", "Late Cup"), encoding="utf-8")
    assert "Next: pbem umpire enter late --cards DIR" in una("umpire", "new", str(other)).err
    assert "pbem umpire enter late" in una("umpire", "new", str(other), code=1).err


def test_a_game_through_the_commands(called):
    una = called
    (wanted,) = (row for row in una("umpire", "rounds", "cup", "--json").json["rounds"][0]["pairings"] if row["second"])
    players = [each for each in players_of(una) if each.name in (wanted["first_name"], wanted["second_name"])]
    (act,) = una("umpire", "acts", "cup", "--all", "--json").json["acts"]
    exchange(una, *players)
    first, second = sorted(players, key=lambda each: each.name != wanted["first_name"])
    first("join", act["outcome"])
    exchange(una, first)
    una("umpire", "sync", "--by-hand")
    (missing,) = una("umpire", "status", "cup", "--json").json["waiting"]  # a player who has joined owes nothing
    assert (missing["name"], missing["state"]) == (second.name, "offered")
    second("join", act["outcome"])
    exchange(una, *players)
    una("umpire", "sync", "--by-hand")
    (game,) = (row for row in una("umpire", "rounds", "cup", "--json").json["rounds"][0]["pairings"] if row["second"])
    assert game["state"] == "playing"
    mover = next(p for p in players if any(row["my_move"] for row in p("status", "--json").json["games"]))
    mover("bot", game["game"])
    mover("send", game["game"], "--yes")
    exchange(una, *players)
    una("umpire", "sync", "--by-hand")
    moves = fits("umpire-moves", una("umpire", "moves", "cup", "--json").json)["moves"]
    assert [row["name"] for row in moves] == [mover.name]
    assert table(una("umpire", "moves", "cup", "--game", game["label"], "--csv"))[0]["name"] == mover.name
    fits("umpire-anomalies", una("umpire", "anomalies", "cup", "--json").json)
    status = una("umpire", "status", "cup", "--json").json["waiting"]
    assert any(row["left"] == 10 * 86_400 for row in status)
    act = una(
        "umpire",
        "rule",
        "cup",
        game["label"],
        "extension",
        "--who",
        mover.name,
        "--time",
        "2d",
        "--why",
        "Ill",
        "--json",
    )
    assert fits("umpire-rule", act.json)["state"] == "wanted"
    una("umpire", "rule", "cup", game["label"], "forfeit", "--who", mover.name, "--why", "He left")
    una("umpire", "sync", "--by-hand")
    acts = fits("umpire-acts", una("umpire", "acts", "cup", "--all", "--json").json)["acts"]
    assert [row["state"] for row in acts if row["kind"] == "rule"] == ["done", "done"]
    una("umpire", "sync", "--by-hand")
    (row,) = (r for r in una("umpire", "rounds", "cup", "--json").json["rounds"][0]["pairings"] if r["second"])
    assert (row["how"], row["state"]) == ("forfeit", "decided")
    rated = fits("umpire-rate", una("umpire", "rate", "cup", "--json").json)["ratings"]
    assert len({r["rating"] for r in rated}) == 3  # there were orders: a forfeit is a game that was lost


def test_results_by_hand_withdrawals_and_late_cards(called):
    una = called
    label = next(
        row["label"] for row in una("umpire", "rounds", "cup", "--json").json["rounds"][0]["pairings"] if row["second"]
    )
    assert una("umpire", "rule", "cup", label, "forfeit", "--who", "1", "--why", "x", code=1).reason in (
        "E-NOT-NOW", "E-UNKNOWN",
    )  # fmt: skip
    done = una("umpire", "decide", "cup", label, "1/2", "--why", "Played over the board", "--json")
    assert fits("umpire-decide", done.json)["how"] == "adjudged"
    gone = fits("umpire-withdraw", una("umpire", "withdraw", "cup", "Bob", "--why", "Moved", "--json").json)
    assert gone["out"]
    assert not una("umpire", "withdraw", "cup", "2", "--back", "--why", "Came back", "--json").json["out"]
    assert una("umpire", "withdraw", "cup", "Zoe", "--why", "x", code=1).reason == "E-UNKNOWN"
    assert una("umpire", "enter", "cup", "--cards", str(una.home.parent / "cards"), code=1).reason == "E-NOT-NOW"
    card = una.home.parent / "cards" / "bob.pbem"
    same = una("umpire", "replace", "cup", "Bob", str(card), "--why", "New address", "--json")
    assert fits("umpire-replace", same.json)["name"] == "Bob Silva"


def test_journal_check_backup_and_restore(called, tmp_path):
    una = called
    journal = fits("umpire-journal", una("umpire", "--actor", "Ulf", "journal", "--json").json)["entries"]
    assert journal[0]["text"] == "The tournament cup was created."
    assert fits("umpire-check", una("umpire", "check", "--json").json)["entries"] == len(journal)
    file = tmp_path / "desk.pbemdesk"
    assert fits("umpire-backup", una("umpire", "backup", str(file), "--json").json)["entries"] == len(journal)
    assert una("umpire", "backup", str(file), code=1).reason == "E-EXISTS"
    other = str(tmp_path / "other.db")
    assert fits("umpire-restore", una("umpire", "--db", other, "restore", str(file), "--json").json)
    assert una("umpire", "--db", other, "check").out == una("umpire", "check").out
    assert una("umpire", "restore", str(file), code=1).reason == "E-BACKUP"
    una("umpire", "--actor", "Ulf", "withdraw", "cup", "1", "--why", "Ill")
    assert una("umpire", "journal", "--last", "1", "--json").json["entries"][0]["actor"] == "Ulf"
    from sqlalchemy import create_engine, text

    engine = create_engine(f"sqlite:///{una.home / 'umpire' / 'desk.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE entrant SET rating = 1"))
    engine.dispose()
    done = una("umpire", "check", code=1)
    assert done.reason == "E-UMPIRE-JOURNAL"
    assert "NOT in order" in done.out


def test_addresses_are_shown_only_where_they_are_asked_for(called):
    una = called
    commands = [["list"], *([name, "cup"] for name in ("show", "entrants", "rounds", "standings", "status", "acts"))]
    commands += [["moves", "cup"], ["anomalies", "cup"], ["journal"], ["check"], ["rate", "cup"]]
    for command in commands:
        for form in ([], ["--json"], ["--csv"]):
            if form == ["--csv"] and command[0] in ("show", "check"):
                continue
            done = una("umpire", *command, *form)
            assert "example.org" not in done.out + done.err, command
    asked = fits("umpire-entrants", una("umpire", "entrants", "cup", "--addresses", "--json").json)
    assert asked["entrants"][0]["address"] == "alice@example.org"


def test_names_of_players_are_no_formulas_in_a_spreadsheet(una, tmp_path):
    evil = settle(tmp_path, "=cmd()", "evil@example.org")
    (tmp_path / "late").mkdir()
    evil("id", "export", "-o", str(tmp_path / "late" / "x.pbem"))
    una("umpire", "enter", "cup", "--cards", str(tmp_path / "late"))
    assert table(una("umpire", "entrants", "cup", "--csv"))[3]["name"] == "'=cmd()"


def test_what_is_published_is_for_everybody(called, tmp_path):
    una, site = called, tmp_path / "site"
    report = fits("umpire-publish", una("umpire", "publish", str(site), "-t", "cup", "--json").json)
    assert (report["tournaments"], report["games"], report["faults"]) == (["cup"], 1, [])
    assert report["files"] == report["written"] == len([p for p in site.rglob("[!.]*") if p.is_file()])
    at = ["--at", "2026-11-18T17:30"]
    una("umpire", "publish", str(site), "-t", "cup", *at)
    again = una("umpire", "publish", str(site), "-t", "cup", *at, "--json").json
    assert (again["written"], again["removed"]) == (0, 0)
    assert "18 Nov 2026, 17:30" in (site / "index.html").read_text()
    for file in site.rglob("*"):
        assert file.is_dir() or b"@example.org" not in file.read_bytes()
    una("umpire", "publish", str(tmp_path / "all"))
    assert "cup/index.html" in (tmp_path / "all" / "index.html").read_text()


def test_tables_are_exported_without_pages(called, tmp_path):
    una, folder = called, tmp_path / "tables"
    fits("umpire-export", una("umpire", "export", "cup", str(folder), "--json").json)
    rows = list(csv.DictReader(io.StringIO((folder / "data" / "pairings.csv").read_text())))
    assert [row["game"] for row in rows] == ["1.1", "1.2"]
    assert not list(folder.rglob("*.html"))


def test_without_the_extra_every_command_says_what_to_install(una, monkeypatch, tmp_path):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "sqlalchemy" else real(name, *more)
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text("x")
    arguments = {
        "new": ["x.toml"], "adjust": ["cup", "sides", "1", "--why", "x"], "enter": ["cup", "--cards", "x"],
        "withdraw": ["cup", "1", "--why", "x"], "replace": ["cup", "1", "x", "--why", "x"],
        "rule": ["cup", "1.1", "forfeit", "--who", "1", "--why", "x"], "decide": ["cup", "1.1", "1-0", "--why", "x"],
        "list": [], "sync": [], "run": [], "demo": [], "journal": [], "check": [], "backup": ["y"], "restore": ["x"],
        "publish": ["y"], "export": ["cup", "y"],
    }  # fmt: skip
    seen = 0
    for name, command in umpire_command.commands.items():
        given = arguments.get(name, ["cup"] if len([p for p in command.params if p.required]) == 1 else None)
        if given is None:
            continue
        done = una("umpire", name, *given, code=1)
        assert done.reason == "E-EXTRA", (name, done)
        assert "pip install 'pbem[umpire]'" in done.err
        seen += 1
    assert seen >= 20


def test_nothing_of_the_desk_is_loaded_by_other_commands():
    code = (
        "import sys; from pbem.cli.run import run; run(['--help']); run(['umpire', '--help']); "
        "print([m for m in sys.modules if m.startswith(('sqlalchemy', 'jinja2', 'networkx', 'pbem.umpire'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_looking_at_the_desk_starts_without_games_mail_or_pages(una, tmp_path):
    """What a command of the desk loads decides how soon it answers."""
    una("umpire", "list")
    code = (
        "import sys; from pbem.cli.run import run; run(['umpire', 'list']); "
        "slow = ('pbem.engine.match', 'pbem.mail', 'sqlalchemy.orm', 'networkx', 'jinja2', 'jsonschema'); "
        "print([m for m in sys.modules if m.startswith(slow)])"
    )
    env = {**os.environ, "PBEM_HOME": str(una.home)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "nonsense"], "E-UNKNOWN"),
        (["offer", "cup"], "E-UNKNOWN"),
        (["rate", "cup"], "E-UNKNOWN"),
        (["rounds", "cup", "--round", "2"], "E-UNKNOWN"),
        (["standings", "cup", "--after", "3"], "E-UNKNOWN"),
        (["decide", "cup", "9.9", "1-0", "--why", "x"], "E-UNKNOWN"),
        (["adjust", "cup", "sides", "1", "--why", "x"], "E-UNKNOWN"),
        (["acts", "cup", "--drop", "5"], "E-NO-NEED"),
        (["publish", "site", "-t", "nonsense"], "E-UNKNOWN"),
        (["--db", "mysql://x/y", "list"], "E-UMPIRE-DB"),
        (["rule", "cup", "1.1", "extension", "--who", "1", "--time", "soon", "--why", "x"], "E-UMPIRE-TERMS"),
    ],
)
def test_what_cannot_be_is_refused_calmly(una, tmp_path, monkeypatch, arguments, reason):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert una("umpire", *arguments, code=1).reason == reason
    assert not list((tmp_path / "here").iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ["new", "no-such.toml"],
        ["rule", "cup", "1.1", "extension", "--who", "1", "--why", "x"],
        ["rule", "cup", "1.1", "substitute", "--who", "1", "--why", "x"],
        ["rule", "cup", "1.1", "forfeit", "--draw", "--why", "x"],
        ["backup", "no/such/folder"],
        ["publish", "site", "--at", "soon"],
    ],
)
def test_wrong_usage(una, arguments):
    una("umpire", *arguments, code=2)


def test_the_demonstration_plays_a_tournament_to_its_end(tmp_path):
    place = tmp_path / "demo"
    done = pbem("umpire", "demo", "--players", "2", "--rounds", "1", "--dir", str(place), "--json", home=tmp_path)
    assert done.code == 0, done
    report = fits("umpire-demo", done.json)
    assert report["ok"]
    assert (report["games"], report["archives"]) == (1, 1)
    assert Path(report["site"]).is_file()
    assert (place / "site" / "games" / "1-1-replay.html").is_file()
    una = Player("Una Umpire", place / "una")
    assert una("umpire", "check", "--json").json["ok"]
    assert "over" in una("umpire", "list").out
    assert pbem("umpire", "demo", "--dir", str(place), home=tmp_path).code == 2


@pytest.mark.postgres
def test_the_desk_moves_to_postgresql_and_goes_on_there(called, tmp_path, postgres):
    una, url = called, postgres.fresh()
    file = tmp_path / "desk.pbemdesk"
    una("umpire", "backup", str(file))
    done = una("umpire", "--db", url, "restore", str(file))
    assert "A new database was created." in done.err
    assert una("umpire", "--db", url, "rounds", "cup").out == una("umpire", "rounds", "cup").out
    una("umpire", "--db", url, "withdraw", "cup", "2", "--why", "Ill")
    there = pbem("umpire", "sync", "--by-hand", home=una.home, PBEM_UMPIRE_DB=url)
    assert there.code == 0, there
    assert "Nothing new" in there.out
    assert una("umpire", "--db", url, "check", "--json").json["ok"]
    assert una("umpire", "entrants", "cup", "--json").json["entrants"][1]["out"] is False


def test_offers_go_by_mail_when_mail_is_set_up(una, tmp_path):
    for sub in ("cur", "new", "tmp"):
        (tmp_path / "Maildir" / sub).mkdir(parents=True)
    (tmp_path / "mail.toml").write_text(
        f'v = 1\naddress = "una@example.org"\n[[in]]\nkind = "maildir"\npath = "{tmp_path}/Maildir"\n'
        f'[[out]]\nkind = "files"\npath = "{tmp_path}/out"\n',
        encoding="utf-8",
    )
    una("mail", "setup", "--from", str(tmp_path / "mail.toml"), "--no-test")
    una("umpire", "pair", "cup")
    una("umpire", "offer", "cup")
    done = una("umpire", "sync", "--json").json
    assert (done["sent"], done["waiting"]) == (1, 0)
    (mail,) = (tmp_path / "out").glob("*.eml")
    assert mail.read_text(encoding="ascii").count("@example.org>") >= 2
    (tmp_path / "Maildir" / "new" / "x").write_bytes(b"Subject: hello\n\nNo file of ours.\n")
    told = una("umpire", "sync")
    assert "was asked (join)" in told.out
    assert "written to the file" in told.out
    assert "Nothing new" in una("umpire", "sync").out
    with MailState(una.home / "mail", Disk()).handling():
        assert una("umpire", "sync", code=1).reason == "E-LOCKED"


def test_run_stays_and_ends_cleanly_when_it_is_told_to(called):
    environment = {**os.environ, "PBEM_HOME": str(called.home), "PBEM_PASSPHRASE": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", "umpire", "run", "--by-hand", "--every", "5"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        try:
            assert "The keeper is running" in running.stdout.readline()
            busy = called("umpire", "sync", "--by-hand", code=1)
            assert busy.reason == "E-LOCKED"
            running.send_signal(signal.SIGTERM)
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    assert (running.returncode, out.splitlines()[-1]) == (0, "Stopped."), err


def test_what_begins_a_formula_anywhere_is_quoted():
    from pbem.umpire.site.exports import cell

    for text in ("=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"):
        assert cell(text) == f"'{text}"
    assert [cell(each) for each in ("Ann", "", 3, -3, None)] == ["Ann", "", 3, -3, ""]


def test_a_tournament_with_data_of_the_umpires_own(una, tmp_path):
    """The files are named in the terms, pinned in the offer, and with it at the players' who have none of them."""
    game = find("bridgehead")
    folder = tmp_path / "own"
    folder.mkdir()
    own = (Path(find_spec("pbem_rules.bridgehead").origin).parent / "data/tables.toml").read_text(encoding="utf-8")
    (folder / "tables.toml").write_text(own.replace('["A2", "A1", "A1", "CA"', '["A2", "A1", "CA", "CA"'))
    cup = TERMS.replace('"cup"', '"own"').replace("[clock]", '[data]\ntables = "tables.toml"\n[clock]')
    (folder / "own.toml").write_text(cup)
    made = una("umpire", "new", str(folder / "own.toml"), "--cards", str(una.home.parent / "cards"), "--json")
    (pin,) = fits("umpire-new", made.json)["tournament"]["terms"]["data"].values()
    (folder / "tables.toml").unlink()  # it is in the database now
    assert pin != game.data.file_digest("tables").hex()
    assert pin in una("umpire", "show", "own").out
    una("umpire", "pair", "own")
    una("umpire", "offer", "own")
    una("umpire", "sync", "--by-hand")
    alice, bob, carla = players_of(una)
    exchange(una, alice, bob, carla)
    called = [each for each in (alice, bob, carla) if each("list", "--json").json["games"]]
    assert len(called) == 2
    for each in called:
        (row,) = each("list", "--json").json["games"]
        each("join", row["name"])
    exchange(una, alice, bob, carla)
    una("umpire", "sync", "--by-hand")
    exchange(una, alice, bob, carla)
    una("umpire", "sync", "--by-hand")
    assert [
        r["state"] for r in una("umpire", "rounds", "own", "--json").json["rounds"][0]["pairings"] if r["second"]
    ] == ["playing"]
    assert una("umpire", "check").out.endswith("\n")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ('tables = "none.toml"', ""),
        ("tables = 7", "E-UMPIRE-TERMS"),
        ('horses = "own.toml"', "E-DATA"),
        ('tables = "own.toml"', "E-DATA"),
    ],
)
def test_data_files_that_cannot_be(una, tmp_path, data, reason):
    (tmp_path / "own.toml").write_text(TERMS.replace('"cup"', '"own"').replace("[clock]", f"[data]\n{data}\n[clock]"))
    done = una("umpire", "new", str(tmp_path / "own.toml"), code=1 if reason else 2)
    assert done.reason == reason
    assert [each["name"] for each in una("umpire", "list", "--json").json["tournaments"]] == ["cup"]


def test_the_players_are_told_of_a_game_that_is_decided_before_it_began(called):
    una = called
    (row,) = (r for r in una("umpire", "rounds", "cup", "--json").json["rounds"][0]["pairings"] if r["second"])
    people = {each.name: each for each in players_of(una)}
    first, second = people[row["first_name"]], people[row["second_name"]]
    exchange(una, first, second)
    (offered,) = first("list", "--json").json["games"]
    first("join", offered["name"])
    exchange(una, first, second)
    una("umpire", "sync", "--by-hand")
    assert "offered" in una("umpire", "rounds", "cup").out
    done = una("umpire", "decide", "cup", row["label"], "1-0", "--forfeit", "--why", "Nobody came")
    assert "which informs its players" in done.err
    assert "its offer was withdrawn" in una("umpire", "sync", "--by-hand").out
    exchange(una, first, second)
    for each in (first, second):
        (told,) = each("list", "--json").json["games"]
        assert told["stage"] == "cancelled"
        assert "takes the offer back: The result is 1 : 0. Nobody came" in each("log", told["name"]).out
        assert each("join", told["name"], code=1).reason in ("E-EXPIRED", "E-ANSWERED")
    assert una("umpire", "case", "cup", row["label"], "-o", str(una.home / "case.pbem")).code == 0
    assert "The result is 1 : 0. Nobody came." in second("verify", str(una.home / "case.pbem")).out


def test_a_list_of_nothing_makes_no_database(tmp_path):
    una = settle(tmp_path, "Una Umpire")
    assert "No tournaments yet" in una("umpire", "list").err
    assert una("umpire", "list", "--json").json["tournaments"] == []
    assert not list(tmp_path.rglob("desk.db"))
