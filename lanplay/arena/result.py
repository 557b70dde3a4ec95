"""A match's result: the games as far as they count, and the ranking that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from lanplay.arena.game import Played
from lanplay.arena.measure import Measure, Shares
from lanplay.arena.spec import MatchSpec
from lanplay.bot.health import Health


class Standing(NamedTuple):
    """One bot's part of a match. Shares are per seat: with n seats, 1/n is what equal bots get.

    `interval` is half of what the share may be off by, at 95 %; `elo` is against the average bot of the match, with the
    ends of its 95 %; `better` is the likelihood that it is stronger than the next in the ranking.
    """

    bot: str
    seats: int
    share: float
    interval: float
    points: float
    elo: float
    elo_low: float
    elo_high: float
    better: float | None


@dataclass
class Result:
    """What a match has shown so far. Bots of the same name are one entry of the ranking.

    A block is one deal in all rotations: for each entry its share of the wins and its points, on average.
    """

    spec: MatchSpec
    blocks: list[Shares] = field(default_factory=list)
    points: list[tuple[float, ...]] = field(default_factory=list)
    games: int = 0
    actions: int = 0
    ties: int = 0
    capped: int = 0
    seat_wins: list[float] = field(default_factory=list)
    health: dict[str, Health] = field(default_factory=dict)

    @property
    def entries(self) -> list[str]:
        """The different bots, in the order they were named."""
        return list(dict.fromkeys(self.spec.bots))

    def add(self, games: Sequence[Played]) -> None:
        """Count a block."""
        bots = self.spec.bots
        shares: dict[str, list[float]] = {bot: [] for bot in bots}
        points: dict[str, list[float]] = {bot: [] for bot in bots}
        self.seat_wins = self.seat_wins or [0.0] * len(bots)
        for game in games:
            self.games += 1
            self.actions += game.actions
            self.ties += len(game.winners) > 1
            self.capped += game.capped
            for seat, place in enumerate(game.bots):
                won = (seat in game.winners) / len(game.winners)
                shares[bots[place]].append(won)
                points[bots[place]].append(game.points[seat])
                self.seat_wins[seat] += won
                self.health.setdefault(bots[place], Health()).add(game.health[seat])
        self.blocks.append(tuple(map(fmean, shares.values())))
        self.points.append(tuple(map(fmean, points.values())))

    # ---- what it proves ---------------------------------------------------------------------------

    def ranking(self) -> list[Standing]:
        """Best first."""
        entries = self.entries
        shares = [fmean(column) for column in zip(*self.blocks, strict=True)]
        points = [fmean(column) for column in zip(*self.points, strict=True)]
        measure = Measure(self.blocks, [self.spec.bots.count(bot) for bot in entries], self.spec.seed)
        order = sorted(range(len(entries)), key=lambda entry: (-shares[entry], entry))
        return [
            Standing(
                entries[entry],
                measure.seats[entry],
                shares[entry],
                measure.interval(entry),
                points[entry],
                measure.elo[entry],
                *measure.elo_range(entry),
                measure.better(entry, after) if after is not None else None,
            )
            for entry, after in zip(order, [*order[1:], None], strict=True)
        ]

    def object(self) -> dict[str, Any]:
        """As JSON; all but `health` is the same for the same seed, whatever the number of processes."""
        return {
            "game": self.spec.game,
            "bots": list(self.spec.bots),
            "seed": self.spec.seed,
            "options": self.spec.table_options().values(),
            "games": self.games,
            "blocks": len(self.blocks),
            "ranking": [standing._asdict() for standing in self.ranking()],
            "actions": self.actions,
            "ties": self.ties,
            "capped": self.capped,
            "seat_shares": [wins / self.games for wins in self.seat_wins],
            "health": {bot: healthy(health) for bot, health in self.health.items()},
        }


def healthy(health: Health) -> dict[str, Any]:
    """Milliseconds at the median and the 99th percentile, and the faults."""
    p50, p99 = health.quantile(0.5), health.quantile(0.99)
    return {
        "answers": health.times.total(),
        "p50_ms": None if p50 is None else p50 * 1000,
        "p99_ms": None if p99 is None else p99 * 1000,
        "slow": health.slow,
        "faults": dict(sorted(health.faults.items())),
        "why": dict(sorted(health.whys.items())),
    }
