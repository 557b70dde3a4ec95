"""What is typed or piped in, line by line, without ever waiting and without losing what a buffer holds."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections import deque

CHUNK = 65536  # the most that is read at once, and the longest line


class Typed:
    """Lines from a file descriptor that can be waited for together with a connection.

    Call `read()` when the descriptor is ready, or at any time if `script` (a file, a pipe: there it may be called at the
    end of the input too); `lines` then holds what has come, and `ended` is set when there will be no more.
    """

    def __init__(self, descriptor: int) -> None:
        self.script = not os.isatty(descriptor)
        self.lines: deque[str] = deque()
        self.ended = False
        self.rest = b""
        self.descriptor = descriptor if sys.platform != "win32" else carried(descriptor)

    def fileno(self) -> int:
        return self.descriptor

    def read(self) -> None:
        """Take in what has come; only to be called when something has."""
        try:
            data = os.read(self.descriptor, CHUNK)
        except OSError:  # the terminal is gone
            data = b""
        self.ended = not data
        *whole, self.rest = (self.rest + data).split(b"\n")
        if self.rest and (self.ended or len(self.rest) > CHUNK):
            whole.append(self.rest)
            self.rest = b""
        self.lines.extend(line.decode("utf-8", "replace").rstrip("\r") for line in whole)


def carried(descriptor: int) -> int:  # pragma: no cover - Windows
    """A socket's descriptor that a thread feeds, where only sockets can be waited for."""
    here, there = socket.socketpair()

    def feed() -> None:
        while data := os.read(descriptor, CHUNK):
            there.sendall(data)
        there.close()

    threading.Thread(target=feed, daemon=True).start()
    return here.detach()
