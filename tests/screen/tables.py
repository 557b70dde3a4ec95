"""Line modes around a room, without sockets."""

from __future__ import annotations

from typing import Any

from lanplay.screen.line import LineMode, Reply
from tests.room.table import Around


class Table:
    """A room and the line mode of each peer; `lines["Ann"]` is what Ann's terminal showed."""

    def __init__(self, *names: str, game: str = "cambio", **more: Any) -> None:
        self.around = Around(game, more.pop("size", len(names)), **more)
        self.modes: dict[bytes, LineMode] = {}
        self.keys: dict[str, bytes] = {}
        self.lines: dict[str, list[str]] = {}
        self.told = 0
        for name in names:
            self.join(name)

    def join(self, name: str, role: str = "sit") -> LineMode:
        key = self.keys[name] = name.encode().ljust(32)
        self.modes[key] = LineMode(lambda game: f"# {game}\n- C1.1 Be first.\n  And last.\n- C1.2 More.\n")
        self.lines[name] = []
        self.around.join(name, role, peer=key)
        self.deliver()
        return self.modes[key]

    def mode(self, name: str) -> LineMode:
        return self.modes[self.keys[name]]

    def deliver(self) -> None:
        """What the room has sent reaches the terminals."""
        sends, names = self.around.sends, {key: name for name, key in self.keys.items()}
        while self.told < len(sends):
            send = sends[self.told]
            self.told += 1
            if send.peer in names:
                self.lines[names[send.peer]] += self.modes[send.peer].hear(send.message, send.secret)

    def type(self, name: str, text: str) -> Reply:
        """Somebody types a line: what is printed at once stands in the reply, what follows in `lines`."""
        mode = self.mode(name)
        reply = mode.say(text)
        self.lines[name] += reply.lines
        if reply.move:
            seat = mode.follower.welcome.seat if mode.follower.welcome else None
            self.around.act(seat or "A", reply.move)
            self.deliver()
        return reply

    def news(self, name: str) -> list[str]:
        """What the terminal has shown since this was asked last."""
        lines, self.lines[name] = self.lines[name], []
        return lines
