"""What is said to servers, by servers that say what a test wants: tokens, renumbered mailboxes, refusals."""

import base64
import re
import socket
import threading
from contextlib import suppress

import pytest
from mailhomes import seen_at

from pbem.mail.connect import MailError, Secrets
from pbem.mail.settings import Server, Source
from pbem.mail.ways import ImapInbox, SmtpOut

TOKEN = Source("command", ("echo", "hunter2-token"))


class Scripted:
    """One line in, `answer(line)` out; for as many connections as come."""

    def __init__(self, greeting, answer):
        self.heard = []
        self.greeting = greeting
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            with suppress(OSError), link, link.makefile("rwb") as file:
                file.write(self.greeting)
                file.flush()
                for line in file:
                    self.heard.append(line)
                    said = self.answer(line)
                    if said is None:
                        break
                    file.write(said)
                    file.flush()


def imap_server(*, mails, validity=1, token="hunter2-token"):
    def answer(line):
        tag, _, rest = line.strip().partition(b" ")
        word = rest.upper()
        ok = tag + b" OK done\r\n"
        if not rest and tag:  # the continuation of AUTHENTICATE
            given = base64.b64decode(tag)
            good = given == f"user=alice\x01auth=Bearer {token}\x01\x01".encode()
            return state["tag"] + b" OK in\r\n" if good else b"+ eyJzdGF0dXMiOiI0MDAifQ==\r\n"
        if not rest:
            return state["tag"] + b" NO hunter2-token is expired\r\n"
        if word.startswith(b"CAPABILITY"):
            return b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + ok
        if word.startswith(b"AUTHENTICATE"):
            state["tag"] = tag
            return b"+ \r\n"
        if word.startswith(b"EXAMINE"):
            return b"* %d EXISTS\r\n* OK [UIDVALIDITY %d] x\r\n" % (len(mails), state["validity"]) + ok
        if word.startswith(b"UID SEARCH"):
            first = int(found[1]) if (found := re.search(rb"UID (\d+):", line)) else 0
            uids = [uid for uid in mails if uid >= first] or sorted(mails)[-1:]
            return b"* SEARCH " + b" ".join(b"%d" % uid for uid in uids) + b"\r\n" + ok
        if word.startswith(b"UID FETCH"):
            wanted = [int(uid) for uid in rest.split()[2].split(b",")]
            if b"SIZE" in word:
                lines = [b"* 1 FETCH (UID %d RFC822.SIZE %d)\r\n" % (uid, len(mails[uid])) for uid in wanted]
            elif b"STRUCTURE" in word:
                lines = [b'* 1 FETCH (UID %d BODYSTRUCTURE ("IMAGE" "JPEG"))\r\n' % uid for uid in wanted]
            else:
                lines = [b"* 1 FETCH (UID %d BODY[]<0> {%d}\r\n%s)\r\n" % (u, len(mails[u]), mails[u]) for u in wanted]
            return b"".join(lines) + ok
        return ok

    state = {"tag": b"", "validity": validity}
    server = Scripted(b"* OK hello\r\n", answer)
    server.state = state
    return server


def server_at(kind, port, **more):
    return Server(kind, "localhost", port, "none", "alice", **more)


def look(inbox, seen):
    found = []
    for each in inbox.fresh(seen):
        found.append(each.raw)
        seen.add(each.mark)
    seen.flush()
    return found


def test_a_token_a_renumbered_mailbox_and_a_large_picture(tmp_path):
    mails = {3: b"Subject: a\r\n\r\n", 7: b"x" * 300_000, 9: b"Subject: b\r\n\r\n"}
    server = imap_server(mails=mails)
    inbox = ImapInbox(server_at("imap", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None), since=0)
    seen = seen_at(tmp_path)
    assert look(inbox, seen) == [mails[3], None, mails[9]]
    assert look(inbox, seen) == []
    assert not any(b"FETCH 7 (UID BODY.PEEK" in line for line in server.heard)
    mails[12] = b"Subject: c\r\n\r\n"
    assert look(inbox, seen_at(tmp_path)) == [mails[12]]
    server.state["validity"] = 2
    assert look(inbox, seen) == [mails[3], None, mails[9], mails[12]], "numbered anew: looked through once more"
    inbox.close()
    assert not any(b"STORE" in line or b"SELECT" in line for line in server.heard), "nothing is changed there"


def test_a_token_that_is_refused(tmp_path):
    server = imap_server(mails={}, token="another")
    inbox = ImapInbox(server_at("imap", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None), since=0)
    with pytest.raises(MailError) as caught:
        inbox.check()
    assert caught.value.code == "E-MAIL-LOGIN"
    assert caught.value.lasting
    assert "hunter2" not in caught.value.sentence


@pytest.mark.parametrize("kind", ["imap", "smtp"])
@pytest.mark.parametrize(
    "said", [b"", b"\xff\xfe\x00 nonsense\r\n", b"* " + b"x" * 2000 + b"\r\n", b"500 " + b"y" * 99_999]
)
def test_nonsense_from_a_server_is_one_sentence(kind, said):
    server = Scripted(said, lambda line: None)
    way = server_at(kind, server.port, secret=Source("command", ("echo", "hunter2")))
    secrets = Secrets(lambda _: None)
    if said in (b"",):
        server.listener.close()
    made = ImapInbox(way, secrets, since=0, patience=2) if kind == "imap" else SmtpOut(way, secrets, patience=2)
    with pytest.raises(MailError) as caught:
        made.check()
    assert caught.value.code in ("E-MAIL-LINE", "E-MAIL-SERVER")
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 400
    made.close()


def smtp_server(answers):
    def answer(line):
        word = line.split(b" ")[0].strip().upper()
        if state["data"]:
            if line != b".\r\n":
                return b""
            state["data"] = False
            return answers.get("end", b"250 ok\r\n")
        if word == b"EHLO":
            return b"250-x\r\n250 AUTH XOAUTH2\r\n"
        if word == b"AUTH":
            return answers.get("auth", b"235 in\r\n")
        if word == b"RCPT":
            return next((text for name, text in answers.items() if name.encode() in line), b"250 ok\r\n")
        if word == b"DATA":
            state["data"] = True
            return b"354 go\r\n"
        return b"250 ok\r\n"

    state = {"data": False}
    return Scripted(b"220 x\r\n", answer)


@pytest.mark.parametrize(
    ("answers", "refused"),
    [
        ({}, []),
        ({"bob": b"550 5.1.1 no such user\r\n"}, [("bob@x.y", True)]),
        ({"bob": b"452 4.2.2 full\r\n"}, [("bob@x.y", False)]),
        ({"bob": b"550 no\r\n", "carla": b"450 later\r\n"}, [("bob@x.y", True), ("carla@x.y", False)]),
        ({"end": b"552 too large\r\n"}, [("bob@x.y", True), ("carla@x.y", True)]),
        ({"end": b"451 try later\r\n"}, [("bob@x.y", False), ("carla@x.y", False)]),
    ],
)
def test_who_is_refused(answers, refused):
    server = smtp_server(answers)
    out = SmtpOut(server_at("smtp", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None))
    found = out.send("k", "alice@x.y", ["bob@x.y", "carla@x.y"], b"Subject: x\r\n\r\n.dots\r\nend\r\n")
    assert [(each.address, each.for_good) for each in found.refused] == refused
    assert any(b"AUTH XOAUTH2" in line for line in server.heard)
    assert {line for line in server.heard if line.upper().startswith(b"EHLO")} == {b"ehlo localhost\r\n"}
    if not refused:
        assert b"..dots\r\n" in server.heard
    out.close()


def test_a_refused_token_is_not_shown():
    server = smtp_server({"auth": b"535 hunter2-token is no good\r\n"})
    out = SmtpOut(server_at("smtp", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None))
    with pytest.raises(MailError) as caught:
        out.send("k", "a@x.y", ["b@x.y"], b"x\r\n")
    assert caught.value.code == "E-MAIL-LOGIN"
    assert "hunter2" not in caught.value.sentence


@pytest.mark.parametrize(
    ("folder", "quoted"),
    [("INBOX", '"INBOX"'), ('a"b\\c & d', '"a\\"b\\\\c &- d"'), ("Entwürfe", '"Entw&APw-rfe"'), ("台北", '"&U,BTFw-"')],
)
def test_names_of_folders(folder, quoted):
    server = imap_server(mails={})
    way = server_at("imap", server.port, auth="xoauth2", secret=TOKEN, folder=folder)
    inbox = ImapInbox(way, Secrets(lambda _: None), since=0)
    inbox.check()
    assert any(line.endswith(f"EXAMINE {quoted}\r\n".encode()) for line in server.heard)
    inbox.close()


@pytest.mark.parametrize("stuck", [b"BODY.PEEK", b"STRUCTURE"])
@pytest.mark.parametrize("said", [b"NO [SERVERBUG] this mail is damaged", b"a" * 1_100_000])
def test_a_mail_that_the_server_cannot_tell_of_stops_no_other(tmp_path, stuck, said):
    mails = {3: b"Subject: a\r\n\r\n", 7: b"x" * 300_000, 8: b"Subject: d\r\n\r\n", 9: b"Subject: b\r\n\r\n"}
    if stuck == b"BODY.PEEK":
        mails[7] = b"small"
    server = imap_server(mails=mails)
    plain = server.answer

    def answer(line):
        tag, _, rest = line.strip().partition(b" ")
        asked = stuck in rest and b"7" in rest.split()[2].split(b",")
        return tag + b" " + said + b"\r\n" if asked else plain(line)

    server.answer = answer
    inbox = ImapInbox(server_at("imap", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None), since=0)
    seen = seen_at(tmp_path)
    found = list(inbox.fresh(seen))
    assert [each.raw for each in found] == [mails[3], None, mails[8], mails[9]]
    assert "skipped" in found[1].why
    inbox.close()


def test_a_server_that_hands_out_nothing_at_all_is_a_fault(tmp_path):
    server = imap_server(mails={3: b"Subject: a\r\n\r\n"})
    plain = server.answer
    server.answer = lambda line: line.split()[0] + b" NO busy\r\n" if b"FETCH" in line else plain(line)
    inbox = ImapInbox(server_at("imap", server.port, auth="xoauth2", secret=TOKEN), Secrets(lambda _: None), since=0)
    with pytest.raises(MailError, match="does not hand over"):
        list(inbox.fresh(seen_at(tmp_path)))
