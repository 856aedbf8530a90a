"""A case as `pbem verify` shows it: what the umpire states, as JSON and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.cli.out import say, say_table
from pbem.cli.show import when
from pbem.cli.text import clean, plural
from pbem.protocol.record import UMPIRE
from pbem.protocol.words import fingerprint
from pbem.table.naming import span
from pbem.umpire.case import archive_part, check_case

if TYPE_CHECKING:
    from pbem.cli.archivefile import ArchiveFile
    from pbem.protocol.container import Item
    from pbem.umpire.case import Judged


class ArchivePart:
    """The items of a case that are judged as an archive."""

    def __init__(self, items: ArchiveFile) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        return archive_part(self._items)


def judged(items: ArchiveFile) -> dict[str, Any]:
    """The case as JSON, if it holds; else a Refusal."""
    return case_json(check_case(items))


def case_json(found: Judged) -> dict[str, Any]:
    said = found.case.said
    place, mirror = said.label[1:]
    board = (place + 2 - mirror) // 2 if mirror else place  # the two games of a mirrored pair have a number each
    names = {each.by: each.name for each in said.players} | {UMPIRE: "the umpire"}
    return {
        "at": said.at,
        "clock": dict(said.clock),
        "clocks": [each._asdict() | {"name": names.get(each.by, "")} for each in said.clocks],
        "extensions": [_row(each, names) for each in said.extensions],
        "flags": [_row(each, names) for each in said.flags],
        "game": said.game.hex() if said.game else None,
        "head": {"hash": said.head[1].hex(), "seq": said.head[0]},
        "id": found.case.id.hex(),
        "journal": [each._asdict() | {"hash": each.hash.hex()} for each in said.journal],
        "label": f"{said.label[0]}.{board}{('', 'a', 'b')[mirror]}",
        "ledger": [_row(each, names) for each in said.answered],
        "odd": [each._asdict() | {"name": names.get(each.by, "") if each.by is not None else ""} for each in said.odd],
        "offer": said.offer.hex(),
        "owed": [each._asdict() | {"name": names.get(each.by, "")} for each in said.owed],
        "players": [each._asdict() | {"identity": each.identity.hex()} for each in said.players],
        "records": found.records,
        "result": said.result._asdict(),
        "rulings": [
            {"at": each.at, "record": each.record.hex(), "what": each.what, "why": found.reasons[each.record]}
            for each in said.rulings
        ],
        "title": said.title,
        "tournament": said.tournament.hex(),
        "twins": [each.hex() for each in said.twins],
        "umpire": said.umpire.hex(),
    }


def _row(each: Any, names: dict[int, str]) -> dict[str, Any]:
    fields = {key: value.hex() if isinstance(value, bytes) else value for key, value in each._asdict().items()}
    return fields | {"name": names.get(each.by, "")}


def say_case(case: dict[str, Any]) -> None:
    """What the umpire states, before the verdict on the records."""
    names = " v ".join(clean(each["name"]) for each in case["players"])
    say(f"Case of game {case['label']} of {clean(case['title'])}: {names}.", style="bold")
    say(
        f"Signed on {when(case['at'])} by the game's umpire, fingerprint {fingerprint(bytes.fromhex(case['umpire']))}. "
        f"Every row of it names a record of this file. Times of asking and answering are the umpire's word.",
        style="good",
    )
    say(f"Result according to the umpire: {_result(case['result'])}.")
    if case["ledger"]:
        say_table(
            [
                ("who", "what", "asked", "answered", "signed", "charged", "record"),
                *(
                    (
                        clean(each["name"]), each["what"], when(each["asked_at"]), when(each["answered_at"]),
                        when(each["signed_at"]), f"{each['charged']} s", each["record"][:16],
                    )
                    for each in case["ledger"]
                ),
            ]
        )  # fmt: skip
    for each in case["owed"]:
        since = f" since {when(each['since'])}" if each["since"] else ""
        say(f"Owed: {clean(each['name'])}, {each['what']}{since}.")
    for each in case["clocks"]:
        flag = f", flag fell on {when(each['fell_at'])}" if each["fell_at"] is not None else ""
        say(f"Clock of {clean(each['name'])}: {span(each['used'])} of the bank used, {span(each['left'])} left{flag}.")
    for each in case["extensions"]:
        say(f"Extension: {span(each['seconds'])} for {clean(each['name'])}, record {each['record'][:16]}.")
    for each in case["flags"]:
        say(f"Flag: {clean(each['name'])}, fell on {when(each['fell_at'])}, seen on {when(each['seen_at'])}.")
    for each in case["rulings"]:
        why = f" Reason: {clean(each['why'])}." if each["why"] else ""
        say(f"Ruling: {each['what']} on {when(each['at'])}, record {each['record'][:16]}.{why}")
    for each in case["odd"]:
        say(f"Odd (weight {each['weight']}): {clean(each['text'])}")
    for each in case["journal"]:
        say(f"Journal {each['seq']}, {when(each['at'])}, {clean(each['actor'])}: {clean(each['text'])}", style="dim")
    for each in case["twins"]:
        say(f"The umpire has started another game for this board: {each[:16]}.", style="bad")
    say(f"With it: {plural(case['records'], 'record')} of the game.")


def _result(result: dict[str, Any]) -> str:
    if result["first"] is None and result["second"] is None:
        return f"none, the game is {result['state']}"
    first, second = (_half(result[key]) for key in ("first", "second"))
    stands = "" if result["state"] == "decided" else ", which may still change"
    return f"{first}-{second} ({clean(result['how'])}){stands}: {clean(result['text'])}"


def _half(points: int | None) -> str:
    return "-" if points is None else {0: "0", 1: "½", 2: "1"}[points]
