"""Files that others may be reading or writing: locks, held until the file is closed, also by a kill; and writing whole."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - other systems
    import msvcrt

    def lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(file: int) -> None:
        """Raises OSError if somebody else has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file whole or, raising OSError, not at all: what stood there before stays until all of it is on disk.

    `mode` says who may read it, as far as the umask lets them.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
