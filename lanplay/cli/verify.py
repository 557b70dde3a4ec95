"""`lanplay verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lanplay.cli import USAGE, Failure
from lanplay.cli.common import as_json, command, json_option, settings
from lanplay.cli.replay import UNCHECKED, text_of
from lanplay.record.replay import Check
from lanplay.record.text import RecordError
from lanplay.record.verify import Proved, Unproved
from lanplay.record.verify import verify as verified


@command(
    """
    lanplay verify game.rec
    lanplay verify game.rec --json     for programs
    """
)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@json_option
def verify(file: Path, json_: bool) -> None:
    """Prove the deal of a finished game from its record: nobody chose the deck, and nothing was changed afterwards.

    Checked are the commitments and secrets of host and seats, every shuffle, every action, the result, the chain over all
    lines and the host's signature. If anything is not so, or the record holds no proof, the exit code is 6.
    """
    try:
        proved = prove(str(file), text_of(file))
    except Failure as error:
        if json_ and error.code == UNCHECKED:
            as_json({"proved": False, "why": str(error)})
        raise
    if json_:
        as_json(as_object(proved))
    elif not settings().quiet:
        click.echo(in_words(str(file), proved))


def prove(file: str, text: str) -> Proved:
    """A record that proves itself; `file` is what it is called. Raises Failure if it does not."""
    try:
        return verified(text)
    except RecordError as error:
        raise Failure(f"{file}: {error}", USAGE) from error
    except Check as error:
        raise Failure(f"{file} does not prove its deal: {error}.", UNCHECKED) from error
    except Unproved as error:
        raise Failure(f"{file} can't be proved: {error}.", UNCHECKED) from error


def in_words(file: str, proved: Proved) -> str:
    """What is proved, in a line."""
    signer = proved.claims.signer.hex()[:16]
    actions = proved.replay.game.accepted
    return f"{file} is proved: {proved.made_of}. {actions} actions, signed by the host with key {signer}."


def as_object(proved: Proved) -> dict[str, Any]:
    """The same for programs."""
    claims = proved.claims
    return {
        "proved": True,
        "game": proved.record.rules.name,
        "table": claims.table,
        "seats": proved.shared,
        "left_out": claims.left_out,
        "accepted": proved.replay.game.accepted,
        "signer": claims.signer.hex(),
        "head": claims.head.hex(),
    }
