"""The pairing port: a small TCP server, a thread a try, that lets in who knows the join code."""

from __future__ import annotations

import math
import socket
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from lanplay.net import codes, pairing
from lanplay.net.errors import PortTaken
from lanplay.net.pairing import About, Box, Grant, HostSide, No, PairingError, Question
from lanplay.wire.messages import VERSION

PATIENCE = 10.0  # seconds for a whole try
GRID = 0.1  # seconds: answers come at multiples of it after the question, whatever was computed
TRIES = 16  # at once
FAILURES = 10  # wrong codes after which it changes

T = TypeVar("T")
U = TypeVar("U")


class Door:
    """Who knocks is told about the table, or let in if the code is right.

    `code` is the join code, None for a table where anyone may sit; `token` opens to tickets of this machine. `on_code`
    hears of a new code after ten wrong ones.
    """

    def __init__(
        self,
        about: About,
        code: str | None,
        token: str,
        admit: Callable[[bytes], Grant],
        on_code: Callable[[str], None],
    ) -> None:
        self.about, self.code, self.token = about, code, token
        self.admit, self.on_code = admit, on_code
        self.failures = 0
        self.lock = threading.Lock()
        self.places = threading.BoundedSemaphore(TRIES)
        self.closed = threading.Event()

    def open(self, address: str, port: int) -> int:
        """Listen; gives the port. Raises PortTaken."""
        try:
            self.server = listen(address, port)
        except OSError as error:
            raise PortTaken(
                f"Port {port} on {address or 'this machine'} can't be used ({error.strerror}): "
                "another table may be open there. Choose another with --port, or 0 for any."
            ) from error
        threading.Thread(target=self.serve, name="lanplay door", daemon=True).start()
        actual: int = self.server.getsockname()[1]
        return actual

    def close(self) -> None:
        self.closed.set()
        self.server.close()

    def serve(self) -> None:
        self.server.settimeout(0.2)
        while not self.closed.is_set():
            try:
                line, _ = self.server.accept()
            except TimeoutError:
                continue
            except OSError:
                if self.closed.wait(0.1):
                    return
                continue
            if self.places.acquire(blocking=False):
                threading.Thread(target=self.hear, args=(line,), name="lanplay pairing", daemon=True).start()
            else:
                line.close()

    def hear(self, line: socket.socket) -> None:
        """One try, from question to grant. Nothing that a peer does ends more than its own try."""
        try:
            with line:
                self.converse(Line(line))
        except (OSError, PairingError):
            pass
        finally:
            self.places.release()

    def converse(self, line: Line) -> None:
        question = line.receive(Question)
        begun = time.monotonic()
        if question.lanplay != VERSION:
            why = f"This table speaks version {VERSION}, your lanplay {question.lanplay}."
            return line.send(No("version", f"{why} Install the same lanplay on both machines."))
        if question.how is None:
            return line.send(self.about)
        password = self.password(question.how)
        if password is None:
            return line.send(No("code-needed", "This table asks for its join code."))
        side = HostSide(password, self.admit)
        half = side.half(question)
        on_grid(begun)
        line.send(half)
        return self.answer(line, side, question.how)

    def answer(self, line: Line, side: HostSide, how: pairing.How) -> None:
        box = line.receive(Box)
        begun = time.monotonic()
        try:
            reply = side.answer(box)
        except PairingError:
            if how == "code":
                self.failed()
            on_grid(begun)
            return line.send(No("wrong-code", "That is not the join code. Look again at the host's screen."))
        on_grid(begun)
        return line.send(reply)

    def password(self, how: pairing.How) -> str | None:
        if how == "ticket":
            return self.token
        if how == "open":
            return codes.OPEN if self.code is None else None
        return self.code

    def failed(self) -> None:
        """A wrong code; after ten of them it is another one."""
        with self.lock:
            self.failures += 1
            if self.failures % FAILURES == 0 and self.code is not None:
                self.code = codes.new()
                self.on_code(self.code)


class Line:
    """Frames over a TCP connection, all within one span of time."""

    def __init__(self, connection: socket.socket, patience: float = PATIENCE) -> None:
        self.connection = connection
        self.until = time.monotonic() + patience

    def send(self, value: Struct) -> None:
        self.connection.settimeout(self.left())
        self.connection.sendall(pairing.encode(value))

    def receive(self, kind: type[T]) -> T:
        """The next frame, of this kind. Raises OSError or PairingError."""
        value: T = pairing.decode(self.frame(), kind)
        return value

    def receive_any(self, kind: type[T], other: type[U]) -> T | U:
        """The next frame, of one kind or else of the other."""
        frame = self.frame()
        try:
            wanted: T = pairing.decode(frame, kind)
            return wanted
        except PairingError:
            unwanted: U = pairing.decode(frame, other)
            return unwanted

    def frame(self) -> bytes:
        length = int.from_bytes(self.exactly(2), "big")
        if length > pairing.MAX_FRAME:
            raise PairingError(f"A frame of {length} bytes is too long.")
        return self.exactly(length)

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            self.connection.settimeout(self.left())
            more = self.connection.recv(count - len(data))
            if not more:
                raise PairingError("The other side hung up.")
            data += more
        return data

    def left(self) -> float:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("this takes too long")
        return left


def on_grid(begun: float) -> None:
    """Wait for the next point of the grid: how long the computing took says something about the code."""
    passed = time.monotonic() - begun
    time.sleep(math.ceil(passed / GRID) * GRID - passed)


def listen(address: str, port: int) -> socket.socket:
    """A listening socket, for IPv4 and IPv6 at once where no address is given and the system can."""
    if not address and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            if "in use" in str(error):
                raise
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family)
