"""Shuffles that are the same on every machine and in every version: a keyed stream, never `random`."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import ge, mod

from lanplay.engine.words import Card

# The cards as they lie, the round, and which shuffle of the round this is (0 is the deal) → the new order, top last.
Shuffler = Callable[[Sequence[Card], int, int], list[Card]]

WORD = 1 << 16  # draws are made from 16-bit numbers


def seeded(secret: bytes) -> Shuffler:
    """Every shuffle follows from one secret, each by a key of its own (PROTOCOL.md, "The deck")."""

    def shuffle(cards: Sequence[Card], round_: int, number: int) -> list[Card]:
        return permuted(cards, secret + b"shuffle %d %d" % (round_, number))

    return shuffle


def permuted(cards: Sequence[Card], key: bytes) -> list[Card]:
    """Fisher–Yates over the numbers of the key, from the last place down."""
    order = list(cards)
    for last, other in zip(range(len(order) - 1, 0, -1), picks(key, len(order)), strict=True):
        order[last], order[other] = order[other], order[last]
    return order


def picks(key: bytes, size: int) -> list[int]:
    """Even draws below `size`, below `size` - 1, … below 2, one after another from the numbers of the key."""
    sizes, bounds = sizes_of(size)
    first = struct.unpack(f">{len(sizes)}H", hashlib.shake_256(key).digest(2 * len(sizes)))
    if any(map(ge, first, bounds)):  # one has to be thrown back: rare, so the others go the fast way
        stream = numbers(key)
        return [below(limit, stream) for limit in sizes]
    return list(map(mod, first, sizes))


@cache
def sizes_of(size: int) -> tuple[range, tuple[int, ...]]:
    """The limits of the draws, and the first number that each throws back."""
    sizes = range(size, 1, -1)
    return sizes, tuple(WORD - WORD % limit for limit in sizes)


def numbers(key: bytes) -> Iterator[int]:
    """The SHAKE-256 stream of the key as 16-bit big-endian numbers, without an end."""
    done, count = 0, 256
    while True:
        stream = hashlib.shake_256(key).digest(2 * count)
        yield from struct.unpack(f">{count - done}H", stream[2 * done :])
        done, count = count, 2 * count


def below(limit: int, stream: Iterator[int]) -> int:
    """An even draw from 0 to `limit` - 1: numbers that would favour the low ones are thrown back."""
    return next(word % limit for word in stream if word < WORD - WORD % limit)


def draw(secret: bytes, label: str, limit: int) -> int:
    """An even draw from 0 to `limit` - 1 that the secret and a label decide."""
    return below(limit, numbers(secret + label.encode()))
