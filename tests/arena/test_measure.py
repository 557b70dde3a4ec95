"""Statistics: what is known of the numbers comes out, and nothing is certain too early."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from lanplay.arena.measure import Measure, elos, middle


def measure(*blocks: tuple[float, ...], seats: tuple[int, ...] = (1, 1)) -> Measure:
    return Measure(Counter(blocks), seats, seed=1)


def test_elo_is_a_matter_of_first_places() -> None:
    strong, weak = elos((0.75, 0.25))
    assert strong - weak == pytest.approx(400 * 0.47712, abs=0.01)
    assert sum(elos((0.5, 0.3, 0.2))) == pytest.approx(0)


def test_a_bot_that_never_won_is_weaker_but_not_endlessly() -> None:
    never = measure(*[(1.0, 0.0)] * 20)
    low, high = never.elo_range(1)
    assert -2000 < low < never.elo[1] < high < 0


@pytest.mark.parametrize(("wins", "likelihood"), [(1, 0.75), (2, 0.875), (4, 0.969)])
def test_few_wins_prove_little(wins: int, likelihood: float) -> None:
    """As many wins in a row as by a fair coin have a chance of 1 - 2 ** -(wins + 1)."""
    assert measure(*[(1.0, 0.0)] * wins).better(0, 1) == pytest.approx(likelihood, abs=0.04)


def test_equal_bots_are_equal() -> None:
    equal = measure(*[(0.5, 0.5)] * 300)
    assert equal.better(0, 1) == pytest.approx(0.5, abs=0.05)
    assert equal.elo == [0, 0]
    assert equal.interval(0) < 0.01


def test_a_bot_alone_is_exactly_its_share() -> None:
    alone = measure(*[(0.25,)] * 10, seats=(4,))
    assert alone.interval(0) == 0
    assert alone.elo == [0]


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_intervals_hold_what_they_promise(share: float) -> None:
    """Of many matches whose true share is known, about 95 in 100 have it within their interval."""
    rng, hits = random.Random(5), 0
    for match in range(200):
        wins = [float(rng.random() < share) for _ in range(60)]
        found = Measure(Counter((win, 1 - win) for win in wins), (1, 1), match).interval(0)
        hits += abs(sum(wins) / 60 - share) <= found
    assert 178 <= hits <= 198


def test_the_middle_leaves_out_a_fortieth_on_each_side() -> None:
    assert middle(range(80)) == (2, 77)
