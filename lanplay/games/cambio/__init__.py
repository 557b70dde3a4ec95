"""Cambio, with 54 cards and with 52: end the round with the lowest hand (seeds/cambio.md, seeds/cambio52.md)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.game import Rules, sums
from lanplay.engine.words import Round, Seat
from lanplay.games.cambio.moves import read
from lanplay.games.cambio.options import CAMBIO, CAMBIO52, CambioOptions
from lanplay.games.cambio.table import Cambio

__all__ = ["GAMES", "Cambio", "CambioOptions"]


def standing(options: CambioOptions, rounds: Sequence[Round]) -> tuple[Seat, ...] | None:
    """Who has won the game, or None before its last round."""  # C1.1 C1.3
    if len(rounds) < options.rounds:
        return None
    if len(rounds) == 1:
        return rounds[0].winners
    totals = sums(rounds, len(rounds[0].points))
    return tuple(seat for seat, total in enumerate(totals) if total == min(totals))


GAMES = (
    Rules("cambio", "Cambio", 1, range(2, 9), CAMBIO, Cambio, read, standing, sums, "cambio.md"),
    Rules(
        "cambio52", "Cambio, 52 cards", 1, range(2, 9), CAMBIO52, Cambio, read, standing, sums, "cambio52.md"
    ),
)
