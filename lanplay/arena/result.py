"""A match's result: the games as far as they count, and the ranking that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lanplay import __version__
from lanplay.arena.game import Played
from lanplay.arena.measure import Measure, Shares
from lanplay.arena.spec import MatchSpec
from lanplay.arena.sprt import Pair, Test
from lanplay.arena.tally import Tally
from lanplay.bot.health import Health


class Standing(NamedTuple):
    """One bot's part of a match. Shares are per seat: with n seats, 1/n is what equal bots get.

    `interval` is half of what the share may be off by, at 95 %; `elo` is against the average bot of the match, with the
    ends of its 95 %; `better` is the likelihood that it is stronger than the next in the ranking. After a sequential test
    all of them lean towards what it decided.
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
    """What a match has shown so far. Bots of the same name are one entry of the ranking."""

    spec: MatchSpec
    tally: Tally = field(default_factory=lambda: Tally([], 0))

    def __post_init__(self) -> None:
        if not self.tally.seats:
            self.tally = Tally(self.spec.entries, len(self.spec.bots))
        self.test = Test(self.spec.sprt) if self.spec.sprt else None
        if self.test:
            for shares, often in self.tally.shares.items():
                self.test.count(pair(shares), often)

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def blocks(self) -> int:
        return self.tally.blocks

    @property
    def over(self) -> bool:
        """Whether all was played that was wanted."""
        decided = self.test is not None and self.test.decision is not None
        return decided or self.blocks >= self.spec.blocks

    def add(self, games: Sequence[Played]) -> None:
        """Count a block."""
        shares = self.tally.add(self.spec.bots, games)
        if self.test:
            self.test.count(pair(shares))

    # ---- what it proves ---------------------------------------------------------------------------

    def ranking(self) -> list[Standing]:
        """Best first. Empty as long as nothing was played."""
        tally, entries = self.tally, self.spec.entries
        if not tally.blocks:
            return []
        shares = [sums.blocks / tally.blocks for sums in tally.wins]
        measure = Measure(tally.shares, [self.spec.bots.count(bot) for bot in entries], self.spec.seed)
        order = sorted(range(len(entries)), key=lambda entry: (-shares[entry], entry))
        return [
            Standing(
                entries[entry],
                measure.seats[entry],
                shares[entry],
                measure.interval(entry),
                tally.mean_points(entry),
                measure.elo[entry],
                *measure.elo_range(entry),
                measure.better(entry, after) if after is not None else None,
            )
            for entry, after in zip(order, [*order[1:], None], strict=True)
        ]

    def saved(self) -> tuple[float | None, float | None]:
        """How many single games of different deals prove as much as one of these: in wins and in points.

        Of the first bot; None where it can't be told.
        """
        tally = self.tally
        return tuple(sums[0].saved(tally.games, tally.blocks) for sums in (tally.wins, tally.leads))  # type: ignore[return-value]

    def seat_shares(self) -> list[float]:
        """Each seat's part of all wins."""
        return [wins / max(1, self.games) for wins in self.tally.seat_wins]

    def object(self) -> dict[str, Any]:
        """As JSON; all but `health` is the same for the same seed, whatever the number of processes."""
        tally, (wins, points) = self.tally, self.saved()
        return {
            "version": __version__,
            "game": self.spec.game,
            "bots": list(self.spec.bots),
            "seed": self.spec.seed,
            "options": self.spec.table_options().values(),
            "complete": self.over,
            "games": tally.games,
            "blocks": tally.blocks,
            "ranking": [standing._asdict() for standing in self.ranking()],
            "sprt": tested(self.test) if self.test else None,
            "saved": {"wins": wins, "points": points},
            "actions": tally.actions,
            "ties": tally.ties,
            "capped": tally.capped,
            "seat_shares": self.seat_shares(),
            "health": {bot: healthy(health) for bot, health in tally.health.items()},
        }


def pair(shares: Shares) -> Pair:
    """What a sequential test looks at: the first two entries."""
    return shares[0], shares[1]


def tested(test: Test) -> dict[str, Any]:
    """Where a sequential test stands; `decision` is null as long as it is open."""
    sprt, (lower, upper) = test.sprt, test.sprt.bounds
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "llr": test.llr,
        "lower": lower,
        "upper": upper,
        "decision": test.decision,
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
