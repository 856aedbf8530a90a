"""What `make site` says of a site with faults; the site itself is made, and held to the same, by `make site`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.links import faults


def site(folder: Path, body: str) -> list[str]:
    (folder / "deep").mkdir()
    (folder / "deep" / "other.html").write_text('<h1 id="top">Other</h1><a href="../index.html">back</a>')
    (folder / "index.html").write_text(body)
    return list(faults(folder))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="deep/other.html#top">x</a><a href="#here">y</a><p id="here">', None),
        ('<a href="https://example.org/">elsewhere</a>', None),
        ('<img src="data:image/png;base64,AAAA">', None),
        ('<a href="deep/none.html">x</a>', "index.html links to deep/none.html, which is not in the site."),
        ('<a href="deep/other.html#end">x</a>', "links to deep/other.html#end, but that page has no such place."),
        ('<a href="#there">x</a>', "links to #there, but that page has no such place."),
        ('<img src="none.png">', "links to none.png, which is not in the site."),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js from outside the site."),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css from outside the site."),
    ],
)
def test_links_of_the_site_are_checked(tmp_path: Path, body: str, said: str | None) -> None:
    found = site(tmp_path, body)
    assert len(found) == (said is not None)
    assert all(said is not None and fault.endswith(said) for fault in found)
