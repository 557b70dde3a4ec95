"""Random messages against rooms, many of them: python -m tests.soak.fuzz --frames 1000000 --seconds 300."""

from __future__ import annotations

import time
from collections import Counter

import click
import psutil

from tests.room.fuzz import GAMES, Fuzz

LOOKS = 10  # at the memory, over the whole run
EACH = 500  # frames a table


@click.command()
@click.option("--frames", default=1_000_000, show_default=True)
@click.option("--seconds", default=300.0, show_default=True, help="No new table after so long.")
@click.option("--seed", default=0, show_default=True)
def main(frames: int, seconds: float, seed: int) -> None:
    """Nothing that peers say breaks a room: raises at the first table where something does."""
    counts: Counter[str] = Counter()
    begun, table = time.monotonic(), 0
    sizes: list[str] = []
    while counts["frames"] < frames and time.monotonic() - begun < seconds:
        for game in GAMES:
            try:
                Fuzz(game, seed + table, counts).run(EACH)
            except BaseException:
                click.echo(f"at {game}, seed {seed + table}")
                raise
        table += 1
        if counts["frames"] >= (len(sizes) + 1) * frames / LOOKS:
            sizes.append(f"{memory() / 2**20:.0f}")
    click.echo(
        f"{counts['frames']} frames at {table * len(GAMES)} tables in {time.monotonic() - begun:.0f} s: "
        f"{counts['accepted']} moves accepted, {counts['refused']} refused, {counts['repeated']} answered again, "
        f"{counts['unreadable']} frames unreadable; memory by and by: {', '.join(sizes)} MiB"
    )


def memory() -> int:
    """Bytes that this process takes."""
    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    main()
