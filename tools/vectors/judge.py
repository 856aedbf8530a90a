"""What the program makes of a vector's payload: the facts that the file states, or a Refusal."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO

from pbem.engine import policy
from pbem.protocol import armour, canonical, container
from pbem.protocol.card import parse_card
from pbem.protocol.errors import PbemError
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.kinds import check_data
from pbem.protocol.record import check_record_signature, note_hash, parse_message, parse_record
from pbem.protocol.words import fingerprint, seed_of
from pbem.umpire.case import check_case, evidence_of
from tools.vectors import orders
from tools.vectors.judge_chance import CHANCE_JUDGES
from tools.vectors.judge_games import GAME_JUDGES
from tools.vectors.judge_hidden import HIDDEN_JUDGES
from tools.vectors.vector import SUCCESS, Vector

Facts = dict[str, str]


def _canonical(vector: Vector) -> Facts:
    canonical.unpack(vector.payload)
    return {}


def _card(vector: Vector) -> Facts:
    card = parse_card(vector.payload)
    return {
        "id": card.id.hex(),
        "identity": card.identity.hex(),
        "fingerprint": fingerprint(card.identity),
        "name": card.name,
    }


def _record(vector: Vector) -> Facts:
    record = parse_record(vector.payload)
    check_record_signature(record, bytes.fromhex(vector.facts["key"]))
    check_data(record.kind, record.data)
    return {"key": vector.facts["key"], "id": record.id.hex()}


def _container(vector: Vector) -> Facts:
    return {"items": " ".join(str(int(item.type)) for item in container.read(vector.payload))}


def _find(vector: Vector) -> Facts:
    found = armour.find_all(vector.payload.decode())
    return {"sha256": " ".join(sha256(raw).hexdigest() for raw in found) or "none"}


def _message(vector: Vector) -> Facts:
    message = parse_message(vector.payload)
    return {"note": note_hash(message.salt, message.text).hex()}


def _fork(vector: Vector) -> Facts:
    return {"identity": parse_fork_proof(vector.payload).identity.hex()}


def _phrase(vector: Vector) -> Facts:
    return {"seed": seed_of(vector.payload.decode()).hex()}


def _case(vector: Vector) -> Facts:
    items = tuple(container.read_stream(BytesIO(vector.payload)))
    found = check_case(items)
    said = found.case.said
    return {
        "id": found.case.id.hex(),
        "umpire": said.umpire.hex(),
        "game": said.game.hex() if said.game else "-",
        "evidence": evidence_of(items[1:]).hex(),
    }


def _plain(vector: Vector) -> Facts:
    return {"kinds": vector.facts["kinds"], "order": orders.shown(orders.KINDS.unpack(vector.payload))}


def _policy(vector: Vector) -> Facts:
    return {"text": str(policy.unpack(vector.payload))}


def _choice(vector: Vector) -> Facts:
    known = [fact.split("=") for fact in vector.facts["facts"].split() if fact != "-"]
    facts = {name: int(number) for name, number in known}
    answer = policy.unpack(vector.payload).choose(facts, vector.facts["offered"].split())
    return {"facts": vector.facts["facts"], "offered": vector.facts["offered"], "answer": answer}


JUDGES: dict[str, Callable[[Vector], Facts]] = {
    "canonical": _canonical,
    "card": _card,
    "case": _case,
    "choice": _choice,
    "container": _container,
    "find": _find,
    "fork": _fork,
    "message": _message,
    "phrase": _phrase,
    "plain": _plain,
    "policy": _policy,
    "record": _record,
    **CHANCE_JUDGES,
    **GAME_JUDGES,
    **HIDDEN_JUDGES,
}


def judge(vector: Vector) -> tuple[str, str, Facts]:
    """(`success` or the code, the step of a refusal, the facts found)."""
    try:
        return SUCCESS, vector.step, JUDGES[vector.what](vector)
    except PbemError as refusal:
        return refusal.code, getattr(refusal, "step", ""), {}
