"""`lanplay bots new` and `lanplay bots check`: for who writes bots."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from lanplay.arena.check import PRINTS, STRICT, Found
from lanplay.arena.check import check as situations
from lanplay.bot.clock import Limits
from lanplay.bot.load import BotError
from lanplay.bot.template import TemplateError, write
from lanplay.cli.common import (
    as_json,
    bot_time,
    command,
    complete_bot,
    complete_game,
    json_option,
    sentence,
    settings,
    wrong,
)
from lanplay.games import UnknownGame, find
from lanplay.screen.terminal import show
from lanplay.speech.spell import count

UNCHECKED = 6  # as of a record that does not check


@command(
    """
    lanplay bots new mine         writes mine.py and test_mine.py
    """
)
@click.argument("name", metavar="NAME")
def new(name: str) -> None:
    """Write a bot that plays, and its test, into this folder: NAME.py and test_NAME.py. Nothing is overwritten."""
    try:
        bot, test = write(name, Path())
    except TemplateError as error:
        raise wrong(sentence(error)) from error
    if not settings().quiet:
        lines = [
            f"{bot} and {test} are written. Now:",
            f"  lanplay match cambio {bot} random",
            f"  lanplay bots check {bot}",
        ]
        show([*lines, f"  pytest {test}"])


@command(
    """
    lanplay bots check mine.py
    lanplay bots check mine.py --game cambio52 --records wrong/
    lanplay bots check 'exec:sh mine.sh' --game cambio
    """
)
@click.argument("bot", metavar="BOT", shell_complete=complete_bot)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Only this game. Repeatable. [default: all that it plays]",
)
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the record of each game in which something is wrong.",
)
@bot_time(STRICT)
@json_option
def check(bot: str, games: tuple[str, ...], records: Path | None, limits: Limits, json_: bool) -> int:
    """Let a bot play in many situations, common and rare, and say what it does wrong.

    Each number of players, each word of each option, lists of one move and of hundreds, its connection broken, against
    itself, the same deal twice. Wrong are: crashes, moves that are not offered, silence, late answers, nonsense, a game that
    never ends, dice of its own, memory of another game, a view that is changed. What may be meant is a hint.

    BOT is as for lanplay bot. The exit code is 0 if nothing is wrong, else 6.
    """
    found: list[Found] = []
    told: set[str] = set()
    try:
        for game in games:
            find(game)
        for one in situations(bot, games, limits):
            found.append(one)
            kept = keep(one, len(found), records) if records and one.wrong else None
            if json_:
                as_json({**one.object(), "record": str(kept) if kept else None})
            elif one.wrong or not settings().quiet:
                show(lines_of(one, kept, told))
    except (BotError, UnknownGame) as error:
        raise wrong(sentence(error)) from error
    if not json_:
        show(summary(bot, found))
    return UNCHECKED if any(one.wrong for one in found) else 0


def lines_of(one: Found, kept: Path | None, told: set[str]) -> list[str]:
    """What one situation has shown; of what was told before, only that it is so again."""
    lines = [f"  WRONG  {one.line}" if one.wrong else f"  ok     {one.line}"]
    for what in one.wrong:
        kind, _, why = what.partition(": ")
        lines.append(f"         {kind}, as before" if why and why in told else f"         {what}")
        told.add(why)
    for hint in one.hints:
        if not (hint.startswith(PRINTS) and PRINTS in told):
            lines.append(f"         hint: {hint}")
        told.add(hint[: len(PRINTS)])
    if kept:
        lines.append(f"         its record: lanplay replay {shlex.quote(str(kept))}")
    if one.again and one.wrong:
        lines.append(f"         again: {one.again}")
    return lines


def keep(one: Found, number: int, folder: Path) -> Path:
    """The record of the game, in a file of this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{number:03d}-{one.game}.rec"
    file.write_text(one.record, encoding="utf-8")
    return file


def summary(bot: str, found: Sequence[Found]) -> list[str]:
    """All of it in two sentences."""
    offered = [moves for one in found for moves in one.offered]
    wrong_ = sum(bool(one.wrong) for one in found)
    asked = (
        f"It had to move {count(len(offered), 'time')}: with one move only {count(offered.count(1), 'time')}, "
        f"with {max(offered, default=0)} at most."
    )
    of = count(len(found), "situation")
    return [asked, f"{bot}: {wrong_} of {of} went wrong." if wrong_ else f"{bot}: all is well in {of}."]
