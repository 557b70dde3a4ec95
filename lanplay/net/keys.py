"""CURVE keys (RFC 26) and the host's key for signing (RFC 8032), raw: 32 bytes each."""

from __future__ import annotations

import zmq
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct
from zmq.utils import z85

from lanplay.net.home import home, read_private, write_private


class Keys(Struct, frozen=True):
    """A CURVE key pair, raw."""

    public: bytes
    private: bytes

    @classmethod
    def new(cls) -> Keys:
        public, private = zmq.curve_keypair()
        return cls(z85.decode(public), z85.decode(private))


class SigningKey(Struct, frozen=True):
    """What this user signs the records of finished games with."""

    ed25519: bytes


def signing_key() -> Ed25519PrivateKey:
    """The key of this user as a host, made when it is first wanted. Raises OSError if it can't be kept."""
    path = home() / "signing.json"
    kept = read_private(path, SigningKey)
    if kept:
        return Ed25519PrivateKey.from_private_bytes(kept.ed25519)
    key = Ed25519PrivateKey.generate()
    write_private(path, SigningKey(key.private_bytes_raw()))
    return key
