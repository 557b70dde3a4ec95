"""Going on with a game where its record stops: a host was killed, its machine lost power, its disk was full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lanplay.engine.game import Game
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.words import SEATS, Move, Refusal, Seat, seat_of
from lanplay.record import write
from lanplay.record.text import RecordError, read


@dataclass(frozen=True)
class Resumed:
    """A game as its record has it. `at` is the time of its last action, in seconds since its start."""

    game: Game
    names: Mapping[Seat, str]
    at: float
    last: Mapping[Seat, tuple[int, Move]]  # the last move of each seat, and the step before it


def whole_steps(text: str) -> str:
    """The record without what may have been torn: up to its last action, or to the first deal.

    What stands after that was never told to anybody, and is written anew when it happens. Raises RecordError if no
    cards were dealt yet.
    """
    lines = text.splitlines(keepends=True)
    lines = lines if text.endswith("\n") else lines[:-1]
    words = [line.partition(" ")[0] for line in lines]
    actions = [number for number, word in enumerate(words) if word in SEATS]
    deals = [number for number, word in enumerate(words) if word == "deck"]
    if not deals:
        raise RecordError("the record ends before the first deal: nothing was played, so host a new table")
    return "".join(lines[: (actions[-1] if actions else deals[0]) + 1])


def resumed(text: str, shuffler: Shuffler) -> Resumed:
    """The game of a record in whole steps. Raises RecordError if it is none, or was dealt otherwise."""
    record = read(text)
    game = Game(record.rules, len(record.names), record.options, shuffler)
    at, last = 0.0, dict[Seat, tuple[int, Move]]()
    for item in record.items:
        if item.kind in SEATS:
            seat, step = seat_of(item.kind), game.accepted
            try:
                last[seat] = (step, game.play(seat, item.words))
            except Refusal as refusal:
                raise RecordError(f"{item.words} can't be played: {refusal}", item.line) from refusal
            at = item.at or at
    dealt = [f"deck {item.words}" for item in record.items if item.kind == "deck"]
    if dealt != write.deals(game, -1, game.accepted):
        raise RecordError("the cards were dealt otherwise than by the secret that is kept beside the record")
    return Resumed(game, record.names, at, last)
