"""A turn as a page: what happened, in prose and on the map, battles with their dice, what changed, what is owed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.scene import HexGround, Scene
from pbem.pictures.differences import changes
from pbem.pictures.page import Page


@dataclass(frozen=True, slots=True)
class Turn:
    """`before` and `after` are seen by the same seats; `parts`: what each side's turn brought, in lines."""

    title: str
    before: Scene | None
    after: Scene
    parts: tuple[tuple[str, ...], ...]


def report_page(turn: Turn, owed: Sequence[str] = (), look: str = "auto") -> str:
    made = Page(turn.after)
    made.heading(turn.title)
    if owed:
        made.parts.append('<section class="owed">')
        made.text("h2", "What is owed")
        made.listing(owed)
        made.parts.append("</section>")
    if isinstance(turn.after.ground, HexGround) and turn.after.ground.levels:
        made.windows()
    else:
        made.map()
    made.parts.append('<div class="columns">')
    told = [lines for lines in turn.parts if lines]
    _section(made, "What happened")
    if not told:
        made.text("p", "Nothing that can be told.")
    for first, *rest in told:
        if len(told) > 1 or not rest:  # a single part is called so in the title
            made.text("h3", first.rstrip("."))
        made.listing(rest)
    made.parts.append("</section>")
    if turn.after.battles:
        _section(made, "Battles")
        made.battles()
        made.parts.append("</section>")
    different = changes(turn.before, turn.after) if turn.before is not None else ()
    if different:
        _section(made, "What changed")
        for side in dict.fromkeys(each.side for each in different):
            made.text("h3", side)
            made.listing([_capital(each.what) for each in different if each.side == side])
        made.parts.append("</section>")
    made.parts.append("</div>")
    made.panels()
    made.foot()
    return made.finish(turn.title, look)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _section(made: Page, title: str) -> None:
    made.parts.append("<section>")
    made.text("h2", title)
