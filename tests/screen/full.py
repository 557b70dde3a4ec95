"""Somebody at the full screen of a table in this process: keys go in, the screen is read as text."""

from __future__ import annotations

from typing import Any

from lanplay.screen.full.client import REACTION, Client
from lanplay.screen.full.mode import FullMode
from lanplay.screen.full.picture import Size, picture
from lanplay.screen.full.text import bare, width_of
from lanplay.wire import messages as wire
from tests.screen.tables import Table
from tests.screen.test_session import Line

STANDARD = Size(80, 24)
BOOK = "# A book\n- C1.1 Be first.\n"


class Sits(Line):
    """A connection of whoever sits at this seat."""

    def __init__(self, table: Table, name: str, seat: str) -> None:
        super().__init__(table)
        self.key, self.seat = table.keys[name], seat

    def act(self, move: str, step: int, aim: int) -> bytes:
        self.table.around.act(self.seat, move, step, aim)
        return b""

    def tell(self, word: wire.Chat | wire.Decline) -> None:
        self.table.around.say(self.key, word)


class Player:
    """Ann, at seat A if no other is named. Time passes when it is told to."""

    def __init__(self, table: Table, name: str = "Ann", seat: str = "A") -> None:
        self.table, self.now = table, 100.0
        self.line = Sits(table, name, seat)
        self.client = Client(self.line, FullMode(lambda game: BOOK), ["Welcome, [b]Ann[/b]."])
        self.look()
        self.wait()

    def wait(self, seconds: float = 1.0) -> None:
        self.now += seconds

    def look(self) -> None:
        self.table.deliver()
        self.client.hear_all(self.now)

    def type(self, text: str) -> None:
        """Letters, without Enter."""
        self.client.typed(text, self.now)

    def enter(self, text: str | None = None, hasty: bool = False) -> None:
        """What is typed, after a look at the table if not `hasty`; without a text only the key."""
        if text is not None:
            if not hasty:
                self.seen()
            self.type(text)
        self.client.enter(self.now)
        self.look()

    def react(self, key: int) -> None:
        self.client.react(key, self.now)
        self.look()

    def other(self, name: str, text: str) -> None:
        """Somebody else types a line; a moment later it has been seen."""
        self.table.type(name, text)
        self.look()

    def seen(self) -> None:
        """Time enough to have seen what is there."""
        self.wait(REACTION * 2)

    def shows(self, size: Size = STANDARD) -> list[str]:
        """The screen, row by row; all rows must be as wide as it, and as many."""
        shown = picture(self.client, size, self.now)
        assert {width_of(line) for line in [*shown.lines, shown.foot]} == {size.width}
        assert len(shown.lines) == size.height - 2
        return [bare(line).rstrip() for line in [*shown.lines, shown.foot]]

    def reads(self, size: Size = STANDARD) -> str:
        return "\n".join(self.shows(size))

    def moves(self) -> list[str]:
        """The moves that the game has done."""
        return [
            line.split("@")[0].split(maxsplit=1)[1].strip()
            for line in self.table.around.record.splitlines()
            if line[:2] in ("A ", "B ", "C ")
        ]


def begun(**more: Any) -> Player:
    """Ann and Bob have declined the first peek; it is Ann's turn."""
    table = Table("Ann", "Bob", **more)
    table.type("Bob", "pass")
    player = Player(table)
    player.enter("pass")
    player.seen()
    return player
