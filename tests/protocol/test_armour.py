"""Armour survives what mail programs do to it (FIL-5, FIL-7)."""

from __future__ import annotations

import gc
import html
import quopri
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import armour, limits
from pbem.protocol.armour import BEGIN, END, find_all, wrap
from pbem.protocol.errors import Refusal

RAW = bytes(range(256)) + b"\xfb\xff\xfe"
TEXT = wrap(RAW)
LINES = TEXT.split("\n")


def refused(function, text):
    with pytest.raises(Refusal) as caught:
        function(text)
    return caught.value.code, caught.value.step


def requote(text, mark):
    return "".join(f"{mark}{line}\n" for line in text.split("\n"))


def rewrap(text, width):
    """What a mail program that fills paragraphs does."""
    words = " ".join(text.split()).split(" ")
    lines = [""]
    for word in words:
        while word:
            room = width - len(lines[-1]) - 1
            if lines[-1] and len(word) > room and len(word) <= width:
                lines.append("")
            else:
                lines[-1] += (" " if lines[-1] else "") + word[:width]
                word = word[width:]
                if word:
                    lines.append("")
    return "\n".join(lines)


def quoted_printable(text):
    return quopri.encodestring(text.encode(), quotetabs=True).decode()


MANGLES = [
    lambda text: requote(text, "> "),
    lambda text: requote(text, ">"),
    lambda text: requote(text, "   "),
    lambda text: requote(text, "| "),
    lambda text: requote(text, "\u00a0"),
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "  \n"),
    lambda text: text.replace("\n", "\n\n"),
    lambda text: rewrap(text, 40),
    lambda text: rewrap(text, 76),
    lambda text: rewrap(text, 1000),
    lambda text: "Hello,\n\nhere it is --\n" + text + "\n-- \nAlice",
    lambda text: "\ufeff" + text,
]


@given(st.binary(max_size=600))
def test_round_trip(raw):
    text = wrap(raw)
    assert find_all(text) == (raw,)
    assert all(len(line) <= 64 for line in text.split("\n"))
    assert text.isascii()


@given(st.binary(max_size=300), st.lists(st.sampled_from(MANGLES), max_size=5))
@settings(max_examples=200)
def test_mails_may_mangle_it(raw, mangles):
    text = wrap(raw)
    for mangle in mangles:
        text = mangle(text)
    assert find_all(text) == (raw,)


@given(st.binary(max_size=300), st.sampled_from(MANGLES), st.sampled_from((quoted_printable, html.escape)))
def test_mails_may_encode_it_once_more(raw, mangle, encode):
    assert find_all(encode(mangle(wrap(raw)))) == (raw,)


def test_a_damaged_file_does_not_hide_a_whole_one():
    assert find_all(TEXT[: TEXT.index(END)] + wrap(b"other")) == (b"other",)
    assert find_all(wrap(b"other").replace("b", "*") + TEXT) == (RAW,)
    assert find_all(END + TEXT + END) == (RAW,)


def test_blocks_from_both_sides():
    texts = [wrap(n.to_bytes(2, "big")) for n in range(limits.MAX_BLOCKS + 1)]
    assert len(find_all("".join(texts[:-1]))) == limits.MAX_BLOCKS
    assert refused(find_all, "".join(texts)) == ("E-LARGE", "FIL-7")


def test_a_file_that_is_too_large():
    assert refused(find_all, "x" * (limits.MAX_TEXT + 1)) == ("E-LARGE", "FIL-7")
    assert refused(find_all, wrap(bytes(limits.MAX_FILE + 3))) == ("E-LARGE", "FIL-7")
    assert find_all(wrap(bytes(limits.MAX_FILE))) == (bytes(limits.MAX_FILE),)


def test_html():
    page = "<html><body><p>" + "<br/>".join(html.escape(f"> {line}") for line in LINES) + "</p></body></html>"
    assert find_all(page) == (RAW,)
    coded = page.replace("+", "&#43;").replace("<br/>", "<br>").replace("</", "\0").replace("/", "&#47;")
    assert find_all(coded.replace("\0", "</")) == (RAW,)


def test_a_reference_of_a_million_digits_is_damage():
    assert refused(find_all, f"{BEGIN}\n&#{'9' * 1_000_000};\n{END}\n") == ("E-FILE", "FIL-7")
    assert find_all(html.escape(TEXT).replace("A", "&#0065;")) == (RAW,)


@pytest.mark.parametrize("size", [armour.CHUNK - 2, armour.CHUNK - 1, armour.CHUNK, armour.CHUNK + 1])
def test_no_seam_shows_where_a_text_is_cut_for_work(size):
    """Codes, lines, tags, references and characters of several bytes that lie across the place."""
    letters = wrap(bytes(300_000)).split("\n")
    body = "".join(letters[1:-2])
    for piece in ("=41=E2=80=8B=41", "<b>AA</b>", "&#65;&gt;A", "\n> AK> AA\n", "A\u200bA"):
        lead = body[: size - len(piece) // 2]
        text = f"{BEGIN}\n{lead}{piece}{body[len(lead) + 2 :]}\n{END}\n"
        expected = find_all(text[: len(BEGIN) + 1] + lead + "AA" + text[len(BEGIN) + 1 + len(lead) + len(piece) :])
        assert find_all(text) == expected
        assert find_all(armour.plain(text.encode())) == expected


HOSTILE = [
    "-----BEGIN ",
    "-----BEGIN PBEM ",
    "-----BEGIN>>",
    "<",
    "<a",
    "&",
    "&#",
    "=",
    "=2",
    "=C3",
    "> ",
    "-",
    "-=\n",
    BEGIN,
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_take_linear_time(piece):
    """Eight times the text takes at most some twenty times as long."""

    def cost(size):
        text = piece * (size // len(piece))
        spent = []
        for _ in range(3):  # the least: a cold cache is no cost of the text
            start = time.process_time()
            try:
                find_all(text)
            except Refusal as refusal:
                assert refusal.step == "FIL-7"  # noqa: PT017  (too many blocks, or one without end)
            spent.append(time.process_time() - start)
        return min(spent)

    gc.disable()  # nor is the collector's turn
    try:
        assert cost(320_000) < 20 * max(cost(40_000), 0.004)
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\n".join(f"AK> {line}" for line in text.splitlines()),
        lambda text: "\n".join(f">> Bob1> {line}" for line in text.splitlines()),
        lambda text: "\n".join(f"- {line}" if line.startswith("-") else line for line in text.splitlines()),
        lambda text: text.replace("-----", "\u2014\u2014-"),
        lambda text: text.replace("-----", "\u2013\u2013"),
        lambda text: "\n".join(
            "\u200b".join(line[at : at + 7] for at in range(0, 70, 7)) for line in text.splitlines()
        ),
    ],
    ids=["named quoting", "nested named quoting", "signed by PGP", "long dashes", "two dashes", "invisible breaks"],
)
@given(raw=st.binary(min_size=1, max_size=300))
def test_what_else_programs_do_to_lines(change, raw):
    assert find_all(f"Hello\n{change(wrap(raw))}\nAlice") == (raw,)
