"""Well-formed, well-signed nonsense at any moment of a game: refused or harmless, never a crash, and all agree."""

from __future__ import annotations

from typing import Any

from games.crowns import GAME as CROWNS
from games.duel import duel
from games.magpie import GAME as MAGPIE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import Table, person
from pbem.fairplay.commitments import pad
from pbem.protocol.canonical import pack
from pbem.protocol.card import make_card
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.record import UMPIRE

SETUPS = [
    (duel(2), 2, {}),
    (duel(3), 3, {"umpire": True}),
    (MAGPIE, 2, {}),
    (MAGPIE, 2, {"mode": "umpire", "umpire": True}),
    (MAGPIE, 2, {"mode": "open"}),
    (CROWNS, 5, {}),
]
ID = st.binary(min_size=32, max_size=32)


class Pools:
    """Names and values that mean something in this game, mixed with some that do not."""

    def __init__(self, table: Table) -> None:
        game = table.game
        peer = table.peers[0]
        need = peer.match.machine.need
        labels = [getattr(need, "label", "x/1"), "react/1", "nothing"]
        slots = ["pie/1/0", "pie/1/15", "pie/2/3", "choose/ann/1", "x"]
        if hasattr(need, "slot"):
            slots += [need.slot(seat) for seat in need.seats]  # type: ignore[union-attr]
        slots += [str(item[1]) for item in peer.match.position.barrier.due if isinstance(item[1], str)]
        seats = [*(seat.name for seat in game.seats), "nobody"]
        ids = [record.id for record in table.records]
        players = st.sampled_from([0, 1, 2, 4])
        self.id = st.sampled_from(ids) | ID
        self.slot = st.sampled_from(slots)
        self.seat = st.sampled_from(seats)
        self.state = st.just(peer.match.state_hash()) | ID
        plain = [game.orders.write(order) for order in self._some(peer)] or [["none"]]
        words = st.sampled_from([*game.orders.by_kind, "none"])
        odd = st.none() | st.booleans() | st.integers(-2, 9) | words | st.lists(st.integers(0, 3), max_size=2)
        self.order = st.sampled_from(plain) | st.lists(odd, min_size=1, max_size=3)
        policy = parse("then pass").plain()
        decision = st.sampled_from(["react", "act", "plan", "choose", "nothing"])
        value = st.binary(max_size=40) | st.sampled_from([pad(pack(each)) for each in plain])
        orders = st.lists(self.order, max_size=4)
        box = st.sampled_from([80, 144]).flatmap(lambda size: st.binary(min_size=size, max_size=size))
        rows = st.lists(st.tuples(self.slot, st.binary(min_size=32, max_size=36)).map(list), min_size=1, max_size=2)
        hide = st.lists(st.tuples(self.slot, self.seat, ID, box).map(list), min_size=1, max_size=2)
        clauses = st.lists(
            st.tuples(st.lists(st.lists(odd, max_size=3), max_size=2), st.lists(words, min_size=1)), min_size=1
        )
        how = (
            st.none()
            | st.just(policy)
            | clauses.map(lambda found: [list(each) for each in found])
            | st.tuples(ID, box).map(list)
        )
        standing = st.lists(st.tuples(self.seat, decision, how).map(list), min_size=1, max_size=2)
        turns = st.fixed_dictionaries(
            {"orders": orders, "salt": st.binary(min_size=16, max_size=16), "state": self.state},
            optional={"open": rows, "hide": hide, "standing": standing},
        )
        points = st.integers(0, 16).map(lambda n: bytes(32 * n))
        cards = st.lists(st.integers(0, 20), max_size=4)
        back = st.lists(self.slot, max_size=2)
        epoch = st.integers(1, 3)
        deck = st.sampled_from(["pie", "other"])
        items = {
            "reveal": st.one_of(
                st.tuples(st.just("nonce"), ID),
                st.tuples(st.just("dice"), self.id, ID),
                st.tuples(st.just("open"), self.slot, ID, value),
                st.tuples(
                    st.just("answer"), st.sampled_from(labels), st.none() | self.order,
                    st.none() | st.binary(max_size=50) | ID.map(lambda nonce: nonce + pad(pack(policy))),
                ),
            ),
            "release": st.one_of(
                st.tuples(st.just("pass"), deck, epoch, st.integers(1, 4), points, points, cards, back),
                st.tuples(st.just("slot"), self.slot, ID),
                st.tuples(st.just("deal"), deck, epoch, points, cards, back),
                st.tuples(st.just("give"), self.slot, self.seat, box),
                st.tuples(st.just("show"), self.slot, ID, value),
            ),
        }  # fmt: skip
        owed = st.one_of(
            st.tuples(st.just("nonce"), players),
            st.tuples(st.just("orders"), self.seat),
            st.tuples(st.just("open"), self.slot),
            st.tuples(st.just("answer"), st.sampled_from(labels), self.seat),
            st.tuples(st.just("dice"), self.id),
            st.tuples(st.just("pass"), deck, epoch, st.integers(1, 4)),
            st.tuples(st.just("slot"), self.slot, players),
        )
        pins = st.fixed_dictionaries({"behaviour": st.integers(0, 3), "data": st.just(game.data.digest) | ID})
        keys, card, _ = person("stranger")
        why = st.just("because")
        other = st.sampled_from([record.raw for record in table.records])
        rulings = st.one_of(
            st.fixed_dictionaries(
                {"what": st.just("forfeit"), "why": why, "seats": st.lists(self.seat, min_size=1, max_size=2)},
                optional={"state": self.state, "claim": self.id},
            ),
            st.fixed_dictionaries({"what": st.just("extension"), "why": why, "player": players, "seconds": st.just(9)}),
            st.fixed_dictionaries({"what": st.just("substitute"), "why": why, "player": players, "join": other}),
            st.fixed_dictionaries(
                {"what": st.just("branch"), "why": why, "keep": self.id, "drop": self.id, "other": other}
            ),
            st.fixed_dictionaries(
                {"what": st.just("escrow"), "why": why, "orders": self.id, "witness": players, "x": ID}
            ),
            st.fixed_dictionaries(
                {
                    "what": st.just("rekey"), "why": why, "player": players, "card": st.just(card.raw),
                    "proof": st.binary(min_size=64, max_size=64),
                }
            ),
        )  # fmt: skip
        counts = st.lists(st.tuples(st.sampled_from([0, 1, 2, 7]), st.integers(0, 9)).map(list), min_size=1, max_size=4)
        fresh = make_card(keys, "again", "", 5).raw
        self.payload = {
            "orders": turns,
            "resign": st.fixed_dictionaries({"seats": st.lists(self.seat, min_size=1, max_size=2)}),
            "tie": st.just({}),
            "takeback": st.fixed_dictionaries({"to": counts}),
            "answer": st.fixed_dictionaries({"to": self.id, "yes": st.booleans()}),
            "claim": st.fixed_dictionaries({"owed": st.lists(owed.map(list), min_size=1, max_size=3)}),
            "ruling": rulings,
            "rekey": st.fixed_dictionaries({"card": st.just(fresh), "proof": st.binary(min_size=64, max_size=64)}),
            "migrate": st.fixed_dictionaries({"from": pins, "to": pins, "before": self.state, "after": self.state}),
            "end": st.fixed_dictionaries({"state": self.state, "result": st.just({"how": "tie"})}),
            "open_all": st.fixed_dictionaries({"gs": ID}),
        } | {
            kind: st.fixed_dictionaries({"items": st.lists(item.map(list), min_size=1, max_size=3)})
            for kind, item in items.items()
        }

    @staticmethod
    def _some(peer: Any) -> list[Any]:
        tried = peer.player.draft(peer.match)
        out = []
        for order in tried.legal():
            out.append(order)
            if len(out) == 6:
                break
        return out


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nonsense_is_refused_by_all_alike(data: st.DataObject) -> None:
    game, players, options = data.draw(st.sampled_from(SETUPS))
    silence = 0 if options.get("umpire") else 3
    table = Table(game, players, seed=str(data.draw(st.integers(0, 99))), silence=silence, **options)
    for _ in range(data.draw(st.integers(0, 60))):
        table.step()
    table.deliver()
    pools = Pools(table)
    for _ in range(6):
        number = data.draw(st.sampled_from(sorted(table.peers)))
        kind = data.draw(st.sampled_from(sorted(pools.payload)))
        payload = data.draw(pools.payload[kind])
        try:
            record = table.peers[number].make(kind, payload)
        except Refusal:
            continue  # not even of the right form
        verdicts = set()
        for peer in table.peers.values():
            before = (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector)
            try:
                peer.replay.accept(record)
            except PbemError as refused:
                verdicts.add(refused.code)
                assert (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector) == before
            else:
                verdicts.add("")
        assert len(verdicts) == 1, (kind, payload, verdicts)
    assert len({peer.match.state_hash() for peer in table.peers.values()}) == 1
    assert UMPIRE not in table.peers or table.peers[UMPIRE].match.genesis.umpire is not None
