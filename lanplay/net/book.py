"""What a host remembers of a table, so that it can be opened again under the same keys and for the same peers."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from lanplay.net.home import home, private_folder
from lanplay.net.keys import Keys

KEPT = 30 * 24 * 3600.0  # seconds: older books are thrown away


class Ports(Struct, frozen=True):
    """Where the table was reached: the pairing port and the game's."""

    pairing: int
    game: int


class Guest(Struct, frozen=True):
    """A peer by its CURVE public key, and its seat's secret; None: it was removed."""

    key: bytes
    secret: bytes | None


class Seated(Struct, frozen=True):
    """Who plays, by the CURVE public key."""

    key: bytes
    name: str
    kind: Literal["person", "bot"]


class Page(Struct, frozen=True, omit_defaults=True):
    """A line of the book; a later one takes the place of an earlier one."""

    keys: Keys | None = None
    ports: Ports | None = None
    guest: Guest | None = None
    seated: list[Seated] | None = None  # in seat order, once the game has begun
    setup: dict[str, Any] | None = None  # how the table was opened, as its command needs it to open it again


def tables() -> Path:
    """The folder of the books, each named by the id of its table."""
    return home() / "tables"


class Book:
    """A file of lines, each written at once and never changed; only its user may read it."""

    def __init__(self, table_id: str) -> None:
        """Open the book of this table, or begin it. Raises OSError if it can't be written."""
        if not table_id.isalnum():
            raise ValueError(f"{table_id!r} is no id of a table.")
        folder = private_folder(tables())
        for old in folder.glob("*.book"):
            if time.time() - old.stat().st_mtime > KEPT:
                old.unlink(missing_ok=True)
        self.path = folder / f"{table_id}.book"
        self.keys: Keys | None = None
        self.ports: Ports | None = None
        self.guests: dict[bytes, bytes] = {}
        self.removed: set[bytes] = set()
        self.waiting: deque[bytes] = deque()  # pages that are still to be written
        self.seated: list[Seated] = []
        self.setup: dict[str, Any] = {}
        self.lock, self.closed = threading.Lock(), False
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self.read()

    def read(self) -> None:
        for line in self.path.read_bytes().splitlines():
            try:
                page = msgspec.json.decode(line, type=Page)
            except msgspec.MsgspecError:
                continue  # torn by a crash
            self.keys, self.ports = page.keys or self.keys, page.ports or self.ports
            self.seated, self.setup = page.seated or self.seated, page.setup or self.setup
            if page.guest and page.guest.secret is not None:
                self.guests[page.guest.key] = page.guest.secret
            elif page.guest:
                self.guests.pop(page.guest.key, None)
                self.removed.add(page.guest.key)

    def write(self, page: Page) -> None:
        """On a line of its own, even after a torn one. A closed book takes no more: its descriptor may be another's.

        What a full disk does not take is kept, and tried again with the next page: the table goes on meanwhile.
        """
        with self.lock:
            self.waiting.append(b"\n" + msgspec.json.encode(page) + b"\n")
            with suppress(OSError):
                while self.waiting and not self.closed:
                    if os.write(self.file, self.waiting[0]) < len(self.waiting[0]):
                        return
                    self.waiting.popleft()

    def close(self) -> None:
        with self.lock:
            if not self.closed:
                self.closed = True
                os.close(self.file)
