"""A PostgreSQL server of the tests' own, as Debian has it: in a temporary folder, on a Unix socket, without a port.

The system's clusters are not touched. `python -m tools.postgres install|run` is what `make postgres` says.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tools import debian
from tools.serving import Serving

PACKAGE = "postgresql"
USERS = ("postgres", "nobody")
"""The server does not run as root: the first of these that exists runs it then."""


def binaries() -> Path | None:
    """Where the newest server's programs are."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int(path.parent.name) if path.parent.name.isdigit() else 0)
    here = shutil.which("initdb")
    return Path(here).resolve().parent if here else None


def lacking() -> str:
    """Why no server can be started here; empty when one can."""
    if binaries() is None:
        return "PostgreSQL is not there: install it with `make postgres`"
    try:
        import psycopg as psycopg
    except ImportError:
        return "psycopg is not there: pip install 'pbem[postgres]'"
    return "" if os.geteuid() or _user() else f"none of the users {', '.join(USERS)} exists, and root may not run it"


def _user() -> pwd.struct_passwd | None:
    for name in USERS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    return None


def install() -> None:
    """From the system's packages, without a cluster being made."""
    if binaries() is not None:
        return
    folder = Path("/etc/postgresql-common")
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "createcluster.conf").write_text("create_main_cluster = false\n", encoding="utf-8")
    debian.install(PACKAGE)


class Postgres:
    """One cluster. What is in it is worth nothing: it is not flushed to the disk."""

    def __init__(self) -> None:
        found = binaries()
        assert found is not None
        self._programs = found
        # Paths of sockets are short.
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir="/tmp"))
        self.data = self.folder / "data"
        self._user = _user() if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self._count = 0

    @property
    def owner(self) -> str:
        return self._user.pw_name if self._user is not None else pwd.getpwuid(os.geteuid()).pw_name

    def start(self) -> None:
        self._say("initdb", "-D", str(self.data), "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-U", "desk")
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c full_page_writes=off -c max_connections=50"
        self._say(
            "pg_ctl", "-D", str(self.data), "-w", "-t", "60", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def stop(self) -> None:
        with suppress(RuntimeError, OSError):
            self._say("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://desk@/{name}?host={self.folder}"

    def fresh(self) -> str:
        """The address of a new, empty database."""
        import psycopg
        from psycopg import sql

        self._count += 1
        name = f"t{os.getpid()}_{self._count}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def _say(self, program: str, *arguments: str) -> None:
        with (self.folder / "started.log").open("ab") as log:
            done = subprocess.run(
                [str(self._programs / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=120,
                check=False,
                cwd=self.folder,
                user=self._user.pw_uid if self._user is not None else None,
                group=self._user.pw_gid if self._user is not None else None,
                extra_groups=[] if self._user is not None else None,
            )
        if done.returncode:
            said = (self.folder / "started.log").read_text(errors="replace")[-3000:]
            raise RuntimeError(f"{program} ended with {done.returncode}\n{said}")


def run() -> None:
    """A server with an empty database, until it is stopped."""
    server = Postgres()
    with Serving(server) as serving:
        print(f"pbem umpire --db '{server.fresh()}' list        (Ctrl-C stops the server)", flush=True)
        serving.wait()


def main() -> None:
    install()
    if why := lacking():
        sys.exit(f"PostgreSQL cannot be started: {why}.")
    if sys.argv[1:] == ["run"]:
        run()


if __name__ == "__main__":
    main()
