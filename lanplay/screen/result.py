"""How a round, and the game, ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.words import SEATS, Seat
from lanplay.screen.cast import Cast
from lanplay.screen.spell import card, count


def ended(cast: Cast, round_: Mapping[str, Any], number: int) -> list[str]:
    """A finished round: who called, the points and hands, who wins it."""
    caller = round_.get("caller")
    called = f" {cast.who(SEATS.index(caller))} called." if caller else ""
    hands = [
        f"{cast.titled(SEATS.index(letter))}: {count(points, 'point')}, {hand(letter, round_['hands'].get(letter, []))}."
        for letter, points in round_["points"].items()
    ]
    return [f"Round {number} is over.{called}", *hands, f"{wins(cast, round_['winners'])} the round."]


def final(cast: Cast, totals: Mapping[str, int], winners: Sequence[str], rounds: int) -> list[str]:
    """The end of the game."""
    sums = [f"{cast.who(SEATS.index(letter))} {total}" for letter, total in totals.items()]
    lines = [f"The game is over. {wins(cast, winners)}."]
    return lines if rounds == 1 else [f"Totals: {', '.join(sums)}.", *lines]


def hand(letter: str, cards: Mapping[str, str] | Sequence[str]) -> str:
    """A hand that is shown: `A1 7 of clubs (7c), A2 …` where places are numbered."""
    if isinstance(cards, Mapping):
        named = [f"{letter}{slot} {card(face)}" for slot, face in cards.items()]
    else:
        named = [card(face) for face in cards]
    return ", ".join(named) or "no cards"


def wins(cast: Cast, letters: Sequence[str]) -> str:
    """`Ann wins`, `Bob and you win together`."""
    seats: list[Seat] = [SEATS.index(letter) for letter in letters]
    if len(seats) == 1:
        return cast.does(seats[0], "win")
    if not seats:
        return "Nobody wins"
    together = cast.all_of(seats)
    return f"{together} win together"
