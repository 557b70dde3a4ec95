"""What one seat has been told, as it lies before it: the fold of the facts. It knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ANY,
    COVERED,
    GONE,
    HIDDEN,
    MOVED,
    ROUND,
    SHOWN,
    SHUFFLED,
    TOP,
    Card,
    Seat,
    Told,
    Zone,
)


class View:
    """The zones as one seat sees them. A face that was shown is covered again by the next move."""

    def __init__(self, seat: Seat, zones: Zones) -> None:
        self.zones = zones
        self.seat = seat
        self.bit = 1 << seat
        self.sees = zones.sees(seat)
        self.lay: list[list[Card]] = []  # until the first round begins
        self.shown: list[tuple[Zone, int]] = []
        self.heard = 0

    def copy(self) -> View:
        """A twin that folds on by itself."""
        twin = object.__new__(View)
        twin.__dict__.update(self.__dict__)
        twin.lay, twin.shown = [cards[:] for cards in self.lay], self.shown[:]
        return twin

    def fold(self, log: Sequence[Told]) -> None:
        """Take in what came to this log since the last time; `masked` or not makes no difference."""
        self.take(log[self.heard :])
        self.heard = len(log)

    def take(self, facts: Sequence[Told]) -> None:  # noqa: C901 - one branch a kind of fact
        """Take in these facts."""
        lay, bit, sees = self.lay, self.bit, self.sees
        for kind, source, at, target, to, face, eyes in facts:
            if kind == MOVED:
                if at == TOP:
                    lay[source].pop()
                else:
                    self.leave(source, at, face)
                if to == TOP:
                    lay[target].append(face if sees[target] else HIDDEN)
                else:
                    lay[target][to] = face if sees[target] else HIDDEN
            elif kind == SHOWN:
                if eyes & bit:
                    lay[source][at] = face
                    self.shown.append((source, at))
            elif kind == COVERED:
                self.cover()
            elif kind == SHUFFLED:
                self.shuffled(source, at, target)
            elif kind == ROUND:
                self.begin()
            # of exchanged cards nobody sees any, and one covered card is like another

    def leave(self, zone: Zone, at: int, face: Card) -> None:
        """A card goes from a numbered place, or from somewhere in a hand."""
        here = self.lay[zone]
        if at == ANY:
            here.remove(face if face in here else HIDDEN)
        else:
            here[at] = GONE

    def cover(self) -> None:
        """What was shown is hidden again, where it still lies."""
        for zone, at in self.shown:
            if not self.sees[zone] and self.lay[zone][at] != GONE:
                self.lay[zone][at] = HIDDEN
        self.shown.clear()

    def shuffled(self, source: Zone, keep: int, target: Zone) -> None:
        here = self.lay[source]
        count = len(here) - keep
        del here[:count]
        self.lay[target] = [HIDDEN] * count

    def begin(self) -> None:
        self.lay[:] = self.zones.empty()
        self.lay[0] = [HIDDEN] * len(self.zones.deck.cards)
        self.shown.clear()
