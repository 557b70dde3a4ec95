"""What one peer may send: kept by its key, so that neither a new connection nor a new hello gives it more."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from lanplay.net.line import Line
from lanplay.room.limits import Bucket
from lanplay.wire import messages as wire

RATE, BURST = 100.0, 300  # messages a second, and at once; one more for each question that it was asked
ANEW_RATE, ANEW_BURST = 1.0, 8  # hellos and catch-ups: few bytes, and each may bring the whole position
MALFORMED = 5  # messages in a minute that can't be read: the peer is removed

Anew = (wire.Hello, wire.CatchUp)


class Later(NamedTuple):
    """A hello or catch-up that came too soon, and where it came from."""

    route: bytes
    line: Line | None
    message: wire.FromPeer


class Allowance:
    """The limits of one key. `later` is the last hello or catch-up that has to wait: it stands for all before it."""

    def __init__(self) -> None:
        self.messages, self.anew = Bucket(RATE, BURST), Bucket(ANEW_RATE, ANEW_BURST)
        self.later: Later | None = None
        self.unread: deque[float] = deque()  # when something came that could not be read

    def asked(self) -> None:
        """The peer was asked something, and may answer, however fast that goes on."""
        self.messages.left += 1

    def too_soon(self, message: wire.FromPeer, now: float) -> bool:
        """This brings much, and has come too often."""
        return isinstance(message, Anew) and not self.anew.take(now)

    def due(self, now: float) -> Later | None:
        """What had to wait, if its time has come."""
        if self.later is None or not self.anew.take(now):
            return None
        later, self.later = self.later, None
        return later

    def malformed(self, now: float) -> bool:
        """Something came that nobody may send. True: that is enough of it."""
        self.unread.append(now)
        while self.unread[0] < now - 60:
            self.unread.popleft()
        return len(self.unread) >= MALFORMED
