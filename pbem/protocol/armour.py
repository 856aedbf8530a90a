"""Files as text (docs/spec/files.md, FIL-5, FIL-7): a strict inner form, and a lenient search through mangled mails.

The search looks at every character a fixed number of times, whatever the text.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_BLOCKS, MAX_FILE, MAX_TEXT

BEGIN = "-----BEGIN PBEM FILE-----"
END = "-----END PBEM FILE-----"
_WIDTH = 64


def _mark(dash: str) -> re.Pattern[str]:
    """A line that begins or ends a block.

    A mail program may have put a line end and quoting between its words, and soft breaks of quoted-printable anywhere.
    A word processor makes longer dashes of the hyphens, and fewer of them.
    """
    soft = r"(?:=\r?\n)?"
    gap = r"(?:=20|[\s>|=]){1,40}"
    begin, end, pbem, file = (soft.join(word) for word in ("BEGIN", "END", "PBEM", "FILE"))
    dashes = rf"{dash}{soft}{dash}(?:{soft}{dash}){{0,3}}{soft}"
    return re.compile(rf"{dashes}(?:(?P<begin>{begin})|{end}){gap}{pbem}{gap}{file}{soft}{dashes}")


_MARK = _mark("-")  # found sooner: most texts are ASCII
_WIDE_MARK = _mark(r"[-\u2010-\u2015\u2212]")
_TAG = re.compile(r"<[^<>]{0,400}>")
_QUOTED = re.compile(r"(?:=[0-9A-Fa-f]{2})+")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]+")
# How some programs begin each line of what they quote or sign: `AK> `, `- `.
_QUOTING = re.compile(r"^[ \t>|]*(?:[A-Za-z][A-Za-z0-9]{0,7}>|-[ \t])", re.MULTILINE)
# What may stand between the letters of base64 without meaning anything; padding is put back afterwards.
_NOISE = re.compile(r"[\s>|=]+")
_LETTERS = re.compile(r"[A-Za-z0-9+/]*")


def wrap(raw: bytes) -> str:
    """The one armoured form of these bytes."""
    text = b64encode(raw).decode("ascii")
    lines = (text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return "\n".join((BEGIN, *lines, END, ""))


def unwrap(text: str) -> bytes:
    """Strict: exactly what `wrap` writes, nothing before or after (FIL-5)."""
    if len(text) > MAX_FILE * 3 // 2:
        raise Refusal("E-LARGE", f"This text is {len(text)} characters long, more than any file needs.", step="FIL-5")
    begin, end = BEGIN + "\n", END + "\n"
    if not text.startswith(begin):
        raise Refusal("E-ARMOUR", f"This text does not begin with the line {BEGIN}.", step="FIL-5")
    if not text.endswith("\n" + end):
        raise Refusal("E-ARMOUR-CUT", f"This text does not end with the line {END}: it was cut off.", step="FIL-5")
    letters = "".join(text[len(begin) : -len(end)].split("\n"))
    try:
        raw = b64decode(letters, validate=True)
    except (Base64Error, ValueError):
        raise _damaged("FIL-5", "it holds something that is not base64") from None
    if wrap(raw) != text:
        raise _damaged("FIL-5", "it is not in the one form that is allowed")
    return raw


def find_all(text: str) -> tuple[bytes, ...]:
    """The files in a text that mail programs have handled, each once, in order (FIL-7).

    A damaged block is passed over if another is whole; if none is, the first damage is the Refusal. No block: ().
    """
    if len(text) > MAX_TEXT:
        raise Refusal(
            "E-LARGE", f"This text is {len(text)} characters long; at most {MAX_TEXT} are looked through.", step="FIL-7"
        )
    plain = _from_html(text) if "<" in text or "&" in text else text
    if plain.isascii():
        marks = list(_MARK.finditer(plain))
    else:
        plain = _INVISIBLE.sub("", plain)
        marks = list(_WIDE_MARK.finditer(plain))
    found: dict[bytes, None] = {}
    damage: Refusal | None = None
    blocks = 0
    for here, following in zip(marks, [*marks[1:], None], strict=False):
        if not here["begin"]:
            continue
        blocks += 1
        if blocks > MAX_BLOCKS:
            raise Refusal(
                "E-LARGE", f"This text holds more than {MAX_BLOCKS} files; open them one by one.", step="FIL-7"
            )
        try:
            if following is None or following["begin"]:
                raise _cut()
            found[_letters(plain[here.end() : following.start()])] = None
        except Refusal as refusal:
            damage = damage or refusal
    if damage is not None and not found:
        raise damage
    return tuple(found)


def find(text: str) -> bytes | None:
    """The first file in a text; None if there is none."""
    found = find_all(text)
    return found[0] if found else None


def _decoded(codes: re.Match[str]) -> str:
    """A run of quoted-printable codes is UTF-8."""
    return bytes.fromhex(codes[0].replace("=", "")).decode(errors="ignore")


def _letters(block: str) -> bytes:
    """The bytes of a block whose lines were quoted, broken anew, or encoded once more for the mail."""
    plain = _INVISIBLE.sub("", _QUOTED.sub(_decoded, block))
    letters = _NOISE.sub("", _QUOTING.sub("", plain))
    if not _LETTERS.fullmatch(letters):
        raise _damaged("FIL-7", "between its marks stands something that is not base64")
    if len(letters) * 3 // 4 > MAX_FILE:
        raise Refusal("E-LARGE", f"The file in this text has more than {MAX_FILE} bytes.", step="FIL-7")
    try:
        raw = b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except (Base64Error, ValueError):
        raise _damaged("FIL-7", "its last letter is missing") from None
    if b64encode(raw).rstrip(b"=") != letters.encode():
        raise _damaged("FIL-7", "its last letter is wrong")
    return raw


def _cut() -> Refusal:
    return Refusal(
        "E-ARMOUR-CUT", f"This text has the line {BEGIN} but not the line {END}: it was cut off.", step="FIL-7"
    )


def _damaged(step: str, why: str) -> Refusal:
    return Refusal("E-ARMOUR", f"The armoured text is damaged: {why}. Ask for the file itself.", step=step)


def _from_html(text: str) -> str:
    import html  # its table of entities is large, and few mails want it

    return html.unescape(_TAG.sub("", text))
