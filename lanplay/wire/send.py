"""What a room wants told: one message for one peer, and what of it only that peer may know."""

from __future__ import annotations

from typing import NamedTuple

from lanplay.wire.messages import FromHost, Secret


class Send(NamedTuple):
    """A message for one peer. The host below numbers it, seals the secret into it and sends it.

    `peer` is the peer's CURVE public key. `pad` is the length in bytes to which the secret is filled up: it
    may depend on nothing but what all may know, and must hold the longest secret there could be (see
    `codec.encode_secret`). After a `Closed` the connection is cut.
    """

    peer: bytes
    message: FromHost
    secret: Secret | None = None
    pad: int = 0
