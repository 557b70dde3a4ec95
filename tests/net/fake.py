"""A room without a game: it welcomes everybody, answers every move, and keeps what it heard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.peer import Peer, Told
from lanplay.wire import messages as wire
from lanplay.wire.send import Send

SECRET = wire.Secret(["draw", "cambio"], ["KS"])
SEATS = "ABCDEFGH"


def status(round_: int = 1) -> wire.Status:
    return wire.Status(round_, False, ["A"], "Draw.", True, 3, {"A": 1}, None, {"caller": None}, 3.5)


class FakeRoom:
    """Everybody who says hello gets the next seat, or looks on."""

    def __init__(self) -> None:
        self.wake: float | None = None
        self.log: list[tuple[bytes, wire.FromPeer | str]] = []
        self.seats: dict[bytes, str | None] = {}
        self.story: list[Send] = []  # sent to who catches up, after a start
        self.changed = threading.Condition()

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> list[Send]:
        self.note(peer, message)
        if isinstance(message, wire.Hello):
            return self.welcome(peer, message)
        if isinstance(message, wire.Act):
            return [Send(peer, wire.Accepted(message.id, message.step)), self.update(peer, message.step + 1)]
        if isinstance(message, wire.CatchUp):
            return [Send(peer, wire.Start(0, [], [], "clock")), self.update(peer, (message.since or 0) + 1)]
        return []

    def lost(self, peer: bytes, now: float) -> list[Send]:
        self.note(peer, "lost")
        return []

    def measured(self, peer: bytes, trip: float, kernel: float | None) -> None:
        self.note(peer, "measured")

    def tick(self, now: float) -> list[Send]:
        self.wake = None
        self.note(b"", "tick")
        return []

    def note(self, peer: bytes, what: wire.FromPeer | str) -> None:
        with self.changed:
            self.log.append((peer, what))
            self.changed.notify_all()

    def welcome(self, peer: bytes, hello: wire.Hello) -> list[Send]:
        if hello.name == "nobody":
            return [Send(peer, wire.Closed("full", "All seats are taken."))]
        free = (seat for seat in SEATS if seat not in self.seats.values())
        seat = self.seats.setdefault(peer, next(free) if hello.role == "sit" else None)
        return [
            Send(peer, wire.Welcome(1, "fake", "fake", {}, 2, seat, bytes(32), False)),
            Send(peer, wire.Seats(0, [], 0, False)),
        ]

    def update(self, peer: bytes, step: int, secret: wire.Secret | None = SECRET) -> Send:
        seated = self.seats.get(peer) is not None
        return Send(peer, wire.Update(0, step, [], status(), [], "act"), secret if seated else None, 64)

    def wait_for(self, found: Callable[[], object], seconds: float = 10) -> None:
        """Until something is so in the log."""
        with self.changed:
            assert self.changed.wait_for(found, seconds), self.log

    def heard(self, kind: type[Any] | str) -> list[Any]:
        """All messages of this kind, or all the peers of which this word was noted."""
        if isinstance(kind, str):
            return [peer for peer, what in self.log if what == kind]
        return [what for _, what in self.log if isinstance(what, kind)]


peers: list[Peer] = []  # closed at the end of each test


def join(host: Host, name: str = "Ben", **more: Any) -> Peer:
    """Come in with the ticket of this machine, and hear the welcome and the seats."""
    table = next(found for found in find() if found.table_id == host.table_id)
    return greeted(Peer.connect(pair(table, name=name), name, **more))


def greeted(peer: Peer) -> Peer:
    peers.append(peer)
    assert isinstance(hear(peer).message, wire.Welcome)
    assert isinstance(hear(peer).message, wire.Seats)
    return peer


def hear(peer: Peer, seconds: float = 10) -> Told:
    """The next message."""
    told = peer.receive(seconds)
    assert told is not None, "nothing came"
    return told


def eventually(so: Callable[[], object], seconds: float = 10) -> None:
    """For what no message tells of."""
    until = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < until
        time.sleep(0.01)


def accepted(peer: Peer, step: int) -> None:
    """Make a move, and hear that it was accepted and what came of it."""
    act = peer.act("draw", step, 0)
    answer, update = hear(peer), hear(peer)
    assert answer.message == wire.Accepted(act, step)
    assert isinstance(update.message, wire.Update)
    assert update.message.step == step + 1
    assert update.secret == (SECRET if peer.welcome and peer.welcome.seat else None)
