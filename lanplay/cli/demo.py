"""`lanplay demo`."""

from __future__ import annotations

import click

from lanplay.cli import INTERNAL, Failure
from lanplay.cli.common import as_json, command, json_option, settings
from lanplay.cli.failures import coming, sitting
from lanplay.cli.hosting import Table, silent
from lanplay.cli.join import let_in
from lanplay.cli.plan import Plan
from lanplay.cli.verify import as_object, in_words, prove
from lanplay.engine.words import letters
from lanplay.games import find as find_game
from lanplay.net.find import find
from lanplay.net.peer import Peer
from lanplay.screen.chronicle import Chronicle
from lanplay.screen.line import LineMode
from lanplay.screen.result import final
from lanplay.screen.session import Session
from lanplay.screen.terminal import show
from lanplay.speech.cast import Cast

PATIENCE = 30.0  # seconds for the whole game
BOTS = {"Ann": "memory", "Ben": "random", "Cleo": "memory"}
NEXT = """
Now you:
  lanplay play cambio --bot memory     play against a bot
  lanplay host cambio                  host a table, and join it from another terminal or machine
  lanplay verify FILE                  prove the deal of a game from its record
  lanplay rules cambio                 the rules
"""


@command(
    """
    lanplay demo
    lanplay demo --json     what happens, one event a line
    """
)
@json_option
def demo(json_: bool) -> None:
    """Watch a whole game on this machine: a host, and bots that join it over the network, each in its own process."""
    quiet = settings().quiet
    chronicle = Chronicle(silent, as_json if json_ else silent)
    with coming():
        table = Table(plan(), "the demo", chronicle, lambda sentence: show([sentence]))
    with table:
        if json_ or quiet:
            table.seat_bots(*BOTS)
            table.over.wait(PATIENCE)
        else:
            watch(table)
    if not table.over.is_set():
        raise Failure("The demo's game did not come to its end in time. Try again: lanplay demo", INTERNAL)
    record = table.journal.path
    proved = prove(str(record), record.read_text(encoding="utf-8"))
    if json_:
        as_json({"event": "verified", **as_object(proved)})
        return
    show([*(outcome(table) if quiet else []), in_words(str(record), proved)])
    if not quiet:
        click.echo(NEXT, nl=False)


def plan() -> Plan:
    """A table of bots that only this machine can reach."""
    return Plan(
        rules=find_game("cambio"),
        assignments=(f"max_turns={20 * len(BOTS)}",),
        seats=len(BOTS),
        bots=tuple(BOTS.values()),
        bind="127.0.0.1",
        port=0,
        open_=False,
        start=True,
        turn_time=None,
        away="skip",
        grace=1.0,
        snap_credit=0,
        bot_delay=0,
        seed=None,
        record=None,
    )


def watch(table: Table) -> None:
    """Look on, as any spectator on the LAN would."""
    with coming():
        peer = Peer.connect(let_in(find(table.here)[0], "Spectator", None), "Spectator", "watch")
    table.seat_bots(*BOTS)
    try:
        with sitting():
            Session(peer, LineMode(), None).run()
    finally:
        peer.close()


def outcome(table: Table) -> list[str]:
    """Only how it ended."""
    game = table.room.game
    if game is None or not game.over:
        return []
    totals, winners = game.by_letter(game.totals), letters(game.winners or ())
    names = table.room.people.names()
    return final(Cast(15, names, game.zones), totals, winners, len(game.rounds))
