"""The host: one thread that owns the table's ROUTER socket, feeds a room and sends what it says."""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import zmq
from msgspec.structs import replace
from zmq.utils import z85

from lanplay.net import codes, tickets
from lanplay.net.bell import Bell
from lanplay.net.book import Book, Page, Ports
from lanplay.net.descriptors import check_spare
from lanplay.net.door import Door
from lanplay.net.errors import PortTaken
from lanplay.net.find import PORT
from lanplay.net.friends import Friends
from lanplay.net.guard import Guard
from lanplay.net.interfaces import unbound
from lanplay.net.keys import Keys
from lanplay.net.pairing import About, Grant
from lanplay.net.traffic import Room, Traffic
from lanplay.net.zap import DOMAIN, Gate
from lanplay.wire import messages as wire

LIMITS = {  # of the ROUTER; times in milliseconds
    zmq.ZAP_ENFORCE_DOMAIN: 1,  # without it, CURVE lets anybody in
    zmq.ROUTER_MANDATORY: 1,  # a send to who has gone is an error, not silence
    zmq.MAXMSGSIZE: 16 * 1024,
    # No limit to what waits, the guard has one: where ZeroMQ has stopped to read a connection that then ends, a heartbeat
    # (the peer's is enough) aborts the process (libzmq issue 4364). So it has none of its own either, but TCP's.
    zmq.RCVHWM: 0,
    zmq.SNDHWM: 256,
    zmq.HANDSHAKE_IVL: 2000,
    zmq.TCP_KEEPALIVE: 1,
    zmq.TCP_KEEPALIVE_IDLE: 10,  # seconds, and so is the next
    zmq.TCP_KEEPALIVE_INTVL: 5,
    zmq.TCP_KEEPALIVE_CNT: 3,
    zmq.BACKLOG: 4096,
    zmq.LINGER: 0,
    zmq.IPV6: 1,
}

T = TypeVar("T")


class Host:
    """A table on the network. Use as a context manager, or start() and stop().

    Binds at once: raises PortTaken if a port can't be had (0: any; None: the usual one, or any if that is taken), OSError
    if what has to be remembered can't be written.
    `open`: anyone may sit, without a code. `table_id` opens that table again, with the ports, the keys and the peers it
    had. `on_code` hears of a new join code, `notice` gets sentences for the host's screen; both are called from other
    threads.
    """

    def __init__(
        self,
        room: Room,
        *,
        table: str,
        game: str,
        port: int | None = None,
        bind: str = "",
        open: bool = False,
        table_id: str | None = None,
        on_code: Callable[[str], None] = lambda code: None,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.room, self.table, self.game, self.notice = room, table, game, notice
        self.bind = bind
        self.table_id = table_id or secrets.token_hex(8)
        self.calls: deque[Callable[[], None]] = deque()
        self._stopping = False
        self._failure: BaseException | None = None
        check_spare()
        friends = Friends()
        about = About(wire.VERSION, table, game, self.table_id, open, host=friends.host)
        code = None if open else codes.new()
        self.door = Door(about, code, secrets.token_hex(32), friends, self._admit, on_code, notice)
        self.book = Book(self.table_id)
        self.book.keep()
        self.keys = self.book.keys or Keys.new()
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        try:
            self._open(port)
        except BaseException:
            self.door.close()
            self.context.destroy(linger=0)
            self.book.close()
            raise
        self.thread = threading.Thread(target=self._run, name="lanplay host", daemon=True)

    def _open(self, port: int | None) -> None:
        """Every socket, bound, and what lies on disk. Raises PortTaken or OSError."""
        self.gate = Gate(self.context, self.book.guests)
        self._bell = Bell(self.context)
        router, self.game_port = self._router(self.bind)
        self.port = self._pairing_port(self.bind, self.book.ports.pairing if self.book.ports else port)
        self.traffic = Traffic(self.room, router, self.guard, self.book, self.table_id, self.notice)
        self.book.write(Page(self.keys, Ports(self.port, self.game_port)))
        self.ticket = tickets.Issued(
            tickets.Ticket(
                self.table_id,
                self.table,
                self.game,
                self.port,
                self.door.token,
                self.keys.public,
                self.address,
            )
        )

    @property
    def address(self) -> str:
        """Where programs on this machine reach the table."""
        return "127.0.0.1" if unbound(self.bind) else self.bind

    def seated(self, taken: int, seats: int) -> None:
        """Who asks what is here is told so many of so many seats are taken."""
        self.door.about = replace(self.door.about, taken=taken, seats=seats)

    @property
    def code(self) -> str | None:
        """The join code, or None if the table is open to anyone."""
        return self.door.code

    def _pairing_port(self, bind: str, port: int | None) -> int:
        """The port that the door listens on now."""
        if port is not None:
            return self.door.open(bind, port)
        try:
            return self.door.open(bind, PORT)
        except PortTaken:  # by another table, most likely: those who look for this one find it all the same
            return self.door.open(bind, 0)

    def _router(self, bind: str) -> tuple[zmq.Socket[bytes], int]:
        """The ROUTER and its port, with the limits that network peers are held to (PROTOCOL.md)."""
        router = self.context.socket(zmq.ROUTER)
        router.curve_server = True
        router.curve_secretkey = z85.encode(self.keys.private)
        router.zap_domain = DOMAIN
        for option, value in LIMITS.items():
            router.setsockopt(option, value)
        self.guard = Guard(router)
        address = f"[{bind}]" if ":" in bind else bind or "*"
        where = f"{address}:{self.book.ports.game if self.book.ports else 0}"
        try:
            router.bind(f"tcp://{where}")
        except zmq.ZMQError as error:
            why = zmq.strerror(error.errno or 0)  # its own text names the address once more
            raise PortTaken(
                f"The address {where} can't be used for the game ({why}). Check --bind."
            ) from error
        endpoint = router.getsockopt(zmq.LAST_ENDPOINT)
        assert isinstance(endpoint, bytes)
        return router, int(endpoint.rpartition(b":")[2])

    def _admit(self, key: bytes) -> Grant:
        """A peer has shown the code: its key is on the list from now on. Called from the door's threads."""
        secret = self.book.admit(key)
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
            return None if self._bell.rope.closed else self._close()
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
                if isinstance(result, list | Iterator):
                    self.traffic.send_all(result)
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
            self.traffic.farewell()
            self._close()

    def _loop(self) -> None:
        poller = zmq.Poller()
        for socket in (self.gate.socket, self._bell.socket, self.traffic.router):
            poller.register(socket, zmq.POLLIN)
        while not self._stopping:
            ready = dict(poller.poll(self._patience()))
            if self.gate.socket in ready:
                self.gate.answer()
            if self._bell.socket in ready:
                self._bell.hush()
                self._answer_calls()
            if self.traffic.router in ready:
                self.traffic.drain()
            now, wake = time.monotonic(), self.room.wake
            if wake is not None and now >= wake:
                self.traffic.send_all(self.room.tick(now))
            if now >= self.traffic.look:
                self.traffic.look_after(now)

    def _patience(self) -> int:
        """How long to wait for something to happen, in milliseconds."""
        wake, now = self.room.wake, time.monotonic()
        until = self.traffic.look if wake is None else min(self.traffic.look, wake)
        return max(0, math.ceil((until - now) * 1000))

    def _answer_calls(self) -> None:
        with suppress(IndexError):  # none is left; at the end two threads may take them
            while True:
                self.calls.popleft()()

    def _close(self) -> None:
        self.ticket.withdraw()
        self.door.close()
        self._bell.close()
        self.guard.close()
        self.traffic.router.close()
        self.gate.close()
        self.context.term()
        self.book.close()
        self._answer_calls()
