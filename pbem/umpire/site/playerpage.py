"""One player: games, results, ratings, response times, dice."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from pbem.umpire.db.deskrows import PairingRow
from pbem.umpire.sentences import half
from pbem.umpire.site import paths
from pbem.umpire.site.chances import dice_table, in_order, verdicts
from pbem.umpire.site.figures import plural, span
from pbem.umpire.site.frame import STATES, Frame
from pbem.umpire.site.html import EMPTY, Cell, Column, Markup, facts, join, table, tag, tiles
from pbem.umpire.site.luck import Report
from pbem.umpire.standings import Row


def player_page(frame: Frame, row: Row, spent: list[int], report: Report, numbers: Mapping[str, int]) -> bytes:
    """`spent`: what his answers took, in seconds."""
    picture = frame.picture
    number = row.number
    player = picture.players[number]
    last = picture.ratings.get(number, ())[-1:]
    rating = last[0].rating if last else player.rating
    parts: list[Cell] = [
        tiles(
            (
                (row.place, f"place of {len(picture.standings)}"),
                (half(row.points), f"points; {row.won} won, {row.drawn} drawn, {row.lost} lost"),
                (round(rating), f"rating, ± {round(1.96 * (last[0].deviation if last else player.deviation))}"),
                (span(round(median(spent))) if spent else "–", f"median of {plural(len(spent), 'answer')}"),
            )
        ),
        facts([("Number", str(number)), ("Key", tag("code", player.fingerprint))]),
    ]
    if number in picture.played:
        parts += [tag("h2", "Games"), _games(frame, number)]
    parts += [tag("h2", "Rating"), _ratings(frame, number)]
    if spent:
        parts += [tag("h2", "Response times"), _times(spent)]
    dice = in_order([each for each in report.rows if numbers[each.player] == number], numbers)
    if dice:
        parts += [tag("h2", "Dice"), dice_table(frame, dice, numbers, "../"), verdicts(dice)]
    subtitle = tag("p", "Has withdrawn.", class_="sub") if player.out else EMPTY
    return frame.page(paths.player(number), player.name, join(parts, "\n"), subtitle=subtitle)


def _games(frame: Frame, number: int) -> Markup:
    picture = frame.picture
    columns = (
        Column("Game", "t"), Column("Against", "row"), Column("Side"), Column("Points", "n"), Column("Result"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for each in picture.played[number]:
        first = each.first == number
        points = each.first_points if first else each.second_points
        if each.second is None:
            rows.append((each.label, "nobody", EMPTY, half(points or 0), "a bye"))
            continue
        other = each.second if first else each.first
        rows.append(
            (
                frame.game(each, "../"), frame.player(other, "../"), picture.sides[0 if first else 1],
                "" if points is None else half(points), _outcome(each, points),
            )
        )  # fmt: skip
    return table("Games", columns, rows, shown=False)


def _outcome(row: PairingRow, points: int | None) -> Cell:
    if points is None:
        return tag("span", STATES[row.state], class_="faint")
    how = {"forfeit": " by forfeit", "no-show": " by forfeit, not played", "adjudged": ", adjudged"}.get(row.how, "")
    return f"{('lost', 'drawn', 'won')[points]}{how}{'' if row.state == 'decided' else ', provisional'}"


def _ratings(frame: Frame, number: int) -> Markup:
    player = frame.picture.players[number]
    columns = (
        Column("After", "row"),
        Column("Rating", "n"),
        Column("95 of 100 lie between", "n"),
        Column("Volatility", "n"),
    )
    rows: list[tuple[Cell, ...]] = [("entering", player.rating, _between(player.rating, player.deviation), "–")]
    rows += [
        (f"round {each.round}", round(each.rating), _between(each.rating, each.deviation), f"{each.volatility:.4f}")
        for each in frame.picture.ratings.get(number, ())
    ]
    return table("Glicko-2: the rating and where the strength lies in 95 of 100 cases", columns, rows)


def _between(rating: float, deviation: float) -> str:
    return f"{round(rating - 1.96 * deviation)} – {round(rating + 1.96 * deviation)}"


def _times(spent: list[int]) -> Markup:
    ordered = sorted(spent)
    columns = (
        Column("Answers", "n"), Column("Shortest", "n"), Column("Median", "n"), Column("9 of 10 within", "n"),
        Column("Longest", "n"),
    )  # fmt: skip
    most = ordered[max(0, -(-9 * len(ordered) // 10) - 1)]
    row = (len(ordered), span(ordered[0]), span(round(median(ordered))), span(most), span(ordered[-1]))
    return table("From the question's arrival at the umpire's to the answer's; days off do not count", columns, [row])
