"""A lock on an open file, held until the file is closed, also by a kill."""

from __future__ import annotations

import sys

if sys.platform == "win32":  # pragma: no cover - other systems
    import msvcrt

    def lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(file: int) -> None:
        """Raises OSError if somebody else has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
