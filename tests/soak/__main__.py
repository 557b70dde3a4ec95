"""All the long runs, one after another: python -m tests.soak, or with --scale 0.1 for a tenth of each."""

from __future__ import annotations

import subprocess
import sys

import click

RUNS: dict[str, dict[str, float]] = {  # what each is given, at scale 1
    "fuzz": {"frames": 1_000_000},
    "worlds": {"pairs": 20_000},
    "snaps": {"races": 500},
    "spectators": {"count": 1000},
    "connections": {"count": 5000},
    "kills": {"count": 25},
    "closing": {"count": 2000},
    "sprt": {"matches": 400},
}
AT_LEAST = 2  # of anything


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(RUNS)))
@click.option("--scale", default=1.0, show_default=True)
def main(names: tuple[str, ...], scale: float) -> None:
    """Run these (or all), print their figures, and end with 1 if one of them found something."""
    failed = [name for name in names or RUNS if not run(name, scale)]
    if failed:
        raise click.ClickException(f"failed: {', '.join(failed)}")


def run(name: str, scale: float) -> bool:
    words = [
        part
        for option, value in RUNS[name].items()
        for part in (f"--{option}", str(max(AT_LEAST, round(value * scale))))
    ]
    click.echo(f"== {name} {' '.join(words)}")
    return subprocess.run([sys.executable, "-m", f"tests.soak.{name}", *words], check=False).returncode == 0


if __name__ == "__main__":
    main()
