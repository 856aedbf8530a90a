"""SG-10: advance after combat, as the attack's entry orders it, else by standing orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Auto, Call, Known, Next, Out, Violation
from pbem.kit import InFight, Terms, hex_name, many, named_ways, pursuits
from pbem_rules.stargard.battle import leave, reforming
from pbem_rules.stargard.chart import FORTRESS, MECH
from pbem_rules.stargard.events import SIDE_NAMES, Advanced
from pbem_rules.stargard.frames import Battle
from pbem_rules.stargard.orders import Done, Follow
from pbem_rules.stargard.retreat import steps
from pbem_rules.stargard.state import SUPPLIED, State, other
from pbem_rules.stargard.terrain import lone_posts, restricted
from pbem_rules.stargard.victory import take_along

Path = tuple[int, ...]


def limit(s: State, f: Battle, unit: int) -> int:
    """SG-10.3a, SG-10.3c, SG-10.4: two hexes for mechanised units in supply, if a defender has retreated."""
    fled = any(each in f.retreated for each in f.defenders)
    return 2 if fled and s.has(unit, MECH) and s.pieces[unit].supply == SUPPLIED else 1


def stops_there(s: State, start: int, target: int) -> bool:
    """SG-10.3.1: across a minor river without a bridge, or in a settlement."""
    river = "minor_river" in s.chart.board.edges[start, target] and not s.chart.bridged(start, target)
    return river or target in s.chart.settled


def paths(s: State, f: Battle, unit: int) -> Iterator[Path]:
    """SG-10.0 to SG-10.5: every way that a unit may advance. A fortress never moves (SG-12.3b)."""
    if not f.won or not s.on_map(unit) or unit in f.advanced or unit in f.retreated or s.has(unit, FORTRESS):
        return
    if s.is_hq(unit):
        yield from _with_its_units(s, f, unit)
    elif unit in f.units:
        yield from _ways(s, unit, f.target, limit(s, f, unit))


def _ways(s: State, unit: int, target: int, hexes: int) -> Iterator[Path]:
    """SG-10.0a, SG-10.3.1, SG-10.5: within stacking, and where it could go."""
    board, enemy = s.chart.board, other(s.side(unit))
    start = s.at(unit)
    barred = s.ground.occupied[enemy]
    if s.controls(unit):
        barred &= ~lone_posts(s, enemy)  # SG-12.2.6
    near = (target, *board.near[target])
    full = restricted(s.chart) | board.mask(place for place in near if not s.has_room(unit, place))
    stops = board.bit[target] * stops_there(s, start, target)
    return pursuits(steps(s.chart), board.bit, start, (target,), Terms(hexes, barred, stops=stops, full=full))


def _with_its_units(s: State, f: Battle, post: int) -> Iterator[Path]:
    """SG-10.2, SG-12.2.4: with attackers of its own stack, to where one of them has gone; so no defender's."""
    if post not in f.posts:
        return
    ends = {s.at(unit) for unit in f.mates[f.posts.index(post)] if unit in f.advanced}
    if ends:  # else it may have retreated, and stand elsewhere
        yield from (path for path in _ways(s, post, f.target, 2) if path[-1] in ends)


def follow(s: State, f: Battle, unit: int, path: Path, rule: str, out: Out) -> None:
    out.add(Advanced(unit=s.code(unit), path=(s.at(unit), *path), rule=rule))
    take_along(s, unit, path, out)
    f.advanced = (*f.advanced, unit)
    for place in path:
        if s.side_at(place) == other(f.seat):
            post = s.lone_hq(place)
            left = leave(s, post, f"{SIDE_NAMES[f.seat]} enter the hex", "SG-12.2.6", out)
            f.fled = (*f.fled, (post, left))
        s.put(unit, place)


class FollowAsListed(Auto[State, Battle]):
    """SG-10.0a: the advance that the entry orders, each unit as far as it can; then nobody else advances."""

    name = "advance_listed"
    rule = "SG-10.0"

    def when(self, s: State, f: Battle) -> bool:
        return bool(f.advance)

    def run(self, s: State, f: Battle, out: Out) -> Next:
        for unit, way in named_ways(f.advance).items():
            good = set(paths(s, f, unit))
            path = next((way[:far] for far in range(len(way), 0, -1) if way[:far] in good), ())
            if path:
                follow(s, f, unit, path, self.rule, out)
        return DONE


class FollowUp(InFight[State, Battle, Follow | Done]):
    """SG-10.0a: where the entry says nothing."""

    name = "advance"
    ends = "No other unit advances"
    rule = "SG-10.0"
    takes = (Follow, Done)
    default = "when gone < 1 and prize > 0 then strongest; when gone < 1 and zones < 2 then strongest; then done"
    fact_names = ("gone", "hex", "prize", "zones")
    answer_names = ("strongest", "deep", "done")

    def _units(self, s: State, f: Battle) -> tuple[int, ...]:
        """Those that may advance (SG-10.0a); headquarters last (SG-10.2)."""
        return tuple(unit for unit in (*f.units, *f.posts) if next(paths(s, f, unit), None) is not None)

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.seat,) if not f.advance and self._units(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        codes = ", ".join(map(s.code, self._units(s, f)))
        return f"{hex_name(f.target)} is empty. {codes} may advance: `advance UNIT HEX-HEX`, then `done`."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Follow | Done]:
        """SG-10.0a: attackers may advance, and need not."""
        yield Done()
        for unit in self._units(s, f):
            for path in paths(s, f, unit):
                yield Follow(unit, path)

    def check(self, s: State, f: Battle, seat: str, order: Follow | Done, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        unit, code = order.unit, s.code(order.unit)
        if unit not in self._units(s, f):
            return Violation(
                "SG-10.0a", f"{code} cannot advance: only attackers of this battle that have not retreated can"
            )
        if not order.path or order.path[0] != f.target:
            return Violation("SG-10.0b", f"An advance first enters {hex_name(f.target)}")
        if order.path in paths(s, f, unit):
            return None
        if stops_there(s, s.at(unit), f.target):
            return Violation("SG-10.3.1", f"{code} stops in {hex_name(f.target)}")
        if len(order.path) > limit(s, f, unit) and not s.is_hq(unit):
            return Violation("SG-10.3", f"{code} can advance {many(limit(s, f, unit), 'hex', 'hexes')}")
        return Violation("SG-10.5", f"{code} cannot advance that way: it could not move there, or has no room there")

    def apply(self, s: State, f: Battle, answers: Mapping[str, Follow | Done], out: Out) -> Next:
        order = answers[f.seat]
        if isinstance(order, Done):
            return DONE
        follow(s, f, order.unit, order.path, self.rule, out)
        return STAY

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        """`zones`: enemy stacks whose zone holds the hex."""
        chart = s.chart
        prize = f.target in chart.settled
        enemies = [place for place in chart.board.near[f.target] if self._projects(s, place, other(seat))]
        zones = sum(bool(chart.zones.of_mask(chart.board.bit[place]) & chart.board.bit[f.target]) for place in enemies)
        return {"gone": len(f.advanced), "hex": f.target, "prize": int(prize), "zones": zones}

    @staticmethod
    def _projects(s: State, place: int, side: str) -> bool:
        fighters = s.combat_units(place, side)
        return bool(fighters) and all(map(s.controls, fighters))

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Follow | Done]:
        """`strongest`: the strongest unit into the hex; `deep`: the same one as far as it gets."""
        unit = max(self._units(s, f), key=lambda u: (s.face(u).attack + s.face(u).defence, -u))
        ways = sorted(paths(s, f, unit), key=lambda path: (len(path), path))
        return {"done": Done(), "strongest": Follow(unit, ways[0]), "deep": Follow(unit, ways[-1])}


class Recover(Auto[State, Battle]):
    """SG-12.2.6: headquarters captured by an advance reform."""

    name = "recover"
    rule = "SG-12.2.6"

    def when(self, s: State, f: Battle) -> bool:
        return bool(f.fled)

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fled, f.fled = f.fled, ()
        return Call(reforming(fled))
