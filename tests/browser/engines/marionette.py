"""How does Selenium talk to a Firefox without geckodriver?

Firefox itself speaks Marionette: WebDriver's commands over TCP, each message a length, a colon and
JSON, [0, number, command, parameters] -> [1, number, error, result].
https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import json
import socket
import time
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection

NAMES = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.GET: "WebDriver:Navigate",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GO_BACK: "WebDriver:Back",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.W3C_ACTIONS: "WebDriver:PerformActions",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.SWITCH_TO_FRAME: "WebDriver:SwitchToFrame",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.GET_WINDOW_RECT: "WebDriver:GetWindowRect",
    Command.PRINT_PAGE: "WebDriver:Print",
    Command.QUIT: "WebDriver:DeleteSession",
    "setContext": "Marionette:SetContext",
}
START = 60  # s that a browser may take to begin


class Marionette(RemoteConnection):
    """The line to one Firefox, in the place of Selenium's line to a driver."""

    def __init__(self, port: int) -> None:
        super().__init__(client_config=ClientConfig(remote_server_addr=f"http://127.0.0.1:{port}"))
        end = time.monotonic() + START
        while True:
            try:
                self._line = socket.create_connection(("127.0.0.1", port), 60)
                break
            except OSError:
                assert time.monotonic() < end, "Firefox did not open its Marionette port"
                time.sleep(0.1)
        self._rest = b""
        self._count = 0
        self._read()  # it introduces itself

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Carry out one of Selenium's commands."""
        self._count += 1
        words = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.W3C_EXECUTE_SCRIPT:
            words |= {"sandbox": None, "newSandbox": False}
        elif command == Command.SCREENSHOT:
            words |= {"full": False}
        elif command == Command.SWITCH_TO_FRAME and isinstance(words.get("id"), dict):
            words["id"] = next(iter(words["id"].values()))
            words["element"] = words["id"]
        message = json.dumps([0, self._count, NAMES[command], words]).encode()
        self._line.sendall(b"%d:%s" % (len(message), message))
        while (answer := self._read())[1] != self._count:
            pass
        _, _, error, result = answer
        if error:
            raise WebDriverException(f"{error['error']}: {error['message']}")
        if isinstance(result, dict) and set(result) == {"value"}:
            return result
        return {"value": result}

    def close(self) -> None:
        self._line.close()

    def _read(self) -> Any:
        while b":" not in self._rest:
            self._rest += self._more()
        length, _, body = self._rest.partition(b":")
        while len(body) < int(length):
            body += self._more()
        self._rest = body[int(length) :]
        return json.loads(body[: int(length)])

    def _more(self) -> bytes:
        data = self._line.recv(1 << 16)
        assert data, "Firefox closed its line"
        return data
