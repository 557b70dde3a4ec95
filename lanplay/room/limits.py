"""How much a peer may do in a time: checked before anything is done, never after."""

from __future__ import annotations


class Bucket:
    """So many at once, and then so many a second."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self.left, self.since = float(burst), 0.0

    def take(self, now: float) -> bool:
        """One more at this time, in seconds? False: that is too many."""
        self.left = min(self.burst, self.left + (now - self.since) * self.rate)
        self.since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
