"""How the moves of a game are spelled: from what somebody typed to the canonical text and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from lanplay.engine.cards import Deck
from lanplay.engine.words import SEATS, Move, Refusal

Word = tuple[str, tuple[int, ...]]  # its canonical spelling, and what it means
Reader = Callable[[str], Word | None]

SLOT = re.compile(r"[1-9][0-9]*")
BEYOND = 10**6  # no place of any game has a number so high; longer numbers are not worked out


def slot(text: str) -> Word | None:
    """A place in one's own hand: `3`."""
    return (text, (int(text) if len(text) < 7 else BEYOND,)) if SLOT.fullmatch(text) else None


def card_of(text: str) -> Word | None:
    """A place in a seat's hand, `B3`: the place and the seat."""
    letter, number = text[:1].upper(), slot(text[1:])
    return (letter + number[0], (*number[1], SEATS.index(letter))) if number and letter in SEATS else None


def seat(text: str) -> Word | None:
    """A seat: `B`."""
    letter = text.upper()
    return (letter, (SEATS.index(letter),)) if len(letter) == 1 and letter in SEATS else None


def face_of(deck: Deck) -> Reader:
    """A card of this deck by its face: `7c`."""
    words = {deck.faces[card]: (deck.faces[card], (card,)) for card in deck.cards}
    return words.get


class Grammar:
    """The verbs of a game, each with the words that may follow it."""

    def __init__(self, *forms: tuple[str, *tuple[Reader, ...]]) -> None:
        self.forms: dict[tuple[str, int], list[tuple[Reader, ...]]] = {}
        for verb, *readers in forms:
            self.forms.setdefault((verb, len(readers)), []).append(tuple(readers))
        self.recent = lru_cache(1024)(self.parse)  # the same few hundred texts come again and again

    @property
    def verbs(self) -> frozenset[str]:
        """The words that a move can begin with."""
        return frozenset(verb for verb, _ in self.forms)

    def read(self, text: str) -> Move:
        """The move that this text spells. Letter case of verbs and seats and extra blanks don't matter.

        Raises Refusal `syntax` if it spells none.
        """
        return self.recent(text)

    def parse(self, text: str) -> Move:
        verb, *words = text.split() or [""]
        for readers in self.forms.get((verb.lower(), len(words)), ()):
            read = [reader(word) for reader, word in zip(readers, words, strict=True)]
            if None not in read:
                spelled = [verb.lower(), *(word[0] for word in read if word)]
                return Move.spelled(" ".join(spelled), *(arg for word in read if word for arg in word[1]))
        raise self.refusal(text)

    def refusal(self, text: str) -> Refusal:
        """What to say to a text that is no move."""
        return Refusal(
            "syntax", f"That can't be read. A move begins with {', '.join(sorted(self.verbs))}.", None, text
        )
