"""AA-6.29..6.36, AA-7.6: who pays for the hits of a volley, one hit after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbem.game import DONE, Auto, Decide, Goto, Known, Next, Out, Sealed, Violation
from pbem.kit import many
from pbem_rules.axis1941.battle_board import (
    Lot,
    attack_turn,
    by_loss,
    choosers,
    counted,
    destroyers,
    hits,
    lots,
    owners,
    pay,
    payers,
    slot,
    take_hit,
    unpaid,
    victim,
)
from pbem_rules.axis1941.battle_facts import battle_facts
from pbem_rules.axis1941.events import Missed
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import BATTLESHIP, BY_SUB, CLASSES, LOSSES, SIZE, choices, next_hit, payable, strength
from pbem_rules.axis1941.orders import Defer, Lose
from pbem_rules.axis1941.standing import FACTS, LOSSES_DEFAULT, SETTLE_DEFAULT
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.tolls import PLAIN, Toll, is_toll, toll_of
from pbem_rules.axis1941.units import SEATS, TITLES, Power


def fired_with_destroyer(s: State, f: Battle) -> bool:
    """AA-6.31: does a destroyer fight on the side that fires?"""
    attacker, defender = destroyers(s, f)
    return attacker if attack_turn(f) else defender


class Offer(NamedTuple):
    """What the next hit may be paid with."""

    lots: list[Lot]  # in the order of the table of units
    legal: dict[Toll, Lot]


def offer(s: State, f: Battle) -> Offer:
    """Kept in the frame, since a decision asks for it many times."""
    key = (f.phase, f.hits_sub, f.hits_air, f.hits_other, f.behind, f.attackers, f.defenders)
    if f.offer is None or f.offer[0] != key:
        paying = by_loss(s, f)
        counts = [0] * SIZE
        for loss, numbers in paying.items():
            counts[loss] = len(numbers)
        found = []
        for loss in choices(counts, hits(f), fired_with_destroyer(s, f)):
            found += lots(s, f, loss, paying[loss])
        f.offer = key, Offer(found, tolls(found))
    made: Offer = f.offer[1]
    return made


def tolls(found: Sequence[Lot]) -> dict[Toll, Lot]:
    """The orders that are legal: a kind alone, which leaves the rest to the rules; where its units differ also each."""
    if len(found) == 1:
        return {PLAIN[found[0].toll.loss]: found[0]}
    named: dict[Toll, Lot] = {}
    losses = [lot.toll.loss for lot in found]
    for lot, loss in zip(found, losses, strict=True):
        named.setdefault(PLAIN[loss], lot)
        if losses.count(loss) > 1:
            named[_shortest(lot, found)] = lot
    return named


def _shortest(lot: Lot, found: Sequence[Lot]) -> Toll:
    """Without the power if all who are offered are of one; the number only where it tells them apart."""
    alike = [other for other in found if other.toll.loss == lot.toll.loss]
    power = lot.toll.power if len({other.toll.power for other in alike}) > 1 else None
    return Toll(lot.toll.loss, power, lot.toll.number)


class Pay(Auto[State, Battle]):
    """Hits that nobody can choose for: where there is one way to pay, or where nothing is left."""

    rule = "AA-6.36"

    def when(self, s: State, f: Battle) -> bool:
        return bool(unpaid(f))

    def run(self, s: State, f: Battle, out: Out) -> Next:
        while unpaid(f):
            found = offer(s, f).lots
            if len(found) == 1:
                settle(s, f, found[0], out)
            elif not found:
                self._miss(s, f, out)
            elif self._all_die(s, f):
                for each in payers(f):
                    if slot(s.units[each]) == BATTLESHIP:
                        pay(s, f, each, out)
                    pay(s, f, each, out)
                f.hits_sub = f.hits_air = f.hits_other = 0
            else:
                return DONE
        return DONE

    @staticmethod
    def _miss(s: State, f: Battle, out: Out) -> None:
        count = hits(f)[next_hit(hits(f))]
        who = f.defenders if attack_turn(f) else f.attackers
        powers = owners(s, who)
        out.add(Missed(place=f.place, power=str(powers[0]) if powers else "", hits=count, rule="AA-6.36"))
        take_hit(f, count)

    @staticmethod
    def _all_die(s: State, f: Battle) -> bool:
        count = unpaid(f)
        if count < len(payers(f)):
            return False
        paying = counted(s, f, payers(f))
        most = strength(paying)
        return payable(paying, hits(f), fired_with_destroyer(s, f)) == most


class Losses(Decide[State, Battle, Lose | Defer]):
    """AA-6.29: the owner chooses; players who defend jointly agree on a loss, or the attacker chooses (AA-7.6)."""

    rule = "AA-6.29"
    preset = True
    default = LOSSES_DEFAULT
    fact_names = FACTS
    answer_names = (*LOSSES, "KIND-POWER", "KIND-NUMBER", "KIND-POWER-NUMBER", "defer")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        if not unpaid(f):
            return ()
        if not attack_turn(f):
            return SEATS[f.power]
        return choosers(s, [lot.units[0] for lot in offer(s, f).lots])

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        words = ", ".join(f"`lose {toll.word}`" for toll in offer(s, f).legal)
        left = unpaid(f)
        allies = " or `defer` to your allies" if len(self.by(s, f)) > 1 else ""
        head = f"{TITLES[Power(seat)]}, the battle for {s.where(f.place)}, round {f.round}"
        return f"{head}: {many(left, 'hit')} to take. Choose the next loss: {words}{allies}."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Lose | Defer]:
        for toll in offer(s, f).legal:
            yield Lose(toll.code)
        if len(self.by(s, f)) > 1:
            yield Defer()

    def check(self, s: State, f: Battle, seat: str, order: Lose | Defer, proof: Known) -> Violation | None:
        if isinstance(order, Defer):
            if len(self.by(s, f)) > 1:
                return None
            return Violation("AA-7.6", "No other player has units there that this hit could fall on")
        return judge(s, f, order)

    def apply(self, s: State, f: Battle, answers: Mapping[str, Lose | Defer | Sealed], out: Out) -> Next:
        wanted = [_lot_of(s, f, answer) for answer in answers.values() if isinstance(answer, Lose)]
        if wanted and wanted.count(wanted[0]) == len(wanted):
            settle(s, f, wanted[0], out)
            return PAY
        f.disputed = True
        return DONE

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return battle_facts(s, f, attacking=not attack_turn(f))

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Lose | Defer]:
        found: dict[str, Lose | Defer] = dict(named_answers(s, f))
        if len(self.by(s, f)) > 1:
            found["defer"] = Defer()
        return found

    def is_answer(self, s: State, name: str) -> bool:
        return name == "defer" or is_toll(name)


class Settle(Decide[State, Battle, Lose]):
    """AA-7.6: players who defend jointly and do not agree leave the choice to the attacker."""

    rule = "AA-7.6"
    preset = True
    default = SETTLE_DEFAULT
    fact_names = FACTS
    answer_names = (*LOSSES, "KIND-POWER", "KIND-NUMBER", "KIND-POWER-NUMBER")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return SEATS[f.power] if f.disputed else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        words = ", ".join(f"`lose {toll.word}`" for toll in offer(s, f).legal)
        return (
            f"The defenders of {s.where(f.place)} do not agree, so {TITLES[f.power]} chooses what they lose: {words}."
        )

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Lose]:
        return (Lose(toll.code) for toll in offer(s, f).legal)

    def check(self, s: State, f: Battle, seat: str, order: Lose, proof: Known) -> Violation | None:
        return judge(s, f, order)

    def apply(self, s: State, f: Battle, answers: Mapping[str, Lose | Sealed], out: Out) -> Next:
        f.disputed = False
        order = answers[f.power]
        assert isinstance(order, Lose)
        settle(s, f, _lot_of(s, f, order), out)
        return PAY

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return battle_facts(s, f, attacking=True)

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Lose]:
        return named_answers(s, f)

    def is_answer(self, s: State, name: str) -> bool:
        return is_toll(name)


PAY = Goto(Pay)


def _lot_of(s: State, f: Battle, order: Lose) -> Lot:
    """Of a checked order."""
    toll = toll_of(order.toll)
    assert toll is not None
    return offer(s, f).legal[toll]


def settle(s: State, f: Battle, lot: Lot, out: Out) -> None:
    """A choice is paid."""
    pay(s, f, victim(s, lot), out)
    take_hit(f)


def named_answers(s: State, f: Battle) -> dict[str, Lose]:
    """What standing orders may say: every kind on offer alone, with its power, with number, with both."""
    found: dict[str, Lose] = {}
    legal = offer(s, f).legal
    for toll, lot in reversed(legal.items()):  # a kind alone comes first in it, and goes before all else
        found.update(_names(toll, lot.toll))
    found.update([_names(toll, lot.toll)[-1] for toll, lot in legal.items()])  # an order's own word is no other's
    return found


@cache
def _names(toll: Toll, lot: Toll) -> tuple[tuple[str, Lose], ...]:
    """All that one might call units of this lot, and the order that means them."""
    order = Lose(toll.code)
    names = (lot, Toll(lot.loss, lot.power), Toll(lot.loss, None, lot.number), toll)
    return tuple((name.word, order) for name in names)


def judge(s: State, f: Battle, order: Lose) -> Violation | None:
    """Why the next hit cannot be paid so."""
    toll = toll_of(order.toll)
    if toll is None:
        return Violation("AA-6.29", "That is not a unit")
    legal = offer(s, f).legal
    if toll in legal:
        return None
    instead = f"It can be paid with: {', '.join(each.word for each in legal)}"
    name = LOSSES[toll.loss]
    if Toll(toll.loss) in legal:
        return Violation("AA-6.29", f"No {toll.word} can be chosen by itself here. {instead}")
    paying = counted(s, f, payers(f))
    hit = next_hit(hits(f))
    if not paying[toll.loss]:
        why = "no battleship is damaged yet" if name == "battleship" else "there is none that could still be hit"
        return Violation("AA-6.33" if name == "battleship" else "AA-6.29", f"No {name}: {why}. {instead}")
    rule, why = _reason(name, hit)
    return Violation(rule, f"No {name} can be chosen for a hit by {CLASSES[hit]} units: {why}. {instead}")


def _reason(name: str, hit: int) -> tuple[str, str]:
    if name == "transport":
        return "AA-6.32", "transports are chosen last"
    if hit == BY_SUB:
        return "AA-6.30", "submarines hit ships only"
    return "AA-6.31", "aircraft hit submarines only beside a destroyer"
