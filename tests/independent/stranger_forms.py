"""Forms, for the second verifier: hashing, msgpack, keys, cards, records, payloads (encoding.md, record.md)."""

from __future__ import annotations

import re
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P, ELL = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493


class Bad(Exception):
    """The step that failed."""


class Missing(Exception):
    """Records that are cited and not there."""


def need(good, step):
    if not good:
        raise Bad(step)


# encoding.md


def T(label, *fields):
    out = bytes((len(label),)) + label.encode()
    for f in fields:
        f = f.encode() if isinstance(f, str) else f
        out += b"\xff\xff\xff\xff" if f is None else len(f).to_bytes(4, "big") + f
    return sha256(out).digest()


def L(items):
    return T("pbem1/list", *items)


def be(size, n):
    return n.to_bytes(size, "big")


def decode(raw):
    """ENC-4..8."""
    at = arrays = members = 0

    def take(size):
        nonlocal at
        need(at + size <= len(raw), "ENC-7")
        at += size
        return raw[at - size : at]

    def number(width, least):
        n = int.from_bytes(take(width), "big")
        need(n >= least, "ENC-5")
        return n

    def value(room):
        h = take(1)[0]
        if h < 0x80 or h >= 0xE0:
            return h if h < 0x80 else h - 256
        if h in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[h]
        if 0xCC <= h <= 0xCF:
            n = number(1 << h - 0xCC, (128, 2**8, 2**16, 2**32)[h - 0xCC])
            need(n < 2**63, "ENC-4")
            return n
        if 0xD0 <= h <= 0xD3:
            n = int.from_bytes(take(1 << h - 0xD0), "big", signed=True)
            need(n < (-32, -(2**7), -(2**15), -(2**31))[h - 0xD0], "ENC-5")
            return n
        if 0xC4 <= h <= 0xC6:
            return take(number(1 << h - 0xC4, (0, 2**8, 2**16)[h - 0xC4]))
        if 0xA0 <= h < 0xC0 or 0xD9 <= h <= 0xDB:
            size = h - 0xA0 if h < 0xC0 else number(1 << h - 0xD9, (32, 2**8, 2**16)[h - 0xD9])
            try:
                return take(size).decode()
            except UnicodeDecodeError:
                raise Bad("ENC-5") from None
        need(0x80 <= h < 0xA0 or 0xDC <= h <= 0xDF, "ENC-4")
        need(room > 0, "ENC-6")
        is_map = h < 0x90 or h >= 0xDE
        count = h & 15 if h < 0xA0 else number(2 << (h & 1), (16, 2**16)[h & 1])
        nonlocal arrays, members
        arrays, members = arrays + 1, members + count
        need(count <= 4096 and arrays <= 16384 and members <= 2**19, "ENC-8")
        if not is_map:
            return [value(room - 1) for _ in range(count)]
        out, last = {}, ""
        for _ in range(count):
            key = value(0)
            need(type(key) is str and re.fullmatch("[a-z0-9_]{1,32}", key) and key > last, "ENC-5")
            out[key], last = value(room - 1), key
        return out

    found = value(16)
    need(at == len(raw), "ENC-7")
    return found


# Keys and cards


def times(n, point):
    """n * point on the Ed25519 curve, affine, slowly."""
    d = -121665 * pow(121666, -1, P) % P
    out = (0, 1)
    while n:
        for target in (("out",) if n & 1 else ()) + ("point",):
            (x1, y1), (x2, y2) = (out if target == "out" else point), point
            k = d * x1 * x2 * y1 * y2 % P
            both = ((x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P)
            out, point = (both, point) if target == "out" else (out, both)
        n >>= 1
    return out


GOOD_KEYS = set()


def check_sign_key(raw):
    """KEY-1."""
    if raw in GOOD_KEYS:
        return
    y, sign = int.from_bytes(raw, "little") % 2**255, raw[31] >> 7
    d = -121665 * pow(121666, -1, P) % P
    need(len(raw) == 32 and y < P, "KEY-1")
    xx = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    x = x if x * x % P == xx else x * pow(2, (P - 1) // 4, P) % P
    need(x * x % P == xx and not (x == 0 and sign), "KEY-1")
    need((x or y != 1) and times(ELL, (x if x & 1 == sign else P - x, y)) == (0, 1), "KEY-1")
    GOOD_KEYS.add(raw)


def check_signature(key, digest, signature):
    """KEY-2."""
    check_sign_key(key)
    need(int.from_bytes(signature[32:], "little") < ELL and signature[:32] != b"\x01" + bytes(31), "KEY-2")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, b"pbem1/sig\x00" + digest)
    except InvalidSignature:
        raise Bad("KEY-2") from None


SMALL = {0, 1, P - 1, 325606250916557431795983626356110631294008115727848805560023387167927233504,
         39382357235489614581723060781553021112529911719440698176882885853963445705823}  # fmt: skip
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U00013430-\U00013455\U00016fe4"
    "\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(chr(0x10000 * n - 2) + chr(0x10000 * n - 1) for n in range(2, 18)) + "]"
)  # fmt: skip
EDGE = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x200C, 0x200D, 0x202F, 0x205F, 0x3000)))


def line(low, high):
    return lambda v: type(v) is str and low <= len(v) <= high and not HIDDEN.search(v) and v == v.strip(EDGE)


def lines(high):
    return lambda v: type(v) is str and len(v) <= high and not HIDDEN.search(v.replace("\n", ""))


def envelope(raw, most, step):
    need(len(raw) <= most + 72, step)
    outer = decode(raw)
    need(type(outer) is list and [type(v) for v in outer] == [bytes, bytes] and len(outer[1]) == 64, step)
    need(len(outer[0]) <= most, step)
    return outer


def card(raw):
    """KEY-3, KEY-4: the identity's key and the key to seal to."""
    need(len(raw) <= 2048, "KEY-4")
    body, signature = envelope(raw, 2048, "KEY-4")
    v = decode(body)
    shape = {"at": SECONDS, "email": line(0, 254), "kind": same("card"), "name": line(1, 64)}
    need(is_map({**shape, "seal": bins(32), "sign": bins(32), "v": integer(1, 1)})(v), "KEY-4")
    u = int.from_bytes(v["seal"], "little")
    need(u < P and u not in SMALL, "KEY-3")
    check_signature(v["sign"], T("pbem1/card", body), signature)
    return v | {"identity": T("pbem1/id", v["sign"])}


# What payloads look like


def integer(low, high):
    return lambda v: type(v) is int and low <= v <= high


def bins(low, high=None):
    return lambda v: type(v) is bytes and low <= len(v) <= (low if high is None else high)


def array(member, low, high):
    return lambda v: type(v) is list and low <= len(v) <= high and all(map(member, v))


def row(*columns):
    return lambda v: type(v) is list and len(v) == len(columns) and all(c(x) for c, x in zip(columns, v, strict=True))


def is_map(must, may=()):
    may = dict(may)
    return lambda v: (
        type(v) is dict and set(must) <= set(v) <= {*must, *may} and all((must | may)[k](x) for k, x in v.items())
    )


def either(*shapes):
    return lambda v: any(shape(v) for shape in shapes)


def word(pattern):
    return lambda v: type(v) is str and re.fullmatch(pattern, v) is not None


def items(*rows):
    return is_map({"items": array(either(*(row(word(name), *cells) for name, *cells in rows)), 1, 1024)})


def same(value):
    return lambda v: type(v) is type(value) and v == value


SECONDS = integer(0, 253402300799)
ID, PLAYER, NAME, SLOT = bins(32), integer(0, 4), word("[a-z0-9_-]{1,32}"), word("[a-z0-9/_.+-]{1,64}")
WORD = word("[a-z0-9_]{1,32}")
VALUE, BOX, CARD, EPOCH, POINTS = bins(0, 512), bins(16, 576), bins(1, 2048), integer(1, 65535), bins(0, 16384)
NIL, BOOL, WHY = same(None), lambda v: type(v) is bool, lines(1000)
CARDS, BACK = array(integer(0, 65535), 0, 512), array(SLOT, 0, 512)
PART = {"card": CARD, "chains": array(row(PLAYER, ID), 0, 5), "gs": ID, "nonce": ID, "own": bins(48)}
PIN_KEYS = {"behaviour": integer(0, 65535), "data": ID}
PIN = is_map(PIN_KEYS)
SHOWN = row(same("nonce"), ID), row(same("dice"), ID, ID)
OWED = {"items": array(either(*SHOWN), 1, 5)}
ESCROW = {"escrow": either(NIL, bins(1, 1024))}


def ruled(what, seen=True, more=None, **keys):
    return is_map({"what": same(what), "why": WHY, **keys}, ({"state": ID} if seen else {}) | (more or {}))


def any_map(most, member=lambda _: True):
    return lambda v: type(v) is dict and len(v) <= most and all(map(member, v.values()))


def packed_orders(v):
    if not bins(2, 245760)(v):
        return False
    count = v[0] << 8 | v[1]
    return count <= min(2048, 8 * (len(v) - 2)) and (count > 0 or len(v) == 2)


KINDS = {
    "offer": is_map({
        **PART, **ESCROW, "decks": array(NAME, 0, 16), "mode": word("strict|umpire|open"), "scenario": NAME,
        "clock": is_map({"move": integer(0, 31622400), "bank": integer(0, 31622400), "days_off": integer(0, 127)}),
        "options": any_map(64, either(line(0, 64), integer(-(2**31), 2**31 - 1), BOOL)),
        "players": array(either(NIL, ID), 1, 5), "replaced": array(row(SLOT, ID), 0, 64),
        "rules": is_map({**PIN_KEYS, "code": ID, "module": NAME, "version": line(0, 32)}),
        "seats": array(row(WORD, WORD, PLAYER), 1, 16), "title": line(0, 80), "umpire": either(NIL, CARD)},
        {"call": ID, "silence": integer(3, 366)}),
    "join": either(is_map(PART | ESCROW), is_map({**PART, "checked": array(ID, 0, 5)})),
    "decline": is_map({"card": CARD, "why": WHY}),
    "start": is_map({"joins": array(ID, 0, 5)}),
    "orders": is_map({"state": ID, "salt": bins(16), "orders": packed_orders}, {
        "open": array(row(SLOT, bins(32, 544)), 1, 256), "hide": array(row(SLOT, NAME, ID, BOX), 1, 256),
        "standing": array(row(NAME, NAME, either(NIL, bins(1, 4096), row(ID, bins(16, 4160)))), 1, 256)}),
    "reveal": items(("nonce", ID), ("dice", ID, ID), ("open", SLOT, ID, VALUE),
                    ("answer", SLOT, either(NIL, bins(1, 512)), either(NIL, bins(0, 4128)))),
    "release": items(("pass", NAME, EPOCH, integer(1, 4), POINTS, POINTS, CARDS, BACK), ("slot", SLOT, ID),
                     ("deal", NAME, EPOCH, POINTS, CARDS, BACK), ("give", SLOT, NAME, BOX), ("show", SLOT, ID, VALUE)),
    "resign": is_map({"seats": array(NAME, 1, 16)}),
    "tie": is_map({}, OWED),
    "takeback": is_map({"to": array(row(integer(0, 7), integer(0, 65536)), 1, 6)}, OWED),
    "answer": is_map({"to": ID, "yes": BOOL}, OWED),
    "claim": is_map({"owed": array(either(
        row(same("nonce"), PLAYER), row(same("orders"), NAME), row(same("open"), SLOT), row(same("dice"), ID),
        row(same("answer"), SLOT, NAME), row(same("pass"), NAME, EPOCH, integer(1, 4)),
        row(same("slot"), SLOT, PLAYER)), 1, 1024)}),
    "ruling": either(
        ruled("adjudge", winner=either(NIL, NAME), scores=any_map(16, integer(-(2**31), 2**31 - 1))),
        ruled("forfeit", more={"claim": ID}, seats=array(NAME, 1, 16)),
        ruled("extension", player=PLAYER, seconds=integer(1, 31622400)),
        ruled("substitute", player=PLAYER, join=bins(1, 16384)), ruled("escrow", orders=ID, witness=PLAYER, x=ID),
        ruled("rekey", seen=False, player=PLAYER, card=CARD, proof=bins(64))),
    "rekey": is_map({"card": CARD, "proof": bins(64)}),
    "migrate": is_map({"from": PIN, "to": PIN, "before": ID, "after": ID}),
    "end": is_map({"state": ID, "result": any_map(4096)}),
    "open_all": is_map({"gs": ID}),
}  # fmt: skip
PLAY = ("orders", "reveal", "release")
AUTHOR = either(PLAYER, integer(7, 7))


def record(raw):
    """REC-1..3: form only."""
    body, signature = envelope(raw, 262144, "REC-1")
    r = decode(body)
    need(is_map({
        "at": SECONDS, "by": AUTHOR, "data": lambda v: type(v) is dict, "game": either(NIL, ID),
        "note": either(NIL, ID), "heads": array(row(AUTHOR, ID), 0, 5),
        "kind": lambda k: type(k) is str and k in KINDS, "prev": either(NIL, ID),
        "pin": integer(0, 65535), "seq": integer(0, 65535), "v": integer(1, 1)})(r), "REC-3")  # fmt: skip
    authors = [by for by, _ in r["heads"]]
    need(authors == sorted(set(authors)) and r["by"] not in authors, "REC-3")
    need((r["prev"] is None) == (r["seq"] == 0) and (r["game"] is None) == (r["kind"] == "offer"), "REC-3")
    return r | {"id": T("pbem1/rec", body), "signature": signature, "heads": dict(r["heads"])}


def check_data(r):
    need(KINDS[r["kind"]](r["data"]), "REC-6")
