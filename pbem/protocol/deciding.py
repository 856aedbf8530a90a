"""What a ruling changes in a log: whose key holds, which branch of a fork is the main chain (LOG-7, LOG-9, MEA-10)."""

from __future__ import annotations

from pbem.protocol.chains import Chain, Fork, Place
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis
from pbem.protocol.held import Held, Ruled
from pbem.protocol.record import Record
from pbem.protocol.rows import Rows, Vector
from pbem.protocol.ruling import Ruling, ruling_of


class Deciding(Held):
    """The part of a log that judges and counts rulings."""

    __slots__ = ()

    def _ruling(self, genesis: Genesis, record: Record, past: Vector, known: dict[int, int]) -> Ruling:
        """What a ruling says that has this past, and knows the side branch of fork n up to record `known[n]`."""

        def place(record_id: bytes) -> Place | None:
            found = self.find(record_id)
            if found is not None:
                return found if past[self._columns[found[0]]] > found[1] else None
            for number, fork in enumerate(self.forks):
                seq = fork.side.find(record_id)
                if seq is not None and known.get(number, 0) > seq:
                    return fork.by, seq
            return None

        ruling = ruling_of(genesis, record, place, self._signer)
        if ruling.branch is not None:
            for earlier in self._ruling_records:
                # One author chooses once: two rulings that choose differently could never be told apart later.
                said = earlier.data
                same = earlier.by == record.by and said["what"] == "branch" and said["keep"] != ruling.branch.keep
                if same and {said["keep"], said["drop"]} & {ruling.branch.keep, ruling.branch.drop}:
                    raise Refusal("E-RULING", "Its author has ruled on this fork before, differently.", step="MEA-10")
        return ruling

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
