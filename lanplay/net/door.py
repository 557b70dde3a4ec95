"""The pairing port: a small TCP server, a thread a try, that lets in who knows the join code."""

from __future__ import annotations

import errno
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Container
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lanplay.net import codes, pairing
from lanplay.net.errors import PortTaken
from lanplay.net.friends import Friends
from lanplay.net.pairing import About, Box, Grant, HostSide, No, PairingError, Question
from lanplay.wire.messages import VERSION

PATIENCE = 10.0  # seconds for a whole try
EACH = 8  # of them from one address
AFTER_FAILURE = 1.0  # seconds until a wrong code is refused, so that guessing is slow
GRID = 0.1  # seconds: answers come at multiples of it after the question, whatever was computed
TRIES = 16  # at once
SLOW = 0.5  # seconds in which nothing is said: such a try makes room for the next one, if there is no more
FAILURES = 10  # wrong codes after which it changes

BUSY = No("busy", "Too many try to join at once. Try again in a moment.")
CODE_NEEDED = No("code-needed", "This table asks for its join code: it is on the host's screen.")
NO_CODE = No("open", "This table is open to anyone, and has no code: join it without one.")
WRONG_CODE = No("wrong-code", "That is not the join code. Look again at the host's screen.")
NO_FRIEND = No("code-needed", "The host does not know this machine any more. Its join code is on its screen.")
OLD_TICKET = No("wrong-code", "The ticket of this table is out of date. Try again.")
REFUSALS = {"code": NO_CODE, "open": CODE_NEEDED, "known": NO_FRIEND}

T = TypeVar("T")
U = TypeVar("U")


class Door:
    """Who knocks is told about the table, or let in if the code is right.

    `code` is the join code, None for a table where anyone may sit; `token` opens to tickets of this machine, `friends`
    are those who were let in by code before. `on_code` hears of a new code after ten wrong ones, `notice` of each wrong
    one; both in the thread of the try.
    """

    def __init__(
        self,
        about: About,
        code: str | None,
        token: str,
        friends: Friends,
        admit: Callable[[bytes], Grant],
        on_code: Callable[[str], None],
        notice: Callable[[str], None],
    ) -> None:
        self.about, self.code, self.token, self.friends = about, code, token, friends
        self.admit, self.on_code, self.notice = admit, on_code, notice
        self.failures = 0
        self.lock = threading.Lock()
        self.tries: dict[socket.socket, str] = {}  # that are under way, and from which address
        # Of them, who is to say something, and since when; oldest first.
        self.silent: dict[socket.socket, float] = {}
        self.server: socket.socket | None = None

    def open(self, address: str, port: int) -> int:
        """Listen; gives the port. Raises PortTaken."""
        try:
            server = self.server = listen(address, port)
        except OSError as error:
            raise PortTaken(
                f"Port {port} on {address or 'this machine'} can't be used ({os.strerror(error.errno or 0)}): "
                "another table may be open there. Choose another with --port, or 0 for any."
            ) from error
        self.thread = threading.Thread(target=self.serve, args=(server,), name="lanplay door", daemon=True)
        self.thread.start()
        actual: int = server.getsockname()[1]
        return actual

    def close(self) -> None:
        """The port is free afterwards; tries that are under way end by themselves, and nobody hears of them."""
        with self.lock:
            server, self.server = self.server, None
        if server:
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)  # wakes the thread, on most systems
            self.thread.join(timeout=1)
            server.close()

    def serve(self, server: socket.socket) -> None:
        server.settimeout(0.2)
        while self.server:
            try:
                line, (name, *_) = server.accept()
            except TimeoutError:
                continue
            except OSError:
                if self.server:
                    time.sleep(0.1)  # no descriptors are left just now
                continue
            address = name.removeprefix("::ffff:")  # as IPv4 is spelled on a socket for both
            if not (self.enter(line, address) and self.begin(line, address)):
                turn_away(line)

    def begin(self, line: socket.socket, address: str) -> bool:
        """Hear this try in a thread of its own, if there can be one more."""
        try:
            threading.Thread(
                target=self.hear, args=(line, address), name="lanplay pairing", daemon=True
            ).start()
        except RuntimeError:
            self.leave(line)
            return False
        return True

    def hear(self, line: socket.socket, address: str) -> None:
        """One try, from question to grant. Nothing that a peer does ends more than its own try."""
        try:
            with line, suppress(OSError, PairingError):
                self.converse(Frames(line), address)
        finally:
            self.leave(line)

    def leave(self, line: socket.socket) -> None:
        with self.lock:
            self.tries.pop(line, None)
            self.silent.pop(line, None)

    def enter(self, line: socket.socket, address: str) -> bool:
        """Take a place among those who try, if one is free, or somebody holds one and says nothing."""
        with self.lock:
            here = sum(one == address for one in self.tries.values())
            if here >= EACH:
                free = self.make_room({one for one, at in self.tries.items() if at == address})
            else:
                free = len(self.tries) < TRIES or self.make_room(self.tries.keys())
            if free:
                self.tries[line], self.silent[line] = address, time.monotonic()
            return free

    def make_room(self, among: Container[socket.socket]) -> bool:
        """Hang up on the one of these that has said nothing for longest; False if none has been slow."""
        late = time.monotonic() - SLOW
        slow = next((one for one, since in self.silent.items() if one in among and since < late), None)
        if slow is None:
            return False
        del self.tries[slow], self.silent[slow]
        with suppress(OSError):
            slow.shutdown(socket.SHUT_RDWR)  # its thread closes it
        return True

    def next(self, line: Frames, kind: type[T]) -> T:
        """What is said next. Raises OSError or PairingError."""
        with self.lock:
            if line.connection in self.tries:
                self.silent[line.connection] = time.monotonic()
        said = line.receive(kind)
        with self.lock:
            self.silent.pop(line.connection, None)
        return said

    def converse(self, line: Frames, address: str) -> None:
        question = self.next(line, Question)
        begun = time.monotonic()
        if question.lanplay != VERSION:
            why = f"This table speaks version {VERSION}, your lanplay {question.lanplay}."
            return line.send(No("version", f"{why} Install the same lanplay on both machines."))
        if question.how is None:
            return line.send(self.about)
        password = self.password(question)
        if password is None:
            return line.send(REFUSALS[question.how])
        side = HostSide(question.how, password, self.befriend if question.how == "code" else self.admit)
        half = side.half(question)
        on_grid(begun)
        line.send(half)
        return self.answer(line, side, address)

    def answer(self, line: Frames, side: HostSide, address: str) -> None:
        box = self.next(line, Box)
        begun = time.monotonic()
        try:
            reply = side.answer(box)
        except PairingError:
            if side.how == "code":
                self.failed(address)
            on_grid(begun, AFTER_FAILURE)
            return line.send(OLD_TICKET if side.how in ("ticket", "known") else WRONG_CODE)
        on_grid(begun)
        return line.send(reply)

    def password(self, question: Question) -> str | None:
        if question.how == "ticket":
            return self.token
        if question.how == "known":
            return self.friends.token(question.friend)
        if question.how == "open":
            return codes.OPEN if self.code is None else None
        return self.code

    def befriend(self, curve: bytes) -> Grant:
        """Who knows the code is let in, and needs none at the next table, unless the disk is full."""
        grant = self.admit(curve)
        with suppress(OSError):
            grant = replace(grant, friend=self.friends.befriend())
        return grant

    def failed(self, address: str) -> None:
        """A wrong code; after ten of them it is another one.

        Told under the lock: who has closed the door may end the program, and no thread must be printing then.
        """
        with self.lock:
            if self.server is None:
                return None
            self.failures += 1
            left = -self.failures % FAILURES
            if left:
                again = f"after {left} more there will be a new one."
                return self.notice(f"Somebody at {address} tried a wrong code; {again}")
            self.code = codes.new()
            self.notice(f"Somebody at {address} tried a wrong code, the {FAILURES}th: there is a new one.")
            return self.on_code(self.code)


class Frames:
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


def on_grid(begun: float, at_least: float = 0.0) -> None:
    """Wait for the next point of the grid: how long the computing took says something about the code."""
    passed = time.monotonic() - begun
    time.sleep(math.ceil(max(passed, at_least) / GRID) * GRID - passed)


def turn_away(line: socket.socket) -> None:
    with line, suppress(OSError):
        line.setblocking(False)
        line.send(pairing.encode(BUSY))


def listen(address: str, port: int) -> socket.socket:
    """A listening socket, for IPv4 and IPv6 at once where no address is given and the system can."""
    if not address and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family)
