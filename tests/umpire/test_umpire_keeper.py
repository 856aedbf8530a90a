"""Whole tournaments: offers, clocks, flags, rulings, results. Bots play, files are carried, the keeper passes by."""

from __future__ import annotations

import shutil
from io import BytesIO

import pytest
from halls import DAY, PLAYERS, Hall, duel

from pbem.engine.archive import verify_archive
from pbem.home import Home, HomeError, archives, describe, offers, resync, sending, summary
from pbem.home.describe import span
from pbem.mail.mailstate import News
from pbem.protocol.container import read_stream
from pbem.umpire import UmpireError
from pbem.umpire import facts as home_facts
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import AnswerRow, ArchiveRow, Entry, OwedRow, TournamentRow, of_games, update
from pbem.umpire.journaltext import sentence
from pbem.umpire.keeper import Keeper
from pbem.umpire.mailing import ByHand
from pbem.umpire.rehearsal import Unflushed
from pbem.umpire.terms import terms_of

TWO = ("Alice Kern", "Bob Silva")
FORFEIT = 'on_flag = "forfeit"\nno_show = "forfeit"'


@pytest.fixture
def two(tmp_path):
    """A game of Alice and Bob that has begun and waits for both; the umpire asks before he rules."""
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    started(hall)
    return hall


@pytest.fixture
def strict(tmp_path):
    """The same, and the terms let the keeper forfeit."""
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    started(hall)
    return hall


def started(hall):
    hall.kept()
    hall.carry()
    hall.answer()
    hall.carry()
    hall.kept()
    assert hall.game().state == "playing"


def waiting(hall):
    return [(each.name, each.what) for each in hall.desk.status(hall.name) if not each.automatic]


def owing(hall):
    """Who is to order in the first game."""
    (name,) = {name for name, what in waiting(hall) if what == "orders"}
    return name


def one_owes(hall):
    """Plays until only one of the two is to order; his name."""
    for _ in range(20):
        names = {name for name, what in waiting(hall) if what == "orders"}
        if len(names) == 1:
            return names.pop()
        name = sorted(names)[0]
        home = hall.homes[name]
        (row,) = (row for row in summary.rows(home) if row.my_move)
        hall.order(name, home, row.name)
        sending.send(home, row.name)
        hall.carry()
        hall.kept()
    raise AssertionError("they always move together")


def test_a_tournament_is_played_to_its_end_by_itself(tmp_path, store):
    hall = Hall(tmp_path / "hall", PLAYERS[:3], store=store)
    hall.begin(format="swiss", more="rounds = 2", keeper="auto = true")
    hall.play(hall.name)
    rounds = hall.desk.rounds(hall.name)
    assert [row.state for row in rounds] == ["complete", "complete"]
    games = [each for row in rounds for each in row.pairings if each.second is not None]
    assert len({frozenset(each.entrants) for each in games}) == 2
    for each in games:
        assert (each.state, each.how) == ("decided", "played")
        assert each.first_points + each.second_points == 2
    rows = hall.desk.standings(hall.name)
    assert sum(row.points for row in rows) == 2 * len(games) + 2 * 2  # and a bye in each round
    assert hall.desk.check().ok
    assert hall.desk.todo(hall.name) == []
    assert hall.kept() == []
    with hall.store.reading() as db:
        for kept in of_games(db, ArchiveRow, 1):
            raw = queries.blob(db, kept.sha256)
            verdict = verify_archive(list(read_stream(BytesIO(raw))), lambda _: duel())
            assert verdict.ok
            assert kept.whole
            pairing = queries.pairing(db, kept.pairing)
            assert verdict.result is not None
            winner = verdict.result["winner"]
            wanted = {None: (1, 1), "ann": (2, 0), "bob": (0, 2)}[winner]
            assert (pairing.first_points, pairing.second_points) == wanted


def test_the_ledger_has_every_order_once_with_the_times_of_the_umpire(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.play_on()
    pairing = hall.game()
    log = describe.log(hall.umpire, pairing.game)
    orders = {line.id: line for line in log if line.kind == "orders"}
    moves = [row for row in hall.desk.moves(hall.name) if row.what == "orders"]
    assert {row.record.hex() for row in moves} == set(orders)
    for row in moves:
        line = orders[row.record.hex()]
        assert pairing.entrants[line.by] == row.entrant
        assert row.answered_at == line.arrived
        assert row.signed_at == line.at
        assert hall.game().began_at <= row.asked_at <= row.answered_at
        assert row.charged == row.answered_at - row.asked_at


def test_days_off_are_not_charged(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.clock.now = 1_767_258_000 + DAY  # a Friday morning
    hall.found()
    with hall.desk.writing("cup") as (writing, tournament):
        terms = tournament.terms.plain()
        terms["clock"]["days_off"] = ["sat", "sun"]

        update(writing.db, TournamentRow, {"id": 1}, terms=terms_of(terms))
    hall.desk.pair("cup")
    hall.desk.offer("cup")
    started(hall)
    hall.wait(3)
    hall.settle()
    hall.kept()
    first = hall.desk.moves("cup")[0]
    assert first.answered_at - first.asked_at > 2.9 * DAY
    assert first.charged < 1.2 * DAY


def test_somebody_silent_is_reminded_flagged_and_forfeited_when_the_terms_say_so(strict):
    loser = one_owes(strict)
    strict.silent.add(loser)
    number = next(row.number for row in strict.desk.entrants("cup") if row.name == loser)
    strict.wait(1.5)
    assert strict.kept() == ["wanted", "taken", "done"]
    (reminder,) = (act for act in strict.desk.acts("cup") if act.kind == "remind")
    assert reminder.data["entrants"] == [number]
    assert strict.kept() == []
    strict.wait(2)  # 2 days for the move, 1 of the bank are over; a day of grace is not
    assert "flagged" in strict.kept()
    assert strict.game().state == "playing"
    strict.wait(1)
    kinds = strict.kept()
    assert kinds.count("result") <= 1
    strict.kept()
    game = strict.game()
    assert (game.state, game.how) == ("decided", "forfeit")
    assert {game.first: game.first_points, game.second: game.second_points}[number] == 0
    winner = next(name for name in TWO if name != loser)
    strict.carry()
    (row,) = summary.rows(strict.homes[winner])
    assert "ruled by the umpire" in row.result
    (ruling,) = (line for line in describe.log(strict.umpire, game.game) if line.kind == "ruling")
    assert "Time ran out" in ruling.text
    assert strict.desk.check().ok


def test_without_such_terms_the_umpire_is_asked_and_an_extension_moves_the_flag(two):
    late = one_owes(two)
    two.wait(3.5)
    assert "flagged" in two.kept()
    two.wait(2)
    two.kept()
    assert two.game().state == "playing"
    (asked,) = two.desk.todo("cup")
    assert late in asked
    two.desk.rule("cup", "1.1", "extension", who=late, seconds=10 * DAY, why="In hospital")
    assert "done" in two.kept()
    two.kept()
    assert two.desk.todo("cup") == []
    (row,) = (row for row in two.desk.status("cup") if row.name == late)
    assert not row.flagged
    assert 4 * DAY < row.left < 9 * DAY
    other = next(name for name in TWO if name != late)
    two.carry()
    game = two.game().game
    assert any("In hospital" in line.text for line in describe.log(two.homes[other], game) if line.kind == "ruling")


def test_whoever_does_not_come_loses_and_the_offer_is_taken_back(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    hall.kept()
    hall.silent.add("Bob Silva")
    hall.carry()
    hall.answer()
    hall.carry()
    hall.kept()
    hall.wait(5.5)
    hall.kept()
    assert hall.game().state == "offered"
    hall.wait(1)
    assert "result" in hall.kept()
    game = hall.game()
    bob = next(row.number for row in hall.desk.entrants("cup") if row.name == "Bob Silva")
    points = {game.first: game.first_points, game.second: game.second_points}
    assert points[bob] == 0
    assert sum(points.values()) == 2
    assert game.how == "no-show"
    hall.silent.clear()  # too late: the umpire's program starts it no more
    hall.carry_again()
    hall.settle()
    hall.kept()
    assert hall.game() == game
    facts = home_facts.facts(hall.umpire, game.offer) if game.offer else None
    assert facts is None or not facts.began_at


def test_both_lose_a_game_that_neither_comes_to(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    hall.kept()
    hall.wait(7)
    hall.kept()
    assert (hall.game().first_points, hall.game().second_points, hall.game().how) == (0, 0, "no-show")


def test_an_offer_that_is_declined_is_heard_and_asked_about(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    hall.carry()
    game = hall.game()
    second = next(row.name for row in hall.desk.entrants("cup") if row.number == game.second)
    (row,) = summary.rows(hall.homes[second])
    offers.decline(hall.homes[second], row.name, "No time in May")
    hall.carry()
    assert "answered" in hall.kept()
    hall.wait(1.5)
    hall.kept()
    assert any(second in text for text in hall.desk.todo("cup"))
    assert hall.game().state == "offered"
    row = hall.desk.decide("cup", "1.1", (2, 0), forfeit=True, why="He has no time")
    assert (row.state, row.how) == ("decided", "no-show")
    hall.kept()
    assert hall.desk.todo("cup") == []


@pytest.mark.parametrize("draw", [False, True])
def test_an_adjudged_game_ends_at_everybodys_table(two, draw):
    more = {"draw": True} if draw else {"who": "Bob Silva"}
    two.desk.rule("cup", "1.1", "adjudge", why="The summer is over", **more)
    two.kept()
    two.kept()
    game = two.game()
    bob = next(row.number for row in two.desk.entrants("cup") if row.name == "Bob Silva")
    points = {game.first: game.first_points, game.second: game.second_points}
    assert game.how == "adjudged"
    assert points[bob] == (1 if draw else 2)
    two.carry()
    for name in TWO:
        (row,) = summary.rows(two.homes[name])
        assert row.stage in ("ending", "over")
    with pytest.raises(UmpireError, match="has its result"):
        two.desk.rule("cup", "1.1", "forfeit", who="Bob Silva", why="Again")


def test_a_game_is_not_ended_twice(two):
    two.desk.rule("cup", "1.1", "forfeit", who="Bob Silva", why="He left")
    with pytest.raises(UmpireError) as caught:
        two.desk.rule("cup", "1.1", "adjudge", who="Bob Silva", why="He won")
    assert caught.value.code == "E-NO-NEED"


def test_a_ruling_that_is_refused_says_why_and_can_be_wanted_again(two):
    act = two.desk.rule("cup", "1.1", "substitute", who="Bob Silva", raw=b"no file", why="Dora goes on")
    two.kept()
    (failed,) = two.desk.acts("cup", ("failed",))
    assert failed.id == act.id
    assert "E-NOTHING" in failed.outcome
    assert any("failed" in text for text in two.desk.todo("cup"))
    two.desk.rule("cup", "1.1", "substitute", who="Bob Silva", raw=b"no file", why="Dora goes on")


def test_somebody_else_goes_on_in_a_place(two):
    gone = one_owes(two)
    stays = next(name for name in TWO if name != gone)
    name = two.game().game
    two.silent.add(gone)
    dora = two.home_of("Dora Lund")
    dora.new_identity("Dora Lund", "dora@example.org", "")
    raw = b"".join(archives.archive(two.homes[stays], name))
    _, posted = offers.stand_in(dora, raw, gone)
    two.homes["Dora Lund"] = dora
    two.desk.rule("cup", "1.1", "substitute", who=gone, raw=posted.raw, why=f"{gone} is ill")
    assert "done" in two.kept()
    assert two.desk.acts("cup", ("failed",)) == []
    two.play_on()
    game = two.game()
    assert (game.state, game.how) == ("decided", "played")
    assert any(line.name == "Dora Lund" for line in describe.log(two.umpire, name) if line.kind == "orders")


def test_one_keeper_at_a_time_for_a_home(two):
    other = Keeper(two.desk, two.home_of("Una Umpire"), ByHand(two.umpire))
    with two.keeper.keeping():
        with pytest.raises(HomeError) as caught, other.keeping():
            raise AssertionError("two keepers")
        assert caught.value.code == "E-LOCKED"
    with other.keeping():
        assert other.round().faults == []


def test_of_two_copies_of_a_home_one_offers_and_rules(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    shutil.copytree(hall.umpire.root, tmp_path / "copy")
    copy = Home(tmp_path / "copy", ask=lambda _: "", clock=hall.clock, find_game=lambda _: duel(), disk=Unflushed())
    other = Keeper(hall.desk, copy, ByHand(copy))

    def stopped(*_, **__):
        raise HomeError("E-NO-WRITE", "no room")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(offers, "offer", stopped)
        (fault,) = hall.keep().faults
    assert fault.code == "E-NO-WRITE"
    assert other.round().entries == [], "it is taken, and may have been carried out"
    assert summary.rows(copy) == []
    assert hall.kept() == ["offered", "done", "read"]
    other.round()
    assert (len(summary.rows(hall.umpire)), summary.rows(copy)) == (1, [])


def test_an_act_of_a_keeper_that_is_gone_can_be_wanted_again(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    with hall.desk.writing("cup") as (writing, _):
        writing.record("taken", {"act": 1, "outcome": "another machine:/home/una"})
    assert hall.kept() == []
    hall.wait(1)
    assert any("another machine" in text for text in hall.desk.todo("cup"))
    hall.desk.release_act(1)
    assert hall.kept() == ["taken", "offered", "done", "read"]
    with pytest.raises(UmpireError, match="There is no task 1 that was begun"):
        hall.desk.release_act(1)


def test_a_keeper_without_the_umpires_key_leaves_the_games_alone(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    bob = hall.homes["Bob Silva"]
    assert Keeper(hall.desk, bob, ByHand(bob)).round().entries == []
    assert len(hall.desk.acts("cup", ("wanted",))) == 1


def test_odd_timing_is_noted_once(two):
    two.homes["Alice Kern"].clock = lambda: two.clock.now + 5 * DAY
    two.play_on()
    found = [row for row in two.desk.anomalies("cup") if row.kind == "clock_ahead"]
    assert found
    alice = next(row.number for row in two.desk.entrants("cup") if row.name == "Alice Kern")
    assert {row.entrant for row in found} == {alice}
    two.keeper = Keeper(two.desk, two.umpire, ByHand(two.umpire))
    assert two.kept() == []


def test_addresses_are_in_no_output_but_the_umpires_list(two):

    two.play_on()
    names = {row.number: row.name for row in two.desk.entrants("cup")}
    texts = [sentence(entry, names, {1: "1.1"}) for entry in two.desk.journal()]
    texts += [repr(row) for row in (*two.desk.entrants("cup"), *two.desk.rounds("cup"), *two.desk.moves("cup"))]
    texts += [repr(row) for row in (*two.desk.acts("cup"), *two.desk.standings("cup"), *two.desk.tournaments())]
    assert len(texts) > 15
    assert not [text for text in texts if "example.org" in text]


def test_who_asks_what_he_lacks_and_what_was_refused_is_noted_once(two):
    class Told(ByHand):
        def news(self):
            return (News(two.game().game, "Another position [MEA-7]", code="E-DESYNC"),)

    resync.hello(two.homes["Bob Silva"], two.game().game)
    two.carry()
    two.keeper = Keeper(two.desk, two.umpire, Told(two.umpire))
    two.kept()
    found = {row.kind: row for row in two.desk.anomalies("cup")}
    bob = next(row.number for row in two.desk.entrants("cup") if row.name == "Bob Silva")
    assert found.keys() == {"restored", "desync"}
    assert found["restored"].entrant == bob
    two.keeper = Keeper(two.desk, two.umpire, Told(two.umpire))
    assert two.kept() == []


def test_whoever_holds_back_what_his_program_owes_is_noted_and_his_clock_runs(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    hall.kept()
    hall.carry()
    hall.answer()
    hall.carry()
    silent = "Bob Silva"
    number = next(row.number for row in hall.desk.entrants("cup") if row.name == silent)
    # From now on Bob's program opens nothing: it owes what the beginning of the game needs of it, or his orders.
    hall.silent.add(silent)
    hall.kept()
    game = hall.game().game
    for _ in range(6):
        (alice,) = (row for row in summary.rows(hall.homes["Alice Kern"]) if row.name == game)
        if alice.my_move:
            hall.order("Alice Kern", hall.homes["Alice Kern"], game)
            sending.send(hall.homes["Alice Kern"], game)
        hall.carry()
        hall.kept()
    with hall.store.reading() as db:
        owed = [row for row in of_games(db, OwedRow, 1) if row.entrant == number]
    assert owed
    hall.wait(7)
    hall.kept()
    hall.kept()
    kinds = {row.kind for row in hall.desk.anomalies("cup")}
    assert ("withheld" in kinds) == any(row.automatic for row in owed)
    assert (hall.game().how, hall.game().state) == ("forfeit", "decided")


def test_a_game_decided_by_hand_before_it_began_is_not_begun_any_more(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    row = hall.desk.decide("cup", "1.1", (0, 2), forfeit=False, why="Played over the board")
    hall.kept()
    hall.settle()
    hall.kept()
    game = hall.game()
    assert (game.state, game.text, game.second_points) == ("decided", row.text, 2)
    assert summary.rows(hall.umpire)[0].stage == "cancelled"
    for home in hall.players.values():
        (row,) = summary.rows(home)
        assert (row.stage, row.owed) == ("cancelled", ())
        assert (
            describe.log(home, row.name)[-1].text == "takes the offer back: The result is 0 : 1. Played over the board"
        )
    kinds = [row.kind for row in hall.desk.journal()]
    assert ("answered" in kinds, kinds.count("closed")) == (False, 1)
    assert hall.desk.check().ok


def test_a_game_decided_after_it_was_offered_ends_at_its_players(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    second = entrant_of(hall)(hall.game().second).name
    hall.silent.add(second)
    hall.settle()
    hall.kept()
    assert hall.game().state == "offered"
    hall.desk.decide("cup", "1.1", (2, 0), forfeit=True, why="The second player never came")
    hall.kept()
    hall.silent.clear()
    hall.carry_again()
    hall.settle()
    assert {row.stage for home in hall.players.values() for row in summary.rows(home)} == {"cancelled"}
    assert hall.game().state == "decided"


def test_a_game_that_is_only_offered_says_so_and_says_who_is_missing(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    first, second = (row.name for row in map(entrant_of(hall), hall.game().entrants))
    hall.silent.add(second)
    hall.settle()
    assert "answered" in hall.kept()
    hall.kept()
    assert hall.game().state == "offered"
    (waits,) = [row for row in hall.desk.status("cup") if row.number]
    assert (waits.state, waits.name, waits.what, waits.flag_at) == ("offered", second, "join", hall.game().expires)
    assert hall.desk.check().ok
    hall.wait(7)
    (text,) = hall.desk.todo("cup")
    assert text.startswith(f"{second} did not turn up for game 1.1.")
    assert "pbem umpire offer cup --again 1.1" in text
    hall.desk.offer_again("cup", "1.1")
    hall.silent.clear()
    hall.kept()
    assert hall.game().state == "offered"
    hall.settle()
    hall.kept()
    assert (hall.game().state, hall.game().how) == ("decided", "played")
    assert sorted(row.stage for row in summary.rows(hall.players[first])) == ["cancelled", "over"]
    assert hall.desk.check().ok


def test_an_offer_that_was_declined_can_be_made_again_at_once(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    hall.carry()
    bob = hall.players["Bob Silva"]
    offers.decline(bob, summary.rows(bob)[0].name, "Ill this week")
    hall.carry()
    hall.kept()
    hall.desk.offer_again("cup", "1.1")
    hall.kept()
    with hall.store.reading() as db:
        assert of_games(db, AnswerRow, 1) == []
    hall.play_on()
    assert hall.game().state == "decided"
    assert hall.game().how == "played"
    assert hall.desk.check().ok


def entrant_of(hall):
    rows = {row.number: row for row in hall.desk.entrants("cup")}
    return lambda number: rows[number]


def test_mirrored_pairs_are_two_games_on_one_board_with_the_sides_changed(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(more="mirrored = true")
    hall.play_on()
    one, other = hall.desk.rounds("cup")[0].pairings
    assert (one.label, other.label) == ("1.1a", "1.1b")
    assert (one.first, one.second) == (other.second, other.first)
    assert one.game != other.game
    assert one.state == other.state == "decided"
    log = describe.log(hall.umpire, one.game)
    assert log[1].name == next(row.name for row in hall.desk.entrants("cup") if row.number == one.first)
    boards = {row.tournament.board for row in summary.rows(hall.umpire)}
    assert boards == {1, 2}, "a number for each"


def test_secrets_that_come_after_the_end_still_make_the_archive_whole(two):
    late = "Bob Silva"
    two.desk.rule("cup", "1.1", "forfeit", who=late, why="He left")
    two.silent.add(late)
    for _ in range(3):
        two.kept()
        two.carry()
    assert two.desk.tournament("cup").state == "over"
    with two.store.reading() as db:
        (kept,) = of_games(db, ArchiveRow, 1)
    assert not kept.whole
    assert two.kept() == []
    two.silent.clear()
    two.carry_again()
    assert "archived" in two.kept()
    with two.store.reading() as db:
        (kept,) = of_games(db, ArchiveRow, 1)
    assert kept.whole
    assert two.kept() == []


@pytest.mark.parametrize("why", ["Not everybody turned up for the game.", "Not everybody turned up for the game"])
def test_a_sentence_ends_with_one_full_stop(why):
    entry = Entry(1, 0, "Una", "closed", {"pairing": 1, "why": why}, bytes(32), bytes(32))
    assert sentence(entry, {}, {1: "1.1"}).endswith("are informed: Not everybody turned up for the game.")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(90, "1 minute and 30 seconds"), (129_600, "1 day and 12 hours"), (0, "0 seconds"), (86_400, "1 day")],
)
def test_the_time_of_a_clock_is_told_whole(seconds, text):
    assert span(seconds) == text
