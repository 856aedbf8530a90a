"""SG-12.2.2, SG-6.3c: where a headquarters reforms that had to leave its hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Auto, Goto, Known, Next, Out, Violation
from pbem.kit import hex_name
from pbem_rules.stargard.battle import leave
from pbem_rules.stargard.events import Reformed
from pbem_rules.stargard.frames import Reform
from pbem_rules.stargard.orders import SetPost
from pbem_rules.stargard.retreat import to_source
from pbem_rules.stargard.state import SUPPLIED, State, other
from pbem_rules.stargard.supply import joined
from pbem_rules.stargard.terrain import restricted

LEAST = 5  # hexes from the old place (SG-12.2.2a)


def lawful_posts(s: State, post: int, origin: int, *, beside: bool = False) -> tuple[int, ...]:
    """SG-12.2.2a: the hexes nearest to the old one that will do; none: there is no such hex.

    Nobody of the enemy, no other headquarters, no enemy zone; nearer to a source than the old hex, with a
    path to it. `beside`: any hex without a headquarters and outside enemy zones (SG-6.3c).
    """
    side, chart = s.side(post), s.chart
    enemy, board = other(side), chart.board
    posts = s.ground.where(side, s.is_hq)
    shut = s.ground.occupied[enemy] | s.zone(enemy) | posts | restricted(chart)
    among = ~shut & board.mask(board.places)
    if not beside:
        away = to_source(chart, s.formation(post))
        nearer = board.mask(place for place, far in away.items() if far < away[origin])
        among &= nearer & joined(s, s.formation(post))
    return chart.ranges.nearest(origin, among, 1 if beside else LEAST)


class TakeOff(Auto[State, Reform]):
    """SG-12.2.2a: off the map at once; a marker goes with it."""

    name = "take_off"
    rule = "SG-12.2.2"

    def run(self, s: State, f: Reform, out: Out) -> Next:
        if not f.taken:
            for post in f.posts:
                leave(s, post, "it must reform", self.rule, out)
        for post in f.posts:
            s.mark_supply(post, SUPPLIED)
        return DONE


class PlacePost(Ask[State, Reform, SetPost]):
    """SG-12.2.2a: its owner chooses among hexes that are equally near."""

    name = "reform"
    rule = "SG-12.2.2"
    forced = True
    preset = True
    default = "then best"
    answer_names = ("best",)

    def by(self, s: State, f: Reform) -> Sequence[str]:
        return (s.side(f.posts[0]),) if f.posts and self._posts(s, f) else ()

    @staticmethod
    def _posts(s: State, f: Reform) -> tuple[int, ...]:
        return lawful_posts(s, f.posts[0], f.origins[0], beside=f.beside)

    def prompt(self, s: State, f: Reform, seat: str) -> str:
        return f"{s.code(f.posts[0])} reforms: `reform {s.code(f.posts[0])} HEX`."

    def options(self, s: State, f: Reform, seat: str) -> Iterator[SetPost]:
        return (SetPost(f.posts[0], place) for place in self._posts(s, f))

    def why(self, s: State, f: Reform, seat: str, order: SetPost) -> Violation:
        if order.unit != f.posts[0]:
            return Violation(self.rule, f"{s.code(f.posts[0])} reforms now")
        shown = ", ".join(map(hex_name, self._posts(s, f)))
        return Violation(self.rule, f"It reforms in the nearest hex that will do: {shown}")

    def do(self, s: State, f: Reform, seat: str, order: SetPost, out: Out) -> Next:
        s.put(order.unit, order.to)
        out.add(Reformed(unit=s.code(order.unit), hex=order.to, rule=self.rule))
        f.posts, f.origins = f.posts[1:], f.origins[1:]
        return STAY

    def answers(self, s: State, f: Reform, seat: str, own: Known) -> Mapping[str, SetPost]:
        """DP-24: on a road, away from the front, near its units."""
        board, grid = s.chart.board, s.chart.board.grid
        assert grid is not None
        post, enemy = f.posts[0], s.ground.occupied[other(seat)]
        mates = [s.at(unit) for unit in s.chart.formations[s.formation(post)].units if s.on_map(unit)]

        def price(place: int) -> tuple[bool, bool, int, int]:
            road = any({"road", "autobahn"} & board.edges[place, near] for near in board.near[place])
            front = bool(board.mask(board.near[place]) & enemy)
            return not road, front, sum(grid.distance(place, mate) for mate in mates), place

        return {"best": SetPost(post, min(self._posts(s, f), key=price))}


class NoPlace(Auto[State, Reform]):
    """SG-12.2.2c: without a lawful hex it returns as a reinforcement in the next turn."""

    name = "no_place"
    rule = "SG-12.2.2"

    def run(self, s: State, f: Reform, out: Out) -> Next:
        if not f.posts:
            return DONE
        out.add(Reformed(unit=s.code(f.posts[0]), hex=0, rule=self.rule))
        f.posts, f.origins = f.posts[1:], f.origins[1:]
        return Goto(PlacePost)
