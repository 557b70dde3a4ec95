"""One action and what it did: the facts, taken out one by one by the sentence that tells them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lanplay.engine.words import EVERYONE, EXCHANGED, MOVED, SEATS, SHOWN, SHUFFLED, Seat, Told
from lanplay.speech.cast import Cast
from lanplay.speech.spell import capital, card, listed


class Tale:
    """`words` are those of the move, none if the reader did not hear it; `facts` are those that are still untold.

    `before` and `after` are the fields of `state` that are no cards, before and after it; empty where not known.
    """

    def __init__(
        self,
        cast: Cast,
        seat: Seat,
        move: str,
        facts: Sequence[Told],
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        self.cast, self.seat, self.move = cast, seat, move
        self.before, self.after = before or {}, after or {}
        self.words = move.split()
        self.facts = list(facts)

    def take(self, kind: str, source: str = "", target: str = "") -> Told | None:
        """Take out the first fact of this kind between such places, if there is one."""
        for fact in self.facts:
            if fact[0] == kind and self.fits(fact[1], source) and self.fits(fact[3], target):
                self.facts.remove(fact)
                return fact
        return None

    def take_all(self, kind: str, source: str = "", target: str = "") -> list[Told]:
        """Take out all of them."""
        taken = []
        while fact := self.take(kind, source, target):
            taken.append(fact)
        return taken

    def faces(self, facts: Sequence[Told]) -> list[str]:
        """The cards of these facts, as the reader knows them."""
        return [self.cast.face(fact[5]) or "??" for fact in facts]

    def fits(self, zone: int, kind: str) -> bool:
        return not kind or self.cast.kind(zone) == kind

    def does(self, verb: str) -> str:
        """`Ann draws`."""
        return self.cast.does(self.seat, verb)

    def verb(self, verb: str) -> str:
        """`draws`."""
        return self.cast.verb(self.seat, verb)

    @property
    def who(self) -> str:
        return self.cast.who(self.seat)

    def named(self, word: str) -> str:
        """The place that a word of the move names: `2` is the seat's own `A2`."""
        return SEATS[self.seat] + word if word.isdigit() else word

    def rest(self) -> list[str]:
        """What no sentence has told, fact by fact."""
        return bare(self.cast, self.facts)


Sentence = Callable[[Tale], list[str]]  # nothing, if the facts are not what the verb usually does


def bare(cast: Cast, facts: Sequence[Told]) -> list[str]:
    """Facts without the action that led to them."""
    lines = [shuffled(cast, fact) for fact in facts if fact[0] == SHUFFLED]
    for fact in facts:
        if fact[0] == MOVED:
            source = "" if cast.kind(fact[1]) == "up" else f" from {place(cast, fact)}"  # up: it was in use
            lines.append(f"{capital(cast.the(fact[5]))} goes{source} to {target(cast, fact)}.")
        elif fact[0] == EXCHANGED:
            lines.append(f"{capital(place(cast, fact))} and {target(cast, fact)} change places.")
    return lines + seen(cast, [fact for fact in facts if fact[0] == SHOWN])


def place(cast: Cast, fact: Told) -> str:
    return cast.place(fact[1], fact[2])


def target(cast: Cast, fact: Told) -> str:
    return cast.place(fact[3], fact[4])


def shuffled(cast: Cast, fact: Told) -> str:
    if fact[1] == fact[3]:
        return f"{capital(cast.zone(fact[1]))} is shuffled."
    return f"{capital(cast.zone(fact[1]))} is shuffled into {cast.zone(fact[3])}."


def seen(cast: Cast, facts: Sequence[Told], verb: str = "see") -> list[str]:
    """Who sees which cards where they lie; those that all see in one line."""
    lines = []
    for eyes in dict.fromkeys(fact[6] for fact in facts):
        shown = [fact for fact in facts if fact[6] == eyes]
        if eyes == EVERYONE:
            cards = [f"{place(cast, fact)} {card(cast.face(fact[5]) or 'a card')}" for fact in shown]
            lines.append(f"All can see {listed(cards)}.")
        else:
            viewers = [cast.me] if eyes >> cast.me & 1 else cast.seers(eyes)
            lines += [line for viewer in viewers for line in looks(cast, viewer, shown, verb)]
    return lines


def looks(cast: Cast, seat: Seat, facts: Sequence[Told], verb: str) -> list[str]:
    """`You look at B3: 7 of clubs (7c).`, or for others `Ann looks at A1 and A3.`"""
    faces = [cast.face(fact[5]) for fact in facts]
    if None in faces:
        return [f"{cast.does(seat, verb)} {listed([place(cast, fact) for fact in facts])}."]
    return [
        f"{cast.does(seat, verb)} {place(cast, fact)}: {card(face or '')}."
        for fact, face in zip(facts, faces, strict=True)
    ]
