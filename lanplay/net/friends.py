"""What a host remembers of who was let in by code, at any of its tables: they need no code again."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec
from msgspec import Struct

from lanplay.files import write_whole
from lanplay.net.home import PRIVATE, hold, home, private_folder, read_private, write_private
from lanplay.net.pairing import Friend, Name, Token

REMEMBERED = 500  # the last ones
LONG = 4 * REMEMBERED * 130  # bytes of the file: it is shortened


class Entry(Struct, frozen=True):
    """A line of the file."""

    name: Name
    token: Token


class Itself(Struct, frozen=True):
    """The name under which a host's friends know it, at all its tables."""

    host: Name


class Friends:
    """The friends of this user as a host; shared by all its tables, so each look is at the files."""

    def __init__(self) -> None:
        """Raises OSError if the host's own name can't be kept."""
        self.path = home() / "host" / "friends"
        path = home() / "host" / "itself.json"
        known = read_private(path, Itself)
        if known is None:
            known = Itself(secrets.token_hex(16))
            write_private(path, known)
            self.forget()  # they know another host
        self.host = known.host

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)

    def token(self, name: str) -> str | None:
        """What this friend has to know."""
        return next((entry.token for entry in reversed(entries(self.path)) if entry.name == name), None)

    def befriend(self) -> Friend:
        """A new friend: what it is to remember. Raises OSError if that can't be kept."""
        friend = Friend(self.host, secrets.token_hex(16), secrets.token_hex(32))
        private_folder(self.path.parent)
        held = hold(self.path)  # if another is at it, neither is in the other's way but for the shortening
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, msgspec.json.encode(Entry(friend.name, friend.token)) + b"\n")
            if held is not None and os.fstat(file).st_size > LONG:
                self.shorten()
        finally:
            for one in (file, held):
                if one is not None:
                    os.close(one)
        return friend

    def shorten(self) -> None:
        """Leave the last ones only."""
        text = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries(self.path))
        write_whole(self.path, text, PRIVATE)


def entries(path: Path) -> list[Entry]:
    found = []
    if path.exists():
        for line in path.read_bytes().splitlines()[-REMEMBERED:]:
            try:
                found.append(msgspec.json.decode(line, type=Entry))
            except msgspec.MsgspecError:
                continue  # torn by a crash
    return found
