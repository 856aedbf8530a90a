"""Entries of the journal as sentences. Nobody's address is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.engine.counts import all_of, many, moment
from pbem.protocol.card import parse_card
from pbem.umpire.db.deskrows import Entry
from pbem.umpire.pairing.pairs import half

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
    "published": "Round {round} was published: its games are offered.",
    "completed": "Round {round} is complete.",
    "ended": "The tournament is over.",
    "wanted": "{game}, new task: {what}.",
    "taken": "Task {act} was begun.",
    "released": "Task {act} will be tried again.",
    "done": "Task {act} was done: {outcome}.",
    "failed": "Task {act} failed: {outcome}.",
    "dropped": "Task {act} was cancelled: {outcome}.",
    "offered": "{game} was offered to its players ({called}).",
    "closed": "{game}: its offer was withdrawn, and its players are informed{because}.",
    "answered": "{game}: {who} {says} the offer{because}.",
    "read": "{game}: {seen}{delivered}.",
    "held": "{waiting}",
    "flagged": "{game}: {who}'s time ran out.",
    "result": "{game}: {score} ({how}), {text}{stands}.",
    "reopened": "{game}: the result was taken back{because}.",
    "archived": "{game}: its archive was stored, {size:,} bytes.",
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
        return {"what": f"{inner['what']}{about}: {inner.get('why', '').rstrip('.')}"}
    if data["kind"] == "remind":
        return {"what": f"a reminder to {all_of(_who(names, each) for each in inner['entrants'])}"}
    return {"what": f"an {data['kind']}"}


def _read(data: Mapping[str, Any], names: Names) -> dict[str, str]:
    parts = [
        many(len(rows), word) for rows, word in ((data["moves"], "answer"), (data["extensions"], "extension")) if rows
    ]
    owing = sorted({_who(names, entrant) for entrant, *_ in data["owed"]})
    rest = f"waiting for {all_of(owing)}" if owing else "waiting for nobody"
    return {"seen": ", ".join([*parts, rest]), "delivered": _delivered(data["owed"], names)}


def _delivered(owed: Any, names: Names) -> str:
    """When each question was delivered, and how: the umpire's own statement."""
    found = [
        f"{_who(names, entrant)} was asked ({what}) at {moment(since)}: {said}"
        for entrant, what, _, since, _, said in owed
        if entrant and since
    ]
    found += [
        f"{_who(names, entrant)} has not been reached yet{f' ({said})' if said else ''}"
        for entrant, _, _, since, _, said in owed
        if entrant and not since
    ]
    return f" ({'; '.join(found)})" if found else ""


def _result(data: Mapping[str, Any], _: Names) -> dict[str, str]:
    score = f"{half(data['first_points'])}-{half(data['second_points'])}"
    return {"score": score, "stands": "" if data["decided"] else " (provisional)"}


def held(count: int, since: int, why: str) -> str:
    """What is said of the desk's mails that wait."""
    if not count:
        return "All mails of the desk have left."
    mails = f"{many(count, 'mail')} of the desk {'waits' if count == 1 else 'wait'}"
    why = why.rstrip(".")
    return f"{mails} since {moment(since)}{f': {why}' if why else ''}. No clock runs for a question that has not left."


_MORE: Final[Mapping[str, Callable[[Mapping[str, Any], Names], dict[str, str]]]] = {
    "answered": lambda data, _: {"says": "accepts" if data["yes"] else "declines"},
    "audited": lambda data, _: {"found": "everything verifies" if data["ok"] else "the audit found a fault"},
    "offered": lambda data, _: {"called": data["game"]},
    "entered": _entered,
    "held": lambda data, _: {"waiting": held(data["count"], data["since"], data["why"])},
    "read": _read,
    "result": _result,
    "wanted": _wanted,
}
