"""Who is at a table: peers, their seats, and their names."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple
from unicodedata import normalize

from lanplay.engine.words import SEATS, SPECTATOR, Move, Seat
from lanplay.room.limits import Bucket
from lanplay.speech.spell import plain
from lanplay.wire.messages import Accepted, ActId, Refused, Sitting

ACTS, CLAIMS, CHATS = (20.0, 40), (2.0, 4), (1.0, 3)  # moves, those out of turn, words: a second, and at once
REMEMBERED = 64  # answers kept for a peer that repeats its moves


class Sitter(NamedTuple):
    """Who plays, as it is kept to resume the table: in seat order."""

    key: bytes
    name: str
    kind: Literal["person", "bot"]


@dataclass
class Person:
    """A peer as the room knows it. `key` is its CURVE key; the seat belongs to that, not to a connection."""

    key: bytes
    name: str
    kind: Literal["person", "bot"]
    seat: Seat = SPECTATOR
    here: bool = True
    away_since: float = 0.0
    removed: bool = False  # by the host, in play
    knows: int | None = None  # the step up to which it was told
    has_record: bool = False  # it was sent the whole record on this connection
    asked: tuple[int, str | None] | None = None  # what was asked last, and at which step
    held: Seat | None = None  # whose move it was told is held back
    before: tuple[int, Move] | None = (
        None  # its last move before the host was resumed, and the step that it answered
    )
    told: float = 0.0  # when it was told of the last step
    aim: int = -1  # what it knows an aimed move to mean, and since when
    aimed: float = 0.0
    declined: int = -1  # the step after which it has nothing to say out of turn
    trips: deque[float] = field(
        default_factory=lambda: deque(maxlen=20)
    )  # seconds there and back, by its pongs
    kernel: float | None = None  # the same as the system measures it
    acts: Bucket = field(default_factory=lambda: Bucket(*ACTS))
    claims: Bucket = field(default_factory=lambda: Bucket(*CLAIMS))
    chats: Bucket = field(default_factory=lambda: Bucket(*CHATS))
    answers: OrderedDict[ActId, Accepted | Refused] = field(default_factory=OrderedDict)

    @property
    def seated(self) -> bool:
        return self.seat != SPECTATOR

    @property
    def letter(self) -> str | None:
        """The letter of the seat, or None for who looks on."""
        return SEATS[self.seat] if self.seated else None

    def remember(self, answer: Accepted | Refused) -> None:
        """Keep an answer for the case that the move comes again."""
        self.answers[answer.id] = answer
        while len(self.answers) > REMEMBERED:
            self.answers.popitem(last=False)


class People:
    """All peers of a table. Seats are given in the order of coming."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.by_key: dict[bytes, Person] = {}
        self.seated: dict[Seat, Person] = {}  # of them, who sits where, in seat order
        self.looks: set[str] = set()  # of their names
        self.removed: set[bytes] = set()  # keys that may not come back

    def add(self, person: Person) -> None:
        """Somebody is at the table, who looks on or has a seat."""
        self.by_key[person.key] = person
        self.looks.add(look(person.name))
        if person.seated:
            self.seated = dict(sorted([*self.seated.items(), (person.seat, person)]))

    def drop(self, person: Person) -> None:
        """Nothing is kept for this person."""
        del self.by_key[person.key]
        self.looks.discard(look(person.name))
        self.seated.pop(person.seat, None)

    def names(self) -> dict[Seat, str]:
        return {seat: person.name for seat, person in self.seated.items()}

    def watching(self) -> int:
        """How many look on: who stops is dropped."""
        return len(self.by_key) - len(self.seated)

    def close_up(self) -> None:
        """No seat stays empty between others: the game has no empty seats."""
        for seat, person in enumerate(self.seated.values()):
            person.seat = seat
        self.seated = dict(enumerate(self.seated.values()))
        self.size = len(self.seated)

    def free_seat(self) -> Seat | None:
        return next((seat for seat in range(self.size) if seat not in self.seated), None)

    def sitting(self) -> list[Sitting]:
        return [
            Sitting(SEATS[seat], person.name, person.kind, person.here)
            for seat, person in self.seated.items()
        ]

    def unique(self, wanted: str) -> str:
        """The name as it may be shown to all; with a number if somebody has it already, or one that looks the same."""
        name = clean(wanted)
        numbers = (f"{name[:20]} {number}" for number in range(2, 2**16))
        return next(one for one in chain([name], numbers) if look(one) not in self.looks)


def look(name: str) -> str:
    """The same for names that can hardly be told apart: by case, by width, by how an accent is spelled."""
    return normalize("NFKC", name).casefold()


def clean(text: str) -> str:
    """Somebody's name without what could spoil a screen or a record."""
    return one_line(text.replace("#", ""))[:24].strip() or "Player"


def one_line(text: str) -> str:
    """What somebody says, as it may be shown to all."""
    return " ".join(plain(text).split())
