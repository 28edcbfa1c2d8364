"""A headless Chromium, driven by its chromedriver through the WebDriver protocol."""

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
FLAGS = """
    --headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync
    --disable-dev-shm-usage --hide-scrollbars
    """.split()  # noqa: SIM905
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010"}
KEYS |= {
    "ArrowUp": "\ue013",
    "ArrowDown": "\ue015",
    "ArrowRight": "\ue014",
    "Delete": "\ue017",
    "Shift": "\ue008",
}


class Browser:
    """One window.

    Args:
        address: Of the session, as ``http://127.0.0.1:PORT/session/ID``.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def send(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """Send a WebDriver command; the value of its answer."""
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = Request(
            f"{self._address}/{path}".rstrip("/"),
            data,
            {"Content-Type": "application/json"},
            method=method,
        )
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def cdp(self, command: str, **parameters: Any) -> Any:
        """Send a command of the browser's own protocol."""
        return self.send("goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path: Path, fragment: str = "", *, size: tuple[int, int] = (1400, 900)) -> None:
        """Open a file in a window of this size, in CSS pixels."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=False,
        )
        self.send("url", {"url": "about:blank"})
        self.console(), self.requests()  # only the page's own from now on
        self.send("url", {"url": path.as_uri() + fragment})
        # or the first key can be lost
        self.until("return document.readyState === 'complete' && document.hasFocus()")

    def reload(self) -> None:
        """Load the page again, in the same process: what it has kept is there at once, while a new
        process can start before that has been written.
        """
        self.send("refresh")
        self.until("return document.readyState === 'complete' && document.hasFocus()")

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function's body returns in the page."""
        return self.send("execute/sync", {"script": script, "args": list(arguments)})

    def click(self, selector: str) -> None:
        """Click in the middle of an element, once it is in view."""
        element = self.send("element", {"using": "css selector", "value": selector})[ELEMENT]
        self.send(f"element/{element}/click")

    def press(self, *keys: str, shift: bool = False) -> None:
        """Press and release keys, by their names; with ``shift``, all while it is held."""
        events = [(kind, key) for key in keys for kind in ("keyDown", "keyUp")]
        if shift:
            events = [("keyDown", "Shift"), *events, ("keyUp", "Shift")]
        actions = [{"type": kind, "value": KEYS.get(key, key)} for kind, key in events]
        self.send("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def until(self, script: str, seconds: float = 5.0) -> Any:
        """Wait until a function's body returns something true; what it returned last."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return value

    def screenshot(self, path: Path) -> None:
        """Save what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.send("screenshot", method="GET")))

    def console(self) -> list[str]:
        """Messages in the console since the last call."""
        return [one["message"] for one in self.send("se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Addresses requested since the last call."""
        events = (
            json.loads(one["message"])["message"]
            for one in self.send("se/log", {"type": "performance"})
        )
        return [
            one["params"]["request"]["url"]
            for one in events
            if one["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with a new profile in a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        [str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    server = Browser(f"http://127.0.0.1:{port}")
    try:
        for _ in range(100):
            with suppress(OSError):
                if server.send("status", method="GET")["ready"]:
                    break
            time.sleep(0.1)
        options = {
            "browserName": "chrome",
            "goog:chromeOptions": {
                "binary": CHROMIUM,
                "args": [*FLAGS, f"--user-data-dir={folder / 'profile'}"],
            },
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        session = server.send("session", {"capabilities": {"alwaysMatch": options}})["sessionId"]
        window = Browser(f"http://127.0.0.1:{port}/session/{session}")
        try:
            yield window
        finally:
            window.send("", method="DELETE")
    finally:
        driver.terminate()
        driver.wait()
