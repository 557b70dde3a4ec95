"""A bot at a table: it hears what its seat is told, and answers when it is asked."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from lanplay.bot.bot import Bot
from lanplay.bot.clock import Fault
from lanplay.bot.facts import fact
from lanplay.bot.health import Health
from lanplay.bot.memory import Memory
from lanplay.bot.program import Program
from lanplay.bot.view import Info, View
from lanplay.ending import Ending
from lanplay.engine.options import Options
from lanplay.engine.table import Zones
from lanplay.engine.words import SEATS, Seat, Told
from lanplay.games import registry
from lanplay.room.pace import Question
from lanplay.wire.messages import Status

M = TypeVar("M", bound=str)
R = TypeVar("R")


class Player:
    """A bot with its memory. The same in a match in one process and over the LAN.

    Whatever the bot's own code does, nothing is raised here: a fault is a strike, and the default move is its answer.
    """

    def __init__(self, kind: type[Bot], seat: Seat, zones: Zones, info: Info, rng: Random) -> None:
        self.kind, self.info, self.memory, self.health = kind, info, Memory(seat, zones), Health()
        self.points = [info.worth.get(face, 0) for face in zones.deck.faces]
        self.told: list[Told] = []  # since the last question
        self.bot: Bot | None = None  # None: default moves are made for it
        bot = self.tried(kind)
        if bot is not None:
            bot.rng, bot.info = rng, info
            self.tried(lambda: bot.setup(info))
        if not self.health.faults:
            self.bot = bot
        elif isinstance(bot, Program):
            bot.close()
        self.listens = kind.hear is not Bot.hear
        self.snaps = kind.react is Bot.react  # which needs no view to find nothing that matches

    def tried(self, code: Callable[[], R]) -> R | None:
        """Run the bot's code; what it raises is a strike."""
        try:
            return code()
        except Fault as fault:
            self.health.strike(fault.kind, fault.why)
            if fault.final:
                self.close()
            return None
        except Ending:
            raise
        except (Exception, SystemExit) as error:  # whatever a bot's author wrote
            self.health.strike("crashed", f"crashed: {described(error, self.kind)}")
            return None

    def hear(self, facts: Sequence[Told]) -> None:
        """What the seat was told."""
        self.memory.take(facts)
        self.told += facts
        bot = self.bot
        if self.listens and bot is not None:
            for told in facts:
                one = fact(told, self.memory.zones, len(self.info.names))
                if one and not self.health.benched:
                    self.tried(lambda one=one: bot.hear(one))  # type: ignore[misc]

    def answer(self, question: Question, moves: Sequence[M], status: Status) -> M | None:
        """The bot's answer; if it has none that is offered, the default move, and to `react` None."""
        if not moves:
            return None
        said = self.said(question, moves, status)
        return default_of(moves) if said is None and question == "act" else said

    def said(self, question: Question, moves: Sequence[M], status: Status) -> M | None:
        """What the bot itself says, if it is one of the moves."""
        if self.bot is None or self.health.benched:
            return None
        if question == "react" and self.snaps and not self.memory.matching():
            return None
        view, self.told = View(self.info, self.memory, self.points, moves, status, self.told), []
        ask = self.bot.act if question == "act" else self.bot.react
        strikes, begun = self.health.strikes, time.perf_counter()
        said: object = self.tried(lambda: ask(view))
        self.health.took(time.perf_counter() - begun)
        if isinstance(said, str) and said in moves:
            return moves[moves.index(said)]
        if self.health.strikes == strikes:
            self.unoffered(question, said, moves)
        if self.health.benched:
            self.close()
        return None

    def unoffered(self, question: Question, said: object, moves: Sequence[str]) -> None:
        """It answered, but with no move that is offered."""
        if said is not None:
            what = repr(str(said)) if isinstance(said, str) else f"a {type(said).__name__}"
            self.health.strike("illegal", f"answered {what:.60} to {', '.join(moves):.200}")
        elif question == "act":
            self.health.strike("silent", f"answered nothing to {', '.join(moves):.200}")

    def end(self, result: dict[str, Any]) -> None:
        """The game is over."""
        bot = self.bot
        if bot is not None:
            self.tried(lambda: bot.end(result))
        self.close()

    def close(self) -> None:
        """A bot that is a program ends at once, if it is still there: nothing more is asked of it."""
        if isinstance(self.bot, Program):
            self.bot.close()
            self.bot = None


def default_of(moves: Sequence[M]) -> M:
    """The move that the host makes for who is absent: see `lanplay.engine.table.Table.default`."""
    for verb in ("pass", "draw", "discard"):
        for move in moves:
            if move.split(maxsplit=1)[0] == verb:
                return move
    return moves[0]


def described(error: BaseException, kind: type[Bot]) -> str:
    """What was raised, and at which line of the author's file."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file and file
    ]
    what = " ".join(traceback.format_exception_only(error)[-1].split())
    return f"{what:.200} ({Path(file).name}:{lines[-1]})" if file and lines else f"{what:.200}"


class Aside:
    """While somebody is inside, what is printed goes to standard error: standard output may be a protocol.

    Unlike contextlib's, it may be entered by several threads at once.
    """

    def __init__(self) -> None:
        self.lock, self.inside, self.stdout = threading.Lock(), 0, sys.stdout

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self.lock:
            self.inside += 1
            if self.inside == 1:
                self.stdout, sys.stdout = sys.stdout, sys.stderr
        try:
            yield
        finally:
            with self.lock:
                self.inside -= 1
                if not self.inside:
                    sys.stdout = self.stdout


aside = Aside()


def info_of(
    game: str, options: dict[str, int | str], seat: Seat, names: dict[Seat, str], zones: Zones
) -> Info:
    """What the bot in this seat is told before the first deal."""
    worth = dict(worth_of(game, tuple(options.items())))
    return Info(game, SEATS[seat], {SEATS[n]: name for n, name in names.items()}, dict(options), worth)


@lru_cache
def worth_of(game: str, values: tuple[tuple[str, int | str], ...]) -> dict[str, int]:
    """The points of each card by its face, if the options of the game decide them."""
    rules = registry().get(game)
    if rules is None or rules.worth is None:
        return {}
    options: Options = rules.defaults.read(dict(values))
    return dict(zip(rules.deck(options).faces, rules.worth(options), strict=True))
