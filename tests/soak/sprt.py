"""How often a sequential test errs, in many matches whose truth is known."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import get_args

import click

from lanplay.arena.sprt import Sprt
from tests.arena.races import Deals, race

TESTS = {Sprt(0, 50): 2, Sprt(0, 100): 4, Sprt(-50, 50): 3, Sprt(0, 200, 0.01, 0.1): 8}


@click.command()
@click.option("--matches", default=2000, show_default=True)
def main(matches: int) -> None:
    """Play matches at the edge of each hypothesis; ends with 1 if one errs more often than it promises."""
    rng, failed = random.Random(1), False
    for sprt, seats in TESTS.items():
        for deals in get_args(Deals):
            for ties in (0.0, 0.3):
                failed |= errs(sprt, seats, deals, ties, matches, rng)
    if failed:
        raise click.ClickException("a test errs more often than it promises")


def errs(sprt: Sprt, seats: int, deals: Deals, ties: float, matches: int, rng: random.Random) -> bool:
    """Print how often, on both sides; true if it is too often."""
    found, blocks, late = [], 0, False
    for truth, allowed, wrong in (
        (sprt.elo0, sprt.alpha, "stronger"),
        (sprt.elo1, sprt.beta, "not stronger"),
    ):
        races = [race(sprt, truth, seats, deals, ties, rng) for _ in range(matches)]
        ends = Counter(end for end, _ in races)
        blocks += sum(number for _, number in races)
        found.append(f"{ends[wrong] / matches:.2%} of {allowed:.0%}")
        late |= ends[wrong] > matches * allowed + 3.1 * math.sqrt(matches * allowed)
    click.echo(
        f"{sprt.elo0:+g} or {sprt.elo1:+g}, {seats} seats, {deals} deals, {ties:.0%} ties: errs {' and '.join(found)}, "
        f"after {blocks / 2 / matches:.0f} blocks"
    )
    return late


if __name__ == "__main__":
    main()
