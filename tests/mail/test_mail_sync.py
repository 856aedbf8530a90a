"""Games between homes that only meet by mail."""

import re
from dataclasses import replace

import pytest
from mailhomes import Office, at_home, introduce, mails, parsed

from pbem.home import describe, offers, orders, resync, sending, summary
from pbem.home.outbox import Letter
from pbem.home.seen import Gist
from pbem.mail.compose import body, subject

SEATS = {"blue": "me", "red": "bob"}


def pair(tmp_path):
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    return alice, bob


def begun(tmp_path, mangle=None):
    alice, bob = pair(tmp_path)
    office = Office(alice, bob, mangle=mangle)
    name, _ = offers.offer(alice.desk, "bridgehead", seats=SEATS)
    office.run()
    assert summary.row(bob.desk, name).stage == "invited"
    offers.join(bob.desk, name)
    office.run()
    return alice, bob, office, name


def test_a_whole_game_by_mail(tmp_path):
    alice, bob, office, name = begun(tmp_path, mangle=lambda raw: [raw, raw])
    for _ in range(200):
        mover = next((home for home in (alice, bob) if summary.row(home.desk, name).my_move), None)
        if mover is None:
            break
        orders.bot(mover.desk, name, "sensible")
        sending.send(mover.desk, name)
        office.run()
    assert summary.row(alice.desk, name).stage == summary.row(bob.desk, name).stage == "over"
    ids = [str(mail["Message-ID"]) for home in (alice, bob) for mail in mails(home)]
    assert len(set(ids)) == len(ids) > 10
    roots = {str(mail["References"]).split()[0] for home in (alice, bob) for mail in mails(home)}
    assert len(roots) == 1, "one game is one thread"
    automatic = [mail for home in (alice, bob) for mail in mails(home) if mail["Auto-Submitted"]]
    assert automatic
    assert all("answered automatically" in mail.get_body().get_content() for mail in automatic)
    late = mails(bob)[-1]
    assert str(late["In-Reply-To"]) in set(ids)
    quiet = alice.round()
    assert (quiet.looked_at, quiet.sent, quiet.waiting, alice.heard) == (0, [], 0, ())


def test_the_body_says_whose_move_it_is_and_holds_the_file_twice(tmp_path):
    alice, bob, office, name = begun(tmp_path)
    mover = alice if summary.row(alice.desk, name).my_move else bob
    orders.set_note(mover.desk, name, "Well met!")
    orders.bot(mover.desk, name, "random")
    posted = sending.send(mover.desk, name).posted
    mover.round()
    mail = next(mail for mail in mails(mover) if posted.path.name in mail.as_string())
    text = mail.get_body().get_content()
    assert ("'s move." in text and " is asked: " in text) or "program has to" in text
    assert "BEGIN PBEM FILE" in text
    (attached,) = [part for part in mail.iter_attachments() if part.get_filename() == posted.path.name]
    assert attached.get_content() == posted.raw
    office.run()
    other = bob if mover is alice else alice
    assert any(line.message == "Well met!" for line in describe.log(other.desk, name))


def test_a_mail_says_what_happened_and_who_is_asked(tmp_path):
    """In its subject, and in a few lines before the file."""
    alice, bob, office, _ = begun(tmp_path)
    subjects, texts = [], []
    for _ in range(40):
        mover = next((home for home in (alice, bob) if summary.rows(home.desk)[0].my_move), None)
        if mover is None:
            break
        name = summary.rows(mover.desk)[0].name
        before = mover.out()
        orders.bot(mover.desk, name, "sensible")
        sending.send(mover.desk, name)
        mover.round()
        fresh = [parsed(raw) for key, raw in mover.out().items() if key not in before]
        subjects += [str(mail["Subject"]).strip() for mail in fresh]
        texts += [mail.get_body().get_content() for mail in fresh]
        office.run()
    assert any(
        re.fullmatch(r"\[pbem\] .*, turn \d: (Alice Kern|Bob Silva) sent orders; you are asked: \w+", each)
        for each in subjects
    )
    assert all(len(each) <= 130 for each in subjects)
    for text in texts:
        told = [line for line in text.split("\n\nThe same file")[0].splitlines() if line.startswith("- ")]
        assert len(told) <= 5
        assert "This file holds everything that is new to you" in text
    assert any("- " in text for text in texts)


def test_a_subject_says_you_to_the_only_receiver():
    found = Gist("Barbarossa, turn 3", "sent orders", (), (("Bob", "retreat"),), whole=True)
    assert (
        subject("Anna", found, automatic=False, alone=True)
        == "Barbarossa, turn 3: Anna sent orders; you are asked: retreat"
    )
    assert subject("Anna", found, automatic=False, alone=False).endswith("Anna sent orders; Bob is asked: retreat")
    turn = replace(found, asked=(("Bob", ""),))
    assert subject("Anna", turn, automatic=True, alone=True).endswith("Anna's program answered; it is your move")
    own = replace(found, asked=(("", "loss"),))
    assert subject("Anna", own, automatic=True, alone=True).endswith("Anna is asked: loss")


def test_what_comes_from_files_is_cleaned_and_cut():
    odd = "A\r\nBcc: eve@example.org \x1b[31m\u202e" + "x" * 500
    found = Gist(odd, "moved", (odd,) * 9, ((odd, odd.lower()[:20]),), whole=True)
    told = subject(odd, found, automatic=False, alone=False)
    assert told.isprintable()
    assert len(told) < 300
    text = body(odd, None, "game", found, automatic=False)
    assert all(line.isprintable() and len(line) < 500 for line in text.splitlines())
    assert len(text.splitlines()) < 14


def test_what_was_sent_by_hand_is_mailed_again_only_when_asked(tmp_path):
    alice, _, _, name = begun(tmp_path)
    before = len(alice.out())
    alice.round()
    assert len(alice.out()) == before
    sending.send(alice.desk, name).posted if not summary.row(alice.desk, name).my_move else sending.resend(
        alice.desk, name
    )
    alice.round()
    assert len(alice.out()) == before + 1


def test_a_file_that_is_addressed_anew_keeps_its_deliveries(tmp_path):
    alice, _, _, _ = begun(tmp_path)
    outbox = alice.desk.outbox
    letter = next(iter(outbox.letters().values()))
    handed = outbox.deliveries(letter.of)
    assert handed
    with alice.desk.writing():
        outbox.put(
            alice.desk.load(letter.game),
            letter.name,
            outbox.file(letter.name),
            letter.to,
            automatic=not letter.automatic,
            holds=letter.holds,
        )
    assert outbox.of(letter.name).automatic is not letter.automatic
    assert not alice.round().sent
    assert outbox.deliveries(letter.of) == handed


def test_a_queue_that_was_deleted_is_made_again(tmp_path):
    """What the others have shown to hold does not go again; what they may lack goes once."""
    alice, bob, office, name = begun(tmp_path)
    mover, other = (alice, bob) if summary.row(alice.desk, name).my_move else (bob, alice)
    for home in (alice, bob):
        assert home.desk.tables.whole
    orders.bot(mover.desk, name, "sensible")
    posted = sending.send(mover.desk, name).posted
    mover.round()
    before = set(mover.out())
    (mover.desk.root / "tables.db").unlink()
    (mover.desk.root / "mail" / "mail.db").unlink()
    (letter,) = mover.round().sent
    assert (letter.name, letter.to) == (posted.path.stem, posted.to)
    (again,) = set(mover.out()) - before
    assert posted.raw in [part.get_content() for part in parsed(mover.out()[again]).iter_attachments()]
    assert not mover.round().sent
    office.run()
    assert describe.log(other.desk, name)[-1].seq == describe.log(mover.desk, name)[-1].seq


def test_a_stranger_a_bounce_and_a_machine_are_not_answered(tmp_path):
    alice, bob, _, name = begun(tmp_path)
    carla = at_home(tmp_path, "Carla Umm")
    introduce(carla.desk, alice.desk)
    alice.desk.people.forget("carla")
    offers.offer(carla.desk, "bridgehead", seats={"blue": "me", "red": "alice"})
    carla.round()
    (offer,) = carla.out().values()
    hello = alice_hello(bob, name)
    before = alice.out()
    alice.receive("1.offer", offer)
    alice.receive("2.bounce", bounce(next(iter(before.values()))))
    alice.receive("3.machine", hello.replace(b"Subject:", b"Auto-Submitted: auto-replied\r\nSubject:", 1))
    alice.receive("4.own", next(iter(before.values())))
    done = alice.round()
    assert not done.sent
    assert alice.out() == before
    assert any("bounced" in news.what and "5.2.2" in news.what for news in alice.heard)
    alice.receive("5.person", hello)
    assert [entry.automatic for entry in alice.round().sent] == [True]


@pytest.mark.parametrize("rest", ["4", "join", "asks-1", "for-0", "hello", "newkey"])
def test_a_bounce_names_the_game_of_the_file_that_came_back(tmp_path, rest):
    alice = at_home(tmp_path, "Alice Kern")
    file, key = f"bridgehead-7f3a-{rest}", "0" * 32
    letter = Letter(file, "", b"", alice.person.identity, (), automatic=False, at=1, key=key)
    with alice.desk.writing():
        alice.desk.outbox.add(letter.accepted(["bob@example.org"], 1, "250 ok"), b"")
    alice.receive("1.bounce", bounce(b"Message-ID: <pbem.%s@x.org>\r\n\r\n" % key.encode()))
    alice.round()
    (news,) = alice.heard
    assert news.notes[0].endswith("pbem send bridgehead-7f3a")


def alice_hello(home, name):
    """A question that nobody signs, as a mail."""
    resync.hello(home.desk, name)
    home.round()
    return next(raw for raw in home.out().values() if b"-hello.pbem" in raw)


def bounce(raw):
    key = str(parsed(raw)["Message-ID"])
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@example.org\r\nTo: alice@example.org\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Final-Recipient: rfc822; bob@example.org\r\nStatus: 5.2.2\r\n"
        "Diagnostic-Code: smtp; 552 mailbox full\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {key}\r\n\r\n--b--\r\n"
    ).encode()


def test_too_many_strangers_in_a_day(tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.mail.incoming.MAX_STRANGERS", 2)
    alice = at_home(tmp_path, "Alice Kern")
    for number in range(4):
        other = at_home(tmp_path, f"Stranger{number} X")
        introduce_one(other, alice)
        offers.offer(other.desk, "bridgehead", seats={"blue": "me", "red": "alice"})
        other.round()
        alice.receive(f"{number}.x", next(iter(other.out().values())))
    alice.round()
    assert len(summary.rows(alice.desk)) == 2
    assert sum("Too many came today" in news.what for news in alice.heard) == 2


def introduce_one(knowing, known):
    with knowing.desk.writing():
        knowing.desk.people.meet(known.desk.people.me().card)
