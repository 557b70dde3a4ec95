"""What a player can do now, said once: when it is their move, and briefly when something is open out of turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from lanplay.room.telling import Asks
from lanplay.screen.cast import Cast
from lanplay.screen.spell import count, listed
from lanplay.wire.messages import Status

FEW = 16  # moves that are listed with a prompt
OPEN = 8  # moves that are listed with what is open out of turn
ALL = 200  # moves that `moves` lists


class Offer:
    """What was offered last. `listed`: the moves that were printed with numbers."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self.prompt: list[str] = []  # as it was printed; nothing, if nothing is asked
        self.asked: object = None
        self.open: object = None
        self.waited: list[str] = []
        self.verbs: set[str] = set()
        self.reactions = {"snap", "chaos"}  # verbs that are open out of turn, as far as it is known yet

    def look(
        self, status: Status, asks: Asks | None, legal: Sequence[str], cast: Cast, people: Collection[str]
    ) -> list[str]:
        """The lines for what is new about what this player can do."""
        self.verbs.update(verb(move) for move in legal)
        if asks == "act":
            return self.ask(status, legal)
        self.asked, self.prompt, self.listed = None, [], []
        return self.wait(status, cast, people) + self.react(status, asks, legal)

    def ask(self, status: Status, legal: Sequence[str]) -> list[str]:
        asked = (status.round, status.prompt, tuple(legal))
        self.waited, self.open = [], status.aim
        if asked == self.asked:
            return []
        self.asked, self.listed = asked, list(legal)
        left = [] if status.left is None else [f"You have {count(round(status.left), 'second')}."]
        self.prompt = [f"Your move: {status.prompt}", *left, *short(legal, self.reactions)]
        return self.prompt

    def again(self) -> list[str]:
        """The prompt once more, after something that did not work."""
        return self.prompt

    def wait(self, status: Status, cast: Cast, people: Collection[str]) -> list[str]:
        """Whom all wait for, when that is somebody else than before and a person: bots don't take long."""
        slow = [letter for letter in status.must_act if letter in people]
        before, self.waited = self.waited, slow
        seats = ["ABCDEFGH".index(letter) for letter in slow]
        return [f"Waiting for {cast.all_of(seats)}."] if slow and slow != before else []

    def react(self, status: Status, asks: Asks | None, legal: Sequence[str]) -> list[str]:
        """Something is open out of turn: said once for each new thing that is meant."""
        if asks is None or not legal:
            self.open = None
            return []
        if self.open == status.aim:
            return []
        self.open = status.aim
        verbs = dict.fromkeys(verb(move) for move in legal)
        self.reactions.update(verbs)
        return [f"You may: {', '.join(legal if len(legal) <= OPEN else verbs)}."]

    def near(self, text: str, words: Collection[str]) -> str:
        """A word that was perhaps meant."""
        word = (text.split() or [""])[0].lower()
        near = get_close_matches(word, [*self.verbs, *words], n=1)
        return f" Did you mean {near[0]}?" if near else ""


def verb(move: str) -> str:
    return move.partition(" ")[0]


def short(legal: Sequence[str], reactions: Collection[str]) -> list[str]:
    """The moves with their numbers in one line, not too many; of what is open out of turn as well, only the verbs."""
    also = dict.fromkeys(verb(move) for move in legal if verb(move) in reactions)
    if all(verb(move) in {*also, "pass"} for move in legal):
        also = {}
    moves = [f"{number}: {move}" for number, move in enumerate(legal, 1) if verb(move) not in also]
    more = f", and {len(moves) - FEW} more (type moves)" if len(moves) > FEW else ""
    lines = [f"{', '.join(moves[:FEW])}{more}"]
    return [*lines, f"You may also {listed(list(also), 'or')} (type moves)."] if also else lines


def numbered(legal: Sequence[str]) -> list[str]:
    """The moves with their numbers, those of one verb in one line."""
    lines: dict[str, list[str]] = {}
    for number, move in enumerate(legal[:ALL], 1):
        lines.setdefault(verb(move), []).append(f"{number}: {move}")
    more = [f"and {count(len(legal) - ALL, 'more move')}"] if len(legal) > ALL else []
    return [", ".join(moves) for moves in lines.values()] + more
