"""A round in progress: cards lie in zones, seats answer asks, every change is told as a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from lanplay.engine.cards import Deck
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.words import (
    ANY,
    COVERED,
    EVERYONE,
    EXCHANGED,
    GONE,
    HIDDEN,
    MOVED,
    NO_ONE,
    ROUND,
    SHOWN,
    SHUFFLED,
    SPECTATOR,
    TOP,
    Card,
    Eyes,
    Move,
    Moves,
    Refusal,
    Round,
    Seat,
    Told,
    Zone,
    letters,
)


class Zones:
    """The places of a game where cards may lie; all of them lie in the first when a round begins."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.names: list[str] = []
        self.eyes: list[Eyes] = []
        self.numbered: list[Zone] = []
        self.private: list[Zone] = []  # those that some see and others do not
        self.bare: list[list[Card]] = []
        self.seen: dict[Seat, list[bool]] = {}
        self.covered: dict[Seat, list[Zone]] = {}

    def add(self, name: str, eyes: Eyes, numbered: bool = False) -> Zone:
        """A zone whose faces these eyes see.

        Numbered places count from 1, and a card that leaves one leaves it empty.
        """
        self.names.append(name)
        self.eyes.append(eyes)
        if numbered:
            self.numbered.append(len(self.names) - 1)
        if eyes and not eyes >> SPECTATOR & 1:
            self.private.append(len(self.names) - 1)
        self.bare.append([GONE] if numbered else [])
        return len(self.names) - 1

    def sees(self, seat: Seat) -> list[bool]:
        """Zone by zone: does this seat (or SPECTATOR) see the faces there?"""
        if seat not in self.seen:
            self.seen[seat] = [bool(eyes >> seat & 1) for eyes in self.eyes]
        return self.seen[seat]

    def covers(self, seat: Seat) -> list[Zone]:
        """The zones whose faces some see, but not this seat (or SPECTATOR)."""
        if seat not in self.covered:
            sees = self.sees(seat)
            self.covered[seat] = [zone for zone in self.private if not sees[zone]]
        return self.covered[seat]

    def empty(self) -> list[list[Card]]:
        """No card anywhere: what is laid over the zones, list by list."""
        return [places[:] for places in self.bare]


T = TypeVar("T", bound="Table", contravariant=True)


class Ask(Generic[T]):
    """A decision owed to the game. The docstring is the prompt; each verb that answers it is a method."""

    clause: ClassVar[str | None] = None

    def moves(self, t: T, me: Seat) -> Moves:
        """What `me` may answer now."""
        raise NotImplementedError

    def widest(self, t: T, me: Seat) -> Moves:
        """As long a list as this could be for all that the others know: how long a sealed message gets."""
        return self.moves(t, me)

    def seconds(self, t: T) -> float | None:
        """How long the answer may take, if the rules say so."""
        return None

    def hold(self, t: T, me: Seat, move: Move) -> float:
        """How many seconds after the seat's last move the host lets others object before it does this one.

        It need not wait for them if each has said that it won't.
        """
        return 0

    def races(self, t: T, me: Seat, move: Move) -> bool:
        """Others may be about to claim the same as this move: the quickest is to have it, not who is heard first."""
        return False

    def refuse(self, t: T, me: Seat, move: Move) -> Refusal:
        """Why a move of this ask is not among the moves just now."""
        return self.wrong_step(t, me)

    def wrong_step(self, t: T, me: Seat) -> Refusal:
        """Something else is asked."""
        offered = ", ".join(dict.fromkeys(move.split()[0] for move in self.moves(t, me)))
        return Refusal("wrong-step", f"Not now: {self.__doc__} ({offered})", self.clause)

    def pass_(self, t: T, me: Seat) -> None:
        """Decline."""


class Table:
    """One round in progress: where the cards lie, who is asked what, what was told.

    Whatever a game adds is a value that never changes in place, so copy() needs no help.
    """

    __slots__ = (
        "aim",
        "ask",
        "asked",
        "eyes",
        "lay",
        "log",
        "round",
        "shown",
        "shuffler",
        "shuffles",
        "slots",
        "waiting",
        "zones",
    )
    values: ClassVar[tuple[str, ...]] = ()
    out_of_turn: ClassVar[frozenset[str]] = (
        frozenset()
    )  # the verbs that anybody may say when something is open
    aimed: ClassVar[frozenset[str]] = (
        frozenset()
    )  # the verbs that mean what lay there when the player last looked

    def __init_subclass__(cls) -> None:
        own = [name for kind in cls.__mro__ for name in getattr(kind, "__slots__", ())]
        cls.values = tuple(name for name in own if name not in ("lay", "slots", "log"))
        lines = "".join(f"\n    twin.{name} = me.{name}" for name in cls.values)
        made: dict[str, Any] = {}
        exec(f"def give(me, twin):{lines}", made)  # noqa: S102 - as dataclasses do: twice as fast as a loop
        setattr(cls, "give", made["give"])  # noqa: B010 - mypy does not let a method be assigned

    def __init__(self, zones: Zones, shuffler: Shuffler, round_: int, log: list[Told] | None) -> None:
        self.zones = zones
        self.eyes = zones.eyes
        self.lay = zones.empty()  # the cards, zone by zone
        self.lay[0] = list(zones.deck.cards)
        self.slots = dict.fromkeys(zones.numbered, 0)  # bit n: place n holds a card
        self.log = log  # a list, if somebody listens
        self.ask: Ask[Self] = Ask()
        self.asked: tuple[Seat, ...] = ()  # who still owes an answer to it
        self.waiting: tuple[tuple[Ask[Self], tuple[Seat, ...]], ...] = ()
        self.shuffler = shuffler
        self.shuffles = 0  # how many there were in this round
        self.round = round_
        self.shown = False  # a face was shown by the last move
        self.aim = 0  # what an aimed move means: a new number for each new thing
        if log is not None:
            log.append((ROUND, 0, round_, 0, 0, HIDDEN, NO_ONE))

    def give(self, twin: Self) -> None:
        """The twin gets every value of this table; written for each class when it is made."""

    def copy(self) -> Self:
        """A twin for search: what is played on one does not touch the other. The twin tells nobody."""
        twin = object.__new__(type(self))
        self.give(twin)
        twin.lay = [cards[:] for cards in self.lay]
        twin.slots = self.slots.copy()
        twin.log = None
        return twin

    # ---- cards: nothing else may touch them, so nothing can change untold -----------------------------

    def move(self, source: Zone, target: Zone, at: int = TOP, to: int = TOP) -> Card:
        """A card goes onto a pile, into an empty numbered place, or (TOP) to a new one. Eyes on either end see it."""
        here, there = self.lay[source], self.lay[target]
        if at == TOP:
            card = here.pop()
        else:
            card, here[at] = here[at], GONE
            self.slots[source] ^= 1 << at
        if to == TOP:
            if target in self.slots:
                self.slots[target] |= 1 << len(there)
            there.append(card)
        else:
            self.slots[target] |= 1 << to
            there[to] = card
        if self.log is not None:
            self.log.append((MOVED, source, at, target, to, card, self.eyes[source] | self.eyes[target]))
        return card

    def move_top(self, source: Zone, target: Zone) -> Card:
        """The top card of a pile goes onto another, as move() would, where no places are numbered."""
        card = self.lay[source].pop()
        self.lay[target].append(card)
        if self.log is not None:
            self.log.append((MOVED, source, TOP, target, TOP, card, self.eyes[source] | self.eyes[target]))
        return card

    def deal_out(self, source: Zone, targets: Sequence[Zone]) -> None:
        """The top card to each of the targets in turn, as move() would."""
        here, lay, slots, log = self.lay[source], self.lay, self.slots, self.log
        for target in targets:
            there = lay[target]
            card = here.pop()
            if target in slots:
                slots[target] |= 1 << len(there)
            there.append(card)
            if log is not None:
                log.append((MOVED, source, TOP, target, TOP, card, self.eyes[source] | self.eyes[target]))

    def replace(self, source: Zone, target: Zone, at: int, pile: Zone) -> Card:
        """A card takes the numbered place of another, which goes onto a pile."""
        there = self.lay[target]
        old, there[at] = there[at], self.lay[source].pop()
        self.lay[pile].append(old)
        if self.log is not None:
            eyes = self.eyes
            self.log.append((MOVED, target, at, pile, TOP, old, eyes[target] | eyes[pile]))
            self.log.append((MOVED, source, TOP, target, at, there[at], eyes[source] | eyes[target]))
        return old

    def hand_over(self, source: Zone, target: Zone, card: Card, eyes: Eyes = EVERYONE) -> None:
        """A card leaves a hand that its owner keeps in an order of their own."""
        self.lay[source].remove(card)
        self.lay[target].append(card)
        if self.log is not None:
            seen = eyes | self.eyes[source] | self.eyes[target]
            self.log.append((MOVED, source, ANY, target, TOP, card, seen))

    def exchange(self, zone: Zone, at: int, other: Zone, to: int) -> None:
        """Two cards that nobody sees change places."""
        here, there = self.lay[zone], self.lay[other]
        here[at], there[to] = there[to], here[at]
        if self.log is not None:
            self.log.append((EXCHANGED, zone, at, other, to, HIDDEN, NO_ONE))

    def show(self, zone: Zone, at: int, eyes: Eyes) -> None:
        """The face of a card is seen where it lies."""
        if self.log is not None:
            self.shown = True
            self.log.append((SHOWN, zone, at, zone, at, self.lay[zone][at], eyes))

    def cover(self) -> None:
        """What was shown is hidden again."""
        self.shown = False
        if self.log is not None:
            self.log.append((COVERED, 0, 0, 0, 0, HIDDEN, EVERYONE))

    def shuffle(self, source: Zone, target: Zone, keep: int = 0) -> None:
        """All of a pile but its top `keep` cards is shuffled into another."""
        pile = self.lay[source]
        cards = pile[: len(pile) - keep]
        del pile[: len(cards)]
        self.lay[target] = self.shuffler(cards, self.round, self.shuffles)
        self.shuffles += 1
        if self.log is not None:
            self.log.append((SHUFFLED, source, keep, target, TOP, tuple(self.lay[target]), NO_ONE))

    def deal(self) -> None:
        """Shuffle, deal, and ask the first question."""
        raise NotImplementedError

    def recount(self) -> None:
        """Work out anew what the game keeps beside the cards: for who has laid them otherwise, as a search does."""

    # ---- decisions --------------------------------------------------------------------------------

    def next(self, ask: Ask[Self], *seats: Seat) -> None:
        """This is decided next, before what was being decided."""
        if self.asked:
            self.waiting = ((self.ask, self.asked), *self.waiting)
        self.ask, self.asked = ask, seats

    def onward(self) -> None:
        """Nothing is being decided: ask what comes next, or let it be over."""

    def anytime(self, seat: Seat) -> Ask[Self] | None:
        """What `seat` may do just now, whoever is asked."""
        return None

    def legal(self: Self, seat: Seat) -> Moves:
        """Every move that would be accepted from this seat now."""
        moves = self.ask.moves(self, seat) if seat in self.asked else ()
        extra = self.anytime(seat)
        return moves + extra.moves(self, seat) if extra else moves

    def widest(self: Self, seat: Seat) -> Moves:
        """At least as many moves as `legal` could hold in any world that looks the same to everybody else."""
        moves = self.ask.widest(self, seat) if seat in self.asked else ()
        extra = self.anytime(seat)
        return moves + extra.widest(self, seat) if extra else moves

    def play(self: Self, seat: Seat, move: Move) -> None:
        """Do what a seat says, or raise Refusal and change nothing."""
        legal = self.legal(seat)
        if move not in legal:
            raise self.refuse(seat, move)
        self.do(seat, legal[legal.index(move)])

    def do(self: Self, seat: Seat, move: Move) -> None:
        """Do one of the legal moves of a seat. Does not check again: see play()."""
        if self.shown:
            self.cover()
        asked = self.asked
        answer = getattr(self.ask, move.verb, None) if seat in asked else None
        if answer is None:
            answer = getattr(self.anytime(seat), move.verb)
        elif len(asked) == 1:
            self.asked = ()
        else:
            self.asked = tuple([other for other in asked if other != seat])
        if move.args:
            answer(self, seat, *move.args)
        else:  # Python calls much faster what it need not unpack
            answer(self, seat)
        if not self.asked:
            if self.waiting:
                self.ask, self.asked = self.waiting[0]
                self.waiting = self.waiting[1:]
            else:
                self.onward()

    def heard_by(self, seat: Seat, move: Move) -> Eyes:
        """Who hears the text of a move; the others are told by its facts alone."""
        return EVERYONE

    def default(self: Self, seat: Seat) -> Move:
        """What is done for a seat that is absent or late."""
        moves = self.ask.moves(self, seat)
        for verb in ("pass_", "draw", "discard"):
            for move in moves:
                if move.verb == verb:
                    return move
        return moves[0]

    # ---- refusals: the first code that fits -----------------------------------------------------------

    def refuse(self: Self, seat: Seat, move: Move) -> Refusal:
        """Why this move, which can be read, is not legal for the seat now."""
        if not self.asked:
            return Refusal("over", "The game is over.")
        if move.verb in self.out_of_turn:
            return self.closed(seat) or self.late_or_wrong(seat, move)
        if seat not in self.asked:
            return Refusal("not-your-turn", self.whose_turn(), self.ask.clause)
        if not hasattr(self.ask, move.verb):
            return self.ask.wrong_step(self, seat)
        return self.ask.refuse(self, seat, move)

    def whose_turn(self) -> str:
        """For somebody who is not asked: who is."""
        return f"It is not your turn: the game waits for {', '.join(letters(self.asked))}."

    def closed(self, seat: Seat) -> Refusal | None:
        """Why nothing can be said out of turn by this seat now, or None if something can."""
        return None

    def late_or_wrong(self: Self, seat: Seat, move: Move) -> Refusal:
        """Why this out-of-turn move is not legal although something is open to the seat."""
        extra = self.anytime(seat) or self.ask
        return extra.refuse(self, seat, move)

    # ---- what is written of it ------------------------------------------------------------------------

    def state(self, lay: list[list[Card]]) -> dict[str, Any]:
        """`state` of notation.md, with the cards as they lie here: the truth, or what a view has of it."""
        raise NotImplementedError

    def public(self) -> dict[str, Any]:
        """The fields of `state` that are no cards."""
        return {}

    def in_turn(self) -> Seat | None:
        """The player in turn, if there is one."""
        return None

    def result(self) -> Round:
        """How it ended; only when it is over."""
        raise NotImplementedError
