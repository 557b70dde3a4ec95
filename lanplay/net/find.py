"""Finding a table and being let in: tickets of this machine, addresses, join codes."""

from __future__ import annotations

import random
import re
import socket
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from msgspec import Struct

from lanplay.net import codes, known, tickets
from lanplay.net.door import Line
from lanplay.net.errors import CodeNeeded, NoTable, Refused, WrongCode
from lanplay.net.known import Identity
from lanplay.net.pairing import About, Box, Grant, Half, How, No, PairingError, PeerSide, Question
from lanplay.wire.messages import VERSION

PORT = 47800
PATIENCE = 5.0  # seconds
ADDRESS = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]]+))(?::([0-9]+))?")

T = TypeVar("T")


class Found(NamedTuple):
    """A table that answers, by its own word. `token` and `curve`, the host's key, are set if there is a ticket for it."""

    table: str
    game: str
    address: str
    port: int
    table_id: str
    open: bool = False
    token: str | None = None
    curve: bytes | None = None


class Invitation(NamedTuple):
    """What a peer needs to come to a table: where it is, and keys. `how` it was let in says who vouches for the host:
    `ticket` this machine, `code` whoever showed the code, `open` nobody.
    """

    address: str
    grant: Grant
    identity: Identity
    how: How


def find(where: str | None = None) -> list[Found]:
    """The tables that WHERE may mean: nothing (those of this machine), a name, or HOST[:PORT].

    Raises NoTable, with what to do, if there is none.
    """
    here = [
        Found(t.table, t.game, "127.0.0.1", t.port, t.table_id, token=t.token, curve=t.curve)
        for t in tickets.here()
    ]
    if where is None:
        if not here:
            raise NoTable(
                "No table is open on this machine. Open one with: lanplay host cambio. "
                "Or join one elsewhere: lanplay join HOST:PORT"
            )
        return here
    named = [found for found in here if found.table.casefold() == where.casefold()]
    if named:
        return named
    address, port = split(where)
    mine = [found for found in here if found.port == port and address in ("localhost", "127.0.0.1", "::1")]
    return mine or [ask(address, port)]


def split(where: str) -> tuple[str, int]:
    """Address and port of `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`. Raises NoTable."""
    bare_ipv6 = where.count(":") > 1 and not where.startswith("[")
    found = ADDRESS.fullmatch(f"[{where}]" if bare_ipv6 else where)
    port = int(found[3] or PORT) if found else 0
    if not found or not 0 < port < 65536:
        raise NoTable(f"{where!r} is no address. Write HOST or HOST:PORT, such as 192.168.1.20:{PORT}.")
    return found[1] or found[2], port


def ask(address: str, port: int) -> Found:
    """What table is behind this pairing port? Raises NoTable."""
    with call(address, port) as line:
        about = answer(line, Question(VERSION), About, address, port)
    return Found(about.table, about.game, address, port, about.table_id, about.open)


def pair(found: Found, code: str | None = None, name: str = "") -> Invitation:
    """Be let in: with the join code if one is given, else with the ticket of this machine, or at an open table.

    Who comes back under the same `name` comes back to the same seat. Raises CodeNeeded, WrongCode, HostChanged, Refused
    or NoTable.
    """
    how: How = "code" if code is not None else "ticket" if found.token else "open" if found.open else "code"
    if how == "code" and code is None:
        raise CodeNeeded("code-needed", f"{found.table} asks for its join code: it is on the host's screen.")
    try:
        password = codes.read(code) if code is not None else found.token or codes.OPEN
    except ValueError as error:
        raise WrongCode("wrong-code", str(error)) from error
    identity = known.identity(found.table_id, name)
    try:
        grant = patiently(lambda: knock(found, PeerSide(how, password, identity.keys.public)))
        known.check_host(grant, found.curve)
    except BaseException:
        identity.release()
        raise
    return Invitation(found.address, grant, identity, how)


def patiently(attempt: Callable[[], T]) -> T:
    """Try again for a while if too many try to join at once."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except Refused as refusal:
            if refusal.code != "busy" or time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.1, 0.4))  # noqa: S311 - so that not all come back at once


def knock(found: Found, side: PeerSide) -> Grant:
    """One try at the pairing port."""
    with call(found.address, found.port) as line:
        half = answer(line, side.question(), Half, found.address, found.port)
        try:
            box = answer(line, side.offer(half), Box, found.address, found.port)
            return side.grant(box)
        except PairingError as error:
            raise NoTable(f"{found.address}:{found.port} is no table of lanplay: {error}") from error


def call(address: str, port: int) -> Call:
    try:
        return Call(socket.create_connection((address, port), timeout=PATIENCE))
    except OSError as error:
        raise NoTable(
            f"No table answers at {address}:{port} ({error.strerror or error}). "
            "Is the host running, and is the address the one on its screen?"
        ) from error


class Call(Line):
    """A connection to a pairing port."""

    def __enter__(self) -> Call:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()


def answer(line: Call, value: Struct, kind: type[T], address: str, port: int) -> T:
    """Say something and hear the answer, of this kind. Raises Refused if it is a no, NoTable if it is nonsense."""
    try:
        line.send(value)
        reply = line.receive_any(kind, No)
    except (OSError, PairingError) as error:
        raise NoTable(f"{address}:{port} does not answer like a table of lanplay ({error}).") from error
    if isinstance(reply, No):
        refusals = {"wrong-code": WrongCode, "code-needed": CodeNeeded}
        raise refusals.get(reply.refused, Refused)(reply.refused, reply.sentence)
    assert isinstance(reply, kind)
    return reply
