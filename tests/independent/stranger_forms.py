"""Encoding, keys, cards, records, files, for the second verifier: encoding, record, files.md."""

from __future__ import annotations

import re
import zlib
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

SPEC = Path(__file__).parents[2] / "docs/spec"


class Bad(Exception):
    """What is refused: the reason code, and the step that failed."""

    def __init__(self, code, step):
        super().__init__(code, step)
        self.code, self.step = code, step


class Missing(Exception):
    """Records that are cited and not there: E-INCOMPLETE."""

    code = "E-INCOMPLETE"


def need(good, code, step):
    if not good:
        raise Bad(code, step)


# encoding.md: hashing


def T(label, *fields):  # ENC-1
    out = bytes((len(label),)) + label.encode()
    for f in fields:
        f = f.encode() if isinstance(f, str) else f
        out += b"\xff\xff\xff\xff" if f is None else be(4, len(f)) + f
    return sha256(out).digest()


def L(items):
    return T("pbem1/list", *items)


def be(size, n):
    return n.to_bytes(size, "big")


# encoding.md: canonical msgpack


def decode(raw):  # ENC-4..8
    at = arrays = members = 0

    def take(size):
        nonlocal at
        need(at + size <= len(raw), "E-CANON", "ENC-7")
        at += size
        return raw[at - size : at]

    def number(size, least):
        n = int.from_bytes(take(size), "big")
        need(n >= least, "E-CANON", "ENC-5")
        return n

    def value(room):
        nonlocal arrays, members
        h = take(1)[0]
        if h < 0x80 or h >= 0xE0:
            return h if h < 0x80 else h - 256
        if h in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[h]
        if 0xCC <= h <= 0xCF:
            n = number(1 << h - 0xCC, (128, 2**8, 2**16, 2**32)[h - 0xCC])
            need(n < 2**63, "E-CANON", "ENC-4")
            return n
        if 0xD0 <= h <= 0xD3:
            n = int.from_bytes(take(1 << h - 0xD0), "big", signed=True)
            need(n < (-32, -(2**7), -(2**15), -(2**31))[h - 0xD0], "E-CANON", "ENC-5")
            return n
        if 0xC4 <= h <= 0xC6:
            return take(number(1 << h - 0xC4, (0, 2**8, 2**16)[h - 0xC4]))
        if 0xA0 <= h < 0xC0 or 0xD9 <= h <= 0xDB:
            size = h - 0xA0 if h < 0xC0 else number(1 << h - 0xD9, (32, 2**8, 2**16)[h - 0xD9])
            try:
                return take(size).decode()
            except UnicodeDecodeError:
                raise Bad("E-CANON", "ENC-5") from None
        need(0x80 <= h < 0xA0 or 0xDC <= h <= 0xDF, "E-CANON", "ENC-4")
        need(room > 0, "E-CANON", "ENC-6")
        count = h & 15 if h < 0xA0 else number(2 << (h & 1), (16, 2**16)[h & 1])
        arrays, members = arrays + 1, members + count
        need(count <= 4096 and arrays <= 16384 and members <= 2**19, "E-LARGE", "ENC-8")
        if 0x90 <= h < 0xDE:
            return [value(room - 1) for _ in range(count)]
        out, last = {}, ""
        for _ in range(count):
            key = value(0)
            good = type(key) is str and re.fullmatch("[a-z0-9_]{1,32}", key) and key > last
            need(good, "E-CANON", "ENC-5")
            out[key], last = value(room - 1), key
        return out

    found = value(16)
    need(at == len(raw), "E-CANON", "ENC-7")
    return found


def size_of(v):
    """How many bytes a value takes: ENC-5."""
    if type(v) in (list, dict):
        inner = v if type(v) is list else [x for pair in v.items() for x in pair]
        return (1 if len(v) < 16 else 3) + sum(map(size_of, inner))
    if type(v) in (str, bytes):
        n = len(v.encode() if type(v) is str else v)
        return n + (1 if n < 32 and type(v) is str else 2 if n < 256 else 3 if n < 2**16 else 5)
    if v is None or type(v) is bool or -32 <= v < 128:
        return 1
    return 1 + next(n for n in (1, 2, 4, 8) if -(2 ** (8 * n - 1)) <= v < 256**n)


# What values look like

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U00013430-\U00013455\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
    + "".join(chr(0x10000 * n - 2) + chr(0x10000 * n - 1) for n in range(2, 18))
    + "]"
)
EDGES = (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x200C, 0x200D, 0x202F, 0x205F, 0x3000)
EDGE = "".join(map(chr, EDGES))


def text(v, low, high, one_line):  # ENC-9
    if type(v) is str:
        hidden = HIDDEN.search(v if one_line else v.replace("\n", ""))
        edges = one_line and v != v.strip(EDGE)
        need(low <= len(v) <= high and not hidden and not edges, "E-TEXT", "ENC-9")
    return type(v) is str


def version(v):
    need(type(v) is int and v == 1, "E-VERSION", "REC-3")
    return True


def fits(shape, v):
    """A tuple has alternatives, a str is a pattern, a list a row; keys with `?` may be absent."""
    if type(shape) is tuple:
        return any(fits(each, v) for each in shape)
    if type(shape) is str:
        return type(v) is str and re.fullmatch(shape, v) is not None
    if type(shape) is list:
        return type(v) is list and len(v) == len(shape) and all(map(fits, shape, v))
    if type(shape) is dict:
        known = {key.rstrip("?"): each for key, each in shape.items()}
        named = type(v) is dict and known.keys() & shape.keys() <= v.keys() <= known.keys()
        return named and all(fits(known[key], x) for key, x in v.items())
    return shape(v) if callable(shape) else v is shape


def num(low, high):
    return lambda v: type(v) is int and low <= v <= high


def binary(low, high):
    return lambda v: type(v) is bytes and low <= len(v) <= high


def line(low, high):
    return lambda v: text(v, low, high, one_line=True)


def lines(high):
    return lambda v: text(v, 0, high, one_line=False)


def many(low, high, of):
    return lambda v: type(v) is list and low <= len(v) <= high and all(fits(of, x) for x in v)


def table(high, of):
    return lambda v: type(v) is dict and len(v) <= high and all(fits(of, x) for x in v.values())


def anything(_):
    return True


def boolean(v):
    return type(v) is bool


# record.md: keys and cards

P, ELL = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493


def X(k, u):
    """A scalar, as a number or bytes, times a point; zero where there is no result."""
    try:
        private = X25519PrivateKey.from_private_bytes(k if type(k) is bytes else scalar(k))
        return private.exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)


def scalar(k):
    return k.to_bytes(32, "little")


def number(raw):
    return int.from_bytes(raw, "little")


def clamp(v):
    for w in (v % ELL, -v % ELL):
        for s in range(w + (2**254 - w + ELL - 1) // ELL * ELL, 2**255, ELL):
            if s % 8 == 0:
                return s
    return None


F = clamp(1)


def sound(u):  # HID-14
    return 0 < number(u) < P and X(F, u) == u


def check_sign_key(raw):
    """KEY-1: the same point on the X25519 curve has u = (1 + y) / (1 - y)."""
    y = number(raw) % 2**255
    u = (1 + y) * pow(1 - y, P - 2, P) % P
    need(sound(scalar(u)), "E-KEY", "KEY-1")  # none of p and above is


def check_signature(key, digest, signature):  # KEY-2
    check_sign_key(key)
    need(signature[:32] != b"\x01" + bytes(31), "E-SIGNATURE", "KEY-2")  # S < l: the library
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, b"pbem1/sig\x00" + digest)
    except InvalidSignature:
        raise Bad("E-SIGNATURE", "KEY-2") from None


def envelope(raw, most, step):
    """`[body, signature]`."""
    need(len(raw) <= most, "E-LARGE", step)
    try:
        outer = decode(raw)
    except Bad:
        raise Bad("E-FORM", step) from None
    need(fits([binary(0, 2**21), binary(64, 64)], outer), "E-FORM", step)
    return outer


def card(raw):  # KEY-3, KEY-4
    body, signature = envelope(raw, 2048, "KEY-4")
    v = decode(body)
    need(fits(CARD_BODY, v), "E-FORM", "KEY-4")
    need(sound(v["seal"]), "E-KEY", "KEY-3")
    v["id"] = T("pbem1/card", body)
    check_signature(v["sign"], v["id"], signature)
    return v | {"identity": T("pbem1/id", v["sign"])}


# record.md and genesis.md: records and their payloads (REC-3, REC-6)

ID, TIME, CARD, WHY = binary(32, 32), num(0, 253_402_300_799), binary(1, 2048), lines(1000)
PLAYER, AUTHOR = num(0, 4), (num(0, 4), num(7, 7))
NAME, SLOT = "[a-z0-9_-]{1,32}", "[a-z0-9/_.+-]{1,64}"
CARDS, BACK, POINTS = many(0, 512, num(0, 65535)), many(0, 512, SLOT), binary(0, 16384)
EPOCH, NUMBER, VALUE = num(1, 65535), num(-(2**31), 2**31 - 1), binary(0, 512)
SEALED = tuple(binary(n, n) for n in (80, 144, 272, 528))
POLICY = [ID, SEALED + tuple(binary(n, n) for n in (1040, 2064, 4112))]
CLAUSES = many(1, 32, [many(0, 8, many(0, 4096, anything)), many(1, 32, SLOT)])
ORDER = many(1, 4096, anything)
TEST = [SLOT, "<=?|=|!=|>=?", num(-(2**63), 2**63 - 1)]
PLAN = ORDER, {"order": ORDER, "if?": many(1, 8, TEST), "must?": True}
NONCE, DICE = ["nonce", ID], ["dice", ID, ID]
SHOWN = {"items?": many(1, 5, (NONCE, DICE))}
CHAINS = many(0, 5, [PLAYER, ID])
CLOCK = {"move": num(0, 31_622_400), "bank": num(0, 31_622_400), "days_off": num(0, 127)}
PIN = {"behaviour": num(0, 65535), "data": ID}
RULES = PIN | {"code": ID, "module": NAME, "needs": line(1, 32), "version": line(0, 32)}
CARD_BODY = {"at": TIME, "email": line(0, 254), "kind": "card", "name": line(1, 64)}
CARD_BODY |= {"seal": ID, "sign": ID, "v": version}
RECORD = {
    "at": TIME, "by": AUTHOR, "data": table(4096, anything), "game": (None, ID),
    "heads": many(0, 5, [AUTHOR, ID]), "kind": anything, "note": (None, ID),
    "pin": num(0, 65535), "prev": (None, ID), "seq": num(0, 65535), "v": version,
}  # fmt: skip
PERSON = {"card": CARD, "chains": CHAINS, "gs": ID, "nonce": ID, "own": binary(48, 48)}
BOARD = {"board": EPOCH, "key": binary(16, 16), "round": EPOCH, "title": line(1, 80)}
REKEY = {"card": CARD, "proof": binary(64, 64)}
SAID, STATE, WHOSE = {"why": WHY}, {"state?": ID}, {"player": PLAYER}
PAYLOADS = {
    "offer": PERSON | {
        "expires?": num(1, 253_402_300_799), "tournament?": BOARD, "clock": CLOCK,
        "decks": many(0, 16, NAME), "mode": "strict|umpire|open",
        "options": table(64, (line(0, 64), NUMBER, boolean)), "players": many(1, 5, (None, ID)),
        "replaced": many(0, 64, [SLOT, ID]), "rules": RULES, "scenario": NAME,
        "seats": many(1, 16, [NAME, NAME, PLAYER]), "silence?": num(3, 366), "title": line(0, 80),
    },
    "join": PERSON | {"escrow": (None, binary(1, 1024))},
    "decline": SAID | {"card": CARD, "leave?": boolean},
    "start": {"nonce?": ID},
    "orders": {
        "state": ID, "salt": binary(16, 16), "orders": many(0, 2048, PLAN),
        "open?": many(1, 256, [SLOT, binary(32, 544)]),
        "hide?": many(1, 256, [SLOT, NAME, ID, SEALED]),
        "standing?": many(1, 256, [NAME, NAME, (None, CLAUSES, POLICY)]),
    },
    "reveal": {"items": many(1, 1024, (
        NONCE, DICE, ["open", SLOT, ID, VALUE],
        ["answer", SLOT, (None, ORDER), (None, binary(0, 4128))],
    ))},
    "release": {"items": many(1, 1024, (
        ["pass", NAME, EPOCH, num(1, 4), POINTS, POINTS, CARDS, BACK], ["slot", SLOT, ID],
        ["deal", NAME, EPOCH, POINTS, CARDS, BACK], ["give", SLOT, NAME, binary(16, 576)],
        ["show", SLOT, ID, VALUE],
    ))},
    "resign": {"seats": many(1, 16, NAME)},
    "tie": SHOWN,
    "takeback": SHOWN | {"to": many(1, 6, [num(0, 7), num(0, 65536)])},
    "answer": SHOWN | {"to": ID, "yes": boolean},
    "claim": {"owed": many(1, 1024, (
        ["nonce", PLAYER], ["orders", NAME], ["open", SLOT], ["dice", ID], ["answer", SLOT, NAME],
        ["pass", NAME, EPOCH, num(1, 4)], ["slot", SLOT, PLAYER],
    ))},
    "ruling": (
        SAID | STATE | {"what": "adjudge", "winner": (None, NAME), "scores": table(16, NUMBER)},
        SAID | STATE | {"what": "forfeit", "seats": many(1, 16, NAME), "claim?": ID},
        SAID | STATE | WHOSE | {"what": "extension", "seconds": num(1, 31_622_400)},
        SAID | STATE | WHOSE | {"what": "substitute", "join": binary(1, 16384)},
        SAID | {"what": "branch", "keep": ID, "drop": ID, "other": binary(1, 131_072)},
        SAID | STATE | {"what": "escrow", "orders": ID, "witness": PLAYER, "x": ID},
        SAID | WHOSE | REKEY | {"what": "rekey"},
    ),
    "rekey": REKEY,
    "migrate": {"from": PIN, "to": PIN | {"needs": line(1, 32)}, "before": ID, "after": ID},
    "end": {"state": ID, "result": table(4096, anything)},
    "open_all": {"gs": ID},
}  # fmt: skip
OPENING, PLAY = ("offer", "join", "decline", "start"), ("orders", "reveal", "release")


def record(raw):
    """REC-1..3: the form only; `check_data` is REC-6."""
    body, signature = envelope(raw, 262_216, "REC-1")
    r = decode(body)
    if type(r) is dict and "v" in r:
        version(r["v"])
    need(fits(RECORD, r) and r["kind"] in list(PAYLOADS), "E-FORM", "REC-3")
    heads, by = [a for a, _ in r["heads"]], r["by"]
    need(heads == sorted(set(heads)) and by not in heads, "E-FORM", "REC-3")
    need((r["prev"] is None) == (r["seq"] == 0), "E-FORM", "REC-3")
    need((r["game"] is None) == (r["kind"] == "offer"), "E-FORM", "REC-3")
    return r | {"id": T("pbem1/rec", body), "signature": signature, "heads": dict(r["heads"])}


def check_data(r):
    need(fits(PAYLOADS[r["kind"]], r["data"]), "E-FORM", "REC-6")
    if r["kind"] == "orders":
        policies = [policy for _, _, policy in r["data"].get("standing", ())]
        need(all(size_of(p) <= 4096 for p in policies if not is_sealed(p)), "E-FORM", "REC-6")


def is_sealed(policy):
    return policy is not None and type(policy[0]) is bytes


def message(raw):
    """FIL-8: the record's id, and what its `note` must be."""
    v = decode(raw)
    need(fits([ID, binary(16, 16), lines(10000)], v), "E-FORM", "FIL-8")
    return v[0], T("pbem1/note", v[1], v[2])


# files.md

BOUND = {1: 262_216, 2: 2_048, 3: 40_064, 9: 2_097_152}
ASIDE = {2: 256, 5: 64, 6: 256}


def containers(raw):
    """FIL-1..4: the items of a file."""
    total, tally, first, left = 0, {}, True, 1_024
    while raw or first:
        need(left, "E-LARGE", "FIL-3")
        need(raw[:4] == b"pbem"[: len(raw)], "E-NOTHING" if first else "E-FILE", "FIL-1")
        need(raw[4:5] in (b"", b"\x01"), "E-VERSION", "FIL-1")
        need(len(raw) >= 20, "E-CUT", "FIL-1")
        packed, count = raw[5], int.from_bytes(raw[6:8], "big")
        size, stored = int.from_bytes(raw[8:12], "big"), int.from_bytes(raw[12:16], "big")
        need(packed in (0, 1), "E-VERSION", "FIL-1")
        need(size <= 2**22 - 64, "E-LARGE", "FIL-1")
        need(1 <= count <= 8192, "E-FILE", "FIL-1")
        need(stored < size if packed else stored == size, "E-FILE", "FIL-1")
        need(len(raw) >= 20 + stored, "E-CUT", "FIL-1")
        body, check, raw, first = raw[20 : 20 + stored], raw[16:20], raw[20 + stored :], False
        left -= 1
        need(sha256(body).digest()[:4] == check, "E-FILE", "FIL-1")
        for kind, item in payload(inflate(body, size) if packed else body, count):
            total += len(item)
            many, large = tally.get(kind, (0, 0))
            tally[kind] = many, large = many + 1, large + len(item)
            all_of = sum(n for n, _ in tally.values())
            need(total <= 2**27 and all_of <= 2**19, "E-LARGE", "FIL-4")
            need(many <= ASIDE.get(kind, 2**19), "E-LARGE", "FIL-4")
            need(kind not in (5, 6) or large <= 2**22, "E-LARGE", "FIL-4")
            yield kind, item


def inflate(body, size):  # FIL-3, FIL-9
    z = zlib.decompressobj(-15)
    try:
        body = z.decompress(body, size + 1)
    except zlib.error:
        raise Bad("E-FILE", "FIL-3") from None
    good = len(body) == size and z.eof and not z.unused_data and not z.unconsumed_tail
    need(good, "E-FILE", "FIL-3")
    return body


def payload(body, count):  # FIL-2
    out, at = [], 0
    while at < len(body):
        n = int.from_bytes(body[at + 1 : at + 5], "big")
        need(1 <= n <= len(body) - at - 5 and 1 <= body[at] <= 9, "E-FILE", "FIL-2")
        need(n <= BOUND.get(body[at], 2**22), "E-LARGE", "FIL-2")
        out.append((body[at], body[at + 5 : at + 5 + n]))
        at += 5 + n
    need(len(out) == count, "E-FILE", "FIL-2")
    return out
