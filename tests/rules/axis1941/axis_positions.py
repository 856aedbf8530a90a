"""Positions for tests: a machine at a phase of one power's turn, with the units that are named and no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.event import Event
from pbem.engine.order import Order
from pbem.engine.step import Frame, Step
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES, is_zone
from pbem_rules.axis1941.frames import Turn, War
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.orders import (
    NO_SHIP,
    Attack,
    Buy,
    Divert,
    Finish,
    First,
    Home,
    Ignore,
    Land,
    Load,
    Move,
    Promise,
    Put,
    Recall,
    Return,
    Share,
    Shared,
    piece,
)
from pbem_rules.axis1941.sequence import SEQUENCES, NextTurn
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, DECK, KINDS, NONE, POWERS, SIDE, Kind, Power, Unit, ship_code

# The steps of a turn by name: `purchase`, `combat`, `noncombat`, `mobilise` are its decisions.
PHASES: Mapping[str, type[Step[Any, Any]]] = {
    step.name: type(step) for sequence in SEQUENCES if sequence.frame is Turn for step in sequence.steps
}


def where(text: str) -> int:
    return TYPED.need_place(text.split())


def stand(s: State, power: Power, text: str) -> None:
    """`3 infantry 1 tank Ukraine`, `carrier, 2 fighter SZ14` (aboard), `2 infantry in transport 1 SZ8` (aboard)."""
    aboard = NONE
    head, inside, tail = text.partition(" in ")
    units, rest = TYPED.counted((head if inside else text).split())
    if inside:
        (_, kind, number), *_ = TYPED.counted(tail.split())[0]
        rest = TYPED.counted(tail.split())[1]
        owner = next(
            p for p in (power, *POWERS) if SIDE[p] is SIDE[power] and (aboard := s.ship(p, kind, number)) != NONE
        )
        assert owner is not None
        assert not rest or s.units[aboard].place == where(" ".join(rest))
        place = s.units[aboard].place
    else:
        place = where(" ".join(rest))
    for count, kind, _ in sorted(units, key=lambda each: each[1] is Kind.FIGHTER):
        for _ in range(count):
            deck = aboard
            if kind is Kind.FIGHTER and is_zone(place) and not inside:
                ships = [n for n in s.here(place, side=SIDE[power], kind=Kind.CARRIER) if len(s.cargo(n)) < DECK]
                ships.sort(key=lambda n: s.units[n].power is not power)
                deck = ships[0] if ships else NONE  # without a deck it is in the air, attacking
            s.raise_unit(power, kind, place, aboard=deck)


def position(
    phase: str,
    power: str,
    units: str = "",
    *,
    control: Mapping[str, str] | None = None,
    ipc: Mapping[str, int] | None = None,
    bought: Mapping[str, int] | None = None,
    was: Mapping[str, str] | None = None,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    players: Mapping[str, int] | None = None,
    dice: Mapping[str, Any] | None = None,
    keep: bool = False,
    **fields: Any,
) -> Driver[State]:
    """`units`: `germany: 3 infantry Ukraine; battleship SZ5 | uk: carrier SZ14; fighter SZ14`.

    `control`: territory -> power, where it is not as printed; `was`: who held it when the turn began; `keep`: the units
    of the set-up stay; other fields are those of the state.
    """
    setup = game.setup_of(scenario, options, players=players)
    s, _ = game.setup(setup)
    game.prepare(s, setup)
    if not keep:
        for number in list(s.units):
            if number in s.units:
                s.remove(number)
        s.born = 0
    for name, owner in (control or {}).items():
        s.control[where(name)] = Power(owner)
    for name, owner in (was or {}).items():
        s.was[where(name)] = Power(owner)
    for owner, sum_ in (ipc or {}).items():
        s.ipc[owner] = sum_
    for kind, count in (bought or {}).items():
        s.bought[Kind(kind)] = count
    for part in filter(None, (part.strip() for part in units.split("|"))):
        owner, _, lists = part.partition(":")
        for line in filter(None, (line.strip() for line in lists.split(";"))):
            stand(s, Power(owner.strip()), line)
    s.round = 1
    s.active = Power(power)
    s.seas = tuple(p for p in range(FIRST_ZONE, PLACES) if s.hostile(p, SIDE[s.active]))
    for name, value in fields.items():
        assert hasattr(s, name)
        setattr(s, name, value)
    index = POWERS.index(s.active)
    war = War(next=(index + 1) % len(POWERS))
    stack: list[tuple[Frame, type[Step[Any, Any]], bool]] = [
        (war, NextTurn, True),
        (Turn(s.active), PHASES[phase], False),
    ]
    machine = at_step(game, s, *stack, scenario=scenario, options=options, players=players)
    return Driver(game, scenario, options, players=players, machine=machine, chance=ScriptedChance(dict(dice or {})))


def standing(driver: Driver[State], place: str, power: str | None = None) -> list[str]:
    """The kinds that stand in a place, sorted."""
    s = driver.state
    return sorted(str(s.units[n].kind) for n in s.here(where(place), power=None if power is None else Power(power)))


def unit_in(driver: Driver[State], place: str, kind: str, power: str | None = None) -> Unit:
    s = driver.state
    return s.units[next(s.here(where(place), kind=Kind(kind), power=None if power is None else Power(power)))]


def happened(driver: Driver[State], kind: type[Event]) -> tuple[Any, ...]:
    return tuple(event for event in driver.happened if isinstance(event, kind))


def refused(driver: Driver[State], seat: str, text: str) -> str:
    """The rule by which an order, as a player would type it, is refused; "" if it is not."""
    for order in driver.game.notation.parse(text, driver.context(seat)):
        violation = driver.check(seat, order)
        if violation is not None:
            assert violation.reason
            return violation.rule
    return ""


def conceivable(s: State) -> Iterator[Order]:
    """Every order of a phase of movement, with every way along neighbours; and of its purchases and placements."""
    near = s.chart.near
    ships = sorted({ship_code(u.power, u.kind, u.number) for u in s.units.values() if u.number})
    numbers = {Kind.TRANSPORT: range(1, 6), Kind.CARRIER: range(1, 6)}
    for kind in KINDS:
        for number in numbers.get(kind, (0,)):
            code = piece(kind, number)
            for a in sorted({u.place for u in s.units.values() if u.power is s.active}):
                if kind in AIR:
                    yield from (Move(code, (a, b)) for b in range(PLACES))
                    continue
                for b in near[a]:
                    yield Move(code, (a, b))
                    yield from (Move(code, (a, b, c)) for c in near[b])
    for place in range(PLACES):
        yield from (Attack(place), Ignore(place), First(place), Promise(NO_SHIP, place))
        for ship in ships:
            yield Promise(ship, place)
            for kind in KINDS:
                yield from (Load(kind, place, ship), Land(kind, ship, place))
            yield Divert(place, ship)
        yield Divert(place, NO_SHIP)
        for kind in KINDS:
            yield from (Put(kind, place, at) for at in (place, *near[place]))
    for kind in KINDS:
        yield from (Buy(kind), Return(kind))
    yield from (Share(what, ally, yes) for what in Shared for ally in POWERS for yes in (False, True))
    yield from (Finish(), Recall(), Home())


def assert_exact(driver: Driver[State]) -> list[str]:
    """What is legal is what passes of all that one could write down, each once; as text, sorted."""
    seat = driver.asked[0]
    listed = driver.legal(seat)
    assert driver.machine.decision is not None
    takes = driver.machine.decision.takes
    passed = {o for o in conceivable(driver.state) if isinstance(o, takes) and driver.check(seat, o) is None}
    assert len(listed) == len(set(listed))
    assert set(listed) == passed
    return sorted(map(game.notation.write, listed))
