"""A DEALER socket to a table: one connection, for one hello."""

from __future__ import annotations

import math
from typing import Any

import zmq
from zmq.utils import z85
from zmq.utils.monitor import recv_monitor_message

from lanplay.net.find import Invitation
from lanplay.wire.codec import MAX_FROM_HOST

OPTIONS = {  # times in milliseconds
    zmq.IMMEDIATE: 1,  # nothing waits for a connection: no burst of stale moves after a break
    zmq.LINGER: 0,
    zmq.IPV6: 1,
    zmq.RECONNECT_IVL: 100,
    zmq.RECONNECT_IVL_MAX: 800,
    zmq.MAXMSGSIZE: MAX_FROM_HOST,
}

IN, OUT = int(zmq.POLLIN), int(zmq.POLLOUT)  # as enums they cost more than the calls they are for
MISHAP = 1 << 8
DISCONNECTED, REFUSED = int(zmq.EVENT_DISCONNECTED), int(zmq.EVENT_HANDSHAKE_FAILED_AUTH)


def events_of(socket: zmq.Socket[bytes]) -> int:
    """The bits IN and OUT: asked before receiving, since an exception costs three times as much."""
    events = socket.getsockopt(zmq.EVENTS)
    assert isinstance(events, int)
    return events


class Link:
    """Connects by itself; what ZAP refuses, or breaks, is not mended: make a new one.

    `wait` tells what has happened, in bits: IN, a frame is there; OUT, the connection stands (until `greeted` is said);
    MISHAP, see `mishaps`.
    """

    def __init__(self, invitation: Invitation) -> None:
        grant, keys, address = invitation.grant, invitation.identity.keys, invitation.address
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        self.socket = context.socket(zmq.DEALER)
        self.socket.curve_serverkey = z85.encode(grant.curve)
        self.socket.curve_publickey = z85.encode(keys.public)
        self.socket.curve_secretkey = z85.encode(keys.private)
        for option, value in OPTIONS.items():
            self.socket.setsockopt(option, value)
        self.monitor = self.socket.get_monitor_socket(DISCONNECTED | REFUSED)
        self.socket.connect(f"tcp://{f'[{address}]' if ':' in address else address}:{grant.port}")
        self.poller = zmq.Poller()
        self.poller.register(self.socket, IN | OUT)
        self.poller.register(self.monitor, IN)

    def greeted(self) -> None:
        """The hello was sent: that the connection stands is no news any more."""
        self.poller.register(self.socket, IN)

    def wait(self, seconds: float, files: tuple[Any, ...] = ()) -> tuple[int, list[Any]]:
        """Until something happens, or one of the files can be read; gives what, and those."""
        for file in files:
            self.poller.register(file, IN)
        ready = dict(self.poller.poll(math.ceil(seconds * 1000)))
        for file in files:
            self.poller.unregister(file)
        happened = ready.get(self.socket, 0) | (MISHAP if self.monitor in ready else 0)
        return happened, [file for file in files if file in ready or file.fileno() in ready]

    def descriptor(self) -> int:
        """Becomes readable when something happens to the socket: edge-triggered, as ZeroMQ's descriptors are."""
        descriptor = self.socket.getsockopt(zmq.FD)
        assert isinstance(descriptor, int)
        return descriptor

    def receive(self) -> bytes:
        """The frame that `wait` has told of."""
        frame: bytes = self.socket.recv(zmq.NOBLOCK)
        return frame

    def send(self, frame: bytes) -> bool:
        """False if there is no connection to send it on."""
        try:
            self.socket.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def mishaps(self) -> int:
        """What has happened to the connection since this was asked last: DISCONNECTED, REFUSED, both or nothing.

        It may have come back by itself since then, but the host does not know who is on the new one.
        """
        seen = 0
        while events_of(self.monitor) & IN:
            seen |= recv_monitor_message(self.monitor)["event"]
        return seen

    def close(self, linger: int = 0) -> None:
        """What was sent may take `linger` milliseconds more to go out."""
        if not self.socket.closed:
            self.socket.disable_monitor()
            self.monitor.close(linger=0)
            self.socket.close(linger=linger)
