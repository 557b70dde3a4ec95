"""`lanplay join`, and how a person comes to a table."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import PERSON, Function, Whole, command, wrong
from lanplay.cli.failures import DISCONNECTED, coming, sitting
from lanplay.cli.games import book_of
from lanplay.cli.hosting import own_name
from lanplay.net.errors import CodeNeeded, WrongCode
from lanplay.net.find import Found, Invitation, find, pair
from lanplay.net.peer import Peer
from lanplay.screen.line import LineMode, Word
from lanplay.screen.session import Session
from lanplay.screen.terminal import show, unfit
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


def screen_options(function: Function) -> Function:
    """How the table is shown."""
    tui = click.option("--tui", is_flag=True, help="Full screen: the usual on a terminal.")(function)
    return click.option("--plain", is_flag=True, help="Line mode: one event a line.")(tui)


def full_screen(plain: bool, tui: bool) -> bool:
    """Whether the table is shown on the full screen. Raises Failure if it is to be and can't."""
    if plain and tui:
        raise wrong("--plain and --tui are two ways to play: take one.")
    why = unfit()
    if tui and why:
        raise Failure(f"{why} Play in lines: --plain", USAGE)
    return not (plain or why)


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
@screen_options
def join(
    where: str | None,
    name: str | None,
    code: str | None,
    code_file: Path | None,
    watch: bool,
    plain: bool,
    tui: bool,
) -> int:
    """Take a seat at a table.

    WHERE is nothing (the only table on this machine, or else on the LAN), a table's name, or HOST[:PORT]. A host whose
    code was typed once on this machine does not ask for one again. Type help at the table. Lines from a pipe
    are played one by one, each when it is its turn.
    """
    full = full_screen(plain, tui)
    with coming():
        invitation = let_in(chosen(find(where)), name or own_name(), code_from(code, code_file))
        peer = Peer.connect(invitation, name or own_name(), "watch" if watch else "sit", "person")
    return at_table(peer, full)


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
    peer: Peer, full: bool, words: Mapping[str, Word] | None = None, news: News | None = None
) -> int:
    """Play, or look on, until the end; gives the exit code. `full`: on the full screen."""
    news = news or News()
    if full:
        return on_full_screen(peer, words, news)
    news.told = show
    show(news.taken())
    mode = LineMode(book_of, words)
    try:
        with sitting():
            Session(peer, mode, Typed(STDIN)).run()
    finally:
        peer.close()
    return ended(mode)


def on_full_screen(peer: Peer, words: Mapping[str, Word] | None, news: News) -> int:
    """The same with the table in sight. What was told last stays on the terminal."""
    from lanplay.screen.full import app, client, mode  # noqa: PLC0415 - heavy, and only for this

    player = client.Client(peer, mode.FullMode(book_of, words), news.taken())
    try:
        with sitting():
            code = app.play(player, news.taken)
    finally:
        peer.close()
    show(player.last)
    return code or ended(player.mode)


def ended(mode: LineMode) -> int:
    """The exit code; raises Failure if the host has closed the table."""
    if mode.end == "closed" and mode.closed:
        raise Failure(mode.closed.sentence, DISCONNECTED)
    return 0


class News:
    """Lines that come from other threads: kept for the full screen, or shown at once where they can be."""

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.kept = deque(lines)
        self.told: Callable[[list[str]], None] = self.kept.extend

    def __call__(self, sentence: str) -> None:
        self.told([sentence])

    def taken(self) -> list[str]:
        """What has come since the last time."""
        return [self.kept.popleft() for _ in range(len(self.kept))]
