"""A table on a terminal: the host on one side, the keyboard on the other, lines in between."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from lanplay.screen.line import LineMode
from lanplay.screen.talk import Connection, Talk
from lanplay.screen.terminal import show
from lanplay.screen.typed import Typed
from lanplay.wire.messages import FromHost, Refused

TURN = 0.5  # seconds after which the connection is looked at, though nothing came
REST = 0.5  # seconds that a script waits when it was too fast
ENDED = "The input has ended: you leave the table."


class Session(Talk):
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
        super().__init__(peer, mode, show)
        self.typed = typed
        self.last = ""  # what was typed last
        self.rests = 0.0  # until when a script says nothing

    def run(self) -> None:
        """Until `mode.end` is set. Raises HostGone when the host does not come back."""
        try:
            while self.mode.end is None:
                self.look()
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

    def put_off(self, message: FromHost) -> bool:
        """A script says again after a while what came too fast for the host."""
        typed = self.typed
        if not (typed and typed.script and isinstance(message, Refused) and message.code == "slow-down"):
            return False
        typed.lines.appendleft(self.last)
        self.rests = monotonic() + REST
        return True

    def say_all(self) -> None:
        """The typed lines whose time has come."""
        typed = None if self.mode.ending else self.typed
        while typed and typed.lines and self.mode.end is None and not self.mode.busy:
            if typed.script and (monotonic() < self.rests or self.mode.too_early(typed.lines[0])):
                return
            self.say(typed.lines.popleft())
        if typed and typed.ended and not typed.lines and not self.mode.busy and self.mode.end is None:
            self.input_ended(typed)

    def say(self, text: str) -> None:
        self.last = text
        super().say(text)

    def input_ended(self, typed: Typed) -> None:
        """Nothing more can be said: go, unless a script has only run ahead of the game, or this is a spectator."""
        follower = self.mode.follower
        looks_on = follower.welcome is not None and follower.welcome.seat is None
        if not typed.script or not (looks_on or (follower.status and follower.asks != "act")):
            self.show([ENDED])
            self.mode.end = "left"
