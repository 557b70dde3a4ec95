"""What a bot looks at when it is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_
from random import Random
from typing import Any

from lanplay.bot.facts import Fact, fact, place_name
from lanplay.bot.memory import Lore, Memory, Pool
from lanplay.engine.words import GONE, Told
from lanplay.wire.messages import Status


@dataclass(frozen=True)
class Info:
    """What a bot is told once, before the first deal.

    `seat` is its letter, `names` all seats with their names, `options` the table's options, `worth` the points of each
    card by its face where the game has fixed ones (Cambio, Rummy), else empty.
    """

    game: str
    seat: str
    names: dict[str, str]
    options: dict[str, int | str]
    worth: dict[str, int]


class View:
    """The table from one seat, with everything that the seat could remember.

    Seats are letters, cards their faces (`7c`, `??` if not known), places in a numbered hand as in the notation (`B3`).

    - What may be answered: `moves`; it is never empty and in a fixed order. `prompt` says what is asked.
    - Who: `seat` is one's own, `seats` are all in order of play, `others` all but one's own.
    - The table: `top` of the discard pile, `held` card, `hand(seat)`, `zone(name)`, `counts` of cards in the hands.
    - What is known: `known`, `unseen`, `matching` the top, `seen_by(place)`, `barred(place)`, `sample(rng)`.
    - What it counts: `worth(face)`, `expected(place)`, `average`.
    - How it stands: `round`, `turn`, `asked`, `open`, `caller`, `totals`, `public`.
    - What happened since the last question: `facts`.
    """

    def __init__(
        self,
        info: Info,
        memory: Memory,
        points: Sequence[int],
        moves: Sequence[str],
        status: Status,
        told: Sequence[Told],
    ) -> None:
        """`points` of each card by its number, `told` since the last question."""
        self.info, self.memory, self._status = info, memory, status
        self.moves = list(map(str, moves))
        self.seat = info.seat
        self._points, self._told = points, told
        self._faces: dict[str, dict[str, str]] = {}

    # ---- who, and how it stands -------------------------------------------------------------------

    @property
    def seats(self) -> list[str]:
        """All seats in order of play."""
        return list(self.info.names)

    @property
    def others(self) -> list[str]:
        """All seats but one's own, from the left neighbour on."""
        seats = self.seats
        mine = seats.index(self.seat)
        return seats[mine + 1 :] + seats[:mine]

    @property
    def prompt(self) -> str:
        """What the seats in `asked` are asked, in words."""
        return self._status.prompt

    @property
    def round(self) -> int:
        """The number of this round, from 1."""
        return self._status.round

    @property
    def asked(self) -> list[str]:
        """The seats for which the game waits."""
        return self._status.must_act[:]

    @property
    def turn(self) -> str | None:
        """The seat for which the game waits, if it is only one."""
        return self._status.must_act[0] if len(self._status.must_act) == 1 else None

    @property
    def open(self) -> bool:
        """Something may be done out of turn by somebody."""
        return self._status.open

    @property
    def caller(self) -> str | None:
        """The seat that called Cambio."""
        return self._status.table.get("caller")

    @property
    def totals(self) -> dict[str, int]:
        """The points of all finished rounds, by seat."""
        return dict(self._status.totals)

    @cached_property
    def public(self) -> dict[str, Any]:
        """Those fields of the game's `state` in the notation that are no cards (Rummy: `melds`, `plays`, `score`, …)."""
        return deepcopy(self._status.table)

    @property
    def counts(self) -> dict[str, int]:
        """How many cards each seat has in hand."""
        memory, hands = self.memory, zip(self.info.names, self.memory.hands, strict=True)
        return {seat: sum(lore is not None for lore in memory.lay[hand]) for seat, hand in hands}

    @cached_property
    def facts(self) -> list[Fact]:
        """What happened since the last question, in order."""
        zones, seats = self.memory.zones, len(self.info.names)
        return [one for told in self._told if (one := fact(told, zones, seats))]

    # ---- cards ------------------------------------------------------------------------------------

    def zone(self, name: str) -> list[str]:
        """The cards of a zone (`deck`, `pile`, `hand B`, `held A`, …), the top last; `??` where not known."""
        faces = self.memory.faces
        return [faces[lore.card] for lore in self.memory.lay[self.memory.zone[name]] if lore]

    @cached_property
    def top(self) -> str | None:
        """The top of the discard pile."""
        cards = self.memory.lay[self.memory.zone["pile"]] if "pile" in self.memory.zone else []
        return self.memory.faces[cards[-1].card] if cards and cards[-1] else None

    @property
    def held(self) -> str | None:
        """The card that is drawn, taken or in use just now, if this seat sees it."""
        zones = (f"held {self.seat}", "up")
        cards = [face for name in zones if name in self.memory.zone for face in self.zone(name)]
        return cards[0] if cards else None

    @cached_property
    def _hands(self) -> dict[str, dict[str, Lore]]:
        lay = self.memory.lay
        return {
            seat: {f"{seat}{place}": lore for place, lore in enumerate(lay[hand]) if lore}
            for seat, hand in zip(self.info.names, self.memory.hands, strict=True)
            if hand in self.memory.zones.numbered
        }

    def _lore(self, place: str) -> Lore:
        return self._hands[place[0]][place]

    def hand(self, seat: str) -> dict[str, str]:
        """A numbered hand by its places, `{"B1": "7c", "B2": "??"}`; of any other game `zone("hand B")` has the cards."""
        if seat not in self._faces:
            faces = self.memory.faces
            self._faces[seat] = {place: faces[lore.card] for place, lore in self._hands[seat].items()}
        return self._faces[seat]

    @cached_property
    def known(self) -> dict[str, str]:
        """Every place in a numbered hand whose card this seat knows, with the card."""
        faces = self.memory.faces
        hands = self._hands.values()
        return {place: faces[lore.card] for hand in hands for place, lore in hand.items() if lore.card >= 0}

    @property
    def matching(self) -> list[str]:
        """Every place in a numbered hand whose card is known to have the rank of the top of the pile."""
        return [place_name(self.memory.zones, *at) for at in self.memory.matching()]

    @cached_property
    def unseen(self) -> Counter[str]:
        """The cards whose place is not known, by face."""
        return Counter({self.memory.faces[card]: count for card, count in self._unseen.items()})

    @cached_property
    def _unseen(self) -> Pool:
        return self.memory.unseen()

    def seen_by(self, place: str) -> list[str]:
        """The seats that have seen the card in this place, here or wherever it lay before."""
        eyes = self._lore(place).seen
        return [seat for number, seat in enumerate(self.info.names) if eyes >> number & 1]

    def barred(self, place: str) -> set[str]:
        """The cards that can't lie in this place, if the card there is not known: because a snap of it was wrong.

        Of a hand (`hand B`): those that none of its cards which are not known can be, because this seat asked for them,
        or was asked and had none (Not at Home).
        """
        bars = self._bars(place)
        return {face for card, face in enumerate(self.memory.faces[:-1]) if bars >> card & 1}

    def _bars(self, place: str) -> int:
        memory = self.memory
        lores = memory.lay[memory.zone[place]] if place in memory.zone else [self._lore(place)]
        hidden = [lore.barred for lore in lores if lore and lore.card < 0]
        return reduce(and_, hidden) if hidden else 0

    def sample(self, rng: Random) -> dict[str, list[str]]:
        """A full deal that agrees with all that this seat knows: every zone by name, the top last.

        In numbered hands a card's index is its number, `--` stands for an empty place.
        """
        faces = {GONE: "--", **dict(enumerate(self.memory.faces))}
        lay = self.memory.sample(rng)
        return {name: [faces[card] for card in lay[n]] for n, name in enumerate(self.memory.zones.names)}

    # ---- what it counts ---------------------------------------------------------------------------

    def worth(self, face: str) -> float:
        """The points of a card; of an unknown one (`??`), what it counts on average."""
        return self.info.worth[face] if face != "??" else self.average

    def expected(self, place: str) -> float:
        """The points of the card in this place, or what it counts on average; also of the top of the `deck`."""
        return self._expected[place]

    @cached_property
    def _expected(self) -> dict[str, float]:
        means: dict[tuple[int, int], float] = {}
        deck = self.memory.lay[0]
        found = {"deck": self._mean(deck[-1], means) if deck and deck[-1] else self.average}
        for hand in self._hands.values():
            for place, lore in hand.items():
                found[place] = self._mean(lore, means)
        return found

    def _mean(self, lore: Lore, means: dict[tuple[int, int], float]) -> float:
        if lore.card >= 0:
            return self._points[lore.card]
        key = id(lore.pool), lore.barred
        if key not in means:
            means[key] = mean(lore.pool, self._points, lore.barred)
        return means[key]

    @cached_property
    def average(self) -> float:
        """What an unknown card counts on average."""
        return mean(self._unseen, self._points)


def mean(pool: Pool, points: Sequence[int], barred: int = 0) -> float:
    """What a card of this pool counts on average."""
    number = total = 0
    for card, count in pool.items():
        if count and not barred >> card & 1:
            number += count
            total += count * points[card]
    return total / number if number else 0.0
