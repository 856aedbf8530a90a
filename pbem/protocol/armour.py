"""Files as text (docs/spec/files.md, FIL-5, FIL-7): a strict inner form, and a lenient search through mangled mails.

The search looks at every character a fixed number of times, whatever the text.
"""

from __future__ import annotations

import codecs
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from itertools import chain

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_BLOCKS, MAX_FILE, MAX_TEXT

BEGIN = "-----BEGIN PBEM FILE-----"
END = "-----END PBEM FILE-----"
_WIDTH = 64


def _mark() -> re.Pattern[str]:
    """A line that begins or ends a block.

    A mail program may have put a line end and quoting between its words, and soft breaks of quoted-printable anywhere.
    A word processor makes longer dashes of the hyphens, and fewer of them.
    """
    soft = r"(?:=\r?\n)?"
    gap = r"(?:=20|[\s>|=]){1,40}"
    begin, end, pbem, file = (soft.join(word) for word in ("BEGIN", "END", "PBEM", "FILE"))
    dashes = rf"-{soft}-(?:{soft}-){{0,3}}{soft}"
    return re.compile(rf"{dashes}(?:(?P<begin>{begin})|{end}){gap}{pbem}{gap}{file}{soft}{dashes}")


_MARK = _mark()
_TAG = re.compile(r"<[^<>]{0,400}>")
# What HTML writes as a number of more digits than any character has: its reader would reckon with all of them.
_LONG = re.compile(r"&#(?:[0-9]{10,}|[xX][0-9a-fA-F]{10,})")
# Possessive: a repeated group would remember each of its millions of turns.
_QUOTED = re.compile(r"(?:=[0-9A-Fa-f]{2})++")
# How some programs begin each line of what they quote or sign: `AK> `, `- `.
_QUOTING = re.compile(r"^[ \t>|]*(?:[A-Za-z][A-Za-z0-9]{0,7}>|-[ \t])", re.MULTILINE)
# What may stand between the letters of base64 without meaning anything; padding is put back afterwards.
_NOISE = dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f >|="))
_LETTERS = re.compile(r"[A-Za-z0-9+/]*+")
_WIDE = re.compile(r"[^\x00-\x7f]")
_MEANT = {
    **dict.fromkeys(("\xad", *map(chr, range(0x200B, 0x2010)), "\u2060", "\ufeff"), ""),  # invisible
    **dict.fromkeys((*map(chr, range(0x2010, 0x2016)), "\u2212"), "-"),  # a word processor's
}
CHUNK = 1 << 18
"""Characters that are worked on at once. What is made of one may be many times as large, and is then gone."""


def wrap(raw: bytes) -> str:
    """The one armoured form of these bytes."""
    text = b64encode(raw).decode("ascii")
    lines = (text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return "\n".join((BEGIN, *lines, END, ""))


def plain(raw: bytes) -> str:
    """A text in UTF-8 as `find_all` looks through it, in little more memory than its bytes take."""
    if raw.isascii():
        return raw.decode("ascii")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    parts = [_ascii(decoder.decode(raw[at : at + CHUNK])) for at in range(0, len(raw), CHUNK)]
    return "".join((*parts, _ascii(decoder.decode(b"", final=True))))


def find_all(text: str) -> tuple[bytes, ...]:
    """The files in a text that mail programs have handled, each once, in order (FIL-7).

    A damaged block is passed over if another is whole; if none is, the first damage is the Refusal. No block: ().
    """
    if len(text) > MAX_TEXT:
        raise Refusal(
            "E-LARGE", f"This text is {len(text)} characters long; at most {MAX_TEXT} are searched.", step="FIL-7"
        )
    text = _ascii(text)
    if "<" in text or "&" in text:
        text = _from_html(text)
    found: dict[bytes, None] = {}
    damage: Refusal | None = None
    blocks = 0
    begun: int | None = None
    for mark in chain(_MARK.finditer(text), (None,)):
        try:
            if begun is not None and (mark is None or mark["begin"]):
                raise _cut()
            if begun is not None and mark is not None:
                found[_letters(text, begun, mark.start())] = None
        except Refusal as refusal:
            damage = damage or refusal
        begun = mark.end() if mark is not None and mark["begin"] else None
        blocks += begun is not None
        if blocks > MAX_BLOCKS:
            raise Refusal(
                "E-LARGE", f"This text holds more than {MAX_BLOCKS} files; open them one by one.", step="FIL-7"
            )
    if damage is not None and not found:
        raise damage
    return tuple(found)


def _ascii(text: str) -> str:
    """What is invisible goes, dashes and blanks become those of ASCII, and all else beyond it a sign that no file has.

    A single character of four bytes would make each character of its text as large.
    """
    return text if text.isascii() else _WIDE.sub(_meant, text)


def _meant(wide: re.Match[str]) -> str:
    sign = wide[0]
    return _MEANT.get(sign, " " if sign.isspace() else "?")


def _chunks(text: str, end: Callable[[str, int], int], at: int = 0, last: int | None = None) -> Iterator[str]:
    """The text from `at` to `last` in pieces; `end` says where one that may end at this place does."""
    last = len(text) if last is None else last
    while at < last:
        after = min(end(text, at + CHUNK), last) if at + CHUNK < last else last
        yield text[at:after]
        at = after


def _after_code(text: str, at: int) -> int:
    """Not within a run of codes."""
    code = text.find("=", at - 2, at)
    run = _QUOTED.match(text, code if code >= 0 else at)
    return run.end() if run else at


def _before(sign: str) -> Callable[[str, int], int]:
    def end(text: str, at: int) -> int:
        found = text.find(sign, at)
        return found if found >= 0 else len(text)

    return end


_BEFORE_LINE, _BEFORE_TAG, _BEFORE_REFERENCE = map(_before, "\n<&")


def _decoded(codes: re.Match[str]) -> str:
    """A run of quoted-printable codes is UTF-8."""
    return _ascii(bytes.fromhex(codes[0].replace("=", "")).decode(errors="ignore"))


def _letters(text: str, begin: int, end: int) -> bytes:
    """The bytes of a block whose lines were quoted, broken anew, or encoded once more for the mail."""
    decoded = "".join(_QUOTED.sub(_decoded, piece) for piece in _chunks(text, _after_code, begin, end))
    letters = "".join(_QUOTING.sub("", piece).translate(_NOISE) for piece in _chunks(decoded, _BEFORE_LINE))
    if not _LETTERS.fullmatch(letters):
        raise _damaged("FIL-7", "it contains something that is not base64")
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
    return Refusal("E-CUT", f"This text has the line {BEGIN} but not the line {END}: it was cut off.", step="FIL-7")


def _damaged(step: str, why: str) -> Refusal:
    return Refusal("E-FILE", f"The armoured text is damaged: {why}. Ask for the file itself.", step=step)


def _from_html(text: str) -> str:
    import html  # its table of entities is large, and few mails want it

    bare = "".join(_TAG.sub("", piece) for piece in _chunks(text, _BEFORE_TAG))
    return "".join(_ascii(html.unescape(_LONG.sub("?", piece))) for piece in _chunks(bare, _BEFORE_REFERENCE))
