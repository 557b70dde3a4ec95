"""Files that must survive, and files that must not be read by others."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from platformdirs import user_data_path, user_runtime_path

T = TypeVar("T")


def home() -> Path:
    """Where keys and known tables lie; LANPLAY_HOME moves it."""
    moved = os.environ.get("LANPLAY_HOME")
    return Path(moved) if moved else user_data_path("lanplay")


def runtime() -> Path:
    """Where the tickets of this machine's tables lie; LANPLAY_HOME moves it too."""
    moved = os.environ.get("LANPLAY_HOME")
    return Path(moved) / "run" if moved else user_runtime_path("lanplay")


def write_private(path: Path, value: Any) -> None:
    """Write JSON that only this user may read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
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
