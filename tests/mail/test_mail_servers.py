"""Homes that meet through real servers on loopback: Dovecot and Postfix."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from email.message import EmailMessage

import pytest
from homes import meet
from served import BEYOND_ASCII, Cutter

pytestmark = pytest.mark.servers
SEATS = ("--seat", "blue=me", "--seat", "red=bob")


def two(served, **more):
    alice, bob = served.player("Alice Kern", **more), served.player("Bob Silva", **more)
    meet(alice, bob)
    return alice, bob


def begun(served, *players):
    alice, bob = players
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    served.exchange(alice, bob)
    bob("join", name)
    served.exchange(alice, bob)
    return name


def row(player, name):
    return player("status", name, "--json").json["games"][0]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_every_way_in_and_out(served, security):
    alice = served.player("Alice Kern", security=security)
    assert alice("mail", "test", "--json").json["ok"]


def test_a_game_until_somebody_resigns(served):
    alice, bob = two(served)
    name = begun(served, alice, bob)
    for turn in range(150):
        mover = next((player for player in (alice, bob) if row(player, name)["my_move"]), None)
        if mover is None:
            break
        if turn < 6:
            mover("bot", name, "--level", "sensible", "--send")
        else:
            mover("resign", name, "--yes")
        served.exchange(alice, bob)
    assert {row(player, name)["stage"] for player in (alice, bob)} == {"over"}
    archive = served.folder / "game.pbem"
    alice("archive", name, "-o", str(archive))
    assert bob("verify", str(archive), "--json").json["audited"]
    ids = [mail.partition(b"Message-ID: ")[2].split()[0] for user in ("alice", "bob") for mail in served.mails(user)]
    assert len(set(ids)) == len(ids), "no mail was sent twice"


def test_the_servers_stop_and_come_back(served):
    alice, bob = two(served)
    name = begun(served, alice, bob)
    mover, other = (alice, bob) if row(alice, name)["my_move"] else (bob, alice)
    mover("bot", name, "--send")
    served.servers.stop_postfix()
    served.servers.stop_dovecot()
    try:
        failed = mover("mail", "sync", "--json", code=1).json
        assert {fault["code"] for fault in failed["faults"]} == {"E-MAIL-LINE"}
        assert failed["waiting"] >= 1
    finally:
        served.servers.start()
    assert mover("mail", "sync", "--json").json["sent"]
    served.settled()
    news = other("mail", "sync", "--json").json["news"]
    assert any(each["game"] == name for each in news)


def test_a_wrong_password_is_said_and_shown_nowhere(served):
    alice = served.player("Alice Kern", password="hunter2-secret", code=1)
    done = alice("mail", "sync", code=1)
    assert done.reason == "E-MAIL-LOGIN"
    tried = alice("mail", "test", "--json", code=1)
    status = alice("mail", "status")
    files = [
        path.read_bytes() for path in (alice.home / "mail").rglob("*") if path.is_file() and path.name != "mail.toml"
    ]
    assert not any("hunter2" in text for text in (done.out, done.err, tried.out, status.out, status.err))
    assert not any(b"hunter2" in raw for raw in files)
    served.set_up(alice, "alice")
    assert alice("mail", "sync", "--json").json["ok"]


def test_a_password_beyond_ascii(served):
    emil = served.player("Emil Frei", password=BEYOND_ASCII)
    assert emil("mail", "test", "--json").json["ok"]
    served.set_up(emil, "emil", password="größe-falsch", code=1)
    tried = emil("mail", "test", "--json", code=1)
    assert {each["code"] for each in tried.json["ways"]} == {"E-MAIL-LOGIN"}
    assert "falsch" not in tried.out


def test_an_unknown_certificate_is_not_trusted(served):
    alice = served.player("Alice Kern")
    settings = alice.home / "mail" / alice("id", "show", "--json").json["identity"] / "mail.toml"
    settings.write_text(
        "".join(line for line in settings.read_text().splitlines(keepends=True) if not line.startswith("ca ="))
    )
    assert {way["code"] for way in alice("mail", "test", "--json", code=1).json["ways"]} == {"E-MAIL-TLS"}


def test_a_full_mailbox(served):
    alice = served.player("Alice Kern")
    full = served.player("Full Fred", user="full")
    meet(alice, full)
    served.servers.deliver("full", b"Subject: junk\r\n\r\n" + b"x" * 43_900, "1.junk,S=43917")
    name = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=full", "--json").json["game"]
    alice("mail", "sync")
    served.settled()
    news = alice("mail", "sync", "--json").json["news"]
    assert any("bounced" in each["what"] and "5.2.2" in each["what"] for each in news), (
        news,
        served.servers.log()[-3000:],
    )
    assert alice("mail", "sync", "--json").json["sent"] == [], "a bounce is not answered"
    assert row(alice, name)["stage"] == "offered"
    for path in served.servers.box("full").rglob("*junk*"):
        path.unlink()
    (served.servers.box("full") / "maildirsize").unlink(missing_ok=True)
    alice("send", name, "--yes")
    alice("mail", "sync")
    served.settled()
    assert full("mail", "sync", "--json").json["news"]
    assert row(full, name)["stage"] == "invited"


@pytest.mark.parametrize("where", ["in the middle", "before the answer"])
def test_the_line_is_cut_while_a_mail_is_sent(served, where):
    seen = {"begun": False, "ended": False}

    def cut(up, data):
        """Within the mail, or when the server answers to its end."""
        seen["begun"] = seen["begun"] or (up and b"data\r\n" in data)
        seen["ended"] = seen["ended"] or (up and seen["begun"] and data.endswith(b"\r\n.\r\n"))
        if where == "in the middle":
            return up and seen["begun"] and b"attachment" in data
        return not up and seen["ended"]

    cutter = Cutter(served.servers.smtp, cut)
    alice, bob = served.player("Alice Kern", out_port=cutter.port), served.player("Bob Silva")
    meet(alice, bob)
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    failed = alice("mail", "sync", "--json", code=1).json
    assert [fault["code"] for fault in failed["faults"]] == ["E-MAIL-LINE"]
    assert cutter.cuts == 1
    assert alice("mail", "sync", "--json").json["sent"]
    served.settled()
    arrived = served.mails("bob")
    assert len(arrived) == (1 if where == "in the middle" else 2)
    assert len({mail.partition(b"Message-ID: ")[2].split()[0] for mail in arrived}) == 1
    news = bob("mail", "sync", "--json").json["news"]
    assert len(news) == 1, "the second copy says nothing"
    assert row(bob, name)["stage"] == "invited"
    cutter.close()


def test_the_line_is_cut_while_mail_is_fetched(served):
    alice, bob = two(served)
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    alice("mail", "sync")
    served.settled()
    cutter = Cutter(served.servers.imap, lambda up, data: not up and b"BEGIN PBEM" in data)
    served.set_up(bob, "bob", security="none", in_port=cutter.port)
    assert bob("mail", "sync", "--json", code=1).json["faults"][0]["code"] == "E-MAIL-LINE"
    assert cutter.cuts == 1
    assert bob("mail", "sync", "--json").json["ok"]
    assert row(bob, name)["stage"] == "invited"
    cutter.close()


@contextmanager
def killed(player, port, moment):
    """`pbem mail sync`, ended by SIGKILL when the line at `port` carries what `moment` waits for."""
    running = []

    def cut(up, data):
        if not running or not moment(up, data):
            return False
        running[0].kill()
        running[0].wait()
        return True

    cutter = Cutter(port, cut)
    try:
        yield cutter.port
        environment = {**os.environ, "PBEM_HOME": str(player.home), "PBEM_PASSPHRASE": ""}
        command = [sys.executable, "-m", "pbem", "mail", "sync"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as sync:
            running.append(sync)
            assert sync.wait(60) == -signal.SIGKILL
        assert cutter.cuts == 1
    finally:
        cutter.close()


class Ended:
    """The server answers to the end of a mail."""

    def __init__(self):
        self.begun = self.ended = False

    def __call__(self, up, data):
        self.begun = self.begun or (up and b"data\r\n" in data)
        self.ended = self.ended or (up and self.begun and data.endswith(b"\r\n.\r\n"))
        return not up and self.ended


@pytest.mark.parametrize(
    ("moment", "again", "copies"),
    [
        (lambda up, data: up and data.lower().startswith(b"mail from"), 1, 1),
        (lambda up, data: up and b"attachment" in data, 1, 1),
        (Ended(), 1, 2),
        (lambda up, data: up and data.lower().startswith(b"quit"), 0, 1),
    ],
    ids=["before the mail", "in the mail", "before the answer", "at the end"],
)
def test_killed_while_a_mail_is_sent(served, moment, again, copies):
    alice, bob = two(served)
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    with killed(alice, served.servers.smtp, moment) as port:
        served.set_up(alice, "alice", out_port=port)
    served.set_up(alice, "alice")
    assert len(alice("mail", "sync", "--json").json["sent"]) == again
    assert alice("mail", "sync", "--json").json["sent"] == []
    served.settled()
    arrived = served.mails("bob")
    assert len(arrived) == copies
    assert len({mail.partition(b"Message-ID: ")[2].split()[0] for mail in arrived}) == 1
    assert len(bob("mail", "sync", "--json").json["news"]) == 1
    assert row(bob, name)["stage"] == "invited"


@pytest.mark.parametrize("where", [b"RFC822.SIZE", b"BODY[]", b"BEGIN PBEM"])
def test_killed_while_mail_is_fetched(served, where):
    alice, bob = two(served)
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    alice("mail", "sync")
    served.settled()
    with killed(bob, served.servers.imap, lambda up, data: not up and where in data) as port:
        served.set_up(bob, "bob", security="none", in_port=port)
    served.set_up(bob, "bob")
    assert len(bob("mail", "sync", "--json").json["news"]) == 1
    assert row(bob, name)["stage"] == "invited"
    assert bob("mail", "sync", "--json").json["news"] == []


def test_a_mail_delivered_twice(served):
    alice, bob = two(served)
    alice("new", "bridgehead", *SEATS)
    alice("mail", "sync")
    served.settled()
    (mail,) = served.mails("bob")
    served.servers.deliver("bob", mail, "2.again")
    assert len(bob("mail", "sync", "--json").json["news"]) == 1
    served.servers.deliver("bob", mail, "3.late")
    late = bob("mail", "sync", "--json").json
    assert (late["looked_at"], late["news"], late["sent"]) == (1, [], [])


def unrelated(number):
    mail = EmailMessage()
    mail["From"] = f"shop{number}@example.com"
    mail["Subject"] = f"Offer {number}"
    mail["Message-ID"] = f"<{number}@example.com>"
    mail.set_content("Dear customer,\n" + "nothing of interest, at a good price.\n" * 40)
    mail.add_alternative(
        "<html><body>" + "<p>nothing of interest, <b>cheap</b></p>\n" * 60 + "</body></html>", subtype="html"
    )
    if number % 20 == 0:
        mail.add_attachment(bytes(range(256)) * 200, maintype="image", subtype="jpeg", filename="picture.jpg")
    return mail.as_bytes()


def test_a_thousand_mails_with_three_turns(served):
    alice, bob = two(served)
    begun(served, alice, bob)
    turns = []
    for number in range(3):
        name = alice("new", "bridgehead", *SEATS, "--title", f"game {number}", "--json").json["game"]
        alice("mail", "sync")
        served.settled()
    turns = served.mails("bob")[-3:]
    assert name
    for number in range(1000):
        served.servers.deliver("bob", unrelated(number), f"{1_000_000 + number}.x")
    assert len(turns) == 3
    started = sum(os.times()[:4])
    done = bob("mail", "sync", "--json").json
    took = sum(os.times()[:4]) - started
    assert done["looked_at"] == 1003
    assert len(done["news"]) == 3, done["news"]
    assert bob("mail", "sync", "--json").json["looked_at"] == 0
    assert took < 5, "seconds of this process and its children"


@contextmanager
def ended(process):
    """However the test goes, nothing stays behind."""
    try:
        yield
    finally:
        process.kill()


class Said:
    """What a program prints, line by line, with an end to waiting."""

    def __init__(self, stream):
        self.lines = []
        self.ended = False
        self.read = 0
        threading.Thread(target=self._take, args=(stream,), daemon=True).start()

    def _take(self, stream):
        for line in stream:
            self.lines.append(line)
        self.ended = True

    def wait_for(self, text, seconds=25):
        until = time.monotonic() + seconds
        while time.monotonic() < until and not (self.ended and self.read == len(self.lines)):
            while self.read < len(self.lines):
                self.read += 1
                if text in self.lines[self.read - 1]:
                    return
            time.sleep(0.05)
        raise AssertionError((text, self.lines))


def test_watching(served):
    """Mail is announced by the server, the answer goes out by itself, a restart is survived, SIGTERM ends it."""
    alice, bob = two(served, extra="poll = 600")
    name = begun(served, alice, bob)
    environment = {**os.environ, "PBEM_HOME": str(bob.home), "PBEM_PASSPHRASE": "", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "pbem", "mail", "watch"]
    with (
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as watch,
        ended(watch),
    ):
        said = Said(watch.stdout)
        said.wait_for("Watching")
        assert bob("mail", "sync", code=1).reason == "E-LOCKED"
        time.sleep(1)
        alice("note", name, "Are you there?")
        alice("tie", name)
        alice("mail", "sync")
        said.wait_for("Are you there?")
        bob("tie", name, "--refuse")
        said.wait_for("Mail sent")
        served.servers.stop_dovecot()
        said.wait_for("E-MAIL-LINE")
        served.servers.start_dovecot()
        served.settled()
        alice("mail", "sync")
        alice("note", name, "And now?")
        alice("tie", name)
        alice("mail", "sync")
        said.wait_for("And now?")
        bob("tie", name, "--accept")
        said.wait_for("Mail sent")
        served.settled()
        alice("mail", "sync")
        said.wait_for("Automatic answer sent")
        watch.send_signal(signal.SIGTERM)
        said.wait_for("Stopped.")
        assert watch.wait(20) == 0
    assert not any("Traceback" in line for line in said.lines)


def test_a_mail_whose_structure_is_beyond_measure_stops_nothing(served):
    """Dovecot tells of ten thousand parts in one line of megabytes, which imaplib does not read."""
    alice, bob = two(served)
    name = alice("new", "bridgehead", *SEATS, "--json").json["game"]
    part = b"Content-Type: application/octet-stream; name=" + b"a" * 200 + b"\r\n\r\n--b\r\n"
    head = b"From: mallory@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    served.servers.deliver("bob", head + part * 9_000, "1.hostile")
    served.exchange(alice, bob)
    assert row(bob, name)["stage"] == "invited"
    assert bob("mail", "sync", "--json").json["faults"] == []
