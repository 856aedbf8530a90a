"""What files that are bad in form may cost; `make bombs` measures all of them."""

from __future__ import annotations

import pytest

from tools.bombs import BOMBS, COMMANDS, MEMORY, QUICK, SECONDS, measure


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", QUICK)
def test_a_bomb_is_refused_within_the_bar(name, command):
    cost = measure(name, command, BOMBS[name]())
    assert cost.within, f"{cost.seconds:.1f} s of {SECONDS}, {cost.memory >> 20} MiB of {MEMORY >> 20}: {cost.said}"
