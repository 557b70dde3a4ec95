"""How long a bot may think, and what is said of one that does not keep to the rules."""

from __future__ import annotations

import time
from typing import NamedTuple


class Limits(NamedTuple):
    """Seconds that a bot in a process of its own has.

    `start` is given once, until its first answer; `move` for each answer; `bank` for the whole game: what an answer takes
    beyond `move` is taken from it, and without any left `move` is all there is.
    """

    start: float = 10.0
    move: float = 5.0
    bank: float = 60.0

    def __str__(self) -> str:
        return "/".join(f"{seconds:g}" for seconds in self)


LIMITS = Limits()


def limits(text: str) -> Limits:
    """As `--bot-time` has them: `10/5/60`. Raises ValueError with a sentence."""
    try:
        found = Limits(*map(float, text.split("/")))
    except (TypeError, ValueError):
        found = Limits(-1)
    if not all(0 <= seconds <= 86400 for seconds in found) or found.move <= 0 or text.count("/") != 2:
        raise ValueError(f"it is START/MOVE/BANK in seconds, such as 10/5/60, not {text[:40]!r}")
    return found


class Clock:
    """One bot's time in one game."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.bank, self.starting, self.begun = limits, limits.bank, True, 0.0

    def begin(self) -> float:
        """It is asked something now; gives the seconds within which it is to answer."""
        self.begun = time.monotonic()
        return self.limits.move + self.bank + self.limits.start * self.starting

    def end(self) -> None:
        """It has answered, or not: what it took is taken off."""
        free = self.limits.move + self.limits.start * self.starting
        self.bank = max(0.0, self.bank - max(0.0, time.monotonic() - self.begun - free))
        self.starting = False


class Fault(Exception):
    """What a bot did wrong, as `lanplay.bot.health.Health.strike` notes it; `final`: it can't go on in this game."""

    def __init__(self, kind: str, why: str, final: bool = False) -> None:
        super().__init__(why)
        self.kind, self.why, self.final = kind, why, final
