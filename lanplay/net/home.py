"""Files that must survive, and files that must not be read by others."""

from __future__ import annotations

import errno
import os
import stat
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from platformdirs import user_data_path, user_runtime_path

from lanplay.files import lock, write_whole

KEPT = 30 * 24 * 3600.0  # seconds that a file is kept which is not used
PRIVATE = 0o600  # only this user may read it
FEW, MANY = 50, 1000  # files of a kind that are kept for longer, and that are kept at most

NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EIO)  # some network drives

T = TypeVar("T")


def home() -> Path:
    """Where keys and known tables lie; LANPLAY_HOME moves it."""
    moved = os.environ.get("LANPLAY_HOME")
    return Path(moved) if moved else user_data_path("lanplay")


def runtime() -> Path:
    """Where the tickets of this machine's tables lie; LANPLAY_HOME moves it too."""
    moved = os.environ.get("LANPLAY_HOME")
    if moved:
        return Path(moved) / "run"
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # no runtime folder is named by the system: another is found, which is fine
        return user_runtime_path("lanplay")


def private_folder(path: Path) -> Path:
    """The folder itself, made if it is not there. Raises PermissionError if another user could change what is in it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and not (ours(path, 0o022) and ours(path.parent, 0o002)):
        raise PermissionError(f"{path} could be changed by others: remove it and try again")
    return path


def ours(folder: Path, by_others: int) -> bool:
    """The folder is this user's or the system's, and others may not write there, or only what is theirs (as in /tmp)."""
    found = folder.lstat()
    safe = not found.st_mode & by_others or found.st_mode & stat.S_ISVTX
    return stat.S_ISDIR(found.st_mode) and found.st_uid in (os.getuid(), 0) and bool(safe)


def hold(path: Path) -> int | None:
    """Lock the file beside a path until the descriptor is closed or the process ends; None if somebody else holds it.

    Raises OSError where files can't be locked at all.
    """
    private_folder(path.parent)
    return locked(path.with_suffix(".lock"))


def locked(path: Path) -> int | None:
    """The same for the lock file itself, in a folder of any kind."""
    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE)
        try:
            lock(file)
        except OSError as error:
            os.close(file)
            if error.errno in NO_LOCKS:
                raise OSError(error.errno, error.strerror, str(path)) from error
            return None
        if same(file, path):
            return file
        os.close(file)  # who held it has thrown it away meanwhile


def same(file: int, path: Path) -> bool:
    """The open file is still the one that lies there."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(file), path.stat())
    return False


def throw_away(path: Path) -> bool:
    """Remove a file and its lock, if nobody holds it; gives whether it was so."""
    held = hold(path)
    if held is None:
        return False
    path.unlink(missing_ok=True)
    with suppress(OSError):  # where an open file can't be removed
        path.with_suffix(".lock").unlink(missing_ok=True)
    os.close(held)
    return True


def prune(folder: Path, pattern: str) -> None:
    """Throw away what was not used for long, but the last ones, and what is in use, by whichever process.

    The clock may be wrong by years: so it alone is no reason to forget everything.
    """
    with suppress(OSError):  # the folder is not for us to write in, or others are at it as well
        used = sorted(((path.stat().st_mtime, path) for path in folder.glob(pattern)), reverse=True)
        for number, (when, path) in enumerate(used):
            if number >= MANY or (number >= FEW and time.time() - when > KEPT):
                throw_away(path)


def write_private(path: Path, value: Any) -> None:
    """Write JSON that only this user may read, whole or not at all. Raises OSError."""
    private_folder(path.parent)
    write_whole(path, msgspec.json.encode(value), PRIVATE)


def read_private(path: Path, kind: type[T]) -> T | None:
    """What write_private wrote there; None if it is not there or is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
