"""`lanplay host` and `lanplay play`."""

from __future__ import annotations

import select
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import click

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import (
    PERSON,
    TABLE,
    as_json,
    command,
    game_argument,
    json_option,
    sentence,
    set_option,
    settings,
    wrong,
)
from lanplay.cli.failures import coming
from lanplay.cli.hosting import Table, own_name, silent
from lanplay.cli.join import STDIN, News, at_table, full_screen, let_in, screen_options
from lanplay.cli.plan import Plan, table_options
from lanplay.cli.resume import NEWEST
from lanplay.cli.resume import left as find_left
from lanplay.net.find import find
from lanplay.net.peer import Peer
from lanplay.screen.chronicle import Chronicle
from lanplay.screen.terminal import show
from lanplay.screen.typed import Typed

LOOK = 0.2  # seconds after which the host is looked at, though nothing was typed
HELP = "start begins the game, status tells who is here, kick B removes a player, quit ends the table."


@command(
    """
    lanplay host cambio                              a table for two
    lanplay host cambio --seats 4 --bot memory       one of the four is a bot
    lanplay host cambio52 --set rounds=3 --wait      begins when you type start
    lanplay host --resume                            goes on with the table that was left
    lanplay host cambio --port 0 --json              for programs: events, one a line
    """
)
@game_argument(required=False)
@set_option
@table_options
@click.option("--name", type=TABLE, metavar="NAME", help="What the table is called.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=NEWEST,
    metavar="[FILE]",
    help="Go on with a table that was left in mid-game: the last one, or the one with this record.",
)
@json_option
def host(name: str | None, resume: str | None, json_: bool, **words: Any) -> None:
    """Host a table on the LAN: prints how to join it, then who comes and what happens.

    While it runs you can type: start, status, kick B, quit. The record of the game is written as it goes on. A table
    that was killed goes on with --resume: under its old ports and keys, so those who sat there come back by themselves.
    """
    quiet = settings().quiet
    chronicle = Chronicle(silent if json_ or quiet else show, as_json if json_ else silent)

    def say(lines: list[str]) -> None:
        if json_:
            as_json({"event": "said", "lines": lines})
        else:
            show(lines)

    def notice(sentence: str) -> None:
        say([sentence])

    with coming():
        if resume:
            table = go_on(resume, words, chronicle, notice)
        elif words["rules"] is None:
            raise wrong("Say which game: lanplay host cambio. All of them: lanplay games")
        else:
            plan = Plan(**words).checked(people=0)
            table = Table(plan, name or f"{own_name()}'s table", chronicle, notice)
    with table:
        if json_:
            as_json(table.opened())
        else:
            show([*table.invitation(), *([] if quiet else [f"You can type: {HELP}"])])
        table.announce()
        table.seat_bots()
        console(table, Typed(STDIN), say)
    if not json_ and not quiet:
        show(table.keepsake())


def go_on(
    record: str, words: Mapping[str, Any], chronicle: Chronicle, notice: Callable[[str], None]
) -> Table:
    """The table that was left. Raises Failure if there is none, or if it is to be another than it was."""
    if words["rules"] or words["assignments"]:
        raise wrong("A table goes on as it was: leave out the game and its options beside --resume.")
    left = find_left(record)
    try:
        return Table(left.plan, left.table, chronicle, notice, left)
    except ValueError as error:
        raise Failure(f"{left.journal.path} can't be resumed: {sentence(error)}", USAGE) from error


def console(table: Table, typed: Typed, say: Callable[[list[str]], None]) -> None:
    """Do what is typed until the game is over or the host has had enough."""
    while not table.over.is_set() and not table.host.wait(0):
        ready = [] if typed.ended else select.select([typed], [], [], LOOK)[0]
        if ready:
            typed.read()
        elif typed.ended:
            table.over.wait(LOOK)
        while typed.lines:
            word, _, rest = typed.lines.popleft().strip().partition(" ")
            if word.lower() == "quit":
                return
            if word:
                say(table.words().get(word.lower(), unknown)(rest))
        if typed.ended and not typed.script:
            return


def unknown(rest: str) -> list[str]:
    return [f"Here you can type: {HELP}"]


@command(
    """
    lanplay play cambio --bot memory                 you against a bot
    lanplay play cambio --seats 3                    you and two who join
    lanplay play cambio52 --bot memory --bot random --set rounds=3
    """
)
@game_argument()
@set_option
@table_options
@click.option("--name", type=PERSON, metavar="NAME", help="What you are called at the table.")
@screen_options
def play(name: str | None, plain: bool, tui: bool, **words: Any) -> int:
    """Host a table and sit down at it, in one terminal. Others can join as at any table."""
    plan, full, news = Plan(**words).checked(people=1), full_screen(plain, tui), News()
    me = name or own_name()
    alone = plan.size <= len(plan.bots) + 1
    with coming():
        plan = replace(plan, no_announce=plan.no_announce or alone)
        table = Table(plan, f"{me}'s table", Chronicle(silent, silent), news)
        table.helpers.complain = not full
    with table:
        if not alone:
            news.told(table.invitation())
        table.announce()
        with coming():
            invitation = let_in(find(table.here)[0], me, None)
            peer = Peer.connect(invitation, me, "sit", "person")
        table.seat_bots()
        code = at_table(peer, full, table.words(), news)
    if not settings().quiet:
        show(table.keepsake())
    return code
