"""Any move."""

from __future__ import annotations

from lanplay.bot import Bot, View


class AnyMove(Bot):
    """Any move, but never snaps, and calls in 5 % of its turns."""

    def act(self, view: View) -> str:
        rest = [move for move in view.moves if move != "cambio" and not move.startswith("snap")]
        if "cambio" in view.moves and (not rest or self.rng.random() < 0.05):
            return "cambio"
        return self.rng.choice(rest or view.moves)

    def react(self, view: View) -> str | None:
        return None
