"""Debian's Firefox for tests of pages, by WebDriver BiDi: what `tools.browser` does with Chromium, as far as needed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

BROWSER = "/usr/bin/firefox-esr"
LISTENS = "WebDriver BiDi listening on "
KEYS = {"Enter": "\ue006", "Escape": "\ue00c", "Tab": "\ue004"}
SHIFT = "\ue008"
PREFERENCES = """\
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("app.normandy.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""
"""Everything but this machine is asked for where nobody listens."""
WAIT = 30  # seconds for an answer


class Firefox:
    """One Firefox with a profile of its own, gone when it is closed."""

    def __init__(self) -> None:
        import websocket

        self._profile = tempfile.mkdtemp(prefix="pbem-firefox-")
        Path(self._profile, "user.js").write_text(PREFERENCES, encoding="ascii")
        command = [BROWSER, "--headless", "--no-remote", "--profile", self._profile, "--remote-debugging-port=0"]
        said = Path(self._profile, "said.txt")
        with said.open("wb") as file:  # a pipe that nobody reads would fill up, and Firefox would wait for ever
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file)
        address = f"{self._listens(said)}/session"
        self._socket: Any = websocket.create_connection(address, timeout=WAIT, suppress_origin=True)
        self._ids, self._events = count(1), list[dict[str, Any]]()
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        # The first tab of a window without a screen never has the focus.
        self._page = self._call("browsingContext.create", type="tab")["context"]

    def _listens(self, said: Path) -> str:
        """The address that Firefox prints when it has started."""
        until = time.monotonic() + WAIT
        while (found := re.search(rf"^{LISTENS}(\S+)\n", said.read_text(errors="replace"), re.MULTILINE)) is None:
            if time.monotonic() > until or self._process.poll() is not None:
                self._process.kill()
                raise RuntimeError(f"Firefox does not start: {said.read_text(errors='replace')}")
            time.sleep(0.05)
        return found[1]

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(WAIT)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _call(self, method: str, **given: Any) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": given}))
        until = time.monotonic() + WAIT
        while True:
            if time.monotonic() > until:
                raise RuntimeError(f"{method}: no answer in {WAIT} seconds")
            said = json.loads(self._socket.recv())
            if said.get("id") != number:
                self._events.append(said)
            elif said["type"] == "error":
                raise RuntimeError(f"{method}: {said['message']}")
            else:
                found: dict[str, Any] = said["result"]
                return found

    def size(self, width: int, height: int) -> None:
        self._call("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def go(self, address: str) -> None:
        """Opens the page anew; what was logged before is forgotten."""
        self._call("browsingContext.navigate", context=self._page, url="about:blank", wait="complete")
        self._events.clear()
        self._call("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def _heard(self, method: str) -> list[dict[str, Any]]:
        heard = [each["params"] for each in self._events if each.get("method") == method]
        self._events = [each for each in self._events if each.get("method") != method]
        return heard

    def complaints(self) -> list[str]:
        """What the console says since it was last asked."""
        return [str(each["text"]) for each in self._heard("log.entryAdded") if each["level"] in ("warn", "error")]

    def requests(self) -> list[str]:
        """What was asked for, by address, since it was last asked."""
        return [str(each["request"]["url"]) for each in self._heard("network.beforeRequestSent")]

    def run(self, script: str, *arguments: Any) -> Any:
        whole = (
            "function (given) { const found = (function () {" + script + "\n}).apply(null, JSON.parse(given));"
            " return JSON.stringify(found === undefined ? null : found); }"
        )
        found = self._call(
            "script.callFunction",
            functionDeclaration=whole,
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self._page},
            awaitPromise=False,
        )
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def mouse(self, x: float, y: float, *, shift: bool = False) -> None:
        """A click."""
        click = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        actions: list[dict[str, Any]] = [{"type": "pointer", "id": "mouse", "actions": click}]
        if shift:  # held while the button goes down, let go with it
            kinds = {"type": "keyDown", "value": SHIFT}, {"type": "pause"}, {"type": "keyUp", "value": SHIFT}
            actions.append({"type": "key", "id": "keys", "actions": list(kinds)})
        self._call("input.performActions", context=self._page, actions=actions)

    def key(self, name: str) -> None:
        value = KEYS.get(name, name)
        strokes = [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
        self._call(
            "input.performActions", context=self._page, actions=[{"type": "key", "id": "keys", "actions": strokes}]
        )
