"""The melds (clause 4): what fits each type, what it is worth, and every meld and addition a hand allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from lanplay.engine.words import Card, Choices, Move, Seat
from lanplay.games.rummy.cards import (
    BK,
    BR,
    CR,
    ER,
    KINDS,
    ONE,
    RK,
    RR,
    SR,
    Count,
    cards_of,
    of,
    points,
    present,
    size,
)
from lanplay.games.rummy.moves import BALANCE, BLUE, FLOW, KIND, KINGDOM, RED, addition, new_meld

ANY_KIND = -1  # no card has to be played

# what the cards of a type come in, but for Flow Hands: one by one, or in pairs that keep the balance
UNITS = {
    KINGDOM: (ONE[RK], ONE[BK]),  # R4.1
    BALANCE: (ONE[RR] + ONE[BR], ONE[RK] + ONE[BK], ONE[SR]),  # R4.4
    RED: (ONE[RR], ONE[RK]),  # R4.5
    BLUE: (ONE[BR], ONE[BK]),  # R4.6
}
BONUS = {KINGDOM: 30, FLOW: 0, BALANCE: 10, RED: 5, BLUE: 5, KIND: 0}
HIGH_BONUS = 15
HIGH = (RK, BK, CR, ER)
RUNES_AND_KINGS = 15 * sum(ONE[RR : BK + 1])
NUMBERS = 15 * sum(ONE[:RR])


def units_of(type: int, count: Count) -> tuple[Count, ...]:
    """What may be added to a meld of this type that holds these cards, in which units."""  # R4.9
    return UNITS[type] if type != KIND else (ONE[cards_of(count)[0]],)


# ---- what fits ------------------------------------------------------------------------------------


def fits(type: int, count: Count) -> bool:
    """These cards are a meld of this type."""
    return size(count) >= 3 and FITS[type](count)


def is_kingdom(count: Count) -> bool:  # R4.1
    return size(count) == of(count, RK) + of(count, BK) and of(count, RK) >= 2 <= of(count, BK)


def is_flow(count: Count) -> bool:  # R4.2
    cards = cards_of(count)
    return cards == tuple(range(cards[0], cards[0] + len(cards)))


def is_balance(count: Count) -> bool:  # R4.4
    return (
        not count & ~RUNES_AND_KINGS
        and of(count, RR) == of(count, BR)
        and of(count, RK) == of(count, BK)
        and size(count) > of(count, SR)
    )


def is_red(count: Count) -> bool:  # R4.5
    return size(count) == of(count, RR) + of(count, RK)


def is_blue(count: Count) -> bool:  # R4.6
    return size(count) == of(count, BR) + of(count, BK)


def is_kind(count: Count) -> bool:  # R4.7
    first, *_, last = cards_of(count)
    return first == last < RR


FITS = {
    KINGDOM: is_kingdom,
    FLOW: is_flow,
    BALANCE: is_balance,
    RED: is_red,
    BLUE: is_blue,
    KIND: is_kind,
}


def high(type: int, count: Count) -> bool:
    """A Flow Hand that is laid as a High one."""  # R4.3
    return type == FLOW and sum(of(count, card) for card in HIGH) >= 2


# ---- what lies on the table -----------------------------------------------------------------------


class Part(NamedTuple):
    """The cards of one play in a meld; they stay those of the player who played them."""  # R4.9

    by: Seat
    cards: Count
    energy: bool
    points: int
    bonus: int


class Meld(NamedTuple):
    """A meld as it has grown: what it holds, part by part."""

    number: int
    by: Seat
    type: int
    high: bool
    parts: tuple[Part, ...]
    cards: Count
    grows_by: Count  # the kinds it can take, all bits of each; of a Flow Hand the two that come next
    takes: int  # bit k: it can take a single card of kind k
    low: Card  # the ends of a Flow Hand
    top: Card

    def with_parts(self, parts: tuple[Part, ...]) -> Meld:
        count = sum([part.cards for part in parts])
        number, by, meant, high, _, _, grows_by, takes, low, top = self
        if meant == FLOW:
            low, *_, top = cards_of(count)
            grows_by, takes = beside(low, top)
        return Meld(number, by, meant, high, parts, count, grows_by, takes, low, top)


@cache
def beside(low: Card, top: Card) -> tuple[Count, int]:
    """The kinds that come next to a Flow Hand: all bits of each, and bit k for kind k."""
    kinds = [kind for kind in (low - 1, top + 1) if kind in KINDS]
    return 15 * sum([ONE[kind] for kind in kinds]), sum([1 << kind for kind in kinds])


def laid(number: int, type: int, part: Part) -> Meld:
    """A meld that has just been laid."""
    units = units_of(type, part.cards) if type != FLOW else ()
    takes = sum(present(unit) for unit in units if size(unit) == 1)
    meld = Meld(number, part.by, type, high(type, part.cards), (), 0, 15 * sum(units), takes, 0, 0)
    return meld.with_parts((part,))


def first_part(by: Seat, type: int, count: Count, energy: bool) -> Part:
    """A new meld as a part, with its bonus."""  # R4.8 R6.1
    bonus = HIGH_BONUS if high(type, count) else BONUS[type]
    return Part(by, count, energy, points(count) << energy, bonus)


def added_part(by: Seat, count: Count, energy: bool) -> Part:
    """Cards added to a meld: never a bonus."""  # R4.8 R6.2
    return Part(by, count, energy, points(count) << energy, 0)


# ---- every play that a hand allows ----------------------------------------------------------------
# All lists are cached by the part of the hand that they depend on. `room` is how many cards a play may use up: all
# but one (R7.2), no more than the list could want. `must` is the kind that the play has to hold (R3.3).


def units_in(held: Count, unit: Count) -> int:
    """How many of a unit are held."""
    return min([of(held, card) for card in cards_of(unit)])


@lru_cache(maxsize=1 << 13)
def heaps(held: Count, units: Sequence[Count]) -> tuple[Count, ...]:
    """Every number of each unit that is held, the empty heap first."""
    grown: list[Count] = [0]
    for unit in units:
        more = [number * unit for number in range(units_in(held, unit) + 1)]
        grown = [heap + some for heap in grown for some in more]
    return tuple(grown)


@lru_cache(maxsize=1 << 13)
def shapes(type: int, held: Count) -> tuple[Count, ...]:
    """All cards that are a meld of this type, which is not Flow, among cards that are all of its kinds."""
    return tuple([count for count in heaps(held, units_of(type, held)) if fits(type, count)])


@lru_cache(maxsize=1 << 13)
def largest(held: Count) -> tuple[tuple[int, Count, int], ...]:
    """Of each type that these runes and kings allow: the type, its largest meld, and how many cards that is."""
    melds = [(meant, sum([units_in(held, unit) * unit for unit in units])) for meant, units in UNITS.items()]
    return tuple([(meant, count, size(count)) for meant, count in melds if fits(meant, count)])


def wanted(counts: Iterable[Count], room: int, must: Card) -> list[Count]:
    """Those that may be played."""
    if must < 0:
        return [count for count in counts if size(count) <= room]
    one = 15 * ONE[must]
    return [count for count in counts if count & one and size(count) <= room]


def melds_of(type: int, held: Count, room: int, must: Card, energy: bool) -> list[Move]:
    """New melds of this type, which is not Flow, among cards that are all of its kinds."""
    return [new_meld(type, count, energy) for count in wanted(shapes(type, held), room, must)]


def flows_in(run: int, room: int, must: Card, energy: bool) -> list[Move]:
    """New Flow Hands from these kinds (bit k: kind k), which follow one another."""
    first, end = (run & -run).bit_length() - 1, run.bit_length()
    spans = (span(low, top) for low in range(first, end) for top in range(low + 2, end))
    return [new_meld(FLOW, count, energy) for count in wanted(spans, room, must)]


def runs(kinds: int) -> Iterator[int]:
    """The kinds that follow one another, three or more, longest runs only."""
    while kinds:
        run = kinds & ~(kinds + (kinds & -kinds))
        kinds ^= run
        if run.bit_count() >= 3:
            yield run


@cache
def span(low: Card, top: Card) -> Count:
    """One card of each kind from here to there."""
    return sum(ONE[low : top + 1])


def bits(number: int) -> int:
    return (1 << number) - 1


Key = tuple[int, int, Card, bool]  # the cards it depends on, room, must, energy
new_flows = Choices[Key](lambda key: flows_in(*key))
new_others = Choices[tuple[int, Count, int, Card, bool]](lambda key: melds_of(*key))


Addition = tuple[Count, bool]  # the cards, and whether an Energy Rune is played with them


def single(counts: Sequence[Count], room: int, energy: int) -> list[Count]:
    """Those that an Energy Rune can be played with, when so many are held."""  # R6.2 R6.5
    if room < 2 or not energy:
        return []
    return [count for count in counts if size(count) == 1 and energy > of(count, ER)]


def added(counts: Sequence[Count], room: int, must: Card, energy: int) -> tuple[Addition, ...]:
    """What may be added of these cards, but for none at all, which come first."""
    plain = wanted(counts[1:], room, must)
    return (*[(count, False) for count in plain], *[(count, True) for count in single(plain, room, energy)])


@cache
def ends(low: Card, top: Card, below: int, above: int) -> tuple[Count, ...]:
    """What may be added to a Flow Hand by who has so many cards that go on at either end."""  # R4.2
    laid = span(low, top)
    steps = product(range(below + 1), range(above + 1))
    return tuple(span(low - down, top + up) - laid for down, up in steps)


@lru_cache(maxsize=1 << 14)
def additions(type: int, part: Count, room: int, must: Card, energy: int) -> tuple[Addition, ...]:
    """To a meld of this type, which is not Flow, from the part of a hand that it can take."""
    return added(heaps(part, units_of(type, part)), room, must, energy)


@lru_cache(maxsize=1 << 14)
def extensions(
    low: Card, top: Card, below: int, above: int, room: int, must: Card, energy: int
) -> tuple[Addition, ...]:
    """To a Flow Hand with these ends from a hand that goes on so far at each."""
    return added(ends(low, top, below, above), room, must, energy)


def new_melds(held: Count, kinds: int, room: int, must: Card = ANY_KIND) -> list[Move]:
    """Every new meld from this hand (`kinds`: bit k: it holds kind k)."""
    moves: list[Move] = []
    energy = of(held, ER)
    for plus in (False, True) if energy else (False,):  # R6.1 R6.5
        left = room - plus
        if left < 3:
            continue
        flows = kinds if not plus or energy > 1 else kinds & ~(1 << ER)
        if flows & flows >> 1 & flows >> 2:
            for run in runs(flows):
                moves += new_flows[run, min(left, run.bit_count()), must, plus]
        rest = held & RUNES_AND_KINGS
        if rest:
            for meant, most, cards in largest(rest):
                moves += new_others[meant, most, min(left, cards), must, plus]
        threes = (held & NUMBERS) + THREES & EIGHTS  # eights: the kinds of which there are three or more
        while threes:
            low = threes & -threes
            threes ^= low
            alike = held & 2 * low - (low >> 3)
            moves += new_others[KIND, alike, min(left, 8), must, plus]
    return moves


THREES = 5 * sum(ONE[:RR])
EIGHTS = 8 * sum(ONE[:RR])


def extended(meld: Meld, held: Count, kinds: int, room: int, must: Card, energy: int) -> list[Move]:
    """Every addition to this meld from this hand, some of which it can take."""
    if meld.type != FLOW:
        part = held & meld.grows_by
        plays = additions(meld.type, part, min(room, size(part) + 1), must, energy > 0)
        return [addition(meld.number, count, plus) for count, plus in plays]
    low, top = meld.low, meld.top
    below, above = low, top + 1
    while below and kinds >> below - 1 & 1:
        below -= 1
    while kinds >> above & 1:
        above += 1
    down, up = low - below, above - top - 1
    energy = min(energy, 2 if above > ER else 1)
    plays = extensions(low, top, down, up, min(room, down + up + 1), must, energy)
    return [addition(meld.number, count, plus) for count, plus in plays]


# ---- which cards of the River could be played at once ---------------------------------------------


class AtOnce:
    """For a growing hand, and the melds it may add to: whether a card of it could be played alone or with others."""  # R3.3

    def __init__(self, held: Count, cards: int, melds: Iterable[Meld]) -> None:
        self.held, self.cards, self.kinds = held, cards, present(held)
        self.sure = 0  # bit k: a card of kind k could
        self.flows: list[Meld] = []
        self.balance = False
        for meld in melds:
            self.sure |= meld.takes
            self.balance |= meld.type == BALANCE
            if meld.type == FLOW:
                self.flows.append(meld)

    def take(self, card: Card) -> bool:
        """A card more comes into the hand: could it be played, and a card be kept?"""
        bit = 1 << card
        self.held += ONE[card]
        self.kinds |= bit
        self.cards += 1
        if self.sure & bit:
            return True
        found = self.new(card) or (self.flows and self.reaches(card)) or (self.balance and self.pairs(card))
        if found:
            self.sure |= bit
        return bool(found)

    def new(self, card: Card) -> bool:
        """As a card of a new meld."""
        if self.cards < 4:
            return False
        first = self.kinds & self.kinds >> 1 & self.kinds >> 2
        if (first | first << 1 | first << 2) >> card & 1:
            return True
        if card < RR:
            return self.held >> 4 * card & 15 >= 3
        return bool(meldable[self.held & RUNES_AND_KINGS, min(self.cards - 1, 4)] >> card & 1)

    def reaches(self, card: Card) -> bool:
        """At the end of a Flow Hand, with all that lies between."""
        for meld in self.flows:
            below = card < meld.low
            first, far = (card, meld.low - card) if below else (meld.top + 1, card - meld.top)
            if 0 < far < self.cards and not bits(far) & ~(self.kinds >> first):
                return True
        return False

    def pairs(self, card: Card) -> bool:
        """As one of a pair that keeps the balance."""
        other = PAIR.get(card)
        return other is not None and self.cards > 2 and self.kinds >> other & 1 == 1


PAIR = {RR: BR, BR: RR, RK: BK, BK: RK}


class Meldable(dict[tuple[Count, int], int]):
    """Bit k: a kind k among these runes and kings is part of a new meld of so many cards at most."""

    def __missing__(self, key: tuple[Count, int]) -> int:
        held, room = key
        kinds = 0
        for meant, most, _ in largest(held):
            for count in wanted(shapes(meant, most), room, ANY_KIND):
                kinds |= present(count)
        self[key] = kinds
        return kinds


meldable = Meldable()
