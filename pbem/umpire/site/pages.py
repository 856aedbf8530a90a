"""The overview, the standings, rounds and lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.umpire.db.deskrows import PairingRow, RoundRow
from pbem.umpire.pairing import LOSS, WIN
from pbem.umpire.sentences import half, held
from pbem.umpire.site import paths
from pbem.umpire.site.archived import Shown
from pbem.umpire.site.chances import dice_table, in_order
from pbem.umpire.site.exports import Table, charged
from pbem.umpire.site.figures import day, figure, plural, span, when
from pbem.umpire.site.frame import Frame
from pbem.umpire.site.gather import Picture
from pbem.umpire.site.html import EMPTY, Cell, Column, Markup, document, facts, items, join, link, table, tag, tiles
from pbem.umpire.site.luck import Report
from pbem.umpire.standings import CRITERIA
from pbem.umpire.terms import DAYS

FORMATS = {"round_robin": "Round robin", "swiss": "Swiss", "knockout": "Knockout", "ladder": "Ladder"}
MODES = {
    "strict": "strict: nobody can foresee or bias them",
    "umpire": "by the umpire's program, which signed for them beforehand",
    "open": "open: anybody can look ahead",
}
TITLES = {
    "points": "Points", "direct": "Direct", "buchholz": "Buchholz", "cut1": "Cut 1", "median": "Median",
    "sonneborn": "Sonneborn", "wins": "Wins", "balance": "Balance", "seconds": "Second side", "progress": "Progress",
}  # fmt: skip
WORDS = {
    "points": "points", "direct": "direct encounter", "buchholz": "Buchholz", "cut1": "Buchholz without the weakest",
    "median": "median Buchholz", "sonneborn": "Sonneborn-Berger", "wins": "wins", "balance": "balance of sides",
    "seconds": "games with the second side", "progress": "progress",
}  # fmt: skip
TOP = 10


def overview(frame: Frame, tables: Sequence[Table]) -> bytes:
    picture = frame.picture
    terms = picture.tournament.terms
    games = picture.games
    done = sum(each.state in ("over", "decided") for each in games)
    state = {"open": "open for entries", "playing": "being played", "over": "over"}[picture.tournament.state]
    parts: list[Cell] = [
        tiles(
            (
                (str(len(picture.players)), "players"),
                (f"{len(picture.rounds)} of {max(picture.all_rounds, len(picture.rounds))}", "rounds"),
                (f"{done} of {len(games)}", "games with a result"),
                (str(len(picture.archives)), "archives kept"),
            )
        )
    ]
    if picture.held is not None:
        waiting = picture.held
        parts.append(tag("p", picture.hide(held(waiting.count, waiting.since, waiting.why)), class_="bad"))
    if picture.standings:
        parts += [tag("h2", "At the top" if picture.rounds else "Entrants"), _short_standings(frame)]
        if len(picture.standings) > TOP:
            parts.append(tag("p", link(paths.STANDINGS, f"All {len(picture.standings)} players")))
    if picture.rounds:
        last = picture.rounds[-1]
        parts += [tag("h2", f"Round {last.number}"), _pairings(frame, last, "")]
    parts += [tag("h2", "Terms"), facts(_terms(frame))]
    parts += [tag("h2", "Everything as tables"), _downloads(tables)]
    parts.append(
        tag("p", "The page of a game that was verified has a JSON of its own, with every draw: ",
            link(paths.GAME_SCHEMA, "its schema"), ".", class_="faint")
    )  # fmt: skip
    subtitle = tag(
        "p", f"{picture.game}{_scenario(frame)}. {FORMATS[terms.format]}, {state}. As of ", when(picture.at), ".",
        class_="sub",
    )  # fmt: skip
    return frame.page(paths.INDEX, picture.title, join(parts, "\n"), subtitle=subtitle)


def _scenario(frame: Frame) -> str:
    scenario = frame.picture.tournament.terms.scenario
    return f", {scenario.replace('_', ' ')}" if scenario else ""


def _terms(frame: Frame) -> Iterable[tuple[str, Cell]]:
    picture = frame.picture
    terms = picture.tournament.terms
    clock = terms.clock
    yield "Game", f"{picture.game}{_scenario(frame)}"
    if terms.options:
        yield "Options", ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in sorted(terms.options.items()))
    for kind, digest in terms.pins.items():
        yield f"Data: {kind}", join(("the umpire's own, ", tag("code", digest)))
    yield "Format", f"{FORMATS[terms.format]}{', mirrored pairs: two games with the sides changed' * terms.mirrored}"
    yield "Sides", f"{picture.sides[0]} is named first, {picture.sides[1]} second"
    yield "Dice", MODES[terms.mode]
    if clock.move:
        days = [name.capitalize() for bit, name in enumerate(DAYS) if clock.days_off >> bit & 1]
        off = f"; days off (UTC): {', '.join(days)}" if days else ""
        yield "Clock", f"{span(clock.move)} for a move, {span(clock.bank)} in the bank{off}"
    else:
        yield "Clock", "none"
    yield "Level on points", ", ".join(WORDS[each] for each in terms.standings[1:]) or "a shared place"
    if terms.seeding == "lot" or terms.format == "swiss":
        seed = terms.seed or picture.tournament.key.hex()
        yield "Seed", join(("lots were drawn from ", tag("code", seed)))
    yield "Umpire's key", tag("code", picture.umpire)
    yield "Journal", join((f"{picture.entries:,} entries; the last is ", tag("code", picture.head)))
    yield "Created", day(picture.tournament.created)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _downloads(tables: Sequence[Table]) -> Markup:
    rows = [
        (
            each.title,
            len(each.rows),
            link(paths.data(f"{each.name}.csv"), "CSV", aria_label=f"{each.title}, CSV"),
            link(paths.data(f"{each.name}.json"), "JSON", aria_label=f"{each.title}, JSON"),
            link(paths.data(f"{each.name}.schema.json"), "schema", aria_label=f"{each.title}, schema of the JSON"),
        )
        for each in tables
    ]
    columns = (Column("Table", "row"), Column("Rows", "n"), Column("CSV"), Column("JSON"), Column("Schema"))
    return table("Tables to download", columns, rows, shown=False)


def _short_standings(frame: Frame) -> Markup:
    rows = [
        (row.place, frame.player(row.number), half(row.points), f"{row.won}–{row.drawn}–{row.lost}")
        for row in frame.picture.standings[:TOP]
    ]
    columns = (Column("Place", "n"), Column("Player", "row"), Column("Points", "n"), Column("W–D–L", "n"))
    return table("Standings, the first places", columns, rows, shown=False)


def standings(frame: Frame) -> bytes:
    picture = frame.picture
    order = picture.tournament.terms.standings
    columns = [
        Column("Place", "n"), Column("Player", "row"), *(Column(TITLES[each], "n") for each in order),
        Column("Games", "n"), Column("W–D–L", "n"),
    ]  # fmt: skip
    rows = [
        (
            row.place, join((frame.player(row.number), _withdrawn(row.out))), *map(figure, row.figures), row.played,
            f"{row.won}–{row.drawn}–{row.lost}",
        )
        for row in picture.standings
    ]  # fmt: skip
    parts: list[Cell] = [table("Standings", columns, rows, shown=False)]
    parts += [tag("h2", "How places are decided"), facts((_capital(WORDS[each]), CRITERIA[each]) for each in order[1:])]
    if picture.rounds:
        parts += [tag("h2", "Round by round"), _rounds_table(frame)]
    after = [row.number for row in picture.rounds if row.state == "complete"]
    said = f"After round {after[-1]}" if after and after[-1] == len(picture.rounds) else "With all results so far"
    return frame.page(paths.STANDINGS, "Standings", join(parts, "\n"), subtitle=tag("p", f"{said}.", class_="sub"))


def _withdrawn(out: bool) -> Markup:
    return tag("span", " withdrawn", class_="faint") if out else EMPTY


def _mark(row: PairingRow, points: int) -> str:
    """Points as the table has them: + and - by forfeit, in brackets where nobody played."""
    if row.how not in ("forfeit", "no-show"):
        return half(points)
    sign = {LOSS: "\u2212", WIN: "+"}.get(points, half(points))
    return f"({sign})" if row.how == "no-show" else sign


def _rounds_table(frame: Frame) -> Markup:
    """What everybody did in every round: points and whom they were scored against."""
    picture = frame.picture
    marks = [side[:1].upper() for side in picture.sides]
    if marks[0] == marks[1]:
        marks = ["a", "b"]
    places = {row.number: row for row in picture.standings}
    cells: dict[int, dict[int, list[Markup]]] = {number: {} for number in places}
    for round_ in picture.rounds:
        for each in round_.pairings:
            for number, points, other in (
                (each.first, each.first_points, each.second),
                (each.second, each.second_points, each.first),
            ):
                if number is None:
                    continue
                if other is None:
                    cell = Markup(f"{half(points or 0)} bye")
                else:
                    shown = "·" if points is None else _mark(each, points)
                    words = f"{shown} {marks[number != each.first]}{other}"
                    against = f"round {each.round}, against {picture.players[other].name}"
                    cell = link(paths.game(each), words, aria_label=f"{words}: {against}")
                cells[number].setdefault(each.round, []).append(cell)
    columns = [Column("No.", "n"), Column("Player", "row"), *(Column(f"Round {r.number}", "t") for r in picture.rounds)]
    rows = [
        (
            number, frame.player(number),
            *(join(cells[number].get(each.number, ["–"]), "<br>") for each in picture.rounds),
        )
        for number in places
    ]  # fmt: skip
    held = ", ".join(f"{mark} {side}" for mark, side in zip(marks, picture.sides, strict=True))
    caption = (
        f"Points, the side held ({held}) and the opponent's number; + and \u2212 by forfeit, in brackets: not played"
    )
    return table(caption, columns, rows)


def round_page(frame: Frame, row: RoundRow) -> bytes:
    picture = frame.picture
    state = {
        "paired": "Paired, and not offered yet.",
        "offered": "Being played.",
        "complete": "Complete.",
    }[row.state]
    pager = tag(
        "ul",
        *(
            tag(
                "li",
                tag("b", each.number, aria_current="page")
                if each.number == row.number
                else link(f"{each.number}.html", str(each.number), aria_label=f"Round {each.number}"),
            )
            for each in picture.rounds
        ),
        class_="pager",
    )
    parts: list[Cell] = [tag("nav", pager, aria_label="Rounds"), _pairings(frame, row, "../")]
    parts += [tag("h2", "Why these pairings"), facts(_reasons(frame, row))]
    if row.notes:
        parts += [tag("h2", "Notes"), items(picture.hide(each) for each in row.notes)]
    subtitle = tag("p", f"{state} Paired on ", day(row.paired_at), ".", class_="sub")
    return frame.page(paths.round_(row.number), f"Round {row.number}", join(parts, "\n"), subtitle=subtitle)


def _pairings(frame: Frame, row: RoundRow, up: str) -> Markup:
    picture = frame.picture
    columns = (
        Column("Game", "t"), Column(picture.sides[0], "name"), Column(picture.sides[1], "name"), Column("Result", "t"),
    )  # fmt: skip
    rows = [
        (
            each.label if each.second is None else frame.game(each, up),
            frame.player(each.first, up),
            EMPTY if each.second is None else frame.player(each.second, up),
            frame.result(each),
        )
        for each in row.pairings
    ]
    return table(f"Pairings of round {row.number}", columns, rows, shown=False)


def _reasons(frame: Frame, row: RoundRow) -> Iterable[tuple[str, Cell]]:
    for each in row.pairings:
        names = " – ".join(frame.picture.name(number) for number in each.entrants)
        yield each.label, join((tag("b", names), " ", " ".join(each.why)))


def players(frame: Frame) -> bytes:
    picture = frame.picture
    times = charged(picture)
    places = {row.number: row for row in picture.standings}
    columns = (
        Column("No.", "n"), Column("Player", "row"), Column("Place", "n"), Column("Points", "n"),
        Column("Entered with", "n"), Column("Rating now", "n"), Column("±", "n"), Column("Answers", "n"),
        Column("Mean time", "n"),
    )  # fmt: skip
    rows = []
    for each in picture.players.values():
        last = picture.ratings.get(each.number, ())[-1:]
        spent = times[each.number]
        rows.append(
            (
                each.number, join((frame.player(each.number), _withdrawn(each.out))), places[each.number].place,
                half(places[each.number].points), each.rating,
                round(last[0].rating) if last else "–", round(1.96 * last[0].deviation) if last else "–", len(spent),
                span(round(sum(spent) / len(spent))) if spent else "–",
            )
        )  # fmt: skip
    said = "Ratings are Glicko-2; in 95 of 100 cases the strength lies within ± of the rating. "
    said += "Times are those of the umpire's ledger, without days off."
    return frame.page(
        paths.PLAYERS,
        "Players",
        table("Players", columns, rows, shown=False),
        subtitle=tag("p", said, class_="sub"),
    )


def games(frame: Frame, shown: Mapping[int, Shown]) -> bytes:
    picture = frame.picture
    columns = (
        Column("Game", "t"), Column(picture.sides[0], "name"), Column(picture.sides[1], "name"), Column("Result", "t"),
        Column("Answers", "n"), Column("Archive", "t"), Column("Replay"),
    )  # fmt: skip
    rows = []
    for each in reversed(picture.games):
        found = shown.get(each.id)
        rows.append(
            (
                frame.game(each), frame.player(each.first), frame.player(each.second or 0), frame.result(each),
                len(picture.moves.get(each.id, ())), verdict(found),
                link(paths.replay(each), "replay", aria_label=f"Replay of game {each.label}")
                if found is not None and found.steps
                else EMPTY,
            )
        )  # fmt: skip
    said = f"{plural(len(rows), 'game')}, the latest round first."
    body = table("Games", columns, rows, shown=False) if rows else tag("p", "No round has been paired yet.")
    return frame.page(paths.GAMES, "Games", body, subtitle=tag("p", said, class_="sub"))


def verdict(found: Shown | None) -> Markup:
    if found is None:
        return EMPTY
    if not found.ok:
        return tag("span", "does not check", class_="bad")
    return tag("span", "verified", class_="good") if found.whole else tag("span", "checks, not all open", class_="wait")


def dice(frame: Frame, report: Report, numbers: Mapping[str, int]) -> bytes:
    parts: list[Cell] = [items(report.notes)] if report.notes else []
    rows = in_order(report.rows, numbers)
    if rows:
        parts.append(dice_table(frame, rows, numbers))
    else:
        parts.append(tag("p", "There are no dice of finished games yet, or too few to show."))
    said = "Were somebody's dice high or low, and how much can be said about it at all? Of finished games."
    return frame.page(paths.DICE, "Dice", join(parts, "\n"), subtitle=tag("p", said, class_="sub"))


def index(pictures: Sequence[Picture], at: int) -> bytes:
    """Several tournaments: each has a folder of its own."""
    columns = (
        Column("Tournament", "row"),
        Column("Game"),
        Column("Players", "n"),
        Column("Rounds", "n"),
        Column("State"),
    )
    rows = [
        (
            link(f"{each.tournament.name}/{paths.INDEX}", each.title), each.game, len(each.players), len(each.rounds),
            {"open": "open for entries", "playing": "being played", "over": "over"}[each.tournament.state],
        )
        for each in pictures
    ]  # fmt: skip
    main = tag("h1", "Tournaments") + tag("p", "As of ", when(at), ".", class_="sub")
    body = table("Tournaments", columns, rows, shown=False)
    top = tag("header", link(paths.INDEX, "Tournaments"))
    foot = Markup("All times are UTC. Made by pbem.")
    return document("Tournaments", top, Markup(main + body), foot).encode()
