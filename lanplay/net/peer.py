"""The peer's side of a table: a connection that comes back by itself, without a thread."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from typing import Any, Self

from lanplay.net.errors import HostGone, NetError, Refused
from lanplay.net.find import Invitation
from lanplay.net.link import IN, MISHAP, OUT, REFUSED, Link
from lanplay.net.stream import Kind, Role, Stream, Told
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, encode
from lanplay.wire.seal import SealError

__all__ = ["Peer", "Told"]

SILENCE = 7.0  # seconds without a word (the host pings every two): a new connection is tried
CONNECT = 5.0  # seconds for the first welcome
PATIENCE = 600.0  # seconds of silence after which the host is given up: time to start it again
REDIAL = 0.25  # seconds between two new connections, or a host that is down would be asked without end
NAP = 0.2  # seconds at most between looks at a connection that is being made


class Peer:
    """A place at a table, to be closed in the end (it is a context manager).

    Nothing happens between calls: `receive` and `wait` do all the work, in the caller's thread. Only one thread at a time
    may use its socket, or ZeroMQ crashes: each call holds `lock`, and another thread may do nothing but `close()` it.
    """

    def __init__(
        self, invitation: Invitation, name: str, role: Role, kind: Kind, patience: float = PATIENCE
    ) -> None:
        """Use `Peer.connect`, which waits for the host's welcome."""
        self.invitation, self.patience = invitation, patience
        self.stream = Stream(invitation.grant, name[:24] or "Player", role, kind)
        self.told: deque[Told] = deque()
        self.lock, self.closed = threading.RLock(), False
        self.failure: NetError | None = None
        self.heard = time.monotonic()
        self._dial()

    @classmethod
    def connect(
        cls,
        invitation: Invitation,
        name: str,
        role: Role = "sit",
        kind: Kind = "person",
        patience: float = PATIENCE,
    ) -> Self:
        """Come to the table. Raises HostGone if nobody answers, Refused if the host says no."""
        peer = cls(invitation, name, role, kind, patience)
        until = time.monotonic() + CONNECT
        while not (peer.welcome or peer._over()) and time.monotonic() < until:
            peer.wait(timeout=NAP)
        if peer.welcome:
            return peer
        peer.close()
        if peer.stream.closed:
            raise Refused(peer.stream.closed.code, peer.stream.closed.sentence)
        where = f"{invitation.address}:{invitation.grant.port}"
        raise peer.failure or HostGone(f"The table at {where} does not answer. Is the host still running?")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- for whoever plays ------------------------------------------------------------------------

    @property
    def welcome(self) -> wire.Welcome | None:
        """The host's last Welcome."""
        return self.stream.welcome

    @property
    def away(self) -> bool:
        """The host has been silent for longer than it should be."""
        return time.monotonic() - self.heard > SILENCE

    def receive(self, timeout: float | None = 0) -> Told | None:
        """The next message, or None when there is none within `timeout` seconds (None: wait for it).

        `Closed` is the last one. After it, and when the host has been silent for `patience`, raises HostGone; Refused if
        the host came back without knowing this peer.
        """
        until = math.inf if timeout is None else time.monotonic() + timeout
        left = math.inf if timeout is None else timeout
        while not self.told:
            self._work(left)
            if self.told:
                break
            self._check()
            left = until - time.monotonic()
            if left <= 0:
                return None
        return self.told.popleft()

    def wait(self, *files: Any, timeout: float | None = None) -> list[Any]:
        """Wait until one of the files (with `fileno()`) can be read, a message is there, or `timeout` seconds are over.

        Gives the files that can be read. Hear all that `receive(0)` tells before waiting again. May come back early.
        """
        return [] if self.told else self._work(math.inf if timeout is None else timeout, files)

    def fileno(self) -> int:
        """A descriptor for a loop of the caller's own: edge-triggered, another one after each new connection.

        Call `receive(0)` until it gives None whenever it is readable, after everything that was sent, and once a second.
        """
        with self.lock:
            return self.link.descriptor()

    def act(self, move: str, step: int, aim: int) -> bytes:
        """Send a move; Accepted or Refused with the id that this returns will be the answer."""
        with self.lock:
            act_id = self.stream.act(move, step, aim)
            self._speak()
        return act_id

    def decline(self, step: int) -> None:
        """Nothing to say out of turn after this step."""
        self.tell(wire.Decline(step))

    def tell(self, word: wire.Chat | wire.Decline) -> None:
        """Send what gets no answer of its own."""
        self._say(word)

    def leave(self) -> None:
        """Go for good."""
        self._say(wire.Leave())

    def close(self) -> None:
        """Release the connection; what was sent gets a moment to go out.

        A thread that waits for something to happen lets go within a second; then and afterwards it gets HostGone.
        """
        self.closed = True
        with self.lock:
            self.link.close(linger=200)
            self.invitation.identity.release()

    # ---- the connection ---------------------------------------------------------------------------

    def _dial(self) -> None:
        """A new connection. It will be greeted with a new hello, which brings a new sealing key."""
        self.link = Link(self.invitation)
        self.greeted = self.broken = False
        self.dialled = time.monotonic()

    def _over(self) -> bool:
        return self.closed or self.failure is not None or self.stream.closed is not None

    def _check(self) -> None:
        """Raise what there is to raise, now that there is nothing more to tell."""
        if self.failure:
            raise self.failure
        if self.stream.closed:
            raise HostGone(self.stream.closed.sentence)
        if self.closed:
            raise HostGone("This terminal has left the table.")
        if time.monotonic() - self.heard > self.patience:
            raise HostGone("The host has not been heard for a while. If it comes back, join again.")

    def _work(self, seconds: float, files: tuple[Any, ...] = ()) -> list[Any]:
        """Wait for whatever comes first and deal with it; gives the files that can be read."""
        with self.lock:
            if self._over():
                return []
            nap = NAP if self.broken or not self.greeted else 1.0
            happened, readable = self.link.wait(max(0.0, min(seconds, nap)), files)
            if happened & IN:
                self._hear()
            elif happened & OUT and not self.broken:
                self._greet()
            if happened & MISHAP or not happened:
                self._look_after()
            self._speak()
            return readable

    def _greet(self) -> None:
        self.greeted = self.link.send(encode(self.stream.hello()))
        if self.greeted:
            self.link.greeted()

    def _look_after(self) -> None:
        """Make a new connection where the old one is broken or silent."""
        mishaps, now = self.link.mishaps(), time.monotonic()
        if mishaps & REFUSED:
            self.failure = Refused(
                "not-paired", "The table does not know this terminal any more: join it again."
            )
            return
        self.broken = self.broken or bool(self.greeted and mishaps)
        silent = now - max(self.heard, self.dialled) > SILENCE
        if (self.broken or silent) and now - self.dialled > REDIAL:
            self.link.close()
            self._dial()

    def _hear(self) -> None:
        frame = self.link.receive()
        self.heard = time.monotonic()
        try:
            told = self.stream.take(frame)
        except (ProtocolError, SealError) as error:
            told = Told(wire.Closed("protocol", f"The host sends what can't be read: {error}"))
            self.stream.note(told.message)
        if told:
            self.told.append(told)

    def _say(self, message: wire.FromPeer) -> None:
        with self.lock:
            self.stream.out.append(message)
            self._speak()

    def _speak(self) -> None:
        """Say what waits; what can't be said now is not said any more, but for moves, which are said again."""
        out = self.stream.out
        while out and self.greeted and not self.closed and self.link.send(encode(out[0])):
            out.popleft()
