"""What blocks of games prove: intervals, strengths, who is better.

All of it comes from one set of draws, a Bayesian bootstrap over blocks: each block gets a random weight, again and again,
and what comes out is how far chance reaches. To the blocks played one is added for each bot, won by it alone: so that two
games without a loss don't prove that somebody can't lose.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

Shares = tuple[float, ...]  # of the wins, for each bot, per seat it had

DRAWS = 1000
FEWEST = 300
WORK = 1_000_000  # numbers that are looked at in all draws together, about, at most
GROUPS = 250  # kinds of blocks that are told apart


class Measure:
    """The strengths of the bots of a match, from how often each block's shares came out.

    `seats` is how many each of the bots had.
    """

    def __init__(self, blocks: Mapping[Shares, int], seats: Sequence[int], seed: int) -> None:
        self.seats = seats
        sure = [tuple((n == bot) / count for n in range(len(seats))) for bot, count in enumerate(seats)]
        self.counts = Counter(blocks)
        self.counts.update(sure)
        self.elo = elos(weighted(self.counts))
        self.draws = list(self.drawn(Random(seed)))  # noqa: S311 - statistics

    def drawn(self, rng: Random) -> Iterator[Shares]:
        """Shares as they might have come out. Equal blocks are weighed together, which comes to the same.

        If they are of too many kinds, blocks are thrown together by chance and a group has one weight: the means of groups
        vary as much less as there are fewer of them.
        """
        few = len(self.counts) <= GROUPS
        kinds = self.counts if few else grouped(self.counts, rng)
        draws = min(DRAWS, max(FEWEST, WORK // (len(kinds) * len(self.seats))))
        for _ in range(draws):
            yield weighted(
                {
                    block: rng.gammavariate(count, 1) if few else count * rng.expovariate(1)
                    for block, count in kinds.items()
                }
            )

    def interval(self, bot: int) -> float:
        """Half of what 95 % of the draws cover."""
        low, high = middle([draw[bot] for draw in self.draws])
        return (high - low) / 2

    def elo_range(self, bot: int) -> tuple[float, float]:
        """What 95 % of the draws cover."""
        return middle([elos(draw)[bot] for draw in self.draws])

    def better(self, bot: int, other: int) -> float:
        """The likelihood that the bot is stronger than the other."""
        above = sum((draw[bot] > draw[other]) + (draw[bot] == draw[other]) / 2 for draw in self.draws)
        return above / len(self.draws)


def grouped(counts: Counter[Shares], rng: Random) -> Counter[Shares]:
    """The means of blocks that are thrown together by chance, and how many each is of."""
    groups: list[list[Shares]] = [[] for _ in range(GROUPS)]
    for block in counts.elements():
        groups[rng.randrange(GROUPS)].append(block)
    means: Counter[Shares] = Counter()
    for group in filter(None, groups):
        means[weighted(Counter(group))] += len(group)
    return means


def weighted(blocks: dict[Shares, float] | Counter[Shares]) -> Shares:
    """The mean of the blocks, each with its weight."""
    total = sum(blocks.values())
    columns = zip(*([share * weight for share in block] for block, weight in blocks.items()), strict=True)
    return tuple(sum(column) / total for column in columns)


def middle(values: Sequence[float]) -> tuple[float, float]:
    """The ends of the middle 95 %."""
    ordered = sorted(values)
    cut = len(ordered) // 40
    return ordered[cut], ordered[-1 - cut]


def elos(shares: Shares) -> list[float]:
    """Against the average bot, by Plackett–Luce from first places: all play in every game, so strengths are as shares."""
    logs = [400 * math.log10(share) for share in shares]
    average = sum(logs) / len(logs)
    return [log - average for log in logs]
