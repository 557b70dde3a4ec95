"""Where lines are printed: how wide it is, and printing them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

from lanplay.speech.spell import printed

LEAST = os.terminal_size((60, 16))  # columns and lines that the full screen needs


def unfit() -> str:
    """Why the full screen can't be here, as a sentence; empty if it can."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):  # it is drawn on the last
        return "The full screen needs a terminal for input, output and errors."
    return unfit_terminal(os.environ, sys.stdout.encoding, shutil.get_terminal_size())


def unfit_terminal(environment: Mapping[str, str], encoding: str | None, size: os.terminal_size) -> str:
    """The same for a terminal of this kind. `environment` as os.environ."""
    term = environment.get("TERM", "")
    if os.name != "nt" and term in ("", "dumb", "unknown"):
        return f"The full screen can't be drawn: TERM is {term or 'not set'}."
    if (encoding or "").lower().replace("-", "") != "utf8":
        return f"The full screen needs UTF-8, and the output is {encoding or 'unknown'}: set LANG to a UTF-8 locale."
    if size.columns < LEAST.columns or size.lines < LEAST.lines:
        need = f"{LEAST.columns} columns and {LEAST.lines} lines"
        return f"The full screen needs {need}; the terminal has {size.columns} and {size.lines}."
    return ""


def width(stream: TextIO | None = None) -> int:
    """Of the terminal behind a stream, the standard output if none is named; 0 if it goes elsewhere."""
    return shutil.get_terminal_size().columns if (stream or sys.stdout).isatty() else 0


def show(lines: list[str]) -> None:
    """Print lines, at once."""
    if lines:
        sys.stdout.write(printed(lines, width()))
        sys.stdout.flush()
