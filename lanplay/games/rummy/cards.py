"""The 122 cards of Cambio Rummy: sixteen kinds, counted by kind."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from lanplay.engine.cards import Deck
from lanplay.engine.words import Card

# the kinds in Power Flow Order: the numbers 1 to 9, then these  # R1.2 R4.2
RR, BR, SR, RK, BK, CR, ER = range(9, 16)
KINDS = range(16)
FACES = (*"123456789", "RR", "BR", "SR", "RK", "BK", "CR", "ER")
COPIES = (*[8] * 9, 10, 10, 10, 6, 6, 4, 4)  # R1.2
POINTS = (*range(1, 10), 10, 10, 10, -2, 13, 0, 10)  # R8.1
DECK = Deck(FACES, tuple(kind for kind in KINDS for _ in range(COPIES[kind])))

Count = int  # how many cards of each kind, four bits a kind: no kind has more than ten
ONE = tuple(1 << 4 * kind for kind in KINDS)


def count_of(cards: Iterable[Card]) -> Count:
    """The cards counted; more than fifteen of a kind, which nobody can have, as fifteen."""
    count = 0
    for card in cards:
        if of(count, card) < 15:
            count += ONE[card]
    return count


def of(count: Count, kind: Card) -> int:
    """How many cards of this kind."""
    return count >> 4 * kind & 15


@lru_cache(maxsize=1 << 15)
def cards_of(count: Count) -> tuple[Card, ...]:
    """The cards themselves, in Power Flow Order."""
    return tuple(kind for kind in KINDS for _ in range(of(count, kind)))


@lru_cache(maxsize=1 << 15)
def size(count: Count) -> int:
    """How many cards in all."""
    return sum(of(count, kind) for kind in KINDS)


def present(count: Count) -> int:
    """Bit k: there is a card of kind k."""
    count |= count >> 1
    count = (count | count >> 2) & 0x1111_1111_1111_1111  # one bit of each four; now they move together
    count = (count | count >> 3) & 0x0303_0303_0303_0303
    count = (count | count >> 6) & 0x000F_000F_000F_000F
    count = (count | count >> 12) & 0x0000_00FF_0000_00FF
    return (count | count >> 24) & 0xFFFF


def within(part: Count, count: Count) -> bool:
    """All of these cards are among those."""
    return all(of(part, kind) <= of(count, kind) for kind in KINDS)


def points(count: Count) -> int:
    """What the cards are worth, undoubled."""  # R8.1
    return sum(POINTS[card] for card in cards_of(count))


def faces(cards: Iterable[Card]) -> list[str]:
    """How the cards are spelled, in Power Flow Order, covered ones first."""
    return [FACES[card] if card >= 0 else "??" for card in sorted(cards)]
