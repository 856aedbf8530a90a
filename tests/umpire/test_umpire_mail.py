"""A tournament that travels through mailboxes: the keeper's mail, and its reminders."""

from __future__ import annotations

from dataclasses import replace

import pytest
from halls import DAY
from mailed_cup import accept, move
from mailhomes import parsed

from pbem.umpire.keeper import Keeper
from pbem.umpire.mailing import ByHand, Mailbox


def since(umpire, before):
    """The mails that were sent since then."""
    return [parsed(raw) for name, raw in umpire.out().items() if name not in before]


def test_a_tournament_by_mail_from_the_call_to_the_verified_archive(post):
    umpire, alice, bob, office, _ = post
    office.run()
    accept(alice, bob)
    office.run()
    while move(alice, bob):
        office.run()
    office.run()
    (pairing,) = umpire.desk.rounds("cup")[0].pairings
    assert (pairing.state, pairing.how) == ("decided", "played")
    assert umpire.desk.check().archives == 1
    assert umpire.desk.tournament("cup").state == "over"
    assert umpire.round().entries == []


def test_reminders_go_once_to_whoever_owes_and_to_nobody_else(post):
    umpire, alice, bob, office, now = post
    office.run()
    accept(alice, bob)
    office.run()
    move(alice)
    office.run()
    owing = {row.name for row in umpire.desk.status("cup") if not row.automatic}
    before = set(umpire.out())
    now[0] += int(1.2 * DAY)
    assert not umpire.round().faults
    umpire.round()
    fresh = since(umpire, before)
    assert sorted(str(mail["To"]) for mail in fresh) == sorted(
        f"{home.name} <{home.address}>" for home in (alice, bob) if home.name in owing
    )
    assert all("A reminder" in mail.get_body().get_content() for mail in fresh)
    assert {mail["Auto-Submitted"] for mail in fresh} == {"auto-replied"}
    done = [act for act in umpire.desk.acts("cup") if act.kind == "remind"]
    assert {act.outcome for act in done} == {"written"}
    assert len(done) == len(owing)


def test_who_does_not_answer_a_call_is_sent_it_again(post):
    umpire, alice, _, office, now = post
    office.run()
    accept(alice)
    office.run()
    before = set(umpire.out())
    now[0] += int(1.2 * DAY)
    umpire.round()
    (mail,) = since(umpire, before)
    assert "Bob Silva" in str(mail["To"]) or "Alice Kern" in str(mail["To"])
    assert [part.get_filename() for part in mail.iter_attachments() if part.get_filename().endswith(".pbem")]


class Waking(ByHand):
    """A mailbox that tells by itself after so many slices that mail has come; time passes while it is asked."""

    def __init__(self, home, after):
        super().__init__(home)
        self.left = after
        self.now = 0.0

    def monotonic(self):
        return self.now

    def wait(self, seconds):
        self.now += seconds
        self.left -= 1
        return self.left == 0


@pytest.mark.parametrize(("after", "idle", "took"), [(3, True, 3), (3, False, 60), (99, True, 60)])
def test_between_passes_the_keeper_waits_for_mail(post, after, idle, took):
    una = post[0]
    mail = Waking(una.home.desk, after)
    keeper = Keeper(una.desk, una.home.desk, mail)
    keeper.round()
    keeper.rest(60, lambda: False, idle=idle, monotonic=mail.monotonic)
    assert mail.now == took


def test_what_somebody_writes_at_the_desk_wakes_the_keeper(post):
    una = post[0]
    mail = Waking(una.home.desk, 99)
    keeper = Keeper(una.desk, una.home.desk, mail)
    keeper.round()
    una.desk.remark(una.desk.tournaments()[0].name, "Somebody rang")
    keeper.rest(60, lambda: False, monotonic=mail.monotonic)
    assert mail.now < 10
    keeper.round()
    keeper.rest(60, lambda: mail.now > 30, monotonic=mail.monotonic)
    assert 30 < mail.now < 60


class Telling:
    """A way in whose server tells (IMAP IDLE)."""

    name = "telling"

    def __init__(self, tells):
        self.tells = tells

    def wait(self, seconds):
        return self.tells


@pytest.mark.parametrize("tells", [True, False])
def test_a_mailbox_that_idles_wakes_the_keeper_and_so_does_the_outbox(post, tells):
    una = post[0]
    una.round()
    state = una.home.state()
    with state.handling():
        mail = Mailbox(una.home.desk, state, [replace(una.home.account(), inboxes=(Telling(tells),))])
        mail.send()
        assert mail.wait(0.01) == tells
        with mail.home.writing():
            letter = next(iter(mail.home.outbox.letters().values()))
            game, raw = mail.home.load(letter.game), mail.home.outbox.file(letter.name)
            mail.home.outbox.put(game, letter.name, raw, letter.to, automatic=False, anew=True)
        assert mail.wait(0.01)
