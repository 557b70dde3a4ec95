"""A table on a terminal: the host on one side, the keyboard on the other, lines in between."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from lanplay.net.peer import Told
from lanplay.room.witness import PATIENCE
from lanplay.screen.line import LineMode
from lanplay.screen.terminal import show
from lanplay.screen.typed import Typed
from lanplay.wire.messages import Chat, Decline, FromHost, Refused, Welcome

TURN = 0.5  # seconds after which the connection is looked at, though nothing came
LOST = "The host is not heard; trying to reach it again."
REST = 0.5  # seconds that a script waits when it was too fast
HELD_BACK = 1.0  # seconds after which a move without an answer is spoken of
HELD = "The host has not done your move yet: the others may still have a say."
ENDED = "The input has ended: you leave the table."


class Connection(Protocol):
    """What is needed of a lanplay.net.Peer."""

    @property
    def away(self) -> bool: ...
    def receive(self, timeout: float | None = 0) -> Told | None: ...
    def wait(self, *files: Any, timeout: float | None = None) -> list[Any]: ...
    def act(self, move: str, step: int, aim: int) -> bytes: ...
    def tell(self, word: Chat | Decline) -> None: ...
    def leave(self) -> None: ...


class Session:
    """Line mode on a connection, until the game is over, the player leaves, or the host closes.

    A person at a terminal is answered at once. The lines of a script (a pipe, a file) each wait until this seat is
    asked or the line can be done, so a whole game can be written down beforehand; when the input has ended, the player
    leaves as soon as something is asked.
    """

    def __init__(
        self,
        peer: Connection,
        mode: LineMode,
        typed: Typed | None,
        show: Callable[[list[str]], None] = show,
    ) -> None:
        """`typed`: None for who only looks on."""
        self.peer, self.mode, self.typed, self.show = peer, mode, typed, show
        self.lost = False
        self.last = ""  # what was typed last
        self.rests = 0.0  # until when a script says nothing
        self.held_at: float | None = None  # when a move without an answer is to be spoken of
        self.over_at: float | None = None

    def run(self) -> None:
        """Until `mode.end` is set. Raises HostGone when the host does not come back."""
        try:
            while self.mode.end is None:
                self.hear()
                self.watch_connection()
                self.watch_move()
                self.watch_end()
                self.say_all()
                if self.mode.end is None:
                    self.wait()
        finally:
            if self.mode.end != "closed":
                self.peer.leave()

    def wait(self) -> None:
        """Until something comes. What was typed is answered before news is shown: it was meant for what was there."""
        files = [self.typed] if self.typed and not self.typed.ended and self.wants_more(self.typed) else []
        for file in self.peer.wait(*files, timeout=TURN):
            file.read()
            self.say_all()

    def wants_more(self, typed: Typed) -> bool:
        """A script is read no further than it can be followed."""
        return not (typed.script and typed.lines)

    def hear(self) -> None:
        """All that the host has said."""
        while self.mode.end is None and (told := self.peer.receive(0)):
            if self.lost and isinstance(told.message, Welcome):
                self.lost = False
                self.show(["The host is back."])
            lines = self.mode.hear(told.message, told.secret, told.verdict)
            if self.too_fast(told.message):
                return
            self.show(lines)

    def too_fast(self, message: FromHost) -> bool:
        """A script says again after a while what came too fast for the host."""
        typed = self.typed
        if not (typed and typed.script and isinstance(message, Refused) and message.code == "slow-down"):
            return False
        typed.lines.appendleft(self.last)
        self.rests = monotonic() + REST
        return True

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

    def say_all(self) -> None:
        """The typed lines whose time has come."""
        typed = None if self.mode.ending else self.typed
        while typed and typed.lines and self.mode.end is None and not self.mode.busy:
            if typed.script and self.mode.too_early(typed.lines[0]):
                return
            self.say(typed.lines.popleft())
        if typed and typed.ended and not typed.lines and not self.mode.busy and self.mode.end is None:
            self.input_ended(typed)

    def say(self, text: str) -> None:
        self.last = text
        reply = self.mode.say(text)
        self.show(reply.lines)
        if reply.word:
            self.peer.tell(reply.word)
        if reply.move:
            status = self.mode.follower.status
            self.held_at = monotonic() + HELD_BACK
            self.peer.act(reply.move, self.mode.follower.step or 0, status.aim if status else 0)

    def input_ended(self, typed: Typed) -> None:
        """Nothing more can be said: go, unless a script has only run ahead of the game, or this is a spectator."""
        follower = self.mode.follower
        looks_on = follower.welcome is not None and follower.welcome.seat is None
        if not typed.script or not (looks_on or (follower.status and follower.asks != "act")):
            self.show([ENDED])
            self.mode.end = "left"
