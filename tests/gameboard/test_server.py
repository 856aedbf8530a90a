"""The server answers the page that holds the key, and nobody else."""

from __future__ import annotations

import json
import socket
import stat
from hashlib import sha256

import pytest
from boards import alone, ask, served

from pbem.browser.gameboard import GameBoard
from pbem.browser.lobby import Lobby
from pbem.browser.server import CALLS, FILES, LOBBY, MAX_REQUEST, doorway


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    return GameBoard(*alone(tmp_path_factory.mktemp("home"), "bridgehead"))


@pytest.fixture(scope="module")
def server(board):
    with served(board) as running:
        yield running


def test_the_page_is_answered(server, board):
    status, head, raw = ask(server, "POST", "/state", {})
    assert status == 200
    assert json.loads(raw)["rev"] == board.state()["rev"]
    assert head["Cache-Control"] == "no-store"
    for path, (_, kind) in FILES.items():
        status, head, raw = ask(server, "GET", path, X_Pbem_Token=None, Origin=None, Content_Type=None)
        assert (status, head["Content-Type"]) == (200, kind)
        assert server.token.encode() not in raw
        assert "unsafe" not in head["Content-Security-Policy"]
        assert head["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")


def test_the_ground_is_a_file_that_browsers_keep(server, board):
    (digest, inside) = board.state()["parts"]["ground"]
    assert inside is None
    asked = {"Content_Type": None, "Content_Length": None, "Origin": None}
    status, head, raw = ask(server, "GET", f"/ground/{digest}", **asked)
    assert (status, head["Content-Type"]) == (200, "image/svg+xml")
    assert raw.startswith(b"<svg")
    assert sha256(raw).hexdigest().startswith(digest)
    assert "immutable" in head["Cache-Control"]
    assert ask(server, "GET", f"/ground/{digest}", **asked, X_Pbem_Token=None)[0] == 403
    status, head, _ = ask(server, "GET", f"/ground/{digest[::-1]}", **asked)
    assert (status, head["Cache-Control"]) == (404, "no-store")


REFUSED = {
    "no token": ("POST", "/state", {}, {"X_Pbem_Token": None}, 403),
    "another token": ("POST", "/state", {}, {"X_Pbem_Token": "x" * 43}, 403),
    "a token beyond ASCII": ("POST", "/state", {}, {"X_Pbem_Token": "\xe9"}, 403),
    "another name": ("POST", "/state", {}, {"Host": "evil.example"}, 403),
    "another name of this machine": ("GET", "/board", b"", {"Host": "localhost"}, 403),
    "no name": ("POST", "/state", {}, {"Host": None}, 403),
    "another origin": ("POST", "/state", {}, {"Origin": "http://evil.example"}, 403),
    "no origin of its own": ("POST", "/state", {}, {"Origin": "null"}, 403),
    "another site": ("POST", "/state", {}, {"Sec_Fetch_Site": "cross-site"}, 403),
    "another port": ("POST", "/state", {}, {"Sec_Fetch_Site": "same-site"}, 403),
    "a script for another page": ("GET", "/page.js", b"", {"Sec_Fetch_Site": "cross-site", "Origin": None}, 403),
    "the page in a frame": (
        "GET", "/board", b"", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe", "Origin": None}, 403,
    ),
    "a form": ("POST", "/state", b"{}", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
    "text": ("POST", "/state", b"{}", {"Content_Type": "text/plain"}, 415),
    "no type": ("POST", "/state", b"{}", {"Content_Type": None}, 415),
    "too much": ("POST", "/state", b" " * (MAX_REQUEST + 1), {}, 413),
    "no length": ("POST", "/state", b"", {"Content_Length": None}, 411),
    "a length that is none": ("POST", "/state", b"", {"Content_Length": "-1"}, 411),
    "parts": ("POST", "/state", b"", {"Transfer_Encoding": "chunked"}, 411),
    "no JSON": ("POST", "/state", b"{", {}, 400),
    "deep JSON": ("POST", "/state", b"[" * 30_000, {}, 400),
    "a list": ("POST", "/state", [], {}, 400),
    "an argument too many": ("POST", "/state", {"self": 1}, {}, 400),
    "an argument too few": ("POST", "/order", {"line": "done"}, {}, 400),
    "an argument of another kind": ("POST", "/order", {"rev": "", "line": ["done"]}, {}, 400),
    "what no page asks": ("POST", "/__init__", {}, {}, 404),
    "the first page's calls": ("POST", "/home", {}, {}, 404),
    "a file": ("POST", "/open", b"x", {"Content_Type": "application/octet-stream"}, 404),
    "a file as JSON": ("POST", "/open", b"{}", {}, 415),
    "a way out": ("GET", "/../gameboard.py", b"", {"Content_Type": None}, 404),
    "a way out in disguise": ("GET", "/%2e%2e/gameboard.py", b"", {"Content_Type": None}, 404),
    "a picture of another kind": ("GET", "/ground/../page.js", b"", {"Content_Type": None}, 404),
    "a picture without a name": ("GET", "/ground/", b"", {"Content_Type": None}, 404),
    "a query": ("GET", "/board?x", b"", {"Content_Type": None}, 404),
    "a question about methods": ("OPTIONS", "/state", b"", {}, 405),
    "another method": ("PUT", "/state", {}, {}, 405),
    "a head": ("HEAD", "/", b"", {}, 405),
    "a method of nobody's": ("BREW", "/", b"", {}, 405),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_nobody_else_is_answered(server, what):
    method, path, body, more, status = REFUSED[what]
    got, head, raw = ask(server, method, path, body, **more)
    assert got == status, raw
    assert "frame-ancestors 'none'" in head["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in head
    assert head["Content-Type"] == "application/json"
    assert b"rev" not in raw


def test_what_is_no_request_is_refused_in_our_words(server):
    with socket.create_connection(server.server_address, timeout=20) as wire:
        wire.sendall(b"hello\r\n\r\n")
        raw = wire.makefile("rb").read()
    assert raw.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Security-Policy" in raw


def test_the_first_page_may_be_reached_from_a_file(server):
    more = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "document", "Origin": None, "X_Pbem_Token": None}
    assert ask(server, "GET", "/board", **more)[0] == 200
    assert ask(server, "GET", "/page.js", **more)[0] == 403


def test_refusals_of_the_rules_are_sentences(server, board):
    rev = board.state()["rev"]
    status, _, raw = ask(server, "POST", "/order", {"rev": rev, "line": "fly B1"})
    assert (status, json.loads(raw)["code"]) == (409, "E-NOTATION")
    status, _, raw = ask(server, "POST", "/order", {"rev": "old", "line": "done"})
    assert (status, json.loads(raw)["code"]) == (409, "E-STALE")


def test_what_the_terminal_asks_for_is_answered_while_a_request_waits_for_it(server):
    server.waits = lambda: "Passphrase"
    with server.alone:
        status, _, raw = ask(server, "POST", "/waits", {})
        assert (status, json.loads(raw)) == (200, {"text": "Passphrase"})
        assert ask(server, "POST", "/waits", {}, X_Pbem_Token="x")[0] == 403


def test_every_call_is_one_of_the_pages():
    for page, calls in ((GameBoard, CALLS), (Lobby, LOBBY)):
        for name, arguments in calls.items():
            assert set(arguments) <= set(getattr(page, name).__annotations__)


def test_the_key_is_in_a_file_of_the_players_own_until_the_page_is_there(server, tmp_path):
    path = doorway(server, tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert server.address in path.read_text()
    assert "#" in server.address
    ask(server, "GET", "/board")
    assert path.exists()
    ask(server, "POST", "/state", {})
    assert not path.exists()
