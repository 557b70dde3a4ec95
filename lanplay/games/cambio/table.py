"""A round of Cambio: the places, a turn that passes to the left, and the count at the end."""

from __future__ import annotations

from functools import cache
from typing import Any

from lanplay.engine.cards import standard
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.table import Ask, Table, Zones
from lanplay.engine.words import (
    EVERYONE,
    NO_ONE,
    SEATS,
    TOP,
    Card,
    Choices,
    Moves,
    Refusal,
    Round,
    Seat,
    Told,
    Zone,
)
from lanplay.games.cambio import asks
from lanplay.games.cambio.asks import CLOSING, DECK, FIRST_PEEK, PILE, TAKEN, TURN, UP, name_of
from lanplay.games.cambio.moves import Slots, each, read
from lanplay.games.cambio.options import CambioOptions

NEVER = 1 << 60
RANK = (*(1 + card % 13 for card in range(52)), 14, 14)  # 1 ace … 13 king, 14 joker


def points(o: CambioOptions) -> tuple[int, ...]:
    """What each card counts: clubs, diamonds, hearts, spades, jokers."""  # C4.1 C4.2
    suit = (o.ace, *range(2, 11), o.jack, o.queen)
    return (*suit, o.black_king, *suit, o.red_king, *suit, o.red_king, *suit, o.black_king, o.joker, o.joker)


def powers(o: CambioOptions) -> dict[Card, tuple[Ask[Cambio], ...]]:
    """The steps of each card's ability."""  # C5.1 to C5.5
    steps: dict[int, tuple[Ask[Cambio], ...]] = {
        7: (asks.PEEK,),
        8: (asks.PEEK,),
        9: (asks.SPY,),
        10: (asks.SPY,),
        11: (asks.SWITCH,),
        12: asks.QUEEN[o.queen_power],
        13: asks.KING[o.king_power],
    }
    return {card: steps[rank] for card, rank in enumerate(RANK) if rank in steps}


class Places(Zones):
    """A deck, a discard pile, a card in turn that all see, and for each seat a grid and the card drawn.

    With them what the options mean, worked out once for all tables that have the same.
    """

    def __init__(self, seats: int, options: CambioOptions) -> None:
        super().__init__(standard(options.jokers))
        self.add("deck", NO_ONE)
        self.add("pile", EVERYONE)
        self.add("up", EVERYONE)
        self.hands = tuple(self.add(f"hand {SEATS[seat]}", NO_ONE, numbered=True) for seat in range(seats))
        self.held = tuple(self.add(f"held {SEATS[seat]}", 1 << seat) for seat in range(seats))
        self.all_hands = tuple(enumerate(self.hands))
        self.others = [self.all_hands[:seat] + self.all_hands[seat + 1 :] for seat in range(seats)]
        self.options, self.points, self.powers = options, points(options), powers(options)
        self.plain_discard = options.plain_discard == "yes"
        self.discard_powers = options.discard_powers == "yes"
        self.power_first = options.power_first == "yes"
        self.must_use = options.must_use == "yes"
        self.snap_others = options.snap_others == "yes"
        self.snapping = asks.SNAPPING_ANY if self.snap_others else asks.SNAPPING
        self.snap_chain = options.snap_chain == "yes"
        self.wrong_snap_shows = options.wrong_snap_shows == "yes"
        self.caller_protected = options.caller_protected == "yes"
        self.max_turns = options.max_turns or NEVER


places = cache(Places)


class Cambio(Table):
    """One round."""

    __slots__ = (
        "caller",
        "closing",
        "hands",
        "held",
        "owed",
        "passes",
        "playing",
        "seen",
        "snapped",
        "spoken",
        "steps",
        "turn",
        "turns",
        "vacated",
    )
    zones: Places
    out_of_turn = frozenset(["snap"])
    aimed = frozenset(["snap", "take"])
    read = staticmethod(read)

    def __init__(
        self, seats: int, options: CambioOptions, shuffler: Shuffler, round_: int, log: list[Told] | None
    ) -> None:
        zones = places(seats, options)
        super().__init__(zones, shuffler, round_, log)
        self.hands, self.held = zones.hands, zones.held
        self.turn = (round_ - 2) % seats  # whose turn it is; the first player's is next (C1.3)
        self.turns = -1  # turns of the whole table that are over
        self.passes = 0  # one after another
        self.caller: Seat | None = None
        self.playing = False  # play has started, and is not over
        self.closing = False
        self.spoken = 0  # bit n: seat n has had its word in the closing window
        self.steps: tuple[Ask[Cambio], ...] = ()  # still to come of the ability in use
        self.seen: tuple[int, Seat] | None = None  # where the ability looked
        self.vacated = False  # the card that was looked at has left that place
        self.snapped = 0  # bit c: card c was snapped, or is a snap
        self.owed: tuple[int, Seat] | None = None  # the slot and the seat that a card is to be given to

    def deal(self) -> None:  # C2.1 to C2.4
        """Shuffle, deal four cards each, and let the players look."""
        self.shuffle(DECK, DECK)
        seats = len(self.hands)
        first = (self.turn + 1) % seats
        self.deal_out(DECK, (self.hands[first:] + self.hands[:first]) * 4)
        if self.zones.options.starter == "yes":  # D2.3
            self.move(DECK, PILE)
        if self.zones.options.first_peek == "choose":
            return self.next(FIRST_PEEK, *range(seats))
        for seat, hand in enumerate(self.hands):  # D2.4
            self.show(hand, 3, 1 << seat)
            self.show(hand, 4, 1 << seat)
        return self.onward()

    # ---- the deck and the pile --------------------------------------------------------------------

    def can_draw(self) -> bool:  # C3.9
        return self.lay[DECK] != [] or len(self.lay[PILE]) > 1

    def can_take(self, seat: Seat) -> bool:  # C3.2 C3.6 D3.6
        pile = self.lay[PILE]
        if not pile:
            return False
        return self.slots[self.hands[seat]] != 0 or (
            self.zones.discard_powers and pile[-1] in self.zones.powers
        )

    def refill(self) -> None:  # C3.9
        """See to it that there is a card to be drawn."""
        if not self.lay[DECK]:
            self.shuffle(PILE, DECK, keep=1)

    def discard(self, source: Zone, slot: int = TOP) -> Card:
        """A card comes to lie open on the pile."""
        card = self.move_top(source, PILE) if slot == TOP else self.move(source, PILE, slot)
        self.discarded(card)
        return card

    def discarded(self, card: Card) -> None:  # C6.6
        self.aim += 1
        if self.snapped:
            self.snapped &= ~(1 << card)

    def swap(self, source: Zone, me: Seat, slot: int) -> None:  # C3.3 C3.8
        self.discarded(self.replace(source, self.hands[me], slot, PILE))

    def use(self, source: Zone) -> None:
        """A card is discarded for its ability, if it has one."""
        steps = self.zones.powers.get(self.lay[source][-1], ())
        if steps and source == UP:  # D3.6: used first, whatever power_first says
            pass
        elif steps and self.zones.power_first:  # D5.10
            self.move(source, UP)
        else:  # C3.4 C5.10
            self.discard(source)
        self.steps, self.seen, self.vacated = steps, None, False

    def settle_taken(self) -> None:
        """A taken card that has no card left to be swapped with is discarded after all."""  # C3.6
        pending = self.waiting[-1][0] if self.waiting else self.ask
        if pending is TAKEN and not TAKEN.moves(self, self.turn):
            self.discard(UP)
            self.waiting, self.asked = (), ()

    # ---- who may touch what -----------------------------------------------------------------------

    def protected(self) -> Seat | None:  # C5.7 C6.5
        return self.caller if self.zones.caller_protected else None

    def at_hands(self, say: Choices[tuple[Seat, Slots]], me: Seat, mine_too: bool) -> Moves:
        """What is said at each hand whose cards may be meant."""
        slots, protected = self.slots, self.protected()
        moves: Moves = ()
        for seat, hand in self.zones.all_hands if mine_too else self.zones.others[me]:
            if seat != protected:
                moves += say[seat, slots[hand]]
        return moves

    def slot_holds(self, slot: int, of: Seat) -> bool:
        return of < len(self.hands) and bool(self.slots[self.hands[of]] >> slot & 1)

    def no_card(self, me: Seat, *slots: int) -> Refusal:
        """One of one's own slots is empty."""
        empty = next((slot for slot in slots if not self.slot_holds(slot, me)), "?")
        return Refusal("no-such-card", f"You have no card in slot {empty}.", "C3.8")

    def beyond_reach(self, me: Seat, slot: int, of: Seat, mine_too: bool) -> Refusal | None:
        """Why the card in that slot of that seat can't be meant, or None if it can."""
        if of >= len(self.hands):
            return Refusal("no-such-target", f"Nobody sits at {SEATS[of]}.", "C1.2")
        if of == me and not mine_too:
            return Refusal("no-such-target", "That must be the card of another player.", "C5.2")
        if of == self.protected():
            return Refusal("protected", "The cards of the player who called can't be touched.", "C5.7")
        if not self.slot_holds(slot, of):
            return Refusal("no-such-card", f"There is no card at {name_of(slot, of)}.", "C3.8")
        return None

    # ---- snapping ---------------------------------------------------------------------------------

    def open(self) -> bool:  # C6.6 C6.7 C6.8
        pile = self.lay[PILE]
        if not pile or self.owed is not None or not self.playing:
            return False
        if self.snapped and self.snapped >> pile[-1] & 1:
            return False
        return len(pile) > 1 or self.lay[DECK] != []

    def anytime(self, seat: Seat) -> Ask[Cambio] | None:  # C6.1 C6.5
        if self.closing or not self.open():
            return None
        return None if seat == self.caller and self.zones.caller_protected else self.zones.snapping

    def matches(self, hand: Zone, slot: int) -> bool:  # C6.1
        return RANK[self.lay[hand][slot]] == RANK[self.lay[PILE][-1]]

    def snap(self, hand: Zone, slot: int) -> None:  # C6.2 C6.4
        top = self.lay[PILE][-1]
        card = self.discard(hand, slot)
        if not self.zones.snap_chain:
            self.snapped |= 1 << top | 1 << card
        if self.seen == (slot, self.hands.index(hand)):
            self.vacated = True

    def closed(self, seat: Seat) -> Refusal | None:
        if not self.open():
            return Refusal("closed", "There is nothing to snap just now.", "C6.6")
        if seat == self.protected():
            return Refusal("closed", "You called: you can't snap.", "C6.5")
        if self.closing and self.spoken >> seat & 1:
            return Refusal("closed", "You have had your word.", "C7.7")
        return None

    def may_snap(self, seat: Seat) -> bool:
        return seat != self.protected() and self.zones.snapping.moves(self, seat) != ()

    # ---- turn after turn --------------------------------------------------------------------------

    def onward(self) -> None:
        if self.closing:
            return self.ask_closing()
        while self.steps:
            step, self.steps = self.steps[0], self.steps[1:]
            if isinstance(step, asks.Step) and step.targets(self, self.turn):  # C5.8
                return self.next(step, self.turn)
        if self.lay[UP]:  # D5.10
            self.discard(UP)
        return self.pass_on()

    def pass_on(self) -> None:  # C3.7
        seats = len(self.hands)
        self.playing = True
        self.turns += 1
        if self.passes == seats or (self.caller is None and self.turns >= self.zones.max_turns):  # C3.9 C7.6
            return self.count()
        self.turn = turn = (self.turn + 1) % seats
        if turn == self.caller:  # C7.2
            self.closing = True
            return self.ask_closing()
        self.ask, self.asked = TURN, (turn,)
        return None

    def ask_closing(self) -> None:  # C7.7
        """Who may snap and has not spoken; if nobody, the round is counted."""
        owing = [
            seat for seat in range(len(self.hands)) if not self.spoken >> seat & 1 and self.may_snap(seat)
        ]
        if owing and self.open():
            self.next(CLOSING, *owing)
        else:
            self.count()

    def count(self) -> None:  # C7.2
        self.playing = False
        for hand in self.hands:
            for slot in each(self.slots[hand]):
                self.show(hand, slot, EVERYONE)

    # ---- what is written of it --------------------------------------------------------------------

    def in_turn(self) -> Seat | None:
        return self.turn if self.playing and not self.closing else None

    def result(self) -> Round:
        """Points and winners."""  # C7.3 C7.4 C7.5 D7.4
        worth = self.zones.points
        hands = [
            sorted([worth[card] for card in self.lay[hand] if card >= 0], reverse=True) for hand in self.hands
        ]
        totals = tuple(map(sum, hands))
        ranking: list[Any] = [(total,) for total in totals]
        if self.zones.options.tie == "caller-loses":
            ranking = [(totals[n], n == self.caller, hand) for n, hand in enumerate(hands)]
        winners = tuple(seat for seat, rank in enumerate(ranking) if rank == min(ranking))
        capped = self.caller is None and self.turns >= self.zones.max_turns
        return Round(totals, self.caller, winners, self.grids(self.lay), capped)

    def grids(self, lay: list[list[Card]]) -> dict[str, dict[str, str]]:
        return {
            SEATS[seat]: {
                str(n): self.face(card) for n, card in enumerate(lay[hand]) if n in each(self.slots[hand])
            }
            for seat, hand in enumerate(self.hands)
        }

    def face(self, card: Card) -> str:
        return self.zones.deck.faces[card] if card >= 0 else "??"

    def state(self, lay: list[list[Card]]) -> dict[str, Any]:
        held = {SEATS[seat]: self.face(lay[zone][0]) for seat, zone in enumerate(self.held) if lay[zone]}
        if lay[UP]:
            held[SEATS[self.turn]] = self.face(lay[UP][0])
        return {
            "hands": self.grids(lay),
            "held": held,
            "deck": len(lay[DECK]),
            "discard": [self.face(card) for card in lay[PILE]],
            **self.public(),
        }

    def public(self) -> dict[str, Any]:
        return {"open": self.open(), "caller": None if self.caller is None else SEATS[self.caller]}
