"""Seasons through bad mail and with bad players end with every game decided rightly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from seasons import Season

from pbem.engine.archive import verify_archive
from pbem.umpire.auditing import Held
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import ArchiveRow, of_games


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    made = Season(tmp_path_factory.mktemp("season"), 8, 2, silent=1)
    made.play(200)
    return made


def test_what_happened_to_the_mails(season):
    assert {"lost", "doubled", "withheld", "forwarded", "quoted", "recoded", "truncated", "damaged"} <= set(
        season.office.count
    )


def test_every_game_is_decided_rightly(season):
    rightly_decided(season)


def test_the_archives_verify(season):
    archives_verify(season)


def test_the_standings(season):
    standings_again(season)


def test_nobody_knew_what_was_hidden(season):
    assert season.hidden > 20


def test_the_one_who_brought_back_a_backup_plays_on_and_signs_nothing_twice(season):
    assert season.happened["caught up"]
    me = season.names.index(season.restorer) + 1
    assert not any(odd.kind == "fork" and odd.entrant == me for odd in season.desk.anomalies("season"))
    assert any(row.how == "played" and me in (row.first, row.second) for row in season.pairings())


def test_the_database_says_what_its_journal_says(season):
    assert season.desk.check().ok


@pytest.mark.long
def test_a_whole_season_of_64(tmp_path):
    made = Season(tmp_path, 64, 6)
    made.play(1_000)
    rightly_decided(made)
    archives_verify(made)
    standings_again(made)
    assert made.hidden > 500
    assert made.desk.check().ok


def rightly_decided(season):
    """Nobody who played by the rules loses but at play, and the desk says what both players' own programs say."""
    assert season.happened["forked"] == 1
    numbers = {name: number for number, name in enumerate(season.names, 1)}
    sides = season.desk.tournament("season").terms.sides
    guilty = {numbers[name] for name in (*season.silent, season.withholder)}
    for row in season.pairings():
        assert row.state == "decided", row
        if row.second is None:
            continue
        players = (row.first, row.second)
        losers = {
            who
            for who, points in zip(players, (row.first_points, row.second_points), strict=True)
            if row.how in ("forfeit", "no-show") and points == 0
        }
        assert losers <= (guilty | {numbers[season.forker]} if row.game == season.forked else guilty), row
        if row.how != "played":
            assert losers, row
            continue
        told = {season.told.get((season.names[who - 1], row.offer), row) for who in players if who not in guilty}
        points = {sides[0]: (2, 0), sides[1]: (0, 2), None: (1, 1)}
        assert {points[winner] for winner in told if winner is not row} <= {(row.first_points, row.second_points)}, row
        assert told - {row} or set(players) <= guilty, row
    (forked,) = [row for row in season.pairings() if row.game == season.forked]
    assert (forked.how, forked.first_points if forked.first == numbers[season.forker] else forked.second_points) == (
        "forfeit", 0,
    )  # fmt: skip


def archives_verify(season):
    rows = {row.id: row for row in season.pairings()}
    tournament = season.desk.tournament("season")
    with season.store.reading() as db:
        kept = of_games(db, ArchiveRow, tournament.id)
        for each in kept:
            verdict = verify_archive(Held(queries.blob(db, each.sha256)), season.find_game)
            row, bad = rows[each.pairing], verdict.first_bad
            if row.game == season.forked and bad is not None:
                # Nobody chose a branch: where others have built on both, the archive shows the fork and whose it is.
                assert (bad.code, season.names[row.entrants[bad.author] - 1]) == ("E-FORK", season.forker)
                continue
            assert verdict.ok, (row, bad, verdict.desync)
    began = {row.id for row in rows.values() if row.began_at}
    assert began == {each.pairing for each in kept}


def standings_again(season):
    """Points and Buchholz from the pairings alone, as a person would count them."""
    rounds = season.desk.rounds("season")
    numbers = range(1, len(season.names) + 1)
    points, brings, buchholz = Counter(), Counter(), Counter()
    scored = [{} for _ in rounds]
    for each, of in zip(rounds, scored, strict=True):
        for row in each.pairings:
            played = row.second is not None and row.how != "no-show"
            of[row.first] = (row.first_points, row.second if played else None)
            if row.second is not None:
                of[row.second] = (row.second_points, row.first if played else None)
    for of in scored:
        for who in numbers:
            got, opponent = of.get(who, (0, None))
            points[who] += got
            brings[who] += 1 if opponent is None else got
    for who in numbers:
        before = 0
        for number, of in enumerate(scored, 1):
            got, opponent = of.get(who, (0, None))
            virtual = before + (2 - got) + len(rounds) - number
            buchholz[who] += virtual if opponent is None else brings[opponent]
            before += got
    rows = season.desk.standings("season")
    at = season.desk.tournament("season").terms.standings.index("buchholz")
    assert {row.number: row.points for row in rows} == {who: points[who] for who in numbers}
    assert {row.number: row.figures[at] for row in rows} == {who: Fraction(buchholz[who], 2) for who in numbers}
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
