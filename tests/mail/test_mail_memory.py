"""A mail takes about the memory of its bytes on its way in, whatever its lines are."""

import tracemalloc

from pbem.mail.inbox import Seen
from pbem.mail.local import open_local
from pbem.mail.pop import _mail
from pbem.mail.settings import Local
from pbem.table.disk import Disk

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
    seen = Seen(tmp_path / "seen", Disk())
    (found,), most = peak(lambda: list(open_local(Local("mbox", str(tmp_path / "box"))).fresh(seen)))
    assert found.raw == raw[7:]
    assert most < 5 * SIZE


class Line:
    """A POP3 server that hands out one mail."""

    def __init__(self):
        self.lines = iter([b"..dot", *[b"ab"] * (SIZE // 4), b"."])

    def _shortcmd(self, line):
        assert line == "RETR 3"

    def _getline(self):
        return next(self.lines), 0


def test_a_mail_of_short_lines_from_pop():
    line = Line()
    raw, most = peak(lambda: _mail(line, 3))
    assert raw.startswith(b".dot\r\nab\r\nab\r\n")
    assert len(raw) == 6 + SIZE
    assert most < 5 * SIZE
