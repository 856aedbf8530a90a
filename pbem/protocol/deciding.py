"""What a ruling changes in a log: whose key holds, which branch of a fork is the main chain (LOG-7, LOG-9, MEA-10)."""

from __future__ import annotations

from pbem.protocol.chains import Chain, Fork
from pbem.protocol.held import Held, Ruled
from pbem.protocol.record import Record
from pbem.protocol.rows import Rows
from pbem.protocol.ruling import Ruling


class Deciding(Held):
    """The part of a log that counts rulings. They have been judged before (`Log.judge`)."""

    __slots__ = ()

    def _vote(self, record: Record, ruling: Ruling) -> Ruled | None:
        """Count a ruling; what holds now, if this one was the last that was wanting."""
        if ruling.card is None and ruling.branch is None:
            return None
        votes = self._votes.setdefault(ruling.subject, {})
        if record.by in votes:
            return None
        votes[record.by] = (record.by, record.seq)
        if set(votes) != set(ruling.needed):
            return None
        members = tuple(votes[by] for by in ruling.needed)
        weights = [(sum(self.past_at(*member)), member[0]) for member in members]
        ruled = Ruled(ruling, members, max(weights))
        self.ruled.append(ruled)
        return ruled

    def _decide(self, ruled: Ruled) -> None:
        """A fork is decided: the branch that is kept becomes the main chain (MEA-10)."""
        branch = ruled.ruling.branch
        assert branch is not None
        main = self._main[branch.by]
        number = next((n for n, fork in enumerate(self.forks) if fork.first in (branch.keep, branch.drop)
                       and (fork.by, fork.seq) == (branch.by, branch.seq)), None)  # fmt: skip
        if number is None:
            number = len(self.forks)
            rival = branch.drop if main.id(branch.seq) == branch.keep else branch.keep
            side = Chain(Rows(len(self.authors)), main.card_at(branch.seq), branch.seq)
            self.forks.append(Fork(branch.by, branch.seq, rival, side))
        fork = self.forks[number]
        fork.rulers, fork.keep = ruled.members, branch.keep
        if fork.first == branch.keep:
            main.exchange(fork.side)
            fork.first = branch.drop
            self._turn(number, fork)
            self.revision += 1

    def _turn(self, number: int, fork: Fork) -> None:
        """After main chain and side branch changed places: so do the records built on them."""
        column = self._columns[fork.by]
        for seq in range(fork.side.base, fork.side.end):
            record_id = fork.side.rows.id(seq - fork.side.base)
            self._sides.setdefault(record_id, {})[number] = seq + 1
        for seq in range(fork.seq, self._main[fork.by].end):
            self._leave(self._main[fork.by].rows.id(seq), number)
        for by, chain in self._main.items():
            if by == fork.by:
                continue
            for seq in range(chain.end):
                record_id = chain.rows.id(seq)
                past = chain.row(seq)[1]
                known = self._sides.get(record_id, {}).get(number, 0)
                if known:
                    self._leave(record_id, number)
                    chain.rows.set_past(seq, (*past[:column], known, *past[column + 1 :]))
                elif past[column] > fork.seq:
                    self._sides.setdefault(record_id, {})[number] = past[column]
                    chain.rows.set_past(seq, (*past[:column], fork.seq, *past[column + 1 :]))

    def _leave(self, record_id: bytes, number: int) -> None:
        side = self._sides.get(record_id)
        if side is not None:
            side.pop(number, None)
            if not side:
                del self._sides[record_id]
