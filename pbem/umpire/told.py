"""Entries of the journal as sentences. Nobody's address is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.protocol.card import parse_card
from pbem.umpire.db.journal import Entry

Names = Mapping[int, str]
"""Entrants by number."""
Labels = Mapping[int, str]
"""Pairings by id."""


_SENTENCES: Final[Mapping[str, str]] = {
    "created": "The tournament {name} was created.",
    "entered": "Entered: {cards}.",
    "withdrawn": "{who} withdrew{because}.",
    "returned": "{who} plays again{because}.",
    "replaced": "{who} has another card{because}.",
    "paired": "Round {round} was paired.",
    "adjusted": "Round {round} was changed by hand{because}.",
    "published": "Round {round} was called.",
    "completed": "Round {round} is complete.",
    "ended": "The tournament is over.",
    "wanted": "{game}: wanted is {what}.",
    "taken": "Act {act} was taken.",
    "released": "Act {act} is wanted again.",
    "done": "Act {act} was done: {outcome}.",
    "failed": "Act {act} failed: {outcome}.",
    "dropped": "Act {act} was dropped: {outcome}.",
    "called": "{game}: its players were called.",
    "closed": "{game}: its call was taken back, and its players are told{because}.",
    "answered": "{game}: {who} {says} the call{because}.",
    "offered": "{game}: an offer has come, {called}.",
    "begun": "{game}: an offer has come, {called}.",
    "read": "{game}: {seen}.",
    "flagged": "{game}: the flag of {who} fell.",
    "result": "{game}: {score} ({how}), {text}{stands}.",
    "reopened": "{game}: the result was taken back{because}.",
    "archived": "{game}: archive kept, {size:,} bytes.",
    "audited": "{game}: {found}.",
    "anomaly": "{game}: {text}",
    "rated": "Ratings after round {round}.",
    "noted": "A remark: {text}",
}


def sentence(entry: Entry, names: Names, labels: Labels) -> str:
    data: dict[str, Any] = dict(entry.data)
    why = data.get("why")
    fields = {
        **data,
        "because": f": {why.rstrip('.')}" if why else "",
        "game": f"Game {labels.get(data.get('pairing') or 0, data.get('pairing'))}",
        "who": _who(names, data.get("entrant")),
    }
    more = _MORE.get(entry.kind)
    if more is not None:
        fields |= more(data, names)
    return _SENTENCES.get(entry.kind, entry.kind).format_map(fields)


def _who(names: Names, number: int | None) -> str:
    return "the umpire" if number == 0 else names.get(number or 0, f"entrant {number}")


def _entered(data: Mapping[str, Any], _: Names) -> dict[str, str]:
    return {"cards": ", ".join(parse_card(raw).name for _, raw, _, _ in data["entrants"])}


def _wanted(data: Mapping[str, Any], names: Names) -> dict[str, str]:
    inner = data["data"]
    if data["kind"] == "rule":
        about = f" for {_who(names, inner['entrant'])}" if inner.get("entrant") else ""
        return {"what": f"{inner['what']}{about}: {inner.get('why', '')}"}
    if data["kind"] == "remind":
        return {"what": f"a reminder to {' and '.join(_who(names, each) for each in inner['entrants'])}"}
    return {"what": f"a {data['kind']}"}


def _read(data: Mapping[str, Any], names: Names) -> dict[str, str]:
    parts = [
        f"{len(rows)} {word}{'' if len(rows) == 1 else 's'}"
        for rows, word in ((data["moves"], "answer"), (data["extensions"], "extension"))
        if rows
    ]
    owing = sorted({_who(names, entrant) for entrant, _, _, _ in data["owed"]})
    return {"seen": ", ".join([*parts, f"{' and '.join(owing)} to answer" if owing else "nobody owes anything"])}


def _result(data: Mapping[str, Any], _: Names) -> dict[str, str]:
    score = f"{half(data['first_points'])}-{half(data['second_points'])}"
    return {"score": score, "stands": "" if data["decided"] else " (until the audit)"}


def half(points: int) -> str:
    """`1½`: half points as people write them."""
    whole, rest = divmod(points, 2)
    return f"{whole or ''}½" if rest else str(whole)


_MORE: Final[Mapping[str, Callable[[Mapping[str, Any], Names], dict[str, str]]]] = {
    "answered": lambda data, _: {"says": "accepts" if data["yes"] else "declines"},
    "audited": lambda data, _: {"found": "all of it checks" if data["ok"] else "the audit found a fault"},
    "begun": lambda data, _: {"called": data["game"]},
    "offered": lambda data, _: {"called": data["game"]},
    "entered": _entered,
    "read": _read,
    "result": _result,
    "wanted": _wanted,
}
