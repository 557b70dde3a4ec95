"""The sequential test: its errors are those that it promises, and nothing it is given makes nonsense of it."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from lanplay.arena.report import sprt_line
from lanplay.arena.sprt import Pair, Sprt, Test
from tests.arena.races import Deals, race

BOUND = math.log(19)


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 25).bounds == pytest.approx((-BOUND, BOUND))
    assert Sprt(0, 25, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_with_two_outcomes_it_is_walds_test_of_a_coin() -> None:
    """Then each hypothesis leaves only one distribution, and the likelihoods are known."""
    wins, losses, chance = 130, 70, 1 / (1 + 10 ** (-100 / 400))
    known = wins * math.log(chance / 0.5) + losses * math.log((1 - chance) / 0.5)
    assert Sprt(0, 100).llr({(1.0, 0.0): wins, (0.0, 1.0): losses}) == pytest.approx(known, abs=1e-3)


def test_with_three_outcomes_the_likelihoods_are_the_greatest_that_there_are() -> None:
    """Against a search through all distributions with the average that a hypothesis says."""
    blocks: dict[Pair, int] = {(1.0, 0.0): 30, (0.5, 0.5): 50, (0.0, 1.0): 20}

    def best(elo: float) -> float:
        mean = 1 / (1 + 10 ** (-elo / 400))  # wins + ties / 2
        ties = (n / 10_000 for n in range(1, 10_000))
        likelihoods = [
            30 * math.log(mean - tie / 2) + 50 * math.log(tie) + 20 * math.log(1 - mean - tie / 2)
            for tie in ties
            if mean > tie / 2 and 1 - mean > tie / 2
        ]
        return max(likelihoods)

    assert Sprt(0, 60).llr(blocks) == pytest.approx(best(60) - best(0), abs=1e-3)


@pytest.mark.parametrize("sprt", [Sprt(0, 25), Sprt(-10, 10), Sprt(0, 800), Sprt(100, 101)])
@pytest.mark.parametrize("pair", [(0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.125, 0.125)])
def test_blocks_that_all_come_out_alike_are_no_nonsense(sprt: Sprt, pair: Pair) -> None:
    """No variance, ties only, one block, blocks that neither has won anything in."""
    assert sprt.llr({}) == pytest.approx(0, abs=0.01)
    for blocks in (1, 2, 1000, 100_000):
        llr = sprt.llr({pair: blocks})
        assert math.isfinite(llr)
        if pair == (1.0, 0.0):
            assert llr > 0
        elif pair == (0.0, 1.0) or (pair[0] == pair[1] > 0 and sprt.elo0 >= 0):
            assert llr < 0


def test_equal_bots_are_found_not_to_be_stronger_without_a_single_difference() -> None:
    test = Test(Sprt(0, 25))
    while test.decision is None:
        test.count((0.5, 0.5))
    assert test.decision == "not stronger"
    assert 30 < test.blocks.total() < 120


@pytest.mark.parametrize(
    ("seats", "deals", "ties", "sprt"),
    [
        (2, "single", 0.0, Sprt(0, 150)),
        (2, "duplicate", 0.3, Sprt(0, 100, 0.1, 0.1)),
        (2, "one-sided", 0.0, Sprt(-100, 100)),
        (4, "single", 0.2, Sprt(-50, 150)),
        (3, "duplicate", 0.0, Sprt(0, 200, 0.1, 0.02)),
    ],
)
def test_its_errors_are_those_that_it_promises(seats: int, deals: Deals, ties: float, sprt: Sprt) -> None:
    """Of matches whose truth is at the edge of a hypothesis; `python -m tests.soak.sprt` plays many more."""
    rng, matches = random.Random(7), 80
    for truth, allowed, wrong in (
        (sprt.elo0, sprt.alpha, "stronger"),
        (sprt.elo1, sprt.beta, "not stronger"),
    ):
        ends = Counter(race(sprt, truth, seats, deals, ties, rng)[0] for _ in range(matches))
        # As often as is likely to once in a thousand if the promise is just held.
        assert ends[wrong] <= matches * allowed + 3.1 * math.sqrt(matches * allowed)
        assert ends[None] == 0


def test_what_it_says() -> None:
    test = Test(Sprt(0, 100))
    assert sprt_line(test, "ann", "bob", 0).startswith(
        "SPRT: not decided whether ann is stronger than bob by 100 Elo or more, or by 0 or less (LLR "
    )
    test.count((1.0, 0.0), 12)
    assert sprt_line(test, "ann", "bob", 12) == (
        "SPRT: ann is stronger than bob by 100 Elo or more, rather than by 0 or less "
        "(LLR 2.96, bounds -2.94, 2.94) after 12 blocks."
    )
    test.count((0.0, 1.0), 100)
    assert "ann is not stronger than bob by 100 Elo or more, rather by 0 or less" in sprt_line(
        test, "ann", "bob", 112
    )


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((25, 0), "the first is the smaller"),
        ((0, 0), "the first is the smaller"),
        ((math.nan, 0), "between"),
        ((0, 1e9), "between"),
        ((0, 25, 0.6), "below 0.5"),
        ((0, 25, 0.05, 0), "above 0"),
    ],
)
def test_a_test_that_makes_no_sense_says_why(numbers: tuple[float, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Sprt(*numbers)
