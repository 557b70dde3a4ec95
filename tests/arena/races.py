"""Matches without games: the winners are drawn, with strengths that are known, and as alike within a deal as is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Literal

from lanplay.arena.sprt import Pair, Sprt, Test

MOST = 20_000  # blocks
Deals = Literal["single", "duplicate", "one-sided"]


def race(
    sprt: Sprt, truth: float, seats: int, deals: Deals, ties: float, rng: Random
) -> tuple[str | None, int]:
    """A match until it is decided: what came out, after how many blocks. The first is `truth` Elo above each other."""
    strengths = [10 ** (truth / 400), *[1.0] * (seats - 1)]
    chances = [strength / sum(strengths) for strength in strengths]
    test = Test(sprt)
    for number in range(1, MOST):
        test.count(tie(chances) if rng.random() < ties else block(chances, deals, rng))
        if test.decision:
            return test.decision, number
    return None, MOST


def tie(chances: Sequence[float]) -> Pair:
    """A block that tells nothing."""
    return chances[0], chances[1]


def block(chances: Sequence[float], deals: Deals, rng: Random) -> Pair:
    """A deal in all rotations: the shares of the first two bots.

    Duplicate deals spread the luck evenly over the games (systematic sampling), one-sided ones are won by the same bot in
    each game, single ones know nothing of each other. The chance of each game is the same in all three.
    """
    seats, luck = len(chances), rng.random()
    draws = {
        "single": [rng.random() for _ in chances],
        "duplicate": [(luck + turn / seats) % 1 for turn in range(seats)],
        "one-sided": [luck] * seats,
    }[deals]
    edges = list(accumulate(chances))
    winners = [next((bot for bot, edge in enumerate(edges) if draw < edge), seats - 1) for draw in draws]
    return winners.count(0) / seats, winners.count(1) / seats
