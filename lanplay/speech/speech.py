"""What a game may say of itself, beside the words that all games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lanplay.engine.view import View
from lanplay.engine.words import SEATS
from lanplay.speech.cast import Cast
from lanplay.speech.spell import card, count
from lanplay.speech.tale import Sentence


class Scene(NamedTuple):
    """How things stand for one reader: `table` has the fields of `state` that are no cards, `totals` is by letter."""

    cast: Cast
    view: View
    table: Mapping[str, Any]
    totals: Mapping[str, int]

    def faces(self, zone: str) -> list[str]:
        """The cards in the place of this name, as the reader sees them: `??` for a covered one."""
        names = self.cast.zones.names
        if zone not in names:
            return []
        return [self.cast.face(number) or "??" for number in self.view.lay[names.index(zone)]]

    def hand(self, letter: str) -> list[str]:
        return self.faces(f"hand {letter}")

    def own(self) -> list[str]:
        """The reader's hand; no cards for who looks on."""
        return self.hand(SEATS[self.cast.me]) if self.cast.me < len(SEATS) else []


def spelled_out(faces: Sequence[str]) -> str:
    """Cards by name, one after the other."""
    return ", ".join(card(face) for face in faces) or "no cards"


def in_points(points: int, faces: Sequence[str]) -> str:
    """How a player ends a round: `12 points, 7 of clubs (7c), …`."""
    return f"{count(points, 'point')}, {spelled_out(faces)}"


@dataclass(frozen=True)
class Speech:
    """A game's own words: a module of a game may have one, named SPEECH. What is left out is said in common words.

    - `usage`: lines for `help` that show how the moves of the game are spelled.
    - `zones`: what places are called, by their name.
    - `sentences`: how a move is told, by its verb; by `""` where the reader does not hear the move.
    - `hand`: a hand in no numbered places.
    - `board`: the table, all but whose move it is, the reader's hand and the totals of finished rounds.
    - `note`: what is said in brackets after a move, or after its first words where many begin alike; may be empty.
    - `value`: of moves that begin alike, the one with the highest is the example.
    - `ended`: the points and the hand of a player when a round is over.
    - `lately`: how many of the last events the table shows.
    """

    usage: Sequence[str] = ()
    zones: Mapping[str, str] = field(default_factory=dict)
    sentences: Mapping[str, Sentence] = field(default_factory=dict)
    hand: Callable[[Sequence[str]], str] = spelled_out
    board: Callable[[Scene], list[str]] | None = None
    note: Callable[[Scene, str], str] = lambda scene, words: ""
    value: Callable[[str], int] = lambda move: 0
    ended: Callable[[int, Sequence[str]], str] = in_points
    lately: int = 0


COMMON = Speech()
