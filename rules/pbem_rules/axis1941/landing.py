"""AA-5.34 to 5.38, 8.5 to 8.11: can every aircraft still land? The proof, promises, and what becomes of the rest.

The measure of everything is `unsaved`: how many aircraft of the active power would be lost at best. All attacks are
simultaneous, so that it is taken when the combat move is to end, and nobody may be lost then (`assault.duties`). In the
non-combat move no order may raise it, and the phase does not end before every aircraft that can be saved is safe.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.kit import many
from pbem_rules.axis1941.chart import PLACES
from pbem_rules.axis1941.decks import Berth, Deck, plan, unlanded
from pbem_rules.axis1941.mobilise import complexes, room
from pbem_rules.axis1941.routes import places, reach
from pbem_rules.axis1941.sight import ZONES, Sight, look
from pbem_rules.axis1941.state import Promise, State
from pbem_rules.axis1941.units import (
    BOMBER,
    CARRIER,
    DECK,
    FIGHTER,
    FOUGHT,
    LAND,
    MOVED,
    NONE,
    OF_SIDE,
    SHIFTED,
    TRANSPORT,
    Unit,
)

NEW = -2  # carriers that were bought, in plans
STEP = 2  # spaces of a carrier


class Shift(NamedTuple):
    """One unit as an order would leave it: where, and with how many spaces used."""

    number: int
    place: int
    used: int = 0


class Case(NamedTuple):
    """Who needs a deck, and which decks there are."""

    lost: int  # bombers that can reach nothing
    fighters: tuple[int, ...]  # who can only land on a deck
    reaches: tuple[int, ...]  # and where each could
    decks: tuple[Deck, ...]
    yards: tuple[int, ...]

    def unsaved(self) -> int:
        return self.lost + unlanded(self.reaches, self.decks, self.yards)

    def plan(self) -> tuple[Berth, ...]:
        return plan(self.reaches, self.decks, self.yards)


def left(s: State, unit: Unit) -> int:
    """Spaces that an aircraft may still fly (AA-5.32)."""
    return s.chart.stats[unit.kind].move - unit.used


def case(
    s: State,
    view: Sight,
    *,
    combat: bool,
    shift: Shift | None = None,
    still: bool = False,
) -> Case:
    """`shift`: as if that order had been given. `still`: as if nobody moved any more, but new carriers came."""
    lost, fighters, reaches = 0, [], []
    rows, air, landing = s.units, view.ways.air, view.landing
    for kind in (BOMBER, FIGHTER):
        most = s.chart.stats[kind].move
        for number in s.ground.of[s.active, kind]:
            unit = rows[number]
            if shift is not None and shift.number == number:
                place, used, done, own = shift.place, shift.used, not combat, 0
            elif landing >> unit.place & 1:
                continue
            else:
                place, used, done, own = unit.place, unit.used, bool(unit.did & SHIFTED), berth(s, unit)
            near = air[place][0 if done or still else most - used]
            if near & landing:
                continue
            if kind is BOMBER:
                lost += 1
            else:
                fighters.append(number)
                reaches.append(near & ZONES | own)
    if not reaches:
        return Case(lost, (), (), (), ())
    blocked = _blocked(s, view) if combat else (view.armed, 0)
    decks = _decks(s, view, blocked, shift=shift, promises=s.promises, still=still)
    new, yards = _new_decks(s, s.promises if combat else ())
    return Case(lost, tuple(fighters), tuple(reaches), (*decks, *new), yards)


def _decks(
    s: State,
    view: Sight,
    blocked: tuple[int, int],
    *,
    shift: Shift | None = None,
    promises: tuple[Promise, ...] = (),
    still: bool = False,
) -> list[Deck]:
    """Decks that stay come first, so that a plan asks carriers to move only where it must (AA-2.24, AA-5.34 to 5.38,
    AA-7.10, AA-8.9, AA-8.16, AA-8.17).

    `blocked`: zones that carriers neither pass nor enter, and zones that they do not leave.
    """
    fixed, free = [], []
    for power in (s.active, *(power for power in OF_SIDE[view.side] if power is not s.active)):
        for number in s.ground.of[power, CARRIER]:
            unit = s.units[number]
            space = DECK - _taken(s, number)
            if not space:
                continue
            if not s.allows(power, s.active, "deck"):
                fixed.append(Deck(number, DECK, _private(number), unit.place))
                continue
            moved = shift if shift is not None and shift.number == number else None
            place = unit.place if moved is None else moved.place
            here = 1 << place
            done = power is not s.active or still or moved is not None or unit.did & (MOVED | FOUGHT | SHIFTED)
            if done or blocked[1] & here:
                fixed.append(Deck(number, space, here, place))
                continue
            zones = bound(s, number, place, view, promises, blocked[0])
            free.append(Deck(number, space, zones, place))
    return fixed + free


def _taken(s: State, carrier: int) -> int:
    """Allies' fighters keep their places (AA-5.34, AA-7.10)."""
    return sum(1 for number in s.ground.cargo.get(carrier, ()) if s.units[number].power is not s.active)


def _private(carrier: int) -> int:
    """A zone of its own for a deck that its owner closes to us: whoever is there may stay, nobody comes (AA-2.24)."""
    return 1 << PLACES + carrier


def berth(s: State, fighter: Unit) -> int:
    """The private zone of such a deck for who is aboard (AA-2.24, AA-7.10)."""
    if fighter.aboard == NONE or s.allows(s.units[fighter.aboard].power, s.active, "deck"):
        return 0
    return _private(fighter.aboard)


def _blocked(s: State, view: Sight) -> tuple[int, int]:
    """AA-5.35: zones that stay hostile though all own attacks succeed; and zones in which own ships must fight."""
    fighting = contested(s, view)
    return view.armed & ~fighting, fighting


def hopes(s: State, view: Sight) -> int:
    """AA-5.34, AA-5.35, AA-5.37: where there can be a deck if every other order is given that helps, and succeeds."""
    mask = 0
    for deck in (*_decks(s, view, (0, 0)), *_new_decks(s, ())[0]):
        mask |= deck.zones
    return mask


def contested(s: State, view: Sight) -> int:
    """Zones in which the active power will fight: hostile or attacked ones that hold own units able to attack (AA-5.15,
    AA-5.19, AA-5.34 to 5.36)."""
    mask = view.armed
    for zone in s.attacked:
        mask |= 1 << zone
    found = 0
    for zone in places(mask & s.ground.masks[view.side][0]):
        for number in s.ground.at[zone]:
            unit = s.units[number]
            if unit.power is s.active and unit.kind is not TRANSPORT and unit.kind not in LAND:
                found |= 1 << zone
                break
    return found


def bound(s: State, carrier: int, place: int, view: Sight, promises: tuple[Promise, ...], armed: int) -> int:
    """The zones in which the carrier can end, its own among them (AA-5.34 to 5.36); only one if it is
    promised (AA-5.38)."""
    zones = reach(view.sea, place, STEP, ~armed) & ~armed | 1 << place
    for promise in promises:
        if promise.carrier == carrier and 1 << promise.zone & zones and active(s, promise):
            return 1 << promise.zone
    return zones


def sworn(s: State, view: Sight, carrier: int) -> int:
    """AA-5.38: the zone to which a carrier that can still move must go in the non-combat move; NONE: anywhere."""
    place = s.units[carrier].place
    for promise in s.promises:
        if promise.carrier != carrier or not active(s, promise):
            continue
        if bound(s, carrier, place, view, (promise,), view.armed) == 1 << promise.zone:
            return promise.zone
    return NONE


def sworn_as(s: State, carrier: int, zone: int) -> str:
    """AA-5.37, AA-5.38: how the promise came about, often without an order, and what follows from it."""
    count = max(len(each.fighters) for each in s.promises if (each.carrier, each.zone) == (carrier, zone))
    need = f", because {many(count, 'fighter')} of yours could not land without it," if count else ""
    return f"was promised for {s.where(zone)} when the combat move ended{need} and must go there"


def active(s: State, promise: Promise) -> bool:
    """Is somebody still in the air who needs it (AA-5.38)? One without names binds while moves are made (AA-5.35)."""
    if not promise.fighters:
        return True
    for number in promise.fighters:
        unit = s.units.get(number)
        if unit is not None and not unit.did & SHIFTED:
            return True
    return False


def yard_zones(s: State) -> tuple[tuple[int, int], ...]:
    """Where bought ships can be mobilised, as pairs of a zone and the place of its complex in the list of complexes."""
    return tuple((zone, index) for index, each in enumerate(complexes(s, s.active)) for zone in s.chart.near_sea[each])


def _new_decks(s: State, promises: tuple[Promise, ...]) -> tuple[list[Deck], tuple[int, ...]]:
    """AA-5.37, AA-8.8: carriers that wait to be mobilised."""
    count = s.bought.get(CARRIER)
    if not count:
        return [], ()
    pairs = yard_zones(s)
    zones = [promise.zone for promise in promises if promise.carrier == NONE]
    decks = []
    for n in range(count):
        mine = tuple(pair for pair in pairs if n >= len(zones) or pair[0] == zones[n])
        mask = 0
        for zone, _ in mine:
            mask |= 1 << zone
        decks.append(Deck(NEW - n, DECK, mask, yards=mine))
    return decks, tuple(room(s, each) for each in complexes(s, s.active))


def unsaved(
    s: State,
    view: Sight,
    *,
    combat: bool,
    shift: Shift | None = None,
    still: bool = False,
) -> int:
    return case(s, view, combat=combat, shift=shift, still=still).unsaved()


def worse(s: State, view: Sight, *, combat: bool, shift: Shift) -> bool:
    """Would more aircraft be lost than as things stand (AA-8.10, AA-8.17)?"""
    after = unsaved(s, view, combat=combat, shift=shift)
    return after > 0 and after > unsaved(s, view, combat=combat)


def homeless(s: State) -> list[int]:
    """Own aircraft that would be lost if the non-combat move ended now though some of them could be saved."""
    view = look(s)
    now = case(s, view, combat=False, still=True)
    lost = now.unsaved()
    if not lost or lost <= unsaved(s, view, combat=False):
        return []
    grounded = [number for number in s.ground.of[s.active, BOMBER] if not view.landing >> s.units[number].place & 1]
    return [*grounded, *undecked(now)]


def undecked(now: Case) -> list[int]:
    """The fighters that a best use of the decks leaves over."""
    housed = {now.fighters[each] for berth in now.plan() for each in berth.fighters}
    return [number for number in now.fighters if number not in housed]
