"""Clocks, reminders and no-shows count from when the desk's own mail was accepted by a way out."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from halls import DAY
from mailed_cup import accept, move
from test_umpire_keeper import FORFEIT, TWO, Hall, one_owes, started

from pbem.home import acts, offers, summary
from pbem.mail.connect import MailError
from pbem.mail.ways import FilesOut
from pbem.protocol.card import parse_card
from pbem.umpire import UmpireError
from pbem.umpire.db.deskrows import TournamentRow, update
from pbem.umpire.journaltext import held
from pbem.umpire.mailing import Asking, Mailbox
from pbem.umpire.site.pages import mark_of
from pbem.umpire.terms import terms_of

HOURS = 3_600


@pytest.fixture
def broken(monkeypatch):
    """A switch that breaks all ways out."""
    state = {"broken": False, "except": ""}
    send = FilesOut.send

    def sending(self, key, sender, to, raw):
        if state["broken"] and state["except"] not in to:
            raise MailError("E-MAIL-LINE", "The server does not answer.")
        return send(self, key, sender, to, raw)

    monkeypatch.setattr(FilesOut, "send", sending)
    return state


def playing(post):
    umpire, alice, bob, office, now = post
    office.run()
    accept(alice, bob)
    office.run()
    for _ in range(2):
        now[0] += 2 * HOURS
        office.run()
    return umpire, alice, bob, office, now


def status(umpire):
    return {row.name: row for row in umpire.desk.status("cup") if not row.automatic and row.number}


def test_no_clock_runs_and_nobody_is_judged_while_the_desks_mail_waits(post, broken):
    umpire, _, _, _, now = post
    broken["broken"] = True
    done = umpire.round()
    assert "E-UMPIRE-MAIL" in {fault.code for fault in done.faults}, "loud, and the exit code of sync follows from it"
    now[0] += 30 * DAY
    done = umpire.round()
    assert umpire.desk.pairing("cup", "1.1").state == "offered"
    assert all(row.since == 0 for row in status(umpire).values())
    texts = umpire.desk.todo("cup")
    assert any("mail of the desk waits" in text and "The server does not answer" in text for text in texts)
    assert sum("Their clock stands still" in text for text in texts) == 2
    assert not [act for act in umpire.desk.acts("cup") if act.kind == "remind"]
    broken["broken"] = False
    now[0] += DAY
    before = now[0]
    umpire.round()
    umpire.round()
    rows = status(umpire)
    assert all(before <= row.since <= now[0] for row in rows.values())
    assert umpire.desk.todo("cup") == [], "they have all of their time from now on"
    assert umpire.round().faults == []


def test_a_flag_counts_from_the_reply_of_the_way_out_and_the_ruling_names_it(post, broken):
    umpire, alice, bob, _, now = playing(post)
    asked = {name: row.since for name, row in status(umpire).items()}
    assert all(asked.values())
    for row in status(umpire).values():
        assert "written to the file" in row.said
        assert row.flag_at == row.since + 3 * DAY  # two for the move, one in the bank
    broken["broken"] = True
    move(alice, bob)
    now[0] += 10 * DAY
    umpire.round()  # their orders have not come: their mails wait as well
    flagged = [row for row in status(umpire).values() if row.flagged]
    assert flagged
    assert flagged[0].flag_at == asked[flagged[0].name] + 3 * DAY


def test_a_mail_that_came_back_stops_the_clock(post):
    umpire, _, _, _, now = playing(post)
    (row,) = [row for row in status(umpire).values() if row.name == "Alice Kern"][:1]
    assert row.since
    keys = [
        found[1]
        for raw in umpire.out().values()
        if (found := re.search(rb"<pbem\.([0-9a-f]{32})@", raw)) and b"alice" in raw.split(b"Subject")[0].lower()
    ]
    for number, key in enumerate(keys):
        report = (
            b"From: MAILER-DAEMON@example.org\r\nContent-Type: multipart/report\r\nMessage-ID: <%d@x.org>\r\n\r\n"
            b"Final-Recipient: rfc822; alice@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n"
            b"Diagnostic-Code: smtp; 550 no such user\r\n\r\nMessage-ID: <pbem.%s@example.org>\r\n" % (number, key)
        )
        umpire.home.receive(f"back{number}", report)
    umpire.round()
    umpire.round()
    row = status(umpire).get("Alice Kern")
    assert row.since == 0
    assert "550 no such user" in row.said
    now[0] += 20 * DAY
    umpire.round()
    assert not status(umpire)["Alice Kern"].flagged
    assert any("has reached Alice Kern" in text for text in umpire.desk.todo("cup"))


def test_a_report_that_a_mail_is_late_stops_nothing(post):
    umpire, _, _, _, _ = playing(post)
    before = status(umpire)["Alice Kern"].since
    for number, raw in enumerate(umpire.out().values()):
        key = re.search(rb"<pbem\.([0-9a-f]{32})@", raw)[1]
        umpire.home.receive(
            f"late{number}",
            b"From: MAILER-DAEMON@example.org\r\nContent-Type: multipart/report\r\n\r\nAction: delayed\r\n"
            b"Message-ID: <pbem.%s@example.org>\r\n" % key,
        )
    umpire.round()
    umpire.round()
    assert status(umpire)["Alice Kern"].since == before


def test_the_desk_asks_what_a_players_own_mail_should_have_brought(tmp_path):
    """In mode umpire the first question follows from the numbers of all: nobody's own mail need tell the others."""
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    started(hall)
    letters = [name for name in hall.umpire.outbox.letters() if "-asks-" in name]
    owing = one_owes(hall)
    assert owing
    assert letters
    at = hall.clock.now
    hall.kept()
    rows = [row for row in hall.desk.status(hall.name) if row.number and not row.automatic]
    assert all(row.since and row.since <= at for row in rows)


def test_what_was_asked_once_is_not_asked_again(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    started(hall)
    name = next(name for name in hall.umpire.outbox.letters() if "-asks-" in name)
    before = hall.umpire.outbox.of(name)
    for _ in range(4):
        hall.wait(0.1)
        hall.kept()
    assert hall.umpire.outbox.of(name) == before


def test_the_answer_shows_that_the_question_came(tmp_path):
    """No mail of the desk asked, and the answer itself cites the position: it takes no time."""
    hall = Hall(tmp_path / "hall", TWO)
    hall.found()
    with hall.desk.writing("cup") as (writing, tournament):
        terms = tournament.terms.plain()
        terms["keeper"]["ask"] = 30 * DAY
        update(writing.db, TournamentRow, {"id": 1}, terms=terms_of(terms))
    hall.desk.pair("cup")
    hall.desk.offer("cup")
    started(hall)
    assert all(row.since == 0 for row in hall.desk.status("cup") if row.number and row.what == "orders")
    hall.wait(2)
    hall.settle()
    hall.kept()
    first = hall.desk.moves("cup")[0]
    assert (first.asked_at, first.said) == (first.answered_at, "their own record cites the position")


def test_an_entrant_who_withdrew_after_the_pairing_gets_no_offer(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.found()
    hall.desk.pair(hall.name)
    hall.desk.withdraw(hall.name, "Bob Silva", "Moving house")
    assert hall.desk.paired_with(hall.name, 2) == "1.1"
    hall.desk.offer(hall.name)
    hall.kept()
    game = hall.game()
    points = {game.first: game.first_points, game.second: game.second_points}
    assert (game.state, game.how, game.offer) == ("decided", "no-show", None)
    assert points == {1: 2, 2: 0}
    assert hall.desk.acts(hall.name) == []
    assert all(not summary.rows(home) for home in hall.players.values())


def test_an_entrant_who_withdraws_before_the_keeper_comes_gets_no_offer(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.desk.withdraw(hall.name, "Bob Silva", "Moving house")
    hall.kept()
    assert (hall.game().state, hall.game().how, hall.game().offer) == ("decided", "no-show", None)
    assert all(not summary.rows(home) for home in hall.homes.values())
    (act,) = hall.desk.acts(hall.name)
    assert (act.state, act.outcome) == ("dropped", "Bob Silva withdrew")
    assert hall.desk.check().ok


def test_a_player_who_leaves_the_tournament_is_withdrawn_at_the_desk(tmp_path):
    """Whether the offer lives or not; and the desk's own return of them stands."""
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    hall.kept()
    hall.carry()
    bob = hall.homes["Bob Silva"]
    offers.decline(bob, summary.rows(bob)[0].name, "I am moving.", tournament=True)
    hall.carry()
    assert {"answered", "withdrawn"} <= set(hall.kept())
    row = next(each for each in hall.desk.entrants(hall.name) if each.name == "Bob Silva")
    assert (row.out, row.why) == (True, "I am moving.")
    assert any(entry.actor == "Bob Silva" for entry in hall.desk.journal() if entry.kind == "withdrawn")
    hall.desk.withdraw(hall.name, "Bob Silva", "He stays", back=True)
    hall.carry_again()
    hall.kept()
    assert not next(each for each in hall.desk.entrants(hall.name) if each.name == "Bob Silva").out


def test_a_forfeit_after_the_first_orders_is_a_game_that_was_lost(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    started(hall)
    late = one_owes(hall)
    hall.silent.add(late)
    hall.wait(5)
    for _ in range(3):
        hall.kept()
        hall.settle()
    game = hall.game()
    assert game.how == "forfeit"
    (ruling,) = [act for act in hall.desk.acts(hall.name) if act.kind == "rule"]
    assert re.fullmatch(
        r"Time ran out at .* UTC\. Asked for orders at .* UTC \(put into the outbox as .*\)\.", ruling.data["why"]
    )
    rows = {row.name: row for row in hall.desk.standings(hall.name)}
    assert (rows[late].played, rows[late].lost) == (1, 1)
    ratings = {row.entrant: row.rating for row in hall.desk.rate(hall.name)}
    assert len(set(ratings.values())) == 2, "it is rated"
    assert {mark_of(game, 0), mark_of(game, 2)} == {"+", "\u2212"}
    absent = replace(game, how="no-show")
    assert [mark_of(absent, points) for points in (0, 1, 2)] == ["(\u2212)", "(½)", "(+)"]


def test_a_forfeit_before_any_orders_is_no_game(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    started(hall)
    hall.silent |= set(TWO)
    hall.wait(5)
    for _ in range(3):
        hall.kept()
        hall.carry()
    assert hall.game().how == "no-show"
    assert {row.played for row in hall.desk.standings(hall.name)} == {0}


def test_a_game_given_up_before_any_orders_is_no_game(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin()
    started(hall)
    hall.silent |= set(TWO)
    home = hall.players["Alice Kern"]
    acts.resign(home, summary.rows(home)[0].name)
    hall.carry()
    for _ in range(3):
        hall.kept()
        hall.carry()
    assert hall.game().how == "no-show"
    assert {row.rating for row in hall.desk.rate(hall.name)} == {1500}


def test_a_desk_sends_more_than_a_players_program_may(post):
    umpire, alice, bob, office, _ = post
    umpire.home.settings = replace(umpire.home.settings, answers_per_hour=1)
    office.run()
    accept(alice, bob)
    office.run()
    while move(alice, bob):
        office.run()
    office.run()
    assert umpire.desk.pairing("cup", "1.1").state == "decided"
    assert umpire.round().faults == []


def test_what_waits_is_said_in_words():
    assert held(0, 0, "") == "All mails of the desk have left."
    assert held(1, 1_800_000_000, "x").startswith("1 mail of the desk waits since 2027-01-15 08:00 UTC: x.")
    assert "2 mails of the desk wait" in held(2, 1_800_000_000, "")


def test_an_offer_that_left_after_it_expired_is_made_again(post, broken):
    """The players' programs join no offer that has expired: nobody could have come."""
    umpire, alice, bob, office, now = post
    broken["broken"] = True
    umpire.round()
    now[0] += 30 * DAY
    umpire.round()
    broken["broken"] = False
    now[0] += DAY
    for _ in range(3):
        office.run()
    accept(alice, bob)
    for _ in range(3):
        office.run()
    game = umpire.desk.pairing("cup", "1.1")
    assert game.began_at
    assert game.state == "playing"
    (again,) = [act for act in umpire.desk.acts("cup") if "instead" in act.data]
    assert again.state == "done"


def test_an_offer_that_left_in_time_is_not_made_again(post):
    umpire, _, _, office, now = post
    office.run()
    now[0] += 30 * DAY
    office.run()
    assert not [act for act in umpire.desk.acts("cup") if "instead" in act.data]


def test_an_offer_that_came_back_can_be_made_again(post):
    umpire, _, _, _, _ = post
    umpire.round()
    (raw,) = umpire.out().values()
    umpire.round()
    with pytest.raises(UmpireError, match="was delivered"):
        umpire.desk.offer_again("cup", "1.1")
    key = re.search(rb"<pbem\.([0-9a-f]{32})@", raw)[1]
    umpire.home.receive(
        "back",
        b"From: MAILER-DAEMON@example.org\r\nContent-Type: multipart/report\r\n\r\n"
        b"Final-Recipient: rfc822; bob@example.org\r\nAction: failed\r\n\r\nMessage-ID: <pbem.%s@example.org>\r\n"
        % key,
    )
    umpire.round()
    assert "pbem send" in umpire.home.state().news()[-1].notes[0]
    umpire.round()
    assert umpire.desk.offer_again("cup", "1.1").kind == "offer"


def test_whoever_has_not_answered_does_not_lose_by_the_refusal_of_the_other(tmp_path):
    hall = Hall(tmp_path / "hall", TWO)
    hall.begin(keeper=FORFEIT)
    first, second = hall.game().entrants
    names = {row.number: row.name for row in hall.desk.entrants(hall.name)}
    hall.silent.add(names[second])
    hall.kept()
    hall.carry()
    offers.decline(hall.players[names[first]], summary.rows(hall.players[names[first]])[0].name, "No time")
    hall.carry()
    hall.kept()
    hall.wait(2)
    hall.kept()
    game = hall.game()
    assert (game.state, game.how, game.first_points, game.second_points) == ("decided", "no-show", 0, 2)


def test_one_mail_that_came_back_while_another_left_is_noticed(post):
    """As many mails were delivered as before, and not the same ones."""
    umpire, _, _, _, _ = playing(post)
    game = umpire.desk.pairing("cup", "1.1")
    outbox = umpire.home.desk.outbox
    mail = Mailbox(umpire.home.desk, umpire.home.state(), [umpire.home.account()])
    cards = {each.number: parse_card(each.card) for each in umpire.desk.entrants("cup")}
    asking = Asking(mail, game.offer, cards)
    before, count = asking.marks(), len(mail.deliveries(game.offer))
    assert Asking(mail, game.offer, cards).marks() == before
    letter = next(each for each in outbox.of_game(game.offer) if each.handed)
    outbox.came_back(letter, 1, "552 full", [letter.handed[0].to])
    outbox.add(replace(letter, key="0" * 32, handed=letter.handed[:1], returned=()), b"")
    assert len(mail.deliveries(game.offer)) == count
    assert asking.marks() != before
    mail.close()
