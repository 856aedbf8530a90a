"""Writing SVG: whole numbers only, text escaped, one style sheet of the classes that were used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.pictures.theme import sheet
from pbem.protocol.characters import printable

_SAFE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})

Point = tuple[int, int]
FONTS = "Liberation Sans,Arial,Helvetica,sans-serif"  # alike in width


def safe(text: str) -> str:
    """Text for between and inside tags: without the characters that nobody should see and XML does not know."""
    return printable(text).translate(_SAFE)


def line(points: Iterable[Point], *, closed: bool = False) -> str:
    """Path data through points."""
    return "M" + "L".join(f"{x} {y}" for x, y in points) + ("Z" if closed else "")


class Canvas:
    """Elements in the order in which they are painted. A class is a word of `theme.py`.

    `live`: what can be clicked says so (`data-k`), and what stands for a place says for which (`data-at`).
    """

    def __init__(self, *, live: bool = False) -> None:
        self.live = live
        self._parts: list[str] = []
        self._defs: dict[str, str] = {}
        self._used: set[str] = set()
        self._layers: list[tuple[str, int]] = []

    def _class(self, names: str) -> str:
        self._used.update(names.split())
        return f' class="{names}"' if names else ""

    def raw(self, text: str, names: str = "") -> None:
        """Markup made elsewhere, with the classes in it."""
        self._used.update(names.split())
        self._parts.append(text)

    def rect(self, x: int, y: int, w: int, h: int, names: str, radius: int = 0) -> None:
        corner = f' rx="{radius}"' if radius else ""
        self._parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}"{corner}{self._class(names)}/>')

    def circle(self, x: int, y: int, r: int, names: str) -> None:
        self._parts.append(f'<circle cx="{x}" cy="{y}" r="{r}"{self._class(names)}/>')

    def path(self, data: str, names: str) -> None:
        self._parts.append(f'<path d="{data}"{self._class(names)}/>')

    def text(self, x: int, y: int, words: str, names: str, size: int = 0) -> None:
        """`size`: where the class does not give one."""
        font = f' font-size="{size}"' if size else ""
        self._parts.append(f'<text x="{x}" y="{y}"{font}{self._class(names)}>{safe(words)}</text>')

    def open(
        self,
        names: str = "",
        title: str = "",
        at: Point | None = None,
        key: str = "",
        click: str = "",
        place: str = "",
    ) -> None:
        moved = f' transform="translate({at[0]} {at[1]})"' if at else ""
        told = f"<title>{safe(title)}</title>" if title else ""
        named = f' id="{key}"' if key else ""
        clicked = f' data-k="{safe(click)}"' if click and self.live else ""
        stands = f' data-at="{safe(place)}"' if place and self.live else ""
        self._parts.append(f"<g{named}{clicked}{stands}{self._class(names)}{moved}>{told}")

    def close(self) -> None:
        self._parts.append("</g>")

    def layer(self, name: str) -> None:
        """What follows is painted as this layer: for those who show a picture in parts."""
        self._layers.append((name, len(self._parts)))

    def layers(self) -> Iterator[tuple[str, list[str]]]:
        """The elements of each layer, every one with all that is in it."""
        ends = [*(start for _, start in self._layers[1:]), len(self._parts)]
        for (name, start), end in zip(self._layers, ends, strict=True):
            found: list[str] = []
            depth = 0
            for part in self._parts[start:end]:
                if depth:
                    found[-1] += part
                else:
                    found.append(part)
                depth += part.count("<g ") + part.count("<g>") - part.count("</g>")
            yield name, found

    def markup(self) -> dict[str, str]:
        """The markup of each layer."""
        ends = [*(start for _, start in self._layers[1:]), len(self._parts)]
        return {name: "".join(self._parts[start:end]) for (name, start), end in zip(self._layers, ends, strict=True)}

    def define(self, key: str, markup: str, names: str = "") -> None:
        """Something that is used by its id; once."""
        self._used.update(names.split())
        self._defs.setdefault(key, markup)

    def use(self, key: str, x: int, y: int, names: str = "") -> None:
        self._parts.append(f'<use href="#{key}" x="{x}" y="{y}"{self._class(names)}/>')

    def embed(self, other: Canvas, at: Point) -> None:
        """All of another canvas, moved there."""
        self.share(other)
        self._parts += [f'<g transform="translate({at[0]} {at[1]})">', *other._parts, "</g>"]

    def paste(self, other: Canvas) -> None:
        """All of another canvas, as one element."""
        self.share(other)
        self._parts.append("".join(other._parts))

    def note(self, names: str) -> None:
        """Classes that are used outside."""
        self._used.update(names.split())

    def share(self, other: Canvas) -> None:
        """Takes over the classes and definitions of a canvas that is shown elsewhere on the same page."""
        self._used |= other._used
        self._defs.update(other._defs)

    @property
    def used(self) -> frozenset[str]:
        return frozenset(self._used)

    @property
    def definitions(self) -> str:
        return "".join(self._defs.values())

    def inline(self, width: int, height: int, more: str = "", at: Point = (0, 0)) -> str:
        """For a page that holds font, style and definitions itself."""
        return f'<svg viewBox="{at[0]} {at[1]} {width} {height}" {more}>{"".join(self._parts)}</svg>'

    def finish(
        self,
        width: int,
        height: int,
        title: str,
        *,
        look: str = "auto",
        label: str = "",
        paper: bool = True,
    ) -> str:
        """The document. `look`: auto (as the reader's device is set), light or dark."""
        defs = "".join(self._defs.values())
        sheet_of = self._class("paper") if paper else ""
        back = f'<rect width="{width}" height="{height}"{sheet_of}/>' if paper else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{safe(label or title)}" font-family="{FONTS}">'
            f"<title>{safe(title)}</title><style>{sheet(self._used, look)}</style>"
            f"{f'<defs>{defs}</defs>' if defs else ''}{back}{''.join(self._parts)}</svg>\n"
        )
