"""Staying: rounds whenever mail has come, something new lies in the outbox, or the time has come; until told to stop.

A way that breaks is tried again after a wait that doubles. One that a person has to mend (a refused password) is tried
rarely, since providers lock accounts that knock too often.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from pbem.mail.account import Account, Round
from pbem.mail.sync import Sync
from pbem.table.desk import Desk

_SLICE: Final = 1.0
"""Seconds between two looks at the outbox and at the wish to stop."""
_FIRST_WAIT: Final = 5.0
_LONGEST_WAIT: Final = 900.0
_LASTING_WAIT: Final = 900.0


class Watch:
    """`stop` is asked often and may be set by a signal; `tell` gets every round that did or found something."""

    def __init__(
        self,
        desk: Desk,
        sync: Sync,
        accounts: Sequence[Account],
        *,
        tell: Callable[[Round], None],
        stop: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk = desk
        self._sync = sync
        self._accounts = tuple(accounts)
        self._tell = tell
        self._stop = stop
        self._sleep = sleep
        self._monotonic = monotonic

    def run(self) -> None:
        wait = _FIRST_WAIT
        fetch = True
        while not self._stop():
            written = self._desk.outbox.addresses.stamp_of_all()
            done = self._sync.round(fetch=fetch)
            self._tell(done)
            if done.faults:
                lasting = any(fault.lasting for fault in done.faults)
                pause = max(wait, _LASTING_WAIT) if lasting else wait
                wait = min(2 * wait, _LONGEST_WAIT)
            else:
                pause, wait = (
                    float(min((account.settings.poll for account in self._accounts), default=300)),
                    _FIRST_WAIT,
                )
            fetch = self._rest(pause, written, idle=not done.faults)
        self._sync.close()

    def _rest(self, pause: float, written: int, *, idle: bool) -> bool:
        """Until something is to be done; False when that is only to send."""
        until = self._monotonic() + pause
        while not self._stop() and (left := until - self._monotonic()) > 0:
            if self._desk.outbox.addresses.stamp_of_all() != written:
                return False
            if idle and came(self._accounts, min(_SLICE, left), self._sleep, self._monotonic):
                return True
            if not idle:
                self._sleep(min(_SLICE, left))
        return True


def came(
    accounts: Sequence[Account],
    seconds: float,
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> bool:
    """One slice of waiting, at the ways that can tell by themselves that mail has come (IMAP IDLE), or asleep."""
    began = monotonic()
    inboxes = [inbox for account in accounts for inbox in account.inboxes]
    for inbox in inboxes:
        if inbox.wait(seconds / len(inboxes)):
            return True
    sleep(max(0.0, seconds - (monotonic() - began)))
    return False
