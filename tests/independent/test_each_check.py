"""Each check of the second verifier is needed: without it some vector comes out otherwise."""

from __future__ import annotations

from dropping import HERE, unnoticed

# Bounds of which a vector would be too large to keep; tests/protocol has them from both sides.
BOUNDS = {
    'need(count <= 4096 and arrays <= 16384 and members <= 2**19, "E-LARGE", "ENC-8")',
    'need(left, "E-LARGE", "FIL-3")',
    'need(total <= 2**27 and all_of <= 2**19, "E-LARGE", "FIL-4")',
    'need(kind not in (5, 6) or large <= 2**22, "E-LARGE", "FIL-4")',
    'need(1 <= size <= 512 and len(can) <= 512, "E-DECK", "HID-15")',
    'need(len(self.slots) <= 1024, "E-LARGE", "HID-20")',
    'need(sum(h[0] == by for h in self.hidden.values()) <= 512, "E-LARGE", "HID-2")',
    'need(len(self.standing) <= 256, "E-LARGE", "HID-6")',
    'need(len(self.moot) <= 65_536, "E-DRAW", "FIL-6")',
    'need(len(mail) <= 2**24, "E-LARGE", "FIL-7")',
}


def test_each_check_has_a_vector():
    found = set()
    for check in unnoticed():
        module, line = check.split("/")[0].split(":")
        found.add((HERE / f"{module}.py").read_text().splitlines()[int(line) - 1].strip())
    assert found == BOUNDS
