"""The other side of the table: what a peer makes of what it is told, without I/O and without knowing any rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lanplay.engine.cards import Deck
from lanplay.engine.table import Zones
from lanplay.engine.view import Fold, View
from lanplay.engine.words import ACTED, GONE, HIDDEN, SPECTATOR, Card, Seat, Told, seat_of
from lanplay.room.telling import WITH_FACE, Asks
from lanplay.wire.messages import (
    Face,
    FromHost,
    Seats,
    Secret,
    Sitting,
    Snapshot,
    Start,
    Status,
    Update,
    Welcome,
    WireFact,
)


class Garbled(Exception):
    """The host has told what can't be at its own table; the text says so."""


class Follower:
    """One peer's picture of the table, message by message.

    `take` gives the facts that a message told, with cards as numbers of `zones.deck` and faces this seat may know.
    After it: `view` (the cards), `status`, `legal` (this seat's moves, in a fixed order), `asks`, `step`, `rounds`.
    """

    def __init__(self) -> None:
        self.welcome: Welcome | None = None
        self.sitting: list[Sitting] = []
        self.started = False
        self.zones = Zones(Deck((), ()))
        self.view = View(SPECTATOR, Fold(self.zones, SPECTATOR))
        self.status: Status | None = None
        self.legal: list[str] = []
        self.asks: Asks | None = None
        self.step: int | None = None  # None: nothing is known yet, a snapshot is wanted
        self.rounds: list[dict[str, Any]] = []
        self.numbers: dict[str, Card] = {}

    @property
    def seat(self) -> Seat:
        """One's own seat, or SPECTATOR."""
        return seat_of(self.welcome.seat) if self.welcome and self.welcome.seat else SPECTATOR

    def take(self, message: FromHost, secret: Secret | None = None) -> list[Told]:
        """Take in a message, and give the facts that it told. Messages that tell nothing of the game are ignored.

        Raises Garbled for facts and cards that don't fit: no host of lanplay sends them.
        """
        try:
            return self.taken(message, secret)
        except (LookupError, ValueError) as error:
            raise Garbled(
                "The host tells what can't be at this table, so its program is not to be trusted: join another."
            ) from error

    def taken(self, message: FromHost, secret: Secret | None) -> list[Told]:
        if isinstance(message, Welcome):
            self.welcome = message
        elif isinstance(message, Seats):
            self.sitting, self.started = message.seats, message.started
        elif isinstance(message, Start):
            self.begin(message)
        elif isinstance(message, Update):
            return self.update(message, secret or Secret([]))
        elif isinstance(message, Snapshot):
            self.snapshot(message, secret or Secret([]))
        return []

    def begin(self, message: Start) -> None:
        if self.step is not None:  # come back to the same game: the view goes on
            return
        faces = tuple(dict.fromkeys(message.deck))
        self.numbers = {face: card for card, face in enumerate(faces)}
        self.zones = Zones(Deck(faces, tuple(self.numbers[face] for face in message.deck)))
        for zone in message.zones:
            self.zones.add(zone.name, zone.eyes, zone.numbered)
        self.view = View(self.seat, Fold(self.zones, self.seat))

    def update(self, message: Update, secret: Secret) -> list[Told]:
        facts = list(self.opened(message.facts, iter(secret.faces)))
        self.view.fold.take(facts)
        self.rounds += message.rounds
        self.now(message, secret)
        return facts

    def snapshot(self, message: Snapshot, secret: Secret) -> None:
        cards: dict[Face, Card] = {None: HIDDEN, "": GONE}
        cards.update(self.numbers)
        lay = [[cards[face] for face in zone] for zone in secret.lay or message.lay]
        self.view.fold.resume(lay)
        self.rounds = list(message.object["rounds"])
        self.now(message, secret)

    def now(self, message: Update | Snapshot, secret: Secret) -> None:
        self.status, self.asks, self.step = message.status, message.asks, message.step
        self.legal = secret.legal

    def opened(self, facts: Sequence[WireFact], faces: Iterator[str]) -> Iterator[Told]:
        """The facts with the faces that were sealed put in where this seat sees and the spectators do not."""
        mine = 1 << self.seat
        for kind, source, at, target, to, told, eyes in facts:
            face = told
            if face is None and eyes & mine and kind in WITH_FACE:
                face = next(faces, None)
            card = HIDDEN if face is None else face if kind == ACTED else self.numbers[face]
            yield (kind, source, at, target, to, card, eyes)
