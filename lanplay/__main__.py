"""`lanplay` and `python -m lanplay`."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line. However it is ended, what it opened is closed and what it started is stopped."""
    for name in ("SIGTERM", "SIGHUP"):  # no SIGHUP on Windows
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)
    try:
        from lanplay.cli import cli  # noqa: PLC0415 - Ctrl-C is caught from here on

        cli()
    except KeyboardInterrupt:
        sys.exit(130)


def leave(number: int, frame: FrameType | None) -> None:
    """Told to end: with the exit code that shells give to that."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
