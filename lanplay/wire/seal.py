"""Sealing of what only one seat may know, so that a view sent to the wrong peer, logged or watched stays closed.

Both sides bring a fresh X25519 key to each connection; HKDF-SHA256, salted with the secret the seat got when it
was paired, makes a ChaCha20-Poly1305 key (RFC 7748, 5869, 8439). The number of a message in its stream is the
nonce, so a key must not outlive its connection.
"""

from __future__ import annotations

from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

INFO = b"lanplay 1 seal"
EMPTY = b"\xc4\x00"  # no bytes, in MessagePack: how a frame ends before its secret is sealed


class SealError(Exception):
    """This secret cannot be sealed or opened; the text says why."""


class Sealer:
    """Seals at the host and opens at the peer, for one connection.

    `table` is the table's id, `secret` the 32 bytes that the seat got when it was paired. `meet` must be called
    with the other side's key, and `sit` with the game and the seat of the host's Welcome, before anything is
    sealed or opened.
    """

    __slots__ = ("_box", "_place", "_private", "_secret", "_table", "public")

    def __init__(self, table: str, secret: bytes, private: X25519PrivateKey | None = None) -> None:
        self._private = private or X25519PrivateKey.generate()
        self._table = table
        self._secret = secret
        self.public = self._private.public_key().public_bytes_raw()

    def meet(self, key: bytes) -> None:
        """Agree on the key of this connection. Raises SealError if the other side's is no usable key."""
        try:
            shared = self._private.exchange(X25519PublicKey.from_public_bytes(key))
        except ValueError as error:
            raise SealError("The other side's sealing key is not usable.") from error
        info = INFO + b"".join(sorted((self.public, key)))
        self._box = ChaCha20Poly1305(HKDF(SHA256(), 32, self._secret, info).derive(shared))

    def sit(self, game: str, seat: str) -> None:
        """Say for which game and seat the secrets are."""
        self._place = f"{self._table}/{game}/{seat}/"

    def seal(self, frame: bytes, secret: bytes, pad: int, round: int, n: int) -> bytes:
        """The frame of message `n`, which ends with its empty `sealed`, with the secret sealed into it.

        `sealed` gets 18 bytes longer than `pad`. Raises SealError if the secret is longer than `pad`.
        """
        if len(secret) > pad or pad > 0xFFFF:
            raise SealError(f"A secret of {len(secret)} bytes does not fit into {pad}.")
        text = len(secret).to_bytes(2, "big") + secret.ljust(pad, b"\0")
        sealed = self._box.encrypt(_nonce(n), text, self._bound_to(frame, round, n))
        return frame.removesuffix(EMPTY) + _head(len(sealed)) + sealed

    def open(self, frame: bytes, sealed: bytes, round: int, n: int) -> bytes:
        """The secret in the frame of message `n`, whose field `sealed` is given. Raises SealError."""
        tail = _head(len(sealed)) + sealed
        if not frame.endswith(tail):
            raise SealError("The sealed part is not the last field of its message.")
        public = frame.removesuffix(tail) + EMPTY
        try:
            text = self._box.decrypt(_nonce(n), sealed, self._bound_to(public, round, n))
        except InvalidTag as error:
            raise SealError("This was not sealed for this seat, or it was changed on its way.") from error
        return text[2 : 2 + int.from_bytes(text[:2], "big")]

    def _bound_to(self, public: bytes, round: int, n: int) -> bytes:
        return f"{self._place}{round}/{n}/".encode() + sha256(public).digest()


def _nonce(n: int) -> bytes:
    return n.to_bytes(12, "big")


def _head(length: int) -> bytes:
    """How MessagePack announces that many bytes."""
    return b"\xc4" + length.to_bytes(1, "big") if length < 256 else b"\xc5" + length.to_bytes(2, "big")
