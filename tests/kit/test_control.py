"""Who holds which place, against a walk told place by place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.game import Rows
from pbem.kit import held_by, take

HOLDERS = st.dictionaries(st.integers(1, 9), st.sampled_from("ab"))
WAYS = st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.integers(1, 9), max_size=5)), max_size=6)


@given(HOLDERS, WAYS)
def test_the_last_to_pass_through_holds_a_place(held, ways):
    holders, said = Rows(held), dict(held)
    for side, way in ways:
        before = dict(said)
        said.update({place: side for place in way if place in said})
        taken = take(holders, side, way)
        assert dict(holders) == said
        assert list(taken) == sorted({p for p in way if p in before and before[p] != side}, key=way.index)
    for side in "ab":
        assert held_by(holders, side) == tuple(sorted(p for p, of in said.items() if of == side))
        assert held_by(holders, side, (9, 3, 10)) == tuple(p for p in (9, 3, 10) if said.get(p) == side)
