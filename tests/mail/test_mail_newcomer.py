"""Mistakes of people who set their mail up for the first time: each gets a calm sentence, and nothing is lost."""

import subprocess
import sys
import time
from email.message import EmailMessage

import pytest
from homes import pbem, settle
from mailhomes import at_home, introduce, local_settings, maildir, parsed
from shapes import fits

from pbem.home import offers, summary
from pbem.home.disk import Disk
from pbem.mail import connect
from pbem.mail.connect import MailError, Secrets, quoted
from pbem.mail.settings import Command, Local, Server, Source, parse, write
from pbem.mail.ways import CommandOut, FilesOut

LINGERS = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)']); "


def test_a_password_command_that_hangs_or_leaves_something_running(monkeypatch):
    def server(script):
        return Server("imap", "h.example", 993, "tls", "a", secret=Source("command", (sys.executable, "-c", script)))

    began = time.monotonic()
    assert Secrets(lambda _: None).of(server(LINGERS + "print('hunter2', flush=True)")).show() == "hunter2"
    monkeypatch.setattr(connect, "PATIENCE", 1)
    with pytest.raises(MailError, match="took too long") as caught:
        Secrets(lambda _: None).of(server(LINGERS + "import time; time.sleep(30)"))
    assert caught.value.code == "E-MAIL-LOGIN"
    assert time.monotonic() - began < 15


def test_a_mail_command_that_leaves_something_running_has_taken_the_mail():
    way = CommandOut(Command((sys.executable, "-c", LINGERS + "assert sys.stdin.read() == 'A: b\\n\\nc\\n'")))
    began = time.monotonic()
    assert way.send("k", "a@x.org", ["b@x.org"], b"A: b\r\n\r\nc\r\n").refused == ()
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("adress = 'a@b.c'", "there is no setting 'adress'; did you mean address?"),
        ("[[in]]\nkind='imap'\nhost='h'\nusr='u'", "in/0: user is missing"),
        ("[[in]]\nkind='imap'\nhost='h'\nusr='u'", "there is no setting 'usr'; did you mean user?"),
        ("[[in]]\nkind='maildir'\npath='~nobody-of-that-name/x'", "there is no such user"),
    ],
)
def test_a_slip_of_the_pen_is_understood(text, said):
    with pytest.raises(MailError) as caught:
        parse(f"v = 1\naddress = 'a@b.c'\n{text}".encode())
    assert said in caught.value.sentence


def test_what_a_server_says_is_quoted_without_the_signs_of_python():
    assert quoted(OSError(-1, b"* OK ready.\r\n")) == "* OK ready"


def test_one_mail_that_cannot_be_read_hinders_no_other(tmp_path):
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    name, _ = offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    alice.round()
    locked = bob.folder / "Maildir" / "new" / "1.locked"
    locked.symlink_to(locked)
    bob.receive("2.offer", next(iter(alice.out().values())))
    done = bob.round()
    assert [(fault.code, "1.locked" in fault.sentence) for fault in done.faults] == [("E-MAIL-FOLDER", True)]
    assert summary.row(bob.desk, name).stage == "invited"
    locked.unlink()
    locked.write_bytes(b"Subject: x\r\n\r\nx\r\n")
    done = bob.round()
    assert (done.looked_at, done.faults) == (1, [])


def test_a_folder_for_mails_that_cannot_be(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    out = FilesOut(Local("files", str(tmp_path / "file" / "below")), Disk())
    for action in (out.check, lambda: out.send("k", "a@x.org", ["b@x.org"], b"x")):
        with pytest.raises(MailError) as caught:
            action()
        assert caught.value.code == "E-MAIL-FOLDER"
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    done = alice.round(outs=(out,))
    assert ([fault.code for fault in done.faults], done.waiting) == (["E-MAIL-FOLDER"], 1)
    assert len(alice.round().sent) == 1


def test_an_address_that_is_none(tmp_path):
    for text in ("notanaddress", "a b@example.org", "a@b@example.org", "a@.org", "<a@example.org>", "a@example.org,b"):
        done = pbem("id", "new", "Alice", "--email", text, home=tmp_path)
        assert done.code == 2
        assert "is not a mail address" in done.err
    assert not (tmp_path / "identities").exists() or not any((tmp_path / "identities").iterdir())
    assert pbem("id", "new", "Alice", "--email", "käthe@müller.example", "--no-passphrase", home=tmp_path).code == 0


def test_another_address_than_the_card_says(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    maildir(tmp_path)
    text = write(local_settings(tmp_path, "alicia@example.org"), "Alice")
    done = alice("mail", "setup", "--from", "-", stdin=text)
    told = "Your card says alice@example.org, but your mail leaves from alicia@example.org."
    assert told in done.err
    assert told in alice("mail", "setup", "--no-test", "--from", "-", stdin=text).err
    assert told in alice("mail", "test").err
    assert told in fits("mail-test", alice("mail", "test", "--json").json)["notices"][0]
    assert told in fits("mail-status", alice("mail", "status", "--json").json)["accounts"][0]["notices"][0]
    same = write(local_settings(tmp_path, "Alice@Example.org"), "Alice")
    assert "Your card" not in alice("mail", "setup", "--from", "-", stdin=same).err
    bare = alice("mail", "setup", "--from", "-", stdin='v = 1\naddress = "alice@example.org"\n')
    assert "nothing is fetched" in bare.err
    assert "nothing is sent" in bare.err


def test_the_programs_are_not_waited_for_at_the_end():
    """What a password command leaves running does not keep pbem from ending."""
    script = "from pbem.mail.connect import output; import sys; print(output([sys.executable, '-c', sys.argv[1]], 10))"
    command = [sys.executable, "-c", script, LINGERS + "print('x', flush=True)"]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, timeout=15, check=True).returncode == 0


@pytest.fixture
def offered(tmp_path):
    """Bob, and a mail with an offer for him."""
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    name, _ = offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    alice.round()
    return bob, name, next(iter(alice.out().values()))


def without_file(raw):
    """What a filter leaves that takes attachments away, of a sender who writes no armour."""
    mail = parsed(raw)
    mail.clear_content()
    mail.set_content("The attachment was removed by your provider.\n")
    return mail.as_bytes()


def test_a_mail_of_pbem_that_lost_its_file_is_told(offered):
    bob, _, raw = offered
    bob.receive("1.bare", without_file(raw))
    bob.round()
    (news,) = bob.heard
    assert "No pbem file could be read in the mail “[pbem] The crossing: Alice" in news.what
    assert "says it is from Alice Kern <alice@example.org>" in news.what
    assert not summary.rows(bob.desk)


def test_a_person_who_answers_in_words_is_no_news(offered):
    bob, name, _ = offered
    words = EmailMessage()
    words["Subject"], words["From"] = f"Re: [pbem] {name}", "Alice Kern <alice@example.org>"
    words["Message-ID"] = "<1@example.org>"
    words.set_content("Shall we begin on Friday?\n")
    bob.receive("1.words", words.as_bytes())
    bob.round()
    assert bob.heard == ()


def test_a_clipped_mail_says_which_one(offered):
    bob, name, raw = offered
    text = parsed(raw).get_body().get_content()
    clipped = b"From: alice@example.org\r\nSubject: =?utf-8?q?Z=C3=BCge?=\r\n\r\n" + text[: len(text) // 2].encode()
    bob.receive("1.clipped", clipped)
    bob.round()
    (news,) = bob.heard
    assert (news.code, news.notes) == (
        "E-CUT",
        ("It was in the mail “Züge” that says it is from alice@example.org.",),
    )
    bob.receive("2.whole", raw)
    bob.round()
    assert summary.row(bob.desk, name).stage == "invited"


def test_a_damaged_attachment_beside_whole_text_is_no_news(offered):
    bob, name, raw = offered
    mail = parsed(raw)
    for part in mail.iter_attachments():
        content = part.get_content()
        part.set_content(content[:-20], maintype="application", subtype="octet-stream", filename="x.pbem")
    bob.receive("1.both", mail.as_bytes())
    bob.round()
    assert summary.row(bob.desk, name).stage == "invited"
    assert [news.code for news in bob.heard] == [None]
