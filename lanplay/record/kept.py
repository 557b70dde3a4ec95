"""The host's secret on disk while its game goes on, so that a killed host can deal on and show it in the end."""

from __future__ import annotations

import secrets
from pathlib import Path

from lanplay.files import write_whole
from lanplay.record.journal import JournalError


class Kept:
    """A file beside the record that only its user may read.

    It is not in the record itself, which people show and copy: with it, who looks into the record of a game that goes on
    would know every shuffle to come.
    """

    def __init__(self, record: Path) -> None:
        self.path = record.with_name(f"{record.name}.secret")

    def secret(self) -> bytes:
        """The secret that is kept, or a new one of 32 bytes, which is kept from now on. Raises JournalError."""
        try:
            kept = self.path.read_bytes() if self.path.exists() else b""
            return kept if len(kept) == 32 else self.keep(secrets.token_bytes(32))
        except OSError as error:
            raise JournalError(
                f"the file {self.path} can't be written ({error.strerror}); choose another place with --record"
            ) from error

    def keep(self, secret: bytes) -> bytes:
        """Written whole before anybody hears of it."""
        write_whole(self.path, secret, 0o600)
        return secret

    def forget(self) -> None:
        """The secret is in the record, or no game was dealt from it."""
        self.path.unlink(missing_ok=True)
