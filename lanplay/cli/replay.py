"""`lanplay replay`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import as_json, command, json_option, sentence, wrong
from lanplay.engine.words import SEATS, SPECTATOR, Seat, letters, masked, seat_of
from lanplay.games import speech_of
from lanplay.record.replay import Check, Replay
from lanplay.record.text import RecordError, read
from lanplay.room.telling import status
from lanplay.screen.result import final
from lanplay.screen.story import Story
from lanplay.screen.terminal import show
from lanplay.speech.cast import Cast
from lanplay.speech.spell import count

UNCHECKED = 6


def found_seat(ctx: click.Context, param: click.Parameter, value: str | None) -> Seat | None:
    """The seat with this letter."""
    try:
        return None if value is None else seat_of(value.upper())
    except ValueError as error:
        raise click.UsageError(sentence(error), ctx) from error


LARGEST = 16 << 20  # letters; the longest games have a hundredth of that


@command(
    """
    lanplay replay game.rec               tell the game, move by move
    lanplay replay game.rec --as B        as the player at seat B saw it
    lanplay replay game.rec --json        the position at the end
    lanplay replay game.rec --steps       every position, one a line
    lanplay replay game.rec --check       only whether it checks
    """
)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--as", "seat", metavar="SEAT", callback=found_seat, help="Show no more than this seat may know."
)
@click.option("--steps", is_flag=True, help="Print the position after each action as JSON, one a line.")
@click.option("--check", is_flag=True, help="Print only the verdict.")
@json_option
def replay(file: Path, seat: Seat | None, steps: bool, check: bool, json_: bool) -> None:
    """Step through the record of a game, by the rules. `-` reads it from standard input.

    Expectations in the record (! and ? lines) are always checked. If one fails, or an action is refused, the exit code
    is 6.
    """
    try:
        played = Replay(read(text_of(file)))
        if seat is not None and seat >= played.game.seats:
            raise wrong(f"Nobody sits at {SEATS[seat]} in this record.")
        if steps or json_:
            positions(played, seat, steps)
        else:
            tell(played, seat, quiet=check)
    except RecordError as error:
        raise Failure(f"{file}: {error}", USAGE) from error
    except Check as error:
        raise Failure(f"{file} does not check: {error}", UNCHECKED) from error
    if check and not (steps or json_):
        click.echo(f"{file} checks: {count(played.game.accepted, 'action')}.")


def text_of(file: Path) -> str:
    """What stands in the file, if it can be a record at all."""
    try:
        if str(file) == "-":
            text = sys.stdin.read(LARGEST + 1)
        else:
            with file.open(encoding="utf-8") as opened:
                text = opened.read(LARGEST + 1)
    except OSError as error:
        raise Failure(f"{file} can't be read: {error.strerror}.", USAGE) from error
    except UnicodeDecodeError as error:
        raise Failure(f"{file} is no record: it is not UTF-8 text.", USAGE) from error
    if len(text) > LARGEST:
        raise Failure(f"{file} is no record: it is too large.", USAGE)
    return text


def positions(played: Replay, seat: Seat | None, steps: bool) -> None:
    """The position at the end, or every position; also where it does not check."""
    try:
        for _ in played.play():
            if steps:
                as_json(played.object(seat))
    except Check:
        if not steps or played.refused:
            as_json(played.object(seat))
        raise
    if not steps:
        as_json(played.object(seat))


def tell(played: Replay, seat: Seat | None, quiet: bool) -> None:
    """The game in words, under everybody's eyes or a seat's."""
    game, names = played.game, played.record.names
    speech = speech_of(game.rules.name)
    cast = Cast(SPECTATOR if seat is None else seat, names, game.zones, speech.zones)
    story, told, rounds = Story(cast, speech), -1, 0
    for _ in played.play():
        facts = game.facts(told)
        facts = facts if seat is None else [masked(fact, seat) for fact in facts]
        ended = [game.round_object(round_) for round_ in game.rounds[rounds:]]
        if not quiet:
            show(story.tell(facts, ended, status(game)))
        told, rounds = game.accepted, len(game.rounds)
    if game.over and not quiet:
        show(final(cast, game.by_letter(game.totals), letters(game.winners or ()), rounds))
