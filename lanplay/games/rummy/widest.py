"""How long a list of plays could be in all, for who knows no more of a hand than the number of its cards.

The lists of a hand are told sealed, and how long the sealed bytes are must tell nothing. So they are filled up to a
length that no hand of so many cards exceeds: worked out type by type from the lengths of the moves' spellings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import prod

from lanplay.games.rummy.cards import BK, BR, COPIES, RK, RR, SR, cards_of, of, size
from lanplay.games.rummy.melds import Meld, units_of
from lanplay.games.rummy.moves import FLOW

LETTERS = 3  # of a card, with the blank before it, at most


def longest(cards: int, melds: Iterable[Meld]) -> int:
    """No list of plays and discards of a hand of so many cards, which may be added to these melds, has more bytes."""
    discards = told(len("discard RR")) * min(cards, 16)
    return most(cards) + sum(additions(rooms(meld), cards) for meld in melds) + discards


def told(letters: int) -> int:
    """The bytes of a text that is told, and of the same with an Energy Rune."""
    return sum(length + 1 + (length > 31) for length in (letters, letters + 2))


@cache
def new(type: str, cards: int, letters: int = LETTERS) -> int:
    """The bytes of a new meld."""
    return told(len(f"meld {type}") + letters * cards)


# ---- new melds ------------------------------------------------------------------------------------


@cache
def most(cards: int) -> int:
    """The bytes of all new melds from the hand of so many cards that has the most."""
    return max(
        numbers(of_numbers, kinds) + others(cards - of_numbers, more) + flows(kinds + more)
        for of_numbers in range(min(cards, 9 * COPIES[0]) + 1)
        for kinds in range(min(of_numbers, 9) + 1)
        for more in range(min(cards - of_numbers, 7) + 1)
    )


@cache
def flows(kinds: int) -> int:
    """Flow Hands from so many kinds, all in a row."""
    return sum((kinds - length + 1) * new("flow", length) for length in range(3, kinds + 1))


@cache
def numbers(cards: int, kinds: int) -> int:
    """Number Cards of a Kind from so many number cards of so many kinds at most."""
    if not kinds or cards < 3:
        return 0
    return max(
        sum(new("kind", number, 2) for number in range(3, alike + 1)) + numbers(cards - alike, kinds - 1)
        for alike in range(1, min(cards, COPIES[0]) + 1)
    )


@cache
def others(cards: int, kinds: int) -> int:
    """The other types, from so many runes and kings of so many kinds, or fewer."""
    here = max((size for of_kinds, size in richest(cards).items() if of_kinds <= kinds), default=0)
    return max(here, others(cards - 1, kinds)) if cards else here


@cache
def richest(cards: int) -> dict[int, int]:
    """By the number of kinds: the bytes of the melds of those runes and kings, so many in all, that have the most."""
    best: dict[int, int] = {}
    for held in splits(cards, tuple(COPIES[kind] for kind in (RR, RK, BR, BK, SR))):
        if held[:2] >= held[2:4]:  # the colours are alike
            kinds = 5 - held.count(0)
            best[kinds] = max(best.get(kinds, 0), runes_and_kings(*held))
    return best


def splits(cards: int, limits: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """So many cards as cards of several kinds, no more of each than its limit."""
    if not limits:
        yield from [()] * (not cards)
        return
    for number in range(max(0, cards - sum(limits[1:])), min(cards, limits[0]) + 1):
        for more in splits(cards - number, limits[1:]):
            yield (number, *more)


def runes_and_kings(red: int, red_king: int, blue: int, blue_king: int, swap: int) -> int:
    """The bytes of the melds of so many Red Runes, Red Kings and so on."""
    return (
        balances(min(red, blue), min(red_king, blue_king), swap)
        + colours(red, red_king)
        + colours(blue, blue_king)
        + kingdoms(red_king, blue_king)
    )


@cache
def balances(runes: int, kings: int, swaps: int) -> int:
    heaps = product(range(runes + 1), range(kings + 1), range(swaps + 1))
    return sum(
        new("balance", 2 * (rune + king) + swap)
        for rune, king, swap in heaps
        if rune + king and rune + king + swap > 1
    )


@cache
def colours(runes: int, kings: int) -> int:
    heaps = product(range(runes + 1), range(kings + 1))
    return sum(new("blue", rune + king) for rune, king in heaps if rune + king > 2)


@cache
def kingdoms(red: int, blue: int) -> int:
    return sum(new("kingdom", cards) for cards in map(sum, product(range(2, red + 1), range(2, blue + 1))))


# ---- additions ------------------------------------------------------------------------------------


def rooms(meld: Meld) -> tuple[tuple[int, int], ...]:
    """The units that a meld takes: how many cards each is, and how many there can be at most."""
    if meld.type == FLOW:
        return (1, meld.low), (1, 15 - meld.top)
    return tuple(
        (size(unit), min(COPIES[card] - of(meld.cards, card) for card in cards_of(unit)))
        for unit in units_of(meld.type, meld.cards)
    )


@cache
def additions(units: tuple[tuple[int, int], ...], cards: int) -> int:
    """The bytes of all additions to a meld that takes these units, from the hand of so many cards that has the most."""
    numbers = product(*[range(limit + 1) for _, limit in units])
    totals = [(held, sum(n * unit[0] for n, unit in zip(held, units, strict=True))) for held in numbers]
    with_energy = told(len("add M99 RR")) * len(units)
    return with_energy + max(heaps(held, total) for held, total in totals if total <= cards)


def heaps(held: Iterable[int], cards: int) -> int:
    """The bytes of all additions from so many of each unit; their cards are half of all of them on average."""
    number = prod(n + 1 for n in held)
    return number * (len("add M99") + 2) + number * LETTERS * cards // 2
