"""Every installed game under the author's own check."""

from __future__ import annotations

import pytest

from pbem.engine.registry import find, names
from pbem.engine.testing import check_game
from pbem.pictures.picture import board_svg


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_no_mistake_is_found(name, seed, whole):
    orders = 240 if whole else 24  # of each game
    print(f"check_game(find({name!r}), seed={seed!r}, games=2, orders={orders}, sample=20)")
    report = check_game(find(name), seed=seed, games=2, orders=orders, sample=20, draw=board_svg)
    assert report.findings == []
    assert report.strict
    assert report.replayed == report.games > 2
