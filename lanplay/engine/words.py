"""The words every game is told in: cards, seats, moves, facts and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from keyword import iskeyword
from sys import intern
from typing import Any, ClassVar, NamedTuple, TypeVar

Seat = int
Card = int
Zone = int
Eyes = int  # who sees: bit n for seat n

HIDDEN: Card = -1  # a card whose face these eyes do not know
GONE: Card = -2  # a numbered place with no card on it
TOP = -1  # a place: the end of a pile
ANY = -2  # a place: somewhere in a hand whose order is its owner's affair

NO_ONE: Eyes = 0
EVERYONE: Eyes = 0xFFFF
SPECTATOR: Seat = 15

SEATS = "ABCDEFGH"


class Fact(NamedTuple):
    """A change on the table, and who saw the face of it. The log holds them as plain tuples.

    - `moved`: a card went from a place of one zone to a place of another; `face` is the card.
    - `exchanged`: two face-down cards changed places.
    - `shown`: the face of a card was seen where it lies, until the next move.
    - `covered`: what was shown is hidden again.
    - `shuffled`: all of `source` but its `at` top cards went into `target`; `face` is the new order, seen by no one.
    - `acted`: the seat `source` made a move; `face` is the move. What it did follows. (A game tells this, not a table.)
    - `round`: a new round, number `at`, begins: all cards are back in zone 0.
    """

    kind: str
    source: Zone | Seat
    at: int
    target: Zone
    to: int
    face: Any
    eyes: Eyes


Told = tuple[str, int, int, int, int, Any, Eyes]
MOVED, EXCHANGED, SHOWN, COVERED = "moved", "exchanged", "shown", "covered"
SHUFFLED, ACTED, ROUND = "shuffled", "acted", "round"


def masked(fact: Told, seat: Seat) -> Told:
    """The fact as this seat is told it."""
    return fact if fact[6] >> seat & 1 else (*fact[:5], HIDDEN, fact[6])


class Move(str):
    """What a seat answers: its text, and what the text means."""

    __slots__ = ("args", "verb")
    verb: str
    args: tuple[int, ...]
    known: ClassVar[dict[str, Move]] = {}

    def __new__(cls, text: str, *args: int) -> Move:
        """One object a spelling, for the moves that a game offers."""
        if text not in cls.known:
            cls.known[text] = cls.spelled(text, *args)
        return cls.known[text]

    @classmethod
    def spelled(cls, text: str, *args: int) -> Move:
        """A move that somebody typed. It is not kept, so nobody can fill the memory with spellings."""
        move = super().__new__(cls, text)
        verb = text.split(maxsplit=1)[0]
        # interned, since only then is a method of that name found in the cache of the type
        move.verb, move.args = intern(verb + "_" * iskeyword(verb)), args
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as what it is: the one object of that spelling."""
        return Move, (str(self), *self.args)


Moves = tuple[Move, ...]
K = TypeVar("K")


class Choices(dict[K, Moves]):
    """Lists of moves by what they depend on, each spelled out once."""

    def __init__(self, spell: Callable[[K], Iterable[Move]]) -> None:
        self.spell = spell

    def __missing__(self, key: K) -> Moves:
        if len(self) > 9999:
            self.clear()
        moves = self[key] = tuple(self.spell(key))
        return moves


class Refusal(Exception):
    """Why a move is not done: a code of the notation, a sentence for people, and the clause of the rule book."""

    def __init__(self, code: str, sentence: str, clause: str | None = None, move: str = "") -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.clause, self.move = code, sentence, clause, move


class Round(NamedTuple):
    """How a round ended. `hands` are as the `state` of notation.md shows them; `capped`: a limit to its turns ended it."""

    points: tuple[int, ...]
    caller: Seat | None
    winners: tuple[Seat, ...]
    hands: Mapping[str, Any]
    capped: bool = False


def seat_of(letter: str) -> Seat:
    """The seat with this letter, `A` is 0. Raises ValueError for anything but `A` to `H`."""
    if len(letter) != 1 or letter not in SEATS:
        raise ValueError(f"there is no seat {letter!r}: seats are {SEATS[0]} to {SEATS[-1]}")
    return SEATS.index(letter)


def letters(seats: Iterable[Seat]) -> list[str]:
    """The letters of these seats, in seat order."""
    return [SEATS[seat] for seat in sorted(seats)]
