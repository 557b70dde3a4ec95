"""Moves as lines: numbered where they are few; where they are many, those that begin alike together, with an example."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from lanplay.speech.speech import Scene, Speech
from lanplay.speech.spell import count

FEW = 16  # moves that are numbered in a prompt
SHORT = 150  # letters of a prompt that stays in one line
LONG = 480  # letters of moves that are numbered in a prompt
GROUPS = 8  # lines of moves that begin alike; if they were more, each verb gets one
LAST = 24  # last words that are listed behind what moves have in common
ALL = 100  # moves that `moves` lists


class Choice(NamedTuple):
    """The moves that can be made, as this reader would have them explained."""

    scene: Scene
    speech: Speech
    legal: Sequence[str]

    def note(self, words: str) -> str:
        """`add M2 6 (6 points)`."""
        said = self.speech.note(self.scene, words)
        return f"{words} ({said})" if said else words

    def numbered(self, moves: Sequence[str]) -> list[str]:
        """Each move with its number; all in one line, or those of one verb in one line."""
        lines: dict[str, list[str]] = {}
        for number, move in enumerate(moves, 1):
            lines.setdefault(verb(move), []).append(f"{number}: {self.note(move)}")
        said = [", ".join(words) for words in lines.values()]
        return [", ".join(said)] if sum(map(len, said)) <= SHORT else said

    def prompt(self, moves: Sequence[str]) -> tuple[list[str], list[str]]:
        """The lines for these moves, and the moves that have a number there."""
        lines = self.numbered(moves) if len(moves) <= FEW else []
        if lines and sum(map(len, lines)) <= LONG:
            return lines, list(moves)
        return self.summary(moves), []

    def summary(self, moves: Sequence[str]) -> list[str]:
        """What can be done with so many moves, a line for each group."""
        return [self.line(head, group) for head, group in groups(moves).items()]

    def line(self, head: str, moves: Sequence[str]) -> str:
        """`discard 1, 3 or RR`, or `meld flow: 5 moves, such as meld flow 3 4 5 (12 points)`."""
        if len(moves) == 1:
            return self.note(moves[0])
        tails = [move.removeprefix(f"{head} ") for move in moves]
        simple = all(" " not in tail for tail in tails) and not any(map(self.noted, moves))
        if simple and len(moves) <= FEW:
            return f"{self.note(head)}: {' '.join(tails)}"
        best = max(moves, key=self.speech.value)
        return f"{self.note(head)}: {count(len(moves), 'move')}, such as {self.note(best)}"

    def noted(self, move: str) -> bool:
        return bool(self.speech.note(self.scene, move))

    def chosen(self, words: str) -> tuple[list[str], list[str]]:
        """The answer to `moves`, all of them or those with certain words; and the moves that have a number there."""
        moves = list(having(self.legal, words.split()))
        if not moves:
            return [f"You have no move with {words} just now."], []
        if not words and len(moves) > ALL:
            return [f"There are {count(len(moves), 'move')}. {narrower(moves)}", *self.summary(moves)], []
        return self.listed(moves)

    def listed(self, moves: Sequence[str]) -> tuple[list[str], list[str]]:
        """Moves in groups, the most valuable of each first; numbered, but where only the last word makes a difference."""
        lines: list[str] = []
        numbers: list[str] = []
        for head, group in groups(moves).items():
            tails = [move.removeprefix(f"{head} ") for move in group]
            if len(group) > FEW and all(" " not in tail for tail in tails):
                lines.append(f"{self.note(head)}: {' '.join(tails)}")
                continue
            room = max(ALL - len(numbers), 0)
            best = sorted(group, key=self.speech.value, reverse=True)[:room]
            said = [f"{n}: {self.note(move)}" for n, move in enumerate(best, len(numbers) + 1)]
            more = f"{count(len(group) - room, 'more move')} of {head}"
            lines.append(", ".join(said + [more] * (len(group) > room)))
            numbers += best
        return lines, numbers


def verb(move: str) -> str:
    return move.partition(" ")[0]


def head(move: str) -> str:
    """The words under which moves are put together: the first two, if more follow."""
    words = move.split()
    return " ".join(words[:2]) if len(words) > 2 else words[0]


def groups(moves: Sequence[str]) -> Mapping[str, list[str]]:
    """Moves that begin alike, together."""
    found: dict[str, list[str]] = {}
    for move in moves:
        found.setdefault(head(move), []).append(move)
    if len(found) <= GROUPS:
        return found
    verbs: dict[str, list[str]] = {}
    for move in moves:
        verbs.setdefault(verb(move), []).append(move)
    return verbs


def narrower(moves: Sequence[str]) -> str:
    """How to see a part of so many moves."""
    return f"To see a part of them, type for instance moves {max(groups(moves).items(), key=lambda g: len(g[1]))[0]}."


def having(moves: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """The moves with all of these words; if there are none, those with words that begin so."""
    wanted = [word.lower() for word in wanted]
    spelled = {move: move.lower().split() for move in moves}
    exact = [move for move, words in spelled.items() if set(wanted) <= set(words)]
    yield from exact or [
        move
        for move, words in spelled.items()
        if all(any(word.startswith(part) for word in words) for part in wanted)
    ]


def respelled(text: str, legal: Sequence[str], faces: Collection[str]) -> str:
    """What was typed, in the letter case in which cards and moves are spelled."""
    known = {face.lower(): face for face in faces}
    known.update({word.lower(): word for move in legal for word in move.split()})
    return " ".join(known.get(word.lower(), word) for word in text.split())


def meant(text: str, legal: Sequence[str], words: Collection[str]) -> str:
    """What was perhaps meant by something that can't be read, as a sentence; empty, if that is not clear."""
    lower = {move.lower(): move for move in legal}
    same = [move for move in lower if verb(move) == verb(text.lower())]
    near = get_close_matches(text.lower(), lower, n=1, cutoff=0.75)
    near = near or get_close_matches(verb(text.lower()), [] if same else words, n=1)
    if near:
        return f" Did you mean {lower.get(near[0], near[0])}?"
    return f" You can say for instance {lower[same[0]]}." if same else ""
