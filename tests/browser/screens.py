"""Pictures of three positions of every game, small: what `make screenshots` keeps and the tests compare with."""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from tests.browser.pages import ARCHIVES, written
from tools.browser import Browser, lacking

FOLDER = Path(__file__).with_name("screens")
POSITIONS = ("opening", "middle", "end")
WINDOW = (1280, 800)
SMALL = (480, 300)
COLOURS = 64
LARGEST = 60_000  # bytes of a file


def taken(browser: Browser, page: Path, position: str) -> Image.Image:
    """The window at that position, scaled down."""
    browser.size(*WINDOW)
    browser.open(page)
    last = int(browser.run("return document.getElementById('step').max"))
    step = {"opening": 0, "middle": last // 2, "end": last}[position]
    browser.open(page, str(step + 1))
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


def main() -> None:
    if why := lacking():
        sys.exit(f"There is no browser: {why}.")
    FOLDER.mkdir(exist_ok=True)
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in ARCHIVES:
                page = written(Path(folder), name)
                for position in POSITIONS:
                    path = kept(name, position)
                    taken(browser, page, position).quantize(COLOURS).save(path, optimize=True)
                    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
