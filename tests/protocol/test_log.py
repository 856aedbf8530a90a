"""Level 1: chains, heads, keys, forks and rulings (LOG-1..LOG-9): what no file of tests/vectors says."""

from __future__ import annotations

import random
from dataclasses import replace

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logplay import Table, person, secrets, table

from pbem.fairplay.begin import first_record, join_data, offer_data
from pbem.fairplay.verify import verify
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.limits import MAX_JOINS
from pbem.protocol.log import ForkFound, Log
from pbem.protocol.record import UMPIRE, Record, make_record, parse_record
from pbem.protocol.ruling import rekey_proof


class World:
    """Everybody with a log of his own."""

    def __init__(self, game: Table) -> None:
        self.game = game
        self.logs = {by: game.log() for by in game.authors}
        self.records: list[Record] = []

    def write(self, by: int, kind: str = "tie", data: dict | None = None, **changes) -> Record:
        record = self.game.record(self.logs[by], by, kind, data, **changes)
        self.logs[by].add(record)
        self.records.append(record)
        return record

    def sync(self, *authors: int) -> None:
        for by in authors or self.logs:
            deliver(self.logs[by], self.records)


def deliver(log: Log, records: list[Record]) -> None:
    """As often as it takes, as a program does with what waits."""
    waiting = list(records)
    while True:
        left = []
        for record in waiting:
            try:
                log.add(record)
            except Incomplete:
                left.append(record)
        if len(left) == len(waiting):
            return
        waiting = left


def refused(log: Log, record: Record, code: str) -> Refusal:
    """The record is refused with this code, names its author, and nothing has changed."""
    before = log.dump()
    for attempt in (log.judge, log.add):
        with pytest.raises(Refusal) as caught:
            attempt(record)
        assert caught.value.code == code, str(caught.value)
        assert (caught.value.author, caught.value.record) == (record.by, record.id)
        assert caught.value.step
    assert log.dump() == before
    return caught.value


def closure(log: Log, record_id: bytes, cited: dict[bytes, list[bytes]]) -> set[bytes]:
    seen: set[bytes] = set()
    todo = list(cited[record_id])
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += cited[one]
    return seen


steps = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=25)


@settings(max_examples=40, deadline=None)
@given(players=st.integers(2, 5), umpire=st.booleans(), steps=steps, shuffle=st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_log(players, umpire, steps, shuffle):
    game = table(players, umpire=umpire)
    world = World(game)
    authors = game.authors
    for a, b, writes in steps:
        author, other = authors[a % len(authors)], authors[b % len(authors)]
        if writes:
            world.write(author)
        else:
            deliver(world.logs[author], [r for r in world.records if world.logs[other].holds(r.id)])
    everything = [*game.opening, *world.records]
    straight = game.log()
    deliver(straight, world.records)
    mixed = everything[:]
    shuffle.shuffle(mixed)
    shuffled = Log()
    deliver(shuffled, mixed + mixed[:3])
    assert shuffled.dump() == straight.dump()
    assert sum(shuffled.vector) == len(everything)
    cited = {r.id: [h for _, h in r.heads] + ([r.prev] if r.prev else []) for r in everything}
    owner = {r.id: r.by for r in everything}
    for record in everything:
        past = closure(straight, record.id, cited)
        counts = tuple(sum(owner[one] == by for one in past) for by in authors)
        assert straight.past_at(record.by, record.seq) == counts == straight.judge(record).past


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 30), st.integers(2, 4))
def test_a_dump_comes_back(count, players):
    game = table(players)
    world = World(game)
    for n in range(count):
        world.write(n % players)
        world.sync()
    log = world.logs[0]
    again = Log.load(log.dump())
    assert again.dump() == log.dump()
    assert (again.vector, again.heads(1), again.card_of(1).sign) == (log.vector, log.heads(1), log.card_of(1).sign)
    again.add(game.record(again, 1))


def test_many_records_take_little_room():
    game = table(5, umpire=True)
    log = game.log()
    before = len(msgpack.packb(log.dump()))
    for n in range(150):
        log.add(game.record(log, game.authors[n % 6]))
    assert len(msgpack.packb(log.dump())) - before < 100 * 150


# A cheating peer


def two() -> tuple[Table, World]:
    game = table(2)
    world = World(game)
    for n in range(6):
        world.write(n % 2)
        world.sync()
    return game, world


def test_a_gap_waits():
    game, world = two()
    first = game.record(world.logs[0], 0)
    ahead = game.log()
    deliver(ahead, [*world.records, first])
    second = game.record(ahead, 0)
    log = world.logs[1]
    with pytest.raises(Incomplete) as caught:
        log.add(second)
    assert caught.value.missing == (first.id,)
    log.add(first)
    log.add(second)


def test_a_second_record_for_a_place_is_a_fork_that_names_the_first():
    game, world = two()
    held = world.write(0)
    world.sync()
    log = world.logs[1]
    rival = game.record(log, 0, data={"to": held.id, "yes": True}, kind="answer", seq=held.seq, prev=held.prev)
    fork = refused(log, rival, "E-FORK")
    assert isinstance(fork, ForkFound)
    assert fork.held == held.id


def test_a_second_record_that_follows_an_older_one_is_a_fork_and_proves_it():
    """An archive with both gives `E-PREV` (LOG-1.3); the two are a fork and its proof all the same (LOG-6)."""
    game, world = two()
    held = world.write(0)
    world.sync()
    log = world.logs[1]
    older = game.record(log, 0, seq=held.seq, prev=log.id_at(0, held.seq - 2))
    fork = refused(log, older, "E-FORK")
    assert isinstance(fork, ForkFound)
    card = log.card_of(0)
    assert make_fork_proof(held, older, card).identity == card.identity
    with pytest.raises(Refusal) as caught:
        log.add_rival(older)
    assert (caught.value.code, caught.value.step) == ("E-PREV", "LOG-1")


def test_heads_are_closed():
    """The umpire has seen Ben's record; who cites the umpire must cite Ben's record too."""
    game = table(3, umpire=True)
    world = World(game)
    world.write(1)
    world.sync(UMPIRE)
    world.write(UMPIRE)
    world.sync(0)
    log = world.logs[0]
    good = dict(log.heads(0))
    assert log.judge(game.record(log, 0)).past
    older = {**good, 1: log.id_at(1, 0)}
    refused(log, game.record(log, 0, heads=tuple(sorted(older.items()))), "E-HEADS")
    without = {by: head for by, head in good.items() if by != 1}
    refused(log, game.record(log, 0, heads=tuple(without.items())), "E-HEADS")


def test_a_payload_is_looked_at_after_the_signature():
    game, world = two()
    log = world.logs[0]
    good = game.record(log, 1, "answer", {"to": bytes(32), "yes": True})
    start = good.raw.index(b"\xa3yes\xc3") + 4
    broken = parse_record(good.raw[:start] + b"\xc0" + good.raw[start + 1 :])
    refused(log, broken, "E-SIGNATURE")


@pytest.mark.parametrize("kind", ["join", "decline"])
def test_no_genesis_records_in_the_game(kind):
    game, world = two()
    card = game.people[1][1].raw
    part = {"card": card, "chains": [], "escrow": None, "gs": bytes(32), "nonce": bytes(32), "own": bytes(48)}
    data = {"card": card, "why": ""} if kind == "decline" else part
    refused(world.logs[0], game.record(world.logs[0], 1, kind, data), "E-FORM")


def test_pins_rise_by_one():
    game, world = two()
    log = world.logs[0]
    log.add(game.record(log, 1, pin=1))
    refused(log, game.record(log, 0, pin=0), "E-PINS")
    log.add(game.record(log, 0, pin=1))


# The opening


def test_a_second_start_is_a_fork():
    game = table(2)
    log = game.log()
    start = game.opening[-1]
    again = make_record(game.people[0][0], at=99, by=0, data=start.data, game=start.game, heads=start.heads,
                        kind="start", pin=0, prev=start.prev, seq=1)  # fmt: skip
    fork = refused(log, again, "E-FORK")
    assert isinstance(fork, ForkFound)
    assert fork.held == start.id
    forged = make_record(game.people[1][0], at=99, by=0, data=start.data, game=start.game, heads=start.heads,
                         kind="start", pin=0, prev=start.prev, seq=1)  # fmt: skip
    refused(log, forged, "E-SIGNATURE")


@pytest.mark.parametrize("umpire", [True, False])
@pytest.mark.parametrize("first", ["start", "decline"])
def test_an_offer_that_was_started_and_taken_back_is_a_fork(umpire, first):
    """A decline by whoever offered stands in the start's place: both together convict them."""
    game = table(2, umpire=umpire)
    by, start = game.genesis.offer.starter, game.opening[-1]
    keys, card = game.people[by]
    data = {"card": card.raw, "why": "The hall is closed."}
    back = first_record(keys, by=by, kind="decline", data=data, offer=game.genesis.offer, at=9)
    one, other = (start, back) if first == "start" else (back, start)
    log = Log()
    for record in (*game.opening[:-1], one):
        log.add(record)
    assert (log.withdrawn is None) == (first == "start")
    fork = refused(log, other, "E-FORK")
    assert isinstance(fork, ForkFound)
    assert fork.held == one.id
    assert make_fork_proof(start, back, card).identity == card.identity
    forged = first_record(person("mallory")[0], by=by, kind="decline", data=data, offer=game.genesis.offer, at=10)
    refused(log, forged, "E-SIGNATURE")
    assert Log.load(log.dump()).dump() == log.dump()


def test_what_was_taken_back_begins_no_more_and_hears_answers_all_the_same():
    game, log, joins = open_offer()
    keys, card = game.people[0]
    log.add(joins[0])
    data = {"card": card.raw, "why": ""}
    log.add(first_record(keys, by=0, kind="decline", data=data, offer=log.offer, at=3))
    log.add(joins[1])  # it crossed
    assert log.withdrawn is not None
    assert log.opening[-1] is log.withdrawn
    start = first_record(keys, by=0, kind="start", data={}, offer=log.offer,
                         joins=[log.candidates[joins[0].id]], at=4)  # fmt: skip
    refused(log, start, "E-FORK")
    assert log.genesis is None


def open_offer() -> tuple[Table, Log, list[Record]]:
    """An offer with one place for whoever joins, and joins of three people."""
    game = Table(2)
    keys, card = game.people[0]
    terms = replace(game.terms, players=(keys.identity, None))
    offer_record = first_record(
        keys, by=0, kind="offer", data=offer_data(card, game.secrets[0], terms), offer=None, at=1
    )
    log = Log()
    log.add(offer_record)
    offer = log.offer
    joins = []
    for name in ("ben", "carla", "dmitri"):
        keys, card = person(name)
        joins.append(
            first_record(keys, by=1, kind="join", data=join_data(card, secrets(name), offer, 1), offer=offer, at=2)
        )
    return game, log, joins


def test_whoever_joins_is_chosen_by_the_start():
    game, log, joins = open_offer()
    for join in joins:
        log.add(join)
    chosen = log.candidates[joins[1].id]
    start = first_record(game.people[0][0], by=0, kind="start", data={}, offer=log.offer, joins=[chosen], at=3)
    log.add(start)
    assert log.genesis.card(1).name == "carla"
    assert log.vector == (2, 1)
    refused(log, joins[0], "E-START")


def test_two_answers_by_one_person_are_a_fork():
    _, log, joins = open_offer()
    log.add(joins[0])
    keys, card = person("ben")
    again = first_record(keys, by=1, kind="join", data=joins[0].data, offer=log.offer, at=77)
    assert refused(log, again, "E-FORK").held == joins[0].id
    decline = first_record(keys, by=1, kind="decline", data={"card": card.raw, "why": ""}, offer=log.offer, at=3)
    refused(log, decline, "E-FORK")


def test_joins_wait_for_the_offer_and_the_start_for_joins():
    game = table(2)
    offer, join, start = game.opening
    log = Log()
    for early in (join, start):
        with pytest.raises(Incomplete) as caught:
            log.add(early)
        assert offer.id in caught.value.missing
    log.add(offer)
    with pytest.raises(Incomplete) as caught:
        log.add(start)
    assert caught.value.missing == (join.id,)


def test_answers_to_an_offer_are_bounded():
    _, log, _ = open_offer()
    offer = log.offer
    for n in range(MAX_JOINS + 1):
        keys, card = person(f"guest{n}")
        record = first_record(keys, by=1, kind="decline", data={"card": card.raw, "why": ""}, offer=offer, at=2)
        if n < MAX_JOINS:
            log.add(record)
        else:
            refused(log, record, "E-LARGE")


# Keys


def test_after_a_rekey_the_new_key_signs():
    game, world = two()
    keys, card = person("anna-new")
    log = world.logs[1]
    proof = rekey_proof(keys, game.game_id, 0, log.count(0), card)
    world.write(0, "rekey", {"card": card.raw, "proof": proof})
    world.sync()
    refused(log, game.record(log, 0), "E-SIGNATURE")
    log.add(game.record(log, 0, keys=keys))
    assert log.card_of(0).sign == keys.sign_public
    again = Log.load(log.dump())
    again.add(game.record(log, 0, keys=keys))


def test_a_signature_that_was_looked_at_ahead_is_judged_by_the_key_of_its_turn():
    game, world = two()
    keys, card = person("anna-new")
    log = world.logs[1]
    proof = rekey_proof(keys, game.game_id, 0, log.count(0), card)
    rekey = world.write(0, "rekey", {"card": card.raw, "proof": proof})
    old, new = world.game.record(world.logs[0], 0), world.game.record(world.logs[0], 0, keys=keys)
    log.look_ahead([rekey, old, new])
    log.add(rekey)
    refused(log, old, "E-SIGNATURE")
    log.add(new)


def test_a_signature_that_was_looked_at_ahead_holds_for_its_own_bytes_only():
    game, world = two()
    good = game.record(world.logs[0], 1)
    forged = parse_record(good.raw[:-1] + bytes([good.raw[-1] ^ 1]))
    assert forged.id == good.id
    world.logs[0].look_ahead([good, forged])
    refused(world.logs[0], forged, "E-SIGNATURE")
    world.logs[0].add(good)


@pytest.mark.parametrize("wrong", ["seq", "player", "key", "game"])
def test_a_rekey_needs_the_consent_of_the_key(wrong):
    game, world = two()
    keys, card = person("anna-new")
    log = world.logs[1]
    signer = person("mallory")[0] if wrong == "key" else keys
    game_id = b"g" * 32 if wrong == "game" else game.game_id
    proof = rekey_proof(signer, game_id, int(wrong == "player"), log.count(0) + (wrong == "seq"), card)
    refused(log, game.record(log, 0, "rekey", {"card": card.raw, "proof": proof}), "E-SIGNATURE")


def test_a_lost_key_is_replaced_by_the_umpire():
    game = table(3, umpire=True)
    world = World(game)
    keys, card = person("ben-new")
    data = {
        "what": "rekey",
        "why": "",
        "player": 1,
        "card": card.raw,
        "proof": rekey_proof(keys, game.game_id, 1, 0, card),
    }
    log = world.logs[0]
    refused(log, game.record(log, 0, "ruling", data), "E-RULING")
    before = game.record(log, 1)
    world.write(UMPIRE, "ruling", data)
    world.sync()
    refused(log, game.record(log, 1), "E-SIGNATURE")
    log.add(game.record(log, 1, keys=keys))
    log.add(game.record(log, 1, keys=keys))
    assert log.card_of(1).raw == card.raw
    assert log.card_of(1, 0).raw == game.people[1][1].raw
    # Signed with the old key, before the ruling was seen: still good for who has not gone on with the new key.
    other = world.logs[2]
    other.add(before)
    assert other.card_of(1).raw == card.raw


def test_without_an_umpire_all_others_must_agree():
    game = table(3)
    world = World(game)
    keys, card = person("carla-new")
    data = {
        "what": "rekey",
        "why": "",
        "player": 2,
        "card": card.raw,
        "proof": rekey_proof(keys, game.game_id, 2, 0, card),
    }
    world.write(0, "ruling", data)
    world.sync()
    log = world.logs[1]
    refused(log, game.record(log, 2, keys=keys), "E-SIGNATURE")
    refused(log, game.record(log, 2, "ruling", data), "E-RULING")
    world.write(1, "ruling", {**data, "why": "She told me so."})
    log.add(game.record(log, 2, keys=keys))
    assert Log.load(log.dump()).card_of(2).sign == keys.sign_public


def test_a_substitute_takes_the_number_over():
    game = table(3, umpire=True)
    world = World(game)
    world.write(1)
    world.sync()
    keys, card = person("eva")
    part = join_data(card, secrets("eva"), game.genesis.offer, 1)
    join = make_record(keys, at=9, by=1, data=part, game=game.game_id, heads=(), kind="join", pin=0, prev=None, seq=0)
    ruling = {"what": "substitute", "why": "", "player": 1, "join": join.raw}
    log = world.logs[0]
    refused(log, game.record(log, UMPIRE, "ruling", {**ruling, "player": 2}), "E-PREV")
    world.write(UMPIRE, "ruling", ruling)
    world.sync()
    refused(log, game.record(log, 1), "E-SIGNATURE")
    record = game.record(log, 1, keys=keys)
    assert record.seq == 2
    log.add(record)
    assert log.card_of(1).name == "eva"


@pytest.mark.parametrize("who", ["anna", "carla", "ursula"])
@pytest.mark.parametrize("what", ["substitute", "rekey"])
def test_nobody_is_given_a_second_number(who, what):
    """Carla throws the dice for Ben: with his number as well she would choose what he throws."""
    game = table(3, umpire=True)
    log = World(game).logs[0]
    keys, card = person(who)
    data = {"what": what, "why": "", "player": 1}
    if what == "rekey":
        data |= {"card": card.raw, "proof": rekey_proof(keys, game.game_id, 1, 0, card)}
    else:
        part = join_data(card, secrets(who), game.genesis.offer, 1)
        fields = {"by": 1, "game": game.game_id, "heads": (), "kind": "join", "pin": 0, "prev": None, "seq": 0}
        data["join"] = make_record(keys, at=9, data=part, **fields).raw
    refused(log, game.record(log, UMPIRE, "ruling", data), "E-IDENTITY")


# Forks and what is ruled about them


def forked(*, umpire: bool) -> tuple[Table, World, Record, Record]:
    """Ben sends one record to Anna and another to Carla; both go on."""
    game = table(3, umpire=umpire)
    world = World(game)
    world.write(0)
    world.sync()
    anna, carla = world.logs[0], world.logs[2]
    one = game.record(anna, 1)
    other = game.record(carla, 1, "answer", {"to": bytes(32), "yes": False})
    anna.add(one)
    carla.add(other)
    world.logs[1].add(one)
    return game, world, one, other


def branch_data(keep: Record, drop: Record, other: Record) -> dict:
    return {"what": "branch", "why": "", "keep": keep.id, "drop": drop.id, "other": other.raw}


def settle(log: Log, records: list[Record]) -> None:
    """What a store does: rivals are kept, whatever waits is tried again."""
    waiting = list(records)
    for _ in range(len(records) + 1):
        left = []
        for record in waiting:
            try:
                log.add(record)
            except Incomplete:
                left.append(record)
            except ForkFound:
                log.add_rival(record)
        waiting = left
    assert not waiting


@pytest.mark.parametrize("umpire", [True, False])
@pytest.mark.parametrize("keeps_first", [True, False])
def test_a_ruling_heals_a_fork_for_everybody_alike(umpire, keeps_first):
    game, world, one, other = forked(umpire=umpire)
    anna, carla = world.logs[0], world.logs[2]
    a1 = game.record(anna, 0)
    anna.add(a1)
    c1 = game.record(carla, 2)
    carla.add(c1)
    records = [*world.records, one, other, a1, c1]
    for log in (anna, carla):
        settle(log, records)
    assert anna.is_void(c1.id)
    assert carla.is_void(a1.id)
    assert not anna.is_void(a1.id)
    keep, drop = (one, other) if keeps_first else (other, one)
    if umpire:
        third = world.logs[UMPIRE]
        settle(third, records)
        ruling = game.record(third, UMPIRE, "ruling", branch_data(keep, drop, other))
        third.add(ruling)
        records.append(ruling)
    else:
        ruling_a = game.record(anna, 0, "ruling", branch_data(keep, drop, other))
        ruling_c = game.record(carla, 2, "ruling", branch_data(keep, drop, one))
        records += [ruling_a, ruling_c]
    for log in (anna, carla):
        settle(log, records)
    after_a = game.record(anna, 0)
    after_c = game.record(carla, 2)
    records += [after_a, after_c]
    logs = []
    for n in range(6):
        mixed = records[:]
        random.Random(n).shuffle(mixed)
        log = game.log()
        settle(log, mixed)
        logs.append(log)
    dropped, kept = (c1, a1) if keeps_first else (a1, c1)
    for log in [*logs, anna, carla]:
        settle(log, records)
        assert log.id_at(1, one.seq) == keep.id
        assert log.is_void(dropped.id)
        assert not log.is_void(kept.id)
        assert not log.is_void(after_a.id)
        assert not log.is_void(after_c.id)
        assert log.vector == logs[0].vector
        assert [log.past_at(r.by, r.seq) for r in (a1, c1, after_a, after_c)] == [
            logs[0].past_at(r.by, r.seq) for r in (a1, c1, after_a, after_c)
        ]
        again = Log.load(log.dump())
        assert again.dump() == log.dump()
        assert again.is_void(dropped.id)
        again.add(game.record(again, 0, "resign", {"seats": ["seat0"]}))


def test_nobody_builds_on_both_branches():
    game, world, one, other = forked(umpire=True)
    anna = world.logs[0]
    anna.add_rival(other)
    crossed = game.record(anna, 2, heads=((0, anna.last(0)), (1, other.id), (UMPIRE, anna.last(UMPIRE))))
    anna.add(crossed)
    assert anna.is_void(crossed.id)
    assert dict(anna.heads(0))[2] != crossed.id
    both = game.record(anna, 0, heads=((1, anna.last(1)), (2, crossed.id), (UMPIRE, anna.last(UMPIRE))))
    refused(anna, both, "E-BRANCH")
    assert one.id == anna.last(1)


def test_the_forker_cannot_go_on_with_what_was_dropped():
    game, world, one, other = forked(umpire=True)
    anna = world.logs[0]
    settle(anna, [*world.records, other])
    ruling = game.record(anna, UMPIRE, "ruling", branch_data(one, other, other))
    anna.add(ruling)
    heads = tuple(sorted({**dict(anna.heads(1))}.items()))
    on = game.record(anna, 1, prev=other.id, seq=other.seq + 1, heads=heads)
    refused(anna, on, "E-BRANCH")
    without = tuple((by, head if by != UMPIRE else anna.id_at(UMPIRE, 1)) for by, head in heads)
    late = game.record(anna, 1, prev=other.id, seq=other.seq + 1, heads=without)
    anna.add(late)
    assert anna.is_void(late.id)


@pytest.mark.parametrize("fault", ["same", "unrelated", "not shown", "forged", "by forker"])
def test_a_branch_ruling_needs_a_fork(fault):
    game, world, one, other = forked(umpire=True)
    anna = world.logs[0]
    data = branch_data(one, other, other)
    by, code = UMPIRE, "E-RULING"
    if fault == "same":
        data = branch_data(one, one, one)
    elif fault == "unrelated":
        data = branch_data(one, anna_first := world.records[0], anna_first)
    elif fault == "not shown":
        data["other"] = world.records[0].raw
    elif fault == "forged":
        fake = game.record(
            anna, 1, "resign", {"seats": ["seat1"]}, keys=person("mallory")[0], seq=one.seq, prev=one.prev
        )
        data, code = branch_data(one, fake, fake), "E-SIGNATURE"
    else:
        by = 1
    refused(anna, game.record(anna, by, "ruling", data), code)


def test_a_third_rival_is_a_fork_again():
    game, world, one, other = forked(umpire=True)
    anna = world.logs[0]
    settle(anna, [*world.records, other])
    anna.add(game.record(anna, UMPIRE, "ruling", branch_data(other, one, other)))
    assert anna.last(1) == other.id
    third = game.record(anna, 1, "resign", {"seats": ["seat1"]}, seq=one.seq, prev=one.prev, heads=one.heads)
    assert refused(anna, third, "E-FORK").held == other.id


def test_a_ruling_on_a_branch_that_is_kept_later_counts_as_in_an_archive():
    """Anna signs a tie and, in its place, a ruling on Carla's key; Ben rules so too; that branch is kept."""
    game = table(3)
    log = game.log()
    keys, card = person("carla-new")
    proof = rekey_proof(keys, game.game_id, 2, 0, card)
    data = {"what": "rekey", "why": "", "player": 2, "card": card.raw, "proof": proof}
    tie, ruling = game.record(log, 0), game.record(log, 0, "ruling", data)
    log.add(tie)
    log.add_rival(ruling)
    rulings = []
    for by, said in ((1, data), (1, branch_data(ruling, tie, ruling)), (2, branch_data(ruling, tie, ruling))):
        rulings.append(game.record(log, by, "ruling", said))
        log.add(rulings[-1])
    assert log.id_at(0, ruling.seq) == ruling.id
    assert log.card_of(2).sign == keys.sign_public
    refused(log, game.record(log, 2), "E-SIGNATURE")
    last = game.record(log, 2, keys=keys)
    log.add(last)
    listed = [*game.opening, ruling, tie, *rulings, last]
    verdict = verify([Item(ItemType.RECORD, record.raw) for record in listed], 1)
    assert verdict.ok, verdict
    other = game.log()
    settle(other, [ruling, tie, *rulings, last])
    assert (other.card_of(2).sign, other.vector, other.heads(1)) == (log.card_of(2).sign, log.vector, log.heads(1))
    assert [other.is_void(record.id) for record in rulings] == [log.is_void(record.id) for record in rulings]
    assert Log.load(log.dump()).card_of(2).sign == log.card_of(2).sign


def test_which_branch_came_first_does_not_say_who_builds_on_both():
    """Ben goes on with one branch in sight of the other, through Carla: whichever of them is the main chain (LOG-9)."""
    game, world, one, other = forked(umpire=True)
    pair = [one, other]
    seen = World(game).logs[0]
    settle(seen, [*world.records, one])
    through = game.record(seen, 2)
    for first, second in (pair, pair[::-1]):
        log = game.log()
        settle(log, [*world.records, first, second])
        log.add(through)
        heads = ((0, log.last(0)), (2, through.id), (UMPIRE, log.last(UMPIRE)))
        both = game.record(log, 1, prev=other.id, seq=other.seq + 1, heads=heads)
        refused(log, both, "E-BRANCH")


def test_nobody_signs_for_two_numbers_in_sight_of_both():
    """Two who change to one key at once: each is good by itself, and nothing that the key signs knowing of both."""
    game, world = two()
    keys, card = person("newcomer")
    for by in (0, 1):
        proof = rekey_proof(keys, game.game_id, by, world.logs[by].count(by), card)
        world.write(by, "rekey", {"card": card.raw, "proof": proof})
    world.sync()
    for by in (0, 1):
        refused(world.logs[by], game.record(world.logs[by], by, keys=keys), "E-IDENTITY")
    again = Log.load(world.logs[0].dump())
    refused(again, game.record(again, 0, keys=keys), "E-IDENTITY")
