"""What all pages of a tournament have around them."""

from __future__ import annotations

from pbem.umpire.db.deskrows import PairingRow
from pbem.umpire.sentences import half
from pbem.umpire.site import paths
from pbem.umpire.site.figures import score
from pbem.umpire.site.gather import Picture
from pbem.umpire.site.html import EMPTY, Markup, document, join, link, tag


class Frame:
    """Pages of one tournament. `up` is how far the folder of a page is below that of the tournament."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def page(self, path: str, title: str, main: Markup, *, subtitle: Markup = EMPTY, foot: str = "") -> bytes:
        up = "../" * path.count("/")
        picture = self.picture
        entries = [("Overview", paths.INDEX), ("Standings", paths.STANDINGS)]
        if picture.rounds:
            entries.append(("Rounds", paths.round_(picture.rounds[-1].number)))
        entries += [("Players", paths.PLAYERS), ("Games", paths.GAMES), ("Dice", paths.DICE)]
        here = path.partition("/")[0].removesuffix(".html")
        nav = tag(
            "nav",
            tag(
                "ul",
                *(
                    tag("li", link(up + to, word, **({"aria_current": "page"} if _is(here, to) else {})))
                    for word, to in entries
                ),
            ),
            aria_label="Tournament",
        )
        top = tag("header", link(up + paths.INDEX, picture.title), nav)
        head = tag("h1", title) + subtitle
        whole = title if title == picture.title else f"{title} · {picture.title}"
        said = f"All times are UTC. Made by pbem{foot and '; '}{foot}."
        return picture.hide(document(whole, top, Markup(head + main), Markup(said))).encode()

    # Links, seen from a page that is so far down

    def player(self, number: int, up: str = "") -> Markup:
        return link(up + paths.player(number), self.picture.players[number].name)

    def game(self, row: PairingRow, up: str = "", words: str = "") -> Markup:
        return link(up + paths.game(row), words or row.label)

    def result(self, row: PairingRow) -> Markup:
        """The score, or how far the game is."""
        if row.second is None:
            return Markup(f"bye, {half(row.first_points or 0)}")
        if row.first_points is None:
            return tag("span", STATES[row.state], class_="faint")
        mark = {"forfeit": " by forfeit", "no-show": " by forfeit, not played", "adjudged": " adjudged"}.get(
            row.how, ""
        )
        rest = tag("span", f"{mark}{'' if row.state == 'decided' else ', provisional'}", class_="faint")
        return join((score(row.first_points, row.second_points), rest))


STATES = {
    "paired": "not offered yet",
    "offered": "offered, not begun",
    "playing": "being played",
    "over": "over, provisional",
    "decided": "decided",
}


def _is(here: str, to: str) -> bool:
    return to.partition("/")[0].removesuffix(".html") == here
