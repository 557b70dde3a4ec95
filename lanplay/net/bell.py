"""How other threads wake the host's loop."""

from __future__ import annotations

import threading
from contextlib import suppress

import zmq


class Bell:
    """A loop polls `socket`; whoever rings from another thread makes it readable."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self.socket, self.rope = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
        self.socket.bind("inproc://bell")
        self.rope.connect("inproc://bell")
        self.lock = threading.Lock()

    def ring(self) -> bool:
        """False if there is nobody any more to hear it."""
        with self.lock:
            if self.rope.closed:
                return False
            with suppress(zmq.Again):  # so many rings wait that one more makes no difference
                self.rope.send(b"", zmq.NOBLOCK)
            return True

    def hush(self) -> None:
        with suppress(zmq.Again):
            while True:
                self.socket.recv(zmq.NOBLOCK)

    def close(self) -> None:
        with self.lock:
            self.socket.close()
            self.rope.close()
