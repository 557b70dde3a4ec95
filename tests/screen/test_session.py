"""The loop between a host and a keyboard, with a host that is played by the test."""

from __future__ import annotations

import os
import pty
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import select
from typing import Any

import pytest

from lanplay.net.errors import HostGone
from lanplay.net.peer import Told
from lanplay.record.proof import Pledge
from lanplay.room.joint import SECONDS
from lanplay.room.witness import SILENT
from lanplay.screen.line import LineMode
from lanplay.screen.session import ENDED, Session
from lanplay.screen.talk import HELD, LOST
from lanplay.screen.typed import Typed
from lanplay.wire import messages as wire
from tests.room.honest import KEY, TABLE
from tests.screen.tables import Table


class Line:
    """A connection of Ann's to a room in this process. `between` is called when nothing is left to hear."""

    def __init__(self, table: Table, between: Callable[[], None] = lambda: None) -> None:
        self.table, self.between = table, between
        self.key = table.keys["Ann"]
        self.heard = 0
        self.away = self.left = False
        self.extra: deque[Told] = deque()

    def receive(self, timeout: float | None = 0) -> Told | None:
        if self.extra:
            return self.extra.popleft()
        sends = self.table.around.sends
        while self.heard < len(sends):
            send = sends[self.heard]
            self.heard += 1
            if send.peer == self.key:
                return Told(send.message, send.secret)
        return None

    def wait(self, *files: Any, timeout: float | None = None) -> list[Any]:
        self.between()
        return select(files, [], [], 0.2)[0] if files else []

    def fileno(self) -> int:
        raise AssertionError("line mode waits with wait()")

    def act(self, move: str, step: int, aim: int) -> bytes:
        self.table.around.act("A", move, step, aim)
        return b""

    def tell(self, word: wire.Chat | wire.Decline) -> None:
        self.table.around.say(self.table.around.key("A"), word)

    def leave(self) -> None:
        self.left = True


@contextmanager
def piped(text: str, end: bool = True) -> Iterator[Typed]:
    out, into = os.pipe()
    os.write(into, text.encode())
    if end:
        os.close(into)
    yield Typed(out)
    os.close(out)
    if not end:
        os.close(into)


class Run:
    """A session of Ann's, run to its end; what it showed."""

    def __init__(self, table: Table, typed: Typed | None, between: Callable[[], None] = lambda: None) -> None:
        self.lines: list[str] = []
        self.line = Line(table, between)
        self.mode = LineMode()
        self.session = Session(self.line, self.mode, typed, self.lines.extend)

    def __call__(self) -> list[str]:
        self.session.run()
        return self.lines


def silent_bob(table: Table) -> Callable[[], None]:
    """Bob passes, draws and discards whenever he is asked."""

    def play() -> None:
        for move in ("pass", "draw", "swap 1", "discard"):
            game = table.around.room.game
            if game and 1 in game.must_act and move in game.legal(1):
                table.around.act("B", move)

    return play


def quiet_table(**more: Any) -> Table:
    table = Table("Ann", "Bob", **more)
    table.modes.clear()
    return table


def test_a_whole_game_from_a_pipe() -> None:
    table = quiet_table(options={"max_turns": "6"})
    script = "peek 1 2\n" + "draw\nswap 1\n" * 3
    with piped(script) as typed:
        shown = Run(table, typed, silent_bob(table))()
    assert shown[-1].startswith("The game is over.")
    assert sum(line.startswith("You draw the") for line in shown) == 3
    assert not [line for line in shown if "not your turn" in line]


def test_a_script_waits_for_its_turn_and_words_do_not() -> None:
    table = quiet_table()
    with piped("?\npass\nmoves\ndraw\nquit\n") as typed:
        shown = Run(table, typed, silent_bob(table))()
    assert shown.index("You pass.") < next(n for n, line in enumerate(shown) if line.startswith("You draw"))
    assert shown[-1] == "You leave the table."


def test_a_script_that_ends_leaves_when_it_is_asked() -> None:
    table = quiet_table()
    with piped("pass\n") as typed:
        run = Run(table, typed, silent_bob(table))
        shown = run()
    assert shown[-1] == ENDED
    assert shown[-3].startswith("Your move: Call Cambio")
    assert run.line.left


def test_no_input_at_all_leaves_the_lobby() -> None:
    table = Table("Ann", size=2)
    with piped("") as typed:
        assert Run(table, typed)()[-1] == ENDED


def test_a_spectator_needs_no_input() -> None:
    table = Table("Bob", "Cem", options={"max_turns": "2"})
    table.join("Ann", "watch")
    table.modes.clear()

    def play() -> None:
        for seat in "AB":
            for move in ("pass", "draw", "swap 1"):
                game = table.around.room.game
                if game and move in game.legal("AB".index(seat)) and "AB".index(seat) in game.must_act:
                    table.around.act(seat, move)

    with piped("") as typed:
        shown = Run(table, typed, play)()
    assert shown[-1].startswith("The game is over.")


def test_a_terminal_is_answered_at_once_and_left_with_ctrl_d() -> None:
    table = quiet_table()
    mine, theirs = pty.openpty()
    os.write(mine, b"swap 1\n\x04")
    try:
        shown = Run(table, Typed(theirs))()
    finally:
        os.close(mine)
        os.close(theirs)
    assert any(line.startswith("Not now: Look at two") for line in shown)
    assert shown[-1] == ENDED


def test_a_lost_host_and_its_return_are_told() -> None:
    table = quiet_table()
    with piped("pass\n", end=False) as typed:
        run = Run(table, typed)
        states = iter(["away", "away", "back", "end"])

        def between() -> None:
            state = next(states)
            run.line.away = state == "away"
            if state == "back" and run.mode.follower.welcome:
                run.line.extra.append(Told(run.mode.follower.welcome))
            elif state == "end":
                run.mode.end = "left"

        run.line.between = between
        shown = run()
    assert shown.count(LOST) == 1
    assert "The host is back." in shown


def test_a_move_that_is_held_back_is_spoken_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanplay.screen.talk.HELD_BACK", 0.0)
    table = quiet_table()
    with piped("pass\n", end=False) as typed:
        run = Run(table, typed)
        monkeypatch.setattr(run.line, "act", lambda move, step, aim: b"")
        looks = iter(range(5))

        def between() -> None:
            if next(looks, None) is None:
                run.mode.end = "left"

        run.line.between = between
        assert run().count(HELD) == 1


def test_a_closed_table_ends_the_session() -> None:
    table = quiet_table()
    with piped("", end=False) as typed:
        run = Run(table, typed)
        run.line.between = lambda: run.line.extra.append(Told(wire.Closed("removed", "Out.")))
        run()
    assert run.mode.end == "closed"
    assert not run.line.left


def test_a_host_that_stays_away_is_the_callers_affair() -> None:
    table = quiet_table()
    with piped("", end=False) as typed:
        run = Run(table, typed)

        def gone() -> None:
            raise HostGone("Nobody there.")

        run.line.between = gone
        with pytest.raises(HostGone):
            run()


def test_a_host_that_does_not_prove_its_deal_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanplay.screen.talk.PATIENCE", 0.3)
    table = quiet_table(options={"max_turns": "2"}, pledge=Pledge(TABLE, bytes(32), KEY))
    table.around.tick(SECONDS)
    with piped("pass\n" + "draw\nswap 1\n" * 2) as typed:
        run = Run(table, typed, silent_bob(table))
        shown = run()
    assert shown[-2].startswith("The game is over.")
    assert shown[-1] == SILENT.line
    assert run.line.left


# ---- lines --------------------------------------------------------------------------------------------


def test_lines_come_whole_however_they_arrive() -> None:
    out, into = os.pipe()
    typed = Typed(out)
    assert typed.script
    for part, there in ((b"dr", []), (b"aw\nsw", ["draw"]), (b"ap 1\r\n\nlast \xff", ["draw", "swap 1", ""])):
        os.write(into, part)
        typed.read()
        assert list(typed.lines) == there
    os.close(into)
    typed.read()
    assert list(typed.lines)[-1] == "last \ufffd"
    assert typed.ended
    os.close(out)


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    out, into = os.pipe()
    typed = Typed(out)
    for _ in range(20):
        os.write(into, b"x" * 8192)
        typed.read()
    assert len(typed.rest) <= 65536 + 8192
    assert typed.lines
    os.close(into)
    os.close(out)
