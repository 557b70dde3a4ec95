"""The numbers of a match, added up block by block: they take no more room for more games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from lanplay.arena.game import Played
from lanplay.arena.measure import Shares
from lanplay.bot.health import Health

STEPS = 200  # of the way that the shares took, at most

# An entry is a bot by its name: of the same bot in several seats there is one.


class Sums(msgspec.Struct):
    """Of a quantity: its sum and that of its squares, over games and over blocks (each block's mean)."""

    games: float = 0.0
    games2: float = 0.0
    blocks: float = 0.0
    blocks2: float = 0.0

    def add(self, values: Sequence[float]) -> None:
        """A block's games."""
        mean = fmean(values)
        self.games += sum(values)
        self.games2 += sum(value * value for value in values)
        self.blocks += mean
        self.blocks2 += mean * mean

    def saved(self, games: int, blocks: int) -> float | None:
        """How many single games, each of another deal, prove as much as one game of a block; None if it can't be told."""
        each = games / blocks if blocks else 0
        if blocks < 2:
            return None
        single = self.games2 / games - (self.games / games) ** 2
        block = self.blocks2 / blocks - (self.blocks / blocks) ** 2
        return single / each / block if block > 1e-9 and single > 1e-9 else None


class Step(NamedTuple):
    """The sums of the shares, and of their squares, after so many blocks."""

    blocks: int
    shares: tuple[float, ...]
    squares: tuple[float, ...]


class Where(NamedTuple):
    """A game of the match: `deal` and `rotation` count from 1, as in the names of records."""

    deal: int
    rotation: int
    number: int  # how long it was, or how often it happened

    @property
    def name(self) -> str:
        return record_name(self.deal - 1, self.rotation - 1)


def record_name(block: int, rotation: int) -> str:
    """The file of a game's record."""
    return f"{block + 1:05d}-{rotation + 1}.rec"


class Tally(msgspec.Struct):
    """What has been counted. Lists go by entry, in the order in which the bots were named; `seat_wins` goes by seat."""

    entries: list[str]
    seats: int
    blocks: int = 0
    games: int = 0
    actions: int = 0
    ties: int = 0
    capped: int = 0
    seat_wins: list[float] = []
    shares: dict[Shares, int] = {}
    points: list[dict[int, int]] = []
    lengths: dict[int, int] = {}
    wins: list[Sums] = []
    leads: list[Sums] = []  # points above the table's mean
    path: list[Step] = []
    stride: int = 1
    health: dict[str, Health] = {}
    longest: Where | None = None
    first_capped: Where | None = None
    first_fault: Where | None = None

    def __post_init__(self) -> None:
        if not self.seat_wins:
            self.seat_wins = [0.0] * self.seats
            self.points = [{} for _ in self.entries]
            self.wins, self.leads = [Sums() for _ in self.entries], [Sums() for _ in self.entries]
            self.health = {entry: Health() for entry in self.entries}

    def add(self, bots: Sequence[str], games: Sequence[Played]) -> Shares:
        """Count a block: one deal in all rotations of these bots. Gives each entry's share of the wins, per seat."""
        self.blocks += 1
        won = [self.game(game, bots, rotation) for rotation, game in enumerate(games, 1)]
        columns = list(zip(*won, strict=True))
        for sums, column in zip(self.wins, columns, strict=True):
            sums.add([win for win, _ in column])
        for sums, column in zip(self.leads, columns, strict=True):
            sums.add([lead for _, lead in column])
        block = tuple(fmean(win for win, _ in column) for column in columns)
        self.shares[block] = self.shares.get(block, 0) + 1
        self.walk()
        return block

    def game(self, game: Played, bots: Sequence[str], rotation: int) -> list[tuple[float, float]]:
        """Count a game; gives each entry's share of the win and its lead in points, per seat."""
        self.games += 1
        self.actions += game.actions
        self.ties += len(game.winners) > 1
        self.capped += game.capped
        self.lengths[game.actions] = self.lengths.get(game.actions, 0) + 1
        self.note(game, rotation)
        mean, found = fmean(game.points), {entry: [0.0, 0.0, 0] for entry in self.entries}
        for seat, place in enumerate(game.bots):
            won, points = (seat in game.winners) / max(1, len(game.winners)), game.points[seat]
            entry = found[bots[place]]
            entry[0], entry[1], entry[2] = entry[0] + won, entry[1] + points - mean, entry[2] + 1
            self.seat_wins[seat] += won
            column = self.points[self.entries.index(bots[place])]
            column[points] = column.get(points, 0) + 1
            self.health[bots[place]].add(game.health[seat])
        return [(won / seats, lead / seats) for won, lead, seats in found.values()]

    def note(self, game: Played, rotation: int) -> None:
        """Games that one may want to look at."""
        faults = sum(health.strikes for health in game.health)
        if self.longest is None or game.actions > self.longest.number:
            self.longest = Where(self.blocks, rotation, game.actions)
        if game.capped and self.first_capped is None:
            self.first_capped = Where(self.blocks, rotation, 1)
        if faults and self.first_fault is None:
            self.first_fault = Where(self.blocks, rotation, faults)

    def walk(self) -> None:
        """Note the way of the shares, in ever longer steps."""
        if self.blocks % self.stride:
            return
        squares = tuple(sums.blocks2 for sums in self.wins)
        self.path.append(Step(self.blocks, tuple(sums.blocks for sums in self.wins), squares))
        if len(self.path) > STEPS:
            self.path, self.stride = self.path[1::2], self.stride * 2

    def mean_points(self, entry: int) -> float:
        column = self.points[entry]
        return sum(points * often for points, often in column.items()) / sum(column.values())


def restored(kind: type[Any], value: Any) -> Any:
    """What msgspec can't read by itself: the counters of a bot's health."""
    return Counter(value)
