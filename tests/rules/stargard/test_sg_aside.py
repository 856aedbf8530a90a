"""SG-12.6, SG-16.1: a Soviet chit laid aside, which its owner alone knows; the draws out of what is left."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from sg_positions import CHART

from pbem.engine.archive import verify_archive
from pbem.engine.event import Out
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem.engine.testing.inmemory import Table
from pbem.protocol.errors import Refusal
from pbem_rules.stargard import game
from pbem_rules.stargard.aside import Reporting, may_report
from pbem_rules.stargard.chart import CHIT_DECK, GERMAN, SOVIET
from pbem_rules.stargard.command import DrawChit, TurnUp, face_down, playable
from pbem_rules.stargard.events import ChitPlayed
from pbem_rules.stargard.frames import GameTurn, War
from pbem_rules.stargard.looking import looking
from pbem_rules.stargard.orders import Done, LayAside
from pbem_rules.stargard.setup import set_up
from pbem_rules.stargard.state import STAVKA
from pbem_rules.stargard.turns import BeginTurn, EndOfTurn, NextTurn
from pbem_rules.stargard.victory import markers, score

CODES = tuple(CHART.chits)


class Chits(ScriptedChance):
    """Draws of chits as a test wants them, by label; all else as it comes."""

    def dice(self, draw):
        return super().dice(draw) if draw.label in self.rolls else (1,) * draw.count


def turn(number, chits=(), rolls=None, standing="then report", gone="", **options):
    """The Command phase of a turn begins; `chits`: the Soviet chits as they come to lie, face down; `gone`: not it."""
    state = set_up(game.setup_of(options=options))
    state.turn = number
    BeginTurn().run(state, GameTurn(), Out())
    state.cup = tuple(code for code in state.cup if code != gone)
    own = [code for code in state.cup if CHART.chits[code].side == SOVIET]
    order = [*chits, *(code for code in own if code not in chits)]
    decks = {CHIT_DECK: [[CODES.index(code) for code in order]]}
    state.activations = 60
    machine = at_step(game, state, (War(), NextTurn, True), (GameTurn(), Reporting))
    machine.set_standing(SOVIET, "report", parse(standing))
    return Driver(game, machine=machine, chance=Chits(rolls or {}, decks))


def laid(number=8, chit="2GT", **kept):
    driver = turn(number, **kept)
    return driver.order(SOVIET, f"aside {chit}")


@pytest.mark.parametrize(
    ("number", "option", "may"),
    [(1, True, False), (2, False, False), (2, True, True), (3, True, True), (4, True, False), (7, True, False),
     (8, False, True), (9, False, True), (10, True, False)],
)  # fmt: skip
def test_sg_12_6a_16_1_when_a_chit_may_be_laid_aside(number, option, may):
    state = set_up(game.setup_of(options={STAVKA: option}))
    state.turn = number
    assert may_report(state) == may


def test_sg_12_6a_nobody_is_asked_who_has_not_said_so():
    preset = Driver(game).machine.standing(SOVIET)["report"]
    driver = turn(8, standing=str(preset))
    assert driver.state.drawn  # the next chit has been drawn out of the full cup
    assert driver.state.chits.epoch == 0


def test_sg_12_6a_standing_orders_name_the_turn():
    assert turn(8, standing="when turn = 9 then report; then decline").state.chits.epoch == 0
    driver = turn(9, standing="when turn = 9 then report; then decline")
    assert driver.state.chits.epoch == 1
    assert driver.asked == (SOVIET,)


def test_sg_12_6b_12_6d_its_owner_alone_knows_the_chit():
    driver = laid(chit="61")
    (slot,) = driver.state.chits.thrown
    assert CODES[driver.own(SOVIET)[slot]] == "61"
    assert slot not in driver.own(GERMAN)
    assert driver.state.reports == 1
    assert score(driver.state) == markers(driver.state) - 1
    assert "61" in driver.state.cup  # as far as everybody knows
    assert {driver.state.chart.chits[code].side for code in playable(driver.state)} == {GERMAN}
    told = {seat: str(looking(driver.view(seat), "cup")) for seat in (GERMAN, SOVIET)}
    assert "Laid aside: 61" in told[SOVIET]
    assert "Laid aside" not in told[GERMAN]
    assert "face down" in told[GERMAN]


def test_sg_12_6d_who_declines_pays_nothing():
    driver = turn(8).order(SOVIET, "decline")
    assert driver.state.reports == 0
    assert not driver.state.chits.hand(SOVIET)
    assert any(CHART.chits[code].side == SOVIET for code in playable(driver.state))


def test_sg_12_6b_a_place_drawn_is_turned_up_and_played():
    germans = sum(CHART.chits[code].side == GERMAN for code in turn(8).state.cup)
    driver = laid(chits=("61", "2GT", "47"), rolls={"t8/chit1": germans + 1})
    assert driver.state.drawn == ("61",)
    assert driver.state.played[SOVIET] == 1
    assert len(driver.state.chits.hand(SOVIET)) == 6  # of eight, one is aside and one was drawn


def shares(last, aside, rounds=10_000):
    """How often each chit is the next that is played, by the steps of the game."""
    rng, found = Random(12), Counter()
    state = turn(8).order(SOVIET, "decline").state
    state.last, own = last, list(CHART.cup(8, SOVIET))
    for _ in range(rounds):
        state.drawn, state.shown, state.cup = (), (), (*CHART.cup(8, GERMAN), *CHART.cup(8, SOVIET))
        state.played[GERMAN] = state.played[SOVIET] = 0
        rng.shuffle(own)
        slots = [f"{CHIT_DECK}/1/{place}" for place in range(len(own))]
        state.chits.hands, state.chits.thrown = {SOVIET: list(slots)}, []
        state.chits.throw(SOVIET, slots[own.index(aside)])
        frame, step = GameTurn(), DrawChit()
        while not state.drawn:
            draws = list(DrawChit().draws(state, frame))
            step.run(state, frame, {each.label: (rng.randint(1, each.sides),) for each in draws}, Out())
            if frame.place:
                TurnUp().run(state, frame, {frame.place: CODES.index(own[slots.index(frame.place)])}, Out())
        found[state.drawn[0]] += 1
    return found


@pytest.mark.parametrize("last", ["", "army61"])
def test_sg_3_1_1a_every_chit_that_can_be_played_comes_up_as_often(last):
    """Six German chits and eight Soviet ones, of which one is aside; that of the formation activated last is drawn
    again, whichever it is (SG-3.1.3b)."""
    found = shares(last, "2GT")
    can = [code for code in (*CHART.cup(8, GERMAN), *CHART.cup(8, SOVIET)) if code not in ("2GT", "61" if last else "")]
    assert set(found) == set(can)
    expected = 10_000 / len(can)
    assert sum((found[code] - expected) ** 2 / expected for code in can) < 32.9  # chi-square, 12 degrees: p = 0.001


def test_sg_3_1_3b_a_chit_that_cannot_be_played_goes_back_and_can_be_drawn_later():
    driver = laid(chits=("61", "2GT", "47"))
    state, frame = driver.state, GameTurn()
    slots = state.chits.hand(SOVIET)
    state.last = "army61"
    frame.place = slots[0]
    following = TurnUp().run(state, frame, {frame.place: CODES.index("61")}, Out())
    assert following.step is DrawChit
    assert (state.shown, state.played.get(SOVIET, 0)) == (("61",), 0)
    assert "61" in state.cup
    assert "61" not in playable(state)
    assert slots[0] not in face_down(state)
    ((again,),) = [list(DrawChit().draws(state, frame))]
    assert again.label.endswith(f"chit{len(state.drawn) + 2}")  # another draw
    assert (frame.place, frame.put_back) == ("", 1)
    state.last = "army47"
    assert "61" in playable(state)


def test_sg_12_6b_a_place_that_is_turned_up_was_one_of_all_that_could_be_drawn():
    driver, out = laid(chits=("61", "2GT", "47")), Out()
    state, place = driver.state, driver.state.chits.hand(SOVIET)[0]
    lots = len(playable(state)) + len(face_down(state))
    TurnUp().run(state, GameTurn(place=place), {place: CODES.index("47")}, out)
    assert [event.out_of for event in out.events if isinstance(event, ChitPlayed)] == [lots]
    assert place not in state.chits.hand(SOVIET)


def test_sg_12_6b_the_place_aside_is_never_drawn_even_when_all_others_are():
    state = laid(chits=("61", "2GT")).state
    for slot in state.chits.hand(SOVIET):
        state.chits.remove(SOVIET, slot, 0)
    state.shown = tuple(code for code in state.cup if CHART.chits[code].side == SOVIET and code != "2GT")
    assert face_down(state) == ()
    assert "2GT" not in playable(state)


def test_sg_12_6b_3_1_2b_a_side_that_has_played_its_number_has_no_places_left():
    state = laid().state
    state.played[SOVIET] = state.number(SOVIET)
    assert face_down(state) == ()


@pytest.mark.parametrize(("first", "options"), [(8, {}), (2, {STAVKA: True})])
def test_sg_12_6c_16_1_the_same_chit_in_both_turns(first, options):
    """SG-12.6c, TEST-30: it is back in the cup of the next turn, and each turn costs a point."""
    driver = laid(first, **options)
    state = driver.state
    EndOfTurn().run(state, GameTurn(), Out())
    BeginTurn().run(state, GameTurn(), Out())
    assert not state.chits.thrown
    assert "2GT" in playable(state)
    machine = at_step(game, state, (War(), NextTurn, True), (GameTurn(), Reporting))
    machine.set_standing(SOVIET, "report", parse("then report"))
    again = Driver(game, machine=machine, chance=Chits({}), cards={f"{CHIT_DECK}/1/0": 0})
    again.order(SOVIET, "aside 2GT")
    assert again.state.turn == first + 1
    assert again.state.reports == 2
    assert CODES[again.own(SOVIET)[again.state.chits.thrown[0]]] == "2GT"
    assert score(again.state) == markers(again.state) - 2


class Brief:
    """Does as little as can be done, and lays a chit aside."""

    def choose(self, view, need, seat, legal, rng):
        orders = list(islice(legal, 40))
        aside = [order for order in orders if isinstance(order, LayAside)]
        done = [order for order in orders if isinstance(order, Done)]
        return aside[rng.below(len(aside))] if aside else (done or orders)[0]


def played(mode, until=None):
    table = Table(game, 2, mode=mode, seed=f"aside {mode}", options={STAVKA: True}, umpire=mode == "umpire")
    given = False
    for _ in range(2_000):
        table.settle(until)
        peer = table.peers[1]
        if (until is not None and until(table)) or peer.match.finished:
            return table
        number = next(number for number in (0, 1) if table.peers[number].match.asked(number))
        standing = () if given or number == 0 else (NewStanding(SOVIET, "report", parse("then report")),)
        given = given or number == 1
        table.order(number, table.choose(number, Brief()), standing)
    raise AssertionError("not over")


@pytest.mark.slow
def test_whole_games_in_which_a_chit_is_laid_aside(some):
    for mode in some(["strict", "umpire", "open"], 3):
        table = played(mode)
        table.check_end()
        assert table.peers[0].match.machine.state.reports == 4


def owes_a_place(table):
    owed = table.peers[1].player.owed(table.peers[1].match)
    return any(item[0] == "slot" for _, data in owed[:1] for item in data.get("items", ())) and bool(
        table.peers[1].match.machine.state.chits.thrown
    )


def test_a_false_opening_is_refused_and_its_author_named():
    table = played("strict", owes_a_place)
    table.deliver()
    peer = table.peers[1]
    ((kind, data),) = peer.player.owed(peer.match)[:1]
    items = [
        [what, slot, bytes(31) + b"\x40"] if what == "slot" else [what, slot, *rest]
        for what, slot, *rest in data["items"]
    ]
    record = peer.make(kind, {**data, "items": items})
    with pytest.raises(Refusal) as refused:
        table.peers[0].replay.accept(record)
    assert refused.value.code == "E-PROMISE"
    assert refused.value.author == 1


def played_out(table, first=None):
    """To the end of the game. `first`: what takes a step instead of an honest program, where it can."""
    for _ in range(4_000):
        if (first is None or not first(table)) and not table.step({0: Brief(), 1: Brief()}):
            break
    table.deliver()
    return verify_archive(table.archive(), {"stargard": game})


def asked_for_chits():
    """A game in mode strict whose Soviet player lays chits aside."""
    given = []

    def standing(table):
        if not given and table.peers[1].match.asked(1):
            given.append(True)
            said = (NewStanding(SOVIET, "report", parse("then report")),)
            table.order(1, table.choose(1, Brief()), said)
            return True
        return False

    return Table(game, 2, mode="strict", seed="aside cheat", options={STAVKA: True}), standing


def test_an_honest_game_with_a_chit_laid_aside_passes_the_audit():
    table, standing = asked_for_chits()
    verdict = played_out(table, standing)
    assert verdict.ok, verdict.first_bad
    assert table.peers[0].match.machine.state.reports > 0


def test_sg_12_6a_who_lays_the_chits_down_as_it_suits_them_is_named_by_the_audit():
    """The Soviet program passes the chits on in an order of its player's choice. No other program can see that before
    the secrets of the game are opened; then the game is not verified, and the verdict says whose fault that is."""
    table, standing = asked_for_chits()
    cheated = []

    def stacked(item):
        points = item[4]
        cheated.append(item[1])
        return [*item[:4], b"".join(points[at : at + 32] for at in reversed(range(0, len(points), 32))), *item[5:]]

    def cheat(table):
        table.deliver()
        peer = table.peers[1]
        for kind, data in peer.player.owed(peer.match)[:1]:
            items = data.get("items", [])
            if any(each[0] == "pass" and each[3] == 1 for each in items):
                table.send(1, kind, {"items": [stacked(each) if each[0] == "pass" else each for each in items]})
                return True
        return standing(table)

    verdict = played_out(table, cheat)
    assert set(cheated) == {CHIT_DECK}
    assert not verdict.ok
    assert (verdict.first_bad.code, verdict.first_bad.step, verdict.first_bad.author) == ("E-AUDIT", "HID-12", 1)


def test_sg_12_6b_a_chit_that_is_not_in_the_cup_cannot_be_laid_aside():
    driver = turn(8)
    size = driver.state.chits.size
    assert size == len([code for code in driver.state.cup if CHART.chits[code].side == SOVIET])
    assert driver.check(SOVIET, LayAside(size - 1)) is None
    for place in (size, size + 7, -1):
        assert driver.check(SOVIET, LayAside(place)).rule == "SG-12.6"
    assert face_down(driver.state) == ()  # as long as none is aside, none is drawn
    assert turn(8, gone="61").state.chits.size == size - 1
