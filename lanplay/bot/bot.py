"""The base of every bot."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any, ClassVar

from lanplay.bot.facts import Fact
from lanplay.bot.view import Info, View


class Bot:
    """A scripted player. Only `act` is required::

        class AnyMove(Bot):
            def act(self, view):
                return self.rng.choice(view.moves)

    The same class plays in matches in one process, in a process of its own (`apart:mine.py`) and over the LAN. Use
    `self.rng` for every random choice: it follows from the match's seed, so that a game can be played again. `self.info`
    is what was told before the game.

    An exception, or an answer that is not offered, is a fault: the default move is made in its place (`pass`, else `draw`,
    else `discard`, else the first), and after five faults in a game for the rest of it. What is printed goes to standard
    error.

    `games` are the names of the games that it plays; without any it sits down at every game, as one that only chooses among
    `view.moves` can. At a table of another game it is not seated.
    """

    games: ClassVar[tuple[str, ...]] = ()
    rng: Random
    info: Info

    def setup(self, info: Info) -> None:
        """The game is about to begin. `self.rng` and `self.info` are there, which they are not in `__init__`."""

    def act(self, view: View) -> str:
        """The game waits for this seat: one of `view.moves`."""
        raise NotImplementedError(f"{type(self).__name__} has no act(view)")

    def react(self, view: View) -> str | None:
        """Something is open to this seat out of turn: one of `view.moves`, or None to let it be.

        By default a card that is known to match the top of the pile is snapped if that pays. At a table with people it may
        be asked again at each change, for as long as it is open.
        """
        return best_snap(view)

    def hear(self, fact: Fact) -> None:
        """Something happened; `view.facts` has it too, with the next question."""

    def end(self, result: dict[str, Any]) -> None:
        """The game is over: `result["winners"]` are seats, `result["totals"]` the points of each."""


def best_snap(view: View) -> str | None:
    """The snap of a known card that pays most, or None.

    A card of one's own pays its points; another's pays the most that one can give away in return (D6.5).
    """
    paying: list[tuple[float, str]] = []
    for place in view.matching:
        own = place[0] == view.seat
        move = f"snap {place[1:] if own else place}"
        if move in view.moves and view.info.worth:
            paying.append((view.expected(place) if own else dearest(view), move))
    gain, move = max(paying, default=(0.0, ""))
    return move if gain > 0 else None


def dearest(view: View) -> float:
    """What the dearest card in one's own hand counts."""
    return max(map(view.expected, view.hand(view.seat)), default=0.0)


def seeded(seed: bytes, place: int) -> Random:
    """The dice of the bot in this place of a match: nothing follows from them about the deck or the others' dice."""
    return Random(hashlib.sha256(seed + b" bot %d" % place).digest())  # noqa: S311 - play, not secrets
