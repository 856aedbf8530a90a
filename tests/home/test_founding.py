"""The records that begin a game, made here and judged by the protocol."""

from types import SimpleNamespace

import pytest

from pbem.engine.definition import DataSet, Seat, Setup
from pbem.fairplay.begin import check_escrow, game_secrets
from pbem.fairplay.secret import gs_commitment
from pbem.home import offers, sending
from pbem.protocol.card import make_card
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.log import Log

KEYS = {name: Keys(bytes([n]) * 32) for n, name in enumerate(("alice", "bob", "carla", "umpire"), 1)}
CARDS = {name: make_card(keys, name.title(), "", 1000) for name, keys in KEYS.items()}
DATA = DataSet({"map": [1, 2, 3]})


def game(decks=()):
    """What an offer needs to know of a game."""
    seats = {
        "blue": Seat("blue", "west", "Blue"),
        "red": Seat("red", "east", "Red"),
        "green": Seat("green", "east", "Green"),
    }
    return SimpleNamespace(
        name="skirmish",
        rules="1",
        decks=dict.fromkeys(decks, (1, 2)),
        seat=seats.__getitem__,
        setup=test_founding_of_two,
    )


def wanted(players=("alice", "bob"), seats=(("blue", 0), ("red", 1)), mode="strict", umpired=False, decks=()):
    ids = tuple(CARDS[name].identity if name else None for name in players)
    setup = Setup("short", {"fog": True}, DATA, 3, {})
    clock = {"bank": 0, "days_off": 0, "move": 86400}
    return offers.terms_of(game(decks), setup, seats, players=ids, mode=mode, umpired=umpired, clock=clock)


def begun(*records):
    """The game that these records start."""
    log = Log()
    for record in records:
        log.add(record)
    return log.genesis


def test_founding_of_two():
    offer_record = offers.make_offer(KEYS["alice"], CARDS["alice"], wanted(), b"\x01" * 32, 2000)
    offer = offer_of(offer_record)
    assert offer.rules.data == DATA.digest
    assert (offer.rules.behaviour, offer.scenario, offer.clock["move"]) == (3, "short", 86400)
    join = offers.make_join(KEYS["bob"], CARDS["bob"], offer, 1, b"\x02" * 32, 2001)
    start = sending.make_start(KEYS["alice"], offer, [join_of(offer, join)], 2002)
    genesis = begun(offer_record, join, start)
    assert [genesis.card(n).name for n in genesis.players] == ["Alice", "Bob"]
    for name, number in (("alice", 0), ("bob", 1)):
        mine = genesis.join(number)
        secrets = game_secrets(KEYS[name].seed, genesis.mode, mine)
        assert gs_commitment(secrets.gs) == mine.gs
        assert secrets.chain(number, 1 - number).anchor == mine.anchor(1 - number)


def test_founding_with_an_umpire_who_checks_the_escrow():
    players, seats = ("alice", "bob", None), (("blue", 0), ("red", 1), ("green", 2))
    what = wanted(players, seats, umpired=True)
    record = offers.make_offer(KEYS["umpire"], CARDS["umpire"], what, b"\x01" * 32, 1)
    offer = offer_of(record)
    joins = [
        offers.make_join(KEYS[n], CARDS[n], offer, by, bytes([by]) * 32, 2)
        for by, n in enumerate(("alice", "bob", "carla"))
    ]
    parts = [join_of(offer, join) for join in joins]
    for part in parts:
        check_escrow(KEYS["umpire"], part)
    start = sending.make_start(KEYS["umpire"], offer, parts, 4)
    genesis = begun(record, *joins, start)
    assert genesis.umpire is not None
    assert genesis.nonce == b"\x01" * 32
    assert genesis.join(7).chains == ()  # in mode strict the players witness each other


def test_an_escrow_that_leads_elsewhere_is_refused():
    record = offers.make_offer(KEYS["umpire"], CARDS["umpire"], wanted(umpired=True), b"\x01" * 32, 1)
    offer = offer_of(record)
    join, other = (
        join_of(offer, offers.make_join(KEYS["alice"], CARDS["alice"], offer, 0, nonce * 32, 1))
        for nonce in (b"\x01", b"\x09")
    )
    with pytest.raises(Refusal) as caught:
        check_escrow(KEYS["umpire"], join._replace(escrow=other.escrow))
    assert caught.value.code in ("E-PROMISE", "E-BOX")
    with pytest.raises(Refusal) as caught:
        check_escrow(KEYS["umpire"], join._replace(gs=other.gs))
    assert caught.value.code == "E-PROMISE"
    with pytest.raises(Refusal) as caught:
        check_escrow(KEYS["bob"], join)
    assert caught.value.code == "E-BOX"


def test_open_dice_carry_the_nonce_itself():
    solo = wanted(("alice",), (("blue", 0), ("red", 0)), mode="open")
    offer = offer_of(offers.make_offer(KEYS["alice"], CARDS["alice"], solo, b"\x05" * 32, 1))
    assert offer.join.nonce == b"\x05" * 32
    assert gs_commitment(game_secrets(KEYS["alice"].seed, "open", offer.join).gs) == offer.join.gs


@pytest.mark.parametrize(
    "what",
    [
        wanted(("alice", "alice")),
        wanted(("alice", "bob"), (("blue", 0), ("red", 0))),
        wanted(("alice", "bob"), (("red", 0), ("green", 1))),
        wanted(("alice", "bob"), mode="umpire"),
        wanted(("alice", "bob", "carla"), (("blue", 0), ("red", 1), ("green", 2)), decks=("main",)),
    ],
)
def test_an_offer_that_others_would_refuse_is_not_made(what):
    with pytest.raises(Refusal) as caught:
        offers.make_offer(KEYS["alice"], CARDS["alice"], what, b"\x01" * 32, 1)
    assert caught.value.code == "E-OFFER"
