"""No Retreat! under the real protocol: whole games in every mode, hands without a dealer, a turn in two letters."""

from __future__ import annotations

import pytest

from pbem.engine.archive import verify_archive
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import Table
from pbem_rules.noretreat import game
from pbem_rules.noretreat.windows import WINDOWS

PASSING = (*(window.name for window in WINDOWS), "answer", "counterblows")
SEATS = ("axis", "soviet")
DEFAULTS = ("counterattack", "retreat", "loss", "cadre", "mark", "pursuit")


@pytest.mark.parametrize(("mode", "scenario"), [("strict", "barbarossa"), ("umpire", "berlin"), ("open", "barbarossa")])
def test_whole_games(mode, scenario):
    table = Table(game, 2, mode=mode, umpire=mode == "umpire", seed="noretreat", scenario=scenario)
    table.play(dict.fromkeys((0, 1), game.bots["random"]))
    assert table.agree()
    match = table.peers[0].match
    assert match.result is not None
    verdict = verify_archive(table.archive(), lambda _: game)
    assert verdict.ok, verdict


def standing(seat: str) -> list[NewStanding]:
    """Everything that can be answered in advance; what speaks of cards is sealed."""
    passing = [NewStanding(seat, kind, parse("then pass"), sealed=True) for kind in PASSING]
    return passing + [NewStanding(seat, kind, parse("then default"), sealed=False) for kind in DEFAULTS]


def own(table: Table, number: int) -> dict[str, int | bytes]:
    peer = table.peers[number]
    return peer.player.own_values(peer.match)


def first(table: Table, number: int, orders: list[NewStanding]) -> None:
    """The first legal order of whoever is asked."""
    machine = table.peers[number].match.machine
    table.order(number, [next(iter(machine.legal(SEATS[number], own(table, number))))], orders)
    table.settle()


def test_a_player_turn_in_few_letters():
    """The Axis moves, marks, fights in one record; the programs of both answer all else that is asked."""
    table = Table(game, 2, seed="letters", scenario="campaign")
    table.settle()
    match = table.peers[0].match
    while match.machine.need.kind != "organise":
        number = 0 if match.asked(0) else 1
        first(table, number, standing("soviet") if number else [])
    before = len(table.records)
    context = match.machine.context("axis", own(table, 0))
    texts = ("done", "move 1Pz 0813", "done", "target 0914", "done", "attack 0914 with 1Pz blitz")
    table.order(0, [order for text in texts for order in game.notation.parse(text, context)])
    table.settle()
    by_axis = [record.kind for record in table.records[before:] if record.by == 0]
    assert by_axis.count("orders") == 1
    assert match.machine.state.active == "soviet"  # nobody was asked in between
    assert table.agree()
