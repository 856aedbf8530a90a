"""SG-3 Command: the cup, the chit drawn, whom it activates; the Soviet reactions of the first turn (SG-12.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, RETURN, STAY, Ask, Auto, Call, Deal, Draw, Goto, Known, Next, Out, Roll, Show, Violation
from pbem.kit import all_of, many
from pbem_rules.stargard.chart import GERMAN, HQ, SOVIET
from pbem_rules.stargard.events import Activated, ChitPlayed, Note
from pbem_rules.stargard.frames import Activation, Command, GameTurn
from pbem_rules.stargard.orders import Activate, Decline
from pbem_rules.stargard.state import State
from pbem_rules.stargard.supply import SupplyPhase

FIRST_CHIT = "3SSPz"  # SG-2.3.1b
FRONT, PANZER_ARMY = "1BRF", "3Pz-AOK"
CAVALRY_CORPS = "gc2"


# Chits


def playable(s: State) -> tuple[str, ...]:
    """The chits that can be drawn now: of a side with chits left (SG-3.1.2b), not of the formation activated last.

    Others that are drawn are put back (SG-3.1.3b) or laid aside (SG-12.1e) and another is drawn, so that each of these
    comes up as often as any other. Chits that lie face down are not among them (SG-12.6).
    """
    open_ones = (code for code in s.cup if not s.hidden(code))
    return tuple(code for code in open_ones if s.left(s.chart.chits[code].side) and _allowed(s, code))


def face_down(s: State) -> tuple[str, ...]:
    """SG-12.6: the places of Soviet chits in the cup that lie face down and can be drawn: not the one laid aside."""
    return tuple(map(str, s.chits.hand(SOVIET))) if s.chits.thrown and s.left(SOVIET) else ()


def _allowed(s: State, code: str) -> bool:
    """SG-3.1.3a; SG-12.1c, SG-12.1e: in turn 1 no army twice."""
    formation = s.chart.chits[code].formation
    return not formation or (formation != s.last and not (s.turn == 1 and formation in s.acted))


def has_cavalry(s: State) -> bool:
    """SG-12.5: is the 2nd Guards Cavalry Corps on the map?"""
    return any(map(s.on_map, s.chart.formations[CAVALRY_CORPS].units))


def posts(s: State, side: str) -> tuple[str, ...]:
    """SG-3.1.3c, SG-3.1.5a: the formations that a special chit may activate: their headquarters is on the map."""
    found = s.chart.formations.values()
    return tuple(each.key for each in found if each.side == side and each.key != s.last and s.has_hq(each.key))


def whom(s: State, f: Command) -> tuple[str, ...]:
    """The formations that a special chit may activate next (SG-3.1.3c, SG-3.1.4a).

    The cavalry corps, if it can still be put first (SG-3.1.4b, SG-12.5a).
    """
    rides = f.chit == FRONT and not f.formations and has_cavalry(s)
    return (*posts(s, f.seat), *((CAVALRY_CORPS,) if rides else ()))


def play_chit(s: State, f: GameTurn, code: str, out_of: int, out: Out) -> Call:
    """SG-3.1.1, SG-2.3.1b: the chit is laid face up, counts against its side's number (SG-3.1.4a), and activates."""
    f.chit = code
    chit = s.chart.chits[code]
    s.cup = tuple(each for each in s.cup if each != code)
    s.drawn = (*s.drawn, code)
    s.played[chit.side] = s.played.get(chit.side, 0) + 1
    out.add(
        ChitPlayed(
            side=chit.side, chit=chit.code, name=chit.name, number=s.played[chit.side], of=s.number(chit.side),
            out_of=out_of, rule="SG-3.1.1",
        )
    )  # fmt: skip
    return Call(Command(chit.side, chit.code))


class DrawChit(Roll[State, GameTurn]):
    """SG-2.3.1: one chit out of the cup, of those that can be played. The phase ends when there is none (SG-2.3.3b)."""

    rule = "SG-3.1.1"

    def draws(self, s: State, f: GameTurn) -> Iterable[Draw]:
        """SG-3.1.1a, SG-2.3.1b: where there is but one, or none, no die is thrown."""
        if not self._is_given(s) and (many := len(playable(s)) + len(face_down(s))) > 1:
            yield Draw(f"t{s.turn}/chit{len(s.drawn) + f.put_back + 1}", many)

    def rolled(self, s: State, f: GameTurn) -> str:
        return "The next chit is drawn."

    @staticmethod
    def _is_given(s: State) -> bool:
        return s.turn == 1 and not s.drawn

    def run(self, s: State, f: GameTurn, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        chits = (FIRST_CHIT,) if self._is_given(s) else playable(s)
        lots = (*chits, *face_down(s))
        if not lots:
            f.chit = ""
            return Goto(SupplyPhase)
        number = next((results[0] for results in got.values()), 1)
        if number > len(chits):
            f.place = lots[number - 1]
            return DONE
        return play_chit(s, f, chits[number - 1], len(lots), out)


class TurnUp(Deal[State, GameTurn]):
    """SG-12.6: a chit that lay face down was drawn. One that cannot be played is put back, face up (SG-3.1.3b)."""

    rule = "SG-3.1.1"

    def when(self, s: State, f: GameTurn) -> bool:
        return bool(f.place)

    def requests(self, s: State, f: GameTurn) -> Iterable[Show]:
        return (Show(f.place),)

    def run(self, s: State, f: GameTurn, shown: Mapping[str, int], out: Out) -> Next:
        lots, number = len(playable(s)) + len(face_down(s)), shown[f.place]
        code = tuple(s.chart.chits)[number]
        s.chits.remove(SOVIET, f.place, number)
        f.place = ""
        if _allowed(s, code):
            return play_chit(s, f, code, lots, out)
        s.shown = (*s.shown, code)
        f.put_back += 1
        out.add(Note(text=f"{code} was activated last and goes back into the cup.", rule="SG-3.1.3"))
        return Goto(DrawChit)


# The formations that a chit activates


class ReadChit(Auto[State, Command]):
    """SG-3.1.2a: the headquarters of the same name. A chit whose headquarters is off the map is played in vain."""

    rule = "SG-3.3"

    def run(self, s: State, f: Command, out: Out) -> Next:
        """SG-3.1.2a, SG-3.3. What is played in vain counts as activated last (SG-3.1.3a)."""
        formation = s.chart.chits[f.chit].formation
        if formation and s.has_hq(formation):
            f.formations = (formation,)
        elif formation or not whom(s, f):
            out.add(Note(text=f"{f.chit} has no effect: there is no headquarters that it activates.", rule=self.rule))
        if formation or not whom(s, f):
            s.last = formation
        return DONE


class PickPost(Ask[State, Command, Activate | Decline]):
    """SG-3.1.4, SG-3.1.5: a special chit activates any headquarters but the one activated last.

    That of the 1st Belorussian Front activates the 2nd Guards Cavalry Corps as well: before it if that is named first.
    """

    rule = "SG-3.1.4"
    default = "then first"
    ends = "Activate no headquarters: the chit is spent"

    def by(self, s: State, f: Command) -> Sequence[str]:
        """SG-3.1.2a: other chits leave nothing to choose."""
        special = not s.chart.chits[f.chit].formation
        return (f.seat,) if special and whom(s, f) else ()

    def prompt(self, s: State, f: Command, seat: str) -> str:
        can = all_of(f"{s.chart.formations[key].name} ({s.chart.short(key)})" for key in whom(s, f))
        return f"Chit {f.chit} activates one of {can}: `activate FORMATION`, or `decline`."

    def options(self, s: State, f: Command, seat: str) -> Iterator[Activate | Decline]:
        """SG-3.1.3c; SG-2.3.1a: or nobody."""
        yield from map(Activate, whom(s, f))
        yield Decline()

    def why(self, s: State, f: Command, seat: str, order: Activate | Decline) -> Violation:
        assert isinstance(order, Activate)
        formation = s.chart.formations.get(order.formation)
        can = f"{f.chit} can activate {', '.join(map(s.chart.short, whom(s, f)))}"
        if formation is None:
            return Violation(self.rule, f"There is no such formation; {can}")
        if formation.side != seat:
            return Violation(self.rule, f"{formation.name} belongs to the enemy; {can}")
        if formation.key == s.last:
            return Violation("SG-3.1.3", f"{formation.name} was activated last; {can}")
        return Violation(self.rule, f"{formation.name} has no headquarters on the map, or not for this chit; {can}")

    def do(self, s: State, f: Command, seat: str, order: Activate | Decline, out: Out) -> Next:
        """SG-3.1.3a: what counts as activated last. SG-3.1.4b, SG-12.5b: the cavalry corps beside an army."""
        if isinstance(order, Decline):
            s.last, f.formations = "", ()
            out.add(Note(text=f"{f.chit} is spent, and nobody is activated.", rule="SG-2.3.1"))
            return DONE
        if order.formation == CAVALRY_CORPS:
            f.formations = (CAVALRY_CORPS,)
            if posts(s, seat):
                return STAY
            s.last = ""
            return DONE
        s.last = order.formation
        f.formations = (*f.formations, order.formation)
        if f.chit == FRONT and has_cavalry(s) and CAVALRY_CORPS not in f.formations:
            f.formations = (*f.formations, CAVALRY_CORPS)
        return DONE

    def answers(self, s: State, f: Command, seat: str, own: Known) -> Mapping[str, Activate | Decline]:
        named = {s.chart.short(formation).casefold(): Activate(formation) for formation in whom(s, f)}
        return {**named, "first": Activate(whom(s, f)[0]), "decline": Decline()}


class NextActivation(Auto[State, Command]):
    """SG-3.1.4c: one activation after the other, each with its movement and its combat."""

    rule = "SG-3.1.4"

    def run(self, s: State, f: Command, out: Out) -> Next:
        if not f.formations:
            return DONE
        formation, *rest = f.formations
        f.formations = tuple(rest)
        return Call(Activation(f.seat, f.chit, formation), again=True)


# An activation


def in_command(s: State, formation: str) -> tuple[int, ...]:
    """SG-3.3.1: whom a formation activates: its headquarters, its units and independent ones within range.

    In turn 1 everybody is in command until the formation is first activated (SG-3.3.3c). The cavalry corps needs no
    headquarters (SG-12.5).
    """
    side, hq = s.chart.formations[formation].side, s.hq_of(formation)
    if not s.has_hq(formation):
        return tuple(filter(s.on_map, s.chart.formations[formation].units))
    anywhere = s.turn == 1 and formation in s.idle
    mask = -1 if anywhere else s.chart.ranges.within(s.at(hq), s.counter(hq).faces[0].value("range"))
    bit = s.chart.board.bit
    return tuple(unit for unit in s.ground.standing(side) if _obeys(s, unit, formation, hq) and mask & bit[s.at(unit)])


def _obeys(s: State, unit: int, formation: str, hq: int) -> bool:
    """SG-3.3.1a, SG-3.3.1b: could the headquarters activate the unit, if it is in range?"""
    if s.has(unit, HQ):
        return unit == hq
    return s.chart.independent(unit) or s.formation(unit) == formation


class Begin(Auto[State, Activation]):
    """SG-3.3.3b: range is judged once, before anybody moves. Where nobody could act, nobody is asked."""

    rule = "SG-3.3"

    def run(self, s: State, f: Activation, out: Out) -> Next:
        """SG-3.3.3b, SG-3.3.3c, SG-3.1.5b."""
        s.activations += 1
        f.able = in_command(s, f.formation)
        s.idle = tuple(key for key in s.idle if key != f.formation)
        if f.chit == PANZER_ARMY:
            f.free = tuple(unit for unit in s.ground.standing(f.seat) if s.chart.independent(unit))
        out.add(
            Activated(
                turn=s.turn, side=f.seat, formation=f.formation, name=s.chart.formations[f.formation].name,
                units=len(f.able), reaction=f.reaction, rule=self.rule,
            )
        )  # fmt: skip
        return DONE if f.able else RETURN


class Finish(Auto[State, Activation]):
    """SG-12.1c: in turn 1 a Soviet army has acted."""

    rule = "SG-3.1.1"

    def run(self, s: State, f: Activation, out: Out) -> Next:
        """SG-12.1c."""
        if f.seat == SOVIET and s.turn == 1 and not f.declined:
            s.acted = (*s.acted, f.formation)
        return DONE


# The first turn


def struck_by(s: State, units: Iterable[int]) -> tuple[str, ...]:
    """SG-12.1b: the armies that are hit where these units are; independent units belong to none."""
    hit = (s.formation(unit) for unit in units if s.side(unit) == SOVIET and not s.chart.independent(unit))
    return tuple(dict.fromkeys(hit))


def will_react(s: State, units: Iterable[int] = ()) -> tuple[str, ...]:
    """SG-12.1b, SG-12.1c: the armies that react in turn 1, in order; `units`: as if these had been attacked, too."""
    if s.turn > 1:
        return ()
    hit = (army for army in struck_by(s, units) if army not in s.acted)
    return tuple(filter(s.has_hq, dict.fromkeys((*(army for group in s.struck for army in group), *hit))))


def reaction_text(s: State, armies: Sequence[str]) -> str:
    """`61st Army (16 units in command) reacts: it moves and attacks at once (SG-12.1)`; empty: none reacts."""
    if not armies:
        return ""
    named = all_of(f"{s.chart.formations[a].name} ({many(len(in_command(s, a)), 'unit')} in command)" for a in armies)
    does = "react: each moves and attacks" if len(armies) > 1 else "reacts: it moves and attacks"
    return f"{named} {does} at once, before the next chit (SG-12.1)"


def note_struck(s: State, units: Iterable[int]) -> None:
    """SG-12.1b: an attack or a barrage on these units has begun. In turn 1 their armies may react, in order (SG-12.1d).

    Each acts once (SG-12.1c). An army whose headquarters is not on the map cannot; that comes in this turn (SG-12.1f).
    Independent units belong to no army.
    """
    if s.turn > 1:
        return
    waiting = [army for group in s.struck for army in group]
    hit = struck_by(s, units)
    s.early = (*s.early, *(army for army in hit if not s.has_hq(army) and army not in s.early))
    group = tuple(army for army in hit if s.has_hq(army) and army not in (*waiting, *s.acted))
    if group:
        s.struck = (*s.struck, group)


def reacting(s: State, f: GameTurn) -> tuple[str, ...]:
    """SG-12.1b, SG-12.1d: after a German activation: the armies that may react first. None is struck after turn 1."""
    if not f.chit or s.chart.chits[f.chit].side != GERMAN:
        return ()
    return s.struck[0] if s.struck else ()


class PickReaction(Ask[State, GameTurn, Activate]):
    """SG-12.1d: armies react as they were attacked, one after another; the owner orders those hit in one battle."""

    rule = "SG-12.1"
    no = "One of the armies that were attacked first reacts first"
    default, preset = "then first", True

    def by(self, s: State, f: GameTurn) -> Sequence[str]:
        return (SOVIET,) if len(reacting(s, f)) > 1 else ()

    def prompt(self, s: State, f: GameTurn, seat: str) -> str:
        armies = all_of(f"{s.chart.formations[army].name} ({s.chart.short(army)})" for army in reacting(s, f))
        return f"One battle has hit {armies}: which one reacts first? `activate FORMATION`."

    def options(self, s: State, f: GameTurn, seat: str) -> Iterator[Activate]:
        return map(Activate, reacting(s, f))

    def do(self, s: State, f: GameTurn, seat: str, order: Activate, out: Out) -> None:
        rest = tuple(army for army in s.struck[0] if army != order.formation)
        s.struck = ((order.formation,), rest, *s.struck[1:])

    def answers(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, Activate]:
        armies = reacting(s, f)
        return {"first": Activate(armies[0]), **{s.chart.short(army).casefold(): Activate(army) for army in armies}}


class React(Auto[State, GameTurn]):
    """SG-12.1b: the army is activated at once, without its chit (SG-12.1c, SG-12.1d)."""

    rule = "SG-12.1"

    def when(self, s: State, f: GameTurn) -> bool:
        return bool(reacting(s, f))

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        """SG-12.1f: not without its headquarters."""
        (army,), *rest = s.struck
        s.struck = tuple(rest)
        if not s.has_hq(army):
            return DONE
        s.last = army
        return Call(Activation(SOVIET, "", army, reaction=True))


class MoreChits(Auto[State, GameTurn]):
    """SG-2.3.3b: the next army that reacts, or the next chit."""

    rule = "SG-2.3.3"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        return Goto(PickReaction) if reacting(s, f) else Goto(DrawChit)
