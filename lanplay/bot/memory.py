"""What a seat can know by remembering all that it was told: which card lies where, and who has seen it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ACTED,
    ANY,
    EXCHANGED,
    GONE,
    HIDDEN,
    MOVED,
    ROUND,
    SEATS,
    SHOWN,
    SHUFFLED,
    TOP,
    Card,
    Eyes,
    Seat,
    Told,
    Zone,
)

Pool = dict[Card, int]  # how many of each card there are

TRIES = 20  # deals that are thrown away before one is mended
MIXING = 8  # exchanges that are tried for each card of a mended deal


class Lore:
    """One card of the table, as far as it is known. It goes with the card wherever that goes.

    `card` is its face or HIDDEN, `seen` who has seen it. A hidden card is one of its `pool`, which it shares with all
    that were shuffled with it, but not card n if bit n of `barred` is set.
    """

    __slots__ = ("barred", "card", "pool", "seen")

    def __init__(self, pool: Pool) -> None:
        self.card: Card = HIDDEN
        self.seen: Eyes = 0
        self.pool, self.barred = pool, 0

    def learn(self, card: Card) -> None:
        """The face is seen."""
        if self.card == HIDDEN:
            self.card = card
            self.pool[card] -= 1

    def forget(self) -> None:
        """It may be any of its pool again."""
        if self.card != HIDDEN:
            self.pool[self.card] += 1
            self.card = HIDDEN


Places = list[Lore | None]  # None: no card lies there


class Memory:
    """A fold over the facts that keeps what was seen, also when it is covered again.

    `lay` are the zones with the lore of each card. Faces that the seat does not see are ignored, masked or not.
    """

    def __init__(self, seat: Seat, zones: Zones) -> None:
        self.seat, self.bit, self.zones = seat, 1 << seat, zones
        self.zone = {name: number for number, name in enumerate(zones.names)}
        self.faces = (*zones.deck.faces, "??")  # at HIDDEN, too
        self.hands = [self.zone[f"hand {letter}"] for letter in SEATS if f"hand {letter}" in self.zone]
        self.loose = {
            hand for hand in self.hands if hand not in zones.numbered
        }  # in an order of the owner's own
        self.lay: list[Places] = []
        self.begin()

    def begin(self) -> None:
        """A new round: all cards are in the deck."""
        self.tried: tuple[Zone, int] | None = None  # the place of a snap of which the outcome is not told yet
        pool = dict(count(self.zones.deck.cards))
        self.lay[:] = [[None] * len(places) for places in self.zones.bare]
        self.lay[0] = [Lore(pool) for _ in self.zones.deck.cards]

    # ---- what happens -----------------------------------------------------------------------------

    def take(self, facts: Sequence[Told]) -> None:
        """Take in these facts."""
        lay, bit = self.lay, self.bit
        for kind, source, at, target, to, face, eyes in facts:
            if kind != MOVED:
                self.happens(kind, source, at, target, to, face, eyes)
                continue
            if self.tried:
                self.judge(source, at)
            lore = self.lift(source, at, face if eyes & bit else HIDDEN)
            lore.seen |= eyes
            if eyes & bit:
                lore.learn(face)
            if to == TOP:
                lay[target].append(lore)
            else:
                lay[target][to] = lore

    def happens(self, kind: str, source: int, at: int, target: int, to: int, face: Any, eyes: Eyes) -> None:
        """All that is told less often than that a card moves."""
        lay = self.lay
        if kind == ACTED:
            self.tried = self.snapped(source, face)
            self.asked(source, face)
        elif kind == SHOWN:
            if source in self.loose and eyes & self.bit:
                self.put_there(lay[source], at, face)
            lore = lay[source][at]
            assert lore is not None
            lore.seen |= eyes
            if eyes & self.bit:
                lore.learn(face)
        elif kind == EXCHANGED:
            lay[source][at], lay[target][to] = lay[target][to], lay[source][at]
        elif kind == SHUFFLED:
            self.shuffled(source, at, target)
        elif kind == ROUND:
            self.begin()

    def lift(self, zone: Zone, at: int, face: Card) -> Lore:
        """A card leaves its place."""
        cards = self.lay[zone]
        if at == TOP:
            lore = cards.pop()
        elif at == ANY:
            lore = cards.pop(self.somewhere(cards, face))
        else:
            lore, cards[at] = cards[at], None
        assert lore is not None
        return lore

    def somewhere(self, cards: Places, face: Card) -> int:
        """Where in a hand without places the card lies that leaves it, or is shown."""
        known = [lore.card for lore in cards if lore]
        if len(cards) == 1 or (face != HIDDEN and face in known):
            return known.index(face) if face in known else 0
        if face == HIDDEN:  # it may be any of them: none is known any more
            for lore in cards:
                if lore:
                    lore.forget()
        may = {
            at: lore.pool
            for at, lore in enumerate(cards)
            if lore and lore.card == HIDDEN and (face == HIDDEN or lore.pool.get(face))
        }
        self.merge(list(may.values()))
        return next(iter(may))

    def put_there(self, cards: Places, at: int, face: Card) -> None:
        """A hand without places is shown, from its first card on: what lies where in it is known only now."""
        found = at + self.somewhere(cards[at:], face)
        cards[at], cards[found] = cards[found], cards[at]

    def shuffled(self, source: Zone, keep: int, target: Zone) -> None:
        """A pile is shuffled into another: it is known which cards lie there, but not where."""
        cards = self.lay[source]
        gone = [lore for lore in cards[: len(cards) - keep] if lore]
        del cards[: len(gone)]
        known = count([lore.card for lore in gone if lore.card != HIDDEN])
        pool = self.merge([known, *(lore.pool for lore in gone if lore.card == HIDDEN)])
        self.lay[target] = [Lore(pool) for _ in gone]

    def merge(self, pools: Sequence[Pool]) -> Pool:
        """Cards of several pools get mixed: from now on each may be any of all."""
        into, *others = {id(pool): pool for pool in pools}.values()
        for pool in others:
            for card, number in pool.items():
                into[card] = into.get(card, 0) + number
        for lore in self.cards() if others else ():
            if any(lore.pool is pool for pool in others):
                lore.pool = into
        return into

    def recall(self, lay: Sequence[Sequence[Card]]) -> None:
        """Come back from a break with nothing but the position as it lies now."""
        self.begin()
        pool = dict(count(self.zones.deck.cards))
        self.lay[:] = [[None if card == GONE else Lore(pool) for card in places] for places in lay]
        for zone, places in enumerate(lay):
            for lore, card in zip(self.lay[zone], places, strict=True):
                if lore and card >= 0:
                    lore.seen = self.zones.eyes[zone] | self.bit
                    lore.learn(card)

    # ---- what can't be where ----------------------------------------------------------------------

    def snapped(self, seat: Seat, move: object) -> tuple[Zone, int] | None:
        """The place of the card that is being snapped, if this move is a snap."""
        if not isinstance(move, str) or not move.startswith("snap "):
            return None
        place = move[5:]
        own = place.isdecimal()
        return self.hands[seat if own else SEATS.index(place[0])], int(place if own else place[1:])

    def asked(self, seat: Seat, move: object) -> None:
        """Who asks for a card lacks it, and who is asked does afterwards, handed over or not: there is only one."""
        if not isinstance(move, str) or not move.startswith("ask "):
            return
        _, other, face = move.split()
        bit = 1 << self.faces.index(face)
        for hand in (self.hands[seat], self.hands[SEATS.index(other)]):
            for lore in self.lay[hand]:
                if lore:
                    lore.barred |= bit

    def judge(self, source: Zone, at: int) -> None:
        """What moves first after a snap tells: the card itself, or it was wrong, and has not the rank of the top."""
        tried, self.tried = self.tried, None
        if tried is None or tried == (source, at):
            return
        lore, top = self.lay[tried[0]][tried[1]], self.lay[self.zone["pile"]][-1]
        if lore and top and top.card != HIDDEN:
            lore.barred |= alike(self.zones.deck.faces)[top.card]

    # ---- what follows from it ---------------------------------------------------------------------

    def cards(self) -> Iterator[Lore]:
        """Every card of the table."""
        return (lore for places in self.lay for lore in places if lore)

    def matching(self) -> list[tuple[Zone, int]]:
        """The places in the hands whose card is known to have the rank of the top of the pile."""
        pile = self.lay[self.zone["pile"]] if "pile" in self.zone else []
        top = pile[-1] if pile else None
        if top is None or top.card == HIDDEN:
            return []
        bits = alike(self.zones.deck.faces)[top.card]
        return [
            (hand, at)
            for hand in self.hands
            for at, lore in enumerate(self.lay[hand])
            if lore and lore.card >= 0 and bits >> lore.card & 1
        ]

    def hidden(self) -> dict[int, list[Lore]]:
        """The cards that are not known, pool by pool."""
        pools: dict[int, list[Lore]] = {}
        for lore in self.cards():
            if lore.card == HIDDEN:
                pools.setdefault(id(lore.pool), []).append(lore)
        return pools

    def unseen(self) -> Pool:
        """The cards whose place is not known."""
        left: Pool = {}
        for lores in self.hidden().values():
            for card, number in lores[0].pool.items():
                if number:
                    left[card] = left.get(card, 0) + number
        return left

    def sample(self, rng: Random) -> list[list[Card]]:
        """All zones with every card put somewhere: a deal that agrees with all that is known."""
        dealt: dict[int, Card] = {}
        for lores in self.hidden().values():
            cards = [card for card, number in lores[0].pool.items() for _ in range(number)]
            deal(cards, [lore.barred for lore in lores], rng)
            dealt.update(zip(map(id, lores), cards, strict=True))
        return [
            [GONE if lore is None else dealt.get(id(lore), lore.card) for lore in places]
            for places in self.lay
        ]


def deal(cards: list[Card], barred: Sequence[int], rng: Random) -> None:
    """Shuffle until no card lies where it is barred; if that does not come by itself, mend and mix what came."""
    limits = [(at, bars) for at, bars in enumerate(barred) if bars]
    for _ in range(TRIES):
        rng.shuffle(cards)
        if not any(bars >> cards[at] & 1 for at, bars in limits):
            return
    mend(cards, barred, rng)
    for _ in range(MIXING * len(cards)):
        at, to = rng.randrange(len(cards)), rng.randrange(len(cards))
        if not (barred[at] >> cards[to] | barred[to] >> cards[at]) & 1:
            cards[at], cards[to] = cards[to], cards[at]


def mend(cards: list[Card], barred: Sequence[int], rng: Random) -> None:
    """Exchange the cards that lie where they are barred until none does. Some way of lying must be allowed."""
    places = list(range(len(cards)))
    for start in rng.sample(places, len(places)):
        if barred[start] >> cards[start] & 1:
            way = path(cards, barred, start)
            for at, to in pairwise(way):
                cards[at], cards[to] = cards[to], cards[at]


def path(cards: Sequence[Card], barred: Sequence[int], start: int) -> list[int]:
    """The shortest ring of places, from `start` on, in which each may take the card of the next (breadth first)."""
    came, queue = {start: start}, [start]
    for at in queue:
        if at != start and not barred[at] >> cards[start] & 1:
            way = [at]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for to, card in enumerate(cards):
            if to not in came and not barred[at] >> card & 1:
                came[to] = at
                queue.append(to)
    raise ValueError("no deal agrees with what is barred")


@cache
def alike(faces: tuple[str, ...]) -> tuple[int, ...]:
    """For each card the bits of all cards of its rank."""
    return tuple(sum(1 << other for other, its in enumerate(faces) if its[0] == face[0]) for face in faces)


def count(cards: Sequence[Card]) -> Pool:
    pool: Pool = {}
    for card in cards:
        pool[card] = pool.get(card, 0) + 1
    return pool
