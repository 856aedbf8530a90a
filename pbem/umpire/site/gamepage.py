"""One game: who plays, how it stands, its clocks, rulings, ledger and dice; and the game told in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pbem.umpire.db.deskrows import PairingRow
from pbem.umpire.site import paths
from pbem.umpire.site.archived import Dice, Shown, Told
from pbem.umpire.site.figures import plural, score, span, when
from pbem.umpire.site.frame import Frame
from pbem.umpire.site.html import EMPTY, Cell, Column, Markup, facts, items, join, link, table, tag
from pbem.umpire.site.pages import verdict

_SHORT: Final = 12
"""Rows of a ledger that are seen at once."""
_ACT: Final = re.compile(r" ?\(act [0-9]+\)$")
WHATS: Final = {
    "orders": "orders",
    "reveal": "a reveal",
    "release": "cards",
    "nonce": "the number for the first dice",
    "open_all": "the opening of all secrets",
    "end": "the signature of the result",
    "answer": "an answer to a proposal",
    "join": "an answer to the offer",
    "start": "the start",
}


def game_page(frame: Frame, row: PairingRow, shown: Shown | None, *, archive: bool) -> bytes:
    picture = frame.picture
    first, second = (picture.players[number].name for number in row.entrants)
    parts: list[Cell] = [tag("p", frame.result(row), class_="score")]
    if row.text:
        parts.append(tag("p", f"{row.text[:1].upper()}{row.text[1:].rstrip('.')}."))
    parts += [_links(row, shown, archive=archive), facts(_facts(frame, row, shown, archive=archive))]
    if row.state == "playing":
        parts += [tag("h2", "Now"), items(_owed(frame, row))]
    parts += [tag("h2", "Why they met"), items(picture.hide(each) for each in row.why)]
    rulings = list(_rulings(frame, row, shown))
    if rulings:
        parts += [tag("h2", "Rulings"), items(rulings)]
    if row.began_at:
        parts += [tag("h2", "Clocks"), _clocks(frame, row)]
    if picture.moves.get(row.id):
        parts += [tag("h2", "Ledger"), _ledger(frame, row)]
    if shown is not None and shown.draws:
        parts += [tag("h2", "Dice"), _dice(frame, row, shown.draws)]
    subtitle = tag(
        "p",
        f"Game {row.label}, ",
        link(f"../{paths.round_(row.round)}", f"round {row.round}"),
        f". {picture.game}.",
        class_="sub",
    )
    as_of = f" as of {_plain(when(picture.at))}" if row.state == "playing" else ""
    return frame.page(
        paths.game(row),
        f"{first} – {second}",
        join(parts, "\n"),
        subtitle=subtitle,
        foot=f"this page{as_of}" * bool(as_of),
    )


def _plain(markup: Markup) -> str:
    return re.sub(r"<[^>]*>", "", markup)


def _links(row: PairingRow, shown: Shown | None, *, archive: bool) -> Markup:
    if shown is None:
        return EMPTY
    found = []
    if shown.steps:
        found.append(link(f"{paths.slug(row)}-replay.html", "Replay with boards"))
    if shown.steps:
        found.append(link(f"{paths.slug(row)}-log.html", "The game in words"))
    if archive:
        found.append(link(f"{paths.slug(row)}.pbem", "Archive", download=f"{paths.slug(row)}.pbem"))
    found.append(link(f"{paths.slug(row)}.json", "JSON"))
    return items(found, "links")


def _facts(frame: Frame, row: PairingRow, shown: Shown | None, *, archive: bool) -> Iterable[tuple[str, Cell]]:
    picture = frame.picture
    for side, number in zip(picture.sides, row.entrants, strict=False):
        yield side, frame.player(number, "../")
    if row.state == "over":
        yield "State", "over; the result stands once all secrets are open, or nobody can open them any more"
    if row.began_at:
        yield "Began", when(row.began_at)
    if row.decided_at:
        yield "Decided", when(row.decided_at)
    kept = picture.archives.get(row.id)
    if kept is None:
        return
    if shown is None:
        yield "Archive", f"{kept.size:,} bytes, not checked for this page"
    elif not shown.ok:
        yield "Archive", join((verdict(shown), f": {picture.hide(shown.fault)}"))
    else:
        counts = ", ".join(
            plural(count, word, many)
            for count, word, many in (
                (shown.records, "record", "records"), (shown.orders, "order", "orders"), (shown.dice, "die", "dice"),
                (shown.cards, "card", "cards"),
            )
            if count
        )  # fmt: skip
        secrets = "All secrets are open, and check." if shown.whole else "What is still sealed could not be checked."
        yield "Archive", join((verdict(shown), f": {counts}. {secrets}"))
        yield "Last state", tag("code", shown.state)
    yield "SHA-256", tag("code", kept.sha256.hex())
    if archive:
        yield (
            "Download",
            f"{kept.size:,} bytes. It holds the players' cards with their mail addresses. Check it: pbem verify FILE",
        )
    else:
        yield "Download", "not published, since an archive holds the players' addresses. The players have it."


def _owed(frame: Frame, row: PairingRow) -> Iterable[Cell]:
    picture = frame.picture
    rows = picture.owed.get(row.id, ())
    if not rows:
        yield "Nobody owes anything."
    for each in rows:
        what = f"{picture.name(each.entrant)} owes {WHATS.get(each.what, each.what)}"
        if each.since:
            yield join((f"{what}. Asked at ", when(each.since), "."))
        else:
            yield join((f"{what} since ", when(each.arose), ". Nothing shows yet that the question was delivered."))


def _rulings(frame: Frame, row: PairingRow, shown: Shown | None) -> Iterable[Cell]:
    """From the archive if there is one; of a game that runs, what the desk has signed."""
    picture = frame.picture
    if shown is not None:
        for each in shown.rulings:
            who = " and ".join(picture.name(row.entrants[by]) for by in each.about if by < len(row.entrants))
            reason = _ACT.sub("", picture.hide(each.why))
            moot = "" if each.holds else " It is without effect."
            yield join((tag("b", each.what), f"{who and f' ({who})'}{reason and f': {reason}'}.{moot}"))
        return
    for act in picture.rulings.get(row.id, ()):
        number = act.data.get("entrant")
        who = picture.name(number) if isinstance(number, int) else ""
        why = picture.hide(str(act.data.get("why", "")))
        words = f"{who and f' ({who})'}{why and f': {why}'}."
        yield join((tag("b", str(act.data.get("what", ""))), words, " ", when(act.done_at)))


def _clocks(frame: Frame, row: PairingRow) -> Markup:
    picture = frame.picture
    timed = bool(picture.tournament.terms.clock.move)
    columns = [
        Column("Player", "row"), Column("Answers", "n"), Column("In all", "n"), Column("Longest", "n"),
    ]  # fmt: skip
    if timed:
        columns += [Column("Bank used", "n"), Column("Bank left", "n"), Column("Given", "n"), Column("Flag", "t")]
    rows = []
    for number in row.entrants:
        spent = [each.charged for each in picture.moves.get(row.id, ()) if each.entrant == number]
        cells: list[Cell] = [
            frame.player(number, "../"), len(spent), span(sum(spent)), span(max(spent)) if spent else "–",
        ]  # fmt: skip
        if timed:
            clock = picture.clock(row, number)
            given = sum(each.seconds for each in picture.extensions.get(row.id, ()) if each.entrant == number)
            fell = [each for each in picture.flags.get(row.id, ()) if each.entrant == number]
            flag: Cell = EMPTY
            if fell:
                flag = join((tag("span", "fell ", class_="bad"), when(fell[-1].fell_at)))
            elif row.state == "playing" and clock.flag_at is not None:
                flag = join(("falls " if clock.flagged_at is None else "ran out ", when(clock.flag_at)))
            cells += [span(clock.used_bank), span(clock.left_bank), span(given) if given else "–", flag]
        rows.append(cells)
    caption = "Clocks, when this page was made" if row.state == "playing" else "Clocks"
    return table(f"{caption}; days off do not count", columns, rows)


def _ledger(frame: Frame, row: PairingRow) -> Markup:
    picture = frame.picture
    columns = (
        Column("No.", "n"), Column("Player", "row"), Column("What"), Column("Asked", "t"), Column("Answered", "t"),
        Column("Took", "n"),
    )  # fmt: skip
    rows = [
        (
            each.number, picture.name(each.entrant), WHATS.get(each.what, each.what), when(each.asked_at),
            when(each.answered_at), span(each.charged),
        )
        for each in picture.moves[row.id]
    ]  # fmt: skip
    made = table("When each question was delivered, by the umpire's statement, and when its answer came", columns, rows)
    if len(rows) <= _SHORT:
        return made
    return tag("details", tag("summary", f"{len(rows):,} answers, each with its times"), made)


def _dice(frame: Frame, row: PairingRow, draws: Sequence[Dice]) -> Markup:
    """Of each player and kind of die; every single draw stands with the game in words."""
    found: dict[tuple[int, int], list[int]] = {}
    for draw in draws:
        if draw.by is not None and draw.by < len(row.entrants):
            found.setdefault((draw.by, draw.sides), []).extend(draw.results)
    columns = (
        Column("Player", "row"),
        Column("Die", "t"),
        Column("Dice", "n"),
        Column("Mean", "n"),
        Column("Fair", "n"),
    )
    rows = [
        (
            frame.picture.name(row.entrants[by]), f"d{sides}", len(results), f"{sum(results) / len(results):.2f}",
            f"{(sides + 1) / 2:.2f}",
        )
        for (by, sides), results in sorted(found.items())
        if results
    ]  # fmt: skip
    return table("Dice of this game; one game alone tells little", columns, rows)


def told_page(frame: Frame, row: PairingRow, shown: Shown, told: Sequence[Told]) -> bytes:
    first, second = (frame.picture.players[number].name for number in row.entrants)
    parts: list[Cell] = [
        tag(
            "p", "Without boards, as everybody may know it. ", link(f"{paths.slug(row)}.html", "The game's page"), ", ",
            link(f"{paths.slug(row)}-replay.html", "the replay with boards"), ".",
        )
    ]  # fmt: skip
    for each in _merged(told):
        if each.part:
            parts.append(tag("h2", each.part))
        parts.append(items(each.lines))
    if shown.draws:
        columns = (Column("Draw", "row"), Column("Of"), Column("Die", "t"), Column("Results"))
        rows = [
            (
                each.label,
                frame.picture.name(row.entrants[each.by])
                if each.by is not None and each.by < len(row.entrants)
                else "nobody alone",
                f"d{each.sides}",
                " ".join(map(str, each.results)),
            )
            for each in shown.draws
        ]
        parts += [tag("h2", "Every draw"), table("Draws, in the order of the game", columns, rows, shown=False)]
    subtitle = tag("p", f"Game {row.label} in words.", class_="sub")
    return frame.page(paths.told(row), f"{first} – {second}, in words", join(parts, "\n"), subtitle=subtitle)


def _merged(told: Sequence[Told]) -> Iterable[Told]:
    """Parts that follow each other under the same name are one."""
    held: Told | None = None
    for each in told:
        if held is not None and held.part == each.part:
            held = Told(held.part, (*held.lines, *each.lines))
            continue
        if held is not None:
            yield held
        held = each
    if held is not None:
        yield held


def facts_json(frame: Frame, row: PairingRow, shown: Shown) -> Mapping[str, object]:
    picture = frame.picture
    return {
        "archive": picture.archives[row.id].sha256.hex(),
        "first": row.first,
        "game": row.label,
        "result": score(row.first_points, row.second_points),
        "second": row.second,
        "shown": picture.hide.all(shown.plain()),
        "v": 1,
    }
