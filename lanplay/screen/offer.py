"""What a player can do now, said once: when it is their move, and briefly when something is open out of turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lanplay.room.telling import Asks
from lanplay.screen.choice import Choice, meant, narrower, verb
from lanplay.speech.cast import Cast
from lanplay.speech.spell import count, listed
from lanplay.wire.messages import Status

OPEN = 8  # moves that are listed with what is open out of turn


class Offer:
    """What was offered last. `listed`: the moves that were printed with numbers."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self.prompt: list[str] = []  # as it was printed; nothing, if nothing is asked
        self.asked: object = None
        self.aim: int | None = None  # of what is open
        self.open: set[str] = set()  # moves out of turn that were offered at this aim
        self.waited: list[str] = []
        self.verbs: set[str] = set()
        self.hinted = False  # it has been said how to see a part of many moves
        self.reactions: set[str] = set()  # verbs that are open out of turn, as far as it is known yet

    def look(self, status: Status, asks: Asks | None, choice: Choice, people: Collection[str]) -> list[str]:
        """The lines for what is new about what this player can do."""
        self.verbs.update(map(verb, choice.legal))
        if asks == "act":
            return self.ask(status, choice)
        self.asked, self.prompt, self.listed = None, [], []
        return self.wait(status, choice.scene.cast, people) + self.react(status, asks, choice)

    def ask(self, status: Status, choice: Choice) -> list[str]:
        asked = (status.round, status.prompt, tuple(choice.legal))
        self.waited, self.aim, self.open = [], status.aim, set(choice.legal)
        if asked == self.asked:
            return []
        self.asked = asked
        left = [] if status.left is None else [f"You have {count(round(status.left), 'second')}."]
        self.prompt = [f"Your move: {status.prompt}", *left, *self.short(choice)]
        return self.prompt

    def short(self, choice: Choice) -> list[str]:
        """The moves; of what is open out of turn as well, only the verbs."""
        also = [word for word in dict.fromkeys(map(verb, choice.legal)) if word in self.reactions]
        if all(verb(move) in {*also, "pass"} for move in choice.legal):
            also = []
        moves = [move for move in choice.legal if verb(move) not in also]
        lines, self.listed = choice.prompt(moves)
        if moves and not self.listed and not self.hinted:  # once is enough
            self.hinted = True
            lines = [*lines, narrower(moves)]
        return [*lines, f"You may also {listed(also, 'or')} (type moves)."] if also else lines

    def again(self) -> list[str]:
        """The prompt once more, after something that did not work."""
        return self.prompt

    def wait(self, status: Status, cast: Cast, people: Collection[str]) -> list[str]:
        """Whom all wait for, when that is somebody else than before and a person: bots don't take long."""
        slow = [letter for letter in status.must_act if letter in people]
        before, self.waited = self.waited, slow
        seats = ["ABCDEFGH".index(letter) for letter in slow]
        return [f"Waiting for {cast.all_of(seats)}."] if slow and slow != before else []

    def react(self, status: Status, asks: Asks | None, choice: Choice) -> list[str]:
        """Something is open out of turn: said once for each new thing that is meant."""
        if asks is None or status.aim != self.aim:
            self.aim, self.open = status.aim, set()
        new = [move for move in choice.legal if move not in self.open] if asks else []
        self.open.update(new)
        verbs = dict.fromkeys(map(verb, new))
        self.reactions.update(verbs)
        said = [choice.note(move) for move in new] if len(new) <= OPEN else list(verbs)
        return [f"You may: {', '.join(said)}."] if new else []

    def near(self, text: str, legal: Sequence[str], words: Collection[str]) -> str:
        """A move or word that was perhaps meant."""
        return meant(" ".join(text.split()), legal, [*self.verbs, *words])
