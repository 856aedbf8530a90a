"""What people decide at the desk, in any order: the tables are always what the journal says."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from halls import duel
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol.card import make_card
from pbem.protocol.keys import Keys
from pbem.umpire import UmpireError, rounds
from pbem.umpire.db.database import Store, backup, restore
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.terms import Terms
from pbem.umpire.umpiredesk import UmpireDesk

UNA = make_card(Keys(b"una".ljust(32, b".")), "Una", "una@example.org", 5)


def card(number):
    return make_card(Keys(number.to_bytes(32, "big")), f"Player {number}", f"p{number}@example.org", 5)


CARDS = [card(number) for number in range(1, 10)]


def desk_of(store, *, players=4, format="swiss", random=None, **more):
    clock = iter(range(1_800_000_000, 1_900_000_000, 60)).__next__
    desk = UmpireDesk(
        store, actor="Una", clock=clock, random=random or (lambda n: bytes(n)), find_game=lambda _: duel()
    )
    desk.create(
        Terms(title="Cup", game="duel", format=format, seeding="given", **more),
        UNA,
        [NewEntrant(each) for each in CARDS[:players]],
    )
    return desk


def code(act, *args, **kw):
    with pytest.raises(UmpireError) as caught:
        act(*args, **kw)
    return caught.value.code


def test_who_may_enter(store):
    desk = desk_of(store)
    assert code(desk.enter, "cup", [NewEntrant(UNA)]) == "E-UMPIRE-ENTRANTS"
    assert code(desk.enter, "cup", [NewEntrant(CARDS[0])]) == "E-UMPIRE-ENTRANTS"
    assert code(desk.enter, "cup", [NewEntrant(CARDS[5]), NewEntrant(CARDS[5])]) == "E-UMPIRE-ENTRANTS"
    assert [each.number for each in desk.enter("cup", [NewEntrant(CARDS[5], 2_000)])] == [1, 2, 3, 4, 5]
    assert len(desk.journal()) == 3


def test_entrants_are_seeded_by_rating(store):
    desk = desk_of(store, players=0)
    desk.create(
        Terms(title="Other", game="duel", format="swiss"),
        UNA,
        [NewEntrant(CARDS[0]), NewEntrant(CARDS[1], 1_200), NewEntrant(CARDS[2], 1_900)],
    )
    assert [(each.name, each.rating) for each in desk.entrants("other")] == [
        ("Player 3", 1_900),
        ("Player 2", 1_200),
        ("Player 1", 1_500),
    ]


def test_names_are_found_by_their_beginnings_and_are_never_given_twice(store):
    desk = desk_of(store)
    assert desk.create(Terms(title="Cup", game="duel", format="swiss"), UNA).name == "cup-2"
    assert desk.tournament("cup").name == "cup"
    assert code(desk.tournament, "c") == "E-UNKNOWN"
    assert desk.tournament("cup-").name == "cup-2"
    assert code(desk.create, Terms(title="x", name="cup", game="duel", format="swiss"), UNA) == "E-UMPIRE-TERMS"


def test_a_replaced_card_gets_offers_from_the_next_round_on(store):
    desk = desk_of(store)
    desk.pair("cup")
    assert code(desk.replace_card, "cup", "1", CARDS[1], "x") == "E-UMPIRE-ENTRANTS"
    assert desk.replace_card("cup", "1", CARDS[7], "A new key").identity == CARDS[7].identity
    assert desk.check().ok


def test_withdrawn_entrants_are_not_paired(store):
    desk = desk_of(store)
    desk.withdraw("cup", "Player 2", "Ill")
    assert not any(2 in each.entrants for each in desk.pair("cup").pairings)


def test_rounds_follow_each_other(store):
    desk = desk_of(store, rounds=2)
    assert code(desk.offer, "cup") == "E-UNKNOWN"
    desk.pair("cup")
    assert code(desk.pair, "cup") == "E-NOT-NOW"
    desk.offer("cup")
    for each in desk.rounds("cup")[0].pairings:
        assert code(desk.decide, "cup", each.label, (2, 0), forfeit=False, why="x") == "E-UNKNOWN"
        _offered(desk, each)
        assert code(desk.decide, "cup", each.label, (2, 2), forfeit=False, why="x") == "E-UMPIRE-RULING"
        assert code(desk.decide, "cup", each.label, (2, 0), forfeit=False, why=" ") == "E-UMPIRE-RULING"
        desk.decide("cup", each.label, (2, 0), forfeit=False, why="Over the board")
    desk.pair("cup")
    desk.offer("cup")
    for each in desk.rounds("cup")[1].pairings:
        _offered(desk, each)
        desk.decide("cup", each.label, (1, 1), forfeit=False, why="Over the board")
    assert code(desk.pair, "cup") == "E-NOT-NOW"
    assert [row.points for row in desk.standings("cup")] == [3, 3, 1, 1]
    assert [row.points for row in desk.standings("cup", 1)] == [2, 2, 0, 0]
    assert code(desk.tournament, "") == "E-UNKNOWN"


def _offered(desk, pairing):
    """As the keeper writes it."""
    with desk.writing("cup") as (writing, _):
        said = {"at": writing.at, "expires": writing.at + 5, "game": f"g{pairing.id}", "pairing": pairing.id}
        writing.record("offered", {**said, "offer": pairing.id.to_bytes(32, "big")})


def test_ratings_count_what_was_played(store):
    desk = desk_of(store, rounds=1)
    desk.pair("cup")
    desk.offer("cup")
    one, other = desk.rounds("cup")[0].pairings
    for each, forfeit in ((one, False), (other, True)):
        _offered(desk, each)
        desk.decide("cup", each.label, (2, 0), forfeit=forfeit, why="x")
    rows = {row.entrant: row for row in desk.rate("cup")}
    assert rows[one.first].rating > 1_600 > 1_400 > rows[one.second].rating
    assert rows[other.first].rating == rows[other.second].rating == 1_500
    entries = len(desk.journal())
    assert desk.rate("cup") == list(rows.values())
    assert len(desk.journal()) == entries, "nothing new, nothing written"


def test_an_expired_offer_can_be_made_again_once(store):
    desk = desk_of(store)
    desk.pair("cup")
    desk.offer("cup")
    game = desk.rounds("cup")[0].pairings[0]
    assert code(desk.offer_again, "cup", game.label) == "E-NO-NEED"
    _offered(desk, game)
    act = desk.offer_again("cup", game.label)
    assert (act.kind, act.pairing) == ("offer", game.id)
    assert code(desk.offer_again, "cup", game.label) == "E-NO-NEED"


def test_what_is_too_large_is_refused(store):
    desk = desk_of(store)
    with desk.writing("cup") as (writing, tournament), pytest.raises(UmpireError) as caught:
        writing.record("noted", {"text": "x" * (33 << 20), "tournament": tournament.id})
    assert caught.value.code == "E-UMPIRE-JOURNAL"


def act(desk, rng):
    """Something that somebody at the desk might do."""
    who, other = str(rng.randint(1, 6)), str(rng.randint(1, 6))
    label = f"{rng.randint(1, 3)}.{rng.randint(1, 3)}"
    rounds = desk.rounds("cup")
    choice = rng.randrange(11)
    if choice < 3:
        desk.pair("cup")
    elif choice == 3:
        desk.adjust("cup", rng.choice(("swap", "sides", "pair", "leave")), who, rng.choice((None, other)), "By hand")
    elif choice == 4:
        desk.offer("cup")
    elif choice == 5 and rounds:
        for each in rounds[-1].pairings:
            if each.state == "paired" and rounds[-1].state == "offered":
                _offered(desk, each)
    elif choice == 6:
        desk.decide("cup", label, rng.choice(((2, 0), (0, 2), (1, 1), (0, 0))), forfeit=rng.random() < 0.3, why="So")
    elif choice == 7:
        desk.withdraw("cup", who, "So", back=rng.random() < 0.5)
    elif choice == 8:
        desk.rate("cup")
    elif choice == 9:
        desk.enter("cup", [NewEntrant(rng.choice(CARDS))])
    else:
        desk.remark("cup", "A remark")


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("swiss", "round_robin", "knockout", "ladder")), st.booleans())
def test_whatever_is_done_the_tables_are_what_the_journal_says(seed, format, mirrored):
    store = Store.open("sqlite://")
    desk = desk_of(store, players=5, format=format, rounds=3, mirrored=mirrored)
    rng = Random(seed)
    for _ in range(30):
        before = len(desk.journal())
        try:
            act(desk, rng)
        except UmpireError:
            assert len(desk.journal()) == before, "a refusal changes nothing"
    found = desk.check()
    assert found.ok, found.faults
    for row in desk.rounds("cup"):
        players = [number for each in row.pairings if each.mirror < 2 for number in each.entrants]
        assert len(players) == len(set(players))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b"
        backup(store, path)
        again = Store.open("sqlite://")
        restore(again, path)
        other = UmpireDesk(again, actor="x", find_game=lambda _: duel())
        assert other.check().head == found.head
        assert other.standings("cup") == desk.standings("cup")
        again.close()
    store.close()


def test_a_result_that_was_played_is_not_replaced_by_hand(store):
    desk = desk_of(store, rounds=1)
    desk.pair("cup")
    desk.offer("cup")
    one = desk.rounds("cup")[0].pairings[0]
    _offered(desk, one)
    with desk.writing("cup") as (writing, _):
        rounds.write_result(writing, one, (1, 1), "played", "a draw")
    assert code(desk.decide, "cup", one.label, (2, 0), forfeit=False, why="x") == "E-NOT-NOW"
    assert desk.rounds("cup")[0].pairings[0].first_points == 1
