"""`lanplay` and `python -m lanplay`."""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Callable
from types import FrameType

from lanplay.ending import Ending


def main() -> None:
    """Run the command line. However it is ended, what it opened is closed and what it started is stopped."""
    on_end(leave)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # they are for developers, who ask for them
    try:
        from lanplay.cli import cli  # noqa: PLC0415 - Ctrl-C is caught from here on

        cli()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        on_end(signal.SIG_DFL)  # all is closed: nothing is left to be done at the last moment


def on_end(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """What to do when the program is told to end, or its terminal goes."""
    for name in ("SIGTERM", "SIGHUP"):  # no SIGHUP on Windows
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)


def leave(number: int, frame: FrameType | None) -> None:
    """Told to end: with the exit code that shells give to that."""
    raise Ending(128 + number)


if __name__ == "__main__":
    main()
