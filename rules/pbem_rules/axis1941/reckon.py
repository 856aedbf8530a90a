"""The odds of a battle at the prompt: of one on the map, or of any forces.

odds all                                        all battles, as the units stand
odds Ukraine                                    one of them; before anybody has moved there, with all who can come
odds Ukraine with 3 infantry 2 tanks            these against those who are there
odds 3 infantry 2 tanks > Ukraine               the same
odds 3 inf 2 tanks v 4 inf ftr; retreat below 70; defence losses fighter infantry
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.game import NotationError, Orders, Party, Policy, Reckoning, Taker, View, parse_policy
from pbem_rules.axis1941.battle_board import counted as counted_force
from pbem_rules.axis1941.battle_board import unpaid
from pbem_rules.axis1941.chart import PLACES, is_zone
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import (
    BATTLESHIP,
    DAMAGED,
    INFANTRY,
    KIND_OF,
    LOSSES,
    NOBODY,
    SUBMARINE,
    TANK,
    Counts,
    counted,
)
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.odds import Conduct, Fight, Odds, odds
from pbem_rules.axis1941.reaching import by_turn, comers
from pbem_rules.axis1941.report import several
from pbem_rules.axis1941.shorthand import PlaceWords, shorthand
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import LAND, NONE, OTHER, SIDE, TITLES, Kind, Power, Side

USAGE = (
    "Write `all`, a place (`Ukraine`), forces for it (`3 infantry 2 tanks > Ukraine`), or two forces (`3 infantry v 2 "
    "tanks`). More after semicolons: `retreat below 70`, `losses infantry tank`, `defence losses fighter`, "
    "`submarines submerge`."
)
MOST = 60  # units on a side
MOST_AT_SEA = 30


def reckon(view: View[State], text: str) -> Reckoning | str:
    """The odds of what is written, or what is wrong with it; of nothing, those of the question that is asked."""
    frame, word = view.frame, text.strip().casefold()
    if word in ("all", "battles") or (not word and not isinstance(frame, Battle)):
        return _all(view)
    try:
        place = _place(text) if word else None
        if isinstance(frame, Battle) and (not word or place == frame.place):
            return _going_on(view, frame)
        if place is not None and not (any(attackers(view.state, place)) and any(defenders(view.state, place))):
            return _threats(view, place)
        fight, name = _read(view, text)
    except NotationError as error:
        return f"{error.sentence} {USAGE}"
    found = odds(fight)
    party = None if place is None else _party(view, place, view.state.active)
    return Reckoning(_say(fight, name, found), _figures(fight, found), party=party)


def _place(text: str) -> int | None:
    """The place, if nothing else is written."""
    try:
        return TYPED.place(text.split())
    except NotationError:
        return None


def _threats(view: View[State], place: int) -> Reckoning | str:
    """Where nobody has come to fight: each power that could, with all of its units that can come, but from the sea."""
    s = view.state
    holds = s.side_of(place) or (OTHER[SIDE[s.active]] if s.enemies(place, SIDE[s.active]) else SIDE[s.active])
    powers = [s.active] if SIDE[s.active] is not holds else [each for each in by_turn(s) if SIDE[each] is not holds]
    theirs, told, figures, first = defenders(s, place, holds), [], {}, None
    for power in powers:
        party = _party(view, place, power)
        ours = tuple(counted(Kind(each.word) for each in party.takers for _ in range(each.most)))
        if any(ours) and any(theirs):
            fight = _fight(s, place, ours, theirs)
            found = odds(fight)
            told.append(f"All of {TITLES[power]} that can come. {_say(fight, s.where(place), found)}")
            figures[str(power)] = _figures(fight, found)
            first = first or party
    if not told:
        why = "no enemy of theirs can come" if any(theirs) else "nobody would defend it"
        return f"{s.where(place)}: {why}."
    return Reckoning("\n".join(told), {"threats": figures}, party=first)


def _party(view: View[State], place: int, power: Power) -> Party:
    """Who fights there already, and who could come: nobody once a battle is fought."""
    s = view.state
    there = attackers(s, place) if power is s.active else NOBODY
    takers = [
        Taker(str(KIND_OF[n]), f"{KIND_OF[n]}, there already", count, count) for n, count in enumerate(there) if count
    ]
    taken = 0 if takers else 1
    for row in () if isinstance(view.frame, Battle) else comers(view, power, place):
        title = f"{row.kind}{f' {row.number}' if row.number else ''} from {s.where(row.start)}"
        takers.append(Taker(str(row.kind), title, row.many, taken * row.many))
    return Party(f"{s.chart.words[place]} with", tuple(takers))


def _going_on(view: View[State], f: Battle) -> Reckoning | str:
    """The battle that is being fought, as it stands between two rounds, told to the player who is asked."""
    s = view.state
    if f.result or unpaid(f) or f.behind:
        return "There are odds again when this round is over, if the battle goes on."
    fight = _fight(s, f.place, counted_force(s, f, f.attackers), counted_force(s, f, f.defenders))
    found = odds(fight)
    asked = [seat for seat in (view.need.seats if isinstance(view.need, Orders) else ()) if seat in view.seats]
    defends = any(SIDE[Power(seat)] is not SIDE[f.power] for seat in asked or view.seats)
    say = _say_defence if defends else _say
    party = _party(view, f.place, f.power)
    return Reckoning(say(fight, s.where(f.place), found), _figures(fight, found), party=party)


def _declared(view: View[State]) -> Iterable[int]:
    """Where a battle may still be fought in this turn."""
    if isinstance(view.frame, Battle):
        return (view.frame.place, *view.state.battles)
    over = isinstance(view.need, Orders) and view.need.kind in ("noncombat", "mobilise")
    return () if over else range(PLACES)


def _all(view: View[State]) -> Reckoning | str:
    """Every battle that there would be."""
    s = view.state
    found = {}
    for place in _declared(view):
        if any(attackers(s, place)) and any(defenders(s, place)):
            told = reckon(view, s.chart.words[place])
            if isinstance(told, Reckoning):
                found[s.chart.words[place]] = told
    if not found:
        return f"There are no battles. {USAGE}"
    text = "\n".join(told.text for told in found.values())
    return Reckoning(text, {"battles": {word: told.figures for word, told in found.items()}})


def _read(view: View[State], text: str) -> tuple[Fight, str]:
    first, *more = text.split(";")
    fight, name = _forces(view, first.replace(",", " ").split())
    for part in more:
        words = part.split()
        defence = bool(words) and words[0].casefold() in ("defence", "defense")
        attack = bool(words) and words[0].casefold() == "attack"
        if defence or attack:
            words = words[1:]
        if not words:
            raise NotationError("invalid", "Something must follow each semicolon.")
        decision = words[0].casefold()
        if decision not in ("losses", "submarines", "retreat"):
            raise NotationError("invalid", f"{words[0]!r} is not one of losses, submarines, retreat.")
        if defence and decision == "retreat":
            raise NotationError("invalid", "The defence never retreats (AA-6.46).")
        if len(words) < 2:
            raise NotationError("invalid", f"Something must follow {words[0]!r}.")
        policy = _policy(decision, " ".join(words[1:]))
        if defence:
            fight = replace(fight, defence=_with(fight.defence, decision, policy))
        else:
            fight = replace(fight, attack=_with(fight.attack, decision, policy))
    return fight, name


def _policy(decision: str, text: str) -> Policy:
    full = shorthand(decision, text)
    return parse_policy(text if full is None else full, {"place": PlaceWords().value})


def _with(conduct: Conduct, decision: str, policy: Policy) -> Conduct:
    if decision == "losses":
        return replace(conduct, losses=policy)
    return replace(conduct, submarines=policy) if decision == "submarines" else replace(conduct, retreat=policy)


def _forces(view: View[State], words: list[str]) -> tuple[Fight, str]:
    s = view.state
    lowered = [word.casefold() for word in words]
    cut = next((at for at, word in enumerate(lowered) if word in ("v", "vs", "against", ">", "to", "with")), None)
    if cut is None:
        place = TYPED.need_place(words)
        ours, theirs = attackers(s, place), defenders(s, place)
        name = s.where(place)
    elif lowered[cut] in ("v", "vs", "against"):
        place = NONE
        ours, theirs = _counts(words[:cut]), _counts(words[cut + 1 :])
        name = "Battle"
    else:
        front, back = (words[:cut], words[cut + 1 :]) if lowered[cut] != "with" else (words[cut + 1 :], words[:cut])
        place = TYPED.need_place(back)
        ours, theirs = _counts(front), _garrison(view, place)
        name = s.where(place)
    sea = is_zone(place) if 0 <= place < PLACES else any(map(any, (ours[SUBMARINE:], theirs[SUBMARINE:])))
    wrong = (INFANTRY, TANK) if sea else range(SUBMARINE, len(NOBODY))
    if any(force[each] for force in (ours, theirs) for each in wrong):
        raise NotationError("invalid", "Land units fight on land, ships at sea; not both in one battle.")
    if not any(ours) or not any(theirs):
        who = "no attackers" if any(theirs) else "no defenders"
        raise NotationError("invalid", f"{name}: there are {who}.")
    return _fight(s, place, ours, theirs, sea=sea), name


def _fight(s: State, place: int, ours: Counts, theirs: Counts, *, sea: bool | None = None) -> Fight:
    at_sea = is_zone(place) if sea is None else sea
    most = MOST_AT_SEA if at_sea else MOST
    if max(sum(ours), sum(theirs)) > most:
        raise NotationError("invalid", f"That is too large to calculate: at most {most} units on a side.")
    return Fight(ours, theirs, s.chart.guns, sea=at_sea, place=max(place, 0), turn=s.round)


def _counts(words: list[str]) -> Counts:
    found, rest = TYPED.counted(words)
    if rest or not found:
        raise NotationError("invalid", f"{' '.join(rest or words) or 'nothing'!r} is not a force.")
    if any(count > MOST for count, _, _ in found):
        raise NotationError("invalid", f"That is too large to calculate: at most {MOST} units on a side.")
    return tuple(counted(kind for count, kind, _ in found for _ in range(count)))


def attackers(s: State, place: int) -> Counts:
    """Those of the active power that fight there as it stands: who has moved in, and who is to land."""
    power = s.active
    kinds = [
        unit.kind
        for unit in s.units.values()
        if unit.power is power
        and (
            (unit.place == place and (unit.kind not in LAND or not is_zone(place)))
            or (unit.target == place and unit.kind in LAND and unit.place != place)
        )
    ]
    return tuple(counted(kinds))


def _garrison(view: View[State], place: int) -> Counts:
    """Who would defend there: those who hold the territory; at sea the enemies of who asks, or who is there alone."""
    s = view.state
    side = s.side_of(place)
    if side is None:
        here = [each for each in Side if s.enemies(place, OTHER[each])]
        asks = SIDE[Power(view.seats[0])] if view.seats else SIDE[s.active]
        side = here[0] if len(here) == 1 else OTHER[asks]
    return defenders(s, place, side)


def defenders(s: State, place: int, side: Side | None = None) -> Counts:
    """All of a side there, fighters on decks too; unset: the side that the active power fights."""
    found = [s.units[each].kind for each in s.here(place, side=side or OTHER[SIDE[s.active]])]
    return tuple(counted(kind for kind in found if kind not in LAND or not is_zone(place)))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _say(fight: Fight, name: str, found: Odds) -> str:
    ends = [f"win {_percent(found.win)}"]
    if not fight.sea:
        ends[0] += f" (territory taken {_percent(found.capture)})"
    ends.append(f"loss {_percent(found.loss)}")
    if found.tie:
        ends.append(f"nobody wins {_percent(found.tie)}")
    if found.retreat:
        ends.append(f"retreat {_percent(found.retreat)}")
    return (
        f"{name}: {_force(fight.attackers)} against {_force(fight.defenders)}. {', '.join(ends)}.\n"
        f"Left on average: {_average(found.attackers)} against {_average(found.defenders)}; "
        f"swing {found.swing:+.1f} IPC."
    )


def _say_defence(fight: Fight, name: str, found: Odds) -> str:
    """The same from the side of the defence: the enemy's loss or retreat is its win."""
    ends = [f"win {_percent(found.loss + found.retreat)}", f"loss {_percent(found.win)}"]
    if not fight.sea:
        ends[1] += f" (territory lost {_percent(found.capture)})"
    if found.tie:
        ends.append(f"nobody wins {_percent(found.tie)}")
    return (
        f"{name}, where you defend: {_force(fight.defenders)} against {_force(fight.attackers)}. {', '.join(ends)}.\n"
        f"Left on average: {_average(found.defenders)} against {_average(found.attackers)}; "
        f"swing {-found.swing:+.1f} IPC."
    )


def _force(force: Counts) -> str:
    return several(str(KIND_OF[place]) for place, count in enumerate(force) for _ in range(count))


def _average(force: list[float]) -> str:
    rounded = [(place, f"{count:.1f}") for place, count in enumerate(force)]
    told = [
        f"{text} {KIND_OF[place]}{' (damaged)' if place == DAMAGED else ''}" for place, text in rounded if text != "0.0"
    ]
    return ", ".join(told) or "nothing"


def _figures(fight: Fight, found: Odds) -> dict[str, object]:
    names = (*LOSSES[:BATTLESHIP], "battleship", "damaged_battleship")
    return {
        "attackers": dict(zip(names, fight.attackers, strict=True)),
        "attackers_left": dict(zip(names, found.attackers, strict=True)),
        "capture": found.capture,
        "defenders": dict(zip(names, fight.defenders, strict=True)),
        "defenders_left": dict(zip(names, found.defenders, strict=True)),
        "loss": found.loss,
        "retreat": found.retreat,
        "sea": fight.sea,
        "swing": found.swing,
        "tie": found.tie,
        "win": found.win,
    }
