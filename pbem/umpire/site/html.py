"""HTML, made so that no text can become markup."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

Cell = Any
"""Markup, text, a number; None is an empty cell."""


class Markup(str):
    """What is inserted as it stands."""

    __slots__ = ()

    def __add__(self, other: str) -> Markup:
        """Text that comes to markup is escaped."""
        return Markup(f"{self}{text(other)}")


class Column(NamedTuple):
    title: str
    kind: str = ""
    """n: figures, t: times, name: somebody's, row: what the row is about."""


EMPTY: Final = Markup("")


def text(value: Cell) -> Markup:
    """Characters that nobody should see become a question mark."""
    if isinstance(value, Markup):
        return value
    shown = "" if value is None else str(value)
    if not shown.isprintable():
        shown = "".join(sign if sign.isprintable() else "?" for sign in shown)
    return Markup(escape(shown, quote=True))


def join(parts: Iterable[Cell], between: str = "") -> Markup:
    return Markup(between.join(text(each) for each in parts))


def tag(name: str, *inner: Cell, **attributes: str) -> Markup:
    """`class_` and `for_` lose their underscore, others have - for _."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value, quote=True)}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{words}>{join(inner)}</{name}>")


def link(href: str, words: Cell, **attributes: str) -> Markup:
    return tag("a", words, href=href, **attributes)


def items(rows: Iterable[Cell], style: str = "plain") -> Markup:
    made = [tag("li", each) for each in rows]
    return tag("ul", *made, class_=style) if made else EMPTY


def facts(rows: Iterable[tuple[str, Cell]]) -> Markup:
    """Words with what there is to say."""
    return tag("dl", *(tag("dt", word) + tag("dd", value) for word, value in rows))


def tiles(rows: Iterable[tuple[Cell, str]]) -> Markup:
    return tag("ul", *(tag("li", tag("b", figure), tag("span", word)) for figure, word in rows), class_="tiles")


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, shown: bool = True) -> Markup:
    """`shown`: the caption is seen, too, not only heard. On small screens it scrolls by itself, keys included."""
    head = [tag("th", each.title, scope="col", **_style(each.kind)) for each in columns]
    body: list[str] = []
    for row in rows:
        cells = []
        for column, cell in zip(columns, row, strict=True):
            if column.kind == "row":
                cells.append(f'<th scope="row">{text(cell)}</th>')
            else:
                style = f' class="{column.kind}"' if column.kind else ""
                cells.append(f"<td{style}>{text(cell)}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    made = tag(
        "table",
        tag("caption", tag("span", caption)),
        tag("thead", tag("tr", *head)),
        tag("tbody", Markup("\n".join(body))),
    )
    return tag(
        "div",
        made,
        class_="wide" if shown else "wide alone",
        role="region",
        aria_label=caption,
        tabindex="0",
    )


def _style(kind: str) -> dict[str, str]:
    return {"class_": kind} if kind in ("n", "t", "name") else {}


@cache
def style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8").strip()


@cache
def policy() -> str:
    digest = b64encode(sha256(style().encode()).digest()).decode()
    return f"default-src 'none';style-src 'sha256-{digest}';base-uri 'none';form-action 'none'"


def document(title: str, top: Markup, main: Markup, foot: Markup) -> str:
    """A whole page. Its policy admits its own style sheet and nothing else."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{text(title)}</title><style>{style()}</style></head>\n<body>"
        '<a class="skip" href="#main">Skip to content</a>'
        f'<div class="bar">{top}</div>\n<main id="main">\n{main}\n</main>\n<footer>{foot}</footer></body></html>\n'
    )
