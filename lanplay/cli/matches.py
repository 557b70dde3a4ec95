"""`lanplay match`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from lanplay.arena import MatchSpec, report, run_match
from lanplay.bot.clock import Limits
from lanplay.bot.load import BotError
from lanplay.cli.common import (
    Whole,
    as_json,
    bot_time,
    command,
    complete_bot,
    game_argument,
    json_option,
    options_of,
    sentence,
    set_option,
    settings,
    wrong,
)
from lanplay.engine.game import Rules

Progress = Callable[[int, int], None]


@command(
    """
    lanplay match cambio memory random
    lanplay match cambio memory mine.py --games 2000 --jobs 4
    lanplay match cambio52 memory memory random random --seed 7 --records games/
    lanplay match cambio memory random --over-lan --games 20
    lanplay match cambio memory 'exec:sh mine.sh' apart:mine.py    in processes of their own
    """
)
@game_argument()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…", shell_complete=complete_bot)
@set_option
@click.option(
    "--games", type=Whole(1), default=1000, show_default=True, metavar="N", help="At least so many."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed, the same games."
)
@click.option("--jobs", type=Whole(1), default=1, show_default=True, metavar="N", help="Processes to use.")
@click.option("--over-lan", is_flag=True, help="Through the real host and protocol.")
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the record of each game.",
)
@bot_time("10/5/60")
@click.option("--csv", "csv_", is_flag=True, help="Print the ranking as CSV.")
@json_option
def match(
    rules: Rules,
    bots: tuple[str, ...],
    assignments: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int,
    over_lan: bool,
    records: Path | None,
    limits: Limits,
    csv_: bool,
    json_: bool,
) -> None:
    """Let bots play many games against each other, each deal once in every rotation of the seats.

    BOT is as for lanplay bot; exec:COMMAND is a program, apart:BOT a bot in a process of its own.

    Unless they are set, max_turns is 200 a seat and max_rounds 100, so that every game ends.
    """
    words = options_of(rules, assignments).changed(rules.defaults)
    try:
        spec = MatchSpec(rules.name, bots, games, seed, jobs, {**words}, over_lan, limits)
    except (BotError, ValueError) as error:
        raise wrong(sentence(error)) from error
    with bar() as progress:
        result = run_match(spec, progress, records)
    if json_:
        as_json(result.object())
    else:
        click.echo(report.as_csv(result) if csv_ else report.text(result), nl=not csv_)


@contextmanager
def bar() -> Iterator[Progress]:
    """Shows how far it is, on a terminal."""
    if settings().quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done, total: None
        return
    with click.progressbar(length=1, label="games", show_pos=True, file=sys.stderr) as shown:

        def progress(done: int, total: int) -> None:
            shown.length = total
            shown.update(done - shown.pos)

        yield progress
