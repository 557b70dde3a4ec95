"""How far a match is, on a terminal: one line that is drawn anew, and wiped at the end."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lanplay.arena.result import Result
from lanplay.cli.common import settings

EVERY = 0.2  # seconds between two drawings


@contextmanager
def bar() -> Iterator[Callable[[Result], None]]:
    """Shows the games played, how many a second, and the time left; nothing where there is no terminal."""
    if settings().quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda result: None
        return
    line = Line()
    try:
        yield line
    finally:
        line.wipe()


class Line:
    """One line on standard error."""

    def __init__(self) -> None:
        self.begun, self.before, self.drawn = 0.0, 0, 0.0

    def __call__(self, result: Result) -> None:
        """Draw how far it is, unless that was done a moment ago."""
        now = time.monotonic()
        if not self.begun:
            self.begun, self.before = now, result.games
        if now - self.drawn >= EVERY:
            self.drawn = now
            wide = shutil.get_terminal_size().columns - 1
            told = progress(result, result.games - self.before, now - self.begun)
            sys.stderr.write(f"\r{told[:wide]:<{wide}}")
            sys.stderr.flush()

    def wipe(self) -> None:
        if self.drawn:
            sys.stderr.write(f"\r{'':<{shutil.get_terminal_size().columns - 1}}\r")
            sys.stderr.flush()


def progress(result: Result, games: int, seconds: float) -> str:
    """The line: games played now, in so many seconds, and the whole match."""
    whole = result.spec.blocks * len(result.spec.bots)
    told = f"{'#' * (20 * result.games // whole):.<20} {result.games} of {whole} games"
    if games and seconds > 0:
        speed = games / seconds
        most = "at most " if result.test else ""
        told += f", {speed:.3g}/s, {most}{left((whole - result.games) / speed)} left"
    if result.test and result.blocks:
        told += f", LLR {result.test.llr:.2f}"
    return told


def left(seconds: float) -> str:
    """A time in a few letters."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes}:{rest:02} min"
