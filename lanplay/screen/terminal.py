"""Where lines are printed: how wide it is, and printing them."""

from __future__ import annotations

import shutil
import sys

from lanplay.speech.spell import printed


def width() -> int:
    """Of the terminal; 0 if the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def show(lines: list[str]) -> None:
    """Print lines, at once."""
    if lines:
        sys.stdout.write(printed(lines, width()))
        sys.stdout.flush()
