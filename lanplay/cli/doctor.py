"""`lanplay doctor`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from lanplay.cli.common import as_json, command, json_option
from lanplay.net.advice import Finding, findings
from lanplay.net.surroundings import Surroundings, gather
from lanplay.screen.terminal import show, unfit_terminal
from lanplay.speech.spell import plain

MARKS = {"fine": "ok", "note": "note", "trouble": "TROUBLE"}


@command(
    """
    lanplay doctor
    lanplay doctor --json
    """
)
@json_option
def doctor(json_: bool) -> None:
    """Tell what may keep others from joining: interfaces, ports, firewall, multicast, terminal.

    Looks at this machine only, and sends nothing to others. Exit code 0, whatever is found.
    """
    here = gather()
    found = [*findings(here), *terminal(os.environ, sys.stdout.encoding, sys.stdout.isatty())]
    if json_:
        as_json(report(here, found))
    else:
        show(lines(found))


def terminal(
    environment: Mapping[str, str],
    encoding: str | None,
    is_terminal: bool,
    size: os.terminal_size | None = None,
) -> Iterator[Finding]:
    """What the terminal can show. `environment` as os.environ."""
    if not is_terminal:
        yield Finding("fine", "terminal", "the output goes elsewhere; there lanplay writes plain lines")
        return
    why = unfit_terminal(environment, encoding, size or shutil.get_terminal_size())
    if (encoding or "").lower().replace("-", "") != "utf8":
        yield Finding(
            "note",
            "terminal",
            f"it writes {encoding or 'an unknown encoding'}, not UTF-8: letters with accents may look wrong",
            "Set a UTF-8 locale, such as LANG=C.UTF-8; in Windows use Windows Terminal.",
        )
    elif why:
        yield Finding("note", "terminal", f"tables are shown in plain lines. {why.rstrip('.')}")
    else:
        yield Finding("fine", "terminal", "UTF-8; the full screen fits")


def report(here: Surroundings, found: list[Finding]) -> dict[str, Any]:
    """All as JSON: what was found, and what it was drawn from."""
    return {
        "ok": all(one.weight != "trouble" for one in found),
        "findings": msgspec.to_builtins(found),
        "surroundings": msgspec.to_builtins(here),
    }


def lines(found: list[Finding]) -> list[str]:
    """The findings for people: what is in the way comes last, where it is seen."""
    shown = []
    for one in sorted(found, key=lambda one: list(MARKS).index(one.weight)):
        shown.append(plain(f"{MARKS[one.weight]:8}{one.subject}: {one.says}."))
        if one.todo:
            shown.append(plain(f"{'':8}{one.todo}"))
    if all(one.weight != "trouble" for one in found):
        shown.append("Nothing here keeps others from joining.")
    return shown
