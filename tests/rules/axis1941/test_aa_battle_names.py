"""How losses are named, and which names and numbers there are (AA-6.29); who can hit whom (AA-6.28)."""

from __future__ import annotations

import pytest

from pbem_rules.axis1941.chart import DATA, chart_of
from pbem_rules.axis1941.hits import INDEX, LOSSES, SIZE, Shot, can_hit, effective, hits_of
from pbem_rules.axis1941.tolls import BY_SEA, MOST, PLAIN, Toll, Tolls, is_toll, toll_of
from pbem_rules.axis1941.units import KINDS, POWERS, Power


def test_aa_6_9_6_29_how_losses_are_named() -> None:
    """By kind; where it matters by power, by number, or by the way it came: and nothing else is a loss."""
    words = Tolls()
    for toll, word in (
        (Toll(LOSSES.index("infantry")), "infantry"),
        (Toll(LOSSES.index("damage")), "damage"),
        (Toll(LOSSES.index("infantry"), None, BY_SEA), "infantry-sea"),
        (Toll(LOSSES.index("tank"), Power.UK, BY_SEA), "tank-uk-sea"),
        (Toll(LOSSES.index("fighter"), Power.USA), "fighter-usa"),
        (Toll(LOSSES.index("fighter"), Power.USSR), "fighter-ussr"),
        (Toll(LOSSES.index("transport"), None, 2), "transport-2"),
        (Toll(LOSSES.index("transport"), Power.JAPAN, 1), "transport-japan-1"),
        (Toll(LOSSES.index("carrier"), Power.USA, 999), "carrier-usa-999"),
    ):
        assert toll.word == word
        assert words.word(toll.code) == word
        assert words.value(word) == toll.code
        assert toll_of(toll.code) == toll
        assert is_toll(word)
    for wrong in (
        "", "cruiser", "infantry-", "infantry-2", "infantry-1", "fighter-sea", "fighter-1", "bomber-sea", "transport-0",
        "transport-sea", "transport-01", "transport-1000", "transport-x", "transport-2-uk", "infantry-sea-uk",
        "infantry-uk-uk", "infantry-uk-sea-1", "transport-uk-2-3", "carrier-²", "destroyer-1", "damage-1",
        "submarine-usa-2", "tank-sea-sea", "transport-02", "transport-+2", "transport- 2", "transport-1_0",
        "carrier-1000000",
    ):  # fmt: skip
        assert not is_toll(wrong), wrong
        with pytest.raises(ValueError):
            words.value(wrong)
    # Numbers: the places in the list of losses, then whose, then which.
    assert [toll.code for toll in PLAIN] == list(range(SIZE))
    assert Toll(0, POWERS[0]).code == SIZE
    assert Toll(1, POWERS[-1]).code == SIZE * len(POWERS) + 1
    assert Toll(0, None, BY_SEA).code == SIZE * (len(POWERS) + 1)
    end = SIZE * (len(POWERS) + 1) * (MOST + 1)
    assert [toll_of(code) for code in (-1, end, end + 1)] == [None] * 3
    last = toll_of(end - SIZE + LOSSES.index("carrier"))
    assert last == Toll(LOSSES.index("carrier"), POWERS[-1], MOST)
    found = [toll_of(code) for code in range(SIZE * (len(POWERS) + 1) * 3)]
    numbered = {(LOSSES[toll.loss], toll.number) for toll in found if toll is not None and toll.number}
    assert numbered == {
        ("infantry", 1), ("tank", 1), ("transport", 1), ("transport", 2), ("carrier", 1), ("carrier", 2),
    }  # fmt: skip
    assert all(toll is None or toll.code == code for code, toll in enumerate(found))
    assert words.word(-1) == "?-1"


def test_aa_6_28_6_30_6_31_who_can_hit_whom() -> None:
    """Submarines no aircraft, aircraft no submarines without a destroyer, transports nobody."""
    guns = chart_of(DATA).guns
    place = {str(kind): INDEX[kind] for kind in KINDS}

    def force(text: str) -> list[int]:
        return [sum(place[word] == slot for word in text.split()) for slot in range(SIZE)]

    for own, enemy, attacking, defending in (
        ("transport", "destroyer", False, False),
        ("transport destroyer", "destroyer", True, True),
        ("submarine", "fighter", False, False),
        ("submarine", "fighter carrier", True, True),
        ("submarine", "submarine", True, True),
        ("fighter", "submarine", False, False),
        ("fighter transport", "submarine", False, False),
        ("fighter destroyer", "submarine", True, True),
        ("fighter", "submarine transport", True, True),
        ("fighter submarine", "submarine", True, True),
        ("battleship", "submarine", True, True),
        ("battleship", "", False, False),
        ("infantry", "fighter", True, True),
        ("bomber", "infantry", True, True),
    ):
        assert can_hit(force(own), guns.attack, force(enemy)) is attacking, (own, enemy)
        assert can_hit(force(own), guns.defence, force(enemy)) is defending, (own, enemy)
    volley = (Shot(place["submarine"], 2, 1), Shot(place["fighter"], 3, 2), Shot(place["tank"], 3, 1))
    assert hits_of(volley, (2, 3, 4, 3)) == [1, 1, 1]
    assert hits_of(volley, (3, 4, 3, 4)) == [0, 1, 0]
    for own, enemy, pips in (("fighter", "submarine", 0), ("fighter destroyer", "submarine", 5), ("tank", "tank", 3)):
        assert effective(force(own), guns.attack, force(enemy)) == pips, (own, enemy)
