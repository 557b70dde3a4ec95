"""Files that must survive, and files that must not be read by others."""

from __future__ import annotations

import os
import stat
import threading
import warnings
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from platformdirs import user_data_path, user_runtime_path

from lanplay.files import lock

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
    with (
        warnings.catch_warnings()
    ):  # the system names no runtime folder: another is found, which is fine here
        warnings.simplefilter("ignore")
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
    """Lock the file beside a path until the descriptor is closed or the process ends; None if somebody else holds it."""
    private_folder(path.parent)
    file = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        lock(file)
    except OSError:
        os.close(file)
        return None
    return file


def write_private(path: Path, value: Any) -> None:
    """Write JSON that only this user may read, whole or not at all."""
    private_folder(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, msgspec.json.encode(value))
    finally:
        os.close(file)
    fresh.replace(path)


def read_private(path: Path, kind: type[T]) -> T | None:
    """What write_private wrote there; None if it is not there or is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
