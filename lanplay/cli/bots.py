"""`lanplay bots` and `lanplay bot`."""

from __future__ import annotations

import os
import random
import secrets
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import click

from lanplay.bot import Bot
from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.lan import Sitter
from lanplay.bot.load import BotError, installed, load
from lanplay.bot.programs import EXEC
from lanplay.bot.programs import called as called_so
from lanplay.cli import Failure
from lanplay.cli.common import (
    PERSON,
    as_json,
    bot_time,
    command,
    complete_bot,
    family,
    json_option,
    sentence,
    settings,
    wrong,
)
from lanplay.cli.failures import coming, sitting
from lanplay.cli.join import STDIN, chosen, code_from, code_options, let_in
from lanplay.cli.workshop import check, new
from lanplay.net.find import find
from lanplay.net.peer import Peer
from lanplay.screen.terminal import show
from lanplay.speech.spell import listed, plain


@family(
    """
    lanplay bots                  lists them
    lanplay bots new mine         writes mine.py and its test, to begin with
    lanplay bots check mine.py    says what a bot does wrong
    """
)
@json_option
@click.pass_context
def bots(ctx: click.Context, json_: bool) -> None:
    """List the scripted players that can be named; a file such as mine.py can be given in their place."""
    if ctx.invoked_subcommand:
        return
    known = installed()
    if json_:
        as_json({"bots": [{"name": name, "does": does} for name, does in known.items()]})
        return
    wide = max(map(len, known))
    show([f"{name:{wide}}  {does}" for name, does in known.items()])


bots.add_command(new)
bots.add_command(check)


@command(
    """
    lanplay bot memory                        at the table on this machine, or else on the LAN
    lanplay bot mine.py 192.168.1.20          your own, at a table elsewhere
    lanplay bot mine.py:Careful --name Carl
    lanplay bot --exec 'sh mine.sh'           a program in any language
    """
)
@click.argument("bot", required=False, metavar="BOT", shell_complete=complete_bot)
@click.argument("where", required=False)
@click.option(
    "--exec",
    "command_",
    metavar="COMMAND",
    help="In place of BOT: a program that speaks JSON lines on its standard input and output.",
)
@click.option("--name", type=PERSON, metavar="NAME", help="What the bot is called at the table.")
@code_options
@json_option
@bot_time(LIMITS)
@click.option("--with-stdin", is_flag=True, hidden=True, help="Sent by the host itself: ends with its input.")
def bot(
    bot: str | None,
    where: str | None,
    command_: str | None,
    name: str | None,
    code: str | None,
    code_file: Path | None,
    json_: bool,
    limits: Limits,
    with_stdin: bool,
) -> int:
    """Let a scripted player take a seat, by the same protocol as people.

    BOT is a name (see lanplay bots), a file, or file.py:Class. WHERE is as for lanplay join.

    Wherever a BOT is asked for, exec:COMMAND is a program in any language, and apart:BOT a bot in Python in a process of
    its own: held to its time, and killed if it does not end.
    """
    if with_stdin:
        threading.Thread(target=end_with_stdin, daemon=True).start()
    bot, where = meant(bot, where, command_)
    fitting(bot, None, limits)
    called = name or called_so(bot)
    with coming():
        table = chosen(find(where))
        kind = fitting(bot, table.game, limits)
        invitation = let_in(table, called, code_from(code, code_file))
        peer = Peer.connect(invitation, called, "sit", "bot")
    sitter = Sitter(kind, peer, random.Random(secrets.token_bytes(32)), complain(called))  # noqa: S311 - play
    try:
        with sitting():
            sitter.play()
        peer.leave()
    except Failure as error:
        if not with_stdin:
            raise
        return error.code  # the host's screen, which is this one's too, has told why
    finally:
        peer.close()
    if json_:
        as_json(result(sitter))
    elif not settings().quiet:
        click.echo(outcome(sitter))
    return 0


def meant(bot: str | None, where: str | None, command: str | None) -> tuple[str, str | None]:
    """The bot and the table. With --exec there is no BOT, and what stands in its place is the table."""
    if command is None and bot is None:
        raise wrong("Say which bot: a name (see lanplay bots), a file, or --exec COMMAND.")
    if command is None or bot is None:
        return bot or f"{EXEC}{command}", where
    if where is not None:
        raise wrong("Say either BOT or --exec COMMAND, not both.")
    return f"{EXEC}{command}", bot


def fitting(bot: str, game: str | None, limits: Limits) -> type[Bot]:
    """The class of this bot, which plays this game. Raises a usage error."""
    try:
        return load(bot, game, limits)
    except BotError as error:
        raise wrong(sentence(error)) from error


def end_with_stdin() -> None:
    """Who started this bot holds the other end, and is gone when there is nothing more to read."""
    while os.read(STDIN, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def complain(name: str) -> Callable[[str], None]:
    """A bot's faults go to standard error."""
    return lambda sentence: click.echo(plain(f"{name}: {sentence}"), err=True)


def result(sitter: Sitter) -> dict[str, object]:
    """How the game ended for this bot."""
    follower = sitter.follower
    return {
        "seat": follower.welcome.seat if follower.welcome else None,
        "totals": follower.status.totals if follower.status else {},
        "winners": follower.status.winners if follower.status else None,
        "proved": sitter.verdict.proved if sitter.verdict else None,
        "faults": sitter.player.health.faults if sitter.player else {},
    }


def outcome(sitter: Sitter) -> str:
    """The same in words."""
    names = {one.seat: one.name for one in sitter.follower.sitting}
    status = sitter.follower.status
    totals = [f"{names.get(seat, seat)} {total}" for seat, total in (status.totals if status else {}).items()]
    winners = [names.get(seat, seat) for seat in (status.winners or [] if status else [])]
    return plain(f"{', '.join(totals)}. Won by {listed(winners) or 'nobody'}.")
