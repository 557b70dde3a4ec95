"""What a match proves: win shares with their intervals, strengths, points, health."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from lanplay.arena.game import Played
from lanplay.bot.health import Health

SIGMAS = 1.96  # 95 %
RESAMPLES = 500


class Standing(NamedTuple):
    """One bot's part of a match. Shares are per seat: with n seats, 1/n is what equal bots get.

    `elo` is against the average bot of the match, from first places (Plackett–Luce); None if it won nothing or all.
    `better` is the likelihood that it is stronger than the next in the ranking.
    """

    bot: str
    seats: int
    share: float
    interval: float
    points: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    better: float | None


class Block(NamedTuple):
    """One deal in all rotations: for each bot, its mean share of the wins and mean points."""

    shares: tuple[float, ...]
    points: tuple[float, ...]


@dataclass
class Result:
    """The games of a match, as far as they count. Bots of the same name are one entry of the ranking."""

    game: str
    bots: tuple[str, ...]
    seed: int
    options: dict[str, int | str]
    blocks: list[Block] = field(default_factory=list)
    games: int = 0
    actions: int = 0
    ties: int = 0
    capped: int = 0
    seat_wins: list[float] = field(default_factory=list)
    health: dict[str, Health] = field(default_factory=dict)

    @property
    def entries(self) -> list[str]:
        """The different bots, in the order they were named."""
        return list(dict.fromkeys(self.bots))

    def add(self, games: Sequence[Played]) -> None:
        """Count a block."""
        shares: dict[str, list[float]] = {bot: [] for bot in self.entries}
        points: dict[str, list[float]] = {bot: [] for bot in self.entries}
        self.seat_wins = self.seat_wins or [0.0] * len(self.bots)
        for game in games:
            self.games += 1
            self.actions += game.actions
            self.ties += len(game.winners) > 1
            self.capped += game.capped
            for seat, place in enumerate(game.bots):
                won = (seat in game.winners) / len(game.winners)
                shares[self.bots[place]].append(won)
                points[self.bots[place]].append(game.points[seat])
                self.seat_wins[seat] += won
                self.note(self.bots[place], game.health[seat])
        self.blocks.append(Block(tuple(map(fmean, shares.values())), tuple(map(fmean, points.values()))))

    def note(self, bot: str, seen: Health) -> None:
        """Add one game's health to a bot's."""
        self.health.setdefault(bot, Health()).add(seen)

    # ---- what it proves ---------------------------------------------------------------------------

    def ranking(self) -> list[Standing]:
        """Best first."""
        shares = [fmean(block.shares[entry] for block in self.blocks) for entry in range(len(self.entries))]
        order = sorted(range(len(shares)), key=lambda entry: (-shares[entry], entry))
        bars = self.elo_bars()
        following = [*order[1:], None]
        return [
            self.standing(entry, after, bars[entry]) for entry, after in zip(order, following, strict=True)
        ]

    def standing(self, entry: int, after: int | None, bars: tuple[float, float] | None) -> Standing:
        mine = [block.shares[entry] for block in self.blocks]
        elo = elos([fmean(block.shares[n] for block in self.blocks) for n in range(len(self.entries))])[entry]
        better = None
        if after is not None:
            better = superiority([block.shares[entry] - block.shares[after] for block in self.blocks])
        low, high = bars or (None, None)
        bot = self.entries[entry]
        points = fmean(block.points[entry] for block in self.blocks)
        return Standing(
            bot, self.bots.count(bot), fmean(mine), interval(mine), points, elo, low, high, better
        )

    def elo_bars(self) -> list[tuple[float, float] | None]:
        """For each entry the 95 % of bootstrap resamples over blocks; None where too many are boundless."""
        rng = Random(self.seed)  # noqa: S311 - statistics
        drawn: list[list[float | None]] = []
        for _ in range(RESAMPLES if len(self.entries) > 1 else 0):
            sample = rng.choices(self.blocks, k=len(self.blocks))
            drawn.append(elos([fmean(block.shares[n] for block in sample) for n in range(len(self.entries))]))
        bars: list[tuple[float, float] | None] = []
        for entry in range(len(self.entries)):
            found = [elo[entry] for elo in drawn]
            finite = sorted(value for value in found if value is not None)
            whole = len(finite) == len(found) and len(finite) > 1
            bars.append((finite[len(finite) // 40], finite[-1 - len(finite) // 40]) if whole else None)
        return bars

    def object(self) -> dict[str, Any]:
        """As JSON; all but `health` is the same for the same seed, whatever the number of processes."""
        return {
            "game": self.game,
            "bots": list(self.bots),
            "seed": self.seed,
            "options": self.options,
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
        "faults": dict(health.faults),
        "why": health.why,
    }


def interval(values: Sequence[float]) -> float:
    """Half the 95 % interval of a mean over blocks."""
    return SIGMAS * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def superiority(differences: Sequence[float]) -> float:
    """The likelihood that the mean of these is above 0."""
    mean = fmean(differences)
    error = stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else 0.0
    if error == 0:
        return 0.5 if mean == 0 else float(mean > 0)
    return 0.5 * (1 + math.erf(mean / error / math.sqrt(2)))


def elos(shares: Sequence[float]) -> list[float | None]:
    """Plackett–Luce from first places: all play in every game, so the strengths are as the shares of the wins."""
    won = [share for share in shares if share > 0]
    if len(won) < 2:
        return [0.0 if len(shares) == 1 else None for _ in shares]
    middle = fmean(math.log10(share) for share in won)
    return [400 * (math.log10(share) - middle) if share > 0 else None for share in shares]
