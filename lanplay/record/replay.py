"""Playing a record through the rules: every position, every refusal, every expectation."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any

from lanplay.engine.cards import Deck
from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, Card, Refusal, Seat, seat_of
from lanplay.record import expect
from lanplay.record.text import Item, Record, RecordError


class Check(Exception):
    """The record does not check: an action is refused, or an expectation does not hold."""


class Decks:
    """A shuffler that deals what the record says: each shuffle takes the next deck line."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.lines: deque[Item] = deque()
        self.line = 0  # of the record, which is being played

    def __call__(self, cards: Sequence[Card], round_: int, number: int) -> list[Card]:
        """The cards, those that the line names on top in its order, the rest below in standard order."""
        if not self.lines:
            raise RecordError(
                "cards are shuffled here, and no deck line says how they came to lie", self.line
            )
        item = self.lines.popleft()
        left = Counter(cards)
        named = [self.card(item, face) for face in item.words.split()]
        for card in named:
            if not left[card]:
                raise RecordError(f"{self.deck.faces[card]} is not among the cards shuffled here", item.line)
            left[card] -= 1
        rest = [card for card in dict.fromkeys(self.deck.cards) for _ in range(left[card])]
        return [*named, *rest][::-1]

    def card(self, item: Item, face: str) -> Card:
        try:
            return self.deck.read(face)
        except ValueError as error:
            raise RecordError(str(error), item.line) from error


class Replay:
    """A record, played as far as it has been asked for.

    `play()` plays on and yields after the deal and after each accepted action; it raises Check where the record does not
    check (then `refused` says what was refused, or is None) and RecordError where it is no record.
    """

    def __init__(self, record: Record, decks: Decks | None = None) -> None:
        """`decks`: where the shuffles come from, if not only from the record."""
        self.record = record
        self.refused: dict[str, Any] | None = None
        self.item: Item | None = None  # the action just played
        self.pending = deque(record.items)
        self.decks = decks or Decks(deck_of(record))
        self.queue()
        first = self.pending[0].line if self.pending else 0
        self.decks.line = first
        self.game = Game(record.rules, len(record.names), record.options, self.decks)

    def queue(self) -> None:
        """The deck lines that stand here wait for their shuffles."""
        while self.pending and self.pending[0].kind == "deck":
            self.decks.lines.append(self.pending.popleft())

    def play(self) -> Iterator[None]:
        """Step by step; see the class."""
        yield
        while self.pending:
            item = self.pending.popleft()
            if item.kind in SEATS:
                self.act(item)
                yield
            else:
                self.check(item)
            self.queue()

    def act(self, item: Item) -> None:
        self.decks.line = item.line
        seat = self.seat(item)
        try:
            self.game.play(seat, item.words)
        except Refusal as refusal:
            self.refused = {
                "line": item.line,
                "seat": item.kind,
                "action": refusal.move,
                "code": refusal.code,
                "clause": refusal.clause,
            }
            raise Check(
                f"line {item.line}: {item.kind} {item.words} is refused ({refusal.code}): {refusal.sentence}"
            ) from refusal
        self.item = item

    def seat(self, item: Item) -> Seat:
        seat = seat_of(item.kind)
        if seat >= self.game.seats:
            raise RecordError(f"nobody sits at {item.kind}", item.line)
        return seat

    def check(self, item: Item) -> None:
        """An expectation, a move that must be refused, or the result. Raises Check if it does not hold."""
        why = expect.failure(self.game, item)
        if why:
            raise Check(f"line {item.line}: {why}")

    def object(self, seat: Seat | None = None) -> dict[str, Any]:
        """The object of `lanplay replay --json` as it stands now, under everybody's eyes or a seat's."""
        return {**self.game.object(self.record.names, seat), "refused": self.refused}


def deck_of(record: Record) -> Deck:
    """The deck that this game is played with."""
    return record.rules.deck(record.options)
