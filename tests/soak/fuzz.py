"""Random messages against rooms, many of them: python -m tests.soak.fuzz --frames 1000000 --seconds 300."""

from __future__ import annotations

import time
from collections import Counter

import click
import psutil

from tests.room.fuzz import GAMES, Fuzz

WARM = 5  # tables of each game after which the memory should not grow any more
EACH = 500  # frames a table


@click.command()
@click.option("--frames", default=1_000_000, show_default=True)
@click.option("--seconds", default=300.0, show_default=True, help="No new table after so long.")
@click.option("--seed", default=0, show_default=True)
def main(frames: int, seconds: float, seed: int) -> None:
    """Nothing that peers say breaks a room: raises at the first table where something does."""
    counts: Counter[str] = Counter()
    begun, table, before = time.monotonic(), 0, 0
    while counts["frames"] < frames and time.monotonic() - begun < seconds:
        for game in GAMES:
            try:
                Fuzz(game, seed + table, counts).run(EACH)
            except BaseException:
                click.echo(f"at {game}, seed {seed + table}")
                raise
        table += 1
        if table == WARM:
            before = memory()
    click.echo(
        f"{counts['frames']} frames at {table * len(GAMES)} tables in {time.monotonic() - begun:.0f} s: "
        f"{counts['accepted']} moves accepted, {counts['refused']} refused, {counts['repeated']} answered again, "
        f"{counts['unreadable']} frames unreadable; memory {before >> 20} MiB when warm, {memory() >> 20} MiB at the end"
    )


def memory() -> int:
    """Bytes that this process takes."""
    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    main()
