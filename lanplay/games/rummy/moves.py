"""What can be said at a Rummy table: how every move is spelled and read.

Letter case doesn't matter in verbs, types of melds, melds and plays: `ADD m2 6` reads as `add M2 6`, and
`meld FLOW 3 4 5` as `meld flow 3 4 5`. Cards are spelled as they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from lanplay.engine.grammar import BEYOND, Grammar, Word, face_of, slot
from lanplay.engine.words import Card, Choices, Move
from lanplay.games.rummy.cards import DECK, FACES, KINDS, Count, cards_of, count_of

TYPES = ("kingdom", "flow", "balance", "red", "blue", "kind")
KINGDOM, FLOW, BALANCE, RED, BLUE, KIND = range(6)


def numbered(letter: str) -> re.Pattern[str]:
    return re.compile(rf"{letter}([1-9][0-9]*)")


MELD, PLAY = numbered("M"), numbered("P")


def play(text: str) -> Word | None:
    """A play of this turn: `P1`."""
    match = PLAY.fullmatch(text.upper())
    return (match[0], (number(match[1]),)) if match else None


def number(digits: str) -> int:
    return int(digits) if len(digits) < 7 else BEYOND


class RummyGrammar(Grammar):
    """The verbs of Rummy; `meld` and `add` are followed by any number of cards."""

    @property
    def verbs(self) -> frozenset[str]:
        return super().verbs | {"meld", "add"}

    def read(self, text: str) -> Move:
        verb, *words = text.split() or [""]
        if verb.lower() not in ("meld", "add"):
            return super().read(text)
        energy = words[-1:] == ["+"]
        what, *cards = words[: -1 if energy else None] or [""]
        if not cards or not set(cards) <= set(FACES):
            raise self.refusal(text)
        return self.played(text, verb.lower(), what, [FACES.index(card) for card in cards], energy)

    def played(self, text: str, verb: str, what: str, cards: Sequence[Card], energy: bool) -> Move:
        """A meld or an addition, its cards in Power Flow Order."""
        match = MELD.fullmatch(what.upper())
        if verb == "meld" and what.lower() in TYPES:
            what, target = what.lower(), TYPES.index(what.lower())
        elif verb == "add" and match:
            what, target = match[0], number(match[1])
        else:
            raise self.refusal(text)
        return Move.spelled(
            spelling(f"{verb} {what}", sorted(cards), energy), target, count_of(cards), energy
        )


GRAMMAR = RummyGrammar(("draw",), ("pass",), ("river", slot), ("discard", face_of(DECK)), ("chaos", play))

DRAW, PASS = Move("draw"), Move("pass")
RIVER = tuple(Move(f"river {position}", position) for position in range(1, len(DECK.cards) + 1))
DISCARD = tuple(Move(f"discard {face}", kind) for kind, face in enumerate(FACES))
discards = Choices[int](lambda kinds: [DISCARD[kind] for kind in KINDS if kinds >> kind & 1])
chaos = Choices[tuple[int, ...]](lambda plays: [Move(f"chaos P{play}", play) for play in plays])


def spelling(start: str, cards: Sequence[Card], energy: bool) -> str:
    return " ".join([start, *[FACES[card] for card in cards], *["+"] * energy])


@lru_cache(maxsize=1 << 13)
def new_meld(type: int, count: Count, energy: bool) -> Move:
    """`meld kind 5 5 5 +`."""
    return Move(spelling(f"meld {TYPES[type]}", cards_of(count), energy), type, count, energy)


@lru_cache(maxsize=1 << 13)
def addition(meld: int, count: Count, energy: bool) -> Move:
    """`add M2 6 +`."""
    return Move(spelling(f"add M{meld}", cards_of(count), energy), meld, count, energy)
