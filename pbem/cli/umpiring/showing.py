"""An archive checked and drawn for the site: what `pbem verify`, `pbem replay --html` and `pbem dice` show of it."""

from __future__ import annotations

from typing import Any

from pbem.cli.archivefile import ArchiveFile
from pbem.cli.replaypage import facts_of, telling
from pbem.cli.stepping import Playback
from pbem.cli.verifying import judge_items
from pbem.protocol.record import UMPIRE
from pbem.umpire.site.archived import Dice, Links, Ruling, Shown, Told
from pbem.umpire.site.hide import Hide


def show(raw: bytes, hide: Hide, links: Links = ()) -> Shown:
    """As everybody may know it. Nothing is drawn of what does not check."""
    from pbem.pictures.replayhtml import replay_page
    from pbem.pictures.replaysteps import steps
    from pbem.table.throws import owners, read

    archive = ArchiveFile("archive", held=raw)
    document: dict[str, Any] = hide.all(judge_items(archive))
    if not document["ok"] or document["game"] is None:
        return _counted(document)
    playback = Playback(archive)
    tell = telling(playback, archive)
    made = list(steps(playback.replay, told=lambda record: [hide(line) for line in tell(record)]))
    genesis, draws = read(archive)
    told: list[Told] = []
    for each in made:
        if each.lines:
            told.append(Told(each.part, each.lines))
    return _counted(
        document,
        rulings=tuple(
            Ruling(each["what"], tuple(who["by"] for who in each["players"]), each["why"], bool(each["holds"]))
            for each in document["changes"]
        ),
        draws=tuple(
            Dice(
                each.drawn.label,
                each.drawn.sides,
                each.drawn.results,
                of[0] if len(of) == 1 and of[0] < UMPIRE else None,
            )
            for each in draws
            for of in (owners(genesis, each),)
        ),
        steps=len(made),
        page=replay_page(made, facts_of(playback, document, ())._replace(links=tuple(links)), "auto"),
        told=tuple(told),
    )


def _counted(document: dict[str, Any], **more: Any) -> Shown:
    fault = document["desync"] or document["first_bad"]
    return Shown(
        ok=bool(document["ok"]) and document["game"] is not None,
        whole=bool(document["audited"]),
        fault="" if fault is None else f"{fault['code']}: {fault['sentence']}",
        state=document["state"] or "",
        records=document["records"],
        orders=document["orders"],
        dice=document["dice"],
        cards=document["cards"],
        **more,
    )
