"""Identities and contacts: trust on first use, changed keys, newer cards."""

import itertools

import pytest

from pbem.home import HomeError
from pbem.home.disk import Disk, Paths
from pbem.home.people import Cost, People, looks
from pbem.protocol.card import make_card
from pbem.protocol.keys import Keys

CHEAP = Cost(log_n=4)


def counter():
    numbers = itertools.count(1)
    return lambda n: next(numbers).to_bytes(n, "big")


@pytest.fixture
def home(tmp_path):
    made = Paths(tmp_path / "home")
    made.prepare(Disk())
    return made


def people(home, passphrase="secret"):
    return People(home, Disk(), counter(), lambda _: passphrase, CHEAP)


def card(number, name, email="", at=1000):
    return make_card(Keys(bytes([number]) * 32), name, email, at)


def test_an_identity_survives_and_the_first_is_the_default(home):
    alice = people(home).new_identity("Alice Kern", "alice@example.org", "secret", 1000)
    second = people(home).add_identity(bytes([9]) * 32, "Alice Two", "", "", 1000)
    again = people(home)
    assert {person.identity for person in again.identities()} == {alice.identity, second.identity}
    assert again.me().identity == alice.identity
    assert again.me("alice t").identity == second.identity
    assert again.keys(alice.identity).identity == alice.identity
    assert (again.me().protected, again.me("alice two").protected) == (True, False)
    again.make_default(second.identity)
    assert people(home).me().identity == second.identity


def test_without_an_identity_the_next_step_is_told(home):
    with pytest.raises(HomeError) as caught:
        people(home).me()
    assert caught.value.code == "E-NO-IDENTITY"
    assert "pbem id new" in caught.value.sentence


def test_a_passphrase_can_be_changed(home):
    alice = people(home).new_identity("Alice", "", "secret", 1000)
    people(home).change_passphrase(alice.identity, "other")
    assert people(home, "other").keys(alice.identity).identity == alice.identity
    with pytest.raises(HomeError) as caught:
        people(home).keys(alice.identity)
    assert caught.value.code == "E-PASSPHRASE"


def test_the_seed_is_not_on_the_disk(home):
    seed = bytes(range(32))
    people(home).add_identity(seed, "Alice", "", "secret", 1000)
    assert not any(seed in path.read_bytes() for path in home.root.rglob("*") if path.is_file())


def test_trust_on_first_use_and_a_changed_key_is_pointed_out(home):
    ours = people(home)
    first = ours.meet(card(1, "Bob Silva", "bob@example.org"))
    assert (first.news, first.clashes) == ("new", ())
    assert ours.meet(card(1, "Bob Silva", "bob@example.org")).news == "known"
    ours.confirm("bob")
    by_name = ours.meet(card(2, "bob silva"))
    assert (by_name.news, [other.identity for other in by_name.clashes]) == ("new", [first.person.identity])
    assert not by_name.person.confirmed
    by_address = ours.meet(card(3, "Robert", "BOB@example.org"))
    assert first.person.identity in {other.identity for other in by_address.clashes}
    assert ours.contact(first.person.identity).confirmed


def test_a_newer_card_of_the_same_key_replaces_and_an_older_never(home):
    ours = people(home)
    ours.meet(card(1, "Bob", at=2000))
    ours.confirm("bob")
    assert ours.meet(card(1, "Bob Old", at=1000)).news == "known"
    newer = ours.meet(card(1, "Bob New", at=3000))
    assert (newer.news, newer.person.confirmed) == ("newer", True)
    assert [person.card.name for person in ours.contacts()] == ["Bob New"]


def test_ones_own_card_is_no_contact(home):
    ours = people(home)
    alice = ours.new_identity("Alice", "", "", 1000)
    assert ours.meet(alice.card).news == "own"
    assert ours.contacts() == []


def test_names_by_unambiguous_beginning(home):
    ours = people(home)
    bob = ours.meet(card(1, "Bob Silva", "bs@example.org")).person
    ours.meet(card(2, "Bob Tull"))
    ours.meet(card(3, "Carla"))
    for query in ("bob s", "SILVA", "bs@", bob.fingerprint, bob.fingerprint[:12], bob.identity.hex()[:8]):
        assert ours.find(query).identity == bob.identity
    with pytest.raises(HomeError) as caught:
        ours.find("bob")
    assert caught.value.code == "E-AMBIGUOUS"
    assert "Silva" in caught.value.sentence
    for query in ("dora", "", "  "):
        with pytest.raises(HomeError) as caught:
            ours.find(query)
        assert caught.value.code == "E-UNKNOWN"


def test_a_name_is_never_taken_for_the_first_word_of_a_fingerprint(home):
    ours = people(home)
    stranger = ours.meet(card(1, "Bob Silva")).person
    name = stranger.fingerprint.partition("-")[0]
    friend = ours.meet(card(2, name.title())).person
    assert ours.find(name).identity == friend.identity
    assert ours.find(name[:3]).identity == friend.identity
    assert ours.find(stranger.fingerprint[: len(name) + 3]).identity == stranger.identity


def test_a_whole_name_wins_over_a_longer_one(home):
    ours = people(home)
    ann = ours.meet(card(1, "Ann")).person
    ours.meet(card(2, "Anna"))
    assert ours.find("ann").identity == ann.identity
    ours.forget("anna")
    assert [person.card.name for person in ours.contacts()] == ["Ann"]


@pytest.mark.parametrize(
    "other", ["Аlice Kern", "ALICE KERN", "Alice  Kern", "Alíce Kern", "A1ice Kern", "Alice Kem", "Alice\u200d Kern"]
)
def test_a_name_that_looks_like_a_known_one_is_pointed_out(other):
    assert looks(other) == looks("Alice Kern")


def test_other_names_are_other_names():
    names = ("Alice Kern", "Alice Korn", "Alina Kern", "Bob Silva", "Боб", "北京", "東京")
    assert len({looks(name) for name in names}) == len(names)
