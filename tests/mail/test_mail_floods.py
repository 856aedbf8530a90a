"""One mail, or many small ones, that would fill a home or keep its mail from being looked at."""

import os
import random

import pytest
from mailhomes import at_home, introduce

from pbem.home import offers as home_offers
from pbem.home import summary
from pbem.home.unpacking import MAX_OF_A_KIND, Hello, unwrap
from pbem.mail import mailstate
from pbem.protocol import armour
from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.keys import Keys
from pbem.protocol.record import make_record


def cards(count):
    made = [make_card(Keys(random.Random(n).randbytes(32)), f"Stranger {n}", "", 1_700_000_000) for n in range(count)]
    return [Item(ItemType.CARD, card.raw) for card in made]


def in_mail(*files):
    return b"Subject: x\n\n" + "\n".join(map(armour.wrap, files)).encode()


def offers(desk, count, red):
    """As many offers, in one file."""
    found = []
    for _ in range(count):
        _, posted = home_offers.offer(desk, "bridgehead", seats={"blue": "me", "red": red})
        found += [Item(ItemType.RECORD, record.raw) for record in unwrap(posted.raw).records]
    return write(found)


def proofs(count):
    found = []
    for n in range(count):
        keys = Keys(random.Random(n).randbytes(32))
        card = make_card(keys, "Forker", "", 1_700_000_000)
        sides = [
            make_record(
                keys, at=at, by=0, data={"seats": ["blue"]}, game=bytes(32), heads=((1, bytes(32)),), kind="resign",
                note=None, pin=1, prev=bytes(32), seq=5,
            )
            for at in (1, 2)
        ]  # fmt: skip
        found.append(Item(ItemType.FORK, make_fork_proof(*sides, card).raw))
    return write(found)


def test_one_file_brings_no_more_strangers_than_many(tmp_path):
    alice = at_home(tmp_path, "Alice Kern")
    alice.receive("1", in_mail(write(cards(15))))
    alice.receive("2", in_mail(write(cards(40)[15:])))
    alice.receive("3", in_mail(write(cards(20)[15:])))
    alice.round()
    assert len(alice.desk.people.contacts()) == 20
    assert sum("Too many came today" in news.what for news in alice.heard) == 1


def test_a_file_of_offers_is_bounded(tmp_path, monkeypatch):
    alice, mallory = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Mallory Xu")
    introduce(mallory.desk, alice.desk)
    alice.desk.people.forget("mallory")
    many = offers(mallory.desk, 21, "anyone")
    alice.receive("1", in_mail(many))
    alice.round()
    assert summary.rows(alice.desk) == []
    introduce(mallory.desk, alice.desk)
    alice.receive("2", in_mail(many))
    monkeypatch.setattr("pbem.mail.incoming.MAX_OFFERS", 30)
    alice.receive("3", in_mail(offers(mallory.desk, 10, "alice")))
    alice.round()
    assert len(summary.rows(alice.desk)) == 21
    assert any("Too many came today" in news.what for news in alice.heard)


def test_proofs_of_forks_fill_no_disk(tmp_path):
    alice = at_home(tmp_path, "Alice Kern")
    alice.receive("1", in_mail(proofs(21)))
    alice.receive("2", in_mail(proofs(2)))
    alice.round()
    assert len(list(alice.desk.paths.proofs.iterdir())) == 2


def test_a_file_of_too_many_things_is_refused():
    with pytest.raises(Refusal) as caught:
        unwrap(write(cards(1) * (MAX_OF_A_KIND + 1)))
    assert caught.value.code == "E-LARGE"


def test_many_bad_files_in_a_mail_are_told_shortly(tmp_path):
    alice = at_home(tmp_path, "Alice Kern")
    alice.receive("1", in_mail(*(bytes([n]) * 20 for n in range(60))))
    alice.round()
    assert len(alice.heard) == 4
    assert "57 more" in alice.heard[-1].what


def test_news_that_nobody_reads_stop_no_mail(tmp_path, monkeypatch):
    monkeypatch.setattr(mailstate, "MOST_NEWS", 2_000)
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    state = alice.state()
    monkeypatch.setattr("pbem.mail.mailstate.MailState.clear_news", lambda _: None)
    for n in range(30):
        alice.receive(f"1.{n}", in_mail(os.urandom(20)))
    alice.receive("2", in_mail(offers(bob.desk, 1, "alice")))
    done = alice.round()
    assert not done.faults
    assert len(summary.rows(alice.desk)) == 1
    assert sum(len(repr(news)) for news in state.news()) < 3_000
    assert sum("More arrived" in news.what for news in state.news()) == 1


def test_a_fault_of_ours_at_one_mail_keeps_no_other_away(tmp_path, monkeypatch):
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    alice.receive("1", in_mail(write(cards(1))))
    alice.receive("2", in_mail(offers(bob.desk, 1, "alice")))

    def broken(card):
        raise KeyError(card.name)

    monkeypatch.setattr(alice.desk.people, "meet", broken)
    done = alice.round()
    assert not done.faults
    assert len(summary.rows(alice.desk)) == 1
    assert alice.heard[0].code == "E-INTERNAL"
    assert alice.round().looked_at == 0
    monkeypatch.setattr("pbem.home.unpacking.blocks", broken_too)
    alice.receive("3", b"Subject: x\n\nx")
    assert alice.round().looked_at == 1
    assert alice.heard[0].code == "E-INTERNAL"
    assert alice.round().looked_at == 0


def broken_too(raw):
    raise OverflowError(len(raw))


def test_questions_that_nobody_signs_send_no_game_round_and_round(tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.mail.incoming.MAX_QUESTIONS", 4)
    monkeypatch.setattr("pbem.mail.incoming.MAX_SAME_QUESTION", 3)
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    name, posted = home_offers.offer(alice.desk, "bridgehead", seats={"blue": "me", "red": "bob"})
    alice.round()
    key = unwrap(posted.raw).records[0].id
    for n, by in enumerate((1, 1, 1, 1, 2, 2)):
        before = len(alice.out())
        alice.receive(str(n), in_mail(write([Item(ItemType.HELLO, Hello(by, key, {0: n}, want=True).pack())])))
        alice.round()
        assert len(alice.out()) - before == (n < 3)
    assert summary.row(alice.desk, name).stage == "offered"
    assert sum(alice.state().notes()["asked"].values()) == 4
