"""`lanplay join`, and how a person comes to a table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import PERSON, Function, Whole, command
from lanplay.cli.failures import DISCONNECTED, coming, sitting
from lanplay.cli.games import book_of
from lanplay.cli.hosting import own_name
from lanplay.net.errors import CodeNeeded, WrongCode
from lanplay.net.find import Found, Invitation, find, pair
from lanplay.net.peer import Peer
from lanplay.screen.line import LineMode, Word
from lanplay.screen.session import Session
from lanplay.screen.terminal import show
from lanplay.screen.typed import Typed
from lanplay.speech.spell import plain

TRIES = 3  # at a join code that is typed
STDIN = 0


def code_options(function: Function) -> Function:
    """How a command that joins is given the join code."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    function = click.option("--code-file", type=file, metavar="FILE", help="A file with the join code.")(
        function
    )
    return click.option("--code", metavar="WORDS", help="The join code, from the host's screen.")(function)


def code_from(code: str | None, file: Path | None) -> str | None:
    """The join code, if it was given."""
    return file.read_text(encoding="utf-8").strip() if file else code


@command(
    """
    lanplay join                          the table on this machine, or else on the LAN
    lanplay join "Anna's table"           by its name (lanplay list shows all)
    lanplay join 192.168.1.20             by its address; its code is asked for
    lanplay join 192.168.1.20:47801 --name Ann --code amber-violin-garden
    lanplay join --watch                  look on
    printf 'pass\\ncambio\\n' | lanplay join --name Ann
    """
)
@click.argument("where", required=False)
@click.option("--name", type=PERSON, metavar="NAME", help="What you are called at the table.")
@code_options
@click.option("--watch", is_flag=True, help="Only look on.")
@click.option("--plain", is_flag=True, help="Line mode: one event a line.")
def join(
    where: str | None, name: str | None, code: str | None, code_file: Path | None, watch: bool, plain: bool
) -> int:
    """Take a seat at a table.

    WHERE is nothing (the only table on this machine, or else on the LAN), a table's name, or HOST[:PORT]. A host whose
    code was typed once on this machine does not ask for one again. Type help at the table. Lines from a pipe
    are played one by one, each when it is its turn.
    """
    with coming():
        invitation = let_in(chosen(find(where)), name or own_name(), code_from(code, code_file))
        peer = Peer.connect(invitation, name or own_name(), "watch" if watch else "sit", "person")
    return at_table(peer)


def chosen(tables: Sequence[Found]) -> Found:
    """The table that is meant; asked, if there are several."""
    if len(tables) == 1:
        return tables[0]
    names = [
        f"{number}: {plain(found.table)} ({plain(found.game)}, {found.where})"
        for number, found in enumerate(tables, 1)
    ]
    if not sys.stdin.isatty():
        one_name = len({found.table.casefold() for found in tables}) == 1
        how = "Join one by its address: lanplay join HOST:PORT" if one_name else "Name one: lanplay join NAME"
        raise Failure(f"Several tables are open: {', '.join(names)}. {how}", USAGE)
    show(["Several tables are open.", *names])
    number = click.prompt("Which one", type=Whole(1, len(tables)))
    return tables[number - 1]


def let_in(found: Found, name: str, code: str | None) -> Invitation:
    """Past the door; a code that is needed and was not given is asked for."""
    tries = TRIES if code is None and sys.stdin.isatty() else 0
    while True:
        try:
            return pair(found, code, name)
        except (CodeNeeded, WrongCode) as refusal:
            if not tries:
                raise
            show([str(refusal)])
            code = click.prompt("Join code")
            tries -= 1


def at_table(
    peer: Peer, words: Mapping[str, Word] | None = None, said: Callable[[], Typed] = lambda: Typed(STDIN)
) -> int:
    """Play, or look on, until the end; gives the exit code."""
    mode = LineMode(book_of, words)
    try:
        with sitting():
            Session(peer, mode, said()).run()
    finally:
        peer.close()
    if mode.end == "closed" and mode.closed:
        raise Failure(mode.closed.sentence, DISCONNECTED)
    return 0
