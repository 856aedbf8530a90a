"""`mail.toml` is read strictly, written back, and shows no secret."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.connect import MailError, Secret, Secrets, quoted
from pbem.mail.settings import Command, Local, Server, Settings, Source, is_address, is_loopback, parse, write

LINE = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)
HOST = st.from_regex(r"[a-z][a-z0-9.-]{0,30}", fullmatch=True)
SOURCE = st.one_of(
    st.just(Source("prompt")),
    st.just(Source("keyring")),
    st.lists(LINE, min_size=1, max_size=3).map(lambda words: Source("command", tuple(words))),
)
SERVER = st.builds(
    Server,
    kind=st.just("imap"),
    host=HOST,
    port=st.integers(1, 65535),
    security=st.sampled_from(["tls", "starttls"]),
    user=LINE,
    auth=st.sampled_from(["password", "xoauth2"]),
    secret=SOURCE,
)
FOLDER = LINE.filter(lambda text: not text.startswith("~"))  # which is somebody's home, if he is a user here
LOCAL = st.builds(Local, st.sampled_from(["maildir", "mbox", "files"]), FOLDER)
OUT = st.one_of(
    st.lists(LINE, min_size=1, max_size=4).map(lambda words: Command(tuple(words))),
    FOLDER.map(lambda p: Local("files", p)),
)
SETTINGS = st.builds(
    Settings,
    st.just("alice@example.org"),
    st.lists(st.one_of(SERVER, LOCAL), max_size=3, unique_by=lambda way: way.name).map(tuple),
    st.lists(OUT, max_size=2).map(tuple),
    poll=st.integers(10, 86400),
    remind_me=st.integers(0, 365),
    armour=st.booleans(),
    report=st.booleans(),
    tell=st.lists(LINE, max_size=2).map(tuple),
)


@given(SETTINGS, LINE)
def test_what_is_written_is_read(settings, who):
    assert parse(write(settings, who).encode()) == settings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("v = 2\naddress = 'a@b.c'", "v"),
        ("v = 1\naddress = 'a@b.c, d@e.f'", "mail address"),
        ("v = 1\naddress = '-oops@b.c'", "mail address"),
        ("v = 1\naddress = 'a@b.c'\nspeed = 3", "speed"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='imap'\nhost='h.example'\nuser='u'\nsecurity='none'", "not encrypted"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='imap'\nhost='h.example'\nuser='u'\npassword='hunter2'", "in/0"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='imap'\nhost='h.example'\nuser='u'\nport='hunter2'", "in/0/port"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='gopher'\nhost='h'", "kind must be one of"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='imap'\nhost='h'\nuser='u'\nsecret={from='command'}", "secret"),
        ("v = 1\naddress = 'a@b.c'\n[[in]]\nkind='mbox'\npath='x'\n[[in]]\nkind='mbox'\npath='x'", "twice"),
        ("v = [", "TOML"),
    ],
)
def test_what_is_wrong_is_named_and_no_value_is_quoted(text, said):
    with pytest.raises(MailError) as caught:
        parse(text.encode())
    assert caught.value.code == "E-MAIL-SETTINGS"
    assert said in caught.value.sentence
    assert "hunter2" not in caught.value.sentence


@given(st.binary(max_size=300))
def test_any_bytes_are_settings_or_refused(raw):
    with pytest.raises(MailError):
        parse(raw)


def test_addresses_and_loopback():
    assert is_address("a.b+c@example.org")
    assert not any(map(is_address, ("-f@x.y", "a@b@c", "a b@c.d", "a@-b.c", "a", "a@b\n", "ä@b.c", "<a@b.c>")))
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "::1")))
    assert not any(map(is_loopback, ("localhost.example.org", "10.0.0.1", "128.0.0.1")))


def test_secrets_show_themselves_nowhere(tmp_path):
    assert "hunter2" not in repr(Secret("hunter2"))
    assert "hunter2" not in quoted(b"535 no such hunter2\r\n\x1b[2J", "hunter2")
    server = Server(
        "imap", "h.example", 993, "tls", "alice", secret=Source("command", ("sh", "-c", "echo hunter2; echo 2"))
    )
    secrets = Secrets(lambda _: None)
    assert secrets.of(server).show() == "hunter2"
    wrong = Server(
        "imap", "h.example", 993, "tls", "alice", secret=Source("command", ("sh", "-c", "echo hunter2; exit 3"))
    )
    with pytest.raises(MailError) as caught:
        Secrets(lambda _: None).of(wrong)
    assert caught.value.code == "E-MAIL-LOGIN"
    assert "hunter2" not in caught.value.sentence
    with pytest.raises(MailError, match="nobody is at the terminal"):
        Secrets(lambda _: None).of(Server("imap", "h.example", 993, "tls", "alice"))


def test_a_token_is_asked_for_at_every_login(tmp_path):
    count = tmp_path / "count"
    script = f"echo x >> {count}; wc -l < {count} | tr -d ' '"
    server = Server("imap", "h", 993, "tls", "a", "xoauth2", Source("command", ("sh", "-c", script)))
    secrets = Secrets(lambda _: None)
    assert [secrets.of(server).show() for _ in range(2)] == ["1", "2"]
    assert Path(count).exists()


@pytest.mark.parametrize(
    "line", ["[[in]]\nkind" + ".a" * 10_000 + " = 1", "poll = 0x" + "f" * 20_000, "tell = [0x" + "f" * 20_000 + "]"]
)
def test_no_value_is_too_odd_to_be_refused(line):
    with pytest.raises(MailError) as caught:
        parse(f'v = 1\naddress = "alice@example.org"\n{line}\n'.encode())
    assert caught.value.code == "E-MAIL-SETTINGS"
