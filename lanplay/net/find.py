"""Finding a table and being let in: tickets of this machine, addresses, join codes."""

from __future__ import annotations

import random
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from msgspec import Struct

from lanplay.net import codes, known, tickets
from lanplay.net.descriptors import check_spare
from lanplay.net.door import Frames
from lanplay.net.errors import CodeNeeded, NoTable, Refused, WrongCode
from lanplay.net.known import Identity, KnownFriend
from lanplay.net.names import cleaned
from lanplay.net.pairing import About, Box, Grant, Half, How, No, PairingError, PeerSide, Question
from lanplay.wire.messages import VERSION

if TYPE_CHECKING:
    from lanplay.net.search import Sighting

PORT = 47800
PATIENCE = 5.0  # seconds
ADDRESS = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]]+))(?::([0-9]+))?")

T = TypeVar("T")


class Found(NamedTuple):
    """A table that answers, by its own word. `token` and `curve`, the host's key, are set if there is a ticket for it.

    `seats` is 0 if they are not told; `host` names the host for who has met it.
    """

    table: str
    game: str
    address: str
    port: int
    table_id: str
    open: bool = False
    token: str | None = None
    curve: bytes | None = None
    seats: int = 0
    taken: int = 0
    host: str = ""

    @property
    def where(self) -> str:
        """Its address, as it is typed after `lanplay join`."""
        return self.address if self.port == PORT else joined(self.address, self.port)


class Invitation(NamedTuple):
    """What a peer needs to come to a table: where it is, and keys. `how` it was let in says who vouches for the host:
    `ticket` this machine, `code` whoever showed the code, `open` nobody.
    """

    address: str
    grant: Grant
    identity: Identity
    how: How


def joined(address: str, port: int) -> str:
    """HOST:PORT, or [HOST]:PORT."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def find(where: str | None = None) -> list[Found]:
    """The tables that WHERE may mean: nothing (those of this machine, or else of the LAN), a name, or HOST[:PORT].

    Several of one name are all given. Raises NoTable, with what to do, if there is none.
    """
    own = here()
    if where is None:
        return own or on_lan() or none_found()
    named = called(where, own)
    if named:
        return named
    if not is_address(where):
        return called(where, on_lan()) or of_machine(where)
    address, port = split(where)
    local = (*LOCAL, *(found.address for found in own))
    return [found for found in own if found.port == port and address in local] or [ask(address, port)]


def of_machine(name: str) -> list[Found]:
    """The table of the machine that has this name, since no table has it."""
    try:
        if not re.fullmatch(r"[\w.-]+", name):  # a blank, say: no name service need be asked
            raise NoTable(name)
        return [ask(*split(name))]
    except NoTable as error:
        raise NoTable(
            f"No table called {cleaned(name)} was found, and no table answers on a machine of that name. "
            "What can be joined: lanplay list"
        ) from error


LOCAL = ("localhost", "127.0.0.1", "::1")


def here() -> list[Found]:
    """The tables of this machine that this user has tickets for."""
    return [
        Found(t.table, t.game, t.address, t.port, t.table_id, token=t.token, curve=t.curve)
        for t in tickets.here()
    ]


def on_lan() -> list[Found]:
    """The tables that answer on the LAN, by name; those that this user has on this machine first."""
    from lanplay.net.search import search  # noqa: PLC0415 - whoever is told where to go need not look around

    own = {found.table_id: found for found in here()}
    found = dict(own)
    for seen in sorted(search((one.address, one.port) for one in own.values()), key=preferred):
        told = told_by(seen.about, seen.address, seen.port)
        mine = own.get(told.table_id)
        if mine:
            told = mine._replace(open=told.open, seats=told.seats, taken=told.taken, host=told.host)
        found[told.table_id] = told
    return sorted(found.values(), key=lambda one: (one.token is None, one.table.casefold(), one.where))


def preferred(seen: Sighting) -> tuple[bool, bool, str]:
    """The last in this order is how a table is reached: IPv4 rather than IPv6, and that rather than with a scope."""
    return (":" not in seen.address, "%" not in seen.address, seen.address)


def called(name: str, tables: list[Found]) -> list[Found]:
    """The tables of this name, or of this name and address as `list` tells those of one name apart."""
    return [found for found in tables if found.table.casefold() == name.casefold()]


def is_address(where: str) -> bool:
    """Whether this is an address without a doubt, and not the name of a table or a machine."""
    with suppress(ValueError):
        ip_address(where.strip("[]").partition("%")[0])
        return True
    return bool(re.fullmatch(r"\S+:\d+|localhost", where))


def none_found() -> NoReturn:
    raise NoTable(
        "No table was found on this machine or the LAN. Open one with: lanplay host cambio. Or join one by its "
        "address: lanplay join HOST:PORT. What may be in the way: lanplay doctor"
    )


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
    return told_by(about, address, port)


def told_by(about: About, address: str, port: int) -> Found:
    """What a table says of itself, made fit to be shown."""
    return Found(
        cleaned(about.table),
        cleaned(about.game, "?"),
        address,
        port,
        about.table_id,
        about.open,
        seats=about.seats,
        taken=about.taken,
        host=about.host,
    )


def pair(found: Found, code: str | None = None, name: str = "") -> Invitation:
    """Be let in: with the join code if one is given, else with the ticket of this machine, with what the host gave at
    an earlier pairing, or at an open table.

    Who comes back under the same `name` comes back to the same seat. Raises CodeNeeded, WrongCode, HostChanged, Refused
    or NoTable.
    """
    check_spare()
    friend = known.friend(found.host)
    how = way(found, code, friend)
    if how == "code" and code is None:
        raise CodeNeeded("code-needed", f"{found.table} asks for its join code: it is on the host's screen.")
    identity = known.identity(found.table_id, name)
    try:
        grant = patiently(lambda: knock(found, side(how, found, code, friend, identity.keys.public)))
        known.check_host(grant, found.curve)
        known.remember(grant.friend)
    except BaseException as error:
        identity.release()
        if how == "known" and friend:
            return forgotten(found, name, error)
        raise
    return Invitation(found.address, grant, identity, how)


def way(found: Found, code: str | None, friend: KnownFriend | None) -> How:
    """How to ask to be let in."""
    if code is not None:
        return "code"
    if found.token:
        return "ticket"
    if friend:
        return "known"
    return "open" if found.open else "code"


def side(how: How, found: Found, code: str | None, friend: KnownFriend | None, curve: bytes) -> PeerSide:
    """The peer's half of a try. Raises WrongCode for what can be no code."""
    if how == "known" and friend:
        return PeerSide(how, friend.token, curve, friend.name)
    try:
        password = codes.read(code) if code is not None else found.token or codes.OPEN
    except ValueError as error:
        raise WrongCode("wrong-code", str(error)) from error
    return PeerSide(how, password, curve)


def forgotten(found: Found, name: str, error: BaseException) -> Invitation:
    """The host was met before, and did not let in: it has forgotten this machine, or it is another one."""
    if isinstance(error, CodeNeeded) and found.open:
        return pair(found._replace(host=""), None, name)
    if isinstance(error, WrongCode):
        raise known.posing(found.table, found.host) from error
    raise error


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
            if side.how == "known":
                raise WrongCode("wrong-code", "The host does not know what it should.") from error
            raise NoTable(f"{found.address}:{found.port} is no table of lanplay: {error}") from error


def call(address: str, port: int) -> Call:
    try:
        return Call(socket.create_connection((address, port), timeout=PATIENCE))
    except UnicodeError as error:  # before anybody is asked: no name of a machine is spelled so
        raise NoTable(f"{address[:40]!r} is no address, and no table in reach is called so.") from error
    except OSError as error:
        raise NoTable(
            f"No table answers at {address}:{port} ({error.strerror or error}). "
            "Is the host running, and is the address the one on its screen?"
        ) from error


class Call(Frames):
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
