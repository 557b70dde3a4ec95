"""A guard over all connections of the table: nobody may send without end what never becomes a message.

ZeroMQ limits the size of a frame, but not the frames of one message: one that never ends would fill the memory, and nobody
would hear of it. Nor does it limit how many messages wait, as the host uses it. What came on a connection must be about
what was read from it. When descriptors get scarce, those connections go on which nobody has said hello.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Container
from itertools import islice

import zmq
from zmq.utils.monitor import recv_monitor_message

from lanplay.net.descriptors import MOST, descriptors
from lanplay.net.line import Line
from lanplay.net.link import IN, events_of

ALLOWED = 4 << 20  # bytes that may have come and not been read: what waits in queues, and a good deal more
A_SECOND = 4096  # bytes a second for a peer's heartbeats, if it has any: nobody reads them either
SPARE = 192  # descriptors that are kept for everything else, or half of them if there are few
AT_LEAST, ROUNDS = 64, 8  # connections that are looked at each time; all of them after so many times
EVENTS = int(zmq.EVENT_ACCEPTED) | int(zmq.EVENT_DISCONNECTED) | int(zmq.EVENT_CLOSED)


class Guard:
    """Hears of every connection that is accepted, paired or not, and ends those that send too much."""

    def __init__(self, router: zmq.Socket[bytes]) -> None:
        """To be made before the socket is bound."""
        self.router, self.most = router, min(MOST, max(descriptors() - SPARE, descriptors() // 2))
        self.monitor = router.get_monitor_socket(EVENTS)
        self.lines: dict[int, tuple[Line, float]] = {}  # by descriptor: the connection, and since when
        self.queue: deque[int] = deque()  # of them, who is still to be looked at
        self.read: dict[int, int] = {}  # bytes of its messages

    def count(self, descriptor: int, size: int) -> None:
        """So many bytes of a message were read from this connection."""
        self.read[descriptor] = self.read.get(descriptor, 0) + size

    def look(self, known: Container[Line | None] = ()) -> int:
        """Cut off who sends without end, and of too many those that are not known; gives how many."""
        self.listen()
        return self.make_room(known) + sum(map(self.check, self.turn()))

    def turn(self) -> list[int]:
        """The connections that are looked at now: of many, some each time."""
        if not self.queue:
            self.queue.extend(self.lines)
        count = max(AT_LEAST, len(self.lines) // ROUNDS)
        return [self.queue.popleft() for _ in range(min(count, len(self.queue)))]

    def make_room(self, known: Container[Line | None]) -> int:
        """Of too many connections, the oldest that are nobody's yet go; gives how many."""
        strange = (descriptor for descriptor, (line, _) in self.lines.items() if line not in known)
        over = list(islice(strange, max(0, len(self.lines) - self.most)))
        for descriptor in over:
            self.lines[descriptor][0].cut()
            self.forget(descriptor)
        return len(over)

    def listen(self) -> None:
        while events_of(self.monitor) & IN:
            event = recv_monitor_message(self.monitor)
            descriptor = int(event["value"])
            self.forget(descriptor)
            line = Line.of(descriptor) if event["event"] == zmq.EVENT_ACCEPTED else None
            if line:
                self.lines[descriptor] = (line, time.monotonic())

    def forget(self, descriptor: int) -> None:
        self.lines.pop(descriptor, None)
        self.read.pop(descriptor, None)

    def check(self, descriptor: int) -> bool:
        """Is this connection cut off now?"""
        if descriptor not in self.lines:
            return False
        line, since = self.lines[descriptor]
        received = line.received()
        if received is None:  # it has ended
            self.forget(descriptor)
            return False
        age = time.monotonic() - since
        if received <= 2 * self.read.get(descriptor, 0) + ALLOWED + age * A_SECOND:
            return False
        line.cut()
        self.forget(descriptor)
        return True

    def close(self) -> None:
        self.router.disable_monitor()
        self.monitor.close(linger=0)
