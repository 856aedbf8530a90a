"""The search behind AA-5.34: against plain enumeration, and fast where many fighters and carriers meet."""

from __future__ import annotations

from itertools import product
from time import perf_counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem_rules.axis1941.decks import FEW, Deck, Search, in_turn, plan, unlanded
from pbem_rules.axis1941.routes import places, reach, within

ZONES = 4
masks = st.integers(0, 2**ZONES - 1)


@st.composite
def cases(draw):
    fighters = draw(st.lists(masks, max_size=5))
    decks = [
        Deck(number, room, zones)
        for number, (room, zones) in enumerate(draw(st.lists(st.tuples(st.integers(0, 2), masks), max_size=3)))
    ]
    yards = tuple(draw(st.lists(st.integers(0, 2), min_size=1, max_size=2)))
    for number in range(draw(st.integers(0, 2))):
        spots = draw(st.lists(st.tuples(st.integers(0, ZONES - 1), st.integers(0, len(yards) - 1)), max_size=3))
        zones = 0
        for zone, _ in spots:
            zones |= 1 << zone
        decks.append(Deck(-2 - number, 2, zones, yards=tuple(spots)))
    return tuple(fighters), tuple(decks), yards


def enumerated(fighters, decks, yards):
    """Every choice of zones, and for each a matching by augmenting paths."""
    best = len(fighters)
    choices = [[*(deck.yards or ((zone, -1) for zone in places(deck.zones))), None] for deck in decks]
    for chosen in product(*choices):
        if any(sum(1 for spot in chosen if spot and spot[1] == yard) > room for yard, room in enumerate(yards)):
            continue
        slots = [spot[0] for deck, spot in zip(decks, chosen, strict=True) if spot for _ in range(deck.room)]
        best = min(best, len(fighters) - matched(fighters, slots))
    return best


def matched(fighters, slots):
    held = {}

    def seat(fighter, seen):
        for slot, zone in enumerate(slots):
            if fighters[fighter] >> zone & 1 and slot not in seen:
                seen.add(slot)
                if slot not in held or seat(held[slot], seen):
                    held[slot] = fighter
                    return True
        return False

    return sum(seat(fighter, set()) for fighter in range(len(fighters)))


@settings(max_examples=300, deadline=None)
@given(cases())
def test_aa_5_34_the_search_is_exact(case):
    fighters, decks, yards = case
    assert unlanded(fighters, decks, yards) == enumerated(fighters, decks, yards)


@settings(max_examples=300, deadline=None)
@given(cases())
def test_aa_5_37_the_plan_keeps_what_the_search_promises(case):
    fighters, decks, yards = case
    found = plan(fighters, decks, yards)
    taken = [fighter for berth in found for fighter in berth.fighters]
    assert len(taken) == len(set(taken)) == len(fighters) - unlanded(fighters, decks, yards)
    by_ident = {deck.ident: deck for deck in decks}
    for berth in found:
        deck = by_ident.pop(berth.ident)  # no carrier twice
        assert deck.zones >> berth.zone & 1
        assert 0 < len(berth.fighters) <= deck.room
        assert all(fighters[each] >> berth.zone & 1 for each in berth.fighters)


def test_aa_5_37_decks_that_stay_are_filled_before_others_are_asked_for():
    fixed, free = Deck(1, 2, 0b01, 0), Deck(2, 2, 0b11, 1)
    assert [berth.ident for berth in plan((0b01, 0b11), (fixed, free))] == [1]
    assert [(berth.ident, berth.zone) for berth in plan((0b11,), (free,))] == [(2, 1)], "where it is"


def test_many_fighters_and_carriers_take_no_time():
    fighters = tuple((0b111 << n % 17) | 1 << (n * 7 % 20) for n in range(24))
    decks = tuple(Deck(n, 2, 0b10101010101 << n % 9) for n in range(12))
    start = perf_counter()
    assert unlanded(fighters, decks) <= 8
    assert len(plan(fighters[:10], decks)) >= 5
    assert perf_counter() - start < 5
    # Alike fighters in a few places: exact at any size.
    assert unlanded((0b0111,) * 12 + (0b1110,) * 9, tuple(Deck(n, 2, 0b1001) for n in range(9))) == 3


def test_aa_5_13_reach():
    # A line of five places, 0 to 4.
    links = [0b00010, 0b00101, 0b01010, 0b10100, 0b01000]
    assert reach(links, 2, 1, -1) == 0b01010
    assert reach(links, 2, 2, -1) == 0b11011
    assert reach(links, 2, 2, ~0b01000) == 0b01011, "place 3 is closed to who passes"
    assert reach(links, 2, 0, -1) == 0
    assert reach(links, 4, 2, -1) == 0b01100
    assert reach(links, 3, 2, 0) == 0b10100, "nothing is passed, but the first space is entered"
    assert within(links, 2)[0] == (0b1, 0b11, 0b111)


def test_aa_5_37_new_carriers_share_the_room_of_their_complex():
    def new(number, *pairs):
        return Deck(-2 - number, 2, sum({1 << zone for zone, _ in pairs}), yards=pairs)

    two = (new(0, (0, 0), (1, 0)), new(1, (0, 0), (1, 0)))
    assert unlanded((0b01,) * 4, two, (2,)) == 0
    assert unlanded((0b01,) * 4, two, (1,)) == 2, "one place at the complex, one carrier"
    assert unlanded((0b01,) * 4, two, (0,)) == 4
    assert unlanded((0b01,), two, (0,)) == 1
    assert [berth.zone for berth in plan((0b10,) * 3, two, (2,))] == [1, 1]
    other = (new(0, (0, 0)), new(1, (0, 0), (1, 1)))
    assert unlanded((0b01, 0b01, 0b10), other, (1, 1)) == 0
    assert unlanded((0b01, 0b01, 0b10), other, (1, 0)) == 1
    assert unlanded((), two, (1,)) == 0
    assert plan((), two, (1,)) == ()


def test_aa_5_34_a_few_examples_by_hand():
    near, far, both = 0b001, 0b100, 0b101
    assert unlanded((near, near, near), (Deck(1, 2, both),)) == 1
    assert unlanded((near, far), (Deck(1, 2, both),)) == 1, "one carrier cannot be in two zones"
    assert unlanded((near, far), (Deck(1, 1, both), Deck(2, 1, both))) == 0
    assert unlanded((near, far, both), (Deck(1, 2, both), Deck(2, 1, far))) == 0
    assert unlanded((near, far), (Deck(1, 0, both), Deck(2, 2, far))) == 1, "a full deck is none"
    assert unlanded((0b010,), (Deck(1, 2, both),)) == 1
    assert unlanded((near,) * 7, (Deck(1, 2, near), Deck(2, 2, both), Deck(3, 2, far))) == 3
    # What is known before the search: for a few that each finds a place, and how many cannot at best.
    decks = tuple(Deck(number, 2, both) for number in range(4))
    assert [in_turn((near,) * count, decks) for count in (1, FEW, FEW + 1)] == [True, True, False]
    search = Search((near, near, 0b010, far), (Deck(1, 2, near), Deck(2, 2, both)))
    assert [search.lower_bound(at, search.left) for at in (0, 1, 2)] == [1, 2, 4]
