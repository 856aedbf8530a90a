"""What people type and mail: phrases and armour (KEY-6, FIL-5, FIL-7)."""

from __future__ import annotations

import html
import re
from base64 import b64decode, b64encode
from itertools import pairwise

from stranger_forms import SPEC, Bad, T, be, need

WORDS = (SPEC / "words.txt").read_text().split()


def fingerprint(identity):  # KEY-5
    parts = [int.from_bytes(identity[4 * k : 4 * k + 4], "big") for k in range(3)]
    return " ".join(
        f"{WORDS[n >> 22]}-{WORDS[n >> 12 & 1023]}-{(n & 4095) % 100:02}" for n in parts
    )


def seed_of(phrase):  # KEY-6
    typed, n = phrase.lower().split(), 0
    need(len(typed) == 27, "E-PHRASE", "KEY-6")
    for short in typed:
        found = [w for w in WORDS if w == short or (len(short) >= 4 and w.startswith(short))]
        need(found, "E-PHRASE", "KEY-6")
        n = n << 10 | WORDS.index(short if short in found else found[0])
    seed = be(32, n >> 14)
    check = int.from_bytes(T("pbem1/phrase", seed)[:2], "big") >> 2
    need(check == n % 2**14, "E-PHRASE", "KEY-6")
    return seed


def base64(letters):
    need(re.fullmatch("[A-Za-z0-9+/]*", letters) and len(letters) % 4 != 1, "E-FILE", "FIL-7")
    raw = b64decode(letters + "=" * (-len(letters) % 4))
    need(b64encode(raw).decode().rstrip("=") == letters, "E-FILE", "FIL-7")
    return raw


INVISIBLE = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF), "")
VISIBLE = INVISIBLE | dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
SOFT, GAP = r"(?:=\r?\n)?", r"(?:=20|[\s>|=]){1,40}"
DASHES = f"-{SOFT}-(?:{SOFT}-){{0,3}}{SOFT}"
BEGINS, ENDS, PBEM, FILE = (SOFT.join(w) for w in ("BEGIN", "END", "PBEM", "FILE"))
MARK = re.compile(f"{DASHES}(?:({BEGINS})|{ENDS}){GAP}{PBEM}{GAP}{FILE}{SOFT}{DASHES}")
QUOTED = re.compile(r"^[ \t>|]*(?:[A-Za-z][A-Za-z0-9]{0,7}>|-[ \t])", re.MULTILINE)


def find(mail):
    """FIL-7: the files in a text that mail programs have handled."""
    need(len(mail) <= 2**24, "E-LARGE", "FIL-7")
    mail = mail.translate(VISIBLE)
    if "<" in mail or "&" in mail:
        mail = re.sub("<[^<>]{0,400}>", "", mail)
        mail = html.unescape(re.sub(r"&#(\d{10,}|[xX][0-9a-fA-F]{10,})", "?", mail))
        mail = mail.translate(VISIBLE)
    marks, found, damage = [*MARK.finditer(mail), None], {}, None
    need(sum(m is not None and bool(m[1]) for m in marks) <= 64, "E-LARGE", "FIL-7")
    for one, other in pairwise(marks):
        if one[1]:
            try:
                need(other and not other[1], "E-CUT", "FIL-7")
                found[block(mail[one.end() : other.start()])] = None
            except Bad as bad:
                damage = damage or bad
    if damage and not found:
        raise damage
    return list(found)


def block(inside):
    def utf8(codes):
        return bytes.fromhex(codes[0].replace("=", "")).decode(errors="ignore").translate(INVISIBLE)

    inside = QUOTED.sub("", re.sub("(?:=[0-9A-Fa-f]{2})+", utf8, inside))
    return base64(re.sub(r"[\s>|=]", "", inside))
