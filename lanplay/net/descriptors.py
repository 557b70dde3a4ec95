"""How many files and connections this process may have open."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress

MOST = 16384  # connections, however many descriptors there are
WANTED = MOST + 192
AT_FIRST = 18  # descriptors that a host or a peer wants to begin with


def check_spare() -> None:
    """Raises OSError (EMFILE) where so few descriptors are left that ZeroMQ would not begin, but abort the program."""
    with ExitStack() as opened:
        for _ in range(AT_FIRST):
            opened.enter_context(open(os.devnull, "rb"))  # noqa: PTH123 - a dozen times, for nothing


def descriptors() -> int:
    """How many this process may have open, after asking for as many as it can get."""
    if sys.platform == "win32":  # pragma: no cover - there they are not counted like this
        return WANTED
    import resource  # noqa: PLC0415 - Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < WANTED and soft < hard:
        soft = min(WANTED, hard) if hard != resource.RLIM_INFINITY else WANTED
        with suppress(ValueError, OSError):  # macOS has a limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
