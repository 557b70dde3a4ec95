"""First contact, without a socket: SPAKE2 over a join code, then keys under what it agreed on (PROTOCOL.md)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Meta, Struct
from spake2 import SPAKE2_A, SPAKE2_B

from lanplay.wire.codec import ProtocolError, unpack
from lanplay.wire.messages import VERSION, Key

MAX_FRAME = 4096
Name = Annotated[str, Meta(pattern="^[0-9a-f]{0,32}$")]  # of a host, or of a friend at it
Token = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
PEER, HOST = b"lanplay peer", b"lanplay host"
How = Literal["code", "ticket", "open", "known"]


class PairingError(Exception):
    """What arrived does not belong to this conversation."""


class Question(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Peer to host, first: what is there? (`how` absent), or half of a key exchange. `friend` goes with `known`."""

    lanplay: int
    how: How | None = None
    spake: bytes = b""
    friend: Name = ""


class About(Struct, frozen=True):
    """Host to peer, to a question without `how`: the table, by its own word. Nothing here is secret or proved."""

    lanplay: int
    table: str
    game: str
    table_id: str
    open: bool
    seats: Annotated[int, Meta(ge=0, le=255)] = 0
    taken: Annotated[int, Meta(ge=0, le=255)] = 0
    host: Name = ""


class Half(Struct, frozen=True, forbid_unknown_fields=True):
    """Host to peer: the other half."""

    spake: bytes


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """Something under the key they share."""

    box: bytes


class No(Struct, frozen=True):
    """Host to peer: no, and why."""

    refused: str
    sentence: str


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    """In the peer's box: its CURVE public key."""

    curve: Key


class Friend(Struct, frozen=True):
    """What lets a peer in at all tables of a host without a code: `token` is shown by its `name` to the host `host`."""

    host: Name
    name: Name
    token: Token


class Grant(Struct, frozen=True, omit_defaults=True):
    """In the host's box: what a peer needs to come to the table. `secret` is the seat's, for sealing.

    `friend` comes with a first pairing by code.
    """

    curve: Key
    port: int
    table: str
    table_id: str
    game: str
    secret: Key
    friend: Friend | None = None


T = TypeVar("T")


def encode(value: Struct) -> bytes:
    """A frame: two bytes of length, most significant first, and a MessagePack map."""
    body = msgspec.msgpack.encode(value)
    return len(body).to_bytes(2, "big") + body


def decode(body: bytes, kind: Any) -> Any:
    """What is in a frame, of this kind. Raises PairingError."""
    try:
        return msgspec.convert(unpack(body, MAX_FRAME), kind, builtin_types=(bytes,))
    except (ProtocolError, msgspec.ValidationError) as error:
        raise PairingError(f"This is no pairing message: {error}") from error


class Keys(NamedTuple):
    """One key a direction."""

    peer: ChaCha20Poly1305
    host: ChaCha20Poly1305


def keys_of(shared: bytes, how: How) -> Keys:
    """The keys that follow from what SPAKE2 agreed on."""
    peer, host = (
        ChaCha20Poly1305(
            HKDF(SHA256(), 32, None, f"lanplay {VERSION} pair {how} {side}".encode()).derive(shared)
        )
        for side in ("peer", "host")
    )
    return Keys(peer, host)


def lock(key: ChaCha20Poly1305, value: Struct) -> Box:
    """Each key locks one box, so the nonce may be fixed."""
    return Box(key.encrypt(bytes(12), msgspec.msgpack.encode(value), None))


def unlock(key: ChaCha20Poly1305, box: Box, kind: type[T]) -> T:
    """Raises PairingError if it was locked with another key: the codes were not the same."""
    try:
        body = key.decrypt(bytes(12), box.box, None)
    except InvalidTag as error:
        raise PairingError("The codes were not the same.") from error
    value: T = decode(body, kind)
    return value


class PeerSide:
    """The peer's half: `question()`, then `offer(half)`, then `grant(box)`."""

    def __init__(self, how: How, password: str, curve: bytes, friend: str = "") -> None:
        self.how, self.curve, self.friend = how, curve, friend
        self.spake = SPAKE2_A(password.encode(), idA=PEER, idB=HOST)
        self.keys: Keys | None = None

    def question(self) -> Question:
        return Question(VERSION, self.how, self.spake.start(), self.friend)

    def offer(self, half: Half) -> Box:
        self.keys = keys_of(finished(self.spake, half.spake), self.how)
        return lock(self.keys.peer, Offer(self.curve))

    def grant(self, box: Box) -> Grant:
        assert self.keys
        return unlock(self.keys.host, box, Grant)


class HostSide:
    """The host's half of one try. `admit` takes the peer's CURVE key and gives the grant."""

    def __init__(self, how: How, password: str, admit: Callable[[bytes], Grant]) -> None:
        self.how = how
        self.spake = SPAKE2_B(password.encode(), idA=PEER, idB=HOST)
        self.admit = admit
        self.keys: Keys | None = None

    def half(self, question: Question) -> Half:
        mine = self.spake.start()
        self.keys = keys_of(finished(self.spake, question.spake), self.how)
        return Half(mine)

    def answer(self, box: Box) -> Box:
        """Raises PairingError if the peer had another code."""
        assert self.keys
        offer = unlock(self.keys.peer, box, Offer)
        return lock(self.keys.host, self.admit(offer.curve))


def finished(spake: Any, theirs: bytes) -> bytes:
    """The key that both sides have if they had the same password. Raises PairingError for what is no half."""
    try:
        key: bytes = spake.finish(theirs)
    except Exception as error:  # the library raises half a dozen kinds, some of which are plain Exceptions
        raise PairingError("This is no half of a key exchange.") from error
    return key


def new_secret() -> bytes:
    """A seat's secret for sealing."""
    return os.urandom(32)
