"""The record while it is written: nothing is told before it stands there, and nothing goes on while it can't."""

from __future__ import annotations

from collections.abc import Callable

RETRY = 1.0  # seconds until a journal that could not be written is tried again


class Ledger:
    """Texts go to `journal` in order. What it can't take (it raises OSError) is kept, and tried again at `retry`."""

    def __init__(self, journal: Callable[[str], None]) -> None:
        self.journal = journal
        self.unwritten = ""
        self.retry: float | None = None  # set while the journal can't be written
        self.why = ""

    @property
    def stuck(self) -> bool:
        return bool(self.unwritten)

    def write(self, text: str, now: float) -> bool:
        """Append to the record; gives whether all of it is written."""
        self.unwritten += text
        try:
            self.journal(self.unwritten)
        except OSError as error:
            self.why, self.retry = str(error), now + RETRY
            return False
        self.unwritten, self.retry = "", None
        return True
