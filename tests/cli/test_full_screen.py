"""Which way to play is chosen when, and how the full screen gives the terminal back."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select

import pytest

from lanplay.screen.terminal import unfit_terminal
from tests.cli.run import SECONDS, lanplay

GAME = ("play", "cambio", "--port", "0", "--name", "Ann", "--bot", "random", "--set", "max_turns=2")
SIZE = os.terminal_size((80, 24))


def inherited() -> dict[str, str]:
    """The environment, but for what says how large a terminal is: this one says it itself."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


class Terminal:
    """lanplay on a terminal of its own; `seen` is all that it has written there."""

    def __init__(self, *words: str, size: os.terminal_size = SIZE, **environment: str) -> None:
        self.mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))
        self.theirs = theirs
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lanplay", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**inherited(), "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
        )
        self.seen = ""

    def read(self, seconds: float) -> None:
        if select([self.mine], [], [], seconds)[0]:
            with suppress(OSError):
                self.seen += os.read(self.mine, 65536).decode("utf-8", "replace")

    def until(self, text: str) -> None:
        end = time.monotonic() + SECONDS
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} never came: {self.seen[-3000:]}"
            self.read(0.2)

    def press(self, keys: str) -> None:
        os.write(self.mine, keys.encode())

    def end(self) -> int:
        """Its exit code; the terminal is as it was before."""
        end = time.monotonic() + SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        self.read(0)
        assert "Traceback" not in self.seen
        assert termios.tcgetattr(self.theirs) == self.before
        return self.process.wait(1)


@contextmanager
def terminal(*words: str, size: os.terminal_size = SIZE, **environment: str) -> Iterator[Terminal]:
    found = Terminal(*words, size=size, **environment)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.wait()
        os.close(found.mine)
        os.close(found.theirs)


@pytest.fixture
def no_textual(tmp_path: Path) -> str:
    """Where Python finds a textual that must not be imported."""
    for name in ("textual", "rich"):
        (tmp_path / "without" / name).mkdir(parents=True)
        (tmp_path / "without" / name / "__init__.py").write_text("raise SystemExit(99)\n")
    return str(tmp_path / "without")


def test_only_the_full_screen_needs_textual(no_textual: str) -> None:
    assert lanplay("--version", PYTHONPATH=no_textual).code == 0
    with terminal(*GAME, "--plain", PYTHONPATH=no_textual) as plain:
        plain.until("peek 1 2")
        plain.press("\x04")
        assert plain.end() == 0
    with terminal(*GAME, PYTHONPATH=no_textual) as full:
        assert full.end() == 99


def test_a_whole_game_on_a_terminal() -> None:
    with terminal(*GAME) as ann:
        ann.until("peek 1 2")
        ann.press("pass\r")
        ann.until("draw")
        time.sleep(0.5)  # what has just come is not answered to
        for key in ("draw\r", "swap 1\r"):
            ann.until("Swap the card" if key[0] == "s" else "Call Cambio")
            time.sleep(0.5)
            ann.press(key)
        ann.until("Enter leaves")
        ann.press("quit\r")
        assert ann.end() == 0
    last = ann.seen.rpartition("\x1b[?1049l")[2]
    assert "The game is over." in last
    assert "The deal is proved" in last
    assert "To see the game again" in last


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("", 143)])
def test_every_way_out_restores_the_terminal(keys: str, code: int) -> None:
    with terminal(*GAME) as ann:
        ann.until("peek 1 2")
        began = time.monotonic()
        if keys:
            ann.press(keys)
        else:
            ann.process.send_signal(signal.SIGTERM)
        assert ann.end() == code
        assert time.monotonic() - began < 10
    assert "\x1b[?1049l" in ann.seen  # back from the other screen
    assert "\x1b[?1000h" not in ann.seen  # the mouse was never taken


def test_an_error_in_lanplay_itself_is_one_line(tmp_path: Path) -> None:
    fault = "import lanplay.screen.full.app as a, sys\na.picture = lambda *_: 1 / 0\n"
    (tmp_path / "fault.py").write_text(fault + "from lanplay.__main__ import main\nmain()\n")
    with terminal() as ann:  # --help; only to have a terminal
        ann.end()
        before = ann.seen
        ann.process = subprocess.Popen(
            [sys.executable, str(tmp_path / "fault.py"), *GAME],
            stdin=ann.theirs,
            stdout=ann.theirs,
            stderr=ann.theirs,
            env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"},
        )
        assert ann.end() == 1
    last = ann.seen.removeprefix(before).rpartition("\x1b[?1049l")[2]
    assert "Something is wrong in lanplay itself (ZeroDivisionError" in last


def test_no_colours_if_none_are_wanted() -> None:
    with terminal(*GAME, NO_COLOR="1") as ann:
        ann.until("peek 1 2")
        ann.press("peek 1 2\r")
        ann.until("You look at")
        ann.press("quit\r")
        assert ann.end() == 0
    codes = [part.split("m")[0] for part in ann.seen.split("\x1b[")[1:] if "m" in part[:24]]
    assert not [
        code for code in codes for one in code.split(";") if one in ("38", "48", "31", "34", "91", "94")
    ]


@pytest.mark.parametrize("words", [("--tui",), ("--tui", "--plain")])
def test_where_it_cannot_be_is_said_in_a_line(words: tuple[str, ...]) -> None:
    done = lanplay(*GAME, *words)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert ("needs a terminal" in done.err) == (words == ("--tui",))


def test_a_small_or_dumb_terminal_has_lines() -> None:
    with terminal(*GAME, TERM="dumb") as dumb, terminal(*GAME, size=os.terminal_size((50, 10))) as small:
        for one in (dumb, small):
            one.until("11: pass")
            one.press("quit\n")
            assert one.end() == 0
            assert "\x1b" not in one.seen


@pytest.mark.parametrize(
    ("term", "encoding", "size", "why"),
    [
        ("xterm", "utf-8", (80, 24), ""),
        ("xterm", "UTF8", (60, 16), ""),
        ("xterm", "cp1252", (80, 24), "UTF-8"),
        ("xterm", None, (80, 24), "UTF-8"),
        ("dumb", "utf-8", (80, 24), "TERM is dumb"),
        ("", "utf-8", (80, 24), "TERM is not set"),
        ("xterm", "utf-8", (59, 24), "60 columns"),
        ("xterm", "utf-8", (80, 15), "16 lines"),
    ],
)
def test_what_a_terminal_must_be_able_to_do(
    term: str, encoding: str | None, size: tuple[int, int], why: str
) -> None:
    said = unfit_terminal({"TERM": term}, encoding, os.terminal_size(size))
    assert (why in said) if why else not said
