"""What a bot looks at when it is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lanplay.bot.memory import Memory
from lanplay.engine.words import GONE, HIDDEN, SEATS, Told


@dataclass(frozen=True)
class Info:
    """What a bot is told once, before the first deal.

    `seat` is its letter, `names` all seats with their names, `options` the table's options, `worth` the points of each
    card by its face where the game has fixed ones (Cambio), else empty.
    """

    game: str
    seat: str
    names: dict[str, str]
    options: dict[str, int | str]
    worth: dict[str, int]


class View:
    """The table from one seat, with everything that the seat could remember.

    Places in numbered hands are named as in the notation, `B3`; cards by their faces, `7c`.
    """

    def __init__(
        self, info: Info, memory: Memory, moves: Sequence[str], status: Any, facts: list[Told]
    ) -> None:
        self.info, self.memory = info, memory
        self.moves = list(moves)  # what may be answered; never empty, in a fixed order
        self.status = status  # lanplay.wire.messages.Status: round, must_act, totals, table["caller"] …
        self.facts = facts  # what happened since the last question
        self.seat = info.seat
        self.faces = memory.zones.deck.faces

    @property
    def seats(self) -> list[str]:
        """All seats in order of play."""
        return list(self.info.names)

    @property
    def others(self) -> list[str]:
        """All seats but one's own."""
        return [seat for seat in self.info.names if seat != self.seat]

    def zone(self, name: str) -> list[str]:
        """The cards of a zone (`deck`, `pile`, `hand B`, `held A` …), `??` for unknown ones, the top last."""
        cards = self.memory.lay[self.memory.zones.names.index(name)]
        return [self.face(card) for card in cards if card != GONE]

    def face(self, card: int) -> str:
        return self.faces[card] if card >= 0 else "??"

    def hand(self, seat: str) -> dict[str, str]:
        """A numbered hand by its places, `{"B1": "7c", "B2": "??"}`."""
        cards = self.memory.lay[self.memory.zones.names.index(f"hand {seat}")]
        return {f"{seat}{place}": self.face(card) for place, card in enumerate(cards) if card != GONE}

    @property
    def known(self) -> dict[str, str]:
        """Every place in a numbered hand whose card this seat knows."""
        hands = [self.hand(seat) for seat in self.seats]
        return {place: face for hand in hands for place, face in hand.items() if face != "??"}

    @property
    def unseen(self) -> Counter[str]:
        """The cards whose place is not known, by face."""
        return Counter({self.faces[card]: count for card, count in self.memory.unseen().items()})

    @property
    def top(self) -> str | None:
        """The top of the discard pile."""
        pile = self.zone("pile")
        return pile[-1] if pile else None

    @property
    def held(self) -> str | None:
        """The card drawn or taken by the player in turn, if this seat can see it."""
        cards = self.zone(f"held {self.seat}") + self.zone("up")
        return cards[0] if cards else None

    def worth(self, face: str) -> float:
        """The points of a card; of an unknown one, what it counts on average."""
        return self.info.worth[face] if face != "??" else self.average

    @property
    def average(self) -> float:
        """Points of an unknown card on average."""
        unseen = self.unseen
        total = sum(unseen.values())
        return sum(self.info.worth[face] * count for face, count in unseen.items()) / total if total else 0.0

    def seen_by(self, place: str) -> list[str]:
        """The seats that have seen the card in this place since it came to lie there, or before."""
        zone = self.memory.zones.names.index(f"hand {place[0]}")
        eyes = self.memory.seen[zone][int(place[1:])]
        return [seat for number, seat in enumerate(SEATS) if eyes >> number & 1 and seat in self.info.names]

    def sample(self, rng: Random) -> dict[str, list[str]]:
        """A full deal that agrees with all that this seat knows: every zone by name, `--` for empty places."""
        faces = {GONE: "--", HIDDEN: "??", **dict(enumerate(self.faces))}
        lay = self.memory.sample(rng)
        return {name: [faces[card] for card in lay[n]] for n, name in enumerate(self.memory.zones.names)}
