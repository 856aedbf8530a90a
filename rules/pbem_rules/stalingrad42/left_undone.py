"""Reminders of what a player may have forgotten, before they end a phase."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from pbem.game import Order, Orders, Rows, View
from pbem.kit import all_of, describe_places, hex_name, many, named_ways
from pbem_rules.stalingrad42.campaign.removals import fillable, waiting_armies
from pbem_rules.stalingrad42.chart import SUPPLY
from pbem_rules.stalingrad42.combat.fights import Attacks, ListAttacks, targets
from pbem_rules.stalingrad42.combat.guns import posts, price
from pbem_rules.stalingrad42.combat.odds import NO_ATTACK
from pbem_rules.stalingrad42.combat.pursuit import FollowUp
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Initial, Refits
from pbem_rules.stalingrad42.movement.phase import FirstMoves, Movement, ShortMovement, still_able
from pbem_rules.stalingrad42.orders import Activate, Attack, Commit, Done, Ready
from pbem_rules.stalingrad42.replacements import Renewals
from pbem_rules.stalingrad42.state import POOL, State
from pbem_rules.stalingrad42.supply.phase import Readies, Resupply

MOVES = (Movement.name, ShortMovement.name, FirstMoves.name)
FEW = 12  # units that are named


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """S42-18, S42-21: points, replacements and supplies that somebody could use; then units that could move."""
    s, f = view.state, view.frame
    if not isinstance(f, PlayerTurn) or f.seat != seat:
        return
    if isinstance(order, Attack):
        yield from _hopeless(s, f, order)
    if not isinstance(order, Done):
        return
    kind = view.need.kind if isinstance(view.need, Orders) else ""
    if kind == ListAttacks.name:
        yield from _listed(s, f)
        if view.usual(FollowUp.name):
            yield from _not_followed(s, f)
    last = kind == ListAttacks.name or (kind in MOVES and not ListAttacks().has_something(s, f))
    if last and view.usual(Resupply.name):
        yield from _spent(s, f)
    if kind == Initial.name:
        yield from _initial(s, f, seat)
    if kind in MOVES and (idle := still_able(s, f)):
        yield f"Not moved: {many(len(idle), 'unit')}, {describe_places(idle, s.code, FEW)}."


def _listed(s: State, f: PlayerTurn) -> Iterator[str]:
    """Attacks, advances and support that could still be listed; reserves (S42-25.2.3f) and plans (S42-26.2d) unused."""
    entries = [f.entries[number - 1] for number in f.waiting()]
    left = targets(s, f)
    if able := sorted({unit for units in left.values() for unit in units}):
        where = describe_places(left, lambda place: str(s.chart.board[place]), few=3)
        yield f"Could still attack: {many(len(able), 'unit')}, {describe_places(able, s.code, FEW)}, on {where}."
    idle_guns = [unit for unit, _ in posts(s, f.seat) if all(unit not in entry.guns for entry in f.attacks())]
    if idle_guns:
        yield f"Artillery support and supply points that no attack uses: {all_of(map(s.code, idle_guns))}."
    for attack in (entry for entry in entries if isinstance(entry, Attack)):
        for gun in attack.guns:
            if s.has(gun, SUPPLY):
                yield f"Attack on {hex_name(attack.target)}: {price(s, gun, attack.guns, attack.units, idle_guns)}"
    used = {unit for entry in entries if isinstance(entry, Activate) for unit in named_ways(entry.advance)}
    idle = [unit for units in f.reserved if used.isdisjoint(units) for unit in units]
    if idle:
        yield f"In reserve, and not activated: {all_of(map(s.code, idle))}; the markers come off (S42-25.2.3f)."
    for entry in entries:
        if isinstance(entry, Commit) and all(
            not isinstance(each, Attack) or each.target != entry.target for each in entries
        ):
            yield f"A Planned Offensive is committed to {hex_name(entry.target)}, and no attack on it is listed."


def _not_followed(s: State, f: PlayerTurn) -> Iterator[str]:
    """S42-14.1: attacks after which nobody advances, since neither the entry nor a standing order says so."""
    if still := [each.target for each in f.attacks() if not each.advance and not each.breaks and not each.ask]:
        where = describe_places(still, lambda place: str(s.chart.board[place]), few=6)
        yield (
            f"No advance is ordered after the attack on {where}: no unit goes in there. This standing order sends the "
            "strongest unit in after every attack, one hex and no other unit, and also after attacks with `ask`, "
            f"where you are then not asked: `standing {FollowUp.name} then strongest`."
        )


def _spent(s: State, f: PlayerTurn) -> Iterator[str]:
    """S42-18.6.4: the supply points that the usual answer spends when the turn ends, also on support that fires now."""
    twin = copy(s)
    twin.pieces = Rows(s.pieces)
    for gun in (gun for each in f.attacks() for gun in each.guns):
        twin.pieces[gun] = replace(s.pieces[gun], ready=False, place=POOL if s.has(gun, SUPPLY) else s.at(gun))
    twin.ground = twin.roster()
    while isinstance(order := next(iter(Resupply().answers(twin, f, f.seat, {}).values())), Ready):
        yield (
            f"By your usual answer {s.code(order.unit)} is made ready with {s.code(order.supply)}, "
            f"which is spent. To be asked: `standing {Resupply.name} then ask`."
        )
        twin.pieces[order.unit] = replace(twin.pieces[order.unit], ready=True)
        twin.pieces[order.supply] = replace(twin.pieces[order.supply], place=POOL)
        twin.ground = twin.roster()


def _hopeless(s: State, f: PlayerTurn, entry: Attack) -> Iterator[str]:
    """S42-8.4.1: an entry that waits for another, whose odds are none before that one has been fought."""
    if (entry.after or entry.unless) and Attacks().column(s, f, entry) == NO_ATTACK:
        codes = all_of(map(s.code, entry.units))
        said = f"As things stand, the attack of {codes} on {hex_name(entry.target)} is not allowed"
        yield f"{said}: its odds are below 1:3."


def _initial(s: State, f: PlayerTurn, seat: str) -> Iterator[str]:
    if armies := waiting_armies(s, f):
        yield f"A reserve army could be released (S42-31.0): {all_of(armies)}."
    if weak := fillable(s, f):
        fits = describe_places(weak, s.code, FEW)
        yield f"Steps are left over, and lost (S42-32.1c): `refill` fits {fits}."
    if f.points:
        used = [s.code(order.unit) for order in Refits().legal(s, f, seat, {})]
        refit = f" Support on a railway that they could make ready: {all_of(used)}." if used else ""
        yield f"Resource points left: {f.points}; they are lost (S42-18.1a).{refit}"
    units = {order.unit for order in Renewals().legal(s, f, seat, {})}
    if units:
        spare = ", ".join(f"{number} {kind}" for kind, number in f.spare.items())
        fits = describe_places(sorted(units), s.code, FEW)
        yield f"Replacements left: {spare}; they are lost (S42-21.1.3). They fit {fits}."
    ready = sorted({s.code(order.unit) for order in Readies().legal(s, f, seat, {})})
    if ready:
        yield f"Supply points lie with support that has been used (S42-18.6.4): {all_of(ready)}."
