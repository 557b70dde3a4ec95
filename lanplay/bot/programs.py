"""Bots that are named by what starts them: `exec:COMMAND`, and `apart:BOT` for a bot in a process of its own."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.program import Program

EXEC, APART = "exec:", "apart:"


def named(bot: str) -> bool:
    """Whether this word names a program."""
    return bot.startswith((EXEC, APART))


def program(bot: str, limits: Limits = LIMITS) -> type[Program]:
    """The class that runs it. Raises ValueError with a sentence."""
    own = bot.startswith(APART)
    rest = bot.partition(":")[2].strip()
    command = [sys.executable, "-P", "-m", "lanplay.bot.stdio", rest] if own else words(rest)
    return type("Program", (Program,), {"command": tuple(command), "limits": limits, "pickles": own})


def words(command: str) -> list[str]:
    """The command, split as a shell would; its program must be there."""
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {command!r} can't be read: {error}") from error
    if not found:
        raise ValueError("say which program is the bot, such as exec:./mine.sh")
    if not shutil.which(found[0]):
        plight = "is not executable: chmod +x it" if Path(found[0]).is_file() else "is not there"
        raise ValueError(f"the program {found[0]} {plight}")
    return found


def called(bot: str) -> str:
    """What a bot is called at the table: its name without folder, class and what runs it."""
    if bot.startswith(APART):
        bot = bot[len(APART) :]
    if bot.startswith(EXEC):
        found = words(bot[len(EXEC) :])
        bot = next((word for word in found[1:] if Path(word).is_file()), found[0])
    return Path(bot.partition(":")[0] if ".py" in bot else bot).stem
