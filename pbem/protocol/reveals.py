"""What witnesses have shown: nonces, values of chains, and the keys that follow (docs/spec/chance.md, CHA-4, CHA-6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.protocol.chance import check_value, first_key, group_key
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN, Genesis, Join, check_nonce
from pbem.protocol.limits import ORDERS_KEPT
from pbem.protocol.record import UMPIRE


@dataclass(frozen=True, slots=True)
class Mark:
    """An orders record for which dice may be wanted: its chain, and the chain's value once shown."""

    by: int
    seq: int
    cid: bytes
    x: bytes | None = None


class Reveals:
    """Bounded: of each author's orders the last ORDERS_KEPT are remembered, of each chain the last value shown."""

    __slots__ = ("_chains", "_genesis", "_marked", "_marks", "_nonces")

    def __init__(self, genesis: Genesis) -> None:
        self._genesis = genesis
        joins = [genesis.join(n) for n in genesis.authors]
        self._nonces: dict[int, bytes] = {join.by: join.nonce for join in joins} if genesis.mode == OPEN else {}
        if genesis.nonce is not None:
            self._nonces[UMPIRE] = genesis.nonce
        self._chains: dict[bytes, tuple[int, bytes]] = {}
        self._marks: dict[bytes, Mark] = {}
        self._marked = dict.fromkeys(genesis.authors, 0)  # how many marks are whose
        for join in joins:
            self._add_chains(join)

    def copy(self) -> Reveals:
        other = Reveals.__new__(Reveals)
        other._genesis = self._genesis
        other._nonces, other._chains, other._marks = dict(self._nonces), dict(self._chains), dict(self._marks)
        other._marked = dict(self._marked)
        return other

    def dump(self) -> list[Any]:
        nonces = [[n, nonce] for n, nonce in self._nonces.items()]
        chains = [[cid, i, x] for cid, (i, x) in self._chains.items()]
        return [nonces, chains, [[key, m.by, m.seq, m.cid, m.x] for key, m in self._marks.items()]]

    def restore(self, plain: Any) -> None:
        nonces, chains, marks = plain
        self._nonces = dict(nonces)
        self._chains = {cid: (i, x) for cid, i, x in chains}
        self._marks = {key: Mark(*rest) for key, *rest in marks}
        self._marked = dict.fromkeys(self._genesis.authors, 0)
        for mark in self._marks.values():
            self._marked[mark.by] += 1

    # Queries

    def nonce(self, author: int) -> bytes | None:
        return self._nonces.get(author)

    def nonces(self, authors: Sequence[int]) -> tuple[bytes, ...] | None:
        """These authors' nonces, once all are shown."""
        found = tuple(self._nonces[n] for n in authors if n in self._nonces)
        return found if len(found) == len(authors) else None

    def mark(self, orders_id: bytes) -> Mark | None:
        return self._marks.get(orders_id)

    def key(self, group: tuple[bytes, ...]) -> bytes | None:
        """The key of the draws after a group, or None while something has not been shown (CHA-6)."""
        if not group or self._genesis.mode == OPEN:
            nonces = self.nonces(self._genesis.authors)
            return None if nonces is None else first_key(self._genesis.game_id, nonces)
        parts: list[tuple[int, tuple[bytes, int, int, bytes]]] = []
        for orders_id in group:
            mark = self._marks.get(orders_id)
            witness = self._genesis.witness(mark.by) if mark else None
            if mark is None or mark.x is None or witness is None:
                return None
            parts.append((mark.by, (orders_id, witness, mark.seq, mark.x)))
        return group_key(self._genesis.game_id, [part for _, part in sorted(parts)])

    # Records

    def take_orders(self, by: int, seq: int, orders_id: bytes, joins: dict[int, Join]) -> None:
        """Orders for which a witness can be asked. Their chain is the one that holds now (CHA-4)."""
        witness = self._genesis.witness(by) if by != UMPIRE else None
        if witness is None:
            return
        self._marks[orders_id] = Mark(by, seq, joins[witness].chain_id(by))
        if self._marked[by] < ORDERS_KEPT:
            self._marked[by] += 1
        else:
            del self._marks[next(key for key, mark in self._marks.items() if mark.by == by)]

    def take_nonce(self, join: Join, nonce: bytes) -> None:
        if join.by in self._nonces:
            raise Refusal("E-PROMISE", "This author's nonce is known already.", step="GEN-8")
        check_nonce(join, nonce)
        self._nonces[join.by] = nonce

    def check(self, join: Join, item: Sequence[Any]) -> None:
        """A nonce or a chain value that its owner shows in an act: right, and nothing follows from it yet (MEA-5)."""
        if item[0] == "nonce":
            check_nonce(join, item[1])
        else:
            self._mark_of(join.by, item[1], item[2])

    def take_dice(self, witness: int, orders_id: bytes, x: bytes) -> None:
        """A chain value for one orders record: by its witness, or by the umpire out of the escrow."""
        mark = self._mark_of(witness, orders_id, x)
        if mark.seq > self._chains[mark.cid][0]:
            self._chains[mark.cid] = (mark.seq, x)
        self._marks[orders_id] = Mark(mark.by, mark.seq, mark.cid, x)

    def _mark_of(self, witness: int, orders_id: bytes, x: bytes) -> Mark:
        """The mark of these orders, if this is their chain value (CHA-4)."""
        mark = self._marks.get(orders_id)
        if mark is None:
            raise Refusal("E-PROMISE", "Dice are shown for orders that none can be shown for.", step="CHA-4")
        if self._genesis.witness(mark.by) != witness:
            raise Refusal("E-PROMISE", "Dice are shown by somebody who is not their witness.", step="CHA-4")
        i, known = self._chains[mark.cid]
        check_value(mark.cid, mark.seq, x, i, known)
        return mark

    def substitute(self, join: Join, joins: Iterable[Join]) -> None:
        """New chains. Those of who left stay while an orders record needs them: its dice were fixed before (MEA-10)."""
        self._add_chains(join)
        wanted = {each.chain_id(chooser) for each in joins for chooser, _ in each.chains}
        wanted |= {mark.cid for mark in self._marks.values()}
        self._chains = {cid: value for cid, value in self._chains.items() if cid in wanted}

    def _add_chains(self, join: Join) -> None:
        for chooser, anchor in join.chains:
            self._chains[join.chain_id(chooser)] = (0, anchor)
