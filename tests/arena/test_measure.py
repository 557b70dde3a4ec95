"""Statistics: what is known of the numbers comes out, and nothing is certain too early."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from lanplay.arena.measure import Measure, elos, middle
from lanplay.arena.tally import Sums


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


def test_blocks_of_very_many_kinds_are_measured_as_well() -> None:
    """Of eight bots; against the error that follows from how far the blocks lie apart."""
    rng, blocks = random.Random(4), Counter[tuple[float, ...]]()
    for _ in range(4000):
        winners = Counter(rng.choices(range(8), range(1, 9), k=8))
        blocks[tuple(winners[bot] / 8 for bot in range(8))] += 1
    assert len(blocks) > 1000
    found = Measure(blocks, (1,) * 8, seed=1)
    for bot in (0, 7):
        chance = (bot + 1) / 36
        error = 1.96 * math.sqrt(chance * (1 - chance) / 8 / 4000)
        assert found.interval(bot) == pytest.approx(error, rel=0.2)
        low, high = found.elo_range(bot)
        assert low < found.elo[bot] < high


def test_the_middle_leaves_out_a_fortieth_on_each_side() -> None:
    assert middle(range(80)) == (2, 77)


def likeliest(games: list[tuple[list[int], list[float]]], entries: int) -> list[float]:
    """The strengths under which the winners of these games are likeliest, by Hunter's steps (MM algorithms for generalized
    Bradley-Terry models, 2004). Of each game: the entry in each seat, and each seat's part of the win.
    """
    strengths = [1.0] * entries
    for _ in range(3000):
        wins, chances = [0.0] * entries, [0.0] * entries
        for seats, won in games:
            whole = sum(strengths[entry] for entry in seats)
            for entry, part in zip(seats, won, strict=True):
                wins[entry] += part
                chances[entry] += 1 / whole
        strengths = [win / chance for win, chance in zip(wins, chances, strict=True)]
    return strengths


def test_elo_is_plackett_luce_with_ties_and_several_seats_of_a_bot() -> None:
    """Against an independent computation, game by game and seat by seat: ann has two seats, and ties are shared."""
    rng, names = random.Random(3), [0, 0, 1, 2]
    games, blocks = [], Counter[tuple[float, ...]]()
    for _ in range(40):
        shares = [0.0, 0.0, 0.0]
        for turn in range(4):
            seats = [names[(seat + turn) % 4] for seat in range(4)]
            winners = rng.sample(range(4), k=rng.choice([1, 1, 1, 2, 3]))
            winners += [
                seat for seat in range(4) if seats[seat] == 0 and seat not in winners and rng.random() < 0.2
            ]
            won = [(seat in winners) / len(winners) for seat in range(4)]
            games.append((seats, won))
            for entry, part in zip(seats, won, strict=True):
                shares[entry] += part / 4 / (2 if entry == 0 else 1)
        blocks[tuple(shares)] += 1
    for sure in range(3):  # the block that each alone has won, which the measure adds
        seats = [seat for seat, entry in enumerate(names) if entry == sure]
        for _ in range(4):
            games.append((names, [(seat in seats) / len(seats) for seat in range(4)]))
    strengths = likeliest(games, 3)
    level = sum(map(math.log10, strengths)) / 3
    expected = [400 * (math.log10(strength) - level) for strength in strengths]
    assert Measure(blocks, (2, 1, 1), seed=1).elo == pytest.approx(expected, abs=0.01)


def test_what_duplicate_deals_save_is_known_where_it_is_known() -> None:
    """A coin that decides a deal of two games alike is worth half of two coins; one that decides one against the other,
    with a little of its own, many times more.
    """
    rng = random.Random(2)
    alike, against = Sums(), Sums()
    for _ in range(4000):
        luck = rng.random() < 0.5
        alike.add([luck, luck])
        against.add([luck, (not luck) if rng.random() < 0.9 else luck])
    assert alike.saved(8000, 4000) == pytest.approx(0.5, rel=0.02)
    assert against.saved(8000, 4000) == pytest.approx(5, rel=0.15)
    assert Sums(0, 0, 0, 0).saved(0, 0) is None
    equal = Sums()
    for _ in range(3):
        equal.add([1, 0])
    assert equal.saved(6, 3) is None
