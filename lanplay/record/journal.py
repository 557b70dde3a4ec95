"""The record of a game in progress on disk: whatever was appended survives a kill."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from lanplay.files import lock


class JournalError(OSError):
    """The record can't be written; the text says which file and why."""


class Journal:
    """A file that grows by whole texts. One host at a time writes it."""

    def __init__(self, path: Path) -> None:
        """Begin a new record. Raises JournalError if the file exists or can't be made."""
        self.path = path
        self.guard, self.closed = threading.Lock(), False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
            lock(self.file)
            self.size = 0
        except FileExistsError as error:
            raise JournalError(
                f"the file {path} exists already, and a record is never overwritten; choose another with --record"
            ) from error
        except OSError as error:
            raise JournalError(
                f"the file {path} can't be written ({error.strerror}); choose another place with --record"
            ) from error

    @classmethod
    def again(cls, path: Path, whole: Callable[[str], str]) -> tuple[Self, str]:
        """Go on with a record that a host could not end; `whole` gives the part of its text that is to be kept.

        Gives that text too. Raises JournalError if the file can't be read or another host writes it.
        """
        journal = cls.__new__(cls)
        journal.path = path
        journal.guard, journal.closed = threading.Lock(), False
        try:
            journal.file = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise JournalError(f"the file {path} can't be opened ({error.strerror})") from error
        try:
            lock(journal.file)
        except OSError as error:
            os.close(journal.file)
            raise JournalError(
                f"the file {path} is being written by another host; end that one first"
            ) from error
        try:
            there = path.read_bytes()
            text = whole(there[: there.rfind(b"\n") + 1].decode())
            journal.size = len(text.encode())
            os.ftruncate(journal.file, journal.size)
        except UnicodeDecodeError as error:
            os.close(journal.file)
            raise JournalError(f"{path} is damaged: it is no text") from error
        except (OSError, ValueError):
            os.close(journal.file)
            raise
        return journal, text

    def append(self, text: str) -> None:
        """Write all of the text or, raising JournalError, nothing of it.

        One unbuffered write: a kill after it loses nothing. A closed record takes no more: its descriptor may be another's.
        """
        with self.guard:
            if self.closed:
                raise JournalError(f"{self.path} can't be written: it is closed")
            self.write(text.encode())

    def write(self, data: bytes) -> None:
        try:
            written = os.write(self.file, data)
        except OSError as error:
            raise JournalError(f"{self.path} can't be written: {error.strerror}") from error
        if written < len(data):  # a later try must not find half of it
            os.ftruncate(self.file, self.size)
            raise JournalError(f"{self.path} can't be written: no space is left")
        self.size += written

    def close(self) -> None:
        with self.guard:
            if not self.closed:
                self.closed = True
                os.close(self.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
