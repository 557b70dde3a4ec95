"""What can go wrong at a table, and the exit codes that tell it to programs."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import sentence
from lanplay.net.errors import HostGone, NetError, PortTaken, Refused
from lanplay.record.journal import JournalError
from lanplay.room.follower import Garbled

UNREACHABLE, REFUSED, DISCONNECTED = 3, 4, 5


@contextmanager
def coming() -> Iterator[None]:
    """While a table is looked for, opened or joined."""
    try:
        yield
    except Refused as error:
        raise Failure(sentence(error), REFUSED) from error
    except (PortTaken, JournalError) as error:
        raise Failure(sentence(error), USAGE) from error
    except NetError as error:
        raise Failure(sentence(error), UNREACHABLE) from error
    except OSError as error:
        raise Failure(trouble(error), USAGE) from error


def trouble(error: OSError) -> str:
    """What this machine does not allow, and what to do about it."""
    if error.strerror is None:
        return sentence(error)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "This machine allows no more open files: end other programs, or allow more with ulimit -n."
    what = error.filename2 or error.filename or "What lanplay keeps"
    return (
        f"{what} can't be used ({error.strerror}): put that right, or name another folder with LANPLAY_HOME."
    )


@contextmanager
def sitting() -> Iterator[None]:
    """While at a table."""
    try:
        yield
    except HostGone as error:
        raise Failure(sentence(error), DISCONNECTED) from error
    except Garbled as error:
        raise Failure(sentence(error), DISCONNECTED) from error
    except Refused as error:  # a host that came back without knowing this peer
        raise Failure(sentence(error), REFUSED) from error
