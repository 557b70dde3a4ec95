"""Who wins a snap how often: python -m tests.soak.snaps --races 500."""

from __future__ import annotations

import math

import click

from tests.room.races import LINKS, shares

WAYS: dict[str, tuple[float, str | None]] = {  # the credit in seconds, and who holds back its pongs
    "with credit": (0.060, None),
    "by plain arrival": (0.0, None),
    **{f"with credit, {link} fakes": (0.060, link) for link in LINKS},
}


@click.command()
@click.option("--races", default=500, show_default=True)
def main(races: int) -> None:
    """Four equal players on four links; an even share is 25 %, give or take what chance does."""
    chance = 196 * math.sqrt(0.25 * 0.75 / races)
    click.echo(f"{races} races each; 95 % of even shares are within {chance:.1f} points of 25 %")
    click.echo(f"{'':28}" + "".join(f"{link:>14}" for link in LINKS))
    for way, (credit, faker) in WAYS.items():
        won = shares(credit, races, faker)
        click.echo(f"{way:28}" + "".join(f"{100 * won[link]:13.1f}%" for link in LINKS))


if __name__ == "__main__":
    main()
