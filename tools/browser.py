"""Debian's browsers for tests of pages, Chromium above all: installed, started where they reach nothing, watched.

`python -m tools.browser` is what `make browser-install` says. No tool ever downloads a browser.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools import debian, firefox

PACKAGES = ("chromium", "chromium-driver", "firefox-esr", "fonts-dejavu-core", "fonts-liberation")
BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
FONT = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"  # pages ask for it first
NEEDED = (BROWSER, DRIVER, firefox.BROWSER, FONT)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--proxy-server=127.0.0.1:9",  # where nobody listens
)


def lacking() -> str:
    """Why no browser can be started here; empty when one can."""
    missing = [path for path in NEEDED if not Path(path).exists()]
    if missing:
        return f"{', '.join(missing)} not there: install the packages with `make browser-install`"
    absent = [name for name in ("selenium", "websocket", "PIL") if find_spec(name) is None]
    return f"Python packages {', '.join(absent)} not there: pip install -e '.[test]'" if absent else ""


def install() -> None:
    """From the system's packages."""
    if not all(Path(path).exists() for path in NEEDED):
        debian.install(*PACKAGES)


class Browser:
    """One Chromium with a profile of its own, gone when it is closed."""

    def __init__(self) -> None:
        from selenium.webdriver import Chrome, ChromeOptions
        from selenium.webdriver.chrome.service import Service

        self._profile = tempfile.mkdtemp(prefix="pbem-browser-")
        options = ChromeOptions()
        options.binary_location = BROWSER
        for flag in (*FLAGS, f"--user-data-dir={self._profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver: Any = Chrome(options=options, service=Service(DRIVER))

    def close(self) -> None:
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """The window, as a device of this size has it."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, path: Path, part: str = "") -> None:
        self.go(f"{path.as_uri()}{f'#{part}' if part else ''}")

    def go(self, address: str) -> None:
        """Opens the page anew; what was logged before is forgotten."""
        self.driver.get("about:blank")
        self.complaints()
        self.requests()
        self.driver.get(address)

    def mouse(self, x: float, y: float, *, shift: bool = False) -> None:
        """A click."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "modifiers": 8 * shift}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def key(self, name: str) -> None:
        text = name if len(name) == 1 else "\r" if name == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": name, "code": name}
            if kind == "keyDown" and text:
                event |= {"text": text}
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)

    def complaints(self) -> list[str]:
        """What the console says since it was last asked."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What was asked for, by address, since it was last asked."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(str(message["params"]["request"]["url"]))
        return found

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)


def main() -> None:
    install()
    if why := lacking():
        sys.exit(f"The browser cannot be started: {why}.")


if __name__ == "__main__":
    main()
