"""Tickets: who runs on the same machine and as the same user as the host needs no join code."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from lanplay.net.home import hold, read_private, runtime, throw_away, write_private


class Ticket(Struct, frozen=True):
    """What a host leaves in a file that only its user can read. `token` takes the place of the join code."""

    table_id: str
    table: str
    game: str
    port: int
    token: str
    curve: bytes  # the host's public key
    address: str = "127.0.0.1"


class Issued:
    """A ticket that lies there for as long as this process runs, or until it is withdrawn."""

    def __init__(self, ticket: Ticket) -> None:
        self.path = runtime() / f"{ticket.table_id}.ticket"
        self.held = hold(self.path)
        try:
            write_private(self.path, ticket)
        except OSError:
            self.withdraw()
            raise

    def withdraw(self) -> None:
        for path in (self.path, self.path.with_suffix(".lock")):
            path.unlink(missing_ok=True)
        if self.held is not None:
            os.close(self.held)
            self.held = None


def here() -> list[Ticket]:
    """The tables of this machine, by name; tickets that a dead host left behind are removed."""
    found = []
    for path in sorted(runtime().glob("*.ticket")):
        ticket = read_private(path, Ticket)
        if ticket and lives(path):
            found.append(ticket)
    return sorted(found, key=lambda ticket: ticket.table)


def lives(path: Path) -> bool:
    """The host that issued the ticket still runs, since it holds the lock; if not, its ticket is removed."""
    return not throw_away(path)
