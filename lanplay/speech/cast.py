"""Who reads and who plays: seats, places and cards as this reader would name them."""

from __future__ import annotations

from collections.abc import Mapping

from lanplay.engine.table import Zones
from lanplay.engine.words import EVERYONE, SEATS, SPECTATOR, Card, Eyes, Seat, Zone
from lanplay.speech.spell import listed, the

ENDINGS = ("s", "sh", "ch", "x", "o")


class Cast:
    """The names at a table in the mouth of one reader: `me` is a seat, or SPECTATOR.

    `places` are what zones are called, where that is not their own name.
    """

    def __init__(
        self, me: Seat, names: Mapping[Seat, str], zones: Zones, places: Mapping[str, str] | None = None
    ) -> None:
        self.me, self.names, self.zones, self.places = me, names, zones, places or {}

    def name(self, seat: Seat) -> str:
        return self.names.get(seat) or f"Seat {SEATS[seat]}"

    def who(self, seat: Seat) -> str:
        """`You` or `Ann`."""
        return "You" if seat == self.me else self.name(seat)

    def whom(self, seat: Seat) -> str:
        return "you" if seat == self.me else self.name(seat)

    def whose(self, seat: Seat) -> str:
        """`your` or `Ann's`."""
        return "your" if seat == self.me else f"{self.name(seat)}'s"

    def all_of(self, seats: list[Seat]) -> str:
        """`Ann, Bob and you`."""
        return listed([self.whom(seat) for seat in sorted(seats, key=lambda seat: seat == self.me)])

    def titled(self, seat: Seat) -> str:
        """With the letter that moves use: `Ann (A)`, `Ann (A, you)`."""
        return f"{self.name(seat)} ({SEATS[seat]}{', you' if seat == self.me else ''})"

    def does(self, seat: Seat, verb: str) -> str:
        """`You draw`, `Ann draws`, `Ann puts down`."""
        return f"{self.who(seat)} {self.verb(seat, verb)}"

    def verb(self, seat: Seat, verb: str) -> str:
        """`draw` for the reader, `draws` for the others."""
        first, blank, more = verb.partition(" ")
        ending = "" if seat == self.me else "es" if first.endswith(ENDINGS) else "s"
        return f"{first}{ending}{blank}{more}"

    # ---- places and cards -----------------------------------------------------------------------------

    def kind(self, zone: Zone) -> str:
        """`hand` for all of `hand A`, `hand B` …"""
        return self.zones.names[zone].partition(" ")[0]

    def owner(self, zone: Zone) -> Seat | None:
        """Whose place this is, by the letter at the end of its name."""
        _, blank, letter = self.zones.names[zone].rpartition(" ")
        return SEATS.index(letter) if blank and len(letter) == 1 and letter in SEATS else None

    def zone(self, zone: Zone) -> str:
        """`the deck`, `your hand`, `Ann's hand`."""
        owner = self.owner(zone)
        if owner is None:
            name = self.zones.names[zone]
            return self.places.get(name) or (name if name[:1].isupper() else f"the {name}")
        return f"{self.whose(owner)} {self.kind(zone)}"

    def place(self, zone: Zone, at: int) -> str:
        """`B3` for a numbered place, else the zone."""
        owner = self.owner(zone)
        if zone not in self.zones.numbered or at < 1:
            return self.zone(zone)
        return f"{self.zone(zone)} {at}" if owner is None else f"{SEATS[owner]}{at}"

    def face(self, card: Card) -> str | None:
        """How the card is spelled, or None if the reader does not know it."""
        return self.zones.deck.faces[card] if card >= 0 else None

    def the(self, card: Card, hidden: str = "a card") -> str:
        """`the 7 of clubs (7c)`, or `a card`."""
        face = self.face(card)
        return hidden if face is None else the(face)

    def seers(self, eyes: Eyes) -> list[Seat]:
        """The seats among these eyes; none if everybody sees."""
        return [
            seat for seat in range(SPECTATOR) if seat in self.names and eyes >> seat & 1 and eyes != EVERYONE
        ]
