"""Every byte of a short game changed: nothing passes, and what is said fits the place."""

from __future__ import annotations

from io import BytesIO

import pytest
from mailed import a_turn, contents, opened
from victim import archive, code_of, flips, fresh, offered, records, regions, said, verdict

from pbem.home import summary
from pbem.protocol.armour import find_all, wrap
from pbem.protocol.container import HEAD, Item, ItemType, read, read_stream, write
from pbem.protocol.errors import Refusal
from pbem.protocol.listing import parse_listing

BROKEN = {"E-FORM", "E-CANON", "E-LARGE"}
"""What is no record in its one form."""
SIGNED = {"E-SIGNATURE"}
FORM = BROKEN | {"E-FORM"}

# What a changed byte may be called, by the field that it belongs to.
CODES = {
    "form": FORM,
    "signature": SIGNED,
    "at": FORM | SIGNED,
    "by": FORM | SIGNED | {"E-GAME", "E-OFFER", "E-PREV", "E-INCOMPLETE", "E-START"},
    "data": FORM | SIGNED | {"E-FORM", "E-TEXT", "E-KEY", "E-VERSION", "E-OFFER"},
    "game": FORM | {"E-GAME", "E-INCOMPLETE"},
    "heads": FORM | {"E-HEADS", "E-INCOMPLETE"},
    "kind": FORM | SIGNED | {"E-FORM"},
    "note": FORM | SIGNED,
    "pin": FORM | SIGNED | {"E-OFFER", "E-PREV", "E-START"},
    "prev": FORM | SIGNED | {"E-PREV", "E-INCOMPLETE", "E-START"},
    "seq": FORM | SIGNED | {"E-START", "E-PREV", "E-INCOMPLETE"},
    "v": FORM | {"E-VERSION"},
}

# What a changed byte of a container's head may be called, by its place (FIL-1).
HEADS = [
    *[{"E-NOTHING"}] * 4,
    {"E-VERSION"},
    {"E-VERSION", "E-FILE"},
    *[{"E-FILE"}] * 2,
    *[{"E-LARGE", "E-FILE"}] * 4,
    *[{"E-FILE", "E-CUT", "E-CANON"}] * 4,
    *[{"E-FILE"}] * 4,
]
ARMOUR = {"E-FILE", "E-CUT"}


def expected(at: int) -> set[str]:
    return HEADS[at] if at < HEAD else {"E-FILE"}


def refused(raw: bytes) -> str:
    codes = set()
    for reader in (read, lambda file: tuple(read_stream(BytesIO(file)))):
        with pytest.raises(Refusal) as caught:
            reader(raw)
        codes.add(caught.value.code)
        assert caught.value.sentence
        assert caught.value.step
    # A stream cannot know that another length is wrong before it has read what then looks like something else.
    assert len(codes) == 1 or codes <= {"E-CANON", "E-FILE", "E-CUT"}
    return min(codes - {"E-FILE"}) if len(codes) > 1 else codes.pop()


# The file


def test_every_byte_of_the_archive_file():
    raw = write(archive())
    for at, flipped in flips(raw):
        assert refused(flipped) in expected(at), at


def test_every_bit_of_the_head_and_the_tail():
    raw = write(archive())
    for at in (*range(HEAD), *range(len(raw) - 8, len(raw))):
        for bit in range(8):
            flipped = raw[:at] + bytes((raw[at] ^ 1 << bit,)) + raw[at + 1 :]
            assert refused(flipped) in expected(at), (at, bit)


def test_every_character_of_an_armoured_turn():
    """A reader finds the very same file, or nothing that can be opened."""
    raw = write(archive()[3:5])
    text = wrap(raw)
    for at in range(len(text)):
        for other in ("\x00", " ", "\n", "A", "-", "=", ">", "é"):
            changed = text[:at] + other + text[at + 1 :]
            if changed == text:
                continue
            # Another letter of base64 makes another file.
            assert code_of(lambda: all(file == raw or refused(file) for file in find_all(changed))) in ARMOUR | {"ok"}  # noqa: B023


# Behind the container


def flip_records(chosen) -> int:
    replay = fresh()
    count = 0
    for record in records():
        names = regions(record.raw)
        for at, flipped in chosen(record.raw):
            code = offered(replay, flipped)
            assert code in CODES[names[at]], (record.kind, names[at], at, code)
            count += 1
        assert offered(replay, record.raw) == "ok"
    return count


def test_every_byte_of_every_record():
    assert flip_records(flips) > 10_000


@pytest.mark.slow
def test_every_bit_of_every_record(some):
    assert flip_records(lambda raw: some(list(flips(raw, thorough=True)), 15)) > 5_000


def test_every_byte_of_the_lists_of_draws():
    """Level 3 holds them against what the rules drew: so it is enough that no change reads as the same list."""
    lists = [item.raw for item in archive() if item.type is ItemType.DRAWS]
    assert lists
    for raw in lists:
        listing = parse_listing(raw)
        for _, flipped in flips(raw, thorough=True):
            code = code_of(parse_listing, flipped)
            assert code in BROKEN | {"E-DRAW"} or parse_listing(flipped) != listing


def test_the_verdict_names_the_changed_item():
    """Whole archives, one changed byte in every item of each: the first bad record is the one that was changed."""
    items = list(archive())
    later = 0
    for number, item in enumerate(items):
        at = (number * 131) % len(item.raw)
        changed = item.raw[:at] + bytes((item.raw[at] ^ 1 << number % 8,)) + item.raw[at + 1 :]
        found = verdict([*items[:number], Item(item.type, changed), *items[number + 1 :]])
        assert not found.ok
        if item.type is ItemType.DRAWS:
            assert found.first_bad is not None
            assert found.first_bad.code in BROKEN | {"E-DRAW"}
            continue
        region = regions(item.raw)[at]
        if found.first_bad is None:
            assert found.incomplete
            assert region in ("game", "heads", "prev", "by", "seq")
        else:
            assert found.first_bad.code in CODES[region]
            assert found.first_bad.step
        before = sum(each.type is ItemType.RECORD for each in items[:number])
        assert found.counts.records == before
        later += 1
    assert later == len(records())


def test_types_of_items_are_not_exchangeable():
    items = list(archive())
    for number in range(0, len(items), 5):
        for kind in ItemType:
            if kind is not items[number].type:
                assert said([*items[:number], Item(kind, items[number].raw), *items[number + 1 :]]) != "ok"


# At the desk


def test_every_byte_of_a_turn_that_is_opened(tmp_path):
    """What is refused has changed nothing in the home; what cannot be judged yet waits, and hinders nothing."""
    desk, name, raw = a_turn(tmp_path)
    before = contents(tmp_path)
    for _, flipped in flips(raw):
        assert all(code != "ok" for code in opened(desk, flipped))
    record, message = read(raw)
    assert (record.type, message.type) == (ItemType.RECORD, ItemType.MESSAGE)
    names = regions(record.raw)
    for at, flipped in flips(record.raw):
        (code,) = opened(desk, write([Item(ItemType.RECORD, flipped)]))
        wanted = CODES[names[at]]
        assert code in wanted or (code == "ok" and "E-INCOMPLETE" in wanted), (names[at], at, code)
    for _, flipped in flips(message.raw):
        (code,) = opened(desk, write([record, Item(ItemType.MESSAGE, flipped)]))
        assert code in BROKEN | {"E-FORM", "E-TEXT"}
    assert contents(tmp_path) == before
    rows = summary.row(desk, name)
    assert opened(desk, raw) == ["ok"]
    assert summary.row(desk, name) != rows
