"""The pages: what each shows is put together here, and how it looks is in `templates`, where every text is escaped and
nobody's address is left in."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.engine.counts import all_of, in_units, many
from pbem.engine.obligation import OWES
from pbem.protocol.characters import printable
from pbem.umpire.db.deskrows import PairingRow, RoundRow
from pbem.umpire.journaltext import held
from pbem.umpire.pairing import LOSS, WIN
from pbem.umpire.pairing.pairs import half
from pbem.umpire.site import paths
from pbem.umpire.site.archived import Dice, Shown, Told
from pbem.umpire.site.exports import Table, charged
from pbem.umpire.site.gather import Picture
from pbem.umpire.site.luck import Luck, Report, enough, in_order
from pbem.umpire.standings import CRITERIA
from pbem.umpire.terms import DAYS

_HERE: Final = Path(__file__).parent
_ACT: Final = re.compile(r" ?\(task [0-9]+\)$")
_QUARTERS: Final = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
_UNITS: Final = {"day": "d", "hour": "h", "minute": "min", "second": "s"}
_FORFEITS: Final = {"forfeit": " by forfeit", "no-show": " by forfeit, not played"}
WORDS: Final[Mapping[str, Any]] = {
    "CRITERIA": CRITERIA,
    "FORMATS": {"round_robin": "Round robin", "swiss": "Swiss", "knockout": "Knockout", "ladder": "Ladder"},
    "MARKS": {**_FORFEITS, "adjudged": " adjudged"},
    "MODES": {
        "strict": "strict: no player alone can foresee or bias them",
        "umpire": "umpire: rolled by the umpire's program together with the player's; neither alone can bias them",
        "open": "open: anybody can look ahead",
    },
    "OUTCOMES": {**_FORFEITS, "adjudged": ", adjudged"},
    "OWES": OWES,
    "ROUNDS": {"paired": "Paired, and not offered yet.", "offered": "Being played.", "complete": "Complete."},
    "SHORT": 12,  # rows of a ledger that are seen at once
    "STANDING": {"open": "open for entries", "playing": "being played", "over": "over"},
    "STATES": {
        "paired": "not offered yet", "offered": "offered, not begun", "playing": "being played",
        "over": "over, provisional", "decided": "decided",
    },
    "TOP": 10,
    "WORDS": {
        "points": "points", "direct": "direct encounter", "buchholz": "Buchholz",
        "cut1": "Buchholz without the weakest", "median": "median Buchholz", "sonneborn": "Sonneborn-Berger",
        "wins": "wins", "balance": "balance of sides", "seconds": "games with the second side", "progress": "progress",
    },
}  # fmt: skip
_TITLES: Final = {
    "points": "Points", "direct": "Direct", "buchholz": "Buchholz", "cut1": "Cut 1", "median": "Median",
    "sonneborn": "Sonneborn", "wins": "Wins", "balance": "Balance", "seconds": "Second side", "progress": "Progress",
}  # fmt: skip


# Times and figures


@lru_cache(maxsize=1 << 14)
def when(at: int) -> Markup:
    """`18 Nov 2026, 17:30`, of UTC."""
    moment = datetime.fromtimestamp(at, UTC)
    words = f"{moment.day} {moment:%b %Y, %H:%M}" if at else ""
    return Markup('<time datetime="{}">{}</time>').format(f"{moment:%Y-%m-%dT%H:%M:%SZ}", words) if at else Markup()


def day(at: int) -> Markup:
    moment = datetime.fromtimestamp(at, UTC)
    return Markup('<time datetime="{}">{}</time>').format(f"{moment:%Y-%m-%d}", f"{moment.day} {moment:%b %Y}")


def span(seconds: int) -> str:
    """`2 d 3 h`: the two largest parts."""
    if seconds < 0:
        return f"−{span(-seconds)}"
    return " ".join(f"{count} {_UNITS[unit]}" for count, unit in in_units(seconds)[:2]) or "0 s"


def figure(value: Fraction | None) -> str:
    """`12½`; a dash where a criterion was not asked."""
    if value is None:
        return "–"
    whole, rest = divmod(value, 1)
    if rest not in _QUARTERS:
        return f"{float(value):.2f}"
    return f"{whole or ''}{_QUARTERS[rest]}" or "0"


def _between(rated: Any) -> str:
    return f"{round(rated.rating - 1.96 * rated.deviation)} – {round(rated.rating + 1.96 * rated.deviation)}"


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _so_odd(each: Luck) -> str:
    return _chance(min(each.mean_p, each.test.p)) if enough(each.test) else "too few"


def _corrected(each: Luck) -> str:
    return _chance(each.corrected) if enough(each.test) else ""


# Templates


@pass_context
def _shown(context: Context, value: Any) -> Any:
    """Before it is escaped, text loses addresses, and characters that nobody can see become question marks."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return printable(context["hide"](value))


@cache
def style() -> str:
    return (_HERE / "style.css").read_text(encoding="utf-8").strip()


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined, finalize=_shown,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    digest = b64encode(sha256(style().encode()).digest()).decode()
    policy = f"default-src 'none';style-src 'sha256-{digest}';base-uri 'none';form-action 'none'"
    made.globals |= {"paths": paths, "policy": Markup(policy), "style": Markup(style()), **WORDS}  # noqa: S704 - ours
    made.filters |= {
        "between": _between, "chance": _so_odd, "corrected": _corrected, "day": day, "figure": figure, "half": half,
        "median": median, "many": many, "span": span, "when": when, "whole": round,
    }  # fmt: skip
    return made


def render(template: str, **values: Any) -> bytes:
    return environment().get_template(f"{template}.html").render(values).encode()


def index(pictures: Sequence[Picture], at: int) -> bytes:
    """Several tournaments: each has a folder of its own."""
    return render("index", title="Tournaments", whole="", up="", picture=None, hide=str, pictures=pictures, at=at)


class Result(NamedTuple):
    """An entrant's result in a round, as the standings show it."""

    words: str
    game: PairingRow | None
    against: str


class Pages:
    """Those of one tournament. `shown` is what the archive of a game showed; `numbers` gives the entrant behind each
    name of a report on dice."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self._places = {row.number: row for row in picture.standings}
        self._times = charged(picture)
        entries = [("Overview", paths.INDEX), ("Standings", paths.STANDINGS)]
        if picture.rounds:
            entries.append(("Rounds", paths.round_(picture.rounds[-1].number)))
        self._entries = [*entries, ("Players", paths.PLAYERS), ("Games", paths.GAMES), ("Dice", paths.DICE)]

    def _page(self, template: str, path: str, title: str, **values: Any) -> bytes:
        return render(
            template, title=title, whole=self.picture.title, up="../" * path.count("/"), picture=self.picture,
            hide=self.picture.hide, entries=self._entries, here=path.partition("/")[0].removesuffix(".html"),
            **values,
        )  # fmt: skip

    def overview(self, tables: Sequence[Table]) -> bytes:
        picture = self.picture
        off = picture.tournament.terms.clock.days_off
        waiting = picture.held
        return self._page(
            "overview", paths.INDEX, picture.title, tables=tables,
            done=sum(each.state in ("over", "decided") for each in picture.games),
            held=held(waiting.count, waiting.since, waiting.why) if waiting is not None else "",
            days_off=[name.capitalize() for bit, name in enumerate(DAYS) if off >> bit & 1],
        )  # fmt: skip

    def standings(self) -> bytes:
        picture = self.picture
        order = picture.tournament.terms.standings
        marks = [side[:1].upper() for side in picture.sides]
        if marks[0] == marks[1]:
            marks = ["a", "b"]
        after = [row.number for row in picture.rounds if row.state == "complete"]
        rounds = {f"Round {row.number}": "t" for row in picture.rounds}
        whole = bool(after) and after[-1] == len(picture.rounds)
        return self._page(
            "standings", paths.STANDINGS, "Standings", order=order,
            after=f"After round {after[-1]}" if whole else "With all results so far",
            columns={"Place": "n", "Player": "", **{_TITLES[each]: "n" for each in order}, "Games": "n", "W–D–L": "n"},
            by_round={"No.": "n", "Player": "", **rounds}, results=self._results(marks),
            sides=", ".join(f"{mark} {side}" for mark, side in zip(marks, picture.sides, strict=True)),
        )  # fmt: skip

    def _results(self, marks: Sequence[str]) -> dict[int, dict[int, list[Result]]]:
        """What everybody did, by number and round: points, and whom they were scored against."""
        found: dict[int, dict[int, list[Result]]] = {number: {} for number in self._places}
        for each in (each for row in self.picture.rounds for each in row.pairings):
            if each.second is None:
                bye = Result(f"{half(each.first_points or 0)} bye", None, "")
                found[each.first].setdefault(each.round, []).append(bye)
                continue
            for number, points, other, mark in (
                (each.first, each.first_points, each.second, marks[0]),
                (each.second, each.second_points, each.first, marks[1]),
            ):
                words = f"{'·' if points is None else mark_of(each, points)} {mark}{other}"
                result = Result(words, each, self.picture.players[other].name)
                found[number].setdefault(each.round, []).append(result)
        return found

    def round(self, row: RoundRow) -> bytes:
        return self._page("round", paths.round_(row.number), f"Round {row.number}", round=row)

    def players(self) -> bytes:
        return self._page("players", paths.PLAYERS, "Players", times=self._times, places=self._places)

    def player(self, number: int, report: Report, numbers: Mapping[str, int]) -> bytes:
        picture, spent = self.picture, sorted(self._times[number])
        player = picture.players[number]
        rows = in_order([each for each in report.rows if numbers[each.player] == number], numbers)
        return self._page(
            "player", paths.player(number), player.name, player=player, row=self._places[number],
            games=picture.played.get(number, ()), ratings=picture.ratings.get(number, ()), spent=spent,
            most=spent[max(0, -(-9 * len(spent) // 10) - 1)] if spent else 0, dice=rows, numbers=numbers,
        )  # fmt: skip

    def games(self, shown: Mapping[int, Shown]) -> bytes:
        return self._page("games", paths.GAMES, "Games", shown=shown)

    def dice(self, report: Report, numbers: Mapping[str, int]) -> bytes:
        rows = in_order(report.rows, numbers)
        return self._page("dice", paths.DICE, "Dice", notes=report.notes, dice=rows, numbers=numbers)

    def game(self, row: PairingRow, shown: Shown | None, *, archive: bool) -> bytes:
        timed = bool(self.picture.tournament.terms.clock.move)
        columns = {"Player": "", "Answers": "n", "In all": "n", "Longest": "n"}
        if timed:
            columns |= {"Bank used": "n", "Bank left": "n", "Given": "n", "Flag": "t"}
        return self._page(
            "game", paths.game(row), self._title(row), row=row, shown=shown, archive=archive,
            counts=_counts(shown) if shown is not None else "", rulings=list(self._rulings(row, shown)),
            clock_columns=columns, clocks=[self._clock(row, number) for number in row.entrants],
            fallen=_fallen(shown.draws, len(row.entrants)) if shown is not None else (),
        )  # fmt: skip

    def _title(self, row: PairingRow) -> str:
        return " – ".join(self.picture.players[number].name for number in row.entrants)

    def _rulings(self, row: PairingRow, shown: Shown | None) -> Iterator[dict[str, Any]]:
        """From the archive if there is one; of a game that runs, what the desk has signed."""
        picture = self.picture
        if shown is not None:
            for each in shown.rulings:
                who = all_of(picture.name(row.entrants[by]) for by in each.about if by < len(row.entrants))
                why = _ACT.sub("", picture.hide(each.why))
                yield {"what": each.what, "who": who, "why": why, "holds": each.holds, "at": 0}
            return
        for act in picture.rulings.get(row.id, ()):
            number, why = act.data.get("entrant"), str(act.data.get("why", ""))
            who = picture.name(number) if isinstance(number, int) else ""
            yield {"what": str(act.data.get("what", "")), "who": who, "why": why, "holds": True, "at": act.done_at}

    def _clock(self, row: PairingRow, number: int) -> dict[str, Any]:
        picture = self.picture
        return {
            "number": number,
            "spent": [each.charged for each in picture.moves.get(row.id, ()) if each.entrant == number],
            "clock": picture.clock(row, number),
            "given": sum(each.seconds for each in picture.extensions.get(row.id, ()) if each.entrant == number),
            "fell": [each for each in picture.flags.get(row.id, ()) if each.entrant == number],
        }

    def log(self, row: PairingRow, shown: Shown) -> bytes:
        """The game in words."""
        told, title = list(_merged(shown.told)), f"{self._title(row)}, in words"
        return self._page("log", paths.told(row), title, row=row, shown=shown, told=told)


def mark_of(row: PairingRow, points: int) -> str:
    """Points as the table has them: + and - by forfeit, in brackets where nobody played."""
    if row.how not in ("forfeit", "no-show"):
        return half(points)
    sign = {LOSS: "\u2212", WIN: "+"}.get(points, half(points))
    return f"({sign})" if row.how == "no-show" else sign


def _counts(shown: Shown) -> str:
    counts = (
        (shown.records, "record", "records"), (shown.orders, "order", "orders"), (shown.dice, "die", "dice"),
        (shown.cards, "card", "cards"),
    )  # fmt: skip
    return ", ".join(many(count, word, several) for count, word, several in counts if count)


def _fallen(draws: Iterable[Dice], players: int) -> list[tuple[int, int, list[int]]]:
    """Results of each player and kind of die; every single draw stands with the game in words."""
    found: dict[tuple[int, int], list[int]] = {}
    for draw in draws:
        if draw.by is not None and draw.by < players:
            found.setdefault((draw.by, draw.sides), []).extend(draw.results)
    return [(*key, results) for key, results in sorted(found.items()) if results]


def _merged(told: Iterable[Told]) -> Iterator[tuple[str, list[str]]]:
    """Parts that follow each other under the same name are one."""
    held: tuple[str, list[str]] | None = None
    for each in told:
        if held is not None and held[0] == each.part:
            held[1].extend(each.lines)
            continue
        if held is not None:
            yield held
        held = (each.part, list(each.lines))
    if held is not None:
        yield held
