"""A TCP connection under a ROUTER's peer, so that it can be measured and ended: ZeroMQ itself has no such calls."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import zmq

# struct tcp_info of Linux (linux/tcp.h): the smoothed round trip in microseconds, and the bytes that were received
INFO, TRIP, RECEIVED = 192, 68, 128


class Line(NamedTuple):
    """Its number and its name.

    No more is kept, since descriptors are few: when it is to be broken, the name tells whether the
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
        return cls.of(descriptor)

    @classmethod
    def of(cls, descriptor: int) -> Line | None:
        """The connection with this number, if it is one."""
        name = named(descriptor)
        return None if name is None else cls(descriptor, name)

    def cut(self) -> None:
        """End the connection at once, in both directions."""
        try:
            with duplicate(self.descriptor) as same:
                if same.getpeername() == self.name:
                    same.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has ended by itself

    def trip(self) -> float | None:
        """Seconds there and back, as the system measures them; None where it does not say."""
        info = self.info()
        return None if info is None else struct.unpack_from("I", info, TRIP)[0] / 1e6

    def received(self) -> int | None:
        """Bytes that have come on this connection; None where the system does not say, or it has ended."""
        info = self.info()
        return None if info is None else int(struct.unpack_from("Q", info, RECEIVED)[0])

    def info(self) -> bytes | None:
        """What Linux knows of the connection."""
        if sys.platform != "linux":  # pragma: no cover - other systems
            return None
        try:
            with duplicate(self.descriptor) as same:
                if same.getpeername() != self.name:
                    return None
                info = same.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO)
        except OSError:
            return None
        return info if len(info) >= RECEIVED + 8 else None


def named(descriptor: int) -> object:
    """Address and port of the other end; None if there is none."""
    try:
        with duplicate(descriptor) as same:
            return same.getpeername()
    except OSError:
        return None


@contextmanager
def duplicate(descriptor: int) -> Iterator[socket.socket]:
    """A socket of our own for a connection: the descriptor itself is ZeroMQ's. Raises OSError if it is none any more."""
    twin = os.dup(descriptor)
    try:
        same = socket.socket(fileno=twin)
    except OSError:  # the number is another file's by now
        os.close(twin)
        raise
    with same:
        yield same
