"""A bot at a table: it hears what its seat is told, and answers when it is asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from lanplay.bot.bot import Bot
from lanplay.bot.memory import Memory
from lanplay.bot.view import Info, View
from lanplay.engine.options import Options
from lanplay.engine.table import Zones
from lanplay.engine.words import SEATS, Seat, Told
from lanplay.games import registry

M = TypeVar("M", bound=str)
STRIKES = 5  # faults after which a bot is benched: the default move is made for it to the end of the game


@dataclass
class Health:
    """How a bot behaved: seconds of each answer, and its faults by kind."""

    times: list[float] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    why: str = ""  # of the first fault, in words

    @property
    def benched(self) -> bool:
        return self.strikes >= STRIKES

    @property
    def strikes(self) -> int:
        return sum(self.faults.values())

    def strike(self, kind: str, why: str) -> None:
        """Note a fault: `crashed`, `illegal` (no such move is offered), `silent` (no answer where one is owed)."""
        self.faults[kind] = self.faults.get(kind, 0) + 1
        self.why = self.why or why


class Player:
    """A bot with its memory. The same in a match in one process and over the LAN.

    Whatever the bot's own code does, nothing is raised here: a fault is a strike, and the default move is its answer.
    """

    def __init__(self, kind: type[Bot], seat: Seat, zones: Zones, info: Info, rng: Random) -> None:
        self.memory, self.info = Memory(seat, zones), info
        self.facts: list[Told] = []
        self.health = Health()
        self.bot: Bot | None = None
        with self.watched():
            bot = kind()
            bot.rng, bot.info = rng, info
            bot.setup(info)
            self.bot = bot

    @contextmanager
    def watched(self) -> Iterator[None]:
        """What the bot raises is a strike; of what it prints nothing reaches standard output, which may be a protocol."""
        try:
            with redirect_stdout(sys.stderr):
                yield
        except Exception as error:  # whatever a bot's author wrote
            self.health.strike("crashed", f"{type(error).__name__}: {error}")

    def hear(self, facts: Sequence[Told]) -> None:
        """What the seat was told."""
        self.memory.take(facts)
        self.facts += facts
        if self.bot is not None and type(self.bot).hear is not Bot.hear:
            for fact in facts:
                with self.watched():
                    self.bot.hear(fact)

    def answer(self, question: str, moves: Sequence[M], status: Any, default: M | None) -> M | None:
        """The bot's answer to `act` or `react`; `default` (None for react) if it has none that is offered."""
        if self.bot is None or self.health.benched or not moves:
            return default
        view, self.facts = View(self.info, self.memory, moves, status, self.facts), []
        said: str | None = None
        strikes, begun = self.health.strikes, time.perf_counter()
        with self.watched():
            said = self.bot.act(view) if question == "act" else self.bot.react(view)
        self.health.times.append(time.perf_counter() - begun)
        if said in moves:
            return moves[moves.index(said)]
        if self.health.strikes == strikes and (said is not None or question == "act"):
            offered = ", ".join(moves)
            self.health.strike(
                "silent" if said is None else "illegal", f"answered {said!r:.60} to {offered:.200}"
            )
        return default

    def end(self, result: dict[str, Any]) -> None:
        """The game is over."""
        if self.bot is not None:
            with self.watched():
                self.bot.end(result)


def info_of(
    game: str, options: dict[str, int | str], seat: Seat, names: dict[Seat, str], zones: Zones
) -> Info:
    """What the bot in this seat is told before the first deal."""
    rules = registry().get(game)
    worth: dict[str, int] = {}
    if rules and rules.worth:
        chosen: Options = rules.defaults.read(options)
        worth = dict(zip(rules.deck(chosen).faces, rules.worth(chosen), strict=True))
    return Info(game, SEATS[seat], {SEATS[n]: name for n, name in names.items()}, options, worth)
