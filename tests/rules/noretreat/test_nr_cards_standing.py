"""Cards played by sealed standing orders, under the real protocol: they need no mail, and what was ordered behind an
interposition goes back to the draft."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.engine.archive import verify_archive
from pbem.engine.compiled import program
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.step import Decide
from pbem.engine.testing.inmemory import Table
from pbem.protocol.errors import Refusal
from pbem_rules.noretreat import game

# The cards that answer at each window. Choices by number of card, the first that can be played.
ANSWERS = {
    "turn_window": (19, 23),
    "phase_window": (18, 39, 43, 36, 41),
    "battle_window": (4, 5, 11, 24, 27, 28, 32, 34, 37, 38, 42, 16, 29, 30, 43, 44, 35, 19),
    "answer": (14, 15, 31, 36, 7),
}


def standing(seat: str, only: tuple[str, ...] = ()) -> list[NewStanding]:
    return [
        NewStanding(seat, kind, parse(f"then {', '.join(map(str, cards))}, pass"), sealed=True)
        for kind, cards in ANSWERS.items()
        if not only or kind in only
    ]


def test_windows_that_standing_orders_are_for():
    windows = {
        step.name: step
        for sequence in game.sequences
        for step in sequence.steps
        if isinstance(step, Decide) and step.window
    }
    assert set(ANSWERS) <= set(windows)
    for kind, cards in ANSWERS.items():
        game.policy(kind, f"then {', '.join(map(str, cards))}, pass")


@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_sealed_standing_orders_play_cards(mode: str) -> None:
    """Both have sealed orders for every window from their first mail on."""
    used: Counter[str] = Counter()
    for seed in range(1):
        table = Table(game, 2, mode=mode, seed=f"sealed {seed}", scenario="barbarossa", umpire=mode == "umpire")
        dressed: set[int] = set()
        for _ in range(3_000):
            asked = [n for n in (0, 1) if table.peers[n].match.asked(n) and n not in dressed]
            if asked and not table.on_the_way:
                (number,) = asked
                seat = table.peers[number].match.asked(number)[0]
                orders = table.choose(number)
                if table.peers[number].player.draft(table.peers[number].match, orders).seat is None:
                    table.order(number, orders, standing(seat))
                    dressed.add(number)
                    continue
            if not table.step():
                break
        table.play()
        table.deliver()
        assert table.agree()
        for item in answers(table):
            used[item[1].partition("/")[0]] += 1
        verdict = verify_archive(table.archive(), {"noretreat": game})
        assert verdict.ok, verdict.first_bad
    assert used, "no card was played by standing orders"


def answers(table: Table) -> list[Any]:
    """The items that open a sealed standing order which plays something."""
    items = [item for record in table.records if record.kind == "reveal" for item in record.data["items"]]
    return [item for item in items if item[0] == "answer" and item[2] is not None and item[3] is not None]


def settle(table: Table) -> list[tuple[int, int]]:
    """As `Table.settle`; whose orders lapsed by what came in between, and how many."""
    lapsed = []
    while True:
        table.deliver()
        for peer in table.peers.values():
            owed = peer.player.owed(peer.match)
            if owed:
                record, accepted = peer.seal(*owed[0])
                table.mail(record)
                if accepted.lapsed is not None:
                    lapsed.append((accepted.lapsed.by, len(accepted.lapsed.orders)))
                break
        else:
            return lapsed


def test_what_was_ordered_behind_an_interposition_goes_back() -> None:
    """Past a committed window the active side seals on; a card that is played there sends back what comes after it."""
    for seed in range(40):
        table = Table(game, 2, seed=f"behind {seed}", scenario="barbarossa")
        dressed: set[int] = set()
        for _ in range(200):
            settle(table)
            number = next((n for n in (0, 1) if table.peers[n].match.asked(n)), None)
            if number is None:
                break
            match = table.peers[number].match
            orders = table.choose(number)
            new = [] if number in dressed else standing(match.asked(number)[0], ("phase_window",))
            if new and table.peers[number].player.draft(match, orders).seat is not None:
                new = []
            dressed.update([number] if new else [])
            played = len(answers(table))
            table.order(number, orders, new)
            lapsed = settle(table)
            if lapsed and len(answers(table)) > played:
                assert lapsed[0][0] == number
                assert 0 < lapsed[0][1] < len(orders)
                assert table.agree()
                table.play()
                table.deliver()
                assert verify_archive(table.archive(), {"noretreat": game}).ok
                return
    raise AssertionError("no sealed card came in between")


def test_a_false_answer_is_refused() -> None:
    """A card is played as if by sealed orders, which are not shown: only a pass is believed without them (MEA-15)."""
    for seed in range(40):
        table = Table(game, 2, seed=f"false {seed}", scenario="barbarossa")
        dressed: set[int] = set()
        for _ in range(400):
            table.deliver()
            owed = [(n, kind, data) for n, p in table.peers.items() for kind, data in p.player.owed(p.match)[:1]]
            for number, kind, data in owed:
                if lied(table, number, kind, data):
                    return
            asked = [n for n in (0, 1) if table.peers[n].match.asked(n)]
            if owed:
                table.send(owed[0][0], *owed[0][1:])
            elif asked:
                orders = table.choose(asked[0])
                seat = table.peers[asked[0]].match.asked(asked[0])[0]
                last = table.peers[asked[0]].player.draft(table.peers[asked[0]].match, orders).seat is None
                table.order(asked[0], orders, standing(seat) if last and asked[0] not in dressed else [])
                if last:
                    dressed.add(asked[0])
            else:
                break
    raise AssertionError("no sealed card came in between")


def lied(table: Table, number: int, kind: str, data: dict[str, Any]) -> bool:
    """The others refuse it and name the liar."""
    items = data.get("items", [])
    for at, item in enumerate(items):
        if item[0] == "answer" and item[2] is not None and item[3] is not None:
            lie = [*items[:at], [*item[:3], None]]
            record = table.peers[number].make(kind, {**data, "items": lie})
            with pytest.raises(Refusal) as caught:
                table.peers[1 - number].replay.accept(record)
            assert caught.value.code == "E-ANSWER"
            assert caught.value.author == number
            return True
    return False


def test_ask_nothing_still_asks_which_units_leave_the_trains():
    """NR-3.11: to unload nothing would leave them there, and it is the player's own phase."""
    nothing = program(game).presets["ask-nothing"]
    assert nothing["unload"] is None
    assert nothing["unload_reserve"] is not None  # in the turn of the Axis
