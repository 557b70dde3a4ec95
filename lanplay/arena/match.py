"""A match: every deal in all rotations of the seats, spread over processes, the same for any number of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lanplay.arena.game import Pairing, Play, Played, play, secret
from lanplay.arena.result import Result
from lanplay.bot.load import load
from lanplay.engine.options import Options
from lanplay.games import find

CHUNK = 4  # blocks that a process plays before it tells
TURNS = 200  # a seat and round, where the game has max_turns and nobody set it


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

    def __post_init__(self) -> None:
        rules = find(self.game)
        if len(self.bots) not in rules.seats:
            few, many = rules.seats[0], rules.seats[-1]
            raise ValueError(
                f"{rules.title} is for {few} to {many} players; {len(self.bots)} bots were named"
            )
        for bot in self.bots:
            load(bot)
        self.table_options()

    def table_options(self) -> Options:
        """The options of each table: those set, and a limit to the turns if none was set."""
        rules = find(self.game)
        wanted = dict(self.options)
        if "max_turns" in rules.defaults.values():
            wanted.setdefault("max_turns", TURNS * len(self.bots))
        return rules.defaults.read(wanted)

    @property
    def blocks(self) -> int:
        return -(-self.games // len(self.bots))

    @property
    def names(self) -> tuple[str, ...]:
        """What each bot is called at the table: the second `memory` is `memory 2`."""
        return tuple(
            unique(Path(bot.partition(":")[0]).stem, self.bots[:place]) for place, bot in enumerate(self.bots)
        )


def unique(name: str, before: Sequence[str]) -> str:
    same = sum(Path(bot.partition(":")[0]).stem == name for bot in before)
    return f"{name[:20]} {same + 1}" if same else name[:24]


def run_match(
    spec: MatchSpec,
    progress: Callable[[int, int], None] = lambda done, total: None,
    records: Path | None = None,
) -> Result:
    """Play the match. `progress` hears the games played and their number; each record is written into `records`."""
    result = Result(spec.game, spec.bots, spec.seed, spec.table_options().values())
    if records:
        records.mkdir(parents=True, exist_ok=True)
    for block, games in enumerate(played(spec)):
        result.add(games)
        for rotation, game in enumerate(games):
            if records:
                (records / f"{block + 1:05d}-{rotation + 1}.rec").write_text(game.record, encoding="utf-8")
        progress((block + 1) * len(spec.bots), spec.blocks * len(spec.bots))
    return result


def played(spec: MatchSpec) -> Iterator[list[Played]]:
    """The blocks in order, whoever plays them."""
    if spec.jobs <= 1:
        yield from (play_block(spec, block) for block in range(spec.blocks))
        return
    starts = range(0, spec.blocks, CHUNK)
    with ProcessPoolExecutor(spec.jobs, multiprocessing.get_context("spawn")) as pool:
        for chunk in pool.map(play_chunk, [spec] * len(starts), starts):
            yield from chunk


def play_chunk(spec: MatchSpec, start: int) -> list[list[Played]]:
    return [play_block(spec, block) for block in range(start, min(start + CHUNK, spec.blocks))]


def play_block(spec: MatchSpec, block: int) -> list[Played]:
    """One deal in every rotation."""
    deal, count = secret(spec.seed, "deal", block), len(spec.bots)
    pairing = Pairing(find(spec.game), spec.table_options(), [load(bot) for bot in spec.bots], spec.names)
    rotations = [[(seat + turn) % count for seat in range(count)] for turn in range(count)]
    return [runner(spec)(pairing, order, deal) for order in rotations]


def runner(spec: MatchSpec) -> Play:
    """What plays the games of this match."""
    if not spec.over_lan:
        return play
    from lanplay.arena import lan  # noqa: PLC0415 - ZeroMQ only when it is wanted

    return lan.play
