"""Homes with mail through folders: a post office carries from everybody's folder of mails to everybody's Maildir."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "cli"))
sys.path.append(str(Path(__file__).parent.parent / "home"))

from desks import desk_at, introduce

from pbem.home.disk import Disk, Tables
from pbem.mail.account import Account, account_of
from pbem.mail.connect import Secrets
from pbem.mail.mailstate import MailState
from pbem.mail.settings import Local, Settings
from pbem.mail.sync import Sync
from pbem.mail.ways import SEEN, Seen

__all__ = ["Homed", "Office", "at_home", "desk_at", "introduce", "local_settings", "mails", "parsed", "seen_at"]


def local_settings(folder, address, **more):
    return Settings(
        address,
        (Local("maildir", str(folder / "Maildir")),),
        (Local("files", str(folder / "out")),),
        **more,
    )


def seen_at(folder):
    return Seen(Tables(folder / "mail.db", Disk(), (SEEN,)), "box")


def maildir(folder):
    for sub in ("cur", "new", "tmp"):
        (folder / "Maildir" / sub).mkdir(parents=True, exist_ok=True)
    return folder / "Maildir"


@dataclass
class Homed:
    """A player with a home, a Maildir and a folder of mails that go out."""

    name: str
    folder: Path
    desk: object
    settings: Settings
    now: int = 1_800_000_000
    disk: object = None

    @property
    def person(self):
        return self.desk.people.me()

    @property
    def address(self):
        return self.settings.address

    def state(self):
        return MailState(self.desk.paths.mail, self.desk.disk)

    def account(self) -> Account:
        return account_of(self.person, self.settings, Secrets(lambda _: None), self.desk.disk, self.desk.clock())

    def round(self, *, fetch=True, outs=None, inboxes=None):
        state = self.state()
        account = self.account()
        if outs is not None or inboxes is not None:
            account = Account(
                account.person,
                account.settings,
                account.inboxes if inboxes is None else inboxes,
                account.outs if outs is None else outs,
            )
        with state.handling():
            done = Sync(self.desk, state, [account]).round(fetch=fetch)
            self.heard = state.news()
            state.clear_news()
        account.close()
        return done

    def out(self, but=()):
        """The mails that went out, by their names."""
        paths = sorted((self.folder / "out").glob("*.eml"))
        return {path.name: path.read_bytes() for path in paths if path.name not in but}

    def receive(self, name, raw):
        (self.folder / "Maildir" / "new" / name).write_bytes(raw)


def at_home(folder, name, *, settings=None, **more):
    first = name.casefold().split()[0]
    place = folder / first
    maildir(place)
    desk = desk_at(place / "home", first, **more)
    if not desk.people.identities():
        desk.new_identity(name, f"{first}@example.org", "")
    return Homed(name, place, desk, settings or local_settings(place, f"{first}@example.org"))


class Office:
    """Carries every mail once to everybody it is addressed to; `mangle` may change or repeat it."""

    def __init__(self, *homes, mangle=None):
        self.homes = homes
        self.carried = {home.name: set() for home in homes}
        self.mangle = mangle or (lambda raw: [raw])
        self.count = 0

    def carry(self):
        """How many mails were delivered."""
        fresh = 0
        for home in self.homes:
            for name, raw in home.out(self.carried[home.name]).items():
                self.carried[home.name].add(name)
                for other in self.homes:
                    if other.address in str(parsed(raw)["To"]):
                        for changed in self.mangle(raw):
                            self.count += 1
                            other.receive(f"{self.count:06d}.{home.name.split()[0]}", changed)
                            fresh += 1
        return fresh

    def run(self, most=200):
        """Until nobody's program answers any more."""
        for _ in range(most):
            for home in self.homes:
                done = home.round()
                assert not done.faults, done.faults
            if not self.carry():
                return
        raise AssertionError("the mails do not end")


def parsed(raw):
    return message_from_bytes(raw, policy=default)


def mails(home):
    return [parsed(raw) for raw in home.out().values()]


def copy_of(home, folder):
    shutil.copytree(home.folder, folder)
    return folder
