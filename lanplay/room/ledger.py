"""The record while it is written: nothing is told before it stands there, and nothing goes on while it can't."""

from __future__ import annotations

from collections.abc import Callable

from lanplay.record.proof import Proof

RETRY = 1.0  # seconds until a journal that could not be written is tried again


class Ledger:
    """Texts go to `journal` in order. What it can't take (it raises OSError) is kept, and tried again at `retry`.

    `proof` is taken along, at a table whose deals can be proved.
    """

    def __init__(self, journal: Callable[[str], None]) -> None:
        self.journal = journal
        self.proof: Proof | None = None
        self.unwritten = ""
        self.retry: float | None = None  # set while the journal can't be written
        self.why = ""

    @property
    def stuck(self) -> bool:
        return bool(self.unwritten)

    @property
    def head(self) -> bytes:
        """Of the record's chain, if it has one."""
        return self.proof.head if self.proof else b""

    def write(self, text: str, now: float) -> bool:
        """Append to the record; gives whether all of it is written."""
        self.unwritten += self.proof.write(text) if self.proof and text else text
        try:
            self.journal(self.unwritten)
        except OSError as error:
            self.why, self.retry = str(error), now + RETRY
            return False
        self.unwritten, self.retry = "", None
        return True
