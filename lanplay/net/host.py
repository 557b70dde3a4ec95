"""The host: one thread that owns the table's ROUTER socket, feeds a room and sends what it says."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import zmq
from msgspec import structs
from zmq.utils import z85

from lanplay.net import codes, tickets
from lanplay.net.door import Door
from lanplay.net.errors import PortTaken
from lanplay.net.pairing import About, Grant, new_secret
from lanplay.net.zap import DOMAIN, Gate
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_peer, encode, encode_secret
from lanplay.wire.seal import Sealer, SealError
from lanplay.wire.send import Send

PING = 2.0  # seconds between pings
MISSED = 3  # pings without any word: the peer is lost
MALFORMED = 5  # messages in a minute that can't be read: the peer is removed
OUTBOX = 512  # frames that may wait for one peer
IDLE = 0.2  # seconds that the loop waits at most
RETRY = 0.02  # seconds until what a peer's socket did not take is tried again

T = TypeVar("T")


class Room(Protocol):
    """What the host drives: lanplay.room.Room, or a stand-in."""

    wake: float | None

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> list[Send]: ...
    def lost(self, peer: bytes, now: float) -> list[Send]: ...
    def tick(self, now: float) -> list[Send]: ...


class Connection:
    """One peer's connection: where frames go, what seals them, what waits, when it was last heard."""

    def __init__(self, route: bytes, sealer: Sealer, now: float) -> None:
        self.route, self.sealer = route, sealer
        self.number = 0  # of the last message in the stream
        self.outbox: deque[bytes] = deque()
        self.heard = self.pinged = now
        self.malformed: deque[float] = deque()


class Host:
    """A table on the network. Use as a context manager, or start() and stop().

    Binds at once: raises PortTaken if the pairing port can't be had (0: any). `open`: anyone may sit, without a code.
    `on_code` hears of a new join code, `notice` gets sentences for the host's screen; both are called from other threads.
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
        on_code: Callable[[str], None] = lambda code: None,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.room, self.table, self.game, self.notice = room, table, game, notice
        self.table_id = secrets.token_hex(8)
        self.public, self.secret = zmq.curve_keypair()
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.gate = Gate(self.context)
        self.router = self._router(bind)
        self.connections: dict[bytes, Connection] = {}
        self.routes: dict[bytes, bytes] = {}  # routing id → key of the peer
        self.calls: deque[Callable[[], None]] = deque()
        self._bell_out, self._bell_in = self.context.socket(zmq.PAIR), self.context.socket(zmq.PAIR)
        self._bell_in.bind("inproc://bell")
        self._bell_out.connect("inproc://bell")
        self._bell_lock = threading.Lock()
        self._stopping = False
        self._failure: BaseException | None = None
        about = About(wire.VERSION, table, game, self.table_id, open)
        self.door = Door(about, None if open else codes.new(), secrets.token_hex(32), self._admit, on_code)
        try:
            self.port = self.door.open(bind, port)
        except PortTaken:
            self._close_sockets()
            raise
        self.ticket = tickets.issue(self.table_id, table, game, self.port, self.door.token)
        self.thread = threading.Thread(target=self._run, name="lanplay host", daemon=True)

    @property
    def code(self) -> str | None:
        """The join code, or None if the table is open to anyone."""
        return self.door.code

    def _router(self, bind: str) -> zmq.Socket[bytes]:
        """The ROUTER, with the limits that network peers are held to (PROTOCOL.md)."""
        router = self.context.socket(zmq.ROUTER)
        router.curve_server = True
        router.curve_secretkey = self.secret
        router.zap_domain = DOMAIN
        router.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        router.setsockopt(zmq.MAXMSGSIZE, 16 * 1024)
        router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        router.setsockopt(zmq.HANDSHAKE_IVL, 2000)
        router.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        router.setsockopt(zmq.HEARTBEAT_TIMEOUT, 3000)
        router.setsockopt(zmq.BACKLOG, 4096)
        router.rcvhwm, router.sndhwm, router.linger = 64, 256, 0
        router.ipv6 = True
        where = f"[{bind}]" if ":" in bind else bind or "*"
        try:
            self.game_port = router.bind_to_random_port(f"tcp://{where}")
        except zmq.ZMQError as error:
            self.context.destroy(linger=0)
            raise PortTaken(f"Nothing can be bound to {bind}: {error.strerror}. Check --bind.") from error
        return router

    def _admit(self, key: bytes) -> Grant:
        """A peer has shown the code: its key is on the list from now on. Called from the door's threads."""
        secret = self.gate.secrets.setdefault(key, new_secret())
        public = z85.decode(self.public)
        return Grant(public, self.game_port, self.table, self.table_id, self.game, secret)

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
        self._ring()
        if self.thread.ident is not None:
            self.thread.join(timeout=5)
        else:
            self._close_sockets()

    def wait(self, timeout: float | None = None) -> bool:
        """Until the loop ends; gives whether it has. Raises what ended it."""
        self.thread.join(timeout)
        if self._failure:
            raise self._failure
        return not self.thread.is_alive()

    def call(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Run something between two messages, such as `host.call(room.start, time.monotonic())`.

        If it returns Sends, they are sent.
        """
        future: Future[T] = Future()

        def run() -> None:
            try:
                result = function(*args)
            except Exception as error:  # it belongs to the caller
                future.set_exception(error)
                return
            if isinstance(result, list):
                self._send_all(result)
            future.set_result(result)

        self.calls.append(run)
        self._ring()
        return future

    def _ring(self) -> None:
        with self._bell_lock:
            if not self._bell_out.closed:
                self._bell_out.send(b"", zmq.NOBLOCK)

    # ---- the loop -----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop()
        except BaseException as error:  # a room that is wrong must not go on; wait() tells
            self._failure = error
        finally:
            self._farewell()
            self._close_sockets()

    def _loop(self) -> None:
        poller = zmq.Poller()
        for socket in (self.gate.socket, self._bell_in, self.router):
            poller.register(socket, zmq.POLLIN)
        while not self._stopping:
            ready = dict(poller.poll(round(self._patience() * 1000)))
            if self.gate.socket in ready:
                self.gate.answer()
            if self._bell_in in ready:
                self._answer_bell()
            if self.router in ready:
                self._drain()
            now = time.monotonic()
            if self.room.wake is not None and now >= self.room.wake:
                self._send_all(self.room.tick(now))
            self._look_after(now)

    def _patience(self) -> float:
        """How long to wait for something to happen, in seconds."""
        if any(connection.outbox for connection in self.connections.values()):
            return RETRY
        wake = self.room.wake
        return IDLE if wake is None else max(0.0, min(IDLE, wake - time.monotonic()))

    def _answer_bell(self) -> None:
        while self._bell_in.poll(0):
            self._bell_in.recv()
        while self.calls:
            self.calls.popleft()()

    def _drain(self) -> None:
        """Up to a few hundred messages, so that the clock is looked at in between."""
        for _ in range(256):
            try:
                route, *frames = self.router.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            self._heard(route.bytes, frames)

    def _heard(self, route: bytes, frames: list[zmq.Frame]) -> None:
        """One message of a peer: only from paired keys, only one frame, only what can be read."""
        try:
            key = bytes.fromhex(str(frames[0].get("User-Id")))
        except (IndexError, zmq.ZMQError, ValueError):
            return None
        now = time.monotonic()
        connection = self.connections.get(key)
        try:
            if len(frames) != 1:
                raise ProtocolError("A message is one frame.")
            message = decode_from_peer(frames[0].bytes)
        except ProtocolError as error:
            return self._malformed(key, str(error), now)
        if isinstance(message, wire.Hello):
            return self._hello(key, route, message, now)
        if connection is None or connection.route != route:
            return None  # an old connection of a peer that has come back on a new one
        connection.heard = now
        if isinstance(message, wire.Ping):
            self._put(connection, encode(wire.HostPong()))
        elif not isinstance(message, wire.Pong):
            self._send_all(self.room.receive(key, message, now))
        return None

    def _hello(self, key: bytes, route: bytes, hello: wire.Hello, now: float) -> None:
        old = self.connections.get(key)
        if old and old.route != route:
            self._put(old, encode(wire.Closed("replaced", "You have joined from another terminal.")))
        sealer = Sealer(self.table_id, self.gate.secrets[key])
        try:
            sealer.meet(hello.key)
        except SealError as error:
            return self._malformed(key, str(error), now)
        self.connections[key] = Connection(route, sealer, now)
        return self._send_all(self.room.receive(key, hello, now))

    def _malformed(self, key: bytes, why: str, now: float) -> None:
        connection = self.connections.get(key)
        if connection is None:
            return
        connection.malformed.append(now)
        while connection.malformed[0] < now - 60:
            connection.malformed.popleft()
        if len(connection.malformed) >= MALFORMED:
            self.notice(f"A peer was removed: it sends what can't be read ({why})")
            self._cut(key, wire.Closed("protocol", f"Your program sends what can't be read: {why}"))

    # ---- what goes out ----------------------------------------------------------------------------

    def _send_all(self, sends: list[Send]) -> None:
        for send in sends:
            connection = self.connections.get(send.peer)
            if connection is None:
                continue
            if isinstance(send.message, wire.Closed):
                self._cut(send.peer, send.message)
            else:
                self._put(connection, self._frame(connection, send))

    def _frame(self, connection: Connection, send: Send) -> bytes:
        """The bytes of a message: numbered, and with its secret sealed in."""
        message = send.message
        if isinstance(message, wire.Welcome):
            message = structs.replace(message, key=connection.sealer.public)
            connection.sealer.sit(message.game, message.seat or "")
        elif isinstance(message, wire.Seats | wire.Start | wire.Update | wire.Snapshot):
            connection.number += 1
            message = structs.replace(message, n=connection.number)
        frame = encode(message)
        if send.secret is None or not isinstance(message, wire.Update | wire.Snapshot):
            return frame
        secret, round_ = encode_secret(send.secret), message.status.round
        return connection.sealer.seal(frame, secret, send.pad, round_, connection.number)

    def _put(self, connection: Connection, frame: bytes) -> None:
        """Send, or let it wait; a peer that lets too much wait hears no more until it asks."""
        if len(connection.outbox) < OUTBOX:
            connection.outbox.append(frame)
        self._flush(connection)

    def _flush(self, connection: Connection) -> None:
        while connection.outbox:
            try:
                self.router.send_multipart([connection.route, connection.outbox[0]], zmq.NOBLOCK)
            except zmq.Again:
                return
            except zmq.ZMQError:  # EHOSTUNREACH: the connection is gone
                connection.outbox.clear()
                connection.heard = float("-inf")
                return
            connection.outbox.popleft()

    def _cut(self, key: bytes, closed: wire.Closed) -> None:
        """The last word to a peer, which is not let in again."""
        connection = self.connections.pop(key, None)
        if connection:
            self._put(connection, encode(closed))
        if closed.code in ("removed", "protocol"):
            self.gate.secrets.pop(key, None)
            self._send_all(self.room.lost(key, time.monotonic()))

    def _look_after(self, now: float) -> None:
        """Pings, what waits in outboxes, and peers that have not been heard."""
        for key, connection in list(self.connections.items()):
            if connection.outbox:
                self._flush(connection)
            if now - connection.heard > PING * MISSED:
                del self.connections[key]
                self._send_all(self.room.lost(key, now))
            elif now - max(connection.heard, connection.pinged) > PING:
                connection.pinged = now
                self._put(connection, encode(wire.HostPing()))

    def _farewell(self) -> None:
        self.router.linger = 300
        for connection in self.connections.values():
            self._put(connection, encode(wire.Closed("ended", "The host has closed the table.")))

    def _close_sockets(self) -> None:
        if hasattr(self, "ticket"):
            tickets.withdraw(self.ticket)
            self.door.close()
        with self._bell_lock:
            for socket in (self.router, self.gate.socket, self._bell_in, self._bell_out):
                socket.close()
        self.context.term()
