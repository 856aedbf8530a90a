"""Pictures of three positions of every game, small: what `make screenshots` takes and the tests compare with.

`python -m tests.browser.screens --scenes` also takes other positions, from the games in `examples`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from pbem.cli.replaying import Playback
from pbem.cli.verifying import ArchiveFile
from pbem.pictures.replaysteps import steps
from tests.browser.pages import FOLDER, GAMES, freeze, kept_page
from tools.browser import Browser, lacking

ROOT = Path(__file__).resolve().parents[2]
ARCHIVES = {
    "axis1941": ROOT / "examples/axis1941/game.pbem",
    "bridgehead": ROOT / "tests/rules/bridgehead/archives/behaviour-1.pbem",
    "noretreat": ROOT / "examples/noretreat/barbarossa.pbem",
    "stargard": ROOT / "examples/stargard/sonnenwende.pbem",
}
DRAWN = """const done = arguments[0], drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
    document.readyState === "complete" ? drawn() : addEventListener("load", drawn)"""
POSITIONS = ("opening", "middle", "end")
WINDOW = (1280, 800)
SMALL = (480, 300)
COLOURS = 256
LARGEST = 60_000  # bytes of a file


def taken(browser: Browser, page: Path, position: str) -> Image.Image:
    """The window at that position, scaled down."""
    browser.size(*WINDOW)
    browser.open(page, str(POSITIONS.index(position) + 1))
    browser.driver.execute_async_script(DRAWN)  # on a busy machine the page is not drawn yet
    picture = Image.open(BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    return picture.resize(SMALL, Image.Resampling.LANCZOS)


def kept(name: str, position: str) -> Path:
    return FOLDER / f"{name}-{position}.png"


def difference(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """The mean over all of the picture, and over the worst of its 8 by 5 fields: of 255."""
    apart = ImageChops.difference(one, other.convert("RGB")).convert("L")
    wide, high = SMALL[0] // 8, SMALL[1] // 5
    fields = [apart.crop((x * wide, y * high, (x + 1) * wide, (y + 1) * high)) for x in range(8) for y in range(5)]
    return ImageStat.Stat(apart).mean[0], max(ImageStat.Stat(field).mean[0] for field in fields)


def keep_scenes(name: str) -> None:
    """The first step, a battle in the middle, and the last."""
    made = list(steps(Playback(ArchiveFile(name, path=str(ARCHIVES[name]))).replay))
    middle = next(number for number in range(len(made) // 2, len(made)) if made[number].fights)
    scenes = [made[number].scene for number in (0, middle, -1)]
    text = ",\n".join(json.dumps(freeze(each), separators=(",", ":"), sort_keys=True) for each in scenes if each)
    (FOLDER / f"{name}.json").write_text(f"[\n{text}\n]\n", encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> None:
    if why := lacking():
        sys.exit(f"There is no browser: {why}.")
    FOLDER.mkdir(exist_ok=True)
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in GAMES:
                if "--scenes" in arguments:
                    keep_scenes(name)
                page = Path(folder) / f"{name}.html"
                page.write_text(kept_page(name), encoding="utf-8")
                for position in POSITIONS:
                    path = kept(name, position)
                    taken(browser, page, position).quantize(COLOURS).save(path, optimize=True)
                    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
