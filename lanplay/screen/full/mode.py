"""Line mode's twin for the full screen: the same ears and the same words, but what is always in sight is not told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from lanplay.engine.words import SEATS
from lanplay.room.telling import Asks
from lanplay.screen.choice import Choice, verb
from lanplay.screen.line import LineMode, Word
from lanplay.screen.offer import Offer
from lanplay.wire.messages import Status

KEYS = """Up, Down, Left and Right choose from the list, Enter does what is marked with >.
Or type the number of a move, or the move itself, and Enter. Tab completes what is typed.
F5 to F9 do what is out of turn, as the line above the input says. Tab lists all of it; Esc leads back.
F4 lets a move stand that waits for you (ok).
F2 shows more of the table, F3 more of what happened; PgUp and PgDn turn pages.
Ctrl-C or quit leaves; Ctrl-L draws the screen anew. Text is marked and copied as in any terminal: the mouse is not taken."""


class InSight(Offer):
    """What can be done is in a list on the screen: nothing of it is told."""

    def look(self, status: Status, asks: Asks | None, choice: Choice, people: Collection[str]) -> list[str]:
        self.verbs.update(map(verb, choice.legal))
        if asks != "act":
            self.reactions.update(map(verb, choice.legal))
        return []

    def again(self) -> list[str]:
        return []

    def sides(self, asks: Asks | None, legal: Collection[str]) -> tuple[list[str], list[str]]:
        """What is asked of this seat, and what it may do out of turn."""
        if asks != "act":
            return [], list(legal)
        if all(verb(move) in {*self.reactions, "pass"} for move in legal):
            return list(legal), []
        turn = [move for move in legal if verb(move) not in self.reactions]
        return turn, [move for move in legal if verb(move) in self.reactions]


class FullMode(LineMode):
    """One player's, or spectator's, side of a table on the full screen."""

    offer: InSight

    def __init__(
        self, book: Callable[[str], str] = lambda game: "", words: Mapping[str, Word] | None = None
    ) -> None:
        super().__init__(book, words)
        self.offer = InSight()
        self.words["?"] = self.help

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        """What is asked of this seat now, and what it may do out of turn."""
        return self.offer.sides(self.follower.asks, self.follower.legal)

    def board(self) -> list[str]:
        """It is on the screen."""
        return []

    def held(self, seat: str, left: float) -> list[str]:
        """That of others is on the screen as long as it waits."""
        return super().held(seat, left) if SEATS.index(seat) == self.follower.seat else []

    def moves(self, rest: str = "") -> list[str]:
        return ["What you can do is in the list. Type a part of a move to see those with it."]

    def help(self, rest: str = "") -> list[str]:
        return [
            *KEYS.splitlines(),
            *(line for line in super().help() if not line.startswith(("?", "moves "))),
        ]
