"""Calls of umpires in words: whose turn it is to answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.cli.out import note, say, say_table
from pbem.cli.show import when
from pbem.cli.text import clean

if TYPE_CHECKING:
    from pbem.table.values import CallRow


def open_calls(calls: Sequence[CallRow]) -> list[CallRow]:
    """Those that have no game here, and may still get one."""
    return [call for call in calls if call.stage in ("called", "accepted", "sent")]


def called_for(call: CallRow) -> str:
    """`Spring Cup, round 2, board 7`."""
    return f"{call.title}, round {call.round}, board {call.board}"


def call_stage(call: CallRow) -> str:
    if call.stage == "sent":
        said = [f"{each.name} {'accepts' if each.yes else 'declines'}" for each in call.answers]
        return f"called: {', '.join(said) or 'no answer yet'}"
    if call.stage == "accepted":
        return "accepted, waiting for the offer"
    if call.stage == "closed":
        return f"taken back by {call.umpire}"
    if call.stage in ("declined", "expired"):
        return call.stage
    return f"{call.umpire} calls you, until {when(call.expires)}: pbem join {call.name}"


def say_entered(call: CallRow) -> None:
    """What a yes to a call means from then on."""
    note(
        f"You are in {clean(call.title)}: your program accepts its later calls. It ends with: pbem decline {call.name} "
        "--tournament"
    )


def say_call(call: CallRow) -> None:
    seats = "; ".join(
        f"{call.players[by]}: {', '.join(seat for seat, held in call.seats if held == by)}"
        for by in range(len(call.players))
    )
    say_table(
        [
            (f"{call.name}:", f"{call.game}, {call.scenario}"),
            ("Called for:", f"{called_for(call)}, by {call.umpire}"),
            ("Seats:", seats),
            ("Open until:", when(call.expires)),
            ("State:", call_stage(call)),
        ]
    )
    for said in call.answers:
        if said.why:
            say(f"{clean(said.name)} says: {clean(said.why)}")
