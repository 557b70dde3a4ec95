"""What can be said at a Cambio table: the spelling of every move, and the lists that are offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from lanplay.engine.grammar import Grammar, Word, card_of, slot
from lanplay.engine.words import SEATS, Choices, Move, Refusal, Seat

GRAMMAR = Grammar(
    *[(verb,) for verb in ("cambio", "draw", "take", "discard", "pass")],
    ("peek", slot),
    ("peek", slot, slot),
    ("swap", slot),
    ("spy", card_of),
    ("look", card_of),
    ("switch", slot, card_of),
    ("snap", slot),
    ("snap", card_of),
    ("give", slot),
)


def read(text: str) -> Move:
    """The move spelled so; `peek 3 1` reads as `peek 1 3`. Raises Refusal `syntax`."""
    move = GRAMMAR.read(text)
    if move.verb == "peek" and len(move.args) == 2:
        first, second = sorted(move.split()[1:], key=lambda word: (len(word), word))
        if first == second:
            raise Refusal("syntax", "Name two different cards, such as peek 1 3.", None, text)
        return Move.spelled(f"peek {first} {second}", *sorted(move.args))
    return move


CALL, DRAW, TAKE, DISCARD, PASS = map(Move, ("cambio", "draw", "take", "discard", "pass"))

Slots = int  # bit n: slot n holds a card


@lru_cache(4096)
def each(slots: Slots) -> tuple[int, ...]:
    """The numbers of the slots that hold a card."""
    return tuple(number for number in range(slots.bit_length()) if slots >> number & 1)


def own(verb: str, *more: Move) -> Choices[Slots]:
    """The verb at each of one's own cards, `swap 1`, `swap 2` …, or something else."""
    return Choices(lambda slots: [*(Move(f"{verb} {number}", number) for number in each(slots)), *more])


def own_pairs(slots: Slots) -> list[Move]:
    """`peek 1 2` and so on: every two of one's own cards."""
    return [Move(f"peek {a} {b}", a, b) for a, b in combinations(each(slots), 2)]


def aimed(verb: str) -> Choices[tuple[Seat, Slots]]:
    """The verb at each card of another seat: `spy B3`."""
    return Choices(lambda hand: [Move(f"{verb} {name}", *args) for name, args in cards(*hand)])


def paired(verb: str) -> Callable[[Slots], Choices[tuple[Seat, Slots]]]:
    """For one's own cards: one of them and another seat's, `switch 2 B3`."""

    @lru_cache(4096)
    def say(own: Slots) -> Choices[tuple[Seat, Slots]]:
        return Choices(
            lambda hand: [
                Move(f"{verb} {mine} {name}", mine, *args)
                for mine in each(own)
                for name, args in cards(*hand)
            ]
        )

    return say


def cards(seat: Seat, slots: Slots) -> Iterator[Word]:
    """The cards of a seat, each by its name and as slot and seat."""
    return ((f"{SEATS[seat]}{number}", (number, seat)) for number in each(slots))
