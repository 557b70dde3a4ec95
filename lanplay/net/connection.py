"""One peer's connection as the host sees it: what is said on it, numbered and sealed, and how it is broken off."""

from __future__ import annotations

import os
import socket
from collections import deque
from typing import NamedTuple

import zmq
from msgspec import structs

from lanplay.wire import messages as wire
from lanplay.wire.codec import encode, encode_secret
from lanplay.wire.seal import Sealer
from lanplay.wire.send import Send

OUTBOX = 512  # frames that may wait for one peer


class Connection:
    """Where frames go, what seals them, what waits, when the peer was last heard.

    `away`: it was silent for too long and the room takes it for lost, but it may still wake up.
    """

    def __init__(
        self, route: bytes, hello: wire.Hello, sealer: Sealer, line: Line | None, now: float
    ) -> None:
        self.route, self.hello, self.sealer, self.line = route, hello, sealer, line
        self.number = 0  # of the last message in the stream
        self.outbox: deque[bytes] = deque()
        self.heard = self.pinged = now
        self.away = False

    def frame(self, send: Send) -> bytes:
        """The bytes of a message: numbered, and with its secret sealed in."""
        message = send.message
        if isinstance(message, wire.Welcome):
            message = structs.replace(message, key=self.sealer.public)
            self.sealer.sit(message.game, message.seat or "")
        elif isinstance(message, wire.NUMBERED):
            self.number += 1
            message = structs.replace(message, n=self.number)
        frame = encode(message)
        if send.secret is None or not isinstance(message, wire.SEALED):
            return frame
        secret, round_ = encode_secret(send.secret), message.status.round
        return self.sealer.seal(frame, secret, send.pad, round_, self.number)

    def push(self, frame: bytes) -> None:
        """Let a frame wait its turn. Who lets too many wait misses this one, and asks when it sees the gap."""
        if len(self.outbox) < OUTBOX:
            self.outbox.append(frame)


class Line(NamedTuple):
    """The TCP connection under a ROUTER's peer, so that it can be ended: ZeroMQ itself has no such call.

    Only its number and name are kept, since descriptors are few: when it is to be broken, the name tells whether the
    number still means the same connection.
    """

    descriptor: int
    name: object

    @classmethod
    def under(cls, frame: zmq.Frame) -> Line | None:
        """The connection on which a frame came, where the system lets us know."""
        if os.name != "posix":  # pragma: no cover - other systems
            return None
        descriptor = frame.get(zmq.SRCFD)
        assert isinstance(descriptor, int)
        name = named(descriptor)
        return None if name is None else cls(descriptor, name)

    def cut(self) -> None:
        """End the connection at once, in both directions."""
        try:
            with socket.socket(fileno=os.dup(self.descriptor)) as same:
                if same.getpeername() == self.name:
                    same.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has ended by itself


def named(descriptor: int) -> object:
    """Address and port of the other end; None if there is none."""
    try:
        with socket.socket(fileno=os.dup(descriptor)) as same:
            return same.getpeername()
    except OSError:
        return None
