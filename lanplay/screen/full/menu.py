"""The list of moves: what is in it, which one is marked, and when it last became another list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from lanplay.screen.choice import FEW, Choice, groups, having
from lanplay.speech.spell import count

MANY = 300  # rows at most; typing a part of a move shows the others
ASIDE = "out of turn"  # what is opened to see the moves out of turn


class Row(NamedTuple):
    """One line of the list: a move, or moves that begin alike and can be opened."""

    label: str
    move: str = ""
    group: str = ""


class Basis(NamedTuple):
    """What moves are about: what this seat is asked, and what is aimed at out of turn."""

    ask: object = None
    aim: int = 0


class Menu:
    """What can be chosen. `cursor` is the marked row; none is, until the player has moved to one.

    A list that becomes another one loses the mark, unless the marked row is in the new list and means the same:
    so no key that was meant for the old list does something of the new one. Where the basis differs nothing is the same.
    """

    def __init__(self) -> None:
        self.choice: Choice | None = None
        self.turn: list[str] = []
        self.aside: list[str] = []  # moves out of turn
        self.basis = Basis()
        self.text = ""  # what stands in the input
        self.opened = ""  # a group that is open
        self.rows: list[Row] = []
        self.cursor: int | None = None
        self.since = 0.0  # when the list became what it is
        self.numbers: Sequence[Row] | None = None  # the list that a number in the input was typed for
        self.down = 1  # rows in a column, as it was drawn last

    def offer(self, choice: Choice, turn: list[str], aside: list[str], basis: Basis, now: float) -> None:
        """How things stand now."""
        about = basis.aim if self.opened == ASIDE else basis.ask
        before = self.basis.aim if self.opened == ASIDE else self.basis.ask
        marked = self.rows[self.cursor].move if self.cursor is not None else ""
        stale = marked in aside and basis.aim != self.basis.aim
        self.choice, self.turn, self.aside, self.basis = choice, turn, aside, basis
        if stale:
            self.cursor = None
        if about != before:
            self.rows, self.cursor = [], None
            self.opened = ASIDE if self.opened == ASIDE else ""
            self.numbers = [] if self.numbers is not None else None
        self.renew(now)

    def renew(self, now: float) -> None:
        """Make the list anew. A mark stays on its row, wherever that is now."""
        marked = self.rows[self.cursor] if self.cursor is not None else None
        rows = list(self.found())
        if self.opened and not rows and not self.number:
            self.opened = ""
            rows = list(self.found())
        if rows == self.rows:
            return
        self.rows, self.since = rows, now
        same = [
            n for n, row in enumerate(rows) if marked and (row.move, row.group) == (marked.move, marked.group)
        ]
        self.cursor = same[0] if same else None

    def found(self) -> Iterator[Row]:
        """The rows that should be there."""
        if self.choice is None:
            return
        if self.text and not self.number:
            yield from self.single(self.choice, matching(self.legal, self.text)[:MANY])
        elif self.opened == ASIDE:
            yield from self.single(self.choice, self.aside[:MANY])
        elif self.opened:
            best = sorted(groups(self.turn).get(self.opened, []), key=self.choice.speech.value, reverse=True)
            yield from self.single(self.choice, best[:MANY])
        elif len(self.turn) <= FEW:
            yield from self.single(self.choice, self.turn)
        else:
            yield from self.grouped(self.choice)

    def single(self, choice: Choice, moves: Sequence[str]) -> Iterator[Row]:
        return (Row(choice.note(move), move) for move in moves)

    def grouped(self, choice: Choice) -> Iterator[Row]:
        """Moves that begin alike in one row."""
        for head, moves in groups(self.turn).items():
            if len(moves) == 1:
                yield Row(choice.note(moves[0]), moves[0])
            else:
                yield Row(f"{choice.note(head)}: {count(len(moves), 'move')}", group=head)

    @property
    def legal(self) -> list[str]:
        return [*self.turn, *self.aside]

    # ---- what the player does with it -----------------------------------------------------------------

    def typed(self, text: str, now: float) -> None:
        """The input has changed."""
        was, self.text = self.text, " ".join(text.split())
        if self.text == was:
            return
        self.cursor = None
        self.renew(now)
        if not self.number:
            self.numbers = None
        elif self.numbers is None:
            self.numbers = self.rows

    @property
    def number(self) -> int:
        """The number that stands in the input; 0 if none does."""
        return int(self.text) if self.text.isascii() and self.text.isdigit() and len(self.text) < 5 else 0

    def numbered(self) -> Row | None:
        """The row that is meant by the number in the input; none, if the list is not what it was when it was typed."""
        same = self.numbers == self.rows
        return self.rows[self.number - 1] if same and 1 <= self.number <= len(self.rows) else None

    def step(self, by: int) -> None:
        """Mark another row: the first one, if none was."""
        if not self.rows:
            return
        if self.cursor is None:
            self.cursor = 0 if by > 0 else len(self.rows) - 1
        else:
            self.cursor = min(max(self.cursor + by, 0), len(self.rows) - 1)

    def open(self, group: str, now: float) -> None:
        """Show what is in a group; with nothing, all groups."""
        self.opened, self.cursor, self.text = group, None, ""
        self.numbers = None
        self.renew(now)

    def back(self, now: float) -> bool:
        """One step back: the mark goes, then the group closes. False if there was nothing of it."""
        if self.cursor is not None:
            self.cursor = None
            return True
        if self.opened:
            self.open("", now)
            return True
        return False


def matching(moves: Sequence[str], text: str) -> list[str]:
    """Moves that begin with what was typed; if there are none, those with these words in them."""
    begun = [move for move in moves if move.lower().startswith(text.lower())]
    return begun or list(having(moves, text.split()))


def completed(text: str, moves: Collection[str], words: Collection[str]) -> str:
    """What was typed with all that must follow, in the spelling of moves; as it is if nothing must."""
    begun = " ".join(text.split()).lower()
    if not begun:
        return text
    found = [one for one in [*moves, *words] if one.lower().startswith(begun)]
    common = shared(found)
    if not common:
        return text
    more = any(one != common and one.startswith(f"{common} ") for one in found)
    return f"{common} " if more and not text.endswith(" ") else common if len(common) >= len(begun) else text


def shared(texts: Sequence[str]) -> str:
    """How all of these begin."""
    first, last = min(texts, default=""), max(texts, default="")
    same = next((n for n, letter in enumerate(first) if not last.startswith(first[: n + 1])), len(first))
    return first[:same]
