"""Firefox and WebKitGTK, driven by Selenium: the W3C's commands, whoever carries them out."""

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions

from tests.browser.engines.marionette import Marionette
from tests.browser.engines.window import KEYS, Window

PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.folderList": 2,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.type": 0,
    "services.settings.server": "data:,#none",
    "toolkit.telemetry.enabled": False,
}
# Errors that Firefox has noted since it was last asked, of the page's own scripts and policies.
NOTED = """
const out = [];
for (const one of Services.console.getMessageArray()) {
  try { one.QueryInterface(Ci.nsIScriptError); } catch { continue; }
  const page = /content javascript|CSP|Content Security/i.test(one.category);
  if (page && !(one.flags & Ci.nsIScriptError.warningFlag)) out.push(one.errorMessage);
}
return out;"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Driven(Window):
    """A window that Selenium drives."""

    driver: WebDriver

    def goto(self, url: str) -> None:
        self.enter(None)
        self._forget()
        self.driver.get(url)

    def reload(self) -> None:
        self.driver.refresh()

    def back(self) -> None:
        self.driver.back()

    def js(self, function: str, *values: Any) -> Any:
        return self.driver.execute_script(f"return ({function})(...arguments)", *values)

    def pointer(self, *steps: tuple[str, float, float]) -> None:
        kinds = {"move": "pointerMove", "down": "pointerDown", "up": "pointerUp"}
        acts = [
            {"type": kinds[step], "button": 0}
            if step != "move"
            else {"type": kinds[step], "duration": 0, "x": round(x), "y": round(y)}
            for step, x, y in steps
        ]
        mouse = {"pointerType": "mouse"}
        self._act({"type": "pointer", "id": "mouse", "parameters": mouse, "actions": acts})

    def press(self, *keys: str) -> None:
        acts = []
        for key in keys:
            held = [KEYS.get(part, part) for part in key.split("+")]
            acts += [{"type": "keyDown", "value": one} for one in held]
            acts += [{"type": "keyUp", "value": one} for one in reversed(held)]
        self._act({"type": "key", "id": "keys", "actions": acts})

    def _act(self, source: dict[str, Any]) -> None:
        self.driver.execute(Command.W3C_ACTIONS, {"actions": [source]})

    def png(self) -> bytes:
        return base64.b64decode(self.driver.execute(Command.SCREENSHOT)["value"])

    def enter(self, css: str | None) -> None:
        if css is None:
            self.driver.switch_to.default_content()
        else:
            self.driver.switch_to.frame(self.driver.find_element(By.CSS_SELECTOR, css))

    def _forget(self) -> None:
        """Forget the console's errors of the page before."""


class Firefox(Driven):
    """A Firefox with a profile of its own, told what to do by Marionette."""

    engine = "firefox"

    def __init__(self, binary: str, folder: Path, scheme: str = "light") -> None:
        self.downloads = folder / "downloads"
        profile = folder / "profile"
        for path in (self.downloads, profile):
            path.mkdir(parents=True)
        port = free_port()
        own = {
            "marionette.port": port,
            "browser.download.dir": str(self.downloads),
            "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
        }
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in (PREFERENCES | own).items()
        ]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
        self._process = subprocess.Popen(
            [binary, *options, "--profile", str(profile)],
            env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        options_of_session = ArgOptions()
        options_of_session.set_capability("browserName", "firefox")
        self.driver = WebDriver(command_executor=Marionette(port), options=options_of_session)
        self.resize(1200, 900)

    def resize(self, width: int, height: int) -> None:
        size = {"width": max(width, 500) + 40, "height": height + 140}
        self.driver.execute(Command.SET_WINDOW_RECT, size)
        self._chrome(
            """const {style} = gBrowser.selectedBrowser, [width, height] = arguments;
            style.width = style.minWidth = style.maxWidth = width + "px";
            style.height = style.minHeight = style.maxHeight = height + "px";
            style.flex = "none";""",
            width,
            height,
        )
        self.until("(w, h) => innerWidth === w && innerHeight === h", width, height)

    def pdf(self, width: float, height: float) -> bytes:
        """Return the page as it is printed on paper of this size, with margins of 1 cm."""
        paper = {
            "page": {"width": width, "height": height},  # cm
            "margin": dict.fromkeys(("top", "bottom", "left", "right"), 1.0),
            "background": False,  # as the dialog is when it opens
        }
        return base64.b64decode(self.driver.execute(Command.PRINT_PAGE, paper)["value"])

    def errors(self) -> list[str]:
        return list(self._chrome(NOTED))

    def _forget(self) -> None:
        self._chrome("Services.console.reset();")

    def _chrome(self, body: str, *values: Any) -> Any:
        self.driver.execute("setContext", {"value": "chrome"})
        try:
            return self.driver.execute(
                Command.W3C_EXECUTE_SCRIPT, {"script": body, "args": list(values)}
            )["value"]
        finally:
            self.driver.execute("setContext", {"value": "content"})

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
        shutil.rmtree(self.downloads.parent, ignore_errors=True)


class WebKit(Driven):
    """WebKitGTK's small browser on a display of its own."""

    engine = "webkit"

    def __init__(self, driver: str, binary: str, folder: Path, scheme: str = "light") -> None:
        folder.mkdir(parents=True)
        self.downloads = folder  # its home, for lack of a folder for downloads
        self._log = folder / "driver.log"
        read, write = os.pipe()
        self._display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1300x24", "-nolisten", "tcp"],
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as told:
            display = told.readline().strip()
        port = free_port()
        env = {
            "DISPLAY": f":{display}",
            "GDK_BACKEND": "x11",
            "GSETTINGS_BACKEND": "memory",
            "GTK_THEME": "Adwaita:dark" if scheme == "dark" else "Adwaita",
            "HOME": str(folder),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "NO_AT_BRIDGE": "1",
            "XDG_CACHE_HOME": str(folder / ".cache"),
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [driver, f"--port={port}"],
                env={**os.environ, **env},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert time.monotonic() < end, "WebKitWebDriver did not open its port"
            time.sleep(0.1)
        options = WebKitOptions()
        options.binary_location = binary
        for argument in ("--automation", "--enable-write-console-messages-to-stdout=true"):
            options.add_argument(argument)
        line = RemoteConnection(
            client_config=ClientConfig(remote_server_addr=f"http://127.0.0.1:{port}")
        )
        self.driver = WebDriver(command_executor=line, options=options)
        self._read_to = 0
        self.resize(1200, 900)

    def resize(self, width: int, height: int) -> None:
        for _ in range(3):
            rect = self.driver.get_window_rect()
            now = self.js("() => [innerWidth, innerHeight]")
            if now == [width, height]:
                return
            more = {
                "width": rect["width"] + width - now[0],
                "height": rect["height"] + height - now[1],
            }
            self.driver.execute(Command.SET_WINDOW_RECT, more)
            with contextlib.suppress(AssertionError):
                self.until("(w) => innerWidth === w", width, patience=1)

    def errors(self) -> list[str]:
        lines = self._log.read_bytes()[self._read_to :].decode(errors="replace").splitlines()
        return [line for line in lines if "CONSOLE" in line and "ERROR" in line]

    def _forget(self) -> None:
        self._read_to = self._log.stat().st_size

    def close(self) -> None:
        with contextlib.suppress(WebDriverException):
            self.driver.quit()
        for process in (self._process, self._display):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
