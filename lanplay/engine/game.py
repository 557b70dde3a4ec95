"""A game from the first deal to the last count: one table after another, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lanplay.engine.cards import Deck
from lanplay.engine.options import Options
from lanplay.engine.shuffle import Shuffler
from lanplay.engine.table import Table, Zones
from lanplay.engine.view import Fold, View
from lanplay.engine.words import (
    ACTED,
    SEATS,
    SHUFFLED,
    SPECTATOR,
    Card,
    Move,
    Moves,
    Refusal,
    Round,
    Seat,
    Told,
    letters,
)


class MakeTable(Protocol):
    """What makes the table of a round; a Table subclass with this constructor will do."""

    def __call__(
        self, seats: int, options: Any, shuffler: Shuffler, round_: int, log: list[Told] | None, /
    ) -> Table: ...


@dataclass(frozen=True)
class Rules:
    """A game that can be played: what the registry holds, and all that the floors above ask of a game.

    `version` counts the changes after which an old record would be played differently. `standing` tells from the
    rounds so far who has won the game, or None if another round is to be played.
    """

    name: str
    title: str
    version: int
    seats: range
    defaults: Options
    deck: Callable[[Any], Deck]
    table: MakeTable
    read: Callable[[str], Move]
    verbs: frozenset[str]
    standing: Callable[[Any, Sequence[Round]], tuple[Seat, ...] | None]
    totals: Callable[[Sequence[Round], int], tuple[int, ...]]
    book: str  # the file in seeds/
    worth: Callable[[Any], Sequence[int]] | None = (
        None  # points of each card, if they are fixed by the options
    )


def sums(rounds: Sequence[Round], seats: int) -> tuple[int, ...]:
    """The points of all rounds added up, seat by seat."""
    return tuple(sum(round_.points[seat] for round_ in rounds) for seat in range(seats))


class Game:
    """One game in progress, or finished: the rules without any I/O, clock or dice.

    `log` holds every fact since the first deal if `listening`; `steps[n]` is where the facts of step n end in it,
    and step 0 is the deal.
    """

    def __init__(
        self, rules: Rules, seats: int, options: Options, shuffler: Shuffler, listening: bool = True
    ) -> None:
        if seats not in rules.seats:
            raise ValueError(
                f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} players, not for {seats}"
            )
        self.rules, self.seats, self.options, self.shuffler = rules, seats, options, shuffler
        self.log: list[Told] | None = [] if listening else None
        self.steps: list[int] = []
        self.ended: list[int] = []  # the step that ended each round
        self.rounds: tuple[Round, ...] = ()
        self.totals = rules.totals((), seats)  # points of the finished rounds, seat by seat
        self.winners: tuple[Seat, ...] | None = None
        self.told: Fold | None = None  # begun when somebody first looks
        self.offered: dict[Seat, Moves] = {}  # the legal moves of this step, as far as they were asked for
        self.table = self._deal(1)
        self._settle()
        self._mark()

    @property
    def zones(self) -> Zones:
        """The places where cards may lie; the same in every round."""
        return self.table.zones

    @property
    def accepted(self) -> int:
        """How many actions were accepted: the step."""
        return len(self.steps) - 1

    @property
    def over(self) -> bool:
        return self.winners is not None

    @property
    def must_act(self) -> tuple[Seat, ...]:
        """Whom the game waits for, in seat order."""
        return tuple(sorted(self.table.asked))

    def legal(self, seat: Seat) -> Moves:
        """Every move that would be accepted from this seat now, in a fixed order."""
        if seat not in self.offered:
            self.offered[seat] = self.table.legal(seat)
        return self.offered[seat]

    def reactions(self, seat: Seat) -> Moves:
        """The legal moves of this seat that are out of turn."""
        extra = self.table.anytime(seat)
        return extra.moves(self.table, seat) if extra else ()

    def read(self, text: str) -> Move:
        """The move that this text spells, in its canonical spelling. Raises Refusal `syntax`."""
        return self.rules.read(text)

    def play(self, seat: Seat, text: str) -> Move:
        """Do what a seat says and return its canonical spelling; or raise Refusal and change nothing."""
        move = self.read(text)
        refusal = self.refusal(seat, move)
        if refusal:
            raise refusal
        self.do(seat, move)
        return move

    def do(self, seat: Seat, move: Move) -> None:
        """Do one of the legal moves of a seat. Does not check again: see play()."""
        if self.log is not None:
            self.log.append((ACTED, seat, 0, 0, 0, move, self.table.heard_by(seat, move)))
        self.table.do(seat, move)
        self.offered.clear()
        self._settle()
        self._mark()

    def refusal(self, seat: Seat, move: Move) -> Refusal | None:
        """Why the game would not accept this move from the seat now, or None if it would."""
        if move in self.legal(seat):
            return None
        refusal = self.table.refuse(seat, move)
        refusal.move = str(move)
        return refusal

    def _deal(self, round_: int) -> Table:
        table = self.rules.table(self.seats, self.options, self.shuffler, round_, self.log)
        table.deal()
        return table

    def _settle(self) -> None:
        """When a round has ended: the count, and the next round unless the game is over."""
        while not self.table.asked and self.winners is None:
            self.rounds = (*self.rounds, self.table.result())
            self.ended.append(len(self.steps))
            self.totals = self.rules.totals(self.rounds, self.seats)
            self.winners = self.rules.standing(self.options, self.rounds)
            if self.winners is None:
                self.table = self._deal(len(self.rounds) + 1)

    def _mark(self) -> None:
        self.steps.append(len(self.log or ()))

    # ---- what is told -----------------------------------------------------------------------------

    def facts(self, since: int = -1) -> list[Told]:
        """What happened after this step, unmasked: for who knows what to do with it. -1: since before the deal."""
        return (self.log or [])[self.steps[since] if since >= 0 else 0 :]

    def rounds_at(self, step: int) -> int:
        """How many rounds had ended at this step."""
        return sum(ended <= step for ended in self.ended)

    def view(self, seat: Seat) -> View:
        """What the seat (or SPECTATOR) has been told so far."""
        if self.told is None:
            self.told = Fold(self.zones)
        self.told.fold(self.log or [])
        return View(seat, self.told)

    def state(self, seat: Seat | None = None) -> dict[str, Any]:
        """`state` of notation.md: the truth, or what a seat (or SPECTATOR) may know."""
        return self.table.state(self.table.lay if seat is None else self.view(seat).lay)

    def object(self, names: Mapping[Seat, str], seat: Seat | None = None) -> dict[str, Any]:
        """The object of `lanplay replay --json`, but for what only a record knows (`refused`)."""
        readers = range(self.seats) if seat is None else [seat] if seat != SPECTATOR else []
        legal = {SEATS[reader]: sorted(self.legal(reader)) for reader in readers}
        return {
            "game": self.rules.name,
            "options": self.options.values(),
            "seats": {SEATS[n]: names[n] for n in range(self.seats)},
            "accepted": self.accepted,
            "refused": None,
            "round": self.table.round,
            "over": self.over,
            "must_act": letters(self.must_act),
            "legal": {letter: list(map(str, moves)) for letter, moves in legal.items() if moves},
            "rounds": [self.round_object(round_) for round_ in self.rounds],
            "totals": self.by_letter(self.totals),
            "winners": None if self.winners is None else letters(self.winners),
            "state": self.state(seat),
        }

    def round_object(self, round_: Round) -> dict[str, Any]:
        """A finished round, as it stands in `rounds`."""
        return {
            "points": self.by_letter(round_.points),
            "caller": None if round_.caller is None else SEATS[round_.caller],
            "winners": letters(round_.winners),
            "hands": dict(round_.hands),
        }

    def by_letter(self, numbers: Sequence[int]) -> dict[str, int]:
        return {SEATS[seat]: number for seat, number in enumerate(numbers)}

    def deals(self, since: int, until: int) -> list[list[Card]]:
        """The results of the shuffles after step `since` (-1: from the deal on) up to `until`, top card first."""
        facts = (self.log or [])[self.steps[since] if since >= 0 else 0 : self.steps[until]]
        return [list(reversed(fact[5])) for fact in facts if fact[0] == SHUFFLED]
