"""What has been told, as it lies before each seat: the fold of the facts. It knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ANY,
    COVERED,
    EVERYONE,
    GONE,
    HIDDEN,
    MOVED,
    NO_ONE,
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


class Fold:
    """The facts, folded once for all who listen, or as one seat is told them. What each sees of it is a View."""

    def __init__(self, zones: Zones, seat: Seat | None = None) -> None:
        self.zones = zones
        self.seen = [eyes != NO_ONE for eyes in zones.eyes] if seat is None else zones.sees(seat)
        self.lay = zones.empty()  # always these same lists; each face that somebody sees is in them
        self.shown: list[tuple[Zone, int, Card, Eyes]] = []  # faces seen until the next move
        self.heard = 0

    def fold(self, log: Sequence[Told]) -> None:
        """Take in what came to this log since the last time."""
        self.take(log[self.heard :])
        self.heard = len(log)

    def take(self, facts: Sequence[Told]) -> None:  # noqa: C901 - one branch a kind of fact
        """Take in these facts."""
        lay, seen = self.lay, self.seen
        for kind, source, at, target, to, face, eyes in facts:
            if kind == MOVED:
                if at == TOP:
                    lay[source].pop()
                elif at == ANY:
                    leave(lay[source], face)
                else:
                    lay[source][at] = GONE
                if to == TOP:
                    lay[target].append(face if seen[target] else HIDDEN)
                else:
                    lay[target][to] = face if seen[target] else HIDDEN
            elif kind == SHOWN:
                self.shown.append((source, at, face, eyes))
            elif kind == COVERED:
                self.shown.clear()
            elif kind == SHUFFLED:
                self.shuffled(source, at, target)
            elif kind == ROUND:
                self.begin()
            # of exchanged cards nobody sees any, and one covered card is like another

    def shuffled(self, source: Zone, keep: int, target: Zone) -> None:
        here = self.lay[source]
        count = len(here) - keep
        del here[:count]
        self.lay[target][:] = [HIDDEN] * count

    def begin(self) -> None:
        self.lie(self.zones.bare)
        self.lay[0][:] = [HIDDEN] * len(self.zones.deck.cards)
        self.shown.clear()

    def lie(self, lay: Iterable[Sequence[Card]]) -> None:
        for here, cards in zip(self.lay, lay, strict=True):
            here[:] = cards

    def resume(self, lay: Sequence[Sequence[Card]]) -> None:
        """Go on from the zones as they lie before the reader. A face it does not see there was just shown to it."""
        self.lie(cards if self.seen[zone] else covered(cards) for zone, cards in enumerate(lay))
        self.shown[:] = [
            (zone, at, card, EVERYONE)
            for zone, cards in enumerate(lay)
            for at, card in enumerate(cards)
            if card > HIDDEN and not self.seen[zone]
        ]


def covered(cards: Sequence[Card]) -> list[Card]:
    """The cards face down; an empty place stays empty."""
    return [min(card, HIDDEN) for card in cards]


def leave(hand: list[Card], face: Card) -> None:
    """A card goes from somewhere in a hand."""
    try:
        hand.remove(face)
    except ValueError:
        hand.remove(HIDDEN)


class View:
    """The zones as one seat (or SPECTATOR) sees them: a reading of the fold, which several may share."""

    def __init__(self, seat: Seat, fold: Fold) -> None:
        self.seat, self.fold = seat, fold
        self.sees = fold.zones.sees(seat)
        self.others = fold.zones.covers(seat)
        self.unseen = [fold.lay[zone] for zone in self.others]  # what lies there

    @property
    def lay(self) -> list[list[Card]]:
        """The cards, zone by zone, HIDDEN where the seat sees no face: to read at once, not to keep or change."""
        fold = self.fold
        return self.masked() if fold.shown or any(self.unseen) else fold.lay

    def masked(self) -> list[list[Card]]:
        """The zones with what only others see covered, and what was shown to this seat laid open."""
        fold = self.fold
        lay = fold.lay.copy()
        for zone in self.others:
            if lay[zone]:
                cards = lay[zone]
                lay[zone] = covered(cards) if zone in fold.zones.numbered else [HIDDEN] * len(cards)
        for zone, at, face, eyes in fold.shown:
            if eyes >> self.seat & 1 and not self.sees[zone] and lay[zone][at] != GONE:
                lay[zone] = lay[zone].copy()
                lay[zone][at] = face
        return lay
