"""Answers to a player's questions about the position: their hand with its texts, reach, zones, supply.

look hand              the cards, what they do for you, and whether that is possible now
look reach 3Pz         where a unit can go and what it costs
look reach Minsk       which units of both sides can go there
look zones             the enemy's zones of control
look supply            who is out of supply, and who would be if it were checked now
look supply 3Pz        the line of a unit to its source, or what bars it
look goals             what wins the game, and the numbers that are coming
look                   all but those of one unit or place
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from pbem.game import Order, Orders, Reckoning, View
from pbem.kit import Cut, all_of, describe_cut, describe_line, line_ways, many
from pbem_rules.noretreat.actions import Answer
from pbem_rules.noretreat.battle import Left, ListBattles, PickDie, behind, due_blows, due_targets, to_fight, unlisted
from pbem_rules.noretreat.board import goal_lines, thresholds
from pbem_rules.noretreat.cards.base import EVENTS, IN_BATTLE, At, CardEvent, Moment, title
from pbem_rules.noretreat.chart import NAMES, SIDES, SOVIET, other
from pbem_rules.noretreat.counterattack import MarkBlow
from pbem_rules.noretreat.entries import entries, waiting
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.hands import KEEP
from pbem_rules.noretreat.losses import PlaceCadre, TakeLoss
from pbem_rules.noretreat.movement import March, check_mover
from pbem_rules.noretreat.notation import place_of, unit_of
from pbem_rules.noretreat.odds import marker_name
from pbem_rules.noretreat.orders import Attack, Done, Event, Marker
from pbem_rules.noretreat.organise import FLIP, PLACE, Organise, check_upgrade, free_upgrades, stage_of
from pbem_rules.noretreat.pursuit import FollowUp, may_pursue, named_stops, sent_by_usual_answer
from pbem_rules.noretreat.reckon import goers_text, reach_text
from pbem_rules.noretreat.scoring import points
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import State
from pbem_rules.noretreat.supply import line_of, supplied_units
from pbem_rules.noretreat.targets import Declare, Marks
from pbem_rules.noretreat.victory import needed, objectives
from pbem_rules.noretreat.windows import AfterPhase, Between, Fighting

USAGE = (
    "Ask `hand`, `reach UNIT`, `reach PLACE`, `zones`, `supply`, `supply UNIT`, `goals`; `look` alone answers all but "
    "those about one unit or place."
)
DISCARD, ASKED = "as a discard", "when asked"  # the only ways to play some cards
LATER = (Moment.ANSWER, Moment.DRAWN)
ENEMY_TURN = {  # decisions of a player in the enemy's turn, and the moments of the events that they are for
    Fighting.name: frozenset(IN_BATTLE),
    **{each.name: frozenset(chain.from_iterable(each.moments.values())) for each in (Between, AfterPhase)},
    Answer.name: frozenset((Moment.ANSWER,)),
}
ABOUT = {  # questions in the middle of one's attack
    PickDie.name: "the die that counts",
    TakeLoss.name: "losses",
    PlaceCadre.name: "cadres",
    MarkBlow.name: "the unit that the enemy must attack",
    FollowUp.name: "who follows",
}
IN_OWN, IN_ENEMY = {"own": 1}, {"own": 0}  # player-turns, as facts of windows
Told = tuple[list[str], Mapping[str, object]]


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or how to ask."""
    s, words = view.state, text.split()
    side = view.seats[0] if view.seats else s.active or SOVIET
    if len(words) == 2 and words[0] in ("reach", "supply"):
        unit, place = unit_of(words[1]), place_of(s.chart, words[1])
        if words[0] == "supply":
            return USAGE if unit is None else line_text(s, unit)
        if unit is not None:
            return reach_text(s, unit)
        return USAGE if place is None else goers_text(s, place)
    questions = {"hand": hand, "zones": zones, "supply": supply, "goals": goals}
    if len(words) > 1 or any(word not in questions for word in words):
        return USAGE
    told = {word: questions[word](view, side) for word in words or questions}
    lines = [line for answer, _ in told.values() for line in answer]
    return Reckoning("\n".join(lines), {word: figures for word, (_, figures) in told.items()})


def not_now(s: State, side: str, card: int) -> str:
    """Why the event of a card cannot be played at once; empty if it can."""
    held = EVENTS.get((side, card))
    if held is None:
        return DISCARD
    moments = [moment for moment in held.moments if moment not in LATER]
    refusals = [held.ready(s, At(side, moment)) for moment in moments]
    only = next((refusal for refusal in refusals if refusal is not None), None)
    return ASKED if not moments else "" if None in refusals or only is None else only.reason


def hand(view: View[State], side: str) -> Told:
    """Each card with what it does for its owner."""
    s = view.state
    if side not in view.seats:
        return [f"{NAMES[side]} holds {many(len(s.hand(side)), 'card')}."], {}
    lines = []
    figures: dict[str, object] = {}
    for card, _ in sorted(s.deck.cards(side, view.known)):
        event, why = s.chart.card_event(side, card), not_now(s, side, card)
        now = f" ({'only' if why in (DISCARD, ASKED) else 'not now:'} {why})" if why else ""
        lines.append(f"{card:2} {event.name}: {event.text}{now}")
        figures[str(card)] = {"name": event.name, "text": event.text, "now": not why}
    return lines or ["You hold no cards."], figures


def goals(view: View[State], _: str) -> Told:
    """Objectives, sudden death and the end, of both sides."""
    s = view.state
    figures = {
        each: {
            "objectives": list(s.chart.objectives[each]),
            "held": objectives(s, each),
            "needed": needed(s, each),
            "sudden": {str(turn): number for turn, number in thresholds(s, each).items()},
            "points": points(s, each),
        }
        for each in SIDES
    }
    return goal_lines(s), figures


def zones(view: View[State], side: str) -> Told:
    """Places in the enemy's zones of control."""
    s, enemy = view.state, other(side)
    places = [p for p in s.chart.board.in_mask(s.zone(enemy)) if s.chart.land & s.chart.board.bit[p]]
    shown = ", ".join(s.chart.place_text(place) for place in places) or "none"
    return [f"Zones of control of {NAMES[enemy]}: {shown}."], {"places": places}


def supply(view: View[State], side: str) -> Told:
    """Markers that lie, and whom a check would find cut off now."""
    s = view.state
    lines = []
    figures: dict[str, object] = {}
    for each in (side, other(side)):
        good = supplied_units(s, each)
        marked = [s.name(unit) for unit in s.chart.own[each] if unit in s.cut]
        off = [unit for unit in s.chart.own[each] if s.on_map(unit) and unit not in good]
        why = {s.name(unit): _why(s, unit) for unit in off}
        lines.append(
            f"{NAMES[each]} out of supply: {', '.join(marked) or 'none'}; "
            f"if it were checked now: {', '.join(why) or 'none'}."
        )
        lines += [f"  {name}: {reason}." for name, reason in why.items()]
        figures[each] = {"marked": marked, "now": [*why], "why": why}
    return lines, figures


def line_text(s: State, unit: int) -> Reckoning | str:
    """How a unit stands to its supply as things are now, whatever marker it carries."""
    if not s.on_map(unit):
        return f"{s.name(unit)} is not on the map."
    if unit not in supplied_units(s, s.unit(unit).side):
        return f"{s.name(unit)} has no supply: {_why(s, unit)}."
    line = line_of(s, unit)
    if line and not isinstance(line, Cut):
        text = f"{s.name(unit)} is in supply by {describe_line(line, s.chart.place_text)}."
        return Reckoning(text, ways=line_ways(line))
    return f"{s.name(unit)} is in supply at home, or beside units that are (NR-6.5)."


def _why(s: State, unit: int) -> str:
    line = line_of(s, unit)
    return describe_cut(line if isinstance(line, Cut) else None, s.chart.place_text)


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """Free upgrades and reinforcements that a step of the Organisation phase passes by, armies that have not moved or
    are cut off, enemies that are not attacked, cards that nobody asks about, pursuits that nobody has ordered.
    """
    s, f = view.state, view.frame
    kind = view.need.kind if isinstance(view.need, Orders) else ""
    if isinstance(order, Attack):
        yield from named_stops(s, order.pursue)
    if order is None and s.fight is not None and s.active == seat:
        yield from _unplayed(view, seat)
        yield from _answered(view, s.fight.target if s.fight.ask else ())
        if not s.targets:
            yield from _unasked(view, seat)
        turn = next((frame for frame in view.around if isinstance(frame, PlayerTurn)), None)
        if turn is not None and s.fight.rolls == 0 and not s.fight.counter:
            yield from _unfollowed(view, turn, (turn.current, *turn.waiting()))
    if not isinstance(f, PlayerTurn) or f.side != seat:
        return
    ends = order is None or isinstance(order, Done)
    if kind == ListBattles.name and isinstance(order, Done):
        yield from _unfollowed(view, f, f.waiting())
        yield from _unplayed(view, seat)
        yield from _answered(
            view, [entry.target for entry in (f.entries[number - 1] for number in f.waiting()) if entry.ask]
        )
    if kind == ListBattles.name and isinstance(order, Attack) and not (order.after or order.unless):
        yield from _listed(s, f, order)
    if kind == Declare.name and isinstance(order, Done):
        left = [order.hex for order in Marks().legal(s, f, seat, {})]
        if left:
            yield f"Could still be attacked: {', '.join(map(s.chart.place_text, left))}."
        if left and not s.targets:
            yield from _lapsing(to_fight(s, f))
        if not s.targets and not s.blown:
            yield f"Without an attack your turn ends here; the {NAMES[other(seat)]} turn is next."
            yield from _unasked(view, seat)
    if kind == March.name and isinstance(order, Done):
        idle = [s.name(unit) for unit in s.chart.own[seat] if check_mover(s, seat, unit, f.moved) is None]
        if idle:
            yield f"Not moved: {', '.join(idle)}."
    if kind == Organise.name:
        stage = f.stage if order is None or isinstance(order, Done | Event) else stage_of(order)
        if f.stage == FLIP and (ends or stage > FLIP):
            free = free_upgrades(s) - f.free
            if free and any(check_upgrade(s, f, unit, free=True) is None for unit in s.chart.own[seat]):
                yield f"{free} free {'upgrade is' if free == 1 else 'upgrades are'} left."
        if f.stage <= PLACE and (ends or stage > PLACE):
            held = [s.name(unit) for unit in waiting(s, seat) if entries(s, unit, s.at(unit))]
            if held:
                yield f"Could still be placed: {', '.join(held)}."
    if order is None or (ends and kind == March.name):
        good = supplied_units(s, seat)
        cut = [s.name(unit) for unit in s.chart.own[seat] if s.on_map(unit) and unit not in good]
        if cut:
            yield f"Out of supply as things stand: {', '.join(cut)}."


def _listed(s: State, f: PlayerTurn, attack: Attack) -> Iterator[str]:
    """NR-9.4: targets that nobody can attack besides; NR-9.59: if the list is complete, markers that it could use."""
    phase = unlisted(s, f)
    after = behind(s, phase, [attack])
    left = due_targets(s, after)
    barred = [place for place in due_targets(s, phase) if place not in (attack.target, *left)]
    for place in barred:
        yield (
            f"With this, {s.chart.place_text(place)} cannot be attacked in this turn, although it is marked: no unit "
            "beside it is free to do so. Its marker is lost (NR-9.4)."
        )
    attacks = (attack, *(f.entries[number - 1] for number in f.waiting()))
    if not (left or due_blows(s, after)) and any(each.marker == Marker.NONE for each in attacks):
        yield from _lapsing(after)


def _unfollowed(view: View[State], f: PlayerTurn, numbers: Sequence[int]) -> Iterator[str]:
    """NR-9.48: attacks whose entries say nothing of the pursuit, so that the usual answer decides it."""
    s, goes, second = view.state, list[str](), False
    for entry in (f.entries[number - 1] for number in numbers if number):
        unit, city = sent_by_usual_answer(s, entry), int(entry.target in s.chart.cities)
        if unit is None or not view.usual(FollowUp.name, {"city": city, "gone": 0, "hex": entry.target}):
            continue
        goes.append(f"{s.name(unit)} into {s.chart.place_text(entry.target)}")
        others = [each for each in entry.units if each != unit and may_pursue(s, each)]
        second = second or any(not too_many(s, f.side, (unit, each), entry.target) for each in others)
    if goes:
        yield (
            "No pursuit is ordered, and the usual answer sends one unit after an enemy that leaves its hex, one hex "
            f"far: {all_of(goes)}. To choose which units follow and how far, an attack needs “who follows” or “ask me”."
        )
    if second:
        policy = "when gone < 2 then strongest; then done"
        yield f"To send a second unit into the hex each time: `standing {FollowUp.name} {policy}`."


def _lapsing(phase: Left) -> Iterator[str]:
    """NR-9.59."""
    if phase.markers > 0:
        many_of = many(phase.markers, f"{marker_name(phase.side)} marker")
        does = "is not used, and is" if phase.markers == 1 else "are not used, and are"
        yield f"{many_of} {does} lost when your turn ends (NR-9.59)."


def _answered(view: View[State], where: Sequence[int]) -> Iterator[str]:
    """Questions in the middle of attacks that ask, which the player's own standing orders settle all the same."""
    for kind, about in ABOUT.items():
        if where and view.standing(kind):
            places = all_of(view.state.chart.place_text(each) for each in where)
            yield (
                f"You are asked in the attack on {places}, but your standing order decides about {about}. "
                f"To be asked about that too: `standing {kind} then ask`."
            )


def _unplayed(view: View[State], seat: str) -> Iterator[str]:
    """NR-5.18, NR-14.9: cards of the hand for battles like this one, while usual answers pass all of these by."""
    s = view.state
    if not view.usual(Fighting.name, IN_OWN):
        return
    cards = [_named(s, event) for event in _events(view, seat) if event.awaits_battle(s)]
    if s.joker == seat:
        cards.append("the Joker")
    if cards:
        them = "it" if len(cards) == 1 else "them"
        yield (
            f"For use in a battle you hold {all_of(cards)}, and as things stand you are not asked about {them}. To be "
            "asked in the battles of your turn, which may cost more mails: "
            f"`standing {Fighting.name} {_asking(view, IN_OWN)}`."
        )


def _unasked(view: View[State], seat: str) -> Iterator[str]:
    """NR-5.19, NR-5.20: cards of the hand for the enemy's turn, about which usual answers ask nobody."""
    s = view.state
    if (hand := len([*s.deck.cards(seat, view.known)])) > KEEP:
        yield f"You hold {hand} cards: when your next turn begins you keep at most {KEEP} (NR-5.2)."
    for kind, moments in ENEMY_TURN.items():
        cards = [
            _named(s, event)
            for event in _events(view, seat)
            if (event.whose == "enemy" or (kind not in (Between.name, AfterPhase.name) and event.whose == "either"))
            and not moments.isdisjoint(event.moments)
        ]
        if cards and view.usual(kind, IN_ENEMY):
            asks = "then ask" if kind == Answer.name else _asking(view, IN_ENEMY, kind)
            yield (
                f"In the {NAMES[other(seat)]} turn you are not asked about {all_of(cards)}. To be asked, which may "
                f"cost more mails: `standing {kind} {asks}`."
            )


def _asking(view: View[State], facts: Mapping[str, int], kind: str = Fighting.name) -> str:
    """Standing orders that ask in the turns of one side, and still do so in the other's if those in force ask there."""
    (own,) = facts.values()
    both = not view.usual(kind, {"own": 1 - own})
    return "then ask" if both else f"when own = {own} then ask; then default"


def _events(view: View[State], seat: str) -> Iterator[CardEvent]:
    """Those of the cards in the hand, in the order of their numbers."""
    held = (EVENTS.get((seat, card)) for card, _ in sorted(view.state.deck.cards(seat, view.known)))
    return (event for event in held if event is not None)


def _named(s: State, event: CardEvent) -> str:
    return f"card {event.card} ({title(s, event.side, event.card)})"
