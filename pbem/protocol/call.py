"""A call: an umpire asks two or more players for a game of his tournament (docs/spec/call.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.protocol import canonical, envelope
from pbem.protocol.begin import Terms
from pbem.protocol.canonical import Packable
from pbem.protocol.card import Card, parse_card
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Offer, Rules, Seat, terms_fault
from pbem.protocol.keys import Keys, check_signature
from pbem.protocol.limits import (
    MAX_AT,
    MAX_CALL,
    MAX_CALL_ANSWER,
    MAX_PLAYERS,
    MAX_ROUND,
    MAX_TITLE,
    MAX_WHY,
    TOURNAMENT,
)
from pbem.protocol.record import UMPIRE
from pbem.protocol.shapes import (
    BEHAVIOUR,
    CARD,
    CLOCK,
    DECKS,
    ID,
    MODE,
    NAME,
    REPLACED,
    SEATS,
    Shape,
    array,
    binary,
    boolean,
    fields,
    integer,
    line,
    lines,
    options,
    word,
)

_NO_CODE = bytes(32)
_AT = integer(0, MAX_AT)
_CALL = fields(
    {
        "at": _AT,
        "board": integer(1, MAX_ROUND),
        "clock": CLOCK,
        "decks": DECKS,
        "expires": _AT,
        "kind": word("call", "`call`"),
        "mode": MODE,
        "options": options,
        "players": array(CARD, 2, MAX_PLAYERS),
        "replaced": REPLACED,
        "round": integer(1, MAX_ROUND),
        "rules": fields({"behaviour": BEHAVIOUR, "data": ID, "module": NAME}),
        "scenario": NAME,
        "seats": SEATS,
        "title": line(0, MAX_TITLE),
        "tournament": fields({"key": binary(TOURNAMENT), "title": line(1, MAX_TITLE)}),
        "umpire": CARD,
        "v": integer(1, 1),
    }
)
_ANSWER = fields(
    {
        "at": _AT,
        "by": integer(0, UMPIRE),
        "call": ID,
        "kind": word("answer", "`answer`"),
        "v": integer(1, 1),
        "why": lines(MAX_WHY),
        "yes": boolean,
    }
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose signature holds, and that asks for an offer that can be made."""

    raw: bytes = field(repr=False)
    id: bytes = field(compare=False)
    umpire: Card = field(compare=False)
    players: tuple[Card, ...] = field(compare=False)
    """By number; player 0 makes the offer."""
    tournament: bytes = field(compare=False)
    name: str = field(compare=False)
    """The tournament's title."""
    round: int = field(compare=False)
    board: int = field(compare=False)
    at: int = field(compare=False)
    expires: int = field(compare=False)
    """Until when it may be accepted."""
    terms: Terms = field(compare=False)
    """What the offer has to say. Version and digest of the code are left to whoever makes it."""

    def number_of(self, identity: bytes) -> int | None:
        """The number that this person is called as."""
        return next((n for n, card in enumerate(self.players) if card.identity == identity), None)


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a player says to a call, or its umpire, who takes it back; `check_answer` says whether it is he who says
    it."""

    raw: bytes = field(repr=False)
    id: bytes = field(compare=False)
    call: bytes = field(compare=False)
    by: int = field(compare=False)
    yes: bool = field(compare=False)
    why: str = field(compare=False)
    at: int = field(compare=False)
    signature: bytes = field(compare=False, repr=False)


def make_call(
    keys: Keys,
    umpire: Card,
    players: Sequence[Card],
    terms: Terms,
    *,
    tournament: bytes,
    name: str,
    round: int,
    board: int,
    at: int,
    expires: int,
) -> Call:
    """CAL-1..3. Of `terms`, players, umpire and `call` are filled in."""
    rules = terms.rules
    body: dict[str, Packable] = {
        "at": at,
        "board": board,
        "clock": dict(terms.clock),
        "decks": list(terms.decks),
        "expires": expires,
        "kind": "call",
        "mode": terms.mode,
        "options": dict(terms.options),
        "players": [card.raw for card in players],
        "replaced": [[kind, digest] for kind, digest in terms.replaced],
        "round": round,
        "rules": {"behaviour": rules.behaviour, "data": rules.data, "module": rules.module},
        "scenario": terms.scenario,
        "seats": [[seat.name, seat.side, seat.player] for seat in terms.seats],
        "title": terms.title,
        "tournament": {"key": tournament, "title": name},
        "umpire": umpire.raw,
        "v": 1,
    }
    packed = canonical.pack(body)
    return parse_call(envelope.join(packed, keys.sign(tagged("pbem1/call", packed))))


def parse_call(raw: bytes) -> Call:
    """The call in these bytes, or a Refusal (CAL-1..3)."""
    body, signature, data = _opened(raw, MAX_CALL, "call", _CALL, "CAL-2")
    umpire = parse_card(data["umpire"])
    call_id = tagged("pbem1/call", body)
    check_signature(umpire.sign, call_id, signature)
    players = tuple(parse_card(card) for card in data["players"])
    rules = data["rules"]
    terms = Terms(
        mode=data["mode"],
        players=tuple(card.identity for card in players),
        rules=Rules(rules["behaviour"], _NO_CODE, rules["data"], rules["module"], ""),
        scenario=data["scenario"],
        seats=tuple(Seat(*seat) for seat in data["seats"]),
        clock=dict(data["clock"]),
        decks=tuple(data["decks"]),
        options=dict(data["options"]),
        replaced=tuple((kind, digest) for kind, digest in data["replaced"]),
        title=data["title"],
        umpire=umpire,
        call=call_id,
    )
    if data["expires"] < data["at"]:
        raise Refusal("E-CALL", "This call had expired before it was made.", step="CAL-3")
    fault = terms_fault(terms.sketch(players[0]))
    if fault is not None:
        raise Refusal("E-CALL", f"This call asks for an offer that nobody can make. {fault[1]}", step="CAL-3")
    return Call(
        raw=raw,
        id=call_id,
        umpire=umpire,
        players=players,
        tournament=data["tournament"]["key"],
        name=data["tournament"]["title"],
        round=data["round"],
        board=data["board"],
        at=data["at"],
        expires=data["expires"],
        terms=terms,
    )


def matches(call: Call, offer: Offer) -> Refusal | None:
    """Whether the offer is the one that the call asks for (CAL-4); else, in what it differs."""
    wanted = call.terms.sketch(call.players[0])
    rules = replace(offer.rules, code=_NO_CODE, version="")
    for what, differs in (
        ("it answers another call or none", offer.call != call.id),
        ("other players", offer.players != wanted.players),
        ("another umpire, or another card of the umpire's", offer.umpire != wanted.umpire),
        ("other rules", rules != wanted.rules),
        ("other data", offer.replaced != wanted.replaced),
        ("other decks", offer.decks != wanted.decks),
        ("another scenario", offer.scenario != wanted.scenario),
        ("other options", canonical.pack(offer.options) != canonical.pack(wanted.options)),
        ("other seats", offer.seats != wanted.seats),
        ("dice of another kind", offer.mode != wanted.mode),
        ("another clock", dict(offer.clock) != dict(wanted.clock)),
        ("another title", offer.title != wanted.title),
    ):
        if differs:
            return Refusal(
                "E-CALL-TERMS", f"This offer is not the one that the umpire called for: {what}.", step="CAL-4"
            )
    return None


def make_answer(keys: Keys, call: Call, by: int, *, yes: bool, why: str, at: int) -> CallAnswer:
    """CAL-5, signed with the key of the card that the call names. By the umpire, a no takes the call back (CAL-8)."""
    body: dict[str, Packable] = {"at": at, "by": by, "call": call.id, "kind": "answer", "v": 1, "why": why, "yes": yes}
    packed = canonical.pack(body)
    answer = parse_answer(envelope.join(packed, keys.sign(tagged("pbem1/answer", packed))))
    check_answer(call, answer)
    return answer


def parse_answer(raw: bytes) -> CallAnswer:
    """The answer in these bytes. Its signature is judged beside its call."""
    body, signature, data = _opened(raw, MAX_CALL_ANSWER, "answer to a call", _ANSWER, "CAL-5")
    if MAX_PLAYERS <= data["by"] < UMPIRE or (data["by"] == UMPIRE and data["yes"]):
        raise Refusal("E-CALL", "No such player answers a call; its umpire can only take it back.", step="CAL-5")
    return CallAnswer(
        raw=raw,
        id=tagged("pbem1/answer", body),
        call=data["call"],
        by=data["by"],
        yes=data["yes"],
        why=data["why"],
        at=data["at"],
        signature=signature,
    )


def check_answer(call: Call, answer: CallAnswer) -> None:
    """The player whom the call names, or the umpire, has signed this answer to it (CAL-5), or a Refusal."""
    if answer.call != call.id or len(call.players) <= answer.by < UMPIRE:
        raise Refusal("E-CALL", "This answer is to another call, or by nobody whom the call names.", step="CAL-5")
    card = call.umpire if answer.by == UMPIRE else call.players[answer.by]
    check_signature(card.sign, answer.id, answer.signature)


def _opened(raw: bytes, limit: int, what: str, shape: Shape, step: str) -> tuple[bytes, bytes, Any]:
    """Body, signature and the value of the body, which has this shape."""
    if len(raw) > limit:
        raise Refusal("E-LARGE", f"This {what} is {len(raw)} bytes long; at most {limit} are allowed.", step=step)
    body, signature = envelope.split(raw, limit, what, step)
    data: Any = canonical.unpack(body, limit)
    version = data.get("v") if type(data) is dict else None
    if type(version) is int and version != 1:
        raise Refusal(
            "E-VERSION", f"This {what} is of a version that this pbem does not know; a newer one may.", step=step
        )
    try:
        shape(data, what.partition(" ")[0])
    except Refusal as refusal:
        code = "E-CALL" if refusal.code == "E-FORM" else refusal.code
        raise Refusal(code, refusal.sentence, step=step) from None
    return body, signature, data
