"""The host: one thread that owns the table's ROUTER socket, feeds a room and sends what it says."""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import zmq
from msgspec import structs
from zmq.utils import z85

from lanplay.net import codes, tickets
from lanplay.net.bell import Bell
from lanplay.net.book import Book, Guest, Page, Ports
from lanplay.net.connection import Connection, Line
from lanplay.net.door import Door
from lanplay.net.errors import PortTaken
from lanplay.net.keys import Keys
from lanplay.net.pairing import About, Grant, new_secret
from lanplay.net.zap import DOMAIN, Gate
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_peer, encode
from lanplay.wire.seal import Sealer, SealError
from lanplay.wire.send import Send

PING = 2.0  # seconds between pings
MISSED = 3  # pings without any word: the peer is lost
MALFORMED = 5  # messages in a minute that can't be read: the peer is removed
IDLE = 0.2  # seconds between looks after the connections
RETRY = 0.02  # seconds until what a peer's socket did not take is tried again
GRACE = 0.5  # seconds that a last word may take before the connection is broken off
GONE = -math.inf  # last heard: the connection has ended

LIMITS = {  # of the ROUTER; times in milliseconds
    zmq.ZAP_ENFORCE_DOMAIN: 1,  # without it, CURVE lets anybody in
    zmq.ROUTER_MANDATORY: 1,  # a send to who has gone is an error, not silence
    zmq.MAXMSGSIZE: 16 * 1024,
    zmq.RCVHWM: 64,
    zmq.SNDHWM: 256,
    zmq.HANDSHAKE_IVL: 2000,
    zmq.HEARTBEAT_IVL: 1000,
    zmq.HEARTBEAT_TIMEOUT: 3000,
    zmq.BACKLOG: 4096,
    zmq.LINGER: 0,
    zmq.IPV6: 1,
}

IN, NEXT = int(zmq.POLLIN), int(zmq.NOBLOCK | zmq.SNDMORE)

T = TypeVar("T")


class Room(Protocol):
    """What the host drives: lanplay.room.Room, or a stand-in."""

    @property
    def wake(self) -> float | None: ...

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> list[Send]: ...
    def lost(self, peer: bytes, now: float) -> list[Send]: ...
    def tick(self, now: float) -> list[Send]: ...


class Host:
    """A table on the network. Use as a context manager, or start() and stop().

    Binds at once: raises PortTaken if a port can't be had (0: any). `open`: anyone may sit, without a code. `table_id`
    opens that table again, with the ports, the keys and the peers it had. `on_code` hears of a new join code, `notice`
    gets sentences for the host's screen; both are called from other threads.
    """

    def __init__(
        self,
        room: Room,
        *,
        table: str,
        game: str,
        port: int = 47800,
        bind: str = "",
        open: bool = False,
        table_id: str | None = None,
        on_code: Callable[[str], None] = lambda code: None,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.room, self.table, self.game, self.notice = room, table, game, notice
        self.table_id = table_id or secrets.token_hex(8)
        self.connections: dict[bytes, Connection] = {}
        self.malformed: defaultdict[bytes, deque[float]] = defaultdict(deque)
        self.leaving: deque[tuple[float, Line]] = deque()
        self.calls: deque[Callable[[], None]] = deque()
        self._look = 0.0  # when to look after the connections next
        self._stopping = False
        self._failure: BaseException | None = None
        self.book = Book(self.table_id)
        self.keys = self.book.keys or Keys.new()
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.gate = Gate(self.context, self.book.guests)
        self._bell = Bell(self.context)
        about = About(wire.VERSION, table, game, self.table_id, open)
        code = None if open else codes.new()
        self.door = Door(about, code, secrets.token_hex(32), self._admit, on_code, notice)
        try:
            self.router, self.game_port = self._router(bind)
            self.port = self.door.open(bind, self.book.ports.pairing if self.book.ports else port)
        except PortTaken:
            self.context.destroy(linger=0)
            self.book.close()
            raise
        self.book.write(Page(self.keys, Ports(self.port, self.game_port)))
        self.ticket = tickets.Issued(
            tickets.Ticket(self.table_id, table, game, self.port, self.door.token, self.keys.public)
        )
        self.thread = threading.Thread(target=self._run, name="lanplay host", daemon=True)

    @property
    def code(self) -> str | None:
        """The join code, or None if the table is open to anyone."""
        return self.door.code

    def _router(self, bind: str) -> tuple[zmq.Socket[bytes], int]:
        """The ROUTER and its port, with the limits that network peers are held to (PROTOCOL.md)."""
        router = self.context.socket(zmq.ROUTER)
        router.curve_server = True
        router.curve_secretkey = z85.encode(self.keys.private)
        router.zap_domain = DOMAIN
        for option, value in LIMITS.items():
            router.setsockopt(option, value)
        address = f"[{bind}]" if ":" in bind else bind or "*"
        where = f"tcp://{address}:{self.book.ports.game if self.book.ports else 0}"
        try:
            router.bind(where)
        except zmq.ZMQError as error:
            raise PortTaken(
                f"{where} can't be used for the game ({error.strerror}). Check --bind."
            ) from error
        endpoint = router.getsockopt(zmq.LAST_ENDPOINT)
        assert isinstance(endpoint, bytes)
        return router, int(endpoint.rpartition(b":")[2])

    def _admit(self, key: bytes) -> Grant:
        """A peer has shown the code: its key is on the list from now on. Called from the door's threads."""
        secret = self.gate.secrets.setdefault(key, new_secret())
        self.book.write(Page(guest=Guest(key, secret)))
        return Grant(self.keys.public, self.game_port, self.table, self.table_id, self.game, secret)

    # ---- from other threads -----------------------------------------------------------------------

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Run the loop in a thread of its own."""
        self.thread.start()

    def stop(self) -> None:
        """End the table: every peer is told, every socket closed."""
        self._stopping = True
        if self.thread.ident is None:
            return self._close()
        self._bell.ring()
        if self.thread is not threading.current_thread():
            self.thread.join(timeout=5)
        return None

    def wait(self, timeout: float | None = None) -> bool:
        """Until the loop ends; gives whether it has. Raises what ended it."""
        self.thread.join(timeout)
        if self._failure:
            raise self._failure
        return not self.thread.is_alive()

    def call(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Run something between two messages, such as `host.call(room.start, time.monotonic())`.

        If it returns Sends, they are sent. When the loop ends, what has not run is cancelled.
        """
        future: Future[T] = Future()

        def run() -> None:
            if self._stopping or not future.set_running_or_notify_cancel():
                future.cancel()
                return
            try:
                result = function(*args)
                if isinstance(result, list):
                    self._send_all(result)
            except Exception as error:  # it belongs to the caller
                future.set_exception(error)
            else:
                future.set_result(result)

        self.calls.append(run)
        if not self._bell.ring():
            self._answer_calls()
        return future

    # ---- the loop -----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop()
        except BaseException as error:  # a room that is wrong must not go on; wait() tells
            self._failure = error
        finally:
            self._stopping = True
            self._farewell()
            self._close()
            self._answer_calls()

    def _loop(self) -> None:
        poller = zmq.Poller()
        for socket in (self.gate.socket, self._bell.socket, self.router):
            poller.register(socket, zmq.POLLIN)
        while not self._stopping:
            ready = dict(poller.poll(self._patience()))
            if self.gate.socket in ready:
                self.gate.answer()
            if self._bell.socket in ready:
                self._bell.hush()
                self._answer_calls()
            if self.router in ready:
                self._drain()
            now, wake = time.monotonic(), self.room.wake
            if wake is not None and now >= wake:
                self._send_all(self.room.tick(now))
            if now >= self._look:
                self._look_after(now)

    def _patience(self) -> int:
        """How long to wait for something to happen, in milliseconds."""
        wake, now = self.room.wake, time.monotonic()
        until = self._look if wake is None else min(self._look, wake)
        return max(0, math.ceil((until - now) * 1000))

    def _answer_calls(self) -> None:
        while self.calls:
            self.calls.popleft()()

    def _drain(self) -> None:
        """Up to a few hundred messages, so that the clock is looked at in between."""
        for _ in range(256):
            route = self.router.recv(zmq.NOBLOCK)
            frames = [self.router.recv(zmq.NOBLOCK, copy=False)]
            while frames[-1].more:
                frames = [frames[0], self.router.recv(zmq.NOBLOCK, copy=False)]
            self._heard(route, frames)
            if not waits(self.router):
                return

    # ---- what comes in ----------------------------------------------------------------------------

    def _heard(self, route: bytes, frames: list[zmq.Frame]) -> None:
        """One message of a peer: only from paired keys, only one frame, only what can be read."""
        key = sender(frames)
        if key not in self.gate.secrets:
            return None  # removed, and not cut off yet
        now = time.monotonic()
        try:
            message = read(frames)
            sealer = self._sealer(key, message) if isinstance(message, wire.Hello) else None
        except (ProtocolError, SealError) as error:
            return self._malformed(key, route, Line.under(frames[0]), str(error), now)
        if isinstance(message, wire.Hello) and sealer:
            line = Line.under(frames[0])
            return self._hello(key, Connection(route, message, sealer, line, now), now)
        return self._message(key, route, message, now)

    def _sealer(self, key: bytes, hello: wire.Hello) -> Sealer:
        """What seals for this connection. Raises SealError if the peer's key is none."""
        sealer = Sealer(self.table_id, self.gate.secrets[key])
        sealer.meet(hello.key)
        return sealer

    def _hello(self, key: bytes, connection: Connection, now: float) -> None:
        """A new connection. It takes the place of an older one under the same key."""
        old = self.connections.get(key)
        if old and old.route != connection.route:
            self._part(old.route, old.line, wire.Closed("replaced", "You have joined from another terminal."))
        self.connections[key] = connection
        self._send_all(self.room.receive(key, connection.hello, now))

    def _message(self, key: bytes, route: bytes, message: wire.FromPeer, now: float) -> None:
        connection = self.connections.get(key)
        if connection is None or connection.route != route:
            return  # an old connection of a peer that has come back on a new one
        connection.heard = now
        if connection.away:
            self._awake(key, connection, now)
        if isinstance(message, wire.Ping):
            self._put(connection, encode(wire.HostPong()))
        elif not isinstance(message, wire.Pong):
            self._send_all(self.room.receive(key, message, now))

    def _awake(self, key: bytes, connection: Connection, now: float) -> None:
        """A peer that was silent for too long, as a bot that thinks may be, speaks: as if it had come back."""
        connection.away = False
        hello = structs.replace(connection.hello, since=None)
        self._send_all(self.room.receive(key, hello, now))

    def _malformed(self, key: bytes, route: bytes, line: Line | None, why: str, now: float) -> None:
        """Something that can't be read. Who sends too much of it is removed."""
        times = self.malformed[key]
        times.append(now)
        while times[0] < now - 60:
            times.popleft()
        if len(times) < MALFORMED:
            return
        del self.malformed[key]
        self.notice(f"A peer was removed: it sends what can't be read ({why})")
        self.connections.pop(key, None)
        self._part(route, line, wire.Closed("protocol", f"Your program sends what can't be read: {why}"))
        self._forget(key)
        self._send_all(self.room.lost(key, now))

    # ---- what goes out ----------------------------------------------------------------------------

    def _send_all(self, sends: list[Send]) -> None:
        for send in sends:
            connection = self.connections.get(send.peer)
            if connection is None:
                continue
            if isinstance(send.message, wire.Closed):
                self._cut(send.peer, send.message)
            else:
                self._put(connection, connection.frame(send))

    def _put(self, connection: Connection, frame: bytes) -> None:
        connection.push(frame)
        self._flush(connection)

    def _send(self, route: bytes, frame: bytes) -> None:
        """Raises zmq.Again if the peer takes no more just now, ZMQError if it is gone."""
        self.router.send(route, NEXT)  # two sends, since send_multipart costs five times as much
        self.router.send(frame, zmq.NOBLOCK)

    def _flush(self, connection: Connection) -> None:
        """Send what waits, as far as the peer takes it."""
        while connection.outbox:
            try:
                self._send(connection.route, connection.outbox[0])
            except zmq.Again:
                self._look = min(self._look, time.monotonic() + RETRY)
                return
            except zmq.ZMQError:  # EHOSTUNREACH: the connection is gone
                connection.outbox.clear()
                connection.heard, self._look = GONE, 0.0
                return
            connection.outbox.popleft()

    def _cut(self, key: bytes, closed: wire.Closed) -> None:
        """The last word to a peer. One that was removed is not let in again under this key."""
        connection = self.connections.pop(key, None)
        if connection:
            self._part(connection.route, connection.line, closed)
        if closed.code == "removed":
            self._forget(key)

    def _forget(self, key: bytes) -> None:
        if self.gate.secrets.pop(key, None):
            self.book.write(Page(guest=Guest(key, None)))

    def _part(self, route: bytes, line: Line | None, closed: wire.Closed) -> None:
        """Say why, and break the connection off as soon as that should have arrived."""
        with suppress(zmq.ZMQError):  # it is full, or gone already
            self._send(route, encode(closed))
        if line:
            self.leaving.append((time.monotonic() + GRACE, line))

    def _look_after(self, now: float) -> None:
        """Pings, what waits in outboxes, peers that have not been heard, peers that leave."""
        self._look = now + IDLE
        while self.leaving and self.leaving[0][0] <= now:
            self.leaving.popleft()[1].cut()
        for key, connection in list(self.connections.items()):
            if connection.outbox:
                self._flush(connection)
            elif now - max(connection.heard, connection.pinged) > PING:
                connection.pinged = now
                self._put(connection, encode(wire.HostPing()))
            if connection.heard == GONE:
                del self.connections[key]
            if now - connection.heard > PING * MISSED and not connection.away:
                connection.away = True
                self._send_all(self.room.lost(key, now))

    def _farewell(self) -> None:
        self.router.linger = 300
        for connection in self.connections.values():
            self._put(connection, encode(wire.Closed("ended", "The host has closed the table.")))

    def _close(self) -> None:
        self.ticket.withdraw()
        self.door.close()
        self._bell.close()
        self.router.close()
        self.gate.close()
        self.context.term()
        self.book.close()


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


def waits(socket: zmq.Socket[bytes]) -> bool:
    """Something is there to receive: asked before, since an exception costs three times as much."""
    events = socket.getsockopt(zmq.EVENTS)
    assert isinstance(events, int)
    return bool(events & IN)
