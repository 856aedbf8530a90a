"""Stopped at every disk operation and around every handing over of a round: no mail is lost, none is remade."""

import shutil
from contextlib import suppress

import pytest
from mailhomes import at_home, introduce, maildir, parsed
from test_kill import Failing, Stop

from pbem.home import describe, offers, summary
from pbem.mail.connect import MailError
from pbem.mail.ways import Offered, Rejected

SEATS = {"blue": "me", "red": "bob"}


class Server:
    """A server that outlives the program: it dies before or after it has taken a mail, when told to."""

    name = "fake"

    def __init__(self):
        self.taken = []
        self.die = ""

    def send(self, key, sender, to, raw):
        if self.die == "before":
            raise Stop
        self.taken.append((key, tuple(to), raw))
        if self.die == "after":
            raise Stop
        if self.die == "cut":
            raise MailError("E-MAIL-LINE", "The line was cut.")
        return Offered("250 taken")

    def check(self):
        pass

    def close(self):
        pass


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """Bob's home, with a mail in his Maildir that his program has to answer, and how it is once that is done."""
    folder = tmp_path_factory.mktemp("kill")
    alice, bob = at_home(folder, "Alice Kern"), at_home(folder, "Bob Silva")
    introduce(alice.desk, bob.desk)
    name, _ = offers.offer(alice.desk, "bridgehead", seats=SEATS)
    alice.round()
    for number, raw in enumerate(alice.out().values()):
        bob.receive(f"{number}.offer", raw)
    bob.round()
    offers.join(bob.desk, name)
    bob.round()
    for number, raw in enumerate(bob.out().values()):
        alice.receive(f"{number}.join", raw)
    alice.round()
    for number, raw in enumerate(alice.out().values()):
        bob.receive(f"{number}.start", raw)
    return bob.folder, name


def bob_at(folder, **more):
    maildir(folder.parent / "bob")
    return at_home(folder.parent, "Bob Silva", **more)


def result(home, name):
    row = summary.row(home.desk, name)
    return row.stage, [(owed.by, owed.what, owed.text) for owed in row.owed], len(describe.log(home.desk, name))


def finish(folder, name, server, disk=None, start=1_900_000_000):
    home = bob_at(folder, start=start, **({"disk": disk} if disk else {}))
    done = home.round(outs=(server,))
    return home, done


def heard(*homes):
    """Of which games a person has been told something, and what is his to do."""
    found = [news for home in homes for news in getattr(home, "heard", ())]
    return {news.game for news in found} | {line for news in found for line in news.todo}


def proper(server, expected):
    """Every mail has come, and whatever came twice is the very same mail."""
    by_key = {}
    for key, _, raw in server.taken:
        assert by_key.setdefault(key, raw) == raw, "the same mail with other bytes"
    assert len(by_key) == expected
    assert len({str(parsed(raw)["Message-ID"]) for raw in by_key.values()}) == expected


@pytest.mark.parametrize("way", ["stop", "torn", "power"])
def test_stopped_at_each_disk_operation(waiting, tmp_path, way):
    source, name = waiting
    plain = tmp_path / "plain" / "bob"
    shutil.copytree(source, plain)
    server = Server()
    home, done = finish(plain, name, server)
    wanted, count, news = result(home, name), len(server.taken), heard(home)
    assert done.sent
    assert news
    assert count >= 1
    for at in range(3, 2000, 9):
        folder = tmp_path / f"{way}-{at}" / "bob"
        shutil.copytree(source, folder)
        server, failing = Server(), Failing(at, way)
        first = bob_at(folder, start=1_800_100_000, disk=failing)
        with suppress(Stop):
            first.round(outs=(server,))
        stopped = failing.count == at
        home, _ = finish(folder, name, server)
        assert heard(first, home) >= news, at
        assert result(home, name) == wanted, at
        proper(server, count)
        doubled = len(server.taken)
        home.round(outs=(server,))
        assert len(server.taken) == doubled, "what has gone does not go again"
        shutil.rmtree(folder.parent)
        if not stopped:
            return
    raise AssertionError("the round does not end")


@pytest.mark.parametrize("when", ["before", "after", "cut"])
def test_stopped_around_the_handing_over(waiting, tmp_path, when):
    source, name = waiting
    folder = tmp_path / "bob"
    shutil.copytree(source, folder)
    server = Server()
    server.die = when
    with suppress(Stop):
        finish(folder, name, server)
    server.die = ""
    home, _ = finish(folder, name, server)
    taken = len(server.taken)
    proper(server, len({key for key, _, _ in server.taken}))
    assert taken >= 1
    home.round(outs=(server,))
    assert len(server.taken) == taken
    assert home.round(outs=(server,)).waiting == 0


def test_one_of_two_receivers_is_refused_for_now(waiting, tmp_path):
    source, name = waiting
    folder = tmp_path / "bob"
    shutil.copytree(source, folder)

    class Busy(Server):
        def send(self, key, sender, to, raw):
            self.taken.append(tuple(to))
            refused = [Rejected(each, for_good=False, said="452 later") for each in to[:1]]
            return Offered("250 taken", tuple(refused) if len(self.taken) == 1 else ())

    server = Busy()
    home, done = finish(folder, name, server)
    assert done.faults[0].code == "E-MAIL-REFUSED"
    assert done.waiting == 1
    later, again = finish(folder, name, server, start=1_900_090_000)
    assert [letter.left for letter in again.sent] == [server.taken[0][:1]]
    assert home.address not in str(server.taken)
    assert later.round(outs=(server,)).waiting == 0


def test_automatic_mails_are_bounded_by_the_hour(waiting, tmp_path):
    from dataclasses import replace

    source, name = waiting
    folder = tmp_path / "bob"
    shutil.copytree(source, folder)
    server = Server()
    home = bob_at(folder, start=1_900_000_000)
    home.settings = replace(home.settings, answers_per_hour=1)
    with home.desk.writing():
        letter = next(iter(home.desk.outbox.letters().values()))
        for number in range(3):
            raw = b"PBEM" + bytes([number])
            home.desk.outbox.put(home.desk.load(name), f"x-{number}", raw, letter.to, automatic=True)
    done = home.round(outs=(server,))
    assert sum(entry.automatic for entry in done.sent) == 1
    assert done.waiting >= 2
