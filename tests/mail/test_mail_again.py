"""Mails that are lost get through without a person, and two programs never keep writing to each other."""

import time
from dataclasses import replace

import pytest
from mailhomes import Office, at_home, introduce, mails, parsed

from pbem.home import acts, describe, offers, orders, sending, summary
from pbem.mail.post import MOST
from tests.bounded import attempts

DAY = 86_400
SEATS = {"blue": "me", "red": "bob"}


class Clock:
    """One for all homes."""

    def __init__(self):
        self.now = int(time.time())

    def __call__(self):
        self.now += 1
        return self.now


class Losing(Office):
    """Loses mails while `lost` says so; counts what each home has sent."""

    def __init__(self, *homes, clock):
        super().__init__(*homes)
        self.clock = clock
        self.lost = lambda home, raw: False

    def carry(self):
        for home in self.homes:
            for name, raw in home.out(self.carried[home.name]).items():
                if self.lost(home, raw):
                    self.carried[home.name].add(name)
        return super().carry()

    def days(self, count, step=6 * 3600):
        """Rounds at everybody's, a few a day."""
        for _ in range(count * DAY // step):
            self.clock.now += step
            for home in self.homes:
                assert not home.round().faults
            self.carry()


def sent(*homes):
    return sum(len(home.out()) for home in homes)


def agains(*homes):
    return [mail for home in homes for mail in mails(home) if "sends this file again" in body(mail)]


def body(mail):
    return " ".join(mail.get_body().get_content().split())


@pytest.fixture
def table(tmp_path):
    clock = Clock()
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    for home in (alice, bob):
        home.desk.clock = clock
    introduce(alice.desk, bob.desk)
    return alice, bob, Losing(alice, bob, clock=clock)


def begun(table):
    alice, bob, office = table
    name, _ = offers.offer(alice.desk, "bridgehead", seats=SEATS)
    office.run()
    offers.join(bob.desk, name)
    office.run()
    for _ in attempts(20, "both are still to move"):
        movers = [home for home in (alice, bob) if summary.row(home.desk, name).my_move]
        if len(movers) < 2:
            break
        for home in movers:
            moved(home, name)
        office.run()
    return name


def moved(home, name):
    orders.bot(home.desk, name, "sensible")
    sending.send(home.desk, name)


def mover_of(homes, name):
    return next((home for home in homes if summary.row(home.desk, name).my_move), None)


def test_a_game_in_which_every_third_mail_is_lost(table, whole):
    """Nobody does anything but move, and resign at last (`--whole`: at the end); what is lost comes again by itself."""
    alice, bob, office = table
    count = moves = 0

    def lost(home, raw):
        nonlocal count
        count += 1
        return count % 3 == 2

    office.lost = lost
    name, _ = offers.offer(alice.desk, "bridgehead", seats=SEATS)
    joined = False
    for _ in range(400):
        office.days(1, step=DAY // 2)
        if not joined and summary.rows(bob.desk):
            offers.join(bob.desk, name)
            joined = True
        mover = mover_of((alice, bob), name) if joined else None
        if mover is not None and (whole or moves < 12):
            moved(mover, name)
            moves += 1
        elif mover is not None:
            acts.resign(mover.desk, name)
        if joined and {summary.row(alice.desk, name).stage, summary.row(bob.desk, name).stage} == {"over"}:
            break
    assert summary.row(alice.desk, name).stage == summary.row(bob.desk, name).stage == "over"
    again = agains(alice, bob)
    assert len(again) >= 3
    assert all(mail["Auto-Submitted"] == "auto-replied" for mail in again)


def file_of(mail):
    return next(part.get_content() for part in mail.iter_attachments() if part.get_filename().endswith(".pbem"))


@pytest.mark.parametrize("remind", [0, 2])
def test_a_reminder_brings_what_was_lost(table, remind):
    """Bob waits, and his program reminds; Alice's hears that he lacks her last file, and sends the very same."""
    alice, bob, office = table
    name = begun(table)
    alice.settings = replace(alice.settings, remind_others=0)
    mover = mover_of((alice, bob), name)
    other = bob if mover is alice else alice
    moved(mover, name)
    office.lost = lambda home, raw: home is mover
    mover.round()
    office.carry()
    office.lost = lambda home, raw: False
    first = sent(mover)
    other.settings = replace(other.settings, remind_others=remind)
    if not remind:
        other.settings = replace(other.settings, resend=0)
        mover.settings = replace(mover.settings, resend=0)
        office.days(40, step=DAY)
        assert sent(mover) == first, "0: never"
        mover.settings = replace(mover.settings, resend=1)
    office.days(4)
    fresh = agains(mover)
    assert len(fresh) == 1
    assert file_of(fresh[0]) in [file_of(mail) for mail in mails(mover) if mail not in fresh]
    assert not summary.row(mover.desk, name).my_move
    office.run()
    assert {line.id for line in describe.log(other.desk, name)} == {line.id for line in describe.log(mover.desk, name)}
    assert mover_of((alice, bob), name) is not None


def test_two_programs_do_not_keep_writing_to_each_other(table):
    """Every mail of Bob's gets lost for ever, everything of Alice's comes twice and late: it ends all the same."""
    alice, bob, office = table
    name = begun(table)
    moved(mover_of((alice, bob), name), name)
    office.mangle = lambda raw: [raw, raw + b"\r\n"]
    office.lost = lambda home, raw: home is bob
    before = sent(alice, bob)
    office.days(60, step=DAY)
    office.days(500, step=20 * DAY)
    files = {file_of(mail) for mail in mails(alice) + mails(bob)}
    assert sent(alice, bob) - before <= MOST * 4
    assert all(sum(file_of(mail) == raw for mail in mails(home)) <= MOST + 1 for home in (alice, bob) for raw in files)
    quiet = sent(alice, bob)
    office.days(600, step=30 * DAY)
    assert sent(alice, bob) == quiet
    assert summary.row(alice.desk, name).stage == "playing"


def test_old_mails_that_come_again_and_again_bring_one_answer_in_a_day(table):
    """Somebody repeats Bob's mails without end: Alice's program answers once a day, MOST times, and no more."""
    alice, bob, office = table
    name = begun(table)
    moved(mover_of((alice, bob), name), name)
    office.lost = lambda home, raw: True
    office.carry()
    replayed = list(bob.out().values())
    alice.round()
    before = sent(alice)
    in_a_day = []
    for number in range(24):
        for raw in replayed:
            alice.receive(f"{number}.{hash(raw)}", raw)
        office.clock.now += 8 * 3600
        alice.round()
        in_a_day.append(sent(alice))
    assert sent(alice) - before <= MOST
    assert all(later - earlier <= 1 for earlier, later in zip(in_a_day, in_a_day[3:], strict=False))


def test_lost_mails_go_within_the_answers_of_the_hour(table):
    alice, bob, office = table
    name = begun(table)
    moved(mover_of((alice, bob), name), name)
    office.lost = lambda home, raw: True
    office.carry()
    for home in (alice, bob):
        home.settings = replace(home.settings, answers_per_hour=1)
    office.clock.now += 9 * DAY
    for home in (alice, bob):
        done = home.round()
        assert sum(entry.automatic for entry in done.sent) <= 1


def test_after_a_stop_it_goes_once(table):
    """The queue knows which time it is: a second round at once adds nothing."""
    alice, bob, office = table
    name = begun(table)
    mover = mover_of((alice, bob), name)
    moved(mover, name)
    mover.round()
    office.lost = lambda home, raw: True
    office.carry()
    office.clock.now += 8 * DAY

    class Dead:
        name = "dead"

        def send(self, key, sender, to, raw):
            from pbem.mail.connect import MailError

            raise MailError("E-MAIL-LINE", "The line was cut.")

        def close(self):
            pass

    for _ in range(3):
        office.clock.now += 7 * 3600
        assert mover.round(outs=(Dead(),)).waiting == 1
    before = sent(mover)
    office.clock.now += DAY
    mover.round()
    mover.round()
    assert sent(mover) == before + 1
    assert len({str(parsed(raw)["Message-ID"]) for raw in mover.out().values()}) == sent(mover)


def test_an_umpire_gets_what_he_lacks(tmp_path):
    """Whatever the players mail is lost for three days; the umpire, who is the witness of every draw, gets it then."""
    clock = Clock()
    alice, bob, carla = (at_home(tmp_path, name) for name in ("Alice Kern", "Bob Silva", "Carla Roth"))
    homes = (alice, bob, carla)
    for home in homes:
        home.desk.clock = clock
    introduce(*(home.desk for home in homes))
    office = Losing(*homes, clock=clock)
    seats = {"blue": "alice", "red": "bob"}
    name, _ = offers.offer(carla.desk, "bridgehead", seats=seats, mode="umpire", umpire=True)
    office.run()
    offers.join(alice.desk, name)
    offers.join(bob.desk, name)
    office.run()
    office.lost = lambda home, raw: home is not carla
    for home in (alice, bob):
        if summary.row(home.desk, name).my_move:
            moved(home, name)
    office.days(3, step=DAY // 2)
    before = len(describe.log(carla.desk, name))
    office.lost = lambda home, raw: False
    office.days(6, step=DAY // 2)
    office.run()
    assert len(describe.log(carla.desk, name)) > before
    assert len({frozenset(line.id for line in describe.log(home.desk, name)) for home in homes}) == 1
