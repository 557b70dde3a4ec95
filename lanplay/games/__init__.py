"""The registry of games: every module of this folder, and entry points `lanplay.games` of other packages.

A game module has a tuple `GAMES` of Rules, and may have a Speech, `SPEECH`: the words of these games.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType

from lanplay.engine.game import Rules
from lanplay.speech.speech import COMMON, Speech


class UnknownGame(LookupError):
    """There is no game of that name; the text says which there are."""


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules with games in them."""
    here = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return (*here, *(point.load() for point in entry_points(group="lanplay.games")))


@cache
def registry() -> dict[str, Rules]:
    """All games by name."""
    return {rules.name: rules for module in modules() for rules in module.GAMES}


@cache
def speeches() -> dict[str, Speech]:
    """The words of the games that have their own, by the game's name."""
    return {rules.name: getattr(module, "SPEECH", COMMON) for module in modules() for rules in module.GAMES}


def speech_of(name: str) -> Speech:
    """The words of this game; the common ones, if it has none of its own or is not known here."""
    return speeches().get(name, COMMON)


def find(name: str) -> Rules:
    """The game of this name. Raises UnknownGame."""
    games = registry()
    if name not in games:
        from difflib import get_close_matches  # noqa: PLC0415 - only when somebody mistyped

        near = get_close_matches(name.lower(), games, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the games are {', '.join(sorted(games))}"
        raise UnknownGame(f"there is no game {name[:40]!r}: {hint}")
    return games[name]
