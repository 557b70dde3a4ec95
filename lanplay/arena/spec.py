"""What a match is: the game, the bots, how many deals, from which seed."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields
from itertools import chain
from pathlib import Path
from typing import Any

from lanplay import __version__
from lanplay.arena.game import Pairing
from lanplay.arena.sprt import Sprt
from lanplay.bot.bot import Bot
from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.load import house_bots, load
from lanplay.bot.programs import called
from lanplay.engine.options import Options
from lanplay.games import find
from lanplay.room.people import clean, look
from lanplay.speech.spell import count

LABEL = 17  # letters that a bot's name has in a report, before its number
TURNS = 200  # a seat and round, where the game has max_turns and nobody set it
# where the game has max_rounds and nobody set it: bots that only lose points never reach a target
ROUNDS = 100


class MatchError(RuntimeError):
    """The match can't go on; the text says why and what to do."""


@dataclass(frozen=True)
class MatchSpec:
    """What is to be played. `games` is rounded up to whole blocks: a deal is played once in each rotation of the seats.

    With `sprt` the match ends before, as soon as that test of the first bot against the second (by name) is decided.
    Raises UnknownGame, OptionError, BotError or ValueError, each with a sentence, when it is made.
    """

    game: str
    bots: tuple[str, ...]
    games: int = 1000
    seed: int = 1
    jobs: int = 1
    options: dict[str, int | str] = field(default_factory=dict)
    over_lan: bool = False
    sprt: Sprt | None = None
    limits: Limits = LIMITS  # of bots that are processes of their own

    def __post_init__(self) -> None:
        rules = find(self.game)
        if len(self.bots) not in rules.seats:
            few, many = rules.seats[0], rules.seats[-1]
            raise ValueError(
                f"{rules.title} is for {few} to {many} players, not for {count(len(self.bots), 'bot')}"
            )
        if self.games < 1 or self.jobs < 1:
            raise ValueError("a match needs at least one game and one job")
        if self.sprt and len(self.entries) == 1:
            raise ValueError("a sequential test compares the first bot with the second, and here is only one")
        self.pairing()

    def pairing(self) -> Pairing:
        """The rules, options and classes, loaded."""
        kinds = {bot: load(bot, self.game, self.limits) for bot in self.bots}
        return Pairing(
            find(self.game), self.table_options(), [kinds[bot] for bot in self.bots], tuple(self.names())
        )

    def table_options(self) -> Options:
        """The options of each table: those set, and limits to turns and rounds if none were set."""
        rules = find(self.game)
        limits = {"max_turns": TURNS * len(self.bots), "max_rounds": ROUNDS}
        known = rules.defaults.values()
        wanted = {name: limit for name, limit in limits.items() if name in known}
        return rules.defaults.read({**wanted, **self.options})

    @property
    def blocks(self) -> int:
        """How many deals are played, each in as many games as there are seats."""
        return -(-self.games // len(self.bots))

    @property
    def entries(self) -> list[str]:
        """The different bots, in the order they were named."""
        return list(dict.fromkeys(self.bots))

    @property
    def labels(self) -> list[str]:
        """What the entries are called in a report."""
        taken: list[str] = []
        for entry in self.entries:
            taken.append(unique(clean(called(entry))[:LABEL], taken))
        return taken

    def words(self) -> list[str]:
        """The command that plays it."""
        words = [
            "lanplay",
            "match",
            self.game,
            *self.bots,
            "--games",
            str(self.games),
            "--seed",
            str(self.seed),
        ]
        for name, value in self.options.items():
            words += ["--set", f"{name}={value}"]
        if self.sprt:
            words += ["--sprt", f"{self.sprt.elo0:g},{self.sprt.elo1:g}"]
            for name in ("alpha", "beta"):
                if (error := getattr(self.sprt, name)) != getattr(Sprt, name):
                    words += [f"--sprt-{name}", f"{error:g}"]
        if self.limits != LIMITS:
            words += ["--bot-time", str(self.limits)]
        return [*words, *(["--over-lan"] if self.over_lan else [])]

    def identity(self) -> dict[str, Any]:
        """What the numbers follow from, and nothing else. Of the bots' code it has their own files."""
        rules = find(self.game)
        told = {
            "version": __version__,
            "game": self.game,
            "rules": rules.version,
            "bots": list(self.bots),
            "sources": {bot: source(load(bot), bot) for bot in self.entries},
            "seed": self.seed,
            "options": self.table_options().values(),
            "over_lan": self.over_lan,
            "sprt": list(astuple(self.sprt)) if self.sprt else None,
        }
        amount = ("games", "jobs")  # how much is played, and by how many
        rest = [one.name for one in fields(self) if one.name not in (*told, *amount)]
        return told | {name: str(getattr(self, name)) for name in rest}

    def names(self) -> Iterator[str]:
        """What each bot is called at the table: the second `memory` is `memory 2`, as in a room."""
        taken: list[str] = []
        for bot in self.bots:
            taken.append(unique(clean(called(bot)), taken))
            yield taken[-1]


def source(kind: type[Bot], bot: str) -> str:
    """A hash of the file that a bot stands in, and of those that its name names."""
    own = getattr(sys.modules.get(kind.__module__), "__file__", None)
    found = [*([Path(own)] if own else []), *files(bot)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in found)).hexdigest()[:16]


def files(bot: str) -> list[Path]:
    """The files that a bot's name names, however it is started: `mine.py:Class`, `exec:./mine.sh fast`, a house bot."""
    rest = bot.partition(":")[2]
    words = [bot, rest, bot.rpartition(":")[0], rest.rpartition(":")[0], *re.split(r"[\s:]+", bot)]
    named = [Path(word.strip("'\"")) for word in words] + [
        house for name, house in house_bots().items() if name in words
    ]
    return [file for file in dict.fromkeys(named) if file.is_file()]


def unique(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if it is taken, or one that looks the same."""
    used = {look(one) for one in taken}
    names = (f"{name[:20]} {number}" for number in range(2, len(used) + 2))
    return next(one for one in chain([name], names) if look(one) not in used)
