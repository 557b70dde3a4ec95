"""`lanplay list`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from lanplay.cli import Failure
from lanplay.cli.common import as_json, command, json_option
from lanplay.cli.failures import UNREACHABLE
from lanplay.net.find import Found, on_lan
from lanplay.speech.spell import plain

NONE = (
    "No table was found on this machine or the LAN. Open one with: lanplay host cambio. "
    "What may be in the way of others: lanplay doctor"
)


@command(
    """
    lanplay list
    lanplay list --json
    """,
    name="list",
)
@json_option
def list_(json_: bool) -> int:
    """List the tables on this machine and the LAN, and how to join each.

    Takes a second and a half. Exit code 3 if there is none.
    """
    tables = on_lan()
    if json_:
        as_json({"tables": [described(found) for found in tables]})
    elif tables:
        click.echo("\n".join(lines(tables)))
    else:
        raise Failure(NONE, UNREACHABLE)
    return 0 if tables else UNREACHABLE


def described(found: Found) -> dict[str, Any]:
    """A table as JSON. `seats`, `taken` and `free` are null where the table does not tell."""
    known = bool(found.seats)
    return {
        "table": found.table,
        "game": found.game,
        "seats": found.seats if known else None,
        "taken": found.taken if known else None,
        "free": free(found) if known else None,
        "open": found.open,
        "here": found.token is not None,
        "address": found.address,
        "port": found.port,
        "where": found.where,
        "table_id": found.table_id,
    }


def free(found: Found) -> int:
    return max(0, found.seats - found.taken)


def lines(tables: Sequence[Found]) -> list[str]:
    """The tables for people, in columns."""
    rows = [(found.table, found.game, seats(found), entry(found), found.where) for found in tables]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    listed = [
        "  ".join(f"{plain(word):{width}}" for word, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    ]
    return [*listed, f"To join one: lanplay join {quoted(tables)}"]


def seats(found: Found) -> str:
    return f"{free(found)} of {found.seats} seats free" if found.seats else "seats not told"


def entry(found: Found) -> str:
    """What is asked for at the door."""
    if found.token is not None:
        return "on this machine"
    return "open to anyone" if found.open else "join code"


def quoted(tables: Sequence[Found]) -> str:
    """How the first table is named on a command line: by its address, if its name is not its own."""
    first = tables[0]
    alone = sum(one.table.casefold() == first.table.casefold() for one in tables) == 1
    return f'"{first.table}"' if alone and '"' not in first.table else first.where
