"""How a round, and the game, ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.words import SEATS, Seat
from lanplay.speech.cast import Cast
from lanplay.speech.speech import Speech
from lanplay.speech.spell import card, count


def ended(cast: Cast, speech: Speech, round_: Mapping[str, Any], number: int) -> list[str]:
    """A finished round: who called, the points and hands, who wins it."""
    caller = round_.get("caller")
    called = f" {cast.who(SEATS.index(caller))} called." if caller else ""
    hands = [
        f"{cast.titled(SEATS.index(letter))}: {counted(speech, letter, points, round_['hands'].get(letter, []))}."
        for letter, points in round_["points"].items()
    ]
    return [f"Round {number} is over.{called}", *hands, f"{wins(cast, round_['winners'], 'the round')}."]


def final(cast: Cast, totals: Mapping[str, int], winners: Sequence[str], rounds: int) -> list[str]:
    """The end of the game."""
    lines = [f"The game is over. {wins(cast, winners)}."]
    return lines if rounds == 1 else sums(cast, totals) + lines


def sums(cast: Cast, totals: Mapping[str, int]) -> list[str]:
    """The points of all rounds so far."""
    return [
        f"Totals: {', '.join(f'{cast.whom(SEATS.index(letter))} {total}' for letter, total in totals.items())}."
    ]


def counted(speech: Speech, letter: str, points: int, hand: Mapping[str, str] | Sequence[str]) -> str:
    """A hand that is shown, and its points: `12 points, A1 7 of clubs (7c), A2 …` where places are numbered."""
    if not isinstance(hand, Mapping):
        return speech.ended(points, hand)
    named = ", ".join(f"{letter}{slot} {card(face)}" for slot, face in hand.items())
    return f"{count(points, 'point')}, {named or 'no cards'}"


def wins(cast: Cast, letters: Sequence[str], what: str = "") -> str:
    """`Ann wins`, `Bob and you share the round`."""
    seats: list[Seat] = [SEATS.index(letter) for letter in letters]
    if len(seats) > 1:
        return f"{cast.all_of(seats)} share {what or 'the win'}"
    return f"{cast.does(seats[0], 'win') if seats else 'Nobody wins'} {what}".strip()
