"""AA-6.53 to 6.71: who controls a territory after it was taken: capture, liberation, capitals and loot."""

from __future__ import annotations

from pbem.game import Out
from pbem_rules.axis1941.events import Captured, HandedBack, Looted
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import SIDE, Power


def capture(s: State, territory: int, power: Power, out: Out) -> None:
    """Land units of `power` have taken a territory that was hostile to it (AA-6.53)."""
    printed = s.chart.territories[territory]
    owner, before = printed.owner, s.control[territory]
    assert owner is not None, "nobody captures neutrals"
    friend = owner is not power and SIDE[owner] is SIDE[power]
    # AA-6.66, AA-6.67: to the original owner, unless their capital is lost; the capital itself always (AA-6.68).
    back = friend and (bool(printed.capital) or not s.capital_lost(owner))
    holder = owner if back else power
    s.give(territory, holder)
    if out.wanted:
        out.add(
            Captured(
                place=territory,
                by=power,
                before=before,
                owner=holder,
                liberated=back,
                rule="AA-6.66" if back else "AA-6.55",
            )
        )
    if not printed.capital:
        return
    if SIDE[owner] is SIDE[power]:
        _hand_back(s, owner, out)  # AA-6.69
    else:
        _loot(s, power, owner, out)  # AA-6.61


def _loot(s: State, power: Power, loser: Power, out: Out) -> None:
    """AA-6.61: all that the loser has in hand."""
    ipc = s.ipc[loser]
    s.ipc[loser] = 0
    s.ipc[power] += ipc
    out.add(Looted(by=power, loser=loser, ipc=ipc, rule="AA-6.61"))


def _hand_back(s: State, owner: Power, out: Out) -> None:
    """AA-6.69: the liberated capital's owner gets back what friends hold of theirs."""
    for territory, holder in s.control.items():
        if holder is not owner and SIDE[holder] is SIDE[owner] and s.chart.territories[territory].owner is owner:
            s.give(territory, owner)
            out.add(HandedBack(place=territory, before=holder, owner=owner, rule="AA-6.69"))
