"""Facts to lines: what happened at a table, one event a line, for one reader."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lanplay.engine.view import View
from lanplay.engine.words import ACTED, EVERYONE, MOVED, ROUND, SHOWN, SHUFFLED, TOP, Told, Zone
from lanplay.screen.result import ended, sums
from lanplay.screen.verbs import told
from lanplay.speech.cast import Cast
from lanplay.speech.speech import COMMON, Speech
from lanplay.speech.spell import capital, count
from lanplay.speech.tale import Tale, bare
from lanplay.wire.messages import Status

RoundObject = Mapping[str, Any]


class Story:
    """What one reader is told from now on. Facts have the faces that the reader may know."""

    def __init__(self, cast: Cast, speech: Speech = COMMON) -> None:
        self.cast, self.speech = cast, speech
        self.rounds = 0  # that have ended
        self.sizes: dict[Zone, int] = {}  # of numbered zones, so that a new place has its number
        self.table: Mapping[str, Any] = {}  # as it was told last, but for the cards
        self.lately: deque[str] = deque(maxlen=speech.lately)

    def resume(self, view: View, rounds: int, status: Status) -> None:
        """The table lies so after so many rounds, whatever was told before."""
        self.rounds, self.table = rounds, status.table
        self.sizes = {zone: len(view.lay[zone]) for zone in self.cast.zones.numbered}

    def tell(
        self, facts: Sequence[Told], rounds: Sequence[RoundObject] = (), status: Status | None = None
    ) -> list[str]:
        """The lines for these facts. `rounds` are those that ended among them, `status` is how things stand then."""
        lines: list[str] = []
        ends = list(rounds)
        found = chapters(self.placed(facts))
        for n, (head, rest) in enumerate(found):
            if head[0] == ACTED:
                after = status.table if status and n == len(found) - 1 else {}
                lines += self.act(head, without_count(rest) if ends else rest, after)
            else:
                if ends and head[2] > 1:
                    lines += self.end(ends.pop(0))
                    lines += sums(self.cast, status.totals) if status and not ends else []
                lines += [f"Round {head[2]} begins.", *dealt(self.cast, self.speech, rest)]
                self.table = {}
        self.table = status.table if status else {}
        return lines + [line for end in ends for line in self.end(end)]

    def act(self, head: Told, facts: list[Told], after: Mapping[str, Any]) -> list[str]:
        """One action. What is not known of the table before or after it is left out."""
        move = head[5] if isinstance(head[5], str) else ""
        tale = Tale(self.cast, head[1], move, facts, self.table, after)
        self.table = after
        lines = told(tale, self.speech.sentences)
        self.lately += lines
        return lines

    def end(self, round_: RoundObject) -> list[str]:
        self.rounds += 1
        return ended(self.cast, self.speech, round_, self.rounds)

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


def dealt(cast: Cast, speech: Speech, facts: Sequence[Told]) -> list[str]:
    """The deal: how many cards everyone has got, those that the reader sees, and piles that begin."""
    begun = [fact for fact in facts if fact[0] == MOVED and cast.owner(fact[3]) is None]
    hands: dict[Zone, list[Told]] = {}
    for fact in facts:
        if fact[0] == MOVED and fact not in begun:
            hands.setdefault(fact[3], []).append(fact)
    lines = sizes(cast, {zone: len(cards) for zone, cards in hands.items()})
    for zone, cards in hands.items():
        faces = [face for fact in cards if (face := cast.face(fact[5]))]
        if faces and cast.owner(zone) == cast.me:
            lines.append(f"Your hand: {speech.hand(faces)}.")
    lines += [f"{capital(cast.zone(fact[3]))} begins with {cast.the(fact[5])}." for fact in begun]
    return lines + bare(cast, [fact for fact in facts if fact[0] not in (MOVED, SHUFFLED)])


def sizes(cast: Cast, hands: Mapping[Zone, int]) -> list[str]:
    """How many cards each has got, in one line if it is the same number."""
    if len(set(hands.values())) == 1:
        return [f"Everyone is dealt {count(min(hands.values()), 'card')}."]
    return [f"{cast.who(cast.owner(zone) or 0)}: {count(size, 'card')}." for zone, size in hands.items()]
