"""Tickets: who runs on the same machine and as the same user as the host needs no join code."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from lanplay.net.home import read_private, runtime, write_private


class Ticket(Struct, frozen=True):
    """What a host leaves in a file that only its user can read. `token` takes the place of the join code."""

    table_id: str
    table: str
    game: str
    port: int
    pid: int
    token: str


def issue(table_id: str, table: str, game: str, port: int, token: str) -> Ticket:
    """Leave a ticket for this process's table."""
    ticket = Ticket(table_id, table, game, port, os.getpid(), token)
    write_private(path_of(ticket), ticket)
    return ticket


def withdraw(ticket: Ticket) -> None:
    path_of(ticket).unlink(missing_ok=True)


def path_of(ticket: Ticket) -> Path:
    return runtime() / f"{ticket.table_id}.ticket"


def here() -> list[Ticket]:
    """The tables of this machine, by name; tickets that a dead host left behind are removed."""
    found = []
    for path in sorted(runtime().glob("*.ticket")):
        ticket = read_private(path, Ticket)
        if ticket is None or not alive(ticket.pid):
            path.unlink(missing_ok=True)
        else:
            found.append(ticket)
    return sorted(found, key=lambda ticket: ticket.table)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
