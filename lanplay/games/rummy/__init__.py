"""Cambio Rummy: runes, kings and numbers, melded turn by turn (seeds/cambio-rummy.md)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.cards import Deck
from lanplay.engine.game import Rules, sums
from lanplay.engine.words import Round, Seat
from lanplay.games.rummy.cards import DECK, POINTS
from lanplay.games.rummy.moves import GRAMMAR
from lanplay.games.rummy.options import RummyOptions
from lanplay.games.rummy.speech import SPEECH
from lanplay.games.rummy.table import Rummy

__all__ = ["GAMES", "SPEECH", "Rummy", "RummyOptions"]


def deck(options: RummyOptions) -> Deck:
    return DECK


def worth(options: RummyOptions) -> tuple[int, ...]:
    """What each kind counts."""  # R8.1
    return POINTS


def standing(options: RummyOptions, rounds: Sequence[Round]) -> tuple[Seat, ...] | None:
    """Who has won the game, or None if another round is to be played."""  # R10.1 R10.2
    reached = False
    first: tuple[Seat, ...] = ()
    for played in range(1, len(rounds) + 1):
        totals = sums(rounds[:played], len(rounds[0].points))
        first = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        reached = reached or max(totals) >= options.target
    decided = reached and len(first) == 1
    return first if decided or len(rounds) >= options.max_rounds > 0 else None


GAMES = (
    Rules(
        name="cambio-rummy",
        title="Cambio Rummy",
        version=1,
        seats=range(2, 7),  # R1.1
        defaults=RummyOptions(),
        deck=deck,
        table=Rummy,
        read=GRAMMAR.read,
        verbs=GRAMMAR.verbs,
        standing=standing,
        totals=sums,
        book="cambio-rummy.md",
        worth=worth,
    ),
)
