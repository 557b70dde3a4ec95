"""Decks: which cards a game is played with, how each is spelled, and their standard order."""

from __future__ import annotations

from typing import NamedTuple

from lanplay.engine.words import Card

STANDARD = (*(rank + suit for suit in "cdhs" for rank in "A23456789TJQK"), "Xr", "Xb")


class Deck(NamedTuple):
    """`faces[card]` is how a card is spelled; `cards` are all of them in standard order, alike ones repeated."""

    faces: tuple[str, ...]
    cards: tuple[Card, ...]

    def read(self, face: str) -> Card:
        """The card spelled so. Raises ValueError if the deck has none."""
        try:
            card = self.faces.index(face)
        except ValueError:
            card = -1
        if card not in self.cards:
            raise ValueError(f"{face!r} is not a card of this deck")
        return card


def standard(jokers: int = 0) -> Deck:
    """The 52 standard cards and up to two jokers."""
    return Deck(STANDARD, tuple(range(52 + jokers)))
