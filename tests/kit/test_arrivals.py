"""Units come in by the first gate that lets them."""

from __future__ import annotations

from grounds import plain_board, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit import Gate, entrance, refuse_entry

BOARD = plain_board(3, 3)


@given(st.data())
def test_the_first_gate_with_room(data):
    gates = [
        Gate(BOARD.mask(data.draw(some(BOARD, 4))), f"T-{number}") for number in range(data.draw(st.integers(0, 3)))
    ]
    room = ~BOARD.mask(data.draw(some(BOARD)))
    open_gates = [gate for gate in gates if gate.places & room]
    found = entrance(iter(gates), room)
    if open_gates:
        assert found == Gate(open_gates[0].places & room, open_gates[0].rule)
    else:
        assert found == Gate(0, gates[-1].rule if gates else "")
    for place in BOARD.places:
        wrong = refuse_entry(BOARD, iter(gates), room, place, "3Pz", "T-8")
        assert (wrong is None) == bool(found.places & BOARD.bit[place])
        if wrong is not None:
            named = any(gate.places & BOARD.bit[place] for gate in gates)
            assert wrong.rule == ("T-8" if named and not room & BOARD.bit[place] else found.rule)


def test_a_refusal_says_where_else():
    gates = [Gate(BOARD.mask([101, 102]), "T-1"), Gate(BOARD.mask([201]), "T-2")]
    wrong = refuse_entry(BOARD, gates, -1, 303, "3Pz", "T-8")
    assert wrong is not None
    assert (wrong.rule, wrong.reason) == ("T-1", "3Pz cannot be placed in 0303. It can be placed in 0101, 0102")
    full = refuse_entry(BOARD, gates, ~BOARD.bit[101], 101, "3Pz", "T-8")
    assert full is not None
    assert (full.rule, full.reason) == ("T-8", "There is no room in 0101")
    off = refuse_entry(BOARD, gates, 0, 9999, "3Pz", "T-8")
    assert off is not None
    assert (off.rule, off.reason) == ("T-2", "3Pz cannot be placed in 9999. It can be placed nowhere")
