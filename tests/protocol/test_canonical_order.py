"""The canonical order (MEA-1)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol.log import CanonicalOrder, Entry, rank

KINDS = ("orders", "reveal", "tie", "end")


@st.composite
def histories(draw):
    """Chains of 2 to 5 authors (and an umpire) who have seen more or less of each other, in an order of arrival."""
    authors = tuple(range(draw(st.integers(2, 5)))) + draw(st.sampled_from(((), (7,))))
    seen = {by: [0] * len(authors) for by in authors}
    chains: dict[int, list[Entry]] = {by: [] for by in authors}
    arrival = []
    for _ in range(draw(st.integers(0, 24))):
        column = draw(st.integers(0, len(authors) - 1))
        by = authors[column]
        for other in draw(st.sets(st.sampled_from(authors))):
            seen[by] = [max(pair) for pair in zip(seen[by], seen[other], strict=True)]
        entry = Entry(by, rank(by, draw(st.sampled_from(KINDS))), tuple(seen[by]))
        chains[by].append(entry)
        arrival.append((by, entry.past[column]))
        seen[by][column] += 1
    return authors, chains, arrival


def naive(authors, chains) -> list[tuple[int, int]]:
    """MEA-1 word for word."""
    left = {(by, seq) for by, chain in chains.items() for seq in range(len(chain))}
    out: list[tuple[int, int]] = []
    while left:
        ready = []
        for by, seq in left:
            past = chains[by][seq].past
            if all((other, n) in out for other, count in zip(authors, past, strict=True) for n in range(count)):
                act = chains[by][seq].rank >= 128
                ready.append((act, by, seq))
        _, by, seq = min(ready)
        out.append((by, seq))
        left.discard((by, seq))
    return out


@settings(max_examples=200, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_is_the_one_of_the_page(history, shuffle):
    authors, chains, _ = history
    entries = [entry for chain in chains.values() for entry in chain]
    shuffle.shuffle(entries)
    assert list(CanonicalOrder.of(authors, entries)) == naive(authors, chains)


@settings(max_examples=200, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_arrival_makes_no_difference(history, shuffle):
    authors, chains, arrival = history
    order = CanonicalOrder(authors)
    left = list(arrival)
    counts = dict.fromkeys(authors, 0)
    while left:
        fits = []
        for by, seq in left:
            past = chains[by][seq].past
            if all(counts[other] >= n for other, n in zip(authors, past, strict=True)):
                fits.append((by, seq))
        by, seq = shuffle.choice(fits)
        entry = chains[by][seq]
        before = list(order)
        appends = order.place(entry) == len(order)
        place = order.insert(entry)
        after = list(order)
        assert after[place] == (by, seq)
        assert after[:place] + after[place + 1 :] == before
        assert appends == (after[-1] == (by, seq))
        assert order.at(by, seq) == place
        assert list(order.since(place)) == after[place:]
        counts[by] += 1
        left.remove((by, seq))
    assert list(order) == naive(authors, chains)
    again = CanonicalOrder.load(authors, order.dump())
    assert list(again) == list(order)
    assert [again.at(*p) for p in order] == list(range(len(order)))


def test_plays_go_before_acts_and_low_numbers_before_high():
    assert rank(7, "orders") < rank(0, "tie")
    assert rank(0, "reveal") < rank(1, "orders")
    order = CanonicalOrder((0, 1, 2))
    start = (0, 0, 0)
    order.insert(Entry(2, rank(2, "tie"), start))
    order.insert(Entry(1, rank(1, "orders"), start))
    order.insert(Entry(0, rank(0, "tie"), start))
    assert list(order) == [(1, 0), (0, 0), (2, 0)]


def test_only_the_next_record_of_an_author_is_taken():
    order = CanonicalOrder((0, 1))
    order.insert(Entry(0, rank(0, "orders"), (0, 0)))
    with pytest.raises(ValueError):
        order.insert(Entry(0, rank(0, "orders"), (0, 0)))


def test_a_set_without_its_past_has_no_order():
    with pytest.raises(ValueError, match="without its past"):
        CanonicalOrder.of((0, 1), [Entry(0, 0, (0, 1))])
