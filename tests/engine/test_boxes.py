"""The size of a box tells nothing of what was chosen (HID-1): every installed game, every sealed or secret decision."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pbem.engine.compiled import program
from pbem.engine.order import Order, OrderKinds
from pbem.engine.registry import find, names
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.contract import check_boxes
from pbem.fairplay.commitments import pad, unpad
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import PADDED

LATE = {"stalingrad42": {"pairing"}}
"""Decisions that a game comes to in late turns only, asked by tests of their own (test_s42_masks)."""


@pytest.mark.parametrize("name", names())
def test_all_legal_orders_of_a_sealed_decision_give_boxes_of_one_size(name: str) -> None:
    game = find(name)
    left = {kind for kind, step in program(game).decisions.items() if step.sealed or step.secret}
    left -= LATE.get(name, set())
    for seed in range(20):
        driver, choices = Driver(game, chance=Chance(f"boxes {seed}")), Chance(f"choices {seed}")
        for _ in range(400):
            if not left or not driver.asked:
                break
            step = driver.machine.decision
            if step.sealed or step.secret:
                check_boxes(driver.machine, driver.asked[0], driver.own(driver.asked[0]))
                left.discard(step.name)
            legal = driver.legal(driver.asked[0])
            driver.give(driver.asked[0], legal[choices.below(len(legal))])
    assert not left, f"never reached: {left}"


@dataclass(frozen=True, slots=True)
class Say(Order):
    word: str


def test_a_value_is_padded_to_the_least_size_that_holds_it() -> None:
    for value in (b"", b"x", b"x" * 62, b"x" * 63, b"\0" * 510):
        padded = pad(value)
        assert len(padded) == min(size for size in PADDED if size >= len(value) + 2)
        assert unpad(padded) == value
    assert len(pad(b"x" * 511, PADDED[-1])) == 1_024
    with pytest.raises(Refusal):
        pad(b"x" * 511)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"\0",
        b"left",
        pad(b"left")[:-1],
        pad(b"left") + b"\0",
        pad(b"left")[:-1] + b"\1",
        pad(b"left").ljust(128, b"\0"),
        b"\0\x3f" + pad(b"left")[2:],
        b"\xff\xff" + bytes(62),
        (b"\0\x3e" + bytes(62)).ljust(128, b"\0"),
    ],
)
def test_another_padding_is_none(wrong: bytes) -> None:
    assert unpad(wrong) is None


def test_names_of_unlike_length_fill_the_same_box() -> None:
    kinds = OrderKinds((Say,))
    assert len(pad(kinds.pack(Say("no")))) == len(pad(kinds.pack(Say("certainly not"))))
