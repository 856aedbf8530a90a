"""A mail takes about the memory of its bytes on its way in, whatever its lines are."""

import tracemalloc

from mailhomes import seen_at

from pbem.mail.connect import Secrets
from pbem.mail.settings import Local
from pbem.mail.ways import open_inbox

SIZE = 4 << 20


def peak(call):
    tracemalloc.start()
    try:
        found = call()
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_mbox_of_short_lines(tmp_path):
    raw = b"From a\n" + b"ab\n" * (SIZE // 3)
    (tmp_path / "box").write_bytes(raw)
    seen = seen_at(tmp_path)
    box = open_inbox(Local("mbox", str(tmp_path / "box")), Secrets(lambda _: None), 0)
    (found,), most = peak(lambda: list(box.fresh(seen)))
    assert found.raw == raw[7:]
    assert most < 5 * SIZE
