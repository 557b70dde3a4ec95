"""Finding a bot: a house bot's name, a file, a class in a file, an installed package's, or a program."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from lanplay.bot.bot import Bot
from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.programs import APART, named, program
from lanplay.resources import folder as resources

WHAT = "a bot is a class derived from lanplay.bot.Bot"


class BotError(LookupError):
    """There is no such bot, or it can't be loaded; the text says what to do."""


def house_bots() -> dict[str, Path]:
    """The bots that come with lanplay, by name."""
    return {
        path.stem: path for path in sorted(resources("bots").glob("*.py")) if not path.stem.startswith("_")
    }


def installed() -> dict[str, str]:
    """Every bot that can be named, described: house bots and those of other packages (entry points `lanplay.bots`)."""
    names = [*house_bots(), *(point.name for point in entry_points(group="lanplay.bots"))]
    return {name: described(name) for name in names}


def described(name: str) -> str:
    """The first line of a bot's docstring, or why it can't be loaded."""
    try:
        return (load(name).__doc__ or "").strip().partition("\n")[0]
    except BotError as error:
        return f"can't be used: {error}"


def load(name: str, game: str | None = None, limits: Limits = LIMITS) -> type[Bot]:
    """The class of a bot: `memory`, `file.py`, `file.py:Class`, `exec:COMMAND` or `apart:` with one of the first three.

    `limits` hold for those in a process of their own. Raises BotError, also if the bot doesn't play this game.
    """
    kind = apart(name, limits) if named(name) else found(name)
    only = plays(kind)
    if game and only and game not in only:
        raise BotError(f"the bot {name} doesn't play {game}, only {' and '.join(only)}")
    return kind


def apart(name: str, limits: Limits) -> type[Bot]:
    """A bot in a process of its own. Its code is not run here, only looked for."""
    bot = name.removeprefix(APART)
    path = bot.partition(".py:")[0].removesuffix(".py")
    if bot != name and (named(bot) or not (Path(f"{path}.py").is_file() or is_known(bot))):
        raise BotError(
            f"there is no bot {bot[:40]!r} to be put into a process of its own: give a name or a file"
        )
    try:
        return program(name, limits)
    except ValueError as error:
        raise BotError(str(error)) from error


def is_known(name: str) -> bool:
    """Whether a bot can be named so."""
    return name in house_bots() or bool(entry_points(group="lanplay.bots", name=name))


def plays(kind: type[Bot]) -> tuple[str, ...]:
    """The games that a bot plays; none, if it plays any."""
    return (kind.games,) if isinstance(kind.games, str) else tuple(kind.games)


def found(name: str) -> type[Bot]:
    """The class of this name, whatever it plays."""
    path, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    house = house_bots()
    if name in house:
        return class_in(module_of(house[name]), "", name)
    if path.endswith(".py"):
        if not Path(path).is_file():
            raise BotError(f"there is no file {path}")
        if (folder := str(Path(path).resolve().parent)) not in sys.path:
            sys.path.append(folder)  # at the end: its neighbours can be imported, but hide nothing
        return class_in(module_of(Path(path)), wanted, path)
    for point in entry_points(group="lanplay.bots", name=name):
        return class_of(point)
    raise BotError(f"there is no bot {name[:40]!r}: {hint(name, house)}")


def hint(name: str, house: Iterable[str]) -> str:
    """What to say instead."""
    near = get_close_matches(name, house, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(house)}, or give a file: mine.py"


def class_of(point: EntryPoint) -> type[Bot]:
    """The bot of another package."""
    try:
        kind = point.load()
    except Exception as error:  # whatever the package does
        raise BotError(f"the bot {point.value} can't be loaded: {type(error).__name__}: {error}") from error
    if not (inspect.isclass(kind) and issubclass(kind, Bot)):
        raise BotError(f"the bot {point.value} is no class derived from lanplay.bot.Bot")
    return kind


def module_of(path: Path) -> ModuleType:
    """The module in a file, under a name of its own: a bot called random.py must not hide Python's."""
    name = f"lanplay_bot_{path.stem}_{abs(hash(path.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"the file {path} can't be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever the author's file does
        raise BotError(f"the file {path} can't be loaded: {type(error).__name__}: {error}") from error
    return module


def class_in(module: ModuleType, wanted: str, path: str) -> type[Bot]:
    """The bot class of this name in the module, or the only one."""
    own = {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, Bot) and kind.__module__ == module.__name__
    }
    able = {name: kind for name, kind in own.items() if kind.act is not Bot.act}
    if wanted:
        if wanted not in own:
            raise BotError(
                f"the file {path} has no bot {wanted}: {'there are ' + ', '.join(own) if own else WHAT}"
            )
        able = {name: kind for name, kind in able.items() if name == wanted}
    if not able:
        raise BotError(
            f"the file {path} has no bot: {'there is no act(view) in ' + ' or '.join(own) if own else WHAT}"
        )
    if len(able) > 1:
        raise BotError(
            f"the file {path} has several bots; name one: {' or '.join(f'{path}:{name}' for name in able)}"
        )
    return next(iter(able.values()))
