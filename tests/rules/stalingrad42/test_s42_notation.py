"""What players may type, and what they are told if it cannot be read."""

from __future__ import annotations

import pytest
from s42_positions import position

from pbem.engine.notation import Context, NotationError
from pbem_rules.stalingrad42.notation import NOTATION
from pbem_rules.stalingrad42.orders import Done, GoBack

S = position(("9Pz", 1404), ("45RD", 3417))
TEXTS = NOTATION.with_texts([Done, GoBack])


def read(text: str) -> tuple[object, ...]:
    def legal() -> object:
        raise AssertionError("what can be read needs no list of legal orders")

    return TEXTS.parse(text, Context(S, None, "axis", legal))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "exact"),
    [
        ("move 9pz voronezh", ["move 9Pz 2503"]),
        ("move 9pz 3pz 1405-voronezh", ["move 9Pz 1405-2503", "move 3Pz 1405-2503"]),
        ("move 9pz,3pz 1405", ["move 9Pz 1405", "move 3Pz 1405"]),
        ("MOVE 45rd stary oskol", ["move 45RD 1806"]),
        ("extended 9PZ 1405 1406", ["extended 9Pz 1405-1406"]),
        ("tactical 45ID 1503", ["tactical 45ID 1503"]),
        ("withdraw 45rd", ["withdraw 45RD"]),
        ("withdraw 45rd to 3415", ["withdraw 45RD to 3415"]),
        ("withdraw 45RD to 3415 (Full Retreat)", ["withdraw 45RD to 3415"]),  # as lists show it
        ("withdraw 45rd 62rd 3415", ["withdraw 45RD to 3415", "withdraw 62RD to 3415"]),
        ("rail 45rd M", ["rail 45RD m"]),
        ("rail 45rd svobo", ["rail 45RD 2708"]),
        ("sail 76nb taganrog", ["sail 76NB 2634"]),
        ("transfer 45rd b", ["transfer 45RD b"]),
        ("exit 9pz 3pz m", ["exit 9Pz m", "exit 3Pz m"]),
        ("remove 45rd", ["remove 45RD"]),
        ("storm 3417 with 3pz 9pz", ["storm 3417 with 9Pz,3Pz"]),
        ("storm voronezh with 3pz,9pz lose 45rd", ["storm 2503 with 9Pz,3Pz lose 45RD"]),
        (
            "attack 3417 with 3pz 9pz at 2:1 break 9pz via svoboda 2709-2809 at 3:1 advance 3pz svoboda",
            ["attack 3417 with 9Pz,3Pz at 2:1 break 9Pz via 2708-2709-2809 odds 3:1 advance 3Pz,2708"],
        ),
        ("break 3pz 9pz via svoboda-2709 at 4:1", ["break 9Pz,3Pz via 2708-2709 odds 4:1"]),
        ("break 9pz via 2709", ["break 9Pz via 2709"]),
        ("spare 45rd 62rd", ["spare 45RD,62RD"]),
        ("lead 45rd", ["lead 45RD"]),
        ("support by 6a-hq", ["support by 6A-HQ"]),
        ("arrive 28tc 18RD o", ["arrive 28TC o", "arrive 18RD o"]),
        ("refit 6a", ["refit 6A-HQ"]),
        ("turn sup-a1 sup-a2 Ready", ["turn Sup-A1 ready", "turn Sup-A2 ready"]),
        ("ready 6a with sup-a1", ["ready 6A-HQ with Sup-A1"]),
        ("fort stary oskol", ["fort 1806"]),
        ("bring Y", ["bring y"]),
        ("replace 9pz", ["replace 9Pz"]),
        ("replace 9pz 24pz by Tank", ["replace 9Pz by tank", "replace 24Pz by tank"]),
        ("replace 45rd in stary oskol by special", ["replace 45RD in 1806 by special"]),
        ("replace 45rd in M", ["replace 45RD in m"]),
        ("recall 9pz 11PZ", ["recall 9Pz", "recall 11Pz"]),
        ("weaken 3pz", ["weaken 3Pz"]),
        ("refill 16pzg", ["refill 16PzG"]),
        ("release ARMY5", ["release army5"]),
        ("offensive", ["offensive"]),
        ("offensive supplies sw-hq, bryansk", ["offensive supplies SW-HQ,Bryansk-HQ"]),
        ("offensive plans sw", ["offensive plans SW-HQ"]),
        ("offensive supplies sw sw-hq plans sw south", ["offensive supplies SW-HQ,SW-HQ plans SW-HQ,South-HQ"]),
        ("move 9pz 1405; done", ["move 9Pz 1405", "done"]),
    ],
)
def test_what_is_typed(typed: str, exact: list[str]) -> None:
    assert [TEXTS.write(order) for order in read(typed)] == exact  # type: ignore[arg-type]


def test_s42_13_1_3c_lists_show_that_a_withdrawal_is_a_full_retreat() -> None:
    for typed in ("withdraw 45rd", "withdraw 45rd to 3415"):
        (order,) = read(typed)  # type: ignore[misc]
        shown = TEXTS.show(order)
        assert shown == f"{TEXTS.write(order)} (Full Retreat)"
        assert read(shown) == (order,)


@pytest.mark.parametrize("typed", ["move nobody 1405", "move 9pz nowhere", "storm 3417 with nobody", "rail 45rd 9999z"])
def test_what_cannot_be_read(typed: str) -> None:
    with pytest.raises(NotationError):
        read(typed)
