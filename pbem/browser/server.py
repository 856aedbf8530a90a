"""HTTP for one user on this machine: fixed files, and calls of a board or the lobby as JSON, for a page with the key.

Whatever else a browser or another program here may send is refused before it is looked at (SECURITY.md).
"""

from __future__ import annotations

import hmac
import inspect
import json
import os
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable
from email.message import Message
from functools import lru_cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import Any

from pbem.browser.gameboard import DIGITS, GameBoard
from pbem.browser.lobby import Lobby
from pbem.home.disk import PRIVATE_FILE
from pbem.protocol.errors import PbemError

HOST = "127.0.0.1"
MAX_REQUEST = 64 << 10
MAX_FILE = 16 << 20  # that came, and is opened
IDLE = 3_600  # seconds without a request after which the server ends
FILES = {
    "/board": ("page.html", "text/html; charset=utf-8"),
    "/lobby": ("lobby.html", "text/html; charset=utf-8"),
    "/lobby.js": ("lobby.js", "text/javascript; charset=utf-8"),
    "/common.js": ("common.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/map.js": ("map.js", "text/javascript; charset=utf-8"),
    "/answers.js": ("answers.js", "text/javascript; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}


def _all(value: Any, kind: type, most: int) -> bool:
    return len(value) <= most and all(isinstance(each, kind) for each in value)


Test = Callable[[Any], bool]
_TEXT: Test = lambda value: isinstance(value, str)  # noqa: E731
_TEXTS: Test = lambda value: isinstance(value, list) and _all(value, str, 64)  # noqa: E731
_FLAG: Test = lambda value: isinstance(value, bool)  # noqa: E731
_COUNT: Test = lambda value: value is None or (type(value) is int and 0 < value < 10_000)  # noqa: E731
_LINE: Test = lambda value: type(value) is int and 0 <= value < 10_000  # noqa: E731
_PLACE: Test = lambda value: value is None or _LINE(value)  # noqa: E731
_HAVE: Test = lambda value: isinstance(value, dict) and _all(value.values(), str, 64)  # noqa: E731
_GROUP: Test = lambda value: value is None or (isinstance(value, dict) and _all(value.values(), int, 64))  # noqa: E731
CALLS: dict[str, dict[str, Test]] = {
    "state": {"have": _HAVE},
    "pick": {"rev": _TEXT, "picks": _TEXTS, "verb": _TEXT, "group": _GROUP, "line": _PLACE},
    "room": {"rev": _TEXT, "group": _GROUP, "ends": _HAVE},
    "gather": {"rev": _TEXT, "picks": _TEXTS, "keys": _TEXTS, "verb": _TEXT, "line": _PLACE},
    "edit": {"rev": _TEXT, "line": _LINE},
    "change": {"rev": _TEXT, "line": _LINE, "text": _TEXT, "have": _HAVE},
    "order": {"rev": _TEXT, "line": _TEXT, "plan": _FLAG, "have": _HAVE},
    "follows": {"rev": _TEXT, "verb": _TEXT},
    "values": {"rev": _TEXT, "text": _TEXT, "line": _PLACE},
    "sentence": {"rev": _TEXT, "text": _TEXT, "line": _PLACE},
    "undo": {"rev": _TEXT, "count": _COUNT, "units": _FLAG, "have": _HAVE},
    "complete": {"line": _TEXT},
    "odds": {"text": _TEXT},
    "look": {"text": _TEXT},
    "about": {"key": _TEXT},
    "notes": {"key": _TEXT},
    "rules": {},
    "measure": {"start": _TEXT, "goal": _TEXT},
    "past": {"number": _PLACE, "whole": _FLAG, "have": _HAVE},
    "standing": {},
    "set_standing": {"rev": _TEXT, "seat": _TEXT, "kind": _TEXT, "text": _TEXT},
    "set_preset": {"rev": _TEXT, "preset": _TEXT},
    "set_note": {"rev": _TEXT, "text": _TEXT},
    "preview": {},
    "send": {"rev": _TEXT, "have": _HAVE},
}
"""What the page may ask, and what each argument looks like."""
LOBBY: dict[str, dict[str, Test]] = {
    "home": {},
    "catalogue": {},
    "sync": {},
    "card": {},
    "backup": {},
    "identity": {"name": _TEXT, "email": _TEXT},
    "confirm": {"who": _TEXT},
    "practice": {"game": _TEXT, "scenario": _TEXT, "side": _TEXT},
    "offer": {"game": _TEXT, "scenario": _TEXT, "seats": _HAVE, "title": _TEXT, "options": _HAVE, "clock": _GROUP},
    "join": {"game": _TEXT},
    "decline": {"game": _TEXT, "why": _TEXT},
    "file": {"name": _TEXT},
}
"""The same of the first page of `pbem app`. `open` takes the bytes of a file. `waits`, which any page may ask: what is
being asked for at the terminal."""
OPEN = "open"
WAITS = "waits"
GROUND = re.compile(f"/ground/([0-9a-f]{{{DIGITS}}})", re.ASCII)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}
Answer = tuple[int, str, bytes]


class RequestError(Exception):
    """A request that is not answered; the status, and why in one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Server(ThreadingTCPServer):
    """One board, or all of them with a first page. `token` goes into the page's address behind the `#`."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, served: GameBoard | Lobby, port: int = 0) -> None:
        self.served = served
        self.token = secrets.token_urlsafe(32)
        self.seen: Callable[[], None] = lambda: None
        """Called when the page has asked for something."""
        self.waits: Callable[[], str] = lambda: ""
        """What is being asked for at the terminal, for which an answer may have to wait."""
        self.alone = threading.Lock()
        self.asked = time.monotonic()
        super().__init__((HOST, port), Handler)

    @property
    def host(self) -> str:
        return f"{HOST}:{self.server_address[1]}"

    @property
    def address(self) -> str:
        return f"http://{self.host}{self.start}#{self.token}"

    @property
    def start(self) -> str:
        return "/lobby" if isinstance(self.served, Lobby) else "/board"

    def run(self, ended: Callable[[], bool]) -> None:
        """Answers until it is ended, or nobody has asked for an hour."""
        self.timeout = 1
        while not ended() and time.monotonic() - self.asked < IDLE:
            self.handle_request()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the middle is not our fault."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = -1  # an answer leaves in one piece: head and body apart wait for each other
    disable_nagle_algorithm = True
    sys_version = ""
    server_version = "pbem"

    def parse_request(self) -> bool:
        """Any method comes here: the library's own refusals lack our headers."""
        if not super().parse_request():
            return False
        self.server.asked = time.monotonic()
        keep = False
        try:
            status, kind, body = self._answer()
            keep = GROUND.fullmatch(self.path) is not None
        except RequestError as refused:
            status, kind, body = refused.status, *_json({"code": "E-HTTP", "sentence": str(refused)})
            self.close_connection = True  # what was not read is not the next request
        self._write(status, kind, body, keep=keep)
        return False

    def _answer(self) -> Answer:
        check(self.command, self.path, self.headers, self.server.host)
        if self.command == "GET" and self.path in FILES:
            name, kind = FILES[self.path]
            return 200, kind, _file(name)
        token = self.headers.get("X-Pbem-Token", "")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            raise RequestError(403, "The page's key is missing or wrong. Open the address that pbem has printed.")
        if self.command == "GET":
            return self._ground(self.path.rpartition("/")[2])
        name, raw = self.path.removeprefix("/"), self.rfile.read(_length(self.headers, self.path))
        served = self.server.served
        if name == WAITS:  # while another request is being answered
            return 200, *_json({"text": self.server.waits()})
        with self.server.alone:
            try:
                if name != OPEN:
                    answer = self._call(name, _body(raw))
                elif isinstance(served, Lobby):
                    answer = served.open(raw)
                else:
                    raise RequestError(404, "There is no such call.")
            except PbemError as error:
                return 409, *_json({"code": error.code, "sentence": error.sentence})
        self.server.seen()
        return 200, *_json(answer)

    def _ground(self, digest: str) -> Answer:
        """A picture of the ground, which browsers may keep: its name says what is in it."""
        with self.server.alone:
            try:
                found = self._board().grounds.get(digest)
            except PbemError:
                found = None
        if found is None:
            raise RequestError(404, "There is no such picture.")
        return 200, "image/svg+xml", found.encode()

    def _board(self) -> GameBoard:
        served = self.server.served
        return served if isinstance(served, GameBoard) else served.board(self.headers.get("X-Pbem-Game", ""))

    def _call(self, name: str, asked: dict[str, Any]) -> Any:
        """Of the first page, or of the board of the game that the request names."""
        served = self._board() if name in CALLS else self.server.served
        tests = (CALLS if isinstance(served, GameBoard) else LOBBY).get(name)
        if tests is None:
            raise RequestError(404, "There is no such call.")
        call = getattr(served, name)
        needed = [each for each, held in inspect.signature(call).parameters.items() if held.default is held.empty]
        if not set(needed) <= asked.keys() <= tests.keys() or not all(
            tests[each](held) for each, held in asked.items()
        ):
            raise RequestError(400, "The call does not take these arguments.")
        return call(**asked)

    def _write(self, status: int, kind: str, body: bytes, *, keep: bool = False) -> None:
        self.send_response(status)
        for name, value in (HEADERS | KEPT if keep else HEADERS).items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """The library itself refuses lines that are not a request."""
        self.request_version = self.protocol_version
        self.close_connection = True
        self._write(code, *_json({"code": "E-HTTP", "sentence": message or "This is not a request."}))

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is the player's."""


def doorway(server: Server, folder: Path) -> Path:
    """A file that only its owner can read and that leads to the page: command lines, which all can read, name it alone.

    It is gone when the page has come up.
    """
    path = folder / f"board-{server.server_address[1]}.html"
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(fd, "w", encoding="ascii") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={server.address}"><title>pbem</title>\n')
    server.seen = lambda: path.unlink(missing_ok=True)
    return path


def check(method: str, path: str, headers: Message[str, str], host: str) -> None:
    """Everything that can be told before a body is read. Raises `RequestError`."""
    if headers.get("Host") != host:
        # Another site may have a name of its own lead to this machine (DNS rebinding).
        raise RequestError(403, "Open the address that pbem has printed: this one has another name in it.")
    if headers.get("Origin", f"http://{host}") != f"http://{host}":
        raise RequestError(403, "This request comes from another page.")
    site = headers.get("Sec-Fetch-Site", "none")
    document = method == "GET" and path in ("/board", "/lobby") and headers.get("Sec-Fetch-Dest") == "document"
    if site not in ("same-origin", "none") and not document:  # the first page is reached from a file, as a document
        raise RequestError(403, "This request comes from another page.")
    if method == "GET":
        if path not in FILES and not GROUND.fullmatch(path):
            raise RequestError(404, "There is no such page.")
        return
    if method != "POST":
        raise RequestError(405, "Only GET and POST are answered.")
    name = path.removeprefix("/")
    if name not in CALLS and name not in LOBBY and name not in (OPEN, WAITS):
        raise RequestError(404, "There is no such call.")
    kind = "application/octet-stream" if name == OPEN else "application/json"  # no form can send either
    if headers.get("Content-Type") != kind:
        raise RequestError(415, f"Only {kind} is accepted.")
    _length(headers, path)


def _length(headers: Message[str, str], path: str) -> int:
    length = headers.get("Content-Length", "")
    if "Transfer-Encoding" in headers or not (length.isascii() and length.isdigit()):
        raise RequestError(411, "The request does not state its length.")
    if int(length[:12]) > (MAX_FILE if path == f"/{OPEN}" else MAX_REQUEST):
        raise RequestError(413, "The request is too long.")
    return int(length)


def _body(raw: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(raw)
    except (ValueError, RecursionError):
        raise RequestError(400, "The request is not JSON.") from None
    if not isinstance(asked, dict):
        raise RequestError(400, "The arguments must have names.")
    return asked


def _json(value: Any) -> tuple[str, bytes]:
    return "application/json", json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@lru_cache(maxsize=len(FILES))
def _file(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()
