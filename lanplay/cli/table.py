"""`lanplay host` and `lanplay play`."""

from __future__ import annotations

import select
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from lanplay.cli.common import as_json, command, game_argument, json_option, set_option, settings
from lanplay.cli.failures import coming
from lanplay.cli.hosting import Plan, Table, own_name, table_options
from lanplay.cli.join import STDIN, at_table, let_in
from lanplay.net.find import find
from lanplay.net.peer import Peer
from lanplay.screen.chronicle import Chronicle
from lanplay.screen.session import show
from lanplay.screen.typed import Typed

LOOK = 0.2  # seconds after which the host is looked at, though nothing was typed
HELP = "start begins the game, status tells who is here, kick B removes a player, quit ends the table."


def silent(told: Any) -> None:
    """Nobody reads this."""


@command(
    """
    lanplay host cambio                              a table for two
    lanplay host cambio --seats 4 --bot memory       one of the four is a bot
    lanplay host cambio52 --set rounds=3 --wait      begins when you type start
    lanplay host cambio --port 0 --json              for programs: events, one a line
    """
)
@game_argument()
@set_option
@table_options
@click.option("--name", metavar="NAME", help="What the table is called.")
@json_option
def host(name: str | None, json_: bool, **words: Any) -> None:
    """Host a table on the LAN: prints how to join it, then who comes and what happens.

    While it runs you can type: start, status, kick B, quit. The record of the game is written as it goes on.
    """
    plan = Plan(**words).checked(people=0)
    quiet = settings().quiet
    chronicle = Chronicle(silent if json_ or quiet else show, as_json if json_ else silent)

    def say(lines: list[str]) -> None:
        if json_:
            as_json({"event": "said", "lines": lines})
        else:
            show(lines)

    with coming():
        table = Table(plan, name or f"{own_name()}'s table", chronicle, lambda sentence: say([sentence]))
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
@click.option("--name", metavar="NAME", help="What you are called at the table.")
@click.option("--plain", is_flag=True, help="Line mode: one event a line.")
def play(name: str | None, plain: bool, **words: Any) -> int:
    """Host a table and sit down at it, in one terminal. Others can join as at any table."""
    plan = Plan(**words).checked(people=1)
    me = name or own_name()
    alone = plan.size <= len(plan.bots) + 1
    with coming():
        plan = replace(plan, no_announce=plan.no_announce or alone)
        table = Table(plan, f"{me}'s table", Chronicle(silent, silent), lambda sentence: show([sentence]))
    with table:
        if not alone:
            show(table.invitation())
        table.announce()
        with coming():
            invitation = let_in(find(table.here)[0], me, None)
            peer = Peer.connect(invitation, me, "sit", "person")
        table.seat_bots()
        code = at_table(peer, table.words())
    if not settings().quiet:
        show(table.keepsake())
    return code
