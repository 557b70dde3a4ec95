"""Not at Home: gather the whole deck by asking for it (seeds/not-at-home.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal

from lanplay.engine.cards import Deck, standard
from lanplay.engine.game import Rules, sums
from lanplay.engine.grammar import Grammar, face_of, seat
from lanplay.engine.options import Options, YesNo, number, word
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.table import Ask, Table, Zones
from lanplay.engine.words import (
    EVERYONE,
    NO_ONE,
    SEATS,
    Card,
    Choices,
    Move,
    Moves,
    Refusal,
    Round,
    Seat,
    Told,
    letters,
)

__all__ = ["GAMES", "NotAtHome", "NotAtHomeOptions"]


class NotAtHomeOptions(Options, frozen=True, kw_only=True):
    """What the host may set."""

    on_miss: Annotated[
        Literal["another", "next", "asked"],
        word("N2.4", "after a miss: ask another player, or the turn goes to the left or to who was asked"),
    ] = "another"
    repeat_asks: Annotated[
        YesNo, word("N2.5", "a player may be asked for a card that all can see this player lacks")
    ] = "no"
    max_turns: Annotated[
        int, number(0, 100000, "N3.1", "turns of all players after which the game ends; 0: no limit")
    ] = 0


# ---- what can be said -----------------------------------------------------------------------------

DECK = standard()
GRAMMAR = Grammar(("ask", seat, face_of(DECK)))

Cards = int  # bit c: card c
SUIT = 0x1FFF  # the cards of one suit


def questions(of: Seat, suit: int) -> Choices[Cards]:
    """The questions for the cards of one suit to one seat, but for some of them; each list is made once."""
    asks = [
        (1 << n, Move(f"ask {SEATS[of]} {DECK.faces[card]}", of, card))
        for n, card in enumerate(range(13 * suit, 13 * suit + 13))
    ]
    return Choices(lambda but: [move for bit, move in asks if not but & bit])


QUESTIONS = [tuple(questions(of, suit) for suit in range(4)) for of in range(len(SEATS))]


def all_questions(of: Seat, but: Cards) -> Moves:
    """The questions to a seat, in standard order, but for some cards."""
    clubs, diamonds, hearts, spades = QUESTIONS[of]
    return (
        clubs[but & SUIT] + diamonds[but >> 13 & SUIT] + hearts[but >> 26 & SUIT] + spades[but >> 39 & SUIT]
    )


# ---- 2. asking ------------------------------------------------------------------------------------


class Turn(Ask["NotAtHome"]):
    """Ask another player for a card that you don't have."""

    clause = "N2.1"

    def moves(self, t: NotAtHome, me: Seat) -> Moves:  # N2.5 N2.6
        mine, spared = t.holds[me], t.spared(me)
        moves: Moves = ()
        for of, lacks in enumerate(t.lacks):
            if not spared >> of & 1:
                moves += all_questions(of, mine | lacks)
        return moves

    def widest(self, t: NotAtHome, me: Seat) -> Moves:
        """The list of somebody who holds no card but those that all have seen to be gone from the others."""
        spared = t.spared(me)
        return tuple(
            [
                move
                for of, lacks in enumerate(t.lacks)
                if not spared >> of & 1
                for move in all_questions(of, lacks)
            ]
        )

    def ask(self, t: NotAtHome, me: Seat, of: Seat, card: Card) -> None:
        bit = 1 << card
        if t.holds[of] & bit:  # N2.2
            t.hit(me, of, card, bit)
        else:  # N2.3
            t.miss(me, of, bit)

    def refuse(self, t: NotAtHome, me: Seat, move: Move) -> Refusal:
        of, card = move.args
        return t.cannot_ask(me, of) or t.cannot_ask_for(me, of, card)


TURN = Turn()


# ---- the table ------------------------------------------------------------------------------------


class Places(Zones):
    """The deck to deal from, and a hand for each seat, kept in an order of its owner's own."""

    def __init__(self, seats: int, options: NotAtHomeOptions) -> None:
        super().__init__(DECK)
        self.add("deck", NO_ONE)
        self.hands = tuple(self.add(f"hand {SEATS[seat]}", 1 << seat) for seat in range(seats))
        self.options = options
        self.repeat_asks = options.repeat_asks == "yes"


places = cache(Places)


class NotAtHome(Table):
    """Fifty-two cards, all of them in somebody's hand."""

    __slots__ = ("hands", "holds", "lacks", "missed", "out", "turn", "turns")
    zones: Places

    def __init__(
        self, seats: int, options: NotAtHomeOptions, shuffler: Shuffler, round_: int, log: list[Told] | None
    ) -> None:
        zones = places(seats, options)
        super().__init__(zones, shuffler, round_, log)
        self.hands = zones.hands
        self.holds: tuple[Cards, ...] = (0,) * seats
        self.lacks: tuple[Cards, ...] = (0,) * seats  # what may not be asked of each seat: all know it lacks it
        self.missed = 0  # bit n: seat n has said "Not at home" in this turn, and is not asked again
        self.out = 0  # bit n: seat n has no cards
        self.turn = 0
        self.turns = 0  # that are over

    def deal(self) -> None:  # N1.2
        """Shuffle, deal out all cards, and let seat A ask."""
        self.shuffle(0, 0)
        holds = [0] * len(self.hands)
        for n in range(52):
            to = n % len(self.hands)
            holds[to] |= 1 << self.move(0, self.hands[to])
        self.holds = tuple(holds)
        self.next(TURN, 0)

    def spared(self, me: Seat) -> int:
        """Bit n: seat n is not to be asked."""  # N2.4 N2.6
        return self.out | self.missed | 1 << me

    def hit(self, me: Seat, of: Seat, card: Card, bit: Cards) -> None:  # N2.2
        """The card is handed over, face up: nobody else can have it now."""
        self.hand_over(self.hands[of], self.hands[me], card)
        holds = list(self.holds)
        holds[me] |= bit
        holds[of] ^= bit
        self.holds = tuple(holds)
        if not holds[of]:  # N2.6
            self.out |= 1 << of
        if not self.zones.repeat_asks:  # N2.5
            self.lacks = tuple([lacks | bit for lacks in self.lacks])
            self.unlack(me, bit)

    def unlack(self, me: Seat, bit: Cards) -> None:
        """The card has come to this seat."""
        self.lacks = (*self.lacks[:me], self.lacks[me] & ~bit, *self.lacks[me + 1 :])

    def miss(self, me: Seat, of: Seat, bit: Cards) -> None:  # N2.3
        """Not at home."""
        if not self.zones.repeat_asks:  # N2.5
            lacks = list(self.lacks)
            lacks[me] |= bit
            lacks[of] |= bit
            self.lacks = tuple(lacks)
        on_miss = self.zones.options.on_miss
        if on_miss == "another":  # N2.4
            self.missed |= 1 << of
        else:
            self.pass_to(of if on_miss == "asked" else me + 1)

    def pass_to(self, seat: Seat) -> None:
        """The turn is over; the next is this seat's, or of the first one on its left that has cards."""  # N2.6
        seats = len(self.hands)
        self.turn = seat % seats
        while self.out >> self.turn & 1:
            self.turn = (self.turn + 1) % seats
        self.missed = 0
        self.turns += 1

    def onward(self) -> None:
        if self.spared(self.turn) == (1 << len(self.hands)) - 1 and not self.won():  # N2.4
            self.pass_to(self.turn + 1)
        if self.won() or self.turns >= self.zones.options.max_turns > 0:  # N1.1 N3.1
            return self.uncover()
        return self.next(TURN, self.turn)

    def won(self) -> bool:
        """Somebody holds all 52 cards."""  # N1.1
        return self.out | 1 << self.turn == (1 << len(self.hands)) - 1

    def uncover(self) -> None:
        for hand in self.hands:
            for at in range(len(self.lay[hand])):
                self.show(hand, at, EVERYONE)

    # ---- refusals ---------------------------------------------------------------------------------

    def cannot_ask(self, me: Seat, of: Seat) -> Refusal | None:
        """Why nothing can be asked of this seat now, or None if something can."""
        if of >= len(self.hands):
            return Refusal("no-such-target", f"Nobody sits at {SEATS[of]}.", "N1.1")
        if of == me:
            return Refusal("no-such-target", "Ask another player, not yourself.", "N2.1")
        if self.out >> of & 1:
            return Refusal("no-such-target", f"{SEATS[of]} has no cards and is out.", "N2.6")
        if self.missed >> of & 1:
            return Refusal(
                "no-such-target", f"{SEATS[of]} was not at home in this turn: ask another player.", "N2.4"
            )
        return None

    def cannot_ask_for(self, me: Seat, of: Seat, card: Card) -> Refusal:
        """Why that card can't be asked for."""
        face = DECK.faces[card]
        if self.holds[me] >> card & 1:
            return Refusal("no-such-card", f"You have the {face} yourself.", "N2.5")
        return Refusal("no-such-card", f"All have seen that {SEATS[of]} doesn't have the {face}.", "N2.5")

    # ---- what is written of it --------------------------------------------------------------------

    def in_turn(self) -> Seat | None:
        return self.turn

    def result(self) -> Round:
        """The number of cards counts."""  # N1.1 N3.1
        points = tuple(len(self.lay[hand]) for hand in self.hands)
        winners = tuple(seat for seat, cards in enumerate(points) if cards == max(points))
        return Round(points, None, winners, self.faces(self.lay))

    def faces(self, lay: list[list[Card]]) -> dict[str, list[str]]:
        """The hands in standard order; covered cards by their number."""
        return {
            SEATS[seat]: [DECK.faces[card] if card >= 0 else "??" for card in sorted(lay[hand])]
            for seat, hand in enumerate(self.hands)
        }

    def state(self, lay: list[list[Card]]) -> dict[str, Any]:
        return {"hands": self.faces(lay), **self.public()}

    def public(self) -> dict[str, Any]:
        return {"out": letters(n for n in range(len(self.hands)) if self.out >> n & 1)}


# ---- the game -------------------------------------------------------------------------------------


def deck(options: NotAtHomeOptions) -> Deck:
    return DECK


def standing(options: NotAtHomeOptions, rounds: Sequence[Round]) -> tuple[Seat, ...]:
    """One round is the game."""  # N1.1
    return rounds[-1].winners


GAMES = (
    Rules(
        name="not-at-home",
        title="Not at Home",
        version=1,
        seats=range(3, 9),  # N1.1
        defaults=NotAtHomeOptions(),
        deck=deck,
        table=NotAtHome,
        read=GRAMMAR.read,
        verbs=GRAMMAR.verbs,
        standing=standing,
        totals=sums,
        book="not-at-home.md",
    ),
)
