"""Keys for what can be done out of turn. A move keeps its key as long as it can be had, and gets it back later."""

from __future__ import annotations

from collections.abc import Sequence

KEYS = (5, 6, 7, 8, 9)  # of the function keys


class Keys:
    """Which key does which move, and since when."""

    def __init__(self) -> None:
        self.moves: dict[int, str] = {}
        self.since: dict[int, float] = {}
        self.home: dict[str, int] = {}  # the key that a move had last

    def offer(self, moves: Sequence[str], now: float) -> None:
        """What can be done now."""
        kept = {key: move for key, move in self.moves.items() if move in moves}
        for move in moves:
            if move in kept.values():
                continue
            free = [key for key in (self.home.get(move), *KEYS) if key and key not in kept]
            if free:
                kept[free[0]], self.since[free[0]], self.home[move] = move, now, free[0]
        self.moves = dict(sorted(kept.items()))

    def move(self, key: int, until: float) -> str:
        """What the key has meant since then at the latest; empty if nothing."""
        return self.moves.get(key, "") if self.since.get(key, 0.0) <= until else ""
