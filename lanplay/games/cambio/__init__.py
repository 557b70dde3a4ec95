"""Cambio, with 54 cards and with 52: end the round with the lowest hand (seeds/cambio.md, seeds/cambio52.md)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.cards import Deck, standard
from lanplay.engine.game import Rules, sums
from lanplay.engine.words import Round, Seat
from lanplay.games.cambio.moves import GRAMMAR, read
from lanplay.games.cambio.options import CAMBIO, CAMBIO52, CambioOptions
from lanplay.games.cambio.speech import SPEECH
from lanplay.games.cambio.table import Cambio, points

__all__ = ["GAMES", "SPEECH", "Cambio", "CambioOptions"]


def deck(options: CambioOptions) -> Deck:
    """The cards of the game."""  # C2.1
    return standard(options.jokers)


def standing(options: CambioOptions, rounds: Sequence[Round]) -> tuple[Seat, ...] | None:
    """Who has won the game, or None before its last round."""  # C1.1 C1.3
    if len(rounds) < options.rounds:
        return None
    if len(rounds) == 1:
        return rounds[0].winners
    totals = sums(rounds, len(rounds[0].points))
    return tuple(seat for seat, total in enumerate(totals) if total == min(totals))


def rules(name: str, title: str, defaults: CambioOptions) -> Rules:
    return Rules(
        name=name,
        title=title,
        version=1,
        seats=range(2, 9),  # C1.2
        defaults=defaults,
        deck=deck,
        table=Cambio,
        read=read,
        verbs=GRAMMAR.verbs,
        standing=standing,
        totals=sums,
        book=f"{name}.md",
        worth=points,
    )


GAMES = (rules("cambio", "Cambio", CAMBIO), rules("cambio52", "Cambio, 52 cards", CAMBIO52))
