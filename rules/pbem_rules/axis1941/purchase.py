"""AA-4 Purchase; and AA-2.24, who may use the power's decks and holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import many
from pbem_rules.axis1941.events import Bought, SharedSet
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.mobilise import complexes, fits, room, waiting_units
from pbem_rules.axis1941.moving import idle
from pbem_rules.axis1941.orders import Buy, Finish, Share, Shared
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import KINDS, OF_SIDE, SEA, SEATS, SIDE, TITLES, Kind, Power, amounts


def refusal(s: State, power: Power, kind: Kind) -> Violation | None:
    """Why the power cannot buy one more of this kind."""
    cost, ipc = s.chart.stats[kind].cost, s.ipc[power]
    if cost > ipc:
        return Violation(
            "AA-4.2", f"{'An' if kind is Kind.INFANTRY else 'A'} {kind} costs {cost} IPC and you have {ipc}"
        )
    units = s.bought.copy()
    units[kind] = units.get(kind, 0) + 1
    if fits(s, power, units, {}, {}):
        return None
    return Violation("AA-4.5", _no_room(s, power, kind, sum(units.values())))


def _no_room(s: State, power: Power, kind: Kind, count: int) -> str:
    total = sum(room(s, place) for place in complexes(s, power))
    if count > total:
        return f"Your complexes can mobilise {many(total, 'unit')} this turn, and you have bought that many"
    return f"Your complexes cannot mobilise another {'ship' if kind in SEA else 'unit'} in addition to what is bought"


def setting(owner: Power, what: Shared, ally: Power) -> str:
    return f"{owner}/{what}/{ally}"


class Finishes(Choice[State, Turn, Finish]):
    """AA-4.3."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Finish]:
        yield Finish()

    def apply(self, s: State, f: Turn, seat: str, order: Finish, out: Out) -> Next:
        if out.wanted:
            units = waiting_units(s)
            cost = sum(s.chart.stats[kind].cost * count for kind, count in units.items())
            names = tuple(str(kind) for kind, count in units.items() for _ in range(count))
            out.add(Bought(power=f.power, units=names, cost=cost, left=s.ipc[f.power], rule="AA-4.3"))
        return DONE


class Buys(Choice[State, Turn, Buy]):
    """AA-4.2, AA-4.5."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Buy]:
        return (Buy(kind) for kind in KINDS if refusal(s, f.power, kind) is None)

    def check(self, s: State, f: Turn, seat: str, order: Buy, proof: Known) -> Violation | None:
        return refusal(s, f.power, order.unit)

    def apply(self, s: State, f: Turn, seat: str, order: Buy, out: Out) -> Next:
        s.ipc[f.power] -= s.chart.stats[order.unit].cost
        s.bought[order.unit] = (s.bought.get(order.unit) or 0) + 1
        return STAY


class Shares(Choice[State, Turn, Share]):
    """AA-2.24."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Share]:
        side = OF_SIDE[SIDE[f.power]]
        orders = [Share(what, ally, not s.allows(f.power, ally, what)) for what in Shared for ally in side]
        return (order for order in orders if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: Turn, seat: str, order: Share, proof: Known) -> Violation | None:
        if all(refusal(s, f.power, kind) for kind in KINDS):
            return Violation("AA-2.24", "Settle what your allies may use before you buy your last unit")
        if order.ally is f.power or SIDE[order.ally] is not SIDE[f.power]:
            return Violation("AA-2.24", f"{TITLES[order.ally]} is not an ally of yours")
        if order.yes == s.allows(f.power, order.ally, order.what):
            may = "may already" if order.yes else "is already forbidden to"
            return Violation("AA-2.24", f"{TITLES[order.ally]} {may} use your {order.what}s")
        if setting(f.power, order.what, order.ally) in s.settled:
            return Violation("AA-2.24", "You have already settled that in this turn")
        return None

    def apply(self, s: State, f: Turn, seat: str, order: Share, out: Out) -> Next:
        entry = setting(f.power, order.what, order.ally)
        s.settled = (*s.settled, entry)
        s.denied = tuple(each for each in s.denied if each != entry) if order.yes else (*s.denied, entry)
        out.add(SharedSet(power=f.power, ally=order.ally, what=order.what, yes=order.yes, rule="AA-2.24"))
        return STAY


class Purchase(Decide[State, Turn, Buy | Share | Finish]):
    rule = "AA-4.2"
    choices = (Finishes, Buys, Shares)
    default = "then nothing"
    phase = True
    fact_names = ("ipc", "room", "round")
    answer_names = ("nothing", *map(str, KINDS))

    def when(self, s: State, f: Turn) -> bool:
        """AA-4.1; and a power that can buy nothing is not asked."""
        if s.capital_lost(f.power):
            return False
        return bool(len(s.bought)) or any(refusal(s, f.power, kind) is None for kind in KINDS)

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS[f.power]

    def barred(self, s: State, f: Turn, seat: str, thing: str) -> Violation | None:
        return idle(s, thing, self.rule, "does nothing in the purchase; the combat move comes next")

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        units = amounts(waiting_units(s)) or "nothing"
        rooms = ", ".join(f"{s.where(place)} {room(s, place)}" for place in complexes(s, f.power))
        buy = "Buy units with `buy`, then " if any(refusal(s, f.power, kind) is None for kind in KINDS) else "End with "
        return (
            f"Round {s.round}, {TITLES[f.power]}: purchase. {s.ipc[f.power]} IPC left, bought: {units}. "
            f"Room at complexes: {rooms}. {buy}`done`."
        )

    def says(self, s: State, f: Turn, seat: str, order: Order) -> str:
        if not isinstance(order, Finish):
            return ""
        return f"End your purchase, with {amounts(waiting_units(s)) or 'nothing'} bought; your combat move comes next"

    def facts(self, s: State, f: Turn, seat: str, own: Known) -> Mapping[str, int]:
        rooms = sum(room(s, place) for place in complexes(s, f.power)) - sum(waiting_units(s).values())
        return {"ipc": s.ipc[f.power], "room": rooms, "round": s.round}

    def answers(self, s: State, f: Turn, seat: str, own: Known) -> Mapping[str, Buy | Share | Finish]:
        buys = {str(kind): Buy(kind) for kind in KINDS if refusal(s, f.power, kind) is None}
        return {"nothing": Finish(), **buys}
