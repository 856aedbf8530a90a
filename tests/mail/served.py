"""Players whose mail goes through real servers, and a line that can be cut."""

from __future__ import annotations

import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "cli"))

from homes import Player, settle

__all__ = ["BEYOND_ASCII", "Cutter", "Served"]

BEYOND_ASCII = "größe-пароль"
"""The password of emil."""


class Served:
    def __init__(self, servers, folder):
        self.servers = servers
        self.folder = folder

    def settings(self, user, *, out_port=None, in_port=None, password=None, security="tls", extra=""):
        s = self.servers
        secret = password or s.password(user)
        out_security = "tls" if security == "tls" and not out_port else "none" if out_port else security
        login = f"""
user = "{s.address(user)}"
secret = {{ from = "command", command = ["echo", "{secret}"] }}
"""
        ca = f'ca = "{s.ca}"\n'
        return f"""
v = 1
address = "{s.address(user)}"
{extra}
[[in]]
kind = "imap"
host = "localhost"
port = {in_port or (s.imaps if security == "tls" else s.imap)}
security = "{security}"
{ca}{login}
[[out]]
kind = "smtp"
host = "localhost"
port = {out_port or (s.smtps if security == "tls" else s.smtp)}
security = "{out_security}"
{ca}{login}
"""

    def player(self, name, *, user=None, code=0, **more):
        user = user or name.casefold().split()[0]
        player = settle(self.folder, name, self.servers.address(user))
        self.set_up(player, user, code=code, **more)
        return player

    def set_up(self, player: Player, user, code=0, **more):
        player("mail", "setup", "--from", "-", stdin=self.settings(user, **more), code=code)

    def settled(self):
        """Nothing is on its way inside the servers."""
        until = time.monotonic() + 30
        empty = 0
        while empty < 3:  # a mail that bounces is in no queue for a moment, as seen from here
            assert time.monotonic() < until, self.servers.log()
            empty = 0 if self.servers.queued() else empty + 1
            time.sleep(0.03)

    def exchange(self, *players, most=80):
        """Everybody looks at his mail until nobody has anything to send."""
        for _ in range(most):
            documents = [player("mail", "sync", "--json").json for player in players]
            self.settled()
            if not any(each["sent"] or each["news"] for each in documents):
                return
        raise AssertionError("the mails do not end")

    def mails(self, user):
        box = self.servers.box(user)
        return sorted(path.read_bytes() for sub in ("cur", "new") for path in (box / sub).glob("*"))


class Cutter:
    """A line to a server that is cut once `cut(up, data)` says so; afterwards it holds."""

    def __init__(self, port, cut):
        self.target = port
        self.cut = cut
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            for one, other, up in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._copy, args=(one, other, up), daemon=True).start()

    def _copy(self, one, other, up):
        with suppress(OSError):
            while data := one.recv(1024):
                if not self.cuts and self.cut(up, data):
                    self.cuts += 1
                    break
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self):
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # or the thread that accepts would keep the port
        self.listener.close()
