"""Tables that differ only in hidden cards, many pairs of them: python -m tests.soak.worlds --pairs 20000."""

from __future__ import annotations

import time
from collections import Counter

import click

from tests.room.worlds import GAMES, Pair


@click.command()
@click.option("--pairs", default=20_000, show_default=True)
@click.option("--seconds", default=300.0, show_default=True, help="No new pair after so long.")
@click.option("--seed", default=0, show_default=True)
def main(pairs: int, seconds: float, seed: int) -> None:
    """Raises at the first pair that a peer could tell apart by bytes, lengths, order or times."""
    counts: Counter[str] = Counter()
    begun, number = time.monotonic(), seed
    while counts["pairs"] < pairs and time.monotonic() - begun < seconds:
        for game in GAMES:
            try:
                Pair(game, number, counts).run()
            except BaseException:
                click.echo(f"at {game}, seed {number}")
                raise
        number += 1
    told = counts.pop("told")
    click.echo(
        f"{counts.pop('pairs')} pairs in {time.monotonic() - begun:.0f} s: {counts.pop('frames')} frames the same, "
        f"with {counts.pop('held')} looks while a discard was held and {counts.pop('races')} while a race was on; "
        f"{told} pairs ended when the rules told the difference"
    )
    click.echo("compared after: " + ", ".join(f"{what} {count}" for what, count in counts.most_common()))


if __name__ == "__main__":
    main()
