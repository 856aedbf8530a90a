"""Whether every link of the site leads somewhere, and nothing is asked for from outside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        """Addresses, and whether the page cannot be shown without what is there."""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value for key, value in attrs if value is not None}
        self.anchors |= {named[key] for key in ("id", "name") if key in named}
        loaded = LOADED.get(tag)
        if loaded in named and named.get("rel") not in ("canonical", "author"):
            self.links.append((named[loaded], True))
        elif tag == "a" and "href" in named:
            self.links.append((named["href"], False))


def faults(site: Path) -> Iterator[str]:
    """One sentence for every link that leads nowhere, and for everything that is loaded from outside."""
    read = cache(Page)
    for path in sorted(site.rglob("*.html")):
        place = path.relative_to(site)
        for address, loaded in read(path).links:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if loaded:
                    yield f"{place} loads {address} from outside the site."
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                yield f"{place} links to {address}, which is not in the site."
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in read(target).anchors:
                yield f"{place} links to {address}, but that page has no such place."
