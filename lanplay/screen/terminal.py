"""Where lines are printed: how wide it is, and printing them."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from lanplay.speech.spell import printed


def width(stream: TextIO | None = None) -> int:
    """Of the terminal behind a stream, the standard output if none is named; 0 if it goes elsewhere."""
    return shutil.get_terminal_size().columns if (stream or sys.stdout).isatty() else 0


def show(lines: list[str]) -> None:
    """Print lines, at once."""
    if lines:
        sys.stdout.write(printed(lines, width()))
        sys.stdout.flush()
