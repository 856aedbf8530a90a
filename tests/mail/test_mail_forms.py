"""Heads of mails, mails that are written, and mails that were forwarded, quoted and recoded on the way."""

import base64
from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mailhomes import at_home, introduce, parsed, seen_at
from post import MANGLERS

from pbem.home import offers, orders, sending, summary
from pbem.mail.compose import Draft, compose, key_of, message_id
from pbem.mail.connect import MailError, Secrets
from pbem.mail.incoming import diagnosis, head_of, returned_key
from pbem.mail.settings import Local, is_address
from pbem.mail.ways import open_inbox
from pbem.protocol.armour import wrap
from tests.bounded import attempts

DRAFT = Draft(
    key="0" * 32,
    sender_name="Älice",
    sender="alice@example.org",
    to=("Bob <bob@example.org>",),
    game="bridgehead-7f3a",
    root="<root@pbem.invalid>",
    references=(),
    file_name="bridgehead-7f3a-3.pbem",
    raw=b"PBEM" * 99,
    automatic=False,
    body="Hello ünicode\n",
    at=1_800_000_000,
)


@given(st.binary(max_size=2000))
def test_any_head_is_read(raw):
    head = head_of(raw)
    assert not head.message_id or head.message_id.startswith("<")
    returned_key(raw)
    assert diagnosis(raw).isprintable()


@pytest.mark.parametrize(
    ("line", "automatic", "returned"),
    [
        (b"Auto-Submitted: auto-replied", True, False),
        (b"Auto-Submitted: No", False, False),
        (b"auto-submitted: auto-generated; x=y", True, False),
        (b"Precedence: bulk", True, False),
        (b"Return-Path: <>", True, True),
        (b"From: Mailer-Daemon <MAILER-DAEMON@x.org>", True, True),
        (b"Content-Type: multipart/report; boundary=x", True, True),
        (b"X-Failed-Recipients: bob@example.org", True, True),
        (b"From: bob@example.org", False, False),
    ],
)
def test_who_wrote_it(line, automatic, returned):
    head = head_of(b"Message-ID: <1@x>\r\n" + line + b"\r\n\r\nbody")
    assert (head.message_id, head.automatic, head.returned) == ("<1@x>", automatic, returned)


@given(st.text(max_size=80), st.text(max_size=80), st.binary(min_size=1, max_size=300), st.text(max_size=300))
def test_whatever_it_is_made_of_the_mail_is_ascii_and_whole(name, shown, raw, text):
    draft = replace(DRAFT, sender_name=name, to=(f"{shown} <bob@example.org>",), raw=raw, body=text)
    made = compose(draft)
    assert made.isascii()
    assert compose(draft) == made
    mail = parsed(made)
    assert [part.get_content() for part in mail.iter_attachments()] == [raw]
    assert mail["To"].addresses[0].addr_spec == "bob@example.org"
    assert len(mail["To"].addresses) == len(mail["From"].addresses) == 1
    assert mail["Message-ID"] == message_id(draft.key, draft.sender)
    assert {key.casefold() for key in mail} == {
        "from", "to", "subject", "date", "message-id", "in-reply-to", "references", "x-auto-response-suppress",
        "mime-version", "content-type",
    }  # fmt: skip


def test_an_automatic_mail_says_so():
    mail = parsed(compose(replace(DRAFT, automatic=True)))
    assert (mail["Auto-Submitted"], mail["Precedence"]) == ("auto-replied", "bulk")
    assert key_of(b"i", "n", b"r", 0) != key_of(b"i", "n", b"r", 1)


def forwarded(raw):
    mail = EmailMessage()
    mail["From"] = "carla@example.org"
    mail.set_content("See below.\n")
    mail.add_attachment(parsed(raw))
    return mail.as_bytes()


def recoded(raw):
    text = wrap(file_in(raw)).replace("\n", "\r\n").encode("utf-16")
    return (
        b"Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(text)
    )


def file_in(raw):
    return next(part.get_content() for part in parsed(raw).iter_attachments() if part.get_filename().endswith(".pbem"))


def in_a_page(raw):
    mail = EmailMessage()
    lines = "<br>\n".join(wrap(file_in(raw)).splitlines())
    mail.set_content(f"<html><body><blockquote>{lines}</blockquote></body></html>", subtype="html")
    return mail.as_bytes()


def as_text(mangle):
    def made(raw):
        return b"Subject: turn\n\n" + mangle(wrap(file_in(raw))).encode()

    return made


@pytest.fixture(scope="module")
def offered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")
    alice, bob = at_home(folder, "Alice Kern"), at_home(folder, "Bob Silva")
    introduce(alice.desk, bob.desk)
    name, _ = offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    alice.round()
    return bob, name, next(iter(alice.out().values()))


@pytest.mark.parametrize("change", [forwarded, recoded, in_a_page, *map(as_text, MANGLERS)])
def test_a_turn_is_found_however_it_was_sent_on(offered, change):
    bob, name, raw = offered
    bob.receive(f"{change.__name__}{id(change)}", change(raw))
    bob.round()
    assert summary.row(bob.desk, name).stage == "invited"
    with bob.desk.writing():
        import shutil

        shutil.rmtree(bob.desk.paths.games)


def test_hostile_mails_hinder_no_other(offered):
    bob, name, raw = offered
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(500))
    wide = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nx\r\n" * 20_000
    bob.receive("1.deep", b"Subject: x\r\n" + deep)
    bob.receive("2.wide", b"Subject: x\r\n" + wide)
    bob.receive(
        "3.bad", b"Subject: x\r\n\r\n-----BEGIN PBEM FILE-----\n" + b"!" * 5000 + b"\n-----END PBEM FILE-----\n"
    )
    bob.receive("4.large", b"x" * ((16 << 20) + 1))
    bob.receive("5.head", b"From: " + b"\xff(" * 40_000 + b"\r\n\r\n")
    bob.receive("6.good", raw)
    done = bob.round()
    assert not done.faults
    assert summary.row(bob.desk, name).stage == "invited"
    assert any("larger than pbem opens" in news.what for news in bob.heard)


def test_mbox_and_files_are_read_once(tmp_path):
    box = tmp_path / "mbox"
    first = b"From a@b Mon Jan  1 00:00:00 2026\nSubject: one\n\n>From here\n\n"
    box.write_bytes(first + b"From a@b Mon Jan  1 00:00:01 2026\nSubject: two\n\nx\n\n")
    seen = seen_at(tmp_path)
    inbox = open_inbox(Local("mbox", str(box)), Secrets(lambda _: None), 0)
    found = []
    for each in inbox.fresh(seen):
        found.append(each.raw)
        seen.add(each.mark)
    seen.flush()
    assert found == [b"Subject: one\n\nFrom here\n\n", b"Subject: two\n\nx\n\n"]
    again = open_inbox(Local("mbox", str(box)), Secrets(lambda _: None), 0)
    assert list(again.fresh(seen_at(tmp_path))) == []
    with box.open("ab") as file:
        file.write(b"From a@b Mon Jan  1 00:00:02 2026\nSubject: three\n\n")
    assert [each.raw for each in again.fresh(seen_at(tmp_path))] == [b"Subject: three\n\n"]


def test_marks_are_kept_in_their_order_once_they_are_flushed(tmp_path):
    seen = seen_at(tmp_path)
    for mark in ("one", "two", "one"):
        seen.add(mark)
    seen.flush()
    seen.add("three")
    again = seen_at(tmp_path)
    assert ("two" in again, "three" in again, again.last) == (True, False, "one")


def test_marks_of_what_has_gone_are_forgotten_when_they_are_many(tmp_path):
    seen = seen_at(tmp_path)
    for number in range(1_002):
        seen.add(str(number))
    seen.flush()
    seen.keep({"1", "2"})
    assert "3" in seen_at(tmp_path)
    seen.keep({"1001"})
    assert ("3" in seen, seen_at(tmp_path).last, "1000" in seen_at(tmp_path)) == (False, "1001", False)


def test_reminders_at_the_chosen_intervals(tmp_path):
    day = 86_400
    alice = at_home(tmp_path, "Alice Kern")
    bob = at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    from mailhomes import Office

    office = Office(alice, bob)
    name, _ = offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    office.run()
    offers.join(bob.desk, name)
    office.run()
    mover, other = (alice, bob) if summary.row(alice.desk, name).my_move else (bob, alice)
    orders.bot(mover.desk, name, "sensible")
    for _ in attempts(20, "the turn does not end"):
        if not summary.row(mover.desk, name).my_move:
            break
        orders.bot(mover.desk, name, "sensible")
        sending.send(mover.desk, name)
        office.run()
    waiting, late = (alice, bob) if not summary.row(alice.desk, name).my_move else (bob, alice)
    waiting.settings = replace(waiting.settings, remind_others=2)
    since = max(owed.since for owed in summary.row(late.desk, name).owed)

    def at(home, when):
        first = home.name.split()[0].casefold()
        return at_home(tmp_path, home.name, settings=home.settings, start=when) if first else home

    for days_passed, mails, told in ((1, 0, 0), (3, 1, 1), (3, 0, 0), (5, 1, 0), (6, 1, 1)):
        sender, receiver = at(waiting, since + days_passed * day + 9000), at(late, since + days_passed * day + 9000)
        done = sender.round()
        assert len(done.sent) == mails, days_passed
        receiver.round()
        assert sum("have been waiting for you" in news.what for news in receiver.heard) == told, days_passed
    assert other.address
    reminder = [mail for mail in map(parsed, waiting.out().values()) if "A reminder" in mail.get_body().get_content()]
    assert len(reminder) == 3
    assert all(mail["Auto-Submitted"] for mail in reminder)
    assert all(is_address(mail["To"].addresses[0].addr_spec) for mail in reminder)


@pytest.mark.parametrize("kind", ["maildir", "files"])
def test_a_file_that_cannot_be_read_hinders_no_other(tmp_path, kind):
    folder = tmp_path / "box"
    place = folder / "new" if kind == "maildir" else folder
    for each in (place, folder / "cur"):
        each.mkdir(parents=True, exist_ok=True)
    (place / "2").symlink_to(place / "2")
    for name in ("1", "3"):
        (place / name).write_bytes(b"Subject: x\n\n" + name.encode())
    seen = seen_at(tmp_path)
    found = []

    def look():
        for each in open_inbox(Local(kind, str(folder)), Secrets(lambda _: None), 0).fresh(seen):
            found.append(each.raw)
            seen.add(each.mark)

    with pytest.raises(MailError, match="cannot be read"):
        look()
    assert [raw[-1:] for raw in found if raw] == [b"1", b"3"]
    (place / "2").unlink()
    look()
    assert len(found) == 2


@pytest.mark.parametrize("kind", ["maildir", "files"])
def test_a_link_out_of_a_mailbox_is_not_followed(tmp_path, kind):
    place, secret = tmp_path / "M", tmp_path / "secret.eml"
    secret.write_bytes(b"Subject: x\n\nsecret")
    new = place / "new" if kind == "maildir" else place
    for sub in ("cur", "new", "tmp"):
        (place / sub).mkdir(parents=True)
    (new / "1.link").symlink_to(secret)
    (new / "2.mail").write_bytes(b"Subject: x\n\ngood")
    (new / "3.link").symlink_to(new / "2.mail")
    box = open_inbox(Local(kind, str(place)), Secrets(lambda _: None), 0)
    found = list(box.fresh(seen_at(tmp_path)))
    assert [each.raw for each in found] == [None, b"Subject: x\n\ngood", b"Subject: x\n\ngood"]
    assert "leads elsewhere" in found[0].why
