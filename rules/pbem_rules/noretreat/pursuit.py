"""NR-9.48 to NR-9.56 Pursuit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Auto, Call, Decide, Known, Next, Out, Violation
from pbem.kit import Terms, many, named_ways, pursuits
from pbem_rules.noretreat.battle import present
from pbem_rules.noretreat.chart import AXIS, other
from pbem_rules.noretreat.events import Note, Pursued
from pbem_rules.noretreat.frames import Battle, Pursuit
from pbem_rules.noretreat.losses import InBattle
from pbem_rules.noretreat.odds import armour_lost, fight_of
from pbem_rules.noretreat.orders import Attack, Done, Pursue
from pbem_rules.noretreat.results import GROUND_WON
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import State
from pbem_rules.noretreat.victory import enter

Path = tuple[int, ...]


def may_pursue(s: State, unit: int) -> bool:
    """NR-9.49."""
    return s.on_map(unit) and not s.is_tired(unit) and not s.face(unit).white


def limit(s: State, unit: int) -> int:
    """NR-9.51, NR-1.10, NR-10.5, NR-13.17A, NR-13.35S: hexes, the vacated one included."""
    side = s.unit(unit).side
    if not s.supplied(unit) or s.effect("no_multi_pursuit", side):
        return 1
    hexes = {"clear": 2, "mud": 1, "snow": 2}[s.weather]
    if s.long_winter:
        hexes = 1
    if s.weather == "clear" and s.has(unit, "armour") and not armour_lost(s, unit) and (side == AXIS or s.turn >= 11):
        hexes += 1
    return hexes + (s.fight.further if s.fight else 0)


def stops(s: State) -> int:
    """NR-9.53, NR-13.07S: the mask of ground that ends a pursuit."""
    return s.chart.slow | s.chart.board.mask(s.scorched)


def paths(s: State, unit: int, vacated: Sequence[int]) -> Iterator[Path]:
    """NR-9.50 to NR-9.54: every way that the unit may go after the enemy."""
    chart, enemy = s.chart, other(s.unit(unit).side)
    terms = Terms(limit(s, unit), s.ground.occupied[enemy], stops=stops(s) | s.zone(enemy))
    found = pursuits(chart.ways[False, False], chart.board.bit, s.at(unit), vacated, terms)
    return (path for path in found if fits(s, unit, path[-1]))


def first_to_follow(s: State, units: Iterable[int]) -> int:
    """The unit that the usual answer sends after the enemy."""
    return max(units, key=lambda unit: (s.has(unit, "armour"), s.face(unit).strength, -unit))


class OpenPursuit(Auto[State, Battle]):
    """Opens the pursuit if a hex has been left (NR-9.48)."""

    name = "open_pursuit"
    rule = "NR-9.48"

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).result in GROUND_WON and not fight_of(s).no_pursuit

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        vacated = tuple(place for place in fight.target if s.side_at(place) is None)
        units = tuple(unit for unit in present(s, fight.units) if may_pursue(s, unit))
        return Call(Pursuit(fight.side, vacated, units))


def sure_stop(s: State, unit: int, way: Path) -> tuple[int, str]:
    """Where a way ends at the latest, whatever the enemy does, and why; no reason: it can be gone to its end."""
    most = limit(s, unit)
    for far, place in enumerate(way[:-1], 1):
        if place not in s.chart.board:
            return far, "there is no such place"
        text, kind = s.chart.place_text(place), s.chart.kind(place)
        if place in s.scorched:
            return far, f"{text} is scorched, which ends a pursuit (NR-13.07S)"
        if s.chart.slow & s.chart.board.bit[place]:
            return far, f"{text} is {kind}, which ends a pursuit (NR-9.53)"
        if far == most:
            return far, f"it can pursue {many(most, 'hex', 'hexes')} (NR-9.51)"
    return len(way), ""


def why_stopped(s: State, unit: int, way: Path, far: int) -> str:
    """Why the unit, which has gone so far on its way, goes no further."""
    sure, why = sure_stop(s, unit, way)
    if far == sure and why:
        return why
    enemy, there = other(s.unit(unit).side), s.chart.place_text(way[far])
    if far and s.zone(enemy) & s.chart.board.bit[way[far - 1]]:
        return f"an enemy zone of control ends its pursuit in {s.chart.place_text(way[far - 1])} (NR-9.54)"
    if way[far] in s.chart.board and s.side_at(way[far]) == enemy:
        return f"the enemy holds {there} (NR-9.52)"
    return f"it cannot enter {there}, or not stay there (NR-9.50)"


def named_stops(s: State, listed: Sequence[int]) -> list[str]:
    """What the rules will surely cut off a pursuit that is listed."""
    found = []
    for unit, way in named_ways(listed).items():
        far, why = sure_stop(s, unit, way)
        if why:
            where, goal = s.chart.place_text(way[far - 1]), s.chart.place_text(way[-1])
            found.append(f"{s.name(unit)} will end its pursuit in {where} and not reach {goal}: {why}.")
    return found


def sent_by_usual_answer(s: State, attack: Attack) -> int | None:
    """The one unit that the usual answer sends after the enemy, if the entry of the list leaves that to it."""
    able = [unit for unit in attack.units if may_pursue(s, unit)]
    return None if attack.pursue or attack.ask or not able else first_to_follow(s, able)


class FollowAsListed(Auto[State, Pursuit]):
    """The pursuit that the list of battles names: each unit goes its way as far as it can; then nobody else goes."""

    name = "pursuit_listed"
    rule = "NR-9.48"

    def when(self, s: State, f: Pursuit) -> bool:
        return bool(fight_of(s).pursue)

    def run(self, s: State, f: Pursuit, out: Out) -> Next:
        for unit, way in named_ways(fight_of(s).pursue).items():
            good = set(paths(s, unit, f.hexes)) if unit in f.units else set()
            far = next((far for far in range(len(way), 0, -1) if way[:far] in good), 0)
            why = why_stopped(s, unit, way, far) if unit in f.units and far < len(way) else ""
            if far:
                follow(s, f, unit, way[:far], out)
            if why:
                does = f"ends its pursuit in {s.chart.place_text(way[far - 1])}" if far else "does not pursue"
                goal = s.chart.place_text(way[-1])
                out.add(Note(text=f"{s.name(unit)} {does} and does not reach {goal}: {why}.", rule=self.rule))
        if f.gone:
            f.units = ()
        return DONE


def follow(s: State, f: Pursuit, unit: int, path: Path, out: Out) -> None:
    f.units = tuple(each for each in f.units if each != unit)
    f.gone += 1
    out.add(Pursued(unit=s.name(unit), path=(s.at(unit), *path), rule="NR-9.48"))
    s.put(unit, path[-1])
    enter(s, f.side, path, out)


class FollowUp(InBattle, Decide[State, Pursuit, Pursue | Done]):
    name = "pursuit"
    rule = "NR-9.48"
    takes = (Pursue, Done)
    default = "when gone < 1 then strongest; then done"
    fact_names = ("city", "gone", "hex")
    answer_names = ("strongest", "deep", "done")
    ends = "No other unit follows"

    def _units(self, s: State, f: Pursuit) -> tuple[int, ...]:
        return tuple(unit for unit in f.units if next(paths(s, unit, f.hexes), None) is not None)

    def by(self, s: State, f: Pursuit) -> Sequence[str]:
        return (f.side,) if self._units(s, f) else ()

    def prompt(self, s: State, f: Pursuit, seat: str) -> str:
        hexes = ", ".join(s.chart.place_text(place) for place in f.hexes)
        codes = ", ".join(s.name(unit) for unit in self._units(s, f))
        return f"{hexes} is empty. {codes} may follow: `pursue UNIT HEX-HEX`, then `done`."

    def legal(self, s: State, f: Pursuit, seat: str, own: Known) -> Iterator[Pursue | Done]:
        yield Done()
        for unit in f.units:
            for path in paths(s, unit, f.hexes):
                yield Pursue(unit, path)

    def check(self, s: State, f: Pursuit, seat: str, order: Pursue | Done, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        if order.unit not in f.units:
            return Violation("NR-9.49", "That unit cannot pursue, or has done so")
        if not order.path or order.path[0] not in f.hexes:
            return Violation("NR-9.50", "A pursuit begins with the hex that the enemy has left")
        if len(order.path) > limit(s, order.unit):
            return Violation("NR-9.51", f"{s.name(order.unit)} can pursue {many(limit(s, order.unit), 'hex', 'hexes')}")
        if order.path not in paths(s, order.unit, f.hexes):
            return Violation("NR-9.52", f"{s.name(order.unit)} cannot pursue that way")
        return None

    def apply(self, s: State, f: Pursuit, answers: Mapping[str, Pursue | Done], out: Out) -> Next:
        order = answers[f.side]
        if isinstance(order, Done):
            return DONE
        follow(s, f, order.unit, order.path, out)
        return STAY

    def facts(self, s: State, f: Pursuit, seat: str, own: Known) -> Mapping[str, int]:
        return {"city": int(any(p in s.chart.cities for p in f.hexes)), "gone": f.gone, "hex": f.hexes[0]}

    def answers(self, s: State, f: Pursuit, seat: str, own: Known) -> Mapping[str, Pursue | Done]:
        """`strongest`: the strongest unit into the hex; `deep`: the same one as far as it gets."""
        units = self._units(s, f)
        unit = first_to_follow(s, units)
        ways = list(paths(s, unit, f.hexes))
        near = min(ways, key=lambda path: (len(path), path))
        return {
            "done": Done(),
            "strongest": Pursue(unit, near),
            "deep": Pursue(unit, max(ways, key=lambda p: (len(p), p))),
        }
