"""Facts to lines: what happened at a table, one event a line, for one reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lanplay.engine.view import View
from lanplay.engine.words import ACTED, EVERYONE, HIDDEN, MOVED, ROUND, SHOWN, SHUFFLED, TOP, Told, Zone
from lanplay.screen.cast import Cast
from lanplay.screen.result import ended
from lanplay.screen.spell import count, listed, the
from lanplay.screen.tale import Tale, bare
from lanplay.screen.verbs import told

RoundObject = Mapping[str, Any]


class Story:
    """What one reader is told from now on. Facts have the faces that the reader may know."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.rounds = 0  # that have ended
        self.sizes: dict[Zone, int] = {}  # of numbered zones, so that a new place has its number

    def resume(self, view: View, rounds: int) -> None:
        """The table lies so after so many rounds, whatever was told before."""
        self.rounds = rounds
        self.sizes = {zone: len(view.lay[zone]) for zone in self.cast.zones.numbered}

    def tell(self, facts: Sequence[Told], rounds: Sequence[RoundObject] = ()) -> list[str]:
        """The lines for these facts. `rounds` are those that ended among them."""
        lines: list[str] = []
        ends = list(rounds)
        for head, rest in chapters(self.placed(facts)):
            if head[0] == ACTED:
                move = head[5] if isinstance(head[5], str) else ""
                lines += told(Tale(self.cast, head[1], move, without_count(rest) if ends else rest))
            else:
                if ends and head[2] > 1:
                    lines += self.end(ends.pop(0))
                lines += [f"Round {head[2]} begins.", *dealt(self.cast, rest)]
        return lines + [line for end in ends for line in self.end(end)]

    def end(self, round_: RoundObject) -> list[str]:
        self.rounds += 1
        return ended(self.cast, round_, self.rounds)

    def placed(self, facts: Sequence[Told]) -> Iterator[Told]:
        """The facts with the numbers of the places that cards came to, where these were new."""
        for fact in facts:
            kind, source, at, zone, to, face, eyes = fact
            if kind == ROUND:
                self.sizes = dict.fromkeys(self.cast.zones.numbered, 1)
            if kind == MOVED and to == TOP and zone in self.sizes:
                yield (kind, source, at, zone, self.sizes[zone], face, eyes)
                self.sizes[zone] += 1
            else:
                yield fact


def chapters(facts: Iterator[Told]) -> list[tuple[Told, list[Told]]]:
    """Each action, and each beginning of a round, with what followed from it."""
    found: list[tuple[Told, list[Told]]] = []
    for fact in facts:
        if fact[0] in (ACTED, ROUND):
            found.append((fact, []))
        elif found:
            found[-1][1].append(fact)
    return found


def without_count(facts: list[Told]) -> list[Told]:
    """The facts without the hands that are shown when a round is counted: its result names them."""
    return [fact for fact in facts if fact[0] != SHOWN or fact[6] != EVERYONE]


def dealt(cast: Cast, facts: Sequence[Told]) -> list[str]:
    """The deal: how many cards everyone has got, and those that the reader sees."""
    dealt = [fact for fact in facts if fact[0] == MOVED and cast.owner(fact[3]) is not None]
    lines = []
    hands: dict[Zone, list[Told]] = {}
    for fact in dealt:
        hands.setdefault(fact[3], []).append(fact)
    numbers = {len(cards) for cards in hands.values()}
    if len(numbers) == 1:
        lines.append(f"Everyone is dealt {count(numbers.pop(), 'card')}.")
    else:
        lines += [
            f"{cast.who(cast.owner(zone) or 0)}: {count(len(cards), 'card')}."
            for zone, cards in hands.items()
        ]
    for zone, cards in hands.items():
        faces = [cast.face(fact[5]) for fact in cards if fact[5] != HIDDEN]
        if faces and cast.owner(zone) == cast.me:
            lines.append(f"You get {listed([the(face) for face in faces if face])}.")
    return lines + bare(cast, [fact for fact in facts if fact not in dealt and fact[0] != SHUFFLED])
