"""A table as the command line describes it: which game, which seats and bots, where, and how it deals with time."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import click

from lanplay.arena.game import secret
from lanplay.bot.load import BotError, load
from lanplay.bot.stand_in import StandIns
from lanplay.cli.common import SEEDS, Function, Seconds, Whole, complete_bot, sentence, wrong
from lanplay.engine.game import Rules
from lanplay.net.find import PORT
from lanplay.net.home import home
from lanplay.record.journal import Journal
from lanplay.room.desk import Manners
from lanplay.speech.spell import count


@dataclass(frozen=True)
class Plan:
    """A table as the command line describes it."""

    rules: Rules
    assignments: Sequence[str]
    seats: int | None
    bots: tuple[str, ...]
    bind: str
    port: int | None
    open_: bool
    start: bool
    turn_time: float | None
    away: Literal["wait", "skip", "bot"]
    grace: float
    snap_credit: int  # milliseconds
    bot_delay: int
    seed: int | None
    record: Path | None
    no_announce: bool = False

    def checked(self, people: int) -> Plan:
        """The plan, if it can be carried out and leaves room for so many people. Raises a usage error."""
        for bot in self.bots:
            try:
                load(bot, self.rules.name)
            except BotError as error:
                raise wrong(sentence(error)) from error
        few, many = self.rules.seats[0], self.rules.seats[-1]
        if not few <= self.size <= many:
            raise wrong(f"{self.rules.title} is for {few} to {many} players, not for {self.size}.")
        if len(self.bots) + people > self.size:
            who = count(len(self.bots), "bot") + " and you" * bool(people)
            raise wrong(f"There are {self.size} seats, not enough for {who}.")
        return self

    @property
    def size(self) -> int:
        """How many seats the table has; one more than there are bots, if nothing else was said."""
        return self.seats or max(self.rules.seats[0], len(self.bots) + 1)

    def journal(self) -> Journal:
        """The record, in the file that was named or among the others."""
        stamp = f"{datetime.now():%Y%m%d-%H%M%S}-{self.rules.name}-{secrets.token_hex(2)}.rec"
        return Journal(self.record or home() / "records" / stamp)

    def manners(self) -> Manners:
        """How the table deals with time."""
        return Manners(
            self.turn_time,
            self.away,
            self.grace,
            self.snap_credit / 1000,
            self.bot_delay / 1000,
            StandIns() if self.away == "bot" else None,
        )

    def setup(self, table: str, ties: bytes, record: Path) -> dict[str, Any]:
        """What is kept of it, so that the table can be opened again: see `lanplay.cli.resume`."""
        words = {name: value for name, value in vars(self).items() if name not in ("rules", "record")}
        return {
            **words,
            "rules": self.rules.name,
            "record": str(record.resolve()),
            "table": table,
            "ties": ties.hex(),
        }

    def secrets(self) -> tuple[bytes, bytes]:
        """What decides the deals, and the draws between bots that claim at once."""
        deal = secrets.token_bytes(32) if self.seed is None else secret(self.seed, "deal", 0)
        return secret(deal, "deck"), secret(deal, "ties")


def table_options(function: Function) -> Function:
    """The options of a command that opens a table."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


OPTIONS = (
    click.option("--seats", type=Whole(1), metavar="N", help="How many seats the table has."),
    click.option(
        "--bot",
        "bots",
        multiple=True,
        metavar="BOT",
        shell_complete=complete_bot,
        help="Seat a bot: a name, a file, or exec:COMMAND (see lanplay bot --help). Repeatable.",
    ),
    click.option("--bind", default="", metavar="ADDRESS", help="Listen at this address only."),
    click.option("--no-announce", is_flag=True, help="Do not let others on the LAN find the table."),
    click.option(
        "--port",
        type=Whole(0, 65535),
        metavar="PORT",
        help=f"The port that people type; 0: any that is free. [default: {PORT}, or any if that is taken]",
    ),
    click.option("--open", "open_", is_flag=True, help="Anyone may sit down: no join code."),
    click.option(
        "--start/--wait",
        default=True,
        help="Begin when all seats are taken (default), or on your word: start.",
    ),
    click.option(
        "--turn-time",
        type=Seconds(1),
        metavar="S",
        help="Seconds to answer; then the default move is made.",
    ),
    click.option(
        "--away",
        type=click.Choice(["wait", "skip", "bot"]),
        default="wait",
        show_default=True,
        help="When somebody who is away is asked: wait, make the default move, or let a bot play for them.",
    ),
    click.option(
        "--grace",
        type=Seconds(0),
        default=60.0,
        show_default=True,
        metavar="S",
        help="Seconds before --away is done.",
    ),
    click.option(
        "--snap-credit",
        type=Whole(0, 1000),
        default=60,
        show_default=True,
        metavar="MS",
        help="Milliseconds at most that a slow connection is credited with in a race; 0: who comes first is first.",
    ),
    click.option(
        "--bot-delay",
        type=Whole(0, 60000),
        default=750,
        show_default=True,
        metavar="MS",
        help="Milliseconds that a bot thinks at least at a table with people.",
    ),
    click.option(
        "--seed",
        type=Whole(*SEEDS),
        metavar="N",
        help="Deal from this number: a table for tests, and all are told so.",
    ),
    click.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the record of the game here.",
    ),
)
