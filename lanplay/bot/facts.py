"""What happened, as a bot's author reads it."""

from __future__ import annotations

from typing import NamedTuple

from lanplay.engine.table import Zones
from lanplay.engine.words import ACTED, COVERED, HIDDEN, ROUND, SEATS, Told, Zone


class Fact(NamedTuple):
    """Something that happened, as this seat was told it.

    | kind | source, target | face |
    |---|---|---|
    | `acted` | the seat that made a move, nothing | the move |
    | `moved` | the places a card went from and to | the card |
    | `shown` | where it lies, twice | the card |
    | `exchanged` | the places of two covered cards | nothing |
    | `shuffled` | the pile, and the deck it became | nothing |
    | `round` | nothing; all cards are in the deck again | the round's number |

    Places are `B3`, or a zone: `deck`, `pile`, `held A`, `hand B` for a new place in that hand. A card that this seat did
    not see is `??`. `eyes` are the seats that saw the card.
    """

    kind: str
    source: str
    target: str
    face: str
    eyes: tuple[str, ...] = ()


def fact(told: Told, zones: Zones, seats: int) -> Fact | None:
    """The fact in words; None for what only concerns screens."""
    kind, source, at, target, to, face, seen = told
    if kind == COVERED:
        return None
    if kind == ACTED:
        return Fact(kind, SEATS[source], "", str(face) if face != HIDDEN else "??")
    if kind == ROUND:
        return Fact(kind, "", "", str(at))
    eyes = tuple([SEATS[seat] for seat in range(seats) if seen >> seat & 1])
    card = "" if not isinstance(face, int) else zones.deck.faces[face] if face >= 0 else "??"
    return Fact(kind, place_name(zones, source, at), place_name(zones, target, to), card, eyes)


def place_name(zones: Zones, zone: Zone, at: int) -> str:
    """A numbered place in the spelling of the notation, or the name of a pile or hand."""
    name = zones.names[zone]
    return f"{name[-1]}{at}" if at >= 0 and zone in zones.numbered else name
