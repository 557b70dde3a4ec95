"""What a peer remembers: its own key at each table, and the keys of the hosts it has met."""

from __future__ import annotations

import hashlib
import itertools
import os
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from lanplay.net.errors import HostChanged
from lanplay.net.home import hold, home, prune, read_private, write_private
from lanplay.net.keys import Keys
from lanplay.net.pairing import Friend, Grant, Name, Token


class Identity:
    """A key pair of this user at a table, in use by this process until it is released."""

    def __init__(self, keys: Keys, held: int) -> None:
        self.keys = keys
        self._held: int | None = held

    def release(self) -> None:
        """Another process may come to the table under this key."""
        if self._held is not None:
            os.close(self._held)
            self._held = None


class KnownHost(Struct, frozen=True):
    """The key that the host of a table had when it was first met."""

    curve: bytes


def identity(table_id: str, name: str) -> Identity:
    """The key pair under which a player of this name comes to this table, made when it first does.

    It is one process's as long as that uses it: a second terminal of the same name gets another, and another seat.
    """
    for number in itertools.count():
        path = home() / "seats" / f"{hashed(f'{table_id} {name} {number}')}.json"
        held = hold(path)
        if held is not None:
            with suppress(OSError):
                os.utime(path)  # it is used
            return Identity(read_private(path, Keys) or new_keys(path), held)
    raise AssertionError("unreachable")


def new_keys(path: Path) -> Keys:
    keys = Keys.new()
    write_private(path, keys)
    prune(path.parent, "*.json")
    return keys


def check_host(grant: Grant, expected: bytes | None = None) -> None:
    """Remember the host of a table, or raise HostChanged if it is not the one that was met before, or expected."""
    path = home() / "hosts" / f"{hashed(grant.table_id)}.json"
    before = read_private(path, KnownHost)
    if grant.curve != (expected or grant.curve) or (before and before.curve != grant.curve):
        raise HostChanged(
            "host-changed",
            f"THE HOST OF {grant.table} HAS ANOTHER KEY THAN BEFORE. Somebody may be posing as it. "
            f"If you know why it changed, delete {path} and join again.",
        )
    if before is None:
        write_private(path, KnownHost(grant.curve))
        prune(path.parent, "*.json")


class KnownFriend(Struct, frozen=True):
    """What a host whose code was once known here gave in its place, for all its tables."""

    name: Name
    token: Token


def friend_path(host: str) -> Path:
    return home() / "hosts" / f"{hashed(host)}.friend"


def friend(host: str) -> KnownFriend | None:
    """What this user knows in place of the join codes of a host, if its code was known once."""
    if not host:
        return None
    with suppress(OSError):
        os.utime(friend_path(host))  # it is used
    return read_private(friend_path(host), KnownFriend)


def remember(friend: Friend | None) -> None:
    """What a host gave in place of its codes."""
    if friend:
        write_private(friend_path(friend.host), KnownFriend(friend.name, friend.token))
        prune(friend_path(friend.host).parent, "*.friend")


def posing(table: str, host: str) -> HostChanged:
    """Who says to be a host that was met before, and does not know what that one would."""
    return HostChanged(
        "host-changed",
        f"THE HOST OF {table} IS NOT THE ONE IT SAYS IT IS, or has lost its keys. Somebody may be posing as it. "
        f"If you know why it changed, delete {friend_path(host)} and join again with its code.",
    )


def hashed(text: str) -> str:
    """A file name for anything."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
