"""`pbem mail` at the command line, with folders for a mailbox."""

import sys
from email import message_from_bytes
from email.policy import default

import pytest
from homes import Player, begin, meet, settle
from mailhomes import local_settings, maildir
from shapes import fits

from pbem.mail.settings import write


@pytest.fixture
def mailed(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    for player in (alice, bob):
        place = tmp_path / f"{player.home.name}-mail"
        maildir(place)
        first = player.home.name
        text = write(local_settings(place, f"{first}@example.org"), player.name)
        done = player("mail", "setup", "--from", "-", stdin=text)
        assert "Works: in by maildir:" in done.out
        assert "Works: out by files:" in done.out
    return alice, bob


def folder(player: Player):
    return player.home.parent / f"{player.home.name}-mail"


def carry(one, other):
    for path in (folder(one) / "out").glob("*.eml"):
        target = folder(other) / "Maildir" / "new" / path.name
        if not target.exists():
            target.write_bytes(path.read_bytes())


def test_a_round_and_what_it_tells(mailed):
    alice, bob = mailed
    name = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--json").json["game"]
    sent = fits("mail-sync", alice("mail", "sync", "--json").json)
    assert [each["letter"] for each in sent["sent"]] == [f"{name}-offer"]
    carry(alice, bob)
    done = bob("mail", "sync")
    assert "Offer of Bridgehead" in done.out
    assert f"pbem join {name}" in done.out
    assert "Nothing new." in bob("mail", "sync").out
    status = fits("mail-status", bob("mail", "status", "--json").json)
    assert status["accounts"][0]["last"] > 0
    assert "maildir:" in bob("mail", "status").out
    assert fits("mail-test", bob("mail", "test", "--json").json)["ok"]


@pytest.mark.parametrize("drawn", [True, False])
def test_a_page_about_the_turn_goes_with_it(tmp_path, drawn):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    place = tmp_path / "alice-mail"
    maildir(place)
    alice("mail", "setup", "--from", "-", stdin=write(local_settings(place, "alice@example.org", report=drawn), "A"))
    name = begin(alice, bob, "--seat", "blue=me", "--seat", "red=bob")
    alice("bot", name, "--send")
    alice("mail", "sync")
    mails = [message_from_bytes(path.read_bytes(), policy=default) for path in (place / "out").glob("*.eml")]
    parts = [part for mail in mails for part in mail.iter_attachments() if not part.get_filename().endswith(".pbem")]
    page = parts[-1].get_content()
    if drawn:
        assert parts[-1].get_content_type() == "text/html"
        alice("send", name, "--yes", "--eml", "-o", str(tmp_path / "by-hand.eml"))
        by_hand = message_from_bytes((tmp_path / "by-hand.eml").read_bytes(), policy=default)
        assert page.splitlines() == by_hand.get_payload()[-1].get_content().splitlines()
    else:
        assert parts[-1].get_filename() == f"{name}-board.txt"
        assert page.startswith("Bridgehead")
    bob("open", *[str(path) for path in (place / "out").glob("*.eml")])


def test_a_broken_way_is_named(mailed):
    alice, _ = mailed
    for sub in ("cur", "new", "tmp"):
        (folder(alice) / "Maildir" / sub).rmdir()
    done = fits("mail-sync", alice("mail", "sync", "--json", code=1).json)
    assert [fault["code"] for fault in done["faults"]] == ["E-MAIL-FOLDER"]
    assert not fits("mail-test", alice("mail", "test", "--json", code=1).json)["ok"]
    assert "E-MAIL-FOLDER" in alice("mail", "status").err


def test_nothing_is_set_up(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    for command in ("sync", "watch", "status", "test"):
        assert alice("mail", command, code=1).reason == "E-MAIL-NONE"
    assert alice("mail", "setup", code=2).code == 2
    assert alice("mail", "setup", "--from", "-", stdin="v = 1", code=1).reason == "E-MAIL-SETTINGS"


def test_what_was_mailed_by_hand_is_not_mailed_again(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    begin(alice, bob, "--seat", "blue=me", "--seat", "red=bob")
    place = tmp_path / "alice-mail"
    maildir(place)
    text = write(local_settings(place, "alice@example.org"), "Alice")
    alice("mail", "setup", "--from", "-", stdin=text)
    assert len(alice("mail", "sync", "--json").json["sent"]) == 1
    assert alice("mail", "sync", "--json").json["sent"] == []


def test_a_command_sends_and_another_is_told(mailed, tmp_path):
    alice, _ = mailed
    out, told = tmp_path / "sent", tmp_path / "told"
    script = f"import sys; open({str(out)!r}, 'a').write(repr(sys.argv[1:]) + sys.stdin.read())"
    teller = f"import sys; open({str(told)!r}, 'a').write(sys.stdin.read())"
    text = (
        f"v = 1\naddress = 'alice@example.org'\ntell = [{sys.executable!r}, '-c', {teller!r}]\n".replace(
            repr(teller), '"""' + teller + '"""'
        )
        + f'[[in]]\nkind = "maildir"\npath = "{folder(alice)}/Maildir"\n'
        + f'[[out]]\nkind = "command"\ncommand = ["{sys.executable}", "-c", """{script}"""]\n'
    )
    alice("mail", "setup", "--from", "-", stdin=text)
    alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob")
    alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=anyone")
    assert len(alice("mail", "sync", "--json").json["sent"]) == 1
    assert out.read_text().startswith("['bob@example.org']From: ")
    assert "No mail address is known" in told.read_text()


def test_setup_by_answering(tmp_path):
    import pexpect

    alice = settle(tmp_path, "Alice Kern")
    maildir(tmp_path)
    environment = {**__import__("os").environ, "PBEM_HOME": str(alice.home), "PBEM_PASSPHRASE": ""}
    child = pexpect.spawn(
        sys.executable, ["-m", "pbem", "mail", "setup"], env=environment, timeout=60, encoding="utf-8"
    )
    for prompt, answer in (
        ("Your mail address", ""),
        ("Mail arrives by", "maildir"),
        ("Maildir \\[", str(tmp_path / "Maildir")),
        ("Mail leaves by", "files"),
        ("Folder for", str(tmp_path / "out")),
        ("Remind me", "2"),
        ("a reminder", "7"),
    ):
        child.expect(prompt)
        child.sendline(answer)
    child.expect("From now on")
    child.expect(pexpect.EOF)
    (path,) = (alice.home / "mail").rglob("mail.toml")
    assert "remind_others = 7" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
