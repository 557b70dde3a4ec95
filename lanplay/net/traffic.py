"""What goes between a room and its peers over the table's ROUTER socket. Nothing here waits for anybody."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

import zmq
from msgspec import structs

from lanplay.net.allowance import Allowance, Later
from lanplay.net.book import Book, Guest, Page
from lanplay.net.connection import Connection
from lanplay.net.guard import Guard
from lanplay.net.line import Line
from lanplay.net.link import IN, events_of
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_peer, encode
from lanplay.wire.seal import Sealer, SealError
from lanplay.wire.send import Send

PING = 2.0  # seconds between pings
MISSED = 3  # pings without any word: the peer is lost
IDLE = 0.2  # seconds between looks after the connections
RETRY = 0.02  # seconds until what a peer's socket did not take is tried again
GRACE = 0.5  # seconds that a last word may take before the connection is broken off
GOODBYE = 0.2  # the same when the host ends
GONE = -math.inf  # last heard: the connection has ended
NEXT = int(zmq.NOBLOCK | zmq.SNDMORE)  # as an enum it costs more than the call

ANSWERS = (wire.Accepted, wire.Refused)
QUESTIONS = ("act", "react")


class Room(Protocol):
    """What the host drives: lanplay.room.Room, or a stand-in."""

    @property
    def wake(self) -> float | None: ...

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> Iterable[Send]: ...
    def lost(self, peer: bytes, now: float) -> Iterable[Send]: ...
    def tick(self, now: float) -> Iterable[Send]: ...
    def measured(self, peer: bytes, trip: float, kernel: float | None) -> None: ...


class Traffic:
    """The connections of a table: frames of peers become messages for the room, its Sends become frames.

    `look` is when `look_after` is wanted next. A peer is its CURVE key, which ZeroMQ has proved; a routing id is not, since
    anybody may choose one.
    """

    def __init__(
        self,
        room: Room,
        router: zmq.Socket[bytes],
        guard: Guard,
        book: Book,
        table_id: str,
        notice: Callable[[str], None],
    ) -> None:
        self.room, self.router, self.guard, self.book = room, router, guard, book
        self.table_id, self.notice = table_id, notice
        self.guests = book.guests
        self.connections: dict[bytes, Connection] = {}
        self.allowances: defaultdict[bytes, Allowance] = defaultdict(Allowance)
        self.waiting: set[bytes] = set()  # keys of which something came too soon
        self.leaving: deque[tuple[float, Line]] = deque()
        self.look = 0.0

    def drain(self) -> None:
        """Up to a few hundred messages, so that the clock is looked at in between."""
        for _ in range(256):
            try:
                route = self.router.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            frames = [self.router.recv(zmq.NOBLOCK, copy=False)]
            size = len(frames[0])
            while frames[-1].more:  # nobody needs more of it than that there was more
                frames = [frames[0], self.router.recv(zmq.NOBLOCK, copy=False)]
                size += len(frames[-1])
            self.guard.count(int(frames[0].get(zmq.SRCFD)), size)
            self.heard(route, frames)
            if not events_of(self.router) & IN:
                return

    # ---- what comes in ----------------------------------------------------------------------------

    def heard(self, route: bytes, frames: list[zmq.Frame]) -> None:
        """One message of a peer: only from paired keys, only one frame, only what can be read."""
        key = sender(frames)
        if key not in self.guests:
            return None  # removed, and not cut off yet
        now, allowance = time.monotonic(), self.allowances[key]
        if not allowance.messages.take(now):
            return self.malformed(key, route, Line.under(frames[0]), "too much at once", now)
        try:
            message = read(frames)
        except ProtocolError as error:
            return self.malformed(key, route, Line.under(frames[0]), f"what can't be read: {error}", now)
        if allowance.too_soon(message, now):
            allowance.later = Later(route, Line.under(frames[0]), message)
            self.waiting.add(key)
            return None
        if isinstance(message, wire.Hello):
            return self.hello(key, route, Line.under(frames[0]), message, now)
        return self.message(key, route, message, now)

    def hear_later(self, key: bytes, now: float) -> None:
        """The hello or catch-up that came too soon, if its time has come."""
        later = self.allowances[key].due(now)
        if later and isinstance(later.message, wire.Hello):
            self.hello(key, later.route, later.line, later.message, now)
        elif later:
            self.message(key, later.route, later.message, now)
        if key not in self.allowances or self.allowances[key].later is None:
            self.waiting.discard(key)

    def sealer(self, key: bytes, hello: wire.Hello) -> Sealer:
        """What seals for this connection. Raises SealError if the peer's key is none."""
        sealer = Sealer(self.table_id, self.guests[key])
        sealer.meet(hello.key)
        return sealer

    def hello(self, key: bytes, route: bytes, line: Line | None, hello: wire.Hello, now: float) -> None:
        """A new connection. It takes the place of an older one under the same key."""
        try:
            sealer = self.sealer(key, hello)
        except SealError as error:
            return self.malformed(key, route, line, f"what can't be read: {error}", now)
        self.allowances[key].later = None  # this one is newer
        connection, old = Connection(route, hello, sealer, line, now), self.connections.get(key)
        if old and old.route != connection.route:
            self.part(old.route, old.line, wire.Closed("replaced", "You have joined from another terminal."))
        self.connections[key] = connection
        self.book.saw(key, now)
        return self.send_all(self.room.receive(key, hello, now))

    def message(self, key: bytes, route: bytes, message: wire.FromPeer, now: float) -> None:
        connection = self.connections.get(key)
        if connection is None or connection.route != route:
            return  # an old connection of a peer that has come back on a new one
        connection.heard = now
        if connection.away:
            self.awake(key, connection, now)
        if isinstance(message, wire.Ping):
            self.put(connection, encode(wire.HostPong()))
        elif isinstance(message, wire.Pong):
            self.measure(key, connection, now)
        else:
            self.send_all(self.room.receive(key, message, now))

    def measure(self, key: bytes, connection: Connection, now: float) -> None:
        """A pong: how long it took there and back, and how long the system says that takes."""
        if connection.waits:
            connection.waits = False
            self.room.measured(
                key, now - connection.pinged, connection.line.trip() if connection.line else None
            )

    def awake(self, key: bytes, connection: Connection, now: float) -> None:
        """A peer that was silent for too long, as a bot that thinks may be, speaks: as if it had come back."""
        connection.away = False
        hello = structs.replace(connection.hello, since=None)
        self.send_all(self.room.receive(key, hello, now))

    def malformed(self, key: bytes, route: bytes, line: Line | None, why: str, now: float) -> None:
        """Something that nobody may send. Who sends too much of it is removed."""
        if not self.allowances[key].malformed(now):
            return
        self.notice(f"A peer was removed: it sends {why}")
        closed = wire.Closed("protocol", f"Your program sends {why}")
        known = self.connections.pop(key, None)
        if known and known.route != route:
            self.part(known.route, known.line, closed)
        self.part(route, line, closed)
        self.forget(key, Page(dropped=key))
        self.send_all(self.room.lost(key, now))

    # ---- what goes out ----------------------------------------------------------------------------

    def send_all(self, sends: Iterable[Send]) -> None:
        """Answers at once, then who moved, then all the others in one go, which wakes ZeroMQ's thread only once."""
        waiting: dict[bytes, Connection] = {}
        first: bytes | None = None
        for send in sends:
            first = first or send.peer
            connection = self.connections.get(send.peer)
            if first in waiting and send.peer != first:
                self.flush(waiting.pop(first))
            if connection is None:
                continue
            if isinstance(send.message, wire.Closed):
                self.flush(connection)
                self.cut(send.peer, send.message)
                continue
            connection.push(connection.frame(send))
            if isinstance(send.message, wire.Update) and send.message.asks in QUESTIONS:
                self.allowances[send.peer].asked()
            if isinstance(send.message, ANSWERS):
                self.flush(connection)
            else:
                waiting[send.peer] = connection
        for connection in waiting.values():
            self.flush(connection)

    def put(self, connection: Connection, frame: bytes) -> None:
        connection.push(frame)
        self.flush(connection)

    def send(self, route: bytes, frame: bytes) -> None:
        """Raises zmq.Again if the peer takes no more just now, ZMQError if it is gone."""
        self.router.send(route, NEXT)  # two sends, since send_multipart costs five times as much
        self.router.send(frame, zmq.NOBLOCK)

    def flush(self, connection: Connection) -> None:
        """Send what waits, as far as the peer takes it."""
        while connection.outbox:
            try:
                self.send(connection.route, connection.outbox[0])
            except zmq.Again:
                self.look = min(self.look, time.monotonic() + RETRY)
                return
            except zmq.ZMQError:  # EHOSTUNREACH: the connection is gone
                connection.outbox.clear()
                connection.heard, self.look = GONE, 0.0
                return
            connection.outbox.popleft()

    def cut(self, key: bytes, closed: wire.Closed) -> None:
        """The last word to a peer. One that was removed is not let in again under this key."""
        connection = self.connections.pop(key, None)
        if connection:
            self.part(connection.route, connection.line, closed)
        if closed.code == "removed":
            self.forget(key, Page(guest=Guest(key, None)))

    def forget(self, key: bytes, page: Page) -> None:
        self.allowances.pop(key, None)
        if key in self.guests:
            self.book.write(page)

    def part(self, route: bytes, line: Line | None, closed: wire.Closed) -> None:
        """Say why, and break the connection off as soon as that should have arrived."""
        with suppress(zmq.ZMQError):  # it is full, or gone already
            self.send(route, encode(closed))
        if line:
            self.leaving.append((time.monotonic() + GRACE, line))

    def look_after(self, now: float) -> None:
        """Peers that leave, what came too soon, pings, what waits in outboxes, peers that have not been heard."""
        self.look = now + IDLE
        if cut := self.guard.look({connection.line for connection in self.connections.values()}):
            self.notice(f"{cut} cut off: more was sent than can be a message, or too many connected at once.")
        while self.leaving and self.leaving[0][0] <= now:
            self.leaving.popleft()[1].cut()
        for key in list(self.waiting):
            self.hear_later(key, now)
        for key in self.book.trim(self.connections):
            self.allowances.pop(key, None)
        for key, connection in list(self.connections.items()):
            self.tend(key, connection, now)

    def tend(self, key: bytes, connection: Connection, now: float) -> None:
        """What one connection needs from time to time."""
        if connection.outbox:
            self.flush(connection)
        elif now - connection.pinged > PING:
            connection.pinged, connection.waits = now, True
            self.put(connection, encode(wire.HostPing()))
        if connection.heard == GONE:
            del self.connections[key]
            self.book.saw(key, now)
        if now - connection.heard > PING * MISSED and not connection.away:
            connection.away = True
            self.send_all(self.room.lost(key, now))

    def farewell(self) -> None:
        """Tell everybody that the table is closed, and let them hear it: who is cut off may lose what it has not read."""
        for connection in self.connections.values():
            self.put(connection, encode(wire.Closed("ended", "The host has closed the table.")))
        if self.connections:
            time.sleep(GOODBYE)


def sender(frames: list[zmq.Frame]) -> bytes:
    """The key under which a message came; nothing if it came under none."""
    try:
        return bytes.fromhex(str(frames[0].get("User-Id")))
    except (IndexError, zmq.ZMQError, ValueError):
        return b""


def read(frames: list[zmq.Frame]) -> wire.FromPeer:
    """The message in the frames. Raises ProtocolError."""
    if len(frames) != 1:
        raise ProtocolError("A message is one frame.")
    return decode_from_peer(frames[0].bytes)
