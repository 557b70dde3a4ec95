"""How a bot behaves: how long it thinks, and its faults."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from lanplay.bot.clock import LIMITS

STRIKES = 5  # faults after which a bot is benched: the default move is made for it to the end of the game
SLOW = LIMITS.move  # seconds; longer answers are counted, of bots that nothing holds to a time, too
STEPS = 20  # a time is kept to one part in so many


@dataclass
class Health:
    """The times of a bot's answers, and its faults by kind.

    Times are counted in steps of 5 %, so that long matches fit in memory and parts of them can be added up.
    """

    times: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    strikes: int = 0  # all faults
    whys: dict[str, str] = field(default_factory=dict)  # the first fault of each kind: the bot …
    slow: int = 0  # answers

    @property
    def benched(self) -> bool:
        return self.strikes >= STRIKES

    def strike(self, kind: str, why: str) -> None:
        """Note a fault.

        `crashed`, `illegal` (no such move is offered), `silent` (no answer where one is owed); of programs also `late`
        and `nonsense` (what it says can't be an answer).
        """
        self.faults[kind] += 1
        self.strikes += 1
        self.whys.setdefault(kind, why)

    def took(self, seconds: float) -> None:
        """Note the time of an answer."""
        self.slow += seconds > SLOW
        self.times[math.floor(math.log(max(seconds, 1e-9)) * STEPS)] += 1

    def add(self, other: Health) -> None:
        """Take in what was noted elsewhere."""
        self.times.update(other.times)
        self.faults.update(other.faults)
        self.strikes += other.strikes
        self.slow += other.slow
        self.whys = other.whys | self.whys

    def quantile(self, part: float) -> float | None:
        """The seconds within which this part of the answers came; None if there was none."""
        left = part * self.times.total()
        for step, count in sorted(self.times.items()):
            left -= count
            if left <= 0:
                return math.exp((step + 0.5) / STEPS)
        return None
