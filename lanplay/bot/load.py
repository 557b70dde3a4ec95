"""Finding a bot: a house bot's name, a file, a class in a file, or an installed package's."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from lanplay.bot.bot import Bot
from lanplay.resources import folder


class BotError(LookupError):
    """There is no such bot, or it can't be loaded; the text says what to do."""


def house_bots() -> dict[str, Path]:
    """The bots that come with lanplay, by name."""
    return {path.stem: path for path in sorted(folder("bots").glob("*.py")) if not path.stem.startswith("_")}


def installed() -> dict[str, str]:
    """Every bot that can be named: house bots and those of other packages (entry points `lanplay.bots`), described."""
    described = {name: first_line(load(name)) for name in house_bots()}
    return described | {point.name: first_line(point.load()) for point in entry_points(group="lanplay.bots")}


def first_line(kind: type[Bot]) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def load(name: str) -> type[Bot]:
    """The class of a bot: `memory`, `file.py` or `file.py:Class`. Raises BotError."""
    path, _, wanted = name.partition(":") if ".py" in name else (name, "", "")
    if path in house_bots():
        return class_in(module_of(house_bots()[path]), wanted, path)
    if path.endswith(".py"):
        if not Path(path).is_file():
            raise BotError(f"there is no file {path}")
        return class_in(module_of(Path(path)), wanted, path)
    for point in entry_points(group="lanplay.bots", name=name):
        kind: type[Bot] = point.load()
        return kind
    near = get_close_matches(name, house_bots(), n=1)
    hint = (
        f"did you mean {near[0]}?"
        if near
        else f"there are {', '.join(house_bots())}, or give a file: mine.py"
    )
    raise BotError(f"there is no bot {name[:40]!r}: {hint}")


def module_of(path: Path) -> ModuleType:
    """The module in a file, under a name of its own: a bot called random.py must not hide Python's."""
    name = f"lanplay_bot_{path.stem}_{abs(hash(path.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} can't be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the author's file does
        raise BotError(f"{path} can't be loaded: {type(error).__name__}: {error}") from error
    return module


def class_in(module: ModuleType, wanted: str, path: str) -> type[Bot]:
    """The bot class of this name in the module, or the only one."""
    own = {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, Bot) and kind.__module__ == module.__name__
    }
    if wanted in own:
        return own[wanted]
    if wanted or not own:
        there = f"there are {', '.join(own)}" if own else "a bot is a class derived from lanplay.bot.Bot"
        raise BotError(f"{path} has no bot {wanted}: {there}" if wanted else f"{path} has no bot: {there}")
    if len(own) > 1:
        raise BotError(f"{path} has several bots; name one: " + " or ".join(f"{path}:{name}" for name in own))
    return next(iter(own.values()))
