"""Canonical msgpack: ENC-4..ENC-8."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.protocol.canonical import pack
from pbem.protocol.limits import MAX_MEMBERS
from tools.vectors.vector import SUCCESS, Vector

_INTS = (0, 127, 128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**63 - 1)
_GOOD = {
    "scalars": ("every kind of scalar in a map", pack({"a": None, "b": True, "c": False, "d": 0, "e": "", "f": b""})),
    "integers": (
        "the ends of every length of integer",
        pack([*_INTS, -1, -32, -33, -128, -129, -32_768, -32_769, -(2**31), -(2**31) - 1, -(2**63)]),
    ),
    "strings": ("lengths of text at which the head changes", pack(["x" * n for n in (0, 31, 32, 255, 256)])),
    "unicode": ("text is UTF-8, any plane", pack(["Übergang", "☃", "\U0001f3b2"])),
    "bins": ("lengths of bin at which the head changes", pack([bytes(n) for n in (0, 255, 256)])),
    "arrays": ("lengths of array at which the head changes", pack([[None] * 15, [None] * 16])),
    "map16": ("a map of sixteen", pack({f"k{n:02}": n for n in range(16)})),
    "key-order": (
        "keys ascend by bytes: digits, underscore, letters",
        pack({"0": 0, "_": 1, "a": 2, "a_b": 3, "ab": 4}),
    ),
    "depth-16": ("sixteen arrays, one inside the other", b"\x91" * 15 + b"\x90"),
    "arrays-16384": (
        "as many arrays as a value may hold",
        b"\x95" + (b"\xdc\x0f\xff" + b"\x90" * 4_095) * 3 + b"\xdc\x0f\xfd" + b"\x90" * 4_094,
    ),
    "members-4096": ("the longest array", pack([None] * MAX_MEMBERS)),
}
_BAD: dict[str, tuple[str, str, str, bytes]] = {
    "float64": ("E-CANON", "ENC-4", "a float", bytes.fromhex("cb3ff0000000000000")),
    "float32": ("E-CANON", "ENC-4", "a short float", bytes.fromhex("ca3f800000")),
    "ext": ("E-CANON", "ENC-4", "an extension", bytes.fromhex("d40100")),
    "timestamp": ("E-CANON", "ENC-4", "a timestamp", bytes.fromhex("d6ff00000000")),
    "uint64": ("E-CANON", "ENC-4", "2^63", bytes.fromhex("cf8000000000000000")),
    "unused": ("E-CANON", "ENC-4", "the byte that msgpack never uses", b"\xc1"),
    "long-u8": ("E-CANON", "ENC-5", "127 in two bytes", bytes.fromhex("cc7f")),
    "long-u16": ("E-CANON", "ENC-5", "255 in three bytes", bytes.fromhex("cd00ff")),
    "long-u32": ("E-CANON", "ENC-5", "65,535 in five bytes", bytes.fromhex("ce0000ffff")),
    "long-u64": ("E-CANON", "ENC-5", "2^32-1 in nine bytes", bytes.fromhex("cf00000000ffffffff")),
    "long-i8": ("E-CANON", "ENC-5", "-32 in two bytes", bytes.fromhex("d0e0")),
    "signed-positive": ("E-CANON", "ENC-5", "200 in a signed form", bytes.fromhex("d100c8")),
    "long-str": ("E-CANON", "ENC-5", "a text of 31 with the head of a longer one", b"\xd9\x1f" + b"x" * 31),
    "long-bin": ("E-CANON", "ENC-5", "a bin of one with a long head", bytes.fromhex("c5000100")),
    "long-array": ("E-CANON", "ENC-5", "an array of one with a long head", bytes.fromhex("dc0001c0")),
    "long-map": ("E-CANON", "ENC-5", "a map of one with a long head", bytes.fromhex("de0001a161c0")),
    "keys-unsorted": ("E-CANON", "ENC-5", "keys b, a", bytes.fromhex("82a16201a16102")),
    "keys-twice": ("E-CANON", "ENC-5", "key a twice", bytes.fromhex("82a16101a16101")),
    "key-bin": ("E-CANON", "ENC-5", "a key that is bin", bytes.fromhex("81c4016100")),
    "key-integer": ("E-CANON", "ENC-5", "a key that is an integer", bytes.fromhex("810100")),
    "key-capital": ("E-CANON", "ENC-5", "a key with a capital letter", bytes.fromhex("81a14100")),
    "key-empty": ("E-CANON", "ENC-5", "an empty key", bytes.fromhex("81a000")),
    "key-33": ("E-CANON", "ENC-5", "a key of 33 letters", b"\x81\xd9\x21" + b"k" * 33 + b"\x00"),
    "utf8-broken": ("E-CANON", "ENC-5", "text that ends inside a letter", bytes.fromhex("a1c3")),
    "utf8-overlong": ("E-CANON", "ENC-5", "an overlong form of /", bytes.fromhex("a2c0af")),
    "utf8-surrogate": ("E-CANON", "ENC-5", "half a surrogate pair", bytes.fromhex("a3eda080")),
    "depth-17": ("E-CANON", "ENC-6", "seventeen arrays, one inside the other", b"\x91" * 16 + b"\x90"),
    "depth-2000": ("E-CANON", "ENC-6", "deep enough to exhaust a reader that recurses", b"\x91" * 2000 + b"\x90"),
    "empty": ("E-CANON", "ENC-7", "no bytes at all", b""),
    "cut-text": ("E-CANON", "ENC-7", "text shorter than its head says", b"\xa5abc"),
    "cut-array": ("E-CANON", "ENC-7", "an array that lacks a member", b"\x92\x01"),
    "cut-head": ("E-CANON", "ENC-7", "a head without its length", b"\xda\x01"),
    "trailing": ("E-CANON", "ENC-7", "a byte after the value", b"\x90\xc0"),
    "members-4097": ("E-LARGE", "ENC-8", "an array of one member too many", b"\xdc\x10\x01" + b"\xc0" * 4097),
    "arrays-16385": (
        "E-LARGE",
        "ENC-8",
        "one array too many in all",
        b"\x94" + (b"\xdc\x10\x00" + b"\x90" * 4_096) * 3 + b"\xdc\x0f\xfc" + b"\x90" * 4_092,
    ),
    "members-claimed": ("E-LARGE", "ENC-8", "an array that claims 2^32-1 members", b"\xdd\xff\xff\xff\xff\xc0"),
}


def vectors() -> Iterator[Vector]:
    for name, (comment, payload) in _GOOD.items():
        yield Vector(f"canonical-{name}", "canonical", SUCCESS, "ENC-5", comment, payload)
    for name, (code, step, comment, payload) in _BAD.items():
        yield Vector(f"canonical-{name}", "canonical", code, step, comment, payload)
