"""Calls of umpires, answers to them, and offers that answer them: CAL-1..CAL-5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.protocol import envelope
from pbem.protocol.begin import Terms
from pbem.protocol.call import Call, make_answer, make_call
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.digest import tagged
from pbem.protocol.genesis import Seat
from pbem.protocol.keys import Keys
from pbem.protocol.record import UMPIRE
from tools.vectors.people import ALICE, AT, BOB, loose, signed_record, some
from tools.vectors.play import KEYS, card_of, make_offer, terms
from tools.vectors.vector import SUCCESS, Vector

DORA = KEYS[UMPIRE]
_KEY = some("tournament")[:16]


def _made(wanted: Terms, **changed: Any) -> Call:
    place: dict[str, Any] = {"tournament": _KEY, "name": "Spring Cup", "round": 2, "board": 7, "expires": AT + 604_800}
    cards = [card_of(n) for n in range(len(wanted.players))]
    return make_call(DORA, card_of(UMPIRE), cards, wanted, at=AT, **{**place, **changed})


_CALL = _made(terms(2, umpire=True))
_FULL = _made(
    replace(
        terms(3, mode="umpire", umpire=True, decks=("main",)),
        clock={"bank": 864_000, "days_off": 96, "move": 259_200},
        options={"fog": True, "optional": "weather", "turns": 7},
        replaced=(("cards", some("cards")),),
    ),
    name="Frühling 🎲",
)


def _signed(fields: Any, keys: Keys = DORA, label: str = "pbem1/call") -> bytes:
    body = loose(fields)
    return envelope.join(body, keys.sign(tagged(label, body)))


def _fields(raw: bytes = _CALL.raw) -> dict[str, Any]:
    body, _ = envelope.split(raw, 1 << 16, "call", "CAL-1")
    found = unpack(body)
    assert isinstance(found, dict)
    return dict(found)


def _changed(**changes: Any) -> bytes:
    """The call with other fields, signed all the same; `...` leaves one out."""
    found = {**_fields(), **changes}
    return _signed({key: found[key] for key in sorted(found) if found[key] is not ...})


_SEATS = _fields()["seats"]
_CARDS = _fields()["players"]
_RULES = _fields()["rules"]
_CLOCK = _fields()["clock"]
_BAD: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    ("no-board", "E-CALL", "CAL-2", "a field is missing", {"board": ...}),
    ("extra", "E-CALL", "CAL-2", "a field too many", {"why": ""}),
    ("kind", "E-CALL", "CAL-2", "says that it is a card", {"kind": "card"}),
    ("version", "E-VERSION", "CAL-2", "of version 2", {"v": 2}),
    ("at-bool", "E-CALL", "CAL-2", "a boolean is no date", {"at": True}),
    ("board-0", "E-CALL", "CAL-2", "boards are counted from 1", {"board": 0}),
    ("round-65536", "E-CALL", "CAL-2", "a round too many", {"round": 65_536}),
    ("key-15", "E-CALL", "CAL-2", "a tournament's key of 15 bytes", {"tournament": {"key": _KEY[1:], "title": "Cup"}}),
    ("no-title", "E-TEXT", "CAL-2", "a tournament without a title", {"tournament": {"key": _KEY, "title": ""}}),
    ("title-81", "E-TEXT", "CAL-2", "a title of 81 letters", {"title": "t" * 81}),
    ("title-bidi", "E-TEXT", "CAL-2", "a title that turns the line around", {"title": "Cup \u202epuC"}),
    ("code", "E-CALL", "CAL-2", "pins the code", {"rules": {"behaviour": 1, "code": bytes(32), **_RULES}}),
    ("mode", "E-CALL", "CAL-2", "dice of a fourth kind", {"mode": "fair"}),
    ("clock", "E-CALL", "CAL-2", "an eighth day of the week", {"clock": {**_CLOCK, "days_off": 128}}),
    ("one-player", "E-CALL", "CAL-2", "one player", {"players": _CARDS[:1]}),
    ("identity", "E-CALL", "CAL-2", "an identity in place of a card", {"players": [_CARDS[0], 7]}),
    ("card", "E-SIGNATURE", "KEY-2", "a player's card is forged", {"players": [_CARDS[0], _CARDS[1][:-1] + b"\0"]}),
    ("expired", "E-CALL", "CAL-3", "expires before it was made", {"expires": AT - 1}),
    ("twice", "E-CALL", "CAL-3", "one person against himself", {"players": [_CARDS[0], _CARDS[0]]}),
    ("umpire-plays", "E-CALL", "CAL-3", "the umpire plays", {"players": [_CARDS[0], card_of(UMPIRE).raw]}),
    ("seat-twice", "E-CALL", "CAL-3", "a seat twice", {"seats": [_SEATS[0], [_SEATS[0][0], *_SEATS[1][1:]]]}),
    ("no-seat", "E-CALL", "CAL-3", "a player without a seat", {"seats": [_SEATS[0], [*_SEATS[1][:2], 0]]}),
    ("one-side", "E-CALL", "CAL-3", "strict dice with one side", {"seats": [[s[0], "red", s[2]] for s in _SEATS]}),
    ("decks", "E-CALL", "CAL-3", "decks out of order", {"decks": ["b", "a"]}),
)


def vectors() -> Iterator[Vector]:
    yield from _calls()
    yield from _answers()
    yield from _offers()


def _calls() -> Iterator[Vector]:
    for name, comment, call in (("two", "for two players", _CALL), ("full", "for three, with all there is", _FULL)):
        facts = {
            "id": call.id.hex(),
            "umpire": call.umpire.identity.hex(),
            "players": " ".join(card.identity.hex() for card in call.players),
            "tournament": call.tournament.hex(),
        }
        yield Vector(f"call-{name}", "call", SUCCESS, "CAL-2", comment, call.raw, facts)
    for name, code, step, comment, changes in _BAD:
        yield Vector(f"call-{name}", "call", code, step, comment, _changed(**changes))
    fields, reordered = _fields(), dict(reversed(_fields().items()))
    for name, code, step, comment, raw in (
        ("trailing", "E-FORM", "CAL-2", "a byte follows the call", _CALL.raw + b"\0"),
        ("large", "E-LARGE", "CAL-2", "longer than 32 KiB", _changed(title="t" * 40_000)),
        ("order", "E-CANON", "ENC-5", "keys out of order", _signed(reordered)),
        ("signed-by-player", "E-SIGNATURE", "KEY-2", "signed by a player", _signed(fields, ALICE)),
        ("label", "E-SIGNATURE", "KEY-2", "signed as a card is", _signed(fields, DORA, "pbem1/card")),
    ):
        yield Vector(f"call-{name}", "call", code, step, comment, raw)


def _answers() -> Iterator[Vector]:
    yes = make_answer(BOB, _CALL, 1, yes=True, why="", at=AT + 60)
    no = make_answer(ALICE, _CALL, 0, yes=False, why="No time in May.\nSorry!", at=AT + 60)
    back = make_answer(DORA, _CALL, UMPIRE, yes=False, why="Bob has left.", at=AT + 90)
    for name, comment, answer in (
        ("yes", "player 1 accepts", yes),
        ("no", "player 0 declines", no),
        ("taken-back", "the umpire takes it back (CAL-8)", back),
    ):
        facts = {"id": answer.id.hex(), "by": str(answer.by), "yes": str(answer.yes).lower()}
        yield Vector(f"answer-{name}", "answer", SUCCESS, "CAL-5", comment, pack([_CALL.raw, answer.raw]), facts)

    def changed(keys: Keys = BOB, label: str = "pbem1/answer", **changes: Any) -> bytes:
        found = {**_fields(yes.raw), **changes}
        return _signed({key: found[key] for key in sorted(found) if found[key] is not ...}, keys, label)

    for name, code, step, comment, raw in (
        ("no-why", "E-CALL", "CAL-5", "a field is missing", changed(why=...)),
        ("maybe", "E-CALL", "CAL-5", "neither yes nor no", changed(yes=1)),
        ("version", "E-VERSION", "CAL-5", "of version 2", changed(v=2)),
        ("why-long", "E-TEXT", "CAL-5", "a reason of 1,001", changed(why="w" * 1_001)),
        ("large", "E-LARGE", "CAL-5", "longer than 8 KiB", changed(why="w" * 9_000)),
        ("other-call", "E-CALL", "CAL-5", "to another call", changed(call=_FULL.id)),
        ("nobody", "E-CALL", "CAL-5", "by a player whom the call does not name", changed(by=2)),
        ("between", "E-CALL", "CAL-5", "by 6, who is neither player nor umpire", changed(by=6)),
        ("umpire-yes", "E-CALL", "CAL-5", "the umpire accepts", changed(DORA, by=UMPIRE)),
        ("umpire-player", "E-SIGNATURE", "KEY-2", "taken back by a player", changed(BOB, by=UMPIRE, yes=False)),
        ("opponent", "E-SIGNATURE", "KEY-2", "signed by the opponent", changed(ALICE)),
        ("label", "E-SIGNATURE", "KEY-2", "signed as a call is", changed(BOB, "pbem1/call")),
    ):
        yield Vector(f"answer-{name}", "answer", code, step, comment, pack([_CALL.raw, raw]))


def _offers() -> Iterator[Vector]:
    wanted = replace(terms(2, umpire=True), call=_CALL.id)
    other = replace(_CALL.terms.rules, code=some("other code"), version="1.1")
    for name, comment, offered in (
        ("same", "the offer that the call asks for", wanted),
        ("code", "version and code are the offerer's own", replace(wanted, rules=other)),
    ):
        record = make_offer(offered)
        payload = pack([_CALL.raw, record.raw])
        yield Vector(f"called-{name}", "called", SUCCESS, "CAL-4", comment, payload, {"id": record.id.hex()})
    carla = (KEYS[0].identity, KEYS[2].identity)
    swapped = tuple(Seat(seat.name, seat.side, 1 - seat.player) for seat in wanted.seats)
    for name, comment, offered in (
        ("none", "answers no call", replace(wanted, call=None)),
        ("other", "answers another call", replace(wanted, call=_FULL.id)),
        ("players", "against somebody else", replace(wanted, players=carla)),
        ("open", "against whoever joins", replace(wanted, players=(KEYS[0].identity, None))),
        ("umpire", "another umpire", replace(wanted, umpire=card_of(2))),
        ("behaviour", "other rules", replace(wanted, rules=replace(wanted.rules, behaviour=2))),
        ("data", "other data", replace(wanted, rules=replace(wanted.rules, data=some("more")))),
        ("replaced", "data of his own", replace(wanted, replaced=(("cards", some("cards")),))),
        ("scenario", "another scenario", replace(wanted, scenario="two")),
        ("options", "an option more", replace(wanted, options={"fog": True})),
        ("seats", "the sides exchanged", replace(wanted, seats=swapped)),
        ("mode", "the umpire's dice", replace(wanted, mode="umpire")),
        ("clock", "more time", replace(wanted, clock={"bank": 86_400, "days_off": 0, "move": 0})),
        ("title", "another title", replace(wanted, title="A friendly game")),
    ):
        payload = pack([_CALL.raw, make_offer(offered).raw])
        yield Vector(f"called-{name}", "called", "E-CALL-TERMS", "CAL-4", comment, payload)
    full = replace(_FULL.terms, options={**_FULL.terms.options, "fog": 1})
    comment = "an option is 1 in place of true"
    yield Vector("called-bool", "called", "E-CALL-TERMS", "CAL-4", comment, pack([_FULL.raw, make_offer(full).raw]))
    lonely = make_offer(replace(wanted, umpire=None), call=_CALL.id)
    comment = "names no umpire"
    yield Vector("called-lonely", "called", "E-OFFER", "GEN-1", comment, pack([_CALL.raw, lonely.raw]))
    data = {**lonely.data, "umpire": card_of(UMPIRE).raw, "call": _CALL.id[1:]}
    short = signed_record(game=None, kind="offer", by=0, seq=0, prev=None, heads=[], data=data)
    comment = "cites a call by 31 bytes"
    yield Vector("called-short", "called", "E-FORM", "REC-6", comment, pack([_CALL.raw, short]))
