"""What a game names is loaded when it is first used, and no sooner."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from pbem.engine.definition import later, loader

PROBE = """
import sys
from pbem.engine.registry import find
game = find("bridgehead")
unwanted = [name for name in ("notation", "board", "report") if f"pbem_rules.bridgehead.{name}" in sys.modules]
assert not unwanted, unwanted
assert game.notation.write(game.notation.read("done")) == "done"
assert "pbem_rules.bridgehead.notation" in sys.modules
"""


def test_nothing_is_loaded_before_it_is_wanted() -> None:
    subprocess.run([sys.executable, "-c", PROBE], check=True)


def test_it_stands_for_a_function_and_for_an_object() -> None:
    assert later("fractions:Fraction")(1, 2).denominator == 2
    assert later("string:ascii_letters").startswith("abc")
    assert repr(later("string:digits")) == "later('string:digits')"


def test_a_loader_gives_the_thing_itself() -> None:
    assert loader("fractions:Fraction")() is Fraction


@pytest.mark.parametrize(("name", "error"), [("string:nothing", AttributeError), ("no_module:x", ModuleNotFoundError)])
def test_a_wrong_name_shows_at_the_first_use(name: str, error: type[Exception]) -> None:
    wanted = later(name)
    with pytest.raises(error):
        wanted()
