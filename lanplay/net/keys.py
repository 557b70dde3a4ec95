"""CURVE keys (RFC 26), raw: 32 bytes each."""

from __future__ import annotations

import zmq
from msgspec import Struct
from zmq.utils import z85


class Keys(Struct, frozen=True):
    """A CURVE key pair, raw."""

    public: bytes
    private: bytes

    @classmethod
    def new(cls) -> Keys:
        public, private = zmq.curve_keypair()
        return cls(z85.decode(public), z85.decode(private))
