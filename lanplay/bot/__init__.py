"""The SDK: everything that a bot's author needs is `from lanplay.bot import Bot`."""

from lanplay.bot.bot import Bot, best_snap
from lanplay.bot.facts import Fact
from lanplay.bot.view import Info, View

__all__ = ["Bot", "Fact", "Info", "View", "best_snap"]
