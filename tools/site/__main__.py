"""Makes the site: `make site`. It can be read from a folder, without a server, and asks for nothing from outside.

The pages are the documents as they lie in the repository, in the same folders, so that a link that is good there is
good here. Made for the site alone are the page of all commands, the list of schemas, the gallery of games, and a
replay of each example.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from pbem.engine import registry
from tools import commands_page
from tools.site.links import faults

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "build" / "site"
PICTURES = "docs/pictures"
JOBS = 2

SECTIONS: dict[str, tuple[str, ...]] = {
    "Play": ("docs/browser", "docs/play-by-mail", "docs/mail", "docs/home", "docs/commands", "docs/glossary"),
    "Games": ("games", "examples/index"),
    "Run tournaments": ("docs/umpire",),
    "Write a game": ("docs/write-a-game", "docs/rules-reference", "docs/kit", "docs/what-costs-a-mail"),
    "Trust and verify": ("SECURITY", "docs/spec/README", "docs/schemas"),
    "Take part": ("docs/architecture", "docs/modules", "CONTRIBUTING", "bench/README", "CHANGELOG"),
}
"""The pages by what a reader wants to do. Those that are not named here belong to one that is."""

GAME_PAGES = {
    "RULES": "Its rules by number",
    "ERRATA": "How unclear rules are read",
    "BALANCE": "Who wins, and why",
    "DESIGN": "How it is built",
}


def toctree(pages: Iterator[str] | tuple[str, ...], title: str = "", *, hidden: bool = True) -> str:
    options = (f":caption: {title}\n" if title else "") + (":hidden:\n" if hidden else "") + ":maxdepth: 2\n"
    return "\n```{toctree}\n" + options + "\n" + "\n".join(pages) + "\n```\n"


def documents() -> Iterator[Path]:
    """The Markdown files of the repository that are pages of the site."""
    for pattern in ("*.md", "docs/**/*.md", "rules/pbem_rules/*/*.md", "examples/*/README.md", "bench/README.md"):
        yield from sorted(ROOT.glob(pattern))


def stage(source: Path) -> None:
    for page in documents():
        target = source / page.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = page.read_text(encoding="utf-8")
        if page.parent.parent == ROOT / "rules" / "pbem_rules" and page.name == "README.md":
            text += toctree(tuple(name for name in GAME_PAGES if (page.parent / f"{name}.md").exists()))
        if page.parent == ROOT / "docs" / "spec" and page.name == "README.md":
            names = sorted(each.stem for each in page.parent.glob("*.md"))
            text += toctree(tuple(name for name in names if name != "README"))
        target.write_text(text.replace("../README.md)", "../index.md)"), encoding="utf-8")
    for path in (*ROOT.glob(f"{PICTURES}/*"), ROOT / "docs/spec/words.txt", ROOT / "docs/spec/records.svg"):
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    (source / "docs/commands.md").write_text(commands_page.page(), encoding="utf-8")
    (source / "docs/schemas.md").write_text(schemas(source / "_extra"), encoding="utf-8")
    (source / "games.md").write_text(gallery(), encoding="utf-8")
    (source / "examples/index.md").write_text(examples(source), encoding="utf-8")
    readme = (source / "README.md").read_text(encoding="utf-8")
    (source / "README.md").unlink()
    trees = "".join(toctree(pages, title) for title, pages in SECTIONS.items())
    (source / "index.md").write_text(readme + trees, encoding="utf-8")


def gallery() -> str:
    parts = ["# The games\n\nEvery game has a page of its own: how it is played here, and its rules by number.\n"]
    pages = []
    for name in registry.names():
        folder = f"rules/pbem_rules/{name}"
        pages.append(f"{folder}/README")
        parts.append(f"\n## {registry.find(name).title}\n\n[How it is played here]({folder}/README.md)")
        parts += [
            f"; [{words[0].lower()}{words[1:]}]({folder}/{page}.md)"
            for page, words in GAME_PAGES.items()
            if (ROOT / folder / f"{page}.md").exists()
        ]
        parts.append(f".\n\n![A board of this game, during play]({PICTURES}/{name}.svg)\n")
    return "".join(parts) + toctree(tuple(pages))


def examples(source: Path) -> str:
    """A replay of each archived game, and the page that lists them."""
    parts = ["# Whole games to click through\n\nEach was played by mail between two homes and is archived whole.\n"]
    pages, commands = [], []
    for readme in sorted(ROOT.glob("examples/*/README.md")):
        name = readme.parent.name
        pages.append(f"{name}/README")
        parts.append(f"\n## {registry.find(name).title}\n\n[About these games]({name}/README.md)\n\n")
        for archive in sorted(readme.parent.glob("*.pbem")):
            replay = source / "_extra" / "examples" / name / f"{archive.stem}.html"
            replay.parent.mkdir(parents=True, exist_ok=True)
            commands.append([sys.executable, "-m", "pbem", "replay", str(archive), "--html", "-o", str(replay)])
            parts.append(f'- <a href="{name}/{archive.stem}.html">Replay of {archive.name}</a>\n')
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(partial(subprocess.run, check=True, stdout=subprocess.DEVNULL), commands))
    return "".join(parts) + toctree(tuple(pages))


def schemas(extra: Path) -> str:
    parts = ["# JSON Schemas\n\nOf what commands print with `--json`, and of the data files that you may write.\n"]
    for folder in (ROOT / "schemas", *sorted(path for path in (ROOT / "schemas").iterdir() if path.is_dir())):
        parts.append(f"\n## {folder.relative_to(ROOT)}\n\n| schema | what it describes |\n|---|---|\n")
        for path in sorted(folder.glob("*.json")):
            place = path.relative_to(ROOT)
            target = extra / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            schema = json.loads(path.read_text(encoding="utf-8"))
            says = schema.get("title") or schema.get("description") or ""
            parts.append(f'| <a href="../{place}">{path.stem}</a> | {" ".join(says.split())} |\n')
    return "".join(parts)


def build(site: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-site-") as folder:
        source = Path(folder) / "source"
        stage(source)
        shutil.copyfile(Path(__file__).with_name("conf.py"), source / "conf.py")
        shutil.rmtree(site, ignore_errors=True)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", str(JOBS), "-b", "html"]
        done = subprocess.run([*command, "-d", f"{folder}/trees", str(source), str(site)], check=False)
        if done.returncode:
            sys.exit("The site has not been made; see above.")


def main() -> None:
    site = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SITE
    build(site)
    found = list(faults(site))
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        sys.exit("The site has faults; see above.")
    print(f"The site is in {site}: open {site / 'index.html'} in a browser.")


if __name__ == "__main__":
    main()
