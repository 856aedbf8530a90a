"""First steps in a game of a hundred units on four thousand hexes: what a player waits for, and nothing is lost."""

from __future__ import annotations

from bench.march import BOARD, WEST, begun, game, legality

GENEROUS = 8  # times what is wanted of a machine that does nothing else


def test_first_steps_are_found_without_the_orders() -> None:
    found = legality(begun(), WEST, 5)
    assert len(BOARD.places) > 4_000
    assert found.orders > 20_000
    assert found.first <= 0.020 * GENEROUS
    assert found.picked <= 0.005 * GENEROUS
    assert found.check <= 0.002 * GENEROUS
    assert found.first < found.every / 4


def test_the_orders_of_all_first_steps_are_the_legal_orders() -> None:
    machine = begun()
    legal = machine.legal(WEST)
    every = list(legal)
    picked = [order for key in legal.first for order in legal.picked(key)]
    assert set(picked) == set(every)
    assert len(picked) == len(every)
    assert legal.first[0] == "v:stop"
    for kind in legal.kinds:
        leads = tuple(key for key in legal.first if any(type(order) is kind for order in legal.picked(key)))
        assert legal.keys(kind) == leads


def test_what_is_typed_is_looked_for_among_the_orders_of_its_unit() -> None:
    machine = begun()
    (order,) = game.notation.parse("ma w31 2732", machine.context(WEST))
    assert game.notation.write(order) == "march W31 2732"
    shown = {text for text, _ in machine.legal(WEST).beginning("march W31 27", game.notation.show)}
    assert "march W31 2732" in shown
    assert all(text.startswith("march W31 27") for text in shown)
