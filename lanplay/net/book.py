"""What a host remembers of a table, so that it can be opened again under the same keys and for the same peers."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Container
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from lanplay.files import write_whole
from lanplay.net.home import PRIVATE, hold, home, private_folder, prune
from lanplay.net.keys import Keys
from lanplay.net.pairing import new_secret

MOST = 8192  # guests: a flood of pairings takes more than a minute to drop somebody who has just gone
APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND


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
    dropped: bytes | None = None  # a guest that has to pair again before it may come
    setup: dict[str, Any] | None = None  # how the table was opened, as its command needs it to open it again


def tables() -> Path:
    """The folder of the books, each named by the id of its table."""
    return home() / "tables"


class Book:
    """A file of lines, each written at once; only its user may read it. It is written anew when it has grown too long.

    `guests` are the peers that may come to the table. A pairing alone is not written down: many may pair, and few come.
    """

    def __init__(self, table_id: str) -> None:
        """Open the book of this table, or begin it. Raises OSError if it can't be written."""
        if not table_id.isalnum():
            raise ValueError(f"{table_id!r} is no id of a table.")
        folder = private_folder(tables())
        self.path = folder / f"{table_id}.book"
        if not self.path.exists():
            prune(folder, "*.book")
        self.keys: Keys | None = None
        self.ports: Ports | None = None
        self.guests: dict[bytes, bytes] = {}  # secrets by key, in the order of pairing
        self.seen: dict[bytes, float] = {}  # of them, who came to the table, and when last
        self.removed: set[bytes] = set()
        self.waiting: deque[bytes] = deque()  # pages that are still to be written
        self.pages = 0  # in the file
        self.seated: list[Seated] = []
        self.setup: dict[str, Any] = {}
        self.lock, self.closed = threading.Lock(), False
        self.held: int | None = None
        self.file = os.open(self.path, APPEND, 0o600)
        self.read()

    def read(self) -> None:
        for line in self.path.read_bytes().splitlines():
            try:
                page = msgspec.json.decode(line, type=Page)
            except msgspec.MsgspecError:
                continue  # torn by a crash
            self.pages += 1
            self.take(page)
        self.seen = dict.fromkeys(self.guests, 0.0)

    def take(self, page: Page) -> None:
        """From now on it is so."""
        self.keys, self.ports = page.keys or self.keys, page.ports or self.ports
        self.seated, self.setup = page.seated or self.seated, page.setup or self.setup
        if page.guest and page.guest.secret is not None:
            self.guests[page.guest.key] = page.guest.secret
        elif page.guest:
            self.drop(page.guest.key)
            self.removed.add(page.guest.key)
        if page.dropped is not None:
            self.drop(page.dropped)

    def drop(self, key: bytes) -> None:
        self.guests.pop(key, None)
        self.seen.pop(key, None)

    def admit(self, key: bytes) -> bytes:
        """A peer may come to the table: its secret."""
        with self.lock:
            return self.guests.setdefault(key, new_secret())

    def saw(self, key: bytes, now: float) -> None:
        """A guest is at the table. When it comes for the first time it is written down."""
        secret = self.guests.get(key)
        new = key not in self.seen
        if secret is not None:
            self.seen[key] = now
        if secret is not None and new:
            self.write(Page(guest=Guest(key, secret)))

    def trim(self, here: Container[bytes]) -> list[bytes]:
        """Of too many guests, drop those who never came, then those not seen for longest; gives them.

        Nobody goes who is `here` or plays, however many pair.
        """
        if self.pages > 2 * MOST:
            self.begin_anew()
        if len(self.guests) <= MOST:
            return []
        with self.lock:
            players = {one.key for one in self.seated}
            idle = [key for key in self.guests if key not in players and key not in here]
            idle.sort(key=lambda key: self.seen.get(key, -inf))
            dropped = idle[: len(self.guests) - MOST * 7 // 8]
            for key in dropped:
                self.drop(key)
            return dropped

    def write(self, page: Page) -> None:
        """On a line of its own, even after a torn one. A closed book takes no more: its descriptor may be another's.

        What a full disk does not take is kept, and tried again with the next page: the table goes on meanwhile.
        """
        with self.lock:
            self.take(page)
            self.waiting.append(b"\n" + msgspec.json.encode(page) + b"\n")
            with suppress(OSError):
                while self.waiting and not self.closed:
                    if os.write(self.file, self.waiting[0]) < len(self.waiting[0]):
                        return
                    self.pages += 1
                    self.waiting.popleft()

    def begin_anew(self) -> None:
        """Write a new file of what is so now, in place of all that ever was; the old one stays if that can't be."""
        with self.lock, suppress(OSError):
            self.replace(self.whole())

    def whole(self) -> list[Page]:
        """What is so now."""
        pages = [Page(self.keys, self.ports, seated=self.seated or None, setup=self.setup or None)]
        pages += [Page(guest=Guest(key, None)) for key in self.removed]
        return pages + [Page(guest=Guest(key, self.guests[key])) for key in self.seen]

    def replace(self, pages: list[Page]) -> None:
        """Raises OSError."""
        self.pages = len(pages)  # if it can't be done now, not at once again
        if not self.closed:
            write_whole(self.path, b"\n".join(map(msgspec.json.encode, pages)) + b"\n", PRIVATE)
            old, self.file = self.file, os.open(self.path, APPEND, 0o600)
            os.close(old)
            self.waiting.clear()

    def keep(self) -> None:
        """The table is open: until the book is closed, nobody throws it away."""
        self.held = hold(self.path)

    def close(self) -> None:
        with self.lock:
            if not self.closed:
                self.closed = True
                os.close(self.file)
                if self.held is not None:
                    os.close(self.held)
