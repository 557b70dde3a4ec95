"""What a peer remembers: its own key at each table, and the keys of the hosts it has met."""

from __future__ import annotations

import hashlib
import itertools
import os
from pathlib import Path

import zmq
from msgspec import Struct
from zmq.utils import z85

from lanplay.files import lock
from lanplay.net.errors import HostChanged
from lanplay.net.home import home, read_private, write_private
from lanplay.net.pairing import Grant


class Identity(Struct, frozen=True):
    """A CURVE key pair, raw."""

    public: bytes
    private: bytes


class KnownHost(Struct, frozen=True):
    """The key that the host of a table had when it was first met."""

    curve: bytes


def identity(table_id: str, name: str) -> tuple[bytes, bytes]:
    """The key pair under which a player of this name comes to this table, made when it first does.

    A key is one process's as long as that runs: a second terminal of the same name gets another, and another seat.
    """
    for number in itertools.count():
        path = home() / "seats" / f"{hashed(f'{table_id} {name} {number}')}.json"
        if held(path):
            mine = read_private(path, Identity) or new_identity(path)
            return mine.public, mine.private
    raise AssertionError("unreachable")


def held(path: Path) -> bool:
    """Take the lock beside a file for as long as this process runs; False if another process has it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        lock(file)
    except OSError:
        os.close(file)
        return False
    return True


def new_identity(path: Path) -> Identity:
    public, private = zmq.curve_keypair()
    mine = Identity(z85.decode(public), z85.decode(private))
    write_private(path, mine)
    return mine


def check_host(grant: Grant) -> None:
    """Remember the host of a table, or raise HostChanged if it is not the one that was met before."""
    path = home() / "hosts" / f"{hashed(grant.table_id)}.json"
    before = read_private(path, KnownHost)
    if before is None:
        write_private(path, KnownHost(grant.curve))
    elif before.curve != grant.curve:
        raise HostChanged(
            "host-changed",
            f"THE HOST OF {grant.table} HAS ANOTHER KEY THAN BEFORE. Somebody may be posing as it. "
            f"If you know why it changed, delete {path} and join again.",
        )


def hashed(text: str) -> str:
    """A file name for anything."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
