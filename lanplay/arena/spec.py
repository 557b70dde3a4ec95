"""What a match is: the game, the bots, how many deals, from which seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lanplay.arena.game import Pairing
from lanplay.bot.clock import LIMITS, Limits
from lanplay.bot.load import load
from lanplay.bot.programs import called
from lanplay.engine.options import Options
from lanplay.games import find
from lanplay.room.people import clean
from lanplay.speech.spell import count

TURNS = 200  # a seat and round, where the game has max_turns and nobody set it
ROUNDS = (
    100  # where the game has max_rounds and nobody set it: bots that only lose points never reach a target
)


@dataclass(frozen=True)
class MatchSpec:
    """What is to be played. `games` is rounded up to whole blocks: a deal is played once in each rotation of the seats.

    Raises UnknownGame, OptionError, BotError or ValueError, each with a sentence, when it is made.
    """

    game: str
    bots: tuple[str, ...]
    games: int = 1000
    seed: int = 1
    jobs: int = 1
    options: dict[str, int | str] = field(default_factory=dict)
    over_lan: bool = False
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

    def names(self) -> Iterator[str]:
        """What each bot is called at the table: the second `memory` is `memory 2`, as in a room."""
        taken: list[str] = []
        for bot in self.bots:
            taken.append(unique(clean(called(bot)), taken))
            yield taken[-1]


def unique(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if it is taken."""
    used = {one.casefold() for one in taken}
    names = (f"{name[:20]} {number}" for number in range(2, len(used) + 2))
    return name if name.casefold() not in used else next(one for one in names if one.casefold() not in used)
