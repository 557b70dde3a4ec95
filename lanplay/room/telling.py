"""What a seat is told of a game: facts, status, snapshot, secrets and the length they are padded to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from lanplay.engine.game import Game
from lanplay.engine.words import ACTED, EVERYONE, GONE, HIDDEN, MOVED, SEATS, SHOWN, SPECTATOR, Card, Seat, Told, letters
from lanplay.wire.messages import Face, Secret, Status, WireFact
from lanplay.wire.send import length

WITH_FACE = (MOVED, SHOWN, ACTED)


def status(game: Game, left: float | None = None) -> Status:
    """What is told beside the cards; the same to all."""
    table = game.table
    return Status(
        round=table.round,
        over=game.over,
        must_act=letters(game.must_act),
        prompt=table.ask.__doc__ or "",
        open=any(table.anytime(seat) for seat in range(game.seats)),
        aim=table.aim,
        totals=game.by_letter(game.totals),
        winners=None if game.winners is None else letters(game.winners),
        table=table.public(),
        left=left,
    )


def face_of(game: Game, fact: Told) -> Face:
    """The face of a fact in the spelling of the notation; None if nobody is ever told it."""
    kind, face = fact[0], fact[5]
    if kind not in WITH_FACE or face == HIDDEN:
        return None
    return str(face) if kind == ACTED else game.zones.deck.faces[face]


def to_all(game: Game, facts: Sequence[Told]) -> list[WireFact]:
    """The facts as a spectator is told them."""
    seen = 1 << SPECTATOR
    return [(*fact[:5], face_of(game, fact) if fact[6] & seen else None, fact[6]) for fact in facts]


def faces_for(game: Game, facts: Sequence[Told], seat: Seat) -> list[str]:
    """The faces that this seat sees and the spectators do not, in the order of the facts."""
    faces = [face_of(game, fact) for fact in facts if fact[6] >> seat & 1 and not fact[6] >> SPECTATOR & 1]
    return [face for face in faces if face is not None]
