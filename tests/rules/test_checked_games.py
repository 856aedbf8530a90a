"""Every installed game under the author's own check."""

from __future__ import annotations

import pytest

from pbem.engine.registry import find, names
from pbem.engine.testing import check_game
from pbem.pictures.board import board_svg


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_no_mistake_is_found(name):
    report = check_game(find(name), seed="tests", games=1, seconds=20, draw=board_svg)
    assert report.findings == []
    assert report.orders > 50
    assert report.strict
