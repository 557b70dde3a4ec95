"""A test that stops as soon as it is decided whether one bot is stronger than another.

It is Wald's sequential probability ratio test (Sequential Tests of Statistical Hypotheses, 1945) in its generalized form,
as Fishtest plays it (M. Van den Bergh, The Generalized Maximum Likelihood Ratio for the Expectation Value of a
Distribution): nothing is presumed of how blocks come out. The two hypotheses say only what they are on average, and the
likelihood of each is that of the distribution which fits the blocks best among those with this average (A. Owen, Empirical
Likelihood Ratio Confidence Intervals, 1988).

With the shares x and y that two bots have of the wins, per seat, a difference of E Elo means an average of 0 for
x - y * 10 ** (E / 400): Plackett-Luce from first places, as in the ranking, whoever else is at the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Pair = tuple[float, float]  # the two bots' shares of the wins in a block, per seat
Decision = Literal["stronger", "not stronger"]

# A block won by each, of so little weight, keeps both hypotheses possible when all blocks have come out alike.
RARE = 1e-3
SURE: tuple[Pair, Pair] = ((1.0, 0.0), (0.0, 1.0))


@dataclass(frozen=True)
class Sprt:
    """What is tested: whether the first bot is stronger than the second by `elo1` rather than by `elo0`.

    `alpha` is how often at most it comes out stronger though it is by `elo0` or less, `beta` how often it doesn't though it
    is by `elo1` or more. In between either may come out. Raises ValueError, with a sentence.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not all(math.isfinite(elo) and abs(elo) <= 2000 for elo in (self.elo0, self.elo1)):
            raise ValueError("the two Elo numbers of a sequential test are between -2000 and 2000")
        if self.elo0 >= self.elo1:
            raise ValueError("of the two Elo numbers of a sequential test the first is the smaller: 0,25")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("the errors that a sequential test may make are above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the LLR is at the lower one or below, or at the upper one or above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, blocks: Mapping[Pair, int]) -> float:
        """How much likelier the blocks are by `elo1` than by `elo0`: the logarithm of the ratio."""
        weights: dict[Pair, float] = dict(blocks)
        for sure in SURE:
            weights[sure] = weights.get(sure, 0) + RARE
        return loss(weights, self.elo0) - loss(weights, self.elo1)


@dataclass
class Test:
    """A sequential test as its blocks come in, in their order and none after the last that was needed."""

    __test__ = False  # nothing for pytest

    sprt: Sprt
    blocks: Counter[Pair] = field(default_factory=Counter)

    def count(self, pair: Pair, often: int = 1) -> None:
        """Count a block, or several that have come out alike."""
        self.blocks[pair] += often

    @property
    def llr(self) -> float:
        """Where it stands."""
        return self.sprt.llr(self.blocks)

    @property
    def decision(self) -> Decision | None:
        """What came out; None as long as it is open."""
        llr, (lower, upper) = self.llr, self.sprt.bounds
        return "stronger" if llr >= upper else "not stronger" if llr <= lower else None


def loss(blocks: Mapping[Pair, float], elo: float) -> float:
    """What this Elo costs in likelihood, at least, against the blocks as they came out."""
    ratio = 10 ** (elo / 400)
    values = [(x - ratio * y, weight) for (x, y), weight in blocks.items()]
    tilt = balance(values)
    return math.fsum(weight * math.log1p(tilt * value) for value, weight in values)


def balance(values: Sequence[tuple[float, float]]) -> float:
    """The t for which value / (1 + t * value) is 0 on average: with weights / (1 + t * value) the values are.

    Some are above 0 and some below. By Newton's steps, and halving where they lead out of the bracket.
    """
    low, high = -1 / max(value for value, _ in values), -1 / min(value for value, _ in values)
    tilt = 0.0
    for _ in range(100):
        terms = [(value / (1 + tilt * value), weight) for value, weight in values]
        error = sum(weight * term for term, weight in terms)
        low, high = (tilt, high) if error > 0 else (low, tilt)
        following = tilt + error / sum(weight * term * term for term, weight in terms)
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) <= 1e-12 * (1 + abs(tilt)):
            return following
        tilt = following
    return tilt
