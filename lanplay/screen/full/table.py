"""The table as it is drawn: every seat with its cards, the piles, whose turn it is. It knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lanplay.engine.words import GONE, SEATS, Card, Seat, Zone
from lanplay.screen.board import more, pile, table
from lanplay.screen.full.text import EMPTY, Line, Marker, Span, card, flowing, line, wrapped
from lanplay.screen.result import sums
from lanplay.speech.cast import Cast
from lanplay.speech.speech import Scene, Speech
from lanplay.speech.spell import capital, plain
from lanplay.wire.messages import Sitting, Status

SUITS = "cdhs"


class Drawn:
    """The table before one reader."""

    def __init__(self, scene: Scene, speech: Speech, status: Status, sitting: Sequence[Sitting]) -> None:
        self.scene, self.speech, self.status = scene, speech, status
        self.people = {SEATS.index(one.seat): one for one in sitting}
        self.marker = Marker(scene.cast.zones.deck.faces)

    def lines(self, width: int) -> list[Line]:
        """All but the reader's hand, if that lies in no numbered places."""
        if self.speech.board:
            return self.spoken(width)
        seats = [one for seat in sorted(self.people) for one in self.row(seat, width)]
        return [*self.piles(width), *seats, *self.fields(width)]

    def hand(self, width: int) -> list[Line]:
        """The reader's cards, in the order of the deck, where they lie in no numbered places."""
        cast, faces = self.scene.cast, self.scene.own()
        if not faces or any(cast.owner(zone) == cast.me for zone in cast.zones.numbered):
            return []
        known = cast.zones.deck.faces
        inside = sorted(faces, key=lambda face: known.index(face) if face in known else len(known))
        first = (Span(f"Your hand ({len(faces)}):", "bold"),)
        return flowing(suited(inside), width, first, gap=" ")

    # ---- a game with words of its own for the table -----------------------------------------------------

    def spoken(self, width: int) -> list[Line]:
        """As the game puts it into words; who must move is marked."""
        found: list[Line] = []
        totals = sums(self.scene.cast, self.status.totals) * any(self.status.totals.values())
        for text in [*table(self.scene, self.speech), *totals]:
            found += self.sentence(text, width)
        return found

    def sentence(self, text: str, width: int) -> Iterator[Line]:
        titles = {self.scene.cast.titled(seat): seat for seat in self.people}
        title = next((title for title in titles if text.startswith(f"{title}: ")), None)
        if title is None:
            yield from ((Span("  "), *self.marker(part)) for part in wrapped(text, width - 2))
            return
        first, *rest = wrapped(self.named(titles[title]) + text[len(title) :], width - 2)
        yield from self.whole(titles[title], first)
        yield from ((Span("    "), *self.marker(part.lstrip())) for part in rest)

    def whole(self, seat: Seat, text: str) -> Iterator[Line]:
        name, colon, rest = text.partition(": ")
        yield (self.mark(seat), Span(name, self.weight(seat)), *self.marker(colon + rest))

    # ---- any other game ---------------------------------------------------------------------------------

    def piles(self, width: int) -> list[Line]:
        """What belongs to nobody."""
        cast, lay = self.scene.cast, self.scene.view.lay
        found = []
        for zone, cards in enumerate(lay):
            inside = cards[1:] if zone in cast.zones.numbered else cards
            if cast.owner(zone) is None and inside:
                found.append(f"{capital(cast.zone(zone))}: {pile(cast, inside)}")
        return [(Span("  "), *self.marker(part)) for text in found for part in wrapped(text, width - 2)]

    def row(self, seat: Seat, width: int) -> list[Line]:
        """One seat: name, cards, what it holds, points so far."""
        cast, lay = self.scene.cast, self.scene.view.lay
        own = [zone for zone in range(len(lay)) if cast.owner(zone) == seat]
        parts = [part for zone in own for part in self.zone(zone, lay[zone])]
        letter = SEATS[seat]
        if any(self.status.totals.values()):
            parts.append(line(f"total {self.status.totals.get(letter, 0)}", "dim"))
        names = max((len(self.named(one)) for one in self.people), default=0)
        first = Span(f"{self.named(seat):{min(names, 24)}}", self.weight(seat))
        return flowing(parts, width, (self.mark(seat), first))

    def zone(self, zone: Zone, cards: Sequence[Card]) -> Iterator[Line]:
        """The cards of a seat in one place."""
        cast = self.scene.cast
        if zone in cast.zones.numbered:
            for at, number in enumerate(cards[1:], 1):
                face = "--" if number == GONE else cast.face(number) or "??"
                yield (Span(f"{cast.place(zone, at)} ", "dim"), card(face))
            return
        kind = cast.kind(zone)
        if not cards or (kind == "hand" and cast.owner(zone) == cast.me):
            return
        known = [card(seen) for number in cards if (seen := cast.face(number))]
        covered = len(cards) - len(known)
        name = "" if kind == "hand" else f"{kind}: "
        faces = tuple(span for one in known for span in (one, Span(" ")))
        count = (Span(f"{covered} covered" if len(cards) > 1 else "??", "dim"),) if covered else EMPTY
        yield (Span(name), *faces, *count)

    def fields(self, width: int) -> list[Line]:
        """What the game tells of itself beside the cards."""
        texts = [
            text for name, value in self.scene.table.items() for text in more(self.scene.cast, name, value)
        ]
        return [(Span("  "), *self.marker(part)) for text in texts for part in wrapped(text, width - 2)]

    # ---- seats ------------------------------------------------------------------------------------------

    def named(self, seat: Seat) -> str:
        """`Ann (A, you)`, `Robo (B, bot)`, `Bob (C, away)`."""
        one, cast = self.people[seat], self.scene.cast
        signs = [SEATS[seat], *["you"] * (seat == cast.me), *["bot"] * (one.kind == "bot")]
        return plain(f"{cast.name(seat)} ({', '.join([*signs, *['away'] * (not one.here)])})")

    def mark(self, seat: Seat) -> Span:
        return Span("> " if SEATS[seat] in self.status.must_act else "  ", "bold")

    def weight(self, seat: Seat) -> str:
        return "bold" if SEATS[seat] in self.status.must_act else ""


def suited(faces: Sequence[str]) -> Iterator[Line]:
    """The cards of a hand; where a new suit begins the gap is wider."""
    before = ""
    for face in faces:
        suit = face[-1] if len(face) == 2 and face[-1] in SUITS else ""
        gap = (Span(" "),) if before and suit != before else EMPTY
        before = suit
        yield (*gap, card(face))


def whose(cast: Cast, status: Status) -> str:
    """Whose move it is, for the top of the screen."""
    seats = [SEATS.index(letter) for letter in status.must_act]
    if status.over:
        return "The game is over"
    if cast.me in seats:
        return "YOUR MOVE"
    return f"Waiting for {cast.all_of(seats)}" if seats else ""
