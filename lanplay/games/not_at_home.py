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
    MOVED,
    NO_ONE,
    SEATS,
    Card,
    Move,
    Moves,
    Refusal,
    Round,
    Seat,
    Told,
    letters,
)
from lanplay.speech.speech import Scene, Speech
from lanplay.speech.spell import SUITS, count
from lanplay.speech.tale import Tale

__all__ = ["GAMES", "SPEECH", "NotAtHome", "NotAtHomeOptions"]


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
Row = tuple[Moves, ...]  # the questions for eight cards in a row, by the bits of those that are left out


@cache
def questions(of: Seat) -> tuple[Row, Row, Row, Row, Row, Row, Row]:
    """All lists of questions to a seat, eight cards at a time."""
    asks = [Move(f"ask {SEATS[of]} {DECK.faces[card]}", of, card) for card in DECK.cards]
    a, b, c, d, e, f, g = (row(asks[first : first + 8]) for first in range(0, 52, 8))
    return a, b, c, d, e, f, g


def row(asks: Sequence[Move]) -> Row:
    return tuple(
        tuple([move for n, move in enumerate(asks) if not but >> n & 1]) for but in range(1 << len(asks))
    )


def ask_for(t: NotAtHome, mine: Cards) -> Moves:
    """The questions of the player in turn, who holds these cards, in standard order."""  # N2.5 N2.6
    lacks = t.lacks
    moves: list[Move] = []
    for of, row_a, row_b, row_c, row_d, row_e, row_f, row_g in t.zones.asks[t.shut]:
        a, b, c, d, e, f, g = (mine | lacks[of]).to_bytes(7, "little")
        moves += row_a[a]
        moves += row_b[b]
        moves += row_c[c]
        moves += row_d[d]
        moves += row_e[e]
        moves += row_f[f]
        moves += row_g[g]
    return tuple(moves)


# ---- 2. asking ------------------------------------------------------------------------------------


class Turn(Ask["NotAtHome"]):
    """Ask another player for a card that you don't have."""

    clause = "N2.1"

    def moves(self, t: NotAtHome, me: Seat) -> Moves:
        return ask_for(t, t.holds[me])

    def widest(self, t: NotAtHome, me: Seat) -> Moves:
        """The list of somebody whose own cards nobody knows."""
        return ask_for(t, 0)

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
        every = [(seat, *questions(seat)) for seat in range(seats)]
        self.asks = [[asks for asks in every if not shut >> asks[0] & 1] for shut in range(1 << seats)]
        self.on_miss = options.on_miss
        self.repeat_asks = options.repeat_asks == "yes"
        self.max_turns = options.max_turns or float("inf")
        self.all_seats = (1 << seats) - 1


places = cache(Places)


class NotAtHome(Table):
    """Fifty-two cards, all of them in somebody's hand."""

    __slots__ = ("hands", "holds", "lacks", "out", "shut", "turn", "turns")
    zones: Places

    def __init__(
        self, seats: int, options: NotAtHomeOptions, shuffler: Shuffler, round_: int, log: list[Told] | None
    ) -> None:
        zones = places(seats, options)
        super().__init__(zones, shuffler, round_, log)
        self.hands = zones.hands
        # these two lists are replaced and never changed, so that copies may share them
        self.holds: list[Cards] = [0] * seats
        self.lacks: list[Cards] = [0] * seats  # that all can see, and so not to be asked for
        self.out = 0  # bit n: seat n has no cards
        self.turn = 0
        self.shut = 1  # bit n: seat n can't be asked in this turn (any more)
        self.turns = 0  # that are over

    def deal(self) -> None:  # N1.2
        """Shuffle, deal out all cards, and let seat A ask."""
        self.shuffle(0, 0)
        self.deal_out(0, [self.hands[n % len(self.hands)] for n in range(52)])
        self.recount()
        self.next(TURN, 0)

    def recount(self) -> None:
        self.holds = [sum([1 << card for card in self.lay[hand]]) for hand in self.hands]

    def legal(self, seat: Seat) -> Moves:  # there is nothing to do out of turn
        return ask_for(self, self.holds[seat]) if seat in self.asked else ()

    def hit(self, me: Seat, of: Seat, card: Card, bit: Cards) -> None:  # N2.2
        """The card is handed over, face up: all know who has it now."""
        self.hand_over(self.hands[of], self.hands[me], card)
        holds = self.holds[:]
        holds[me] |= bit
        holds[of] ^= bit
        self.holds = holds
        if not holds[of]:  # N2.6
            self.out |= 1 << of
            self.shut |= 1 << of
        if not self.zones.repeat_asks:  # N2.5
            lacks = list(map(bit.__or__, self.lacks))
            lacks[me] ^= bit
            self.lacks = lacks

    def miss(self, me: Seat, of: Seat, bit: Cards) -> None:  # N2.3
        """Not at home; and who asked doesn't have it either."""
        if not self.zones.repeat_asks:  # N2.5
            lacks = self.lacks[:]
            lacks[me] |= bit
            lacks[of] |= bit
            self.lacks = lacks
        on_miss = self.zones.on_miss
        if on_miss == "another":  # N2.4
            self.shut |= 1 << of
        else:
            self.pass_to(of if on_miss == "asked" else me + 1)

    def pass_to(self, seat: Seat) -> None:
        """The turn is over; the next is this seat's, or of the first one to its left that has cards."""  # N2.6
        seats = len(self.hands)
        self.turn = seat % seats
        while self.out >> self.turn & 1:
            self.turn = (self.turn + 1) % seats
        self.shut = self.out | 1 << self.turn
        self.turns += 1

    def onward(self) -> None:
        if self.shut == self.zones.all_seats:
            if self.out | 1 << self.turn == self.shut:  # N1.1
                return self.uncover()
            self.pass_to(self.turn + 1)  # N2.4
        if self.turns >= self.zones.max_turns:  # N3.1
            return self.uncover()
        self.asked = (self.turn,)  # the same again: there is no other ask
        return None

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
        if self.shut >> of & 1:
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
        return Round(points, None, winners, self.faces(self.lay), max(points) < 52)

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


# ---- in words -------------------------------------------------------------------------------------


def asked(tale: Tale) -> list[str]:
    """Who asks whom for what, the answer, and who is out by it."""  # N2.7
    cast, (of, card) = tale.cast, GRAMMAR.read(tale.move).args
    handed = f"{cast.whom(of)} {cast.verb(of, 'hand')} it over" if tale.take(MOVED) else "not at home"
    lines = [f"{tale.does('ask')} {cast.whom(of)} for {cast.the(card)}: {handed}."]
    out = tale.after.get("out", [])
    new = [SEATS.index(letter) for letter in out if letter not in tale.before.get("out", out)]
    return lines + [f"{cast.who(seat)} {'have' if seat == cast.me else 'has'} no cards left." for seat in new]


def board(scene: Scene) -> list[str]:
    """How many cards everyone holds."""
    cast, hands = scene.cast, {SEATS.index(letter): scene.hand(letter) for letter in scene.totals}
    return [
        f"{cast.titled(seat)}: {count(len(hand), 'card') if hand else 'out'}." for seat, hand in hands.items()
    ]


def suits(faces: Sequence[str]) -> str:
    """`clubs A 5 T, hearts K`."""
    if len(faces) == len(DECK.cards):
        return "all cards"
    ranks = {
        name: " ".join(face[0] for face in sorted(faces, key=DECK.faces.index) if face[1] == suit)
        for suit, name in SUITS.items()
    }
    return ", ".join(f"{name} {cards}" for name, cards in ranks.items() if cards) or "no cards"


def whom(scene: Scene, words: str) -> str:
    """Who is meant by `ask B`, and how many cards they have."""
    letter = words.rsplit(maxsplit=1)[-1]
    if letter not in scene.totals:
        return ""
    return f"{scene.cast.name(SEATS.index(letter))}, {count(len(scene.hand(letter)), 'card')}"


def ended(cards: int, hand: Sequence[str]) -> str:
    return f"{count(cards, 'card')}: {suits(hand)}" if hand else "no cards"


SPEECH = Speech(
    usage=(
        "ask B 7c asks the player at seat B for the 7 of clubs. Ranks: A 2 3 4 5 6 7 8 9 T J Q K, suits: c d h s.",
        "moves B shows what can be asked of B, moves 7 who can be asked for which 7.",
    ),
    sentences={"ask": asked},
    hand=suits,
    board=board,
    note=whom,
    ended=ended,
    lately=10,
)


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
