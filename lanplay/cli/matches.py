"""`lanplay match`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from lanplay.arena import Interrupted, MatchError, MatchSpec, Result, Sprt, report, run_match
from lanplay.arena.match import Progress
from lanplay.arena.save import reason
from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.load import BotError
from lanplay.cli import INTERRUPTED, USAGE, Failure
from lanplay.cli.bar import bar
from lanplay.cli.common import (
    SEEDS,
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
from lanplay.cli.failures import UNREACHABLE
from lanplay.engine.game import Rules
from lanplay.speech.spell import count

GAMES, AT_MOST = 1000, 100_000  # games, if their number is not set; the second with --sprt


def two_numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """`0,25`; a usage error if it is something else."""
    if value is None:
        return None
    try:
        low, high = map(float, value.split(","))
    except ValueError as error:
        said = f"it is two numbers of Elo, such as 0,25, not {value[:40]!r}."
        raise click.BadParameter(said, ctx, param) from error
    return low, high


@command(
    """
    lanplay match cambio memory random
    lanplay match cambio memory mine.py --games 2000 --jobs 4
    lanplay match cambio mine.py memory --sprt 0,25         until it is decided
    lanplay match cambio mine.py memory --report mine.html  with charts
    lanplay match cambio mine.py memory --resume            on from where it was ended
    lanplay match cambio52 memory memory random random --seed 7 --records games/
    lanplay match cambio memory random --over-lan --games 20
    lanplay match cambio memory 'exec:sh mine.sh' apart:mine.py
    """
)
@game_argument()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…", shell_complete=complete_bot)
@set_option
@click.option(
    "--games",
    type=Whole(1, 10**9),
    metavar="N",
    help=f"At least so many (else {GAMES}); with --sprt at most (else {AT_MOST}).",
)
@click.option(
    "--seed",
    type=Whole(*SEEDS),
    default=1,
    show_default=True,
    metavar="N",
    help="The same seed, the same games.",
)
@click.option("--jobs", type=Whole(1), default=1, show_default=True, metavar="N", help="Processes to use.")
@click.option("--over-lan", is_flag=True, help="Through the real host and protocol.")
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the record of each game.",
)
@click.option("--resume", is_flag=True, help="Go on where the same match was ended, by Ctrl-C or a kill.")
@click.option(
    "--sprt",
    callback=two_numbers,
    metavar="ELO0,ELO1",
    help="End when it is decided if the first bot is stronger than the second by ELO1, or ELO0.",
)
@click.option(
    "--sprt-alpha",
    "alpha",
    type=float,
    default=Sprt.alpha,
    show_default=True,
    metavar="P",
    help="How often that may find ELO1 though ELO0 or less is true.",
)
@click.option(
    "--sprt-beta",
    "beta",
    type=float,
    default=Sprt.beta,
    show_default=True,
    metavar="P",
    help="How often it may find ELO0 though ELO1 or more is true.",
)
@click.option(
    "--report",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write a page with charts, too.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="Let the workers of a dask scheduler play.")
@bot_time(LIMITS)
@click.option("--csv", "csv_", is_flag=True, help="Print the ranking as CSV.")
@json_option
def match(
    rules: Rules,
    bots: tuple[str, ...],
    assignments: tuple[str, ...],
    games: int | None,
    seed: int,
    jobs: int,
    over_lan: bool,
    records: Path | None,
    resume: bool,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    file: Path | None,
    cluster: str,
    limits: Limits,
    csv_: bool,
    json_: bool,
) -> int:
    """Let bots play many games against each other, each deal once in every rotation of the seats.

    BOT is as for lanplay bot; exec:COMMAND is a program, apart:BOT a bot in a process of its own.

    Unless they are set, max_turns is 200 a seat and max_rounds 100, so that every game ends. To add games until the
    result pleases proves nothing: --sprt looks after every block, and takes that into account.
    """
    words = options_of(rules, assignments).changed(rules.defaults)
    if file:
        fitting(file)
    try:
        test = sequential(sprt, alpha, beta)
        number = games or (AT_MOST if test else GAMES)
        spec = MatchSpec(rules.name, bots, number, seed, jobs, {**words}, over_lan, test, limits)
    except (BotError, ValueError) as error:
        raise wrong(sentence(error)) from error
    try:
        with failing(), bar() as progress:
            result = run_match(spec, where_from(progress) if resume else progress, records, resume, cluster)
    except Interrupted as stopped:
        told(stopped.result, records, file, csv_, json_)
        click.echo(f"lanplay: {how_to_resume(stopped)}", err=True)
        return INTERRUPTED
    told(result, records, file, csv_, json_)
    return 0


def sequential(elos: tuple[float, float] | None, alpha: float, beta: float) -> Sprt | None:
    """The test that is asked for, if any. Raises ValueError, with a sentence."""
    if elos:
        return Sprt(*elos, alpha, beta)
    if (alpha, beta) != (Sprt.alpha, Sprt.beta):
        raise ValueError("--sprt-alpha and --sprt-beta go with --sprt: add it, such as --sprt 0,25")
    return None


def where_from(progress: Progress) -> Progress:
    """Says first where a match goes on."""
    begun = False

    def told(result: Result) -> None:
        nonlocal begun
        if not begun and not settings().quiet:
            games = f"It goes on after {count(result.games, 'game')}."
            click.echo(games if result.games else "Nothing is saved of this match: it begins.", err=True)
        begun = True
        progress(result)

    return told


@contextmanager
def failing() -> Iterator[None]:
    """What can go wrong while it is played."""
    try:
        yield
    except MatchError as error:
        raise Failure(sentence(error), UNREACHABLE if type(error) is not MatchError else USAGE) from error


def told(result: Result, records: Path | None, file: Path | None, csv_: bool, json_: bool) -> None:
    """Print it, and write the page."""
    if json_:
        as_json(result.object())
    else:
        click.echo(report.as_csv(result) if csv_ else report.text(result, records), nl=not csv_)
    if file and result.games:
        written(result, file, records)


def written(result: Result, file: Path, records: Path | None) -> None:
    """The page with charts."""
    from lanplay.arena import page  # noqa: PLC0415 - only when it is wanted
    from lanplay.files import write_whole  # noqa: PLC0415

    html = page.html(result, records).encode()
    try:
        if file.exists() and not file.is_file():  # a pipe or a device, which must stay one
            file.write_bytes(html)
        else:
            write_whole(file.resolve(), html)
    except OSError as error:
        raise Failure(
            f"{file} can't be written ({reason(error)}); choose another --report.", USAGE
        ) from error
    if not settings().quiet:
        click.echo(f"The page with charts is {file}", err=True)


def fitting(file: Path) -> None:
    """See before hours of play whether the page can be written."""
    if not file.parent.is_dir():
        raise wrong(f"There is no folder {file.parent} for the page.")


def how_to_resume(stopped: Interrupted) -> str:
    """What to do after Ctrl-C."""
    if not stopped.result.blocks:
        return "interrupted before the first deal was played in all rotations."
    if stopped.trouble:
        return f"interrupted. It can't go on from here: {stopped.trouble}."
    return "interrupted. The same command with --resume goes on from here."
