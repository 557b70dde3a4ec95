"""Shuffles that are the same on every machine and in every version: a keyed stream, never `random`."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterator, Sequence

from lanplay.engine.words import Card

# The cards as they lie, the round, and which shuffle of the round this is (0 is the deal) → the new order, top last.
Shuffler = Callable[[Sequence[Card], int, int], list[Card]]


def seeded(master: bytes) -> Shuffler:
    """Every shuffle follows from one secret, each by a key of its own (PROTOCOL.md, "The deck")."""

    def shuffle(cards: Sequence[Card], round_: int, number: int) -> list[Card]:
        key = hmac.digest(master, struct.pack(">II", round_, number), "sha256")
        return permuted(cards, key)

    return shuffle


def permuted(cards: Sequence[Card], key: bytes) -> list[Card]:
    """Fisher–Yates over the SHAKE-256 stream of the key, from the last place down."""
    order = list(cards)
    stream = words(key)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    return order


def words(key: bytes) -> Iterator[int]:
    """The stream of the key as 16-bit big-endian numbers, without an end."""
    length = 256
    done = 0
    while True:
        chunk = hashlib.shake_256(key).digest(length)
        yield from struct.unpack(f">{(length - done) // 2}H", chunk[done:])
        done, length = length, 2 * length


def below(limit: int, stream: Iterator[int]) -> int:
    """An even draw from 0 to limit - 1: what would favour the low numbers is thrown back."""
    bound = 65536 - 65536 % limit
    while True:
        word = next(stream)
        if word < bound:
            return word % limit


def draw(master: bytes, label: str, limit: int) -> int:
    """An even draw from 0 to limit - 1 that the secret and a label decide."""
    return below(limit, words(hmac.digest(master, label.encode(), "sha256")))
