"""Reading ahead changes nothing: every fault comes after all that lies before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.log import Log
from pbem.protocol.reading import ahead


def source(count: int) -> Iterator[Item]:
    for n in range(count):
        yield Item(ItemType.MESSAGE, bytes([n]))
    raise Refusal("E-CUT", "The file ends here.", step="FIL-1")


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 12, 13, 130])
def test_what_comes_before_a_fault_of_the_source_comes_first(count: int) -> None:
    got: list[object] = []
    with pytest.raises(Refusal, match="ends here"):
        got.extend(ahead(source(count), Log()))
    assert got == [Item(ItemType.MESSAGE, bytes([n])) for n in range(count)]


def test_a_record_that_is_none_stands_in_its_place() -> None:
    items = [Item(ItemType.MESSAGE, b"m"), Item(ItemType.RECORD, b"no record"), Item(ItemType.DRAWS, b"d")]
    before, fault, after = ahead(items, Log())
    assert (before, after) == (items[0], items[2])
    assert isinstance(fault, Refusal)
    assert fault.code == "E-FORM"
