"""The evidence of a game, gathered by its umpire for a dispute (docs/spec/case.md).

A case is a file: first what the umpire says about the game, signed, which is here; then all that he has of it. What he
says is held against that by `casefile`; whether the records themselves are good is judged as for any archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from pbem.protocol import canonical, envelope
from pbem.protocol.canonical import Packable
from pbem.protocol.container import Item
from pbem.protocol.digest import be8, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.limits import (
    MAX_ACTOR,
    MAX_AT,
    MAX_CARD_NAME,
    MAX_CASE,
    MAX_INT,
    MAX_MEMBERS,
    MAX_ROUND,
    MAX_SECONDS,
    MAX_TITLE,
    MAX_WHY,
    TOURNAMENT,
)
from pbem.protocol.record import UMPIRE
from pbem.protocol.shapes import (
    CLOCK,
    ID,
    NAME,
    PLAYER,
    Shape,
    array,
    binary,
    boolean,
    fields,
    integer,
    line,
    lines,
    or_nil,
    row,
    word,
)


class Party(NamedTuple):
    by: int
    entrant: int
    """His number in the tournament."""
    identity: bytes
    name: str


class Answered(NamedTuple):
    """A row of the ledger. Asked and answered as it came through the umpire's hands; signed as the record says."""

    by: int
    what: str
    asked_at: int
    answered_at: int
    signed_at: int
    charged: int
    record: bytes


class Owes(NamedTuple):
    by: int
    what: str
    since: int
    automatic: bool


class Clock(NamedTuple):
    """A player's clock at the time of the statement."""

    by: int
    used: int
    left: int
    flag_at: int | None
    """When it falls if nothing more is answered."""
    fell_at: int | None


class Extension(NamedTuple):
    by: int
    seconds: int
    at: int
    record: bytes


class Flag(NamedTuple):
    by: int
    fell_at: int
    seen_at: int


class Ruled(NamedTuple):
    """A ruling of the umpire's own; its reason stands in the record."""

    what: str
    at: int
    record: bytes


class Odd(NamedTuple):
    by: int | None
    kind: str
    weight: int
    at: int
    text: str


class Noted(NamedTuple):
    """An entry of the desk's journal about this game."""

    seq: int
    at: int
    actor: str
    kind: str
    hash: bytes
    text: str


class Result(NamedTuple):
    """As it stands; points are half points of the first and the second player."""

    state: str
    how: str
    first: int | None
    second: int | None
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What an umpire says about a game. `evidence`, of all that is with it, is filled in when it is signed."""

    at: int
    umpire: bytes
    tournament: bytes
    title: str
    label: tuple[int, int, int]
    """Round, board, and which of a mirrored pair."""
    players: tuple[Party, ...]
    clock: Mapping[str, int]
    result: Result
    offer: bytes
    game: bytes | None = None
    """None: it has not started."""
    twins: tuple[bytes, ...] = ()
    """Other games for the same board that this umpire has started."""
    answered: tuple[Answered, ...] = ()
    owed: tuple[Owes, ...] = ()
    clocks: tuple[Clock, ...] = ()
    extensions: tuple[Extension, ...] = ()
    flags: tuple[Flag, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    odd: tuple[Odd, ...] = ()
    journal: tuple[Noted, ...] = ()
    head: tuple[int, bytes] = (0, bytes(32))
    """The last entry of the whole journal: number and hash."""


@dataclass(frozen=True, slots=True)
class Case:
    """A statement whose form is good; `casefile.check_case` holds it against what is with it."""

    raw: bytes = field(repr=False)
    id: bytes = field(compare=False)
    said: Statement = field(compare=False)
    evidence: bytes = field(compare=False, repr=False)
    signature: bytes = field(compare=False, repr=False)


NOTHING = bytes(32)
_AT = integer(0, MAX_AT)
_AUTHOR = integer(0, UMPIRE)
_COUNT = integer(0, MAX_INT)
_POINTS = or_nil(integer(0, 2))
_LONG = MAX_MEMBERS
_SHORT = 256
_STATE = word("offered|playing|over|decided", "one of: offered, playing, over, decided")
_ROWS: dict[str, tuple[type[Any], Shape]] = {
    "answered": (Answered, array(row(PLAYER, NAME, _AT, _AT, _AT, _COUNT, ID), 0, _LONG)),
    "clocks": (Clock, array(row(PLAYER, _COUNT, _COUNT, or_nil(_COUNT), or_nil(_AT)), 0, _SHORT)),
    "extensions": (Extension, array(row(PLAYER, integer(0, MAX_SECONDS), _AT, ID), 0, _SHORT)),
    "flags": (Flag, array(row(PLAYER, _AT, _AT), 0, _SHORT)),
    "journal": (Noted, array(row(_COUNT, _AT, line(0, MAX_ACTOR), NAME, ID, lines(MAX_WHY)), 0, _LONG)),
    "odd": (Odd, array(row(or_nil(PLAYER), NAME, integer(0, 9), _AT, lines(MAX_WHY)), 0, _SHORT)),
    "owed": (Owes, array(row(_AUTHOR, NAME, _AT, boolean), 0, _SHORT)),
    "players": (Party, array(row(PLAYER, integer(1, MAX_ROUND), ID, line(1, MAX_CARD_NAME)), 1, 5)),
    "rulings": (Ruled, array(row(NAME, _AT, ID), 0, _SHORT)),
}
_CASE = fields(
    {
        "at": _AT,
        "clock": CLOCK,
        "evidence": ID,
        "game": or_nil(ID),
        "head": row(_COUNT, ID),
        "kind": word("case", "`case`"),
        "label": row(integer(1, MAX_ROUND), integer(1, MAX_ROUND), integer(0, 2)),
        "offer": ID,
        "result": row(_STATE, line(0, 16), _POINTS, _POINTS, _AT, lines(MAX_WHY)),
        "tournament": fields({"key": binary(TOURNAMENT), "title": line(1, MAX_TITLE)}),
        "twins": array(ID, 0, _SHORT),
        "umpire": ID,
        "v": integer(1, 1),
        **{name: shape for name, (_, shape) in _ROWS.items()},
    }
)


# Making


def make_case(keys: Keys, said: Statement, with_it: Iterable[Item]) -> Case:
    """CAS-1..3: signed over the statement and, by their digest, all items that go with it."""
    body: dict[str, Packable] = {
        "at": said.at,
        "clock": dict(said.clock),
        "evidence": evidence_of(with_it),
        "game": said.game,
        "head": list(said.head),
        "kind": "case",
        "label": list(said.label),
        "offer": said.offer,
        "result": list(said.result),
        "tournament": {"key": said.tournament, "title": said.title},
        "twins": list(said.twins),
        "umpire": said.umpire,
        "v": 1,
        **{name: [list(each) for each in getattr(said, name)] for name in _ROWS},
    }
    packed = canonical.pack(body)
    return parse_case(envelope.join(packed, keys.sign(tagged("pbem1/case", packed))))


def evidence_of(items: Iterable[Item]) -> bytes:
    """CAS-3: one digest of all items, in their order."""
    found = NOTHING
    for item in items:
        found = evidence_with(found, item)
    return found


def evidence_with(before: bytes, item: Item) -> bytes:
    """The digest with one item more."""
    return tagged("pbem1/evidence", before, be8(item.type), item.raw)


# Reading


def parse_case(raw: bytes) -> Case:
    """The statement in these bytes, or a Refusal (CAS-1, CAS-2). Its signature is judged beside its game."""
    if len(raw) > MAX_CASE:
        raise Refusal("E-LARGE", f"This case is {len(raw)} bytes long; at most {MAX_CASE} are allowed.", step="CAS-1")
    body, signature = envelope.split(raw, MAX_CASE, "case", "CAS-1")
    data: Any = canonical.unpack(body, MAX_CASE)
    version = data.get("v") if type(data) is dict else None
    if type(version) is int and version != 1:
        raise Refusal(
            "E-VERSION", "This case is of a version that this pbem does not know; a newer one may.", step="CAS-2"
        )
    try:
        _CASE(data, "case")
    except Refusal as refusal:
        code = "E-CASE" if refusal.code == "E-FORM" else refusal.code
        raise Refusal(code, refusal.sentence, step="CAS-2") from None
    return Case(raw, tagged("pbem1/case", body), _statement(data), data["evidence"], signature)


def _statement(data: Mapping[str, Any]) -> Statement:
    return Statement(
        at=data["at"],
        umpire=data["umpire"],
        tournament=data["tournament"]["key"],
        title=data["tournament"]["title"],
        label=cast("tuple[int, int, int]", tuple(data["label"])),
        clock=dict(data["clock"]),
        result=Result(*data["result"]),
        offer=data["offer"],
        game=data["game"],
        twins=tuple(data["twins"]),
        head=cast("tuple[int, bytes]", tuple(data["head"])),
        **{name: tuple(kind(*each) for each in data[name]) for name, (kind, _) in _ROWS.items()},
    )
