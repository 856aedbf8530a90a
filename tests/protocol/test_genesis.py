"""Offers, joins and starts (GEN-1..9), and the escrow (CHA-9): what no file of tests/vectors says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from logplay import NAMES, RULES, Table, person, secrets, seed, table

from pbem.fairplay.begin import check_escrow, first_record, game_secrets, join_data, offer_data, open_escrow, start_data
from pbem.protocol.canonical import pack
from pbem.protocol.digest import tagged_list
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.genesis import (
    Board,
    Offer,
    Seat,
    Terms,
    check_nonce,
    decline_of,
    join_of,
    offer_of,
    start_of,
)
from pbem.protocol.hpke import seal
from pbem.protocol.record import UMPIRE, Record, make_record


def refuse(call, code: str, step: str) -> None:
    with pytest.raises(Refusal) as caught:
        call()
    assert (caught.value.code, caught.value.step) == (code, step), str(caught.value)


def offered(terms: Terms, **changes) -> Record:
    name = "ursula" if terms.umpired else "anna"
    keys, card = person(name)
    data = {**offer_data(card, secrets(name), terms), **changes}
    return first_record(keys, by=terms.starter, kind="offer", data=data, offer=None, at=1)


def terms(sides: str = "ew", mode: str = "strict", umpire: bool = False, decks: tuple[str, ...] = ()) -> Terms:
    """One seat for each letter, the letter its side, held by players in turn."""
    return Terms(
        mode=mode,
        players=tuple(person(name)[0].identity for name in NAMES[: len(sides)]),
        rules=RULES,
        scenario="one",
        seats=tuple(Seat(f"seat{n}", side, n) for n, side in enumerate(sides)),
        decks=decks,
        umpired=umpire,
    )


def test_an_offer_says_what_was_put_in():
    offer = offer_of(offered(terms("ewe", decks=("main",), umpire=True)))
    assert offer.join.card.name == "ursula"
    assert offer.umpire == offer.join.card
    assert (offer.starter, offer.joiners) == (UMPIRE, (0, 1, 2))
    assert offer.sides == ("e", "w")
    assert offer.seats_of(2) == ("seat2",)
    assert offer.player_of("seat1") == 1
    assert offer.authors == (0, 1, 2, UMPIRE)
    assert offer.decks == ("main",)


@pytest.mark.parametrize(
    ("sides", "witnesses"),
    [
        ("ew", (1, 0)),
        ("ewe", (1, 2, 1)),
        ("eew", (2, 2, 0)),
        ("ewew", (1, 2, 3, 0)),
        ("eeeew", (4, 4, 4, 4, 0)),
        ("abcde", (1, 2, 3, 4, 0)),
        ("wewww", (1, 2, 1, 1, 1)),
    ],
)
def test_the_witness_is_the_next_opponent(sides, witnesses):
    offer = offer_of(offered(terms(sides)))
    assert tuple(offer.witness(n) for n in offer.numbers) == witnesses
    for by in offer.numbers:
        assert all(witnesses[chooser] == by for chooser in offer.choosers(by))


def test_witnesses_in_the_other_modes():
    offer = offer_of(offered(terms("ewe", mode="umpire", umpire=True)))
    assert {offer.witness(n) for n in offer.numbers} == {UMPIRE}
    assert offer.choosers(UMPIRE) == (0, 1, 2)
    offer = offer_of(offered(terms("e", mode="open")))
    assert offer.witness(0) is None


def test_a_player_with_seats_of_one_side_among_several():
    seats = (Seat("uk", "allies", 1), Seat("germany", "axis", 0), Seat("ussr", "allies", 1), Seat("japan", "axis", 2))
    offer = offer_of(offered(replace(terms("ewe"), seats=seats)))
    assert [offer.witness(n) for n in offer.numbers] == [1, 2, 1]
    assert offer.seats_of(1) == ("uk", "ussr")


@pytest.mark.parametrize(
    ("changed", "step"),
    [
        (replace(terms("ew"), players=(None, person("ben")[0].identity)), "GEN-1"),
        (terms("e", mode="strict"), "GEN-7"),
        (replace(terms("ew"), seats=(Seat("a", "e", 0), Seat("b", "w", 1), Seat("c", "e", 2))), "GEN-7"),
        (replace(terms("ew"), seats=(Seat("a", "e", 0), Seat("b", "w", 0), Seat("c", "w", 1))), "GEN-6"),
        (terms("ew", decks=("a", "a")), "GEN-1"),
        (replace(terms("ew"), replaced=(("map", bytes(32)), ("map", bytes(32)))), "GEN-1"),
    ],
)
def test_an_offer_that_contradicts_itself(changed, step):
    record = offered(changed)
    refuse(lambda: offer_of(record), "E-OFFER", step)


def test_decks_are_dealt_by_two_or_by_an_umpire_or_openly():
    for good in (
        terms("ew", decks=("main",)),
        terms("ewe", decks=("main",), umpire=True),
        terms("ewe", decks=("main",), mode="umpire", umpire=True),
        terms("ewe", decks=("main",), mode="open"),
    ):
        assert offer_of(offered(good)).decks == ("main",)


@pytest.mark.parametrize("chains", [[[1, bytes(32)], [2, bytes(32)]], [[0, bytes(32)]]])
def test_an_offer_holds_exactly_its_chains(chains):
    refuse(lambda: offer_of(offered(terms("ew"), chains=chains)), "E-OFFER", "GEN-6")


def test_an_umpires_offer_has_its_board_and_its_time():
    cup = Board(bytes(range(16)), "Spring Cup", 2, 7)
    offer = offer_of(offered(replace(terms("ew", umpire=True), tournament=cup, expires=1)))
    assert (offer.tournament, offer.expires) == (cup, 1)


def test_an_escrow_is_there_exactly_when_due():
    plain, rolled = offer_for(), offer_for(mode="umpire", umpire=True)
    refuse(lambda: join_of(plain, join(plain, "ben", 1, data={"escrow": b"x" * 90})), "E-PROMISE", "GEN-2")
    refuse(lambda: join_of(rolled, join(rolled, "ben", 1, data={"escrow": b"x" * 90})), "E-PROMISE", "GEN-2")


# Joins


def offer_for(sides: str = "ew", **kind) -> Offer:
    return offer_of(offered(terms(sides, **kind)))


def join(offer: Offer, name: str, by: int, **changes) -> Record:
    keys, card = person(name)
    fields = {
        "at": 2,
        "by": by,
        "game": offer.id,
        "heads": ((offer.starter, offer.id),),
        "kind": "join",
        "pin": 0,
        "prev": None,
        "seq": 0,
    }
    data = {**join_data(card, secrets(name), offer, by), **changes.pop("data", {})}
    return make_record(keys, data=data, **{**fields, **changes})


def test_a_join_brings_card_chains_and_promises():
    offer = offer_for("ewe")
    made = join_of(offer, join(offer, "ben", 1))
    assert made.identity == offer.players[1]
    assert made.chains == ((0, secrets("ben").chain(1, 0).anchor), (2, secrets("ben").chain(1, 2).anchor))
    check_nonce(made, secrets("ben").nonce)
    refuse(lambda: check_nonce(made, bytes(32)), "E-PROMISE", "GEN-8")


def test_joins_that_are_none():
    offer = offer_for("ew")
    refuse(lambda: join_of(offer, join(offer, "ben", 1, game=b"g" * 32)), "E-GAME", "GEN-2")
    refuse(lambda: join_of(offer, join(offer, "ben", 1, seq=1, prev=offer.id)), "E-PREV", "GEN-2")
    refuse(lambda: join_of(offer, join(offer, "ben", 1, data={"chains": []})), "E-OFFER", "GEN-6")
    refuse(lambda: join_of(offer, join(offer, "ben", 1, data={"escrow": b"x" * 60})), "E-PROMISE", "GEN-2")


def umpired(mode: str = "strict") -> tuple[Offer, dict, list]:
    offer = offer_for("ewe", mode=mode, umpire=True)
    joins = [join_of(offer, join(offer, name, n)) for n, name in enumerate(("anna", "ben", "carla"))]
    return offer, {one.id: one for one in joins}, joins


def umpire_starts(offer: Offer, joins: list, name: str = "ursula", **data) -> Record:
    made = {**start_data(secrets("ursula").nonce), **data}
    return first_record(person(name)[0], by=UMPIRE, kind="start", data=made, offer=offer, joins=joins, at=3)


def test_escrows_are_due_where_an_umpire_keeps_chains():
    offer, candidates, joins = umpired()
    assert start_of(offer, candidates, umpire_starts(offer, joins)).umpire == offer.join
    assert offer.join.chains == ()
    assert [one.escrow is not None for one in joins] == [False, True, True]


@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_the_umpires_start_shows_his_nonce(mode):
    offer, candidates, joins = umpired(mode)
    assert start_of(offer, candidates, umpire_starts(offer, joins)).nonce == secrets("ursula").nonce
    refuse(lambda: start_of(offer, candidates, umpire_starts(offer, joins, nonce=bytes(32))), "E-PROMISE", "GEN-4")
    plain = offer_for()
    ben = join_of(plain, join(plain, "ben", 1))
    data = start_data(bytes(32))
    shown = first_record(person("anna")[0], by=0, kind="start", data=data, offer=plain, joins=[ben], at=3)
    refuse(lambda: start_of(plain, {ben.id: ben}, shown), "E-START", "GEN-4")


def test_the_umpire_starts_what_he_offered():
    offer, candidates, joins = umpired()
    refuse(lambda: start_of(offer, candidates, umpire_starts(offer, joins, "mallory")), "E-SIGNATURE", "KEY-2")
    with pytest.raises(Incomplete):
        start_of(offer, {}, umpire_starts(offer, joins))


@pytest.mark.parametrize("umpire", [True, False])
def test_an_offer_is_taken_back_by_its_author_in_the_starts_place(umpire):
    offer = offer_for("ew", umpire=umpire)
    keys, card = person("ursula" if umpire else "anna")
    good = {"card": card.raw, "why": "Bob is ill."}
    back = first_record(keys, by=offer.starter, kind="decline", data=good, offer=offer, at=2)
    assert (back.seq, back.prev, back.heads) == (1, offer.id, ())
    assert decline_of(offer, back) == card
    fields = {"at": 2, "by": offer.starter, "game": offer.id, "heads": (), "kind": "decline", "pin": 0}
    for wrong in ({"seq": 0, "prev": None}, {"seq": 1, "prev": bytes(32)}, {"seq": 2, "prev": offer.id}):
        record = make_record(keys, data=good, **{**fields, **wrong})
        refuse(lambda r=record: decline_of(offer, r), "E-START", "GEN-5")
    other = {"card": person("mallory")[1].raw, "why": ""}
    record = first_record(person("mallory")[0], by=offer.starter, kind="decline", data=other, offer=offer, at=2)
    refuse(lambda: decline_of(offer, record), "E-IDENTITY", "GEN-5")


def test_the_escrow_opens_for_the_umpire():
    _, _, joins = umpired()
    umpire = person("ursula")[0]
    for name, part in zip(("anna", "ben", "carla"), joins, strict=True):
        check_escrow(umpire, part)
        tops = open_escrow(umpire, part)
        assert tops == {chooser: secrets(name).chain(part.by, chooser).top for chooser, _ in part.chains}
    refuse(lambda: check_escrow(person("mallory")[0], joins[1]), "E-BOX", "HID-5")


def test_a_false_escrow_is_seen():
    _, _, joins = umpired()
    part = joins[1]
    context = tagged_list([anchor for _, anchor in part.chains])
    good = [[chooser, secrets("ben").chain(1, chooser).top] for chooser, _ in part.chains]
    for wrong in (
        [],
        good[:-1],
        [[c, bytes(32)] for c, _ in good],
        [[c + 1, t] for c, t in good],
        {"a": 1},
        7,
        [[[], 1]] * len(good),
    ):
        box = seal(bytes(32), person("ursula")[0].seal_public, "escrow", context, pack(wrong))
        refuse(lambda b=box: check_escrow(person("ursula")[0], part._replace(escrow=b)), "E-PROMISE", "CHA-9")


# The start


def test_the_game_id_is_that_of_the_start_which_cites_offer_and_joins():
    game = table(3, umpire=True)
    offer, *joins, start = game.opening
    assert game.genesis.game_id == start.id
    assert start.prev == offer.id
    assert start.heads == tuple((join.by, join.id) for join in joins)
    assert game.genesis.card(UMPIRE).name == "ursula"
    assert game.genesis.join(2).identity == person("carla")[0].identity


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_every_mode_starts(players, mode):
    game = Table(players, umpire=mode == "umpire", mode=mode)
    assert (game.genesis.mode, len(game.genesis.players)) == (mode, players)
    for n in game.genesis.players:
        again = game_secrets(seed(NAMES[n]), mode, game.genesis.join(n))
        assert again.gs == game.secrets[n].gs
        assert (game.genesis.join(n).nonce == game.secrets[n].nonce) == (mode == "open")


def test_one_alone_starts_an_open_game():
    game = Table(1, mode="open")
    assert game.genesis.authors == (0,)
    assert game.opening[-1].heads == ()


def test_starts_that_are_none():
    game = table(3)
    offer = game.genesis.offer
    joins = {one.id: one for one in game.genesis.joins[1:]}
    good = game.opening[-1]
    keys = game.people[0][0]

    def start(**changes) -> Record:
        fields = {"at": 4, "by": 0, "data": good.data, "game": offer.id, "heads": good.heads, "kind": "start"}
        return make_record(
            keys if "keys" not in changes else changes.pop("keys"),
            **{**fields, "pin": 0, "prev": offer.id, "seq": 1, **changes},
        )

    assert start_of(offer, joins, start()).offer is offer
    ids = [cited for _, cited in good.heads]
    refuse(lambda: start_of(offer, joins, start(prev=b"x" * 32)), "E-START", "GEN-4")
    refuse(lambda: start_of(offer, joins, start(game=b"x" * 32)), "E-GAME", "GEN-4")
    refuse(lambda: start_of(offer, joins, start(keys=game.people[1][0])), "E-SIGNATURE", "KEY-2")
    crossed = ((1, ids[1]), (2, ids[0]))
    refuse(lambda: start_of(offer, joins, start(heads=crossed)), "E-HEADS", "GEN-4")
    with pytest.raises(Incomplete) as caught:
        start_of(offer, {}, start())
    assert caught.value.missing == tuple(ids)
