"""A line between browser and server that a test can cut, and mend again."""

import contextlib
import socket
import threading
from collections.abc import Callable


class Line:
    """Forwards TCP from its own port to another one on this machine."""

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.up = True
        self._pairs: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Drop every connection and refuse new ones."""
        self.up = False
        with self._lock:
            for end in self._pairs:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._pairs.clear()

    def mend(self) -> None:
        """Let connections through again."""
        self.up = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self.up:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.to_port))
            except OSError:
                near.close()
                continue
            with self._lock:
                self._pairs += [near, far]
            for one, other, change in ((near, far, self.on_the_way), (far, near, bytes)):
                pump = threading.Thread(target=self._pump, args=(one, other, change), daemon=True)
                pump.start()

    def on_the_way(self, data: bytes) -> bytes:
        """What is handed on of what a browser sends: all of it."""
        return data

    @staticmethod
    def _pump(source: socket.socket, sink: socket.socket, change: Callable[[bytes], bytes]) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(change(data))
        except OSError:
            pass
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
