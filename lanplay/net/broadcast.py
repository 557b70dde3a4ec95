"""The UDP question "who has a table?", for networks without multicast, and its answer (PROTOCOL.md)."""

from __future__ import annotations

import secrets
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Interface
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from lanplay.net.interfaces import Address, Interface
from lanplay.wire.codec import ProtocolError, unpack
from lanplay.wire.messages import VERSION

PORT = 47800  # of UDP, whatever the table's ports are
LENGTH = 80  # of a question: no answer is longer, so nobody gains by asking in another's name
ALL_NODES = "ff02::1"

Nonce = Annotated[bytes, Meta(min_length=16, max_length=16)]
T = TypeVar("T")


class Ask(Struct, frozen=True):
    """Who has a table? Filled with zero bytes to LENGTH."""

    lanplay: int
    ask: Nonce
    pad: bytes = b""


class Here(Struct, frozen=True):
    """A table is at the address that this comes from, at this pairing port. `ask` as it was asked."""

    lanplay: int
    ask: Nonce
    port: Annotated[int, Meta(ge=1, le=65535)]
    table_id: Annotated[str, Meta(pattern="^[0-9a-zA-Z]{1,16}$")]


def question(nonce: bytes | None = None) -> bytes:
    """A datagram that asks."""
    asked = Ask(VERSION, nonce or secrets.token_bytes(16))
    short = len(msgspec.msgpack.encode(asked))
    return msgspec.msgpack.encode(Ask(VERSION, asked.ask, bytes(LENGTH - short)))


def answer(data: bytes, port: int, table_id: str) -> bytes | None:
    """The datagram that answers; None if that was no question of this version."""
    asked = read(data, Ask)
    if asked is None or asked.lanplay != VERSION or len(data) < LENGTH:
        return None
    return msgspec.msgpack.encode(Here(VERSION, asked.ask, port, table_id))


def heard(data: bytes, nonce: bytes) -> Here | None:
    """An answer to this question; None for anything else."""
    here = read(data, Here)
    return here if here and here.lanplay == VERSION and here.ask == nonce else None


def read(data: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.convert(unpack(data, 2 * LENGTH), kind, builtin_types=(bytes,))
    except (ProtocolError, msgspec.ValidationError):
        return None


# ---- sockets ------------------------------------------------------------------------------------------


def target(interface: Interface, at: Address, port: int) -> tuple[Any, ...] | None:
    """Where a question goes from one of an interface's addresses; None if that can't ask all at once."""
    if isinstance(at, IPv4Interface):
        alone = at.network.prefixlen >= 31
        return None if alone else (str(at.network.broadcast_address), port)
    return (ALL_NODES, port, 0, interface.index) if at.is_link_local and interface.index else None


def asking(interface: Interface, port: int = PORT) -> Iterator[tuple[socket.socket, tuple[Any, ...]]]:
    """A socket for each way to ask on this interface, and where to send; what can't be opened is left out."""
    for at in interface.at():
        there = target(interface, at, port)
        if there is None:
            continue
        with suppress(OSError):
            yield outlet(str(at.ip), interface.index), there


def outlet(address: str, scope: int) -> socket.socket:
    """A socket that sends to all from one address. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setblocking(False)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, scope)
            made.bind((address, 0, 0, scope))
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            made.bind((address, 0))
    except OSError:
        made.close()
        raise
    return made


def listening(found: list[Interface], port: int = PORT) -> Iterator[socket.socket]:
    """Sockets that hear questions, beside those of other tables of this machine. Raises OSError if there can't be any."""
    yield ear(socket.AF_INET, "", port)
    with suppress(OSError):  # without IPv6
        six = ear(socket.AF_INET6, "::", port)
        for interface in found:
            with suppress(OSError):  # has joined already, as each system does for this group by itself
                group = socket.inet_pton(socket.AF_INET6, ALL_NODES) + struct.pack("@I", interface.index)
                six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
        yield six


def ear(family: int, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "darwin":  # elsewhere SO_REUSEADDR is enough
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made


def source(address: tuple[Any, ...]) -> str:
    """Where a datagram came from, with its scope if it needs one."""
    host = str(address[0])
    scoped = len(address) > 3 and address[3] and "%" not in host and host.startswith("fe80")
    return f"{host}%{address[3]}" if scoped else host
