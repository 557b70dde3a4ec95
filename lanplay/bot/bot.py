"""The base of every bot."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

from lanplay.bot.view import Info, View
from lanplay.engine.words import Told


class Bot:
    """A scripted player. Only `act` is required::

        class AnyMove(Bot):
            def act(self, view):
                return self.rng.choice(view.moves)

    The same class plays in matches in one process and over the LAN. Use `self.rng` for every random choice: it follows
    from the match's seed, so that a game can be played again.
    """

    rng: Random
    info: Info

    def setup(self, info: Info) -> None:
        """The game is about to begin."""

    def act(self, view: View) -> str:
        """It must answer: one of `view.moves`."""
        raise NotImplementedError(f"{type(self).__name__} has no act(view)")

    def react(self, view: View) -> str | None:
        """Something may be done out of turn: one of `view.moves`, or None.

        By default a card that is known to match the top of the pile is snapped if that pays.
        """
        return best_snap(view)

    def hear(self, fact: Told) -> None:
        """Something happened; `view.facts` has it too."""

    def end(self, result: dict[str, Any]) -> None:
        """The game is over: `winners` and `totals` by seat letters."""


def best_snap(view: View) -> str | None:
    """The snap of a known card that pays most, or None.

    A card of one's own pays its points; another's pays the most that one can give away in return (D6.5).
    """
    top = view.top
    if top is None or not view.info.worth:
        return None
    mine = view.hand(view.seat)
    dearest = max((view.worth(face) for face in mine.values()), default=0.0)
    paying: list[tuple[float, str]] = []
    for move in view.moves:
        verb, _, place = move.partition(" ")
        if verb != "snap":
            continue
        own = place.isdecimal()
        face = view.hand(view.seat if own else place[0]).get(f"{view.seat}{place}" if own else place, "??")
        if face != "??" and face[0] == top[0]:
            paying.append((view.worth(face) if own else dearest, move))
    gain, move = max(paying, default=(0.0, ""))
    return move if gain > 0 else None


def seeded(seed: bytes, place: int) -> Random:
    """The dice of the bot in this place of a match: nothing follows from them about the deck or the others' dice."""
    return Random(hashlib.sha256(seed + b" bot %d" % place).digest())  # noqa: S311 - play, not secrets
