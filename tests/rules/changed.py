"""A game's data with one file changed: what its chart must refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pbem.game import DataSet

Page = dict[str, Any]
Change = Callable[[Page], None]


def changed(data: DataSet, files: Iterable[str], name: str, change: Change) -> DataSet:
    """The data of a game, in which the file of that name is another."""
    pages = {kind: data[kind] for kind in files}
    page = dict(pages[name])
    change(page)
    return DataSet(lambda: pages | {name: page})


def replaced(key: str, chosen: Callable[[Page], bool], /, **values: object) -> Change:
    """In the list `key`, some items get other values."""

    def change(page: Page) -> None:
        page[key] = [{**item, **values} if chosen(item) else item for item in page[key]]

    return change


def dropped(key: str, chosen: Callable[[Page], bool]) -> Change:
    """In the list `key`, some items are missing."""

    def change(page: Page) -> None:
        page[key] = [item for item in page[key] if not chosen(item)]

    return change


def table(name: str, **values: object) -> Change:
    return replaced("tables", lambda item: item["name"] == name, **values)
