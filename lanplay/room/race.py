"""First to snap: who was quickest, when what each of them saw and said took its time on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from lanplay.engine.shuffle import draw
from lanplay.engine.words import SEATS, Move, Seat
from lanplay.room.people import Person
from lanplay.wire.messages import ActId

LONGEST = 0.120  # seconds that a race may last
EVEN = 0.005  # seconds within which two claims are equally quick
KERNEL = 0.015  # seconds that a peer's answers may take longer than the system's own


@dataclass(frozen=True)
class Spoken:
    """A legal move of a seat, and whose message it was (None: the host makes it)."""

    seat: Seat
    move: Move
    person: Person | None = None
    id: ActId = b""


@dataclass(frozen=True)
class Claim:
    """A right claim, and how it came: times in seconds on the host's clock."""

    spoken: Spoken
    told: float  # when this seat was told of what it claims
    arrived: float
    credit: float

    @property
    def score(self) -> float:
        """How long this player took, less what the way took."""
        return self.arrived - self.told - self.credit

    def line(self, began: float, won: bool) -> str:
        """For the record; times in seconds since the game began."""
        times = f"told {self.told - began:.3f} came {self.arrived - began:.3f} credit {self.credit:.3f}"
        return (
            f"# {SEATS[self.spoken.seat]} {self.spoken.move}: {times} score {self.score:.3f}{' won' * won}\n"
        )


def credit(person: Person, cap: float) -> float:
    """The seconds that this peer's connection takes there and back, by what the host knows of it.

    Answers to pings can be held back to look slow; what the system measures below them can't, so that limits it.
    Bots get none: they sit at tables with people at their own risk.
    """
    if person.kind == "bot" or not person.trips:
        return 0.0
    measured = median(person.trips)
    if person.kernel is not None:
        measured = min(measured, person.kernel + KERNEL)
    return max(0.0, min(measured, cap))


class Race:
    """From the first right claim until no other could still beat it."""

    def __init__(self, first: Claim, latest: Mapping[Seat, float]) -> None:
        """`latest`: seat by seat, when it was told, and its credit on top: what its score is counted from."""
        self.claims = [first]
        beats = max((since + first.score for seat, since in latest.items()), default=first.arrived)
        self.until = min(max(beats + EVEN, first.arrived), first.arrived + LONGEST)

    def winner(self, ties: bytes, step: int) -> Claim:
        """The quickest; among those who are equally quick, a draw that the table's secret decides."""
        best = min(claim.score for claim in self.claims)
        even = sorted(
            (claim for claim in self.claims if claim.score <= best + EVEN),
            key=lambda claim: claim.spoken.seat,
        )
        return even[draw(ties, f"snap {step}", len(even))]
