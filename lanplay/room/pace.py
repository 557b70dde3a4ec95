"""Lockstep: how a table of bots goes on without a clock, so that results don't depend on the machine's load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from lanplay.engine.game import Game
from lanplay.engine.shuffle import draw
from lanplay.engine.words import Seat

Question = Literal["act", "react"]
Spelled = TypeVar("Spelled", bound=str)


class Lockstep:
    """Whose word is wanted next, and which of the answers are played.

    At each step all seats to which something is open out of turn are asked first (`react`: a move, or None). If some
    claim it, a seeded draw picks one; if none does, those for whom the game waits are asked (`act`). The same class
    drives matches in one process and tables over the network, and so both play the same game.
    """

    def __init__(self, game: Game, ties: bytes) -> None:
        self.game, self.ties = game, ties
        self.declined = -1  # the step at which nobody had anything to say out of turn

    def questions(self) -> dict[Seat, Question]:
        """Who is asked now; empty when the game is over."""
        table = self.game.table
        if self.declined < self.game.accepted and not self.game.over:
            open_to = [seat for seat in range(self.game.seats) if table.anytime(seat)]
            if open_to:
                return dict.fromkeys(open_to, "react")
        return dict.fromkeys(self.game.must_act, "act")

    def settle(self, answers: Mapping[Seat, Spelled | None]) -> list[tuple[Seat, Spelled]]:
        """The moves to play, in this order, when everybody has answered. The answers must be legal moves.

        Each is to be played only while it is still legal: the one before may have ended what it answers.
        """
        out_of_turn = self.game.table.out_of_turn
        said = [(seat, move) for seat, move in sorted(answers.items()) if move is not None]
        claims = [(seat, move) for seat, move in said if move.split()[0] in out_of_turn]
        if claims:
            return [claims[draw(self.ties, f"tie {self.game.accepted}", len(claims))]]
        if not said:
            self.declined = self.game.accepted
        return said
