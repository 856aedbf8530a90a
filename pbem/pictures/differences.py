"""The differences between two scenes of one game: losses, new units, steps, places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from pbem.kit.scene import AreaGround, Piece, Scene


class Change(NamedTuple):
    """A change on a side, in words that stand alone."""

    side: str  # its name
    what: str


def place_name(scene: Scene, place: int) -> str:
    if isinstance(scene.ground, AreaGround):
        spot = scene.ground.spots[place]
        ordered = scene.keys.get(place, "").partition(":")[2]  # `SZ8`, of which the map shows the number alone
        return ordered if spot.sea and ordered else spot.name
    return str(scene.ground.map.board[place])


def _standing(scene: Scene) -> dict[tuple[str, str], tuple[int, int]]:
    """Who is on the map: how many, and how many steps, by side and name."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for pieces in scene.stacks.values():
        for piece in pieces:
            key = (piece.side, _name(piece))
            many, steps = found.get(key, (0, 0))
            found[key] = (many + piece.many, steps + piece.many * piece.steps)
    return found


def _name(piece: Piece) -> str:
    """`2nd Army (2)`, `Hussars (armour, B7)`; units without codes of their own are counted.

    A code with which a name begins, as in `11 GdT (tank brigade)`, is not said again.
    """
    if not piece.code or not piece.name:
        return piece.name or piece.code or piece.symbol
    if not piece.name.endswith(")"):
        return f"{piece.name} ({piece.code})"
    begins = piece.name.partition("(")[0].replace(" ", "") == piece.code.replace(" ", "")
    return piece.name if begins else f"{piece.name[:-1]}, {piece.code})"


def _counted(many: int, name: str) -> str:
    """`2 tanks`; infantry stays infantry."""
    return f"{many} {name}" if many == 1 or name.endswith(("ry", ")")) else f"{many} {name}s"


def changes(before: Scene, after: Scene) -> tuple[Change, ...]:
    return tuple(_changes(before, after))


def _changes(before: Scene, after: Scene) -> Iterator[Change]:
    was, now = _standing(before), _standing(after)
    names = {side.key: side.name for side in after.sides}
    for side, title in names.items():
        gone, come, worn, whole = [], [], [], []
        for key in sorted(was.keys() | now.keys()):
            if key[0] != side:
                continue
            (many, steps), (more, left) = was.get(key, (0, 0)), now.get(key, (0, 0))
            told = key[1] if key[1].endswith(")") else _counted(abs(more - many), key[1])
            if more < many:
                gone.append(told)
            elif more > many:
                come.append(told)
            elif left < steps:
                worn.append(key[1])
            elif left > steps:
                whole.append(key[1])
        for what, held in (("off the map", gone), ("weaker", worn), ("onto the map", come), ("stronger", whole)):
            if held:
                yield Change(title, f"{what}: {', '.join(held)}")
    taken: dict[str, list[str]] = {}
    shown = before.ground.spots.keys() if isinstance(before.ground, AreaGround) else before.ground.goals.keys()
    for place in shown:
        holder = after.control.get(place, "")
        if holder in names and holder != before.control.get(place, holder):
            taken.setdefault(names[holder], []).append(place_name(after, place))
    for title, places in taken.items():
        yield Change(title, f"takes {', '.join(places)}")
    yield from cards_changed(before, after)


def cards_changed(before: Scene | None, after: Scene | None) -> Iterator[Change]:
    """Those that can be seen in hands, by the title of the panel."""
    if before is None or after is None:
        return
    had, has = _cards(before), _cards(after)
    for title in sorted(had.keys() | has.keys()):
        for what, cards in (("no longer there", had[title] - has[title]), ("new", has[title] - had[title])):
            if cards:
                yield Change(title, f"{what}: {', '.join(sorted(cards.elements()))}")


def _cards(scene: Scene) -> defaultdict[str, Counter[str]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for panel in scene.panels:
        found[panel.title].update(row.text.partition(":")[0] for row in panel.rows if row.key.startswith("c:"))
    return found
