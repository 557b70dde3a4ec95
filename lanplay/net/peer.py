"""The peer's side of a table: a DEALER socket that comes back by itself, without a thread."""

from __future__ import annotations

import secrets
import time
from collections import deque
from contextlib import suppress
from typing import Any, Literal, NamedTuple, Self

import zmq
from zmq.utils import z85
from zmq.utils.monitor import recv_monitor_message

from lanplay.net.errors import HostGone, Refused
from lanplay.net.find import Invitation
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_host, decode_secret, encode
from lanplay.wire.seal import Sealer

SILENCE = 7.0  # seconds without a word (the host pings every two): a new connection is tried
CONNECT = 5.0  # seconds for the first welcome
PATIENCE = 60.0  # seconds of silence after which the host is given up
NUMBERED = (wire.Seats, wire.Start, wire.Update, wire.Snapshot)
BROKEN = zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL


class Told(NamedTuple):
    """A message of the host, and what was sealed in it for this seat."""

    message: wire.FromHost
    secret: wire.Secret | None = None


class Peer:
    """A connection to a host. Nothing happens between calls; `receive` and `wait` do all the work.

    `welcome` is the host's last Welcome. Moves that were not answered are sent again after a break, under the same id.
    """

    def __init__(
        self,
        invitation: Invitation,
        name: str,
        role: Literal["sit", "watch"],
        kind: Literal["person", "bot"],
        patience: float = PATIENCE,
    ) -> None:
        """Use `Peer.connect`, which waits for the host's welcome."""
        self.invitation, self.patience = invitation, patience
        self.who: dict[str, Any] = {"name": name[:24] or "Player", "role": role, "kind": kind}
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.welcome: wire.Welcome | None = None
        self.step: int | None = None  # the last step that was taken in
        self.unanswered: dict[bytes, wire.Act] = {}
        self.told: deque[Told] = deque()
        self.closed: wire.Closed | None = None
        self.heard = time.monotonic()
        self.socket = self.monitor = None  # type: zmq.Socket[bytes] | None
        self._dial()

    @classmethod
    def connect(
        cls,
        invitation: Invitation,
        name: str,
        role: Literal["sit", "watch"] = "sit",
        kind: Literal["person", "bot"] = "person",
        patience: float = PATIENCE,
    ) -> Self:
        """Come to the table. Raises HostGone if nobody answers, Refused if the host says no."""
        peer = cls(invitation, name, role, kind, patience)
        until = time.monotonic() + CONNECT
        while peer.welcome is None and peer.closed is None and time.monotonic() < until:
            peer._work(until - time.monotonic())
        if peer.closed or peer.welcome is None:
            peer.close()
            if peer.closed:
                raise Refused(peer.closed.code, peer.closed.sentence)
            raise HostGone(f"The table at {invitation.address} does not answer. Is the host still running?")
        return peer

    # ---- for whoever plays ------------------------------------------------------------------------

    def receive(self, timeout: float | None = 0) -> Told | None:
        """The next message, or None when there is none within `timeout` seconds (None: wait for it).

        `Closed` is the last one. After it, and when the host has been silent for `patience`, raises HostGone.
        """
        until = None if timeout is None else time.monotonic() + timeout
        self._work(0)
        while not self.told:
            if self.closed:
                raise HostGone(self.closed.sentence)
            if time.monotonic() - self.heard > self.patience:
                raise HostGone("The host has not been heard for a while. If it comes back, join again.")
            left = 1.0 if until is None else until - time.monotonic()
            if left <= 0:
                return None
            self._work(min(left, 1.0))
        return self.told.popleft()

    def wait(self, *files: Any, timeout: float | None = None) -> list[Any]:
        """Wait until one of the files (with `fileno()`) can be read, or a message is there. Gives the files.

        Call `receive(0)` until it gives None before waiting again.
        """
        return [] if self.told or self.closed else self._work(1.0 if timeout is None else timeout, files)

    def act(self, move: str, step: int, aim: int) -> bytes:
        """Send a move; Accepted or Refused with the id that this returns will be the answer."""
        act = wire.Act(secrets.token_bytes(8), move, step, aim)
        self.unanswered[act.id] = act
        self._send(act)
        return act.id

    def decline(self, step: int) -> None:
        """Nothing to say out of turn after this step."""
        self._send(wire.Decline(step))

    def leave(self) -> None:
        """Go for good."""
        self._send(wire.Leave())

    def close(self) -> None:
        """Release the connection; what was sent gets a moment to go out."""
        self._hang_up(linger=200)
        self.context.term()

    @property
    def away(self) -> bool:
        """The host has not been heard for longer than it should be silent."""
        return time.monotonic() - self.heard > SILENCE

    # ---- the connection ---------------------------------------------------------------------------

    def _dial(self) -> None:
        """A new socket, a new sealing key, a new hello: what ZAP once refused, or broke, is not mended."""
        self._hang_up(linger=0)
        grant = self.invitation.grant
        socket = self.context.socket(zmq.DEALER)
        socket.curve_serverkey = z85.encode(grant.curve)
        socket.curve_publickey = z85.encode(self.invitation.public)
        socket.curve_secretkey = z85.encode(self.invitation.private)
        socket.immediate, socket.linger, socket.ipv6 = True, 0, True
        socket.reconnect_ivl, socket.reconnect_ivl_max = 100, 2000
        socket.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 3000)
        self.monitor = socket.get_monitor_socket(BROKEN)
        address = self.invitation.address
        socket.connect(f"tcp://{f'[{address}]' if ':' in address else address}:{grant.port}")
        self.socket = socket
        self.sealer = Sealer(grant.table_id, grant.secret)
        self.number = 0
        self.greeted = False
        self.dialled = time.monotonic()

    def _hang_up(self, linger: int) -> None:
        if self.socket is not None:
            self.socket.disable_monitor()
            self.socket.close(linger=linger)
        self.socket = self.monitor = None

    def _work(self, timeout: float, files: tuple[Any, ...] = ()) -> list[Any]:
        """Wait for whatever comes first and deal with it; gives the files that can be read."""
        assert self.socket is not None
        if self.monitor is None:
            self._redial()
        poller = zmq.Poller()
        poller.register(self.socket, zmq.POLLIN if self.greeted else zmq.POLLIN | zmq.POLLOUT)
        for other in (self.monitor, *files):
            poller.register(other, zmq.POLLIN)
        ready = dict(poller.poll(max(0, round(timeout * 1000))))
        if self.socket in ready:
            self._drain()
        broken = self.monitor in ready and self._broken()
        if not self.closed and (broken or time.monotonic() - max(self.heard, self.dialled) > SILENCE):
            self._redial()
        return [file for file in files if file in ready or file.fileno() in ready]

    def _broken(self) -> bool:
        """The monitor says that the connection is gone."""
        assert self.monitor is not None
        while self.monitor.poll(0):
            recv_monitor_message(self.monitor)
        return True

    def _redial(self) -> None:
        """Not more often than every half second, or a host that is down would be asked without end."""
        time.sleep(max(0.0, min(0.5, self.dialled + 0.5 - time.monotonic())))
        self._dial()

    def _send(self, message: wire.FromPeer) -> None:
        """What can't be sent now is sent again after the next welcome, if it is a move."""
        assert self.socket is not None
        if self.greeted:
            with suppress(zmq.Again):
                self.socket.send(encode(message), zmq.NOBLOCK)

    def _greet(self) -> None:
        assert self.socket is not None
        hello = wire.Hello(wire.VERSION, key=self.sealer.public, since=self.step, **self.who)
        with suppress(zmq.Again):
            self.socket.send(encode(hello), zmq.NOBLOCK)
            self.greeted = True

    def _drain(self) -> None:
        assert self.socket is not None
        if not self.greeted:
            self._greet()
        while True:
            try:
                frame = self.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.heard = time.monotonic()
            try:
                self._take(frame)
            except ProtocolError as error:
                self.closed = wire.Closed("protocol", f"The host sends what can't be read: {error}")

    # ---- messages ---------------------------------------------------------------------------------

    def _take(self, frame: bytes) -> None:
        message = decode_from_host(frame)
        if isinstance(message, wire.HostPing):
            return self._send(wire.Pong())
        if isinstance(message, wire.HostPong):
            return None
        secret = None
        if isinstance(message, NUMBERED) and not self._in_order(message.n):
            return None
        if isinstance(message, wire.Update | wire.Snapshot):
            secret = self._open(frame, message)
            self.step = message.step
        self._note(message)
        self.told.append(Told(message, secret))
        return None

    def _open(self, frame: bytes, message: wire.Update | wire.Snapshot) -> wire.Secret | None:
        if not message.sealed:
            return None
        return decode_secret(self.sealer.open(frame, message.sealed, message.status.round, message.n))

    def _in_order(self, number: int) -> bool:
        """False if this message can't be used: something before it is missing, and is asked for."""
        expected, self.number = self.number + 1, number
        if number == expected:
            return True
        self._send(wire.CatchUp(self.step or 0))
        return False

    def _note(self, message: wire.FromHost) -> None:
        """What the connection itself has to know."""
        if isinstance(message, wire.Welcome):
            again = self.welcome is not None
            self.welcome = message
            self.sealer.meet(message.key)
            self.sealer.sit(message.game, message.seat or "")
            if again:
                for act in list(self.unanswered.values()):
                    self._send(act)
        elif isinstance(message, wire.Accepted | wire.Refused):
            self.unanswered.pop(message.id, None)
        elif isinstance(message, wire.Closed):
            self.closed = message
