"""The registry of games: every module of this folder, and entry points `lanplay.games` of other packages.

A game module has a tuple `GAMES` of Rules.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from lanplay.engine.game import Rules


class UnknownGame(LookupError):
    """There is no game of that name; the text says which there are."""


@cache
def registry() -> dict[str, Rules]:
    """All games by name."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    modules += [point.load() for point in entry_points(group="lanplay.games")]
    return {rules.name: rules for module in modules for rules in module.GAMES}


def find(name: str) -> Rules:
    """The game of this name. Raises UnknownGame."""
    games = registry()
    if name not in games:
        from difflib import get_close_matches  # noqa: PLC0415 - only when somebody mistyped

        near = get_close_matches(name.lower(), games, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the games are {', '.join(sorted(games))}"
        raise UnknownGame(f"there is no game {name[:40]!r}: {hint}")
    return games[name]
