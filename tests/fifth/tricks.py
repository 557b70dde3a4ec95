"""Three Tricks: the highest card takes the trick (tricks.md). A whole game in one file, in the order of its rule book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from lanplay.engine.cards import Deck, standard
from lanplay.engine.game import Rules, sums
from lanplay.engine.grammar import Grammar, face_of
from lanplay.engine.options import Options, number, word
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.table import Ask, Table, Zones
from lanplay.engine.words import EVERYONE, NO_ONE, SEATS, Card, Move, Moves, Refusal, Round, Seat, Told

DECK = standard()
GRAMMAR = Grammar(("play", face_of(DECK)))
PLAY = tuple(Move(f"play {DECK.faces[card]}", card) for card in DECK.cards)


class TricksOptions(Options, frozen=True, kw_only=True):
    """What the host may set."""

    hand: Annotated[int, number(1, 8, "T1.1", "cards dealt to each player")] = 3
    ace: Annotated[Literal["high", "low"], word("T2.2", "the ace is the highest or the lowest rank")] = "high"


class Lead(Ask["Tricks"]):
    """Play a card from your hand."""

    clause = "T2.1"

    def moves(self, t: Tricks, me: Seat) -> Moves:
        return tuple(PLAY[card] for card in sorted(t.lay[t.zones.hands[me]]))

    def widest(self, t: Tricks, me: Seat) -> Moves:
        """Whatever the cards are, their spellings are equally long."""
        return PLAY[: len(t.lay[t.zones.hands[me]])]

    def play(self, t: Tricks, me: Seat, card: Card) -> None:
        t.hand_over(t.zones.hands[me], t.zones.trick, card)
        t.best = max(t.best, (t.rank(card), -len(t.lay[t.zones.trick]), me))  # T2.2

    def refuse(self, t: Tricks, me: Seat, move: Move) -> Refusal:
        return Refusal("no-such-card", f"You don't have the {move.split()[1]}.", "T2.1")


LEAD = Lead()
NOBODY = (-1, 0, 0)


class Places(Zones):
    """The deck, the trick, the tricks taken, and a hand for each seat."""

    def __init__(self, seats: int, options: TricksOptions) -> None:
        super().__init__(DECK)
        self.deal_from = self.add("deck", NO_ONE)
        self.trick = self.add("trick", EVERYONE)
        self.taken = self.add("taken", EVERYONE)
        self.hands = [self.add(f"hand {SEATS[seat]}", 1 << seat) for seat in range(seats)]  # T1.2
        self.options = options


places = cache(Places)


class Tricks(Table):
    """One round: as many tricks as there were cards in a hand."""

    __slots__ = ("best", "tricks", "turn")
    zones: Places

    def __init__(
        self, seats: int, options: TricksOptions, shuffler: Shuffler, round_: int, log: list[Told] | None
    ) -> None:
        super().__init__(places(seats, options), shuffler, round_, log)
        self.turn = 0
        self.best = NOBODY  # of this trick: rank, how early, who
        self.tricks = (0,) * seats

    def deal(self) -> None:  # T1.1
        """Shuffle, deal, and let seat A lead."""
        self.shuffle(self.zones.deal_from, self.zones.deal_from)
        self.deal_out(self.zones.deal_from, self.zones.hands * self.zones.options.hand)
        self.next(LEAD, self.turn)

    def rank(self, card: Card) -> int:  # T2.2
        return card % 13 or 13 * (self.zones.options.ace == "high")

    def onward(self) -> None:  # T2.1
        seats = len(self.tricks)
        self.turn = (self.turn + 1) % seats
        if len(self.lay[self.zones.trick]) == seats:
            self.turn = self.best[2]
            self.best = NOBODY
            self.tricks = tuple(n + (seat == self.turn) for seat, n in enumerate(self.tricks))
            for _ in range(seats):
                self.move(self.zones.trick, self.zones.taken)
        if self.lay[self.zones.hands[self.turn]]:  # T3.1
            self.next(LEAD, self.turn)

    def in_turn(self) -> Seat:
        return self.turn

    def result(self) -> Round:  # T3.1
        """A point a trick."""
        winners = tuple(seat for seat, n in enumerate(self.tricks) if n == max(self.tricks))
        return Round(self.tricks, None, winners, self.hands(self.lay))

    def hands(self, lay: list[list[Card]]) -> dict[str, list[str]]:
        return {SEATS[seat]: faces(lay[hand]) for seat, hand in enumerate(self.zones.hands)}

    def state(self, lay: list[list[Card]]) -> dict[str, Any]:
        return {"hands": self.hands(lay), "trick": faces(lay[self.zones.trick]), **self.public()}

    def public(self) -> dict[str, Any]:
        return {"tricks": {SEATS[seat]: n for seat, n in enumerate(self.tricks)}}


def faces(cards: Sequence[Card]) -> list[str]:
    return [DECK.faces[card] if card >= 0 else "??" for card in cards]


def deck(options: TricksOptions) -> Deck:
    return DECK


def standing(options: TricksOptions, rounds: Sequence[Round]) -> tuple[Seat, ...]:
    """One round is the game."""
    return rounds[-1].winners


GAMES = (
    Rules(
        name="three-tricks",
        title="Three Tricks",
        version=1,
        seats=range(2, 7),  # T1.1
        defaults=TricksOptions(),
        deck=deck,
        table=Tricks,
        read=GRAMMAR.read,
        verbs=GRAMMAR.verbs,
        standing=standing,
        totals=sums,
        book=str(Path(__file__).with_name("tricks.md")),  # of the games in lanplay/games: its name in seeds/
    ),
)
