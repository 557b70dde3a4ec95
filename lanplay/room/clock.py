"""How long each seat has been asked, and when its default move is due."""

from __future__ import annotations

from lanplay.engine.game import Game
from lanplay.engine.words import Seat


class Clock:
    """Times are the caller's, in seconds; None in place of a limit is for ever.

    `rules` is whether the limits of the rules count too, such as C7.7's: not where only bots sit, who are waited for.
    """

    def __init__(self, turn_time: float | None, rules: bool) -> None:
        self.turn_time, self.rules = turn_time, rules
        self.asked: dict[Seat, tuple[object, float]] = {}  # what a seat is asked, and since when

    def look(self, game: Game, now: float, acted: Seat | None = None) -> None:
        """After each step: who is asked something new, or has just acted and is asked again, gets new time."""
        before, self.asked = self.asked, {}
        for seat in game.must_act:
            question = (game.table.round, game.table.ask)
            old, since = before.get(seat, (None, now))
            self.asked[seat] = (question, since if old == question and seat != acted else now)

    def since(self, seat: Seat) -> float:
        """When a seat that is asked was asked, or has last moved."""
        return self.asked[seat][1]

    def due_at(self, game: Game) -> dict[Seat, float]:
        """When the default move of each seat that is asked is due; empty if there is no limit."""
        seconds = game.table.ask.seconds(game.table) if self.rules else None
        limit = self.turn_time if seconds is None else seconds
        return {} if limit is None else {seat: since + limit for seat, (_, since) in self.asked.items()}
