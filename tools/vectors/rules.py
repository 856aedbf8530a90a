"""Games of Bridgehead in which the rules of acts, standing orders and set-up are broken, one each: level 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.engine.order import Order
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import AT, person
from pbem.fairplay.begin import first_record, join_data, offer_data, start_data
from pbem.protocol.container import Item, ItemType
from pbem.protocol.genesis import Rules, Seat, Terms, join_of, offer_of
from pbem.protocol.record import Record
from pbem_rules.bridgehead.orders import Play
from tools.vectors.matches import ALICE, BOB, GAME, Story, fault_vector, success
from tools.vectors.people import some
from tools.vectors.vector import Vector

_LEVELS = {"standing-seat": 2, "answer-proof": 2}
Fault = tuple[str, str, str, str, list[Item], "Record | None"]


def vectors() -> Iterator[Vector]:
    yield success("takeback", "both go back before a move", _taken_back(), "MEA-9")
    for name, code, step, comment, told, bad in (*_acts(), *_standing(), *_answers(), *_set_up()):
        yield fault_vector(name, _LEVELS.get(name, 3), code, step, comment, told, bad)


def _moving() -> Story:
    return Story("rules").until(lambda s: s.asked(ALICE, "move"))


def _point(story: Story) -> list[list[int]]:
    log = story.peer(ALICE).replay.log
    return [[by, log.count(by)] for by in log.authors]


def _taken_back() -> Story:
    story = _moving()
    before: Any = _point(story)
    done = next(order for order in _legal(story) if order.kind == "move")
    story.table.send(ALICE, "orders", story.turn(ALICE, done))
    story.table.deliver()
    wish = story.table.send(ALICE, "takeback", {"to": before})
    story.table.deliver()
    story.table.send(BOB, "answer", {"to": wish.id, "yes": True})
    story.table.deliver()
    assert story.peer(BOB).match.state_hash() == story.peer(ALICE).match.state_hash()
    return story.resigned()


def _legal(story: Story) -> list[Order]:
    return list(story.peer(ALICE).player.draft(story.peer(ALICE).match).legal())


def _acts() -> Iterator[Fault]:
    story = _moving()

    def act(name: str, code: str, step: str, comment: str, kind: str, data: dict[str, Any]) -> Fault:
        bad = story.record(ALICE, kind, data)
        return name, code, step, comment, story.archive(bad), bad

    nowhere: Any = [[0, 2], [1, 1]]
    yield act(
        "takeback-point", "E-ACT", "MEA-9", "back to where nobody was asked for orders", "takeback", {"to": nowhere}
    )
    position = story.peer(ALICE).match.position
    pins = {"behaviour": position.behaviour, "data": position.data}
    state = story.peer(ALICE).match.state_hash()
    rise = {"behaviour": position.behaviour + 1, "data": position.data}
    to = {**rise, "needs": "pbem 0.2.0"}
    yield act("migrate-from", "E-ACT", "MEA-9", "from other rules than those in force", "migrate",
              {"from": rise, "to": to, "before": state, "after": state})  # fmt: skip
    yield act("migrate-state", "E-DESYNC", "MEA-7", "from another position than this one", "migrate",
              {"from": pins, "to": to, "before": some("elsewhere"), "after": state})  # fmt: skip
    yield act("answer-nothing", "E-ACT", "MEA-8", "agrees to what nobody has proposed", "answer",
              {"to": some("proposal"), "yes": True})  # fmt: skip


def _standing() -> Iterator[Fault]:
    story = _moving()
    move = next(order for order in _legal(story) if order.kind == "move")
    (mine,) = story.peer(ALICE).match.genesis.seats_of(ALICE)
    (other,) = story.peer(ALICE).match.genesis.seats_of(BOB)
    policy = parse("then default").plain()

    def turn(name: str, code: str, step: str, comment: str, *rows: list[Any]) -> Fault:
        bad = story.record(ALICE, "orders", story.turn(ALICE, move, standing=list(rows)))
        return name, code, step, comment, story.archive(bad), bad

    yield turn("standing-early", "E-POLICY", "MEA-13", "standing orders before the move is handed over",
               [mine, "retreat", policy])  # fmt: skip
    yield turn("standing-twice", "E-POLICY", "MEA-13", "two standing orders for one decision",
               [mine, "retreat", policy], [mine, "retreat", policy])  # fmt: skip
    yield turn("standing-seat", "E-SEAT", "HID-1", "standing orders for the other's seat", [other, "retreat", policy])
    yield turn("policy-decision", "E-POLICY", "POL-6", "standing orders for a decision that takes none",
               [mine, "move", policy])  # fmt: skip
    facts = parse("when moon = 1 then default").plain()
    yield turn("policy-fact", "E-POLICY", "POL-6", "a fact that the decision does not have", [mine, "retreat", facts])


def _answers() -> Iterator[Fault]:
    """Bob's program has to answer from his sealed standing orders."""
    story = Story("answers").until(lambda s: s.asked(BOB, "move"))
    (seat,) = story.peer(BOB).match.genesis.seats_of(BOB)
    story.table.order(BOB, story.table.choose(BOB), [NewStanding(seat, "react", parse("then pass"), sealed=True)])
    story.until(lambda s: s.owes(BOB, "reveal", "answer"))
    row = story.owed(BOB)[1]["items"][0]
    lie = [*row[:2], GAME.orders.write(Play(0, 100)), None]
    bad = story.record(BOB, "reveal", {"items": [lie]})
    yield "answer-unproved", "E-ANSWER", "MEA-15", "another answer than passing, without proof", story.archive(bad), bad
    lie = [*row[:2], None, bytes(40)]
    bad = story.record(BOB, "reveal", {"items": [lie]})
    yield "answer-proof", "E-ANSWER", "HID-6", "the proof opens nothing", story.archive(bad), bad


def _set_up() -> Iterator[Fault]:
    setup = GAME.setup_of()
    rules = Rules(GAME.behaviour, bytes(32), setup.data.digest, GAME.name, GAME.rules, "pbem 0.1.0")
    good = Terms(
        mode="strict",
        players=tuple(person(f"player {number}")[1].identity for number in (ALICE, BOB)),
        rules=rules,
        scenario=setup.scenario,
        seats=tuple(Seat(seat.name, seat.side, number) for number, seat in enumerate(GAME.seats)),
        decks=tuple(sorted(GAME.decks)),
        options=setup.options,
        title="set-up",
    )

    def offered(name: str, code: str, step: str, comment: str, **changes: Any) -> Fault:
        return name, code, step, comment, _opening(replace(good, **changes)), None

    yield offered("scenario", "E-SETUP", "STA-6", "a scenario that the game does not have", scenario="nowhere")
    yield offered("option", "E-SETUP", "STA-6", "an option that the game does not have", options={"fog": 1})
    yield offered("option-value", "E-SETUP", "STA-6", "a value that the option cannot have", options={"handicap": 99})
    yield offered("module", "E-MODULE", "STA-7", "a game that nobody has", rules=rules._replace(module="nobodys_game"))
    yield offered("data-missing", "E-FORM", "STA-7", "a data file of the players' own is not there",
                  replaced=(("cards", some("cards")),))  # fmt: skip


def _opening(terms: Terms) -> list[Item]:
    keys, card, secrets = person("player 0")
    first = first_record(keys, by=0, kind="offer", data=offer_data(card, secrets, terms), offer=None, at=AT)
    offer = offer_of(first)
    other, theirs, hidden = person("player 1")
    joined = first_record(other, by=1, kind="join", data=join_data(theirs, hidden, offer, 1), offer=offer, at=AT)
    joins = [join_of(offer, joined)]
    start = first_record(keys, by=0, kind="start", data=start_data(), offer=offer, joins=joins, at=AT)
    return [Item(ItemType.RECORD, record.raw) for record in (first, joined, start)]
