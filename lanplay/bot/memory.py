"""What a seat can know by remembering all that it was told: which card lies where, and who has seen it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ANY,
    EXCHANGED,
    GONE,
    HIDDEN,
    MOVED,
    ROUND,
    SHOWN,
    SHUFFLED,
    TOP,
    Card,
    Eyes,
    Seat,
    Told,
    Zone,
)


class Memory:
    """A fold over the facts that keeps what was seen, also when it is covered again.

    `lay` are the zones with every face that is known, HIDDEN for the others; `seen` says, card by card, which seats
    have seen the face where it lies now.
    """

    def __init__(self, seat: Seat, zones: Zones) -> None:
        self.seat, self.zones = seat, zones
        self.begin()

    def begin(self) -> None:
        """A new round: all cards are in the deck."""
        size = len(self.zones.deck.cards)
        self.lay: list[list[Card]] = self.zones.empty()
        self.seen: list[list[Eyes]] = [[0] * len(places) for places in self.lay]
        self.lay[0], self.seen[0] = [HIDDEN] * size, [0] * size

    def take(self, facts: Sequence[Told]) -> None:  # noqa: C901 - one branch a kind of fact
        """Take in these facts; faces that the seat does not see are ignored."""
        bit = 1 << self.seat
        for kind, source, at, target, to, face, eyes in facts:
            if kind == MOVED:
                known, seen = self.lift(source, at, face if eyes & bit else HIDDEN)
                self.put(target, to, face if eyes & bit else known, seen | eyes)
            elif kind == SHOWN:
                self.seen[source][at] |= eyes
                if eyes & bit:
                    self.lay[source][at] = face
            elif kind == EXCHANGED:
                for row in (self.lay, self.seen):
                    row[source][at], row[target][to] = row[target][to], row[source][at]
            elif kind == SHUFFLED:
                self.shuffled(source, at, target)
            elif kind == ROUND:
                self.begin()

    def lift(self, zone: Zone, at: int, face: Card) -> tuple[Card, Eyes]:
        """A card leaves its place; what was known of it."""
        lay, seen = self.lay[zone], self.seen[zone]
        if at == TOP:
            return lay.pop(), seen.pop()
        if at == ANY:
            at = lay.index(face) if face in lay else lay.index(HIDDEN) if HIDDEN in lay else 0
            return lay.pop(at), seen.pop(at)
        known = lay[at], seen[at]
        lay[at], seen[at] = GONE, 0
        return known

    def put(self, zone: Zone, to: int, card: Card, eyes: Eyes) -> None:
        if to == TOP:
            self.lay[zone].append(card)
            self.seen[zone].append(eyes)
        else:
            self.lay[zone][to], self.seen[zone][to] = card, eyes

    def shuffled(self, source: Zone, keep: int, target: Zone) -> None:
        """A pile is shuffled into another: nothing is known of any card in it."""
        count = len(self.lay[source]) - keep
        del self.lay[source][:count], self.seen[source][:count]
        self.lay[target], self.seen[target] = [HIDDEN] * count, [0] * count

    def recall(self, lay: list[list[Card]]) -> None:
        """Come back from a break with nothing but the position as it lies now."""
        self.lay = [places[:] for places in lay]
        self.seen = [[0] * len(places) for places in lay]

    def unseen(self) -> Counter[Card]:
        """The cards whose place is not known."""
        left = Counter(self.zones.deck.cards)
        left.subtract(card for places in self.lay for card in places if card >= 0)
        return +left

    def sample(self, rng: Random) -> list[list[Card]]:
        """All zones with every card put somewhere: a deal that agrees with all that is known."""
        cards = list(self.unseen().elements())
        rng.shuffle(cards)
        return [[cards.pop() if card == HIDDEN else card for card in places] for places in self.lay]
