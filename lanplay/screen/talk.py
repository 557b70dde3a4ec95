"""What passes between a person's mode and the connection, whatever the screen looks like. Nothing here waits."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple, Protocol

from lanplay.net.peer import Told
from lanplay.room.witness import PATIENCE
from lanplay.screen.line import LineMode, Reply
from lanplay.wire.messages import Chat, Decline, FromHost, Welcome

LOST = "The host is not heard; trying to reach it again."
BACK = "The host is back."
HELD_BACK = 1.0  # seconds after which a move without an answer is spoken of
HELD = "The host has not done your move yet: the others may still have a say."


class Connection(Protocol):
    """What is needed of a lanplay.net.Peer."""

    @property
    def away(self) -> bool: ...
    def receive(self, timeout: float | None = 0) -> Told | None: ...
    def wait(self, *files: Any, timeout: float | None = None) -> list[Any]: ...
    def fileno(self) -> int: ...
    def act(self, move: str, step: int, aim: int) -> bytes: ...
    def tell(self, word: Chat | Decline) -> None: ...
    def leave(self) -> None: ...


class Seen(NamedTuple):
    """What a move answers: the step, and what a move out of turn would be aimed at."""

    step: int
    aim: int


class Talk:
    """A mode on a connection: `look` takes in what has come, `say` what was typed."""

    def __init__(self, peer: Connection, mode: LineMode, show: Callable[[list[str]], None]) -> None:
        self.peer, self.mode, self.show = peer, mode, show
        self.lost = False
        self.held_at: float | None = None  # when a move without an answer is to be spoken of
        self.over_at: float | None = None

    def look(self) -> None:
        """All that has happened since the last time. Raises HostGone when the host does not come back."""
        self.hear()
        self.watch_connection()
        self.watch_move()
        self.watch_end()

    def hear(self) -> None:
        """All that the host has said."""
        while self.mode.end is None and (told := self.peer.receive(0)):
            if self.lost and isinstance(told.message, Welcome):
                self.lost = False
                self.show([BACK])
            lines = self.mode.hear(told.message, told.secret, told.verdict)
            if self.put_off(told.message):
                return
            self.show(lines)

    def put_off(self, message: FromHost) -> bool:
        """Whether this is not told, and nothing more is heard for now."""
        return False

    def watch_connection(self) -> None:
        if self.peer.away and not self.lost:
            self.lost = True
            self.show([LOST])

    def watch_move(self) -> None:
        """A move that takes long is spoken of once."""
        if not self.mode.busy:
            self.held_at = None
        elif self.held_at is not None and monotonic() >= self.held_at and not self.lost:
            self.held_at = None
            self.show([HELD])

    def watch_end(self) -> None:
        """A host that does not prove its deals is not waited for any longer."""
        now = monotonic()
        if self.mode.ending and self.over_at is None:
            self.over_at = now
        elif self.mode.ending and self.over_at is not None and now - self.over_at > PATIENCE:
            self.show(self.mode.judged())

    def say(self, text: str) -> None:
        """Something was typed."""
        self.do(self.mode.say(text), self.seen)

    @property
    def seen(self) -> Seen:
        """How things stand, as far as it has been heard."""
        status = self.mode.follower.status
        return Seen(self.mode.follower.step or 0, status.aim if status else 0)

    def do(self, reply: Reply, seen: Seen) -> None:
        """What is to be done about something typed that was meant for what was seen."""
        self.show(reply.lines)
        if reply.word:
            self.peer.tell(reply.word)
        if reply.move:
            self.held_at = monotonic() + HELD_BACK
            self.peer.act(reply.move, seen.step, seen.aim)
